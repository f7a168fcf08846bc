/* Forwarding sets become tables. */
#include "helpers.h"

#include <stdlib.h>
#include <string.h>

/* The channel by which node forwards to the host, NONE if it has no entry. */
static uint32_t next_channel(const struct world *world, const char *node, const char *host)
{
	uint32_t v = node_of(world, node);
	return forwarding_next(world->forwarding, v, world->forwarding->column[v], host_of(world, host));
}

/* At the node, packets for the host leave by the which-th channel (from 0) to the node to; NULL: there is no entry. */
static void assert_next(const struct world *world, const char *node, const char *host, const char *to, uint32_t which)
{
	uint32_t channel = next_channel(world, node, host);
	if (to)
		assert_int_equal(channel, channel_of(world, node, to) + which);
	else
		assert_int_equal(channel, NONE);
}

static bool has_table(const struct world *world, const char *node)
{
	return world->forwarding->column[node_of(world, node)] != NONE;
}

static void assert_clean(const struct world *world)
{
	assert_int_equal(world->report.forwarding.ambiguous, 0);
	assert_int_equal(world->report.forwarding.unknown, 0);
	assert_string_equal(world->report.forwarding.first_unknown, "");
}

TEST(a_list_names_its_destinations)
{
	struct world world;
	world_load(&world, "digraph { H1->S; H2->S; H3->S; S->H1 [comment=\"H1\"]; S->H2 [comment=\"H2,H3\"] }");
	assert_next(&world, "S", "H1", "H1", 0);
	assert_next(&world, "S", "H2", "H2", 0);
	assert_next(&world, "S", "H3", "H2", 0);
	assert_clean(&world);
	world_clear(&world);
}

TEST(blanks_around_names_do_not_matter)
{
	struct world world;
	world_load(&world,
		"digraph { H1->S; H2->S; \"H 3\"->S; S->H1 [comment=\" \\\n\tH1 ,\n\t H 3\t\n,\"]; S->H2 [comment=\"\r\n H2\r\n\"] }");
	assert_next(&world, "S", "H1", "H1", 0);
	assert_next(&world, "S", "H 3", "H1", 0);
	assert_next(&world, "S", "H2", "H2", 0);
	assert_clean(&world);
	world_clear(&world);
}

TEST(empty_places_in_a_list_are_nothing)
{
	struct world world;
	world_load(&world, "digraph { H1->S; H2->S; S->H1 [comment=\",, ,H1,\"]; S->H2 [comment=\" , \"]; S->S [comment=\"\"] }");
	assert_next(&world, "S", "H1", "H1", 0);
	assert_next(&world, "S", "H2", NULL, 0);
	assert_clean(&world);
	world_clear(&world);
}

TEST(a_star_matches_what_no_other_channel_lists)
{
	struct world world;
	world_load(&world,
		"digraph { H1->S; H2->S; H3->S; H4->S; S->T [comment=\" *\\\n \"]; S->H1 [comment=\"H1\"]; S->H3 [comment=\"H3\"]; T->S }");
	assert_next(&world, "S", "H1", "H1", 0);
	assert_next(&world, "S", "H2", "T", 0);
	assert_next(&world, "S", "H3", "H3", 0);
	assert_next(&world, "S", "H4", "T", 0);
	assert_clean(&world);
	world_clear(&world);
}

/* Only "*" alone is one. */
TEST(a_star_among_names_is_a_name)
{
	struct world world;
	world_load(&world, "digraph { H1->S; H2->S; S->H1 [comment=\"*,H1\"]; S->H2 [comment=\"**\"] }");
	assert_next(&world, "S", "H1", "H1", 0);
	assert_next(&world, "S", "H2", NULL, 0);
	assert_int_equal(world.report.forwarding.unknown, 2);
	world_clear(&world);
}

TEST(no_comment_forwards_nothing)
{
	struct world world;
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H2->S; S->H1 [comment=\"H1\"]; S->H2 }");
	assert_next(&world, "H1", "H2", "S", 0);
	assert_next(&world, "H2", "H1", NULL, 0);
	assert_next(&world, "S", "H2", NULL, 0);
	world_clear(&world);
}

