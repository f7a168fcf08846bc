/* The shape in words. */
#ifndef TOOLS_CHECK_SHAPE_TEXT_H
#define TOOLS_CHECK_SHAPE_TEXT_H

#include "base/document.h"
#include "tools/check/check.h"

/* Adds the members of the shape, and says it in a line with what is missing, and how many cables deviate. */
void report_shape(struct node *to, const struct check *check);

/* Adds the cables that deviate, and says up to so many of them; nothing where there are none. */
void report_deviations(struct node *to, const struct check *check, uint64_t most);

#endif
