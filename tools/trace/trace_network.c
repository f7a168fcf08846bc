#include "tools/trace/trace_network.h"

#include "base/args.h"
#include "base/shown.h"
#include "fabric/port_names.h"
#include "formats/route_file.h"
#include "infiniband/source_options.h"

#include <stdlib.h>
#include <string.h>

static void forget(struct trace_network *n)
{
	whole_fabric_free(n->whole);
	source_routes_free(n->routes);
	virtual_lanes_free(n->lanes);
	attributes_free(n->attributes);
	forwarding_free(n->forwarding);
	fabric_free(n->fabric);
	n->whole = NULL;
	n->routes = NULL;
	n->lanes = NULL;
	n->attributes = NULL;
	n->forwarding = NULL;
	n->fabric = NULL;
}

static int load(struct trace_network *n, struct trace_options *o, unsigned more, FILE *notes, struct error *error)
{
	unsigned tables = o->routes ? 0 : DOT_TABLES | DOT_ALTERNATIVES;
	if (fabric_source_load(&o->fabric, tables | DOT_ALLOW_NO_LINK | DOT_KEEP_READ | DOT_KEEP_LANES | more, &n->files, notes, &n->fabric,
		    &n->forwarding, &n->attributes, &n->odd, error))
		return -1;
	if (o->routes && route_file_read(o->routes, n->fabric, &n->routes, error))
		return -1;
	return n->attributes && attributes_have_lanes(n->attributes) ? virtual_lanes_load(&n->lanes, n->attributes, n->fabric, true, error)
								     : 0;
}

int trace_network_load(struct trace_network *network, struct trace_options *options, FILE *notes, struct error *error)
{
	unsigned more = options->group == GROUP_MACHINE ? DOT_KEEP /* for system image GUIDs */
			: options->channel              ? DOT_KEEP_PLACES
							: 0;
	return load(network, options, more, notes, error);
}

void trace_network_clear(struct trace_network *network)
{
	forget(network);
	files_clear(&network->files);
}

/* Makes the complete subnet; a cache or a specification is read again, for its attributes. */
static int need_whole(struct trace_network *n, struct trace_options *o, struct error *error)
{
	if (!n->attributes) {
		if (source_is_standard(&o->fabric))
			return error_set(error, STATUS_USAGE,
				"a cache on standard input cannot be read again, as switches and further LIDs need: specify the file");
		forget(n);
		if (load(n, o, DOT_KEEP, NULL, error))
			return -1;
	}
	n->whole = n->whole ? n->whole : whole_fabric_create(n->fabric, n->forwarding, n->attributes, error);
	return n->whole ? 0 : -1;
}

/* ---- nodes */

/* Returns the GUID of the node that has a port with this GUID: adapters' are smaller by the number of the port. */
static uint64_t guid_of(const struct fabric *f, uint32_t node, uint32_t port)
{
	const struct fabric_labels *l = f->labels;
	if (f->node_host[node] == NONE || l->node_guid[node])
		return l->node_guid[node] ? l->node_guid[node] : l->guid[node];
	return l->guid[node] && port ? l->guid[node] - port : 0;
}

struct trace_node trace_node_of(const struct trace_network *network, uint32_t node, uint32_t port)
{
	const struct fabric *f = network->fabric;
	const struct fabric_labels *l = f->labels;
	bool host = f->node_host[node] != NONE;
	return (struct trace_node){
		.name = l->name[node],
		.desc = *l->desc[node] ? l->desc[node] : l->name[node],
		.guid = guid_of(f, node, port),
		.port_guid = host ? l->guid[node] : 0,
		.lid = l->lid[node],
		.lmc = l->lmc[node],
		.kind = host ? WHOLE_CA : WHOLE_SWITCH,
	};
}

struct trace_node trace_node_at(const struct trace_network *network, uint32_t port)
{
	const struct whole_port *p = &network->whole->port[port];
	const struct whole_node *node = &network->whole->node[p->node];
	bool is_switch = node->kind == WHOLE_SWITCH;
	const struct whole_port *owner = is_switch ? &network->whole->port[node->port] : p;
	return (struct trace_node){
		.name = node->name ? node->name : node->desc,
		.desc = node->desc,
		.guid = node->guid,
		.port_guid = is_switch ? 0 : p->guid,
		.lid = owner->lid,
		.lmc = owner->lmc,
		.kind = (enum whole_kind)node->kind,
	};
}

/* ---- ends */

/* A search for the vertex with a name or a number; ambiguous: several have it. */
struct search {
	const char *text, *what;
	uint32_t vertex, lid;
	bool ambiguous;
};

static void found(struct search *s, uint32_t vertex, uint32_t lid)
{
	s->ambiguous |= s->vertex != NONE && s->vertex != vertex;
	s->vertex = vertex;
	s->lid = lid;
}

