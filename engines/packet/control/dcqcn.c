/*
 * DCQCN, congestion control of RoCE (Zhu and others: Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015). Switches mark
 * packets at random, more of them the longer the queue; a receiver sends at most one notice per flow and interval; the sender cuts its rate
 * by a share that follows how often it is told, and raises it by a timer and by bytes: half the way to its former rate first, then the
 * target by steps.
 *
 * The defaults are those of the paper for links of 40 Gb/s; the hyper increase, which it does not give, is ten times the additive one, as
 * in QCN. The lossless links of the packet engine stand for PFC.
 */
#include "engines/packet/control/control.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

enum { KMIN, KMAX, PMAX, CNP, G, ALPHA_TIMER, RAISE_TIMER, RAISE_BYTES, FAST, AI, HAI, LEAST };

static const uint64_t microsecond = 1000000; /* picoseconds */

struct dcqcn {
	double kmin, kmax, pmax;                /* bytes; a share */
	double g, additive, hyper, least;       /* shares of the link */
	uint64_t cnp, alpha_timer, raise_timer; /* picoseconds */
	double raise_bytes;
	uint32_t fast; /* raises that only halve the way to the target */
};

static int setup(struct control *control, struct error *error)
{
	const struct arg_value *value = control->args.value;
	const double mega = 1e6, percent = 100;
	struct dcqcn *d = control->data = array_create(1, sizeof *d, error);
	if (!d)
		return -1;
	*d = (struct dcqcn){
		.kmin = (double)value[KMIN].integer,
		.kmax = (double)value[KMAX].integer,
		.pmax = (double)value[PMAX].integer / percent,
		.cnp = (uint64_t)value[CNP].integer * microsecond,
		.g = 1 / (double)value[G].integer,
		.alpha_timer = (uint64_t)value[ALPHA_TIMER].integer * microsecond,
		.raise_timer = (uint64_t)value[RAISE_TIMER].integer * microsecond,
		.raise_bytes = (double)value[RAISE_BYTES].integer,
		.fast = (uint32_t)value[FAST].integer,
		.additive = (double)value[AI].integer * mega / control->link,
		.hyper = (double)value[HAI].integer * mega / control->link,
		.least = fmin(1, (double)value[LEAST].integer * mega / control->link),
	};
	if (d->kmax < d->kmin)
		return error_set(
			error, STATUS_USAGE, "congestion control 'dcqcn': kmax is %.0f bytes, less than kmin, %.0f", d->kmax, d->kmin);
	return 0;
}

static void clear(struct control *control)
{
	free(control->data);
}

static bool marks(const struct control *control, const struct control_sight *sight)
{
	const struct dcqcn *d = control->data;
	double queue = (double)sight->others;
	if (queue < d->kmin || queue == 0)
		return false;
	double chance = queue >= d->kmax ? 1 : d->pmax * (queue - d->kmin) / (d->kmax - d->kmin);
	return sight->draw < chance * 0x1p32;
}

/* A flow begins at the rate of the link. */
static void begin(struct control_flow *flow, uint64_t now)
{
	if (flow->begun)
		return;
	flow->begun = true;
	flow->dcqcn.rate = flow->dcqcn.target = flow->dcqcn.alpha = 1;
	flow->dcqcn.alpha_time = flow->dcqcn.raise_time = now;
}

/* Raises the rate once: fast recovery, then additive, then hyper increase. */
static void raise_rate(const struct dcqcn *d, struct control_flow *flow)
{
	uint32_t times = flow->dcqcn.by_time, bytes = flow->dcqcn.by_bytes, least = times < bytes ? times : bytes;
	if (least > d->fast)
		flow->dcqcn.target += d->hyper;
	else if (times >= d->fast || bytes >= d->fast)
		flow->dcqcn.target += d->additive;
	flow->dcqcn.target = fmin(1, flow->dcqcn.target);
	flow->dcqcn.rate = (flow->dcqcn.rate + flow->dcqcn.target) / 2;
}

