/*
 * A switch's level is its distance from the leaves, which have the hosts. Then, level by level upwards, the switches are put together: a
 * block is what hangs together when all higher levels are taken away; within a block, siblings are switches with the same children. In an
 * extended generalised fat tree a block of level i is made of m_i blocks of level i-1, and its switches are groups of w_i siblings, whose
 * children are one switch of each of those blocks. Switches with as many children as most say what belongs together; the others are
 * put where most of their children are.
 */
#include "shape_part.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = SHAPE_VALUES - 1 };

struct tree {
	const struct part *part;
	struct plan *plan;
	uint32_t *level;                                                  /* [switches] */
	uint32_t levels, size[LEVELS_MAX];                                /* size: switches of a level */
	uint32_t m[LEVELS_MAX + 2], w[LEVELS_MAX + 2], p[LEVELS_MAX + 2]; /* [1..levels]; p: parallel cables */
	uint32_t *block;                                                  /* [switches] */
	uint32_t *group;                                                  /* [switches] of siblings; numbers are unique */
	uint32_t *upper;                                                  /* [switches] by block: the block above it, NONE: not found yet */
	uint32_t *parents;                                                /* [switches] the group of its parents, NONE: not found yet */
	uint32_t *sizes, *slots;                                          /* [switches] for counting */
	uint32_t *values;                                                 /* [links] for the while */
};

static bool is_child(const struct tree *t, uint32_t v, const struct neighbour *n)
{
	return t->level[n->to] + 1 == t->level[v];
}

/*
 * Leaves have at least half as many hosts as most switches with hosts: a host elsewhere does not make a leaf. Any other switch is one level
 * above so many neighbours: with two, one cable too many does not lower it; but a switch may have but one child.
 */
static void measure_levels(struct tree *t, uint32_t needed)
{
	const struct part *part = t->part;
	uint32_t count = 0, from = 0, to = 0, *queue = t->values;
	for (uint32_t v = 0; v < part->switches; v++)
		if (part->hosts[v])
			t->values[count++] = part->hosts[v];
	uint32_t usual = most_common(t->values, count);
	for (uint32_t v = 0; v < part->switches; v++) {
		t->level[v] = part->hosts[v] && 2 * (uint64_t)part->hosts[v] >= usual ? 0 : NONE;
		t->sizes[v] = 0;
		if (!t->level[v])
			queue[to++] = v;
	}
	for (; from < to; from++)
		for (uint32_t v = queue[from], i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t u = part->neighbour[i].to;
			if (t->level[u] == NONE && ++t->sizes[u] == needed) {
				t->level[u] = t->level[v] + 1;
				queue[to++] = u;
			}
		}
}

static bool find_levels(struct tree *t, uint32_t needed)
{
	t->levels = 0;
	memset(t->size, 0, sizeof t->size);
	measure_levels(t, needed);
	for (uint32_t v = 0; v < t->part->switches; v++) {
		if (t->level[v] >= LEVELS_MAX)
			return false;
		t->size[t->level[v]]++;
		t->levels = t->level[v] >= t->levels ? t->level[v] + 1 : t->levels;
	}
	for (uint32_t level = 0; level < t->levels; level++)
		if (!t->size[level])
			return false;
	return t->levels > 1;
}

/* What most switches of a level have: hosts, children, parents, parallel cables to a child. */
static bool find_parameters(struct tree *t)
{
	const struct part *part = t->part;
	for (uint32_t level = 0; level < t->levels; level++)
		for (int what = 0; what < 3; what++) {
			uint32_t count = 0;
			for (uint32_t v = 0; v < part->switches; v++) {
				uint32_t neighbours = 0;
				for (uint32_t i = part->first[v]; i < part->first[v + 1] && t->level[v] == level; i++) {
					const struct neighbour *n = &part->neighbour[i];
					bool child = is_child(t, v, n);
					neighbours += what == 0 ? child : t->level[n->to] == level + 1;
					if (what == 2 && child)
						t->values[count++] = n->cables;
				}
				if (t->level[v] == level && what < 2)
					t->values[count++] = what == 0 && !level ? part->hosts[v] : neighbours;
			}
			uint32_t usual = most_common(t->values, count);
			*(what == 0 ? &t->m[level + 1] : what == 1 ? &t->w[level + 2] : &t->p[level + 1]) = usual;
		}
	t->w[1] = t->p[1] = 1;
	uint64_t leaves = 1, tops = 1;
	for (uint32_t i = 2; i <= t->levels; i++) {
		leaves *= t->m[i];
		tops *= t->w[i];
		if (leaves > part->switches || tops > part->switches || !leaves || !tops)
			return false;
		if ((uint64_t)t->size[i - 2] * t->w[i] != (uint64_t)t->size[i - 1] * t->m[i])
			return false;
	}
	return leaves == t->size[0] && tops == t->size[t->levels - 1];
}

