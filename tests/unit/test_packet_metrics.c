/* What the metrics of the packet engine make of runs that are made up by hand, and how tables of loads are written. */
#include "helpers.h"

#include "cli/gnuplot.h"
#include "fabric/tiers.h"
#include "metrics/by_load.h"
#include "orcs/runs.h"
#include "orcs/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct error error;

enum { RUNS = 4, MOST = 256, CHANNELS = 8, HOSTS = 4 };

/* Four hosts on a switch, and runs that are shown to one metric. */
struct story {
	struct world world;
	uint64_t bins[LATENCY_BINS], sent[CHANNELS], busy[CHANNELS], blocked[CHANNELS], accepted[HOSTS];
	bool sends[HOSTS];
	struct packet_seen packets;
	struct observation seen;
	struct metric_call call;
	struct outcome outcome;
	double *numbers;
	struct placement placement;
	struct options options;
	struct runs runs; /* of any engine that takes no pairs */
	struct campaign_setup setup;
	struct report report;
};

static const char star[] =
	"digraph { H0; H1; H2; H3; H0 -> S [comment=\"*\"]; H1 -> S [comment=\"*\"]; H2 -> S [comment=\"*\"]; H3 -> S [comment=\"*\"];"
	"S -> H0 [comment=H0]; S -> H1 [comment=H1]; S -> H2 [comment=H2]; S -> H3 [comment=H3]; }";

static void begin_story(struct story *s, const char *metric)
{
	struct metric_call calls[METRICS_MAX];
	*s = (struct story){.options = {.subset = "linear_bfs", .mapping = "random", .palette = "green-red"}};
	world_load(&s->world, star);
	s->packets = (struct packet_seen){.open = true,
		.steady = true,
		.load = 0.5,
		.senders = 4,
		.link = 0.001,
		.latency_bins = s->bins,
		.shortest = UINT64_MAX,
		.sent = s->sent,
		.busy = s->busy,
		.blocked = s->blocked,
		.accepted = s->accepted,
		.sends = s->sends};
	s->seen = (struct observation){.fabric = s->world.fabric, .packets = &s->packets, .saturation = {NAN, NAN}};
	assert_int_equal(metrics_parse(metric, calls, &error), 1);
	s->call = calls[0];
	assert_int_equal(metric_setup(&s->call, 4, 0, false, &error), 0);
	assert_in_range(s->call.numbers, 1, MOST);
	s->numbers = s->outcome.numbers[0] = calloc((size_t)RUNS * MOST, sizeof *s->numbers);
	s->outcome.values[0] = calloc(RUNS, sizeof *s->outcome.values[0]);
	s->runs = (struct runs){.engine = engines[1],
		.setup = {.fabric = s->world.fabric, .only_level = -1},
		.terms = {.open = true, .sent = "uniform", .load_points = 1}};
	s->setup = (struct campaign_setup){.work = &s->runs, .metrics = &s->call, .metric_count = 1, .placement = &s->placement};
	s->report = (struct report){.options = &s->options, .setup = &s->setup, .outcome = &s->outcome, .attributes = s->world.attributes};
}

static void empty_run(struct story *s)
{
	memset(s->packets.batch, 0, sizeof s->packets.batch);
	memset(s->bins, 0, sizeof s->bins);
	s->packets.all = (struct packet_batch){0};
	s->packets.shortest = UINT64_MAX;
	s->packets.longest = 0;
}

/* A packet of the batch: picoseconds in all, since its start, and of these without waiting. */
static void deliver(struct story *s, int batch, uint64_t latency, uint64_t network, uint64_t zero_load, uint64_t hops)
{
	struct packet_batch *to[] = {&s->packets.batch[batch], &s->packets.all};
	for (int i = 0; i < 2; i++) {
		to[i]->packets++;
		to[i]->latency += latency;
		to[i]->network += network;
		to[i]->zero_load += zero_load;
		to[i]->hops += hops;
	}
	s->bins[packet_bin(latency)]++;
	s->packets.shortest = latency < s->packets.shortest ? latency : s->packets.shortest;
	s->packets.longest = latency > s->packets.longest ? latency : s->packets.longest;
}

static void accept(struct story *s, int batch, uint64_t bytes)
{
	s->packets.batch[batch].accepted += bytes;
	s->packets.all.accepted += bytes;
}

