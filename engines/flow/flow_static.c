/* Static runs: the loads of the channels when all messages are sent together, and the resulting rates. */
#include "base/memory.h"
#include "engines/flow/flow_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Up to ROUTES_KEPT channels of routes are kept; routes beyond that are found a second time, unless all are needed together. ROUTES_ASKED
 * routes suffice to estimate whether there will be more.
 */
#define ROUTES_KEPT ((size_t)1 << 28)
enum { ROUTES_ASKED = 4096 };

/*
 * The number of channels between the prefetch of a load and its use, and of operations between the prefetch of their hosts and their use.
 */
enum { AHEAD = 64, HOSTS_AHEAD = 16 };

/*
 * The number of channels whose counts fit into the caches together. More channels are counted block by block, and within a block neighbours
 * together.
 */
enum { CACHED = 1 << 19, BLOCK = 1 << 20, NEIGHBOURS = 1 << 16 };

struct sharing {
	struct flow_engine *engine;
	const struct task_graph *graph;
	const uint32_t *host;
	struct flow_shares *shares;
	struct error *error;
	const struct routing_function *places; /* channels are numbered by their location; NULL: numbers of the fabric */
	double *capacity;                      /* [channels] in that numbering */
	/*
	 * Number of messages if they are whole: low + 256 multiples in high. Most channels have few, and fewer bytes fit better into the
	 * caches.
	 */
	uint8_t *low;   /* [channels] NULL: parts, in load */
	uint32_t *high; /* [channels] multiples of 256; at the end everything */
	bool carried;   /* high has a nonzero count */
	struct {
		uint32_t *channel; /* [BLOCK] channels to count; NULL: counted at once */
		uint16_t *sorted;  /* [BLOCK] each within its neighbourhood */
		size_t *end;       /* ends of the neighbourhoods in sorted */
		size_t used;
	} block;
	double *load;  /* [channels] sum of the messages' parts; at the end each message's share of the capacity */
	bool equal;    /* there are counts, and all capacities are equal */
	size_t *start; /* [messages + 1] of messages with a route */
	uint32_t *channel;
	double *part;   /* parallel to channel; NULL: all 1 */
	double *weight; /* [messages] NULL: all 1 */
	size_t used, room, part_room, weight_room;
	bool kept; /* channel and part hold all routes */
};

/* Finds the route of a message that enters the network. Returns 0, or -1 if there is none. */
static int route_of(const struct sharing *s, uint32_t operation, struct flow_path *path)
{
	uint32_t source = s->host[s->graph->task[operation]], destination = s->host[s->graph->receiver[operation]];
	if (s->places) {
		*path = (struct flow_path){.channel = s->engine->route};
		path->hops = path->count = routing_function_places(s->places, source, destination, true, s->engine->route);
		return 0;
	}
	return flow_find_route(s->engine, source, destination, path) || flow_meets_failure(s->engine, path) ? -1 : 0;
}

/* Prefetches the hosts of a later operation, which may be anywhere. */
static void ask_for_hosts(const struct sharing *s, uint32_t operation)
{
	if (operation >= s->graph->operations)
		return;
	__builtin_prefetch(&s->host[s->graph->task[operation]]);
	__builtin_prefetch(&s->host[s->graph->receiver[operation]]);
}

/* Prefetches the loads of channels. */
static void ask_for(const struct sharing *s, const uint32_t *channel, size_t count)
{
	for (size_t i = 0; s->low && i < count; i++)
		__builtin_prefetch(&s->low[channel[i]], 1);
	for (size_t i = 0; !s->low && i < count; i++)
		__builtin_prefetch(&s->load[channel[i]], 1);
}

static inline void count_one(struct sharing *s, uint32_t channel)
{
	if (!++s->low[channel]) {
		s->high[channel] += UINT8_MAX + 1;
		s->carried = true;
	}
}

/* Returns whether most channels of the block are near the previous one, as on a torus: they are then in the caches without sorting. */
static bool mostly_near(const struct sharing *s)
{
	enum { NEAR = 4096 };
	const uint32_t *channel = s->block.channel;
	size_t near = 0;
	for (size_t i = 1; i < s->block.used; i++)
		near += (channel[i] ^ channel[i - 1]) < NEAR;
	return near > s->block.used / 2;
}

