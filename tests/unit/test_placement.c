/* Which hosts take part, and which rank sits where. */
#include "helpers.h"

#include "fabric/placement.h"

#include <stdlib.h>
#include <string.h>

/*
 * Three leaves below one root. In the order of the file the hosts are H5 H1 H4 H2 H3 H6; the search starts at R, the first node, and
 * finds leaf A with H1 H2, then B with H3 H4 (out-edges go by the first appearance of their heads), then C with H6; H5 has no way in.
 */
static const char fabric_text[] =
	"digraph { R; H5 [guid=\"0x30\", desc=\"node5 HCA-1\"]; H1 [guid=\"0x20\", desc=\"node1 HCA-1\"]; A; B; C;"
	"H4 [guid=\"0xffffffffffffffff\", desc=\"node2 HCA-2\"]; H2 [guid=\"0x10\", desc=\"node2 HCA-1\"]; H3 [desc=\"twin\"]; H6 [desc=\"twin\"];"
	"R->A; R->B; R->C; A->H1; A->H2; A->R; B->R; B->H4; B->H3; C->H6; H1->A; H2->A; H3->B; H4->B; H5->C; H6->C }";

/* The hosts' names in the order of the ranks of one run, with blanks between them. */
static void describe(const struct world *world, const struct placement *placement, uint64_t seed, uint64_t run, char *text, size_t size)
{
	uint32_t host[100];
	size_t length = 0;
	assert_in_range(placement->ranks, 1, 100);
	placement_run(placement, seed, run, host);
	for (uint32_t r = 0; r < placement->ranks; r++) {
		assert_in_range(host[r], 0, world->fabric->hosts - 1);
		length += (size_t)snprintf(
			text + length, size - length, "%s%s", r ? " " : "", world->fabric->labels->name[world->fabric->host_node[host[r]]]);
		assert_in_range(length, 0, size - 1);
	}
}

static void place(
	struct placement *placement, const struct world *world, const char *subset, const char *mapping, uint32_t ranks, uint64_t seed)
{
	struct error error = {0};
	int result = placement_init(placement, world->fabric, subset, mapping, ranks, seed, &error);
	assert_fine(&error);
	assert_int_equal(result, 0);
}

/* With the mapping linear, or a file, the ranks sit on these hosts. */
static void assert_placed(const struct world *world, const char *subset, const char *mapping, uint32_t ranks, const char *expected)
{
	struct placement placement;
	char text[500];
	place(&placement, world, subset, mapping, ranks, 1);
	for (uint64_t run = 0; run < 3; run++) {
		describe(world, &placement, 1, run, text, sizeof text);
		assert_string_equal(text, expected);
	}
	placement_clear(&placement);
}

static void assert_not_placed(
	const struct world *world, const char *subset, const char *mapping, uint32_t ranks, enum status status, const char *why)
{
	struct placement placement;
	struct error error = {0};
	int result = placement_init(&placement, world->fabric, subset, mapping, ranks, 1, &error);
	placement_clear(&placement);
	assert_int_equal(result, -1);
	assert_error(&error, status, why);
}

/* "file:PATH" for a new file of that text. */
static const char *spec_of(const char *name, const char *text)
{
	static char spec[2][320];
	static int next;
	next = !next;
	snprintf(spec[next], sizeof spec[next], "file:%s", write_text(name, text).text);
	return spec[next];
}

TEST(search_finds_hosts_from_the_first_node)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, "linear_bfs", "linear", 0, "H1 H2 H4 H3 H6 H5");
	assert_placed(&world, "linear_bfs", "linear", 3, "H1 H2 H4");
	world_clear(&world);
}

TEST(search_from_a_host_finds_that_host_first)
{
	struct world world;
	world_load(&world, "digraph { H9; S; H1; H9->S; S->H9; S->H1; H1->S; H0->S }");
	assert_placed(&world, "linear_bfs", "linear", 0, "H9 H1 H0");
	world_clear(&world);
}

TEST(file_order_is_the_order_of_appearance)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, "file_order", "linear", 0, "H5 H1 H4 H2 H3 H6");
	assert_placed(&world, "file_order", "linear", 2, "H5 H1");
	world_clear(&world);
}

/* H3 and H6 have no GUID: the digits of their names count. GUIDs compare as unsigned numbers. */
TEST(guids_sort_hosts)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, "guid_asc", "linear", 0, "H3 H6 H2 H1 H5 H4");
	assert_placed(&world, "guid_desc", "linear", 0, "H4 H5 H1 H2 H6 H3");
	assert_placed(&world, "guid_desc", "linear", 1, "H4");
	world_clear(&world);
}

