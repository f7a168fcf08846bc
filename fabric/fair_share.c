#include "fabric/fair_share.h"

#include "base/disjoint.h"
#include "base/memory.h"
#include "fabric/load_scale.h"
#include "fabric/shortest_loads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct work {
	const struct fabric *fabric;
	const double *routes;
	struct fair_share *fair;
	struct planes planes;
	uint32_t *rank;    /* [nodes] 0 for hosts, 1 + the level for switches */
	uint32_t ranks;    /* 1 + the highest */
	uint32_t *tail;    /* [channels] */
	double *usual;     /* [planes] the commonest speed of hosts' cables */
	bool *tree;        /* [planes] */
	bool *forwards;    /* [hosts] more routes leave the host than it has destinations */
	uint32_t *part;    /* [nodes] the parts of the current level, a forest */
	uint32_t *inside;  /* [nodes] of the root of a part: its hosts */
	double *up, *down; /* [nodes] of the root of a part: speeds of channels out of it, into it */
	double *need;      /* [channels] between levels: the share before it is raised to 1 */
};

static uint32_t plane_of(const struct work *w, uint32_t channel)
{
	return w->planes.of[w->tail[channel]];
}

/* Returns how many times a host's cable is faster than the channel. */
static double slowness(const struct work *w, uint32_t channel)
{
	return w->usual[plane_of(w, channel)] / w->fabric->speed[channel];
}

static double pairs_of_host(const struct work *w, uint32_t plane)
{
	return load_scale_pairs(&w->planes, plane);
}

static uint32_t lower_rank(const struct work *w, uint32_t channel)
{
	uint32_t tail = w->rank[w->tail[channel]], head = w->rank[w->fabric->head[channel]];
	return tail < head ? tail : head;
}

static uint32_t upper_rank(const struct work *w, uint32_t channel)
{
	uint32_t tail = w->rank[w->tail[channel]], head = w->rank[w->fabric->head[channel]];
	return tail > head ? tail : head;
}

/* ---- levels */

/* Ranks the nodes; switches without a level are above all. */
static int find_ranks(struct work *w, const uint32_t *level, struct error *error)
{
	const struct fabric *f = w->fabric;
	uint32_t *own = level ? NULL : host_distances_make(f, error), top = 0;
	level = level ? level : own;
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		bool host = f->node_host[v] != NONE;
		w->rank[v] = host ? 0 : level[v] < LEVEL_NONE ? level[v] + 1 : NONE;
		top = w->rank[v] != NONE && w->rank[v] > top ? w->rank[v] : top;
	}
	w->ranks = top + 1;
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		if (w->rank[v] == NONE) {
			w->rank[v] = top + 1;
			w->ranks = top + 2;
		}
	free(own);
	return error->status ? -1 : 0;
}

/* Finds the planes whose levels are those of a tree, and the hosts that forward. */
static void find_trees(struct work *w)
{
	const struct fabric *f = w->fabric;
	for (uint32_t p = 0; p < w->planes.planes; p++)
		w->tree[p] = true;
	for (uint32_t h = 0; h < f->hosts; h++) {
		uint32_t v = f->host_node[h];
		double sent = 0, all = pairs_of_host(w, w->planes.of[v]);
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			sent += w->routes[c];
		w->forwards[h] = sent > all * (1 + 1e-6);
		w->tree[w->planes.of[v]] = w->tree[w->planes.of[v]] && !w->forwards[h];
	}
	for (uint32_t c = 0; c < f->channels; c++)
		if (w->routes[c] > 0 && w->rank[w->tail[c]] == w->rank[f->head[c]] && plane_of(w, c) != NONE)
			w->tree[plane_of(w, c)] = false;
	w->fair->tree = true;
	for (uint32_t p = 0; p < w->planes.planes; p++)
		w->fair->tree = w->fair->tree && w->tree[p];
}

/* ---- shares between levels */

/* Returns the mean load over channels with that speed in all, from or to a part of a plane with so many hosts. */
static double mean_load(const struct work *w, uint32_t plane, double inside, double speed)
{
	return inside * (w->planes.hosts[plane] - inside) / pairs_of_host(w, plane) * w->usual[plane] / speed;
}

