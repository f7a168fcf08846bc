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
	for (; at > 0 && result->advice[result->order[at - 1]].gain < a->gain; at--)
		result->order[at] = result->order[at - 1];
	result->order[at] = i;
}

void advice_choose(struct advice_result *result)
{
	const struct advice *base = &result->advice[result->base];
	int cure = -1;
	bool cured = false;
	result->steps = 0;
	for (int i = 0; i < ADVICE_KINDS; i++) {
		struct advice *a = &result->advice[i];
		for (int k = 0; k < i && !a->same; k++)
			if (are_same(a, &result->advice[k]))
				a->same = result->advice[k].kind;
		if (i == result->base || a->same || !can_be_used(a, base))
			continue;
		bool cures = advice_cures(a, base);
		if (a->gain_low > 0)
			add_step(result, i);
		cured |= cures && a->advised;
		cure = cures && (cure < 0 || a->gain > result->advice[cure].gain) ? i : cure;
	}
	if (!cured && cure >= 0)
		add_step(result, cure);
	for (int s = 0; s < result->steps; s++)
		result->advice[result->order[s]].step = s + 1;
}
