/*
 * What a failure does to routes: pairs that are lost, exact loads, the bandwidth of fixed random bisections, and deadlocks. All is known of
 * the intact fabric; of a failure only what the changed entries change is computed anew. Routes that pass changed entries towards one
 * destination form a small part of its tree: what flows into that part stays, and is counted along the new entries.
 */
#ifndef TOOLS_COMPARE_FAIL_EFFECT_H
#define TOOLS_COMPARE_FAIL_EFFECT_H

#include "routings/opensm/failing.h"

struct fail_lanes;

enum deadlock { DEADLOCK_NONE, DEADLOCK_POSSIBLE, DEADLOCK_UNKNOWN };

struct fail_effect {
	uint64_t hosts;               /* lost */
	uint64_t unreachable;         /* ordered pairs of hosts that had a route */
	uint64_t apart;               /* of these, pairs of hosts that are left */
	uint64_t entries;             /* of switches, changed, of those that are left */
	double largest;               /* load of a channel between switches, as of fabric/load_scale.h, of the intact fabric's hosts */
	double squares;               /* sum of the squares of these loads */
	double rivals;                /* pairs of routes that can meet there, see fail_rivals.c */
	double mean;                  /* bandwidth of the bisections that have a pair with a route; NAN without any */
	double difference, low, high; /* from the intact fabric, and its 95% confidence interval; NAN without bisections */
	uint64_t lost_flows;          /* pairs of the bisections without a route */
	enum deadlock deadlock;
	char refusal[200]; /* why OpenSM refuses the engine and falls back to minhop; "": it does not */
};

/* A change of routes_of. */
struct fail_touch {
	size_t at;
	int by;
};

typedef __int128 wide; /* sums of squares of routes */

struct fail_state {
	const struct fabric *fabric;
	const struct routing_graph *graph;
	const uint32_t *reverse;
	bool speeds;            /* count */
	uint32_t *base, *now;   /* [hosts][columns] entries of the intact fabric, and of the failure */
	uint32_t *flow;         /* [hosts][columns] hosts whose routes to the destination leave there */
	uint32_t *reached;      /* [hosts] hosts that have a route to the destination */
	uint32_t *start;        /* [hosts] column where routes begin; NONE: the host has no cable */
	uint32_t *senders;      /* [columns] hosts whose routes begin there */
	bool *counted;          /* [channels] both ends forward */
	double *scale;          /* [channels] load of a route */
	uint64_t *load0, *load; /* [channels] */
	uint64_t unreachable;   /* pairs without a route */
	struct fail_effect intact;

	/* rivals */
	uint32_t *row;       /* [columns] of routes_of; NONE: no routes begin there */
	uint32_t *routes_of; /* [rows][channels] destinations to which the routes of a start use a channel between switches */
	wide source_squares, destination_squares, source_squares0, destination_squares0; /* sums over channels; 0: of the intact fabric */
	uint32_t *moved;            /* [columns] moved == epoch: the routes that begin there are counted as they are now */
	struct fail_touch *touched; /* [touches] what a failure has changed in routes_of */
	size_t touches, touched_capacity;

	/* bisections */
	uint64_t runs;
	uint32_t flows;       /* of each run */
	uint32_t *sender;     /* [runs][flows] host indices */
	uint32_t *receiver;   /* likewise */
	uint64_t *to_first;   /* [hosts + 1] the flows to a host, of all runs: to[to_first[host]] .. */
	uint32_t *to;         /* of each: run * flows + flow, the length of its path, and the columns where its channels begin */
	uint64_t *path_first; /* [runs * flows + 1] */
	uint32_t *path;       /* channels from the start on */
	size_t paths, path_capacity;
	double *value;      /* [runs] of the intact fabric */
	uint32_t *count;    /* [runs][channels] flows, of the intact fabric between failures */
	uint32_t *on_first; /* [runs][channels + 1] the flows of a run on a channel of the intact fabric, by number in the run: */
	uint32_t *on;       /* from on[path_first[run * flows] + on_first[..]] on */
	double *share;      /* [runs * flows] bandwidth of the intact fabric, NAN: the flow has no route */
	double *share_now;  /* [flows] of the run at hand, new where shared == share_epoch */
	uint32_t *shared;   /* [flows] */
	uint32_t *beside;   /* [channels] beside == share_epoch: the flows there are done */
	uint32_t share_epoch;
	double *slowness;      /* [channels] 1 / speed, 1 if speeds do not count */
	uint32_t *other;       /* [runs * flows] the new path of a flow, from 1; 0: the old one; NONE: it has no route */
	uint64_t *other_first; /* [others + 1] into other_path */
	uint32_t *other_flow;  /* [others] run * flows + flow */
	uint32_t *other_path;
	size_t others, other_capacity, other_first_capacity, other_paths, other_path_capacity;
	uint32_t *other_next; /* [others] of the same run, from 1; 0: it is the last */
	uint32_t *run_other;  /* [runs] the first, likewise */
	size_t other_next_capacity;

	/* dependencies */
	uint64_t *turn_first; /* [channels + 1] those from a channel to those that leave its head */
	bool *turn;           /* [turn_first[channels]] */
	uint32_t *position;   /* [channels] ascends along all dependencies of the intact fabric; NULL: there is a cycle */
	bool one_lane;        /* otherwise turns and position are not used, see fail_lanes.h */

	/* a failure */
	struct failed_parts failed;
	bool *lost;           /* [hosts] */
	uint32_t *lost_at;    /* [columns] lost hosts whose routes begin there */
	uint32_t *lost_start; /* [lost_starts] these columns */
	uint32_t lost_starts;
	uint64_t *change_first;  /* [hosts + 1] */
	uint32_t *change_column; /* [changes] by destination */
	uint32_t *changed;       /* [columns] changed == epoch: the entry for the present destination has changed */
	size_t change_capacity;
	uint32_t *member;       /* [members] columns of the part of a tree */
	uint32_t *mark, *place; /* [columns] mark == epoch: member[place] */
	uint32_t *in_flow;      /* [columns] by place: new flow */
	uint32_t *waits;        /* [columns] by place */
	uint32_t *queue;        /* [columns] */
	uint32_t members, epoch;
	bool turned; /* a dependency does not keep the order */
	uint64_t new_unreachable, new_apart;
};

/*
 * Begins with the tables next [hosts][columns] (copied) of the graph, and runs random bisections. lanes: NULL if routes use one lane.
 * Returns 0, or -1 if out of memory. Call fail_state_clear() in either case.
 */
int fail_state_begin(struct fail_state *state, const struct routing_graph *graph, const uint32_t *reverse, const uint32_t *next,
	uint64_t runs, uint64_t seed, bool ignore_speeds, const struct fail_lanes *lanes, struct error *error);
void fail_state_clear(struct fail_state *state);

/* Marks what has failed, in state->failed, for an engine to route; part: see struct fail_list. */
void fail_state_break(struct fail_state *state, const uint32_t *part, uint32_t parts);

/* Finds what the changes do, and mends the fabric again. lanes: NULL for one. Returns 0, or -1 if out of memory. */
int fail_state_judge(struct fail_state *state, const struct entry_changes *changes, const struct fail_lanes *lanes,
	struct fail_effect *effect, struct error *error);

/*
 * Lists changes that mend the routes which have failed, and no others: nodes that have lost their way to a destination take a shortest one
 * that is left, of several that over the channel with the fewest routes. Returns 0, or -1 if out of memory.
 */
int fail_repair(struct fail_state *state, struct entry_changes *changes, struct error *error);

#endif
