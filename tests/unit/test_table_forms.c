/* The forms of forwarding tables and of SL-to-VL tables. */
#include "helpers.h"

#include "infiniband/dump.h"
#include "infiniband/subnet.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { ANY = 1 << DUMP_TOPOLOGY | 1 << DUMP_TABLES | 1 << DUMP_LANES };

static struct subnet *read_text(const char *text, struct error *error)
{
	struct subnet *subnet = subnet_create(error);
	assert_non_null(subnet);
	struct path path = write_text("dump", text);
	if (dump_read(subnet, path.text, ANY, error)) {
		subnet_free(subnet);
		return NULL;
	}
	return subnet;
}

static struct subnet *load(const char *text)
{
	struct error error = {0};
	struct subnet *subnet = read_text(text, &error);
	assert_fine(&error);
	return subnet;
}

static const struct subnet_node *switch_of(const struct subnet *subnet, uint64_t guid)
{
	uint32_t node = subnet_find_node(subnet, guid);
	assert_int_not_equal(node, NONE);
	assert_int_equal(subnet->node[node].kind, NODE_SWITCH);
	return &subnet->node[node];
}

/* "1:4 2:0": the entries of the table of the switch. */
static void assert_entries(const struct subnet *subnet, uint64_t guid, const char *expected)
{
	char text[1000] = "";
	size_t used = 0;
	const struct subnet_node *node = switch_of(subnet, guid);
	assert_non_null(node->lft);
	for (unsigned lid = 0; lid <= LID_LAST; lid++)
		if (subnet_lookup(node, lid) != LFT_NO_PORT && used < sizeof text)
			used += (size_t)snprintf(
				text + used, sizeof text - used, "%s%u:%u", used ? " " : "", lid, subnet_lookup(node, lid));
	assert_string_equal(text, expected);
}

static void assert_claim(const struct subnet *subnet, unsigned lid, unsigned lmc, uint64_t guid, enum node_kind kind, const char *desc)
{
	for (uint32_t c = 0; c < subnet->claims; c++) {
		const struct lid_claim *claim = &subnet->claim[c];
		if (claim->lid != lid)
			continue;
		assert_int_equal(claim->lmc, lmc);
		assert_int_equal(claim->guid, guid);
		assert_int_equal(claim->kind, kind);
		assert_string_equal(claim->desc, desc);
		return;
	}
	fail_msg("nobody claims LID %u", lid);
}

static void assert_odd(const struct subnet *subnet, enum oddity oddity, uint64_t count)
{
	assert_int_equal(subnet->oddity[oddity].count, count);
}

/* ---- dump_fts and its kin */

#define HEADING "  Lid  Out   Destination\n       Port     Info \n"

TEST(a_table_of_dump_fts_names_switch_ports_and_hosts)
{
	struct subnet *subnet =
		load("Unicast lids [0x0-0xb] of switch DR path slid 0; dlid 0; 0,1,5 guid 0xb8599f0300fc6d20 (MF0;leaf 2:Q/U1):\n" HEADING
		     "0x0001 005 : (Channel Adapter portguid 0x0c42a10300000021: 'node 02 (old) 's HCA-1')\n"
		     "0x0002 000 : (Switch portguid 0xb8599f0300fc6d20: 'MF0;leaf 2:Q/U1')\n"
		     "0x000b 009 : (Router portguid 0x0005ad0000000061: 'Longbow')\n"
		     "3 valid lids dumped \n");
	assert_entries(subnet, 0xb8599f0300fc6d20, "1:5 2:0 11:9");
	assert_string_equal(switch_of(subnet, 0xb8599f0300fc6d20)->desc, "MF0;leaf 2:Q/U1");
	assert_int_equal(subnet->claims, 3);
	assert_claim(subnet, 1, 0, 0x0c42a10300000021, NODE_CA, "node 02 (old) 's HCA-1");
	assert_claim(subnet, 2, 0, 0xb8599f0300fc6d20, NODE_SWITCH, "MF0;leaf 2:Q/U1");
	assert_claim(subnet, 11, 0, 0x0005ad0000000061, NODE_ROUTER, "Longbow");
	assert_odd(subnet, ODD_LINES, 0);
	assert_odd(subnet, ODD_TRUNCATED, 0);
	subnet_free(subnet);
}

