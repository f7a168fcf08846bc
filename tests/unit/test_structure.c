/* What each topology states of its structure, held against its cables; and that what is not so is found. */
#include "helpers.h"

#include "base/random.h"
#include "topologies/topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A topology by its channels. */
struct cabled {
	const struct topology *topology;
	struct topology_structure structure; /* stated, perhaps wrongly */
	uint32_t parallel;
	uint32_t nodes;
	uint32_t *joined; /* [nodes][nodes] channels between nodes, hosts first */
	uint32_t *blocks; /* [blocks][blocks] the same of blocks, between switches or forwarding hosts */
};

static struct topology *make(const char *spec)
{
	struct error error = {0};
	struct topology *topology = topology_create(spec, &error);
	assert_fine(&error);
	assert_non_null(topology);
	return topology;
}

/* Counts the channels between nodes. */
static struct cabled make_cabled(const struct topology *t, uint32_t parallel)
{
	struct cabled c = {.topology = t, .parallel = parallel, .nodes = t->hosts + t->switches};
	topology_structure(t, &c.structure);
	c.joined = calloc((size_t)c.nodes * c.nodes, sizeof *c.joined);
	assert_non_null(c.joined);
	for (uint32_t v = 0; v < c.nodes; v++) {
		bool host = v < t->hosts;
		uint32_t node = v - (host ? 0 : t->hosts);
		for (uint32_t port = 0; port < t->kind->ports(t, host, node); port++) {
			struct topology_port end = t->kind->peer(t, (struct topology_port){host, node, port});
			c.joined[(size_t)v * c.nodes + end.node + (end.host ? 0 : t->hosts)]++;
		}
	}
	return c;
}

static uint32_t joined(const struct cabled *c, uint32_t from, uint32_t to)
{
	return c->joined[(size_t)from * c->nodes + to];
}

static uint32_t joined_blocks(const struct cabled *c, uint32_t from, uint32_t to)
{
	return c->blocks[(size_t)from * c->structure.blocks + to];
}

/* The block of a node, NONE: a switch behind all of them. */
static uint32_t block_of(const struct cabled *c, uint32_t v)
{
	const struct topology_structure *s = &c->structure;
	uint32_t hosts = c->topology->hosts, block = v < hosts ? v / s->hosts : s->switches ? (v - hosts) / s->switches : NONE;
	return block < s->blocks ? block : NONE;
}

/* ---- checks: NULL, or what is wrong */

static const char *check_sizes(const struct cabled *c)
{
	const struct topology_structure *s = &c->structure;
	const struct topology *t = c->topology;
	bool all = !s->nested && s->form != STRUCTURE_TREE;
	if (!s->blocks)
		return s->form == STRUCTURE_NONE && !s->hosts && !s->switches && !s->nested ? NULL : "no blocks";
	if (!s->hosts || (uint64_t)s->blocks * s->hosts != t->hosts)
		return "not all hosts are in blocks";
	if ((uint64_t)s->blocks * s->switches > t->switches || (all && s->blocks * s->switches != t->switches))
		return "other switches are in blocks";
	if (all && s->form != STRUCTURE_GROUPS && s->switches > 1)
		return "blocks of several switches that are no groups";
	return !s->nested && !s->switches && s->hosts > 1 ? "blocks of several hosts that forward" : NULL;
}

/* The cables of a host: to its switch alone, of those of its block in their order; of a tree to all of these. */
static const char *check_host(const struct cabled *c, uint32_t host)
{
	const struct topology_structure *s = &c->structure;
	const struct topology *t = c->topology;
	uint32_t block = host / s->hosts, each = s->hosts / s->switches, cables = t->kind->ports(t, true, host);
	bool tree = s->form == STRUCTURE_TREE;
	if (!tree && (!each || each * s->switches != s->hosts))
		return "switches with other numbers of hosts";
	for (uint32_t number = 0; number < t->switches; number++) {
		bool own = tree ? number / s->switches == block : number == host / each;
		uint32_t wanted = own ? cables / (tree ? s->switches : 1) : 0;
		if ((own && !wanted) || joined(c, host, t->hosts + number) != wanted || joined(c, t->hosts + number, host) != wanted)
			return "a host is on other switches";
	}
	return NULL;
}

