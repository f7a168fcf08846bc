/*
 * The blocks between two levels. Upper switches with about the same lower neighbours are a group; the lower switches that most of a group
 * are cabled to belong to it. A lower switch with fewer upper ones than usual, which is cabled to some of another group, belongs to that,
 * too; with more than usual, it leaves groups of one switch, unless these are additions that most of their lower switches have.
 */
#include "base/memory.h"
#include "shapes/fat_tree_part.h"

#include <stdlib.h>
#include <string.h>

/* Sorts packed pairs of a count, the largest first, and a switch. */
static int compare_counts(const void *left, const void *right)
{
	const uint64_t *x = left, *y = right;
	return *x < *y ? -1 : *x > *y;
}

static bool is_upper(const struct tree_part *t, uint32_t v, uint32_t level)
{
	return t->level[v] == level + 1;
}

/* Returns whether x can be a lower switch: above the leaves, one without a switch below it does not carry anything. */
static bool is_lower(const struct tree_part *t, uint32_t x, uint32_t level)
{
	return t->level[x] == level && (!level || t->below[x] != NONE);
}

static uint32_t count_below(const struct tree_part *t, uint32_t v)
{
	uint32_t count = 0;
	for (uint32_t i = t->part->first[v]; i < t->part->first[v + 1]; i++)
		count += is_lower(t, t->part->neighbour[i].to, t->level[v] - 1);
	return count;
}

/* Returns the block of which v has most lower switches, relative to those that either has; NONE if it is less than a third. */
static uint32_t most_similar(struct tree_part *t, uint32_t v, uint32_t count)
{
	const struct part *part = t->part;
	uint32_t best = NONE;
	uint64_t shared = 0, all = 1;
	for (int counting = 1; counting >= 0; counting--)
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t x = part->neighbour[i].to;
			for (uint32_t k = 0; is_lower(t, x, t->level[v] - 1) && k < t->blocks[x]; k++) {
				uint32_t b = t->block[part->first[x] + k];
				t->tally[b] = counting ? t->tally[b] + 1 : 0;
			}
			for (uint32_t k = 0; counting && is_lower(t, x, t->level[v] - 1) && k < t->blocks[x]; k++) {
				uint32_t b = t->block[part->first[x] + k], common = t->tally[b];
				uint64_t either = (uint64_t)count + t->lowers[b] - common;
				if (common * all > shared * either || (common * all == shared * either && best != NONE && b < best)) {
					shared = common;
					all = either;
					best = b;
				}
			}
		}
	return 3 * shared >= all ? best : NONE;
}

/* Groups the upper switches, those with most lower neighbours first: a switch joins the most similar group, or begins one. */
static void group_uppers(struct tree_part *t, uint32_t level, uint64_t *sorted)
{
	const struct part *part = t->part;
	uint32_t count = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		if (is_upper(t, v, level) && count_below(t, v))
			sorted[count++] = (uint64_t)(UINT32_MAX - count_below(t, v)) << 32 | v;
	qsort(sorted, count, sizeof *sorted, compare_counts);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t v = (uint32_t)sorted[i], below = count_below(t, v), b = most_similar(t, v, below);
		t->below[v] = b != NONE ? b : v;
		if (b != NONE)
			continue;
		t->lowers[v] = below;
		for (uint32_t k = part->first[v]; k < part->first[v + 1]; k++) {
			uint32_t x = part->neighbour[k].to;
			if (is_lower(t, x, level))
				t->block[part->first[x] + t->blocks[x]++] = v;
		}
	}
}

/* Counts the cabled upper switches of each block of x: *list of the blocks, in t->values, the numbers in t->tally. Returns their number. */
static uint32_t tally_blocks(struct tree_part *t, uint32_t x)
{
	const struct part *part = t->part;
	uint32_t count = 0;
	for (uint32_t i = part->first[x]; i < part->first[x + 1]; i++) {
		uint32_t v = part->neighbour[i].to, b = is_upper(t, v, t->level[x]) ? t->below[v] : NONE;
		if (b != NONE && !t->tally[b]++)
			t->values[count++] = b;
	}
	return count;
}

static void enter(struct tree_part *t, uint32_t x, uint32_t block)
{
	t->block[t->part->first[x] + t->blocks[x]++] = block;
	t->lowers[block]++;
	t->expected[x] += t->uppers[block];
}

static void leave(struct tree_part *t, uint32_t x, uint32_t block)
{
	uint32_t *own = t->block + t->part->first[x], i = 0;
	while (own[i] != block)
		i++;
	memmove(own + i, own + i + 1, (--t->blocks[x] - i) * sizeof *own);
	t->lowers[block]--;
	t->expected[x] -= t->uppers[block];
}

/* Makes the blocks from the groups of upper switches: each has the lower switches that more than half of it is cabled to. */
static void enter_lowers(struct tree_part *t, uint32_t level)
{
	for (uint32_t v = 0; v < t->part->switches; v++)
		if (is_upper(t, v, level))
			t->uppers[v] = t->lowers[v] = 0;
	for (uint32_t v = 0; v < t->part->switches; v++)
		if (is_upper(t, v, level) && t->below[v] != NONE)
			t->uppers[t->below[v]]++;
	for (uint32_t x = 0; x < t->part->switches; x++) {
		if (!is_lower(t, x, level))
			continue;
		uint32_t count = tally_blocks(t, x);
		t->blocks[x] = t->expected[x] = 0;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t b = t->values[i];
			if (2 * t->tally[b] > t->uppers[b])
				enter(t, x, b);
			t->tally[b] = 0;
		}
	}
}

