/* Packet routings: every kind walked over all pairs with queues as chance has them, its lanes, its check, and what it refuses. */
#include "helpers.h"

#include "base/random.h"
#include "topologies/topology.h"
#include "fabric/virtual_lanes.h"
#include "fabric/topology_fabric.h"
#include "engines/packet/routing/packet_routing.h"

#include <stdlib.h>
#include <string.h>

/* A fabric, and a routing on it. */
struct setting {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct packet_router_setup setup;
	struct packet_router *router;
	struct error error;
};

/* Queues of any length. */
static uint64_t some_queue(void *engine, uint32_t channel, uint32_t lanes, bool over)
{
	(void)lanes;
	(void)over;
	return (channel * UINT64_C(0x9e3779b97f4a7c15) + *(uint64_t *)engine) >> 44;
}

static uint32_t some_told(void *engine, uint32_t channel)
{
	return (uint32_t)some_queue(engine, channel, 0, false) % 8;
}

/* Time passes faster or slower than a flowlet. */
static uint64_t some_time(void *engine)
{
	static uint64_t now;
	return now += some_queue(engine, (uint32_t)now, 0, false) * 16;
}

static uint64_t queue_seed;

static uint64_t no_queue(void *engine, uint32_t channel, uint32_t lanes, bool over)
{
	(void)engine;
	(void)channel;
	(void)lanes;
	(void)over;
	return 0;
}

/* Returns whether there is such a routing. */
static bool make(struct setting *s, const char *topology, const char *routing, unsigned lanes)
{
	*s = (struct setting){0};
	if (topology_fabric_load(topology, &s->fabric, &s->forwarding, &s->error))
		fail_msg("%s: %s", topology, s->error.text);
	s->setup = (struct packet_router_setup){
		.fabric = s->fabric,
		.forwarding = s->forwarding,
		.topology = topology,
		.lanes = lanes,
		.buffer = 4096,
		.packet = 1024,
		.seed = 5,
	};
	s->router = packet_router_create(routing, &s->setup, &s->error);
	if (s->router) /* no more than it says to look at */
		s->router->view = (struct packet_view){.engine = &queue_seed,
			.queued = s->router->routing->looks ? some_queue : NULL,
			.queued_anywhere = s->router->remote ? some_queue : NULL,
			.told = s->router->group ? some_told : NULL,
			.now = some_time};
	return s->router != NULL;
}

static void unmake(struct setting *s)
{
	packet_router_free(s->router);
	forwarding_free(s->forwarding);
	fabric_free(s->fabric);
}

/* Which of the ways is taken; IDLE: as the engine does where nothing is queued, one of the lowest rank, on the last lanes last. */
enum policy { ANY, FIRST, LAST, IDLE };

static unsigned choose(enum policy policy, const struct packet_candidate *candidates, unsigned count, struct random *random)
{
	if (policy == FIRST || policy == LAST)
		return policy == FIRST ? 0 : count - 1;
	unsigned best = 0, place = random_below(random, count);
	if (policy == ANY)
		return place;
	for (unsigned i = 0; i < count; i++)
		best = candidates[(place + i) % count].rank < candidates[(place + best) % count].rank ? i : best;
	return (place + best) % count;
}

/* Of a way's lanes any, or the one that an idle network takes. */
static uint16_t choose_lane(const struct packet_router *r, enum policy policy, uint16_t lanes, unsigned before, struct random *random)
{
	uint16_t sooner = lanes & (uint16_t)~r->last, lane;
	if (policy == IDLE)
		return packet_first_lane(sooner ? sooner : lanes);
	do
		lane = (uint16_t)(1u << (before = (random ? random_below(random, r->lanes) : before + 1) % r->lanes));
	while (!(lanes & lane));
	return lane;
}

/* Channels from the source to the destination, one of the ways at each node. */
static unsigned walk(struct setting *s, struct packet_head packet, enum policy policy, struct random *random)
{
	const struct fabric *f = s->fabric;
	struct packet_router *r = s->router;
	struct packet_candidate candidates[PACKET_CANDIDATES_MAX];
	uint32_t node = f->host_node[packet.source], target = f->host_node[packet.destination];
	unsigned hops = 0;
	for (; node != target; hops++) {
		unsigned count = r->routing->candidates(r, &packet, node, candidates);
		if (!count || hops > 500)
			fail_msg("%s on %s: %u ways after %u hops from host %u to %u", r->routing->name, s->setup.topology, count, hops,
				packet.source, packet.destination);
		for (unsigned i = 0; i < count; i++) {
			assert_in_range(candidates[i].channel, f->first_channel[node], f->first_channel[node + 1] - 1);
			assert_true(candidates[i].lanes && candidates[i].lanes < 1u << r->lanes &&
				    !(candidates[i].bubble & ~candidates[i].lanes));
			for (unsigned j = 0; j < i; j++)
				assert_int_not_equal(candidates[i].channel, candidates[j].channel);
		}
		struct packet_candidate way = candidates[choose(policy, candidates, count, random)];
		way.lanes = choose_lane(r, policy, way.lanes, packet.lane, random);
		packet.lane = (uint8_t)__builtin_ctz(way.lanes);
		if (r->routing->taken)
			r->routing->taken(r, &packet, node, &way);
		packet.channel = way.channel;
		packet.hops++;
		node = f->head[way.channel];
	}
	return hops;
}

/* Shortest ways from all nodes to one: distance [nodes]. */
static void find_distances(const struct fabric *f, bool hosts_forward, uint32_t target, unsigned *distance)
{
	for (uint32_t v = 0; v < f->nodes; v++)
		distance[v] = v == target ? 0 : 1000;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				uint32_t w = f->head[c];
				bool passes = w == target || f->node_host[w] == NONE || hosts_forward;
				if (passes && distance[w] + 1 < distance[v]) {
					distance[v] = distance[w] + 1;
					more = true;
				}
			}
	}
}

enum { MINIMAL = 1, STEADY = 2 /* whichever ways are taken, they are as many */ };