/* One more run that went so. */
static void show(struct story *s)
{
	metric_begin_run(&s->call);
	double *numbers = s->numbers + s->outcome.runs * s->call.numbers;
	assert_int_equal(metric_end_run(&s->call, &s->seen, numbers, &error), 0);
	assert_fine(&error);
	s->outcome.values[0][s->outcome.runs++] = numbers[0];
	s->outcome.value_count[0] = s->outcome.runs;
}

static void finish(struct story *s)
{
	report_clear(&s->report);
	assert_int_equal(report_make(&s->report, &error), 0);
	assert_fine(&error);
}

static void end_story(struct story *s)
{
	report_clear(&s->report);
	outcome_clear(&s->outcome);
	metric_clear(&s->call);
	world_clear(&s->world);
}

static const struct item *find(const struct story *s, const char *key)
{
	const struct item *item = result_find(&s->report.result[0], key);
	assert_non_null(item);
	return item;
}

static double number(const struct story *s, const char *key)
{
	return find(s, key)->number[0];
}

/* A cell of a table, by the key of its column. */
static double cell(const struct story *s, const char *table, size_t row, const char *key)
{
	const struct item *item = find(s, table);
	for (size_t c = 0; c < item->column_count; c++)
		if (!strcmp(item->columns[c].key, key)) {
			assert_true((row + 1) * item->column_count <= item->list_count);
			return item->list[row * item->column_count + c];
		}
	fail();
	return NAN;
}

static char *written(struct story *s, enum format format)
{
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	s->options.format = format;
	finish(s);
	assert_int_equal(report_write(&s->report, file, &error), 0);
	fclose(file);
	assert_fine(&error);
	return text;
}

/* ---- latencies */

TEST(a_run_of_four_packets)
{
	struct story s;
	begin_story(&s, "packet_latency");
	deliver(&s, 0, 1000000, 900000, 700000, 2);
	deliver(&s, 0, 1000000, 900000, 700000, 2);
	deliver(&s, 1, 2000000, 1600000, 800000, 4);
	deliver(&s, 2, 8000000, 6600000, 1800000, 4);
	show(&s);
	finish(&s);
	assert_within(number(&s, "load"), 0.5, 0);
	assert_within(number(&s, "packets"), 4, 0);
	assert_within(number(&s, "mean"), 3e-6, 1e-18);
	assert_within(number(&s, "source"), 0.5e-6, 1e-18);
	assert_within(number(&s, "network"), 1.5e-6, 1e-18);
	assert_within(number(&s, "wire"), 1e-6, 1e-18);
	assert_within(number(&s, "hops"), 3, 0);
	assert_within(number(&s, "max"), 8e-6, 0);
	assert_within(number(&s, "sd"), sqrt(8.5) * 1e-6, sqrt(8.5) * 1e-6 / 128); /* (4 + 4 + 1 + 25) / 4 */
	assert_within(number(&s, "p50"), 1e-6, 1e-6 / 128);
	assert_within(number(&s, "p90"), 8e-6, 8e-6 / 128);
	assert_within(number(&s, "p999"), 8e-6, 8e-6 / 128);
	assert_within(number(&s, "unsteady"), 0, 0);
	assert_within(number(&s, "saturated"), 0, 0);
	assert_int_equal(find(&s, "histogram")->count, 4);
	assert_int_equal(find(&s, "histogram")->bin_count, 3);
	assert_within(find(&s, "histogram")->bins[0].value, 0.917504e-6, 1e-18); /* 7 * 2^17 ps */
	assert_within(find(&s, "histogram")->bin_end(0.917504e-6), 1.048576e-6, 1e-18);
	assert_int_equal(find(&s, "histogram")->bins[0].count, 2);
	end_story(&s);
}

/* A latency between others is found again to 1/128 of itself, and what is all there is exactly. */
TEST(percentiles_of_single_latencies)
{
	for (double latency = 1; latency < 1e13; latency *= 1.37) {
		struct story s;
		begin_story(&s, "packet_latency");
		double exact = floor(latency) / PICOSECONDS;
		deliver(&s, 0, (uint64_t)latency, 0, 0, 1);
		show(&s);
		finish(&s);
		assert_within(number(&s, "p50"), exact, 0);
		assert_within(number(&s, "p99"), exact, 0);
		assert_within(number(&s, "sd"), 0, 0);
		deliver(&s, 0, 0, 0, 0, 1);
		deliver(&s, 0, UINT64_C(1) << 44, 0, 0, 1);
		show(&s);
		finish(&s);
		assert_within(number(&s, "p50"), exact, exact / 256); /* of both runs */
		end_story(&s);
	}
}

