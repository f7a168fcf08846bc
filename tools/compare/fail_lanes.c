#include "tools/compare/fail_lanes.h"

#include "base/memory.h"
#include "fabric/dependencies.h"
#include "fabric/subset.h"

#include <stdlib.h>
#include <string.h>

/* The part of the fabric that is left. */
struct left {
	const struct fail_state *state;
	const struct fail_lanes *given;
	struct fabric *fabric;
	bool *node, *channel; /* of the whole fabric: left */
	uint32_t *node_new, *channel_new, *channel_old, *host_old;
	struct forwarding *tables;
	struct virtual_lanes *made; /* NULL: none, or own */
	struct virtual_lanes own;
	uint32_t *ports;
	uint32_t filled;   /* column of the last row of levels */
	uint8_t *last_row; /* [hosts] */
};

static int take_fabric(struct left *l, struct error *error)
{
	const struct fabric *f = l->state->fabric;
	l->node = array_create(f->nodes, sizeof *l->node, error);
	l->channel = array_create(f->channels, sizeof *l->channel, error);
	l->node_new = array_create(f->nodes, sizeof *l->node_new, error);
	l->channel_new = array_create(f->channels, sizeof *l->channel_new, error);
	l->channel_old = array_create(f->channels, sizeof *l->channel_old, error);
	l->host_old = array_create(f->hosts, sizeof *l->host_old, error);
	if (error->status)
		return -1;
	for (uint32_t v = 0; v < f->nodes; v++)
		l->node[v] = !l->state->failed.node[v];
	for (uint32_t c = 0; c < f->channels; c++)
		l->channel[c] = !l->state->failed.channel[c];
	if (!(l->fabric = fabric_part(f, l->node, l->channel, l->node_new, l->channel_old, l->host_old, error)))
		return -1;
	memset(l->channel_new, 0xff, f->channels * sizeof *l->channel_new);
	for (uint32_t c = 0; c < l->fabric->channels; c++)
		l->channel_new[l->channel_old[c]] = c;
	return 0;
}

static int take_tables(struct left *l, struct error *error)
{
	const struct routing_graph *g = l->state->graph;
	uint32_t *column = array_create(l->fabric->nodes, sizeof *column, error);
	uint32_t *old = array_create(g->columns, sizeof *old, error), columns = 0;
	for (uint32_t v = 0; v < g->fabric->nodes && !error->status; v++) {
		if (l->node_new[v] == NONE)
			continue;
		column[l->node_new[v]] = g->column[v] == NONE ? NONE : columns;
		if (g->column[v] != NONE)
			old[columns++] = g->column[v];
	}
	uint32_t *next = error->status ? NULL : array_create((size_t)l->fabric->hosts * columns, sizeof *next, error);
	for (uint32_t h = 0; h < l->fabric->hosts && next; h++)
		for (uint32_t k = 0; k < columns; k++) {
			uint32_t c = l->state->now[(size_t)l->host_old[h] * g->columns + old[k]];
			next[(size_t)h * columns + k] = c == NONE ? NONE : l->channel_new[c];
		}
	l->tables = next ? forwarding_of_tables(l->fabric, next, column, columns, error) : NULL;
	free(column);
	free(old);
	return l->tables ? 0 : -1;
}

/* Fills the service levels of a host; those of hosts at one switch are alike. */
static void fill_levels(void *data, uint32_t host, uint8_t *row)
{
	struct left *l = data;
	const struct fail_state *s = l->state;
	uint32_t start = s->start[l->host_old[host]];
	const struct service_levels *own = l->given->own ? l->given->own->levels : NULL;
	if (!own && start == NONE)
		return;
	for (uint32_t d = 0; d < l->fabric->hosts && own; d++)
		row[d] = (uint8_t)service_levels_get(own, l->host_old[host], l->host_old[d]);
	if (own)
		return;
	for (uint32_t d = 0; d < l->fabric->hosts && start != l->filled; d++)
		l->last_row[d] = l->given->level[(size_t)l->host_old[d] * s->graph->columns + start];
	l->filled = start;
	memcpy(row, l->last_row, l->fabric->hosts);
}

