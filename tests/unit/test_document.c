/* A report built once, as text, JSON and CSV. */
#include "helpers.h"

#include "base/document.h"

#include <stdlib.h>
#include <string.h>

/* Row i: its number twice, a name, none in the first row, and a number with its double. */
static void make_row(struct row *row, size_t index, const void *data)
{
	row->left_out = index == 3;
	row->apart = index == 2;
	row_count(row, index);
	row_text(row, index ? data : NULL);
	row_number(row, (double)index / 4, "%.1f");
	row_number(row, index ? 0.1 : 1 / 0., NULL);
	row_print(row, "<%zu>", index);
	row_put(row, NO_VALUE);
}

static const struct column columns[] = {
	{.key = "index", .csv = "index", .title = "n", .width = 4},
	{.key = "name", .csv = "name", .title = "the name", .left = true, .before = " | "},
	{.key = "of.quarter", .csv = "quarter", .title = "quarter", .width = 3},
	{.key = "of.tenth", .csv = "tenth"},
	{.title = "text", .before = "  "},
	{.title = "nothing", .optional = true},
};

static const struct table table = {columns, sizeof columns / sizeof *columns, 5, make_row, "a,\"b\"\n"};

/* late is filled when after has been added. */
static void build(struct document *d)
{
	struct node *late = add_object(d->root, "late"), *list = add_list(late, "list");
	say_value(late, "one", value_of_count(1), "{} host[|s], ");
	say_value(late, "two", value_of_count(2), "{} switch[|es]\n");
	add_number(list, NULL, 1 - 0.8);
	add_text(list, "key", "\"\\\t\x01\xff\xc3\xa4");
	add_range(late, "range", 0.25, 1e300);
	add_range(late, "none", 0 / 0., 1);
	add_bool(late, document_print(d, "bool%d", 7), true);
	add_value(late, "port", value_of_some(0));
	add_table(late, "rows", table);
	say_table(d, table);
	fputs("end\n", d->text);
}

static char *written(enum format format, const struct table *csv)
{
	char *text = NULL;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	struct document document;
	struct error error = {0};
	assert_int_equal(document_begin(&document, format, file, &error), 0);
	build(&document);
	document.csv = csv;
	assert_int_equal(document_end(&document, &error), 0);
	fclose(file);
	return text;
}

static void assert_written(enum format format, const struct table *csv, const char *expected)
{
	char *text = written(format, csv);
	assert_string_equal(text, expected);
	free(text);
}

static void text_has_lines_and_tables(void **state)
{
	(void)state;
	assert_written(FORMAT_TEXT, NULL,
		"1 host, 2 switches\n"
		"   n | the name quarter  text\n"
		"   0 | -        0.0   <0>\n"
		"   1 | a,\"b\"\\n  0.2   <1>\n"
		"\n"
		"   2 | a,\"b\"\\n  0.5   <2>\n"
		"   4 | a,\"b\"\\n  1.0   <4>\n"
		"end\n");
}

static void json_keeps_the_places_of_members(void **state)
{
	(void)state;
	assert_written(FORMAT_JSON, NULL,
		"{\"late\":{\"list\":[0.19999999999999996,\"\\\"\\\\\\t\\u0001\xef\xbf\xbd\xc3\xa4\"],\"one\":1,\"two\":2,\"range\":[0.25,1e+300],"
		"\"none\":null,\"bool7\":true,\"port\":null,\"rows\":["
		"{\"index\":0,\"name\":null,\"of\":{\"quarter\":0,\"tenth\":null}},"
		"{\"index\":1,\"name\":\"a,\\\"b\\\"\\n\",\"of\":{\"quarter\":0.25,\"tenth\":0.1}},"
		"{\"index\":2,\"name\":\"a,\\\"b\\\"\\n\",\"of\":{\"quarter\":0.5,\"tenth\":0.1}},"
		"{\"index\":4,\"name\":\"a,\\\"b\\\"\\n\",\"of\":{\"quarter\":1,\"tenth\":0.1}}]}}\n");
}

static void csv_is_a_table_or_a_line_for_each_value(void **state)
{
	(void)state;
	static const struct table two = {columns, 3, 2, make_row, "a,\"b\"\n"};
	assert_written(FORMAT_CSV, &two, "index,name,quarter\n0,,0\n1,\"a,\"\"b\"\"\n\",0.25\n");
	char *text = written(FORMAT_CSV, NULL);
	static const char begin[] =
		"late,list,0,0.19999999999999996\nlate,list,key,\"\"\"\\\t\x01\xff\xc3\xa4\"\nlate,one,,1\nlate,two,,2\n"
		"late,range,low,0.25\nlate,range,high,1.0000000000000001e+300\nlate,none,low,\nlate,none,high,1\n"
		"late,bool7,,1\nlate,port,,\nlate,index,0,0\nlate,name,0,\nlate,quarter,0,0\n";
	assert_int_equal(strncmp(text, begin, strlen(begin)), 0);
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(text_has_lines_and_tables),
		cmocka_unit_test(json_keeps_the_places_of_members),
		cmocka_unit_test(csv_is_a_table_or_a_line_for_each_value),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
