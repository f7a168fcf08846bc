/*
 * What a campaign has made so far, in a file from which the same command goes on. The file is a header, the marks of the command, then the
 * arrays, in the byte order of the machine; it is written whole each time and replaces the one before when it is complete.
 */
#ifndef ORCS_CHECKPOINT_H
#define ORCS_CHECKPOINT_H

#include "metrics/metric.h"
#include "orcs/marks.h"

/*
 * Runs that are made, of all processes in the first one (next and the holes in all). Their values are whole numbers or belong to one run
 * each, so it does not matter which processes made them, nor when.
 */
struct made {
	uint64_t next;  /* all runs before are made but the holes, and none from here on */
	uint64_t *hole; /* [holes] ascending */
	size_t holes;
	uint64_t runs, connections, unroutable;
	double *records; /* [used] in records of width: a run, its values */
	size_t used, capacity, width;
	uint64_t *sum, *limit; /* [channels] of the engine, borrowed; NULL: not wanted */
	uint32_t channels;
	struct metric_call *metrics; /* [metric_count] with their pooled histograms; borrowed */
	int metric_count;
};

struct checkpoint {
	const char *path;   /* written; NULL: none is */
	const char *resume; /* read; NULL: none is */
	double seconds;     /* between two, at least */
	struct marks marks; /* of the command; in process 0 */
	/* of what was read */
	uint64_t runs, connections;
	/* of what was written */
	uint64_t written;
	double spent; /* seconds */
};

/* Whether both files can be used, before any work is done for them; a file that is there and is no checkpoint is not overwritten. In the
 * first process. Returns 0, or -1: STATUS_IO, STATUS_USAGE. */
int checkpoint_check(const struct checkpoint *checkpoint, struct error *error);

/*
 * Puts what the file holds into made, which is empty, and its metrics. In process 0. Returns 0, or -1: STATUS_IO for a file that is
 * missing, damaged or no checkpoint, STATUS_USAGE for one of another command, fabric or version.
 */
int checkpoint_read(struct checkpoint *checkpoint, struct made *made, struct error *error);

/* Writes what is made, in process 0; safe: waits until it is on the disk, which takes most of the time. Returns 0, or -1:
 * STATUS_IO; the file of before stays then. Time O(bytes). */
int checkpoint_write(struct checkpoint *checkpoint, const struct made *made, bool safe, struct error *error);

#endif
