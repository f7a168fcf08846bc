/*
 * DCell and FiConn: cells of n hosts with one switch, joined host to host, level by level; hosts forward. A network of level l consists of
 * g_l copies of one of level l-1, every two of them joined by one cable.
 *
 * DCell (Guo, Wu, Tan, Shi, Zhang, Lu: DCell, SIGCOMM 2008): t_l hosts, g_l = t_(l-1) + 1; copies i < j are joined by host j-1 of i and
 * host i of j. FiConn (Li, Guo, Wu, Tan, Zhang, Lu: FiConn, INFOCOM 2009): g_l = t_(l-1) / 2^l + 1; by host (j-1) 2^l + 2^(l-1) - 1 of i
 * and host i 2^l + 2^(l-1) - 1 of j, so that a host has at most two ports.
 *
 * Hosts are numbered cell by cell, copy by copy. Ports of hosts: the switch, then by level.
 *
 * Routes (DCellRouting there, the traffic-oblivious routing here): to another copy, over the one cable that joins the two, and recursively
 * to its ends; within a cell, over its switch.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"

#include <inttypes.h>

enum { LEVELS_MAX = 20 };

struct dcell_cells {
	uint32_t n, k;
	bool ficonn;
	uint32_t hosts[LEVELS_MAX + 1]; /* hosts of a network of each level */
};

/* Joins the copies in each network of a level: host (j-1) step + first of copy i with host i step + first of copy j. */
static void join_copies(
	struct topology *topology, uint64_t hosts, uint64_t below, uint64_t copies, uint64_t step, uint64_t first, uint8_t level)
{
	for (uint64_t base = 0; base < hosts; base += below * copies)
		for (uint64_t i = 0; i < copies; i++)
			for (uint64_t j = i + 1; j < copies; j++) {
				uint64_t a = base + i * below + (j - 1) * step + first, b = base + j * below + i * step + first;
				cabling_add_cable(topology, (struct cable){(uint32_t)a, (uint32_t)b, false, level});
			}
}

static int make_cells(struct topology *topology, bool ficonn, struct error *error)
{
	uint64_t n = (uint64_t)topology->args.value[0].integer, k = (uint64_t)topology->args.value[1].integer;
	uint64_t hosts = n, copies[LEVELS_MAX + 1], cables = 0;
	struct dcell_cells *cells = topology->data = array_create(1, sizeof *cells, error);
	if (!cells)
		return -1;
	*cells = (struct dcell_cells){(uint32_t)n, (uint32_t)k, ficonn, {(uint32_t)n}};
	for (uint64_t l = 1; l <= k; l++) {
		uint64_t share = ficonn ? UINT64_C(1) << l : 1;
		if (hosts % share)
			return error_set(error, STATUS_USAGE, "the %" PRIu64 " hosts of level %" PRIu64 " cannot be divided by %" PRIu64,
				hosts, l - 1, share);
		copies[l] = hosts / share + 1;
		hosts = times(hosts, copies[l]);
		if (hosts > CABLING_CHANNELS_MAX)
			break;
		cells->hosts[l] = (uint32_t)hosts;
		/* each copy has a cable to each other */
		cables = cables * copies[l] + copies[l] * (copies[l] - 1) / 2;
	}
	if (cabling_start(topology, hosts, hosts / n, hosts > CABLING_CHANNELS_MAX ? UINT64_MAX : hosts + cables, error))
		return -1;
	for (uint64_t host = 0; host < hosts; host++)
		cabling_add(topology, (uint32_t)host, cabling_switch(topology, (uint32_t)(host / n)));
	for (uint64_t l = 1, below = n; l <= k; below *= copies[l++]) {
		uint64_t step = ficonn ? UINT64_C(1) << l : 1;
		join_copies(topology, hosts, below, copies[l], step, ficonn ? step / 2 - 1 : 0, (uint8_t)l);
	}
	return cabling_finish(topology, error);
}

static int dcell_setup(struct topology *topology, struct error *error)
{
	return make_cells(topology, false, error);
}

static int ficonn_setup(struct topology *topology, struct error *error)
{
	return make_cells(topology, true, error);
}

