/*
 * Twisted tori: tori whose wrap-around cables are shifted (Jones, Engelmann: Simulation of Large-Scale HPC Architectures, 2011). The cable
 * from the upper end of dimension i leads to its lower end, shifted by jump_i (modulo the width) in dimension i + degree (modulo their
 * number). Direct networks, see direct.h. A dimension of width 1 has no cables; one of width 2 has no wrap-around cable that would
 * duplicate the one between its two nodes.
 *
 * Ports of a node: hosts first; then in the order of the cables: by dimension, those in the dimension, by their lower end, then the
 * wrap-around ones, by the upper end.
 *
 * Routes are shortest, and exist only if the network is the same seen from every node: if every dimension wraps, and no dimension that
 * shifts is itself shifted. Then nodes add like vectors, coordinate by coordinate with a carry, and it is enough to know the paths from
 * node 0. Of several shortest paths, routes use the one that begins in the first dimension; if both of its directions do, balanced (see
 * ties_go_up).
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"

#include <stdlib.h>
#include <string.h>

struct twisted {
	uint32_t dimensions, degree;
	uint32_t width[DIMENSIONS_MAX], stride[DIMENSIONS_MAX], jump[DIMENSIONS_MAX];
	bool wrap[DIMENSIONS_MAX];
	/*
	 * [nodes] the neighbours of node 0 that are next on a shortest path from it, for nodes where a tie goes up, and where it goes down,
	 * and their dimension; NULL: the network differs between nodes
	 */
	uint32_t *first, *other;
	uint8_t *along;
	uint32_t longest; /* length of the longest of those paths */
};

/* Reads "1:2:0", one number for each dimension; a single one holds for all. */
static int read_numbers(const char *what, const char *text, uint32_t dimensions, int64_t max, int64_t *number, struct error *error)
{
	char copy[200] = "";
	uint32_t count = 0;
	bool fine = strlen(text) < sizeof copy;
	if (fine)
		strcpy(copy, text);
	for (char *rest = copy; rest && fine; count++)
		fine = count < dimensions && read_integer(strsep(&rest, ":"), 0, max, &number[count]);
	if (!fine || (count != 1 && count != dimensions))
		return error_set(error, STATUS_USAGE, "%s is '%s', not a number from 0 to %lld for each of %u dimensions, for example 1:0",
			what, text, (long long)max, dimensions);
	for (; count < dimensions; count++)
		number[count] = number[0];
	return 0;
}

static uint32_t coordinate(const struct twisted *t, uint32_t node, uint32_t i)
{
	return node / t->stride[i] % t->width[i];
}

/* Returns the node to which the wrap-around cable of dimension i leads from its upper end. */
static uint32_t round_from(const struct twisted *t, uint32_t node, uint32_t i)
{
	uint32_t to = (i + t->degree) % t->dimensions, lower = node - coordinate(t, node, i) * t->stride[i], c = coordinate(t, lower, to);
	uint32_t moved = (uint32_t)(((uint64_t)c + t->jump[i]) % t->width[to]);
	return lower - c * t->stride[to] + moved * t->stride[to];
}

/* Returns whether a dimension has wrap-around cables. */
static bool goes_round(const struct twisted *t, uint32_t i)
{
	bool straight = t->jump[i] % t->width[(i + t->degree) % t->dimensions] == 0;
	return t->wrap[i] && t->width[i] > 1 && !(straight && t->width[i] == 2);
}

/* Returns the shift of a wrap-around cable of the dimension; 0: it does not shift, or there is none. */
static uint32_t shift_of(const struct twisted *t, uint32_t i)
{
	return goes_round(t, i) ? t->jump[i] % t->width[(i + t->degree) % t->dimensions] : 0;
}

/* Returns whether the network is the same seen from every node. */
static bool is_symmetric(const struct twisted *t)
{
	for (uint32_t i = 0; i < t->dimensions; i++) {
		uint32_t to = (i + t->degree) % t->dimensions;
		if (t->width[i] > 2 && !t->wrap[i])
			return false;
		if (shift_of(t, i) && (to == i || shift_of(t, to)))
			return false;
	}
	return true;
}

