/*
 * HyperX networks, or generalised hypercubes, or flattened butterflies: a grid whose nodes are joined to all others of the same row in
 * every dimension (Bhuyan, Agrawal: Generalized Hypercube and Hyperbus Structures for a Computer Network, 1984; Kim, Dally, Abts: Flattened
 * Butterfly, ISCA 2007; Ahn, Binkert, Davis, McLaren, Schreiber: HyperX, SC 2009). Full meshes have one dimension, hypercubes have width 2
 * in each. Direct networks, see direct.h. The first dimension varies fastest.
 *
 * Ports of a switch: hosts first, then per dimension the other nodes of the row in their order.
 *
 * Routes (dimension order): first dimension first, one cable in each.
 */
#include "base/memory.h"
#include "topologies/direct.h"
#include "topologies/place.h"
#include "topologies/reciprocal.h"

struct axis {
	struct reciprocal width;
	uint32_t stride; /* difference of neighbours' numbers */
	uint32_t first;  /* first port of the axis, without those of hosts */
};

struct hyperx {
	uint32_t axes, ports; /* ports: without those of hosts */
	struct reciprocal hosts;
	struct axis axis[STRUCTURE_DIMENSIONS_MAX];
};

/* ---- setup */

static int make_hyperx(struct topology *topology, uint32_t axes, const int64_t *width, const char *hosts, struct error *error)
{
	struct hyperx *x = array_create(1, sizeof *x, error);
	uint64_t nodes = 1, ports = 0, ends;
	topology->data = x;
	if (!x)
		return -1;
	x->axes = axes;
	for (uint32_t i = 0; i < axes; i++) {
		x->axis[i] = (struct axis){reciprocal_of((uint32_t)width[i]), (uint32_t)nodes, (uint32_t)ports};
		ports += (uint64_t)width[i] - 1;
		if (__builtin_mul_overflow(nodes, (uint64_t)width[i], &nodes) || nodes > TOPOLOGY_CHANNELS_MAX)
			nodes = TOPOLOGY_CHANNELS_MAX + 1;
	}
	x->ports = (uint32_t)ports;
	if (direct_size(topology, hosts, nodes, error))
		return error->status ? -1 : 0;
	x->hosts = reciprocal_of(topology->each ? topology->each : 1);
	if (__builtin_mul_overflow(nodes, ports, &ends) || __builtin_add_overflow(topology->channels, ends, &topology->channels))
		topology->channels = UINT64_MAX; /* table.c refuses it */
	return 0;
}

static int hyperx_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	return make_hyperx(topology, value[0].dimensions, value[0].dimension, value[1].text, error);
}

static int fullmesh_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	return make_hyperx(topology, 1, &value[0].integer, value[1].text, error);
}

static int hypercube_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	int64_t width[STRUCTURE_DIMENSIONS_MAX];
	for (int i = 0; i < STRUCTURE_DIMENSIONS_MAX; i++)
		width[i] = 2;
	return make_hyperx(topology, (uint32_t)value[0].integer, width, value[1].text, error);
}

static void hyperx_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct hyperx *x = topology->data;
	structure->dimensions = x->axes;
	for (uint32_t i = 0; i < x->axes; i++)
		structure->dimension[i] = (struct structure_dimension){.width = x->axis[i].width.divisor};
}

/* ---- positions of switches and ports */

/* Returns the coordinate on an axis. */
static inline uint32_t coordinate(const struct axis *axis, uint32_t node)
{
	return remainder_of(node / axis->stride, axis->width);
}

static uint32_t hyperx_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct hyperx *x = topology->data;
	(void)node;
	return host && !direct_hosts(topology) ? 1 : topology->each + x->ports;
}

static struct topology_port hyperx_peer(const struct topology *topology, struct topology_port port)
{
	const struct hyperx *x = topology->data;
	uint32_t hosts = topology->each, i = x->axes - 1;
	if (port.host && hosts) {
		uint32_t node = quotient(port.node, x->hosts);
		return (struct topology_port){false, node, port.node - node * hosts};
	}
	if (port.port < hosts)
		return (struct topology_port){true, port.node * hosts + port.port, 0};
	while (port.port - hosts < x->axis[i].first)
		i--;
	const struct axis *axis = &x->axis[i];
	uint32_t c = coordinate(axis, port.node), other = port.port - hosts - axis->first;
	other += other >= c;
	/* there, c's port comes one earlier if it is past its own place */
	return direct_port(topology, port.node + (other - c) * axis->stride, axis->first + c - (c > other));
}

/* ---- routes */

/* Returns the port on an axis from coordinate c to another. */
static inline uint32_t port_to(const struct axis *axis, uint32_t c, uint32_t other)
{
	return axis->first + other - (other > c);
}

