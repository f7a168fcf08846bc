/* JSON of squeue --json and scontrol show job --json, whose numbers and states changed from version to version of Slurm. */
#include "tools/jobs/job_list.h"

#include "base/arena.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const cJSON *member(const cJSON *object, const char *key)
{
	return cJSON_GetObjectItemCaseSensitive(object, key);
}

static const char *text(const cJSON *object, const char *key)
{
	const cJSON *item = member(object, key);
	return cJSON_IsString(item) ? item->valuestring : "";
}

/* Returns whether a number is set: n, or {"set": true, "infinite": false, "number": n}. */
static bool number(const cJSON *object, const char *key, double *value)
{
	const cJSON *item = member(object, key);
	if (cJSON_IsObject(item))
		item = cJSON_IsTrue(member(item, "set")) && !cJSON_IsTrue(member(item, "infinite")) ? member(item, "number") : NULL;
	if (!cJSON_IsNumber(item))
		return false;
	*value = item->valuedouble;
	return true;
}

static bool is_running(const cJSON *state)
{
	if (cJSON_IsString(state))
		return !strcmp(state->valuestring, "RUNNING") || !strcmp(state->valuestring, "COMPLETING");
	const cJSON *item;
	cJSON_ArrayForEach(item, state) if (cJSON_IsString(item) && is_running(item)) return true;
	return false;
}

static const char *machines_of(const cJSON *job)
{
	const cJSON *resources = member(job, "job_resources"), *nodes = member(resources, "nodes");
	const char *list = text(job, "nodes");
	if (*list)
		return list;
	return cJSON_IsString(nodes) ? nodes->valuestring : text(nodes, "list");
}

/* Composes the id as squeue prints it. Returns NULL if the job has none, or with an error. */
static const char *id_of(struct job_list *list, const cJSON *job, struct error *error)
{
	double array, task, set, offset, id;
	if (number(job, "array_task_id", &task) && number(job, "array_job_id", &array) && array != 0)
		return job_list_print(list, error, "%.0f_%.0f", array, task);
	if (number(job, "het_job_id", &set) && set != 0)
		return job_list_print(list, error, "%.0f+%.0f", set, number(job, "het_job_offset", &offset) ? offset : 0);
	return number(job, "job_id", &id) ? job_list_print(list, error, "%.0f", id) : NULL;
}

static int refuse(const struct job_list *list, const char *what, struct error *error)
{
	return error_at(error, STATUS_USAGE, list->file, 0, "%s; squeue --json prints {\"jobs\": [...]}", what);
}

int job_list_json(struct job_list *list, size_t length, struct error *error)
{
	const char *end;
	cJSON *tree = cJSON_ParseWithLengthOpts(list->text, length + 1, &end, true);
	list->tree = tree;
	if (!tree) {
		unsigned long line = 1;
		for (const char *at = list->text; at < end; at++)
			line += *at == '\n';
		return error_at(error, STATUS_USAGE, list->file, line, "broken JSON");
	}
	const cJSON *jobs = member(tree, "jobs"), *job;
	if (!cJSON_IsArray(jobs))
		return refuse(list, "JSON without the list 'jobs'", error);
	cJSON_ArrayForEach(job, jobs)
	{
		const char *id = is_running(member(job, "job_state")) ? id_of(list, job, error) : "";
		if (error->status)
			return -1;
		if (!id)
			return refuse(list, "a job without a number", error);
		if (!*id)
			list->idle++;
		else if (job_list_add(list, id, machines_of(job), 0, error))
			return -1;
	}
	return 0;
}

void job_list_clear(struct job_list *list)
{
	cJSON_Delete(list->tree);
	free(list->job);
	free(list->text);
	if (list->arena)
		arena_destroy(list->arena);
	*list = (struct job_list){0};
}
