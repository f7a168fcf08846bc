#include "patterns/open/parts.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>

/*
 * Hosts and switches of each group, which are numbered group by group; grouped: the number of switches in groups, the others belong to
 * none.
 */
struct grouping {
	uint32_t hosts, switches, grouped;
};

/* ---- topologies */

static bool has_all(const struct traffic_setup *setup, uint64_t hosts, uint64_t switches)
{
	const struct fabric *fabric = setup->fabric;
	return fabric->hosts == hosts && fabric->nodes - fabric->hosts == switches;
}

/* Reads the grid on which the blocks of a topology are, and whether it is alike everywhere. */
static void read_grid(struct parts *parts, const struct topology_structure *structure)
{
	parts->axes = structure->dimensions;
	parts->alike = true;
	for (uint32_t i = 0; i < parts->axes; i++) {
		parts->width[i] = structure->dimension[i].width;
		parts->alike &= structure->form == STRUCTURE_FULL || structure->dimension[i].wraps;
	}
}

static int missing(const struct traffic_setup *setup, struct error *error)
{
	return error_set(error, STATUS_FABRIC,
		"the numbers of hosts and switches differ from those of the topology '%s', so the groups are unknown", setup->topology);
}

/* Returns NULL if there is no such topology; sets an error only if out of memory. */
static struct topology *make(const char *spec, struct error *error)
{
	struct error reason = {0};
	struct topology *topology = topology_create(spec, &reason);
	if (reason.status == STATUS_IO)
		error_set(error, STATUS_IO, "%s", reason.text);
	return topology;
}

/* Reads groups and grid of the topology, if it has any; other topologies are not created, which could take long. */
static int read_topology(
	struct parts *parts, struct grouping *grouping, const struct traffic_setup *setup, enum parts_of of, struct error *error)
{
	const char *spec = setup->topology;
	enum structure_form form = spec ? topology_form(spec) : STRUCTURE_NONE;
	bool nested = spec && topology_nested(spec), grid = form == STRUCTURE_GRID || form == STRUCTURE_FULL;
	bool groups = of == PARTS_OF_GROUPS && (nested || form == STRUCTURE_GROUPS);
	if (!groups && (nested || !grid))
		return 0;
	struct topology_structure structure = {0};
	struct topology *topology = make(spec, error);
	bool whole = topology && has_all(setup, topology->hosts, topology->switches);
	if (whole)
		topology_structure(topology, &structure);
	if (groups && !whole)
		missing(setup, error);
	else if (groups)
		*grouping = (struct grouping){structure.hosts, structure.switches, structure.blocks * structure.switches};
	if (whole && structure.dimensions) {
		read_grid(parts, &structure);
		parts->alike &= topology->channels == setup->fabric->channels;
	}
	topology_free(topology);
	return error->status ? -1 : 0;
}

/* ---- parts */

/* Returns the switch to which a host is attached, its first; NONE: there is none, or (alone) there are others too. */
static uint32_t first_switch(const struct fabric *fabric, uint32_t host_node, bool alone)
{
	uint32_t first = NONE;
	for (uint32_t c = fabric->first_channel[host_node]; c < fabric->first_channel[host_node + 1]; c++) {
		uint32_t head = fabric->head[c];
		bool is_switch = fabric->node_host[head] == NONE;
		if (first == NONE && is_switch)
			first = head;
		if (alone && head != first)
			return NONE;
	}
	return first;
}

/* Sets of_node to a number below nodes, equal for all nodes of a part. */
static void number_nodes(struct parts *parts, const struct fabric *fabric, const struct grouping *grouping, enum parts_of of)
{
	for (uint32_t v = 0, switches = 0; v < fabric->nodes; v++) {
		uint32_t host = fabric->node_host[v], part = v;
		if (host != NONE && grouping->hosts) {
			part = host / grouping->hosts;
		} else if (host != NONE) {
			uint32_t first = first_switch(fabric, v, of == PARTS_OF_SWITCHES);
			part = first == NONE ? v : first;
		} else if (grouping->hosts) {
			part = switches < grouping->grouped ? switches / grouping->switches : NONE;
			switches++;
		}
		parts->of_node[v] = part;
	}
}

