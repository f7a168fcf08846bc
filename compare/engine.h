/* The result of routing a topology with an engine, of OpenSM or of orcs-route. */
#ifndef COMPARE_ENGINE_H
#define COMPARE_ENGINE_H

#include "base/error.h"
#include "fabric/forwarding.h"
#include "fabric/source_routes.h"
#include "formats/dot.h"

#include <stdbool.h>
#include <stddef.h>

struct files;
struct output;

/* Not an engine: the existing routes of the fabric. */
#define ENGINE_AS_IS "as-is"

struct engine_run {
	const char *asked;  /* name of the requested engine; borrowed */
	bool opensm;        /* routed by OpenSM itself */
	bool by_opensm;     /* the tables are OpenSM's, computed here */
	char used[200];     /* the engine that was actually used */
	double seconds;     /* time of OpenSM, otherwise NAN */
	char failure[1000]; /* reason why there is no routed fabric; "" if there is one */
	/* result of an engine of OpenSM */
	int file; /* descriptor of the routed fabric, an unnamed file; -1: none */
	/* result of another engine for the fabric */
	struct forwarding *forwarding; /* NULL: no result */
	struct source_routes *routes;  /* NULL: none besides the tables */
	struct dot_report odd;
	char *torus;   /* text of torus-2QoS.conf that OpenSM read; NULL: none */
	uint64_t hash; /* hash of the routed fabric */
};

/* Returns whether the engine made a routing. */
static inline bool engine_made(const struct engine_run *run)
{
	return run->file >= 0 || run->forwarding;
}

/* Writes the name by which a descriptor can be read repeatedly. Returns text. */
char *engine_path(char *text, size_t size, int file);

/* Creates a directory for engine_keep(), unless it exists. Returns 0, or -1 with STATUS_IO. */
int engine_folder(const char *folder, struct error *error);

/* Opens FOLDER/ASKED.ENDING, to keep a result of the engine. Returns 0, or -1 as files_write(). */
int engine_open(struct output *output, const char *folder, const struct engine_run *run, const char *ending, struct files *files,
	struct error *error);

/* Keeps the result of an engine of OpenSM as FOLDER/ASKED.dot. Returns 0, or -1 with STATUS_IO, and as files_write(). */
int engine_keep(const char *folder, const struct engine_run *run, struct files *files, struct error *error);

/* Closes and frees the results. */
void engine_runs_clear(struct engine_run *run, int count);

#endif
