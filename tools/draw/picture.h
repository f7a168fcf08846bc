/* Renders a drawing to a file. */
#ifndef TOOLS_DRAW_PICTURE_H
#define TOOLS_DRAW_PICTURE_H

#include "tools/draw/drawing.h"

#include <stdio.h>

enum picture_format { PICTURE_SVG, PICTURE_PNG, PICTURE_PDF };

/* Names of the formats, and endings of files; ends with NULL. */
extern const char *const picture_formats[];

/*
 * Renders with Graphviz what layout() and curves_draw() have placed. Returns a temporary file at its beginning, deleted when closed; NULL
 * on errors.
 */
FILE *picture_draw(const struct drawing *drawing, enum picture_format format, struct error *error);

/* Returns the name for the title: a topology's, a file without its directories, for standard input the topology; NULL: none. */
const char *picture_name(const struct fabric *fabric, const char *topology);

/* Returns whether the graph names a topology that is not the title. */
bool picture_has_topology(const struct fabric *fabric, const char *topology);

/* ---- parts */

/* Writes the legend, a label in HTML for Graphviz: the fabric, the scale, the hottest cable. */
void legend_write(const struct drawing *drawing, double font_size, FILE *file);

/* Writes a cable's direction as "NAME port 1 → NAME port 2". put: text_put_quoted or text_put_html. */
void put_direction(const struct drawing *drawing, uint32_t channel, void (*put)(FILE *, const char *), FILE *file);

/* Cleans and writes a name of any length. */
void put_name(const char *name, void (*put)(FILE *, const char *), FILE *file);

/* Returns the colour of the boxes of a chassis; those after the eighth have the colours of the first again. */
const char *chassis_colour(uint32_t chassis);

#endif
