/* The result of orcs-trace as text and JSON. */
#ifndef TOOLS_TRACE_TRACE_REPORT_H
#define TOOLS_TRACE_TRACE_REPORT_H

#include "tools/trace/channel_use.h"
#include "tools/trace/pair_routes.h"

/* The routes of a pair, in one direction or both, and who else uses their channels. */
struct pair_trace {
	struct pair_routes direction[2];
	struct channel_use *use; /* [uses] by channel, ascending; without --share none */
	uint32_t uses;
};

/* Who uses a cable: one channel, or both. */
struct channel_trace {
	struct channel_use use[2];
	uint32_t channels;
	const char *const *group; /* names of the groups */
};

/* Write the result to file. Errors of writing stay in the FILE. Return 0, or -1 if out of memory. */
int pair_trace_report(const struct trace_options *options, const struct trace_network *network, const struct pair_trace *trace, FILE *file,
	struct error *error);
int channel_trace_report(const struct trace_options *options, const struct trace_network *network, const struct channel_trace *trace,
	FILE *file, struct error *error);

#endif