static uint32_t hyperx_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct hyperx *x = topology->data;
	uint32_t target = quotient(destination, x->hosts);
	if (host && topology->each)
		return 0;
	if (node == target)
		return destination - target * x->hosts.divisor;
	const struct axis *axis = x->axis;
	while (coordinate(axis, node) == coordinate(axis, target))
		axis++;
	return topology->each + port_to(axis, coordinate(axis, node), coordinate(axis, target));
}

static uint32_t hyperx_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct hyperx *x = topology->data;
	uint32_t node = quotient(source, x->hosts), target = quotient(destination, x->hosts), from = node, to = target, length = 0;
	bool hosts = !direct_hosts(topology);
	if (hosts)
		steps[length++] = (struct topology_step){source, 0};
	for (const struct axis *axis = x->axis; node != target; axis++) {
		uint32_t above = quotient(from, axis->width), c = from - above * axis->width.divisor;
		uint32_t above_to = quotient(to, axis->width), goal = to - above_to * axis->width.divisor;
		if (c != goal) {
			steps[length] = direct_step(topology, node, port_to(axis, c, goal), length == 0);
			length++;
			node += (goal - c) * axis->stride;
		}
		from = above;
		to = above_to;
	}
	if (hosts)
		steps[length++] = (struct topology_step){target, destination - target * x->hosts.divisor};
	return length;
}

static uint32_t hyperx_longest(const struct topology *topology)
{
	const struct hyperx *x = topology->data;
	uint32_t longest = direct_hosts(topology) ? 0 : 2;
	for (uint32_t i = 0; i < x->axes; i++)
		longest += x->axis[i].width.divisor > 1;
	return longest;
}

/* Writes the name: by coordinates; hosts also by their port, if a switch has several. */
static void hyperx_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct hyperx *x = topology->data;
	uint32_t at = direct_node(topology, host, node);
	enum { AXES_NAMED = 8 };
	bool binary = x->axes > AXES_NAMED; /* a large hypercube uses its number, as the name would otherwise be too long */
	for (uint32_t i = 0; i < (binary ? 1 : x->axes); i++)
		text = put_number(text, i ? '_' : host ? 'H' : 'S', binary ? at : coordinate(&x->axis[i], at));
	direct_name_end(topology, host, node, text);
}

static struct topology_place hyperx_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct hyperx *x = topology->data;
	uint32_t at = direct_node(topology, host, node), c[STRUCTURE_DIMENSIONS_MAX], width[STRUCTURE_DIMENSIONS_MAX],
		 number = node - at * topology->each;
	for (uint32_t i = 0; i < x->axes; i++) {
		c[i] = coordinate(&x->axis[i], at);
		width[i] = x->axis[i].width.divisor;
	}
	return place_in_grid(x->axes, width, c, topology->each, host && topology->each ? &number : NULL);
}

static const struct arg hyperx_args[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX, "widths, for example 8x8x4"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

static const struct arg fullmesh_args[] = {
	{"n", ARG_INTEGER, NULL, 1, UINT32_MAX, "switches"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

static const struct arg hypercube_args[] = {
	{"n", ARG_INTEGER, NULL, 1, STRUCTURE_DIMENSIONS_MAX, "dimensions"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

#define HYPERX \
	.form = STRUCTURE_FULL, .structure = hyperx_structure, .routing = "dor", .ports = hyperx_ports, .peer = hyperx_peer, \
	.next = hyperx_next, .route = hyperx_route, .longest = hyperx_longest, .node_name = hyperx_name

const struct topology_kind topology_hyperx = {
	.name = "hyperx",
	.summary = "grid whose rows are fully connected in every dimension; flattened butterfly, generalised hypercube",
	.source = "Bhuyan, Agrawal 1984; Kim, Dally, Abts 2007; Ahn et al. 2009",
	.formulae = "A B .. switches, H A B .. hosts; H A B .. cables to hosts and A B .. ((A-1)+(B-1)+..)/2 between switches; at most "
		    "one cable in each dimension",
	.args = hyperx_args,
	.place = hyperx_place,
	.setup = hyperx_setup,
	HYPERX,
};

const struct topology_kind topology_fullmesh = {
	.name = "fullmesh",
	.summary = "switches, each joined to each other",
	.source = "HiNetSim",
	.formulae = "n switches, H n hosts; H n cables to hosts and n (n-1)/2 between switches; at most one of these",
	.args = fullmesh_args,
	.setup = fullmesh_setup,
	HYPERX,
};

const struct topology_kind topology_hypercube = {
	.name = "hypercube",
	.summary = "switches whose binary numbers differ in one digit are joined",
	.source = "Seitz 1985",
	.formulae = "2^n switches, H 2^n hosts; H 2^n cables to hosts and n 2^(n-1) between switches; at most n of these",
	.args = hypercube_args,
	.place = hyperx_place,
	.setup = hypercube_setup,
	HYPERX,
};
