/*
 * A fabric with its tables in a binary file, which is mapped and used as it stands: a cache of what reading the graph gave. The file is a
 * header, then the arrays in the order of enum cache_part, each at a multiple of 64 bytes, the gaps zero, in the byte order of the machine.
 * It is no format for exchange: another version or byte order is refused.
 */
#ifndef FORMATS_CACHE_H
#define FORMATS_CACHE_H

#include "formats/dot.h"

enum { CACHE_VERSION = 5, CACHE_BYTE_ORDER = 0x01020304 };

/* Whatever changes a part, or what is in it, changes the version. */
enum cache_part {
	CACHE_NAMES, /* of each node its name and its description, both with their NUL */
	CACHE_GUID,
	CACHE_PORT,
	CACHE_PEER_PORT,
	CACHE_FIRST_CHANNEL,
	CACHE_HEAD,
	CACHE_HOST_NODE,
	CACHE_NODE_HOST,
	CACHE_SPEED,
	CACHE_LATENCY, /* of each channel, where any has one */
	CACHE_COLUMN,
	CACHE_FALLBACK,
	CACHE_HOP,
	CACHE_NEXT,
	CACHE_COMPUTED, /* the topology and the routing function, both with their NUL, where routes are computed */
	CACHE_LID,
	CACHE_GRAPH, /* the graph as dot_write writes it, for coloured ones, compressed by zstd */
	CACHE_PARTS,
};

enum cache_tells {
	CACHE_LANES = 1,     /* see attributes_have_lanes() */
	CACHE_VIA = 2,       /* see attributes_have_via() */
	CACHE_LATENCIES = 4, /* of its channels */
};

struct cache_header {
	char magic[8];
	uint32_t byte_order, version;
	uint64_t bytes;    /* of the file */
	uint64_t checksum; /* see cache_checksum() */
	uint64_t hash;     /* of the fabric and its tables, see struct fabric_labels */
	uint32_t nodes, hosts, channels, columns;
	uint64_t names_bytes, computed_bytes, graph_bytes;
	/* struct dot_report: what was odd about the graph */
	uint64_t ambiguous, unknown;
	uint32_t missing_speeds;
	uint32_t tells; /* what the graph tells of, enum cache_tells */
	char first_unknown[100];
	char parser_warning[1000];
	char reserved[4]; /* zero */
	double slowest;   /* see struct fabric */
};

/* The checksum that belongs into the header of these bytes, which are as many as a header or more. It differs if any one byte does.
 * Time O(bytes), about that of reading the memory. */
uint64_t cache_checksum(const void *data, size_t bytes);

/* Whether a cache begins so, be its first bytes spoilt or cut off. */
bool cache_begins(const char *start, size_t length);

/* Writes what dot_load gave, DOT_KEEP and DOT_TABLES wanted. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int cache_write(FILE *file, const struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes,
	const struct dot_report *report, struct error *error);

/*
 * dot_load() for a graph or a cache, recognised by its content, or for the specification of a topology where there is no such file. Of a
 * cache the tables are used where they stand in the file, which must not be changed in place meanwhile (replacing it is fine); of a pipe or
 * a compressed file they are read into memory. All bytes are verified by the checksum, all ids by their range. With DOT_KEEP the graph is
 * read too, which takes the time that it takes cgraph. STATUS_FABRIC: also a cache that is truncated, altered, or of another version or
 * byte order.
 */
int fabric_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct attributes **attributes,
	struct dot_report *report, struct error *error);

#endif
