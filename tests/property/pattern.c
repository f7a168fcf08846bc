/*
 * Reference, part two: the patterns, each as its definition reads. Messages from a rank to itself
 * are kept here where a formula yields them; they never enter the network (congestion.c).
 */
#include "reference.h"

#include <stdlib.h>
#include <string.h>

void pattern_init(struct pattern *p)
{
	*p = (struct pattern){0};
}

void pattern_clear(struct pattern *p)
{
	free(p->message);
	pattern_init(p);
}

void pattern_add(struct pattern *p, int level, int from, int to)
{
	if (p->count == p->room) {
		p->room = p->room ? 2 * p->room : 64;
		p->message = realloc(p->message, (size_t)p->room * sizeof p->message[0]);
		if (p->message == NULL)
			abort();
	}
	p->message[p->count++] = (struct message){level, from, to, true};
	if (p->levels <= level)
		p->levels = level + 1;
}

static int log2_ceil(int n)
{
	int l = 0;

	while (1 << l < n)
		l++;
	return l;
}

/* ---- the paper's patterns ---- */

static void make_null(struct pattern *p, int n, const char *argument)
{
	(void)p, (void)n, (void)argument;
}

static void make_bisect(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 0; i <= n / 2 - 1; i++)
		pattern_add(p, 0, 2 * i + 1, 2 * i);
}

static void make_bisect_fb_sym(struct pattern *p, int n, const char *argument)
{
	make_bisect(p, n, argument);
	for (int i = 0; i <= n / 2 - 1; i++)
		pattern_add(p, 0, 2 * i, 2 * i + 1);
}

static void make_tree(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < log2_ceil(n); l++)
		for (int i = 0; i < 1 << l && i + (1 << l) < n; i++)
			pattern_add(p, l, i, i + (1 << l));
}

static void make_bruck(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < log2_ceil(n); l++)
		for (int i = 0; i < n; i++)
			pattern_add(p, l, i, (i + (1 << l)) % n);
}

static void make_gather(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 1; i < n; i++)
		pattern_add(p, 0, i, 0);
}

static void make_scatter(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 1; i < n; i++)
		pattern_add(p, 0, 0, i);
}

static void make_ring(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < n; l++)
		pattern_add(p, l, l, (l + 1) % n);
}

static void make_recdbl(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < log2_ceil(n); l++)
		for (int k = 0; k + (1 << l) < n; k++)
			if ((k >> l) % 2 == 0) {
				pattern_add(p, l, k, k + (1 << l));
				pattern_add(p, l, k + (1 << l), k);
			}
}

static bool linked(const struct pattern *p, int a, int b)
{
	for (int m = 0; m < p->count; m++)
		if (p->message[m].from == a && p->message[m].to == b)
			return true;
	return false;
}

static int neighbours(const struct pattern *p, int a)
{
	int count = 0;

	for (int m = 0; m < p->count; m++)
		count += p->message[m].from == a;
	return count;
}

static void make_neighbor(struct pattern *p, int n, const char *argument)
{
	int x = atoi(argument);

	for (int i = 0; i < n; i++)
		for (int j = i + 1; j < n && neighbours(p, i) < x; j++)
			if (!linked(p, i, j) && neighbours(p, j) < x) {
				pattern_add(p, 0, i, j);
				pattern_add(p, 0, j, i);
			}
}

/* ---- patterns beyond the paper ---- */

static void make_alltoall(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < n - 1; l++)
		for (int i = 0; i < n; i++)
			pattern_add(p, l, i, (i + l + 1) % n);
}

static void make_alltoall_flood(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 0; i < n; i++)
		for (int j = 0; j < n; j++)
			if (i != j)
				pattern_add(p, 0, i, j);
}

static void make_shift(struct pattern *p, int n, const char *argument)
{
	for (int i = 0; i < n; i++)
		pattern_add(p, 0, i, (i + atoi(argument)) % n);
}

