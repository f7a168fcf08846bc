/*
 * The times of messages. Every process is stationary: the first message comes after the rest, at a random time, of an interval. Values that
 * are not whole numbers of picoseconds are rounded down or up at random, so that the mean is exact and errors do not accumulate.
 *
 * Doubles are only added, multiplied and divided, which gives the same result on every machine; the logarithm here uses only these
 * operations.
 */
#include "base/spelling.h"
#include "patterns/open/draw.h"
#include "patterns/traffic.h"

#include <stdio.h>
#include <string.h>

const char *const injection_names[] = {"bernoulli", "poisson", "periodic", "onoff", NULL};

/* Beyond any simulated time: 53 days. */
static const double longest = 0x1p62;

int injection_parse(const char *spec, struct injection *injection, struct error *error)
{
	size_t length = spec_name_length(spec), i = 0;
	const char *value = spec + length;
	while (injection_names[i] && (strlen(injection_names[i]) != length || strncmp(spec, injection_names[i], length)))
		i++;
	if (!injection_names[i]) {
		char name[64];
		snprintf(name, sizeof name, "%.*s", (int)length, spec);
		return error_unknown(error, "injection process", name, injection_names, i);
	}
	injection->process = (enum injection_process)i;
	injection->burst = 1;
	if (injection->process != INJECTION_ONOFF && *value)
		return error_set(error, STATUS_USAGE, "injection process '%s' takes no parameter: '%s'", injection_names[i], value + 1);
	if (injection->process == INJECTION_ONOFF) {
		if (!*value || !read_number(value + 1, 1, 1e9, &injection->burst))
			return error_set(error, STATUS_USAGE,
				"injection process 'onoff' takes the mean messages of a burst, 1 to 1e9, such as onoff:20, not '%s'", spec);
	}
	return 0;
}

/*
 * Returns log((1 + s) / (1 - s)) for |s| <= 0.1716, that is, of a number between 1/sqrt(2) and sqrt(2): the series of 2 atanh(s) to 53
 * bits.
 */
static double log_near(double s)
{
	double a = s * s, b = a * a, c = b * b;
	double low = (2 + a * (2. / 3)) + b * (2. / 5 + a * (2. / 7)), high = (2. / 9 + a * (2. / 11)) + b * (2. / 13 + a * (2. / 15));
	return s * (low + c * (high + c * (2. / 17 + a * (2. / 19))));
}

/* Returns the natural logarithm of a number above 0 that is not subnormal; the error is at most 2 units of the last place. */
static double logarithm(double x)
{
	uint64_t bits, middle = UINT64_C(0x3fe6a09e667f3bcd); /* of 1/sqrt(2) */
	memcpy(&bits, &x, sizeof bits);
	int64_t exponent = (int64_t)(bits - middle) >> 52;
	bits -= (uint64_t)exponent << 52;
	memcpy(&x, &bits, sizeof x);
	return (double)exponent * 0x1.62e42fefa39efp-1 + log_near((x - 1) / (x + 1));
}

/* Returns log(1 - p), 0 < p < 1. */
static double logarithm_but(double p)
{
	return p < 0.25 ? log_near(-p / (2 - p)) : logarithm(1 - p);
}

/* Draws an exponentially distributed number of mean 1: the middles of 2^52 parts, none of which is 0. */
static double draw_exponential(uint64_t bits)
{
	return -logarithm(((double)(bits >> 12) + 0.5) * 0x1p-52);
}

/* Returns a whole number with mean x: the one below or the one above. */
static uint64_t round_at_random(double x, uint64_t bits)
{
	return x < longest ? (uint64_t)(x + draw_share(bits)) : (uint64_t)longest;
}

/* Draws a number of slots: those without a message, then the one with it; load below 1. */
static double draw_slots(double load, uint64_t bits)
{
	double before = draw_exponential(bits) / -logarithm_but(load);
	return 1 + (before < longest ? (double)(uint64_t)before : longest);
}

/* In every slot a message with the probability of the load. Above 1: one in every slot, plus as many at once as the mean requires. */
static uint64_t bernoulli(const struct injection *injection, bool first, uint64_t bits)
{
	if (injection->load >= 1)
		return !first && draw_share(bits) * injection->load < 1 ? injection->slot : 0;
	double slots = draw_slots(injection->load, bits) - first;
	return slots * (double)injection->slot < longest ? (uint64_t)slots * injection->slot : (uint64_t)longest;
}

/*
 * The last message of a burst comes with probability 1 / burst; then there is no other for the slot that it takes and for an exponentially
 * distributed time, of mean burst (1 / load - 1) slots, which gives load messages per slot. At the beginning, the host is on with the
 * probability of the load.
 */
static double on_off(const struct injection *injection, bool first, const uint32_t word[4])
{
	double slot = (double)injection->slot, load = injection->load, share = draw_share(draw_bits(word));
	if (load >= 1)
		return slot / load * (first ? share : 1);
	double off = injection->burst * (1 / load - 1) * slot * draw_exponential(draw_more(word, 1));
	if (first)
		return share < load ? share / load * slot : slot + off;
	return share * injection->burst < 1 ? slot + off : slot;
}

uint64_t injection_interval(const struct injection *injection, bool first, const uint32_t word[4])
{
	double period = (double)injection->slot / injection->load;
	uint64_t bits = draw_bits(word), more = draw_more(word, 0);
	switch (injection->process) {
	case INJECTION_BERNOULLI: return bernoulli(injection, first, bits);
	case INJECTION_POISSON: return round_at_random(period * draw_exponential(bits), more);
	case INJECTION_PERIODIC: return round_at_random(first ? period * draw_share(bits) : period, more);
	default: return round_at_random(on_off(injection, first, word), more);
	}
}
