/*
 * Fat trees: parallel ports generalised fat trees (Zahavi, see below), which without parallel cables are extended generalised fat trees
 * (Oehring, Ibel, Das, Kumar: On Generalized Fat Trees, IPPS 1995), and the kinds of them that have names of their own: k-ary n-trees
 * (Petrini, Vanneschi: k-ary n-trees, IPPS 1997), thin trees, or k:k'-ary n-trees (Navaridas, Miguel-Alonso, Ridruejo, Denzel: Reducing
 * complexity in tree-like computer interconnection networks, 2010), generalised trees, with any number of ports on each level (Navaridas et
 * al.: INRFlow, JPDC 2019), m-port n-trees, whose top switches have all m ports down (Lin, Chung, Huang: A Multiple LID Routing Scheme for
 * Fat-Tree-Based InfiniBand Networks, IPDPS 2004; HiNetSim paper 5), plain trees and stars (Jones, Engelmann: Simulation of Large-Scale HPC
 * Architectures, 2011).
 *
 * The hosts are level 0. A switch of level l has m_l children, and each of those w_l parents. M_l = m_1 .. m_l and W_l = w_1 .. w_l. Node X
 * W_l + Y of level l, Y < W_l, is child X mod m_(l+1) of the nodes X' W_(l+1) + y W_l + Y of the level above, X' = X div m_(l+1) and y = 0
 * .. w_(l+1) - 1, to each by p_(l+1) cables. Ports: children first, in their order, then parents, by y, with the parallel cables to each
 * one after another. Switches are numbered from level 1 up.
 *
 * Routes (D-mod-K, Zahavi: D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat Trees, 2010): up, until
 * the destination d is below, by y = (d div W_l) mod w_(l+1), so on level l at Y = d mod W_l; then down, to X = d div M_l. Of
 * the parallel cables between levels l-1 and l it is cable (d div W_l) mod p_l, up and down.
 */
#include "base/memory.h"
#include "topologies/node_name.h"
#include "topologies/place.h"
#include "topologies/reciprocal.h"
#include "topologies/topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = STRUCTURE_LEVELS_MAX };

/* One level; children and above are 1 if there are none. */
struct tree_level {
	uint32_t children, parents; /* m_l and w_(l+1) */
	struct reciprocal cables;   /* p_(l+1): cables to each parent */
	struct reciprocal below;    /* M_l: hosts below a node */
	struct reciprocal copies;   /* W_l: nodes with the same hosts below them */
	uint32_t first;             /* number of the level's first switch */
};

struct tree {
	uint32_t levels; /* levels of switches */
	struct tree_level level[LEVELS_MAX + 1];
};

/* A node by its level and the two parts of its number there. */
struct place {
	uint32_t level, x, y;
};

/* ---- setup */

/* Fills in the tree of m, w and p, [1..levels]; p: NULL for single cables. */
static int make_tree(struct topology *topology, uint32_t levels, const int64_t *m, const int64_t *w, const int64_t *p, struct error *error)
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
	tree->level[0] =
		(struct tree_level){1, (uint32_t)w[1], reciprocal_of(p ? (uint32_t)p[1] : 1), reciprocal_of(1), reciprocal_of(1), 0};
	for (uint32_t l = 1; l <= levels; l++) {
		struct tree_level *level = &tree->level[l];
		/* of these products only the first can overflow: nodes and copies are at most the limit, and w is less than 2^32 */
		uint64_t cables = p ? (uint64_t)p[l] : 1;
		if (__builtin_mul_overflow(cables, nodes * (uint64_t)w[l], &cables) || cables > TOPOLOGY_CHANNELS_MAX)
			goto too_large;
		channels += 2 * cables;
		nodes = nodes / (uint64_t)m[l] * (uint64_t)w[l];
		copies *= (uint64_t)w[l];
		if (channels > TOPOLOGY_CHANNELS_MAX)
			goto too_large;
		*level = (struct tree_level){(uint32_t)m[l], l < levels ? (uint32_t)w[l + 1] : 0,
			reciprocal_of(p && l < levels ? (uint32_t)p[l + 1] : 1),
			reciprocal_of((uint32_t)m[l] * tree->level[l - 1].below.divisor), reciprocal_of((uint32_t)copies),
			(uint32_t)switches};
		switches += nodes;
	}
	topology->tiers = levels;
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
	return make_tree(topology, (uint32_t)levels, m, w, NULL, error);
}

