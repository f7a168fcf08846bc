/*
 * De Bruijn and Kautz networks: nodes are words of n letters, and a word leads to those formed by removing its first letter and appending a
 * letter (de Bruijn: A Combinatorial Problem, 1946; Kautz: Bounds on Directed (d,k) Graphs, 1968). De Bruijn: all words of d letters;
 * Kautz: those of d+1 letters in which no two adjacent letters are equal. Direct networks, see direct.h. A word that leads to itself has no
 * cable; two that lead to each other have one cable or, with oneway, one channel each.
 *
 * Words are numbered in lexicographic order. Ports: hosts first; then in the order of the cables: by the first word, then by the second.
 */
#include "base/memory.h"
#include "topologies/cabling.h"

struct words {
	uint32_t letters, length, count;
	bool kautz;
};

/* Convert a word's number to its letters, and back; Kautz: from the second on, letters are numbered without the one before. */
static void letters_of(const struct words *t, uint32_t word, uint32_t *letter)
{
	uint32_t choices = t->letters - t->kautz;
	for (uint32_t i = t->length; i-- > 1; word /= choices)
		letter[i] = word % choices;
	letter[0] = word;
	for (uint32_t i = 1; i < t->length && t->kautz; i++)
		letter[i] += letter[i] >= letter[i - 1];
}

static uint32_t word_of(const struct words *t, const uint32_t *letter)
{
	uint32_t word = letter[0];
	for (uint32_t i = 1; i < t->length; i++)
		word = word * (t->letters - t->kautz) + letter[i] - (t->kautz && letter[i] > letter[i - 1]);
	return word;
}

/* Returns whether, of two different words, the second leads to the first while the first leads to the second. */
static bool leads_back(const struct words *t, const uint32_t *letter, uint32_t last)
{
	bool back = t->length == 1 || last == letter[t->length - 2];
	for (uint32_t i = 2; i < t->length; i++)
		back &= letter[i] == letter[i - 2];
	return back;
}

static void add_cables(struct topology *topology, const struct words *t, bool one_way)
{
	uint32_t letter[40] = {0};
	for (uint32_t word = 0; word < t->count; word++)
		for (uint32_t last = 0; last < t->letters; last++) {
			letters_of(t, word, letter);
			if (t->kautz && last == letter[t->length - 1])
				continue;
			letter[t->length] = last;
			uint32_t to = word_of(t, letter + 1);
			if (to == word || (!one_way && to < word && leads_back(t, letter, last)))
				continue;
			uint32_t a = cabling_node(topology, word), b = cabling_node(topology, to);
			cabling_add_cable(topology, (struct cable){a, b, one_way, !direct_hosts(topology)});
		}
}

static int make_words(struct topology *topology, bool kautz, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	uint64_t d = (uint64_t)value[0].integer, n = (uint64_t)value[1].integer, count = times(power(d, n - 1), d + kautz);
	struct words *t = topology->data = array_create(1, sizeof *t, error);
	bool one_way = value[3].integer;
	/* de Bruijn: d words lead to themselves; both: those of two alternating letters lead to each other */
	uint64_t arcs = times(count, d) - (kautz ? 0 : d), cables = arcs - (one_way ? 0 : kautz ? d * (d + 1) / 2 : d * (d - 1) / 2);
	if (!t || cabling_start_direct(topology, value[2].text, count, count > CABLING_CHANNELS_MAX ? count : cables, error))
		return -1;
	*t = (struct words){(uint32_t)(d + kautz), (uint32_t)n, (uint32_t)count, kautz};
	add_cables(topology, t, one_way);
	return cabling_finish(topology, error);
}

static int debruijn_setup(struct topology *topology, struct error *error)
{
	return make_words(topology, false, error);
}

static int kautz_setup(struct topology *topology, struct error *error)
{
	return make_words(topology, true, error);
}

/* Writes the name letter by letter. */
static void word_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct words *t = topology->data;
	uint32_t letter[40];
	letters_of(t, direct_node(topology, host, node), letter);
	for (uint32_t i = 0; i < t->length; i++)
		text = put_number(text, i ? '_' : host ? 'H' : 'S', letter[i]);
	direct_name_end(topology, host, node, text);
}

static const struct arg word_args[] = {
	{"d", ARG_INTEGER, NULL, 2, 100000, "number of words to which each leads"},
	{"n", ARG_INTEGER, NULL, 1, 30, "letters of a word"},
	DIRECT_HOSTS,
	{"oneway", ARG_FLAG, NULL, 0, 0, "only the channel from each word to the next"},
	{.type = ARG_END},
};

const struct topology_kind topology_kautz = {
	.name = "kautz",
	.summary = "words without two equal adjacent letters, joined if they overlap in all letters but one",
	.source = "Kautz 1968",
	.formulae = "d^n + d^(n-1) switches, H times as many hosts; d^(n+1) + d^n - d (d+1)/2 cables between switches, one way d^(n+1) + "
		    "d^n channels; at most n of these between switches",
	.args = word_args,
	.setup = kautz_setup,
	.node_name = word_name,
	CABLED,
};

const struct topology_kind topology_debruijn = {
	.name = "debruijn",
	.summary = "words joined if they overlap in all letters but one",
	.source = "de Bruijn 1946",
	.formulae =
		"d^n switches, H d^n hosts; d^(n+1) - d - d (d-1)/2 cables between switches, one way d^(n+1) - d channels; at most n of "
		"these between switches",
	.args = word_args,
	.setup = debruijn_setup,
	.node_name = word_name,
	CABLED,
};
