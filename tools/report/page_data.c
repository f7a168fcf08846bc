/* The result as JSON, in the page and by itself; see orcs-report(1). Lists of nodes and cables are written by columns. */
#include "tools/report/page.h"

#include "base/memory.h"
#include "base/version.h"
#include "fabric/host_distances.h"
#include "tools/report/html.h"
#include "tools/report/page_jobs.h"
#include "tools/report/page_program.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- different numbers, of which the columns hold indices */

struct distinct {
	double *value; /* [count] ascending */
	uint32_t count;
};

/* Rounds to 13 digits, so that the same number found in two ways is one. */
static double rounded(double number)
{
	char text[40];
	snprintf(text, sizeof text, "%.13g", number);
	return strtod(text, NULL);
}

static int compare_numbers(const void *left, const void *right)
{
	const double *a = left, *b = right;
	return (*a > *b) - (*a < *b);
}

static int distinct_make(struct distinct *d, const double *value, uint32_t count, struct error *error)
{
	*d = (struct distinct){array_create(count, sizeof *d->value, error), 0};
	for (uint32_t i = 0; i < count && d->value; i++)
		d->value[i] = rounded(value[i]);
	if (d->value)
		qsort(d->value, count, sizeof *d->value, compare_numbers);
	for (uint32_t i = 0; i < count && d->value; i++)
		if (!d->count || d->value[d->count - 1] != d->value[i])
			d->value[d->count++] = d->value[i];
	return d->value ? 0 : -1;
}

static uint32_t distinct_index(const struct distinct *d, double value)
{
	double number = rounded(value);
	const double *found = bsearch(&number, d->value, d->count, sizeof *d->value, compare_numbers);
	return found ? (uint32_t)(found - d->value) : 0;
}

static void distinct_write(FILE *file, const char *key, const struct distinct *d)
{
	fprintf(file, "\"%s\":[", key);
	for (uint32_t i = 0; i < d->count; i++)
		fprintf(file, "%s%.13g", i ? "," : "", d->value[i]);
	fputs("],", file);
}

/* ---- nodes */

static void level_number(FILE *file, uint32_t level)
{
	if (level == LEVEL_HOST)
		fputs("-1", file);
	else if (level == LEVEL_NONE)
		fputs("null", file);
	else
		fprintf(file, "%" PRIu32, level);
}

static void write_nodes(FILE *file, const struct fabric_report *r)
{
	const struct fabric *f = r->fabric;
	const struct fabric_labels *labels = f->labels;
	fputs("\"nodes\":{\"name\":[", file);
	for (uint32_t v = 0; v < f->nodes; v++) {
		fputs(v ? "," : "", file);
		html_json(file, r->name[v]);
	}
	fputs("],\n\"label\":[", file);
	for (uint32_t v = 0; v < f->nodes; v++) {
		fputs(v ? "," : "", file);
		if (strcmp(r->name[v], r->scene.labels.text[v]))
			html_json(file, r->scene.labels.text[v]);
		else
			fputs("null", file);
	}
	fputs("],\n\"guid\":[", file);
	for (uint32_t v = 0; v < f->nodes; v++)
		if (labels->guid[v])
			fprintf(file, "%s\"0x%016" PRIx64 "\"", v ? "," : "", labels->guid[v]);
		else
			fputs(v ? ",null" : "null", file);
	fputs("],\n\"lid\":[", file);
	for (uint32_t v = 0; v < f->nodes; v++)
		fprintf(file, "%s%u", v ? "," : "", labels->lid[v]);
	fputs("],\n\"level\":[", file);
	for (uint32_t v = 0; v < f->nodes; v++) {
		fputs(v ? "," : "", file);
		level_number(file, f->node_host[v] != NONE ? LEVEL_HOST : r->fair.level[v]);
	}
	fputs("]},\n", file);
}

/* ---- cables */

enum { RIVALS_CABLES_MOST = 100000 /* of more cables they are not written, as they are long */ };

struct columns {
	const struct fabric_report *report;
	struct distinct shares, units;
	double *unit;               /* [channels] load of one route */
	bool two_shares, two_units; /* the directions of a cable differ */
};

static void end_column(FILE *file, const struct columns *c, uint32_t cable)
{
	fputs(cable + 1 < c->report->scene.cables.cables ? "," : "]", file);
}

