/*
 * Results against the reference. Counts must be equal, numbers agree to 1e-9 of their size.
 */
#include "verify.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BINS = 20, MAX_FAULTS_SHOWN = 12 };

void complain(struct report *r, const char *format, ...)
{
	va_list arguments;

	if (++r->faults > MAX_FAULTS_SHOWN || r->used + 2 >= sizeof r->text)
		return;
	va_start(arguments, format);
	vsnprintf(r->text + r->used, sizeof r->text - r->used - 1, format, arguments);
	va_end(arguments);
	r->used += strlen(r->text + r->used);
	r->text[r->used++] = '\n';
	r->text[r->used] = '\0';
}

static bool agree(double a, double b)
{
	return fabs(a - b) <= 1e-9 * fmax(1, fmax(fabs(a), fabs(b)));
}

const cJSON *json_find(const cJSON *root, const char *path)
{
	while (root != NULL && *path != '\0') {
		char key[64];
		size_t length = strcspn(path, ".");
		snprintf(key, sizeof key, "%.*s", (int)length, path);
		root = cJSON_GetObjectItemCaseSensitive(root, key);
		path += length + (path[length] == '.');
	}
	return root;
}

static void verify_number(struct report *r, const cJSON *root, const char *path, double expected)
{
	const cJSON *found = json_find(root, path);

	if (!cJSON_IsNumber(found))
		complain(r, "%s: expected %.12g, got no number", path, expected);
	else if (!agree(found->valuedouble, expected))
		complain(r, "%s: expected %.12g, got %.12g", path, expected, found->valuedouble);
}

static void verify_null(struct report *r, const cJSON *root, const char *path)
{
	if (!cJSON_IsNull(json_find(root, path)))
		complain(r, "%s: expected null where nothing was sent", path);
}

/* ---- histograms ---- */

static bool written_whole(const char *key)
{
	return key[strspn(key, "0123456789")] == '\0';
}

/* Six decimals are shown of a value that is no integer. */
static bool histogram_holds(const struct histogram *h, const char *key, double count)
{
	double value = strtod(key, NULL);

	for (int i = 0; i < h->bins; i++)
		if (fabs(h->key[i] - value) < 1.5e-6 && (double)h->count[i] == count)
			return h->key[i] != floor(h->key[i]) || written_whole(key);
	return false;
}

static bool histogram_equal(const cJSON *found, const struct histogram *h)
{
	const cJSON *bin;

	if (!cJSON_IsObject(found) || cJSON_GetArraySize(found) != h->bins)
		return false;
	cJSON_ArrayForEach(bin, found) if (!cJSON_IsNumber(bin) || !histogram_holds(h, bin->string, bin->valuedouble)) return false;
	return true;
}

static void verify_histogram(struct report *r, const cJSON *root, const char *path, const struct histogram *h)
{
	const cJSON *found = json_find(root, path);
	char expected[512] = "";
	size_t used = 0;

	if (histogram_equal(found, h))
		return;
	for (int i = 0; i < h->bins && used < sizeof expected; i++)
		used += (size_t)snprintf(expected + used, sizeof expected - used, " %.9g:%ld", h->key[i], h->count[i]);
	char *got = found != NULL ? cJSON_PrintUnformatted(found) : NULL;
	complain(r, "%s: expected {%s }, got %s", path, expected, got != NULL ? got : "nothing");
	free(got);
}

/* ---- metrics ---- */

static void verify_connections(struct report *r, const cJSON *root, const struct tally *t)
{
	verify_histogram(r, root, "metrics.hist_max_cong.weights", &t->weights);
	verify_number(r, root, "metrics.hist_max_cong.connections", (double)t->connections);
	if (t->connections > 0)
		verify_number(r, root, "metrics.hist_max_cong.bandwidth", t->bandwidth_total / (double)t->connections);
	else
		verify_null(r, root, "metrics.hist_max_cong.bandwidth");
}

/* Lower edges are inclusive, the last bin is closed. A bandwidth is a fraction of small numbers:
 * so close to an edge it lies on it. */
static int bin_of(double bandwidth)
{
	int bin = (int)floor(bandwidth * BINS + 1e-9);

	return bin < BINS ? bin : BINS - 1;
}

