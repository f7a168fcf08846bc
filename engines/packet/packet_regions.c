/*
 * A run divided into regions of nodes, of which each has its events, requests and refunds for itself. They are simulated one after another
 * in time windows so short that nothing sent in one arrives in another region within it (Chandy, Misra 1979; conservative, synchronous):
 * heads of packets and credits that leave a region wait in a mailbox, which is opened when the turn of their region comes. So what is
 * touched between two windows fits the cache, however large the fabric is, and other processes can have regions of their own
 * (packet_parallel.c). The packets are in one array, so that only their numbers cross. The results do not depend on the regions.
 */
#include "base/memory.h"
#include "engines/packet/packet_regions.h"
#include "engines/packet/packet_parts.h"
#include "fabric/partition.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { REGIONS_OF_THREAD = 4 /* at least */ };

/* The members of struct packet_engine that belong to the region which is simulated now. */
enum { STATE_FIRST = offsetof(struct packet_engine, events), STATE_BYTES = offsetof(struct packet_engine, first_look) - STATE_FIRST };

/* Events that come to a region. */
struct mailbox {
	struct packet_event *event;
	size_t used, room;
	uint64_t least; /* earliest time */
};

struct packet_regions {
	uint32_t count;
	uint32_t *of;                 /* [nodes] the region of each; NONE: it is in another process */
	uint32_t *sender;             /* [channels] the region of the tail */
	char *state;                  /* [count][STATE_BYTES] of the regions that are not simulated now */
	uint64_t *next;               /* [count] time of the next event, or 0: unknown */
	struct mailbox *box[2];       /* [threads][count] what each thread sends; of this window, and with threads of the one before */
	unsigned turn;                /* the boxes of this window */
	uint64_t latency;             /* picoseconds of the shortest divided channel; NEVER: none is divided */
	bool hosts;                   /* channels to hosts are divided */
	uint64_t lookahead;           /* picoseconds before which nothing sent arrives in another region */
	uint64_t end;                 /* of the window */
	unsigned classes;             /* 2: channels lead from each region to those of the other class only, so they can take turns; 1 */
	unsigned class;               /* whose window it is */
	uint32_t *order;              /* [count] the regions, by class */
	uint32_t first[3];            /* [classes + 1] where each class begins in order */
	uint64_t reached[2];          /* [classes] the end of its last window */
	atomic_uint_fast32_t claimed; /* the first in order that no thread has taken in this window */
	uint32_t threads;
	struct packet_team *team; /* NULL: one thread */
};

/* ---- which regions */

/* Returns the bytes that this process uses all the time, as shares of the cache of the second level. */
static double size_in_caches(const struct packet_engine *e)
{
	const size_t packets = 2, usual = 1 << 20;
	const struct packet_engine *const none = NULL;
	size_t each = sizeof *none->output + sizeof *none->queue + packets * (sizeof *none->packet + sizeof *none->request);
	size_t processes = e->setup.peers ? (size_t)e->setup.peers->count : 1;
	long found = sysconf(_SC_LEVEL2_CACHE_SIZE);
	return (double)each * e->sources / (double)processes / (double)(found > 0 ? (size_t)found : usual);
}

/* Returns the number of regions of this process such that one fits that cache; 1: all of it nearly fits. */
static uint32_t suitable_count(const struct packet_engine *e)
{
	const double few = 4, most = 4096;
	double count = size_in_caches(e);
	return count < few ? 1 : (uint32_t)fmin(count, most);
}

/* Returns whether the features of the run permit more than one region. */
static bool can_divide(const struct packet_engine *e)
{
	return !e->told && !e->failures && !e->setup.congestion && !e->samples && !e->router->remote && e->setup.open;
}

static bool node_is_here(const struct packet_engine *e, uint32_t node)
{
	return !e->setup.peers || e->setup.peers->part[node] == (uint32_t)e->setup.peers->rank;
}

