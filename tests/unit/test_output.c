/* Files appear when they are complete, or not at all. */
#include "helpers.h"

#include "base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Whether the file system has no files without a name. */
static bool names_only;

/* Stands before that of the C library. */
int open(const char *path, int flags, ...)
{
	va_list list;
	va_start(list, flags);
	mode_t mode = flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE ? va_arg(list, mode_t) : 0;
	va_end(list);
	if (!names_only || (flags & O_TMPFILE) != O_TMPFILE)
		return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
	errno = EOPNOTSUPP;
	return -1;
}

static void assert_content(const char *path, const char *expected)
{
	char *text = read_whole(path);
	assert_string_equal(text, expected);
	free(text);
}

static bool exists(const char *path)
{
	struct stat about;
	return !lstat(path, &about);
}

/* Opens path and writes the text; the file is not in its place yet. */
static void begin(struct output *output, const char *path, const char *text)
{
	struct error error = {0};
	assert_int_equal(output_open(output, path, &error), 0);
	assert_fine(&error);
	fputs(text, output->file);
}

static void finish(struct output *output)
{
	struct error error = {0};
	assert_int_equal(output_commit(output, &error), 0);
	assert_fine(&error);
	assert_null(output->file);
	output_discard(output);
}

TEST(a_file_appears_when_it_is_complete)
{
	struct output output;
	struct path path = scratch_path("new");
	begin(&output, path.text, "text");
	assert_false(exists(path.text));
	finish(&output);
	assert_content(path.text, "text");
	assert_int_equal(scratch_files(), 1);
	unlink(path.text);
}

TEST(an_old_file_stays_until_the_new_one_is_complete)
{
	struct output output;
	struct path path = write_text("old", "before");
	begin(&output, path.text, "after");
	fflush(output.file);
	assert_content(path.text, "before");
	finish(&output);
	assert_content(path.text, "after");
	assert_int_equal(scratch_files(), 1);
	unlink(path.text);
}

TEST(what_is_taken_back_leaves_nothing)
{
	struct output output;
	struct path path = scratch_path("new");
	begin(&output, path.text, "text");
	output_discard(&output);
	output_discard(&output);
	assert_int_equal(scratch_files(), 0);
	path = write_text("old", "before");
	begin(&output, path.text, "after");
	output_discard(&output);
	assert_content(path.text, "before");
	assert_int_equal(scratch_files(), 1);
	unlink(path.text);
}

