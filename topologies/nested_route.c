/*
 * Routes of networks of networks (Jones, Engelmann 2011, section IV.B): the route of outer between the copies, and in each copy on the way
 * the route of inner between the nodes by which it is entered and left. Of nodes that a single host is behind, routes of inner to and from
 * that host say how; towards others, as the top switches of trees, the shortest paths are stored.
 */
#include "base/memory.h"
#include "topologies/derived_parts.h"
#include "topologies/pair_distances.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = UINT32_MAX };

static bool same(struct topology_node a, struct topology_node b)
{
	return a.host == b.host && a.node == b.node;
}

/* ---- before the first route */

/* Returns a host that only this switch of inner has, or the host itself; NOWHERE: there is none. */
static uint32_t find_behind(const struct topology *inner, struct topology_node at)
{
	uint32_t ports = at.host ? 0 : ports_of(inner, false, at.node);
	if (at.host)
		return at.node;
	for (uint32_t p = 0; p < ports; p++) {
		struct topology_port peer = peer_of(inner, false, at.node, p);
		if (peer.host && ports_of(inner, true, peer.node) == 1)
			return peer.node;
	}
	return NOWHERE;
}

/* Returns whether hosts forward: those of the innermost network. */
static bool forwards(const struct topology *topology)
{
	for (topology = topology_plain(topology); topology->kind == &derived_nested_kind; topology = topology_plain(topology))
		topology = ((const struct derived *)topology->data)->inner;
	return topology->switches == 0 || topology->kind->hosts_forward;
}

/* Appends to the queue the nodes with a channel to a node, whose port is then known; peers are other ends of its cables. */
static void reach(const struct topology *inner, uint32_t node, uint32_t *port, uint32_t *queue, uint32_t *end)
{
	bool host = node < inner->hosts;
	uint32_t number = host ? node : node - inner->hosts;
	for (uint32_t p = 0; p < ports_of(inner, host, number); p++) {
		struct topology_port peer = peer_of(inner, host, number, p);
		uint32_t other = peer.node + (peer.host ? 0 : inner->hosts);
		if (peer.port == TOPOLOGY_NO_PORT || port[other] != NOWHERE)
			continue;
		port[other] = peer.port;
		queue[(*end)++] = other;
	}
}

/* Returns, for each node of inner, the port of a shortest path to a switch. Breadth-first from there; hosts pass nothing on. */
static uint32_t *find_ports(const struct topology *inner, uint32_t to, struct error *error)
{
	uint32_t nodes = inner->hosts + inner->switches, end = 0;
	bool hosts = forwards(inner);
	uint32_t *port = array_create(nodes, sizeof *port, error), *queue = array_create(nodes, sizeof *queue, error);
	if (port && queue) {
		memset(port, 0xff, nodes * sizeof *port);
		port[inner->hosts + to] = 0;
		queue[end++] = inner->hosts + to;
		for (uint32_t i = 0; i < end; i++)
			if (queue[i] >= inner->hosts || hosts)
				reach(inner, queue[i], port, queue, &end);
	}
	free(queue);
	return port;
}

/* Marks the nodes that have a port of outer, in some copy. */
static void mark_used(const struct derived *d, bool *used)
{
	uint32_t before = 0;
	for (uint32_t host = 0; host < d->outer->hosts; host++) {
		uint32_t ports = ports_of(d->outer, true, host);
		for (uint32_t p = 0; ports != before && p < ports; p++)
			used[(uint64_t)p * d->owned / ports] = true;
		before = ports;
	}
}

int nested_prepare_routes(struct topology *topology, struct error *error)
{
	struct derived *d = topology->data;
	const struct topology *inner = d->inner;
	if (!d->outer->routing || !inner->routing)
		return 0;
	bool *used = array_create(d->owned, sizeof *used, error);
	d->behind = array_create(d->owned, sizeof *d->behind, error);
	d->toward = array_create(d->owned, sizeof *d->toward, error);
	if (!error->status)
		mark_used(d, used);
	for (uint32_t i = 0; !error->status && i < d->owned; i++) {
		if (!used[i])
			continue;
		d->behind[i] = find_behind(inner, (struct topology_node){inner->switches == 0, d->first + i});
		if (d->behind[i] == NOWHERE)
			d->toward[i] = find_ports(inner, d->first + i, error);
	}
	free(used);
	if (!error->status && nested_longest(topology) <= TOPOLOGY_ROUTE_MAX)
		topology->routing = topology->kind->routing;
	return error->status ? -1 : 0;
}

uint32_t nested_longest(const struct topology *topology)
{
	const struct derived *d = topology->data;
	uint64_t outer = d->outer->kind->longest(d->outer), inner = d->inner->kind->longest(d->inner);
	/* each of outer's channels can end in a copy; paths that are stored, or go through switches only, are not longer than those of
	 * hosts */
	uint64_t longest = outer + (d->outer->switches ? 2 : outer + 1) * inner;
	return longest > UINT32_MAX ? UINT32_MAX : (uint32_t)longest;
}

/* ---- routes */

