/* Which messages of a program were sent and not received, or the other way round: the differences of sends and receives. */
#ifndef TOOLS_RECORD_MESSAGE_COUNTS_H
#define TOOLS_RECORD_MESSAGE_COUNTS_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct message_kind {
	uint32_t from, to, communicator, tag;
};

/* Zero at the beginning. */
struct message_counts {
	struct message_count {
		struct message_kind kind;
		int64_t more; /* sends than receives */
		bool used;
	} * slot; /* [mask + 1] a hash table */
	size_t mask, used;
	uint64_t open; /* receives of which the message is not known */
};

/* Adds a send (1) or a receive (-1). */
void message_counts_add(struct message_counts *counts, struct message_kind kind, int more, struct error *error);

/* What is left: messages that were not received, with one of them, and receives without a message. */
struct messages_alone {
	uint64_t sends, receives;
	struct message_kind first; /* the smallest, of the messages */
};
struct messages_alone message_counts_alone(const struct message_counts *counts);

void message_counts_clear(struct message_counts *counts);

#endif
