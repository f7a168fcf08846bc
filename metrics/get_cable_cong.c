/* The bottlenecks: the congestion of each channel summed over all levels and runs, as an annotated graph. The paper uses two names. */
#include "metrics/metric.h"

static const struct arg get_cable_cong_args[] = {
	{"FILE", ARG_TEXT, "", 0, 0, "output file of the graph"},
	{.type = ARG_END},
};

static int get_cable_cong_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)call, (void)samples, (void)error;
	result_channels(result);
	return 0;
}

#define GET_CABLE_CONG(its_name, its_summary) \
	{ \
		.name = its_name, .summary = its_summary, .source = "ORCS paper 2.5", .args = get_cable_cong_args, \
		.gathers = METRIC_CHANNELS, .finish = get_cable_cong_finish, \
	}

const struct metric metric_get_cable_cong =
	GET_CABLE_CONG("get_cable_cong", "congestion per channel, summed over all runs: annotated graph");
const struct metric metric_get_cong_map = GET_CABLE_CONG("get_cong_map", "another name of get_cable_cong");
