#include "formats/cache_layout.h"

#include "base/hash.h"

#include <assert.h>
#include <string.h>

enum { BLOCK = CACHE_BLOCK, LANES = BLOCK / sizeof(uint64_t) };

const char cache_magic[8] = "\x89orcsb\r\n";

static_assert(sizeof(struct cache_header) % BLOCK == 0, "blocks of the file and of its header are the same");

/*
 * ---- checksum: every word is added to one of eight independent lanes; each step of a lane is reversible, so any change of a single word
 * changes the sum
 */

void cache_checksum_add(struct cache_checksum *sum, const void *data, size_t bytes)
{
	const uint64_t factor = UINT64_C(0xd6e8feb86659fd93);
	const unsigned char *at = data;
	struct cache_checksum s = *sum;
	for (; bytes; at += BLOCK) {
		uint64_t word[LANES] = {0};
		size_t size = bytes < BLOCK ? bytes : BLOCK;
		if (size == BLOCK) /* with a constant size, no call is needed to copy */
			memcpy(word, at, BLOCK);
		else
			memcpy(word, at, size);
		for (int i = 0; i < LANES; i++) {
			s.lane[i] = (s.lane[i] ^ word[i]) * factor;
			s.lane[i] ^= s.lane[i] >> 29;
		}
		bytes -= size;
	}
	*sum = s;
}

uint64_t cache_checksum_end(const struct cache_checksum *sum)
{
	return hash_words(0, sum->lane, sizeof sum->lane);
}

void cache_checksum_header(struct cache_checksum *sum, const struct cache_header *header)
{
	struct cache_header copy = *header;
	copy.checksum = 0;
	cache_checksum_add(sum, &copy, sizeof copy);
}

uint64_t cache_checksum(const void *data, size_t bytes)
{
	struct cache_header header;
	struct cache_checksum sum = {0};
	memcpy(&header, data, sizeof header);
	cache_checksum_header(&sum, &header);
	cache_checksum_add(&sum, (const char *)data + sizeof header, bytes - sizeof header);
	return cache_checksum_end(&sum);
}

/* ---- layout */

uint64_t cache_padded(uint64_t bytes)
{
	return (bytes + BLOCK - 1) / BLOCK * BLOCK;
}

uint64_t cache_part_sizes(const struct cache_header *h, uint64_t size[CACHE_PARTS])
{
	uint64_t total = sizeof *h, nodes = h->nodes, channels = h->channels;
	if (h->names_bytes > h->bytes || h->computed_bytes > h->bytes || h->graph_bytes > h->bytes ||
		(h->hosts && h->columns > h->bytes / h->hosts))
		return 0;
	const uint64_t sizes[CACHE_PARTS] = {
		[CACHE_NAMES] = h->names_bytes,
		[CACHE_GUID] = nodes * sizeof(uint64_t),
		[CACHE_NODE_GUID] = nodes * sizeof(uint64_t),
		[CACHE_PORT] = channels * sizeof(uint32_t),
		[CACHE_PEER_PORT] = channels * sizeof(uint32_t),
		[CACHE_FIRST_CHANNEL] = (nodes + 1) * sizeof(uint32_t),
		[CACHE_HEAD] = channels * sizeof(uint32_t),
		[CACHE_HOST_NODE] = h->hosts * sizeof(uint32_t),
		[CACHE_NODE_HOST] = nodes * sizeof(uint32_t),
		[CACHE_SPEED] = channels * sizeof(double),
		[CACHE_WIDTH] = channels * sizeof(uint8_t),
		[CACHE_LATENCY] = h->tells & CACHE_LATENCIES ? channels * sizeof(double) : 0,
		[CACHE_COLUMN] = nodes * sizeof(uint32_t),
		[CACHE_FALLBACK] = nodes * sizeof(uint32_t),
		[CACHE_HOP] = channels * sizeof(struct hop),
		[CACHE_NEXT] = (uint64_t)h->hosts * h->columns * sizeof(uint32_t),
		[CACHE_COMPUTED] = h->computed_bytes,
		[CACHE_LID] = nodes * sizeof(uint16_t),
		[CACHE_LMC] = nodes * sizeof(uint8_t),
		[CACHE_GRAPH] = h->graph_bytes,
	};
	for (int p = 0; p < CACHE_PARTS; p++) {
		size[p] = sizes[p];
		if (cache_padded(sizes[p]) > h->bytes - total)
			return 0;
		total += cache_padded(sizes[p]);
	}
	return total;
}

bool cache_begins(const char *start, size_t length)
{
	size_t same = 0;
	for (size_t i = 0; i < length && i < sizeof cache_magic; i++)
		same += start[i] == cache_magic[i];
	return length < sizeof cache_magic ? length && same == length : same >= 5;
}