TEST(permissions_are_those_of_any_new_file_or_of_the_old_one)
{
	struct output output;
	struct stat about;
	struct path path = scratch_path("new");
	mode_t mask = umask(027);
	begin(&output, path.text, "text");
	finish(&output);
	umask(mask);
	assert_int_equal(stat(path.text, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0640);
	assert_int_equal(chmod(path.text, 0604), 0);
	begin(&output, path.text, "text");
	finish(&output);
	assert_int_equal(stat(path.text, &about), 0);
	assert_int_equal(about.st_mode & 0777, 0604);
	unlink(path.text);
}

TEST(a_symbolic_link_stays_one)
{
	struct output output;
	struct path target = write_text("target", "before"), link = scratch_path("link");
	struct stat about;
	assert_int_equal(symlink("target", link.text), 0);
	begin(&output, link.text, "after");
	finish(&output);
	assert_int_equal(lstat(link.text, &about), 0);
	assert_true(S_ISLNK(about.st_mode));
	assert_content(target.text, "after");
	assert_int_equal(scratch_files(), 2);
	unlink(link.text);
	unlink(target.text);
}

static void assert_unwritable(const char *path, const char *why)
{
	struct output output;
	struct error error = {0};
	int result = output_open(&output, path, &error);
	output_discard(&output);
	assert_int_equal(result, -1);
	assert_error(&error, STATUS_IO, path, "cannot write", why);
}

TEST(a_directory_that_is_not_there_is_an_error)
{
	assert_unwritable(scratch_path("missing/new").text, "No such file or directory");
	assert_unwritable("", "No such file or directory");
}

TEST(a_directory_is_no_file)
{
	assert_unwritable(scratch_path(".").text, "Is a directory");
}

/* To the superuser every directory is writable, so the test becomes somebody else for a moment. */
TEST(a_directory_without_permission_is_an_error)
{
	const uid_t nobody = 65534;
	struct path path = scratch_path("new"), directory = scratch_path(".");
	assert_int_equal(chmod(directory.text, 0555), 0);
	if (!getuid())
		assert_int_equal(seteuid(nobody), 0);
	struct output output;
	struct error error = {0};
	int result = output_open(&output, path.text, &error);
	if (!getuid())
		assert_int_equal(seteuid(0), 0);
	assert_int_equal(chmod(directory.text, 0700), 0);
	assert_int_equal(result, -1);
	assert_error(&error, STATUS_IO, path.text, "cannot write: Permission denied");
	assert_int_equal(scratch_files(), 0);
}

/* Writes so many bytes to the device that is always full. */
static void assert_full(size_t bytes)
{
	struct output output;
	struct error error = {0};
	assert_int_equal(output_open(&output, "/dev/full", &error), 0);
	for (size_t i = 0; i < bytes; i++)
		putc('x', output.file);
	assert_int_equal(output_commit(&output, &error), -1);
	assert_error(&error, STATUS_IO, "/dev/full", "cannot write: No space left on device");
}

TEST(a_full_disk_is_an_error)
{
	assert_full(1);
	assert_full(10000000);
	assert_true(exists("/dev/full"));
}

TEST(standard_output_on_a_full_disk_is_an_error)
{
	struct output output;
	struct error error = {0};
	fflush(stdout);
	int before = dup(STDOUT_FILENO), full = open("/dev/full", O_WRONLY);
	dup2(full, STDOUT_FILENO);
	close(full);
	int opened = output_open(&output, "-", &error);
	putc('x', output.file);
	int committed = output_commit(&output, &error);
	dup2(before, STDOUT_FILENO);
	close(before);
	clearerr(stdout);
	assert_int_equal(opened, 0);
	assert_int_equal(committed, -1);
	assert_error(&error, STATUS_IO, "<stdout>: cannot write: No space left on device");
}

TEST(a_device_is_written_directly)
{
	struct output output;
	begin(&output, "/dev/null", "text");
	assert_null(output.temporary);
	finish(&output);
	assert_true(exists("/dev/null"));
}

TEST(a_directory_that_goes_away_is_an_error)
{
	struct output output;
	struct error error = {0};
	struct path directory = scratch_path("directory"), path = scratch_path("directory/new");
	assert_int_equal(mkdir(directory.text, 0700), 0);
	begin(&output, path.text, "text");
	assert_int_equal(rmdir(directory.text), 0);
	assert_int_equal(output_commit(&output, &error), -1);
	assert_error(&error, STATUS_IO, "cannot write: No such file or directory");
}

TEST(a_dash_is_standard_output)
{
	struct output output;
	struct error error = {0};
	struct path path = scratch_path("stdout");
	fflush(stdout);
	int before = dup(STDOUT_FILENO), file = open(path.text, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	dup2(file, STDOUT_FILENO);
	close(file);
	int opened = output_open(&output, "-", &error);
	fputs("text", output.file);
	int committed = output_commit(&output, &error);
	dup2(before, STDOUT_FILENO);
	close(before);
	assert_int_equal(opened, 0);
	assert_int_equal(committed, 0);
	assert_content(path.text, "text");
	unlink(path.text);
}

/* ---- nothing is left behind */

/* What a child that begins the file, and ends by this signal, leaves behind. */
static unsigned left_by(const char *path, int number)
{
	pid_t child = fork();
	if (!child) {
		struct output output;
		struct error error = {0};
		signal(number, SIG_DFL);
		if (!output_open(&output, path, &error))
			raise(number);
		_exit(1);
	}
	int status;
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), number);
	return scratch_files();
}

TEST(a_file_without_a_name_cannot_stay)
{
	static const int numbers[] = {SIGKILL, SIGTERM, SIGHUP, SIGXCPU, SIGSEGV};
	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++)
		assert_int_equal(left_by(scratch_path("new").text, numbers[i]), 0);
	struct path path = write_text("old", "before");
	assert_int_equal(left_by(path.text, SIGKILL), 1);
	assert_content(path.text, "before");
	unlink(path.text);
}

TEST(a_signal_removes_a_file_with_a_name)
{
	static const int numbers[] = {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGXCPU};
	names_only = true;
	for (size_t i = 0; i < ARRAY_LENGTH(numbers); i++)
		assert_int_equal(left_by(scratch_path("new").text, numbers[i]), 0);
	names_only = false;
}

