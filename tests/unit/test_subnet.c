/* The subnet that dumps fill, and the graph that is made of it. */
#include "helpers.h"

#include "infiniband/graph_dot.h"
#include "infiniband/subnet_graph.h"
#include "infiniband/subnet_rails.h"
#include "infiniband/subnet_resolve.h"

#include <stdlib.h>
#include <string.h>

/* A subnet in the making, and the graph of it. */
struct made {
	struct subnet *subnet;
	struct subnet_graph *graph;
	struct error error;
};

static void start(struct made *made)
{
	*made = (struct made){0};
	made->subnet = subnet_create(&made->error);
	assert_non_null(made->subnet);
}

static void finish(struct made *made)
{
	subnet_graph_free(made->graph);
	subnet_free(made->subnet);
}

/* An id such as S-12 stands for the one with all 16 digits. */
static uint32_t node(struct made *made, const char *id, const char *desc)
{
	char full[40];
	if (id[0] && id[1] == '-')
		snprintf(full, sizeof full, "%c-%016llx", id[0], strtoull(id + 2, NULL, 16));
	else
		snprintf(full, sizeof full, "%s", id);
	uint32_t n = subnet_node(made->subnet, full, strlen(full), &made->error);
	assert_int_not_equal(n, NONE);
	made->subnet->node[n].desc = subnet_text(made->subnet, desc, strlen(desc), &made->error);
	return n;
}

/* A cable between port a of one node and port b of another, told of from both ends. */
static void cable(struct made *made, uint32_t from, unsigned a, uint32_t to, unsigned b)
{
	uint32_t p = subnet_port(made->subnet, from, a, &made->error), q = subnet_port(made->subnet, to, b, &made->error);
	subnet_cable(made->subnet, p, q, "here");
	subnet_cable(made->subnet, q, p, "there");
}

static struct subnet_port *port(struct made *made, uint32_t n, unsigned number)
{
	return &made->subnet->port[subnet_port(made->subnet, n, number, &made->error)];
}

static void give_lid(struct made *made, uint32_t n, unsigned number, unsigned lid, unsigned lmc, uint64_t guid)
{
	uint32_t p = subnet_port(made->subnet, n, number, &made->error);
	made->subnet->port[p].lid = (uint16_t)lid;
	made->subnet->port[p].lmc = (uint8_t)lmc;
	assert_int_equal(subnet_set_port_guid(made->subnet, p, guid, &made->error), 0);
}

static void entry(struct made *made, uint32_t n, unsigned lid, unsigned number)
{
	assert_int_equal(subnet_entry(made->subnet, n, lid, number, &made->error), 0);
}

static void graph(struct made *made, struct subnet_graph_options options)
{
	made->graph = subnet_graph_create(made->subnet, &options, NULL, &made->error);
	assert_fine(&made->error);
	assert_non_null(made->graph);
}

/* The graph as dot, to be freed. */
static char *dot(struct made *made)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_int_equal(graph_dot_write(made->graph, file, NULL, &made->error), 0);
	fclose(file);
	return text;
}

/* ---- the subnet */

TEST(an_id_tells_guid_and_kind)
{
	struct made made;
	start(&made);
	uint32_t s = node(&made, "S-0002c90300001234", ""), h = node(&made, "H-2c9", ""), r = node(&made, "R-5", "");
	uint32_t named = node(&made, "leaf1", ""), odd = subnet_node(made.subnet, "S-12", 4, &made.error);
	assert_true(made.subnet->node[s].guid == 0x2c90300001234 && made.subnet->node[s].kind == NODE_SWITCH);
	assert_true(made.subnet->node[h].guid == 0x2c9 && made.subnet->node[h].kind == NODE_CA);
	assert_true(made.subnet->node[r].guid == 5 && made.subnet->node[r].kind == NODE_ROUTER);
	assert_true(made.subnet->node[named].guid == 0 && made.subnet->node[named].kind == NODE_UNKNOWN);
	assert_true(made.subnet->node[odd].guid == 0);
	assert_int_equal(subnet_find_node(made.subnet, 0x2c9), h);
	assert_int_equal(subnet_find_node(made.subnet, 0), NONE);
	assert_int_equal(subnet_node(made.subnet, "leaf1", 5, &made.error), named);
	finish(&made);
}

