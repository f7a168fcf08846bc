#include "tools/check/directors.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A switch as its description names it. */
struct chip {
	const char *desc;
	int length; /* of the name of the chassis */
	char kind;  /* L or S */
	unsigned long board;
};

/* Reads "CHASSIS/L02/U1" or "CHASSIS/S02/U1", or the same without /U1. */
static bool read_chip(const char *desc, struct chip *chip)
{
	for (const char *at = strchr(desc, '/'); at; at = strchr(at + 1, '/')) {
		char *end;
		if (at == desc || (at[1] != 'L' && at[1] != 'S') || at[2] < '0' || at[2] > '9')
			continue;
		unsigned long board = strtoul(at + 2, &end, 10);
		if (*end && strncmp(end, "/U", 2) != 0)
			continue;
		*chip = (struct chip){desc, (int)(at - desc), at[1], board};
		return true;
	}
	return false;
}

/* Compares the chassis. */
static int compare_names_of(const struct chip *a, const struct chip *b)
{
	int order = memcmp(a->desc, b->desc, (size_t)(a->length < b->length ? a->length : b->length));
	return order ? order : a->length - b->length;
}

static int compare_chips(const void *left, const void *right)
{
	const struct chip *a = left, *b = right;
	int order = compare_names_of(a, b);
	if (!order)
		order = a->kind - b->kind;
	return order ? order : (a->board > b->board) - (a->board < b->board);
}

bool directors_alike(const struct director *a, const struct director *b)
{
	return a->leaf_boards == b->leaf_boards && a->spine_boards == b->spine_boards && a->switches == b->switches;
}

static int compare_directors(const void *left, const void *right)
{
	const struct director *a = left, *b = right;
	if (a->switches != b->switches)
		return a->switches > b->switches ? -1 : 1;
	if (a->leaf_boards != b->leaf_boards)
		return a->leaf_boards > b->leaf_boards ? -1 : 1;
	if (a->spine_boards != b->spine_boards)
		return a->spine_boards > b->spine_boards ? -1 : 1;
	return compare_names_of(&(struct chip){.desc = a->name, .length = a->length}, &(struct chip){.desc = b->name, .length = b->length});
}

int directors_find(struct directors *directors, const struct fabric *fabric, struct error *error)
{
	struct chip *chip = array_create(fabric->nodes - fabric->hosts, sizeof *chip, error);
	uint32_t chips = 0;
	*directors = (struct directors){0};
	for (uint32_t v = 0; v < fabric->nodes && chip; v++)
		chips += fabric->node_host[v] == NONE && read_chip(fabric->labels->desc[v], &chip[chips]);
	directors->director = array_create(chips, sizeof *directors->director, error);
	if (chip)
		qsort(chip, chips, sizeof *chip, compare_chips);
	for (uint32_t i = 0; i < chips && !error->status; i++) {
		if (!i || compare_names_of(&chip[i - 1], &chip[i]))
			directors->director[directors->count++] = (struct director){.name = chip[i].desc, .length = chip[i].length};
		struct director *d = &directors->director[directors->count - 1];
		bool first = !d->switches++ || compare_chips(&chip[i - 1], &chip[i]);
		*(chip[i].kind == 'L' ? &d->leaf_boards : &d->spine_boards) += first;
	}
	if (!error->status)
		qsort(directors->director, directors->count, sizeof *directors->director, compare_directors);
	free(chip);
	return error->status ? -1 : 0;
}

void directors_clear(struct directors *directors)
{
	free(directors->director);
	*directors = (struct directors){0};
}