/* A column of a node or a port. */
static void end_numbers(FILE *file, const struct columns *c, const char *key, int end, bool port)
{
	const struct cables *cables = &c->report->scene.cables;
	const struct fabric_labels *labels = c->report->fabric->labels;
	fprintf(file, "%s\"%s\":[", end || port ? ",\n" : "", key);
	for (uint32_t i = 0; i < cables->cables; i++) {
		const struct cable *cable = &cables->cable[i];
		uint32_t out = cable->channel[end], in = cable->channel[!end];
		fprintf(file, "%" PRIu32, !port ? cable->end[end] : out != NONE ? labels->port[out] : labels->peer_port[in]);
		end_column(file, c, i);
	}
}

enum number { NUMBER_ROUTES, NUMBER_SHARE, NUMBER_UNIT, NUMBER_RIVALS };

/* A column of numbers of the channels of one direction. */
static void way_numbers(FILE *file, const struct columns *c, const char *key, int way, enum number number)
{
	const struct fabric_report *r = c->report;
	fprintf(file, ",\n\"%s\":[", key);
	for (uint32_t i = 0; i < r->scene.cables.cables; i++) {
		uint32_t channel = r->scene.cables.cable[i].channel[way];
		if (channel == NONE && number != NUMBER_ROUTES && number != NUMBER_RIVALS)
			channel = r->scene.cables.cable[i].channel[!way];
		if (channel == NONE)
			fputs("null", file);
		else if (number == NUMBER_ROUTES)
			html_number(file, r->routes[channel], 12);
		else if (number == NUMBER_SHARE)
			fprintf(file, "%" PRIu32, distinct_index(&c->shares, r->fair.share[channel]));
		else if (number == NUMBER_UNIT)
			fprintf(file, "%" PRIu32, distinct_index(&c->units, c->unit[channel]));
		else
			html_number(file, report_rivals(r, channel), 3);
		end_column(file, c, i);
	}
}

/* Sets the load of one route on each channel: in a plane, it is in inverse proportion to the speed. */
static int find_units(struct columns *c, struct error *error)
{
	const struct fabric_report *r = c->report;
	const struct fabric *f = r->fabric;
	double *at_one = array_create(r->planes.planes, sizeof *at_one, error);
	c->unit = array_create(f->channels, sizeof *c->unit, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t e = f->first_channel[v]; e < f->first_channel[v + 1]; e++)
			if (r->planes.of[v] != NONE && r->routes[e] > 0)
				at_one[r->planes.of[v]] = r->fair.load[e] * f->speed[e] / r->routes[e];
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t e = f->first_channel[v]; e < f->first_channel[v + 1]; e++)
			c->unit[e] = r->planes.of[v] == NONE ? 0 : at_one[r->planes.of[v]] / f->speed[e];
	free(at_one);
	return error->status ? -1 : 0;
}

/* Returns whether the directions of a cable differ in the value. value: [channels]. */
static bool differ(const struct fabric_report *r, const double *value)
{
	for (uint32_t i = 0; i < r->scene.cables.cables; i++) {
		const uint32_t *channel = r->scene.cables.cable[i].channel;
		if (channel[0] != NONE && channel[1] != NONE && rounded(value[channel[0]]) != rounded(value[channel[1]]))
			return true;
	}
	return false;
}

/* Writes the speed that belongs to each unit, in Gbit/s or, where those are unknown, relative to the slowest cable of a host. */
static int write_speeds(FILE *file, const struct columns *c, struct error *error)
{
	const struct fabric *f = c->report->fabric;
	double *speed = array_create(c->units.count, sizeof *speed, error);
	for (uint32_t e = 0; e < f->channels && speed; e++)
		speed[distinct_index(&c->units, c->unit[e])] = f->speed[e] * (f->slowest > 0 ? f->slowest : 1);
	fputs("\"speeds\":[", file);
	for (uint32_t i = 0; i < c->units.count && speed; i++)
		fprintf(file, "%s%.7g", i ? "," : "", speed[i]);
	fputs("],", file);
	free(speed);
	return error->status ? -1 : 0;
}

