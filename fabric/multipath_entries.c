#include "fabric/multipath_entries.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A channel that lists a host. */
struct listing {
	uint32_t channel, weight;
	uint32_t before; /* the previous listing of the same host; NONE */
};

struct multipath_entries_builder {
	const struct fabric *fabric;
	uint32_t *last; /* [hosts] the last listing of the host at this node; NONE */
	struct listing *listing;
	size_t listings, listing_capacity;
	uint32_t *any; /* [anys] the channels that list all others */
	size_t anys, any_capacity;
	bool doubled;              /* two channels of this node listed the same host */
	uint32_t *column, columns; /* [nodes] */
	uint32_t *table;           /* [columns][hosts] sets */
	size_t table_capacity;
	uint32_t sets;
	size_t *first; /* [sets + 1] offset in word: the channels of a set, and their weights */
	size_t first_capacity;
	uint32_t *word; /* channel, weight, channel, weight, ... */
	size_t words, word_capacity;
	uint32_t *slot; /* [slots] hash table of sets, NONE: free */
	size_t slots;
};

struct multipath_entries *multipath_entries_copy(const struct fabric *fabric, const struct multipath_entries *from, struct error *error)
{
	struct multipath_entries *a = array_create(1, sizeof *a, error);
	if (!a)
		return NULL;
	a->columns = from->columns;
	a->sets = from->sets;
	a->column = array_copy(from->column, fabric->nodes, sizeof *a->column, error);
	a->set = array_copy(from->set, (size_t)fabric->hosts * a->columns, sizeof *a->set, error);
	a->first = array_copy(from->first, (size_t)a->sets + 1, sizeof *a->first, error);
	a->channel = array_copy(from->channel, from->first[a->sets], sizeof *a->channel, error);
	a->share = array_copy(from->share, from->first[a->sets], sizeof *a->share, error);
	if (!error->status)
		return a;
	multipath_entries_free(a);
	return NULL;
}

void multipath_entries_free(struct multipath_entries *alternatives)
{
	if (alternatives && !alternatives->shared) {
		free(alternatives->column);
		free(alternatives->set);
		free(alternatives->first);
		free(alternatives->channel);
		free(alternatives->share);
	}
	free(alternatives);
}

static void builder_free(struct multipath_entries_builder *b)
{
	free(b->last);
	free(b->listing);
	free(b->any);
	free(b->column);
	free(b->table);
	free(b->first);
	free(b->word);
	free(b->slot);
	free(b);
}

struct multipath_entries_builder *multipath_entries_builder_create(const struct fabric *fabric, struct error *error)
{
	struct multipath_entries_builder *b = array_create(1, sizeof *b, error);
	if (!b)
		return NULL;
	b->fabric = fabric;
	b->last = array_create(fabric->hosts, sizeof *b->last, error);
	b->column = array_create(fabric->nodes, sizeof *b->column, error);
	if (!error->status && !array_grow(&b->first, &b->first_capacity, 1, sizeof *b->first, error)) {
		memset(b->last, 0xff, fabric->hosts * sizeof *b->last);     /* NONE */
		memset(b->column, 0xff, fabric->nodes * sizeof *b->column); /* NONE */
		b->first[0] = 0;
		return b;
	}
	builder_free(b);
	return NULL;
}

void multipath_entries_builder_add(struct multipath_entries_builder *b, uint32_t channel, uint32_t host, struct error *error)
{
	uint32_t last = b->last[host];
	if (last != NONE && b->listing[last].channel == channel)
		return;
	if (array_grow(&b->listing, &b->listing_capacity, b->listings + 1, sizeof *b->listing, error))
		return;
	b->doubled |= last != NONE;
	b->listing[b->listings] = (struct listing){channel, 1, last};
	b->last[host] = (uint32_t)b->listings++;
}

void multipath_entries_builder_add_any(struct multipath_entries_builder *b, uint32_t channel, struct error *error)
{
	if (!array_grow(&b->any, &b->any_capacity, b->anys + 1, sizeof *b->any, error))
		b->any[b->anys++] = channel;
}

bool multipath_entries_builder_weigh(struct multipath_entries_builder *b, uint32_t channel, uint32_t host, uint32_t weight)
{
	uint32_t last = b->last[host];
	if (last == NONE || b->listing[last].channel != channel)
		return false;
	b->listing[last].weight = weight;
	return true;
}

static size_t slot_of(const struct multipath_entries_builder *b, const uint32_t *word, size_t count)
{
	return hash_words(0, word, count * sizeof *word) % b->slots;
}

static bool equal_set(const struct multipath_entries_builder *b, uint32_t set, const uint32_t *word, size_t count)
{
	return b->first[set + 1] - b->first[set] == count && !memcmp(b->word + b->first[set], word, count * sizeof *word);
}

