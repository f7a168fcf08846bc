/* orcs-report: a routed fabric -> one page that says whether it is healthy, what to do, where, and which cable. */
#include "base/output.h"
#include "base/shown.h"
#include "base/signals.h"
#include "cli/usage.h"
#include "fabric/load_described.h"
#include "tools/report/changes.h"
#include "tools/report/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "orcs-report";

/* Says on a terminal what the report says first. */
static void tell(const struct fabric_report *r)
{
	const struct report_options *o = r->options;
	if (o->quiet || !isatty(STDERR_FILENO) || !strcmp(o->output, "-"))
		return;
	fprintf(stderr, "%s: %s: ", program, SHOWN(o->output));
	write_load(stderr, r->fabric, &r->fair);
	putc('\n', stderr);
}

/* Studies the program of --pattern, if there is one. */
static int study_program(struct fabric_report *r, struct error *error)
{
	const struct report_options *o = r->options;
	if (!o->program)
		return 0;
	const struct pattern_request request = {.spec = o->program, .first_ranks = -1, .seed = o->seed};
	return program_study_make(&r->program, &request, o->mapping, o->bytes, r->fabric, r->forwarding, error);
}

/* Writes the page or the result; in process 0. */
static int write_report(struct fabric_report *r, struct output *output, struct error *error)
{
	const struct report_options *o = r->options;
	struct advice_lines lines = {.count = 0};
	if (!report_find(r, error) && !study_program(r, error) && !advice_lines_make(&lines, r, error)) {
		catch_signals(true); /* the result is written as a whole; a second signal ends the program immediately */
		if (o->format == REPORT_JSON)
			data_write(output->file, r, &lines, NULL, error);
		else
			page_write(output->file, r, &lines, error);
		if (!error->status && !output_commit(output, error) && !o->quiet) {
			dot_report_write(&r->odd, stderr, program, r->fabric->labels->source, true);
			tell(r);
		}
	}
	advice_lines_clear(&lines);
	return error->status ? -1 : 0;
}

/* Reports on a fabric. Returns the exit status. */
static int report(struct report_options *options, bool first, struct error *error)
{
	static struct fabric_report r;
	struct output output = {0};
	r.options = options;
	r.notes = options->quiet ? NULL : stderr;
	if (!report_begin(&r, error) && first && !report_read(&r, error))
		files_write(&r.files, &output, options->output, error);
	struct comm *comm = comm_create(error);
	if (comm && !comm_agree(comm, error) && !report_compare(&r, comm, error)) {
		if (first)
			write_report(&r, &output, error);
		comm_agree(comm, error);
	}
	bool piped = stop_signal == SIGPIPE && error->status; /* the reader of the output has ended */
	if (first && error->status && !piped)
		fprintf(stderr, "%s: %s\n", program, error->text);
	output_discard(&output);
	report_clear_all(&r);
	comm_free(comm);
	return piped ? 128 + SIGPIPE : (int)error->status;
}

/* Compares two results. Returns the exit status. */
static int compare(const struct report_options *o, struct error *error)
{
	struct files files = {0};
	struct output output = {0};
	if (!files_read(&files, o->old, error) && !files_read(&files, o->new, error) && !files_write(&files, &output, o->output, error) &&
		!changes_write(output.file, o, error))
		output_commit(&output, error);
	if (error->status)
		fprintf(stderr, "%s: %s\n", program, error->text);
	output_discard(&output);
	files_clear(&files);
	return (int)error->status;
}

int main(int argc, char **argv)
{
	static struct report_options options;
	struct error error = {0};
	report_options_parse(&options, argc, argv);
	bool first = launcher_rank() == 0;
	end_on_signals(first ? "orcs-report: interrupted: no result\n" : NULL);
	int status = !options.old ? report(&options, first, &error) : first ? compare(&options, &error) : 0;
	for (int i = 0; i < options.engines; i++)
		free(options.engine[i]);
	fabric_source_clear(&options.fabric);
	return status;
}
