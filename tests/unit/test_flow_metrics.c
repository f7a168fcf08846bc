/* What the metrics of the flow engine make of runs that are made up by hand. */
#include "helpers.h"

#include "metrics/metric.h"
#include "metrics/result.h"
#include "orcs/timeline.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

enum { RUNS = 2, MOST = 128 };

/* Four hosts on a switch, and a graph of five operations on three tasks with the times that are given to it. */
struct story {
	struct world world;
	struct task_graph *graph;
	uint32_t host[3];
	double capacity[8], sent[8], bottleneck[8], used[LINK_BINS], zero_load[5], each[3];
	uint64_t begun[5], ended[5];
	uint16_t hops[5];
	bool lost[5];
	struct task_times times;
	struct flow_shares shares;
	struct observation seen;
	struct metric_call call;
	double numbers[RUNS * MOST];
	unsigned runs;
	struct result result;
};

static const char star[] =
	"digraph { H0; H1; H2; H3; H0 -> S [comment=\"*\"]; H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"]; H3 -> S [comment=\"*\"];"
	"S -> H0 [comment=H0]; S -> H1 [comment=H1]; S -> H2 [comment=H2]; S -> H3 [comment=H3]; }";

#define SECONDS(s) ((uint64_t)((s)*PICOSECONDS))

static void begin_story(struct story *s, const char *metric)
{
	struct metric_call calls[METRICS_MAX];
	*s = (struct story){.host = {0, 1, 3}, .each = {3, 1, 2}};
	world_load(&s->world, star);
	struct task_builder *b = task_builder_create(3, &error);
	task_message(b, 0, 1, 100);
	task_compute(b, 1, 0.5);
	task_level(b, 1);
	task_message(b, 1, 2, 300);
	uint32_t join = task_join(b, 2);
	task_message(b, 0, 2, 200);
	task_after(b, join, 2);
	s->graph = task_builder_end(b, &error);
	assert_fine(&error);
	memcpy(s->begun, (uint64_t[]){0, SECONDS(1), SECONDS(1.5), SECONDS(3.5), SECONDS(2)}, sizeof s->begun);
	memcpy(s->ended, (uint64_t[]){SECONDS(1), SECONDS(1.5), SECONDS(3.5), SECONDS(3.5), SECONDS(2.5)}, sizeof s->ended);
	memcpy(s->zero_load, (double[]){0.5, 0, 0.5, 0, 0.5}, sizeof s->zero_load);
	memcpy(s->hops, (uint16_t[]){2, 0, 2, 0, 2}, sizeof s->hops);
	for (int c = 0; c < 8; c++)
		s->capacity[c] = 1000;
	s->times = (struct task_times){.graph = s->graph,
		.host = s->host,
		.end = SECONDS(3.5),
		.begun = s->begun,
		.ended = s->ended,
		.zero_load = s->zero_load,
		.hops = s->hops,
		.messages = 3,
		.rerouted = 1,
		.sent = s->sent,
		.bottleneck = s->bottleneck,
		.used = s->used};
	s->seen = (struct observation){.fabric = s->world.fabric,
		.capacity = s->capacity,
		.graph = s->graph,
		.times = &s->times,
		.shares = &s->shares,
		.zero_load = s->each,
		.alones = 3};
	assert_int_equal(metrics_parse(metric, calls, &error), 1);
	s->call = calls[0];
	assert_int_equal(metric_setup(&s->call, 3, s->graph->levels, false, &error), 0);
	assert_in_range(s->call.numbers, 1, MOST);
}

/* One more run that went so. */
static void show(struct story *s)
{
	metric_begin_run(&s->call);
	assert_int_equal(metric_end_run(&s->call, &s->seen, s->numbers + s->runs++ * s->call.numbers, &error), 0);
	assert_fine(&error);
}

static void finish(struct story *s)
{
	double values[RUNS];
	size_t count = 0;
	for (unsigned r = 0; r < s->runs; r++)
		if (!isnan(s->numbers[r * s->call.numbers]))
			values[count++] = s->numbers[r * s->call.numbers];
	struct samples samples = {
		.values = values, .sorted = values, .count = count, .numbers = s->numbers, .width = s->call.numbers, .runs = s->runs};
	assert_int_equal(s->call.metric->finish(&s->call, &samples, &s->result, &error), 0);
	assert_fine(&error);
}

static void end_story(struct story *s)
{
	result_clear(&s->result);
	metric_clear(&s->call);
	task_graph_free(s->graph);
	world_clear(&s->world);
}

static double number(const struct story *s, const char *key)
{
	const struct item *item = result_find(&s->result, key);
	assert_non_null(item);
	return item->number[0];
}

static const struct item *list(const struct story *s, const char *key, size_t count)
{
	const struct item *item = result_find(&s->result, key);
	assert_non_null(item);
	assert_int_equal(item->type == ITEM_LIST ? item->list_count : item->bin_count, count);
	return item;
}

TEST(makespans)
{
	struct story s;
	begin_story(&s, "makespan");
	show(&s);
	s.times.end = SECONDS(4.5);
	show(&s);
	finish(&s);
	assert_within(number(&s, "mean"), 4, 1e-12);
	assert_within(number(&s, "sd"), 0.5, 1e-12); /* of the population */
	assert_within(number(&s, "min"), 3.5, 0);
	assert_within(number(&s, "max"), 4.5, 0);
	end_story(&s);
}

TEST(completion_times)
{
	struct story s;
	begin_story(&s, "fct");
	show(&s); /* 1, 2, 0.5 s; twice, four times, once as long as alone */
	s.times.lost = s.lost;
	s.lost[2] = true;
	s.times.messages = 2;
	s.times.unroutable = 1;
	show(&s); /* 1, 0.5 s */
	finish(&s);
	assert_within(number(&s, "flows"), 2.5, 0);
	assert_within(number(&s, "unroutable"), 0.5, 0);
	assert_within(number(&s, "rerouted"), 1, 0);
	assert_within(number(&s, "mean"), (3.5 / 3 + 1.5 / 2) / 2, 1e-12);
	assert_within(number(&s, "p50"), (1 + 0.5) / 2, 1e-12);
	assert_within(number(&s, "p90"), (2 + 1) / 2.0, 1e-12);
	assert_within(number(&s, "max"), (2 + 1) / 2.0, 1e-12);
	assert_within(number(&s, "slowdown"), (7.0 / 3 + 1.5) / 2, 1e-12);
	assert_within(number(&s, "slowdown_p99"), (4 + 2) / 2.0, 1e-12);
	const struct item *bins = list(&s, "histogram", 3);
	assert_within(bins->bins[0].value, 0.5, 1e-12);
	assert_int_equal(bins->bins[0].count, 2);
	assert_within(bins->bins[1].value, 1, 1e-12);
	assert_int_equal(bins->bins[1].count, 2);
	assert_within(bins->bins[2].value, 2, 1e-12);
	assert_int_equal(bins->bins[2].count, 1);
	end_story(&s);
}

/* A time on an edge of the bins 1, 2, 5, 10, .. is in the upper one. */
TEST(bins_of_completion_times)
{
	static const double edges[] = {1e-9, 2e-9, 5e-9, 1e-6, 2e-6, 5e-6, 1e-3, 2e-3, 5e-3, 1, 2, 5, 10, 20, 50, 1000};
	for (size_t i = 1; i < ARRAY_LENGTH(edges); i++) {
		struct story s;
		begin_story(&s, "fct");
		s.ended[0] = (uint64_t)llround(edges[i] * PICOSECONDS);
		s.begun[2] = s.begun[4] = 0;
		s.ended[2] = s.ended[0] - 1 - s.ended[0] / 1000000000; /* the next below, but for rounding */
		s.ended[4] = 0;
		show(&s);
		finish(&s);
		const struct item *bins = list(&s, "histogram", 3);
		assert_within(bins->bins[0].value, 0, 0);
		assert_true(bins->bins[1].value < edges[i] * (1 - 1e-9));
		assert_within(bins->bins[2].value / edges[i], 1, 1e-9);
		end_story(&s);
	}
}

TEST(time_of_tasks)
{
	struct story s;
	begin_story(&s, "tasks");
	show(&s);
	finish(&s);
	/* task 0: until 2.5; 1: until 3.5, 0.5 of it computing; 2: until 3.5 */
	assert_within(number(&s, "communicate"), (2.5 + 3 + 3.5) / 3, 1e-12);
	assert_within(number(&s, "communicate_max"), 3.5, 1e-12);
	assert_within(number(&s, "compute"), 0.5 / 3, 1e-12);
	assert_within(number(&s, "compute_max"), 0.5, 1e-12);
	end_story(&s);
}

static char *text_of(const struct story *s, void (*write)(const struct task_times *times, const struct fabric *fabric, FILE *file))
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	assert_non_null(file);
	write(&s->times, s->world.fabric, file);
	fclose(file);
	return text;
}

