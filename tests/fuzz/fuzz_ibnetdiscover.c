/* The form ibnetdiscover with ibsim's additions, see dump_bytes.h; but no bytes may name files to include, which are not ours to read. */
#include "dump_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (!memmem(data, size, "include", strlen("include")))
		read_dump(data, size);
	return 0;
}
