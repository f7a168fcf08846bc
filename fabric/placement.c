#include "fabric/placement.h"

#include "base/args.h"
#include "base/files.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/spelling.h"
#include "fabric/node_names.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const placement_subsets[] = {
	"linear_bfs",
	"hosts in the order of a breadth-first search from the first node of the file (the default)",
	"file_order",
	"hosts in the order of the file",
	"rand",
	"hosts in random order, drawn once for all runs",
	"guid_asc",
	"hosts by ascending GUID",
	"guid_desc",
	"hosts by descending GUID",
	"file:PATH",
	"hosts named in the file, one per line (such as an MPI hostfile)",
	NULL,
};
const char *const placement_mappings[] = {
	"random",
	"random order, drawn again for every run (the default)",
	"linear",
	"rank i on the i-th host of the subset",
	"file:PATH",
	"rank i on the host named in line i of the file; a host may be named several times",
	NULL,
};

static int check_name(const char *const *table, const char *name, const char *what, struct error *error)
{
	const char *names[16];
	size_t count = 0;
	for (; table[2 * count]; count++) {
		names[count] = table[2 * count];
		if (!strcmp(name, names[count]) || (!strcmp(names[count], "file:PATH") && !strncmp(name, "file:", 5) && name[5]))
			return 0;
	}
	return error_unknown(error, what, name, names, count);
}

int placement_check(const char *subset, const char *mapping, struct error *error)
{
	return check_name(placement_subsets, subset, "subset", error) || check_name(placement_mappings, mapping, "mapping", error) ? -1 : 0;
}

/* Orders the hosts as a breadth-first search from node 0 finds them, then the others. Returns 0, or -1. */
static int order_by_search(const struct fabric *fabric, uint32_t *order, struct error *error)
{
	uint32_t *queue = array_create(fabric->nodes, sizeof *queue, error);
	char *found = array_create(fabric->nodes, 1, error);
	if (!queue || !found) {
		free(queue);
		free(found);
		return -1;
	}
	uint32_t first = 0, last = 0, hosts = 0;
	queue[last++] = 0;
	found[0] = 1;
	while (first < last) {
		uint32_t v = queue[first++];
		if (fabric->node_host[v] != NONE)
			order[hosts++] = fabric->node_host[v];
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			if (!found[fabric->head[c]]) {
				found[fabric->head[c]] = 1;
				queue[last++] = fabric->head[c];
			}
	}
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (!found[fabric->host_node[h]])
			order[hosts++] = h;
	free(queue);
	free(found);
	return 0;
}

/* A host and its sort key. */
struct keyed {
	uint64_t key;
	uint32_t host;
};

static int compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->host > b->host) - (a->host < b->host);
}

/* Orders the hosts by GUID: the attribute, otherwise the hexadecimal digits of the name after its first letter. Returns 0, or -1. */
static int order_by_guid(const struct fabric *fabric, bool descending, uint32_t *order, struct error *error)
{
	struct keyed *list = array_create(fabric->hosts, sizeof *list, error);
	for (uint32_t h = 0; list && h < fabric->hosts; h++) {
		uint32_t v = fabric->host_node[h];
		const char *digits = fabric->labels->name[v];
		digits += *digits != '\0';
		uint64_t guid = fabric->labels->guid[v];
		if (!guid && !read_guid(digits, &guid)) {
			error_at(error, STATUS_FABRIC, fabric->labels->source, 0,
				"host '%s' has no GUID to sort by; choose another --subset", fabric->labels->name[v]);
			break;
		}
		list[h] = (struct keyed){guid, h};
	}
	if (!error->status) {
		qsort(list, fabric->hosts, sizeof *list, compare_keyed);
		for (uint32_t h = 0; h < fabric->hosts; h++)
			order[h] = list[descending ? fabric->hosts - 1 - h : h].host;
	}
	free(list);
	return error->status ? -1 : 0;
}

