/* Draws with gnuplot the distribution of a histogram metric: shares as boxes, mean and confidence interval marked; or, of several loads,
 * packet latency, accepted load, and the use of the channels, against the load. */
#include "orcs/plot_parts.h"
#include "orcs/plot_queue.h"

#include "base/statistics.h"
#include "cli/gnuplot.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

int plotted_metric(const struct report *report)
{
	int m = 0;
	while (m < report->setup->metric_count && report->result[m].item[0].type != ITEM_HISTOGRAM &&
		report->result[m].item[0].type != ITEM_INTERVALS)
		m++;
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

/* The boxes are data: middle, height, width. */

/* Shares of the runs by bandwidth, in boxes fine enough to show their spread. */
static void plot_bandwidths(FILE *gnuplot, const double *sorted, size_t count)
{
	double low = count ? sorted[0] : 0, high = count ? sorted[count - 1] : 1;
	double width = high - low > 1e-9 ? round_width(high - low) : 0.01;
	fputs("$boxes << END\n", gnuplot);
	for (size_t i = 0; i < count;) {
		double box = box_of(sorted[i], width);
		size_t first = i;
		while (i < count && box_of(sorted[i], width) == box)
			i++;
		fprintf(gnuplot, "%.9g %.9g %.9g\n", (box + 0.5) * width, (double)(i - first) / (double)count, width * 0.95);
	}
	fputs("END\n", gnuplot);
	fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", low - 2 * width, high + 3 * width);
}

/* Returns whether the values of a histogram are seconds. */
static bool in_seconds(const struct item *item)
{
	return item->label && !strncmp(item->label, "seconds", 7);
}

/* Shares by values of any size, on a logarithmic axis: each box reaches to the end of its bin, or as far as the next value may be, which is
 * a factor away. */
static void plot_any_size(FILE *gnuplot, const struct item *item)
{
	double factor = 2;
	for (size_t i = 1; i < item->bin_count; i++)
		if (item->bins[i - 1].value > 0)
			factor = fmin(factor, item->bins[i].value / item->bins[i - 1].value);
	fputs("$boxes << END\n", gnuplot);
	for (size_t i = 0; i < item->bin_count; i++) {
		double from = item->bins[i].value, to = item->bin_end ? item->bin_end(from) : from * factor;
		if (from > 0)
			fprintf(gnuplot, "%.9g %.9g %.9g\n", (from + to) / 2, (double)item->bins[i].count / (double)item->count,
				(to - from) * 0.95);
	}
	fprintf(gnuplot, "END\nset logscale x\nset format x '%s'\n", in_seconds(item) ? "%.0s %cs" : "%g");
}

/* Shares by weight, sum or delay, a box for each; or by interval. */
static void plot_histogram(FILE *gnuplot, const struct item *item)
{
	double width = 1, middle = item->type == ITEM_INTERVALS ? 0.5 / (double)item->bin_count : 0;
	for (size_t i = 1; i < item->bin_count; i++)
		if (item->bins[i].value - item->bins[i - 1].value < width)
			width = item->bins[i].value - item->bins[i - 1].value;
	fputs("$boxes << END\n", gnuplot);
	for (size_t i = 0; i < item->bin_count; i++)
		fprintf(gnuplot, "%.9g %.9g %.9g\n", item->bins[i].value + middle, (double)item->bins[i].count / (double)item->count,
			width * 0.95);
	fputs("END\n", gnuplot);
	if (item->bin_count)
		fprintf(gnuplot, "set xrange [%.9g:%.9g]\n", item->bins[0].value - width, item->bins[item->bin_count - 1].value + width);
}

/* Describes the values of the runs whose mean is drawn: means, unless the result has only a maximum. */
static const char *value_name(const struct result *result)
{
	const struct item *largest = result_find(result, "mean") ? NULL : result_find(result, "max");
	return largest ? largest->label : "mean";
}

/* The mean of the runs and its confidence interval, as lines and in the key. */
static void plot_mean(FILE *gnuplot, const struct statistics *s, const char *name, bool any_size)
{
	if (!isnan(s->low)) {
		fputs(", '-' with filledcurves fs transparent solid 0.25 noborder lc rgb '#c00000' title '95% confidence interval of the mean: ",
			gnuplot);
		fprintf(gnuplot, any_size ? "%.4g .. %.4g'" : "%.4f .. %.4f'", s->low, s->high);
	}
	fprintf(gnuplot,
		any_size ? ", '-' with lines lw 2 lc rgb '#c00000' title '%s: %.4g'"
			 : ", '-' with lines lw 2 lc rgb '#c00000' title '%s: %.4f'",
		name, s->mean);
}

static void plot_mean_data(FILE *gnuplot, const struct statistics *s)
{
	const double top = 2; /* above every share */
	if (!isnan(s->low))
		fprintf(gnuplot, "%.9g 0\n%.9g %.9g\n%.9g %.9g\n%.9g 0\ne\n", s->low, s->low, top, s->high, top, s->high);
	fprintf(gnuplot, "%.9g 0\n%.9g %.9g\ne\n", s->mean, s->mean, top);
}

void plot_title(const struct report *report, const char *before, const char *what, FILE *gnuplot)
{
	const struct options *o = report->options;
	char title[300];
	if (report->setup->work->terms.open)
		snprintf(title, sizeof title, "%s%.100s traffic on %" PRIu32 " hosts", what, report->setup->work->terms.sent,
			report->setup->placement->ranks);
	else
		snprintf(title, sizeof title, "%spattern %.100s on %" PRIu32 " hosts, %" PRIu64 " run%s", what, o->pattern.spec,
			report->setup->placement->ranks, report->outcome->runs, report->outcome->runs == 1 ? "" : "s");
	gnuplot_string(gnuplot, before, title);
}

void plot_style(FILE *gnuplot)
{
	fputs("set style fill solid 0.7 border lc rgb '#1f4e79'\nset grid ytics lc rgb '#dddddd'\nset border 3\nset tics nomirror out\n",
		gnuplot);
}

static void write_distribution(const struct report *report, FILE *gnuplot)
{
	int m = plotted_metric(report);
	const struct metric *metric = report->setup->metrics[m].metric;
	const struct result *result = &report->result[m];
	const struct item *item = result->item; /* a histogram is the first item of its metric */
	size_t count = report->outcome->value_count[m];
	bool bandwidths = item->type == ITEM_INTERVALS && !strcmp(item->of, "runs"), runs = metric->gathers & METRIC_VALUES && count;
	char before[100];
	snprintf(before, sizeof before, "%s: ", metric->name);
	plot_title(report, "set title ", before, gnuplot);
	const char *label = bandwidths                     ? "bandwidth of a run, as a share of the peak"
			    : item->type == ITEM_INTERVALS ? "share of the time in which they are busy"
			    : item->any_size               ? in_seconds(item) ? "seconds" : "cycles"
							   : item->label;
	fprintf(gnuplot, "set xlabel '%s'\nset ylabel 'share of the %s'\n", label, item->of);
	plot_style(gnuplot);
	fputs("set key outside top center vertical Left reverse\n", gnuplot);
	if (bandwidths)
		plot_bandwidths(gnuplot, report->sorted[m], count);
	else if (item->any_size)
		plot_any_size(gnuplot, item);
	else
		plot_histogram(gnuplot, item);
	fputs("stats $boxes using 2 nooutput\nset yrange [0:STATS_max * 1.08]\n", gnuplot);
	const struct item *bandwidth = result_find(result, "bandwidth");
	fputs("plot $boxes using 1:2:3 with boxes lc rgb '#5b9bd5' ", gnuplot);
	if (bandwidth && !isnan(bandwidth->number[0]))
		fprintf(gnuplot, "title 'mean bandwidth of the linear model: %.4f'", bandwidth->number[0]);
	else
		fputs("notitle", gnuplot);
	struct statistics s;
	if (runs) {
		s = statistics_of(report->outcome->values[m], report->sorted[m], count);
		plot_mean(gnuplot, &s, value_name(result), item->any_size);
	}
	putc('\n', gnuplot);
	if (runs)
		plot_mean_data(gnuplot, &s);
}

/* ---- against the load */

const struct item *plot_loads_of(const struct report *report, const char *metric)
{
	for (int m = 0; m < report->setup->metric_count; m++) {
		const struct item *table = result_find(&report->result[m], "loads");
		if (table && !strcmp(report->setup->metrics[m].metric->name, metric) && table->list_count > table->column_count)
			return table;
	}
	return NULL;
}

static double cell(const struct item *table, size_t row, const char *key)
{
	size_t column = 0;
	while (strcmp(table->columns[column].key, key) != 0)
		column++; /* one exists */
	return table->list[row * table->column_count + column];
}

/* Returns whether the rows are message sizes, not loads. */
static bool by_size(const struct item *table)
{
	return !strcmp(table->columns->key, "bytes");
}

/* Writes the columns with those keys as data, after that of the loads, or sizes. */
static void write_data(const struct item *table, const char *name, const char *const *keys, FILE *gnuplot)
{
	fprintf(gnuplot, "$%s << END\n", name);
	for (size_t row = 0; row < table->list_count / table->column_count; row++) {
		fprintf(gnuplot, "%.9g ", table->list[row * table->column_count]);
		for (const char *const *key = keys; *key; key++)
			fprintf(gnuplot, "%.9g ", cell(table, row, *key));
		putc('\n', gnuplot);
	}
	fputs("END\n", gnuplot);
}

/* Returns whether any load has that value. */
static bool any_number(const struct item *table, const char *key)
{
	for (size_t row = 0; row < table->list_count / table->column_count; row++)
		if (!isnan(cell(table, row, key)))
			return true;
	return false;
}

/* Marks the points of saturated loads, where there are any, at the height of a column of the data. */
static void mark_saturated(const struct item *table, const char *name, int column, int saturated, FILE *gnuplot)
{
	double any = 0;
	for (size_t row = 0; row < table->list_count / table->column_count; row++)
		any = fmax(any, cell(table, row, "saturated"));
	if (any > 0)
		fprintf(gnuplot, ", $%s using ($%d > 0 ? $1 : NaN):%d with points pt 6 ps 2 lw 2 lc rgb '#c00000' title 'saturated'", name,
			saturated, column);
}

/* Shades the loads from the first that is saturated on. */
static void shade_saturation(const struct item *table, FILE *gnuplot)
{
	for (size_t row = 0; row < table->list_count / table->column_count; row++) {
		if (!(cell(table, row, "saturated") > 0))
			continue;
		double load = cell(table, row, "load"), from = row ? (load + cell(table, row - 1, "load")) / 2 : load;
		fprintf(gnuplot,
			"set object 1 rectangle from first %.9g, graph 0 to graph 1, graph 1 behind fc rgb '#fdecea' fs solid 1 noborder\n",
			from);
		return;
	}
}

/* Latencies of several sizes need a logarithmic axis. */
static void write_latency_axis(const struct item *table, bool cycles, FILE *gnuplot)
{
	double low = INFINITY, high = 0;
	for (size_t row = 0; row < table->list_count / table->column_count; row++) {
		low = fmin(low, cell(table, row, "wire"));
		high = fmax(high, cell(table, row, "p99"));
	}
	fprintf(gnuplot, "set ylabel 'packet latency%s'\nset format y '%s'\n", cycles ? ", cycles" : "", cycles ? "%g" : "%.1s %cs");
	fputs(high > 20 * low ? "set logscale y\nset yrange [*:*]\n" : "set yrange [0:*]\n", gnuplot);
}

static void write_latencies(const struct item *table, bool cycles, FILE *gnuplot)
{
	static const char *const keys[] = {"mean", "ci95_half", "wire", "p50", "p99", "saturated", NULL};
	write_data(table, "latency", keys, gnuplot);
	write_latency_axis(table, cycles, gnuplot);
	fputs("plot $latency using 1:6 with linespoints pt 9 lc rgb '#ed7d31' title '99% within', "
	      "'' using 1:2:3 with yerrorlines pt 7 lw 2 lc rgb '#1f4e79' title 'mean, 95% interval', "
	      "'' using 1:5 with linespoints pt 5 lc rgb '#5b9bd5' title 'median', "
	      "'' using 1:4 with lines dt 2 lc rgb '#666666' title 'without waiting'",
		gnuplot);
	mark_saturated(table, "latency", 2, 7, gnuplot);
	fputs("\nunset logscale y\nset format y\n", gnuplot);
}

static void write_shares(const struct item *accepted, const struct item *busy, FILE *gnuplot)
{
	static const char *const accepted_keys[] = {"accepted", "ci95_half", "saturated", NULL}, *const busy_keys[] = {"busy", "busy_max",
													 "blocked", NULL};
	const char *before = "plot ";
	if (accepted)
		write_data(accepted, "accepted", accepted_keys, gnuplot);
	if (busy)
		write_data(busy, "busy", busy_keys, gnuplot);
	fprintf(gnuplot, "set ylabel '%s'\nset yrange [0:*]\n", accepted ? "share of the links" : "share of the time");
	if (accepted) {
		fputs(by_size(accepted) ? "plot " : "plot $accepted using 1:1 with lines dt 2 lc rgb '#666666' title 'offered', ", gnuplot);
		fputs("$accepted using 1:2:3 with yerrorlines pt 7 lw 2 lc rgb '#1f4e79' title 'accepted, 95% interval'", gnuplot);
		mark_saturated(accepted, "accepted", 2, 4, gnuplot);
		before = ", ";
	}
	if (busy)
		fprintf(gnuplot,
			"%s$busy using 1:3 with linespoints pt 9 lc rgb '#ed7d31' title 'the busiest channel is busy', "
			"'' using 1:2 with linespoints pt 5 lc rgb '#5b9bd5' title 'channels are busy (mean)', "
			"'' using 1:4 with linespoints pt 11 lc rgb '#70ad47' title 'channels are blocked (mean)'",
			before);
	putc('\n', gnuplot);
}

/* Plots latencies, and below them shares, against the load. */
static void write_loads(const struct report *report, const struct item *latency, FILE *gnuplot)
{
	const struct item *accepted = plot_loads_of(report, "packet_throughput"), *busy = plot_loads_of(report, "link_busy");
	accepted = accepted && any_number(accepted, "accepted") ? accepted : NULL; /* closed workloads offer none */
	bool both = latency && (accepted || busy);
	plot_style(gnuplot);
	fputs("set key outside right top vertical Left reverse\nset lmargin 14\nset rmargin 38\n", gnuplot);
	fputs(by_size(latency    ? latency
		      : accepted ? accepted
				 : busy)
			? "set xlabel 'size of a message, bytes'\nset logscale x\nset xrange [*:*]\n"
			: "set xlabel 'load: offered share of the links'\nset xrange [0:*]\n",
		gnuplot);
	if (latency || accepted)
		shade_saturation(latency ? latency : accepted, gnuplot);
	if (both)
		fputs("set multiplot layout 2,1\n", gnuplot);
	plot_title(report, "set title ", "", gnuplot);
	if (latency)
		write_latencies(latency, report->setup->work->terms.cycles, gnuplot);
	if (both)
		fputs("unset title\n", gnuplot);
	if (accepted || busy)
		write_shares(accepted, busy, gnuplot);
	if (both)
		fputs("unset multiplot\n", gnuplot);
}

int report_plot(const struct report *report, struct output *output, struct error *error)
{
	const char *path = report->options->plot;
	const struct item *latency = plot_loads_of(report, "packet_latency"), *busy = plot_loads_of(report, "link_busy");
	bool loads = latency || busy;
	if (plots_queue(report))
		return plot_queue(report, output, error);
	if (plots_series(report))
		return plot_series(report, output, error);
	if (plots_links(report))
		return plot_links(report, output, error);
	if (plots_program(report))
		return plot_program(report, output, error);
	if (!report->outcome->connections)
		return error_at(error, STATUS_IO, path, 0, "nothing to draw: nothing was sent");
	if ((latency && !busy && !any_number(latency, "mean")) || (!loads && !report->result[plotted_metric(report)].item->bin_count))
		return error_at(error, STATUS_IO, path, 0, "nothing to draw: no measured packet has arrived");
	if (latency && !any_number(latency, "mean"))
		latency = NULL;
	FILE *gnuplot = gnuplot_start(path, loads ? 1000 : 900, loads && report->setup->metric_count > 1 ? 900 : 560, error);
	if (gnuplot && loads)
		write_loads(report, latency, gnuplot);
	else if (gnuplot)
		write_distribution(report, gnuplot);
	return gnuplot_end(gnuplot, output, path, error);
}
