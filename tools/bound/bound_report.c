#include "tools/bound/bound_report.h"

#include "base/memory.h"
#include "base/shown.h"
#include "cli/palette.h"
#include "fabric/described.h"
#include "orcs/hottest.h"
#include "tools/bound/bound_tiers.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double bound_load(const struct bounds *bounds, uint32_t channel, double routes)
{
	return bounds->options->speed_aware ? routes / bounds->fabric->speed[channel] : routes;
}

/* Returns the load of all-to-all on a channel. */
static double all_load(const struct bounds *b, uint32_t channel)
{
	return bound_load(b, channel, (double)b->loads.load[channel].routes);
}

void bound_find_hottest(struct bounds *b)
{
	double most = 0;
	b->hottest = b->equal = 0;
	b->next = 0;
	for (uint32_t c = 0; c < b->loads.channels; c++)
		if (all_load(b, c) > most)
			most = all_load(b, b->hottest = c);
	for (uint32_t c = 0; c < b->loads.channels; c++)
		if (all_load(b, c) == most)
			b->equal += c != b->hottest;
		else if (all_load(b, c) > b->next)
			b->next = all_load(b, c);
}

static double mean_of(const struct bounds *b, uint32_t channel, enum random_traffic traffic)
{
	return bound_load(b, channel, load_mean(&b->loads.load[channel], b->loads.hosts, traffic));
}

static double variance_of(const struct bounds *b, uint32_t channel, enum random_traffic traffic)
{
	return bound_load(b, channel, bound_load(b, channel, load_variance(&b->loads.load[channel], b->loads.hosts, traffic)));
}

/* An interval. */
struct shares {
	double low, high;
};

/* The throughput of the routing relative to what is possible. */
static struct shares efficiency_of(const struct throughput *t)
{
	return (struct shares){t->routed / t->upper, t->routed / t->lower};
}

/* The network's capacity: what every host can send under uniform traffic, including to itself (Towles and Dally). */
static struct shares capacity_of(const struct bounds *b)
{
	double more = b->fabric->hosts / (b->fabric->hosts - 1.0);
	return (struct shares){b->all.lower * more, b->all.upper * more};
}

/* The share of that capacity that the worst permutation gets. */
static struct shares worst_of_capacity(const struct bounds *b)
{
	struct shares capacity = capacity_of(b);
	return (struct shares){b->permutation.routed / capacity.high, b->permutation.routed / capacity.low};
}

static bool finds(const struct bounds *b, enum bound_part part)
{
	return b->options->parts & part;
}

/* ---- the channels */

static void load_row(struct row *row, size_t index, const void *data)
{
	const struct bounds *b = data;
	uint32_t channel = (uint32_t)index;
	unsigned first = row->cells;
	const struct load *load = &b->loads.load[channel];
	row_count(row, channel);
	row_channel(row, b->fabric, channel);
	row_count(row, load->routes);
	row_count(row, load->sources);
	row_count(row, load->destinations);
	for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++)
		row_number(row, mean_of(b, channel, t), NULL);
	for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++) {
		row_put(row, row->cell[first + 8 + t]);
		row_number(row, variance_of(b, channel, t), NULL);
	}
	row_number(row, b->fair.load[channel], NULL);
	row_number(row, b->fair.share[channel], NULL);
	row_number(row, b->fair.excess[channel], NULL);
	row_number(row, bound_rivals(b, channel), NULL);
}

/* CSV has each variance beside its mean, JSON an object of means and one of variances. */
static const struct column load_columns[] = {
	{.key = "id", .csv = "id"},
	{.key = "from", .csv = "from"},
	{.key = "from_port", .csv = "from_port"},
	{.key = "to", .csv = "to"},
	{.key = "to_port", .csv = "to_port"},
	{.key = "routes", .csv = "routes"},
	{.key = "sources", .csv = "sources"},
	{.key = "destinations", .csv = "destinations"},
	{.key = "expected.bisect"},
	{.key = "expected.bisect_fb_sym"},
	{.key = "expected.rand"},
	{.csv = "bisect"},
	{.key = "variance.bisect", .csv = "bisect_variance"},
	{.csv = "bisect_fb_sym"},
	{.key = "variance.bisect_fb_sym", .csv = "bisect_fb_sym_variance"},
	{.csv = "rand"},
	{.key = "variance.rand", .csv = "rand_variance"},
	{.key = "load", .csv = "load"},
	{.key = "share", .csv = "share"},
	{.key = "excess", .csv = "excess"},
	{.key = "rivals", .csv = "rivals"},
};

