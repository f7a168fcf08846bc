/*
 * Compares the tables of an engine of routings/opensm/ with those of the real OpenSM:
 *   opensm_tables [-a ROOTS] [-u COMPUTE_NODES] [-G IO_NODES] [-z] [-n LANES] [-w] [-c] [-s SL_FILE] ENGINE TOPOLOGY [TABLES]
 * Prints "EQUAL of ALL" entries that either side has, and the first that differ. -w: prints the tables instead. SL_FILE has lines
 * "SLID DLID SL": OpenSM's; "EQUAL of ALL pairs" are in the same group of levels. -c: every lane must be free of cycles of channels. Status
 * 0: all are equal, 1: some are not, 2: the engine refuses, 3: no input.
 */
#include "base/input.h"
#include "base/memory.h"
#include "infiniband/dump.h"
#include "infiniband/subnet_opensm.h"
#include "infiniband/subnet_resolve.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void give_up(const struct error *error)
{
	fprintf(stderr, "opensm_tables: %s\n", error->text);
	exit(3);
}

static struct opensm_guids read_guids(const char *path, struct error *error)
{
	struct opensm_guids guids = {.given = true};
	struct line_reader reader;
	size_t capacity = 0;
	uint64_t *list = NULL;
	char *line;
	if (line_reader_open(&reader, path, LIST_LINE_LONGEST, error))
		give_up(error);
	while ((line = line_reader_list(&reader, error))) {
		if (array_grow(&list, &capacity, guids.count + 1, sizeof *list, error))
			give_up(error);
		list[guids.count++] = strtoull(line, NULL, 16);
	}
	line_reader_close(&reader);
	guids.guid = list;
	return guids;
}

static void compare_entries(const struct subnet *subnet, const struct opensm_tables *tables, uint64_t *equal, uint64_t *all)
{
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		if (!node->lft)
			continue;
		uint32_t number = tables->number[n], lids = node->lft_size > tables->lids ? (uint32_t)node->lft_size : tables->lids;
		for (uint32_t lid = 1; lid < lids; lid++) {
			unsigned wanted = subnet_lookup(node, lid), got = opensm_entry(tables, number, lid);
			*all += wanted != LFT_NO_PORT || got != OPENSM_NO_PORT;
			*equal += wanted == got && got != OPENSM_NO_PORT;
			if (wanted != got && *all - *equal <= 10)
				printf("  switch 0x%016" PRIx64 " LID %u: OpenSM %u, ours %u\n", node->guid, lid, wanted, got);
		}
	}
}

/* The switch of each CA's LIDs, OPENSM_NONE. */
static uint32_t *switch_of_lid(const struct opensm_subnet *subnet, const struct opensm_tables *tables, struct error *error)
{
	uint32_t *of_lid = array_create(1 << 16, sizeof *of_lid, error);
	if (!of_lid)
		give_up(error);
	memset(of_lid, 0xff, (1 << 16) * sizeof *of_lid);
	for (uint32_t n = 0; n < subnet->nodes; n++) {
		const struct opensm_node *node = &subnet->node[n];
		for (uint32_t m = 0; m < subnet->nodes; m++) {
			const struct opensm_node *sw = &subnet->node[m];
			if (node->kind != OPENSM_CA || sw->kind != OPENSM_SWITCH)
				continue;
			for (uint32_t p = node->port + 1; p <= node->port + node->ports; p++)
				if (subnet->port[p].peer != OPENSM_NONE && subnet->port[p].peer >= sw->port &&
					subnet->port[p].peer <= sw->port + sw->ports)
					for (unsigned k = 0; k < 1U << subnet->port[p].lmc; k++)
						of_lid[subnet->port[p].lid + k] = tables->number[m];
		}
	}
	return of_lid;
}