static int thintree_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	for (int l = 1; l <= value[2].integer; l++) {
		m[l] = value[0].integer;
		w[l] = l == 1 ? 1 : value[1].integer;
	}
	return make_tree(topology, (uint32_t)value[2].integer, m, w, NULL, error);
}

static int mport_setup(struct topology *topology, struct error *error)
{
	int64_t ports = topology->args.value[0].integer, levels = topology->args.value[1].integer;
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	if (ports % 2)
		return error_set(error, STATUS_USAGE, "m is %" PRId64 ", not an even number: half of the ports of a switch lead up", ports);
	for (int l = 1; l <= levels; l++) {
		m[l] = l < levels ? ports / 2 : ports;
		w[l] = l == 1 ? 1 : ports / 2;
	}
	return make_tree(topology, (uint32_t)levels, m, w, NULL, error);
}

static int star_setup(struct topology *topology, struct error *error)
{
	return make_tree(topology, 1, (const int64_t[]){0, topology->args.value[0].integer}, (const int64_t[]){0, 1}, NULL, error);
}

static int tree_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	for (int l = 1; l <= value[1].integer; l++) {
		m[l] = value[0].integer;
		w[l] = 1;
	}
	return make_tree(topology, (uint32_t)value[1].integer, m, w, NULL, error);
}

/* Reads "16:1" into count numbers; the second can be 0 or missing if last_open. */
static bool read_level(char *text, int count, bool last_open, int64_t **number)
{
	for (int i = 0; i < count; i++) {
		char *part = strsep(&text, ":");
		bool open = last_open && i == 1;
		if (!part && open)
			return true;
		if (!part || !read_integer(part, !open, UINT32_MAX, number[i]))
			return false;
	}
	return !text;
}

/*
 * Reads levels such as "16:1/16:16" into m and w, and the third of three numbers into p. open: the second number of the last level is 0 or
 * missing. Returns their number, 0 on errors.
 */
static uint32_t read_levels(const char *text, const char *form, bool open, int64_t *m, int64_t *w, int64_t *p, struct error *error)
{
	uint32_t levels = 0;
	char *copy = strdup(text);
	if (!copy)
		error_set(error, STATUS_IO, "out of memory");
	for (char *rest = copy; rest && !error->status;) {
		char piece[100], *part = strsep(&rest, "/");
		snprintf(piece, sizeof piece, "%s", part);
		if (levels++ == LEVELS_MAX)
			error_set(error, STATUS_USAGE, "more than %d levels", LEVELS_MAX);
		else if (!read_level(piece, p ? 3 : 2, open && !rest, (int64_t *[]){&m[levels], &w[levels], p ? &p[levels] : NULL}))
			error_set(error, STATUS_USAGE, "level %u is '%s', not %s", levels, part, form);
	}
	free(copy);
	return error->status ? 0 : levels;
}

static int xgft_setup(struct topology *topology, struct error *error)
{
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1];
	uint32_t levels = read_levels(topology->args.value[0].text, "children:parents such as 16:1", false, m, w, NULL, error);
	return levels ? make_tree(topology, levels, m, w, NULL, error) : -1;
}

static int pgft_setup(struct topology *topology, struct error *error)
{
	int64_t m[LEVELS_MAX + 1], w[LEVELS_MAX + 1], p[LEVELS_MAX + 1];
	uint32_t levels = read_levels(topology->args.value[0].text, "children:parents:cables such as 16:1:1", false, m, w, p, error);
	return levels ? make_tree(topology, levels, m, w, p, error) : -1;
}

/* Sets up a gtree: the ports up of a level are the parents of the level below. */
static int gtree_setup(struct topology *topology, struct error *error)
{
	int64_t down[LEVELS_MAX + 1], up[LEVELS_MAX + 1] = {0}, w[LEVELS_MAX + 1];
	uint32_t levels = read_levels(topology->args.value[0].text, "down:up such as 16:8", true, down, up, NULL, error);
	if (!levels)
		return -1;
	if (up[levels])
		return error_set(error, STATUS_USAGE, "the top level must not have ports up");
	for (uint32_t l = 1; l <= levels; l++)
		w[l] = l == 1 ? 1 : up[l - 1];
	return make_tree(topology, levels, down, w, NULL, error);
}

