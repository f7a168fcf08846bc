#include "jobs/job_list.h"

#include "base/arena.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/name_table.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- for all forms */

int job_list_add(struct job_list *list, const char *id, const char *machines, unsigned long line, struct error *error)
{
	if (!*machines || !strcmp(machines, "(null)") || !strcmp(machines, "None") || !strcmp(machines, "None assigned")) {
		list->idle++;
		return 0;
	}
	if (array_grow(&list->job, &list->capacity, (size_t)list->jobs + 1, sizeof *list->job, error))
		return -1;
	list->job[list->jobs++] = (struct listed_job){id, machines, line};
	return 0;
}

const char *job_list_print(struct job_list *list, struct error *error, const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	int size = vsnprintf(NULL, 0, format, arguments) + 1;
	va_end(arguments);
	char *text = arena_alloc(list->arena, (size_t)size);
	if (!text) {
		error_set(error, STATUS_IO, "out of memory");
		return NULL;
	}
	va_start(arguments, format);
	vsnprintf(text, (size_t)size, format, arguments);
	va_end(arguments);
	return text;
}

static bool is_running(const char *state)
{
	size_t length = strcspn(state, " +");
	return (length == 7 && !memcmp(state, "RUNNING", 7)) || (length == 10 && !memcmp(state, "COMPLETING", 10));
}

/* ---- lines */

/* A line of the text: ends it with a NUL. Returns it without the blanks at its ends; NULL at the end of the text. */
static char *next_line(char **at)
{
	char *line = *at, *end = strchr(line, '\n');
	if (!*line)
		return NULL;
	*at = end ? end + 1 : line + strlen(line);
	if (end)
		*end = '\0';
	for (end = line + strlen(line); end > line && isspace((unsigned char)end[-1]);)
		*--end = '\0';
	return line + strspn(line, " \t");
}

/* Returns whether a line is the head that squeue prints without -h. */
static bool is_head(const char *id, const char *machines)
{
	return (!strcasecmp(id, "JOBID") || !strcasecmp(id, "JOB_ID")) && !strcasecmp(machines, "NODELIST");
}

/* Reads "ID HOSTLIST". What is in parentheses is no list but a reason to wait. */
static int read_lines(struct job_list *list, struct error *error)
{
	char *at = list->text, *line;
	for (unsigned long number = 1; (line = next_line(&at)); number++) {
		char *machines = line + strcspn(line, " \t");
		if (!*line || *line == '#')
			continue;
		if (*machines) {
			*machines++ = '\0';
			machines += strspn(machines, " \t");
		}
		if (is_head(line, machines))
			continue;
		if (*machines == '(')
			machines += strlen(machines);
		if (strpbrk(machines, " \t") && strcmp(machines, "None assigned") != 0)
			return error_at(error, STATUS_USAGE, list->file, number,
				"more than a job and its list of machines; squeue -h -o '%%i %%N' prints such lines");
		if (job_list_add(list, line, machines, number, error))
			return -1;
	}
	return 0;
}

/* Returns a field of a row of sacct -P, ended with a NUL; NULL if the row has no such field. */
static char *field(char *line, unsigned index)
{
	for (; index; index--) {
		line = strchr(line, '|');
		if (!line)
			return NULL;
		line++;
	}
	line[strcspn(line, "|")] = '\0';
	return line;
}

/* Returns the index of a column of the head, -1 if there is none. */
static int column(const char *head, const char *name)
{
	size_t length = strlen(name);
	for (int index = 0;; index++) {
		size_t size = strcspn(head, "|");
		if (size == length && !strncasecmp(head, name, length))
			return index;
		if (!head[size])
			return -1;
		head += size + 1;
	}
}

