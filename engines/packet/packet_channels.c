#include "engines/packet/packet_channels.h"

#include "base/args.h"
#include "base/memory.h"
#include "cli/usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct channel_attribute {
	const char *name, *option, *what;
	double least, most;
	bool whole;
} attribute[CHANNEL_VALUES] = {
	[CHANNEL_BUFFER] = {"buffer", "--buffer", "bytes", 1, INT32_MAX, true},
	[CHANNEL_LANES] = {"virtual_lanes", "--virtual-lanes", "virtual lanes", 1, PACKET_LANES_MAX, true},
	[CHANNEL_ROUTING] = {"routing_delay", "--routing-delay", "seconds", 0, 1000, false},
	[CHANNEL_ARBITRATION] = {"arbitration_delay", "--arbitration-delay", "seconds", 0, 1000, false},
	[CHANNEL_CREDIT] = {"credit_delay", "--credit-delay", "seconds", 0, 1000, false},
};

/* Finds the attributes of the graph that are not overruled by options. */
static void find_columns(
	const struct attribute *column[CHANNEL_VALUES], const struct attributes *a, const struct tier_values given[CHANNEL_VALUES])
{
	column[CHANNEL_BUFFER] = attributes_find(a, ATTRIBUTE_CHANNEL, "buffer");
	column[CHANNEL_LANES] = attributes_find(a, ATTRIBUTE_CHANNEL, "virtual_lanes");
	column[CHANNEL_ROUTING] = attributes_find(a, ATTRIBUTE_CHANNEL, "routing_delay");
	column[CHANNEL_ARBITRATION] = attributes_find(a, ATTRIBUTE_CHANNEL, "arbitration_delay");
	column[CHANNEL_CREDIT] = attributes_find(a, ATTRIBUTE_CHANNEL, "credit_delay");
	for (int i = 0; i < CHANNEL_VALUES; i++)
		column[i] = given[i].count ? NULL : column[i];
}

/* ---- options */

void tier_values_read(struct tier_values *values, const char *option, const char *text, double (*read)(const char *option, char *text))
{
	char *copy = strdup(text), *rest = copy;
	for (values->count = 0; copy && rest;) {
		if (values->count == TIERS_MAX)
			usage_error("orcs", "%s is '%s', values for more than %d tiers", option, text, TIERS_MAX);
		values->value[values->count++] = read(option, strsep(&rest, "/"));
	}
	free(copy);
}

double tier_values_largest(const struct tier_values *values)
{
	double largest = 0;
	for (unsigned i = 0; i < values->count; i++)
		largest = fmax(largest, values->value[i]);
	return largest;
}

void tier_values_record(const struct tier_values *values, const char *key, double unit, struct node *result)
{
	struct node *list = values->count > 1 ? add_list(result, key) : NULL;
	for (unsigned i = 0; list && i < values->count; i++)
		add_number(list, NULL, values->value[i] / unit);
}

/* ---- values of channels */

/* Gives each channel the value of its tier. */
static void take_tiers(double *value, const struct tier_values *given, const uint8_t *tier, const struct channel_attribute *a,
	const struct engine_setup *s, struct error *error)
{
	unsigned tiers = 0;
	for (uint32_t c = 0; c < s->fabric->channels; c++) {
		tiers = tier[c] >= tiers ? tier[c] + 1u : tiers;
		value[c] = given->value[tier[c] < given->count ? tier[c] : given->count - 1];
	}
	if (given->count > tiers)
		error_set(error, STATUS_USAGE, "%s has values for %u tiers of cables, but the fabric has %u%s", a->option, given->count,
			tiers,
			s->topology ? "" : ": its graph does not name a topology, which would tell the cables between switches apart");
}

/* Reads the attribute of each channel; NAN: it has none. In process 0. */
static void read_attribute(
	double *value, const struct attribute *column, const struct channel_attribute *a, const struct fabric *f, struct error *error)
{
	const struct fabric_labels *labels = f->labels;
	for (uint32_t c = 0; c < f->channels && !error->status; c++) {
		const char *text = attribute_get(column, c);
		value[c] = NAN;
		if (!text || (read_number(text, a->least, a->most, &value[c]) && (!a->whole || value[c] == floor(value[c]))))
			continue;
		const char *tail = labels->name[fabric_tail(f, c)];
		error_at(error, STATUS_FABRIC, labels->source, labels->line_of ? labels->line_of(labels->source, tail) : 0,
			"channel %s -> %s has the %s '%.40s', not %s from %g to %g", tail, labels->name[f->head[c]], a->name, text, a->what,
			a->least, a->most);
	}
}

