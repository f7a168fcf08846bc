#include "pictures/svg.h"

#include "base/shown.h"
#include "pictures/lettering.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct text_style {
	const char *class;
	double size;
	bool bold;
	const char *fill;
};

static const struct text_style styles[SVG_TEXTS] = {
	[SVG_TITLE] = {"title", 17, true, "#1b1f24"},
	[SVG_HEAD] = {"head", 14, true, "#1b1f24"},
	[SVG_STRONG] = {"strong", 11, false, "#1b1f24"},
	[SVG_MUTED] = {"muted", 11, false, "#57606a"},
	[SVG_LABEL] = {"strong", 9.5, false, "#1b1f24"},
	[SVG_SMALL] = {"muted", 9.5, false, "#57606a"},
};

static const double edge = 10; /* free around the picture */

int svg_init(struct svg *svg, struct error *error)
{
	*svg = (struct svg){.x = edge, .y = edge};
	svg->file = open_memstream(&svg->text, &svg->length);
	return svg->file ? 0 : error_set(error, STATUS_IO, "out of memory");
}

void svg_clear(struct svg *svg)
{
	if (svg->file)
		fclose(svg->file);
	free(svg->text);
	*svg = (struct svg){0};
}

void svg_number(struct svg *svg, double number)
{
	char text[40];
	int length = snprintf(text, sizeof text, "%.2f", number);
	while (text[length - 1] == '0')
		length--;
	length -= text[length - 1] == '.';
	text[length] = '\0';
	fputs(!strcmp(text, "-0") ? "0" : text, svg->file);
}

static void attribute(struct svg *svg, const char *name, double number)
{
	fprintf(svg->file, " %s=\"", name);
	svg_number(svg, number);
	putc('"', svg->file);
}

void svg_escape(FILE *file, const char *text)
{
	for (const char *c = SHOWN(text); *c; c++)
		switch (*c) {
		case '<': fputs("&lt;", file); break;
		case '>': fputs("&gt;", file); break;
		case '"': fputs("&quot;", file); break;
		case '&': fputs("&amp;", file); break;
		default: putc(*c, file);
		}
}

int svg_end(struct svg *svg, FILE *file, const char *title, const char *attributes, struct error *error)
{
	bool failed = ferror(svg->file) != 0;
	failed |= fclose(svg->file) != 0;
	svg->file = NULL;
	if (failed)
		return error_set(error, STATUS_IO, "out of memory");
	double width = ceil(svg->width + edge), height = ceil(svg->height + edge);
	fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\"",
		width, height, width, height);
	fputs(" font-family=\"Helvetica,Arial,sans-serif\" aria-label=\"", file);
	svg_escape(file, title);
	fprintf(file, "\"%s%s>\n", *attributes ? " " : "", attributes);
	fwrite(svg->text, 1, svg->length, file);
	fputs("</svg>\n", file);
	return 0;
}

void svg_reach(struct svg *svg, double x, double y)
{
	svg->width = fmax(svg->width, svg->x + x);
	svg->height = fmax(svg->height, svg->y + y);
}

double svg_text_width(enum svg_text kind, const char *text)
{
	return text_width(text, styles[kind].size) * (styles[kind].bold ? 1.06 : 1);
}

double svg_text_size(enum svg_text kind)
{
	return styles[kind].size;
}

static void text_attributes(struct svg *svg, enum svg_text kind, enum svg_anchor anchor)
{
	const struct text_style *style = &styles[kind];
	fprintf(svg->file, " class=\"%s\" fill=\"%s\"", style->class, style->fill);
	attribute(svg, "font-size", style->size);
	if (style->bold)
		fputs(" font-weight=\"bold\"", svg->file);
	if (anchor)
		fputs(anchor == SVG_MIDDLE ? " text-anchor=\"middle\"" : " text-anchor=\"end\"", svg->file);
}

static void place_text(struct svg *svg, double x, double y, const char *text)
{
	attribute(svg, "x", svg->x + x);
	attribute(svg, "y", svg->y + y);
	putc('>', svg->file);
	svg_escape(svg->file, text);
	fputs("</text>\n", svg->file);
}

double svg_bottom(const struct svg *svg)
{
	return fmax(svg->height - svg->y, 0);
}

static void reach_text(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, const char *text)
{
	double width = svg_text_width(kind, text);
	svg_reach(svg, anchor == SVG_START ? x + width : anchor == SVG_MIDDLE ? x + width / 2 : x, y + 2);
}

void svg_text(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, const char *text)
{
	fputs("<text", svg->file);
	text_attributes(svg, kind, anchor);
	place_text(svg, x, y, text);
	reach_text(svg, x, y, kind, anchor, text);
}

void svg_textf(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, const char *format, ...)
{
	char text[1000];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	svg_text(svg, x, y, kind, anchor, text);
}

void svg_text_fit(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, double width, const char *text)
{
	char part[400];
	snprintf(part, sizeof part, "%s", text);
	for (size_t characters = 100; characters > 2 && svg_text_width(kind, part) > width; characters--)
		text_shorten(part, characters, characters - 1);
	svg_text(svg, x, y, kind, anchor, part);
}

