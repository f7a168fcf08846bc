/* Names in pictures: their width, their order, and shorter ones. All texts are clean UTF-8 (base/shown.h). */
#ifndef PICTURES_LETTERING_H
#define PICTURES_LETTERING_H

#include <stddef.h>

/*
 * Shortens a clean text to this number of characters: an ellipsis replaces those after the first kept ones, kept < characters. Shorter
 * texts are not changed.
 */
void text_shorten(char *text, size_t characters, size_t kept);

/* Returns the width of a clean text in the unit of the font's size: that of a wide font, so that it fits in others. */
double text_width(const char *text, double font_size);

/* Compares like strcmp, but numbers by value: leaf9 precedes leaf10. */
int text_compare(const char *a, const char *b);

#endif
