/* The exact load of every channel: how many routes of all pairs of hosts use it. */
#include <orcs/orcs.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	orcs_error error;
	orcs_network *network = orcs_load(argc > 1 ? argv[1] : "torus:4x4", &error);
	uint64_t unreachable;
	const double *load = NULL;
	if (network && (argc <= 2 || !orcs_route(network, argv[2], 1, &error)))
		load = orcs_loads(network, &unreachable, &error);
	if (load) {
		uint32_t nodes, channels;
		const orcs_node *node = orcs_nodes(network, &nodes);
		const orcs_channel *channel = orcs_channels(network, &channels);
		for (uint32_t c = 0; c < channels; c++)
			printf("%s %s %g\n", node[channel[c].tail].name, node[channel[c].head].name, load[c]);
		printf("%d pairs without a route\n", (int)unreachable);
	} else {
		fprintf(stderr, "loads: %s\n", error.text);
	}
	orcs_network_free(network);
	return load ? 0 : error.status;
}
