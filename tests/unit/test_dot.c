/* Reading and writing dot files. */
#include "helpers.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static char *written(const struct world *world, const struct dot_column *columns, const struct dot_pair *pairs)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_non_null(file);
	dot_write(world->fabric, world->attributes, file, columns, pairs);
	fclose(file);
	return text;
}

/* ---- what is read */

/* ORCS paper, Listing 1, with the hosts that it lists and does not define. */
TEST(the_papers_listing_is_read)
{
	struct world world;
	world_load(&world,
		"digraph network {\n"
		"\tH1 -> S1 [comment=\"*\"];\n\tH2 -> S1 [comment=\"*\"];\n\tS1 -> H1 [comment=\"H1\"];\n\tS1 -> H2 [comment=\"H2\"];\n"
		"\tS1 -> S2 [comment=\"H3, H4, H5, H6, H7, H8\"];\n\tS2 -> S1 [comment=\"H1, H2\"];\n"
		"\tH3 -> S2 [comment=\"*\"];\n\tS2 -> H3 [comment=\"H3\"];\n\tH4 -> S2 [comment=\"*\"];\n\tS2 -> H4 [comment=\"H4\"];\n}\n");
	assert_int_equal(world.fabric->nodes, 6);
	assert_int_equal(world.fabric->hosts, 4);
	assert_int_equal(world.fabric->channels, 10);
	assert_int_equal(world.report.forwarding.unknown, 4);
	assert_string_equal(world.report.forwarding.first_unknown, "H5");
	assert_string_equal(world.report.parser_warning, "");
	assert_string_equal(world.fabric->labels->source, world.path.text);
	world_clear(&world);
}

TEST(nodes_stand_in_the_order_of_their_appearance)
{
	static const char *const names[] = {"S9", "H5", "H1", "A"};
	struct world world;
	world_load(&world, "digraph { S9 -> H5; H1 -> S9; A; S9 -> H1; H5 -> S9 }");
	for (uint32_t v = 0; v < 4; v++) {
		assert_string_equal(world.fabric->labels->name[v], names[v]);
		assert_int_equal(node_of(&world, names[v]), v);
	}
	assert_int_equal(host_of(&world, "H5"), 0);
	assert_int_equal(host_of(&world, "H1"), 1);
	assert_int_equal(world.fabric->node_host[0], NONE);
	world_clear(&world);
}

TEST(channels_count_in_the_order_of_their_tails)
{
	struct world world;
	world_load(&world, "digraph { H1; S; H2; S->H2 [c=0]; H2->S [c=1]; S->H1 [c=2]; H1->S [c=3]; S->H2 [c=4]; S->S [c=5] }");
	static const char *const order[] = {"3", "2", "5", "0", "4", "1"};
	for (uint32_t c = 0; c < 6; c++)
		assert_string_equal(attributes_of_channel(world.attributes, c, "c"), order[c]);
	static const uint32_t places[] = {0, 3, 1, 4, 2, 5}; /* in the order of the file */
	for (uint32_t c = 0; c < 6; c++)
		assert_int_equal(attributes_channel_at(world.attributes, c), places[c]);
	assert_int_equal(fabric_tail(world.fabric, 0), 0);
	assert_int_equal(world.fabric->first_channel[1], 1);
	assert_int_equal(world.fabric->first_channel[2], 5);
	world_clear(&world);
}

TEST(types_override_names)
{
	struct world world;
	world_load(&world, "digraph { Hub [type=switch]; node1 [type=host]; \"n 2\" [type=\"host\"]; H3; T [type=\"\"];"
			   "node1->Hub; \"n 2\"->Hub; H3->Hub; Hub->node1 }");
	assert_int_equal(world.fabric->hosts, 3);
	assert_int_equal(world.fabric->node_host[node_of(&world, "Hub")], NONE);
	assert_int_equal(world.fabric->node_host[node_of(&world, "T")], NONE);
	assert_int_equal(host_of(&world, "node1"), 0);
	assert_int_equal(host_of(&world, "n 2"), 1);
	assert_int_equal(host_of(&world, "H3"), 2);
	world_clear(&world);
}

