/*
 * Any bytes as a small fabric: a topology by the first two, or switches with nothing between them, then what becomes of its nodes and
 * cables, three bytes each. Whatever shape is found, what deviates from it must be there, or must not be; a topology that nothing befell
 * must be recognised; and the verdict is the same with the nodes and cables in another order.
 */
#include "memory_file.h"
#include "topologies/topology.h"
#include "shapes/shape.h"

#include <stdbool.h>
#include <string.h>

enum { NODES_MAX = 400, CABLES_MAX = 2000, STEPS_MAX = 200 };

struct cable {
	uint32_t a, b;
	bool one_way; /* only from a to b */
};

struct net {
	uint32_t nodes, cables;
	bool host[NODES_MAX];
	struct cable cable[CABLES_MAX];
};

/* The second is whether the shape must be found when nothing is broken. */
static const struct {
	const char *spec;
	bool known;
} kinds[] = {
	{"torus:4x4", true},
	{"torus:3x5", true},
	{"torus:4x3x3", true},
	{"mesh:3x4", true},
	{"mesh:7x1", true},
	{"ring:9", true},
	{"hypercube:4", true},
	{"fullmesh:6,hosts=2", true},
	{"hyperx:4x4", true},
	{"hyperx:2x5", true},
	{"hyperx:4x3x2,parallel=2", true},
	{"slimfly:4", true},
	{"dragonfly:1,4,2", true},
	{"dragonfly:1,4,2,5", true},
	{"dragonfly:1,3,2,7,relative", true},
	{"dragonfly:1,4,1,5,circulant", true},
	{"fattree:2,4", true},
	{"fattree:4,2", true},
	{"fattree:3,3", true},
	{"thintree:3,2,3", true},
	{"xgft:2:1/4:2/3:3", true},
	{"pgft:4:1:1/3:2:2", true},
	{"tree:3,3", true},
	{"star:7", true},
	{"leafspine:6,3,2", true},
	{"leafspine:6,3,4,2", true},
	{"jellyfish:20,5,4", false},
	{"polarfly:3", false},
	{"kautz:2,3", false},
	{"debruijn:2,4", false},
	{"ring:8,oneway", false},
	{"kautz:2,3,oneway", false},
	{"twisted:4x4", false},
	{"torus:4x4,hosts=direct", false},
	{"bcube:3,2", false},
	{"dcell:3,1", false},
	{"dpillar:4,2", false},
	{"swcube:2,3", false},
	{"gqstar:2,2", false},
	{"hcn:3,0,1", false},
	{"ficonn:4,1", false},
	{"torus:3x3/fullmesh:3,hosts=2", false},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

static void add_cable(struct net *net, uint32_t a, uint32_t b, bool one_way)
{
	if (net->cables < CABLES_MAX)
		net->cable[net->cables++] = (struct cable){a, b, one_way};
}

static uint32_t add_node(struct net *net, bool host)
{
	CHECK(net->nodes < NODES_MAX);
	net->host[net->nodes] = host;
	return net->nodes++;
}

static void take_topology(struct net *net, const char *spec)
{
	struct error error = {0};
	struct topology *t = topology_create(spec, &error);
	CHECK(t);
	for (uint32_t i = 0; i < t->hosts + t->switches; i++)
		add_node(net, i < t->hosts);
	for (uint32_t i = 0; i < net->nodes; i++) {
		uint32_t node = net->host[i] ? i : i - t->hosts;
		for (uint32_t port = 0; port < t->kind->ports(t, net->host[i], node); port++) {
			struct topology_port far = t->kind->peer(t, (struct topology_port){net->host[i], node, port});
			uint32_t other = far.host ? far.node : t->hosts + far.node;
			if (far.port == TOPOLOGY_NO_PORT || other > i || (other == i && far.port > port))
				add_cable(net, i, other, far.port == TOPOLOGY_NO_PORT);
		}
	}
	topology_free(t);
}

/* The node goes, the last one takes its number. */
static void remove_node(struct net *net, uint32_t node)
{
	uint32_t kept = 0, last = --net->nodes;
	for (uint32_t i = 0; i < net->cables; i++) {
		struct cable c = net->cable[i];
		if (c.a == node || c.b == node)
			continue;
		c.a = c.a == last ? node : c.a;
		c.b = c.b == last ? node : c.b;
		net->cable[kept++] = c;
	}
	net->host[node] = net->host[last];
	net->cables = kept;
}

static void change(struct net *net, unsigned what, uint32_t x, uint32_t y)
{
	struct cable *cable = net->cables ? &net->cable[x % net->cables] : NULL, *other = net->cables ? &net->cable[y % net->cables] : NULL;
	switch (what % 7) {
	case 0: add_cable(net, x % net->nodes, y % net->nodes, false); break;
	case 1:
		if (cable)
			*cable = net->cable[--net->cables];
		break;
	case 2:
		if (net->nodes > 2)
			remove_node(net, x % net->nodes);
		break;
	case 3:
		if (cable)
			cable->one_way = true;
		break;
	case 4:
		if (cable) {
			uint32_t end = cable->b;
			cable->b = other->b;
			other->b = end;
		}
		break;
	case 5:
		if (net->nodes < NODES_MAX) {
			uint32_t node = add_node(net, y % 2);
			add_cable(net, node, x % node, false);
		}
		break;
	case 6:
		if (cable)
			add_cable(net, cable->a, cable->b, false);
		break;
	}
}

/* A number below bound that depends on two. */
static uint32_t draw(uint64_t *state, uint32_t bound)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (uint32_t)(*state >> 33) % bound;
}

