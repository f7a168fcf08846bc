/* Makes a fabric of the graph of a dot file. */
#include "base/memory.h"
#include "formats/dot_graph.h"

#include "base/args.h"
#include "base/input.h"
#include "formats/dot_numbers.h"

#include <stdlib.h>
#include <string.h>

/* The attributes that the analyser uses; NULL: the graph does not have it. */
struct symbols {
	const struct attribute *type, *guid, *node_guid, *desc, *lid, *lmc, *lids, *ports, *comment, *weights, *port, *peer_port, *speed,
		*latency, *width;
};

static struct symbols find_symbols(const struct attributes *a)
{
	return (struct symbols){
		.type = attributes_find(a, ATTRIBUTE_NODE, "type"),
		.guid = attributes_find(a, ATTRIBUTE_NODE, "guid"),
		.node_guid = attributes_find(a, ATTRIBUTE_NODE, "node_guid"),
		.desc = attributes_find(a, ATTRIBUTE_NODE, "desc"),
		.lid = attributes_find(a, ATTRIBUTE_NODE, "lid"),
		.lmc = attributes_find(a, ATTRIBUTE_NODE, "lmc"),
		.lids = attributes_find(a, ATTRIBUTE_NODE, "lids"),
		.ports = attributes_find(a, ATTRIBUTE_NODE, "ports"),
		.comment = attributes_find(a, ATTRIBUTE_CHANNEL, "comment"),
		.weights = attributes_find(a, ATTRIBUTE_CHANNEL, "weights"),
		.port = attributes_find(a, ATTRIBUTE_CHANNEL, "port"),
		.peer_port = attributes_find(a, ATTRIBUTE_CHANNEL, "peer_port"),
		.speed = attributes_find(a, ATTRIBUTE_CHANNEL, "speed"),
		.latency = attributes_find(a, ATTRIBUTE_CHANNEL, "latency"),
		.width = attributes_find(a, ATTRIBUTE_CHANNEL, "width"),
	};
}

/* Returns whether the node is a host: by its type, otherwise by its name. Returns -1 on an unknown type. */
static int is_host(const struct dot_graph *dot, uint32_t node, const struct symbols *symbols, const char *file, struct error *error)
{
	const char *type = attribute_get(symbols->type, node), *name = dot->attributes->name[node];
	if (!type)
		return name[0] == 'H';
	if (!strcmp(type, "host") || !strcmp(type, "switch"))
		return type[0] == 'h';
	return error_at(error, STATUS_FABRIC, file, dot_line_of(file, name),
		"node '%s' has the type '%s'; it must be host, switch, aggregation, router, port or spare", name, type);
}

/* An attribute that must be a number. */
struct number {
	const char *name, *text;
	bool wrong;
	const char *what;
};

/* Reads the numbers of a node, including those that are only checked. Returns 0, or -1. */
static int read_node_numbers(
	uint32_t node, struct fabric_labels *labels, const struct symbols *symbols, const char *file, struct error *error)
{
	const char *id = attribute_get(symbols->guid, node), *adapter = attribute_get(symbols->node_guid, node);
	const char *lid = attribute_get(symbols->lid, node), *lmc = attribute_get(symbols->lmc, node),
		   *lids = attribute_get(symbols->lids, node);
	const char *ports = attribute_get(symbols->ports, node), *name = labels->name[node];
	int64_t bits = 0;
	uint32_t count;
	const struct number number[] = {
		{"guid", id, id && !read_guid(id, &labels->guid[node]), "up to 16 hexadecimal digits"},
		{"node_guid", adapter, adapter && !read_guid(adapter, &labels->node_guid[node]), "up to 16 hexadecimal digits"},
		{"lid", lid, lid && !dot_is_lid(lid), "a LID from 0 to 49151"},
		{"lmc", lmc, lmc && !read_integer(lmc, 0, LMC_MOST, &bits), "a number up to 7"},
		{"lids", lids, lids && !dot_is_lids(lids), "LIDs from 1 to 49151, for example 5-8"},
		{"ports", ports, ports && !dot_read_port(ports, &count), "a number of ports"},
	};
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (number[i].wrong)
			return error_at(error, STATUS_FABRIC, file, dot_line_of(file, name), "node '%s' has the %s '%s', not %s", name,
				number[i].name, number[i].text, number[i].what);
	if (lid)
		labels->lid[node] = (uint16_t)strtoul(lid, NULL, 10);
	labels->lmc[node] = (uint8_t)bits;
	return 0;
}

