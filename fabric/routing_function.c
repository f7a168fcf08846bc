#include "fabric/routing_function.h"

#include "base/memory.h"
#include "fabric/tree_routes.h"
#include "topologies/topology.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Finds the ports of a node by the nodes that they lead to. */
struct search {
	uint32_t *first; /* [nodes] the first port to that node not yet found; NONE */
	uint32_t *next;  /* [ports] the next port to the same node */
	size_t capacity;
	uint32_t *node; /* [nodes] number -> node */
};

/* Numbers the nodes. Returns 0, or -1 if the topology has other numbers of hosts, switches or edges. */
static int number_nodes(struct routing_function *c, const struct fabric *fabric, uint32_t *node, struct error *error)
{
	const struct topology *t = c->topology;
	uint32_t switches = fabric->nodes - fabric->hosts, hosts = 0, others = fabric->hosts;
	if (fabric->hosts != t->hosts || switches != t->switches || fabric->channels != t->channels)
		return error_set(error, STATUS_FABRIC,
			"it has %" PRIu32 " hosts, %" PRIu32 " switches and %" PRIu32 " edges, but %s has %" PRIu32 ", %" PRIu32
			" and %" PRIu64,
			fabric->hosts, switches, fabric->channels, c->spec, t->hosts, t->switches, t->channels);
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		uint32_t number = c->number[v] = fabric->node_host[v] != NONE ? hosts++ : others++;
		c->first[number] = fabric->first_channel[v];
		node[number] = v;
	}
	return 0;
}

/* Finds the place of each channel of a node: channels to the same node are its ports to that node in order. Returns 0, or -1. */
static int place_channels(struct routing_function *c, struct search *s, const struct fabric *fabric, uint32_t v, struct error *error)
{
	const struct topology *t = c->topology;
	bool host = c->number[v] < fabric->hosts;
	uint32_t number = c->number[v] - (host ? 0 : fabric->hosts), first = fabric->first_channel[v];
	uint32_t channels = fabric->first_channel[v + 1] - first, ports = t->kind->ports(t, host, number);
	const struct fabric_labels *labels = fabric->labels;
	if (ports != channels)
		return error_set(error, STATUS_FABRIC, "%s has %" PRIu32 " outgoing edges, but in %s %" PRIu32,
			labels ? labels->name[v] : "a node", channels, c->spec, ports);
	if (array_grow(&s->next, &s->capacity, ports, sizeof *s->next, error))
		return -1;
	for (uint32_t port = ports; port--;) {
		struct topology_port to = t->kind->peer(t, (struct topology_port){host, number, port});
		uint32_t head = s->node[to.node + (to.host ? 0 : fabric->hosts)];
		s->next[port] = s->first[head];
		s->first[head] = port;
		c->own_ends &= !host || (ports == 1 && !to.host);
	}
	for (uint32_t i = 0; i < channels; i++) {
		uint32_t head = fabric->head[first + i], port = s->first[head];
		if (port == NONE)
			return error_set(error, STATUS_FABRIC, "edge %s -> %s is not in %s", labels ? labels->name[v] : "",
				labels ? labels->name[head] : "", c->spec);
		s->first[head] = s->next[port];
		c->channel[first + port] = first + i;
	}
	return 0;
}

bool routing_function_even(const struct routing_function *c, uint32_t from, uint32_t to, uint32_t *ports)
{
	*ports = to - from > 1 ? c->first[from + 1] - c->first[from] : 0;
	for (uint32_t i = from; i < to; i++)
		if (c->first[i] != c->first[from] + *ports * (i - from))
			return false;
	return true;
}

/* Returns the number of ports of each of the first nodes if they all have equally many, stored from place 0 on; otherwise 0. */
static uint32_t ports_each(const struct routing_function *c, uint32_t nodes)
{
	uint32_t ports;
	return routing_function_even(c, 0, nodes, &ports) && !c->first[0] ? ports : 0;
}

