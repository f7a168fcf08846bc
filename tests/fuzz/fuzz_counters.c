/* Any bytes as counters of ports: refused with one line, or ports in order, each once, that are found. */
#include "target.h"
#include "infiniband/counters.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	struct counters counters;
	if (counters_read(&counters, memory.path, &error)) {
		check_refused(&error, REFUSED_USAGE);
	} else {
		for (size_t i = 0; i < counters.ports; i++) {
			const struct port_counters *p = &counters.port[i];
			CHECK(p->port <= UINT8_MAX && p->lid <= UINT16_MAX);
			CHECK((!p->guid && !p->lid) || counters_find(&counters, p->guid, p->lid, p->port) == p);
			for (int k = 0; k < COUNTERS; k++)
				CHECK(p->bits[k] == 0 || p->bits[k] == 32 || p->bits[k] == 64);
		}
	}
	counters_clear(&counters);
	memory_file_close(&memory);
	return 0;
}
