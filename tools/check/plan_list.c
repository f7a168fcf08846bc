#include "tools/check/plan_list.h"

#include "base/arena.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/shown.h"
#include "infiniband/dump.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { CELLS = 256 };

/* The columns that are read, and the names that their titles have, without anything except letters and digits. */
enum column { FROM, FROM_GUID, FROM_PORT, TO, TO_GUID, TO_PORT, SPEED, WIDTH, COLUMNS };

static const char *const titles[COLUMNS] = {
	[FROM] = " from startdevice fromdevice source sourcedevice device1 node1 fromnode ",
	[FROM_GUID] = " fromguid startguid sourceguid guid1 ",
	[FROM_PORT] = " fromport startport sourceport port1 ",
	[TO] = " to enddevice todevice destination destinationdevice device2 node2 tonode ",
	[TO_GUID] = " toguid endguid destinationguid guid2 ",
	[TO_PORT] = " toport endport destinationport port2 ",
	[SPEED] = " speed linkspeed ",
	[WIDTH] = " width linkwidth ",
};

struct list_reader {
	struct plan_list *list;
	struct line_reader lines;
	const char *name; /* of the file, for messages */
	enum { LIST_UNKNOWN, LIST_COLUMNS, LIST_TOPOLOGY } form;
	char separator;
	int column[COLUMNS]; /* index of the cell, -1: none */
	const char *system;  /* of a topology file: the current one */
	struct error *error;
};

static int refuse(struct list_reader *r, const char *fact, const char *text)
{
	return error_at(r->error, STATUS_FABRIC, r->name, r->lines.number, fact, SHOWN(text));
}

static char *trimmed(char *text)
{
	text += strspn(text, " \t");
	size_t length = strlen(text);
	while (length && strchr(" \t\r", text[length - 1]))
		length--;
	text[length] = '\0';
	return text;
}

/* Returns a copy that lives as long as the list. */
static const char *kept(struct list_reader *r, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = *text ? arena_alloc(r->list->arena, size) : NULL;
	if (!*text)
		return "";
	if (!copy)
		error_set(r->error, STATUS_IO, "out of memory");
	return copy ? memcpy(copy, text, size) : "";
}

static int add(struct list_reader *r, struct plan_row row)
{
	struct plan_list *list = r->list;
	for (int i = 0; i < 2; i++) {
		row.end[i].device = kept(r, row.end[i].device);
		row.end[i].guid = kept(r, row.end[i].guid);
		row.end[i].port = kept(r, row.end[i].port);
	}
	row.file = list->files;
	row.line = r->lines.number;
	if (r->error->status || array_grow(&list->row, &list->capacity, list->rows + 1, sizeof row, r->error))
		return -1;
	list->row[list->rows++] = row;
	return 0;
}

/* ---- speeds */

static const char *const units[] = {"", "G", "GB", "GB/S", "GBPS", "GBIT/S", "GBITS/S", NULL};

static bool is_unit(const char *text)
{
	int i = 0;
	while (units[i] && strcmp(units[i], text))
		i++;
	return units[i];
}

/* Reads "200", "200 Gb/s", "4xHDR", "HDR" or "HDR100", in upper case, of a link whose width may be known. Returns whether it is a speed. */
static bool read_speed(char *text, struct plan_row *row)
{
	enum lane_rate rate;
	char *end = text;
	if (!*text || !strcmp(text, "-") || !strcmp(text, "N/A") || !strcmp(text, "NA"))
		return true;
	if (scan_link(&end, &row->lanes, &rate) && !*end) {
		row->gbps = link_speed(row->lanes, rate);
		return true;
	}
	row->gbps = strtod(text, &end);
	if (end != text && row->gbps > 0 && row->gbps < 1e6)
		return is_unit(end + strspn(end, " "));
	size_t letters = strcspn(text, "0123456789");
	rate = lane_rate(text, letters);
	if (rate == RATE_UNKNOWN && !strncmp(text, "FDR10", strlen("FDR10")))
		rate = lane_rate(text, letters = strlen("FDR10"));
	row->gbps = text[letters] ? strtod(text + letters, &end) : link_speed(row->lanes ? row->lanes : 4, rate);
	if (!text[letters])
		row->lanes = row->lanes ? row->lanes : 4;
	return rate != RATE_UNKNOWN && (!text[letters] || (!*end && row->gbps > 0 && row->gbps < 1e6));
}

