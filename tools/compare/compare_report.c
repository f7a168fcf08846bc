#include "tools/compare/compare_report.h"

#include "base/document.h"
#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Returns whether hops are known: not for several routes per pair. */
static bool has_hops(const struct routed_fabric *routing)
{
	return routing->reach.reached && !routing->several;
}

static double mean_hops(const struct routed_fabric *routing)
{
	return has_hops(routing) ? (double)routing->reach.hops / (double)routing->reach.reached : NAN;
}

/* Returns the mean rate over the runs; NAN if speeds do not count, or nothing was sent. */
static double mean_gbps(const struct trial *trial)
{
	return trial->verdict.runs.count ? trial->gbps / (double)trial->verdict.runs.count : NAN;
}

/* ---- one row per pattern and routing: text and CSV */

/* Formats a mean and its confidence interval, as "0.8218 +- 0.0016". */
static void interval_text(char *text, size_t size, double mean, double low, double high)
{
	double shown = fabs(mean) < 5e-5 ? 0 : mean; /* never -0.0000 */
	if (isnan(low))
		snprintf(text, size, "%.4f", shown);
	else
		snprintf(text, size, "%.4f +- %.4f", shown, (high - low) / 2);
}

/* Returns "[3]", or "" if the port is unknown. */
static const char *port_text(char text[20], uint32_t port)
{
	snprintf(text, 20, port ? "[%" PRIu32 "]" : "", port);
	return text;
}

static void print_hottest(struct row *row, const struct hottest *hottest)
{
	char from[20], to[20], remark[60];
	row_print(row, "%s%s -> %s%s (%.2f%s)", SHOWN(hottest->from), port_text(from, hottest->port), SHOWN(hottest->to),
		port_text(to, hottest->peer_port), hottest->channel.load, hottest_remark(&hottest->channel, remark, sizeof remark));
}

static void row_interval(struct row *row, double mean, double low, double high)
{
	char text[80];
	interval_text(text, sizeof text, mean, low, high);
	row_print(row, "%s", text);
}

/* Adds the mean of the runs and its bounds: as text, or as three numbers. */
static void row_bandwidth(struct row *row, const struct statistics *runs)
{
	bool any = runs->count;
	if (any)
		row_interval(row, runs->mean, runs->low, runs->high);
	else
		row_put(row, NO_VALUE);
	row_number(row, any ? runs->mean : NAN, NULL);
	row_number(row, any ? runs->low : NAN, NULL);
	row_number(row, any ? runs->high : NAN, NULL);
}

static void row_difference(struct row *row, const struct verdict *v)
{
	bool any = v->runs.count;
	if (v->best)
		row_text(row, "best");
	else if (any && v->common)
		row_interval(row, v->difference, v->low, v->high);
	else
		row_put(row, NO_VALUE);
	row_number(row, any ? v->difference : NAN, NULL);
	row_number(row, any ? v->low : NAN, NULL);
	row_number(row, any ? v->high : NAN, NULL);
}

static void row_guid(struct row *row, uint64_t guid)
{
	if (guid)
		row_print(row, "0x%016" PRIx64, guid);
	else
		row_put(row, NO_VALUE);
}

static void row_hottest(struct row *row, const struct hottest *hottest)
{
	bool any = hottest->from;
	if (any)
		print_hottest(row, hottest);
	else
		row_put(row, NO_VALUE);
	row_text(row, hottest->from);
	row_put(row, value_of_some(hottest->port));
	row_text(row, hottest->to);
	row_put(row, value_of_some(hottest->peer_port));
	row_guid(row, hottest->guid);
	row_guid(row, hottest->peer_guid);
	row_number(row, any ? hottest->mean : NAN, NULL);
	row_number(row, any && hottest->channel.basis != LOADS_SAMPLED ? hottest->channel.load : NAN, NULL);
	row_text(row, any ? significance_names[hottest->channel.significance] : NULL);
}

