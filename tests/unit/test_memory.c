/*
 * Every allocation of the library fails once. Whatever was being done must then say so, and leave nothing behind: the sanitizers see the
 * latter. The allocations are those of base/array.c, which is compiled here with functions that fail on demand in place of the library's.
 */
#include <stdlib.h>

static void *failing_calloc(size_t count, size_t size);
static void *failing_realloc(void *old, size_t size);

#define calloc failing_calloc
#define realloc failing_realloc
#include "base/array.c"
#include "base/memory.h"
#undef calloc
#undef realloc

#include "helpers.h"
#include "base/input.h"
#include "orcs/campaign.h"
#include "engines/failing_options.h"
#include "engines/flow/flow_options.h"
#include "orcs/peers.h"
#include "orcs/runs.h"
#include "orcs/options.h"
#include "orcs/report.h"

/* How many allocations are still granted before one fails; negative: all that come. */
static long granted = -1;
static bool failed;

static bool fails(void)
{
	failed |= granted == 0;
	return granted >= 0 && granted-- == 0;
}

static void *failing_calloc(size_t count, size_t size)
{
	return fails() ? NULL : calloc(count, size);
}

static void *failing_realloc(void *old, size_t size)
{
	return fails() ? NULL : realloc(old, size);
}

/* Does it over and over, with the first, the second, the third … allocation failing, until none does. */
static void fail_each(int (*does)(struct error *error))
{
	long tries = 0;
	do {
		struct error error = {0};
		granted = tries;
		failed = false;
		int result = does(&error);
		granted = -1;
		if (failed) {
			assert_int_equal(result, -1);
			assert_error(&error, STATUS_IO, "out of memory");
		} else {
			assert_fine(&error);
			assert_int_equal(result, 0);
		}
	} while (failed && ++tries < 10000);
	assert_in_range(tries, 1, 9999);
}

/* ---- what is done */

static struct world world;
static struct path hosts;

static int load_tree(void **state)
{
	if (make_scratch(state))
		return -1;
	world_tree(&world, 4, 2);
	hosts = write_text("hosts", "H3\nH2\nH1\nH0\nH7\nH6\nH5\nH4\n");
	return 0;
}

static int forget_tree(void **state)
{
	world_clear(&world);
	return remove_scratch(state);
}

static int read_dot(struct error *error)
{
	struct world read = {.path = world.path};
	int result = dot_load(read.path.text, DOT_TABLES | DOT_KEEP, &read.fabric, &read.forwarding, &read.attributes, &read.report, error);
	world_clear(&read);
	return result;
}

static int read_text(struct error *error)
{
	struct line_reader lines;
	size_t length;
	line_reader_open(&lines, hosts.text, LINE_LONGEST, error);
	while (!error->status && line_reader_next(&lines, &length, error))
		;
	line_reader_close(&lines);
	return error->status ? -1 : 0;
}

static int pair_channels(struct error *error)
{
	uint32_t *reverse = fabric_reverse(world.fabric, error);
	free(reverse);
	return reverse ? 0 : -1;
}

static int place(const char *subset, const char *mapping, struct error *error)
{
	struct placement placement;
	int result = placement_init(&placement, world.fabric, subset, mapping, 8, 1, error);
	placement_clear(&placement);
	return result;
}

static int place_by_search(struct error *error)
{
	return place("linear_bfs", "random", error);
}

static int place_by_guid(struct error *error)
{
	return place("guid_asc", "linear", error);
}

static int place_at_random(struct error *error)
{
	return place("rand", "linear", error);
}

static int place_by_file(struct error *error)
{
	char spec[320];
	snprintf(spec, sizeof spec, "file:%s", hosts.text);
	return place(spec, spec, error);
}

static int make_one_pattern(const char *spec, struct error *error)
{
	struct pattern_request request = {.spec = spec, .first_ranks = -1};
	struct pattern_call *call = pattern_create(&request, 16, error);
	pattern_free(call);
	return call ? 0 : -1;
}

static int make_patterns(struct error *error)
{
	char spec[320];
	snprintf(spec, sizeof spec, "file:%s", write_text("pattern", "0 1 2\n1 2 3\n").text);
	return make_one_pattern("rand", error) || make_one_pattern("hotspot:3", error) || make_one_pattern("neighbor:3", error) ||
			       make_one_pattern(spec, error)
		       ? -1
		       : 0;
}

static int make_parts(struct error *error)
{
	struct pattern_request request = {.spec = "ptrnvsptrn", .first = "rand", .second = "neighbor:2", .first_ranks = 8};
	struct pattern_call *call = pattern_create(&request, 16, error);
	pattern_free(call);
	return call ? 0 : -1;
}