static const char *check_hosts(const struct cabled *c)
{
	const char *wrong = NULL;
	if (c->structure.switches && !c->structure.nested)
		for (uint32_t host = 0; host < c->topology->hosts && !wrong; host++)
			wrong = check_host(c, host);
	return wrong;
}

/* Counts the channels between blocks, but for those of hosts that do not forward. */
static void count_blocks(struct cabled *c)
{
	const struct topology_structure *s = &c->structure;
	c->blocks = calloc((size_t)s->blocks * s->blocks, sizeof *c->blocks);
	assert_non_null(c->blocks);
	for (uint32_t v = s->switches ? c->topology->hosts : 0; v < c->nodes; v++)
		for (uint32_t w = s->switches ? c->topology->hosts : 0; w < c->nodes; w++)
			if (block_of(c, v) != NONE && block_of(c, w) != NONE)
				c->blocks[(size_t)block_of(c, v) * s->blocks + block_of(c, w)] += joined(c, v, w);
}

/* Whether a channel leads from one coordinate to another. */
static bool are_joined(const struct topology_structure *s, const struct structure_dimension *d, uint32_t from, uint32_t to)
{
	bool up = to == from + 1 || (d->wraps && from == d->width - 1 && to == 0);
	bool down = from == to + 1 || (d->wraps && to == d->width - 1 && from == 0);
	return s->form == STRUCTURE_FULL || up || (down && !d->one_way);
}

/* How many dimensions differ; *fit: a channel leads along each of these. */
static unsigned compare(const struct topology_structure *s, uint32_t from, uint32_t to, bool *fit)
{
	unsigned differ = 0;
	*fit = true;
	for (uint32_t i = 0; i < s->dimensions; i++) {
		uint32_t width = s->dimension[i].width, a = from % width, b = to % width;
		differ += a != b;
		*fit &= a == b || are_joined(s, &s->dimension[i], a, b);
		from /= width;
		to /= width;
	}
	return differ;
}

static const char *check_grid(const struct cabled *c)
{
	const struct topology_structure *s = &c->structure;
	uint64_t blocks = 1;
	for (uint32_t i = 0; i < s->dimensions; i++)
		blocks *= s->dimension[i].width;
	if (!s->dimensions || blocks != s->blocks)
		return "widths are of another number of blocks";
	for (uint32_t a = 0; a < s->blocks; a++)
		for (uint32_t b = 0; b < s->blocks; b++) {
			bool fit, neighbours = compare(s, a, b, &fit) == 1 && fit;
			if (a != b && joined_blocks(c, a, b) != (neighbours ? c->parallel : 0))
				return "other neighbours";
		}
	return NULL;
}

static const char *check_groups(const struct cabled *c)
{
	const struct topology_structure *s = &c->structure;
	uint32_t first = c->topology->hosts;
	for (uint32_t v = first; v < c->nodes; v++)
		for (uint32_t w = first; w < c->nodes; w++)
			if (v != w && block_of(c, v) == block_of(c, w) && joined(c, v, w) != c->parallel)
				return "a group whose switches are not all joined";
	for (uint32_t a = 0; a < s->blocks; a++)
		for (uint32_t b = 0; b < s->blocks; b++)
			if (a != b && joined_blocks(c, a, b) != s->between * c->parallel)
				return "other cables between groups";
	return (s->blocks < 2) == (s->between == 0) ? NULL : "cables to no group";
}

static uint32_t level_of(const struct topology_structure *s, uint32_t number)
{
	uint32_t level = s->levels - 1;
	while (level && number < s->first[level])
		level--;
	return level;
}

