#include "metrics/result.h"

#include <stdlib.h>
#include <string.h>

static struct item *add(struct result *result, enum item_type type, const char *key, const char *label)
{
	struct item *item = &result->item[result->items++];
	*item = (struct item){.type = type, .key = key, .label = label};
	return item;
}

void result_histogram(
	struct result *result, enum item_type type, const char *key, const char *label, const char *of, struct bin *bins, size_t count)
{
	struct item *item = add(result, type, key, label);
	item->of = of;
	item->bins = bins;
	item->bin_count = count;
	for (size_t i = 0; i < count; i++)
		item->count += bins[i].count;
}

void result_count(struct result *result, const char *key, const char *label, uint64_t count)
{
	add(result, ITEM_COUNT, key, label)->count = count;
}

void result_number(struct result *result, const char *key, const char *label, double number)
{
	add(result, ITEM_NUMBER, key, label)->number[0] = number;
}

void result_quantity(struct result *result, const char *key, const char *label, double number)
{
	add(result, ITEM_QUANTITY, key, label)->number[0] = number;
}

void result_range(struct result *result, const char *key, const char *label, double low, double high)
{
	struct item *item = add(result, ITEM_RANGE, key, label);
	item->number[0] = low;
	item->number[1] = high;
}

void result_list(struct result *result, const char *key, const char *label, double *list, size_t count)
{
	struct item *item = add(result, ITEM_LIST, key, label);
	item->list = list;
	item->list_count = count;
}

void result_table(struct result *result, const char *key, const char *label, const struct table_column *columns, size_t column_count,
	double *list, size_t count)
{
	struct item *item = add(result, ITEM_TABLE, key, label);
	item->columns = columns;
	item->column_count = column_count;
	item->list = list;
	item->list_count = count;
}

void result_rows(struct result *result, const char *key, const char *label, struct table rows)
{
	add(result, ITEM_ROWS, key, label)->rows = rows;
}

void result_channels(struct result *result)
{
	add(result, ITEM_CHANNELS, "channels", NULL);
}

void result_watched(struct result *result, double seconds)
{
	result->item[result->items - 1].number[0] = seconds;
}

void result_any_size(struct result *result)
{
	result->item[result->items - 1].any_size = true;
}

void result_bin_end(struct result *result, double (*bin_end)(double value))
{
	result->item[result->items - 1].bin_end = bin_end;
}

void result_clear(struct result *result)
{
	for (unsigned i = 0; i < result->items; i++) {
		free(result->item[i].bins);
		free(result->item[i].list);
	}
	*result = (struct result){0};
}

const struct item *result_find(const struct result *result, const char *key)
{
	for (unsigned i = 0; i < result->items; i++)
		if (!strcmp(result->item[i].key, key))
			return &result->item[i];
	return NULL;
}
