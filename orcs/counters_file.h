/* The traffic of the runs as counters of ports, in the form that perfquery -x prints, or as a table of UFM's telemetry. */
#ifndef ORCS_COUNTERS_FILE_H
#define ORCS_COUNTERS_FILE_H

#include "orcs/report.h"

#include <stdbool.h>
#include <stdio.h>

/* Returns whether a file of that name is a table: it ends in .csv. */
bool counters_are_table(const char *path);

/*
 * Checks that counters can name every port: all nodes have LIDs, in a table GUIDs, and all channels port numbers. Needs labels. Returns 0,
 * or -1 with STATUS_USAGE.
 */
int counters_check(const struct fabric *fabric, bool table, struct error *error);

/*
 * Writes a block for each port, or the row of a table, in the order of the channels: PortXmitData and PortRcvData are the data of all runs
 * in units of 4 bytes, rounded down, in a table in bytes; of packet runs there are also PortXmitPkts and PortRcvPkts. PortXmitWait is the
 * time in which the channel is the bottleneck of a message, or in which full buffers block its packets, in ticks in which the fastest
 * channel sends 4 bytes. capacity: [channels] bits/s. Errors of writing stay in the FILE. Returns 0, or -1 if out of memory. Time
 * O(channels log channels).
 */
int counters_write(const struct report *report, const double *capacity, bool table, FILE *file, struct error *error);

#endif