TEST(two_ids_with_one_guid_are_two_nodes)
{
	struct made made;
	start(&made);
	uint32_t a = node(&made, "a", ""), b = node(&made, "b", "");
	subnet_set_guid(made.subnet, a, 7, &made.error);
	subnet_set_guid(made.subnet, b, 7, &made.error);
	assert_int_equal(made.subnet->oddity[ODD_GUID_TWICE].count, 1);
	assert_int_equal(subnet_find_node(made.subnet, 7), a);
	assert_true(made.subnet->node[b].guid == 0);
	finish(&made);
}

TEST(a_node_known_by_guid_gets_its_id_later)
{
	struct made made;
	start(&made);
	uint32_t n = subnet_node_of_guid(made.subnet, 0x12, NODE_SWITCH, &made.error);
	assert_int_equal(node(&made, "S-0000000000000012", "x"), n);
	assert_string_equal(made.subnet->node[n].id, "S-0000000000000012");
	finish(&made);
}

TEST(a_cable_is_told_of_from_both_ends)
{
	struct made made;
	start(&made);
	uint32_t a = node(&made, "a", ""), b = node(&made, "b", ""), c = node(&made, "c", "");
	cable(&made, a, 1, b, 2);
	cable(&made, c, 1, b, 2); /* b's port 2 has a peer already */
	cable(&made, a, 3, a, 4);
	assert_int_equal(port(&made, a, 1)->peer, subnet_port(made.subnet, b, 2, &made.error));
	assert_int_equal(port(&made, c, 1)->peer, NONE);
	assert_int_equal(port(&made, a, 3)->peer, NONE);
	assert_int_equal(made.subnet->oddity[ODD_TWO_PEERS].count, 2);
	assert_string_equal(made.subnet->oddity[ODD_TWO_PEERS].first, "here");
	assert_int_equal(made.subnet->oddity[ODD_SELF_LINK].count, 1);
	finish(&made);
}

TEST(tables_grow_and_know_what_is_missing)
{
	struct made made;
	start(&made);
	uint32_t a = node(&made, "a", "");
	assert_null(made.subnet->node[a].lft);
	assert_int_equal(subnet_table(made.subnet, a, &made.error), 0);
	assert_non_null(made.subnet->node[a].lft);
	entry(&made, a, 1000, 3);
	entry(&made, a, LID_LAST, 4);
	entry(&made, a, LID_LAST + 1, 5); /* multicast: not of this table */
	assert_int_equal(subnet_lookup(&made.subnet->node[a], 1000), 3);
	assert_int_equal(subnet_lookup(&made.subnet->node[a], 999), LFT_NO_PORT);
	assert_int_equal(subnet_lookup(&made.subnet->node[a], LID_LAST), 4);
	assert_int_equal(subnet_lookup(&made.subnet->node[a], LID_LAST + 1), LFT_NO_PORT);
	finish(&made);
}

TEST(texts_are_trimmed_and_kept_once)
{
	struct made made;
	start(&made);
	const char *one = subnet_text(made.subnet, " a\tb ", 5, &made.error), *two = subnet_text(made.subnet, "a b", 3, &made.error);
	assert_string_equal(one, "a b");
	assert_ptr_equal(one, two);
	assert_string_equal(subnet_text(made.subnet, "  ", 2, &made.error), "");
	finish(&made);
}

TEST(rates_have_names_and_speeds)
{
	assert_int_equal(lane_rate("EDR", 3), RATE_EDR);
	assert_int_equal(lane_rate("edr", 3), RATE_UNKNOWN);
	assert_int_equal(lane_rate("FDR10", 5), RATE_FDR10);
	assert_int_equal(lane_rate_of(25.78125), RATE_EDR);
	assert_int_equal(lane_rate_of(10), RATE_QDR);
	assert_int_equal(lane_rate_of(10.3125), RATE_FDR10);
	assert_int_equal(lane_rate_of(3), RATE_UNKNOWN);
	assert_true(link_speed(4, RATE_XDR) == 800 && link_speed(4, RATE_FDR) == 56 && link_speed(0, RATE_EDR) == 0);
}

