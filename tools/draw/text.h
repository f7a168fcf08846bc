/* Texts in a picture: names come from files and can contain anything; show_text() returns clean texts. */
#ifndef TOOLS_DRAW_TEXT_H
#define TOOLS_DRAW_TEXT_H

#include <stddef.h>
#include <stdio.h>

/*
 * Shortens a clean text to this number of characters: an ellipsis replaces those after the first kept ones, kept < characters. Shorter
 * texts are not changed.
 */
void text_shorten(char *text, size_t characters, size_t kept);

/* Returns the width of a clean text in points: that of a wide font, so that it fits in others. */
double text_width(const char *text, double font_size);

/* Compares like strcmp, but numbers by value: leaf9 precedes leaf10. */
int text_compare(const char *a, const char *b);

/* Writes a clean text into a quoted dot string that Graphviz displays unchanged: a label. Newlines start a new line. */
void text_put_quoted(FILE *file, const char *text);

/* The same for a tooltip. */
void text_put_tooltip(FILE *file, const char *text);

/* The same for an HTML-like label. */
void text_put_html(FILE *file, const char *text);

#endif
