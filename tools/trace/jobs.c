#include "tools/trace/jobs.h"

#include "base/hostlist.h"
#include "base/input.h"
#include "base/memory.h"
#include "base/shown.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A host by one of its names, or by the job that runs on it. */
struct host_name {
	const char *name;
	size_t length;
	uint32_t host;
};

struct host_job {
	uint32_t host, job;
};

struct reading {
	struct jobs *jobs;
	struct host_name *name; /* [names] by name, then host */
	size_t names;
	struct host_job *run; /* [runs] */
	size_t runs, capacity;
	uint64_t missing;
	char first_missing[HOSTLIST_NAME_SIZE];
};

static int compare_text(const char *a, size_t m, const char *b, size_t n)
{
	int order = memcmp(a, b, m < n ? m : n);
	return order ? order : (m > n) - (m < n);
}

static int compare_hosts(const void *left, const void *right)
{
	const struct host_name *a = left, *b = right;
	int order = compare_text(a->name, a->length, b->name, b->length);
	return order ? order : (a->host > b->host) - (a->host < b->host);
}

static int compare_runs(const void *left, const void *right)
{
	const struct host_job *a = left, *b = right;
	if (a->host != b->host)
		return a->host < b->host ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static int collect_names(struct reading *r, const struct fabric *fabric, struct error *error)
{
	r->name = array_create(3 * (size_t)fabric->hosts, sizeof *r->name, error);
	for (uint32_t h = 0; r->name && h < fabric->hosts; h++) {
		const char *name = fabric->labels->name[fabric->host_node[h]], *desc = fabric->labels->desc[fabric->host_node[h]];
		size_t word = strcspn(desc, " \t");
		r->name[r->names++] = (struct host_name){name, strlen(name), h};
		if (*desc)
			r->name[r->names++] = (struct host_name){desc, strlen(desc), h};
		if (word && desc[word])
			r->name[r->names++] = (struct host_name){desc, word, h};
	}
	if (r->name)
		qsort(r->name, r->names, sizeof *r->name, compare_hosts);
	return r->name ? 0 : -1;
}

/* Adds the hosts of a name to the last job. */
static int take_name(void *data, const char *name, struct error *error)
{
	struct reading *r = data;
	size_t low = 0, high = r->names, length = strlen(name);
	while (low < high) {
		size_t middle = (low + high) / 2;
		if (compare_text(r->name[middle].name, r->name[middle].length, name, length) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == r->names || compare_text(r->name[low].name, r->name[low].length, name, length)) {
		if (!r->missing++)
			snprintf(r->first_missing, sizeof r->first_missing, "%s", name);
		return 0;
	}
	for (; low < r->names && !compare_text(r->name[low].name, r->name[low].length, name, length); low++) {
		if (array_grow(&r->run, &r->capacity, r->runs + 1, sizeof *r->run, error))
			return -1;
		r->run[r->runs++] = (struct host_job){r->name[low].host, r->jobs->jobs - 1};
	}
	return 0;
}

static int read_line(struct reading *r, char *line, struct error *error)
{
	struct jobs *jobs = r->jobs;
	char *id = next_word(&line), *list = next_word(&line);
	if (!list || !strcmp(list, "(null)") || !strcmp(list, "None"))
		return 0;
	if (next_word(&line))
		return error_set(error, STATUS_USAGE, "the line is not 'ID HOSTLIST'");
	for (uint32_t j = 0; j < jobs->jobs; j++)
		if (!strcmp(jobs->id[j], id))
			return error_set(error, STATUS_USAGE, "job '%s' is here twice", SHOWN(id));
	if (array_grow(&jobs->id, &jobs->id_capacity, (size_t)jobs->jobs + 1, sizeof *jobs->id, error))
		return -1;
	if (!(jobs->id[jobs->jobs] = strdup(id)))
		return error_set(error, STATUS_IO, "out of memory");
	jobs->jobs++;
	return hostlist_expand(list, take_name, r, error);
}

/* Lists the jobs of each host, each once. */
static int list_jobs(struct reading *r, const struct fabric *fabric, struct error *error)
{
	struct jobs *jobs = r->jobs;
	jobs->first = array_create((size_t)fabric->hosts + 1, sizeof *jobs->first, error);
	jobs->job = array_create(r->runs, sizeof *jobs->job, error);
	if (error->status)
		return -1;
	if (r->runs)
		qsort(r->run, r->runs, sizeof *r->run, compare_runs);
	uint32_t count = 0;
	size_t i = 0;
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		jobs->first[h] = count;
		for (; i < r->runs && r->run[i].host == h; i++)
			if (count == jobs->first[h] || jobs->job[count - 1] != r->run[i].job)
				jobs->job[count++] = r->run[i].job;
	}
	jobs->first[fabric->hosts] = count;
	return 0;
}

int jobs_read(struct jobs *jobs, const char *path, const struct fabric *fabric, FILE *notes, const char *program, struct error *error)
{
	struct reading r = {.jobs = jobs};
	struct line_reader reader;
	*jobs = (struct jobs){0};
	if (!line_reader_open(&reader, path, LINE_LONGEST, error) && !collect_names(&r, fabric, error)) {
		for (char *line; !error->status && (line = line_reader_list(&reader, error));) {
			struct error inner = {0};
			if (*line && read_line(&r, line, &inner))
				error_at(error, inner.status, input_name(reader.input), reader.number, "%s", inner.text);
		}
		if (!error->status && !jobs->jobs)
			error_at(error, STATUS_USAGE, input_name(reader.input), 0, "no job is here: a line is 'ID HOSTLIST'");
		if (!error->status && !list_jobs(&r, fabric, error) && r.missing && notes)
			fprintf(notes, "%s: warning: machines of %s that the fabric does not have: %" PRIu64 " (the first: '%s')\n",
				program, input_name(reader.input), r.missing, SHOWN(r.first_missing));
	}
	line_reader_close(&reader);
	free(r.name);
	free(r.run);
	return error->status ? -1 : 0;
}

void jobs_clear(struct jobs *jobs)
{
	for (uint32_t j = 0; j < jobs->jobs; j++)
		free(jobs->id[j]);
	free(jobs->id);
	free(jobs->first);
	free(jobs->job);
}
