/*
 * Any bytes as the logs that the ranks of a recorded program have left: the first byte says which part of the rest is that of the first of
 * two ranks. They become a trace, which is refused in one line, or a graph that is in order.
 */
#include "target.h"
#include "task_graph_checks.h"
#include "tools/record/record_log.h"
#include "tools/record/trace_writer.h"

enum { RANKS = 2 };

/* A log of these records. */
static struct memory_file log_of(uint32_t rank, const uint8_t *data, size_t size)
{
	struct record_header header = {.magic = RECORD_MAGIC, .rank = rank, .ranks = RANKS, .state = RECORD_FINALIZED};
	uint8_t *log = calloc(1, RECORD_HEADER + size + 1);
	CHECK(log);
	memcpy(log, &header, sizeof header);
	if (size)
		memcpy(log + RECORD_HEADER, data, size);
	struct memory_file memory = memory_file_create(log, RECORD_HEADER + size);
	free(log);
	return memory;
}

static void replay(const char *path)
{
	char spec[80];
	snprintf(spec, sizeof spec, "trace:%s", path);
	check_workload(spec, RANKS, RANKS);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	size_t rest = size ? size - 1 : 0, first = size ? rest * data[0] / 255 : 0;
	const uint8_t *records = size ? data + 1 : data;
	struct memory_file log[RANKS] = {log_of(0, records, first), log_of(1, records + first, rest - first)};
	struct memory_file trace = memory_file_create("", 0);
	struct rank_logs logs = {.path = (char *[]){log[0].path, log[1].path}, .ranks = RANKS};
	struct trace_facts facts;
	struct error error = {0};
	struct text_sink *sink = malloc(sizeof *sink);
	FILE *file = fopen(trace.path, "w");
	CHECK(sink && file);
	if (!text_sink_open(sink, file, &error)) {
		trace_write(&logs, sink, &facts, &error);
		text_sink_close(sink);
	}
	fclose(file);
	free(sink);
	if (error.status)
		check_refused(&error, REFUSED_FABRIC);
	else
		replay(trace.path);
	for (int rank = 0; rank < RANKS; rank++)
		memory_file_close(&log[rank]);
	memory_file_close(&trace);
	return 0;
}
