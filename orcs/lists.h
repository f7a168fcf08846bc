/* What there is: --list. */
#ifndef ORCS_LISTS_H
#define ORCS_LISTS_H

#include <stdio.h>

/* The names of the lists, ends with NULL; the last is all of them. */
extern const char *const list_names[];

/* Writes the list of that number. */
void list_write(int list, FILE *file);

#endif
