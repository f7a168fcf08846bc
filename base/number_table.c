/* Open addressing with linear probing. */
#include "base/number_table.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int number_table_init(struct number_table *table, size_t count, struct error *error)
{
	size_t size = 16;
	while (size < 2 * count)
		size *= 2;
	*table = (struct number_table){.mask = size - 1, .slots = array_create(size, sizeof *table->slots, error)};
	if (!table->slots)
		return -1;
	number_table_empty(table);
	return 0;
}

void number_table_empty(struct number_table *table)
{
	if (table->slots)
		memset(table->slots, 0xff, (table->mask + 1) * sizeof *table->slots); /* NUMBER_NONE */
	table->count = 0;
}

void number_table_clear(struct number_table *table)
{
	free(table->slots);
	*table = (struct number_table){0};
}

static inline struct number_slot *find_slot(const struct number_table *table, uint64_t key)
{
	size_t i = (key ^ key >> 32) * UINT64_C(0x9e3779b97f4a7c15) >> 20 & table->mask;
	while (table->slots[i].value != NUMBER_NONE && table->slots[i].key != key)
		i = (i + 1) & table->mask;
	return &table->slots[i];
}

int number_table_reserve(struct number_table *table, size_t count, struct error *error)
{
	struct number_table larger;
	if (table->slots && 2 * count <= table->mask + 1)
		return 0;
	if (number_table_init(&larger, 2 * count, error))
		return -1;
	for (size_t i = 0; table->slots && i <= table->mask; i++)
		if (table->slots[i].value != NUMBER_NONE)
			*find_slot(&larger, table->slots[i].key) = table->slots[i];
	larger.count = table->count;
	free(table->slots);
	*table = larger;
	return 0;
}

bool number_table_add(struct number_table *table, uint64_t key, uint64_t value)
{
	struct number_slot *slot = find_slot(table, key);
	if (slot->value != NUMBER_NONE)
		return false;
	*slot = (struct number_slot){key, value};
	table->count++;
	return true;
}

uint64_t number_table_find(const struct number_table *table, uint64_t key)
{
	return table->slots ? find_slot(table, key)->value : NUMBER_NONE;
}
