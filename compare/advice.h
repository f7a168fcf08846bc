/* Other ways to route a fabric, which administrators can choose, and what each of them is worth beside the present tables. */
#ifndef COMPARE_ADVICE_H
#define COMPARE_ADVICE_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A way to route that an administrator can choose. */
struct advice_kind {
	const char *folder;                /* name of its folder, behind the number of the step */
	const char *what;                  /* in words */
	const char *engine;                /* of orcs-route; NULL: the present tables */
	const char *opensm;                /* of OpenSM's configuration */
	bool roots, compute_nodes, tables; /* files that it needs */
	bool real;                         /* only OpenSM itself can make its tables: with --opensm */
	bool torus;                        /* needs torus-2QoS.conf */
};

/* Those that orcs-advise tries; the first are the present tables. ADVICE_MOST: of any list; ADVICE_PATTERNS: that are compared. */
enum { ADVICE_KINDS = 15, ADVICE_MOST = 32, ADVICE_PATTERNS = 8 };
extern const struct advice_kind advice_kinds[ADVICE_KINDS];

/* The bandwidth of a pattern on a routing, and the paired differences from the base, with their 95% confidence intervals. */
struct advice_gain {
	double mean, low, high;
	double gain, gain_low, gain_high;
};

/* The reason why a routing is not there that was not asked for. */
#define ADVICE_NOT_TRIED "not tried"

/* What a routing is like. */
struct advice {
	const struct advice_kind *kind;
	char refusal[1000];                            /* why it is not there; "": it is */
	uint64_t unreachable, pairs, entries, changed; /* changed: entries, of all */
	double largest;                                /* load between switches, as of fabric/load_scale.h */
	uint64_t routes;                               /* on this channel */
	unsigned lanes;
	bool deadlock, known; /* known: whether its deadlocks are */
	bool uncertain;       /* OpenSM's tables can lack entries that these have */
	uint32_t hottest;     /* channel with the largest load; NONE: there is none between switches */
	double shifts;        /* mean of the largest loads of all shifts, see shift_loads_mean(); NAN: not asked for */
	struct advice_gain of[ADVICE_PATTERNS];
	double score;  /* mean over the patterns of the gain, divided by the base's bandwidth */
	uint64_t hash; /* of the fabric with its tables */
	bool advised;
	int step;                       /* from 1; 0: none */
	const struct advice_kind *same; /* a simpler one with these tables; NULL: none */
};

struct advice_result {
	uint32_t plane; /* of several, from 1; 0: the whole fabric */
	struct advice advice[ADVICE_MOST];
	int kinds;              /* their number */
	int base;               /* with which the others are compared: the present tables, or the first that is there */
	int order[ADVICE_MOST]; /* [steps] the advised ones, by gain */
	int steps;
	const struct fabric *fabric; /* with labels */
	const char *torus;           /* text of torus-2QoS.conf; NULL: none */
	char *graph;                 /* [graph_size] text of the graph with the tables that OpenSM would read; NULL: none */
	size_t graph_size;
};

/*
 * Marks the routings that gain more than chance in a pattern and lose in none, lose no pair and cannot deadlock, and orders them by their
 * scores; of several with the same tables the first. Where the base can deadlock or loses pairs, the best of those that cure this is marked
 * whatever it gains.
 */
void advice_choose(struct advice_result *result, int patterns);

/* Returns whether a routing is without deadlocks that the base has, or reaches pairs that the base loses. */
bool advice_cures(const struct advice *advice, const struct advice *base);

#endif
