/* Opening copies no tables: it reads every byte once, for the checksum, and every entry once, for its range. */
#include "formats/cache.h"
#include "formats/cache_layout.h"
#include "formats/dot_skip.h"

#include "base/input.h"
#include "base/mapped_file.h"
#include "base/memory.h"
#include "base/text_file.h"
#include "fabric/topology_fabric.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* ---- reading: header and checksum */

/* A cache that is being opened. */
struct opening {
	const char *name;
	struct mapped_file *mapping;
	struct cache_header header;
	uint64_t size[CACHE_PARTS];
	const char *part[CACHE_PARTS];
};

static int altered(const struct opening *o, struct error *error)
{
	return error_at(error, STATUS_FABRIC, o->name, 0, "the cache is damaged: its content has been altered");
}

/* Checks the header, the version first: the rest of the header is known only for this version. */
static int check_header(struct opening *o, size_t length, struct error *error)
{
	const struct cache_header *h = &o->header;
	if (length < sizeof *h)
		return error_at(error, STATUS_FABRIC, o->name, 0, "the cache is truncated: %zu bytes, less than its header", length);
	if (memcmp(h->magic, cache_magic, sizeof cache_magic))
		return altered(o, error);
	if (h->byte_order != CACHE_BYTE_ORDER)
		return error_at(error, STATUS_FABRIC, o->name, 0,
			h->byte_order == __builtin_bswap32(CACHE_BYTE_ORDER)
				? "the cache has the byte order of another machine; write it again on this one, with orcs --save-fabric"
				: "the cache is damaged: its byte order is invalid");
	if (h->version != CACHE_VERSION)
		return error_at(error, STATUS_FABRIC, o->name, 0,
			"the cache has version %" PRIu32 ", but this program reads version %d; write it again, with orcs --save-fabric",
			h->version, CACHE_VERSION);
	return cache_part_sizes(h, o->size) == h->bytes ? 0 : altered(o, error);
}

/* Finds the parts, and verifies that no bit has changed. */
static int check_bytes(struct opening *o, struct error *error)
{
	const struct cache_header *h = &o->header;
	uint64_t have = o->mapping->bytes;
	if (have < h->bytes)
		return error_at(
			error, STATUS_FABRIC, o->name, 0, "the cache is truncated: %" PRIu64 " of its %" PRIu64 " bytes", have, h->bytes);
	if (have > h->bytes || cache_checksum(o->mapping->data, have) != h->checksum)
		return altered(o, error);
	const char *at = o->mapping->data + sizeof *h;
	for (int p = 0; p < CACHE_PARTS; p++) {
		o->part[p] = at;
		at += cache_padded(o->size[p]);
	}
	return 0;
}

/* ---- reading: the checksum verifies that the file is as written; the checks below, that it can be used, whatever program wrote it */

static bool names_fit(struct fabric *fabric, size_t bytes)
{
	struct fabric_labels *labels = fabric->labels;
	const char *at = labels->pool, *end = at + bytes;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		const char **text[2] = {&labels->name[v], &labels->desc[v]};
		for (int i = 0; i < 2; i++) {
			const char *zero = memchr(at, '\0', (size_t)(end - at));
			if (!zero)
				return false;
			*text[i] = at;
			at = zero + 1;
		}
		if (name_table_add(&labels->names, labels->name[v], v) != v)
			return false;
	}
	return at == end;
}

static bool fabric_fits(const struct fabric *fabric)
{
	uint32_t hosts = 0;
	bool fits = !fabric->first_channel[0] && fabric->first_channel[fabric->nodes] == fabric->channels;
	for (uint32_t v = 0; v < fabric->nodes && fits; v++) {
		uint32_t host = fabric->node_host[v];
		fits = fabric->first_channel[v] <= fabric->first_channel[v + 1] && fabric->labels->lmc[v] <= LMC_MOST &&
		       (host == NONE || (host == hosts && hosts < fabric->hosts && fabric->host_node[hosts++] == v));
	}
	for (uint32_t c = 0; c < fabric->channels && fits; c++)
		fits = fabric->head[c] < fabric->nodes && isfinite(fabric->speed[c]) && fabric->speed[c] > 0 &&
		       (!fabric->latency || (isfinite(fabric->latency[c]) && fabric->latency[c] >= 0));
	return fits && hosts == fabric->hosts;
}

