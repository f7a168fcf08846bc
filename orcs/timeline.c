#include "timeline.h"

#include "values.h"

#include <inttypes.h>

static const char *host_name(const struct flow_times *times, const struct fabric *fabric, uint32_t task)
{
	return fabric->labels->name[fabric->host_node[times->host[task]]];
}

/* Picoseconds as microseconds, the unit of traces, or as seconds: all digits, no more. */
static void write_time(FILE *file, uint64_t time, uint64_t unit, int digits)
{
	fprintf(file, "%" PRIu64 ".%0*" PRIu64, time / unit, digits, time % unit);
}

static void write_microseconds(FILE *file, const char *key, uint64_t time)
{
	fprintf(file, ",\"%s\":", key);
	write_time(file, time, UINT64_C(1000000), 6);
}

void timeline_write(const struct flow_times *times, const struct fabric *fabric, FILE *file)
{
	const struct task_graph *g = times->graph;
	const char *before = "";
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", file);
	for (uint32_t t = 0; t < g->tasks; t++) {
		fprintf(file, "%s{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":%" PRIu32 ",\"args\":{\"name\":", before, t);
		char name[200];
		snprintf(name, sizeof name, "task %" PRIu32 " on %.150s", t, host_name(times, fabric, t));
		json_text(file, name);
		fputs("}}", file);
		before = ",\n";
	}
	for (uint32_t o = 0; o < g->operations; o++) {
		bool message = g->kind[o] == OPERATION_MESSAGE;
		if (g->kind[o] == OPERATION_JOIN)
			continue;
		fprintf(file, "%s{\"pid\":0,\"tid\":%" PRIu32 ",\"cat\":\"%s\"", before, g->task[o], message ? "message" : "compute");
		write_microseconds(file, "ts", times->begun[o]);
		if (!message) {
			write_microseconds(file, "dur", times->ended[o] - times->begun[o]);
			fputs(",\"ph\":\"X\",\"name\":\"compute\"}", file);
		} else { /* messages of one task overlap: events of their own */
			fprintf(file, ",\"ph\":\"b\",\"id\":%" PRIu32 ",\"name\":\"to %" PRIu32 "\",\"args\":{\"bytes\":%.17g,\"hops\":%u}}", o,
				g->receiver[o], g->size[o], times->hops[o]);
			fprintf(file, ",\n{\"pid\":0,\"tid\":%" PRIu32 ",\"cat\":\"message\"", g->task[o]);
			write_microseconds(file, "ts", times->ended[o]);
			fprintf(file, ",\"ph\":\"e\",\"id\":%" PRIu32 ",\"name\":\"to %" PRIu32 "\"}", o, g->receiver[o]);
		}
		before = ",\n";
	}
	fputs("\n]}\n", file);
}

void timeline_flows(const struct flow_times *times, const struct fabric *fabric, FILE *file)
{
	const struct task_graph *g = times->graph;
	fputs("message,level,sender,receiver,from,to,bytes,begin,end,alone,hops,delivered\n", file);
	for (uint32_t o = 0, number = 0; o < g->operations; o++) {
		if (g->kind[o] != OPERATION_MESSAGE)
			continue;
		fprintf(file, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",", number++, g->level ? g->level[o] : 0, g->task[o],
			g->receiver[o]);
		csv_text(file, host_name(times, fabric, g->task[o]));
		putc(',', file);
		csv_text(file, host_name(times, fabric, g->receiver[o]));
		fprintf(file, ",%.17g,", g->size[o]);
		write_time(file, times->begun[o], UINT64_C(1000000000000), 12);
		putc(',', file);
		write_time(file, times->ended[o], UINT64_C(1000000000000), 12);
		fprintf(file, ",%.9g,%u,%d\n", times->alone[o], times->hops[o], !(times->lost && times->lost[o]));
	}
}
