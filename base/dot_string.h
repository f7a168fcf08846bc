/* The texts that a quoted string, or a list of names in one, can hold such that Graphviz and orcs read them back, see orcs-dot(5). */
#ifndef BASE_DOT_STRING_H
#define BASE_DOT_STRING_H

#include <stdbool.h>

/*
 * Returns whether the text is read back unchanged if it stands between quotes and each quote in it is escaped by a backslash. Graphviz
 * keeps backslashes, but interprets one before a quote or the end of a line, and (2.42) drops an end of line that stands alone between
 * quotes and backslashes.
 */
bool dot_string_fits(const char *text);

/*
 * Returns why the name of a host cannot stand in a list of names, for a message; NULL if it can. marks: the characters that end a name in
 * that list, "," in forwarding sets, ",;" in weights and service levels.
 */
const char *dot_list_fault(const char *name, const char *marks);

#endif
