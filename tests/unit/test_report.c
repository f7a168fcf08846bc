/* From results to text, JSON, CSV and coloured graphs. */
#include "helpers.h"

#include "orcs/report.h"

#include <cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A call of the program that has made its runs: the tests fill in what they gave. */
struct scene {
	struct world world;
	struct placement placement;
	struct metric_call metrics[METRICS_MAX];
	struct options options;
	struct runs runs;
	struct campaign_setup setup;
	struct outcome outcome;
	struct report report;
	struct error error;
};

static char *arguments[] = {"orcs", "-n", "2", "fabric.dot"};

static void make_scene(struct scene *s, const char *metric_list, const char *pattern)
{
	*s = (struct scene){.options = {.argc = 4,
				    .argv = arguments,
				    .pattern = {.spec = pattern, .first_ranks = -1},
				    .subset = "linear_bfs",
				    .mapping = "random",
				    .level = -1,
				    .palette = "green-red"}};
	world_load(&s->world,
		"digraph { H1->S [comment=\"*\"]; H2->S [comment=\"*\"]; \"H,3\"->S [comment=\"*\"]; S->H1 [comment=H1]; S->H2 [comment=H2] }");
	assert_int_equal(placement_init(&s->placement, s->world.fabric, "file_order", "linear", 0, 1, &s->error), 0);
	int count = metrics_parse(metric_list, s->metrics, &s->error);
	assert_fine(&s->error);
	for (int m = 0; m < count; m++)
		assert_int_equal(metric_setup(&s->metrics[m], 3, 0, false, &s->error), 0);
	s->runs = (struct runs){.engine = engines[0],
		.setup =
			{
				.fabric = s->world.fabric,
				.forwarding = s->world.forwarding,
				.pattern = make_pattern(pattern, 3),
				.only_level = -1,
			},
		.terms = runs_terms(engines[0])};
	s->setup = (struct campaign_setup){
		.work = &s->runs, .placement = &s->placement, .metrics = s->metrics, .metric_count = count, .seed = 1, .runs = 2};
	s->outcome.runs = 2;
	s->report = (struct report){.options = &s->options, .setup = &s->setup, .outcome = &s->outcome, .attributes = s->world.attributes};
}

static void clear_scene(struct scene *s)
{
	report_clear(&s->report);
	for (int m = 0; m < METRICS_MAX; m++)
		metric_clear(&s->metrics[m]);
	outcome_clear(&s->outcome);
	pattern_free(s->runs.setup.pattern);
	placement_clear(&s->placement);
	world_clear(&s->world);
}

static void pool(struct scene *s, int metric, const struct bin *bins, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		histogram_add(&s->metrics[metric].pooled, bins[i].value, bins[i].count, &s->error);
		s->outcome.connections += bins[i].count;
	}
}

/* Every run has a value. */
static void give_values(struct scene *s, int metric, const double *values, size_t count)
{
	size_t bytes = count * sizeof *values;
	s->outcome.values[metric] = memcpy(malloc(bytes), values, bytes);
	s->outcome.raw[metric] = memcpy(malloc(bytes), values, bytes);
	s->outcome.value_count[metric] = count;
	s->outcome.runs = count;
	free(s->outcome.run);
	s->outcome.run = calloc(count, sizeof *s->outcome.run);
	for (size_t r = 0; r < count; r++)
		s->outcome.run[r] = r;
}

/* Channels in their order: H1->S, S->H1, S->H2, H2->S, H,3->S. */
static void give_sums(struct scene *s, const uint64_t *sums)
{
	s->outcome.channel_unit = 1;
	s->outcome.channel_sum = calloc(s->world.fabric->channels, sizeof *sums);
	memcpy(s->outcome.channel_sum, sums, s->world.fabric->channels * sizeof *sums);
}

/* The report in that format, to be freed. */
static char *written(struct scene *s, enum format format)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	s->options.format = format;
	assert_int_equal(report_make(&s->report, &s->error), 0);
	assert_int_equal(report_write(&s->report, file, &s->error), 0);
	report_clear(&s->report);
	fclose(file);
	assert_fine(&s->error);
	return text;
}

static void assert_written(struct scene *s, enum format format, const char *expected)
{
	char *text = written(s, format);
	assert_string_equal(text, expected);
	free(text);
}

static const struct bin listing3[] = {{1, 14}, {2, 44}, {3, 6}};

