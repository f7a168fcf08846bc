#include "tools/bound/worst.h"

#include "base/hash.h"
#include "base/memory.h"
#include "tools/bound/matching.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_BATCH = 16, BATCH_GROWTH = 4 };
static const uint64_t routes_at_once = UINT64_C(1) << 26; /* per batch and process */

/* ---- one channel */

/*
 * A crossing as a matching. Left units are its starts; a start that contains a destination which it also reaches over the channel is split
 * into its hosts, as that destination sends nothing to itself. Right units are destinations that list the same starts.
 */
struct units {
	const struct source_groups *groups;
	const struct channel_routes *crossing;
	struct matching matching;
	uint32_t *left_start;  /* [lefts] */
	uint32_t *left_host;   /* [lefts] host of a split start, otherwise NONE */
	uint32_t *left_of;     /* [starts] the unit, or the first of several, NONE: none */
	bool *apart;           /* [starts] whether the start is split */
	uint32_t *by_list;     /* [destinations] indices into the crossing, identical lists together */
	uint64_t *hash;        /* [destinations] hash of its list */
	uint32_t *right_first; /* [rights + 1] right unit r contains by_list[right_first[r]] .. */
};

static size_t list_length(const struct channel_routes *c, uint32_t i)
{
	return c->first[i + 1] - c->first[i];
}

/* Compares destinations by their lists. */
static int compare_lists(const void *left, const void *right, void *data)
{
	const struct units *u = data;
	const struct channel_routes *c = u->crossing;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	if (u->hash[a] != u->hash[b])
		return u->hash[a] < u->hash[b] ? -1 : 1;
	if (list_length(c, a) != list_length(c, b))
		return list_length(c, a) < list_length(c, b) ? -1 : 1;
	int order = memcmp(c->start + c->first[a], c->start + c->first[b], list_length(c, a) * sizeof *c->start);
	return order ? order : (a > b) - (a < b);
}

/* Returns whether the destination's own start is in its list: then no other destination is like it. */
static bool lists_itself(const struct units *u, uint32_t i)
{
	const struct channel_routes *c = u->crossing;
	uint32_t own = u->groups->trees.start_of[c->destination[i]];
	for (size_t k = c->first[i]; k < c->first[i + 1]; k++)
		if (c->start[k] == own)
			return true;
	return false;
}

static bool alike(const struct units *u, uint32_t a, uint32_t b)
{
	const struct channel_routes *c = u->crossing;
	return u->hash[a] == u->hash[b] && list_length(c, a) == list_length(c, b) &&
	       !memcmp(c->start + c->first[a], c->start + c->first[b], list_length(c, a) * sizeof *c->start) && !lists_itself(u, a) &&
	       !lists_itself(u, b);
}

/* Builds the right units: their destinations and room. */
static void make_rights(struct units *u)
{
	const struct channel_routes *c = u->crossing;
	struct matching *m = &u->matching;
	for (uint32_t i = 0; i < c->destinations; i++) {
		u->by_list[i] = i;
		u->hash[i] = hash_words(list_length(c, i), c->start + c->first[i], list_length(c, i) * sizeof *c->start);
		if (lists_itself(u, i))
			u->apart[u->groups->trees.start_of[c->destination[i]]] = true;
	}
	qsort_r(u->by_list, c->destinations, sizeof *u->by_list, compare_lists, u);
	for (uint32_t i = 0; i < c->destinations; i++) {
		if (!i || !alike(u, u->by_list[i - 1], u->by_list[i]))
			u->right_first[m->rights++] = i;
		m->right_room[m->rights - 1]++;
	}
	u->right_first[m->rights] = c->destinations;
}

/* Builds the left units from the starts that any destination lists. */
static void make_lefts(struct units *u)
{
	const struct channel_routes *c = u->crossing;
	const struct source_groups *s = u->groups;
	struct matching *m = &u->matching;
	for (size_t k = 0; k < c->first[c->destinations]; k++) {
		uint32_t start = c->start[k];
		if (u->left_of[start] != NONE)
			continue;
		u->left_of[start] = m->lefts;
		uint32_t parts = u->apart[start] ? source_groups_of(s, start) : 1;
		for (uint32_t i = 0; i < parts; i++) {
			u->left_start[m->lefts] = start;
			u->left_host[m->lefts] = u->apart[start] ? s->host[s->first[start] + i] : NONE;
			m->left_room[m->lefts++] = u->apart[start] ? 1 : source_groups_of(s, start);
		}
	}
}

