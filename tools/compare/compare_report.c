#include "tools/compare/compare_report.h"

#include "base/shown.h"
#include "base/version.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether hops are known: not those of several routes. */
static bool has_hops(const struct routing *routing)
{
	return routing->reach.reached && !routing->several;
}

static double mean_hops(const struct routing *routing)
{
	return has_hops(routing) ? (double)routing->reach.hops / (double)routing->reach.reached : NAN;
}

/* ---- text */

enum column { ROUTING, ENGINE, SECONDS, UNREACHABLE, MEAN_HOPS, MAX_HOPS, PATTERN, BANDWIDTH, DIFFERENCE, HOTTEST, COLUMNS };

static const struct {
	const char *title;
	bool right; /* aligned */
} columns[COLUMNS] = {
	[ROUTING] = {"routing", false},
	[ENGINE] = {"engine", false},
	[SECONDS] = {"seconds", true},
	[UNREACHABLE] = {"unreachable", true},
	[MEAN_HOPS] = {"mean hops", true},
	[MAX_HOPS] = {"max", true},
	[PATTERN] = {"pattern", false},
	[BANDWIDTH] = {"bandwidth", false},
	[DIFFERENCE] = {"to the best", false},
	[HOTTEST] = {"hottest cable (routes)", false},
};

enum { CELL_MAX = 1000 };

/* A mean and how sure it is, as "0.8218 +- 0.0016". */
static void interval_text(char *text, size_t size, double mean, double low, double high)
{
	double shown = fabs(mean) < 5e-5 ? 0 : mean; /* never -0.0000 */
	if (isnan(low))
		snprintf(text, size, "%.4f", shown);
	else
		snprintf(text, size, "%.4f +- %.4f", shown, (high - low) / 2);
}

static void port_text(char *text, size_t size, const char *node, uint32_t port)
{
	if (port)
		snprintf(text, size, "%s[%" PRIu32 "]", SHOWN(node), port);
	else
		show_text(text, size, node);
}

static void hottest_text(char *text, size_t size, const struct hottest *hottest)
{
	char from[CELL_MAX / 3], to[CELL_MAX / 3];
	port_text(from, sizeof from, hottest->from, hottest->port);
	port_text(to, sizeof to, hottest->to, hottest->peer_port);
	snprintf(text, size, "%s -> %s (%.2f)", from, to, hottest->mean);
}

/* What stands in a cell; "-" where there is nothing. */
static void cell_text(char *text, size_t size, const struct comparison *c, int routing, int pattern, enum column column)
{
	const struct routing *r = &c->routing[routing];
	const struct trial *trial = &r->trial[pattern];
	const struct verdict *v = &trial->verdict;
	snprintf(text, size, "-");
	switch (column) {
	case ROUTING: show_text(text, size, r->label); break;
	case ENGINE:
		if (r->engine)
			show_text(text, size, r->engine->used);
		break;
	case SECONDS:
		if (r->engine && !isnan(r->engine->seconds))
			snprintf(text, size, "%.2f", r->engine->seconds);
		break;
	case UNREACHABLE: snprintf(text, size, "%" PRIu64, r->reach.unreachable); break;
	case MEAN_HOPS:
		if (has_hops(r))
			snprintf(text, size, "%.4f", mean_hops(r));
		break;
	case MAX_HOPS:
		if (has_hops(r))
			snprintf(text, size, "%" PRIu64, r->reach.max_hops);
		break;
	case PATTERN: show_text(text, size, c->request[pattern].spec); break;
	case BANDWIDTH:
		if (v->runs.count)
			interval_text(text, size, v->runs.mean, v->runs.low, v->runs.high);
		break;
	case DIFFERENCE:
		if (v->best)
			snprintf(text, size, "best");
		else if (v->runs.count && v->common)
			interval_text(text, size, v->difference, v->low, v->high);
		break;
	case HOTTEST:
		if (trial->hottest.from)
			hottest_text(text, size, &trial->hottest);
		break;
	case COLUMNS: break;
	}
}

