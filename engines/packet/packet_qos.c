#include "engines/packet/packet_qos.h"

#include "base/args.h"
#include "base/memory.h"
#include "cli/usage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs";

/* ---- options */

static void read_map(struct packet_qos_options *o, const char *text)
{
	const char *at = text;
	for (unsigned level = 0;; level++) {
		char *end;
		double lane = read_decimal(at, &end);
		if (end == at || level == SERVICE_LEVELS_MOST || !(lane >= 0 && lane <= LANE_DISCARD) || lane != (unsigned)lane ||
			(*end && *end != ','))
			usage_error(program, "--qos-sl2vl is '%s', not up to %d virtual lanes from 0 to %d such as 0,1,2,3", text,
				SERVICE_LEVELS_MOST, LANE_DISCARD);
		o->map[level] = (uint8_t)lane;
		if (!*end)
			break;
		at = end + 1;
	}
	o->mapped = true;
}

static void read_weights(const char *option, const char *text, struct lane_weights *weights)
{
	if (!lane_weights_read(text, weights))
		usage_error(program, "%s is '%s', not up to %d virtual lanes (0 to 14) with weights (0 to 255) such as 0:32,1:64", option,
			text, ARBITRATION_ENTRIES);
}

bool packet_qos_parse(struct packet_qos_options *o, int key, const char *text)
{
	switch (key - PACKET_QOS_KEYS) {
	case 0:
		o->level = (unsigned)usage_integer(program, "--service-level", text, 0, SERVICE_LEVELS_MOST - 1);
		o->leveled = true;
		return true;
	case 1: read_map(o, text); return true;
	case 2: read_weights("--qos-vlarb-high", text, &o->tables.high); return true;
	case 3: read_weights("--qos-vlarb-low", text, &o->tables.low); return true;
	case 4:
		o->tables.limit = (uint8_t)usage_integer(program, "--qos-high-limit", text, 0, HIGH_LIMIT_UNBOUNDED);
		o->limited = true;
		return true;
	default: return false;
	}
}

static bool has_tables(const struct packet_qos_options *o)
{
	return o->tables.high.entries || o->tables.low.entries;
}

void packet_qos_settle(const struct packet_qos_options *o, enum packet_allocator allocator)
{
	if (o->limited && !o->tables.high.entries)
		usage_error(program, "--qos-high-limit needs --qos-vlarb-high, the table that it limits");
	if (has_tables(o) && allocator == ALLOCATOR_INPUT)
		usage_error(program, "--qos-vlarb-high and --qos-vlarb-low need --allocator output: outputs choose among lanes");
}

/* ---- the graph */

/* Makes the tables of the options those of all channels. */
static int make_arbitrations(
	struct packet_qos *qos, const struct packet_qos_options *options, const struct fabric *fabric, struct error *error)
{
	struct lane_arbitrations *a = qos->own_arbitrations = array_create(1, sizeof *a, error);
	if (!a)
		return -1;
	a->table_of = array_create(fabric->channels, sizeof *a->table_of, error); /* all 0 */
	a->table = array_create(1, sizeof *a->table, error);
	if (error->status)
		return -1;
	a->table[0] = options->tables;
	a->tables = 1;
	qos->arbitrations = a;
	return 0;
}

int packet_qos_make(struct packet_qos *qos, const struct packet_qos_options *options, const struct engine_setup *setup, struct error *error)
{
	const uint32_t of_pair = 1u << SERVICE_LEVEL_OF_PAIR;
	*qos = (struct packet_qos){.lanes = setup->lanes, .arbitrations = setup->arbitrations, .levels = setup->service_levels};
	if (options->leveled && qos->levels & of_pair)
		qos->levels = (qos->levels & ~of_pair) | 1u << options->level;
	if ((qos->levels != of_pair || options->mapped) &&
		virtual_lanes_change(&qos->own_lanes, setup->lanes, setup->fabric, virtual_lanes_levels(setup->lanes, qos->levels),
			options->mapped ? options->map : NULL, error))
		return -1;
	if (qos->own_lanes)
		qos->own_lanes->unknown &= (qos->levels & of_pair) != 0;
	qos->lanes = qos->own_lanes ? qos->own_lanes : setup->lanes;
	return has_tables(options) ? make_arbitrations(qos, options, setup->fabric, error) : 0;
}

