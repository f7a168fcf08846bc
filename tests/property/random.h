/*
 * Random choices of the property test: splitmix64. A case owns one state, seeded by the number of
 * the case, so that this number alone brings the case back.
 */
#ifndef TESTS_PROPERTY_RANDOM_H
#define TESTS_PROPERTY_RANDOM_H

#include <stdbool.h>
#include <stdint.h>

struct rng {
	uint64_t state;
};

static inline uint64_t rng_next(struct rng *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* One of 0..n-1. The bias of the remainder does not matter for a handful of values. */
static inline int rng_below(struct rng *r, int n)
{
	return (int)(rng_next(r) % (uint64_t)n);
}

/* One of low..high. */
static inline int rng_between(struct rng *r, int low, int high)
{
	return low + rng_below(r, high - low + 1);
}

static inline bool rng_chance(struct rng *r, int percent)
{
	return rng_below(r, 100) < percent;
}

static inline void rng_shuffle(struct rng *r, int value[], int count)
{
	for (int i = count - 1; i > 0; i--) {
		int j = rng_below(r, i + 1);
		int kept = value[i];

		value[i] = value[j];
		value[j] = kept;
	}
}

#endif
