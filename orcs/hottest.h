/*
 * The channel with the largest load, and whether it is more than chance that it is this one.
 *
 * Under a random mapping of n ranks each message is placed on any ordered pair of the hosts alike, whatever the pattern: a run of m
 * messages is expected to load a channel with m R / (n (n-1)) routes, where R counts the ordered pairs whose route uses the channel
 * (fabric/pair_loads.h). So loads are compared exactly, by R. A fixed mapping with one route per pair and no random choices needs no
 * expectation: its counts are exact. Only otherwise the loads are those of a sample, and then the largest of them is compared with what the
 * same channels would show if all had the same expected load, in proportion to their speeds:
 *
 * Take the channels whose ends are equally far from hosts, as levels of a tree are. If messages use channels independently of each other,
 * a count follows a Poisson distribution with the mean of their counts, c. Messages that do not are counted together: in a run those of the
 * same pair, which take the route that is drawn once, and under a random mapping those of the same rank, which is on one host. With k the
 * size of such a group, averaged over messages (the largest of the three: pairs, senders, receivers), counts are taken as k times a Poisson
 * variable of mean c / k. The largest is noise unless the probability of its count, or more, is below 0.001 / C for the C channels of the
 * fabric: of 1000 samples of a balanced fabric, 999 or more have no such channel. It also is not larger than the next by more than chance
 * if they differ by up to 3.29 standard deviations, the square root of k times the sum of both: 99.9% again.
 */
#ifndef ORCS_HOTTEST_H
#define ORCS_HOTTEST_H

#include "base/document.h"
#include "fabric/pair_loads.h"
#include "fabric/placement.h"
#include "fabric/route_choice.h"
#include "parallel/comm.h"
#include "patterns/pairs.h"

#include <stdbool.h>
#include <stdint.h>

/* What is known of the loads of a pattern's runs. */
enum load_basis {
	LOADS_EXPECTED, /* the expectation, from the counts of pairs */
	LOADS_COUNTED,  /* all runs are alike */
	LOADS_SAMPLED,
};

/* Returns the basis. multipath: NULL: every pair has one route. Time O(1). */
enum load_basis load_basis_of(const struct placement *placement, const struct pattern_call *pattern, const struct route_choice *multipath);

/*
 * Counts the pairs of the placement's hosts over each channel; collective, complete in process 0. Pairs with several routes are split,
 * unless the first counts. Returns 0, or -1 in all processes. pair_loads_clear() in every case. Time O(hosts * switches), or a search per
 * pair.
 */
int exact_loads_count(struct pair_loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	struct route_choice *multipath, const struct placement *placement, struct error *error);

/*
 * The same, if *known: whether that gives the expected loads of runs. Not if a pair has a route only in some runs, nor if it would take
 * longer than about a second, as of 65,536 hosts in a tree of four levels, or of 1500 with source routes.
 */
int expected_loads_count(struct pair_loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	struct route_choice *multipath, const struct placement *placement, bool *known, struct error *error);

/*
 * Returns the factor k of a sample, from all pairs of run 0, of which equal ones are counted for some senders. only_level: negative: all
 * levels. Draws run 0. Time O(pairs of a run).
 */
double messages_together(struct pattern_call *pattern, int64_t only_level, bool shuffled, struct error *error);

/* The loads of runs. */
struct run_loads {
	const struct fabric *fabric;
	enum load_basis basis;
	const struct pair_loads *pairs; /* of LOADS_EXPECTED */
	uint32_t ranks;
	const char *pattern;   /* its name */
	uint64_t runs, levels; /* levels of a run */
	uint64_t messages;     /* of all runs, with or without a route */
	const uint64_t *sum;   /* [channels] routes of all runs, in units */
	double unit;           /* in routes */
	double together;       /* of LOADS_SAMPLED */
	bool by_speed;         /* loads are divided by the channel's speed */
};

/* Returns the expectation of the sum of a channel over all runs, in routes (divided by its speed); of LOADS_EXPECTED. */
double run_loads_expected(const struct run_loads *loads, uint32_t channel);

/* Whether the largest load is larger than the others. */
enum significance {
	HOTTEST_SIGNIFICANT,
	HOTTEST_EQUAL, /* other channels have exactly the same load */
	HOTTEST_CLOSE, /* of a sample: more than noise, but so may be the next */
	HOTTEST_NOISE, /* of a sample: a balanced fabric shows as much */
};
extern const char *const significance_names[];

struct hottest_channel {
	uint32_t channel; /* of several the first; NONE: no route uses any */
	double load;      /* expected, or of the sample: routes per level and run, divided by the speed if speeds count */
	double next;      /* the largest smaller load, 0 if there is none */
	double excess; /* load under uniform traffic, divided by the fair share (fabric/fair_share.h); NAN if unknown: see hottest_find() */
	uint32_t equal; /* other channels with the same load */
	enum load_basis basis;
	enum significance significance;
};

/*
 * Finds the channel. Its excess is known if the loads are expected, of all hosts of the fabric, and by tables, and if it takes little time:
 * in trees, elsewhere up to about a thousand switches. Returns 0, or -1 if out of memory. Time O(channels log channels).
 */
int hottest_find(struct hottest_channel *hottest, const struct run_loads *loads, struct error *error);

/* Writes what a reader should know to follow the load: ", as 3 more", ", noise", or "". Returns text. */
const char *hottest_remark(const struct hottest_channel *hottest, char *text, size_t size);

/* Adds the members expected (null: a sample), next, equal, significance and excess (null: unknown). */
void hottest_add(struct node *to, const struct hottest_channel *hottest);

#endif