TEST(digits_of_names_are_hexadecimal)
{
	struct world world;
	world_load(&world, "digraph { H10->S; Ha->S; H9->S; Hffff000000000001->S; S->H9 }");
	assert_placed(&world, "guid_asc", "linear", 0, "H9 Ha H10 Hffff000000000001");
	world_clear(&world);
}

TEST(a_host_without_guid_cannot_be_sorted)
{
	struct world world;
	world_load(&world, "digraph { H1->S; Host->S; S->H1 }");
	assert_not_placed(&world, "guid_asc", "linear", 0, STATUS_FABRIC, "host 'Host' has no GUID");
	world_clear(&world);
}

TEST(a_host_without_a_name_has_no_guid)
{
	struct world world;
	world_load(&world, "digraph { H1->S; S->H1; \"\" [type=host]; \"\"->S }");
	assert_not_placed(&world, "guid_asc", "linear", 0, STATUS_FABRIC, "has no GUID");
	world_clear(&world);
}

TEST(more_ranks_than_hosts_do_not_fit)
{
	static const char *const subsets[] = {"linear_bfs", "file_order", "rand", "guid_asc", "guid_desc"};
	struct world world;
	world_load(&world, fabric_text);
	for (size_t i = 0; i < ARRAY_LENGTH(subsets); i++)
		assert_not_placed(&world, subsets[i], "random", 7, STATUS_USAGE, "7 ranks, but only 6 hosts in the subset");
	assert_not_placed(&world, spec_of("hosts", "H1\nH2\n"), "linear", 3, STATUS_USAGE, "3 ranks, but only 2 hosts in the subset");
	world_clear(&world);
}

TEST(a_hostfile_names_hosts_one_a_line)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, spec_of("hosts", "# all\n\n  H6 slots=4\nH1\tx y z # comment\r\nH5"), "linear", 0, "H6 H1 H5");
	assert_placed(&world, spec_of("hosts", "H6\nH1\nH5\n"), "linear", 2, "H6 H1");
	world_clear(&world);
}

/* As a subset every host counts once; as a mapping several ranks may share a host. */
TEST(a_host_named_twice)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, spec_of("hosts", "H2\nH1\nH2\nH2\nH3\n"), "linear", 0, "H2 H1 H3");
	assert_placed(&world, "linear_bfs", spec_of("ranks", "H2\nH1\nH2\nH2\nH3\n"), 0, "H2 H1 H2 H2 H3");
	assert_placed(&world, "linear_bfs", spec_of("ranks", "H2\nH1\nH2\nH2\nH3\n"), 4, "H2 H1 H2 H2");
	world_clear(&world);
}

TEST(descriptions_name_hosts_too)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, spec_of("hosts", "node5\nnode1 slots=2\nnode2 HCA-1\nnode2 HCA-2\n"), "linear", 0, "H5 H1 H2 H4");
	world_clear(&world);
}

TEST(a_description_of_several_hosts_is_refused)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_not_placed(
		&world, spec_of("hosts", "H1\ntwin\n"), "linear", 0, STATUS_USAGE, "hosts:2: 'twin' is the description of several hosts");
	assert_not_placed(
		&world, spec_of("hosts", "node2\n"), "linear", 0, STATUS_USAGE, "hosts:1: 'node2' is the description of several hosts");
	world_clear(&world);
}

/* A name before a description, a whole description before a first word. */
TEST(the_better_match_wins)
{
	struct world world;
	world_load(&world, "digraph { H1 [desc=\"H2\"]; H2 [desc=\"H1\"]; H3 [desc=\"node\"]; H4 [desc=\"node HCA-1\"]; H5 [desc=\"S\"]; S;"
			   "H1->S; H2->S; H3->S; H4->S; H5->S; S->H1 }");
	assert_placed(&world, spec_of("hosts", "H1\nnode\nH2\nnode HCA-1\nS\n"), "linear", 0, "H1 H3 H2 H4 H5");
	world_clear(&world);
}

TEST(unknown_hosts_are_refused)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_not_placed(
		&world, spec_of("hosts", "H1\n\n# here\nH77\n"), "linear", 0, STATUS_USAGE, "hosts:4: the fabric has no host 'H77'");
	assert_not_placed(&world, spec_of("hosts", "A\n"), "linear", 0, STATUS_USAGE, "the fabric has no host 'A'");
	assert_not_placed(&world, "linear_bfs", spec_of("ranks", "H1\nH77\n"), 0, STATUS_USAGE, "ranks:2: the fabric has no host 'H77'");
	world_clear(&world);
}

