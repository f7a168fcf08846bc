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
	uint32_t operation; /* the message, or the join that waits for it */
	uint32_t posted;    /* the receive is posted when that operation has ended; OPERATION_NONE: at the beginning, or not needed */
	uint32_t order;     /* set by pairing_add(); posting_order() sets another */
	uint32_t line;
	unsigned file : 24; /* set by pairing_add() */
	bool receive : 1;
	bool rendezvous : 1; /* the message begins only when the receive is posted */
	/* for callers, false at the end: the numbers are not the final ones yet; a receive accepts any sender, any tag */
	bool unresolved : 1, any_sender : 1, any_tag : 1;
	bool dropped : 1;  /* it takes no part */
	bool reversed : 1; /* for callers: the task of the message is its receiver */
};

struct pairing {
	struct half *list;
	size_t count, capacity;
	const char **file; /* borrowed names */
	size_t files, file_capacity;
	bool by_posting; /* the first is the one posted first, not the one added first */
	bool incomplete; /* the trace is known to lack calls: messages and receives without a counterpart are counted, not refused */
	uint64_t alone;  /* their number */
};

/* Compares by sender, receiver and tag. */
int pairing_compare(const struct half *a, const struct half *b);

/* Appends a message or receive of a file, whose name is borrowed, to the list. */
void pairing_add(struct pairing *pairing, struct half half, const char *file, struct error *error);

/*
 * Makes receives wait for their messages, and empties the list. Returns 0, or -1: with STATUS_FABRIC if one of them has no counterpart.
 * Time O(messages), besides sorting those of one sender and receiver by their tags, and by their posting.
 */
int pairing_end(struct pairing *pairing, struct task_builder *builder, struct error *error);
void pairing_clear(struct pairing *pairing);

#endif
