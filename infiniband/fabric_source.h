/*
 * The files or the specification from which a fabric is read, see orcs-fabric(7): a dot graph, a cache, the specification of a topology,
 * dumps of InfiniBand tools, or a directory with one of these.
 */
#ifndef INFINIBAND_FABRIC_SOURCE_H
#define INFINIBAND_FABRIC_SOURCE_H

#include "base/error.h"
#include "base/files.h"
#include "formats/dot.h"
#include "infiniband/dump.h"
#include "infiniband/level_rules.h"

#include <stdbool.h>
#include <stdio.h>

enum { DUMPS_ANY = 1U << DUMP_TOPOLOGY | 1U << DUMP_TABLES | 1U << DUMP_LANES | 1U << DUMP_LEVELS };

struct fabric_file {
	const char *path; /* "-": standard input */
	unsigned kinds;   /* a bit 1 << enum dump_kind for each kind that it may hold; DUMPS_ANY: also a graph */
};

enum fabric_form { FORM_DUMPS, FORM_GRAPH, FORM_SPECIFICATION }; /* FORM_GRAPH: also caches */

struct fabric_source {
	const char *program;      /* program name, for notes */
	struct fabric_file *file; /* [files] in command-line order; borrowed */
	size_t files, capacity;
	enum level_rule levels;    /* of --service-levels */
	const char *node_name_map; /* file of --node-name-map; NULL: none */
	const char **fail;         /* [fails] lists of --fail, see fabric_fail(); the texts are borrowed */
	size_t fails, fail_capacity;
	uint32_t plane; /* number of the plane that is loaded, from 1; 0: all */
	char *name;     /* name of the fabric in messages and results; set by fabric_source_named() */
	/* valid once the source is open */
	enum fabric_form form;
	struct fabric_file *part; /* [parts] files that are read */
	size_t parts, part_capacity;
	bool reported;     /* anomalies of the dumps have been reported */
	bool failed;       /* what failed has been noted */
	bool unrecognised; /* the only file begins like no known format and is read as a graph */
};

/* Adds a file. Returns 0, or -1 if out of memory, or with STATUS_USAGE if standard input was added before. */
int fabric_source_add(struct fabric_source *source, const char *path, unsigned kinds, struct error *error);

/* Adds a list of nodes and cables that have failed. Returns 0, or -1 if out of memory. */
int fabric_source_fail(struct fabric_source *source, const char *list, struct error *error);

/* Makes the name; call it after all files have been added. Returns 0, or -1 if out of memory. */
int fabric_source_named(struct fabric_source *source, struct error *error);

/* Returns the specification of the topology; NULL if the source is not a specification. */
const char *fabric_source_spec(const struct fabric_source *source);

/*
 * Determines which files are to be read, including those in directories, and their format, and registers them with files. Returns 0, or -1:
 * STATUS_USAGE for a graph next to other files, STATUS_FABRIC for a directory without a fabric, or with several, STATUS_IO for one that has
 * a file that cannot be read. Reads the beginning of files.
 */
int fabric_source_open(struct fabric_source *source, struct files *files, struct error *error);

/* Opens the source like fabric_source_open(), but treats all files as dumps, whatever their content. */
int fabric_source_open_dumps(struct fabric_source *source, struct files *files, struct error *error);

/*
 * Loads the fabric like fabric_load(), from any format, once the source is open; the source must live as long as the fabric. From dumps,
 * the fabric is that of the graph which orcs-import writes, and the same anomalies are reported to notes (NULL: not reported), but only
 * once. Can be called again if all files can be read again.
 */
int fabric_source_load(struct fabric_source *source, unsigned wants, struct files *files, FILE *notes, struct fabric **fabric,
	struct forwarding **forwarding, struct attributes **attributes, struct dot_report *report, struct error *error);

void fabric_source_clear(struct fabric_source *source);

#endif
