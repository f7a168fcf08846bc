/*
 * Slim Fly: the graphs of diameter 2 of McKay, Miller and Siran (Besta, Hoefler: Slim Fly: A Cost Effective Low-Diameter Network Topology,
 * SC 2014). Direct networks, see direct.h.
 *
 * q = 4 w + d is a power of a prime, d = -1, 0 or 1, g the generator of the field of q elements (field.h). X holds the even powers of g and
 * X' the odd ones, of the exponents 0 .. q-2; for d = -1, X the even exponents 0 .. 2 w-2 and the odd 2 w-1 .. 4 w-3, and X' each one more;
 * for d = 0, X' also holds g^(q-1) = 1. Node (0,x,y), number x q + y, is joined to (0,x,y') where y-y' is in X; node (1,m,c), number q^2 +
 * m q + c, to (1,m,c') where c-c' is in X'; and (0,x,y) to (1,m,c) where y = m x + c.
 *
 * Ports: hosts first, then the neighbours by their numbers.
 */
#include "topologies/cabling.h"
#include "topologies/field.h"
#include "topologies/place.h"

#include <stdlib.h>

/* Returns whether the element g^exponent is in X, or in X'. */
static bool in_set(uint32_t q, uint32_t exponent, bool second)
{
	uint32_t w = (q + 1) / 4;
	if (q % 4 == 3 && second) /* g^(4 w-2) is g^0 */
		return exponent && exponent < 2 * w ? exponent % 2 == 1 : exponent % 2 == 0;
	if (q % 4 == 3)
		return exponent < 2 * w - 1 ? exponent % 2 == 0 : exponent % 2 == 1;
	return exponent % 2 == second || (q % 4 == 0 && second && exponent == 0);
}

/* Adds the cables of node (side, x, y) to nodes with higher numbers. */
static void join(struct topology *topology, const struct field *field, bool side, uint32_t x, uint32_t y)
{
	uint32_t q = field->q, first = (side * q + x) * q, node = cabling_node(topology, first + y);
	for (uint32_t other = y + 1; other < q; other++)
		if (in_set(q, field->log[field_subtract(field, y, other)], side))
			cabling_add(topology, node, cabling_node(topology, first + other));
	for (uint32_t m = 0; m < q && !side; m++) {
		uint32_t c = field_subtract(field, y, field_times(field, m, x));
		cabling_add(topology, node, cabling_node(topology, (q + m) * q + c));
	}
}

static int slimfly_setup(struct topology *topology, struct error *error)
{
	uint32_t q = (uint32_t)topology->args.value[0].integer;
	uint64_t nodes = 2 * (uint64_t)q * q, degree = (3 * (uint64_t)q + 1) / 2; /* (3 q - d) / 2 */
	struct field field = {0};
	if (q % 4 == 2)
		return error_set(error, STATUS_USAGE, "q is %u, which is neither odd nor divisible by 4", q);
	if (q % 4 == 1)
		degree = (3 * (uint64_t)q - 1) / 2;
	if (!field_init(&field, q, error) &&
		!cabling_start_direct(topology, topology->args.value[1].text, nodes, nodes * degree / 2, error)) {
		for (uint32_t node = 0; node < nodes; node++)
			join(topology, &field, node / q / q, node / q % q, node % q);
		cabling_finish(topology, error);
	}
	field_clear(&field);
	return error->status ? -1 : 0;
}

static void slimfly_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	uint32_t q = (uint32_t)topology->args.value[0].integer, at = direct_node(topology, host, node);
	text = put_number(text, host ? 'H' : 'S', at / q / q);
	text = put_number(put_number(text, '_', at / q % q), '_', at % q);
	direct_name_end(topology, host, node, text);
}

/*
 * Returns the position: two rows of arcs, one for each (0,x) above and for each (1,m) below, hosts outside: all cables are within an arc,
 * or between one above and one below.
 */
static struct topology_place slimfly_place(const struct topology *topology, bool host, uint32_t node)
{
	uint32_t q = (uint32_t)topology->args.value[0].integer, at = direct_node(topology, host, node), number = at % q;
	struct place_group arc = place_arc(q, topology->each);
	double step = 2 * arc.outer + 1.3;
	bool below = at >= q * q;
	struct topology_place centre = {at / q % q * step, below ? 0 : q * step / 2};
	return place_on_arc(centre, arc, below ? .5 : 0, below ? q - 1 - number : number, host, node);
}

static const struct arg slimfly_args[] = {
	{"q", ARG_INTEGER, NULL, 3, 10000, "a power of a prime, odd or divisible by 4"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

const struct topology_kind topology_slimfly = {
	.name = "slimfly",
	.summary = "McKay-Miller-Siran graph: nearly as many switches as possible for its degree at diameter 2",
	.source = "Besta, Hoefler 2014",
	.formulae = "q = 4w+d, d = -1, 0, 1: 2 q^2 switches of (3q-d)/2 cables between them, H 2 q^2 hosts; at most 2 cables between "
		    "switches",
	.args = slimfly_args,
	.setup = slimfly_setup,
	.place = slimfly_place,
	.node_name = slimfly_name,
	CABLED,
};
