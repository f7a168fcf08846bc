/* What a fabric holds, as one number: for a campaign that goes on must not do so on another. */
#ifndef ORCS_CONTENT_H
#define ORCS_CONTENT_H

#include "formats/dot.h"

/* The bytes of a file; of standard input and of a specification, all that was read. dot may be NULL. Time O(bytes). */
uint64_t content_of(const char *path, const struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes);

#endif
