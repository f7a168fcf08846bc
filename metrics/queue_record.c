/* The jobs of the first run, for the result and its picture. */
#include "metrics/queue.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct queue_record *queue_record_create(const struct schedule *s, const struct fabric *fabric, struct error *error)
{
	const struct job_queue *queue = s->queue;
	const struct queued_job *last = &queue->job[queue->jobs - 1];
	size_t names = last->id + strlen(queue->names + last->id) + 1;
	struct queue_record *r = array_create(1, sizeof *r, error);
	if (!r)
		return NULL;
	*r = (struct queue_record){
		.jobs = queue->jobs,
		.hosts = s->machine.hosts,
		.shortest = s->policy.shortest,
		.policy = s->policy,
		.job = array_copy(queue->job, queue->jobs, sizeof *queue->job, error),
		.names = array_copy(queue->names, names, 1, error),
		.placed = array_copy(s->placed, queue->jobs, sizeof *s->placed, error),
		.needs = array_copy(s->needs, queue->jobs, sizeof *s->needs, error),
		.position = array_copy(s->position, (size_t)last->first + last->tasks, sizeof *s->position, error),
		.host = array_create(s->machine.hosts, sizeof *r->host, error),
		.leaf = array_copy(s->machine.leaf, s->machine.hosts, sizeof *s->machine.leaf, error),
		.leaves = s->machine.leaves,
		.fabric = fabric,
	};
	for (uint32_t h = 0; r->host && h < r->hosts; h++)
		r->host[h] = fabric->host_node[s->machine.host[h]];
	if (!error->status)
		return r;
	queue_record_free(r);
	return NULL;
}

void queue_record_free(struct queue_record *r)
{
	if (!r)
		return;
	free(r->job);
	free(r->names);
	free(r->placed);
	free(r->needs);
	free(r->position);
	free(r->host);
	free(r->leaf);
	free(r->cell);
	free(r);
}

/* Writes the names of a job's hosts in the order of its tasks: as JSON, or between blanks. */
static const char *list_hosts(struct queue_record *r, uint32_t job, enum format format)
{
	const struct queued_job *j = &r->job[job];
	free(r->cell);
	r->cell = NULL;
	FILE *file = open_memstream(&r->cell, &r->cell_room);
	if (!file)
		return "";
	for (uint32_t t = 0; t < j->tasks; t++) {
		const char *name = r->fabric->labels->name[r->host[r->position[j->first + t]]];
		if (format == FORMAT_JSON) {
			putc(t ? ',' : '[', file);
			json_text(file, name);
		} else {
			fprintf(file, t ? " %s" : "%s", name);
		}
	}
	if (format == FORMAT_JSON)
		putc(']', file);
	return fclose(file) ? "" : r->cell;
}

static void make_row(struct row *row, size_t index, const void *data)
{
	struct queue_record *r = (struct queue_record *)data; /* its cell is reused */
	const struct placed_job *p = &r->placed[index];
	double fate[QUEUE_FATES];
	queue_fate(p, r->shortest, fate);
	row_text(row, r->names + r->job[index].id);
	row_number(row, (double)p->submit / PICOSECONDS, "%.9g");
	row_number(row, (double)p->start / PICOSECONDS, "%.9g");
	row_number(row, (double)p->end / PICOSECONDS, "%.9g");
	for (int i = 0; i < QUEUE_FATES; i++)
		row_number(row, fate[i], "%.6g");
	row_count(row, r->job[index].tasks);
	const char *hosts = row->format == FORMAT_TEXT ? "" : list_hosts(r, (uint32_t)index, row->format);
	row_put(row, row->format == FORMAT_JSON ? value_verbatim(hosts) : value_of_text(hosts));
}

struct table queue_record_rows(struct queue_record *r)
{
	static const struct column columns[] = {{.key = "id", .title = "job", .left = true},
		{.key = "submit", .title = "submitted", .before = "  "}, {.key = "start", .title = "started", .before = "  "},
		{.key = "end", .title = "ended", .before = "  "}, {.key = "wait", .title = "wait", .before = "  "},
		{.key = "run", .title = "run", .before = "  "}, {.key = "turnaround"},
		{.key = "slowdown", .title = "slowdown", .before = "  "}, {.key = "bounded_slowdown"},
		{.key = "tasks", .title = "tasks", .before = "  "}, {.key = "hosts"}};
	return (struct table){columns, sizeof columns / sizeof *columns, r->jobs, make_row, r};
}
