/* Other ways to route a fabric, which administrators can choose, and what each of them is worth beside the present tables. */
#ifndef COMPARE_ADVICE_H
#define COMPARE_ADVICE_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A way to route. */
struct advice_kind {
	const char *folder;                /* name of its folder, behind the number of the step */
	const char *what;                  /* in words */
	const char *engine;                /* of orcs-route; NULL: the present tables */
	const char *opensm;                /* of OpenSM's configuration */
	bool roots, compute_nodes, tables; /* files that it needs */
};

/* Those that orcs-advise tries; the first are the present tables. */
enum { ADVICE_KINDS = 11, ADVICE_MOST = 32 };
extern const struct advice_kind advice_kinds[ADVICE_KINDS];

/* What a routing is like. */
struct advice {
	const struct advice_kind *kind;
	char refusal[1000];                                     /* why it is not there; "": it is */
	uint64_t unreachable, pairs, largest, entries, changed; /* largest: load of all-to-all between switches; changed: entries, of all */
	unsigned lanes;
	bool deadlock, known;             /* known: whether its deadlocks are */
	uint32_t hottest;                 /* channel with the largest load; NONE: there is none between switches */
	double shifts;                    /* mean of the largest loads of all shifts, see shift_loads_mean(); NAN: not asked for */
	double mean, low, high;           /* bandwidth and its 95% confidence interval */
	double gain, gain_low, gain_high; /* paired differences from the base */
	uint64_t hash;                    /* of the fabric with its tables */
	bool advised;
	int step;                       /* from 1; 0: none */
	const struct advice_kind *same; /* a simpler one with these tables; NULL: none */
};

struct advice_result {
	struct advice advice[ADVICE_MOST];
	int kinds;              /* their number */
	int base;               /* with which the others are compared: the present tables, or the first that is there */
	int order[ADVICE_MOST]; /* [steps] the advised ones, by gain */
	int steps;
	const struct fabric *fabric; /* with labels */
	struct files *files;         /* the inputs; borrowed */
	char *graph;                 /* [graph_size] text of the graph with the tables that OpenSM would read; NULL: none */
	size_t graph_size;
};

/*
 * Marks the routings that gain more than chance, lose no pair and cannot deadlock, and orders them by gain; of several with the same tables
 * the first.
 */
void advice_choose(struct advice_result *result);

#endif
