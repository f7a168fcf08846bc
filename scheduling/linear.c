#include "scheduling/allocation.h"

static void choose(struct machine *machine, uint32_t tasks, struct random *random, uint32_t *chosen)
{
	(void)random;
	for (uint32_t h = 0, i = 0; i < tasks; h++)
		if (!machine->busy[h]) {
			machine_take(machine, h);
			chosen[i++] = h;
		}
}

const struct allocation allocation_linear = {
	.name = "linear",
	.summary = "the lowest free hosts in the order of the subset",
	.source = "INRFlow 3.4",
	.choose = choose,
};
