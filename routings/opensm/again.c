#include "routings/opensm/again.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

void opensm_again_clear(struct opensm_again *again)
{
	struct opensm_again *a = again;
	root_search_clear(&a->roots);
	free(a->updn.rank);
	free(a->failed_updn.rank);
	free(a->leaf);
	free(a->end);
	free(a->entry);
	free(a->least);
	free(a->by_port);
	free(a->touched);
	free(a->failed.sw);
	free(a->failed.near);
	free(a->failed.first_near);
	hops_clear(&a->hops);
	free(a->new_least);
	free(a->new_by_port);
	free(a->fresh);
	free(a->lost);
	free(a->cut);
	free(a->cut_list);
	free(a->dealt);
	free(a->change);
	opensm_fabric_clear(&a->fabric);
	*a = (struct opensm_again){0};
}

/* ---- what is dealt, and how */

static int list_ends(struct opensm_again *a, struct error *error)
{
	const struct opensm_fabric *f = &a->fabric;
	a->leaf = array_create(f->switches, sizeof *a->leaf, error);
	a->end = array_create(f->ends, sizeof *a->end, error);
	for (uint32_t i = 0; i < f->switches && !error->status; i++) {
		uint32_t to = f->by_load[i];
		if (!f->sw[to].end_ports)
			break;
		struct again_leaf *leaf = &a->leaf[a->leaves];
		*leaf = (struct again_leaf){.to = to, .first = a->ends};
		for (unsigned p = 1; p <= f->sw[to].ports; p++) {
			uint32_t end = opensm_port_of(f, to, p)->end;
			if (end != OPENSM_NONE && f->end[end].lid)
				a->end[a->ends++] = (struct again_end){f->end[end].lid, (uint8_t)p};
		}
		leaf->ends = a->ends - leaf->first;
		a->leaves += leaf->ends > 0;
	}
	return error->status ? -1 : 0;
}

static void fill(const struct opensm_again *a, struct hops *hops, const struct updn *updn, uint32_t to)
{
	if (a->updn.rank)
		updn_fill(updn, hops, to);
	else
		hops_shortest(hops, to);
}

/* Whether the hops by ports are those of the neighbours, plus one. */
static bool is_shortest(const struct opensm_again *a, const struct updn *updn, uint32_t to)
{
	return !a->updn.rank || (updn->keep_root_hops && !updn->rank[to]);
}

/* Lists the ports of a switch on paths of least hops to a leaf. Returns their number. */
static unsigned find_choices(const struct opensm_again *a, const struct opensm_fabric *f, const struct updn *updn, uint32_t leaf,
	uint32_t s, uint8_t choice[OPENSM_PORTS])
{
	bool fresh = a->fresh[leaf], shortest = is_shortest(a, updn, a->leaf[leaf].to);
	const uint8_t *least = (fresh ? a->new_least : a->least) + (size_t)leaf * f->switches;
	const uint8_t *by_port = shortest ? NULL : (fresh ? a->new_by_port : a->by_port) + (size_t)leaf * f->links + f->sw[s].link;
	unsigned count = 0;
	if (least[s] == HOPS_NONE)
		return 0;
	for (uint32_t i = f->first_near[s]; i < f->first_near[s + 1]; i++) {
		const struct opensm_near *near = &f->near[i];
		unsigned hops = shortest ? least[near->to] + 1U : by_port[near->port];
		if (hops == least[s])
			choice[count++] = near->port;
	}
	return count;
}

/* Deals the destinations of all leaves to the ports of a switch. take: receives the entries, by destination. */
static void deal(const struct opensm_again *a, const struct opensm_fabric *f, const struct updn *updn, uint32_t s,
	void (*take)(void *data, uint32_t s, uint32_t end, uint8_t port), void *data)
{
	uint32_t taken[OPENSM_PORTS + 2] = {0};
	uint8_t choice[OPENSM_PORTS];
	for (uint32_t l = 0; l < a->leaves; l++) {
		const struct again_leaf *leaf = &a->leaf[l];
		if (a->lost[leaf->to])
			continue;
		unsigned choices = s == leaf->to ? 0 : find_choices(a, f, updn, l, s, choice);
		for (uint32_t e = leaf->first; e < leaf->first + leaf->ends; e++) {
			unsigned best = choices ? choice[0] : s == leaf->to ? a->end[e].at : OPENSM_NO_PORT;
			for (unsigned i = 1; i < choices; i++)
				if (taken[choice[i]] < taken[best])
					best = choice[i];
			if (choices)
				taken[best]++;
			take(data, s, e, (uint8_t)best);
		}
	}
}