static void compare_levels(
	const char *path, const struct opensm_subnet *subnet, const struct opensm_tables *tables, uint64_t *equal, uint64_t *all)
{
	struct error error = {0};
	struct line_reader reader;
	char *line;
	uint32_t *of_lid = switch_of_lid(subnet, tables, &error);
	if (line_reader_open(&reader, path, LIST_LINE_LONGEST, &error))
		give_up(&error);
	while ((line = line_reader_list(&reader, &error))) {
		unsigned from, to, sl;
		if (sscanf(line, "%u %u %u", &from, &to, &sl) != 3 || of_lid[from] == OPENSM_NONE)
			continue;
		unsigned lane = opensm_lane(tables, of_lid[from], to), first = tables->first_sl[lane];
		bool same = sl >= first && sl < first + tables->sls[lane];
		++*all;
		*equal += same;
	}
	line_reader_close(&reader);
	free(of_lid);
}

/* Marks the turns of the paths from a switch to a LID: from one port that packets leave by to the next. */
static void mark_turns(const struct opensm_subnet *subnet, const struct opensm_tables *tables, const uint32_t *node_of_port, uint32_t s,
	uint32_t lid, bool *turn)
{
	uint32_t before = OPENSM_NONE, node = tables->node[s];
	for (uint32_t steps = 0; steps < tables->switches && subnet->node[node].kind == OPENSM_SWITCH; steps++) {
		unsigned port = opensm_entry(tables, tables->number[node], lid);
		if (port == 0 || port == OPENSM_NO_PORT)
			return;
		if (before != OPENSM_NONE)
			turn[(size_t)before * 256 + port] = true;
		before = subnet->node[node].port + port;
		node = node_of_port[subnet->port[before].peer];
	}
}

/* Whether the channels can be taken away one by one, each when no other leads to it. */
static bool is_acyclic(const struct opensm_subnet *subnet, const uint32_t *node_of_port, const bool *turn, uint32_t *into, uint32_t *queue)
{
	uint32_t count = 0, taken = 0;
	memset(into, 0, subnet->ports * sizeof *into);
	for (int pass = 0; pass < 2; pass++) {
		for (uint32_t p = 0; p < subnet->ports && pass; p++)
			if (!into[p])
				queue[count++] = p;
		for (uint32_t i = 0; pass ? i < count : i < subnet->ports; i++) {
			uint32_t p = pass ? queue[i] : i;
			taken += pass != 0;
			for (unsigned q = 0; q < 256 && subnet->port[p].peer != OPENSM_NONE; q++) {
				uint32_t next = subnet->node[node_of_port[subnet->port[p].peer]].port + q;
				if (!turn[(size_t)p * 256 + q])
					continue;
				if (!pass)
					into[next]++;
				else if (!--into[next])
					queue[count++] = next;
			}
		}
	}
	return taken == subnet->ports;
}

/* Whether the paths between CAs close no cycle on any lane. */
static bool check_lanes(const struct opensm_subnet *subnet, const struct opensm_tables *tables, struct error *error)
{
	uint32_t *of_lid = switch_of_lid(subnet, tables, error), *node_of_port = array_create(subnet->ports, sizeof *node_of_port, error);
	uint32_t *into = array_create(subnet->ports, sizeof *into, error), *queue = array_create(subnet->ports, sizeof *queue, error);
	bool *turn = array_create(subnet->ports, 256, error), fine = true;
	if (error->status)
		give_up(error);
	for (uint32_t n = 0; n < subnet->nodes; n++)
		for (uint32_t p = 0; p <= subnet->node[n].ports; p++)
			node_of_port[subnet->node[n].port + p] = n;
	for (unsigned lane = 0; lane < tables->lanes; lane++) {
		memset(turn, 0, subnet->ports * (size_t)256);
		for (uint32_t from = 1; from < tables->lids; from++)
			for (uint32_t to = 1; to < tables->lids && of_lid[from] != OPENSM_NONE; to++)
				if (opensm_lane(tables, of_lid[from], to) == lane)
					mark_turns(subnet, tables, node_of_port, of_lid[from], to, turn);
		if (!is_acyclic(subnet, node_of_port, turn, into, queue)) {
			printf("lane %u has a cycle\n", lane);
			fine = false;
		}
	}
	free(of_lid);
	free(node_of_port);
	free(into);
	free(queue);
	free(turn);
	return fine;
}