/* Sorts the channels by a rank of each: order[first[rank]] .. */
static void sort_channels(const struct work *w, uint32_t (*rank)(const struct work *, uint32_t), uint32_t *order, uint32_t *first)
{
	memset(first, 0, ((size_t)w->ranks + 2) * sizeof *first);
	for (uint32_t c = 0; c < w->fabric->channels; c++)
		first[rank(w, c) + 2]++;
	for (uint32_t r = 0; r < w->ranks; r++)
		first[r + 2] += first[r + 1];
	for (uint32_t c = 0; c < w->fabric->channels; c++)
		order[first[rank(w, c) + 1]++] = c;
}

/* Sets the shares of the channels order[0..fresh-1], whose lower ends are of the rank; the others, up to count, lead from below it across.
 */
static void share_level(struct work *w, const uint32_t *order, uint32_t fresh, uint32_t count, uint32_t rank)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = order[i], tail = w->tail[c], head = w->fabric->head[c];
		if (w->rank[tail] < w->rank[head])
			w->up[disjoint_root(w->part, tail)] += w->fabric->speed[c];
		else if (w->rank[tail] > w->rank[head])
			w->down[disjoint_root(w->part, head)] += w->fabric->speed[c];
	}
	for (uint32_t i = 0; i < fresh; i++) {
		uint32_t c = order[i], tail = w->tail[c], head = w->fabric->head[c], plane = plane_of(w, c);
		if (w->rank[tail] == w->rank[head] || plane == NONE)
			continue;
		bool rises = w->rank[tail] == rank;
		uint32_t root = disjoint_root(w->part, rises ? tail : head);
		w->need[c] = mean_load(w, plane, w->inside[root], rises ? w->up[root] : w->down[root]);
		w->fair->share[c] = fmax(1, w->need[c]);
	}
	for (uint32_t i = 0; i < count; i++) {
		w->up[disjoint_root(w->part, w->tail[order[i]])] = w->up[disjoint_root(w->part, w->fabric->head[order[i]])] = 0;
		w->down[disjoint_root(w->part, w->tail[order[i]])] = w->down[disjoint_root(w->part, w->fabric->head[order[i]])] = 0;
	}
}

/* Joins the parts that the channels of the level connect, and those below it. */
static void join_level(struct work *w, const uint32_t *order, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		uint32_t a = disjoint_root(w->part, w->tail[order[i]]), b = disjoint_root(w->part, w->fabric->head[order[i]]);
		if (a == b)
			continue;
		w->part[b] = a;
		w->inside[a] += w->inside[b];
	}
}

static int share_levels(struct work *w, struct error *error)
{
	const struct fabric *f = w->fabric;
	uint32_t *by_upper = array_create(f->channels, sizeof *by_upper, error);
	uint32_t *by_lower = array_create(f->channels, sizeof *by_lower, error), *list = array_create(f->channels, sizeof *list, error);
	uint32_t *first_upper = array_create((size_t)w->ranks + 2, sizeof *first_upper, error), count = 0;
	uint32_t *first_lower = array_create((size_t)w->ranks + 2, sizeof *first_lower, error);
	if (!error->status) {
		disjoint_init(w->part, f->nodes);
		for (uint32_t v = 0; v < f->nodes; v++)
			w->inside[v] = f->node_host[v] != NONE;
		sort_channels(w, upper_rank, by_upper, first_upper);
		sort_channels(w, lower_rank, by_lower, first_lower);
	}
	for (uint32_t r = 0; r < w->ranks && !error->status; r++) {
		uint32_t fresh = first_lower[r + 1] - first_lower[r], left = 0;
		join_level(w, by_upper + first_upper[r], first_upper[r + 1] - first_upper[r]);
		for (uint32_t i = 0; i < count; i++) /* channels from below that lead to a higher level */
			if (upper_rank(w, list[i]) > r)
				list[left++] = list[i];
		memmove(list + fresh, list, left * sizeof *list);
		memcpy(list, by_lower + first_lower[r], fresh * sizeof *list);
		count = fresh + left;
		share_level(w, list, fresh, count, r);
	}
	free(by_upper);
	free(by_lower);
	free(list);
	free(first_upper);
	free(first_lower);
	return error->status ? -1 : 0;
}