/* Copies names and node descriptions into one pool and fills the table of names. */
static int read_labels(
	const struct dot_graph *dot, struct fabric *fabric, const struct symbols *symbols, const char *file, struct error *error)
{
	struct fabric_labels *labels = fabric->labels;
	size_t size = 1;
	for (uint32_t v = 0; v < dot->attributes->nodes; v++) {
		const char *desc = attribute_get(symbols->desc, v);
		if (dot->attributes->name[v][0] == '%')
			return error_at(
				error, STATUS_FABRIC, file, 0, "a node's name begins with '%%', which Graphviz reserves; rename the node");
		size += strlen(dot->attributes->name[v]) + 1 + (desc ? strlen(desc) + 1 : 0);
	}
	char *place = labels->pool = array_create(size, 1, error);
	if (!place)
		return -1;
	const char *empty = place++; /* the pool begins with an empty string */
	for (uint32_t v = 0; v < dot->attributes->nodes; v++) {
		const char *desc = attribute_get(symbols->desc, v);
		labels->name[v] = place;
		place = stpcpy(place, dot->attributes->name[v]) + 1;
		labels->desc[v] = desc ? place : empty;
		if (desc)
			place = stpcpy(place, desc) + 1;
		if (read_node_numbers(v, labels, symbols, file, error))
			return -1;
		name_table_add(&labels->names, labels->name[v], v);
	}
	return 0;
}

/* Reads a latency. Returns 0, or -1 if it is not a time, or if out of memory. */
static int read_latency(struct fabric *fabric, uint32_t channel, const char *text, struct error *error)
{
	if (!fabric->latency && !(fabric->latency = array_create(fabric->channels, sizeof *fabric->latency, error)))
		return -1;
	double *seconds = &fabric->latency[channel];
	return read_number(text, 0, DOT_LATENCY_MAX, seconds) && is_time(*seconds) ? 0 : -1;
}

/* Reads the numbers of a channel, including those that are only checked. *gbps: 0 if it has no speed. */
static int read_channel_numbers(const struct symbols *symbols, struct fabric *fabric, uint32_t channel, uint32_t tail, double *gbps,
	const char *file, struct error *error)
{
	struct fabric_labels *labels = fabric->labels;
	const char *port = attribute_get(symbols->port, channel), *peer = attribute_get(symbols->peer_port, channel);
	const char *speed = attribute_get(symbols->speed, channel), *latency = attribute_get(symbols->latency, channel);
	const char *width = attribute_get(symbols->width, channel);
	*gbps = 0;
	const struct number number[] = {
		{"port", port, port && !dot_read_port(port, &labels->port[channel]), "the number of a port"},
		{"peer_port", peer, peer && !dot_read_port(peer, &labels->peer_port[channel]), "the number of a port"},
		{"speed", speed, speed && !read_number(speed, DOT_SPEED_MIN, DOT_SPEED_MAX, gbps), "a number of Gb/s"},
		{"latency", latency, latency && read_latency(fabric, channel, latency, error), "a number of seconds, 0 or at least 1e-12"},
		{"width", width, width && !(labels->width[channel] = (uint8_t)dot_width(width)), "1x, 2x, 4x, 8x or 12x"},
	};
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (number[i].wrong)
			return error_at(error, STATUS_FABRIC, file, dot_line_of(file, labels->name[tail]),
				"channel %s -> %s has the %s '%s', not %s", labels->name[tail], labels->name[fabric->head[channel]],
				number[i].name, number[i].text, number[i].what);
	return 0;
}

/* Reads heads, ports, speeds and latencies of all channels. gbps: [channels] 0 if there is none. */
static int read_channels(const struct dot_graph *dot, struct fabric *fabric, const struct symbols *symbols, double *gbps, const char *file,
	struct error *error)
{
	memcpy(fabric->first_channel, dot->first_channel, ((size_t)fabric->nodes + 1) * sizeof *fabric->first_channel);
	memcpy(fabric->head, dot->head, fabric->channels * sizeof *fabric->head);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			if (read_channel_numbers(symbols, fabric, c, v, &gbps[c], file, error))
				return -1;
	return 0;
}