/* Compares the graph with the topology. Returns 0, or -1 with an error. */
static int place_all(struct routing_function *c, const struct fabric *fabric, struct error *error)
{
	struct search search = {.first = array_create(fabric->nodes, sizeof *search.first, error),
		.node = array_create(fabric->nodes, sizeof *search.node, error)};
	if (!error->status && !number_nodes(c, fabric, search.node, error)) {
		bool same = c->own_ends = true;
		memset(search.first, 0xff, fabric->nodes * sizeof *search.first); /* NONE */
		for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
			place_channels(c, &search, fabric, v, error);
		for (uint32_t place = 0; place < fabric->channels; place++)
			same &= c->channel[place] == place;
		if (same) {
			free(c->channel);
			c->channel = NULL;
		}
		c->ports = ports_each(c, fabric->nodes);
		c->host_ports = ports_each(c, fabric->hosts);
		if (!error->status)
			c->tree = tree_routes_create(c, error);
	}
	free(search.first);
	free(search.next);
	free(search.node);
	return error->status ? -1 : 0;
}

/* Fills the allocated arrays. Returns 0, or -1 with an error. */
static int compute(struct routing_function *c, const struct fabric *fabric, struct error *error)
{
	const struct topology_kind *kind = topology_find(c->spec);
	if (kind && !kind->routing) /* before the topology is created, which may take long */
		return error_set(error, STATUS_FABRIC, "it has no routing function");
	if (kind && strcmp(kind->routing, c->routing) != 0)
		return error_set(error, STATUS_FABRIC, "its routing function is not '%s' but '%s'", c->routing, kind->routing);
	c->topology = topology_create(c->spec, error);
	if (c->topology && !c->topology->routing)
		return error_set(error, STATUS_FABRIC, "it has no routing function");
	return c->topology ? place_all(c, fabric, error) : -1;
}

struct routing_function *routing_function_create(const struct fabric *fabric, const char *spec, const char *routing, struct error *error)
{
	struct error reason = {0};
	struct routing_function *c = array_create(1, sizeof *c, error);
	if (!c)
		return NULL;
	c->spec = strdup(spec);
	c->routing = strdup(routing);
	c->number = array_create(fabric->nodes, sizeof *c->number, error);
	c->first = array_create(fabric->nodes, sizeof *c->first, error);
	c->channel = array_create(fabric->channels, sizeof *c->channel, error);
	if (!error->status && (!c->spec || !c->routing))
		error_set(error, STATUS_IO, "out of memory");
	if (!error->status && compute(c, fabric, &reason))
		error_at(error, reason.status == STATUS_IO ? STATUS_IO : STATUS_FABRIC, fabric->labels ? fabric->labels->source : "", 0,
			"the fabric is not the topology '%s' with computed routes: %s", spec, reason.text);
	if (!error->status)
		return c;
	routing_function_free(c);
	return NULL;
}

void routing_function_free(struct routing_function *function)
{
	if (!function)
		return;
	tree_routes_free(function->tree);
	topology_free(function->topology);
	free(function->spec);
	free(function->routing);
	free(function->number);
	free(function->first);
	free(function->channel);
	free(function);
}

uint32_t routing_function_places(const struct routing_function *c, uint32_t source, uint32_t destination, bool ends, uint32_t *places)
{
	if (c->tree)
		return tree_routes_places(c->tree, source, destination, ends, places);
	const struct topology *t = c->topology;
	struct topology_step step[TOPOLOGY_ROUTE_MAX];
	uint32_t length = t->kind->route(t, source, destination, step), written = 0;
	if (c->ports && ends) { /* no look-up needed */
		places[0] = c->ports * source + step[0].port;
		for (uint32_t i = 1; i < length; i++)
			places[i] = c->ports * (t->hosts + step[i].node) + step[i].port;
		return length;
	}
	if (ends)
		places[written++] = (c->host_ports ? c->host_ports * source : c->first[source]) + step[0].port;
	for (uint32_t i = 1; i < length - !ends; i++)
		places[written++] = c->first[t->hosts + step[i].node] + step[i].port;
	return written;
}

uint32_t routing_function_route(const struct routing_function *c, uint32_t source, uint32_t destination, bool ends, uint32_t *channels)
{
	uint32_t length = routing_function_places(c, source, destination, ends, channels);
	for (uint32_t i = 0; c->channel && i < length; i++)
		channels[i] = c->channel[channels[i]];
	return length;
}

uint32_t routing_function_longest(const struct routing_function *c)
{
	return c->topology->kind->longest(c->topology);
}

uint32_t routing_function_next(const struct routing_function *c, uint32_t node, uint32_t destination)
{
	const struct topology *t = c->topology;
	uint32_t number = c->number[node];
	bool host = number < t->hosts;
	if (number == destination)
		return NONE;
	return routing_function_channel(c, c->first[number] + t->kind->next(t, host, number - (host ? 0 : t->hosts), destination));
}
