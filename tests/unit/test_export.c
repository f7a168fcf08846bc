/* Dot graphs as subnets, and subnets as files for the tools of InfiniBand. */
#include "helpers.h"

#include "base/random.h"
#include "fabric/whole_fabric.h"
#include "infiniband/dump.h"
#include "infiniband/subnet_dot.h"
#include "infiniband/subnet_write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static struct subnet *load(const char *text)
{
	struct error error = {0};
	struct path path = write_text("fabric.dot", text);
	struct subnet *subnet = subnet_of_dot(path.text, true, &error);
	assert_fine(&error);
	assert_non_null(subnet);
	return subnet;
}

static uint32_t node_named(const struct subnet *subnet, const char *id)
{
	for (uint32_t n = 0; n < subnet->nodes; n++)
		if (!strcmp(subnet->node[n].id, id))
			return n;
	fail_msg("no node %s", id);
	return NONE;
}

/* "1>S1:2 2>H1:1": the cabled ports of a node and where they lead. */
static void assert_cables(const struct subnet *subnet, const char *id, const char *expected)
{
	char text[1000] = "";
	size_t used = 0;
	const struct subnet_node *node = &subnet->node[node_named(subnet, id)];
	for (size_t i = 1; i < node->slots && used < sizeof text; i++) {
		uint32_t peer = node->port[i] == NONE ? NONE : subnet->port[node->port[i]].peer;
		if (peer != NONE)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%zu>%s:%u", used ? " " : "", i,
				subnet->node[subnet->port[peer].node].id, subnet->port[peer].number);
	}
	assert_string_equal(text, expected);
}

static const struct subnet_port *port_at(const struct subnet *subnet, const char *id, unsigned number)
{
	const struct subnet_node *node = &subnet->node[node_named(subnet, id)];
	assert_true(number < node->slots && node->port[number] != NONE);
	return &subnet->port[node->port[number]];
}

TEST(ports_and_lids_that_are_missing_are_given_in_order)
{
	struct subnet *subnet = load("digraph { H1 -> S1; H2 -> S1; S1 -> H1; S1 -> H2; S1 -> S2; S2 -> S1; S1 -> S2; S2 -> S1 }");
	assert_cables(subnet, "S1", "1>H1:1 2>H2:1 3>S2:1 4>S2:2");
	assert_cables(subnet, "S2", "1>S1:3 2>S1:4");
	assert_int_equal(port_at(subnet, "H1", 1)->lid, 1);
	assert_int_equal(port_at(subnet, "S1", 0)->lid, 2);
	assert_int_equal(port_at(subnet, "H2", 1)->lid, 3);
	assert_int_equal(port_at(subnet, "H2", 1)->rate, RATE_UNKNOWN);
	subnet_free(subnet);
}

TEST(numbers_that_are_there_stay_and_the_others_fill_the_gaps)
{
	struct subnet *subnet =
		load("digraph { S1 -> S2 [port=2, peer_port=7]; S2 -> S1 [port=7, peer_port=2]; S1 -> S2; S2 -> S1 [peer_port=9];"
		     "H1 [lid=1]; H2 [lid=3]; S1 -> H1; H1 -> S1; S1 -> H2; H2 -> S1; S1 [lid=3] }");
	assert_cables(subnet, "S1", "1>H1:1 2>S2:7 3>H2:1 9>S2:1");
	assert_int_equal(port_at(subnet, "H1", 1)->lid, 1);
	assert_int_equal(port_at(subnet, "S1", 0)->lid, 3); /* it comes first */
	assert_int_equal(port_at(subnet, "S2", 0)->lid, 2);
	assert_int_equal(port_at(subnet, "H2", 1)->lid, 4);
	subnet_free(subnet);
}

TEST(a_channel_without_its_opposite_is_a_cable_too)
{
	struct subnet *subnet = load("digraph { S1 -> H1 [peer_port=2]; H2 -> S1; S1 -> S2 [port=5] }");
	assert_cables(subnet, "S1", "1>H1:2 2>H2:1 5>S2:1");
	assert_int_equal(subnet->oddity[ODD_TWO_PEERS].count, 0);
	subnet_free(subnet);
}

