/*
 * The channel dependency check: a search from every source, by every candidate and lane that the routing may choose, to every destination.
 * If a packet on a lane of one channel waits for a lane of the next, the first depends on the second. A packet fits into one buffer as a
 * whole (virtual cut-through), so only direct dependencies count:
 * - without cycles there is no deadlock (Dally, Seitz 1987);
 * - nor with escape lanes, if every packet has a candidate on them wherever it is, and these lanes have no cycle among themselves (Duato:
 *   A Necessary and Sufficient Condition for Deadlock-Free Routing in Cut-Through and Store-and-Forward Networks, IEEE Transactions on
 *   Parallel and Distributed Systems 1996);
 * - a cycle that is a plain ring is harmless if every packet that enters it from elsewhere leaves room for one more packet (Puente and
 *   others: The Adaptive Bubble Router, 2001).
 */
#include "base/digraph.h"
#include "base/memory.h"
#include "base/shown.h"
#include "fabric/service_levels.h"
#include "engines/packet/routing/packet_routing.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number of steps beyond which the check takes too long; estimated from the first destinations, each with its share of the steps. */
static const uint64_t STEPS_MAX = 100000000;
enum { SAMPLE = 8 };

/* The state of a packet on which its future depends, except for its destination. */
struct state {
	uint32_t channel, via, source;
	uint8_t lane, phase, level, hops;
};

struct deadlock_check {
	struct packet_router *router;
	const struct fabric *fabric;
	unsigned lanes;
	uint16_t leaders;         /* lanes that are examined: one for each class */
	uint64_t *base;           /* [channels] index of its first dependency: there is one for each lane and channel of its head */
	uint16_t *plain, *bubble; /* lanes of the next channel, without and with a bubble */
	uint16_t *starts;         /* [channels] lanes on which packets begin there without a channel before, and without a bubble */
	struct state *seen;       /* a hash table; channel NONE: free */
	size_t mask, used;
	struct packet_head *open;
	size_t opens, room;
	uint64_t steps, most; /* steps so far, and the limit */
	struct error *error;
};

static uint64_t no_queue(void *engine, uint32_t channel, uint32_t lanes, bool over)
{
	(void)engine;
	(void)channel;
	(void)lanes;
	(void)over;
	return 0;
}

static uint32_t none_told(void *engine, uint32_t channel)
{
	(void)engine;
	(void)channel;
	return 0;
}

static const char *name_of(const struct deadlock_check *k, uint32_t node, char *text)
{
	if (k->fabric->labels)
		return k->fabric->labels->name[node];
	sprintf(text, "node %" PRIu32, node);
	return text;
}

/* ---- visited states */

static size_t place_of(const struct deadlock_check *k, const struct state *state)
{
	uint64_t word[2];
	memcpy(word, state, sizeof word);
	uint64_t h = (word[0] ^ word[1] * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xd6e8feb86659fd93);
	size_t i = (h ^ h >> 32) & k->mask;
	while (k->seen[i].channel != NONE && memcmp(&k->seen[i], state, sizeof *state))
		i = (i + 1) & k->mask;
	return i;
}

static int resize(struct deadlock_check *k, size_t size)
{
	struct state *old = k->seen;
	size_t count = old ? k->mask + 1 : 0;
	struct state *seen = array_create(size, sizeof *seen, k->error);
	if (!seen)
		return -1;
	memset(seen, 0xff, size * sizeof *seen); /* NONE */
	k->seen = seen;
	k->mask = size - 1;
	for (size_t i = 0; i < count; i++)
		if (old[i].channel != NONE)
			k->seen[place_of(k, &old[i])] = old[i];
	free(old);
	return 0;
}

/* Returns whether the state of the packet is new. */
static bool is_new(struct deadlock_check *k, const struct packet_head *p)
{
	const struct packet_router *r = k->router;
	struct state state = {p->channel, p->via, r->sources && !(p->phase & r->forgets) ? p->source : 0, p->lane, p->phase, p->level,
		p->hops < r->counted ? p->hops : (uint8_t)r->counted};
	if (2 * (k->used + 1) > k->mask && resize(k, 2 * (k->mask + 1)))
		return false;
	size_t place = place_of(k, &state);
	if (k->seen[place].channel != NONE)
		return false;
	k->seen[place] = state;
	k->used++;
	return true;
}