TEST(attributes_are_understood)
{
	struct world world;
	world_load(&world, "digraph { H1 [guid=\"0x0002c9030000000A\", desc=\"node 1\", lid=7]; S [guid=ff];"
			   "H1->S [port=1, peer_port=17, speed=\"100\"]; S->H1 [port=17, peer_port=1, speed=\"1e2\"] }");
	const struct fabric_labels *labels = world.fabric->labels;
	uint32_t up = channel_of(&world, "H1", "S"), host = node_of(&world, "H1"), node = node_of(&world, "S");
	assert_true(labels->guid[host] == UINT64_C(0x2c9030000000a));
	assert_true(labels->guid[node] == 0xff);
	assert_string_equal(labels->desc[host], "node 1");
	assert_string_equal(labels->desc[node], "");
	assert_int_equal(labels->port[up], 1);
	assert_int_equal(labels->peer_port[up], 17);
	assert_string_equal(attributes_of_node(world.attributes, host, "lid"), "7");
	assert_null(attributes_of_node(world.attributes, node, "lid"));
	assert_null(attributes_of_node(world.attributes, host, "frobnicate"));
	assert_null(attributes_of_channel(world.attributes, up, "frobnicate"));
	assert_null(attributes_of_graph(world.attributes, "frobnicate"));
	world_clear(&world);
}

TEST(what_is_not_wanted_is_not_made)
{
	struct world world;
	assert_int_equal(world_read(&world, "digraph { H1->S; S->H1 }", 0), 0);
	assert_non_null(world.fabric);
	assert_null(world.forwarding);
	assert_null(world.attributes);
	assert_int_equal(world.report.forwarding.ambiguous, 0);
	world_clear(&world);
	assert_int_equal(world_read(&world, "digraph { H1->S; S->H1 }", DOT_KEEP), 0);
	assert_non_null(world.attributes);
	assert_null(world.forwarding);
	world_clear(&world);
}

TEST(a_host_without_link_may_be_allowed)
{
	struct world world;
	assert_int_equal(world_read(&world, "digraph { H1->S; S->H1; S->H2; H3 }", DOT_TABLES | DOT_ALLOW_NO_LINK), 0);
	assert_int_equal(world.fabric->hosts, 3);
	world_clear(&world);
}

TEST(compressed_files_are_read)
{
	struct world world = {.path = scratch_path("fabric.dot.gz")};
	gzFile file = gzopen(world.path.text, "w");
	gzputs(file, "digraph { H1->S; S->H1 }");
	gzclose(file);
	assert_int_equal(
		dot_load(world.path.text, DOT_TABLES, &world.fabric, &world.forwarding, &world.attributes, &world.report, &world.error), 0);
	assert_int_equal(world.fabric->hosts, 1);
	world_clear(&world);
}

TEST(oddities_of_syntax_are_told)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->H1;\n1a -> b }");
	assert_string_equal(
		world.report.parser_warning, "syntax ambiguity - badly delimited number '1a' in line 2 of input splits into two tokens");
	world_clear(&world);
}

/* ---- what is refused */

struct refusal {
	const char *text, *words[3];
};

static void assert_refused(const struct refusal *refusal)
{
	struct world world;
	assert_int_equal(world_read(&world, refusal->text, DOT_TABLES | DOT_KEEP), -1);
	assert_null(world.fabric);
	assert_null(world.forwarding);
	assert_null(world.attributes);
	assert_contains(world.error.text, world.path.text);
	for (size_t i = 0; i < ARRAY_LENGTH(refusal->words) && refusal->words[i]; i++)
		assert_contains(world.error.text, refusal->words[i]);
	assert_error(&world.error, STATUS_FABRIC, "fabric.dot");
	world_load(&world, "digraph { H1->S; S->H1 }"); /* and the next file is read as if nothing had been */
	world_clear(&world);
}

