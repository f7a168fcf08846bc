/* Who uses channels: the ordered pairs of hosts whose routes pass them, all of them or those of jobs, counted by groups of hosts. */
#ifndef TOOLS_TRACE_CHANNEL_USE_H
#define TOOLS_TRACE_CHANNEL_USE_H

#include "fabric/forwarding.h"
#include "tools/trace/jobs.h"

#include <stdbool.h>

/* The pairs from one group to another. */
struct use_row {
	uint32_t from, to; /* groups */
	uint64_t pairs;
};

struct channel_use {
	uint32_t channel;
	uint64_t pairs;
	double load;                 /* the same, but pairs with several routes count by the share that passes */
	uint32_t senders, receivers; /* hosts */
	struct use_row *row;         /* [rows] most pairs first; without groups none */
	size_t rows, merged, capacity;
	bool *sends; /* [hosts] while pairs are counted */
};

/*
 * Fills use[0..count-1], whose channels are set. group: [hosts] group of each host, below 2^32 - 1; NULL: no rows. jobs: NULL: all pairs
 * count, otherwise those whose hosts run a job in common. by_job: the groups are the jobs, and a pair counts for each that both hosts run.
 * Returns 0, or -1 if out of memory; call channel_use_clear() in either case. Time O(hosts * switches), with rows O(pairs by group).
 */
int channel_use_count(struct channel_use *use, uint32_t count, const struct fabric *fabric, const struct forwarding *forwarding,
	const uint32_t *group, const struct jobs *jobs, bool by_job, struct error *error);
void channel_use_clear(struct channel_use *use, uint32_t count);

#endif
