/* Dumps of the cabling: every form tells the same fabric, what is broken is refused at its line, and real dumps agree with one another. */
#include "helpers.h"

#include "infiniband/dump.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- subnets as text */

static int compare_lines(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static char *line_of(const struct subnet *subnet, const struct subnet_port *port)
{
	static const char *const kinds[] = {"??", "CA", "SW", "RT"};
	const struct subnet_node *node = &subnet->node[port->node];
	char *line = malloc(400);
	assert_non_null(line);
	int used = snprintf(line, 400, "%s '%.60s' %u guid %" PRIx64 " lid %u/%u %ux%s", kinds[node->kind], node->desc, port->number,
		port->guid, port->lid, port->lmc, port->lanes, lane_rate_name(port->rate));
	if (port->peer != NONE)
		snprintf(line + used, 400 - (size_t)used, " to '%.60s' %u", subnet->node[subnet->port[port->peer].node].desc,
			subnet->port[port->peer].number);
	return line;
}

/* A line for each port that says anything, sorted. */
static char *subnet_lines(const struct subnet *subnet)
{
	char **line = calloc(subnet->ports + 1, sizeof *line), *text = malloc(subnet->ports * 400 + 1), *end = text;
	size_t count = 0;
	assert_true(line && text);
	for (uint32_t p = 0; p < subnet->ports; p++)
		if (subnet->port[p].peer != NONE || subnet->port[p].guid || subnet->port[p].lid)
			line[count++] = line_of(subnet, &subnet->port[p]);
	qsort(line, count, sizeof *line, compare_lines);
	*end = '\0';
	for (size_t i = 0; i < count; i++) {
		end += sprintf(end, "%s\n", line[i]);
		free(line[i]);
	}
	free(line);
	return text;
}

/* The subnet of a file, which must be fine. */
static struct subnet *load(const char *path)
{
	struct error error = {0};
	struct subnet *subnet = subnet_create(&error);
	assert_non_null(subnet);
	if (dump_read(subnet, path, 1U << DUMP_TOPOLOGY, &error))
		fail_msg("%s", error.text);
	return subnet;
}

static struct subnet *read_dump(const char *text)
{
	return load(write_text("dump", text).text);
}

static void check_lines(const char *dump, const char *expected)
{
	struct subnet *subnet = read_dump(dump);
	char *lines = subnet_lines(subnet);
	assert_string_equal(lines, expected);
	free(lines);
	subnet_free(subnet);
}

/* The dump is refused with that status, at that line (0: none), and these words. */
static void check_refused(const char *dump, unsigned line, const char *words)
{
	struct error error = {0};
	char place[20];
	struct subnet *subnet = subnet_create(&error);
	struct path path = write_text("dump", dump);
	assert_int_equal(dump_read(subnet, path.text, 1U << DUMP_TOPOLOGY, &error), -1);
	snprintf(place, sizeof place, "dump:%u: ", line);
	assert_error(&error, STATUS_FABRIC, line ? place : "dump: ", words);
	subnet_free(subnet);
}

static const struct subnet_node *node_called(const struct subnet *subnet, const char *desc)
{
	for (uint32_t n = 0; n < subnet->nodes; n++)
		if (!strcmp(subnet->node[n].desc, desc))
			return &subnet->node[n];
	fail_msg("no node '%s'", desc);
	return NULL;
}

/* ---- one fabric in all forms: two switches, two parallel cables, a channel adapter with two ports, a router */

static const char all_ports[] = "CA 'node \"1\" (a)' 1 guid 11 lid 4/0 4xHDR to 'leaf #1' 1\n"
				"CA 'node \"1\" (a)' 2 guid 12 lid 5/0 4xHDR to 'leaf 2' 1\n"
				"RT 'out' 1 guid 21 lid 6/0 4xQDR to 'leaf 2' 9\n"
				"SW 'leaf #1' 0 guid a00 lid 2/0 0x\n"
				"SW 'leaf #1' 1 guid 0 lid 0/0 4xHDR to 'node \"1\" (a)' 1\n"
				"SW 'leaf #1' 5 guid 0 lid 0/0 4xNDR to 'leaf 2' 5\n"
				"SW 'leaf #1' 6 guid 0 lid 0/0 2xXDR to 'leaf 2' 6\n"
				"SW 'leaf 2' 0 guid b00 lid 3/0 0x\n"
				"SW 'leaf 2' 1 guid 0 lid 0/0 4xHDR to 'node \"1\" (a)' 2\n"
				"SW 'leaf 2' 5 guid 0 lid 0/0 4xNDR to 'leaf #1' 5\n"
				"SW 'leaf 2' 6 guid 0 lid 0/0 2xXDR to 'leaf #1' 6\n"
				"SW 'leaf 2' 9 guid 0 lid 0/0 4xQDR to 'out' 1\n";

static const char plain_dump[] = "#\n# Topology file: generated on Tue Jun  5 14:15:10 2007\n#\n# Initiated from node 10 port 11\n\n"
				 "vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0xa00\nswitchguid=0xa00(a00)\n"
				 "Switch\t41 \"S-0000000000000a00\"\t\t# \"leaf #1\" enhanced port 0 lid 2 lmc 0\n"
				 "[1]\t\"H-0000000000000010\"[1](11) \t\t# \"node \"1\" (a)\" lid 4 4xHDR\n"
				 "[5]\t\"S-0000000000000b00\"[5]\t\t# \"leaf 2\" lid 3 4xNDR\n"
				 "[6]\t\"S-0000000000000b00\"[6]\t\t# \"leaf 2\" lid 3 2xXDR\n\n"
				 "vendid=0x2c9\ndevid=0xd2f0\nsysimgguid=0xb00\nswitchguid=0xb00(b00)\n"
				 "Switch\t41 \"S-0000000000000b00\"\t\t# \"leaf 2\" base port 0 lid 3 lmc 0\n"
				 "[1]\t\"H-0000000000000010\"[2](12) \t\t# \"node \"1\" (a)\" lid 5 4xHDR\n"
				 "[5]\t\"S-0000000000000a00\"[5]\t\t# \"leaf #1\" lid 2 4xNDR\n"
				 "[6]\t\"S-0000000000000a00\"[6]\t\t# \"leaf #1\" lid 2 2xXDR\n"
				 "[9]\t\"R-0000000000000020\"[1](21) \t\t# \"out\" lid 6 4xQDR\n\n"
				 "vendid=0x2c9\ndevid=0x101b\nsysimgguid=0x10\ncaguid=0x10\n"
				 "Ca\t2 \"H-0000000000000010\"\t\t# \"node \"1\" (a)\"\n"
				 "[1](11) \t\"S-0000000000000a00\"[1]\t\t# lid 4 lmc 0 \"leaf #1\" lid 2 4xHDR\n"
				 "[2](12) \t\"S-0000000000000b00\"[1]\t\t# lid 5 lmc 0 \"leaf 2\" lid 3 4xHDR\n\n"
				 "vendid=0x5ad\ndevid=0x1\nsysimgguid=0x20\nrtguid=0x20\n"
				 "Rt\t1 \"R-0000000000000020\"\t\t# \"out\"\n"
				 "[1](21) \t\"S-0000000000000b00\"[9]\t\t# lid 6 lmc 0 \"leaf 2\" lid 3 4xQDR\n";

/* The text with each occurrence of one thing replaced by another; to be freed. */
static char *replaced(const char *text, const char *from, const char *to)
{
	char *result = malloc(strlen(text) * (strlen(to) + 1) + 1), *end = result;
	assert_non_null(result);
	for (const char *found; (found = strstr(text, from)); text = found + strlen(from))
		end += sprintf(end, "%.*s%s", (int)(found - text), text, to);
	strcpy(end, text);
	return result;
}

TEST(ibnetdiscover_tells_all_of_nodes_and_ports)
{
	struct subnet *subnet = read_dump(plain_dump);
	const struct subnet_node *leaf = node_called(subnet, "leaf #1"), *ca = node_called(subnet, "node \"1\" (a)");
	check_lines(plain_dump, all_ports);
	assert_int_equal(leaf->ports, 41);
	assert_int_equal(leaf->guid, 0xa00);
	assert_string_equal(leaf->id, "S-0000000000000a00");
	assert_int_equal(ca->vendor, 0x2c9);
	assert_int_equal(ca->device, 0x101b);
	assert_int_equal(ca->system_guid, 0x10);
	for (int o = 0; o < ODDITIES; o++)
		assert_int_equal(subnet->oddity[o].count, 0);
	subnet_free(subnet);
}

TEST(dialects_of_ibnetdiscover_tell_the_same)
{
	static const struct {
		const char *from, *to;
	} dialects[] = {
		{"\t", "        "},
		{"\n", "\r\n"},
		{"\n\n", "\n"},
		{"0000000000000", ""},                             /* unpadded GUIDs */
		{"HDR\n", "HDR s=4 w=2 v=4\n"},                    /* -f */
		{"\n\nvendid", "\n\nNon-Chassis Nodes\n\nvendid"}, /* -g */
		{"\n\nvendid=0x2c9\ndevid=0xd", "\n\nChassis 0xa0 (guid 0xa0)\n\n# Spine Nodes\n\nvendid=0x2c9\ndevid=0xd"},
		{"guid=0xa00(a00)\n", "guid=0xa00(a00)\t# Chassis 0xa0 (guid 0xa0) slot 3\n"},
		{"[5]\t", "[5][ext 17]\t"},
		{"00\"[5]", "00\"[5][ext 3]"},
		{"\n[1]\t", "\n[1](7)\t"}, /* ibdiagnet 2 */
		{"0xb00(b00)", "0xb00"},
		{"# Topology", "DR path slid 0; dlid 0; 0 -> new Switch {0000000000000a00} portnum 0 lid 0-0 \"\"\n# Topology"}, /* -s */
		{"\n[6]", "\nibwarn: [12345] mad_rpc: _do_madrpc failed; dport (Lid 3)\n[6]"},
		{"# Topology file: generated on Tue Jun  5 14:15:10 2007\n", "\xef\xbb\xbf[root@node ~]# ibnetdiscover\n"},
		{"lid 3 lmc 0\n", "lid 3 lmc 0\n\n"},
		{"\n[6]", "\n[1234.567] mlx5_core: \"link\" up\n[2024-05-01 12:00:00] done\n[98765] sim_connect: attached\n[6]"},
		{"base port 0", "port 0"},
		{"switchguid=0xb00(b00)", "switchguid=0xa00(a00)"},
		{"switchguid=0xa00(a00)", "switchguid=0xb00(b00)"},
	};
	for (size_t d = 0; d < ARRAY_LENGTH(dialects); d++) {
		char *dump = replaced(plain_dump, dialects[d].from, dialects[d].to);
		assert_string_not_equal(dump, plain_dump);
		check_lines(dump, all_ports);
		free(dump);
	}
}

TEST(a_dump_may_stand_twice_in_a_file_and_miss_one_end)
{
	char *twice = malloc(2 * sizeof plain_dump);
	strcat(strcpy(twice, plain_dump), plain_dump);
	check_lines(twice, all_ports);
	char *gap = replaced(plain_dump, "[6]\t\"S-0000000000000a00\"[6]\t\t# \"leaf #1\" lid 2 2xXDR\n", "");
	char *untold = replaced(all_ports, "2xXDR to 'leaf #1'", "0x to 'leaf #1'"); /* each end has its own speed */
	check_lines(gap, untold);
	free(twice);
	free(gap);
	free(untold);
}

TEST(all_speeds_and_widths)
{
	static const char *const widths[] = {"1x", "2x", "4x", "8x", "12x"};
	static const char *const rates[] = {"SDR", "DDR", "QDR", "FDR10", "FDR", "EDR", "HDR", "NDR", "XDR", "???"};
	for (size_t w = 0; w < ARRAY_LENGTH(widths); w++)
		for (size_t r = 0; r < ARRAY_LENGTH(rates); r++) {
			char dump[300], expected[300], speed[20];
			snprintf(speed, sizeof speed, "%s%s", widths[w], r + 1 < ARRAY_LENGTH(rates) ? rates[r] : "");
			snprintf(dump, sizeof dump,
				"Switch\t4 \"S-000000000000000a\"\t\t# \"a\"\n[1]\t\"S-000000000000000b\"[2]\t\t# \"b\" lid 0 %s%s\n",
				widths[w], rates[r]);
			snprintf(expected, sizeof expected,
				"SW 'a' 0 guid a lid 0/0 0x\nSW 'a' 1 guid 0 lid 0/0 %s to 'b' 2\nSW 'b' 2 guid 0 lid 0/0 0x to 'a' 1\n",
				speed);
			check_lines(dump, expected);
		}
}

TEST(what_is_no_lid_is_none)
{
	static const char *const none[] = {"0", "-1", "65535", "49152", "", "0 lmc 3"};
	for (size_t i = 0; i < ARRAY_LENGTH(none); i++) {
		char dump[300];
		snprintf(dump, sizeof dump,
			"Ca\t1 \"H-0000000000000010\"\t\t# \"h\"\n[1](1011) \t\"S-000000000000000a\"[2]\t\t# lid %s \"a\" lid %s 4xEDR\nSwitch\t4 \"S-000000000000000a\"\t\t"
			"# \"a\" base port 0 lid %s lmc 0\n",
			none[i], none[i], none[i]);
		check_lines(dump, "CA 'h' 1 guid 1011 lid 0/0 4xEDR to 'a' 2\n"
				  "SW 'a' 0 guid a lid 0/0 0x\nSW 'a' 2 guid 0 lid 0/0 0x to 'h' 1\n");
	}
}

TEST(lmc_and_the_last_lid)
{
	check_lines(
		"Ca\t1 \"H-0000000000000010\"\t\t# \"h\"\n[1](1011) \t\"S-000000000000000a\"[2]\t\t# lid 49151 lmc 7 \"a\" lid 9 4xEDR\n",
		"CA 'h' 1 guid 1011 lid 49151/7 4xEDR to 'a' 2\nSW 'a' 0 guid 0 lid 9/0 0x\nSW 'a' 2 guid 0 lid 0/0 0x to 'h' 1\n");
}

TEST(self_links_and_two_peers_are_counted)
{
	struct subnet *subnet = read_dump(
		"Switch\t8 \"S-000000000000000a\"\t\t# \"a\"\n[1]\t\"S-000000000000000a\"[2]\n[2]\t\"S-000000000000000a\"[1]\n[3]\t\"S-000000000000000a\"[3]\n[4]\t\"S-000000000000000b\"[1]\n"
		"[5]\t\"S-000000000000000b\"[1]\n");
	assert_int_equal(subnet->oddity[ODD_SELF_LINK].count, 2);
	assert_int_equal(subnet->oddity[ODD_TWO_PEERS].count, 1);
	assert_contains(subnet->oddity[ODD_TWO_PEERS].first, "dump:6");
	subnet_free(subnet);
}

TEST(ibnetdiscover_lines_that_break_the_grammar)
{
	static const struct {
		const char *lines, *words;
		unsigned line;
	} broken[] = {
		{"[300]\t\"S-000000000000000b\"[1]\n", "within [1]..[8]", 2},
		{"[9]\t\"S-000000000000000b\"[1]\n", "within [1]..[8]", 2},
		{"[0]\t\"S-000000000000000b\"[1]\n", "within [1]..[8]", 2},
		{"[1\t\"S-000000000000000b\"[1]\n", "within [1]..[8]", 2},
		{"[1]\n", "id is missing", 2},
		{"[1\n", "within [1]..[8]", 2},
		{"[1]\tS-b[1]\n", "id is missing", 2},
		{"[1]\t\"S-b\n", "id has no closing quote", 2},
		{"[1]\t\"\"[1]\n", "id is missing", 2},
		{"[1]\t\"S-000000000000000b\"\n", "[1]..[254]", 2},
		{"[1]\t\"S-000000000000000b\"[255]\n", "[1]..[254]", 2},
		{"[1]\t\"S-000000000000000b\"[\n", "[1]..[254]", 2},
		{"[1]\t\"H-000000000000000b\"[1](12\n", "is not closed", 2},
		{"[1](12\t\"H-000000000000000b\"[1]\n", "is not closed", 2},
		{"[1]\t\"S-000000000000000b\"[1]\t# \"leaf\n", "description has no closing quote", 2},
		{"\nSwitch\t0 \"S-000000000000000b\"\n", "1..255", 3},
		{"\nSwitch\t8\n", "id is missing", 3},
		{"\nSwitch\t8 \"S-000000000000000b\"\t# \"x\n", "description has no closing quote", 3},
		{"\nswitchguid=0xb(\n", "parentheses", 3},
		{"\nswitchguid=\n", "value of switchguid", 3},
		{"\nvendid=0x123456789\n", "value of vendid", 3},
		{"[1]\t\"S-000000000000000b\"leaf\"[1]\n", "is not followed by a port", 2},
		{"include \"/dev/null\"\n", "not a regular file", 2},
		{"@[9] = \"x\"\n", "within [1]..[8]", 2},
		{"@[1] = x\n", "alias", 2},
		{"[1]\t\"@x\"\n", "no port above this line has this alias", 2},
		{"include \"\"\n", "the included file is not in quotes", 2},
	};
	for (size_t b = 0; b < ARRAY_LENGTH(broken); b++) {
		char dump[300];
		snprintf(dump, sizeof dump, "Switch\t8 \"S-000000000000000a\"\t\t# \"a\" base port 0 lid 3 lmc 0\n%s", broken[b].lines);
		check_refused(dump, broken[b].line, broken[b].words);
	}
	check_refused("[1]\t\"S-000000000000000b\"[1]\n", 1, "before the header");
	check_refused("Switch\t : 0xa00 ports 36 \"a\"\n", 0, "unrecognised format");
}

TEST(ibnetdiscover_that_ends_early_is_counted)
{
	static const char *const ends[] = {
		"[1",
		"[1]\t\"S-000000000000000b\"[",
		"[1]\t\"S-000000000000000b\"[1]\t# \"leaf",
		"[1]\t\"S-000000000000000b\"[1]\t# \"b\" lid 1 4xEDR\n[2]\t\"S-000000000000000b\"[2]\t# \"b\" lid 1 4xE\n",
		"[1]\t\"S-000000000000000b\"[1]\t# \"b\" lid 1 4xEDR\n[2]\t\"S-000000000000000b\"[2]\t# \"b\" li\n",
		"\nvendid=0x2c9\nswitchguid=0xb(b)\n",
	};
	for (size_t e = 0; e < ARRAY_LENGTH(ends); e++) {
		char dump[300];
		snprintf(dump, sizeof dump, "Switch\t8 \"S-000000000000000a\"\t\t# \"a\" base port 0 lid 3 lmc 0\n%s", ends[e]);
		struct subnet *subnet = read_dump(dump);
		assert_int_equal(subnet->oddity[ODD_CUT_OFF].count, 1);
		subnet_free(subnet);
	}
}

TEST(logs_of_terminals_lack_tabs)
{
	check_lines("#\r\nswitchguid=0xa(a)\r\nSwitch41 \"S-000000000000000a\"# \"a\" enhanced port 0 lid 3 lmc 0\r\n"
		    "[2]\"H-0000000000000010\"[1](1011) # \"h\" lid 5 4xHDR\r\n\r\ncaguid=0x10\r\nCa1 \"H-0000000000000010\"# \"h\"\r\n"
		    "[1](1011) \"S-000000000000000a\"[2]# lid 5 lmc 0 \"a\" lid 3 4xHDR\r\n",
		"CA 'h' 1 guid 1011 lid 5/0 4xHDR to 'a' 2\nSW 'a' 0 guid a lid 3/0 0x\nSW 'a' 2 guid 0 lid 0/0 4xHDR to 'h' 1\n");
}

/* ---- ibsim */

TEST(ibsim_gives_guids_in_order)
{
	check_lines("Switch\t8 \"s1\"\n[1]\t\"h1\"[1]\n[2]\t\"h2\"[2]\n[3]\t\"s2\"[3]\n\nHca\t2 \"h1\"\n[1]\t\"s1\"[1]\n\n"
		    "Ca\t2 \"h2\"\t# \"second\"\n[2]\t\"s1\"[2]\n\nSwitch 8 \"s2\"\n[3] \"s1\"[3]\n[4] \"h3\"\n\n"
		    "caguid=0x40\nCa 1 \"h3\"\n[1] \"s2\"[4]\n",
		"CA 'h1' 1 guid 100001 lid 0/0 0x to 's1' 1\nCA 'h3' 1 guid 41 lid 0/0 0x to 's2' 4\n"
		"CA 'second' 2 guid 100005 lid 0/0 0x to 's1' 2\nSW 's1' 0 guid 200000 lid 0/0 0x\n"
		"SW 's1' 1 guid 0 lid 0/0 0x to 'h1' 1\nSW 's1' 2 guid 0 lid 0/0 0x to 'second' 2\n"
		"SW 's1' 3 guid 0 lid 0/0 0x to 's2' 3\nSW 's2' 0 guid 200001 lid 0/0 0x\nSW 's2' 3 guid 0 lid 0/0 0x to 's1' 3\n"
		"SW 's2' 4 guid 0 lid 0/0 0x to 'h3' 1\n");
}

TEST(ibsim_names_may_look_like_guids)
{
	check_lines("Switch 8 \"S-core\"\n[1] \"H-node\"\n\nHca 1 \"H-node\"\n[1] \"S-core\"[1]\n",
		"CA 'H-node' 1 guid 100001 lid 0/0 0x to 'S-core' 1\nSW 'S-core' 0 guid 200000 lid 0/0 0x\n"
		"SW 'S-core' 1 guid 0 lid 0/0 0x to 'H-node' 1\n");
}

TEST(ibsim_speeds_are_those_of_the_slower_end)
{
	check_lines("width=2\nspeed=7\nextspeed=4\nSwitch 8 \"s1\"\n[1] \"s2\"[1]\n[2] \"s2\"[2] w=16 s=7 e=2\n[3] \"s2\"[3] w=8\n\n"
		    "extspeed=0\nSwitch 8 \"s2\"\n[1] \"s1\"[1]\n[2] \"s1\"[2] e=7 w=16\n[3] \"s1\"[3] s=1\n",
		"SW 's1' 0 guid 200000 lid 0/0 0x\nSW 's1' 1 guid 0 lid 0/0 4xQDR to 's2' 1\n"
		"SW 's1' 2 guid 0 lid 0/0 2xEDR to 's2' 2\nSW 's1' 3 guid 0 lid 0/0 4xSDR to 's2' 3\n"
		"SW 's2' 0 guid 200001 lid 0/0 0x\nSW 's2' 1 guid 0 lid 0/0 4xQDR to 's1' 1\n"
		"SW 's2' 2 guid 0 lid 0/0 2xEDR to 's1' 2\nSW 's2' 3 guid 0 lid 0/0 4xSDR to 's1' 3\n");
}

TEST(ibsim_modules_and_aliases)
{
	struct subnet *subnet = read_dump("module=\"m\"\nSwitch 8 \"s1\"\n@[2] = \"up\"\n[1] \"h1\"[1]\n\nHca 2 \"h1\"\n[1] \"s1\"[1]\n\n"
					  "module=\"n\"\nSwitch 8 \"s1\"\n[7] \"@up\"\n[8] \"m#s1\"[8]\n\ndo something\n");
	char *lines = subnet_lines(subnet);
	assert_string_equal(lines, "CA 'm#h1' 1 guid 100001 lid 0/0 0x to 'm#s1' 1\nSW 'm#s1' 0 guid 200000 lid 0/0 0x\n"
				   "SW 'm#s1' 1 guid 0 lid 0/0 0x to 'm#h1' 1\nSW 'm#s1' 2 guid 0 lid 0/0 0x to 'n#s1' 7\n"
				   "SW 'm#s1' 8 guid 0 lid 0/0 0x to 'n#s1' 8\nSW 'n#s1' 0 guid 200001 lid 0/0 0x\n"
				   "SW 'n#s1' 7 guid 0 lid 0/0 0x to 'm#s1' 2\nSW 'n#s1' 8 guid 0 lid 0/0 0x to 'm#s1' 8\n");
	free(lines);
	subnet_free(subnet);
}

TEST(ibsim_files_include_files)
{
	write_text("hosts", "Hca 1 \"h1\"\n[1] \"s1\"[1]\n");
	write_text("bad", "Hca 1 \"h1\"\n[1] \"s1\n");
	write_text("loop", "include \"loop\"\n");
	check_lines("Switch 8 \"s1\"\n[1] \"h1\"[1]\n\ninclude \"hosts\"\n",
		"CA 'h1' 1 guid 100001 lid 0/0 0x to 's1' 1\nSW 's1' 0 guid 200000 lid 0/0 0x\nSW 's1' 1 guid 0 lid 0/0 0x to 'h1' 1\n");
	write_text("more", "extspeed=2\nSwitch 4 \"s2\"\n\n");
	check_lines("width=2\nspeed=7\nSwitch 8 \"s1\"\n\ninclude \"more\"\nSwitch 8 \"s3\"\n[1] \"s1\"[1]\n",
		"SW 's1' 0 guid 200000 lid 0/0 0x\nSW 's1' 1 guid 0 lid 0/0 0x to 's3' 1\nSW 's2' 0 guid 200001 lid 0/0 0x\n"
		"SW 's3' 0 guid 200002 lid 0/0 0x\nSW 's3' 1 guid 0 lid 0/0 4xEDR to 's1' 1\n");
	struct error error = {0};
	struct subnet *subnet = subnet_create(&error);
	assert_int_equal(dump_read(subnet, write_text("dump", "Switch 8 \"s1\"\n\ninclude \"bad\"\n").text, 1, &error), -1);
	assert_error(&error, STATUS_FABRIC, "bad:2: ", "no closing quote");
	assert_int_equal(dump_read(subnet, scratch_path("loop").text, 1, &error), -1);
	assert_error(&error, STATUS_FABRIC, "deep");
	assert_int_equal(dump_read(subnet, write_text("dump", "Switch 8 \"s1\"\ninclude \"nowhere\"\n").text, 1, &error), -1);
	assert_error(&error, STATUS_IO, "nowhere");
	subnet_free(subnet);
}

/* Each of five files includes the next a hundred times: no file is in it twice, and none is deep. */
TEST(ibsim_files_do_not_multiply)
{
	char text[5000], name[] = "many0";
	struct error error = {0};
	struct subnet *subnet = subnet_create(&error);
	write_text("many5", "Switch 8 \"s1\"\n");
	for (char level = '0'; level < '5'; level++) {
		char *end = text;
		for (int i = 0; i < 100; i++)
			end += sprintf(end, "include \"many%c\"\n", level + 1);
		name[4] = level;
		write_text(name, text);
	}
	assert_int_equal(dump_read(subnet, scratch_path("many0").text, 1, &error), -1);
	assert_error(&error, STATUS_FABRIC, "more than 1000 files are included");
	subnet_free(subnet);
}

/* ---- lst */

#define LST_LEAF_1(kind, port) \
	"{ " kind " Ports:29 SystemGUID:0000000000000a00 NodeGUID:0000000000000a00 PortGUID:0000000000000a00 VenID:0002C9 DevID:D2F0 " \
	"Rev:000000A1 {leaf #1} LID:0002 PN:" port " }"
#define LST_LEAF_2(kind, port) \
	"{ " kind " Ports:29 SystemGUID:0000000000000b00 NodeGUID:0000000000000b00 PortGUID:0000000000000b00 VenID:000002C9 " \
	"DevID:D2F00000 Rev:000000A1 {leaf 2} LID:0003 PN:" port " }"
#define LST_NODE(port, guid, lid) \
	"{ CA-SM Ports:02 SystemGUID:0000000000000010 NodeGUID:0000000000000010 PortGUID:" guid " VenID:0002C9 DevID:101B Rev:000000A1 " \
	"{node \"1\" (a)} LID:" lid " PN:" port " }"
#define LST_ROUTER \
	"{ Rt Ports:01 SystemGUID:0000000000000020 NodeGUID:0000000000000020 PortGUID:0000000000000021 VenID:000005AD DevID:10000 " \
	"Rev:000000A1 {out} LID:0006 PN:01 }"
#define LST(leaf) \
	LST_NODE("01", "0000000000000011", "0004") \
	" " LST_LEAF_1(leaf, "01") " PHY=4x LOG=ACT SPD=50\n" LST_LEAF_1(leaf, "05") " " LST_LEAF_2( \
		leaf, "05") " PHY=4x LOG=ACT SPD=100\n" LST_LEAF_1(leaf, "06") " " LST_LEAF_2(leaf, \
		"06") " PHY=2x LOG=INI SPD=200\n" LST_LEAF_2(leaf, "01") " " LST_NODE("02", "0000000000000012", \
		"0005") " PHY=4x LOG=ACT SPD=50\n" LST_LEAF_2(leaf, "09") " " LST_ROUTER " PHY=4x LOG=ACT SPD=10\n"

TEST(lst_tells_each_link_once_or_twice)
{
	struct subnet *subnet = read_dump(LST("SW"));
	assert_int_equal(node_called(subnet, "leaf #1")->ports, 0x29);
	assert_int_equal(node_called(subnet, "leaf 2")->device, 0xd2f0);
	assert_int_equal(node_called(subnet, "out")->device, 1);
	assert_int_equal(node_called(subnet, "out")->vendor, 0x5ad);
	for (uint32_t p = 0; p < subnet->ports; p++)
		assert_true(subnet->port[p].peer == NONE || subnet->port[p].stated);
	subnet_free(subnet);
	check_lines(LST("SW"), all_ports);
	check_lines(LST("SW") LST_LEAF_2("SW", "05") " " LST_LEAF_1("SW", "05") " PHY=4x LOG=ACT SPD=100\n", all_ports);
}

TEST(lst_that_calls_switches_channel_adapters)
{
	check_lines(LST("CA"), all_ports);
}

TEST(lst_without_descriptions)
{
	char *bare = replaced(LST_LEAF_1("SW", "01") " " LST_LEAF_2("SW", "02") " PHY=4x LOG=ACT SPD=25\n", "{leaf #1}", "");
	check_lines(bare, "SW '' 0 guid a00 lid 2/0 0x\nSW '' 1 guid 0 lid 0/0 4xEDR to 'leaf 2' 2\nSW 'leaf 2' 0 guid b00 lid 3/0 0x\n"
			  "SW 'leaf 2' 2 guid 0 lid 0/0 4xEDR to '' 1\n");
	free(bare);
}

TEST(lst_lines_that_break_the_grammar)
{
	check_refused(LST_LEAF_1("SW", "01") " " LST_LEAF_2("SW", "0") " PHY=4x LOG=ACT\n", 1, "an end of a link");
	check_refused(LST_LEAF_1("SW", "01") " " LST_LEAF_2("SW", "FF") " PHY=4x LOG=ACT\n", 1, "an end of a link");
	check_refused(LST_LEAF_1("SW", "01") " { SW Ports:29 SystemGUID:00\n", 1, "an end of a link");
	check_refused(LST_LEAF_1("SW", "01") "\n", 1, "an end of a link");
	check_refused(LST_LEAF_1("SW", "01") " " LST_LEAF_2("SW", "02") " PHY=4x L\n", 1, "LOG=");
	check_refused(LST_LEAF_1("SW", "01") " " LST_LEAF_2("SW", "02") "\n", 1, "PHY=");
}

/* ---- forms without node GUIDs: the ports of the channel adapter are two nodes */

static const char port_list[] = "CA     4  1 0x0000000000000011 4x HDR - SW     2  1 0x0000000000000a00 ( 'node \"1\" (a)' - 'leaf #1' )\n"
				"SW     2  9 0x0000000000000a00 4x SDR                                    'leaf #1'\n"
				"SW     2  5 0x0000000000000a00 4x NDR - SW     3  5 0x0000000000000b00 ( 'leaf #1' - 'leaf 2' )\n"
				"SW     2  6 0x0000000000000a00 2x XDR - SW     3  6 0x0000000000000b00 ( 'leaf #1' - 'leaf 2' )\n"
				"RT     6  1 0x0000000000000021 4x QDR - SW     3  9 0x0000000000000b00 ( 'out' - 'leaf 2' )\n"
				"SW     3  1 0x0000000000000b00 4x HDR - CA     5  2 0x0000000000000012 ( 'leaf 2' - 'node \"1\" (a)' )\n";

TEST(port_list_tells_the_same)
{
	check_lines(port_list, all_ports);
}

TEST(port_list_lines_that_break_the_grammar)
{
	check_refused("CA     4  0 0x11 4x HDR\n", 1, "no number");
	check_refused("CA     4  1 0x11\n", 1, "ends before");
	check_refused("CA     4  1 0x11 4x HDR - SW     2 \n", 1, "other end");
	check_refused("CA     4  1 0x11 4x HDR - SW     2 1 0xa00 ( 'a' - 'b\n", 1, "NAME");
	check_refused("CA     4  1 0x11 4x HDR - SW     2 1 0xa00 ( 'a'\n", 1, "NAME");
}

#define DOWN "[  ] ==(                Down/ Polling)==>             [  ] \"\" ( )\n"
#define UP(width, speed) "[  ] ==( " width "      " speed " Gbps Active/  LinkUp)==>  "

static const char link_lines[] = "0x0000000000000011 \"                node \"1\" (a)\"      4    1" UP("4X",
	"53.125") "0x0000000000000a00      2    1[  ] \"leaf #1\" ( Could be 106.25 Gbps)\n"
		  "0x0000000000000a00 \"                     leaf #1\"      2    1" UP("4X",
			  "53.125") "0x0000000000000011      4    1[  ] \"node \"1\" (a)\" ( )\n"
				    "0x0000000000000a00 \"                     leaf #1\"      2    2" DOWN
				    "0x0000000000000a00 \"                     leaf #1\"      2    5" UP("4X",
					    "106.25") "0x0000000000000b00      3    5[ 7] \"leaf 2\" ( )\n"
						      "0x0000000000000a00 \"                     leaf #1\"      2    6" UP("2X",
							      "212.5") "0x0000000000000b00      3    6[  ] \"leaf 2\" ( Could be 4X)\n"
								       "0x0000000000000b00 \"                      leaf 2\"      3    1" UP(
									       "4X",
									       "53.125") "0x0000000000000012      5    2[  ] \"node \"1\" (a)\" ( )\n"
											 "0x0000000000000b00 \"                      leaf 2\"      3    9" UP(
												 "4X",
												 "10.0") "0x0000000000000021      6    1[  ] \"out\" ( )\n";

static const char link_blocks[] =
	"CA: node \"1\" (a):\n"
	"      0x0000000000000011      4    1" UP("4X",
		"53.125") "     2    1[  ] \"leaf #1\" ( )\n"
			  "      0x0000000000000012      5    2" UP("4X",
				  "53.125") "     3    1[  ] \"leaf 2\" ( )\n"
					    "Switch: 0x0000000000000a00 leaf #1:\n"
					    "           2    1" UP("4X",
						    "53.125") "     4    1[  ] \"node \"1\" (a)\" ( )\n"
							      "           2    2" DOWN
							      "           2    5[  ] ==( 4X 106.25 Gbps Active/  LinkUp) (HOQ:16 VL_Stall:7)==>     3    5[  ] \"leaf 2\" ( )\n"
							      "           2    6" UP("2X",
								      "212.5") "     3    6[  ] \"leaf 2\" ( )\n"
									       "Switch: 0x0000000000000b00 leaf 2:\n"
									       "           3    1" UP("4X",
										       "53.125") "     5    2[  ] \"node \"1\" (a)\" ( )\n"
												 "           3    9" UP("4X",
													 "10.0") "     6    1[  ] \"out\" ( )\n"
														 "Router: out:\n"
														 "      0x0000000000000021      6    1" UP(
															 "4X",
															 "10.0") "     3    9[  ] \"leaf 2\" ( )\n";

TEST(iblinkinfo_tells_the_same)
{
	char *expected = replaced(all_ports, "RT 'out'", "CA 'out'"); /* with -l no kinds are told */
	check_lines(link_lines, expected);
	check_lines(link_blocks, all_ports);
	free(expected);
}

TEST(iblinkinfo_of_switches_only_has_their_hosts)
{
	char *switches = replaced(strstr(link_blocks, "Switch: 0x0000000000000a00"), "Router: out:\n", "");
	*strstr(switches, "      0x0000000000000021") = '\0';
	struct subnet *subnet = read_dump(switches);
	uint32_t cas = 0;
	for (uint32_t n = 0; n < subnet->nodes; n++)
		cas += subnet->node[n].kind == NODE_CA;
	assert_int_equal(cas, 3);
	assert_int_equal(subnet->nodes, 5);
	assert_int_equal(subnet->port[node_called(subnet, "out")->port[1]].lid, 6);
	subnet_free(subnet);
	free(switches);
}

TEST(iblinkinfo_fdr10)
{
	check_lines("0x11 \"h\"      4    1[  ] ==( 4X 10.0 Gbps (FDR10) Active/  LinkUp)==>  0x12 5 2[  ] \"i\" ( )\n",
		"CA 'h' 1 guid 11 lid 4/0 4xFDR10 to 'i' 2\nCA 'i' 2 guid 12 lid 5/0 4xFDR10 to 'h' 1\n");
}

TEST(iblinkinfo_lines_that_break_the_grammar)
{
	check_refused("Switch: 0xa00 a:\n  2  1" UP("4X", "53.125") "  0  1[  ] \"b\" ( )\n", 2, "iblinkinfo -l");
	check_refused("  2  1" UP("4X", "53.125") "  3  1[  ] \"b\" ( )\n", 1, "before the name");
	check_refused("CA: a:\n  2  1" UP("4X", "53.125") "  3  1[  ] \"b\" ( )\n", 2, "no GUID");
	check_refused("Switch: 0xa00 a:\n  2  1[  ] ==( 4X 10.0 Gb\n", 2, "ends before");
	check_refused("Switch: 0xa00 a:\n  2  1[  ] ==( 4X 10.0 Gbps Active/  LinkUp)==>   3  \n", 2, "after the arrow");
	check_refused("Switch: 0xa00 a:\n  2  1" UP("4X", "53.125") "  3  1[  ] \"b\n", 2, "after the arrow");
	check_refused("Switch: 0xa00 a:\n  2  300" UP("4X", "53.125") "  3  1[  ] \"b\" ( )\n", 2, "before the arrow");
	check_refused("0xa00 \"a\"  2  1" UP("4X", "53.125") "  3  1[  ] \"b\" ( )\n", 1, "no GUID");
}

/* ---- db_csv */

#define DB_NODES \
	"START_NODES\n" \
	"NodeDesc,NumPorts,NodeType,ClassVersion,BaseVersion,SystemImageGUID,NodeGUID,PortGUID,DeviceID,PartitionCap,revision,VendorID," \
	"LocalPortNum\n" \
	"\"leaf #1\",41,2,1,1,0xa00,0xa00,0xa00,54000,8,160,0x02c9,1\n" \
	"\"leaf 2\",41,2,1,1,0xb00,0xb00,0xb00,54000,8,160,0x02c9,5\n" \
	"\"node \"1\" (a)\",2,1,1,1,0x10,0x10,0x11,4123,128,0,0x02c9,1\n" \
	"\"out\",1,3,1,1,0x20,0x20,0x21,1,128,0,0x05ad,1\n" \
	"END_NODES\n\n"
#define DB_PORTS \
	"START_PORTS\n" \
	"NodeGuid,PortGuid,PortNum,LID,LinkWidthActv,LinkSpeedActv,LMC,PortState\n" \
	"0xa00,0xa00,0,2,0,0,0,4\n0xa00,0xa00,1,2,2,1024,0,4\n0xa00,0xa00,2,0,2,1,0,1\n0xa00,0xa00,5,0,2,2048,0,4\n0xa00,0xa00,6,0,16,4096,0,4\n" \
	"0xb00,0xb00,0,3,0,0,0,4\n0xb00,0xb00,1,0,2,1024,0,4\n0xb00,0xb00,5,0,2,2048,0,4\n0xb00,0xb00,6,0,16,4096,0,4\n" \
	"0xb00,0xb00,9,0,2,4,0,4\n" \
	"0x10,0x11,1,4,2,1024,0,4\n0x10,0x12,2,5,2,1024,0,4\n0x20,0x21,1,6,2,4,0,4\n" \
	"END_PORTS\n\n"
#define DB_LINKS \
	"START_LINKS\n" \
	"NodeGuid1,PortNum1,NodeGuid2,PortNum2\n0xa00,1,0x10,1\n0xa00,5,0xb00,5\n0xb00,6,0xa00,6\n0xb00,1,0x10,2\n0x20,1,0xb00,9\n" \
	"END_LINKS\n"
#define DB_OTHER "START_SWITCHES\nNodeGUID,LinearFDBCap\n0xa00,49152\nSTART, not of a section\nEND_SWITCHES\n"

TEST(db_csv_tells_the_same)
{
	struct subnet *subnet = read_dump("# ibdiagnet\n" DB_NODES DB_OTHER DB_PORTS DB_LINKS);
	const struct subnet_node *leaf = node_called(subnet, "leaf #1");
	assert_int_equal(leaf->ports, 41);
	assert_int_equal(leaf->device, 54000);
	assert_int_equal(leaf->vendor, 0x2c9);
	for (uint32_t p = 0; p < subnet->ports; p++)
		assert_true(subnet->port[p].peer == NONE || subnet->port[p].stated);
	subnet_free(subnet);
	check_lines("# ibdiagnet\n" DB_NODES DB_OTHER DB_PORTS DB_LINKS, all_ports);
	check_lines(DB_NODES DB_LINKS DB_PORTS, all_ports);
	char *blanks = replaced(DB_NODES DB_PORTS DB_LINKS, ",", ", ");
	check_lines(blanks, all_ports); /* as opensm-smdb.dump has it */
	free(blanks);
}

TEST(db_csv_columns_may_move)
{
	check_lines("START_NODES\nNODEGUID,extra,NodeDesc,nodetype\n0xa,\"1,2\",\"a, b\",2\n0xb,,b,2\nEND_NODES\n"
		    "START_LINKS\nPortNum2,PortNum1,NodeGuid2,NodeGuid1\n2,1,0xb,0xa\nEND_LINKS\n",
		"SW 'a, b' 1 guid 0 lid 0/0 0x to 'b' 2\nSW 'b' 2 guid 0 lid 0/0 0x to 'a, b' 1\n");
}

TEST(db_csv_that_breaks_the_grammar)
{
	check_refused("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0xa,1,0xb,2\n", 3, "ends within section LINKS");
	check_refused("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2\n0xa,1,0xb\nEND_LINKS\n", 2, "no column PortNum2");
	check_refused("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0xa,1,0xb\nEND_LINKS\n", 3, "3 values for 4 columns");
	check_refused("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0xa,300,0xb,1\nEND_LINKS\n", 3, "0..254");
	check_refused("START_LINKS\nNodeGuid1,PortNum1,NodeGuid2,PortNum2\n0,3,0xb,1\nEND_LINKS\n", 3, "no GUID");
	check_refused("START_LINKS\nSTART_NODES\n", 2, "within section LINKS");
	check_refused("START_LINKS\nEND_NODES\n", 2, "ended by END_NODES");
}

/* ---- real dumps */

/* The path of a file of the optional data, NULL where it is not there. */
static const char *data_path(const char *name, char path[500])
{
	struct stat status;
	const char *folder = getenv("ORCS_TEST_DATA");
	snprintf(path, 500, "%s/ib/%s", folder ? folder : "../shared/data", name);
	return stat(path, &status) ? NULL : path;
}

/* The lines of the dump without what forms leave out; NULL where it is not there. */
static char *data_lines(const char *name, bool with_lids)
{
	char path[500], *lines = NULL;
	if (data_path(name, path)) {
		struct subnet *subnet = load(path);
		for (uint32_t p = 0; p < subnet->ports && !with_lids; p++)
			subnet->port[p].lid = 0;
		lines = subnet_lines(subnet);
		subnet_free(subnet);
	} else {
		print_message("skipped: %s is not there (ORCS_TEST_DATA)\n", path);
		skip();
	}
	return lines;
}

static void check_agree(const char *one, const char *other, bool with_lids)
{
	char *first = data_lines(one, with_lids), *second = data_lines(other, with_lids);
	assert_string_equal(first, second);
	free(first);
	free(second);
}

TEST(real_tools_agree)
{
	check_agree("generated/traps/ibnetdiscover.txt", "generated/traps/opensm-subnet.lst", true);
	check_agree("generated/traps/ibnetdiscover.txt", "generated/traps/topology.ibsim", false);
	check_agree("generated/irreg/ibnetdiscover.txt.xz", "generated/irreg/opensm-subnet.lst.xz", true);
	check_agree("generated/irreg/ibnetdiscover.txt.xz", "generated/irreg/topology.ibsim", false);
	check_agree("generated/torus444_4/ibnetdiscover.txt.xz", "generated/torus444_4/opensm-subnet.lst.xz", true);
	check_agree("generated/torus444_4/ibnetdiscover.txt.xz", "generated/torus444_4/topology.ibsim", false);
	check_agree("generated/tree2_324/ibnetdiscover.txt.xz", "generated/tree2_324/opensm-subnet.lst.xz", true);
	check_agree("generated/tree2_324/ibnetdiscover.txt.xz", "generated/tree2_324/topology.ibsim.xz", false);
	static const char *const others[] = {"ibnetdiscover-f", "ibnetdiscover-s", "ibnetdiscover-p", "iblinkinfo-l"};
	for (size_t i = 0; i < ARRAY_LENGTH(others); i++) {
		char name[100];
		snprintf(name, sizeof name, "generated/kary3_54_ibdiagnet/%s.txt.xz", others[i]);
		check_agree("generated/kary3_54_ibdiagnet/ibnetdiscover-g.txt.xz", name, true);
	}
}

TEST(real_dumps_have_what_is_known_of_them)
{
	static const struct {
		const char *name;
		uint32_t kinds[4], cables;
	} known[] = {
		{"real/HyungKwang/Topo.1.txt", {0, 8, 4, 0}, 12},
		{"real/HyungKwang/Topo.5.txt.xz", {0, 1336, 206, 0}, 3572},
		{"real/jabl_ibtopotool/1.topo", {0, 4, 2, 0}, 7},
		{"real/jabl_ibtopotool/2.topo", {0, 2, 1, 0}, 2},
		{"real/loginoff/topo.xz", {0, 144, 8, 0}, 192},
		{"real/nmorey_ibutils/subnet.lst.xz", {0, 3, 62, 0}, 172},
		{"real/nmorey_ibutils/RhinoBased512.lst.xz", {0, 512, 216, 0}, 2752},
		{"real/nmorey_ibutils/RhinoBased512.no_sp2-3.lst.xz", {0, 512, 198, 0}, 2480},
		{"real/linux-rdma_ibsim/net", {0, 2, 2, 0}, 4},
		{"real/linux-rdma_ibsim/net.1", {0, 2, 1, 0}, 2},
		{"real/linux-rdma_ibsim/net.2sw2path", {0, 2, 2, 0}, 4},
		{"real/linux-rdma_ibsim/net.2sw2path4hca", {0, 4, 2, 0}, 6},
		{"real/linux-rdma_ibsim/net.2sw2path4hca2port", {0, 2, 2, 0}, 6},
	};
	for (size_t k = 0; k < ARRAY_LENGTH(known); k++) {
		char path[500];
		uint32_t kinds[4] = {0}, ends = 0;
		if (!data_path(known[k].name, path)) {
			print_message("skipped: %s is not there (ORCS_TEST_DATA)\n", path);
			skip();
		}
		struct subnet *subnet = load(path);
		for (uint32_t n = 0; n < subnet->nodes; n++)
			kinds[subnet->node[n].kind]++;
		for (uint32_t p = 0; p < subnet->ports; p++)
			ends += subnet->port[p].peer != NONE;
		assert_memory_equal(kinds, known[k].kinds, sizeof kinds);
		assert_int_equal(ends, 2 * known[k].cables);
		subnet_free(subnet);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(ibnetdiscover_tells_all_of_nodes_and_ports),
		cmocka_unit_test(dialects_of_ibnetdiscover_tell_the_same),
		cmocka_unit_test(a_dump_may_stand_twice_in_a_file_and_miss_one_end),
		cmocka_unit_test(all_speeds_and_widths),
		cmocka_unit_test(what_is_no_lid_is_none),
		cmocka_unit_test(lmc_and_the_last_lid),
		cmocka_unit_test(self_links_and_two_peers_are_counted),
		cmocka_unit_test(ibnetdiscover_lines_that_break_the_grammar),
		cmocka_unit_test(ibnetdiscover_that_ends_early_is_counted),
		cmocka_unit_test(logs_of_terminals_lack_tabs),
		cmocka_unit_test(ibsim_gives_guids_in_order),
		cmocka_unit_test(ibsim_names_may_look_like_guids),
		cmocka_unit_test(ibsim_speeds_are_those_of_the_slower_end),
		cmocka_unit_test(ibsim_modules_and_aliases),
		cmocka_unit_test(ibsim_files_include_files),
		cmocka_unit_test(ibsim_files_do_not_multiply),
		cmocka_unit_test(lst_tells_each_link_once_or_twice),
		cmocka_unit_test(lst_that_calls_switches_channel_adapters),
		cmocka_unit_test(lst_without_descriptions),
		cmocka_unit_test(lst_lines_that_break_the_grammar),
		cmocka_unit_test(port_list_tells_the_same),
		cmocka_unit_test(port_list_lines_that_break_the_grammar),
		cmocka_unit_test(iblinkinfo_tells_the_same),
		cmocka_unit_test(iblinkinfo_of_switches_only_has_their_hosts),
		cmocka_unit_test(iblinkinfo_fdr10),
		cmocka_unit_test(iblinkinfo_lines_that_break_the_grammar),
		cmocka_unit_test(db_csv_tells_the_same),
		cmocka_unit_test(db_csv_columns_may_move),
		cmocka_unit_test(db_csv_that_breaks_the_grammar),
		cmocka_unit_test(real_tools_agree),
		cmocka_unit_test(real_dumps_have_what_is_known_of_them),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
