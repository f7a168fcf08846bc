/* The reader of plain graphs: which texts it takes, and that cgraph makes the same graph of them. */
#include "helpers.h"

#include "formats/dot_plain.h"

#include <stdlib.h>
#include <string.h>

/* Returns what dot_plain_read() does, and the graph unless it is NULL. */
static int read_plain(const char *text, struct dot_graph *graph)
{
	struct error error = {0};
	struct dot_graph ignored = {0};
	char *copy = strdup(text);
	assert_non_null(copy);
	int taken = dot_plain_read(graph ? graph : &ignored, copy, strlen(text), &error);
	assert_fine(&error);
	if (taken != 1) {
		assert_string_equal(copy, text);
		free(copy);
	}
	dot_graph_clear(&ignored);
	return taken;
}

/* Returns the graph as it is written, and frees it. */
static char *written(struct dot_graph *graph)
{
	struct error error = {0};
	struct dot_report report = {0};
	struct fabric *fabric = NULL;
	struct forwarding *forwarding = NULL;
	struct attributes *attributes = NULL;
	char *text;
	size_t size;
	dot_graph_load(graph, "test", DOT_KEEP | DOT_ALLOW_NO_LINK, &fabric, &forwarding, &attributes, &report, &error);
	assert_fine(&error);
	FILE *file = open_memstream(&text, &size);
	assert_non_null(file);
	dot_write(fabric, attributes, file, NULL, NULL);
	fclose(file);
	fabric_free(fabric);
	attributes_free(attributes);
	dot_graph_clear(graph);
	return text;
}

static void assert_same_graph(const char *text)
{
	struct error error = {0};
	struct dot_report report = {0};
	struct dot_graph plain = {0}, full;
	struct dot_memory memory = {text, strlen(text)};
	assert_int_equal(read_plain(text, &plain), 1);
	dot_cgraph_read(&full, &(struct dot_text){dot_read_memory, &memory, "test"}, &report, &error);
	assert_fine(&error);
	char *one = written(&plain), *other = written(&full);
	assert_string_equal(one, other);
	free(one);
	free(other);
}

TEST(plain_graphs_are_as_cgraphs)
{
	static const char *const texts[] = {
		"digraph { H1->S; S->H1 }",
		"DiGraph name{H1->S[comment=\"*\"]S->H1[comment=H1,port=1;speed=1.5 x=y]}\n\n",
		"// a\ndigraph /* b */ \"a name\" {\n/* c\n// d */ H1 -> S // e\n; S -> H1 [ ] ; }\n/* f */ // g",
		"digraph { a=b; graph [c=d, a=\"\"]; c = e; H1 -> S }",
		"digraph { node [x=1]; edge [y=2, z=\"\"]; H1 -> S; node [x=3, w=4]; H2 -> S [y=5]; edge [y=6, v=7]; S -> H2; A [x=\"\"]; B }",
		"digraph { H2; S [x=1, x=2, y=3]; S [y=4]; H1 -> S [p=1, p=2]; S -> H2; S -> S; S -> H1; S -> H2 [p=3]; H1 -> S }",
		"digraph { \"H \\\"1\\\"\" -> S [desc=\"a \\\\ b \\n c\\\"\", e=\"\\\\\\\\\", f=\"<b>\"]; S -> \"H \\\"1\\\"\" [g=\"\"] }",
		"digraph { Hnode -> edges; Edge1 -> _x1; 12 -> Hnode; -1.5 -> 12; .5 -> -.25; 3. -> .5; \"node\" -> \"12\" }",
		"digraph { H1 -> S [b=1, \"a b\"=2, B=3, \"\"=4, a=5, \"\303\244\"=\"\303\244\", \"a\\\"\"=6] }",
	};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		assert_same_graph(texts[i]);
}

TEST(all_else_is_left_to_cgraph)
{
	static const char *const texts[] = {"", " // nothing", "graph { a -- b }", "strict digraph { a -> b }", "digraph { a -> b -> c }",
		"digraph { a -- b }", "digraph { a, b }", "digraph { a -> {b c} }", "digraph { {a} -> b }", "digraph { a:p -> b }",
		"digraph { a -> b:p }", "digraph { subgraph s { a } }", "digraph { a [b=<c>] }", "digraph { a [b] }",
		"digraph { a [b=c][d=e] }", "digraph { a -> b [key=c] }", "digraph { \"a\" + \"b\" -> c }", "digraph { \"a\nb\" -> c }",
		"digraph { \"a\\\nb\" -> c }", "digraph { 1a -> b }", "digraph { 1.2.3 -> b }", "digraph { a-1 -> b }",
		"digraph { \303\244 -> b }", "digraph { \"\" -> b }", "digraph { \"%1\" -> b }", "digraph \"%x\" { a -> b }",
		"digraph {\n#a\n a -> b }", "digraph { node }", "digraph { a [node=b] }", "digraph { node -> a }", "digraph { a -> b ;; }",
		"digraph { a -> b } x", "digraph { a -> b } digraph { c }", "digraph { a -> b", "digraph { a -> \"b }",
		"digraph { a -> \"b\\\" }", "digraph { a /* }", "digraph { a [b=c", "digraph { a [b=\"c\\\\\\\"] }", "digraphs { a }",
		"digraph { a -> b }}", "digraph { - -> b }", "digraph { a [b=c,,d=e] }", "\357\273\277digraph { a }"};
	for (size_t i = 0; i < ARRAY_LENGTH(texts); i++)
		if (read_plain(texts[i], NULL))
			fail_msg("'%s' is taken", texts[i]);
}

TEST(many_changes_of_defaults_are_left_to_cgraph)
{
	char text[4000] = "digraph {";
	for (int i = 0; i < 100; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text), "node [x=%d]; n%d;", i, i);
	strcat(text, "}");
	assert_int_equal(read_plain(text, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(plain_graphs_are_as_cgraphs),
		cmocka_unit_test(all_else_is_left_to_cgraph),
		cmocka_unit_test(many_changes_of_defaults_are_left_to_cgraph),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
