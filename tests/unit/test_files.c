/* No output takes the place of an input, whatever path leads to it. */
#include "helpers.h"

#include "base/files.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Whether the output may be written beside the input; writes nothing. */
static bool may_write(const char *input, const char *output)
{
	struct files files = {0};
	struct output opened;
	struct error error = {0};
	assert_int_equal(files_read(&files, input, &error), 0);
	bool fine = !files_write(&files, &opened, output, &error);
	if (!fine)
		assert_error(&error, STATUS_USAGE, output, "would overwrite");
	output_discard(&opened);
	files_clear(&files);
	return fine;
}

TEST(an_input_is_known_by_all_its_names)
{
	struct path input = write_text("input", "text"), soft = scratch_path("soft"), hard = scratch_path("hard"),
		    other = write_text("other", "text");
	char dotted[sizeof input.text + 10];
	assert_int_equal(symlink(input.text, soft.text), 0);
	assert_int_equal(link(input.text, hard.text), 0);
	snprintf(dotted, sizeof dotted, "%.*s/./input", (int)(strrchr(input.text, '/') - input.text), input.text);
	assert_false(may_write(input.text, input.text));
	assert_false(may_write(input.text, soft.text));
	assert_false(may_write(soft.text, input.text));
	assert_false(may_write(input.text, hard.text));
	assert_false(may_write(input.text, dotted));
	assert_true(may_write(input.text, other.text));
	assert_int_equal(scratch_files(), 4); /* no temporary file */
	unlink(soft.text), unlink(hard.text), unlink(input.text), unlink(other.text);
}

TEST(an_output_opened_before_is_found_by_the_input)
{
	struct path input = write_text("input", "text");
	struct files files = {0};
	struct output output;
	struct error error = {0};
	assert_int_equal(files_write(&files, &output, input.text, &error), 0);
	assert_int_equal(files_read(&files, input.text, &error), -1);
	assert_error(&error, STATUS_USAGE, input.text, "would overwrite");
	output_discard(&output);
	files_clear(&files);
	unlink(input.text);
}

TEST(what_is_no_regular_file_is_passed_over)
{
	struct path missing = scratch_path("missing");
	assert_true(may_write("/dev/null", "/dev/null"));
	assert_true(may_write(missing.text, missing.text));
	assert_true(may_write("/", missing.text));
	assert_true(may_write("", missing.text));
}

TEST(standard_streams_are_files_too)
{
	struct path path = write_text("stream", "text");
	int file = open(path.text, O_RDWR | O_APPEND), input = dup(STDIN_FILENO), output = dup(STDOUT_FILENO);
	fflush(stdout);
	dup2(file, STDIN_FILENO);
	struct files files = {0};
	struct output opened;
	struct error error = {0};
	files_read(&files, "-", &error);
	int failed = files_write(&files, &opened, path.text, &error);
	dup2(input, STDIN_FILENO);
	files_clear(&files);
	assert_true(failed);
	assert_error(&error, STATUS_USAGE, path.text, "<stdin>");
	dup2(file, STDOUT_FILENO);
	failed = files_read(&files, path.text, &error) || files_write(&files, &opened, "-", &error);
	dup2(output, STDOUT_FILENO);
	files_clear(&files);
	assert_true(failed);
	assert_error(&error, STATUS_USAGE, "<stdout>", path.text);
	close(file), close(input), close(output), unlink(path.text);
}

/* Whether the second of two outputs is refused. */
static bool collide(const char *first, const char *second, bool commit)
{
	struct files files = {0};
	struct output one, other;
	struct error error = {0};
	assert_int_equal(files_write(&files, &one, first, &error), 0);
	if (commit)
		assert_int_equal(output_commit(&one, &error), 0);
	bool refused = files_write(&files, &other, second, &error) != 0;
	if (refused)
		assert_error(&error, STATUS_USAGE, second, "two results");
	output_discard(&one);
	output_discard(&other);
	files_clear(&files);
	return refused;
}

TEST(two_outputs_need_two_files)
{
	struct path path = scratch_path("made"), other = scratch_path("other");
	char dotted[sizeof path.text + 10];
	snprintf(dotted, sizeof dotted, "%.*s/./made", (int)(strrchr(path.text, '/') - path.text), path.text);
	assert_true(collide(path.text, dotted, false)); /* there is no such file yet */
	assert_false(collide(path.text, other.text, false));
	assert_true(collide(path.text, dotted, true));
	assert_true(collide(path.text, dotted, false)); /* now there is one */
	assert_true(collide(path.text, dotted, true));
	assert_false(collide("/dev/null", "/dev/null", false));
	struct files files = {0};
	struct output one, second;
	struct error error = {0};
	assert_int_equal(files_write(&files, &one, "-", &error), 0);
	assert_int_equal(files_write(&files, &second, "-", &error), -1);
	assert_error(&error, STATUS_USAGE, "<stdout>: two results");
	files_clear(&files);
	unlink(path.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_input_is_known_by_all_its_names),
		cmocka_unit_test(an_output_opened_before_is_found_by_the_input),
		cmocka_unit_test(what_is_no_regular_file_is_passed_over),
		cmocka_unit_test(standard_streams_are_files_too),
		cmocka_unit_test(two_outputs_need_two_files),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
