#include "tools/check/plan_bench.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* GUIDs of nodes that only the plan has. */
#define ABSENT_GUID UINT64_C(0xfffe000000000000)

/* ---- the subnet */

/* Whether the plan has the cable where nothing of the kind is found. */
static bool is_absent(const struct cable *planned)
{
	return planned->match == NONE || planned->how == CABLE_MOVED;
}

static bool is_numbered(const struct cable_end *end)
{
	return end->port && end->port <= OPENSM_PORTS;
}

/* Adds the nodes that only the plan has to node and node_of. */
static void add_nodes(struct plan_bench *b)
{
	memcpy(b->node, b->view.arrays.node, b->view.arrays.subnet.nodes * sizeof *b->node);
	b->nodes = b->view.arrays.subnet.nodes;
	for (uint32_t v = 0; v < b->found->nodes; v++)
		b->node_of[v] = b->view.whole->node_of[v];
	for (uint32_t v = b->found->nodes; v < b->plan->nodes; v++)
		b->node_of[v] = OPENSM_NONE;
	for (uint32_t c = 0; c < b->plan->planned.cables; c++)
		for (int i = 0; i < 2; i++) {
			uint32_t v = b->plan->planned.cable[c].end[i].node, *n = &b->node_of[v];
			if (*n != OPENSM_NONE || !is_absent(&b->plan->planned.cable[c]))
				continue;
			uint64_t guid = ABSENT_GUID + ((uint64_t)v << 8);
			*n = b->nodes++;
			b->node[*n] =
				(struct opensm_node){.guid = guid, .system_guid = guid, .kind = b->hosts[v] ? OPENSM_CA : OPENSM_SWITCH};
		}
}

/* Gives every planned end that is absent a port number, first those that state one. Returns whether all ports are possible. */
static bool number_ports(struct plan_bench *b)
{
	const struct whole_fabric *w = b->view.whole;
	unsigned high = 0;
	for (int numbered = 1; numbered >= 0; numbered--)
		for (uint32_t c = 0; c < b->plan->planned.cables; c++)
			for (int i = 0; i < 2; i++) {
				const struct cable *cable = &b->plan->planned.cable[c];
				const struct cable_end *end = &cable->end[i];
				if (!is_absent(cable) || is_numbered(end) != numbered)
					continue;
				bool host = end->node < b->found->nodes && b->found->node_host[end->node] != NONE;
				struct opensm_node *node = &b->node[b->node_of[end->node]];
				unsigned number = numbered ? end->port : host ? w->port[w->lid_port[end->node]].number : node->ports + 1U;
				high = number > high ? number : high;
				node->ports = number > node->ports ? (uint8_t)number : node->ports;
				b->planned_port[2 * c + (uint32_t)i] = number;
			}
	return high <= OPENSM_PORTS;
}

/* The port of the view, among those here. */
static uint32_t port_here(const struct plan_bench *b, uint32_t port)
{
	const struct whole_port *p = &b->view.whole->port[port];
	return b->node[p->node].port + p->number;
}

/* Places the ports of all nodes, those of the view as they are. */
static void place_ports(struct plan_bench *b)
{
	for (uint32_t n = 0; n < b->nodes; n++)
		for (uint32_t p = b->node[n].port; p <= b->node[n].port + b->node[n].ports; p++) {
			b->owner[p] = n;
			b->intact[p] = (struct opensm_port){.guid = b->node[n].guid + (p - b->node[n].port), .peer = OPENSM_NONE};
			b->intact_gbps[p] = b->plan->capacity.unit;
		}
	for (uint32_t p = 0; p < b->view.arrays.subnet.ports; p++) {
		struct opensm_port port = b->view.arrays.port[p];
		port.peer = port.peer == OPENSM_NONE ? OPENSM_NONE : port_here(b, port.peer);
		b->intact[port_here(b, p)] = port;
	}
	for (uint32_t c = 0; c < b->plan->planned.cables; c++)
		for (int i = 0; i < 2; i++)
			b->planned_port[2 * c + (uint32_t)i] +=
				is_absent(&b->plan->planned.cable[c]) ? b->node[b->node_of[b->plan->planned.cable[c].end[i].node]].port : 0;
}

