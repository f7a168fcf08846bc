/* Reading plain and compressed files. The compressed ones are made here with the same libraries. */
#include "helpers.h"

#include "base/input.h"

#include <fcntl.h>
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

/* Bytes of one kind or another. */
struct bytes {
	unsigned char *data;
	size_t size;
};

static struct bytes pack_plain(const char *text, size_t size)
{
	struct bytes packed = {malloc(size + 1), size};
	assert_non_null(packed.data);
	memcpy(packed.data, text, size);
	return packed;
}

static struct bytes pack_gzip(const char *text, size_t size)
{
	struct bytes packed = {malloc(size + 1000), 0};
	z_stream z = {.next_in = (Bytef *)text, .avail_in = (uInt)size, .next_out = packed.data, .avail_out = (uInt)size + 1000};
	assert_non_null(packed.data);
	assert_int_equal(deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	packed.size = z.total_out;
	deflateEnd(&z);
	return packed;
}

static struct bytes pack_xz(const char *text, size_t size)
{
	size_t room = lzma_stream_buffer_bound(size);
	struct bytes packed = {malloc(room), 0};
	assert_non_null(packed.data);
	assert_int_equal(
		lzma_easy_buffer_encode(0, LZMA_CHECK_CRC32, NULL, (const uint8_t *)text, size, packed.data, &packed.size, room), LZMA_OK);
	return packed;
}

static struct bytes pack_zstd(const char *text, size_t size)
{
	size_t room = ZSTD_compressBound(size);
	struct bytes packed = {malloc(room), 0};
	ZSTD_CCtx *context = ZSTD_createCCtx();
	assert_non_null(packed.data);
	assert_non_null(context);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
	packed.size = ZSTD_compress2(context, packed.data, room, text, size);
	assert_false(ZSTD_isError(packed.size));
	ZSTD_freeCCtx(context);
	return packed;
}

/* The codings; magic: the bytes by which they are recognised. */
static const struct coding {
	const char *name;
	struct bytes (*pack)(const char *text, size_t size);
	size_t magic;
} codings[] = {{"plain", pack_plain, 0}, {"gzip", pack_gzip, 2}, {"xz", pack_xz, 6}, {"zstd", pack_zstd, 4}};

static const char small[] = "digraph { H1 -> S1 [comment=\"*\"]; S1 -> H1 [comment=\"H1\"]; }\n";

/* Text that packs badly, so that it fills several buffers in any coding. */
static char *large_text(size_t size)
{
	char *text = malloc(size + 1);
	assert_non_null(text);
	uint32_t state = 1;
	for (size_t i = 0; i < size; i++) {
		state = state * 1664525 + 1013904223;
		text[i] = (char)('!' + (state >> 24) % 90);
	}
	text[size] = '\0';
	return text;
}

static struct path write_packed(const struct coding *coding, const char *text, size_t size)
{
	struct bytes packed = coding->pack(text, size);
	struct path path = write_bytes("input", packed.data, packed.size);
	free(packed.data);
	return path;
}

/* All lines of the file, each with an end. */
static char *read_text(const char *path, struct error *error)
{
	struct line_reader lines;
	char *text = NULL;
	size_t size, length;
	FILE *file = open_memstream(&text, &size);
	line_reader_open(&lines, path, LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_next(&lines, &length, error));)
		fprintf(file, "%s\n", line);
	line_reader_close(&lines);
	fclose(file);
	if (!error->status)
		return text;
	free(text);
	return NULL;
}

static void assert_reads(const char *path, const char *expected)
{
	struct error error = {0};
	char *text = read_text(path, &error);
	assert_fine(&error);
	assert_non_null(text);
	assert_int_equal(strlen(text), strlen(expected));
	assert_true(!strcmp(text, expected));
	free(text);
}

static void assert_refused(const char *path, const char *word)
{
	struct error error = {0};
	assert_null(read_text(path, &error));
	assert_error(&error, STATUS_IO, path, word);
}

TEST(every_coding_gives_the_text_back)
{
	char *large = large_text(500000);
	large[499999] = '\n';
	for (size_t c = 0; c < ARRAY_LENGTH(codings); c++) {
		assert_reads(write_packed(&codings[c], small, strlen(small)).text, small);
		assert_reads(write_packed(&codings[c], "", 0).text, "");
		assert_reads(write_packed(&codings[c], "x", 1).text, "x\n");
		assert_reads(write_packed(&codings[c], large, 500000).text, large);
	}
	free(large);
}

/* Reads the file by so many bytes at once. */
static void assert_reads_by(const char *path, const char *expected, size_t block)
{
	struct error error = {0};
	char buffer[10000];
	struct input *input = input_open(path, &error);
	assert_non_null(input);
	assert_string_equal(input_name(input), path);
	size_t length = 0;
	for (ssize_t got; (got = input_read(input, buffer, block, &error)) != 0; length += (size_t)got) {
		assert_true(got > 0 && (size_t)got <= block);
		assert_memory_equal(buffer, expected + length, (size_t)got);
	}
	assert_int_equal(length, strlen(expected));
	assert_int_equal(input_read(input, buffer, block, &error), 0); /* the end stays the end */
	assert_fine(&error);
	input_close(input);
}