TEST(runs_of_a_load_stand_together)
{
	struct story s;
	begin_story(&s, "packet_latency");
	static const struct {
		double load;
		uint64_t latency;
	} run[] = {{0.9, 7000000}, {0.1, 1000000}, {0.9, 9000000}, {0.1, 3000000}};
	for (int r = 0; r < RUNS; r++) {
		empty_run(&s);
		s.packets.load = run[r].load;
		s.packets.saturated = r == 0;
		deliver(&s, 0, run[r].latency, run[r].latency, 500000, 2);
		show(&s);
	}
	finish(&s);
	assert_int_equal(find(&s, "loads")->list_count / find(&s, "loads")->column_count, 2);
	assert_within(cell(&s, "loads", 0, "load"), 0.1, 0);
	assert_within(cell(&s, "loads", 0, "mean"), 2e-6, 1e-18);
	assert_within(cell(&s, "loads", 1, "mean"), 8e-6, 1e-18);
	assert_within(cell(&s, "loads", 0, "max"), 3e-6, 0);
	assert_within(cell(&s, "loads", 1, "saturated"), 0.5, 0);
	/* of two runs: t(1) times the standard deviation of the population, over 1 */
	assert_within(cell(&s, "loads", 0, "ci95_half"), 12.70620474 * 1e-6, 1e-14);
	/* the items are those of the highest load; text has the table instead */
	assert_within(number(&s, "mean"), 8e-6, 1e-18);
	assert_within(number(&s, "ci95"), 8e-6 - 12.70620474 * 1e-6, 1e-14);
	assert_null(find(&s, "mean")->label);
	assert_null(find(&s, "histogram")->label);
	assert_non_null(find(&s, "loads")->label);
	end_story(&s);
}

/* A task graph has no load, and all of its packets are in one batch. */
TEST(a_run_without_a_load)
{
	struct story s;
	begin_story(&s, "packet_latency");
	s.packets.open = false;
	deliver(&s, 0, 1000000, 900000, 700000, 2);
	show(&s);
	show(&s);
	finish(&s);
	assert_true(isnan(number(&s, "load")));
	assert_null(find(&s, "load")->label);
	assert_within(number(&s, "mean"), 1e-6, 1e-18);
	assert_within(find(&s, "ci95")->number[1], 1e-6, 1e-18); /* both runs alike */
	assert_null(find(&s, "loads")->label);
	assert_int_equal(find(&s, "loads")->list_count, find(&s, "loads")->column_count);
	end_story(&s);
}

TEST(a_run_without_packets)
{
	struct story s;
	begin_story(&s, "packet_latency");
	show(&s);
	finish(&s);
	assert_within(number(&s, "packets"), 0, 0);
	assert_true(isnan(number(&s, "mean")) && isnan(number(&s, "p99")) && isnan(number(&s, "max")));
	end_story(&s);
}

/* Before the runs, thresholds are looked for in results without any. */
TEST(results_of_no_runs)
{
	static const char *const names[][3] = {
		{"packet_latency", "mean", "p99"}, {"packet_throughput", "accepted", "saturation"}, {"link_busy", "busy", "blocked_max"}};
	for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
		struct story s;
		begin_story(&s, names[i][0]);
		finish(&s);
		for (int k = 1; k < 3; k++) {
			struct threshold threshold = {0};
			double value;
			snprintf(threshold.key, sizeof threshold.key, "%s", names[i][k]);
			assert_int_equal(report_value(&s.report, &threshold, &value), 0);
			assert_true(isnan(value));
		}
		end_story(&s);
	}
}