/* Runs the timers of the flow up to now. A rate that has reached the link's stays there. */
static void pass_time(const struct dcqcn *d, struct control_flow *flow, uint64_t now)
{
	const double full = 1 - 1e-9;
	begin(flow, now);
	for (; flow->dcqcn.alpha_time + d->alpha_timer <= now && flow->dcqcn.alpha > 0; flow->dcqcn.alpha_time += d->alpha_timer)
		flow->dcqcn.alpha = flow->dcqcn.alpha * (1 - d->g) < 1e-12 ? 0 : flow->dcqcn.alpha * (1 - d->g);
	for (; flow->dcqcn.raise_time + d->raise_timer <= now && flow->dcqcn.rate < full; flow->dcqcn.raise_time += d->raise_timer) {
		flow->dcqcn.by_time++;
		raise_rate(d, flow);
	}
	if (flow->dcqcn.alpha == 0)
		flow->dcqcn.alpha_time = now;
	if (flow->dcqcn.rate >= full) {
		flow->dcqcn.rate = 1;
		flow->dcqcn.raise_time = now;
	}
}

static void notice(const struct control *control, struct control_flow *flow, uint64_t now)
{
	const struct dcqcn *d = control->data;
	pass_time(d, flow, now);
	if (flow->dcqcn.noticed && now < flow->dcqcn.noticed + d->cnp)
		return; /* the receiver does not send it */
	flow->dcqcn.noticed = now;
	flow->dcqcn.target = flow->dcqcn.rate;
	flow->dcqcn.rate = fmax(d->least, flow->dcqcn.rate * (1 - flow->dcqcn.alpha / 2));
	flow->dcqcn.alpha = (1 - d->g) * flow->dcqcn.alpha + d->g;
	flow->dcqcn.alpha_time = flow->dcqcn.raise_time = now;
	flow->dcqcn.by_time = flow->dcqcn.by_bytes = 0;
	flow->dcqcn.bytes = 0;
}

static uint64_t rest(const struct control *control, struct control_flow *flow, uint64_t now, uint32_t bytes, uint64_t time)
{
	const struct dcqcn *d = control->data;
	pass_time(d, flow, now);
	flow->dcqcn.bytes += bytes;
	if (flow->dcqcn.bytes >= d->raise_bytes) {
		flow->dcqcn.bytes = 0;
		flow->dcqcn.by_bytes++;
		raise_rate(d, flow);
	}
	return flow->dcqcn.rate < 1 ? (uint64_t)((double)time * (1 / flow->dcqcn.rate - 1)) : 0;
}

static const struct arg args[] = {
	{"kmin", ARG_INTEGER, "5000", 0, INT32_MAX, "bytes that wait for an output below which no packet is marked"},
	{"kmax", ARG_INTEGER, "200000", 1, INT32_MAX, "bytes from which every packet is marked"},
	{"pmax", ARG_INTEGER, "1", 0, 100, "percent of packets that are marked just below kmax"},
	{"cnp", ARG_INTEGER, "50", 0, 1000000, "us between two notices of a flow"},
	{"g", ARG_INTEGER, "256", 1, 1 << 20, "1/g is the weight of a notice in alpha"},
	{"alpha", ARG_INTEGER, "55", 1, 1000000, "us without a notice after which alpha falls"},
	{"timer", ARG_INTEGER, "55", 1, 1000000, "us after which the rate rises"},
	{"bytes", ARG_INTEGER, "10000000", 1, INT32_MAX, "bytes sent after which the rate rises"},
	{"fast", ARG_INTEGER, "5", 0, 1000, "rises halfway to the former rate before the target rises"},
	{"ai", ARG_INTEGER, "40", 0, 1000000, "Mb/s by which the target rises"},
	{"hai", ARG_INTEGER, "400", 0, 1000000, "the same after as many rises by time and by bytes"},
	{"least", ARG_INTEGER, "10", 1, 1000000, "Mb/s below which the rate does not fall"},
	{.type = ARG_END},
};

const struct control_kind control_dcqcn = {
	.name = "dcqcn",
	.summary = "congestion control of RoCE: ECN, rates",
	.source = "Zhu and others 2015",
	.args = args,
	.setup = setup,
	.clear = clear,
	.marks = marks,
	.notice = notice,
	.rest = rest,
};
