/* The latency of packets, from their creation until their last byte arrives at the host, and the part of it that is waiting. */
#include "base/memory.h"
#include "metrics/by_load.h"

#include <math.h>
#include <string.h>

enum {
	MEAN,
	HALF,
	LOAD,
	PACKETS,
	SOURCE,
	NETWORK,
	WIRE,
	SD,
	P50,
	P90,
	P99,
	P999,
	LONGEST,
	HOPS,
	UNSTEADY,
	VAGUE,
	SATURATED,
	BYTES,
	NUMBERS
};

static double bin_latency(const struct metric_call *call, const struct packet_seen *seen, unsigned bin)
{
	return bin_value(bin, seen->shortest, seen->longest, people_time(call), call->cycles);
}

static double bin_quantile(const struct metric_call *call, const struct packet_seen *seen, double share)
{
	return bins_quantile(seen->latency_bins, seen->all.packets, share, seen->shortest, seen->longest, people_time(call), call->cycles);
}

static double bin_deviation(const struct metric_call *call, const struct packet_seen *seen, double mean)
{
	double squares = 0;
	for (unsigned bin = 0; bin < LATENCY_BINS; bin++)
		if (seen->latency_bins[bin])
			squares += (double)seen->latency_bins[bin] * pow(bin_latency(call, seen, bin) - mean, 2);
	return sqrt(squares / (double)seen->all.packets);
}

/* Returns half the width of the interval of the mean of one run, from its batches. */
static double mean_half_width(const struct metric_call *call, const struct packet_seen *seen)
{
	double latency[PACKET_BATCHES], packets[PACKET_BATCHES];
	for (int b = 0; b < PACKET_BATCHES; b++) {
		latency[b] = (double)seen->batch[b].latency / people_time(call);
		packets[b] = (double)seen->batch[b].packets;
	}
	return batch_half_width(latency, packets, PACKET_BATCHES);
}

static int packet_latency_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	double time = people_time(call), packets = s->all.packets ? (double)s->all.packets : NAN;
	double latency = (double)s->all.latency, network = (double)s->all.network, zero_load = (double)s->all.zero_load;
	numbers[LOAD] = s->open ? s->load : NAN;
	numbers[PACKETS] = (double)s->all.packets;
	numbers[MEAN] = latency / packets / time;
	numbers[HALF] = s->open ? mean_half_width(call, s) : NAN;
	numbers[SOURCE] = (latency - network) / packets / time;
	numbers[NETWORK] = (network - zero_load) / packets / time;
	numbers[WIRE] = zero_load / packets / time;
	numbers[SD] = bin_deviation(call, s, numbers[MEAN]);
	numbers[P50] = bin_quantile(call, s, 0.5);
	numbers[P90] = bin_quantile(call, s, 0.9);
	numbers[P99] = bin_quantile(call, s, 0.99);
	numbers[P999] = bin_quantile(call, s, 0.999);
	numbers[LONGEST] = s->all.packets ? (double)s->longest / time : NAN;
	numbers[HOPS] = (double)s->all.hops / packets;
	numbers[UNSTEADY] = s->open ? !s->steady : NAN;
	numbers[VAGUE] = s->open ? !s->precise : NAN;
	numbers[SATURATED] = s->open ? s->saturated : NAN;
	numbers[BYTES] = seen->bytes;
	for (unsigned bin = 0; bin < LATENCY_BINS; bin++) {
		double from = (double)packet_bin_floor(bin & ~15u) / time; /* a quarter of an octave per bin */
		if (s->latency_bins[bin] && histogram_add(&call->run, from, s->latency_bins[bin], error))
			return -1;
	}
	return 0;
}

/* Returns the end of a bin of a quarter of an octave. */
static double bin_end(double from, double unit)
{
	return (double)packet_bin_floor(packet_bin((uint64_t)llround(from * unit)) + 16) / unit;
}

static double end_in_seconds(double from)
{
	return bin_end(from, PICOSECONDS);
}

static double end_in_cycles(double from)
{
	return bin_end(from, CYCLE_NS * 1e3);
}

enum { MEAN_FIGURE = 3, FIGURES = 18 };

