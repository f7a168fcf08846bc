#include "formats/route_dot.h"

#include "base/dot_string.h"
#include "base/memory.h"
#include "routings/routed_entries.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GATHERED = 4096 /* bytes of names that are written together */ };

struct writer {
	const struct routed *routed;
	const struct routing_graph *graph;
	uint32_t *first; /* [ports + 1] the hosts of the port's channels are host[first[i]] .. host[first[i + 1] - 1] */
	uint32_t *host;  /* [hosts] */
	uint32_t node;   /* node to which they belong, NONE: none yet */
	struct routed_entries entries;
	struct routed_columns channels, levels;
	char *names;  /* names of all hosts, escaped for quotes, each followed by a comma */
	size_t *name; /* [hosts + 1] offset of each name */
};

/* Sorts the hosts by the channels of a node. */
static void sort_hosts(struct writer *w, uint32_t node)
{
	const struct fabric *fabric = w->graph->fabric;
	const uint32_t *table = routed_channels_from(&w->channels, w->graph->column[node]);
	uint32_t base = fabric->first_channel[node], ports = fabric->first_channel[node + 1] - base;
	memset(w->first, 0, ((size_t)ports + 2) * sizeof *w->first);
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (table[h] != NONE)
			w->first[table[h] - base + 2]++;
	for (uint32_t i = 2; i < ports + 2; i++)
		w->first[i] += w->first[i - 1];
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (table[h] != NONE)
			w->host[w->first[table[h] - base + 1]++] = h;
	w->node = node;
}

/* Refuses names that could not be read back from the lists that will be written. Returns 0, or -1. */
static int check_names(const struct routed *routed, const struct fabric *fabric, struct error *error)
{
	const char *marks = routed->paths || routed->levels > 1 ? ",;" : ",";
	for (uint32_t h = 0; h < fabric->hosts && !(routed->routes && routed->levels <= 1); h++) {
		const char *name = fabric->labels->name[fabric->host_node[h]], *fault = dot_list_fault(name, marks);
		if (fault)
			return error_at(error, STATUS_FABRIC, fabric->labels->source,
				fabric->labels->line_of ? fabric->labels->line_of(fabric->labels->source, name) : 0,
				"host '%s' cannot appear in a list of hosts, such as a forwarding set: %s; rename the host", name, fault);
	}
	return 0;
}

/* Escapes the names. Returns 0, or -1. */
static int list_names(struct writer *w, struct error *error)
{
	const struct fabric *fabric = w->graph->fabric;
	size_t most = 0;
	for (uint32_t h = 0; h < fabric->hosts; h++)
		most += 2 * strlen(fabric->labels->name[fabric->host_node[h]]) + 1;
	w->name = array_create((size_t)fabric->hosts + 1, sizeof *w->name, error);
	char *end = w->names = array_create(most, 1, error);
	for (uint32_t h = 0; h < fabric->hosts && !error->status; h++) {
		for (const char *c = fabric->labels->name[fabric->host_node[h]]; *c; *end++ = *c++)
			if (*c == '"')
				*end++ = '\\';
		*end++ = ',';
		w->name[h + 1] = (size_t)(end - w->names);
	}
	return error->status ? -1 : 0;
}

/* Writes a name within a quoted list. */
static void write_name(const struct writer *w, uint32_t host, FILE *file)
{
	fwrite_unlocked(w->names + w->name[host], 1, w->name[host + 1] - w->name[host] - 1, file);
}

/* Writes names of hosts with commas between them, gathered because there are many short ones. */
static void write_names(const struct writer *w, const uint32_t *host, uint32_t count, FILE *file)
{
	char gathered[GATHERED];
	size_t used = 0;
	for (uint32_t i = 0; i + 1 < count; i++) {
		const char *name = w->names + w->name[host[i]];
		size_t length = w->name[host[i] + 1] - w->name[host[i]];
		if (length > GATHERED - used) {
			fwrite_unlocked(gathered, 1, used, file);
			used = 0;
		}
		if (length > GATHERED)
			fwrite_unlocked(name, 1, length, file);
		else
			memcpy(gathered + used, name, length);
		used += length > GATHERED ? 0 : length;
	}
	fwrite_unlocked(gathered, 1, used, file);
	if (count)
		write_name(w, host[count - 1], file);
}

