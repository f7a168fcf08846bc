/*
 * Each pair of switches goes on the first lane on which its two routes close no cycle of channels; then pairs move from the fullest lane to
 * the emptiest.
 */
#include "routings/opensm/lash_lanes.h"

#include "base/memory.h"
#include "routings/opensm/libc_random.h"

#include <stdlib.h>
#include <string.h>

/* Channels lead from a switch to a neighbour; a turn is a pair of them, the second beginning where the first ends. */
struct channels {
	const struct opensm_fabric *fabric;
	const uint8_t *port; /* see lash_port() */
	uint32_t *number;    /* [links] of the channel that leaves by that port, OPENSM_NONE */
	uint32_t *first;     /* [switches + 1] its channels */
	uint32_t *head;      /* [channels] switch */
	size_t *turn;        /* [channels] number of its first turn */
	uint32_t count;
	size_t turns;
};

/* The turns in use on a lane: they lead onwards in an order of the channels. */
struct lane {
	uint32_t *uses;    /* [turns] 0: not there */
	uint32_t *refused; /* [turns] in which epoch it was found to close a cycle */
	uint32_t epoch;    /* from 1 on; ends when a turn is there no more */
	uint32_t *at;      /* [channels] place in the order */
	uint32_t *order;   /* [channels] */
	bool *found;       /* [channels] all false between calls */
	uint32_t *reached; /* [channels] */
};

struct lanes {
	struct opensm_task *task;
	struct channels channels;
	struct lane lane[OPENSM_LANES + 1];
	uint32_t pairs[OPENSM_LANES + 1];
	unsigned count;
	size_t *added; /* turns that the pair at hand brought */
	size_t added_capacity, added_count;
	uint8_t *of_pair; /* [switches * switches], with TRIED while its lane is the fullest and the emptiest did not admit it */
	size_t *tried;    /* places of these in of_pair */
	size_t tried_capacity, tried_count;
};

/* ---- channels ---- */

static int channels_init(struct channels *channels, const struct opensm_fabric *fabric, const uint8_t *port, struct error *error)
{
	*channels = (struct channels){.fabric = fabric, .port = port};
	channels->number = array_create(fabric->links, sizeof *channels->number, error);
	channels->first = array_create((size_t)fabric->switches + 1, sizeof *channels->first, error);
	channels->head = array_create(fabric->links, sizeof *channels->head, error);
	channels->turn = array_create(fabric->links, sizeof *channels->turn, error);
	if (error->status)
		return -1;
	memset(channels->number, 0xff, fabric->links * sizeof *channels->number); /* OPENSM_NONE */
	for (uint32_t s = 0; s < fabric->switches; s++) {
		for (unsigned p = 1; p <= fabric->sw[s].ports; p++) {
			uint32_t to = opensm_port_of(fabric, s, p)->to;
			if (to == OPENSM_NONE || lash_port(port, fabric->switches, s, to) != p)
				continue;
			channels->number[fabric->sw[s].link + p] = channels->count;
			channels->head[channels->count++] = to;
		}
		channels->first[s + 1] = channels->count;
	}
	for (uint32_t c = 0; c < channels->count; c++) {
		channels->turn[c] = channels->turns;
		channels->turns += channels->first[channels->head[c] + 1] - channels->first[channels->head[c]];
	}
	return 0;
}

static void channels_clear(struct channels *channels)
{
	free(channels->number);
	free(channels->first);
	free(channels->head);
	free(channels->turn);
}

/* The channel by which a switch sends to another. */
static uint32_t channel_to(const struct channels *channels, uint32_t from, uint32_t to)
{
	return channels->number[channels->fabric->sw[from].link + lash_port(channels->port, channels->fabric->switches, from, to)];
}

static size_t turn_of(const struct channels *channels, uint32_t from, uint32_t to)
{
	return channels->turn[from] + to - channels->first[channels->head[from]];
}

/* ---- a lane ---- */

static int lane_init(struct lane *lane, const struct channels *channels, struct error *error)
{
	lane->uses = array_create(channels->turns, sizeof *lane->uses, error);
	lane->refused = array_create(channels->turns, sizeof *lane->refused, error);
	lane->at = array_create(channels->count, sizeof *lane->at, error);
	lane->order = array_create(channels->count, sizeof *lane->order, error);
	lane->found = array_create(channels->count, sizeof *lane->found, error);
	lane->reached = array_create(channels->count, sizeof *lane->reached, error);
	for (uint32_t c = 0; c < channels->count && !error->status; c++)
		lane->at[c] = lane->order[c] = c;
	lane->epoch = 1;
	return error->status ? -1 : 0;
}

static void lane_clear(struct lane *lane)
{
	free(lane->uses);
	free(lane->refused);
	free(lane->at);
	free(lane->order);
	free(lane->found);
	free(lane->reached);
}

