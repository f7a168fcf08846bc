/* Traces of DUMPI, the recorder of SST: a file of binary records for each rank, see orcs-traces(5). */
#include "base/files.h"
#include "base/memory.h"
#include "patterns/graphs/traces/dumpi_calls.h"
#include "patterns/graphs/traces/rank_files.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_PREFIX, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };

static const struct arg dumpi_args[] = {
	{"PREFIX", ARG_WORD, NULL, 0, 0, "PREFIX.meta and PREFIX-0000.bin, PREFIX-0001.bin and so on"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("65536", ""),
	REPLAY_ARG_COMPUTE(", cpu (of the processor)"),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

/* ---- files */

/* The number of characters of "-0000.bin", the end of the path of a rank; 0 if the path ends otherwise. */
static size_t rank_end(const char *path, size_t length)
{
	size_t digits = 0;
	if (length < 4 || strcmp(path + length - 4, ".bin"))
		return 0;
	while (digits < length - 4 && isdigit((unsigned char)path[length - 5 - digits]))
		digits++;
	return digits >= 4 && digits + 5 < length && path[length - 5 - digits] == '-' ? digits + 5 : 0;
}

/* The beginning of the paths of a trace: PREFIX, PREFIX-, PREFIX.meta and PREFIX-0000.bin are the same. To be freed; NULL: no memory. */
static char *prefix_of(const char *text, struct error *error)
{
	size_t length = strlen(text);
	char *prefix = strdup(text);
	if (!prefix) {
		error_set(error, STATUS_IO, "out of memory");
		return NULL;
	}
	if (length > 5 && !strcmp(prefix + length - 5, ".meta"))
		prefix[length - 5] = '\0';
	else if (rank_end(prefix, length))
		prefix[length - rank_end(prefix, length)] = '\0';
	else if (length > 1 && prefix[length - 1] == '-' && !rank_file_is("%s.meta", prefix) && !rank_file_is("%s-0000.bin", prefix))
		prefix[length - 1] = '\0';
	return prefix;
}

/* Returns the path of a rank. To be freed; NULL if out of memory. */
static char *path_of(const char *prefix, uint32_t rank, struct error *error)
{
	char *path;
	if (asprintf(&path, "%s-%04" PRIu32 ".bin", prefix, rank) >= 0)
		return path;
	error_set(error, STATUS_IO, "out of memory");
	return NULL;
}

/* Reads numprocs of the file PREFIX.meta; without that file, counts the files. */
static int count_ranks(const char *prefix, uint32_t *ranks, struct error *error)
{
	char path[4200], line[300];
	int64_t number = 0;
	snprintf(path, sizeof path, "%s.meta", prefix);
	FILE *file = fopen(path, "re");
	*ranks = 0;
	if (!file) {
		while (*ranks < RANK_FILES_MAX && rank_file_is("%s-%04" PRIu32 ".bin", prefix, *ranks))
			++*ranks;
		return *ranks ? 0 : error_at(error, STATUS_IO, path, 0, "the file is missing, and so is %s-0000.bin", prefix);
	}
	while (fgets(line, sizeof line, file))
		if (!strncmp(line, "numprocs=", 9)) {
			line[strcspn(line, "\r\n")] = '\0';
			read_integer(line + 9, 1, RANK_FILES_MAX, &number);
		}
	fclose(file);
	*ranks = (uint32_t)number;
	return number ? 0 : error_at(error, STATUS_FABRIC, path, 0, "it has no line numprocs=N with a number of ranks");
}

static int dumpi_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	char *prefix = prefix_of(args[ARG_PREFIX].text, error);
	int result = prefix ? count_ranks(prefix, tasks, error) : -1;
	free(prefix);
	return result;
}

static int dumpi_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct error own = {0}; /* told when the files are read */
	uint32_t ranks = 0;
	char *prefix = prefix_of(args[ARG_PREFIX].text, error), *path;
	if (prefix && !count_ranks(prefix, &ranks, &own) && asprintf(&path, "%s.meta", prefix) >= 0) {
		files_read(files, path, error);
		free(path);
	}
	for (uint32_t r = 0; r < ranks && !error->status && (path = path_of(prefix, r, error)); r++) {
		files_read(files, path, error);
		free(path);
	}
	free(prefix);
	return error->status ? -1 : 0;
}

/* ---- time */

/* Adds the computation before a call: from the exit of the last call of its thread, whose seconds have 16 bits. */
static void compute_before(struct dumpi *d, const struct dumpi_call *call)
{
	const int64_t turn = INT64_C(65536000000000);
	size_t t = 0;
	while (t < d->threads && d->last[t].thread != call->thread)
		t++;
	if (t == d->threads) {
		if (array_grow(&d->last, &d->thread_capacity, t + 1, sizeof *d->last, d->error))
			return;
		d->last[d->threads++].thread = call->thread;
		d->last[t].exit = call->entry;
	}
	int64_t before = d->last[t].exit, time = call->entry - before;
	d->last[t].exit = call->exit;
	if (d->stream.cpu && call->entry < 0)
		dumpi_refuse(d, "the trace has no times of the processor, which compute=cpu needs", call);
	if (call->entry < 0 || before < 0)
		return;
	if (time < -turn / 2)
		time += turn;
	if (time < 0)
		d->backward++;
	else if (time)
		replay_compute(d->replay, (double)time / 1e9);
}

