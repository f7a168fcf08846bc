/* Any bytes as the file of both ranks of a trace of liballprof. */
#include "rank_links.h"

static void name(char *path, size_t size, const char *folder, int rank)
{
	snprintf(path, size, "%s/t%d.txt", folder, rank);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return read_rank_files("liballprof", "t", name, data, size);
}
