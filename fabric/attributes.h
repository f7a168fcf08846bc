/*
 * The attributes of a fabric, as the input gave them: texts by name, of the graph itself, of each node and of each channel. A fabric is
 * used without them; they are there for what few ask for (lanes, places, the name of the topology), and for writing the graph again.
 */
#ifndef FABRIC_ATTRIBUTES_H
#define FABRIC_ATTRIBUTES_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stddef.h>

enum attribute_kind { ATTRIBUTE_GRAPH, ATTRIBUTE_NODE, ATTRIBUTE_CHANNEL, ATTRIBUTE_KINDS };

struct attribute {
	const char *name;
	const char *fallback; /* of those that have no value of their own, "" for none */
	const char **value;   /* [nodes or channels] NULL: all have the fallback, as the graph has */
};

struct attributes {
	uint32_t nodes, channels;
	const char *graph;       /* its name; NULL: none */
	const char *const *name; /* [nodes] */
	const char **key;        /* [channels] the names of edges; NULL: none has one */
	uint32_t *place;         /* [channels] see attributes_channel_at(); NULL: the channels' own numbers */
	struct attribute *column[ATTRIBUTE_KINDS];
	size_t columns[ATTRIBUTE_KINDS], room[ATTRIBUTE_KINDS];
	const char **markup; /* [markups] the texts, by their addresses, that are HTML: in a file they stand between < and > */
	size_t markups, markup_room;
	char *subgraphs; /* [subgraphs_length] as they are written; NULL: there are none */
	size_t subgraphs_length;
	/* What owns the texts, which are borrowed; freed with them. */
	void *owner;
	void (*release)(void *owner);
};

/* Without any. NULL when the memory is not there. */
struct attributes *attributes_create(uint32_t nodes, uint32_t channels, struct error *error);
void attributes_free(struct attributes *attributes);

/* Adds a column without values. name and fallback are borrowed. NULL when the memory is not there; valid until the next call. */
struct attribute *attributes_add(
	struct attributes *attributes, enum attribute_kind kind, const char *name, const char *fallback, struct error *error);

/* A column by its name; NULL: there is none. */
const struct attribute *attributes_find(const struct attributes *attributes, enum attribute_kind kind, const char *name);

/* A value of a column, or of none; NULL where it is empty. Borrowed. */
static inline const char *attribute_get(const struct attribute *column, uint32_t index)
{
	const char *text = !column ? "" : column->value ? column->value[index] : column->fallback;
	return *text ? text : NULL;
}

/* The value of an attribute; NULL where there is none, or where it is empty. Borrowed. Time O(columns). */
const char *attributes_of_node(const struct attributes *attributes, uint32_t node, const char *name);
const char *attributes_of_channel(const struct attributes *attributes, uint32_t channel, const char *name);
const char *attributes_of_graph(const struct attributes *attributes, const char *name);

/* Whether they tell of lanes: edges have an attribute sl2vl, or nodes sl. */
bool attributes_have_lanes(const struct attributes *attributes);

/* Whether packets go by way of a random switch, see struct forwarding. */
bool attributes_have_via(const struct attributes *attributes);

/* The channel at a place: those of node v have the places first_channel[v] .. in the order of the input, which numbers them by the nodes
 * that they lead to instead. */
static inline uint32_t attributes_channel_at(const struct attributes *attributes, uint32_t place)
{
	return attributes->place ? attributes->place[place] : place;
}

/* Sorts the texts that are HTML, once all are noted; then whether a text of theirs is one. Time O(log markups). */
void attributes_sort_markup(struct attributes *attributes);
bool attributes_are_markup(const struct attributes *attributes, const char *text);

#endif
