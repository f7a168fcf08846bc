#include "infiniband/level_rules.h"

#include "base/digraph.h"
#include "base/memory.h"
#include "cli/terminal.h"
#include "infiniband/sa_client.h"
#include "infiniband/subnet_levels.h"
#include "infiniband/subnet_opensm.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

const char *const level_rule_names[LEVELS_TORUS + 1] = {
	[LEVELS_ZERO] = "0", [LEVELS_ASKED] = "sa", [LEVELS_DFSSSP] = "dfsssp", [LEVELS_LASH] = "lash", [LEVELS_TORUS] = "torus-2qos"};

enum level_rule level_rule_named(const char *name)
{
	for (int rule = LEVELS_ZERO; rule <= LEVELS_TORUS; rule++)
		if (!strcmp(name, level_rule_names[rule]))
			return (enum level_rule)rule;
	return LEVELS_STATED;
}

/* The LIDs of the hosts and routers, switch by switch. */
struct level_hosts {
	struct lid_list source, destination; /* room */
	uint32_t node[LID_LAST + 1];         /* [switches] those with hosts */
	uint32_t first[LID_LAST + 2];        /* [switches + 1] */
	uint16_t lid[LID_LAST + 1];          /* [lids] those of the hosts of node[s] are lid[first[s]] .. lid[first[s + 1] - 1] */
	uint32_t switches, lids;
};

static void add_port(struct level_hosts *hosts, const struct subnet_port *port, bool *taken)
{
	for (unsigned lid = port->lid; lid && lid < port->lid + (1U << port->lmc) && lid <= LID_LAST; lid++) {
		if (!taken[lid])
			hosts->lid[hosts->lids++] = (uint16_t)lid;
		taken[lid] = true;
	}
}

/* NULL if out of memory. */
static struct level_hosts *find_hosts(const struct subnet *subnet, struct error *error)
{
	struct level_hosts *hosts = array_create(1, sizeof *hosts, error);
	bool *taken = array_create(LID_LAST + 1, sizeof *taken, error);
	for (uint32_t n = 0; hosts && taken && n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		for (size_t i = 1; node->kind == NODE_SWITCH && i < node->slots; i++) {
			uint32_t peer = node->port[i] == NONE ? NONE : subnet->port[node->port[i]].peer;
			if (peer != NONE && subnet->node[subnet->port[peer].node].kind != NODE_SWITCH)
				add_port(hosts, &subnet->port[peer], taken);
		}
		if (hosts->lids > hosts->first[hosts->switches]) {
			hosts->node[hosts->switches++] = n;
			hosts->first[hosts->switches] = hosts->lids;
		}
	}
	free(taken);
	if (!error->status)
		return hosts;
	free(hosts);
	return NULL;
}

/* A source of levels: from the hosts of hosts->node[at] to hosts->lid[to]. Returns 0, or -1. */
typedef int level_finder(void *data, const struct level_hosts *hosts, uint32_t at, uint32_t to, unsigned *level, struct error *error);

/* Sets the levels from the hosts of a switch. */
static int fill_from(struct subnet *subnet, struct level_hosts *hosts, uint32_t at, level_finder *find, void *data, struct progress *bar,
	struct error *error)
{
	uint32_t first = hosts->first[at];
	hosts->source.count = hosts->first[at + 1] - first;
	memcpy(hosts->source.lid, hosts->lid + first, hosts->source.count * sizeof *hosts->lid);
	hosts->destination.count = 1;
	for (uint32_t d = 0; d < hosts->lids; d++) {
		unsigned level = LEVEL_UNKNOWN;
		progress_show(bar, (uint64_t)at * hosts->lids + d, (uint64_t)hosts->switches * hosts->lids);
		if (hosts->source.count == 1 && d == first)
			continue; /* the only host, to itself */
		hosts->destination.lid[0] = hosts->lid[d];
		if (find(data, hosts, at, d, &level, error) ||
			(level != LEVEL_UNKNOWN && subnet_levels_set(subnet, &hosts->source, &hosts->destination, level, error)))
			return -1;
	}
	return 0;
}

static int fill(struct subnet *subnet, struct level_hosts *hosts, level_finder *find, void *data, bool progress, struct error *error)
{
	struct progress bar;
	progress_start(&bar, progress, "paths");
	for (uint32_t s = 0; s < hosts->switches && !fill_from(subnet, hosts, s, find, data, &bar, error); s++)
		;
	progress_end(&bar);
	return error->status ? -1 : 0;
}

/* ---- the subnet administrator */

/* Asks for the first host of the switch, or the second if it is the destination. */
static int ask(void *client, const struct level_hosts *hosts, uint32_t at, uint32_t to, unsigned *level, struct error *error)
{
	uint32_t first = hosts->first[at];
	return sa_client_level(client, hosts->lid[first + (first == to)], hosts->lid[to], level, error);
}