static const struct {
	const char *topology, *routing;
	unsigned lanes, needs; /* asked for; found */
	unsigned what;
} cases[] = {
	{"fattree:k=4,n=3", "tables", 0, 1, MINIMAL},
	{"dragonfly:p=2,a=4,h=2", "min", 0, 2, 0},
	{"dragonfly:p=2,a=4,h=2,g=5", "min", 4, 4, 0},
	{"hyperx:4x3,hosts=2", "min", 0, 1, MINIMAL},
	{"fattree:k=4,n=3", "min", 0, 4, MINIMAL},
	{"slimfly:q=5", "min", 0, 2, MINIMAL},
	{"dragonfly:p=2,a=4,h=2", "valiant", 0, 3, 0},
	{"dragonfly:p=2,a=4,h=2", "valiant:switch", 0, 4, 0},
	{"dragonfly:p=2,a=4,h=2", "ugal", 0, 3, 0},
	{"dragonfly:p=2,a=4,h=2", "ugal:global,threshold=2", 6, 6, 0},
	{"dragonfly:p=2,a=4,h=2", "ugal:piggyback,margin=0,via=switch", 0, 4, 0},
	{"dragonfly:p=2,a=4,h=2", "par:piggyback", 0, 4, 0},
	{"slimfly:q=5", "ugal:piggyback,weight=2,credits=all", 0, 4, 0},
	{"dragonfly:p=2,a=4,h=2,g=3", "par", 0, 4, 0},
	{"dragonfly:p=2,a=4,h=2", "par:local,via=switch", 0, 5, 0},
	{"torus:5x4,hosts=2", "valiant", 0, 4, 0},
	{"slimfly:q=5", "ugal:global", 0, 4, 0},
	{"hyperx:4x3", "ugal", 0, 2, 0},
	{"dragonfly:p=2,a=4,h=2", "ugal:lanes,via=switch", 0, 4, 0},
	{"torus:4x4", "ugal:lanes", 0, 4, 0},
	{"dragonfly:p=2,a=4,h=2", "par:lanes", 0, 4, 0},
	{"torus:5x4,hosts=2", "dor", 0, 2, MINIMAL},
	{"torus:4x4x3,hosts=direct", "dor:balanced,ties=random", 4, 4, MINIMAL},
	{"mesh:4x3", "dor", 0, 1, MINIMAL},
	{"torus:4x4,parallel=2", "dor", 0, 2, MINIMAL},
	{"torus:4x4,parallel=2", "adaptive", 0, 3, MINIMAL},
	{"torus:6x5", "dor:bubble", 0, 1, MINIMAL},
	{"torus:6x5", "dor:bubble", 3, 3, MINIMAL},
	{"ring:5,oneway", "dor", 0, 2, MINIMAL},
	{"torus:4x4x2,wrap=1:0:1", "adaptive", 0, 3, MINIMAL},
	{"torus:5x4", "adaptive:bubble", 0, 2, MINIMAL},
	{"mesh:4x4", "adaptive", 4, 4, MINIMAL},
	{"hyperx:4x3,hosts=2", "adaptive", 0, 2, MINIMAL},
	{"slimfly:q=5", "adaptive", 0, 2, 0},
	{"dragonfly:p=2,a=4,h=2", "adaptive", 3, 3, 0},
	{"leafspine:leaves=4,spines=3,hosts=4,rails=2", "adaptive", 0, 2, 0},
	{"torus:4x4x4", "zone", 0, 3, MINIMAL},
	{"torus:4x3x4x2", "zone:13:24,guard=bubble", 4, 4, MINIMAL},
	{"torus:4x4x3/fullmesh:3,hosts=2", "zone", 4, 4, 0},
	{"torus:4x4/fullmesh:4", "zone", 8, 8, 0},
	{"torus:4x4/fullmesh:4", "min", 8, 8, MINIMAL},
	{"torus:3x3/fullmesh:4,hosts=2", "min", 0, 0, MINIMAL},
	{"ring:6/fullmesh:2", "dor:balanced", 4, 4, 0},
	{"ring:6/fullmesh:2", "valiant", 0, 4, 0},
	{"torus:6x4", "dor:ties=negative", 0, 2, MINIMAL},
	{"torus:5x4/fullmesh:2,hosts=2", "dor", 0, 2, 0},
	{"fattree:k=4,n=3", "updown", 0, 1, MINIMAL},
	{"leafspine:leaves=4,spines=3,hosts=4,rails=2", "updown", 0, 1, MINIMAL},
	{"slimfly:q=5", "updown", 2, 2, STEADY},
	{"torus:4x4,hosts=direct", "updown", 0, 1, STEADY},
	{"fattree:k=4,n=3", "entries", 0, 1, MINIMAL},
	{"fattree:k=4,n=3", "ar", 0, 1, MINIMAL},
	{"fattree:k=4,n=3", "ar:minimal,threshold=1,mode=bound", 0, 1, MINIMAL},
	{"fattree:k=2,n=3", "ar:entries", 0, 1, MINIMAL},
	{"leafspine:leaves=4,spines=3,hosts=4,rails=2", "ar:updn,mode=bound", 2, 2, MINIMAL},
	{"slimfly:q=5", "ar:updn", 0, 1, STEADY},
	{"dcell:n=3,k=1", "min", 0, 5, 0},
	{"dcell:n=3,k=1", "adaptive", 0, 2, 0},
	{"dcell:n=3,k=1", "updown", 0, 1, STEADY},
	{"bcube:n=3,k=2", "updown", 0, 1, STEADY},
	{"jellyfish:16,6,4", "valiant", 0, 0, 0},
	{"jellyfish:16,6,4", "adaptive", 4, 4, 0},
	{"hypercube:4", "ugal:global", 0, 2, 0},
	{"fullmesh:5,hosts=2", "valiant", 0, 2, 0},
	{"ring:7", "adaptive:bubble", 3, 3, MINIMAL},
	{"star:4", "updown", 0, 1, MINIMAL},
	{"star:4", "valiant", 0, 0, MINIMAL},
	{"star:4", "adaptive", 0, 2, MINIMAL},
	{"xgft:4:1/4:2", "updown", 0, 1, MINIMAL},
	{"torus:1x4", "dor", 0, 2, MINIMAL},
	{"torus:2x2", "zone:2:1", 0, 2, MINIMAL},
};

/* Walks from every host to every other. */
static void walk_pairs(struct setting *s, unsigned what, struct random *random)
{
	const struct fabric *f = s->fabric;
	unsigned *distance = calloc(f->nodes, sizeof *distance);
	for (uint32_t to = 0; to < f->hosts; to++) {
		find_distances(f, f->hosts == f->nodes || topology_hosts_forward(s->setup.topology), f->host_node[to], distance);
		for (uint32_t from = 0; from < f->hosts; from++) {
			struct packet_head packet = {from, to, from * 3 + to, NONE, 0, 0, 0, 0, NONE};
			if (from == to)
				continue;
			queue_seed = (uint64_t)random_bits(random) << 32;
			unsigned hops = walk(s, packet, ANY, random), first = walk(s, packet, FIRST, random);
			unsigned last = walk(s, packet, LAST, random);
			assert_true(hops >= distance[f->host_node[from]]);
			if (what & MINIMAL)
				assert_int_equal(hops, distance[f->host_node[from]]);
			if (what & (MINIMAL | STEADY))
				assert_true(first == hops && last == hops);
		}
	}
	free(distance);
}

