/*
 * Grids (direct networks, see direct.h): meshes, and tori, whose dimensions wrap (all of them, or those selected by wrap=). The first
 * dimension varies fastest. A dimension of width 2 has one cable between its two switches, wrapped or not; one of width 1 has none. A ring
 * is a torus of one dimension; a one-way ring has only the channels upwards.
 *
 * Ports of a switch: hosts first, then per dimension the cable towards the lower neighbour and the one towards the upper, if they exist.
 *
 * Routes (dimension order; Dally, Seitz: Deadlock-Free Message Routing in Multiprocessor Interconnection Networks, 1987): first dimension
 * first, in the shorter direction, half way round balanced (see ties_go_up).
 */
#include "base/memory.h"
#include "topologies/direct.h"
#include "topologies/place.h"
#include "topologies/reciprocal.h"
#include "topologies/topology.h"

#include <string.h>

struct dimension {
	struct reciprocal width;
	uint32_t stride; /* difference of neighbours' numbers */
	bool wraps;      /* as specified */
	bool round;      /* there is a wrap-around cable: width is at least 3, one-way at least 2 */
	bool one_way;    /* channels lead upwards only */
};

struct grid_shape {
	uint32_t dimensions;
	struct reciprocal hosts; /* hosts of each node */
	struct dimension dimension[DIMENSIONS_MAX];
};

/* Return whether there are channels from coordinate c to the lower and to the upper neighbour. */
static inline bool has_lower(const struct dimension *d, uint32_t c)
{
	return (d->round || c > 0) && !d->one_way;
}

static inline bool has_upper(const struct dimension *d, uint32_t c)
{
	return d->round || c + 1 < d->width.divisor;
}

static inline uint32_t cables_at(const struct dimension *d, uint32_t c)
{
	return (uint32_t)has_lower(d, c) + has_upper(d, c);
}

/* ---- setup */

/* Reads "1:0:1", 1 for each dimension that wraps; "1" holds for all. */
static int read_wraps(const char *text, unsigned dimensions, bool *wrap, struct error *error)
{
	size_t length = strlen(text);
	bool fine = length == 1 || length == 2 * (size_t)dimensions - 1;
	for (unsigned i = 0; i < dimensions && fine; i++) {
		size_t at = length == 1 ? 0 : 2 * (size_t)i;
		fine = (text[at] == '0' || text[at] == '1') && (at + 1 == length || text[at + 1] == ':');
		wrap[i] = text[at] == '1';
	}
	return fine ? 0
		    : error_set(
			      error, STATUS_USAGE, "wrap is '%s', not 1 or 0 for each of %u dimensions, for example 1:0", text, dimensions);
}

static int make_grid(
	struct topology *topology, const struct arg_value *widths, const char *hosts, const bool *wrap, bool one_way, struct error *error)
{
	struct grid_shape *grid = array_create(1, sizeof *grid, error);
	uint64_t nodes = 1, channels = 0;
	topology->data = grid;
	if (!grid)
		return -1;
	grid->dimensions = widths->dimensions;
	for (unsigned i = 0; i < widths->dimensions; i++) {
		uint32_t width = (uint32_t)widths->dimension[i];
		bool round = wrap[i] && width > (one_way ? 1 : 2);
		grid->dimension[i] = (struct dimension){reciprocal_of(width), (uint32_t)nodes, wrap[i], round, one_way};
		if (__builtin_mul_overflow(nodes, width, &nodes) || nodes > TOPOLOGY_CHANNELS_MAX)
			nodes = TOPOLOGY_CHANNELS_MAX + 1;
	}
	if (direct_size(topology, hosts, nodes, error))
		return error->status ? -1 : 0;
	grid->hosts = reciprocal_of(topology->each ? topology->each : 1);
	for (unsigned i = 0; i < widths->dimensions; i++) {
		uint64_t width = (uint64_t)widths->dimension[i];
		channels += (one_way ? 1 : 2) * (nodes / width * (width - !grid->dimension[i].round));
	}
	topology->channels += channels;
	return 0;
}

static int mesh_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	return make_grid(topology, &value[0], value[1].text, (const bool[DIMENSIONS_MAX]){false}, false, error);
}

static int torus_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	bool wrap[DIMENSIONS_MAX];
	if (read_wraps(value[2].text, value[0].dimensions, wrap, error))
		return -1;
	return make_grid(topology, &value[0], value[1].text, wrap, false, error);
}

static int ring_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value, width = {.dimensions = 1, .dimension = {value[0].integer}};
	return make_grid(topology, &width, value[1].text, (const bool[DIMENSIONS_MAX]){true}, value[2].integer != 0, error);
}

