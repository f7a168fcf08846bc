/* Any bytes as counters of ports: refused with one line, or values of ports. */
#include "dump_bytes.h"
#include "infiniband/counters.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	struct counters counters;
	if (counters_read(&counters, memory.path, &error))
		CHECK((error.status == STATUS_USAGE || error.status == STATUS_IO) && *error.text && !strchr(error.text, '\n'));
	else
		CHECK(counters.ports && counters.form);
	for (size_t p = 0; p < counters.ports; p++)
		for (int i = 0; i < COUNTERS; i++)
			CHECK(counters.port[p].has[i] || (!counters.port[p].value[i] && !counters.port[p].full[i]));
	counters_clear(&counters);
	memory_file_close(&memory);
	return 0;
}