TEST(what_is_no_fabric_is_refused)
{
	static const struct refusal refusals[] = {
		{"", {"is empty"}},
		{" \n\t\n", {"is empty"}},
		{"// nothing\n/* at all */\n", {"is empty"}},
		{"graph { H1 -- S }", {"undirected"}},
		{"strict digraph { H1->S; S->H1 }", {"strict"}},
		{"digraph { H1->S; S->H1 } digraph { H2->S }", {"more than one graph"}},
		{"digraph { }", {"no hosts"}},
		{"digraph { A->B; B->A }", {"no hosts"}},
		{"digraph { H1 [type=switch]; H1->S }", {"no hosts"}},
		{"digraph { H1->H2; H2->H1 }", {"no switches"}},
		{"digraph { H1 [type=host]; H1->H2; H2->H1 }", {"no switches"}},
		{"digraph {\nH1->S;\nS->H1;\nS->H2\n}", {"fabric.dot:4:", "host 'H2' has no up link"}},
		{"digraph {\nH1;\nH2->S;\nS->H1;\nS->H2\n}", {"fabric.dot:2:", "host 'H1' has no up link"}},
		{"digraph {\nH1->S;\n\nS [type=hub] }", {"fabric.dot:2:", "'S'", "'hub'"}},
		{"digraph {\nH1->S;\nS->H1 [speed=fast] }", {"fabric.dot:2:", "S -> H1", "'fast'"}},
		{"digraph { H1->S [speed=0] }", {"'0'"}},
		{"digraph { H1->S [speed=-1] }", {"'-1'"}},
		{"digraph { H1->S [speed=\"10 Gb\"] }", {"'10 Gb'"}},
		{"digraph { H1->S [speed=nan] }", {"'nan'"}},
		{"digraph { H1->S [speed=inf] }", {"'inf'"}},
		{"digraph { H1->S [speed=\"1e999\"] }", {"'1e999'"}},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(refusals); i++)
		assert_refused(&refusals[i]);
}

TEST(syntax_errors_tell_their_line)
{
	static const struct refusal refusals[] = {
		{"frobnicate", {"fabric.dot:1: syntax error", "frobnicate"}},
		{"digraph {\nH1->S\n", {"fabric.dot:3: syntax error"}},
		{"digraph {\nH1->S;\n\n S->->H1;\n}\n", {"fabric.dot:4: syntax error", "->"}},
		{"digraph {\nH1->S [comment=\"*]\n}\n", {"syntax error"}},
		{"digraph {\nH1->S [comment=<*]\n}\n", {"syntax error"}},
		{"digraph {\nH1->S\n/* for ever", {"syntax error"}},
		{"digraph {\nH1--S\n}", {"fabric.dot:2: syntax error", "--"}},
		{"digraph { H1->S; S->H1 }\n}\n", {"fabric.dot:2: syntax error", "}"}},
		{"digraph { H1->S; S->H1 }\n\nand more", {"fabric.dot:3: syntax error", "and"}},
		{"digraph { [x=y] }", {"fabric.dot:1: syntax error"}},
		{"graph {\nH1->S\n}", {"fabric.dot:2: syntax error", "->"}},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(refusals); i++)
		assert_refused(&refusals[i]);
}

static void assert_bytes_refused(const void *data, size_t size, const char *why)
{
	struct world world = {.path = write_bytes("fabric.dot", data, size)};
	int result =
		dot_load(world.path.text, DOT_TABLES, &world.fabric, &world.forwarding, &world.attributes, &world.report, &world.error);
	world_clear(&(struct world){.fabric = world.fabric, .forwarding = world.forwarding, .attributes = world.attributes});
	assert_int_equal(result, -1);
	assert_error(&world.error, STATUS_FABRIC, "fabric.dot", why);
}

