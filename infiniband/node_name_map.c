#include "infiniband/node_name_map.h"

#include "base/input.h"
#include "base/memory.h"
#include "infiniband/dump.h"

#include <stdlib.h>
#include <string.h>

struct entry {
	uint64_t guid;
	size_t name, length, number; /* offset and length of the name in the text; number of its line */
};

struct map {
	struct entry *entry; /* [entries] sorted by GUID, the last line of each first */
	size_t entries, capacity;
	char *text; /* names, each with its NUL */
	size_t used, room;
};

static void clear(struct map *map)
{
	free(map->entry);
	free(map->text);
}

static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return (a->number < b->number) - (a->number > b->number);
}

/* Finds the name in a line: what the quotes enclose, quotes included; or, behind an id such as H-0002c90300001234, a word. NULL: none. */
static char *find_name(char *at, uint64_t *guid, char **end)
{
	bool id = scan_blanks(&at) && *at && strchr("HSR", *at) && at[1] == '-';
	at += id ? 2 : 0;
	if (!scan_hex(&at, guid) || !*guid || !scan_blanks(&at))
		return NULL;
	if (scan_char(&at, '"'))
		*end = strrchr(at, '"');
	else
		*end = at + (id ? strcspn(at, " \t\r\n") : 0);
	return *end && *end > at ? at : NULL;
}

/* Adds a line that is neither blank nor a comment. */
static int add_line(struct map *map, const char *path, char *line, size_t number, struct error *error)
{
	uint64_t guid = 0;
	char *end = NULL, *at = find_name(line, &guid, &end);
	if (!at)
		return error_at(error, STATUS_FABRIC, path, number,
			"the line is not a GUID and a name in quotes, for example 0x0002c90300001234 \"leaf 1\"");
	size_t length = (size_t)(end - at);
	if (array_grow(&map->entry, &map->capacity, map->entries + 1, sizeof *map->entry, error) ||
		array_grow(&map->text, &map->room, map->used + length + 1, 1, error))
		return -1;
	memcpy(map->text + map->used, at, length);
	map->text[map->used + length] = '\0';
	map->entry[map->entries++] = (struct entry){guid, map->used, length, number};
	map->used += length + 1;
	return 0;
}

/* Reads the map. Call clear() in every case. */
static int read_map(struct map *map, const char *path, struct error *error)
{
	struct line_reader lines;
	size_t length;
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_next(&lines, &length, error));) {
		char first = line[strspn(line, " \t")];
		if (first && first != '#')
			add_line(map, input_name(lines.input), line, lines.number, error);
	}
	line_reader_close(&lines);
	if (map->entries)
		qsort(map->entry, map->entries, sizeof *map->entry, compare_entries);
	return error->status ? -1 : 0;
}

/* Returns the entry of the GUID; NULL if the map has none. */
static const struct entry *find(const struct map *map, uint64_t guid)
{
	size_t low = 0, high = map->entries;
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (map->entry[middle].guid < guid)
			low = middle + 1;
		else
			high = middle;
	}
	return guid && low < map->entries && map->entry[low].guid == guid ? &map->entry[low] : NULL;
}

int node_name_map_subnet(const char *path, struct subnet *subnet, struct error *error)
{
	struct map map = {0};
	read_map(&map, path, error);
	for (uint32_t n = 0; n < subnet->nodes && !error->status; n++) {
		struct subnet_node *node = &subnet->node[n];
		const struct entry *entry = find(&map, node->guid);
		for (size_t i = 0; !entry && i < node->slots; i++)
			entry = node->port[i] == NONE ? NULL : find(&map, subnet->port[node->port[i]].guid);
		const char *name = entry ? subnet_text(subnet, map.text + entry->name, entry->length, error) : NULL;
		if (name && *name)
			node->desc = name;
	}
	clear(&map);
	return error->status ? -1 : 0;
}

/* Makes the descriptions in the attributes those of the fabric. */
static int keep_descriptions(const struct fabric *fabric, struct attributes *attributes, struct error *error)
{
	struct attribute *desc = (struct attribute *)attributes_find(attributes, ATTRIBUTE_NODE, "desc");
	if (!desc)
		desc = attributes_add(attributes, ATTRIBUTE_NODE, "desc", "", error);
	if (desc && !desc->value) {
		uint32_t all = attributes->nodes + attributes->others;
		desc->value = array_create(all, sizeof *desc->value, error);
		for (uint32_t v = attributes->nodes; desc->value && v < all; v++)
			desc->value[v] = desc->fallback;
	}
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		desc->value[v] = fabric->labels->desc[v];
	return error->status ? -1 : 0;
}

int node_name_map_fabric(const char *path, struct fabric *fabric, struct attributes *attributes, uint32_t *named, struct error *error)
{
	struct fabric_labels *labels = fabric->labels;
	struct map map = {0};
	*named = 0;
	read_map(&map, path, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		const struct entry *entry = find(&map, labels->guid[v]);
		if (!entry)
			continue;
		labels->desc[v] = map.text + entry->name;
		++*named;
	}
	free(labels->descriptions);
	labels->descriptions = map.text;
	map.text = NULL;
	clear(&map);
	if (attributes && *named && !error->status)
		keep_descriptions(fabric, attributes, error);
	return error->status ? -1 : 0;
}