double svg_paragraph(struct svg *svg, double x, double y, enum svg_text kind, double width, const char *text)
{
	char line[1000], next[1000];
	for (size_t length, taken; *text; text += taken) {
		*line = '\0';
		for (taken = 0; text[taken]; taken += length) {
			length = strspn(text + taken, " ");
			length += strcspn(text + taken + length, " ");
			int all = snprintf(next, sizeof next, "%.*s", (int)(taken + length), text);
			if (*line && (all >= (int)sizeof next || svg_text_width(kind, next) > width))
				break;
			strcpy(line, next);
		}
		svg_text(svg, x, y, kind, SVG_START, line);
		y += 1.4 * styles[kind].size;
		taken += strspn(text + taken, " ");
	}
	return y - 1.4 * styles[kind].size;
}

void svg_texts_begin(struct svg *svg, enum svg_text kind, enum svg_anchor anchor)
{
	fputs("<g", svg->file);
	text_attributes(svg, kind, anchor);
	fputs(">\n", svg->file);
}

void svg_texts_add(struct svg *svg, double x, double y, const char *text)
{
	fputs("<text", svg->file);
	place_text(svg, x, y, text);
	svg_reach(svg, x, y);
}

void svg_texts_add_turned(struct svg *svg, double x, double y, double degrees, const char *text)
{
	fputs("<text transform=\"rotate(", svg->file);
	svg_number(svg, -degrees);
	putc(' ', svg->file);
	svg_number(svg, svg->x + x);
	putc(' ', svg->file);
	svg_number(svg, svg->y + y);
	fputs(")\"", svg->file);
	place_text(svg, x, y, text);
	svg_reach(svg, x + svg_text_width(SVG_LABEL, text) * cos(degrees / 180 * 3.14159), y);
}

void svg_tooltip(struct svg *svg, const char *text)
{
	fputs("<title>", svg->file);
	svg_escape(svg->file, text);
	fputs("</title>", svg->file);
}

/* A pale class has an outline only where it is unused: white on white. */
static void class_attributes(struct svg *svg, enum load_class_number class)
{
	fprintf(svg->file, " class=\"c%d\" fill=\"%s\"", class, load_classes[class].light);
	if (class == LOAD_UNUSED)
		fprintf(svg->file, " stroke=\"%s\" stroke-width=\"0.7\"", load_classes[class].outline);
}

/* The outline of an unused one is inside of it. */
static double inset(enum load_class_number class)
{
	return class == LOAD_UNUSED ? 0.5 : 0;
}

static void write_rect(struct svg *svg, double x, double y, double width, double height)
{
	fputs("<rect", svg->file);
	attribute(svg, "x", svg->x + x);
	attribute(svg, "y", svg->y + y);
	attribute(svg, "width", fmax(width, 0));
	attribute(svg, "height", fmax(height, 0));
	svg_reach(svg, x + width, y + height);
}

void svg_rect(struct svg *svg, double x, double y, double width, double height, enum load_class_number class)
{
	double in = inset(class);
	write_rect(svg, x + in, y + in, width - 2 * in, height - 2 * in);
	class_attributes(svg, class);
	fputs("/>\n", svg->file);
}

void svg_box(struct svg *svg, double x, double y, double width, double height, const char *class, const char *attributes)
{
	write_rect(svg, x, y, width, height);
	fprintf(svg->file, " class=\"%s\" %s/>\n", class, attributes);
}

void svg_line(struct svg *svg, double x, double y, double to_x, double to_y, const char *class, const char *attributes)
{
	fputs("<path d=\"M", svg->file);
	svg_number(svg, svg->x + x);
	putc(' ', svg->file);
	svg_number(svg, svg->y + y);
	putc('L', svg->file);
	svg_number(svg, svg->x + to_x);
	putc(' ', svg->file);
	svg_number(svg, svg->y + to_y);
	fprintf(svg->file, "\" class=\"%s\" fill=\"none\" %s/>\n", class, attributes);
}

void svg_curve(struct svg *svg, const double point[8], const char *colour, const char *class, double width)
{
	fprintf(svg->file, "<path class=\"%s\" fill=\"none\" stroke=\"%s\"", class, colour);
	attribute(svg, "stroke-width", width);
	fputs(" d=\"", svg->file);
	for (int i = 0; i < 8; i++) {
		fputs(i == 0 ? "M" : i == 2 ? "C" : " ", svg->file);
		svg_number(svg, point[i] + (i % 2 ? svg->y : svg->x));
	}
	fputs("\"/>\n", svg->file);
}

void svg_path_begin(struct svg *svg, enum load_class_number class)
{
	fputs("<path", svg->file);
	class_attributes(svg, class);
	fputs(" d=\"", svg->file);
	svg->inset = inset(class);
}

void svg_path_rect(struct svg *svg, double x, double y, double width, double height)
{
	double in = svg->inset;
	putc('M', svg->file);
	svg_number(svg, svg->x + x + in);
	putc(' ', svg->file);
	svg_number(svg, svg->y + y + in);
	putc('h', svg->file);
	svg_number(svg, width - 2 * in);
	putc('v', svg->file);
	svg_number(svg, height - 2 * in);
	putc('h', svg->file);
	svg_number(svg, 2 * in - width);
	putc('z', svg->file);
	svg_reach(svg, x + width, y + height);
}

void svg_path_end(struct svg *svg)
{
	fputs("\"/>\n", svg->file);
}

void svg_group(struct svg *svg, const char *attributes)
{
	fprintf(svg->file, "<g %s>\n", attributes);
}

void svg_group_end(struct svg *svg)
{
	fputs("</g>\n", svg->file);
}