/* Doubles the number of slots. Returns 0, or -1. */
static int grow_slots(struct multipath_entries_builder *b, struct error *error)
{
	free(b->slot);
	b->slots = b->slots ? 2 * b->slots : 1024;
	b->slot = array_create(b->slots, sizeof *b->slot, error);
	if (!b->slot)
		return -1;
	memset(b->slot, 0xff, b->slots * sizeof *b->slot); /* NONE */
	for (uint32_t set = 0; set < b->sets; set++) {
		size_t slot = slot_of(b, b->word + b->first[set], b->first[set + 1] - b->first[set]);
		while (b->slot[slot] != NONE)
			slot = (slot + 1) % b->slots;
		b->slot[slot] = set;
	}
	return 0;
}

/* Keeps the set of count words behind the last one, or finds an equal one. Returns its number, NONE if out of memory. */
static uint32_t keep_set(struct multipath_entries_builder *b, size_t count, struct error *error)
{
	const uint32_t *word = b->word + b->words;
	if (2 * ((size_t)b->sets + 1) > b->slots && grow_slots(b, error))
		return NONE;
	size_t slot = slot_of(b, word, count);
	for (; b->slot[slot] != NONE; slot = (slot + 1) % b->slots)
		if (equal_set(b, b->slot[slot], word, count))
			return b->slot[slot];
	if (array_grow(&b->first, &b->first_capacity, (size_t)b->sets + 2, sizeof *b->first, error))
		return NONE;
	b->words += count;
	b->first[b->sets + 1] = b->words;
	b->slot[slot] = b->sets;
	return b->sets++;
}

/* Returns the set of a host at this node; NONE if it has no choice, or out of memory. */
static uint32_t set_of(struct multipath_entries_builder *b, uint32_t host, struct error *error)
{
	size_t count = 0;
	for (uint32_t l = b->last[host]; l != NONE; l = b->listing[l].before)
		count++;
	size_t named = count;
	if (!named)
		count = b->anys;
	if (count < 2 || array_grow(&b->word, &b->word_capacity, b->words + 2 * count, sizeof *b->word, error))
		return NONE;
	uint32_t *word = b->word + b->words, last = b->last[host];
	for (size_t i = count; i-- > 0;) {
		word[2 * i] = named ? b->listing[last].channel : b->any[i];
		word[2 * i + 1] = named ? b->listing[last].weight : 1;
		last = named ? b->listing[last].before : NONE;
	}
	return keep_set(b, 2 * count, error);
}

int multipath_entries_builder_end_node(struct multipath_entries_builder *b, uint32_t node, struct error *error)
{
	uint32_t hosts = b->fabric->hosts, *table = NULL;
	bool choice = b->doubled || b->anys > 1;
	if (!choice && b->listings)
		memset(b->last, 0xff, hosts * sizeof *b->last); /* NONE */
	for (uint32_t host = 0; choice && host < hosts && !error->status; host++) {
		uint32_t set = b->fabric->host_node[host] == node ? NONE : set_of(b, host, error);
		b->last[host] = NONE;
		if (set == NONE)
			continue;
		if (!table) {
			size_t start = (size_t)b->columns * hosts;
			if (array_grow(&b->table, &b->table_capacity, start + hosts, sizeof *b->table, error))
				break;
			table = b->table + start;
			memset(table, 0xff, hosts * sizeof *table); /* NONE */
			b->column[node] = b->columns++;
		}
		table[host] = set;
	}
	b->listings = b->anys = 0;
	b->doubled = false;
	return error->status ? -1 : 0;
}

/* Converts the weights of each set to shares. */
static void fill_sets(struct multipath_entries *a, const struct multipath_entries_builder *b)
{
	for (uint32_t set = 0; set < b->sets; set++) {
		double sum = 0;
		a->first[set] = (uint32_t)(b->first[set] / 2);
		for (size_t i = b->first[set]; i < b->first[set + 1]; i += 2)
			sum += b->word[i + 1];
		for (size_t i = b->first[set]; i < b->first[set + 1]; i += 2) {
			a->channel[i / 2] = b->word[i];
			a->share[i / 2] = b->word[i + 1] / sum;
		}
	}
	a->first[b->sets] = (uint32_t)(b->words / 2);
}

struct multipath_entries *multipath_entries_builder_finish(struct multipath_entries_builder *b, struct error *error)
{
	struct multipath_entries *a = NULL;
	if (!b)
		return NULL;
	uint32_t hosts = b->fabric->hosts;
	if (!error->status && b->columns && (a = array_create(1, sizeof *a, error))) {
		*a = (struct multipath_entries){
			.columns = b->columns,
			.column = b->column,
			.set = array_create((size_t)hosts * b->columns, sizeof *a->set, error),
			.sets = b->sets,
			.first = array_create((size_t)b->sets + 1, sizeof *a->first, error),
			.channel = array_create(b->words / 2, sizeof *a->channel, error),
			.share = array_create(b->words / 2, sizeof *a->share, error),
		};
		b->column = NULL;
		for (uint32_t host = 0; host < hosts && !error->status; host++)
			for (uint32_t c = 0; c < b->columns; c++)
				a->set[(size_t)host * b->columns + c] = b->table[(size_t)c * hosts + host];
		if (!error->status)
			fill_sets(a, b);
	}
	builder_free(b);
	if (!error->status)
		return a;
	multipath_entries_free(a);
	return NULL;
}