/* The channels with the most routes. */
struct top {
	const struct bounds *bounds;
	uint32_t *order;
};

static int compare_routes(const void *left, const void *right, void *data)
{
	const struct bounds *b = data;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	double a = bound_load(b, x, (double)b->loads.load[x].routes), c = bound_load(b, y, (double)b->loads.load[y].routes);
	return a != c ? a > c ? -1 : 1 : (x > y) - (x < y);
}

static void top_row(struct row *row, size_t index, const void *data)
{
	const struct bounds *b = ((const struct top *)data)->bounds;
	uint32_t channel = ((const struct top *)data)->order[index];
	char name[2000];
	row_count(row, b->loads.load[channel].routes);
	for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++)
		row_print(row, "%.4f +- %.4f", mean_of(b, channel, t), sqrt(variance_of(b, channel, t)));
	row_print(row, "%s", channel_text(b->fabric, channel, name, sizeof name));
}

/* Lists the channels with the most routes, and their loads under random mappings: mean and standard deviation. Returns 0, or -1. */
static int say_top(struct document *d, const struct bounds *b, struct error *error)
{
	static const struct column columns[] = {
		{.title = "routes", .width = 12},
		{.title = "bisect", .width = -18, .before = "  "},
		{.title = "bisect_fb_sym", .width = -18, .before = "  "},
		{.title = "rand", .width = -18, .before = "  "},
		{.title = "channel", .width = -1, .before = "  "},
	};
	uint32_t channels = b->fabric->channels, shown = b->options->top < channels ? b->options->top : channels;
	if (!shown || d->format != FORMAT_TEXT)
		return 0;
	struct top top = {b, array_create(channels, sizeof *top.order, error)};
	if (!top.order)
		return -1;
	for (uint32_t c = 0; c < channels; c++)
		top.order[c] = c;
	qsort_r(top.order, channels, sizeof *top.order, compare_routes, (void *)b);
	fputs("\nexpected load under random mappings (+- standard deviation)\n", d->text);
	say_table(d, (struct table){columns, sizeof columns / sizeof *columns, shown, top_row, &top});
	free(top.order);
	return 0;
}

/* ---- the parts of the report, as members and as text */

static void add_edge(struct node *to, const struct bounds *b, uint32_t channel)
{
	const uint64_t *guid = b->fabric->labels->guid;
	struct node *object = add_object(to, "channel");
	add_count(object, "id", channel);
	add_channel(object, b->fabric, channel);
	add_guids(object, guid[fabric_tail(b->fabric, channel)], guid[b->fabric->head[channel]]);
}

