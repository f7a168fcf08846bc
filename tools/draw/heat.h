/* The congestion that a coloured graph holds (orcs --metric get_cable_cong, link_use or link_busy), as numbers with a scale. */
#ifndef TOOLS_DRAW_HEAT_H
#define TOOLS_DRAW_HEAT_H

#include "base/error.h"
#include "fabric/fabric.h"
#include "formats/dot.h"

/* What the numbers count, depending on what the file tells. */
enum heat_unit {
	HEAT_NONE,   /* no congestion in the file */
	HEAT_ROUTES, /* mean number of routes on the channel in one level: congestion_sum / (orcs_runs * orcs_levels) */
	HEAT_SUM,    /* routes on the channel, summed: congestion_sum where the runs are not known */
	HEAT_SHARE,  /* share of the most congested channel: congestion alone */
	HEAT_BITS,   /* mean number of bits on the channel in one run: congestion_sum / orcs_runs, where orcs_unit is bits */
	HEAT_BUSY,   /* share of the time in which the channel sends: busy, where orcs_unit is busy */
};

struct heat {
	enum heat_unit unit;
	double *value; /* [channels] */
	double largest;
	uint32_t hottest; /* the first channel with the largest value, NONE where all are 0 */
	double full;      /* the value of the last colour of the palette, > 0 */
	const char *palette;
	const char *pattern;   /* "" where the file does not tell; borrowed from the graph */
	uint64_t runs, levels; /* 0 where it does not tell */
};

/* Reads it. Returns 0, or -1: STATUS_FABRIC for values that are no numbers. HEAT_NONE is no error. */
int heat_init(struct heat *heat, const struct fabric *fabric, const struct attributes *attributes, struct error *error);
void heat_clear(struct heat *heat);

/* The place of a value on the scale, 0..1. */
double heat_share(const struct heat *heat, double value);

/* Writes a value as it is told to people, three significant digits; of bits with their power of 1000, as 1.5G. Returns text. */
char *heat_text(const struct heat *heat, double value, char *text, size_t size);

/* The unit in words, for behind a value. */
const char *heat_unit(const struct heat *heat);

#endif
