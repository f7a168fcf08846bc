/* Writes a trace as a schedule in GOAL. */
#ifndef TOOLS_RECORD_GOAL_WRITER_H
#define TOOLS_RECORD_GOAL_WRITER_H

#include "base/error.h"

#include <stdint.h>

/* Reads the trace of events, of this number of ranks, and writes the schedule. Returns 0, or -1. */
int goal_write(const char *trace, uint32_t ranks, const char *path, struct error *error);

#endif