/* Gives parts their final numbers, in the order of the previous ones: those with ranks, and groups without. number: [nodes] */
static void number_parts(struct parts *parts, const struct traffic_setup *setup, enum parts_of of, uint32_t *number)
{
	const struct fabric *fabric = setup->fabric;
	for (uint32_t h = 0; h < fabric->hosts && of == PARTS_OF_GROUPS; h++)
		number[parts->of_node[fabric->host_node[h]]] = 1;
	for (uint32_t i = 0; i < setup->ranks; i++)
		number[parts->of_node[fabric->host_node[setup->host[i]]]] = 1;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		number[v] = number[v] ? parts->count++ : NONE;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (parts->of_node[v] != NONE)
			parts->of_node[v] = number[parts->of_node[v]];
}

/* Sorts ranks by their parts. Returns 0, or -1. */
static int sort_ranks(struct parts *parts, const struct traffic_setup *setup, struct error *error)
{
	parts->first = array_create((size_t)parts->count + 2, sizeof *parts->first, error);
	parts->on_switch = array_create(parts->count, sizeof *parts->on_switch, error);
	if (!parts->first || !parts->on_switch)
		return -1;
	for (uint32_t i = 0; i < setup->ranks; i++) {
		parts->of_rank[i] = parts->of_node[setup->fabric->host_node[setup->host[i]]];
		parts->first[parts->of_rank[i] + 2]++;
	}
	parts->each = parts->first[2];
	for (uint32_t i = 0; i < parts->count; i++) {
		parts->each = parts->first[i + 2] == parts->each ? parts->each : 0;
		parts->first[i + 2] += parts->first[i + 1];
	}
	for (uint32_t i = 0; i < setup->ranks; i++) {
		uint32_t place = parts->place[i] = parts->first[parts->of_rank[i] + 1]++;
		parts->rank[place] = i;
	}
	return 0;
}

int parts_init(struct parts *parts, const struct traffic_setup *setup, enum parts_of of, struct error *error)
{
	const struct fabric *fabric = setup->fabric;
	struct grouping grouping = {0};
	*parts = (struct parts){
		.of_node = array_create(fabric->nodes, sizeof *parts->of_node, error),
		.of_rank = array_create(setup->ranks, sizeof *parts->of_rank, error),
		.rank = array_create(setup->ranks, sizeof *parts->rank, error),
		.place = array_create(setup->ranks, sizeof *parts->place, error),
	};
	uint32_t *number = array_create(fabric->nodes, sizeof *number, error);
	if (!error->status && !read_topology(parts, &grouping, setup, of, error)) {
		number_nodes(parts, fabric, &grouping, of);
		number_parts(parts, setup, of, number);
		sort_ranks(parts, setup, error);
	}
	for (uint32_t v = 0; v < fabric->nodes && of == PARTS_OF_SWITCHES && !error->status; v++)
		if (fabric->node_host[v] == NONE && parts->of_node[v] != NONE)
			parts->on_switch[parts->of_node[v]] = true;
	uint64_t nodes = 1;
	for (uint32_t i = 0; i < parts->axes; i++)
		nodes *= parts->width[i];
	if (nodes != parts->count || !parts->each)
		parts->axes = 0;
	parts->alike &= parts->axes > 0;
	free(number);
	return error->status ? -1 : 0;
}

void parts_clear(struct parts *parts)
{
	free(parts->of_node);
	free(parts->of_rank);
	free(parts->first);
	free(parts->on_switch);
	free(parts->rank);
	free(parts->place);
	*parts = (struct parts){0};
}

uint32_t parts_shift(const struct parts *parts, uint32_t part, uint32_t by)
{
	uint32_t stride = 1, shifted = 0;
	for (uint32_t i = 0; i < parts->axes; i++) {
		uint32_t width = parts->width[i], c = part % width + by % width;
		shifted += (c < width ? c : c - width) * stride;
		part /= width;
		by /= width;
		stride *= width;
	}
	return shifted;
}
