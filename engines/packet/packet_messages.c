/*
 * Completion times of messages in an open loop: from the creation of a message until its last byte is at its receiver. Receivers count the
 * bytes of messages of several packets in a hash table; packets carry the number of their message at its host, from which the receiver
 * draws its size again, so that runs divided between processes need no more data. Only messages created during the measurement count.
 * Packets of these that arrive after later ones of their message are counted, too.
 */
#include "base/memory.h"
#include "engines/packet/packet_parts.h"

#include "base/random.h"

#include <stdlib.h>
#include <string.h>

/* A message of which some packets have arrived. */
struct partial {
	uint64_t key;     /* source << 32 | number; NEVER: an empty slot */
	uint64_t left;    /* bytes on the wire that have not arrived */
	uint64_t slowest; /* slowest rate of the channels that its packets have passed */
	uint32_t latest;  /* number of the packet that was sent last, of those that have arrived */
};

struct packet_messages {
	struct message_class *of_size; /* [MESSAGE_CLASSES] */
	struct partial *slot;          /* [slots], a power of two */
	size_t slots, partials;
	uint32_t *last_rank; /* [hosts] the last of the circle of its ranks, before the first message */
};

struct packet_messages *packet_messages_create(const struct packet_engine *e, struct error *error)
{
	struct packet_messages *m = array_create(1, sizeof *m, error);
	if (!m)
		return NULL;
	m->of_size = array_create(MESSAGE_CLASSES, sizeof *m->of_size, error);
	m->last_rank = array_create(e->fabric->hosts, sizeof *m->last_rank, error);
	if (!error->status)
		return m;
	packet_messages_free(m);
	return NULL;
}

void packet_messages_free(struct packet_messages *m)
{
	if (!m)
		return;
	free(m->of_size);
	free(m->slot);
	free(m->last_rank);
	free(m);
}

void packet_messages_begin(struct packet_engine *e)
{
	struct packet_messages *m = e->messages;
	memset(m->of_size, 0, MESSAGE_CLASSES * sizeof *m->of_size);
	for (int c = 0; c < MESSAGE_CLASSES; c++)
		m->of_size[c].shortest = m->of_size[c].least_slow = NEVER;
	for (size_t i = 0; i < m->slots; i++)
		m->slot[i].key = NEVER;
	m->partials = 0;
	for (uint32_t h = 0; h < e->fabric->hosts; h++)
		m->last_rank[h] = e->source[h].rank;
	e->seen.messages = m->of_size;
}

/* ---- sizes */

uint64_t packet_open_size(const struct packet_engine *e, uint32_t rank, uint32_t message)
{
	uint32_t word[4];
	if (!e->load.sizes)
		return (uint64_t)e->load.bytes;
	random_message(word, e->setup.seed, e->load.run, rank, message);
	return message_size(e->load.sizes, word);
}

/* Returns the bytes of a message by its number at its host, whose ranks take turns. */
static uint64_t size_of(const struct packet_engine *e, uint32_t source, uint32_t message)
{
	uint32_t last = e->messages->last_rank[source], rank = e->next_rank[last], ranks = 1;
	for (uint32_t r = rank; r != last; r = e->next_rank[r])
		ranks++;
	for (uint32_t turn = message % ranks; turn; turn--)
		rank = e->next_rank[rank];
	return packet_open_size(e, rank, message);
}

/* ---- messages of several packets */

static size_t slot_of(const struct packet_messages *m, uint64_t key)
{
	uint64_t mixed = (key ^ key >> 31) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(mixed >> 32) & (m->slots - 1);
}

/* Returns the slot of the message, or the empty one where it would be. */
static struct partial *find(const struct packet_messages *m, uint64_t key)
{
	size_t i = slot_of(m, key);
	while (m->slot[i].key != NEVER && m->slot[i].key != key)
		i = (i + 1) & (m->slots - 1);
	return &m->slot[i];
}

/* Keeps at least half of the slots empty. Returns 0, or -1. */
static int grow(struct packet_messages *m, struct error *error)
{
	enum { FEW = 1024 };
	if (2 * (m->partials + 1) <= m->slots)
		return 0;
	struct partial *old = m->slot;
	size_t slots = m->slots;
	struct partial *slot = array_create(slots ? 2 * slots : FEW, sizeof *slot, error);
	if (!slot)
		return -1;
	m->slot = slot;
	m->slots = slots ? 2 * slots : FEW;
	for (size_t i = 0; i < m->slots; i++)
		slot[i].key = NEVER;
	for (size_t i = 0; i < slots; i++)
		if (old[i].key != NEVER)
			*find(m, old[i].key) = old[i];
	free(old);
	return 0;
}

