#include "base/hash.h"

#include <string.h>

#define FACTOR UINT64_C(0xd6e8feb86659fd93)

static inline uint64_t mix(uint64_t hash, uint64_t word)
{
	hash = (hash ^ word) * FACTOR;
	return hash ^ hash >> 29;
}

uint64_t hash_words(uint64_t hash, const void *data, size_t bytes)
{
	const unsigned char *byte = data;
	uint64_t word;
	hash ^= bytes * FACTOR;
	for (; bytes; byte += sizeof word) {
		size_t size = bytes < sizeof word ? bytes : sizeof word;
		word = 0;
		memcpy(&word, byte, size);
		hash = mix(hash, word);
		bytes -= size;
	}
	return hash * FACTOR;
}

void hash_begin(struct hash_stream *stream, uint64_t hash, size_t count)
{
	*stream = (struct hash_stream){.hash = hash ^ count * sizeof(uint32_t) * FACTOR};
}

static uint64_t word_of(const struct hash_stream *stream)
{
	uint64_t word;
	memcpy(&word, stream->pair, sizeof word);
	return word;
}

void hash_add(struct hash_stream *stream, uint32_t element)
{
	stream->pair[stream->half] = element;
	stream->half = !stream->half;
	if (!stream->half) {
		stream->hash = mix(stream->hash, word_of(stream));
		stream->pair[1] = 0;
	}
}

uint64_t hash_end(const struct hash_stream *stream)
{
	return (stream->half ? mix(stream->hash, word_of(stream)) : stream->hash) * FACTOR;
}
