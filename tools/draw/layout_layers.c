/*
 * Trees: switches in ranks by their distance from the hosts, leaves at the bottom; within a rank in the order of the barycentres of their
 * neighbours (Sugiyama, Tagawa, Toda 1981), which places related switches together; the switches of a chassis are one beside the other.
 * Wide pictures are turned: the leaves are at the left, one above the other, as names need more space in width than in height. Time:
 * O(sweeps * lines + heads log heads).
 */
#include "base/memory.h"
#include "tools/draw/layout.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 12 };

/* In points: the maximum width of leaves in a row, the minimum width over which they are spread, and gaps. */
static const double widest_row = 1700, narrowest_row = 640, box_gap = 14, turned_gap = 5;

/* In points: the part of a box's side per parallel line, and the maximum length of such a side. */
static const double end_room = 9, longest_side = 180, longest_turned_side = 40;

struct layers {
	struct drawing *drawing;
	const struct neighbours *neighbours;
	uint32_t *rank; /* [heads] 0: the leaves */
	uint32_t ranks;
	uint32_t *order; /* [heads] rank by rank */
	uint32_t *start; /* [ranks + 2] start of each rank in order */
	double *place;   /* [heads] position in its rank, 0..1 */
	double *key;     /* [heads] sort key */
	double *common;  /* [chassis] mean sort key of its switches in the rank that is being sorted */
	uint32_t *count; /* [chassis] number of these switches */
	struct reach *reach;
	bool turned;
};

/* ---- ranks */

/* Computes distances from all switches with at least this number of hosts. Returns the number of ranks. queue: space for all heads. */
static uint32_t measure(const struct layers *l, uint32_t hosts, uint32_t *queue)
{
	uint32_t heads = l->drawing->heads, filled = 0, ranks = 1;
	for (uint32_t h = 0; h < heads; h++) {
		const struct box *box = &l->drawing->box[h];
		l->rank[h] = NONE;
		if (box->kind == BOX_HOST || (box->fabric_hosts && box->fabric_hosts >= hosts)) {
			l->rank[h] = 0;
			queue[filled++] = h;
		}
	}
	for (uint32_t done = 0; done < filled; done++) {
		uint32_t h = queue[done];
		for (uint32_t i = l->neighbours->first[h]; i < l->neighbours->first[h + 1]; i++) {
			uint32_t other = l->neighbours->neighbour[i];
			if (l->rank[other] != NONE)
				continue;
			l->rank[other] = l->rank[h] + 1;
			queue[filled++] = other;
			if (l->rank[other] == ranks)
				ranks++;
		}
	}
	for (uint32_t h = 0; h < heads; h++)
		if (l->rank[h] == NONE) /* disconnected from the hosts */
			l->rank[h] = ranks - 1;
	return ranks;
}

/* Returns the number of neighbours in the same rank, each pair counted twice. */
static uint32_t level_pairs(const struct layers *l)
{
	uint32_t pairs = 0;
	for (uint32_t h = 0; h < l->drawing->heads; h++)
		for (uint32_t i = l->neighbours->first[h]; i < l->neighbours->first[h + 1]; i++)
			pairs += l->rank[h] == l->rank[l->neighbours->neighbour[i]];
	return pairs;
}

/* Returns whether it is a switch above all that a route enters: it is no level of the tree. */
static bool is_idle(const struct drawing *drawing, uint32_t head)
{
	const struct box *box = &drawing->box[head];
	return heat_has_classes(drawing->heat) && box->kind == BOX_SWITCH && drawing->heat->fair.level[box->node] == LEVEL_NONE;
}

/* Moves idle switches below their neighbours, among switches of the tree. */
static void lower_idle(const struct layers *l)
{
	for (uint32_t h = 0; h < l->drawing->heads; h++) {
		uint32_t lowest = NONE;
		if (!is_idle(l->drawing, h))
			continue;
		for (uint32_t i = l->neighbours->first[h]; i < l->neighbours->first[h + 1]; i++) {
			uint32_t other = l->neighbours->neighbour[i];
			if (!is_idle(l->drawing, other) && l->rank[other] < lowest)
				lowest = l->rank[other];
		}
		if (lowest && lowest != NONE)
			l->rank[h] = lowest - 1;
	}
}

