/*
 * A report, built once for all formats by the same calls. Its members form a tree of objects, lists, tables and values that becomes JSON,
 * or CSV; lines of text, which people read, are written in the order of the calls. Members keep their place in the tree, so that an
 * object may be added early and filled late. Keys and texts are borrowed until document_end().
 */
#ifndef BASE_DOCUMENT_H
#define BASE_DOCUMENT_H

#include "base/error.h"
#include "base/values.h"

enum { ROW_CELLS = 64 };

struct column {
	const char *key;    /* in JSON, "a.b": b of the object a; NULL: not there */
	const char *csv;    /* title in CSV, NULL: not there */
	const char *title;  /* in text, NULL: not there */
	int width;          /* in text: at least so wide, negative: aligned left; 0: as wide as what is in it */
	bool left;          /* aligned left, whatever the width */
	bool optional;      /* left out of text where it has no values */
	const char *before; /* in text, between it and the column before; NULL: one space */
};

/* One row while it is made, a value of each column. */
struct row {
	enum format format; /* that it is made for */
	struct value cell[ROW_CELLS];
	unsigned cells;
	bool left_out;    /* of the format */
	bool apart;       /* in text an empty line stands before it, even if it is left out */
	char print[3000]; /* what row_print() made */
	size_t printed;
};

/* Rows are made when they are written, by make, so that there may be many. */
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
	FILE *text;    /* the file if text is wanted, otherwise nowhere */
	FILE *nowhere; /* nothing comes of what is written there */
	void *arena;
	struct node *root;
	const struct table *csv; /* set by the user: all of the CSV; NULL: it has a row for each value of the root's objects */
	bool failed;             /* out of memory */
};

/* Begins a document that will be written to file. Returns 0, or -1 when out of memory. document_end() in every case. */
int document_begin(struct document *document, enum format format, FILE *file, struct error *error);

/* Writes what is not yet written and frees all. Errors of the file stay in the FILE. Returns 0, or -1 when out of memory. */
int document_end(struct document *document, struct error *error);

/* The members schema, version and command that every report begins with. Returns command, a list of arguments. */
struct node *add_head(struct document *document, const char *schema, int argc, char **argv);

/* Each adds a member to an object, or an element to a list, where only CSV uses the key. */
struct node *add_object(struct node *to, const char *key);
struct node *add_list(struct node *to, const char *key);
void add_value(struct node *to, const char *key, struct value value);
void add_bool(struct node *to, const char *key, bool yes);
void add_count(struct node *to, const char *key, uint64_t count);
void add_number(struct node *to, const char *key, double number);
void add_text(struct node *to, const char *key, const char *text);

/* Two bounds; null if they are not finite. */
void add_range(struct node *to, const char *key, double low, double high);

/* A list of objects, one for each row; the table is copied. */
void add_table(struct node *to, const char *key, struct table table);

/*
 * Adds a value and writes it as text: in the template {} stands for it, and [one|many] for one of two words by whether it is 1. A template
 * of its own is a line, or a part of one.
 */
void say_value(struct node *to, const char *key, struct value value, const char *template);

/* Writes a table as text: its titles, then the rows, without blanks at the ends of lines. */
void say_table(struct document *document, struct table table);

/* The document of a member. */
struct document *document_of(const struct node *node);

/* Zeroed memory that lives as long as the document, for what tables are made of; NULL when out of it. */
void *document_alloc(struct document *document, size_t bytes);

/* Text (printf) that lives as long as the document: for keys and texts that are made. Never NULL. */
const char *document_print(struct document *document, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Of a row: its next cell. */
void row_put(struct row *row, struct value value);
void row_count(struct row *row, uint64_t count);
void row_number(struct row *row, double number, const char *format);
void row_text(struct row *row, const char *text);
void row_print(struct row *row, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