static void set_entry(void *data, uint32_t s, uint32_t end, uint8_t port)
{
	struct opensm_again *a = data;
	a->entry[(size_t)s * a->ends + end] = port;
}

/* Finds the hops to all leaves, and what the steps over each port have changed. */
static void find_hops(struct opensm_again *a, struct hops *hops)
{
	const struct opensm_fabric *f = &a->fabric;
	uint32_t near = f->first_near[f->switches];
	for (uint32_t l = 0; l < a->leaves; l++) {
		hops->touched = a->touched + (size_t)l * near;
		fill(a, hops, &a->updn, a->leaf[l].to);
		memcpy(a->least + (size_t)l * f->switches, hops->least, f->switches);
		if (a->by_port)
			memcpy(a->by_port + (size_t)l * f->links, hops->by_port, f->links);
	}
}

int opensm_again_init(struct opensm_again *again, bool updn, const struct opensm_subnet *subnet, const struct opensm_options *options,
	struct error *error)
{
	struct opensm_again *a = again;
	struct opensm_fabric *f = &a->fabric;
	struct hops hops = {0};
	*a = (struct opensm_again){.options = options, .updn.fabric = f, .failed_updn.fabric = &a->failed};
	if (opensm_fabric_init(f, subnet, options, error))
		return -1;
	if (f->lmc)
		return error_set(error, STATUS_FABRIC, "ports have several LIDs");
	uint32_t near = f->first_near[f->switches];
	if (!hops_init(&hops, f, error) && updn && (a->updn.rank = array_create(f->switches, sizeof *a->updn.rank, error)) &&
		!updn_begin(&a->updn, options, &hops))
		error_set(error, STATUS_FABRIC, "no roots were found");
	if (!error->status && !list_ends(a, error)) {
		a->entry = array_create((size_t)a->ends * f->switches, 1, error);
		a->least = array_create((size_t)a->leaves * f->switches, 1, error);
		a->new_least = array_create((size_t)a->leaves * f->switches, 1, error);
		a->touched = array_create((size_t)a->leaves * near, 1, error);
		if (updn) {
			if (!options->roots.given)
				root_search_init(&a->roots, f, error);
			a->failed_updn.rank = array_create(f->switches, sizeof *a->updn.rank, error);
			a->by_port = array_create((size_t)a->leaves * f->links, 1, error);
			a->new_by_port = array_create((size_t)a->leaves * f->links, 1, error);
		}
		a->failed = *f;
		a->failed.sw = array_create(f->switches, sizeof *f->sw, error);
		a->failed.near = array_create(near, sizeof *f->near, error);
		a->failed.first_near = array_create((size_t)f->switches + 1, sizeof *f->first_near, error);
		a->fresh = array_create(a->leaves, 1, error);
		a->lost = array_create(f->switches, 1, error);
		a->cut = array_create(near, 1, error);
		a->cut_list = array_create(near, sizeof *a->cut_list, error);
		a->dealt = array_create(f->switches, 1, error);
		hops_init(&a->hops, &a->failed, error);
	}
	if (!error->status) {
		find_hops(a, &hops);
		for (uint32_t s = 0; s < f->switches; s++)
			deal(a, f, &a->updn, s, set_entry, a);
	}
	hops_clear(&hops);
	return error->status ? -1 : 0;
}

/* ---- a failure */

static void cut(struct opensm_again *a, uint32_t near)
{
	if (!a->cut[near])
		a->cut_list[a->cuts++] = near;
	a->cut[near] = true;
}

void opensm_again_cut(struct opensm_again *again, uint32_t number, unsigned port)
{
	const struct opensm_fabric *f = &again->fabric;
	for (uint32_t i = f->first_near[number]; i < f->first_near[number + 1]; i++) {
		const struct opensm_near *near = &f->near[i];
		if (near->port != port)
			continue;
		cut(again, i);
		again->dealt[number] = again->dealt[near->to] = true;
		for (uint32_t k = f->first_near[near->to]; k < f->first_near[near->to + 1]; k++)
			if (f->near[k].port == near->far)
				cut(again, k);
	}
}

void opensm_again_lose(struct opensm_again *again, uint32_t number)
{
	const struct opensm_fabric *f = &again->fabric;
	again->lost[number] = true;
	for (uint32_t i = f->first_near[number]; i < f->first_near[number + 1]; i++)
		opensm_again_cut(again, number, f->near[i].port);
	if (f->sw[number].end_ports)
		memset(again->dealt, true, f->switches);
}