/* Writes all hosts to which the channel leads closer. */
static void write_nearer(const struct writer *w, uint32_t channel, FILE *file)
{
	const struct routing_graph *n = w->graph;
	bool first = true;
	for (uint32_t g = 0; g < n->groups; g++)
		for (uint32_t i = n->first_member[g]; (i = routed_next_listed(&w->entries, channel, g, i)) < n->first_member[g + 1]; i++) {
			if (!first)
				putc_unlocked(',', file);
			write_name(w, n->member[i], file);
			first = false;
		}
}

/* Writes "2:H3,H9;5:H4": weights above 1 in the set of the channel. */
static void write_weights(FILE *file, uint32_t channel, const void *data)
{
	struct writer *w = *(struct writer *const *)data;
	uint32_t count = routed_weigh(&w->entries, channel);
	const struct routed_weight *weighed = w->entries.weighed;
	for (uint32_t i = 0; i < count; i++) {
		if (i && weighed[i].weight == weighed[i - 1].weight)
			putc_unlocked(',', file);
		else
			fprintf(file, "%s%" PRIu32 ":", i ? ";" : "", weighed[i].weight);
		write_name(w, weighed[i].host, file);
	}
}

static void write_set(FILE *file, uint32_t channel, const void *data)
{
	struct writer *w = *(struct writer *const *)data;
	const struct routing_graph *n = w->graph;
	uint32_t node = n->tail[channel];
	if (w->routed->routes)
		return;
	if (n->column[node] == NONE) {
		putc('*', file);
		return;
	}
	if (w->routed->distance) {
		write_nearer(w, channel, file);
		return;
	}
	if (w->node != node)
		sort_hosts(w, node);
	uint32_t i = channel - n->fabric->first_channel[node];
	write_names(w, w->host + w->first[i], w->first[i + 1] - w->first[i], file);
}

/* Writes the virtual lane of each service level, the same for all input ports. */
static void write_lanes(FILE *file, uint32_t channel, const void *data)
{
	const struct writer *w = *(struct writer *const *)data;
	if (!w->routed->lane_bit || !routing_is_switch(w->graph, w->graph->tail[channel]))
		return;
	uint8_t bit = w->routed->lane_bit[channel];
	fputs("0-255:", file);
	for (unsigned level = 0; level < ROUTING_LEVELS_MAX; level++)
		fprintf(file, level ? ",%u" : "%u", bit == LANE_BIT_ZERO ? 0 : level >> bit & 1);
}

/*
 * Sorts the other hosts by the service levels on which a host reaches them: those of a level are host[first[level]] .. host[first[level +
 * 1] - 1]. Returns whether there are any on levels other than 0.
 */
static bool sort_levels(struct writer *w, uint32_t host, uint32_t *first)
{
	uint32_t column = routing_start_column(w->graph, host), hosts = w->graph->fabric->hosts;
	memset(first, 0, (ROUTING_LEVELS_MAX + 2) * sizeof *first);
	if (w->routed->levels == 1 || column == NONE)
		return false;
	const uint8_t *level = routed_levels_from(&w->levels, column);
	for (uint32_t d = 0; d < hosts; d++)
		if (d != host)
			first[level[d] + 2]++;
	for (unsigned i = 2; i < ROUTING_LEVELS_MAX + 2; i++)
		first[i] += first[i - 1];
	for (uint32_t d = 0; d < hosts; d++)
		if (d != host)
			w->host[first[level[d] + 1]++] = d;
	w->node = NONE;
	return first[1] < first[w->routed->levels];
}

/* Writes "1:H3,H9;2:H4": the destinations that a host reaches on levels other than 0. */
static void write_levels(const struct writer *w, const uint32_t *first, FILE *file)
{
	const char *before = "";
	for (unsigned level = 1; level < w->routed->levels; level++) {
		if (first[level] == first[level + 1])
			continue;
		fprintf(file, "%s%u:", before, level);
		write_names(w, w->host + first[level], first[level + 1] - first[level], file);
		before = ";";
	}
}

/* ---- dot_write ends the graph: its last characters are withheld until the service levels of the hosts have been written */

