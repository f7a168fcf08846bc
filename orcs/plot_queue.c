#include "orcs/plot_queue.h"

#include "base/memory.h"
#include "cli/gnuplot.h"
#include "metrics/queue.h"
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { NAMED_JOBS = 60, NAMED_HOSTS = 40 }; /* of more, the names would overlap */

static const struct queue_record *record_of(const struct report *report)
{
	for (int m = 0; m < report->setup->metric_count; m++)
		if (metric_wants(report->setup->metrics[m].metric) & SEEN_QUEUE)
			return report->setup->metrics[m].data;
	return NULL;
}

bool plots_queue(const struct report *report)
{
	return record_of(report) != NULL;
}

/* Returns the colour of a job: hues a golden ratio of the circle apart, in three shades. */
static unsigned colour_of(uint32_t job)
{
	static const double lightness[] = {0.62, 0.74, 0.5};
	double hue = 6 * fmod(job * 0.61803398875, 1), light = lightness[job / 3 % 3], strength = 0.6 * (1 - fabs(2 * light - 1));
	unsigned colour = 0;
	for (int c = 0; c < 3; c++) {
		double distance = fabs(fmod(hue + 6 - 2 * c, 6) - 3); /* 3: the pure colour */
		double value = light + strength * (fmin(fmax(distance - 1, 0), 1) - 0.5);
		colour = colour << 8 | (unsigned)(255 * value + 0.5);
	}
	return colour;
}

