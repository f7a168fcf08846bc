#include "formats/route_file.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char blanks[] = " \t";

/* ---- channels between two nodes */

/*
 * Returns the first channel from one node to another, starting at a channel; NONE if there are no more. Parallel channels need not be
 * adjacent.
 */
static uint32_t next_between(const struct fabric *f, uint32_t from, uint32_t channel, uint32_t to)
{
	while (channel < f->first_channel[from + 1] && f->head[channel] != to)
		channel++;
	return channel < f->first_channel[from + 1] ? channel : NONE;
}

/* Returns whether all channels between the nodes have different port numbers. */
static bool has_numbers(const struct fabric *f, uint32_t from, uint32_t to)
{
	const uint32_t *port = f->labels->port;
	for (uint32_t c = next_between(f, from, f->first_channel[from], to); c != NONE; c = next_between(f, from, c + 1, to)) {
		if (!port[c])
			return false;
		for (uint32_t d = next_between(f, from, c + 1, to); d != NONE; d = next_between(f, from, d + 1, to))
			if (port[d] == port[c])
				return false;
	}
	return true;
}

/* ---- reading */

struct reader {
	const struct fabric *fabric;
	struct line_reader lines;
	struct route_builder builder;
	uint32_t *channel; /* [nodes] of the route */
	uint32_t count;
	bool any; /* a route has been read */
};

/* Sets an error about the line read last. */
#define WRONG(r, error, ...) error_at(error, STATUS_FABRIC, input_name((r)->lines.input), (r)->lines.number, __VA_ARGS__)

/* Adds the channel between two nodes that a word specifies; port: the digits after its name, NULL: none. Returns 0, or -1. */
static int add_channel(struct reader *r, uint32_t from, uint32_t to, const char *port, struct error *error)
{
	const struct fabric *f = r->fabric;
	const char **name = f->labels->name;
	uint32_t host = f->node_host[to], known = host == NONE ? NONE : r->builder.last[host];
	bool only = known != NONE && known >= f->first_channel[from] && known < f->first_channel[from + 1];
	uint32_t channel = only ? known : next_between(f, from, f->first_channel[from], to);
	if (r->count == f->nodes)
		return WRONG(r, error, "more nodes than the fabric has");
	if (channel == NONE)
		return WRONG(r, error, "no channel leads from %s to %s", name[from], name[to]);
	if (port) {
		bool numbers = has_numbers(f, from, to);
		unsigned long wanted = strtoul(port, NULL, 10), number = 1;
		while (channel != NONE && (numbers ? f->labels->port[channel] : number++) != wanted)
			channel = next_between(f, from, channel + 1, to);
		if (channel == NONE)
			return WRONG(r, error, "no channel %s leads from %s to %s", port, name[from], name[to]);
	} else if (!only && next_between(f, from, channel + 1, to) != NONE) {
		return WRONG(r, error, "several channels lead from %s to %s; specify one as %s:PORT", name[from], name[to], name[from]);
	}
	r->channel[r->count++] = channel;
	return 0;
}

/* Returns the node of a word, which is cut at the ':' before *port if there is one. NONE with the error set. */
static uint32_t find_node(struct reader *r, char *word, size_t length, char **port, struct error *error)
{
	const struct name_table *names = &r->fabric->labels->names;
	uint32_t node = name_table_find(names, word, length);
	char *colon = node == NAME_NONE ? memrchr(word, ':', length) : NULL;
	*port = NULL;
	if (colon && colon[1] && strspn(colon + 1, "0123456789") == length - (size_t)(colon + 1 - word)) {
		*port = colon + 1;
		*colon = '\0';
		node = name_table_find(names, word, (size_t)(colon - word));
	}
	if (node == NAME_NONE)
		WRONG(r, error, "no node is called '%.*s'", (int)(length > 800 ? 800 : length), word);
	return node;
}

/* Cuts the next word off *text, without surrounding blanks; returns NULL at the end. */
static char *cut_word(char **text, size_t *length)
{
	char *word = *text;
	if (!word)
		return NULL;
	char *end = strchr(word, ',');
	*text = end ? end + 1 : NULL;
	if (!end)
		end = word + strlen(word);
	word += strspn(word, blanks);
	while (end > word && strchr(blanks, end[-1]))
		end--;
	*end = '\0';
	*length = (size_t)(end - word);
	return word;
}

