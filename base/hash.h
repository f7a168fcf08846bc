/* Hashes of arrays. */
#ifndef BASE_HASH_H
#define BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Returns 64 bits that differ, except by chance, if the data differs. To hash several arrays, pass the hash of one to the next. */
uint64_t hash_words(uint64_t hash, const void *data, size_t bytes);

#endif
