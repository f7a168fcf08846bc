/* Ranks and groups, and the fabrics that OpenSM refuses. */
#include "base/memory.h"
#include "routings/opensm/ftree.h"
#include "routings/opensm/ranks.h"

#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 8 };

#define ADVICE "; list the root switches, and the compute nodes below the lowest switches"

/* ---- ranks ---- */

/* Returns the number of roots that are listed and there. */
static uint32_t take_roots(struct ftree *tree)
{
	uint32_t roots = 0;
	for (uint32_t s = 0; s < tree->fabric->switches; s++) {
		tree->rank[s] = tree->fabric->sw[s].root ? 0 : OPENSM_NONE;
		roots += tree->fabric->sw[s].root;
	}
	return roots;
}

/* The switches farthest from the CAs become roots. Returns their distance. */
static uint32_t find_roots(struct ftree *tree, uint32_t *queue)
{
	for (uint32_t s = 0; s < tree->fabric->switches; s++)
		tree->rank[s] = tree->compute[s] || tree->other[s] ? 0 : OPENSM_NONE;
	uint32_t farthest = opensm_rank(tree->fabric, tree->rank, queue);
	for (uint32_t s = 0; s < tree->fabric->switches; s++)
		tree->rank[s] = tree->rank[s] == farthest ? 0 : OPENSM_NONE;
	return farthest;
}

static int rank_switches(struct ftree *tree, struct opensm_task *task)
{
	uint32_t *queue = array_create(tree->fabric->switches, sizeof *queue, task->error);
	if (!queue)
		return -1;
	uint32_t roots = take_roots(tree);
	if (!roots && !find_roots(tree, queue))
		opensm_refuse(task, "all switches have hosts, so none is above another (AB2B)" ADVICE);
	tree->leaf_rank = opensm_rank(tree->fabric, tree->rank, queue);
	for (uint32_t e = 0; roots && e < tree->fabric->ends; e++)
		if (tree->fabric->end[e].to != OPENSM_NONE && ftree_computes(task->options, &tree->fabric->end[e])) {
			tree->leaf_rank = tree->rank[tree->fabric->end[e].to];
			break;
		}
	free(queue);
	return 0;
}

/* ---- groups ---- */

static int direction(const struct ftree *tree, uint32_t from, uint32_t to)
{
	uint32_t a = tree->rank[from], b = tree->rank[to];
	return a > b ? FTREE_UP : a < b ? FTREE_DOWN : FTREE_SIDE;
}

/* The groups of a switch in one direction, from *groups and *cables on. group_of: [switches] scratch, all OPENSM_NONE. */
static void group_ports(struct ftree *tree, uint32_t s, int wanted, uint32_t *group_of, uint32_t *groups, uint32_t *cables)
{
	const struct opensm_fabric *fabric = tree->fabric;
	uint32_t first = *groups;
	for (unsigned p = 1; p <= fabric->sw[s].ports; p++) {
		uint32_t to = opensm_port_of(fabric, s, p)->to;
		if (to == OPENSM_NONE || to == s || direction(tree, s, to) != wanted)
			continue;
		if (group_of[to] == OPENSM_NONE) {
			group_of[to] = *groups;
			tree->sorted[*groups] = *groups;
			tree->group[(*groups)++] = (struct ftree_group){.to = to};
		}
		tree->group[group_of[to]].cables++;
	}
	for (uint32_t g = first; g < *groups; g++) {
		tree->group[g].cable = *cables;
		*cables += tree->group[g].cables;
		tree->group[g].cables = 0;
	}
	for (unsigned p = 1; p <= fabric->sw[s].ports; p++) {
		const struct opensm_link *link = opensm_port_of(fabric, s, p);
		if (link->to == OPENSM_NONE || link->to == s || direction(tree, s, link->to) != wanted)
			continue;
		struct ftree_group *group = &tree->group[group_of[link->to]];
		tree->cable[group->cable + group->cables++].far = link->far;
	}
	for (uint32_t g = first; g < *groups; g++)
		group_of[tree->group[g].to] = OPENSM_NONE;
}