TEST(ports_of_one_adapter_come_together)
{
	struct subnet *subnet = load(
		"digraph { H1 [guid=\"0x11\", desc=\"node HCA-1\"]; H2 [guid=\"0x12\", desc=\"node HCA-1\"]; H3 [guid=\"0x23\", desc=\"x\"];"
		"H4 [guid=\"0x24\", desc=\"y\"]; H1 -> S; S -> H1; H2 -> S [port=2]; S -> H2; H3 -> S [port=1]; S -> H3; H4 -> S [port=2]; S -> H4 }");
	assert_int_equal(subnet->nodes, 4); /* H1 and H2 are one; H3 and H4 are not, as they are called differently */
	assert_cables(subnet, "H1", "1>S:1 2>S:2");
	assert_int_equal(subnet->node[node_named(subnet, "H1")].guid, 0x10);
	assert_int_equal(port_at(subnet, "H1", 2)->guid, 0x12);
	assert_int_equal(subnet->node[node_named(subnet, "H3")].guid, 0x22);
	assert_int_equal(subnet->node[node_named(subnet, "H4")].guid, 0); /* taken */
	subnet_free(subnet);
}

TEST(names_of_sixteen_digits_are_guids)
{
	struct subnet *subnet = load("digraph { H0002c90300000011 -> S0002c90300000020; S0002c90300000020 -> H0002c90300000011 }");
	assert_int_equal(port_at(subnet, "H0002c90300000011", 1)->guid, 0x0002c90300000011);
	assert_int_equal(subnet->node[node_named(subnet, "S0002c90300000020")].guid, 0x0002c90300000020);
	subnet_free(subnet);
}

TEST(widths_and_speeds_are_those_of_links)
{
	struct subnet *subnet =
		load("digraph { H1 -> S [speed=100, width=\"4x\"]; S -> H1; H2 -> S [speed=400]; S -> H2; H3 -> S [speed=\"2.5\"]; S -> H3;"
		     "H4 -> S [speed=7]; S -> H4; H5 -> S [speed=100, width=\"2x\"]; S -> H5 }");
	static const struct {
		const char *host;
		unsigned lanes;
		enum lane_rate rate;
	} expected[] = {{"H1", 4, RATE_EDR}, {"H2", 4, RATE_NDR}, {"H3", 1, RATE_SDR}, {"H4", 0, RATE_UNKNOWN}, {"H5", 2, RATE_HDR}};
	for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
		assert_int_equal(port_at(subnet, expected[i].host, 1)->lanes, expected[i].lanes);
		assert_int_equal(port_at(subnet, expected[i].host, 1)->rate, expected[i].rate);
	}
	subnet_free(subnet);
}

TEST(forwarding_sets_become_tables_and_switches_are_found_too)
{
	struct subnet *subnet = load(
		"digraph { H1 [lid=1]; H2 [lid=2]; S1 [lid=3]; S2 [lid=4]; S3 [lid=5]; H1 -> S1 [comment=\"*\"]; H2 -> S2 [comment=\"*\"];"
		"S1 -> H1 [comment=H1]; S1 -> S2 [comment=\"*\"]; S2 -> S1 [comment=H1]; S2 -> H2 [comment=H2]; S2 -> S3; S3 -> S2 }");
	const struct subnet_node *one = &subnet->node[node_named(subnet, "S1")], *two = &subnet->node[node_named(subnet, "S2")];
	assert_int_equal(subnet_lookup(one, 1), 1);
	assert_int_equal(subnet_lookup(one, 2), 2);
	assert_int_equal(subnet_lookup(one, 3), 0);
	assert_int_equal(subnet_lookup(one, 5), 2);
	assert_int_equal(subnet_lookup(two, 3), 2); /* H2 comes first in the file */
	assert_int_equal(subnet_lookup(two, 5), 3);
	assert_null(subnet->node[node_named(subnet, "S3")].lft);
	subnet_free(subnet);
}

/* A switch with a host of LMC 1, an aggregation node, a router of two ports, a port that is no host, and a spare switch behind it. */
#define OTHERS \
	"H1 [lid=2, lmc=1, guid=\"0x11\", node_guid=\"0x10\", system_guid=\"0x1f\"]; S [lid=1, guid=\"0x100\"" SWITCH_LIDS \
	"]; A [type=aggregation, lid=4, guid=\"0x41\"];" \
	"R1 [type=router, lid=5, guid=\"0x51\", node_guid=\"0x50\"]; R2 [type=router, lid=6, guid=\"0x52\", node_guid=\"0x50\", lmc=1];" \
	"P [type=port, guid=\"0x12\", node_guid=\"0x10\", lid=8]; T [type=spare, guid=\"0x200\", lid=9" SPARE_LIDS "];" \
	"H1 -> S [port=1, peer_port=1, comment=\"*\"]; S -> H1 [port=1, peer_port=1, comment=H1" HOST_LIDS "];" \
	"A -> S [port=1, peer_port=2]; S -> A [port=2, peer_port=1" A_LIDS \
	"]; R1 -> S [port=1, peer_port=3]; S -> R1 [port=3, peer_port=1];" \
	"R2 -> S [port=2, peer_port=4]; S -> R2 [port=4, peer_port=2" R_LIDS \
	"]; P -> T [port=2, peer_port=7]; T -> P [port=7, peer_port=2];" \
	"T -> S [port=8, peer_port=5" UP_LIDS "]; S -> T [port=5, peer_port=8" T_LIDS "]"