static void shuffle(struct net *net, uint64_t seed)
{
	static struct net old;
	uint32_t number[NODES_MAX];
	old = *net;
	for (uint32_t i = 0; i < net->nodes; i++) {
		uint32_t k = draw(&seed, i + 1);
		number[i] = number[k];
		number[k] = i;
	}
	for (uint32_t i = 0; i < net->nodes; i++)
		net->host[number[i]] = old.host[i];
	for (uint32_t i = 0; i < net->cables; i++) {
		uint32_t k = draw(&seed, i + 1);
		struct cable c = {number[old.cable[i].a], number[old.cable[i].b], old.cable[i].one_way};
		if (draw(&seed, 2) && !c.one_way)
			c = (struct cable){c.b, c.a, false};
		net->cable[i] = net->cable[k];
		net->cable[k] = c;
	}
}

static struct fabric *make_fabric(const struct net *net, uint32_t *reverse)
{
	struct error error = {0};
	uint32_t hosts = 0, channels = 0, end[NODES_MAX + 1] = {0};
	for (uint32_t i = 0; i < net->nodes; i++)
		hosts += net->host[i];
	for (uint32_t i = 0; i < net->cables; i++) {
		end[net->cable[i].a + 1]++;
		end[net->cable[i].b + 1] += !net->cable[i].one_way;
		channels += 2 - net->cable[i].one_way;
	}
	struct fabric *f = fabric_create(net->nodes, hosts, channels, &error);
	CHECK(f);
	hosts = 0;
	for (uint32_t i = 0; i < net->nodes; i++) {
		end[i + 1] += end[i];
		f->first_channel[i + 1] = end[i + 1];
		f->node_host[i] = net->host[i] ? hosts : NONE;
		if (net->host[i])
			f->host_node[hosts++] = i;
	}
	for (uint32_t i = 0; i < net->cables; i++) {
		const struct cable *c = &net->cable[i];
		uint32_t there = end[c->a]++;
		f->head[there] = c->b;
		reverse[there] = NONE;
		if (c->one_way)
			continue;
		uint32_t back = end[c->b]++;
		f->head[back] = c->a;
		reverse[there] = back;
		reverse[back] = there;
	}
	return f;
}

/* What should not be there is there, once; what should be there leads from one switch to another, or to a missing one. */
static void check_deviations(const struct fabric *f, const struct shape *s)
{
	for (uint32_t i = 0; i < s->deviations; i++) {
		const struct deviation *d = &s->deviation[i];
		for (uint32_t k = 0; k < i && d->channel != NONE; k++)
			CHECK(s->deviation[k].channel != d->channel);
		CHECK(d->channel == NONE || d->channel < f->channels);
		CHECK(d->channel == NONE || f->head[d->channel] == d->to || f->head[d->channel] == d->from);
		CHECK(d->channel == NONE || (d->from != NONE && d->to != NONE));
		CHECK(d->from == NONE || (d->from < f->nodes && f->node_host[d->from] == NONE));
		CHECK(d->to == NONE || (d->to < f->nodes && f->node_host[d->to] == NONE));
		CHECK((d->from != NONE && d->to != NONE) || s->missing_switches);
		CHECK(d->channel != NONE || d->from != d->to || d->from == NONE);
	}
}