/*
 * A few hosts on a spine, such as a storage server, do not make it a leaf: if the ranks are not clean, only switches with at least half as
 * many hosts as the fullest count. A leaf with few hosts then appears above the spines, and is moved down again.
 */
static void rank_heads(struct layers *l, uint32_t *queue)
{
	l->ranks = measure(l, 1, queue);
	uint32_t pairs = level_pairs(l), most = 0;
	for (uint32_t h = 0; h < l->drawing->heads; h++)
		if (l->drawing->box[h].fabric_hosts > most)
			most = l->drawing->box[h].fabric_hosts;
	if (pairs)
		l->ranks = measure(l, (most + 1) / 2, queue);
	for (uint32_t h = 0; h < l->drawing->heads && pairs; h++)
		if (l->drawing->box[h].fabric_hosts && l->rank[h] == 2)
			l->rank[h] = 0;
	if (pairs && level_pairs(l) >= pairs)
		l->ranks = measure(l, 1, queue);
	lower_idle(l);
	uint32_t highest = 0;
	for (uint32_t h = 0; h < l->drawing->heads; h++)
		if (l->rank[h] > highest)
			highest = l->rank[h];
	l->ranks = highest + 1;
}

/* Returns whether the ranks are meaningful: more than one, and few cables within a rank. */
static bool is_tree(const struct layers *l)
{
	uint32_t pairs = l->neighbours->first[l->drawing->heads];
	return l->drawing->heads == 1 || (l->ranks > 1 && level_pairs(l) <= pairs / 10);
}

/* ---- order within the ranks */

/* Compares by key, the switches of a chassis first by their mean; keys that are equal except for rounding keep their order. */
static int compare_keys(const void *left, const void *right, void *data)
{
	const struct layers *l = data;
	uint32_t a, b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	uint32_t chassis = drawing_chassis(l->drawing, a), other = drawing_chassis(l->drawing, b);
	if (chassis != other) {
		double mean = chassis == NONE ? l->key[a] : l->common[chassis], others = other == NONE ? l->key[b] : l->common[other];
		return mean != others ? mean < others ? -1 : 1 : chassis < other ? -1 : 1;
	}
	if (l->key[a] != l->key[b])
		return l->key[a] < l->key[b] ? -1 : 1;
	return l->place[a] < l->place[b] ? -1 : l->place[a] > l->place[b];
}

static void set_places(struct layers *l, uint32_t rank)
{
	uint32_t begin = l->start[rank], count = l->start[rank + 1] - begin;
	for (uint32_t i = 0; i < count; i++)
		l->place[l->order[begin + i]] = (i + 0.5) / count;
}

/* Computes the mean key of each chassis in a rank. */
static void find_common(const struct layers *l, uint32_t rank)
{
	uint32_t chassis = l->drawing->chassis.count;
	memset(l->common, 0, chassis * sizeof *l->common);
	memset(l->count, 0, chassis * sizeof *l->count);
	for (uint32_t i = l->start[rank]; i < l->start[rank + 1]; i++) {
		uint32_t c = drawing_chassis(l->drawing, l->order[i]);
		if (c == NONE)
			continue;
		l->common[c] += l->key[l->order[i]];
		l->count[c]++;
	}
	for (uint32_t c = 0; c < chassis; c++)
		l->common[c] /= l->count[c] ? l->count[c] : 1;
}

/* Sorts a rank by the mean position of its neighbours in another. */
static void sort_rank(struct layers *l, uint32_t rank, uint32_t other)
{
	static const double steps = 1e9; /* keys are rounded, so that sums of the same positions in another order are equal */
	for (uint32_t i = l->start[rank]; i < l->start[rank + 1]; i++) {
		uint32_t h = l->order[i], count = 0;
		double sum = 0;
		for (uint32_t n = l->neighbours->first[h]; n < l->neighbours->first[h + 1]; n++)
			if (l->rank[l->neighbours->neighbour[n]] == other) {
				sum += l->place[l->neighbours->neighbour[n]];
				count++;
			}
		l->key[h] = (double)(int64_t)((count ? sum / count : l->place[h]) * steps + 0.5);
	}
	if (l->drawing->chassis.count)
		find_common(l, rank);
	qsort_r(l->order + l->start[rank], l->start[rank + 1] - l->start[rank], sizeof *l->order, compare_keys, l);
	set_places(l, rank);
}

