/*
 * Fat trees: extended generalised fat trees (Oehring, Ibel, Das, Kumar: On Generalized Fat Trees, IPPS 1995), and the two kinds of them
 * that have names of their own: k-ary n-trees (Petrini, Vanneschi: k-ary n-trees, IPPS 1997) and thin trees, or k:k'-ary n-trees
 * (Navaridas, Miguel-Alonso, Ridruejo, Denzel: Reducing complexity in tree-like computer interconnection networks, 2010).
 *
 * Level 0 are the hosts. A switch of level l has m_l children, and each of those w_l parents. M_l = m_1 .. m_l and W_l = w_1 .. w_l. Node
 * X W_l + Y of level l, Y < W_l, is child X mod m_(l+1) of the nodes X' W_(l+1) + y W_l + Y of the level above, X' = X div m_(l+1) and
 * y = 0 .. w_(l+1) - 1. Ports: children first, in their order, then parents, by y. Switches count from level 1 up.
 *
 * Routes (D-mod-K, Zahavi: D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010): up, until
 * the destination d is below, by y = (d div W_l) mod w_(l+1), so on level l at Y = d mod W_l; then down, to X = d div M_l.
 */
#include "node_name.h"
#include "reciprocal.h"
#include "topology.h"

#include <stdio.h>
#include <string.h>

enum { LEVELS_MAX = 32 };

/* One level; children and above are 1 where there are none. */
struct level {
	uint32_t children, parents; /* m_l and w_(l+1) */
	struct reciprocal below;    /* M_l: hosts below a node */
	struct reciprocal copies;   /* W_l: nodes with the same hosts below them */
	uint32_t first;             /* number of the level's first switch */
};

struct tree {
	uint32_t levels; /* of switches */
	struct level level[LEVELS_MAX + 1];
};

/* A node by its level, and the two parts of its number there. */
struct place {
	uint32_t level, x, y;
};

/* ---- making them */

/* Fills in what m and w, [1..levels], come to. */
static int make_tree(struct topology *topology, uint32_t levels, const int64_t *m, const int64_t *w, struct error *error)
{
	struct tree *tree = array_create(1, sizeof *tree, error);
	uint64_t hosts = 1, copies = 1, switches = 0, channels = 0;
	topology->data = tree;
	if (!tree)
		return -1;
	for (uint32_t l = 1; l <= levels; l++)
		if (__builtin_mul_overflow(hosts, (uint64_t)m[l], &hosts) || hosts > TOPOLOGY_CHANNELS_MAX)
			goto too_large;
	uint64_t nodes = hosts;
	tree->levels = levels;
	tree->level[0] = (struct level){1, (uint32_t)w[1], reciprocal_of(1), reciprocal_of(1), 0};
	for (uint32_t l = 1; l <= levels; l++) {
		struct level *level = &tree->level[l];
		/* no product overflows: nodes and copies are at most the limit, and w less than 2^32 */
		channels += 2 * nodes * (uint64_t)w[l];
		nodes = nodes / (uint64_t)m[l] * (uint64_t)w[l];
		copies *= (uint64_t)w[l];
		if (channels > TOPOLOGY_CHANNELS_MAX)
			goto too_large;
		*level = (struct level){(uint32_t)m[l], l < levels ? (uint32_t)w[l + 1] : 0,
			reciprocal_of((uint32_t)m[l] * tree->level[l - 1].below.divisor), reciprocal_of((uint32_t)copies),
			(uint32_t)switches};
		switches += nodes;
	}
	topology->hosts = (uint32_t)hosts;
	topology->switches = (uint32_t)switches;
	topology->channels = channels;
	return 0;
too_large:
	topology->channels = UINT64_MAX; /* table.c refuses it */
	return 0;
}

static int fattree_setup(struct topology *topology, struct error *error)
{
	int64_t k = topology->args.value[0].integer, levels = topology->args.value[1].integer;
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	for (int l = 1; l <= levels; l++) {
		m[l] = k;
		w[l] = l == 1 ? 1 : k;
	}
	return make_tree(topology, (uint32_t)levels, m, w, error);
}

static int thintree_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	for (int l = 1; l <= value[2].integer; l++) {
		m[l] = value[0].integer;
		w[l] = l == 1 ? 1 : value[1].integer;
	}
	return make_tree(topology, (uint32_t)value[2].integer, m, w, error);
}

/* "16:1/16:16" */
static int xgft_setup(struct topology *topology, struct error *error)
{
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	uint32_t levels = 0;
	for (char *rest = topology->args.value[0].text; rest;) {
		char piece[40], *part = strsep(&rest, "/"), *colon = strchr(part, ':');
		if (levels == LEVELS_MAX)
			return error_set(error, STATUS_USAGE, "more than %d levels", LEVELS_MAX);
		snprintf(piece, sizeof piece, "%.*s", colon ? (int)(colon - part) : 0, part);
		levels++;
		if (!colon || !read_integer(piece, 1, UINT32_MAX, &m[levels]) || !read_integer(colon + 1, 1, UINT32_MAX, &w[levels]))
			return error_set(error, STATUS_USAGE, "level %u is '%s', not children:parents such as 16:1", levels, part);
	}
	return make_tree(topology, levels, m, w, error);
}

/* ---- where things are */

static struct place place_of(const struct tree *tree, bool host, uint32_t node)
{
	uint32_t l = host ? 0 : tree->levels;
	while (l > 1 && node < tree->level[l].first)
		l--;
	uint32_t number = node - tree->level[l].first, x = quotient(number, tree->level[l].copies);
	return (struct place){l, x, number - x * tree->level[l].copies.divisor};
}

