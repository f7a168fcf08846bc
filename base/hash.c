#include "base/hash.h"

#include <string.h>

uint64_t hash_words(uint64_t hash, const void *data, size_t bytes)
{
	const uint64_t factor = UINT64_C(0xd6e8feb86659fd93);
	const unsigned char *byte = data;
	uint64_t word;
	hash ^= bytes * factor;
	for (; bytes; byte += sizeof word) {
		size_t size = bytes < sizeof word ? bytes : sizeof word;
		word = 0;
		memcpy(&word, byte, size);
		hash = (hash ^ word) * factor;
		hash ^= hash >> 29;
		bytes -= size;
	}
	return hash * factor;
}
