/*
 * What an order of ranks has to carry: the messages of a pattern, by levels. The messages of a level are under way at the same time, and
 * levels follow one another. A task graph whose operations wait for one another has a level for each number of messages that precede one.
 */
#ifndef TOOLS_ORDER_RANK_MESSAGES_H
#define TOOLS_ORDER_RANK_MESSAGES_H

#include "base/files.h"
#include "patterns/pattern.h"

/* A message; several between two ranks in one level are one, with the sum of their weights. */
struct rank_message {
	uint32_t sender, receiver; /* ranks */
	double weight;             /* 1, or bytes, times those of the file of weights */
};

struct rank_messages {
	uint32_t ranks, levels;
	uint64_t *first; /* [levels + 1] the messages of level l are message[first[l]] .. message[first[l + 1] - 1], by ranks */
	struct rank_message *message; /* [first[levels]] */
	double *times;                /* [levels] so often the level occurs: equal ones are kept once */
	double *least;                /* [levels] what one rank sends or receives at least somewhere, whatever the order */
	uint64_t all_levels;          /* of the pattern */
	bool sized;                   /* weights are bytes, or those of a file: not all are 1 */
	bool drawn;                   /* the pattern differs from run to run; these are the messages of its first */
	size_t capacity;
};

/*
 * Returns in *ranks the number of ranks that the pattern must have (0: any). Returns 0, or -1 with STATUS_USAGE, or STATUS_IO for its file.
 */
int rank_messages_count(const struct pattern_request *request, uint32_t *ranks, struct error *error);

/*
 * Lists the messages of a pattern. request->spec NULL: those of the file of weights, in one level. weights: a file with lines "sender
 * receiver weight" or "level weight"; NULL: none. Returns 0, or -1: STATUS_USAGE for a pattern that does not fit this number of ranks or
 * has no message, STATUS_IO. Call rank_messages_clear() in either case. Time O(messages log messages).
 */
int rank_messages_make(
	struct rank_messages *messages, const struct pattern_request *request, uint32_t ranks, const char *weights, struct error *error);
/* Sorts messages by their ranks and adds up those between the same two. Returns their number. */
uint64_t rank_messages_merge(struct rank_message *message, uint64_t count);

void rank_messages_clear(struct rank_messages *messages);

#endif