/* Numbers the parts that have nodes of this process. */
static void number(struct packet_engine *e, uint32_t parts, struct error *error)
{
	struct packet_regions *r = e->regions;
	uint32_t *number = array_create(parts, sizeof *number, error);
	if (!number)
		return;
	memset(number, 0xff, parts * sizeof *number); /* NONE */
	r->count = 0;
	for (uint32_t v = 0; v < e->fabric->nodes; v++) {
		uint32_t *known = &number[r->of[v]];
		if (node_is_here(e, v) && *known == NONE)
			*known = r->count++;
		r->of[v] = node_is_here(e, v) ? *known : NONE;
	}
	free(number);
}

/* Gives each node of this process its region: of so many, the parts of the whole fabric, as far as they are in this process. */
static void assign(struct packet_engine *e, uint32_t count, struct error *error)
{
	const struct packet_peers *peers = e->setup.peers;
	uint32_t parts = count * (peers ? (uint32_t)peers->count : 1), *part = e->regions->of;
	uint32_t layered = count > 1 && !peers ? partition_layers(e->fabric, parts, part, error) : 0;
	if (layered)
		parts = layered;
	else if (count > 1 && !error->status)
		partition_make(e->fabric, e->setup.latency, NULL, parts, part, error);
	if (!error->status)
		number(e, parts, error);
}

/* Marks the divided channels. */
static void mark(struct packet_engine *e)
{
	struct packet_regions *r = e->regions;
	r->latency = NEVER;
	r->hosts = false;
	for (uint32_t c = 0; c < e->channels; c++) {
		uint32_t tail = e->output[c].credit.tail, head = e->output[c].head;
		bool processes = e->setup.peers && e->setup.peers->part[tail] != e->setup.peers->part[head];
		if (!processes && r->of[tail] == r->of[head])
			continue;
		r->sender[c] = r->of[tail];
		uint64_t latency = packet_speed(e, c)->latency;
		e->divided[c / 64] |= UINT64_C(1) << c % 64;
		r->latency = latency < r->latency ? latency : r->latency;
		r->hosts |= e->fabric->node_host[head] != NONE;
	}
}

/* Returns the first of the regions that are known to be connected to this one, *odd: by an odd number of channels. */
static uint32_t root_of(const uint32_t *parent, const bool *other, uint32_t region, bool *odd)
{
	for (*odd = false; parent[region] != region; region = parent[region])
		*odd ^= other[region];
	return region;
}

/* Returns whether no cycle of regions has an odd number of channels: other [count] is set for those an odd number away from parent. */
static bool alternate(const struct packet_engine *e, uint32_t *parent, bool *other)
{
	const struct packet_regions *r = e->regions;
	for (uint32_t c = 0; c < e->channels; c++) {
		uint32_t tail = r->of[e->output[c].credit.tail], head = r->of[e->output[c].head];
		bool tail_odd, head_odd;
		if (tail == head)
			continue;
		tail = root_of(parent, other, tail, &tail_odd);
		head = root_of(parent, other, head, &head_odd);
		if (tail == head && tail_odd == head_odd)
			return false;
		uint32_t low = tail < head ? tail : head, high = tail < head ? head : tail;
		if (low != high)
			other[high] = tail_odd == head_odd;
		parent[high] = low;
	}
	return true;
}

/*
 * Divides the regions into classes. If there are two, what one of them sends until the end of its window reaches the other one a lookahead
 * later, so that windows are twice as long as if those of all regions had the same end. Not with other processes, which would have to wait.
 */
static void classify(struct packet_engine *e, struct error *error)
{
	struct packet_regions *r = e->regions;
	uint32_t *parent = array_create(r->count, sizeof *parent, error), put = 0;
	bool *other = array_create(r->count, sizeof *other, error), odd;
	r->order = array_create(r->count, sizeof *r->order, error);
	for (uint32_t i = 0; !error->status && i < r->count; i++)
		parent[i] = i;
	if (!error->status) {
		r->classes = !e->setup.peers && r->count > 1 && alternate(e, parent, other) ? 2 : 1;
		for (unsigned class = 0; class < r->classes; class ++) {
			r->first[class] = put;
			for (uint32_t i = 0; i < r->count; i++) {
				root_of(parent, other, i, &odd);
				if (r->classes == 1 || odd == (class == 1))
					r->order[put++] = i;
			}
		}
		r->first[r->classes] = put;
	}
	free(parent);
	free(other);
}

