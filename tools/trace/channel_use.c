#include "tools/trace/channel_use.h"

#include "base/memory.h"
#include "fabric/source_groups.h"

#include <stdlib.h>
#include <string.h>

enum { ROWS_BEFORE_MERGING = 1 << 20 };

struct counting {
	struct source_groups groups;
	const struct fabric *fabric;
	const uint32_t *group;
	const struct jobs *jobs;
	bool by_job;
	double *share;     /* [nodes] of the packets that pass a node, the share that uses the channel */
	uint32_t *pending; /* [groups] pairs of the current destination from each group */
	uint32_t *touched; /* [count] groups that have some */
	bool *of_receiver; /* [jobs] whether the current destination runs it */
	uint32_t touched_count;
	struct error *error;
};

static int compare_rows(const void *left, const void *right)
{
	const struct use_row *a = left, *b = right;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

static int compare_pairs(const void *left, const void *right)
{
	const struct use_row *a = left, *b = right;
	return a->pairs != b->pairs ? (a->pairs > b->pairs ? -1 : 1) : compare_rows(left, right);
}

/* Adds up the rows of the same groups. */
static void merge_rows(struct channel_use *use)
{
	size_t kept = 0;
	if (use->rows)
		qsort(use->row, use->rows, sizeof *use->row, compare_rows);
	for (size_t i = 0; i < use->rows; i++)
		if (kept && !compare_rows(&use->row[kept - 1], &use->row[i]))
			use->row[kept - 1].pairs += use->row[i].pairs;
		else
			use->row[kept++] = use->row[i];
	use->rows = use->merged = kept;
}

static int add_row(struct channel_use *use, struct use_row row, struct error *error)
{
	if (use->rows > 2 * use->merged + ROWS_BEFORE_MERGING)
		merge_rows(use);
	if (array_grow(&use->row, &use->capacity, use->rows + 1, sizeof *use->row, error))
		return -1;
	use->row[use->rows++] = row;
	return 0;
}

static void add_pending(struct counting *k, uint32_t group)
{
	if (!k->pending[group]++)
		k->touched[k->touched_count++] = group;
}

/* Counts a pair, if it is one of a job. Returns whether it counts. */
static bool add_pair(struct counting *k, uint32_t source)
{
	bool counts = !k->jobs;
	for (uint32_t i = k->jobs ? k->jobs->first[source] : 0; k->jobs && i < k->jobs->first[source + 1]; i++) {
		uint32_t job = k->jobs->job[i];
		if (!k->of_receiver[job])
			continue;
		counts = true;
		if (k->by_job)
			add_pending(k, job);
	}
	if (counts && k->group && !k->by_job)
		add_pending(k, k->group[source]);
	return counts;
}

/* Sets the shares of all nodes of the current tree. Returns whether any packets use the channel. */
static bool set_shares(struct counting *k, uint32_t channel, uint32_t tail)
{
	const struct destination_trees *t = &k->groups.trees;
	bool used = false;
	if (t->distance[tail] >= TREE_DISTANCE_END || tail == k->fabric->host_node[t->destination])
		return false;
	for (uint32_t i = 0; i < t->count; i++) {
		uint32_t v = t->order[i], only;
		const uint32_t *way;
		const double *part;
		k->share[v] = 0;
		uint32_t ways = i ? forwarding_ways(t->forwarding, v, t->destination, &way, &part, &only) : 0;
		for (uint32_t w = 0; w < ways && w < (t->several ? ways : 1); w++)
			k->share[v] += (t->several ? part[w] : 1) * (way[w] == channel ? 1 : k->share[k->fabric->head[way[w]]]);
		used |= k->share[v] > 0;
	}
	return used;
}

/* Counts the pairs to the current destination that use a channel. */
static void count_channel(struct counting *k, struct channel_use *use, uint32_t tail)
{
	const struct source_groups *g = &k->groups;
	const struct destination_trees *t = &g->trees;
	uint32_t destination = t->destination;
	uint64_t before = use->pairs;
	uint32_t linked = k->fabric->node_host[tail];
	bool single = linked != NONE && t->link[linked] == use->channel; /* then only this host uses it */
	if (!single && !set_shares(k, use->channel, tail))
		return;
	for (uint32_t s = single ? t->start_of[linked] : 0; s < (single ? t->start_of[linked] + 1 : t->starts); s++) {
		uint32_t node = t->start[s].node;
		double share = single ? 1 : k->share[node];
		if (t->distance[node] >= TREE_DISTANCE_END || !(share > 0))
			continue;
		for (uint32_t i = g->first[s]; i < g->first[s + 1]; i++) {
			uint32_t source = g->host[i];
			if (source == destination || (single && source != linked) || !add_pair(k, source))
				continue;
			use->pairs++;
			use->load += share;
			use->senders += !use->sends[source];
			use->sends[source] = true;
		}
	}
	use->receivers += use->pairs > before;
	for (uint32_t i = 0; i < k->touched_count; i++) {
		uint32_t group = k->touched[i];
		add_row(use, (struct use_row){group, k->by_job ? group : k->group[destination], k->pending[group]}, k->error);
		k->pending[group] = 0;
	}
	k->touched_count = 0;
}

/* Marks the jobs that run on a destination, or ends that. */
static void mark_jobs(struct counting *k, uint32_t destination, bool on)
{
	for (uint32_t i = k->jobs ? k->jobs->first[destination] : 0; k->jobs && i < k->jobs->first[destination + 1]; i++)
		k->of_receiver[k->jobs->job[i]] = on;
}

/* Returns whether packets to a destination may leave a node by a channel. */
static bool may_use(const struct counting *k, uint32_t tail, uint32_t channel, uint32_t destination)
{
	const uint32_t *way;
	const double *part;
	uint32_t only, ways = forwarding_ways(k->groups.trees.forwarding, tail, destination, &way, &part, &only);
	for (uint32_t w = 0; w < ways; w++)
		if (way[w] == channel)
			return true;
	return false;
}

static void count_destination(struct counting *k, struct channel_use *use, uint32_t count, const uint32_t *tail, uint32_t destination)
{
	bool made = false;
	if (k->jobs && k->jobs->first[destination] == k->jobs->first[destination + 1])
		return;
	for (uint32_t i = 0; i < count && !k->error->status; i++) {
		if (!may_use(k, tail[i], use[i].channel, destination))
			continue;
		if (!made) {
			destination_trees_make(&k->groups.trees, destination);
			mark_jobs(k, destination, true);
			made = true;
		}
		count_channel(k, &use[i], tail[i]);
	}
	if (made)
		mark_jobs(k, destination, false);
}

int channel_use_count(struct channel_use *use, uint32_t count, const struct fabric *fabric, const struct forwarding *forwarding,
	const uint32_t *group, const struct jobs *jobs, bool by_job, struct error *error)
{
	struct counting k = {.fabric = fabric, .group = group, .jobs = jobs, .by_job = by_job, .error = error};
	uint32_t *tail = array_create(count, sizeof *tail, error);
	size_t groups = by_job ? jobs->jobs : 0;
	for (uint32_t h = 0; group && !by_job && h < fabric->hosts; h++)
		groups = group[h] >= groups ? (size_t)group[h] + 1 : groups;
	k.share = array_create(fabric->nodes, sizeof *k.share, error);
	k.pending = array_create(groups, sizeof *k.pending, error);
	k.touched = array_create(groups, sizeof *k.touched, error);
	k.of_receiver = array_create(jobs ? jobs->jobs : 0, sizeof *k.of_receiver, error);
	for (uint32_t i = 0; i < count && !error->status; i++) {
		use[i] = (struct channel_use){.channel = use[i].channel};
		use[i].sends = array_create(fabric->hosts, sizeof *use[i].sends, error);
		tail[i] = fabric_tail(fabric, use[i].channel);
	}
	if (!source_groups_init(&k.groups, fabric, forwarding, false, error) && !destination_trees_take_all(&k.groups.trees, error))
		for (uint32_t d = 0; d < fabric->hosts && !error->status; d++)
			count_destination(&k, use, count, tail, d);
	for (uint32_t i = 0; i < count && !error->status; i++) {
		merge_rows(&use[i]);
		if (use[i].rows)
			qsort(use[i].row, use[i].rows, sizeof *use[i].row, compare_pairs);
	}
	source_groups_clear(&k.groups);
	free(k.share);
	free(k.pending);
	free(k.touched);
	free(k.of_receiver);
	free(tail);
	return error->status ? -1 : 0;
}

void channel_use_clear(struct channel_use *use, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		free(use[i].row);
		free(use[i].sends);
	}
}
