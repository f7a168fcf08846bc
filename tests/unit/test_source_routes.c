/* Sets of source routes: groups, shares, what is refused; and files of them, there and back. */
#include "helpers.h"

#include "formats/route_file.h"

#include <stdlib.h>
#include <string.h>

/* H1 and H2 at A, H3 and H4 at B, which two cables join; C is a way round; H5 has two cables, H6 stands behind it. */
static const char square[] = "digraph { H1->A->H1; H2->A->H2; H3->B->H3; H4->B->H4; A->B->A; A->B->A; A->C->B->C->A; H5->A->H5; H5->B->H5;"
			     "H6->H5->H6 }";

/* The n-th channel from one node to another, from 0 on. */
static uint32_t nth_channel(const struct fabric *fabric, const char *from, const char *to, int n)
{
	uint32_t u = name_table_find(&fabric->labels->names, from, strlen(from)),
		 v = name_table_find(&fabric->labels->names, to, strlen(to));
	for (uint32_t c = fabric->first_channel[u]; c < fabric->first_channel[u + 1]; c++)
		if (fabric->head[c] == v && !n--)
			return c;
	fail_msg("no channel %s -> %s", from, to);
	return NONE;
}

/* Reads the lines as a file of routes. NULL on errors. */
static struct source_routes *set_of(struct world *w, const char *lines)
{
	struct source_routes *set;
	struct path path = write_text("lines.routes", lines);
	int status = route_file_read(path.text, w->fabric, &set, &w->error);
	assert_int_equal(status, set ? 0 : -1);
	return set;
}

/* What the set writes, to be freed. */
static char *written(struct world *w, const struct source_routes *set)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_int_equal(route_file_write(set, w->fabric, file, &w->error), 0);
	fclose(file);
	return text;
}

TEST(routes_of_a_pair_in_the_order_of_their_shares)
{
	struct world w;
	assert_int_equal(world_read(&w, square, 0), 0);
	struct source_routes *set = set_of(&w, "1 H1,A,C,B,H3\n4 H1,A:2,B,H3\n 3\tH1 ,A:1, B,H3\n# H1\n\n2 H3,B:1,A,H1");
	uint32_t channels[10], from_host = host_of(&w, "H1"), to_host = host_of(&w, "H3");
	uint64_t from, to;
	assert_true(source_routes_find(set, from_host, to_host, &from, &to));
	assert_int_equal(to - from, 3);
	assert_true(set->share[from] == 0.5 && set->share[from + 1] == 0.375 && set->share[from + 2] == 0.125);
	assert_int_equal(source_routes_channels(set, from_host, to_host, from, channels), 3);
	assert_int_equal(channels[0], nth_channel(w.fabric, "H1", "A", 0));
	assert_int_equal(channels[1], nth_channel(w.fabric, "A", "B", 1));
	assert_int_equal(channels[2], nth_channel(w.fabric, "B", "H3", 0));
	assert_int_equal(source_routes_channels(set, from_host, to_host, from + 2, channels), 4);
	assert_true(source_routes_find(set, to_host, from_host, &from, &to));
	assert_int_equal(to - from, 1);
	assert_true(set->share[from] == 1);
	assert_false(source_routes_find(set, from_host, host_of(&w, "H2"), &from, &to));
	assert_false(source_routes_find(set, host_of(&w, "H2"), to_host, &from, &to));
	char *text = written(&w, set);
	assert_string_equal(text, "0.5 H1,A:2,B,H3\n0.375 H1,A:1,B,H3\n0.125 H1,A,C,B,H3\n1 H3,B:1,A,H1\n");
	free(text);
	source_routes_free(set);
	world_clear(&w);
}

/* The routes from H1 and H2 to H3 and H4, and between these. */
#define ALIKE \
	"1 H1,A:1,B,H3\n1 H1,A,C,B,H3\n1 H1,A:1,B,H4\n1 H1,A,C,B,H4\n1 H2,A:1,B,H3\n1 H2,A,C,B,H3\n1 H2,A:1,B,H4\n1 H2,A,C,B,H4\n" \
	"1 H1,A,H2\n1 H2,A,H1\n1 H3,B,H4\n1 H4,B,H3\n"

TEST(hosts_whose_routes_are_alike_are_a_group)
{
	struct world w;
	assert_int_equal(world_read(&w, square, 0), 0);
	struct source_routes *set = set_of(&w, ALIKE);
	assert_int_equal(set->groups, 4); /* two switches, H5, H6 */
	assert_int_equal(set->row[4], 3);
	assert_int_equal(set->group[host_of(&w, "H1")], set->group[host_of(&w, "H2")]);
	source_routes_free(set);
	set = set_of(&w, ALIKE "1 H1,A:2,B,H3\n"); /* one more: H1 and H2 are no group, nor are H3 and H4 */
	assert_int_equal(set->groups, 6);
	uint64_t from, to;
	assert_true(source_routes_find(set, host_of(&w, "H1"), host_of(&w, "H3"), &from, &to));
	assert_int_equal(to - from, 3);
	assert_true(source_routes_find(set, host_of(&w, "H2"), host_of(&w, "H3"), &from, &to));
	assert_int_equal(to - from, 2);
	source_routes_free(set);
	set = set_of(&w, "2 H1,A,H2\n1 H2,A,H1\n8 H3,B,H4\n8 H4,B,H3\n"); /* other weights, the same shares */
	assert_int_equal(set->groups, 4);
	source_routes_free(set);
	set = set_of(&w, "1 H1,A,H2\n"); /* one less: H2 to H1 */
	assert_int_equal(set->groups, 5);
	assert_false(source_routes_find(set, host_of(&w, "H2"), host_of(&w, "H1"), &from, &to));
	assert_true(source_routes_find(set, host_of(&w, "H1"), host_of(&w, "H2"), &from, &to));
	assert_int_equal(set->start[to] - set->start[from], 0);
	source_routes_free(set);
	world_clear(&w);
}

