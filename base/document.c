#include "base/document.h"

#include "base/arena.h"
#include "base/shown.h"
#include "base/version.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum node_type { NODE_VALUE, NODE_OBJECT, NODE_LIST, NODE_RANGE, NODE_TABLE };

struct node {
	enum node_type type;
	const char *key;
	struct document *document;
	union {
		struct value value;
		struct table *table;
		struct {
			struct node *first, *last; /* members */
		};
	};
	struct node *next;
};

/* ---- building */

/* Text needs no tree: then all members are the root. */
static struct node *add(struct node *to, const char *key, enum node_type type)
{
	struct document *d = to->document;
	if (d->format == FORMAT_TEXT || d->failed)
		return d->root;
	struct node *node = document_alloc(d, sizeof *node);
	if (!node)
		return d->root;
	*node = (struct node){.type = type, .key = key, .document = d};
	if (to->last)
		to->last->next = node;
	else
		to->first = node;
	return to->last = node;
}

struct node *add_object(struct node *to, const char *key)
{
	return add(to, key, NODE_OBJECT);
}

struct node *add_list(struct node *to, const char *key)
{
	return add(to, key, NODE_LIST);
}

void add_value(struct node *to, const char *key, struct value value)
{
	struct node *node = add(to, key, NODE_VALUE);
	if (node->type == NODE_VALUE)
		node->value = value;
}

void add_bool(struct node *to, const char *key, bool yes)
{
	add_value(to, key, value_of_bool(yes));
}

void add_count(struct node *to, const char *key, uint64_t count)
{
	add_value(to, key, value_of_count(count));
}

void add_number(struct node *to, const char *key, double number)
{
	add_value(to, key, value_of_number(number, NULL));
}

void add_text(struct node *to, const char *key, const char *text)
{
	add_value(to, key, value_of_text(text));
}

void add_range(struct node *to, const char *key, double low, double high)
{
	struct node *range = add(to, key, NODE_RANGE);
	add_number(range, "low", low);
	add_number(range, "high", high);
}

void add_table(struct node *to, const char *key, struct table table)
{
	struct node *node = add(to, key, NODE_TABLE);
	struct table *copy = node->type == NODE_TABLE ? document_alloc(to->document, sizeof *copy) : NULL;
	if (copy)
		*(node->table = copy) = table;
}

struct node *add_head(struct document *document, const char *schema, int argc, char **argv)
{
	add_text(document->root, "schema", schema);
	add_text(document->root, "version", ORCS_VERSION);
	struct node *command = add_list(document->root, "command");
	for (int i = 0; i < argc; i++)
		add_text(command, NULL, argv[i]);
	return command;
}

struct document *document_of(const struct node *node)
{
	return node->document;
}

void *document_alloc(struct document *document, size_t bytes)
{
	void *memory = arena_alloc(document->arena, bytes);
	document->failed |= !memory;
	return memory;
}

