/*
 * The sizes of the messages of an open loop, drawn from a distribution: its function is linear between points of a table, and a jump where
 * two points have the same size.
 */
#ifndef PATTERNS_MESSAGE_SIZES_H
#define PATTERNS_MESSAGE_SIZES_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* A point of the function: the share of the messages that have at most so many bytes. */
struct size_point {
	double bytes, share;
};

struct message_sizes {
	struct size_point *point; /* [points] ascending; the share of the last is 1 */
	size_t points;
};

/* Returns the path of the file that a specification reads; NULL: none. */
const char *message_sizes_file(const char *spec);

/*
 * Reads "uniform:64,4096", "websearch", "datamining" or "file:PATH", a file with a line "bytes share" for each point. Returns 0, or -1 with
 * STATUS_USAGE, or STATUS_IO. Call message_sizes_clear() in either case.
 */
int message_sizes_read(struct message_sizes *sizes, const char *spec, struct error *error);
void message_sizes_clear(struct message_sizes *sizes);

/* Returns the bytes of a message, at least 1; word: random bits of this message alone. Time O(log points). */
uint64_t message_size(const struct message_sizes *sizes, const uint32_t word[4]);

/* Return the mean bytes of a message; the mean of their squares, divided by the square of the mean; the mean number of packets. */
double message_sizes_mean(const struct message_sizes *sizes);
double message_sizes_spread(const struct message_sizes *sizes);
double message_sizes_packets(const struct message_sizes *sizes, uint32_t mtu);

#endif