static void trial_row(struct row *row, size_t index, const void *data)
{
	static const struct trial none;
	const struct comparison *c = data;
	size_t pattern = index / (size_t)c->routings;
	const struct routed_fabric *r = &c->routing[index % (size_t)c->routings];
	const struct compared_reach *reach = &r->reach;
	const struct trial *trial = is_compared(r) ? &r->trial[pattern] : &none;
	row->left_out = !is_compared(r) && (row->format == FORMAT_TEXT || pattern);
	row->apart = pattern && r == c->routing;
	row_text(row, r->label);
	row_text(row, r->engine && r->source ? r->engine->used : NULL);
	row_number(row, r->engine ? r->engine->seconds : NAN, "%.2f");
	row_put(row, r->source ? value_of_count(reach->reached + reach->unreachable) : NO_VALUE);
	row_put(row, r->source ? value_of_count(reach->unreachable) : NO_VALUE);
	row_number(row, r->source ? mean_hops(r) : NAN, "%.4f");
	row_put(row, r->source && has_hops(r) ? value_of_count(reach->max_hops) : NO_VALUE);
	row_text(row, is_compared(r) ? c->request[pattern].spec : NULL);
	row_put(row, is_compared(r) ? value_of_count(trial->verdict.runs.count) : NO_VALUE);
	row_put(row, is_compared(r) ? value_of_count(trial->unroutable) : NO_VALUE);
	row_bandwidth(row, &trial->verdict.runs);
	row_number(row, mean_gbps(trial), "%.2f");
	row_put(row, r->source ? value_of_bool(r->speeds_differ && !c->ignore_speeds) : NO_VALUE);
	row_difference(row, &trial->verdict);
	row_hottest(row, &trial->hottest);
	row_put(row, r->source ? value_of_count(r->missing.count) : NO_VALUE);
	row_text(row, !r->source ? r->engine->failure : *r->gap ? r->gap : NULL);
}

enum { ROUTING, ENGINE, SECONDS, PATTERN = 7, BANDWIDTH = 10, MEAN, GBPS = 14, SPEEDS, MISSING = 30, TRIAL_COLUMNS = 32 };

static const struct column trial_columns[TRIAL_COLUMNS] = {
	[ROUTING] = {.csv = "routing", .title = "routing"},
	[ENGINE] = {.csv = "engine", .title = "engine", .left = true, .before = "  "},
	[SECONDS] = {.csv = "seconds", .title = "seconds", .before = "  "},
	{.csv = "pairs"},
	{.csv = "unreachable", .title = "unreachable", .before = "  "},
	{.csv = "mean_hops", .title = "mean hops", .before = "  "},
	{.csv = "max_hops", .title = "max", .before = "  "},
	{.csv = "pattern", .title = "pattern", .left = true, .before = "  "},
	{.csv = "runs"},
	{.csv = "unroutable"},
	{.title = "bandwidth", .left = true, .before = "  "},
	{.csv = "bandwidth"},
	{.csv = "low"},
	{.csv = "high"},
	[GBPS] = {.csv = "gbps", .title = "Gb/s", .before = "  "},
	[SPEEDS] = {.csv = "speed_aware"},
	{.title = "to the best", .left = true, .before = "  "},
	{.csv = "difference"},
	{.csv = "difference_low"},
	{.csv = "difference_high"},
	{.title = "hottest cable (routes)", .width = -1, .before = "  "},
	{.csv = "from"},
	{.csv = "from_port"},
	{.csv = "to"},
	{.csv = "to_port"},
	{.csv = "from_guid"},
	{.csv = "to_guid"},
	{.csv = "routes"},
	{.csv = "expected"},
	{.csv = "significance"},
	[MISSING] = {.csv = "missing_hosts"},
	{.csv = "failure"},
};

/* The width of the longest label, including routings without a row. */
static int routing_width(const struct comparison *c)
{
	size_t width = strlen(trial_columns[ROUTING].title);
	for (int i = 0; i < c->routings; i++)
		if (strlen(SHOWN(c->routing[i].label)) > width)
			width = strlen(SHOWN(c->routing[i].label));
	return (int)width;
}

/* Columns of speeds are for fabrics whose speeds differ, and hosts are missing only if the fabrics have different ones. */
static void choose_columns(struct column columns[TRIAL_COLUMNS], const struct comparison *c)
{
	bool differ = false;
	memcpy(columns, trial_columns, sizeof trial_columns);
	for (int i = 0; i < c->routings; i++)
		differ |= c->routing[i].speeds_differ;
	if (!differ)
		columns[GBPS].csv = columns[SPEEDS].csv = NULL;
	if (!differ || c->ignore_speeds)
		columns[GBPS].title = NULL;
	if (!c->hosts.common)
		columns[MISSING].csv = NULL;
}

