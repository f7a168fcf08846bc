/*
 * Cells in rows and columns, each of the colour of a load class, or divided into parts from left to right. Neighbouring parts of the same
 * class become one rectangle, in both directions, so that a picture is small where all is alike.
 */
#ifndef PICTURES_MOSAIC_H
#define PICTURES_MOSAIC_H

#include "pictures/svg.h"

#include <stdint.h>

/* A part is 0 where there is nothing, mosaic_class() or MOSAIC_HOLE. */
enum { MOSAIC_HOLE = LOAD_CLASSES + 1, MOSAIC_PARTS = 24 /* most parts of a cell */ };

/* A channel in a cell, for svg_places. */
struct mosaic_slice {
	uint32_t cell, slice, channel;
};

struct mosaic {
	uint8_t *part; /* [rows][columns * parts] */
	uint32_t rows, columns, parts;
	struct mosaic_slice *slice; /* [slices] */
	size_t slices, capacity;
};

/* Begins with empty cells. Returns 0, or -1 if out of memory; call mosaic_clear() in every case. */
int mosaic_init(struct mosaic *mosaic, uint32_t rows, uint32_t columns, uint32_t parts, struct error *error);
void mosaic_clear(struct mosaic *mosaic);

static inline uint8_t mosaic_class(unsigned class)
{
	return (uint8_t)(1 + class);
}

/*
 * Marks a slice of a cell that has so many, which need not divide its parts. Where slices are too narrow to be told apart, the worst of
 * them is seen.
 */
void mosaic_mark(const struct mosaic *mosaic, uint32_t row, uint32_t column, uint32_t slice, uint32_t slices, uint8_t value);

/* Marks a slice by the class of a channel, which the script is told if the picture has places. Returns 0, or -1 if out of memory. */
int mosaic_channel(const struct svg *svg, struct mosaic *mosaic, uint32_t row, uint32_t column, uint32_t slice, uint32_t slices,
	unsigned class, uint32_t channel, struct error *error);

/* Returns whether nothing marks the first part of a cell. */
bool mosaic_is_empty(const struct mosaic *mosaic, uint32_t row, uint32_t column);

/* Draws the cells with lines between them and a frame around them, and empties them. Returns 0, or -1 if out of memory. */
int mosaic_draw(struct svg *svg, struct mosaic *mosaic, double x, double y, double cell, struct error *error);

#endif