/* Gives LIDs to the nodes that only the plan has, and to their ports. Returns whether there are enough. */
static bool fill_lids(struct plan_bench *b)
{
	uint32_t last = 0;
	for (uint32_t p = 0; p < b->ports; p++)
		last = b->intact[p].lid > last ? b->intact[p].lid : last;
	for (uint32_t p = 0; p < b->ports && last <= LID_LAST; p++) {
		bool base = p == b->node[b->owner[p]].port, is_switch = b->node[b->owner[p]].kind == OPENSM_SWITCH;
		if (!b->intact[p].lid && base == is_switch && ++last <= LID_LAST)
			b->intact[p].lid = (uint16_t)last;
	}
	return last <= LID_LAST;
}

/* The port of a cable that is found. */
static uint32_t found_port(const struct plan_bench *b, const struct cable *cable)
{
	return port_here(b, b->view.whole->port_of[cable->channel]);
}

static void set_speeds(struct plan_bench *b)
{
	const struct cable_list *found = &b->plan->found;
	for (uint32_t c = 0; c < found->cables + found->others; c++) {
		uint32_t p = found_port(b, &found->cable[c]), q = b->intact[p].peer;
		b->intact_gbps[p] = b->plan->capacity.gbps[b->plan->planned.cables + c];
		if (q != OPENSM_NONE)
			b->intact_gbps[q] = b->intact_gbps[p];
	}
}

static void list_ends(struct plan_bench *b)
{
	for (uint32_t h = 0; h < b->found->hosts; h++)
		b->end[b->ends++] = port_here(b, b->view.whole->lid_port[b->found->host_node[h]]);
	for (uint32_t v = b->found->nodes; v < b->plan->nodes; v++)
		if (b->hosts[v] && b->node_of[v] != OPENSM_NONE)
			b->end[b->ends++] = b->node[b->node_of[v]].port + 1U;
}

bool plan_bench_refuse(struct plan_bench *b, const char *reason)
{
	snprintf(b->plan->bandwidth.reason, sizeof b->plan->bandwidth.reason, "%s", reason);
	return false;
}

bool plan_bench_build(struct plan_bench *b, const struct routing_graph *graph, const struct attributes *attributes, struct error *error)
{
	struct error refusal = {0};
	if (opensm_view_init(&b->view, graph, attributes, 0, 0, "minhop", &refusal)) {
		if (refusal.status != STATUS_FABRIC)
			error_set(error, refusal.status, "%s", refusal.text);
		return plan_bench_refuse(b, "InfiniBand cannot have this fabric");
	}
	b->node = array_create((size_t)b->view.arrays.subnet.nodes + b->plan->nodes, sizeof *b->node, error);
	b->node_of = array_create(b->plan->nodes, sizeof *b->node_of, error);
	b->planned_port = array_create((size_t)b->plan->planned.cables * 2, sizeof *b->planned_port, error);
	if (error->status)
		return false;
	add_nodes(b);
	if (!number_ports(b))
		return plan_bench_refuse(b, "a node would have more than 254 ports");
	for (uint32_t n = 0; n < b->nodes; n++) {
		b->node[n].port = b->ports;
		b->ports += b->node[n].ports + 1U;
	}
	b->owner = array_create(b->ports, sizeof *b->owner, error);
	b->intact = array_create(b->ports, sizeof *b->intact, error);
	b->mended = array_create(b->ports, sizeof *b->port, error);
	b->port = array_create(b->ports, sizeof *b->port, error);
	b->intact_gbps = array_create(b->ports, sizeof *b->gbps, error);
	b->mended_gbps = array_create(b->ports, sizeof *b->gbps, error);
	b->gbps = array_create(b->ports, sizeof *b->gbps, error);
	b->count = array_create(b->ports, sizeof *b->count, error);
	b->end = array_create((size_t)b->found->hosts + b->plan->nodes, sizeof *b->end, error);
	if (error->status)
		return false;
	place_ports(b);
	set_speeds(b);
	list_ends(b);
	return fill_lids(b) || plan_bench_refuse(b, "there are more ports than LIDs");
}

/* ---- changes */