static void say_trials(struct document *d, const struct comparison *c, struct table trials, int width)
{
	struct column columns[TRIAL_COLUMNS];
	memcpy(columns, trials.columns, sizeof columns);
	columns[ROUTING].width = -width;
	bool opensm = c->routing[0].engine && c->routing[0].engine->opensm, others = opensm;
	for (int i = 0; i < c->routings; i++) {
		const struct engine_run *engine = c->routing[i].engine;
		others |= engine && c->routing[i].source && strcmp(engine->used, engine->asked) != 0;
	}
	if (!others)
		columns[ENGINE].title = NULL;
	if (!opensm)
		columns[SECONDS].title = NULL;
	trials.columns = columns;
	fprintf(d->text, "%" PRIu32 " hosts%s, %" PRIu32 " rank%s, %" PRIu64 " run%s, seed %" PRIu64 "\n\n", c->hosts.hosts,
		c->hosts.common ? " of all fabrics" : "", c->ranks, c->ranks == 1 ? "" : "s", c->runs, c->runs == 1 ? "" : "s", c->seed);
	say_table(d, trials);
}

/* Whether an earlier routing or pattern, or the tail if head, has the same node at its hottest cable. */
static bool has_named(const struct comparison *c, int routing, int pattern, bool head, uint64_t guid)
{
	for (int i = 0; i <= routing; i++)
		for (int p = 0; p < c->patterns && is_compared(&c->routing[i]) && (i < routing || p <= pattern); p++) {
			const struct hottest *h = &c->routing[i].trial[p].hottest;
			bool here = i == routing && p == pattern;
			if (h->from && ((h->guid == guid && (!here || head)) || (h->peer_guid == guid && !here)))
				return true;
		}
	return false;
}

/* The GUIDs of the nodes at the hottest cables, each once. */
static void say_guids(FILE *text, const struct comparison *c)
{
	const char *before = "GUIDs: ";
	for (int i = 0; i < c->routings; i++)
		for (int p = 0; p < c->patterns && is_compared(&c->routing[i]); p++) {
			const struct hottest *h = &c->routing[i].trial[p].hottest;
			for (int head = 0; head < 2 && h->from; head++) {
				uint64_t guid = head ? h->peer_guid : h->guid;
				if (!guid || has_named(c, i, p, head, guid))
					continue;
				fprintf(text, "%s%s 0x%016" PRIx64, before, SHOWN(head ? h->to : h->from), guid);
				before = ", ";
			}
		}
	if (*before == ',')
		fputs("\n", text);
}

/* Names hosts that a fabric lacks, but others have. */
static void say_missing(FILE *text, const struct comparison *c, int width)
{
	for (int i = 0; i < c->routings; i++) {
		const struct missing_hosts *m = &c->routing[i].missing;
		if (!m->count)
			continue;
		fprintf(text, "%-*s  without %" PRIu32 " host%s that others have: ", width, SHOWN(c->routing[i].label), m->count,
			m->count == 1 ? "" : "s");
		for (int n = 0; n < MISSING_NAMED && m->name[n]; n++)
			fprintf(text, "%s%s", n ? ", " : "", SHOWN(m->name[n]));
		fputs(m->count > MISSING_NAMED ? ", ...\n" : "\n", text);
	}
}

/* Writes what is missing: messages of a pattern, runs of a routing, or the routing. */
static void say_gaps(FILE *text, const struct comparison *c, int width)
{
	for (int i = 0; i < c->routings; i++)
		for (int p = 0; p < c->patterns && is_compared(&c->routing[i]); p++) {
			const struct trial *trial = &c->routing[i].trial[p];
			if (trial->unroutable)
				fprintf(text, "%-*s  without %" PRIu64 " of %" PRIu64 " messages of %s, which have no route%s\n", width,
					SHOWN(c->routing[i].label), trial->unroutable, trial->unroutable + trial->connections,
					SHOWN(c->request[p].spec),
					trial->verdict.runs.count && !trial->verdict.complete
						? ": cannot be the best, as other routings deliver all"
						: "");
		}
	for (int i = 0; i < c->routings; i++)
		if (!c->routing[i].source)
			fprintf(text, "%-*s  not routed: %s\n", width, SHOWN(c->routing[i].label), SHOWN(c->routing[i].engine->failure));
		else if (*c->routing[i].gap)
			fprintf(text, "%-*s  not compared: %" PRIu64 " pairs are unreachable, %s\n", width, SHOWN(c->routing[i].label),
				c->routing[i].reach.unreachable, SHOWN(c->routing[i].gap));
}

