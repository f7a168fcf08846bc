/*
 * What a fabric is read from, as people name it, see orcs-fabric(7): a dot graph, a cache, the specification of a topology, dumps of the
 * tools of InfiniBand, or a folder with one of these.
 */
#ifndef INFINIBAND_FABRIC_SOURCE_H
#define INFINIBAND_FABRIC_SOURCE_H

#include "base/error.h"
#include "base/files.h"
#include "formats/dot.h"
#include "infiniband/dump.h"

#include <stdbool.h>
#include <stdio.h>

enum { DUMPS_ANY = 1U << DUMP_TOPOLOGY | 1U << DUMP_TABLES | 1U << DUMP_LANES };

struct fabric_file {
	const char *path; /* "-": standard input */
	unsigned kinds;   /* a bit 1 << enum dump_kind for each kind that it may hold; DUMPS_ANY: a graph, too */
};

enum fabric_form { FORM_DUMPS, FORM_GRAPH, FORM_SPECIFICATION }; /* graphs: also caches */

struct fabric_source {
	const char *program;      /* for notes */
	struct fabric_file *file; /* [files] as they are named; borrowed */
	size_t files, capacity;
	const char *node_name_map; /* the file of --node-name-map; NULL: none */
	char *name;                /* what the fabric is called in messages and results, once fabric_source_named() */
	/* once it is open */
	enum fabric_form form;
	struct fabric_file *part; /* [parts] the files that are read */
	size_t parts, part_capacity;
	bool told; /* what is odd about the dumps */
};

/* Adds a file. Returns 0, or -1: without the memory, and with STATUS_USAGE where standard input is there already. */
int fabric_source_add(struct fabric_source *source, const char *path, unsigned kinds, struct error *error);

/* All files are named: makes the name. Returns 0, or -1 without the memory. */
int fabric_source_named(struct fabric_source *source, struct error *error);

/* The specification that it is; NULL where it is none. */
const char *fabric_source_spec(const struct fabric_source *source);

/*
 * Finds out which files are to be read, those of folders too, of which form they are, and names them to files. Returns 0, or -1:
 * STATUS_USAGE for a graph beside other files, STATUS_FABRIC for a folder without a fabric, or with several. Reads the beginning of files.
 */
int fabric_source_open(struct fabric_source *source, struct files *files, struct error *error);

/* The same where all files are dumps, whatever is in them. */
int fabric_source_open_dumps(struct fabric_source *source, struct files *files, struct error *error);

/*
 * fabric_load() of any form, once it is open; the source must live as long as the fabric. Of dumps the fabric is that of the graph which
 * orcs-import writes, and what is found goes to notes as there (NULL: nowhere), but once only. May be called again where all files can be
 * read again.
 */
int fabric_source_load(struct fabric_source *source, unsigned wants, struct files *files, FILE *notes, struct fabric **fabric,
	struct forwarding **forwarding, struct attributes **attributes, struct dot_report *report, struct error *error);

void fabric_source_clear(struct fabric_source *source);

#endif