static void report_head(struct node *root, const struct bounds *b)
{
	const struct fabric *f = b->fabric;
	const struct bound_options *o = b->options;
	FILE *text = document_of(root)->text;
	uint64_t most = b->loads.load[b->hottest].routes;
	double completion = bound_load(b, b->hottest, (double)most);
	fprintf(text, "%" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " channels\n", f->hosts, f->nodes - f->hosts, f->channels);
	if (o->drop)
		fprintf(text, "unreachable: %" PRIu64 " of %" PRIu64 " pairs left out\n", b->loads.unreachable,
			(uint64_t)f->hosts * (f->hosts - 1));
	add_fabric(root, f);
	add_count(root, "unreachable", b->loads.unreachable);
	add_bool(root, "speed_aware", o->speed_aware);
	struct node *all = add_object(root, "all_to_all");
	say_value(all, "max_load", value_of_count(most), most ? "\nall-to-all: {} route[|s] over " : "\nall-to-all: no routes at all\n");
	if (most) {
		write_channel(text, f, b->hottest);
		fputs(o->speed_aware ? " (the largest load by its speed" : " (the edge forwarding index", text);
		if (b->equal)
			fprintf(text, ", as of %" PRIu32 " more", b->equal);
		char guids[GUIDS_TEXT];
		const uint64_t *guid = f->labels->guid;
		fprintf(text, ")%s; next: %.6g\n", guids_text(guid[fabric_tail(f, b->hottest)], guid[f->head[b->hottest]], guids), b->next);
	}
	if (most && !b->loads.unreachable)
		fprintf(text, "            takes at least the time of %.6g messages over %s link, of which each host sends %" PRIu32 "\n",
			completion, o->speed_aware ? "the slowest host" : "a host's", f->hosts - 1);
	add_number(all, "completion", completion);
	add_edge(all, b, b->hottest);
	add_count(all, "equal", b->equal);
	add_number(all, "next", b->next);
}

static void report_worst(struct node *to, const struct bounds *b)
{
	const struct worst *w = &b->worst;
	bool any = w->channel != NONE, sent = b->permutation.any;
	FILE *text = any ? document_of(to)->text : document_of(to)->nowhere;
	say_value(to, "congestion", value_of_count(w->congestion), any ? "\nworst permutation: {} route[|s] over " : "");
	if (any)
		write_channel(text, b->fabric, w->channel);
	say_value(to, "load", value_of_number(w->load, "%.6g"), any && b->options->speed_aware ? ", {} by its speed" : "");
	putc('\n', text);
	if (any)
		add_edge(to, b, w->channel);
	else
		add_value(to, "channel", NO_VALUE);
	if (!finds(b, PART_THROUGHPUT))
		return;
	struct shares share = worst_of_capacity(b);
	add_number(to, "throughput", sent ? b->permutation.routed : NAN);
	add_range(to, "of_capacity", sent && b->all.any ? share.low : NAN, share.high);
}

static void report_throughput(struct node *to, const char *name, const struct throughput *t)
{
	struct shares e = efficiency_of(t);
	FILE *text = document_of(to)->text;
	if (t->any)
		fprintf(text, "%-18s  %8.4f  %8.4f .. %-8.4f  %8.4f .. %.4f\n", name, t->routed, t->lower, t->upper, e.low, e.high);
	else
		fprintf(text, "%-18s  nothing is sent\n", name);
	add_number(to, "routed", t->any ? t->routed : NAN);
	add_number(to, "lower", t->any ? t->lower : NAN);
	add_number(to, "upper", t->any ? t->upper : NAN);
	add_range(to, "efficiency", t->any ? e.low : NAN, e.high);
	add_count(to, "phases", t->phases);
}

static void report_throughputs(struct node *to, const struct bounds *b)
{
	const struct bound_options *o = b->options;
	const char *name = o->pattern.spec ? SHOWN(o->pattern.spec) : "";
	struct shares capacity = capacity_of(b), worst = worst_of_capacity(b);
	FILE *text = document_of(to)->text;
	fprintf(text, "\n%-18s  %8s  %-20s  %s\n", "throughput", "routed", "possible", "efficiency");
	add_number(to, "epsilon", o->epsilon);
	report_throughput(to, "all-to-all", &b->all);
	add_range(to, "capacity", b->all.any ? capacity.low : NAN, capacity.high);
	if (finds(b, PART_WORST))
		report_throughput(add_object(to, "worst_permutation"), "worst permutation", &b->permutation);
	if (o->pattern.spec) {
		struct node *pattern = add_object(to, "pattern");
		add_text(pattern, "pattern", o->pattern.spec);
		add_count(pattern, "pairs", b->pattern_pairs);
		add_count(pattern, "unroutable", b->pattern_unroutable);
		report_throughput(pattern, name, &b->pattern);
	}
	if (b->all.any) {
		fprintf(text, "capacity under uniform traffic: %.4f .. %.4f", capacity.low, capacity.high);
		if (b->permutation.any)
			fprintf(text, ", of which the worst permutation gets %.4f .. %.4f", worst.low, worst.high);
		putc('\n', text);
	}
	if (o->speed_aware) {
		add_number(to, "unit_gbps", b->fabric->slowest);
		fprintf(text, "rates are shares of what both ends of a pair could carry alone; the slowest host link has %.6g Gb/s\n",
			b->fabric->slowest);
	}
	if (b->pattern_unroutable)
		fprintf(text, "%s: without %" PRIu64 " pairs that have no route\n", name, b->pattern_unroutable);
}

