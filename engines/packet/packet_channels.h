/* What channels have of their own: buffers, virtual lanes and delays, by tier of cables or by attributes of the graph's edges. */
#ifndef ENGINES_PACKET_PACKET_CHANNELS_H
#define ENGINES_PACKET_PACKET_CHANNELS_H

#include "base/document.h"
#include "engines/engine.h"
#include "engines/packet/packet.h"
#include "fabric/tiers.h"

enum channel_value { CHANNEL_BUFFER, CHANNEL_LANES, CHANNEL_ROUTING, CHANNEL_ARBITRATION, CHANNEL_CREDIT, CHANNEL_VALUES };

/* The values of an option: one, or one for each tier of cables from the hosts; further tiers have the last. */
struct tier_values {
	double value[TIERS_MAX]; /* bytes, a number, or seconds */
	unsigned count;          /* 0: not given */
};

/* Reads "8k" or "8k/8k/16k"; read: reads one of them, or ends the program. Ends the program if there are too many. */
void tier_values_read(struct tier_values *values, const char *option, const char *text, double (*read)(const char *option, char *text));

/* Returns the largest value; 0 if none is given. */
double tier_values_largest(const struct tier_values *values);

struct packet_channels {
	double *value[CHANNEL_VALUES]; /* [channels] NAN: as usual; NULL: for all channels */
};

/*
 * Finds the values of channels that differ by tier, or are not given and stand in the graph. Collective; call packet_channels_clear() in
 * either case. Returns 0, or -1: STATUS_USAGE for too many tiers, STATUS_FABRIC for an invalid attribute.
 */
int packet_channels_make(struct packet_channels *channels, const struct tier_values given[CHANNEL_VALUES], const struct engine_setup *setup,
	struct error *error);
void packet_channels_clear(struct packet_channels *channels);

/* Returns the value of a channel. */
static inline double packet_channel_value(const struct packet_channels *channels, enum channel_value which, uint32_t channel, double usual)
{
	const double *value = channels->value[which];
	return value && value[channel] >= 0 ? value[channel] : usual; /* not NAN */
}

/* Returns the largest value over all channels. */
double packet_channels_largest(const struct packet_channels *channels, enum channel_value which, uint32_t count, double usual);

/*
 * Translates the lanes of a routing to those of channels with fewer: classes of lanes, which the routing distinguishes, keep their order.
 * Sets maps[n] for each number of lanes n of a channel. Returns 0, or -1 with STATUS_USAGE if n lanes are too few.
 */
int packet_lane_maps_make(struct lane_map maps[PACKET_LANES_MAX + 1], const struct packet_channels *channels, const char *routing,
	const struct packet_router *router, const struct packet_router_setup *setup, struct error *error);

/* Adds a list of what is given by tier. */
void tier_values_record(const struct tier_values *values, const char *key, double unit, struct node *result);

#endif
