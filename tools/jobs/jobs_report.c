#include "tools/jobs/jobs_report.h"

#include "base/document.h"
#include "base/hostlist.h"
#include "base/memory.h"
#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct report {
	const struct jobs_found *found;
	const struct jobs_options *options;
	uint32_t *job;         /* [jobs] those that suffer most first */
	uint32_t *pair;        /* [pairs] likewise */
	bool sorted;           /* rows are in these orders */
	const char **users;    /* [channels] the jobs on each, for CSV */
	const char **machines; /* [moves] lists of Slurm */
};

/* ---- jobs */

static const char *id_of(const struct report *r, uint32_t job)
{
	return r->found->list->job[job].id;
}

static void job_row(struct row *row, size_t index, const void *data)
{
	const struct report *r = data;
	uint32_t j = r->sorted ? r->job[index] : (uint32_t)index;
	const struct job_hosts *hosts = r->found->hosts;
	const struct weights *alone = &r->found->result->alone[j], *together = &r->found->result->together[j];
	bool sends = alone->time > 0;
	row_text(row, id_of(r, j));
	row_count(row, hosts->first[j + 1] - hosts->first[j]);
	row_number(row, alone->mean, "%.2f");
	row_put(row, sends ? value_of_count(alone->most) : NO_VALUE);
	row_number(row, together->mean, "%.2f");
	row_put(row, sends ? value_of_count(together->most) : NO_VALUE);
	row_number(row, job_slowdown(r->found->result, j), "%.3f");
	if (r->options->engine == JOBS_FLOWS) {
		row_number(row, sends ? r->found->result->seconds_alone[j] : NAN, "%.4g");
		row_number(row, sends ? r->found->result->seconds_together[j] : NAN, "%.4g");
	}
}

static struct table job_table(const struct report *r)
{
	static const struct column columns[] = {
		{.key = "id", .csv = "id", .title = "job", .width = -16},
		{.key = "hosts", .csv = "hosts", .title = "hosts", .width = 6},
		{.key = "alone.mean", .csv = "alone_mean", .title = "alone", .width = 8},
		{.key = "alone.max", .csv = "alone_max", .title = "most", .width = 5},
		{.key = "together.mean", .csv = "together_mean", .title = "together", .width = 9},
		{.key = "together.max", .csv = "together_max", .title = "most", .width = 5},
		{.key = "slowdown", .csv = "slowdown", .title = "slowdown", .width = 9},
		/* of flows: */
		{.key = "seconds.alone", .csv = "seconds_alone", .title = "s alone", .width = 9},
		{.key = "seconds.together", .csv = "seconds_together", .title = "s together", .width = 11},
	};
	size_t count = sizeof columns / sizeof *columns - (r->options->engine == JOBS_FLOWS ? 0 : 2);
	return (struct table){columns, count, r->found->result->jobs, job_row, r};
}

/* ---- pairs */

static void pair_row(struct row *row, size_t index, const void *data)
{
	const struct report *r = data;
	const struct job_pair *p = &r->found->result->pair[r->sorted ? r->pair[index] : index];
	row_text(row, id_of(r, p->a));
	row_text(row, id_of(r, p->b));
	row_count(row, p->shared);
	row_number(row, p->slowdown[0], "%.3f");
	row_number(row, p->slowdown[1], "%.3f");
}

static struct table pair_table(const struct report *r)
{
	static const struct column columns[] = {
		{.key = "a", .csv = "a", .title = "job", .width = -16},
		{.key = "b", .csv = "b", .title = "beside", .width = -16},
		{.key = "shared_channels", .csv = "shared_channels", .title = "channels", .width = 8},
		{.key = "slowdown_a", .csv = "slowdown_a", .title = "slowdown", .width = 9},
		{.key = "slowdown_b", .csv = "slowdown_b", .title = "of the other", .width = 12},
	};
	return (struct table){columns, sizeof columns / sizeof *columns, r->found->result->pairs, pair_row, r};
}

/* ---- channels */

static void channel_row(struct row *row, size_t index, const void *data)
{
	const struct report *r = data;
	const struct hot_channel *hot = &r->found->result->channel[index];
	row_count(row, hot->routes);
	row_count(row, hot->step);
	row_channel(row, r->found->fabric, hot->channel);
	row_text(row, r->users[index]);
}

