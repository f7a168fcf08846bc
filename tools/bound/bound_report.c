#include "tools/bound/bound_report.h"

#include "base/memory.h"
#include "base/shown.h"
#include "base/version.h"
#include "cli/palette.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

double bound_load(const struct bounds *bounds, uint32_t channel, double routes)
{
	return bounds->options->speed_aware ? routes / bounds->fabric->speed[channel] : routes;
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

/* What the routing gives of what is possible. */
static struct shares efficiency_of(const struct throughput *t)
{
	return (struct shares){t->routed / t->upper, t->routed / t->lower};
}

/* The network's capacity: what every host can send under uniform traffic, that to itself included (Towles and Dally). */
static struct shares capacity_of(const struct bounds *b)
{
	double more = b->fabric->hosts / (b->fabric->hosts - 1.0);
	return (struct shares){b->all.lower * more, b->all.upper * more};
}

static bool finds(const struct bounds *b, enum bound_part part)
{
	return b->options->parts & part;
}

/* ---- text */

static void channel_text(const struct bounds *b, uint32_t channel, char *text, size_t size)
{
	const struct fabric_labels *labels = b->fabric->labels;
	char ports[2][16] = {"", ""};
	if (labels->port[channel])
		snprintf(ports[0], sizeof ports[0], "[%" PRIu32 "]", labels->port[channel]);
	if (labels->peer_port[channel])
		snprintf(ports[1], sizeof ports[1], "[%" PRIu32 "]", labels->peer_port[channel]);
	snprintf(text, size, "%.300s%s -> %.300s%s", SHOWN(labels->name[fabric_tail(b->fabric, channel)]), ports[0],
		SHOWN(labels->name[b->fabric->head[channel]]), ports[1]);
}

static int compare_routes(const void *left, const void *right, void *data)
{
	const struct bounds *b = data;
	uint32_t x = *(const uint32_t *)left, y = *(const uint32_t *)right;
	double a = bound_load(b, x, (double)b->loads.load[x].routes), c = bound_load(b, y, (double)b->loads.load[y].routes);
	return a != c ? a > c ? -1 : 1 : (x > y) - (x < y);
}

/* The channels with most routes, and what random mappings put on them: mean and standard deviation. */
static int text_channels(const struct bounds *b, FILE *file, struct error *error)
{
	uint32_t *order = array_create(b->fabric->channels, sizeof *order, error), channels = b->fabric->channels;
	if (!order)
		return -1;
	for (uint32_t c = 0; c < channels; c++)
		order[c] = c;
	qsort_r(order, channels, sizeof *order, compare_routes, (void *)b);
	uint32_t shown = b->options->top < channels ? b->options->top : channels;
	if (shown)
		fprintf(file, "\nexpected load under random mappings (+- standard deviation)\n%12s  %-18s  %-18s  %-18s  %s\n", "routes",
			random_traffic_names[0], random_traffic_names[1], random_traffic_names[2], "channel");
	for (uint32_t i = 0; i < shown; i++) {
		char name[700], cell[60];
		channel_text(b, order[i], name, sizeof name);
		fprintf(file, "%12" PRIu64, b->loads.load[order[i]].routes);
		for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++) {
			snprintf(cell, sizeof cell, "%.4f +- %.4f", mean_of(b, order[i], t), sqrt(variance_of(b, order[i], t)));
			fprintf(file, "  %-18s", cell);
		}
		fprintf(file, "  %s\n", name);
	}
	free(order);
	return 0;
}

static void text_throughput(FILE *file, const char *name, const struct throughput *t)
{
	struct shares e = efficiency_of(t);
	if (t->any)
		fprintf(file, "%-18s  %8.4f  %8.4f .. %-8.4f  %8.4f .. %.4f\n", name, t->routed, t->lower, t->upper, e.low, e.high);
	else
		fprintf(file, "%-18s  nothing is sent\n", name);
}