TEST(cycles_are_nanoseconds)
{
	struct story s;
	begin_story(&s, "packet_latency");
	s.packets.cycles = true;
	deliver(&s, 0, 125000, 125000, 120000, 5);
	show(&s);
	finish(&s);
	assert_within(number(&s, "mean"), 125, 1e-12);
	assert_within(number(&s, "wire"), 120, 1e-12);
	assert_string_equal(find(&s, "mean")->label, "packet latency, cycles (mean)");
	assert_string_equal(find(&s, "histogram")->label, "cycles from");
	assert_within(find(&s, "histogram")->bin_end(114.688), 131.072, 1e-12); /* 7 and 8 * 2^14 ps */
	end_story(&s);
}

/* Quantiles are whole cycles where bins hold any. */
TEST(whole_cycles)
{
	static const uint64_t latency[] = {22000, 22000, 23000, 23000, 53000, 53000, 99500, 99500, 5999000};
	static const double median[] = {22, 22, 22, 22, 23, 23, 23, 23, 53};
	struct story s;
	begin_story(&s, "packet_latency");
	s.packets.cycles = true;
	for (size_t i = 0; i < sizeof latency / sizeof *latency; i++) {
		s.outcome.runs = 0;
		deliver(&s, 0, latency[i], 0, 0, 1);
		show(&s);
		finish(&s);
		assert_within(number(&s, "p50"), median[i], 0);
	}
	end_story(&s);
}

/* ---- batches */

TEST(batches_that_are_independent)
{
	double above[PACKET_BATCHES], below[PACKET_BATCHES];
	for (int b = 0; b < PACKET_BATCHES; b++) {
		above[b] = b % 2 ? 3 : 1;
		below[b] = 1;
	}
	assert_within(batch_half_width(above, below, PACKET_BATCHES), 2.045229642 / sqrt(29), 1e-6);
}

/* A batch of twice the packets counts for two: where all have the same mean there is nothing uncertain. */
TEST(batches_of_different_sizes)
{
	double above[PACKET_BATCHES], below[PACKET_BATCHES];
	for (int b = 0; b < PACKET_BATCHES; b++)
		above[b] = 5 * (below[b] = 1 + b % 4);
	assert_within(batch_half_width(above, below, PACKET_BATCHES), 0, 1e-12);
}

/* Half of the time one mean, then another: joined until six are left, t(5) times the deviation 1 over the root of 5; their
 * correlation is 1/2, which widens that by the root of 3. */
TEST(batches_that_follow_each_other)
{
	double above[PACKET_BATCHES], below[PACKET_BATCHES];
	for (int b = 0; b < PACKET_BATCHES; b++) {
		above[b] = b < PACKET_BATCHES / 2 ? 1 : 3;
		below[b] = 1;
	}
	assert_within(batch_half_width(above, below, PACKET_BATCHES), 2.57058184 / sqrt(5) * sqrt(3), 1e-6);
}

TEST(batches_without_anything)
{
	double none[PACKET_BATCHES] = {0};
	assert_true(isnan(batch_half_width(none, none, PACKET_BATCHES)));
}

/* ---- throughput */

TEST(accepted_and_offered)
{
	struct story s;
	begin_story(&s, "packet_throughput");
	s.packets.measured = 30000000; /* 30 us; four links of 1 GB/s carry 120000 bytes */
	for (int b = 0; b < PACKET_BATCHES; b++)
		accept(&s, b, b % 2 ? 1000 : 3000);
	s.packets.warmup = 5000000;
	s.packets.out_of_order = 7;
	memcpy(s.accepted, (uint64_t[HOSTS]){30000, 15000, 15000, 30000}, sizeof s.accepted);
	memcpy(s.sends, (bool[HOSTS]){true, true, true, false}, sizeof s.sends); /* what comes of the last does not count */
	show(&s);
	s.packets.load = 0.9;
	s.packets.saturated = true;
	accept(&s, 0, -12000ull);
	show(&s);
	finish(&s);
	assert_within(cell(&s, "loads", 0, "accepted"), 0.5, 1e-12);
	assert_within(cell(&s, "loads", 0, "bits"), 16e9, 1e-3);
	assert_within(cell(&s, "loads", 0, "per_host"), 4e9, 1e-3);
	assert_within(cell(&s, "loads", 0, "ci95_half"), 0.25 * 2.045229642 / sqrt(29), 1e-6);
	assert_within(cell(&s, "loads", 0, "warmup"), 5e-6, 0);
	assert_within(cell(&s, "loads", 0, "accepted_min"), 0.5, 1e-12); /* 15000 of 30000 bytes */
	assert_within(cell(&s, "loads", 0, "accepted_max"), 1, 1e-12);
	assert_within(cell(&s, "loads", 0, "fairness"), 8.0 / 9, 1e-12); /* 60^2 / (3 (30^2 + 2 15^2)) */
	assert_within(cell(&s, "loads", 1, "accepted"), 0.4, 1e-12);
	assert_within(cell(&s, "loads", 1, "saturated"), 1, 0);
	assert_within(number(&s, "accepted"), 0.5, 1e-12); /* the most of all loads */
	assert_within(number(&s, "bits"), 12.8e9, 1e-3);   /* of the highest */
	assert_within(number(&s, "out_of_order"), 7, 0);
	assert_true(isnan(number(&s, "saturation")));
	end_story(&s);
}