/* What must not depend on the order. */
struct verdict {
	char name[sizeof((struct shape *)NULL)->name];
	struct shape_parameter parameter[SHAPE_PARAMETERS];
	uint32_t planes, deviations, extra, missing_switches;
	bool whole; /* the shape is known, and nothing deviates */
};

static struct verdict take_verdict(const struct shape *s)
{
	struct verdict v = {0};
	v.planes = s->planes;
	v.deviations = s->deviations;
	v.missing_switches = s->missing_switches;
	strcpy(v.name, s->name);
	for (int i = 0; i < SHAPE_PARAMETERS; i++) {
		v.parameter[i].count = s->parameter[i].count;
		memcpy(v.parameter[i].value, s->parameter[i].value, s->parameter[i].count * sizeof *s->parameter[i].value);
	}
	for (uint32_t i = 0; i < s->deviations; i++)
		v.extra += s->deviation[i].channel != NONE;
	v.whole = strcmp(s->kind, "irregular") && !s->deviations && !s->missing_switches;
	return v;
}

static bool same_verdict(const struct verdict *a, const struct verdict *b)
{
	bool same = !strcmp(a->name, b->name) && a->planes == b->planes && a->deviations == b->deviations && a->extra == b->extra &&
		    a->missing_switches == b->missing_switches;
	for (int i = 0; i < SHAPE_PARAMETERS; i++)
		same = same && a->parameter[i].count == b->parameter[i].count &&
		       !memcmp(a->parameter[i].value, b->parameter[i].value, sizeof a->parameter[i].value);
	return same;
}

static struct verdict look(const struct net *net)
{
	static uint32_t reverse[2 * CABLES_MAX];
	struct error error = {0};
	struct shape shape;
	struct fabric *fabric = make_fabric(net, reverse);
	CHECK(!shape_find(&shape, fabric, reverse, &error));
	CHECK(*shape.name && strlen(shape.name) < sizeof shape.name);
	check_deviations(fabric, &shape);
	bool irregular = !strcmp(shape.kind, "irregular");
	struct verdict verdict = take_verdict(&shape);
	CHECK(!irregular || (!shape.deviations && !shape.missing_switches && !shape.level));
	for (uint32_t v = 0; v < fabric->nodes && shape.level; v++)
		CHECK(shape.level[v] < SHAPE_VALUES);
	shape_clear(&shape);
	fabric_free(fabric);
	return verdict;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct net net;
	uint64_t seed = 1;
	net.nodes = net.cables = 0;
	if (size < 2)
		return 0;
	unsigned kind = data[0] % (KINDS + 6);
	if (kind < KINDS) {
		take_topology(&net, kinds[kind].spec);
	} else {
		for (uint32_t i = 0, n = 1 + data[1] % 40U; i < n; i++) {
			uint32_t node = add_node(&net, false);
			if (kind % 2 || i % 3)
				add_cable(&net, node, add_node(&net, true), false);
			if (kind % 3 == 0 && node)
				add_cable(&net, node, node > 1 ? node - 2 + (kind % 2 == 0) : 0, false);
		}
	}
	for (size_t i = 2, steps = 0; i + 2 < size && steps < STEPS_MAX; i += 3, steps++) {
		change(&net, data[i], data[i + 1] * 7U + data[i + 2] / 64, data[i + 2] * 5U + data[i + 1] / 64);
		seed = seed * 31 + data[i + 1] + data[i + 2];
	}
	bool untouched = size < 5 && kind < KINDS && kinds[kind].known;
	struct verdict verdict = look(&net);
	CHECK(!untouched || verdict.whole);
	shuffle(&net, seed + data[1]);
	struct verdict other = look(&net);
	CHECK(same_verdict(&verdict, &other));
	return 0;
}