/* Returns the usual number of upper switches of a lower one; *share: whether at least two thirds have it. */
static uint32_t usual_uppers(struct tree_part *t, uint32_t level, bool *share)
{
	uint32_t count = 0, same = 0;
	for (uint32_t x = 0; x < t->part->switches; x++)
		if (is_lower(t, x, level) && t->expected[x])
			t->values[count++] = t->expected[x];
	uint32_t usual = most_common(t->values, count);
	for (uint32_t i = 0; i < count; i++)
		same += t->values[i] == usual;
	*share = 3 * (uint64_t)same >= 2 * (uint64_t)count;
	return usual;
}

/* Enters a switch that has fewer upper switches than usual into further blocks to which it has at least a third of the cables. */
static void enter_more(struct tree_part *t, uint32_t x, uint32_t usual)
{
	for (uint32_t best = x; best != NONE && t->expected[x] < usual;) {
		uint32_t count = tally_blocks(t, x);
		best = NONE;
		for (uint32_t i = 0; i < count; i++) {
			uint32_t b = t->values[i];
			if (3 * t->tally[b] >= t->uppers[b] && t->expected[x] + t->uppers[b] <= usual && !tree_block_has(t, x, b) &&
				(best == NONE || (uint64_t)t->tally[b] * t->uppers[best] > (uint64_t)t->tally[best] * t->uppers[b]))
				best = b;
		}
		for (uint32_t i = 0; i < count; i++)
			t->tally[t->values[i]] = 0;
		if (best != NONE)
			enter(t, x, best);
	}
}

/* Removes a switch with more upper switches than usual from blocks of one upper switch, the largest first. added: [switches] by block */
static void leave_some(struct tree_part *t, uint32_t x, uint32_t usual, const bool *added)
{
	for (uint32_t best = x; best != NONE && t->expected[x] > usual;) {
		best = NONE;
		for (uint32_t i = 0; i < t->blocks[x]; i++) {
			uint32_t b = t->block[t->part->first[x] + i];
			if (t->uppers[b] == 1 && !added[b] && (best == NONE || t->lowers[b] > t->lowers[best]))
				best = b;
		}
		if (best != NONE)
			leave(t, x, best);
	}
}

/* Marks the blocks that are additions: at least two lower switches, most of which have more upper ones than usual. Uses t->tally. */
static void mark_added(struct tree_part *t, uint32_t level, uint32_t usual, bool *added)
{
	const struct part *part = t->part;
	for (uint32_t x = 0; x < part->switches; x++)
		for (uint32_t i = 0; is_lower(t, x, level) && t->expected[x] > usual && i < t->blocks[x]; i++)
			t->tally[t->block[part->first[x] + i]]++;
	for (uint32_t b = 0; b < part->switches; b++) {
		added[b] = t->lowers[b] >= 2 && 2 * t->tally[b] > t->lowers[b];
		t->tally[b] = 0;
	}
}

/*
 * Finds missing upper switches: those that all lower switches of a block lack. lacking of a block is the least that its switches lack;
 * if they have several blocks, only the first counts.
 */
static void find_lacking(struct tree_part *t, uint32_t level, uint32_t usual)
{
	const struct part *part = t->part;
	for (uint32_t v = 0; v < part->switches; v++)
		if (is_upper(t, v, level))
			t->lacking[v] = t->lowers[v] > 1 ? NONE : 0;
	for (uint32_t x = 0; x < part->switches; x++)
		for (uint32_t i = 0; is_lower(t, x, level) && i < t->blocks[x]; i++) {
			uint32_t b = t->block[part->first[x] + i], lacks = t->expected[x] < usual ? usual - t->expected[x] : 0;
			for (uint32_t k = 0; k < t->blocks[x]; k++)
				lacks = t->block[part->first[x] + k] < b ? 0 : lacks;
			t->lacking[b] = lacks < t->lacking[b] ? lacks : t->lacking[b];
		}
	for (uint32_t v = 0; v < part->switches; v++)
		if (is_upper(t, v, level) && t->lacking[v] == NONE)
			t->lacking[v] = 0;
}

/* scratch: [switches] */
static void find_blocks_above(struct tree_part *t, uint32_t level, uint64_t *sorted, bool *added)
{
	bool most;
	group_uppers(t, level, sorted);
	enter_lowers(t, level);
	for (uint32_t v = 0; v < t->part->switches; v++) /* by what most of a group have, not by its first switch */
		if (is_upper(t, v, level) && t->below[v] != NONE) {
			uint32_t b = most_similar(t, v, count_below(t, v));
			t->below[v] = b == NONE ? t->below[v] : b;
		}
	enter_lowers(t, level);
	uint32_t usual = usual_uppers(t, level, &most);
	mark_added(t, level, usual, added);
	for (uint32_t x = 0; x < t->part->switches; x++)
		if (is_lower(t, x, level)) {
			if (level || t->leaf[x] || t->part->hosts[x])
				enter_more(t, x, usual);
			leave_some(t, x, usual, added);
		}
	if (most)
		find_lacking(t, level, usual);
}

int tree_blocks_find(struct tree_part *tree, struct error *error)
{
	uint32_t n = tree->part->switches;
	uint64_t *sorted = array_create(n, sizeof *sorted, error);
	bool *added = array_create(n, sizeof *added, error);
	memset(tree->below, 0xff, n * sizeof *tree->below); /* NONE */
	for (uint32_t level = 0; level < tree->top && !error->status; level++)
		find_blocks_above(tree, level, sorted, added);
	free(sorted);
	free(added);
	return error->status ? -1 : 0;
}
