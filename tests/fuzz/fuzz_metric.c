/*
 * Lists of metrics (--metric), ranks, levels and what runs saw of them, a line each: refused in one line, or every run yields as many
 * values as the metric says, and the end a result.
 */
#include "target.h"
#include "base/random.h"
#include "metrics/metric.h"

enum { RANKS_MOST = 20, LEVELS_MOST = 6, RUNS = 4, VALUES_MOST = 64 };

/* Weights as an engine would give them: of random pairs. */
static void see_level(struct metric_call *call, uint64_t index, struct random *random)
{
	struct weighed pairs[RANKS_MOST];
	struct error error = {0};
	struct histogram weights;
	struct level level = {.index = index, .weights = &weights};
	uint32_t count = random_below(random, call->ranks + 1);
	CHECK(!histogram_init(&weights, &error));
	for (uint32_t i = 0; i < count; i++) {
		uint32_t sender = random_below(random, call->ranks),
			 receiver = (sender + 1 + random_below(random, call->ranks - 1)) % call->ranks;
		pairs[i] = (struct weighed){{sender, receiver}, 1 + random_below(random, 5)};
		level.largest = level.largest < pairs[i].weight ? pairs[i].weight : level.largest;
		CHECK(!histogram_add(&weights, pairs[i].weight, 1, &error));
	}
	level.connections = count;
	if (call->metric->pairs && count)
		call->metric->pairs(call, pairs, count, 0);
	CHECK(!call->metric->level || !call->metric->level(call, &level, &error));
	histogram_clear(&weights);
}

static void run(struct metric_call *call, uint32_t levels)
{
	struct error error = {0};
	struct result result = {0};
	struct random random;
	double numbers[RUNS * VALUES_MOST] = {0}, values[RUNS];
	struct samples samples = {.values = values, .sorted = values, .numbers = numbers, .width = call->numbers, .runs = RUNS};
	random_start(&random, 1, RANDOM_PATTERN, 0);
	CHECK(call->numbers <= VALUES_MOST);
	for (unsigned r = 0; r < RUNS; r++) {
		metric_begin_run(call);
		for (uint32_t l = 0; l < levels; l++)
			see_level(call, l, &random);
		CHECK(!metric_end_run(call, NULL, numbers, &error));
		if (call->metric->gathers & METRIC_VALUES && numbers[0] == numbers[0])
			values[samples.count++] = 1;
	}
	CHECK(!call->metric->finish(call, &samples, &result, &error) && result.items <= ITEMS_MAX);
	for (unsigned i = 0; i < result.items; i++)
		CHECK(result.item[i].key && *result.item[i].key);
	result_clear(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct metric_call calls[METRICS_MAX] = {0};
	struct error error = {0};
	uint32_t ranks = 2 + line_number(lines.line[1], RANKS_MOST - 2), levels = 1 + line_number(lines.line[2], LEVELS_MOST);
	int count = metrics_parse(lines.line[0], calls, &error);
	if (count < 0)
		check_refused(&error, REFUSED_USAGE);
	CHECK(count != 0 && count <= METRICS_MAX);
	for (int m = 0; m < count; m++) {
		const char *file = metric_file(&calls[m]);
		CHECK(calls[m].metric && (!file || *file));
		if (metric_setup(&calls[m], ranks, levels, ranks % 2, &error))
			check_refused(&error, REFUSED_USAGE);
		else if (metric_wants(calls[m].metric) == SEEN_WEIGHTS)
			run(&calls[m], levels);
		error = (struct error){0};
		metric_clear(&calls[m]);
	}
	lines_free(&lines);
	return 0;
}