/* Writes the jobs on each channel as text, such as "12: 3, 13: 1". Returns a list for the channels, NULL if out of memory. */
static const char **list_users(struct document *doc, const struct report *r)
{
	const struct job_result *result = r->found->result;
	const char **list = document_alloc(doc, (result->channels + 1U) * sizeof *list);
	for (uint32_t c = 0; c < result->channels && list; c++) {
		const struct hot_channel *hot = &result->channel[c];
		size_t size = 1, used = 0;
		for (uint32_t i = hot->first; i < hot->first + hot->users; i++)
			size += strlen(id_of(r, result->user[i].job)) + 16;
		char *text = document_alloc(doc, size);
		for (uint32_t i = hot->first; i < hot->first + hot->users && text; i++)
			used += (size_t)snprintf(text + used, size - used, "%s%s: %" PRIu32, used ? ", " : "",
				id_of(r, result->user[i].job), result->user[i].routes);
		list[c] = text ? text : "";
	}
	return list;
}

static struct table channel_table(const struct report *r)
{
	static const struct column columns[] = {
		{.csv = "routes", .title = "routes", .width = 6},
		{.csv = "step", .title = "step", .width = 5},
		{.csv = "from", .title = "channel", .left = true, .before = "  "},
		{.csv = "from_port"},
		{.csv = "to"},
		{.csv = "to_port"},
		{.csv = "jobs", .title = "jobs", .left = true, .before = "  "},
	};
	return (struct table){columns, sizeof columns / sizeof *columns, r->found->result->channels, channel_row, r};
}

static void add_channels(struct node *to, const struct report *r)
{
	const struct fabric *f = r->found->fabric;
	const struct job_result *result = r->found->result;
	for (uint32_t i = 0; i < result->channels; i++) {
		const struct hot_channel *hot = &result->channel[i];
		struct node *channel = add_object(to, NULL);
		add_channel(channel, f, hot->channel);
		add_guids(channel, f->labels->guid[fabric_tail(f, hot->channel)], f->labels->guid[f->head[hot->channel]]);
		add_count(channel, "routes", hot->routes);
		add_count(channel, "step", hot->step);
		struct node *jobs = add_list(channel, "jobs");
		for (uint32_t k = hot->first; k < hot->first + hot->users; k++) {
			const struct channel_user *user = &result->user[k];
			struct node *job = add_object(jobs, NULL), *pairs;
			add_text(job, "id", id_of(r, user->job));
			add_count(job, "routes", user->routes);
			pairs = add_list(job, "pairs");
			for (uint32_t p = 0; p < user->pairs; p++) {
				struct node *pair = add_list(pairs, NULL);
				add_count(pair, NULL, user->pair[p].sender);
				add_count(pair, NULL, user->pair[p].receiver);
			}
		}
	}
}

static void say_channels(struct document *doc, const struct report *r)
{
	const struct job_result *result = r->found->result;
	char text[200];
	uint32_t count = 0;
	while (count < result->channels && (result->channel[count].routes > 1 || result->channel[0].routes == 1))
		count++;
	fprintf(doc->text, "\nroutes  channel in the step with most, and the jobs' parts of it\n");
	for (uint32_t i = 0; i < count; i++) {
		const struct hot_channel *hot = &result->channel[i];
		fprintf(doc->text, "%6" PRIu32 "  %s:", hot->routes, channel_text(r->found->fabric, hot->channel, text, sizeof text));
		for (uint32_t k = hot->first; k < hot->first + hot->users; k++) {
			const struct channel_user *user = &result->user[k];
			fprintf(doc->text, "%s %s %" PRIu32 " (ranks %" PRIu32 " to %" PRIu32 "%s)", k > hot->first ? "," : "",
				SHOWN(id_of(r, user->job)), user->routes, user->pair[0].sender, user->pair[0].receiver,
				user->routes > 1 ? ", .." : "");
		}
		putc('\n', doc->text);
	}
	if (count < result->channels)
		fputs("     1  all others\n", doc->text);
}

/* ---- moves */

static const char *const ways[] = {[MOVE_TOGETHER] = "together", [MOVE_APART] = "apart", [MOVE_QUIET] = "quiet"};