TEST(a_table_without_destinations_has_the_same_entries)
{
	struct subnet *subnet = load("Unicast lids [0x0-0xbfff] of switch Lid 5 guid 0x11 (a):\n" HEADING
				     "0x0001 005 \n0x000A 254\n0xbfff 001 \n3 valid lids dumped \n");
	assert_entries(subnet, 0x11, "1:5 10:254 49151:1");
	assert_int_equal(subnet->claims, 0);
	assert_odd(subnet, ODD_TRUNCATED, 0);
	subnet_free(subnet);
}

TEST(illegal_ports_and_lid_0_are_no_entries_but_count_as_lines)
{
	struct subnet *subnet = load("Unicast lids [0x0-0x4] of switch Lid 5 guid 0x11 (a):\n" HEADING
				     "0x0000 255 : (path #0 - illegal port)\n0x0001 005 : (path #1 - illegal port)\n0x0002 003 \n"
				     "0x0003 255 \n0x0004 004 : (path #4 - unknown)\n5 lids dumped \n");
	assert_entries(subnet, 0x11, "2:3 4:4");
	assert_odd(subnet, ODD_TRUNCATED, 0);
	assert_odd(subnet, ODD_LINES, 0);
	subnet_free(subnet);
}

TEST(paths_tell_of_several_lids)
{
	struct subnet *subnet = load("Unicast lids [0x0-0x9] of switch Lid 5 guid 0x11 (a):\n" HEADING
				     "0x0004 001 : (Channel Adapter portguid 0x21: 'one')\n0x0005 001 : (path #2 out of 4: portguid 0x21)\n"
				     "0x0007 002 : (path #4 out of 4: portguid 0x21)\n0x0009 003 : (path #2 out of 2: portguid 0x22)\n"
				     "4 valid lids dumped \n");
	assert_entries(subnet, 0x11, "4:1 5:1 7:2 9:3");
	assert_int_equal(subnet->claims, 2);
	assert_claim(subnet, 4, 2, 0x21, NODE_CA, "one");
	assert_claim(subnet, 8, 1, 0x22, NODE_UNKNOWN, "");
	subnet_free(subnet);
}

TEST(opensm_names_the_same_port_for_each_of_its_lids)
{
	struct subnet *subnet =
		load("Unicast lids [0-23] of switch Lid 4 guid 0x11 ('leaf 1'):\n"
		     "0x0002 002 # Channel Adapter portguid 0x21: 'node 1'\n0x0003 002 # Channel Adapter portguid 0x21: 'node 1'\n"
		     "0x0004 000 # Switch portguid 0x11: 'leaf 1'\n0x0007 003 # Channel Adapter portguid 0x22: 'node 2'\n4 lids dumped\n"
		     "Unicast lids [0-23] of switch Lid 5 guid 0x12 ('leaf 2'):\n"
		     "0x0006 003 # Channel Adapter portguid 0x22: 'node 2'\n1 lids dumped\n");
	assert_entries(subnet, 0x11, "2:2 3:2 4:0 7:3");
	assert_entries(subnet, 0x12, "6:3");
	assert_string_equal(switch_of(subnet, 0x11)->desc, "leaf 1");
	assert_claim(subnet, 2, 1, 0x21, NODE_CA, "node 1");
	assert_claim(subnet, 4, 0, 0x11, NODE_SWITCH, "leaf 1");
	assert_claim(subnet, 6, 1, 0x22, NODE_CA, "node 2");
	subnet_free(subnet);
}