TEST(unknown_names_are_counted_and_the_first_is_shown)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->H1 [comment=\"H1,H5,H6\"]; S->T [comment=\"H7, H5\"] }");
	assert_int_equal(world.report.forwarding.unknown, 4);
	assert_string_equal(world.report.forwarding.first_unknown, "H5");
	assert_int_equal(world.report.forwarding.ambiguous, 0);
	world_clear(&world);
}

TEST(an_endless_unknown_name_is_cut)
{
	char text[1000] = "digraph { H1->S; S->H1 [comment=\"";
	size_t begin = strlen(text);
	memset(text + begin, 'x', 500);
	strcpy(text + begin + 500, "\"] }");
	struct world world;
	world_load(&world, text);
	assert_int_equal(strlen(world.report.forwarding.first_unknown), sizeof world.report.forwarding.first_unknown - 1);
	world_clear(&world);
}

TEST(switches_in_a_list_are_known_and_ignored)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->H1 [comment=\"H1,S,T\"]; S->T }");
	assert_next(&world, "S", "H1", "H1", 0);
	assert_clean(&world);
	world_clear(&world);
}

/* Of several channels that list a destination the first in the order of the channels counts. */
TEST(ambiguous_entries_are_counted_once_and_the_first_is_used)
{
	struct world world;
	world_load(&world,
		"digraph { H1->S; H2->S; S->T [comment=\"H1,H2\"]; S->T [comment=\"H1\"]; S->T [comment=\"H1,H2\"]; T->H1 [comment=H1] }");
	assert_int_equal(world.report.forwarding.ambiguous, 2);
	assert_next(&world, "S", "H1", "T", 0);
	assert_next(&world, "S", "H2", "T", 0);
	world_clear(&world);
}

TEST(a_name_twice_in_one_list_is_not_ambiguous)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->H1 [comment=\"H1,H1\"] }");
	assert_clean(&world);
	world_clear(&world);
}

TEST(ambiguity_at_one_node_does_not_reach_the_next)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->T [comment=H1]; S->T [comment=H1]; T->H1 [comment=H1]; U->T [comment=H1] }");
	assert_int_equal(world.report.forwarding.ambiguous, 1);
	world_clear(&world);
}

/* Two stars are ambiguous for every destination that no list names; a host is no destination of its own. */
TEST(two_stars_are_ambiguous_for_the_rest)
{
	struct world world;
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H1->T [comment=\"*\"]; H2->S; H3->S; H4->S;"
			   "S->T [comment=\"*\"]; S->T [comment=\"*\"]; S->H2 [comment=\"H2\"] }");
	assert_int_equal(world.report.forwarding.ambiguous, 3 + 3);
	assert_next(&world, "S", "H1", "T", 0);
	assert_next(&world, "S", "H2", "H2", 0);
	assert_next(&world, "H1", "H3", "S", 0);
	world_clear(&world);
}

TEST(nodes_with_one_channel_for_all_need_no_table)
{
	struct world world;
	world_load(&world, "digraph { H1->S [comment=\"*\"]; H2->S [comment=\"H1,H3\"]; H3->S [comment=\"H1,H2,H3\"];"
			   "S->H1 [comment=H1]; S->H2 [comment=\"*\"]; T->S [comment=\"H1,H2,H3\"]; U->S }");
	assert_false(has_table(&world, "H1"));
	assert_false(has_table(&world, "H2")); /* itself does not matter */
	assert_false(has_table(&world, "H3"));
	assert_true(has_table(&world, "S"));
	assert_false(has_table(&world, "T"));
	assert_false(has_table(&world, "U"));
	assert_int_equal(world.forwarding->columns, 1);
	assert_next(&world, "H2", "H3", "S", 0);
	assert_next(&world, "T", "H2", "S", 0);
	assert_next(&world, "U", "H2", NULL, 0);
	world_clear(&world);
}

