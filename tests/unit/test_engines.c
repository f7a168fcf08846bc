/* The table of engines, and the smallest of them on graphs that are run a second, slow way. */
#include "helpers.h"
#include "run_tasks.h"

#include "base/random.h"
#include "metrics/metric.h"
#include "orcs/runs.h"

#include <string.h>

static struct error error;

static const struct engine *engine_of(const char *name)
{
	for (const struct engine *const *e = engines; *e; e++)
		if (!strcmp((*e)->name, name))
			return *e;
	fail_msg("no engine %s", name);
	return NULL;
}

TEST(engines_are_described)
{
	for (const struct engine *const *e = engines; *e; e++) {
		assert_true(*(*e)->name && *(*e)->summary && (*e)->takes && (*e)->gives);
		assert_non_null((*e)->create && (*e)->run && (*e)->free && (*e)->explain);
		assert_int_equal((*e)->keep != NULL, ((*e)->gives & SEEN_CHANNELS) != 0);
		assert_int_equal((*e)->channels != NULL, ((*e)->gives & SEEN_CHANNELS) != 0);
		if ((*e)->options.argp)
			assert_true((*e)->options_given && (*e)->options_size);
		assert_ptr_equal(engine_of((*e)->name), *e);
	}
}

TEST(engines_give_what_their_usual_metrics_want)
{
	for (const struct engine *const *e = engines; *e; e++) {
		struct metric_call calls[METRICS_MAX];
		int count = metrics_parse((*e)->metrics, calls, &error);
		assert_fine(&error);
		for (int m = 0; m < count; m++) {
			assert_int_equal(metric_wants(calls[m].metric) & ~(*e)->gives, 0);
			metric_clear(&calls[m]);
		}
	}
}

/* Whatever is asked for, some engine has it. */
TEST(metrics_are_of_some_engine)
{
	for (const struct metric *const *m = metrics; *m; m++) {
		bool any = false;
		for (const struct engine *const *e = engines; *e; e++)
			any |= !(metric_wants(*m) & ~(*e)->gives);
		assert_true(any);
	}
}

TEST(engines_are_listed)
{
	char text[400];
	engines_list(text, sizeof text, TAKES_PAIRS, 0);
	assert_string_equal(text, "congestion");
	engines_list(text, sizeof text, 0, SEEN_TIMES);
	assert_int_equal(strncmp(text, "flow, latency", strlen("flow, latency")), 0);
	assert_contains(text, " or ");
	for (const struct engine *const *e = engines; *e; e++)
		assert_int_equal(strstr(text, (*e)->name) != NULL, ((*e)->gives & SEEN_TIMES) != 0);
	engines_list(text, sizeof text, TAKES_OPEN, SEEN_SHARES);
	assert_string_equal(text, "");
}

static double cost_computing(const struct task_graph *graph, uint32_t operation)
{
	return graph->kind[operation] == OPERATION_MESSAGE ? 0 : graph->size[operation];
}

/* Messages and whole seconds of computing, each after some of those before it. */
static struct task_graph *draw_graph(uint64_t seed)
{
	enum { TASKS = 5, OPERATIONS = 60 };
	struct random random;
	random_start(&random, seed, 1, 0);
	struct task_builder *builder = task_builder_create(TASKS, &error);
	for (uint32_t i = 0; i < OPERATIONS; i++) {
		uint32_t task = random_below(&random, TASKS), other = random_below(&random, TASKS);
		uint32_t o = random_below(&random, 2) ? task_message(builder, task, other, 1000)
						      : task_compute(builder, task, 1 + random_below(&random, 9));
		for (uint32_t k = random_below(&random, 4); k-- && i;)
			(random_below(&random, 4) ? task_after : task_after_begun)(builder, o, random_below(&random, i));
	}
	struct task_graph *graph = task_builder_end(builder, &error);
	assert_fine(&error);
	return graph;
}

TEST(without_a_network_the_longest_chain_of_computations_is_left)
{
	const uint32_t host[] = {0, 1, 2, 3, 0};
	const struct engine_setup setup = {.stop = &never_stop};
	const struct engine *null = engine_of("null");
	void *engine = null->create(&setup, &error);
	for (uint64_t seed = 0; seed < 50; seed++) { /* one engine for all: nothing of a run remains */
		struct task_graph *graph = draw_graph(seed);
		struct times times = run_tasks(graph, cost_computing);
		struct run_request request = {.host = host, .graph = graph, .wants = SEEN_TIMES};
		struct observation seen = {.graph = graph};
		uint64_t entering = 0;
		assert_int_equal(null->run(engine, &request, &seen, &error), RUN_OK);
		for (uint32_t o = 0; o < graph->operations; o++) {
			assert_within((double)seen.times->begun[o] / PICOSECONDS, times.begin[o], 1e-12);
			assert_within((double)seen.times->ended[o] / PICOSECONDS, times.end[o], 1e-12);
			entering += flow_enters(graph, host, o);
		}
		assert_within((double)seen.times->end / PICOSECONDS, times.last, 1e-12);
		assert_int_equal(seen.times->messages, entering);
		assert_int_equal(seen.connections, entering);
		assert_int_equal(seen.undelivered, 0);
		times_clear(&times);
		task_graph_free(graph);
	}
	null->free(engine);
}

TEST(a_run_without_an_end_is_told)
{
	const uint32_t host[] = {0};
	const struct engine_setup setup = {.stop = &never_stop};
	const struct engine *null = engine_of("null");
	struct task_builder *builder = task_builder_create(1, &error);
	task_after(builder, task_compute(builder, 0, 6e6), task_compute(builder, 0, 6e6));
	struct task_graph *graph = task_builder_end(builder, &error);
	struct run_request request = {.host = host, .graph = graph, .wants = SEEN_TIMES};
	struct observation seen = {.graph = graph};
	void *engine = null->create(&setup, &error);
	assert_int_equal(null->run(engine, &request, &seen, &error), RUN_ENDLESS);
	assert_fine(&error);
	null->free(engine);
	task_graph_free(graph);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(engines_are_described),
		cmocka_unit_test(engines_give_what_their_usual_metrics_want),
		cmocka_unit_test(metrics_are_of_some_engine),
		cmocka_unit_test(engines_are_listed),
		cmocka_unit_test(without_a_network_the_longest_chain_of_computations_is_left),
		cmocka_unit_test(a_run_without_an_end_is_told),
	};
	return cmocka_run_group_tests_name("engines", tests, NULL, NULL);
}
