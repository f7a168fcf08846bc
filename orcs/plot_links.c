/*
 * Draws with gnuplot the distributions of a packet run as cumulative shares: latency, hops, accepted traffic or communication time over the
 * ranks (Mubarak et al., TPDS 2017, figures 9 and 10), busy and blocked time over the channels by tier (figures 11 and 14); and of grids as
 * maps, by dimension and position, and by the positions in two dimensions (HiNetSim, figure 10).
 */
#include "orcs/plot_parts.h"
#include "orcs/report_workspace.h"

#include "base/memory.h"
#include "base/statistics.h"
#include "cli/gnuplot.h"
#include "cli/palette.h"
#include "fabric/dimensions.h"
#include "fabric/tiers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL_WIDTH = 540, PANEL_HEIGHT = 330, CURVE_POINTS = 2000, PAIRS_MAX = 4 };

static const char *const colours[TIERS_MAX] = {"#1f4e79", "#ed7d31", "#70ad47", "#5b9bd5", "#c00000", "#7030a0", "#bf9000", "#666666"};

static bool has_links(const struct report *report)
{
	int m = plotted_metric(report);
	return m < report->setup->metric_count && !strcmp(report->setup->metrics[m].metric->name, "link_busy");
}

bool plots_links(const struct report *report)
{
	bool several =
		plot_loads_of(report, "packet_latency") || plot_loads_of(report, "link_busy") || plot_loads_of(report, "packet_throughput");
	return !several && (report->ranks || has_links(report));
}

/* ---- distributions */

/* Writes a cumulative distribution as data, in at most about CURVE_POINTS points. Sorts the values. Returns the largest; 0 without values.
 */
static double write_curve(FILE *gnuplot, const char *name, unsigned number, double *values, size_t count)
{
	size_t next = 0;
	sort_values(values, count);
	fprintf(gnuplot, "$%s%u << END\n", name, number);
	if (count)
		fprintf(gnuplot, "%.9g 0\n", values[0]);
	for (size_t i = 0; i < count; i++) {
		bool last = i + 1 == count || values[i + 1] > values[i];
		if (!last || (i < next && i + 1 < count))
			continue;
		fprintf(gnuplot, "%.9g %.9g\n", values[i], (double)(i + 1) / (double)count);
		next = i + 1 + count / CURVE_POINTS;
	}
	fputs("END\n", gnuplot);
	return count ? values[count - 1] : 0;
}

static void begin_curves(FILE *gnuplot, const char *label, const char *of, const char *format, double largest)
{
	fprintf(gnuplot, "set xlabel '%s'\nset ylabel 'share of the %s'\nset format x '%s'\n", label, of, format);
	if (largest > 0)
		fputs("set xrange [0:*]\n", gnuplot);
	else
		fputs("set xrange [0:1]\n", gnuplot);
	fputs("set yrange [0:1.02]\nset key outside top center horizontal\nplot ", gnuplot);
}

/* Writes a column of the ranks as a curve. Returns the largest value. */
static double write_ranks(FILE *gnuplot, const struct rank_table *ranks, unsigned column, double *values)
{
	size_t count = 0;
	for (const double *row = ranks->cell; row < ranks->cell + ranks->used; row += RANK_COLUMNS) {
		double value = column == RANK_ACCEPTED ? row[column] / row[RANK_MEASURED] : row[column];
		if (!isnan(value))
			values[count++] = value;
	}
	return write_curve(gnuplot, "rank", column, values, count);
}

/* Draws a column of the ranks, and maybe a second one (0: none). */
static void draw_ranks(const struct report *report, FILE *gnuplot, const char *label, const char *format, unsigned column,
	const char *title, unsigned second, const char *second_title, double *values)
{
	double largest = write_ranks(gnuplot, report->ranks, column, values);
	if (second)
		largest = fmax(largest, write_ranks(gnuplot, report->ranks, second, values));
	begin_curves(gnuplot, label, "ranks", format, largest);
	fprintf(gnuplot, "$rank%u using 1:2 with steps lw 2 lc rgb '%s' %s%s%s", column, colours[0], title ? "title '" : "notitle",
		title ? title : "", title ? "'" : "");
	if (second)
		fprintf(gnuplot, ", $rank%u using 1:2 with steps lw 2 lc rgb '%s' title '%s'", second, colours[1], second_title);
	putc('\n', gnuplot);
}