static void assert_entries(const struct subnet *subnet, const char *id, const char *expected)
{
	char text[1000] = "";
	size_t used = 0;
	for (unsigned lid = 0; lid <= 20; lid++) {
		unsigned port = subnet_lookup(&subnet->node[node_named(subnet, id)], lid);
		if (port != LFT_NO_PORT)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%u:%u", used ? " " : "", lid, port);
	}
	assert_string_equal(text, expected);
}

TEST(nodes_that_are_neither_hosts_nor_switches_are_in_the_subnet)
{
#define SWITCH_LIDS ", lids=\"1\""
#define SPARE_LIDS ", lids=\"9\""
#define HOST_LIDS ", lids=\"3\""
#define A_LIDS ", lids=\"4,20\""
#define R_LIDS ", lids=\"6-7\""
#define T_LIDS ", lids=\"8-9\""
#define UP_LIDS ", lids=\"1-4\""
	struct subnet *subnet = load("digraph {" OTHERS "}");
	assert_cables(subnet, "S", "1>H1:1 2>A:1 3>R1:1 4>R1:2 5>T:8");
	assert_cables(subnet, "T", "7>H1:2 8>S:5");
	assert_cables(subnet, "H1", "1>S:1 2>T:7");
	const struct subnet_node *host = &subnet->node[node_named(subnet, "H1")], *router = &subnet->node[node_named(subnet, "R1")];
	assert_int_equal(host->guid, 0x10);
	assert_int_equal(host->system_guid, 0x1f);
	assert_int_equal(port_at(subnet, "H1", 1)->guid, 0x11);
	assert_int_equal(port_at(subnet, "H1", 1)->lmc, 1);
	assert_int_equal(port_at(subnet, "H1", 2)->lid, 8);
	assert_int_equal(router->kind, NODE_ROUTER);
	assert_int_equal(port_at(subnet, "R1", 2)->lid, 6);
	assert_int_equal(subnet->node[node_named(subnet, "A")].device, 0xcf09);
	assert_entries(subnet, "S", "1:0 2:1 3:1 4:2 6:4 7:4 8:5 9:5 20:2"); /* the router's first LID has none, and gets none */
	assert_entries(subnet, "T", "1:8 2:8 3:8 4:8 9:0");
	subnet_free(subnet);
#undef SWITCH_LIDS
#undef SPARE_LIDS
#undef HOST_LIDS
#undef A_LIDS
#undef R_LIDS
#undef T_LIDS
#undef UP_LIDS
}

TEST(entries_that_no_lids_state_lead_to_all_nodes)
{
#define SWITCH_LIDS
#define SPARE_LIDS
#define HOST_LIDS
#define A_LIDS
#define R_LIDS
#define T_LIDS
#define UP_LIDS
	struct subnet *subnet = load("digraph {" OTHERS "}");
	assert_entries(subnet, "S", "1:0 2:1 3:1 4:2 5:3 6:4 7:4 8:5 9:5");
	assert_null(subnet->node[node_named(subnet, "T")].lft); /* nothing says that it is routed */
	subnet_free(subnet);
}