static void tree_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct tree *tree = topology->data;
	structure->blocks = topology->hosts / tree->level[1].below.divisor;
	structure->hosts = tree->level[1].below.divisor;
	structure->switches = tree->level[1].copies.divisor;
	structure->levels = tree->levels;
	for (uint32_t l = 0; l < tree->levels; l++)
		structure->first[l] = tree->level[l + 1].first;
}

/* ---- positions of nodes and ports */

static struct place place_of(const struct tree *tree, bool host, uint32_t node)
{
	uint32_t l = host ? 0 : tree->levels;
	while (l > 1 && node < tree->level[l].first)
		l--;
	uint32_t number = node - tree->level[l].first, x = quotient(number, tree->level[l].copies);
	return (struct place){l, x, number - x * tree->level[l].copies.divisor};
}

/* Returns the port of a node at a place; level 0 has no down ports. */
static struct topology_port port_at(const struct tree *tree, struct place at, uint32_t port)
{
	const struct tree_level *level = &tree->level[at.level];
	return (struct topology_port){at.level == 0, level->first + at.x * level->copies.divisor + at.y, port};
}

static uint32_t down_ports(const struct tree *tree, uint32_t level)
{
	return level ? tree->level[level].children * tree->level[level - 1].cables.divisor : 0;
}

static uint32_t tree_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct tree *tree = topology->data;
	uint32_t level = place_of(tree, host, node).level;
	return down_ports(tree, level) + tree->level[level].parents * tree->level[level].cables.divisor;
}

static struct topology_port tree_peer(const struct topology *topology, struct topology_port port)
{
	const struct tree *tree = topology->data;
	struct place at = place_of(tree, port.host, port.node);
	const struct tree_level *level = &tree->level[at.level];
	uint32_t down = down_ports(tree, at.level);
	if (port.port < down) {
		const struct tree_level *lower = level - 1;
		uint32_t y = quotient(at.y, lower->copies), child = quotient(port.port, lower->cables), cables = lower->cables.divisor;
		return port_at(tree, (struct place){at.level - 1, at.x * level->children + child, at.y - y * lower->copies.divisor},
			down_ports(tree, at.level - 1) + y * cables + port.port - child * cables);
	}
	uint32_t children = level[1].children, x = at.x / children, y = quotient(port.port - down, level->cables);
	uint32_t cables = level->cables.divisor, cable = port.port - down - y * cables;
	return port_at(tree, (struct place){at.level + 1, x, y * level->copies.divisor + at.y}, (at.x - x * children) * cables + cable);
}

/* ---- routes */

/*
 * Returns the port among those up or down that leads to the child or parent with that number, with the cable to it. lower: the level below
 * the cables.
 */
static inline uint32_t port_to(const struct tree_level *lower, uint32_t number, uint32_t destination)
{
	if (lower->cables.divisor == 1)
		return number;
	return number * lower->cables.divisor + remainder_of(quotient(destination, lower[1].copies), lower->cables);
}

static uint32_t tree_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct tree *tree = topology->data;
	struct place at = place_of(tree, host, node);
	const struct tree_level *level = &tree->level[at.level];
	if (at.level && quotient(destination, level->below) == at.x) /* down: x = (d div M_(l-1)) mod m_l */
		return port_to(level - 1, quotient(destination, level[-1].below) - at.x * level->children, destination);
	/* up: (d div W_l) mod w_(l+1) is (d mod W_(l+1)) div W_l */
	uint32_t y = quotient(remainder_of(destination, level[1].copies), level->copies);
	return down_ports(tree, at.level) + port_to(level, y, destination);
}

static uint32_t tree_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct tree *tree = topology->data;
	uint32_t x[LEVELS_MAX + 1], y[LEVELS_MAX + 1]; /* place of the route to the destination on each level */
	uint32_t level = 0, length = 0;
	x[0] = destination;
	y[0] = 0;
	for (uint32_t from = source; from != x[level]; from = quotient(source, tree->level[level].below)) {
		const struct tree_level *at = &tree->level[level], *above = at + 1;
		y[level + 1] = remainder_of(destination, above->copies);
		steps[length++] = (struct topology_step){at->first + from * at->copies.divisor + y[level],
			down_ports(tree, level) + port_to(at, quotient(y[level + 1], at->copies), destination)};
		x[++level] = quotient(destination, above->below);
	}
	for (; level; level--) {
		const struct tree_level *at = &tree->level[level];
		steps[length++] = (struct topology_step){at->first + x[level] * at->copies.divisor + y[level],
			port_to(at - 1, x[level - 1] - x[level] * at->children, destination)};
	}
	return length;
}

