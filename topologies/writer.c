#include "topologies/writer.h"

#include "base/dot_string.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The distance of two adjacent nodes in a picture, in points of 1/72 inch: that of the widest common nodes. */
enum { WRITER_POINTS = 90 };

/* The hosts that a node forwards, ordered by its ports. */
struct sets {
	uint32_t *port;  /* [hosts] port by which it forwards to the host */
	uint32_t *first; /* [ports + 1] beginning of the hosts of each port in host */
	uint32_t *host;  /* [hosts] */
	size_t capacity; /* capacity of first */
};

struct writer {
	const struct writing *writing;
	const struct topology *topology;
	FILE *file;
	struct sets sets;
	bool by_tier; /* speeds or latencies differ */
};

/* ---- forwarding sets */

/* Lists the hosts for each port of the node: first counts them, then sorts them by port. */
static int make_sets(struct sets *sets, const struct topology *topology, bool host, uint32_t node, struct error *error)
{
	uint32_t ports = topology->kind->ports(topology, host, node);
	if (array_grow(&sets->first, &sets->capacity, (size_t)ports + 2, sizeof *sets->first, error))
		return -1;
	memset(sets->first, 0, ((size_t)ports + 2) * sizeof *sets->first);
	for (uint32_t d = 0; d < topology->hosts; d++) {
		if (host && d == node)
			continue;
		sets->port[d] = topology->kind->next(topology, host, node, d);
		sets->first[sets->port[d] + 2]++;
	}
	for (uint32_t p = 0; p < ports; p++)
		sets->first[p + 2] += sets->first[p + 1];
	for (uint32_t d = 0; d < topology->hosts; d++)
		if (!host || d != node)
			sets->host[sets->first[sets->port[d] + 1]++] = d;
	return 0;
}

static void write_set(const struct sets *sets, const struct topology *topology, uint32_t port, FILE *file)
{
	char name[TOPOLOGY_NAME_MAX];
	for (uint32_t i = sets->first[port]; i < sets->first[port + 1]; i++) {
		topology->kind->node_name(topology, true, sets->host[i], name);
		fputs_unlocked(i == sets->first[port] ? "comment=\"" : ",", file);
		fputs_unlocked(name, file);
	}
	putc_unlocked('"', file);
}

/* ---- speeds and latencies */

static double value_of(const struct tier_values *values, unsigned tier)
{
	return values->value[tier < values->count ? tier : values->count - 1];
}

/* Writes the attributes of a tier between before and after; nothing if there are none. */
static void write_values(const struct writing *w, unsigned tier, const char *before, const char *after, FILE *file)
{
	if (!w->speed.count && !w->latency.count)
		return;
	fputs(before, file);
	if (w->speed.count)
		fprintf(file, "speed=\"%.10g\"", value_of(&w->speed, tier));
	if (w->latency.count)
		fprintf(file, "%slatency=\"%.10g\"", w->speed.count ? ", " : "", value_of(&w->latency, tier));
	fputs(after, file);
}

/* ---- nodes and channels */

/* Writes all channels that leave the node, in the order of its ports. */
static int write_channels(struct writer *w, bool host, uint32_t node, struct error *error)
{
	const struct topology *topology = w->topology;
	const struct writing *writing = w->writing;
	uint32_t ports = topology->kind->ports(topology, host, node);
	char start[TOPOLOGY_NAME_MAX + 10] = "\"", name[TOPOLOGY_NAME_MAX];
	topology->kind->node_name(topology, host, node, start + 1);
	strcat(start, "\" -> \"");
	bool any = writing->tables && host && ports == 1 && topology->switches; /* a single channel leads to all */
	if (writing->tables && !any && make_sets(&w->sets, topology, host, node, error))
		return -1;
	for (uint32_t p = 0; p < ports; p++) {
		struct topology_port port = {host, node, p}, peer = topology->kind->peer(topology, port);
		if (writing->failures && failures_channel(writing->failures, port))
			continue;
		topology->kind->node_name(topology, peer.host, peer.node, name);
		fputs_unlocked(start, w->file);
		fputs_unlocked(name, w->file);
		putc_unlocked('"', w->file);
		bool set = writing->tables && (any || w->sets.first[p] < w->sets.first[p + 1]);
		if (set || w->by_tier)
			fputs_unlocked(" [", w->file);
		if (set && any)
			fputs_unlocked("comment=\"*\"", w->file);
		else if (set)
			write_set(&w->sets, topology, p, w->file);
		if (w->by_tier)
			write_values(writing, topology_tier(topology, port), set ? ", " : "", "", w->file);
		fputs_unlocked(set || w->by_tier ? "];\n" : ";\n", w->file);
	}
	return 0;
}

