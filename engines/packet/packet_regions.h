/* Regions of a run, the threads that simulate them, and the processes that share it; for engines/packet*.c. */
#ifndef ENGINES_PACKET_PACKET_REGIONS_H
#define ENGINES_PACKET_PACKET_REGIONS_H

#include "engines/packet/packet_workspace.h"

#include <string.h>

/* ---- packet_regions.c */

/* Divides the run into regions, if that is useful. Returns 0, or -1. */
int packet_regions_create(struct packet_engine *engine, struct error *error);
void packet_regions_free(struct packet_engine *engine);

/* Begins a run; then tells that its packets have at least this number of bytes. */
void packet_regions_begin(struct packet_engine *engine, struct error *error);
void packet_regions_look_ahead(struct packet_engine *engine, uint32_t smallest);

/* Processes all events before that time, of all regions of all processes. */
void packet_regions_advance(struct packet_engine *engine, uint64_t until);

/* Makes the region, or that of the node, the one which the engine holds. Between windows all are at the same time. */
void packet_enter(struct packet_engine *engine, uint32_t region);
void packet_enter_node(struct packet_engine *engine, uint32_t node);

/* Returns whether the engine holds the region of the node. */
bool packet_owns(const struct packet_engine *engine, uint32_t node);

/* Returns whether the ends of the channel are in different regions; if there are several. */
static inline bool packet_is_divided(const struct packet_engine *engine, uint32_t channel)
{
	return engine->divided[channel / 64] >> channel % 64 & 1;
}

/* What crosses to another region: the head of a packet, which the next region has from then on; a refund; a notice for its sender. */
void packet_crosses(struct packet_engine *engine, uint32_t packet, uint64_t time, enum packet_event_kind kind);
void packet_refund_crosses(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);
void packet_notice_crosses(struct packet_engine *engine, const struct packet *packet, uint64_t time);

/* A crossing. */
struct packet_crossing {
	uint64_t when;   /* time and kind, as in an event */
	uint32_t target; /* channel; lane of a refund */
	uint32_t bytes;  /* of a refund; 0: a packet follows */
	struct packet packet;
	uint64_t arrived, slow; /* see struct packet_engine; only if rates differ */
};

/* Returns the bytes of the crossing. */
static inline size_t packet_crossing_bytes(const struct packet_engine *e, const struct packet_crossing *c)
{
	return c->bytes ? offsetof(struct packet_crossing, packet) : e->mixed ? sizeof *c : offsetof(struct packet_crossing, arrived);
}

/* Reads a crossing. Returns its bytes. */
static inline size_t packet_crossing_read(const struct packet_engine *e, const char *data, struct packet_crossing *c)
{
	memcpy(c, data, offsetof(struct packet_crossing, packet));
	size_t bytes = packet_crossing_bytes(e, c);
	memcpy(c, data, bytes);
	return bytes;
}

/* Returns the node to which it crosses. */
uint32_t packet_crossing_node(const struct packet_engine *engine, const struct packet_crossing *crossing);

/* Crossings to a region or process. */
struct mailbox {
	char *data;
	size_t used, room;
	uint64_t least; /* earliest time */
};

/* Returns the mailbox of the region, or of the process, that has the node. */
struct mailbox *packet_box_of(struct packet_engine *engine, uint32_t node);
void packet_mail(struct packet_engine *engine, struct mailbox *box, const void *data, size_t bytes, uint64_t time);

/* Simulates regions that no other thread has claimed in this window, until there are none. */
void packet_regions_work(struct packet_engine *engine);
struct packet_team *packet_team_of(const struct packet_engine *engine);

/* ---- packet_team.c */

/* Returns the number of threads that may simulate regions. */
uint32_t packet_team_size(const struct packet_engine *engine);

/* Starts so many threads, this one included, or as many as the system permits. NULL: none besides this one. */
struct packet_team *packet_team_create(struct packet_engine *engine, uint32_t *threads, struct error *error);
void packet_team_free(struct packet_team *team);

/* Begins and ends some windows: after them the results are in the engine. In between, lets all threads work in one window. */
void packet_team_begin(struct packet_engine *engine);
void packet_team_work(struct packet_engine *engine);
void packet_team_end(struct packet_engine *engine);

/* ---- packet_parallel.c */

struct packet_parallel *packet_parallel_create(const struct packet_engine *engine, struct error *error);
void packet_parallel_free(struct packet_parallel *parallel);

/* Returns the mailbox of the process that has the node. */
struct mailbox *packet_parallel_box(const struct packet_engine *engine, uint32_t node);

/* Collective: makes *next the earliest of all processes, or returns false if one of them has ended its run; exchanges what crosses. */
bool packet_parallel_agree(struct packet_engine *engine, uint64_t *next);
void packet_parallel_exchange(struct packet_engine *engine);

#endif
