/* Experiments: the runs that orcs makes, on a network in memory. */
#include "library/library.h"

#include "base/memory.h"
#include "cli/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

orcs_experiment *orcs_experiment_create(orcs_network *network, orcs_error *to)
{
	struct error error = {0};
	orcs_experiment *experiment = array_create(1, sizeof *experiment, &error);
	if (experiment) {
		experiment->network = network;
		experiment->comm = comm_create(&error);
		network->experiments++;
	}
	if (error.status) {
		orcs_experiment_free(experiment);
		experiment = NULL;
	}
	give_error(&error, to);
	return experiment;
}

/* Frees the last runs. */
static void forget(orcs_experiment *e)
{
	struct job *job = &e->job;
	report_clear(&job->report);
	job_clear(job);
	options_clear(&job->options);
	fabric_source_clear(&job->options.fabric);
	*job = (struct job){0};
	words_clear(&e->command);
	notes_close(&e->notes);
	free(e->text);
	e->text = NULL;
	e->ran = false;
}

void orcs_experiment_free(orcs_experiment *e)
{
	if (!e)
		return;
	forget(e);
	if (!--e->network->experiments)
		network_forget_routes(e->network);
	comm_free(e->comm);
	words_clear(&e->words);
	own_pattern_clear(&e->own);
	free(e->host);
	free(e);
}

/* ---- what it shall do */

/* The options of a network, and of its routes; each ends with a '='. */
static bool is_network_word(const char *word)
{
	static const char *const known[] = {"--fail=", "--topology=", "--lft=", "--sl2vl=", "--service-levels=", "--node-name-map=",
		"--plane=", "--routing=", "--routes=", "--multipath="};
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strncmp(word, known[i], strlen(known[i])))
			return true;
	return strncmp(word, "--", 2) != 0;
}

/* Makes the command line of the runs. */
static int make_command(const orcs_experiment *e, struct words *command, struct error *error)
{
	const orcs_network *network = e->network;
	const char *engine = network->routed_by;
	char seed[30];
	for (size_t i = 0; i < network->words.count && !error->status; i++) {
		const char *word = network->words.word[i];
		bool old = engine && (!strncmp(word, "--routing=", 10) || !strncmp(word, "--routes=", 9) || !strncmp(word, "--seed=", 7));
		if (!old)
			words_add(command, word, NULL, error);
	}
	if (engine && *engine) {
		snprintf(seed, sizeof seed, "%llu", (unsigned long long)network->seed);
		words_add(command, "--routing", engine, error);
		words_add(command, "--seed", seed, error);
	}
	for (size_t i = 0; i < e->words.count && !error->status; i++)
		words_add(command, e->words.word[i], NULL, error);
	return error->status ? -1 : 0;
}

int orcs_set(orcs_experiment *e, const char *option, const char *value, orcs_error *to)
{
	struct error error = {0};
	char *word = NULL;
	if (asprintf(&word, "--%s=", option) < 0)
		error_set(&error, STATUS_IO, "out of memory");
	else if (is_network_word(word))
		error_set(&error, STATUS_USAGE, "the option %s is of the fabric: give it to orcs_load_words()", option);
	else if (!options_know(option, &error)) {
		word[strlen(word) - 1] = '\0';
		if (strcmp(option, "fail-at") != 0) /* there can be several */
			words_remove(&e->words, word);
		words_add(&e->words, word, value, &error);
	}
	free(word);
	return give_error(&error, to);
}

int orcs_place(orcs_experiment *e, const uint32_t *host, uint32_t ranks, orcs_error *to)
{
	struct error error = {0};
	uint32_t hosts = e->network->job.fabric->hosts;
	for (uint32_t r = 0; host && r < ranks; r++)
		if (host[r] >= hosts)
			error_set(&error, STATUS_USAGE, "rank %u is placed on host %u; the hosts are numbered from 0 to %u", r, host[r],
				hosts - 1);
	if (host && !ranks)
		error_set(&error, STATUS_USAGE, "no rank is placed");
	uint32_t *copy = host && !error.status ? array_copy(host, ranks, sizeof *host, &error) : NULL;
	if (!error.status) {
		free(e->host);
		e->host = copy;
		e->ranks = host ? ranks : 0;
	}
	return give_error(&error, to);
}

int orcs_observe(orcs_experiment *e, orcs_observer *observer, void *data, orcs_error *to)
{
	e->observer = observer;
	e->observer_data = data;
	return give_error(&(struct error){0}, to);
}

/* ---- the runs */

static void observe(void *data, const struct observation *seen, const uint32_t *host)
{
	const orcs_experiment *e = data;
	const struct task_times *times = seen->times;
	orcs_observation given = {
		.run = seen->run,
		.ranks = e->job.placement.ranks,
		.host = host,
		.connections = seen->connections,
		.undelivered = seen->undelivered,
	};
	if (times) {
		given.operations = times->graph->operations;
		given.makespan = (double)times->end / PICOSECONDS;
		given.task = times->graph->task;
		given.receiver = times->graph->receiver;
		given.begun = times->begun;
		given.ended = times->ended;
	}
	e->observer(e->observer_data, &given);
}