TEST(a_nul_byte_is_a_syntax_error)
{
	static const char inside[] = "digraph {\nH1->S;\nS->\0H1 }\n", behind[] = "digraph { H1->S; S->H1 }\n\0", alone[] = "\0";
	assert_bytes_refused(inside, sizeof inside - 1, "fabric.dot:3: syntax error: a NUL byte");
	assert_bytes_refused(behind, sizeof behind - 1, "fabric.dot:2: syntax error: a NUL byte");
	assert_bytes_refused(alone, 1, "fabric.dot:1: syntax error: a NUL byte");
	char *long_file = calloc(100001, 1);
	memset(long_file, '\n', 100000);
	memcpy(long_file, "digraph { H1->S; S->H1 }", 24);
	assert_bytes_refused(long_file, 100001, "syntax error: a NUL byte");
	free(long_file);
}

TEST(a_missing_file_is_not_a_bad_fabric)
{
	struct world world = {.path = scratch_path("missing.dot")};
	assert_int_equal(
		dot_load(world.path.text, DOT_TABLES, &world.fabric, &world.forwarding, &world.attributes, &world.report, &world.error),
		-1);
	assert_error(&world.error, STATUS_IO, "missing.dot", "cannot open");
	attributes_free(NULL);
}

TEST(names_with_control_characters_do_not_break_messages)
{
	static const struct refusal refusal = {"digraph { H1->S; S->\"H2\n\033[31m\" }", {"H2\\n\\033[31m"}};
	assert_refused(&refusal);
}

/* ---- round trips */

static void assert_same_text(const char *a, const char *b)
{
	assert_int_equal(a != NULL, b != NULL);
	if (a)
		assert_string_equal(a, b);
}

/* Attributes that the texts below use. */
static const char *const attributes[] = {"type", "guid", "lid", "desc", "ports", "comment", "port", "peer_port", "speed", "width", "label",
	"x", "a b", "node", "edge", "Graph", "strict", "digraph", "subgraph", "", "1x", "-", "tailport", "headport", "k\"k", "\303\244"};

static void assert_same_attributes(const struct world *one, const struct world *other)
{
	for (size_t a = 0; a < ARRAY_LENGTH(attributes); a++) {
		for (uint32_t v = 0; v < one->fabric->nodes; v++)
			assert_same_text(attributes_of_node(one->attributes, v, attributes[a]),
				attributes_of_node(other->attributes, v, attributes[a]));
		for (uint32_t c = 0; c < one->fabric->channels; c++)
			assert_same_text(attributes_of_channel(one->attributes, c, attributes[a]),
				attributes_of_channel(other->attributes, c, attributes[a]));
		assert_same_text(
			attributes_of_graph(one->attributes, attributes[a]), attributes_of_graph(other->attributes, attributes[a]));
	}
}

static void assert_same_fabric(const struct world *one, const struct world *other)
{
	const struct fabric *a = one->fabric, *b = other->fabric;
	assert_int_equal(a->nodes, b->nodes);
	assert_int_equal(a->hosts, b->hosts);
	assert_int_equal(a->channels, b->channels);
	for (uint32_t v = 0; v < a->nodes; v++) {
		assert_string_equal(a->labels->name[v], b->labels->name[v]);
		assert_string_equal(a->labels->desc[v], b->labels->desc[v]);
		assert_true(a->labels->guid[v] == b->labels->guid[v]);
		assert_int_equal(a->node_host[v], b->node_host[v]);
		assert_int_equal(one->forwarding->fallback[v], other->forwarding->fallback[v]);
		assert_int_equal(one->forwarding->column[v], other->forwarding->column[v]);
	}
	assert_memory_equal(a->first_channel, b->first_channel, (a->nodes + 1) * sizeof *a->first_channel);
	for (uint32_t c = 0; c < a->channels; c++) {
		assert_int_equal(a->head[c], b->head[c]);
		assert_true(a->speed[c] == b->speed[c]);
		assert_int_equal(a->labels->port[c], b->labels->port[c]);
		assert_int_equal(a->labels->peer_port[c], b->labels->peer_port[c]);
	}
	assert_int_equal(one->forwarding->columns, other->forwarding->columns);
	for (size_t i = 0; i < (size_t)a->hosts * one->forwarding->columns; i++)
		assert_int_equal(one->forwarding->next[i], other->forwarding->next[i]);
	assert_true(a->labels->hash == b->labels->hash);
}

