/* What the numbers in the attributes of a graph may be: see orcs-dot(5). */
#ifndef FORMATS_DOT_NUMBERS_H
#define FORMATS_DOT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* The port of a channel, 0 for none: chassis drawn as one switch have more than InfiniBand's 254. */
#define DOT_PORT_MOST (UINT32_MAX - 1)

/* Gb/s of a channel: those beyond are a mistake, and ratios of those within are exact enough. Seconds of a channel, from 0 on. */
#define DOT_SPEED_MIN 1e-6
#define DOT_SPEED_MAX 1e12
#define DOT_LATENCY_MAX 1e3

/* Reads port, peer_port, or ports. Returns whether text is one. */
bool dot_read_port(const char *text, uint32_t *port);

/* Whether text is a lid (0: none), or lids: such numbers and ranges of them, as "5,8-11". */
bool dot_is_lid(const char *text);
bool dot_is_lids(const char *text);

/* The lanes of a width, as "4x" or "4"; 0 for what is none. */
unsigned dot_width(const char *text);

#endif
