/*
 * Runs what a command line of orcs says, by the library: drive FORMAT [WORD...] [-- [route=ENGINE] OPTION[=VALUE]...]. The words are those
 * of the fabric. Prints the result; with the format raw, the values of the runs.
 */
#include <math.h>
#include <orcs/orcs.h>
#include <stdio.h>
#include <string.h>

static orcs_error error;

static int set(orcs_experiment *experiment, char *word)
{
	char *value = strchr(word, '=');
	if (value)
		*value++ = '\0';
	return orcs_set(experiment, word, value, &error);
}

static int print(orcs_experiment *experiment, const char *format)
{
	uint64_t runs;
	uint32_t width;
	if (strcmp(format, "raw") != 0) {
		const char *text = orcs_result(experiment, format, &error);
		return text ? fputs(text, stdout) : -1;
	}
	const double *value = orcs_values(experiment, NULL, &runs, &width, &error);
	for (uint64_t run = 0; value && run < runs; run++)
		printf(isnan(value[run * width]) ? "run %d: none\n" : "run %d: %.9g\n", (int)run, value[run * width]);
	return value ? 0 : -1;
}

int main(int argc, char **argv)
{
	int rest = 2;
	orcs_experiment *experiment = NULL;
	while (rest < argc && strcmp(argv[rest], "--") != 0)
		rest++;
	char *end = argv[rest];
	argv[rest] = NULL;
	orcs_network *network = orcs_load_words((const char *const *)argv + 2, &error);
	int failed = !network;
	for (rest += end != NULL; !failed && rest < argc && !strncmp(argv[rest], "route=", 6); rest++)
		failed = orcs_route(network, argv[rest] + 6, 1, &error);
	if (!failed)
		failed = !(experiment = orcs_experiment_create(network, &error));
	for (; !failed && rest < argc; rest++)
		failed = set(experiment, argv[rest]);
	if (!failed)
		failed = orcs_run(experiment, &error) || print(experiment, argv[1]) < 0;
	if (failed)
		fprintf(stderr, "orcs: %s\n", error.text);
	orcs_experiment_free(experiment);
	orcs_network_free(network);
	return failed ? error.status : 0;
}