/* ORCS paper, Listing 3, to the letter. */
TEST(listing_3)
{
	struct scene s;
	make_scene(&s, "hist_max_cong", "bruck");
	pool(&s, 0, listing3, 3);
	assert_written(&s, FORMAT_TEXT,
		"weight 1: 14 of the 64 connections\n"
		"weight 2: 44 of the 64 connections\n"
		"weight 3: 6 of the 64 connections\n"
		"BW: 0.593750\n");
	clear_scene(&s);
}

TEST(listing_3_as_csv)
{
	struct scene s;
	make_scene(&s, "hist_max_cong", "bruck");
	pool(&s, 0, listing3, 3);
	assert_written(&s, FORMAT_CSV,
		"metric,item,key,value\nsummary,runs,,2\nsummary,unroutable,,0\nsummary,partial,,0\n"
		"hist_max_cong,weights,1,14\nhist_max_cong,weights,2,44\nhist_max_cong,weights,3,6\n"
		"hist_max_cong,connections,,64\nhist_max_cong,bandwidth,,0.59375\n");
	clear_scene(&s);
}

/* What stands at the path "a/b/c" of the JSON report, as text. */
static void assert_json(const cJSON *json, const char *path, const char *expected)
{
	char copy[200], *rest = copy;
	snprintf(copy, sizeof copy, "%s", path);
	for (char *key; json && (key = strsep(&rest, "/"));)
		json = cJSON_GetObjectItemCaseSensitive(json, key);
	char *text = json ? cJSON_PrintUnformatted(json) : NULL;
	assert_non_null(text);
	assert_string_equal(text, expected);
	cJSON_free(text);
}

static cJSON *written_json(struct scene *s)
{
	char *text = written(s, FORMAT_JSON);
	cJSON *json = cJSON_Parse(text);
	assert_non_null(json);
	free(text);
	return json;
}

TEST(listing_3_as_json)
{
	struct scene s;
	make_scene(&s, "hist_max_cong", "bruck");
	pool(&s, 0, listing3, 3);
	cJSON *json = written_json(&s);
	assert_json(json, "schema", "\"orcs-result/1\"");
	assert_json(json, "command", "[\"orcs\",\"-n\",\"2\",\"fabric.dot\"]");
	assert_json(json, "partial", "false");
	assert_json(json, "fabric/hosts", "3");
	assert_json(json, "fabric/switches", "1");
	assert_json(json, "fabric/channels", "5");
	assert_json(json, "pattern", "\"bruck\"");
	assert_json(json, "comm_size", "3");
	assert_json(json, "subset", "\"linear_bfs\"");
	assert_json(json, "mapping", "\"random\"");
	assert_json(json, "seed", "1");
	assert_json(json, "runs", "2");
	assert_json(json, "unroutable", "0");
	assert_json(json, "metrics/hist_max_cong/weights", "{\"1\":14,\"2\":44,\"3\":6}");
	assert_json(json, "metrics/hist_max_cong/connections", "64");
	assert_json(json, "metrics/hist_max_cong/bandwidth", "0.59375");
	assert_int_equal(strlen(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "fabric"), "hash")->valuestring), 16);
	cJSON_Delete(json);
	clear_scene(&s);
}

TEST(bandwidths_as_text)
{
	static const double values[] = {0.6, 0.15};
	struct scene s;
	make_scene(&s, "hist_acc_band", "bisect");
	give_values(&s, 0, values, 2);
	assert_written(&s, FORMAT_TEXT,
		"bandwidth 0.15-0.20: 1 of the 2 runs\n"
		"bandwidth 0.60-0.65: 1 of the 2 runs\n"
		"effective bisection bandwidth (mean): 0.375000\n"
		"standard deviation: 0.225000\n"
		"95% confidence interval of the mean: -2.483896 .. 3.233896\n"
		"minimum: 0.150000\n"
		"lower quartile: 0.262500\n"
		"median: 0.375000\n"
		"upper quartile: 0.487500\n"
		"maximum: 0.600000\n");
	clear_scene(&s);
}