static void cut(struct plan_bench *b, uint32_t p)
{
	if (b->port[p].peer != OPENSM_NONE)
		b->port[b->port[p].peer].peer = OPENSM_NONE;
	b->port[p].peer = OPENSM_NONE;
}

static void join(struct plan_bench *b, uint32_t p, uint32_t q, double gbps)
{
	b->port[p].peer = q;
	b->port[q].peer = p;
	b->gbps[p] = b->gbps[q] = gbps;
}

/* Returns the port if it is free, otherwise a free one of its node; OPENSM_NONE without any. */
static uint32_t free_port(const struct plan_bench *b, uint32_t p)
{
	uint32_t first = b->node[b->owner[p]].port;
	for (uint32_t q = p, i = 0; i <= b->node[b->owner[p]].ports; q = first + ++i)
		if (q > first && b->port[q].peer == OPENSM_NONE)
			return q;
	return OPENSM_NONE;
}

bool plan_bench_is_new_host(const struct plan_bench *b, const struct plan_difference *d)
{
	const struct cable *found = d->kind == PLAN_UNPLANNED ? &b->plan->found.cable[d->found] : NULL;
	return found && (b->hosts[found->end[0].node] || b->hosts[found->end[1].node]);
}

/* A cable found becomes as planned. A host that nobody planned, but is there, moves to another port, if there is one. */
static void mend(struct plan_bench *b, const struct plan_difference *d)
{
	double gbps = b->plan->capacity.gbps[d->planned];
	if (d->kind == PLAN_SPEED) {
		uint32_t p = found_port(b, &b->plan->found.cable[d->found]);
		join(b, p, b->port[p].peer, gbps);
		return;
	}
	for (int i = 0; i < 2; i++) {
		uint32_t p = b->planned_port[2 * d->planned + (uint32_t)i], host = b->port[p].peer, other = OPENSM_NONE;
		double its_gbps = b->gbps[p];
		if (host != OPENSM_NONE)
			other = free_port(b, p);
		cut(b, p);
		if (other != OPENSM_NONE)
			join(b, other, host, its_gbps);
	}
	join(b, b->planned_port[2 * d->planned], b->planned_port[2 * d->planned + 1], gbps);
}

void plan_bench_mend(struct plan_bench *b)
{
	const struct cable_plan *plan = b->plan;
	memcpy(b->port, b->intact, b->ports * sizeof *b->port);
	memcpy(b->gbps, b->intact_gbps, b->ports * sizeof *b->gbps);
	for (uint32_t i = 0; i < plan->differences; i++)
		if (plan->difference[i].found != NONE && plan->difference[i].kind != PLAN_SPEED &&
			!plan_bench_is_new_host(b, &plan->difference[i]))
			cut(b, found_port(b, &plan->found.cable[plan->difference[i].found]));
	for (uint32_t i = 0; i < plan->differences; i++)
		if (plan->difference[i].planned != NONE)
			mend(b, &plan->difference[i]);
}

void plan_bench_spoil(struct plan_bench *b, const struct plan_difference *d)
{
	const struct cable *found = d->found == NONE ? NULL : &b->plan->found.cable[d->found];
	uint32_t p = found ? found_port(b, found) : OPENSM_NONE;
	if (d->kind == PLAN_SPEED) {
		join(b, p, b->port[p].peer, b->intact_gbps[p]);
		return;
	}
	if (d->planned != NONE)
		cut(b, b->planned_port[2 * d->planned]);
	if (!found)
		return;
	uint32_t from = free_port(b, p), to = free_port(b, b->intact[p].peer);
	if (from != OPENSM_NONE && to != OPENSM_NONE)
		join(b, from, to, b->intact_gbps[p]);
}

void plan_bench_clear(struct plan_bench *b)
{
	opensm_view_clear(&b->view);
	for (int i = 0; i < 3; i++)
		free(b->value[i]);
	free(b->node);
	free(b->node_of);
	free(b->owner);
	free(b->intact);
	free(b->mended);
	free(b->port);
	free(b->intact_gbps);
	free(b->mended_gbps);
	free(b->gbps);
	free(b->planned_port);
	free(b->end);
	free(b->pair);
	free(b->count);
}
