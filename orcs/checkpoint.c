#include "orcs/checkpoint.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/mapped_file.h"
#include "base/memory.h"
#include "base/output.h"
#include "cli/terminal.h"
#include "fabric/fabric.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Every change of the format or of its content changes the version. */
enum { VERSION = 2, BYTE_ORDER_MARK = 0x01020304, BINS = 6 /* the first part of bins */, PARTS = BINS + METRICS_MAX };

/* Not text, and altered by every program that treats it as text. */
static const char magic[8] = "\x89orcsk\r\n";

struct header {
	char magic[8];
	uint32_t byte_order, version;
	uint64_t bytes;    /* of the file */
	uint64_t checksum; /* of all its bytes, with this field 0 */
	uint64_t marks;    /* bytes, up to the next multiple of 8 */
	uint64_t next, holes, runs, connections, unroutable;
	uint64_t used, width;
	uint64_t sums, limits, carried; /* numbers of each */
	uint64_t bins[METRICS_MAX];
};

/* The parts after the header, in this order: marks, holes, records, sums, limits, carried, bins of each metric. */
struct checkpoint_part {
	const void *data;
	uint64_t bytes;
};

static uint64_t checksum(const struct header *header, const struct checkpoint_part *part)
{
	struct header copy = *header;
	copy.checksum = 0;
	uint64_t sum = hash_words(0, &copy, sizeof copy);
	for (int i = 0; i < PARTS; i++)
		sum = hash_words(sum, part[i].data, part[i].bytes);
	return sum;
}

/* Computes the sizes of the parts. Returns whether their sum is that many bytes. */
static bool find_sizes(const struct header *h, struct checkpoint_part *part, uint64_t bytes)
{
	const uint64_t count[PARTS] = {(h->marks + 7) / 8, h->holes, h->used, h->sums, h->limits, h->carried},
		       most = UINT64_MAX / sizeof(struct bin);
	uint64_t left = bytes;
	bool fine = h->marks <= most;
	for (int i = 0; i < PARTS; i++) {
		uint64_t words = i < BINS ? count[i] : h->bins[i - BINS], size = i < BINS ? sizeof(uint64_t) : sizeof(struct bin);
		fine = fine && words <= most && words * size <= left;
		part[i].bytes = words * size;
		left -= fine ? part[i].bytes : 0;
	}
	return fine && !left;
}

/* ---- writing */

/* Lists the bins of the pooled histograms; the caller frees each list. Returns 0, or -1. */
static int list_bins(const struct made *made, struct header *header, struct checkpoint_part *part, struct error *error)
{
	for (int m = 0; m < made->metric_count; m++) {
		struct metric_call *call = &made->metrics[m];
		header->bins[m] = call->metric->gathers & METRIC_POOLED ? histogram_bins(&call->pooled) : 0;
		struct bin *bins = array_create(header->bins[m], sizeof *bins, error);
		if (!bins)
			return -1;
		if (header->bins[m])
			histogram_list(&call->pooled, bins);
		part[BINS + m].data = bins;
	}
	return 0;
}

/* Collects all parts of the file; the caller frees part 0 and parts BINS and up. Returns 0, or -1. */
static int make_parts(const struct checkpoint *checkpoint, const struct made *made, struct header *header, struct checkpoint_part *part,
	struct error *error)
{
	*header = (struct header){
		.byte_order = BYTE_ORDER_MARK,
		.version = VERSION,
		.bytes = sizeof *header,
		.marks = checkpoint->marks.bytes,
		.next = made->next,
		.holes = made->holes,
		.runs = made->runs,
		.connections = made->connections,
		.unroutable = made->unroutable,
		.used = made->used,
		.width = made->width,
		.sums = made->sum ? made->channels : 0,
		.limits = made->limit ? made->channels : 0,
		.carried = made->carried ? 2 * (uint64_t)made->channels : 0,
	};
	memcpy(header->magic, magic, sizeof magic);
	char *marks = array_create(header->marks + 7, 1, error); /* pads the last word with 0 */
	part[0].data = marks;
	part[1].data = made->hole;
	part[2].data = made->records;
	part[3].data = made->sum;
	part[4].data = made->limit;
	part[5].data = made->carried;
	if (!marks || list_bins(made, header, part, error))
		return -1;
	memcpy(marks, checkpoint->marks.text, header->marks);
	find_sizes(header, part, UINT64_MAX);
	for (int i = 0; i < PARTS; i++)
		header->bytes += part[i].bytes;
	header->checksum = checksum(header, part);
	return 0;
}