TEST(numbers_in_json_read_back_unchanged)
{
	static const double values[] = {0.1, 1.0 / 3, 2.0 / 3};
	struct scene s;
	make_scene(&s, "hist_acc_band", "ring");
	give_values(&s, 0, values, 3);
	s.options.raw = true;
	cJSON *json = written_json(&s), *metric = cJSON_GetObjectItem(cJSON_GetObjectItem(json, "metrics"), "hist_acc_band");
	cJSON *raw = cJSON_GetObjectItem(metric, "raw");
	assert_int_equal(cJSON_GetArraySize(raw), 3);
	for (int i = 0; i < 3; i++)
		assert_true(cJSON_GetArrayItem(raw, i)->valuedouble == values[i]);
	assert_true(cJSON_GetObjectItem(metric, "median")->valuedouble == 1.0 / 3);
	assert_int_equal(cJSON_GetArraySize(cJSON_GetObjectItem(metric, "bins")), 20);
	cJSON *interval = cJSON_GetObjectItem(metric, "ci95");
	double mean = cJSON_GetObjectItem(metric, "mean")->valuedouble;
	assert_int_equal(cJSON_GetArraySize(interval), 2);
	assert_true(cJSON_GetArrayItem(interval, 0)->valuedouble < mean - 0.1);
	assert_true(cJSON_GetArrayItem(interval, 1)->valuedouble > mean + 0.1);
	cJSON_Delete(json);
	clear_scene(&s);
}

TEST(several_metrics_are_headed)
{
	static const double values[] = {8, 9};
	struct scene s;
	make_scene(&s, "hist_max_cong,sum_max_cong", "bruck");
	pool(&s, 0, listing3, 1);
	give_values(&s, 1, values, 2);
	s.options.raw = true;
	assert_written(&s, FORMAT_TEXT,
		"# hist_max_cong\nweight 1: 14 of the 14 connections\nBW: 1.000000\n"
		"\n# sum_max_cong\nrun 0: 8\nrun 1: 9\nsum 8: 1 of the 2 runs\nsum 9: 1 of the 2 runs\n"
		"minimum: 8.000000\nmaximum: 9.000000\nmean: 8.500000\nvariance: 0.250000\n");
	clear_scene(&s);
}

TEST(nothing_sent_is_said)
{
	struct scene s;
	make_scene(&s, "hist_max_cong,dep_max_delay", "null");
	char *text = written(&s, FORMAT_TEXT);
	assert_contains(text, "nothing was sent\n");
	assert_null(strstr(text, "nan"));
	free(text);
	cJSON *json = written_json(&s);
	assert_json(json, "metrics/hist_max_cong/weights", "{}");
	assert_json(json, "metrics/hist_max_cong/bandwidth", "null");
	assert_json(json, "metrics/dep_max_delay/mean", "null");
	cJSON_Delete(json);
	text = written(&s, FORMAT_CSV);
	assert_contains(text, "hist_max_cong,bandwidth,,\n");
	free(text);
	clear_scene(&s);
}

/* Weights that are no integers have six decimals; those that then read alike are one. */
TEST(fractional_weights_have_six_decimals)
{
	static const struct bin bins[] = {{0.5, 1}, {4.0 / 3, 2}, {4.0 / 3 + 1e-9, 3}, {2, 4}, {5000, 5}, {5000.25, 6}};
	struct scene s;
	make_scene(&s, "hist_max_cong", "bruck");
	pool(&s, 0, bins, ARRAY_LENGTH(bins));
	char *text = written(&s, FORMAT_TEXT);
	assert_contains(text,
		"weight 0.500000: 1 of the 21 connections\nweight 1.333333: 5 of the 21 connections\nweight 2: 4 of the 21 connections\n"
		"weight 5000: 5 of the 21 connections\nweight 5000.250000: 6 of the 21 connections\n");
	free(text);
	cJSON *json = written_json(&s);
	assert_json(json, "metrics/hist_max_cong/weights", "{\"0.500000\":1,\"1.333333\":5,\"2\":4,\"5000\":5,\"5000.250000\":6}");
	cJSON_Delete(json);
	clear_scene(&s);
}

TEST(what_was_left_out_is_said)
{
	struct scene s;
	make_scene(&s, "hist_max_cong", "bruck");
	pool(&s, 0, listing3, 3);
	s.runs.setup.drop = true;
	s.outcome.unroutable = 6;
	s.outcome.partial = true;
	s.setup.runs = 10;
	char *text = written(&s, FORMAT_TEXT);
	assert_contains(text, "unroutable: 6 of the 70 connections left out\n");
	assert_contains(text, "partial: 2 of the 10 runs\n");
	free(text);
	cJSON *json = written_json(&s);
	assert_json(json, "unroutable", "6");
	assert_json(json, "partial", "true");
	assert_json(json, "runs", "2");
	cJSON_Delete(json);
	clear_scene(&s);
}

