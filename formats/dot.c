/* Reading and writing dot through Graphviz's cgraph, and nowhere else. */
#include "dot.h"

#include "arena.h"
#include "args.h"
#include "dot_numbers.h"
#include "input.h"

#include <cgraph.h>
#include <ctype.h>
#include <errno.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

struct dot {
	Agraph_t *graph;
	Agnode_t **node; /* [nodes] */
	Agedge_t **edge; /* [channels] */
	uint32_t *place; /* [channels] those of each node in the order of the input */
	uint32_t nodes, channels;
};

/* cgraph reports through a callback without an argument: what it says of the file being read is gathered here. */
static struct {
	char text[1000];
	size_t length;
} said;

static int hear(char *text)
{
	if (!strcmp(text, "Error")) /* outweighs the warnings before it */
		said.length = 0;
	size_t length = strlen(text), room = sizeof said.text - 1 - said.length;
	if (length > room)
		length = room;
	memcpy(said.text + said.length, text, length);
	said.length += length;
	said.text[said.length] = '\0';
	return 0;
}

#define END_NAME "orcs: end of the file"

/* The stream that cgraph reads from. */
struct source {
	const struct dot_text *text;
	struct error *error;
	unsigned long lines; /* that went through */
	const char *last;    /* handed over once the input has ended */
};

