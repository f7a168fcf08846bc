/* Files of a trace, one for each rank. */
#ifndef PATTERNS_GRAPHS_TRACES_RANK_FILES_H
#define PATTERNS_GRAPHS_TRACES_RANK_FILES_H

#include <stdbool.h>

/* The largest number of ranks of such a trace. */
enum { RANK_FILES_MAX = 1 << 24 };

/* Returns whether there is a file of that path (printf). */
bool rank_file_is(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
