/* The numbers that rand() of the GNU C library draws: OpenSM's lash depends on them. */
#ifndef ROUTINGS_OPENSM_LIBC_RANDOM_H
#define ROUTINGS_OPENSM_LIBC_RANDOM_H

#include <stdint.h>

enum { LIBC_RANDOM_DEGREE = 31, LIBC_RANDOM_LAG = 3 };

struct libc_random {
	uint32_t state[LIBC_RANDOM_DEGREE];
	unsigned next;
};

void libc_random_init(struct libc_random *random, uint32_t seed);

/* 0 .. 2^31 - 1. */
uint32_t libc_random_draw(struct libc_random *random);

#endif