/* ---- shares where there is no tree */

static int share_shortest(struct work *w, struct error *error)
{
	double *load = shortest_loads_make(w->fabric, w->forwards, error);
	for (uint32_t c = 0; c < w->fabric->channels && load; c++) {
		uint32_t plane = plane_of(w, c);
		if (plane != NONE && !w->tree[plane])
			w->fair->share[c] = fmax(w->fair->share[c], load[c] / pairs_of_host(w, plane) * slowness(w, c));
	}
	free(load);
	return error->status ? -1 : 0;
}

/* Finds the distances of all nodes from one, over channels of the direction. queue: scratch. */
static void find_distances(const struct work *w, uint32_t from, uint32_t *distance, uint32_t *queue)
{
	const struct fabric *f = w->fabric;
	uint32_t count = 1;
	memset(distance, 0xff, f->nodes * sizeof *distance);
	distance[from] = 0;
	queue[0] = from;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t v = queue[i], host = f->node_host[v];
		if (host != NONE && !w->forwards[host] && v != from)
			continue;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (distance[f->head[c]] == NONE) {
				distance[f->head[c]] = distance[v] + 1;
				queue[count++] = f->head[c];
			}
	}
}

/* Raises the shares of all channels that lead from nodes nearer to the channel's tail than to its head to others. */
static void share_cut(struct work *w, uint32_t channel, uint32_t *tail, uint32_t *head, uint32_t *queue)
{
	const struct fabric *f = w->fabric;
	uint32_t plane = plane_of(w, channel);
	double hosts = 0, speed = 0;
	find_distances(w, w->tail[channel], tail, queue);
	find_distances(w, f->head[channel], head, queue);
	for (uint32_t h = 0; h < f->hosts; h++)
		hosts += tail[f->host_node[h]] < head[f->host_node[h]];
	for (int raise = 0; raise < 2; raise++)
		for (uint32_t c = 0; c < f->channels; c++) {
			uint32_t a = w->tail[c], b = f->head[c];
			if (tail[a] >= head[a] || tail[b] < head[b] || plane_of(w, c) != plane)
				continue;
			if (raise)
				w->fair->share[c] = fmax(w->fair->share[c], mean_load(w, plane, hosts, speed));
			else
				speed += f->speed[c];
		}
}

static int share_cuts(struct work *w, struct error *error)
{
	const struct fabric *f = w->fabric;
	uint32_t *tail = array_create(f->nodes, sizeof *tail, error), *head = array_create(f->nodes, sizeof *head, error);
	uint32_t *queue = array_create(f->nodes, sizeof *queue, error);
	uint64_t work = 0;
	for (uint32_t c = 0; c < f->channels && !error->status && work <= FAIR_CUTS_WORK; c++) {
		uint32_t plane = plane_of(w, c);
		if (plane == NONE || w->tree[plane] || load_class_of(w->routes[c], w->fair->load[c] / w->fair->share[c]) < LOAD_WARM)
			continue;
		share_cut(w, c, tail, head, queue);
		work += f->channels;
	}
	free(tail);
	free(head);
	free(queue);
	return error->status ? -1 : 0;
}

/* ---- classes and tiers */

static void find_loads(struct work *w)
{
	for (uint32_t c = 0; c < w->fabric->channels; c++) {
		uint32_t plane = plane_of(w, c);
		w->fair->share[c] = 1;
		if (plane != NONE)
			w->fair->load[c] = w->routes[c] / pairs_of_host(w, plane) * slowness(w, c);
	}
}

static void classify(struct work *w)
{
	struct fair_share *fair = w->fair;
	double most = 0;
	for (uint32_t c = 0; c < w->fabric->channels; c++) {
		fair->excess[c] = fair->load[c] / fair->share[c];
		fair->class[c] = (uint8_t)load_class_of(w->routes[c], fair->excess[c]);
		fair->count[fair->class[c]]++;
		fair->above += fair->class[c] >= LOAD_WARM;
		fair->twice += fair->class[c] >= LOAD_VERY_HOT;
		most = fmax(most, fair->excess[c]);
	}
	for (uint32_t c = 0; c < w->fabric->channels && most > 0; c++)
		if (fair->excess[c] >= most * (1 - 1e-6)) {
			fair->equal += fair->hottest != NONE;
			fair->hottest = fair->hottest != NONE ? fair->hottest : c;
		}
}

