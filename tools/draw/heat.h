/* The congestion in an annotated graph (orcs --metric get_cable_cong, link_use or link_busy; orcs-compare --graph), as numbers with a
 * scale. */
#ifndef TOOLS_DRAW_HEAT_H
#define TOOLS_DRAW_HEAT_H

#include "base/error.h"
#include "fabric/fabric.h"
#include "fabric/fair_share.h"
#include "fabric/forwarding.h"
#include "formats/dot.h"
#include "tools/draw/queue_frames.h"

/* The meaning of the numbers, by the attributes of the file. */
enum heat_unit {
	HEAT_NONE,   /* no congestion in the file */
	HEAT_ROUTES, /* mean number of routes per channel and level: congestion_sum / (orcs_runs * orcs_levels) */
	HEAT_SUM,    /* total number of routes on the channel: congestion_sum without a known number of runs */
	HEAT_SHARE,  /* share of the most congested channel: congestion alone */
	HEAT_BITS,   /* mean number of bits per channel and run: congestion_sum / orcs_runs, if orcs_unit is bits */
	HEAT_COST,   /* bandwidth that is lost if the cable fails: cost, if orcs_unit is cost (orcs-compare --graph) */
	HEAT_BUSY,   /* share of the time during which the channel sends: busy, if orcs_unit is busy */
	HEAT_QUEUE,  /* share of the buffers of the channel that packets hold, see heat_show_queues() */
	HEAT_EXCESS, /* load under uniform traffic, divided by the fair share: computed from the routes, see heat_classify() */
};

struct heat {
	enum heat_unit unit;
	double *value; /* [channels] */
	double largest;
	double *load;             /* [channels] what the hottest is chosen by: expected values if the file has them, otherwise values */
	bool expected;            /* which of these */
	uint32_t hottest;         /* the first channel with the largest load, NONE if all are 0 */
	uint32_t equal;           /* other channels with the same load */
	const char *significance; /* of the hottest (orcs-dot(5)), "" if not in the file; borrowed from the graph */
	double full;              /* value of the last colour of the palette, > 0 */
	const char *palette;      /* NULL: the colours of the classes of HEAT_EXCESS */
	struct fair_share fair;   /* of HEAT_EXCESS */
	const struct queue_frames *frames; /* of HEAT_QUEUE, borrowed */
	size_t frame;                      /* the one that is shown; their number: the largest shares of all */
	bool by_speed;                     /* routes are divided by the relative speeds of channels */
	const char *pattern;               /* "" if not in the file; borrowed from the graph */
	uint64_t runs, levels;             /* 0 if not in the file */
};

/* Reads the congestion. Returns 0, or -1: STATUS_FABRIC for values that are not numbers. HEAT_NONE is not an error. */
int heat_init(struct heat *heat, const struct fabric *fabric, const struct attributes *attributes, struct error *error);
void heat_clear(struct heat *heat);

/*
 * Replaces the values by the excesses of the channels, exact and without runs, if the tables have routes, and the file has no congestion or
 * one that is a sample of uniform traffic: its expectation is in proportion to the routes of all pairs of hosts, and it was written with
 * neither a palette of its own nor a scale. palette: that of the command line; HEAT_CLASSES, one of palettes[], which keeps congestion of
 * the file, or NULL: not given. Speeds do not count if the file ignores them. Returns 0, or -1 if out of memory.
 */
#define HEAT_CLASSES "classes"
int heat_classify(struct heat *heat, struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes,
	const char *palette, struct error *error);

/*
 * Replaces the values by the queues of a frame, or by the largest of all frames (frame: their number), which are the colours until an
 * animation begins. palette: NULL: the usual one.
 */
void heat_show_queues(struct heat *heat, const struct queue_frames *frames, size_t frame, const char *palette);

/* Returns whether the colours are those of the classes. */
static inline bool heat_has_classes(const struct heat *heat)
{
	return heat->unit == HEAT_EXCESS && !heat->palette;
}

/* Writes the colour of a value to text, in Graphviz's syntax. */
void heat_colour(const struct heat *heat, double value, char *text, size_t size);

/* Returns the position of a value on the scale, 0..1; with classes that of its class. */
double heat_share(const struct heat *heat, double value);

/* Formats a value with three significant digits; bits with a power of 1000, such as 1.5G. Returns text. */
char *heat_text(const struct heat *heat, double value, char *text, size_t size);

/* Returns the unit in words, to follow a value. */
const char *heat_unit(const struct heat *heat);

#endif