/* ---- names and rails */

TEST(names_compare_with_numbers_by_value)
{
	assert_true(compare_names("node2", "node10") < 0);
	assert_true(compare_names("node10a3", "node10a20") < 0);
	assert_true(compare_names("a", "a1") < 0);
	assert_true(compare_names("b1", "a2") > 0);
	assert_true(compare_names("n01", "n1") != 0);
	assert_int_equal(compare_names("n01", "n01"), 0);
}

/* A switch, and adapters of these descriptions with one cable each; GUIDs and LIDs count from 1. */
static uint32_t star(struct made *made, const char *const *descs, unsigned count)
{
	start(made);
	uint32_t s = node(made, "S-100", "Hub");
	for (unsigned i = 0; i < count; i++) {
		char id[20];
		snprintf(id, sizeof id, "H-%x", i + 1);
		uint32_t h = node(made, id, descs[i]);
		cable(made, s, i + 1, h, 1);
		give_lid(made, h, 1, i + 1, 0, 0x1000 + i);
		entry(made, s, i + 1, i + 1);
	}
	return s;
}

TEST(hosts_begin_with_H_and_switches_do_not)
{
	static const char *const descs[] = {"node 2 HCA-1", "Host,1", "node 10 HCA-1", "", "twin", "twin"};
	struct made made;
	star(&made, descs, 6);
	graph(&made, (struct subnet_graph_options){0});
	static const char *const names[] = {
		"H-node_2", "H-node_10", "H-twin_0000000000001004", "H-twin_0000000000001005", "H0000000000001003", "Host_1"};
	assert_int_equal(made.graph->hosts, 6);
	for (unsigned i = 0; i < 6; i++) {
		bool found = false;
		for (unsigned k = 0; k < 6; k++)
			found |= !strcmp(made.graph->node[k].name, names[i]);
		assert_true(found);
	}
	assert_string_equal(made.graph->node[0].name, "H-node_2");
	assert_string_equal(made.graph->node[1].name, "H-node_10");
	assert_string_equal(made.graph->node[6].name, "S-Hub");
	assert_int_equal(made.subnet->oddity[ODD_SAME_NAME].count, 1);
	finish(&made);
}

TEST(machines_are_what_descriptions_call_them)
{
	static const char *const descs[] = {"n1 mlx5_0", "n1 mlx5_1", "n2 HCA-1", "MT4115 ConnectX Mellanox Technologies",
		"MT4115 ConnectX Mellanox Technologies", "n2 HCA-2"};
	struct made made;
	star(&made, descs, 6);
	graph(&made, (struct subnet_graph_options){.rails = RAILS_MERGE});
	assert_int_equal(made.graph->hosts, 4);
	assert_int_equal(made.subnet->oddity[ODD_RAILS].count, 2);
	finish(&made);
	star(&made, descs, 6);
	graph(&made, (struct subnet_graph_options){.rails = 2});
	assert_int_equal(made.graph->hosts, 2);
	assert_string_equal(made.graph->node[0].name, "H-n1");
	assert_int_equal(made.subnet->oddity[ODD_NO_RAIL].count, 2);
	finish(&made);
}

TEST(a_subnet_without_hosts_is_an_error)
{
	struct made made;
	start(&made);
	cable(&made, node(&made, "S-1", ""), 1, node(&made, "S-2", ""), 1);
	made.graph = subnet_graph_create(made.subnet, &(struct subnet_graph_options){0}, NULL, &made.error);
	assert_null(made.graph);
	assert_error(&made.error, STATUS_FABRIC, "no host");
	finish(&made);
}

/* ---- forwarding sets */