/* Writes the edges of the right units, or only counts them if left is NULL. Returns their number. */
static size_t make_edges(const struct units *u, size_t *first, uint32_t *left)
{
	const struct channel_routes *c = u->crossing;
	size_t edges = 0;
	for (uint32_t r = 0; r < u->matching.rights; r++) {
		uint32_t i = u->by_list[u->right_first[r]];
		first[r] = edges;
		for (size_t k = c->first[i]; k < c->first[i + 1]; k++) {
			uint32_t start = c->start[k], parts = u->apart[start] ? source_groups_of(u->groups, start) : 1;
			for (uint32_t p = 0; p < parts; p++) {
				if (u->left_host[u->left_of[start] + p] == c->destination[i])
					continue;
				if (left)
					left[edges] = u->left_of[start] + p;
				edges++;
			}
		}
	}
	first[u->matching.rights] = edges;
	return edges;
}

static int units_init(struct units *u, struct error *error)
{
	struct matching *m = &u->matching;
	uint32_t starts = u->groups->trees.starts, hosts = u->groups->trees.fabric->hosts, destinations = u->crossing->destinations;
	u->left_start = array_create(hosts, sizeof *u->left_start, error);
	u->left_host = array_create(hosts, sizeof *u->left_host, error);
	u->left_of = array_create(starts, sizeof *u->left_of, error);
	u->apart = array_create(starts, sizeof *u->apart, error);
	u->by_list = array_create(destinations, sizeof *u->by_list, error);
	u->hash = array_create(destinations, sizeof *u->hash, error);
	u->right_first = array_create((size_t)destinations + 1, sizeof *u->right_first, error);
	m->left_room = array_create(hosts, sizeof *m->left_room, error);
	m->right_room = array_create(destinations, sizeof *m->right_room, error);
	m->first = array_create((size_t)destinations + 1, sizeof *m->first, error);
	if (error->status || !destinations)
		return -1;
	memset(u->left_of, 0xff, starts * sizeof *u->left_of);
	make_rights(u);
	make_lefts(u);
	size_t edges = make_edges(u, m->first, NULL);
	m->left = array_create(edges, sizeof *m->left, error);
	m->pairs = array_create(edges, sizeof *m->pairs, error);
	if (error->status)
		return -1;
	make_edges(u, m->first, m->left);
	return 0;
}

static void units_clear(struct units *u)
{
	free(u->left_start);
	free(u->left_host);
	free(u->left_of);
	free(u->apart);
	free(u->by_list);
	free(u->hash);
	free(u->right_first);
	matching_release(&u->matching);
}

/* Distributes the matched pairs of units to their hosts. taken: [lefts] all 0, number of hosts of a unit that have a partner. */
static void hand_out(const struct units *u, uint32_t *taken, uint32_t *partner)
{
	const struct matching *m = &u->matching;
	const struct source_groups *s = u->groups;
	for (uint32_t r = 0; r < m->rights; r++) {
		const uint32_t *destination = u->by_list + u->right_first[r];
		for (size_t e = m->first[r]; e < m->first[r + 1]; e++)
			for (uint32_t i = 0; i < m->pairs[e]; i++) {
				uint32_t left = m->left[e], host = u->left_host[left];
				if (host == NONE)
					host = s->host[s->first[u->left_start[left]] + taken[left]++];
				partner[host] = u->crossing->destination[*destination++];
			}
	}
}

int worst_match(
	const struct source_groups *groups, const struct channel_routes *crossing, uint64_t *size, uint32_t *partner, struct error *error)
{
	struct units u = {.groups = groups, .crossing = crossing};
	*size = 0;
	if (!units_init(&u, error) && !matching_solve(&u.matching, size, error) && partner) {
		uint32_t *taken = array_create(u.matching.lefts, sizeof *taken, error);
		if (taken)
			hand_out(&u, taken, partner);
		free(taken);
	}
	units_clear(&u);
	return error->status ? -1 : 0;
}