/* Takes over the tables of lanes that the fabric has. */
static int take_own(struct left *l, struct service_levels *levels, struct error *error)
{
	const struct virtual_lanes *own = l->given->own;
	l->own = *own;
	l->own.levels = levels;
	l->own.table_of = array_create(l->fabric->channels, sizeof *l->own.table_of, error);
	l->ports = array_create(l->fabric->channels, sizeof *l->ports, error);
	l->own.in_port = l->ports;
	for (uint32_t c = 0; c < l->fabric->channels && !error->status; c++) {
		l->own.table_of[c] = own->table_of[l->channel_old[c]];
		l->ports[c] = own->in_port[l->channel_old[c]];
	}
	return error->status ? -1 : 0;
}

/* Makes the lanes of what is left. Returns them; NULL: one, or out of memory. */
static const struct virtual_lanes *take_lanes(struct left *l, struct error *error)
{
	const struct fail_lanes *g = l->given;
	struct service_levels *levels = NULL;
	l->filled = NONE;
	if (!(l->last_row = array_create(l->fabric->hosts, 1, error)))
		return NULL;
	if ((g->level || (g->own && g->own->levels)) && service_levels_make(&levels, l->fabric, fill_levels, l, error))
		return NULL;
	if (g->own)
		return take_own(l, levels, error) ? NULL : &l->own;
	uint8_t *bit = g->bit ? array_create(l->fabric->channels, 1, error) : NULL;
	for (uint32_t c = 0; c < l->fabric->channels && bit; c++)
		bit[c] = routing_is_switch(l->state->graph, l->state->graph->tail[l->channel_old[c]]) ? g->bit[l->channel_old[c]]
												      : LANE_BIT_NONE;
	if (!error->status && (bit || levels))
		virtual_lanes_make(&l->made, l->fabric, bit, levels, error);
	free(bit);
	return l->made;
}

static int find(struct left *l, bool *cyclic, struct error *error)
{
	struct destination_trees trees;
	struct dependencies waits = {0};
	const struct virtual_lanes *lanes = take_lanes(l, error);
	bool *passed = array_create(l->fabric->hosts, sizeof *passed, error);
	if (!destination_trees_init(&trees, l->fabric, l->tables, error) && !error->status &&
		!dependencies_init(&waits, &trees, lanes, lanes && lanes->levels ? LEVEL_TOLD : 0, passed, error)) {
		for (uint32_t h = 0; h < l->fabric->hosts; h++) {
			destination_trees_make(&trees, h);
			dependencies_add(&waits);
		}
		dependencies_cyclic(&waits, cyclic, error);
	}
	dependencies_clear(&waits);
	destination_trees_clear(&trees);
	free(passed);
	return error->status ? -1 : 0;
}

int fail_lanes_judge(const struct fail_state *state, const struct fail_lanes *lanes, enum deadlock *deadlock, struct error *error)
{
	struct left l = {.state = state, .given = lanes};
	bool cyclic = false;
	*deadlock = DEADLOCK_UNKNOWN;
	if (lanes->own && lanes->own->unknown)
		return 0;
	if (!take_fabric(&l, error) && !take_tables(&l, error) && !find(&l, &cyclic, error))
		*deadlock = cyclic ? DEADLOCK_POSSIBLE : DEADLOCK_NONE;
	forwarding_free(l.tables);
	virtual_lanes_free(l.made);
	if (lanes->own) {
		service_levels_free(l.own.levels);
		free(l.own.table_of);
		free(l.ports);
	}
	fabric_free(l.fabric);
	free(l.node);
	free(l.channel);
	free(l.node_new);
	free(l.channel_new);
	free(l.channel_old);
	free(l.host_old);
	free(l.last_row);
	return error->status ? -1 : 0;
}
