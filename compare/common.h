/* Fabrics with different hosts are compared by those that all have. For comparison.c. */
#ifndef COMPARE_COMMON_H
#define COMPARE_COMMON_H

#include "compare/comparison.h"

/* Chooses the hosts that all fabrics have, places the ranks on them, and notes what each fabric lacks; in process 0. Reads all fabrics. */
void comparison_choose_common(struct comparison *c, struct error *error);

#endif
