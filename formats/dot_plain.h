/*
 * A reader of the part of dot that fabrics are mostly written in, several times as fast as cgraph: a directed graph of statements of nodes,
 * of single edges, and of attributes. It does not know subgraphs, node lists, chains of edges, ports, HTML, names of edges, strings that
 * are joined or span lines, lines that begin with '#', and names with other letters than those of ASCII outside of quotes; and it leaves
 * all errors to cgraph, which reports them.
 */
#ifndef FORMATS_DOT_PLAIN_H
#define FORMATS_DOT_PLAIN_H

#include "formats/dot_graph.h"

/* Returns whether a text can be such a graph, by its beginning: more of it may follow. The text ends with a NUL. */
bool dot_plain_begins(const char *text);

/*
 * Reads the text, which ends with a NUL and has none before; the graph is then the same as cgraph's, before it is split. Takes the text,
 * which malloc() allocated, if it returns 1. Returns 0 with the text unchanged if cgraph must read it, -1 if out of memory. Time
 * O(length + attributes * objects).
 */
int dot_plain_read(struct dot_graph *graph, char *text, size_t length, struct error *error);

#endif