static int ask_all(struct subnet *subnet, struct level_hosts *hosts, bool progress, struct error *error)
{
	struct sa_client *client = sa_client_open(error);
	if (client)
		fill(subnet, hosts, ask, client, progress, error);
	sa_client_close(client);
	return error->status ? -1 : 0;
}

/* ---- lanes of OpenSM's engines */

static int opensm_level(void *data, const struct level_hosts *hosts, uint32_t at, uint32_t to, unsigned *level, struct error *error)
{
	const struct opensm_tables *tables = data;
	(void)error;
	*level = tables->first_sl[opensm_lane(tables, tables->number[hosts->node[at]], hosts->lid[to])];
	return 0;
}

/* Refuses tables that are not the engine's, whose lanes it does not know. */
static int compare_tables(const struct subnet *subnet, const struct level_hosts *hosts, const struct opensm_tables *tables,
	const char *engine, struct error *error)
{
	uint64_t entries = 0, differ = 0;
	for (uint32_t s = 0; s < tables->switches; s++) {
		const struct subnet_node *node = &subnet->node[tables->node[s]];
		for (uint32_t d = 0; node->lft && d < hosts->lids; d++) {
			unsigned port = subnet_lookup(node, hosts->lid[d]);
			entries += port != LFT_NO_PORT;
			differ += port != LFT_NO_PORT && port != opensm_entry(tables, s, hosts->lid[d]);
		}
	}
	if (!differ)
		return 0;
	return error_set(error, STATUS_FABRIC,
		"--service-levels=%s: %" PRIu64 " of %" PRIu64 " entries differ from those of OpenSM's %s, so its service levels are not "
		"those of this fabric; ask its subnet administrator (--service-levels=sa)",
		engine, differ, entries, engine);
}

static int by_engine(struct subnet *subnet, struct level_hosts *hosts, const char *engine, struct error *error)
{
	struct opensm_arrays made;
	struct opensm_tables tables = {0};
	const struct opensm_options options = {0};
	if (!subnet_opensm(&made, subnet, error) && !opensm_compute_tables(&tables, engine, &made.subnet, &options, error)) {
		if (*tables.refusal)
			error_set(error, STATUS_FABRIC, "--service-levels=%s: %s", engine, tables.refusal);
		else if (!compare_tables(subnet, hosts, &tables, engine, error))
			fill(subnet, hosts, opensm_level, &tables, false, error);
	}
	opensm_tables_clear(&tables);
	opensm_arrays_clear(&made);
	return error->status ? -1 : 0;
}

/* ---- torus-2QoS */

struct torus {
	const struct subnet *subnet;
	int size[TORUS_DIMENSIONS]; /* 0: the dimension is not a ring */
};

/* Finds the sizes of the rings, in which a cable joins the first and the last switch. Returns whether any switch has coordinates. */
static bool find_torus(const struct subnet *subnet, struct torus *torus)
{
	int size[TORUS_DIMENSIONS] = {0};
	*torus = (struct torus){.subnet = subnet};
	for (uint32_t n = 0; n < subnet->nodes; n++)
		for (int d = 0; d < TORUS_DIMENSIONS; d++)
			size[d] = subnet->node[n].torus[d] > size[d] ? subnet->node[n].torus[d] : size[d];
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		const uint16_t *from = subnet->node[port->node].torus;
		const uint16_t *to = port->peer == NONE ? from : subnet->node[subnet->port[port->peer].node].torus;
		for (int d = 0; d < TORUS_DIMENSIONS; d++)
			if (from[d] == 1 && to[d] == size[d])
				torus->size[d] = size[d];
	}
	return size[0];
}

/* Sets a bit for each dimension in which the shorter way passes the end of the ring. */
static int torus_level(void *data, const struct level_hosts *hosts, uint32_t at, uint32_t to, unsigned *level, struct error *error)
{
	const struct torus *torus = data;
	uint32_t s = 0;
	while (hosts->first[s + 1] <= to)
		s++;
	const struct subnet_node *from = &torus->subnet->node[hosts->node[at]], *end = &torus->subnet->node[hosts->node[s]];
	if (!from->torus[0] || !end->torus[0])
		return error_set(error, STATUS_FABRIC, "switch '%s' has no coordinates in opensm-torus.dump",
			from->torus[0] ? end->desc : from->desc);
	*level = 0;
	for (int d = 0; d < TORUS_DIMENSIONS; d++) {
		int way = abs(from->torus[d] - end->torus[d]);
		if (torus->size[d] && way > torus->size[d] - way)
			*level |= 1U << d;
	}
	return 0;
}

