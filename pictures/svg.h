/*
 * A writer of SVG, which collects a picture in memory, as its size is known only at the end. Lengths are pixels, y goes down.
 *
 * The same marks serve as a file of their own and as part of a page: every mark has a class, which a page can style, and presentation
 * attributes, which count where nothing styles it. There are no attributes style, id or on*, and no references. Classes:
 *   c0 .. c6        load classes (fabric/load_class.h): fill; of c0 also a stroke
 *   l0 .. l6        the same as a stroke, of lines
 *   strong, muted   texts; also title, head
 *   hole            a cable that is missing where others of its kind are
 *   grid, frame, axis   lines between cells, around them, of axes
 *   outline         the border of a pale line, and lines between unused cells
 *   sheet           a box behind texts
 */
#ifndef PICTURES_SVG_H
#define PICTURES_SVG_H

#include "base/error.h"
#include "fabric/load_class.h"

#include <stdbool.h>
#include <stdio.h>

enum svg_text {
	SVG_TITLE,  /* 17 px bold */
	SVG_HEAD,   /* 14 px bold */
	SVG_STRONG, /* 11 px */
	SVG_MUTED,  /* 11 px, grey */
	SVG_LABEL,  /* 9.5 px */
	SVG_SMALL,  /* 9.5 px, grey */
	SVG_TEXTS
};

enum svg_anchor { SVG_START, SVG_MIDDLE, SVG_END };

struct cables;

/* Receives where the cells of a picture are, for a script: a JSON object for each matrix of mosaic_channel(), separated by commas. */
struct svg_places {
	FILE *file;
	const struct cables *cables; /* the cells name a channel by 2 * cable + direction */
};

struct svg {
	const struct svg_places *places; /* NULL: not wanted */
	FILE *file;                      /* to the memory */
	char *text;                      /* [length] once closed */
	size_t length;
	double x, y;          /* origin of what is drawn */
	double width, height; /* extent so far */
	double inset;         /* of the rectangles of the path that is written */
};

/* Begins a picture. Returns 0, or -1 if out of memory; call svg_clear() in every case. */
int svg_init(struct svg *svg, struct error *error);
void svg_clear(struct svg *svg);

/*
 * Ends the picture and writes it as one element svg with its size, its title for screen readers, and these further attributes ("" for
 * none). Returns 0, or -1 if out of memory. Whoever writes a file of its own puts the declaration of XML before it.
 */
int svg_end(struct svg *svg, FILE *file, const char *title, const char *attributes, struct error *error);

/* The extent includes this point, seen from the origin. */
void svg_reach(struct svg *svg, double x, double y);

/* Returns where the free space below everything so far begins, seen from the origin. */
double svg_bottom(const struct svg *svg);

/* Writes a text, cleaned of control characters. y: its base line. The extent grows by an estimate of its width. */
void svg_text(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, const char *text);

/* Writes a text that is shortened at its end if it is wider. */
void svg_text_fit(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, double width, const char *text);

/* Writes a text in lines that are no wider, broken at spaces. Returns the base line of the last one. */
double svg_paragraph(struct svg *svg, double x, double y, enum svg_text kind, double width, const char *text);

/* Writes a text as printf does; not for names longer than 400 bytes. */
void svg_textf(struct svg *svg, double x, double y, enum svg_text kind, enum svg_anchor anchor, const char *format, ...)
	__attribute__((format(printf, 6, 7)));

/* Many texts of one kind: begins them, adds one, which does not count for the extent but with its anchor; svg_group_end() ends them. */
void svg_texts_begin(struct svg *svg, enum svg_text kind, enum svg_anchor anchor);
void svg_texts_add(struct svg *svg, double x, double y, const char *text);

/* The same, turned upwards by so many degrees; its end counts for the extent, as that of an SVG_LABEL. */
void svg_texts_add_turned(struct svg *svg, double x, double y, double degrees, const char *text);

/* Returns the width that svg_text() estimates, and the size of its letters. */
double svg_text_width(enum svg_text kind, const char *text);
double svg_text_size(enum svg_text kind);

/* Writes a text for the element around it, which browsers show as its tooltip. */
void svg_tooltip(struct svg *svg, const char *text);

/* Draws a rectangle of a load class. */
void svg_rect(struct svg *svg, double x, double y, double width, double height, enum load_class_number class);

/* Draws a rectangle of another class, with attributes of its own. */
void svg_box(struct svg *svg, double x, double y, double width, double height, const char *class, const char *attributes);

/* Draws a line of a class ("grid", "frame", "axis"), with attributes of its own. */
void svg_line(struct svg *svg, double x, double y, double to_x, double to_y, const char *class, const char *attributes);

/* Draws a cubic Bézier curve: four points, x and y each. */
void svg_curve(struct svg *svg, const double point[8], const char *colour, const char *class, double width);

/* Begins the path of a load class, to which svg_path_rect() adds rectangles; ends it. */
void svg_path_begin(struct svg *svg, enum load_class_number class);
void svg_path_rect(struct svg *svg, double x, double y, double width, double height);
void svg_path_end(struct svg *svg);

/* Begins and ends a group with attributes, written as they are. */
void svg_group(struct svg *svg, const char *attributes);
void svg_group_end(struct svg *svg);

/* Writes a length or a coordinate without superfluous digits. */
void svg_number(struct svg *svg, double number);

/* Writes a text as content of XML: cleaned, its special characters escaped. */
void svg_escape(FILE *file, const char *text);

#endif