TEST(time_that_overlaps_and_pauses)
{
	struct story s;
	begin_story(&s, "tasks");
	task_graph_free(s.graph);
	struct task_builder *b = task_builder_create(3, &error);
	task_pause(b, 1, 1);
	task_compute(b, 1, 1);
	task_compute(b, 1, 1.5);
	task_message(b, 0, 1, 100);
	task_compute(b, 2, 0.25);
	s.seen.graph = s.times.graph = s.graph = task_builder_end(b, &error);
	assert_fine(&error);
	memcpy(s.begun, (uint64_t[]){0, SECONDS(1), SECONDS(1.5), SECONDS(0.5), 0}, sizeof s.begun);
	memcpy(s.ended, (uint64_t[]){SECONDS(1), SECONDS(2), SECONDS(3), SECONDS(3.5), SECONDS(0.25)}, sizeof s.ended);
	s.times.lost = (bool[]){false, false, false, true, false};
	show(&s);
	char *text = text_of(&s, timeline_write);
	assert_null(strstr(text, "\"ts\":0.000000,\"dur\":1000000")); /* the pause */
	assert_contains(text, "\"tid\":2,\"cat\":\"compute\",\"ts\":0.000000,\"dur\":250000.000000,\"ph\":\"X\"");
	assert_contains(text, "\"ts\":1000000.000000,\"ph\":\"b\",\"id\":1,\"name\":\"compute\"}");
	assert_contains(text, "\"ts\":3000000.000000,\"ph\":\"e\",\"id\":2,\"name\":\"compute\"}");
	assert_contains(text, "\"delivered\":false");
	free(text);
	finish(&s);
	/* task 0: 3.5; 1: 1 .. 3.5, of it computing until 3; 2: computing only */
	assert_within(number(&s, "communicate"), (3.5 + 0.5) / 3, 1e-12);
	assert_within(number(&s, "communicate_max"), 3.5, 1e-12);
	assert_within(number(&s, "compute"), (2 + 0.25) / 3, 1e-12);
	assert_within(number(&s, "compute_max"), 2, 1e-12);
	end_story(&s);
}

