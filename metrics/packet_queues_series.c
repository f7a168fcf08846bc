#include "base/memory.h"
#include "metrics/packet_queues.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The channels at one moment. */
struct now {
	const struct queue_sample **of; /* [channels] NULL: nothing is in its queues */
	uint32_t *root;                 /* [channels] of the tree that a channel with a full buffer is in; NONE: none, or unknown yet */
	uint32_t *size;                 /* [channels] of the tree of a root */
	size_t *tree;                   /* [channels] the number of its tree, from 1 on; 0: it has none so far */
};

static bool is_full(const struct now *now, uint32_t channel)
{
	return now->of[channel] && now->of[channel]->full;
}

/*
 * Returns the channel for which packets wait at the end of a chain of channels with full buffers; NONE: it ends nowhere, or in a cycle.
 * Each channel leads to one other, so a chain that is longer than all channels is a cycle.
 */
static uint32_t find_root(const struct now *now, uint32_t channel, uint32_t channels)
{
	for (uint32_t steps = 0; channel != NONE && is_full(now, channel); steps++) {
		if (now->root[channel] != NONE)
			return now->root[channel];
		if (steps > channels)
			return NONE;
		channel = now->of[channel]->next;
	}
	return channel;
}

/* Gives the channels with full buffers on the way from one to its root that root. */
static void set_root(struct now *now, uint32_t channel, uint32_t root)
{
	for (; root != NONE && is_full(now, channel) && now->root[channel] == NONE; channel = now->of[channel]->next) {
		now->root[channel] = root;
		now->size[root]++;
	}
}

/* Adds the tree of a root at a moment to those of the series. Returns 0, or -1 if out of memory. */
static int add_tree(struct queue_series *s, struct now *now, uint32_t root, size_t m, size_t *room, struct error *error)
{
	if (!now->tree[root]) {
		if (array_grow(&s->tree, room, s->trees + 1, sizeof *s->tree, error))
			return -1;
		s->tree[s->trees] = (struct queue_tree){.root = root, .first = m};
		now->tree[root] = ++s->trees;
	}
	struct queue_tree *tree = &s->tree[now->tree[root] - 1];
	tree->last = m;
	tree->sum += now->size[root];
	if (now->size[root] > tree->most) {
		tree->most = now->size[root];
		tree->largest = m;
	}
	return 0;
}

/* Finds the trees of a moment. Returns 0, or -1 if out of memory. */
static int look_at(struct queue_series *s, struct now *now, size_t m, size_t *room, struct error *error)
{
	const struct queue_sample *begin = s->sample + s->first[m], *end = s->sample + s->first[m + 1];
	struct queue_moment *moment = &s->moment[m];
	uint32_t channels = s->fabric->channels;
	*moment = (struct queue_moment){.top = NONE};
	memset(now->of, 0, channels * sizeof *now->of);
	memset(now->root, 0xff, channels * sizeof *now->root); /* NONE */
	memset(now->size, 0, channels * sizeof *now->size);
	for (const struct queue_sample *q = begin; q < end; q++) {
		now->of[q->channel] = q;
		moment->held += q->held;
		moment->fullest = q->held > moment->fullest ? q->held : moment->fullest;
		moment->full += q->full;
	}
	for (const struct queue_sample *q = begin; q < end; q++)
		if (q->full)
			set_root(now, q->channel, find_root(now, q->channel, channels));
	for (uint32_t c = 0; c < channels; c++) {
		if (!now->size[c])
			continue;
		if (add_tree(s, now, c, m, room, error))
			return -1;
		moment->trees++;
		if (now->size[c] > moment->most) {
			moment->most = now->size[c];
			moment->top = c;
		}
	}
	return 0;
}

static int compare_trees(const void *left, const void *right)
{
	const struct queue_tree *a = left, *b = right;
	if (a->sum != b->sum)
		return a->sum > b->sum ? -1 : 1;
	return (a->root > b->root) - (a->root < b->root);
}

static int find_trees(struct queue_series *s, struct error *error)
{
	uint32_t channels = s->fabric->channels;
	size_t room = 0;
	struct now now = {
		.of = array_create(channels, sizeof *now.of, error),
		.root = array_create(channels, sizeof *now.root, error),
		.size = array_create(channels, sizeof *now.size, error),
		.tree = array_create(channels, sizeof *now.tree, error),
	};
	for (size_t m = 0; !error->status && m < s->moments; m++)
		look_at(s, &now, m, &room, error);
	if (s->trees)
		qsort(s->tree, s->trees, sizeof *s->tree, compare_trees);
	free(now.of);
	free(now.root);
	free(now.size);
	free(now.tree);
	return error->status ? -1 : 0;
}

struct queue_series *queue_series_create(const struct observation *seen, struct error *error)
{
	const struct packet_seen *p = seen->packets;
	const struct packet_queues *q = p->queues;
	struct queue_series *s = array_create(1, sizeof *s, error);
	if (!s)
		return NULL;
	*s = (struct queue_series){
		.fabric = seen->fabric,
		.cycles = p->cycles,
		.unit = p->cycles ? CYCLE_NS * 1e3 : PICOSECONDS,
		.load = p->open ? p->load : NAN,
		.interval = q->interval,
		.buffer = q->buffer,
		.moments = q->moments,
		.first = array_copy(q->first, q->moments + 1, sizeof *q->first, error),
		.sample = array_copy(q->sample, q->first[q->moments], sizeof *q->sample, error),
		.moment = array_create(q->moments, sizeof *s->moment, error),
	};
	if (!error->status && !find_trees(s, error))
		return s;
	queue_series_free(s);
	return NULL;
}

void queue_series_free(struct queue_series *s)
{
	if (!s)
		return;
	free(s->first);
	free(s->sample);
	free(s->moment);
	free(s->tree);
	free(s);
}
