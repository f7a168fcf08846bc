/* The lists of names for --list. */
#ifndef ORCS_LISTS_H
#define ORCS_LISTS_H

#include <stdio.h>

/* The names of the lists, ending with NULL; the last name means all lists. */
extern const char *const list_names[];

/* Writes the list with that index. */
void list_write(int list, FILE *file);

#endif
