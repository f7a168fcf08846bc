/* The state of one call of orcs-compare, without its sweep of failures, and its steps; for orcs-compare and the library. */
#ifndef TOOLS_COMPARE_COMPARE_JOB_H
#define TOOLS_COMPARE_COMPARE_JOB_H

#include "base/files.h"
#include "compare/comparison.h"
#include "parallel/comm.h"
#include "tools/compare/compare_options.h"
#include "tools/compare/compare_report.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>

/* A copied file, and the name of the copy, /dev/fd/N. */
struct copied {
	FILE *file;
	char name[40];
};

/* The state of a call. */
struct compare_job {
	struct compare_options options;
	struct compared_plane whole;  /* number 0 */
	struct compared_plane *plane; /* [planes] if planes are compared one by one */
	uint32_t planes;
	struct copied *copy; /* [copies] inputs that can be read only once */
	int copies;
	char (*path)[40];           /* [routings] fabrics routed by engines of OpenSM: /dev/fd/N */
	struct fabric_source *made; /* [routings] their sources */
	struct files files;
	struct output output, plot;
	bool borrowed;                     /* nothing is written but by compare_write() */
	FILE *notes;                       /* standard error; may be NULL if the options are quiet */
	const volatile sig_atomic_t *stop; /* ends OpenSM when it is set */
};

/*
 * Opens the files and computes the routings; the options, notes and stop are set. In every process, before MPI starts; first: whether this
 * is process 0. Returns 0, or -1; compare_clear() in every case.
 */
int compare_prepare(struct compare_job *job, bool first, struct error *error);

/* Makes the runs. Collective. Returns 0, or -1. */
int compare_run(struct compare_job *job, struct comm *comm, struct error *error);

/* Writes the result in the format of the options; in process 0. Returns 0, or -1. */
int compare_write(const struct compare_job *job, FILE *file, struct error *error);

/* Writes the outputs of the options, and warnings; in process 0. */
void compare_write_results(struct compare_job *job, struct error *error);
void compare_clear(struct compare_job *job);

#endif
