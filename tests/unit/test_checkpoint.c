/* What a checkpoint keeps, and which files are refused. */
#include "helpers.h"
#include "base/memory.h"

#include "orcs/campaign.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs with two metrics, one of which is pooled. */
struct kept {
	struct metric_call metrics[METRICS_MAX];
	struct made made;
	struct checkpoint checkpoint;
	struct path path;
	uint64_t sum[3];
	struct error error;
};

static void make_kept(struct kept *k)
{
	*k = (struct kept){.path = scratch_path("checkpoint")};
	k->made.metrics = k->metrics;
	k->made.metric_count = metrics_parse("hist_max_cong,sum_max_cong", k->metrics, &k->error);
	for (int m = 0; m < k->made.metric_count; m++)
		metric_setup(&k->metrics[m], 16, 0, false, &k->error);
	k->made.width = 3;
	k->made.sum = k->sum;
	k->made.channels = 3;
	k->checkpoint.path = k->checkpoint.resume = k->path.text;
	marks_add(&k->checkpoint.marks, "orcs", "1", &k->error);
	marks_add(&k->checkpoint.marks, "--num_runs", "10", &k->error);
	marks_add(&k->checkpoint.marks, "--raw", "", &k->error);
	assert_fine(&k->error);
}

static void clear_kept(struct kept *k)
{
	for (int m = 0; m < METRICS_MAX; m++)
		metric_clear(&k->metrics[m]);
	free(k->made.hole);
	free(k->made.records);
	marks_clear(&k->checkpoint.marks);
}

/* Runs 0, 2 and 4 of those before 5. */
static void fill(struct kept *k)
{
	k->made.next = 5;
	k->made.holes = 2;
	k->made.hole = array_create(2, sizeof *k->made.hole, &k->error);
	k->made.hole[0] = 1;
	k->made.hole[1] = 3;
	k->made.runs = 3;
	k->made.connections = 48;
	k->made.unroutable = 7;
	array_grow(&k->made.records, &k->made.capacity, 9, sizeof *k->made.records, &k->error);
	for (int r = 0; r < 3; r++) {
		k->made.records[k->made.used++] = 2 * r;
		k->made.records[k->made.used++] = 0.1 * r;
		k->made.records[k->made.used++] = -1.0 / 3 * r;
	}
	histogram_add(&k->metrics[0].pooled, 2, 5, &k->error);
	histogram_add(&k->metrics[0].pooled, 2.5, 1, &k->error);
	for (int c = 0; c < 3; c++)
		k->sum[c] = UINT64_MAX / 3 * (unsigned)c;
	assert_fine(&k->error);
}

/* Writes runs to the file, and returns its bytes, to be freed. */
static char *write_kept(size_t *size)
{
	struct kept k;
	make_kept(&k);
	fill(&k);
	assert_int_equal(checkpoint_write(&k.checkpoint, &k.made, true, &k.error), 0);
	assert_fine(&k.error);
	FILE *file = fopen(k.path.text, "r");
	assert_non_null(file);
	char *bytes = malloc(1 << 16);
	*size = fread(bytes, 1, 1 << 16, file);
	fclose(file);
	clear_kept(&k);
	return bytes;
}

TEST(what_is_written_is_read)
{
	size_t size;
	struct kept written, read;
	free(write_kept(&size));
	make_kept(&written);
	fill(&written);
	make_kept(&read);
	assert_int_equal(checkpoint_read(&read.checkpoint, &read.made, &read.error), 0);
	assert_fine(&read.error);
	assert_int_equal(read.made.next, 5);
	assert_int_equal(read.made.holes, 2);
	assert_memory_equal(read.made.hole, written.made.hole, 2 * sizeof *read.made.hole);
	assert_int_equal(read.made.used, 9);
	assert_memory_equal(read.made.records, written.made.records, 9 * sizeof *read.made.records);
	assert_memory_equal(read.sum, written.sum, sizeof read.sum);
	assert_int_equal(read.made.runs, 3);
	assert_int_equal(read.made.connections, 48);
	assert_int_equal(read.made.unroutable, 7);
	assert_int_equal(read.checkpoint.runs, 3);
	struct bin bins[2];
	assert_int_equal(histogram_bins(&read.metrics[0].pooled), 2);
	histogram_list(&read.metrics[0].pooled, bins);
	assert_true(bins[0].value == 2 && bins[0].count == 5 && bins[1].value == 2.5 && bins[1].count == 1);
	clear_kept(&written);
	clear_kept(&read);
	unlink(read.path.text);
}

/* Reading these bytes is refused, in words about checkpoints. */
static void assert_refused(const char *bytes, size_t size)
{
	struct kept k;
	make_kept(&k);
	write_bytes("checkpoint", bytes, size);
	assert_int_equal(checkpoint_read(&k.checkpoint, &k.made, &k.error), -1);
	assert_int_equal(k.made.runs, 0);
	assert_contains(k.error.text, "checkpoint");
	clear_kept(&k);
}