/* Searches the hosts by the GUID of their adapter, and hosts and switches by their further LIDs. */
static void search_numbers(const struct fabric *f, struct search *s)
{
	const struct fabric_labels *l = f->labels;
	uint64_t guid = 0;
	int64_t lid = 0;
	bool is_guid = strlen(s->text) > 6 && read_guid(s->text, &guid) && guid;
	bool is_lid = !is_guid && read_integer(s->text, 1, LID_LAST, &lid);
	for (uint32_t v = 0; v < f->nodes && (is_guid || is_lid); v++) {
		uint32_t first = f->first_channel[v], port = first < f->first_channel[v + 1] ? l->port[first] : 0;
		if (is_guid && guid_of(f, v, port) == guid)
			found(s, v, 0);
		else if (is_lid && l->lid[v] && lid - l->lid[v] > 0 && lid - l->lid[v] < 1 << l->lmc[v])
			found(s, v, (uint32_t)lid);
	}
}

/* Searches the other nodes by name, description and its first word; then all nodes by GUID and LID. */
static void search_whole(const struct trace_network *n, struct search *s)
{
	const struct whole_fabric *w = n->whole;
	const struct attribute *desc = attributes_find(n->attributes, ATTRIBUTE_NODE, "desc");
	size_t length = strlen(s->text);
	uint64_t guid = 0;
	int64_t lid = 0;
	for (uint32_t v = n->fabric->nodes; v < w->vertices; v++) {
		const char *of = attribute_get(desc, v);
		if (!strcmp(n->attributes->name[v], s->text) ||
			(of && !strncmp(of, s->text, length) && (!of[length] || (strcspn(of, " \t") == length))))
			found(s, v, 0);
	}
	bool is_guid = strlen(s->text) > 6 && read_guid(s->text, &guid) && guid;
	bool is_lid = !is_guid && read_integer(s->text, 1, LID_LAST, &lid);
	for (uint32_t v = 0; v < w->vertices && s->vertex == NONE && (is_guid || is_lid); v++) {
		uint32_t port = w->lid_port[v];
		const struct whole_port *p = port == NONE ? NULL : &w->port[port];
		if (p && is_guid && (p->guid == guid || w->node[p->node].guid == guid))
			found(s, v, 0);
		else if (p && is_lid && p->lid && lid >= p->lid && lid - p->lid < 1 << p->lmc)
			found(s, v, lid == p->lid ? 0 : (uint32_t)lid);
	}
}

static int find_end(struct trace_network *n, struct trace_options *o, const char *text, struct trace_end *end, struct error *error)
{
	struct node_names names;
	struct search search = {.text = text, .vertex = NONE};
	char hint[NODE_HINT_SIZE];
	if (!node_names_init(&names, n->fabric, NODES_ALL, error)) {
		search.vertex = node_names_find(&names, text, strlen(text));
		search.ambiguous = search.vertex == NODE_AMBIGUOUS;
		if (search.vertex == NAME_NONE)
			search_numbers(n->fabric, &search);
		node_names_hint(&names, text, strlen(text), hint);
	}
	node_names_clear(&names);
	if (!error->status && search.vertex == NONE && !need_whole(n, o, error))
		search_whole(n, &search);
	if (error->status)
		return -1;
	if (search.vertex == NONE || search.ambiguous)
		return error_set(error, STATUS_USAGE, "%s '%s'%s", search.ambiguous ? "several nodes are called" : "no node is called",
			SHOWN(text), hint);
	*end = (struct trace_end){search.vertex, search.vertex < n->fabric->nodes ? n->fabric->node_host[search.vertex] : NONE, search.lid};
	return 0;
}

int trace_ends_find(struct trace_network *network, struct trace_options *options, struct trace_end end[2], struct error *error)
{
	bool whole = false;
	for (int i = 0; i < 2; i++) {
		if (find_end(network, options, i ? options->to : options->from, &end[i], error))
			return -1;
		whole |= end[i].host == NONE || end[i].lid || network->fabric->labels->lmc[end[i].vertex];
	}
	if (end[0].vertex == end[1].vertex)
		return error_set(error, STATUS_USAGE, "'%s' and '%s' are the same node: a route needs two", SHOWN(options->from),
			SHOWN(options->to));
	if (whole && options->routes)
		return error_set(error, STATUS_USAGE, "source routes join hosts only: specify two hosts by their base LIDs or names");
	if (whole && need_whole(network, options, error))
		return -1;
	for (int i = 0; whole && i < 2; i++)
		if (network->whole->lid_port[end[i].vertex] == NONE)
			return error_set(error, STATUS_USAGE, "'%s' has no LID", SHOWN(i ? options->to : options->from));
	return 0;
}

uint32_t trace_channel_find(const struct trace_network *network, const char *text, struct error *error)
{
	struct node_names names;
	struct port_names ports = {network->fabric, &names, network->forwarding->function, network->attributes};
	struct port_named named = {NONE, NONE};
	char where[600];
	snprintf(where, sizeof where, "--channel is '%s'", SHOWN(text));
	if (!node_names_init(&names, network->fabric, NODES_ALL, error) && !port_names_find(&ports, where, text, &named, error) &&
		named.channel == NONE)
		error_set(error, STATUS_USAGE, "%s: add a port, as in %s:1", where, SHOWN(text));
	node_names_clear(&names);
	return named.channel;
}