/* Returns the least common multiple, or most if it is larger. */
static uint64_t common_multiple(uint64_t a, uint64_t b, uint64_t most)
{
	uint64_t divisor = a, rest = b;
	while (rest) {
		uint64_t next = divisor % rest;
		divisor = rest;
		rest = next;
	}
	return a / divisor > most / b ? most : a / divisor * b < most ? a / divisor * b : most;
}

static uint32_t tree_climb(const struct topology *topology, uint32_t host, struct topology_climb *levels)
{
	const struct tree *tree = topology->data;
	uint64_t period = 1;
	for (uint32_t l = 0; l <= tree->levels; l++) {
		const struct tree_level *at = &tree->level[l], *above = at + 1;
		uint32_t x = quotient(host, at->below);
		levels[l] = (struct topology_climb){.own = at->first + x * at->copies.divisor, .node = remainder_of(host, at->copies)};
		if (l == tree->levels)
			break;
		levels[l].up = down_ports(tree, l) + port_to(at, quotient(remainder_of(host, above->copies), at->copies), host);
		levels[l].cable = port_to(at, 0, host);
		levels[l].down = (x - quotient(host, above->below) * above->children) * at->cables.divisor;
		period = common_multiple(period, (uint64_t)above->copies.divisor * at->cables.divisor, topology->hosts);
	}
	return (uint32_t)period;
}

/* Returns the level below the cable. */
static unsigned tree_tier(const struct topology *topology, struct topology_port port)
{
	const struct tree *tree = topology->data;
	uint32_t level = place_of(tree, port.host, port.node).level;
	return level - (port.port < down_ports(tree, level));
}

/* Returns the length up to the level where all hosts are below a node and back: levels with one child each are not climbed. */
static uint32_t tree_longest(const struct topology *topology)
{
	const struct tree *tree = topology->data;
	uint32_t level = tree->levels;
	while (level && tree->level[level].children == 1)
		level--;
	return 2 * level;
}

static uint32_t tree_tops(const struct topology *topology)
{
	const struct tree *tree = topology->data;
	return tree->level[tree->levels].first;
}

static struct topology_place tree_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct tree *tree = topology->data;
	uint32_t level = place_of(tree, host, node).level, width = topology->hosts;
	uint32_t nodes[LEVELS_MAX + 1] = {topology->hosts};
	for (uint32_t l = 1; l <= tree->levels; l++) {
		nodes[l] = (l < tree->levels ? tree->level[l + 1].first : topology->switches) - tree->level[l].first;
		width = nodes[l] > width ? nodes[l] : width;
	}
	return place_in_level(width, tree->levels, level, node - tree->level[level].first, nodes[level]);
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

static const struct arg mport_args[] = {
	{"m", ARG_INTEGER, NULL, 2, UINT32_MAX, "ports of a switch, an even number"},
	{"n", ARG_INTEGER, NULL, 1, LEVELS_MAX, "levels of switches"},
	{.type = ARG_END},
};

static const struct arg xgft_args[] = {
	{"levels", ARG_WORD, NULL, 0, 0, "children:parents of each level, from the hosts up, for example 16:1/16:8"},
	{.type = ARG_END},
};

static const struct arg star_args[] = {
	{"n", ARG_INTEGER, NULL, 1, UINT32_MAX, "hosts"},
	{.type = ARG_END},
};

static const struct arg tree_args[] = {
	{"degree", ARG_INTEGER, NULL, 1, UINT32_MAX, "down ports of a switch"},
	{"height", ARG_INTEGER, NULL, 1, LEVELS_MAX, "levels of switches"},
	{.type = ARG_END},
};

static const struct arg gtree_args[] = {
	{"levels", ARG_WORD, NULL, 0, 0,
		"down:up ports of a switch on each level, from the lowest up, for example 16:8/16:4/32; the top has none up"},
	{.type = ARG_END},
};