static int read_for_cgraph(void *channel, char *buffer, int size)
{
	struct source *source = channel;
	ssize_t got = source->text->read(source->text->from, buffer, (size_t)size, source->error);
	if (got == 0 && source->last) {
		size_t length = strlen(source->last);
		memcpy(buffer, source->last, length); /* the scanner's buffer has kilobytes */
		source->last = NULL;
		return (int)length;
	}
	if (got <= 0)
		return 0;
	const char *zero = memchr(buffer, '\0', (size_t)got), *end = zero ? zero : buffer + got;
	for (const char *p = buffer; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		source->lines++;
	if (!zero)
		return (int)got;
	error_at(source->error, STATUS_FABRIC, source->text->name, source->lines + 1, "syntax error: a NUL byte");
	return 0;
}

static int never_write(void *channel, const char *text)
{
	(void)channel, (void)text;
	return EOF;
}

static int never_flush(void *channel)
{
	(void)channel;
	return 0;
}

/* What to do with a file that is a dump instead, by the word that cgraph stumbled over; "" where it looks like none. */
static const char *dump_hint(const char *near)
{
	static const char *const words[] = {"Switch", "Ca", "Hca", "vendid", "switchguid", "caguid", "width", "Unicast",
		"dump_ucast_routes", "DR", "osm_ucast_mgr_dump_ucast_routes", "Chassis", "Non"};
	size_t length = near ? strcspn(near + strlen("near '"), "'") : 0;
	for (size_t i = 0; length && i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && !strncmp(near + strlen("near '"), words[i], length))
			return "; a dump of InfiniBand tools? orcs-import makes a graph of it";
	return "";
}

/* Turns "Error: FILE: syntax error in line 3 near 'x'" into an error at FILE:3, or keeps a warning. */
static void interpret(const char *file, struct dot_report *report, struct error *error)
{
	const char *text = strstr(said.text, ": ");
	bool failed = !strncmp(said.text, "Error", strlen("Error"));
	text = text ? text + 2 : said.text;
	said.text[strcspn(said.text, "\n")] = '\0';
	char *line = strstr(text, " in line ");
	unsigned long number = line ? strtoul(line + strlen(" in line "), &line, 10) : 0;
	const char *near = number ? strstr(line, "near ") : NULL;
	if (!failed)
		snprintf(report->parser_warning, sizeof report->parser_warning, "%s", text);
	else if (number)
		error_at(error, STATUS_FABRIC, file, number, "syntax error%s%s%s", near ? " " : "", near ? near : "", dump_hint(near));
	else
		error_at(error, STATUS_FABRIC, file, 0, "%s", text);
	said.length = 0;
	said.text[0] = '\0';
}

/* cgraph does not look whether it gets memory. While it reads, whatever wants too much goes back to where reading began; the arena, without an
 * argument of ours, is remembered here for that. */
static struct {
	jmp_buf *back;
	void *arena;
} reading;

/* cgraph's objects go all at once, so none is freed alone (cgraph forgets a kilobyte elsewhere then). */
static void *open_arena(Agdisc_t *disc)
{
	(void)disc;
	return reading.arena = arena_create();
}

static void *or_back(void *memory)
{
	if (!memory && reading.back)
		longjmp(*reading.back, 1);
	return memory;
}

static void *take_memory(void *arena, size_t bytes)
{
	return or_back(arena_alloc(arena, bytes));
}

static void *resize_memory(void *arena, void *memory, size_t old, size_t bytes)
{
	return or_back(arena_resize(arena, memory, old, bytes));
}

/* Reads a graph. Where it does not fit into the memory, all that was read of it is gone. */
static Agraph_t *read_within_memory(struct source *source, Agdisc_t *disc)
{
	jmp_buf back;
	reading.back = &back;
	if (setjmp(back)) {
		reading.back = NULL;
		error_at(source->error, STATUS_IO, source->text->name, source->lines + 1,
			"out of memory: the graph takes more than there is: %.3g GB are left", (double)memory_available() / 1e9);
		arena_destroy(reading.arena);
		return NULL;
	}
	Agraph_t *graph = agread(source, disc);
	reading.back = NULL;
	return graph;
}

static Agraph_t *read_graph(struct source *source, struct dot_report *report)
{
	static Agiodisc_t io = {read_for_cgraph, never_write, never_flush};
	static Agmemdisc_t arena = {open_arena, take_memory, resize_memory, arena_free, arena_destroy};
#ifdef __SANITIZE_ADDRESS__ /* which shall see each object, and not what cgraph forgets */
	arena = AgMemDisc;
#endif
	static Agdisc_t disc = {&arena, &AgIdDisc, &io};
	const char *file = source->text->name;
	said.length = 0;
	said.text[0] = '\0';
	agseterrf(hear);
	agseterr(AGWARN);
	agreadline(1);
	Agraph_t *graph = read_within_memory(source, &disc);
	if (said.length && !source->error->status)
		interpret(file, report, source->error);
	if (!graph && !source->error->status)
		error_at(source->error, STATUS_FABRIC, file, 0, "is empty: there is no graph in it");
	if (graph && !source->error->status) { /* what follows the graph would be lost silently: only a graph of our own may come */
		source->last = "\ndigraph \"" END_NAME "\" {}";
		Agraph_t *second = agread(source, &disc);
		if (second && strcmp(agnameof(second), END_NAME))
			error_at(source->error, STATUS_FABRIC, file, 0, "holds more than one graph");
		else if (said.length && !source->error->status)
			interpret(file, report, source->error);
		else if (!second)
			error_at(source->error, STATUS_FABRIC, file, source->lines + 1,
				"syntax error: something without an end follows the graph");
		if (second)
			agclose(second);
	}
	if (graph && source->error->status) {
		agclose(graph);
		graph = NULL;
	}
	return graph;
}

static const char *attribute(void *object, Agsym_t *symbol)
{
	const char *value = symbol ? agxget(object, symbol) : NULL;
	return value && *value ? value : NULL;
}

/* The attributes that the analyser understands. */
struct symbols {
	Agsym_t *type, *guid, *desc, *lid, *lids, *ports, *comment, *weights, *port, *peer_port, *speed, *latency, *width;
};

static struct symbols find_symbols(Agraph_t *graph)
{
	return (struct symbols){
		.type = agattr(graph, AGNODE, "type", NULL),
		.guid = agattr(graph, AGNODE, "guid", NULL),
		.desc = agattr(graph, AGNODE, "desc", NULL),
		.lid = agattr(graph, AGNODE, "lid", NULL),
		.lids = agattr(graph, AGNODE, "lids", NULL),
		.ports = agattr(graph, AGNODE, "ports", NULL),
		.comment = agattr(graph, AGEDGE, "comment", NULL),
		.weights = agattr(graph, AGEDGE, "weights", NULL),
		.port = agattr(graph, AGEDGE, "port", NULL),
		.peer_port = agattr(graph, AGEDGE, "peer_port", NULL),
		.speed = agattr(graph, AGEDGE, "speed", NULL),
		.latency = agattr(graph, AGEDGE, "latency", NULL),
		.width = agattr(graph, AGEDGE, "width", NULL),
	};
}

static int compare_places(const void *left, const void *right, void *data)
{
	Agedge_t *const *edge = data;
	uint64_t a = AGSEQ(edge[*(const uint32_t *)left]), b = AGSEQ(edge[*(const uint32_t *)right]);
	return (a > b) - (a < b);
}

/* Numbers the nodes and edges: dot->node, dot->edge; id_of[AGSEQ] is a node's number. */
static int number_objects(struct dot *dot, uint32_t **id_of, struct error *error)
{
	Agraph_t *graph = dot->graph;
	uint64_t nodes = (uint64_t)agnnodes(graph), edges = (uint64_t)agnedges(graph), last = 0;
	for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n))
		if (AGSEQ(n) > last)
			last = AGSEQ(n);
	dot->node = array_create(nodes, sizeof(Agnode_t *), error);
	dot->edge = array_create(edges, sizeof(Agedge_t *), error);
	dot->place = array_create(edges, sizeof *dot->place, error);
	*id_of = array_create(last + 1, sizeof **id_of, error);
	if (error->status)
		return -1;
	for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n)) {
		(*id_of)[AGSEQ(n)] = dot->nodes;
		dot->node[dot->nodes++] = n;
	}
	for (uint32_t v = 0; v < dot->nodes; v++) {
		uint32_t first = dot->channels;
		for (Agedge_t *e = agfstout(graph, dot->node[v]); e; e = agnxtout(graph, e)) {
			dot->place[dot->channels] = dot->channels;
			dot->edge[dot->channels++] = e;
		}
		qsort_r(dot->place + first, dot->channels - first, sizeof *dot->place, compare_places, dot->edge);
	}
	return 0;
}

