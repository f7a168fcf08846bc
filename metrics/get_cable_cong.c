/* Where the bottlenecks are: the congestion of each channel summed over all levels and runs, as a coloured graph. The paper uses two names.
 */
#include "metrics/metric.h"

static const struct arg get_cable_cong_args[] = {
	{"FILE", ARG_TEXT, "", 0, 0, "where to write the coloured graph"},
	{.type = ARG_END},
};

static int get_cable_cong_finish(
	const struct metric_call *call, const struct gathered *gathered, struct result *result, struct error *error)
{
	(void)call, (void)gathered, (void)error;
	result_channels(result);
	return 0;
}

#define GET_CABLE_CONG(its_name, its_summary) \
	{ \
		.name = its_name, .summary = its_summary, .source = "ORCS paper 2.5", .args = get_cable_cong_args, \
		.gathers = METRIC_CHANNELS, .finish = get_cable_cong_finish, \
	}

const struct metric metric_get_cable_cong =
	GET_CABLE_CONG("get_cable_cong", "the graph, each edge coloured by the congestion summed over all runs");
const struct metric metric_get_cong_map = GET_CABLE_CONG("get_cong_map", "the same as get_cable_cong");
