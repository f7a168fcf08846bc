/* Regions of a run, the threads that simulate them, and the processes that share it; for engines/packet*.c. */
#ifndef ENGINES_PACKET_PACKET_REGIONS_H
#define ENGINES_PACKET_PACKET_REGIONS_H

#include "engines/packet/packet_parts.h"

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

/* What crosses to another region: the head of a packet; a refund. If that is in another process, the packet is dropped here. */
void packet_crosses(struct packet_engine *engine, uint32_t packet, uint64_t time, enum packet_event_kind kind);
void packet_refund_crosses(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);

/* Puts an event, or EVENT_REFUND, into the mailbox of the node's region. */
void packet_mail(struct packet_engine *engine, uint32_t node, struct packet_event event);

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

/* Begins a run: all threads have no packets. Then gives this thread some that have not been used. Returns 0, or -1. */
void packet_team_empty(struct packet_team *team);
int packet_team_packets(struct packet_engine *engine);

/* ---- packet_parallel.c */

struct packet_parallel *packet_parallel_create(const struct packet_engine *engine, struct error *error);
void packet_parallel_free(struct packet_parallel *parallel);

/* What crosses to another process: the head of a packet, which is not dropped; a refund; a notice for the sender of a packet. */
void packet_parallel_packet(struct packet_engine *engine, uint32_t packet, uint64_t time, enum packet_event_kind kind);
void packet_parallel_refund(struct packet_engine *engine, uint32_t lane, uint64_t time, uint32_t bytes);
void packet_parallel_notice(struct packet_engine *engine, const struct packet *packet, uint64_t time);

/* Collective: makes *next the earliest of all processes, or returns false if one of them has ended its run; exchanges what crosses. */
bool packet_parallel_agree(struct packet_engine *engine, uint64_t *next);
void packet_parallel_exchange(struct packet_engine *engine);

#endif
