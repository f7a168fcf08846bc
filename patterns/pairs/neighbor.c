/*
 * Every rank has X neighbours, to which it sends and from which it receives. Built greedily as in the paper: rank after rank is linked to
 * the lowest ranks after it that have too few links. The result is cliques of X+1 ranks in their order, no ring and no grid; the ranks that
 * remain are a smaller clique. Time O(n X).
 */
#include "base/memory.h"
#include "patterns/pairs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static const struct arg neighbor_args[] = {
	{"X", ARG_INTEGER, NULL, 1, 1000000, "number of neighbours"},
	{.type = ARG_END},
};

/* The links, each once. */
struct links {
	size_t count, capacity;
	struct pair *pairs;
};

/*
 * Ranks with free places are in a list in ascending order. Rank i is its head (all before it are complete or can find no partner), and its
 * candidates are the next in the list: it cannot be linked to one twice, as it passes through the list once.
 */
static int neighbor_setup(struct pattern_call *call, struct error *error)
{
	uint32_t n = call->ranks, wanted = (uint32_t)call->args.value[0].integer;
	uint32_t *degree = array_create(n, sizeof *degree, error);
	uint32_t *next = array_create((size_t)n + 1, sizeof *next, error);
	struct links *links = call->data = array_create(1, sizeof *links, error);
	for (uint32_t i = 0; !error->status && i <= n; i++)
		next[i] = i + 1;
	for (uint32_t i = 0; !error->status && i < n; i++) {
		if (degree[i] >= wanted)
			continue;
		uint32_t before = i;
		for (uint32_t j = next[i]; j < n && degree[i] < wanted; j = next[j]) {
			if (array_grow(&links->pairs, &links->capacity, links->count + 1, sizeof *links->pairs, error))
				break;
			links->pairs[links->count++] = (struct pair){i, j};
			degree[i]++;
			if (++degree[j] == wanted)
				next[before] = next[j];
			else
				before = j;
		}
	}
	free(degree);
	free(next);
	return error->status ? -1 : 0;
}

static void neighbor_cleanup(struct pattern_call *call)
{
	struct links *links = call->data;
	if (links)
		free(links->pairs);
	free(links);
}

static void neighbor_level(const struct pattern_call *call, uint64_t level, struct sink *sink)
{
	(void)level;
	const struct links *links = call->data;
	for (size_t i = 0; i < links->count; i++) {
		emit(sink, links->pairs[i].sender, links->pairs[i].receiver);
		emit(sink, links->pairs[i].receiver, links->pairs[i].sender);
	}
}

/* Counts the ranks of the last, smaller clique, if there is one. */
static void neighbor_note(const struct pattern_call *call, char *text, size_t size)
{
	uint32_t wanted = (uint32_t)call->args.value[0].integer, rest = call->ranks % (wanted + 1);
	if (rest == 1)
		snprintf(text, size, "rank %" PRIu32 " has no neighbour: %" PRIu32 " ranks are not a multiple of %" PRIu32, call->ranks - 1,
			call->ranks, wanted + 1);
	else if (rest)
		snprintf(text, size,
			"the last %" PRIu32 " ranks have %" PRIu32 " neighbour%s each: %" PRIu32 " ranks are not a multiple of %" PRIu32,
			rest, rest - 1, rest == 2 ? "" : "s", call->ranks, wanted + 1);
}

#define NEIGHBOR(variable, its_name, its_preset, its_summary) \
	const struct pattern variable = { \
		.name = its_name, \
		.summary = its_summary, \
		.source = "ORCS paper 2.4", \
		.args = neighbor_args, \
		.preset = its_preset, \
		.setup = neighbor_setup, \
		.cleanup = neighbor_cleanup, \
		.level = neighbor_level, \
		.note = neighbor_note, \
	}

NEIGHBOR(pattern_neighbor, "neighbor", NULL, "cliques of X+1 ranks: every rank exchanges with X others, all at once");
NEIGHBOR(pattern_neighbor2, "2neighbor", "2", "neighbor:2: cliques of three ranks");
NEIGHBOR(pattern_neighbor4, "4neighbor", "4", "neighbor:4: cliques of five ranks");
NEIGHBOR(pattern_neighbor6, "6neighbor", "6", "neighbor:6: cliques of seven ranks");
