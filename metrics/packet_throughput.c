/* Offered and accepted load. */
#include "metrics/by_load.h"

#include <math.h>
#include <string.h>

enum {
	ACCEPTED,
	HALF,
	LOAD,
	BITS,
	PER_HOST,
	UNROUTABLE,
	OUT_OF_ORDER,
	WARMUP,
	MEASURED,
	SATURATED,
	RARE,
	LEAST,
	MOST,
	FAIRNESS,
	LOW,
	HIGH,
	BYTES,
	NUMBERS
};

/* Returns half the width of the interval of the accepted load of one run, in bytes per picosecond, from its batches. */
static double accepted_half_width(const struct packet_seen *seen)
{
	double bytes[PACKET_BATCHES], time[PACKET_BATCHES];
	for (int b = 0; b < PACKET_BATCHES; b++) {
		bytes[b] = (double)seen->batch[b].accepted;
		time[b] = (double)seen->measured / PACKET_BATCHES;
	}
	return batch_half_width(bytes, time, PACKET_BATCHES);
}

/*
 * Sets the least and the largest share that the network accepted of what a host's link can send, over the hosts that send, and Jain's index
 * of these shares: 1 if all are equal, 1/n if one of n hosts gets all.
 */
static void set_fairness(const struct observation *seen, double *numbers)
{
	const struct packet_seen *s = seen->packets;
	double sum = 0, squares = 0, senders = 0, whole = s->link * (double)s->measured;
	numbers[LEAST] = numbers[MOST] = numbers[FAIRNESS] = NAN;
	for (uint32_t h = 0; s->open && whole > 0 && h < seen->fabric->hosts; h++) {
		if (!s->sends[h])
			continue;
		double share = (double)s->accepted[h] / whole;
		numbers[LEAST] = fmin(numbers[LEAST], share);
		numbers[MOST] = fmax(numbers[MOST], share);
		sum += share;
		squares += share * share;
		senders++;
	}
	if (squares > 0)
		numbers[FAIRNESS] = fmin(sum * sum / (senders * squares), 1);
}

static int packet_throughput_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct packet_seen *s = seen->packets;
	double accepted = s->measured ? (double)s->all.accepted / (double)s->measured : NAN; /* bytes per picosecond */
	double links = s->open ? s->link * s->senders : NAN;
	(void)error;
	numbers[ACCEPTED] = accepted / links;
	numbers[HALF] = s->open ? accepted_half_width(s) / links : NAN;
	numbers[LOAD] = s->open ? s->load : NAN;
	numbers[BITS] = (call->cycles ? 1 : 8) * people_time(call) * accepted;
	numbers[PER_HOST] = numbers[BITS] / (s->open ? s->senders : call->ranks);
	numbers[UNROUTABLE] = (double)s->unroutable;
	numbers[OUT_OF_ORDER] = (double)s->out_of_order;
	numbers[WARMUP] = (double)s->warmup / people_time(call);
	numbers[MEASURED] = (double)s->measured / people_time(call);
	numbers[SATURATED] = s->open ? s->saturated : NAN;
	numbers[RARE] = s->open ? s->burst > (double)s->measured : NAN;
	set_fairness(seen, numbers);
	numbers[LOW] = seen->saturation[0];
	numbers[HIGH] = seen->saturation[1];
	numbers[BYTES] = seen->bytes;
	return 0;
}

enum { BITS_FIGURE = 4, MEASURED_FIGURE = 12, FIGURES = 15 };

static const struct load_figure figures[FIGURES] = {
	{"bytes", NULL, LOAD_MEAN, BYTES, LINE_ALWAYS, false},
	{"load", "offered, share of the senders' links", LOAD_MEAN, LOAD, LINE_IF_KNOWN, false},
	{"accepted", "accepted, share of the senders' links", LOAD_MEAN, ACCEPTED, LINE_IF_KNOWN, true},
	{"ci95_half", "95% confidence interval of the mean", LOAD_HALF, ACCEPTED, LINE_ALWAYS, false},
	{"bits", "accepted, bits/s", LOAD_MEAN, BITS, LINE_ALWAYS, false},
	{"per_host", "for each host that sends", LOAD_MEAN, PER_HOST, LINE_ALWAYS, false},
	{"accepted_min", "of the host of which least is accepted", LOAD_MEAN, LEAST, LINE_IF_KNOWN, false},
	{"accepted_max", "of the host of which most is accepted", LOAD_MEAN, MOST, LINE_IF_KNOWN, false},
	{"fairness", "Jain's index of these shares over the hosts that send", LOAD_MEAN, FAIRNESS, LINE_IF_KNOWN, false},
	{"unroutable", "packets without a route", LOAD_MEAN, UNROUTABLE, LINE_IF_POSITIVE, false},
	{"out_of_order", "packets that came after later ones of their message", LOAD_MEAN, OUT_OF_ORDER, LINE_IF_POSITIVE, false},
	{"warmup", NULL, LOAD_MEAN, WARMUP, LINE_ALWAYS, false},
	{"measured", "measured for, seconds", LOAD_MEAN, MEASURED, LINE_ALWAYS, false},
	{"saturated", "saturated, share of the runs", LOAD_MEAN, SATURATED, LINE_IF_POSITIVE, false},
	{"rare_bursts", "measured for less than from burst to burst, share of the runs", LOAD_MEAN, RARE, LINE_IF_POSITIVE, false},
};

static const struct table_column column[FIGURES] = {
	{"bytes", "bytes"},
	{"load", "offered"},
	{"accepted", "accepted"},
	{"ci95_half", "+-"},
	{"bits", "in all"},
	{"per_host", "per host"},
	{"accepted_min", "least"},
	{"accepted_max", "most"},
	{"fairness", "fairness"},
	{"unroutable", NULL},
	{"out_of_order", NULL},
	{"warmup", NULL},
	{"measured", "measured"},
	{"saturated", "saturated"},
	{"rare_bursts", NULL},
};

static int packet_throughput_finish(
	const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	struct load_figure figure[FIGURES];
	struct load_layout layout = {
		"throughput, shares of the senders' links, bits/s in all and per host, seconds measured", figure, column, FIGURES, true};
	double low = mean_number(samples, LOW), high = mean_number(samples, HIGH);
	memcpy(figure, figures, sizeof figure);
	if (call->cycles) {
		layout.label = "throughput, shares of the senders' links, flits a cycle in all and per host, cycles measured";
		figure[BITS_FIGURE].label = "accepted, flits a cycle";
		figure[MEASURED_FIGURE].label = "measured for, cycles";
	}
	if (finish_loads(samples, &layout, result, error))
		return -1;
	result_quantity(result, "saturation", NULL, low);
	result_range(result, "saturation_range", "saturation begins between the loads", low, high);
	result_any_size(result);
	return 0;
}

const struct metric metric_packet_throughput = {
	.name = "packet_throughput",
	.summary = "accepted versus offered load, and the saturation load",
	.source = "Dally, Towles 2004, 23.1",
	.gathers = METRIC_VALUES,
	.wants = SEEN_PACKETS | SEEN_ACCEPTED,
	.sizes = true,
	.numbers = NUMBERS,
	.flow = packet_throughput_flow,
	.finish = packet_throughput_finish,
};