/* Sets the levels of the result. */
static void show_levels(struct work *w)
{
	const struct fabric *f = w->fabric;
	uint32_t top = 0;
	for (uint32_t c = 0; c < f->channels; c++)
		if (w->routes[c] > 0 && w->rank[f->head[c]] > top)
			top = w->rank[f->head[c]];
	for (uint32_t v = 0; v < f->nodes; v++)
		w->fair->level[v] = !w->rank[v] ? LEVEL_HOST : w->rank[v] > top ? LEVEL_NONE : w->rank[v] - 1;
	w->fair->levels = top;
}

static void add_to_tier(const struct fair_share *fair, struct load_tier *t, uint32_t channel)
{
	double load = fair->load[channel], share = fair->share[channel];
	t->least_share = t->channels ? fmin(t->least_share, share) : share;
	t->most_share = fmax(t->most_share, share);
	t->channels++;
	t->count[fair->class[channel]]++;
	t->above += fair->class[channel] >= LOAD_WARM;
	t->mean += load;
	t->cv += load * load;
	t->most = fmax(t->most, load);
	t->share += share;
	t->excess = fmax(t->excess, fair->excess[channel]);
}

/* Changes the sums of a tier to means. */
static void end_tier(struct load_tier *t)
{
	t->mean /= t->channels;
	t->share /= t->channels;
	t->cv = t->mean > 0 ? sqrt(fmax(0, t->cv / t->channels - t->mean * t->mean)) / t->mean : 0;
}

static int compare_tiers(const void *left, const void *right)
{
	const struct load_tier *a = left, *b = right;
	uint32_t from[2] = {a->from + 1, b->from + 1}, to[2] = {a->to + 1, b->to + 1}; /* LEVEL_HOST + 1 is 0 */
	return from[0] != from[1] ? (from[0] > from[1]) - (from[0] < from[1]) : (to[0] > to[1]) - (to[0] < to[1]);
}

/* Finds the pairs of levels that channels join, as tiers without channels. */
static int list_tiers(struct work *w, struct error *error)
{
	struct fair_share *fair = w->fair;
	const struct fabric *f = w->fabric;
	uint32_t *last = array_create((size_t)w->ranks + 1, sizeof *last, error); /* 1 + the last tier from each rank */
	uint32_t *before = NULL;                                                  /* [tiers] 1 + the tier from the same rank before it */
	size_t capacity = 0, before_capacity = 0;
	for (uint32_t c = 0; c < f->channels && !error->status; c++) {
		uint32_t from = fair->level[w->tail[c]], to = fair->level[f->head[c]], i;
		if (from == LEVEL_NONE || to == LEVEL_NONE)
			continue;
		for (i = last[from + 1]; i && fair->tier[i - 1].to != to;)
			i = before[i - 1];
		if (i)
			continue;
		if (array_grow(&fair->tier, &capacity, (size_t)fair->tiers + 1, sizeof *fair->tier, error) ||
			array_grow(&before, &before_capacity, (size_t)fair->tiers + 1, sizeof *before, error))
			break;
		fair->tier[fair->tiers] = (struct load_tier){.from = from, .to = to, .hottest = NONE};
		before[fair->tiers++] = last[from + 1];
		last[from + 1] = fair->tiers;
	}
	free(last);
	free(before);
	if (fair->tiers)
		qsort(fair->tier, fair->tiers, sizeof *fair->tier, compare_tiers);
	return error->status ? -1 : 0;
}