static void write_tables(const struct subnet *subnet, const struct opensm_tables *tables)
{
	for (uint32_t s = 0; s < tables->switches; s++)
		for (uint32_t lid = 1; lid < tables->lids; lid++)
			if (opensm_entry(tables, s, lid) != OPENSM_NO_PORT)
				printf("0x%016" PRIx64 " %u %u\n", subnet->node[tables->node[s]].guid, lid, opensm_entry(tables, s, lid));
}

/* How many pairs of switches each lane has. */
static void write_lanes(const struct opensm_subnet *subnet, const struct opensm_tables *tables)
{
	uint32_t pairs[OPENSM_LANES + 1] = {0};
	for (uint32_t s = 0; s < tables->switches; s++) {
		uint32_t lid = subnet->port[subnet->node[tables->node[s]].port].lid;
		for (uint32_t t = 0; t < tables->switches; t++)
			if (t != s && opensm_entry(tables, t, lid) != OPENSM_NO_PORT)
				pairs[opensm_lane(tables, t, lid)]++;
	}
	for (unsigned i = 0; i < tables->lanes; i++)
		fprintf(stderr, "%s%u", i ? " " : "lanes: ", pairs[i]);
	fputs("\n", stderr);
}

int main(int argc, char **argv)
{
	struct error error = {0};
	struct opensm_options options = {0};
	struct opensm_tables tables;
	struct opensm_arrays view;
	const char *levels = NULL;
	bool write = false, check = false, fine = true;
	struct timespec begin, end;
	uint64_t equal = 0, all = 0;
	for (int c; (c = getopt(argc, argv, "a:u:G:zn:wcs:")) != -1;)
		switch (c) {
		case 'a': options.roots = read_guids(optarg, &error); break;
		case 'u': options.compute_nodes = read_guids(optarg, &error); break;
		case 'G': options.io_nodes = read_guids(optarg, &error); break;
		case 'z': options.connect_roots = true; break;
		case 'n': options.lanes = (unsigned)atoi(optarg); break;
		case 'c': check = true; break;
		case 'w': write = true; break;
		case 's': levels = optarg; break;
		default: return 3;
		}
	if (argc - optind < 2)
		return 3;
	struct subnet *subnet = subnet_create(&error);
	for (int i = optind + 1; subnet && i < argc && !error.status; i++)
		dump_read(subnet, argv[i], 1 << DUMP_TOPOLOGY | 1 << DUMP_TABLES, &error);
	if (error.status || subnet_resolve_lids(subnet, &error) || subnet_opensm(&view, subnet, &error))
		give_up(&error);
	clock_gettime(CLOCK_MONOTONIC, &begin);
	if (opensm_compute_tables(&tables, argv[optind], &view.subnet, &options, &error))
		give_up(&error);
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (*tables.refusal) {
		printf("refuses: %s\n", tables.refusal);
		write = true;
	}
	int status = *tables.refusal ? 2 : 0;
	if (status)
		check = false;
	else if (write)
		write_tables(subnet, &tables);
	else
		compare_entries(subnet, &tables, &equal, &all);
	if (tables.lane && !status)
		write_lanes(&view.subnet, &tables);
	if (check)
		fine = check_lanes(&view.subnet, &tables, &error);
	if (levels && !status) {
		uint64_t same = 0, pairs = 0;
		compare_levels(levels, &view.subnet, &tables, &same, &pairs);
		printf("%" PRIu64 " of %" PRIu64 " pairs\n", same, pairs);
		fine = fine && same == pairs;
	}
	if (!write)
		printf("%" PRIu64 " of %" PRIu64 "\n", equal, all);
	fprintf(stderr, "%.3f s%s%s\n", (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec),
		*tables.warning ? "; warning: " : "", tables.warning);
	opensm_tables_clear(&tables);
	opensm_arrays_clear(&view);
	subnet_free(subnet);
	free((void *)options.roots.guid);
	free((void *)options.compute_nodes.guid);
	free((void *)options.io_nodes.guid);
	return status ? status : equal == all && fine ? 0 : 1;
}
