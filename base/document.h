/*
 * A report, built once for all formats by the same calls. Its members form a tree of objects, lists, tables and values, which is written as
 * JSON or CSV; lines of text are written in the order of the calls. Members keep their place in the tree, so an object may be added early
 * and filled late. Keys and texts are borrowed until document_end().
 */
#ifndef BASE_DOCUMENT_H
#define BASE_DOCUMENT_H

#include "base/error.h"
#include "base/values.h"

enum { ROW_CELLS = 64 };

struct column {
	const char *key;    /* in JSON, "a.b": b of the object a; NULL: omitted */
	const char *csv;    /* title in CSV, NULL: omitted */
	const char *title;  /* in text, NULL: omitted */
	int width;          /* in text: minimum width, negative: aligned left; 0: as wide as the content */
	bool left;          /* aligned left, whatever the width */
	bool optional;      /* omitted from text if it has no values */
	const char *before; /* text before the column, NULL: one space */
};

/* A row under construction, with one value per column. */
struct row {
	enum format format; /* the format that it is made for */
	struct value cell[ROW_CELLS];
	unsigned cells;
	bool left_out;    /* omitted from the format */
	bool apart;       /* text has an empty line before it, even if it is omitted */
	char print[3000]; /* text of row_print() */
	size_t printed;
};

/* Rows are made one by one by make when they are written, so there may be many. */
struct table {
	const struct column *columns; /* [count] */
	unsigned count;
	size_t rows;
	void (*make)(struct row *row, size_t index, const void *data);
	const void *data; /* borrowed until document_end() */
};

struct node;

struct document {
	enum format format;
	FILE *file;
	FILE *text;    /* the file if the format is text, otherwise nowhere */
	FILE *nowhere; /* discards what is written to it */
	void *arena;
	struct node *root;
	const struct table *csv; /* set by the user: the whole CSV; NULL: a row for each value of the root's objects */
	bool failed;             /* out of memory */
};

/* Begins a document that will be written to file. Returns 0, or -1 if out of memory. Call document_end() in either case. */
int document_begin(struct document *document, enum format format, FILE *file, struct error *error);

/* Writes the rest and frees everything. Errors of the file stay in the FILE. Returns 0, or -1 if out of memory. */
int document_end(struct document *document, struct error *error);

/* Adds the members schema, version and command, with which every report begins. Returns command, a list of arguments. */
struct node *add_head(struct document *document, const char *schema, int argc, char **argv);

/* Add a member to an object, or an element to a list, whose key only CSV uses. */
struct node *add_object(struct node *to, const char *key);
struct node *add_list(struct node *to, const char *key);
void add_value(struct node *to, const char *key, struct value value);
void add_bool(struct node *to, const char *key, bool yes);
void add_count(struct node *to, const char *key, uint64_t count);
void add_number(struct node *to, const char *key, double number);
void add_text(struct node *to, const char *key, const char *text);

/* Adds two bounds; null if they are not finite. */
void add_range(struct node *to, const char *key, double low, double high);

/* Adds a list of objects, one per row; the table is copied. */
void add_table(struct node *to, const char *key, struct table table);

/*
 * Adds a value and writes it as text: in the template, {} stands for the value, and [one|many] for one of two words, depending on whether
 * it is 1. A template is a line, or part of one.
 */
void say_value(struct node *to, const char *key, struct value value, const char *template);

/* Writes a table as text: its titles, then the rows, without trailing spaces. */
void say_table(struct document *document, struct table table);

/* Returns the document of a member. */
struct document *document_of(const struct node *node);

/* Returns zeroed memory that lives as long as the document, for the parts of tables; NULL if out of memory. */
void *document_alloc(struct document *document, size_t bytes);

/* Returns formatted text (printf) that lives as long as the document, for keys and texts. Never NULL. */
const char *document_print(struct document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Appends a cell to a row. */
void row_put(struct row *row, struct value value);
void row_count(struct row *row, uint64_t count);
void row_number(struct row *row, double number, const char *format);
void row_text(struct row *row, const char *text);
void row_print(struct row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
