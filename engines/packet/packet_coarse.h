/* Coarse packets: one stands for several, so that large messages take fewer events (--coarsen). */
#ifndef ENGINES_PACKET_PACKET_COARSE_H
#define ENGINES_PACKET_PACKET_COARSE_H

#include "engines/packet/packet.h"

enum { COARSEN_MAX = 4, COARSE_PACKETS_LEAST = 8 };

/* Makes packets and their headers so many times as large. */
void packet_coarsen(struct packet_setup *setup, unsigned factor);

/* Returns the bytes of the shortest message of the graph that enters the network on these hosts; INFINITY: there is none. */
double packet_shortest(const struct task_graph *graph, const uint32_t *host);

/* Checks that messages have enough coarse packets. Returns 0, or -1 with STATUS_USAGE. */
int packet_coarse_check(const struct packet_setup *setup, unsigned factor, double shortest, struct error *error);

/*
 * Returns by which share makespans can be too long if the messages have so many bytes or more: an envelope of all-to-alls of 64 kB to 1 MB
 * on stars, trees, tori and dragonflies, twice and four times as coarse.
 */
double packet_coarse_error(const struct packet_setup *setup, unsigned factor, double shortest);

#endif