/* Which of the numbers more than half of the switch's children have; NONE if none. number: [switches] by the child, or by its block. */
static uint32_t vote(const struct tree *t, uint32_t v, const uint32_t *number, bool by_block)
{
	const struct part *part = t->part;
	uint32_t candidate = NONE, lead = 0, votes = 0, children = 0;
	for (int count = 0; count < 2; count++) /* the only number that can have a majority (Boyer, Moore 1981), then whether it has */
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			uint32_t child = part->neighbour[i].to,
				 of = is_child(t, v, &part->neighbour[i]) ? number[by_block ? t->block[child] : child] : NONE;
			if (count) {
				children += is_child(t, v, &part->neighbour[i]);
				votes += of != NONE && of == candidate;
			} else if (of != NONE) {
				candidate = lead ? candidate : of;
				lead = of == candidate ? lead + 1 : lead - 1;
			}
		}
	return 2 * votes > children ? candidate : NONE;
}

/* Whether it has as many children as it should, each in another block. */
static bool is_usual(const struct tree *t, uint32_t v)
{
	uint32_t children = 0;
	for (uint32_t i = t->part->first[v]; i < t->part->first[v + 1]; i++) {
		if (!is_child(t, v, &t->part->neighbour[i]))
			continue;
		children++;
		for (uint32_t k = t->part->first[v]; k < i; k++)
			if (is_child(t, v, &t->part->neighbour[k]) &&
				t->block[t->part->neighbour[k].to] == t->block[t->part->neighbour[i].to])
				return false;
	}
	return children == t->m[t->level[v] + 1];
}

/* Puts a switch into the block where most of its children are, or makes one of its children's blocks. */
static void find_block(struct tree *t, uint32_t v, uint32_t *blocks)
{
	uint32_t m = t->m[t->level[v] + 1], found = vote(t, v, t->upper, true);
	if (found == NONE) {
		found = (*blocks)++;
		for (uint32_t i = t->part->first[v]; i < t->part->first[v + 1]; i++) {
			const struct neighbour *n = &t->part->neighbour[i];
			if (is_child(t, v, n) && t->upper[t->block[n->to]] == NONE && t->sizes[found] < m) {
				t->upper[t->block[n->to]] = found;
				t->sizes[found]++;
			}
		}
	}
	t->block[v] = found;
}

/* Likewise the group of its siblings; groups are numbered on from the first of the level. */
static void find_group(struct tree *t, uint32_t v, uint32_t *groups, uint32_t stamp)
{
	uint32_t found = vote(t, v, t->parents, false);
	if (found == NONE) {
		found = (*groups)++;
		for (uint32_t i = t->part->first[v]; i < t->part->first[v + 1]; i++) {
			uint32_t child = t->part->neighbour[i].to;
			if (!is_child(t, v, &t->part->neighbour[i]) || t->parents[child] != NONE ||
				t->upper[t->block[child]] != t->block[v] || t->slots[t->block[child]] == stamp + v)
				continue;
			t->slots[t->block[child]] = stamp + v;
			t->parents[child] = found;
			t->sizes[found]++;
		}
	}
	t->group[v] = found;
}

/* What no switch claimed goes where there is room, if that is in one place. */
static bool fill_up(uint32_t *number, uint32_t at, const uint32_t *sizes, uint32_t from, uint32_t to, uint32_t full)
{
	uint32_t room = NONE;
	for (uint32_t k = from; k < to; k++)
		if (sizes[k] < full)
			room = room == NONE ? k : NONE - 1;
	if (room >= NONE - 1)
		return false;
	number[at] = room;
	return true;
}

