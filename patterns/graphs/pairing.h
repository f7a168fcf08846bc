/*
 * Matches messages with receives, for traces whose receives do not all block: of one sender, receiver and tag the first message is taken by
 * the first receive, the second by the second.
 */
#ifndef PATTERNS_GRAPHS_PAIRING_H
#define PATTERNS_GRAPHS_PAIRING_H

#include "patterns/task_graph.h"

/* A message, or a receive. */
struct half {
	uint64_t tag;
	uint32_t sender, receiver;
	bool receive;
	bool rendezvous;    /* the message begins only when the receive is posted */
	uint32_t operation; /* the message, or the join that waits for it */
	uint32_t posted;    /* the receive is posted when that operation has ended; OPERATION_NONE: at the beginning, or not needed */
	uint32_t order;     /* set by pairing_add() */
	uint32_t place;     /* set by posting_order(), otherwise 0: takes precedence over order */
	uint32_t line;
	const char *file; /* for messages, borrowed */
};

struct pairing {
	struct half *list;
	size_t count, capacity;
	bool by_posting; /* the first is the one posted first, not the one added first */
};

/* Compares by sender, receiver and tag, for qsort(). */
int pairing_compare(const struct half *a, const struct half *b);

/* Appends a message or receive to the list. */
void pairing_add(struct pairing *pairing, struct half half, struct error *error);

/*
 * Makes receives wait for their messages, and empties the list. Returns 0, or -1: with STATUS_FABRIC if one of them has no counterpart.
 * Time that of sorting them.
 */
int pairing_end(struct pairing *pairing, struct task_builder *builder, struct error *error);
void pairing_clear(struct pairing *pairing);

#endif
