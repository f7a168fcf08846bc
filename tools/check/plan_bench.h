/* The subnet that is found, with room for the planned cables, and changed into what is planned: arrays that OpenSM's engines take. */
#ifndef TOOLS_CHECK_PLAN_BENCH_H
#define TOOLS_CHECK_PLAN_BENCH_H

#include "routings/opensm/view.h"
#include "tools/check/cable_plan.h"

/* The subnet found with room for all that is planned, and what becomes of it. A port is a channel, the one that leaves there. */
struct plan_bench {
	struct cable_plan *plan;
	const struct fabric *found;
	const bool *hosts; /* [plan->nodes] */
	struct opensm_view view;
	struct opensm_node *node; /* [nodes] those of the view, then those that only the plan has */
	uint32_t nodes, ports;
	uint32_t *node_of;                          /* [plan->nodes] OPENSM_NONE: without a cable */
	uint32_t *owner;                            /* [ports] node */
	struct opensm_port *intact, *mended, *port; /* [ports] as found, as planned, as changed */
	double *intact_gbps, *mended_gbps, *gbps;   /* [ports] likewise */
	uint32_t *planned_port;                     /* [planned cables][2] of those that are missing or miswired */
	uint32_t *end;                              /* [ends] the ports of hosts */
	uint32_t ends;
	uint32_t *pair;   /* [PLAN_RUNS][pairs][2] their ports: sender, receiver */
	uint32_t pairs;   /* in each run */
	uint32_t *count;  /* [ports] routes of a run */
	double *value[3]; /* [PLAN_RUNS] bandwidth of each run: as planned, as found, with one difference */
};

/*
 * Makes the subnet of plan, found and hosts, which are set. Returns whether it can be routed: otherwise the reason is set, or it is out of
 * memory. plan_bench_clear() in every case.
 */
bool plan_bench_build(struct plan_bench *b, const struct routing_graph *graph, const struct attributes *attributes, struct error *error);
void plan_bench_clear(struct plan_bench *b);

/* Sets the reason why nothing is measured. Returns false. */
bool plan_bench_refuse(struct plan_bench *b, const char *reason);

/* Returns whether a cable is of a host that nobody planned, which stays. */
bool plan_bench_is_new_host(const struct plan_bench *b, const struct plan_difference *d);

/* Makes the fabric as planned. */
void plan_bench_mend(struct plan_bench *b);

/* Of the fabric as planned, makes one cable as found: a port that is taken is replaced by another one of its node, if there is one. */
void plan_bench_spoil(struct plan_bench *b, const struct plan_difference *d);

#endif
