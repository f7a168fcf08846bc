#include "patterns/message_sizes.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "patterns/open/draw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_MOST 1e12

/*
 * Web search: Alizadeh and others: Data Center TCP (DCTCP), SIGCOMM 2010, figure 4. Data mining: Greenberg and others: VL2, SIGCOMM 2009,
 * figure 2. The points are those of the files DCTCP_CDF.txt and VL2_CDF.txt of the generator of Bai and others: Information-Agnostic Flow
 * Scheduling for Commodity Data Centers, NSDI 2015.
 */
static const struct size_point websearch[] = {{0, 0}, {10e3, .15}, {20e3, .2}, {30e3, .3}, {50e3, .4}, {80e3, .53}, {200e3, .6}, {1e6, .7},
	{2e6, .8}, {5e6, .9}, {10e6, .97}, {30e6, 1}};
static const struct size_point datamining[] = {{0, 0}, {180, .1}, {216, .2}, {560, .3}, {900, .4}, {1100, .5}, {1870, .6}, {3160, .7},
	{10e3, .8}, {400e3, .9}, {3.16e6, .95}, {100e6, .98}, {1e9, 1}};

enum size_kind { SIZES_UNIFORM, SIZES_WEBSEARCH, SIZES_DATAMINING, SIZES_FILE, SIZE_KINDS };
static const char *const names[] = {"uniform", "websearch", "datamining", "file", NULL};

static int add_point(struct message_sizes *sizes, size_t *room, double bytes, double share, struct error *error)
{
	if (array_grow(&sizes->point, room, sizes->points + 1, sizeof *sizes->point, error))
		return -1;
	sizes->point[sizes->points++] = (struct size_point){bytes, share};
	return 0;
}

static int copy_points(struct message_sizes *sizes, const struct size_point *point, size_t count, struct error *error)
{
	size_t room = 0;
	for (size_t i = 0; i < count; i++)
		if (add_point(sizes, &room, point[i].bytes, point[i].share, error))
			return -1;
	return 0;
}

/* Reads "MIN,MAX": all whole numbers between them, which are the roundings of the numbers from a half below to a half above. */
static int read_uniform(struct message_sizes *sizes, const char *text, struct error *error)
{
	const char *comma = strchr(text, ',');
	char first[32];
	double least, most;
	snprintf(first, sizeof first, "%.*s", (int)(comma ? comma - text : 0), text);
	if (!comma || !read_size(first, &least) || !read_size(comma + 1, &most) || least < 1 || most < least || most > SIZE_MOST)
		return error_set(error, STATUS_USAGE,
			"message sizes 'uniform' take the smallest and the largest, such as uniform:64,4096, not '%s'", text);
	return copy_points(sizes, (struct size_point[]){{floor(least) - .5, 0}, {floor(most) + .5, 1}}, 2, error);
}

/* Reads a line "bytes share". Returns 0, or -1. */
static int read_point(struct message_sizes *sizes, size_t *room, const char *path, uint64_t number, char *line, struct error *error)
{
	char *bytes_word = next_word(&line), *share_word = next_word(&line);
	const struct size_point *last = sizes->points ? &sizes->point[sizes->points - 1] : NULL;
	double bytes, share;
	if (!share_word || next_word(&line) || !read_size(bytes_word, &bytes) || !read_number(share_word, 0, 100, &share) ||
		bytes > SIZE_MOST)
		return error_at(
			error, STATUS_USAGE, path, number, "expected 'bytes share', up to 1T bytes and a share of 1, or 100 percent");
	if (last && (bytes < last->bytes || share < last->share))
		return error_at(error, STATUS_USAGE, path, number, "bytes and shares must not fall");
	return add_point(sizes, room, bytes, share, error);
}

/* Ends the table at the share 1; shares can be percent. Returns 0, or -1. */
static int finish_points(struct message_sizes *sizes, const char *path, struct error *error)
{
	double whole = sizes->points ? sizes->point[sizes->points - 1].share : 0;
	if (whole != 1 && whole != 100)
		return error_at(error, STATUS_USAGE, path, 0, "the share of the largest size is not 1, nor 100 percent");
	for (size_t i = 0; i < sizes->points; i++)
		sizes->point[i].share /= whole;
	if (sizes->point[sizes->points - 1].bytes < 1)
		return error_at(error, STATUS_USAGE, path, 0, "no size is 1 or more");
	return 0;
}

static int read_file(struct message_sizes *sizes, const char *path, struct error *error)
{
	struct line_reader lines;
	size_t room = 0;
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_list(&lines, error));)
		if (*line && read_point(sizes, &room, path, lines.number, line, error))
			break;
	line_reader_close(&lines);
	return error->status ? -1 : finish_points(sizes, path, error);
}

