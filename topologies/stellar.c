/*
 * GQ* and SWCube: a generalised hypercube of switches, of k dimensions of width n, with the hosts on its edges; hosts have two ports and
 * forward. GQ*: every edge becomes a path over two hosts, one for each of its switches (Erickson, Stewart, Navaridas, Kiasari: The Stellar
 * Transformation: From Interconnection Networks to Datacenter Networks, 2017). SWCube: over a single host (Li, Wu: On Data Center Network
 * Architectures for Interconnecting Dual-Port Servers, 2015).
 *
 * Hosts are numbered by the switch to which they belong, in SWCube the lower one, then by dimension, then by the other switch; and so are
 * the ports of switches in GQ*, while those in SWCube are numbered by host. Ports of hosts: their switch, then the other host or switch.
 *
 * Routes: dimension by dimension, that of the destination's own edge last, to the closer end of the edge; from the source, to the closer
 * end of its edge. They are shortest.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"

struct cube {
	uint32_t n, k, nodes;
	bool swcube;
};

static uint32_t coordinate(const struct cube *t, uint32_t node, uint32_t stride)
{
	return node / stride % t->n;
}

/* Returns the host of a switch towards another coordinate in a dimension, in GQ*. */
static uint32_t host_towards(const struct cube *t, uint32_t node, uint32_t dimension, uint32_t c, uint32_t other)
{
	return (node * t->k + dimension) * (t->n - 1) + other - (other > c);
}

static void add_edges(struct topology *topology, const struct cube *t)
{
	uint32_t host = 0;
	for (uint32_t node = 0; node < t->nodes; node++)
		for (uint32_t i = 0, stride = 1; i < t->k; i++, stride *= t->n)
			for (uint32_t c = coordinate(t, node, stride), other = c + 1; other < t->n; other++) {
				uint32_t peer = node + (other - c) * stride;
				if (t->swcube) {
					cabling_add(topology, host, cabling_switch(topology, node));
					cabling_add(topology, host++, cabling_switch(topology, peer));
				} else {
					uint32_t far = host_towards(t, peer, i, other, c);
					cabling_add_cable(topology, (struct cable){host_towards(t, node, i, c, other), far, false, 1});
				}
			}
}

static int make_cube(struct topology *topology, bool swcube, struct error *error)
{
	uint64_t k = (uint64_t)topology->args.value[0].integer, n = (uint64_t)topology->args.value[1].integer;
	uint64_t nodes = power(n, k), ends = times(nodes, (n - 1) * k); /* ends of edges */
	struct cube *t = topology->data = array_create(1, sizeof *t, error);
	if (!t || cabling_start(
			  topology, swcube ? ends / 2 : ends, nodes, swcube || ends > CABLING_CHANNELS_MAX ? ends : ends + ends / 2, error))
		return -1;
	*t = (struct cube){(uint32_t)n, (uint32_t)k, (uint32_t)nodes, swcube};
	for (uint32_t host = 0; host < topology->hosts && !swcube; host++)
		cabling_add(topology, host, cabling_switch(topology, host / ((t->n - 1) * t->k)));
	add_edges(topology, t);
	return cabling_finish(topology, error);
}

static int gqstar_setup(struct topology *topology, struct error *error)
{
	return make_cube(topology, false, error);
}

static int swcube_setup(struct topology *topology, struct error *error)
{
	return make_cube(topology, true, error);
}

/* Finds the switches at the ends of a host's edge, its own one first. */
static void find_ends(const struct topology *topology, uint32_t host, uint32_t ends[2])
{
	struct topology_port far = cabling_peer(topology, (struct topology_port){true, host, 1});
	if (far.host)
		far = cabling_peer(topology, (struct topology_port){true, far.node, 0});
	ends[0] = cabling_peer(topology, (struct topology_port){true, host, 0}).node;
	ends[1] = far.node;
}

/* Returns the channels from a switch to the host on the edge between two. */
static uint32_t channels_to(const struct cube *t, uint32_t node, const uint32_t ends[2])
{
	uint32_t edge = t->swcube ? 2 : 3, channels = 0;
	for (uint32_t i = 0, stride = 1; i < t->k; i++, stride *= t->n) {
		uint32_t c = coordinate(t, node, stride), near = coordinate(t, ends[0], stride), far = coordinate(t, ends[1], stride);
		if (near == far)
			channels += c != near ? edge : 0;
		else
			channels += c == near ? 1 : c == far ? edge - 1 : edge + 1;
	}
	return channels;
}

/* Returns the port of a switch to the host on its edge to the other coordinate in a dimension. */
static uint32_t port_towards(const struct cube *t, uint32_t node, uint32_t dimension, uint32_t other)
{
	uint32_t c = 0, lower = 0, lower_above = 0, upper_below = 0; /* edges to lower and upper coordinates; of dimensions above, below */
	for (uint32_t i = 0, stride = 1; i < t->k; i++, stride *= t->n) {
		uint32_t at = coordinate(t, node, stride);
		c = i == dimension ? at : c;
		lower += at;
		lower_above += i > dimension ? at : 0;
		upper_below += i < dimension ? t->n - 1 - at : 0;
	}
	if (!t->swcube)
		return dimension * (t->n - 1) + other - (other > c);
	return other < c ? lower_above + other : lower + upper_below + other - c - 1;
}

