/* What orcs-compare is made of: reach, hosts, verdicts, and the comparison in one process. */
#include "helpers.h"

#include "base/random.h"
#include "fabric/walk.h"
#include "compare/comparison.h"
#include "compare/reach.h"
#include "compare/same_hosts.h"
#include "compare/verdict.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- reach */

/* The same by walking every pair. */
static struct compared_reach walk_all(const struct world *world)
{
	struct compared_reach reach = {0};
	uint32_t *channels = calloc(world->fabric->nodes, sizeof *channels);
	assert_non_null(channels);
	for (uint32_t s = 0; s < world->fabric->hosts; s++)
		for (uint32_t d = 0; d < world->fabric->hosts; d++) {
			if (s == d)
				continue;
			int length = walk_route(world->fabric, world->forwarding, s, d, channels);
			if (length < 0) {
				reach.unreachable++;
				continue;
			}
			reach.reached++;
			reach.hops += (uint64_t)length - 1;
			if ((uint64_t)length - 1 > reach.max_hops)
				reach.max_hops = (uint64_t)length - 1;
		}
	free(channels);
	return reach;
}

/* Counted in so many parts, as by so many processes. */
static struct compared_reach count_in_parts(struct world *world, uint32_t parts)
{
	struct compared_reach reach = {0};
	for (uint32_t part = 0; part < parts; part++)
		assert_int_equal(reach_count(&reach, NULL, world->fabric, world->forwarding, NULL, part, parts, &world->error), 0);
	assert_fine(&world->error);
	return reach;
}

static void assert_reach(struct compared_reach got, struct compared_reach wanted)
{
	assert_int_equal(got.reached, wanted.reached);
	assert_int_equal(got.unreachable, wanted.unreachable);
	assert_int_equal(got.hops, wanted.hops);
	assert_int_equal(got.max_hops, wanted.max_hops);
}

TEST(a_tree_is_reached_everywhere)
{
	struct world world;
	world_tree(&world, 4, 3);
	/* of each host: 3 others on its leaf, 12 more in its subtree, 48 beyond */
	struct compared_reach exact = {64 * 63, 0, 64 * (3 * 1 + 12 * 3 + 48 * 5), 5};
	assert_reach(count_in_parts(&world, 1), exact);
	assert_reach(count_in_parts(&world, 3), exact);
	assert_reach(count_in_parts(&world, 100), exact);
	world_clear(&world);
}

/* Small fabrics without any sense: hosts with several links or none, tables with holes and loops, hosts that forward. */
static char *random_fabric(struct random *random)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_non_null(file);
	uint32_t hosts = 1 + random_below(random, 6), nodes = hosts + 1 + random_below(random, 5);
	fputs("digraph {\n", file);
	for (uint32_t v = 0; v < nodes; v++)
		fprintf(file, "%c%" PRIu32 ";\n", v < hosts ? 'H' : 'S', v);
	for (uint32_t v = 0; v < nodes; v++)
		for (uint32_t links = random_below(random, v < hosts ? 3 : 5); links; links--) {
			uint32_t to = random_below(random, nodes);
			fprintf(file, "%c%" PRIu32 " -> %c%" PRIu32 " [comment=\"", v < hosts ? 'H' : 'S', v, to < hosts ? 'H' : 'S', to);
			if (random_below(random, 3) == 0)
				fputs("*", file);
			else
				for (uint32_t d = 0; d < hosts; d++)
					if (d == to || random_below(random, 2))
						fprintf(file, "H%" PRIu32 ",", d);
			fputs("\"];\n", file);
		}
	fputs("}\n", file);
	fclose(file);
	return text;
}

TEST(senseless_fabrics_are_counted_as_they_are_walked)
{
	struct random random;
	uint64_t reached = 0, unreachable = 0;
	random_start(&random, 1, RANDOM_PATTERN, 0);
	for (int i = 0; i < 2000; i++) {
		struct world world;
		char *text = random_fabric(&random);
		assert_int_equal(world_read(&world, text, DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK), 0);
		struct compared_reach wanted = walk_all(&world), got = count_in_parts(&world, 1 + (uint32_t)i % 3);
		if (memcmp(&got, &wanted, sizeof got))
			print_message("%s", text);
		assert_reach(got, wanted);
		reached += got.reached;
		unreachable += got.unreachable;
		free(text);
		world_clear(&world);
	}
	assert_true(reached > 1000 && unreachable > 1000);
}

/* ---- hosts */

