/* Layout of a cache, for its writer and its reader: positions of its parts, and its checksum. */
#ifndef FORMATS_CACHE_LAYOUT_H
#define FORMATS_CACHE_LAYOUT_H

#include "formats/cache.h"

/* Alignment of the parts, in bytes. */
enum { CACHE_BLOCK = 64 };

/* Not text, and altered by any conversion of line ends or character sets. */
extern const char cache_magic[8];

/* Returns bytes rounded up to include the gap after them. */
uint64_t cache_padded(uint64_t bytes);

/* Computes the bytes of each part. Returns those of the whole file, 0 if they exceed the size in the header. */
uint64_t cache_part_sizes(const struct cache_header *header, uint64_t size[CACHE_PARTS]);

/* A checksum that is extended part by part; starts with zeros. Gaps do not affect it. */
struct cache_checksum {
	uint64_t lane[CACHE_BLOCK / sizeof(uint64_t)];
};

void cache_checksum_header(struct cache_checksum *sum, const struct cache_header *header);
void cache_checksum_add(struct cache_checksum *sum, const void *data, size_t bytes);
uint64_t cache_checksum_end(const struct cache_checksum *sum);

#endif