static int group_cables(struct ftree *tree, struct error *error)
{
	const struct opensm_fabric *fabric = tree->fabric;
	uint32_t groups = 0, cables = 0, *group_of = array_create(fabric->switches, sizeof *group_of, error);
	tree->group = array_create(fabric->links, sizeof *tree->group, error);
	tree->cable = array_create(fabric->links, sizeof *tree->cable, error);
	tree->sorted = array_create(fabric->links, sizeof *tree->sorted, error);
	tree->first = array_create((size_t)fabric->switches * FTREE_DIRECTIONS + 1, sizeof *tree->first, error);
	if (!error->status) {
		memset(group_of, 0xff, fabric->switches * sizeof *group_of); /* OPENSM_NONE */
		for (uint32_t s = 0; s < fabric->switches; s++)
			for (int d = 0; d < FTREE_DIRECTIONS; d++) {
				group_ports(tree, s, d, group_of, &groups, &cables);
				tree->first[s * FTREE_DIRECTIONS + (uint32_t)d + 1] = groups;
			}
	}
	free(group_of);
	return error->status ? -1 : 0;
}

/* ---- what OpenSM refuses ---- */

static uint32_t count_groups(const struct ftree *tree, uint32_t s, int d)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + (uint32_t)d];
	return first[1] - first[0] + (d == FTREE_DOWN ? tree->compute[s] + tree->other[s] : 0);
}

/* The cables of a switch's first group in a direction, by places; 1 if there are only CAs. */
static uint32_t first_cables(const struct ftree *tree, uint32_t s, int d)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + (uint32_t)d];
	return first[1] > first[0] ? tree->group[tree->sorted[first[0]]].cables : 1;
}

/* Whether all groups of the switch upwards have that number of cables. */
static bool has_groups_of(const struct ftree *tree, uint32_t s, uint32_t cables)
{
	const uint32_t *first = &tree->first[s * FTREE_DIRECTIONS + FTREE_UP];
	for (uint32_t i = first[0]; i < first[1]; i++)
		if (tree->group[tree->sorted[i]].cables != cables)
			return false;
	return true;
}

static int refuse_neighbours(struct opensm_task *task, uint32_t rank, int d)
{
	return opensm_refuse(task, "no pure fat tree: switches of rank %u have different numbers of neighbours %s (AB0%c)" ADVICE, rank,
		d == FTREE_UP ? "up" : "down", d == FTREE_UP ? '9' : 'A');
}

static int refuse_trunks(struct opensm_task *task, uint32_t rank, int d)
{
	return opensm_refuse(task, "no pure fat tree: switches of rank %u have trunks %s of different numbers of cables (AB0%c)" ADVICE,
		rank, d == FTREE_UP ? "up" : "down", d == FTREE_UP ? 'B' : 'C');
}

/* OpenSM compares with the first switch of a rank, whose own trunks can differ; of the trunks down only the first; leaves may lack hosts.
 */
void ftree_check_symmetry(const struct ftree *tree, struct opensm_task *task)
{
	uint32_t sample[256]; /* of each rank */
	memset(sample, 0xff, sizeof sample);
	for (uint32_t s = 0; s < tree->fabric->switches && !*task->tables->refusal; s++) {
		uint32_t r = tree->rank[s];
		if (r >= 256)
			continue;
		uint32_t like = sample[r];
		bool leaf = r >= tree->leaf_rank;
		if (like == OPENSM_NONE)
			sample[r] = s;
		else if (count_groups(tree, s, FTREE_UP) != count_groups(tree, like, FTREE_UP))
			refuse_neighbours(task, r, FTREE_UP);
		else if (!leaf && count_groups(tree, s, FTREE_DOWN) != count_groups(tree, like, FTREE_DOWN))
			refuse_neighbours(task, r, FTREE_DOWN);
		else if (!has_groups_of(tree, s, first_cables(tree, like, FTREE_UP)))
			refuse_trunks(task, r, FTREE_UP);
		else if (!leaf && first_cables(tree, s, FTREE_DOWN) != first_cables(tree, like, FTREE_DOWN))
			refuse_trunks(task, r, FTREE_DOWN);
	}
}