int packet_regions_create(struct packet_engine *e, struct error *error)
{
	const double small = 0.5;
	uint32_t switches = e->fabric->nodes - e->fabric->hosts, count = e->setup.regions ? e->setup.regions : suitable_count(e);
	uint32_t threads = packet_team_size(e);
	e->many = size_in_caches(e) > small;
	if (threads > 1 && !e->setup.regions && count < REGIONS_OF_THREAD * threads)
		count = REGIONS_OF_THREAD * threads;
	count = !can_divide(e) || !switches ? 1 : count < switches ? count : switches;
	if (count == 1 && !e->setup.peers)
		return 0;
	struct packet_regions *r = e->regions = array_create(1, sizeof *r, error);
	if (!r)
		return -1;
	r->of = array_create(e->fabric->nodes, sizeof *r->of, error);
	r->sender = array_create(e->channels, sizeof *r->sender, error);
	e->divided = array_create(e->channels / 64 + 1, sizeof *e->divided, error);
	if (!error->status)
		assign(e, count, error);
	if (!error->status)
		mark(e);
	if (!error->status && !r->latency && count > 1) { /* a channel without latency: the regions are those of the processes */
		memset(r->of, 0, e->fabric->nodes * sizeof *r->of);
		memset(e->divided, 0, (e->channels / 64 + 1) * sizeof *e->divided);
		assign(e, 1, error);
		mark(e);
	}
	if (!error->status)
		classify(e, error);
	r->state = array_create(r->count, STATE_BYTES, error);
	if (threads > 1 && r->count > 1)
		r->team = packet_team_create(e, &threads, error);
	r->threads = r->team ? threads : 1;
	for (int i = 0; i < 2; i++)
		r->box[i] = array_create((size_t)r->threads * r->count, sizeof *r->box[i], error);
	r->next = array_create(r->count, sizeof *r->next, error);
	if (error->status)
		return -1;
	if (!r->latency)
		return error_set(error, STATUS_USAGE,
			"one run cannot be divided between processes at a channel without latency: set --latency, or run one process");
	return 0;
}

void packet_regions_free(struct packet_engine *e)
{
	struct packet_regions *r = e->regions;
	if (!r)
		return;
	packet_team_free(r->team);
	for (uint32_t i = 0; r->state && i < r->count; i++) {
		packet_enter(e, i);
		if (i + 1 < r->count)
			packet_region_free(e);
	}
	for (int i = 0; i < 2; i++) {
		for (size_t k = 0; r->box[i] && k < (size_t)r->threads * r->count; k++)
			free(r->box[i][k].event);
		free(r->box[i]);
	}
	free(r->of);
	free(e->divided);
	free(r->state);
	free(r->sender);
	free(r->next);
	free(r->order);
	free(r);
	e->regions = NULL;
}

/* ---- a run */

void packet_divided(const struct packet_engine *e, uint32_t *regions, uint32_t *threads, unsigned *turns)
{
	*regions = e->regions ? e->regions->count : 1;
	*threads = e->regions ? e->regions->threads : 1;
	*turns = e->regions ? e->regions->classes : 1;
}

void packet_enter(struct packet_engine *e, uint32_t region)
{
	struct packet_regions *r = e->regions;
	if (region == e->region)
		return;
	if (e->region != NONE)
		memcpy(r->state + (size_t)e->region * STATE_BYTES, (char *)e + STATE_FIRST, STATE_BYTES);
	if (region != NONE)
		memcpy((char *)e + STATE_FIRST, r->state + (size_t)region * STATE_BYTES, STATE_BYTES);
	e->region = region;
}

