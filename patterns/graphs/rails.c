/*
 * Collectives of machines with several accelerators, each with an adapter of its own: rank r is accelerator r mod G of machine r / G, and
 * its messages to other machines use its own adapter. Within a machine data moves over another network, which takes no time here. As NCCL
 * does, data is divided between channels, and channel c crosses between machines from adapter c mod G to adapter c mod G, so that on a
 * rail-optimised fabric it stays on one rail. Messages are pipelined in pieces; only their bytes and order matter. Sources: Patarasuk,
 * Yuan: Bandwidth Optimal All-reduce Algorithms for Clusters of Workstations, JPDC 2009; Sanders, Speck, Träff: Two-tree algorithms for
 * full bandwidth broadcast, reduction and scan, Parallel Computing 2009.
 */
#include "patterns/workload.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

enum { GROUP, CHANNELS, PIECES };

static const struct arg ring_args[] = {
	{"G", ARG_INTEGER, NULL, 1, 1 << 16, "accelerators of a machine: ranks 0 to G-1 are on the first"},
	{"channels", ARG_INTEGER, "0", 0, 1 << 16, "parts of the data, each on the rail of its number mod G (default: G)"},
	{"pieces", ARG_INTEGER, "1", 1, 1 << 16, "pieces that each part is sent in, one after another"},
	{.type = ARG_END},
};

static const struct arg tree_args[] = {
	{"G", ARG_INTEGER, NULL, 1, 1 << 16, "accelerators of a machine: ranks 0 to G-1 are on the first"},
	{"channels", ARG_INTEGER, "0", 0, 1 << 16, "parts of the data, each on the rail of its number mod G (default: G)"},
	{"pieces", ARG_INTEGER, "16", 1, 1 << 16, "pieces that each part is sent in, one after another"},
	{.type = ARG_END},
};

/* The machines, and how the data is divided. */
struct rails {
	struct task_builder *builder;
	uint32_t group, machines, channels, pieces;
	double bytes; /* of one channel */
};

static int begin_rails(struct rails *r, const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	uint32_t group = (uint32_t)task->args[GROUP].integer, channels = (uint32_t)task->args[CHANNELS].integer;
	if (task->tasks % group)
		return error_set(error, STATUS_USAGE, "machines of %" PRIu32 " ranks need a multiple of these, not %" PRIu32 " ranks",
			group, task->tasks);
	channels = channels ? channels : group;
	*r = (struct rails){builder, group, task->tasks / group, channels, (uint32_t)task->args[PIECES].integer, task->bytes / channels};
	return 0;
}

static double rails_messages(const struct workload_task *task)
{
	double group = (double)task->args[GROUP].integer, channels = (double)task->args[CHANNELS].integer;
	return 4 * task->tasks / group * (channels > 0 ? channels : group) * (double)task->args[PIECES].integer;
}

/* The rank of a machine that a channel uses. */
static uint32_t rank_of(const struct rails *r, uint32_t machine, uint32_t channel)
{
	return machine * r->group + channel % r->group;
}

/* ---- rings */

/*
 * Adds the rings of all channels: every machine sends so many bytes to the next, in pieces, each of which waits for the piece before it
 * from the machine before, and for the piece that the machine has sent before.
 */
static void add_rings(const struct rails *r, double bytes)
{
	for (uint32_t c = 0; c < r->channels && r->machines > 1; c++) {
		uint32_t before = task_builder_graph(r->builder)->operations; /* pieces of a round are numbered consecutively */
		for (uint32_t piece = 0; piece < r->pieces && task_builder_goes_on(r->builder); piece++, before += r->machines) {
			for (uint32_t m = 0; m < r->machines; m++)
				task_message(r->builder, rank_of(r, m, c), rank_of(r, (m + 1) % r->machines, c), bytes / r->pieces);
			for (uint32_t m = 0; m < r->machines && piece; m++) {
				task_after(r->builder, before + m, before - r->machines + m);
				task_after(r->builder, before + m, before - r->machines + (m + r->machines - 1) % r->machines);
			}
		}
	}
}

static int build_ring(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct rails r = {0};
	if (begin_rails(&r, task, builder, error))
		return -1;
	add_rings(&r, 2 * (task->tasks - 1.) / task->tasks * r.bytes);
	return 0;
}

/* Within a machine the data is first reduced and scattered: an adapter has its part of the data only. */
static int build_hierarchical(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct rails r = {0};
	if (begin_rails(&r, task, builder, error))
		return -1;
	add_rings(&r, 2 * (r.machines - 1.) / r.machines * r.bytes);
	return 0;
}

/* Half of an all-reduce, a reduce-scatter or an all-gather: both send the same bytes. */
static int build_half(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct rails r = {0};
	if (begin_rails(&r, task, builder, error))
		return -1;
	add_rings(&r, (task->tasks - 1.) / task->tasks * r.bytes);
	return 0;
}

/* ---- trees */

/* A binary tree whose nodes are in order: inner nodes are between those below them. */
struct shape {
	uint32_t nodes;
	uint32_t *parent; /* [nodes] of node 0, the root, 0 */
	uint32_t *order;  /* [nodes] parents before their children */
	uint32_t *first;  /* [nodes + 1] children of a node: child[first[v]] .. child[first[v + 1] - 1] */
	uint32_t *child;
};

static uint32_t parent_of(uint32_t node, uint32_t nodes)
{
	uint32_t bit = node & -node, up = (node ^ bit) | bit << 1;
	return up < nodes && bit << 1 ? up : node ^ bit;
}