static void verify_bins(struct report *r, const cJSON *root, const struct series *s)
{
	const cJSON *bins = json_find(root, "metrics.hist_acc_band.bins");
	int expected[BINS] = {0};

	if (cJSON_GetArraySize(bins) != BINS) {
		complain(r, "hist_acc_band.bins: expected %d, got %d", BINS, cJSON_GetArraySize(bins));
		return;
	}
	for (int i = 0; i < s->count; i++)
		expected[bin_of(s->value[i])]++;
	for (int i = 0; i < BINS; i++) {
		double got = cJSON_GetNumberValue(cJSON_GetArrayItem(bins, i));
		if (!(got == expected[i]))
			complain(r, "hist_acc_band.bins[%d]: expected %d, got %g", i, expected[i], got);
	}
}

/* How wide the interval is, is for the program to say; it lies around the mean, and has no width
 * where nothing varies. */
static void verify_interval(struct report *r, const cJSON *root, const struct series *s)
{
	const cJSON *interval = json_find(root, "metrics.hist_acc_band.ci95");
	double low = cJSON_GetNumberValue(cJSON_GetArrayItem(interval, 0));
	double high = cJSON_GetNumberValue(cJSON_GetArrayItem(interval, 1));

	if (s->count < 2)
		return;
	if (!agree(low + high, 2 * series_mean(s)) || low > high + 1e-12)
		complain(r, "ci95: [%.12g, %.12g] is not around the mean %.12g", low, high, series_mean(s));
	if (agree(series_variance(s), 0) != agree(high, low))
		complain(r, "ci95: width %.12g with variance %.12g", high - low, series_variance(s));
}

static double standard_deviation(const struct series *s)
{
	return sqrt(series_variance(s));
}

static double first_quartile(const struct series *s)
{
	return series_quantile(s, 0.25);
}

static double median(const struct series *s)
{
	return series_quantile(s, 0.5);
}

static double third_quartile(const struct series *s)
{
	return series_quantile(s, 0.75);
}

struct statistic {
	const char *name;
	double (*of)(const struct series *s);
};

static const struct statistic of_bandwidth[] = {
	{"mean", series_mean},
	{"sd", standard_deviation},
	{"min", series_min},
	{"q1", first_quartile},
	{"median", median},
	{"q3", third_quartile},
	{"max", series_max},
	{NULL, NULL},
};

static const struct statistic of_series[] = {
	{"min", series_min},
	{"max", series_max},
	{"mean", series_mean},
	{"variance", series_variance},
	{NULL, NULL},
};

static void verify_statistics(struct report *r, const cJSON *root, const char *metric, const struct statistic *list, const struct series *s)
{
	char path[64];

	for (; list->name != NULL; list++) {
		snprintf(path, sizeof path, "metrics.%s.%s", metric, list->name);
		if (s->count > 0)
			verify_number(r, root, path, list->of(s));
		else
			verify_null(r, root, path);
	}
}

void verify_bandwidths(struct report *r, const cJSON *root, const struct series *s)
{
	verify_bins(r, root, s);
	verify_statistics(r, root, "hist_acc_band", of_bandwidth, s);
	if (s->count > 0)
		verify_number(r, root, "metrics.hist_acc_band.runs", s->count);
	verify_interval(r, root, s);
}

void verify_series(struct report *r, const cJSON *root, const char *metric, const struct series *s)
{
	struct histogram *h = calloc(1, sizeof *h);
	char path[64];

	if (h == NULL)
		abort();
	for (int i = 0; i < s->count; i++)
		histogram_add(h, round(s->value[i] * 1e6) / 1e6, 1);
	snprintf(path, sizeof path, "metrics.%s.histogram", metric);
	verify_histogram(r, root, path, h);
	free(h);
	verify_statistics(r, root, metric, of_series, s);
}

/* ---- channels ---- */

static double largest_sum(const struct fabric *f, const struct tally *t)
{
	double largest = 0;

	for (int c = 0; c < f->channels; c++)
		largest = fmax(largest, t->channel_sum[c]);
	return largest;
}

static const char *text_of(const cJSON *object, const char *key)
{
	const char *text = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, key));

	return text != NULL ? text : "(none)";
}

static double number_of(const cJSON *object, const char *key)
{
	return cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, key));
}

/* A sum that is no integer, because of speeds, is shown with six decimals. */
static bool sum_agrees(double found, double sum)
{
	return agree(found, sum) || (sum != floor(sum) && fabs(found - sum) <= 0.51e-6);
}