TEST(one_missing_entry_needs_a_table)
{
	struct world world;
	world_load(&world, "digraph { H1->S [comment=\"H2\"]; H2->S; H3->S; S->H1 }");
	assert_true(has_table(&world, "H1"));
	assert_next(&world, "H1", "H2", "S", 0);
	assert_next(&world, "H1", "H3", NULL, 0);
	world_clear(&world);
}

TEST(channels_know_the_tables_they_lead_to)
{
	struct world world;
	world_tree(&world, 3, 2);
	for (uint32_t c = 0; c < world.fabric->channels; c++) {
		uint32_t head = world.fabric->head[c];
		assert_int_equal(world.forwarding->hop[c].node, head);
		assert_int_equal(world.forwarding->hop[c].column, world.forwarding->column[head]);
	}
	world_clear(&world);
}

/* More hosts and tables than a tile of the transposition, and of uneven numbers: host h leaves switch s by port (h + s) mod 3. */
TEST(many_tables_do_not_mix)
{
	enum { HOSTS = 101, SWITCHES = 37 };
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	fputs("digraph {", file);
	for (int h = 0; h < HOSTS; h++)
		fprintf(file, "H%d -> S0;", h);
	for (int s = 0; s < SWITCHES; s++)
		for (int port = 0; port < 3; port++) {
			fprintf(file, "S%d -> P%d [comment=\"", s, port);
			for (int h = 0; h < HOSTS; h++)
				if ((h + s) % 3 == port)
					fprintf(file, "H%d,", h);
			fputs("\"];", file);
		}
	fputs("}", file);
	fclose(file);
	struct world world;
	world_load(&world, text);
	assert_int_equal(world.forwarding->columns, SWITCHES);
	for (int s = 0; s < SWITCHES; s++)
		for (int h = 0; h < HOSTS; h++) {
			char node[20], host[20], to[20];
			snprintf(node, sizeof node, "S%d", s);
			snprintf(host, sizeof host, "H%d", h);
			snprintf(to, sizeof to, "P%d", (h + s) % 3);
			assert_next(&world, node, host, to, 0);
		}
	free(text);
	world_clear(&world);
}

TEST(a_builder_that_is_not_taken_is_freed)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->H1 [comment=H1] }");
	struct forwarding_builder *builder = forwarding_builder_create(world.fabric, &world.error);
	assert_non_null(builder);
	forwarding_builder_add(builder, 0, "H1");
	assert_null(forwarding_builder_finish(builder, false, NULL, &world.error));
	assert_null(forwarding_builder_finish(NULL, true, NULL, &world.error));
	assert_fine(&world.error);
	forwarding_free(NULL);
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_list_names_its_destinations),
		cmocka_unit_test(blanks_around_names_do_not_matter),
		cmocka_unit_test(empty_places_in_a_list_are_nothing),
		cmocka_unit_test(a_star_matches_what_no_other_channel_lists),
		cmocka_unit_test(a_star_among_names_is_a_name),
		cmocka_unit_test(no_comment_forwards_nothing),
		cmocka_unit_test(unknown_names_are_counted_and_the_first_is_shown),
		cmocka_unit_test(an_endless_unknown_name_is_cut),
		cmocka_unit_test(switches_in_a_list_are_known_and_ignored),
		cmocka_unit_test(ambiguous_entries_are_counted_once_and_the_first_is_used),
		cmocka_unit_test(a_name_twice_in_one_list_is_not_ambiguous),
		cmocka_unit_test(ambiguity_at_one_node_does_not_reach_the_next),
		cmocka_unit_test(two_stars_are_ambiguous_for_the_rest),
		cmocka_unit_test(nodes_with_one_channel_for_all_need_no_table),
		cmocka_unit_test(one_missing_entry_needs_a_table),
		cmocka_unit_test(channels_know_the_tables_they_lead_to),
		cmocka_unit_test(many_tables_do_not_mix),
		cmocka_unit_test(a_builder_that_is_not_taken_is_freed),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
