/* What every command line has in common: help, version, and errors in one line with the status of wrong use. For main programs: it exits.
 */
#ifndef CLI_USAGE_H
#define CLI_USAGE_H

#include "base/error.h"

#include <argp.h>
#include <stdint.h>

/* What a silenced process would have written to. */
struct hush {
	int out, err; /* -1: not silenced */
};

/* The number of this process as its launcher (mpirun) tells it, before MPI starts; 0 without a launcher. */
int launcher_rank(void);

/* Every process reads the command line; one is enough to talk about it: all but the first are silent from here to usage_speak. */
struct hush usage_hush(void);
void usage_speak(const struct hush *hush);

/* Writes "PROGRAM: text; see 'PROGRAM --help'" and exits with STATUS_USAGE. */
void usage_error(const char *program, const char *format, ...) __attribute__((noreturn, format(printf, 2, 3)));

/* Index of text in the names, which end with NULL; anything else is an error. */
int usage_choice(const char *program, const char *option, const char *text, const char *const *names);

/* A whole number in min..max; anything else is an error. */
int64_t usage_integer(const char *program, const char *option, const char *text, int64_t min, int64_t max);

/* A finite number > 0; anything else is an error. */
double usage_positive(const char *program, const char *option, const char *text);

/* A number of bytes, least or more, as 4096, 500M or 1.5G (of 1000); anything else is an error. */
uint64_t usage_size(const char *program, const char *option, const char *text, uint64_t least);

/* A number of bits/s > 0, as 10e9, 10G or 400G; anything else is an error. */
double usage_rate(const char *program, const char *option, const char *text);

/* Seconds, 0 or at least a picosecond, as 1e-6, 1us or 300ns, a number without a unit times plain; anything else is an error. */
double usage_seconds(const char *program, const char *option, const char *text, double plain);

/* Reads the command line by argp; what argp cannot read is an error, with advice on misspelt options. argv[0] becomes the program's name.
 */
void usage_parse(const char *program, const struct argp *argp, int argc, char **argv, void *options);

/* For the options --help (what: ARGP_HELP_*) and, without a state, --version: prints and exits. */
void usage_print(const char *program, const struct argp_state *state, unsigned what) __attribute__((noreturn));

/* Where there is an error, writes "PROGRAM: text" and exits with its status. */
void usage_fail(const char *program, const struct error *error);

/* Sees that all that was printed to standard output has arrived. Returns the exit status. */
int usage_end(const char *program);

#endif
