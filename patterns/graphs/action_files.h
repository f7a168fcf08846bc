/* The files of a time-independent trace: one, a list of them, or all of a directory. */
#ifndef PATTERNS_GRAPHS_ACTION_FILES_H
#define PATTERNS_GRAPHS_ACTION_FILES_H

#include "base/error.h"

#include <stddef.h>

struct action_files {
	char **list;
	size_t count, capacity;
};

/* Fills an empty list. Returns 0, or -1; call action_files_clear() in either case. */
int action_files_list(struct action_files *files, const char *path, struct error *error);
void action_files_clear(struct action_files *files);

#endif
