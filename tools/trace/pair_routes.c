#include "tools/trace/pair_routes.h"

#include "base/memory.h"
#include "fabric/destination_trees.h"

#include <stdlib.h>
#include <string.h>

/* The search for the routes of a pair. */
struct finding {
	struct pair_routes *routes;
	const struct trace_network *network;
	uint32_t source, destination; /* host indices */
	uint32_t most;
	uint32_t *path; /* [nodes] channels so far */
	bool *on_path;  /* [nodes] */
	struct error *error;
};

static struct trace_route *add_route(struct pair_routes *r, double share, uint32_t lid, struct error *error)
{
	if (array_grow(&r->route, &r->route_capacity, (size_t)r->routes + 1, sizeof *r->route, error))
		return NULL;
	r->route[r->routes] = (struct trace_route){.first = r->hops, .share = share, .lid = lid};
	return &r->route[r->routes++];
}

static int add_hop(struct pair_routes *r, struct trace_hop hop, struct error *error)
{
	if (array_grow(&r->hop, &r->hop_capacity, r->hops + 1, sizeof *r->hop, error))
		return -1;
	r->hop[r->hops++] = hop;
	r->route[r->routes - 1].hops++;
	return 0;
}

/* ---- between hosts, by the tables of the fabric */

static int add_channels(struct finding *f, const uint32_t *channel, uint32_t count, double share, enum route_end end)
{
	const struct fabric *fabric = f->network->fabric;
	const struct virtual_lanes *lanes = f->network->lanes;
	struct pair_routes *r = f->routes;
	struct trace_route *route = add_route(r, share, r->to.lid, f->error);
	if (!route)
		return -1;
	route->end = end;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = channel[i], in = fabric->labels->peer_port[c];
		unsigned lane = !lanes || r->level < 0 ? LANE_UNKNOWN
				: i                    ? virtual_lanes_get(lanes, channel[i - 1], c, (unsigned)r->level)
						       : virtual_lanes_first(lanes, c, (unsigned)r->level);
		struct trace_hop hop = {c, fabric->labels->port[c], in, trace_node_of(f->network, fabric->head[c], in), (uint8_t)lane};
		if (add_hop(r, hop, f->error))
			return -1;
	}
	return 0;
}

/* Follows all entries from a node that the path has reached by `length` channels. Returns 0, or -1. */
static int follow(struct finding *f, uint32_t node, uint32_t length, double share)
{
	const struct fabric *fabric = f->network->fabric;
	const uint32_t *way;
	const double *part;
	uint32_t only;
	if (f->routes->routes == f->most)
		return 0;
	if (node == fabric->host_node[f->destination])
		return add_channels(f, f->path, length, share, ROUTE_ENDS_THERE);
	if (f->on_path[node])
		return add_channels(f, f->path, length, share, ROUTE_ENDS_IN_LOOP);
	uint32_t ways = forwarding_ways(f->network->forwarding, node, f->destination, &way, &part, &only);
	if (!ways)
		return add_channels(f, f->path, length, share, ROUTE_ENDS_WITHOUT_ENTRY);
	f->on_path[node] = true;
	for (uint32_t i = 0; i < ways && !f->error->status; i++) {
		uint32_t next = way[i]; /* way may be `only` */
		f->path[length] = next;
		follow(f, fabric->head[next], length + 1, share * part[i]);
	}
	f->on_path[node] = false;
	return f->error->status ? -1 : 0;
}

/* Counts all routes, if some are not listed. */
static void count_all(struct finding *f)
{
	const struct trace_network *n = f->network;
	struct destination_trees trees;
	double *count = array_create(n->fabric->nodes, sizeof *count, f->error);
	if (!destination_trees_init(&trees, n->fabric, n->forwarding, f->error) && !destination_trees_take_all(&trees, f->error) && count) {
		destination_trees_make(&trees, f->destination);
		for (uint32_t i = 0; i < trees.count; i++) {
			uint32_t v = trees.order[i];
			const uint32_t *way;
			uint32_t ways = i ? destination_trees_ways(&trees, v, &way) : 0;
			count[v] = !i;
			for (uint32_t k = 0; k < ways; k++)
				count[v] += count[n->fabric->head[way[k]]];
		}
		uint32_t node = n->fabric->host_node[f->source], link = trees.link[f->source];
		f->routes->total = count[link == NONE ? node : n->fabric->head[link]];
	}
	destination_trees_clear(&trees);
	free(count);
}

static void find_in_tables(struct finding *f)
{
	const struct fabric *fabric = f->network->fabric;
	follow(f, fabric->host_node[f->source], 0, 1);
	f->routes->total = f->routes->routes;
	if (f->routes->routes == f->most && f->network->forwarding->alternatives && !f->error->status)
		count_all(f);
}

static void find_in_lists(struct finding *f)
{
	const struct source_routes *set = f->network->routes;
	uint64_t from = 0, to = 0;
	if (!source_routes_find(set, f->source, f->destination, &from, &to))
		add_channels(f, NULL, 0, 1, ROUTE_ENDS_WITHOUT_ENTRY);
	for (uint64_t r = from; r < to && f->routes->routes < f->most && !f->error->status; r++) {
		uint32_t count = source_routes_channels(set, f->source, f->destination, r, f->path);
		add_channels(f, f->path, count, set->share[r], ROUTE_ENDS_THERE);
	}
	f->routes->total = to > from ? (double)(to - from) : 1;
}