/* ---- one step */

/* Notes that packets on a lane of a channel wait for lanes of the next. */
static void depends(struct deadlock_check *k, const struct packet_head *p, uint32_t node, const struct packet_candidate *way)
{
	if (p->channel == NONE) {
		k->starts[way->channel] |= way->lanes & (uint16_t)~way->bubble;
		return;
	}
	uint64_t place = k->base[p->channel] + (uint64_t)(way->channel - k->fabric->first_channel[node]) * k->lanes + p->lane;
	k->plain[place] |= way->lanes & (uint16_t)~way->bubble;
	k->bubble[place] |= way->bubble;
}

/* Returns whether the node is a host with one channel, to a switch. */
static bool hangs_on_switch(const struct fabric *f, uint32_t node)
{
	uint32_t first = f->first_channel[node];
	return f->node_host[node] != NONE && f->first_channel[node + 1] - first == 1 && f->node_host[f->head[first]] == NONE;
}

static void push(struct deadlock_check *k, const struct packet_head *p)
{
	if (!is_new(k, p) || array_grow(&k->open, &k->room, k->opens + 1, sizeof *k->open, k->error))
		return;
	k->open[k->opens++] = *p;
}

/* Lets the packet proceed to all its candidates. */
static void go(struct deadlock_check *k, struct packet_head p, uint32_t node)
{
	struct packet_router *r = k->router;
	struct packet_candidate candidates[PACKET_CANDIDATES_MAX];
	unsigned count = r->routing->candidates(r, &p, node, candidates), escapes = 0;
	bool injected = hangs_on_switch(k->fabric, node); /* no packet waits for that lane, so any will do */
	uint32_t target = k->fabric->host_node[p.destination];
	char text[40];
	for (unsigned i = 0; i < count; i++) {
		escapes += !r->escape || (candidates[i].lanes & r->escape);
		candidates[i].lanes &= k->leaders;
		candidates[i].bubble &= k->leaders;
		candidates[i].lanes = injected ? packet_first_lane(candidates[i].lanes) : candidates[i].lanes;
		depends(k, &p, node, &candidates[i]);
		for (unsigned lane = 0; lane < k->lanes; lane++) {
			struct packet_head next = p;
			struct packet_candidate way = candidates[i];
			if (!(way.lanes >> lane & 1))
				continue;
			way.lanes = (uint16_t)(1u << lane);
			if (r->routing->taken)
				r->routing->taken(r, &next, node, &way);
			next.channel = way.channel;
			next.lane = (uint8_t)lane;
			next.hops += next.hops < UINT8_MAX;
			k->steps++;
			if (k->fabric->head[way.channel] != target)
				push(k, &next);
		}
	}
	if (count && !escapes)
		error_set(k->error, STATUS_FABRIC, "packet routing '%s' can deadlock: packets at %s may have no escape route",
			r->routing->name, name_of(k, node, text));
}

/* The same for every decision at the node. */
static void decide_and_go(struct deadlock_check *k, const struct packet_head *p, uint32_t node)
{
	const struct packet_router *r = k->router;
	uint32_t choice = 0;
	for (; r->routing->decide && !k->error->status; choice++) {
		struct packet_head decided = *p;
		if (!r->routing->decide(r, &decided, node, choice))
			break;
		go(k, decided, node);
	}
	if (!choice)
		go(k, *p, node);
}

/* Follows a packet from its source. */
static void follow(struct deadlock_check *k, const struct packet_head *packet)
{
	decide_and_go(k, packet, k->fabric->host_node[packet->source]);
	while (k->opens && !k->error->status && k->steps <= k->most) {
		struct packet_head p = k->open[--k->opens];
		decide_and_go(k, &p, k->fabric->head[p.channel]);
	}
}

