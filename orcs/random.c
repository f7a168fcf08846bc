/*
 * Philox4x32-10 on many counters side by side, which compilers turn into vector code (with fewer they would unroll the loop before). The
 * constants are those of Random123, against which the tests hold every number.
 */
#include "random.h"

#include <Random123/philox.h>

/* Where the compiler can, one version for each width of vectors. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
__attribute__((target_clones("avx512f", "avx2", "default")))
#endif
void random_fill(struct random *random)
{
	uint32_t a[RANDOM_BLOCKS], b[RANDOM_BLOCKS], c[RANDOM_BLOCKS], d[RANDOM_BLOCKS];
	uint32_t key0 = random->key[0], key1 = random->key[1];
	for (uint32_t i = 0; i < RANDOM_BLOCKS; i++) {
		a[i] = random->counter[0] + i;
		b[i] = random->counter[1];
		c[i] = random->counter[2];
		d[i] = random->counter[3];
	}
	for (int round = 0; round < philox4x32_rounds; round++) {
		for (uint32_t i = 0; i < RANDOM_BLOCKS; i++) {
			uint64_t p = (uint64_t)PHILOX_M4x32_0 * a[i], q = (uint64_t)PHILOX_M4x32_1 * c[i];
			a[i] = (uint32_t)(q >> 32) ^ b[i] ^ key0;
			c[i] = (uint32_t)(p >> 32) ^ d[i] ^ key1;
			b[i] = (uint32_t)q;
			d[i] = (uint32_t)p;
		}
		key0 += PHILOX_W32_0;
		key1 += PHILOX_W32_1;
	}
	for (uint32_t i = 0; i < RANDOM_BLOCKS; i++) {
		random->word[4 * i] = a[i];
		random->word[4 * i + 1] = b[i];
		random->word[4 * i + 2] = c[i];
		random->word[4 * i + 3] = d[i];
	}
	random->counter[0] += RANDOM_BLOCKS;
	random->used = 0;
}
