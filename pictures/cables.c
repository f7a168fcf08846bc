#include "pictures/cables.h"

#include "base/memory.h"

#include <stdlib.h>

/* Returns the level so that hosts are lowest. */
static uint32_t height(const uint32_t *level, uint32_t node)
{
	return level[node] + 1;
}

static void add_cable(
	struct cables *list, const struct fabric *fabric, const uint32_t *level, uint32_t tail, uint32_t channel, uint32_t back)
{
	uint32_t head = fabric->head[channel], low = height(level, tail), high = height(level, head);
	bool up = low != high ? low < high : tail <= head;
	struct cable *cable = &list->cable[list->cables];
	cable->end[0] = up ? tail : head;
	cable->end[1] = up ? head : tail;
	cable->channel[up ? CABLE_UP : CABLE_DOWN] = channel;
	cable->channel[up ? CABLE_DOWN : CABLE_UP] = back;
	list->of[channel] = list->cables;
	if (back != NONE)
		list->of[back] = list->cables;
	list->cables++;
}

int cables_list(struct cables *cables, const struct fabric *fabric, const uint32_t *level, struct error *error)
{
	uint32_t *reverse = fabric_reverse(fabric, error);
	*cables = (struct cables){
		.cable = array_create(fabric->channels, sizeof *cables->cable, error),
		.of = array_create(fabric->channels, sizeof *cables->of, error),
	};
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			if (reverse[c] == NONE || reverse[c] >= c)
				add_cable(cables, fabric, level, v, c, reverse[c] == c ? NONE : reverse[c]);
	free(reverse);
	return error->status ? -1 : 0;
}

void cables_clear(struct cables *cables)
{
	free(cables->cable);
	free(cables->of);
	*cables = (struct cables){0};
}