TEST(ends_of_levels)
{
	struct story s;
	begin_story(&s, "levels");
	show(&s);
	s.ended[1] = SECONDS(2.5);
	show(&s);
	finish(&s);
	const struct item *ends = list(&s, "ends", 2);
	assert_within(ends->list[0], 2, 1e-12);
	assert_within(ends->list[1], 3.5, 1e-12);
	end_story(&s);
}

TEST(use_of_links)
{
	struct story s;
	begin_story(&s, "link_use");
	s.times.end = SECONDS(4);
	s.sent[0] = 4000;
	s.sent[3] = 1000;
	s.bottleneck[0] = 3;
	/* bins of a second and a half: the last holds what was sent until the end, not behind it */
	s.times.bin = SECONDS(1.5);
	s.used[0] = 3000;
	s.used[1] = 1500;
	s.used[2] = 500;
	show(&s);
	finish(&s);
	assert_within(number(&s, "mean"), 5000.0 / 8 / 4000, 1e-12);
	assert_within(number(&s, "max"), 1, 1e-12);
	assert_within(number(&s, "bottleneck"), 0.75, 1e-12);
	const struct item *over_time = list(&s, "over_time", 20);
	double sum = 0;
	for (int i = 0; i < 20; i++)
		sum += over_time->list[i];
	assert_within(over_time->list[0], 2000.0 / 8000, 1e-12);
	assert_within(over_time->list[10], 1000.0 / 8000, 1e-12);
	assert_within(over_time->list[19], 500.0 / 8000, 1e-12);
	assert_within(sum / 20, number(&s, "mean"), 1e-12);
	end_story(&s);
}