/* The new machines of a move, as a list of Slurm. */
static const char *move_list(struct document *doc, const struct report *r, const struct job_move *move, struct error *error)
{
	const struct job_hosts *hosts = r->found->hosts;
	const char **name = array_create(move->hosts, sizeof *name, error);
	char *text = NULL;
	size_t size = 0, count = 0;
	FILE *file = name ? open_memstream(&text, &size) : NULL;
	const char *list = "";
	if (file) {
		for (uint32_t i = 0; i < move->hosts; i++) /* the hosts of a machine follow one another */
			if (!i || hosts->machine[move->host[i]] != hosts->machine[move->host[i - 1]])
				name[count++] = hosts->name[hosts->machine[move->host[i]]];
		hostlist_write(name, count, file, error);
		fclose(file);
		list = document_print(doc, "%s", text);
	}
	free(text);
	free(name);
	return list;
}

/* Lists the machines of all moves, NULL if there are none, or out of memory. */
static const char **list_machines(struct document *doc, const struct report *r, struct error *error)
{
	const struct job_moves *moves = r->found->moves;
	const char **list = moves ? document_alloc(doc, (moves->moves + 1U) * sizeof *list) : NULL;
	for (uint32_t i = 0; moves && i < moves->moves && list; i++)
		list[i] = move_list(doc, r, &moves->move[i], error);
	return list;
}

static void move_row(struct row *row, size_t index, const void *data)
{
	const struct report *r = data;
	const struct job_move *move = &r->found->moves->move[index];
	row_text(row, id_of(r, move->job));
	row_text(row, ways[move->way]);
	row_text(row, r->machines[index]);
	row_number(row, move->slowdown[0], "%.3f");
	row_number(row, move->slowdown[1], "%.3f");
	row_number(row, move->mean[0], "%.3f");
	row_number(row, move->mean[1], "%.3f");
}

static struct table move_table(const struct report *r)
{
	static const struct column columns[] = {{.csv = "id"}, {.csv = "way"}, {.csv = "machines"}, {.csv = "slowdown"},
		{.csv = "slowdown_then"}, {.csv = "mean_slowdown"}, {.csv = "mean_slowdown_then"}};
	return (struct table){columns, sizeof columns / sizeof *columns, r->machines ? r->found->moves->moves : 0, move_row, r};
}

static void report_moves(struct document *doc, const struct report *r)
{
	const struct job_moves *moves = r->found->moves;
	struct node *list = add_list(doc->root, "moves");
	add_count(doc->root, "free_machines", moves->free);
	fputs(!moves->free ? "\nno free machines\n" : !moves->tried ? "\nno job disturbs another\n" : "", doc->text);
	if (moves->free && moves->tried)
		fprintf(doc->text, "\nfree machines %" PRIu32 "; jobs tried elsewhere %" PRIu32 "; %s\n", moves->free, moves->tried,
			moves->moves ? "moves that help, one at a time:" : "no move helps");
	for (uint32_t i = 0; i < moves->moves && r->machines; i++) {
		const struct job_move *m = &moves->move[i];
		struct node *object = add_object(list, NULL), *hosts;
		const char *names = r->machines[i];
		add_text(object, "id", id_of(r, m->job));
		add_text(object, "way", ways[m->way]);
		add_text(object, "machines", names);
		add_number(object, "slowdown", m->slowdown[0]);
		add_number(object, "slowdown_then", m->slowdown[1]);
		add_number(object, "mean_slowdown", m->mean[0]);
		add_number(object, "mean_slowdown_then", m->mean[1]);
		hosts = add_list(object, "hosts");
		for (uint32_t k = 0; k < m->hosts; k++)
			add_text(hosts, NULL, r->found->fabric->labels->name[r->found->fabric->host_node[m->host[k]]]);
		fprintf(doc->text, "  job %s to %.200s%s: its slowdown %.3f -> %.3f, the mean of all %.3f -> %.3f\n",
			SHOWN(id_of(r, m->job)), SHOWN(names), strlen(names) > 200 ? ".." : "", m->slowdown[0], m->slowdown[1], m->mean[0],
			m->mean[1]);
	}
}

/* ---- the report */

struct key {
	double slowdown;
	uint32_t index;
};

