/* A topology must be what its numbers say: cables lead back, names differ, routes arrive, and the graph that is written is a fabric. */
#ifndef TESTS_FUZZ_TOPOLOGY_CHECKS_H
#define TESTS_FUZZ_TOPOLOGY_CHECKS_H

#include "target.h"
#include "topologies/writer.h"

#include <ctype.h>

enum { WALKED_MOST = 4000, ROUTED_HOSTS = 12, WRITTEN_MOST = 400 };

static inline void check_ports(const struct topology *topology, bool host, uint32_t node, uint64_t *channels)
{
	uint32_t ports = topology->kind->ports(topology, host, node);
	CHECK(ports <= topology->channels);
	*channels += ports;
	for (uint32_t p = 0; p < ports; p++) {
		struct topology_port port = {host, node, p}, far = topology->kind->peer(topology, port);
		CHECK(far.node < (far.host ? topology->hosts : topology->switches));
		CHECK(topology_tier(topology, port) < topology->tiers);
		if (far.port == TOPOLOGY_NO_PORT)
			continue;
		CHECK(far.port < topology->kind->ports(topology, far.host, far.node));
		struct topology_port back = topology->kind->peer(topology, far);
		CHECK(back.host == host && back.node == node && back.port == p);
	}
}

static inline int compare_names(const void *a, const void *b)
{
	return strcmp(a, b);
}

static inline void check_names(const struct topology *topology)
{
	uint32_t nodes = topology->hosts + topology->switches;
	char(*name)[TOPOLOGY_NAME_MAX] = calloc(nodes ? nodes : 1, sizeof *name);
	CHECK(name);
	bool read = !topology_find(topology->kind->name) || !strcmp(topology->kind->name, "graph"); /* names may be those of a file */
	for (uint32_t v = 0; v < nodes; v++) {
		bool host = v < topology->hosts;
		topology->kind->node_name(topology, host, host ? v : v - topology->hosts, name[v]);
		CHECK(memchr(name[v], '\0', sizeof *name) && (*name[v] == 'H') == host);
		for (const char *c = name[v]; *c && !read; c++)
			CHECK(isalnum((unsigned char)*c) || *c == '_');
	}
	qsort(name, nodes, sizeof *name, compare_names);
	for (uint32_t v = 0; v + 1 < nodes; v++)
		CHECK(strcmp(name[v], name[v + 1]) != 0);
	free(name);
}

/* The route of a pair, which next and peer must yield step by step. */
static inline void check_route(const struct topology *topology, uint32_t source, uint32_t destination)
{
	static struct topology_step steps[TOPOLOGY_ROUTE_MAX];
	struct topology_port at = {true, source, 0};
	uint32_t length = topology->kind->route(topology, source, destination, steps);
	CHECK(length && length <= topology->kind->longest(topology) && length <= TOPOLOGY_ROUTE_MAX);
	for (uint32_t i = 0; i < length; i++) {
		CHECK(steps[i].node == (!i ? source : at.host ? at.node - topology->hosts : at.node));
		at.port = topology->kind->next(topology, at.host, at.node, destination);
		CHECK(at.port == steps[i].port && at.port < topology->kind->ports(topology, at.host, at.node));
		at = topology->kind->peer(topology, at);
	}
	CHECK(at.host && at.node == destination);
}

static inline void check_topology(const struct topology *topology)
{
	uint64_t nodes = topology->hosts + (uint64_t)topology->switches, channels = 0;
	CHECK(topology->channels <= TOPOLOGY_CHANNELS_MAX);
	if (nodes + topology->channels > WALKED_MOST)
		return;
	for (uint32_t v = 0; v < nodes; v++)
		check_ports(topology, v < topology->hosts, v < topology->hosts ? v : v - topology->hosts, &channels);
	CHECK(channels == topology->channels);
	check_names(topology);
	for (uint32_t s = 0; s < topology->hosts && topology->routing; s += topology->hosts / ROUTED_HOSTS + 1)
		for (uint32_t d = 0; d < topology->hosts; d += topology->hosts / ROUTED_HOSTS + 1)
			if (s != d)
				check_route(topology, s, d);
}

/* The graph that is written, with what has failed left out; small ones are read again. */
static inline void check_written(const struct writing *writing, const struct topology *topology)
{
	char *text = NULL;
	size_t size;
	struct error error = {0};
	FILE *file = open_memstream(&text, &size);
	CHECK(file);
	int status = writer_write(writing, topology, file, &error);
	CHECK(!fclose(file));
	if (status) {
		check_refused(&error, REFUSED_USAGE);
	} else if (topology->hosts && topology->hosts + (uint64_t)topology->switches + topology->channels < WRITTEN_MOST) {
		struct fabric *fabric;
		struct forwarding *forwarding;
		struct attributes *attributes;
		struct dot_report report;
		struct dot_memory memory = {text, size};
		const struct failures *failures = writing->failures;
		CHECK(!dot_load_text(&(struct dot_text){dot_read_memory, &memory, "written"}, DOT_ALLOW_NO_LINK, &fabric, &forwarding,
			&attributes, &report, &error));
		CHECK(fabric->hosts == topology->hosts - (failures ? failures->hosts : 0));
		CHECK(fabric->nodes - fabric->hosts == topology->switches - (failures ? failures->switches : 0));
		CHECK(failures || fabric->channels == topology->channels);
		fabric_free(fabric);
	}
	free(text);
}

#endif