/* Two hosts at a switch, in this order, with these GUIDs ("" for none). */
static void load_pair(struct world *world, const char *first, const char *first_guid, const char *second, const char *second_guid)
{
	char text[500];
	snprintf(text, sizeof text, "digraph { %s [guid=\"%s\"]; %s [guid=\"%s\"]; %s->S [comment=\"*\"]; %s->S [comment=\"*\"] }", first,
		first_guid, second, second_guid, first, second);
	world_load(world, text);
}

/* The hosts Ha, 0x11, and Hb with this GUID, and two others: the first of which is which? */
static void check_match(
	const char *guid, const char *other, const char *other_guid, const char *second, const char *second_guid, uint32_t first_is)
{
	struct world here, there;
	struct host_list list = {0};
	struct error error = {0};
	load_pair(&here, "Ha", "0x11", "Hb", guid);
	assert_int_equal(host_list_init(&list, here.fabric, &error), 0);
	load_pair(&there, other, other_guid, second, second_guid);
	uint32_t *same = same_hosts(&list, there.fabric, &error);
	if (first_is == NONE) {
		assert_null(same);
		assert_error(&error, STATUS_FABRIC, "its hosts differ from those of", "host 'Ha' is missing");
	} else {
		assert_fine(&error);
		assert_non_null(same);
		assert_int_equal(same[0], first_is);
		assert_int_equal(same[1], 1 - first_is);
	}
	free(same);
	host_list_clear(&list);
	world_clear(&here);
	world_clear(&there);
}

TEST(hosts_are_matched_by_guid_else_by_name)
{
	check_match("0x12", "Ha", "0x11", "Hb", "0x12", 0);
	check_match("0x12", "Hb", "0x12", "Ha", "0x11", 1);
	check_match("0x12", "Hx", "0x12", "Hy", "0x11", 1); /* GUIDs alone */
	check_match("0x12", "Ha", "0x12", "Hb", "0x11", 1); /* GUIDs before names */
	check_match("0x12", "Hb", "", "Ha", "", 1);         /* names alone */
	check_match("0x11", "Hb", "0x11", "Ha", "0x11", 1); /* a GUID twice tells nothing */
	check_match("0x12", "Hb", "0x11", "Ha", "0x13", 1); /* other GUIDs tell nothing */
	check_match("0x12", "Hx", "", "Hb", "", NONE);
}

/* Hosts of lists, as "NAME GUID" with a space after each, and what is expected: the common ones, and those missing in each list. */
static void check_common(const char *const hosts[3], const char *common, const char *const missing[3])
{
	struct host_list list[3] = {0};
	struct missing_hosts gone[3] = {0};
	struct error error = {0};
	char text[3][200], found[200] = "";
	uint32_t before = 0;
	for (int i = 0; i < 3; i++) {
		list[i].name = calloc(10, sizeof *list[i].name);
		list[i].guid = calloc(10, sizeof *list[i].guid);
		snprintf(text[i], sizeof text[i], "%s", hosts[i]);
		char *rest = text[i];
		for (char *name; (name = strtok_r(rest, " ", &rest));) {
			list[i].name[list[i].hosts] = name;
			list[i].guid[list[i].hosts++] = strtoull(strtok_r(rest, " ", &rest), NULL, 10);
		}
	}
	before = list[0].hosts;
	uint32_t *place = common_hosts(list, 3, gone, &error);
	if (!common) {
		assert_null(place);
		assert_error(&error, STATUS_FABRIC, "fewer than 2 hosts");
	}
	for (uint32_t h = 0, next = 0; place && h < before; h++)
		if (place[h] != NONE)
			assert_int_equal(place[h], next++);
	for (uint32_t h = 0; place && h < list->hosts; h++)
		snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", list->name[h]);
	if (common)
		assert_string_equal(found, common);
	for (int i = 0; i < 3; i++) {
		*found = '\0';
		for (int n = 0; n < MISSING_NAMED && gone[i].name[n]; n++)
			snprintf(found + strlen(found), sizeof found - strlen(found), "%s ", gone[i].name[n]);
		snprintf(found + strlen(found), sizeof found - strlen(found), "%u", gone[i].count);
		if (missing)
			assert_string_equal(found, missing[i]);
		missing_hosts_clear(&gone[i]);
		free(list[i].name);
		free(list[i].guid);
	}
	free(place);
}