/* Writes which tree it is, and where it comes from. */
static void say_tree(FILE *text, const struct ideal *ideal)
{
	static const char *const tree[] = {[IDEAL_OWN] = "ideal fat tree with the fabric's levels and leaves",
		[IDEAL_GIVEN] = "fat tree of the levels of --levels",
		[IDEAL_OTHER] = "the fabric is not a fat tree; for comparison a fat tree"};
	if (ideal->levels == 1) {
		fputs("\none switch for all hosts", text);
		return;
	}
	fprintf(text, "\n%s, D-mod-K: %" PRIu32 " levels", tree[ideal->kind], ideal->levels);
	for (uint32_t i = 1; i < ideal->levels; i++) {
		fprintf(text, i > 1 ? ", %" PRIu32 " below level %" PRIu32 : ", %" PRIu32 " hosts on a leaf", ideal->most[i], i + 1);
		if (ideal->channels[i] != ideal->most[i])
			fprintf(text, " (%" PRIu64 " channels up)", ideal->channels[i]);
	}
}

static void say_ideal(FILE *text, const struct ideal *ideal)
{
	say_tree(text, ideal);
	fputs("\neffective bisection bandwidth: ", text);
	if (ideal->exact)
		fprintf(text, "bisect %.6f, bisect_fb_sym %.6f (exact)\n", ideal->bisect, ideal->bisect_fb_sym);
	else
		fprintf(text, "bisect %.6f +- %.6f, bisect_fb_sym %.6f +- %.6f (standard errors of %" PRIu32 " samples)\n", ideal->bisect,
			ideal->bisect_error, ideal->bisect_fb_sym, ideal->bisect_fb_sym_error, ideal->runs);
}

static void report_ideal(struct node *to, const struct ideal *ideal)
{
	static const char *const tree[] = {[IDEAL_OWN] = "fabric", [IDEAL_GIVEN] = "given", [IDEAL_OTHER] = "comparison"};
	say_ideal(document_of(to)->text, ideal);
	add_text(to, "tree", tree[ideal->kind]);
	add_count(to, "levels", ideal->levels);
	add_count(to, "leaf_hosts", ideal->most[1]);
	struct node *hosts = add_list(to, "subtree_hosts"), *channels = add_list(to, "subtree_channels");
	for (uint32_t i = 1; i < ideal->levels; i++) {
		add_count(hosts, NULL, ideal->most[i]);
		add_count(channels, NULL, ideal->channels[i]);
	}
	add_bool(to, "exact", ideal->exact);
	add_number(to, "bisect", ideal->bisect);
	add_number(to, "bisect_fb_sym", ideal->bisect_fb_sym);
	add_count(to, "samples", ideal->runs);
	add_number(to, "bisect_error", ideal->bisect_error);
	add_number(to, "bisect_fb_sym_error", ideal->bisect_fb_sym_error);
}

struct table bound_channels(const struct bounds *bounds)
{
	return (struct table){load_columns, sizeof load_columns / sizeof *load_columns, bounds->fabric->channels, load_row, bounds};
}

int bound_report_add(struct document *d, const struct bounds *b, struct error *error)
{
	add_head(d, "orcs-bound/1", b->options->argc, b->options->argv);
	report_head(d->root, b);
	if (finds(b, PART_LOADS) && say_top(d, b, error))
		return -1;
	if (finds(b, PART_LOADS))
		bound_tiers_add(d->root, b);
	if (finds(b, PART_WORST))
		report_worst(add_object(d->root, "worst_permutation"), b);
	if (finds(b, PART_THROUGHPUT))
		report_throughputs(add_object(d->root, "throughput"), b);
	if (finds(b, PART_IDEAL))
		report_ideal(add_object(d->root, "ideal"), &b->ideal);
	if (finds(b, PART_LOADS))
		add_table(d->root, "channels", bound_channels(b));
	return 0;
}

