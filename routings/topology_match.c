#include "routings/topology_match.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(const struct topology_match *p, uint32_t node)
{
	return p->graph->fabric->labels->name[node];
}

/* Numbers the nodes in their order. */
static void number_by_order(struct topology_match *p)
{
	const struct fabric *fabric = p->graph->fabric;
	uint32_t host = 0, other = p->topology->hosts;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		p->number[v] = fabric->node_host[v] != NONE ? host++ : other++;
		p->node[p->number[v]] = v;
	}
}

/* Numbers the nodes by their names. Returns 0, or -1. */
static int number_by_name(struct topology_match *p, const char *spec, struct error *error)
{
	const struct fabric *fabric = p->graph->fabric;
	const struct topology *t = p->topology;
	char name[TOPOLOGY_NAME_MAX];
	uint32_t found = 0;
	for (uint32_t i = 0; i < t->hosts + t->switches; i++) {
		bool host = i < t->hosts;
		t->kind->node_name(t, host, host ? i : i - t->hosts, name);
		uint32_t node = name_table_find(&fabric->labels->names, name, strlen(name));
		if (node == NAME_NONE || (fabric->node_host[node] != NONE) != host)
			continue;
		p->number[node] = i;
		p->node[i] = node;
		found++;
	}
	for (uint32_t v = 0; v < fabric->nodes && found < fabric->nodes; v++)
		if (p->number[v] == NONE)
			return error_at(error, STATUS_FABRIC, fabric->labels->source, 0,
				"numbers of hosts and switches differ from the topology '%s', which has no node '%s'", spec, name_of(p, v));
	return 0;
}

/*
 * Finds the channel of each port of a node; channels to the same node are its ports to it in their order. taken: [channels]. Returns 0, or
 * -1.
 */
static int place_ports(struct topology_match *p, uint32_t v, bool *taken, const char *spec, struct error *error)
{
	const struct fabric *fabric = p->graph->fabric;
	const struct topology *t = p->topology;
	bool host = p->number[v] < t->hosts;
	uint32_t number = p->number[v] - (host ? 0 : t->hosts), ports = p->first_port[v + 1] - p->first_port[v];
	for (uint32_t port = 0; port < ports; port++) {
		struct topology_port to = t->kind->peer(t, (struct topology_port){host, number, port});
		uint32_t head = p->node[to.node + (to.host ? 0 : t->hosts)], c = fabric->first_channel[v];
		while (c < fabric->first_channel[v + 1] && (taken[c] || fabric->head[c] != head))
			c++;
		bool there = c < fabric->first_channel[v + 1];
		if (there)
			taken[c] = true;
		else if (!p->missing++) {
			p->gap_node = v;
			p->gap_port = port;
		}
		p->channel[p->first_port[v] + port] = there ? c : NONE;
	}
	for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
		if (!taken[c])
			return error_at(error, STATUS_FABRIC, fabric->labels->source, 0, "edge %s -> %s is not in the topology '%s'",
				name_of(p, v), name_of(p, fabric->head[c]), spec);
	return 0;
}

static int place_all(struct topology_match *p, const char *spec, struct error *error)
{
	const struct fabric *fabric = p->graph->fabric;
	const struct topology *t = p->topology;
	bool *taken = array_create(fabric->channels, sizeof *taken, error);
	p->number = array_create(fabric->nodes, sizeof *p->number, error);
	p->node = array_create((size_t)t->hosts + t->switches, sizeof *p->node, error);
	p->first_port = array_create((size_t)fabric->nodes + 1, sizeof *p->first_port, error);
	if (!error->status) {
		memset(p->number, 0xff, fabric->nodes * sizeof *p->number); /* NONE */
		memset(p->node, 0xff, ((size_t)t->hosts + t->switches) * sizeof *p->node);
		if (fabric->hosts == t->hosts && fabric->nodes - fabric->hosts == t->switches)
			number_by_order(p);
		else
			number_by_name(p, spec, error);
	}
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		bool host = p->number[v] < t->hosts;
		p->first_port[v + 1] = p->first_port[v] + t->kind->ports(t, host, p->number[v] - (host ? 0 : t->hosts));
	}
	if (!error->status)
		p->channel = array_create(p->first_port[fabric->nodes], sizeof *p->channel, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		place_ports(p, v, taken, spec, error);
	free(taken);
	return error->status ? -1 : 0;
}

