#include "tools/draw/animation.h"

#include "base/program.h"
#include "cli/palette.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double frame_seconds = 0.12, corner = 12, clock_size = 16;
static const char name_before[] = "orcs_line_";

void animation_name(uint32_t line, FILE *file)
{
	fprintf(file, ", id=\"%s%" PRIu32 "\"", name_before, line);
}

/* Returns the colour of a line in a frame: that of the worse direction of its worst cable. */
static unsigned colour_of(const struct drawing *drawing, const struct line *line, size_t frame)
{
	const struct queue_frames *f = drawing->heat->frames;
	double worst = 0;
	for (uint32_t i = line->first; i < line->first + line->count; i++)
		for (int way = 0; way < 2; way++)
			if (drawing->cable[i].channel[way] != NONE)
				worst = fmax(worst, queue_share(f, frame, drawing->cable[i].channel[way]));
	return palette_rgb(drawing->heat->palette, worst);
}

/* Begins an animation of an attribute that jumps from value to value. */
static void begin(const struct queue_frames *f, const char *attribute, FILE *file)
{
	fprintf(file, "<animate attributeName=\"%s\" dur=\"%.2fs\" repeatCount=\"indefinite\" calcMode=\"discrete\"", attribute,
		frame_seconds * (double)f->frames);
}

/* Writes the colours of a line, and the shares of the time at which they change. */
static void write_colours(const struct drawing *drawing, const struct line *line, FILE *file)
{
	const struct queue_frames *f = drawing->heat->frames;
	begin(f, "stroke", file);
	for (int times = 0; times < 2; times++) {
		unsigned before = 0;
		fputs(times ? "\" keyTimes=\"" : " values=\"", file);
		for (size_t i = 0; i < f->frames; i++) {
			unsigned colour = colour_of(drawing, line, i);
			if (i && colour == before)
				continue;
			before = colour;
			if (times)
				fprintf(file, "%s%.5g", i ? ";" : "", (double)i / (double)f->frames);
			else
				fprintf(file, "%s#%06x", i ? ";" : "", colour);
		}
	}
	fputs("\"/>", file);
}

/* Writes a text for each frame, which is seen during it. */
static void write_clock(const struct queue_frames *f, double width, FILE *file)
{
	fprintf(file, "<g class=\"clock\" font-family=\"Helvetica,sans-Serif\" font-size=\"%.0f\" text-anchor=\"end\">\n", clock_size);
	for (size_t i = 0; i < f->frames; i++) {
		char time[40];
		double from = (double)i / (double)f->frames, to = (double)(i + 1) / (double)f->frames;
		fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" visibility=\"hidden\">%s", width - corner, corner + clock_size,
			queue_frames_time(f, f->time[i], time, sizeof time));
		begin(f, "visibility", file);
		fputs(i ? " values=\"hidden;visible" : " values=\"visible", file);
		fputs(i + 1 < f->frames ? ";hidden\"" : "\"", file);
		if (i)
			fprintf(file, " keyTimes=\"0;%.5g", from);
		else
			fputs(" keyTimes=\"0", file);
		if (i + 1 < f->frames)
			fprintf(file, ";%.5g", to);
		fputs("\"/></text>\n", file);
	}
	fputs("</g>\n", file);
}

/* Copies a line of the file, with the animation if it is the path of one of the drawing's lines. */
static void copy_line(const struct drawing *drawing, const char *text, uint32_t *line, double *width, FILE *to)
{
	const char *id = strstr(text, "<g id=\""), *box = strstr(text, "viewBox=\"0.00 0.00 "), *end = strstr(text, "/>");
	if (id && !strncmp(id + 7, name_before, sizeof name_before - 1))
		*line = (uint32_t)strtoul(id + 7 + sizeof name_before - 1, NULL, 10);
	if (box)
		*width = strtod(box + strlen("viewBox=\"0.00 0.00 "), NULL);
	if (!strncmp(text, "</svg>", 6))
		write_clock(drawing->heat->frames, *width, to);
	bool path = !strncmp(text, "<path ", 6) && end && *line < drawing->lines;
	if (!path) {
		fputs(text, to);
		return;
	}
	fwrite(text, 1, (size_t)(end - text), to);
	putc('>', to);
	write_colours(drawing, &drawing->line[*line], to);
	fputs("</path>\n", to);
	*line = NONE;
}

FILE *animate(FILE *picture, const struct drawing *drawing, struct error *error)
{
	FILE *copy = program_file(error);
	char *text = NULL;
	size_t size = 0;
	uint32_t line = NONE;
	double width = 0;
	while (copy && getline(&text, &size, picture) > 0)
		copy_line(drawing, text, &line, &width, copy);
	if (copy && (ferror(picture) || fflush(copy) || ferror(copy))) {
		error_set(error, STATUS_IO, "cannot write a temporary file: %s", strerror(errno));
		fclose(copy);
		copy = NULL;
	}
	if (copy)
		rewind(copy);
	free(text);
	fclose(picture);
	return copy;
}
