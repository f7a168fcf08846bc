/* The dependencies between channels that routes on one lane make. */
#include "tools/compare/fail_state.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void add_turns(struct fail_state *s, const uint32_t *table)
{
	const struct fabric *f = s->fabric;
	memset(s->turn, false, s->turn_first[f->channels]);
	for (uint32_t d = 0; d < f->hosts; d++) {
		if (s->lost[d])
			continue;
		s->epoch++;
		for (uint32_t start = 0; start < s->graph->columns; start++) {
			if (!s->senders[start] || !fail_senders(s, start, d) || !fail_arrives(s, table, start, d))
				continue;
			uint32_t before = NONE, channel;
			bool dead = false, seen = false;
			for (uint32_t column = start; column != NONE && !seen;) {
				seen = s->mark[column] == s->epoch;
				s->mark[column] = s->epoch;
				uint32_t next = fail_step(s, table, column, d, &channel, &dead);
				if (before != NONE)
					s->turn[s->turn_first[before] + channel - f->first_channel[f->head[before]]] = true;
				before = channel;
				column = next;
			}
		}
	}
}

/*
 * Tries to put the channels of a fat tree into the order up, then down. Positions of channels that no route uses then fit, too. Returns
 * whether all dependencies keep it.
 */
static bool order_levels(const struct fail_state *s, uint32_t *position, uint32_t *level)
{
	const struct fabric *f = s->fabric;
	uint32_t far = 0;
	memset(level, 0xff, f->nodes * sizeof *level);
	for (uint32_t h = 0; h < f->hosts; h++)
		level[f->host_node[h]] = 0;
	for (bool more = true; more; far += more) {
		more = false;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && level[v] == far; c++)
				if (level[f->head[c]] == NONE) {
					level[f->head[c]] = far + 1;
					more = true;
				}
	}
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			position[c] = level[f->head[c]] > level[v] ? level[v] : 2 * far - level[f->head[c]];
	for (uint32_t c = 0; c < f->channels; c++)
		for (uint64_t t = s->turn_first[c]; t < s->turn_first[c + 1]; t++)
			if (s->turn[t] && position[c] >= position[f->first_channel[f->head[c]] + (t - s->turn_first[c])])
				return false;
	return true;
}

/* Puts the channels into an order that all dependencies keep: position [channels]. Returns whether there is one. */
static bool order_channels(struct fail_state *s, uint32_t *position, uint32_t *queue, uint32_t *waits)
{
	const struct fabric *f = s->fabric;
	uint32_t first = 0, last = 0;
	memset(waits, 0, f->channels * sizeof *waits);
	for (uint32_t c = 0; c < f->channels; c++)
		for (uint64_t t = s->turn_first[c]; t < s->turn_first[c + 1]; t++)
			waits[f->first_channel[f->head[c]] + (t - s->turn_first[c])] += s->turn[t];
	for (uint32_t c = 0; c < f->channels; c++)
		if (!waits[c])
			queue[last++] = c;
	while (first < last) {
		uint32_t c = queue[first];
		position[c] = first++;
		for (uint64_t t = s->turn_first[c]; t < s->turn_first[c + 1]; t++) {
			uint32_t next = f->first_channel[f->head[c]] + (uint32_t)(t - s->turn_first[c]);
			if (s->turn[t] && !--waits[next])
				queue[last++] = next;
		}
	}
	return last == f->channels;
}

bool fail_is_cyclic(struct fail_state *s, const uint32_t *table, uint32_t *position, struct error *error)
{
	uint32_t channels = s->fabric->channels;
	uint32_t *own = position ? position : array_create(channels, sizeof *own, error);
	uint32_t *queue = array_create(channels, sizeof *queue, error), *waits = array_create(channels, sizeof *waits, error);
	uint32_t *level = array_create(s->fabric->nodes, sizeof *level, error);
	bool cyclic = false;
	if (!error->status) {
		add_turns(s, table);
		cyclic = !(position && order_levels(s, position, level)) && !order_channels(s, own, queue, waits);
	}
	free(level);
	free(own == position ? NULL : own);
	free(queue);
	free(waits);
	return cyclic;
}

int fail_begin_turns(struct fail_state *s, struct error *error)
{
	const struct fabric *f = s->fabric;
	s->turn_first = array_create((size_t)f->channels + 1, sizeof *s->turn_first, error);
	for (uint32_t c = 0; c < f->channels && !error->status; c++) {
		uint32_t v = f->head[c];
		s->turn_first[c + 1] = s->turn_first[c] + (s->graph->column[v] == NONE ? 0 : f->first_channel[v + 1] - f->first_channel[v]);
	}
	s->turn = error->status ? NULL : array_create(s->turn_first[f->channels], 1, error);
	s->position = array_create(f->channels, sizeof *s->position, error);
	if (error->status)
		return -1;
	s->intact.deadlock = fail_is_cyclic(s, s->base, s->position, error) ? DEADLOCK_POSSIBLE : DEADLOCK_NONE;
	if (s->intact.deadlock == DEADLOCK_POSSIBLE) {
		free(s->position);
		s->position = NULL;
	}
	return error->status ? -1 : 0;
}
