/*
 * A switch's level is its distance from the leaves, which have the hosts. In an extended generalised fat tree level i has M_i blocks, M_i =
 * m_(i+1) .. m_h, of W_i = w_1 .. w_i switches each; switch (X,Y) is a child of all (X / m_(i+1), Y + y W_i), y < w_(i+1). The switches
 * above one leaf form a tree: it determines Y of the highest level; for the other levels, most parents determine it. The switches below one
 * switch of the highest level form a tree, too: it determines X of the leaves; for the other levels, most children determine it. The leaf
 * and the switch are chosen such that nothing above or below them deviates.
 */
#include "base/memory.h"
#include "shapes/shape_place.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = SHAPE_VALUES - 1, TRIES = 64 };

struct tree {
	const struct part *part;
	struct plan *plan;
	uint32_t *level;                                                  /* [switches] */
	uint32_t levels, size[LEVELS_MAX];                                /* size: switches of a level */
	uint32_t m[LEVELS_MAX + 2], w[LEVELS_MAX + 2], p[LEVELS_MAX + 2]; /* [1..levels]; p: parallel cables */
	uint32_t across[LEVELS_MAX], copies[LEVELS_MAX];                  /* M and W of a level of switches, 0 first */
	uint32_t first[LEVELS_MAX + 1];                                   /* first place of a level */
	bool *leaf;                                                       /* [switches] */
	uint32_t *x, *y;                                                  /* [switches] NONE: not found yet */
	uint32_t *sizes;                                                  /* [switches] for counting */
	uint32_t *values;                                                 /* [links] temporary */
};

static bool is_child(const struct tree *t, uint32_t v, const struct neighbour *n)
{
	return t->level[n->to] + 1 == t->level[v];
}

static bool is_parent(const struct tree *t, uint32_t v, const struct neighbour *n)
{
	return t->level[n->to] == t->level[v] + 1;
}

/* The definition of a leaf: a switch with many hosts; or similar to a leaf with many hosts; or similar to a leaf with any. */
enum leaves { MANY_HOSTS, ALIKE_MANY, ALIKE_ANY, LEAVES };

/*
 * Marks the leaves, which have at least half as many hosts as most switches with hosts: a host elsewhere does not make a leaf. Uses
 * t->sizes.
 */
static void find_leaves(struct tree *t, enum leaves leaves)
{
	const struct part *part = t->part;
	uint32_t count = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		if (part->hosts[v])
			t->values[count++] = part->hosts[v];
	uint32_t usual = leaves == ALIKE_ANY ? 1 : most_common(t->values, count);
	for (uint32_t v = 0; v < part->switches; v++)
		t->leaf[v] = part->hosts[v] && 2 * (uint64_t)part->hosts[v] >= usual;
	memset(t->sizes, 0, part->switches * sizeof *t->sizes);
	if (leaves != MANY_HOSTS)
		part_mark_alike(part, t->leaf, t->sizes);
}

/*
 * Sets the levels: a switch that is not a leaf is one level above `needed` neighbours. With two, a surplus cable does not lower it; but a
 * switch may have only one child.
 */
