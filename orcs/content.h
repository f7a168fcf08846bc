/* A hash of the content of a fabric: a campaign must not continue on another fabric. */
#ifndef ORCS_CONTENT_H
#define ORCS_CONTENT_H

#include "infiniband/fabric_source.h"

/* Hashes the bytes of its files, or of standard input if it can be read again; for a specification, everything that was read. attributes
 * may be NULL. Returns 0, or -1 with STATUS_USAGE where the bytes cannot be read again. Time O(bytes). */
int content_of(const struct fabric_source *source, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct attributes *attributes, uint64_t *content, struct error *error);

#endif
