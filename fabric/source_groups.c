#include "fabric/source_groups.h"

#include "base/memory.h"

#include <stdlib.h>

static void split_starts(struct destination_trees *trees)
{
	trees->starts = trees->fabric->hosts;
	for (uint32_t h = 0; h < trees->starts; h++) {
		trees->start[h] = (struct tree_start){trees->fabric->host_node[h], 0, 1};
		trees->start_of[h] = h;
	}
}

int source_groups_init(
	struct source_groups *s, const struct fabric *fabric, const struct forwarding *forwarding, bool split, struct error *error)
{
	*s = (struct source_groups){0};
	if (destination_trees_init(&s->trees, fabric, forwarding, error))
		return -1;
	if (split)
		split_starts(&s->trees);
	s->first = array_create((size_t)s->trees.starts + 2, sizeof *s->first, error);
	s->host = array_create(fabric->hosts, sizeof *s->host, error);
	s->channels = array_create(fabric->nodes, sizeof *s->channels, error);
	if (error->status)
		return -1;
	uint32_t *at = s->first + 1; /* advances to the beginning of the next start */
	for (uint32_t h = 0; h < fabric->hosts; h++)
		at[s->trees.start_of[h] + 1]++;
	for (uint32_t i = 1; i <= s->trees.starts; i++)
		at[i] += at[i - 1];
	for (uint32_t h = 0; h < fabric->hosts; h++)
		s->host[at[s->trees.start_of[h]]++] = h;
	return 0;
}

void source_groups_clear(struct source_groups *s)
{
	destination_trees_clear(&s->trees);
	free(s->first);
	free(s->host);
	free(s->channels);
	*s = (struct source_groups){0};
}