static void measure_levels(struct tree *t, uint32_t needed)
{
	const struct part *part = t->part;
	uint32_t from = 0, to = 0, *queue = t->values;
	for (uint32_t v = 0; v < part->switches; v++) {
		t->level[v] = t->leaf[v] ? 0 : NONE;
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

/*
 * Finds the parameters: hosts, children and parents of most switches of a level. Returns whether these make up all switches, or a few more.
 */
static bool find_parameters(struct tree *t)
{
	const struct part *part = t->part;
	uint64_t places = 0, across = 1, copies = 1;
	for (uint32_t level = 0; level < t->levels; level++)
		for (int up = 0; up < 2; up++) {
			uint32_t count = 0;
			for (uint32_t v = 0; v < part->switches; v++) {
				uint32_t neighbours = 0;
				for (uint32_t i = part->first[v]; i < part->first[v + 1] && t->level[v] == level; i++)
					neighbours += up ? is_parent(t, v, &part->neighbour[i]) : is_child(t, v, &part->neighbour[i]);
				if (t->level[v] == level)
					t->values[count++] = up || level ? neighbours : part->hosts[v];
			}
			*(up ? &t->w[level + 2] : &t->m[level + 1]) = most_common(t->values, count);
		}
	t->w[1] = t->p[1] = 1;
	for (uint32_t level = t->levels; level--; across *= t->m[level + 1]) {
		t->across[level] = (uint32_t)across;
		if (!t->m[level + 1] || across * t->m[level + 1] > UINT32_MAX)
			return false;
	}
	for (uint32_t level = 0; level < t->levels; level++) {
		copies *= t->w[level + 1];
		places += t->across[level] * copies;
		if (copies > part->switches || places > 2 * (uint64_t)part->switches + 1 || t->size[level] > t->across[level] * copies)
			return false;
		t->copies[level] = (uint32_t)copies;
		t->first[level + 1] = (uint32_t)places;
	}
	return places - part->switches <= missing_allowed(part);
}

/* Returns the number that most of the switch's parents, or of its children, have, after / or % by; NONE if none has one. */
static uint32_t vote(const struct tree *t, uint32_t v, bool parents)
{
	const struct part *part = t->part;
	uint32_t best = NONE, lead = 0, level = t->level[v];
	for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
		const struct neighbour *n = &part->neighbour[i];
		uint32_t of = !(parents ? is_parent(t, v, n) : is_child(t, v, n)) ? NONE : parents ? t->y[n->to] : t->x[n->to];
		if (of == NONE)
			continue;
		of = parents ? of % t->copies[level] : of / t->m[level + 1];
		best = lead ? best : of;
		lead = of == best ? lead + 1 : lead - 1;
	}
	return best;
}

/*
 * Numbers the switches above a leaf, or below a switch of the highest level, by the order of the parents or children. Returns how many of
 * the other end it reaches; 0 if they do not form a tree.
 */
static uint32_t number_cone(struct tree *t, uint32_t root, bool up)
{
	const struct part *part = t->part;
	uint32_t *number = up ? t->y : t->x, *queue = t->values, from = 0, to = 0, reached = 0;
	memset(number, 0xff, part->switches * sizeof *number);
	number[root] = 0;
	for (queue[to++] = root; from < to; from++) {
		uint32_t v = queue[from], level = t->level[v], next = 0, most = up ? t->w[level + 2] : t->m[level + 1];
		reached += level == (up ? t->levels - 1 : 0);
		for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++) {
			const struct neighbour *n = &part->neighbour[i];
			if (!(up ? is_parent(t, v, n) : is_child(t, v, n)))
				continue;
			if (next == most || number[n->to] != NONE)
				return 0;
			number[n->to] = up ? number[v] + next * t->copies[level] : number[v] * most + next;
			next++;
			queue[to++] = n->to;
		}
	}
	return reached;
}

/* Numbers one end from the best of several roots at the other end, and the levels between by votes. Returns whether that succeeds. */
static bool number_levels(struct tree *t, bool up)
{
	uint32_t root_level = up ? 0 : t->levels - 1, best = NONE, most = 0, all = up ? t->copies[t->levels - 1] : t->across[0];
	uint32_t *number = up ? t->y : t->x, step = t->size[root_level] / TRIES + 1, seen = 0;
	for (uint32_t v = 0; v < t->part->switches && most < all; v++) {
		uint32_t reached = t->level[v] == root_level && seen++ % step == 0 ? number_cone(t, v, up) : 0;
		if (reached > most) {
			most = reached;
			best = v;
		}
	}
	if (best == NONE)
		return false;
	number_cone(t, best, up);
	for (uint32_t i = 1; i < t->levels; i++)
		for (uint32_t v = 0; v < t->part->switches; v++)
			if (t->level[v] == (up ? t->levels - 1 - i : i))
				number[v] = vote(t, v, up);
	return true;
}