TEST(hosts_and_pairs_are_printed)
{
	struct scene s;
	make_scene(&s, "hist_max_cong", "ring");
	s.options.print_names = s.options.print_pattern = true;
	char *text = written(&s, FORMAT_TEXT);
	assert_contains(text, "# H1\n# H2\n# H,3\n# level 0:\n# 0 -> 1\n# level 1:\n# 1 -> 2\n# level 2:\n# 2 -> 0\n");
	free(text);
	cJSON *json = written_json(&s);
	assert_json(json, "hosts", "[\"H1\",\"H2\",\"H,3\"]");
	assert_json(json, "pattern_levels", "[[[0,1]],[[1,2]],[[2,0]]]");
	cJSON_Delete(json);
	s.runs.setup.only_level = 1;
	json = written_json(&s);
	assert_json(json, "pattern_levels", "[[[1,2]]]");
	assert_json(json, "level", "1");
	cJSON_Delete(json);
	s.runs.setup.only_level = 0;
	json = written_json(&s);
	assert_json(json, "pattern_levels", "[[[0,1]]]");
	assert_json(json, "level", "0");
	cJSON_Delete(json);
	clear_scene(&s);
}

static const uint64_t sums[] = {12, 3, 0, 6, 0};

TEST(channels_are_listed)
{
	struct scene s;
	make_scene(&s, "get_cable_cong:out.dot", "ring");
	give_sums(&s, sums);
	cJSON *json = written_json(&s);
	cJSON *channels = cJSON_GetObjectItem(cJSON_GetObjectItem(cJSON_GetObjectItem(json, "metrics"), "get_cable_cong"), "channels");
	assert_int_equal(cJSON_GetArraySize(channels), 5);
	assert_json(cJSON_GetArrayItem(channels, 1), "from", "\"S\"");
	assert_json(cJSON_GetArrayItem(channels, 1), "to", "\"H1\"");
	assert_json(cJSON_GetArrayItem(channels, 1), "sum", "3");
	assert_json(cJSON_GetArrayItem(channels, 1), "congestion", "0.25");
	assert_json(cJSON_GetArrayItem(channels, 4), "from", "\"H,3\"");
	cJSON_Delete(json);
	char *text = written(&s, FORMAT_CSV);
	assert_contains(
		text, "get_cable_cong,from,4,\"H,3\"\nget_cable_cong,to,4,S\nget_cable_cong,sum,4,0\nget_cable_cong,congestion,4,0\n");
	free(text);
	clear_scene(&s);
}

/* The graph that the report writes, read again. */
static void reload_graph(struct scene *s, struct world *again)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	report_graph(&s->report, file);
	fclose(file);
	world_load(again, text);
	free(text);
}

static void assert_edge(const struct world *world, uint32_t channel, const char *congestion, const char *sum, const char *colour)
{
	assert_string_equal(attributes_of_channel(world->attributes, channel, "congestion"), congestion);
	assert_string_equal(attributes_of_channel(world->attributes, channel, "congestion_sum"), sum);
	assert_string_equal(attributes_of_channel(world->attributes, channel, "color"), colour);
}

/* ORCS paper, section 2.5, get_cable_cong: 1 is the most congested channel of the graph. */
TEST(the_graph_is_coloured)
{
	struct scene s;
	struct world again;
	make_scene(&s, "get_cable_cong", "ring");
	give_sums(&s, sums);
	reload_graph(&s, &again);
	assert_true(again.fabric->labels->hash == s.world.fabric->labels->hash);
	assert_edge(&again, 0, "1.000000", "12", "0.000000 0.900000 0.900000");
	assert_edge(&again, 1, "0.250000", "3", "0.300000 0.900000 0.900000");
	assert_edge(&again, 2, "0.000000", "0", "0.400000 0.900000 0.900000");
	assert_edge(&again, 3, "0.500000", "6", "0.200000 0.900000 0.900000");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_pattern"), "ring");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_runs"), "2");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_levels"), "3");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_full_sum"), "12");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_palette"), "green-red");
	world_clear(&again);
	clear_scene(&s);
}

/* Full red at 4 routes a level on average: 2 runs of 3 levels make 24. */
TEST(an_absolute_scale_does_not_depend_on_the_largest)
{
	struct scene s;
	struct world again;
	make_scene(&s, "get_cable_cong", "ring");
	give_sums(&s, sums);
	s.options.absolute = 4;
	s.options.palette = "viridis";
	reload_graph(&s, &again);
	assert_edge(&again, 0, "1.000000", "12", "#23908c");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_full_sum"), "24");
	world_clear(&again);
	clear_scene(&s);
}

