/* What a cache is made of, for those who write and read it: where its parts are, and its checksum. */
#ifndef FORMATS_CACHE_LAYOUT_H
#define FORMATS_CACHE_LAYOUT_H

#include "formats/cache.h"

/* Parts begin at multiples of it. */
enum { CACHE_BLOCK = 64 };

/* No text, and spoilt by whoever takes it for one. */
extern const char cache_magic[8];

/* Bytes with the gap behind them. */
uint64_t cache_padded(uint64_t bytes);

/* The bytes of each part. Returns those of the whole file, 0 if they are more than the header says. */
uint64_t cache_part_sizes(const struct cache_header *header, uint64_t size[CACHE_PARTS]);

/* A checksum that grows part by part; starts with zeros. Gaps count for nothing. */
struct cache_checksum {
	uint64_t lane[CACHE_BLOCK / sizeof(uint64_t)];
};

void cache_checksum_header(struct cache_checksum *sum, const struct cache_header *header);
void cache_checksum_add(struct cache_checksum *sum, const void *data, size_t bytes);
uint64_t cache_checksum_end(const struct cache_checksum *sum);

#endif
