/*
 * Conventions of all command lines: help, version, and one-line errors with STATUS_USAGE. For main programs: these functions exit. Within
 * usage_guard() they do not: what would end a program ends the guarded function with an error instead.
 */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include "base/error.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

/* The original output streams of a silenced process. */
struct hush {
	int out, err; /* -1: not silenced */
};

/* Returns the rank of this process that the launcher (mpirun) sets in the environment, before MPI starts; 0 without a launcher. */
int launcher_rank(void);

/* Silences all processes but process 0 until usage_speak(): all read the command line, one reports errors. */
struct hush usage_hush(void);
void usage_speak(const struct hush *hush);

/*
 * Calls a function that reads a command line, for a caller that must not end. An error sets the error, without the name of the program; the
 * options are words "--name", "--name=value" or arguments, with whole and long names, and no help is printed. Returns 0, or -1.
 */
int usage_guard(void (*read)(void *data), void *data, struct error *error);

/* Writes "PROGRAM: text; see 'PROGRAM --help'" and exits with STATUS_USAGE. */
void usage_error(const char *program, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Returns the index of text in the names, which end with NULL. Exits with an error for any other text. */
int usage_choice(const char *program, const char *option, const char *text, const char *const *names);

/* Returns an integer in min..max. Exits with an error for any other text. */
int64_t usage_integer(const char *program, const char *option, const char *text, int64_t min, int64_t max);

/* Returns a finite number > 0. Exits with an error for any other text. */
double usage_positive(const char *program, const char *option, const char *text);

/* Returns a number of bytes, least or more, such as 4096, 500M or 1.5G (powers of 1000). Exits with an error for any other text. */
uint64_t usage_size(const char *program, const char *option, const char *text, uint64_t least);

/* Returns a rate in bits/s, from 1e-30 to 1e30, such as 10e9, 10G or 400G. Exits with an error for any other text. */
double usage_rate(const char *program, const char *option, const char *text);

/*
 * Returns seconds, 0 or at least a picosecond, such as 1e-6, 1us or 300ns; a number without a unit is multiplied by plain. Exits with an
 * error for any other text.
 */
double usage_seconds(const char *program, const char *option, const char *text, double plain);

/*
 * Parses the command line by argp; exits with an error for what argp cannot parse, with a suggestion for misspelt options. argv[0] becomes
 * the program's name.
 */
void usage_parse(const char *program, const struct argp *argp, int argc, char **argv, void *options);

/* Returns the long name, without dashes, of the option with that key; NULL: the table has none. */
const char *usage_option_name(const struct argp_option *table, int key);

/* Before help is printed: a guarded function ends with an error. */
void usage_prints(void);

/* Prints the usage in a few lines or, without a state, the version, and exits. */
void usage_print(const char *program, const struct argp_state *state) __attribute__((noreturn));

/* If there is an error, writes "PROGRAM: text" and exits with its status. */
void usage_fail(const char *program, const struct error *error);

/* Flushes standard output and checks that it was written. Returns the exit status. */
int usage_end(const char *program);

#endif