static int read_route(struct reader *r, double weight, char *text, struct error *error)
{
	const struct fabric *f = r->fabric;
	uint32_t first = NONE, last = NONE;
	char *word, *port = NULL;
	size_t length;
	r->count = 0;
	while ((word = cut_word(&text, &length))) {
		char *before = port;
		uint32_t node = find_node(r, word, length, &port, error);
		if (node == NAME_NONE || (last != NONE && add_channel(r, last, node, before, error)))
			return -1;
		first = first == NONE ? node : first;
		last = node;
	}
	if (port)
		return WRONG(r, error, "a port follows %s, where the route ends", f->labels->name[last]);
	if (f->node_host[first] == NONE || f->node_host[last] == NONE)
		return WRONG(r, error, "a route leads from a host to a host, but %s is not a host",
			f->labels->name[f->node_host[first] == NONE ? first : last]);
	struct error wrong = {0};
	r->any = true;
	if (!route_builder_add(&r->builder, f->node_host[first], f->node_host[last], weight, r->channel, r->count, &wrong))
		return 0;
	return wrong.status == STATUS_FABRIC ? WRONG(r, error, "%s", wrong.text) : error_set(error, wrong.status, "%s", wrong.text);
}

static int read_line(struct reader *r, char *line, struct error *error)
{
	char *end;
	line += strspn(line, blanks);
	if (!*line || *line == '#')
		return 0;
	double weight = read_decimal(line, &end);
	size_t word = strcspn(line, blanks);
	if (end == line || !*end || !strchr(blanks, *end) || !(weight > 0) || !isfinite(weight))
		return WRONG(r, error, "the line begins with '%.*s', which is not a weight: a number greater than 0",
			(int)(word < 100 ? word : 100), line);
	return read_route(r, weight, end, error);
}

int route_file_read(const char *path, const struct fabric *fabric, struct source_routes **set, struct error *error)
{
	struct reader r = {.fabric = fabric, .channel = array_create(fabric->nodes, sizeof *r.channel, error)};
	char *line;
	size_t length;
	*set = NULL;
	if (!line_reader_open(&r.lines, path, LINE_LONGEST, error) && !route_builder_init(&r.builder, fabric, false, error))
		while (!error->status && (line = line_reader_next(&r.lines, &length, error)))
			read_line(&r, line, error);
	if (!error->status && !r.any && fabric->hosts > 1)
		error_at(error, STATUS_FABRIC, input_name(r.lines.input), 0, "the file contains no route");
	if (!error->status)
		*set = route_builder_end(&r.builder, error);
	route_builder_clear(&r.builder);
	line_reader_close(&r.lines);
	free(r.channel);
	return *set ? 0 : -1;
}

/* ---- writing */

struct writer {
	const struct source_routes *set;
	const struct fabric *fabric;
	uint32_t *member, *first_member; /* [hosts] group by group, [groups + 1] */
	char *text;                      /* text of the routes of a pair, without its hosts: weight, and the nodes between */
	size_t length, capacity;
	size_t *end; /* two for each route: ends of its weight and of its middle */
	size_t end_capacity;
};

static int put(struct writer *w, const char *text, size_t length, struct error *error)
{
	if (array_grow(&w->text, &w->capacity, w->length + length + 1, 1, error))
		return -1;
	memcpy(w->text + w->length, text, length);
	w->length += length;
	return 0;
}

/* Checks that a name is unambiguous in a line. Returns 0, or -1. */
static int check_name(const struct fabric *f, uint32_t node, struct error *error)
{
	const char *name = f->labels->name[node], *colon = strrchr(name, ':');
	size_t length = strlen(name);
	if (!length || name[strcspn(name, ",\n\r")] || strchr(blanks, name[0]) || strchr(blanks, name[length - 1]))
		return error_at(error, STATUS_FABRIC, f->labels->source, 0,
			"node '%s' cannot appear in a file of routes: its name has %s; rename it", name,
			!length             ? "no character"
			: strchr(name, ',') ? "a comma"
					    : "a blank or a line end in the wrong place");
	if (colon && colon[1] && !colon[1 + strspn(colon + 1, "0123456789")] &&
		name_table_find(&f->labels->names, name, (size_t)(colon - name)) != NAME_NONE)
		return error_at(error, STATUS_FABRIC, f->labels->source, 0,
			"node '%s' cannot appear in a file of routes: its name is that of another node with a port; rename it", name);
	return 0;
}

/* Writes ":PORT" if several channels lead to the head of this one. */
static int put_port(struct writer *w, uint32_t from, uint32_t channel, struct error *error)
{
	const struct fabric *f = w->fabric;
	uint32_t to = f->head[channel], first = next_between(f, from, f->first_channel[from], to), number = 1;
	char text[20];
	if (first == channel && next_between(f, from, channel + 1, to) == NONE)
		return 0;
	for (uint32_t c = first; c != channel; c = next_between(f, from, c + 1, to))
		number++;
	int length = snprintf(text, sizeof text, ":%" PRIu32, has_numbers(f, from, to) ? f->labels->port[channel] : number);
	return put(w, text, (size_t)length, error);
}