/* What is written reads as the same fabric with the same attributes, and is then written alike. */
static void assert_round_trip(const char *text)
{
	struct world one, other;
	world_load(&one, text);
	char *first = written(&one, NULL, NULL);
	world_load(&other, first);
	assert_same_fabric(&one, &other);
	assert_same_attributes(&one, &other);
	char *second = written(&other, NULL, NULL);
	assert_string_equal(first, second);
	free(first);
	free(second);
	world_clear(&one);
	world_clear(&other);
}

TEST(fabrics_survive_being_written)
{
	static const char *const texts[] = {
		"digraph { H1->S [comment=\"*\"]; S->H1 [comment=H1] }",
		"digraph network { S; H2; H1; H1->S [port=1, peer_port=3, speed=25, width=\"4x\"]; S->H1; H2->S; S->H2; S->S }",
		"digraph \"a \\\"name\\\" with blanks\" { H1->S; S->H1 }",
		"digraph { S->T [comment=H1]; S->T [comment=H2]; S->T; T->S; S->T [comment=\"*\"]; H1->S; H2->T; H1->S }",
		"digraph { S->T [key=a, comment=H1]; S->T [key=b, comment=H2]; S->T [comment=\"*\"]; T->S [key=\"k\\\"k\"]; H1->S; H2->T }",
		"digraph { A->B->C->A; {H1 H2} -> {A B}; C->{H1; H2} }",
		"digraph { H1:a->S:b:sw; S:\"q r\"->H1 }",
	};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		assert_round_trip(texts[i]);
}

TEST(defaults_survive_being_written)
{
	assert_round_trip(
		"digraph { node [desc=all, x=1]; edge [comment=\"*\"]; graph [label=g]; H1->S; S->H1 [comment=\"\"]; H2->S; H1 [x=\"\"] }");
	assert_round_trip(
		"digraph { H1->S; edge [comment=H1]; S->H1; edge [comment=\"*\", x=2]; H2->S [x=\"\"]; node [desc=late]; H3->S }");
	assert_round_trip(
		"digraph { a=b; label=\"c\"; node [type=switch]; A; B; node [type=host]; C->A; D->B; edge [speed=10]; A->B; B->A [speed=20] }");
}

TEST(strings_survive_being_written)
{
	static const char *const texts[] = {
		"digraph { \"H 1\"->\"S->T\"; \"S->T\"->\"H 1\" [comment=\"H 1\", label=\"say \\\"hi\\\"\"] }",
		"digraph { H1->S [label=\"back\\\\slash\\n\\l\\\\\", x=\"\\\\\\\"\"]; S->H1 [label=\"two\nlines\", x=\"\\\none\"] }",
		"digraph { H1->S [label=<b<i>old</i>>, x=<>]; S->H1 [label=<\"quoted\">] }",
		"digraph { <H1>->S; <H<2>>->S; S-><H1> [comment=<H1>]; S->\"H<2>\" [comment=\"H<2>\"] }",
		"digraph <html name> { H1->S; S->H1 }",
		"digraph { H1->S [label=\"a\" + \"b\"]; S->H1 [x=-.5]; 12->S; S->1.25; -3->S }",
		"digraph { \"\" [type=host]; \"\"->S; S->\"\"; H1->S }",
		"digraph { \"H\303\244\"->\"\344\270\255\"; \"\344\270\255\"->\"H\303\244\" [\303\244=1] }",
		"digraph { \"node\" [type=host]; \"node\"->\"graph\"; \"graph\"->\"strict\"; \"edge\"->\"subgraph\" }",
	};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		assert_round_trip(texts[i]);
}

