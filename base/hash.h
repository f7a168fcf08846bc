/* A hash of anything. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* 64 bits that differ, but for chance, where words differ; feed one array after the other. */
uint64_t hash_words(uint64_t hash, const void *data, size_t bytes);

#endif
