/* Failed cables and nodes of a fabric that is loaded: its tables stay as they are, as far as they lead. */
#ifndef FABRIC_FAIL_H
#define FABRIC_FAIL_H

#include "fabric/attributes.h"
#include "fabric/forwarding.h"
#include "fabric/port_names.h"

#include <stddef.h>

struct failed {
	uint32_t cables;   /* with those of failed nodes; a channel without an opposite is one */
	uint32_t switches; /* failed */
	uint32_t hosts;    /* failed, or left without a cable; they are left out */
	uint64_t entries;  /* of the tables, for hosts that are left, by channels that failed */
};

/*
 * Removes what the texts name, lists of NODE:PORT or NODE separated by commas (see port_names.h), and hosts without a remaining cable;
 * routes that were computed become tables. attributes: NULL, or those of the graph; without port numbers they must have places. Returns 0,
 * or -1: STATUS_USAGE for a name that the fabric does not have, STATUS_FABRIC if no host is left, STATUS_IO if out of memory. Time O(hosts
 * * columns).
 */
int fabric_fail(const char *const *texts, size_t count, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes *attributes, struct failed *failed, struct error *error);

/*
 * Clears node [nodes] and channel [channels] of what a list names: NODE:PORT or NODE, separated by commas; a node with its channels, a
 * cable in both directions. reverse: fabric_reverse(). Returns 0, or -1: STATUS_USAGE for a name that the fabric does not have.
 */
int fabric_fail_list(
	const char *text, const struct port_names *names, const uint32_t *reverse, bool *node, bool *channel, struct error *error);

#endif
