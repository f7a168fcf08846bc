/*
 * A cache: a fabric with its tables in a binary file, as reading the graph gave it, which is mapped and used in place. The file is a
 * header, then the arrays in the order of enum cache_part, each at a multiple of 64 bytes, gaps filled with zeros, in the byte order of the
 * machine. It is not an exchange format: another version or byte order is refused.
 */
#ifndef FORMATS_CACHE_H
#define FORMATS_CACHE_H

#include "formats/dot.h"

enum { CACHE_VERSION = 7, CACHE_BYTE_ORDER = 0x01020304 };

/* A change of a part or of its content requires a new version. */
enum cache_part {
	CACHE_NAMES, /* name and description of each node, both with their NUL */
	CACHE_GUID,
	CACHE_NODE_GUID,
	CACHE_PORT,
	CACHE_PEER_PORT,
	CACHE_FIRST_CHANNEL,
	CACHE_HEAD,
	CACHE_HOST_NODE,
	CACHE_NODE_HOST,
	CACHE_SPEED,
	CACHE_WIDTH,
	CACHE_LATENCY, /* latency of each channel, if any channel has one */
	CACHE_COLUMN,
	CACHE_FALLBACK,
	CACHE_HOP,
	CACHE_NEXT,
	CACHE_COMPUTED, /* specification of the topology and name of the routing function, both with their NUL, if routes are computed */
	CACHE_LID,
	CACHE_LMC,
	CACHE_GRAPH, /* the graph as dot_write writes it, for annotated graphs, compressed by zstd */
	CACHE_PARTS,
};

enum cache_tells {
	CACHE_LANES = 1,     /* see attributes_have_lanes() and attributes_have_channels() */
	CACHE_VIA = 2,       /* see attributes_have_via() */
	CACHE_LATENCIES = 4, /* channels have latencies */
};

struct cache_header {
	char magic[8];
	uint32_t byte_order, version;
	uint64_t bytes;    /* size of the file */
	uint64_t checksum; /* see cache_checksum() */
	uint64_t hash;     /* hash of the fabric and its tables, see struct fabric_labels */
	uint32_t nodes, hosts, channels, columns;
	uint64_t names_bytes, computed_bytes, graph_bytes;
	/* struct dot_report: anomalies of the graph */
	uint64_t ambiguous, unknown;
	uint32_t missing_speeds;
	uint32_t tells; /* enum cache_tells: bits, properties of the graph */
	char first_unknown[100];
	char parser_warning[1000];
	char reserved[4]; /* zero */
	double slowest;   /* see struct fabric */
};

/*
 * Returns the checksum for the header of these bytes, which are at least a header. It differs if any single byte differs. Time O(bytes),
 * about that of reading the memory.
 */
uint64_t cache_checksum(const void *data, size_t bytes);

/* Returns whether the text begins like a cache, even if its first bytes are damaged or it is truncated. */
bool cache_begins(const char *start, size_t length);

/* Writes the result of dot_load with DOT_KEEP and DOT_TABLES. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. */
int cache_write(FILE *file, const struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes,
	const struct dot_report *report, struct error *error);

/* Returns whether a cache may be written to the file: it does not replace a regular file of another kind. */
bool cache_replaceable(const char *path);

/*
 * Loads like dot_load(), from a graph or a cache, recognised by its content, or from the specification of a topology if no such file
 * exists. The tables of a cache are used in place, so the file must not be changed in place meanwhile (replacing it is safe); those of a
 * pipe or a compressed file are read into memory. All bytes are verified by the checksum, all ids by their range. With DOT_KEEP the graph
 * is read too, which takes the time that cgraph takes. STATUS_FABRIC: also a cache that is truncated, altered, or of another version or
 * byte order.
 */
int fabric_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct attributes **attributes,
	struct dot_report *report, struct error *error);

#endif