/* ---- the ranks */

static void count_calls(struct dumpi *d)
{
	const struct dumpi_array calls = {d->stream.footer, d->stream.footer ? 2 * DUMPI_CALLS : 0};
	for (uint32_t c = 0; c < DUMPI_CALLS - 1; c++) {
		d->made[c] += (uint32_t)dumpi_element(calls, c) + (uint32_t)dumpi_element(calls, DUMPI_CALLS + c);
		d->left_out[c] += (uint32_t)dumpi_element(calls, DUMPI_CALLS + c);
	}
}

static int read_rank(struct dumpi *d, const char *path, uint32_t rank, struct task_builder *builder)
{
	struct dumpi_call call = {.number = 0};
	int more = -1;
	d->windows = d->threads = 0;
	if (!dumpi_open(&d->stream, path, d->stream.ranks, d->alternative, d->error)) {
		dumpi_begin_types(d);
		count_calls(d);
		replay_place(d->replay, path, 0);
		while (!d->error->status && !task_builder_check(builder, d->error) &&
			(more = dumpi_next(&d->stream, &call, d->error)) > 0) {
			replay_at(d->replay, rank, call.thread);
			compute_before(d, &call);
			dumpi_add_call(d, &call);
		}
	}
	dumpi_close(&d->stream);
	return d->error->status ? -1 : 0;
}

/* Whether calls of a number matter here. */
static bool matters(uint32_t number)
{
	return number <= DUMPI_SENDRECV_REPLACE || (number >= DUMPI_BARRIER && number <= DUMPI_SCAN && number != 63 && number != 64) ||
	       (number >= DUMPI_ACCUMULATE && number <= DUMPI_PUT) || number == DUMPI_ALLTOALLW || number == DUMPI_EXSCAN;
}

/* Tells which calls the trace does not hold. Returns whether there are any. */
static bool note_left_out(const struct dumpi *d, struct task_builder *builder)
{
	char text[700] = "";
	size_t used = 0, kinds = 0;
	for (uint32_t c = 0; c < DUMPI_CALLS; c++)
		if (d->left_out[c] && matters(c) && kinds++ < 6)
			used += (size_t)snprintf(text + used, sizeof text - used, "%s%" PRIu64 " of %" PRIu64 " %s", kinds > 1 ? ", " : "",
				d->left_out[c], d->made[c], dumpi_name(c));
	if (kinds)
		task_note(builder, "the trace has not recorded %s%s", text, kinds > 6 ? " and other calls" : "");
	return kinds;
}

static int read_ranks(struct dumpi *d, const char *prefix, const struct workload_task *task, struct task_builder *builder)
{
	char **path = array_create(task->tasks, sizeof *path, d->error);
	for (uint32_t r = 0; path && !d->error->status && r < task->tasks; r++)
		if ((path[r] = path_of(prefix, r, d->error)))
			read_rank(d, path[r], r, builder);
	if (!d->error->status) {
		replay_incomplete(d->replay, note_left_out(d, builder));
		if (d->backward)
			task_note(builder, "%" PRIu64 " computations end before they begin and take no time: clocks go back", d->backward);
		replay_end(d->replay);
	}
	for (uint32_t r = 0; path && r < task->tasks; r++)
		free(path[r]);
	free(path);
	return d->error->status ? -1 : 0;
}

static int dumpi_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct replay_options options;
	char *prefix = NULL;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "dumpi", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], true, "dumpi", error) ||
		!(prefix = prefix_of(task->args[ARG_PREFIX].text, error)))
		return -1;
	struct dumpi *d = array_create(1, sizeof *d, error);
	if (d) {
		d->error = error;
		d->stream.ranks = task->tasks;
		d->stream.cpu = options.compute.cpu;
		d->replay = replay_create(builder, task->tasks, &options, error);
	}
	if (d && d->replay) {
		replay_world(d->replay, DUMPI_HANDLE_WORLD);
		replay_self(d->replay, DUMPI_HANDLE_SELF);
		read_ranks(d, prefix, task, builder);
	}
	if (d) {
		replay_free(d->replay);
		free(d->size);
		free(d->window);
		free(d->last);
		free(d->count);
	}
	free(d);
	free(prefix);
	return error->status ? -1 : 0;
}

const struct pattern pattern_dumpi = {
	.name = "dumpi",
	.summary = "a trace of an MPI program by DUMPI, the recorder of SST",
	.source = "orcs-traces(5)",
	.args = dumpi_args,
	.ordered = true,
	.phases = true,
	.count = dumpi_count,
	.files = dumpi_files,
	.build = dumpi_build,
};
