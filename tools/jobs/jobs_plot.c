/* Who slows down whom: a cell for each pair of jobs. */
#include "tools/jobs/jobs_report.h"

#include "base/memory.h"
#include "cli/gnuplot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum {
	NAMED = 80,  /* more jobs have no names at the axes */
	DARKEST = 4, /* slowdowns from there on have the last colour; others always the same one */
};

static void put_names(FILE *gnuplot, const struct jobs_found *found)
{
	uint32_t jobs = found->result->jobs;
	fputs("set xtics out nomirror rotate by 60 right ()\nset ytics out nomirror ()\n", gnuplot);
	for (uint32_t j = 0; j < jobs && jobs <= NAMED; j++) {
		gnuplot_string(gnuplot, "name = ", found->list->job[j].id);
		fprintf(gnuplot, "set xtics add (name %" PRIu32 ")\nset ytics add (name %" PRIu32 ")\n", j, j);
	}
}

/* Writes the numbers into the cells, where there is room: those that differ from 1. */
static void put_numbers(FILE *gnuplot, const double *slowdown, uint32_t jobs)
{
	enum { JOBS_MOST = 30 };
	for (uint32_t a = 0; a < jobs && jobs <= JOBS_MOST; a++)
		for (uint32_t b = 0; b < jobs; b++) {
			double s = slowdown[(size_t)a * jobs + b];
			if (s >= 1.005)
				fprintf(gnuplot, "set label '%.2f' at %" PRIu32 ",%" PRIu32 " center front font ',%d' tc rgb '%s'\n", s, b,
					a, jobs > JOBS_MOST / 2 ? 6 : 9, s > 1.75 ? "#ffffff" : "#000000");
		}
}

int jobs_plot(const struct jobs_found *found, const struct jobs_options *options, struct output *output, struct error *error)
{
	const struct job_result *r = found->result;
	double *slowdown = array_create((size_t)r->jobs * r->jobs, sizeof *slowdown, error), most = DARKEST;
	if (!slowdown)
		return -1;
	for (size_t i = 0; i < (size_t)r->jobs * r->jobs; i++)
		slowdown[i] = 1;
	for (uint32_t i = 0; i < r->pairs; i++) {
		const struct job_pair *p = &r->pair[i];
		slowdown[(size_t)p->a * r->jobs + p->b] = isnan(p->slowdown[0]) ? 1 : p->slowdown[0];
		slowdown[(size_t)p->b * r->jobs + p->a] = isnan(p->slowdown[1]) ? 1 : p->slowdown[1];
		most = fmax(most, fmax(slowdown[(size_t)p->a * r->jobs + p->b], slowdown[(size_t)p->b * r->jobs + p->a]));
	}
	int size = 300 + (int)(12 * (r->jobs < 120 ? r->jobs : 120));
	FILE *gnuplot = gnuplot_start(options->plot, size + 160, size + 60, error);
	if (gnuplot) {
		gnuplot_string(gnuplot, "set title ", "How many times longer a job takes beside one other");
		gnuplot_string(gnuplot, "set ylabel ", "this job");
		gnuplot_string(gnuplot, "set xlabel ", "beside this one");
		put_names(gnuplot, found);
		put_numbers(gnuplot, slowdown, r->jobs);
		fprintf(gnuplot,
			"set size ratio -1\nunset key\nset cbrange [1:%.9g]\nset xrange [-0.5:%" PRIu32 ".5]\nset yrange [%" PRIu32
			".5:-0.5]\n",
			most, r->jobs - 1, r->jobs - 1);
		fprintf(gnuplot,
			"set palette defined (1 '#f3f6f9', 1.05 '#dbe6ee', 1.5 '#eda02f', 2 '#d4601a', 3 '#a81d12', %d '#47060f', %.9g "
			"'#47060f')\n$slowdown << END\n",
			DARKEST, most + 1e-6);
		for (uint32_t a = 0; a < r->jobs; a++)
			for (uint32_t b = 0; b < r->jobs; b++)
				fprintf(gnuplot, "%.9g%c", slowdown[(size_t)a * r->jobs + b], b + 1 < r->jobs ? ' ' : '\n');
		fputs("END\nplot $slowdown matrix with image pixels\n", gnuplot);
	}
	free(slowdown);
	return gnuplot_end(gnuplot, output, options->plot, error);
}