/* Returns the service levels that messages have, a bit each. */
static uint32_t service_levels(const struct packet_router *router)
{
	return router->levels && router->setup.service_levels ? router->setup.service_levels : 1u << SERVICE_LEVEL_OF_PAIR;
}

/* Follows all packets to a destination; source: [hosts] those examined. */
static void search(struct deadlock_check *k, uint32_t destination, const bool *source)
{
	const struct fabric *f = k->fabric;
	k->used = 0;
	memset(k->seen, 0xff, (k->mask + 1) * sizeof *k->seen);
	for (uint32_t s = 0; s < f->hosts && !k->error->status && k->steps <= k->most; s++) {
		for (uint32_t levels = s == destination || !source[s] ? 0 : service_levels(k->router); levels; levels &= levels - 1)
			follow(k, &(struct packet_head){.source = s,
					  .destination = destination,
					  .channel = NONE,
					  .level = (uint8_t)__builtin_ctz(levels),
					  .via = NONE});
	}
}

/* ---- the result */

/* Returns the lanes that packets on a lane of a channel wait for, of the i-th channel of its head. */
static uint16_t lanes_after(const struct deadlock_check *k, uint32_t channel, unsigned lane, uint32_t i)
{
	uint64_t place = k->base[channel] + (uint64_t)i * k->lanes + lane;
	uint16_t escape = k->router->escape ? k->router->escape : UINT16_MAX;
	return escape >> lane & 1 ? (k->plain[place] | k->bubble[place]) & escape : 0;
}

/* Lists the edges of the graph, vertex channel * lanes + lane; with graph->to NULL only counts them. */
static uint64_t list_edges(const struct deadlock_check *k, struct digraph *graph)
{
	const struct fabric *f = k->fabric;
	uint64_t edges = 0;
	for (uint32_t c = 0; c < f->channels; c++)
		for (unsigned lane = 0; lane < k->lanes; lane++) {
			uint32_t node = f->head[c];
			if (graph)
				graph->first[c * k->lanes + lane] = edges;
			for (uint32_t next = f->first_channel[node]; next < f->first_channel[node + 1]; next++)
				for (uint32_t to = lanes_after(k, c, lane, next - f->first_channel[node]); to; to &= to - 1) {
					if (graph)
						graph->to[edges] = next * k->lanes + (uint32_t)__builtin_ctz(to);
					edges++;
				}
		}
	if (graph)
		graph->first[graph->vertices] = edges;
	return edges;
}

/* Sets the error that names a cycle. */
static void tell(const struct deadlock_check *k, const uint32_t *circle, uint32_t length)
{
	const struct fabric *f = k->fabric;
	char text[800] = "", tail[40], head[40];
	uint32_t shown = 0;
	for (bool fits = true; fits && shown < length && shown < 6; shown += fits) {
		uint32_t c = circle[shown] / k->lanes;
		fits = append_whole(text, sizeof text, "%s%s -> %s (lane %u)", shown ? ", " : "", name_of(k, fabric_tail(f, c), tail),
			name_of(k, f->head[c], head), circle[shown] % k->lanes);
	}
	error_set(k->error, STATUS_FABRIC,
		"packet routing '%s' can deadlock: packets may wait for one another in a cycle of %" PRIu32 " channels: %s%s",
		k->router->routing->name, length, text, length > shown ? ", .." : "");
}

/*
 * Returns whether all cycles are rings that bubbles keep moving: each vertex on a cycle has one edge within its component, and no edge
 * enters the component without a bubble.
 */
static bool rings_have_bubbles(const struct deadlock_check *k, const struct digraph *graph, const uint32_t *cyclic)
{
	const struct fabric *f = k->fabric;
	for (uint32_t v = 0; v < graph->vertices; v++) {
		unsigned onwards = 0;
		for (uint64_t e = graph->first[v]; e < graph->first[v + 1]; e++)
			onwards += cyclic[v] && cyclic[graph->to[e]] == cyclic[v];
		if (onwards > 1 || (cyclic[v] && k->starts[v / k->lanes] >> v % k->lanes & 1))
			return false;
		uint32_t c = v / k->lanes, node = f->head[c];
		for (uint32_t i = 0; i < f->first_channel[node + 1] - f->first_channel[node]; i++)
			for (uint32_t to = k->plain[k->base[c] + (uint64_t)i * k->lanes + v % k->lanes]; to; to &= to - 1) {
				uint32_t w = (f->first_channel[node] + i) * k->lanes + (uint32_t)__builtin_ctz(to);
				if (cyclic[w] && cyclic[w] != cyclic[v])
					return false;
			}
	}
	return true;
}

