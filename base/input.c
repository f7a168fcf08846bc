/* The decoders of zlib, liblzma and libzstd behind one interface: bytes in, bytes out, end of stream. */
#include "base/input.h"

#include "base/args.h"
#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <lzma.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { RAW_SIZE = 1 << 17, LINES_SIZE = 1 << 18 };

enum coding { PLAIN, GZIP, XZ, ZSTD };

struct input {
	int file;
	enum coding coding;
	bool file_ended, between_streams;
	const char *name;
	unsigned char *raw; /* [RAW_SIZE] bytes as read from the file */
	size_t from, to;    /* the unused part of raw */
	z_stream gzip;
	lzma_stream xz;
	ZSTD_DStream *zstd;
};

static const char *const coding_names[] = {"plain", "gzip", "xz", "zstd"};

const char *input_name(const struct input *input)
{
	return input->name;
}

/* Reads more raw bytes if all are used. Returns 0, or -1. */
static int fill(struct input *input, struct error *error)
{
	if (input->from < input->to || input->file_ended)
		return 0;
	ssize_t got;
	do
		got = read(input->file, input->raw, RAW_SIZE);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return error_at(error, STATUS_IO, input->name, 0, "cannot read: %s", strerror(errno));
	input->file_ended = got == 0;
	input->from = 0;
	input->to = (size_t)got;
	return 0;
}

/* Reads the first bytes, which identify the coding. Returns 0, or -1. */
static int recognise(struct input *input, struct error *error)
{
	size_t have = 0;
	while (have < 6) {
		ssize_t got = read(input->file, input->raw + have, RAW_SIZE - have);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return error_at(error, STATUS_IO, input->name, 0, "cannot read: %s", strerror(errno));
		if (got == 0) {
			input->file_ended = true;
			break;
		}
		have += (size_t)got;
	}
	input->to = have;
	if (have >= 2 && !memcmp(input->raw, "\x1f\x8b", 2)) {
		input->coding = GZIP;
		if (inflateInit2(&input->gzip, 15 + 16) != Z_OK)
			return error_set(error, STATUS_IO, "out of memory for zlib");
	} else if (have >= 6 && !memcmp(input->raw,
					"\xfd"
					"7zXZ\0",
					6)) {
		input->coding = XZ;
		if (lzma_stream_decoder(&input->xz, UINT64_MAX, LZMA_CONCATENATED) != LZMA_OK)
			return error_set(error, STATUS_IO, "out of memory for liblzma");
	} else if (have >= 4 && !memcmp(input->raw, "\x28\xb5\x2f\xfd", 4)) {
		input->coding = ZSTD;
		input->zstd = ZSTD_createDStream();
		if (!input->zstd)
			return error_set(error, STATUS_IO, "out of memory for libzstd");
	}
	return 0;
}

struct input *input_open(const char *path, struct error *error)
{
	struct input *input = array_create(1, sizeof *input, error);
	if (!input)
		return NULL;
	bool standard = !strcmp(path, "-");
	input->name = standard ? "<stdin>" : path;
	input->file = standard ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
	input->xz = (lzma_stream)LZMA_STREAM_INIT;
	input->raw = array_create(RAW_SIZE, 1, error);
	struct stat about;
	if (input->file < 0)
		error_at(error, STATUS_IO, path, 0, "cannot open: %s", strerror(errno));
	else if (!fstat(input->file, &about) && S_ISDIR(about.st_mode))
		error_at(error, STATUS_IO, path, 0, "cannot read: it is a directory");
	else if (input->raw)
		recognise(input, error);
	if (error->status) {
		input_close(input);
		return NULL;
	}
	return input;
}

void input_close(struct input *input)
{
	if (!input)
		return;
	if (input->file > STDIN_FILENO)
		close(input->file);
	if (input->coding == GZIP)
		inflateEnd(&input->gzip);
	lzma_end(&input->xz);
	ZSTD_freeDStream(input->zstd);
	free(input->raw);
	free(input);
}