/* Draws four panels. Returns 0, or -1 if out of memory. */
static int draw_rank_panels(const struct report *report, FILE *gnuplot, struct error *error)
{
	double *values = array_create(report->ranks->used / RANK_COLUMNS + 1, sizeof *values, error);
	const struct engine_terms *terms = &report->setup->work->terms;
	const char *time = terms->cycles ? "%g" : "%.1s %cs";
	if (!values)
		return -1;
	draw_ranks(report, gnuplot, terms->cycles ? "packet latency, cycles" : "packet latency", time, RANK_LATENCY, "mean of a rank",
		RANK_P99, "99% of its packets within", values);
	draw_ranks(report, gnuplot, "channels that packets pass, mean of a rank", "%g", RANK_HOPS, NULL, 0, NULL, values);
	if (terms->open)
		draw_ranks(report, gnuplot, terms->cycles ? "accepted, flits a cycle" : "accepted, bytes a second",
			terms->cycles ? "%g" : "%.0s %c", RANK_ACCEPTED, NULL, 0, NULL, values);
	else
		draw_ranks(report, gnuplot, terms->cycles ? "communication time, cycles" : "communication time", time, RANK_COMMUNICATION,
			NULL, 0, NULL, values);
	draw_ranks(report, gnuplot, "share of the time, of the links from hosts", "%g", RANK_BLOCKED, "blocked", RANK_BUSY, "busy", values);
	free(values);
	return 0;
}

static double share_of(const struct report *report, uint32_t channel, bool blocked)
{
	return blocked ? report_channel_limit(report, channel) : report_channel_busy(report, channel);
}

/* Draws the shares of the channels by tier. Returns 0, or -1 if out of memory. */
static int draw_tiers(const struct report *report, FILE *gnuplot, const uint8_t *tier, bool blocked, struct error *error)
{
	const struct fabric *f = report_fabric(report);
	double *values = array_create(f->channels, sizeof *values, error), largest = 0;
	uint32_t channels[TIERS_MAX] = {0};
	if (!values)
		return -1;
	for (unsigned t = 0; t < TIERS_MAX; t++) {
		for (uint32_t c = 0; c < f->channels; c++)
			if (tier[c] == t)
				values[channels[t]++] = share_of(report, c, blocked);
		largest = fmax(largest, write_curve(gnuplot, blocked ? "blocked" : "busy", t, values, channels[t]));
	}
	free(values);
	begin_curves(gnuplot, blocked ? "share of the time in which they are blocked" : "share of the time in which they are busy",
		"channels", "%g", largest);
	const char *before = "";
	for (unsigned t = 0; t < TIERS_MAX; t++)
		if (channels[t]) {
			fprintf(gnuplot, "%s$%s%u using 1:2 with steps lw 2 lc rgb '%s' title '%s%u (%" PRIu32 ")'", before,
				blocked ? "blocked" : "busy", t, colours[t], t ? "tier " : "hosts, tier ", t, channels[t]);
			before = ", ";
		}
	putc('\n', gnuplot);
	return 0;
}

/* ---- maps */

/* Writes the means of the cells, row by row from below, as data; a cell without channels stays white. */
static void write_map(FILE *gnuplot, const double *sum, const double *channels, uint32_t columns, uint32_t rows)
{
	fputs("$map << END\n", gnuplot);
	for (uint32_t i = 0; i < columns * rows; i++)
		if (channels[i] > 0)
			fprintf(gnuplot, "%" PRIu32 " %" PRIu32 " %.9g\n", i % columns, i / columns, sum[i] / channels[i]);
		else
			fprintf(gnuplot, "%" PRIu32 " %" PRIu32 " NaN\n", i % columns, i / columns);
	fputs("END\n", gnuplot);
}

static void begin_map(FILE *gnuplot, const char *title, uint32_t columns, uint32_t rows)
{
	enum { FEW = 16 };
	fprintf(gnuplot, "set title '%s'\nset xrange [-0.5:%g]\nset yrange [-0.5:%g]\nset format x '%%g'\nunset key\nunset grid\n", title,
		columns - 0.5, rows - 0.5);
	fprintf(gnuplot, "set xtics %s\nset ytics %s\n", columns < FEW ? "1" : "autofreq", rows < FEW ? "1" : "autofreq");
}

static void end_map(FILE *gnuplot)
{
	fputs("plot $map using 1:2:3 with image pixels\nunset title\nset xtics autofreq\nset ytics autofreq\nset grid ytics lc rgb '#dddddd'\nset key\n",
		gnuplot);
}

