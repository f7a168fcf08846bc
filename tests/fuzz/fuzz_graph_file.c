/* Any bytes as a list of cables (graph:FILE): refused in one line, or a topology that is in order. */
#include "topology_checks.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct memory_file memory = memory_file_create(data, size);
	char spec[60];
	struct error error = {0};
	snprintf(spec, sizeof spec, "graph:%s", memory.path);
	struct topology *topology = topology_create(spec, &error);
	if (topology) {
		check_topology(topology);
		check_written(&(struct writing){.spec = "fuzz"}, topology);
	} else {
		check_refused(&error, REFUSED_USAGE);
	}
	topology_free(topology);
	memory_file_close(&memory);
	return 0;
}