/* Numbers of blocks are those of level, groups those of level; both are at most the level's switches. */
static bool join_level(struct tree *t, uint32_t level)
{
	const struct part *part = t->part;
	uint32_t blocks = 0, groups = 0, m = t->m[level + 1], w = t->w[level + 1], below = 0;
	for (uint32_t v = 0; v < part->switches; v++) {
		if (t->level[v] + 1 == level && t->block[v] >= below)
			below = t->block[v] + 1;
		t->upper[v] = t->parents[v] = NONE;
		t->sizes[v] = 0;
	}
	for (int usual = 1; usual >= 0; usual--)
		for (uint32_t v = 0; v < part->switches; v++)
			if (t->level[v] == level && is_usual(t, v) == usual)
				find_block(t, v, &blocks);
	if (!blocks || (uint64_t)blocks * m != below)
		return false;
	for (uint32_t k = 0; k < below; k++)
		if (t->upper[k] == NONE && (!fill_up(t->upper, k, t->sizes, 0, blocks, m) || ++t->sizes[t->upper[k]] > m))
			return false;
	memset(t->sizes, 0, part->switches * sizeof *t->sizes);
	memset(t->slots, 0xff, part->switches * sizeof *t->slots);
	for (int usual = 1; usual >= 0; usual--)
		for (uint32_t v = 0; v < part->switches; v++)
			if (t->level[v] == level && is_usual(t, v) == usual)
				find_group(t, v, &groups, usual ? 0 : part->switches);
	if ((uint64_t)groups * w != t->size[level])
		return false;
	for (uint32_t v = 0; v < part->switches; v++)
		if (t->level[v] + 1 == level && t->parents[v] == NONE &&
			(!fill_up(t->parents, v, t->sizes, 0, groups, m) || ++t->sizes[t->parents[v]] > m))
			return false;
	return true;
}

/*
 * Whether each group has w switches, all in one block, and one child in each block below; and whether children of two groups that are
 * siblings in one of these blocks are so in all.
 */
static int check_level(struct tree *t, uint32_t level, bool *fine, struct error *error)
{
	const struct part *part = t->part;
	uint32_t m = t->m[level + 1], w = t->w[level + 1], groups = t->size[level] / w;
	uint32_t *child = array_create((size_t)groups * m, sizeof *child, error); /* [groups][m] */
	uint32_t *member = array_create(groups, sizeof *member, error);           /* [groups] how many */
	uint32_t *block = array_create(groups, sizeof *block, error);             /* [groups] */
	uint32_t *kin = array_create(part->switches, sizeof *kin, error);         /* [groups below] what its siblings are called here */
	*fine = !error->status;
	for (uint32_t v = 0; v < part->switches && *fine; v++)
		if (t->level[v] == level) {
			*fine = !member[t->group[v]] || block[t->group[v]] == t->block[v];
			block[t->group[v]] = t->block[v];
			*fine = *fine && ++member[t->group[v]] <= w;
		}
	memset(t->sizes, 0, part->switches * sizeof *t->sizes);
	for (uint32_t v = 0; v < part->switches && *fine; v++) {
		uint32_t group = t->level[v] + 1 == level ? t->parents[v] : NONE;
		if (group == NONE)
			continue;
		*fine = t->sizes[group] < m && block[group] == t->upper[t->block[v]];
		for (uint32_t k = 0; k < t->sizes[group] && *fine; k++)
			*fine = t->block[child[(size_t)group * m + k]] != t->block[v];
		if (*fine)
			child[(size_t)group * m + t->sizes[group]++] = v;
	}
	if (!error->status)
		memset(kin, 0xff, part->switches * sizeof *kin);
	for (uint32_t g = 0; g < groups && *fine; g++) {
		const uint32_t *c = child + (size_t)g * m;
		uint32_t low = 0; /* the child in the block with the lowest number names them all */
		for (uint32_t k = 1; k < m; k++)
			low = t->block[c[k]] < t->block[c[low]] ? k : low;
		for (uint32_t k = 0; k < m && *fine; k++) {
			*fine = kin[t->group[c[k]]] == NONE || kin[t->group[c[k]]] == t->group[c[low]];
			kin[t->group[c[k]]] = t->group[c[low]];
		}
	}
	for (uint32_t v = 0; v < part->switches && *fine; v++)
		for (uint32_t k = 0; k < m && t->level[v] == level && !error->status; k++)
			plan_link(t->plan, v, child[(size_t)t->group[v] * m + k], t->p[level + 1], error);
	free(child);
	free(member);
	free(block);
	free(kin);
	return error->status ? -1 : 0;
}

