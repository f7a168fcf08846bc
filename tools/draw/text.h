/* Texts that go into a picture: names come from files and may hold anything; a text is clean that comes from show_text(). */
#ifndef TOOLS_DRAW_TEXT_H
#define TOOLS_DRAW_TEXT_H

#include <stddef.h>
#include <stdio.h>

/* Cuts a clean text to at most so many characters: the middle becomes an ellipsis, since names differ at their ends. */
void text_shorten(char *text, size_t characters);

/* The width of a clean text in points: that of a wide font, so that it fits in the others. */
double text_width(const char *text, double font_size);

/* Compares like strcmp, but numbers by their value: leaf9 stands before leaf10. */
int text_compare(const char *a, const char *b);

/* Writes a clean text for the inside of a quoted dot string that Graphviz shows as it is: a label. Newlines start a new line. */
void text_put_quoted(FILE *file, const char *text);

/* The same for a tooltip. */
void text_put_tooltip(FILE *file, const char *text);

/* The same for the inside of an HTML-like label. */
void text_put_html(FILE *file, const char *text);

#endif