const char *topology_match_routing(const char *spec)
{
	struct error reason = {0};
	struct topology *topology = topology_may_be_routed(spec) ? topology_create(spec, &reason) : NULL;
	const char *routing = topology ? topology_plain(topology)->routing : NULL;
	topology_free(topology);
	return routing;
}

static int create(struct topology_match *p, const char *spec, struct error *error)
{
	struct error reason = {0};
	p->topology = topology_create(spec, &reason);
	if (!p->topology)
		return error_at(error, reason.status == STATUS_IO ? STATUS_IO : STATUS_FABRIC, p->graph->fabric->labels->source, 0,
			"the fabric is not the topology '%s': %s", spec, reason.text);
	p->plain = topology_plain(p->topology);
	return 0;
}

/* Creates the topology that the graph states. Returns 0, or -1. */
static int make_topology(struct topology_match *p, const char *spec, const char *routing, struct error *error)
{
	const char *source = p->graph->fabric->labels->source, *own = NULL;
	char which[200] = "the topology ";
	if (topology_may_be_routed(spec)) {
		if (create(p, spec, error))
			return -1;
		own = p->plain->routing;
	}
	if (strcmp(source, spec)) /* otherwise the message names it already */
		snprintf(which, sizeof which, "the topology '%s' ", spec);
	if (!own)
		return error_at(error, STATUS_FABRIC, source, 0, "%shas no routing function; choose another engine, such as minhop", which);
	if (routing && strcmp(own, routing))
		return error_at(error, STATUS_FABRIC, source, 0,
			"%shas the routing function %s, not %s; use that, or a general engine such as minhop", which, own, routing);
	return 0;
}

int topology_match_compare(struct topology_match *match, const struct routing_graph *graph, const char *spec, struct error *error)
{
	*match = (struct topology_match){.graph = graph};
	return create(match, spec, error) || place_all(match, spec, error) ? -1 : 0;
}

int topology_match_init(struct topology_match *match, const struct routing_task *task, const char *routing, struct error *error)
{
	*match = (struct topology_match){.graph = task->graph};
	if (!task->topology)
		return error_at(error, STATUS_FABRIC, task->graph->fabric->labels->source, 0,
			"%s needs the graph attribute topology, which orcs-topology writes; choose another engine, such as minhop",
			routing ? routing : "own");
	if (make_topology(match, task->topology, routing, error) || place_all(match, task->topology, error))
		return -1;
	if (match->plain != match->topology)
		match->used = array_create(task->graph->fabric->channels, sizeof *match->used, error);
	return error->status ? -1 : 0;
}

void topology_match_clear(struct topology_match *match)
{
	topology_free(match->topology);
	free(match->number);
	free(match->node);
	free(match->first_port);
	free(match->channel);
	free(match->used);
}

uint32_t topology_match_channel(const struct topology_match *match, uint32_t node, uint32_t head)
{
	const struct fabric *fabric = match->graph->fabric;
	uint32_t best = NONE;
	for (uint32_t c = fabric->first_channel[node]; c < fabric->first_channel[node + 1]; c++)
		if (fabric->head[c] == head && (best == NONE || (match->used && match->used[c] < match->used[best])))
			best = c;
	if (match->used && best != NONE)
		match->used[best]++;
	return best;
}

uint32_t topology_match_next(const struct topology_match *match, uint32_t node, uint32_t host)
{
	const struct topology *t = match->plain;
	uint32_t number = match->number[node], destination = match->number[match->graph->fabric->host_node[host]];
	bool is_host = number < t->hosts;
	struct topology_port port = {is_host, number - (is_host ? 0 : t->hosts), 0};
	port.port = t->kind->next(t, is_host, port.node, destination);
	if (!match->used)
		return match->channel[match->first_port[node] + port.port];
	struct topology_port to = t->kind->peer(t, port);
	uint32_t head = match->node[to.node + (to.host ? 0 : t->hosts)];
	return head == NONE ? NONE : topology_match_channel(match, node, head);
}

