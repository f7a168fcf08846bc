/*
 * PolarFly: the polarity graphs of Erdos and Renyi, and of Brown (Lakhotia, Besta, Monroe, Isham, Iff, Hoefler, Petrini: PolarFly: A
 * Cost-Effective and Flexible Low-Diameter Topology, SC 2022). Direct networks, see direct.h.
 *
 * Nodes are the points of the projective plane over the field of q elements (field.h), vectors whose first coordinate that is not 0 is 1:
 * (1,a,b) has number a q + b, (0,1,a) q^2 + a, (0,0,1) q^2 + q. Two are joined if their product is 0.
 *
 * Ports: hosts first, then the neighbours by their numbers.
 */
#include "topologies/cabling.h"
#include "topologies/field.h"
#include "topologies/place.h"

static void vector_of(uint32_t q, uint32_t node, uint32_t *v)
{
	v[0] = node < q * q;
	v[1] = v[0] ? node / q : node < q * q + q;
	v[2] = v[0] ? node % q : v[1] ? node - q * q : 1;
}

/* Adds the cable to a node with a higher number. */
static void join(struct topology *topology, uint32_t node, uint32_t other)
{
	if (other > node)
		cabling_add(topology, cabling_node(topology, node), cabling_node(topology, other));
}

/* Adds the cables to the points on the line u0 v0 + u1 v1 + u2 v2 = 0. */
static void join_line(struct topology *topology, const struct field *field, uint32_t node)
{
	uint32_t q = field->q, u[3];
	vector_of(q, node, u);
	for (uint32_t a = 0; a < q; a++) {
		uint32_t rest = field_negative(field, field_add(field, u[0], field_times(field, u[1], a))); /* u2 b */
		if (u[2])
			join(topology, node, a * q + field_divide(field, rest, u[2]));
		for (uint32_t b = 0; b < q && !u[2] && !rest; b++)
			join(topology, node, a * q + b);
	}
	for (uint32_t a = 0; a < q; a++)
		if (field_add(field, u[1], field_times(field, u[2], a)) == 0)
			join(topology, node, q * q + a);
	if (!u[2])
		join(topology, node, q * q + q);
}

static int polarfly_setup(struct topology *topology, struct error *error)
{
	uint64_t q = (uint64_t)topology->args.value[0].integer, nodes = q * q + q + 1;
	struct field field = {0};
	if (!field_init(&field, (uint32_t)q, error) &&
		!cabling_start_direct(topology, topology->args.value[1].text, nodes, q * (q + 1) * (q + 1) / 2, error)) {
		for (uint32_t node = 0; node < nodes; node++)
			join_line(topology, &field, node);
		cabling_finish(topology, error);
	}
	field_clear(&field);
	return error->status ? -1 : 0;
}

static void polarfly_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	uint32_t v[3];
	vector_of((uint32_t)topology->args.value[0].integer, direct_node(topology, host, node), v);
	text = put_number(put_number(put_number(text, host ? 'H' : 'S', v[0]), '_', v[1]), '_', v[2]);
	direct_name_end(topology, host, node, text);
}

/*
 * Returns the position: an arc for the points (1,a,b) of each a, and one for the points (0,1,a): each has a common neighbour of all.
 * (0,0,1) is in the middle.
 */
static struct topology_place polarfly_place(const struct topology *topology, bool host, uint32_t node)
{
	uint32_t q = (uint32_t)topology->args.value[0].integer, at = direct_node(topology, host, node);
	struct topology_place middle = {0, 0};
	struct place_group arc = place_arc(q, topology->each);
	double turn = (double)(at / q) / (q + 1);
	if (at == q * q + q)
		return place_in_group(middle, place_group(1, topology->each), 0, host, node);
	return place_on_arc(place_on_circle(middle, place_ring(q + 1, arc.outer + .2), turn, 1), arc, turn, at % q, host, node);
}

static const struct arg polarfly_args[] = {
	{"q", ARG_INTEGER, NULL, 2, 10000, "a power of a prime"},
	DIRECT_HOSTS,
	{.type = ARG_END},
};

const struct topology_kind topology_polarfly = {
	.name = "polarfly",
	.summary = "polarity graph of a projective plane: almost as many switches as possible for its degree at diameter 2",
	.source = "Lakhotia et al. 2022",
	.formulae = "q^2+q+1 switches, H (q^2+q+1) hosts; q (q+1)^2/2 cables between switches, q+1 at each but q at q+1 of them; at most 2 "
		    "between switches",
	.args = polarfly_args,
	.setup = polarfly_setup,
	.place = polarfly_place,
	.node_name = polarfly_name,
	CABLED,
};