static int order_heads(struct layers *l, struct error *error)
{
	uint32_t heads = l->drawing->heads, *sorted = array_create(heads, sizeof *sorted, error);
	if (!sorted)
		return -1;
	heads_by_label(l->drawing, sorted);
	/* start[r + 2] counts, then start[r + 1] is the beginning of rank r and, once filled, its end */
	for (uint32_t h = 0; h < heads; h++)
		l->start[l->rank[h] + 2]++;
	for (uint32_t r = 0; r < l->ranks; r++)
		l->start[r + 2] += l->start[r + 1];
	for (uint32_t i = 0; i < heads; i++)
		l->order[l->start[l->rank[sorted[i]] + 1]++] = sorted[i];
	free(sorted);
	for (uint32_t r = 0; r < l->ranks; r++)
		set_places(l, r);
	for (int sweep = 0; sweep < SWEEPS && l->ranks > 1; sweep++) {
		for (uint32_t r = 1; r < l->ranks; r++)
			sort_rank(l, r, r - 1);
		for (uint32_t r = l->ranks - 1; r--;)
			sort_rank(l, r, r + 1);
	}
	for (uint32_t r = 1; r < l->ranks; r++)
		sort_rank(l, r, r - 1);
	return 0;
}

/* ---- positions */

/* The extent of a head along its rank, before and after its centre. */
static double before(const struct layers *l, uint32_t head)
{
	return l->turned ? l->reach[head].up : l->reach[head].left;
}

static double after(const struct layers *l, uint32_t head)
{
	return l->turned ? l->reach[head].down : l->reach[head].right;
}

static void hang_all(struct layers *l)
{
	for (uint32_t h = 0; h < l->drawing->heads; h++) {
		enum { LEAF, TOP, BETWEEN } place = !l->rank[h] ? LEAF : l->rank[h] == l->ranks - 1 ? TOP : BETWEEN;
		static const enum hang upright[] = {HANG_BELOW, HANG_ABOVE, HANG_RIGHT}, turned[] = {HANG_LEFT, HANG_RIGHT, HANG_BELOW};
		enum hang how = l->turned ? turned[place] : upright[place];
		l->reach[h] = hang(l->drawing, h, how);
	}
}

/* Makes room for parallel lines: a switch is lengthened beyond its name. ends: [heads] */
static void widen(const struct layers *l, bool up, uint32_t *ends)
{
	struct drawing *drawing = l->drawing;
	memset(ends, 0, drawing->heads * sizeof *ends);
	for (uint32_t i = 0; i < drawing->lines; i++) {
		const struct line *line = &drawing->line[i];
		for (int end = 0; end < 2 && line->lanes > 1; end++) {
			uint32_t head = line->box[end], other = line->box[!end];
			if (head >= drawing->heads || other >= drawing->heads)
				continue;
			ends[head] += up ? l->rank[other] > l->rank[head] : l->rank[other] < l->rank[head];
		}
	}
	for (uint32_t h = 0; h < drawing->heads; h++) {
		double *side = l->turned ? &drawing->box[h].height : &drawing->box[h].width;
		double wanted = fmin(ends[h] * end_room, l->turned ? longest_turned_side : longest_side);
		*side = fmax(*side, wanted);
	}
}

/* Returns half of the largest extent of a rank's switches across it. */
static double half_depth(const struct layers *l, uint32_t rank)
{
	double depth = 0;
	for (uint32_t i = l->start[rank]; i < l->start[rank + 1]; i++) {
		const struct box *box = &l->drawing->box[l->order[i]];
		depth = fmax(depth, l->turned ? box->width / 2 : box->height / 2);
	}
	return depth;
}

/* In a column, the switches of a rank look tidy if all are as wide as the widest. */
static void align(const struct layers *l)
{
	for (uint32_t r = 0; r < l->ranks; r++) {
		double width = 2 * half_depth(l, r);
		for (uint32_t i = l->start[r]; i < l->start[r + 1]; i++)
			l->drawing->box[l->order[i]].width = width;
	}
}

