/* Shared by the formats of a report; private to report*.c. */
#ifndef ORCS_REPORT_WORKSPACE_H
#define ORCS_REPORT_WORKSPACE_H

#include "orcs/report.h"

static inline const struct fabric *report_fabric(const struct report *report)
{
	return report->setup->work->setup.fabric;
}

/* Returns what was sent: the pattern, or the traffic of an open loop. */
static inline const char *report_sent(const struct report *report)
{
	const struct engine_terms *terms = &report->setup->work->terms;
	return terms->open ? terms->sent : report->options->pattern.spec;
}

/* The congestion sum of a channel: an integer, but where loads are split, or divided by the speed; and the largest of all. */
double report_channel_sum(const struct report *report, uint32_t channel);
double report_largest_sum(const struct report *report);

/* Seconds for which packets were watched on the channels, over all runs; 0: there are none. Shares of them in which the channel was busy.
 */
double report_watched(const struct report *report);
double report_channel_busy(const struct report *report, uint32_t channel);

/* Seconds in which the channel was a bottleneck, over all runs; of packets the share of the time in which it was blocked. Its name. */
double report_channel_limit(const struct report *report, uint32_t channel);
const char *report_limit_name(const struct report *report);

/* Writes a weight: with six decimals, or as the integer that it is but for rounding. */
void report_format_weight(char *text, size_t size, double weight);

/* The key of a histogram's bin; bins whose keys read alike are merged: *count becomes their sum, *index the last of them. */
void report_merge_bins(const struct item *item, size_t *index, char *text, size_t size, uint64_t *count);

#endif
