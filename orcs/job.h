/* The state of one call of orcs, and the steps of main(); for orcs/main.c, orcs/job_*.c and the library. */
#ifndef ORCS_JOB_H
#define ORCS_JOB_H

#include "base/files.h"
#include "fabric/source_routes.h"
#include "formats/dot.h"
#include "parallel/route_cache_shared.h"
#include "orcs/campaign.h"
#include "orcs/hottest.h"
#include "orcs/options.h"
#include "orcs/peers.h"
#include "orcs/report.h"
#include "orcs/runs.h"

struct job {
	struct options options;
	uint32_t ranks; /* 0: all hosts */
	struct comm *comm;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct placement placement;
	struct shared_route_cache table;
	struct source_routes *routes; /* NULL: only the routes of the tables */
	bool demand;                  /* forwarding and routes compute on demand, in each process */
	struct route_choice *multipath;
	struct control control;
	struct pair_loads loads;      /* of the pairs of the hosts, for expected loads */
	struct pattern_call *pattern; /* NULL: the engine takes no pairs */
	struct runs runs;
	struct comm_peers peers;
	double *capacity, *latency; /* [channels] for engines that simulate time */
	struct virtual_lanes *lanes;
	struct lane_arbitrations *arbitrations;
	char *topology; /* the attribute of the graph; NULL: none */
	struct metric_call metrics[METRICS_MAX];
	int metric_count;
	struct dot_report odd;
	struct files files;
	size_t fabric_files; /* number of the first files, which are the fabric */
	struct output output, plot, cache, timeline, flows, counters, rank_file, queue_file,
		graph[METRICS_MAX]; /* graph: of get_cable_cong:FILE */
	struct rank_table rank_table;
	bool named;                  /* a file names hosts or ranks of the whole fabric */
	struct campaign_setup setup; /* the campaign, and what is reported of it */
	struct report report;
	struct outcome outcome;
	struct checkpoint checkpoint;
	uint32_t plane; /* the plane that this job is a part for; 0: it is the whole */
	char plane_word[8], plane_text[12];
	uint32_t parts;                    /* number of planes that are analysed one by one; 0: there is one analysis */
	uint32_t *number;                  /* [parts] the planes, from 1 */
	struct job *part;                  /* [parts] */
	bool borrowed;                     /* fabric, forwarding, attributes and routes belong to the caller, who has set them */
	bool keep_all;                     /* whatever the fabric has is kept, for any runs */
	bool lanes_borrowed;               /* lanes do */
	const volatile sig_atomic_t *stop; /* ends the runs when it is set */
	FILE *log, *notes, *verbose; /* standard error, or NULL: notes with --quiet, verbose without -v and in other processes than 0 */
	FILE *terminal;              /* standard output, if it is a terminal and process 0; otherwise NULL */
};

/* ---- job_load.c */

/* Reads the fabric, routes it, and writes its cache; in process 0. With parts the planes are to be analysed one by one. Returns 0, or -1.
 */
int job_load(struct job *job, struct error *error);

/* ---- job_run.c; comm, stop, peers and the streams of the job are set before */

/* Finds the fabric, the hosts of the ranks, and all else that is known before. Collective. Returns 0, or -1. */
int job_prepare(struct job *job, struct error *error);

/* Creates the engine and the pattern, and opens the outputs, those of a part excepted. Collective. Returns 0, or -1. */
int job_ready(struct job *job, struct error *error);

/* Makes the runs. Collective. Returns 0, or -1. */
int job_run(struct job *job, struct error *error);

/* Frees what the job has, but for its parts, its options and what is borrowed. */
void job_clear(struct job *job);

/* ---- job_setup.c */

/* Creates the workload, which may define the number of tasks; in every process. Returns 0, or -1. */
int job_make_workload(struct job *job, struct error *error);

/* Makes the routes on demand of process 0 in the others, too. Collective. Returns 0, or -1. */
int job_share_demand(struct job *job, struct error *error);

/* Creates the choice among several routes of a pair, where there are any. Collective. Returns 0, or -1. */
int job_make_multipath(struct job *job, struct error *error);

/* Creates the engine with its inputs, and the metrics. Collective. Returns 0, or -1. */
int job_set_up(struct job *job, struct error *error);

/* Counts the routes that control variates need. Collective. Returns 0, or -1. */
int job_make_control(struct job *job, struct error *error);

/*
 * Sets the loads of the runs for reports of channels, with their expectation if it is known; loads->levels is 0 if the metrics do not want
 * them. Collective. Returns 0, or -1.
 */
int job_find_loads(struct job *job, struct run_loads *loads, struct error *error);

/* ---- job_results.c */

/* Returns whether a graph will be written, so that the input must be kept. */
bool job_wants_graph(const struct job *job);

/* Opens all outputs before any run; in process 0. */
void job_open_outputs(struct job *job, struct error *error);

/* Checks before the runs that the metrics yield the value of every threshold. Returns 0, or -1. */
int job_check_thresholds(const struct report *report, struct error *error);

/* Reports thresholds that hold, and a precision that was not reached; in process 0. Sets STATUS_THRESHOLD if any holds. */
void job_judge(const struct job *job, const struct report *report, struct error *error);

/* Writes all outputs, the result first; in process 0. A failed output leaves no partial file, and ends the writing. */
void job_write_results(struct job *job, struct report *report, struct error *error);

#endif
