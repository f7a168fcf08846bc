/*
 * Destinations come in the order of OpenSM: those on the switches with the most end ports first, then the switches themselves. Each switch
 * counts the destinations of each of its ports, and takes the port with the fewest.
 */
#include "routings/opensm/spread.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>

struct spread {
	struct opensm_task *task;
	const struct opensm_fabric *fabric;
	struct hops hops;
	uint32_t *taken;  /* [links] destinations by that port */
	uint8_t *choice;  /* [links] ports on paths of least hops: those of s from its link + 1 on */
	uint8_t *choices; /* [switches] */
	bool one_neighbour;
};

/* What was taken for the same destination's LIDs before: for several LIDs a port. */
struct earlier {
	unsigned system, node, port; /* how often this system, node, and port of a node */
};

/* The ports on paths of least hops to the switch. */
static void find_choices(struct spread *spread, uint32_t to)
{
	const struct opensm_fabric *fabric = spread->fabric;
	for (uint32_t s = 0; s < fabric->switches; s++) {
		uint32_t link = fabric->sw[s].link, first = OPENSM_NONE;
		unsigned count = 0, least = spread->hops.least[s];
		spread->choices[s] = 0;
		if (s == to || least == HOPS_NONE)
			continue;
		for (uint32_t i = fabric->first_near[s]; i < fabric->first_near[s + 1]; i++) {
			const struct opensm_near *near = &fabric->near[i];
			unsigned hops = spread->hops.shortest ? spread->hops.least[near->to] + 1U : spread->hops.by_port[link + near->port];
			if (hops != least)
				continue;
			if (!spread->one_neighbour || first == OPENSM_NONE || near->to == first)
				spread->choice[link + 1 + count++] = near->port;
			if (first == OPENSM_NONE)
				first = near->to;
		}
		spread->choices[s] = (uint8_t)count;
	}
}

static struct earlier look_back(const struct spread *spread, uint32_t s, unsigned port, uint32_t base, unsigned offset)
{
	const struct opensm_fabric *fabric = spread->fabric;
	const struct opensm_link *link = opensm_port_of(fabric, s, port);
	struct earlier earlier = {0};
	for (unsigned k = 0; k < offset; k++) {
		unsigned before = opensm_entry(spread->task->tables, s, base + k);
		if (before == 0 || before > fabric->sw[s].ports)
			continue;
		const struct opensm_link *other = opensm_port_of(fabric, s, before);
		if (other->to == OPENSM_NONE)
			continue;
		earlier.system += fabric->sw[other->to].system_guid == fabric->sw[link->to].system_guid;
		earlier.node += other->to == link->to;
		earlier.port += before == port;
	}
	return earlier;
}

static unsigned choose_first(const struct spread *spread, uint32_t s)
{
	const uint8_t *choice = &spread->choice[spread->fabric->sw[s].link + 1];
	const uint32_t *taken = &spread->taken[spread->fabric->sw[s].link];
	unsigned best = choice[0];
	for (unsigned i = 1; i < spread->choices[s]; i++)
		if (taken[choice[i]] < taken[best])
			best = choice[i];
	return best;
}

/* dor at further LIDs of a port. Of equal counters a port wins that was taken less often than any that led before it. */
static unsigned choose_rarest(const struct spread *spread, uint32_t s, uint32_t base, unsigned offset)
{
	const uint8_t *choice = &spread->choice[spread->fabric->sw[s].link + 1];
	const uint32_t *taken = &spread->taken[spread->fabric->sw[s].link];
	unsigned best = 0, fewest = UINT_MAX;
	for (unsigned i = 0; i < spread->choices[s]; i++) {
		unsigned before = look_back(spread, s, choice[i], base, offset).port;
		if (!best || taken[choice[i]] < taken[best] || (taken[choice[i]] == taken[best] && before < fewest)) {
			best = choice[i];
			if (before < fewest)
				fewest = before;
		}
	}
	return best;
}

/* Further LIDs of a port prefer other systems than those before, then other switches; and begin behind the port of the one before. Of equal
 * counters a port wins whose switch was taken less often than that of any that led before it. */
static unsigned choose_other(const struct spread *spread, uint32_t s, uint32_t base, unsigned offset)
{
	const uint8_t *choice = &spread->choice[spread->fabric->sw[s].link + 1];
	const uint32_t *taken = &spread->taken[spread->fabric->sw[s].link];
	unsigned count = spread->choices[s], start = 0, system = 0, node = 0, any = 0, fewest = UINT_MAX;
	unsigned last = opensm_entry(spread->task->tables, s, base + offset - 1);
	while (start < count && choice[start] <= last)
		start++;
	for (unsigned i = 0; i < count; i++) {
		unsigned port = choice[(start + i) % count];
		struct earlier before = look_back(spread, s, port, base, offset);
		if (!before.system) {
			if (!system || taken[port] < taken[system])
				system = port;
		} else if (!before.node) {
			if (!node || taken[port] < taken[node])
				node = port;
		}
		if (!any || taken[port] < taken[any] || (before.node && taken[port] == taken[any] && before.node < fewest)) {
			any = port;
			if (before.node && before.node < fewest)
				fewest = before.node;
		}
	}
	return system ? system : node ? node : any;
}

