/*
 * The same runs on several routings of the same hosts. Rank i is placed on the same host in run r of every routing, so the differences
 * between routings are more precise than their means.
 */
#ifndef COMPARE_COMPARISON_H
#define COMPARE_COMPARISON_H

#include "fabric/placement.h"
#include "formats/dot.h"
#include "infiniband/fabric_source.h"
#include "patterns/pairs.h"
#include "metrics/metric.h"
#include "orcs/hottest.h"
#include "parallel/comm.h"
#include "compare/engine.h"
#include "compare/reach.h"
#include "compare/same_hosts.h"
#include "compare/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* The channel with the most routes, the worse direction of its cable. */
struct hottest {
	char *from, *to;          /* names of its ends; NULL: no route used any channel */
	uint32_t port, peer_port; /* 0: unknown */
	uint64_t guid, peer_guid; /* 0: unknown */
	double sum;               /* sum of routes over all levels and runs */
	double mean;              /* routes per level and run, divided by the speed if speeds count */
	struct hottest_channel channel;
};

/* One pattern on one routing. */
struct trial {
	double *value; /* [capacity] bandwidth of each run, NAN if nothing was sent */
	double gbps;   /* sum over the runs that sent something of their mean rates; NAN: speeds do not count */
	size_t capacity;
	uint64_t *channel_sum; /* [channels] sum of routes, in fractions of a route */
	double unit;           /* the size of such a fraction */
	uint64_t connections, unroutable;
	struct hottest hottest;
	struct verdict verdict;
};

/* One routing: a file, or the result of an engine. All fields except there, gap, runs and trial are set in process 0 only. */
struct routed_fabric {
	const char *label;               /* the file as named, or the requested engine */
	struct fabric_source *source;    /* open, can be read repeatedly; NULL: the engine made no routing */
	bool there;                      /* whether there is a source */
	const struct engine_run *engine; /* NULL for files */
	struct dot_report odd;
	uint32_t hosts, switches, channels;
	struct missing_hosts missing; /* hosts of other routings */
	bool speeds_differ;           /* of its channels */
	uint64_t hash;
	struct compared_reach reach;
	bool several;            /* pairs have several routes, whose hops are not counted */
	struct pair_loads loads; /* of all pairs, if they give the expected loads; otherwise without a load */
	char gap[1000];          /* the first pair without a route, which ended its runs; "" if there is none, or such pairs are dropped */
	uint64_t runs;           /* runs completed so far */
	struct trial *trial;     /* [patterns] */
};

/* Returns whether the routing has results: it could be routed, and its runs met no pair without a route. */
static inline bool is_compared(const struct routed_fabric *routing)
{
	return routing->there && !*routing->gap;
}

struct comparison {
	struct routed_fabric *routing; /* [routings] */
	int routings;
	const struct pattern_request *request; /* [patterns] */
	int patterns;
	const char *subset, *mapping;
	uint32_t asked; /* number of ranks; 0: all hosts */
	uint32_t ranks; /* their number */
	uint64_t seed;
	uint64_t runs;    /* per pattern and routing; with precision the maximum, then the number of runs */
	double precision; /* > 0: run until every confidence interval is within this share of its mean */
	int multipath;    /* enum multipath_mode; -1: default of the routes */
	bool drop, ignore_speeds, progress;
	FILE *notes;         /* progress notes; NULL: none */
	FILE *oddities;      /* notes on anomalies of dumps; NULL: none */
	struct files *files; /* records the files that dumps include */
	struct comm *comm;

	bool watches;    /* whether planes of the first routing are looked for */
	uint32_t *plane; /* [planes] those that must be compared one by one, from 1; then there is no result */
	uint32_t planes;
	bool precise;                  /* whether the precision was reached */
	bool differ;                   /* a routing has other hosts than the first: all begin again on those that all have */
	struct host_list hosts;        /* hosts of the first routing that has a fabric, or those that all have */
	struct placement placement;    /* placement on those hosts */
	struct pattern_call **pattern; /* [patterns] */
	struct metric_call metrics[METRICS_MAX];
	int metric_count;
};

/*
 * Makes the runs and computes the verdicts. Collective; the numbers of routings and patterns are the same in all processes. Returns 0, or
 * -1 in all processes: STATUS_FABRIC for a fabric that cannot be used, fabrics without common hosts, or, without drop, one in which a
 * pair has no route. With planes there is no result. Call comparison_clear() in either case.
 */
int comparison_run(struct comparison *comparison, struct error *error);

/* Notes the planes of the first fabric if its ranks are on several and they are looked for; in process 0. Returns 0, or -1. */
int comparison_find_planes(struct comparison *comparison, const struct fabric *fabric, struct error *error);
void comparison_clear(struct comparison *comparison);

#endif
