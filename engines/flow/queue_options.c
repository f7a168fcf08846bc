#include "engines/flow/queue_options.h"

#include "base/args.h"
#include "base/spelling.h"
#include "cli/usage.h"
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"

#include <string.h>

static const char program[] = "orcs";

/* Reads names, separated by commas, each once. */
static void read_list(struct queue_list *list, const char *option, const char *text, const char *const *names)
{
	struct error error = {0};
	char name[64];
	list->count = 0;
	for (size_t length; !error.status; text += length + 1) {
		size_t count = 0;
		unsigned kind = 0, i = 0;
		length = strcspn(text, ",");
		snprintf(name, sizeof name, "%.*s", (int)length, text);
		while (names[count])
			count++;
		while (names[kind] && strcmp(names[kind], name) != 0)
			kind++;
		while (i < list->count && list->kind[i] != kind)
			i++;
		if (!names[kind])
			error_unknown(&error, option, name, names, count);
		else if (i < list->count)
			error_set(&error, STATUS_USAGE, "--%s: '%s' is given twice", option, name);
		else
			list->kind[list->count++] = kind;
		if (!text[length])
			break;
	}
	usage_fail(program, &error);
}

void queue_options_schedulers(struct queue_options *o, const char *text)
{
	const char *names[QUEUE_KINDS_MAX + 1] = {0};
	for (int i = 0; schedulers[i]; i++)
		names[i] = schedulers[i]->name;
	read_list(&o->scheduler, "scheduler", text, names);
}

void queue_options_allocations(struct queue_options *o, const char *text)
{
	const char *names[QUEUE_KINDS_MAX + 1] = {0};
	for (int i = 0; allocations[i]; i++)
		names[i] = allocations[i]->name;
	read_list(&o->allocation, "allocation", text, names);
}

void queue_options_mappings(struct queue_options *o, const char *text)
{
	const char *names[QUEUE_KINDS_MAX + 1] = {0};
	for (int i = 0; job_mappings[i]; i++)
		names[i] = job_mappings[i]->name;
	read_list(&o->mapping, "job-mapping", text, names);
}

const char *queue_options_given(const struct queue_options *o)
{
	return o->scheduler.count    ? "scheduler"
	       : o->allocation.count ? "allocation"
	       : o->mapping.count    ? "job-mapping"
	       : o->bounded >= 0     ? "bounded-slowdown"
				     : NULL;
}

/* Returns the number of kinds to run. */
static uint64_t count_of(const struct queue_list *list)
{
	return list->count ? list->count : 1;
}

void queue_options_settle(const struct queue_options *o, const char *pattern, struct engine_terms *terms)
{
	terms->queue = pattern && spec_begins(pattern, "queue");
	if (!terms->queue) {
		if (queue_options_given(o))
			usage_error(program, "--%s requires a queue of jobs: -p queue:FILE", queue_options_given(o));
		terms->gives &= ~(unsigned)SEEN_QUEUE;
		terms->gives_not = "metric %s requires a queue of jobs: -p queue:FILE";
		return;
	}
	if (o->bounded == 0)
		usage_error(program, "--bounded-slowdown is 0; give a length of time such as 10s");
	terms->metrics = "queue";
	terms->gives &= SEEN_TIMES | SEEN_LINKS | SEEN_CHANNELS | SEEN_QUEUE;
	terms->gives_not =
		"metric %s is not available for a queue, whose jobs do not send together; choose queue, makespan, fct, tasks, levels or link_use";
	terms->load_points = count_of(&o->scheduler) * count_of(&o->allocation) * count_of(&o->mapping);
	if (terms->load_points > 1) {
		terms->apart = SEEN_QUEUE;
		terms->apart_not = "metric %s would mix the schedulers, allocations and job mappings that are compared; choose queue";
	}
}

struct scheduling queue_policy(const struct queue_options *o, uint64_t number)
{
	const double usual = 10; /* seconds: Feitelson, Rudolph: Metrics and Benchmarking for Parallel Job Scheduling, 1998 */
	uint64_t mappings = count_of(&o->mapping), choices = count_of(&o->allocation);
	return (struct scheduling){
		.scheduler = schedulers[o->scheduler.kind[number / mappings / choices]],
		.allocation = allocations[o->allocation.kind[number / mappings % choices]],
		.mapping = job_mappings[o->mapping.kind[number % mappings]],
		.shortest = o->bounded >= 0 ? o->bounded : usual,
	};
}