static void grid_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct grid_shape *grid = topology->data;
	structure->dimensions = grid->dimensions;
	for (uint32_t i = 0; i < grid->dimensions; i++) {
		const struct dimension *d = &grid->dimension[i];
		structure->dimension[i] = (struct structure_dimension){d->width.divisor, d->wraps, d->one_way};
	}
}

/* ---- positions of switches and ports */

/* Computes the coordinates of a switch. */
static inline void coordinates(const struct grid_shape *grid, uint32_t node, uint32_t *c)
{
	for (uint32_t i = 0; i < grid->dimensions; i++) {
		uint32_t rest = quotient(node, grid->dimension[i].width);
		c[i] = node - rest * grid->dimension[i].width.divisor;
		node = rest;
	}
}

static uint32_t grid_ports(const struct topology *topology, bool host, uint32_t node)
{
	const struct grid_shape *grid = topology->data;
	uint32_t c[DIMENSIONS_MAX], ports = topology->each;
	if (host && !direct_hosts(topology))
		return 1;
	coordinates(grid, node, c);
	for (uint32_t i = 0; i < grid->dimensions; i++)
		ports += cables_at(&grid->dimension[i], c[i]);
	return ports;
}

/* Returns the neighbour's number, up or down in a dimension where the node has coordinate c. */
static inline uint32_t neighbour(const struct dimension *d, uint32_t node, uint32_t c, bool up)
{
	uint32_t round = (d->width.divisor - 1) * d->stride;
	if (up)
		return c + 1 < d->width.divisor ? node + d->stride : node - round;
	return c > 0 ? node - d->stride : node + round;
}

/* Returns a coordinate's neighbour. */
static inline uint32_t neighbour_at(const struct dimension *d, uint32_t c, bool up)
{
	return up ? (c + 1 < d->width.divisor ? c + 1 : 0) : (c > 0 ? c : d->width.divisor) - 1;
}

static struct topology_port grid_peer(const struct topology *topology, struct topology_port port)
{
	const struct grid_shape *grid = topology->data;
	uint32_t hosts = topology->each, c[DIMENSIONS_MAX];
	if (port.host && hosts) {
		uint32_t node = quotient(port.node, grid->hosts);
		return (struct topology_port){false, node, port.node - node * hosts};
	}
	if (port.port < hosts)
		return (struct topology_port){true, port.node * hosts + port.port, 0};
	coordinates(grid, port.node, c);
	uint32_t i = 0, first = hosts;
	for (; first + cables_at(&grid->dimension[i], c[i]) <= port.port; i++)
		first += cables_at(&grid->dimension[i], c[i]);
	const struct dimension *d = &grid->dimension[i];
	bool up = port.port > first || !has_lower(d, c[i]);
	/* the ports before this dimension are as many there; going up leads to the neighbour's lower port, which comes first */
	uint32_t end = first + (!up && has_lower(d, neighbour_at(d, c[i], up)));
	return (struct topology_port){port.host, neighbour(d, port.node, c[i], up), d->one_way ? TOPOLOGY_NO_PORT : end};
}

/* ---- routes */

/* Returns the number of steps from c to target; *up: direction. */
static inline uint32_t way(const struct dimension *d, uint32_t c, uint32_t target, bool *up)
{
	uint32_t distance = target >= c ? target - c : c - target;
	*up = target >= c;
	if (d->one_way) {
		distance = *up ? distance : d->width.divisor - distance;
		*up = true;
		return distance;
	}
	if (d->round) {
		uint32_t around = d->width.divisor - distance;
		if (around < distance || (around == distance && *up != ties_go_up(c))) {
			*up = !*up;
			return around;
		}
	}
	return distance;
}

static uint32_t grid_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct grid_shape *grid = topology->data;
	uint32_t target = quotient(destination, grid->hosts), port = topology->each, c[DIMENSIONS_MAX], to[DIMENSIONS_MAX];
	bool up;
	if (host && topology->each)
		return 0;
	if (node == target)
		return destination - target * grid->hosts.divisor;
	coordinates(grid, node, c);
	coordinates(grid, target, to);
	const struct dimension *d = grid->dimension;
	uint32_t i = 0;
	for (; c[i] == to[i]; i++)
		port += cables_at(&d[i], c[i]);
	way(&d[i], c[i], to[i], &up);
	return port + (up && has_lower(&d[i], c[i]));
}

