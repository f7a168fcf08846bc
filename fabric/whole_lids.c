/* The LIDs and GUIDs of the complete subnet of a fabric. */
#include "base/disjoint.h"
#include "base/memory.h"
#include "base/number_table.h"
#include "fabric/guids.h"
#include "fabric/whole_build.h"

#include <inttypes.h>
#include <stdlib.h>

static void join_switches(struct whole_fabric *w)
{
	disjoint_init(w->component, w->nodes);
	for (uint32_t p = 0; p < w->ports; p++) {
		uint32_t node = w->port[p].node, peer = w->port[p].peer == NONE ? node : w->port[w->port[p].peer].node;
		if (w->node[node].kind == WHOLE_SWITCH && w->node[peer].kind == WHOLE_SWITCH)
			disjoint_join(w->component, node, peer);
	}
	for (uint32_t i = 0; i < w->nodes; i++)
		w->component[i] = disjoint_root(w->component, i);
}

/* LIDs in use: of each component, and of any. */
struct lids {
	struct number_table taken; /* component << 16 | LID */
	bool *any;                 /* [LID_LAST + 2] */
};

/* Takes a LID. Returns whether it was free. */
static bool take_lid(struct lids *lids, uint32_t component, uint32_t lid)
{
	if (!number_table_add(&lids->taken, (uint64_t)component << 16 | lid, 1))
		return false;
	lids->any[lid] = true;
	return true;
}

/* Gives a port the LID that the graph states, unless another port of its component has it. */
static void state_lid(const struct whole_build *b, struct lids *lids, uint32_t port, uint64_t lid, uint64_t lmc)
{
	const struct whole_fabric *w = b->whole;
	struct whole_port *p = &w->port[port];
	if (!lid || p->lid || !take_lid(lids, whole_component(w, port), (uint32_t)lid))
		return;
	p->lid = (uint16_t)lid;
	p->lmc = (uint8_t)lmc;
	for (uint32_t i = 1; i < 1U << lmc && lid + i <= LID_LAST; i++)
		lids->any[lid + i] = true;
}

static void set_lids(struct whole_build *b, struct lids *lids)
{
	struct whole_fabric *w = b->whole;
	unsigned next = 1;
	for (uint32_t v = 0; v < w->vertices; v++) {
		state_lid(b, lids, w->lid_port[v], build_number(b, b->column.lid, v, v, LID_LAST), build_number(b, b->column.lmc, v, v, 7));
		w->has_lid[v] = w->port[w->lid_port[v]].lid != 0;
	}
	for (uint32_t v = 0; v < w->vertices && b->column.port_lid; v++)
		for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++)
			state_lid(b, lids, w->port_of[b->out[i]], build_number(b, b->column.port_lid, b->out[i], v, LID_LAST),
				build_number(b, b->column.port_lmc, b->out[i], v, 7));
	for (uint32_t v = 0; v < w->vertices && !b->error->status; v++) {
		if (w->port[w->lid_port[v]].lid)
			continue;
		while (next <= LID_LAST && lids->any[next])
			next++;
		if (next > LID_LAST)
			error_at(b->error, STATUS_FABRIC, b->source, 0, "more nodes than InfiniBand has LIDs (%d)", LID_LAST);
		w->port[w->lid_port[v]].lid = (uint16_t)next++;
	}
	for (uint32_t p = 0; p < w->ports; p++) {
		uint32_t last = w->port[p].lid ? w->port[p].lid + (1U << w->port[p].lmc) : 0;
		w->lids = last > w->lids ? last : w->lids;
	}
	w->lids = w->lids > LID_LAST ? LID_LAST + 1 : w->lids;
}

/* Marks the port whose LID is that of a host, in each component that the host is in. */
static void mark_host(const struct whole_build *b, uint32_t v)
{
	struct whole_fabric *w = b->whole;
	w->port[w->lid_port[v]].host = true;
	for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++) {
		uint32_t p = w->port_of[b->out[i]];
		bool first = w->port[p].lid && whole_component(w, p) != whole_component(w, w->lid_port[v]);
		for (uint32_t k = b->first[v]; k < i && first; k++)
			first = !w->port[w->port_of[b->out[k]]].host || whole_component(w, w->port_of[b->out[k]]) != whole_component(w, p);
		w->port[p].host |= first;
	}
}