/* Creates the links of all places, one kind per level. Returns 0, or -1. */
static int make_ideal(const struct tree *t, struct ideal_place *ideal, struct error *error)
{
	ideal_init(ideal, t->first[t->levels], error);
	for (uint32_t level = 0; level < t->levels; level++)
		for (uint32_t k = 0; k < t->across[level] * t->copies[level] && !error->status; k++, ideal_next(ideal)) {
			uint32_t copies = t->copies[level], x = k / copies, y = k % copies;
			for (uint32_t i = 0; level && i < t->m[level + 1] && !error->status; i++)
				ideal_link(ideal,
					t->first[level - 1] + (x * t->m[level + 1] + i) * t->copies[level - 1] + y % t->copies[level - 1],
					level - 1, error);
			for (uint32_t i = 0; level + 1 < t->levels && i < t->w[level + 2] && !error->status; i++)
				ideal_link(ideal, t->first[level + 1] + x / t->m[level + 2] * t->copies[level + 1] + y + i * copies, level,
					error);
		}
	return error->status ? -1 : 0;
}

static int plan_links(struct tree *t, bool *fine, struct error *error)
{
	struct ideal_place ideal = {0};
	struct places places = {0};
	uint32_t cables[LEVELS_MAX] = {0};
	if (!make_ideal(t, &ideal, error) && !places_init(&places, t->part, &ideal, error)) {
		for (uint32_t v = 0; v < t->part->switches; v++) {
			uint32_t level = t->level[v];
			bool known = t->x[v] < t->across[level] && t->y[v] < t->copies[level];
			places.place[v] = known ? t->first[level] + t->x[v] * t->copies[level] + t->y[v] : NONE;
		}
		*fine = places_settle(&places) && !places_plan(&places, t->plan, cables, error);
		memcpy(t->p + 2, cables, (t->levels - 1) * sizeof *cables);
	}
	ideal_clear(&ideal);
	places_clear(&places);
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
	size_t length = strlen(plan->name), room = sizeof plan->name - length;
	if (t->part->least_rails < t->part->most_rails)
		snprintf(plan->name + length, room, ", hosts at %" PRIu32 " to %" PRIu32 " switches", t->part->least_rails,
			t->part->most_rails);
	else if (t->part->most_rails > 1)
		snprintf(plan->name + length, room, ", each host at %" PRIu32 " switches", t->part->most_rails);
	set_parameter(&plan->parameter[0], "m", t->m + 1, t->levels);
	set_parameter(&plan->parameter[1], "w", t->w + 1, t->levels);
	set_parameter(&plan->parameter[2], "parallel", t->p + 1, t->levels);
}

static int recognise(struct tree *t, uint32_t needed, struct error *error)
{
	const struct part *part = t->part;
	bool fine = find_levels(t, needed) && find_parameters(t) && number_levels(t, true) && number_levels(t, false);
	if (!fine || plan_links(t, &fine, error) || !fine)
		return error->status ? -1 : 0;
	if (plan_deviations(part, t->plan, deviations_allowed(part)) > deviations_allowed(part))
		return 0;
	name_it(t);
	t->plan->level = t->level;
	t->level = NULL;
	return 0;
}

int shape_tree(const struct part *part, struct plan *plan, struct error *error)
{
	size_t n = part->switches;
	struct tree t = {
		.part = part,
		.plan = plan,
		.level = array_create(n, sizeof *t.level, error),
		.leaf = array_create(n, sizeof *t.leaf, error),
		.x = array_create(n, sizeof *t.x, error),
		.y = array_create(n, sizeof *t.y, error),
		.sizes = array_create(n, sizeof *t.sizes, error),
		.values = array_create(n + part->first[n], sizeof *t.values, error),
	};
	for (int leaves = 0; leaves < LEAVES && !error->status && !plan->kind; leaves++) {
		find_leaves(&t, leaves);
		for (uint32_t needed = 2; needed && !error->status && !plan->kind; needed--) {
			plan->links = 0;
			recognise(&t, needed, error);
		}
	}
	free(t.level);
	free(t.leaf);
	free(t.x);
	free(t.y);
	free(t.sizes);
	free(t.values);
	return error->status ? -1 : 0;
}
