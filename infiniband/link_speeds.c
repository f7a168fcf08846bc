#include "infiniband/link_speeds.h"

#include "base/memory.h"
#include "base/shown.h"
#include "fabric/described.h"
#include "infiniband/subnet.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { KINDS_SHOWN = 6, LINKS_SHOWN = 3, SPEED_TEXT = 40 };

/* More slow links of one kind and speed are a tier, if they are more than one of this number of all links of the kind. */
enum { SLOW_MOST = 4, TIER_SHARE = 10 };

/* A link as seen from one of its ends. */
struct link_end {
	uint32_t channel;
	bool host;      /* the link leads to a host */
	unsigned width; /* lanes, 0 if unknown */
	double gbps;    /* of the slower direction */
};

/* A slow link, and one with which it is compared. */
struct slow_link {
	struct link_end link, than;
};

struct link_speeds {
	const struct fabric *fabric;
	uint32_t *reverse;    /* [channels] */
	struct link_end *end; /* [channels] */
	struct link_end *at;  /* [channels] those of each node by kind, the fastest first */
	struct link_end *all; /* [links] each link once, sorted likewise */
	uint32_t links;
	struct slow_link *slow; /* [slows] the slowest last */
	uint32_t slows;
};

static int compare_speeds(const struct link_end *a, const struct link_end *b)
{
	if (a->gbps < b->gbps || a->gbps > b->gbps)
		return a->gbps > b->gbps ? -1 : 1;
	return (a->width < b->width) - (a->width > b->width);
}

static int compare_any(const void *left, const void *right)
{
	return compare_speeds(left, right);
}

static int compare_ends(const void *left, const void *right)
{
	const struct link_end *a = left, *b = right;
	return a->host != b->host ? a->host - b->host : compare_speeds(a, b);
}

static void find_ends(struct link_speeds *s)
{
	const struct fabric *f = s->fabric;
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t first = f->first_channel[v], end = f->first_channel[v + 1];
		for (uint32_t c = first; c < end; c++) {
			uint32_t back = s->reverse[c];
			uint32_t slower = back != NONE && f->speed[back] < f->speed[c] ? back : c;
			unsigned width = f->labels->width[slower];
			s->end[c] = s->at[c] = (struct link_end){
				.channel = c,
				.host = f->node_host[v] != NONE || f->node_host[f->head[c]] != NONE,
				.width = width || back == NONE ? width : f->labels->width[slower == c ? back : c],
				.gbps = round(f->speed[slower] * f->slowest * 1e6) / 1e6,
			};
			if (back == NONE || c < back)
				s->all[s->links++] = s->end[c];
		}
		if (end > first)
			qsort(s->at + first, end - first, sizeof *s->at, compare_ends);
	}
	qsort(s->all, s->links, sizeof *s->all, compare_ends);
}

/* ---- slow links */

/* Sorted links of one kind. */
struct beside {
	const struct link_end *first;
	uint32_t count;
};

/* Returns the number of links of that kind and faster than gbps, and of those sorted before that kind. */
static uint32_t faster_than(const struct link_end *ends, uint32_t count, bool host, double gbps)
{
	const struct link_end key = {.host = host, .gbps = gbps, .width = UINT_MAX};
	uint32_t low = 0;
	while (low < count) {
		uint32_t middle = low + (count - low) / 2;
		if (compare_ends(&ends[middle], &key) < 0)
			low = middle + 1;
		else
			count = middle;
	}
	return low;
}

static struct beside of_kind(const struct link_end *ends, uint32_t count, bool host)
{
	uint32_t first = faster_than(ends, count, host, INFINITY);
	return (struct beside){ends + first, faster_than(ends, count, host, -1) - first};
}

static struct beside beside_at(const struct link_speeds *s, uint32_t node, bool host)
{
	uint32_t first = s->fabric->first_channel[node];
	return of_kind(s->at + first, s->fabric->first_channel[node + 1] - first, host);
}

/* Returns whether three quarters of the others are faster. */
static bool is_slower(const struct link_end *link, struct beside others)
{
	uint64_t faster = faster_than(others.first, others.count, link->host, link->gbps);
	return faster && 4 * faster >= 3 * (uint64_t)(others.count - 1);
}

static const struct link_end *median(struct beside links)
{
	return &links.first[(links.count - 1) / 2];
}

/* Returns a faster link between the same nodes; NULL: there is none. */
static const struct link_end *faster_parallel(const struct link_speeds *s, const struct link_end *link, const uint32_t node[2])
{
	const struct fabric *f = s->fabric;
	uint32_t degree[2];
	for (int i = 0; i < 2; i++)
		degree[i] = f->first_channel[node[i] + 1] - f->first_channel[node[i]];
	int from = s->reverse[link->channel] != NONE && degree[1] < degree[0];
	for (uint32_t c = f->first_channel[node[from]]; c < f->first_channel[node[from] + 1]; c++)
		if (f->head[c] == node[!from] && s->end[c].gbps > link->gbps)
			return &s->end[c];
	return NULL;
}

