/* The order in which messages and receives are posted if dependencies determine it, not the lines of a file. */
#ifndef PATTERNS_GRAPHS_POSTING_H
#define PATTERNS_GRAPHS_POSTING_H

#include "patterns/graphs/pairing.h"

/*
 * Sets the orders of a list that is sorted by sender, receiver and tag, the messages of these first: the order in which all are posted if
 * computations take their time and messages none, but arrive after everything else of that time; if posted together, that of the
 * operations. So what depends on another is posted later, whatever the network. What is never posted is last. Returns 0, or -1 if out of
 * memory. Time O((operations + waits) log operations).
 */
int posting_order(struct half *list, size_t count, struct task_builder *builder, struct error *error);

#endif
