/* Each line costs one call of the format that accepted the line before it, so reading is as fast as that format. */
#include "infiniband/dump.h"

#include "base/args.h"
#include "base/files.h"
#include "base/input.h"
#include "base/memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 16, INCLUDED_MAX = 1000 };

enum dump_line dump_error(struct dump_reader *reader, const char *format, ...)
{
	char text[800];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	error_at(reader->error, STATUS_FABRIC, reader->file, reader->line_number, "%s", text);
	return LINE_FAILED;
}

const char *dump_place(struct dump_reader *reader)
{
	snprintf(reader->place, sizeof reader->place, "%s:%lu", reader->file, reader->line_number);
	return reader->place;
}

int dump_entry(struct dump_reader *reader, uint32_t node, unsigned lid, unsigned port)
{
	struct subnet_oddity *twice = &reader->subnet->oddity[ODD_ENTRY_TWICE];
	uint64_t before = twice->count;
	if (subnet_entry(reader->subnet, node, lid, port, reader->error))
		return -1;
	if (!before && twice->count) {
		char text[sizeof twice->first];
		memcpy(text, twice->first, sizeof text);
		snprintf(twice->first, sizeof twice->first, "%.90s: %.100s", dump_place(reader), text);
	}
	return 0;
}

static size_t form_count(void)
{
	size_t count = 0;
	while (dump_forms[count])
		count++;
	return count;
}

/* Offers a line to all formats except the last taker, which rejected it. */
static enum dump_line offer(struct dump_reader *reader, size_t *taker, char *line, size_t length)
{
	for (size_t f = 0; dump_forms[f]; f++) {
		enum dump_line taken = f == *taker ? LINE_FOREIGN : dump_forms[f]->line(reader, reader->state[f], line, length);
		if (taken != LINE_FOREIGN) {
			*taker = f;
			return taken;
		}
	}
	return LINE_FOREIGN;
}

static void foreign_line(struct dump_reader *reader, const char *line)
{
	if (line[strspn(line, " \t")] == '#')
		return;
	subnet_odd(reader->subnet, ODD_LINES, "%s: '%.60s'", dump_place(reader), line);
}

/* A last line without an end that breaks the grammar, after others that did not: the file was cut off. Returns 0, or -1 for other errors.
 */
static int cut_off(struct dump_reader *reader)
{
	if (reader->error->status != STATUS_FABRIC || *reader->included)
		return -1;
	*reader->error = (struct error){0};
	subnet_odd(reader->subnet, ODD_CUT_OFF, "%s", dump_place(reader));
	return 0;
}

static int read_lines(struct dump_reader *reader, struct line_reader *lines)
{
	size_t taker = 0, length;
	bool any = false;
	for (char *line; (line = line_reader_next(lines, &length, reader->error));) {
		reader->line_number = lines->number;
		enum dump_line taken = any ? dump_forms[taker]->line(reader, reader->state[taker], line, length) : LINE_FOREIGN;
		if (taken == LINE_FOREIGN) {
			if (!line[strspn(line, " \t")])
				continue;
			size_t last = any ? taker : SIZE_MAX;
			taken = offer(reader, &last, line, length);
			if (taken == LINE_FOREIGN) {
				foreign_line(reader, line);
				continue;
			}
			taker = last;
			any = true;
		}
		if (taken == LINE_FAILED)
			return lines->unfinished && reader->lines[taker] ? cut_off(reader) : -1;
		reader->lines[taker]++;
	}
	return reader->error->status ? -1 : 0;
}

static int end_forms(struct dump_reader *reader)
{
	for (size_t f = 0; dump_forms[f]; f++)
		if (reader->lines[f] && dump_forms[f]->end && dump_forms[f]->end(reader, reader->state[f]) == LINE_FAILED)
			return -1;
	return 0;
}

/* Lists the formats of the wanted kinds in the text of a message. */
static void name_forms(unsigned wanted, char *text, size_t size)
{
	size_t used = 0;
	for (size_t f = 0; dump_forms[f]; f++)
		if (wanted & 1U << dump_forms[f]->kind && used < size)
			used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", dump_forms[f]->name);
}

