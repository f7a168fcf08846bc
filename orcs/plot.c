/* Draws the distribution of a histogram metric with gnuplot: shares as boxes, mean and confidence interval marked. */
#include "report.h"

#include "gnuplot.h"
#include "statistics.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The first metric with a histogram. */
static int plotted_metric(const struct report *report)
{
	int m = 0;
	while (report->result[m].item[0].type != ITEM_HISTOGRAM && report->result[m].item[0].type != ITEM_INTERVALS)
		m++; /* there is one: the options have been checked */
	return m;
}

/* A round width (1, 2 or 5 times a power of ten) that cuts the range into some thirty boxes. */
static double round_width(double range)
{
	double width = pow(10, floor(log10(range / 15)));
	for (int factor = 2; range / width > 40; factor = factor == 2 ? 5 : 2)
		width *= factor == 2 ? 2 : 2.5;
	return width;
}

/* The box of a bandwidth, its lower edge included; the last box includes 1, too. */
static double box_of(double bandwidth, double width)
{
	return floor((bandwidth < 1 - 1e-9 ? bandwidth : 1 - width / 2) / width + 1e-9);
}

/* Shares of the runs by bandwidth, in boxes fine enough to show their spread. Returns the width of a box. */
static double plot_bandwidths(FILE *gnuplot, const double *sorted, size_t count)
{
	double low = count ? sorted[0] : 0, high = count ? sorted[count - 1] : 1;
	double width = high - low > 1e-9 ? round_width(high - low) : 0.01;
	fputs("$boxes << END\n", gnuplot);
	for (size_t i = 0; i < count;) {
		double box = box_of(sorted[i], width);
		size_t first = i;
		while (i < count && box_of(sorted[i], width) == box)
			i++;
		fprintf(gnuplot, "%.9g %.9g\n", (box + 0.5) * width, (double)(i - first) / (double)count);
	}
	fputs("END\n", gnuplot);
	fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", low - 2 * width, high + 3 * width);
	return width;
}

/* Shares by weight, sum or delay, a box for each. */
static double plot_histogram(FILE *gnuplot, const struct item *item)
{
	double width = 1;
	for (size_t i = 1; i < item->bin_count; i++)
		if (item->bins[i].value - item->bins[i - 1].value < width)
			width = item->bins[i].value - item->bins[i - 1].value;
	fputs("$boxes << END\n", gnuplot);
	for (size_t i = 0; i < item->bin_count; i++)
		fprintf(gnuplot, "%.9g %.9g\n", item->bins[i].value, (double)item->bins[i].count / (double)item->count);
	fputs("END\n", gnuplot);
	if (item->bin_count)
		fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", item->bins[0].value - width, item->bins[item->bin_count - 1].value + width);
	return width;
}

/* The mean of the runs and its confidence interval, as lines and in the key. */
static void plot_mean(FILE *gnuplot, const struct statistics *s)
{
	if (!isnan(s->low))
		fprintf(gnuplot,
			", '-' with filledcurves fs transparent solid 0.25 noborder lc rgb '#c00000' title '95%% confidence interval of the mean: %.4f .. %.4f'",
			s->low, s->high);
	fprintf(gnuplot, ", '-' with lines lw 2 lc rgb '#c00000' title 'mean: %.4f'", s->mean);
}

static void plot_mean_data(FILE *gnuplot, const struct statistics *s)
{
	const double top = 2; /* above every share */
	if (!isnan(s->low))
		fprintf(gnuplot, "%.9g 0\n%.9g %.9g\n%.9g %.9g\n%.9g 0\ne\n", s->low, s->low, top, s->high, top, s->high);
	fprintf(gnuplot, "%.9g 0\n%.9g %.9g\ne\n", s->mean, s->mean, top);
}

static void write_script(const struct report *report, FILE *gnuplot)
{
	int m = plotted_metric(report);
	const struct metric *metric = report->setup->metrics[m].metric;
	const struct result *result = &report->result[m];
	const struct item *item = result->item; /* a histogram is the first item of its metric */
	size_t count = report->outcome->value_count[m];
	bool bandwidths = item->type == ITEM_INTERVALS, runs = metric->gathers & METRIC_VALUES && count;
	char title[300];
	snprintf(title, sizeof title, "%s: pattern %.100s on %" PRIu32 " hosts, %" PRIu64 " run%s", metric->name,
		report->options->pattern.spec, report->setup->placement->ranks, report->outcome->runs,
		report->outcome->runs == 1 ? "" : "s");
	gnuplot_string(gnuplot, "set title ", title);
	fprintf(gnuplot, "set xlabel '%s'\nset ylabel 'share of the %s'\n",
		bandwidths ? "bandwidth of a run, as a share of the peak" : item->label, item->of);
	fputs("set style fill solid 0.7 border lc rgb '#1f4e79'\nset grid ytics lc rgb '#dddddd'\nset border 3\n"
	      "set tics nomirror out\nset key outside top center vertical Left reverse\n",
		gnuplot);
	double width = bandwidths ? plot_bandwidths(gnuplot, report->sorted[m], count) : plot_histogram(gnuplot, item);
	fputs("stats $boxes using 2 nooutput\nset yrange [0:STATS_max * 1.08]\n", gnuplot);
	const struct item *bandwidth = result_find(result, "bandwidth");
	fprintf(gnuplot, "plot $boxes using 1:2:(%.9g) with boxes lc rgb '#5b9bd5' ", width * 0.95);
	if (bandwidth && !isnan(bandwidth->number[0]))
		fprintf(gnuplot, "title 'mean bandwidth of the linear model: %.4f'", bandwidth->number[0]);
	else
		fputs("notitle", gnuplot);
	struct statistics s;
	if (runs) {
		s = statistics_of(report->outcome->values[m], report->sorted[m], count);
		plot_mean(gnuplot, &s);
	}
	putc('\n', gnuplot);
	if (runs)
		plot_mean_data(gnuplot, &s);
}

int report_plot(const struct report *report, struct output *output, struct error *error)
{
	const char *path = report->options->plot;
	if (!report->outcome->connections)
		return error_at(error, STATUS_IO, path, 0, "not drawn: nothing was sent");
	FILE *gnuplot = gnuplot_start(output, path, 900, 560);
	if (gnuplot)
		write_script(report, gnuplot);
	return gnuplot_end(gnuplot, output, path, error);
}
