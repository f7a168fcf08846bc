#include "orcs/timeline.h"

#include "base/memory.h"
#include "base/shown.h"
#include "base/values.h"
#include "engines/computations.h"
#include "scheduling/schedule.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *host_name(const struct task_times *times, const struct fabric *fabric, uint32_t task)
{
	return fabric->labels->name[fabric->host_node[times->host[task]]];
}

/* Writes picoseconds as microseconds, the unit of traces, or as seconds, with all digits. */
static void write_time(FILE *file, uint64_t time, uint64_t unit, int digits)
{
	fprintf(file, "%" PRIu64 ".%0*" PRIu64, time / unit, digits, time % unit);
}

static void write_microseconds(FILE *file, const char *key, uint64_t time)
{
	fprintf(file, ",\"%s\":", key);
	write_time(file, time, UINT64_C(1000000), 6);
}

/* Returns [operations] whether each is a computation that overlaps with another of its task. NULL if out of memory. */
static bool *find_overlaps(const struct task_times *times, struct error *error)
{
	size_t count;
	const uint32_t *task = times->graph->task;
	uint32_t *list = computations_of(times, &count, error), longest = 0; /* the computation of the task that ends last so far */
	bool *overlaps = array_create(times->graph->operations, sizeof *overlaps, error);
	for (size_t i = 0; list && overlaps && i < count; i++) {
		uint32_t o = list[i];
		bool same = i && task[list[i - 1]] == task[o];
		if (same && times->begun[o] < times->ended[longest])
			overlaps[o] = overlaps[longest] = true;
		if (!same || times->ended[o] > times->ended[longest])
			longest = o;
	}
	free(list);
	return overlaps;
}

/* Writes an asynchronous event, which may overlap with others of the task: its begin with args, and its end. */
static void write_async(FILE *file, const struct task_times *times, uint32_t o, const char *category, const char *name, const char *args)
{
	uint32_t task = times->graph->task[o];
	write_microseconds(file, "ts", times->begun[o]);
	fprintf(file, ",\"ph\":\"b\",\"id\":%" PRIu32 ",\"name\":\"%s\"%s},\n", o, name, args);
	fprintf(file, "{\"pid\":0,\"tid\":%" PRIu32 ",\"cat\":\"%s\"", task, category);
	write_microseconds(file, "ts", times->ended[o]);
	fprintf(file, ",\"ph\":\"e\",\"id\":%" PRIu32 ",\"name\":\"%s\"}", o, name);
}

/* Returns whether the route of the message is known; a message lost without a route has no length. */
static bool has_route(const struct task_times *times, uint32_t operation)
{
	return !times->lost || !times->lost[operation] || times->hops[operation];
}

static void write_message(FILE *file, const struct task_times *times, uint32_t o)
{
	const struct task_graph *g = times->graph;
	char name[20], hops[20] = "", args[100];
	snprintf(name, sizeof name, "to %" PRIu32, g->receiver[o]);
	if (has_route(times, o))
		snprintf(hops, sizeof hops, ",\"hops\":%u", times->hops[o]);
	snprintf(args, sizeof args, ",\"args\":{\"bytes\":%.17g%s%s}", g->size[o], hops,
		times->lost && times->lost[o] ? ",\"delivered\":false" : "");
	write_async(file, times, o, "message", name, args);
}

/* Writes the metadata of a row: the name of a process, or of a thread of it. */
static void write_row_name(FILE *file, const char *kind, int process, uint32_t row, const char *name)
{
	fprintf(file, ",\n{\"ph\":\"M\",\"name\":\"%s\",\"pid\":%d,\"tid\":%" PRIu32 ",\"args\":{\"name\":", kind, process, row);
	json_text(file, name);
	fputs("}}", file);
}