TEST(use_of_links_of_different_speeds)
{
	struct story s;
	begin_story(&s, "link_use");
	s.times.end = s.times.bin = SECONDS(1);
	s.capacity[1] = 9000; /* of 16000 in all */
	s.sent[1] = 8000;
	s.used[0] = 8000;
	show(&s);
	finish(&s);
	assert_within(number(&s, "mean"), 0.5, 1e-12);
	assert_within(list(&s, "over_time", 20)->list[7], 0.5, 1e-12);
	assert_within(number(&s, "max"), 8. / 9, 1e-12);
	end_story(&s);
}

static void add_bins(struct histogram *histogram, double value, uint64_t count)
{
	assert_int_equal(histogram_init(histogram, &error), 0);
	histogram_add(histogram, value, count, &error);
	histogram_add(histogram, value + 1, 1, &error);
}

TEST(lengths_and_loads)
{
	static const char *const names[] = {"hops", "loads"};
	for (int i = 0; i < 2; i++) {
		struct story s;
		begin_story(&s, names[i]);
		add_bins(&s.shares.lengths, 2, 5);
		add_bins(&s.shares.loads, 1, 7);
		s.shares.messages = 6;
		s.shares.hops = 2.5;
		s.shares.max_load = 4;
		show(&s);
		s.shares.hops = 3.5;
		s.shares.max_load = 2;
		show(&s);
		finish(&s);
		const struct item *bins = list(&s, "histogram", 2);
		assert_within(bins->bins[0].value, i ? 1 : 2, 0);
		assert_int_equal(bins->bins[0].count, i ? 14 : 10);
		assert_int_equal(bins->bins[1].count, 2);
		assert_within(number(&s, i ? "max" : "mean"), 3, 1e-12);
		histogram_clear(&s.shares.lengths);
		histogram_clear(&s.shares.loads);
		end_story(&s);
	}
}

TEST(throughputs)
{
	struct story s;
	begin_story(&s, "throughput");
	s.shares = (struct flow_shares){.messages = 4,
		.unroutable = 1,
		.hops = 2,
		.max_load = 3,
		.restricted = 8,
		.non_restricted = 12,
		.max_min = 16,
		.fairness = 0.75};
	show(&s);
	finish(&s);
	assert_within(number(&s, "flows"), 4, 0);
	assert_within(number(&s, "unroutable"), 1, 0);
	assert_within(number(&s, "mean_hops"), 2, 0);
	assert_within(number(&s, "max_load"), 3, 0);
	assert_within(number(&s, "restricted"), 8, 0);
	assert_within(number(&s, "restricted_per_host"), 2, 0);
	assert_within(number(&s, "restricted_per_port"), 2, 0); /* four ports of the switch */
	assert_within(number(&s, "non_restricted_per_host"), 3, 0);
	assert_within(number(&s, "max_min"), 16, 0);
	assert_within(number(&s, "max_min_per_host"), 4, 0);
	assert_within(number(&s, "fairness"), 0.75, 0);
	end_story(&s);
	begin_story(&s, "throughput:simple");
	s.shares = (struct flow_shares){.messages = 4, .restricted = 8, .max_min = NAN, .fairness = NAN};
	show(&s);
	finish(&s);
	assert_within(number(&s, "restricted"), 8, 0);
	assert_true(isnan(number(&s, "max_min")) && isnan(number(&s, "max_min_per_host")) && isnan(number(&s, "fairness")));
	end_story(&s);
}

