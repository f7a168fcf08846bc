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
	return attributes_find(attributes, ATTRIBUTE_CHANNEL, "sl2vl") || attributes_find(attributes, ATTRIBUTE_NODE, "sl");
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