/* Returns a link with which this one is compared if it is slower than those beside it; otherwise NULL. */
static const struct link_end *slower_than(const struct link_speeds *s, const struct link_end *link)
{
	uint32_t node[2] = {fabric_tail(s->fabric, link->channel), s->fabric->head[link->channel]};
	const struct link_end *than = faster_parallel(s, link, node);
	bool alone = true, slower = true;
	for (int i = 0; i < 2 && !than; i++) {
		struct beside others = beside_at(s, node[i], link->host);
		if (others.count < 2)
			continue;
		slower &= is_slower(link, others);
		alone = false;
	}
	struct beside all = of_kind(s->all, s->links, link->host);
	if (!than && (alone ? is_slower(link, all) : slower)) {
		struct beside near = alone ? all : beside_at(s, node[0], link->host);
		than = near.count > 1 ? median(near) : median(beside_at(s, node[1], link->host));
	}
	return than;
}

/* Links of one kind and speed follow one another. */
static void find_slow(struct link_speeds *s)
{
	uint32_t first = 0; /* of this kind and speed */
	for (uint32_t i = 0; i < s->links; i++) {
		const struct link_end *link = &s->all[i], *than = slower_than(s, link);
		if (than)
			s->slow[s->slows++] = (struct slow_link){*link, *than};
		if (i + 1 < s->links && !compare_ends(link, link + 1))
			continue;
		uint32_t slow = s->slows - first;
		if (slow > SLOW_MOST && slow > of_kind(s->all, s->links, link->host).count / TIER_SHARE)
			s->slows = first;
		first = s->slows;
	}
}

/* ---- text */

/* Returns "4x HDR", or "100 Gb/s" if the width is unknown or no InfiniBand link has this speed. */
static const char *speed_text(const struct link_end *end, char text[SPEED_TEXT])
{
	enum lane_rate rate = end->width ? lane_rate_of(end->gbps / end->width) : RATE_UNKNOWN;
	if (rate != RATE_UNKNOWN)
		snprintf(text, SPEED_TEXT, "%ux %s", end->width, lane_rate_name(rate));
	else
		snprintf(text, SPEED_TEXT, "%.6g Gb/s", end->gbps);
	return text;
}

/* Writes the number of links of each speed, the fastest first. Sorts them. */
static void write_counts(struct link_speeds *s, FILE *file)
{
	char text[SPEED_TEXT];
	uint32_t kinds = 0, others = 0;
	qsort(s->all, s->links, sizeof *s->all, compare_any);
	for (uint32_t i = 0, end; i < s->links; i = end, kinds++) {
		for (end = i + 1; end < s->links && !compare_speeds(&s->all[i], &s->all[end]);)
			end++;
		if (kinds < KINDS_SHOWN)
			fprintf(file, "%s%" PRIu32 " %s", kinds ? ", " : "", end - i, speed_text(&s->all[i], text));
		else
			others += end - i;
	}
	if (others)
		fprintf(file, ", %" PRIu32 " others", others);
}

static void write_slow(const struct link_speeds *s, FILE *file)
{
	char its[SPEED_TEXT], other[SPEED_TEXT];
	for (uint32_t i = 0; i < s->slows && i < LINKS_SHOWN; i++) {
		const struct slow_link *slow = &s->slow[s->slows - 1 - i];
		fputs(i ? "; " : "", file);
		write_channel(file, s->fabric, slow->link.channel);
		fprintf(file, ": %s, not %s", speed_text(&slow->link, its), speed_text(&slow->than, other));
	}
	fputs(s->slows > LINKS_SHOWN ? "; ...)\n" : ")\n", file);
}

int link_speeds_note(
	const struct fabric *fabric, enum speeds_use use, FILE *file, const char *program, const char *source, struct error *error)
{
	static const char *const uses[] = {
		[SPEEDS_COUNT] = "; the result counts the speeds (otherwise --ignore-speeds)",
		[SPEEDS_IGNORED] = "; the result does not count the speeds",
		[SPEEDS_COUNTED_BEFORE] = "; the picture counts the speeds",
		[SPEEDS_IGNORED_BEFORE] = "; the picture does not count the speeds",
		[SPEEDS_NO_RESULT] = "",
	};
	if (!fabric_speeds_differ(fabric))
		return 0;
	struct link_speeds s = {
		.fabric = fabric,
		.reverse = fabric_reverse(fabric, error),
		.end = array_create(fabric->channels, sizeof *s.end, error),
		.at = array_create(fabric->channels, sizeof *s.at, error),
		.all = array_create(fabric->channels, sizeof *s.all, error),
		.slow = array_create(fabric->channels, sizeof *s.slow, error),
	};
	if (!error->status) {
		find_ends(&s);
		find_slow(&s);
		fprintf(file, "%s: %s: note: links of different speeds: ", program, SHOWN(source));
		write_counts(&s, file);
		fprintf(file, "%s\n", uses[use]);
		if (s.slows) {
			fprintf(file, "%s: %s: note: links slower than those beside them: %" PRIu32 " (", program, SHOWN(source), s.slows);
			write_slow(&s, file);
		}
	}
	free(s.reverse);
	free(s.end);
	free(s.at);
	free(s.all);
	free(s.slow);
	return error->status ? -1 : 0;
}
