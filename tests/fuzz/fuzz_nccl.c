/* Any bytes as a log of NCCL, or as records of its Inspector: refused in one line, or a graph that is in order. */
#include "task_graph_checks.h"

enum { TASKS_MOST = 64 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file memory = memory_file_create(data, size);
	char spec[80];
	snprintf(spec, sizeof spec, "nccl:%s", memory.path);
	check_workload(spec, 0, TASKS_MOST);
	memory_file_close(&memory);
	return 0;
}
