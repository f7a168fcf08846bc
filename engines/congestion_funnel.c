/*
 * Many senders, one receiver: all senders of one start share what lies behind their first channels, so that is counted and looked at once
 * for each start. Makes all-to-all and gather cheap: two look-ups a pair instead of two for each channel.
 */
#include "congestion_workspace.h"

/* Whether the table holds all routes of pairs with one receiver; then funnel tells what starts occur, until clear_funnel(). */
static bool is_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct paths *paths = e->setup.paths;
	const struct path_end *end = paths->end;
	const uint32_t *host = e->host;
	uint32_t destination = host[pairs[0].receiver], *senders = e->funnel.senders, *list = e->funnel.start, starts = 0;
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender], start = end[source].start;
		list[starts] = start;
		starts += !senders[start] && source != destination;
		senders[start] += source != destination;
	}
	e->funnel.starts = starts;
	const uint32_t *row = paths->entry + (size_t)destination * paths->starts * paths->inner;
	bool held = true;
	for (uint32_t i = 0; i < starts; i++)
		held &= row[(size_t)list[i] * paths->inner] < PATH_LONG;
	return held;
}

static void clear_funnel(struct congestion *e)
{
	for (uint32_t i = 0; i < e->funnel.starts; i++)
		e->funnel.senders[e->funnel.start[i]] = 0;
	e->funnel.starts = 0;
}

static void count_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct paths *paths = e->setup.paths;
	const struct funnel *f = &e->funnel;
	uint32_t destination = e->host[pairs[0].receiver], routed = 0;
	const uint32_t *row = paths->entry + (size_t)destination * paths->starts * paths->inner;
	for (uint32_t i = 0; i < f->starts; i++) {
		uint32_t start = f->start[i];
		for (uint32_t k = 0; k < paths->inner; k++)
			e->count[row[(size_t)start * paths->inner + k]] += f->senders[start];
		routed += f->senders[start];
	}
	const struct path_end *end = paths->end;
	const uint32_t *host = e->host;
	uint32_t *counts = e->count;
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender];
		counts[end[source].first] += source != destination;
	}
	counts[end[destination].last] += routed;
	e->level->connections += routed;
}

static void weigh_funnel(struct congestion *e, const struct pair *pairs, size_t count)
{
	const struct paths *paths = e->setup.paths;
	struct funnel *f = &e->funnel;
	uint32_t destination = e->host[pairs[0].receiver], last = e->count[paths->end[destination].last];
	const uint32_t *row = paths->entry + (size_t)destination * paths->starts * paths->inner;
	for (uint32_t i = 0; i < f->starts; i++) {
		uint32_t start = f->start[i], largest = last;
		for (uint32_t k = 0; k < paths->inner; k++) {
			uint32_t here = e->count[row[(size_t)start * paths->inner + k]];
			largest = here > largest ? here : largest;
		}
		f->weight[start] = largest;
	}
	const struct path_end *end = paths->end;
	const uint32_t *host = e->host, *counts = e->count, *behind = f->weight;
	uint32_t same = 0, weight = 0, most = 0; /* neighbours often weigh the same */
	for (size_t i = 0; i < count; i++) {
		uint32_t source = host[pairs[i].sender], first = counts[end[source].first], then = behind[end[source].start];
		if (source == destination)
			continue;
		uint32_t now = first > then ? first : then;
		if (now != weight) {
			if (same && histogram_add(&e->weights, weight, same, e->error))
				e->result = CONGESTION_FAILED;
			same = 0;
			weight = now;
			most = now > most ? now : most;
		}
		same++;
	}
	if (same && histogram_add(&e->weights, weight, same, e->error))
		e->result = CONGESTION_FAILED;
	if (most > e->level->largest)
		e->level->largest = most;
}

bool funnel_take(struct congestion *e, const struct pair *pairs, size_t count)
{
	bool funnel = is_funnel(e, pairs, count);
	if (funnel && e->counting)
		count_funnel(e, pairs, count);
	else if (funnel)
		weigh_funnel(e, pairs, count);
	clear_funnel(e);
	if (funnel) {
		e->level->connections += e->counting ? e->records : 0; /* those kept so far go: there will be a second pass */
		e->records = e->route_used = 0;
		e->spilled = true;
	}
	return funnel;
}
