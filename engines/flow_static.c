/* All messages at once: what the channels have to carry, and what rates that leaves. */
#include "flow_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Routes of so many channels are kept; more are found a second time, unless they are needed all at once. */
#define ROUTES_KEPT ((size_t)1 << 28)

/* So many channels are between asking for one's load and its use. */
enum { AHEAD = 64 };

struct sharing {
	struct flow_engine *engine;
	const struct task_graph *graph;
	const uint32_t *host;
	struct flow_shares *shares;
	struct error *error;
	const struct computed *places; /* channels are numbered by their places there; NULL: as ever */
	double *capacity;              /* [channels] so numbered */
	uint32_t *count; /* [channels] messages, where they are whole; NULL: parts, in load. Half the memory, where that matters */
	double *load;    /* [channels] messages, each as its part there; in the end what each has of the capacity */
	bool equal;      /* there are counts, and all capacities are equal */
	size_t *start;   /* [messages + 1] of those that use channels */
	uint32_t *channel;
	double *part; /* beside them; NULL: all 1 */
	size_t used, room, part_room;
	uint64_t moving; /* messages that use channels */
	bool kept;       /* channel and part have all routes */
};

/* The route of a message; *path without channels: it needs none. Returns 0, or -1 where there is none. */
static int route_of(const struct sharing *s, uint32_t operation, struct flow_path *path)
{
	uint32_t source = s->host[s->graph->task[operation]], destination = s->host[s->graph->receiver[operation]];
	*path = (struct flow_path){0};
	if (s->graph->kind[operation] != OPERATION_MESSAGE)
		return 0;
	if (s->places && source != destination) {
		path->channel = s->engine->route;
		path->hops = path->count = computed_places(s->places, source, destination, true, s->engine->route);
		return 0;
	}
	return flow_find_route(s->engine, source, destination, path) || flow_meets_failure(s->engine, path) ? -1 : 0;
}

/* Asks for the loads of channels. */
static void ask_for(const struct sharing *s, const uint32_t *channel, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		__builtin_prefetch(s->count ? (const void *)&s->count[channel[i]] : (const void *)&s->load[channel[i]], 1);
}

static void count_channels(struct sharing *s, const uint32_t *channel, const double *part, size_t count)
{
	for (size_t i = 0; s->count && i < count; i++)
		s->count[channel[i]]++;
	for (size_t i = 0; !s->count && i < count; i++)
		s->load[channel[i]] += part ? part[i] : 1;
}

/* Appends the route to those that are kept. */
static void keep_route(struct sharing *s, const struct flow_path *path)
{
	bool parts = !s->count; /* some routes may be in parts, so all have them */
	if (array_grow(&s->channel, &s->room, s->used + path->count, sizeof *s->channel, s->error) ||
		(parts && array_grow(&s->part, &s->part_room, s->used + path->count, sizeof *s->part, s->error)))
		return;
	memcpy(s->channel + s->used, path->channel, path->count * sizeof *s->channel);
	for (uint32_t i = 0; parts && i < path->count; i++)
		s->part[s->used + i] = path->part ? path->part[i] : 1;
	s->start[s->moving] = s->used;
	s->used += path->count;
}

/* Counts what is kept up to there, from where it was counted before. Returns up to where it is counted now. */
static size_t count_kept(struct sharing *s, size_t counted, size_t to)
{
	if (to > counted)
		count_channels(s, s->channel + counted, s->part ? s->part + counted : NULL, to - counted);
	return to > counted ? to : counted;
}

/* Finds all routes and the loads. */
static enum flow_ending find_loads(struct sharing *s, bool keep_all)
{
	struct flow_path path;
	size_t counted = 0;
	double hops = 0;
	s->kept = true;
	for (uint32_t o = 0; o < s->graph->operations && !s->error->status; o++) {
		if (s->graph->kind[o] != OPERATION_MESSAGE)
			continue;
		if (!(o % 4096) && *s->engine->setup.stop)
			return FLOW_INTERRUPTED;
		if (route_of(s, o, &path)) {
			if (!s->engine->setup.drop && !s->engine->failed)
				return FLOW_UNROUTABLE;
			s->shares->unroutable++;
			continue;
		}
		s->shares->messages++;
		hops += path.hops;
		if (histogram_add(&s->engine->lengths, path.hops, 1, s->error))
			return FLOW_FAILED;
		if (!path.count)
			continue;
		if (s->kept && !keep_all && s->used + path.count > ROUTES_KEPT) {
			count_kept(s, counted, s->used);
			free(s->channel);
			free(s->part);
			s->channel = NULL;
			s->part = NULL;
			s->kept = false;
		}
		ask_for(s, path.channel, path.count);
		if (s->kept) {
			keep_route(s, &path);
			counted = count_kept(s, counted, s->used > AHEAD ? s->used - AHEAD : 0);
		} else {
			count_channels(s, path.channel, path.part, path.count);
		}
		s->moving++;
	}
	if (s->kept && !s->error->status)
		count_kept(s, counted, s->used);
	if (s->kept)
		s->start[s->moving] = s->used;
	s->shares->hops = s->shares->messages ? hops / (double)s->shares->messages : 0;
	return s->error->status ? FLOW_FAILED : FLOW_FINE;
}