static int find_tiers(struct work *w, struct error *error)
{
	struct fair_share *fair = w->fair;
	const struct fabric *f = w->fabric;
	double *speed = list_tiers(w, error) ? NULL : array_create(fair->tiers, sizeof *speed, error); /* [tiers] sum */
	if (error->status)
		return -1;
	for (uint32_t c = 0; c < f->channels; c++) {
		const struct load_tier key = {.from = fair->level[w->tail[c]], .to = fair->level[f->head[c]]};
		struct load_tier *t = fair->tiers ? bsearch(&key, fair->tier, fair->tiers, sizeof *fair->tier, compare_tiers) : NULL;
		fair->tier_of[c] = t ? (uint32_t)(t - fair->tier) : NONE;
		if (!t)
			continue;
		add_to_tier(fair, t, c);
		t->need += w->need[c] * f->speed[c];
		speed[t - fair->tier] += f->speed[c];
	}
	for (uint32_t i = 0; i < fair->tiers; i++) {
		end_tier(&fair->tier[i]);
		fair->tier[i].need /= speed[i];
	}
	free(speed);
	for (uint32_t c = 0; c < f->channels; c++) {
		struct load_tier *t = fair->tier_of[c] != NONE ? &fair->tier[fair->tier_of[c]] : NULL;
		if (t && t->hottest == NONE && t->excess > 0 && fair->excess[c] >= t->excess * (1 - 1e-6))
			t->hottest = c;
	}
	return 0;
}

static void clear_work(struct work *w)
{
	planes_clear(&w->planes);
	free(w->rank);
	free(w->tail);
	free(w->usual);
	free(w->tree);
	free(w->forwards);
	free(w->part);
	free(w->inside);
	free(w->up);
	free(w->down);
	free(w->need);
}

static int find(struct work *w, const uint32_t *level, struct error *error)
{
	for (uint32_t v = 0; v < w->fabric->nodes; v++)
		for (uint32_t c = w->fabric->first_channel[v]; c < w->fabric->first_channel[v + 1]; c++)
			w->tail[c] = v;
	if (load_scale_speeds(w->fabric, &w->planes, w->usual, error) || find_ranks(w, level, error))
		return -1;
	find_trees(w);
	find_loads(w);
	if (share_levels(w, error) || (!w->fair->tree && (share_shortest(w, error) || share_cuts(w, error))))
		return -1;
	classify(w);
	show_levels(w);
	return find_tiers(w, error);
}

int fair_share_find(struct fair_share *fair, const struct fabric *fabric, const double *routes, const uint32_t *level, struct error *error)
{
	const struct fabric *f = fabric;
	*fair = (struct fair_share){
		.load = array_create(f->channels, sizeof *fair->load, error),
		.share = array_create(f->channels, sizeof *fair->share, error),
		.excess = array_create(f->channels, sizeof *fair->excess, error),
		.class = array_create(f->channels, sizeof *fair->class, error),
		.level = array_create(f->nodes, sizeof *fair->level, error),
		.tier_of = array_create(f->channels, sizeof *fair->tier_of, error),
		.hottest = NONE,
	};
	struct work w = {
		.fabric = f,
		.routes = routes,
		.fair = fair,
		.rank = array_create(f->nodes, sizeof *w.rank, error),
		.tail = array_create(f->channels, sizeof *w.tail, error),
		.forwards = array_create(f->hosts, sizeof *w.forwards, error),
		.part = array_create(f->nodes, sizeof *w.part, error),
		.inside = array_create(f->nodes, sizeof *w.inside, error),
		.up = array_create(f->nodes, sizeof *w.up, error),
		.down = array_create(f->nodes, sizeof *w.down, error),
		.need = array_create(f->channels, sizeof *w.need, error),
	};
	if (!error->status && !planes_find(&w.planes, f, error)) {
		w.usual = array_create(w.planes.planes, sizeof *w.usual, error);
		w.tree = array_create(w.planes.planes, sizeof *w.tree, error);
		if (!error->status)
			find(&w, level, error);
	}
	clear_work(&w);
	return error->status ? -1 : 0;
}

void fair_share_clear(struct fair_share *fair)
{
	free(fair->load);
	free(fair->share);
	free(fair->excess);
	free(fair->class);
	free(fair->level);
	free(fair->tier);
	free(fair->tier_of);
	*fair = (struct fair_share){0};
}
