/*
 * limits BYTES COUNTERS [TIMES] - the machine's own limits, beside which bench/pairs.sh sets the time of a routed pair. Prints one line of
 * JSON, in nanoseconds, each the median of TIMES repetitions (by default 5). "read" and "read_huge" are for one 64-byte line at a random
 * place of a table of BYTES on small pages and on huge ones; "add" and "look" for a random one of COUNTERS 16-bit counters, increased, and
 * looked at for the maximum, on huge pages. The places are drawn before the time is taken, each is asked for AHEAD accesses before, and
 * nothing depends on what was read there: so as many accesses as the machine can are under way at once.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PLACES = 1 << 22, AHEAD = 64, TIMES_MAX = 99, LINE = 8 /* words */ };

static uint32_t place[PLACES + AHEAD];
static volatile uint64_t kept; /* so that no read is left out */

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Random places below bound; the state goes on, so every repetition has its own (Steele, Lea, Flood: SplitMix64, OOPSLA 2014). */
static void draw_places(uint64_t bound)
{
	static uint64_t state;
	for (size_t i = 0; i < PLACES + AHEAD; i++) {
		uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15);
		z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
		z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
		place[i] = (uint32_t)(((z ^ z >> 31) >> 32) * bound >> 32);
	}
}

/* Memory that has been written to, so that its pages are there; asks for huge pages, or for small ones. Exits when there is none. */
static void *pages(size_t bytes, int advice)
{
	void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED) {
		perror("limits");
		exit(1);
	}
	madvise(memory, bytes, advice); /* a kernel without the one or the other has only the other */
	memset(memory, 1, bytes);
	return memory;
}

static void read_lines(void *table)
{
	const uint64_t(*line)[LINE] = table;
	uint64_t sum = 0;
	for (size_t i = 0; i < PLACES; i++) {
		__builtin_prefetch(line[place[i + AHEAD]]);
		for (int word = 0; word < LINE; word++)
			sum += line[place[i]][word];
	}
	kept = sum;
}

static void add_to_counters(void *counters)
{
	uint16_t *count = counters;
	for (size_t i = 0; i < PLACES; i++) {
		__builtin_prefetch(&count[place[i + AHEAD]], 1);
		count[place[i]]++;
	}
}

static void look_at_counters(void *counters)
{
	const uint16_t *count = counters;
	uint16_t largest = 0;
	for (size_t i = 0; i < PLACES; i++) {
		__builtin_prefetch(&count[place[i + AHEAD]]);
		largest = count[place[i]] > largest ? count[place[i]] : largest;
	}
	kept = largest;
}

static int compare(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;
	return (a > b) - (a < b);
}

/* Nanoseconds of one access of work, which accesses count things of memory: the median. */
static double measure(void (*work)(void *), void *memory, uint64_t count, int times)
{
	double taken[TIMES_MAX];
	for (int t = 0; t < times; t++) {
		draw_places(count);
		double started = now();
		work(memory);
		taken[t] = 1e9 * (now() - started) / PLACES;
	}
	qsort(taken, (size_t)times, sizeof *taken, compare);
	return (taken[(times - 1) / 2] + taken[times / 2]) / 2;
}

int main(int argc, char **argv)
{
	unsigned long long bytes = argc > 2 ? strtoull(argv[1], NULL, 10) : 0, counters = argc > 2 ? strtoull(argv[2], NULL, 10) : 0;
	int times = argc > 3 ? atoi(argv[3]) : 5;
	size_t lines = bytes / (LINE * sizeof(uint64_t));
	if (!lines || lines > UINT32_MAX || !counters || counters > UINT32_MAX || times < 1 || times > TIMES_MAX) {
		fputs("Usage: limits BYTES COUNTERS [TIMES]\n", stderr);
		return 2;
	}
	double read[2];
	for (int huge = 0; huge < 2; huge++) {
		void *table = pages(bytes, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
		read[huge] = measure(read_lines, table, lines, times);
		munmap(table, bytes);
	}
	void *count = pages(counters * sizeof(uint16_t), MADV_HUGEPAGE);
	double add = measure(add_to_counters, count, counters, times), look = measure(look_at_counters, count, counters, times);
	printf("{\"bytes\": %llu, \"counters\": %llu, \"read\": %.3f, \"read_huge\": %.3f, \"add\": %.3f, \"look\": %.3f}\n", bytes,
		counters, read[0], read[1], add, look);
	return 0;
}