TEST(blanks_tabs_upper_case_and_windows_line_ends_do_not_matter)
{
	struct subnet *subnet =
		load("\xef\xbb\xbfUnicast lids [0x0-0x63] of switch Lid 5 guid 0xABCDEF (up):\r\n" HEADING
		     "\t0X00aB\t7 : (Channel Adapter portguid 0xAB: 'h')\r\n  0xAC   012   \r\n0x1 3\r\n3 valid lids dumped \r\n");
	assert_entries(subnet, 0xabcdef, "1:3 171:7 172:12");
	assert_claim(subnet, 0xab, 0, 0xab, NODE_CA, "h");
	assert_odd(subnet, ODD_LINES, 0);
	assert_odd(subnet, ODD_TRUNCATED, 0);
	subnet_free(subnet);
}

TEST(messages_in_between_are_passed_over_and_counted)
{
	struct subnet *subnet =
		load("ibwarn: [4711] mad_rpc: timed out\nUnicast lids [0x0-0x3] of switch Lid 5 guid 0x11 (a):\n" HEADING
		     "0x0001 005 \nibwarn: [4711] _do_madrpc: recv failed\n0x0002 300 \n0xc001 001 \n0x0003 006 \n0x0004 0x5\n"
		     "2 valid lids dumped \n0x0007 001 \n");
	assert_entries(subnet, 0x11, "1:5 3:6");
	assert_odd(subnet, ODD_LINES, 6); /* two messages, a port and a LID that cannot be, a line torn, and one behind the table */
	assert_odd(subnet, ODD_TRUNCATED, 0);
	subnet_free(subnet);
}

TEST(tables_cut_off_are_told)
{
	struct subnet *subnet = load("Unicast lids [0x0-0x3] of switch Lid 5 guid 0x11 (a):\n0x0001 005 \n0x0002 005 \n"
				     "Unicast lids [0x0-0x3] of switch Lid 6 guid 0x12 (b):\n0x0001 005 \n2 valid lids dumped \n"
				     "Unicast lids [0x0-0x3] of switch Lid 7 guid 0x13 (c):\n0x0001 005 \n");
	assert_odd(subnet, ODD_TRUNCATED, 3);
	assert_contains(subnet->oddity[ODD_TRUNCATED].first, "dump:1: 2 entries read");
	assert_entries(subnet, 0x11, "1:5 2:5");
	assert_entries(subnet, 0x13, "1:5");
	subnet_free(subnet);
}

TEST(an_empty_table_is_a_table)
{
	struct subnet *subnet = load("Unicast lids [0x0-0x0] of switch Lid 5 guid 0x11 (a):\n" HEADING "0 valid lids dumped \n");
	assert_entries(subnet, 0x11, "");
	assert_odd(subnet, ODD_TRUNCATED, 0);
	subnet_free(subnet);
}

TEST(a_header_without_a_guid_gives_its_entries_to_no_switch)
{
	struct subnet *subnet = load("Unicast lids [0x0-0x3] of switch Lid 5 guid 0x11 (a):\n0x0001 005 \n1 valid lids dumped \n"
				     "Unicast lids [0x0-0x3] of switch Lid 6\n0x0002 006 \n1 valid lids dumped \n");
	assert_entries(subnet, 0x11, "1:5");
	assert_int_equal(subnet->nodes, 1);
	assert_odd(subnet, ODD_LINES, 3);
	subnet_free(subnet);
}

TEST(multicast_tables_are_no_unicast_tables)
{
	struct subnet *subnet =
		load("Unicast lids [0x0-0x3] of switch Lid 5 guid 0x11 (a):\n0x0001 005 \n1 valid lids dumped \n"
		     "Multicast mlids [0xc000-0xc3ff] of switch Lid 5 guid 0x11 (a):\n            0                   1\n"
		     "     Ports: 0 1 2 3 4 5 6 7 8 9 0 1\n MLid\n0xc000          x   x\n0xc001  002 \n2 valid mlids dumped \n");
	assert_entries(subnet, 0x11, "1:5");
	assert_odd(subnet, ODD_LINES, 0);
	assert_odd(subnet, ODD_TRUNCATED, 0);
	subnet_free(subnet);
}

/* ---- fdbs */

