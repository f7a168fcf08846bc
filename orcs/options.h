/* The command line of orcs: argp tables -> struct options. Nothing else reads argv. */
#ifndef ORCS_OPTIONS_H
#define ORCS_OPTIONS_H

#include "base/values.h"
#include "patterns/workload.h"
#include "infiniband/fabric_source.h"
#include "engines/engine.h"
#include "engines/failing_options.h"
#include "orcs/marks.h"

#include <argp.h>
#include <stdbool.h>
#include <stdint.h>

enum { THRESHOLDS_MAX = 16, UNRECORDED_MAX = 16 };

/* --fail-if: a value of the result, a comparison, a number. */
struct threshold {
	const char *text; /* as given */
	char key[80];     /* "bw", "KEY" or "METRIC.KEY" */
	char comparison[3];
	double limit;
};

/* The engines with their own options, the failures, the fabric, and the end. */
enum { OPTIONS_CHILDREN_MAX = ENGINES_MAX + 3 };

struct options {
	int argc;
	char **argv;
	struct fabric_source fabric;
	const char *output; /* "-" for standard output */
	struct pattern_request pattern;
	const char *metrics, *subset, *mapping;
	uint32_t ranks; /* 0: all */
	uint64_t runs;
	int64_t level;         /* -1: all */
	double precision;      /* 0: off */
	uint64_t route_memory; /* bytes, or ROUTE_MEMORY_DEFAULT */
	uint64_t seed;
	enum format format;
	const char *palette;
	double absolute;    /* --scale: the mean congestion that is full red; 0: relative to the largest */
	const char *plot;   /* NULL: none */
	double plot_at;     /* seconds: draw the hosts of a queue at that moment; below 0: not given */
	const char *save;   /* the cache to write; NULL: none */
	bool only_save;     /* without any runs */
	char *checkpoint;   /* the file to write; NULL: none */
	const char *resume; /* the file to read; NULL: none */
	double checkpoint_seconds;
	const char *unrecorded[UNRECORDED_MAX]; /* [unrecordeds] arguments in argv that the result does not record */
	int unrecordeds;
	struct threshold threshold[THRESHOLDS_MAX];
	int thresholds;
	bool drop, ignore_speeds, serialise_sends, raw, quiet, print_pattern, print_names, control;
	const struct engine *engine;
	struct failing_options failing;
	void *own[ENGINES_MAX];         /* [engines] their own options; NULL: it has none */
	struct engine_terms terms;      /* the engine's, with its options applied */
	double bytes, capacity, memory; /* of a message; bits/s; 0: not given */
	double latency;                 /* seconds; below 0: not given */
	const char *latency_text;
	enum workload_sync sync;
	double compute_scale;                    /* below 0: not given */
	const char *timeline, *flows, *counters; /* files; NULL: none */
	const char *rank_table, *queues;         /* --ranks FILE, --queues FILE; NULL: none */
	const char *routing;                     /* -R; NULL: the fabric's own routes */
	const char *routes;                      /* the file of source routes; NULL: none */
	int multipath;                           /* enum multipath_mode; -1: the default of the routes */
	int verbose;                             /* 1: progress; 2: every level too */
	int list;                                /* what to list, of list_names; -1: nothing */
	bool help;                               /* --help */
	const char *topic;                       /* of it; NULL: none */
};

/* Reads the command line; on --help, --version and errors it ends the program with the documented status. Checks all names that do not need
 * the fabric. */
void options_parse(struct options *options, int argc, char **argv);
void options_clear(struct options *options);

/* The second step of options_parse(): applies defaults that depend on other options, and ends the program on errors. */
void options_check(struct options *options);

/* The pattern of a command line that names none; compared by its address. */
extern const char options_usual_pattern[];

/* The same for the mapping. */
extern const char options_usual_mapping[];

/* Returns the engine's own options; NULL: it has none. */
void *options_own(const struct options *options);

/* Returns the use of the pattern. */
enum pattern_use options_use(const struct options *options);

/* Returns whether the result records argv[word]. Options of checkpoints are not recorded, as a resumed campaign has the same result. */
bool options_recorded(const struct options *options, int word);

/* For argp: the options of orcs itself; and those of the engines and of the fabric, as children that end with a row of zeros. Returns their
 * number. */
const struct argp_option *options_table(void);
int options_children(struct argp_child children[OPTIONS_CHILDREN_MAX]);

/* Checks that there is an option of that long name, without dashes. Returns 0, or -1 with a suggestion. */
int options_know(const char *name, struct error *error);

/* Adds the options that must not change before a campaign is resumed, and the content of the files that they name. Returns 0, or -1. */
int options_mark(const struct options *options, struct marks *marks, struct error *error);

#endif
