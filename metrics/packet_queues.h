/* The queues of packets over time, of the first run: for the result, its picture and its file. */
#ifndef METRICS_PACKET_QUEUES_H
#define METRICS_PACKET_QUEUES_H

#include "metrics/metric.h"

/* All queues at a moment. */
struct queue_moment {
	uint64_t held;      /* bytes in all buffers */
	uint32_t fullest;   /* bytes in the buffers of one channel, at most */
	uint32_t full;      /* channels with a full buffer */
	uint32_t trees;     /* roots of congestion trees */
	uint32_t most, top; /* channels of the largest of these, and its root; NONE */
};

/*
 * A congestion tree: channels with full buffers whose packets wait for its root, maybe through others of these. The root has room beyond:
 * it carries less than is sent to it.
 */
struct queue_tree {
	uint32_t root;               /* channel */
	uint32_t most;               /* channels at most */
	uint64_t sum;                /* of its channels over the moments */
	size_t first, last, largest; /* the first moment, the last, and that of most channels */
};

/* The queues of a run. */
struct queue_series {
	const struct fabric *fabric;
	bool cycles;
	double unit;       /* picoseconds of the unit of time */
	double load;       /* NAN: not an open loop */
	uint64_t interval; /* picoseconds; moment m is at (m + 1) * interval */
	uint64_t buffer;   /* bytes of all buffers of a channel */
	size_t moments;
	size_t *first; /* [moments + 1] the samples of each moment */
	struct queue_sample *sample;
	struct queue_moment *moment; /* [moments] */
	struct queue_tree *tree;     /* [trees] by the sum of their channels, descending */
	size_t trees;
};

/* Returns a copy of what was seen, with its trees; NULL if out of memory. Time O(samples + moments * channels). */
struct queue_series *queue_series_create(const struct observation *seen, struct error *error);
void queue_series_free(struct queue_series *series);

/* Returns the time of a moment in the unit of the series. */
static inline double queue_time(const struct queue_series *series, size_t moment)
{
	return (double)((moment + 1) * series->interval) / series->unit;
}

#endif
