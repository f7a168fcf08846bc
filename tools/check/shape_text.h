/* The shape in words. */
#ifndef TOOLS_CHECK_SHAPE_TEXT_H
#define TOOLS_CHECK_SHAPE_TEXT_H

#include "tools/check/check.h"

#include <stdio.h>

/* The line with the shape, what is missing, and how many cables deviate. */
void shape_write(FILE *file, const struct check *check);

/* The cables that deviate, up to so many; nothing where there are none. */
void shape_write_deviations(FILE *file, const struct check *check, uint64_t most);

#endif