/* ---- all channels */

struct search {
	const struct fabric *fabric;
	const struct loads *loads;
	const struct source_groups *groups;
	struct comm *comm;
	bool speed_aware;
	uint32_t *order; /* [channels] the largest bounds first */
	double best;     /* the largest load so far */
	uint64_t place;  /* position in order where it was found; UINT64_MAX: nowhere */
};

static double load_of(const struct search *s, uint32_t channel, uint64_t routes)
{
	return s->speed_aware ? (double)routes / s->fabric->speed[channel] : (double)routes;
}

static double bound_of(const struct search *s, uint32_t channel)
{
	const struct load *load = &s->loads->load[channel];
	return load_of(s, channel, load->sources < load->destinations ? load->sources : load->destinations);
}

static int compare_bounds(const void *left, const void *right, void *data)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	double x = bound_of(data, a), y = bound_of(data, b);
	return x != y ? x > y ? -1 : 1 : (a > b) - (a < b);
}

/*
 * Returns whether the channel needs no crossing: single links of starts' hosts have one source and are in no crossing; nor are other
 * channels with one source or destination needed.
 */
static bool is_plain(const struct search *s, uint32_t channel)
{
	return s->loads->load[channel].sources <= 1 || s->loads->load[channel].destinations <= 1;
}

static void note(struct search *s, uint64_t place, uint64_t size)
{
	double load = load_of(s, s->order[place], size);
	if (load > s->best || (load == s->best && place < s->place)) {
		s->best = load;
		s->place = place;
	}
}

/* Processes this process's share of the positions first..end-1. */
static int look(struct search *s, uint64_t first, uint64_t end, struct error *error)
{
	struct channel_routes *crossing = array_create(end - first, sizeof *crossing, error);
	uint64_t *place = array_create(end - first, sizeof *place, error);
	uint32_t count = 0;
	for (uint64_t i = first; i < end && !error->status; i++) {
		if (i % (uint64_t)comm_size(s->comm) != (uint64_t)comm_rank(s->comm) || bound_of(s, s->order[i]) <= s->best)
			continue;
		if (is_plain(s, s->order[i])) {
			note(s, i, s->loads->load[s->order[i]].routes > 0);
			continue;
		}
		crossing[count].channel = s->order[i];
		place[count++] = i;
	}
	if (count && !error->status)
		channel_routes_collect(s->groups, crossing, count, error);
	for (uint32_t i = 0; i < count && !error->status; i++) {
		uint64_t size;
		double bound = bound_of(s, crossing[i].channel);
		if ((bound > s->best || (bound == s->best && place[i] < s->place)) &&
			!worst_match(s->groups, &crossing[i], &size, NULL, error))
			note(s, place[i], size);
	}
	channel_routes_clear(crossing, count);
	free(crossing);
	free(place);
	return comm_agree(s->comm, error);
}

/* Shares the best with all processes. Loads are not negative, so their bits have the same order. */
static void share_best(struct search *s)
{
	uint64_t bits;
	memcpy(&bits, &s->best, sizeof bits);
	uint64_t all = ~comm_min(s->comm, ~bits);
	s->place = comm_min(s->comm, bits == all ? s->place : UINT64_MAX);
	memcpy(&s->best, &all, sizeof all);
}

/* Processes batch by batch; their limits do not depend on the number of processes, nor on results other than the best. */
static int search_all(struct search *s, struct error *error)
{
	uint64_t batch = FIRST_BATCH;
	for (uint64_t first = 0, end; first < s->loads->channels && bound_of(s, s->order[first]) > s->best; first = end) {
		uint64_t routes = 0;
		for (end = first; end < s->loads->channels && end - first < batch && routes < routes_at_once; end++)
			routes += s->loads->load[s->order[end]].routes;
		if (look(s, first, end, error))
			return -1;
		share_best(s);
		batch *= BATCH_GROWTH;
	}
	return 0;
}

