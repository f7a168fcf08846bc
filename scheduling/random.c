#include "scheduling/allocation.h"

/* Takes each free host with the probability that leaves every set of so many equally likely (Knuth, TAOCP 3.4.2, algorithm S). */
static void choose(struct machine *machine, uint32_t tasks, struct random *random, uint32_t *chosen)
{
	uint32_t left = machine->unused;
	for (uint32_t h = 0, i = 0; i < tasks; h++) {
		if (machine->busy[h])
			continue;
		if (random_below(random, left--) < tasks - i) {
			machine_take(machine, h);
			chosen[i++] = h;
		}
	}
}

const struct allocation allocation_random = {
	.name = "random",
	.summary = "any free hosts, all sets equally likely",
	.source = "INRFlow 3.4",
	.choose = choose,
};
