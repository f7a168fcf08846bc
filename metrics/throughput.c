/* The throughput of the network with all messages at once (INRFlow paper, section 4; the max-min sum is exact). */
#include "metrics/metric.h"

#include <math.h>
#include <string.h>

enum { RESTRICTED, NON_RESTRICTED, MAX_MIN, FLOWS, UNROUTABLE, MEAN_HOPS, MAX_LOAD, FAIRNESS, HOSTS, PORTS, ALONE, MEAN_LOAD, NUMBERS };

static const struct arg throughput_args[] = {
	{"simple", ARG_FLAG, NULL, 0, 0, "omit the max-min rates, which take most of the time and memory"},
	{"inrflow", ARG_FLAG, NULL, 0, 0, "add the non-restricted throughput of INRFlow: messages / mean load of all channels"},
	{.type = ARG_END},
};

/* Returns the number of ports of switches; of hosts if there are no switches. */
static double count_ports(const struct fabric *fabric)
{
	uint32_t ports = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (fabric->node_host[v] == NONE || fabric->hosts == fabric->nodes)
			ports += fabric->first_channel[v + 1] - fabric->first_channel[v];
	return ports;
}

static int throughput_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct flow_shares *s = seen->shares;
	(void)error;
	numbers[MAX_MIN] = call->args.value[0].integer ? NAN : s->max_min;
	numbers[FLOWS] = (double)s->messages;
	numbers[UNROUTABLE] = (double)s->unroutable;
	numbers[MEAN_HOPS] = s->messages ? s->hops : NAN;
	numbers[MAX_LOAD] = s->max_load;
	numbers[RESTRICTED] = s->restricted;
	numbers[NON_RESTRICTED] = s->non_restricted;
	numbers[FAIRNESS] = call->args.value[0].integer ? NAN : s->fairness;
	numbers[HOSTS] = seen->fabric->hosts;
	numbers[PORTS] = count_ports(seen->fabric);
	numbers[ALONE] = s->alone;
	numbers[MEAN_LOAD] = s->mean_use > 0 ? (double)s->messages / s->mean_use : 0;
	return 0;
}

/* Adds a throughput: in all, per host and per port. */
static void finish_rate(
	const struct samples *g, unsigned index, const char *const key[3], const char *const label[3], struct result *result)
{
	double mean = mean_number(g, index);
	bool any = !isnan(mean);
	result_quantity(result, key[0], any ? label[0] : NULL, mean);
	result_quantity(result, key[1], any ? label[1] : NULL, any ? mean / g->numbers[HOSTS] : NAN);
	result_quantity(result, key[2], any ? label[2] : NULL, any ? mean / g->numbers[PORTS] : NAN);
}

static int throughput_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	(void)error;
	finish_number(samples, FLOWS, "flows", "flows", result);
	finish_number(samples, UNROUTABLE, "unroutable", NULL, result);
	finish_number(samples, MEAN_HOPS, "mean_hops", "mean length of routes, channels", result);
	finish_number(samples, MAX_LOAD, "max_load", "largest load of a channel, flows", result);
	finish_rate(samples, RESTRICTED, (const char *const[]){"restricted", "restricted_per_host", "restricted_per_port"},
		(const char *const[]){"restricted throughput, bits/s", "for each host", "for each port"}, result);
	finish_rate(samples, NON_RESTRICTED, (const char *const[]){"non_restricted", "non_restricted_per_host", "non_restricted_per_port"},
		(const char *const[]){"non-restricted throughput, bits/s", "for each host", "for each port"}, result);
	if (!isnan(mean_number(samples, ALONE)))
		finish_number(
			samples, ALONE, "non_restricted_share", "mean share of what the two ends of a message could carry alone", result);
	if (call->args.value[1].integer)
		finish_rate(samples, MEAN_LOAD,
			(const char *const[]){
				"non_restricted_inrflow", "non_restricted_inrflow_per_host", "non_restricted_inrflow_per_port"},
			(const char *const[]){"non-restricted throughput of INRFlow, bits/s", "for each host", "for each port"}, result);
	finish_rate(samples, MAX_MIN, (const char *const[]){"max_min", "max_min_per_host", "max_min_per_port"},
		(const char *const[]){"max-min fair throughput, bits/s", "for each host", "for each port"}, result);
	bool fair = !isnan(mean_number(samples, FAIRNESS));
	finish_number(samples, FAIRNESS, "fairness", fair ? "Jain's fairness of the max-min rates" : NULL, result);
	return 0;
}

const struct metric metric_throughput = {
	.name = "throughput",
	.summary = "throughput of all messages at once: restricted, non-restricted, max-min fair",
	.source = "INRFlow paper 4",
	.args = throughput_args,
	.gathers = METRIC_VALUES,
	.wants = SEEN_SHARES | SEEN_EXACT,
	.numbers = NUMBERS,
	.flow = throughput_flow,
	.finish = throughput_finish,
};
