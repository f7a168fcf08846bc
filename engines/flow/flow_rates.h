/*
 * The rates of messages of several classes. Either all classes are treated alike, or every channel is divided in given proportions between
 * the classes with messages on it, or each class gets what the classes before it leave (INRFlow paper, section 3.1 and figure 1). Within a
 * class rates are max-min fair.
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

/* A message in transit: its class and its number within the class. */
struct flow_key {
	uint32_t class, flow;
};

struct flow_rates {
	struct class_setup setup;
	uint32_t channels;
	unsigned parts;                    /* classes that are solved separately: the number of classes if they are strict, otherwise 1 */
	double *capacity[CLASSES_MAX];     /* [channels], with CLASSES_SHARE [classes * channels] */
	const double *whole;               /* [channels] capacities of the channels, borrowed */
	uint32_t *present[CLASSES_MAX];    /* [channels] number of messages of the class, with CLASSES_SHARE */
	struct max_min *fair[CLASSES_MAX]; /* [parts] */
	uint32_t *scratch;                 /* [channels] */
};

/* Returns the rates without messages; capacity: [channels] bits/s, borrowed. NULL if out of memory. */
struct flow_rates *flow_rates_create(const struct class_setup *setup, uint32_t channels, const double *capacity, struct error *error);
void flow_rates_free(struct flow_rates *rates);

/*
 * Adds a message, see max_min_add(); class as in the task graph, where a class beyond the last counts as the last. Weights apply within a
 * class.
 */
struct flow_key flow_rates_add(struct flow_rates *rates, uint32_t class, const uint32_t *channel, const double *part, uint32_t count,
	double weight, struct error *error);
void flow_rates_remove(struct flow_rates *rates, struct flow_key key, struct error *error);

/* Computes the rates; for each part p, fair[p]->touched lists those that may have changed. Returns 0, or -1 as max_min_solve(). */
int flow_rates_solve(struct flow_rates *rates, struct error *error);

/* Notes that the capacity of a channel has changed in the array. */
void flow_rates_touch(struct flow_rates *rates, uint32_t channel);

/* Returns the number of channels of a message; *channel lists them, *part the message's parts on them (NULL: all 1). */
static inline uint32_t flow_rates_route(const struct flow_rates *rates, struct flow_key key, const uint32_t **channel, const double **part)
{
	const struct max_min *m = rates->fair[rates->parts > 1 ? key.class : 0];
	*channel = m->route + m->flow[key.flow].start;
	*part = m->part ? m->part + m->flow[key.flow].start : NULL;
	return m->flow[key.flow].length;
}

/* Returns the fabric's channel of a channel of the rates. */
static inline uint32_t flow_rates_channel(const struct flow_rates *rates, uint32_t channel)
{
	return channel % rates->channels;
}

#endif
