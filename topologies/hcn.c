/*
 * HCN and BCN: modules of a masters and b slaves with one switch, joined host to host by a second port; hosts forward (Guo, Chen, Li, Liu,
 * Liu, Chen: Expandable and Cost-Effective Network Structures for Data Centers Using Dual-Port Servers, IEEE Transactions on Computers
 * 2013).
 *
 * HCN of level h: a^h modules; a module's number has h digits to base a, x_h .. x_1, and its master x_0 is joined, where x_0 = .. = x_(j-1)
 * = y and x_j = x is another, to the one with y in the place of x and x in the place of all y. BCN: s+1 such HCN, s = a^gamma b; each falls
 * into parts of a^gamma modules with s slaves, and slave i of a part is joined to slave s-1-i of the part of that number in HCN c+i+1 (mod
 * s+1), where c is the number of its own.
 *
 * Hosts are numbered module by module, masters first; modules HCN by HCN. Ports of hosts: the switch, then the other host.
 *
 * Routes (as there): where the modules' numbers differ in x_j, and in none above, over the one cable that joins the two networks of level
 * j-1, and recursively to its ends; to another HCN first, by the slave of the part that leads to it.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"

struct hcn {
	uint32_t a, b, h, gamma;
	uint32_t copies;  /* HCNs */
	uint32_t modules; /* modules of each HCN: a^h */
};

/* Returns the host of a module. */
static uint32_t host_of(const struct hcn *t, uint32_t module, uint32_t number)
{
	return module * (t->a + t->b) + number;
}

/* Joins the masters of one HCN, level by level. */
static void join_masters(struct topology *topology, const struct hcn *t, uint32_t copy)
{
	uint64_t step = 1, ones = 0; /* powers for a module's digits x_j .. x_1: a^(j-1), and 1 + a + .. + a^(j-2) */
	for (uint32_t j = 1; j <= t->h; j++, step *= t->a, ones = ones * t->a + 1)
		for (uint64_t base = 0; base < t->modules; base += step * t->a)
			for (uint32_t x = 0; x < t->a; x++)
				for (uint32_t y = x + 1; y < t->a; y++) {
					uint32_t one = copy * t->modules + (uint32_t)(base + x * step + y * ones);
					uint32_t other = copy * t->modules + (uint32_t)(base + y * step + x * ones);
					cabling_add_cable(
						topology, (struct cable){host_of(t, one, y), host_of(t, other, x), false, (uint8_t)j});
				}
}

/* Returns slave i of a part of a HCN. */
static uint32_t slave_of(const struct hcn *t, uint32_t copy, uint32_t part, uint32_t i)
{
	uint32_t modules = (uint32_t)power(t->a, t->gamma);
	return host_of(t, copy * t->modules + part * modules + i / t->b, t->a + i % t->b);
}

static void join_slaves(struct topology *topology, const struct hcn *t)
{
	uint32_t slaves = t->copies - 1, parts = t->modules / (uint32_t)power(t->a, t->gamma);
	for (uint32_t part = 0; part < parts; part++)
		for (uint32_t copy = 0; copy < t->copies; copy++)
			for (uint32_t i = 0; copy + i + 1 < t->copies; i++)
				cabling_add_cable(
					topology, (struct cable){slave_of(t, copy, part, i),
							  slave_of(t, copy + i + 1, part, slaves - 1 - i), false, (uint8_t)(t->h + 1)});
}

static int make_hcn(struct topology *topology, bool bcn, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	uint64_t a = (uint64_t)value[0].integer, b = (uint64_t)value[1].integer, h = (uint64_t)value[2].integer;
	uint64_t gamma = bcn ? (uint64_t)value[3].integer : 0, copies = bcn ? times(power(a, gamma), b) : 0, modules = power(a, h);
	struct hcn *t = topology->data = array_create(1, sizeof *t, error);
	if (!t)
		return -1;
	if (gamma > h)
		return error_set(error, STATUS_USAGE, "gamma is larger than h");
	copies += copies < UINT64_MAX; /* s + 1 */
	uint64_t all = times(copies, modules), hosts = times(all, a + b);
	/* a second port leads away from all masters except those of a HCN's corners, and from all slaves of a BCN */
	uint64_t masters = times(all, a) - copies * a, joined = (masters + (bcn ? times(all, b) : 0)) / 2;
	if (cabling_start(topology, hosts, all, hosts > CABLING_CHANNELS_MAX ? UINT64_MAX : hosts + joined, error))
		return -1;
	*t = (struct hcn){(uint32_t)a, (uint32_t)b, (uint32_t)h, (uint32_t)gamma, (uint32_t)copies, (uint32_t)modules};
	for (uint32_t host = 0; host < topology->hosts; host++)
		cabling_add(topology, host, cabling_switch(topology, host / (t->a + t->b)));
	for (uint32_t copy = 0; copy < t->copies; copy++)
		join_masters(topology, t, copy);
	if (bcn)
		join_slaves(topology, t);
	return cabling_finish(topology, error);
}

static int hcn_setup(struct topology *topology, struct error *error)
{
	return make_hcn(topology, false, error);
}

static int bcn_setup(struct topology *topology, struct error *error)
{
	return make_hcn(topology, true, error);
}