static void verify_channel(struct report *r, const cJSON *found, const struct fabric *f, int id, int c, double sum, double largest)
{
	const char *from = f->node[f->channel[c].tail].name, *to = f->node[f->channel[c].head].name;
	double share = largest > 0 ? sum / largest : 0;

	if (number_of(found, "id") != id)
		complain(r, "channel %d: its id is %g", id, number_of(found, "id"));
	if (strcmp(text_of(found, "from"), from) != 0 || strcmp(text_of(found, "to"), to) != 0)
		complain(r, "channel %d: expected %s -> %s, got %s -> %s", id, from, to, text_of(found, "from"), text_of(found, "to"));
	if (!sum_agrees(number_of(found, "sum"), sum))
		complain(r, "channel %d, %s -> %s: expected the sum %.12g, got %.12g", id, from, to, sum, number_of(found, "sum"));
	if (!agree(number_of(found, "congestion"), share))
		complain(r, "channel %d, %s -> %s: expected congestion %.12g, got %.12g", id, from, to, share,
			number_of(found, "congestion"));
}

static void verify_channels(struct report *r, const cJSON *root, const struct fabric *f, const struct tally *t)
{
	const cJSON *channels = json_find(root, "metrics.get_cable_cong.channels");
	int order[MAX_CHANNELS];

	if (cJSON_GetArraySize(channels) != f->channels) {
		complain(r, "get_cable_cong: expected %d channels, got %d", f->channels, cJSON_GetArraySize(channels));
		return;
	}
	fabric_channel_ids(f, order);
	int id = 0;
	const cJSON *found;
	cJSON_ArrayForEach(found, channels)
	{
		int c = order[id];
		verify_channel(r, found, f, id++, c, t->channel_sum[c], largest_sum(f, t));
	}
}

bool same_traffic(const cJSON *root, const struct fabric *f, const struct tally *t)
{
	static struct report unheard;

	unheard.faults = 0;
	unheard.used = 0;
	verify_connections(&unheard, root, t);
	verify_series(&unheard, root, "dep_max_delay", &t->delay);
	verify_series(&unheard, root, "sum_max_cong", &t->sum);
	verify_channels(&unheard, root, f, t);
	return unheard.faults == 0;
}

/* ---- the whole result ---- */

static void verify_text(struct report *r, const cJSON *root, const char *path, const char *expected)
{
	const char *found = cJSON_GetStringValue(json_find(root, path));

	if (found == NULL || strcmp(found, expected) != 0)
		complain(r, "%s: expected %s, got %s", path, expected, found != NULL ? found : "no text");
}

void verify_frame(struct report *r, const cJSON *root, const struct question *q, int runs)
{
	int host[MAX_NODES];
	int hosts = fabric_hosts(&q->fabric, FILE_ORDER, host);

	verify_text(r, root, "schema", "orcs-result/1");
	if (!cJSON_IsFalse(json_find(root, "partial")))
		complain(r, "partial: expected false");
	verify_number(r, root, "fabric.hosts", hosts);
	verify_number(r, root, "fabric.switches", q->fabric.nodes - hosts);
	verify_number(r, root, "fabric.channels", q->fabric.channels);
	verify_number(r, root, "comm_size", q->n);
	verify_number(r, root, "seed", (double)q->program_seed);
	verify_number(r, root, "runs", runs);
}

/* Where speeds differ, the result states whether they count, and rates beside shares if they do. */
static void verify_speeds(struct report *r, const cJSON *root, const struct question *q, const struct tally *t)
{
	static const char path[] = "metrics.hist_max_cong.bandwidth_gbps";
	bool differ = fabric_speeds_differ(&q->fabric), counted = differ && q->rules.speed_aware;
	const cJSON *flag = cJSON_GetObjectItemCaseSensitive(root, "speed_aware");

	if (!differ != !flag || (flag != NULL && cJSON_IsTrue(flag) != q->rules.speed_aware))
		complain(r, "speed_aware is not %s", !differ ? "missing" : q->rules.speed_aware ? "true" : "false");
	if (counted && t->connections > 0)
		verify_number(r, root, path, t->gbps_total / (double)t->connections);
	else if (json_find(root, path) != NULL)
		complain(r, "%s is unexpected", path);
}