/* Writes the jobs of a queue: a row for each host of the machine, as a process of their own. */
static void write_jobs(FILE *file, const struct schedule *schedule, const struct fabric *fabric)
{
	enum { TASKS = 0, HOSTS = 1 };
	const struct machine *machine = &schedule->machine;
	write_row_name(file, "process_name", TASKS, 0, "tasks");
	write_row_name(file, "process_name", HOSTS, 0, "hosts");
	for (uint32_t h = 0; h < machine->hosts; h++)
		write_row_name(file, "thread_name", HOSTS, h, fabric->labels->name[fabric->host_node[machine->host[h]]]);
	for (uint32_t j = 0; j < schedule->queue->jobs; j++) {
		const struct queued_job *job = &schedule->queue->job[j];
		const struct placed_job *placed = &schedule->placed[j];
		for (uint32_t t = 0; t < job->tasks; t++) {
			fprintf(file, ",\n{\"pid\":%d,\"tid\":%" PRIu32 ",\"cat\":\"job\"", HOSTS, schedule->position[job->first + t]);
			write_microseconds(file, "ts", placed->start);
			write_microseconds(file, "dur", placed->end - placed->start);
			fputs(",\"ph\":\"X\",\"name\":", file);
			json_text(file, queued_id(schedule->queue, j));
			fprintf(file, ",\"args\":{\"task\":%" PRIu32, t);
			write_microseconds(file, "submit", placed->submit);
			fputs("}}", file);
		}
	}
}

/* Names a task, of a queue after its job. */
static void name_task(const struct task_times *times, const struct fabric *fabric, uint32_t task, uint32_t *job, char *name, size_t size)
{
	const struct job_queue *queue = times->schedule ? times->schedule->queue : NULL;
	while (queue && task >= queue->job[*job].first + queue->job[*job].tasks)
		++*job;
	if (queue)
		snprintf(name, size, "task %" PRIu32 " of %s on %s", task - queue->job[*job].first, queued_id(queue, *job),
			host_name(times, fabric, task));
	else
		snprintf(name, size, "task %" PRIu32 " on %s", task, host_name(times, fabric, task));
}

void timeline_write(const struct task_times *times, const struct fabric *fabric, FILE *file)
{
	const struct task_graph *g = times->graph;
	const char *before = "";
	uint32_t job = 0;
	fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", file);
	for (uint32_t t = 0; t < g->tasks; t++) {
		fprintf(file, "%s{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":0,\"tid\":%" PRIu32 ",\"args\":{\"name\":", before, t);
		char name[SHOWN_SIZE];
		name_task(times, fabric, t, &job, name, sizeof name);
		json_text(file, name);
		fputs("}}", file);
		before = ",\n";
	}
	if (times->schedule)
		write_jobs(file, times->schedule, fabric);
	struct error error = {0};
	bool *overlaps = find_overlaps(times, &error); /* if out of memory, all computations become asynchronous events */
	for (uint32_t o = 0; o < g->operations; o++) {
		bool message = g->kind[o] == OPERATION_MESSAGE;
		const char *category = message                         ? "message"
				       : g->kind[o] == OPERATION_READ  ? "read"
				       : g->kind[o] == OPERATION_WRITE ? "write"
								       : "compute";
		if (!message && g->kind[o] != OPERATION_COMPUTE && !is_transfer(g, o))
			continue;
		fprintf(file, "%s{\"pid\":0,\"tid\":%" PRIu32 ",\"cat\":\"%s\"", before, g->task[o], category);
		if (message) {
			write_message(file, times, o);
		} else if (!overlaps || overlaps[o] || is_transfer(g, o)) {
			char args[100] = "";
			if (is_transfer(g, o))
				snprintf(args, sizeof args, ",\"args\":{\"bytes\":%.17g}", g->size[o]);
			write_async(file, times, o, category, category, args);
		} else {
			write_microseconds(file, "ts", times->begun[o]);
			write_microseconds(file, "dur", times->ended[o] - times->begun[o]);
			fputs(",\"ph\":\"X\",\"name\":\"compute\"}", file);
		}
		before = ",\n";
	}
	free(overlaps);
	fputs("\n]}\n", file);
}

void timeline_flows(const struct task_times *times, const struct fabric *fabric, FILE *file)
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
		if (has_route(times, o))
			fprintf(file, ",%.9g,%u,%d\n", times->zero_load[o], times->hops[o], !(times->lost && times->lost[o]));
		else
			fputs(",,,0\n", file);
	}
}
