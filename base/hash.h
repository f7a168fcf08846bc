/* Hashes of arrays. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Returns 64 bits that differ, except by chance, if the data differs. To hash several arrays, pass the hash of one to the next. */
uint64_t hash_words(uint64_t hash, const void *data, size_t bytes);

/* The hash of an array that is not stored: hash_begin(), hash_add() for each of its `count` elements, hash_end(). */
struct hash_stream {
	uint64_t hash;
	uint32_t pair[2];
	bool half; /* pair[0] is filled */
};

void hash_begin(struct hash_stream *stream, uint64_t hash, size_t count);
void hash_add(struct hash_stream *stream, uint32_t element);

/* Returns what hash_words() would return. */
uint64_t hash_end(const struct hash_stream *stream);

#endif