/* Finds the host of a line; a number of slots after the name and a colon, as in host files of MPICH, is left out of the word. */
static uint32_t find_host(const struct node_names *names, const char *line, char *word)
{
	uint32_t node = node_names_find_line(names, line, word);
	char *colon = strrchr(word, ':');
	if (node == NAME_NONE && colon && colon > word && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")]) {
		*colon = '\0';
		node = node_names_find(names, word, strlen(word));
	}
	return node;
}

/*
 * Returns the first of the words after a host that names another host, NULL if none does: numbers are slots, and a description can have
 * several words.
 */
static const char *second_host(const struct node_names *names, const struct fabric *fabric, uint32_t node, const char *line, char *words)
{
	const char *desc = fabric->labels->desc[node];
	if (strchr(desc, ' ') && !strncmp(line, desc, strlen(desc)))
		return NULL;
	for (char *word; (word = next_word(&words)) && *word;) {
		uint32_t other = *word >= '0' && *word <= '9' ? NAME_NONE : node_names_find(names, word, strlen(word));
		if (other < NODE_AMBIGUOUS && other != node)
			return word;
	}
	return NULL;
}

/* Returns whether the first word of a file is rather that of a graph or a dump. */
static bool is_other_text(const char *word)
{
	return strpbrk(word, "/={}\"") || !strcmp(word, "digraph") || !strcmp(word, "strict");
}

/* Reads hosts, one per line. once: repeated hosts are skipped and counted there; NULL: they are not. order is new, *count long. Returns 0,
 * or -1. */
static int read_hosts(
	const char *path, const struct fabric *fabric, struct placement *once, uint32_t **order, size_t *count, struct error *error)
{
	struct node_names names;
	struct line_reader lines;
	bool *seen = array_create(fabric->hosts, sizeof *seen, error);
	size_t capacity = 0;
	*count = 0;
	*order = NULL;
	node_names_init(&names, fabric, NODES_HOSTS, error);
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_list(&lines, error));) {
		char whole[256], hint[NODE_HINT_SIZE], *word;
		snprintf(whole, sizeof whole, "%s", line);
		if (!(word = next_word(&line)) || !*word)
			continue;
		uint32_t node = find_host(&names, whole, word), host = node < NODE_AMBIGUOUS ? fabric->node_host[node] : NONE;
		const char *second = host == NONE ? NULL : second_host(&names, fabric, node, whole, line);
		if (node == NODE_AMBIGUOUS)
			error_at(error, STATUS_USAGE, path, lines.number, "'%s' is the description of several hosts%s", word,
				node_names_hint(&names, word, strlen(word), hint));
		else if (node == NAME_NONE)
			error_at(error, STATUS_USAGE, path, lines.number, "the fabric has no host '%s'%s", word,
				!*count && is_other_text(word) ? "; a line is the name of a host"
							       : node_names_hint(&names, word, strlen(word), hint));
		else if (second)
			error_at(error, STATUS_USAGE, path, lines.number, "two hosts on one line, '%s' and '%s'; write one host per line",
				word, second);
		else if (once && seen[host])
			once->repeated_line = once->repeated++ ? once->repeated_line : lines.number;
		else if (!array_grow(order, &capacity, *count + 1, sizeof **order, error)) {
			seen[host] = true;
			(*order)[(*count)++] = host;
		}
	}
	if (!error->status && !*count)
		error_at(error, STATUS_USAGE, path, 0, "names no hosts");
	node_names_clear(&names);
	free(seen);
	line_reader_close(&lines);
	return error->status ? -1 : 0;
}

/* Returns the path of "file:PATH", NULL for other subsets or mappings. */
static const char *path_of(const char *name)
{
	return strncmp(name, "file:", 5) ? NULL : name + 5;
}

int placement_files(const char *subset, const char *mapping, struct files *files, struct error *error)
{
	if (path_of(subset) && files_read(files, path_of(subset), error))
		return -1;
	return path_of(mapping) ? files_read(files, path_of(mapping), error) : 0;
}