static int make_shape(struct shape *s, uint32_t nodes, struct error *error)
{
	*s = (struct shape){
		.nodes = nodes,
		.parent = array_create(nodes, sizeof *s->parent, error),
		.order = array_create(nodes, sizeof *s->order, error),
		.first = array_create((size_t)nodes + 2, sizeof *s->first, error),
		.child = array_create(nodes, sizeof *s->child, error),
	};
	if (error->status)
		return -1;
	for (uint32_t v = 1; v < nodes; v++) {
		s->parent[v] = parent_of(v, nodes);
		s->first[s->parent[v] + 2]++;
	}
	for (uint32_t v = 0; v < nodes; v++)
		s->first[v + 2] += s->first[v + 1];
	for (uint32_t v = 1; v < nodes; v++)
		s->child[s->first[s->parent[v] + 1]++] = v;
	for (uint32_t done = 1, next = 0; next < done; next++) /* breadth first from node 0 */
		for (uint32_t i = s->first[s->order[next]]; i < s->first[s->order[next] + 1]; i++)
			s->order[done++] = s->child[i];
	return 0;
}

static void clear_shape(struct shape *s)
{
	free(s->parent);
	free(s->order);
	free(s->first);
	free(s->child);
}

/* A tree of one channel: one of two. The leaves of the one are inner nodes of the other, so that no machine sends more than both halves
 * twice. */
struct tree {
	const struct rails *rails;
	const struct shape *shape;
	uint32_t channel;
	bool second;
	uint32_t *up, *down; /* [machines] the last piece from a node to its parent, and to it from its parent; OPERATION_NONE */
};

static uint32_t rank_at(const struct tree *t, uint32_t node)
{
	uint32_t nodes = t->shape->nodes, other = nodes % 2 ? (node + 1) % nodes : nodes - 1 - node; /* shifted, or mirrored */
	return rank_of(t->rails, t->second ? other : node, t->channel);
}

/* Adds a piece between a node and its parent, after the one before. */
static uint32_t add_hop(struct tree *t, uint32_t node, bool up, double bytes)
{
	uint32_t own = rank_at(t, node), other = rank_at(t, t->shape->parent[node]), *last = up ? &t->up[node] : &t->down[node];
	uint32_t message = task_message(t->rails->builder, up ? own : other, up ? other : own, bytes);
	if (*last != OPERATION_NONE)
		task_after(t->rails->builder, message, *last);
	return *last = message;
}

/* Sends a piece from all nodes to the root, each after what it got from below, and from there to all. */
static void add_piece(struct tree *t, double bytes)
{
	const struct shape *s = t->shape;
	struct task_builder *builder = t->rails->builder;
	for (uint32_t k = s->nodes; k-- > 1;) {
		uint32_t node = s->order[k], message = add_hop(t, node, true, bytes);
		for (uint32_t i = s->first[node]; i < s->first[node + 1]; i++)
			task_after(builder, message, t->up[s->child[i]]);
	}
	uint32_t reduced = task_join(builder, rank_at(t, 0));
	for (uint32_t i = s->first[0]; i < s->first[1]; i++)
		task_after(builder, reduced, t->up[s->child[i]]);
	for (uint32_t k = 1; k < s->nodes; k++) {
		uint32_t node = s->order[k], message = add_hop(t, node, false, bytes);
		task_after(builder, message, s->parent[node] ? t->down[s->parent[node]] : reduced);
	}
}

static int build_tree(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct rails r = {0};
	struct shape shape = {0};
	if (begin_rails(&r, task, builder, error))
		return -1;
	uint32_t *last = array_create(2 * (size_t)r.machines, sizeof *last, error);
	if (last && !make_shape(&shape, r.machines, error))
		for (uint32_t i = 0; i < 2 * r.channels && r.machines > 1; i++) {
			struct tree tree = {&r, &shape, i / 2, i % 2, last, last + r.machines};
			for (uint32_t k = 0; k < 2 * r.machines; k++)
				last[k] = OPERATION_NONE;
			for (uint32_t piece = 0; piece < r.pieces && task_builder_goes_on(builder); piece++)
				add_piece(&tree, r.bytes / 2 / r.pieces);
		}
	clear_shape(&shape);
	free(last);
	return error->status ? -1 : 0;
}

const struct pattern pattern_rail_ring = {
	.name = "rail_ring",
	.summary = "all-reduce by rings over machines of G accelerators, one for each rail",
	.source = "NCCL; Patarasuk, Yuan 2009",
	.args = ring_args,
	.ordered = true,
	.messages = rails_messages,
	.build = build_ring,
};

const struct pattern pattern_rail_tree = {
	.name = "rail_tree",
	.summary = "all-reduce by double binary trees over machines of G accelerators, for each rail",
	.source = "NCCL; Sanders, Speck, Träff 2009",
	.args = tree_args,
	.ordered = true,
	.messages = rails_messages,
	.build = build_tree,
};

const struct pattern pattern_rail_hierarchical = {
	.name = "rail_hierarchical",
	.summary = "all-reduce in machines of G accelerators, and between them by a ring for each rail",
	.source = "NCCL; Patarasuk, Yuan 2009",
	.args = ring_args,
	.ordered = true,
	.messages = rails_messages,
	.build = build_hierarchical,
};

const struct pattern pattern_rail_scatter = {
	.name = "rail_scatter",
	.summary = "reduce-scatter, or all-gather, by rings over machines of G accelerators, one for each rail",
	.source = "NCCL; Patarasuk, Yuan 2009",
	.args = ring_args,
	.ordered = true,
	.messages = rails_messages,
	.build = build_half,
};