/* base + offset is the LID of a port on that switch, or (at = 0) its own. */
static void route(struct spread *spread, uint32_t to, unsigned at, uint32_t base, unsigned offset)
{
	const struct opensm_fabric *fabric = spread->fabric;
	for (uint32_t s = 0; s < fabric->switches; s++) {
		unsigned port = OPENSM_NO_PORT;
		if (s == to)
			port = at;
		else if (!spread->choices[s])
			continue;
		else if (!offset)
			port = choose_first(spread, s);
		else
			port = spread->one_neighbour ? choose_rarest(spread, s, base, offset) : choose_other(spread, s, base, offset);
		opensm_set(spread->task, s, base + offset, port);
		spread->taken[fabric->sw[s].link + port] += at != 0;
	}
}

/* find_choices() and route() in one, where only one LID needs the choices. */
static void route_alone(struct spread *spread, uint32_t to, unsigned at, uint32_t lid)
{
	const struct opensm_fabric *fabric = spread->fabric;
	const uint8_t *hops = spread->hops.least;
	for (uint32_t s = 0; s < fabric->switches; s++) {
		uint32_t *taken = &spread->taken[fabric->sw[s].link], fewest = UINT32_MAX;
		unsigned best = OPENSM_NO_PORT, nearer = hops[s] - 1U;
		if (hops[s] == HOPS_NONE)
			continue;
		for (uint32_t i = fabric->first_near[s]; i < fabric->first_near[s + 1]; i++) {
			const struct opensm_near *near = &fabric->near[i];
			if (hops[near->to] == nearer && taken[near->port] < fewest) {
				fewest = taken[near->port];
				best = near->port;
			}
		}
		if (s == to)
			best = at;
		else
			taken[best]++;
		opensm_set(spread->task, s, lid, best);
	}
	spread->taken[fabric->sw[to].link + at] += at != 0;
}

/* The only end port of a switch, if it has one LID; NULL: there are none or more. */
static const struct opensm_end *only_end(const struct opensm_fabric *fabric, uint32_t s)
{
	const struct opensm_end *only = NULL;
	for (unsigned p = 1; p <= fabric->sw[s].ports && fabric->sw[s].end_ports == 1; p++)
		if (opensm_port_of(fabric, s, p)->end != OPENSM_NONE)
			only = &fabric->end[opensm_port_of(fabric, s, p)->end];
	return only && only->lid ? only : NULL;
}

static void route_offset(struct spread *spread, hops_fill *fill, const void *engine, unsigned offset)
{
	const struct opensm_fabric *fabric = spread->fabric;
	for (uint32_t i = 0; i < fabric->switches; i++) {
		uint32_t to = fabric->by_load[i];
		if (!fabric->sw[to].end_ports)
			break;
		fill(engine, &spread->hops, to);
		const struct opensm_end *only = offset || spread->one_neighbour || !spread->hops.shortest ? NULL : only_end(fabric, to);
		if (only) {
			route_alone(spread, to, only->at, only->lid);
			continue;
		}
		find_choices(spread, to);
		for (unsigned p = 1; p <= fabric->sw[to].ports; p++) {
			const struct opensm_link *link = opensm_port_of(fabric, to, p);
			const struct opensm_end *end = link->end == OPENSM_NONE ? NULL : &fabric->end[link->end];
			if (end && end->lid && offset < 1U << end->lmc)
				route(spread, to, p, end->lid, offset);
		}
	}
	for (uint32_t to = 0; to < fabric->switches && !spread->task->options->ends_only; to++) {
		const struct opensm_switch *sw = &fabric->sw[to];
		if (!sw->lid || offset >= 1U << sw->lmc)
			continue;
		fill(engine, &spread->hops, to);
		find_choices(spread, to);
		route(spread, to, 0, sw->lid, offset);
	}
}

int opensm_spread(struct opensm_task *task, hops_fill *fill, const void *engine, bool one_neighbour)
{
	const struct opensm_fabric *fabric = task->fabric;
	struct spread spread = {.task = task, .fabric = fabric, .one_neighbour = one_neighbour};
	spread.taken = array_create(fabric->links, sizeof *spread.taken, task->error);
	spread.choice = array_create((size_t)fabric->links + 1, 1, task->error);
	spread.choices = array_create(fabric->switches, 1, task->error);
	hops_init(&spread.hops, fabric, task->error);
	for (unsigned offset = 0; offset < 1U << fabric->lmc && !task->error->status; offset++)
		route_offset(&spread, fill, engine, offset);
	hops_clear(&spread.hops);
	free(spread.taken);
	free(spread.choice);
	free(spread.choices);
	return task->error->status ? -1 : 0;
}