int dot_check(const struct fabric *fabric, unsigned wants, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	if (!fabric->hosts)
		return error_at(error, STATUS_FABRIC, labels->source, 0, "the fabric has no hosts: no node's name begins with H");
	for (uint32_t h = 0; h < fabric->hosts && !(wants & DOT_ALLOW_NO_LINK); h++) {
		uint32_t v = fabric->host_node[h];
		if (fabric->first_channel[v] == fabric->first_channel[v + 1])
			return error_at(error, STATUS_FABRIC, labels->source,
				labels->line_of ? labels->line_of(labels->source, labels->name[v]) : 0,
				"host '%s' has no up link: no edge leaves it", labels->name[v]);
	}
	return 0;
}

/* Returns whether all nodes have a type. */
static bool says_types(const struct dot_graph *dot, const struct symbols *symbols)
{
	bool all = true;
	for (uint32_t v = 0; v < dot->attributes->nodes && all; v++)
		all = attribute_get(symbols->type, v) != NULL;
	return all;
}

static struct fabric *build_fabric(
	const struct dot_graph *dot, unsigned wants, const char *file, struct dot_report *report, struct error *error)
{
	struct symbols symbols = find_symbols(dot->attributes);
	uint32_t hosts = 0;
	for (uint32_t v = 0; v < dot->attributes->nodes; v++) {
		int host = is_host(dot, v, &symbols, file, error);
		if (host < 0)
			return NULL;
		hosts += (uint32_t)host;
	}
	struct fabric *fabric = fabric_create(dot->attributes->nodes, hosts, dot->attributes->channels, error);
	double *gbps = array_create(dot->attributes->channels, sizeof *gbps, error);
	if (!fabric || !gbps)
		goto failed;
	if (hosts == dot->attributes->nodes && !says_types(dot, &symbols)) {
		error_at(error, STATUS_FABRIC, file, 0,
			"the fabric has no switches: every node's name begins with H (if hosts forward, they need the attribute type=host)");
		goto failed;
	}
	uint32_t host = 0;
	for (uint32_t v = 0; v < dot->attributes->nodes; v++) {
		fabric->node_host[v] = is_host(dot, v, &symbols, file, error) ? host : NONE;
		if (fabric->node_host[v] != NONE)
			fabric->host_node[host++] = v;
	}
	fabric->labels->source = file;
	fabric->labels->line_of = dot_line_of;
	if (read_labels(dot, fabric, &symbols, file, error) || read_channels(dot, fabric, &symbols, gbps, file, error) ||
		dot_check(fabric, wants, error))
		goto failed;
	report->missing_speeds = fabric_set_speeds(fabric, gbps);
	free(gbps);
	return fabric;
failed:
	free(gbps);
	fabric_free(fabric);
	return NULL;
}

/* Adds the forwarding set of a channel and, if entries are kept whole, its weights. Returns whether it has a set. */
static bool add_set(const struct symbols *symbols, const struct fabric *fabric, uint32_t channel, struct forwarding_builder *builder,
	struct error *error)
{
	const char *set = attribute_get(symbols->comment, channel), *weights = attribute_get(symbols->weights, channel);
	if (!set)
		return false;
	forwarding_builder_add(builder, channel, set);
	if (weights && !forwarding_builder_weigh(builder, channel, weights)) {
		const struct fabric_labels *labels = fabric->labels;
		const char *tail = labels->name[fabric_tail(fabric, channel)];
		error_at(error, STATUS_FABRIC, labels->source, dot_line_of(labels->source, tail),
			"channel %s -> %s has the weights '%.40s', which are not a list of weights and hosts of its forwarding set", tail,
			labels->name[fabric->head[channel]], weights);
	}
	return true;
}

