#include "engines/packet/routing/grid.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

bool grid_is(const char *topology)
{
	return topology && topology_form(topology) == STRUCTURE_GRID;
}

/* Sets widths, and whether they wrap. Returns 0, or -1 if one is too wide. */
static int measure(struct grid *g, const struct topology_structure *structure, struct error *error)
{
	g->dimensions = structure->dimensions;
	for (unsigned i = 0; i < g->dimensions; i++) {
		const struct structure_dimension *stated = &structure->dimension[i];
		struct grid_dimension *d = &g->dimension[i];
		if (stated->width > UINT16_MAX)
			return error_set(error, STATUS_FABRIC, "a dimension is wider than %d", UINT16_MAX);
		*d = (struct grid_dimension){stated->width, structure_goes_round(stated), stated->one_way, false};
		d->circle = d->wraps && d->width > (d->one_way ? 2 : 3);
		g->circles |= d->circle;
	}
	g->block_switches = structure->switches ? structure->switches : 1;
	g->classes = g->circles || g->block_switches > 1 ? 2 : 1;
	return 0;
}

/* Reads the structure of a specification. Returns 0, or -1 with the reason. */
static int read_spec(struct grid *g, const char *spec, struct topology_structure *structure, struct error *error)
{
	struct topology *topology = topology_create(spec, error);
	if (!topology)
		return -1;
	topology_structure(topology, structure);
	topology_free(topology);
	if (structure->form != STRUCTURE_GRID || (structure->nested && !structure->switches))
		return error_set(error, STATUS_FABRIC, "its blocks are no switches on a grid without others");
	return measure(g, structure, error);
}

/* Computes blocks, members and coordinates of nodes, from their order. */
static int place_nodes(struct grid *g, const struct topology_structure *structure, struct error *error)
{
	const struct fabric *f = g->fabric;
	uint32_t switches = 0;
	if (f->hosts != (uint64_t)structure->blocks * structure->hosts ||
		f->nodes - f->hosts != (uint64_t)structure->blocks * structure->switches)
		return error_set(error, STATUS_FABRIC, "it has %u hosts and %u switches", f->hosts, f->nodes - f->hosts);
	for (uint32_t v = 0; v < f->nodes; v++) {
		bool forwards = f->node_host[v] == NONE || !structure->switches;
		uint32_t number = f->node_host[v] == NONE ? switches++ : f->node_host[v];
		g->block[v] = number / (f->node_host[v] == NONE ? structure->switches : structure->hosts);
		g->member[v] = forwards ? number % g->block_switches : NONE;
		if (forwards)
			g->switch_at[number] = v;
	}
	for (uint32_t b = 0; b < structure->blocks; b++)
		for (uint32_t i = 0, rest = b; i < g->dimensions; rest /= g->dimension[i++].width)
			g->coordinate[(size_t)b * g->dimensions + i] = (uint16_t)(rest % g->dimension[i].width);
	return 0;
}

/* Returns the direction between two blocks; NONE: they are not neighbours. */
static uint32_t direction_of(const struct grid *g, uint32_t tail, uint32_t head)
{
	const uint16_t *a = grid_at(g, tail), *b = grid_at(g, head);
	uint32_t found = NONE;
	for (unsigned i = 0; i < g->dimensions; i++) {
		const struct grid_dimension *d = &g->dimension[i];
		uint32_t ahead = b[i] + (b[i] < a[i] ? d->width : 0) - a[i];
		if (!ahead)
			continue;
		bool up = ahead == 1 && (d->wraps || b[i] > a[i]), down = ahead == d->width - 1 && !d->one_way && (d->wraps || b[i] < a[i]);
		if (found != NONE || (!up && !down))
			return NONE;
		found = 2 * i + up;
	}
	return found;
}

/* Computes the directions of the channels. Returns 0, or -1 if one does not lead to a neighbour. */
static int place_channels(struct grid *g, struct error *error)
{
	const struct fabric *f = g->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t head = f->head[c];
			bool hosts = g->member[v] == NONE || g->member[head] == NONE;
			uint32_t direction = hosts ? GRID_HOST : GRID_INSIDE;
			if (g->block[v] != g->block[head]) {
				direction = hosts ? NONE : direction_of(g, v, head);
				if (direction == NONE)
					return error_set(error, STATUS_FABRIC, "a channel leads from %s to %s",
						f->labels ? f->labels->name[v] : "one switch",
						f->labels ? f->labels->name[head] : "another");
				g->first[g->block[v] * 2 * g->dimensions + direction + 2]++;
			} else if (!hosts && g->inside) {
				g->inside[(size_t)(g->block[v] * g->block_switches + g->member[v]) * g->block_switches + g->member[head]] =
					c;
			} else if (g->member[v] == NONE) {
				g->at[f->node_host[v]] = head;
			} else if (g->member[head] == NONE) {
				g->last[f->node_host[head]] = c;
			}
			g->direction[c] = (uint8_t)direction;
		}
	return 0;
}

/* Lists the channels that leave each block in each direction. Returns 0, or -1 if one is missing. */
static int list_exits(struct grid *g, uint32_t blocks, struct error *error)
{
	const struct fabric *f = g->fabric;
	uint32_t lists = blocks * 2 * g->dimensions;
	for (uint32_t i = 0; i < lists; i++)
		g->first[i + 2] += g->first[i + 1];
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (g->direction[c] < GRID_INSIDE) {
				uint32_t place = g->first[g->block[v] * 2 * g->dimensions + g->direction[c] + 1]++;
				g->channel[place] = c;
				g->tail[place] = v;
			}
	for (uint32_t i = 0; i < lists; i++) {
		unsigned direction = i % (2 * g->dimensions);
		g->parallel |= g->first[i + 1] - g->first[i] > 1;
		const struct grid_dimension *d = &g->dimension[direction / 2];
		uint32_t c = g->coordinate[(size_t)(i / (2 * g->dimensions)) * g->dimensions + direction / 2];
		bool there = direction % 2 ? d->wraps || c + 1 < d->width : (d->wraps || c > 0) && !d->one_way;
		if (there && g->first[i] == g->first[i + 1])
			return error_set(error, STATUS_FABRIC, "a cable is missing in dimension %u", direction / 2 + 1);
	}
	return 0;
}

