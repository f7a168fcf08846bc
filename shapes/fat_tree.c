#include "shapes/fat_tree.h"

#include "base/memory.h"
#include "shapes/fat_tree_part.h"

#include <stdlib.h>
#include <string.h>

/* Deviating cables of a trunk; numbers of the part. */
struct trunk {
	uint32_t lower, upper, cables;
	uint32_t block; /* of missing ones; NONE: surplus */
};

struct survey {
	const struct cabling_parts *parts;
	const struct part *part;
	struct tree_part *tree;
	struct fat_tree *result;
	uint32_t *least, *most;              /* [switches] by block: widths of trunks */
	uint32_t *expected;                  /* [switches] cables */
	uint32_t *missing, *surplus;         /* [switches] cables, without those that a misfit at the other end causes */
	bool *misfit;                        /* [switches] */
	uint32_t *upper, *lower;             /* members of the blocks: upper[first_upper[b]] .. upper[first_upper[b + 1] - 1] */
	uint32_t *first_upper, *first_lower; /* [switches + 1] */
	struct trunk *trunk;
	size_t trunks, room;
	uint64_t explained; /* cables */
	uint32_t misfits;
};

/* ---- widths of trunks */

static bool in_block(const struct survey *s, uint32_t x, uint32_t v)
{
	return s->tree->level[x] + 1 == s->tree->level[v] && s->tree->below[v] != NONE && tree_block_has(s->tree, x, s->tree->below[v]);
}

/* Finds the usual width of the trunks of each block. If more than three tenths of them differ, there is none. Returns 0, or -1. */
static int find_widths(struct survey *s, struct error *error)
{
	const struct part *part = s->part;
	uint32_t *width = array_create(part->first[part->switches], sizeof *width, error);
	uint32_t *end = array_create((size_t)part->switches + 1, sizeof *end, error);
	for (int fill = 0; fill < 2 && !error->status; fill++) {
		for (uint32_t v = 0; v < part->switches; v++)
			for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
				const struct neighbour *n = &part->neighbour[i];
				if (!in_block(s, n->to, v))
					continue;
				if (fill)
					width[end[s->tree->below[v]]++] = n->cables;
				else
					end[s->tree->below[v] + 1]++;
			}
		for (uint32_t b = 0; b < part->switches && !fill; b++)
			end[b + 1] += end[b];
	}
	for (uint32_t b = 0, from = 0; b < part->switches && !error->status; from = end[b++]) {
		uint32_t count = end[b] - from, usual = most_common(width + from, count), same = 0;
		for (uint32_t i = from; i < end[b]; i++)
			same += width[i] == usual;
		bool varies = 10 * (uint64_t)same < 7 * (uint64_t)count;
		s->least[b] = varies ? width[from] : usual;
		s->most[b] = varies ? width[end[b] - 1] : usual;
	}
	free(width);
	free(end);
	return error->status ? -1 : 0;
}

/* ---- members of blocks */

/* Lists the members of a block in the order of the switches. Returns 0, or -1. */
static int list_members(struct survey *s, struct error *error)
{
	const struct tree_part *t = s->tree;
	uint32_t n = s->part->switches, uppers = 0, lowers = 0;
	for (uint32_t b = 0; b < n; b++) {
		s->first_upper[b] = uppers;
		s->first_lower[b] = lowers;
		uppers += t->uppers[b];
		lowers += t->uppers[b] ? t->lowers[b] : 0;
	}
	s->upper = array_create(uppers, sizeof *s->upper, error);
	s->lower = array_create(lowers, sizeof *s->lower, error);
	for (uint32_t v = 0; v < n && !error->status; v++) {
		if (t->below[v] != NONE)
			s->upper[s->first_upper[t->below[v]]++] = v;
		for (uint32_t i = 0; i < t->blocks[v]; i++)
			s->lower[s->first_lower[t->block[s->part->first[v] + i]]++] = v;
	}
	for (uint32_t b = n; b > 0; b--) {
		s->first_upper[b] = s->first_upper[b - 1];
		s->first_lower[b] = s->first_lower[b - 1];
	}
	s->first_upper[0] = s->first_lower[0] = 0;
	return error->status ? -1 : 0;
}

/* ---- deviations */

