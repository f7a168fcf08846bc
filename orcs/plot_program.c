/* Draws the program of a trace whose routes are counted: the bytes between its ranks, and what its phases send. */
#include "orcs/plot_parts.h"

#include "cli/gnuplot.h"
#include "patterns/pairs.h"

#include <inttypes.h>
#include <stdlib.h>

enum { CELLS = 256, PHASES_SHOWN = 2000 };

bool plots_program(const struct report *report)
{
	const struct pattern_call *call = report->setup->work->setup.pattern;
	if (!call || !call->pattern->ordered || !call->pattern->phases || !call->graph)
		return false;
	for (uint32_t i = 0; i < call->phases.first[call->phases.count]; i++)
		if (call->graph->size[call->phases.message[i]] > 0)
			return true;
	return false;
}

/* Writes the sums of bytes as a matrix of at most CELLS rows, each of several ranks; NaN: nothing. Returns 0, or -1 if out of memory. */
static int write_matrix(const struct pattern_call *call, FILE *gnuplot, struct error *error)
{
	const struct task_graph *g = call->graph;
	uint32_t each = (g->tasks + CELLS - 1) / CELLS, cells = (g->tasks + each - 1) / each;
	double *bytes = calloc((size_t)cells * cells, sizeof *bytes);
	if (!bytes)
		return error_set(error, STATUS_IO, "out of memory");
	for (uint32_t i = 0; i < call->phases.first[call->phases.count]; i++) {
		uint32_t m = call->phases.message[i];
		bytes[(size_t)(g->task[m] / each) * cells + g->receiver[m] / each] += g->size[m];
	}
	fputs("$matrix << END\n", gnuplot);
	for (uint32_t row = 0; row < cells; row++)
		for (uint32_t column = 0; column < cells; column++)
			if (bytes[(size_t)row * cells + column] > 0)
				fprintf(gnuplot, "%" PRIu32 " %" PRIu32 " %.9g\n", column * each, row * each,
					bytes[(size_t)row * cells + column]);
	fputs("END\n", gnuplot);
	free(bytes);
	fprintf(gnuplot,
		"set xrange [%g:%g]\nset yrange [%g:%g]\nset xlabel 'to rank'\nset ylabel 'from rank'\nset cblabel 'bytes'\n"
		"set logscale cb\nset format cb '%%.0s%%cB'\nset palette defined (0 '#dbe9f6', 1 '#08306b')\nunset key\nset size square\n"
		"set title 'bytes between ranks'\n"
		"plot $matrix using 1:2:($1-%g):($1+%g):($2-%g):($2+%g):3 with boxxyerror fs solid 1 noborder palette\n",
		-0.5 * each, ((double)cells - 0.5) * each, ((double)cells - 0.5) * each, -0.5 * each, 0.5 * each, 0.5 * each, 0.5 * each,
		0.5 * each);
	return 0;
}

static void write_phases(const struct pattern_call *call, FILE *gnuplot)
{
	uint32_t shown = call->phases.count < PHASES_SHOWN ? call->phases.count : PHASES_SHOWN;
	fputs("$phases << END\n", gnuplot);
	for (uint32_t p = 0; p < shown; p++) {
		double bytes = 0;
		for (uint32_t i = call->phases.first[p]; i < call->phases.first[p + 1]; i++)
			bytes += call->graph->size[call->phases.message[i]];
		fprintf(gnuplot, "%" PRIu32 " %.9g %" PRIu32 "\n", p, bytes, call->phases.first[p + 1] - call->phases.first[p]);
	}
	fprintf(gnuplot,
		"END\nset size nosquare\nunset logscale\nset xrange [-0.5:%g]\nset logscale y\nset yrange [0.7:*]\nset xlabel 'phase'\n"
		"set ylabel 'bytes'\nset format y '%%.0s%%cB'\nset title '%s'\nplot $phases using 1:2 with impulses lw 2 lc rgb '#1f4e79'\n",
		shown - 0.5, shown < call->phases.count ? "the first 2000 phases" : "phases");
}

int plot_program(const struct report *report, struct output *output, struct error *error)
{
	const struct pattern_call *call = report->setup->work->setup.pattern;
	FILE *gnuplot = gnuplot_start(report->options->plot, 1100, 560, error);
	if (gnuplot) {
		plot_title(report, "set multiplot layout 1,2 title ", "", gnuplot);
		plot_style(gnuplot);
		if (!write_matrix(call, gnuplot, error))
			write_phases(call, gnuplot);
		fputs("unset multiplot\n", gnuplot);
	}
	return gnuplot_end(gnuplot, output, report->options->plot, error);
}
