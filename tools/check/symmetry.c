#include "tools/check/symmetry.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct sum {
	uint64_t high, low;
};

/* The sum of pairs without a route. */
static const struct sum NO_ROUTE = {UINT64_MAX, UINT64_MAX};

/*
 * Hosts in the order of their starts, divided into blocks. For two blocks, sums[d][k] is the sum of the route from the k-th start of one to
 * host d of the other.
 */
struct work {
	struct symmetry *symmetry;
	struct destination_trees *trees;
	struct faults *faults;
	struct sum *cable;        /* [channels] the same for both directions */
	struct sum *way;          /* [nodes] */
	uint32_t *host;           /* [hosts] by start */
	uint32_t *first_host;     /* [starts + 1] */
	struct sum *there, *back; /* [hosts of a block][starts of the other block] */
	struct uniform *uniform;  /* [starts] */
};

/* For the routes from one start to the hosts of another, without their last cables: whether all are the same, and their sum. */
struct uniform {
	bool is;
	struct sum sum;
};

/* Starts from..to-1. */
struct block {
	uint32_t from, to;
};

/* Returns 64 pseudorandom bits (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014). */
static uint64_t random_bits(uint64_t number)
{
	uint64_t z = (number + 1) * UINT64_C(0x9e3779b97f4a7c15);
	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

static inline struct sum add(struct sum a, struct sum b)
{
	return (struct sum){a.high + b.high, a.low + b.low};
}

static inline struct sum subtract(struct sum a, struct sum b)
{
	return (struct sum){a.high - b.high, a.low - b.low};
}

static inline bool equal(struct sum a, struct sum b)
{
	return a.high == b.high && a.low == b.low;
}

/* Computes the sums of the routes from the starts of one block to the hosts of another. */
static void fill(struct work *w, struct block starts, struct block hosts, struct sum *sums)
{
	struct destination_trees *t = w->trees;
	for (uint32_t i = w->first_host[hosts.from]; i < w->first_host[hosts.to]; i++) {
		destination_trees_make(t, w->host[i]);
		w->way[t->order[0]] = (struct sum){0};
		for (uint32_t k = 1; k < t->count; k++) {
			uint32_t node = t->order[k], channel = t->next[node];
			w->way[node] = add(w->way[t->fabric->head[channel]], w->cable[channel]);
		}
		for (uint32_t s = starts.from; s < starts.to; s++) {
			uint32_t node = t->start[s].node;
			*sums++ = t->distance[node] < TREE_DISTANCE_END ? w->way[node] : NO_ROUTE;
		}
	}
}

/* Returns the bits of the cable before the host's start. */
static struct sum first_cable(const struct work *w, uint32_t host)
{
	uint32_t link = w->trees->link[host];
	return link == NONE ? (struct sum){0} : w->cable[link];
}

/* Compares both pairs of two hosts; there, back: the sums of the routes between their starts. */
static int compare(struct work *w, uint32_t source, uint32_t destination, struct sum there, struct sum back, struct error *error)
{
	if (equal(there, NO_ROUTE) || equal(back, NO_ROUTE))
		return 0;
	if (equal(add(there, first_cable(w, source)), add(back, first_cable(w, destination)))) {
		w->symmetry->symmetric += 2;
		return 0;
	}
	w->symmetry->asymmetric += 2;
	struct fault fault = {source, destination, NONE, 0};
	if (source > destination)
		fault = (struct fault){destination, source, NONE, 0};
	return faults_add(w->faults, FAULT_ASYMMETRIC, fault, error);
}

/* For each start of a block: finds whether the opposite routes to its hosts, from the start of that column, are all the same. */
static void find_uniform(struct work *w, struct block a, const struct sum *back, uint32_t width, uint32_t column)
{
	uint32_t first = w->first_host[a.from];
	for (uint32_t s = a.from; s < a.to; s++) {
		struct uniform *u = &w->uniform[s];
		u->is = false;
		for (uint32_t k = w->first_host[s]; k < w->first_host[s + 1]; k++) {
			struct sum way = back[(size_t)(k - first) * width + column];
			struct sum inner = subtract(way, first_cable(w, w->host[k]));
			u->is = !equal(way, NO_ROUTE) && (k == w->first_host[s] || (u->is && equal(inner, u->sum)));
			u->sum = inner;
			if (!u->is)
				break;
		}
	}
}

/*
 * Compares the pairs of a host and the from-th to to-th hosts, which have one start. there: sum from that start to the host; back:
 * [.][width] from the host's start to them.
 */
static int compare_start(struct work *w, uint32_t destination, uint32_t from, uint32_t to, struct sum there, const struct sum *back,
	uint32_t width, struct error *error)
{
	const struct uniform *u = &w->uniform[w->trees->start_of[w->host[from]]];
	if (u->is && !equal(there, NO_ROUTE) && equal(subtract(there, first_cable(w, destination)), u->sum)) {
		w->symmetry->symmetric += 2 * (uint64_t)(to - from);
		return 0;
	}
	for (uint32_t k = from; k < to; k++, back += width)
		if (compare(w, w->host[k], destination, there, *back, error))
			return -1;
	return 0;
}

/* Compares all pairs of a host of one block and a host of the other, each once. */
static int compare_blocks(struct work *w, struct block a, struct block b, struct error *error)
{
	bool same = a.from == b.from;
	fill(w, a, b, w->there);
	const struct sum *back = same ? w->there : w->back;
	if (!same)
		fill(w, b, a, w->back);
	uint32_t width_a = a.to - a.from, width_b = b.to - b.from, first_a = w->first_host[a.from], first_b = w->first_host[b.from];
	uint32_t last = NONE;
	for (uint32_t i = first_b; i < w->first_host[b.to]; i++) {
		uint32_t destination = w->host[i], column = w->trees->start_of[destination] - b.from;
		const struct sum *row = w->there + (size_t)(i - first_b) * width_a;
		if (column != last)
			find_uniform(w, a, back, width_b, last = column);
		for (uint32_t s = a.from; s < a.to && (!same || w->first_host[s] < i); s++) {
			uint32_t from = w->first_host[s], to = same && w->first_host[s + 1] > i ? i : w->first_host[s + 1];
			if (compare_start(w, destination, from, to, row[s - a.from], back + (size_t)(from - first_a) * width_b + column,
				    width_b, error))
				return -1;
		}
	}
	return 0;
}

static void prepare(struct work *w, const uint32_t *reverse)
{
	const struct destination_trees *t = w->trees;
	for (uint32_t c = 0; c < t->fabric->channels; c++) {
		uint64_t cable = reverse[c] < c ? reverse[c] : c;
		w->cable[c] = (struct sum){random_bits(2 * cable), random_bits(2 * cable + 1)};
	}
	for (uint32_t h = 0; h < t->fabric->hosts; h++)
		w->first_host[t->start_of[h] + 1]++;
	for (uint32_t s = 0; s < t->starts; s++)
		w->first_host[s + 1] += w->first_host[s];
	for (uint32_t h = t->fabric->hosts; h--;)
		w->host[--w->first_host[t->start_of[h] + 1]] = h;
	memmove(w->first_host, w->first_host + 1, t->starts * sizeof *w->first_host);
	w->first_host[t->starts] = t->fabric->hosts;
}

/* Returns the longest block from here whose matrix with itself fits in the memory. */
static struct block next_block(const struct work *w, uint32_t from, size_t memory)
{
	struct block block = {from, from + 1};
	while (block.to < w->trees->starts &&
		(size_t)(w->first_host[block.to + 1] - w->first_host[from]) * (block.to + 1 - from) * sizeof(struct sum) <= memory)
		block.to++;
	return block;
}

int symmetry_find(struct symmetry *symmetry, struct destination_trees *trees, const uint32_t *reverse, size_t memory, struct faults *faults,
	struct error *error)
{
	const struct fabric *fabric = trees->fabric;
	struct work w = {
		.symmetry = symmetry,
		.trees = trees,
		.faults = faults,
		.cable = array_create(fabric->channels, sizeof *w.cable, error),
		.way = array_create(fabric->nodes, sizeof *w.way, error),
		.host = array_create(fabric->hosts, sizeof *w.host, error),
		.first_host = array_create((size_t)trees->starts + 1, sizeof *w.first_host, error),
		.uniform = array_create(trees->starts, sizeof *w.uniform, error),
	};
	*symmetry = (struct symmetry){0};
	if (!error->status)
		prepare(&w, reverse);
	size_t most_hosts = 0, most_starts = 0;
	for (struct block b = {0, 0}; !error->status && b.to < trees->starts;) {
		b = next_block(&w, b.to, memory / 2);
		size_t hosts = w.first_host[b.to] - w.first_host[b.from], starts = b.to - b.from;
		most_hosts = hosts > most_hosts ? hosts : most_hosts;
		most_starts = starts > most_starts ? starts : most_starts;
	}
	bool one = most_starts == trees->starts;
	w.there = array_create(most_hosts * most_starts, sizeof *w.there, error);
	w.back = array_create(one ? 0 : most_hosts * most_starts, sizeof *w.back, error);
	for (struct block a = {0, 0}; !error->status && a.to < trees->starts;) {
		a = next_block(&w, a.to, memory / 2);
		compare_blocks(&w, a, a, error);
		for (struct block b = a; !error->status && b.to < trees->starts;) {
			b = next_block(&w, b.to, memory / 2);
			compare_blocks(&w, a, b, error);
		}
	}
	free(w.cable);
	free(w.way);
	free(w.host);
	free(w.first_host);
	free(w.uniform);
	free(w.there);
	free(w.back);
	return error->status ? -1 : 0;
}