/* States which of the engines of --routing are OpenSM's, and which are of orcs. */
static void say_origins(FILE *text, const struct comparison *c)
{
	const char *before = "\n";
	for (int opensm = 1; opensm >= 0; opensm--) {
		const char *start = opensm ? "tables of OpenSM 3.3.23: " : "engines of orcs: ";
		for (int i = 0; i < c->routings; i++) {
			const struct engine_run *engine = c->routing[i].engine;
			if (!engine || engine->opensm || !c->routing[i].source || engine->by_opensm != opensm ||
				!strcmp(engine->asked, ENGINE_AS_IS))
				continue;
			fprintf(text, "%s%s%s", before, start, SHOWN(c->routing[i].label));
			before = ", ";
			start = "";
		}
		if (*before == ',')
			before = "; ";
	}
	if (*before != '\n')
		putc('\n', text);
}

/* ---- JSON: one object per routing, with one per pattern */

static void add_hottest(struct node *to, const struct hottest *hottest)
{
	if (!hottest->from) {
		add_value(to, "hottest", NO_VALUE);
		return;
	}
	struct node *object = add_object(to, "hottest");
	add_text(object, "from", hottest->from);
	add_value(object, "from_port", value_of_some(hottest->port));
	add_text(object, "to", hottest->to);
	add_value(object, "to_port", value_of_some(hottest->peer_port));
	add_guids(object, hottest->guid, hottest->peer_guid);
	add_number(object, "sum", hottest->sum);
	add_number(object, "mean", hottest->mean);
	hottest_add(object, &hottest->channel);
}

static void add_trial(struct node *to, const struct trial *trial)
{
	const struct verdict *v = &trial->verdict;
	bool any = v->runs.count;
	add_count(to, "runs", v->runs.count);
	add_count(to, "unroutable", trial->unroutable);
	add_number(to, "mean", any ? v->runs.mean : NAN);
	if (!isnan(mean_gbps(trial)))
		add_number(to, "mean_gbps", mean_gbps(trial));
	add_range(to, "ci95", any ? v->runs.low : NAN, v->runs.high);
	add_number(to, "sd", any ? v->runs.sd : NAN);
	add_number(to, "min", any ? v->runs.min : NAN);
	add_number(to, "q1", any ? v->runs.q1 : NAN);
	add_number(to, "median", any ? v->runs.median : NAN);
	add_number(to, "q3", any ? v->runs.q3 : NAN);
	add_number(to, "max", any ? v->runs.max : NAN);
	add_bool(to, "best", v->best);
	add_number(to, "difference", any ? v->difference : NAN);
	add_range(to, "difference_ci95", any ? v->low : NAN, v->high);
	add_hottest(to, &trial->hottest);
}

static void add_engine(struct node *to, const struct engine_run *engine, bool routed)
{
	add_text(to, "asked", engine->asked);
	add_text(to, "used", routed ? engine->used : NULL);
	add_bool(to, "opensm", routed && (engine->opensm || engine->by_opensm));
	add_number(to, "seconds", engine->seconds);
	add_text(to, "failure", routed ? NULL : engine->failure);
}