static void make_bitrev(struct pattern *p, int n, const char *argument)
{
	int bits = log2_ceil(n);

	(void)argument;
	for (int i = 0; i < n; i++) {
		int reversed = 0;
		for (int b = 0; b < bits; b++)
			if (i >> b & 1)
				reversed |= 1 << (bits - 1 - b);
		pattern_add(p, 0, i, reversed);
	}
}

static void make_bitcomp(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 0; i < n; i++)
		pattern_add(p, 0, i, ~i & (n - 1));
}

/* Swaps the upper and the lower half of the binary digits: row and column of a square matrix. */
static void make_transpose(struct pattern *p, int n, const char *argument)
{
	int side = 1 << log2_ceil(n) / 2;

	(void)argument;
	for (int i = 0; i < n; i++)
		pattern_add(p, 0, i, i % side * side + i / side);
}

/* The perfect shuffle: the binary digits rotate to the left by one. */
static void make_shuffle(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 0; i < n; i++)
		pattern_add(p, 0, i, (2 * i) % n + (2 * i) / n);
}

/* Almost half way round: ceil(n/2) - 1 places on. */
static void make_tornado(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 0; i < n; i++)
		pattern_add(p, 0, i, (i + (n + 1) / 2 - 1) % n);
}

/* Each to the one as far from the other end. */
static void make_diagonal(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int i = 0; i < n; i++)
		if (i != n - 1 - i)
			pattern_add(p, 0, i, n - 1 - i);
}

/* Halves of halves, recursively: everyone to the same place in the other half, as far as it goes. */
static void halve(struct pattern *p, int level, int from, int n)
{
	int half = (n + 1) / 2;

	if (n < 2)
		return;
	for (int i = 0; i < half; i++)
		pattern_add(p, level, from + i, from + (half + i < n ? half + i : n - 1));
	for (int i = half; i < n; i++)
		pattern_add(p, level, from + i, from + i - half);
	halve(p, level + 1, from, half);
	halve(p, level + 1, from + half, n - half);
}

static void make_crystal_router(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	halve(p, 0, 0, n);
}

struct grid {
	int size[3];
	bool torus;
};

static struct grid read_grid(const char *argument)
{
	struct grid g = {{1, 1, 1}, strstr(argument, ",torus") != NULL};

	sscanf(argument, "%dx%dx%d", &g.size[0], &g.size[1], &g.size[2]);
	return g;
}

/* The rank one step from `rank` in one dimension, -1 beyond the edge of the grid. The first
 * dimension varies fastest. */
static int grid_step(const struct grid *g, int rank, int dimension, int step)
{
	int stride = 1;

	for (int d = 0; d < dimension; d++)
		stride *= g->size[d];
	int size = g->size[dimension];
	int from = rank / stride % size;
	int to = from + step;
	if (g->torus)
		to = (to + size) % size;
	return to < 0 || to >= size ? -1 : rank + (to - from) * stride;
}

/* A neighbour that is reached both ways round a short torus is still one neighbour. */
static void make_stencil(struct pattern *p, int n, const char *argument)
{
	struct grid g = read_grid(argument);

	for (int i = 0; i < n; i++)
		for (int way = 0; way < 6; way++) {
			int j = grid_step(&g, i, way / 2, way % 2 ? 1 : -1);
			if (j >= 0 && j != i && !linked(p, i, j))
				pattern_add(p, 0, i, j);
		}
}

