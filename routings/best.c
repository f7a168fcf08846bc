/*
 * Tables by destination that deliver more than those of one rule: all routes are improved, one destination's tree at a time, on shortest
 * paths. The tree is taken out; then a path costs what its channels cost, and the tree with the least cost is put in again:
 *
 * 1. Nodes near the destination first, each takes the channel whose path costs least, for its own hosts exactly.
 * 2. Nodes far from it first, all routes that pass a node change together to the path that costs them least, until none changes.
 * 3. The tree stays only if it costs less than the one before.
 *
 * A pass does so for all destinations. When passes gain little, the search starts again, the second time from the tables of ftree-orcs,
 * which are the best there are in complete fat trees, then from the best tables with random paths to some destinations, and from nothing
 * when that has been in vain for some time (alltoall: always); the best result stays. The cost of a channel for the hosts of a leaf (a node
 * where routes begin), divided by its speed:
 *
 * bisect: what a further route costs the messages of a random bisection. Of R routes on a channel, a leaf's host has r of its own, so its
 *   message meets a number of others there that is about Poisson, with a mean proportional to R - r; see best_damp().
 * both: the pairs of routes with other senders and other receivers on it, to which the expected number of collisions is proportional: each
 *   new route adds R - r. And a part of the cost of shifts, with a weight at which, on real fabrics, both come near to what each alone
 *   reaches.
 * shifts: the pairs of routes that are on it in the same shift of all hosts, in an order of them; later higher powers of their number, for
 * the largest loads.
 * alltoall: the sum of R^p over the channels, with p = 4, 8, 16 in later passes, for the smallest of the largest loads.
 *
 * Time O(leaves * hops * choices) per destination and pass, for shifts O(hosts * hops * choices). Memory: 2 bytes per channel and leaf, for
 * shifts 2 per channel and host.
 */
#include "routings/best.h"

#include "base/files.h"
#include "base/memory.h"
#include "fabric/placement.h"
#include "routings/lane_fit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const best_objectives[] = {"both", "bisect", "alltoall", "shifts", NULL};

/* Numbers the channels that routes choose: those between nodes with columns. */
static void number_slots(struct best *b)
{
	const struct routing_graph *n = b->graph;
	const struct fabric *f = n->fabric;
	for (uint32_t c = 0; c < f->channels; c++) {
		bool chosen = n->column[n->tail[c]] != NONE && n->column[f->head[c]] != NONE;
		b->slot[c] = chosen ? b->slots : NONE;
		if (chosen)
			b->scale[b->slots++] = b->task->args[IGNORE_SPEEDS].integer ? 1 : 1 / f->speed[c];
	}
}

/* Lists the leaves with the positions of their hosts. */
static void list_leaves(struct best *b)
{
	const struct routing_graph *n = b->graph;
	const struct fabric *f = n->fabric;
	for (uint32_t v = 0; v < f->nodes; v++) {
		b->leaf_of[v] = n->senders[v] && n->column[v] != NONE ? b->leaves : NONE;
		if (b->leaf_of[v] != NONE)
			b->leaf_node[b->leaves++] = v;
	}
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t h = 0; h < f->hosts; h++) {
			uint32_t column = routing_start_column(n, h), leaf = column == NONE ? NONE : b->leaf_of[n->node[column]];
			if (leaf == NONE)
				continue;
			if (fill)
				b->position[b->first[leaf]++] = b->position_of[h];
			else
				b->first[leaf + 1]++;
		}
		for (uint32_t l = 0; l < b->leaves && !fill; l++)
			b->first[l + 1] += b->first[l];
	}
	memmove(b->first + 1, b->first, b->leaves * sizeof *b->first);
	b->first[0] = 0;
}

/* Sets the position of each host: by order=FILE, then the others; without it as ranks are placed by linear_bfs. */
static int place_hosts(struct best *b)
{
	const struct fabric *f = b->graph->fabric;
	const char *file = b->task->args[ORDER].text;
	struct placement placement = {0};
	char subset[4200] = "linear_bfs";
	uint32_t next = 0;
	if (file && *file)
		snprintf(subset, sizeof subset, "file:%s", file);
	if (file && *file && b->task->files && files_read(b->task->files, file, b->error))
		return -1;
	memset(b->position_of, 0xff, f->hosts * sizeof *b->position_of);
	if (!placement_init(&placement, f, subset, "linear", 0, b->task->seed, b->error))
		for (uint32_t r = 0; r < placement.ranks; r++)
			if (b->position_of[placement.host[r]] == NONE)
				b->position_of[placement.host[r]] = next++;
	for (uint32_t h = 0; h < f->hosts; h++)
		if (b->position_of[h] == NONE)
			b->position_of[h] = next++;
	placement_clear(&placement);
	return b->error->status ? -1 : 0;
}

static int find_objective(struct best *b)
{
	const char *text = b->task->args[OBJECTIVE].text;
	for (int i = 0; best_objectives[i]; i++)
		if (!strcmp(text, best_objectives[i])) {
			b->objective = (enum objective)i;
			return 0;
		}
	return error_set(b->error, STATUS_USAGE, "best: the objective is '%s', not both, bisect, alltoall or shifts", text);
}