static int write_cables(FILE *file, const struct fabric_report *r, struct error *error)
{
	struct columns c = {.report = r, .two_shares = differ(r, r->fair.share)};
	if (!find_units(&c, error) && !distinct_make(&c.shares, r->fair.share, r->fabric->channels, error) &&
		!distinct_make(&c.units, c.unit, r->fabric->channels, error)) {
		c.two_units = differ(r, c.unit);
		distinct_write(file, "shares", &c.shares);
		distinct_write(file, "units", &c.units);
		write_speeds(file, &c, error);
		fputs("\n\"cables\":{", file);
		end_numbers(file, &c, "a", 0, false);
		end_numbers(file, &c, "b", 1, false);
		end_numbers(file, &c, "a_port", 0, true);
		end_numbers(file, &c, "b_port", 1, true);
		way_numbers(file, &c, "ab", 0, NUMBER_ROUTES);
		way_numbers(file, &c, "ba", 1, NUMBER_ROUTES);
		way_numbers(file, &c, "share", 0, NUMBER_SHARE);
		if (c.two_shares)
			way_numbers(file, &c, "share_ba", 1, NUMBER_SHARE);
		way_numbers(file, &c, "speed", 0, NUMBER_UNIT);
		if (c.two_units)
			way_numbers(file, &c, "speed_ba", 1, NUMBER_UNIT);
		if (r->loads.load && r->scene.cables.cables <= RIVALS_CABLES_MOST) {
			way_numbers(file, &c, "rivals_ab", 0, NUMBER_RIVALS);
			way_numbers(file, &c, "rivals_ba", 1, NUMBER_RIVALS);
		}
		fputs("}", file);
	}
	free(c.shares.value);
	free(c.units.value);
	free(c.unit);
	return error->status ? -1 : 0;
}

/* ---- the verdict */

static void member(FILE *file, const char *key, double number)
{
	fprintf(file, "\"%s\":", key);
	html_number(file, number, 9);
	putc(',', file);
}

static void count_member(FILE *file, const char *key, uint64_t count)
{
	fprintf(file, "\"%s\":%" PRIu64 ",", key, count);
}

static void text_member(FILE *file, const char *key, const char *text)
{
	fprintf(file, "\"%s\":", key);
	if (text)
		html_json(file, text);
	else
		fputs("null", file);
	putc(',', file);
}

static void write_hottest(FILE *file, const struct fabric_report *r, uint32_t c)
{
	fputs("\"hottest\":", file);
	if (c == NONE) {
		fputs("null", file);
		return;
	}
	putc('{', file);
	count_member(file, "cable", r->scene.cables.of[c]);
	text_member(file, "from", r->name[fabric_tail(r->fabric, c)]);
	count_member(file, "from_port", r->fabric->labels->port[c]);
	text_member(file, "to", r->name[r->fabric->head[c]]);
	count_member(file, "to_port", r->fabric->labels->peer_port[c]);
	member(file, "load", r->fair.load[c]);
	member(file, "share", r->fair.share[c]);
	fputs("\"excess\":", file);
	html_number(file, r->fair.excess[c], 9);
	putc('}', file);
}

static void write_verdict(FILE *file, const struct fabric_report *r)
{
	const struct advice *a = report_present(r);
	const uint32_t *count = r->fair.count;
	fputs("\"verdict\":{", file);
	count_member(file, "pairs", r->pairs);
	count_member(file, "unreachable", r->unreachable);
	fprintf(file, "\"deadlock_free\":%s,", !r->deadlock.known ? "null" : r->deadlock.channels ? "false" : "true");
	count_member(file, "deadlock_channels", r->deadlock.channels);
	member(file, "bisect", a->of[0].mean > 0 ? a->of[0].mean : NAN);
	member(file, "bisect_low", a->of[0].mean > 0 ? a->of[0].low : NAN);
	member(file, "bisect_high", a->of[0].mean > 0 ? a->of[0].high : NAN);
	member(file, "ideal", r->ideal.bisect);
	fprintf(file, "\"ideal_is_own\":%s,", r->ideal.kind == IDEAL_OWN ? "true" : "false");
	count_member(file, "channels", r->fabric->channels);
	count_member(file, "above", r->fair.above);
	count_member(file, "above_1_5", count[LOAD_HOT] + count[LOAD_VERY_HOT] + count[LOAD_SEVERE]);
	count_member(file, "above_2", r->fair.twice);
	count_member(file, "unused", count[LOAD_UNUSED]);
	write_hottest(file, r, r->fair.hottest);
	fputs("},\n", file);
}

static void write_tiers(FILE *file, const struct fabric_report *r)
{
	fputs("\"tiers\":[", file);
	for (uint32_t t = 0; t < r->fair.tiers; t++) {
		const struct load_tier *tier = &r->fair.tier[t];
		fputs(t ? ",{\"from\":" : "{\"from\":", file);
		level_number(file, tier->from);
		fputs(",\"to\":", file);
		level_number(file, tier->to);
		putc(',', file);
		count_member(file, "channels", tier->channels);
		member(file, "mean", tier->mean);
		member(file, "cv", tier->mean > 0 ? tier->cv : NAN);
		member(file, "most", tier->most);
		member(file, "share", tier->share);
		member(file, "rivals", r->tier_rivals[t]);
		member(file, "ideal_rivals", r->ideal_rivals[t]);
		count_member(file, "above", tier->above);
		count_member(file, "unused", tier->count[LOAD_UNUSED]);
		write_hottest(file, r, tier->hottest);
		putc('}', file);
	}
	fputs("],\n", file);
}

