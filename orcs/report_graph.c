/* The annotated graph of get_cable_cong. */
#include "orcs/report_workspace.h"

#include "cli/palette.h"

#include <inttypes.h>
#include <math.h>

struct colouring {
	const struct report *report;
	double largest, full; /* the largest sum; the sum that is full red */
};

static void column_share(FILE *file, uint32_t channel, const void *data)
{
	const struct colouring *c = data;
	fprintf(file, "%.6f", c->largest > 0 ? report_channel_sum(c->report, channel) / c->largest : 0);
}

static void column_sum(FILE *file, uint32_t channel, const void *data)
{
	char text[40];
	report_format_weight(text, sizeof text, report_channel_sum(((const struct colouring *)data)->report, channel));
	fputs(text, file);
}

static void column_expected(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.9g", run_loads_expected(&((const struct colouring *)data)->report->loads, channel));
}

static void column_limit(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.9g", report_channel_limit(((const struct colouring *)data)->report, channel));
}

static void column_busy(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.6f", report_channel_busy(((const struct colouring *)data)->report, channel));
}

static void column_colour(FILE *file, uint32_t channel, const void *data)
{
	const struct colouring *c = data;
	char text[40];
	palette_colour(c->report->options->palette, c->full > 0 ? report_channel_sum(c->report, channel) / c->full : 0, text, sizeof text);
	fputs(text, file);
}

void report_graph(const struct report *report, FILE *file)
{
	const struct engine_setup *s = &report->setup->work->setup;
	bool counted = runs_of_pairs(report->setup->work), timed = report_watched(report) > 0; /* routes; busy times; otherwise bits */
	uint64_t levels = s->only_level >= 0 || !counted ? 1 : pattern_levels(s->pattern);
	double most =
		timed ? report_watched(report) * PICOSECONDS : (double)(report->outcome->runs * levels); /* what --absolute is a share of */
	struct colouring colouring = {.report = report, .largest = report_largest_sum(report)};
	colouring.full = report->options->absolute > 0 ? report->options->absolute * most : colouring.largest;
	bool expected = report->loads.levels && report->loads.basis == LOADS_EXPECTED, limit = report->outcome->channel_limit;
	struct dot_column columns[] = {
		{"congestion", column_share, &colouring},
		{timed ? "busy" : "congestion_sum", timed ? column_busy : column_sum, &colouring},
		{"color", column_colour, &colouring},
		{expected       ? "expected_sum"
			: limit ? report_limit_name(report)
				: NULL,
			expected ? column_expected : column_limit, &colouring},
		{NULL, NULL, NULL},
	};
	bool any = report->loads.levels && report->hottest.channel != NONE;
	char runs[24], level_count[24], full[40];
	snprintf(runs, sizeof runs, "%" PRIu64, report->outcome->runs);
	snprintf(level_count, sizeof level_count, "%" PRIu64, levels);
	report_format_weight(full, sizeof full, timed ? colouring.full / (report_watched(report) * PICOSECONDS) : colouring.full);
	const char *speeds = fabric_speeds_differ(report_fabric(report)) && counted ? s->speed_aware ? "counted" : "ignored" : NULL;
	struct dot_pair pairs[] = {
		{"orcs_pattern", report_sent(report)},
		{"orcs_runs", runs},
		{"orcs_levels", level_count},
		{"orcs_full_sum", full},
		{"orcs_palette", report->options->palette},
		{"orcs_speeds", speeds},
		{"orcs_unit", counted ? NULL
			      : timed ? "busy"
				      : "bits"}, /* otherwise routes */
		{"orcs_significance", counted && any ? significance_names[report->hottest.significance] : NULL},
		{NULL, NULL},
	};
	dot_write(report_fabric(report), report->attributes, file, columns, pairs);
}