/* Returns the node reached from another by a node's vector; back: in the opposite direction. */
static uint32_t added(const struct twisted *t, uint32_t from, uint32_t vector, bool back)
{
	uint32_t sum = 0;
	int64_t c[DIMENSIONS_MAX];
	for (uint32_t i = 0; i < t->dimensions; i++)
		c[i] = (int64_t)coordinate(t, from, i) + (back ? -1 : 1) * (int64_t)coordinate(t, vector, i);
	for (uint32_t i = 0; i < t->dimensions; i++)
		if (shift_of(t, i))
			c[(i + t->degree) % t->dimensions] += (c[i] < 0 ? -1 : c[i] >= t->width[i]) * (int64_t)shift_of(t, i);
	for (uint32_t i = 0; i < t->dimensions; i++)
		sum += (uint32_t)((c[i] + 2 * (int64_t)t->width[i]) % t->width[i]) * t->stride[i];
	return sum;
}

static uint32_t neighbour(const struct topology *topology, uint32_t node, uint32_t port)
{
	return cabling_peer(topology, direct_port(topology, node, port)).node;
}

/* Finds the distance of all nodes from node 0, by breadth-first search. length: [nodes] 0 */
static int find_lengths(const struct topology *topology, struct twisted *t, uint32_t nodes, uint32_t *length, struct error *error)
{
	uint32_t *queue = array_create(nodes, sizeof *queue, error), count = 1;
	for (uint32_t i = 0; !error->status && i < count; i++) {
		uint32_t ports = cabling_ports(topology, direct_hosts(topology), queue[i]) - topology->each;
		for (uint32_t port = 0; port < ports; port++) {
			uint32_t to = neighbour(topology, queue[i], port);
			if (to == 0 || length[to])
				continue;
			t->longest = length[to] = length[queue[i]] + 1;
			queue[count++] = to;
		}
	}
	free(queue);
	return error->status ? -1 : 0;
}

/* Starts the shortest paths through a neighbour of node 0 in a dimension, to all nodes that are one hop closer to it. */
static void begin_ways(struct twisted *t, uint32_t nodes, uint32_t beside, uint32_t dimension, const uint32_t *length)
{
	for (uint32_t to = 1; to < nodes; to++) {
		if (length[added(t, to, beside, true)] + 1 != length[to] || (t->first[to] && t->along[to] != dimension))
			continue;
		t->other[to] = beside; /* upwards comes first */
		t->first[to] = t->first[to] ? t->first[to] : beside;
		t->along[to] = (uint8_t)dimension;
	}
}

/* Finds the paths from node 0. */
static int find_ways(const struct topology *topology, struct twisted *t, uint32_t nodes, struct error *error)
{
	uint32_t *length = array_create(nodes, sizeof *length, error), port = 0;
	t->first = array_create(nodes, sizeof *t->first, error);
	t->other = array_create(nodes, sizeof *t->other, error);
	t->along = array_create(nodes, sizeof *t->along, error);
	if (!error->status && !find_lengths(topology, t, nodes, length, error))
		for (uint32_t i = 0; i < t->dimensions; i++)
			for (unsigned cables = (t->width[i] > 1) + goes_round(t, i); cables; cables--)
				begin_ways(t, nodes, neighbour(topology, 0, port++), i, length);
	free(length);
	return error->status ? -1 : 0;
}

static void add_cables(struct topology *topology, const struct twisted *t, uint32_t nodes)
{
	for (uint32_t i = 0; i < t->dimensions; i++) {
		for (uint32_t node = 0; node < nodes; node++)
			if (coordinate(t, node, i) + 1 < t->width[i])
				cabling_add(topology, cabling_node(topology, node), cabling_node(topology, node + t->stride[i]));
		for (uint32_t node = 0; node < nodes && goes_round(t, i); node++)
			if (coordinate(t, node, i) + 1 == t->width[i])
				cabling_add(topology, cabling_node(topology, node), cabling_node(topology, round_from(t, node, i)));
	}
}