TEST(sets_follow_the_tables)
{
	static const char *const descs[] = {"a", "b", "c"};
	struct made made;
	struct forwarding_sets sets = {0};
	uint32_t s = star(&made, descs, 3);
	entry(&made, s, 2, 1);   /* b goes where a goes */
	entry(&made, s, 3, 200); /* c nowhere */
	entry(&made, s, 9, 1);   /* nobody's LID */
	graph(&made, (struct subnet_graph_options){0});
	assert_int_equal(subnet_graph_sets(made.graph, 3, &sets, &made.error), 0);
	assert_int_equal(sets.first[0], 0);
	assert_int_equal(sets.first[1], 2);
	assert_int_equal(sets.first[2], 2);
	assert_int_equal(sets.first[3], 2);
	assert_true(sets.host[0] == 0 && sets.host[1] == 1);
	assert_int_equal(made.subnet->oddity[ODD_DEAD_PORT].count, 1);
	assert_int_equal(made.subnet->oddity[ODD_UNKNOWN_LID].count, 1);
	assert_int_equal(made.graph->entries, 2);
	forwarding_sets_clear(&sets);
	finish(&made);
}

TEST(all_lids_make_multipath_entries)
{
	struct made made;
	static const char *const descs[] = {"a", "b"};
	for (int all = 0; all < 2; all++) {
		uint32_t s = star(&made, descs, 2);
		uint32_t far = node(&made, "S-200", "far");
		cable(&made, s, 10, far, 10);
		cable(&made, s, 11, far, 11);
		uint32_t h = node(&made, "H-77", "h");
		cable(&made, far, 1, h, 1);
		give_lid(&made, h, 1, 8, 1, 0x77);
		entry(&made, s, 8, 11);
		entry(&made, s, 9, 10);
		graph(&made, (struct subnet_graph_options){.all_lids = all});
		char *text = dot(&made);
		assert_contains(text, all ? "\"S-Hub\" -> \"far\" [port=\"11\", peer_port=\"11\", lids=\"8\", comment=\"H-h\"]"
					  : "\"S-Hub\" -> \"far\" [port=\"11\", peer_port=\"11\", comment=\"H-h\"]");
		assert_contains(text, all ? "\"S-Hub\" -> \"far\" [port=\"10\", peer_port=\"10\", lids=\"9\", comment=\"H-h\"]"
					  : "\"S-Hub\" -> \"far\" [port=\"10\", peer_port=\"10\", lids=\"9\", comment=\"\"]");
		assert_int_equal(made.subnet->oddity[ODD_LMC].count, 1);
		free(text);
		finish(&made);
	}
}

/* Two planes, each of a switch; two machines with a rail in each. */
TEST(merged_hosts_use_each_plane)
{
	struct made made;
	start(&made);
	for (unsigned plane = 0; plane < 2; plane++) {
		char id[20];
		snprintf(id, sizeof id, "S-%u", plane + 1);
		uint32_t s = node(&made, id, plane ? "two" : "one");
		for (unsigned m = 0; m < 2; m++) {
			char desc[20];
			snprintf(id, sizeof id, "H-%u%u", plane + 1, m + 1);
			snprintf(desc, sizeof desc, "n%u HCA-%u", m + 1, plane + 1);
			uint32_t h = node(&made, id, desc);
			cable(&made, s, m + 1, h, 1);
			give_lid(&made, h, 1, m + 1, 0, 0x1000 + plane * 10 + m); /* the same LIDs in both planes */
			entry(&made, s, m + 1, m + 1);
		}
	}
	graph(&made, (struct subnet_graph_options){.rails = RAILS_MERGE});
	assert_int_equal(made.graph->hosts, 2);
	assert_int_equal(made.subnet->oddity[ODD_LID_TWICE].count, 0);
	char *text = dot(&made);
	assert_contains(text, "\"H-n1\" -> \"one\" [port=\"1\", peer_port=\"1\", comment=\"H-n2\"]");
	assert_contains(text, "\"H-n1\" -> \"two\" [port=\"1\", peer_port=\"1\", guid=\"0x000000000000100a\", "
			      "node_guid=\"0x0000000000000021\", desc=\"n1 HCA-2\", lid=\"1\", comment=\"H-n2\"]");
	assert_contains(text, "\"two\" -> \"H-n2\" [port=\"2\", peer_port=\"1\", comment=\"H-n2\"]");
	free(text);
	finish(&made);
}