/* Whether the node is a host: by its type, else by its name. Returns -1 on an unknown type. */
static int is_host(const struct dot *dot, uint32_t node, const struct symbols *symbols, const char *file, struct error *error)
{
	const char *type = attribute(dot->node[node], symbols->type), *name = agnameof(dot->node[node]);
	if (!type)
		return name[0] == 'H';
	if (!strcmp(type, "host") || !strcmp(type, "switch"))
		return type[0] == 'h';
	return error_at(
		error, STATUS_FABRIC, file, dot_line_of(file, name), "node '%s' has the type '%s', neither host nor switch", name, type);
}

/* An attribute that must be a number. */
struct number {
	const char *name, *text;
	bool wrong;
	const char *what;
};

/* The numbers of a node; also those that are kept, not used. *guid: 0 where there is none. Returns 0, or -1. */
static int read_node_numbers(void *node, const struct symbols *symbols, const char *file, uint64_t *guid, struct error *error)
{
	const char *id = attribute(node, symbols->guid), *lid = attribute(node, symbols->lid), *lids = attribute(node, symbols->lids);
	const char *ports = attribute(node, symbols->ports), *name = agnameof(node);
	uint32_t count;
	*guid = 0;
	const struct number number[] = {
		{"guid", id, id && !read_guid(id, guid), "up to 16 hexadecimal digits"},
		{"lid", lid, lid && !dot_is_lid(lid), "a LID from 0 to 49151"},
		{"lids", lids, lids && !dot_is_lids(lids), "LIDs from 1 to 49151, as 5-8"},
		{"ports", ports, ports && !dot_read_port(ports, &count), "a number of ports"},
	};
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (number[i].wrong)
			return error_at(error, STATUS_FABRIC, file, dot_line_of(file, name), "node '%s' has the %s '%s', not %s", name,
				number[i].name, number[i].text, number[i].what);
	return 0;
}

