#include "tools/compare/fail_list.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/shown.h"
#include "fabric/fail.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const failure_kinds[] = {"cable", "switch", "random", "listed", NULL};

enum { WORD_LONGEST = 4096, SETS_MOST = 10000000 };

void fail_list_clear(struct fail_list *failures)
{
	for (size_t i = 0; i < failures->texts; i++)
		free(failures->text[i]);
	free(failures->text);
	free(failures->list);
	free(failures->part);
	*failures = (struct fail_list){0};
}

/* Copies the next word of a list. Returns whether there is one. */
static bool next_of(const char **list, char word[WORD_LONGEST])
{
	size_t length = strcspn(*list, ",");
	if (!**list)
		return false;
	snprintf(word, WORD_LONGEST, "%.*s", (int)length, *list);
	*list += length + ((*list)[length] == ',');
	return true;
}

/* Reads "random:KxN". */
static bool read_random(const char *word, int64_t *size, int64_t *number)
{
	char copy[WORD_LONGEST], *x;
	if (strncmp(word, "random:", 7) != 0)
		return false;
	snprintf(copy, sizeof copy, "%s", word + 7);
	if (!(x = strchr(copy, 'x')))
		return false;
	*x = '\0';
	return read_integer(copy, 1, INT32_MAX, size) && read_integer(x + 1, 1, SETS_MOST, number);
}

static const char words[] = "each-cable, each-switch, random:KxN (N sets of K cables), file:PATH and NODE[:PORT]";

/* Returns whether the word is one of the list before at. */
static bool is_repeated(const char *list, const char *at, const char *word)
{
	char earlier[WORD_LONGEST];
	while (next_of(&list, earlier) && list < at)
		if (!strcmp(earlier, word))
			return true;
	return false;
}

int fail_list_check(const char *list, struct files *files, struct error *error)
{
	static const char *const kinds[] = {"each-", "random:", "file:"};
	char word[WORD_LONGEST];
	int64_t size, number;
	const char *at = list;
	if (!*list)
		return error_set(error, STATUS_USAGE, "--fail: a list is missing");
	while (next_of(&at, word)) {
		bool of_kind = !*word;
		for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
			of_kind |= !strncmp(word, kinds[i], strlen(kinds[i]));
		if (is_repeated(list, at, word))
			return error_set(error, STATUS_USAGE, "--fail: '%s' is given twice", SHOWN(word));
		if (!strncmp(word, "file:", 5) && word[5]) {
			if (files_read(files, word + 5, error))
				return -1;
		} else if (of_kind && strcmp(word, "each-cable") != 0 && strcmp(word, "each-switch") != 0 &&
			   !read_random(word, &size, &number)) {
			return error_set(error, STATUS_USAGE, "--fail: '%s' is none of %s", SHOWN(word), words);
		}
	}
	return 0;
}

static int add(struct fail_list *f, struct failure failure, struct error *error)
{
	if (array_grow(&f->list, &f->capacity, f->count + 1, sizeof *f->list, error))
		return -1;
	f->list[f->count++] = failure;
	return 0;
}

static int add_part(struct fail_list *f, uint32_t part, struct error *error)
{
	if (array_grow(&f->part, &f->part_capacity, f->parts + 1, sizeof *f->part, error))
		return -1;
	f->part[f->parts++] = part;
	return 0;
}

/* Lists a channel of each cable between switches; if there are no switches, of each cable. Returns a new array; NULL if out of memory. */
static uint32_t *list_cables(const struct fabric *f, const uint32_t *reverse, uint32_t *count, struct error *error)
{
	uint32_t *cable = array_create(f->channels, sizeof *cable, error);
	bool hosts = f->hosts == f->nodes;
	*count = 0;
	for (uint32_t v = 0; v < f->nodes && cable; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && (hosts || f->node_host[v] == NONE); c++)
			if ((hosts || f->node_host[f->head[c]] == NONE) && (reverse[c] == NONE || reverse[c] > c))
				cable[(*count)++] = c;
	return cable;
}

static int add_cables(struct fail_list *f, const struct fabric *fabric, const uint32_t *cable, uint32_t count, struct error *error)
{
	for (uint32_t i = 0; i < count; i++)
		if (add(f, (struct failure){FAILURE_CABLE, fabric_tail(fabric, cable[i]), cable[i], f->parts, 1, NULL}, error) ||
			add_part(f, cable[i], error))
			return -1;
	return 0;
}

static int add_switches(struct fail_list *f, const struct fabric *fabric, struct error *error)
{
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (fabric->node_host[v] == NONE && (add(f, (struct failure){FAILURE_SWITCH, v, NONE, f->parts, 1, NULL}, error) ||
							    add_part(f, fabric->channels + v, error)))
			return -1;
	return 0;
}

