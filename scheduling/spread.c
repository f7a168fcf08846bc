#include "scheduling/allocation.h"

/* One host after another, the lowest of the leaf with most free hosts: in each round the leaves with most give one each. */
static void choose(struct machine *machine, uint32_t tasks, struct random *random, uint32_t *chosen)
{
	uint32_t most = 0;
	(void)random;
	for (uint32_t l = 0; l < machine->leaves; l++)
		most = machine->free[l] > most ? machine->free[l] : most;
	for (uint32_t i = 0; i < tasks; most--)
		for (uint32_t l = 0; l < machine->leaves && i < tasks; l++)
			if (machine->free[l] == most)
				take_of_leaf(machine, l, 1, chosen + i++);
}

const struct allocation allocation_spread = {
	.name = "spread",
	.summary = "one host after another under the leaf with most free hosts, to share as few leaf links as possible",
	.choose = choose,
};