/* ---- the witness */

/*
 * Completes the matching to a permutation: a host without a partner gets a host to which none sends, itself only if nothing else is
 * possible.
 */
static int complete(uint32_t *partner, uint32_t hosts, struct error *error)
{
	uint32_t *host = array_create(hosts, sizeof *host, error), *left = array_create(hosts, sizeof *left, error), count = 0,
		 free_hosts = 0;
	bool *taken = array_create(hosts, sizeof *taken, error);
	for (uint32_t h = 0; h < hosts && !error->status; h++) {
		if (partner[h] == NONE)
			host[count++] = h;
		else
			taken[partner[h]] = true;
	}
	for (uint32_t h = 0; h < hosts && !error->status; h++)
		if (!taken[h])
			left[free_hosts++] = h;
	for (uint32_t i = 0; i < count && !error->status; i++)
		if (host[i] == left[i]) { /* exchanged with any other, neither is a fixed point */
			uint32_t other = (i + 1) % count, partner_of_other = left[other];
			left[other] = left[i];
			left[i] = partner_of_other;
		}
	for (uint32_t i = 0; i < count && !error->status; i++)
		partner[host[i]] = left[i];
	free(host);
	free(left);
	free(taken);
	return error->status ? -1 : 0;
}

/* Sets a single pair, for channels with one source or one destination: the one with the lowest host indices. */
static int witness_pair(const struct search *s, uint32_t channel, uint32_t *partner, struct error *error)
{
	const struct destination_trees *t = &s->groups->trees;
	uint32_t *channels = array_create(s->fabric->nodes, sizeof *channels, error);
	for (uint32_t d = 0; channels && d < s->fabric->hosts; d++)
		for (uint32_t h = 0; h < s->fabric->hosts; h++) {
			int length = h == d ? 0 : walk_route(s->fabric, t->forwarding, h, d, channels);
			for (int i = 0; i < length; i++)
				if (channels[i] == channel) {
					partner[h] = d;
					free(channels);
					return 0;
				}
		}
	free(channels);
	return error->status ? -1 : 0;
}

static int make_witness(const struct search *s, struct worst *worst, struct error *error)
{
	struct channel_routes crossing = {.channel = worst->channel};
	memset(worst->partner, 0xff, s->fabric->hosts * sizeof *worst->partner);
	if (is_plain(s, worst->channel)) {
		worst->congestion = 1;
		witness_pair(s, worst->channel, worst->partner, error);
	} else if (!channel_routes_collect(s->groups, &crossing, 1, error)) {
		worst_match(s->groups, &crossing, &worst->congestion, worst->partner, error);
	}
	channel_routes_clear(&crossing, 1);
	return error->status ? -1 : complete(worst->partner, s->fabric->hosts, error);
}

int worst_find(struct worst *worst, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct loads *loads, bool speed_aware, struct error *error)
{
	struct source_groups groups = {0};
	struct search s = {
		.fabric = fabric, .loads = loads, .groups = &groups, .comm = comm, .speed_aware = speed_aware, .place = UINT64_MAX};
	*worst = (struct worst){.channel = NONE};
	worst->partner = array_create(fabric->hosts, sizeof *worst->partner, error);
	s.order = array_create(fabric->channels, sizeof *s.order, error);
	if (!error->status)
		source_groups_init(&groups, fabric, forwarding, loads->split, error);
	if (!comm_agree(comm, error)) {
		for (uint32_t c = 0; c < fabric->channels; c++)
			s.order[c] = c;
		qsort_r(s.order, fabric->channels, sizeof *s.order, compare_bounds, &s);
		search_all(&s, error);
	}
	if (!error->status && s.place != UINT64_MAX) {
		worst->channel = s.order[s.place];
		worst->load = s.best;
		make_witness(&s, worst, error);
	}
	source_groups_clear(&groups);
	free(s.order);
	return comm_agree(comm, error);
}

void worst_clear(struct worst *worst)
{
	free(worst->partner);
	*worst = (struct worst){0};
}
