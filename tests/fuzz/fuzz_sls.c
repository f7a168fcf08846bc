/* The forms sls and torus, see dump_bytes.h. */
#include "dump_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	read_dump(data, size);
	return 0;
}
