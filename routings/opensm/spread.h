/* How minhop, updn, dnup and dor choose among the ports on paths of least hops, whichever paths the engine allows. */
#ifndef ROUTINGS_OPENSM_SPREAD_H
#define ROUTINGS_OPENSM_SPREAD_H

#include "routings/opensm/fabric.h"

enum { HOPS_NONE = 255, HOPS_LIMIT = 64 /* paths have fewer */ };

/* The hops to one switch, and what a walk needs. */
struct hops {
	const struct opensm_fabric *fabric;
	uint8_t *by_port; /* [links] by that port, HOPS_NONE; unless shortest */
	uint8_t *least;   /* [switches] of all ports; HOPS_NONE: there is no path */
	uint32_t *queue;  /* [switches] */
	uint8_t *state;   /* [switches] of the engine */
	bool *waits;      /* [switches] in the queue */
	bool *touched;    /* [near] the step over it has changed more than the hops by its own port; NULL: not kept */
	bool shortest;    /* a port is on a path of least hops if its neighbour has one hop less */
};

int hops_init(struct hops *hops, const struct opensm_fabric *fabric, struct error *error);
void hops_clear(struct hops *hops);

/* Forgets all hops but the 0 of the switch itself. */
void hops_reset(struct hops *hops, uint32_t to);

/* Those of all shortest paths. Time O(links). */
void hops_shortest(struct hops *hops, uint32_t to);

/*
 * Whether a step from a switch to its neighbour may follow the state of the switch; *state becomes that of the neighbour. extra: what the
 * step costs beyond one hop.
 */
typedef bool hops_step(const void *engine, uint32_t from, uint32_t to, uint8_t *state, unsigned *extra);

/* Walks from the destination, in the order of arrival, wherever a step shortens the path by a port. The hops are not reset before. */
void hops_walk(struct hops *hops, uint32_t to, uint8_t state, hops_step *step, const void *engine);

/* Fills the hops to a switch. */
typedef void hops_fill(const void *engine, struct hops *hops, uint32_t to);

/* Fills all entries. one_neighbour: only ports to the neighbour behind the first port on a path of least hops, as dor. Returns 0, or -1.
 * Time O(switches * (links + LIDs * ports)). */
int opensm_spread(struct opensm_task *task, hops_fill *fill, const void *engine, bool one_neighbour);

#endif