void packet_enter_node(struct packet_engine *e, uint32_t node)
{
	uint64_t now = e->now;
	if (!e->regions || e->regions->of[node] == NONE)
		return;
	packet_enter(e, e->regions->of[node]);
	e->now = now;
}

bool packet_owns(const struct packet_engine *e, uint32_t node)
{
	return !e->regions || e->regions->of[node] == e->region;
}

void packet_regions_begin(struct packet_engine *e, struct error *error)
{
	for (uint32_t i = 0; i < e->regions->count; i++) {
		packet_enter(e, i);
		packet_region_begin(e, error);
		e->regions->next[i] = 0;
	}
	for (size_t i = 0; i < 2 * (size_t)e->regions->threads * e->regions->count; i++) {
		struct mailbox *box = &e->regions->box[i % 2][i / 2];
		box->used = 0;
		box->least = NEVER;
	}
	e->failed = NEVER;
	e->regions->reached[0] = e->regions->reached[1] = 0;
	if (e->regions->team)
		packet_team_empty(e->regions->team);
}

void packet_regions_look_ahead(struct packet_engine *e, uint32_t smallest)
{
	struct packet_regions *r = e->regions;
	uint64_t fastest = NEVER;
	if (r->hosts)
		smallest = 0;
	for (uint32_t c = 0; c < e->channels; c++)
		fastest = packet_speed(e, c)->rate < fastest ? packet_speed(e, c)->rate : fastest;
	/* a head is routed before anything happens, and credit returns when a whole packet has left its buffer */
	uint64_t back = smallest ? (uint64_t)((double)transfer_time(fastest, smallest) / fmax(e->setup.internal_rate, 1)) : 0,
		 head = smallest ? e->routing : 0, more = back < head ? back : head;
	r->lookahead = r->latency < NEVER - more ? r->latency + more : NEVER;
	if (e->parallel)
		r->lookahead = e->setup.peers->least(e->setup.peers->data, r->lookahead);
}

/* ---- crossings */

static void put(struct packet_engine *e, struct mailbox *box, struct packet_event event)
{
	uint64_t time = event_time(&event);
	if (packet_room(e, &box->event, box->used, &box->room, sizeof *box->event))
		box->event[box->used++] = event;
	box->least = time < box->least ? time : box->least;
}

/* Returns the mailbox in which this thread collects what it sends to a region. */
static inline struct mailbox *own_box(const struct packet_engine *e, uint32_t region)
{
	const struct packet_regions *r = e->regions;
	return &r->box[r->turn][(size_t)e->thread * r->count + region];
}

void packet_mail(struct packet_engine *e, uint32_t node, struct packet_event event)
{
	put(e, own_box(e, e->regions->of[node]), event);
}

void packet_crosses(struct packet_engine *e, uint32_t packet, uint64_t time, enum packet_event_kind kind)
{
	uint32_t channel = e->packet[packet].head.channel, region = e->regions->of[e->output[channel].head];
	if (region != NONE) {
		put(e, own_box(e, region), (struct packet_event){event_when(time, kind), channel, packet});
		return;
	}
	packet_parallel_packet(e, packet, time, kind);
	packet_drop(e, packet);
	e->travelling--;
}

void packet_refund_crosses(struct packet_engine *e, uint32_t lane, uint64_t time, uint32_t bytes)
{
	uint32_t region = e->regions->sender[lane >> e->shift];
	if (region == NONE)
		packet_parallel_refund(e, lane, time, bytes);
	else
		put(e, own_box(e, region), (struct packet_event){event_when(time, EVENT_REFUND), lane, bytes});
}

/* Opens a mailbox of the region. */
static void open_box(struct packet_engine *e, struct mailbox *box)
{
	enum { AHEAD = 8 };
	for (size_t i = 0; i < box->used && e->ending == RUN_OK; i++) {
		const struct packet_event *event = &box->event[i];
		if (i + AHEAD < box->used && event_kind(event + AHEAD) == EVENT_REFUND)
			__builtin_prefetch(packet_credit(e, event[AHEAD].target));
		if (event_kind(event) == EVENT_REFUND)
			packet_refund_here(e, event->target, event_time(event), event->packet);
		else
			packet_events_add(&e->events, event_time(event), event_kind(event), event->target, event->packet);
	}
	box->used = 0;
	box->least = NEVER;
}