/* Sorts the channels of the block so that neighbours are together. */
static void sort_block(struct sharing *s, uint32_t parts)
{
	const uint32_t *channel = s->block.channel;
	size_t *end = s->block.end;
	memset(end, 0, (parts + 1) * sizeof *end);
	for (size_t i = 0; i < s->block.used; i++)
		end[channel[i] / NEIGHBOURS + 1]++;
	for (uint32_t p = 0; p < parts; p++)
		end[p + 1] += end[p];
	for (size_t i = 0; i < s->block.used; i++)
		s->block.sorted[end[channel[i] / NEIGHBOURS]++] = (uint16_t)(channel[i] % NEIGHBOURS);
}

static void count_block(struct sharing *s)
{
	uint32_t parts = (s->engine->setup.fabric->channels - 1) / NEIGHBOURS + 1;
	bool near = mostly_near(s);
	size_t i = 0;
	if (!near)
		sort_block(s, parts);
	for (uint32_t p = 0; !near && p < parts; p++)
		for (; i < s->block.end[p]; i++)
			count_one(s, p * NEIGHBOURS + s->block.sorted[i]);
	for (; i < s->block.used; i++) {
		if (i + AHEAD < s->block.used)
			ask_for(s, &s->block.channel[i + AHEAD], 1);
		count_one(s, s->block.channel[i]);
	}
	s->block.used = 0;
}

static void count_route(struct sharing *s, const struct flow_path *path)
{
	if (s->block.channel) {
		if (s->block.used + path->count > BLOCK)
			count_block(s);
		memcpy(s->block.channel + s->block.used, path->channel, path->count * sizeof *path->channel);
		s->block.used += path->count;
		return;
	}
	for (uint32_t i = 0; s->low && i < path->count; i++)
		count_one(s, path->channel[i]);
	for (uint32_t i = 0; !s->low && i < path->count; i++)
		s->load[path->channel[i]] += path->part ? path->part[i] : 1;
}

/* Appends the route to the kept ones. */
static void keep_route(struct sharing *s, uint32_t operation, const struct flow_path *path)
{
	bool parts = !s->low; /* some routes may have parts, so all have them */
	if (array_grow(&s->channel, &s->room, s->used + path->count, sizeof *s->channel, s->error) ||
		(parts && array_grow(&s->part, &s->part_room, s->used + path->count, sizeof *s->part, s->error)))
		return;
	memcpy(s->channel + s->used, path->channel, path->count * sizeof *s->channel);
	for (uint32_t i = 0; parts && i < path->count; i++)
		s->part[s->used + i] = path->part ? path->part[i] : 1;
	if (s->graph->weight && !array_grow(&s->weight, &s->weight_room, s->shares->messages + 1, sizeof *s->weight, s->error))
		s->weight[s->shares->messages] = s->graph->weight[operation];
	s->start[s->shares->messages] = s->used;
	s->used += path->count;
}

/* Returns whether all routes have more channels than can be kept, estimated from those so far. */
static bool too_many(const struct sharing *s)
{
	return s->used > ROUTES_KEPT || (s->shares->messages >= ROUTES_ASKED &&
						(double)s->used / (double)s->shares->messages * s->graph->operations > (double)ROUTES_KEPT);
}

static void drop_routes(struct sharing *s)
{
	free(s->channel);
	free(s->part);
	s->channel = NULL;
	s->part = NULL;
	s->kept = false;
}