TEST(attributes_of_subnets_that_are_wrong_are_refused)
{
	static const struct {
		const char *text, *words;
	} wrong[] = {
		{"H1 [lmc=8]", "the lmc '8', not a number up to 7"},
		{"H1 [node_guid=x]", "the node_guid 'x', not up to 16 hexadecimal digits"},
		{"S [system_guid=00000000000000000]", "the system_guid"},
		{"S -> H1 [lids=\"0\"]", "switch 'S' has lids that are not LIDs"},
		{"S -> H1 [lids=\"5-4\"]", "switch 'S' has lids that are not LIDs"},
		{"S -> H1 [lids=\"5-6-7\"]", "switch 'S' has lids that are not LIDs"},
		{"S -> H1 [lids=\"49152\"]", "switch 'S' has lids that are not LIDs"},
		{"S -> H1 [lids=\"4,,5\"]", "switch 'S' has lids that are not LIDs"},
		{"R [type=router, lid=50000]; R -> S", "node 'R' has the lid '50000'"},
		{"R [type=router]; R -> S [port=-1]", "node 'R' has the port '-1'"},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(wrong); i++) {
		struct error error = {0};
		char text[300];
		snprintf(text, sizeof text, "digraph { H1 -> S [comment=\"*\"]; S -> H1 [comment=H1]; %s }", wrong[i].text);
		struct path path = write_text("fabric.dot", text);
		assert_null(subnet_of_dot(path.text, true, &error));
		assert_error(&error, STATUS_FABRIC, wrong[i].words, "fabric.dot");
	}
}

/* Tables that are made here come back from the attributes. */
TEST(entries_are_kept_in_attributes)
{
	struct world world;
	struct error error = {0};
	world_load(&world, "digraph {" OTHERS "}");
	struct whole_fabric *whole = whole_fabric_create(world.fabric, world.forwarding, world.attributes, &error);
	assert_fine(&error);
	assert_int_equal(whole_fabric_fill_guids(whole, &error), 0);
	assert_int_equal(whole_fabric_blank(whole, 30, &error), 0);
	assert_int_equal(whole->tables, 2);
	for (uint32_t n = 0; n < whole->nodes; n++)
		for (uint32_t lid = 1; lid < whole->lids && whole->node[n].table != NONE; lid++)
			if (lid != 2 && lid % 3)
				whole_set(whole, n, lid, whole->node[n].ports == 5 ? lid % 6 : 7 + lid % 2);
	for (int round = 0; round < 2; round++) { /* the second replaces the first */
		assert_int_equal(whole_fabric_keep(whole, world.attributes, &error), 0);
		struct whole_fabric *again = whole_fabric_create(world.fabric, world.forwarding, world.attributes, &error);
		assert_fine(&error);
		for (uint32_t n = 0; n < whole->nodes; n++)
			for (uint32_t lid = 1; lid < whole->lids; lid++)
				if (lid != 2) /* of the host: that of its forwarding set */
					assert_int_equal(whole_entry(again, n, lid), whole_entry(whole, n, lid));
		assert_int_equal(whole_entry(again, again->node_of[1], 2), 1);
		whole_fabric_free(again);
	}
	whole_fabric_forget(world.attributes, world.fabric);
	assert_null(attributes_of_node(world.attributes, 1, "lids"));
	assert_null(attributes_find(world.attributes, ATTRIBUTE_CHANNEL, "lids"));
	whole_fabric_free(whole);
	world_clear(&world);
}

TEST(too_many_ports_are_refused)
{
	struct error error = {0};
	char *text = malloc(20000);
	size_t used = (size_t)sprintf(text, "digraph {");
	for (int i = 0; i < 255; i++)
		used += (size_t)sprintf(text + used, "S -> H%d; H%d -> S;", i, i);
	sprintf(text + used, "}");
	struct path path = write_text("fabric.dot", text);
	assert_null(subnet_of_dot(path.text, true, &error));
	assert_error(&error, STATUS_FABRIC, "node 'S' has 255 channels", "254");
	free(text);
}

/* What a net for ibsim looks like, and how much had to change. */
static char *net_of(struct subnet *subnet, struct ibsim_changes *changes)
{
	struct error error = {0};
	struct path path = scratch_path("net");
	uint32_t guids;
	FILE *file = fopen(path.text, "w");
	assert_non_null(file);
	assert_int_equal(subnet_fill_guids(subnet, &guids, &error), 0);
	assert_int_equal(subnet_write_ibsim(subnet, file, changes, &error), 0);
	assert_int_equal(fclose(file), 0);
	return read_whole(path.text);
}

TEST(guids_of_nodes_and_of_their_ports_in_the_simulator_are_unique)
{
	/* node 0x10 has port 0x11; so has node 0xf with its port 2, and the switch 0x11 is called so too */
	struct subnet *subnet = load(
		"digraph { H1 [guid=\"0x11\", desc=a]; H2 [guid=\"0x11\", desc=b]; S [guid=\"0x11\"]; H1 -> S; S -> H1; H2 -> S [port=2]; S -> H2 }");
	struct ibsim_changes changes;
	char *net = net_of(subnet, &changes);
	assert_contains(net, "caguid=0x10\n");
	assert_int_equal(changes.guids, 2);
	assert_contains(net, "switchguid=0x100003\n");
	assert_contains(net, "caguid=0x100000\n"); /* whose port 2 is 0x100002 */
	free(net);
	subnet_free(subnet);
}

