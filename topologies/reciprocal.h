/* Divides by a number known in advance with one multiplication. */
#ifndef TOPOLOGIES_RECIPROCAL_H
#define TOPOLOGIES_RECIPROCAL_H

#include <stdint.h>

/*
 * inverse m = floor((2^64 - 1) / divisor) = (2^64 - e) / divisor with 1 <= e <= divisor; n = q * divisor + r gives floor(m * (n + 1) /
 * 2^64) = q, as m * (n + 1) / 2^64 = q + (r + 1) / divisor - e * (n + 1) / (divisor * 2^64), where (r + 1) / divisor is in [1 / divisor, 1]
 * and what is taken off in (0, (n + 1) / 2^64], no more than 1 / divisor.
 */
struct reciprocal {
	uint64_t inverse;
	uint32_t divisor;
};

/* Returns the reciprocal of a divisor > 0. */
static inline struct reciprocal reciprocal_of(uint32_t divisor)
{
	return (struct reciprocal){UINT64_MAX / divisor, divisor};
}

/* Returns n div divisor: exact for all n and all divisors. */
static inline uint32_t quotient(uint32_t n, struct reciprocal by)
{
	return (uint32_t)((unsigned __int128)by.inverse * ((uint64_t)n + 1) >> 64);
}

/* Returns n mod divisor. */
static inline uint32_t remainder_of(uint32_t n, struct reciprocal by)
{
	return n - quotient(n, by) * by.divisor;
}

#endif
