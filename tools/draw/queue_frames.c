#include "tools/draw/queue_frames.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/shown.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The columns that are read. */
enum column { COLUMN_TIME, COLUMN_CHANNEL, COLUMN_FROM, COLUMN_TO, COLUMN_HELD, COLUMN_BUFFER, COLUMN_FULL, COLUMNS };

/* Their titles, as prefixes: a unit can follow. */
static const char *const titles[COLUMNS] = {"time_", "channel", "from", "to", "held_", "buffer_", "full"};

enum { FIELDS_MAX = 64 };

struct frame_reader {
	struct line_reader lines;
	struct queue_frames *frames;
	const struct fabric *fabric;
	const char *path;
	unsigned place[COLUMNS];
	size_t times, shares; /* capacities */
	struct error *error;
};

static int wrong(const struct frame_reader *r, const char *text)
{
	return error_at(r->error, STATUS_FABRIC, r->path, r->lines.number, "%s", text);
}

/* Splits a line of CSV into fields, in place; in quotes a doubled quote is one. Returns their number. */
static unsigned split(char *line, char *field[FIELDS_MAX])
{
	unsigned fields = 0;
	for (char *from = line, *to; fields < FIELDS_MAX;) {
		bool quoted = *from == '"', ended = false;
		field[fields++] = to = from += quoted;
		for (; *from && !(ended || (!quoted && *from == ',')); from++)
			if (!quoted || *from != '"')
				*to++ = *from;
			else if (from[1] == '"')
				*to++ = *from++;
			else
				ended = true;
		bool more = *from == ',';
		*to = '\0';
		if (!more)
			return fields;
		from++;
	}
	return fields;
}

static int read_titles(struct frame_reader *r)
{
	size_t length;
	char *field[FIELDS_MAX], *line = line_reader_next(&r->lines, &length, r->error);
	unsigned fields = line ? split(line, field) : 0;
	if (r->error->status)
		return -1;
	for (int c = 0; c < COLUMNS; c++) {
		size_t prefix = strlen(titles[c]);
		bool unit = titles[c][prefix - 1] == '_';
		r->place[c] = 0;
		while (r->place[c] < fields &&
			(unit ? strncmp(field[r->place[c]], titles[c], prefix) : strcmp(field[r->place[c]], titles[c])))
			r->place[c]++;
		if (r->place[c] == fields)
			return wrong(r, "no queues over time: 'orcs --engine packet --metric packet_queues --queues FILE' writes them");
	}
	r->frames->cycles = !strcmp(field[r->place[COLUMN_TIME]], "time_cycles");
	return 0;
}

/* Adds an empty frame. */
static int add_frame(struct frame_reader *r, double time)
{
	struct queue_frames *f = r->frames;
	if (f->frames == FRAMES_MAX)
		return wrong(r, "more than 1000 different times");
	if (f->frames && time < f->time[f->frames - 1])
		return wrong(r, "the time is before that of the line before");
	size_t cells = (f->frames + 1) * f->channels;
	if (array_grow(&f->time, &r->times, f->frames + 1, sizeof *f->time, r->error) ||
		array_grow(&f->share, &r->shares, cells, sizeof *f->share, r->error))
		return -1;
	memset(f->share + f->frames * f->channels, 0, f->channels * sizeof *f->share);
	f->time[f->frames++] = time;
	return 0;
}

/* Checks that a name is that of the node; csv_text() puts ' before some. */
static bool is_name(const char *text, const char *name)
{
	return !strcmp(text + (*text == '\'' && *name != '\''), name);
}

static int read_line(struct frame_reader *r, char *line)
{
	struct queue_frames *f = r->frames;
	const struct fabric *fabric = r->fabric;
	char *field[FIELDS_MAX];
	unsigned fields = split(line, field);
	double time, held, buffer;
	int64_t channel;
	for (int c = 0; c < COLUMNS; c++)
		if (r->place[c] >= fields)
			return wrong(r, "fields are missing");
	if (!read_number(field[r->place[COLUMN_TIME]], 0, DBL_MAX, &time))
		return wrong(r, "the time is not a number");
	if ((!f->frames || time != f->time[f->frames - 1]) && add_frame(r, time))
		return -1;
	if (!*field[r->place[COLUMN_CHANNEL]])
		return 0;
	if (!read_integer(field[r->place[COLUMN_CHANNEL]], 0, UINT32_MAX, &channel) ||
		!read_number(field[r->place[COLUMN_HELD]], 0, DBL_MAX, &held) ||
		!read_number(field[r->place[COLUMN_BUFFER]], DBL_MIN, DBL_MAX, &buffer))
		return wrong(r, "channel, bytes held and size of the buffers are not numbers");
	uint32_t c = (uint32_t)channel;
	if (channel >= fabric->channels || !is_name(field[r->place[COLUMN_FROM]], fabric->labels->name[fabric_tail(fabric, c)]) ||
		!is_name(field[r->place[COLUMN_TO]], fabric->labels->name[fabric->head[c]]))
		return wrong(r, "the channel is not one of this fabric: the queues are those of another one");
	f->share[(f->frames - 1) * f->channels + c] = (float)(held < buffer ? held / buffer : 1);
	if (f->first == NONE && !strcmp(field[r->place[COLUMN_FULL]], "1")) {
		f->first = c;
		f->first_time = time;
	}
	return 0;
}

int queue_frames_read(struct queue_frames *frames, const char *path, const struct fabric *fabric, struct error *error)
{
	struct frame_reader r = {.frames = frames, .fabric = fabric, .path = path, .error = error};
	char *line = NULL;
	size_t length;
	*frames = (struct queue_frames){.channels = fabric->channels, .first = NONE};
	if (!line_reader_open(&r.lines, path, LIST_LINE_LONGEST, error) && !read_titles(&r))
		while (!error->status && (line = line_reader_next(&r.lines, &length, error)))
			if (*line && read_line(&r, line))
				break;
	line_reader_close(&r.lines);
	if (!error->status && !frames->frames)
		error_at(error, STATUS_FABRIC, path, 0, "no queues: the run ended before its first packet could have passed a channel");
	return error->status ? -1 : 0;
}

void queue_frames_clear(struct queue_frames *frames)
{
	free(frames->time);
	free(frames->share);
	*frames = (struct queue_frames){0};
}

size_t queue_frames_at(const struct queue_frames *f, double time)
{
	size_t frame = 0;
	while (frame + 1 < f->frames && f->time[frame + 1] <= time)
		frame++;
	return frame;
}

char *queue_frames_time(const struct queue_frames *f, double time, char *text, size_t size)
{
	static const char *const units[] = {"s", "ms", "µs", "ns", "ps"};
	size_t unit = 0;
	if (f->cycles) {
		snprintf(text, size, "%.6g cycles", time);
		return text;
	}
	for (; unit + 1 < sizeof units / sizeof *units && time < 0.9995; unit++)
		time *= 1000;
	snprintf(text, size, "%.4g %s", time, units[unit]);
	return text;
}