void verify_result(struct report *r, const cJSON *root, const struct question *q, const struct tally *t, int runs)
{
	verify_frame(r, root, q, runs);
	verify_number(r, root, "unroutable", (double)t->unroutable);
	verify_connections(r, root, t);
	verify_bandwidths(r, root, &t->bandwidth);
	verify_series(r, root, "sum_max_cong", &t->sum);
	verify_series(r, root, "dep_max_delay", &t->delay);
	verify_channels(r, root, &q->fabric, t);
	verify_speeds(r, root, q, t);
}

/* ---- text ---- */

/* Whether the text is one line and holds the number as a word. */
static bool one_line_with(const char *text, long number)
{
	char word[24];
	size_t length = (size_t)snprintf(word, sizeof word, "%ld", number);
	const char *found = strstr(text, word);
	const char *end = strchr(text, '\n');

	while (found != NULL && (strspn(found, "0123456789") != length || (found > text && found[-1] != ' ')))
		found = strstr(found + 1, word);
	return found != NULL && end != NULL && end[1] == '\0';
}

/* The end of the line "BW: " with six decimals at the start of the text, or NULL. A value half way
 * between two of six decimals may be shown as either. */
static const char *skip_bandwidth(const char *text, double expected)
{
	char line[32];
	double shown = 0;

	sscanf(text, "BW: %lf", &shown);
	int length = snprintf(line, sizeof line, "BW: %.6f\n", shown);
	return strncmp(text, line, (size_t)length) == 0 && fabs(shown - expected) <= 0.51e-6 ? text + length : NULL;
}

void verify_listing(struct report *r, const char *text, const struct tally *t)
{
	double bandwidth = t->bandwidth_total / (double)t->connections;
	char expected[8192];
	size_t used = 0;

	for (int i = 0; i < t->weights.bins; i++)
		used += (size_t)snprintf(expected + used, sizeof expected - used, "weight %.0f: %ld of the %ld connections\n",
			t->weights.key[i], t->weights.count[i], t->connections);
	const char *rest = strncmp(text, expected, used) == 0 ? skip_bandwidth(text + used, bandwidth) : NULL;
	if (rest == NULL)
		complain(r, "text: expected\n%sBW: %.6f\ngot\n%s", expected, bandwidth, text);
	else if (t->unroutable == 0 ? *rest != '\0' : !one_line_with(rest, t->unroutable))
		complain(r, "text: expected %ld pairs left out, got after the listing\n%s", t->unroutable, rest);
}

/* ---- printed patterns ---- */

bool read_printed(struct pattern *p, const cJSON *root)
{
	const cJSON *levels = json_find(root, "pattern_levels"), *level, *pair;
	int l = 0;

	if (!cJSON_IsArray(levels))
		return false;
	cJSON_ArrayForEach(level, levels)
	{
		cJSON_ArrayForEach(pair, level)
		{
			if (cJSON_GetArraySize(pair) != 2)
				return false;
			pattern_add(p, l, (int)cJSON_GetNumberValue(cJSON_GetArrayItem(pair, 0)),
				(int)cJSON_GetNumberValue(cJSON_GetArrayItem(pair, 1)));
		}
		l++;
	}
	p->levels = l;
	return true;
}

static int occurrences(const struct pattern *p, const struct message *of)
{
	int count = 0;

	for (int m = 0; m < p->count; m++)
		count += p->message[m].level == of->level && p->message[m].from == of->from && p->message[m].to == of->to;
	return count;
}

void verify_printed(struct report *r, const cJSON *root, const struct pattern *p)
{
	struct pattern printed;

	pattern_init(&printed);
	if (!read_printed(&printed, root))
		complain(r, "pattern_levels: no array of levels");
	else if (printed.levels != p->levels)
		complain(r, "pattern_levels: expected %d levels, got %d", p->levels, printed.levels);
	for (int m = 0; m < p->count; m++) {
		const struct message *of = &p->message[m];
		if (of->from != of->to && occurrences(&printed, of) != occurrences(p, of))
			complain(r, "pattern_levels: expected %d times %d -> %d in level %d, got %d", occurrences(p, of), of->from, of->to,
				of->level, occurrences(&printed, of));
	}
	for (int m = 0; m < printed.count; m++) {
		const struct message *of = &printed.message[m];
		if (of->from == of->to || occurrences(p, of) == 0)
			complain(r, "pattern_levels: did not expect %d -> %d in level %d", of->from, of->to, of->level);
	}
	pattern_clear(&printed);
}