/*
 * Returns whether every entry is a channel out of its node; low and count: [columns] first channel of the node, and number of its channels.
 */
static bool entries_fit(const struct forwarding *forwarding, uint32_t hosts, const uint32_t *low, const uint32_t *count)
{
	uint32_t wrong = 0;
	for (uint32_t h = 0; h < hosts && !wrong; h++) {
		const uint32_t *row = forwarding->next + (size_t)h * forwarding->columns;
		for (uint32_t c = 0; c < forwarding->columns; c++)
			wrong |= (row[c] - low[c] >= count[c]) & (row[c] != NONE);
	}
	return !wrong;
}

static bool forwarding_fits(const struct forwarding *forwarding, const struct fabric *fabric, struct error *error)
{
	uint32_t columns = 0, *low = array_create(forwarding->columns, sizeof *low, error);
	uint32_t *count = array_create(forwarding->columns, sizeof *count, error);
	bool fits = low && count;
	for (uint32_t v = 0; v < fabric->nodes && fits; v++) {
		uint32_t first = fabric->first_channel[v], channels = fabric->first_channel[v + 1] - first;
		if (forwarding->column[v] != NONE && (fits = forwarding->column[v] == columns && columns < forwarding->columns)) {
			low[columns] = first;
			count[columns++] = channels;
		}
		fits &= forwarding->fallback[v] == NONE || forwarding->fallback[v] - first < channels;
	}
	for (uint32_t c = 0; c < fabric->channels && fits; c++)
		fits = forwarding->hop[c].node == fabric->head[c] && forwarding->hop[c].column == forwarding->column[fabric->head[c]];
	fits = fits && columns == forwarding->columns && entries_fit(forwarding, fabric->hosts, low, count);
	free(low);
	free(count);
	return fits;
}

/* ---- reading: the parts as a fabric */

static struct fabric *open_fabric(const struct opening *o, struct error *error)
{
	const struct cache_header *h = &o->header;
	struct fabric *fabric = fabric_create(h->nodes, h->hosts, h->channels, error);
	if (!fabric)
		return NULL;
	fabric->labels->source = o->name;
	fabric->labels->hash = h->hash;
	fabric->labels->pool = array_create(o->size[CACHE_NAMES], 1, error);
	fabric->slowest = h->slowest;
	if (h->tells & CACHE_LATENCIES)
		fabric->latency = array_create(h->channels, sizeof *fabric->latency, error);
	void *const copy[CACHE_PARTS] = {
		[CACHE_NAMES] = fabric->labels->pool,
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
		[CACHE_LATENCY] = fabric->latency,
		[CACHE_LID] = fabric->labels->lid,
		[CACHE_LMC] = fabric->labels->lmc,
	};
	for (int p = 0; p < CACHE_PARTS; p++)
		if (copy[p])
			memcpy(copy[p], o->part[p], o->size[p]);
	if (!error->status && !(names_fit(fabric, o->size[CACHE_NAMES]) && fabric_fits(fabric)))
		altered(o, error);
	if (!error->status)
		return fabric;
	fabric_free(fabric);
	return NULL;
}

/* Opens the routing function that the cache names, if any. Returns 0, or -1. */
static int open_computed(struct opening *o, const struct fabric *fabric, struct forwarding *forwarding, struct error *error)
{
	const char *spec = o->part[CACHE_COMPUTED], *end = spec + o->size[CACHE_COMPUTED];
	if (spec == end)
		return 0;
	const char *routing = memchr(spec, '\0', (size_t)(end - spec));
	if (!routing || end[-1] || strlen(routing + 1) + 2 != (size_t)(end - routing) || forwarding->columns)
		return altered(o, error);
	forwarding->function = routing_function_create(fabric, spec, routing + 1, error);
	return error->status ? -1 : 0;
}

/* Opens the tables; takes the mapping on success. */
static struct forwarding *open_forwarding(struct opening *o, const struct fabric *fabric, struct error *error)
{
	struct forwarding *forwarding = array_create(1, sizeof *forwarding, error);
	if (!forwarding)
		return NULL;
	*forwarding = (struct forwarding){
		.columns = o->header.columns,
		.column = (uint32_t *)o->part[CACHE_COLUMN],
		.fallback = (uint32_t *)o->part[CACHE_FALLBACK],
		.next = (uint32_t *)o->part[CACHE_NEXT],
		.hop = (struct hop *)o->part[CACHE_HOP],
		.via = o->header.tells & CACHE_VIA,
		.shared = true,
	};
	if (!forwarding_fits(forwarding, fabric, error))
		altered(o, error);
	else if (!open_computed(o, fabric, forwarding, error)) {
		forwarding->mapping = o->mapping;
		o->mapping = NULL;
		return forwarding;
	}
	forwarding_free(forwarding);
	return NULL;
}

