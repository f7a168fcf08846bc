#include "patterns/graphs/trace_file.h"

#include "base/files.h"
#include "patterns/task_graph.h"

#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int trace_open(struct trace_file *file, const char *path, struct error *error)
{
	*file = (struct trace_file){.next = NULL};
	if (!strcmp(path, "-") && input_rewind_standard(error))
		return -1;
	return line_reader_open(&file->lines, path, LINE_LONGEST, error);
}

int trace_files(const struct arg_value *args, struct files *files, struct error *error)
{
	return files_read(files, args[0].text, error);
}

void trace_close(struct trace_file *file)
{
	line_reader_close(&file->lines);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r';
}

static void skip_blanks(struct trace_file *file)
{
	while (file->next < file->end && is_blank(*file->next))
		file->next++;
}

/* Replaces comments within a line by spaces. Returns the length of the line up to a comment that takes the rest. */
static size_t blank_comments(struct trace_file *file, char *line, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool pair = i + 1 < length;
		if (file->begun) {
			if (pair && line[i] == '*' && line[i + 1] == '/') {
				line[i++] = ' ';
				file->begun = 0;
			}
			line[i] = ' ';
		} else if (line[i] == '#' || (pair && line[i] == '/' && line[i + 1] == '/')) {
			return i;
		} else if (pair && line[i] == '/' && line[i + 1] == '*') {
			line[i++] = ' ';
			line[i] = ' ';
			file->begun = file->lines.number;
		}
	}
	return length;
}

bool trace_line(struct trace_file *file, struct error *error)
{
	size_t length;
	for (char *line; (line = line_reader_next(&file->lines, &length, error));) {
		const char *comment = memchr(line, '#', length);
		file->next = line;
		file->end = comment ? comment : line + length;
		if (file->begun || (file->slashes && memchr(line, '/', length)))
			file->end = line + blank_comments(file, line, length);
		skip_blanks(file);
		if (file->next < file->end)
			return true;
	}
	if (file->begun)
		error_at(error, STATUS_USAGE, input_name(file->lines.input), file->begun, "a comment begins here and does not end");
	return false;
}

struct word trace_word(struct trace_file *file, const char *marks)
{
	skip_blanks(file);
	const char *from = file->next;
	if (from == file->end)
		return (struct word){NULL, 0};
	while (file->next < file->end && !is_blank(*file->next) && !strchr(marks, *file->next))
		file->next++;
	if (file->next == from)
		file->next++;
	return (struct word){from, (size_t)(file->next - from)};
}

bool word_is(struct word word, const char *text)
{
	return word.text && strlen(text) == word.length && !memcmp(word.text, text, word.length);
}

bool word_has_key(struct word *word, const char *key)
{
	size_t length = strlen(key);
	if (word->length < length || memcmp(word->text, key, length))
		return false;
	word->text += length;
	word->length -= length;
	return true;
}

bool word_nests(struct word spec, const char *name)
{
	size_t length = strlen(name);
	for (size_t i = 0; spec.text && i + length <= spec.length; i++)
		if (!memcmp(spec.text + i, name, length) && (!i || spec.text[i - 1] == ',' || spec.text[i - 1] == ':'))
			return true;
	return false;
}

int trace_error(const struct trace_file *file, struct error *error, const char *format, ...)
{
	char text[600];
	va_list list;
	va_start(list, format);
	vsnprintf(text, sizeof text, format, list);
	va_end(list);
	return error_at(error, STATUS_USAGE, input_name(file->lines.input), file->lines.number, "%s", text);
}

int trace_wrong(const struct trace_file *file, struct word word, const char *what, struct error *error)
{
	enum { SHOWN = 100 };
	if (!word.text)
		return trace_error(file, error, "%s is missing", what);
	return trace_error(file, error, "'%.*s%s' is not %s%s", (int)(word.length < SHOWN ? word.length : SHOWN), word.text,
		word.length > SHOWN ? "..." : "",
		*what == '\''            ? ""
		: strchr("aeiou", *what) ? "an "
					 : "a ",
		what);
}

int trace_integer(const struct trace_file *file, struct word word, const char *what, int64_t max, int64_t *value, struct error *error)
{
	int64_t number = 0;
	size_t i = 0;
	for (; i < word.length && word.text[i] >= '0' && word.text[i] <= '9'; i++) {
		number = 10 * number + (word.text[i] - '0');
		if (number > max)
			return trace_error(file, error, "'%.*s': %s is at most %lld", (int)(word.length < 100 ? word.length : 100),
				word.text, what, (long long)max);
	}
	if (!i || i < word.length)
		return trace_wrong(file, word, what, error);
	*value = number;
	return 0;
}

int trace_decimal(const struct trace_file *file, struct word word, const char *what, double *value, struct error *error)
{
	char copy[64];
	size_t i = 0;
	int64_t number = 0;
	for (; i < word.length && i < 15 && word.text[i] >= '0' && word.text[i] <= '9'; i++)
		number = 10 * number + (word.text[i] - '0');
	*value = (double)number;
	if (i && i == word.length)
		return 0;
	snprintf(copy, sizeof copy, "%.*s", (int)(word.length < sizeof copy ? word.length : 0), word.text);
	if (strlen(copy) != word.length || *copy == '-' || !read_number(copy, 0, DBL_MAX, value))
		return trace_wrong(file, word, what, error);
	return 0;
}

int trace_size(const struct trace_file *file, struct word word, double *bytes, struct error *error)
{
	char copy[64];
	snprintf(copy, sizeof copy, "%.*s", (int)(word.length < sizeof copy ? word.length : 0), word.text);
	return strlen(copy) == word.length && read_size(copy, bytes) ? 0 : trace_wrong(file, word, "number of bytes", error);
}

int trace_weight(const struct trace_file *file, struct word word, double *weight, struct error *error)
{
	if (trace_decimal(file, word, "weight", weight, error))
		return -1;
	return *weight >= WEIGHT_LEAST && *weight <= WEIGHT_MOST ? 0 : trace_wrong(file, word, "weight from 0.000001 to 1000000", error);
}

int trace_line_end(struct trace_file *file, struct error *error)
{
	struct word word = trace_word(file, "");
	return word.text ? trace_error(file, error, "the line has a word too many: '%.*s'", (int)(word.length < 100 ? word.length : 100),
				   word.text)
			 : 0;
}
