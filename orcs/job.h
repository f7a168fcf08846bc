/* All that a call of orcs works on, and the steps that main() goes through: for orcs/main.c and orcs/job_*.c alone. */
#ifndef ORCS_JOB_H
#define ORCS_JOB_H

#include "base/files.h"
#include "fabric/source_routes.h"
#include "formats/dot.h"
#include "parallel/route_cache_shared.h"
#include "orcs/campaign.h"
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
	struct source_routes *routes; /* NULL: none but those of the tables */
	struct route_choice *multipath;
	struct control control;
	struct pattern_call *pattern; /* NULL: the engine takes no pairs */
	struct runs runs;
	struct comm_peers peers;
	double *capacity, *latency; /* [channels] for engines that know times */
	struct virtual_lanes *lanes;
	char *topology; /* the attribute of the graph; NULL: none */
	struct metric_call metrics[METRICS_MAX];
	int metric_count;
	struct dot_report odd;
	struct files files;
	size_t fabric_files;                                                    /* the first of them, the bytes of which are the fabric */
	struct output output, plot, cache, timeline, flows, graph[METRICS_MAX]; /* graph: of get_cable_cong:FILE */
	struct outcome outcome;
	struct checkpoint checkpoint;
	FILE *log, *notes, *verbose; /* standard error; with --quiet no notes, without -v, and but in process 0, nothing verbose: NULL */
};

/* ---- job_setup.c */

/* The workload, which may know how many tasks it has; in every process. Returns 0, or -1. */
int job_make_workload(struct job *job, struct error *error);

/* What follows several routes of a pair, where there are any. Collective. Returns 0, or -1. */
int job_make_multipath(struct job *job, struct error *error);

/* The engine, what it works on, and the metrics. Collective. Returns 0, or -1. */
int job_set_up(struct job *job, struct error *error);

/* Counts the routes that control variates need. Collective. Returns 0, or -1. */
int job_make_control(struct job *job, struct error *error);

/* ---- job_results.c */

/* Whether a graph will be written, so that the input is to be kept. */
bool job_wants_graph(const struct job *job);

/* Process 0 sees that the output can be written before any work is done for it. */
void job_open_outputs(struct job *job, struct error *error);

/* All thresholds must speak of values that the metrics yield; seen before the runs. Returns 0, or -1. */
int job_check_thresholds(const struct report *report, struct error *error);

/* Process 0 writes everything, the result first: what fails leaves nothing half-written, and nothing follows it. */
void job_write_results(struct job *job, struct report *report, struct error *error);

#endif