/* Checks that every host is attached to one switch, and that the switches of each block are all joined. */
static int check_blocks(const struct grid *g, const struct topology_structure *structure, struct error *error)
{
	const struct fabric *f = g->fabric;
	for (uint32_t h = 0; h < f->hosts && structure->switches; h++)
		if (g->at[h] == NONE || g->last[h] == NONE ||
			f->first_channel[f->host_node[h] + 1] - f->first_channel[f->host_node[h]] != 1)
			return error_set(error, STATUS_FABRIC, "a host has not one cable to one switch");
	size_t pairs = (size_t)structure->blocks * g->block_switches * g->block_switches;
	for (size_t i = 0; g->inside && i < pairs; i++)
		if (g->inside[i] == NONE && i / g->block_switches % g->block_switches != i % g->block_switches)
			return error_set(error, STATUS_USAGE, "has blocks whose switches are not all joined by cables");
	return 0;
}

static int place(struct grid *g, const char *spec, struct error *error)
{
	const struct fabric *f = g->fabric;
	struct topology_structure structure;
	if (read_spec(g, spec, &structure, error))
		return -1;
	size_t lists = (size_t)structure.blocks * 2 * g->dimensions,
	       inside = (size_t)structure.blocks * g->block_switches * g->block_switches;
	g->coordinate = array_create((size_t)structure.blocks * g->dimensions, sizeof *g->coordinate, error);
	g->first = array_create(lists + 2, sizeof *g->first, error);
	g->switch_at = array_create((size_t)structure.blocks * g->block_switches, sizeof *g->switch_at, error);
	if (g->block_switches > 1 && (g->inside = array_create(inside, sizeof *g->inside, error)))
		memset(g->inside, 0xff, inside * sizeof *g->inside); /* NONE */
	if (error->status || place_nodes(g, &structure, error))
		return -1;
	memset(g->last, 0xff, f->hosts * sizeof *g->last); /* NONE */
	for (uint32_t h = 0; h < f->hosts; h++)
		g->at[h] = structure.switches ? NONE : f->host_node[h];
	return place_channels(g, error) || list_exits(g, structure.blocks, error) ? -1 : check_blocks(g, &structure, error);
}

int grid_init(struct grid *grid, const struct packet_router_setup *setup, struct error *error)
{
	const struct fabric *f = setup->fabric;
	const char *source = f->labels ? f->labels->source : "the fabric";
	struct error reason = {0};
	*grid = (struct grid){.fabric = f};
	if (!grid_is(setup->topology))
		return error_at(
			error, STATUS_FABRIC, source, 0, "does not say that it is a mesh, a torus or a ring (the attribute topology)");
	grid->block = array_create(f->nodes, sizeof *grid->block, error);
	grid->member = array_create(f->nodes, sizeof *grid->member, error);
	grid->channel = array_create(f->channels, sizeof *grid->channel, error);
	grid->tail = array_create(f->channels, sizeof *grid->tail, error);
	grid->direction = array_create(f->channels, sizeof *grid->direction, error);
	grid->at = array_create(f->hosts, sizeof *grid->at, error);
	grid->last = array_create(f->hosts, sizeof *grid->last, error);
	if (!error->status && place(grid, setup->topology, &reason) && reason.status == STATUS_USAGE)
		error_at(
			error, STATUS_FABRIC, source, 0, "as '%s' it %s: of packet routings tables suits it", setup->topology, reason.text);
	else if (reason.status)
		error_at(error, reason.status == STATUS_IO ? STATUS_IO : STATUS_FABRIC, source, 0, "is not the topology '%s': %s",
			setup->topology, reason.text);
	return error->status ? -1 : 0;
}

void grid_clear(struct grid *grid)
{
	free(grid->block);
	free(grid->coordinate);
	free(grid->first);
	free(grid->channel);
	free(grid->tail);
	free(grid->member);
	free(grid->inside);
	free(grid->switch_at);
	free(grid->at);
	free(grid->last);
	free(grid->direction);
}

struct grid_step grid_next(const struct grid *g, uint32_t node, uint32_t host, unsigned came)
{
	uint32_t to = g->at[host];
	const uint16_t *a = grid_at(g, node), *b = grid_at(g, to);
	for (unsigned i = 0; i < g->dimensions; i++) {
		const struct grid_dimension *d = &g->dimension[i];
		bool up, tie;
		if (a[i] == b[i])
			continue;
		grid_way(d, a[i], b[i], &up, &tie);
		up = tie ? ties_go_up(a[i]) : up;
		bool crosses = d->circle && grid_crosses(a[i], b[i], up);
		uint32_t exit = grid_exit(g, g->block[node], 2 * i + up, host);
		if (g->tail[exit] != node)
			return (struct grid_step){grid_inside(g, node, g->tail[exit]), grid_inside_class(g, came, 2 * i + up, crosses)};
		return (struct grid_step){g->channel[exit], g->classes > 1 && !crosses};
	}
	return (struct grid_step){grid_inside(g, node, to), g->classes - 1};
}