/* Of all pairs of ranks those that are on a grid, and neighbours there, or where one is the other rounded down. */
static void make_multigrid(struct pattern *p, int n, const char *argument)
{
	struct grid g = read_grid(argument);
	int grids = 0;

	for (int d = 0; d < 3; d++)
		while (1 << grids < g.size[d])
			grids++;
	for (int k = 0; k < grids; k++)
		for (int i = 0; i < n; i++)
			for (int j = 0; j < n; j++) {
				int stride = 1 << k, parent = 0, near = i != j, there = 1;
				for (int d = 0, step = 1, a = i, b = j; d < 3; a /= g.size[d], b /= g.size[d], step *= g.size[d], d++) {
					int x = a % g.size[d], y = b % g.size[d], places = (g.size[d] - 1) / stride + 1;
					int apart = abs(x / stride - y / stride);
					near &= y % stride == 0 && (apart <= 1 || (g.torus && apart == places - 1));
					there &= x % stride == 0;
					parent += x / (2 * stride) * (2 * stride) * step;
				}
				if (there && near) {
					pattern_add(p, 2 * k, i, j);
					pattern_add(p, 4 * grids - 1 - 2 * k, i, j);
				}
				if (there && j == parent && i != j) {
					pattern_add(p, 2 * k + 1, i, j);
					pattern_add(p, 4 * grids - 2 - 2 * k, j, i);
				}
			}
}

static void make_allreduce_ring(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < 2 * (n - 1); l++)
		for (int i = 0; i < n; i++)
			pattern_add(p, l, i, (i + 1) % n);
}

/* Partners at distance n/2, n/4, ... 1 (each halves what it holds), then back. */
static void make_rabenseifner(struct pattern *p, int n, const char *argument)
{
	int bits = log2_ceil(n);

	(void)argument;
	for (int l = 0; l < 2 * bits; l++)
		for (int i = 0; i < n; i++)
			pattern_add(p, l, i, i ^ 1 << (l < bits ? bits - 1 - l : l - bits));
}

/* The root sends across the largest distance first; who has the data does the same below it. */
static void make_bcast_binomial(struct pattern *p, int n, const char *argument)
{
	(void)argument;
	for (int l = 0; l < log2_ceil(n); l++) {
		int distance = 1 << (log2_ceil(n) - 1 - l);
		for (int i = 0; i + distance < n; i += 2 * distance)
			pattern_add(p, l, i, i + distance);
	}
}

/* One "level sender receiver [bytes]" a line, "#" begins a comment. */
static void make_file(struct pattern *p, int n, const char *path)
{
	char line[256];
	FILE *in = fopen(path, "r");

	(void)n;
	if (in == NULL)
		abort();
	while (fgets(line, sizeof line, in) != NULL) {
		int level, from, to;
		if (sscanf(line, " %d %d %d", &level, &from, &to) == 3)
			pattern_add(p, level, from, to);
	}
	fclose(in);
}

/* ---- the table ---- */

enum needs { NOTHING, POWER_OF_TWO, POWER_OF_FOUR, GRID, DRAWN };

static const struct kind {
	const char *name;
	void (*make)(struct pattern *p, int n, const char *argument);
	const char *argument; /* when the name implies one */
	enum needs needs;
	int least_levels; /* a pattern of one level has it even where it holds no message */
} kinds[] = {
	{"null", make_null, NULL, NOTHING, 0},
	{"rand", NULL, NULL, DRAWN, 1},
	{"hotspot", NULL, NULL, DRAWN, 1},
	{"bisect", make_bisect, NULL, NOTHING, 1},
	{"bisect_fb_sym", make_bisect_fb_sym, NULL, NOTHING, 1},
	{"tree", make_tree, NULL, NOTHING, 0},
	{"bruck", make_bruck, NULL, NOTHING, 0},
	{"gather", make_gather, NULL, NOTHING, 1},
	{"scatter", make_scatter, NULL, NOTHING, 1},
	{"ring", make_ring, NULL, NOTHING, 0},
	{"recdbl", make_recdbl, NULL, NOTHING, 0},
	{"2neighbor", make_neighbor, "2", NOTHING, 1},
	{"4neighbor", make_neighbor, "4", NOTHING, 1},
	{"6neighbor", make_neighbor, "6", NOTHING, 1},
	{"neighbor", make_neighbor, NULL, NOTHING, 1},
	{"alltoall", make_alltoall, NULL, NOTHING, 0},
	{"alltoall_flood", make_alltoall_flood, NULL, NOTHING, 1},
	{"shift", make_shift, NULL, NOTHING, 1},
	{"allshifts", make_alltoall, NULL, NOTHING, 0},
	{"bitrev", make_bitrev, NULL, POWER_OF_TWO, 1},
	{"bitcomp", make_bitcomp, NULL, POWER_OF_TWO, 1},
	{"transpose", make_transpose, NULL, POWER_OF_FOUR, 1},
	{"shuffle", make_shuffle, NULL, POWER_OF_TWO, 1},
	{"tornado", make_tornado, NULL, NOTHING, 1},
	{"diagonal", make_diagonal, NULL, NOTHING, 1},
	{"stencil", make_stencil, NULL, GRID, 1},
	{"multigrid", make_multigrid, NULL, GRID, 0},
	{"crystal_router", make_crystal_router, NULL, NOTHING, 0},
	{"allreduce_ring", make_allreduce_ring, NULL, NOTHING, 0},
	{"allreduce_rabenseifner", make_rabenseifner, NULL, POWER_OF_TWO, 0},
	{"bcast_binomial", make_bcast_binomial, NULL, NOTHING, 0},
	{"file", make_file, NULL, NOTHING, 0},
};