/* Replaces a file by a file in memory, rewound, with the rest of its content. Returns 0, or -1. */
static int keep(int file, const char *name, struct error *error)
{
	static char buffer[1 << 16];
	int copy = memfd_create("input", MFD_CLOEXEC);
	ssize_t got = copy < 0 ? -1 : 1;
	while (got > 0) {
		got = read(file, buffer, sizeof buffer);
		if (got < 0 && errno == EINTR)
			got = 1;
		else
			for (ssize_t put = 0, done = 0; done < got; done += put)
				if ((put = write(copy, buffer + done, (size_t)(got - done))) < 0) {
					got = -1;
					break;
				}
	}
	if (!got && (dup2(copy, file) < 0 || lseek(file, 0, SEEK_SET)))
		got = -1;
	if (got)
		error_at(error, STATUS_IO, name, 0, "cannot read: %s", strerror(errno));
	if (copy >= 0)
		close(copy);
	return error->status ? -1 : 0;
}

int input_rewind_standard(struct error *error)
{
	return lseek(STDIN_FILENO, 0, SEEK_SET) ? keep(STDIN_FILENO, "<stdin>", error) : 0;
}

/* Returns the descriptor that a path names, -1 if it names none. */
static int number_of(const char *path)
{
	static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};
	int64_t number;
	if (!strcmp(path, "-") || !strcmp(path, "/dev/stdin"))
		return STDIN_FILENO;
	for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
		if (!strncmp(path, folders[i], strlen(folders[i])) && read_integer(path + strlen(folders[i]), 0, INT_MAX, &number))
			return (int)number;
	return -1;
}

int input_keep(const char *path, struct error *error)
{
	struct stat about;
	int file = number_of(path);
	if (file < 0 || fstat(file, &about) || S_ISREG(about.st_mode) || S_ISDIR(about.st_mode))
		return 0;
	return keep(file, strcmp(path, "-") ? path : "<stdin>", error);
}

/* Performs one step of the decoder, from raw to buffer. Returns the number of bytes written, or -1 if the stream is damaged. */
static ssize_t decode(struct input *input, char *buffer, size_t size)
{
	unsigned char *raw = input->raw + input->from;
	size_t left = input->to - input->from;
	if (input->coding == GZIP) {
		z_stream *z = &input->gzip;
		if (input->between_streams && left) { /* a file may contain several gzip members */
			inflateReset(z);
			input->between_streams = false;
		}
		z->next_in = raw;
		z->avail_in = (uInt)left;
		z->next_out = (Bytef *)buffer;
		z->avail_out = (uInt)size;
		int result = inflate(z, Z_NO_FLUSH);
		if (result == Z_STREAM_END)
			input->between_streams = true;
		else if (result != Z_OK && result != Z_BUF_ERROR)
			return -1;
		input->from += left - z->avail_in;
		return (ssize_t)(size - z->avail_out);
	}
	if (input->coding == XZ) {
		lzma_stream *x = &input->xz;
		x->next_in = raw;
		x->avail_in = left;
		x->next_out = (uint8_t *)buffer;
		x->avail_out = size;
		lzma_ret result = lzma_code(x, input->file_ended ? LZMA_FINISH : LZMA_RUN);
		if (result == LZMA_STREAM_END)
			input->between_streams = true;
		else if (result != LZMA_OK && result != LZMA_BUF_ERROR)
			return -1;
		input->from += left - x->avail_in;
		return (ssize_t)(size - x->avail_out);
	}
	ZSTD_inBuffer in = {raw, left, 0};
	ZSTD_outBuffer out = {buffer, size, 0};
	size_t result = ZSTD_decompressStream(input->zstd, &out, &in);
	if (ZSTD_isError(result))
		return -1;
	input->between_streams = result == 0;
	input->from += in.pos;
	return (ssize_t)out.pos;
}

ssize_t input_read(struct input *input, char *buffer, size_t size, struct error *error)
{
	if (size > 1 << 30)
		size = 1 << 30;
	for (;;) {
		if (fill(input, error))
			return -1;
		size_t left = input->to - input->from;
		if (input->coding == PLAIN) {
			if (size > left)
				size = left;
			memcpy(buffer, input->raw + input->from, size);
			input->from += size;
			return (ssize_t)size;
		}
		if (input->file_ended && !left && input->between_streams)
			return 0;
		ssize_t got = decode(input, buffer, size);
		if (got < 0)
			return error_at(error, STATUS_IO, input->name, 0, "damaged %s data", coding_names[input->coding]);
		if (got > 0)
			return got;
		if (input->file_ended && !left && !input->between_streams)
			return error_at(error, STATUS_IO, input->name, 0, "the %s data is truncated", coding_names[input->coding]);
	}
}