/* A name that is no word of the language's own, or one, must be quoted. */
TEST(names_of_attributes_survive_being_written)
{
	assert_round_trip("digraph { H1->S [\"a b\"=1, _u=2, \"1x\"=3, \"-\"=4, \"k\\\"k\"=5]; S->H1 }");
	assert_round_trip("digraph { H1->S; S->H1 [\"node\"=1, \"edge\"=2, \"Graph\"=3, \"strict\"=4, \"digraph\"=5, \"subgraph\"=6] }");
	assert_round_trip("digraph { H1->S; S->H1 [\"\"=1] }");
	assert_round_trip("digraph { node [\"node\"=1]; graph [\"edge\"=2]; H1->S; S->H1 }");
}

TEST(subgraphs_survive_being_written)
{
	static const char *const texts[] = {
		"digraph { subgraph cluster_a { label=left; H1; S; subgraph inner { S } } subgraph { H2 } H1->S->H2->S }",
		"digraph { subgraph x { edge [comment=\"*\"]; node [desc=d]; H1->S; H2->S } S->H1 [comment=H1]; S->H2 [comment=H2] }",
		"digraph { subgraph x { subgraph x { H1->S } } subgraph y { subgraph x { T } } S->H1 }",
		"digraph same { subgraph same { H1 } H1->S }",
		"digraph { label=top; subgraph a { label=\"\"; H1 } subgraph \"b \\\"c\\\"\" { label=other; S } H1->S; S->H1 }",
	};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		assert_round_trip(texts[i]);
}

static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;
	while ((text = strstr(text, part))) {
		text += strlen(part);
		count++;
	}
	return count;
}

TEST(subgraphs_keep_nodes_and_attributes)
{
	struct world world;
	world_load(&world, "digraph { subgraph cluster_a { label=left; H1; S; subgraph b { H1 } } H1->S; S->H1 }");
	char *text = written(&world, NULL, NULL);
	assert_contains(text, "subgraph \"cluster_a\" {");
	assert_contains(text, "label=\"left\"");
	assert_int_equal(count_of(text, "label"), 1); /* what a subgraph inherits is not its own */
	free(text);
	world_clear(&world);
}

TEST(a_routed_tree_survives_being_written)
{
	struct world one, other;
	world_tree(&one, 3, 3);
	char *text = written(&one, NULL, NULL);
	world_load(&other, text);
	assert_same_fabric(&one, &other);
	free(text);
	world_clear(&one);
	world_clear(&other);
}

/* Not names, not tables, not speeds, not the order: whatever a result depends on changes the hash. */
TEST(different_fabrics_have_different_hashes)
{
	static const char *const texts[] = {
		"digraph { H1->S; S->H1; H2->S; S->H2 }",
		"digraph { H1->S; S->H1; H3->S; S->H3 }",
		"digraph { H1->S; H2->S; S->H1 }",
		"digraph { H2->S; S->H2; H1->S; S->H1 }",
		"digraph { H1->S; S->H1; H2->S; S->H2; S->H2 }",
		"digraph { H1->S; S->H1 [comment=H1]; H2->S; S->H2 }",
		"digraph { H1->S; S->H1 [comment=H2]; H2->S; S->H2 }",
		"digraph { H1->S; S->H1 [comment=\"*\"]; H2->S; S->H2 }",
		"digraph { H1->S [speed=2]; S->H1 [speed=1]; H2->S [speed=1]; S->H2 [speed=1] }",
		"digraph { H1->S [speed=1]; S->H1 [speed=2]; H2->S [speed=1]; S->H2 [speed=1] }",
		"digraph { H1->S; S->H1; H2->S; S->H2; H1 [type=switch] }",
		"digraph { H1; S; T; H1->S; S->H1 }",
		"digraph { H1; S; T; H1->S; T->H1 }",
		"digraph { {H1 H2 H3 H4}->S; S->A [comment=\"H1,H2,H3\"]; S->B [comment=H4]; A->B [comment=H1]; A->S [comment=\"H2,H3\"] }",
		"digraph { {H1 H2 H3 H4}->S; S->A [comment=\"H1,H2,H3\"]; S->B [comment=H4]; A->B [comment=H1]; A->S [comment=\"H2,H3,H4\"] }",
	};
	uint64_t hash[ARRAY_LENGTH(texts)];
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
		struct world world;
		world_load(&world, texts[i]);
		hash[i] = world.fabric->labels->hash;
		for (size_t j = 0; j < i; j++)
			assert_true(hash[i] != hash[j]);
		world_clear(&world);
	}
}

