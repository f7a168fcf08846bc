/* Labels in pictures: what names share is left out, and no two are alike, whatever the names. */
#include "helpers.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/shown.h"
#include "infiniband/source_options.h"
#include "pictures/labels.h"
#include "pictures/lettering.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct labelled {
	struct world world;
	struct chassis_list chassis;
	struct labels labels;
};

/* Returns the number of nodes whose label an earlier one has. */
static unsigned count_alike(const char *const *label, uint32_t nodes)
{
	struct error error = {0};
	struct name_table names;
	unsigned alike = 0;
	assert_int_equal(name_table_init(&names, nodes, &error), 0);
	for (uint32_t v = 0; v < nodes; v++)
		alike += name_table_add(&names, label[v], v) != v;
	name_table_clear(&names);
	return alike;
}

static void make_labels(struct labelled *l)
{
	struct error error = {0};
	assert_int_equal(chassis_find(&l->chassis, l->world.fabric, l->world.attributes, &error), 0);
	assert_int_equal(labels_make(&l->labels, l->world.fabric, &l->chassis, &error), 0);
	assert_fine(&error);
	assert_int_equal(count_alike(l->labels.text, l->world.fabric->nodes), 0);
}

static void clear_labels(struct labelled *l)
{
	labels_clear(&l->labels);
	chassis_clear(&l->chassis);
	world_clear(&l->world);
}

static const char *label_of(const struct labelled *l, const char *node)
{
	return l->labels.text[node_of(&l->world, node)];
}

/* A host at the first of switches with these names and descriptions, in a row. */
static struct labelled label_switches(const char *const (*node)[3], size_t count)
{
	struct labelled l = {0};
	char text[20000];
	int length = snprintf(text, sizeof text, "digraph { H -> \"%s\"; \"%s\" -> H;\n", node[0][0], node[0][0]);
	for (size_t i = 0; i < count; i++) {
		length += snprintf(text + length, sizeof text - (size_t)length, "\"%s\" [type=switch, desc=\"%s\"%s%s];\n", node[i][0],
			node[i][1], *node[i][2] ? ", guid=" : "", node[i][2]);
		if (i)
			length += snprintf(text + length, sizeof text - (size_t)length, "\"%s\" -> \"%s\"; \"%s\" -> \"%s\";\n",
				node[i - 1][0], node[i][0], node[i][0], node[i - 1][0]);
	}
	snprintf(text + length, sizeof text - (size_t)length, "}\n");
	assert_int_equal(world_read(&l.world, text, DOT_KEEP | DOT_ALLOW_NO_LINK), 0);
	make_labels(&l);
	return l;
}

TEST(boards_of_directors_have_their_chassis)
{
	static const char *const node[][3] = {{"a", "MF0;site-core1-mgt:CS7500/L01/U1", ""}, {"b", "MF0;site-core1-mgt:CS7500/L01/U2", ""},
		{"c", "MF0;site-core1-mgt:CS7500/S01/U1", ""}, {"d", "MF0;site-core2-mgt:CS7500/L01/U1", ""},
		{"e", "MF0;site-core2-mgt:CS7500/S01/U1", ""}, {"f", "MF0;site-leaf01:MQM8700/U1", ""},
		{"g", "MF0;site-leaf02:MQM8700/U1", ""}};
	struct labelled l = label_switches(node, ARRAY_LENGTH(node));
	assert_string_equal(label_of(&l, "a"), "core1/L01.1");
	assert_string_equal(label_of(&l, "b"), "core1/L01.2");
	assert_string_equal(label_of(&l, "c"), "core1/S01.1");
	assert_string_equal(label_of(&l, "d"), "core2/L01.1");
	assert_string_equal(label_of(&l, "f"), "site-leaf01");
	clear_labels(&l);
}

TEST(what_all_share_is_left_out)
{
	static const char *const node[][3] = {{"a", "MF0;sp01.room.qm8790.site:MQM8790/U1", ""},
		{"b", "MF0;sp02.room.qm8790.site:MQM8790/U1", ""}, {"c", "MF0;lf01.room.qm8790.site:MQM8790/U1", ""}};
	struct labelled l = label_switches(node, ARRAY_LENGTH(node));
	assert_string_equal(label_of(&l, "a"), "sp01");
	assert_string_equal(label_of(&l, "c"), "lf01");
	clear_labels(&l);
}

TEST(unnamed_switches_have_their_last_digits)
{
	static const char *const node[][3] = {{"S-0002c90300001111", "Switch", "\"0x0002c90300001111\""},
		{"S-0002c90300011111", "Switch", "\"0x0002c90300011111\""}, {"S-0002c90300002222", "Switch", "\"0x0002c90300002222\""},
		{"named", "core", ""}};
	struct labelled l = label_switches(node, ARRAY_LENGTH(node));
	assert_string_equal(label_of(&l, "S-0002c90300001111"), "…01111");
	assert_string_equal(label_of(&l, "S-0002c90300011111"), "…11111");
	assert_string_equal(label_of(&l, "S-0002c90300002222"), "…02222");
	assert_string_equal(label_of(&l, "named"), "core");
	clear_labels(&l);
}