/* Returns the host of a network of a level, given by one of its hosts, from which a cable leads to the network of another host. */
static uint32_t end_towards(const struct dcell_cells *t, uint32_t level, uint32_t host, uint32_t other)
{
	uint32_t below = t->hosts[level - 1], all = t->hosts[level], step = t->ficonn ? 1U << level : 1;
	uint32_t i = host % all / below, j = other % all / below;
	return host - host % below + (j - (i < j)) * step + (t->ficonn ? step / 2 - 1 : 0);
}

static uint32_t cell_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct dcell_cells *t = topology->data;
	uint32_t here = host ? node : node * t->n, target = destination, port = 0;
	for (uint32_t level = t->k; level; level--) {
		if (here / t->hosts[level - 1] == target / t->hosts[level - 1])
			continue;
		target = end_towards(t, level, here, target);
		port = t->ficonn ? 1 : level;
	}
	return !host ? target % t->n : node == target ? port : 0;
}

static uint32_t cell_longest(const struct topology *topology)
{
	const struct dcell_cells *t = topology->data;
	return (3U << t->k) - 1;
}

/* Writes the name: switches by their cell, hosts also by their number in it. */
static void cell_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	uint32_t n = (uint32_t)topology->args.value[0].integer;
	if (host)
		put_number(put_number(text, 'H', node / n), '_', node % n);
	else
		put_number(text, 'S', node);
}

/*
 * Returns the position: the hosts of a cell around its switch, the copies of each level in a ring; on the outside of a cell is the gap in
 * the order of the copies to which its hosts lead.
 */
static struct topology_place cell_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct dcell_cells *t = topology->data;
	struct topology_place at = {0, 0};
	double cell = fmax(1, place_radius(t->n, .8)), reach[LEVELS_MAX + 1] = {cell}, turn = 0;
	uint32_t number = host ? node : node * t->n, copy = 0;
	for (uint32_t l = 1; l <= t->k; l++)
		reach[l] = reach[l - 1] + place_ring(t->hosts[l] / t->hosts[l - 1], reach[l - 1]);
	for (uint32_t l = t->k; l; l--) {
		copy = number % t->hosts[l] / t->hosts[l - 1];
		turn += (double)copy / (t->hosts[l] / t->hosts[l - 1]);
		at = place_on_circle(at, reach[l] - reach[l - 1], turn, 1);
	}
	return host ? place_on_circle(at, cell, turn + ((number % t->n + t->n - copy % t->n) % t->n + .5) / t->n, 1) : at;
}

static const struct arg cell_args[] = {
	{"n", ARG_INTEGER, NULL, 2, UINT32_MAX, "hosts of a cell"},
	{"k", ARG_INTEGER, NULL, 0, LEVELS_MAX, "level"},
	{.type = ARG_END},
};

const struct topology_kind topology_dcell = {
	.name = "dcell",
	.summary = "cells of hosts with a switch, joined recursively, each host to one more on every level; hosts forward",
	.source = "Guo et al. 2008",
	.formulae =
		"t_0 = n and t_l = t_(l-1) (t_(l-1) + 1): t_k hosts, t_k/n switches; t_k cables to switches and k t_k/2 between hosts; at "
		"most 3 2^k - 1 of all",
	.args = cell_args,
	.hosts_forward = true,
	.setup = dcell_setup,
	.routing = "own",
	.next = cell_next,
	.route = cabling_route,
	.longest = cell_longest,
	.place = cell_place,
	.node_name = cell_name,
	CABLED,
};

const struct topology_kind topology_ficonn = {
	.name = "ficonn",
	.summary = "cells of hosts with a switch, joined recursively by a second port of the hosts; hosts forward",
	.source = "Li et al. 2009",
	.formulae = "t_0 = n and t_l = t_(l-1) (t_(l-1)/2^l + 1): t_k hosts, t_k/n switches; t_k cables to switches and t_k/2 (1 - 2^-k) "
		    "between hosts; at most 3 2^k - 1 of all",
	.args = cell_args,
	.hosts_forward = true,
	.setup = ficonn_setup,
	.routing = "own",
	.next = cell_next,
	.route = cabling_route,
	.longest = cell_longest,
	.place = cell_place,
	.node_name = cell_name,
	CABLED,
};