static int check_kinds(const struct dump_reader *reader, unsigned wanted)
{
	char names[500];
	unsigned found = 0;
	for (size_t f = 0; dump_forms[f]; f++)
		if (reader->lines[f])
			found |= 1U << dump_forms[f]->kind;
	if (found & wanted)
		return 0;
	name_forms(wanted, names, sizeof names);
	if (!reader->line_number)
		return error_at(reader->error, STATUS_FABRIC, reader->file, 0, "the file is empty; expected one of: %s", names);
	if (!found)
		return error_at(reader->error, STATUS_FABRIC, reader->file, 0, "unrecognised format; expected one of: %s", names);
	return error_at(reader->error, STATUS_FABRIC, reader->file, 0, "the file has only %s; expected one of: %s",
		found & 1U << DUMP_TOPOLOGY ? "a topology"
		: found & 1U << DUMP_TABLES ? "forwarding tables"
		: found & 1U << DUMP_LANES  ? "SL-to-VL tables"
					    : "service levels",
		names);
}

static void copy_states(const struct dump_reader *from, struct dump_reader *to)
{
	for (size_t f = 0; from && to && dump_forms[f]; f++)
		memcpy(to->state[f], from->state[f], dump_forms[f]->state_size);
}

static int create_states(struct dump_reader *reader)
{
	size_t forms = form_count();
	reader->state = array_create(forms, sizeof *reader->state, reader->error);
	reader->lines = array_create(forms, sizeof *reader->lines, reader->error);
	for (size_t f = 0; f < forms && !reader->error->status; f++)
		reader->state[f] = array_create(dump_forms[f]->state_size, 1, reader->error);
	return reader->error->status ? -1 : 0;
}

static void free_states(struct dump_reader *reader)
{
	for (size_t f = 0; reader->state && dump_forms[f]; f++)
		free(reader->state[f]);
	free(reader->state);
	free(reader->lines);
}

/* Reads a file. The state of formats is passed on to a file that another one includes, and back. */
static int read_file(struct subnet *subnet, const char *path, unsigned wanted, struct dump_reader *includer, struct error *error)
{
	struct line_reader lines = {0};
	int included = 0;
	struct dump_reader reader = {.subnet = subnet, .error = error, .included = &included};
	bool fine = !(includer && subnet->files && files_read(subnet->files, path, error)) &&
		    !line_reader_open(&lines, path, LINE_LONGEST, error);
	if (includer) {
		reader.depth = includer->depth + 1;
		reader.included = includer->included;
	}
	fine = fine && !create_states(&reader);
	if (fine) {
		reader.file = input_name(lines.input);
		copy_states(includer, &reader);
		fine = !read_lines(&reader, &lines) && !end_forms(&reader) && (includer || !check_kinds(&reader, wanted));
		copy_states(&reader, includer);
	}
	free_states(&reader);
	line_reader_close(&lines);
	return fine ? 0 : -1;
}

int dump_read(struct subnet *subnet, const char *path, unsigned wanted, struct error *error)
{
	return read_file(subnet, path, wanted, NULL, error);
}

unsigned dump_kinds(char *text)
{
	struct error error = {0};
	int included = INCLUDED_MAX; /* open no other file */
	struct dump_reader reader = {.subnet = subnet_create(&error), .error = &error, .file = "", .included = &included};
	unsigned kinds = 0;
	bool fine = reader.subnet && !create_states(&reader);
	for (char *line = text, *next; fine && *line; line = next) {
		size_t length = strcspn(line, "\n");
		next = line + length + (line[length] != '\0');
		line[length] = '\0';
		if (length && line[length - 1] == '\r')
			line[--length] = '\0';
		for (size_t f = 0; dump_forms[f] && fine && line[strspn(line, " \t")]; f++) {
			enum dump_line taken = dump_forms[f]->line(&reader, reader.state[f], line, length);
			if (taken != LINE_FOREIGN)
				kinds |= 1U << dump_forms[f]->kind;
			if (taken == LINE_TAKEN)
				break;
			fine = taken != LINE_FAILED;
		}
	}
	free_states(&reader);
	subnet_free(reader.subnet);
	return kinds;
}