TEST(files_without_hosts_are_refused)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_not_placed(&world, spec_of("hosts", ""), "linear", 0, STATUS_USAGE, "names no hosts");
	assert_not_placed(&world, spec_of("hosts", "# none\n\n"), "linear", 0, STATUS_USAGE, "names no hosts");
	assert_not_placed(&world, "file:/nonexistent/file", "linear", 0, STATUS_IO, "cannot open");
	assert_not_placed(&world, "linear_bfs", "file:/nonexistent/file", 0, STATUS_IO, "cannot open");
	world_clear(&world);
}

TEST(a_mapping_must_suit_the_subset)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_not_placed(&world, "linear_bfs", spec_of("ranks", "H1\nH2\n"), 3, STATUS_USAGE, "places only 2 of 3 ranks");
	assert_not_placed(
		&world, spec_of("hosts", "H1\nH2\n"), spec_of("ranks", "H2\nH3\n"), 0, STATUS_USAGE, "host 'H3' is not in the subset");
	/* the whole subset, not so many as there are ranks */
	assert_placed(&world, spec_of("hosts", "H1\nH2\nH3\n"), spec_of("ranks", "H3\nH1\n"), 2, "H3 H1");
	assert_placed(&world, "file_order", spec_of("ranks", "H6\nH3\n"), 2, "H6 H3");
	assert_not_placed(
		&world, spec_of("hosts", "H1\nH2\n"), spec_of("ranks", "H2\nH3\n"), 2, STATUS_USAGE, "host 'H3' is not in the subset");
	assert_placed(&world, spec_of("hosts", "H1\nH2\n"), spec_of("ranks", "H2\nH1\nH3\n"), 2, "H2 H1");
	world_clear(&world);
}

TEST(a_mapping_puts_several_ranks_on_a_host)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, "linear_bfs", spec_of("ranks", "H3\nH1\nH3\nH3\n"), 3, "H3 H1 H3");
	/* more than there are hosts, in the fabric or in the subset */
	assert_placed(&world, spec_of("hosts", "H1\nH2\n"), spec_of("ranks", "H2\nH2\nH1\n"), 3, "H2 H2 H1");
	assert_placed(&world, "linear_bfs", spec_of("ranks", "H6\nH6\nH6\nH6\nH6\nH6\nH6\nH1\n"), 8, "H6 H6 H6 H6 H6 H6 H6 H1");
	assert_placed(&world, "linear_bfs", spec_of("ranks", "H6\nH6\nH6\nH6\nH6\nH6\nH6\nH1\n"), 0, "H6 H6 H6 H6 H6 H6 H6 H1");
	world_clear(&world);
}

TEST(unknown_names_are_refused_with_advice)
{
	struct error error = {0};
	assert_int_equal(placement_check("linear_bfs", "random", &error), 0);
	assert_int_equal(placement_check("file:x", "file:y", &error), 0);
	assert_int_equal(placement_check("guid_asd", "random", &error), -1);
	assert_error(&error, STATUS_USAGE, "unknown subset 'guid_asd'", "did you mean 'guid_asc'?");
	assert_int_equal(placement_check("rand", "randm", &error), -1);
	assert_error(&error, STATUS_USAGE, "unknown mapping 'randm'", "did you mean 'random'?");
	assert_int_equal(placement_check("file:", "random", &error), -1);
	assert_error(&error, STATUS_USAGE, "unknown subset 'file:'");
	for (const char *const *name = placement_subsets; *name; name += 2)
		assert_int_equal(placement_check(*name, "linear", &error), 0);
	for (const char *const *name = placement_mappings; *name; name += 2)
		assert_int_equal(placement_check("rand", *name, &error), 0);
}

/* Each of the 6 orders of three hosts in 12000 runs; chi-square of 5 degrees of freedom stays below 20.5 but once in a thousand. */
TEST(random_mappings_are_uniform_over_the_runs)
{
	static const char *const orders[] = {"H1 H2 H3", "H1 H3 H2", "H2 H1 H3", "H2 H3 H1", "H3 H1 H2", "H3 H2 H1"};
	struct world world;
	struct placement placement;
	unsigned counts[6] = {0};
	world_load(&world, "digraph { H1->S; H2->S; H3->S; S->H1 }");
	place(&placement, &world, "file_order", "random", 0, 1);
	for (uint64_t run = 0; run < 12000; run++) {
		char text[100];
		int found = 0;
		describe(&world, &placement, 1, run, text, sizeof text);
		while (strcmp(text, orders[found]))
			assert_in_range(++found, 0, 5);
		counts[found]++;
	}
	double square = 0;
	for (int i = 0; i < 6; i++)
		square += (counts[i] - 2000.0) * (counts[i] - 2000.0) / 2000;
	assert_true(square < 20.5);
	placement_clear(&placement);
	world_clear(&world);
}

