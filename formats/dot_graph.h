/* A dot file as a graph: between the reader, which alone knows cgraph, and what makes a fabric of it. Others make such graphs too. */
#ifndef FORMATS_DOT_GRAPH_H
#define FORMATS_DOT_GRAPH_H

#include "formats/dot.h"

struct dot_graph {
	struct attributes *attributes;
	uint32_t *first_channel; /* [nodes + 1] */
	uint32_t *head;          /* [channels] */
};

/* Reads it. Returns 0, or -1 as dot_load() does. dot_graph_clear() in every case. */
int dot_graph_read(struct dot_graph *graph, const struct dot_text *text, struct dot_report *report, struct error *error);
void dot_graph_clear(struct dot_graph *graph);

/* Makes the fabric of it, whose source is called name, which must live as long; attributes that are wanted are taken from the graph. The
 * results are NULL before. Returns 0, or -1 with all of them NULL, as dot_load() does. */
int dot_graph_load(struct dot_graph *graph, const char *name, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error);

#endif
