#include "jobs/job_hosts.h"

#include "base/arena.h"
#include "base/hostlist.h"
#include "base/memory.h"
#include "base/name_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct taking {
	struct job_hosts *to;
	size_t capacity;
	uint32_t *in_job; /* [hosts of the fabric] 1 + the last job with the host */
	bool *in_several; /* [hosts of the fabric] */
};

/* ---- names of hosts */

static int compare_keys(const void *left, const void *right)
{
	const struct host_key *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->host > b->host) - (a->host < b->host);
}

static int add_key(struct job_hosts *to, const char *name, uint32_t host, struct error *error)
{
	if (array_grow(&to->key, &to->capacity, to->keys + 1, sizeof *to->key, error))
		return -1;
	to->key[to->keys++] = (struct host_key){name, host};
	return 0;
}

/* Returns a copy of the machine's name in a description; NULL if there is none, or out of memory. */
static const char *machine_name(struct job_hosts *to, const struct machine_rules *rules, const char *desc, struct error *error)
{
	const char *from;
	size_t length = machine_find(rules, desc, &from);
	char *name = length ? arena_alloc(to->arena, length + 1) : NULL;
	if (name)
		memcpy(name, from, length);
	else if (length)
		error_set(error, STATUS_IO, "out of memory");
	return name;
}

/* Collects the names of all hosts, and numbers their machines: a host without one is a machine of its own. */
static int find_names(struct job_hosts *to, const struct fabric *f, const struct machine_rules *rules, struct error *error)
{
	struct name_table machines = {0};
	name_table_init(&machines, f->hosts, error);
	for (uint32_t h = 0; h < f->hosts && !error->status; h++) {
		const char *name = f->labels->name[f->host_node[h]], *desc = f->labels->desc[f->host_node[h]];
		to->machine[h] = NONE;
		desc = *desc ? desc : name;
		if (!machine_port_counts(rules, desc))
			continue;
		const char *machine = machine_name(to, rules, desc, error);
		uint32_t number = machine ? name_table_add(&machines, machine, to->machines) : to->machines;
		if (number == to->machines)
			to->name[to->machines++] = machine ? machine : desc;
		to->machine[h] = number;
		if (add_key(to, name, h, error) || (strcmp(desc, name) && add_key(to, desc, h, error)) ||
			(machine && strcmp(machine, name) && strcmp(machine, desc) && add_key(to, machine, h, error)))
			break;
	}
	name_table_clear(&machines);
	if (to->keys)
		qsort(to->key, to->keys, sizeof *to->key, compare_keys);
	return error->status ? -1 : 0;
}

/* ---- hosts of names */

/* Returns the index of the first key of that name or behind it. */
static size_t first_key(const struct job_hosts *hosts, const char *name)
{
	size_t low = 0, high = hosts->keys;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (strcmp(hosts->key[middle].name, name) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* A host is in a job, and now in another. */
static void note_shared(struct taking *t, uint32_t host)
{
	struct job_hosts *to = t->to;
	t->in_several[host] = true;
	if (to->shared++)
		return;
	to->first_shared = host;
	to->sharers[0] = t->in_job[host] - 1;
	to->sharers[1] = to->jobs;
}

static int take_name(void *data, const char *name, struct error *error)
{
	struct taking *t = data;
	struct job_hosts *to = t->to;
	size_t at = first_key(to, name);
	if (at == to->keys || strcmp(to->key[at].name, name)) {
		if (!to->missing++ && !(to->first_missing = strdup(name)))
			return error_set(error, STATUS_IO, "out of memory");
		return 0;
	}
	for (; at < to->keys && !strcmp(to->key[at].name, name); at++) {
		uint32_t host = to->key[at].host, count = to->first[to->jobs + 1];
		if (t->in_job[host] == to->jobs + 1)
			continue;
		if (t->in_job[host] && !t->in_several[host])
			note_shared(t, host);
		t->in_job[host] = to->jobs + 1;
		if (array_grow(&to->host, &t->capacity, (size_t)count + 1, sizeof *to->host, error))
			return -1;
		to->host[count] = host;
		to->first[to->jobs + 1]++;
	}
	return 0;
}

int job_hosts_find(struct job_hosts *hosts, const struct job_list *list, const struct fabric *fabric, const struct machine_rules *rules,
	struct error *error)
{
	struct taking taking = {
		.to = hosts,
		.in_job = array_create(fabric->hosts, sizeof *taking.in_job, error),
		.in_several = array_create(fabric->hosts, sizeof *taking.in_several, error),
	};
	*hosts = (struct job_hosts){
		.first = array_create((size_t)list->jobs + 1, sizeof *hosts->first, error),
		.machine = array_create(fabric->hosts, sizeof *hosts->machine, error),
		.name = array_create(fabric->hosts, sizeof *hosts->name, error),
		.arena = arena_create(),
	};
	if (!hosts->arena)
		error_set(error, STATUS_IO, "out of memory");
	if (!error->status)
		find_names(hosts, fabric, rules, error);
	for (uint32_t j = 0; j < list->jobs && !error->status; j++) {
		struct error wrong = {0};
		hosts->first[j + 1] = hosts->first[j];
		if (hostlist_expand(list->job[j].machines, take_name, &taking, &wrong))
			error_at(error, wrong.status, list->file, list->job[j].line, "job '%s': %s", list->job[j].id, wrong.text);
		hosts->jobs++;
	}
	free(taking.in_job);
	free(taking.in_several);
	return error->status ? -1 : 0;
}

void job_hosts_clear(struct job_hosts *hosts)
{
	free(hosts->first);
	free(hosts->host);
	free(hosts->machine);
	free(hosts->name);
	free(hosts->key);
	free(hosts->first_missing);
	if (hosts->arena)
		arena_destroy(hosts->arena);
	*hosts = (struct job_hosts){0};
}
