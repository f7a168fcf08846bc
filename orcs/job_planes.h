/* The planes of a fabric, each analysed by itself; private to orcs/main.c and orcs/job_planes.c. */
#ifndef ORCS_JOB_PLANES_H
#define ORCS_JOB_PLANES_H

#include "orcs/job.h"

/*
 * In process 0, once the fabric is loaded: sets job->parts and job->number if its planes are to be analysed one by one. This is so if the
 * hosts of the ranks are on several planes, two of them with two hosts or more, and nothing says otherwise: not with --plane, with
 * --unroutable=drop, with a file that names hosts or ranks, or if the fabric cannot be read again. Returns 0, or -1: STATUS_USAGE for an
 * option that is for one plane.
 */
int job_find_planes(struct job *job, struct error *error);

/* Makes a job for each plane; the fabric as a whole is freed. Without planes nothing happens. Collective. Returns 0, or -1. */
int job_make_parts(struct job *job, struct error *error);
void job_clear_parts(struct job *job);

/* Adds the number of the plane to an error of its job. */
void job_name_plane(const struct job *part, struct error *error);

/* Writes the results of all planes and their total; in process 0. */
void job_write_planes(struct job *job, struct error *error);

#endif
