/* Names of any bytes: what is written and read back is the same fabric, or nothing is written. */
#include "helpers.h"
#include "base/dot_string.h"
#include "base/random.h"
#include "fabric/virtual_lanes.h"
#include "routings/routing.h"
#include "formats/cache.h"
#include "formats/route_file.h"
#include "orcs/reroute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SWITCHES = 6, NODES = 2 * SWITCHES, LONGEST = 12, LONG = 4200, ROUNDS = 500 };

struct drawn {
	char text[NODES][LONG + 1]; /* hosts first */
	bool html[NODES];
};

/* Characters that mean something to somebody between here and there, or any byte. */
static char draw_character(struct random *random)
{
	static const char special[] = ",,;:*\"\\\\ \t\n\r<>#%=&'/{}[]()+-0123456789HS";
	switch (random_below(random, 4)) {
	case 0: return special[random_below(random, sizeof special - 1)];
	case 1: return (char)(1 + random_below(random, 255));
	default: return (char)('a' + random_below(random, 26));
	}
}

/* A name that a graph can have, in quotes or, with html, as an HTML string. */
static void draw_name(struct random *random, char *text, bool *html)
{
	do {
		size_t length = random_below(random, LONGEST + 1);
		for (size_t i = 0; i < length; i++)
			text[i] = draw_character(random);
		text[length] = '\0';
		*html = !strpbrk(text, "<>") && *text && random_below(random, 8) == 0;
	} while (*text == '%' || (!*html && !dot_string_fits(text)));
}

static void draw_names(struct random *random, struct drawn *names)
{
	for (int v = 0; v < NODES; v++) {
		bool again;
		do {
			again = false;
			draw_name(random, names->text[v], &names->html[v]);
			for (int u = 0; u < v; u++)
				again |= !strcmp(names->text[u], names->text[v]);
		} while (again);
	}
}

static void put_name(FILE *file, const struct drawn *names, int v)
{
	putc(names->html[v] ? '<' : '"', file);
	for (const char *c = names->text[v]; *c; c++)
		fprintf(file, *c == '"' && !names->html[v] ? "\\%c" : "%c", *c);
	putc(names->html[v] ? '>' : '"', file);
}

static void put_cable(FILE *file, const struct drawn *names, int a, int b)
{
	for (int way = 0; way < 2; way++) {
		putc('\t', file);
		put_name(file, names, way ? b : a);
		fputs(" -> ", file);
		put_name(file, names, way ? a : b);
		fputs(";\n", file);
	}
}

/* A ring of switches with a host each, which wants several lanes, to be freed. */
static char *graph_of(const struct drawn *names)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	fputs("digraph {\n", file);
	for (int v = 0; v < NODES; v++) {
		putc('\t', file);
		put_name(file, names, v);
		fprintf(file, " [type=%s];\n", v < SWITCHES ? "host" : "switch");
	}
	for (int i = 0; i < SWITCHES; i++) {
		put_cable(file, names, i, SWITCHES + i);
		put_cable(file, names, SWITCHES + i, SWITCHES + (i + 1) % SWITCHES);
	}
	fputs("}\n", file);
	assert_int_equal(fclose(file), 0);
	return text;
}

/* What is read: a graph, and the routes of a file. */
struct read {
	struct world world;
	struct virtual_lanes *lanes;
	struct source_routes *routes;
};

static void read_clear(struct read *r)
{
	virtual_lanes_free(r->lanes);
	source_routes_free(r->routes);
	world_clear(&r->world);
}

static void assert_names(const struct drawn *names, const struct fabric *fabric)
{
	assert_int_equal(fabric->nodes, NODES);
	assert_int_equal(fabric->hosts, SWITCHES);
	for (int v = 0; v < NODES; v++)
		assert_string_equal(fabric->labels->name[v], names->text[v]);
}

