/*
 * Any bytes as a file, plain or compressed with gzip, xz or zstd: what is read does not depend on how much is asked for at a time, and
 * what is damaged is refused in one line, be it the first stream or one that follows.
 * A text that unpacks without end is read up to a limit; its lines, of files and of lists, up to the length that they may have.
 */
#include "target.h"
#include "base/input.h"

enum { READ_MOST = 1 << 16 };

/* What came of reading so many bytes at a time, up to a limit. */
struct content {
	enum status status;
	size_t bytes;
	char data[READ_MOST];
};

static bool has_nul(const struct content *content)
{
	return memchr(content->data, '\0', content->bytes);
}

static void read_by(const char *path, size_t step, struct content *content)
{
	struct error error = {0};
	struct input *input = input_open(path, &error);
	ssize_t got = input ? 1 : -1;
	content->bytes = 0;
	while (got > 0 && content->bytes < READ_MOST) {
		size_t most = READ_MOST - content->bytes < step ? READ_MOST - content->bytes : step;
		got = input_read(input, content->data + content->bytes, most, &error);
		CHECK(got <= (ssize_t)most);
		content->bytes += got > 0 ? (size_t)got : 0;
	}
	if (got < 0)
		check_refused(&error, 1 << STATUS_IO);
	content->status = error.status;
	input_close(input);
}

/* Line by line: the same bytes but for the ends of lines, or the same refusal. No line of what is read whole is too long for a list. */
static void read_lines(const char *path, size_t longest, const struct content *content)
{
	struct error error = {0};
	struct line_reader reader;
	size_t length, bytes = 0;
	unsigned long lines = 0;
	if (!line_reader_open(&reader, path, longest, &error))
		for (char *line; bytes < READ_MOST && (line = line_reader_next(&reader, &length, &error)); lines++) {
			CHECK(strlen(line) == length && reader.number == lines + 1);
			bytes += length + 1;
		}
	line_reader_close(&reader);
	if (error.status)
		check_refused(&error, 1 << STATUS_IO);
	/* at once, not when the memory is full: as a NUL, or as damage that a larger piece shows */
	CHECK(!has_nul(content) || strstr(error.text, "NUL") || strstr(error.text, "damaged"));
	if (content->bytes < READ_MOST) {
		CHECK(!error.status == !(content->status || has_nul(content)));
		CHECK(error.status || bytes <= content->bytes + 1);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct content content, other;
	static const size_t steps[] = {1000, 1};
	struct memory_file memory = memory_file_create(data, size);
	read_by(memory.path, READ_MOST, &content);
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (steps[i] == 1 && content.bytes > 5000)
			continue;
		read_by(memory.path, steps[i], &other);
		CHECK(other.status == content.status);
		CHECK(content.status || (other.bytes == content.bytes && !memcmp(other.data, content.data, content.bytes)));
	}
	read_lines(memory.path, LINE_LONGEST, &content);
	read_lines(memory.path, LIST_LINE_LONGEST, &content);
	memory_file_close(&memory);
	return 0;
}
