/* What the unit tests share: files in a directory of their own, small fabrics, the pairs of a pattern, and a few assertions. */
#ifndef TESTS_UNIT_HELPERS_H
#define TESTS_UNIT_HELPERS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/args.h"
#include "base/error.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "formats/dot.h"
#include "patterns/pairs.h"
#include "engines/congestion/congestion.h"

#include <stdbool.h>
#include <stdio.h>

/* A test: a function that cmocka calls. */
#define TEST(name) static void name(void **state __attribute__((unused)))

#define ARRAY_LENGTH(array) (sizeof(array) / sizeof *(array))

/* ---- files */

struct path {
	char text[300];
};

/* Set-up and tear-down of a group: a new directory, removed with all that is in it. */
int make_scratch(void **state);
int remove_scratch(void **state);

/* A name in that directory; write_bytes and write_text also make the file. */
struct path scratch_path(const char *name);
struct path write_bytes(const char *name, const void *data, size_t size);
struct path write_text(const char *name, const char *text);

/* The file's content, NUL-terminated, to be freed. */
char *read_whole(const char *path);

/* How many files the directory holds. */
unsigned scratch_files(void);

/* ---- assertions */

/* The error has this status and all the words in its text, which is one line. The error is reset. */
#define assert_error(error, status, ...) check_error(error, status, (const char *const[]){__VA_ARGS__, NULL}, __FILE__, __LINE__)
#define assert_fine(error) check_fine(error, __FILE__, __LINE__)
#define assert_within(value, expected, tolerance) check_within(value, expected, tolerance, __FILE__, __LINE__)
#define assert_contains(text, part) check_contains(text, part, __FILE__, __LINE__)

void check_error(struct error *error, enum status status, const char *const *words, const char *file, int line);
void check_fine(const struct error *error, const char *file, int line);
void check_within(double value, double expected, double tolerance, const char *file, int line);
void check_contains(const char *text, const char *part, const char *file, int line);

/* ---- specifications */

/* Writes a specification with a small value of each parameter that is required. Returns text, or NULL if one is a word or a text, which
 * cannot be guessed. */
const char *example_spec(char *text, size_t size, const char *name, const struct arg *args);

/* Returns the specification in the list that is of that name, NULL if there is none. */
const char *spec_of_name(const char *name, const char *const *specs, size_t count);

/* ---- fabrics */

/* A fabric with all that belongs to it. */
struct world {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	struct error error;
	struct path path; /* of the file */
};

/* Reads the text as a dot file with these wants. Returns what dot_load returns. world_clear() in every case. */
int world_read(struct world *world, const char *text, unsigned wants);

/* The same; the text must be fine, and tables are built. */
void world_load(struct world *world, const char *text);
void world_clear(struct world *world);

/* The k-ary n-tree with k^n hosts H0.., routed by D-mod-K: at level i (leaves: 0) a packet for d goes up by port (d div k^i) mod k. */
void world_tree(struct world *world, unsigned k, unsigned n);

/*
 * A regular topology as a graph that says how it is routed, without forwarding sets. mixed: switches before hosts, and the edges in another
 * order.
 */
void world_topology(struct world *world, const char *spec, bool mixed);

/* A small random graph as text, to be freed: every node has a few channels, each of which lists a few of the hosts. */
char *random_graph(struct random *random, uint32_t hosts, uint32_t switches);

/* The host index or the node of that name; the channel from one to another, NONE if there is none. */
uint32_t host_of(const struct world *world, const char *name);
uint32_t node_of(const struct world *world, const char *name);
uint32_t channel_of(const struct world *world, const char *from, const char *to);

/* ---- patterns */

/* The pairs of one level, in the order in which they were sent. */
struct pairs {
	struct pair *list;
	int *part;
	size_t count, capacity;
	size_t blocks; /* in which they came */
};

/* A pattern of that specification, which must be fine. */
struct pattern_call *make_pattern(const char *spec, uint32_t ranks);
/* pattern_run(), which must work. */
void draw_run(struct pattern_call *call, uint64_t run);
struct pattern_call *make_two_patterns(const char *first, const char *second, uint32_t first_ranks, uint32_t ranks);

/* All pairs of a level; block: how many the sink takes at once. pairs_sort: by sender, then receiver. */
struct pairs pairs_of_level(const struct pattern_call *call, uint64_t level, size_t block);
void pairs_sort(struct pairs *pairs);
void pairs_clear(struct pairs *pairs);

/* "0>1 1>2 | 0>2": the pairs of all levels of run 0, sorted within each level, to be freed. */
char *levels_text(struct pattern_call *call);

/* ---- the engine */

/* Never set: nothing interrupts a test. */
extern const volatile sig_atomic_t never_stop;

struct congestion *make_engine(const struct world *world, bool speed_aware, bool drop, bool sum_channels);

#endif