/* Routes the graph with the engine, writes it, and reads that. Returns whether it could be written. */
static bool route(struct read *r, const char *graph, const char *engine)
{
	struct world unrouted;
	char *text = NULL, *list = NULL;
	size_t size;
	struct rerouted made;
	*r = (struct read){0};
	assert_int_equal(world_read(&unrouted, graph, DOT_KEEP), 0);
	FILE *file = open_memstream(&text, &size);
	struct rerouting rerouting = {.engine = engine, .seed = 1, .graph = file};
	bool written = !reroute(&rerouting, unrouted.fabric, &unrouted.attributes, &made, &unrouted.report, &unrouted.error);
	struct source_routes *routes = made.routes;
	assert_int_equal(fclose(file), 0);
	if (written && routes) {
		file = open_memstream(&list, &size);
		written = !route_file_write(routes, unrouted.fabric, file, &unrouted.error);
		assert_int_equal(fclose(file), 0);
	}
	if (written) {
		assert_fine(&unrouted.error);
		assert_int_equal(world_read(&r->world, text, DOT_TABLES | DOT_KEEP | DOT_ALTERNATIVES), 0);
		assert_true(routes || r->world.fabric->labels->hash == unrouted.fabric->labels->hash);
		assert_int_equal(r->world.report.forwarding.unknown, 0);
		assert_int_equal(virtual_lanes_load(&r->lanes, r->world.attributes, r->world.fabric, true, &r->world.error), 0);
	} else {
		assert_error(&unrouted.error, STATUS_FABRIC, "cannot appear");
		assert_true(routes || !text || !*text);
	}
	if (written && routes) {
		struct path path = write_text("routes", list);
		assert_int_equal(route_file_read(path.text, r->world.fabric, &r->routes, &r->world.error), 0);
		unlink(path.text);
	}
	source_routes_free(routes);
	forwarding_free(made.forwarding);
	free(text);
	free(list);
	unlink(unrouted.path.text);
	world_clear(&unrouted);
	return written;
}

static void assert_same_ways(const struct world *a, const struct world *b)
{
	for (uint32_t v = 0; v < NODES; v++)
		for (uint32_t h = 0; h < SWITCHES; h++) {
			const uint32_t *left, *right;
			const double *share, *other;
			uint32_t one, another, ways = forwarding_ways(a->forwarding, v, h, &left, &share, &one);
			assert_int_equal(ways, forwarding_ways(b->forwarding, v, h, &right, &other, &another));
			assert_memory_equal(left, right, ways * sizeof *left);
			assert_memory_equal(share, other, ways * sizeof *share);
		}
}

static void assert_same_levels(const struct virtual_lanes *a, const struct virtual_lanes *b)
{
	assert_int_equal(!a, !b);
	assert_int_equal(a && a->levels, b && b->levels);
	if (!a || !a->levels)
		return;
	assert_int_equal(a->levels->count, b->levels->count);
	for (uint32_t h = 0; h < SWITCHES; h++)
		assert_memory_equal(
			a->levels->level + a->levels->row[h] * SWITCHES, b->levels->level + b->levels->row[h] * SWITCHES, SWITCHES);
}

static void assert_same_routes(const struct source_routes *a, const struct source_routes *b)
{
	assert_int_equal(!a, !b);
	for (uint32_t s = 0; a && s < SWITCHES; s++)
		for (uint32_t d = 0; d < SWITCHES; d++) {
			uint64_t from, to, other = 0, end = 0;
			if (s == d)
				continue;
			assert_true(source_routes_find(a, s, d, &from, &to) && source_routes_find(b, s, d, &other, &end));
			assert_int_equal(to - from, end - other);
			for (uint64_t r = from; r < to; r++) {
				uint32_t left[NODES], right[NODES], length = source_routes_channels(a, s, d, r, left);
				assert_int_equal(length, source_routes_channels(b, s, d, other + (r - from), right));
				assert_memory_equal(left, right, length * sizeof *left);
			}
		}
}

/* Plain names, whose routes those of all names must be. */
static void plain_names(struct drawn *names)
{
	*names = (struct drawn){0};
	for (int v = 0; v < NODES; v++)
		snprintf(names->text[v], sizeof names->text[v], "n%d", v);
}

static void check_engine(const char *engine, bool weights_or_levels)
{
	struct random random;
	struct drawn names;
	struct read expected, got;
	int written = 0;
	plain_names(&names);
	char *graph = graph_of(&names);
	assert_true(route(&expected, graph, engine));
	assert_true(!weights_or_levels || expected.world.forwarding->alternatives || expected.lanes);
	free(graph);
	random_start(&random, 1, RANDOM_SUBSET, 0);
	for (int i = 0; i < ROUNDS; i++) {
		draw_names(&random, &names);
		graph = graph_of(&names);
		if (route(&got, graph, engine)) {
			assert_names(&names, got.world.fabric);
			assert_same_ways(&expected.world, &got.world);
			assert_same_levels(expected.lanes, got.lanes);
			assert_same_routes(expected.routes, got.routes);
			written++;
		}
		free(graph);
		unlink(got.world.path.text);
		read_clear(&got);
	}
	assert_in_range(written, ROUNDS / 50, ROUNDS - ROUNDS / 50);
	read_clear(&expected);
}

TEST(forwarding_sets_come_back_or_are_not_written)
{
	check_engine("minhop-orcs", false);
}

