/* Traffic in which some ranks receive more than others (INRFlow paper 3.3.1). */
#include "base/memory.h"
#include "patterns/open/draw.h"
#include "patterns/traffic.h"

#include <inttypes.h>

/* The first ranks are hot. A share of the messages goes to them, divided equally; the rest goes to the others, divided equally. */
struct hot {
	uint32_t ranks;
	double share[2]; /* of the messages of a rank that is not hot, and of a hot rank */
};

static uint32_t hot_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	const struct hot *hot = call->data;
	uint64_t more = draw_more(word, 2);
	if (draw_share(draw_bits(word + 2)) < hot->share[source < hot->ranks])
		return draw_other(more, 0, hot->ranks, source);
	return draw_other(more, hot->ranks, call->setup.ranks - hot->ranks, source);
}

/* times: the probability of a hot rank divided by that of another. Returns 0, or -1 if out of memory. */
static int hot_create(struct traffic_call *call, uint32_t ranks, double times, struct error *error)
{
	struct hot *hot = call->data = array_create(1, sizeof *hot, error);
	double all = call->setup.ranks;
	if (!hot)
		return -1;
	*hot = (struct hot){ranks,
		{times * ranks / (times * ranks + (all - ranks - 1)), times * (ranks - 1.) / (times * (ranks - 1.) + (all - ranks))}};
	return 0;
}

/* ---- hotspot */

static const struct arg hotspot_args[] = {
	{"K", ARG_INTEGER, "1", 1, UINT32_MAX - 1, "number of hot ranks: the first K"},
	{"times", ARG_INTEGER, "100", 1, 1000000000, "factor by which a hot rank is chosen more often than another"},
	{"share", ARG_INTEGER, "0", 0, 99, "percent of the messages that go to hot ranks (default: from times)"},
	{.type = ARG_END},
};

static int hotspot_setup(struct traffic_call *call, struct error *error)
{
	const struct arg_value *value = call->args.value;
	uint32_t ranks = call->setup.ranks;
	if (value[0].integer >= ranks)
		return error_set(error, STATUS_USAGE, "traffic 'hotspot': K is %" PRId64 ", not less than the %" PRIu32 " ranks",
			value[0].integer, ranks);
	uint32_t hot = (uint32_t)value[0].integer;
	double share = (double)value[2].integer / 100;
	/* from the probabilities of a rank that is not hot: its share for hot ranks, divided by that for the others */
	double times = share > 0 ? share * (ranks - hot - 1.) / ((1 - share) * hot) : (double)value[1].integer;
	if (share > 0 && hot == ranks - 1)
		return error_set(error, STATUS_USAGE, "traffic 'hotspot': share requires at least 2 ranks that are not hot");
	return hot_create(call, hot, times, error);
}

const struct pattern hotspot_with_load = {
	.name = "hotspot",
	.summary = "to each of the first K ranks more often than to any other",
	.source = "INRFlow paper 3.3.1",
	.args = hotspot_args,
	.open_setup = hotspot_setup,
	.receiver = hot_receiver,
};

/* ---- hotregion */

static const struct arg hotregion_args[] = {
	{"percent", ARG_INTEGER, "25", 1, 99, "percent of the messages for the region, besides those that go anywhere"},
	{"part", ARG_INTEGER, "8", 1, UINT32_MAX - 1, "number of parts of the ranks, of which the first is the region"},
	{.type = ARG_END},
};

/* A rank of the region, of R of n, gets p / R + (1 - p) / n, another (1 - p) / n. */
static int hotregion_setup(struct traffic_call *call, struct error *error)
{
	const struct arg_value *value = call->args.value;
	uint32_t ranks = call->setup.ranks, region = (uint32_t)(ranks / value[1].integer);
	double p = (double)value[0].integer / 100;
	region = region ? region : 1;
	return hot_create(call, region, 1 + p / (1 - p) * ranks / region, error);
}

const struct pattern hotregion_with_load = {
	.name = "hotregion",
	.summary = "a quarter to the first eighth of the ranks, the others to any",
	.source = "INRFlow paper 3.3.1",
	.args = hotregion_args,
	.open_setup = hotregion_setup,
	.receiver = hot_receiver,
};