TEST(every_pair_arrives)
{
	struct random random;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
		struct setting s;
		if (!make(&s, cases[i].topology, cases[i].routing, cases[i].lanes))
			fail_msg("%s on %s: %s", cases[i].routing, cases[i].topology, s.error.text);
		if (cases[i].needs && s.router->lanes != cases[i].needs)
			fail_msg("%s on %s: %u lanes", cases[i].routing, cases[i].topology, s.router->lanes);
		walk_pairs(&s, cases[i].what, &random);
		bool checked;
		if (packet_router_check(s.router, &checked, &s.error))
			fail_msg("%s on %s: %s", cases[i].routing, cases[i].topology, s.error.text);
		assert_true(checked);
		unmake(&s);
	}
}

/* ---- what orcs(1) calls shortest */

static const char *const families[] = {"star:5", "tree:degree=2,height=3", "fattree:k=4,n=2", "fattree:k=2,n=3", "mport:m=4,n=2",
	"thintree:down=3,up=2,n=2", "gtree:4:2/3", "xgft:2:2/3:2", "pgft:4:1:1/4:2:2", "ring:5,hosts=2", "ring:8", "ring:5,oneway",
	"mesh:4x3", "torus:5x4", "torus:6x4,hosts=2", "torus:4x4x2,hosts=direct", "torus:3x3,parallel=2", "twisted:4x3,jump=1:0",
	"twisted:4x4", "fullmesh:5,hosts=2", "hypercube:3", "hyperx:3x4", "dragonfly:p=1,a=4,h=2",
	"leafspine:leaves=4,spines=3,hosts=4,rails=2", "jellyfish:10,5,3", "jellyfish:24,7,5", "slimfly:q=3", "polarfly:q=3",
	"kautz:d=2,n=3", "debruijn:d=2,n=3", "bcube:n=3,k=2", "dpillar:n=4,k=3", "dcell:n=3,k=1", "ficonn:n=4,k=1", "hcn:a=3,b=1,h=2",
	"bcn:a=2,b=1,h=1", "gqstar:k=2,n=3", "swcube:k=2,n=3", "torus:4x4/fullmesh:4", "torus:3x3/fullmesh:4,hosts=2",
	"torus:3x3x3/fullmesh:4", "torus:4x4,parallel=2/fullmesh:3", "mesh:3x3/fullmesh:4", "ring:6/fullmesh:2,hosts=2",
	"hypercube:2/dcell:n=3,k=1"};

/* Whether the routing takes shortest ways there where nothing is queued; else the page says what they are. */
static bool is_shortest(const char *routing, const char *topology)
{
	bool blocks = strchr(topology, '/') && strncmp(topology, "hypercube", 9);
	bool fly = !strncmp(topology, "dragonfly", 9) && strcmp(routing, "adaptive"); /* one cable between groups */
	return !fly && (!blocks || !strcmp(routing, "min"));                          /* dimension order of blocks */
}

/* Blocks with switches that have cables to others in several dimensions: dimension order may deadlock there, and is refused. */
static bool has_shared_switches(const char *topology)
{
	return !strcmp(topology, "torus:3x3x3/fullmesh:4") || !strcmp(topology, "torus:4x4,parallel=2/fullmesh:3");
}

static void check_shortest(struct setting *s, struct random *random)
{
	const struct fabric *f = s->fabric;
	unsigned *distance = calloc(f->nodes, sizeof *distance);
	s->router->view = (struct packet_view){.queued = no_queue, .queued_anywhere = no_queue};
	for (uint32_t to = 0; to < f->hosts; to++) {
		find_distances(f, f->hosts == f->nodes || topology_hosts_forward(s->setup.topology), f->host_node[to], distance);
		for (uint32_t from = 0; from < f->hosts; from++) {
			struct packet_head packet = {from, to, from * 3 + to, NONE, 0, 0, 0, 0, NONE};
			unsigned hops = from == to ? 0 : walk(s, packet, IDLE, random);
			if (hops != distance[f->host_node[from]])
				fail_msg("%s on %s: %u hops from host %u to %u, not %u", s->router->routing->name, s->setup.topology, hops,
					from, to, distance[f->host_node[from]]);
		}
	}
	free(distance);
}

TEST(what_is_called_shortest_is_and_nothing_deadlocks)
{
	static const char *const routings[] = {"min", "ugal", "adaptive", "dor", "dor:ties=positive", "dor:ties=random", "zone"};
	/* the number of families on which it is taken */
	static const unsigned taken[ARRAY_LENGTH(routings)] = {45, 41, 45, 14, 14, 14, 14};
	struct random random;
	random_start(&random, 2, RANDOM_PATTERN, 0);
	for (size_t r = 0; r < ARRAY_LENGTH(routings); r++) {
		unsigned count = 0;
		for (size_t i = 0; i < ARRAY_LENGTH(families); i++) {
			struct setting s;
			bool checked;
			if (make(&s, families[i], routings[r], 0)) {
				count++;
				if (is_shortest(routings[r], families[i]))
					check_shortest(&s, &random);
				bool may = has_shared_switches(families[i]) && strcmp(routings[r], "min");
				if (packet_router_check(s.router, &checked, &s.error) && !may)
					fail_msg("%s on %s: %s", routings[r], families[i], s.error.text);
				assert_true(checked);
			}
			unmake(&s);
		}
		if (count != taken[r])
			fail_msg("%s is taken on %u families, not %u", routings[r], count, taken[r]);
	}
}

/*
 * The whole table, without parameters, wherever a routing is taken; but not those that follow the routes of the fabric, if it has any; ar
 * by the paths on which it cannot deadlock anywhere.
 */
TEST(every_routing_of_the_table_reaches_all_hosts)
{
	struct random random;
	random_start(&random, 3, RANDOM_PATTERN, 0);
	for (size_t r = 0; packet_routings[r]; r++) {
		const char *name = packet_routings[r]->name;
		unsigned taken = 0;
		if (!strcmp(name, "tables") || !strcmp(name, "entries"))
			continue;
		for (size_t i = 0; i < ARRAY_LENGTH(families); i++) {
			struct setting s;
			bool checked;
			if (make(&s, families[i], strcmp(name, "ar") ? name : "ar:updn", 0)) {
				taken++;
				walk_pairs(&s, 0, &random);
				if (packet_router_check(s.router, &checked, &s.error) && !has_shared_switches(families[i]))
					fail_msg("%s on %s: %s", name, families[i], s.error.text);
			}
			unmake(&s);
		}
		if (!taken)
			fail_msg("%s is taken nowhere", name);
	}
}