/* Returns the kind of the specification and what follows its name; SIZE_KINDS: none. */
static enum size_kind kind_of(const char *spec, const char **rest)
{
	size_t length = spec_name_length(spec);
	unsigned kind = 0;
	while (names[kind] && (strlen(names[kind]) != length || strncmp(spec, names[kind], length)))
		kind++;
	*rest = spec[length] == ':' ? spec + length + 1 : "";
	return (enum size_kind)kind;
}

const char *message_sizes_file(const char *spec)
{
	const char *path;
	return kind_of(spec, &path) == SIZES_FILE && *path ? path : NULL;
}

int message_sizes_read(struct message_sizes *sizes, const char *spec, struct error *error)
{
	const char *rest;
	char name[64];
	enum size_kind kind = kind_of(spec, &rest);
	*sizes = (struct message_sizes){0};
	snprintf(name, sizeof name, "%.*s", (int)spec_name_length(spec), spec);
	if (kind == SIZE_KINDS)
		return error_unknown(error, "distribution of message sizes", name, names, SIZE_KINDS);
	if ((kind == SIZES_WEBSEARCH || kind == SIZES_DATAMINING) && *rest)
		return error_set(error, STATUS_USAGE, "message sizes '%s' take no parameter: '%s'", name, rest);
	if (kind == SIZES_FILE && !*rest)
		return error_set(error, STATUS_USAGE, "message sizes 'file' take a path, such as file:sizes.txt");
	switch (kind) {
	case SIZES_UNIFORM: return read_uniform(sizes, rest, error);
	case SIZES_WEBSEARCH: return copy_points(sizes, websearch, sizeof websearch / sizeof *websearch, error);
	case SIZES_DATAMINING: return copy_points(sizes, datamining, sizeof datamining / sizeof *datamining, error);
	default: return read_file(sizes, rest, error);
	}
}

void message_sizes_clear(struct message_sizes *sizes)
{
	free(sizes->point);
	*sizes = (struct message_sizes){0};
}

uint64_t message_size(const struct message_sizes *sizes, const uint32_t word[4])
{
	const struct size_point *point = sizes->point;
	double share = draw_share(draw_more(word, 3));
	size_t low = 0, high = sizes->points - 1; /* the first point whose share exceeds the drawn one */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (point[middle].share > share)
			high = middle;
		else
			low = middle + 1;
	}
	double bytes = point[low].bytes;
	if (low) {
		double part = (share - point[low - 1].share) / (point[low].share - point[low - 1].share);
		bytes = point[low - 1].bytes + part * (point[low].bytes - point[low - 1].bytes);
	}
	return bytes < 1 ? 1 : (uint64_t)(bytes + .5);
}

/*
 * Returns the integral from 0 of the number of packets, which are floor((x - 1/2) / each) + 1 for x bytes before rounding: by x - 1/2,
 * below 0 one packet.
 */
static double packets_until(double x, double each)
{
	double whole = x < 0 ? 0 : floor(x / each);
	return each * whole * (whole + 1) / 2 + (x - whole * each) * (whole + 1);
}

double message_sizes_packets(const struct message_sizes *sizes, uint32_t mtu)
{
	double each = mtu;
	const struct size_point *point = sizes->point;
	double sum = point->share * (floor(fmax(point->bytes - .5, 0) / each) + 1);
	for (size_t i = 1; i < sizes->points; i++) {
		double share = point[i].share - point[i - 1].share, low = point[i - 1].bytes - .5, high = point[i].bytes - .5;
		sum += share * (high > low ? (packets_until(high, each) - packets_until(low, each)) / (high - low)
					   : floor(fmax(high, 0) / each) + 1);
	}
	return sum;
}

double message_sizes_mean(const struct message_sizes *sizes)
{
	const struct size_point *point = sizes->point;
	double sum = point->share * point->bytes;
	for (size_t i = 1; i < sizes->points; i++)
		sum += (point[i].share - point[i - 1].share) * (point[i].bytes + point[i - 1].bytes) / 2;
	return sum;
}

double message_sizes_spread(const struct message_sizes *sizes)
{
	const struct size_point *point = sizes->point;
	double sum = point->share * point->bytes * point->bytes, mean = message_sizes_mean(sizes);
	for (size_t i = 1; i < sizes->points; i++) {
		double low = point[i - 1].bytes, high = point[i].bytes;
		sum += (point[i].share - point[i - 1].share) * (low * low + low * high + high * high) / 3;
	}
	return sum / (mean * mean);
}
