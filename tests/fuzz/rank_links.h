/* A directory whose files all lead to one input, for readers of a file for each rank. */
#ifndef TESTS_FUZZ_RANK_LINKS_H
#define TESTS_FUZZ_RANK_LINKS_H

#include "task_graph_checks.h"

enum { LINKED_RANKS = 2 };

/* Writes the path of a rank's file: what the format makes of the directory and the rank. */
typedef void name_file(char *path, size_t size, const char *folder, int rank);

/* Reads the workload "KIND:FOLDER/END" of the input as the file of each rank: refused in one line, or a graph that is in order. */
static inline int read_rank_files(const char *kind, const char *end, name_file *name, const uint8_t *data, size_t size)
{
	char folder[] = "/tmp/orcs-fuzz-XXXXXX", path[100], spec[160];
	struct memory_file memory = memory_file_create(data, size);
	CHECK(mkdtemp(folder));
	for (int rank = 0; rank < LINKED_RANKS; rank++) {
		name(path, sizeof path, folder, rank);
		CHECK(!symlink(memory.path, path));
	}
	snprintf(spec, sizeof spec, "%s:%s/%s", kind, folder, end);
	check_workload(spec, LINKED_RANKS, LINKED_RANKS);
	for (int rank = 0; rank < LINKED_RANKS; rank++) {
		name(path, sizeof path, folder, rank);
		unlink(path);
	}
	rmdir(folder);
	memory_file_close(&memory);
	return 0;
}

#endif