TEST(every_routing_tells_what_it_is)
{
	struct error error = {0};
	for (size_t i = 0; packet_routings[i]; i++) {
		const struct packet_routing *r = packet_routings[i];
		assert_true(*r->name && *r->summary && *r->source && r->setup && r->candidates);
		assert_ptr_equal(packet_routing_find(r->name, &error), r);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(r->name, packet_routings[j]->name);
	}
	assert_null(packet_routing_find("valient:switch", &error));
	assert_error(&error, STATUS_USAGE, "packet routing", "did you mean 'valiant'");
}

/* ---- what is refused */

TEST(what_cannot_work_is_refused)
{
	static const struct {
		const char *topology, *routing;
		unsigned lanes;
		enum status status;
		const char *words[3];
	} bad[] = {
		{"torus:4x4", "dor", 1, STATUS_USAGE, {"'dor' needs 2 virtual lanes", "dateline"}},
		{"torus:4x4", "dor:balanced,ties=never", 0, STATUS_USAGE, {"ties is 'never', not balanced, positive, negative or random"}},
		{"torus:4x4", "dor:bible", 0, STATUS_USAGE, {"guard is 'bible', not dateline, balanced or bubble"}},
		{"torus:4x4", "adaptive", 2, STATUS_USAGE, {"needs 3 virtual lanes"}},
		{"torus:4x4", "adaptive:balanced", 0, STATUS_USAGE, {"balanced", "only dor does"}},
		{"slimfly:q=5", "adaptive", 1, STATUS_USAGE, {"needs 2 virtual lanes"}},
		{"torus:4x4/fullmesh:2,hosts=1", "dor:bubble", 0, STATUS_USAGE, {"blocks"}},
		{"torus:4x4", "zone:11", 0, STATUS_USAGE, {"zones are '11'", "2 dimensions"}},
		{"torus:4x4", "zone:13", 0, STATUS_USAGE, {"zones are '13'"}},
		{"torus:4x4", "zone:1", 0, STATUS_USAGE, {"zones are '1'"}},
		{"fattree:k=2,n=2", "dor", 0, STATUS_FABRIC, {"fattree:k=2,n=2", "mesh, a torus"}},
		{"fattree:k=2,n=2", "zone", 0, STATUS_FABRIC, {"mesh, a torus"}},
		{"fattree:k=2,n=2", "par", 0, STATUS_FABRIC, {"requires a dragonfly"}},
		{"fattree:k=2,n=6", "valiant", 0, STATUS_USAGE, {"needs 20 virtual lanes", "at most 16"}},
		{"dragonfly:p=1,a=2,h=1", "min", 1, STATUS_USAGE, {"needs 2 virtual lanes"}},
		{"dragonfly:p=1,a=2,h=1", "ugal", 2, STATUS_USAGE, {"needs 3 virtual lanes"}},
		{"dragonfly:p=1,a=2,h=1", "ugal:far", 0, STATUS_USAGE, {"load is 'far', not local, lanes, global or piggyback"}},
		{"dragonfly:p=1,a=2,h=1", "valiant:host", 0, STATUS_USAGE, {"via is 'host', not group or switch"}},
		{"leafspine:leaves=4,spines=3,hosts=4,rails=2", "valiant", 0, STATUS_FABRIC, {"requires switches with single-port hosts"}},
		{"torus:4x4", "ar:all", 0, STATUS_USAGE, {"groups is 'all', not minimal, updn or entries"}},
		{"torus:4x4", "ar:flowlet=2s", 0, STATUS_USAGE, {"flowlet is '2s', not a time up to 1 s"}},
		{"torus:4x4", "tables:lanes=all", 0, STATUS_USAGE, {"lanes is 'all', not one, spread or any"}},
		{"torus:4x4", "tables:by=pear", 0, STATUS_USAGE, {"by is 'pear', not pair or packet"}},
		{"mesh:4x4/fullmesh:2,hosts=1", "dor:bubble", 0, STATUS_USAGE, {"blocks"}},
		{"torus:20x20x20", "valiant:group,3", 0, STATUS_USAGE, {"valiant"}},
		{"ring:40", "min", 1, STATUS_USAGE, {"needs 2 virtual lanes"}},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
		struct setting s;
		if (make(&s, bad[i].topology, bad[i].routing, bad[i].lanes)) {
			fail_msg("%s on %s is taken", bad[i].routing, bad[i].topology);
		} else {
			check_error(&s.error, bad[i].status, bad[i].words, __FILE__, __LINE__);
		}
		unmake(&s);
	}
}

TEST(bubbles_need_room_for_two_packets)
{
	struct setting s;
	assert_true(make(&s, "torus:5x5", "dor", 0));
	s.setup.buffer = 2047;
	assert_null(packet_router_create("dor:bubble", &s.setup, &s.error));
	assert_error(&s.error, STATUS_USAGE, "2048 bytes, not 2047");
	s.setup.topology = "torus:5x4";
	assert_null(packet_router_create("dor", &s.setup, &s.error));
	assert_error(&s.error, STATUS_FABRIC, "is not the topology 'torus:5x4'", "25 hosts");
	s.setup.topology = NULL;
	assert_null(packet_router_create("zone", &s.setup, &s.error));
	assert_error(&s.error, STATUS_FABRIC, "requires a mesh");
	unmake(&s);
}

/* ---- the check */

/* The routing of a router, changed. */
static const struct packet_routing *whole;
static uint16_t without_lanes, without_bubble;
static bool at_sources; /* alone */

static unsigned changed_ways(struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates)
{
	unsigned count = whole->candidates(router, packet, node, candidates), kept = 0;
	if (at_sources && packet->hops)
		return count;
	for (unsigned i = 0; i < count; i++) {
		candidates[i].lanes &= (uint16_t)~without_lanes;
		candidates[i].bubble &= (uint16_t)~without_bubble & candidates[i].lanes;
		if (candidates[i].lanes)
			candidates[kept++] = candidates[i];
	}
	return kept;
}

