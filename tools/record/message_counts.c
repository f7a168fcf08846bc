#include "tools/record/message_counts.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Returns the place of a kind of message, or where it would be. */
static struct message_count *find(const struct message_counts *counts, const struct message_kind *kind)
{
	size_t at = hash_words(0, kind, sizeof *kind) & counts->mask;
	while (counts->slot[at].used && memcmp(&counts->slot[at].kind, kind, sizeof *kind) != 0)
		at = (at + 1) & counts->mask;
	return &counts->slot[at];
}

/* Makes room, and forgets what has come out even. */
static int grow(struct message_counts *counts, struct error *error)
{
	struct message_counts old = *counts;
	size_t places = old.slot ? old.mask + 1 : 0, kept = 0;
	for (size_t i = 0; i < places; i++)
		kept += old.slot[i].used && old.slot[i].more;
	counts->mask = 63;
	while (counts->mask < 4 * kept)
		counts->mask = 2 * counts->mask + 1;
	counts->used = kept;
	if (!(counts->slot = array_create(counts->mask + 1, sizeof *counts->slot, error))) {
		*counts = old;
		return -1;
	}
	for (size_t i = 0; i < places; i++)
		if (old.slot[i].used && old.slot[i].more)
			*find(counts, &old.slot[i].kind) = old.slot[i];
	free(old.slot);
	return 0;
}

void message_counts_add(struct message_counts *counts, struct message_kind kind, int more, struct error *error)
{
	if (error->status || (2 * counts->used >= counts->mask && grow(counts, error)))
		return;
	struct message_count *count = find(counts, &kind);
	counts->used += !count->used;
	count->kind = kind;
	count->used = true;
	count->more += more;
}

struct messages_alone message_counts_alone(const struct message_counts *counts)
{
	struct messages_alone alone = {.receives = counts->open};
	for (size_t i = 0; counts->slot && i <= counts->mask; i++) {
		const struct message_count *count = &counts->slot[i];
		if (!count->used || !count->more)
			continue;
		if (count->more < 0) {
			alone.receives += (uint64_t)-count->more;
			continue;
		}
		if (!alone.sends || memcmp(&count->kind, &alone.first, sizeof count->kind) < 0)
			alone.first = count->kind;
		alone.sends += (uint64_t)count->more;
	}
	return alone;
}

void message_counts_clear(struct message_counts *counts)
{
	free(counts->slot);
	*counts = (struct message_counts){.slot = NULL};
}
