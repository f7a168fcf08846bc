/* Traffic between groups, and round and across grids: each part sends to another (parts.h). Worst cases of minimal routing. */
#include "base/memory.h"
#include "topologies/topology.h"
#include "patterns/open/draw.h"
#include "patterns/open/parts.h"

#include <stdlib.h>

struct traffic_groups {
	struct parts parts;
	uint32_t *next; /* [parts] the next part that has ranks */
	uint32_t by;    /* tornado: the offset of all receivers, as a part */
};

static void groups_clear(struct traffic_call *call)
{
	struct traffic_groups *groups = call->data;
	if (!groups)
		return;
	parts_clear(&groups->parts);
	free(groups->next);
}

static struct traffic_groups *groups_create(struct traffic_call *call, struct error *error)
{
	struct traffic_groups *groups = call->data = array_create(1, sizeof *groups, error);
	return groups && !parts_init(&groups->parts, &call->setup, PARTS_OF_GROUPS, error) ? groups : NULL;
}

/* Finds the next group of each group. Returns 0, or -1. */
static int next_setup(struct traffic_call *call, struct error *error)
{
	struct traffic_groups *groups = groups_create(call, error);
	uint32_t count = groups ? groups->parts.count : 0, next = NONE;
	if (!groups || !(groups->next = array_create(count, sizeof *groups->next, error)))
		return -1;
	for (uint32_t i = 2 * count; i--;) { /* in the second round every group finds one */
		groups->next[i % count] = next;
		if (parts_size(&groups->parts, i % count))
			next = i % count;
	}
	if (groups->next[next] == next)
		return error_set(error, STATUS_USAGE, "traffic '%s' needs ranks in at least 2 groups", call->pattern->name);
	return 0;
}

/* Returns the rank at the same place in another part. */
static uint32_t same_place(const struct parts *parts, uint32_t source, uint32_t part)
{
	uint32_t place = parts->place[source] - parts->first[parts->of_rank[source]];
	return parts->rank[parts->first[part] + place % parts_size(parts, part)];
}

/* ---- nearest_group */

static uint32_t nearest_group_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	(void)word;
	const struct traffic_groups *groups = call->data;
	return same_place(&groups->parts, source, groups->next[groups->parts.of_rank[source]]);
}

const struct pattern pattern_nearest_group = {
	.name = "nearest_group",
	.summary = "every rank to the rank at the same place in the next group",
	.source = "CODES paper 5 (worst case)",
	.open_setup = next_setup,
	.open_clear = groups_clear,
	.receiver = nearest_group_receiver,
};

/* ---- bad_dragonfly */

static int bad_dragonfly_setup(struct traffic_call *call, struct error *error)
{
	if (!call->setup.topology || topology_form(call->setup.topology) != STRUCTURE_GROUPS)
		return error_set(error, STATUS_USAGE, "traffic 'bad_dragonfly' requires a dragonfly; 'nearest_group' works on all fabrics");
	return next_setup(call, error);
}

static uint32_t bad_dragonfly_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	const struct traffic_groups *groups = call->data;
	const struct parts *parts = &groups->parts;
	uint32_t next = groups->next[parts->of_rank[source]];
	return parts->rank[parts->first[next] + draw_below(draw_bits(word + 2), parts_size(parts, next))];
}

const struct pattern pattern_bad_dragonfly = {
	.name = "bad_dragonfly",
	.summary = "every message to any rank of the next group of a dragonfly",
	.source = "Kim, Dally, Scott, Abts: Technology-Driven, Highly-Scalable Dragonfly Topology, ISCA 2008; CODES paper 5",
	.open_setup = bad_dragonfly_setup,
	.open_clear = groups_clear,
	.receiver = bad_dragonfly_receiver,
};

/* ---- tornado */

static const struct arg tornado_args[] = {
	{"each", ARG_FLAG, NULL, 0, 0, "in each dimension, not only the first"},
	{.type = ARG_END},
};

/* The receiver is ceil(width / 2) - 1 further on in the first dimension, or in each. */
static int tornado_setup(struct traffic_call *call, struct error *error)
{
	struct traffic_groups *groups = groups_create(call, error);
	if (!groups)
		return -1;
	const struct parts *parts = &groups->parts;
	uint32_t stride = 1;
	for (uint32_t i = 0; i < parts->axes && (i == 0 || call->args.value[0].integer); i++) {
		groups->by += ((parts->width[i] + 1) / 2 - 1) * stride;
		stride *= parts->width[i];
	}
	if (!parts->axes)
		return error_set(error, STATUS_USAGE,
			"traffic 'tornado' requires a torus or another grid, with a rank on every host; 'shift:K' works on any fabric");
	return groups->by ? 0 : error_set(error, STATUS_USAGE, "traffic 'tornado' requires a dimension of width 3 or more");
}

static uint32_t tornado_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	(void)word;
	const struct traffic_groups *groups = call->data;
	const struct parts *parts = &groups->parts;
	return same_place(parts, source, parts_shift(parts, parts->of_rank[source], groups->by));
}

const struct pattern tornado_with_load = {
	.name = "tornado",
	.summary = "every rank to the one almost halfway round the first dimension of a torus or another grid",
	.source = "Dally and Towles: Principles and Practices of Interconnection Networks, 3.2",
	.args = tornado_args,
	.open_setup = tornado_setup,
	.open_clear = groups_clear,
	.receiver = tornado_receiver,
};

/* ---- diagonal */

static int diagonal_setup(struct traffic_call *call, struct error *error)
{
	struct traffic_groups *groups = groups_create(call, error);
	if (!groups || groups->parts.axes)
		return groups ? 0 : -1;
	return error_set(error, STATUS_USAGE,
		"traffic 'diagonal' requires a torus or another grid, with a rank on every host; 'bitcomp' mirrors 2^k ranks on any fabric");
}

/* Mirroring a part in all dimensions, and the places in it, is mirroring all places. */
static uint32_t diagonal_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	(void)word;
	const struct parts *parts = &((const struct traffic_groups *)call->data)->parts;
	uint32_t rank = parts->rank[call->setup.ranks - 1 - parts->place[source]];
	return rank == source ? NONE : rank;
}

const struct pattern diagonal_with_load = {
	.name = "diagonal",
	.summary = "every rank to the opposite corner of its diagonal: mirrored in each dimension of a torus or another grid",
	.source = "CODES paper 3.1",
	.open_setup = diagonal_setup,
	.open_clear = groups_clear,
	.receiver = diagonal_receiver,
};
