/*
 * The service level of each pair of hosts, given by the node attribute sl of a graph, which orcs-route(1) writes: "1:H3,H9;2:H4" at a host
 * applies to its packets to these hosts; level 0 applies to all others.
 */
#ifndef FABRIC_SERVICE_LEVELS_H
#define FABRIC_SERVICE_LEVELS_H

#include "fabric/attributes.h"

#include <stdbool.h>
#include <stdint.h>

enum {
	SERVICE_LEVELS_MOST = 16,
	SERVICE_LEVEL_OF_PAIR = SERVICE_LEVELS_MOST /* of a message without a level of its own */
};

/* The attribute of hosts whose packets may have levels that nobody states. */
#define SERVICE_LEVELS_UNKNOWN "unknown"

struct service_levels {
	uint32_t hosts;
	unsigned count; /* levels 0..count-1 are in use */
	uint32_t *row;  /* [hosts] row of a source; hosts of one switch mostly share one */
	uint8_t *level; /* [rows][hosts] level by destination */
	uint32_t rows;
};

/* Returns whether a host has the attribute SERVICE_LEVELS_UNKNOWN. */
bool service_levels_unknown(const struct attributes *attributes, const struct fabric *fabric);

/*
 * Reads the attributes; *levels is NULL if no host has one that states levels. Returns 0, or -1: STATUS_FABRIC for an invalid attribute.
 * Time O(text + hosts^2). Memory: a byte per row and destination.
 */
int service_levels_load(
	struct service_levels **levels, const struct attributes *attributes, const struct fabric *fabric, struct error *error);

/* Creates levels from rows that fill() provides: row is [hosts], all 0 before the call. *levels is NULL if all stay 0. */
typedef void service_levels_filler(void *data, uint32_t host, uint8_t *row);
int service_levels_make(
	struct service_levels **levels, const struct fabric *fabric, service_levels_filler *fill, void *data, struct error *error);
void service_levels_free(struct service_levels *levels);

static inline unsigned service_levels_get(const struct service_levels *levels, uint32_t source, uint32_t destination)
{
	return levels->level[(size_t)levels->row[source] * levels->hosts + destination];
}

#endif