/* How wide the columns must be; 0: one that nobody needs. */
static void find_widths(const struct comparison *c, size_t *width)
{
	char text[CELL_MAX];
	for (enum column column = 0; column < COLUMNS; column++) {
		bool opensm = c->routing[0].engine && c->routing[0].engine->opensm;
		width[column] = (column == ENGINE || column == SECONDS) && !opensm ? 0 : strlen(columns[column].title);
		for (int p = 0; width[column] && p < c->patterns; p++)
			for (int i = 0; i < c->routings; i++) {
				cell_text(text, sizeof text, c, i, p, column);
				if ((is_compared(&c->routing[i]) || column == ROUTING) && strlen(text) > width[column])
					width[column] = strlen(text);
			}
	}
	width[COLUMNS - 1] = 1; /* no blanks at the end of a line */
}

static void put_cell(FILE *file, enum column column, size_t width, const char *text)
{
	if (width)
		fprintf(file, "%s%*s", column ? "  " : "", columns[column].right ? (int)width : -(int)width, text);
}

static void write_text(const struct comparison *c, FILE *file)
{
	size_t width[COLUMNS];
	char text[CELL_MAX];
	find_widths(c, width);
	fprintf(file, "%" PRIu32 " hosts, %" PRIu32 " ranks, %" PRIu64 " run%s, seed %" PRIu64 "\n\n", c->hosts.hosts, c->ranks, c->runs,
		c->runs == 1 ? "" : "s", c->seed);
	for (enum column column = 0; column < COLUMNS; column++)
		put_cell(file, column, width[column], columns[column].title);
	putc('\n', file);
	for (int p = 0; p < c->patterns; p++) {
		if (p)
			putc('\n', file);
		for (int i = 0; i < c->routings; i++) {
			if (!is_compared(&c->routing[i]))
				continue;
			for (enum column column = 0; column < COLUMNS; column++) {
				cell_text(text, sizeof text, c, i, p, column);
				put_cell(file, column, width[column], text);
			}
			putc('\n', file);
		}
	}
	for (int i = 0; i < c->routings; i++)
		for (int p = 0; p < c->patterns && is_compared(&c->routing[i]); p++)
			if (c->routing[i].trial[p].unroutable)
				fprintf(file, "%-*s  without %" PRIu64 " of %" PRIu64 " messages of %s, which have no route\n",
					(int)width[ROUTING], SHOWN(c->routing[i].label), c->routing[i].trial[p].unroutable,
					c->routing[i].trial[p].unroutable + c->routing[i].trial[p].connections, SHOWN(c->request[p].spec));
	for (int i = 0; i < c->routings; i++)
		if (!c->routing[i].source)
			fprintf(file, "%-*s  not routed: %s\n", (int)width[ROUTING], SHOWN(c->routing[i].label),
				SHOWN(c->routing[i].engine->failure));
		else if (*c->routing[i].gap)
			fprintf(file, "%-*s  not compared: %" PRIu64 " pairs are unreachable, %s\n", (int)width[ROUTING],
				SHOWN(c->routing[i].label), c->routing[i].reach.unreachable, SHOWN(c->routing[i].gap));
}

/* ---- JSON */

static cJSON *json_interval(double low, double high)
{
	if (isnan(low))
		return cJSON_CreateNull();
	cJSON *list = cJSON_CreateArray();
	cJSON_AddItemToArray(list, json_number(low));
	cJSON_AddItemToArray(list, json_number(high));
	return list;
}

static cJSON *json_hottest(const struct hottest *hottest)
{
	if (!hottest->from)
		return cJSON_CreateNull();
	cJSON *json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "from", json_string(hottest->from));
	cJSON_AddItemToObject(json, "from_port", hottest->port ? json_count(hottest->port) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "to", json_string(hottest->to));
	cJSON_AddItemToObject(json, "to_port", hottest->peer_port ? json_count(hottest->peer_port) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "sum", json_number(hottest->sum));
	cJSON_AddItemToObject(json, "mean", json_number(hottest->mean));
	return json;
}