static void write_engines(FILE *file, const struct fabric_report *r)
{
	fputs("\"engines\":[", file);
	for (int i = 0; i < r->others.count; i++) {
		const struct other_routing *o = &r->others.routing[i];
		fputs(i ? ",{" : "{", file);
		text_member(file, "name", o->name);
		text_member(file, "refusal", *o->refusal ? o->refusal : NULL);
		member(file, "bisect", *o->refusal ? NAN : o->mean);
		member(file, "low", *o->refusal ? NAN : o->low);
		member(file, "high", *o->refusal ? NAN : o->high);
		member(file, "gain", *o->refusal ? NAN : o->gain);
		member(file, "gain_low", *o->refusal ? NAN : o->gain_low);
		member(file, "gain_high", *o->refusal ? NAN : o->gain_high);
		count_member(file, "unreachable", *o->refusal || o->unreachable < r->apart ? 0 : o->unreachable - r->apart);
		fprintf(file, "\"deadlock_free\":%s,", *o->refusal || o->deadlock < 0 ? "null" : o->deadlock ? "false" : "true");
		fputs("\"rivals\":[", file);
		for (uint32_t t = 0; t < r->fair.tiers && o->rivals; t++) {
			fputs(t ? "," : "", file);
			html_number(file, o->rivals[t], 6);
		}
		fprintf(file, "],\"reported\":%s}", i == r->others.base ? "true" : "false");
	}
	fputs("],\n", file);
}

static void write_lines(FILE *file, const struct fabric_report *r, const struct advice_lines *lines)
{
	fputs("\"advice\":[", file);
	for (int i = 0; i < lines->count; i++) {
		fprintf(file, "%s{\"kind\":\"%s\",\"text\":", i ? "," : "", lines->line[i].kind);
		html_json(file, lines->line[i].text);
		putc('}', file);
	}
	fputs("],\n\"oddities\":[", file);
	bool any = false;
	for (int i = 0; i < DEVIANT_KINDS; i++) {
		const struct deviants *o = &r->oddities.oddity[i];
		if (!o->count)
			continue;
		fprintf(file, "%s{\"kind\":\"%s\",\"count\":%" PRIu64 ",\"first\":[", any ? "," : "", oddity_titles[i], o->count);
		for (int k = 0; k < DEVIANT_NAMES && o->name[k]; k++) {
			fputs(k ? "," : "", file);
			html_json(file, o->name[k]);
		}
		fputs("]}", file);
		any = true;
	}
	fputs("],\n", file);
}

int data_write(FILE *file, const struct fabric_report *report, const struct advice_lines *lines, const char *figures, struct error *error)
{
	const struct fabric_report *r = report;
	char shape[1200];
	fprintf(file, "{\"schema\":\"orcs-report/1\",\"version\":\"%s\",\"command\":[", ORCS_VERSION);
	for (int i = 0; i < r->options->argc; i++) {
		fputs(i ? "," : "", file);
		html_json(file, r->options->argv[i]);
	}
	fputs("],\n", file);
	text_member(file, "title", report_title(r, shape, sizeof shape));
	text_member(file, "file", r->options->fabric.name);
	fprintf(file, "\"hash\":\"%016" PRIx64 "\",", r->hash);
	text_member(file, "shape", report_topology(r, shape, sizeof shape));
	text_member(file, "routed_by", r->routed_by);
	count_member(file, "hosts", r->fabric->hosts);
	count_member(file, "switches", r->fabric->nodes - r->fabric->hosts);
	count_member(file, "runs", r->options->runs);
	count_member(file, "seed", r->options->seed);
	fputs("\n", file);
	write_verdict(file, r);
	write_lines(file, r, lines);
	write_tiers(file, r);
	write_engines(file, r);
	data_jobs(file, r);
	data_program(file, r);
	fputs("\"classes\":[", file);
	for (int i = 0; i < LOAD_CLASSES; i++)
		fprintf(file, "%s\"%s\"", i ? "," : "", load_classes[i].word);
	fputs("],\n", file);
	write_nodes(file, r);
	if (write_cables(file, r, error))
		return -1;
	if (figures)
		fprintf(file, ",\n\"figures\":[%s]", figures);
	fputs("}\n", file);
	return 0;
}
