#include "compare/advice.h"

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
	return !*a->refusal && a->kind->engine && a->unreachable <= base->unreachable && a->known && !a->deadlock &&
	       (!a->kind->tables || a->lanes < 2);
}

void advice_choose(struct advice_result *result)
{
	const struct advice *base = &result->advice[result->base];
	result->steps = 0;
	for (int i = 0; i < result->kinds; i++) {
		struct advice *a = &result->advice[i];
		for (int k = 0; k < i && !*a->refusal && !a->same; k++)
			if (!*result->advice[k].refusal && result->advice[k].hash == a->hash)
				a->same = result->advice[k].kind;
		a->advised = i != result->base && can_be_used(a, base) && a->gain_low > 0 && !a->same;
		if (!a->advised)
			continue;
		int at = result->steps++;
		for (; at > 0 && result->advice[result->order[at - 1]].gain < a->gain; at--)
			result->order[at] = result->order[at - 1];
		result->order[at] = i;
	}
	for (int s = 0; s < result->steps; s++)
		result->advice[result->order[s]].step = s + 1;
}
