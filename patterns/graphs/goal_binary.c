/*
 * The binary form of GOAL that LogGOPSim reads, little-endian and packed: a magic number; the number of ranks, the largest cpu and nic, and
 * the place of each rank's block, counted from byte 8; blocks of operations, and of the numbers of operations that wait for them.
 */
#include "base/input.h"
#include "patterns/graphs/goal_schedule.h"
#include "patterns/graphs/trace_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { GOAL_MAGIC = 4223, GOAL_CONSUMED = 2342, RANKS_AT = 8, TABLE_AT = 14, OPERATION_BYTES = 39 };
enum { KIND_SEND = 1, KIND_RECEIVE = 2, KIND_CALC = 3 };

struct goal_file {
	const char *path;
	char *text;
	size_t bytes;
	uint32_t ranks;
	struct error *error;
};

static uint64_t number_at(const struct goal_file *file, size_t at, int bytes)
{
	uint64_t number = 0;
	for (int i = bytes; i-- > 0;)
		number = number << 8 | (unsigned char)file->text[at + (size_t)i];
	return number;
}

static int refuse(const struct goal_file *file, size_t at, const char *text)
{
	return error_set(file->error, STATUS_USAGE, "%s: byte %zu: %s", file->path, at, text);
}

bool goal_is_binary(const char *path)
{
	struct error error = {0};
	char head[8];
	size_t have = 0;
	ssize_t got;
	struct input *input = !strcmp(path, "-") && input_rewind_standard(&error) ? NULL : input_open(path, &error);
	while (input && have < sizeof head && (got = input_read(input, head + have, sizeof head - have, &error)) > 0)
		have += (size_t)got;
	input_close(input);
	struct goal_file file = {.text = head};
	return have == sizeof head && (number_at(&file, 0, 8) == GOAL_MAGIC || number_at(&file, 0, 8) == GOAL_CONSUMED);
}

/* Reads the file and its head. Returns 0, or -1; free its text in either case. */
static int open_file(struct goal_file *file)
{
	if (!strcmp(file->path, "-") && input_rewind_standard(file->error))
		return -1;
	file->text = input_text(file->path, &file->bytes, file->error);
	if (!file->text)
		return -1;
	if (number_at(file, 0, 8) == GOAL_CONSUMED)
		return refuse(file, 0, "the schedule has been used up by a run of LogGOPSim, which writes into it: make it again");
	if (file->bytes < TABLE_AT)
		return refuse(file, file->bytes, "the file ends within its head");
	file->ranks = (uint32_t)number_at(file, RANKS_AT, 4);
	if (!file->ranks || file->ranks > TRACE_TASKS_MAX)
		return refuse(file, RANKS_AT, "the number of ranks is not from 1 to 16777216");
	if ((file->bytes - TABLE_AT) / 16 < file->ranks)
		return refuse(file, file->bytes, "the file ends within the table of ranks");
	return 0;
}

int goal_binary_count(const char *path, uint32_t *ranks, struct error *error)
{
	struct goal_file file = {.path = path, .error = error};
	int result = open_file(&file);
	*ranks = file.ranks;
	free(file.text);
	return result;
}

/* Adds an operation at that place of the file. */
static int add_operation(const struct goal_file *file, struct goal_schedule *schedule, uint32_t rank, size_t at)
{
	uint64_t kind = number_at(file, at + 4, 1), peer = number_at(file, at + 5, 4), size = number_at(file, at + 9, 8);
	if (size > UINT64_C(1) << 53)
		return refuse(file, at + 9, "a size is at most 2^53");
	if (kind == KIND_CALC)
		task_compute(schedule->builder, rank, (double)size / 1e9 * schedule->factor);
	else if (kind != KIND_SEND && kind != KIND_RECEIVE)
		return refuse(file, at + 4, "an operation is 1 (send), 2 (recv) or 3 (calc)");
	else if (peer >= file->ranks)
		return refuse(file, at + 5, "the schedule does not have the rank of an operation");
	else
		goal_message(schedule, rank, (uint32_t)peer, kind == KIND_RECEIVE, (double)size, (uint32_t)number_at(file, at + 17, 4),
			file->path, 0);
	return file->error->status ? -1 : 0;
}

/* Adds the requirements of the operations that wait for one: for its end, or its beginning. */
static int add_waits(const struct goal_file *file, struct goal_schedule *schedule, size_t at, size_t list, size_t end, uint32_t first,
	uint32_t operations, uint32_t operation, bool begun)
{
	uint64_t count = number_at(file, at, 4), place = number_at(file, at + 4, 4);
	if ((end - list) / 4 < place + count)
		return refuse(file, at, "the list of waiting operations is not within the block of its rank");
	for (uint64_t i = 0; i < count; i++) {
		uint64_t waiting = number_at(file, list + 4 * (place + i), 4);
		if (waiting >= operations)
			return refuse(file, list + 4 * (place + i), "its rank does not have the operation that waits");
		if (goal_require(schedule, (struct goal_order){first + (uint32_t)waiting, first + operation, begun}))
			return -1;
	}
	return 0;
}

static int add_rank(const struct goal_file *file, struct goal_schedule *schedule, uint32_t rank)
{
	size_t entry = TABLE_AT + 16 * (size_t)rank;
	uint64_t begin = number_at(file, entry, 8) + 8, end = number_at(file, entry + 8, 8) + 8;
	if (begin < 8 || begin > end || end > file->bytes || end - begin < 8)
		return refuse(file, entry, "the block of a rank is not within the file");
	uint64_t operations = number_at(file, begin, 4), roots = number_at(file, begin + 4, 4), at = begin + 8 + 4 * roots;
	if (at > end || (end - at) / OPERATION_BYTES < operations)
		return refuse(file, begin, "the operations of a rank are not within its block");
	uint64_t list = at + OPERATION_BYTES * operations, free_ones = 0;
	uint32_t first = task_builder_graph(schedule->builder)->operations;
	for (uint64_t o = 0; o < operations; o++) {
		free_ones += !number_at(file, at + OPERATION_BYTES * o, 4);
		if (add_operation(file, schedule, rank, at + OPERATION_BYTES * o) || task_builder_check(schedule->builder, file->error))
			return -1;
	}
	if (free_ones != roots)
		return refuse(file, begin + 4, "the number of roots is not that of operations that wait for nothing");
	for (uint64_t o = 0; o < operations; o++)
		for (int begun = 0; begun < 2; begun++)
			if (add_waits(file, schedule, at + OPERATION_BYTES * o + 23 + 8 * (size_t)begun, list, end, first,
				    (uint32_t)operations, (uint32_t)o, begun))
				return -1;
	goal_end_rank(schedule);
	return 0;
}

int goal_binary_build(const char *path, const struct workload_task *task, double factor, struct task_builder *builder, struct error *error)
{
	struct goal_file file = {.path = path, .error = error};
	struct goal_schedule schedule = {.builder = builder, .factor = factor, .error = error, .pairing.by_posting = true};
	if (!open_file(&file)) {
		if (file.ranks > task->tasks)
			error_at(error, STATUS_USAGE, path, 0, "%" PRIu32 " ranks, but there are %" PRIu32 " tasks", file.ranks,
				task->tasks);
		for (uint32_t rank = 0; !error->status && rank < file.ranks; rank++)
			add_rank(&file, &schedule, rank);
		if (!error->status)
			pairing_end(&schedule.pairing, builder, error);
	}
	goal_schedule_clear(&schedule);
	free(file.text);
	return error->status ? -1 : 0;
}
