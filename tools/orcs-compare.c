/* orcs-compare: routings of the same hosts -> the same runs on each -> one table. */
#include "base/signals.h"
#include "cli/gnuplot.h"
#include "cli/usage.h"
#include "tools/compare/compare_job.h"
#include "tools/compare/fail_report.h"

#include <stdio.h>

/* A sweep of failures: process 0 has workers of its own. */
static int sweep(struct compare_job *job, struct error *error)
{
	const struct compare_options *o = &job->options;
	struct fail_sweep s = {.options = o, .notes = o->quiet ? NULL : stderr};
	struct output output = {0}, plot = {0}, graph = {0};
	if (!fabric_source_open(&o->input[0], &s.files, error) && !files_write(&s.files, &output, o->output, error) &&
		!(o->plot && (gnuplot_check(error) || files_write(&s.files, &plot, o->plot, error))) &&
		!(o->graph && files_write(&s.files, &graph, o->graph, error)) && !fail_sweep_run(&s, error) &&
		!(o->graph && (fail_graph(&s, graph.file, error) || output_commit(&graph, error))) &&
		!fail_report(&s, output.file, error) && !output_commit(&output, error) && !(o->plot && fail_plot(&s, &plot, error)) &&
		!o->quiet) {
		dot_report_write(&s.odd, stderr, "orcs-compare", s.fabric->labels->source, !o->ignore_speeds);
		if (*s.warning)
			fprintf(stderr, "orcs-compare: note: %s\n", s.warning);
	}
	fail_sweep_clear(&s);
	output_discard(&output);
	output_discard(&plot);
	output_discard(&graph);
	return error->status ? -1 : 0;
}

int main(int argc, char **argv)
{
	static struct compare_job job = {.stop = &stop_signal};
	struct error error = {0};
	compare_options_parse(&job.options, argc, argv);
	job.notes = stderr;
	bool first = launcher_rank() == 0;
	const char *line = first ? "orcs-compare: interrupted: no result\n" : NULL;
	end_on_signals(line);
	if (job.options.fail) {
		if (first && sweep(&job, &error))
			fprintf(stderr, "orcs-compare: %s\n", error.text);
		compare_clear(&job);
		return (int)error.status;
	}
	if (job.options.opensm)
		catch_signals(false); /* the script must end first */
	compare_prepare(&job, first, &error);
	end_on_signals(line);
	bool interrupted = stop_signal; /* while OpenSM was running */
	struct comm *comm = interrupted ? NULL : comm_create(&error);
	if (comm) {
		int failed = compare_run(&job, comm, &error);
		catch_signals(true); /* the result is written as a whole; a second signal ends the program immediately */
		if (!failed && first)
			compare_write_results(&job, &error);
		comm_agree(comm, &error);
	}
	bool piped = stop_signal == SIGPIPE && error.status; /* the reader of the output has ended */
	if (error.status)
		catch_signals(true); /* the launcher may end this process, as others have ended with the error: one line is enough */
	if (first && interrupted)
		fputs(line, stderr);
	else if (first && error.status && !piped)
		fprintf(stderr, "orcs-compare: %s\n", error.text);
	int status = interrupted || piped ? 128 + (int)stop_signal : (int)error.status;
	compare_clear(&job);
	comm_free(comm);
	return status;
}
