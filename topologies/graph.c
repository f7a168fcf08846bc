/*
 * A graph from a file: a line for each cable, with the names of its two nodes; an optional third word is the number of such cables in
 * parallel. A name alone makes a node. '#' starts a comment. Nodes whose names begin with H are hosts, all others switches.
 *
 * Nodes are numbered by their first appearance, ports in the order of the file.
 */
#include "base/arena.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "topologies/cabling.h"

#include <stdlib.h>
#include <string.h>

struct graph {
	void *names;       /* arena of their texts */
	const char **name; /* [nodes] names of the hosts, then of the switches */
};

/* State of reading line by line. */
struct reading {
	struct name_table names;
	void *arena;
	const char **name; /* by first appearance */
	size_t count, capacity;
	struct cable *cable;
	size_t cables, cable_capacity;
};

static void graph_clear(struct topology *topology)
{
	struct graph *graph = topology->data;
	if (graph->names)
		arena_destroy(graph->names);
	free(graph->name);
}

/* Returns the number of a name; UINT32_MAX on errors. */
static uint32_t node_of(struct reading *r, const char *word, struct error *error)
{
	uint32_t node = name_table_find(&r->names, word, strlen(word));
	if (node != NAME_NONE)
		return node;
	if (strlen(word) >= TOPOLOGY_NAME_MAX || strpbrk(word, "\",\\"))
		return error_set(error, STATUS_USAGE, "a name is too long, or has a quote, a comma or a backslash"), UINT32_MAX;
	if (*word == '%' || word[strlen(word) - 1] == '\r') /* dot graphs cannot have such a node, lists no such name */
		return error_set(error, STATUS_USAGE, "a name begins with %%, or ends with a carriage return"), UINT32_MAX;
	if (name_table_reserve(&r->names, r->count + 1, error) || array_grow(&r->name, &r->capacity, r->count + 1, sizeof *r->name, error))
		return UINT32_MAX;
	char *name = arena_alloc(r->arena, strlen(word) + 1);
	if (!name)
		return error_set(error, STATUS_IO, "out of memory: %zu names", r->count), UINT32_MAX;
	r->name[r->count] = strcpy(name, word);
	return name_table_add(&r->names, name, (uint32_t)r->count++);
}

static int read_line(struct reading *r, char *line, struct error *error)
{
	const char *first = next_word(&line), *second = next_word(&line), *third = next_word(&line);
	int64_t parallel = 1;
	if (!first)
		return 0;
	uint32_t a = node_of(r, first, error), b = second ? node_of(r, second, error) : a;
	if (error->status || !second)
		return error->status ? -1 : 0;
	if (next_word(&line) || (third && !read_integer(third, 1, CABLING_CHANNELS_MAX / 2, &parallel)))
		return error_set(error, STATUS_USAGE, "a line is not two names, optionally followed by the number of cables between them");
	if (a == b)
		return error_set(error, STATUS_USAGE, "the cable leads from %s to itself", first);
	if (array_grow(&r->cable, &r->cable_capacity, r->cables + (size_t)parallel, sizeof *r->cable, error))
		return -1;
	while (parallel--)
		r->cable[r->cables++] = (struct cable){.a = a, .b = b};
	return 0;
}

/* Numbers hosts first, then switches. */
static int number_nodes(struct topology *topology, struct graph *graph, const struct reading *r, struct error *error)
{
	uint32_t hosts = 0, *id = array_create(r->count, sizeof *id, error);
	graph->name = array_create(r->count, sizeof *graph->name, error);
	for (size_t i = 0; i < r->count; i++)
		hosts += *r->name[i] == 'H';
	if (!error->status && !cabling_start(topology, hosts, r->count - hosts, r->cables, error)) {
		uint32_t host = 0, other = hosts;
		for (size_t i = 0; i < r->count; i++) {
			id[i] = *r->name[i] == 'H' ? host++ : other++;
			graph->name[id[i]] = r->name[i];
		}
		for (size_t i = 0; i < r->cables; i++)
			cabling_add(topology, id[r->cable[i].a], id[r->cable[i].b]);
	}
	free(id);
	return error->status ? -1 : cabling_finish(topology, error);
}

static int graph_setup(struct topology *topology, struct error *error)
{
	struct graph *graph = topology->data = array_create(1, sizeof *graph, error);
	struct reading r = {0};
	struct line_reader lines;
	struct error reason = {0};
	line_reader_open(&lines, topology->args.value[0].text, LIST_LINE_LONGEST, error);
	if (graph && !name_table_init(&r.names, 1000, error) && !(r.arena = graph->names = arena_create()))
		error_set(error, STATUS_IO, "out of memory");
	for (char *line; !error->status && !reason.status && (line = line_reader_list(&lines, error));)
		read_line(&r, line, &reason);
	if (reason.status)
		error_set(error, reason.status, "line %lu: %s", lines.number, reason.text);
	else if (!error->status && !r.count)
		error_set(error, STATUS_USAGE, "the file has no nodes");
	else if (!error->status)
		number_nodes(topology, graph, &r, error);
	line_reader_close(&lines);
	name_table_clear(&r.names);
	free(r.name);
	free(r.cable);
	return error->status ? -1 : 0;
}

static void graph_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct graph *graph = topology->data;
	strcpy(text, graph->name[host ? node : topology->hosts + node]);
}

static const struct arg graph_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "the file, with a line 'NODE NODE [CABLES]' per cable"},
	{.type = ARG_END},
};

const struct topology_kind topology_graph = {
	.name = "graph",
	.summary = "the graph of a file: a list of cables",
	.source = "Navaridas et al. 2019",
	.formulae = "as in the file",
	.args = graph_args,
	.setup = graph_setup,
	.clear = graph_clear,
	.node_name = graph_name,
	CABLED,
};
