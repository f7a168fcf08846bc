/* Many channels have the same tables: each text is parsed once. */
#include "fabric/lane_arbitration.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { LANE_LAST = 14, LARGEST = UINT8_MAX };

/* Reads a number up to most at *text and moves *text past it. Returns whether there is one. */
static bool scan(const char **text, unsigned most, uint8_t *number)
{
	char *end;
	unsigned long value = **text >= '0' && **text <= '9' ? strtoul(*text, &end, 10) : most + 1UL;
	if (value > most)
		return false;
	*number = (uint8_t)value;
	*text = end;
	return true;
}

/* Reads "0:32,1:64" and moves *text past it. */
static bool scan_weights(const char **text, struct lane_weights *weights)
{
	weights->entries = 0;
	do {
		struct lane_weight *entry = &weights->entry[weights->entries];
		if (weights->entries == ARBITRATION_ENTRIES || !scan(text, LANE_LAST, &entry->lane) || *(*text)++ != ':' ||
			!scan(text, LARGEST, &entry->weight))
			return false;
		weights->entries++;
	} while (**text == ',' && ++*text);
	return true;
}

bool lane_weights_read(const char *text, struct lane_weights *weights)
{
	return scan_weights(&text, weights) && !*text;
}

static bool scan_word(const char **text, const char *word)
{
	size_t length = strlen(word);
	bool there = !strncmp(*text, word, length);
	*text += there ? length : 0;
	return there;
}

/* Reads the attribute: parts in any order, each at most once. */
static bool scan_all(const char *text, struct lane_arbitration *a)
{
	bool limited = false;
	*a = (struct lane_arbitration){0};
	do {
		if (!a->low.entries && scan_word(&text, "low=")) {
			if (!scan_weights(&text, &a->low))
				return false;
		} else if (!a->high.entries && scan_word(&text, "high=")) {
			if (!scan_weights(&text, &a->high))
				return false;
		} else if (limited || !(limited = scan_word(&text, "limit=")) || !scan(&text, LARGEST, &a->limit)) {
			return false;
		}
	} while (*text == ';' && text++);
	return !*text;
}

static uint32_t lanes_of(const struct lane_weights *weights)
{
	uint32_t lanes = 0;
	for (uint32_t i = 0; i < weights->entries; i++)
		lanes |= weights->entry[i].weight ? 1u << weights->entry[i].lane : 0;
	return lanes;
}

uint32_t lane_arbitration_lanes(const struct lane_arbitration *arbitration)
{
	return lanes_of(&arbitration->high) | lanes_of(&arbitration->low);
}

/* Appends "low=0:32,1:64". Returns the new length. */
static int add_weights(const struct lane_weights *weights, const char *name, char *text, int length)
{
	const char *before = name;
	for (uint32_t i = 0; i < weights->entries; i++) {
		if (!weights->entry[i].weight)
			continue;
		length += sprintf(text + length, "%s%s%u:%u", length && before == name ? ";" : "", before, weights->entry[i].lane,
			weights->entry[i].weight);
		before = ",";
	}
	return length;
}

int lane_arbitration_text(const struct lane_arbitration *arbitration, char text[ARBITRATION_TEXT])
{
	int length = add_weights(&arbitration->low, "low=", text, 0);
	length = add_weights(&arbitration->high, "high=", text, length);
	if (length && arbitration->limit)
		length += sprintf(text + length, ";limit=%u", arbitration->limit);
	text[length] = '\0';
	return length;
}

/* Adds the table of a text. Returns 0, 1 if it is invalid, or -1. */
static int add_table(struct lane_arbitrations *a, size_t *capacity, const char *text, struct error *error)
{
	if (array_grow(&a->table, capacity, (size_t)a->tables + 1, sizeof *a->table, error))
		return -1;
	if (!scan_all(text, &a->table[a->tables]))
		return 1;
	a->tables++;
	return 0;
}

static void load(struct lane_arbitrations *a, const struct attributes *attributes, const struct fabric *fabric, struct name_table *texts,
	struct error *error)
{
	const struct fabric_labels *labels = fabric->labels;
	size_t capacity = 0;
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++) {
		const char *text = attributes_of_channel(attributes, c, "vlarb");
		a->table_of[c] = NONE;
		if (!text || name_table_reserve(texts, (size_t)a->tables + 1, error))
			continue;
		a->table_of[c] = name_table_add(texts, text, a->tables);
		if (a->table_of[c] == a->tables && add_table(a, &capacity, text, error) > 0) {
			const char *tail = labels->name[fabric_tail(fabric, c)];
			error_at(error, STATUS_FABRIC, labels->source, labels->line_of ? labels->line_of(labels->source, tail) : 0,
				"channel %s -> %s: the attribute vlarb='%.40s' is not a list such as low=0:32,1:64;high=2:4;limit=6", tail,
				labels->name[fabric->head[c]], text);
		}
	}
}

int lane_arbitrations_load(
	struct lane_arbitrations **result, const struct attributes *attributes, const struct fabric *fabric, struct error *error)
{
	struct name_table texts = {0};
	*result = NULL;
	if (!attributes || !attributes_find(attributes, ATTRIBUTE_CHANNEL, "vlarb"))
		return 0;
	struct lane_arbitrations *a = *result = array_create(1, sizeof *a, error);
	if (a)
		a->table_of = array_create(fabric->channels, sizeof *a->table_of, error);
	if (!error->status && !name_table_init(&texts, 16, error))
		load(a, attributes, fabric, &texts, error);
	name_table_clear(&texts);
	if (!error->status && a->tables)
		return 0;
	lane_arbitrations_free(a);
	*result = NULL;
	return error->status ? -1 : 0;
}

void lane_arbitrations_free(struct lane_arbitrations *arbitrations)
{
	if (!arbitrations)
		return;
	free(arbitrations->table_of);
	free(arbitrations->table);
	free(arbitrations);
}