/* Writes the nodes; their type is a default, written once for all hosts and once for all switches. */
static void write_nodes(const struct writer *w, bool host)
{
	const struct topology *topology = w->topology;
	uint32_t nodes = host ? topology->hosts : topology->switches;
	char name[TOPOLOGY_NAME_MAX];
	fprintf(w->file, "node [type=\"%s\"];\n", host ? "host" : "switch");
	for (uint32_t node = 0; node < nodes && !ferror_unlocked(w->file); node++) {
		if (w->writing->failures && failures_left_out(w->writing->failures, host, node))
			continue;
		topology->kind->node_name(topology, host, node, name);
		putc_unlocked('"', w->file);
		fputs_unlocked(name, w->file);
		putc_unlocked('"', w->file);
		if (w->writing->positions) {
			struct topology_place at = topology_place(topology, host, node);
			fprintf(w->file, " [pos=\"%.1f,%.1f\"]", at.x * WRITER_POINTS, at.y * WRITER_POINTS);
		}
		fputs_unlocked(";\n", w->file);
	}
}

/* Writes a string in quotes. */
static void write_quoted(const char *text, FILE *file)
{
	putc('"', file);
	for (; *text; text++)
		fprintf(file, *text == '"' ? "\\%c" : "%c", *text);
	putc('"', file);
}

/* Writes the graph. */
static int write_graph(struct writer *w, struct error *error)
{
	const struct writing *writing = w->writing;
	const struct topology *t = w->topology;
	fputs("digraph ", w->file);
	write_quoted(writing->spec, w->file);
	fputs(" {\n", w->file);
	fputs("graph [topology=", w->file);
	write_quoted(writing->spec, w->file);
	if (!writing->tables && t->routing && !writing->failures)
		fprintf(w->file, ", routing=\"%s\"", t->routing);
	fputs("];\n", w->file);
	w->by_tier = writing->speed.count > 1 || writing->latency.count > 1;
	if (!w->by_tier)
		write_values(writing, 0, "edge [", "];\n", w->file);
	write_nodes(w, true);
	write_nodes(w, false);
	for (uint32_t node = 0; node < t->hosts && !ferror_unlocked(w->file); node++)
		if (write_channels(w, true, node, error))
			return -1;
	for (uint32_t node = 0; node < t->switches && !ferror_unlocked(w->file); node++)
		if (write_channels(w, false, node, error))
			return -1;
	fputs("}\n", w->file);
	return 0;
}

int writer_check(const char *spec, struct error *error)
{
	if (dot_string_fits(spec))
		return 0;
	return error_set(error, STATUS_USAGE,
		"%s has a backslash before a quote or at its end, which a graph cannot represent; rename the file", spec);
}

int writer_fits(const struct writing *writing, const struct topology *topology, struct error *error)
{
	unsigned values = writing->speed.count > writing->latency.count ? writing->speed.count : writing->latency.count;
	if (writing->tables && !topology->routing)
		return error_set(
			error, STATUS_USAGE, "%s has no routing function, so there are no tables; route it with orcs-route", writing->spec);
	if (values > topology->tiers)
		return error_set(error, STATUS_USAGE, "%u speeds or latencies, but %s has %u tiers of cables", values, writing->spec,
			topology->tiers);
	return writer_check(writing->spec, error);
}

int writer_write(const struct writing *writing, const struct topology *topology, FILE *file, struct error *error)
{
	struct writer w = {.writing = writing, .topology = topology, .file = file};
	if (writer_fits(writing, topology, error))
		return -1;
	if (writing->tables && (w.sets.port = array_create(topology->hosts, sizeof *w.sets.port, error)))
		w.sets.host = array_create(topology->hosts, sizeof *w.sets.host, error);
	if (!error->status)
		write_graph(&w, error);
	free(w.sets.port);
	free(w.sets.first);
	free(w.sets.host);
	return error->status ? -1 : 0;
}
