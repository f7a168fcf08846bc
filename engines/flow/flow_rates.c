#include "engines/flow/flow_rates.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* If the capacity of a channel that is left for the next class is at most this part of the whole, it is rounding error and counts as 0. */
#define NOTHING_LEFT 1e-9

struct flow_rates *flow_rates_create(const struct class_setup *setup, uint32_t channels, const double *capacity, struct error *error)
{
	struct flow_rates *r = array_create(1, sizeof *r, error);
	if (!r)
		return NULL;
	r->setup = *setup;
	r->channels = channels;
	r->whole = capacity;
	r->parts = setup->policy == CLASSES_STRICT ? setup->classes : 1;
	size_t copies = setup->policy == CLASSES_SHARE ? setup->classes : 1;
	r->scratch = array_create(channels, sizeof *r->scratch, error);
	for (unsigned k = 0; k < setup->classes && setup->policy == CLASSES_SHARE; k++)
		r->present[k] = array_create(channels, sizeof *r->present[k], error);
	for (unsigned p = 0; p < r->parts && !error->status; p++) {
		r->capacity[p] = array_create(copies * channels, sizeof *r->capacity[p], error);
		for (size_t i = 0; r->capacity[p] && i < copies; i++)
			memcpy(r->capacity[p] + i * channels, capacity, channels * sizeof *capacity);
		if (r->capacity[p])
			r->fair[p] = max_min_create((uint32_t)(copies * channels), r->capacity[p], error);
	}
	if (!error->status)
		return r;
	flow_rates_free(r);
	return NULL;
}

void flow_rates_free(struct flow_rates *r)
{
	if (!r)
		return;
	for (unsigned k = 0; k < CLASSES_MAX; k++) {
		max_min_free(r->fair[k]);
		free(r->capacity[k]);
		free(r->present[k]);
	}
	free(r->scratch);
	free(r);
}

/* Divides a channel between the classes that use it. */
static void divide(struct flow_rates *r, uint32_t channel)
{
	double all = 0;
	for (unsigned k = 0; k < r->setup.classes; k++)
		all += r->present[k][channel] ? r->setup.share[k] : 0;
	for (unsigned k = 0; k < r->setup.classes; k++) {
		uint32_t own = k * r->channels + channel;
		double now = r->present[k][channel] ? r->whole[channel] * r->setup.share[k] / all : r->whole[channel];
		if (r->capacity[0][own] != now) {
			r->capacity[0][own] = now;
			max_min_touch(r->fair[0], own);
		}
	}
}

static void count_present(struct flow_rates *r, uint32_t class, const uint32_t *channel, uint32_t count, bool more)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = flow_rates_channel(r, channel[i]), *present = &r->present[class][c];
		*present += more ? 1 : -1U;
		if (*present == more)
			divide(r, c);
	}
}

struct flow_key flow_rates_add(struct flow_rates *r, uint32_t class, const uint32_t *channel, const double *part, uint32_t count,
	double weight, struct error *error)
{
	struct flow_key key = {class < r->setup.classes ? class : r->setup.classes - 1, 0};
	if (r->setup.policy == CLASSES_SHARE) {
		for (uint32_t i = 0; i < count; i++)
			r->scratch[i] = channel[i] + key.class * r->channels;
		channel = r->scratch;
		count_present(r, key.class, channel, count, true);
	}
	key.flow = max_min_add(r->fair[r->parts > 1 ? key.class : 0], channel, part, count, weight, error);
	return key;
}

void flow_rates_remove(struct flow_rates *r, struct flow_key key, struct error *error)
{
	const uint32_t *channel;
	const double *part;
	uint32_t count = flow_rates_route(r, key, &channel, &part);
	if (r->setup.policy == CLASSES_SHARE)
		count_present(r, key.class, channel, count, false);
	max_min_remove(r->fair[r->parts > 1 ? key.class : 0], key.flow, error);
}

void flow_rates_touch(struct flow_rates *r, uint32_t channel)
{
	if (r->setup.policy == CLASSES_SHARE) {
		divide(r, channel);
		return;
	}
	r->capacity[0][channel] = r->whole[channel];
	max_min_touch(r->fair[0], channel);
}

/* Returns the capacity of a channel that a class uses. */
static double used_of(const struct max_min *m, uint32_t channel)
{
	double used = 0;
	for (uint32_t k = 0; k < m->members[channel]; k++)
		used += m->flow[m->member[channel][k]].rate * max_min_part(m, m->member[channel][k], channel);
	return used;
}

/* Gives the next class the capacity that a class leaves on a channel. */
static void leave(struct flow_rates *r, unsigned p, uint32_t channel)
{
	double left = r->capacity[p][channel] - used_of(r->fair[p], channel);
	left = left > NOTHING_LEFT * r->whole[channel] ? left : 0;
	if (left == r->capacity[p + 1][channel])
		return;
	r->capacity[p + 1][channel] = left;
	max_min_touch(r->fair[p + 1], channel);
}

int flow_rates_solve(struct flow_rates *r, struct error *error)
{
	for (unsigned p = 0; p < r->parts; p++) {
		struct max_min *m = r->fair[p];
		uint32_t changed = 0;
		if (p + 1 < r->parts) { /* channels whose flows have been removed are known only before the solution */
			changed = (uint32_t)m->dirties;
			memcpy(r->scratch, m->dirty, m->dirties * sizeof *r->scratch);
		}
		if (max_min_solve(m, error))
			return -1;
		if (p + 1 == r->parts)
			break;
		for (uint32_t i = 0; i < changed; i++)
			leave(r, p, r->scratch[i]);
		for (size_t i = 0; i < m->touches; i++) {
			uint32_t f = m->touched[i];
			for (size_t k = m->flow[f].start; m->flow[f].rate != m->old[f] && k < m->flow[f].start + m->flow[f].length; k++)
				leave(r, p, m->route[k]);
		}
	}
	return 0;
}