/* Which tree it is, and of whom. */
static void text_tree(FILE *file, const struct ideal *ideal)
{
	static const char *const tree[] = {[IDEAL_OWN] = "ideal fat tree with the fabric's levels and leaves",
		[IDEAL_GIVEN] = "fat tree of the levels of --levels",
		[IDEAL_OTHER] = "the fabric is not a fat tree; for comparison a fat tree"};
	if (ideal->levels == 1) {
		fputs("\none switch for all hosts", file);
		return;
	}
	fprintf(file, "\n%s, D-mod-K: %" PRIu32 " levels", tree[ideal->kind], ideal->levels);
	for (uint32_t i = 1; i < ideal->levels; i++) {
		fprintf(file, i > 1 ? ", %" PRIu32 " below level %" PRIu32 : ", %" PRIu32 " hosts on a leaf", ideal->most[i], i + 1);
		if (ideal->channels[i] != ideal->most[i])
			fprintf(file, " (%" PRIu64 " channels up)", ideal->channels[i]);
	}
}

static void text_ideal(FILE *file, const struct ideal *ideal)
{
	text_tree(file, ideal);
	fputs("\neffective bisection bandwidth: ", file);
	if (ideal->exact)
		fprintf(file, "bisect %.6f, bisect_fb_sym %.6f (exact)\n", ideal->bisect, ideal->bisect_fb_sym);
	else
		fprintf(file, "bisect %.6f +- %.6f, bisect_fb_sym %.6f +- %.6f (standard errors of %" PRIu32 " samples)\n", ideal->bisect,
			ideal->bisect_error, ideal->bisect_fb_sym, ideal->bisect_fb_sym_error, ideal->runs);
}

static int text_report(const struct bounds *b, FILE *file, struct error *error)
{
	const struct fabric *f = b->fabric;
	const struct bound_options *o = b->options;
	char name[700];
	channel_text(b, b->hottest, name, sizeof name);
	fprintf(file, "%" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " channels\n", f->hosts, f->nodes - f->hosts, f->channels);
	if (o->drop)
		fprintf(file, "unreachable: %" PRIu64 " of %" PRIu64 " pairs left out\n", b->loads.unreachable,
			(uint64_t)f->hosts * (f->hosts - 1));
	uint64_t most = b->loads.load[b->hottest].routes;
	if (!most)
		fputs("\nall-to-all: no routes at all\n", file);
	else
		fprintf(file, "\nall-to-all: %" PRIu64 " route%s over %s (the edge forwarding index)\n", most, most == 1 ? "" : "s", name);
	if (most && !b->loads.unreachable)
		fprintf(file,
			"            takes at least the time of %.6g messages over a host's link, of which each host sends %" PRIu32 "\n",
			(double)most / (o->speed_aware ? f->speed[b->hottest] : 1), f->hosts - 1);
	if (finds(b, PART_LOADS) && text_channels(b, file, error))
		return -1;
	if (finds(b, PART_WORST) && b->worst.channel != NONE) {
		channel_text(b, b->worst.channel, name, sizeof name);
		fprintf(file, "\nworst permutation: %" PRIu64 " route%s over %s", b->worst.congestion, b->worst.congestion == 1 ? "" : "s",
			name);
		if (o->speed_aware)
			fprintf(file, ", %.6g by its speed", b->worst.load);
		putc('\n', file);
	}
	if (finds(b, PART_THROUGHPUT)) {
		fprintf(file, "\n%-18s  %8s  %-20s  %s\n", "throughput", "routed", "possible", "efficiency");
		text_throughput(file, "all-to-all", &b->all);
		if (finds(b, PART_WORST))
			text_throughput(file, "worst permutation", &b->permutation);
		if (o->pattern.spec)
			text_throughput(file, SHOWN(o->pattern.spec), &b->pattern);
		if (b->all.any) {
			struct shares capacity = capacity_of(b);
			fprintf(file, "capacity under uniform traffic: %.4f .. %.4f", capacity.low, capacity.high);
			if (b->permutation.any)
				fprintf(file, ", of which the worst permutation gets %.4f .. %.4f", b->permutation.routed / capacity.high,
					b->permutation.routed / capacity.low);
			putc('\n', file);
		}
		if (b->pattern_unroutable)
			fprintf(file, "%s: without %" PRIu64 " pairs that have no route\n", SHOWN(o->pattern.spec), b->pattern_unroutable);
	}
	if (finds(b, PART_IDEAL))
		text_ideal(file, &b->ideal);
	return 0;
}

/* ---- JSON */