/* Copies names and node descriptions into one pool, fills the table of names. */
static int read_labels(const struct dot *dot, struct fabric *fabric, const struct symbols *symbols, const char *file, struct error *error)
{
	struct fabric_labels *labels = fabric->labels;
	size_t size = 1;
	for (uint32_t v = 0; v < dot->nodes; v++) {
		const char *desc = attribute(dot->node[v], symbols->desc);
		if (agnameof(dot->node[v])[0] == '%')
			return error_at(
				error, STATUS_FABRIC, file, 0, "a node's name begins with '%%', which Graphviz keeps for names of its own");
		size += strlen(agnameof(dot->node[v])) + 1 + (desc ? strlen(desc) + 1 : 0);
	}
	char *place = labels->pool = array_create(size, 1, error);
	if (!place)
		return -1;
	const char *empty = place++; /* the pool begins with an empty string */
	for (uint32_t v = 0; v < dot->nodes; v++) {
		const char *desc = attribute(dot->node[v], symbols->desc);
		labels->name[v] = place;
		place = stpcpy(place, agnameof(dot->node[v])) + 1;
		labels->desc[v] = desc ? place : empty;
		if (desc)
			place = stpcpy(place, desc) + 1;
		if (read_node_numbers(dot->node[v], symbols, file, &labels->guid[v], error))
			return -1;
		names_add(&labels->names, labels->name[v], v);
	}
	return 0;
}

/* Returns 0, or -1 where it is no time, or the memory is not there. */
static int read_latency(struct fabric *fabric, uint32_t channel, const char *text, struct error *error)
{
	if (!fabric->latency && !(fabric->latency = array_create(fabric->channels, sizeof *fabric->latency, error)))
		return -1;
	double *seconds = &fabric->latency[channel];
	return read_number(text, 0, DOT_LATENCY_MAX, seconds) && is_time(*seconds) ? 0 : -1;
}

/* The numbers of a channel, likewise. *gbps: 0 where it has no speed. */
static int read_channel_numbers(void *edge, const struct symbols *symbols, struct fabric *fabric, uint32_t channel, uint32_t tail,
	double *gbps, const char *file, struct error *error)
{
	struct fabric_labels *labels = fabric->labels;
	const char *port = attribute(edge, symbols->port), *peer = attribute(edge, symbols->peer_port);
	const char *speed = attribute(edge, symbols->speed), *latency = attribute(edge, symbols->latency);
	const char *width = attribute(edge, symbols->width);
	*gbps = 0;
	const struct number number[] = {
		{"port", port, port && !dot_read_port(port, &labels->port[channel]), "the number of a port"},
		{"peer_port", peer, peer && !dot_read_port(peer, &labels->peer_port[channel]), "the number of a port"},
		{"speed", speed, speed && !read_number(speed, DOT_SPEED_MIN, DOT_SPEED_MAX, gbps), "a number of Gb/s"},
		{"latency", latency, latency && read_latency(fabric, channel, latency, error), "a number of seconds, 0 or at least 1e-12"},
		{"width", width, width && !dot_width(width), "1x, 2x, 4x, 8x or 12x"},
	};
	for (size_t i = 0; i < sizeof number / sizeof *number; i++)
		if (number[i].wrong)
			return error_at(error, STATUS_FABRIC, file, dot_line_of(file, labels->name[tail]),
				"channel %s -> %s has the %s '%s', not %s", labels->name[tail], labels->name[fabric->head[channel]],
				number[i].name, number[i].text, number[i].what);
	return 0;
}

/* Heads, ports, speeds and latencies of all channels. gbps: [channels] 0 where there is none. */
static int read_channels(const struct dot *dot, struct fabric *fabric, const uint32_t *id_of, const struct symbols *symbols, double *gbps,
	const char *file, struct error *error)
{
	uint32_t c = 0;
	for (uint32_t v = 0; v < dot->nodes; v++) {
		fabric->first_channel[v] = c;
		for (; c < dot->channels && agtail(dot->edge[c]) == dot->node[v]; c++) {
			fabric->head[c] = id_of[AGSEQ(aghead(dot->edge[c]))];
			if (read_channel_numbers(dot->edge[c], symbols, fabric, c, v, &gbps[c], file, error))
				return -1;
		}
	}
	fabric->first_channel[dot->nodes] = c;
	return 0;
}

