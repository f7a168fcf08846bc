/*
 * Draws the random cases. Whatever is drawn here is written to files and arguments, and kept in the
 * form in which the reference computes with it.
 */
#include "question.h"

#include "generate.h"

#include <stdlib.h>
#include <string.h>

static FILE *create(const struct question *q, const char *name)
{
	char path[600];

	snprintf(path, sizeof path, "%s/%s", q->folder, name);
	FILE *out = fopen(path, "w");
	if (out == NULL) {
		perror(path);
		exit(2);
	}
	return out;
}

/* ---- patterns ---- */

/* Messages among n ranks in a few levels, in no order; some twice, some to their own sender. */
static void draw_pattern_file(const struct question *q, const char *name, int n, struct rng *r)
{
	FILE *out = create(q, name);
	int levels = rng_between(r, 1, 4);

	fputs("# level sender receiver bytes\n", out);
	for (int m = rng_between(r, 1, 3 * n); m > 0; m--) {
		fprintf(out, "%d %d %d", rng_below(r, levels), rng_below(r, n), rng_below(r, n));
		fputs(rng_chance(r, 20) ? " 4096\n" : "\n", out);
		if (rng_chance(r, 5))
			fputs("# a remark\n\n", out);
	}
	fclose(out);
}

/* A grid of n ranks in two or three dimensions, some of them of size one. */
static void draw_grid(const char *name, char *spec, size_t size, int n, struct rng *r)
{
	int a = rng_between(r, 1, n), b = rng_between(r, 1, n);

	while (n % a != 0)
		a = rng_between(r, 1, n);
	while (n / a % b != 0)
		b = rng_between(r, 1, n);
	if (rng_chance(r, 50))
		snprintf(spec, size, "%s:%dx%d", name, a, n / a);
	else
		snprintf(spec, size, "%s:%dx%dx%d", name, a, b, n / a / b);
	if (rng_chance(r, 50))
		strcat(spec, ",torus");
}

/* The name of a pattern on n ranks. `file` is the name its file gets if it is one. */
static void draw_one_pattern(const struct question *q, char *spec, size_t size, int n, const char *file, struct rng *r)
{
	static const char *const names[] = {"null", "bisect", "bisect_fb_sym", "tree", "bruck", "gather", "scatter", "ring", "recdbl",
		"2neighbor", "4neighbor", "6neighbor", "alltoall", "alltoall_flood", "allshifts", "bitrev", "bitcomp", "transpose",
		"shuffle", "tornado", "allreduce_ring", "allreduce_rabenseifner", "bcast_binomial", "neighbor", "shift", "stencil", "file",
		"multigrid", "crystal_router", "diagonal"};
	const char *name = names[rng_below(r, sizeof names / sizeof names[0])];

	snprintf(spec, size, "%s", name);
	if (strcmp(name, "neighbor") == 0)
		snprintf(spec, size, "neighbor:%d", rng_between(r, 1, n));
	else if (strcmp(name, "shift") == 0)
		snprintf(spec, size, "shift:%d", rng_below(r, n + 2));
	else if (strcmp(name, "stencil") == 0 || strcmp(name, "multigrid") == 0)
		draw_grid(name, spec, size, n, r);
	else if (strcmp(name, "file") == 0) {
		snprintf(spec, size, "file:%s/%s", q->folder, file);
		draw_pattern_file(q, file, n, r);
	}
}

static void draw_valid_pattern(const struct question *q, char *spec, size_t size, int n, const char *file, struct rng *r)
{
	do
		draw_one_pattern(q, spec, size, n, file, r);
	while (!pattern_valid(spec, n));
}

static void draw_random_pattern(char *spec, size_t size, int n, struct rng *r)
{
	if (rng_chance(r, 50))
		snprintf(spec, size, "rand");
	else
		snprintf(spec, size, "hotspot:%d", rng_between(r, 1, n));
}

/* Two patterns side by side; when DRAWN, one of them or both draw random numbers. */
static void draw_two_patterns(struct question *q, struct rng *r)
{
	int drawn = q->kind == DRAWN ? rng_between(r, 1, 3) : 0;

	snprintf(q->spec, sizeof q->spec, "ptrnvsptrn");
	q->part = rng_between(r, 1, q->n - 1);
	if (drawn & 1)
		draw_random_pattern(q->first, sizeof q->first, q->part, r);
	else
		draw_valid_pattern(q, q->first, sizeof q->first, q->part, "first.pattern", r);
	if (drawn & 2)
		draw_random_pattern(q->second, sizeof q->second, q->n - q->part, r);
	else
		draw_valid_pattern(q, q->second, sizeof q->second, q->n - q->part, "second.pattern", r);
	command_add(&q->command, "-p");
	command_add(&q->command, "ptrnvsptrn");
	command_add(&q->command, "-f");
	command_add(&q->command, "%s", q->first);
	command_add(&q->command, "-c");
	command_add(&q->command, "%s", q->second);
	command_add(&q->command, "-z");
	command_add(&q->command, "%d", q->part);
	if (q->kind != DRAWN)
		pattern_beside(&q->pattern, q->first, q->second, q->part, q->n);
}

