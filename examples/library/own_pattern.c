/* A pattern of one's own: in level i every rank sends to the one whose number differs in bit i. Counted, and simulated over time. */
#include <orcs/orcs.h>

#include <stdio.h>

static void level(void *data, uint32_t ranks, uint64_t run, uint64_t bit, orcs_level *to)
{
	(void)data, (void)run;
	for (uint32_t rank = 0; rank < ranks; rank++)
		orcs_send(to, rank, rank ^ (uint32_t)1 << bit); /* beyond the last rank: left out */
}

static void seen(void *data, const orcs_observation *observation)
{
	(void)data;
	printf("run %d: %u messages in %g us\n", (int)observation->run, observation->operations, observation->makespan * 1e6);
}

int main(int argc, char **argv)
{
	const orcs_pattern pattern = {.name = "bits", .levels = 4, .permutation = 1, .level = level};
	orcs_error error;
	orcs_network *network = orcs_load(argc > 1 ? argv[1] : "torus:4x4", &error);
	orcs_experiment *experiment = network ? orcs_experiment_create(network, &error) : NULL;
	uint64_t runs;
	uint32_t width;
	int failed = !experiment || orcs_set_pattern(experiment, &pattern, &error) || orcs_set(experiment, "runs", "3", &error) ||
		     orcs_run(experiment, &error);
	const double *value = failed ? NULL : orcs_values(experiment, NULL, &runs, &width, &error);
	for (uint64_t run = 0; value && run < runs; run++)
		printf("run %d: bandwidth %.9g\n", (int)run, value[run * width]);
	failed = failed || orcs_set(experiment, "engine", "flow", &error) || orcs_set(experiment, "bytes", "64k", &error) ||
		 orcs_observe(experiment, seen, NULL, &error) || orcs_run(experiment, &error);
	if (failed)
		fprintf(stderr, "own_pattern: %s\n", error.text);
	orcs_experiment_free(experiment);
	orcs_network_free(network);
	return failed ? error.status : 0;
}