static const struct kind *find_kind(const char *spec)
{
	size_t length = strcspn(spec, ":");

	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (strlen(kinds[i].name) == length && strncmp(kinds[i].name, spec, length) == 0)
			return &kinds[i];
	return NULL;
}

static const char *find_argument(const struct kind *kind, const char *spec)
{
	const char *colon = strchr(spec, ':');

	if (kind->argument != NULL)
		return kind->argument;
	return colon != NULL ? colon + 1 : "";
}

bool pattern_valid(const char *spec, int n)
{
	const struct kind *kind = find_kind(spec);
	bool power_of_two = (n & (n - 1)) == 0;

	if (kind == NULL)
		return false;
	struct grid g = read_grid(find_argument(kind, spec));
	switch (kind->needs) {
	case POWER_OF_TWO: return power_of_two;
	case POWER_OF_FOUR: return power_of_two && log2_ceil(n) % 2 == 0;
	case GRID: return g.size[0] * g.size[1] * g.size[2] == n;
	default: return true;
	}
}

bool pattern_drawn(const char *spec)
{
	const struct kind *kind = find_kind(spec);

	return kind != NULL && kind->needs == DRAWN;
}

bool pattern_make(struct pattern *p, const char *spec, int n)
{
	const struct kind *kind = find_kind(spec);

	if (kind == NULL || kind->make == NULL || !pattern_valid(spec, n))
		return false;
	kind->make(p, n, find_argument(kind, spec));
	if (p->levels < kind->least_levels)
		p->levels = kind->least_levels;
	return true;
}

/* Level l is A's level l and B's level l together. B starts again while A has levels left and ends
 * with the pass it is in; its first pass always runs. */
static void merge(struct pattern *p, const struct pattern *a, const struct pattern *b, int shift)
{
	int passes = 1;

	for (int m = 0; m < a->count; m++)
		pattern_add(p, a->message[m].level, a->message[m].from, a->message[m].to);
	while (b->levels > 0 && passes * b->levels < a->levels)
		passes++;
	for (int pass = 0; pass < passes; pass++)
		for (int m = 0; m < b->count; m++) {
			const struct message *of_b = &b->message[m];
			pattern_add(p, pass * b->levels + of_b->level, of_b->from + shift, of_b->to + shift);
			p->message[p->count - 1].first = false;
		}
	p->levels = a->levels > passes * b->levels ? a->levels : passes * b->levels;
}

bool pattern_beside(struct pattern *p, const char *a, const char *b, int z, int n)
{
	struct pattern first, second;

	pattern_init(&first);
	pattern_init(&second);
	bool made = pattern_make(&first, a, z) && pattern_make(&second, b, n - z);
	if (made)
		merge(p, &first, &second, z);
	pattern_clear(&first);
	pattern_clear(&second);
	return made;
}
