/*
 * b is counted by walking the routes of a block of source groups to all destinations; a by the weights
 * of the destination's tree. A start's count holds for each of its hosts but for the routes to that host itself, which are taken out while
 * the host is looked at.
 */
#include "fabric/loads.h"

#include "base/memory.h"
#include "fabric/channel_routes.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t routes_at_once = UINT64_C(1) << 26; /* when reversed routes are looked for */

const char *const random_traffic_names[] = {"bisect", "bisect_fb_sym", "rand", NULL};

/*
 * Counts the routes of the starts of a block, destination by destination. The counts of one channel stand together meanwhile, as the routes
 * of all starts to a destination end on the same few channels.
 */
static void count_block(struct loads_counting *c, uint32_t first, uint32_t end)
{
	memset(c->together, 0, (size_t)LOADS_BLOCK * c->loads->channels * sizeof *c->together);
	memset(c->reached, 0, sizeof c->reached);
	for (uint32_t d = 0; d < c->loads->hosts; d++)
		for (uint32_t s = first; s < end; s++) {
			const uint32_t *route;
			uint32_t groups = source_groups_to(&c->groups, s, d);
			int length = groups ? source_groups_walk(&c->groups, s, d, &route) : 0;
			if (length < 0)
				c->loads->unreachable += groups;
			if (!groups || length < 0)
				continue;
			c->reached[s - first]++;
			for (int i = 0; i < length; i++)
				c->together[(size_t)route[i] * LOADS_BLOCK + (s - first)]++;
		}
}

/* Gives each start of the block its own list of counts. */
static void part_counts(struct loads_counting *c)
{
	enum { TILE = 16 }; /* channels whose counts share lines of the cache */
	const uint32_t channels = c->loads->channels;
	for (uint32_t e = 0; e < channels; e += TILE)
		for (uint32_t s = 0; s < LOADS_BLOCK; s++)
			for (uint32_t i = e; i < channels && i < e + TILE; i++)
				c->count[(size_t)s * channels + i] = c->together[(size_t)i * LOADS_BLOCK + s];
}

/* What the hosts of a start see as sources, so far as they are alike. */
static void add_start(struct loads_counting *c, uint32_t start, const uint32_t *count)
{
	uint64_t hosts = source_groups_of(&c->groups, start);
	for (uint32_t e = 0; e < c->loads->channels; e++)
		if (count[e]) {
			c->loads->load[e].sources += hosts;
			c->loads->load[e].source_squares += hosts * count[e] * count[e];
		}
}

/* The single link of a host, which carries its own routes and no others. */
static void add_single_link(struct loads_counting *c, uint32_t host, uint64_t routes)
{
	const struct fabric *fabric = c->groups.trees.fabric;
	const struct forwarding *f = c->groups.trees.forwarding;
	uint32_t node = fabric->host_node[host];
	struct load *load = &c->loads->load[forwarding_next(f, node, f->column[node], host ? 0 : 1)];
	load->routes += routes;
	load->destination_squares += routes;
	load->destinations += routes;
	load->source_squares += routes * routes;
	load->sources += routes > 0;
}

/* What one host sees: as a source, where it differs from the others of its start, and as a destination. */
static void add_host(struct loads_counting *c, uint32_t start, uint32_t host, uint32_t *count, uint32_t reached)
{
	struct destination_trees *t = &c->groups.trees;
	const uint32_t *route;
	int own = source_groups_to(&c->groups, start, host) ? source_groups_walk(&c->groups, start, host, &route) : -1;
	for (int i = 0; i < own; i++) {
		struct load *load = &c->loads->load[c->own[i] = route[i]];
		load->source_squares -= 2 * count[route[i]] - 1;
		load->sources -= count[route[i]]-- == 1;
	}
	destination_trees_make(t, host);
	destination_trees_weigh(t);
	for (uint32_t i = 1; i < t->count; i++) {
		uint32_t channel = t->next[t->order[i]];
		uint64_t a = t->weight[t->order[i]], b = count[channel];
		struct load *load = &c->loads->load[channel];
		load->routes += a;
		load->destination_squares += a * a;
		load->destinations += a > 0;
		load->products += a * b;
		load->both += a && b;
	}
	for (int i = 0; i < own; i++)
		count[c->own[i]]++;
	if (t->start[start].before && reached > (own >= 0))
		add_single_link(c, host, reached - (own >= 0));
}

