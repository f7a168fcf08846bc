/* The queues of the first packet run over time, as CSV: orcs --queues FILE. */
#ifndef ORCS_QUEUE_FILE_H
#define ORCS_QUEUE_FILE_H

#include "metrics/packet_queues.h"
#include "orcs/report.h"

#include <stdio.h>

/* Returns the queues that the metric packet_queues has taken; NULL: none, or there is no such metric. */
const struct queue_series *queues_of(const struct report *report);

/*
 * Writes a row for each channel with something in its queues at each moment; a row for a moment without any has only its time. Errors of
 * writing stay in the FILE.
 */
void queue_file_write(const struct queue_series *series, FILE *file);

#endif