/* What can be reached from a channel up to a place in the order. */
static uint32_t reach(struct lane *lane, const struct channels *channels, uint32_t from, uint32_t limit)
{
	uint32_t count = 0;
	lane->reached[count++] = from;
	lane->found[from] = true;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t c = lane->reached[i], v = channels->head[c];
		for (uint32_t next = channels->first[v]; next < channels->first[v + 1]; next++) {
			if (lane->found[next] || lane->at[next] > limit || !lane->uses[turn_of(channels, c, next)])
				continue;
			lane->found[next] = true;
			lane->reached[count++] = next;
		}
	}
	return count;
}

/* Moves what was reached behind the place. */
static void move_back(struct lane *lane, uint32_t begin, uint32_t end, uint32_t count)
{
	uint32_t place = begin, moved = 0;
	for (uint32_t i = begin; i <= end; i++) {
		uint32_t c = lane->order[i];
		if (lane->found[c]) {
			lane->reached[moved++] = c;
		} else {
			lane->order[place] = c;
			lane->at[c] = place++;
		}
	}
	for (uint32_t i = 0; i < count; i++) {
		lane->order[place] = lane->reached[i];
		lane->at[lane->reached[i]] = place++;
	}
}

/* Returns whether the turn closes no cycle; it is not entered. */
static bool lane_admits(struct lane *lane, const struct channels *channels, uint32_t from, uint32_t to)
{
	if (lane->at[from] < lane->at[to])
		return true;
	uint32_t begin = lane->at[to], end = lane->at[from], count = reach(lane, channels, to, end);
	bool admits = !lane->found[from];
	if (admits)
		move_back(lane, begin, end, count);
	for (uint32_t i = 0; i < count; i++)
		lane->found[lane->reached[i]] = false;
	return admits;
}

/* ---- pairs on lanes ---- */

/* Enters the turns of one direction; those in use already count in any case. */
static bool enter(struct lanes *lanes, struct lane *lane, uint32_t from, uint32_t to, bool fits)
{
	const struct channels *channels = &lanes->channels;
	uint32_t c = channel_to(channels, from, to);
	while (channels->head[c] != to) {
		uint32_t next = channel_to(channels, channels->head[c], to);
		size_t turn = turn_of(channels, c, next);
		if (lane->uses[turn]) {
			lane->uses[turn]++;
		} else if (fits && lane_admits(lane, channels, c, next)) {
			lane->uses[turn] = 1;
			lanes->added[lanes->added_count++] = turn;
		} else {
			if (fits && !lanes->added_count)
				lane->refused[turn] = lane->epoch;
			fits = false;
		}
		c = next;
	}
	return fits;
}

/* Whether no turn of the direction is known to close a cycle. */
static bool may_fit(const struct lanes *lanes, const struct lane *lane, uint32_t from, uint32_t to)
{
	const struct channels *channels = &lanes->channels;
	uint32_t c = channel_to(channels, from, to);
	while (channels->head[c] != to) {
		uint32_t next = channel_to(channels, channels->head[c], to);
		size_t turn = turn_of(channels, c, next);
		if (!lane->uses[turn] && lane->refused[turn] == lane->epoch)
			return false;
		c = next;
	}
	return true;
}

/* Returns whether both directions close no cycle on the lane, and are entered. If not, turns that others use keep the count, as in OpenSM.
 */
static bool put(struct lanes *lanes, unsigned number, uint32_t s, uint32_t t)
{
	struct lane *lane = &lanes->lane[number];
	lanes->added_count = 0;
	bool fits = may_fit(lanes, lane, s, t) && may_fit(lanes, lane, t, s);
	fits = enter(lanes, lane, s, t, fits);
	fits = enter(lanes, lane, t, s, fits);
	if (!fits)
		while (lanes->added_count)
			lane->uses[lanes->added[--lanes->added_count]] = 0;
	return fits;
}

static void leave(struct lanes *lanes, unsigned number, uint32_t from, uint32_t to)
{
	const struct channels *channels = &lanes->channels;
	uint32_t c = channel_to(channels, from, to);
	while (channels->head[c] != to) {
		uint32_t next = channel_to(channels, channels->head[c], to);
		if (!--lanes->lane[number].uses[turn_of(channels, c, next)])
			lanes->lane[number].epoch++;
		c = next;
	}
}

static void note(struct lanes *lanes, uint32_t s, uint32_t t, unsigned number)
{
	uint32_t switches = lanes->task->fabric->switches;
	lanes->of_pair[(size_t)s * switches + t] = lanes->of_pair[(size_t)t * switches + s] = (uint8_t)number;
}