static int open_report(const struct opening *o, struct dot_report *report, struct error *error)
{
	const struct cache_header *h = &o->header;
	if (h->first_unknown[sizeof h->first_unknown - 1] || h->parser_warning[sizeof h->parser_warning - 1])
		return altered(o, error);
	report->straight = h->tells & CACHE_VIA;
	report->missing_speeds = h->missing_speeds;
	report->forwarding.ambiguous = h->ambiguous;
	report->forwarding.unknown = h->unknown;
	snprintf(report->forwarding.first_unknown, sizeof report->forwarding.first_unknown, "%s", h->first_unknown);
	snprintf(report->parser_warning, sizeof report->parser_warning, "%s", h->parser_warning);
	return 0;
}

struct unpacking {
	ZSTD_DStream *stream;
	ZSTD_inBuffer in;
	const struct opening *opening;
	bool ended;
};

static ssize_t unpack(void *from, char *buffer, size_t size, struct error *error)
{
	struct unpacking *u = from;
	ZSTD_outBuffer out = {buffer, size, 0};
	while (!out.pos && !u->ended) {
		size_t before = u->in.pos, left = ZSTD_decompressStream(u->stream, &out, &u->in);
		if (ZSTD_isError(left) || (left && !out.pos && u->in.pos == before))
			return altered(u->opening, error);
		u->ended = left == 0;
	}
	return (ssize_t)out.pos;
}

/* Opens the graph as a text, which must be read to its end. Returns 0, or -1. The stream of unpacking must be freed. */
static int open_text(const struct opening *o, struct unpacking *u, struct dot_text *text, struct error *error)
{
	*u = (struct unpacking){ZSTD_createDStream(), {o->part[CACHE_GRAPH], o->size[CACHE_GRAPH], 0}, o, false};
	*text = (struct dot_text){unpack, u, o->name};
	return u->stream ? 0 : error_set(error, STATUS_IO, "out of memory for libzstd");
}

/* without_sets: the forwarding sets are empty. */
static struct attributes *open_graph(const struct opening *o, const struct fabric *fabric, bool without_sets, struct error *error)
{
	struct unpacking unpacking;
	struct dot_text text;
	struct dot_skip skip = {.text = &text};
	const struct dot_text less = {dot_skip_read, &skip, o->name};
	struct attributes *attributes =
		open_text(o, &unpacking, &text, error) ? NULL : dot_keep(without_sets ? &less : &text, fabric, error);
	ZSTD_freeDStream(unpacking.stream);
	return attributes;
}

/* Reads the graph: only it has all channels of the entries. */
static void read_again(const struct opening *o, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error)
{
	struct unpacking unpacking;
	struct dot_text text;
	if (!open_text(o, &unpacking, &text, error))
		dot_load_text(&text, wants, fabric, forwarding, attributes, report, error);
	if (*fabric)
		(*fabric)->labels->line_of = NULL; /* a cache has no lines */
	ZSTD_freeDStream(unpacking.stream);
}

/* Opens the parts from the mapping. */
static void open_parts(struct opening *o, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error)
{
	if (check_bytes(o, error) || open_report(o, report, error))
		return;
	if (wants & DOT_ALTERNATIVES && o->header.ambiguous) {
		read_again(o, wants, fabric, forwarding, attributes, report, error);
		return;
	}
	if (!(*fabric = open_fabric(o, error)) || dot_check(*fabric, wants, error))
		return;
	if (wants & DOT_TABLES)
		*forwarding = open_forwarding(o, *fabric, error);
	bool places = wants & DOT_KEEP_PLACES && !o->header.computed_bytes;
	if ((wants & DOT_KEEP || places || (wants & DOT_KEEP_LANES && o->header.tells & CACHE_LANES)) && !error->status)
		*attributes = open_graph(o, *fabric, wants & DOT_WITHOUT_SETS, error);
}