TEST(the_check_finds_circles)
{
	static const struct {
		const char *topology, *routing;
		unsigned lanes;
		uint16_t without_lanes, without_bubble;
		const char *words[4]; /* none: it is fine */
		bool at_sources;
	} routings[] = {
		{"torus:5x5", "tables", 1, 0, 0, {"'tables' can deadlock", "cycle of 5", "S0_0 -> S1_0 (lane 0)"}, false},
		{"torus:5x5", "tables:lanes=any", 2, 0, 0, {"can deadlock"}, false},
		{"mesh:5x5", "tables:lanes=any", 2, 0, 0, {NULL}, false},
		{"torus:3x3", "tables", 1, 0, 0, {NULL}, false},
		{"dragonfly:p=1,a=3,h=1", "tables", 1, 0, 0, {"can deadlock"}, false},
		{"torus:5x5", "dor:bubble", 1, 0, 0xffff, {"'dor' can deadlock", "cycle of 5"}, false},
		{"torus:5x5", "dor:bubble", 2, 0, 0, {NULL}, false},
		{"torus:5x5", "dor:bubble", 2, 0, 0xffff, {"can deadlock"}, false},
		{"torus:5x5,hosts=direct", "dor:bubble", 1, 0, 0, {NULL}, false},
		{"torus:5x5,hosts=direct", "dor:bubble", 1, 0, 0xffff, {"can deadlock"}, true},
		{"torus:4x4", "adaptive", 3, 1, 0, {"escape route"}, false},
		{"torus:4x4", "adaptive", 4, 4, 0, {NULL}, false},
		{"slimfly:q=5", "adaptive", 2, 1, 0, {"escape route"}, false},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(routings); i++) {
		struct setting s;
		bool checked;
		assert_true(make(&s, routings[i].topology, routings[i].routing, routings[i].lanes));
		whole = s.router->routing;
		struct packet_routing changed = *whole;
		changed.candidates = changed_ways;
		without_lanes = routings[i].without_lanes;
		without_bubble = routings[i].without_bubble;
		at_sources = routings[i].at_sources;
		s.router->routing = &changed;
		int found = packet_router_check(s.router, &checked, &s.error);
		assert_true(checked);
		if (*routings[i].words) {
			assert_int_equal(found, -1);
			check_error(&s.error, STATUS_FABRIC, routings[i].words, __FILE__, __LINE__);
		} else {
			assert_fine(&s.error);
			assert_int_equal(found, 0);
		}
		unmake(&s);
	}
}

/* A bubble that all can take is none: the packets of a ring must leave room when they come from elsewhere, and may do without within. */
TEST(bubbles_are_for_those_who_enter)
{
	struct setting s;
	struct packet_candidate candidates[PACKET_CANDIDATES_MAX];
	assert_true(make(&s, "torus:6x6", "dor:bubble", 3));
	const struct fabric *f = s.fabric;
	struct packet_head p = {0, 2 + 6, 0, NONE, 0, 0, 0, 0, NONE};
	assert_int_equal(s.router->routing->candidates(s.router, &p, f->host_node[0], candidates), 1);
	assert_int_equal(candidates[0].lanes, 7);
	assert_int_equal(candidates[0].bubble, 0);
	uint32_t node = f->head[candidates[0].channel];
	static const uint16_t bubbles[2][3] = {{1, 0, 1}, {1, 1, 1}}; /* into the first ring, on in it, into the second */
	for (unsigned lane = 0; lane < 2; lane++) {
		struct packet_head q = p;
		uint32_t at = node;
		q.channel = candidates[0].channel;
		for (unsigned hop = 0; hop < 3; hop++) {
			struct packet_candidate way[PACKET_CANDIDATES_MAX];
			q.hops++;
			assert_int_equal(s.router->routing->candidates(s.router, &q, at, way), 1);
			assert_int_equal(way[0].lanes, 7);
			assert_int_equal(way[0].bubble, bubbles[lane][hop]);
			q.channel = way[0].channel;
			q.lane = (uint8_t)lane;
			at = f->head[q.channel];
		}
	}
	assert_true(s.router->whole);
	unmake(&s);
}

/* ---- detours */

static uint32_t loaded;
static uint64_t load;

static uint64_t one_queue(void *engine, uint32_t channel, uint32_t lanes, bool over)
{
	(void)engine;
	(void)lanes;
	(void)over;
	return channel == loaded ? load : 100;
}

/* How many of 200 packets between two groups take the channel that the minimal way begins with, at the first switch. */
static unsigned count_minimal(struct setting *s, uint32_t source, uint32_t destination, uint32_t channel)
{
	unsigned count = 0;
	struct packet_candidate candidates[PACKET_CANDIDATES_MAX];
	uint32_t node = s->fabric->head[s->fabric->first_channel[s->fabric->host_node[source]]];
	for (uint32_t number = 0; number < 200; number++) {
		struct packet_head p = {
			source, destination, number, s->fabric->first_channel[s->fabric->host_node[source]], 0, 1, 0, 0, NONE};
		assert_int_equal(s->router->routing->candidates(s->router, &p, node, candidates), 1);
		count += p.via == NONE;
		assert_true(p.via != NONE || candidates[0].channel == channel);
	}
	return count;
}

/* Whether two switches of a dragonfly of groups of four are in one. */
static bool at_same_group(const struct setting *s, uint32_t node, uint32_t other)
{
	return (node - s->fabric->hosts) / 4 == (other - s->fabric->hosts) / 4;
}

TEST(detours_go_by_queues_times_hops)
{
	static const char *const routings[] = {
		"ugal:local,threshold=0", "ugal:global,threshold=0", "par:threshold=0", "ugal:local,threshold=1"};
	for (size_t i = 0; i < ARRAY_LENGTH(routings); i++) {
		struct setting s;
		assert_true(make(&s, "dragonfly:p=2,a=4,h=2", routings[i], 0));
		uint32_t source = 0, destination = s.fabric->hosts - 1,
			 node = s.fabric->head[s.fabric->first_channel[s.fabric->host_node[source]]];
		uint32_t channel = forwarding_next(s.forwarding, node, s.forwarding->column[node], destination);
		s.router->view = (struct packet_view){.queued = one_queue, .queued_anywhere = one_queue};
		loaded = channel;
		if (s.router->remote) /* the channel between the groups counts, wherever it is */
			for (uint32_t at = node; at_same_group(&s, at, s.fabric->head[loaded]);) {
				at = s.fabric->head[loaded];
				loaded = forwarding_next(s.forwarding, at, s.forwarding->column[at], destination);
			}
		load = 0;
		assert_int_equal(count_minimal(&s, source, destination, channel), 200);
		load = 100;
		assert_int_equal(count_minimal(&s, source, destination, channel), 200); /* a detour is longer */
		load = 400;
		unsigned minimal = count_minimal(&s, source, destination, channel);
		assert_in_range(minimal, i == 3 ? 200 : 20, i == 3 ? 200 : 150); /* 400 by 3 is less than 1024 and more */
		load = 100000;
		minimal = count_minimal(&s, source, destination, channel);
		assert_in_range(minimal, 20, 90); /* two groups of nine are no detour, and detours by the same channel no better */
		unmake(&s);
	}
}

