/*
 * Control variates: three sums over the channels' congestion c have known expectations under random mappings, and bandwidths correlate
 * with them, so the part of a value that is a linear function of the sums adds no variance (Glynn, Szechtman: Some New
 * Perspectives on the Method of Control Variates, 2002). With R(e) the routes over channel e, of all pairs of hosts, the sums are those of
 * c, of R c and of c^2, and their expectations follow from the exact moments of orcs/loads.h.
 */
#ifndef ORCS_CONTROL_H
#define ORCS_CONTROL_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/placement.h"
#include "patterns/pairs.h"
#include "parallel/comm.h"

#include <stdbool.h>
#include <stddef.h>

enum { CONTROLS = 3 };

struct control {
	double *routes;            /* [channels] R */
	double expected[CONTROLS]; /* of the sums of one run */
};

/*
 * Returns the reason why the sums of a run have no known expectation. NULL: it is known, as all hosts of the fabric take part, one rank on
 * each, under a random mapping, in bisect, bisect_fb_sym or rand.
 */
const char *control_unknown(const struct fabric *fabric, const struct placement *placement, const struct pattern_call *pattern);

/* Counts the routes; collective, for what control_unknown() allows. Returns 0, or -1 in all processes. control_clear() in every case. Time
 * that of loads_count(). */
int control_make(struct control *control, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct pattern_call *pattern, struct error *error);
void control_clear(struct control *control);

/* A mean and its remaining uncertainty. */
struct controlled {
	double mean, half; /* half the width of its 95% confidence interval, infinite for too few values */
	double left;       /* fraction of the variance that the sums do not explain */
};

/*
 * Computes the mean of values[0..count-1] by least squares, with the sums sums[i] of the run of value i: sums that are constant or follow
 * from the others are left out. The interval is that of a regression at the expected sums, with the residual variance. Time O(count).
 */
struct controlled control_mean(const double *values, const double (*sums)[CONTROLS], size_t count, const double expected[CONTROLS]);

/* The same for CONTROL_LEAST runs or more; for fewer the plain mean and interval, as a fit to few runs understates the variance. */
enum { CONTROL_LEAST = 1000 };
struct controlled control_estimate(const double *values, const double (*sums)[CONTROLS], size_t count, const double expected[CONTROLS]);

#endif
