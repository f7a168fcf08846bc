/* Random choices for one message from its four random words: words 0 and 1 determine its time, 2 and 3 its receiver. */
#ifndef PATTERNS_OPEN_DRAW_H
#define PATTERNS_OPEN_DRAW_H

#include <stdint.h>

/* Returns 64 uniform bits of two words. */
static inline uint64_t draw_bits(const uint32_t word[2])
{
	return (uint64_t)word[1] << 32 | word[0];
}

/*
 * Returns 64 more bits, by mixing all four words (the finaliser of SplitMix64: Steele, Lea, Flood: Fast Splittable Pseudorandom Number
 * Generators, OOPSLA 2014). salt: a different value for each use.
 */
static inline uint64_t draw_more(const uint32_t word[4], uint64_t salt)
{
	uint64_t z = draw_bits(word) + (salt ^ draw_bits(word + 2)) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Returns a number in 0..bound-1: the probabilities of any two differ by at most bound / 2^64 of their value. */
static inline uint32_t draw_below(uint64_t bits, uint32_t bound)
{
	return (uint32_t)((unsigned __int128)bits * bound >> 64);
}

/* Returns a number 0 <= x < 1, of 53 bits. */
static inline double draw_share(uint64_t bits)
{
	return (double)(bits >> 11) * 0x1p-53;
}

/* Returns a number in first..first+count-1 except one of them, if that is in the range; there must be another. */
static inline uint32_t draw_other(uint64_t bits, uint32_t first, uint32_t count, uint32_t but)
{
	uint32_t inside = but - first < count, drawn = first + draw_below(bits, count - inside);
	return drawn + (inside && drawn >= but);
}

#endif
