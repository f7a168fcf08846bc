#include "engines/packet/routing/minimal.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>
#include <string.h>

/* Finds the switches of hosts by their only channel. */
static void find_switches(struct minimal *m)
{
	const struct fabric *f = m->fabric;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h];
		m->at[h] = m->function->topology->switches ? f->head[f->first_channel[v]] : v;
	}
}

/* Finds the groups of switches, and of hosts by their switches. */
static int find_groups(struct minimal *m, const struct topology_structure *structure, struct error *error)
{
	const struct fabric *f = m->fabric;
	uint32_t switches = 0;
	m->group = array_create(f->nodes, sizeof *m->group, error);
	for (uint32_t v = 0; m->group && v < f->nodes; v++)
		if (f->node_host[v] == NONE)
			m->group[v] = switches++ / structure->switches;
	for (uint32_t h = 0; m->group && h < f->hosts; h++)
		m->group[f->host_node[h]] = m->group[m->at[h]];
	return m->group ? 0 : -1;
}

/* Uses the topology's own arithmetic for minimal paths, if it has one of the forms. Returns whether it does. */
static bool find_computed(struct minimal *m, const struct packet_router_setup *setup, struct error *error)
{
	struct topology_structure structure;
	m->function = packet_computed(setup, STRUCTURE_GROUPS, &m->own, error);
	if (!m->function && !error->status)
		m->function = packet_computed(setup, STRUCTURE_FULL, &m->own, error);
	if (!m->function)
		return false;
	topology_structure(m->function->topology, &structure);
	find_switches(m);
	m->rule = structure.form == STRUCTURE_GROUPS ? MINIMAL_GROUPS : MINIMAL_DIMENSIONS;
	m->alike = structure.between <= 1;
	m->classes = m->rule == MINIMAL_GROUPS ? 2 : 1;
	return m->rule == MINIMAL_DIMENSIONS || !find_groups(m, &structure, error);
}

/* Uses dimension order on a mesh or a torus, if it suffices. Returns whether the topology is one. */
static bool find_grid(struct minimal *m, const struct packet_router_setup *setup, bool zero_load, struct error *error)
{
	if (!grid_is(setup->topology) || grid_init(&m->grid, setup, error) || (zero_load && m->grid.block_switches > 1))
		return false;
	m->rule = MINIMAL_GRID;
	memcpy(m->at, m->grid.at, m->fabric->hosts * sizeof *m->at);
	m->classes = m->grid.classes;
	m->alike = !m->grid.parallel;
	return true;
}

/* Uses the shortest paths of any fabric. */
static void find_distances(struct minimal *m, const struct packet_router_setup *setup, struct error *error)
{
	bool several = false; /* hosts that do not forward have several channels */
	m->rule = MINIMAL_HOPS;
	if (distances_init(&m->distances, setup, DISTANCES_SHORTEST, error))
		return;
	for (uint32_t h = 0; h < m->fabric->hosts; h++) {
		m->at[h] = m->distances.root[m->distances.target[h]];
		several |= m->distances.column[m->at[h]] == NONE;
	}
	m->classes = m->distances.longest > 1 ? m->distances.longest + several : 1;
}

/* Finds one host of each switch that forwards. */
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

int minimal_init(struct minimal *m, const struct packet_router_setup *setup, bool zero_load, struct error *error)
{
	*m = (struct minimal){.fabric = setup->fabric, .classes = 1, .at = array_create(setup->fabric->hosts, sizeof *m->at, error)};
	if (!m->at)
		return -1;
	if (!find_computed(m, setup, error) && !error->status && !find_grid(m, setup, zero_load, error) && !error->status)
		find_distances(m, setup, error);
	return error->status || find_targets(m, error) ? -1 : 0;
}

void minimal_clear(struct minimal *m)
{
	routing_function_free(m->own);
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
		return routing_function_next(m->function, node, host);
	uint32_t channel[PACKET_CANDIDATES_MAX], count = distances_nearer(&m->distances, m->distances.target[host], node, channel);
	uint32_t mixed = host * UINT32_C(2654435769); /* pseudo-random, and the same for all packets to the host */
	return count ? channel[(uint64_t)mixed * count >> 32] : NONE;
}

uint32_t minimal_last(const struct minimal *m, uint32_t node, uint32_t host)
{
	if (m->rule == MINIMAL_GRID)
		return m->grid.last[host];
	if (m->rule == MINIMAL_HOPS)
		return m->distances.last[host];
	return routing_function_next(m->function, node, host);
}