static cJSON *json_trial(const struct trial *trial)
{
	const struct verdict *v = &trial->verdict;
	const struct {
		const char *key;
		double value;
	} numbers[] = {{"sd", v->runs.sd}, {"min", v->runs.min}, {"q1", v->runs.q1}, {"median", v->runs.median}, {"q3", v->runs.q3},
		{"max", v->runs.max}};
	cJSON *json = cJSON_CreateObject();
	bool any = v->runs.count;
	cJSON_AddItemToObject(json, "runs", json_count(v->runs.count));
	cJSON_AddItemToObject(json, "unroutable", json_count(trial->unroutable));
	cJSON_AddItemToObject(json, "mean", json_number(any ? v->runs.mean : NAN));
	cJSON_AddItemToObject(json, "ci95", json_interval(any ? v->runs.low : NAN, v->runs.high));
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		cJSON_AddItemToObject(json, numbers[i].key, json_number(any ? numbers[i].value : NAN));
	cJSON_AddBoolToObject(json, "best", v->best);
	cJSON_AddItemToObject(json, "difference", json_number(any ? v->difference : NAN));
	cJSON_AddItemToObject(json, "difference_ci95", json_interval(any ? v->low : NAN, v->high));
	cJSON_AddItemToObject(json, "hottest", json_hottest(&trial->hottest));
	return json;
}

static void add_engine(cJSON *json, const struct engine_run *engine, bool routed)
{
	cJSON_AddItemToObject(json, "asked", json_string(engine->asked));
	cJSON_AddItemToObject(json, "used", routed ? json_string(engine->used) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "seconds", json_number(engine->seconds));
	cJSON_AddItemToObject(json, "failure", routed ? cJSON_CreateNull() : json_string(engine->failure));
}

static cJSON *json_routing(const struct comparison *c, const struct routing *routing)
{
	char hash[20];
	cJSON *json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "routing", json_string(routing->label));
	if (routing->engine)
		add_engine(cJSON_AddObjectToObject(json, "engine"), routing->engine, routing->source);
	if (!routing->source)
		return json;
	cJSON *fabric = cJSON_AddObjectToObject(json, "fabric");
	snprintf(hash, sizeof hash, "%016" PRIx64, routing->hash);
	cJSON_AddStringToObject(fabric, "hash", hash);
	cJSON_AddItemToObject(fabric, "switches", json_count(routing->switches));
	cJSON_AddItemToObject(fabric, "channels", json_count(routing->channels));
	cJSON_AddItemToObject(json, "pairs", json_count(routing->reach.reached + routing->reach.unreachable));
	cJSON_AddItemToObject(json, "unreachable", json_count(routing->reach.unreachable));
	cJSON_AddItemToObject(json, "mean_hops", json_number(mean_hops(routing)));
	cJSON_AddItemToObject(json, "max_hops", has_hops(routing) ? json_count(routing->reach.max_hops) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "gap", *routing->gap ? json_string(routing->gap) : cJSON_CreateNull());
	cJSON *patterns = cJSON_AddObjectToObject(json, "patterns");
	for (int p = 0; p < c->patterns && is_compared(routing); p++)
		cJSON_AddItemToObject(patterns, c->request[p].spec, json_trial(&routing->trial[p]));
	return json;
}