const char *document_print(struct document *document, const char *format, ...)
{
	va_list arguments, again;
	va_start(arguments, format);
	va_copy(again, arguments);
	int length = vsnprintf(NULL, 0, format, arguments);
	char *text = length < 0 ? NULL : document_alloc(document, (size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, again);
	va_end(again);
	va_end(arguments);
	return text ? text : "";
}

void row_put(struct row *row, struct value value)
{
	if (row->cells < ROW_CELLS)
		row->cell[row->cells++] = value;
}

void row_count(struct row *row, uint64_t count)
{
	row_put(row, value_of_count(count));
}

void row_number(struct row *row, double number, const char *format)
{
	row_put(row, value_of_number(number, format));
}

void row_text(struct row *row, const char *text)
{
	row_put(row, value_of_text(text));
}

void row_print(struct row *row, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	char *text = row->print + row->printed;
	int length = vsnprintf(text, sizeof row->print - row->printed, format, arguments);
	va_end(arguments);
	row->printed += length > 0 ? (size_t)length + 1 : 1;
	if (row->printed >= sizeof row->print)
		row->printed = sizeof row->print - 1;
	row_put(row, value_verbatim(text));
}

/* Makes a row. Returns whether the format includes it. */
static bool make_row(const struct table *table, enum format format, size_t index, struct row *row)
{
	row->format = format;
	row->cells = 0;
	row->printed = 0;
	row->left_out = row->apart = false;
	table->make(row, index, table->data);
	return !row->left_out;
}

/* ---- text */

void say_value(struct node *to, const char *key, struct value value, const char *template)
{
	FILE *text = to->document->text;
	char shown[SHOWN_SIZE];
	bool one = value.type == VALUE_COUNT && value.count == 1;
	for (const char *at = template; *at; at++) {
		const char *middle = *at == '[' ? strchr(at, '|') : NULL, *end = middle ? strchr(middle, ']') : NULL;
		if (!strncmp(at, "{}", 2)) {
			fputs(value_show(value, shown, sizeof shown), text);
			at++;
		} else if (end) {
			const char *from = one ? at + 1 : middle + 1;
			fwrite(from, 1, (size_t)((one ? middle : end) - from), text);
			at = end;
		} else {
			putc(*at, text);
		}
	}
	add_value(to, key, value);
}

/* Finds the widths of the columns in text; 0: omitted. */
static void find_widths(const struct table *table, struct row *row, size_t *width)
{
	char shown[SHOWN_SIZE];
	bool any[ROW_CELLS] = {false}, look = false;
	for (unsigned c = 0; c < table->count; c++) {
		const struct column *column = &table->columns[c];
		width[c] = !column->title ? 0 : column->width ? (size_t)abs(column->width) : strlen(column->title);
		look |= column->title && (!column->width || column->optional);
	}
	for (size_t r = 0; look && r < table->rows; r++)
		if (make_row(table, FORMAT_TEXT, r, row))
			for (unsigned c = 0; c < table->count; c++) {
				size_t length = table->columns[c].width ? 0 : strlen(value_show(row->cell[c], shown, sizeof shown));
				any[c] |= row->cell[c].type != VALUE_NULL;
				if (width[c] && length > width[c])
					width[c] = length;
			}
	for (unsigned c = 0; c < table->count; c++)
		if (table->columns[c].optional && !any[c])
			width[c] = 0;
}

/* Writes one line of text; the titles if row is NULL. Spaces are written only before more text. */
static void say_row(FILE *text, const struct table *table, const struct row *row, const size_t *width)
{
	char shown[SHOWN_SIZE];
	size_t blanks = 0;
	bool first = true;
	for (unsigned c = 0; c < table->count; c++) {
		const struct column *column = &table->columns[c];
		if (!width[c])
			continue;
		const char *cell = row ? value_show(row->cell[c], shown, sizeof shown) : column->title;
		const char *before = first ? "" : column->before ? column->before : " ";
		size_t length = strlen(cell), pad = length < width[c] ? width[c] - length : 0, lead = strspn(before, " ");
		bool left = column->left || column->width < 0;
		first = false;
		blanks += lead;
		if (before[lead]) {
			fprintf(text, "%*s%s", (int)blanks, "", before + lead);
			blanks = 0;
		}
		if (!length) {
			blanks += pad;
			continue;
		}
		fprintf(text, "%*s%s", (int)(blanks + (left ? 0 : pad)), "", cell);
		blanks = left ? pad : 0;
	}
	putc('\n', text);
}

void say_table(struct document *document, struct table table)
{
	size_t width[ROW_CELLS];
	struct row row = {0};
	if (document->format != FORMAT_TEXT)
		return;
	find_widths(&table, &row, width);
	say_row(document->text, &table, NULL, width);
	for (size_t r = 0; r < table.rows; r++) {
		bool made = make_row(&table, FORMAT_TEXT, r, &row);
		if (row.apart)
			putc('\n', document->text);
		if (made)
			say_row(document->text, &table, &row, width);
	}
}

/* ---- JSON */

/* Returns the length of the key up to and including its point, 0 without a point. */
static size_t key_prefix(const char *key)
{
	const char *point = key ? strchr(key, '.') : NULL;
	return point ? (size_t)(point - key) + 1 : 0;
}

/* Writes a row as JSON. A column a.b is member b of an object a, which ends before the first column of another object. */
static void json_row(FILE *file, const struct table *table, const struct row *row)
{
	const char *between = "{", *object = NULL;
	size_t length = 0;
	for (unsigned c = 0; c < table->count; c++) {
		const char *key = table->columns[c].key;
		if (!key)
			continue;
		if (length && strncmp(key, object, length)) {
			putc('}', file);
			length = 0;
		}
		if (!length && (length = key_prefix(key))) {
			object = key;
			fprintf(file, "%s\"%.*s\":", between, (int)length - 1, key);
			between = "{";
		}
		fprintf(file, "%s\"%s\":", between, key + length);
		json_value(file, row->cell[c]);
		between = ",";
	}
	fputs(length ? "}}" : "}", file);
}

static void json_table(FILE *file, const struct table *table)
{
	struct row row = {0};
	const char *between = "";
	putc('[', file);
	for (size_t r = 0; r < table->rows; r++)
		if (make_row(table, FORMAT_JSON, r, &row)) {
			fputs(between, file);
			json_row(file, table, &row);
			between = ",";
		}
	putc(']', file);
}

static void json_node(FILE *file, const struct node *node)
{
	bool object = node->type == NODE_OBJECT;
	if (node->type == NODE_TABLE) {
		json_table(file, node->table);
	} else if (node->type == NODE_VALUE) {
		json_value(file, node->value);
	} else if (node->type == NODE_RANGE && node->first && node->first->value.type == VALUE_NULL) {
		fputs("null", file);
	} else {
		putc(object ? '{' : '[', file);
		for (const struct node *member = node->first; member; member = member->next) {
			if (object) {
				json_text(file, member->key);
				putc(':', file);
			}
			json_node(file, member);
			if (member->next)
				putc(',', file);
		}
		putc(object ? '}' : ']', file);
	}
}

/* ---- CSV */

static void csv_table(FILE *file, const struct table *table)
{
	struct row row = {0};
	for (size_t r = 0; r <= table->rows; r++) {
		const char *between = "";
		if (r && !make_row(table, FORMAT_CSV, r - 1, &row))
			continue;
		for (unsigned c = 0; c < table->count; c++) {
			if (!table->columns[c].csv)
				continue;
			fputs(between, file);
			csv_value(file, r ? row.cell[c] : value_verbatim(table->columns[c].csv));
			between = ",";
		}
		putc('\n', file);
	}
}

/* Writes the value of an object's member; key NULL: of the object itself. */
static void csv_line(FILE *file, const struct node *object, const char *item, const char *key, struct value value)
{
	fprintf(file, "%s,%s,%s,", object->key, item, key ? key : "");
	csv_value(file, value);
	putc('\n', file);
}

/*
 * Writes the lines of a table, which name the column and the row by its number; columns with a CSV title by that title, others after the
 * table.
 */
static void csv_cells(FILE *file, const struct node *object, const struct node *node)
{
	const struct table *table = node->table;
	struct row row = {0};
	char item[200], key[24];
	for (size_t r = 0; r < table->rows; r++)
		if (make_row(table, FORMAT_CSV, r, &row))
			for (unsigned c = 0; c < table->count; c++) {
				const struct column *column = &table->columns[c];
				if (column->csv && !*column->csv)
					continue;
				snprintf(item, sizeof item, column->csv ? "%s" : "%s.%s", column->csv ? column->csv : node->key,
					column->key);
				snprintf(key, sizeof key, "%zu", r);
				csv_line(file, object, item, key, row.cell[c]);
			}
}

/* Writes a line for each value of the object: its own, those of members by their keys, those of elements by their keys or numbers. */
static void csv_object(FILE *file, const struct node *object)
{
	char number[24];
	for (const struct node *item = object->first; item; item = item->next) {
		size_t index = 0;
		if (item->type == NODE_VALUE)
			csv_line(file, object, item->key, NULL, item->value);
		if (item->type == NODE_TABLE)
			csv_cells(file, object, item);
		bool members = item->type == NODE_OBJECT || item->type == NODE_LIST || item->type == NODE_RANGE;
		for (const struct node *member = members ? item->first : NULL; member; member = member->next) {
			snprintf(number, sizeof number, "%zu", index++);
			csv_line(file, object, item->key, member->key ? member->key : number, member->value);
		}
	}
}

/* ---- the document */

static ssize_t discard(void *cookie, const char *text, size_t size)
{
	(void)cookie;
	(void)text;
	return (ssize_t)size;
}

int document_begin(struct document *document, enum format format, FILE *file, struct error *error)
{
	*document = (struct document){.format = format, .file = file, .arena = arena_create()};
	if (document->arena)
		document->root = arena_alloc(document->arena, sizeof *document->root);
	document->nowhere = fopencookie(NULL, "w", (cookie_io_functions_t){.write = discard});
	document->text = format == FORMAT_TEXT ? file : document->nowhere;
	if (!document->root || !document->nowhere)
		return error_set(error, STATUS_IO, "out of memory for the result");
	*document->root = (struct node){.type = NODE_OBJECT, .document = document};
	return 0;
}

int document_end(struct document *document, struct error *error)
{
	bool failed = document->failed || !document->root;
	if (!failed && !error->status && document->format == FORMAT_JSON) {
		json_node(document->file, document->root);
		putc('\n', document->file);
	} else if (!failed && !error->status && document->format == FORMAT_CSV) {
		if (document->csv)
			csv_table(document->file, document->csv);
		for (const struct node *object = document->root->first; object && !document->csv; object = object->next)
			csv_object(document->file, object);
	}
	if (document->nowhere)
		fclose(document->nowhere);
	if (document->arena)
		arena_destroy(document->arena);
	*document = (struct document){0};
	return failed ? error_set(error, STATUS_IO, "out of memory for the result") : error->status ? -1 : 0;
}