int line_reader_open(struct line_reader *reader, const char *path, size_t longest, struct error *error)
{
	*reader = (struct line_reader){.input = input_open(path, error), .size = LINES_SIZE, .longest = longest};
	if (reader->input)
		reader->buffer = array_create(reader->size, 1, error);
	return reader->buffer ? 0 : -1;
}

void line_reader_close(struct line_reader *reader)
{
	input_close(reader->input);
	free(reader->buffer);
	*reader = (struct line_reader){0};
}

static int too_long(const struct line_reader *reader, struct error *error)
{
	bool large = reader->longest >= 1 << 20;
	return error_at(error, STATUS_IO, input_name(reader->input), reader->number + 1, "line longer than %zu %s",
		reader->longest >> (large ? 20 : 10), large ? "MB" : "kB");
}

/* Reads more text behind the incomplete line in the buffer. Returns 0, or -1. */
static int more_lines(struct line_reader *reader, struct error *error)
{
	size_t have = reader->to - reader->from;
	memmove(reader->buffer, reader->buffer + reader->from, have);
	reader->from = 0;
	reader->to = have;
	if (have > reader->longest)
		return too_long(reader, error);
	if (have + 1 >= reader->size && array_grow(&reader->buffer, &reader->size, 2 * reader->size, 1, error))
		return -1;
	char *end = reader->buffer + have;
	ssize_t got = input_read(reader->input, end, reader->size - have - 1, error);
	if (got < 0)
		return -1;
	if (memchr(end, '\0', (size_t)got)) /* a compressed stream can expand to any number of NUL bytes: reject them as they arrive */
		return error_at(error, STATUS_IO, input_name(reader->input), 0, "not a text file: it contains a NUL byte");
	reader->to += (size_t)got;
	reader->ended = got == 0;
	return 0;
}

char *line_reader_next(struct line_reader *reader, size_t *length, struct error *error)
{
	char *line, *end;
	size_t looked = 0;
	for (;;) {
		line = reader->buffer + reader->from;
		end = memchr(line + looked, '\n', reader->to - reader->from - looked);
		if (end || reader->ended)
			break;
		looked = reader->to - reader->from;
		if (more_lines(reader, error))
			return NULL;
	}
	if (!end && reader->from == reader->to)
		return NULL;
	reader->unfinished = !end;
	if (!end)
		end = reader->buffer + reader->to;
	if ((size_t)(end - line) > reader->longest)
		return too_long(reader, error), NULL;
	reader->from = (size_t)(end - reader->buffer) + (reader->from + (size_t)(end - line) < reader->to);
	if (end > line && end[-1] == '\r')
		end--;
	*end = '\0';
	if (!reader->number++ && !strncmp(line, "\xef\xbb\xbf", 3))
		line += 3;
	*length = (size_t)(end - line);
	return line;
}

/* Splits the first piece, up to one of the stops, off *text. NULL at the end. */
static char *cut(char **text, const char *stops)
{
	char *piece = *text;
	if (!*piece)
		return NULL;
	size_t length = strcspn(piece, stops);
	*text = piece + length + (piece[length] != '\0');
	piece[length] = '\0';
	return piece;
}

char *line_reader_list(struct line_reader *reader, struct error *error)
{
	size_t length;
	char *line = line_reader_next(reader, &length, error);
	if (!line)
		return NULL;
	line[strcspn(line, "#")] = '\0';
	line += strspn(line, " \t\r");
	length = strlen(line);
	while (length && strchr(" \t\r", line[length - 1]))
		line[--length] = '\0';
	return line;
}

char *next_word(char **line)
{
	*line += strspn(*line, " \t");
	return cut(line, " \t");
}

char *input_text(const char *path, size_t *length, struct error *error)
{
	enum { STEP = 1 << 16 };
	struct input *input = input_open(path, error);
	char *text = NULL;
	size_t capacity = 0;
	ssize_t got = 1;
	*length = 0;
	while (input && got > 0) {
		if (array_grow(&text, &capacity, *length + STEP, 1, error))
			break;
		got = input_read(input, text + *length, STEP - 1, error);
		*length += got > 0 ? (size_t)got : 0;
	}
	input_close(input);
	if (error->status) {
		free(text);
		return NULL;
	}
	text[*length] = '\0';
	return text;
}
