/*
 * The congestion engine: counts how many of a level's routes use each channel; the weight of a pair is the largest count on its route
 * (ORCS paper, section 4, simulation_with_metric). Where the load of a pair is split among several routes, the parts on a channel are
 * summed, and the weight is the largest sum on any of the routes. With different speeds the routes on a channel share its speed equally,
 * the rate of a pair is the smallest share on its route, and its weight is what its two ends could carry alone, the speed of the slower of
 * its host links, divided by that rate.
 */
#ifndef ENGINES_CONGESTION_CONGESTION_H
#define ENGINES_CONGESTION_CONGESTION_H

#include "base/histogram.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/route_choice.h"
#include "fabric/route_cache.h"
#include "patterns/pairs.h"
#include "engines/observation.h"

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

/* Receives the weighed pairs of a level, in blocks; part as in struct sink. */
struct pair_taker {
	void (*take)(void *data, const struct weighed *pairs, size_t count, int part);
	void *data;
};

struct congestion_setup {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	const struct route_cache *route_cache; /* whole routes; NULL: the tables are walked */
	struct route_choice *multipath;        /* the multipath policy: one route per pair, or all of them; NULL: each pair has one route */
	bool speed_aware;                      /* speeds count, if they differ */
	bool drop;                             /* unreachable pairs are left out */
	bool sum_channels;                     /* channel_sum is kept */
	const double *routes;                  /* [channels] weights of the channels in level.sums; NULL: no sums */
	bool oversubscribed;                   /* several ranks may be placed on one host */
	const volatile sig_atomic_t *stop;
};

/* The workspace. Levels allocate nothing except a route buffer that grows to the largest level, up to 64 MB. */
struct congestion;

struct congestion *congestion_create(const struct congestion_setup *setup, struct error *error);
void congestion_free(struct congestion *engine);

/*
 * Runs one level: host[rank] is the host index of each rank. *level is valid until the next call. take may be NULL.
 * Time O(sum of route lengths), plus O(channels) when that is the larger part of it.
 */
enum run_status congestion_level(struct congestion *engine, const struct pattern_call *call, uint64_t index, const uint32_t *host,
	struct level *level, const struct pair_taker *take, struct error *error);

/* Writes the host indices of the pair without a route. */
void congestion_bad_pair(const struct congestion *engine, uint32_t *source, uint32_t *destination);

/* Adds the counts of all channels since the last congestion_keep_run() or congestion_drop_run() to the sums, or discards them. */
void congestion_keep_run(struct congestion *engine);
void congestion_drop_run(struct congestion *engine);

/* Returns the sums [channels], in units of congestion_channel_unit(); NULL without sum_channels. */
uint64_t *congestion_channel_sum(struct congestion *engine);

/*
 * Returns the unit of the sums, in routes: 1, or a small part of a route if loads are split. Sums of integers do not depend on their order.
 */
double congestion_channel_unit(const struct route_choice *multipath);

#endif