static void to_upper(char *text)
{
	for (; *text; text++)
		*text = (char)toupper((unsigned char)*text);
}

/* ---- columns */

/* Ends a cell and returns the beginning of the next one, NULL after the last; quotes are removed. */
static char *end_cell(char *cell, char separator)
{
	char *to = cell, *from = cell + strspn(cell, " ");
	if (*from != '"') {
		from += strcspn(from, (char[]){separator, '\0'});
		to = from;
	} else {
		for (from++; *from && (*from != '"' || from[1] == '"'); from++) {
			from += *from == '"';
			*to++ = *from;
		}
		from += strcspn(from, (char[]){separator, '\0'});
	}
	bool more = *from;
	*to = '\0';
	return more ? from + 1 : NULL;
}

static int split(char *line, char separator, char **cell)
{
	int cells = 0;
	for (char *next; line && cells < CELLS; line = next) {
		next = end_cell(line, separator);
		cell[cells++] = trimmed(line);
	}
	return cells;
}

/* Returns the column that a title names, COLUMNS if none. */
static enum column column_of(const char *title)
{
	char word[64] = " ";
	size_t length = 1;
	const char *fields = strcasestr(title, "fields:"); /* what precedes it is no title */
	for (const char *c = fields ? fields + strlen("fields:") : title; *c && length < sizeof word - 2; c++)
		if (isalnum((unsigned char)*c))
			word[length++] = (char)tolower((unsigned char)*c);
	strcpy(word + length, " ");
	int k = 0;
	while (k < COLUMNS && !strstr(titles[k], word))
		k++;
	return (enum column)k;
}

/* Takes the columns from a line of titles. Returns whether it names both devices. */
static bool read_titles(struct list_reader *r, char **cell, int cells)
{
	for (int k = 0; k < COLUMNS; k++)
		r->column[k] = -1;
	for (int i = 0; i < cells; i++) {
		enum column k = column_of(cell[i]);
		if (k < COLUMNS && r->column[k] < 0)
			r->column[k] = i;
	}
	return (r->column[FROM] >= 0 || r->column[FROM_GUID] >= 0) && (r->column[TO] >= 0 || r->column[TO_GUID] >= 0);
}

static char *cell_of(const struct list_reader *r, char **cell, int cells, enum column k)
{
	static char none[] = "";
	return r->column[k] >= 0 && r->column[k] < cells ? cell[r->column[k]] : none;
}

static int read_cells(struct list_reader *r, char **cell, int cells)
{
	struct plan_row row = {.gbps = 0};
	for (int i = 0; i < 2; i++)
		row.end[i] = (struct plan_end){
			.device = cell_of(r, cell, cells, i ? TO : FROM),
			.guid = cell_of(r, cell, cells, i ? TO_GUID : FROM_GUID),
			.port = cell_of(r, cell, cells, i ? TO_PORT : FROM_PORT),
		};
	for (int i = 0; i < 2; i++)
		if (!*row.end[i].device && !*row.end[i].guid) {
			r->list->blank++;
			return 0;
		}
	char *speed = cell_of(r, cell, cells, SPEED), *width = cell_of(r, cell, cells, WIDTH);
	unsigned long lanes = strtoul(width, NULL, 10);
	row.lanes = lanes <= 12 ? (unsigned)lanes : 0;
	to_upper(speed);
	if (!read_speed(speed, &row))
		return refuse(r, "'%s' is not a speed: write for example 200, 4xHDR or HDR", speed);
	return add(r, row);
}

static int read_columns(struct list_reader *r, char *line)
{
	char *cell[CELLS];
	return *line == '#' ? 0 : read_cells(r, cell, split(line, r->separator, cell));
}

/* ---- topology files */

/* Reads "->", "-4x->", "-10G->" or "-4x-10G->". Returns whether it is an arrow. */
static bool read_arrow(const char *arrow, struct plan_row *row)
{
	double lane = 0;
	char *end;
	if (*arrow++ != '-')
		return false;
	while (isdigit((unsigned char)*arrow)) {
		double number = strtod(arrow, &end);
		if (end[0] == 'x' && end[1] == '-' && number <= 12)
			row->lanes = (unsigned)number;
		else if (end[0] == 'G' && end[1] == '-')
			lane = number;
		else
			return false;
		arrow = end + 2;
	}
	row->gbps = row->lanes * (lane_rate_of(lane) ? link_speed(1, lane_rate_of(lane)) : lane);
	return !strcmp(arrow, ">");
}