int bound_report(const struct bounds *b, FILE *file, struct error *error)
{
	const struct table loads = bound_channels(b);
	struct document document;
	if (!document_begin(&document, b->options->format, file, error) && !bound_report_add(&document, b, error))
		document.csv = &loads;
	return document_end(&document, error);
}

/* ---- the witness */

void bound_witness(const struct bounds *b, FILE *file)
{
	fprintf(file, "# the worst permutation of %s; rank i is the i-th host of the file:\n", SHOWN(b->fabric->labels->source));
	fprintf(file, "# orcs -p file:THIS --subset file_order --mapping linear%s\n", b->options->drop ? " --unroutable drop" : "");
	if (b->worst.channel == NONE)
		return;
	fprintf(file, "# %" PRIu64 " routes over ", b->worst.congestion);
	write_channel(file, b->fabric, b->worst.channel);
	putc('\n', file);
	for (uint32_t h = 0; h < b->fabric->hosts; h++)
		if (b->worst.partner[h] != h)
			fprintf(file, "0 %" PRIu32 " %" PRIu32 "\n", h, b->worst.partner[h]);
}

/* ---- the graph: the same as of get_cable_cong for all-to-all, which is the same for every random mapping */

static double share_of(const struct bounds *b, uint32_t channel)
{
	double most = all_load(b, b->hottest);
	return most > 0 ? all_load(b, channel) / most : 0;
}

static void write_sum(FILE *file, double sum)
{
	fprintf(file, sum == floor(sum) ? "%.0f" : "%.6f", sum);
}

static void column_congestion(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.6f", share_of(data, channel));
}

static void column_sum(FILE *file, uint32_t channel, const void *data)
{
	const struct bounds *b = data;
	write_sum(file, all_load(b, channel));
}

static void column_expected(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.9g", all_load(data, channel));
}

static void column_colour(FILE *file, uint32_t channel, const void *data)
{
	const struct bounds *b = data;
	char text[40];
	palette_colour(b->options->palette, share_of(b, channel), text, sizeof text);
	fputs(text, file);
}

void bound_graph(const struct bounds *b, FILE *file)
{
	const struct dot_column columns[] = {
		{"congestion", column_congestion, b},
		{"congestion_sum", column_sum, b},
		{"color", column_colour, b},
		{"expected_sum", column_expected, b},
		{NULL, NULL, NULL},
	};
	char levels[24], full[40];
	double most = all_load(b, b->hottest);
	snprintf(levels, sizeof levels, "%" PRIu32, b->fabric->hosts - 1);
	snprintf(full, sizeof full, most == floor(most) ? "%.0f" : "%.6f", most);
	const struct dot_pair pairs[] = {
		{"orcs_unit", NULL}, /* routes */
		{"orcs_pattern", "alltoall"},
		{"orcs_runs", "1"},
		{"orcs_levels", levels},
		{"orcs_full_sum", full},
		{"orcs_palette", b->options->palette},
		{"orcs_speeds", b->options->speed_aware     ? "counted"
				: b->options->ignore_speeds ? "ignored"
							    : NULL},
		{most > 0 ? "orcs_significance" : NULL, significance_names[b->equal ? HOTTEST_EQUAL : HOTTEST_SIGNIFICANT]},
		{NULL, NULL},
	};
	dot_write(b->fabric, b->attributes, file, columns, pairs);
	uint64_t all = (uint64_t)b->fabric->hosts * (b->fabric->hosts - 1);
	if (b->options->drop) /* the same as orcs */
		fprintf(file, "// unroutable: %" PRIu64 " of the %" PRIu64 " connections left out\n", b->loads.unreachable, all);
}