/* Of the counts of nodes, and their cables. */
static int check_nodes(const struct ftree *tree, struct opensm_task *task)
{
	const struct opensm_fabric *fabric = tree->fabric;
	uint32_t compute = 0, cas = 0;
	if (fabric->lmc)
		return opensm_refuse(task, "LMC > 0; set it to 0");
	if (task->options->compute_nodes.given && !task->options->compute_nodes.count)
		return opensm_refuse(task, "the list of compute nodes is empty (AB27)");
	if (task->options->io_nodes.given && !task->options->io_nodes.count)
		return opensm_refuse(task, "the list of I/O nodes is empty (AB29)");
	for (uint32_t e = 0; e < fabric->ends; e++) {
		if (fabric->end[e].router)
			continue;
		if (fabric->end[e].peer)
			return opensm_refuse(task, "two channel adapters are cabled to each other (AB0F)");
		cas++;
		compute += ftree_computes(task->options, &fabric->end[e]);
	}
	if (fabric->switches < 2 || cas < 2)
		return opensm_refuse(task, "fewer than two switches, or channel adapters");
	if (!compute)
		return opensm_refuse(task, "no compute node is listed, or there");
	return 0;
}

static int check_leaves(const struct ftree *tree, struct opensm_task *task)
{
	const struct opensm_fabric *fabric = tree->fabric;
	uint32_t leaves = 0;
	if (tree->leaf_rank < 1 || tree->leaf_rank >= RANKS_MAX)
		return opensm_refuse(task, "%u ranks of switches, and 2 to %d are possible" ADVICE, tree->leaf_rank + 1, RANKS_MAX);
	for (uint32_t s = 0; s < fabric->switches; s++)
		leaves += tree->compute[s] != 0;
	for (uint32_t e = 0; e < fabric->ends; e++) {
		const struct opensm_end *end = &fabric->end[e];
		if (end->to != OPENSM_NONE && ftree_computes(task->options, end) && tree->rank[end->to] != tree->leaf_rank)
			return opensm_refuse(task, "compute nodes are attached to switches of rank %u and of rank %u (AB26)" ADVICE,
				tree->rank[end->to], tree->leaf_rank);
	}
	if (leaves < 2)
		return opensm_refuse(task, "only one switch has compute nodes");
	return 0;
}

int ftree_init(struct ftree *tree, struct opensm_task *task)
{
	const struct opensm_fabric *fabric = task->fabric;
	const char *refusal = task->tables->refusal;
	*tree = (struct ftree){.fabric = fabric};
	if (check_nodes(tree, task) || *refusal)
		return 0;
	tree->rank = array_create(fabric->switches, sizeof *tree->rank, task->error);
	tree->place = array_create(fabric->switches, sizeof *tree->place, task->error);
	tree->leaf = array_create(fabric->switches, sizeof *tree->leaf, task->error);
	tree->compute = array_create(fabric->switches, sizeof *tree->compute, task->error);
	tree->other = array_create(fabric->switches, sizeof *tree->other, task->error);
	if (task->error->status)
		return -1;
	for (uint32_t e = 0; e < fabric->ends; e++)
		if (fabric->end[e].to != OPENSM_NONE && !fabric->end[e].router)
			(ftree_computes(task->options, &fabric->end[e]) ? tree->compute : tree->other)[fabric->end[e].to]++;
	for (uint32_t s = 0; s < fabric->switches; s++)
		tree->listed |= fabric->sw[s].root;
	if (!rank_switches(tree, task) && !*refusal && !check_leaves(tree, task) && !*refusal)
		group_cables(tree, task->error);
	return task->error->status ? -1 : 0;
}

void ftree_clear(struct ftree *tree)
{
	free(tree->rank);
	free(tree->place);
	free(tree->group);
	free(tree->cable);
	free(tree->sorted);
	free(tree->first);
	free(tree->compute);
	free(tree->other);
	free(tree->leaf);
}