static int read_table(struct job_list *list, struct error *error)
{
	char *at = list->text, *line = next_line(&at);
	int id = column(line, "JobID"), machines = column(line, "NodeList"), state = column(line, "State");
	if (id < 0 || machines < 0)
		return error_at(error, STATUS_USAGE, list->file, 1,
			"the table has no column '%s'; sacct -P -o JobID,State,NodeList prints one", id < 0 ? "JobID" : "NodeList");
	for (unsigned long number = 2; (line = next_line(&at)); number++) {
		int last = id > machines ? id : machines; /* from the last to the first: each ends the line behind it */
		char *text[3] = {NULL, NULL, NULL};
		if (!*line)
			continue;
		for (int index = state > last ? state : last; index >= 0; index--) {
			char *found = index == id || index == machines || index == state ? field(line, (unsigned)index) : NULL;
			text[0] = index == id ? found : text[0];
			text[1] = index == machines ? found : text[1];
			text[2] = index == state ? found : text[2];
		}
		if (!text[0] || !text[1] || (state >= 0 && !text[2]))
			return error_at(error, STATUS_USAGE, list->file, number, "the row has fewer fields than the first line");
		if (strchr(text[0], '.')) /* a step */
			continue;
		if (state >= 0 && !is_running(text[2]))
			list->idle++;
		else if (job_list_add(list, text[0], text[1], number, error))
			return -1;
	}
	return 0;
}

/* ---- scontrol show job */

struct record {
	char *id, *state, *machines, *array, *task, *set, *offset;
	unsigned long line;
};

static int take_record(struct job_list *list, struct record *r, struct error *error)
{
	const char *id = r->id;
	if (!id)
		return 0;
	if (r->array && r->task)
		id = job_list_print(list, error, "%s_%s", r->array, r->task);
	else if (r->set)
		id = job_list_print(list, error, "%s+%s", r->set, r->offset ? r->offset : "0");
	if (!id)
		return -1;
	if (!r->state || is_running(r->state))
		return job_list_add(list, id, r->machines ? r->machines : "", r->line, error);
	list->idle++;
	return 0;
}

/* Reads words such as NodeList=a[1-2]; JobId= begins a job. */
static int read_records(struct job_list *list, struct error *error)
{
	char *at = list->text, *line;
	struct record r = {0};
	for (unsigned long number = 1; (line = next_line(&at)); number++)
		for (char *word = line, *end; *word; word = end + strspn(end, " \t")) {
			end = word + strcspn(word, " \t");
			if (*end)
				*end++ = '\0';
			const struct {
				const char *key;
				char **value;
			} keys[] = {{"JobState=", &r.state}, {"NodeList=", &r.machines}, {"ArrayJobId=", &r.array},
				{"ArrayTaskId=", &r.task}, {"HetJobId=", &r.set}, {"HetJobOffset=", &r.offset}};
			if (!strncmp(word, "JobId=", 6)) {
				if (take_record(list, &r, error))
					return -1;
				r = (struct record){.id = word + 6, .line = number};
			}
			for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
				if (!strncmp(word, keys[k].key, strlen(keys[k].key)))
					*keys[k].value = word + strlen(keys[k].key);
		}
	return take_record(list, &r, error);
}

/* ---- the file */

static int check_ids(const struct job_list *list, struct error *error)
{
	struct name_table ids = {0};
	name_table_init(&ids, list->jobs, error);
	for (uint32_t j = 0; j < list->jobs && !error->status; j++)
		if (name_table_add(&ids, list->job[j].id, j) != j)
			error_at(error, STATUS_USAGE, list->file, list->job[j].line, "job '%s' is listed twice", list->job[j].id);
	name_table_clear(&ids);
	return error->status ? -1 : 0;
}

int job_list_read(struct job_list *list, const char *path, struct error *error)
{
	size_t length;
	*list = (struct job_list){.arena = arena_create(), .file = strcmp(path, "-") ? path : "<stdin>"};
	if (!list->arena)
		return error_set(error, STATUS_IO, "out of memory");
	list->text = input_text(path, &length, error);
	if (!list->text)
		return -1;
	if (strlen(list->text) < length)
		return error_at(error, STATUS_USAGE, list->file, 0, "a NUL byte: not a list of jobs");
	if (length >= 3 && !memcmp(list->text, "\xef\xbb\xbf", 3)) { /* a byte order mark */
		length -= 3;
		memmove(list->text, list->text + 3, length + 1);
	}
	const char *begin = list->text + strspn(list->text, " \t\r\n"), *end = begin + strcspn(begin, "\n");
	if (*begin == '{' || *begin == '[')
		job_list_json(list, length, error);
	else if (memchr(begin, '|', (size_t)(end - begin)))
		read_table(list, error);
	else if (!strncmp(begin, "JobId=", 6))
		read_records(list, error);
	else
		read_lines(list, error);
	if (error->status)
		return -1;
	if (!list->jobs)
		return error_at(error, STATUS_USAGE, list->file, 0, list->idle ? "no job is running on machines" : "no job");
	return check_ids(list, error);
}