/* Finds all routes and the loads. */
static enum run_status find_loads(struct sharing *s, bool keep_all)
{
	struct flow_path path;
	double hops = 0;
	s->kept = true;
	for (uint32_t o = 0; o < s->graph->operations && !s->error->status; o++) {
		if (!(o % 4096) && *s->engine->setup.stop)
			return RUN_INTERRUPTED;
		if (s->graph->kind[o] != OPERATION_MESSAGE)
			continue;
		ask_for_hosts(s, o + HOSTS_AHEAD);
		if (!flow_enters(s->graph, s->host, o))
			continue;
		if (route_of(s, o, &path)) {
			if (!s->engine->setup.drop && !s->engine->failed)
				return RUN_UNROUTABLE;
			s->shares->unroutable++;
			continue;
		}
		hops += path.hops;
		if (histogram_add(&s->engine->lengths, path.hops, 1, s->error))
			return RUN_FAILED;
		if (s->kept && !keep_all && too_many(s))
			drop_routes(s);
		count_route(s, &path);
		if (s->kept)
			keep_route(s, o, &path);
		s->shares->messages++;
	}
	if (s->block.channel)
		count_block(s);
	if (s->kept)
		s->start[s->shares->messages] = s->used;
	s->shares->hops = s->shares->messages ? hops / (double)s->shares->messages : 0;
	return s->error->status ? RUN_FAILED : RUN_OK;
}

/* Returns a message's share of its bottleneck if all messages there have equal shares. */
static double share_of(const struct sharing *s, const uint32_t *channel, size_t count)
{
	double least = INFINITY;
	uint32_t most = 0;
	for (size_t i = 0; s->equal && s->carried && i < count; i++)
		most = s->high[channel[i]] > most ? s->high[channel[i]] : most;
	for (size_t i = 0; s->equal && !s->carried && i < count; i++)
		most = s->low[channel[i]] > most ? s->low[channel[i]] : most;
	if (s->equal)
		return s->capacity[0] / most;
	for (size_t i = 0; i < count; i++)
		least = s->load[channel[i]] < least ? s->load[channel[i]] : least;
	return least;
}

/* Adds a message's share to *sum, and to *alone as a share of its slower host link. */
static void add_share(const struct sharing *s, const uint32_t *channel, size_t count, double *sum, double *alone)
{
	double share = share_of(s, channel, count);
	*sum += share;
	if (!s->equal && s->low)
		*alone += share / fmin(s->capacity[channel[0]], s->capacity[channel[count - 1]]);
}

/* Returns the sum of these shares over all messages. */
static double sum_shares(const struct sharing *s, double *alone)
{
	const volatile sig_atomic_t *stop = s->engine->setup.stop;
	double sum = 0;
	size_t asked = 0;
	for (uint64_t m = 0; s->kept && m < s->shares->messages && !*stop; m++) {
		size_t ask = s->start[m] + AHEAD < s->used ? s->start[m] + AHEAD : s->used;
		if (asked < ask)
			ask_for(s, s->channel + asked, ask - asked);
		asked = ask;
		add_share(s, s->channel + s->start[m], s->start[m + 1] - s->start[m], &sum, alone);
	}
	for (uint32_t o = 0; !s->kept && o < s->graph->operations && !*stop; o++) {
		struct flow_path path;
		ask_for_hosts(s, o + HOSTS_AHEAD);
		if (!flow_enters(s->graph, s->host, o) || route_of(s, o, &path))
			continue;
		ask_for(s, path.channel, path.count);
		add_share(s, path.channel, path.count, &sum, alone);
	}
	return sum;
}

/* Computes the max-min rates: their sum, and Jain's index. */
static void share_fairly(struct sharing *s)
{
	struct max_min *m = max_min_create(s->engine->setup.fabric->channels, s->capacity, s->error);
	double sum = 0, squares = 0;
	if (m)
		m->stop = s->engine->setup.stop;
	if (m && (s->part || s->weight)) {
		for (uint64_t f = 0; f < s->shares->messages && !s->error->status && !*m->stop; f++)
			max_min_add(m, s->channel + s->start[f], s->part ? s->part + s->start[f] : NULL,
				(uint32_t)(s->start[f + 1] - s->start[f]), s->weight ? s->weight[f] : 1, s->error);
	} else if (m) {
		max_min_take(m, (uint32_t)s->shares->messages, s->start, s->channel, s->error);
		s->start = NULL;
		s->channel = NULL;
	}
	if (!s->error->status && !*m->stop && !max_min_solve(m, s->error))
		for (uint32_t f = 0; f < m->flows; f++) {
			sum += m->flow[f].rate;
			squares += m->flow[f].rate * m->flow[f].rate;
		}
	s->shares->max_min = sum;
	s->shares->fairness = squares > 0 ? sum * sum / ((double)s->shares->messages * squares) : NAN;
	max_min_free(m);
}