TEST(blocks_of_any_size_are_read)
{
	char *large = large_text(200000);
	for (size_t c = 0; c < ARRAY_LENGTH(codings); c++) {
		struct path path = write_packed(&codings[c], large, 200000);
		assert_reads_by(path.text, large, 10000);
		assert_reads_by(path.text, large, 7);
		path = write_packed(&codings[c], small, strlen(small));
		assert_reads_by(path.text, small, 1);
	}
	free(large);
}

TEST(streams_may_follow_one_another)
{
	for (size_t c = 0; c < ARRAY_LENGTH(codings); c++) {
		struct bytes first = codings[c].pack("one ", 4), empty = codings[c].pack("", 0), second = codings[c].pack("two", 3);
		unsigned char all[1000];
		assert_in_range(first.size + empty.size + second.size, 1, sizeof all);
		memcpy(all, first.data, first.size);
		memcpy(all + first.size, empty.data, empty.size);
		memcpy(all + first.size + empty.size, second.data, second.size);
		assert_reads(write_bytes("input", all, first.size + empty.size + second.size).text, "one two\n");
		free(first.data);
		free(empty.data);
		free(second.data);
	}
}

TEST(a_stream_cut_anywhere_is_refused)
{
	for (size_t c = 1; c < ARRAY_LENGTH(codings); c++) {
		struct bytes packed = codings[c].pack(small, strlen(small));
		for (size_t size = codings[c].magic; size < packed.size; size++)
			assert_refused(write_bytes("input", packed.data, size).text, codings[c].name);
		free(packed.data);
	}
}

TEST(a_large_stream_that_is_cut_is_refused)
{
	char *large = large_text(400000);
	for (size_t c = 1; c < ARRAY_LENGTH(codings); c++) {
		struct bytes packed = codings[c].pack(large, 400000);
		assert_refused(write_bytes("input", packed.data, packed.size - 9).text, "is truncated");
		assert_refused(write_bytes("input", packed.data, 1 << 17).text, "is truncated"); /* just the reader's buffer */
		free(packed.data);
	}
	free(large);
}

/* Flips each bit behind the first bytes: what is read is the text, if the bit did not matter, or nothing. */
TEST(damage_never_gives_another_text)
{
	for (size_t c = 1; c < ARRAY_LENGTH(codings); c++) {
		struct bytes packed = codings[c].pack(small, strlen(small));
		unsigned refused = 0;
		for (size_t bit = 8 * codings[c].magic; bit < 8 * packed.size; bit++) {
			struct error error = {0};
			packed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
			char *text = read_text(write_bytes("input", packed.data, packed.size).text, &error);
			packed.data[bit / 8] ^= (unsigned char)(1 << bit % 8);
			refused += !text;
			if (text)
				assert_string_equal(text, small);
			else
				assert_error(&error, STATUS_IO, codings[c].name);
			free(text);
		}
		assert_true(refused > 4 * packed.size);
		free(packed.data);
	}
}

TEST(rubbish_behind_a_stream_is_refused)
{
	for (size_t c = 1; c < ARRAY_LENGTH(codings); c++) {
		struct bytes packed = codings[c].pack(small, strlen(small));
		unsigned char *more = malloc(packed.size + 10);
		assert_non_null(more);
		memcpy(more, packed.data, packed.size);
		memcpy(more + packed.size, "some words", 10);
		assert_refused(write_bytes("input", more, packed.size + 10).text, codings[c].name);
		free(more);
		free(packed.data);
	}
}

TEST(text_with_a_nul_byte_is_refused)
{
	for (size_t c = 0; c < ARRAY_LENGTH(codings); c++) {
		struct path path = write_packed(&codings[c], "one\0two", 7);
		assert_refused(path.text, "NUL byte");
		path = write_packed(&codings[c], "one\0", 4);
		assert_refused(path.text, "NUL byte");
	}
}

TEST(files_that_cannot_be_read_say_why)
{
	assert_refused(scratch_path("missing").text, "cannot open: No such file or directory");
	assert_refused("/", "is a directory");
	assert_refused("/proc/self/mem", "cannot read: Input/output error");
	struct error error = {0};
	assert_null(input_open("", &error));
	assert_error(&error, STATUS_IO, "cannot open");
	input_close(NULL);
}

