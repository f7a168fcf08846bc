/* Draws the distribution of a histogram metric with gnuplot: shares as boxes, mean and confidence interval marked. */
#include "report.h"

#include "output.h"
#include "statistics.h"

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

/* The first metric with a histogram. */
static int plotted_metric(const struct report *report)
{
	int m = 0;
	while (report->setup->metrics[m].metric->gathers & METRIC_CHANNELS)
		m++;
	return m;
}

static const struct item *plotted_item(const struct result *result)
{
	const struct item *item = result->item;
	while (item->type != ITEM_HISTOGRAM && item->type != ITEM_INTERVALS)
		item++;
	return item;
}

static void mark(FILE *gnuplot, double x, const char *style)
{
	fprintf(gnuplot, "set arrow from %.9g, graph 0 to %.9g, graph 1 nohead front %s\n", x, x, style);
}

static void write_script(const struct report *report, FILE *gnuplot, bool svg, const char *path)
{
	int m = plotted_metric(report);
	const struct result *result = &report->result[m];
	const struct item *item = plotted_item(result);
	const struct options *o = report->options;
	bool intervals = item->type == ITEM_INTERVALS;
	double width = intervals ? 1.0 / (double)item->bin_count : 1;
	const struct item *mean = result_find(result, intervals ? "mean" : "bandwidth"), *range = result_find(result, "ci95");
	if (!mean)
		mean = result_find(result, "mean");
	fprintf(gnuplot, "set terminal %s size 900,560 enhanced font 'sans,12' background '#ffffff'\nset output '%s'\n", svg ? "svg" : "pngcairo", path);
	fprintf(gnuplot, "set title \"%s of %s, %llu runs\" noenhanced\n", report->setup->metrics[m].metric->name, o->pattern.spec,
		(unsigned long long)report->outcome->runs);
	fprintf(gnuplot, "set xlabel '%s'\nset ylabel 'share of the %s'\n", intervals ? "share of the peak bandwidth" : item->label, item->of);
	fputs("set style fill solid 0.7 border lc rgb '#1f4e79'\nset grid ytics lc rgb '#dddddd'\nset yrange [0:*]\nset key top left\nset border 3\nset tics nomirror out\n",
		gnuplot);
	if (intervals)
		fputs("set xrange [0:1]\nset xtics 0.1\n", gnuplot);
	else if (item->bin_count)
		fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", item->bins[0].value - 1, item->bins[item->bin_count - 1].value + 1);
	bool marked = mean && !isnan(mean->number[0]) && strcmp(mean->key, "bandwidth");
	if (marked) {
		mark(gnuplot, mean->number[0], "lw 2 lc rgb '#c00000'");
		if (range) {
			mark(gnuplot, range->number[0], "lw 1 dt 2 lc rgb '#c00000'");
			mark(gnuplot, range->number[1], "lw 1 dt 2 lc rgb '#c00000'");
		}
	}
	fputs("$bins << END\n", gnuplot);
	for (size_t i = 0; i < item->bin_count; i++)
		fprintf(gnuplot, "%.9g %.9g\n", item->bins[i].value + (intervals ? width / 2 : 0),
			item->count ? (double)item->bins[i].count / (double)item->count : 0);
	fprintf(gnuplot, "END\nplot $bins using 1:2:(%.9g) with boxes lc rgb '#5b9bd5' notitle", width * 0.95);
	if (marked) {
		fprintf(gnuplot, ", NaN with lines lw 2 lc rgb '#c00000' title 'mean %.4f'", mean->number[0]);
		if (range)
			fprintf(gnuplot, ", NaN with lines lw 1 dt 2 lc rgb '#c00000' title '95%% confidence interval %.4f .. %.4f'", range->number[0],
				range->number[1]);
	} else if (mean && !isnan(mean->number[0])) {
		fprintf(gnuplot, ", NaN with lines lw 0 lc rgb '#ffffff' title 'bandwidth %.4f'", mean->number[0]);
	}
	putc('\n', gnuplot);
}

int report_plot(const struct report *report, const char *path, struct error *error)
{
	struct output output;
	if (strpbrk(path, "'\n"))
		return error_at(error, STATUS_IO, path, 0, "gnuplot cannot write to a name with a quote in it");
	if (output_open(&output, path, error))
		return -1;
	signal(SIGPIPE, SIG_IGN);
	FILE *gnuplot = popen("gnuplot", "w");
	if (gnuplot)
		write_script(report, gnuplot, !strcmp(strrchr(path, '.'), ".svg"), output.temporary ? output.temporary : path);
	int status = gnuplot ? pclose(gnuplot) : -1;
	if (status) {
		output_discard(&output);
		bool missing = status != -1 && WIFEXITED(status) && WEXITSTATUS(status) == 127;
		return error_at(error, STATUS_IO, path, 0, missing ? "not drawn: gnuplot is not installed (Debian: gnuplot-nox)" : "not drawn: gnuplot failed");
	}
	return output_commit(&output, error);
}