int packet_channels_make(
	struct packet_channels *channels, const struct tier_values given[CHANNEL_VALUES], const struct engine_setup *s, struct error *error)
{
	const struct peers *peers = s->peers;
	uint8_t *tier = NULL, there[CHANNEL_VALUES] = {0};
	const struct attribute *column[CHANNEL_VALUES] = {0};
	if (s->attributes)
		find_columns(column, s->attributes, given);
	for (int i = 0; i < CHANNEL_VALUES; i++) {
		there[i] = given[i].count > 1 || column[i];
		if (given[i].count > 1 && !tier)
			tier = tiers_make(s->fabric, s->topology, error);
	}
	peers->broadcast(peers->data, there, sizeof there);
	for (int i = 0; i < CHANNEL_VALUES; i++) {
		channels->value[i] = there[i] ? array_create(s->fabric->channels, sizeof *channels->value[i], error) : NULL;
		if (channels->value[i] && tier && given[i].count > 1)
			take_tiers(channels->value[i], &given[i], tier, &attribute[i], s, error);
		else if (channels->value[i] && column[i])
			read_attribute(channels->value[i], column[i], &attribute[i], s->fabric, error);
	}
	free(tier);
	if (peers->agree(peers->data, error))
		return -1;
	for (int i = 0; i < CHANNEL_VALUES; i++)
		if (there[i])
			peers->broadcast(peers->data, channels->value[i], s->fabric->channels * sizeof *channels->value[i]);
	return 0;
}

void packet_channels_clear(struct packet_channels *channels)
{
	for (int i = 0; i < CHANNEL_VALUES; i++)
		free(channels->value[i]);
}

double packet_channels_largest(const struct packet_channels *channels, enum channel_value which, uint32_t count, double usual)
{
	double largest = channels->value[which] && count ? 0 : usual;
	for (uint32_t c = 0; channels->value[which] && c < count; c++)
		largest = fmax(largest, packet_channel_value(channels, which, c, usual));
	return largest;
}

/* ---- lanes */

/* Returns the lanes of the class that begins with this lane. */
static uint16_t class_from(const struct packet_router *router, unsigned leader)
{
	uint32_t later = router->leaders & ~((2u << leader) - 1), end = later ? later & -later : 1u << router->lanes;
	return (uint16_t)(end - (1u << leader));
}

/* Pairs the classes of a router with those of another that has fewer lanes. Returns whether they have as many. */
static bool pair_classes(struct lane_map *map, const struct packet_router *all, const struct packet_router *few)
{
	uint32_t left = all->leaders, right = few->leaders;
	for (; left && right; left &= left - 1, right &= right - 1) {
		unsigned from = (unsigned)__builtin_ctz(left), to = (unsigned)__builtin_ctz(right);
		map->to[from] = class_from(few, to);
		for (uint32_t lanes = map->to[from]; lanes; lanes &= lanes - 1)
			map->from[__builtin_ctz(lanes)] = (uint8_t)from;
	}
	return !left && !right && all->leaders;
}

int packet_lane_maps_make(struct lane_map maps[PACKET_LANES_MAX + 1], const struct packet_channels *channels, const char *routing,
	const struct packet_router *router, const struct packet_router_setup *setup, struct error *error)
{
	uint32_t wanted = 0;
	for (uint32_t c = 0; c < setup->fabric->channels; c++)
		wanted |= 1u << (unsigned)packet_channel_value(channels, CHANNEL_LANES, c, router->lanes);
	for (unsigned lanes = 1; lanes <= router->lanes && !error->status; lanes++) {
		struct packet_router_setup fewer = *setup;
		fewer.lanes = lanes;
		struct packet_router *few = wanted >> lanes & 1 ? packet_router_create(routing, &fewer, error) : NULL;
		if (few && !pair_classes(&maps[lanes], router, few))
			error_set(error, STATUS_USAGE,
				"packet routing '%s' does not divide its virtual lanes into the same classes with %u and with %u of them: "
				"give all channels as many",
				router->routing->name, router->lanes, lanes);
		maps[lanes].leaders = router->leaders;
		packet_router_free(few);
	}
	return error->status ? -1 : 0;
}