static void add_routing(struct node *to, const struct comparison *c, const struct routed_fabric *routing)
{
	const struct compared_reach *reach = &routing->reach;
	add_text(to, "routing", routing->label);
	if (routing->engine)
		add_engine(add_object(to, "engine"), routing->engine, routing->source);
	if (!routing->source)
		return;
	struct node *fabric = add_object(to, "fabric");
	add_text(fabric, "hash", document_print(document_of(to), "%016" PRIx64, routing->hash));
	add_count(fabric, "switches", routing->switches);
	add_count(fabric, "channels", routing->channels);
	if (routing->speeds_differ)
		add_bool(to, "speed_aware", !c->ignore_speeds);
	if (c->hosts.common) {
		add_count(to, "missing_hosts", routing->missing.count);
		struct node *names = add_list(to, "missing");
		for (int n = 0; n < MISSING_NAMED && routing->missing.name[n]; n++)
			add_text(names, NULL, routing->missing.name[n]);
	}
	add_count(to, "pairs", reach->reached + reach->unreachable);
	add_count(to, "unreachable", reach->unreachable);
	add_number(to, "mean_hops", mean_hops(routing));
	add_value(to, "max_hops", has_hops(routing) ? value_of_count(reach->max_hops) : NO_VALUE);
	add_text(to, "gap", *routing->gap ? routing->gap : NULL);
	struct node *patterns = add_object(to, "patterns");
	for (int p = 0; p < c->patterns && is_compared(routing); p++)
		add_trial(add_object(patterns, c->request[p].spec), &routing->trial[p]);
}

/* The result but for its head and its text. */
static void add_result(struct document *d, const struct compare_options *options, const struct comparison *c)
{
	if (options->engines)
		add_text(d->root, "topology", strcmp(options->input[0].name, "<stdin>") ? options->input[0].name : "-");
	add_count(d->root, "hosts", c->hosts.hosts);
	add_count(d->root, "comm_size", c->ranks);
	add_text(d->root, "subset", c->subset);
	add_text(d->root, "mapping", c->mapping);
	add_count(d->root, "seed", c->seed);
	add_count(d->root, "runs", c->runs);
	struct node *routings = add_list(d->root, "routings");
	for (int i = 0; i < c->routings; i++)
		add_routing(add_object(routings, NULL), c, &c->routing[i]);
}

static void report(struct document *d, const struct compare_options *options, const struct comparison *c, const struct table *trials)
{
	int width = routing_width(c);
	add_head(d, "orcs-compare/1", options->argc, options->argv);
	say_trials(d, c, *trials, width);
	say_guids(d->text, c);
	say_missing(d->text, c, width);
	say_gaps(d->text, c, width);
	say_origins(d->text, c);
	add_result(d, options, c);
	d->csv = trials;
}

int compare_report(const struct compare_options *options, const struct comparison *c, FILE *file, struct error *error)
{
	struct column columns[TRIAL_COLUMNS];
	choose_columns(columns, c);
	const struct table trials = {columns, TRIAL_COLUMNS, (size_t)c->patterns * (size_t)c->routings, trial_row, c};
	struct document document;
	if (!document_begin(&document, options->format, file, error))
		report(&document, options, c, &trials);
	return document_end(&document, error);
}

/* ---- planes */

struct planes_table {
	const struct compared_plane *plane; /* [planes] */
	uint32_t planes;
	size_t trials; /* of a plane */
};

/* Returns the bandwidth of a routing: the mean over the planes that sent something, weighted by their hosts; NAN if a plane lacks it. */
static double total_of(const struct planes_table *t, int routing, size_t pattern)
{
	double sum = 0, hosts = 0;
	for (uint32_t p = 0; p < t->planes; p++) {
		const struct routed_fabric *r = &t->plane[p].comparison.routing[routing];
		if (!is_compared(r))
			return NAN;
		const struct statistics *runs = &r->trial[pattern].verdict.runs;
		sum += runs->count ? runs->mean * r->hosts : 0;
		hosts += runs->count ? r->hosts : 0;
	}
	return hosts > 0 ? sum / hosts : NAN;
}

static uint64_t hosts_of(const struct planes_table *t)
{
	uint64_t hosts = 0;
	for (uint32_t p = 0; p < t->planes; p++)
		hosts += t->plane[p].comparison.hosts.hosts;
	return hosts;
}