TEST(files_there_and_back)
{
	static const char *const lines[] = {
		ALIKE,
		"1 H1,A:2,B,H3\n2 H1,A,C,B,H3\n1 H1,A:1,B,H3\n",
		"1 H1,A:2,B,H3\n1 H2,A,C,B,H3\n1 H1,A:1,B,H3\n0.1 H2,A:1,B,H3\n1 H1,A,C,B,H3\n5e-3 H2,A:2,B,H3\n1 H1,A:2,B,H3\n",
		"1 H5,A,H1\n1 H5,B,C,A,H1\n3 H1,A,C,B,H5\n1 H6,H5,B,H4\n7 H4,B,H5,H6\n1 H5,H6\n1e-300 H6,H5\n",
		"1e308 H1,A:1,B,H3\n1e308 H1,A:2,B,H3\n1e308 H1,A,C,B,H3\n",
		"0.3333 H1,A:1,B,H3\n0.3333 H1,A:2,B,H3\n0.3333 H1,A,C,B,H3\n1 H3,B:2,A,H1\n",
	};
	struct world w;
	assert_int_equal(world_read(&w, square, 0), 0);
	for (size_t i = 0; i < ARRAY_LENGTH(lines); i++) {
		struct source_routes *set = set_of(&w, lines[i]);
		assert_fine(&w.error);
		for (uint64_t p = 0; p < set->row[set->groups]; p++) {
			double sum = 0;
			for (uint64_t r = set->route[p]; r < set->route[p + 1]; r++)
				sum += set->share[r];
			assert_within(sum, 1, 1e-12);
		}
		char *first = written(&w, set);
		struct source_routes *again = set_of(&w, first);
		char *second = written(&w, again);
		assert_string_equal(first, second);
		uint64_t routes = set->route[set->row[set->groups]];
		assert_int_equal(again->groups, set->groups);
		assert_int_equal(again->route[again->row[again->groups]], routes);
		assert_memory_equal(again->share, set->share, routes * sizeof *set->share);
		assert_memory_equal(again->channel, set->channel, set->start[routes] * sizeof *set->channel);
		free(first);
		free(second);
		source_routes_free(set);
		source_routes_free(again);
	}
	world_clear(&w);
}

TEST(what_is_no_route_is_refused)
{
	struct world w;
	assert_int_equal(world_read(&w, square, 0), 0);
	assert_null(set_of(&w, "# none\n"));
	assert_error(&w.error, STATUS_FABRIC, "lines.routes", "the file contains no route");
	w.error = (struct error){0};
	struct route_builder builder;
	uint32_t h1 = host_of(&w, "H1"), h3 = host_of(&w, "H3");
	uint32_t up = nth_channel(w.fabric, "H1", "A", 0), across = nth_channel(w.fabric, "A", "B", 0),
		 back = nth_channel(w.fabric, "B", "A", 0), down = nth_channel(w.fabric, "B", "H3", 0);
	assert_int_equal(route_builder_init(&builder, w.fabric, false, &w.error), 0);
	assert_int_equal(route_builder_add(&builder, h1, h3, 1, (uint32_t[]){up, down}, 2, &w.error), -1);
	assert_error(&w.error, STATUS_FABRIC, "does not leave A");
	assert_int_equal(route_builder_add(&builder, h1, h3, 1, (uint32_t[]){up, across, back, across, down}, 5, &w.error), -1);
	assert_error(&w.error, STATUS_FABRIC, "enters A twice");
	assert_int_equal(route_builder_add(&builder, h1, h3, 1, (uint32_t[]){up, across}, 2, &w.error), -1);
	assert_error(&w.error, STATUS_FABRIC, "ends at B, not at H3");
	assert_int_equal(route_builder_add(&builder, h1, h1, 1, NULL, 0, &w.error), -1);
	assert_error(&w.error, STATUS_FABRIC, "H1 to itself");
	assert_int_equal(route_builder_add(&builder, h1, h3, 1, (uint32_t[]){up, across, down}, 3, &w.error), 0);
	struct source_routes *set = route_builder_end(&builder, &w.error);
	assert_fine(&w.error);
	assert_int_equal(set->row[set->groups], 1); /* nothing of what was refused */
	assert_int_equal(set->route[1], 1);
	source_routes_free(set);
	route_builder_clear(&builder);
	assert_null(set_of(&w, "1 H1,A:1,B,H3\n1 H1,A,H3\n"));
	assert_error(&w.error, STATUS_FABRIC, "lines.routes:2: no channel leads from A to H3");
	world_clear(&w);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(routes_of_a_pair_in_the_order_of_their_shares),
		cmocka_unit_test(hosts_whose_routes_are_alike_are_a_group),
		cmocka_unit_test(files_there_and_back),
		cmocka_unit_test(what_is_no_route_is_refused),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
