/* Two networks in two threads at once give what each gives alone: loading (one by cgraph), routing, runs of two engines, exact loads. */
#define _GNU_SOURCE
#include <orcs/orcs.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct work {
	const char *fabric, *routing;
	char *result;
};

static void fail(const orcs_error *error)
{
	fprintf(stderr, "threads: %s\n", error->text);
	exit(1);
}

/* Appends the result of some runs. */
static void run(struct work *work, orcs_network *network, const char *engine)
{
	orcs_error error;
	orcs_experiment *e = orcs_experiment_create(network, &error);
	if (!e || orcs_set(e, "runs", "5", &error) || orcs_set(e, "engine", engine, &error) || orcs_set(e, "raw", NULL, &error) ||
		orcs_run(e, &error))
		fail(&error);
	const char *text = orcs_result(e, "json", &error);
	char *all;
	if (!text || asprintf(&all, "%s%s", work->result ? work->result : "", text) < 0)
		fail(&error);
	free(work->result);
	work->result = all;
	orcs_experiment_free(e);
}

static void *make(void *data)
{
	struct work *work = data;
	orcs_error error;
	orcs_network *network = orcs_load(work->fabric, &error);
	if (!network || orcs_route(network, work->routing, 1, &error) || !orcs_loads(network, NULL, &error))
		fail(&error);
	run(work, network, "congestion");
	run(work, network, "flow");
	orcs_network_free(network);
	return NULL;
}

int main(int argc, char **argv)
{
	struct work alone[2] = {{argv[1], "minhop", NULL}, {argv[2], "updn-orcs", NULL}},
		    together[2] = {{argv[1], "minhop", NULL}, {argv[2], "updn-orcs", NULL}};
	pthread_t thread[2];
	int different = argc < 3;
	for (int t = 0; t < 2; t++)
		make(&alone[t]);
	for (int t = 0; t < 2; t++)
		different |= pthread_create(&thread[t], NULL, make, &together[t]);
	for (int t = 0; t < 2; t++) {
		pthread_join(thread[t], NULL);
		different |= strcmp(alone[t].result, together[t].result);
		free(alone[t].result);
		free(together[t].result);
	}
	return different != 0;
}