TEST(what_titles_say_before_their_digits_stays_if_it_differs)
{
	static const char *const node[][3] = {{"SL1-1_MT47396_Technologies_0002c90300001111", "", "\"0x0002c90300001111\""},
		{"SL2-2_MT47396_Technologies_0002c90300002222", "", "\"0x0002c90300002222\""}};
	struct labelled l = label_switches(node, ARRAY_LENGTH(node));
	assert_string_equal(label_of(&l, node[0][0]), "SL1-1…1111");
	assert_string_equal(label_of(&l, node[1][0]), "SL2-2…2222");
	clear_labels(&l);
}

TEST(a_description_can_be_the_name_of_another)
{
	static const char *const node[][3] = {{"a", "b", ""}, {"b", "", ""}, {"c", "d", ""}, {"d", "d", ""}};
	struct labelled l = label_switches(node, ARRAY_LENGTH(node));
	clear_labels(&l);
}

TEST(long_names_lose_their_middle)
{
	static const char *const node[][3] = {{"abcdefghijklmnopqrstuvwxyz0123456789-1", "", ""},
		{"zyxwvutsrqponmlkjihgfedcba9876543210-2", "", ""}, {"12345678901234567-x-5678901234567890", "", ""},
		{"12345678901234567-y-5678901234567890", "", ""}};
	struct labelled l = label_switches(node, ARRAY_LENGTH(node));
	assert_string_equal(label_of(&l, node[0][0]), "abcdefghijkl…123456789-1");
	clear_labels(&l);
}

/* Names of few letters and separators, so that many share parts. */
static void random_name(struct random *random, char *text, size_t size)
{
	static const char *const parts[] = {
		"a", "b", "1", "2", "-", "/", ":", "MF0;", "/L01/U1", "/U1", "é", "long-part-of-a-name-", "S-00"};
	size_t count = 1 + random_below(random, 6);
	*text = '\0';
	for (size_t i = 0; i < count; i++)
		append_whole(text, size, "%s", parts[random_below(random, ARRAY_LENGTH(parts))]);
}

TEST(no_two_labels_are_alike_whatever_the_names)
{
	enum { NODES = 24, TURNS = 300 };
	struct random random;
	random_start(&random, 7, 0, 0);
	for (int turn = 0; turn < TURNS; turn++) {
		static char names[NODES][200], descs[NODES][200];
		const char *node[NODES][3];
		for (int i = 0; i < NODES; i++) {
			random_name(&random, descs[i], sizeof descs[i]);
			random_name(&random, names[i], sizeof names[i] - 20);
			append_whole(names[i], sizeof names[i], "%s%d", random_below(&random, 2) ? "" : ".", i);
			node[i][0] = names[i];
			node[i][1] = random_below(&random, 3) ? descs[i] : "";
			node[i][2] = "";
		}
		struct labelled l = label_switches((const char *const(*)[3])node, NODES);
		clear_labels(&l);
	}
}

TEST(labels_that_are_alike_are_noticed)
{
	static const char *const label[] = {"a", "b", "a", "c", "b"};
	assert_int_equal(count_alike(label, ARRAY_LENGTH(label)), 2);
}

static void check_real(const char *file)
{
	struct fabric_source source = {.program = "test"};
	struct files files = {0};
	struct labelled l = {0};
	const char *data = getenv("ORCS_TEST_DATA");
	char path[500];
	snprintf(path, sizeof path, "%s/ib/real/%s", data ? data : "../shared/data", file);
	if (access(path, R_OK)) {
		print_message("%s is not there\n", path);
		skip();
	}
	source_argument(&source, path);
	source_end(&source);
	assert_int_equal(fabric_source_open(&source, &files, &l.world.error), 0);
	assert_int_equal(fabric_source_load(&source, DOT_KEEP | DOT_ALLOW_NO_LINK, &files, NULL, &l.world.fabric, &l.world.forwarding,
				 &l.world.attributes, &l.world.report, &l.world.error),
		0);
	make_labels(&l);
	uint32_t longest = 0;
	for (uint32_t v = 0; v < l.world.fabric->nodes; v++)
		if (l.world.fabric->node_host[v] == NONE && text_width(l.labels.text[v], 1) > longest)
			longest = (uint32_t)text_width(l.labels.text[v], 1);
	assert_true(longest < 16);
	clear_labels(&l);
	files_clear(&files);
	fabric_source_clear(&source);
}

TEST(labels_of_lassen)
{
	check_real("HyungKwang/Topo6_CS7500.txt.xz");
}

TEST(labels_of_sat11)
{
	check_real("ufm_sdk/ibnetdiscover_director.txt.xz");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(boards_of_directors_have_their_chassis),
		cmocka_unit_test(what_all_share_is_left_out),
		cmocka_unit_test(unnamed_switches_have_their_last_digits),
		cmocka_unit_test(what_titles_say_before_their_digits_stays_if_it_differs),
		cmocka_unit_test(a_description_can_be_the_name_of_another),
		cmocka_unit_test(long_names_lose_their_middle),
		cmocka_unit_test(no_two_labels_are_alike_whatever_the_names),
		cmocka_unit_test(labels_that_are_alike_are_noticed),
		cmocka_unit_test(labels_of_lassen),
		cmocka_unit_test(labels_of_sat11),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