/* The trials of the planes, one plane after the other, then the totals. */
static void plane_row(struct row *row, size_t index, const void *data)
{
	const struct planes_table *t = data;
	const struct comparison *c = &t->plane[0].comparison;
	size_t plane = index / t->trials, trial = index % t->trials, pattern = trial / (size_t)c->routings;
	int routing = (int)(trial % (size_t)c->routings);
	if (plane < t->planes) {
		row_print(row, "%" PRIu32, t->plane[plane].number);
		trial_row(row, trial, &t->plane[plane].comparison);
	} else {
		double mean = total_of(t, routing, pattern);
		row_text(row, "total");
		for (int i = 0; i < TRIAL_COLUMNS; i++)
			if (i == ROUTING)
				row_text(row, c->routing[routing].label);
			else if (i == PATTERN)
				row_text(row, c->request[pattern].spec);
			else
				row_number(row, i == BANDWIDTH || i == MEAN ? mean : NAN, "%.4f");
	}
	row->apart |= plane && !trial;
}

/* In JSON, the command of a plane selects it. */
static void add_plane(struct node *to, const struct compare_options *options, const struct compared_plane *plane)
{
	struct document *d = document_of(to);
	struct node *root = d->root;
	add_count(to, "plane", plane->number);
	d->root = add_object(to, "result");
	struct node *command = add_head(d, "orcs-compare/1", 1, options->argv);
	add_text(command, NULL, "--plane");
	add_text(command, NULL, document_print(d, "%" PRIu32, plane->number));
	for (int i = 1; i < options->argc; i++)
		add_text(command, NULL, options->argv[i]);
	add_result(d, options, &plane->comparison);
	d->root = root;
}

static void add_planes(struct document *d, const struct compare_options *options, const struct planes_table *t)
{
	const struct comparison *c = &t->plane[0].comparison;
	add_head(d, "orcs-compare-planes/1", options->argc, options->argv);
	struct node *planes = add_list(d->root, "planes");
	for (uint32_t p = 0; p < t->planes; p++)
		add_plane(add_object(planes, NULL), options, &t->plane[p]);
	struct node *total = add_object(d->root, "total");
	add_count(total, "hosts", hosts_of(t));
	struct node *routings = add_list(total, "routings");
	for (int i = 0; i < c->routings; i++) {
		struct node *routing = add_object(routings, NULL);
		add_text(routing, "routing", c->routing[i].label);
		struct node *patterns = add_object(routing, "patterns");
		for (int p = 0; p < c->patterns; p++)
			add_number(add_object(patterns, c->request[p].spec), "mean", total_of(t, i, (size_t)p));
	}
}

/* Writes the text around the table. */
static void say_planes(struct document *d, const struct planes_table *t, struct table table)
{
	const struct comparison *c = &t->plane[0].comparison;
	int width = routing_width(c);
	fprintf(d->text, "%" PRIu32 " planes, %" PRIu64 " hosts, seed %" PRIu64 "\n\n", t->planes, hosts_of(t), c->seed);
	say_table(d, table);
	for (uint32_t p = 0; p < t->planes; p++) {
		say_guids(d->text, &t->plane[p].comparison);
		say_missing(d->text, &t->plane[p].comparison, width);
		say_gaps(d->text, &t->plane[p].comparison, width);
	}
	say_origins(d->text, c);
}

int compare_planes_report(
	const struct compare_options *options, const struct compared_plane *plane, uint32_t planes, FILE *file, struct error *error)
{
	const struct comparison *c = &plane[0].comparison;
	const struct planes_table t = {plane, planes, (size_t)c->patterns * (size_t)c->routings};
	struct column columns[1 + TRIAL_COLUMNS] = {{.csv = "plane", .title = "plane", .left = true}}, its[TRIAL_COLUMNS];
	for (uint32_t p = 0; p < planes; p++) {
		choose_columns(its, &plane[p].comparison);
		for (int i = 0; i < TRIAL_COLUMNS; i++)
			if (!p || its[i].csv || its[i].title)
				columns[1 + i] = its[i];
	}
	columns[1 + ROUTING].left = true;
	columns[1 + ROUTING].before = "  ";
	columns[1 + ENGINE].title = columns[1 + SECONDS].title = NULL; /* OpenSM routes a whole fabric */
	const struct table table = {columns, 1 + TRIAL_COLUMNS, (planes + 1) * t.trials, plane_row, &t};
	struct document d;
	if (!document_begin(&d, options->format, file, error)) {
		say_planes(&d, &t, table);
		add_planes(&d, options, &t);
		d.csv = &table;
	}
	return document_end(&d, error);
}
