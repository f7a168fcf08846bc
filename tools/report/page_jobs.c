/* The running jobs in the page and the data: who takes how much longer beside the others, and on which channels. */
#include "tools/report/page_jobs.h"

#include "tools/report/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { JOBS_SHOWN = 100 };

/* A job, with the other one beside which it takes longest. */
struct job_line {
	uint32_t job, other; /* other: NONE: no other disturbs it */
	double slowdown, beside;
};

static int compare_lines(const void *left, const void *right)
{
	const struct job_line *a = left, *b = right;
	if (a->slowdown != b->slowdown)
		return a->slowdown > b->slowdown ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

/* Returns the jobs, those that suffer most first, as a new array; NULL if out of memory. */
static struct job_line *list_jobs(const struct job_result *result)
{
	struct job_line *line = calloc(result->jobs + 1U, sizeof *line);
	for (uint32_t j = 0; j < result->jobs && line; j++) {
		double slowdown = job_slowdown(result, j);
		line[j] = (struct job_line){j, NONE, isnan(slowdown) ? 0 : slowdown, 1};
	}
	for (uint32_t i = 0; i < result->pairs && line; i++) {
		const struct job_pair *p = &result->pair[i];
		for (int side = 0; side < 2; side++) {
			struct job_line *l = &line[side ? p->b : p->a];
			if (p->slowdown[side] > l->beside) {
				l->beside = p->slowdown[side];
				l->other = side ? p->a : p->b;
			}
		}
	}
	if (line)
		qsort(line, result->jobs, sizeof *line, compare_lines);
	return line;
}

static void number_cell(FILE *file, double number)
{
	if (isnan(number))
		fputs("<td class=\"n\">\u2013</td>", file);
	else
		fprintf(file, "<td class=\"n\">%.2f</td>", number);
}

static void job_row(FILE *file, const struct job_study *s, const struct job_line *line)
{
	const struct weights *alone = &s->result.alone[line->job], *together = &s->result.together[line->job];
	fputs("<tr><th scope=\"row\">", file);
	html_text(file, s->list.job[line->job].id);
	fprintf(file, "</th><td class=\"n\">%" PRIu32 "</td>", s->hosts.first[line->job + 1] - s->hosts.first[line->job]);
	number_cell(file, alone->mean);
	number_cell(file, together->mean);
	number_cell(file, job_slowdown(&s->result, line->job));
	fputs("<td>", file);
	if (line->other != NONE) {
		html_text(file, s->list.job[line->other].id);
		fprintf(file, ", \u00d7%.2f", line->beside);
	} else {
		fputs("none", file);
	}
	fputs("</td></tr>\n", file);
}

static void channel_row(FILE *file, const struct fabric_report *r, const struct hot_channel *hot)
{
	const struct job_study *s = &r->jobs;
	const struct fabric *f = r->fabric;
	fprintf(file, "<tr><td class=\"n\">%" PRIu32 "</td><td>", hot->routes);
	html_text(file, r->name[fabric_tail(f, hot->channel)]);
	if (f->labels->port[hot->channel])
		fprintf(file, " port %" PRIu32, f->labels->port[hot->channel]);
	fputs(" \u2192 ", file);
	html_text(file, r->name[f->head[hot->channel]]);
	fputs("</td><td>", file);
	for (uint32_t i = hot->first; i < hot->first + hot->users; i++) {
		fputs(i > hot->first ? ", " : "", file);
		html_text(file, s->list.job[s->result.user[i].job].id);
		fprintf(file, ": %" PRIu32, s->result.user[i].routes);
	}
	fputs("</td></tr>\n", file);
}

int page_jobs(FILE *file, const struct fabric_report *report, struct error *error)
{
	const struct job_study *s = &report->jobs;
	if (*report->jobs_refusal) {
		fputs("<p>The jobs cannot be compared: ", file);
		html_text(file, report->jobs_refusal);
		fputs(".</p>\n", file);
		return 0;
	}
	struct job_line *line = list_jobs(&s->result);
	if (!line)
		return error_set(error, STATUS_IO, "out of memory");
	fputs("<div class=\"wide\"><table>\n<caption>All-to-all in every job, level by level: routes on the fullest channel of a message, in the mean, "
	      "alone and beside all others; how many times longer the job takes.",
		file);
	if (s->result.jobs > JOBS_SHOWN)
		fprintf(file, " The %d that suffer most, of %" PRIu32 ".", JOBS_SHOWN, s->result.jobs);
	fputs("</caption>\n<thead><tr><th scope=\"col\">Job</th><th scope=\"col\" class=\"n\">Hosts</th><th scope=\"col\" class=\"n\">Alone</th><th "
	      "scope=\"col\" class=\"n\">Together</th><th scope=\"col\" class=\"n\">Times longer</th><th scope=\"col\">Most beside</th></tr></thead>\n"
	      "<tbody>\n",
		file);
	for (uint32_t j = 0; j < s->result.jobs && j < JOBS_SHOWN; j++)
		job_row(file, s, &line[j]);
	fputs("</tbody></table></div>\n", file);
	free(line);
	if (s->hosts.missing) {
		fprintf(file, "<p>Machines of jobs that this fabric does not have: %" PRIu64 ", first ", s->hosts.missing);
		html_text(file, s->hosts.first_missing);
		fputs(".</p>\n", file);
	}
	if (!s->result.channels)
		return 0;
	fputs("<div class=\"wide\"><table>\n<caption>The channels with most routes at a time, and the jobs' parts.</caption>\n<thead><tr><th "
	      "scope=\"col\" class=\"n\">Routes</th><th scope=\"col\">Channel</th><th scope=\"col\">Jobs</th></tr></thead>\n<tbody>\n",
		file);
	for (uint32_t i = 0; i < s->result.channels; i++)
		channel_row(file, report, &s->result.channel[i]);
	fputs("</tbody></table></div>\n", file);
	return 0;
}

void data_jobs(FILE *file, const struct fabric_report *report)
{
	const struct job_study *s = &report->jobs;
	if (!report->options->jobs)
		return;
	if (*report->jobs_refusal) {
		fputs("\"jobs\":null,\"jobs_refusal\":", file);
		html_json(file, report->jobs_refusal);
		fputs(",\n", file);
		return;
	}
	fputs("\"jobs\":[", file);
	for (uint32_t j = 0; j < s->result.jobs; j++) {
		fputs(j ? ",{\"id\":" : "{\"id\":", file);
		html_json(file, s->list.job[j].id);
		fprintf(file, ",\"hosts\":%" PRIu32 ",\"alone\":", s->hosts.first[j + 1] - s->hosts.first[j]);
		html_number(file, s->result.alone[j].mean, 9);
		fputs(",\"together\":", file);
		html_number(file, s->result.together[j].mean, 9);
		fputs(",\"slowdown\":", file);
		html_number(file, job_slowdown(&s->result, j), 9);
		putc('}', file);
	}
	fputs("],\n", file);
}