static cJSON *json_shares(struct shares shares)
{
	cJSON *list = cJSON_CreateArray();
	cJSON_AddItemToArray(list, json_number(shares.low));
	cJSON_AddItemToArray(list, json_number(shares.high));
	return list;
}

static void add_port(cJSON *json, const char *key, uint32_t port)
{
	cJSON_AddItemToObject(json, key, port ? json_count(port) : cJSON_CreateNull());
}

static cJSON *json_channel(const struct bounds *b, uint32_t channel)
{
	const struct fabric_labels *labels = b->fabric->labels;
	cJSON *json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "id", json_count(channel));
	cJSON_AddItemToObject(json, "from", json_string(labels->name[fabric_tail(b->fabric, channel)]));
	add_port(json, "from_port", labels->port[channel]);
	cJSON_AddItemToObject(json, "to", json_string(labels->name[b->fabric->head[channel]]));
	add_port(json, "to_port", labels->peer_port[channel]);
	return json;
}

/* A channel with all that is known of its load. */
static cJSON *json_load(const struct bounds *b, uint32_t channel)
{
	const struct load *load = &b->loads.load[channel];
	cJSON *json = json_channel(b, channel);
	cJSON_AddItemToObject(json, "routes", json_count(load->routes));
	cJSON_AddItemToObject(json, "sources", json_count(load->sources));
	cJSON_AddItemToObject(json, "destinations", json_count(load->destinations));
	cJSON *expected = cJSON_AddObjectToObject(json, "expected"), *variance = cJSON_AddObjectToObject(json, "variance");
	for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++) {
		cJSON_AddItemToObject(expected, random_traffic_names[t], json_number(mean_of(b, channel, t)));
		cJSON_AddItemToObject(variance, random_traffic_names[t], json_number(variance_of(b, channel, t)));
	}
	return json;
}

static void add_throughput(cJSON *json, const struct throughput *t)
{
	cJSON_AddItemToObject(json, "routed", json_number(t->any ? t->routed : NAN));
	cJSON_AddItemToObject(json, "lower", json_number(t->any ? t->lower : NAN));
	cJSON_AddItemToObject(json, "upper", json_number(t->any ? t->upper : NAN));
	cJSON_AddItemToObject(json, "efficiency", t->any ? json_shares(efficiency_of(t)) : cJSON_CreateNull());
	cJSON_AddItemToObject(json, "phases", json_count(t->phases));
}

static cJSON *json_worst(const struct bounds *b)
{
	const struct worst *w = &b->worst;
	cJSON *json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "congestion", json_count(w->congestion));
	cJSON_AddItemToObject(json, "load", json_number(w->load));
	cJSON_AddItemToObject(json, "channel", w->channel != NONE ? json_channel(b, w->channel) : cJSON_CreateNull());
	if (!finds(b, PART_THROUGHPUT))
		return json;
	struct shares capacity = capacity_of(b);
	cJSON_AddItemToObject(json, "throughput", json_number(b->permutation.any ? b->permutation.routed : NAN));
	cJSON_AddItemToObject(json, "of_capacity",
		b->permutation.any && b->all.any
			? json_shares((struct shares){b->permutation.routed / capacity.high, b->permutation.routed / capacity.low})
			: cJSON_CreateNull());
	return json;
}

static cJSON *json_throughput(const struct bounds *b)
{
	const struct bound_options *o = b->options;
	cJSON *json = cJSON_CreateObject();
	cJSON_AddItemToObject(json, "epsilon", json_number(o->epsilon));
	add_throughput(json, &b->all);
	cJSON_AddItemToObject(json, "capacity", b->all.any ? json_shares(capacity_of(b)) : cJSON_CreateNull());
	if (finds(b, PART_WORST))
		add_throughput(cJSON_AddObjectToObject(json, "worst_permutation"), &b->permutation);
	if (o->pattern.spec) {
		cJSON *pattern = cJSON_AddObjectToObject(json, "pattern");
		cJSON_AddItemToObject(pattern, "pattern", json_string(o->pattern.spec));
		cJSON_AddItemToObject(pattern, "pairs", json_count(b->pattern_pairs));
		cJSON_AddItemToObject(pattern, "unroutable", json_count(b->pattern_unroutable));
		add_throughput(pattern, &b->pattern);
	}
	return json;
}