/* ---- windows */

/* Returns the time of the next event of all regions of this process, as far as known. */
static uint64_t next_of(const struct packet_engine *e)
{
	const struct packet_regions *r = e->regions;
	uint64_t least = NEVER;
	for (uint32_t i = 0; i < r->count; i++)
		least = r->next[i] < least ? r->next[i] : least;
	for (size_t i = 0; i < (size_t)r->threads * r->count; i++)
		least = r->box[r->turn][i].least < least ? r->box[r->turn][i].least : least;
	return least;
}

/* Simulates the region until the end of the window, or until a packet without a route was found in another one. */
static void simulate(struct packet_engine *e, uint32_t region)
{
	struct packet_regions *r = e->regions;
	struct mailbox *box = r->box[r->threads > 1 ? !r->turn : r->turn] + region;
	uint64_t end = r->end < e->failed ? r->end : e->failed, mail = 0;
	for (uint32_t t = 0; t < r->threads; t++)
		mail += box[(size_t)t * r->count].used;
	if (r->next[region] >= end && !mail)
		return;
	packet_enter(e, region);
	for (uint32_t t = 0; t < r->threads; t++)
		open_box(e, &box[(size_t)t * r->count]);
	packet_advance(e, end);
	r->next[region] = packet_events_next(&e->events);
	if (e->ending == RUN_UNROUTABLE) { /* the first one of all regions ends the run */
		e->failed = e->now;
		e->failed_source = e->bad_source;
		e->failed_destination = e->bad_destination;
		e->ending = RUN_OK;
	}
}

struct packet_team *packet_team_of(const struct packet_engine *e)
{
	return e->regions->team;
}

void packet_regions_work(struct packet_engine *e)
{
	struct packet_regions *r = e->regions;
	for (uint32_t i; e->ending == RUN_OK && (i = (uint32_t)atomic_fetch_add(&r->claimed, 1)) < r->first[r->class + 1];)
		simulate(e, r->order[i]);
}

/* Simulates the regions of the next class until the end of its window; next: the time of the next event of all regions. */
static void run_window(struct packet_engine *e, uint64_t next, uint64_t until)
{
	struct packet_regions *r = e->regions;
	for (unsigned class = 0; class < r->classes; class ++)
		r->reached[class] = r->reached[class] > next ? r->reached[class] : next;
	uint64_t others = r->reached[r->class];
	r->class = r->classes - 1 - r->class;
	r->end = others < NEVER - r->lookahead ? others + r->lookahead : NEVER;
	r->end = r->reached[r->class] = r->end < until ? r->end : until;
	atomic_store(&r->claimed, r->first[r->class]);
	if (r->team) {
		r->turn = !r->turn;
		packet_enter(e, NONE);
		packet_team_work(e);
	} else {
		packet_regions_work(e);
	}
	if (e->ending == RUN_OK && e->failed < NEVER && (r->classes == 1 || next_of(e) >= e->failed)) {
		e->ending = RUN_UNROUTABLE;
		e->now = e->failed;
		e->bad_source = e->failed_source;
		e->bad_destination = e->failed_destination;
	}
}

void packet_regions_advance(struct packet_engine *e, uint64_t until)
{
	if (e->regions->team)
		packet_team_begin(e);
	while (e->ending == RUN_OK || e->parallel) {
		uint64_t next = next_of(e);
		if (e->parallel && !packet_parallel_agree(e, &next))
			break;
		if (next >= until)
			break;
		run_window(e, next, until);
		if (e->parallel)
			packet_parallel_exchange(e);
	}
	if (e->regions->team) {
		packet_team_end(e);
		packet_enter(e, 0);
	}
}