static int twisted_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	struct twisted *t = topology->data = array_create(1, sizeof *t, error);
	uint32_t dimensions = value[0].dimensions;
	int64_t jump[DIMENSIONS_MAX], wrap[DIMENSIONS_MAX];
	uint64_t nodes = 1, cables = 0;
	if (!t || read_numbers("jump", value[2].text, dimensions, INT32_MAX, jump, error) ||
		read_numbers("wrap", value[3].text, dimensions, 1, wrap, error))
		return -1;
	if (value[1].integer >= dimensions)
		return error_set(
			error, STATUS_USAGE, "degree is %lld; it must be less than the number of dimensions", (long long)value[1].integer);
	t->dimensions = dimensions;
	t->degree = (uint32_t)value[1].integer;
	for (uint32_t i = 0; i < dimensions; i++) {
		t->width[i] = (uint32_t)value[0].dimension[i];
		t->stride[i] = (uint32_t)nodes;
		t->jump[i] = (uint32_t)jump[i];
		t->wrap[i] = wrap[i];
		if (__builtin_mul_overflow(nodes, t->width[i], &nodes) || nodes > CABLING_CHANNELS_MAX)
			nodes = CABLING_CHANNELS_MAX;
	}
	for (uint32_t i = 0; i < dimensions; i++)
		if (t->degree == 0 && t->jump[i] % t->width[i] == t->width[i] - 1 && goes_round(t, i))
			return error_set(error, STATUS_USAGE, "the wrap-around cable of dimension %u would lead to the same node", i);
	for (uint32_t i = 0; i < dimensions; i++)
		cables += nodes / t->width[i] * (t->width[i] - !goes_round(t, i));
	if (cabling_start_direct(topology, value[4].text, nodes, cables, error))
		return -1;
	add_cables(topology, t, (uint32_t)nodes);
	if (cabling_finish(topology, error))
		return -1;
	if (is_symmetric(t))
		return find_ways(topology, t, (uint32_t)nodes, error);
	topology->routing = NULL;
	return 0;
}

static void twisted_clear(struct topology *topology)
{
	struct twisted *t = topology->data;
	free(t->first);
	free(t->other);
	free(t->along);
}

static uint32_t twisted_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct twisted *t = topology->data;
	if (host && topology->each)
		return 0;
	uint32_t to = direct_node(topology, true, destination), port = 0;
	if (node == to)
		return destination % topology->each;
	uint32_t way = added(t, to, node, true);
	bool up = ties_go_up(coordinate(t, node, t->along[way]));
	uint32_t next = added(t, node, up ? t->first[way] : t->other[way], false);
	while (neighbour(topology, node, port) != next)
		port++;
	return topology->each + port;
}

static uint32_t twisted_longest(const struct topology *topology)
{
	return ((const struct twisted *)topology->data)->longest + (topology->each ? 2 : 0);
}

static void twisted_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct twisted *t = topology->data;
	uint32_t at = direct_node(topology, host, node);
	for (uint32_t i = 0; i < t->dimensions; i++)
		text = put_number(text, i ? '_' : host ? 'H' : 'S', coordinate(t, at, i));
	direct_name_end(topology, host, node, text);
}

static struct topology_place twisted_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct twisted *t = topology->data;
	uint32_t at = direct_node(topology, host, node), c[DIMENSIONS_MAX], number = node - at * topology->each;
	for (uint32_t i = 0; i < t->dimensions; i++)
		c[i] = coordinate(t, at, i);
	return place_in_grid(t->dimensions, t->width, c, topology->each, host && topology->each ? &number : NULL);
}

static const struct arg twisted_args[] = {
	{"grid", ARG_DIMENSIONS, NULL, 1, UINT32_MAX, "widths, for example 4x4x8"},
	{"degree", ARG_INTEGER, "1", 0, DIMENSIONS_MAX - 1, "a wrap-around cable of dimension i shifts in dimension i + degree"},
	{"jump", ARG_WORD, "1", 0, 0, "shift of the wrap-around cables, for each dimension, for example 1:2, or for all"},
	{"wrap", ARG_WORD, "1", 0, 0, "for each dimension, or for all, 1 if it wraps, otherwise 0"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

const struct topology_kind topology_twisted = {
	.name = "twisted",
	.summary = "torus whose wrap-around cables are shifted in another dimension",
	.source = "Jones, Engelmann 2011",
	.formulae = "A B .. switches, H A B .. hosts; H A B .. cables to hosts and A B .. in each dimension that wraps, as a torus",
	.args = twisted_args,
	.setup = twisted_setup,
	.clear = twisted_clear,
	.routing = "own",
	.next = twisted_next,
	.route = cabling_route,
	.longest = twisted_longest,
	.place = twisted_place,
	.node_name = twisted_name,
	CABLED,
};