TEST(every_byte_counts)
{
	size_t size;
	char *bytes = write_kept(&size);
	for (size_t i = 0; i < size; i++)
		for (unsigned bit = 0; bit < 8; bit += 7) {
			bytes[i] = (char)(bytes[i] ^ (1 << bit));
			assert_refused(bytes, size);
			bytes[i] = (char)(bytes[i] ^ (1 << bit));
		}
	for (size_t i = 0; i < size; i++)
		assert_refused(bytes, i);
	bytes[size] = 0;
	assert_refused(bytes, size + 1);
	unlink(scratch_path("checkpoint").text);
	free(bytes);
}

TEST(other_runs_are_refused)
{
	size_t size;
	free(write_kept(&size));
	for (int i = 0; i < 5; i++) {
		struct kept k;
		make_kept(&k);
		k.made.width += i == 0;
		k.made.channels -= i == 1;
		k.made.limit = i == 2 ? k.sum : NULL;
		k.made.next += i == 3;
		k.made.metrics += i == 4;
		k.made.metric_count -= i == 4;
		assert_int_equal(checkpoint_read(&k.checkpoint, &k.made, &k.error), -1);
		assert_error(&k.error, STATUS_IO, "damaged checkpoint");
		clear_kept(&k);
	}
	unlink(scratch_path("checkpoint").text);
}

/* Marks of words, which end with NULL. */
static struct marks marks_of(const char *const *word)
{
	struct marks marks = {0};
	struct error error = {0};
	for (; *word; word += 2)
		marks_add(&marks, word[0], word[1], &error);
	assert_fine(&error);
	return marks;
}

TEST(the_option_that_differs_is_named)
{
	static const struct {
		const char *now[7], *then[7], *says;
	} all[] = {
		{{"orcs", "1", "--num_runs", "10", NULL}, {"orcs", "2", "--num_runs", "10", NULL}, "written with orcs 2, not 1"},
		{{"orcs", "1", "--num_runs", "10", NULL}, {"orcs", "1", "--num_runs", "20", NULL}, "written with --num_runs 20, not 10"},
		{{"orcs", "1", "--raw", "", NULL}, {"orcs", "1", NULL}, "written without --raw"},
		{{"orcs", "1", NULL}, {"orcs", "1", "--raw", "", NULL}, "written with --raw"},
		{{"--fail-at", "1", "--fail-at", "2", NULL}, {"--fail-at", "1", NULL}, "written without --fail-at 2"},
		{{"--fail-at", "1", "--fail-at", "2", NULL}, {"--fail-at", "2", "--fail-at", "1", NULL}, "written with --fail-at 2, not 1"},
		{{"the fabric", "1", NULL}, {"the fabric", "2", NULL}, "the fabric has changed"},
		{{"--raw", "", "--seed", "3", NULL}, {"--seed", "3", "--raw", "", NULL}, NULL},
	};
	for (size_t i = 0; i < ARRAY_LENGTH(all); i++) {
		struct marks now = marks_of(all[i].now), then = marks_of(all[i].then);
		struct error error = {0};
		assert_int_equal(marks_compare(&now, &then, "FILE", &error), all[i].says ? -1 : 0);
		if (all[i].says)
			assert_error(&error, STATUS_USAGE, "FILE: cannot resume from it: ", all[i].says);
		marks_clear(&now);
		marks_clear(&then);
	}
}

/* What is read is compared by its content, but the fabric, of which more is known. */
TEST(inputs_are_compared_by_their_content)
{
	struct error error = {0};
	struct marks marks[3] = {{0}};
	struct path fabric = scratch_path("fabric"), pattern = scratch_path("a,b:c=d");
	for (int i = 0; i < 3; i++) {
		struct files files = {0};
		struct output output;
		write_text("fabric", i ? "another" : "one");
		write_text("a,b:c=d", i == 2 ? "after" : "before");
		files_read(&files, fabric.text, &error);
		files_read(&files, pattern.text, &error);
		assert_int_equal(files_write(&files, &output, scratch_path("result").text, &error), 0);
		assert_int_equal(marks_add_inputs(&marks[i], &files, 1, &error), 0);
		output_discard(&output);
		files_clear(&files);
	}
	assert_int_equal(marks_compare(&marks[1], &marks[0], "FILE", &error), 0);
	assert_int_equal(marks_compare(&marks[2], &marks[0], "FILE", &error), -1);
	assert_error(&error, STATUS_USAGE, "cannot resume", "the content of '", "a,b:c=d' has changed");
	for (int i = 0; i < 3; i++)
		marks_clear(&marks[i]);
	unlink(fabric.text);
	unlink(pattern.text);
}

TEST(what_is_no_regular_file_cannot_be_compared)
{
	static const char *const paths[][2] = {{"-", "contents of standard input"}, {"/dev/null", "contents of /dev/null"}};
	for (size_t i = 0; i < ARRAY_LENGTH(paths); i++) {
		struct error error = {0};
		struct marks marks = {0};
		struct files files = {0};
		assert_int_equal(files_read(&files, paths[i][0], &error), 0);
		assert_int_equal(marks_add_inputs(&marks, &files, 0, &error), -1);
		assert_error(&error, STATUS_USAGE, paths[i][1]);
		marks_clear(&marks);
		files_clear(&files);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(every_byte_counts),
		cmocka_unit_test(other_runs_are_refused),
		cmocka_unit_test(the_option_that_differs_is_named),
		cmocka_unit_test(inputs_are_compared_by_their_content),
		cmocka_unit_test(what_is_no_regular_file_cannot_be_compared),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