/* Returns the port by which a node of inner is left for another, which is a host or has ports of outer. */
static uint32_t next_in_copy(const struct derived *d, struct topology_node at, struct topology_node to)
{
	const struct topology *inner = d->inner;
	if (to.host)
		return inner->kind->next(inner, at.host, at.node, to.node);
	uint32_t entry = to.node - d->first;
	if (d->behind[entry] == NOWHERE)
		return d->toward[entry][at.host ? at.node : inner->hosts + at.node];
	if (at.host && at.node == d->behind[entry])
		return 0;
	return inner->kind->next(inner, at.host, at.node, d->behind[entry]);
}

/* A route that is being made. */
struct way {
	const struct topology *topology;
	const struct derived *derived;
	struct topology_step *steps;
	uint32_t length;
	uint32_t copy;
	struct pair_distance *distance; /* NULL, or what is counted instead of steps */
};

static void step(struct way *w, struct topology_node at, uint32_t port)
{
	const struct topology *inner = w->derived->inner;
	if (w->distance) {
		w->distance->channels[topology_tier(inner, (struct topology_port){at.host, at.node, port})]++;
		return;
	}
	uint32_t node = w->copy * (at.host ? inner->hosts : inner->switches) + at.node;
	if (at.host && w->length)
		node -= w->topology->hosts; /* it forwards */
	w->steps[w->length++] = (struct topology_step){node, port};
}

/* Returns a host by which routes from and to a node are found; NOWHERE: there is none. */
static uint32_t host_of(const struct derived *d, struct topology_node at)
{
	return at.host ? at.node : at.node >= d->first ? d->behind[at.node - d->first] : NOWHERE;
}

/* Appends the route of inner between two hosts, without its first step, its last, or both, which belong to the hosts behind the ends. */
static void by_hosts(struct way *w, uint32_t source, uint32_t destination, bool first, bool last)
{
	const struct topology *inner = w->derived->inner;
	struct topology_step own[TOPOLOGY_ROUTE_MAX];
	uint32_t length = inner->kind->route(inner, source, destination, own);
	for (uint32_t i = !first; i + !last < length; i++) {
		uint32_t host = own[i].node + inner->hosts; /* modulo 2^32: one that forwards */
		bool is_host = i == 0 || host < inner->hosts;
		step(w, (struct topology_node){is_host, i && is_host ? host : own[i].node}, own[i].port);
	}
}

/* Appends the route within the copy. */
static void cross(struct way *w, struct topology_node at, struct topology_node to)
{
	const struct derived *d = w->derived;
	uint32_t source = host_of(d, at), destination = host_of(d, to);
	if (source != NOWHERE && destination != NOWHERE && source != destination) {
		by_hosts(w, source, destination, at.host, to.host);
		return;
	}
	while (!same(at, to)) {
		uint32_t port = next_in_copy(d, at, to);
		struct topology_port peer = peer_of(d->inner, at.host, at.node, port);
		step(w, at, port);
		at = (struct topology_node){peer.host, peer.node};
	}
}

void nested_cross(const struct topology *topology, struct topology_node from, struct topology_node to, struct pair_distance *distance)
{
	struct way way = {topology, topology->data, NULL, 0, 0, distance};
	cross(&way, from, to);
}

/* Returns the node of inner at a port of the network of networks, and sets the copy. */
static struct topology_node enter(const struct derived *d, struct topology_port port, uint32_t *copy)
{
	uint32_t each = port.host ? d->inner->hosts : d->inner->switches;
	*copy = port.node / each;
	return (struct topology_node){port.host, port.node % each};
}

uint32_t nested_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct derived *d = topology->data;
	const struct topology *outer = d->outer;
	uint32_t each = d->inner->hosts, to = destination / each, length = 0;
	struct way way = {topology, d, steps, 0, source / each, NULL};
	struct topology_node at = {true, source % each};
	struct topology_step own[TOPOLOGY_ROUTE_MAX];
	if (way.copy != to)
		length = outer->kind->route(outer, way.copy, to, own);
	for (uint32_t i = 0; i < length; i++) {
		uint32_t host = i ? own[i].node + outer->hosts : own[i].node; /* modulo 2^32: a copy */
		struct topology_port port = {host < outer->hosts, host < outer->hosts ? host : own[i].node, own[i].port};
		if (port.host) {
			struct topology_port out = derived_owner(d, port);
			struct topology_node exit = enter(d, out, &way.copy);
			cross(&way, at, exit);
			step(&way, exit, out.port);
		} else {
			steps[way.length++] = (struct topology_step){d->inner->switches * outer->hosts + port.node, port.port};
		}
		struct topology_port peer = peer_of(outer, port.host, port.node, port.port);
		if (peer.host)
			at = enter(d, derived_end(d, peer), &way.copy);
	}
	cross(&way, at, (struct topology_node){true, destination % each});
	return way.length;
}

uint32_t nested_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct derived *d = topology->data;
	uint32_t hosts = d->inner->hosts, switches = d->inner->switches, to = destination / hosts, copy;
	if (!host && node >= switches * d->outer->hosts)
		return d->outer->kind->next(d->outer, false, node - switches * d->outer->hosts, to);
	struct topology_node at = enter(d, (struct topology_port){host, node, 0}, &copy);
	if (copy == to)
		return next_in_copy(d, at, (struct topology_node){true, destination % hosts});
	struct topology_port out = derived_owner(d, (struct topology_port){true, copy, d->outer->kind->next(d->outer, true, copy, to)});
	struct topology_node exit = enter(d, out, &copy);
	return same(at, exit) ? out.port : next_in_copy(d, at, exit);
}
