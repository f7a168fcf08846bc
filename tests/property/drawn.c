/*
 * The properties of drawn patterns. Ranks whose partner would be themselves do not appear.
 */
#include "drawn.h"

#include <stdlib.h>
#include <string.h>

/* The receiver of every rank in one level, itself where it sends nothing. A rank that sends twice
 * is a fault. */
static void receivers(struct report *r, const struct pattern *p, int level, int n, int to[])
{
	bool sends[MAX_NODES] = {false};

	for (int i = 0; i < n; i++)
		to[i] = i;
	for (int m = 0; m < p->count; m++) {
		const struct message *message = &p->message[m];
		if (message->level != level)
			continue;
		if (sends[message->from] || message->from == message->to)
			complain(r, "level %d: rank %d sends twice, or to itself", level, message->from);
		sends[message->from] = true;
		to[message->from] = message->to;
	}
}

static void verify_permutation(struct report *r, const int to[], int n)
{
	bool receives[MAX_NODES] = {false};

	for (int i = 0; i < n; i++) {
		if (receives[to[i]])
			complain(r, "rand: rank %d receives twice", to[i]);
		receives[to[i]] = true;
	}
}

static void verify_hotspot(struct report *r, const int to[], int n, int spots)
{
	for (int i = 0; i < n; i++)
		if (to[i] >= spots)
			complain(r, "hotspot:%d: rank %d sends to %d", spots, i, to[i]);
}

/* One draw, repeated in all levels of the pattern. */
static void verify_draw(struct report *r, const struct pattern *p, const char *spec, int n)
{
	int first[MAX_NODES], to[MAX_NODES];

	receivers(r, p, 0, n, first);
	if (strncmp(spec, "hotspot:", 8) == 0)
		verify_hotspot(r, first, n, atoi(spec + 8));
	else
		verify_permutation(r, first, n);
	for (int level = 1; level < p->levels; level++) {
		receivers(r, p, level, n, to);
		if (memcmp(to, first, (size_t)n * sizeof to[0]) != 0)
			complain(r, "%s: level %d differs from level 0", spec, level);
	}
}

/* Whether the messages are those of the pattern `spec`, leaving out those to the sender itself. */
static void verify_fixed(struct report *r, const struct pattern *p, const char *spec, int n)
{
	struct pattern expected;
	int matched = 0, sent = 0;

	pattern_init(&expected);
	pattern_make(&expected, spec, n);
	for (int m = 0; m < expected.count; m++) {
		const struct message *e = &expected.message[m];
		sent += e->from != e->to;
	}
	for (int m = 0; m < p->count; m++) {
		bool found = false;
		for (int i = 0; i < expected.count && !found; i++) {
			struct message *e = &expected.message[i];
			found = e->level == p->message[m].level && e->from == p->message[m].from && e->to == p->message[m].to;
			if (found)
				e->level = -1; /* each of them once */
		}
		matched += found;
	}
	if (matched != sent || p->count != sent)
		complain(r, "%s: %d of %d messages are right, expected %d", spec, matched, p->count, sent);
	pattern_clear(&expected);
}

/* The messages among the ranks low..high-1, counted from low. */
static void verify_half(struct report *r, const struct pattern *p, int low, int high, const char *spec, int levels)
{
	struct pattern half;

	pattern_init(&half);
	for (int m = 0; m < p->count; m++) {
		const struct message *message = &p->message[m];
		bool from = message->from >= low && message->from < high;
		bool to = message->to >= low && message->to < high;
		if (from != to)
			complain(r, "%d -> %d leaves its pattern", message->from, message->to);
		else if (from)
			pattern_add(&half, message->level, message->from - low, message->to - low);
	}
	if (half.levels > levels)
		complain(r, "%s: expected %d levels, got %d", spec, levels, half.levels);
	half.levels = levels;
	if (pattern_drawn(spec))
		verify_draw(r, &half, spec, high - low);
	else
		verify_fixed(r, &half, spec, high - low);
	pattern_clear(&half);
}

static int levels_of(const char *spec, int n)
{
	struct pattern p;

	pattern_init(&p);
	pattern_make(&p, spec, n);
	int levels = pattern_drawn(spec) ? 1 : p.levels;
	pattern_clear(&p);
	return levels;
}

static bool ranks_in_range(const struct pattern *p, int n)
{
	for (int m = 0; m < p->count; m++)
		if (p->message[m].from < 0 || p->message[m].from >= n || p->message[m].to < 0 || p->message[m].to >= n)
			return false;
	return true;
}

void take_drawn(struct report *r, const cJSON *root, const struct question *q, struct pattern *p)
{
	if (!read_printed(p, root) || !ranks_in_range(p, q->n)) {
		complain(r, "pattern_levels: no levels of pairs of ranks");
		pattern_clear(p);
		return;
	}
	if (q->part == 0) {
		verify_half(r, p, 0, q->n, q->spec, 1);
		return;
	}
	int a = levels_of(q->first, q->part), b = levels_of(q->second, q->n - q->part);
	/* A drawn pattern has one level: beside it B makes one pass, and as B it is repeated. */
	verify_half(r, p, 0, q->part, q->first, a);
	verify_half(r, p, q->part, q->n, q->second, a > b ? a : b);
	for (int m = 0; m < p->count; m++)
		p->message[m].first = p->message[m].from < q->part;
}
