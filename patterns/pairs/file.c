/*
 * A user's pattern: a text file with a line "level sender receiver [bytes] [sl=L]" for every message, in any order; '#' starts a comment. A
 * message without bytes has the default size, one without sl the service level of its pair.
 */
#include "base/memory.h"
#include "fabric/service_levels.h"
#include "patterns/pairs.h"

#include "base/files.h"
#include "base/input.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LEVELS_MAX = 10000000 }; /* every level takes time, also an empty one */

static const struct arg file_args[] = {
	{"PATH", ARG_TEXT, NULL, 0, 0, "the file, with a line 'level sender receiver [bytes] [sl=L]' per message"},
	{.type = ARG_END},
};

struct file_message {
	uint64_t level;
	uint64_t line; /* keeps the order of the file within a level */
	struct pair pair;
	double bytes;          /* < 0: not given */
	int64_t service_level; /* SERVICE_LEVEL_OF_PAIR: not given */
};

struct messages {
	struct file_message *list; /* by level */
	size_t count, capacity;
};

static int compare_messages(const void *left, const void *right)
{
	const struct file_message *a = left, *b = right;
	if (a->level != b->level)
		return a->level < b->level ? -1 : 1;
	return (a->line > b->line) - (a->line < b->line);
}

static int refuse(const char *path, const struct file_message *message, const char *word, struct error *error)
{
	return error_at(error, STATUS_USAGE, path, message->line, "expected 'level sender receiver [bytes] [sl=L]'%s%s%s",
		word ? ", not '" : "", word ? word : "", word ? "'" : "");
}

/* Reads one line, without its comment. */
static int read_message(const struct pattern_call *call, char *line, struct file_message *message, struct error *error)
{
	const char *path = call->args.value[0].text;
	int64_t number[3] = {0};
	int count = 0;
	message->bytes = -1;
	message->service_level = SERVICE_LEVEL_OF_PAIR;
	for (char *word; (word = next_word(&line)); count++) {
		bool level = count >= 3 && !strncmp(word, "sl=", 3);
		if (message->service_level != SERVICE_LEVEL_OF_PAIR || count > 3 + level ||
			!(level              ? read_integer(word + 3, 0, SERVICE_LEVELS_MOST - 1, &message->service_level)
				: count == 3 ? read_size(word, &message->bytes)
					     : read_integer(word, 0, INT64_MAX, &number[count])))
			return refuse(path, message, word, error);
	}
	if (count < 3)
		return refuse(path, message, NULL, error);
	for (int i = 1; i < 3; i++)
		if (number[i] >= call->ranks)
			return error_at(error, STATUS_USAGE, path, message->line,
				"rank %" PRId64 " does not exist: the number of ranks is %" PRIu32, number[i], call->ranks);
	if (number[0] >= LEVELS_MAX)
		return error_at(error, STATUS_USAGE, path, message->line, "level %" PRId64 " is too large: at most %d levels are possible",
			number[0], LEVELS_MAX);
	message->level = (uint64_t)number[0];
	message->pair = (struct pair){(uint32_t)number[1], (uint32_t)number[2]};
	return 0;
}

static int file_setup(struct pattern_call *call, struct error *error)
{
	struct messages *messages = call->data = array_create(1, sizeof *messages, error);
	struct file_message message;
	struct line_reader lines;
	line_reader_open(&lines, call->args.value[0].text, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_list(&lines, error));) {
		message.line = lines.number;
		if (!*line)
			continue;
		if (read_message(call, line, &message, error) ||
			array_grow(&messages->list, &messages->capacity, messages->count + 1, sizeof *messages->list, error))
			break;
		messages->list[messages->count++] = message;
	}
	line_reader_close(&lines);
	if (error->status)
		return -1;
	if (messages->count)
		qsort(messages->list, messages->count, sizeof *messages->list, compare_messages);
	return 0;
}

static void file_cleanup(struct pattern_call *call)
{
	struct messages *messages = call->data;
	if (messages)
		free(messages->list);
	free(messages);
}

static uint64_t file_levels(const struct pattern_call *call)
{
	const struct messages *messages = call->data;
	return messages->count ? messages->list[messages->count - 1].level + 1 : 0;
}

static void file_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	const struct messages *messages = call->data;
	size_t low = 0, high = messages->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (messages->list[middle].level < level)
			low = middle + 1;
		else
			high = middle;
	}
	for (; low < messages->count && messages->list[low].level == level; low++) {
		const struct file_message *message = &messages->list[low];
		if (sink->bytes && message->bytes >= 0 && message->pair.sender != message->pair.receiver)
			sink->bytes[sink->count] = message->bytes;
		if (sink->level && message->pair.sender != message->pair.receiver)
			sink->level[sink->count] = (uint8_t)message->service_level;
		emit(sink, message->pair.sender, message->pair.receiver);
	}
}

static int file_files(const struct arg_value *args, struct files *files, struct error *error)
{
	return files_read(files, args[0].text, error);
}

const struct pattern pattern_file = {
	.name = "file",
	.summary = "the messages of a file, with a line 'level sender receiver [bytes] [sl=L]' per message",
	.source = "orcs-patterns(7)",
	.args = file_args,
	.levels_of_service = true,
	.setup = file_setup,
	.cleanup = file_cleanup,
	.levels = file_levels,
	.level = file_level,
	.files = file_files,
};