/* Makes the fabric that is left. */
static void make_failed(struct opensm_again *a)
{
	const struct opensm_fabric *f = &a->fabric;
	struct opensm_fabric *left = &a->failed;
	uint32_t count = 0;
	left->ends = f->ends;
	memcpy(left->sw, f->sw, f->switches * sizeof *f->sw);
	for (uint32_t s = 0; s < f->switches; s++) {
		left->first_near[s] = count;
		for (uint32_t i = f->first_near[s]; i < f->first_near[s + 1]; i++)
			if (!a->cut[i])
				left->near[count++] = f->near[i];
		if (a->lost[s]) {
			left->ends -= f->sw[s].end_ports;
			left->sw[s].end_ports = 0;
			left->sw[s].root = false;
		}
	}
	left->first_near[f->switches] = count;
}

/* Whether the ranks are those of the intact fabric. */
static bool same_ranks(struct opensm_again *a)
{
	if (!a->updn.rank)
		return true;
	uint32_t roots = a->roots.fabric ? root_search_again(&a->roots, a->cut_list, a->cuts, a->lost, &a->hops, a->failed_updn.rank) : 0;
	if (roots)
		updn_rank(&a->failed_updn, roots, a->options, &a->hops);
	else if (!a->roots.fabric)
		roots = updn_begin(&a->failed_updn, a->options, &a->hops);
	if (!roots || a->failed_updn.keep_root_hops != a->updn.keep_root_hops)
		return false;
	for (uint32_t s = 0; s < a->fabric.switches; s++)
		if (!a->lost[s] && a->failed_updn.rank[s] != a->updn.rank[s])
			return false;
	return true;
}

static bool may_change(const struct opensm_again *a, uint32_t leaf)
{
	const bool *touched = a->touched + (size_t)leaf * a->fabric.first_near[a->fabric.switches];
	for (uint32_t i = 0; i < a->cuts; i++)
		if (touched[a->cut_list[i]])
			return true;
	return false;
}

/* Marks the switches whose choices to a leaf have changed. */
static void mark_changed(struct opensm_again *a, uint32_t leaf)
{
	const struct opensm_fabric *f = &a->fabric;
	const uint8_t *old = a->least + (size_t)leaf * f->switches, *new = a->new_least + (size_t)leaf * f->switches;
	for (uint32_t s = 0; s < f->switches; s++) {
		if (old[s] == new[s])
			continue;
		a->dealt[s] = true;
		for (uint32_t i = f->first_near[s]; i < f->first_near[s + 1]; i++)
			a->dealt[f->near[i].to] = true;
	}
	if (is_shortest(a, &a->updn, a->leaf[leaf].to))
		return;
	for (uint32_t s = 0; s < f->switches; s++) {
		size_t at = (size_t)leaf * f->links + f->sw[s].link;
		a->dealt[s] |= memcmp(a->by_port + at, a->new_by_port + at, f->sw[s].ports + 1U) != 0;
	}
}

static void find_fresh(struct opensm_again *a)
{
	const struct opensm_fabric *f = &a->fabric;
	for (uint32_t l = 0; l < a->leaves; l++) {
		if (a->lost[a->leaf[l].to] || !may_change(a, l))
			continue;
		fill(a, &a->hops, &a->failed_updn, a->leaf[l].to);
		a->fresh[l] = true;
		memcpy(a->new_least + (size_t)l * f->switches, a->hops.least, f->switches);
		if (a->by_port)
			memcpy(a->new_by_port + (size_t)l * f->links, a->hops.by_port, f->links);
		mark_changed(a, l);
	}
}

struct listing {
	struct opensm_again *again;
	struct error *error;
};

static void list_change(void *data, uint32_t s, uint32_t end, uint8_t port)
{
	struct listing *l = data;
	struct opensm_again *a = l->again;
	if (a->entry[(size_t)s * a->ends + end] == port ||
		array_grow(&a->change, &a->capacity, a->changes + 1, sizeof *a->change, l->error))
		return;
	a->change[a->changes++] = (struct again_change){s, end, port};
}

int opensm_again_route(struct opensm_again *again, bool *scratch, struct error *error)
{
	struct opensm_again *a = again;
	const struct opensm_fabric *f = &a->fabric;
	struct listing listing = {a, error};
	a->changes = 0;
	make_failed(a);
	*scratch = !same_ranks(a);
	if (!*scratch) {
		find_fresh(a);
		for (uint32_t s = 0; s < f->switches && !error->status; s++)
			if (a->dealt[s] && !a->lost[s])
				deal(a, &a->failed, &a->failed_updn, s, list_change, &listing);
	}
	memset(a->fresh, false, a->leaves);
	memset(a->lost, false, f->switches);
	for (uint32_t i = 0; i < a->cuts; i++)
		a->cut[a->cut_list[i]] = false;
	a->cuts = 0;
	memset(a->dealt, false, f->switches);
	return error->status ? -1 : 0;
}