/* Notes deviating cables, unless there are none. block: NONE if they are surplus. Returns 0, or -1. */
static int add_trunk(struct survey *s, uint32_t lower, uint32_t upper, uint32_t cables, uint32_t block, struct error *error)
{
	if (!cables || array_grow(&s->trunk, &s->room, s->trunks + 1, sizeof *s->trunk, error))
		return error->status ? -1 : 0;
	uint32_t *count = block == NONE ? s->surplus : s->missing;
	count[lower] += cables;
	count[upper] += cables;
	s->trunk[s->trunks++] = (struct trunk){lower, upper, cables, block};
	return 0;
}

/* Compares the trunks of the blocks with the cables. Returns 0, or -1. */
static int compare_blocks(struct survey *s, struct error *error)
{
	const struct tree_part *t = s->tree;
	for (uint32_t b = 0; b < s->part->switches; b++)
		for (uint32_t i = s->first_lower[b]; i < s->first_lower[b + 1]; i++)
			for (uint32_t k = s->first_upper[b]; k < s->first_upper[b + 1] && !error->status; k++) {
				uint32_t x = s->lower[i], v = s->upper[k], cables = part_cables(s->part, x, v);
				bool evident = t->blocks[x] == 1 || (t->uppers[b] > 1 && t->lowers[b] > 1);
				s->expected[x] += s->least[b];
				s->expected[v] += s->least[b];
				s->explained += !evident ? 0 : cables < s->most[b] ? cables : s->most[b];
				add_trunk(s, x, v, cables < s->least[b] ? s->least[b] - cables : 0, b, error);
				add_trunk(s, x, v, cables > s->most[b] ? cables - s->most[b] : 0, NONE, error);
			}
	return error->status ? -1 : 0;
}

/* Finds the cables that are not in any block. Returns 0, or -1. */
static int find_stray_cables(struct survey *s, struct error *error)
{
	const uint32_t *level = s->tree->level;
	for (uint32_t v = 0; v < s->part->switches; v++)
		for (uint32_t i = s->part->first[v]; i < s->part->first[v + 1] && !error->status; i++) {
			const struct neighbour *n = &s->part->neighbour[i];
			bool below = level[n->to] < level[v] || (level[n->to] == level[v] && n->to < v);
			if (below && !in_block(s, n->to, v))
				add_trunk(s, n->to, v, n->cables, NONE, error);
		}
	return error->status ? -1 : 0;
}

/* ---- misfits */

/* Makes the switch a misfit: its deviations no longer count at the other ends. */
static void make_misfit(struct survey *s, uint32_t v)
{
	s->misfit[v] = true;
	s->misfits++;
	for (size_t i = 0; i < s->trunks; i++) {
		const struct trunk *k = &s->trunk[i];
		uint32_t other = k->lower == v ? k->upper : k->lower;
		if ((k->lower == v || k->upper == v) && !s->misfit[other])
			(k->block == NONE ? s->surplus : s->missing)[other] -= k->cables;
	}
}

static bool carries_nothing(const struct tree_part *t, uint32_t v)
{
	return t->level[v] && (t->below[v] == NONE || !t->lowers[t->below[v]]);
}

/* Finds the misfits, the worst first; gives up when they are too many for a tree. */
static void find_misfits(struct survey *s)
{
	for (uint32_t v = 0; v < s->part->switches; v++)
		if (carries_nothing(s->tree, v))
			make_misfit(s, v);
	for (uint32_t worst = 0; worst != NONE && 3 * (uint64_t)s->misfits <= s->part->switches;) {
		uint64_t deviating = 0;
		worst = NONE;
		for (uint32_t v = 0; v < s->part->switches; v++) {
			uint64_t own = (uint64_t)s->missing[v] + s->surplus[v];
			if (!s->misfit[v] && 2 * own > s->expected[v] &&
				(worst == NONE || own * s->expected[worst] > deviating * s->expected[v])) {
				worst = v;
				deviating = own;
			}
		}
		if (worst != NONE)
			make_misfit(s, worst);
	}
}

/* ---- the result */

static int add_blocks(struct survey *s, struct error *error)
{
	struct fat_tree *r = s->result;
	const struct tree_part *t = s->tree;
	for (uint32_t b = 0; b < s->part->switches; b++) {
		uint32_t lowers = s->first_lower[b + 1] - s->first_lower[b], uppers = s->first_upper[b + 1] - s->first_upper[b];
		if (!lowers || !uppers)
			continue;
		if (array_grow(&r->block, &r->block_room, (size_t)r->blocks + 1, sizeof *r->block, error) ||
			array_grow(&r->member, &r->member_room, r->members + lowers + uppers, sizeof *r->member, error))
			return -1;
		r->block[r->blocks] = (struct fat_block){t->level[s->upper[s->first_upper[b]]] - 1, (uint32_t)r->members, lowers, uppers,
			s->least[b], s->most[b], t->lacking[b]};
		r->missing_switches += t->lacking[b];
		for (uint32_t i = 0; i < lowers; i++)
			r->member[r->members++] = s->part->node[s->lower[s->first_lower[b] + i]];
		for (uint32_t i = 0; i < uppers; i++)
			r->member[r->members++] = s->part->node[s->upper[s->first_upper[b] + i]];
		s->least[b] = r->blocks++; /* its number from now on */
	}
	return 0;
}