TEST(descriptions_lose_quotes_and_what_is_beyond_63_bytes)
{
	struct subnet *subnet =
		load("digraph { H1 [desc=\"a \\\"b\\\"\"];"
		     "S [desc=\"0123456789012345678901234567890123456789012345678901234567890\xc3\xa4\xc3\xa4\"]; H1 -> S; S -> H1 }");
	struct ibsim_changes changes;
	char *net = net_of(subnet, &changes);
	assert_int_equal(changes.names, 2);
	assert_contains(net, "# \"a 'b'\"\n");
	assert_contains(net, "7890\xc3\xa4\" base port 0 lid 2");
	free(net);
	subnet_free(subnet);
}

TEST(the_slower_end_of_a_cable_counts)
{
	struct subnet *subnet = load("digraph { H1 -> S [speed=200, width=\"4x\"]; S -> H1 [speed=50, width=\"2x\"] }");
	struct ibsim_changes changes;
	char *net = net_of(subnet, &changes);
	assert_contains(net, "Switch\t1 \"S-");
	assert_contains(net, "\"[1] w=16 s=7 e=2\n");
	assert_contains(net, "\"[1] w=16 s=7 e=2 # lid 1 lmc 0\n");
	assert_int_equal(changes.speeds, 0);
	assert_int_equal(changes.links, 0);
	free(net);
	subnet_free(subnet);
}

/* ---- what is written can be read back, whatever nodes are called */

enum { HOSTS = 4, NODES = HOSTS + 2, LONGEST = 90, ROUNDS = 400 };

/* A quoted string of any bytes, and of the words and marks that mean something in dumps. */
static void put_string(FILE *file, struct random *random, char first)
{
	static const char *const words[] = {"illegal port", " guid 0x1", "lid 5 lmc 0", "'", "):", "('", "# ", "port 0 lid 7", "\\\"",
		"Switch", "[1]", "dumped", "\r", "\n", "\t", "\n\n", "\033", "\303\274", " 4xEDR", "Ca\t2 ", "@[1]", "=", "\\\\"};
	size_t length = random_below(random, random_below(random, 8) ? 6 : LONGEST);
	putc('"', file);
	if (first)
		putc(first, file);
	for (size_t i = 0; i < length; i++) {
		char any = (char)(1 + random_below(random, 255));
		if (random_below(random, 3) == 0)
			fputs(words[random_below(random, ARRAY_LENGTH(words))], file);
		else if (any != '"' && any != '\\' && any != '%')
			putc(any, file);
	}
	putc('"', file);
}

/* Two switches with hosts, all called anything, routed. */
static char *draw_graph(struct random *random)
{
	char *text, *name[NODES];
	size_t size;
	FILE *file;
	for (int v = 0; v < NODES; v++) {
		file = open_memstream(&name[v], &size);
		put_string(file, random, random_below(random, 4) ? (char)('a' + v) : (char)(v + 1)); /* all differ */
		fclose(file);
	}
	file = open_memstream(&text, &size);
	fputs("digraph {\n", file);
	for (int v = 0; v < NODES; v++) {
		fprintf(file, "%s [type=%s, guid=\"0x%x\"", name[v], v < HOSTS ? "host" : "switch", 0x100 * (v + 1) + (v < HOSTS));
		if (random_below(random, 2)) {
			fputs(", desc=", file);
			put_string(file, random, 0);
		}
		fputs("];\n", file);
	}
	for (int v = 0; v < HOSTS; v++)
		fprintf(file, "%s -> %s [comment=\"*\"];\n%s -> %s [comment=%s];\n", name[v], name[HOSTS + v % 2], name[HOSTS + v % 2],
			name[v], strchr(name[v], ',') ? "\"\"" : name[v]);
	fprintf(file, "%s -> %s [comment=\"*\"];\n%s -> %s [comment=\"*\"];\n}\n", name[HOSTS], name[HOSTS + 1], name[HOSTS + 1],
		name[HOSTS]);
	fclose(file);
	for (int v = 0; v < NODES; v++)
		free(name[v]);
	return text;
}

