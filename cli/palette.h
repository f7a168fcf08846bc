/* Colours for congestion, from 0 (least) to 1 (most). */
#ifndef CLI_PALETTE_H
#define CLI_PALETTE_H

#include <stddef.h>

/* The names of the palettes, ends with NULL: the paper's green to red, and two that are safe for colour-blind readers. */
extern const char *const palettes[];

/* Writes the colour of the share (clamped to 0..1) to text in Graphviz's syntax. Returns 0, or -1 for an unknown palette. */
int palette_colour(const char *palette, double share, char *text, size_t size);

/* Returns the same colour as 0xRRGGBB; that of the first palette if it is unknown. */
unsigned palette_rgb(const char *palette, double share);

#endif
