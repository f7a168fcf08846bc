/* Collective operations as lines of a trace. */
#include "patterns/graphs/collectives.h"
#include "tools/record/walk.h"

#include <inttypes.h>

static bool has_root(uint64_t operation)
{
	return operation == CALL_BCAST || operation == CALL_REDUCE || (operation >= CALL_GATHER && operation <= CALL_SCATTERV);
}

static void put_root(struct walk *w, const struct record *r, const struct own_communicator *own)
{
	int64_t task = r->peer == ROOT_HERE ? w->task : task_at(w->joints, own, w->task, r->peer);
	if (task < 0)
		PRINT(w, " root=*");
	else
		PRINT(w, " root=%" PRId64, task);
}

/* Writes the counts; of neighbours, those of the tasks that are there. */
static void put_counts(struct walk *w, const struct record *r, const struct own_communicator *neighbours)
{
	const char *separator = " counts=";
	for (size_t i = 0; i < r->list.count; i++) {
		if (neighbours && (i >= neighbours->tos || neighbours->to[i] < 0))
			continue;
		PRINT(w, "%s%" PRId64, separator, r->list.number[i]);
		separator = ",";
	}
}

static void put_neighbours(struct walk *w, const struct own_communicator *own, const char *separator, const int64_t *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t task = list[i] < 0 ? -1 : task_at(w->joints, own, w->task, list[i]);
		if (task < 0)
			continue;
		PRINT(w, "%s%" PRId64, separator, task);
		separator = ",";
	}
}

bool walk_collective(struct walk *w, const struct record *r, uint64_t number)
{
	const struct own_communicator *own = own_find(&w->own, r->communicator);
	bool inter = own && own->joint > 1 && w->joints->list[own->joint].of.first[1] >= 0,
	     neighbours = r->flags >= CALL_NEIGHBOR_ALLGATHER;
	if (!own || r->flags >= COLLECTIVES || !walk_members_known(w, own)) {
		w->facts->dropped += w->writes;
		return false;
	}
	walk_begin_line(w);
	PRINT(w, "x %" PRIu32 " %s %" PRIu64, w->task, collective_names[r->flags], r->bytes);
	put_communicator(w, own);
	if (has_root(r->flags))
		put_root(w, r, own);
	if (r->element > 1)
		PRINT(w, " element=%" PRIu64, r->element);
	if (!inter || r->flags == CALL_ALLTOALLV || r->flags == CALL_ALLTOALLW || r->flags == CALL_REDUCESCATTER)
		put_counts(w, r, neighbours ? own : NULL);
	if (neighbours) {
		put_neighbours(w, own, " to=", own->to, own->tos);
		put_neighbours(w, own, " from=", own->from, own->froms);
	}
	if (number)
		PRINT(w, " request=%" PRIu64, number);
	PRINT(w, "\n");
	return true;
}