static const char *check_tree(const struct cabled *c)
{
	const struct topology_structure *s = &c->structure;
	const struct topology *t = c->topology;
	if (!s->levels || s->levels > STRUCTURE_LEVELS_MAX || s->first[0])
		return "no levels";
	if (s->blocks * s->switches != (s->levels > 1 ? s->first[1] : t->switches))
		return "hosts on other switches than the lowest";
	for (uint32_t a = 0; a < t->switches; a++) {
		bool above = false, below = false;
		uint32_t level = level_of(s, a);
		for (uint32_t b = 0; b < t->switches; b++) {
			uint32_t other = level_of(s, b);
			if (!joined(c, t->hosts + a, t->hosts + b))
				continue;
			if (other != level + 1 && other + 1 != level)
				return "a cable past a level";
			above |= other > level;
			below |= other < level;
		}
		if (above != (level + 1 < s->levels) || below != (level > 0))
			return "a level without cables to the next";
	}
	return NULL;
}

/* Holds the structure against the cables. */
static const char *find_wrong(struct cabled *c)
{
	const struct topology_structure *s = &c->structure;
	const char *wrong = check_sizes(c);
	if (wrong || !s->blocks || (wrong = check_hosts(c)))
		return wrong;
	count_blocks(c);
	switch (s->form) {
	case STRUCTURE_GRID:
	case STRUCTURE_FULL: wrong = check_grid(c); break;
	case STRUCTURE_GROUPS: wrong = check_groups(c); break;
	case STRUCTURE_TREE: wrong = check_tree(c); break;
	case STRUCTURE_NONE: break;
	}
	free(c->blocks);
	c->blocks = NULL;
	return wrong;
}

/* ---- which */

/* Of each kind whose parameters cannot be guessed one at least; the first number of parallel cables is the outer network's. */
static const char *const specs[] = {"star:7", "star:1", "star:4,parallel=2", "tree:3,3", "tree:2,1", "fattree:2,1", "fattree:4,2",
	"fattree:3,3", "fattree:4,2,parallel=3", "mport:6,2", "mport:4,1", "thintree:4,2,3", "gtree:4:2/3:3/2", "gtree:2:2/2:0",
	"xgft:2:3/3:2/1:4/5:1", "xgft:1:3/2:2", "xgft:1:1", "xgft:3:2/1:2", "pgft:4:1:1/4:2:2", "pgft:3:2:3/2:3:2/2:2:5", "ring:7,hosts=2",
	"ring:1", "ring:2", "ring:3", "ring:8,hosts=direct", "ring:6,oneway,hosts=2", "ring:2,oneway", "ring:5,oneway,hosts=direct",
	"mesh:1", "mesh:2,hosts=4", "mesh:5x3x2", "mesh:1x4x1,hosts=3", "mesh:4x3,hosts=direct", "mesh:4x3,parallel=2", "torus:3",
	"torus:4x4x4", "torus:5x4,hosts=3", "torus:1x2x6", "torus:7x6,wrap=1:0", "torus:7x6,wrap=0:1,hosts=2", "torus:4x3,wrap=0",
	"torus:4x3,hosts=2,parallel=2", "torus:4x3x2,hosts=direct,parallel=3", "twisted:4x8,degree=1,jump=0:2", "fullmesh:6,hosts=2",
	"fullmesh:1", "fullmesh:5,hosts=direct", "fullmesh:5,parallel=2", "hypercube:5", "hypercube:1", "hypercube:6,hosts=direct",
	"hyperx:4x1x3,hosts=3", "hyperx:3x4,hosts=direct", "dragonfly:2,4,2", "dragonfly:1,4,2,arrangement=relative", "dragonfly:3,4,2,g=1",
	"dragonfly:3,1,4", "dragonfly:1,3,7,g=3", "dragonfly:2,4,2,g=5,arrangement=circulant", "dragonfly:1,2,2,parallel=2",
	"leafspine:4,2,3", "leafspine:4,2,3,rails=2", "leafspine:1,1,1", "leafspine:4,2,3,parallel=2", "jellyfish:10,6,3",
	"slimfly:5,hosts=2", "polarfly:3", "kautz:2,3", "debruijn:2,3", "bcube:4,2", "dpillar:4,3", "dcell:4,1", "ficonn:4,1", "hcn:2,2,1",
	"bcn:2,2,1,0", "gqstar:2,3", "swcube:2,3", "stellar:torus:3x4", "graph:", "dragonfly_file:2,2,", "torus:4x3/fullmesh:3",
	"torus:4x3/ring:3,hosts=direct", "ring:4/torus:3x3/star:2", "mesh:3x2,parallel=2/fullmesh:2,hosts=2", "hyperx:3x3/star:2",
	"fattree:2,2/fullmesh:2", "dragonfly:1,2,1/star:2", "slimfly:5/star:2", "hypercube:3/dragonfly:1,2,1"};