/* Places the ranks as the user did. */
static int place(orcs_experiment *e, struct job *job, struct error *error)
{
	uint32_t hosts = job->fabric->hosts;
	uint32_t *ranks_of = array_create(hosts, sizeof *ranks_of, error);
	job->placement.host = array_copy(e->host, e->ranks, sizeof *e->host, error);
	job->placement.ranks = e->ranks;
	job->ranks = job->options.ranks = e->ranks;
	for (uint32_t r = 0; r < e->ranks && !error->status; r++)
		job->placement.oversubscribed |= ++ranks_of[e->host[r]] > 1;
	free(ranks_of);
	return error->status ? -1 : 0;
}

/* Sets what job_prepare() finds in the program: the fabric, the streams. */
static void begin(orcs_experiment *e, struct job *job)
{
	const struct job *network = &e->network->job;
	job->borrowed = job->lanes_borrowed = true;
	job->fabric = network->fabric;
	job->forwarding = network->forwarding;
	job->attributes = network->attributes;
	job->routes = network->routes;
	job->demand = network->demand;
	job->odd = network->odd;
	job->lanes = network->lanes;
	job->comm = e->comm;
	job->stop = &e->stop;
	job->notes = job->log = e->notes.text.file;
	peers_init(&job->peers, job->comm);
	own_pattern_request(&e->own, &job->options.pattern);
}

int orcs_run(orcs_experiment *e, orcs_error *to)
{
	struct error error = {0};
	struct job *job = &e->job;
	forget(e);
	e->stop = 0;
	if (!make_command(e, &e->command, &error) && !read_options(&job->options, &e->command, &error) && !notes_open(&e->notes, &error)) {
		begin(e, job);
		if ((!e->host || !place(e, job, &error)) && !job_prepare(job, &error) && !job_ready(job, &error)) {
			job->setup.made = e->observer ? observe : NULL;
			job->setup.made_data = e;
			e->ran = !job_run(job, &error) && !report_make(&job->report, &error);
		}
	}
	return give_error(&error, to);
}

void orcs_stop(orcs_experiment *e)
{
	e->stop = SIGINT;
}

/* ---- what came out */

uint64_t orcs_runs(const orcs_experiment *e)
{
	return e->ran ? e->job.outcome.runs : 0;
}

const char *orcs_notes(const orcs_experiment *e)
{
	return notes_text((struct notes *)&e->notes);
}

/* Refuses to give results that there are not. */
static int check_ran(const orcs_experiment *e, struct error *error)
{
	return e->ran ? 0 : error_set(error, STATUS_USAGE, "no runs have been made: call orcs_run() first");
}

const double *orcs_values(const orcs_experiment *e, const char *metric, uint64_t *runs, uint32_t *width, orcs_error *to)
{
	struct error error = {0};
	const struct job *job = &e->job;
	int m = 0;
	while (metric && m < job->metric_count && strcmp(job->metrics[m].metric->name, metric) != 0)
		m++;
	if (!check_ran(e, &error) && m == job->metric_count)
		error_set(&error, STATUS_USAGE, "the runs were made without the metric '%s'", metric);
	else if (!error.status && !job->metrics[m].numbers)
		error_set(&error, STATUS_USAGE, "the metric %s has no values of runs", job->metrics[m].metric->name);
	if (give_error(&error, to))
		return NULL;
	*runs = job->outcome.runs;
	*width = job->metrics[m].numbers;
	return job->outcome.numbers[m];
}

const uint64_t *orcs_channel_sums(const orcs_experiment *e, double *unit, orcs_error *to)
{
	struct error error = {0};
	if (!check_ran(e, &error) && !e->job.outcome.channel_sum)
		error_set(&error, STATUS_USAGE, "no metric of the runs sums channels, as get_cable_cong does");
	if (give_error(&error, to))
		return NULL;
	*unit = e->job.outcome.channel_unit;
	return e->job.outcome.channel_sum;
}

const char *orcs_result(orcs_experiment *e, const char *format, orcs_error *to)
{
	struct error error = {0};
	struct text_file text;
	int chosen = 0;
	while (format_names[chosen] && strcmp(format_names[chosen], format) != 0)
		chosen++;
	if (!format_names[chosen])
		error_set(&error, STATUS_USAGE, "the format is '%s', not text, json or csv", format);
	else if (!check_ran(e, &error) && !text_file_open(&text, &error)) {
		e->job.options.format = (enum format)chosen;
		report_write(&e->job.report, text.file, &error);
		free(e->text);
		e->text = text_end(&text, &error);
	}
	return give_error(&error, to) ? NULL : e->text;
}