/* Empties a slot, and moves those after it that would no longer be found. */
static void empty(struct packet_messages *m, struct partial *partial)
{
	size_t hole = (size_t)(partial - m->slot), mask = m->slots - 1;
	for (size_t i = (hole + 1) & mask; m->slot[i].key != NEVER; i = (i + 1) & mask) {
		size_t wanted = slot_of(m, m->slot[i].key);
		if (((i - wanted) & mask) >= ((i - hole) & mask)) {
			m->slot[hole] = m->slot[i];
			hole = i;
		}
	}
	m->slot[hole].key = NEVER;
	m->partials--;
}

/* ---- arrivals */

static unsigned class_of(uint64_t bytes)
{
	unsigned class = 0;
	for (uint64_t most = MESSAGE_CLASS_LEAST; class < MESSAGE_CLASSES - 1 && bytes > most; most *= 10)
		class ++;
	return class;
}

/* Counts a message whose last packet arrives; slowest: the rate of its slowest channel. */
static void complete(struct packet_engine *e, const struct packet *p, uint64_t bytes, uint64_t slowest, uint64_t time)
{
	struct message_class *class = &e->messages->of_size[class_of(bytes)];
	uint64_t before = packet_wire_bytes(e, bytes) - p->size, rate = slowest > e->inject_rate ? slowest : e->inject_rate;
	rate = rate > e->deliver_rate ? rate : e->deliver_rate;
	uint64_t took = time - p->created, alone = p->zero_load + transfer_time(rate, before);
	uint64_t slow = alone ? (uint64_t)((((unsigned __int128)took << SLOWDOWN_BITS) + alone / 2) / alone) : 1 << SLOWDOWN_BITS;
	class->messages++;
	class->bytes += bytes;
	class->time += took;
	class->slow += slow;
	class->shortest = took < class->shortest ? took : class->shortest;
	class->longest = took > class->longest ? took : class->longest;
	class->least_slow = slow < class->least_slow ? slow : class->least_slow;
	class->most_slow = slow > class->most_slow ? slow : class->most_slow;
	class->bins[packet_bin(took)]++;
	class->slow_bins[packet_bin(slow)]++;
}

void packet_message_arrives(struct packet_engine *e, uint32_t packet, uint64_t time)
{
	struct packet_messages *m = e->messages;
	const struct packet *p = &e->packet[packet];
	uint64_t key = (uint64_t)p->head.source << 32 | p->message;
	uint64_t rate = e->mixed ? e->slow[packet] : packet_speed(e, p->head.channel)->rate;
	if (!is_measured(e, p->created))
		return;
	if (grow(m, e->error)) {
		e->ending = RUN_FAILED;
		return;
	}
	struct partial *partial = find(m, key);
	bool known = partial->key == key;
	uint64_t bytes = known ? 0 : size_of(e, p->head.source, p->message), whole = known ? partial->left : packet_wire_bytes(e, bytes);
	uint64_t slowest = known && partial->slowest > rate ? partial->slowest : rate;
	bool late = known && (int32_t)(p->head.number - partial->latest) < 0;
	e->seen.out_of_order += late;
	if (whole > p->size) {
		*partial = (struct partial){key, whole - p->size, slowest, late ? partial->latest : p->head.number};
		m->partials += !known;
		return;
	}
	if (known)
		empty(m, partial);
	complete(e, p, known ? size_of(e, p->head.source, p->message) : bytes, slowest, time);
}

void packet_messages_sum(struct packet_engine *e)
{
	const struct packet_peers *p = e->setup.peers;
	for (int c = 0; c < MESSAGE_CLASSES; c++) {
		struct message_class *class = &e->messages->of_size[c];
		uint64_t totals[] = {class->messages, class->bytes, class->time, class->slow};
		p->sum(p->data, totals, 4);
		p->sum(p->data, class->bins, LATENCY_BINS);
		p->sum(p->data, class->slow_bins, LATENCY_BINS);
		class->messages = totals[0];
		class->bytes = totals[1];
		class->time = totals[2];
		class->slow = totals[3];
		class->shortest = p->least(p->data, class->shortest);
		class->longest = ~p->least(p->data, ~class->longest);
		class->least_slow = p->least(p->data, class->least_slow);
		class->most_slow = ~p->least(p->data, ~class->most_slow);
	}
}