static uint32_t hcn_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct hcn *t = topology->data;
	uint32_t each = t->a + t->b, here = host ? node / each : node, target = destination;
	uint32_t copy = here / t->modules, other = destination / each / t->modules, step = t->modules;
	if (copy != other)
		target = slave_of(t, copy, here % t->modules / (uint32_t)power(t->a, t->gamma), (other + t->copies - copy - 1) % t->copies);
	for (uint32_t level = t->h; level; level--) {
		uint32_t to = target / each;
		step /= t->a; /* a^(level-1); below x_level all digits become that of the target there */
		if (here / step != to / step) {
			uint32_t y = to / step % t->a;
			target = host_of(t, here - here % step + y * ((step - 1) / (t->a - 1)), y);
		}
	}
	return !host ? target % each : node == target;
}

static uint32_t hcn_longest(const struct topology *topology)
{
	const struct hcn *t = topology->data;
	return (3U << t->h) - 1 + (t->copies > 1 ? 3U << t->gamma : 0);
}

/* Writes the name: switches by their module, in a BCN first by their HCN; hosts also by their number in it. */
static void hcn_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct hcn *t = topology->data;
	uint32_t module = host ? node / (t->a + t->b) : node;
	char letter = host ? 'H' : 'S';
	if (t->copies > 1) {
		text = put_number(text, letter, module / t->modules);
		letter = '_';
	}
	text = put_number(text, letter, module % t->modules);
	if (host)
		put_number(text, '_', node % (t->a + t->b));
}

/*
 * Returns the position: the hosts of a module around its switch, the networks of each level in a ring; in a BCN the HCNs in a ring. A host
 * in network x with a cable to network y is on the side towards y, one with a cable out of the network on the outside: so numbers count
 * from x there; slaves are next to the outside.
 */
static struct topology_place hcn_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct hcn *t = topology->data;
	uint32_t each = t->a + t->b, module = host ? node / each : node, number = node % each, copy = module / t->modules, above = 0;
	double around = fmax(1, place_radius(each, .8)), reach[33] = {around}, turn = (double)copy / t->copies;
	for (uint32_t l = 1; l <= t->h; l++)
		reach[l] = reach[l - 1] + place_ring(t->a, reach[l - 1]);
	struct topology_place at = place_on_circle((struct topology_place){0, 0}, place_ring(t->copies, reach[t->h]), turn, 1);
	for (uint32_t l = t->h, step = t->modules / t->a; l; l--, step /= t->a) {
		uint32_t digit = module / step % t->a;
		turn += (double)((digit + t->a - above) % t->a) / t->a;
		at = place_on_circle(at, reach[l] - reach[l - 1], turn, 1);
		above = digit;
	}
	if (!host)
		return at;
	uint32_t half = (t->b + 1) / 2, slave = number - t->a, master = (number + t->a - above) % t->a;
	uint32_t slot = number < t->a ? master + (master ? half : 0) : slave < half ? 1 + slave : number;
	return place_on_circle(at, around, turn + (double)slot / each, 1);
}

static const struct arg hcn_args[] = {
	{"a", ARG_INTEGER, NULL, 2, UINT32_MAX, "masters of a module, joined to other modules"},
	{"b", ARG_INTEGER, "0", 0, UINT32_MAX, "slaves of a module, not joined to others"},
	{"h", ARG_INTEGER, NULL, 0, 31, "level"},
	{.type = ARG_END},
};

static const struct arg bcn_args[] = {
	{"a", ARG_INTEGER, NULL, 2, UINT32_MAX, "masters of a module, joined to other modules"},
	{"b", ARG_INTEGER, NULL, 1, UINT32_MAX, "slaves of a module, joined to other HCNs"},
	{"h", ARG_INTEGER, NULL, 0, 31, "level of each HCN"},
	{"gamma", ARG_INTEGER, "0", 0, 31, "level of the parts of a HCN that have a cable to each other HCN"},
	{.type = ARG_END},
};

const struct topology_kind topology_hcn = {
	.name = "hcn",
	.summary = "modules of hosts with a switch, joined recursively by a second port of the hosts; hosts forward",
	.source = "Guo et al. 2013",
	.formulae = "(a+b) a^h hosts, a^h switches; (a+b) a^h cables to switches and a (a^h-1)/2 between hosts; at most 3 2^h - 1 of all",
	.args = hcn_args,
	.hosts_forward = true,
	.setup = hcn_setup,
	.routing = "own",
	.next = hcn_next,
	.route = cabling_route,
	.longest = hcn_longest,
	.place = hcn_place,
	.node_name = hcn_name,
	CABLED,
};

const struct topology_kind topology_bcn = {
	.name = "bcn",
	.summary = "HCNs, each joined to each other by its slaves; hosts forward",
	.source = "Guo et al. 2013",
	.formulae =
		"g = a^gamma b + 1: g (a+b) a^h hosts, g a^h switches; a cable from each host to a switch, g a (a^h-1)/2 between masters "
		"and g a^h b/2 between slaves; at most 3 2^gamma + 3 2^h - 1 of all",
	.args = bcn_args,
	.hosts_forward = true,
	.setup = bcn_setup,
	.routing = "own",
	.next = hcn_next,
	.route = cabling_route,
	.longest = hcn_longest,
	.place = hcn_place,
	.node_name = hcn_name,
	CABLED,
};
