/* Turns the logs of all ranks into a trace of events, see orcs-traces(5). */
#ifndef TOOLS_RECORD_TRACE_WRITER_H
#define TOOLS_RECORD_TRACE_WRITER_H

#include "tools/record/message_counts.h"
#include "tools/record/rank_communicators.h"
#include "tools/record/text_sink.h"

/* The logs of one program. */
struct rank_logs {
	char **path;    /* [ranks] NULL: a rank has none */
	uint32_t ranks; /* of the program */
};

/* What the trace has, and what not. */
struct trace_facts {
	uint64_t calls, dropped;     /* dropped: messages in communicators whose members are not known */
	uint64_t left_out;           /* bits of enum record_left_out */
	uint32_t missing, cut, full; /* ranks without a log, with one that ends before MPI_Finalize, with one that could not grow */
	uint32_t first_cut;          /* a rank of those */
	int full_error;
	bool aborted;
	uint32_t abort_rank, abort_status;
	double wall, cpu; /* seconds of computation of all ranks */
	struct messages_alone alone;
	bool incomplete;
};

/* Writes the trace. Returns 0, or -1: STATUS_IO, STATUS_FABRIC for a file that is no log. */
int trace_write(const struct rank_logs *logs, struct text_sink *sink, struct trace_facts *facts, struct error *error);

#endif