/* Returns 0 with the pair on a lane, or with a refusal; -1 if out of memory. */
static int place_pair(struct lanes *lanes, uint32_t s, uint32_t t, unsigned available)
{
	unsigned number = 0;
	while (number < lanes->count && !put(lanes, number, s, t))
		number++;
	if (number == lanes->count) {
		if (number == available)
			return opensm_refuse(lanes->task,
				"the lanes do not suffice: more than the %u that all links have would be needed (4D02); dfsssp or nue may need fewer",
				available);
		if (lane_init(&lanes->lane[number], &lanes->channels, lanes->task->error))
			return -1;
		lanes->count++;
		put(lanes, number, s, t);
	}
	note(lanes, s, t, number);
	lanes->pairs[number] += 2;
	return 0;
}

/* ---- balance ---- */

enum { ENOUGH = 6, TRIED = 0x80 };

static unsigned extreme(const struct lanes *lanes, bool fullest)
{
	unsigned best = 0;
	for (unsigned i = 1; i < lanes->count; i++)
		if (fullest ? lanes->pairs[i] > lanes->pairs[best] : lanes->pairs[i] < lanes->pairs[best])
			best = i;
	return best;
}

/*
 * Finds the next pair of a lane that was not tried, along the row of a switch and from its end to its begin, then on in the next switch's
 * row. Returns whether there is one.
 */
static bool find_pair(const struct lanes *lanes, unsigned number, uint32_t *s, uint32_t *t)
{
	uint32_t switches = lanes->task->fabric->switches, begin = *t;
	for (uint32_t rows = 0; rows < switches; rows++) {
		const uint8_t *row = &lanes->of_pair[(size_t)*s * switches];
		do {
			if (row[*t] == number && lash_port(lanes->channels.port, switches, *s, *t))
				return true;
			*t = *t + 1 == switches ? 0 : *t + 1;
		} while (*t != begin);
		*s = *s + 1 == switches ? 0 : *s + 1;
	}
	return false;
}

static int note_tried(struct lanes *lanes, uint32_t s, uint32_t t)
{
	size_t switches = lanes->task->fabric->switches, place[] = {s * switches + t, t * switches + s};
	if (array_grow(&lanes->tried, &lanes->tried_capacity, lanes->tried_count + 2, sizeof *lanes->tried, lanes->task->error))
		return -1;
	for (unsigned i = 0; i < 2; i++) {
		lanes->of_pair[place[i]] |= TRIED;
		lanes->tried[lanes->tried_count++] = place[i];
	}
	return 0;
}

static void forget_tried(struct lanes *lanes)
{
	while (lanes->tried_count)
		lanes->of_pair[lanes->tried[--lanes->tried_count]] &= (uint8_t)~TRIED;
}

/* Returns -1 if out of memory. */
static int balance(struct lanes *lanes)
{
	struct libc_random random;
	uint32_t switches = lanes->task->fabric->switches;
	unsigned full = 0, empty = lanes->count - 1;
	uint64_t trials = (uint64_t)lanes->count * switches * switches;
	int status = 0;
	libc_random_init(&random, 1);
	while (trials-- && !status) {
		uint32_t s = libc_random_draw(&random) % switches;
		uint32_t t = libc_random_draw(&random) % switches;
		if (!find_pair(lanes, full, &s, &t))
			break;
		if (!put(lanes, empty, s, t)) {
			status = note_tried(lanes, s, t);
			continue;
		}
		leave(lanes, full, s, t);
		leave(lanes, full, t, s);
		note(lanes, s, t, empty);
		lanes->pairs[full] -= 2;
		lanes->pairs[empty] += 2;
		if (lanes->pairs[full] < lanes->pairs[empty] + ENOUGH)
			break;
		unsigned fullest = extreme(lanes, true), emptiest = extreme(lanes, false);
		if (fullest != full || emptiest != empty)
			forget_tried(lanes);
		full = fullest;
		empty = emptiest;
	}
	forget_tried(lanes);
	return status;
}

int lash_lanes(struct opensm_task *task, const uint8_t *port, unsigned available, uint8_t *lane, unsigned *count)
{
	uint32_t switches = task->fabric->switches;
	struct lanes lanes = {.task = task, .of_pair = lane};
	int status = channels_init(&lanes.channels, task->fabric, port, task->error);
	lanes.added = array_create(2 * (size_t)switches, sizeof *lanes.added, task->error);
	if (task->error->status)
		status = -1;
	for (uint32_t s = 0; s < switches && !status && !*task->tables->refusal; s++)
		for (uint32_t t = s + 1; t < switches && !status && !*task->tables->refusal; t++)
			if (lash_port(port, switches, s, t))
				status = place_pair(&lanes, s, t, available);
	if (!status && !*task->tables->refusal && lanes.count > 1)
		status = balance(&lanes);
	*count = lanes.count ? lanes.count : 1;
	for (unsigned i = 0; i < lanes.count; i++)
		lane_clear(&lanes.lane[i]);
	channels_clear(&lanes.channels);
	free(lanes.added);
	free(lanes.tried);
	return task->error->status ? -1 : 0;
}
