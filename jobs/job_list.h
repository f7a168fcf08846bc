/* The running jobs of a batch system and their machines, as Slurm's commands print them. */
#ifndef JOBS_JOB_LIST_H
#define JOBS_JOB_LIST_H

#include "base/error.h"

#include <stdint.h>

struct listed_job {
	const char *id;
	const char *machines; /* a list of hosts, see base/hostlist.h */
	unsigned long line;   /* of the file; 0: JSON */
};

struct job_list {
	struct listed_job *job; /* [jobs] in the order of the file */
	uint32_t jobs;
	uint64_t idle; /* jobs without machines or not running, left out */
	size_t capacity;
	char *text;         /* of the file; the texts of the jobs are in it, but those of JSON */
	void *tree, *arena; /* of JSON; ids that are composed */
	const char *file;   /* its name */
};

/*
 * Reads the jobs with machines. The form is recognised by the content: lines "ID HOSTLIST" (squeue -h -o "%i %N"); a table of sacct -P with
 * the columns JobID and NodeList; the text of scontrol show job; or JSON of squeue or scontrol. Returns 0, or -1: STATUS_USAGE for a file
 * that is none of these, has no job, or an id twice; STATUS_IO. Call job_list_clear() in either case.
 */
int job_list_read(struct job_list *list, const char *path, struct error *error);
void job_list_clear(struct job_list *list);

/* ---- private to job_list*.c */

/* Adds a job, whose texts are borrowed; without machines ("", "(null)", "None", "None assigned") it counts as idle. Returns 0, or -1. */
int job_list_add(struct job_list *list, const char *id, const char *machines, unsigned long line, struct error *error);

/* Returns formatted text that lives as long as the list; NULL with an error. */
const char *job_list_print(struct job_list *list, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds the jobs of JSON: list->text, of length bytes. Returns 0, or -1. */
int job_list_json(struct job_list *list, size_t length, struct error *error);

#endif
