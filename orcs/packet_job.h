/* What a run of the packet engine needs: the routing, the traffic or the workload of a run, and the processes that share it. */
#ifndef ORCS_PACKET_JOB_H
#define ORCS_PACKET_JOB_H

#include "fabric/lanes.h"
#include "patterns/pattern.h"
#include "parallel/comm.h"
#include "orcs/flow_job.h"
#include "orcs/packet_options.h"

struct packet_job {
	const struct packet_options *options;
	const struct pattern_request *pattern; /* whose arguments traffic of that name takes */
	const char *name;                      /* of the routing */
	struct packet_router_setup routing;
	struct packet_router *router;
	struct packet_setup setup; /* all but the router and the peers is the user's to set */
	struct packet_engine *engine;
	struct packet_peers peers;
	struct comm *comm;
	uint32_t *part; /* [nodes] the process of each; NULL: every process makes runs of its own */
	uint32_t bytes; /* of a message of an open loop */
	uint32_t ranks;
	bool crowded;    /* several on a host */
	uint64_t passes; /* channels that packets have passed in all runs so far */
	/* of the last run */
	struct packet_seen packets;
	struct task_times times;
	void *received;
	size_t received_room;
};

/* Makes the routing, sees that packets cannot wait for each other in a circle (or says it on standard error, where that is allowed), and
 * makes the engine, cut between the processes if together is set. Collective. Returns 0, or -1 in all processes. packet_job_clear() in
 * every case. */
int packet_job_init(struct packet_job *job, bool together, FILE *notes, struct error *error);
void packet_job_clear(struct packet_job *job);

/* The runs of a call: so many points for each seed, of which run r is number r % points. */
uint64_t packet_job_points(const struct packet_options *options);

/* Makes a run, of a graph unless it is an open loop. Collective if the job is cut. */
enum run_status packet_job_run(struct packet_job *job, uint64_t run, const struct task_graph *graph, const uint32_t *host,
	struct observation *seen, struct error *error);

#endif
