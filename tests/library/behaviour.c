/* What orcs.h promises beside numbers: errors, ownership, own topologies, tables and placements; silence. Prints what does not hold. */
#define _GNU_SOURCE
#include <math.h>
#include <orcs/orcs.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static orcs_error error;
static int wrong;

#define HOLDS(condition) \
	do { \
		if (!(condition)) { \
			printf("line %d: %s does not hold: %s\n", __LINE__, #condition, error.text); \
			wrong = 1; \
		} \
	} while (0)

/* A ring of four switches with a host each; cables are pairs of channels. */
static orcs_network *build_ring(void)
{
	orcs_node node[8] = {0};
	orcs_channel channel[16];
	uint32_t channels = 0;
	for (uint32_t i = 0; i < 4; i++) {
		node[i].host = 0;
		node[4 + i].host = ORCS_NONE;
		channel[channels++] = (orcs_channel){.tail = i, .head = 4 + i, .gbps = 100};
		channel[channels++] = (orcs_channel){.tail = 4 + i, .head = i, .gbps = 100};
		channel[channels++] = (orcs_channel){.tail = 4 + i, .head = 4 + (i + 1) % 4, .gbps = 100, .port = 2, .peer_port = 3};
		channel[channels++] = (orcs_channel){.tail = 4 + (i + 1) % 4, .head = 4 + i, .gbps = 100, .port = 3, .peer_port = 2};
	}
	return orcs_build(&(orcs_topology){"ring of mine", node, 8, channel, channels}, &error);
}

/* The next channel clockwise, always. */
static uint32_t clockwise(void *data, uint32_t node, uint32_t host)
{
	orcs_network *ring = data;
	uint32_t nodes, channels, hosts, to = orcs_hosts(ring, &hosts)[host];
	const orcs_node *all = orcs_nodes(ring, &nodes);
	const orcs_channel *channel = orcs_channels(ring, &channels);
	uint32_t end = node + 1 < nodes ? all[node + 1].first_channel : channels;
	for (uint32_t c = all[node].first_channel; c < end; c++)
		if (channel[c].head == to || node < 4 || (channel[c].head == 4 + (node - 3) % 4 && to + 4 != node))
			return c;
	return ORCS_NONE;
}

static uint32_t foreign(void *data, uint32_t node, uint32_t host)
{
	(void)data, (void)node, (void)host;
	return 15;
}

static void test_own_topology(void)
{
	uint32_t count, route[8];
	uint64_t unreachable = 99;
	orcs_network *ring = build_ring();
	HOLDS(ring && !strcmp(orcs_network_name(ring), "ring of mine"));
	orcs_hosts(ring, &count);
	HOLDS(count == 4);
	const orcs_channel *channel = orcs_channels(ring, &count);
	HOLDS(count == 16 && channel[0].gbps == 100 && channel[0].tail == 0 && channel[0].head == 4);
	HOLDS(!orcs_loads(ring, NULL, &error) && error.status == ORCS_FABRIC);
	HOLDS(!orcs_route_by(ring, clockwise, ring, &error));
	HOLDS(orcs_walk(ring, 0, 3, route, 8, &error) == 5); /* up, three steps, down */
	HOLDS(orcs_walk(ring, 0, 3, route, 4, &error) == -1 && error.status == ORCS_USAGE);
	HOLDS(orcs_walk(ring, 0, 0, route, 0, &error) == 0);
	HOLDS(orcs_walk(ring, 0, 4, route, 8, &error) == -1);
	const double *load = orcs_loads(ring, &unreachable, &error);
	double sum = 0;
	for (uint32_t c = 0; load && c < count; c++) {
		sum += load[c];
		if (channel[c].tail >= 4 && channel[c].head == 4 + (channel[c].tail - 3) % 4)
			HOLDS(load[c] == 6); /* 1 + 2 + 3 routes of three sources */
	}
	HOLDS(load && unreachable == 0 && sum == 4 * (3 + 4 + 5));
	HOLDS(orcs_check(ring, "deadlock-free", NULL, &error) == 0); /* a ring clockwise is a cycle */
	HOLDS(orcs_check(ring, "routable", NULL, &error) == 1);
	HOLDS(orcs_check(ring, "soluble", NULL, &error) == -1 && strstr(error.text, "soluble"));
	HOLDS(orcs_route_by(ring, foreign, NULL, &error) == -1 && strstr(error.text, "does not leave"));
	HOLDS(!orcs_route(ring, "updn-orcs", 1, &error) && orcs_check(ring, NULL, NULL, &error) == 1);
	HOLDS(orcs_route(ring, "nosuch", 1, &error) == -1 && error.status == ORCS_USAGE);
	orcs_network_free(ring);
	HOLDS(!orcs_build(&(orcs_topology){"bad", &(orcs_node){.host = 0}, 1, &(orcs_channel){.tail = 0, .head = 7}, 1}, &error));
}

static void test_errors(void)
{
	HOLDS(!orcs_load("/no/such/file.dot", &error) && error.status == ORCS_IO && strstr(error.text, "cannot open"));
	HOLDS(!orcs_load("torus:", NULL));
	HOLDS(!orcs_load_words((const char *const[]){"torus:4x4", "--runs=3", NULL}, &error) && error.status == ORCS_USAGE);
	HOLDS(!orcs_load_words((const char *const[]){"torus:4x4", "--help", NULL}, &error) && error.status == ORCS_USAGE);
	orcs_network *torus = orcs_load("torus:4x4", &error);
	HOLDS(torus);
	orcs_experiment *e = orcs_experiment_create(torus, &error);
	HOLDS(orcs_set(e, "patern", "bisect", &error) == -1 && strstr(error.text, "did you mean 'pattern'?"));
	HOLDS(orcs_set(e, "plane", "1", &error) == -1 && orcs_set(e, "routing", "minhop", &error) == -1);
	HOLDS(!orcs_result(e, "json", &error) && error.status == ORCS_USAGE);
	HOLDS(!orcs_set(e, "runs", "-1", &error) && orcs_run(e, &error) == -1 && strstr(error.text, "--runs is '-1', not an integer"));
	HOLDS(!orcs_set(e, "runs", "2", &error) && !orcs_run(e, &error) && orcs_runs(e) == 2);
	HOLDS(!orcs_set(e, "timeline", "x.json", &error) && !orcs_set(e, "engine", "flow", &error) && orcs_run(e, &error) == -1);
	HOLDS(strstr(error.text, "writes or prints"));
	HOLDS(orcs_runs(e) == 0);
	orcs_experiment_free(e);
	HOLDS(orcs_find(torus, "H9x9", &error) == ORCS_NONE && strstr(error.text, "H9x9"));
	orcs_network_free(torus);
	static const char *const words[] = {"--help", "--version", "--usage", "--list=all", "--verbose", "--timeline=x"};
	for (int i = 0; i < 6; i++) {
		torus = orcs_load("torus:4x4", &error);
		e = orcs_experiment_create(torus, &error);
		char name[20], *value;
		snprintf(name, sizeof name, "%s", words[i] + 2);
		if ((value = strchr(name, '=')))
			*value++ = '\0';
		HOLDS(orcs_set(e, name, value, &error) || orcs_run(e, &error));
		orcs_experiment_free(e);
		orcs_network_free(torus);
	}
	HOLDS(!orcs_list("nothing", &error) && error.status == ORCS_USAGE);
	orcs_experiment_free(NULL);
	orcs_network_free(NULL);
}

static void stop_at_3(void *data, const orcs_observation *seen)
{
	if (seen->run == 3)
		orcs_stop(data);
}

static void test_experiments(void)
{
	uint64_t runs;
	uint32_t width, channels, four[4] = {0, 1, 2, 3}, all_on_one[4] = {5, 5, 5, 5};
	double unit;
	orcs_network *torus = orcs_load("torus:4x4", &error);
	orcs_experiment *e = orcs_experiment_create(torus, &error), *other = orcs_experiment_create(torus, &error);
	HOLDS(!orcs_set(e, "pattern", "shift:1", &error) && !orcs_place(e, four, 4, &error) && !orcs_run(e, &error));
	const double *value = orcs_values(e, NULL, &runs, &width, &error);
	HOLDS(value && runs == 1 && value[0] == 1); /* neighbours of a row */
	HOLDS(!orcs_run(other, &error) && orcs_values(e, "hist_acc_band", &runs, &width, &error) == value && value[0] == 1);
	HOLDS(!orcs_values(e, "makespan", &runs, &width, &error) && strstr(error.text, "without the metric"));
	HOLDS(!orcs_channel_sums(e, &unit, &error));
	HOLDS(!orcs_set(e, "metric", "get_cable_cong", &error) && !orcs_run(e, &error));
	const uint64_t *sum = orcs_channel_sums(e, &unit, &error);
	const orcs_channel *channel = orcs_channels(torus, &channels);
	uint64_t total = 0;
	for (uint32_t c = 0; sum && c < channels; c++)
		total += sum[c];
	HOLDS(sum && channel && (double)total * unit == 4 * 3); /* four messages of three channels */
	HOLDS(!orcs_place(e, all_on_one, 4, &error) && !orcs_run(e, &error));
	HOLDS(orcs_place(e, (uint32_t[]){16}, 1, &error) == -1);
	HOLDS(!orcs_place(e, NULL, 0, &error) && !orcs_set(e, "runs", "100", &error) && !orcs_observe(e, stop_at_3, e, &error));
	HOLDS(!orcs_run(e, &error) && orcs_runs(e) == 4);
	orcs_experiment_free(e);
	orcs_experiment_free(other);
	orcs_network_free(torus);
	char *list = orcs_list("engines", &error);
	HOLDS(list && strstr(list, "congestion"));
	orcs_text_free(list);
}

/* Whether the values are those before. */
static int same_values(const double *value, const double *before, uint64_t runs)
{
	return value && !memcmp(value, before, runs * sizeof *value);
}

static void test_routing_again(void)
{
	uint64_t runs;
	uint32_t width, count;
	double before[20];
	orcs_network *torus = orcs_load("torus:4x4", &error);
	orcs_experiment *e = orcs_experiment_create(torus, &error);
	orcs_channels(torus, &count);
	const double *load = orcs_loads(torus, NULL, &error), first = load ? load[count - 1] : 0;
	HOLDS(!orcs_set(e, "runs", "20", &error) && !orcs_run(e, &error));
	const double *value = orcs_values(e, NULL, &runs, &width, &error);
	for (int r = 0; r < 20; r++)
		before[r] = value[(uint32_t)r * width];
	HOLDS(!orcs_route(torus, "updn-orcs", 1, &error) && !orcs_route(torus, "minhop", 1, &error));
	HOLDS(load[count - 1] == first && value == orcs_values(e, NULL, &runs, &width, &error) && orcs_result(e, "json", &error));
	HOLDS(orcs_loads(torus, NULL, &error) != load);
	HOLDS(!orcs_run(e, &error) && (value = orcs_values(e, NULL, &runs, &width, &error)) &&
		(width > 1 || !same_values(value, before, 20)));
	orcs_experiment_free(e);
	orcs_network_free(torus);
}

static void test_exact(void)
{
	double mean[1000], variance[1000];
	uint32_t channels;
	orcs_network *tree = orcs_load("xgft:4:1/4:2", &error);
	HOLDS(tree && !orcs_load_moments(tree, "rand", mean, variance, &error));
	const orcs_channel *channel = orcs_channels(tree, &channels);
	uint32_t nodes;
	const orcs_node *node = orcs_nodes(tree, &nodes);
	for (uint32_t c = 0; c < channels; c++)
		if (node[channel[c].tail].host != ORCS_NONE)
			HOLDS(fabs(mean[c] - 15.0 / 16) < 1e-12); /* a permutation sends by each host's link but for its fixed points */
	HOLDS(orcs_load_moments(tree, "ring", mean, variance, &error) == -1);
	orcs_network_free(tree);
}

int main(void)
{
	struct sigaction before[32], after;
	for (int s = 1; s < 32; s++)
		sigaction(s, NULL, &before[s]);
	test_own_topology();
	test_errors();
	test_experiments();
	test_routing_again();
	test_exact();
	char *json = orcs_compare((const char *const[]){"--routing=minhop,updn", "--runs=10", "torus:4x4", NULL}, &error);
	HOLDS(json && strstr(json, "orcs-compare/1"));
	orcs_text_free(json);
	HOLDS(!orcs_compare((const char *const[]){"--engines=minhop", "torus:4x4", NULL}, &error) && error.status == ORCS_USAGE);
	for (int s = 1; s < 32; s++) {
		sigaction(s, NULL, &after);
		HOLDS(after.sa_handler == before[s].sa_handler);
	}
	return wrong;
}
