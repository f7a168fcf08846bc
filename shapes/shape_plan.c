#include "base/memory.h"
#include "shapes/shape_part.h"

#include <stdlib.h>

int plan_link(struct plan *plan, uint32_t a, uint32_t b, uint32_t cables, struct error *error)
{
	if (array_grow(&plan->link, &plan->capacity, plan->links + 1, sizeof *plan->link, error))
		return -1;
	plan->link[plan->links++] = a < b ? (struct link){a, b, cables} : (struct link){b, a, cables};
	return 0;
}

void plan_clear(struct plan *plan)
{
	free(plan->link);
	free(plan->level);
	free(plan->place);
	*plan = (struct plan){0};
}

static int compare_links(const void *left, const void *right)
{
	const struct link *x = left, *y = right;
	if (x->a != y->a)
		return x->a < y->a ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

bool next_difference(struct walk_links *walk, struct difference *difference)
{
	struct walk_links *w = walk;
	struct difference *d = difference;
	const struct part *part = w->part;
	for (;;) {
		while (w->a < part->switches && (w->at == part->first[w->a + 1] || part->neighbour[w->at].to < w->a)) {
			if (w->at == part->first[w->a + 1])
				w->a++;
			else
				w->at++;
		}
		bool there = w->a < part->switches, wanted = w->link < w->plan->links;
		if (!there && !wanted)
			return false;
		struct link l = there ? (struct link){w->a, part->neighbour[w->at].to, part->neighbour[w->at].cables} : (struct link){0};
		int order = !there ? 1 : !wanted ? -1 : compare_links(&l, &w->plan->link[w->link]);
		struct link m = wanted ? w->plan->link[w->link] : l;
		*d = (struct difference){
			order <= 0 ? l.a : m.a, order <= 0 ? l.b : m.b, order >= 0 ? m.cables : 0, order <= 0 ? l.cables : 0};
		w->at += order <= 0;
		w->link += order >= 0;
		if (d->wanted != d->there)
			return true;
	}
}

uint64_t plan_deviations(const struct part *part, struct plan *plan, uint64_t limit)
{
	uint64_t count = part->strays;
	struct walk_links walk = {.part = part, .plan = plan};
	struct difference d;
	if (plan->links)
		qsort(plan->link, plan->links, sizeof *plan->link, compare_links);
	while (count <= limit && next_difference(&walk, &d))
		if (d.b < part->switches) /* the cables of missing switches are counted with these */
			count += d.wanted > d.there ? d.wanted - d.there : d.there - d.wanted;
	return count;
}

/* Returns the number of cables of missing switches. */
static uint64_t missing_cables(const struct part *part, const struct plan *plan)
{
	uint64_t count = 0;
	for (size_t i = 0; i < plan->links && plan->missing; i++)
		count += plan->link[i].b >= part->switches ? plan->link[i].cables : 0;
	return count;
}

static uint64_t wanted_cables(const struct plan *plan)
{
	uint64_t count = 0;
	for (size_t i = 0; i < plan->links; i++)
		count += plan->link[i].cables;
	return count;
}

/*
 * Returns whether a fabric with that many deviations still has the shape: up to a twentieth of its cables, or one cable, or a twentieth of
 * its switches; if both deviate, their fractions add up to at most a twentieth.
 */
static bool is_allowed(const struct part *part, const struct plan *plan, uint64_t deviations)
{
	uint64_t switches = (uint64_t)part->switches + plan->missing, cables = wanted_cables(plan);
	cables = cables > part->cables ? cables : part->cables;
	if (plan->missing && deviations)
		return 20 * (plan->missing * cables + deviations * switches) <= switches * cables;
	return plan->missing <= missing_allowed(part) && (deviations <= 1 || deviations <= cables / 20);
}

uint64_t plan_cost(const struct part *part, struct plan *plan)
{
	uint64_t deviations = plan_deviations(part, plan, deviations_allowed(part));
	return deviations <= deviations_allowed(part) && is_allowed(part, plan, deviations) ? deviations + missing_cables(part, plan)
											    : UINT64_MAX;
}

bool plan_is_least(const struct part *part, const struct plan *plan, uint64_t cost)
{
	uint64_t wanted = wanted_cables(plan);
	return wanted >= part->cables && cost == part->strays + wanted - part->cables;
}