/* ---- columns */

static void write_number(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%s%u", (const char *)data, (unsigned)channel);
}

TEST(columns_replace_what_is_there)
{
	struct world world, again;
	static const struct dot_column columns[] = {{"x", write_number, "new"}, {"color", write_number, "c"}, {NULL, NULL, NULL}};
	static const struct dot_pair pairs[] = {{"title", "a \"b\""}, {"label", "new"}, {NULL, NULL}};
	world_load(&world, "digraph { label=old; edge [x=default]; H1->S [x=old, comment=\"*\"]; S->H1 [comment=H1] }");
	char *text = written(&world, columns, pairs);
	world_load(&again, text);
	assert_null(strstr(text, "x=\"old\""));
	for (uint32_t c = 0; c < 2; c++) {
		char expected[20];
		snprintf(expected, sizeof expected, "new%u", (unsigned)c);
		assert_string_equal(attributes_of_channel(again.attributes, c, "x"), expected);
	}
	assert_string_equal(attributes_of_channel(again.attributes, 1, "color"), "c1");
	assert_string_equal(attributes_of_channel(again.attributes, 1, "comment"), "H1");
	assert_string_equal(attributes_of_graph(again.attributes, "title"), "a \"b\"");
	assert_string_equal(attributes_of_graph(again.attributes, "label"), "new");
	assert_true(again.fabric->labels->hash == world.fabric->labels->hash);
	free(text);
	world_clear(&world);
	world_clear(&again);
}

/* Values from elsewhere have nothing of cgraph's in front of them. */
TEST(values_from_elsewhere_are_plain_text)
{
	struct world world;
	char memory[64];
	memset(memory, 0xff, sizeof memory);
	strcpy(memory + 32, "bisect");
	const struct dot_pair pairs[] = {{"pattern", memory + 32}, {NULL, NULL}};
	world_load(&world, "digraph { H1->S; S->H1 }");
	char *text = written(&world, NULL, pairs);
	assert_contains(text, "pattern=\"bisect\"");
	free(text);
	world_clear(&world);
}

TEST(values_from_elsewhere_may_end_in_a_backslash)
{
	struct world world, again;
	static const struct dot_pair pairs[] = {{"pattern", "file:a\\"}, {"label", "b"}, {NULL, NULL}};
	world_load(&world, "digraph { H1->S; S->H1 }");
	char *text = written(&world, NULL, pairs);
	world_load(&again, text);
	assert_string_equal(attributes_of_graph(again.attributes, "label"), "b");
	free(text);
	world_clear(&world);
	world_clear(&again);
}

/* ---- lines */

static unsigned long line_of(const char *text, const char *node)
{
	return dot_line_of(write_text("lines.dot", text).text, node);
}

