/*
 * Routed fabrics as Graphviz dot, the format of the ORCS paper (section 2.1): edges are channels, the edge attribute "comment" is the
 * forwarding set. See orcs-dot(5).
 */
#ifndef FORMATS_DOT_H
#define FORMATS_DOT_H

#include "base/error.h"
#include "fabric/attributes.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

/* Anomalies of the input that are not errors. */
struct dot_report {
	struct forwarding_oddities forwarding;
	uint32_t missing_speeds;   /* channels without a speed, if others have one */
	bool straight;             /* packets travel via random switches, which the tables cannot express */
	const char *hint;          /* possible reason why there are no routes; NULL: unknown */
	char parser_warning[1000]; /* first warning of cgraph, "" if there was none */
};

/* Hint for a fabric without routes. */
#define DOT_UNROUTED "the fabric is not routed: add -R ENGINE to orcs or orcs-compare, for example -R minhop, or route it with orcs-route"

/* Hint for a fabric whose routes are in a separate file. */
#define DOT_ROUTES_ELSEWHERE "its source routes are in a separate file: add --routes FILE to orcs or orcs-check"

/* Writes the anomalies as warnings, one line each; speeds: also those that matter only if the channels' speeds are used. */
void dot_report_write(const struct dot_report *odd, FILE *file, const char *program, const char *source, bool speeds);

/* Adds to an error about a missing route that names were unknown: a misspelt name can be its cause. */
void dot_report_hint(const struct dot_report *odd, struct error *error);

enum dot_wants {
	DOT_TABLES = 1,        /* build forwarding tables */
	DOT_KEEP = 2,          /* keep the attributes, for reading or for dot_write */
	DOT_KEEP_LANES = 8,    /* keep them if they define virtual lanes: an attribute sl2vl or vlarb of edges, or sl of nodes */
	DOT_KEEP_READ = 32,    /* keep them if they are read: from a graph, but not from a cache or a specification */
	DOT_ALLOW_NO_LINK = 4, /* a host without a link is not an error */
	DOT_KEEP_PLACES = 64, /* keep them for attributes_channel_at(), unless routes are computed, as the topology then knows the places */
	DOT_ALTERNATIVES = 16,  /* with the tables: keep all channels that list a destination, not only the first */
	DOT_WITHOUT_SETS = 256, /* with DOT_KEEP: the forwarding sets among the attributes may be empty, if that is faster */
	DOT_MAYBE_TABLES = 128, /* with the tables: a graph whose routes cannot be computed has none, instead of an error */
};

/*
 * Reads path ("-": standard input, also compressed). *forwarding and *attributes are NULL unless wanted. Returns 0, or -1 with everything
 * freed: STATUS_IO when the file cannot be read, STATUS_FABRIC when it is not a usable fabric. Time: that of cgraph's agread, plus O(length
 * of the forwarding sets).
 */
int dot_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct attributes **attributes,
	struct dot_report *report, struct error *error);

/* A text from any source: read() returns up to size bytes of it, 0 at the end, -1 on errors. */
struct dot_text {
	ssize_t (*read)(void *from, char *buffer, size_t size, struct error *error);
	void *from;
	const char *name; /* name for messages, and source of the fabric: must live as long as the fabric */
};

/* Text in memory: the member from of a struct dot_text, and its read(). */
struct dot_memory {
	const char *text;
	size_t left;
};
ssize_t dot_read_memory(void *from, char *buffer, size_t size, struct error *error);

/* Reads a text like dot_load(). */
int dot_load_text(const struct dot_text *text, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error);

/*
 * Reads only the attributes, for a fabric that was made from the text earlier. Returns NULL on errors, also if the numbers of nodes and
 * channels differ.
 */
struct attributes *dot_keep(const struct dot_text *text, const struct fabric *fabric, struct error *error);

/* Refuses graphs that cannot be a fabric: no hosts or, unless DOT_ALLOW_NO_LINK is wanted, a host without a link. Returns 0, or -1. */
int dot_check(const struct fabric *fabric, unsigned wants, struct error *error);

/* Returns the line of the file where the node's name first appears, 0 if it cannot be determined. For messages; reads the file again. */
unsigned long dot_line_of(const char *path, const char *node);

/* Writes the name of a node in dot syntax. */
void dot_write_node(const struct attributes *attributes, uint32_t node, FILE *file);

/*
 * dot_write_string() writes a string in quotes, or as HTML; dot_write_name() writes a name before a '=', with quotes only if it is not an
 * identifier.
 */
void dot_write_string(FILE *file, const char *text, bool markup);
void dot_write_name(FILE *file, const char *name, bool markup);

/* An attribute that is written besides those of the input, and replaces one of the same name. */
struct dot_column {
	const char *name;
	void (*value)(FILE *file, uint32_t channel, const void *data); /* writes the value, which contains no '"' */
	const void *data;
};
struct dot_pair {
	const char *name, *value; /* value NULL: the attribute is not written */
};

/*
 * Writes the graph to file, nodes in their order, then the edges of each in the order of the input, so that reading it gives the same ids
 * and places, with the columns added to its edges and the pairs to the graph. Both lists end with a NULL name. Errors stay in the FILE.
 */
void dot_write(const struct fabric *fabric, const struct attributes *attributes, FILE *file, const struct dot_column *columns,
	const struct dot_pair *pairs);

#endif