TEST(the_load_of_saturation)
{
	struct story s;
	begin_story(&s, "packet_throughput");
	s.packets.measured = 1000;
	s.seen.saturation[0] = 0.40;
	s.seen.saturation[1] = 0.41;
	show(&s);
	s.seen.saturation[0] = 0.50;
	s.seen.saturation[1] = 0.51;
	show(&s);
	finish(&s);
	assert_within(number(&s, "saturation"), 0.45, 1e-12);
	assert_within(find(&s, "saturation_range")->number[1], 0.46, 1e-12);
	end_story(&s);
}

/* Of a task graph nobody knows what is offered: bits a second alone, for each rank. */
TEST(throughput_of_a_graph)
{
	struct story s;
	begin_story(&s, "packet_throughput");
	s.packets.open = false;
	s.packets.measured = 1000000; /* 1 us */
	accept(&s, 0, 4000);
	show(&s);
	finish(&s);
	assert_true(isnan(number(&s, "accepted")) && isnan(number(&s, "load")) && isnan(number(&s, "saturated")));
	assert_within(number(&s, "bits"), 32e9, 1e-3);
	assert_within(number(&s, "per_host"), 8e9, 1e-3);
	end_story(&s);
}

/* ---- channels */

TEST(busy_channels)
{
	struct story s;
	begin_story(&s, "link_busy");
	s.packets.measured = 1000;
	memcpy(s.busy, (uint64_t[CHANNELS]){0, 49, 50, 500, 1000, 500, 1, 0}, sizeof s.busy);
	memcpy(s.blocked, (uint64_t[CHANNELS]){0, 0, 0, 400, 0, 400, 0, 0}, sizeof s.blocked);
	show(&s);
	finish(&s);
	assert_within(number(&s, "busy"), 0.2625, 1e-12);
	assert_within(number(&s, "busy_max"), 1, 0);
	assert_within(number(&s, "blocked"), 0.1, 1e-12);
	assert_within(number(&s, "blocked_max"), 0.4, 1e-12);
	const struct bin *bins = find(&s, "histogram")->bins;
	assert_int_equal(find(&s, "histogram")->bin_count, 20);
	assert_int_equal(bins[0].count, 4); /* 0, 0, 0.001, 0.049 */
	assert_int_equal(bins[1].count, 1); /* 0.05 */
	assert_int_equal(bins[10].count, 2);
	assert_int_equal(bins[19].count, 1); /* all of the time */
	assert_within(cell(&s, "tiers", 0, "tier"), 0, 0);
	assert_within(cell(&s, "tiers", 0, "busy"), 0.2625, 1e-12);
	assert_int_equal(find(&s, "tiers")->list_count, find(&s, "tiers")->column_count);
	assert_int_equal(find(&s, "tier_histogram")->list_count,
		5 * find(&s, "tier_histogram")->column_count); /* busy: 0, 1, 10, 19; blocked: 0, 8 */
	assert_within(cell(&s, "tier_histogram", 0, "busy"), 4, 0);
	assert_within(cell(&s, "tier_histogram", 0, "blocked"), 6, 0);
	assert_within(cell(&s, "tier_histogram", 2, "from"), 0.4, 1e-12);
	assert_within(cell(&s, "tier_histogram", 2, "busy"), 0, 0);
	assert_within(cell(&s, "tier_histogram", 2, "blocked"), 2, 0);
	assert_int_equal(find(&s, "dimensions")->list_count, 0);
	assert_within(number(&s, "channels"), 1e-9, 1e-21); /* the time watched */
	end_story(&s);
}