void topology_match_missing(const struct topology_match *match, char *text, size_t size)
{
	const struct topology *t = match->topology;
	uint32_t number = match->number[match->gap_node];
	bool host = number < t->hosts;
	char name[TOPOLOGY_NAME_MAX];
	struct topology_port to = t->kind->peer(t, (struct topology_port){host, number - (host ? 0 : t->hosts), match->gap_port});
	uint32_t node = match->node[to.node + (to.host ? 0 : t->hosts)];
	t->kind->node_name(t, to.host, to.node, name);
	snprintf(text, size, "%" PRIu64 " (the first: %s -> %s)", match->missing, name_of(match, match->gap_node),
		node == NONE ? name : name_of(match, node));
}

void topology_match_note(const struct topology_match *match, struct routed *routed, const char *what)
{
	char missing[MISSING_SIZE];
	if (!match->missing)
		return;
	topology_match_missing(match, missing, sizeof missing);
	snprintf(routed->note, sizeof routed->note, "missing edges of the topology: %s; %s", missing, what);
}

static uint32_t follow(const struct topology_match *p, topology_match_rule *rule, const void *data, uint32_t node, uint32_t host)
{
	return rule ? rule(p, data, node, host) : topology_match_next(p, node, host);
}

/* Fills a row if nothing is missing: every node has a path, wherever the others are. */
static void fill_row(const struct topology_match *p, topology_match_rule *rule, const void *data, uint32_t *row, uint32_t host)
{
	const struct routing_graph *n = p->graph;
	uint32_t own = n->column[n->fabric->host_node[host]];
	for (uint32_t i = 0; i < n->columns; i++)
		row[i] = i == own ? NONE : follow(p, rule, data, n->node[i], host);
}

/* Fills a row by the rule. Returns whether the rule has a channel for every node that can reach the host. */
static bool follow_rule(const struct topology_match *p, const struct choices *choices, topology_match_rule *rule, const void *data,
	uint32_t *row, uint32_t host)
{
	const struct routing_graph *n = p->graph;
	for (uint32_t i = 0; i < choices->count; i++) {
		uint32_t u = choices->order[i];
		uint32_t c = row[n->column[u]] = follow(p, rule, data, u, host);
		if (c == NONE || choices->distance[n->fabric->head[c]] == NONE)
			return false;
	}
	if (choices->root != n->fabric->host_node[host]) {
		uint32_t last = follow(p, rule, data, choices->root, host);
		row[n->column[choices->root]] = last;
		if (last == NONE)
			return false;
	}
	return true;
}

int topology_match_route(const struct topology_match *match, struct routed *routed, topology_match_rule *rule, const void *data,
	uint32_t *detours, struct error *error)
{
	const struct routing_graph *n = match->graph;
	struct choices choices;
	uint32_t *usage = array_create(n->fabric->channels, sizeof *usage, error);
	bool whole = !match->missing && !match->used; /* all have a path: no search is needed */
	*detours = 0;
	for (uint32_t g = choices_init(&choices, n, error) || !usage ? n->groups : 0; g < n->groups; g++) {
		if (!whole)
			choices_shortest(&choices, n->root[g]);
		for (uint32_t i = n->first_member[g]; i < n->first_member[g + 1]; i++) {
			uint32_t host = n->member[i], *row = routed_row(routed, n, host);
			if (whole)
				fill_row(match, rule, data, row, host);
			else if (!follow_rule(match, &choices, rule, data, row, host)) {
				memset(row, 0xff, n->columns * sizeof *row); /* NONE */
				routed_least_used(routed, &choices, g, host, usage);
				++*detours;
			}
		}
	}
	choices_clear(&choices);
	free(usage);
	return error->status ? -1 : 0;
}
