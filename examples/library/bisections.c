/* The mean effective bisection bandwidth of 100 bisections: cc bisections.c $(pkg-config --cflags --libs orcs) */
#include <orcs/orcs.h>

#include <stdio.h>

int main(int argc, char **argv)
{
	orcs_error error;
	orcs_network *network = orcs_load(argc > 1 ? argv[1] : "xgft:4:1/4:2", &error);
	orcs_experiment *experiment = network ? orcs_experiment_create(network, &error) : NULL;
	uint64_t runs = 0;
	uint32_t width;
	const double *value = NULL;
	if (experiment && !orcs_set(experiment, "pattern", "bisect", &error) && !orcs_set(experiment, "runs", "100", &error) &&
		!orcs_run(experiment, &error))
		value = orcs_values(experiment, "hist_acc_band", &runs, &width, &error);
	double sum = 0;
	for (uint64_t run = 0; value && run < runs; run++)
		sum += value[run * width];
	if (value)
		printf("%s: %.9g of the full bandwidth in the mean of %d bisections\n", orcs_network_name(network), sum / (double)runs,
			(int)runs);
	else
		fprintf(stderr, "bisections: %s\n", error.text);
	orcs_experiment_free(experiment);
	orcs_network_free(network);
	return value ? 0 : error.status;
}