static cJSON *json_ideal(const struct ideal *ideal)
{
	static const char *const tree[] = {[IDEAL_OWN] = "fabric", [IDEAL_GIVEN] = "given", [IDEAL_OTHER] = "comparison"};
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "tree", tree[ideal->kind]);
	cJSON_AddItemToObject(json, "levels", json_count(ideal->levels));
	cJSON_AddItemToObject(json, "leaf_hosts", json_count(ideal->most[1]));
	cJSON *hosts = cJSON_AddArrayToObject(json, "subtree_hosts"), *channels = cJSON_AddArrayToObject(json, "subtree_channels");
	for (uint32_t i = 1; i < ideal->levels; i++) {
		cJSON_AddItemToArray(hosts, json_count(ideal->most[i]));
		cJSON_AddItemToArray(channels, json_count(ideal->channels[i]));
	}
	cJSON_AddBoolToObject(json, "exact", ideal->exact);
	cJSON_AddItemToObject(json, "bisect", json_number(ideal->bisect));
	cJSON_AddItemToObject(json, "bisect_fb_sym", json_number(ideal->bisect_fb_sym));
	cJSON_AddItemToObject(json, "samples", json_count(ideal->runs));
	cJSON_AddItemToObject(json, "bisect_error", json_number(ideal->bisect_error));
	cJSON_AddItemToObject(json, "bisect_fb_sym_error", json_number(ideal->bisect_fb_sym_error));
	return json;
}

static cJSON *json_head(const struct bounds *b)
{
	const struct fabric *f = b->fabric;
	const struct bound_options *o = b->options;
	char hash[17];
	cJSON *json = cJSON_CreateObject();
	cJSON_AddStringToObject(json, "schema", "orcs-bound/1");
	cJSON_AddStringToObject(json, "version", ORCS_VERSION);
	cJSON *command = cJSON_AddArrayToObject(json, "command");
	for (int i = 0; i < o->argc; i++)
		cJSON_AddItemToArray(command, json_string(o->argv[i]));
	cJSON *fabric = cJSON_AddObjectToObject(json, "fabric");
	snprintf(hash, sizeof hash, "%016" PRIx64, f->labels->hash);
	cJSON_AddItemToObject(fabric, "file", json_string(f->labels->source));
	cJSON_AddStringToObject(fabric, "hash", hash);
	cJSON_AddItemToObject(fabric, "hosts", json_count(f->hosts));
	cJSON_AddItemToObject(fabric, "switches", json_count(f->nodes - f->hosts));
	cJSON_AddItemToObject(fabric, "channels", json_count(f->channels));
	cJSON_AddItemToObject(json, "unreachable", json_count(b->loads.unreachable));
	cJSON_AddBoolToObject(json, "speed_aware", o->speed_aware);
	cJSON *all = cJSON_AddObjectToObject(json, "all_to_all");
	uint64_t most = b->loads.load[b->hottest].routes;
	cJSON_AddItemToObject(all, "max_load", json_count(most));
	cJSON_AddItemToObject(all, "completion", json_number(bound_load(b, b->hottest, (double)most)));
	cJSON_AddItemToObject(all, "channel", json_channel(b, b->hottest));
	if (finds(b, PART_WORST))
		cJSON_AddItemToObject(json, "worst_permutation", json_worst(b));
	if (finds(b, PART_THROUGHPUT))
		cJSON_AddItemToObject(json, "throughput", json_throughput(b));
	if (finds(b, PART_IDEAL))
		cJSON_AddItemToObject(json, "ideal", json_ideal(&b->ideal));
	return json;
}

/* Prints the object and frees it, without so many characters at its end. */
static int print_json(cJSON *json, size_t cut, FILE *file, struct error *error)
{
	char *text = cJSON_PrintUnformatted(json);
	cJSON_Delete(json);
	if (!text)
		return error_set(error, STATUS_IO, "out of memory for the JSON result");
	fwrite(text, 1, strlen(text) - cut, file);
	cJSON_free(text);
	return 0;
}