static void assert_tiers(const char *text, const char *spec, const uint8_t *expected)
{
	struct world world;
	world_load(&world, text);
	uint8_t *tier = tiers_make(world.fabric, spec, &error);
	assert_fine(&error);
	assert_memory_equal(tier, expected, world.fabric->channels);
	free(tier);
	world_clear(&world);
}

/* Three groups of two switches with a host each: AB, CD, EF. */
TEST(tiers_of_a_dragonfly)
{
	static const char text[] =
		"digraph { H0; H1; H2; H3; H4; H5; A; B; C; D; E; F;"
		"H0->A; H1->B; H2->C; H3->D; H4->E; H5->F;"
		"A->H0; A->B; A->C; B->H1; B->A; B->E; C->H2; C->D; C->A; D->H3; D->C; D->F; E->H4; E->F; E->B; F->H5; F->E; F->D; }";
	/* channels out of a switch in the order of what they lead to: H0 to H5, A to F; cables between groups are of tier 2 */
	assert_tiers(
		text, "dragonfly:p=1,a=2,h=1", (const uint8_t[]){0, 0, 0, 0, 0, 0, 0, 1, 2, 0, 1, 2, 0, 2, 1, 0, 1, 2, 0, 2, 1, 0, 2, 1});
	assert_tiers(text, NULL, (const uint8_t[]){0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1});
	assert_tiers(
		text, "dragonfly:p=2,a=2,h=1", (const uint8_t[]){0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1});
}

/* ---- what is written */

/* Two loads, whose tables are to be written, and sums of two channels as the campaign may have made them. */
static void show_two_loads(struct story *s)
{
	s->packets.measured = 1000;
	for (int r = 0; r < 2; r++) {
		s->packets.load = 0.25 + r / 4.0;
		for (int c = 0; c < CHANNELS; c++)
			s->busy[c] = r ? 250 : 125;
		show(s);
	}
	s->outcome.channel_unit = 1;
	s->outcome.channel_sum = calloc(CHANNELS, sizeof *s->outcome.channel_sum);
	s->outcome.channel_limit = calloc(CHANNELS, sizeof *s->outcome.channel_limit);
	s->outcome.channel_sum[0] = 1500; /* of twice 1000 */
	s->outcome.channel_sum[1] = 300;
	s->outcome.channel_limit[1] = 200;
}

TEST(a_table_as_text)
{
	struct story s;
	begin_story(&s, "link_busy");
	show_two_loads(&s);
	char *text = written(&s, FORMAT_TEXT);
	assert_string_equal(text, "shares of the time:\n"
				  "load   busy  at most  blocked  at most\n"
				  "0.25  0.125    0.125        0        0\n"
				  " 0.5   0.25     0.25        0        0\n"
				  "by tier of cables, 0 those to hosts:\n"
				  "load  tier   busy  at most  blocked  at most\n"
				  "0.25     0  0.125    0.125        0        0\n"
				  " 0.5     0   0.25     0.25        0        0\n");
	free(text);
	end_story(&s);
}

TEST(a_table_as_json_and_csv)
{
	struct story s;
	begin_story(&s, "link_busy");
	show_two_loads(&s);
	char *text = written(&s, FORMAT_JSON);
	assert_contains(text, "\"pattern\":\"uniform\"");
	assert_contains(text, "\"loads\":[{\"load\":0.25,\"busy\":0.125,\"busy_max\":0.125,\"blocked\":0,\"blocked_max\":0},"
			      "{\"load\":0.5,\"busy\":0.25,\"busy_max\":0.25,\"blocked\":0,\"blocked_max\":0}]");
	free(text);
	text = written(&s, FORMAT_CSV);
	assert_contains(text, "link_busy,loads.busy,0,0.125\n");
	assert_contains(text, "link_busy,loads.load,1,0.5\n");
	assert_contains(text, "link_busy,sum,0,1500\nlink_busy,congestion,0,1\nlink_busy,busy,0,0.75");
	free(text);
	end_story(&s);
}