/* All hosts of the subset and no others, each once, in an order that follows from seed and run alone. */
TEST(a_run_is_a_function_of_seed_and_number)
{
	struct world world;
	struct placement placement;
	uint32_t forward[20][27], again[27], other[27];
	world_tree(&world, 3, 3);
	place(&placement, &world, "file_order", "random", 0, 5);
	for (uint64_t run = 0; run < 20; run++) {
		unsigned seen = 0;
		placement_run(&placement, 5, run, forward[run]);
		for (int r = 0; r < 27; r++)
			seen |= 1u << forward[run][r];
		assert_int_equal(seen, (1u << 27) - 1);
	}
	for (uint64_t run = 20; run-- > 0;) {
		placement_run(&placement, 5, run, again);
		assert_memory_equal(again, forward[run], sizeof again);
		placement_run(&placement, 6, run, other);
		assert_memory_not_equal(other, forward[run], sizeof other);
		if (run)
			assert_memory_not_equal(forward[run], forward[run - 1], sizeof *forward);
	}
	placement_clear(&placement);
	world_clear(&world);
}

TEST(a_random_subset_is_drawn_once_for_all_runs)
{
	struct world world;
	struct placement one, same, other;
	world_tree(&world, 3, 3);
	place(&one, &world, "rand", "linear", 10, 5);
	place(&same, &world, "rand", "linear", 10, 5);
	place(&other, &world, "rand", "linear", 10, 6);
	assert_memory_equal(one.host, same.host, 10 * sizeof *one.host);
	assert_memory_not_equal(one.host, other.host, 10 * sizeof *one.host);
	uint32_t host[10];
	placement_run(&one, 5, 3, host);
	assert_memory_equal(one.host, host, sizeof host);
	placement_clear(&one);
	placement_clear(&same);
	placement_clear(&other);
	world_clear(&world);
}

/* Two of three hosts, in 3000 seeds: each host takes part in two thirds of them, and no host twice. */
TEST(a_random_subset_is_uniform)
{
	struct world world;
	unsigned counts[3] = {0};
	world_load(&world, "digraph { H1->S; H2->S; H3->S; S->H1 }");
	for (uint64_t seed = 0; seed < 3000; seed++) {
		struct placement placement;
		place(&placement, &world, "rand", "random", 2, seed);
		assert_int_not_equal(placement.host[0], placement.host[1]);
		counts[placement.host[0]]++;
		counts[placement.host[1]]++;
		placement_clear(&placement);
	}
	for (int h = 0; h < 3; h++)
		assert_in_range(counts[h], 2000 - 104, 2000 + 104); /* four standard deviations */
	world_clear(&world);
}

TEST(one_rank_sits_on_the_first_host)
{
	struct world world;
	world_load(&world, fabric_text);
	assert_placed(&world, "linear_bfs", "random", 1, "H1");
	world_clear(&world);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(search_finds_hosts_from_the_first_node),
		cmocka_unit_test(search_from_a_host_finds_that_host_first),
		cmocka_unit_test(file_order_is_the_order_of_appearance),
		cmocka_unit_test(guids_sort_hosts),
		cmocka_unit_test(digits_of_names_are_hexadecimal),
		cmocka_unit_test(a_host_without_guid_cannot_be_sorted),
		cmocka_unit_test(a_host_without_a_name_has_no_guid),
		cmocka_unit_test(more_ranks_than_hosts_do_not_fit),
		cmocka_unit_test(a_hostfile_names_hosts_one_a_line),
		cmocka_unit_test(a_host_named_twice),
		cmocka_unit_test(descriptions_name_hosts_too),
		cmocka_unit_test(a_description_of_several_hosts_is_refused),
		cmocka_unit_test(the_better_match_wins),
		cmocka_unit_test(unknown_hosts_are_refused),
		cmocka_unit_test(files_without_hosts_are_refused),
		cmocka_unit_test(a_mapping_must_suit_the_subset),
		cmocka_unit_test(a_mapping_puts_several_ranks_on_a_host),
		cmocka_unit_test(unknown_names_are_refused_with_advice),
		cmocka_unit_test(random_mappings_are_uniform_over_the_runs),
		cmocka_unit_test(a_run_is_a_function_of_seed_and_number),
		cmocka_unit_test(a_random_subset_is_drawn_once_for_all_runs),
		cmocka_unit_test(a_random_subset_is_uniform),
		cmocka_unit_test(one_rank_sits_on_the_first_host),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
