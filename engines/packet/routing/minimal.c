#include "engines/packet/routing/minimal.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

/* The topology's own arithmetic, if it is of that kind. Returns 1, 0 if it is not, or -1. */
static int find_computed(
	struct minimal *m, const struct packet_router_setup *setup, const char *const *kinds, const char *routing, struct error *error)
{
	const struct topology_kind *kind = setup->topology ? topology_find(setup->topology) : NULL;
	bool is = false;
	for (; kind && *kinds; kinds++)
		is |= !strcmp(kind->name, *kinds);
	if (!is)
		return 0;
	m->computed = setup->forwarding ? setup->forwarding->computed : NULL;
	if (!m->computed)
		m->computed = m->own = computed_create(setup->fabric, setup->topology, routing, error);
	return m->computed ? 1 : -1;
}

/* Finds the switches of hosts by their only channel. */
static void find_switches(struct minimal *m)
{
	const struct fabric *f = m->fabric;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h];
		m->at[h] = m->computed->topology->switches ? f->head[f->first_channel[v]] : v;
	}
}

static int find_groups(struct minimal *m, struct error *error)
{
	const struct fabric *f = m->fabric;
	uint32_t a = (uint32_t)m->computed->topology->args.value[1].integer, switches = 0;
	m->group = array_create(f->nodes, sizeof *m->group, error);
	for (uint32_t v = 0; m->group && v < f->nodes; v++)
		if (f->node_host[v] == NONE)
			m->group[v] = switches++ / a;
	for (uint32_t h = 0; m->group && h < f->hosts; h++)
		m->group[f->host_node[h]] = m->group[m->at[h]];
	return m->group ? 0 : -1;
}

/* Whether it is a mesh or a torus on which dimension order will do. */
static bool find_grid(struct minimal *m, const struct packet_router_setup *setup, bool alone, struct error *error)
{
	if (!grid_is(setup->topology) || grid_init(&m->grid, setup, error))
		return false;
	return !alone || m->grid.block_switches == 1;
}

/* One host of each switch that forwards. */
static int find_targets(struct minimal *m, struct error *error)
{
	bool *seen = array_create(m->fabric->nodes, sizeof *seen, error);
	m->some = array_create(m->fabric->hosts, sizeof *m->some, error);
	for (uint32_t h = 0; !error->status && h < m->fabric->hosts; h++)
		if (!seen[m->at[h]] && (m->rule != MINIMAL_HOPS || m->distances.column[m->at[h]] != NONE)) {
			seen[m->at[h]] = true;
			m->some[m->targets++] = h;
		}
	free(seen);
	return error->status ? -1 : 0;
}

int minimal_init(struct minimal *m, const struct packet_router_setup *setup, bool alone, struct error *error)
{
	static const char *const flies[] = {"dragonfly", NULL}, *const full[] = {"hyperx", "fullmesh", "hypercube", NULL};
	const struct fabric *f = setup->fabric;
	*m = (struct minimal){.fabric = f, .classes = 1, .at = array_create(f->hosts, sizeof *m->at, error)};
	if (!m->at)
		return -1;
	int found = find_computed(m, setup, flies, "min", error);
	m->rule = found ? MINIMAL_DRAGONFLY : MINIMAL_DIMENSIONS;
	if (!found)
		found = find_computed(m, setup, full, "dor", error);
	if (found < 0)
		return -1;
	if (found) {
		find_switches(m);
		m->alike = true;
		if (m->rule == MINIMAL_DRAGONFLY) {
			const struct arg_value *value = m->computed->topology->args.value;
			m->alike = !value[3].integer ||
				   value[3].integer == value[1].integer * value[2].integer + 1; /* one cable between groups */
			m->classes = 2;
			find_groups(m, error);
		}
	} else if (find_grid(m, setup, alone, error)) {
		m->rule = MINIMAL_GRID;
		memcpy(m->at, m->grid.at, f->hosts * sizeof *m->at);
		m->classes = m->grid.classes;
		m->alike = !m->grid.parallel;
	} else if (!error->status) {
		m->rule = MINIMAL_HOPS;
		if (!distances_init(&m->distances, setup, DISTANCES_SHORTEST, error)) {
			bool several = false; /* hosts that do not forward have several channels */
			for (uint32_t h = 0; h < f->hosts; h++) {
				m->at[h] = m->distances.root[m->distances.target[h]];
				several |= m->distances.column[m->at[h]] == NONE;
			}
			m->classes = m->distances.longest > 1 ? m->distances.longest + several : 1;
		}
	}
	return error->status || find_targets(m, error) ? -1 : 0;
}

void minimal_clear(struct minimal *m)
{
	computed_free(m->own);
	distances_clear(&m->distances);
	grid_clear(&m->grid);
	free(m->group);
	free(m->at);
	free(m->some);
}

uint32_t minimal_next(const struct minimal *m, uint32_t node, uint32_t host, uint32_t came, unsigned *class)
{
	*class = 0;
	if (m->rule == MINIMAL_GRID) {
		struct grid_step step = grid_next(&m->grid, node, host, came == NONE ? GRID_HOST : m->grid.direction[came]);
		*class = step.class;
		return step.channel;
	}
	if (m->rule != MINIMAL_HOPS)
		return computed_next(m->computed, node, host);
	uint32_t channel[PACKET_WAYS_MAX], count = distances_nearer(&m->distances, m->distances.target[host], node, channel);
	uint32_t mixed = host * UINT32_C(2654435769); /* as good as by chance, and the same for all packets to the host */
	return count ? channel[(uint64_t)mixed * count >> 32] : NONE;
}

uint32_t minimal_last(const struct minimal *m, uint32_t node, uint32_t host)
{
	if (m->rule == MINIMAL_GRID)
		return m->grid.last[host];
	if (m->rule == MINIMAL_HOPS)
		return m->distances.last[host];
	return computed_next(m->computed, node, host);
}
