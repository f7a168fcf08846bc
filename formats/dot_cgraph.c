/* Reads any dot through Graphviz's cgraph, which no other file uses. */
#include "base/memory.h"
#include "formats/dot_graph.h"

#include "base/arena.h"
#include "base/args.h"
#include "base/input.h"
#include "base/text_file.h"
#include "formats/dot_numbers.h"

#include <cgraph.h>
#include <ctype.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

/* cgraph has global state: its calls, and the variables of this file, are of one thread at a time. */
static pthread_mutex_t one_thread = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

/* A graph of cgraph with its nodes and edges numbered. */
struct dot {
	Agraph_t *graph;
	Agnode_t **node; /* [nodes] */
	Agedge_t **edge; /* [channels] */
	uint32_t *place; /* [channels] place among the edges of its node, in the order of the input */
	uint32_t nodes, channels;
};

/* cgraph reports through a callback without an argument: its messages about the current file are collected here. */
static struct {
	char text[1000];
	size_t length;
} said;

static int hear(char *text)
{
	if (!strcmp(text, "Error")) /* replaces earlier warnings */
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

/* The stream from which cgraph reads. */
struct source {
	const struct dot_text *text;
	struct error *error;
	unsigned long lines; /* lines passed to cgraph so far */
	const char *last;    /* text appended once the input has ended */
	bool ended;          /* cgraph has asked for more than there is */
};

/* Sets an error for a file that is not a graph; the last three are parts of the text. The first error is kept. */
static void syntax_error(struct error *error, const char *file, unsigned long line, const char *before, const char *near, const char *hint)
{
	if (error->status)
		return;
	error_at(error, STATUS_FABRIC, file, line, "syntax error%s%s%s", before, near, hint);
	error->code = ERROR_SYNTAX;
}

static int read_for_cgraph(void *channel, char *buffer, int size)
{
	struct source *source = channel;
	ssize_t got = source->text->read(source->text->from, buffer, (size_t)size, source->error);
	if (got == 0 && source->last) {
		size_t length = strlen(source->last);
		memcpy(buffer, source->last, length); /* the scanner's buffer has several kilobytes */
		source->last = NULL;
		return (int)length;
	}
	source->ended = got <= 0;
	if (got <= 0)
		return 0;
	const char *zero = memchr(buffer, '\0', (size_t)got), *end = zero ? zero : buffer + got;
	for (const char *p = buffer; (p = memchr(p, '\n', (size_t)(end - p))); p++)
		source->lines++;
	if (!zero)
		return (int)got;
	syntax_error(source->error, source->text->name, source->lines + 1, ": a NUL byte", "", "");
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

/* Returns advice for a dump passed as a graph, recognised by the word at which cgraph stopped; "" otherwise. */
static const char *dump_hint(const char *near)
{
	static const char *const words[] = {"Switch", "Ca", "Hca", "vendid", "switchguid", "caguid", "width", "Unicast",
		"dump_ucast_routes", "DR", "osm_ucast_mgr_dump_ucast_routes", "Chassis", "Non"};
	size_t length = near ? strcspn(near + strlen("near '"), "'") : 0;
	for (size_t i = 0; length && i < sizeof words / sizeof *words; i++)
		if (strlen(words[i]) == length && !strncmp(near + strlen("near '"), words[i], length))
			return "; for a dump of InfiniBand tools, use --topology or --lft";
	return "";
}

/* Turns "Error: FILE: syntax error in line 3 near 'x'" into an error at FILE:3, or keeps a warning. */
static void interpret(const struct source *source, struct dot_report *report)
{
	const char *file = source->text->name;
	struct error *error = source->error;
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
		syntax_error(error, file, number,
			near            ? " "
			: source->ended ? ": the file ends within the graph"
					: "",
			near ? near : "", dump_hint(near));
	else
		error_at(error, STATUS_FABRIC, file, 0, "%s", text);
	said.length = 0;
	said.text[0] = '\0';
}

/*
 * cgraph does not check allocations. While it reads, an allocation that fails jumps back to the start of reading; cgraph's callbacks take
 * no argument of ours, so the arena is kept here.
 */
static struct {
	jmp_buf *back;
	void *arena;
} reading;

/* All objects of cgraph are freed at once, so none is freed alone (cgraph leaks a kilobyte elsewhere then). */
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

/* Reads a graph. If memory is insufficient, everything read so far is freed. */
static Agraph_t *read_within_memory(struct source *source, Agdisc_t *disc)
{
	jmp_buf back;
	reading.back = &back;
	if (setjmp(back)) {
		reading.back = NULL;
		error_at(source->error, STATUS_IO, source->text->name, source->lines + 1,
			"out of memory: the graph needs more than the %.3g GB available", (double)memory_available() / 1e9);
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
#ifdef __SANITIZE_ADDRESS__ /* which must see each object, but not the leaks of cgraph */
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
		interpret(source, report);
	if (!graph && !source->error->status)
		error_at(source->error, STATUS_FABRIC, file, 0, "the file is empty; expected a graph, a cache or a dump");
	if (graph && !source->error->status) { /* text after the graph would be lost silently: only the graph appended above may follow */
		source->last = "\ndigraph \"" END_NAME "\" {}";
		Agraph_t *second = agread(source, &disc);
		if (second && strcmp(agnameof(second), END_NAME))
			error_at(source->error, STATUS_FABRIC, file, 0, "the file contains more than one graph");
		else if (said.length && !source->error->status)
			interpret(source, report);
		else if (!second)
			error_at(source->error, STATUS_FABRIC, file, source->lines + 1,
				"syntax error: an unterminated text follows the graph");
		if (second)
			agclose(second);
	}
	if (graph && source->error->status) {
		agclose(graph);
		graph = NULL;
	}
	return graph;
}

static int compare_places(const void *left, const void *right, void *data)
{
	Agedge_t *const *edge = data;
	uint64_t a = AGSEQ(edge[*(const uint32_t *)left]), b = AGSEQ(edge[*(const uint32_t *)right]);
	return (a > b) - (a < b);
}

/* Numbers the nodes and edges: fills dot->node and dot->edge; id_of[AGSEQ] is a node's number. */
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

/* ---- attributes */

/* Records a text that is HTML. It must be one of cgraph's, which stores a mark in front of it. */
static void note_markup(struct attributes *a, const char *text, struct error *error)
{
	if (aghtmlstr((char *)text) && !array_grow(&a->markup, &a->markup_room, a->markups + 1, sizeof *a->markup, error))
		a->markup[a->markups++] = text;
}

/* Keeps the columns of a kind, of count objects. */
static void keep_columns(struct attributes *a, const struct dot *dot, enum attribute_kind kind, struct error *error)
{
	static const int kinds[] = {[ATTRIBUTE_GRAPH] = AGRAPH, [ATTRIBUTE_NODE] = AGNODE, [ATTRIBUTE_CHANNEL] = AGEDGE};
	uint32_t count = kind == ATTRIBUTE_NODE ? dot->nodes : kind == ATTRIBUTE_CHANNEL ? dot->channels : 0;
	for (Agsym_t *symbol = agnxtattr(dot->graph, kinds[kind], NULL); symbol; symbol = agnxtattr(dot->graph, kinds[kind], symbol)) {
		struct attribute *column = attributes_add(a, kind, symbol->name, symbol->defval, error);
		if (!column || (count && !(column->value = array_create(count, sizeof *column->value, error))))
			return;
		note_markup(a, symbol->name, error);
		note_markup(a, symbol->defval, error);
		for (uint32_t i = 0; i < count; i++) {
			column->value[i] = agxget(kind == ATTRIBUTE_NODE ? (void *)dot->node[i] : (void *)dot->edge[i], symbol);
			if (column->value[i] != symbol->defval)
				note_markup(a, column->value[i], error);
		}
	}
}

/* Keeps the names of nodes, and of edges if they have any. */
static void keep_names(struct attributes *a, const struct dot *dot, struct error *error)
{
	const char **name = array_create(dot->nodes, sizeof *name, error);
	a->name = name;
	for (uint32_t v = 0; name && v < dot->nodes; v++) {
		name[v] = agnameof(dot->node[v]);
		note_markup(a, name[v], error);
	}
	for (uint32_t c = 0; c < dot->channels && !error->status; c++) {
		const char *key = agnameof(dot->edge[c]);
		if (!key || !*key || (!a->key && !(a->key = array_create(dot->channels, sizeof *a->key, error))))
			continue;
		a->key[c] = key;
		note_markup(a, key, error);
	}
	if (agnameof(dot->graph) && agnameof(dot->graph)[0] != '%') {
		a->graph = agnameof(dot->graph);
		note_markup(a, a->graph, error);
	}
}

/* Returns the subgraph that was created next after the number; cgraph lists them by the addresses of their names. NULL if there is none. */
static Agraph_t *next_subgraph(Agraph_t *parent, uint64_t after)
{
	Agraph_t *next = NULL;
	for (Agraph_t *graph = agfstsubg(parent); graph; graph = agnxtsubg(graph))
		if (AGSEQ(graph) > after && (!next || AGSEQ(graph) < AGSEQ(next)))
			next = graph;
	return next;
}

static void write_string(FILE *file, const char *text)
{
	dot_write_string(file, text, aghtmlstr((char *)text));
}

/* Writes subgraphs with their names, attributes and nodes; their edges are in the graph itself. Time O(subgraphs of one parent squared). */
static void write_subgraphs(FILE *file, Agraph_t *parent)
{
	for (Agraph_t *graph = next_subgraph(parent, 0); graph; graph = next_subgraph(parent, AGSEQ(graph))) {
		fputs("\tsubgraph ", file);
		if (agnameof(graph) && agnameof(graph)[0] != '%')
			write_string(file, agnameof(graph));
		fputs(" {\n", file);
		for (Agsym_t *symbol = agnxtattr(graph, AGRAPH, NULL); symbol; symbol = agnxtattr(graph, AGRAPH, symbol)) {
			const char *value = agxget(graph, symbol);
			if (value && strcmp(value, agxget(parent, symbol))) {
				putc('\t', file);
				dot_write_name(file, symbol->name, aghtmlstr(symbol->name));
				putc('=', file);
				write_string(file, value);
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

static void keep_subgraphs(struct attributes *a, const struct dot *dot, struct error *error)
{
	struct text_file text;
	if (!next_subgraph(dot->graph, 0))
		return;
	if (!text_file_open(&text, error))
		write_subgraphs(text.file, dot->graph);
	text_file_close(&text, error);
	a->subgraphs = text.text;
	a->subgraphs_length = text.size;
}

/* Owner of the texts of attributes. */
struct owner {
	Agraph_t *graph;
	const char *const *name;
};

static void release(void *data)
{
	struct owner *owner = data;
	pthread_mutex_lock(&one_thread);
	agclose(owner->graph);
	pthread_mutex_unlock(&one_thread);
	free((void *)owner->name);
	free(owner);
}

/* Returns the attributes of a graph, which they then own. NULL on errors. */
static struct attributes *take_attributes(struct dot *dot, struct error *error)
{
	struct attributes *a = attributes_create(dot->nodes, dot->channels, error);
	struct owner *owner = array_create(1, sizeof *owner, error);
	if (!a || !owner) {
		free(owner);
		free(a);
		return NULL;
	}
	keep_names(a, dot, error);
	for (int kind = 0; kind < ATTRIBUTE_KINDS && !error->status; kind++)
		keep_columns(a, dot, (enum attribute_kind)kind, error);
	if (!error->status)
		keep_subgraphs(a, dot, error);
	attributes_sort_markup(a);
	a->place = dot->place;
	dot->place = NULL;
	*owner = (struct owner){dot->graph, a->name};
	dot->graph = NULL;
	a->owner = owner;
	a->release = release;
	if (!error->status)
		return a;
	attributes_free(a);
	return NULL;
}

/* Takes the heads of the edges. */
static int take_channels(struct dot_graph *graph, const struct dot *dot, const uint32_t *id_of, struct error *error)
{
	uint32_t c = 0;
	graph->first_channel = array_create((size_t)dot->nodes + 1, sizeof *graph->first_channel, error);
	graph->head = array_create(dot->channels, sizeof *graph->head, error);
	for (uint32_t v = 0; !error->status && v < dot->nodes; v++) {
		graph->first_channel[v] = c;
		for (; c < dot->channels && agtail(dot->edge[c]) == dot->node[v]; c++)
			graph->head[c] = id_of[AGSEQ(aghead(dot->edge[c]))];
		graph->first_channel[v + 1] = c;
	}
	return error->status ? -1 : 0;
}

int dot_cgraph_read(struct dot_graph *graph, const struct dot_text *text, struct dot_report *report, struct error *error)
{
	struct source source = {.text = text, .error = error};
	pthread_mutex_lock(&one_thread);
	struct dot dot = {.graph = read_graph(&source, report)};
	uint32_t *id_of = NULL;
	*graph = (struct dot_graph){0};
	if (dot.graph && agisundirected(dot.graph))
		error_at(error, STATUS_FABRIC, text->name, 0,
			"the graph is undirected: it cannot distinguish the two directions of a cable; use digraph");
	else if (dot.graph && agisstrict(dot.graph))
		error_at(error, STATUS_FABRIC, text->name, 0,
			"the graph is strict: it merges parallel cables and loses their routes; use digraph without strict");
	else if (dot.graph && !number_objects(&dot, &id_of, error) && !take_channels(graph, &dot, id_of, error))
		graph->attributes = take_attributes(&dot, error);
	if (dot.graph)
		agclose(dot.graph);
	pthread_mutex_unlock(&one_thread);
	free(dot.node);
	free(dot.edge);
	free(dot.place);
	free(id_of);
	return error->status ? -1 : 0;
}

void dot_graph_clear(struct dot_graph *graph)
{
	attributes_free(graph->attributes);
	free(graph->first_channel);
	free(graph->head);
}