static void draw_pattern(struct question *q, struct rng *r)
{
	if (rng_chance(r, 30)) {
		draw_two_patterns(q, r);
		return;
	}
	if (q->kind == DRAWN)
		draw_random_pattern(q->spec, sizeof q->spec, q->n, r);
	else
		draw_valid_pattern(q, q->spec, sizeof q->spec, q->n, "pattern", r);
	command_add(&q->command, rng_chance(r, 50) ? "-p" : "--ptrn");
	command_add(&q->command, "%s", q->spec);
	pattern_make(&q->pattern, q->spec, q->n);
}

/* ---- placement ---- */

/* A host by its name, or by its description where it has one. */
static const char *call_host(const struct node *node, struct rng *r)
{
	return node->desc[0] != '\0' && rng_chance(r, 50) ? node->desc : node->name;
}

/* As many hosts as are needed or a few more, in any order; further words of a line mean nothing. */
static void draw_subset_file(struct question *q, int hosts, struct rng *r)
{
	FILE *out = create(q, "subset");
	int lines = rng_between(r, q->n, hosts);

	rng_shuffle(r, q->host, hosts);
	for (int i = 0; i < lines; i++)
		fprintf(out, "%s%s\n", call_host(&q->fabric.node[q->host[i]], r), rng_chance(r, 20) ? " slots=4" : "");
	fclose(out);
}

static void draw_subset(struct question *q, struct rng *r)
{
	static const char *const names[] = {"linear_bfs", "file_order", "guid_asc", "guid_desc"};
	int choice = rng_below(r, 6);
	int hosts = fabric_hosts(&q->fabric, choice < 4 ? (enum subset)choice : LINEAR_BFS, q->host);

	if (choice == 4)
		return; /* the default, linear_bfs */
	command_add(&q->command, "--subset");
	if (choice < 4) {
		command_add(&q->command, "%s", names[choice]);
	} else {
		draw_subset_file(q, hosts, r);
		command_add(&q->command, "file:%s/subset", q->folder);
	}
}

/* The first n hosts of the subset, rank i on the i-th; or in an order of our own. */
static void draw_mapping(struct question *q, struct rng *r)
{
	if (q->kind == MAPPED)
		return; /* the default, random */
	if (rng_chance(r, 30)) {
		command_add(&q->command, rng_chance(r, 50) ? "--mapping=linear" : "-d");
		return;
	}
	FILE *out = create(q, "mapping");
	rng_shuffle(r, q->host, q->n);
	for (int i = 0; i < q->n; i++)
		fprintf(out, "%s\n", q->fabric.node[q->host[i]].name);
	fclose(out);
	command_add(&q->command, "--mapping");
	command_add(&q->command, "file:%s/mapping", q->folder);
}

/* ---- the whole case ---- */

static void draw_size(struct question *q, struct rng *r)
{
	int host[MAX_NODES];
	int hosts = fabric_hosts(&q->fabric, FILE_ORDER, host);

	q->n = rng_chance(r, 40) ? hosts : rng_between(r, 2, hosts);
	if (rng_chance(r, 40)) /* several patterns want a power of two */
		while ((q->n & (q->n - 1)) != 0)
			q->n &= q->n - 1;
	if (q->kind == MAPPED && q->n > 5 && rng_chance(r, 50))
		q->n = rng_between(r, 2, 5); /* few enough to try every mapping */
	if (q->n < hosts || rng_chance(r, 50)) {
		command_add(&q->command, "-s");
		command_add(&q->command, "%d", q->n);
	}
}

static void draw_rules(struct question *q, struct rng *r)
{
	q->rules = (struct rules){.level = -1};
	if (rng_chance(r, 30)) {
		q->rules.serialise_sends = true;
		command_add(&q->command, "--serialise-sends");
	}
	q->rules.speed_aware = q->kind != MAPPED && rng_chance(r, 50); /* a mapped one works on whole numbers and whole patterns */
	if (!q->rules.speed_aware)
		command_add(&q->command, "--ignore-speeds");
	if (q->kind == MAPPED)
		return;
	if (q->pattern.levels > 0 && rng_chance(r, 20)) {
		q->rules.level = rng_below(r, q->pattern.levels);
		command_add(&q->command, "-l");
		command_add(&q->command, "%d", q->rules.level);
	}
}

static enum question_kind draw_kind(struct rng *r)
{
	int choice = rng_below(r, 100);

	return choice < 70 ? KNOWN : choice < 85 ? DRAWN : MAPPED;
}

void question_draw(struct question *q, const char *program, uint64_t seed)
{
	struct rng state = {.state = seed}, *r = &state;

	q->seed = seed;
	q->kind = draw_kind(r);
	q->runs = q->kind == DRAWN ? 1 : q->kind == MAPPED ? rng_between(r, 3, 6) : rng_between(r, 1, 4);
	pattern_init(&q->pattern);
	generate_fabric(&q->fabric, r, q->kind != MAPPED && rng_chance(r, 40));
	FILE *out = create(q, "fabric.dot");
	write_dot(&q->fabric, r, out);
	fclose(out);
	command_init(&q->command, program);
	command_add(&q->command, "-i");
	command_add(&q->command, "%s/fabric.dot", q->folder);
	draw_size(q, r);
	draw_pattern(q, r);
	draw_subset(q, r);
	draw_mapping(q, r);
	draw_rules(q, r);
	q->program_seed = rng_below(r, 100000);
	command_add(&q->command, "--seed");
	command_add(&q->command, "%ld", q->program_seed);
}

void question_clear(struct question *q)
{
	pattern_clear(&q->pattern);
	command_clear(&q->command);
}
