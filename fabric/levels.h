/*
 * The service level of each pair of hosts, as the node attribute sl of a graph tells, which orcs-route(1) writes: "1:H3,H9;2:H4" at a host
 * for its packets to these hosts; to all others it sends on level 0.
 */
#ifndef FABRIC_LEVELS_H
#define FABRIC_LEVELS_H

#include "fabric/attributes.h"

#include <stdint.h>

enum { LEVELS_OF_SERVICE = 16 };

struct levels {
	uint32_t hosts;
	unsigned count; /* levels 0..count-1 are in use */
	uint32_t *row;  /* [hosts] of a source; hosts at one switch mostly share one */
	uint8_t *level; /* [rows][hosts] of destinations */
	uint32_t rows;
};

/* Reads them; *levels is NULL if no host has any. Returns 0, or -1: STATUS_FABRIC for an attribute that is none. Time O(text + hosts^2).
 * Memory: a byte for each row and destination. */
int levels_load(struct levels **levels, const struct attributes *attributes, const struct fabric *fabric, struct error *error);

/* The same of rows that are filled: row is [hosts], all 0 before. *levels is NULL if all stay 0. */
typedef void levels_filler(void *data, uint32_t host, uint8_t *row);
int levels_make(struct levels **levels, const struct fabric *fabric, levels_filler *fill, void *data, struct error *error);
void levels_free(struct levels *levels);

static inline unsigned levels_get(const struct levels *levels, uint32_t source, uint32_t destination)
{
	return levels->level[(size_t)levels->row[source] * levels->hosts + destination];
}

#endif
