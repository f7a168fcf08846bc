/*
 * The attributes of a fabric as the input gave them: texts by name, of the graph itself, of each node and of each channel. The fabric is
 * used without them; they serve special purposes (virtual lanes, positions, the name of the topology) and writing the graph again.
 *
 * A graph can have nodes that are no part of the fabric, as they are neither hosts nor switches with hosts: its other nodes (see
 * whole_fabric.h). Their names and values follow those of the fabric's nodes, those of their channels the values of the fabric's channels.
 */
#ifndef FABRIC_ATTRIBUTES_H
#define FABRIC_ATTRIBUTES_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stddef.h>

enum attribute_kind { ATTRIBUTE_GRAPH, ATTRIBUTE_NODE, ATTRIBUTE_CHANNEL, ATTRIBUTE_KINDS };

struct attribute {
	const char *name;
	const char *fallback; /* value of nodes or channels that have none of their own, "" for none */
	const char **value;   /* [nodes + others, or channels + other_channels] NULL: all have the fallback, as the graph itself */
};

struct attributes {
	uint32_t nodes, channels;          /* of the fabric */
	uint32_t others, other_channels;   /* beside it */
	uint32_t *other_tail, *other_head; /* [other_channels] a node of the fabric, or nodes + an other node */
	const char *graph;                 /* name of the graph; NULL: none */
	const char *const *name;           /* [nodes + others] */
	const char **key;                  /* [channels + other_channels] names of edges; NULL: no edge has one */
	uint32_t *place;                   /* [channels] see attributes_channel_at(); NULL: the channels' own numbers */
	struct attribute *column[ATTRIBUTE_KINDS];
	size_t columns[ATTRIBUTE_KINDS], room[ATTRIBUTE_KINDS];
	const char **markup; /* [markups] addresses of the texts that are HTML, written between < and > */
	size_t markups, markup_room;
	char *subgraphs; /* [subgraphs_length] as they are written; NULL: none */
	size_t subgraphs_length;
	char *lids; /* texts that whole_fabric_keep() made; NULL: none */
	/* The owner of the texts, which are borrowed; freed with the attributes. */
	void *owner;
	void (*release)(void *owner);
};

/* Creates attributes without columns. NULL if out of memory. */
struct attributes *attributes_create(uint32_t nodes, uint32_t channels, struct error *error);
void attributes_free(struct attributes *attributes);

/*
 * Returns a copy for the same nodes but only some of the fabric's channels, channel [channels], which ascend; it borrows all texts and the
 * names of nodes, and has no names of edges and no places. NULL if out of memory. Time O(columns * (nodes + channels)).
 */
struct attributes *attributes_of_channels(
	const struct attributes *attributes, const uint32_t *channel, uint32_t channels, struct error *error);

/* Adds a column without values. name and fallback are borrowed. Returns the column, valid until the next call; NULL if out of memory. */
struct attribute *attributes_add(
	struct attributes *attributes, enum attribute_kind kind, const char *name, const char *fallback, struct error *error);

/* Removes a column; without one of that name, nothing. */
void attributes_remove(struct attributes *attributes, enum attribute_kind kind, const char *name);

/* Returns a column by its name; NULL if there is none. */
const struct attribute *attributes_find(const struct attributes *attributes, enum attribute_kind kind, const char *name);

/* Returns a value of a column, which may be NULL; NULL if it is empty. Borrowed. */
static inline const char *attribute_get(const struct attribute *column, uint32_t index)
{
	const char *text = !column ? "" : column->value ? column->value[index] : column->fallback;
	return *text ? text : NULL;
}

/* Returns the value of an attribute of a node; NULL if it is missing or empty. Borrowed. Time O(columns). */
const char *attributes_of_node(const struct attributes *attributes, uint32_t node, const char *name);
const char *attributes_of_channel(const struct attributes *attributes, uint32_t channel, const char *name);
const char *attributes_of_graph(const struct attributes *attributes, const char *name);

/* Returns whether there are virtual lanes or service levels: attributes sl2vl or vlarb of edges, or sl of nodes. */
bool attributes_have_lanes(const struct attributes *attributes);

/* Returns whether edges have buffers, numbers of virtual lanes or delays of their own. */
bool attributes_have_channels(const struct attributes *attributes);

/* Returns whether packets are routed via a random intermediate switch, see struct forwarding. */
bool attributes_have_via(const struct attributes *attributes);

/*
 * Returns the channel at a place: the channels of node v have the places first_channel[v] .. in the order of the input, but their numbers
 * in the order of their heads.
 */
static inline uint32_t attributes_channel_at(const struct attributes *attributes, uint32_t place)
{
	return attributes->place ? attributes->place[place] : place;
}

/*
 * attributes_sort_markup() sorts the texts that are HTML, once all are noted; then the other function returns whether a text is HTML. Time
 * O(log markups).
 */
void attributes_sort_markup(struct attributes *attributes);
bool attributes_are_markup(const struct attributes *attributes, const char *text);

#endif