int subnet_levels_fill(struct subnet *subnet, enum level_rule rule, bool progress, struct error *error)
{
	struct torus torus;
	bool placed = find_torus(subnet, &torus);
	if (rule == LEVELS_ZERO || (rule == LEVELS_STATED && (!placed || subnet->levels)))
		return 0;
	if (rule == LEVELS_TORUS && !placed)
		return error_set(error, STATUS_FABRIC, "--service-levels=torus-2qos needs the coordinates of opensm-torus.dump; add it");
	struct level_hosts *hosts = find_hosts(subnet, error);
	if (!hosts)
		return -1;
	if (rule == LEVELS_ASKED)
		ask_all(subnet, hosts, progress, error);
	else if (rule == LEVELS_DFSSSP || rule == LEVELS_LASH)
		by_engine(subnet, hosts, level_rule_names[rule], error);
	else
		fill(subnet, hosts, torus_level, &torus, false, error);
	free(hosts);
	return error->status ? -1 : 0;
}

/* ---- whether levels are needed */

/* Returns the port at the other end of a switch's port towards the LID, if that is a switch's, too; NONE. */
static uint32_t next_port(const struct subnet *subnet, uint32_t node, unsigned lid)
{
	const struct subnet_node *from = &subnet->node[node];
	unsigned out = subnet_lookup(from, lid);
	uint32_t port = out != LFT_NO_PORT && out && out < from->slots ? from->port[out] : NONE;
	uint32_t peer = port == NONE ? NONE : subnet->port[port].peer;
	return peer != NONE && subnet->node[subnet->port[peer].node].kind == NODE_SWITCH ? peer : NONE;
}

/* The ports that packets to a LID arrive at: each depends on the next one. */
struct arrivals {
	uint64_t *bit; /* [ports][255] whether packets that arrived at the port leave by that one */
	bool *reached; /* [nodes] by packets of hosts to the current LID */
	const struct level_hosts *hosts;
};

static void add_lid(const struct subnet *subnet, struct arrivals *a, unsigned lid)
{
	memset(a->reached, 0, subnet->nodes * sizeof *a->reached);
	for (uint32_t s = 0; s < a->hosts->switches; s++) {
		uint32_t node = a->hosts->node[s], in;
		while (!a->reached[node] && (in = next_port(subnet, node, lid)) != NONE) {
			a->reached[node] = true;
			node = subnet->port[in].node;
			unsigned out = next_port(subnet, node, lid) == NONE ? 0 : subnet_lookup(&subnet->node[node], lid);
			if (out)
				a->bit[(size_t)in * 4 + out / 64] |= UINT64_C(1) << out % 64;
		}
	}
}

/* Lists the dependencies; with graph->to NULL only counts them. */
static uint64_t list_dependencies(const struct subnet *subnet, const struct arrivals *a, struct digraph *graph)
{
	uint64_t count = 0;
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_node *node = &subnet->node[subnet->port[p].node];
		if (graph)
			graph->first[p] = count;
		for (unsigned out = 1; out < 255; out++)
			if (a->bit[(size_t)p * 4 + out / 64] >> out % 64 & 1) {
				if (graph)
					graph->to[count] = subnet->port[node->port[out]].peer;
				count++;
			}
	}
	if (graph)
		graph->first[subnet->ports] = count;
	return count;
}

static bool has_cycle(const struct subnet *subnet, const struct arrivals *a, struct error *error)
{
	struct digraph graph = {0};
	uint32_t *cyclic = NULL;
	bool found = false;
	if (!digraph_init(&graph, subnet->ports, list_dependencies(subnet, a, NULL), error)) {
		list_dependencies(subnet, a, &graph);
		cyclic = digraph_cyclic(&graph, error);
	}
	for (uint32_t p = 0; cyclic && p < subnet->ports && !found; p++)
		found = cyclic[p];
	free(cyclic);
	digraph_clear(&graph);
	return found;
}

int subnet_levels_unknown(const struct subnet *subnet, enum level_rule rule, bool *unknown, struct error *error)
{
	bool tables = false, lanes = false;
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		tables |= subnet->node[n].lft != NULL;
		lanes |= subnet->node[n].sl2vl != NULL;
	}
	*unknown = tables && lanes && !subnet->levels && rule == LEVELS_STATED;
	if (*unknown || !tables || subnet->levels || rule != LEVELS_STATED)
		return 0;
	struct level_hosts *hosts = find_hosts(subnet, error);
	struct arrivals a = {array_create((size_t)subnet->ports * 4, sizeof *a.bit, error),
		array_create(subnet->nodes, sizeof *a.reached, error), hosts};
	for (uint32_t d = 0; !error->status && d < hosts->lids; d++)
		add_lid(subnet, &a, hosts->lid[d]);
	*unknown = !error->status && has_cycle(subnet, &a, error);
	free(a.bit);
	free(a.reached);
	free(hosts);
	return error->status ? -1 : 0;
}