TEST(fdbs_of_all_ages_read_alike)
{
	static const char *const before[] = {"dump_ucast_routes", "osm_ucast_mgr_dump_ucast_routes", "__osm_ucast_mgr_dump_ucast_routes"};
	for (size_t i = 0; i < ARRAY_LENGTH(before); i++) {
		char text[1000];
		snprintf(text, sizeof text,
			"# This database file was automatically generated\n%s: Switch 0x0000000000200000\nLID    : Port : Hops : Optimal\n"
			"0x0001 : 005  : 02   : yes\n0x0002 : 000  : 00   : yes\n0x0003 : UNREACHABLE\n0x0004 : 255  : 00   : yes\n"
			"0x000A : 007  : 03   : No 2 hop path possible via port 6!\n\n",
			before[i]);
		struct subnet *subnet = load(text);
		assert_entries(subnet, 0x200000, "1:5 2:0 10:7");
		assert_odd(subnet, ODD_LINES, 0);
		subnet_free(subnet);
	}
}

TEST(of_several_private_tables_the_first_counts)
{
	struct subnet *subnet = load(
		"osm_ucast_mgr_dump_ucast_routes: Switch 0x11\nPLFT_NUM: 0\nLID    : Port : Hops : Optimal\n0x0001 : 001  : 00   : yes\n"
		"PLFT_NUM: 1\nLID    : Port : Hops : Optimal\n0x0001 : 002  : 00   : yes\n"
		"osm_ucast_mgr_dump_ucast_routes: Switch 0x12\nPLFT_NUM: 0\n0x0001 : 003  : 00   : yes\n");
	assert_entries(subnet, 0x11, "1:1");
	assert_entries(subnet, 0x12, "1:3");
	assert_odd(subnet, ODD_LINES, 0);
	subnet_free(subnet);
}

TEST(mcfdbs_are_passed_over)
{
	struct subnet *subnet = load("dump_ucast_routes: Switch 0x11\nLID    : Port : Hops : Optimal\n0x0001 : 001  : 00   : yes\n\n"
				     "Switch 0x0000000000000011\nLID    : Out Port(s) \n0xC000 : 0x001 0x002 \n0x0002 : 0x003\n");
	assert_entries(subnet, 0x11, "1:1");
	assert_odd(subnet, ODD_LINES, 0);
	subnet_free(subnet);
}

TEST(the_header_of_another_form_ends_a_table)
{
	struct subnet *subnet =
		load("dump_ucast_routes: Switch 0x11\n0x0001 : 001  : 00   : yes\nSwitch: guid 0x0000000000000012\n0x0002: 03 ff\n");
	assert_entries(subnet, 0x11, "1:1");
	assert_odd(subnet, ODD_LINES, 2);
	subnet_free(subnet);
}

/* ---- SL to VL */

#define LANES "#in out : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n#------\n"

TEST(virtual_lanes_of_switches_are_kept)
{
	struct subnet *subnet = load(
		"Switch 0x0000000000000011, base LID 2, \"leaf 1\"\n" LANES
		"0   1   : 0  1  0  1  0  1  0  1  4  5  4  5  4  5  4  5 \n2   1   : 0  1  2  3  4  5  6  7  8  9  10 11 12 13 14 15\n"
		"#------\n\nChannel Adapter 0x0000000000000021, base LID 1, \"H0\"\n" LANES
		"0   0   : 0  0  0  0  0  0  0  0  1  1  1  1  1  1  1  1 \n#------\n");
	const struct subnet_node *node = switch_of(subnet, 0x11);
	assert_non_null(node->sl2vl);
	assert_int_equal(node->sl2vl_ports, 2);
	for (int level = 0; level < SERVICE_LEVELS; level++)
		assert_int_equal(node->sl2vl[(2 * 3 + 1) * SERVICE_LEVELS + level], level);
	assert_int_equal(node->sl2vl[(0 * 3 + 1) * SERVICE_LEVELS + 9], 5);
	assert_int_equal(subnet->nodes, 1);
	assert_odd(subnet, ODD_LINES, 0);
	subnet_free(subnet);
}

