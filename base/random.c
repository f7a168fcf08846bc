/*
 * Philox4x32-10 on many counters side by side, which compilers vectorise (with fewer counters they would unroll the loop first). The
 * constants are those of Random123, with which the tests compare every number.
 */
#include "base/random.h"

#include <Random123/philox.h>
#include <stdbool.h>

#if defined __x86_64__ && defined __GNUC__
#include <immintrin.h>

/*
 * Eight blocks per vector, with intrinsics: compilers make three multiplications of each product, as they do not see that the upper halves
 * are 0. Here the upper halves may hold anything, as the instruction multiplies the lower halves alone.
 */
__attribute__((target("avx512f"))) static void fill_wide(struct random *random)
{
	enum { VECTORS = RANDOM_BLOCKS / 8 };
	const __m512i lower = _mm512_set1_epi64(UINT32_MAX), count = _mm512_set_epi64(7, 6, 5, 4, 3, 2, 1, 0);
	const __m512i m0 = _mm512_set1_epi64(PHILOX_M4x32_0), m1 = _mm512_set1_epi64(PHILOX_M4x32_1);
	const __m512i first = _mm512_set_epi64(11, 3, 10, 2, 9, 1, 8, 0), last = _mm512_set_epi64(15, 7, 14, 6, 13, 5, 12, 4);
	__m512i a[VECTORS], b[VECTORS], c[VECTORS], d[VECTORS];
	uint32_t key0 = random->key[0], key1 = random->key[1];
	for (uint32_t i = 0; i < VECTORS; i++) {
		a[i] = _mm512_add_epi64(_mm512_set1_epi64(random->counter[0] + 8 * i), count);
		b[i] = _mm512_set1_epi64(random->counter[1]);
		c[i] = _mm512_set1_epi64(random->counter[2]);
		d[i] = _mm512_set1_epi64(random->counter[3]);
	}
	for (int round = 0; round < philox4x32_rounds; round++) {
		for (int i = 0; i < VECTORS; i++) {
			__m512i p = _mm512_mul_epu32(a[i], m0), q = _mm512_mul_epu32(c[i], m1);
			a[i] = _mm512_xor_epi64(_mm512_xor_epi64(_mm512_srli_epi64(q, 32), b[i]), _mm512_set1_epi64(key0));
			c[i] = _mm512_xor_epi64(_mm512_xor_epi64(_mm512_srli_epi64(p, 32), d[i]), _mm512_set1_epi64(key1));
			b[i] = q;
			d[i] = p;
		}
		key0 += PHILOX_W32_0;
		key1 += PHILOX_W32_1;
	}
	for (int i = 0; i < VECTORS; i++) {
		__m512i ab = _mm512_or_epi64(_mm512_and_epi64(a[i], lower), _mm512_slli_epi64(b[i], 32));
		__m512i cd = _mm512_or_epi64(_mm512_and_epi64(c[i], lower), _mm512_slli_epi64(d[i], 32));
		_mm512_storeu_si512(&random->word[32 * i], _mm512_permutex2var_epi64(ab, first, cd));
		_mm512_storeu_si512(&random->word[32 * i + 16], _mm512_permutex2var_epi64(ab, last, cd));
	}
}

static bool have_wide(void)
{
	return __builtin_cpu_supports("avx512f");
}
#else
static void fill_wide(struct random *random)
{
	(void)random;
}

static bool have_wide(void)
{
	return false;
}
#endif

/* One version per vector width where the compiler supports it. */
#if defined __x86_64__ && defined __GNUC__ && !defined __clang__ && !defined __SANITIZE_ADDRESS__
__attribute__((target_clones("avx2", "default")))
#endif
void random_fill_plain(struct random *random)
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
}

void random_fill(struct random *random)
{
	if (have_wide())
		fill_wide(random);
	else
		random_fill_plain(random);
	random->counter[0] += RANDOM_BLOCKS;
	random->used = 0;
}

/* Generates one block. */
static void draw_block(uint32_t word[4], uint64_t seed, philox4x32_ctr_t counter)
{
	philox4x32_key_t key = {{(uint32_t)seed, (uint32_t)(seed >> 32)}};
	philox4x32_ctr_t drawn = philox4x32(counter, key);
	for (int i = 0; i < 4; i++)
		word[i] = drawn.v[i];
}

void random_pair(uint32_t word[4], uint64_t seed, uint64_t run, uint32_t source, uint32_t destination, uint32_t block)
{
	uint32_t purpose = RANDOM_ROUTE | block << 8 | (uint32_t)(run >> 32) << 24;
	draw_block(word, seed, (philox4x32_ctr_t){{destination, purpose, (uint32_t)run, source}});
}

void random_message(uint32_t word[4], uint64_t seed, uint64_t run, uint32_t rank, uint32_t message)
{
	uint32_t purpose = RANDOM_MESSAGE | (uint32_t)(run >> 32) << 8;
	draw_block(word, seed, (philox4x32_ctr_t){{message, purpose, (uint32_t)run, rank}});
}
