/* What --help prints: options by groups, in the order of their tables. For main programs: help_print() exits. */
#ifndef CLI_HELP_H
#define CLI_HELP_H

#include <argp.h>
#include <stdint.h>

/* The screen of --help without a topic. */
enum { HELP_LINES = 40, HELP_COLUMNS = 79 };

/* The bit of a group of options in struct help_topic; negative groups come last. */
#define HELP_GROUP(group) (UINT32_C(1) << ((group) < 0 ? 31 : (group)))

struct help_topic {
	const char *name;    /* of --help=NAME */
	const char *summary; /* printed before the options */
	uint32_t groups;     /* bits of HELP_GROUP() */
};

/*
 * Prints help to standard output and exits. The topic is the argument of --help:
 * - "all": usage, description and every option;
 * - the name of one of the topics, which end with a row of zeros (NULL: none): the options of its groups;
 * - NULL: the same as "all" if that fits on a screen, otherwise only the options without the flag OPTION_NO_USAGE, and if they do not fit
 *   either, one line for each.
 * Any other topic is an error that lists them. Groups are those of the main table, 0 to 30 and below 0; the options of a child are of the
 * group of the child.
 */
void help_print(const char *program, const struct argp *argp, const struct help_topic *topics, const char *topic) __attribute__((noreturn));

#endif