/* Finds the routes between hosts by their base LIDs. */
static int find_hosts(
	struct pair_routes *r, const struct trace_network *n, uint32_t source, uint32_t destination, uint32_t most, struct error *error)
{
	struct finding f = {r, n, source, destination, most, NULL, NULL, error};
	f.path = array_create((size_t)n->fabric->nodes + 1, sizeof *f.path, error);
	f.on_path = array_create(n->fabric->nodes, sizeof *f.on_path, error);
	if (!error->status) {
		if (n->routes)
			find_in_lists(&f);
		else
			find_in_tables(&f);
	}
	free(f.path);
	free(f.on_path);
	return error->status ? -1 : 0;
}

/* ---- between any nodes, by LIDs */

/* Returns whether a port has the LID: of switches all do that port 0 has. */
static bool has_lid(const struct whole_fabric *w, uint32_t port, uint32_t lid)
{
	const struct whole_node *node = &w->node[w->port[port].node];
	const struct whole_port *p = &w->port[node->kind == WHOLE_SWITCH ? node->port : port];
	return p->lid && lid >= p->lid && lid - p->lid < 1U << p->lmc;
}

/* Follows the entries of a LID from a port. Returns 0, or -1 if out of memory. */
static int follow_lid(struct pair_routes *r, const struct trace_network *n, uint32_t from, uint32_t lid, double share, struct error *error)
{
	const struct whole_fabric *w = n->whole;
	struct trace_route *route = add_route(r, share, lid, error);
	uint32_t port = from, steps = 0;
	while (route && !has_lid(w, port, lid)) {
		const struct whole_node *node = &w->node[w->port[port].node];
		uint32_t out = port;
		if (node->kind == WHOLE_SWITCH) {
			unsigned number = whole_entry(w, w->port[port].node, lid);
			if (number == WHOLE_NO_PORT || number > node->ports) {
				route->end = ROUTE_ENDS_WITHOUT_ENTRY;
				break;
			}
			out = node->port + number;
		} else if (port != from) { /* a node that does not forward */
			route->end = ROUTE_ENDS_WITHOUT_ENTRY;
			break;
		}
		uint32_t peer = w->port[out].peer;
		if (peer == NONE || steps++ == w->nodes) {
			route->end = peer == NONE ? ROUTE_ENDS_WITHOUT_CABLE : ROUTE_ENDS_IN_LOOP;
			break;
		}
		uint32_t channel = w->port[out].channel < n->fabric->channels ? w->port[out].channel : NONE;
		if (add_hop(r, (struct trace_hop){channel, w->port[out].number, w->port[peer].number, trace_node_at(n, peer), LANE_UNKNOWN},
			    error))
			return -1;
		port = peer;
	}
	return error->status ? -1 : 0;
}

static void find_lids(struct pair_routes *r, const struct trace_network *n, const struct trace_end *from, const struct trace_end *to,
	uint32_t most, struct error *error)
{
	uint32_t source = n->whole->lid_port[from->vertex];
	const struct whole_port *target = &n->whole->port[n->whole->lid_port[to->vertex]];
	uint32_t first = to->lid ? to->lid : target->lid, count = to->lid ? 1 : 1U << target->lmc;
	r->total = count;
	for (uint32_t i = 0; i < count && i < most && !error->status; i++)
		follow_lid(r, n, source, first + i, 1.0 / count, error);
}

/* Returns the service level of a pair; -1: unknown. */
static int level_of(const struct virtual_lanes *lanes, uint32_t source, uint32_t destination)
{
	if (source == NONE || destination == NONE || (lanes && lanes->unknown))
		return -1;
	return lanes && lanes->levels ? (int)service_levels_get(lanes->levels, source, destination) : 0;
}

int pair_routes_find(struct pair_routes *routes, const struct trace_network *network, const struct trace_end *from,
	const struct trace_end *to, uint32_t most, struct error *error)
{
	const struct trace_network *n = network;
	*routes = (struct pair_routes){.level = level_of(n->lanes, from->host, to->host)};
	const struct trace_end *const end[] = {from, to};
	struct trace_node *const node[] = {&routes->from, &routes->to};
	uint32_t *const number[] = {&routes->from_port, &routes->to_port};
	for (int i = 0; i < 2; i++) {
		uint32_t v = end[i]->vertex;
		if (n->whole) {
			*node[i] = trace_node_at(n, n->whole->lid_port[v]);
			*number[i] = n->whole->port[n->whole->lid_port[v]].number;
		} else {
			uint32_t c = n->fabric->first_channel[v];
			*number[i] = c < n->fabric->first_channel[v + 1] ? n->fabric->labels->port[c] : 0;
			*node[i] = trace_node_of(n, v, *number[i]);
		}
	}
	bool by_lid = from->host == NONE || to->host == NONE || to->lid || n->fabric->labels->lmc[to->vertex];
	if (by_lid)
		find_lids(routes, n, from, to, most, error);
	else
		find_hosts(routes, n, from->host, to->host, most, error);
	return error->status ? -1 : 0;
}

void pair_routes_clear(struct pair_routes *routes)
{
	free(routes->route);
	free(routes->hop);
}
