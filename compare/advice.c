#include "compare/advice.h"

#include <math.h>

const struct advice_kind advice_kinds[ADVICE_KINDS] = {
	{.folder = "", .what = "the present tables"},
	{.folder = "minhop", .what = "minhop", .engine = "minhop", .opensm = "minhop"},
	{.folder = "updn", .what = "updn", .engine = "updn", .opensm = "updn"},
	{.folder = "dnup", .what = "dnup", .engine = "dnup", .opensm = "dnup"},
	{.folder = "ftree", .what = "ftree", .engine = "ftree", .opensm = "ftree"},
	{.folder = "sssp", .what = "sssp", .engine = "sssp", .opensm = "sssp"},
	{.folder = "dfsssp", .what = "dfsssp", .engine = "dfsssp", .opensm = "dfsssp"},
	{.folder = "lash", .what = "lash", .engine = "lash", .opensm = "lash"},
	{.folder = "dor", .what = "dor", .engine = "osm-dor", .opensm = "dor"},
	{.folder = "updn", .what = "updn, roots listed", .engine = "updn:roots=auto", .opensm = "updn", .roots = true},
	{.folder = "ftree", .what = "ftree, roots listed", .engine = "ftree:roots=auto", .opensm = "ftree", .roots = true},
	{.folder = "ftree",
		.what = "ftree, roots and compute nodes listed",
		.engine = "ftree:roots=auto,compute-nodes=auto",
		.opensm = "ftree",
		.roots = true,
		.compute_nodes = true},
	{.folder = "torus-2qos", .what = "torus-2QoS", .engine = "torus-2QoS", .opensm = "torus-2QoS", .real = true, .torus = true},
	{.folder = "nue", .what = "nue", .engine = "nue", .opensm = "nue", .real = true},
	{.folder = "best", .what = "tables of orcs-route best", .engine = "best", .opensm = "file", .tables = true},
};

/*
 * Whether a routing could replace the base: the service levels of its own engines are OpenSM's matter, but a file of tables
 * has none.
 */
static bool can_be_used(const struct advice *a, const struct advice *base)
{
	return !*a->refusal && a->kind->engine && a->unreachable <= base->unreachable && a->known && !a->deadlock && !a->uncertain &&
	       (!a->kind->tables || a->lanes < 2);
}

bool advice_cures(const struct advice *advice, const struct advice *base)
{
	return (base->known && base->deadlock && !advice->deadlock) || advice->unreachable < base->unreachable;
}

/* Whether two routings are one for a user: dfsssp can have the tables of sssp, and lanes that keep them from deadlocks. */
static bool are_same(const struct advice *a, const struct advice *b)
{
	return !*a->refusal && !*b->refusal && a->hash == b->hash && a->known == b->known && a->deadlock == b->deadlock;
}

static void add_step(struct advice_result *result, int i)
{
	struct advice *a = &result->advice[i];
	int at = result->steps++;
	a->advised = true;
	for (; at > 0 && result->advice[result->order[at - 1]].score < a->score; at--)
		result->order[at] = result->order[at - 1];
	result->order[at] = i;
}

/* Returns whether a routing gains more than chance in a pattern, and loses more than chance in none. */
static bool gains(const struct advice *a, int patterns)
{
	bool more = false, less = false;
	for (int p = 0; p < patterns; p++) {
		more |= a->of[p].gain_low > 0;
		less |= a->of[p].gain_high < 0;
	}
	return more && !less;
}

static void set_score(struct advice *a, const struct advice *base, int patterns)
{
	int counted = 0;
	a->score = 0;
	for (int p = 0; p < patterns; p++)
		if (base->of[p].mean > 0) {
			a->score += a->of[p].gain / base->of[p].mean;
			counted++;
		}
	a->score = counted ? a->score / counted : 0;
}

void advice_choose(struct advice_result *result, int patterns)
{
	const struct advice *base = &result->advice[result->base];
	int cure = -1;
	bool cured = false;
	result->steps = 0;
	for (int i = 0; i < result->kinds; i++) {
		struct advice *a = &result->advice[i];
		set_score(a, base, patterns);
		for (int k = 0; k < i && !a->same; k++)
			if (are_same(a, &result->advice[k]))
				a->same = result->advice[k].kind;
		if (i == result->base || a->same || !can_be_used(a, base))
			continue;
		bool cures = advice_cures(a, base);
		if (gains(a, patterns))
			add_step(result, i);
		cured |= cures && a->advised;
		cure = cures && (cure < 0 || a->score > result->advice[cure].score) ? i : cure;
	}
	if (!cured && cure >= 0)
		add_step(result, cure);
	for (int s = 0; s < result->steps; s++)
		result->advice[result->order[s]].step = s + 1;
}
