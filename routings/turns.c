#include "routings/turns.h"

#include "base/memory.h"

#include <stdlib.h>

/* Side of the new turn on which a channel was found: after it, or before it. */
enum side { NEITHER, FOLLOWING, LEADING };

int turns_init(struct turns *turns, const struct routing_graph *graph, struct error *error)
{
	const struct fabric *fabric = graph->fabric;
	size_t into = 0;
	*turns = (struct turns){
		.graph = graph,
		.base = array_create(fabric->channels, sizeof *turns->base, error),
		.base_into = array_create(fabric->channels, sizeof *turns->base_into, error),
	};
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++) {
		uint32_t head = fabric->head[c], tail = graph->tail[c];
		turns->base[c] = turns->count;
		turns->base_into[c] = into;
		if (turns_joins_switches(turns, c)) {
			turns->count += fabric->first_channel[head + 1] - fabric->first_channel[head];
			into += graph->first_in[tail + 1] - graph->first_in[tail];
		}
	}
	if (into > turns->count)
		turns->count = into;
	return error->status ? -1 : 0;
}

void turns_clear(struct turns *turns)
{
	free(turns->base);
	free(turns->base_into);
}

/* Renumbers all positions, in the present order. */
static void number(struct lane_order *order)
{
	uint32_t end = order->turns->graph->fabric->channels, c = order->next[end];
	uint64_t gap = UINT64_MAX / ((uint64_t)end + 1);
	for (uint64_t position = gap; c != end; c = order->next[c], position += gap)
		order->position[c] = position;
	order->position[end] = UINT64_MAX;
}

int lane_order_init(struct lane_order *order, const struct turns *turns, struct error *error)
{
	size_t channels = turns->graph->fabric->channels;
	*order = (struct lane_order){
		.turns = turns,
		.patience = 1,
		.users = array_create(turns->count, sizeof *order->users, error),
		.refused = array_create(turns->count, sizeof *order->refused, error),
		.onwards = array_create(channels, sizeof *order->onwards, error),
		.back = array_create(channels, sizeof *order->back, error),
		.to = array_create(turns->count, sizeof *order->to, error),
		.from = array_create(turns->count, sizeof *order->from, error),
		.position = array_create(channels + 1, sizeof *order->position, error),
		.next = array_create(channels + 1, sizeof *order->next, error),
		.previous = array_create(channels + 1, sizeof *order->previous, error),
		.side = array_create(channels, sizeof *order->side, error),
		.following = array_create(channels, sizeof *order->following, error),
		.leading = array_create(channels, sizeof *order->leading, error),
	};
	if (error->status)
		return -1;
	for (uint32_t c = 0; c <= channels; c++) {
		order->next[c] = c < channels ? c + 1 : 0;
		order->previous[order->next[c]] = c;
	}
	number(order);
	return 0;
}

void lane_order_clear(struct lane_order *order)
{
	free(order->users);
	free(order->refused);
	free(order->onwards);
	free(order->back);
	free(order->to);
	free(order->from);
	free(order->position);
	free(order->next);
	free(order->previous);
	free(order->side);
	free(order->following);
	free(order->leading);
	*order = (struct lane_order){0};
}

/* Adds the channel to a side. Returns false if it is on the other side. */
static bool note(struct lane_order *order, uint32_t channel, enum side side, uint32_t *list, uint32_t *count)
{
	if (!order->side[channel]) {
		order->side[channel] = (uint8_t)side;
		list[(*count)++] = channel;
	}
	return order->side[channel] == side;
}

/* Adds the successors of the channel up to the position. Returns false if the sides meet. */
static bool step_onwards(struct lane_order *order, uint32_t channel, uint64_t last, uint32_t *count)
{
	const uint32_t *to = order->to + order->turns->base[channel];
	for (uint32_t i = 0; i < order->onwards[channel]; i++)
		if (order->position[to[i]] <= last && !note(order, to[i], FOLLOWING, order->following, count))
			return false;
	return true;
}