/* The channels one by one, for there may be very many. */
static int json_report(const struct bounds *b, FILE *file, struct error *error)
{
	bool channels = finds(b, PART_LOADS);
	if (print_json(json_head(b), channels, file, error))
		return -1;
	for (uint32_t c = 0; channels && c < b->fabric->channels; c++) {
		fputs(c ? "," : ",\"channels\":[", file);
		if (print_json(json_load(b, c), 0, file, error))
			return -1;
	}
	fputs(channels ? "]}\n" : "\n", file);
	return 0;
}

/* ---- CSV */

static void csv_report(const struct bounds *b, FILE *file)
{
	const struct fabric_labels *labels = b->fabric->labels;
	fputs("id,from,from_port,to,to_port,routes,sources,destinations", file);
	for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++)
		fprintf(file, ",%s,%s_variance", random_traffic_names[t], random_traffic_names[t]);
	putc('\n', file);
	for (uint32_t c = 0; c < b->fabric->channels; c++) {
		const struct load *load = &b->loads.load[c];
		fprintf(file, "%" PRIu32 ",", c);
		csv_text(file, labels->name[fabric_tail(b->fabric, c)]);
		fprintf(file, labels->port[c] ? ",%" PRIu32 "," : ",,", labels->port[c]);
		csv_text(file, labels->name[b->fabric->head[c]]);
		fprintf(file, labels->peer_port[c] ? ",%" PRIu32 "," : ",,", labels->peer_port[c]);
		fprintf(file, "%" PRIu64 ",%" PRIu64 ",%" PRIu64, load->routes, load->sources, load->destinations);
		for (enum random_traffic t = 0; t < RANDOM_TRAFFICS; t++)
			fprintf(file, ",%.17g,%.17g", mean_of(b, c, t), variance_of(b, c, t));
		putc('\n', file);
	}
}

int bound_report(const struct bounds *bounds, FILE *file, struct error *error)
{
	if (bounds->options->format == FORMAT_JSON)
		return json_report(bounds, file, error);
	if (bounds->options->format == FORMAT_CSV)
		csv_report(bounds, file);
	else
		return text_report(bounds, file, error);
	return 0;
}

/* ---- the witness */

void bound_witness(const struct bounds *b, FILE *file)
{
	char name[700];
	fprintf(file, "# the worst permutation of %s; rank i is the i-th host of the file:\n", SHOWN(b->fabric->labels->source));
	fprintf(file, "# orcs -p file:THIS --subset file_order --mapping linear%s\n", b->options->drop ? " --unroutable drop" : "");
	if (b->worst.channel == NONE)
		return;
	channel_text(b, b->worst.channel, name, sizeof name);
	fprintf(file, "# %" PRIu64 " routes over %s\n", b->worst.congestion, name);
	for (uint32_t h = 0; h < b->fabric->hosts; h++)
		if (b->worst.partner[h] != h)
			fprintf(file, "0 %" PRIu32 " %" PRIu32 "\n", h, b->worst.partner[h]);
}

/* ---- the graph: that of get_cable_cong for all-to-all, which no random mapping changes */

static double share_of(const struct bounds *b, uint32_t channel)
{
	double most = bound_load(b, b->hottest, (double)b->loads.load[b->hottest].routes);
	return most > 0 ? bound_load(b, channel, (double)b->loads.load[channel].routes) / most : 0;
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
	write_sum(file, bound_load(b, channel, (double)b->loads.load[channel].routes));
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
		{NULL, NULL, NULL},
	};
	char levels[24], full[40];
	double most = bound_load(b, b->hottest, (double)b->loads.load[b->hottest].routes);
	snprintf(levels, sizeof levels, "%" PRIu32, b->fabric->hosts - 1);
	snprintf(full, sizeof full, most == floor(most) ? "%.0f" : "%.6f", most);
	const struct dot_pair pairs[] = {
		{"orcs_pattern", "alltoall"},
		{"orcs_runs", "1"},
		{"orcs_levels", levels},
		{"orcs_full_sum", full},
		{"orcs_palette", b->options->palette},
		{NULL, NULL},
	};
	dot_write(b->fabric, b->attributes, file, columns, pairs);
	uint64_t all = (uint64_t)b->fabric->hosts * (b->fabric->hosts - 1);
	if (b->options->drop) /* as orcs does */
		fprintf(file, "// unroutable: %" PRIu64 " of the %" PRIu64 " connections left out\n", b->loads.unreachable, all);
}
