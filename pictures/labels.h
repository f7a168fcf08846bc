/*
 * A short name for every node, no two alike. From the description, if no other node has it, otherwise the name in the graph:
 *   - boards of a director (fabric/chassis.h) are CHASSIS/L05.1, for board L05 and chip U1
 *   - what the names of all other switches begin or end with is left out, up to a separator, likewise of all hosts
 *   - switches whose names say only their GUID, or whose names several have, are the last digits of the GUID, as few as tell them apart
 *   - long names lose their middle, at the same place in all; names that would become alike stay whole
 */
#ifndef PICTURES_LABELS_H
#define PICTURES_LABELS_H

#include "fabric/chassis.h"

enum { LABEL_LENGTH = 24 /* characters of labels whose middle may go */ };

struct labels {
	const char **text;    /* [nodes] printable (base/shown.h), different from those of all other nodes */
	const char **chassis; /* [chassis] what the names of the chassis do not share */
	void *pool;           /* an arena */
};

/*
 * Sets the title of every node: its description if no other node has it, otherwise its name: a description that several share, such as a
 * factory default, names none of them. title: [nodes], borrowed from the fabric. Returns 0, or -1 if out of memory.
 */
int titles_find(const struct fabric *fabric, const char **title, struct error *error);

/* Returns 0, or -1 if out of memory; call labels_clear() in every case. The fabric has labels. Time O(nodes log nodes). */
int labels_make(struct labels *labels, const struct fabric *fabric, const struct chassis_list *chassis, struct error *error);
void labels_clear(struct labels *labels);

#endif