enum run_status flow_share(struct flow_engine *e, const struct task_graph *graph, const uint32_t *host, bool exact,
	struct flow_shares *shares, struct error *error)
{
	struct sharing s = {.engine = e, .graph = graph, .host = host, .shares = shares, .error = error};
	uint32_t channels = e->setup.fabric->channels;
	double least = INFINITY;
	*shares = (struct flow_shares){.max_min = NAN, .fairness = NAN, .alone = NAN};
	histogram_reset(&e->lengths);
	histogram_reset(&e->loads);
	for (e->failed = 0; e->failed < e->setup.failures; e->failed++)
		for (int side = 0; side < 2; side++)
			if (e->setup.failure[e->failed].channel[side] != NONE)
				e->capacity[e->setup.failure[e->failed].channel[side]] = 0;
	bool tables = e->setup.forwarding->demand; /* sums are in the order of the channels then */
	s.places = e->setup.multipath || e->failed || tables ? NULL : e->setup.forwarding->function;
	s.capacity = array_create(channels, sizeof *s.capacity, error);
	for (uint32_t c = 0; s.capacity && c < channels; c++)
		s.capacity[c] = e->capacity[s.places ? routing_function_channel(s.places, c) : c];
	s.load = array_create(channels, sizeof *s.load, error);
	if (!e->setup.multipath)
		s.high = array_create(channels, sizeof *s.high, error);
	if (s.high)
		s.low = array_create(channels, sizeof *s.low, error);
	if (s.low && channels > CACHED) {
		s.block.sorted = array_create(BLOCK, sizeof *s.block.sorted, error);
		s.block.end = array_create(channels / NEIGHBOURS + 2, sizeof *s.block.end, error);
		if (s.block.sorted && s.block.end)
			s.block.channel = array_create(BLOCK, sizeof *s.block.channel, error);
	}
	s.start = array_create((size_t)graph->operations + 1, sizeof *s.start, error);
	enum run_status ending = error->status ? RUN_FAILED : find_loads(&s, exact);
	s.equal = s.low;
	for (uint32_t c = 0; ending == RUN_OK && c < channels; c++) {
		if (s.carried)
			s.high[c] += s.low[c];
		if (s.low)
			s.load[c] = s.carried ? s.high[c] : s.low[c];
		s.equal &= s.capacity[c] == s.capacity[0];
		if (s.load[c] > shares->max_load)
			shares->max_load = s.load[c];
		if (histogram_add(&e->loads, round(s.load[c] * 1e6) / 1e6, 1, error))
			ending = RUN_FAILED;
		shares->mean_use += s.capacity[c] > 0 ? s.load[c] / s.capacity[c] / channels : 0;
		s.load[c] = s.load[c] > 0 ? s.capacity[c] / s.load[c] : INFINITY;
		least = s.load[c] < least ? s.load[c] : least;
	}
	if (ending == RUN_OK) {
		shares->restricted = shares->messages ? (double)shares->messages * least : 0;
		double alone = 0;
		shares->non_restricted = sum_shares(&s, &alone);
		if (!s.equal && s.low && shares->messages && fabric_speeds_differ(e->setup.fabric))
			shares->alone = alone / (double)shares->messages;
		if (exact && !*e->setup.stop)
			share_fairly(&s);
		ending = *e->setup.stop ? RUN_INTERRUPTED : RUN_OK;
	}
	flow_mend(e);
	shares->lengths = e->lengths;
	shares->loads = e->loads;
	free(s.capacity);
	free(s.low);
	free(s.high);
	free(s.block.channel);
	free(s.block.sorted);
	free(s.block.end);
	free(s.load);
	free(s.start);
	free(s.channel);
	free(s.part);
	free(s.weight);
	return error->status ? RUN_FAILED : ending;
}