/* Lets the detours of a routing find such a queue at the minimal channel, and 100 at the others; returns how many of 200 are minimal. */
static unsigned minimal_at(struct setting *s, const char *routing, uint64_t queue)
{
	assert_true(make(s, "dragonfly:p=2,a=4,h=2", routing, 0));
	uint32_t source = 0, destination = s->fabric->hosts - 1;
	uint32_t node = s->fabric->head[s->fabric->first_channel[s->fabric->host_node[source]]];
	s->router->view = (struct packet_view){.queued = one_queue};
	loaded = forwarding_next(s->forwarding, node, s->forwarding->column[node], destination);
	load = queue;
	unsigned minimal = count_minimal(s, source, destination, loaded);
	unmake(s);
	return minimal;
}

/* The rule of the cycle-based reference: minimal if its queue is not above twice the other one and 30 packets, of 1024 bytes. */
TEST(detours_by_weight_and_threshold)
{
	struct setting s;
	assert_int_equal(minimal_at(&s, "ugal:local,weight=2,threshold=0", 200), 200);
	assert_in_range(minimal_at(&s, "ugal:local,weight=2,threshold=0", 201), 20, 90);
	assert_int_equal(minimal_at(&s, "ugal:local,weight=2,threshold=30", 200 + 30 * 1024), 200);
	assert_in_range(minimal_at(&s, "ugal:local,weight=2,threshold=30", 201 + 30 * 1024), 20, 90);
	assert_int_equal(minimal_at(&s, "ugal:local", 100 + 1024), 200); /* 3 packets, times at most 3 hops */
	assert_in_range(minimal_at(&s, "ugal:local", 100 + 4 * 1024), 20, 90);
}

static uint32_t global, waiting;

static uint32_t one_told(void *engine, uint32_t channel)
{
	(void)engine;
	return channel == global ? waiting : 4;
}

TEST(detours_by_what_the_group_tells)
{
	struct setting s;
	assert_true(make(&s, "dragonfly:p=2,a=4,h=2", "ugal", 0));
	assert_true(s.router->group && !s.router->remote);
	uint32_t source = 0, destination = s.fabric->hosts - 1;
	uint32_t node = s.fabric->head[s.fabric->first_channel[s.fabric->host_node[source]]];
	loaded = global = forwarding_next(s.forwarding, node, s.forwarding->column[node], destination);
	for (uint32_t at = node; at_same_group(&s, at, s.fabric->head[global]);) {
		at = s.fabric->head[global];
		global = forwarding_next(s.forwarding, at, s.forwarding->column[at], destination);
	}
	s.router->view = (struct packet_view){.queued = one_queue, .told = one_told};
	load = 0;
	waiting = 6; /* two more than anywhere else */
	assert_int_equal(count_minimal(&s, source, destination, loaded), 200);
	waiting = 7;
	assert_in_range(count_minimal(&s, source, destination, loaded), 20, 90);
	load = 1000000; /* the queues of the switch decide only if as many wait */
	waiting = 1;
	assert_int_equal(count_minimal(&s, source, destination, loaded), 200);
	waiting = 2;
	assert_in_range(count_minimal(&s, source, destination, loaded), 20, 90);
	unmake(&s);
	assert_true(make(&s, "slimfly:q=5", "ugal", 0));
	assert_null(s.router->group);
	unmake(&s);
}

/* ---- tables with lanes, and with several routes */

/* A ring one way round, of three: H0 to H1 ... each host's packets to the next but one pass two switches. */
#define RING(level) \
	"digraph { node [type=host]; H0; H1; H2" level "; node [type=switch]; H0->S0 [comment=\"*\"]; H1->S1 [comment=\"*\"]; " \
	"H2->S2 [comment=\"*\"]; S0->H0 [comment=H0]; S1->H1 [comment=H1]; S2->H2 [comment=H2]; S0->S1 [comment=\"H1,H2\"]; " \
	"S1->S2 [comment=\"H2,H0\"]; S2->S0 [comment=\"H0,H1\"] }"

static struct packet_router *make_on(
	struct world *w, const char *spec, const struct virtual_lanes *service, struct route_choice *multipath, unsigned lanes)
{
	return packet_router_create(spec,
		&(struct packet_router_setup){.fabric = w->fabric,
			.forwarding = w->forwarding,
			.service = service,
			.multipath = multipath,
			.lanes = lanes,
			.buffer = 4096,
			.packet = 1024,
			.seed = 3,
			.run = 2},
		&w->error);
}

TEST(tables_take_the_lanes_that_the_graph_tells)
{
	struct world w;
	struct virtual_lanes *service;
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	bool checked;
	world_load(&w, RING(""));
	struct packet_router *r = make_on(&w, "tables", NULL, NULL, 1);
	assert_int_equal(packet_router_check(r, &checked, &w.error), -1);
	assert_error(&w.error, STATUS_FABRIC, "cycle of 3", "S0 -> S1 (lane 0), S1 -> S2 (lane 0), S2 -> S0 (lane 0)");
	packet_router_free(r);
	world_clear(&w);
	world_load(&w, RING(" [sl=\"1:H1\"]"));
	assert_int_equal(virtual_lanes_load(&service, w.attributes, w.fabric, true, &w.error), 0);
	assert_null(make_on(&w, "tables", service, NULL, 1));
	assert_error(&w.error, STATUS_USAGE, "needs 2 virtual lanes");
	r = make_on(&w, "tables", service, NULL, 0);
	assert_int_equal(packet_router_check(r, &checked, &w.error), 0);
	assert_true(checked);
	struct packet_head p = {host_of(&w, "H2"), host_of(&w, "H1"), 0, NONE, 0, 0, SERVICE_LEVEL_OF_PAIR, 0, NONE};
	assert_int_equal(r->routing->candidates(r, &p, node_of(&w, "H2"), way), 1);
	assert_int_equal(p.level, 1);
	assert_int_equal(way[0].lanes, 2);
	packet_router_free(r);
	r = make_on(&w, "tables:any", service, NULL, 4); /* two lanes for each level */
	p = (struct packet_head){host_of(&w, "H2"), host_of(&w, "H0"), 0, channel_of(&w, "H2", "S2"), 0, 1, 0, 0, NONE};
	assert_int_equal(r->routing->candidates(r, &p, node_of(&w, "S2"), way), 1);
	assert_int_equal(way[0].lanes, 3);
	p.level = 1;
	assert_int_equal(r->routing->candidates(r, &p, node_of(&w, "S2"), way), 1);
	assert_int_equal(way[0].lanes, 12);
	packet_router_free(r);
	virtual_lanes_free(service);
	world_clear(&w);
}