static uint32_t parallel_of(const char *spec)
{
	const char *at = strstr(spec, "parallel=");
	return at ? (uint32_t)atoi(at + strlen("parallel=")) : 1;
}

static void check_spec(const char *spec)
{
	struct topology *topology = make(spec);
	struct cabled cabled = make_cabled(topology, parallel_of(spec));
	const char *wrong = find_wrong(&cabled);
	if (wrong)
		fail_msg("%s: %s", spec, wrong);
	assert_int_equal(cabled.structure.form, topology_form(spec));
	assert_int_equal(cabled.structure.nested, topology_nested(spec));
	free(cabled.joined);
	topology_free(topology);
}

/* The specification, with a file for graph. */
static const char *complete(const char *spec, char text[400])
{
	const char *file = !strcmp(spec, "graph:")                ? write_text("graph", "A B\nB C\n").text
			   : !strcmp(spec, "dragonfly_file:2,2,") ? write_text("cables", "0 0 1 1\n0 1 2 0\n1 0 2 1\n").text
								  : "";
	snprintf(text, 400, "%s%s", spec, file);
	return text;
}

TEST(the_structure_is_that_of_the_cables)
{
	char text[400];
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++)
		check_spec(complete(specs[i], text));
}

/* Kinds without a specification above are tried with parameters that their tables suggest. */
TEST(every_kind_is_tried)
{
	char text[200];
	for (size_t i = 0; topologies[i]; i++) {
		const char *name = topologies[i]->name;
		if (spec_of_name(name, specs, ARRAY_LENGTH(specs)))
			continue;
		if (!example_spec(text, sizeof text, name, topologies[i]->args))
			fail_msg("%s needs a specification among those above", name);
		check_spec(text);
	}
}

/* Engines of these names take the structure that goes with them (routings/, engines/packet/routing/). */
TEST(routing_functions_have_their_structure)
{
	for (size_t i = 0; topologies[i]; i++) {
		const struct topology_kind *kind = topologies[i];
		if (kind->routing && (kind->form == STRUCTURE_GRID || kind->form == STRUCTURE_FULL))
			assert_string_equal(kind->routing, "dor");
		if (kind->routing && kind->form == STRUCTURE_GROUPS)
			assert_string_equal(kind->routing, "min");
		if (kind->routing && !strcmp(kind->routing, "dmodk"))
			assert_int_equal(kind->form, STRUCTURE_TREE);
	}
}

/* Widths as "3x1x4", of at most so many blocks. */
static void draw_widths(struct random *random, char text[60])
{
	uint32_t dimensions = 1 + random_below(random, 4), blocks = 1, used = 0;
	for (uint32_t i = 0; i < dimensions; i++) {
		uint32_t width = 1 + random_below(random, blocks < 20 ? 6 : 2);
		used += (uint32_t)snprintf(text + used, 60 - used, "%s%" PRIu32, i ? "x" : "", width);
		blocks *= width;
	}
}

