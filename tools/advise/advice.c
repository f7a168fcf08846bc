#include "tools/advise/advice.h"

#include <math.h>

const struct advice_kind advice_kinds[ADVICE_KINDS] = {
	{"", "the present tables", NULL, NULL, false, false, false},
	{"minhop", "minhop", "minhop", "minhop", false, false, false},
	{"updn", "updn", "updn", "updn", false, false, false},
	{"dnup", "dnup", "dnup", "dnup", false, false, false},
	{"ftree", "ftree", "ftree", "ftree", false, false, false},
	{"sssp", "sssp", "sssp", "sssp", false, false, false},
	{"dfsssp", "dfsssp", "dfsssp", "dfsssp", false, false, false},
	{"lash", "lash", "lash", "lash", false, false, false},
	{"dor", "dor", "osm-dor", "dor", false, false, false},
	{"updn", "updn, roots listed", "updn:roots=auto", "updn", true, false, false},
	{"ftree", "ftree, roots listed", "ftree:roots=auto", "ftree", true, false, false},
	{"ftree", "ftree, roots and compute nodes listed", "ftree:roots=auto,compute-nodes=auto", "ftree", true, true, false},
	{"best", "tables of orcs-route best", "best", "file", false, false, true},
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
	for (int i = 0; i < ADVICE_KINDS; i++) {
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
