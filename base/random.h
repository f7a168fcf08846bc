/*
 * Counter-based random numbers: every number is a function of (seed, purpose, run, index) and of nothing else, so results do not depend on
 * the process that computes a run, nor on earlier draws. The generator is Philox4x32-10 (Salmon, Moraes, Dror, Shaw: Parallel Random
 * Numbers: As Easy as 1, 2, 3, SC 2011).
 */
#ifndef BASE_RANDOM_H
#define BASE_RANDOM_H

#include <stdint.h>

/* The purpose of a stream. Streams of different purposes are independent. */
enum random_purpose {
	RANDOM_SUBSET,
	RANDOM_MAPPING,
	RANDOM_PATTERN, /* + the part of ptrnvsptrn that draws */
	RANDOM_ROUTE = 0x80,
	RANDOM_MESSAGE = 0x81,
	RANDOM_ORDER = 0x82,
	RANDOM_FAILURE = 0x83,
	RANDOM_QUEUE = 0x84,
	RANDOM_STATES = 0x85,
};

enum { RANDOM_BLOCKS = 32, RANDOM_WORDS = 4 * RANDOM_BLOCKS };

/* A stream of at most 2^34 32-bit numbers. Blocks of four numbers are generated RANDOM_BLOCKS at a time. */
struct random {
	uint32_t key[2];     /* the seed */
	uint32_t counter[4]; /* number of the next block, purpose, run */
	uint32_t used;       /* number of words used */
	uint32_t word[RANDOM_WORDS];
};

/* Generates the next RANDOM_BLOCKS blocks. */
void random_fill(struct random *random);

/* As random_fill(), with the same numbers, on any machine. */
void random_fill_plain(struct random *random);

/* Returns four 32-bit numbers that a pair of hosts draws in a run (below 2^40) for its route, from one of its blocks (below 2^16). */
void random_pair(uint32_t word[4], uint64_t seed, uint64_t run, uint32_t source, uint32_t destination, uint32_t block);

/* Returns four 32-bit numbers for a message that a rank sends in a run (below 2^56) of open-loop traffic. */
void random_message(uint32_t word[4], uint64_t seed, uint64_t run, uint32_t rank, uint32_t message);

/* Starts the stream of one purpose of one run. */
static inline void random_start(struct random *random, uint64_t seed, unsigned purpose, uint64_t run)
{
	random->key[0] = (uint32_t)seed;
	random->key[1] = (uint32_t)(seed >> 32);
	random->counter[0] = 0;
	random->counter[1] = purpose;
	random->counter[2] = (uint32_t)run;
	random->counter[3] = (uint32_t)(run >> 32);
	random->used = RANDOM_WORDS;
}

/* Returns the next 32 uniform bits. */
static inline uint32_t random_bits(struct random *random)
{
	if (random->used == RANDOM_WORDS)
		random_fill(random);
	return random->word[random->used++];
}

/* Returns a uniform integer in 0..bound-1, bound > 0, without bias (Lemire: Fast Random Integer Generation in an Interval, TOMACS 2019). */
static inline uint32_t random_below(struct random *random, uint32_t bound)
{
	uint64_t product = (uint64_t)random_bits(random) * bound;
	if ((uint32_t)product < bound) {
		uint32_t threshold = -bound % bound;
		while ((uint32_t)product < threshold)
			product = (uint64_t)random_bits(random) * bound;
	}
	return (uint32_t)(product >> 32);
}

/* Puts items[0..count-1] into a uniformly random order (Fisher and Yates). Time O(count). */
static inline void random_shuffle(struct random *random, uint32_t *items, uint32_t count)
{
	for (uint32_t i = count; i > 1; i--) {
		uint32_t j = random_below(random, i);
		uint32_t item = items[i - 1];
		items[i - 1] = items[j];
		items[j] = item;
	}
}

#endif
