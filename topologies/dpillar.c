/*
 * DPillar: k columns of hosts with k columns of switches between them, in a ring, like a butterfly (Liao, Yin, Yin, Gao: DPillar: Dual-port
 * Server Interconnection Network for Large Scale Data Centers, 2012). Hosts forward; they have labels of k digits to base n/2. A switch of
 * column c joins the hosts of columns c and c+1 (mod k) whose labels differ in digit c alone.
 *
 * Hosts count by column, then by label; switch s of a column joins those whose digits but c are, in their order, those of s. Ports: of
 * hosts first to the switch of their own column, then to that of the column before; of switches the hosts of its own column first.
 */
#include "cabling.h"

static int dpillar_setup(struct topology *topology, struct error *error)
{
	uint64_t half = (uint64_t)topology->args.value[0].integer / 2, k = (uint64_t)topology->args.value[1].integer;
	uint64_t labels = power(half, k), each = power(half, k - 1), step = 1;
	if (topology->args.value[0].integer % 2)
		return error_set(error, STATUS_USAGE, "n is odd: one half of a switch's ports is for each of two columns");
	if (cabling_start(topology, times(k, labels), times(k, each), times(2 * k, labels), error))
		return -1;
	for (int side = 0; side < 2; side++, step = 1)
		for (uint64_t column = 0; column < k; column++, step *= half)
			for (uint64_t label = 0; label < labels; label++) {
				uint64_t pillar = column * each + label / (step * half) * step + label % step;
				uint64_t host = (column + (uint64_t)side) % k * labels + label;
				cabling_add(topology, (uint32_t)host, cabling_switch(topology, (uint32_t)pillar));
			}
	return cabling_finish(topology, error);
}

/* By column; hosts by their digits, the lowest first; switches by number. */
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
	.node_name = dpillar_name,
	CABLED,
};
