#include "fabric/node_names.h"

#include "base/args.h"
#include "base/memory.h"
#include "base/shown.h"
#include "base/spelling.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether the look-up includes the node. */
static bool is_meant(const struct node_names *names, uint32_t node)
{
	bool host = names->fabric->node_host[node] != NONE;
	return names->choice == NODES_ALL || host == (names->choice == NODES_HOSTS);
}

static void add_unique(struct name_table *names, const char *name, uint32_t node)
{
	if (*name && name_table_add(names, name, node) != node)
		name_table_set(names, name, NODE_AMBIGUOUS);
}

static int add_descriptions(struct node_names *names, struct error *error)
{
	const struct fabric *fabric = names->fabric;
	size_t size = 1;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		size += strlen(fabric->labels->desc[v]) + 1;
	names->words = array_create(size, 1, error);
	if (!names->words || name_table_init(&names->desc, fabric->nodes, error) || name_table_init(&names->word, fabric->nodes, error))
		return -1;
	char *place = names->words;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		if (!is_meant(names, v))
			continue;
		add_unique(&names->desc, fabric->labels->desc[v], v);
		char *word = place;
		place = stpcpy(place, fabric->labels->desc[v]) + 1;
		word[strcspn(word, " \t")] = '\0';
		add_unique(&names->word, word, v);
	}
	return 0;
}

static int compare_numbers(const void *left, const void *right)
{
	const struct node_number *a = left, *b = right;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return (a->node > b->node) - (a->node < b->node);
}

int node_names_init(struct node_names *names, const struct fabric *fabric, enum node_choice choice, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	*names = (struct node_names){.fabric = fabric, .choice = choice};
	names->guid = array_create(fabric->nodes, sizeof *names->guid, error);
	names->lid = array_create(fabric->nodes, sizeof *names->lid, error);
	if (!names->guid || !names->lid || add_descriptions(names, error))
		return -1;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		if (is_meant(names, v) && labels->guid[v])
			names->guid[names->guids++] = (struct node_number){labels->guid[v], v};
		if (is_meant(names, v) && labels->lid[v])
			names->lid[names->lids++] = (struct node_number){labels->lid[v], v};
	}
	qsort(names->guid, names->guids, sizeof *names->guid, compare_numbers);
	qsort(names->lid, names->lids, sizeof *names->lid, compare_numbers);
	return 0;
}

void node_names_clear(struct node_names *names)
{
	name_table_clear(&names->desc);
	name_table_clear(&names->word);
	free(names->words);
	free(names->guid);
	free(names->lid);
}

/* Returns the first element with that number, NULL if there is none. */
static const struct node_number *find_number(const struct node_number *list, uint32_t count, uint64_t number)
{
	uint32_t low = 0, high = count;
	while (low < high) {
		uint32_t middle = (low + high) / 2;
		if (list[middle].number < number)
			low = middle + 1;
		else
			high = middle;
	}
	return low < count && list[low].number == number ? &list[low] : NULL;
}

static uint32_t node_of_number(const struct node_number *list, uint32_t count, uint64_t number)
{
	const struct node_number *found = find_number(list, count, number);
	if (!found)
		return NAME_NONE;
	return found + 1 < list + count && found[1].number == number ? NODE_AMBIGUOUS : found->node;
}

/* Finds a node by GUID (with 0x, or with all digits) or LID (decimal, or up to four digits after 0x, as in dump_fts). */
static uint32_t find_numbered(const struct node_names *names, const char *text, size_t length)
{
	char copy[24];
	uint64_t guid;
	int64_t lid;
	if (length >= sizeof copy)
		return NAME_NONE;
	snprintf(copy, sizeof copy, "%.*s", (int)length, text);
	bool prefixed = copy[0] == '0' && (copy[1] | 0x20) == 'x';
	if ((prefixed || length == 16) && read_guid(copy, &guid)) {
		uint32_t node = node_of_number(names->guid, names->guids, guid);
		if (node != NAME_NONE || length > 6)
			return node;
		return node_of_number(names->lid, names->lids, guid);
	}
	return read_integer(copy, 1, LID_LAST, &lid) ? node_of_number(names->lid, names->lids, (uint64_t)lid) : NAME_NONE;
}

static uint32_t find_name(const struct node_names *names, const char *text, size_t length)
{
	uint32_t node = name_table_find(&names->fabric->labels->names, text, length);
	return node != NAME_NONE && is_meant(names, node) ? node : NAME_NONE;
}

