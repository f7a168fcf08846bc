#include "engines/packet/packet_coarse.h"

#include <inttypes.h>
#include <math.h>

void packet_coarsen(struct packet_setup *setup, unsigned factor)
{
	setup->mtu *= factor;
	setup->header *= factor;
}

double packet_shortest(const struct task_graph *graph, const uint32_t *host)
{
	double shortest = INFINITY;
	for (uint32_t o = 0; o < graph->operations; o++)
		if (flow_enters(graph, host, o))
			shortest = fmin(shortest, graph->size[o]);
	return shortest;
}

int packet_coarse_check(const struct packet_setup *setup, unsigned factor, double shortest, struct error *error)
{
	if (factor == 1 || shortest >= (double)COARSE_PACKETS_LEAST * setup->mtu)
		return 0;
	return error_set(error, STATUS_USAGE,
		"--coarsen %u: a message has %.0f bytes, fewer than %d packets of %" PRIu32
		"; send larger messages (--bytes), or leave --coarsen out",
		factor, shortest, COARSE_PACKETS_LEAST, setup->mtu);
}

double packet_coarse_error(const struct packet_setup *setup, unsigned factor, double shortest)
{
	double packets = shortest / setup->mtu, share = (factor - 1.0) / factor;
	return setup->voq ? share * fmin(0.2, 3.5 / packets) : share * fmin(0.3, 7 / packets);
}