static double rank_length(const struct layers *l, uint32_t rank)
{
	double length = 0;
	for (uint32_t i = l->start[rank]; i < l->start[rank + 1]; i++)
		length += before(l, l->order[i]) + after(l, l->order[i]) + (l->turned ? turned_gap : box_gap);
	return length;
}

static double longest_rank(const struct layers *l)
{
	double longest = 0;
	for (uint32_t r = 0; r < l->ranks; r++)
		longest = fmax(longest, rank_length(l, r));
	return longest;
}

/* Places a rank, spread over the length; across: the common coordinate of its heads. */
static void place_rank(struct layers *l, uint32_t rank, double length, double across)
{
	uint32_t count = l->start[rank + 1] - l->start[rank];
	double gap = (l->turned ? turned_gap : box_gap) + (length - rank_length(l, rank)) / count, along = 0;
	for (uint32_t i = l->start[rank]; i < l->start[rank + 1]; i++) {
		uint32_t h = l->order[i];
		along += gap / 2 + before(l, h);
		l->drawing->box[h].at = l->turned ? (struct point){across, -along} : (struct point){along, across};
		along += after(l, h) + gap / 2;
	}
}

/* Steep lines are easier to follow: the longer the ranks, the larger their distance. */
static void place_heads(struct layers *l)
{
	double length = fmax(longest_rank(l), l->turned ? 0 : narrowest_row), across = 0;
	double gap = length * (l->turned ? 0.32 : 0.38), least = l->turned ? 220 : 110, most = l->turned ? 4000 : 560;
	gap = fmin(fmax(gap, least), most);
	for (uint32_t r = 0; r < l->ranks; r++) {
		across += r ? half_depth(l, r) : 0;
		place_rank(l, r, length, across);
		across += half_depth(l, r) + gap;
	}
}

/* Returns twice the rank of a box: boxes attached below a leaf or above the top are between ranks. */
static int64_t level(const struct layers *l, uint32_t index)
{
	const struct box *box = &l->drawing->box[index];
	int64_t head = 2 * (int64_t)l->rank[box->head];
	if (index < l->drawing->heads)
		return head;
	return box->side == SIDE_BOTTOM || box->side == SIDE_LEFT ? head - 1 : head + 1;
}

/* Lines between ranks leave their boxes at the sides that face each other. */
static void set_sides(const struct layers *l)
{
	for (uint32_t i = 0; i < l->drawing->lines; i++) {
		struct line *line = &l->drawing->line[i];
		int64_t a = level(l, line->box[0]), b = level(l, line->box[1]);
		if (a == b)
			continue;
		int lower = a > b;
		line->side[lower] = l->turned ? SIDE_RIGHT : SIDE_TOP;
		line->side[!lower] = l->turned ? SIDE_LEFT : SIDE_BOTTOM;
	}
}

int layout_layers(struct drawing *drawing, const struct neighbours *neighbours, bool forced, struct error *error)
{
	uint32_t heads = drawing->heads;
	struct layers l = {
		.drawing = drawing,
		.neighbours = neighbours,
		.rank = array_create(heads, sizeof *l.rank, error),
		.order = array_create(heads, sizeof *l.order, error),
		.start = array_create((size_t)heads + 2, sizeof *l.start, error),
		.place = array_create(heads, sizeof *l.place, error),
		.key = array_create(heads, sizeof *l.key, error),
		.common = array_create(drawing->chassis.count, sizeof *l.common, error),
		.count = array_create(drawing->chassis.count, sizeof *l.count, error),
		.reach = array_create(heads, sizeof *l.reach, error),
	};
	uint32_t *ends = array_create(heads, sizeof *ends, error);
	int fits = error->status ? -1 : 0;
	if (!fits) {
		rank_heads(&l, l.order);
		fits = forced || is_tree(&l);
	}
	if (fits > 0 && order_heads(&l, error))
		fits = -1;
	if (fits > 0) {
		hang_all(&l);
		l.turned = longest_rank(&l) > widest_row;
		widen(&l, true, ends);
		widen(&l, false, ends);
		if (l.turned)
			align(&l);
		hang_all(&l);
		place_heads(&l);
		set_sides(&l);
	}
	free(l.rank);
	free(l.order);
	free(l.start);
	free(l.place);
	free(l.key);
	free(l.common);
	free(l.count);
	free(l.reach);
	free(ends);
	return fits;
}
