#include "infiniband/counters.h"

#include "base/input.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum counter_line counter_error(struct counter_reader *reader, const char *text)
{
	error_at(reader->error, STATUS_USAGE, reader->file, reader->line_number, "%s", text);
	return COUNTER_FAILED;
}

bool scan_count(char **text, uint64_t *value)
{
	char *at = *text;
	bool hex = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
	const unsigned base = hex ? 16 : 10;
	const char *const digits = "0123456789abcdef";
	uint64_t sum = 0;
	at += hex ? 2 : 0;
	char *from = at;
	for (;; at++) {
		char small = *at >= 'A' && *at <= 'F' ? (char)(*at - 'A' + 'a') : *at;
		const char *digit = small ? strchr(digits, small) : NULL;
		if (!digit || (unsigned)(digit - digits) >= base)
			break;
		uint64_t d = (uint64_t)(digit - digits);
		if (sum > (UINT64_MAX - d) / base)
			return false;
		sum = sum * base + d;
	}
	if (at == from)
		return false;
	*text = at;
	*value = sum;
	return true;
}

enum counter_line counters_begin(struct counter_reader *reader, uint64_t guid, uint32_t lid, uint32_t port, bool wide)
{
	struct counters *c = reader->counters;
	if (array_grow(&c->port, &c->capacity, c->ports + 1, sizeof *c->port, reader->error))
		return COUNTER_FAILED;
	c->port[c->ports++] = (struct port_counters){.guid = guid, .lid = guid ? 0 : lid, .port = port, .line = reader->line_number};
	reader->inside = true;
	reader->wide = wide;
	return COUNTER_TAKEN;
}

void counters_set(struct counter_reader *reader, enum counter counter, uint64_t value, unsigned bits)
{
	struct port_counters *p = &reader->counters->port[reader->counters->ports - 1];
	if (p->bits[counter] > bits)
		return;
	p->value[counter] = value;
	p->bits[counter] = (uint8_t)bits;
}

/* ---- the file */

static int compare(const void *a, const void *b)
{
	const struct port_counters *x = a, *y = b;
	if (x->guid != y->guid)
		return x->guid < y->guid ? -1 : 1;
	if (x->lid != y->lid)
		return x->lid < y->lid ? -1 : 1;
	return (x->port > y->port) - (x->port < y->port);
}

static int compare_lines(const void *a, const void *b)
{
	const struct port_counters *x = a, *y = b;
	int order = compare(a, b);
	return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* Joins what lines or blocks have of the same port. */
static int join(struct counters *c, const char *file, struct error *error)
{
	size_t kept = 0;
	if (c->ports)
		qsort(c->port, c->ports, sizeof *c->port, compare_lines);
	for (size_t i = 0; i < c->ports; i++) {
		struct port_counters *to = kept ? &c->port[kept - 1] : NULL, *from = &c->port[i];
		if (!to || compare(to, from)) {
			c->port[kept++] = *from;
			continue;
		}
		for (int k = 0; k < COUNTERS; k++) {
			if (from->bits[k] && from->bits[k] == to->bits[k] && from->value[k] != to->value[k])
				return error_at(error, STATUS_USAGE, file, from->line,
					"the port has other counters on line %lu: use one file for each reading", to->line);
			if (from->bits[k] > to->bits[k]) {
				to->bits[k] = from->bits[k];
				to->value[k] = from->value[k];
			}
		}
	}
	c->ports = kept;
	return 0;
}

/* Gives the line to the form that took the one before, then to the others. */
static enum counter_line give_line(struct counter_reader *reader, const struct counter_form **last, char *line)
{
	enum counter_line taken = *last ? (*last)->line(reader, line) : COUNTER_FOREIGN;
	const struct counter_form *before = *last;
	for (const struct counter_form *const *form = counter_forms; taken == COUNTER_FOREIGN && *form; form++) {
		if (*form == before)
			continue;
		bool inside = reader->inside;
		reader->inside = false; /* of another form */
		if ((taken = (*form)->line(reader, line)) != COUNTER_FOREIGN)
			*last = *form;
		else
			reader->inside = inside;
	}
	return taken;
}

int counters_read(struct counters *counters, const char *path, struct error *error)
{
	struct line_reader lines;
	const struct counter_form *last = NULL;
	size_t length;
	bool any = false;
	*counters = (struct counters){0};
	if (!line_reader_open(&lines, path, LINE_LONGEST, error)) {
		struct counter_reader reader = {.counters = counters, .file = input_name(lines.input), .error = error};
		for (char *line; !error->status && (line = line_reader_next(&lines, &length, error));) {
			reader.line_number = lines.number;
			any |= *line != '\0';
			if (*line && give_line(&reader, &last, line) == COUNTER_FAILED)
				break;
		}
		if (!error->status && any && !counters->ports)
			error_at(error, STATUS_USAGE, reader.file, 0,
				"there are no counters of ports that a GUID or a LID identifies; use the output of perfquery -x, ibqueryerrors "
				"--data, ibdiagnet or an exporter that names GUIDs");
		if (!error->status)
			join(counters, reader.file, error);
	}
	line_reader_close(&lines);
	return error->status ? -1 : 0;
}

void counters_clear(struct counters *counters)
{
	free(counters->port);
	*counters = (struct counters){0};
}

const struct port_counters *counters_find(const struct counters *counters, uint64_t guid, uint32_t lid, uint32_t port)
{
	struct port_counters key = {.guid = guid, .lid = guid ? 0 : lid, .port = port};
	if ((!guid && !lid) || !counters->ports)
		return NULL;
	return bsearch(&key, counters->port, counters->ports, sizeof key, compare);
}
