#include "fabric/planes.h"

#include "base/disjoint.h"
#include "base/memory.h"
#include "fabric/placement.h"
#include "fabric/subset.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int planes_find(struct planes *planes, const struct fabric *fabric, struct error *error)
{
	const struct fabric *f = fabric;
	uint32_t *above = array_create(f->nodes, sizeof *above, error), *number = array_create(f->nodes, sizeof *number, error);
	*planes = (struct planes){
		.of = array_create(f->nodes, sizeof *planes->of, error),
		.hosts = array_create(f->hosts, sizeof *planes->hosts, error),
		.switches = array_create(f->hosts, sizeof *planes->switches, error),
	};
	if (!error->status) {
		disjoint_init(above, f->nodes);
		memset(number, 0xff, f->nodes * sizeof *number);
	}
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			disjoint_join(above, v, f->head[c]);
	for (uint32_t h = 0; h < f->hosts && !error->status; h++) {
		uint32_t *of = &number[disjoint_root(above, f->host_node[h])];
		*of = *of == NONE ? planes->planes++ : *of;
		planes->hosts[*of]++;
	}
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		planes->of[v] = number[disjoint_root(above, v)];
		if (planes->of[v] != NONE && f->node_host[v] == NONE)
			planes->switches[planes->of[v]]++;
	}
	free(above);
	free(number);
	return error->status ? -1 : 0;
}

void planes_clear(struct planes *planes)
{
	free(planes->of);
	free(planes->hosts);
	free(planes->switches);
	*planes = (struct planes){0};
}

uint32_t planes_of_pairs(const struct planes *planes)
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < planes->planes; p++)
		count += planes->hosts[p] > 1;
	return count;
}

uint32_t *planes_list(const struct planes *planes, uint32_t *count, struct error *error)
{
	uint32_t *list = array_create(planes_of_pairs(planes), sizeof *list, error);
	*count = 0;
	for (uint32_t p = 0; p < planes->planes && list; p++)
		if (planes->hosts[p] > 1)
			list[(*count)++] = p + 1;
	return list;
}

int planes_apart(struct planes *planes, const struct fabric *fabric, const char *subset, const char *mapping, uint32_t ranks, uint64_t seed,
	bool *apart, struct error *error)
{
	struct placement placement = {0};
	*apart = false;
	if (planes_find(planes, fabric, error))
		return -1;
	if (planes_of_pairs(planes) > 1 && !placement_init(&placement, fabric, subset, mapping, ranks, seed, error))
		for (uint32_t r = 1; r < placement.ranks; r++)
			*apart |= planes->of[fabric->host_node[placement.host[r]]] != planes->of[fabric->host_node[placement.host[0]]];
	placement_clear(&placement);
	return error->status ? -1 : 0;
}

int planes_take(uint32_t plane, struct fabric **fabric, struct forwarding **forwarding, struct attributes *attributes, struct error *error)
{
	const struct fabric *f = *fabric;
	struct planes planes;
	if (!planes_find(&planes, f, error) && (plane >= planes.planes || planes.planes > 1)) {
		const char *source = f->labels->source;
		bool *node = array_create(f->nodes, sizeof *node, error), *channel = array_create(f->channels, sizeof *channel, error);
		for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
			node[v] = planes.of[v] == plane;
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
				channel[c] = node[v];
		}
		if (plane >= planes.planes)
			error_at(error, STATUS_USAGE, source, 0, "--plane %" PRIu32 ": the fabric has %" PRIu32 " plane%s", plane + 1,
				planes.planes, planes.planes == 1 ? "" : "s");
		else if (*forwarding && (*forwarding)->function)
			error_at(error, STATUS_USAGE, source, 0, "--plane is not available with computed routes");
		else if (!error->status)
			fabric_keep(node, channel, fabric, forwarding, attributes, error);
		free(node);
		free(channel);
	}
	planes_clear(&planes);
	return error->status ? -1 : 0;
}