/* Without a load JSON has null, text leaves the column out. */
TEST(a_table_without_loads)
{
	struct story s;
	begin_story(&s, "link_busy");
	s.packets.open = false;
	show_two_loads(&s);
	char *text = written(&s, FORMAT_TEXT);
	assert_contains(text,
		"by tier of cables, 0 those to hosts:\ntier    busy  at most  blocked  at most\n   0  0.1875   0.1875        0        0\n");
	free(text);
	text = written(&s, FORMAT_JSON);
	assert_contains(text, "\"tiers\":[{\"load\":null,\"tier\":0,");
	free(text);
	end_story(&s);
}

/* Shares of the time over all runs, and colours by them. */
TEST(the_graph_of_busy_channels)
{
	struct story s;
	begin_story(&s, "link_busy");
	show_two_loads(&s);
	finish(&s);
	char *text;
	size_t size;
	FILE *file = open_memstream(&text, &size);
	report_graph(&s.report, file);
	fclose(file);
	struct world again;
	world_load(&again, text);
	free(text);
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_unit"), "busy");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_pattern"), "uniform");
	assert_string_equal(attributes_of_graph(again.attributes, "orcs_full_sum"), "0.750000");
	assert_string_equal(attributes_of_channel(again.attributes, 0, "busy"), "0.750000");
	assert_string_equal(attributes_of_channel(again.attributes, 0, "congestion"), "1.000000");
	assert_string_equal(attributes_of_channel(again.attributes, 1, "busy"), "0.150000");
	assert_string_equal(attributes_of_channel(again.attributes, 1, "blocked"), "0.1");
	world_clear(&again);
	end_story(&s);
}

/* The picture of a report, to be freed. */
static char *drawn(struct story *s, struct error *reason)
{
	struct path path = scratch_path("picture.svg");
	struct output output = {0};
	s->options.plot = path.text;
	s->outcome.connections = 1;
	finish(s);
	assert_int_equal(output_open(&output, path.text, &error), 0);
	char *text = report_plot(&s->report, &output, reason) ? NULL : read_whole(path.text);
	output_discard(&output);
	return text;
}

TEST(a_picture_of_loads)
{
	if (gnuplot_check(&(struct error){0}))
		skip();
	struct story s;
	begin_story(&s, "packet_latency");
	for (int r = 0; r < 2; r++) {
		empty_run(&s);
		s.packets.load = 0.25 + r / 4.0;
		s.packets.saturated = r;
		deliver(&s, 0, 1000000 + 90000000 * (uint64_t)r, 900000, 700000, 2);
		show(&s);
	}
	char *text = drawn(&s, &error);
	assert_fine(&error);
	assert_contains(text, "uniform traffic on");
	assert_contains(text, "99% within");
	assert_contains(text, "saturated");
	assert_contains(text, "100.0 us"); /* on the logarithmic axis */
	free(text);
	end_story(&s);
}

TEST(no_picture_of_nothing)
{
	if (gnuplot_check(&(struct error){0}))
		skip();
	struct story s;
	begin_story(&s, "packet_latency");
	show(&s);
	struct error reason = {0};
	assert_null(drawn(&s, &reason));
	assert_error(&reason, STATUS_IO, "picture.svg", "nothing to draw", "arrived");
	end_story(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_run_of_four_packets),
		cmocka_unit_test(percentiles_of_single_latencies),
		cmocka_unit_test(runs_of_a_load_stand_together),
		cmocka_unit_test(a_run_without_a_load),
		cmocka_unit_test(a_run_without_packets),
		cmocka_unit_test(results_of_no_runs),
		cmocka_unit_test(cycles_are_nanoseconds),
		cmocka_unit_test(whole_cycles),
		cmocka_unit_test(batches_that_are_independent),
		cmocka_unit_test(batches_of_different_sizes),
		cmocka_unit_test(batches_that_follow_each_other),
		cmocka_unit_test(batches_without_anything),
		cmocka_unit_test(accepted_and_offered),
		cmocka_unit_test(the_load_of_saturation),
		cmocka_unit_test(throughput_of_a_graph),
		cmocka_unit_test(busy_channels),
		cmocka_unit_test(tiers_of_a_dragonfly),
		cmocka_unit_test(a_table_as_text),
		cmocka_unit_test(a_table_as_json_and_csv),
		cmocka_unit_test(a_table_without_loads),
		cmocka_unit_test(the_graph_of_busy_channels),
		cmocka_unit_test(a_picture_of_loads),
		cmocka_unit_test(no_picture_of_nothing),
	};
	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