static int write_file(const char *path, const struct header *header, const struct checkpoint_part *part, bool safe, struct error *error)
{
	struct output output;
	if (output_open(&output, path, error))
		return -1;
	fwrite(header, sizeof *header, 1, output.file);
	for (int i = 0; i < PARTS; i++)
		if (part[i].bytes)
			fwrite(part[i].data, 1, part[i].bytes, output.file);
	if (safe && !fflush(output.file)) /* after a crash the name must not refer to missing bytes */
		fsync(fileno(output.file));
	return output_commit(&output, error);
}

int checkpoint_write(struct checkpoint *checkpoint, const struct made *made, bool safe, struct error *error)
{
	struct header header;
	struct checkpoint_part part[PARTS] = {{0}};
	double started = now();
	if (!make_parts(checkpoint, made, &header, part, error) && !write_file(checkpoint->path, &header, part, safe, error)) {
		checkpoint->written++;
		checkpoint->spent += now() - started;
	}
	free((void *)part[0].data);
	for (int i = BINS; i < PARTS; i++)
		free((void *)part[i].data);
	return error->status ? -1 : 0;
}

/* ---- reading */

static int is_damaged(const char *path, const char *how, struct error *error)
{
	return error_at(error, STATUS_IO, path, 0, "%s checkpoint; remove it and start again", how);
}

/* Checks that the bytes are an unaltered checkpoint of this version and kind of machine. Returns 0, or -1. */
static int check_bytes(
	const struct mapped_file *mapping, const char *path, struct header *header, struct checkpoint_part *part, struct error *error)
{
	size_t start = mapping->bytes < sizeof magic ? mapping->bytes : sizeof magic;
	if (memcmp(mapping->data, magic, start))
		return error_at(error, STATUS_IO, path, 0, "not a checkpoint of orcs");
	if (mapping->bytes < sizeof *header)
		return is_damaged(path, "truncated", error);
	memcpy(header, mapping->data, sizeof *header);
	if (header->byte_order != BYTE_ORDER_MARK || header->version != VERSION)
		return error_at(error, STATUS_USAGE, path, 0,
			"the checkpoint was written by another version of orcs, or on another kind of machine");
	if (mapping->bytes < header->bytes)
		return is_damaged(path, "truncated", error);
	if (mapping->bytes > header->bytes || !find_sizes(header, part, header->bytes - sizeof *header))
		return is_damaged(path, "damaged", error);
	const char *at = mapping->data + sizeof *header;
	for (int i = 0; i < PARTS; at += part[i++].bytes)
		part[i].data = at;
	if (checksum(header, part) != header->checksum || !marks_valid(part[0].data, header->marks))
		return is_damaged(path, "damaged", error);
	return 0;
}

/* Returns whether the numbers match these runs. */
static bool fits(const struct header *h, const struct checkpoint_part *part, const struct made *made)
{
	const uint64_t *hole = part[1].data;
	const double *records = part[2].data;
	if (h->width != made->width || h->used % h->width || h->used / h->width != h->runs || h->holes + h->runs != h->next - made->next ||
		h->sums != (made->sum ? made->channels : 0) || h->limits != (made->limit ? made->channels : 0) ||
		h->carried != (made->carried ? 2 * (uint64_t)made->channels : 0))
		return false;
	for (uint64_t i = 0; i < h->holes; i++)
		if (hole[i] >= h->next || hole[i] < made->next || (i && hole[i] <= hole[i - 1]))
			return false;
	for (uint64_t r = 0; r < h->used; r += h->width)
		if (!(records[r] >= (double)made->next && records[r] < (double)h->next))
			return false;
	for (int m = 0; m < METRICS_MAX; m++)
		if (h->bins[m] && (m >= made->metric_count || !(made->metrics[m].metric->gathers & METRIC_POOLED)))
			return false;
	return true;
}