static int ascending(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* A rectangle: hosts from low to the one before high. */
struct piece {
	uint32_t low, high;
};

/* Lists the pieces of consecutive hosts of a job in piece[tasks]. Returns their number; 0 if out of memory. */
static uint32_t list_pieces(const struct queue_record *r, uint32_t job, struct piece *piece, struct error *error)
{
	const struct queued_job *j = &r->job[job];
	uint32_t *host = array_copy(r->position + j->first, j->tasks, sizeof *host, error), pieces = 0;
	if (!host)
		return 0;
	qsort(host, j->tasks, sizeof *host, ascending);
	for (uint32_t t = 0; t < j->tasks; t++)
		if (t && host[t] == piece[pieces - 1].high)
			piece[pieces - 1].high++;
		else
			piece[pieces++] = (struct piece){host[t], host[t] + 1};
	free(host);
	return pieces;
}

static double seconds(uint64_t time)
{
	return (double)time / PICOSECONDS;
}

/* Writes a label in the middle of a rectangle. */
static void label(FILE *gnuplot, const char *text, double x, double y)
{
	gnuplot_string(gnuplot, "name = ", text);
	fprintf(gnuplot, "set label name at %.9g,%.9g center front font ',9'\n", x, y);
}

/* Writes the rectangles as data: middle, ends, colour; and the ids of few jobs, each in its largest piece. */
static void write_pieces(const struct queue_record *r, FILE *gnuplot, struct error *error)
{
	struct piece *piece = array_create(r->hosts, sizeof *piece, error);
	fputs("$jobs << END\n", gnuplot);
	for (uint32_t j = 0; piece && j < r->jobs; j++) {
		double from = seconds(r->placed[j].start), to = seconds(r->placed[j].end);
		uint32_t pieces = list_pieces(r, j, piece, error);
		for (uint32_t i = 0; i < pieces; i++)
			fprintf(gnuplot, "%.9g %.9g %.9g %.9g %" PRIu32 " %" PRIu32 " %u\n", (from + to) / 2,
				(piece[i].low + piece[i].high) / 2.0, from, to, piece[i].low, piece[i].high, colour_of(j));
	}
	fputs("END\n", gnuplot);
	for (uint32_t j = 0; piece && r->jobs <= NAMED_JOBS && j < r->jobs; j++) {
		uint32_t pieces = list_pieces(r, j, piece, error), best = 0;
		for (uint32_t i = 1; i < pieces; i++)
			best = piece[i].high - piece[i].low > piece[best].high - piece[best].low ? i : best;
		if (pieces)
			label(gnuplot, r->names + r->job[j].id, seconds(r->placed[j].start / 2 + r->placed[j].end / 2),
				(piece[best].low + piece[best].high) / 2.0);
	}
	free(piece);
}

/* Writes the names of few hosts beside their rows. */
static void write_hosts(const struct queue_record *r, FILE *gnuplot)
{
	fprintf(gnuplot, "set yrange [%" PRIu32 ":0]\nset ylabel 'hosts'\n", r->hosts);
	if (r->hosts > NAMED_HOSTS)
		return;
	fputs("set ytics ()\n", gnuplot);
	for (uint32_t h = 0; h < r->hosts; h++) {
		gnuplot_string(gnuplot, "name = ", r->fabric->labels->name[r->host[h]]);
		fprintf(gnuplot, "set ytics add (name %g)\n", h + 0.5);
	}
}

static void write_title(const struct report *report, const struct queue_record *r, const char *before, FILE *gnuplot)
{
	char title[300];
	snprintf(title, sizeof title, "%s%.100s on %" PRIu32 " hosts: %s, %s, %s", before, report->options->pattern.spec, r->hosts,
		r->policy.scheduler->name, r->policy.allocation->name, r->policy.mapping->name);
	gnuplot_string(gnuplot, "set title ", title);
}

/* Writes utilisation and waiting jobs over time as data. */
static int write_use(const struct queue_record *r, FILE *gnuplot, struct error *error)
{
	size_t changes = 3 * (size_t)r->jobs;
	struct queue_change *change = queue_changes(r->job, r->placed, r->needs, r->jobs, error);
	int64_t used = 0, waiting = 0;
	fputs("$use << END\n", gnuplot);
	for (size_t i = 0; change && i < changes; i++) {
		used += change[i].used;
		waiting += change[i].waiting;
		if (i + 1 == changes || change[i + 1].time != change[i].time)
			fprintf(gnuplot, "%.9g %.9g %" PRId64 "\n", seconds(change[i].time), (double)used / r->hosts, waiting);
	}
	fputs("END\n", gnuplot);
	free(change);
	return change ? 0 : -1;
}

/* Hosts x time, and below it the use of the machine. */
static void write_gantt(const struct report *report, const struct queue_record *r, FILE *gnuplot, struct error *error)
{
	write_pieces(r, gnuplot, error);
	if (error->status || write_use(r, gnuplot, error))
		return;
	fputs("stats $use using 1 nooutput name 'T'\nset xrange [T_min:T_max > T_min ? T_max : T_min + 1]\nset border 3\nset tics nomirror out\n"
	      "set lmargin 12\nset rmargin 10\nset multiplot\nset origin 0,0.28\nset size 1,0.72\n",
		gnuplot);
	write_title(report, r, "", gnuplot);
	write_hosts(r, gnuplot);
	fprintf(gnuplot, "plot $jobs using 1:2:3:4:5:6:7 with boxxyerror fs solid border lc rgb '#ffffff' lw %s lc rgb variable notitle\n",
		r->jobs <= NAMED_JOBS ? "1" : "0.1");
	fputs("unset label\nunset title\nset origin 0,0\nset size 1,0.3\nset xlabel 'seconds'\nset yrange [0:1]\nset ytics 0.5\n"
	      "set ylabel 'utilisation'\nset y2range [0:*]\nset y2tics\nset y2label 'waiting jobs'\nset border 11\nset key outside top right horizontal\n"
	      "plot $use using 1:2 with fillsteps fs solid 0.4 noborder lc rgb '#5b9bd5' title 'utilisation', "
	      "'' using 1:3 axes x1y2 with steps lw 2 lc rgb '#c00000' title 'waiting jobs'\nunset multiplot\n",
		gnuplot);
}

/* Where a host is drawn. */
struct square {
	uint32_t column, row;
	uint32_t job; /* 1 + its job at that moment; 0: none */
};

/* Returns a square for each host: a column for each leaf; if a leaf is a host, rows that make a square. NULL if out of memory. */
static struct square *place_hosts(const struct queue_record *r, struct error *error)
{
	struct square *square = array_create(r->hosts, sizeof *square, error);
	uint32_t *rows = array_create(r->leaves, sizeof *rows, error), width = (uint32_t)ceil(sqrt(r->hosts));
	for (uint32_t h = 0; square && rows && h < r->hosts; h++)
		square[h] = r->leaves == r->hosts ? (struct square){h % width, h / width, 0}
						  : (struct square){r->leaf[h], rows[r->leaf[h]]++, 0};
	free(rows);
	return square;
}

static void write_squares(const struct queue_record *r, const struct square *square, FILE *gnuplot)
{
	uint32_t columns = 0, rows = 0;
	fputs("$hosts << END\n", gnuplot);
	for (uint32_t h = 0; h < r->hosts; h++) {
		const struct square *s = &square[h];
		columns = s->column + 1 > columns ? s->column + 1 : columns;
		rows = s->row + 1 > rows ? s->row + 1 : rows;
		fprintf(gnuplot, "%" PRIu32 " %" PRIu32 " %g %g %g %g %u\n", s->column, s->row, s->column - 0.46, s->column + 0.46,
			s->row - 0.46, s->row + 0.46, s->job ? colour_of(s->job - 1) : 0xeeeeeeu);
	}
	fprintf(gnuplot, "END\nset xrange [-0.6:%g]\nset yrange [%g:-0.6]\n", columns - 0.4, rows - 0.4);
	if (columns <= NAMED_HOSTS)
		fputs("set xtics 1\n", gnuplot);
	if (rows <= NAMED_HOSTS)
		fputs("set ytics 1\n", gnuplot);
	for (uint32_t h = 0; r->hosts <= 4 * NAMED_JOBS && h < r->hosts; h++)
		if (square[h].job)
			label(gnuplot, r->names + r->job[square[h].job - 1].id, square[h].column, square[h].row);
}

/* The hosts at a moment, each in the colour of its job. */
static void write_occupancy(const struct report *report, const struct queue_record *r, FILE *gnuplot, struct error *error)
{
	double at = report->options->plot_at;
	struct square *square = place_hosts(r, error);
	char before[60];
	for (uint32_t j = 0; !error->status && j < r->jobs; j++)
		for (uint32_t t = 0; seconds(r->placed[j].start) <= at && at < seconds(r->placed[j].end) && t < r->job[j].tasks; t++)
			square[r->position[r->job[j].first + t]].job = j + 1;
	snprintf(before, sizeof before, "after %.9g s: ", at);
	write_title(report, r, before, gnuplot);
	fputs("set border 3\nset tics nomirror out\n", gnuplot);
	fputs(r->leaves == r->hosts ? "set xlabel 'hosts, row by row'\n" : "set xlabel 'leaves'\nset ylabel 'hosts of a leaf'\n", gnuplot);
	if (!error->status)
		write_squares(r, square, gnuplot);
	fputs("plot $hosts using 1:2:3:4:5:6:7 with boxxyerror fs solid noborder lc rgb variable notitle\n", gnuplot);
	free(square);
}

int plot_queue(const struct report *report, struct output *output, struct error *error)
{
	const struct queue_record *r = record_of(report);
	const char *path = report->options->plot;
	bool moment = report->options->plot_at >= 0;
	FILE *gnuplot = gnuplot_start(path, moment ? 900 : 1100, moment ? 500 : 760, error);
	if (gnuplot && moment)
		write_occupancy(report, r, gnuplot, error);
	else if (gnuplot)
		write_gantt(report, r, gnuplot, error);
	return gnuplot_end(gnuplot, output, path, error);
}
