/* Valid numbers in the attributes of a graph, see orcs-dot(5). */
#ifndef FORMATS_DOT_NUMBERS_H
#define FORMATS_DOT_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

/* Largest port of a channel, 0 for none: chassis drawn as one switch have more than InfiniBand's 254. */
#define DOT_PORT_MOST (UINT32_MAX - 1)

/*
 * Limits of the Gb/s of a channel: values outside are mistakes, and ratios of values within are exact enough. Limit of the seconds of a
 * channel, from 0.
 */
#define DOT_SPEED_MIN 1e-6
#define DOT_SPEED_MAX 1e12
#define DOT_LATENCY_MAX 1e3

/* Reads port, peer_port, or ports. Returns whether text is valid. */
bool dot_read_port(const char *text, uint32_t *port);

/*
 * dot_is_lid() returns whether text is a LID (0: none); dot_is_lids(), whether it is a list of LIDs and ranges of LIDs, for example
 * "5,8-11".
 */
bool dot_is_lid(const char *text);
bool dot_is_lids(const char *text);

/* Returns the lanes of a width, "4x" or "4"; 0 if text is not a width. */
unsigned dot_width(const char *text);

#endif