TEST(latencies)
{
	struct story s;
	begin_story(&s, "latency");
	show(&s); /* 3, 1, 2 */
	finish(&s);
	assert_within(number(&s, "mean"), 2, 1e-12);
	assert_within(number(&s, "p50"), 2, 0);
	assert_within(number(&s, "p90"), 3, 0);
	assert_within(number(&s, "min"), 1, 0);
	assert_within(number(&s, "max"), 3, 0);
	end_story(&s);
}

/* Where nothing was sent there is nothing to be told, and no division by it. */
TEST(runs_without_messages)
{
	static const char *const names[] = {"makespan", "fct", "tasks", "levels", "link_use", "throughput", "hops", "loads", "latency"};
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct story s;
		begin_story(&s, names[i]);
		task_graph_free(s.graph);
		s.graph = task_builder_end(task_builder_create(3, &error), &error);
		s.times = (struct task_times){
			.graph = s.graph, .host = s.host, .sent = s.sent, .bottleneck = s.bottleneck, .used = s.used, .bin = 1};
		s.seen.graph = s.graph;
		s.seen.alones = 0;
		s.shares.fairness = NAN;
		assert_int_equal(histogram_init(&s.shares.lengths, &error), 0);
		assert_int_equal(histogram_init(&s.shares.loads, &error), 0);
		show(&s);
		finish(&s);
		if (result_find(&s.result, "mean") && strcmp(names[i], "makespan") && strcmp(names[i], "link_use"))
			assert_true(isnan(number(&s, "mean")));
		if (!strcmp(names[i], "link_use"))
			assert_within(number(&s, "mean"), 0, 0);
		histogram_clear(&s.shares.lengths);
		histogram_clear(&s.shares.loads);
		end_story(&s);
	}
}

/* ---- the first run message by message */

TEST(the_table_of_messages)
{
	struct story s;
	begin_story(&s, "makespan");
	s.times.lost = s.lost;
	s.lost[4] = true;
	s.ended[4] = SECONDS(2) + 1; /* every picosecond is told */
	char *text = text_of(&s, timeline_flows);
	assert_string_equal(text, "message,level,sender,receiver,from,to,bytes,begin,end,alone,hops,delivered\n"
				  "0,0,0,1,H0,H1,100,0.000000000000,1.000000000000,0.5,2,1\n"
				  "1,1,1,2,H1,H3,300,1.500000000000,3.500000000000,0.5,2,1\n"
				  "2,1,0,2,H0,H3,200,2.000000000000,2.000000000001,0.5,2,0\n");
	free(text);
	end_story(&s);
}

TEST(the_timeline)
{
	struct story s;
	begin_story(&s, "makespan");
	char *text = text_of(&s, timeline_write);
	assert_contains(text, "{\"name\":\"task 2 on H3\"}");
	assert_contains(text, "\"tid\":1,\"cat\":\"compute\",\"ts\":1000000.000000,\"dur\":500000.000000,\"ph\":\"X\"");
	assert_contains(text,
		"\"tid\":0,\"cat\":\"message\",\"ts\":2000000.000000,\"ph\":\"b\",\"id\":4,\"name\":\"to 2\",\"args\":{\"bytes\":200,\"hops\":2}}");
	assert_contains(text, "\"ts\":2500000.000000,\"ph\":\"e\",\"id\":4,\"name\":\"to 2\"}");
	assert_null(strstr(text, "\"id\":3"));
	free(text);
	end_story(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makespans),
		cmocka_unit_test(completion_times),
		cmocka_unit_test(bins_of_completion_times),
		cmocka_unit_test(time_of_tasks),
		cmocka_unit_test(time_that_overlaps_and_pauses),
		cmocka_unit_test(ends_of_levels),
		cmocka_unit_test(use_of_links),
		cmocka_unit_test(use_of_links_of_different_speeds),
		cmocka_unit_test(lengths_and_loads),
		cmocka_unit_test(throughputs),
		cmocka_unit_test(latencies),
		cmocka_unit_test(runs_without_messages),
		cmocka_unit_test(the_table_of_messages),
		cmocka_unit_test(the_timeline),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