enum dump_line dump_include(struct dump_reader *reader, const char *path)
{
	if (reader->depth == DEPTH_MAX)
		return dump_error(reader, "includes are nested more than %d deep", DEPTH_MAX);
	if (++*reader->included > INCLUDED_MAX)
		return dump_error(reader, "more than %d files are included in total", INCLUDED_MAX);
	const char *slash = *path == '/' ? NULL : strrchr(reader->file, '/');
	char full[4096];
	int length = snprintf(full, sizeof full, "%.*s%s", slash ? (int)(slash - reader->file) + 1 : 0, reader->file, path);
	if (length >= (int)sizeof full)
		return dump_error(reader, "the name of the included file is too long");
	struct stat about;
	if (!stat(full, &about) && !S_ISREG(about.st_mode))
		return dump_error(reader, "included file '%.200s' is not a regular file", path);
	return read_file(reader->subnet, full, 0, reader, reader->error) ? LINE_FAILED : LINE_TAKEN;
}

/* ---- scanners ---- */

bool scan_blanks(char **text)
{
	*text += strspn(*text, " \t");
	return true;
}

bool scan_char(char **text, char wanted)
{
	if (**text != wanted)
		return false;
	++*text;
	return true;
}

bool scan_text(char **text, const char *wanted)
{
	size_t length = strlen(wanted);
	if (strncmp(*text, wanted, length) != 0)
		return false;
	*text += length;
	return true;
}

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

bool scan_hex(char **text, uint64_t *value)
{
	char *digit = *text;
	if (digit[0] == '0' && (digit[1] | 0x20) == 'x')
		digit += 2;
	char *first = digit;
	uint64_t sum = 0;
	for (int d; (d = hex_digit(*digit)) >= 0; digit++)
		sum = sum << 4 | (unsigned)d;
	if (digit == first || digit - first > 16)
		return false;
	*value = sum;
	*text = digit;
	return true;
}

bool scan_number(char **text, uint32_t max, uint32_t *value)
{
	char *digit = *text;
	uint64_t sum = 0;
	for (; *digit >= '0' && *digit <= '9'; digit++) {
		sum = sum * 10 + (unsigned)(*digit - '0');
		if (sum > max)
			return false;
	}
	if (digit == *text)
		return false;
	*value = (uint32_t)sum;
	*text = digit;
	return true;
}

unsigned scan_bars(char *text, uint32_t max, uint8_t *value, unsigned room)
{
	unsigned count = 0;
	for (bool first = true;; first = false) {
		uint64_t number;
		uint32_t decimal;
		scan_blanks(&text);
		bool bar = scan_char(&text, '|');
		scan_blanks(&text);
		if (!*text)
			return bar ? count : 0;
		if ((!bar && !first) || count == room)
			return 0;
		if (text[0] == '0' && (text[1] | 0x20) == 'x') {
			if (!scan_hex(&text, &number) || number > max)
				return 0;
			decimal = (uint32_t)number;
		} else if (!scan_number(&text, max, &decimal)) {
			return 0;
		}
		value[count++] = (uint8_t)decimal;
	}
}

bool scan_quoted(char **text, char **from, size_t *length)
{
	char *end = **text == '"' ? strchr(*text + 1, '"') : NULL;
	if (!end)
		return false;
	*from = *text + 1;
	*length = (size_t)(end - *from);
	*text = end + 1;
	return true;
}

bool scan_rate(char **text, enum lane_rate *rate)
{
	char *end;
	double gbps = read_decimal(*text, &end);
	*rate = RATE_UNKNOWN;
	if (**text < '0' || **text > '9')
		return true;
	if (end == *text || !isfinite(gbps) || (*end && *end != ' ' && *end != '\t'))
		return false;
	*rate = lane_rate_of(gbps);
	*text = end;
	return true;
}

bool scan_link(char **text, unsigned *lanes, enum lane_rate *rate)
{
	char *at = *text;
	uint32_t count;
	if (!scan_number(&at, 12, &count) || !count || (*at | 0x20) != 'x')
		return false;
	at++;
	scan_blanks(&at);
	size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
	enum lane_rate found = lane_rate(at, length);
	*lanes = count;
	*rate = found;
	*text = found == RATE_UNKNOWN ? *text + (at - *text) : at + length;
	return true;
}
