/* What a run of the flow engine needs: the workload's graph on the run's hosts, and what is to be found out of it. */
#ifndef ORCS_FLOW_JOB_H
#define ORCS_FLOW_JOB_H

#include "patterns/workload.h"
#include "engines/flow/flow.h"
#include "engines/observation.h"
#include "engines/packet/packet.h"

struct packet_job;

struct flow_job {
	struct flow_setup setup;
	struct flow_engine *engine;
	struct packet_job *packets; /* the packet engine runs; NULL: it does not */
	struct workload_call *workload;
	const char *name;   /* the workload as given */
	bool begun;         /* a run was made */
	unsigned processes; /* of this machine that make runs; 0: this one alone */
	struct workload_task task;
	struct task_graph *graph; /* of all runs alike, or of the last one */
	unsigned wants;           /* enum flow_wants */
	double *alone;
	size_t alone_room;
	/* of the last run */
	const uint32_t *host;
	struct task_times times;
	struct flow_shares shares;
};

/* Makes the engine; all but engine, graph and what belongs to runs is set. Returns 0, or -1. flow_job_clear() in every case. */
int flow_job_init(struct flow_job *job, struct error *error);
void flow_job_clear(struct flow_job *job);

/* The graph of a run on these hosts, borrowed until the next call. NULL on errors, and without one where setup.stop is set. */
const struct task_graph *flow_job_graph(struct flow_job *job, uint64_t run, const uint32_t *host, struct error *error);

/* Makes a run. What is seen is valid until the next call. */
enum run_status flow_job_run(struct flow_job *job, uint64_t run, const uint32_t *host, struct observation *seen, struct error *error);

#endif