static const struct arg pgft_args[] = {
	{"levels", ARG_WORD, NULL, 0, 0, "children:parents:cables of each level, from the hosts up, for example 18:1:1/18:9:2"},
	{.type = ARG_END},
};

#define TREE \
	.form = STRUCTURE_TREE, .structure = tree_structure, .routing = "dmodk", .ports = tree_ports, .peer = tree_peer, \
	.tier = tree_tier, .tops = tree_tops, .place = tree_place, .next = tree_next, .route = tree_route, .climb = tree_climb, \
	.longest = tree_longest, .node_name = tree_name

const struct topology_kind topology_fattree = {
	.name = "fattree",
	.summary = "k-ary n-tree: n levels of switches with k ports down and, except at the top, k up",
	.source = "Petrini, Vanneschi 1997; routes: Zahavi 2010",
	.formulae = "k^n hosts, n k^(n-1) switches, n k^n cables; at most 2 n cables between hosts",
	.args = fattree_args,
	.setup = fattree_setup,
	TREE,
};

const struct topology_kind topology_thintree = {
	.name = "thintree",
	.summary = "k:k'-ary n-tree: a fat tree whose switches have fewer ports up than down",
	.source = "Navaridas et al. 2010; routes: Zahavi 2010",
	.formulae =
		"down^n hosts; level l of 1..n has down^(n-l) up^(l-1) switches and down^(n-l+1) up^(l-1) cables below them; at most 2 n cables "
		"between hosts",
	.args = thintree_args,
	.setup = thintree_setup,
	TREE,
};

const struct topology_kind topology_mport = {
	.name = "mport",
	.summary = "m-port n-tree: n levels of switches with m ports, half of them up except at the top, where all lead down",
	.source = "Lin, Chung, Huang 2004; HiNetSim paper 5; routes: Zahavi 2010",
	.formulae = "2 (m/2)^n hosts, (2 n - 1) (m/2)^(n-1) switches, 2 n (m/2)^n cables; at most 2 n cables between hosts",
	.args = mport_args,
	.setup = mport_setup,
	TREE,
};

const struct topology_kind topology_xgft = {
	.name = "xgft",
	.summary = "extended generalised fat tree: any numbers of children and parents on each level",
	.source = "Oehring et al. 1995; routes: Zahavi 2010",
	.formulae = "M_l and W_l the products of the first l numbers of children and parents, h levels: M_h hosts; level l has M_h/M_l W_l "
		    "switches and m_l cables below each; at most 2 h cables between hosts",
	.args = xgft_args,
	.setup = xgft_setup,
	TREE,
};

const struct topology_kind topology_star = {
	.name = "star",
	.summary = "one switch with all hosts",
	.source = "Jones, Engelmann 2011",
	.formulae = "n hosts, 1 switch, n cables; 2 cables between hosts",
	.args = star_args,
	.setup = star_setup,
	TREE,
};

const struct topology_kind topology_tree = {
	.name = "tree",
	.summary = "tree of switches with the hosts at its leaves",
	.source = "Jones, Engelmann 2011",
	.formulae =
		"degree^height hosts, 1 + degree + .. + degree^(height-1) switches, hosts + switches - 1 cables; at most 2 height cables "
		"between hosts",
	.args = tree_args,
	.setup = tree_setup,
	TREE,
};

const struct topology_kind topology_gtree = {
	.name = "gtree",
	.summary = "generalised tree: any numbers of ports down and up on each level",
	.source = "Navaridas et al. 2019; routes: Zahavi 2010",
	.formulae =
		"D_l and U_l ports of level l of 1..h: D_1 .. D_h hosts; level l has D_(l+1) .. D_h U_1 .. U_(l-1) switches and D_l cables "
		"below each; at most 2 h cables between hosts",
	.args = gtree_args,
	.setup = gtree_setup,
	TREE,
};

const struct topology_kind topology_pgft = {
	.name = "pgft",
	.summary = "parallel ports generalised fat tree: an xgft with several cables to each parent",
	.source = "Zahavi 2010",
	.formulae = "hosts and switches as xgft; m_l p_l cables below each switch of level l; at most 2 h cables between hosts",
	.args = pgft_args,
	.setup = pgft_setup,
	TREE,
};
