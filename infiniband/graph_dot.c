#include "infiniband/graph_dot.h"

#include "infiniband/graph_text.h"

#include <stdlib.h>
#include <string.h>

/* State of writing. */
struct graph_writing {
	const struct subnet_graph *graph;
	struct forwarding_sets sets;
	struct text text;
	FILE *file;
};

/* Writes the text in quotes, with a backslash before each quote within. */
static void write_text(const struct text *text, FILE *file)
{
	const char *at = text->characters, *end = at + text->length, *quote;
	putc('"', file);
	while (at < end && (quote = memchr(at, '"', (size_t)(end - at)))) {
		fwrite(at, 1, (size_t)(quote - at), file);
		fputs("\\\"", file);
		at = quote + 1;
	}
	if (at < end)
		fwrite(at, 1, (size_t)(end - at), file);
	putc('"', file);
}

/* Writes KEY="VALUE". *before is " [" at first and ", " afterwards. */
static void write_value(const struct graph_writing *w, const char *key, const char **before)
{
	fprintf(w->file, "%s%s=", *before, key);
	write_text(&w->text, w->file);
	*before = ", ";
}

static int write_node(struct graph_writing *w, uint32_t n, struct error *error)
{
	const char *before = " [";
	if (graph_node_lids(w->graph, n, &w->sets, error))
		return -1;
	fprintf(w->file, "\t\"%s\"", graph_name(w->graph, n));
	for (int key = 0; key < GRAPH_NODE_KEYS; key++) {
		if (graph_node_text(w->graph, n, key, &w->sets, &w->text, error))
			return -1;
		if (w->text.length)
			write_value(w, graph_node_keys[key], &before);
	}
	fputs("];\n", w->file);
	return 0;
}

static int write_channel(struct graph_writing *w, uint32_t n, uint32_t i, struct error *error)
{
	const struct subnet_graph *graph = w->graph;
	const char *before = " [";
	fprintf(w->file, "\t\"%s\" -> \"%s\"", graph->node[n].name, graph->node[graph_head(graph, n, i)].name);
	for (int key = 0; key < GRAPH_CHANNEL_KEYS; key++) {
		if (graph_channel_text(graph, n, i, key, &w->sets, &w->text, error))
			return -1;
		if (w->text.length || (key == GRAPH_COMMENT && graph->tables))
			write_value(w, graph_channel_keys[key], &before);
	}
	fputs("];\n", w->file);
	return 0;
}

static int write_channels(struct graph_writing *w, uint32_t n, struct error *error)
{
	const struct graph_node *node = &w->graph->node[n];
	if (node->routed && subnet_graph_sets(w->graph, n, &w->sets, error))
		return -1;
	for (uint32_t i = 0; i < node->ports; i++)
		if (graph_is_channel(w->graph, n, i) && write_channel(w, n, i, error))
			return -1;
	return 0;
}

/* Writes the channels from and to other nodes. */
static int write_links(struct graph_writing *w, struct error *error)
{
	const struct subnet_graph *graph = w->graph;
	for (uint32_t i = 0; i < graph->links; i++) {
		const struct graph_link *link = &graph->link[i];
		const char *before = " [";
		if ((!i || link[-1].tail != link->tail) && graph_node_lids(graph, link->tail, &w->sets, error))
			return -1;
		fprintf(w->file, "\t\"%s\" -> \"%s\"", graph_name(graph, link->tail), graph_name(graph, graph_link_head(graph, link)));
		for (int key = 0; key < GRAPH_CHANNEL_KEYS; key++) {
			if (graph_link_text(graph, link, key, &w->sets, &w->text, error))
				return -1;
			if (w->text.length)
				write_value(w, graph_channel_keys[key], &before);
		}
		fputs("];\n", w->file);
	}
	return 0;
}

int graph_dot_write(const struct subnet_graph *graph, FILE *file, const char *comment, struct error *error)
{
	struct graph_writing w = {.graph = graph, .file = file};
	while (comment && *comment) {
		size_t length = strcspn(comment, "\n");
		fprintf(file, "// %.*s\n", (int)length, comment);
		comment += length + (comment[length] != '\0');
	}
	fputs("digraph network {\n", file);
	for (uint32_t n = 0; n < graph->nodes + graph->others && !error->status; n++)
		write_node(&w, n, error);
	for (uint32_t n = 0; n < graph->nodes && !error->status; n++)
		write_channels(&w, n, error);
	if (!error->status)
		write_links(&w, error);
	fputs("}\n", file);
	forwarding_sets_clear(&w.sets);
	free(w.text.characters);
	return error->status ? -1 : 0;
}
