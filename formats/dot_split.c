/* Parts the nodes of a graph that are no part of the fabric from those that are. */
#include "base/memory.h"
#include "fabric/whole_fabric.h"
#include "formats/dot_graph.h"

#include <stdlib.h>
#include <string.h>

/* State of the split: old numbers of nodes and channels by new ones. */
struct split {
	struct dot_graph *graph;
	uint32_t others;
	uint32_t *number;  /* [nodes] old node -> new, the others after the fabric's */
	uint32_t *node;    /* [nodes] new -> old */
	uint32_t *channel; /* [channels] likewise */
	uint32_t *new_of;  /* [channels] old channel -> new */
	uint32_t *tail;    /* [channels] by old numbers */
};

/* Sorts values in place by the numbers before. */
static void permute(const char **value, const uint32_t *old, uint32_t count, const char **room)
{
	for (uint32_t i = 0; i < count; i++)
		room[i] = value[old[i]];
	memcpy(value, room, count * sizeof *value);
}

static void number_nodes(struct split *s, const struct attribute *type)
{
	uint32_t nodes = s->graph->attributes->nodes, next = 0;
	for (int other = 0; other < 2; other++)
		for (uint32_t v = 0; v < nodes; v++)
			if ((whole_other(attribute_get(type, v)) != WHOLE_NO_OTHER) == other) {
				s->number[v] = next;
				s->node[next++] = v;
			}
}

/* Numbers the channels of the fabric in their order, then the others as the input has them, and sets the places of the former. */
static void number_channels(struct split *s, uint32_t *first)
{
	struct attributes *a = s->graph->attributes;
	const struct dot_graph *g = s->graph;
	uint32_t kept = a->nodes - s->others, next = 0;
	for (uint32_t v = 0; v < a->nodes; v++)
		for (uint32_t c = g->first_channel[v]; c < g->first_channel[v + 1]; c++)
			s->tail[c] = v;
	for (uint32_t v = 0; v < kept; v++) {
		first[v] = next;
		for (uint32_t c = g->first_channel[s->node[v]]; c < g->first_channel[s->node[v] + 1]; c++)
			if (s->number[g->head[c]] < kept)
				s->channel[next++] = c;
	}
	first[kept] = next;
	for (uint32_t v = 0; v < a->nodes; v++)
		for (uint32_t p = g->first_channel[s->node[v]]; p < g->first_channel[s->node[v] + 1]; p++) {
			uint32_t c = attributes_channel_at(a, p);
			if (v >= kept || s->number[g->head[c]] >= kept)
				s->channel[next++] = c;
		}
	for (uint32_t c = 0; c < a->channels; c++)
		s->new_of[s->channel[c]] = c;
}

/* Gives names, values, places and heads their new order. */
static int rearrange(struct split *s, uint32_t *first, struct error *error)
{
	struct dot_graph *g = s->graph;
	struct attributes *a = g->attributes;
	uint32_t nodes = a->nodes, channels = a->channels, kept = nodes - s->others, within = first[kept];
	size_t most = nodes > channels ? nodes : channels;
	const char **room = array_create(most, sizeof *room, error);
	uint32_t *head = array_create(channels, sizeof *head, error), *place = array_create(within, sizeof *place, error);
	a->other_tail = array_create(channels - within, sizeof *a->other_tail, error);
	a->other_head = array_create(channels - within, sizeof *a->other_head, error);
	if (error->status) {
		free(room);
		free(head);
		free(place);
		return -1;
	}
	permute((const char **)a->name, s->node, nodes, room);
	for (size_t i = 0; i < a->columns[ATTRIBUTE_NODE]; i++)
		permute(a->column[ATTRIBUTE_NODE][i].value, s->node, nodes, room);
	for (size_t i = 0; i < a->columns[ATTRIBUTE_CHANNEL]; i++)
		permute(a->column[ATTRIBUTE_CHANNEL][i].value, s->channel, channels, room);
	if (a->key)
		permute(a->key, s->channel, channels, room);
	for (uint32_t p = 0, next = 0, v = 0; v < kept; v++)
		for (p = g->first_channel[s->node[v]]; p < g->first_channel[s->node[v] + 1]; p++) {
			uint32_t c = s->new_of[attributes_channel_at(a, p)];
			if (c < within)
				place[next++] = c;
		}
	for (uint32_t c = 0; c < channels; c++)
		head[c] = s->number[g->head[s->channel[c]]];
	for (uint32_t i = within; i < channels; i++) {
		a->other_tail[i - within] = s->number[s->tail[s->channel[i]]];
		a->other_head[i - within] = head[i];
	}
	free(room);
	free(a->place);
	free(g->head);
	free(g->first_channel);
	a->place = place;
	g->head = head;
	g->first_channel = first;
	a->nodes = kept;
	a->others = s->others;
	a->channels = within;
	a->other_channels = channels - within;
	return 0;
}

int dot_graph_split(struct dot_graph *graph, struct error *error)
{
	struct attributes *a = graph->attributes;
	struct split s = {.graph = graph};
	const struct attribute *type = attributes_find(a, ATTRIBUTE_NODE, "type");
	for (uint32_t v = 0; type && v < a->nodes; v++)
		s.others += whole_other(attribute_get(type, v)) != WHOLE_NO_OTHER;
	if (!s.others)
		return 0;
	uint32_t *first = array_create((size_t)a->nodes - s.others + 1, sizeof *first, error);
	s.number = array_create(a->nodes, sizeof *s.number, error);
	s.node = array_create(a->nodes, sizeof *s.node, error);
	s.channel = array_create(a->channels, sizeof *s.channel, error);
	s.new_of = array_create(a->channels, sizeof *s.new_of, error);
	s.tail = array_create(a->channels, sizeof *s.tail, error);
	if (!error->status) {
		number_nodes(&s, type);
		number_channels(&s, first);
		if (!rearrange(&s, first, error))
			first = NULL;
	}
	free(first);
	free(s.number);
	free(s.node);
	free(s.channel);
	free(s.new_of);
	free(s.tail);
	return error->status ? -1 : 0;
}