TEST(a_dash_is_standard_input)
{
	for (size_t c = 0; c < ARRAY_LENGTH(codings); c++) {
		struct error error = {0};
		struct path path = write_packed(&codings[c], small, strlen(small));
		int before = dup(STDIN_FILENO), file = open(path.text, O_RDONLY);
		assert_int_equal(dup2(file, STDIN_FILENO), STDIN_FILENO);
		close(file);
		struct input *input = input_open("-", &error);
		assert_non_null(input);
		assert_string_equal(input_name(input), "<stdin>");
		input_close(input);
		assert_int_equal(lseek(STDIN_FILENO, 0, SEEK_SET), 0); /* it is still open */
		char *text = read_text("-", &error);
		assert_string_equal(text, small);
		free(text);
		dup2(before, STDIN_FILENO);
		close(before);
	}
}

/* A pipe hands out its bytes in pieces; here the first bytes come one at a time. */
TEST(a_pipe_that_drips_is_read)
{
	for (size_t c = 0; c < ARRAY_LENGTH(codings); c++) {
		struct bytes packed = codings[c].pack(small, strlen(small));
		int ends[2];
		char name[40];
		assert_int_equal(pipe(ends), 0);
		pid_t child = fork();
		if (!child) {
			for (size_t i = 0; i < packed.size; i++) {
				if (write(ends[1], packed.data + i, 1) != 1)
					_exit(1);
				usleep(i < 8 ? 1000 : 0);
			}
			_exit(0);
		}
		close(ends[1]);
		snprintf(name, sizeof name, "/dev/fd/%d", ends[0]);
		assert_reads(name, small);
		close(ends[0]);
		free(packed.data);
	}
}

/* The lines of a list in that file: as many as expected, then none. */
static void assert_lists(const char *text, const char *const *expected, size_t count)
{
	struct line_reader lines;
	struct error error = {0};
	assert_int_equal(line_reader_open(&lines, write_text("list", text).text, LIST_LINE_LONGEST, &error), 0);
	for (size_t i = 0; i < count; i++)
		assert_string_equal(line_reader_list(&lines, &error), expected[i]);
	assert_null(line_reader_list(&lines, &error));
	assert_null(line_reader_list(&lines, &error));
	assert_fine(&error);
	line_reader_close(&lines);
}

TEST(lists_lose_comments_and_blanks)
{
	static const char *const expected[] = {"one two", "", "", "three", "four", "last"};
	assert_lists("one two\n\n  # all comment\n\tthree # and more\r\nfour#five\nlast", expected, ARRAY_LENGTH(expected));
	assert_lists("\xef\xbb\xbf"
		     "one two\n",
		expected, 1);
	assert_lists("", expected, 0);
	assert_lists("\n", expected + 1, 1);
}

/* A line may be as long as it may, wherever the buffer ends in it. */
TEST(too_long_a_line_is_refused)
{
	for (size_t before = 0; before < 5; before++)
		for (size_t more = 0; more < 2; more++) {
			struct line_reader lines;
			struct error error = {0};
			size_t length, longest = 100000, first = before * 90000;
			char *text = malloc(first + longest + more + 2);
			assert_non_null(text);
			memset(text, '\n', first);
			memset(text + first, 'x', longest + more);
			strcpy(text + first + longest + more, "\n");
			assert_int_equal(line_reader_open(&lines, write_text("line", text).text, longest, &error), 0);
			for (size_t i = 0; i < first; i++)
				assert_string_equal(line_reader_next(&lines, &length, &error), "");
			char *line = line_reader_next(&lines, &length, &error);
			char place[60];
			snprintf(place, sizeof place, ":%zu: line longer than 97 kB", first + 1);
			if (more)
				assert_error(&error, STATUS_IO, place);
			else
				assert_int_equal(strlen(line), longest);
			assert_int_equal(!line, more);
			line_reader_close(&lines);
			free(text);
		}
}

TEST(words_are_split_at_blanks)
{
	char line[] = "  one\ttwo   three ";
	char *rest = line;
	assert_string_equal(next_word(&rest), "one");
	assert_string_equal(next_word(&rest), "two");
	assert_string_equal(next_word(&rest), "three");
	assert_null(next_word(&rest));
	char blanks[] = "   ";
	rest = blanks;
	assert_null(next_word(&rest));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_coding_gives_the_text_back),
		cmocka_unit_test(blocks_of_any_size_are_read),
		cmocka_unit_test(streams_may_follow_one_another),
		cmocka_unit_test(a_stream_cut_anywhere_is_refused),
		cmocka_unit_test(a_large_stream_that_is_cut_is_refused),
		cmocka_unit_test(damage_never_gives_another_text),
		cmocka_unit_test(rubbish_behind_a_stream_is_refused),
		cmocka_unit_test(text_with_a_nul_byte_is_refused),
		cmocka_unit_test(files_that_cannot_be_read_say_why),
		cmocka_unit_test(a_dash_is_standard_input),
		cmocka_unit_test(a_pipe_that_drips_is_read),
		cmocka_unit_test(lists_lose_comments_and_blanks),
		cmocka_unit_test(too_long_a_line_is_refused),
		cmocka_unit_test(words_are_split_at_blanks),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
