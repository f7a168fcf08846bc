/* Any bytes as the file of both ranks of a trace of Chakra. */
#include "rank_links.h"

static void name(char *path, size_t size, const char *folder, int rank)
{
	snprintf(path, size, "%s/t.%d.et", folder, rank);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return read_rank_files("chakra", "t", name, data, size);
}