uint32_t node_names_find(const struct node_names *names, const char *text, size_t length)
{
	uint32_t node = find_name(names, text, length);
	if (node == NAME_NONE)
		node = name_table_find(&names->desc, text, length);
	if (node == NAME_NONE)
		node = name_table_find(&names->word, text, length);
	return node != NAME_NONE ? node : find_numbered(names, text, length);
}

uint32_t node_names_find_line(const struct node_names *names, const char *line, const char *word)
{
	uint32_t node = find_name(names, word, strlen(word));
	if (node == NAME_NONE)
		node = name_table_find(&names->desc, line, strlen(line));
	return node != NAME_NONE ? node : node_names_find(names, word, strlen(word));
}

/* Returns whether an ambiguous text may denote the node: its description, the first word of that, or its number. */
static bool may_mean(const struct node_names *names, uint32_t node, const char *text, size_t length)
{
	const struct fabric_labels *labels = names->fabric->labels;
	const char *desc = labels->desc[node];
	if (!is_meant(names, node))
		return false;
	if (name_table_find(&names->desc, text, length) == NODE_AMBIGUOUS)
		return strlen(desc) == length && !strncmp(desc, text, length);
	if (name_table_find(&names->word, text, length) == NODE_AMBIGUOUS)
		return strcspn(desc, " \t") == length && !strncmp(desc, text, length);
	char copy[24];
	uint64_t guid;
	int64_t lid;
	snprintf(copy, sizeof copy, "%.*s", (int)length, text);
	return (read_guid(copy, &guid) && labels->guid[node] == guid) ||
	       (read_integer(copy, 1, LID_LAST, &lid) && labels->lid[node] == lid) || (read_guid(copy, &guid) && labels->lid[node] == guid);
}

static void list_candidates(const struct node_names *names, const char *text, size_t length, char hint[NODE_HINT_SIZE])
{
	enum { LISTED = 5 };
	const size_t rest = sizeof " and 4294967295 more" - 1;
	size_t count = 0, listed = 0;
	for (uint32_t v = 0; v < names->fabric->nodes; v++)
		if (may_mean(names, v, text, length) && count++ == listed && listed < LISTED)
			listed += append_whole(hint, NODE_HINT_SIZE - rest, "%s'%s'", listed ? ", " : ": ", names->fabric->labels->name[v]);
	if (listed && count > listed)
		append_whole(hint, NODE_HINT_SIZE, " and %zu more", count - listed);
}

static void suggest(const struct node_names *names, const char *text, size_t length, char hint[NODE_HINT_SIZE])
{
	const struct fabric *fabric = names->fabric;
	struct error ignored = {0};
	size_t count = 0;
	char *copy = strndup(text, length);
	const char **list = array_create(2 * (size_t)fabric->nodes, sizeof *list, &ignored), *word = names->words;
	for (uint32_t v = 0; list && v < fabric->nodes; v++) {
		if (!is_meant(names, v))
			continue;
		list[count++] = fabric->labels->name[v];
		if (*word)
			list[count++] = word;
		word += strlen(fabric->labels->desc[v]) + 1;
	}
	const size_t shortest = 3; /* of less all is near */
	const char *near = copy && list && length >= shortest ? nearest_name(copy, list, count) : NULL;
	if (near)
		append_whole(hint, NODE_HINT_SIZE, "; did you mean '%s'?", near);
	free(list);
	free(copy);
}

/* Returns whether the text names a node that --fail removed. */
static bool was_removed(const struct node_names *names, const char *text, size_t length)
{
	const struct fabric *removed = names->fabric->labels->removed;
	struct node_names gone;
	struct error ignored = {0};
	bool is = removed && !node_names_init(&gone, removed, names->choice, &ignored) && node_names_find(&gone, text, length) != NAME_NONE;
	if (removed)
		node_names_clear(&gone);
	return is;
}

const char *node_names_hint(const struct node_names *names, const char *text, size_t length, char hint[NODE_HINT_SIZE])
{
	hint[0] = '\0';
	if (node_names_find(names, text, length) == NODE_AMBIGUOUS)
		list_candidates(names, text, length, hint);
	else if (was_removed(names, text, length))
		append_whole(hint, NODE_HINT_SIZE, "; --fail removed it");
	else
		suggest(names, text, length, hint);
	return hint;
}