int whole_build_lids(struct whole_build *b)
{
	struct lids lids = {.any = array_create(LID_LAST + 2, sizeof *lids.any, b->error)};
	b->whole->component = array_create(b->whole->nodes, sizeof *b->whole->component, b->error);
	number_table_init(&lids.taken, (size_t)b->whole->vertices + b->channels, b->error);
	if (!b->error->status) {
		join_switches(b->whole);
		set_lids(b, &lids);
		for (uint32_t h = 0; h < b->fabric->hosts; h++)
			mark_host(b, b->fabric->host_node[h]);
	}
	free(lids.any);
	number_table_clear(&lids.taken);
	return b->error->status ? -1 : 0;
}

/* A port with its LID before. */
struct lid_order {
	uint32_t lid, port;
};

static int compare_order(const void *left, const void *right)
{
	const struct lid_order *a = left, *b = right;
	if (a->lid != b->lid)
		return a->lid < b->lid ? -1 : 1;
	return (a->port > b->port) - (a->port < b->port);
}

static bool is_end(const struct whole_fabric *w, uint32_t port)
{
	return w->node[w->port[port].node].kind != WHOLE_SWITCH;
}

int whole_fabric_set_lmc(struct whole_fabric *w, unsigned lmc, struct error *error)
{
	struct lid_order *order = array_create(w->ports, sizeof *order, error);
	uint32_t count = 0, next = 1;
	bool same = true;
	for (uint32_t p = 0; order && p < w->ports; p++)
		if (w->port[p].lid) {
			order[count++] = (struct lid_order){w->port[p].lid, p};
			same &= !is_end(w, p) || w->port[p].lmc == lmc;
		}
	if (order && !same) {
		qsort(order, count, sizeof *order, compare_order);
		w->renumbered = true;
		w->lids = 0;
	}
	for (uint32_t i = 0; order && !same && i < count; i++) {
		struct whole_port *p = &w->port[order[i].port];
		uint32_t size = is_end(w, order[i].port) ? 1U << lmc : 1;
		next = (next + size - 1) / size * size;
		if (next + size - 1 > LID_LAST) {
			error_set(error, STATUS_FABRIC, "%" PRIu32 " ports with %" PRIu32 " LIDs each need more than InfiniBand has (%d)",
				count, 1U << lmc, LID_LAST);
			break;
		}
		p->lid = (uint16_t)next;
		p->lmc = (uint8_t)(size > 1 ? lmc : 0);
		next += size;
		w->lids = next;
	}
	free(order);
	return error->status ? -1 : 0;
}

int whole_fabric_fill_guids(struct whole_fabric *w, struct error *error)
{
	struct guid_node *node = array_create(w->nodes, sizeof *node, error);
	uint64_t *guid = array_create(w->nodes, sizeof *guid, error);
	for (uint32_t n = 0; !error->status && n < w->nodes; n++) {
		node[n] =
			(struct guid_node){w->node[n].guid, w->node[n].kind == WHOLE_SWITCH, w->node[n].ports ? w->node[n].ports : 1, {0}};
		for (unsigned number = 1; number <= w->node[n].ports; number++)
			if (w->port[w->node[n].port + number].peer != NONE)
				guid_node_cable(&node[n], number);
	}
	if (!error->status && guids_choose(node, w->nodes, guid, error) != NONE)
		for (uint32_t n = 0; n < w->nodes; n++)
			if (!w->node[n].guid)
				w->node[n].guid = guid[n];
	for (uint32_t p = 0; !error->status && p < w->ports; p++)
		if (!w->port[p].guid && w->port[p].number && w->node[w->port[p].node].kind != WHOLE_SWITCH)
			w->port[p].guid = w->node[w->port[p].node].guid + w->port[p].number;
	free(node);
	free(guid);
	return error->status ? -1 : 0;
}
