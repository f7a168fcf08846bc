/* What a fabric holds, as one number: for a campaign that goes on must not do so on another. */
#ifndef ORCS_CONTENT_H
#define ORCS_CONTENT_H

#include "infiniband/fabric_source.h"

/* The bytes of its files, also of standard input that can be read again; of a specification, all that was read. attributes may be NULL.
 * Returns 0, or -1 with STATUS_USAGE where the bytes cannot be read again. Time O(bytes). */
int content_of(const struct fabric_source *source, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct attributes *attributes, uint64_t *content, struct error *error);

#endif
