/* Lists of hosts by numbers, as "1:H3,H9;2:H4": the value of attributes that tell something of destinations, see orcs-dot(5). */
#ifndef FABRIC_NUMBERED_H
#define FABRIC_NUMBERED_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

/* Takes a host index and its number. Returns whether they go together with what came before. */
typedef bool numbered_taker(void *data, uint32_t number, uint32_t host);

/* Reads a list, its numbers at most most. Returns whether it is one, of hosts of the fabric, and all were taken. Needs labels. Time
 * O(length). */
bool numbered_hosts(const struct fabric *fabric, const char *text, uint32_t most, numbered_taker *take, void *data);

#endif
