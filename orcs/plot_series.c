/* Draws with gnuplot the queues of the first packet run over time: what the buffers hold, and below it which are full. */
#include "cli/gnuplot.h"
#include "fabric/described.h"
#include "orcs/plot_parts.h"
#include "orcs/queue_file.h"

#include <inttypes.h>
#include <math.h>

enum { WIDTH = 1000, HEIGHT = 760, TREES_NAMED = 3 };

static const char *const colours[TREES_NAMED] = {"#c00000", "#ed7d31", "#7030a0"};

bool plots_series(const struct report *report)
{
	return queues_of(report) != NULL;
}

static void write_moments(const struct queue_series *s, FILE *gnuplot)
{
	fputs("$moments << END\n0 0 0 0 0\n", gnuplot);
	for (size_t m = 0; m < s->moments; m++) {
		const struct queue_moment *q = &s->moment[m];
		fprintf(gnuplot, "%.9g %" PRIu64 " %.9g %" PRIu32 " %" PRIu32 "\n", queue_time(s, m), q->held,
			(double)q->fullest / (double)s->buffer, q->full, q->most);
	}
	fputs("END\n", gnuplot);
}

/* Marks when the largest trees begin, with the names of their roots. */
static void mark_trees(const struct queue_series *s, FILE *gnuplot)
{
	for (size_t t = 0; t < s->trees && t < TREES_NAMED; t++) {
		char name[200], text[300];
		double time = queue_time(s, s->tree[t].first);
		fprintf(gnuplot, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead dt 2 lw 1.5 lc rgb '%s'\n", time, time, colours[t]);
		snprintf(text, sizeof text, "up to %" PRIu32 " channels behind %s", s->tree[t].most,
			channel_text(s->fabric, s->tree[t].root, name, sizeof name));
		gnuplot_string(gnuplot, "name = ", text);
		fprintf(gnuplot, "set label name at %.9g, graph %.9g offset 1,0 tc rgb '%s'\n", time, 0.94 - 0.07 * (double)t, colours[t]);
	}
}

static void write_panels(const struct report *report, const struct queue_series *s, FILE *gnuplot)
{
	const char *size = s->cycles ? "flits" : "bytes";
	plot_style(gnuplot);
	write_moments(s, gnuplot);
	fputs("set multiplot layout 2,1\nset lmargin 12\nset rmargin 10\nset xrange [0:*]\nset yrange [0:*]\nset key outside top center horizontal\n",
		gnuplot);
	fprintf(gnuplot, "set format x '%s'\n", s->cycles ? "%g" : "%.1s %cs");
	plot_title(report, "set title ", "queues: ", gnuplot);
	fprintf(gnuplot,
		"set ylabel '%s in all buffers'\nset format y '%%.0s%%c'\nset y2label 'share of its buffers'\nset y2range [0:1.05]\nset y2tics\n",
		size);
	fprintf(gnuplot,
		"plot $moments using 1:2 with filledcurves x1 fs transparent solid 0.4 noborder lc rgb '#5b9bd5' title '%s held', "
		"'' using 1:3 axes x1y2 with lines lw 2 lc rgb '#1f4e79' title 'the fullest channel (right)'\n",
		size);
	fprintf(gnuplot, "unset title\nunset y2label\nunset y2tics\nset format y '%%g'\nset ylabel 'channels'\nset xlabel 'time%s'\n",
		s->cycles ? ", cycles" : "");
	fputs("stats $moments using 4 nooutput\nset yrange [0:STATS_max > 0 ? 1.35 * STATS_max : 1]\n", gnuplot);
	mark_trees(s, gnuplot);
	fputs("plot $moments using 1:4 with filledcurves x1 fs transparent solid 0.4 noborder lc rgb '#ed7d31' title 'with a full buffer', "
	      "'' using 1:5 with lines lw 2 lc rgb '#c00000' title 'in the largest congestion tree'\nunset multiplot\n",
		gnuplot);
}

int plot_series(const struct report *report, struct output *output, struct error *error)
{
	const char *path = report->options->plot;
	const struct queue_series *s = queues_of(report);
	if (!s->moments)
		return error_at(
			error, STATUS_IO, path, 0, "nothing to draw: the run ended before its first packet could have passed a channel");
	FILE *gnuplot = gnuplot_start(path, WIDTH, HEIGHT, error);
	if (gnuplot)
		write_panels(report, s, gnuplot);
	return gnuplot_end(gnuplot, output, path, error);
}