/* Two ways from A to D. */
static const char diamond[] = "digraph { H1->A [comment=\"*\"]; A->H1 [comment=H1]; A->B [comment=H2]; A->C [comment=H2]; B->D "
			      "[comment=\"*\"]; C->D [comment=\"*\"]; D->H2 [comment=H2]; H2->D [comment=\"*\"]; D->B [comment=H1]; "
			      "D->C [comment=H1]; B->A [comment=H1]; C->A [comment=H1] }";

TEST(packets_and_pairs_draw_their_routes)
{
	struct world w;
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	bool checked;
	world_read(&w, diamond, DOT_TABLES | DOT_ALTERNATIVES | DOT_KEEP);
	assert_fine(&w.error);
	struct route_choice_setup setup = {.mode = MULTIPATH_RANDOM, .fabric = w.fabric, .forwarding = w.forwarding, .seed = 3};
	struct route_choice *multipath = route_choice_create(&setup, &w.error);
	assert_non_null(multipath);
	uint32_t h1 = host_of(&w, "H1"), h2 = host_of(&w, "H2"), a = node_of(&w, "A"), in = channel_of(&w, "H1", "A");
	uint32_t upper = channel_of(&w, "A", "B"), lower = channel_of(&w, "A", "C");
	struct packet_router *pair = make_on(&w, "tables", NULL, multipath, 0),
			     *packet = make_on(&w, "tables:by=packet", NULL, multipath, 0);
	struct packet_router *entries = make_on(&w, "entries", NULL, NULL, 0);
	assert_fine(&w.error);
	multipath->run = 2;
	assert_int_equal(route_choice_route(multipath, h1, h2), 4);
	uint32_t drawn = multipath->channel[1];
	unsigned uppers = 0;
	for (uint32_t number = 0; number < 1000; number++) {
		struct packet_head p = {h1, h2, number, in, 0, 1, 0, 0, NONE}, q = p;
		assert_int_equal(pair->routing->candidates(pair, &p, a, way), 1);
		assert_int_equal(way[0].channel, drawn);
		assert_int_equal(packet->routing->candidates(packet, &q, a, way), 1);
		assert_true(way[0].channel == upper || way[0].channel == lower);
		uppers += way[0].channel == upper;
	}
	assert_in_range(uppers, 430, 570);
	struct packet_head p = {h1, h2, 0, in, 0, 1, 0, 0, NONE};
	entries->view = (struct packet_view){.queued = one_queue, .queued_anywhere = one_queue};
	loaded = upper;
	load = 4096;
	assert_int_equal(entries->routing->candidates(entries, &p, a, way), 2);
	assert_int_equal(way[0].channel + way[1].channel, upper + lower);
	unsigned better = way[0].channel == upper; /* the other one */
	assert_true(way[better].rank < way[1 - better].rank);
	struct packet_router *all[] = {pair, packet, entries};
	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		assert_int_equal(packet_router_check(all[i], &checked, &w.error), 0);
		assert_true(checked);
		packet_router_free(all[i]);
	}
	route_choice_free(multipath);
	setup.mode = MULTIPATH_SPLIT;
	multipath = route_choice_create(&setup, &w.error);
	assert_null(make_on(&w, "tables", NULL, multipath, 0));
	assert_error(&w.error, STATUS_USAGE, "--multipath split is not possible");
	route_choice_free(multipath);
	world_clear(&w);
}

/* Whichever route pairs draw in this run, the check knows them all: of these two, one goes round. */
TEST(the_check_knows_all_routes_of_tables)
{
	struct world w;
	bool checked;
	static const char ring[] =
		"digraph { graph [via=random]; node [type=host]; H0; H1; H2; node [type=switch]; H0->S0 [comment=\"*\"]; "
		"H1->S1 [comment=\"*\"]; H2->S2 [comment=\"*\"]; S0->H0 [comment=H0]; S1->H1 [comment=H1]; S2->H2 "
		"[comment=H2]; S0->S1 [comment=H1]; S1->S2 [comment=H2]; S2->S0 [comment=H0]; S0->S2 [comment=H2]; "
		"S2->S1 [comment=H1]; S1->S0 [comment=H0] }";
	world_read(&w, ring, DOT_TABLES | DOT_ALTERNATIVES | DOT_KEEP);
	assert_fine(&w.error);
	struct packet_router *r = make_on(&w, "tables", NULL, NULL, 0);
	assert_int_equal(packet_router_check(r, &checked, &w.error), 0); /* straight ways are of one hop */
	packet_router_free(r);
	struct route_choice_setup setup = {.mode = MULTIPATH_RANDOM, .fabric = w.fabric, .forwarding = w.forwarding, .seed = 3};
	struct route_choice *multipath = route_choice_create(&setup, &w.error);
	for (unsigned by = 0; by < 2; by++) {
		r = make_on(&w, by ? "tables:by=packet" : "tables", NULL, multipath, 0);
		assert_int_equal(packet_router_check(r, &checked, &w.error), -1);
		assert_error(&w.error, STATUS_FABRIC, "cycle of");
		struct packet_candidate way[PACKET_CANDIDATES_MAX];
		unsigned detours = 0;
		for (uint32_t number = 0; number < 300; number++) {
			struct packet_head p = {0, 1, number, channel_of(&w, "H0", "S0"), 0, 1, 0, 0, NONE};
			assert_int_equal(r->routing->candidates(r, &p, node_of(&w, "S0"), way), 1);
			detours += way[0].channel == channel_of(&w, "S0", "S2");
			p = (struct packet_head){0, 1, number, NONE, 0, 0, 0, 0, NONE};
			assert_in_range(
				walk(&(struct setting){.fabric = w.fabric, .router = r, .setup = {.topology = "a ring"}}, p, FIRST, NULL),
				3, 4);
		}
		if (by)
			assert_in_range(detours, 60, 140); /* one of three */
		packet_router_free(r);
	}
	route_choice_free(multipath);
	world_clear(&w);
}

/* ---- what is drawn */

