/* The topologies that exist. A new one is one more file and one more line here. */
#include "cabling.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOPOLOGIES(X) \
	X(star) \
	X(tree) \
	X(fattree) \
	X(thintree) \
	X(gtree) \
	X(xgft) \
	X(pgft) \
	X(ring) \
	X(mesh) \
	X(torus) \
	X(twisted) \
	X(fullmesh) \
	X(hypercube) \
	X(hyperx) \
	X(dragonfly) \
	X(leafspine) \
	X(jellyfish) \
	X(slimfly) \
	X(polarfly) \
	X(kautz) \
	X(debruijn) \
	X(bcube) \
	X(dpillar) \
	X(dcell) \
	X(ficonn) \
	X(hcn) \
	X(bcn) \
	X(gqstar) \
	X(swcube) \
	X(graph)

#define DECLARE(name) extern const struct topology_kind topology_##name;
#define LIST(name) &topology_##name,

TOPOLOGIES(DECLARE)
const struct topology_kind *const topologies[] = {TOPOLOGIES(LIST) NULL};

const struct topology_kind *topology_find(const char *spec)
{
	size_t length = spec_name_length(spec);
	for (size_t i = 0; topologies[i]; i++)
		if (strlen(topologies[i]->name) == length && !strncmp(spec, topologies[i]->name, length))
			return topologies[i];
	return NULL;
}

static int refuse_unknown(const char *spec, struct error *error)
{
	const char *names[sizeof topologies / sizeof *topologies];
	size_t count = 0;
	char name[64];
	for (; topologies[count]; count++)
		names[count] = topologies[count]->name;
	snprintf(name, sizeof name, "%.*s", (int)spec_name_length(spec), spec);
	return error_unknown(error, "topology", name, names, count);
}

/* The kind's own checks, and the limits of all kinds. */
static int set_up(struct topology *topology, struct error *error)
{
	if (topology->kind->setup(topology, error))
		return -1;
	if (topology->channels > TOPOLOGY_CHANNELS_MAX)
		return error_set(error, STATUS_USAGE, "more than %" PRIu64 " channels", TOPOLOGY_CHANNELS_MAX);
	if (topology->kind->longest && topology->kind->longest(topology) > TOPOLOGY_ROUTE_MAX)
		return error_set(error, STATUS_USAGE, "the longest route has %" PRIu32 " channels, more than %d",
			topology->kind->longest(topology), TOPOLOGY_ROUTE_MAX);
	return 0;
}

struct topology *topology_create(const char *spec, struct error *error)
{
	const struct topology_kind *kind = topology_find(spec);
	const char *colon = strchr(spec, ':');
	struct error reason = {0};
	if (!kind) {
		refuse_unknown(spec, error);
		return NULL;
	}
	struct topology *topology = array_create(1, sizeof *topology, error);
	if (!topology)
		return NULL;
	topology->kind = kind;
	if (!args_parse(&topology->args, kind->args, colon ? colon + 1 : NULL, "topology", kind->name, error)) {
		if (!set_up(topology, &reason))
			return topology;
		error_set(error, reason.status, "%s: %s", spec, reason.text);
	}
	topology_free(topology);
	return NULL;
}

void topology_free(struct topology *topology)
{
	if (!topology)
		return;
	args_clear(&topology->args);
	if (topology->kind->clear && topology->data)
		topology->kind->clear(topology);
	cabling_free(topology->cabling);
	free(topology->data);
	free(topology);
}

unsigned topology_tier(const struct topology *topology, struct topology_port port)
{
	if (topology->kind->tier)
		return topology->kind->tier(topology, port);
	return !port.host && !topology->kind->peer(topology, port).host;
}
