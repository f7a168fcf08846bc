#include "engines/observation.h"

unsigned packet_bin(uint64_t latency)
{
	enum { FINE = 6 };
	unsigned log = latency < (1 << FINE) ? 0 : 63 - (unsigned)__builtin_clzll(latency) - FINE + 1;
	unsigned bin = log ? (log << FINE) + (unsigned)(latency >> (log - 1)) - (1 << FINE) : (unsigned)latency;
	return bin < LATENCY_BINS ? bin : LATENCY_BINS - 1;
}

uint64_t packet_bin_floor(unsigned bin)
{
	enum { FINE = 6 };
	unsigned log = bin >> FINE;
	return log ? (uint64_t)((bin & ((1 << FINE) - 1)) + (1 << FINE)) << (log - 1) : bin;
}
