/* JSON of squeue --json and scontrol show job --json, whose numbers and states changed from version to version of Slurm. */
#include "jobs/job_list.h"

#include "base/arena.h"
#include "base/json_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether a number is set: n, "n", or {"set": true, "infinite": false, "number": n}. */
static bool number(const cJSON *object, const char *key, double *value)
{
	const cJSON *item = json_member(object, key);
	if (cJSON_IsObject(item))
		item = cJSON_IsTrue(json_member(item, "set")) && !cJSON_IsTrue(json_member(item, "infinite")) ? json_member(item, "number")
													      : NULL;
	char *end = cJSON_IsString(item) ? item->valuestring : NULL;
	if (end && isdigit((unsigned char)*end))
		*value = strtod(end, &end);
	else if (cJSON_IsNumber(item))
		*value = item->valuedouble;
	return cJSON_IsNumber(item) || (end && end > item->valuestring && !*end);
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
	const cJSON *resources = json_member(job, "job_resources"), *nodes = json_member(resources, "nodes");
	const char *list = json_string(job, "nodes");
	if (*list)
		return list;
	return cJSON_IsString(nodes) ? nodes->valuestring : json_string(nodes, "list");
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
	cJSON *tree = json_parse(list->text, length, list->file, STATUS_USAGE, error);
	list->tree = tree;
	if (!tree)
		return -1;
	const cJSON *jobs = json_member(tree, "jobs"), *job;
	if (!cJSON_IsArray(jobs))
		return refuse(list, "JSON without the list 'jobs'", error);
	cJSON_ArrayForEach(job, jobs)
	{
		const char *id = is_running(json_member(job, "job_state")) ? id_of(list, job, error) : "";
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