/* Reads "TYPE NAME" or "PORT -> TYPE NAME PORT". */
static int read_topology(struct list_reader *r, char *line)
{
	char *rest = line, *word[5];
	int words = 0;
	while (words < 5 && (word[words] = next_word(&rest)))
		words++;
	struct plan_row row = {.gbps = 0};
	if (words >= 2 && read_arrow(word[1], &row)) {
		if (words < 5)
			return refuse(r, "the cable of port '%s' needs the system's type, its name and the port after the arrow", word[0]);
		if (!r->system)
			return refuse(r, "the cable of port '%s' comes before the first system", word[0]);
		row.end[0] = (struct plan_end){r->system, "", word[0]};
		row.end[1] = (struct plan_end){word[3], "", word[4]};
		return add(r, row);
	}
	if (words < 2 || (words > 2 && strncmp(word[2], "CFG:", 4)))
		return refuse(r,
			"'%s' is not a line of a plan: write columns with titles, such as from,from_port,to,to_port, or a topology file of ibtopodiff",
			word[0]);
	r->system = kept(r, word[1]);
	return 0;
}

/* ---- files */

/* Returns the separator of columns, of which the line has most; '\0' if it has none. */
static char separator_of(const char *line)
{
	static const char separators[] = ",;\t";
	size_t most = 0;
	char found = '\0';
	for (const char *s = separators; *s; s++) {
		size_t count = 0;
		for (const char *c = line; *c; c++)
			count += *c == *s;
		if (count > most) {
			most = count;
			found = *s;
		}
	}
	return found;
}

/* Determines the form by the first line that is no comment, or by titles in a comment. Returns 0, or -1. */
static int begin(struct list_reader *r, char *line)
{
	static const int usual[COLUMNS] = {
		[FROM] = 0, [FROM_GUID] = -1, [FROM_PORT] = 1, [TO] = 2, [TO_GUID] = -1, [TO_PORT] = 3, [SPEED] = -1, [WIDTH] = -1};
	char *cell[CELLS], *copy = strdup(line);
	if (!copy)
		return error_set(r->error, STATUS_IO, "out of memory");
	r->separator = separator_of(line);
	int cells = r->separator && !strstr(line, "CFG:") ? split(copy, r->separator, cell) : 0;
	bool titled = cells && read_titles(r, cell, cells);
	if (titled || (cells >= 4 && *line != '#'))
		r->form = LIST_COLUMNS;
	else if (*line != '#')
		r->form = LIST_TOPOLOGY;
	free(copy);
	if (titled || r->form == LIST_UNKNOWN)
		return 0;
	memcpy(r->column, usual, sizeof usual);
	return r->form == LIST_COLUMNS ? read_columns(r, line) : read_topology(r, line);
}

static int read_line(struct list_reader *r, char *line)
{
	if (!line[strspn(line, " \t")])
		return 0;
	if (r->form == LIST_UNKNOWN)
		return begin(r, line);
	if (r->form == LIST_COLUMNS)
		return read_columns(r, line);
	return *trimmed(line) == '#' ? 0 : read_topology(r, line);
}

int plan_list_read(struct plan_list *list, const char *path, struct error *error)
{
	struct list_reader r = {.list = list, .error = error};
	size_t length, rows = list->rows;
	if (!list->arena && !(list->arena = arena_create()))
		return error_set(error, STATUS_IO, "out of memory");
	if (!line_reader_open(&r.lines, path, LINE_LONGEST, error)) {
		r.name = input_name(r.lines.input);
		for (char *line; !error->status && (line = line_reader_next(&r.lines, &length, error));)
			read_line(&r, line);
	}
	if (!error->status && list->rows == rows)
		error_at(error, STATUS_FABRIC, r.name, 0, "the plan has no cables");
	line_reader_close(&r.lines);
	list->files++;
	return error->status ? -1 : 0;
}

void plan_list_clear(struct plan_list *list)
{
	if (list->arena)
		arena_destroy(list->arena);
	free(list->row);
	*list = (struct plan_list){0};
}