/* Lists are written piece by piece: names are as long as pieces, as a half and as a third of them, and about that. */
TEST(long_names_come_back)
{
	struct drawn names;
	struct read expected, got;
	plain_names(&names);
	char *graph = graph_of(&names);
	assert_true(route(&expected, graph, "minhop-orcs"));
	free(graph);
	for (int part = 1; part <= 3; part++)
		for (int more = -6; more <= 3; more++) {
			for (int h = 0; h < SWITCHES; h++)
				memset(names.text[h] + 2, h % 2 ? '"' : 'x', LONG - 2);
			for (int h = 0; h < SWITCHES; h++)
				names.text[h][(h % 2 ? 2048 : 4096) / part + more] = '\0';
			graph = graph_of(&names);
			assert_true(route(&got, graph, "minhop-orcs"));
			assert_names(&names, got.world.fabric);
			assert_same_ways(&expected.world, &got.world);
			free(graph);
			unlink(got.world.path.text);
			read_clear(&got);
			plain_names(&names);
		}
	unlink(expected.world.path.text);
	read_clear(&expected);
}

TEST(weights_come_back_or_are_not_written)
{
	check_engine("ecmp:paths", true);
}

TEST(service_levels_come_back_or_are_not_written)
{
	check_engine("lash-orcs", true);
	check_engine("dfsssp-orcs", true);
}

TEST(source_routes_come_back_or_are_not_written)
{
	check_engine("ksp:2", false);
}

static void write_mark(FILE *file, uint32_t channel, const void *data)
{
	(void)data;
	fprintf(file, "%u", channel);
}

TEST(annotated_graphs_and_caches_come_back)
{
	static const struct dot_column columns[] = {{"mark", write_mark, NULL}, {0}};
	static const struct dot_pair pairs[] = {{"note", "a\\\"b\\\nc\\"}, {0}};
	struct random random;
	struct drawn names;
	random_start(&random, 2, RANDOM_SUBSET, 0);
	for (int i = 0; i < ROUNDS; i++) {
		struct world world, again, cached = {0};
		char *text, *bytes;
		size_t size;
		draw_names(&random, &names);
		char *graph = graph_of(&names);
		assert_int_equal(world_read(&world, graph, DOT_KEEP | DOT_TABLES), 0);
		assert_names(&names, world.fabric);
		FILE *file = open_memstream(&text, &size);
		dot_write(world.fabric, world.attributes, file, columns, pairs);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(world_read(&again, text, DOT_KEEP | DOT_TABLES), 0);
		assert_names(&names, again.fabric);
		assert_true(again.fabric->labels->hash == world.fabric->labels->hash);
		file = open_memstream(&bytes, &size);
		assert_int_equal(cache_write(file, world.fabric, world.forwarding, world.attributes, &world.report, &world.error), 0);
		assert_int_equal(fclose(file), 0);
		struct path path = write_bytes("cache", bytes, size);
		assert_int_equal(fabric_load(path.text, DOT_KEEP | DOT_TABLES, &cached.fabric, &cached.forwarding, &cached.attributes,
					 &cached.report, &cached.error),
			0);
		assert_names(&names, cached.fabric);
		assert_true(cached.fabric->labels->hash == world.fabric->labels->hash);
		world_clear(&cached);
		unlink(path.text), unlink(world.path.text), unlink(again.path.text);
		world_clear(&again);
		world_clear(&world);
		free(bytes);
		free(text);
		free(graph);
	}
}

TEST(the_reason_is_told)
{
	assert_null(dot_list_fault("H1", ",;"));
	assert_null(dot_list_fault("a b\t\"c\" \\\\", ",;"));
	assert_null(dot_list_fault("a;b", ","));
	assert_null(dot_list_fault("**", ","));
	assert_string_equal(dot_list_fault("", ","), "it is empty");
	assert_string_equal(dot_list_fault("H1,H2", ","), "it has a comma");
	assert_string_equal(dot_list_fault("a;b", ",;"), "it has a semicolon");
	assert_string_equal(dot_list_fault("H1 ", ","), "it begins or ends with a space");
	assert_string_equal(dot_list_fault("\nH1", ","), "it begins or ends with a space");
	assert_string_equal(dot_list_fault("*", ","), "'*' denotes all hosts");
	assert_contains(dot_list_fault("a\\\"", ","), "backslash");
	assert_contains(dot_list_fault("a\\", ","), "backslash");
	assert_null(dot_list_fault("a\\\\", ","));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(forwarding_sets_come_back_or_are_not_written),
		cmocka_unit_test(long_names_come_back),
		cmocka_unit_test(weights_come_back_or_are_not_written),
		cmocka_unit_test(service_levels_come_back_or_are_not_written),
		cmocka_unit_test(source_routes_come_back_or_are_not_written),
		cmocka_unit_test(annotated_graphs_and_caches_come_back),
		cmocka_unit_test(the_reason_is_told),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