void loads_count_starts(struct loads_counting *c, uint32_t first)
{
	uint32_t starts = c->groups.trees.starts, end = first + LOADS_BLOCK < starts ? first + LOADS_BLOCK : starts;
	count_block(c, first, end);
	part_counts(c);
	for (uint32_t s = first; s < end; s++) {
		uint32_t *count = c->count + (size_t)(s - first) * c->loads->channels;
		add_start(c, s, count);
		for (uint32_t i = c->groups.first[s]; i < c->groups.first[s + 1]; i++)
			add_host(c, s, c->groups.host[i], count, c->reached[s - first]);
	}
}

/* Returns whether the destination is reachable from the start. */
static bool has_start(const struct channel_routes *crossing, uint32_t destination, uint32_t start)
{
	size_t low = crossing->first[destination], high = crossing->first[destination + 1];
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (crossing->start[middle] == start)
			return true;
		if (crossing->start[middle] < start)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

/* The routes of a crossing whose reversed pair crosses too. place: [hosts], all NONE and left so. */
static uint64_t count_reversed(const struct source_groups *groups, const struct channel_routes *crossing, uint32_t *place)
{
	uint64_t reversed = 0;
	for (uint32_t i = 0; i < crossing->destinations; i++)
		place[crossing->destination[i]] = i;
	for (uint32_t i = 0; i < crossing->destinations; i++) {
		uint32_t d = crossing->destination[i], start = groups->trees.start_of[d];
		for (size_t at = crossing->first[i]; at < crossing->first[i + 1]; at++)
			for (uint32_t k = groups->first[crossing->start[at]]; k < groups->first[crossing->start[at] + 1]; k++) {
				uint32_t s = groups->host[k];
				reversed += s != d && place[s] != NONE && has_start(crossing, place[s], start);
			}
	}
	for (uint32_t i = 0; i < crossing->destinations; i++)
		place[crossing->destination[i]] = NONE;
	return reversed;
}

int loads_count_reversed(struct loads_counting *c, uint32_t part, uint32_t parts, struct error *error)
{
	struct loads *loads = c->loads;
	uint32_t *place = array_create(loads->hosts, sizeof *place, error);
	struct channel_routes *crossing = array_create(loads->channels, sizeof *crossing, error);
	uint32_t candidates = 0;
	if (!error->status)
		memset(place, 0xff, loads->hosts * sizeof *place);
	for (uint32_t e = 0; e < loads->channels && !error->status;) {
		uint32_t count = 0;
		for (uint64_t routes = 0; e < loads->channels && routes < routes_at_once; e++)
			if (loads->load[e].both > 1 && candidates++ % parts == part) {
				crossing[count++].channel = e;
				routes += loads->load[e].routes;
			}
		if (count)
			channel_routes_collect(&c->groups, crossing, count, error);
		for (uint32_t i = 0; i < count && !error->status; i++)
			loads->load[crossing[i].channel].reversed = count_reversed(&c->groups, &crossing[i], place);
		channel_routes_clear(crossing, count);
	}
	free(crossing);
	free(place);
	return error->status ? -1 : 0;
}

int loads_counting_init(struct loads_counting *c, struct loads *loads, const struct fabric *fabric, const struct forwarding *forwarding,
	bool split, struct error *error)
{
	*c = (struct loads_counting){.loads = loads};
	loads->split = split;
	loads->unreachable = 0;
	memset(loads->load, 0, loads->channels * sizeof *loads->load);
	source_groups_init(&c->groups, fabric, forwarding, split, error);
	c->count = array_create((size_t)LOADS_BLOCK * loads->channels, sizeof *c->count, error);
	c->together = array_create((size_t)LOADS_BLOCK * loads->channels, sizeof *c->together, error);
	c->own = array_create(fabric->nodes, sizeof *c->own, error);
	return error->status ? -1 : 0;
}

void loads_counting_clear(struct loads_counting *c)
{
	source_groups_clear(&c->groups);
	free(c->count);
	free(c->together);
	free(c->own);
}

int loads_init(struct loads *loads, const struct fabric *fabric, struct error *error)
{
	*loads = (struct loads){.hosts = fabric->hosts, .channels = fabric->channels};
	loads->load = array_create(fabric->channels, sizeof *loads->load, error);
	if (fabric->hosts > LOADS_HOSTS_MAX)
		error_set(error, STATUS_FABRIC, "more than %d hosts: %" PRIu32, LOADS_HOSTS_MAX, fabric->hosts);
	return error->status ? -1 : 0;
}

int loads_count(struct loads *loads, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	bool again = !loads_init(loads, fabric, error);
	for (bool split = false; again && !error->status; split = true) {
		struct loads_counting c;
		if (!loads_counting_init(&c, loads, fabric, forwarding, split, error))
			for (uint32_t first = 0; first < c.groups.trees.starts; first += LOADS_BLOCK)
				loads_count_starts(&c, first);
		again = !split && c.groups.trees.passes;
		if (!again && !error->status)
			loads_count_reversed(&c, 0, 1, error);
		loads_counting_clear(&c);
	}
	return error->status ? -1 : 0;
}

void loads_clear(struct loads *loads)
{
	free(loads->load);
	*loads = (struct loads){0};
}

/* ---- moments: whole numbers over one denominator, which avoids rounding before the division */

double load_mean(const struct load *load, uint32_t hosts, enum random_traffic traffic)
{
	double n = hosts, routes = (double)load->routes, pairs = hosts / 2; /* hosts / 2 rounds down: with an odd number one host idles */
	switch (traffic) {
	case TRAFFIC_BISECT: return routes * pairs / (n * (n - 1));
	case TRAFFIC_BISECT_FB_SYM: return routes * 2 * pairs / (n * (n - 1));
	default: return routes / n;
	}
}

double load_variance(const struct load *load, uint32_t hosts, enum random_traffic traffic)
{
	typedef __int128 wide; /* at most about n^7 */
	wide n = hosts, m = hosts / 2, r = (wide)load->routes, v = (wide)load->reversed;
	wide a = (wide)load->destination_squares, b = (wide)load->source_squares;
	wide apart = r * r - (a + b + 2 * (wide)load->products) + r + v; /* Q */
	wide rest = n > 3 ? (n - 2) * (n - 3) : 1;
	double below = (double)n * (double)n * ((double)n - 1);
	switch (traffic) {
	case TRAFFIC_BISECT:
		return (double)m * (double)(n * (n - 1) * (r * rest + apart * (m - 1)) - r * r * m * rest) /
		       (below * ((double)n - 1) * (double)rest);
	case TRAFFIC_BISECT_FB_SYM:
		return 2 * (double)m * (double)(n * (n - 1) * ((r + v) * rest + 2 * apart * (m - 1)) - 2 * r * r * m * rest) /
		       (below * ((double)n - 1) * (double)rest);
	default: return (double)(n * (n - 1) * r + n * (r * r - b - a + r) - r * r * (n - 1)) / below;
	}
}

void rivals_add(struct rivals *rivals, const struct load *load, uint32_t hosts)
{
	double mean = load_mean(load, hosts, TRAFFIC_BISECT);
	rivals->routes += mean;
	rivals->met += fmax(0, load_variance(load, hosts, TRAFFIC_BISECT) + mean * mean - mean);
}

double rivals_mean(const struct rivals *rivals)
{
	return rivals->routes > 0 ? rivals->met / rivals->routes : NAN;
}
