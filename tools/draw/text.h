/* Texts in a picture: names come from files and can contain anything; show_text() returns clean texts. */
#ifndef TOOLS_DRAW_TEXT_H
#define TOOLS_DRAW_TEXT_H

#include <stdio.h>

/* Writes a clean text into a quoted dot string that Graphviz displays unchanged: a label. Newlines start a new line. */
void text_put_quoted(FILE *file, const char *text);

/* The same for a tooltip. */
void text_put_tooltip(FILE *file, const char *text);

/* The same for an HTML-like label. */
void text_put_html(FILE *file, const char *text);

#endif