TEST(a_top_lid_that_is_a_multiple_of_64_and_in_no_table_is_known)
{
	static const char *const descs[] = {"a", "b"};
	struct made made;
	star(&made, descs, 2);
	uint32_t h = node(&made, "H-99", "last");
	cable(&made, node(&made, "S-100", "Hub"), 64, h, 1);
	give_lid(&made, h, 1, 64, 0, 0x99);
	graph(&made, (struct subnet_graph_options){0});
	assert_int_equal(made.subnet->oddity[ODD_TOP_LID].count, 1);
	assert_int_equal(made.subnet->oddity[ODD_NO_ENTRY].count, 1);
	finish(&made);
}

/* ---- what tables claim, and what was before */

TEST(claims_give_lids_by_guid_or_description)
{
	struct made made;
	start(&made);
	uint32_t s = node(&made, "sw", "sw"), a = node(&made, "a", "a"), b = node(&made, "b", "b");
	cable(&made, s, 1, a, 1);
	cable(&made, s, 2, b, 1);
	made.subnet->node[s].kind = NODE_SWITCH;
	subnet_set_port_guid(made.subnet, subnet_port(made.subnet, a, 1, &made.error), 0xa1, &made.error);
	give_lid(&made, b, 1, 7, 0, 0);
	subnet_claim(made.subnet, 5, 0, 0xa1, NODE_CA, "other", 5, &made.error);
	subnet_claim(made.subnet, 6, 2, 0xb1, NODE_CA, "b", 1, &made.error);
	subnet_claim(made.subnet, 3, 0, 0x51, NODE_SWITCH, "sw", 2, &made.error);
	assert_int_equal(subnet_resolve_lids(made.subnet, &made.error), 0);
	assert_int_equal(port(&made, a, 1)->lid, 5);
	assert_int_equal(port(&made, b, 1)->lid, 6);
	assert_int_equal(port(&made, b, 1)->lmc, 2);
	assert_int_equal(port(&made, s, 0)->lid, 3);
	assert_int_equal(made.subnet->oddity[ODD_LID_MOVED].count, 1);
	finish(&made);
}

TEST(what_a_simulator_could_not_keep_is_restored)
{
	struct made made, was;
	static const char *const descs[] = {"short name"}, *const full[] = {"the whole name, as it was"};
	star(&made, descs, 1);
	star(&was, full, 1);
	uint32_t h = subnet_find_node(made.subnet, 1), old = subnet_find_node(was.subnet, 1);
	subnet_link(made.subnet, subnet_port(made.subnet, h, 1, &made.error), 4, RATE_SDR);
	subnet_link(was.subnet, subnet_port(was.subnet, old, 1, &was.error), 4, RATE_NDR);
	port(&was, old, 1)->guid = 0xabc;
	assert_int_equal(subnet_restore(made.subnet, was.subnet, &made.error), 0);
	assert_string_equal(made.subnet->node[h].desc, "the whole name, as it was");
	assert_int_equal(port(&made, h, 1)->rate, RATE_NDR);
	assert_true(port(&made, h, 1)->guid == 0xabc);
	finish(&made);
	finish(&was);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_id_tells_guid_and_kind),
		cmocka_unit_test(two_ids_with_one_guid_are_two_nodes),
		cmocka_unit_test(a_node_known_by_guid_gets_its_id_later),
		cmocka_unit_test(a_cable_is_told_of_from_both_ends),
		cmocka_unit_test(tables_grow_and_know_what_is_missing),
		cmocka_unit_test(texts_are_trimmed_and_kept_once),
		cmocka_unit_test(rates_have_names_and_speeds),
		cmocka_unit_test(names_compare_with_numbers_by_value),
		cmocka_unit_test(hosts_begin_with_H_and_switches_do_not),
		cmocka_unit_test(machines_are_what_descriptions_call_them),
		cmocka_unit_test(a_subnet_without_hosts_is_an_error),
		cmocka_unit_test(sets_follow_the_tables),
		cmocka_unit_test(all_lids_make_multipath_entries),
		cmocka_unit_test(merged_hosts_use_each_plane),
		cmocka_unit_test(a_top_lid_that_is_a_multiple_of_64_and_in_no_table_is_known),
		cmocka_unit_test(claims_give_lids_by_guid_or_description),
		cmocka_unit_test(what_a_simulator_could_not_keep_is_restored),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
