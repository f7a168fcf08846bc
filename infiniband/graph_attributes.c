#include "infiniband/graph_attributes.h"

#include "base/arena.h"
#include "base/memory.h"
#include "infiniband/graph_text.h"

#include <stdlib.h>
#include <string.h>

/* State of making the graph. */
struct making {
	const struct subnet_graph *from;
	struct dot_graph *graph;
	void *arena;                            /* memory of the texts */
	const char **value[GRAPH_CHANNEL_KEYS]; /* [key][nodes or channels, and others] values */
	bool any[GRAPH_CHANNEL_KEYS];           /* whether the graph has the key */
	struct forwarding_sets sets;
	struct text text;
	struct error *error;
};

/* Returns a copy of the characters, with a NUL; "" if out of memory. */
static const char *keep(struct making *m, const char *characters, size_t length)
{
	char *copy = arena_alloc(m->arena, length + 1);
	if (!copy) {
		error_set(m->error, STATUS_IO, "out of memory");
		return "";
	}
	if (length)
		memcpy(copy, characters, length);
	return copy;
}

static void keep_text(struct making *m, int key, uint32_t index)
{
	m->value[key][index] = m->text.length ? keep(m, m->text.characters, m->text.length) : "";
	m->any[key] |= m->text.length;
}

/* Allocates the values of count objects for each key. Returns 0, or -1. */
static int begin(struct making *m, int keys, uint32_t count)
{
	for (int key = 0; key < keys; key++) {
		m->value[key] = array_create(count, sizeof *m->value[key], m->error);
		m->any[key] = false;
	}
	return m->error->status ? -1 : 0;
}

/* Makes columns of the keys that the graph has, sorted by name, as the reader of dot does. */
static void end(struct making *m, enum attribute_kind kind, const char *const *name, int keys)
{
	for (int last = -1, next; !m->error->status; last = next) {
		next = -1;
		for (int key = 0; key < keys; key++)
			if (m->any[key] && (last < 0 || strcmp(name[key], name[last]) > 0) &&
				(next < 0 || strcmp(name[key], name[next]) < 0))
				next = key;
		if (next < 0)
			break;
		struct attribute *column = attributes_add(m->graph->attributes, kind, name[next], "", m->error);
		if (column) {
			column->value = m->value[next];
			m->value[next] = NULL;
		}
	}
	for (int key = 0; key < keys; key++) {
		free(m->value[key]);
		m->value[key] = NULL;
	}
}

static void make_nodes(struct making *m)
{
	struct attributes *a = m->graph->attributes;
	uint32_t nodes = a->nodes + a->others;
	const char **name = arena_alloc(m->arena, nodes * sizeof *name);
	if (!name)
		error_set(m->error, STATUS_IO, "out of memory");
	if (!name || begin(m, GRAPH_NODE_KEYS, nodes))
		return;
	a->name = name;
	a->graph = "network";
	for (uint32_t n = 0; n < nodes && !graph_node_lids(m->from, n, &m->sets, m->error); n++) {
		name[n] = keep(m, graph_name(m->from, n), strlen(graph_name(m->from, n)));
		for (int key = 0; key < GRAPH_NODE_KEYS && !graph_node_text(m->from, n, key, &m->sets, &m->text, m->error); key++)
			keep_text(m, key, n);
	}
}

/* A channel out of a node: its port among those of the node, its place in the order of writing, and the node to which it leads. */
struct end {
	uint32_t head, i, place;
};

static int compare_ends(const void *left, const void *right)
{
	const struct end *a = left, *b = right;
	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	return (a->i > b->i) - (a->i < b->i);
}