TEST(random_parameters_too)
{
	struct random random;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	for (unsigned i = 0; i < 300; i++) {
		char widths[60], spec[200];
		uint32_t a = 1 + random_below(&random, 4), h = 1 + random_below(&random, 4), p = 1 + random_below(&random, 3),
			 parallel = 1 + random_below(&random, 2), g = random_below(&random, a * h + 2);
		draw_widths(&random, widths);
		switch (random_below(&random, 6)) {
		case 0: snprintf(spec, sizeof spec, "mesh:%s,hosts=%" PRIu32 ",parallel=%" PRIu32, widths, p, parallel); break;
		case 1: snprintf(spec, sizeof spec, "torus:%s,hosts=%" PRIu32 ",parallel=%" PRIu32, widths, p, parallel); break;
		case 2: snprintf(spec, sizeof spec, "hyperx:%s,hosts=%" PRIu32 ",parallel=%" PRIu32, widths, p, parallel); break;
		case 3: snprintf(spec, sizeof spec, "torus:%s/fullmesh:%" PRIu32 ",hosts=%" PRIu32, widths, a, h); break;
		case 4: snprintf(spec, sizeof spec, "dragonfly:p=%" PRIu32 ",a=%" PRIu32 ",h=%" PRIu32 ",g=%" PRIu32, p, a, h, g); break;
		default:
			snprintf(
				spec, sizeof spec, "pgft:%" PRIu32 ":%" PRIu32 ":1/%" PRIu32 ":%" PRIu32 ":%" PRIu32, a, p, h, a, parallel);
		}
		check_spec(spec);
	}
}

/* ---- wrong ones */

enum { SPOILED = 13 };

/* Makes one statement wrong, by its number. Returns false where there is none of these. */
static bool spoil(struct topology_structure *s, unsigned number)
{
	bool grid = s->form == STRUCTURE_GRID, flat = grid || s->form == STRUCTURE_FULL, tree = s->form == STRUCTURE_TREE;
	bool told = s->blocks, last = flat && s->dimension[s->dimensions - 1].width > 1;
	struct structure_dimension *widest = &s->dimension[0];
	for (uint32_t i = 1; i < s->dimensions; i++)
		widest = s->dimension[i].width > widest->width ? &s->dimension[i] : widest;
	bool wide = flat && widest->width > 3;
	const bool there[SPOILED] = {told, told, told && !s->nested, flat, last, grid && wide, grid && wide, wide, flat && s->blocks > 1,
		s->form == STRUCTURE_GROUPS, tree && s->levels > 1, tree, s->nested && s->switches != 1};
	if (!there[number])
		return false;
	switch (number) {
	case 0: s->blocks++; break;
	case 1: s->hosts++; break;
	case 2: s->switches++; break;
	case 3: widest->width++; break;
	case 4: s->dimensions--; break;
	case 5: widest->wraps ^= 1; break;
	case 6: widest->one_way ^= 1; break;
	case 7: s->form = grid ? STRUCTURE_FULL : STRUCTURE_GRID; break;
	case 8: s->form = STRUCTURE_GROUPS; break;
	case 9: s->between++; break;
	case 10: s->first[s->levels - 1]++; break;
	case 11: s->levels--; break;
	default: s->nested = false;
	}
	return true;
}

TEST(what_is_not_so_is_found)
{
	unsigned spoiled[SPOILED] = {0};
	char text[400];
	for (size_t i = 0; i < ARRAY_LENGTH(specs); i++) {
		struct topology *topology = make(complete(specs[i], text));
		struct cabled cabled = make_cabled(topology, parallel_of(specs[i]));
		const struct topology_structure stated = cabled.structure;
		for (unsigned number = 0; number < SPOILED; number++) {
			cabled.structure = stated;
			if (!spoil(&cabled.structure, number))
				continue;
			spoiled[number]++;
			if (!find_wrong(&cabled))
				fail_msg("%s: wrong statement %u is not found", specs[i], number);
		}
		free(cabled.joined);
		topology_free(topology);
	}
	for (unsigned number = 0; number < SPOILED; number++)
		assert_int_not_equal(spoiled[number], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_structure_is_that_of_the_cables),
		cmocka_unit_test(every_kind_is_tried),
		cmocka_unit_test(routing_functions_have_their_structure),
		cmocka_unit_test(random_parameters_too),
		cmocka_unit_test(what_is_not_so_is_found),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
