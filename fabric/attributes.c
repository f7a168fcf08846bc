#include "fabric/attributes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct attributes *attributes_create(uint32_t nodes, uint32_t channels, struct error *error)
{
	struct attributes *attributes = array_create(1, sizeof *attributes, error);
	if (attributes)
		*attributes = (struct attributes){.nodes = nodes, .channels = channels};
	return attributes;
}

/* Copies a column. */
static void copy_column(struct attributes *to, enum attribute_kind kind, const struct attribute *from, const struct attributes *a,
	const uint32_t *channel, struct error *error)
{
	struct attribute *column = attributes_add(to, kind, from->name, from->fallback, error);
	uint32_t count = kind == ATTRIBUTE_NODE ? to->nodes + to->others : to->channels + to->other_channels;
	if (!column || !from->value || !(column->value = array_create(count, sizeof *column->value, error)))
		return;
	for (uint32_t i = 0; i < count; i++) {
		bool beside = kind == ATTRIBUTE_CHANNEL && i >= to->channels;
		column->value[i] = from->value[kind == ATTRIBUTE_NODE ? i : beside ? a->channels + i - to->channels : channel[i]];
	}
}

struct attributes *attributes_of_channels(
	const struct attributes *attributes, const uint32_t *channel, uint32_t channels, struct error *error)
{
	const struct attributes *a = attributes;
	struct attributes *to = attributes_create(a->nodes, channels, error);
	if (!to)
		return NULL;
	to->others = a->others;
	to->other_channels = a->other_channels;
	to->graph = a->graph;
	to->name = a->name;
	to->other_tail = array_copy(a->other_tail, a->other_channels, sizeof *to->other_tail, error);
	to->other_head = array_copy(a->other_head, a->other_channels, sizeof *to->other_head, error);
	for (int kind = 0; kind < ATTRIBUTE_KINDS; kind++)
		for (size_t i = 0; i < a->columns[kind] && !error->status; i++)
			copy_column(to, kind, &a->column[kind][i], a, channel, error);
	if (!error->status)
		return to;
	attributes_free(to);
	return NULL;
}

void attributes_free(struct attributes *attributes)
{
	if (!attributes)
		return;
	for (int kind = 0; kind < ATTRIBUTE_KINDS; kind++) {
		for (size_t i = 0; i < attributes->columns[kind]; i++)
			free(attributes->column[kind][i].value);
		free(attributes->column[kind]);
	}
	free(attributes->key);
	free(attributes->place);
	free(attributes->other_tail);
	free(attributes->other_head);
	free(attributes->markup);
	free(attributes->subgraphs);
	free(attributes->lids);
	if (attributes->release)
		attributes->release(attributes->owner);
	free(attributes);
}

struct attribute *attributes_add(
	struct attributes *attributes, enum attribute_kind kind, const char *name, const char *fallback, struct error *error)
{
	size_t count = attributes->columns[kind];
	if (array_grow(&attributes->column[kind], &attributes->room[kind], count + 1, sizeof **attributes->column, error))
		return NULL;
	attributes->columns[kind]++;
	attributes->column[kind][count] = (struct attribute){.name = name, .fallback = fallback};
	return &attributes->column[kind][count];
}

const struct attribute *attributes_find(const struct attributes *attributes, enum attribute_kind kind, const char *name)
{
	for (size_t i = 0; i < attributes->columns[kind]; i++)
		if (!strcmp(attributes->column[kind][i].name, name))
			return &attributes->column[kind][i];
	return NULL;
}

void attributes_remove(struct attributes *attributes, enum attribute_kind kind, const char *name)
{
	struct attribute *column = (struct attribute *)attributes_find(attributes, kind, name);
	if (!column)
		return;
	free(column->value);
	struct attribute *end = attributes->column[kind] + attributes->columns[kind]--;
	memmove(column, column + 1, (size_t)(end - column - 1) * sizeof *column);
}

const char *attributes_of_node(const struct attributes *attributes, uint32_t node, const char *name)
{
	return attribute_get(attributes_find(attributes, ATTRIBUTE_NODE, name), node);
}

const char *attributes_of_channel(const struct attributes *attributes, uint32_t channel, const char *name)
{
	return attribute_get(attributes_find(attributes, ATTRIBUTE_CHANNEL, name), channel);
}

const char *attributes_of_graph(const struct attributes *attributes, const char *name)
{
	return attribute_get(attributes_find(attributes, ATTRIBUTE_GRAPH, name), 0);
}

bool attributes_have_lanes(const struct attributes *attributes)
{
	return attributes_find(attributes, ATTRIBUTE_CHANNEL, "sl2vl") || attributes_find(attributes, ATTRIBUTE_CHANNEL, "vlarb") ||
	       attributes_find(attributes, ATTRIBUTE_NODE, "sl");
}

bool attributes_have_channels(const struct attributes *attributes)
{
	return attributes_find(attributes, ATTRIBUTE_CHANNEL, "buffer") ||
	       attributes_find(attributes, ATTRIBUTE_CHANNEL, "virtual_lanes") ||
	       attributes_find(attributes, ATTRIBUTE_CHANNEL, "routing_delay") ||
	       attributes_find(attributes, ATTRIBUTE_CHANNEL, "arbitration_delay") ||
	       attributes_find(attributes, ATTRIBUTE_CHANNEL, "credit_delay");
}

bool attributes_have_via(const struct attributes *attributes)
{
	const char *via = attributes_of_graph(attributes, "via");
	return via && !strcmp(via, "random");
}

static int compare_texts(const void *left, const void *right)
{
	uintptr_t a = (uintptr_t) * (const char *const *)left, b = (uintptr_t) * (const char *const *)right;
	return (a > b) - (a < b);
}

void attributes_sort_markup(struct attributes *attributes)
{
	if (attributes->markups)
		qsort(attributes->markup, attributes->markups, sizeof *attributes->markup, compare_texts);
}

bool attributes_are_markup(const struct attributes *attributes, const char *text)
{
	return attributes->markups && bsearch(&text, attributes->markup, attributes->markups, sizeof *attributes->markup, compare_texts);
}
