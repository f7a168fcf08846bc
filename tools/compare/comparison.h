/*
 * The same runs on several routings of the same hosts. Rank i sits on the same host in run r of every routing, so that the differences
 * between routings are known better than the routings themselves.
 */
#ifndef TOOLS_COMPARE_COMPARISON_H
#define TOOLS_COMPARE_COMPARISON_H

#include "fabric/placement.h"
#include "formats/dot.h"
#include "infiniband/fabric_source.h"
#include "patterns/pairs.h"
#include "metrics/metric.h"
#include "parallel/comm.h"
#include "tools/compare/engine.h"
#include "tools/compare/reach.h"
#include "tools/compare/same_hosts.h"
#include "tools/compare/verdict.h"

#include <stdbool.h>
#include <stdint.h>

/* The channel that most routes used, as the worse direction of its cable. */
struct hottest {
	char *from, *to;          /* names of its ends; NULL: no route used any channel */
	uint32_t port, peer_port; /* 0: unknown */
	double sum;               /* routes over all levels and runs */
	double mean;              /* routes in a level of a run, divided by the speed where that counts */
};

/* One pattern on one routing. */
struct trial {
	double *value; /* [capacity] the bandwidth of each run, NAN where nothing was sent */
	size_t capacity;
	uint64_t *channel_sum; /* [channels] in parts of a route */
	double unit;           /* how much one is of these */
	uint64_t connections, unroutable;
	struct hottest hottest;
	struct verdict verdict;
};

/* One routing: a file, or what an engine made. All but there, gap, runs and trial is complete in process 0 only. */
struct routed_fabric {
	const char *label;               /* the file as it was named, or the engine that was asked for */
	struct fabric_source *source;    /* open, to be read as often as it takes; NULL: the engine made none */
	bool there;                      /* there is a source */
	const struct engine_run *engine; /* NULL for a file */
	struct dot_report odd;
	uint32_t switches, channels;
	uint64_t hash;
	struct compared_reach reach;
	bool several;        /* pairs have several routes, of which no hops are counted */
	char gap[400];       /* the first pair without a route, which ended its runs; "" if there was none, or they are dropped */
	uint64_t runs;       /* made so far */
	struct trial *trial; /* [patterns] */
};

/* Whether the routing has results: it could be routed, and its runs met no gap. */
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
	uint32_t ranks; /* 0: all hosts; then how many there are */
	uint64_t seed;
	uint64_t runs;    /* of every pattern on every routing; with precision at most, then how many there were */
	double precision; /* > 0: go on until every confidence interval is within this share of its mean */
	int multipath;    /* enum multipath_mode; -1: as the routes themselves ask for */
	bool drop, speed_aware, progress;
	FILE *notes;         /* what is done goes there; NULL: nowhere */
	FILE *oddities;      /* what is odd about dumps likewise */
	struct files *files; /* takes note of what dumps include */
	struct comm *comm;

	bool precise;                  /* the precision was reached */
	struct host_list hosts;        /* of the first routing that has a fabric */
	struct placement placement;    /* on those */
	struct pattern_call **pattern; /* [patterns] */
	struct metric_call metrics[METRICS_MAX];
	int metric_count;
};

/*
 * Makes the runs and judges. Collective; routings and patterns are as many in all processes. Returns 0, or -1 in all processes:
 * STATUS_FABRIC for a fabric that cannot be used, that has other hosts than the first, or, without drop, where a pair has no route.
 * comparison_clear() in every case.
 */
int comparison_run(struct comparison *comparison, struct error *error);
void comparison_clear(struct comparison *comparison);

#endif