static void set_parameter(struct shape_parameter *parameter, const char *name, const uint32_t *value, uint32_t count)
{
	*parameter = (struct shape_parameter){.name = name, .count = count};
	memcpy(parameter->value, value, count * sizeof *value);
}

static size_t put_list(char *text, size_t size, const uint32_t *value, uint32_t count)
{
	size_t length = 0;
	for (uint32_t i = 0; i < count && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%" PRIu32, i ? "," : "", value[i]);
	return length < size ? length : size - 1;
}

static void name_it(struct tree *t)
{
	struct plan *plan = t->plan;
	bool regular = true, parallel = false;
	for (uint32_t i = 1; i <= t->levels; i++) {
		regular = regular && t->m[i] == t->m[1] && t->w[i] == (i > 1 ? t->m[1] : 1);
		parallel = parallel || t->p[i] > 1;
	}
	char m[60], w[60], p[60];
	put_list(m, sizeof m, t->m + 1, t->levels);
	put_list(w, sizeof w, t->w + 1, t->levels);
	put_list(p, sizeof p, t->p + 1, t->levels);
	plan->kind = regular && !parallel ? "k-ary n-tree" : "XGFT";
	if (regular && !parallel)
		snprintf(plan->name, sizeof plan->name, "%" PRIu32 "-ary %" PRIu32 "-tree", t->m[1], t->levels);
	else
		snprintf(plan->name, sizeof plan->name, "XGFT(%" PRIu32 "; %s; %s)%s%s", t->levels, m, w,
			parallel ? " of parallel cables " : "", parallel ? p : "");
	set_parameter(&plan->parameter[0], "m", t->m + 1, t->levels);
	set_parameter(&plan->parameter[1], "w", t->w + 1, t->levels);
	set_parameter(&plan->parameter[2], "parallel", t->p + 1, t->levels);
}

static int recognise(struct tree *t, uint32_t needed, struct error *error)
{
	bool fine = find_levels(t, needed) && find_parameters(t);
	uint32_t leaves = 0;
	t->plan->links = 0;
	for (uint32_t v = 0; v < t->part->switches && fine; v++)
		if (!t->level[v])
			t->block[v] = t->group[v] = leaves++;
	for (uint32_t level = 1; level < t->levels && fine; level++) {
		fine = join_level(t, level);
		if (fine && check_level(t, level, &fine, error))
			return -1;
	}
	if (fine) {
		name_it(t);
		t->plan->level = t->level;
		t->level = NULL;
	}
	return 0;
}

int shape_tree(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches;
	struct tree t = {
		.part = part,
		.plan = plan,
		.level = array_create(n, sizeof *t.level, error),
		.block = array_create(n, sizeof *t.block, error),
		.group = array_create(n, sizeof *t.group, error),
		.upper = array_create(n, sizeof *t.upper, error),
		.parents = array_create(n, sizeof *t.parents, error),
		.sizes = array_create(n, sizeof *t.sizes, error),
		.slots = array_create(n, sizeof *t.slots, error),
		.values = array_create(n + part->first[n], sizeof *t.values, error),
	};
	for (uint32_t needed = 2; needed && !error->status && !plan->kind; needed--)
		recognise(&t, needed, error);
	free(t.level);
	free(t.block);
	free(t.group);
	free(t.upper);
	free(t.parents);
	free(t.sizes);
	free(t.slots);
	free(t.values);
	return error->status ? -1 : 0;
}