TEST(lines_are_found)
{
	static const struct {
		const char *text, *node;
		unsigned long line;
	} cases[] = {
		{"digraph { H1 -> S }", "S", 1},
		{"digraph {\nH1 -> S;\nS -> H2;\n}", "H2", 3},
		{"digraph H2 {\nH1 -> S;\nS -> H2;\n}", "H2", 3},         /* the graph's own name is none */
		{"digraph {\nH1 -> S [label=H2];\nS -> H2;\n}", "H2", 3}, /* nor are attributes */
		{"digraph {\nH1 -> S [label=\"]\", x=\"H2\"];\nS -> H2;\n}", "H2", 3},
		{"digraph {\n// H2\n/* H2\n*/ H1->S\n# H2\nH2->S }", "H2", 6},
		{"digraph {\n\"H 2\" -> S }", "H 2", 2},
		{"digraph {\n\"a \\\"b\\\"\" -> S }", "a \"b\"", 2},
		{"digraph {\n\"two\nlines\" -> S;\nH1 -> S }", "H1", 4},
		{"digraph {\n\"con\\\ntinued\" -> S }", "continued", 3},
		{"digraph {\nH12->S;\nH1->S }", "H1", 3},
		{"digraph {\nS->\nH1:port->T }", "H1", 3},
		{"digraph {\nH1->S }", "H3", 0},
		{"digraph { \"H1", "H3", 0},
		{"digraph { H1 /* for ever", "H3", 0},
		{"", "H1", 0},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(cases); i++)
		if (line_of(cases[i].text, cases[i].node) != cases[i].line)
			fail_msg("'%s' in '%s': line %lu, not %lu", cases[i].node, cases[i].text, line_of(cases[i].text, cases[i].node),
				cases[i].line);
}

TEST(no_file_has_no_lines)
{
	assert_int_equal(dot_line_of("/nonexistent/file", "H1"), 0);
	assert_int_equal(dot_line_of("<stdin>", "H1"), 0);
}

/* An open string takes the rest of the file. Where that leaves cgraph for the next file is its affair: this test comes last. */
TEST(an_open_string_behind_the_graph_is_an_error)
{
	struct world world;
	int result = world_read(&world, "digraph { H1->S; S->H1 }\n\"digraph { H2->S }", 0);
	struct error error = world.error;
	world_clear(&world);
	assert_int_equal(result, -1);
	assert_error(&error, STATUS_FABRIC, "syntax error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_papers_listing_is_read),
		cmocka_unit_test(nodes_stand_in_the_order_of_their_appearance),
		cmocka_unit_test(channels_count_in_the_order_of_their_tails),
		cmocka_unit_test(types_override_names),
		cmocka_unit_test(attributes_are_understood),
		cmocka_unit_test(what_is_not_wanted_is_not_made),
		cmocka_unit_test(a_host_without_link_may_be_allowed),
		cmocka_unit_test(compressed_files_are_read),
		cmocka_unit_test(oddities_of_syntax_are_told),
		cmocka_unit_test(what_is_no_fabric_is_refused),
		cmocka_unit_test(syntax_errors_tell_their_line),
		cmocka_unit_test(a_nul_byte_is_a_syntax_error),
		cmocka_unit_test(a_missing_file_is_not_a_bad_fabric),
		cmocka_unit_test(names_with_control_characters_do_not_break_messages),
		cmocka_unit_test(fabrics_survive_being_written),
		cmocka_unit_test(defaults_survive_being_written),
		cmocka_unit_test(strings_survive_being_written),
		cmocka_unit_test(names_of_attributes_survive_being_written),
		cmocka_unit_test(subgraphs_survive_being_written),
		cmocka_unit_test(subgraphs_keep_nodes_and_attributes),
		cmocka_unit_test(a_routed_tree_survives_being_written),
		cmocka_unit_test(different_fabrics_have_different_hashes),
		cmocka_unit_test(columns_replace_what_is_there),
		cmocka_unit_test(values_from_elsewhere_are_plain_text),
		cmocka_unit_test(values_from_elsewhere_may_end_in_a_backslash),
		cmocka_unit_test(lines_are_found),
		cmocka_unit_test(no_file_has_no_lines),
		cmocka_unit_test(an_open_string_behind_the_graph_is_an_error),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
