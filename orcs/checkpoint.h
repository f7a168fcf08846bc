/*
 * The state of a campaign in a file, from which the same command continues. The file is a header, the marks of the command, then the
 * arrays, in the byte order of the machine; each checkpoint is written completely, then replaces the one before.
 */
#ifndef ORCS_CHECKPOINT_H
#define ORCS_CHECKPOINT_H

#include "metrics/metric.h"
#include "orcs/marks.h"

/*
 * Completed runs: those of all processes in process 0 (next and the holes in all). Their values are whole numbers or belong to one run
 * each, so the processes that made them, and the order, do not matter.
 */
struct made {
	uint64_t next;  /* all runs before it but the holes are completed, none from it on */
	uint64_t *hole; /* [holes] ascending */
	size_t holes;
	uint64_t runs, connections, unroutable;
	double *records; /* [used] in records of width: a run, its values */
	size_t used, capacity, width;
	uint64_t *sum, *limit; /* [channels] of the engine, borrowed; NULL: not wanted */
	uint64_t *carried;     /* [2 * channels] the same */
	uint32_t channels;
	struct metric_call *metrics; /* [metric_count] with their pooled histograms; borrowed */
	int metric_count;
};

struct checkpoint {
	const char *path;   /* file to write; NULL: none */
	const char *resume; /* file to read; NULL: none */
	double seconds;     /* at least, between two checkpoints */
	struct marks marks; /* of the command; in process 0 */
	/* reading */
	uint64_t runs, connections;
	/* writing */
	uint64_t written;
	double spent; /* seconds */
};

/* Checks that both files can be used, before any run; an existing file that is not a checkpoint is not overwritten. In
 * process 0. Returns 0, or -1: STATUS_IO, STATUS_USAGE. */
int checkpoint_check(const struct checkpoint *checkpoint, struct error *error);

/*
 * Reads the file into made, which is empty, and its metrics. In process 0. Returns 0, or -1: STATUS_IO for a file that is
 * missing, damaged or not a checkpoint, STATUS_USAGE for one of another command, fabric or version.
 */
int checkpoint_read(struct checkpoint *checkpoint, struct made *made, struct error *error);

/* Writes the completed runs, in process 0; safe: waits until the file is on the disk, which takes most of the time. Returns 0, or -1:
 * STATUS_IO; the previous file then stays. Time O(bytes). */
int checkpoint_write(struct checkpoint *checkpoint, const struct made *made, bool safe, struct error *error);

#endif