/* Makes the channels of a node; readers number them by the nodes to which they lead. Returns their number. */
static uint32_t make_channels_of(struct making *m, uint32_t n, uint32_t first, struct end *end)
{
	const struct graph_node *node = &m->from->node[n];
	uint32_t count = 0;
	if (node->routed && subnet_graph_sets(m->from, n, &m->sets, m->error))
		return 0;
	for (uint32_t i = 0; i < node->ports; i++)
		if (graph_is_channel(m->from, n, i)) {
			end[count] = (struct end){graph_head(m->from, n, i), i, count};
			count++;
		}
	qsort(end, count, sizeof *end, compare_ends);
	for (uint32_t k = 0; k < count; k++) {
		m->graph->head[first + k] = end[k].head;
		m->graph->attributes->place[first + end[k].place] = first + k;
		for (int key = 0; key < GRAPH_CHANNEL_KEYS; key++) {
			if (graph_channel_text(m->from, n, end[k].i, key, &m->sets, &m->text, m->error))
				return count;
			keep_text(m, key, first + k);
		}
	}
	return count;
}

/* Makes the channels from and to other nodes, in the order of writing. */
static void make_links(struct making *m)
{
	struct attributes *a = m->graph->attributes;
	a->other_tail = array_create(a->other_channels, sizeof *a->other_tail, m->error);
	a->other_head = array_create(a->other_channels, sizeof *a->other_head, m->error);
	for (uint32_t i = 0; i < a->other_channels && !m->error->status; i++) {
		const struct graph_link *link = &m->from->link[i];
		a->other_tail[i] = link->tail;
		a->other_head[i] = graph_link_head(m->from, link);
		if ((!i || link[-1].tail != link->tail) && graph_node_lids(m->from, link->tail, &m->sets, m->error))
			return;
		for (int key = 0; key < GRAPH_CHANNEL_KEYS; key++) {
			if (graph_link_text(m->from, link, key, &m->sets, &m->text, m->error))
				return;
			keep_text(m, key, a->channels + i);
		}
	}
}

static uint32_t count_channels(const struct subnet_graph *from, uint32_t *most)
{
	uint32_t channels = 0;
	*most = 0;
	for (uint32_t n = 0; n < from->nodes; n++) {
		*most = from->node[n].ports > *most ? from->node[n].ports : *most;
		for (uint32_t i = 0; i < from->node[n].ports; i++)
			channels += graph_is_channel(from, n, i);
	}
	return channels;
}

static void make_channels(struct making *m, uint32_t most)
{
	struct attributes *a = m->graph->attributes;
	struct end *ends = array_create(most, sizeof *ends, m->error);
	a->place = array_create(a->channels, sizeof *a->place, m->error);
	uint32_t first = 0;
	if (begin(m, GRAPH_CHANNEL_KEYS, a->channels + a->other_channels)) {
		free(ends);
		return;
	}
	for (uint32_t n = 0; n < a->nodes && !m->error->status; n++) {
		m->graph->first_channel[n] = first;
		first += make_channels_of(m, n, first, ends);
	}
	m->graph->first_channel[a->nodes] = first;
	if (!m->error->status)
		make_links(m);
	m->any[GRAPH_COMMENT] = m->from->tables;
	free(ends);
}

int graph_attributes(const struct subnet_graph *from, struct dot_graph *graph, struct error *error)
{
	struct making m = {.from = from, .graph = graph, .arena = arena_create(), .error = error};
	uint32_t most, channels = count_channels(from, &most);
	*graph = (struct dot_graph){
		.attributes = attributes_create(from->nodes, channels, error),
		.first_channel = array_create((size_t)from->nodes + 1, sizeof *graph->first_channel, error),
		.head = array_create(channels, sizeof *graph->head, error),
	};
	if (!m.arena)
		error_set(error, STATUS_IO, "out of memory");
	if (graph->attributes) {
		graph->attributes->others = from->others;
		graph->attributes->other_channels = from->links;
		graph->attributes->owner = m.arena;
		graph->attributes->release = m.arena ? arena_destroy : NULL;
	}
	if (!error->status) {
		make_nodes(&m);
		end(&m, ATTRIBUTE_NODE, graph_node_keys, GRAPH_NODE_KEYS);
	}
	if (!error->status) {
		make_channels(&m, most);
		end(&m, ATTRIBUTE_CHANNEL, graph_channel_keys, GRAPH_CHANNEL_KEYS);
	}
	if (!graph->attributes && m.arena)
		arena_destroy(m.arena);
	forwarding_sets_clear(&m.sets);
	free(m.text.characters);
	return error->status ? -1 : 0;
}