static int compare_keys(const void *left, const void *right)
{
	const struct key *a = left, *b = right;
	if (a->slowdown != b->slowdown)
		return a->slowdown > b->slowdown ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

/* Sorts jobs, or pairs, by slowdown; those without one come last. Returns a new array, NULL if out of memory. */
static uint32_t *sort(const struct job_result *result, bool pairs, struct error *error)
{
	uint32_t count = pairs ? result->pairs : result->jobs;
	struct key *key = array_create(count, sizeof *key, error);
	uint32_t *order = array_create(count, sizeof *order, error);
	for (uint32_t i = 0; i < count && !error->status; i++) {
		double slowdown = pairs ? fmax(result->pair[i].slowdown[0], result->pair[i].slowdown[1]) : job_slowdown(result, i);
		key[i] = (struct key){isnan(slowdown) ? 0 : slowdown, i};
	}
	if (!error->status)
		qsort(key, count, sizeof *key, compare_keys);
	for (uint32_t i = 0; i < count && !error->status; i++)
		order[i] = key[i].index;
	free(key);
	return order;
}

/* Times are whole picoseconds. */
#define JUST_SLOWER (1 + 1e-9)

static void say_verdict(struct document *doc, const struct report *r)
{
	const struct job_result *result = r->found->result;
	uint32_t slower = 0;
	for (uint32_t j = 0; j < result->jobs; j++)
		slower += job_slowdown(result, j) > JUST_SLOWER;
	add_count(doc->root, "slowed_down", slower);
	fprintf(doc->text, "jobs %" PRIu32 ", pattern %s%s: ", result->jobs, SHOWN(r->options->pattern.spec),
		result->seconds_together ? ", in time" : "");
	if (slower)
		fprintf(doc->text, "%" PRIu32 " slowed down by others, most '%s': %.2f times\n\n", slower, SHOWN(id_of(r, r->job[0])),
			job_slowdown(result, r->job[0]));
	else
		fputs(r->found->hosts->first[result->jobs] ? "none is slowed down by others\n\n" : "none has a host in this fabric\n\n",
			doc->text);
}

/* At most that many rows. */
static struct table some(struct table table, size_t most)
{
	table.rows = table.rows < most ? table.rows : most;
	return table;
}

static void say_all(struct document *doc, struct report *r)
{
	const struct job_result *result = r->found->result;
	say_verdict(doc, r);
	r->sorted = true;
	say_table(doc, job_table(r));
	if (result->pairs && r->options->top) {
		fprintf(doc->text, "\npairs of jobs that share channels: %" PRIu32 "%s\n", result->pairs,
			result->pairs > r->options->top ? "; the worst:" : "");
		say_table(doc, some(pair_table(r), r->options->top));
	}
	if (result->channels)
		say_channels(doc, r);
	r->sorted = false;
}

int jobs_report(const struct jobs_found *found, const struct jobs_options *options, FILE *file, struct error *error)
{
	struct report report = {
		.found = found, .options = options, .job = sort(found->result, false, error), .pair = sort(found->result, true, error)};
	static struct table (*const tables[])(const struct report *) = {
		[TABLE_JOBS] = job_table, [TABLE_PAIRS] = pair_table, [TABLE_CHANNELS] = channel_table, [TABLE_MOVES] = move_table};
	struct table csv;
	struct document doc = {0};
	if (!error->status && !document_begin(&doc, options->format, file, error)) {
		add_head(&doc, "orcs-jobs/1", options->argc, options->argv);
		add_fabric(doc.root, found->fabric);
		add_text(doc.root, "pattern", options->pattern.spec);
		if (options->engine == JOBS_FLOWS) {
			add_text(doc.root, "engine", "flow");
			add_number(doc.root, "bytes", options->bytes);
		}
		add_count(doc.root, "missing_machines", found->hosts->missing);
		say_all(&doc, &report);
		add_table(doc.root, "jobs", job_table(&report));
		add_table(doc.root, "pairs", pair_table(&report));
		add_channels(add_list(doc.root, "channels"), &report);
		report.machines = list_machines(&doc, &report, error);
		report.users = list_users(&doc, &report);
		if (found->moves)
			report_moves(&doc, &report);
		csv = tables[options->table](&report);
		doc.csv = &csv;
	}
	document_end(&doc, error);
	free(report.job);
	free(report.pair);
	return error->status ? -1 : 0;
}
