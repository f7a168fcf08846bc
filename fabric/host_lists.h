/* Lists of hosts by numbers, such as "1:H3,H9;2:H4": the value of attributes that describe destinations, see orcs-dot(5). */
#ifndef FABRIC_HOST_LISTS_H
#define FABRIC_HOST_LISTS_H

#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>

/* Receives a host index and its number. Returns whether they are consistent with those before. */
typedef bool host_lists_taker(void *data, uint32_t number, uint32_t host);

/*
 * Reads a list with numbers up to most. Returns whether it is valid, with hosts of the fabric (of a plane also of other planes, which are
 * left out), and all were accepted. Requires labels. Time O(length).
 */
bool host_lists_read(const struct fabric *fabric, const char *text, uint32_t most, host_lists_taker *take, void *data);

#endif
