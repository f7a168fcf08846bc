#include "orcs/loads_shared.h"

#include "base/memory.h"

#include <stdlib.h>

enum { NUMBERS = sizeof(struct load) / sizeof(uint64_t) };

/* Adds the counts of all processes, in all of them. */
static void join(struct loads *loads, struct comm *comm)
{
	size_t numbers = (size_t)loads->channels * NUMBERS;
	comm_sum(comm, (uint64_t *)loads->load, numbers);
	comm_sum(comm, &loads->unreachable, 1);
	comm_broadcast(comm, loads->load, numbers * sizeof(uint64_t));
	comm_broadcast(comm, &loads->unreachable, sizeof loads->unreachable);
}

/* Adds the reversed routes: every process has all other counts, and only its share of these. */
static int join_reversed(struct loads *loads, struct comm *comm, struct error *error)
{
	uint64_t *reversed = array_create(loads->channels, sizeof *reversed, error);
	if (comm_agree(comm, error)) {
		free(reversed);
		return -1;
	}
	for (uint32_t e = 0; e < loads->channels; e++)
		reversed[e] = loads->load[e].reversed;
	comm_sum(comm, reversed, loads->channels);
	comm_broadcast(comm, reversed, loads->channels * sizeof *reversed);
	for (uint32_t e = 0; e < loads->channels; e++)
		loads->load[e].reversed = reversed[e];
	free(reversed);
	return 0;
}

int loads_count_shared(
	struct loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	loads_init(loads, fabric, error);
	bool again = !comm_agree(comm, error);
	for (bool split = false; again && !error->status; split = true) {
		struct loads_counting c;
		loads_counting_init(&c, loads, fabric, forwarding, split, error);
		comm_restart(comm, 0);
		if (!comm_agree(comm, error))
			for (uint64_t first; (first = comm_next(comm, LOADS_BLOCK)) < c.groups.trees.starts;)
				loads_count_starts(&c, (uint32_t)first);
		again = !split && comm_min(comm, UINT64_MAX - c.groups.trees.passes) != UINT64_MAX;
		if (!again && !error->status) {
			join(loads, comm);
			loads_count_reversed(&c, (uint32_t)comm_rank(comm), (uint32_t)comm_size(comm), error);
			if (!comm_agree(comm, error))
				join_reversed(loads, comm, error);
		}
		loads_counting_clear(&c);
	}
	return error->status ? -1 : 0;
}
