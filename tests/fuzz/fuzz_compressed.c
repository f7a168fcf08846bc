/*
 * Any bytes as a file, plain or compressed with gzip, xz or zstd: what is read does not depend on how much is asked for at a time, and
 * what is damaged is refused in one line, be it the first stream or one that follows. The text, its lines and the fabric in it likewise.
 * A text that unpacks without end is not for memory: it is read up to a limit, and the whole text up to what the memory holds.
 */
#include "input.h"
#include "target.h"

enum { READ_MOST = 1 << 18 };

/* What came of reading: so many bytes, of that hash; status 0 at the end or the limit. */
struct content {
	enum status status;
	size_t bytes;
	uint64_t hash;
	bool nul;
};

static struct content read_by(const char *path, size_t step)
{
	static char buffer[1 << 16];
	struct content content = {.hash = 1469598103934665603u};
	struct error error = {0};
	struct input *input = input_open(path, &error);
	ssize_t got = input ? 1 : -1;
	while (got > 0 && content.bytes < READ_MOST) {
		size_t most = READ_MOST - content.bytes < step ? READ_MOST - content.bytes : step;
		got = input_read(input, buffer, most, &error);
		CHECK(got <= (ssize_t)most);
		for (ssize_t i = 0; i < got; i++)
			content.hash = (content.hash ^ (uint8_t)buffer[i]) * 1099511628211u;
		for (ssize_t i = 0; i < got; i++)
			content.nul |= !buffer[i];
		content.bytes += got > 0 ? (size_t)got : 0;
	}
	if (got < 0)
		check_refused(&error, 1 << STATUS_IO);
	content.status = error.status;
	input_close(input);
	return content;
}

/* Line by line: the same bytes but for the ends of lines, or the same refusal. */
static void read_lines(const char *path, const struct content *content)
{
	struct error error = {0};
	struct line_reader reader;
	size_t length, bytes = 0;
	unsigned long lines = 0;
	if (!line_reader_open(&reader, path, &error))
		for (char *line; bytes < READ_MOST && (line = line_reader_next(&reader, &length, &error)); lines++) {
			CHECK(strlen(line) == length && reader.number == lines + 1);
			bytes += length + 1;
		}
	line_reader_close(&reader);
	if (error.status)
		check_refused(&error, 1 << STATUS_IO);
	if (content->bytes < READ_MOST) {
		CHECK(!error.status == !(content->status || content->nul));
		CHECK(error.status || bytes <= content->bytes + 1);
	}
}

static void read_whole(const char *path, const struct content *content)
{
	struct error error = {0};
	char *text = input_text(path, &error);
	if (!text)
		check_refused(&error, 1 << STATUS_IO);
	CHECK(!content->nul || strstr(error.text, "NUL")); /* at once, not when the memory is full */
	if (content->bytes < READ_MOST)
		CHECK(!text == (content->status || content->nul) && (!text || strlen(text) == content->bytes));
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file memory = memory_file_create(data, size);
	struct content content = read_by(memory.path, 1 << 16), other;
	static const size_t steps[] = {1000, 1};
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		if (steps[i] == 1 && content.bytes > 5000)
			continue;
		other = read_by(memory.path, steps[i]);
		CHECK(other.status == content.status && (content.status || (other.bytes == content.bytes && other.hash == content.hash)));
	}
	read_lines(memory.path, &content);
	read_whole(memory.path, &content);
	memory_file_close(&memory);
	return 0;
}
