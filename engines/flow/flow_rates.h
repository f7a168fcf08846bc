/*
 * The rates of messages of several classes: all alike; or every channel is divided between the classes that have messages on it, in given
 * proportions; or a class gets what those before it leave (INRFlow paper, section 3.1 and figure 1). Within a class they are max-min fair.
 */
#ifndef ENGINES_FLOW_FLOW_RATES_H
#define ENGINES_FLOW_FLOW_RATES_H

#include "engines/flow/max_min.h"

enum { CLASSES_MAX = 8 };

enum class_policy { CLASSES_ALIKE, CLASSES_SHARE, CLASSES_STRICT };

struct class_setup {
	enum class_policy policy;
	unsigned classes;          /* 1 or more */
	double share[CLASSES_MAX]; /* of CLASSES_SHARE, any sum */
};

/* A message on its way: its class and its number there. */
struct flow_key {
	uint32_t class, flow;
};

struct flow_rates {
	struct class_setup setup;
	uint32_t channels;
	unsigned parts;                    /* classes that are solved apart: 1, but classes where they are strict */
	double *capacity[CLASSES_MAX];     /* [channels], with CLASSES_SHARE [classes * channels] */
	const double *whole;               /* [channels] of the channels themselves, borrowed */
	uint32_t *present[CLASSES_MAX];    /* [channels] messages of the class, with CLASSES_SHARE */
	struct max_min *fair[CLASSES_MAX]; /* [parts] */
	uint32_t *scratch;                 /* [channels] */
};

/* capacity: [channels] bits/s, borrowed. NULL if out of memory. */
struct flow_rates *flow_rates_create(const struct class_setup *setup, uint32_t channels, const double *capacity, struct error *error);
void flow_rates_free(struct flow_rates *rates);

/* See max_min_add(); class as in the task graph, those past the last count as the last. Weights count within a class. */
struct flow_key flow_rates_add(struct flow_rates *rates, uint32_t class, const uint32_t *channel, const double *part, uint32_t count,
	double weight, struct error *error);
void flow_rates_remove(struct flow_rates *rates, struct flow_key key, struct error *error);

/* Finds the rates; for each part p, fair[p]->touched tells which may have changed. Returns 0, or -1 as max_min_solve(). */
int flow_rates_solve(struct flow_rates *rates, struct error *error);

/* The capacity of a channel has changed in the array. */
void flow_rates_touch(struct flow_rates *rates, uint32_t channel);

/* The channels of a message: *channel [returned], and its parts there (NULL: all 1). */
static inline uint32_t flow_rates_route(const struct flow_rates *rates, struct flow_key key, const uint32_t **channel, const double **part)
{
	const struct max_min *m = rates->fair[rates->parts > 1 ? key.class : 0];
	*channel = m->route + m->flow[key.flow].start;
	*part = m->part ? m->part + m->flow[key.flow].start : NULL;
	return m->flow[key.flow].length;
}

/* A channel of the fabric, of one that the rates know. */
static inline uint32_t flow_rates_channel(const struct flow_rates *rates, uint32_t channel)
{
	return channel % rates->channels;
}

#endif
