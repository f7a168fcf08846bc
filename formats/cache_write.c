/* Writes caches. */
#include "base/files.h"
#include "base/memory.h"
#include "formats/cache_layout.h"

#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

/* A text that is compressed into memory as it is written. */
struct packed {
	char *data;
	size_t bytes, capacity;
	ZSTD_CStream *stream;
	struct error *error;
};

static int pack(struct packed *packed, const char *text, size_t size, ZSTD_EndDirective directive)
{
	ZSTD_inBuffer in = {text, size, 0};
	for (;;) {
		if (array_grow(&packed->data, &packed->capacity, packed->bytes + ZSTD_CStreamOutSize(), 1, packed->error))
			return -1;
		ZSTD_outBuffer out = {packed->data, packed->capacity, packed->bytes};
		size_t left = ZSTD_compressStream2(packed->stream, &out, &in, directive);
		if (ZSTD_isError(left))
			return error_set(packed->error, STATUS_IO, "out of memory for libzstd");
		packed->bytes = out.pos;
		if (directive == ZSTD_e_end ? !left : in.pos == in.size)
			return 0;
	}
}

static ssize_t pack_some(void *cookie, const char *text, size_t size)
{
	return pack(cookie, text, size, ZSTD_e_continue) ? 0 : (ssize_t)size;
}

/* Compresses the graph; data must be freed in every case. Returns 0, or -1. */
static int pack_graph(struct packed *packed, const struct fabric *fabric, const struct attributes *attributes)
{
	packed->stream = ZSTD_createCStream();
	FILE *file = fopencookie(packed, "w", (cookie_io_functions_t){.write = pack_some});
	if (file && packed->stream) {
		__fsetlocking(file, FSETLOCKING_BYCALLER); /* halves the time */
		dot_write(fabric, attributes, file, NULL, NULL);
		fflush(file);
		pack(packed, NULL, 0, ZSTD_e_end);
	} else {
		error_set(packed->error, STATUS_IO, "out of memory for libzstd");
	}
	if (file)
		fclose(file);
	ZSTD_freeCStream(packed->stream);
	return packed->error->status ? -1 : 0;
}

/* Returns names and descriptions, one after the other; to be freed. */
static char *join_names(const struct fabric *fabric, uint64_t *bytes, struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	*bytes = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		*bytes += strlen(labels->name[v]) + strlen(labels->desc[v]) + 2;
	char *names = array_create(*bytes, 1, error), *at = names;
	for (uint32_t v = 0; names && v < fabric->nodes; v++) {
		at = stpcpy(at, labels->name[v]) + 1;
		at = stpcpy(at, labels->desc[v]) + 1;
	}
	return names;
}

/* Returns the specification and the name of the routing function; to be freed. */
static char *join_computed(const struct routing_function *function, uint64_t *bytes, struct error *error)
{
	size_t spec = function ? strlen(function->spec) + 1 : 0, routing = function ? strlen(function->routing) + 1 : 0;
	char *text = array_create(spec + routing, 1, error);
	*bytes = spec + routing;
	if (text && function)
		strcpy(stpcpy(text, function->spec) + 1, function->routing);
	return text;
}

static void write_padded(FILE *file, const void *data, uint64_t bytes)
{
	static const char zeros[CACHE_BLOCK];
	fwrite(data, 1, bytes, file);
	fwrite(zeros, 1, cache_padded(bytes) - bytes, file);
}

static void write_parts(FILE *file, struct cache_header *header, const void *const part[CACHE_PARTS])
{
	struct cache_checksum sum = {0};
	uint64_t size[CACHE_PARTS];
	header->bytes = UINT64_MAX - CACHE_BLOCK;
	header->bytes = cache_part_sizes(header, size);
	cache_checksum_header(&sum, header);
	for (int p = 0; p < CACHE_PARTS; p++)
		cache_checksum_add(&sum, part[p], size[p]);
	header->checksum = cache_checksum_end(&sum);
	write_padded(file, header, sizeof *header);
	for (int p = 0; p < CACHE_PARTS; p++)
		write_padded(file, part[p], size[p]);
}

int cache_write(FILE *file, const struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes,
	const struct dot_report *report, struct error *error)
{
	struct cache_header header = {
		.byte_order = CACHE_BYTE_ORDER,
		.version = CACHE_VERSION,
		.hash = fabric->labels->hash,
		.nodes = fabric->nodes,
		.hosts = fabric->hosts,
		.channels = fabric->channels,
		.columns = forwarding->columns,
		.ambiguous = report->forwarding.ambiguous,
		.unknown = report->forwarding.unknown,
		.missing_speeds = report->missing_speeds,
		.tells = (attributes_have_lanes(attributes) || attributes_have_channels(attributes) ? CACHE_LANES : 0) |
			 (attributes_have_via(attributes) ? CACHE_VIA : 0) | (fabric->latency ? CACHE_LATENCIES : 0),
		.slowest = fabric->slowest,
	};
	memcpy(header.magic, cache_magic, sizeof cache_magic);
	snprintf(header.first_unknown, sizeof header.first_unknown, "%s", report->forwarding.first_unknown);
	snprintf(header.parser_warning, sizeof header.parser_warning, "%s", report->parser_warning);
	struct packed graph = {.error = error};
	char *names = join_names(fabric, &header.names_bytes, error);
	char *function = join_computed(forwarding->function, &header.computed_bytes, error);
	if (names && function && !pack_graph(&graph, fabric, attributes)) {
		header.graph_bytes = graph.bytes;
		write_parts(file, &header,
			(const void *const[CACHE_PARTS]){
				[CACHE_NAMES] = names,
				[CACHE_GUID] = fabric->labels->guid,
				[CACHE_NODE_GUID] = fabric->labels->node_guid,
				[CACHE_PORT] = fabric->labels->port,
				[CACHE_PEER_PORT] = fabric->labels->peer_port,
				[CACHE_FIRST_CHANNEL] = fabric->first_channel,
				[CACHE_HEAD] = fabric->head,
				[CACHE_HOST_NODE] = fabric->host_node,
				[CACHE_NODE_HOST] = fabric->node_host,
				[CACHE_SPEED] = fabric->speed,
				[CACHE_WIDTH] = fabric->labels->width,
				[CACHE_LATENCY] = fabric->latency ? fabric->latency : fabric->speed,
				[CACHE_COLUMN] = forwarding->column,
				[CACHE_FALLBACK] = forwarding->fallback,
				[CACHE_HOP] = forwarding->hop,
				[CACHE_NEXT] = forwarding->next,
				[CACHE_COMPUTED] = function,
				[CACHE_LID] = fabric->labels->lid,
				[CACHE_LMC] = fabric->labels->lmc,
				[CACHE_GRAPH] = graph.data,
			});
	}
	free(names);
	free(function);
	free(graph.data);
	return error->status ? -1 : 0;
}

bool cache_replaceable(const char *path)
{
	return files_replaceable(path, cache_magic, sizeof cache_magic, true);
}