TEST(rows_that_are_not_whole_are_passed_over)
{
	struct subnet *subnet = load("Switch 0x11, base LID 2, \"a\"\n1 2 : 0 1 2\n1 2 : 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 16\n"
				     "1 1 : 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1\n");
	assert_odd(subnet, ODD_LINES, 2);
	assert_int_equal(switch_of(subnet, 0x11)->sl2vl_ports, 1);
	subnet_free(subnet);
}

/* ---- what the real tools wrote */

static const char *data_folder(void)
{
	const char *folder = getenv("ORCS_TEST_DATA");
	return folder ? folder : "../shared/data";
}

static struct subnet *load_file(const char *name)
{
	struct error error = {0};
	struct subnet *subnet = subnet_create(&error);
	char path[400];
	snprintf(path, sizeof path, "%s/ib/%s", data_folder(), name);
	dump_read(subnet, path, ANY, &error);
	assert_fine(&error);
	return subnet;
}

static void assert_same_tables(const char *one, const char *other)
{
	struct subnet *a = load_file(one), *b = load_file(other);
	assert_int_equal(a->nodes, b->nodes);
	for (uint32_t n = 0; n < a->nodes; n++) {
		const struct subnet_node *node = &a->node[n], *same = switch_of(b, node->guid);
		for (unsigned lid = 0; lid <= LID_LAST; lid++)
			if (subnet_lookup(node, lid) != subnet_lookup(same, lid))
				fail_msg("%s and %s: port %u and %u for LID %u", one, other, subnet_lookup(node, lid),
					subnet_lookup(same, lid), lid);
	}
	assert_odd(a, ODD_LINES, 0);
	assert_odd(b, ODD_LINES, 0);
	assert_odd(a, ODD_TRUNCATED, 0);
	assert_odd(b, ODD_TRUNCATED, 0);
	subnet_free(a);
	subnet_free(b);
}

/* Whether the folder of real dumps is there; if not, the test is skipped. */
static void need_data(void)
{
	char path[400];
	snprintf(path, sizeof path, "%s/ib/generated", data_folder());
	if (access(path, R_OK)) {
		print_message("skipped: no real dumps in %s (ORCS_TEST_DATA)\n", data_folder());
		skip();
	}
}

TEST(the_tools_agree_about_the_same_fabric)
{
	static const char *const same[][2] = {
		{"generated/traps/dump_fts.minhop", "generated/traps/opensm-lfts.dump"},
		{"generated/traps/dump_fts.minhop", "generated/traps/opensm.fdbs"},
		{"generated/traps/dump_fts_lmc1.minhop", "generated/traps/opensm-lfts.dump_lmc1"},
		{"generated/traps/dump_fts_lmc1.minhop", "generated/traps/opensm.fdbs_lmc1"},
		{"generated/tree2_324/dump_fts.minhop.xz", "generated/tree2_324/opensm-lfts.dump.minhop.xz"},
		{"generated/tree2_324/dump_fts.minhop.xz", "generated/tree2_324/opensm.fdbs.minhop.xz"},
		{"generated/irreg/dump_fts.minhop.xz", "generated/irreg/opensm-lfts.dump.minhop.xz"},
		{"generated/irreg/dump_fts.minhop.xz", "generated/irreg/opensm.fdbs.minhop.xz"},
		{"generated/torus444_4/opensm-lfts.dump.minhop.xz", "generated/torus444_4/opensm.fdbs.minhop.xz"},
		{"generated/kary3_54_ibdiagnet/dump_fts-n.txt.xz", "generated/kary3_54_ibdiagnet/dump_fts-a.txt.xz"},
	};
	need_data();
	for (size_t i = 0; i < ARRAY_LENGTH(same); i++)
		assert_same_tables(same[i][0], same[i][1]);
}

