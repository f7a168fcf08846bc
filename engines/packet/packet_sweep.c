#include "engines/packet/packet_sweep.h"

#include "base/args.h"
#include "cli/usage.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs";

/* The smallest load, and step between loads: larger than rounding errors of either. */
#define LOAD_LEAST 1e-9

static const struct sweep_kind {
	const char *key, *plural, *examples;
	double least, most;
	double unit; /* values of a range are rounded to multiples of its inverse: decimal numbers, not sums with rounding errors */
} kinds[] = {
	[SWEEP_LOAD] = {"load", "loads", "0.3, 0.1,0.2 or 0.1:0.9:0.1 (from 1e-9 to 10)", LOAD_LEAST, 10, 1e9},
	[SWEEP_BYTES] = {"bytes", "sizes", "64k, 64,1k or 4:128k:x2 (from 1 to 1T)", 1, 1e12, 1},
	[SWEEP_INTERARRIVAL] = {"interarrival", "times", "1us, 200ns,1us or 100ns:10us:x2 (from 1ps to 1e6 seconds)", 1e-12, 1e6, 1e12},
};

/* A range of points: as many as fit from low to high, a step or a factor apart. */
struct range {
	double low, high, step;
	bool factor;
};

static bool read_value(enum sweep sweep, const char *text, double second, double *value)
{
	const struct sweep_kind *kind = &kinds[sweep];
	bool read = sweep == SWEEP_LOAD    ? read_number(text, 0, DBL_MAX, value)
		    : sweep == SWEEP_BYTES ? read_size(text, value)
					   : read_seconds(text, second, DBL_MAX, value);
	return read && *value >= kind->least * (1 - 1e-12);
}

/* Reads one item of the list, "VALUE" or "FIRST:LAST:STEP". Returns whether it is one. */
static bool read_range(enum sweep sweep, char *text, double second, struct range *range)
{
	char *low = strsep(&text, ":"), *high = strsep(&text, ":"), *step = text;
	*range = (struct range){.step = 1};
	if (!read_value(sweep, low, second, &range->low))
		return false;
	range->high = range->low;
	if (high && (!step || !read_value(sweep, high, second, &range->high)))
		return false;
	range->factor = step && *step == 'x';
	if (range->factor ? !read_number(step + 1, 1.0001, 1e12, &range->step) : step && !read_value(sweep, step, second, &range->step))
		return false;
	return range->high >= range->low && range->high <= kinds[sweep].most;
}

static double count_of(const struct range *range)
{
	if (range->factor)
		return floor(log(range->high / range->low) / log(range->step) + 1e-9) + 1;
	return floor((range->high - range->low) / range->step * (1 + 1e-12) + 1e-9) + 1;
}

static double point_of(const struct range *range, int i, double unit)
{
	double value = range->factor ? range->low * pow(range->step, i) : range->low + i * range->step;
	return i ? round(value * unit) / unit : value;
}

const char *sweep_begin(const char *text, enum sweep *sweep)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		size_t length = strlen(kinds[i].key);
		*sweep = (enum sweep)i;
		if (!strncmp(text, kinds[i].key, length) && text[length] == '=')
			return text + length + 1;
	}
	usage_error(program, "--sweep is '%s', not load=LOADS, bytes=SIZES or interarrival=TIMES", text);
}

uint32_t sweep_read(enum sweep sweep, const char *option, const char *text, double second, double point[SWEEP_MAX])
{
	const struct sweep_kind *kind = &kinds[sweep];
	uint32_t points = 0;
	char *copy = strdup(text), *rest = copy;
	while (copy && rest) {
		struct range range;
		if (!read_range(sweep, strsep(&rest, ","), second, &range))
			usage_error(program, "%s is '%s', not %s such as %s", option, text, kind->plural, kind->examples);
		double count = count_of(&range);
		if (points + count > SWEEP_MAX)
			usage_error(program, "%s has more than %d %s", option, SWEEP_MAX, kind->plural);
		for (int i = 0; i < (int)count; i++)
			point[points++] = point_of(&range, i, kind->unit);
	}
	if (!copy)
		usage_error(program, "out of memory");
	free(copy);
	return points;
}
