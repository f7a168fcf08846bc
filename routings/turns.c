#include "turns.h"

#include <stdlib.h>

int turns_init(struct turns *turns, const struct routing_graph *graph, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	*turns = (struct turns){.graph = graph, .base = array_create(fabric->channels, sizeof *turns->base, error)};
	if (!turns->base)
		return -1;
	for (uint32_t c = 0; c < fabric->channels; c++) {
		uint32_t head = fabric->head[c];
		turns->base[c] = turns->count;
		if (turns_joins_switches(turns, c))
			turns->count += fabric->first_channel[head + 1] - fabric->first_channel[head];
	}
	return 0;
}

void turns_clear(struct turns *turns)
{
	free(turns->base);
}

int lane_order_init(struct lane_order *order, const struct turns *turns, struct error *error)
{
	uint32_t channels = turns->graph->fabric->channels;
	*order = (struct lane_order){
		.turns = turns,
		.users = array_create(turns->count, sizeof *order->users, error),
		.position = array_create(channels, sizeof *order->position, error),
		.seen = array_create(channels, sizeof *order->seen, error),
		.found = array_create(channels, sizeof *order->found, error),
		.places = array_create(channels, sizeof *order->places, error),
	};
	for (uint32_t c = 0; c < channels && !error->status; c++)
		order->position[c] = c;
	return error->status ? -1 : 0;
}

void lane_order_clear(struct lane_order *order)
{
	free(order->users);
	free(order->position);
	free(order->seen);
	free(order->found);
	free(order->places);
}

static void note(struct lane_order *order, uint32_t channel, uint32_t *count)
{
	order->seen[channel] = true;
	order->found[(*count)++] = channel;
}

/* All channels after the start, by turns in use, up to the place of the last; they are found[0..]. Returns how many, 0 if last is one. */
static uint32_t search_onwards(struct lane_order *order, uint32_t start, uint32_t last)
{
	const struct fabric *fabric = order->turns->graph->fabric;
	uint32_t count = 0;
	note(order, start, &count);
	for (uint32_t i = 0; i < count; i++) {
		uint32_t from = order->found[i], node = fabric->head[from];
		for (uint32_t c = fabric->first_channel[node]; c < fabric->first_channel[node + 1]; c++) {
			if (!order->users[turns_number(order->turns, from, c)] || order->seen[c] ||
				order->position[c] > order->position[last])
				continue;
			if (c == last) {
				while (count)
					order->seen[order->found[--count]] = false;
				return 0;
			}
			note(order, c, &count);
		}
	}
	return count;
}

/* All channels before the start, down to that place; they are found[first..]. Returns where they end. */
static uint32_t search_back(struct lane_order *order, uint32_t start, uint32_t least, uint32_t first)
{
	const struct routing_graph *n = order->turns->graph;
	uint32_t count = first;
	note(order, start, &count);
	for (uint32_t i = first; i < count; i++) {
		uint32_t to = order->found[i], node = n->tail[to];
		for (uint32_t k = n->first_in[node]; k < n->first_in[node + 1]; k++) {
			uint32_t c = n->in[k];
			if (turns_joins_switches(order->turns, c) && order->users[turns_number(order->turns, c, to)] && !order->seen[c] &&
				order->position[c] > least)
				note(order, c, &count);
		}
	}
	return count;
}

static int compare_numbers(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return a < b ? -1 : a > b;
}

static int compare_positions(const void *left, const void *right, void *data)
{
	const struct lane_order *order = data;
	uint32_t a = order->position[*(const uint32_t *)left], b = order->position[*(const uint32_t *)right];
	return a < b ? -1 : a > b;
}

bool lane_order_add(struct lane_order *order, uint32_t from, uint32_t to)
{
	uint32_t *users = &order->users[turns_number(order->turns, from, to)];
	if (!*users && order->position[from] > order->position[to]) {
		uint32_t later = search_onwards(order, to, from), all;
		if (!later)
			return false;
		all = search_back(order, from, order->position[to], later);
		/* the places of all go first to those that stand before, then to the others, each in its order so far */
		for (uint32_t i = 0; i < all; i++) {
			order->places[i] = order->position[order->found[i]];
			order->seen[order->found[i]] = false;
		}
		qsort(order->places, all, sizeof *order->places, compare_numbers);
		qsort_r(order->found, later, sizeof *order->found, compare_positions, order);
		qsort_r(order->found + later, all - later, sizeof *order->found, compare_positions, order);
		for (uint32_t i = 0; i < all; i++)
			order->position[order->found[i < all - later ? later + i : i - (all - later)]] = order->places[i];
	}
	++*users;
	return true;
}

void lane_order_remove(struct lane_order *order, uint32_t from, uint32_t to)
{
	order->users[turns_number(order->turns, from, to)]--;
}
