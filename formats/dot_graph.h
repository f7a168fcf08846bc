/*
 * A dot file as a graph: the interface between the readers and the code that makes a fabric of the graph. Other code makes such graphs too.
 */
#ifndef FORMATS_DOT_GRAPH_H
#define FORMATS_DOT_GRAPH_H

#include "formats/dot.h"

struct dot_graph {
	struct attributes *attributes;
	uint32_t *first_channel; /* [nodes + 1] */
	uint32_t *head;          /* [channels] */
};

/*
 * Moves the nodes whose type is neither host nor switch, and the edges from and to them, out of the graph: they become the attributes'
 * other nodes. Returns 0, or -1 as dot_load() does.
 */
int dot_graph_split(struct dot_graph *graph, struct error *error);

/*
 * Reads the graph by cgraph, whatever its text is, and does not split it. dot_graph_read() reads most texts in another way (dot_plain.h),
 * with the same result. Returns 0, or -1 as dot_load() does.
 */
int dot_cgraph_read(struct dot_graph *graph, const struct dot_text *text, struct dot_report *report, struct error *error);

/* Reads the graph, and splits it. Returns 0, or -1 as dot_load() does. Call dot_graph_clear() in every case. */
int dot_graph_read(struct dot_graph *graph, const struct dot_text *text, struct dot_report *report, struct error *error);
void dot_graph_clear(struct dot_graph *graph);

/*
 * Makes a fabric of the graph, with the source name, which must live as long as the fabric; wanted attributes are moved out of the graph.
 * The results must be NULL before. Returns 0, or -1 with all of them NULL, as dot_load() does.
 */
int dot_graph_load(struct dot_graph *graph, const char *name, unsigned wants, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes **attributes, struct dot_report *report, struct error *error);

#endif