/* What a message has of its bottleneck, if all there have the same. */
static double share_of(const struct sharing *s, const uint32_t *channel, size_t count)
{
	double least = INFINITY;
	uint32_t most = 0;
	for (size_t i = 0; s->equal && i < count; i++)
		most = s->count[channel[i]] > most ? s->count[channel[i]] : most;
	if (s->equal)
		return s->capacity[0] / most;
	for (size_t i = 0; i < count; i++)
		least = s->load[channel[i]] < least ? s->load[channel[i]] : least;
	return least;
}

/* The sum of that over all messages. */
static double sum_shares(const struct sharing *s)
{
	double sum = 0;
	for (uint64_t m = 0; s->kept && m < s->moving; m++)
		sum += share_of(s, s->channel + s->start[m], s->start[m + 1] - s->start[m]);
	for (uint32_t o = 0; !s->kept && o < s->graph->operations; o++) {
		struct flow_path path;
		if (route_of(s, o, &path) || !path.count)
			continue;
		ask_for(s, path.channel, path.count);
		sum += share_of(s, path.channel, path.count);
	}
	return sum;
}

/* The max-min rates: their sum, and how alike they are. */
static void share_fairly(struct sharing *s)
{
	struct max_min *m = max_min_create(s->engine->channels, s->capacity, s->error);
	double sum = 0, squares = 0;
	if (m && s->part) {
		for (uint64_t f = 0; f < s->moving && !s->error->status; f++)
			max_min_add(
				m, s->channel + s->start[f], s->part + s->start[f], (uint32_t)(s->start[f + 1] - s->start[f]), 1, s->error);
	} else if (m) {
		max_min_take(m, (uint32_t)s->moving, s->start, s->channel, s->error);
		s->start = NULL;
		s->channel = NULL;
	}
	if (!s->error->status && !max_min_solve(m, s->error))
		for (uint32_t f = 0; f < m->flows; f++) {
			sum += m->flow[f].rate;
			squares += m->flow[f].rate * m->flow[f].rate;
		}
	s->shares->max_min = sum;
	s->shares->fairness = squares > 0 ? sum * sum / ((double)s->moving * squares) : NAN;
	max_min_free(m);
}

enum flow_ending flow_share(struct flow_engine *e, const struct task_graph *graph, const uint32_t *host, bool exact,
	struct flow_shares *shares, struct error *error)
{
	struct sharing s = {.engine = e, .graph = graph, .host = host, .shares = shares, .error = error};
	double least = INFINITY;
	*shares = (struct flow_shares){.max_min = NAN, .fairness = NAN};
	histogram_reset(&e->lengths);
	histogram_reset(&e->loads);
	for (e->failed = 0; e->failed < e->setup.failures; e->failed++)
		for (int side = 0; side < 2; side++)
			if (e->setup.failure[e->failed].channel[side] != NONE)
				e->capacity[e->setup.failure[e->failed].channel[side]] = 0;
	s.places = e->setup.multipath || e->failed ? NULL : e->setup.forwarding->computed;
	s.capacity = array_create(e->channels, sizeof *s.capacity, error);
	for (uint32_t c = 0; s.capacity && c < e->channels; c++)
		s.capacity[c] = e->capacity[s.places && c < e->setup.fabric->channels ? computed_channel(s.places, c) : c];
	s.load = array_create(e->channels, sizeof *s.load, error);
	if (!e->setup.multipath)
		s.count = array_create(e->channels, sizeof *s.count, error);
	s.start = array_create((size_t)graph->operations + 1, sizeof *s.start, error);
	enum flow_ending ending = error->status ? FLOW_FAILED : find_loads(&s, exact);
	s.equal = s.count;
	for (uint32_t c = 0; ending == FLOW_FINE && c < e->channels; c++) {
		if (s.count)
			s.load[c] = s.count[c];
		s.equal &= s.capacity[c] == s.capacity[0];
		bool memory = c >= e->setup.fabric->channels;
		if (!memory && s.load[c] > shares->max_load)
			shares->max_load = s.load[c];
		if (!memory && histogram_add(&e->loads, round(s.load[c] * 1e6) / 1e6, 1, error))
			ending = FLOW_FAILED;
		s.load[c] = s.load[c] > 0 ? s.capacity[c] / s.load[c] : INFINITY;
		least = s.load[c] < least ? s.load[c] : least;
	}
	if (ending == FLOW_FINE) {
		shares->restricted = s.moving ? (double)s.moving * least : 0;
		shares->non_restricted = sum_shares(&s);
		if (exact)
			share_fairly(&s);
	}
	flow_mend(e);
	shares->lengths = e->lengths;
	shares->loads = e->loads;
	free(s.capacity);
	free(s.count);
	free(s.load);
	free(s.start);
	free(s.channel);
	free(s.part);
	return error->status ? FLOW_FAILED : ending;
}
