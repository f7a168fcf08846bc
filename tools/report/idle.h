/* Channels without a route, by switch. */
#ifndef TOOLS_REPORT_IDLE_H
#define TOOLS_REPORT_IDLE_H

#include "tools/report/report.h"

/* A switch and its share of the idle channels: each is counted at one of its ends. */
struct idle_switch {
	uint32_t node, channels;
};

/*
 * Returns a new array [*count] of the switches that explain most idle channels, most first; each channel counts at the first switch of the
 * list that it leaves or enters. At most `most` switches. NULL if out of memory. Time O(most * channels).
 */
struct idle_switch *idle_switches(const struct fabric_report *report, uint32_t most, uint32_t *count, struct error *error);

/* Writes the advice on them; nothing if there are none. */
void say_idle(FILE *file, const struct fabric_report *report, struct error *error);

#endif
