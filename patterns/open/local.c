/* Traffic that prefers near ranks; near.h defines the distances. */
#include "patterns/open/near.h"

#include <inttypes.h>

/* ---- local */

static const struct arg local_args[] = {
	{"decay", ARG_WORD, "0.5", 0, 0, "factor of a receiver's probability per hop, above 0 and at most 1"},
	{.type = ARG_END},
};

static int local_setup(struct traffic_call *call, struct error *error)
{
	const char *text = call->args.value[0].text;
	double decay;
	if (!read_number(text, ABOVE_ZERO, 1, &decay))
		return error_set(error, STATUS_USAGE, "traffic 'local': decay is '%s', not a number above 0 and at most 1", text);
	return near_setup(call, PARTS_OF_SWITCHES, &(struct near_rule){.decay = decay}, error);
}

const struct pattern local_with_load = {
	.name = "local",
	.summary = "to near ranks more often than to far ones",
	.source = "INRFlow paper 3.3.1",
	.args = local_args,
	.open_setup = local_setup,
	.open_clear = near_clear,
	.receiver = near_receiver,
};

/* ---- nearest_neighbour */

static int nearest_neighbour_setup(struct traffic_call *call, struct error *error)
{
	return near_setup(call, PARTS_OF_SWITCHES, &(struct near_rule){.share = {0, 1, 0}}, error);
}

const struct pattern pattern_nearest_neighbour = {
	.name = "nearest_neighbour",
	.summary = "to any rank of the nearest other switches, such as the neighbours in tori",
	.source = "CODES paper 3.1",
	.open_setup = nearest_neighbour_setup,
	.open_clear = near_clear,
	.receiver = near_receiver,
};

/* ---- mix */

static const struct arg mix_args[] = {
	{"own", ARG_INTEGER, "70", 0, 1000000,
		"share of the messages to the same group: copy of a network of networks, dragonfly group, otherwise first switch"},
	{"near", ARG_INTEGER, "20", 0, 1000000, "share of the messages to other groups within hops"},
	{"far", ARG_INTEGER, "10", 0, 1000000, "share of the messages to all groups beyond"},
	{"hops", ARG_INTEGER, "3", 1, 1000000, "largest distance of near groups, each counted as one node"},
	{.type = ARG_END},
};

static int mix_setup(struct traffic_call *call, struct error *error)
{
	const struct arg_value *value = call->args.value;
	struct near_rule rule = {.hops = (uint32_t)value[3].integer};
	for (int i = 0; i < NEAR_CLASSES; i++)
		rule.share[i] = (double)value[i].integer;
	if (!value[0].integer && !value[1].integer && !value[2].integer)
		return error_set(error, STATUS_USAGE, "traffic 'mix': one of its shares must be above 0");
	return near_setup(call, PARTS_OF_GROUPS, &rule, error);
}

const struct pattern pattern_mix = {
	.name = "mix",
	.summary = "given shares to the same group, to groups near it, to all others",
	.source = "HiNetSim paper 4.3",
	.args = mix_args,
	.open_setup = mix_setup,
	.open_clear = near_clear,
	.receiver = near_receiver,
};

/* ---- distance */

static const struct arg distance_args[] = {
	{"H", ARG_INTEGER, NULL, 0, UINT32_MAX - 1, "hops: cables between the switches of two hosts, or between the hosts if they forward"},
	{.type = ARG_END},
};

static int distance_setup(struct traffic_call *call, struct error *error)
{
	uint32_t hops = (uint32_t)call->args.value[0].integer;
	return near_setup(call, PARTS_OF_SWITCHES, &(struct near_rule){.decay = 1, .exact = true, .hops = hops}, error);
}

const struct pattern pattern_distance = {
	.name = "distance",
	.summary = "to any rank that is H hops away",
	.source = "CODES paper 5.2",
	.args = distance_args,
	.open_setup = distance_setup,
	.open_clear = near_clear,
	.receiver = near_receiver,
};
