/*
 * Leaf and spine: leaves with hosts, each with a cable to every spine. With rails=R hosts have R ports, one on each of R leaves that form a
 * block, so that rail r of all hosts of a block meets on leaf r of it (rail-optimised; NVIDIA DGX SuperPOD reference architecture, 2023).
 * With apart each port is a host by itself, as adapters of a machine with an address each are: hosts R m to R m + R - 1 are machine m's.
 * radix= and over= make leaves of a switch with so many ports: over=2:1 has two ports down for each one up; as many leaves as a spine of
 * that radix can carry.
 *
 * Ports: of hosts by rail; of leaves hosts first, then spines; of spines by leaf.
 */
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/place.h"

#include <stdio.h>
#include <string.h>

struct leafspine {
	uint32_t leaves, spines, hosts, rails; /* hosts: ports of each leaf to hosts */
	bool apart;                            /* ports are hosts */
};

/* Reads "2:1", ports down to ports up. */
static int read_ratio(const char *text, int64_t *down, int64_t *up, struct error *error)
{
	char copy[40] = "", *rest = copy;
	snprintf(copy, sizeof copy, "%s", text);
	char *first = strsep(&rest, ":");
	*up = 1;
	if (strlen(text) < sizeof copy && read_integer(first, 1, UINT32_MAX, down) && (!rest || read_integer(rest, 1, UINT32_MAX, up)))
		return 0;
	return error_set(error, STATUS_USAGE, "over is '%s', not ports down to ports up, for example 2:1", text);
}

/* Computes the values among leaves, spines and hosts that are not given, from radix and over. */
static int use_radix(int64_t radix, const char *over, int64_t *leaves, int64_t *spines, int64_t *hosts, struct error *error)
{
	int64_t down, up;
	if (read_ratio(over, &down, &up, error))
		return -1;
	if (radix % (down + up))
		return error_set(error, STATUS_USAGE, "%lld ports cannot be divided %lld down to %lld up", (long long)radix,
			(long long)down, (long long)up);
	*leaves = *leaves ? *leaves : radix;
	*hosts = *hosts ? *hosts : radix / (down + up) * down;
	*spines = *spines ? *spines : radix / (down + up) * up;
	if (*leaves > radix || *hosts + *spines > radix)
		return error_set(error, STATUS_USAGE, "a switch would need more than %lld ports", (long long)radix);
	return 0;
}

static int leafspine_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	int64_t leaves = value[0].integer, spines = value[1].integer, hosts = value[2].integer, rails = value[3].integer;
	struct leafspine *ls = topology->data = array_create(1, sizeof *ls, error);
	if (!ls || (value[4].integer && use_radix(value[4].integer, value[5].text, &leaves, &spines, &hosts, error)))
		return -1;
	if (!leaves || !spines || !hosts)
		return error_set(error, STATUS_USAGE, "specify leaves, spines and hosts, or radix");
	if (leaves % rails)
		return error_set(error, STATUS_USAGE, "%lld leaves are not a multiple of %lld rails", (long long)leaves, (long long)rails);
	uint64_t all = times((uint64_t)(leaves / rails), (uint64_t)hosts), ends = times((uint64_t)leaves, (uint64_t)hosts);
	uint64_t up = times((uint64_t)leaves, (uint64_t)spines), cables;
	if (__builtin_add_overflow(ends, up, &cables))
		cables = UINT64_MAX;
	bool apart = value[6].integer;
	if (cabling_start(topology, apart ? ends : all, (uint64_t)(leaves + spines), cables, error))
		return -1;
	*ls = (struct leafspine){(uint32_t)leaves, (uint32_t)spines, (uint32_t)hosts, (uint32_t)rails, apart};
	for (uint32_t machine = 0; machine < all; machine++)
		for (uint32_t rail = 0; rail < ls->rails; rail++)
			cabling_add(topology, apart ? machine * ls->rails + rail : machine,
				cabling_switch(topology, machine / ls->hosts * ls->rails + rail));
	for (uint32_t leaf = 0; leaf < ls->leaves; leaf++)
		for (uint32_t spine = 0; spine < ls->spines; spine++)
			cabling_add(topology, cabling_switch(topology, leaf), cabling_switch(topology, ls->leaves + spine));
	return cabling_finish(topology, error);
}

static void leafspine_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct leafspine *ls = topology->data;
	structure->blocks = ls->leaves / ls->rails;
	structure->hosts = ls->apart ? ls->hosts * ls->rails : ls->hosts;
	structure->switches = ls->rails;
	structure->levels = 2;
	structure->first[1] = ls->leaves;
}

static uint32_t first_spine(const struct topology *topology)
{
	const struct leafspine *ls = topology->data;
	return ls->leaves;
}

static struct topology_place leafspine_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct leafspine *ls = topology->data;
	bool spine = !host && node >= ls->leaves;
	uint32_t width = topology->hosts > topology->switches ? topology->hosts : topology->switches;
	return place_in_level(width, 2, host ? 0 : 1 + spine, spine ? node - ls->leaves : node,
		host    ? topology->hosts
		: spine ? ls->spines
			: ls->leaves);
}

/* Writes the name: S1_ and the leaf, S2_ and the spine; hosts by block and number in it, or by machine and rail. */
static void leafspine_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct leafspine *ls = topology->data;
	uint32_t each = ls->apart ? ls->rails : ls->hosts;
	if (host)
		put_number(put_number(text, 'H', node / each), '_', node % each);
	else
		put_number(put_number(text, 'S', node < ls->leaves ? 1 : 2), '_', node < ls->leaves ? node : node - ls->leaves);
}

static const struct arg leafspine_args[] = {
	{"leaves", ARG_INTEGER, "0", 0, UINT32_MAX, "switches with hosts (default: radix)"},
	{"spines", ARG_INTEGER, "0", 0, UINT32_MAX, "switches above (default: from radix and over)"},
	{"hosts", ARG_INTEGER, "0", 0, UINT32_MAX, "ports of each leaf to hosts (default: from radix and over)"},
	{"rails", ARG_INTEGER, "1", 1, UINT32_MAX, "ports of each host, on as many leaves"},
	{"radix", ARG_INTEGER, "0", 0, UINT32_MAX, "ports of a switch, if leaves, spines or hosts is not given (default: none)"},
	{"over", ARG_WORD, "1:1", 0, 0, "oversubscription of a leaf with that radix, ports down to ports up"},
	{"apart", ARG_FLAG, NULL, 0, 0, "each port is a host by itself"},
	{.type = ARG_END},
};

const struct topology_kind topology_leafspine = {
	.name = "leafspine",
	.summary = "two levels of switches, each leaf joined to each spine; hosts with several rails",
	.source = "Clos 1953",
	.formulae = "leaves H/rails hosts, leaves + spines switches; leaves H cables to hosts and leaves spines above; at most 4 "
		    "cables between hosts",
	.args = leafspine_args,
	.form = STRUCTURE_TREE,
	.setup = leafspine_setup,
	.structure = leafspine_structure,
	.tops = first_spine,
	.place = leafspine_place,
	.node_name = leafspine_name,
	CABLED,
};