TEST(a_graph_where_nothing_was_sent_is_all_green)
{
	static const uint64_t none[5];
	struct scene s;
	struct world again;
	make_scene(&s, "get_cable_cong", "null");
	give_sums(&s, none);
	reload_graph(&s, &again);
	for (uint32_t c = 0; c < 5; c++)
		assert_edge(&again, c, "0.000000", "0", "0.400000 0.900000 0.900000");
	world_clear(&again);
	clear_scene(&s);
}

TEST(a_graph_with_a_file_of_its_own_is_not_in_the_text)
{
	struct scene s;
	make_scene(&s, "get_cable_cong:out.dot", "ring");
	give_sums(&s, sums);
	assert_written(&s, FORMAT_TEXT, "");
	clear_scene(&s);
}

/* The graph stands alone in the text; what there is to say beside it becomes comments. */
TEST(a_graph_as_text_can_be_read)
{
	struct scene s;
	struct world again;
	make_scene(&s, "get_cable_cong", "ring");
	give_sums(&s, sums);
	s.runs.setup.drop = true;
	s.outcome.partial = true;
	char *text = written(&s, FORMAT_TEXT);
	world_load(&again, text);
	assert_true(again.fabric->labels->hash == s.world.fabric->labels->hash);
	assert_contains(text, "// unroutable: 0 of the 0 connections left out\n");
	free(text);
	world_clear(&again);
	clear_scene(&s);
}

/* The value a threshold's key stands for; NAN: there is none. */
static double value_of(const struct report *report, const char *key)
{
	struct threshold threshold = {.text = key};
	double value;
	snprintf(threshold.key, sizeof threshold.key, "%s", key);
	return report_value(report, &threshold, &value) ? NAN : value;
}

TEST(thresholds_find_their_values)
{
	static const double bandwidths[] = {0.5, 0.7}, delays[] = {4, 8};
	struct scene s;
	make_scene(&s, "hist_max_cong,hist_acc_band,sum_max_cong", "bruck");
	pool(&s, 0, listing3, 3);
	give_values(&s, 1, bandwidths, 2);
	give_values(&s, 2, delays, 2);
	assert_int_equal(report_make(&s.report, &s.error), 0);
	assert_within(value_of(&s.report, "bw"), 0.59375, 1e-12);
	assert_within(value_of(&s.report, "bandwidth"), 0.59375, 1e-12);
	assert_within(value_of(&s.report, "hist_acc_band.mean"), 0.6, 1e-12);
	assert_within(value_of(&s.report, "sum_max_cong.max"), 8, 0);
	assert_within(value_of(&s.report, "mean"), 0.6, 1e-12); /* the first metric that has one */
	assert_within(value_of(&s.report, "connections"), 64, 0);
	assert_true(isnan(value_of(&s.report, "hist_max_cong.mean")));
	assert_true(isnan(value_of(&s.report, "weights")));
	assert_true(isnan(value_of(&s.report, "frobnicate")));
	clear_scene(&s);
}

TEST(bw_is_the_mean_without_a_pooled_bandwidth)
{
	static const double values[] = {0.5, 0.7};
	struct scene s;
	make_scene(&s, "sum_max_cong,hist_acc_band", "bruck");
	give_values(&s, 0, values, 2);
	give_values(&s, 1, values, 2);
	assert_int_equal(report_make(&s.report, &s.error), 0);
	assert_within(value_of(&s.report, "bw"), 0.6, 1e-12);
	clear_scene(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(listing_3),
		cmocka_unit_test(listing_3_as_csv),
		cmocka_unit_test(listing_3_as_json),
		cmocka_unit_test(bandwidths_as_text),
		cmocka_unit_test(numbers_in_json_read_back_unchanged),
		cmocka_unit_test(several_metrics_are_headed),
		cmocka_unit_test(nothing_sent_is_said),
		cmocka_unit_test(fractional_weights_have_six_decimals),
		cmocka_unit_test(what_was_left_out_is_said),
		cmocka_unit_test(hosts_and_pairs_are_printed),
		cmocka_unit_test(channels_are_listed),
		cmocka_unit_test(the_graph_is_coloured),
		cmocka_unit_test(an_absolute_scale_does_not_depend_on_the_largest),
		cmocka_unit_test(a_graph_where_nothing_was_sent_is_all_green),
		cmocka_unit_test(a_graph_with_a_file_of_its_own_is_not_in_the_text),
		cmocka_unit_test(a_graph_as_text_can_be_read),
		cmocka_unit_test(thresholds_find_their_values),
		cmocka_unit_test(bw_is_the_mean_without_a_pooled_bandwidth),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