TEST(what_a_killed_writer_leaves_is_removed_by_the_next)
{
	struct output output;
	struct path path = scratch_path("new");
	names_only = true;
	assert_int_equal(left_by(path.text, SIGKILL), 1);
	begin(&output, path.text, "text");
	assert_int_equal(scratch_files(), 1); /* its own */
	output_discard(&output);
	assert_int_equal(scratch_files(), 0);
	assert_int_equal(left_by(path.text, SIGKILL), 1);
	names_only = false; /* as on another kernel */
	begin(&output, path.text, "text");
	assert_int_equal(scratch_files(), 0);
	finish(&output);
	assert_int_equal(scratch_files(), 1);
	unlink(path.text);
}

TEST(the_file_of_a_living_writer_stays)
{
	struct output output[3];
	struct path path = scratch_path("new");
	names_only = true;
	for (int i = 0; i < 3; i++)
		begin(&output[i], path.text, i == 2 ? "last" : "text");
	assert_int_equal(scratch_files(), 3);
	for (int i = 0; i < 3; i++) {
		finish(&output[i]);
		assert_int_equal(scratch_files(), 3 - i); /* the first comes under the name, and then there are 2 others */
	}
	names_only = false;
	assert_content(path.text, "last");
	unlink(path.text);
}

TEST(with_names_permissions_and_links_are_the_same)
{
	names_only = true;
	permissions_are_those_of_any_new_file_or_of_the_old_one(NULL);
	a_symbolic_link_stays_one(NULL);
	an_old_file_stays_until_the_new_one_is_complete(NULL);
	what_is_taken_back_leaves_nothing(NULL);
	a_directory_without_permission_is_an_error(NULL);
	names_only = false;
}

TEST(a_name_that_appears_meanwhile_is_replaced)
{
	struct output output;
	struct path path = scratch_path("new");
	begin(&output, path.text, "after");
	write_text("new", "meanwhile");
	assert_content(path.text, "meanwhile");
	finish(&output);
	assert_content(path.text, "after");
	assert_int_equal(scratch_files(), 1);
	unlink(path.text);
}

TEST(names_may_be_as_long_as_any)
{
	char name[256];
	memset(name, 'n', 255);
	name[255] = '\0';
	for (int named = 0; named < 2; named++) {
		struct output output;
		struct path path = scratch_path(name);
		names_only = named;
		for (int i = 0; i < 2; i++) {
			begin(&output, path.text, i ? "second" : "first");
			finish(&output);
			assert_content(path.text, i ? "second" : "first");
			assert_int_equal(scratch_files(), 1);
		}
		unlink(path.text);
	}
	names_only = false;
}

/* Another program writes into it by its name. */
TEST(a_file_without_a_name_can_be_opened_by_others)
{
	struct output output;
	struct path path = scratch_path("new");
	begin(&output, path.text, "");
	FILE *other = fopen(output.temporary, "w");
	assert_non_null(other);
	fputs("of another", other);
	fclose(other);
	finish(&output);
	assert_content(path.text, "of another");
	unlink(path.text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_appears_when_it_is_complete),
		cmocka_unit_test(an_old_file_stays_until_the_new_one_is_complete),
		cmocka_unit_test(what_is_taken_back_leaves_nothing),
		cmocka_unit_test(permissions_are_those_of_any_new_file_or_of_the_old_one),
		cmocka_unit_test(a_symbolic_link_stays_one),
		cmocka_unit_test(a_directory_that_is_not_there_is_an_error),
		cmocka_unit_test(a_directory_is_no_file),
		cmocka_unit_test(a_directory_without_permission_is_an_error),
		cmocka_unit_test(a_full_disk_is_an_error),
		cmocka_unit_test(standard_output_on_a_full_disk_is_an_error),
		cmocka_unit_test(a_device_is_written_directly),
		cmocka_unit_test(a_directory_that_goes_away_is_an_error),
		cmocka_unit_test(a_dash_is_standard_output),
		cmocka_unit_test(a_file_without_a_name_cannot_stay),
		cmocka_unit_test(a_signal_removes_a_file_with_a_name),
		cmocka_unit_test(what_a_killed_writer_leaves_is_removed_by_the_next),
		cmocka_unit_test(the_file_of_a_living_writer_stays),
		cmocka_unit_test(with_names_permissions_and_links_are_the_same),
		cmocka_unit_test(a_name_that_appears_meanwhile_is_replaced),
		cmocka_unit_test(names_may_be_as_long_as_any),
		cmocka_unit_test(a_file_without_a_name_can_be_opened_by_others),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