static const struct load_figure figures[FIGURES] = {
	{"bytes", NULL, LOAD_MEAN, BYTES, LINE_ALWAYS, false},
	{"load", "load", LOAD_MEAN, LOAD, LINE_IF_KNOWN, false},
	{"packets", "packets measured", LOAD_MEAN, PACKETS, LINE_ALWAYS, false},
	{"mean", NULL, LOAD_MEAN, MEAN, LINE_ALWAYS, false},
	{"ci95_half", "95% confidence interval of the mean", LOAD_HALF, MEAN, LINE_ALWAYS, false},
	{"source", "of this waiting at the source", LOAD_MEAN, SOURCE, LINE_ALWAYS, false},
	{"network", "waiting in the network", LOAD_MEAN, NETWORK, LINE_ALWAYS, false},
	{"wire", "without waiting", LOAD_MEAN, WIRE, LINE_ALWAYS, false},
	{"sd", "standard deviation", LOAD_MEAN, SD, LINE_ALWAYS, false},
	{"p50", "median", LOAD_MEAN, P50, LINE_ALWAYS, false},
	{"p90", "90% within", LOAD_MEAN, P90, LINE_ALWAYS, false},
	{"p99", "99% within", LOAD_MEAN, P99, LINE_ALWAYS, false},
	{"p999", "99.9% within", LOAD_MEAN, P999, LINE_ALWAYS, false},
	{"max", "maximum", LOAD_LARGEST, LONGEST, LINE_ALWAYS, false},
	{"hops", "channels passed (mean)", LOAD_MEAN, HOPS, LINE_ALWAYS, false},
	{"unsteady", "not steady when measuring began, share of the runs", LOAD_MEAN, UNSTEADY, LINE_IF_POSITIVE, false},
	{"imprecise", "measured for the longest time without reaching the precision, share of the runs", LOAD_MEAN, VAGUE, LINE_IF_POSITIVE,
		false},
	{"saturated", "saturated, share of the runs", LOAD_MEAN, SATURATED, LINE_IF_POSITIVE, false},
};

static const struct table_column column[FIGURES] = {
	{"bytes", "bytes"},
	{"load", "load"},
	{"packets", NULL},
	{"mean", "mean"},
	{"ci95_half", "+-"},
	{"source", "at source"},
	{"network", "in network"},
	{"wire", "no wait"},
	{"sd", NULL},
	{"p50", "50%"},
	{"p90", NULL},
	{"p99", "99%"},
	{"p999", NULL},
	{"max", "maximum"},
	{"hops", "hops"},
	{"unsteady", NULL},
	{"imprecise", NULL},
	{"saturated", "saturated"},
};

static int packet_latency_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	bool several = several_loads(samples, LOAD) || several_loads(samples, BYTES);
	struct load_figure figure[FIGURES];
	struct load_layout layout = {PEOPLE_LABEL(call, "packet latency, ", ""), figure, column, FIGURES, true};
	size_t count = histogram_bins(&call->pooled);
	struct bin *bins = array_create(count, sizeof *bins, error);
	if (!bins)
		return -1;
	memcpy(figure, figures, sizeof figure);
	figure[MEAN_FIGURE].label = PEOPLE_LABEL(call, "packet latency, ", " (mean)");
	histogram_list(&call->pooled, bins);
	result_histogram(result, ITEM_HISTOGRAM, "histogram", several ? NULL : PEOPLE_LABEL(call, "", " from"), "packets", bins, count);
	result_any_size(result);
	result_bin_end(result, call->cycles ? end_in_cycles : end_in_seconds);
	return finish_loads(samples, &layout, result, error);
}

const struct metric metric_packet_latency = {
	.name = "packet_latency",
	.summary = "packet latency by load: mean, percentiles, waiting at the source and in the network",
	.source = "Dally, Towles 2004, 23.1",
	.gathers = METRIC_VALUES | METRIC_POOLED,
	.wants = SEEN_PACKETS,
	.sizes = true,
	.numbers = NUMBERS,
	.flow = packet_latency_flow,
	.finish = packet_latency_finish,
};