static uint32_t grid_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	const struct grid_shape *grid = topology->data;
	uint32_t node = quotient(source, grid->hosts), target = quotient(destination, grid->hosts);
	uint32_t port = 0, from = node, to = target, length = 0;
	bool hosts = !direct_hosts(topology);
	if (hosts)
		steps[length++] = (struct topology_step){source, 0};
	for (uint32_t i = 0; i < grid->dimensions && node != target; i++) {
		const struct dimension *d = &grid->dimension[i];
		uint32_t above = quotient(from, d->width), c = from - above * d->width.divisor;
		uint32_t above_to = quotient(to, d->width), goal = to - above_to * d->width.divisor;
		bool up;
		for (uint32_t left = way(d, c, goal, &up); left; left--) {
			steps[length] = direct_step(topology, node, port + (up && has_lower(d, c)), length == 0);
			length++;
			node = neighbour(d, node, c, up);
			c = neighbour_at(d, c, up);
		}
		port += cables_at(d, goal);
		from = above;
		to = above_to;
	}
	if (hosts)
		steps[length++] = (struct topology_step){target, destination - target * grid->hosts.divisor};
	return length;
}

static uint32_t grid_longest(const struct topology *topology)
{
	const struct grid_shape *grid = topology->data;
	uint64_t longest = direct_hosts(topology) ? 0 : 2;
	for (uint32_t i = 0; i < grid->dimensions; i++) {
		const struct dimension *d = &grid->dimension[i];
		longest += d->round && !d->one_way ? d->width.divisor / 2 : d->width.divisor - 1;
	}
	return longest < UINT32_MAX ? (uint32_t)longest : UINT32_MAX;
}

/* Writes the name: by coordinates; hosts also by their port, if a switch has several. */
static void grid_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct grid_shape *grid = topology->data;
	uint32_t at = host ? quotient(node, grid->hosts) : node, c[DIMENSIONS_MAX];
	coordinates(grid, at, c);
	for (uint32_t i = 0; i < grid->dimensions; i++)
		text = put_number(text, i ? '_' : host ? 'H' : 'S', c[i]);
	direct_name_end(topology, host, node, text);
}

static struct topology_place grid_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct grid_shape *grid = topology->data;
	uint32_t at = direct_node(topology, host, node), c[DIMENSIONS_MAX], width[DIMENSIONS_MAX], number = node - at * topology->each;
	coordinates(grid, at, c);
	for (uint32_t i = 0; i < grid->dimensions; i++)
		width[i] = grid->dimension[i].width.divisor;
	return place_in_grid(grid->dimensions, width, c, topology->each, host && topology->each ? &number : NULL);
}

static const struct arg mesh_args[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX, "widths, for example 4x4x8"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

static const struct arg torus_args[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX, "widths, for example 4x4x8"},
	DIRECT_HOSTS,
	{"wrap", ARG_WORD, "1", 0, 0, "for each dimension 1 if it wraps, otherwise 0, for example 1:0:1"},
	{.type = ARG_END},
};

static const struct arg ring_args[] = {
	{"n", ARG_INTEGER, NULL, 1, UINT32_MAX, "switches"},
	DIRECT_HOSTS,
	{"oneway", ARG_FLAG, NULL, 0, 0, "only the channels from each switch to the next"},
	{.type = ARG_END},
};

#define GRID \
	.form = STRUCTURE_GRID, .structure = grid_structure, .routing = "dor", .ports = grid_ports, .peer = grid_peer, .next = grid_next, \
	.route = grid_route, .longest = grid_longest, .node_name = grid_name

const struct topology_kind topology_mesh = {
	.name = "mesh",
	.summary = "grid of switches with hosts at each",
	.source = "Dally, Seitz 1987",
	.formulae = "A B .. switches, H A B .. hosts; H A B .. cables to hosts and A B .. (A-1)/A in the first dimension, the others "
		    "accordingly; at most (A-1)+(B-1)+.. cables between switches",
	.args = mesh_args,
	.place = grid_place,
	.setup = mesh_setup,
	GRID,
};

const struct topology_kind topology_torus = {
	.name = "torus",
	.summary = "grid of switches with hosts at each, with wrap-around cables",
	.source = "Dally, Seitz 1987",
	.formulae = "A B .. switches, H A B .. hosts; H A B .. cables to hosts and A B .. in each dimension that wraps and is wider "
		    "than 2; in others as in a mesh; at most floor(A/2)+floor(B/2)+.. cables between switches",
	.args = torus_args,
	.place = grid_place,
	.setup = torus_setup,
	GRID,
};

const struct topology_kind topology_ring = {
	.name = "ring",
	.summary = "switches in a ring, of cables or of one-way channels",
	.source = "Jones, Engelmann 2011",
	.formulae = "n switches, H n hosts; H n cables to hosts, n between switches (n=2: 1; one way: n channels); at most floor(n/2) "
		    "cables between switches, one way n-1",
	.args = ring_args,
	.setup = ring_setup,
	GRID,
};