static int write_json(const struct compare_options *options, const struct comparison *c, FILE *file, struct error *error)
{
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "schema", "orcs-compare/1");
	cJSON_AddStringToObject(json, "version", ORCS_VERSION);
	cJSON *command = cJSON_AddArrayToObject(json, "command");
	for (int i = 0; i < options->argc; i++)
		cJSON_AddItemToArray(command, json_string(options->argv[i]));
	if (options->engines)
		cJSON_AddItemToObject(
			json, "topology", json_string(strcmp(options->input[0].name, "<stdin>") ? options->input[0].name : "-"));
	cJSON_AddItemToObject(json, "hosts", json_count(c->hosts.hosts));
	cJSON_AddItemToObject(json, "comm_size", json_count(c->ranks));
	cJSON_AddItemToObject(json, "subset", json_string(c->subset));
	cJSON_AddItemToObject(json, "mapping", json_string(c->mapping));
	cJSON_AddItemToObject(json, "seed", json_count(c->seed));
	cJSON_AddItemToObject(json, "runs", json_count(c->runs));
	cJSON *routings = cJSON_AddArrayToObject(json, "routings");
	for (int i = 0; i < c->routings; i++)
		cJSON_AddItemToArray(routings, json_routing(c, &c->routing[i]));
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	if (!text)
		return error_set(error, STATUS_IO, "out of memory for the JSON result");
	fprintf(file, "%s\n", text);
	cJSON_free(text);
	return 0;
}

/* ---- CSV: one row for every routing and pattern */

static void csv_number(FILE *file, double number)
{
	putc(',', file);
	if (!isnan(number))
		fprintf(file, "%.17g", number);
}

static void csv_end(FILE *file, const char *node, uint32_t port)
{
	putc(',', file);
	csv_text(file, node);
	fprintf(file, port ? ",%" PRIu32 : ",", port);
}

static void csv_trial(FILE *file, const char *pattern, const struct trial *trial)
{
	const struct verdict *v = &trial->verdict;
	bool any = v->runs.count;
	putc(',', file);
	csv_text(file, pattern);
	fprintf(file, ",%zu,%" PRIu64, v->runs.count, trial->unroutable);
	csv_number(file, any ? v->runs.mean : NAN);
	csv_number(file, any ? v->runs.low : NAN);
	csv_number(file, any ? v->runs.high : NAN);
	csv_number(file, any ? v->difference : NAN);
	csv_number(file, any ? v->low : NAN);
	csv_number(file, any ? v->high : NAN);
	if (trial->hottest.from) {
		csv_end(file, trial->hottest.from, trial->hottest.port);
		csv_end(file, trial->hottest.to, trial->hottest.peer_port);
		csv_number(file, trial->hottest.mean);
	} else {
		fputs(",,,,,", file);
	}
}

static void csv_row(FILE *file, const struct comparison *c, const struct routing *routing, int pattern)
{
	csv_text(file, routing->label);
	putc(',', file);
	if (routing->engine && routing->source)
		csv_text(file, routing->engine->used);
	csv_number(file, routing->engine ? routing->engine->seconds : NAN);
	if (routing->source) {
		fprintf(file, ",%" PRIu64 ",%" PRIu64, routing->reach.reached + routing->reach.unreachable, routing->reach.unreachable);
		csv_number(file, mean_hops(routing));
		fprintf(file, has_hops(routing) ? ",%" PRIu64 : ",", routing->reach.max_hops);
		if (*routing->gap)
			fputs(",,,,,,,,,,,,,,", file);
		else
			csv_trial(file, c->request[pattern].spec, &routing->trial[pattern]);
		putc(',', file);
		if (*routing->gap)
			csv_text(file, routing->gap);
	} else {
		fputs(",,,,,,,,,,,,,,,,,,,", file);
		csv_text(file, routing->engine->failure);
	}
	putc('\n', file);
}

static void write_csv(const struct comparison *c, FILE *file)
{
	fputs("routing,engine,seconds,pairs,unreachable,mean_hops,max_hops,pattern,runs,unroutable,bandwidth,low,high,difference,"
	      "difference_low,difference_high,from,from_port,to,to_port,routes,failure\n",
		file);
	for (int p = 0; p < c->patterns; p++)
		for (int i = 0; i < c->routings; i++)
			if (is_compared(&c->routing[i]) || !p)
				csv_row(file, c, &c->routing[i], p);
}

int compare_report(const struct compare_options *options, const struct comparison *comparison, FILE *file, struct error *error)
{
	if (options->format == FORMAT_JSON)
		return write_json(options, comparison, file, error);
	if (options->format == FORMAT_CSV)
		write_csv(comparison, file);
	else
		write_text(comparison, file);
	return 0;
}
