/* What a routing engine made of a topology, be it one of OpenSM or one of orcs-route. */
#ifndef TOOLS_COMPARE_ENGINE_H
#define TOOLS_COMPARE_ENGINE_H

#include "base/error.h"
#include "fabric/forwarding.h"
#include "fabric/source_routes.h"
#include "formats/dot.h"

#include <stdbool.h>
#include <stddef.h>

struct files;
struct output;

/* Not an engine: the routes that the fabric has. */
#define ENGINE_AS_IS "as-is"

struct engine_run {
	const char *asked;  /* the engine; borrowed */
	bool opensm;        /* it is one of OpenSM */
	char used[200];     /* the engine that really routed */
	double seconds;     /* that OpenSM took, else NAN */
	char failure[1000]; /* why there is no routed fabric; "" when there is one */
	/* what one of OpenSM made */
	int file; /* descriptor of the routed fabric, which has no name; -1: none */
	/* what another one made of the fabric */
	struct forwarding *forwarding; /* NULL: nothing */
	struct source_routes *routes;  /* NULL: none beside the tables */
	struct dot_report odd;
	uint64_t hash; /* of the routed fabric */
};

/* Whether it made anything. */
static inline bool engine_made(const struct engine_run *run)
{
	return run->file >= 0 || run->forwarding;
}

/* Writes the name by which a descriptor can be read as often as it takes. Returns text. */
char *engine_path(char *text, size_t size, int file);

/* Makes a folder for engine_keep(), unless it is there. Returns 0, or -1 with STATUS_IO. */
int engine_folder(const char *folder, struct error *error);

/* Opens FOLDER/ASKED.ENDING, where what the engine makes is kept. Returns 0, or -1 as files_write() does. */
int engine_open(struct output *output, const char *folder, const struct engine_run *run, const char *ending, struct files *files,
	struct error *error);

/* Keeps what one of OpenSM made as FOLDER/ASKED.dot. Returns 0, or -1 with STATUS_IO, and as files_write() does. */
int engine_keep(const char *folder, const struct engine_run *run, struct files *files, struct error *error);

/* Closes and frees what they made. */
void engine_runs_clear(struct engine_run *run, int count);

#endif