/* As a form writes it: without quotes, and cut. */
static void assert_description(const struct subnet_node *got, const struct subnet_node *original, size_t most)
{
	char expected[LONGEST * 20];
	const char *desc = *original->desc ? original->desc : "";
	size_t length = strlen(desc);
	assert_true(length < sizeof expected);
	strcpy(expected, desc);
	for (char *c = expected; *c; c++)
		*c = *c == '"' ? '\'' : *c;
	if (length <= most)
		assert_string_equal(got->desc, expected);
	else
		assert_memory_equal(got->desc, expected, strlen(got->desc));
	assert_true(length <= most || strlen(got->desc) + 4 + 60 > most);
}

/* Reads the file, in which every line must be understood. */
static void read_dump(struct subnet *subnet, const char *path)
{
	struct error error = {0};
	assert_int_equal(dump_read(subnet, path, ~0U, &error), 0);
	assert_fine(&error);
	assert_int_equal(subnet->oddity[ODD_LINES].count, 0);
	assert_int_equal(subnet->oddity[ODD_TRUNCATED].count, 0);
}

static void assert_same_nodes(const struct subnet *got, const struct subnet *original, size_t most)
{
	assert_int_equal(got->nodes, original->nodes);
	for (uint32_t n = 0; n < original->nodes; n++) {
		uint32_t same = subnet_find_node(got, original->node[n].guid);
		assert_int_not_equal(same, NONE);
		assert_int_equal(got->node[same].kind, original->node[n].kind);
		assert_description(&got->node[same], &original->node[n], most);
		assert_int_equal(subnet_cables(got, &got->node[same]), subnet_cables(original, &original->node[n]));
	}
}

static void assert_same_tables(const struct subnet *got, const struct subnet *original)
{
	for (uint32_t n = 0; n < original->nodes; n++)
		for (unsigned lid = 1; original->node[n].lft && lid <= NODES; lid++)
			assert_int_equal(subnet_lookup(&got->node[subnet_find_node(got, original->node[n].guid)], lid),
				subnet_lookup(&original->node[n], lid));
}

TEST(what_is_written_is_read_back_whatever_nodes_are_called)
{
	struct random random;
	random_start(&random, 3, RANDOM_SUBSET, 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct error error = {0};
		struct ibsim_changes changes;
		uint32_t guids;
		char *text = draw_graph(&random);
		struct subnet *original = load(text), *got = subnet_create(&error), *simulated = subnet_create(&error);
		struct path topology = scratch_path("topology"), tables = scratch_path("tables"), net = scratch_path("net");
		assert_int_equal(subnet_fill_guids(original, &guids, &error), 0);
		FILE *file = fopen(topology.text, "w");
		subnet_write_ibnetdiscover(original, file);
		fclose(file);
		file = fopen(tables.text, "w");
		assert_int_equal(subnet_write_lfts(original, file, &error), 0);
		fclose(file);
		file = fopen(net.text, "w");
		assert_int_equal(subnet_write_ibsim(original, file, &changes, &error), 0);
		fclose(file);
		read_dump(got, topology.text);
		read_dump(got, tables.text);
		read_dump(simulated, net.text);
		assert_same_nodes(got, original, SIZE_MAX);
		assert_same_tables(got, original);
		if (!changes.guids)
			assert_same_nodes(simulated, original, 63);
		subnet_free(original);
		subnet_free(got);
		subnet_free(simulated);
		free(text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back_whatever_nodes_are_called),
		cmocka_unit_test(ports_and_lids_that_are_missing_are_given_in_order),
		cmocka_unit_test(numbers_that_are_there_stay_and_the_others_fill_the_gaps),
		cmocka_unit_test(a_channel_without_its_opposite_is_a_cable_too),
		cmocka_unit_test(ports_of_one_adapter_come_together),
		cmocka_unit_test(names_of_sixteen_digits_are_guids),
		cmocka_unit_test(widths_and_speeds_are_those_of_links),
		cmocka_unit_test(forwarding_sets_become_tables_and_switches_are_found_too),
		cmocka_unit_test(nodes_that_are_neither_hosts_nor_switches_are_in_the_subnet),
		cmocka_unit_test(entries_that_no_lids_state_lead_to_all_nodes),
		cmocka_unit_test(attributes_of_subnets_that_are_wrong_are_refused),
		cmocka_unit_test(entries_are_kept_in_attributes),
		cmocka_unit_test(too_many_ports_are_refused),
		cmocka_unit_test(guids_of_nodes_and_of_their_ports_in_the_simulator_are_unique),
		cmocka_unit_test(descriptions_lose_quotes_and_what_is_beyond_63_bytes),
		cmocka_unit_test(the_slower_end_of_a_cable_counts),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
