/* An additive feedback generator, x[n] = x[n - 3] + x[n - 31], whose start is of Park and Miller's minimal standard generator. */
#include "routings/opensm/libc_random.h"

void libc_random_init(struct libc_random *random, uint32_t seed)
{
	uint64_t value = seed;
	random->next = LIBC_RANDOM_LAG;
	for (unsigned i = 0; i < LIBC_RANDOM_DEGREE; i++) {
		random->state[i] = (uint32_t)value;
		value = value * 16807 % 2147483647;
	}
	for (unsigned i = 0; i < 10 * LIBC_RANDOM_DEGREE; i++)
		libc_random_draw(random);
}

uint32_t libc_random_draw(struct libc_random *random)
{
	unsigned i = random->next;
	random->next = (i + 1) % LIBC_RANDOM_DEGREE;
	random->state[i] += random->state[(i + LIBC_RANDOM_DEGREE - LIBC_RANDOM_LAG) % LIBC_RANDOM_DEGREE];
	return random->state[i] >> 1;
}
