/* In which order messages and receives are posted that dependencies order, not the lines of a file. */
#ifndef PATTERNS_GRAPHS_POSTING_H
#define PATTERNS_GRAPHS_POSTING_H

#include "patterns/graphs/pairing.h"

/*
 * Sets the places of a list that is sorted by sender, receiver and tag, of these messages first: the order in which all are posted when
 * computations take their time and messages none, but come after all else of that time; of what is posted together, that of the operations.
 * So what comes after another by dependencies is posted later, whatever the network is like. What is never posted comes last. Returns 0, or
 * -1 without the memory. Time O((operations + waits) log operations).
 */
int posting_order(struct half *list, size_t count, struct task_builder *builder, struct error *error);

#endif
