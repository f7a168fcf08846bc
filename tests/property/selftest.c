/*
 * The reference against what is known without it: Listing 3 of the paper, closed forms for k-ary
 * n-trees with D-mod-K routing, and an example small enough to work out by hand.
 */
#include "selftest.h"

#include "generate.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MAPPINGS = 4000 };

static const struct rules plain = {.level = -1};

static int passed, failed;

static void check(bool right, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	printf("%s ", right ? "ok    " : "WRONG ");
	vprintf(format, arguments);
	putchar('\n');
	va_end(arguments);
	passed += right;
	failed += !right;
}

static bool near(double a, double b)
{
	return fabs(a - b) <= 1e-12 * fmax(1, fabs(b));
}

/* ---- the k-ary n-tree ---- */

static void add_cable(struct fabric *f, int a, int b)
{
	f->channel[f->channels++] = (struct channel){.tail = a, .head = b};
	f->channel[f->channels++] = (struct channel){.tail = b, .head = a};
}

static int power(int base, int exponent)
{
	return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* The switch `word` (n-1 digits of base k) of a level, leaves being level 0. */
static int tree_switch(int k, int n, int level, int word)
{
	return power(k, n) + level * power(k, n - 1) + word;
}

/* Up: at level i a packet for d takes the port (d div k^i) mod k. */
static void wire_up(struct fabric *f, int k, int n, int level, int word)
{
	int weight = power(k, level);

	for (int port = 0; port < k; port++) {
		int above = word + (port - word / weight % k) * weight;
		int node = tree_switch(k, n, level, word);
		add_cable(f, node, tree_switch(k, n, level + 1, above));
		struct channel *up = &f->channel[f->channels - 2];
		for (int d = 0; d < power(k, n); d++)
			up->lists[d] = d / power(k, level) % k == port;
	}
}

/* Down: a switch of level i leads to the hosts whose digits from i on are its own; its channels
 * upwards keep only the others. */
static void cut_to_descendants(struct fabric *f, int k, int n)
{
	int hosts = power(k, n), words = power(k, n - 1);

	for (int c = 0; c < f->channels; c++) {
		struct channel *e = &f->channel[c];
		if (e->tail < hosts)
			continue;
		int level = (e->tail - hosts) / words, word = (e->tail - hosts) % words;
		bool up = e->head > e->tail;
		for (int d = 0; d < hosts; d++) {
			bool below = d / power(k, level + 1) == word / power(k, level);
			if (up)
				e->lists[d] = e->lists[d] && !below;
			else if (e->head < hosts)
				e->lists[d] = e->head == d;
			else
				e->lists[d] = below && d / power(k, level) == (e->head - hosts) % words / power(k, level - 1);
		}
	}
}

/* D-mod-K routing; host i is node i. */
static void make_kary_ntree(struct fabric *f, int k, int n)
{
	int hosts = power(k, n);

	f->nodes = hosts + n * power(k, n - 1);
	f->channels = f->statements = 0;
	for (int i = 0; i < f->nodes; i++) {
		f->node[i] = (struct node){.host = i < hosts};
		snprintf(f->node[i].name, sizeof f->node[i].name, "%c%d", i < hosts ? 'H' : 'S', i);
	}
	for (int h = 0; h < hosts; h++) {
		add_cable(f, h, tree_switch(k, n, 0, h / k));
		f->channel[f->channels - 2].star = true;
	}
	for (int level = 0; level + 1 < n; level++)
		for (int word = 0; word < power(k, n - 1); word++)
			wire_up(f, k, n, level, word);
	cut_to_descendants(f, k, n);
}

/* ---- anchors ---- */

static void identity(int host[], int n)
{
	for (int i = 0; i < n; i++)
		host[i] = i;
}

/* The next permutation in lexicographic order; false after the last one. */
static bool next_permutation(int value[], int n)
{
	int i = n - 2, j = n - 1;

	while (i >= 0 && value[i] > value[i + 1])
		i--;
	if (i < 0)
		return false;
	while (value[j] < value[i])
		j--;
	int kept = value[i];
	value[i] = value[j];
	value[j] = kept;
	for (i++, j = n - 1; i < j; i++, j--) {
		kept = value[i];
		value[i] = value[j];
		value[j] = kept;
	}
	return true;
}

static void listing_3(void)
{
	struct pattern p;

	pattern_init(&p);
	pattern_make(&p, "bruck", 16);
	check(p.levels == 4 && p.count == 64, "bruck on 16 ranks: 64 connections in 4 levels");
	pattern_clear(&p);
}

static void shifts(struct fabric *f, int k, int n)
{
	int host[MAX_NODES];
	int uncongested = 1; /* a shift by nothing sends nothing */
	char spec[32];

	make_kary_ntree(f, k, n);
	identity(host, power(k, n));
	for (int by = 1; by < power(k, n); by++) {
		struct tally t = {0};
		struct pattern p;
		pattern_init(&p);
		snprintf(spec, sizeof spec, "shift:%d", by);
		pattern_make(&p, spec, power(k, n));
		tally_run(&t, f, &p, host, &plain);
		uncongested += t.unroutable == 0 && t.connections == power(k, n) && t.weights.bins == 1 && t.weights.key[0] == 1;
		pattern_clear(&p);
	}
	check(uncongested == power(k, n), "%d-ary %d-tree: every shift has weight 1", k, n);
}

/* Pooled bandwidth over random mappings of all hosts, within three standard errors. */
static void expected_bandwidth(struct fabric *f, int k, const char *spec, double expected)
{
	struct rng r = {.state = 1};
	struct pattern p;
	int host[MAX_NODES];
	double sum = 0, squares = 0;

	make_kary_ntree(f, k, 2);
	identity(host, k * k);
	pattern_init(&p);
	pattern_make(&p, spec, k * k);
	for (int run = 0; run < MAPPINGS; run++) {
		struct tally t = {0};
		rng_shuffle(&r, host, k * k);
		tally_run(&t, f, &p, host, &plain);
		sum += t.bandwidth.value[0];
		squares += t.bandwidth.value[0] * t.bandwidth.value[0];
	}
	double mean = sum / MAPPINGS;
	double error = sqrt((squares / MAPPINGS - mean * mean) / MAPPINGS);
	check(fabs(mean - expected) <= 3 * error, "%d-ary 2-tree: %s yields %.6f, %.6f +- %.6f", k, spec, expected, mean, error);
	pattern_clear(&p);
}

/* The load that all mappings put on each channel, against the number of ordered pairs that use it:
 * R/(2(n-1)) for one direction of a bisection, R/(n-1) for both. */
static void expected_load(struct fabric *f, const char *spec, int directions)
{
	int host[4] = {0, 1, 2, 3};
	struct tally bisections = {0}, pairs = {0};
	struct pattern p, all;
	int mappings = 0, right = 0;

	make_kary_ntree(f, 2, 2);
	pattern_init(&p);
	pattern_init(&all);
	pattern_make(&p, spec, 4);
	pattern_make(&all, "alltoall_flood", 4);
	tally_run(&pairs, f, &all, host, &plain);
	do {
		bisections.bandwidth.count = bisections.sum.count = bisections.delay.count = 0;
		tally_run(&bisections, f, &p, host, &plain);
		mappings++;
	} while (next_permutation(host, 4));
	for (int c = 0; c < f->channels; c++)
		right += near(bisections.channel_sum[c] / mappings, pairs.channel_sum[c] * directions / (2.0 * (4 - 1)));
	check(mappings == 24 && right == f->channels, "2-ary 2-tree: expected load of %s", spec);
	pattern_clear(&p);
	pattern_clear(&all);
}

/* Over all permutations of 8 hosts: max over i of min(k^i, k^(n-i) - 1) = 2. */
static void worst_permutation(struct fabric *f)
{
	int to[8], host[8];
	double worst = 0;

	make_kary_ntree(f, 2, 3);
	identity(to, 8);
	identity(host, 8);
	do {
		struct tally t = {0};
		struct pattern p;
		pattern_init(&p);
		for (int i = 0; i < 8; i++)
			pattern_add(&p, 0, i, to[i]);
		tally_run(&t, f, &p, host, &plain);
		if (t.sum.count > 0)
			worst = fmax(worst, t.sum.value[0]);
		pattern_clear(&p);
	} while (next_permutation(to, 8));
	check(worst == 2, "2-ary 3-tree: the worst permutation has congestion 2");
}

/* One switch, four hosts. Level 0: 0 sends to 1 and to 2 (they share its link, so both arrive at
 * 2); level 1: 1 sends to 2, which arrives at 3. When 0 goes on to send twice to 3 and waits for
 * its own sends, it begins at 2, and the second message arrives at 4. */
static void worked_example(struct fabric *f)
{
	int host[4] = {0, 1, 2, 3};
	struct rules serial = {.level = -1, .serialise_sends = true};
	struct tally t = {0}, s = {0};
	struct pattern p;

	make_kary_ntree(f, 4, 1);
	pattern_init(&p);
	pattern_add(&p, 0, 0, 1);
	pattern_add(&p, 0, 0, 2);
	pattern_add(&p, 1, 1, 2);
	tally_run(&t, f, &p, host, &plain);
	check(t.delay.value[0] == 3 && t.sum.value[0] == 3 && near(t.bandwidth.value[0], 2.0 / 3),
		"three messages through one switch: delay 3, sum 3, bandwidth 2/3");
	pattern_add(&p, 2, 0, 3);
	pattern_add(&p, 3, 0, 3);
	tally_run(&s, f, &p, host, &serial);
	check(s.delay.value[0] == 4, "a sender that waits for its own sends: delay 4");
	pattern_clear(&p);
}

static void statistics(void)
{
	struct series s = {0};

	series_add(&s, 4);
	series_add(&s, 1);
	series_add(&s, 2);
	series_add(&s, 3);
	check(near(series_quantile(&s, 0.25), 1.75) && near(series_quantile(&s, 0.5), 2.5) && near(series_mean(&s), 2.5) &&
			near(series_variance(&s), 1.25),
		"1 2 3 4: first quartile 1.75, median 2.5, mean 2.5, variance 1.25");
}

/* What the generator calls unspoiled has a route for every pair. */
static void generator(struct fabric *f)
{
	int lost = 0, path[MAX_NODES];

	for (uint64_t seed = 0; seed < 200; seed++) {
		struct rng r = {seed};
		generate_fabric(f, &r, false);
		for (int s = 0; s < f->nodes; s++)
			for (int d = 0; d < f->nodes; d++)
				if (f->node[s].host && f->node[d].host)
					lost += fabric_route(f, s, d, path) < 0;
	}
	check(lost == 0, "200 random fabrics: every pair has a route");
}

int selftest(void)
{
	struct fabric *f = malloc(sizeof *f);

	if (f == NULL)
		abort();
	listing_3();
	statistics();
	worked_example(f);
	for (int n = 1; n <= 4; n++)
		shifts(f, 2, n);
	for (int n = 1; n <= 3; n++)
		shifts(f, 3, n);
	shifts(f, 4, 2);
	expected_bandwidth(f, 4, "bisect", 651 / 715.0);
	expected_bandwidth(f, 4, "bisect_fb_sym", 591 / 715.0);
	expected_load(f, "bisect", 1);
	expected_load(f, "bisect_fb_sym", 2);
	worst_permutation(f);
	generator(f);
	free(f);
	printf("%d passed, %d failed\n", passed, failed);
	return failed;
}