/* Searches for cycles. Returns 0, or -1. */
static int judge(struct deadlock_check *k)
{
	struct digraph graph;
	uint32_t *cyclic = NULL, *circle = NULL, length;
	if (!digraph_init(&graph, k->fabric->channels * k->lanes, list_edges(k, NULL), k->error)) {
		list_edges(k, &graph);
		cyclic = digraph_cyclic(&graph, k->error);
	}
	if (cyclic && !(k->router->whole && rings_have_bubbles(k, &graph, cyclic)))
		circle = digraph_shortest_cycle(&graph, cyclic, 2, &length, k->error);
	if (circle)
		tell(k, circle, length);
	free(circle);
	free(cyclic);
	digraph_clear(&graph);
	return k->error->status ? -1 : 0;
}

/* ---- the check */

/* Returns the hosts that represent the others: all, or one per switch if the hosts of a switch are alike. */
static bool *find_hosts(const struct deadlock_check *k, uint32_t *count)
{
	const struct fabric *f = k->fabric;
	bool *is = array_create(f->hosts, sizeof *is, k->error), *taken = array_create(f->nodes, sizeof *taken, k->error);
	*count = 0;
	for (uint32_t h = 0; !k->error->status && h < f->hosts; h++) {
		uint32_t v = f->host_node[h], at = k->router->alike && hangs_on_switch(f, v) ? f->head[f->first_channel[v]] : v;
		is[h] = !taken[at];
		taken[at] = true;
		*count += is[h];
	}
	free(taken);
	return is;
}

static int make(struct deadlock_check *k)
{
	const struct fabric *f = k->fabric;
	uint64_t places = 0;
	k->base = array_create((size_t)f->channels, sizeof *k->base, k->error);
	k->starts = array_create(f->channels, sizeof *k->starts, k->error);
	for (uint32_t c = 0; k->base && c < f->channels; c++) {
		k->base[c] = places;
		places += (uint64_t)(f->first_channel[f->head[c] + 1] - f->first_channel[f->head[c]]) * k->lanes;
	}
	k->plain = array_create(places, sizeof *k->plain, k->error);
	k->bubble = array_create(places, sizeof *k->bubble, k->error);
	return k->error->status ? -1 : resize(k, 1024);
}

int packet_router_check(struct packet_router *router, bool *checked, struct error *error)
{
	struct deadlock_check k = {.router = router, .fabric = router->setup.fabric, .lanes = router->lanes, .error = error};
	k.leaders = router->leaders ? router->leaders : packet_lanes_all(router);
	struct packet_view view = router->view;
	uint32_t count, done = 0;
	bool *host = find_hosts(&k, &count);
	*checked = (uint64_t)k.fabric->channels * k.lanes < UINT32_MAX && (uint64_t)count * count < STEPS_MAX; /* one step per pair */
	router->view = (struct packet_view){.queued = no_queue, .queued_anywhere = no_queue, .told = none_told};
	router->checking = true;
	if (*checked && !error->status && !make(&k)) {
		for (uint32_t to = 0; to < k.fabric->hosts && *checked && !error->status; to++) {
			if (!host[to])
				continue;
			k.most = STEPS_MAX / count * (done < SAMPLE ? SAMPLE : done + 1);
			search(&k, to, host);
			done++;
			*checked = k.steps <= k.most;
		}
		if (*checked && !error->status)
			judge(&k);
	}
	router->checking = false;
	router->view = view;
	free(host);
	free(k.base);
	free(k.plain);
	free(k.bubble);
	free(k.starts);
	free(k.seen);
	free(k.open);
	return error->status ? -1 : 0;
}