TEST(common_hosts_are_those_of_all)
{
	check_common((const char *const[]){"a 1 b 2 c 3 ", "c 3 a 1 b 2 ", "b 2 c 3 a 1 "}, "a b c ", (const char *const[]){"0", "0", "0"});
	check_common((const char *const[]){"d 4 a 1 b 2 c 3 ", "c 3 a 1 ", "b 2 c 3 a 1 e 5 "}, "a c ",
		(const char *const[]){"e 1", "b d e 3", "d 1"});
	/* other names of the same GUIDs; names where these are missing, or occur twice, or find fewer */
	check_common((const char *const[]){"a 1 b 2 c 3 ", "x 1 y 2 ", "y 1 x 2 c 3 "}, "a b ", (const char *const[]){"0", "c 1", "0"});
	check_common((const char *const[]){"a 1 b 2 c 3 ", "a 0 b 2 ", "b 2 a 1 c 3 "}, "a b ", (const char *const[]){"0", "c 1", "0"});
	check_common((const char *const[]){"a 1 b 1 c 3 ", "a 1 b 1 ", "b 1 a 1 c 3 "}, "a b ", (const char *const[]){"0", "c 1", "0"});
	check_common((const char *const[]){"a 1 b 2 c 3 ", "a 1 b 9 ", "b 2 a 1 c 3 "}, "a b ", (const char *const[]){"0", "c 1", "0"});
	check_common((const char *const[]){"a 0 b 0 c 0 d 0 e 0 f 0 g 0 h 0 ", "a 0 b 0 ", "a 0 b 0 "}, "a b ",
		(const char *const[]){"0", "c d e f g 6", "c d e f g 6"});
	check_common((const char *const[]){"a 1 b 2 ", "a 1 c 3 ", "d 4 a 1 "}, NULL, NULL);
}

/* ---- verdicts */

TEST(differences_are_those_of_the_runs)
{
	static const double a[] = {0.5, 0.7, 0.9, 0.7}, b[] = {0.4, 0.7, 0.8, 0.5}, c[] = {0.5, 0.7, 0.9, 0.7};
	static const uint64_t lost[4];
	struct verdict v[4];
	struct error error = {0};
	assert_int_equal(verdicts_of(v, (const double *const[]){b, NULL, a, c}, lost, 4, 4, &error), 0);
	assert_within(v[0].runs.mean, 0.6, 1e-15);
	assert_within(v[2].runs.mean, 0.7, 1e-15);
	assert_false(v[0].best);
	assert_int_equal(v[1].runs.count, 0);
	assert_true(v[2].best && v[3].best);
	/* -0.1, 0, -0.1, -0.2: mean -0.1, population variance 0.005, Student's t for 3 degrees of freedom 3.182446305284263 */
	double half = 3.182446305284263 * sqrt(0.005 / 3);
	assert_int_equal(v[0].common, 4);
	assert_within(v[0].difference, -0.1, 1e-15);
	assert_within(v[0].low, -0.1 - half, 1e-8);
	assert_within(v[0].high, -0.1 + half, 1e-8);
	assert_true(v[3].difference == 0 && v[3].low == 0 && v[3].high == 0);
}

TEST(runs_without_a_value_are_left_out)
{
	const double a[] = {0.5, NAN, 0.9, 0.7}, b[] = {NAN, 0.25, 0.5, 0.5}, none[] = {NAN, NAN, NAN, NAN};
	static const uint64_t lost[3];
	struct verdict v[3];
	struct error error = {0};
	assert_int_equal(verdicts_of(v, (const double *const[]){a, b, none}, lost, 3, 4, &error), 0);
	assert_int_equal(v[0].runs.count, 3);
	assert_within(v[1].runs.mean, 1.25 / 3, 1e-15);
	assert_int_equal(v[1].common, 2);
	assert_within(v[1].difference, -0.3, 1e-15);
	assert_int_equal(v[2].runs.count, 0);
	assert_false(v[2].best);
	assert_int_equal(verdicts_of(v, (const double *const[]){a, b}, lost, 2, 1, &error), 0); /* one run, none in common */
	assert_true(v[0].best && isnan(v[0].low) && v[1].runs.count == 0);
}

TEST(who_loses_messages_is_not_the_best)
{
	const double a[] = {0.9, 0.8}, b[] = {0.5, 0.6}, none[] = {NAN, NAN};
	const uint64_t some[] = {3, 0, 0}, all[] = {3, 1, 0};
	struct verdict v[3];
	struct error error = {0};
	assert_int_equal(verdicts_of(v, (const double *const[]){a, b, none}, some, 3, 2, &error), 0);
	assert_true(!v[0].best && !v[0].complete && v[1].best && v[1].complete);
	assert_within(v[0].difference, 0.3, 1e-15);
	assert_int_equal(verdicts_of(v, (const double *const[]){a, b, none}, all, 3, 2, &error), 0);
	assert_true(v[0].best && v[0].complete && !v[1].best);
}

/* ---- the comparison */