static int take_bins(const struct header *h, const struct checkpoint_part *part, struct made *made, struct error *error)
{
	for (int m = 0; m < made->metric_count; m++)
		for (uint64_t i = 0; i < h->bins[m]; i++) {
			const struct bin *bin = (const struct bin *)part[BINS + m].data + i;
			if (!isfinite(bin->value) || bin->value < 0 ||
				histogram_add(&made->metrics[m].pooled, bin->value, bin->count, error))
				return -1;
		}
	return 0;
}

/* Fills an array from a part, unless that is empty. */
static void take(void *array, const struct checkpoint_part *part)
{
	if (part->bytes)
		memcpy(array, part->data, part->bytes);
}

static int take_parts(const struct header *h, const struct checkpoint_part *part, struct made *made, struct error *error)
{
	made->hole = array_create(h->holes, sizeof *made->hole, error);
	if (!made->hole || array_grow(&made->records, &made->capacity, h->used + 1, sizeof *made->records, error) ||
		take_bins(h, part, made, error))
		return -1;
	take(made->hole, &part[1]);
	take(made->records, &part[2]);
	take(made->sum, &part[3]);
	take(made->limit, &part[4]);
	take(made->carried, &part[5]);
	made->used = h->used;
	made->holes = h->holes;
	made->next = h->next;
	made->runs = h->runs;
	made->connections = h->connections;
	made->unroutable = h->unroutable;
	return 0;
}

/* Maps a regular file that is not empty. NULL: error. */
static struct mapped_file *map_file(const char *path, struct error *error)
{
	struct stat about;
	struct mapped_file *mapping = NULL;
	int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	if (file < 0 || fstat(file, &about))
		error_at(error, STATUS_IO, path, 0, "cannot open: %s%s", strerror(errno),
			errno == ENOENT ? "; add --checkpoint with this file to start from the beginning" : "");
	else if (!S_ISREG(about.st_mode) || !about.st_size)
		error_at(error, STATUS_IO, path, 0, "not a checkpoint of orcs");
	else
		mapping = mapped_file_of_file(file, path, error);
	if (file >= 0)
		close(file);
	return mapping;
}

int checkpoint_read(struct checkpoint *checkpoint, struct made *made, struct error *error)
{
	struct header header;
	struct checkpoint_part part[PARTS] = {{0}};
	struct mapped_file *mapping = map_file(checkpoint->resume, error);
	if (mapping && !check_bytes(mapping, checkpoint->resume, &header, part, error)) {
		const struct marks then = {.text = (char *)part[0].data, .bytes = header.marks};
		if (!marks_compare(&checkpoint->marks, &then, checkpoint->resume, error) &&
			(!fits(&header, part, made) || take_parts(&header, part, made, error)))
			is_damaged(checkpoint->resume, "damaged", error);
		checkpoint->runs = header.runs;
		checkpoint->connections = header.connections;
	}
	mapped_file_free(mapping);
	return error->status ? -1 : 0;
}

int checkpoint_check(const struct checkpoint *checkpoint, struct error *error)
{
	if (checkpoint->resume)
		mapped_file_free(map_file(checkpoint->resume, error));
	if (error->status || !checkpoint->path || files_replaceable(checkpoint->path, magic, sizeof magic, false))
		return error->status ? -1 : 0;
	if (checkpoint->resume && !strcmp(checkpoint->resume, checkpoint->path))
		return error_at(error, STATUS_IO, checkpoint->path, 0, "not a checkpoint of orcs");
	return error_at(
		error, STATUS_USAGE, checkpoint->path, 0, "the file exists and is not a checkpoint; --checkpoint does not overwrite it");
}
