/* What a string in quotes, and a list of names in one, can hold as Graphviz and orcs read them back, see orcs-dot(5). */
#ifndef BASE_DOT_STRING_H
#define BASE_DOT_STRING_H

#include <stdbool.h>

/* Whether the text comes back unchanged where it stands between quotes and a backslash is put before each quote in it. Graphviz keeps
 * backslashes, but takes one before a quote or the end of a line for its own, and (2.42) drops an end of line that stands alone between
 * quotes and backslashes. */
bool dot_string_fits(const char *text);

/*
 * Why the name of a host cannot stand in a list of names: what it has or is, for a message; NULL: it can. marks: the characters that end a
 * name in that list, "," in forwarding sets, ",;" in weights and service levels.
 */
const char *dot_list_fault(const char *name, const char *marks);

#endif
