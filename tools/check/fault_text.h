/* Faults, channels and routes in words. */
#ifndef TOOLS_CHECK_FAULT_TEXT_H
#define TOOLS_CHECK_FAULT_TEXT_H

#include "tools/check/check.h"

#include <stdio.h>

/* What a kind is called, for programs ("no_entry") and for people ("pairs without a route, as an entry is missing"). */
extern const char *const fault_keys[];
const char *fault_title(const struct check *check, enum fault_kind kind);

/* The node, with the number of its port if that is known: "leaf1[3]". */
void write_port(FILE *file, const struct check *check, uint32_t node, uint32_t port);

/* The channel by the port it leaves and the one it comes to: "leaf1[3] -> spine0[2]". */
void write_channel(FILE *file, const struct check *check, uint32_t channel);

/* The fault in one line, without its end. */
void write_fault(FILE *file, const struct check *check, enum fault_kind kind, const struct fault *fault);

#endif
