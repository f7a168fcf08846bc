#include "routings/opensm/root_search.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

bool root_search_is_root(const uint32_t at[HOPS_LIMIT], uint32_t all)
{
	uint32_t most = 0, many = 0;
	for (unsigned i = 0; i < HOPS_LIMIT; i++) {
		most += at[i] > 0.9 * all;
		many += at[i] > 0.05 * all;
	}
	return most == 1 && many == 1;
}

void root_search_clear(struct root_search *search)
{
	free(search->leaf);
	free(search->least);
	free(search->changed);
	free(search->tree);
	free(search->fresh);
	free(search->at);
	*search = (struct root_search){0};
}

/* Counts the end ports of a leaf at other hops than before; from, to: [switches], NULL: nowhere. */
static void move(const struct root_search *r, uint32_t leaf, const uint8_t *from, const uint8_t *to)
{
	uint32_t ends = r->fabric->sw[r->leaf[leaf]].end_ports;
	for (uint32_t s = 0; s < r->fabric->switches; s++) {
		if (from && to && from[s] == to[s])
			continue;
		if (from && from[s] != HOPS_NONE)
			r->at[s][from[s]] -= ends;
		if (to && to[s] != HOPS_NONE)
			r->at[s][to[s]] += ends;
	}
}

int root_search_init(struct root_search *search, const struct opensm_fabric *fabric, struct error *error)
{
	struct root_search *r = search;
	uint32_t switches = fabric->switches, near = fabric->first_near[switches];
	struct hops hops = {0};
	*r = (struct root_search){.fabric = fabric, .words = near / 64 + 1};
	r->leaf = array_create(switches, sizeof *r->leaf, error);
	for (uint32_t s = 0; s < switches && !error->status; s++)
		if (fabric->sw[s].end_ports)
			r->leaf[r->leaves++] = s;
	r->least = array_create((size_t)r->leaves * switches, 1, error);
	r->changed = array_create((size_t)r->leaves * switches, 1, error);
	r->tree = array_create((size_t)r->leaves * r->words, sizeof *r->tree, error);
	r->fresh = array_create(r->leaves, 1, error);
	r->at = array_create(switches, sizeof *r->at, error);
	bool *touched = array_create(near, 1, error);
	if (!error->status && !hops_init(&hops, fabric, error))
		for (uint32_t l = 0; l < r->leaves; l++) {
			memset(touched, false, near);
			hops.touched = touched;
			hops_shortest(&hops, r->leaf[l]);
			memcpy(r->least + (size_t)l * switches, hops.least, switches);
			move(r, l, NULL, hops.least);
			for (uint32_t i = 0; i < near; i++)
				r->tree[(size_t)l * r->words + i / 64] |= (uint64_t)touched[i] << i % 64;
		}
	free(touched);
	hops_clear(&hops);
	return error->status ? -1 : 0;
}

static bool has_cut(const struct root_search *r, uint32_t leaf, const uint32_t *cut, uint32_t cuts)
{
	const uint64_t *tree = r->tree + (size_t)leaf * r->words;
	for (uint32_t i = 0; i < cuts; i++)
		if (tree[cut[i] / 64] >> cut[i] % 64 & 1)
			return true;
	return false;
}

uint32_t root_search_again(
	struct root_search *search, const uint32_t *cut, uint32_t cuts, const bool *lost, struct hops *hops, uint32_t *rank)
{
	struct root_search *r = search;
	uint32_t switches = r->fabric->switches, roots = 0;
	for (uint32_t l = 0; l < r->leaves; l++) {
		const uint8_t *least = r->least + (size_t)l * switches;
		bool gone = lost[r->leaf[l]];
		r->fresh[l] = !gone && has_cut(r, l, cut, cuts);
		if (r->fresh[l]) {
			hops_shortest(hops, r->leaf[l]);
			memcpy(r->changed + (size_t)l * switches, hops->least, switches);
		}
		if (r->fresh[l] || gone)
			move(r, l, least, gone ? NULL : hops->least);
	}
	for (uint32_t s = 0; s < switches; s++) {
		rank[s] = root_search_is_root(r->at[s], hops->fabric->ends) ? 0 : OPENSM_NONE;
		roots += !rank[s];
	}
	for (uint32_t l = 0; l < r->leaves; l++)
		if (r->fresh[l] || lost[r->leaf[l]])
			move(r, l, r->fresh[l] ? r->changed + (size_t)l * switches : NULL, r->least + (size_t)l * switches);
	return roots;
}