void packet_qos_clear(struct packet_qos *qos)
{
	virtual_lanes_free(qos->own_lanes);
	lane_arbitrations_free(qos->own_arbitrations);
}

/* ---- checks */

/* Checks that every lane of the channel has a weight. Returns 0, or -1. */
static int check_channel(const struct packet_qos *qos, uint32_t channel, uint32_t lanes, const struct fabric *fabric, struct error *error)
{
	const struct lane_arbitration *table = &qos->arbitrations->table[qos->arbitrations->table_of[channel]];
	uint32_t weighed = lane_arbitration_lanes(table), missing = lanes & ~weighed;
	const struct fabric_labels *labels = fabric->labels;
	if (!missing || (!weighed && !qos->own_arbitrations))
		return 0;
	if (qos->own_arbitrations)
		return error_set(error, STATUS_USAGE,
			"--qos-vlarb-high and --qos-vlarb-low give virtual lane %d no weight, so its packets would never be sent",
			__builtin_ctz(missing));
	return error_set(error, STATUS_FABRIC,
		"channel %s -> %s: the tables in vlarb give virtual lane %d no weight, so its packets would never be sent",
		labels ? labels->name[fabric_tail(fabric, channel)] : "?", labels ? labels->name[fabric->head[channel]] : "?",
		__builtin_ctz(missing));
}

static int check_weights(const struct packet_qos *qos, const struct packet_router *router, struct error *error)
{
	const struct fabric *fabric = router->setup.fabric;
	uint32_t levels = virtual_lanes_levels(qos->lanes, qos->levels);
	for (uint32_t c = 0; c < fabric->channels; c++) {
		uint32_t lanes = router->levels ? 0 : packet_lanes_all(router);
		for (uint32_t told = router->levels ? virtual_lanes_of(qos->lanes, c, levels) & ~(1u << LANE_DISCARD) : 0; told;
			told &= told - 1)
			lanes |= router->lanes_of[__builtin_ctz(told)];
		if (qos->arbitrations->table_of[c] != NONE && check_channel(qos, c, lanes, fabric, error))
			return -1;
	}
	return 0;
}

int packet_qos_check(const struct packet_qos *qos, const struct packet_qos_options *options, const struct packet_router *router,
	enum packet_allocator allocator, struct error *error)
{
	if (!router->levels && (qos->levels != 1u << SERVICE_LEVEL_OF_PAIR || options->mapped))
		return error_set(error, STATUS_USAGE,
			"packet routing '%s' chooses virtual lanes itself, so messages have no service levels; choose --packet-routing tables",
			router->routing->name);
	if (!options->mapped && router->levels && qos->levels >> LANE_DISCARD & 1 && !qos->lanes->tables)
		return error_set(error, STATUS_USAGE,
			"service level %d has no virtual lane, as lane %d is not for data; give the lanes by --qos-sl2vl", LANE_DISCARD,
			LANE_DISCARD);
	if (!qos->arbitrations)
		return 0;
	if (allocator == ALLOCATOR_INPUT)
		return error_set(
			error, STATUS_USAGE, "the fabric has tables of the arbitration of lanes (vlarb), which need --allocator output");
	return check_weights(qos, router, error);
}

/* ---- reports */

static void record_weights(struct node *to, const char *key, const struct lane_weights *weights)
{
	struct node *list = weights->entries ? add_list(to, key) : NULL;
	for (uint32_t i = 0; i < weights->entries; i++) {
		struct node *entry = add_list(list, NULL);
		add_number(entry, NULL, weights->entry[i].lane);
		add_number(entry, NULL, weights->entry[i].weight);
	}
}

void packet_qos_record(const struct packet_qos_options *o, struct node *to)
{
	if (o->leveled)
		add_number(to, "service_level", o->level);
	struct node *map = o->mapped ? add_list(to, "qos_sl2vl") : NULL;
	for (int level = 0; map && level < SERVICE_LEVELS_MOST; level++)
		add_number(map, NULL, o->map[level]);
	record_weights(to, "qos_vlarb_high", &o->tables.high);
	record_weights(to, "qos_vlarb_low", &o->tables.low);
	if (o->tables.high.entries)
		add_number(to, "qos_high_limit", o->tables.limit);
}