static uint32_t cube_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct cube *t = topology->data;
	uint32_t ends[2], own[2], last = 0, to = 0;
	find_ends(topology, destination, ends);
	if (host) {
		find_ends(topology, node, own);
		bool joined = own[0] == ends[1] && own[1] == ends[0];
		return joined || channels_to(t, own[1], ends) + !t->swcube < channels_to(t, own[0], ends);
	}
	for (uint32_t i = 0, stride = 1; i < t->k; i++, stride *= t->n) {
		uint32_t c = coordinate(t, node, stride), near = coordinate(t, ends[0], stride), far = coordinate(t, ends[1], stride);
		if (near != far) {
			last = i;
			to = c == near ? far : near;
		} else if (c != near) {
			return port_towards(t, node, i, near);
		}
	}
	return port_towards(t, node, last, to);
}

static uint32_t cube_longest(const struct topology *topology)
{
	const struct cube *t = topology->data;
	return (t->swcube ? 2 : 3) * t->k + 2;
}

/* Writes the name: hosts by the two switches of their edge. */
static void cube_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	uint32_t ends[2];
	if (!host) {
		put_number(text, 'S', node);
		return;
	}
	find_ends(topology, node, ends);
	put_number(put_number(text, 'H', ends[0]), '_', ends[1]);
}

/* Returns the position of a switch in a grid with room for the hosts on its edges; straight: rows, or columns, are not arcs. */
static struct topology_place place_switch(const struct cube *t, uint32_t node, bool straight_rows, bool straight_columns)
{
	uint32_t c[31], width[31], edge = t->swcube ? 2 : 3;
	for (uint32_t i = 0, stride = 1; i < t->k; i++, stride *= t->n) {
		c[i] = coordinate(t, node, stride);
		width[i] = t->n;
	}
	return place_by_coordinates(
		t->k, width, c, (double[]){2. * edge, 1.1 * edge + .8}, (double[]){straight_rows ? 0 : -.8, straight_columns ? 0 : 1.2});
}

/*
 * Returns the position: hosts between their two switches; those on a long edge beside the arc of the switches between, and away from
 * crossings of other edges.
 */
static struct topology_place cube_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct cube *t = topology->data;
	uint32_t ends[2], dimension = 0, length = 0;
	if (!host)
		return place_switch(t, node, false, false);
	find_ends(topology, node, ends);
	for (uint32_t i = 0, stride = 1; i < t->k; i++, stride *= t->n) {
		uint32_t near = coordinate(t, ends[0], stride), far = coordinate(t, ends[1], stride);
		dimension = near != far ? i : dimension;
		length += near < far ? far - near : near - far;
	}
	bool row = dimension % 2 == 0, lengthy = length > 1;
	struct topology_place near = place_switch(t, ends[0], lengthy && row, lengthy && !row);
	struct topology_place far = place_switch(t, ends[1], lengthy && row, lengthy && !row);
	double share = !t->swcube ? 1 / 3. : lengthy ? (row ? .62 : .38) : .5, aside = length - 1;
	return (struct topology_place){
		near.x + (far.x - near.x) * share - (row ? 0 : .2 * aside), near.y + (far.y - near.y) * share + (row ? .1 * aside : 0)};
}

static const struct arg cube_args[] = {
	{"k", ARG_INTEGER, NULL, 1, 31, "dimensions"},
	{"n", ARG_INTEGER, NULL, 2, 100000, "width of each"},
	{.type = ARG_END},
};

const struct topology_kind topology_gqstar = {
	.name = "gqstar",
	.summary = "generalised hypercube of switches with two hosts on every edge; hosts forward",
	.source = "Erickson et al. 2017",
	.formulae =
		"n^k (n-1) k hosts, n^k switches; n^k (n-1) k cables to switches and half as many between hosts; at most 3 k + 2 of all",
	.args = cube_args,
	.hosts_forward = true,
	.setup = gqstar_setup,
	.routing = "dor",
	.next = cube_next,
	.route = cabling_route,
	.longest = cube_longest,
	.place = cube_place,
	.node_name = cube_name,
	CABLED,
};

const struct topology_kind topology_swcube = {
	.name = "swcube",
	.summary = "generalised hypercube of switches with one host on every edge; hosts forward",
	.source = "Li, Wu 2015",
	.formulae = "n^k (n-1) k/2 hosts, n^k switches; n^k (n-1) k cables; at most 2 k + 2",
	.args = cube_args,
	.hosts_forward = true,
	.setup = swcube_setup,
	.routing = "dor",
	.next = cube_next,
	.route = cabling_route,
	.longest = cube_longest,
	.place = cube_place,
	.node_name = cube_name,
	CABLED,
};
