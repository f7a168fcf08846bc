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

/* What was odd about the input but no error. */
struct dot_report {
	struct forwarding_oddities forwarding;
	uint32_t missing_speeds;   /* channels without a speed, when others have one */
	bool straight;             /* packets go by way of random switches, which is left out */
	const char *hint;          /* why there may be no routes at all; NULL: nothing is known */
	char parser_warning[1000]; /* the first of cgraph's, "" if it had none */
};

/* The hint where nothing routes a fabric. */
#define DOT_UNROUTED "it has no routes: route it by orcs-route; orcs and orcs-compare also do by -R"

/* And where they are in a file of their own. */
#define DOT_ROUTES_ELSEWHERE "its routes are in a file of their own, for orcs --routes"

/* Writes it as warnings, one line each; speeds: also what only matters when the channels' speeds count. */
void dot_report_write(const struct dot_report *odd, FILE *file, const char *program, const char *source, bool speeds);

/* A route may be missing because of a misspelt name: then its error says that there are some. */
void dot_report_hint(const struct dot_report *odd, struct error *error);

enum dot_wants {
	DOT_TABLES = 1,        /* build forwarding tables */
	DOT_KEEP = 2,          /* keep the attributes, to look at or for dot_write */
	DOT_KEEP_LANES = 8,    /* keep them if they tell of lanes: has an attribute sl2vl of edges, or sl of nodes */
	DOT_KEEP_READ = 32,    /* keep them where they are read: of a graph, but not of a cache or a specification */
	DOT_ALLOW_NO_LINK = 4, /* a host without a link is no error */
	DOT_KEEP_PLACES = 64,  /* keep them for attributes_channel_at(), but where routes are computed, whose topology knows the places */
	DOT_ALTERNATIVES = 16, /* with the tables: keep all channels that list a destination, not the first alone */
};

/*
 * Reads path ("-": standard input, also compressed). *forwarding and *attributes are NULL unless wanted. Returns 0, or -1 with everything
 * freed: STATUS_IO when the file cannot be read, STATUS_FABRIC when it is no usable fabric. Time: that of cgraph's agread, plus
 * O(length of the forwarding sets).
 */
int dot_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct attributes **attributes,
	struct dot_report *report, struct error *error);

/* A text from anywhere: read() gives up to size bytes of it, 0 at the end, -1 on errors. */
struct dot_text {
	ssize_t (*read)(void *from, char *buffer, size_t size, struct error *error);
	void *from;
	const char *name; /* for messages, and of the fabric's source: must live as long as that */
};

/* Text that is in memory: from of a struct dot_text, and its read(). */
struct dot_memory {
	const char *text;
	size_t left;
};
ssize_t dot_read_memory(void *from, char *buffer, size_t size, struct error *error);

/* The same of a text. */
int dot_load_text(const struct dot_text *text, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error);

/* Only its attributes, to go with a fabric that was made of it earlier. NULL on errors: also if it is not of so many nodes and channels. */
struct attributes *dot_keep(const struct dot_text *text, const struct fabric *fabric, struct error *error);

/* Refuses what cannot be a fabric: no hosts and, unless DOT_ALLOW_NO_LINK is wanted, a host without a link. Returns 0, or -1.
 */
int dot_check(const struct fabric *fabric, unsigned wants, struct error *error);

/* The line of the file where the node's name first stands, 0 where that cannot be told. For messages; reads the file again. */
unsigned long dot_line_of(const char *path, const char *node);

/* Writes the name of a node as it stands in a graph. */
void dot_write_node(const struct attributes *attributes, uint32_t node, FILE *file);

/* A string in quotes, or of HTML; and a name before a '=', which needs quotes only if it is no identifier. */
void dot_write_string(FILE *file, const char *text, bool markup);
void dot_write_name(FILE *file, const char *name, bool markup);

/* An attribute that is written beside those of the input, and instead of one of its name. */
struct dot_column {
	const char *name;
	void (*value)(FILE *file, uint32_t channel, const void *data); /* writes the value, which has no '"' in it */
	const void *data;
};
struct dot_pair {
	const char *name, *value; /* value NULL: not at all */
};

/*
 * Writes the graph to file, nodes in their order, then the edges of each as the input had them, so that reading it gives the same ids and
 * places: with the columns added to its edges and the pairs to itself. Both lists end with a NULL name. Errors stay in the FILE.
 */
void dot_write(const struct fabric *fabric, const struct attributes *attributes, FILE *file, const struct dot_column *columns,
	const struct dot_pair *pairs);

#endif