TEST(every_table_of_the_files_is_read)
{
	static const struct {
		const char *file;
		unsigned switches, messages;
	} files[] = {
		{"generated/kary3_54_ibdiagnet/dump_lfts.txt.xz", 45, 1}, /* dump_lfts.sh warns that it is old */
		{"generated/kary3_54_ibdiagnet/ibdiagnet.fdbs.xz", 45, 0},
		{"generated/tree2_324/dump_fts.minhop_lmc2.xz", 36, 0},
		{"real/nmorey_ibutils/osm.fdbs.xz", 62, 0},
		{"real-routed/loginoff.minhop/dump_fts.txt.xz", 8, 0},
		{"real-routed/hk_Topo.5.minhop/dump_fts.txt.xz", 206, 0},
	};
	need_data();
	for (size_t i = 0; i < ARRAY_LENGTH(files); i++) {
		struct subnet *subnet = load_file(files[i].file);
		unsigned tables = 0;
		for (uint32_t n = 0; n < subnet->nodes; n++)
			tables += subnet->node[n].lft != NULL;
		if (tables != files[i].switches || subnet->oddity[ODD_LINES].count != files[i].messages)
			fail_msg("%s: %u tables, %u messages", files[i].file, tables, (unsigned)subnet->oddity[ODD_LINES].count);
		assert_odd(subnet, ODD_TRUNCATED, 0);
		subnet_free(subnet);
	}
}

TEST(both_dumps_claim_the_same_lids)
{
	need_data();
	struct subnet *a = load_file("generated/traps/dump_fts_lmc1.minhop"), *b = load_file("generated/traps/opensm-lfts.dump_lmc1");
	assert_int_equal(a->claims, 11);
	assert_int_equal(b->claims, 11);
	for (uint32_t c = 0; c < a->claims; c++)
		assert_claim(b, a->claim[c].lid, a->claim[c].lmc, a->claim[c].guid, a->claim[c].kind, a->claim[c].desc);
	subnet_free(a);
	subnet_free(b);
}

TEST(the_lanes_of_a_torus_are_read)
{
	need_data();
	struct subnet *subnet = load_file("generated/torus444_4/opensm-sl2vl.torus2qos.xz");
	assert_int_equal(subnet->nodes, 64);
	assert_odd(subnet, ODD_LINES, 0);
	const struct subnet_node *node = switch_of(subnet, 0x200000);
	assert_int_equal(node->sl2vl_ports, 36);
	assert_int_equal(node->sl2vl[(3 * 37 + 1) * SERVICE_LEVELS + 15], 7);
	subnet_free(subnet);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_of_dump_fts_names_switch_ports_and_hosts),
		cmocka_unit_test(a_table_without_destinations_has_the_same_entries),
		cmocka_unit_test(illegal_ports_and_lid_0_are_no_entries_but_count_as_lines),
		cmocka_unit_test(paths_tell_of_several_lids),
		cmocka_unit_test(opensm_names_the_same_port_for_each_of_its_lids),
		cmocka_unit_test(blanks_tabs_upper_case_and_windows_line_ends_do_not_matter),
		cmocka_unit_test(messages_in_between_are_passed_over_and_counted),
		cmocka_unit_test(tables_cut_off_are_told),
		cmocka_unit_test(an_empty_table_is_a_table),
		cmocka_unit_test(a_header_without_a_guid_gives_its_entries_to_no_switch),
		cmocka_unit_test(multicast_tables_are_no_unicast_tables),
		cmocka_unit_test(fdbs_of_all_ages_read_alike),
		cmocka_unit_test(of_several_private_tables_the_first_counts),
		cmocka_unit_test(mcfdbs_are_passed_over),
		cmocka_unit_test(the_header_of_another_form_ends_a_table),
		cmocka_unit_test(virtual_lanes_of_switches_are_kept),
		cmocka_unit_test(rows_that_are_not_whole_are_passed_over),
		cmocka_unit_test(the_tools_agree_about_the_same_fabric),
		cmocka_unit_test(every_table_of_the_files_is_read),
		cmocka_unit_test(both_dumps_claim_the_same_lids),
		cmocka_unit_test(the_lanes_of_a_torus_are_read),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
