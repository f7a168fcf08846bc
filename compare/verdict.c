#include "compare/verdict.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Scratch space for two lists of values. */
struct room {
	double *list, *sorted; /* [runs] */
};

/* Returns the statistics of the list's first count values; only a count of 0 if there are none. */
static struct statistics summary(struct room *room, size_t count)
{
	if (!count)
		return (struct statistics){0};
	memcpy(room->sorted, room->list, count * sizeof *room->list);
	sort_values(room->sorted, count);
	return statistics_of(room->list, room->sorted, count);
}

static struct statistics statistics_of_runs(const double *values, size_t runs, struct room *room)
{
	size_t count = 0;
	for (size_t r = 0; values && r < runs; r++)
		if (!isnan(values[r]))
			room->list[count++] = values[r];
	return summary(room, count);
}

static void set_difference(struct verdict *verdict, const double *values, const double *best, size_t runs, struct room *room)
{
	size_t count = 0;
	for (size_t r = 0; r < runs; r++)
		if (!isnan(values[r]) && !isnan(best[r]))
			room->list[count++] = values[r] - best[r];
	struct statistics s = summary(room, count);
	verdict->common = count;
	verdict->difference = count ? s.mean : NAN;
	verdict->low = count ? s.low : NAN;
	verdict->high = count ? s.high : NAN;
}

/* A routing that loses messages carries less than the others, so it is only compared with routings that do, too. */
static void set_complete(struct verdict *verdict, const uint64_t *lost, int routings)
{
	bool all = true;
	for (int i = 0; i < routings; i++)
		all &= !verdict[i].runs.count || lost[i];
	for (int i = 0; i < routings; i++)
		verdict[i].complete = all || !lost[i];
}

int verdicts_of(struct verdict *verdict, const double *const *values, const uint64_t *lost, int routings, size_t runs, struct error *error)
{
	struct room room = {array_create(runs, sizeof *room.list, error), array_create(runs, sizeof *room.sorted, error)};
	int best = -1;
	for (int i = 0; i < routings && !error->status; i++)
		verdict[i] = (struct verdict){.runs = statistics_of_runs(values[i], runs, &room)};
	if (!error->status)
		set_complete(verdict, lost, routings);
	for (int i = 0; i < routings && !error->status; i++)
		if (verdict[i].runs.count && verdict[i].complete && (best < 0 || verdict[i].runs.mean > verdict[best].runs.mean))
			best = i;
	for (int i = 0; i < routings && !error->status; i++)
		if (verdict[i].runs.count) {
			verdict[i].best = verdict[i].complete && verdict[i].runs.mean >= verdict[best].runs.mean;
			set_difference(&verdict[i], values[i], values[best], runs, &room);
		}
	free(room.list);
	free(room.sorted);
	return error->status ? -1 : 0;
}
