#include "scheduling/allocation.h"

static void keep(struct random *random, uint32_t *host, uint32_t tasks)
{
	(void)random;
	(void)host;
	(void)tasks;
}

const struct job_mapping job_mapping_consecutive = {
	.name = "consecutive",
	.summary = "task i on the i-th host of the job",
	.source = "INRFlow 3.4",
	.order = keep,
};

const struct job_mapping job_mapping_random = {
	.name = "random",
	.summary = "in a random order",
	.source = "INRFlow 3.4",
	.order = random_shuffle,
};