TEST(numbers_are_drawn_by_the_packet_alone)
{
	struct setting s;
	assert_true(make(&s, "mesh:2x2", "dor", 5));
	unsigned count[5] = {0};
	for (uint32_t number = 0; number < 5000; number++) {
		struct packet_head p = {3, 1, number, NONE, 0, 7, 0, 0, NONE};
		uint32_t drawn = packet_draw(s.router, &p, DRAW_WAY, 5);
		assert_int_equal(packet_draw(s.router, &p, DRAW_WAY, 5), drawn);
		count[drawn]++;
	}
	for (unsigned i = 0; i < 5; i++)
		assert_in_range(count[i], 880, 1120);
	assert_int_equal(packet_lanes_of(s.router, 0, 0, 2), 3);
	assert_int_equal(packet_lanes_of(s.router, 0, 1, 2), 28);
	assert_int_equal(packet_lanes_of(s.router, 2, 0, 1), 28);
	unmake(&s);
}

/* At a leaf all ways up are as good, and the emptiest is the first; at the top there is one way down. */
TEST(ways_up_are_all_taken)
{
	struct setting s;
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	assert_true(make(&s, "fattree:k=4,n=3", "updown", 2));
	const struct fabric *f = s.fabric;
	struct packet_head p = {0, f->hosts - 1, 0, f->first_channel[f->host_node[0]], 0, 1, 0, 0, NONE};
	uint32_t node = f->head[p.channel];
	for (unsigned level = 0; level < 2; level++) {
		assert_int_equal(s.router->routing->candidates(s.router, &p, node, way), 4);
		for (unsigned i = 0; i < 4; i++)
			assert_int_equal(way[i].lanes, 3);
		p.channel = way[2].channel;
		p.hops++;
		node = f->head[p.channel];
	}
	assert_int_equal(s.router->routing->candidates(s.router, &p, node, way), 1);
	unmake(&s);
}

/* Who was sent to another switch of its block leaves the block there, or escapes: it is not sent on and back. */
TEST(nobody_is_sent_round_in_a_block)
{
	struct setting s;
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	assert_true(make(&s, "torus:4x4x4/fullmesh:3,hosts=2", "zone:123", 4));
	const struct fabric *f = s.fabric;
	uint32_t first = f->hosts; /* the switches of the first block are these three */
	for (uint32_t to = 6; to < f->hosts; to++)
		for (uint32_t c = f->first_channel[first]; c < f->first_channel[first + 1]; c++) {
			struct packet_head p = {0, to, 0, c, 3, 2, 0, 0, NONE};
			uint32_t node = f->head[c];
			if (node < first || node >= first + 3)
				continue;
			unsigned count = s.router->routing->candidates(s.router, &p, node, way);
			for (unsigned i = 0; i < count; i++)
				assert_true(!(way[i].lanes & 12) || f->head[way[i].channel] >= first + 3);
		}
	unmake(&s);
}

/* Who has taken a way of escape that is no shortest one stays on such ways; who has come from a host on that lane has not. */
TEST(who_escapes_does_not_come_back)
{
	struct setting s;
	struct packet_candidate way[PACKET_CANDIDATES_MAX];
	assert_true(make(&s, "slimfly:q=5", "adaptive", 3));
	const struct fabric *f = s.fabric;
	for (uint32_t to = 1; to < f->hosts; to++) {
		struct packet_head p = {0, to, 0, f->first_channel[f->host_node[0]], 0, 1, 0, 0, NONE};
		uint32_t node = f->head[p.channel];
		unsigned count = s.router->routing->candidates(s.router, &p, node, way), free_ways = 0, escape = count;
		for (unsigned i = 0; i < count; i++) {
			free_ways += (way[i].lanes & 6) != 0;
			escape = way[i].lanes & 1 ? i : escape;
		}
		assert_true(free_ways && escape < count);
		p.channel = way[escape].channel;
		p.hops++;
		node = f->head[p.channel];
		if (node == f->host_node[to] || node == f->head[f->first_channel[f->host_node[to]]])
			continue;
		count = s.router->routing->candidates(s.router, &p, node, way);
		assert_true(count);
		for (unsigned i = 0; i < count; i++)
			assert_int_equal(way[i].lanes, 1);
	}
	unmake(&s);
}

/* Processes but the first know no names. */
TEST(nothing_needs_names)
{
	static const char *const routings[][2] = {{"torus:5x4", "dor"}, {"torus:5x4", "tables"}, {"dragonfly:p=1,a=3,h=1", "ugal"},
		{"slimfly:q=5", "adaptive"}, {"fattree:k=2,n=3", "updown"}, {"hyperx:3x3", "adaptive"}};
	for (size_t i = 0; i < ARRAY_LENGTH(routings); i++) {
		struct setting s;
		bool checked;
		assert_true(make(&s, routings[i][0], routings[i][1], 0));
		packet_router_free(s.router);
		struct fabric_labels *labels = s.fabric->labels;
		s.fabric->labels = NULL;
		s.router = packet_router_create(routings[i][1], &s.setup, &s.error);
		assert_non_null(s.router);
		if (packet_router_check(s.router, &checked, &s.error))
			assert_error(&s.error, STATUS_FABRIC, "can deadlock", "node ", " -> node ");
		else
			assert_string_not_equal(routings[i][1], "tables");
		s.setup.topology = "torus:6x6";
		assert_null(packet_router_create("dor", &s.setup, &s.error));
		assert_error(&s.error, STATUS_FABRIC, "is not the topology 'torus:6x6'");
		s.fabric->labels = labels;
		unmake(&s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_routing_tells_what_it_is),
		cmocka_unit_test(every_pair_arrives),
		cmocka_unit_test(what_is_called_shortest_is_and_nothing_deadlocks),
		cmocka_unit_test(every_routing_of_the_table_reaches_all_hosts),
		cmocka_unit_test(what_cannot_work_is_refused),
		cmocka_unit_test(bubbles_need_room_for_two_packets),
		cmocka_unit_test(the_check_finds_circles),
		cmocka_unit_test(bubbles_are_for_those_who_enter),
		cmocka_unit_test(detours_go_by_queues_times_hops),
		cmocka_unit_test(detours_by_weight_and_threshold),
		cmocka_unit_test(detours_by_what_the_group_tells),
		cmocka_unit_test(tables_take_the_lanes_that_the_graph_tells),
		cmocka_unit_test(packets_and_pairs_draw_their_routes),
		cmocka_unit_test(the_check_knows_all_routes_of_tables),
		cmocka_unit_test(numbers_are_drawn_by_the_packet_alone),
		cmocka_unit_test(ways_up_are_all_taken),
		cmocka_unit_test(nobody_is_sent_round_in_a_block),
		cmocka_unit_test(who_escapes_does_not_come_back),
		cmocka_unit_test(nothing_needs_names),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
