/*
 * DPillar: k columns of hosts with k columns of switches between them, in a ring, like a butterfly (Liao, Yin, Yin, Gao: DPillar: Dual-port
 * Server Interconnection Network for Large Scale Data Centers, 2012). Hosts forward; they have labels of k digits to base n/2. A switch of
 * column c joins the hosts of columns c and c+1 (mod k) whose labels differ only in digit c.
 *
 * Hosts are numbered by column, then by label; switch s of a column joins those whose digits except c are, in order, those of s. Ports: of
 * hosts first to the switch of their own column, then to that of the column before; of switches the hosts of its own column first.
 *
 * Routes are shortest, as those of Erickson, Kiasari, Navaridas, Stewart: An Optimal Single-Path Routing Algorithm in the Datacenter
 * Network DPillar, IEEE Transactions on Parallel and Distributed Systems 2017, but found as a walk. Every switch passed gives one digit its
 * value, that of its column, whichever of its two columns the packet comes from and goes to: so a route is a walk on the ring of columns
 * that uses the switches of all digits that differ. Switches that are not on the path from one column to the other, in either direction,
 * are used by turning aside at either end of the path.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"

struct dpillar {
	uint32_t half, k, labels, each; /* each: switches of a column */
	uint32_t step[32];              /* [k] half^i */
};

static int dpillar_setup(struct topology *topology, struct error *error)
{
	uint64_t half = (uint64_t)topology->args.value[0].integer / 2, k = (uint64_t)topology->args.value[1].integer;
	uint64_t labels = power(half, k), each = power(half, k - 1), step = 1;
	struct dpillar *t = topology->data = array_create(1, sizeof *t, error);
	if (!t)
		return -1;
	if (topology->args.value[0].integer % 2)
		return error_set(error, STATUS_USAGE, "n is odd; it must be even, as each of two columns uses half of a switch's ports");
	if (cabling_start(topology, times(k, labels), times(k, each), times(2 * k, labels), error))
		return -1;
	for (int side = 0; side < 2; side++, step = 1)
		for (uint64_t column = 0; column < k; column++, step *= half)
			for (uint64_t label = 0; label < labels; label++) {
				uint64_t pillar = column * each + label / (step * half) * step + label % step;
				uint64_t host = (column + (uint64_t)side) % k * labels + label;
				cabling_add(topology, (uint32_t)host, cabling_switch(topology, (uint32_t)pillar));
			}
	*t = (struct dpillar){.half = (uint32_t)half, .k = (uint32_t)k, .labels = (uint32_t)labels, .each = (uint32_t)each};
	for (uint32_t i = 0, power = 1; i < k; i++, power *= t->half)
		t->step[i] = power;
	return cabling_finish(topology, error);
}

static uint32_t digit(const struct dpillar *t, uint32_t label, uint32_t i)
{
	return label / t->step[i] % t->half;
}

/*
 * Returns the number of switches passed when turning aside by a number of columns and returning; the last switch need not be passed
 * through.
 */
static uint32_t aside(uint32_t columns)
{
	return columns ? 2 * columns - 1 : 0;
}

/*
 * Returns the fewest switches passed on an upward path from one column to another that uses all wanted columns, one bit each: those not
 * between them are used by turning aside, the first ones downwards from the first column, the others upwards from the last.
 */
static uint32_t fewest_upwards(uint32_t k, uint32_t wanted, uint32_t from, uint32_t to)
{
	uint32_t way = (to + k - from) % k, outside = k - way, before = 0, fewest = UINT32_MAX;
	for (uint32_t i = 1; i <= outside + 1; i++) {
		if (i <= outside && !(wanted >> (from + k - i) % k & 1))
			continue;
		uint32_t passed = way + aside(before) + aside(outside + 1 - i);
		fewest = passed < fewest ? passed : fewest;
		before = i;
	}
	return fewest;
}

static uint32_t fewest(uint32_t k, uint32_t wanted, uint32_t from, uint32_t to)
{
	uint32_t up = fewest_upwards(k, wanted, from, to), down = fewest_upwards(k, wanted, to, from);
	uint32_t least = down < up ? down : up;
	return from == to && k < least ? k : least; /* once round */
}

/* Returns the fewest starting from the hosts of a switch's column, or from those of the next. */
static uint32_t fewest_after(const struct dpillar *t, uint32_t wanted, uint32_t column, bool upper, uint32_t to)
{
	return fewest(t->k, wanted & ~(1U << column), (column + upper) % t->k, to);
}

static uint32_t dpillar_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct dpillar *t = topology->data;
	uint32_t to = destination / t->labels, label = destination % t->labels, wanted = 0;
	uint32_t column = node / (host ? t->labels : t->each), rest = node % (host ? t->labels : t->each);
	if (!host) /* any digit */
		rest = rest / t->step[column] * t->step[column] * t->half + rest % t->step[column];
	for (uint32_t i = 0; i < t->k; i++)
		wanted |= (uint32_t)(digit(t, rest, i) != digit(t, label, i)) << i;
	if (!host) {
		bool upper = fewest_after(t, wanted, column, true, to) < fewest_after(t, wanted, column, false, to);
		return upper * t->half + digit(t, label, column);
	}
	uint32_t least[2], other = (column + t->k - 1) % t->k;
	for (int port = 0; port < 2; port++) {
		uint32_t lower = fewest_after(t, wanted, port ? other : column, false, to);
		uint32_t upper = fewest_after(t, wanted, port ? other : column, true, to);
		least[port] = upper < lower ? upper : lower;
	}
	return least[1] < least[0];
}

static uint32_t dpillar_longest(const struct topology *topology)
{
	uint32_t k = ((const struct dpillar *)topology->data)->k;
	return 2 * (k < 4 ? k : k + k / 2 - 2);
}

/* Writes the name: by column; hosts by their digits, the lowest first; switches by number. */
static void dpillar_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	uint32_t half = (uint32_t)topology->args.value[0].integer / 2, k = (uint32_t)topology->args.value[1].integer;
	uint32_t each = (host ? topology->hosts : topology->switches) / k;
	text = put_number(text, host ? 'H' : 'S', node / each);
	if (host)
		put_digits(text, '_', node % each, half, k);
	else
		put_number(text, '_', node % each);
}

/* Returns the position: columns are like the spokes of a wheel, alternately of hosts and of switches. */
static struct topology_place dpillar_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct dpillar *t = topology->data;
	uint32_t each = host ? t->labels : t->each, spoke = 2 * (node / each) + !host;
	double along = (node % each + .5) * t->labels / each;
	return place_on_circle((struct topology_place){0, 0}, place_ring(2 * t->k, .2) + 1.15 * along, spoke, 2 * t->k);
}

static const struct arg dpillar_args[] = {
	{"n", ARG_INTEGER, NULL, 2, UINT32_MAX, "ports of a switch, even"},
	{"k", ARG_INTEGER, NULL, 2, 32, "columns"},
	{.type = ARG_END},
};

const struct topology_kind topology_dpillar = {
	.name = "dpillar",
	.summary = "columns of hosts with two ports and of switches, in a ring; hosts forward",
	.source = "Liao et al. 2012",
	.formulae = "k (n/2)^k hosts, k (n/2)^(k-1) switches, 2 k (n/2)^k cables; at most 2 max(k, k + floor(k/2) - 2) between hosts",
	.args = dpillar_args,
	.hosts_forward = true,
	.setup = dpillar_setup,
	.routing = "own",
	.next = dpillar_next,
	.route = cabling_route,
	.longest = dpillar_longest,
	.place = dpillar_place,
	.node_name = dpillar_name,
	CABLED,
};