/* The port of a node at a place; level 0 has no down ports. */
static struct topology_port port_at(const struct tree *tree, struct place at, uint32_t port)
{
	const struct level *level = &tree->level[at.level];
	return (struct topology_port){at.level == 0, level->first + at.x * level->copies.divisor + at.y, port};
}

static uint32_t down_ports(const struct tree *tree, uint32_t level)
{
	return level ? tree->level[level].children : 0;
}

static uint32_t tree_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct tree *tree = topology->data;
	uint32_t level = place_of(tree, host, node).level;
	return down_ports(tree, level) + tree->level[level].parents;
}

static struct topology_port tree_peer(const struct topology *topology, struct topology_port port)
{
	const struct tree *tree = topology->data;
	struct place at = place_of(tree, port.host, port.node);
	const struct level *level = &tree->level[at.level];
	uint32_t down = down_ports(tree, at.level);
	if (port.port < down) {
		const struct level *lower = level - 1;
		uint32_t y = quotient(at.y, lower->copies);
		return port_at(tree, (struct place){at.level - 1, at.x * level->children + port.port, at.y - y * lower->copies.divisor},
			down_ports(tree, at.level - 1) + y);
	}
	uint32_t children = level[1].children, x = at.x / children;
	return port_at(tree, (struct place){at.level + 1, x, (port.port - down) * level->copies.divisor + at.y}, at.x - x * children);
}

/* ---- routes */

static uint32_t tree_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct tree *tree = topology->data;
	struct place at = place_of(tree, host, node);
	const struct level *level = &tree->level[at.level];
	if (at.level && quotient(destination, level->below) == at.x) /* down: x = (d div M_(l-1)) mod m_l */
		return quotient(destination, level[-1].below) - at.x * level->children;
	/* up: (d div W_l) mod w_(l+1) is (d mod W_(l+1)) div W_l */
	return down_ports(tree, at.level) + quotient(remainder_of(destination, level[1].copies), level->copies);
}

static uint32_t tree_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct tree *tree = topology->data;
	uint32_t x[LEVELS_MAX + 1], y[LEVELS_MAX + 1], level = 0,
						       length = 0; /* x, y: where the route to the destination is on each level */
	x[0] = destination;
	y[0] = 0;
	for (uint32_t from = source; from != x[level]; from = quotient(source, tree->level[level].below)) {
		const struct level *at = &tree->level[level], *above = at + 1;
		y[level + 1] = remainder_of(destination, above->copies);
		steps[length++] = (struct topology_step){
			at->first + from * at->copies.divisor + y[level], down_ports(tree, level) + quotient(y[level + 1], at->copies)};
		x[++level] = quotient(destination, above->below);
	}
	for (; level; level--) {
		const struct level *at = &tree->level[level];
		steps[length++] = (struct topology_step){
			at->first + x[level] * at->copies.divisor + y[level], x[level - 1] - x[level] * at->children};
	}
	return length;
}

/* Up to where all hosts are below a node: levels that have one child each are not climbed. */
static uint32_t tree_longest(const struct topology *topology)
{
	const struct tree *tree = topology->data;
	uint32_t level = tree->levels;
	while (level && tree->level[level].children == 1)
		level--;
	return 2 * level;
}

static void tree_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct tree *tree = topology->data;
	if (host) {
		put_number(text, 'H', node);
	} else {
		uint32_t level = place_of(tree, false, node).level;
		put_number(put_number(text, 'S', level), '_', node - tree->level[level].first);
	}
}

static const struct arg fattree_args[] = {
	{"k", ARG_INTEGER, NULL, 2, UINT32_MAX, "down ports of a switch, and as many up ports"},
	{"n", ARG_INTEGER, NULL, 1, LEVELS_MAX, "levels of switches"},
	{.type = ARG_END},
};

static const struct arg thintree_args[] = {
	{"down", ARG_INTEGER, NULL, 2, UINT32_MAX, "down ports of a switch"},
	{"up", ARG_INTEGER, NULL, 1, UINT32_MAX, "up ports of a switch below the top"},
	{"n", ARG_INTEGER, NULL, 1, LEVELS_MAX, "levels of switches"},
	{.type = ARG_END},
};

static const struct arg xgft_args[] = {
	{"levels", ARG_WORD, NULL, 0, 0, "children:parents of each level, from the hosts up, as 16:1/16:8"},
	{.type = ARG_END},
};

#define TREE \
	.routing = "dmodk", .ports = tree_ports, .peer = tree_peer, .next = tree_next, .route = tree_route, .longest = tree_longest, \
	.node_name = tree_name

const struct topology_kind topology_fattree = {
	.name = "fattree",
	.summary = "k-ary n-tree: n levels of switches with k ports down and, but for the top, k up",
	.source = "Petrini, Vanneschi 1997; routes: Zahavi 2010",
	.formulae = "k^n hosts, n k^(n-1) switches, n k^n cables",
	.args = fattree_args,
	.setup = fattree_setup,
	TREE,
};

const struct topology_kind topology_thintree = {
	.name = "thintree",
	.summary = "k:k'-ary n-tree: a fat tree whose switches have fewer ports up than down",
	.source = "Navaridas et al. 2010; routes: Zahavi 2010",
	.formulae = "down^n hosts; level l of 1..n has down^(n-l) up^(l-1) switches and down^(n-l+1) up^(l-1) cables below them",
	.args = thintree_args,
	.setup = thintree_setup,
	TREE,
};

const struct topology_kind topology_xgft = {
	.name = "xgft",
	.summary = "extended generalised fat tree: children and parents of every level as one likes",
	.source = "Oehring et al. 1995; routes: Zahavi 2010",
	.formulae = "M_l and W_l the products of the first l numbers of children and parents, h levels: M_h hosts; level l has M_h/M_l W_l "
		    "switches and m_l cables below each",
	.args = xgft_args,
	.setup = xgft_setup,
	TREE,
};