/* Draws the mean share by way and position. Returns 0, or -1 if out of memory. */
static int draw_ways(const struct report *report, FILE *gnuplot, const struct dimensions *d, bool blocked, struct error *error)
{
	const struct fabric *f = report_fabric(report);
	uint32_t widest = 0;
	for (unsigned i = 0; i < d->count; i++)
		widest = d->width[i] > widest ? d->width[i] : widest;
	size_t cells = (size_t)2 * d->count * widest;
	double *sum = array_create(cells, sizeof *sum, error), *channels = array_create(cells, sizeof *channels, error);
	for (uint32_t v = 0; !error->status && v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (d->way[c] != NO_WAY) {
				size_t cell = (size_t)d->way[c] * widest + dimensions_coordinate(d, d->block[v], d->way[c] / 2);
				sum[cell] += share_of(report, c, blocked);
				channels[cell]++;
			}
	if (!error->status) {
		write_map(gnuplot, sum, channels, widest, 2 * d->count);
		begin_map(
			gnuplot, blocked ? "blocked, by dimension and position" : "busy, by dimension and position", widest, 2 * d->count);
		fputs("set xlabel 'position'\nset ylabel 'dimension'\nset ytics (", gnuplot);
		for (unsigned way = 0; way < 2 * d->count; way++)
			fprintf(gnuplot, "%s'%u%c' %u", way ? ", " : "", way / 2 + 1, way % 2 ? '+' : '-', way);
		fputs(")\n", gnuplot);
		end_map(gnuplot);
	}
	free(sum);
	free(channels);
	return error->status ? -1 : 0;
}

/* Draws the mean busy share of the channels of a dimension and the next, by the positions in both. Returns 0, or -1 if out of memory. */
static int draw_pair(const struct report *report, FILE *gnuplot, const struct dimensions *d, unsigned first, struct error *error)
{
	const struct fabric *f = report_fabric(report);
	uint32_t width = d->width[first], height = d->width[first + 1];
	size_t cells = (size_t)width * height;
	double *sum = array_create(cells, sizeof *sum, error), *channels = array_create(cells, sizeof *channels, error);
	for (uint32_t v = 0; !error->status && v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			unsigned dimension = d->way[c] / 2;
			if (d->way[c] == NO_WAY || (dimension != first && dimension != first + 1))
				continue;
			size_t cell = dimensions_coordinate(d, d->block[v], first) +
				      (size_t)width * dimensions_coordinate(d, d->block[v], first + 1);
			sum[cell] += share_of(report, c, false);
			channels[cell]++;
		}
	if (!error->status) {
		char title[80];
		write_map(gnuplot, sum, channels, width, height);
		snprintf(title, sizeof title, "busy, channels of dimensions %u and %u", first + 1, first + 2);
		begin_map(gnuplot, title, width, height);
		fprintf(gnuplot, "set xlabel 'position in dimension %u'\nset ylabel 'in dimension %u'\n", first + 1, first + 2);
		end_map(gnuplot);
	}
	free(sum);
	free(channels);
	return error->status ? -1 : 0;
}

static void write_palette(const struct report *report, FILE *gnuplot)
{
	enum { STEPS = 16 };
	fputs("set palette defined (", gnuplot);
	for (int i = 0; i <= STEPS; i++)
		fprintf(gnuplot, "%s%d '#%06x'", i ? ", " : "", i, palette_rgb(report->options->palette, (double)i / STEPS));
	fputs(")\nset cbrange [0:*]\n", gnuplot);
}

static int draw_maps(const struct report *report, FILE *gnuplot, const struct dimensions *d, struct error *error)
{
	write_palette(report, gnuplot);
	fputs("set style fill solid 1\n", gnuplot);
	if (draw_ways(report, gnuplot, d, false, error) || draw_ways(report, gnuplot, d, true, error))
		return -1;
	for (unsigned i = 0; i + 1 < d->count && i < PAIRS_MAX; i++)
		if (draw_pair(report, gnuplot, d, i, error))
			return -1;
	return 0;
}

/* ---- the picture */

int plot_links(const struct report *report, struct output *output, struct error *error)
{
	const char *path = report->options->plot;
	const struct engine_setup *s = &report->setup->work->setup;
	bool links = has_links(report);
	struct dimensions d = {0};
	uint8_t *tier = links ? tiers_make(s->fabric, s->topology, error) : NULL;
	if (!report->outcome->connections)
		error_at(error, STATUS_IO, path, 0, "nothing to draw: nothing was sent");
	if (!error->status && links)
		dimensions_make(&d, s->fabric, s->topology, error);
	unsigned pairs = d.count > 1 ? (d.count - 1 < PAIRS_MAX ? d.count - 1 : PAIRS_MAX) : 0;
	unsigned panels = (report->ranks ? 4 : 0) + (links ? 2 : 0) + (d.count ? 2 + pairs : 0), rows = (panels + 1) / 2;
	FILE *gnuplot = error->status ? NULL : gnuplot_start(path, 2 * PANEL_WIDTH, (int)rows * PANEL_HEIGHT + 30, error);
	if (gnuplot) {
		char layout[60];
		plot_style(gnuplot);
		snprintf(layout, sizeof layout, "set multiplot layout %u,2 title ", rows);
		plot_title(report, layout, "", gnuplot);
		if (!(report->ranks && draw_rank_panels(report, gnuplot, error)) &&
			!(links && (draw_tiers(report, gnuplot, tier, false, error) || draw_tiers(report, gnuplot, tier, true, error))) &&
			d.count)
			draw_maps(report, gnuplot, &d, error);
		fputs("unset multiplot\n", gnuplot);
	}
	free(tier);
	dimensions_clear(&d);
	if (!error->status)
		return gnuplot_end(gnuplot, output, path, error);
	if (gnuplot)
		fclose(gnuplot);
	return -1;
}