/* Tabulates best_met() for the speeds that come first. */
static void tabulate_met(struct best *b)
{
	double scale[BEST_SPEEDS];
	unsigned count = 0;
	for (uint32_t s = 0; s < b->slots && !b->error->status; s++) {
		unsigned i = 0;
		while (i < count && scale[i] != b->scale[s])
			i++;
		b->speed[s] = (uint8_t)i;
		if (i < count || i == BEST_SPEEDS || !(b->met[i] = array_create(BEST_ROUTES, sizeof *b->met[i], b->error)))
			continue;
		scale[count++] = b->scale[s];
		for (uint32_t routes = 0; routes < BEST_ROUTES; routes++)
			b->met[i][routes] = best_met(b, b->scale[s], routes);
	}
}

static int init(struct best *b)
{
	const struct routing_graph *n = b->graph;
	uint32_t nodes = n->fabric->nodes, hosts = n->fabric->hosts, channels = n->fabric->channels;
	struct error *error = b->error;
	b->slot = array_create(channels, sizeof *b->slot, error);
	b->scale = array_create(channels, sizeof *b->scale, error);
	b->load = array_create(channels, sizeof *b->load, error);
	b->tree = array_create(channels, sizeof *b->tree, error);
	b->leaf_node = array_create(nodes, sizeof *b->leaf_node, error);
	b->leaf_of = array_create(nodes, sizeof *b->leaf_of, error);
	b->first = array_create((size_t)nodes + 2, sizeof *b->first, error);
	b->position = array_create(hosts, sizeof *b->position, error);
	b->position_of = array_create(hosts, sizeof *b->position_of, error);
	b->before = array_create(n->columns, sizeof *b->before, error);
	b->length = array_create(nodes, sizeof *b->length, error);
	b->head = array_create(nodes, sizeof *b->head, error);
	b->last = array_create(nodes, sizeof *b->last, error);
	b->link = array_create(nodes, sizeof *b->link, error);
	if (choices_init(&b->choices, n, error) || error->status || place_hosts(b))
		return -1;
	number_slots(b);
	list_leaves(b);
	b->damping = array_create(b->slots, sizeof *b->damping, error);
	b->speed = array_create(b->slots, 1, error);
	b->own = array_create((size_t)b->slots * b->leaves, sizeof *b->own, error);
	if (b->objective == FOR_BISECTIONS)
		tabulate_met(b);
	if (b->objective == FOR_SHIFTS || b->objective == FOR_BOTH)
		b->shift = array_create((size_t)b->slots * hosts, sizeof *b->shift, error);
	return error->status ? -1 : 0;
}

static void clear(struct best *b)
{
	choices_clear(&b->choices);
	free(b->slot);
	free(b->scale);
	free(b->load);
	free(b->tree);
	free(b->leaf_node);
	free(b->leaf_of);
	free(b->first);
	free(b->position);
	free(b->position_of);
	free(b->own);
	free(b->damping);
	free(b->speed);
	for (int i = 0; i < BEST_SPEEDS; i++)
		free(b->met[i]);
	free(b->shift);
	free(b->before);
	free(b->length);
	free(b->head);
	free(b->last);
	free(b->link);
}

/* Sets the last channels, from the switches to their hosts. */
static void set_last(struct best *b)
{
	const struct routing_graph *n = b->graph;
	for (uint32_t g = 0; g < n->groups; g++)
		for (uint32_t m = n->first_member[g]; m < n->first_member[g + 1]; m++) {
			uint32_t last = routing_last(n, g, n->member[m]);
			if (last != NONE)
				routed_row(b->routed, n, n->member[m])[n->column[n->root[g]]] = last;
		}
}

static int best_route(const struct routing_task *task, struct routed *routed, struct error *error)
{
	struct best b = {.task = task, .graph = task->graph, .routed = routed, .error = error};
	if (!find_objective(&b) && !init(&b)) {
		best_search(&b);
		set_last(&b);
	}
	clear(&b);
	if (error->status || lane_fit_all(routed, task, "best", 0, error))
		return -1;
	if (routed->lanes < 2) {
		free(routed->level);
		routed->level = NULL;
	}
	return 0;
}

static const struct arg best_args[] = {
	[OBJECTIVE] = {"objective", ARG_WORD, "both", 0, 0, "what is improved: both, bisect, alltoall or shifts"},
	[TIME] = {"time", ARG_INTEGER, "0", 0, 1000000, "seconds after which no pass begins; 0: no limit"},
	[PASSES] = {"passes", ARG_INTEGER, "0", 0, 1000000, "passes over all destinations (default: 24, with a time no limit)"},
	[ORDER] = {"order", ARG_WORD, "", 0, 0, "file with the hosts in the order of the ranks, for shifts (default: as linear_bfs)"},
	[IGNORE_SPEEDS] = {"ignore-speeds", ARG_FLAG, NULL, 0, 0, "all links count as equally fast"},
	{.type = ARG_END},
};

const struct routing routing_best = {
	.name = "best",
	.summary = "shortest paths improved tree by tree for bisections, shifts or all-to-all; deadlock-free on virtual lanes",
	.source = "orcs",
	.needs = "any fabric; lanes",
	.args = best_args,
	.route = best_route,
};
