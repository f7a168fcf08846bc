#include "fabric/route_lists.h"

#include "base/hash.h"
#include "base/memory.h"
#include "fabric/fabric.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct route_lists *route_lists_create(bool at_once, struct error *error)
{
	struct route_lists *l = array_create(1, sizeof *l, error);
	if (!l)
		return NULL;
	l->source = NONE;
	l->at_once = at_once;
	l->mask = 1023;
	l->slot = array_create(l->mask + 1, sizeof *l->slot, error);
	if (l->slot)
		memset(l->slot, 0xff, (l->mask + 1) * sizeof *l->slot); /* NONE */
	if (!array_grow(&l->first, &l->first_capacity, 1, sizeof *l->first, error) &&
		!array_grow(&l->start, &l->start_capacity, 1, sizeof *l->start, error))
		l->first[0] = l->start[0] = 0;
	return l;
}

void route_lists_free(struct route_lists *l)
{
	if (!l)
		return;
	free(l->draft);
	free(l->added);
	free(l->first);
	free(l->start);
	free(l->weight);
	free(l->channel);
	free(l->slot);
	free(l->hash);
	free(l->record);
	free(l);
}

/* Compares by length, then by channels. */
static int compare_channels(const struct route_draft *a, const struct route_draft *b)
{
	if (a->count != b->count)
		return a->count < b->count ? -1 : 1;
	for (uint32_t i = 0; i < a->count; i++) {
		uint32_t x = a->added[a->start + i], y = b->added[b->start + i];
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static int by_channels(const void *left, const void *right)
{
	return compare_channels(left, right);
}

/* Compares by weight, the largest first, then by length. */
static int by_weight(const void *left, const void *right)
{
	const struct route_draft *a = left, *b = right;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return compare_channels(a, b);
}

/* Sorts the drafts and merges equal routes. */
static void settle_drafts(struct route_lists *l)
{
	size_t kept = 0;
	for (size_t i = 0; i < l->drafts; i++)
		l->draft[i].added = l->added;
	if (l->drafts < 2)
		return;
	qsort(l->draft, l->drafts, sizeof *l->draft, by_channels);
	for (size_t i = 1; i < l->drafts; i++)
		if (compare_channels(&l->draft[kept], &l->draft[i]))
			l->draft[++kept] = l->draft[i];
		else
			l->draft[kept].weight += l->draft[i].weight;
	l->drafts = kept + 1;
	qsort(l->draft, l->drafts, sizeof *l->draft, by_weight);
}

static uint64_t hash_drafts(const struct route_lists *l)
{
	uint64_t hash = l->drafts;
	for (size_t i = 0; i < l->drafts; i++) {
		hash = hash_words(hash, &l->draft[i].weight, sizeof l->draft[i].weight);
		hash = hash_words(hash, l->added + l->draft[i].start, l->draft[i].count * sizeof *l->added);
	}
	return hash;
}

static bool is_list(const struct route_lists *l, uint32_t list)
{
	if (l->first[list + 1] - l->first[list] != l->drafts)
		return false;
	for (size_t i = 0; i < l->drafts; i++) {
		size_t r = l->first[list] + i, count = l->start[r + 1] - l->start[r];
		if (l->weight[r] != l->draft[i].weight || count != l->draft[i].count)
			return false;
		if (count && memcmp(l->channel + l->start[r], l->added + l->draft[i].start, count * sizeof *l->added))
			return false;
	}
	return true;
}

/* Doubles the hash table when it is half full. Returns 0, or -1. */
static int grow_slots(struct route_lists *l, struct error *error)
{
	if (2 * l->lists <= l->mask)
		return 0;
	size_t mask = 2 * l->mask + 1;
	uint32_t *slot = array_create(mask + 1, sizeof *slot, error);
	if (!slot)
		return -1;
	memset(slot, 0xff, (mask + 1) * sizeof *slot); /* NONE */
	for (uint32_t list = 0; list < l->lists; list++) {
		size_t i = l->hash[list] & mask;
		while (slot[i] != NONE)
			i = (i + 1) & mask;
		slot[i] = list;
	}
	free(l->slot);
	l->slot = slot;
	l->mask = mask;
	return 0;
}

static int add_list(struct route_lists *l, uint64_t hash, struct error *error)
{
	if (l->lists + 1 >= NONE)
		return error_set(error, STATUS_FABRIC, "too many different routes");
	if (array_grow(&l->first, &l->first_capacity, l->lists + 2, sizeof *l->first, error) ||
		array_grow(&l->hash, &l->hash_capacity, l->lists + 1, sizeof *l->hash, error) ||
		array_grow(&l->start, &l->start_capacity, l->routes + l->drafts + 1, sizeof *l->start, error) ||
		array_grow(&l->weight, &l->weight_capacity, l->routes + l->drafts, sizeof *l->weight, error) ||
		array_grow(&l->channel, &l->channel_capacity, l->channels + l->added_count, sizeof *l->channel, error))
		return -1;
	for (size_t i = 0; i < l->drafts; i++) {
		const struct route_draft *d = &l->draft[i];
		l->weight[l->routes] = d->weight;
		if (d->count)
			memcpy(l->channel + l->channels, l->added + d->start, d->count * sizeof *l->channel);
		l->channels += d->count;
		l->start[++l->routes] = l->channels;
	}
	l->hash[l->lists++] = hash;
	l->first[l->lists] = l->routes;
	return 0;
}

/* Finds or creates the list of the drafts: *list. Returns 0, or -1. */
static int find_list(struct route_lists *l, uint32_t *list, struct error *error)
{
	settle_drafts(l);
	uint64_t hash = hash_drafts(l);
	if (grow_slots(l, error))
		return -1;
	size_t i = hash & l->mask;
	while (l->slot[i] != NONE && (l->hash[l->slot[i]] != hash || !is_list(l, l->slot[i])))
		i = (i + 1) & l->mask;
	if (l->slot[i] == NONE) {
		if (add_list(l, hash, error))
			return -1;
		l->slot[i] = (uint32_t)(l->lists - 1);
	}
	*list = l->slot[i];
	return 0;
}

/*
 * Converts the weights of the drafts, the first of which is the largest, to shares. Weights that sum to 1 are unchanged, so that shares
 * read back from a file are the same; equal weights become 1 / count, which files represent differently; no share is 0.
 */
static void share_out(struct route_lists *l)
{
	const double near = 1e-9, most = l->draft[0].weight;
	double sum = 0;
	for (size_t i = 0; i < l->drafts; i++)
		sum += l->draft[i].weight / most;
	bool done = sum * most > 1 - near && sum * most < 1 + near;
	for (size_t i = 0; i < l->drafts; i++)
		l->draft[i].weight = fmax(done ? l->draft[i].weight : l->draft[i].weight / most / sum, DBL_MIN);
	bool equal = l->draft[0].weight == l->draft[l->drafts - 1].weight;
	for (size_t i = 0; equal && i < l->drafts; i++)
		l->draft[i].weight = 1.0 / (double)l->drafts;
}

int route_lists_end_pair(struct route_lists *l, struct error *error)
{
	uint32_t list;
	if (!l->drafts)
		return 0;
	if (l->at_once) {
		settle_drafts(l);
		share_out(l);
	}
	if (find_list(l, &list, error) || array_grow(&l->record, &l->record_capacity, l->records + 1, sizeof *l->record, error))
		return -1;
	l->record[l->records++] = (struct route_record){l->source, l->destination, list};
	l->drafts = l->added_count = 0;
	return 0;
}

int route_lists_add(struct route_lists *l, double weight, const uint32_t *channels, uint32_t count, struct error *error)
{
	if (array_grow(&l->draft, &l->draft_capacity, l->drafts + 1, sizeof *l->draft, error) ||
		array_grow(&l->added, &l->added_capacity, l->added_count + count + 1, sizeof *l->added, error))
		return -1;
	l->draft[l->drafts++] = (struct route_draft){.start = l->added_count, .count = count, .weight = weight};
	if (count)
		memcpy(l->added + l->added_count, channels, count * sizeof *channels);
	l->added_count += count;
	return 0;
}

/* Appends the routes of a list to the drafts. Returns 0, or -1. */
static int load_list(struct route_lists *l, uint32_t list, struct error *error)
{
	for (size_t r = l->first[list]; r < l->first[list + 1]; r++)
		if (route_lists_add(l, l->weight[r], l->channel + l->start[r], (uint32_t)(l->start[r + 1] - l->start[r]), error))
			return -1;
	return 0;
}

int route_lists_join(struct route_lists *l, struct route_record *into, const struct route_record *from, struct error *error)
{
	l->drafts = l->added_count = 0;
	if (load_list(l, into->list, error) || load_list(l, from->list, error))
		return -1;
	return find_list(l, &into->list, error);
}

int route_lists_share(struct route_lists *l, struct error *error)
{
	if (l->at_once)
		return 0;
	uint32_t lists = (uint32_t)l->lists, *shared = array_create(lists, sizeof *shared, error);
	for (uint32_t list = 0; list < lists && !error->status; list++) {
		l->drafts = l->added_count = 0;
		if (!load_list(l, list, error)) {
			share_out(l);
			find_list(l, &shared[list], error); /* weights may have become equal: this sorts again */
		}
	}
	for (size_t i = 0; i < l->records && !error->status; i++)
		l->record[i].list = shared[l->record[i].list];
	free(shared);
	return error->status ? -1 : 0;
}
