/* Director chassis: switches with the names of boards, such as "MF0;core1:CS7500/L02/U1" (leaf board 2, chip 1) and ".../S09/U1". */
#ifndef TOOLS_CHECK_DIRECTORS_H
#define TOOLS_CHECK_DIRECTORS_H

#include "fabric/fabric.h"

struct director {
	const char *name; /* [length] what the names of its switches begin with; borrowed */
	int length;
	uint32_t leaf_boards, spine_boards, switches;
};

struct directors {
	struct director *director; /* [count] by their boards, then by name */
	uint32_t count;
};

/* Finds the directors of a fabric with labels. Returns 0, or -1 if out of memory; call directors_clear() in every case. */
int directors_find(struct directors *directors, const struct fabric *fabric, struct error *error);
void directors_clear(struct directors *directors);

/* Returns whether two directors have equally many boards and switches. */
bool directors_alike(const struct director *a, const struct director *b);

#endif