/* All runs of a campaign with all metrics, and the report on them. */
static int make_runs(struct error *error)
{
	static char *arguments[] = {"orcs"};
	struct options options = {.argc = 1,
		.argv = arguments,
		.subset = "linear_bfs",
		.mapping = "random",
		.level = -1,
		.palette = "viridis",
		.pattern = {.spec = "ptrnvsptrn", .first = "rand", .second = "alltoall_flood", .first_ranks = 8}};
	struct metric_call metrics[METRICS_MAX] = {{0}};
	struct placement placement = {0};
	struct outcome outcome = {0};
	struct runs runs = {.engine = engines[0],
		.setup = {.fabric = world.fabric, .forwarding = world.forwarding, .only_level = -1, .stop = &never_stop},
		.terms = runs_terms(engines[0])};
	struct campaign_setup setup = {.work = &runs, .placement = &placement, .metrics = metrics, .seed = 1, .runs = 3};
	struct report report = {.options = &options, .setup = &setup, .outcome = &outcome, .attributes = world.attributes};
	setup.metric_count = metrics_parse("hist_max_cong,hist_acc_band,sum_max_cong,dep_max_delay,get_cable_cong", metrics, error);
	bool ready = setup.metric_count > 0 && !placement_init(&placement, world.fabric, "file_order", "random", 0, 1, error) &&
		     (runs.setup.pattern = pattern_create(&options.pattern, 16, error)) && (setup.comm = comm_create(error));
	runs.setup.wants = ready ? metrics_want(metrics, setup.metric_count) : 0;
	for (int m = 0; m < setup.metric_count && ready; m++)
		ready = !metric_setup(&metrics[m], 16, 0, true, error);
	int result = ready && !runs_init(&runs, error) && !campaign_run(&setup, &outcome, error) && !report_make(&report, error) ? 0 : -1;
	report_clear(&report);
	outcome_clear(&outcome);
	for (int m = 0; m < METRICS_MAX; m++)
		metric_clear(&metrics[m]);
	runs_clear(&runs);
	pattern_free(runs.setup.pattern);
	comm_free(setup.comm);
	placement_clear(&placement);
	return result;
}

/* A run of the flow engine in time and of all messages at once, with failures, classes and all that is kept of it. */
static int run_flows(const char *spec, enum class_policy policy, struct error *error)
{
	struct pattern_request request = {.spec = spec, .first_ranks = -1, .seed = 1};
	const struct flow_options options = {.classes = {.policy = policy, .classes = 2, .share = {1, 2}}};
	const struct failing_options failing = {.fail_at = {"1e-12s:H0:1"}, .failures = 1};
	struct comm *comm = comm_create(error);
	double *capacity = array_create(world.fabric->channels, sizeof *capacity, error);
	struct comm_peers peers = {0};
	struct runs runs = {.engine = engines[1], /* flow */
		.setup = {.options = &options,
			.failing = &failing,
			.fabric = world.fabric,
			.forwarding = world.forwarding,
			.attributes = world.attributes,
			.capacity = capacity,
			.memory = 1e10,
			.ranks = 16,
			.wants = SEEN_TIMES | SEEN_SHARES | SEEN_EXACT | SEEN_ALONE | SEEN_CHANNELS,
			.drop = true,
			.peers = &peers.peers,
			.stop = &never_stop},
		.terms = runs_terms(engines[1]),
		.task = {.tasks = 16, .bytes = 1e6, .seed = 1}};
	uint32_t host[16];
	struct observation seen;
	for (uint32_t i = 0; i < 16; i++)
		host[i] = i;
	for (uint32_t c = 0; capacity && c < world.fabric->channels; c++)
		capacity[c] = 1e10;
	if (comm)
		peers_init(&peers, comm);
	if (comm && capacity)
		runs.workload = workload_create(&request, error);
	bool ready = runs.workload && !runs_init(&runs, error);
	int result = ready && runs_make(&runs, 0, host, runs.setup.wants, NULL, &seen, error) == RUN_OK ? 0 : -1;
	runs_clear(&runs);
	peers_clear(&peers);
	free(capacity);
	comm_free(comm);
	return result;
}

static int run_traffic(struct error *error)
{
	return run_flows("random:300", CLASSES_ALIKE, error);
}

static int run_application(struct error *error)
{
	return run_flows("mapreduce:50", CLASSES_STRICT, error);
}

static int run_jobs(struct error *error)
{
	char spec[320];
	snprintf(spec, sizeof spec, "jobs:%s", write_text("jobs", "0 8 recdbl\n0.001 8 alltoone priority=1\n").text);
	return run_flows(spec, CLASSES_SHARE, error);
}

TEST(reading_a_fabric)
{
	fail_each(read_dot);
}

TEST(reading_text)
{
	fail_each(read_text);
}

TEST(pairing_channels)
{
	fail_each(pair_channels);
}

TEST(placing_hosts)
{
	fail_each(place_by_search);
	fail_each(place_by_guid);
	fail_each(place_at_random);
	fail_each(place_by_file);
}

TEST(making_patterns)
{
	fail_each(make_patterns);
	fail_each(make_parts);
}

TEST(making_runs)
{
	fail_each(make_runs);
}

TEST(running_flows)
{
	fail_each(run_traffic);
	fail_each(run_application);
	fail_each(run_jobs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_a_fabric),
		cmocka_unit_test(reading_text),
		cmocka_unit_test(pairing_channels),
		cmocka_unit_test(placing_hosts),
		cmocka_unit_test(making_patterns),
		cmocka_unit_test(making_runs),
		cmocka_unit_test(running_flows),
	};
	return cmocka_run_group_tests(tests, load_tree, forget_tree);
}
