/* The distributions as boxes, drawn by gnuplot: minimum, quartiles, median, maximum, and the mean as a point. */
#include "tools/compare/compare_report.h"

#include "cli/gnuplot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Colours that are colour-blind safe (Okabe and Ito, 2008), used in turn. */
static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"};

static const struct statistics *runs_of(const struct comparison *c, int routing, int pattern)
{
	return &c->routing[routing].trial[pattern].verdict.runs;
}

/* Returns the number of routings with a box, and the range of all boxes. */
static int count_boxes(const struct comparison *c, double *low, double *high)
{
	int boxes = 0;
	*low = INFINITY;
	*high = -INFINITY;
	for (int i = 0; i < c->routings; i++)
		for (int p = 0; p < c->patterns; p++) {
			const struct statistics *s = runs_of(c, i, p);
			if (!s->count)
				continue;
			boxes++;
			*low = fmin(*low, s->min);
			*high = fmax(*high, s->max);
		}
	return boxes;
}

/* The boxes of a pattern are adjacent, with the width of a box between patterns. */
static double place(const struct comparison *c, int routing, int pattern)
{
	int shown = 0, before = 0;
	for (int i = 0; i < c->routings; i++) {
		shown += is_compared(&c->routing[i]);
		before += i < routing && is_compared(&c->routing[i]);
	}
	return pattern * (shown + 1.0) + before + 1;
}

/* Writes a label, long names by their ends. gnuplot interprets formats in the text of a tic. */
static void put_tic(FILE *gnuplot, const char *label, double at)
{
	enum { LONGEST = 30 };
	size_t length = strlen(label), used = 0;
	char text[2 * LONGEST + 4] = "";
	if (length > LONGEST) {
		used = (size_t)snprintf(text, sizeof text, "...");
		for (label += length - LONGEST + 3; (*label & 0xc0) == 0x80; label++)
			; /* to the beginning of a character */
	}
	for (; *label; label++)
		used += (size_t)snprintf(text + used, sizeof text - used, *label == '%' ? "%%%%" : "%c", *label);
	gnuplot_string(gnuplot, "name = ", text);
	fprintf(gnuplot, "set xtics add (name %g)\n", at);
}

static void put_axes(FILE *gnuplot, const struct comparison *c, double low, double high)
{
	double margin = fmax((high - low) * 0.06, 0.01);
	fputs("set ylabel 'bandwidth of a run, as a share of the peak'\nset grid ytics lc rgb '#dddddd'\nset border 3\n"
	      "set tics nomirror out\nset tmargin 5\nunset key\nset style fill solid 0.35 border\nset boxwidth 0.7\nset xtics rotate by -40 ()\n",
		gnuplot);
	fprintf(gnuplot, "set xrange [0:%g]\nset yrange [%.9g:%.9g]\n", place(c, c->routings, c->patterns - 1), fmax(low - margin, 0),
		high + margin);
	for (int p = 0; p < c->patterns; p++) {
		gnuplot_string(gnuplot, "name = ", c->request[p].spec);
		fprintf(gnuplot, "set label name at first %g, graph 1.03 center font ',13'\n",
			(place(c, 0, p) + place(c, c->routings, p) - 1) / 2);
		for (int i = 0; i < c->routings; i++)
			if (is_compared(&c->routing[i]))
				put_tic(gnuplot, c->routing[i].label, place(c, i, p));
	}
}

/* Writes "x min q1 median q3 max mean" for each pattern. */
static void put_data(FILE *gnuplot, const struct comparison *c, int routing)
{
	fprintf(gnuplot, "$routing%d << END\n", routing);
	for (int p = 0; p < c->patterns; p++) {
		const struct statistics *s = runs_of(c, routing, p);
		if (s->count)
			fprintf(gnuplot, "%g %.9g %.9g %.9g %.9g %.9g %.9g\n", place(c, routing, p), s->min, s->q1, s->median, s->q3,
				s->max, s->mean);
	}
	fputs("END\n", gnuplot);
}

static bool has_boxes(const struct comparison *c, int routing)
{
	for (int p = 0; p < c->patterns; p++)
		if (runs_of(c, routing, p)->count)
			return true;
	return false;
}

static void put_plots(FILE *gnuplot, const struct comparison *c)
{
	const char *before = "plot ";
	for (int i = 0; i < c->routings; i++) {
		const char *colour = colours[(size_t)i % (sizeof colours / sizeof *colours)];
		if (!has_boxes(c, i))
			continue;
		fprintf(gnuplot, "%s$routing%d using 1:3:2:6:5 with candlesticks lw 1.5 lc rgb '%s' whiskerbars 0.5", before, i, colour);
		fprintf(gnuplot, ", $routing%d using 1:4:4:4:4 with candlesticks lw 2.5 lc rgb '%s'", i, colour);
		fprintf(gnuplot, ", $routing%d using 1:7 with points pt 7 ps 0.6 lc rgb '%s'", i, colour);
		before = ", ";
	}
	putc('\n', gnuplot);
}

int compare_plot(const struct compare_options *options, const struct comparison *c, struct output *output, struct error *error)
{
	double low, high;
	char text[200];
	if (!count_boxes(c, &low, &high))
		return error_at(error, STATUS_IO, options->plot, 0, "not drawn: nothing was sent");
	int width = 150 + (int)(40 * place(c, c->routings, c->patterns - 1));
	FILE *gnuplot = gnuplot_start(options->plot, width < 700 ? 700 : width > 2400 ? 2400 : width, 600, error);
	if (gnuplot) {
		snprintf(text, sizeof text, "Bandwidth of %" PRIu64 " run%s on %" PRIu32 " ranks: extremes, quartiles, mean (point)",
			c->runs, c->runs == 1 ? "" : "s", c->ranks);
		gnuplot_string(gnuplot, "set title offset 0,1.2 ", text);
		put_axes(gnuplot, c, low, high);
		for (int i = 0; i < c->routings; i++)
			put_data(gnuplot, c, i);
		put_plots(gnuplot, c);
	}
	return gnuplot_end(gnuplot, output, options->plot, error);
}
