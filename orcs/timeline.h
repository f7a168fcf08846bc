/* A run of the flow engine message by message: as a trace for viewers, and as a table. */
#ifndef ORCS_TIMELINE_H
#define ORCS_TIMELINE_H

#include "fabric/fabric.h"
#include "engines/flow/flow.h"

#include <stdio.h>

/* The Trace Event Format of Chrome and Perfetto, JSON: a row for each task, its computations and the messages it sends. */
void timeline_write(const struct task_times *times, const struct fabric *fabric, FILE *file);

/* CSV, a line for each message in their order: number, level, tasks and hosts of sender and receiver, bytes, begin and end in seconds,
 * seconds on an idle network, hops, whether it was delivered. */
void timeline_flows(const struct task_times *times, const struct fabric *fabric, FILE *file);

#endif