int dot_check(const struct fabric *fabric, unsigned wants, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	if (!fabric->hosts)
		return error_at(error, STATUS_FABRIC, labels->source, 0, "has no hosts: no node's name begins with H");
	for (uint32_t h = 0; h < fabric->hosts && !(wants & DOT_ALLOW_NO_LINK); h++) {
		uint32_t v = fabric->host_node[h];
		if (fabric->first_channel[v] == fabric->first_channel[v + 1])
			return error_at(error, STATUS_FABRIC, labels->source,
				labels->line_of ? labels->line_of(labels->source, labels->name[v]) : 0,
				"host '%s' has no up link: no edge leaves it", labels->name[v]);
	}
	return 0;
}

/* Whether all nodes say what they are. */
static bool says_types(const struct dot *dot, const struct symbols *symbols)
{
	bool all = true;
	for (uint32_t v = 0; v < dot->nodes && all; v++)
		all = attribute(dot->node[v], symbols->type) != NULL;
	return all;
}

static struct fabric *build_fabric(
	const struct dot *dot, const uint32_t *id_of, unsigned wants, const char *file, struct dot_report *report, struct error *error)
{
	struct symbols symbols = find_symbols(dot->graph);
	uint32_t hosts = 0;
	for (uint32_t v = 0; v < dot->nodes; v++) {
		int host = is_host(dot, v, &symbols, file, error);
		if (host < 0)
			return NULL;
		hosts += (uint32_t)host;
	}
	struct fabric *fabric = fabric_create(dot->nodes, hosts, dot->channels, error);
	double *gbps = array_create(dot->channels, sizeof *gbps, error);
	if (!fabric || !gbps)
		goto failed;
	if (hosts == dot->nodes && !says_types(dot, &symbols)) {
		error_at(error, STATUS_FABRIC, file, 0,
			"has no switches: every node's name begins with H (where hosts forward, they need the attribute type=host)");
		goto failed;
	}
	uint32_t host = 0;
	for (uint32_t v = 0; v < dot->nodes; v++) {
		fabric->node_host[v] = is_host(dot, v, &symbols, file, error) ? host : NONE;
		if (fabric->node_host[v] != NONE)
			fabric->host_node[host++] = v;
	}
	fabric->labels->source = file;
	fabric->labels->line_of = dot_line_of;
	if (read_labels(dot, fabric, &symbols, file, error) || read_channels(dot, fabric, id_of, &symbols, gbps, file, error) ||
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

/* The forwarding set of a channel and, where entries are kept whole, its weights. Returns whether it has a set. */
static bool add_set(const struct dot *dot, const struct symbols *symbols, const struct fabric *fabric, uint32_t channel,
	struct forwarding_builder *builder, struct error *error)
{
	const char *set = attribute(dot->edge[channel], symbols->comment), *weights = attribute(dot->edge[channel], symbols->weights);
	if (!set)
		return false;
	forwarding_builder_add(builder, channel, set);
	if (weights && !forwarding_builder_weigh(builder, channel, weights)) {
		const struct fabric_labels *labels = fabric->labels;
		const char *tail = labels->name[fabric_tail(fabric, channel)];
		error_at(error, STATUS_FABRIC, labels->source, dot_line_of(labels->source, tail),
			"channel %s -> %s has the weights '%.40s', which are no list of weights and hosts of its forwarding set", tail,
			labels->name[fabric->head[channel]], weights);
	}
	return true;
}

static struct forwarding *build_forwarding(
	const struct dot *dot, const struct fabric *fabric, unsigned wants, struct dot_report *report, struct error *error)
{
	struct symbols symbols = find_symbols(dot->graph);
	struct forwarding_builder *builder = forwarding_builder_create(fabric, error);
	if (!builder)
		return NULL;
	bool any = false;
	if (wants & DOT_ALTERNATIVES)
		forwarding_builder_keep_all(builder, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			any |= add_set(dot, &symbols, fabric, c, builder, error);
		forwarding_builder_end_node(builder, v, error);
	}
	struct forwarding *forwarding = forwarding_builder_finish(builder, !error->status, &report->forwarding, error);
	const char *topology = dot_graph_attribute(dot, "topology"), *routing = dot_graph_attribute(dot, "routing");
	if (!any && !(topology && routing))
		report->hint = dot_graph_attribute(dot, "routes") ? "its routes are in a file of their own, for orcs --routes"
			       : routing                          ? "the attribute routing says nothing without the attribute topology"
								  : DOT_UNROUTED;
	if (wants & DOT_ALTERNATIVES)
		report->forwarding.ambiguous = 0;
	if (forwarding)
		report->straight = forwarding->via = dot_has_via(dot);
	if (!forwarding || any || !topology || !routing)
		return forwarding;
	struct computed *computed = computed_create(fabric, topology, routing, error);
	if (computed) {
		forwarding_compute(forwarding, fabric, computed);
		return forwarding;
	}
	forwarding_free(forwarding);
	return NULL;
}

/* The graph with its nodes and edges numbered; id_of: see number_objects, to be freed in every case. NULL on errors. */
static struct dot *read_dot(const struct dot_text *text, uint32_t **id_of, struct dot_report *report, struct error *error)
{
	struct source source = {.text = text, .error = error};
	struct dot *dot = array_create(1, sizeof *dot, error);
	*id_of = NULL;
	if (!dot)
		return NULL;
	dot->graph = read_graph(&source, report);
	if (dot->graph && agisundirected(dot->graph))
		error_at(error, STATUS_FABRIC, text->name, 0,
			"is an undirected graph: it cannot tell the two directions of a cable apart; use digraph");
	else if (dot->graph && agisstrict(dot->graph))
		error_at(error, STATUS_FABRIC, text->name, 0,
			"is a strict graph, which merges parallel cables and loses their routes; use digraph without strict");
	else if (dot->graph && !number_objects(dot, id_of, error))
		return dot;
	dot_free(dot);
	return NULL;
}

int dot_load_text(const struct dot_text *text, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct dot **dot,
	struct dot_report *report, struct error *error)
{
	*report = (struct dot_report){0};
	*fabric = NULL;
	*forwarding = NULL;
	*dot = NULL;
	uint32_t *id_of;
	struct dot *read = read_dot(text, &id_of, report, error);
	if (read)
		*fabric = build_fabric(read, id_of, wants, text->name, report, error);
	if (*fabric && (wants & DOT_TABLES))
		*forwarding = build_forwarding(read, *fabric, wants, report, error);
	if (!error->status)
		(*fabric)->labels->hash = forwarding_hash(*fabric, *forwarding);
	free(id_of);
	if (error->status) {
		fabric_free(*fabric);
		*fabric = NULL;
	} else if (wants & (DOT_KEEP | DOT_KEEP_READ | DOT_KEEP_PLACES) || (wants & DOT_KEEP_LANES && dot_has_lanes(read))) {
		*dot = read;
		return 0;
	}
	dot_free(read);
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

int dot_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct dot **dot,
	struct dot_report *report, struct error *error)
{
	*report = (struct dot_report){0};
	*fabric = NULL;
	*forwarding = NULL;
	*dot = NULL;
	struct input *input = input_open(path, error);
	if (!input)
		return -1;
	struct dot_text text = {read_input, input, input_name(input)};
	int result = dot_load_text(&text, wants, fabric, forwarding, dot, report, error);
	input_close(input);
	return result;
}

struct dot *dot_keep(const struct dot_text *text, const struct fabric *fabric, struct error *error)
{
	struct dot_report ignored = {0};
	uint32_t *id_of;
	struct dot *dot = read_dot(text, &id_of, &ignored, error);
	free(id_of);
	if (!dot || (dot->nodes == fabric->nodes && dot->channels == fabric->channels))
		return dot;
	error_at(error, STATUS_FABRIC, text->name, 0, "its graph is not that of its tables");
	dot_free(dot);
	return NULL;
}

void dot_free(struct dot *dot)
{
	if (!dot)
		return;
	if (dot->graph)
		agclose(dot->graph);
	free(dot->node);
	free(dot->edge);
	free(dot->place);
	free(dot);
}

bool dot_has_lanes(const struct dot *dot)
{
	return agattr(dot->graph, AGEDGE, "sl2vl", NULL) || agattr(dot->graph, AGNODE, "sl", NULL);
}

bool dot_has_via(const struct dot *dot)
{
	const char *via = dot_graph_attribute(dot, "via");
	return via && !strcmp(via, "random");
}

const char *dot_node_attribute(const struct dot *dot, uint32_t node, const char *name)
{
	return attribute(dot->node[node], agattr(dot->graph, AGNODE, (char *)name, NULL));
}

const char *dot_channel_attribute(const struct dot *dot, uint32_t channel, const char *name)
{
	return attribute(dot->edge[channel], agattr(dot->graph, AGEDGE, (char *)name, NULL));
}

const char *dot_graph_attribute(const struct dot *dot, const char *name)
{
	return attribute(dot->graph, agattr(dot->graph, AGRAPH, (char *)name, NULL));
}

uint32_t dot_channel_at(const struct dot *dot, uint32_t place)
{
	return dot->place[place];
}

/*
 * A string in quotes. cgraph keeps backslashes as they stood in the file, so only a quote needs one; in strings from elsewhere a single
 * backslash before a quote or the end would swallow it, and is doubled.
 */
static void write_quoted(FILE *file, const char *text)
{
	bool odd = false; /* number of backslashes right before */
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"' || (*text == '\n' && odd))
			fputs(*text == '"' && odd ? "\\\\" : "\\", file);
		odd = *text == '\\' && !odd;
		putc(*text, file);
	}
	fputs(odd ? "\\\"" : "\"", file);
}

/* A string of cgraph's (of no one else: it looks in front of it), which may be one of HTML. */
static void write_string(FILE *file, const char *text)
{
	if (aghtmlstr((char *)text))
		fprintf(file, "<%s>", text);
	else
		write_quoted(file, text);
}

void dot_write_name(const struct dot *dot, uint32_t node, FILE *file)
{
	write_string(file, agnameof(dot->node[node]));
}

static void write_attribute(FILE *file, const char **before, const char *name, const char *value)
{
	static const char *const keywords[] = {"node", "edge", "graph", "digraph", "subgraph", "strict"};
	bool identifier = *name && !isdigit((unsigned char)*name);
	for (const char *c = name; *c; c++)
		identifier &= isalnum((unsigned char)*c) || *c == '_';
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		identifier &= strcasecmp(name, keywords[i]) != 0;
	fputs(*before, file);
	*before = ", ";
	if (identifier)
		fputs(name, file);
	else
		write_string(file, name);
	putc('=', file);
	write_string(file, value);
}

/* The attributes of an object that differ from their defaults and are not replaced. *before is " [" at first; it ends as ", " if any was
 * written. */
static void write_attributes(FILE *file, Agraph_t *graph, int kind, void *object, const struct dot_column *columns, const char **before)
{
	for (Agsym_t *symbol = agnxtattr(graph, kind, NULL); symbol; symbol = agnxtattr(graph, kind, symbol)) {
		const char *value = agxget(object, symbol);
		bool replaced = false;
		for (const struct dot_column *column = columns; column && column->name; column++)
			replaced |= !strcmp(column->name, symbol->name);
		if (!replaced && value && strcmp(value, symbol->defval))
			write_attribute(file, before, symbol->name, value);
	}
}

/* Whether the list has an attribute of that name. */
static bool has_pair(const struct dot_pair *pairs, const char *name)
{
	while (pairs && pairs->name && strcmp(pairs->name, name))
		pairs++;
	return pairs && pairs->name;
}

static void write_defaults(FILE *file, Agraph_t *graph, int kind, const char *keyword, const struct dot_pair *replaced)
{
	const char *before = " [";
	for (Agsym_t *symbol = agnxtattr(graph, kind, NULL); symbol; symbol = agnxtattr(graph, kind, symbol)) {
		if (!*symbol->defval || has_pair(replaced, symbol->name))
			continue;
		if (*before == ' ')
			fprintf(file, "\t%s", keyword);
		write_attribute(file, &before, symbol->name, symbol->defval);
	}
	if (*before == ',')
		fputs("];\n", file);
}

/* The subgraph that was made next after the number; cgraph lists them by the addresses of their names. NULL if there is none. */
static Agraph_t *next_subgraph(Agraph_t *parent, uint64_t after)
{
	Agraph_t *next = NULL;
	for (Agraph_t *graph = agfstsubg(parent); graph; graph = agnxtsubg(graph))
		if (AGSEQ(graph) > after && (!next || AGSEQ(graph) < AGSEQ(next)))
			next = graph;
	return next;
}

/* Subgraphs keep their names, attributes and nodes; their edges stand in the graph itself. Time O(subgraphs of one parent squared). */
static void write_subgraphs(FILE *file, Agraph_t *parent)
{
	for (Agraph_t *graph = next_subgraph(parent, 0); graph; graph = next_subgraph(parent, AGSEQ(graph))) {
		fputs("\tsubgraph ", file);
		if (agnameof(graph) && agnameof(graph)[0] != '%')
			write_string(file, agnameof(graph));
		fputs(" {\n", file);
		for (Agsym_t *symbol = agnxtattr(graph, AGRAPH, NULL); symbol; symbol = agnxtattr(graph, AGRAPH, symbol)) {
			const char *value = agxget(graph, symbol), *before = "\t";
			if (value && strcmp(value, agxget(parent, symbol))) {
				write_attribute(file, &before, symbol->name, value);
				fputs(";\n", file);
			}
		}
		for (Agnode_t *n = agfstnode(graph); n; n = agnxtnode(graph, n)) {
			putc('\t', file);
			write_string(file, agnameof(n));
			fputs(";\n", file);
		}
		write_subgraphs(file, graph);
		fputs("\t}\n", file);
	}
}

static void write_edge(FILE *file, const struct dot *dot, uint32_t channel, const struct dot_column *columns)
{
	Agedge_t *edge = dot->edge[channel];
	const char *before = " [", *key = agnameof(edge);
	putc('\t', file);
	write_string(file, agnameof(agtail(edge)));
	fputs(" -> ", file);
	write_string(file, agnameof(aghead(edge)));
	if (key && *key)
		write_attribute(file, &before, "key", key);
	for (const struct dot_column *column = columns; column && column->name; column++) {
		fprintf(file, "%s%s=\"", before, column->name);
		column->value(file, channel, column->data);
		putc('"', file);
		before = ", ";
	}
	write_attributes(file, dot->graph, AGEDGE, edge, columns, &before);
	fputs(*before == ',' ? "];\n" : ";\n", file);
}

void dot_write(const struct dot *dot, FILE *file, const struct dot_column *columns, const struct dot_pair *pairs)
{
	fputs("digraph ", file);
	if (agnameof(dot->graph) && agnameof(dot->graph)[0] != '%')
		write_string(file, agnameof(dot->graph));
	fputs(" {\n", file);
	write_defaults(file, dot->graph, AGRAPH, "graph", pairs);
	for (const struct dot_pair *pair = pairs; pair && pair->name; pair++) {
		if (!pair->value)
			continue;
		fprintf(file, "\tgraph [%s=", pair->name);
		write_quoted(file, pair->value);
		fputs("];\n", file);
	}
	write_defaults(file, dot->graph, AGNODE, "node", NULL);
	write_defaults(file, dot->graph, AGEDGE, "edge", NULL);
	for (uint32_t v = 0; v < dot->nodes; v++) {
		const char *before = " [";
		putc('\t', file);
		write_string(file, agnameof(dot->node[v]));
		write_attributes(file, dot->graph, AGNODE, dot->node[v], NULL, &before);
		fputs(*before == ',' ? "];\n" : ";\n", file);
	}
	for (uint32_t c = 0; c < dot->channels; c++)
		write_edge(file, dot, dot->place[c], columns);
	write_subgraphs(file, dot->graph);
	fputs("}\n", file);
}