enum { END = 2 /* "}\n" */ };

struct open_end {
	FILE *file;
	char last[END];
	size_t held;
};

static ssize_t hold_end(void *cookie, const char *text, size_t size)
{
	struct open_end *end = cookie;
	size_t all = end->held + size, out = all > END ? all - END : 0, old = out < end->held ? out : end->held;
	if (fwrite(end->last, 1, old, end->file) < old || fwrite(text, 1, out - old, end->file) < out - old)
		return 0;
	memmove(end->last, end->last + old, end->held - old);
	end->held -= old;
	memcpy(end->last + end->held, text + (out - old), size - (out - old));
	end->held += size - (out - old);
	return (ssize_t)size;
}

/* Writes the statements of the hosts that have, or had, an attribute sl. */
static void write_hosts(struct writer *w, const struct attributes *attributes, FILE *file)
{
	const struct fabric *fabric = w->graph->fabric;
	uint32_t first[ROUTING_LEVELS_MAX + 2];
	for (uint32_t h = 0; h < fabric->hosts && !ferror(file); h++) {
		bool any = sort_levels(w, h, first);
		if (!any && !attributes_of_node(attributes, fabric->host_node[h], "sl"))
			continue;
		putc('\t', file);
		dot_write_node(attributes, fabric->host_node[h], file);
		fputs(" [sl=\"", file);
		if (any)
			write_levels(w, first, file);
		fputs("\"];\n", file);
	}
}

static bool had(const struct fabric *fabric, const struct attributes *attributes, const char *attribute)
{
	for (uint32_t c = 0; c < fabric->channels; c++)
		if (attributes_of_channel(attributes, c, attribute))
			return true;
	return false;
}

static void write_graph(struct writer *w, const struct attributes *attributes, const char *name, FILE *file, struct error *error)
{
	const struct routed *routed = w->routed;
	const struct fabric *fabric = w->graph->fabric;
	struct dot_column columns[4];
	size_t count = 0;
	if (!routed->routes || had(fabric, attributes, "comment"))
		columns[count++] = (struct dot_column){"comment", write_set, &w};
	if (routed->paths || had(fabric, attributes, "weights"))
		columns[count++] = (struct dot_column){"weights", write_weights, &w};
	if (routed->lane_bit || had(fabric, attributes, "sl2vl"))
		columns[count++] = (struct dot_column){"sl2vl", write_lanes, &w};
	columns[count] = (struct dot_column){0};
	/* A graph without forwarding sets would be taken for one with the routes that this attribute names. */
	const struct dot_pair pairs[] = {
		{"routing", routed->routes ? NULL : name},
		{"routes", routed->routes ? name : NULL},
		{"via", routed->via ? "random" : NULL},
		{NULL, NULL},
	};
	struct open_end end = {.file = file};
	FILE *open = fopencookie(&end, "w", (cookie_io_functions_t){.write = hold_end});
	if (!open) {
		error_set(error, STATUS_IO, "out of memory");
		return;
	}
	dot_write(fabric, attributes, open, columns, pairs);
	fclose(open); /* errors of writing stay in the FILE */
	write_hosts(w, attributes, file);
	fwrite(end.last, 1, end.held, file);
}

int route_dot_write(const struct routed *routed, const struct routing_graph *graph, const struct attributes *attributes, const char *name,
	FILE *file, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	struct writer writer = {
		.routed = routed,
		.graph = graph,
		.first = array_create((size_t)fabric_most_channels(fabric) + 2, sizeof *writer.first, error),
		.host = array_create(fabric->hosts, sizeof *writer.host, error),
		.node = NONE,
	};
	if (!routed_entries_init(&writer.entries, routed, graph, error) &&
		!routed_columns_init(&writer.channels, routed, graph, false, error) &&
		!routed_columns_init(&writer.levels, routed, graph, true, error) && !check_names(routed, fabric, error) &&
		!list_names(&writer, error))
		write_graph(&writer, attributes, name, file, error);
	free(writer.first);
	free(writer.host);
	routed_entries_clear(&writer.entries);
	routed_columns_clear(&writer.channels);
	routed_columns_clear(&writer.levels);
	free(writer.names);
	free(writer.name);
	return error->status ? -1 : 0;
}