/* Adds the predecessors of the channel down to the position. Returns false if the sides meet. */
static bool step_back(struct lane_order *order, uint32_t channel, uint64_t first, uint32_t *count)
{
	const uint32_t *from = order->from + order->turns->base_into[channel];
	for (uint32_t i = 0; i < order->back[channel]; i++)
		if (order->position[from[i]] >= first && !note(order, from[i], LEADING, order->leading, count))
			return false;
	return true;
}

static int compare_positions(const void *left, const void *right, void *positions)
{
	const uint64_t *position = positions;
	uint64_t a = position[*(const uint32_t *)left], b = position[*(const uint32_t *)right];
	return a < b ? -1 : a > b;
}

/* Moves the channels behind `after`, keeping their order. */
static void move(struct lane_order *order, uint32_t *list, uint32_t count, uint32_t after)
{
	qsort_r(list, count, sizeof *list, compare_positions, order->position);
	for (uint32_t i = 0; i < count; i++) {
		order->next[order->previous[list[i]]] = order->next[list[i]];
		order->previous[order->next[list[i]]] = order->previous[list[i]];
	}
	uint64_t position = after == order->turns->graph->fabric->channels ? 0 : order->position[after],
		 gap = (order->position[order->next[after]] - position) / ((uint64_t)count + 1);
	for (uint32_t i = 0; i < count; after = list[i++]) {
		uint32_t next = order->next[after];
		order->next[after] = order->previous[next] = list[i];
		order->previous[list[i]] = after;
		order->next[list[i]] = next;
		order->position[list[i]] = position += gap;
	}
	if (!gap)
		number(order);
}

/*
 * Changes the order such that the turn leads forwards: moves the side that is completely known. Returns false if the turn closes a cycle.
 */
static bool make_way(struct lane_order *order, uint32_t from, uint32_t to)
{
	uint64_t first = order->position[to], last = order->position[from];
	uint32_t following = 0, leading = 0, done = 0;
	bool apart = note(order, to, FOLLOWING, order->following, &following) && note(order, from, LEADING, order->leading, &leading);
	for (; apart && done < following && done < leading; done++)
		apart = step_onwards(order, order->following[done], last, &following) &&
			step_back(order, order->leading[done], first, &leading);
	for (uint32_t i = 0; i < following; i++)
		order->side[order->following[i]] = NEITHER;
	for (uint32_t i = 0; i < leading; i++)
		order->side[order->leading[i]] = NEITHER;
	if (!apart)
		return false;
	if (done == following)
		move(order, order->following, following, from);
	else
		move(order, order->leading, leading, order->previous[to]);
	return true;
}

bool lane_order_add(struct lane_order *order, uint32_t from, uint32_t to)
{
	size_t turn = turns_number(order->turns, from, to);
	if (!order->users[turn]) {
		uint32_t period = order->removals / order->patience + 1;
		if (order->refused[turn] == period)
			return false;
		if (order->position[from] >= order->position[to] && !make_way(order, from, to)) {
			order->refused[turn] = period;
			return false;
		}
		order->to[order->turns->base[from] + order->onwards[from]++] = to;
		order->from[order->turns->base_into[to] + order->back[to]++] = from;
	}
	order->users[turn]++;
	return true;
}

/* Removes the channel, which must be in the list. */
static void take_out(uint32_t *list, uint32_t *count, uint32_t channel)
{
	uint32_t i = 0;
	while (list[i] != channel)
		i++;
	list[i] = list[--*count];
}

void lane_order_remove(struct lane_order *order, uint32_t from, uint32_t to)
{
	if (--order->users[turns_number(order->turns, from, to)])
		return;
	take_out(order->to + order->turns->base[from], &order->onwards[from], to);
	take_out(order->from + order->turns->base_into[to], &order->back[to], from);
	order->removals++;
}