struct bench {
	struct path path[2];
	struct fabric_source source[2];
	struct files files;
	struct routed_fabric routing[2];
	struct comparison comparison;
	struct error error;
};

static const struct pattern_request requests[] = {
	{.spec = "bisect", .first_ranks = -1, .seed = 1}, {.spec = "shift:1", .first_ranks = -1, .seed = 1}};

static void make_bench(struct bench *b, const char *first, const char *second)
{
	*b = (struct bench){.path = {write_text("first.dot", first), write_text("second.dot", second)}};
	b->comparison = (struct comparison){.routing = b->routing,
		.routings = 2,
		.request = requests,
		.patterns = 2,
		.subset = "linear_bfs",
		.mapping = "random",
		.seed = 1,
		.runs = 10,
		.comm = comm_create(&b->error)};
	for (int i = 0; i < 2; i++) {
		b->source[i].program = "test";
		fabric_source_add(&b->source[i], b->path[i].text, DUMPS_ANY, &b->error);
		fabric_source_named(&b->source[i], &b->error);
		fabric_source_open(&b->source[i], &b->files, &b->error);
		b->routing[i].source = &b->source[i];
		b->routing[i].label = i ? "second" : "first";
	}
}

static void clear_bench(struct bench *b)
{
	comparison_clear(&b->comparison);
	for (int i = 0; i < 2; i++)
		fabric_source_clear(&b->source[i]);
	files_clear(&b->files);
	comm_free(b->comparison.comm);
}

static const char star[] = "digraph { H1->S [comment=\"*\"]; H2->S [comment=\"*\"]; H3->S [comment=\"*\"];"
			   "S->H1 [comment=H1, port=7, peer_port=1]; S->H2 [comment=H2]; S->H3 [comment=H3] }";

TEST(all_routings_make_the_same_runs)
{
	struct bench b;
	make_bench(&b, star, star);
	b.routing[0].source = NULL; /* an engine that failed */
	assert_int_equal(comparison_run(&b.comparison, &b.error), 0);
	assert_int_equal(b.comparison.runs, 10);
	assert_int_equal(b.comparison.ranks, 3);
	assert_int_equal(b.comparison.hosts.hosts, 3);
	assert_int_equal(b.routing[0].runs, 0);
	assert_int_equal(b.routing[1].runs, 10);
	assert_int_equal(b.routing[1].trial[0].connections, 10);
	assert_int_equal(b.routing[1].trial[1].connections, 30);
	assert_true(b.routing[1].trial[1].verdict.runs.mean == 1 && b.routing[1].trial[1].verdict.best);
	assert_int_equal(b.routing[1].trial[1].hottest.sum, 10); /* every channel alike: the first */
	assert_string_equal(b.routing[1].trial[1].hottest.from, "H1");
	assert_true(b.routing[1].trial[1].hottest.mean == 1);
	assert_int_equal(b.routing[1].reach.hops, 6);
	clear_bench(&b);
}

TEST(precision_is_common)
{
	struct bench b;
	make_bench(&b, star, star);
	b.comparison.precision = 0.1;
	b.comparison.runs = 1000;
	assert_int_equal(comparison_run(&b.comparison, &b.error), 0);
	assert_true(b.comparison.precise);
	assert_int_equal(b.comparison.runs, 100); /* nothing varies: the first look is enough */
	assert_int_equal(b.routing[0].runs, 100);
	assert_int_equal(b.routing[1].runs, 100);
	clear_bench(&b);
}

TEST(errors_name_the_routing)
{
	struct bench b;
	make_bench(&b, star, "digraph { H1->S }");
	assert_int_equal(comparison_run(&b.comparison, &b.error), -1);
	assert_error(&b.error, STATUS_FABRIC, "fewer than 2 hosts are in all fabrics");
	clear_bench(&b);
	make_bench(&b, star, "nonsense");
	assert_int_equal(comparison_run(&b.comparison, &b.error), -1);
	assert_error(&b.error, STATUS_FABRIC, "second:1: syntax error");
	clear_bench(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tree_is_reached_everywhere),
		cmocka_unit_test(senseless_fabrics_are_counted_as_they_are_walked),
		cmocka_unit_test(hosts_are_matched_by_guid_else_by_name),
		cmocka_unit_test(common_hosts_are_those_of_all),
		cmocka_unit_test(differences_are_those_of_the_runs),
		cmocka_unit_test(runs_without_a_value_are_left_out),
		cmocka_unit_test(who_loses_messages_is_not_the_best),
		cmocka_unit_test(all_routings_make_the_same_runs),
		cmocka_unit_test(precision_is_common),
		cmocka_unit_test(errors_name_the_routing),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