/* Finds all hosts that the subset offers, in its order. Returns 0, or -1. */
static int choose_subset(
	struct placement *placement, const struct fabric *fabric, const char *subset, uint64_t seed, size_t *count, struct error *error)
{
	uint32_t **order = &placement->host;
	if (path_of(subset))
		return read_hosts(path_of(subset), fabric, placement, order, count, error);
	*count = fabric->hosts;
	*order = array_create(fabric->hosts, sizeof **order, error);
	if (!*order)
		return -1;
	if (!strcmp(subset, "linear_bfs"))
		return order_by_search(fabric, *order, error);
	if (!strncmp(subset, "guid_", 5))
		return order_by_guid(fabric, !strcmp(subset, "guid_desc"), *order, error);
	for (uint32_t h = 0; h < fabric->hosts; h++)
		(*order)[h] = h;
	if (!strcmp(subset, "rand")) {
		struct random random;
		random_start(&random, seed, RANDOM_SUBSET, 0);
		random_shuffle(&random, *order, fabric->hosts);
	}
	return 0;
}

/*
 * Places ranks on the hosts that a file names, all of which must be in the subset; a host named again gets another rank. ranks 0: as many
 * as the file names. Returns 0, or -1.
 */
static int map_by_file(
	struct placement *placement, const struct fabric *fabric, const char *path, size_t offered, uint32_t ranks, struct error *error)
{
	uint32_t *order = NULL;
	size_t count;
	enum { OUTSIDE, FREE, TAKEN };
	uint8_t *member = array_create(fabric->hosts, sizeof *member, error);
	if (!member || read_hosts(path, fabric, NULL, &order, &count, error)) {
		free(order);
		free(member);
		return -1;
	}
	for (size_t i = 0; i < offered; i++)
		member[placement->host[i]] = FREE;
	if (count < ranks)
		error_at(error, STATUS_USAGE, path, 0,
			"the mapping places only %zu of %" PRIu32 " ranks; a host may be named several times", count, ranks);
	placement->ranks = ranks ? ranks : (uint32_t)count;
	for (uint32_t r = 0; r < placement->ranks && !error->status; r++) {
		if (member[order[r]] == OUTSIDE)
			error_at(error, STATUS_USAGE, path, 0, "host '%s' is not in the subset (--subset)",
				fabric->labels->name[fabric->host_node[order[r]]]);
		placement->oversubscribed |= member[order[r]] == TAKEN;
		member[order[r]] = TAKEN;
	}
	free(member);
	free(placement->host);
	placement->host = order;
	return error->status ? -1 : 0;
}

int placement_init(struct placement *placement, const struct fabric *fabric, const char *subset, const char *mapping, uint32_t ranks,
	uint64_t seed, struct error *error)
{
	size_t offered;
	*placement = (struct placement){.shuffled = !strcmp(mapping, "random")};
	if (placement_check(subset, mapping, error) || choose_subset(placement, fabric, subset, seed, &offered, error))
		return -1;
	if (path_of(mapping))
		return map_by_file(placement, fabric, path_of(mapping), offered, ranks, error);
	placement->ranks = ranks ? ranks : (uint32_t)offered;
	if (ranks > offered)
		return error_set(error, STATUS_USAGE,
			"%" PRIu32 " ranks, but only %zu hosts in the subset; use --mapping file:PATH to place several ranks on a host",
			ranks, offered);
	return 0;
}

void placement_clear(struct placement *placement)
{
	free(placement->host);
	*placement = (struct placement){0};
}

void placement_run(const struct placement *placement, uint64_t seed, uint64_t run, uint32_t *host)
{
	memcpy(host, placement->host, placement->ranks * sizeof *host);
	if (!placement->shuffled)
		return;
	struct random random;
	random_start(&random, seed, RANDOM_MAPPING, run);
	random_shuffle(&random, host, placement->ranks);
}