static int add_misfit(struct survey *s, uint32_t v, bool outside, struct error *error)
{
	struct fat_tree *r = s->result;
	struct fat_misfit misfit = {s->part->node[v], s->expected[v], s->missing[v], s->surplus[v]};
	if (array_grow(&r->misfit, &r->misfit_room, (size_t)r->misfits + 1, sizeof *r->misfit, error))
		return -1;
	if (outside) {
		misfit = (struct fat_misfit){.node = s->part->node[v]};
		for (uint32_t i = s->part->first[v]; i < s->part->first[v + 1]; i++)
			misfit.surplus += s->part->neighbour[i].cables;
	}
	r->misfit[r->misfits++] = misfit;
	return 0;
}

static int add_cable(struct survey *s, const struct trunk *k, uint32_t channel, struct error *error)
{
	struct fat_tree *r = s->result;
	uint32_t cause = s->misfit[k->lower] ? k->lower : s->misfit[k->upper] ? k->upper : NONE;
	if (array_grow(&r->cable, &r->cable_room, (size_t)r->missing + r->surplus + 1, sizeof *r->cable, error))
		return -1;
	r->cable[r->missing + r->surplus] = (struct fat_cable){s->part->node[k->lower], s->part->node[k->upper], channel,
		k->block == NONE ? NONE : s->least[k->block], cause == NONE ? NONE : s->part->node[cause]};
	*(k->block == NONE ? &r->surplus : &r->missing) += 1;
	return 0;
}

/* Adds the cables of a trunk; of parallel ones, the last are surplus. */
static void add_cables(struct survey *s, const struct trunk *k, struct error *error)
{
	const struct fabric *f = s->parts->fabric;
	uint32_t from = s->part->node[k->lower], to = s->part->node[k->upper], left = k->cables;
	for (; k->block != NONE && left && !error->status; left--)
		add_cable(s, k, NONE, error);
	for (uint32_t c = f->first_channel[from + 1]; left && c-- > f->first_channel[from] && !error->status;)
		if (f->head[c] == to && s->parts->reverse[c] != NONE) {
			add_cable(s, k, c, error);
			left--;
		}
}

/* Adds the part to the result, or only its switches if it is not a tree. */
static int add_part(struct survey *s, bool is_tree, struct error *error)
{
	struct fat_tree *r = s->result;
	const struct tree_part *t = s->tree;
	if (is_tree && add_blocks(s, error))
		return -1;
	for (size_t i = 0; i < s->trunks && is_tree && !error->status; i++)
		add_cables(s, &s->trunk[i], error);
	for (uint32_t v = 0; v < s->part->switches && !error->status; v++) {
		uint32_t node = s->part->node[v];
		r->level[node] = is_tree ? t->level[v] : NONE;
		if (!is_tree || s->misfit[v])
			add_misfit(s, v, !is_tree, error);
		else
			r->size[t->level[v]]++;
		if (is_tree && t->root[v] && !s->misfit[v])
			r->root[r->roots++] = node;
	}
	r->found |= is_tree;
	r->levels = is_tree && t->top >= r->levels ? t->top + 1 : r->levels;
	return error->status ? -1 : 0;
}

/* Returns whether the part is a tree. */
static bool judge_part(struct survey *s, struct error *error)
{
	if (!s->tree->top || find_widths(s, error) || list_members(s, error) || compare_blocks(s, error) || find_stray_cables(s, error))
		return false;
	find_misfits(s);
	return 3 * (uint64_t)s->misfits <= s->part->switches && 4 * s->explained >= 3 * s->part->cables;
}