static struct forwarding *build_forwarding(
	const struct dot_graph *dot, const struct fabric *fabric, unsigned wants, struct dot_report *report, struct error *error)
{
	struct symbols symbols = find_symbols(dot->attributes);
	struct forwarding_builder *builder = forwarding_builder_create(fabric, error);
	if (!builder)
		return NULL;
	bool any = false;
	if (wants & DOT_ALTERNATIVES)
		forwarding_builder_keep_all(builder, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			any |= add_set(&symbols, fabric, c, builder, error);
		forwarding_builder_end_node(builder, v, error);
	}
	struct forwarding *forwarding = forwarding_builder_finish(builder, !error->status, &report->forwarding, error);
	const char *topology = attributes_of_graph(dot->attributes, "topology"), *routing = attributes_of_graph(dot->attributes, "routing");
	if (!any && !(topology && routing))
		report->hint = attributes_of_graph(dot->attributes, "routes") ? DOT_ROUTES_ELSEWHERE
			       : routing                                      ? "the attribute routing requires the attribute topology"
									      : DOT_UNROUTED;
	if (wants & DOT_ALTERNATIVES)
		report->forwarding.ambiguous = 0;
	if (forwarding)
		report->straight = forwarding->via = attributes_have_via(dot->attributes);
	if (!forwarding || any || !topology || !routing)
		return forwarding;
	struct routing_function *function = routing_function_create(fabric, topology, routing, error);
	if (function) {
		forwarding_compute(forwarding, fabric, function, NULL);
		return forwarding;
	}
	if (wants & DOT_MAYBE_TABLES && error->status == STATUS_FABRIC)
		*error = (struct error){0};
	forwarding_free(forwarding);
	return NULL;
}

int dot_graph_load(struct dot_graph *graph, const char *name, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error)
{
	*fabric = build_fabric(graph, wants, name, report, error);
	if (*fabric && (wants & DOT_TABLES))
		*forwarding = build_forwarding(graph, *fabric, wants, report, error);
	if (!error->status) {
		(*fabric)->labels->hash = forwarding_hash(*fabric, *forwarding);
		if (wants & (DOT_KEEP | DOT_KEEP_READ | DOT_KEEP_PLACES) ||
			(wants & DOT_KEEP_LANES &&
				(attributes_have_lanes(graph->attributes) || attributes_have_channels(graph->attributes)))) {
			*attributes = graph->attributes;
			graph->attributes = NULL;
		}
		return 0;
	}
	fabric_free(*fabric);
	forwarding_free(*forwarding);
	*fabric = NULL;
	*forwarding = NULL;
	return -1;
}

int dot_load_text(const struct dot_text *text, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error)
{
	*report = (struct dot_report){0};
	*fabric = NULL;
	*forwarding = NULL;
	*attributes = NULL;
	struct dot_graph graph;
	if (!dot_graph_read(&graph, text, report, error))
		dot_graph_load(&graph, text->name, wants, fabric, forwarding, attributes, report, error);
	dot_graph_clear(&graph);
	return error->status ? -1 : 0;
}

ssize_t dot_read_memory(void *from, char *buffer, size_t size, struct error *error)
{
	(void)error;
	struct dot_memory *memory = from;
	size = size < memory->left ? size : memory->left;
	memcpy(buffer, memory->text, size);
	memory->text += size;
	memory->left -= size;
	return (ssize_t)size;
}

static ssize_t read_input(void *from, char *buffer, size_t size, struct error *error)
{
	return input_read(from, buffer, size, error);
}

int dot_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct attributes **attributes,
	struct dot_report *report, struct error *error)
{
	*report = (struct dot_report){0};
	*fabric = NULL;
	*forwarding = NULL;
	*attributes = NULL;
	struct input *input = input_open(path, error);
	if (!input)
		return -1;
	struct dot_text text = {read_input, input, input_name(input)};
	int result = dot_load_text(&text, wants, fabric, forwarding, attributes, report, error);
	input_close(input);
	return result;
}

struct attributes *dot_keep(const struct dot_text *text, const struct fabric *fabric, struct error *error)
{
	struct dot_report ignored = {0};
	struct dot_graph graph;
	struct attributes *attributes = NULL;
	if (!dot_graph_read(&graph, text, &ignored, error)) {
		attributes = graph.attributes;
		graph.attributes = NULL;
	}
	dot_graph_clear(&graph);
	if (!attributes || (attributes->nodes == fabric->nodes && attributes->channels == fabric->channels))
		return attributes;
	error_at(error, STATUS_FABRIC, text->name, 0, "its graph does not match its tables");
	attributes_free(attributes);
	return NULL;
}