/* ---- source of the bytes */

/*
 * Returns the descriptor of a regular file at its beginning, -1 if it is not one, or cannot be opened (which is reported when it is read).
 */
static int open_regular(const char *path)
{
	struct stat about;
	int file = -1;
	if (!strcmp(path, "-"))
		file = dup(STDIN_FILENO);
	else if (!stat(path, &about) && S_ISREG(about.st_mode))
		file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0 || (!fstat(file, &about) && S_ISREG(about.st_mode) && !lseek(file, 0, SEEK_CUR)))
		return file;
	close(file);
	return -1;
}

/* Maps the file, if it is an uncompressed cache. */
static int map_plain(struct opening *o, const char *path, struct error *error)
{
	int file = open_regular(path);
	if (file < 0)
		return 0;
	ssize_t length = pread(file, &o->header, sizeof o->header, 0);
	if (length > 0 && cache_begins(o->header.magic, (size_t)length) && !check_header(o, (size_t)length, error))
		o->mapping = mapped_file_of_file(file, o->name, error);
	close(file);
	return error->status ? -1 : 0;
}

/* The input after the bytes examined so far. */
struct rest {
	struct input *input;
	const char *start;
	size_t length;
};

static ssize_t read_rest(void *from, char *buffer, size_t size, struct error *error)
{
	struct rest *rest = from;
	if (!rest->length)
		return input_read(rest->input, buffer, size, error);
	size = size < rest->length ? size : rest->length;
	memcpy(buffer, rest->start, size);
	rest->start += size;
	rest->length -= size;
	return (ssize_t)size;
}

/* Reads up to the length of a header into the opening. Returns the number of bytes, -1 on errors. */
static ssize_t read_start(struct opening *o, struct input *input, struct error *error)
{
	size_t length = 0;
	ssize_t got = 1;
	while (length < sizeof o->header && got > 0) {
		got = input_read(input, (char *)&o->header + length, sizeof o->header - length, error);
		length += got > 0 ? (size_t)got : 0;
	}
	return got < 0 ? -1 : (ssize_t)length;
}

/* Makes the fabric of a specification. */
static void load_regular(const char *spec, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error)
{
	if (topology_fabric_load(spec, fabric, wants & (DOT_TABLES | DOT_KEEP) ? forwarding : NULL, error))
		return;
	(*fabric)->labels->hash = forwarding_hash(*fabric, *forwarding);
	if (*forwarding && !(*forwarding)->function)
		report->hint = DOT_UNROUTED;
	if (wants & DOT_KEEP)
		*attributes = topology_fabric_attributes(spec, *fabric, error);
	if (!(wants & DOT_TABLES)) {
		forwarding_free(*forwarding);
		*forwarding = NULL;
	}
}

int fabric_load(const char *path, unsigned wants, struct fabric **fabric, struct forwarding **forwarding, struct attributes **attributes,
	struct dot_report *report, struct error *error)
{
	struct opening o = {.name = strcmp(path, "-") ? path : "<stdin>"};
	struct input *input = NULL;
	*report = (struct dot_report){0};
	*fabric = NULL;
	*forwarding = NULL;
	*attributes = NULL;
	if (topology_fabric_is(path))
		load_regular(path, wants, fabric, forwarding, attributes, report, error);
	else if (!map_plain(&o, path, error) && !o.mapping && (input = input_open(path, error))) {
		ssize_t length = read_start(&o, input, error);
		struct rest rest = {input, o.header.magic, length > 0 ? (size_t)length : 0};
		if (length >= 0 && !cache_begins(rest.start, rest.length))
			dot_load_text(&(struct dot_text){read_rest, &rest, o.name}, wants, fabric, forwarding, attributes, report, error);
		else if (length >= 0 && !check_header(&o, rest.length, error)) /* one byte more than expected reveals trailing data */
			o.mapping = mapped_file_of_input(input, &o.header, rest.length, o.header.bytes + 1, error);
	}
	if (o.mapping)
		open_parts(&o, wants, fabric, forwarding, attributes, report, error);
	mapped_file_free(o.mapping);
	input_close(input);
	if (!error->status)
		return 0;
	forwarding_free(*forwarding);
	fabric_free(*fabric);
	attributes_free(*attributes);
	*forwarding = NULL;
	*fabric = NULL;
	*attributes = NULL;
	return -1;
}