static int add_random(struct fail_list *f, const struct fabric *fabric, const char *word, uint32_t *cable, uint32_t count, uint64_t seed,
	struct error *error)
{
	int64_t size = 0, number = 0;
	read_random(word, &size, &number);
	if (size > count)
		return error_set(error, STATUS_USAGE, "--fail: '%s' needs %" PRId64 " cables, but there are only %" PRIu32, SHOWN(word),
			size, count);
	for (int64_t i = 0; i < number; i++) {
		struct random random;
		random_start(&random, seed, RANDOM_FAILURE, (uint64_t)i);
		for (uint32_t k = 0; k < size; k++) {
			uint32_t other = k + random_below(&random, count - k), kept = cable[k];
			cable[k] = cable[other];
			cable[other] = kept;
		}
		if (add(f, (struct failure){FAILURE_RANDOM, fabric_tail(fabric, cable[0]), cable[0], f->parts, (uint32_t)size, NULL},
			    error))
			return -1;
		for (uint32_t k = 0; k < size; k++)
			if (add_part(f, cable[k], error))
				return -1;
	}
	return 0;
}

/* Adds the failure of a line. node, channel: all true before and after. */
static int add_line(struct fail_list *f, const char *line, const struct port_names *names, const uint32_t *reverse, bool *node,
	bool *channel, struct error *error)
{
	const struct fabric *fabric = names->fabric;
	struct failure failure = {FAILURE_LISTED, NONE, NONE, f->parts, 0, NULL};
	char *text = NULL;
	if (fabric_fail_list(line, names, reverse, node, channel, error))
		return -1;
	if (array_grow(&f->text, &f->text_capacity, f->texts + 1, sizeof *f->text, error))
		return -1;
	if (!(text = strdup(line)))
		return error_set(error, STATUS_IO, "out of memory");
	failure.text = f->text[f->texts++] = text;
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		if (!node[v])
			add_part(f, fabric->channels + v, error);
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++)
		if (!channel[c] && (reverse[c] == NONE || reverse[c] > c))
			add_part(f, c, error);
	failure.parts = (uint32_t)(f->parts - failure.first);
	memset(node, true, fabric->nodes);
	memset(channel, true, fabric->channels);
	return error->status ? -1 : add(f, failure, error);
}

static int add_file(struct fail_list *f, const char *path, const struct port_names *names, const uint32_t *reverse, bool *node,
	bool *channel, struct error *error)
{
	struct line_reader lines;
	size_t before = f->count;
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_list(&lines, error));) {
		struct error own = {0};
		if (*line && add_line(f, line, names, reverse, node, channel, &own))
			error_at(error, own.status, path, lines.number, "%s", own.text);
	}
	line_reader_close(&lines);
	if (!error->status && f->count == before)
		error_at(error, STATUS_USAGE, path, 0, "names no failures");
	return error->status ? -1 : 0;
}

int fail_list_make(struct fail_list *failures, const char *list, const struct port_names *names, const uint32_t *reverse, uint64_t seed,
	struct error *error)
{
	const struct fabric *fabric = names->fabric;
	char word[WORD_LONGEST];
	uint32_t count;
	uint32_t *cable = list_cables(fabric, reverse, &count, error),
		 *mixed = cable ? array_copy(cable, count, sizeof *cable, error) : NULL;
	bool *node = array_create(fabric->nodes, 1, error), *kept = array_create(fabric->channels, 1, error);
	*failures = (struct fail_list){0};
	if (!error->status) {
		memset(node, true, fabric->nodes);
		memset(kept, true, fabric->channels);
	}
	while (!error->status && next_of(&list, word)) {
		struct error own = {0};
		if (!strcmp(word, "each-cable"))
			add_cables(failures, fabric, cable, count, error);
		else if (!strcmp(word, "each-switch"))
			add_switches(failures, fabric, error);
		else if (!strncmp(word, "random:", 7))
			add_random(failures, fabric, word, mixed, count, seed, error);
		else if (!strncmp(word, "file:", 5))
			add_file(failures, word + 5, names, reverse, node, kept, error);
		else if (add_line(failures, word, names, reverse, node, kept, &own))
			error_set(error, own.status, own.status == STATUS_USAGE ? "%s; --fail also takes %s" : "%s", own.text, words);
		if (mixed)
			memcpy(mixed, cable, count * sizeof *cable);
	}
	free(cable);
	free(mixed);
	free(node);
	free(kept);
	return error->status ? -1 : 0;
}