/* Writes the shortest number that reads back as the same value. */
static int put_weight(struct writer *w, double share, bool equal, struct error *error)
{
	char text[40] = "1";
	for (int digits = 15; !equal && digits <= 17; digits++) {
		snprintf(text, sizeof text, "%.*g", digits, share);
		if (strtod(text, NULL) == share)
			break;
	}
	return put(w, text, strlen(text), error) || put(w, " ", 1, error) ? -1 : 0;
}

/* Writes the part of the routes of a pair of hosts between their names. */
static int put_routes(struct writer *w, uint32_t source, uint32_t destination, uint64_t from, uint64_t to, struct error *error)
{
	const struct source_routes *set = w->set;
	const struct fabric *f = w->fabric;
	w->length = 0;
	if (array_grow(&w->end, &w->end_capacity, 2 * (size_t)(to - from), sizeof *w->end, error))
		return -1;
	for (uint64_t r = from; r < to; r++) {
		uint32_t node = f->host_node[source], first = set->first[source];
		if (put_weight(w, set->share[r], set->share[from] == set->share[to - 1], error))
			return -1;
		w->end[2 * (r - from)] = w->length;
		uint64_t count = set->start[r + 1] - set->start[r];
		for (uint64_t i = 0; i <= count; i++) { /* the channel into a node, its name, the channel out of it */
			uint32_t out = i < count ? set->channel[set->start[r] + i] : set->last[destination];
			uint32_t in = i ? set->channel[set->start[r] + i - 1] : first;
			if (in != NONE) {
				node = f->head[in];
				if (out == NONE) /* the node is the destination */
					break;
				if (put(w, f->labels->name[node], strlen(f->labels->name[node]), error))
					return -1;
			}
			if (put_port(w, node, out, error) || put(w, ",", 1, error))
				return -1;
		}
		w->end[2 * (r - from) + 1] = w->length;
	}
	return 0;
}

/* Writes the routes of the pair of two groups for all pairs of their hosts. */
static int write_pair(struct writer *w, uint32_t group, uint64_t pair, FILE *file, struct error *error)
{
	const struct source_routes *set = w->set;
	uint32_t other = set->destination[pair];
	uint64_t from = set->route[pair], to = set->route[pair + 1];
	uint32_t first = w->member[w->first_member[group]], second = w->member[w->first_member[other] + (other == group)];
	if (put_routes(w, first, second, from, to, error))
		return -1;
	for (uint32_t i = w->first_member[group]; i < w->first_member[group + 1]; i++) {
		const char *source = w->fabric->labels->name[w->fabric->host_node[w->member[i]]];
		const char *comma = set->first[w->member[i]] == NONE ? "" : ","; /* otherwise the node and a port are part of the middle */
		for (uint32_t k = w->first_member[other]; k < w->first_member[other + 1]; k++) {
			const char *destination = w->fabric->labels->name[w->fabric->host_node[w->member[k]]];
			const char *weight = w->text;
			for (uint64_t r = 0; i != k && r < to - from; r++) {
				const char *middle = w->text + w->end[2 * r], *end = w->text + w->end[2 * r + 1];
				fwrite_unlocked(weight, 1, (size_t)(middle - weight), file);
				fputs_unlocked(source, file);
				fputs_unlocked(comma, file);
				fwrite_unlocked(middle, 1, (size_t)(end - middle), file);
				fputs_unlocked(destination, file);
				putc_unlocked('\n', file);
				weight = end;
			}
		}
	}
	return 0;
}

int route_file_write(const struct source_routes *set, const struct fabric *fabric, FILE *file, struct error *error)
{
	struct writer w = {
		.set = set,
		.fabric = fabric,
		.member = array_create(set->hosts, sizeof *w.member, error),
		.first_member = array_create((size_t)set->groups + 1, sizeof *w.first_member, error),
	};
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		check_name(fabric, v, error);
	if (!error->status) {
		for (uint32_t h = 0; h < set->hosts; h++)
			w.first_member[set->group[h] + 1]++;
		for (uint32_t g = 0; g < set->groups; g++)
			w.first_member[g + 1] += w.first_member[g];
		for (uint32_t h = set->hosts; h--;) /* counts down from the ends to the beginnings */
			w.member[--w.first_member[set->group[h] + 1]] = h;
		memmove(w.first_member, w.first_member + 1, set->groups * sizeof *w.first_member);
		w.first_member[set->groups] = set->hosts;
	}
	for (uint32_t g = 0; g < set->groups && !error->status; g++)
		for (uint64_t p = set->row[g]; p < set->row[g + 1] && !error->status && !ferror(file); p++)
			write_pair(&w, g, p, file, error);
	free(w.member);
	free(w.first_member);
	free(w.text);
	free(w.end);
	return error->status ? -1 : 0;
}