static int survey_part(struct fat_tree *result, const struct cabling_parts *parts, uint32_t index, struct error *error)
{
	struct part part;
	struct tree_part tree = {0};
	struct survey s = {.parts = parts, .part = &part, .tree = &tree, .result = result};
	if (!part_make(&part, parts, index, error)) {
		size_t n = part.switches;
		s.least = array_create(n, sizeof *s.least, error);
		s.most = array_create(n, sizeof *s.most, error);
		s.expected = array_create(n, sizeof *s.expected, error);
		s.missing = array_create(n, sizeof *s.missing, error);
		s.surplus = array_create(n, sizeof *s.surplus, error);
		s.misfit = array_create(n, sizeof *s.misfit, error);
		s.first_upper = array_create(n + 1, sizeof *s.first_upper, error);
		s.first_lower = array_create(n + 1, sizeof *s.first_lower, error);
		if (!tree_part_init(&tree, &part, error) && !tree_levels_find(&tree, error) && !tree_blocks_find(&tree, error)) {
			bool is_tree = judge_part(&s, error);
			if (!error->status)
				add_part(&s, is_tree, error);
		}
	}
	free(s.least);
	free(s.most);
	free(s.expected);
	free(s.missing);
	free(s.surplus);
	free(s.misfit);
	free(s.upper);
	free(s.lower);
	free(s.first_upper);
	free(s.first_lower);
	free(s.trunk);
	tree_part_clear(&tree);
	part_clear(&part);
	return error->status ? -1 : 0;
}

/* ---- the order of the result */

/* A deviating cable or a misfit with what it is sorted by. */
struct sorted {
	uint32_t key[4];
	uint32_t index;
};

static int compare_sorted(const void *left, const void *right)
{
	const struct sorted *x = left, *y = right;
	for (int i = 0; i < 4; i++)
		if (x->key[i] != y->key[i])
			return x->key[i] < y->key[i] ? -1 : 1;
	return x->index < y->index ? -1 : x->index > y->index;
}

/* Puts count items of size bytes each into the order of their keys. Returns 0, or -1. */
static int reorder(void *items, size_t size, struct sorted *key, uint32_t count, struct error *error)
{
	char *old = array_copy(items, count, size, error);
	if (!old)
		return -1;
	qsort(key, count, sizeof *key, compare_sorted);
	for (uint32_t i = 0; i < count; i++)
		memcpy((char *)items + i * size, old + key[i].index * size, size);
	free(old);
	return 0;
}

static int sort_result(struct fat_tree *r, uint32_t nodes, struct error *error)
{
	uint32_t cables = r->missing + r->surplus, most = cables > r->misfits ? cables : r->misfits;
	struct sorted *key = array_create(most, sizeof *key, error);
	uint32_t *rank = array_create(nodes, sizeof *rank, error);
	for (uint32_t i = 0; i < r->misfits && !error->status; i++)
		key[i] = (struct sorted){{r->level[r->misfit[i].node], r->misfit[i].node}, i};
	if (!error->status)
		reorder(r->misfit, sizeof *r->misfit, key, r->misfits, error);
	for (uint32_t i = 0; i < r->misfits && !error->status; i++)
		rank[r->misfit[i].node] = i;
	for (uint32_t i = 0; i < cables && !error->status; i++) {
		const struct fat_cable *c = &r->cable[i];
		key[i] = (struct sorted){{c->channel == NONE ? 0 : 1, c->cause == NONE ? NONE : rank[c->cause], c->lower, c->upper}, i};
	}
	if (!error->status)
		reorder(r->cable, sizeof *r->cable, key, cables, error);
	free(key);
	free(rank);
	return error->status ? -1 : 0;
}

int fat_tree_find(struct fat_tree *tree, const struct fabric *fabric, const uint32_t *reverse, struct error *error)
{
	struct cabling_parts parts;
	*tree = (struct fat_tree){
		.level = array_create(fabric->nodes, sizeof *tree->level, error),
		.root = array_create(fabric->nodes, sizeof *tree->root, error),
	};
	if (!parts_find(&parts, fabric, reverse, error)) {
		memset(tree->level, 0xff, fabric->nodes * sizeof *tree->level); /* NONE */
		for (uint32_t i = 0; i < parts.parts && !error->status; i++)
			survey_part(tree, &parts, i, error);
		if (!error->status)
			sort_result(tree, fabric->nodes, error);
	}
	shape_parts_clear(&parts);
	if (error->status)
		return -1;
	if (3 * (uint64_t)tree->misfits > fabric->nodes - fabric->hosts)
		fat_tree_clear(tree);
	return 0;
}

void fat_tree_clear(struct fat_tree *tree)
{
	free(tree->level);
	free(tree->block);
	free(tree->member);
	free(tree->misfit);
	free(tree->cable);
	free(tree->root);
	*tree = (struct fat_tree){0};
}
