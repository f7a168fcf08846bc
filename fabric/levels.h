/*
 * The service level of each pair of hosts, given by the node attribute sl of a graph, which orcs-route(1) writes: "1:H3,H9;2:H4" at a host
 * applies to its packets to these hosts; level 0 applies to all others.
 */
#ifndef FABRIC_LEVELS_H
#define FABRIC_LEVELS_H

#include "fabric/attributes.h"

#include <stdint.h>

enum { LEVELS_OF_SERVICE = 16 };

struct levels {
	uint32_t hosts;
	unsigned count; /* levels 0..count-1 are in use */
	uint32_t *row;  /* [hosts] row of a source; hosts of one switch mostly share one */
	uint8_t *level; /* [rows][hosts] level by destination */
	uint32_t rows;
};

/*
 * Reads the attributes; *levels is NULL if no host has one. Returns 0, or -1: STATUS_FABRIC for an invalid attribute. Time O(text +
 * hosts^2). Memory: a byte per row and destination.
 */
int levels_load(struct levels **levels, const struct attributes *attributes, const struct fabric *fabric, struct error *error);

/* Creates levels from rows that fill() provides: row is [hosts], all 0 before the call. *levels is NULL if all stay 0. */
typedef void levels_filler(void *data, uint32_t host, uint8_t *row);
int levels_make(struct levels **levels, const struct fabric *fabric, levels_filler *fill, void *data, struct error *error);
void levels_free(struct levels *levels);

static inline unsigned levels_get(const struct levels *levels, uint32_t source, uint32_t destination)
{
	return levels->level[(size_t)levels->row[source] * levels->hosts + destination];
}

#endif
