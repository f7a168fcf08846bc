#include "orcs/control.h"

#include "base/memory.h"
#include "base/statistics.h"
#include "orcs/loads_shared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Returns the index of the pattern among those with known moments, otherwise RANDOM_TRAFFICS. */
static enum random_traffic traffic_of(const struct pattern_call *pattern)
{
	int traffic = 0;
	while (random_traffic_names[traffic] && strcmp(random_traffic_names[traffic], pattern->pattern->name) != 0)
		traffic++;
	return (enum random_traffic)traffic;
}

const char *control_unknown(const struct fabric *fabric, const struct placement *placement, const struct pattern_call *pattern)
{
	if (traffic_of(pattern) == RANDOM_TRAFFICS)
		return "the pattern must be bisect, bisect_fb_sym or rand";
	if (!placement->shuffled || placement->ranks != fabric->hosts || placement->oversubscribed)
		return "all hosts must take part, with one rank per host and --mapping random";
	return fabric->hosts > LOADS_HOSTS_MAX ? "the fabric has too many hosts" : NULL;
}

int control_make(struct control *control, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct pattern_call *pattern, struct error *error)
{
	struct loads loads;
	enum random_traffic traffic = traffic_of(pattern);
	*control = (struct control){.routes = array_create(fabric->channels, sizeof *control->routes, error)};
	if (!comm_agree(comm, error) && !loads_count_shared(&loads, comm, fabric, forwarding, error)) {
		for (uint32_t c = 0; c < fabric->channels; c++) {
			double mean = load_mean(&loads.load[c], fabric->hosts, traffic);
			control->routes[c] = (double)loads.load[c].routes;
			control->expected[0] += mean;
			control->expected[1] += mean * control->routes[c];
			control->expected[2] += load_variance(&loads.load[c], fabric->hosts, traffic) + mean * mean;
		}
		loads_clear(&loads);
	}
	return comm_agree(comm, error);
}

void control_clear(struct control *control)
{
	free(control->routes);
	*control = (struct control){0};
}

/* ---- least squares of the values on the sums, all minus their means */

struct regression {
	double matrix[CONTROLS][CONTROLS]; /* products of the sums, then their Cholesky factor */
	double vector[CONTROLS];           /* products with the values */
	double offset[CONTROLS];           /* expected minus observed mean */
	double least[CONTROLS];            /* squares up to this are rounding errors */
	bool used[CONTROLS];
};

/* Factors the matrix without the sums that depend on others. */
static unsigned factor(struct regression *r)
{
	unsigned used = 0;
	for (int i = 0; i < CONTROLS; i++) {
		double total = r->matrix[i][i], left = total;
		for (int k = 0; k < i; k++)
			left -= r->used[k] ? r->matrix[i][k] * r->matrix[i][k] : 0;
		r->used[i] = total > r->least[i] && left > 1e-9 * total;
		used += r->used[i];
		for (int j = i; j < CONTROLS && r->used[i]; j++) {
			double product = r->matrix[j][i];
			for (int k = 0; k < i; k++)
				product -= r->used[k] ? r->matrix[i][k] * r->matrix[j][k] : 0;
			r->matrix[j][i] = j == i ? sqrt(left) : product / r->matrix[i][i];
		}
	}
	return used;
}

/* Solves L x = b for the sums in use. */
static void solve(const struct regression *r, const double b[CONTROLS], double x[CONTROLS])
{
	for (int i = 0; i < CONTROLS; i++) {
		x[i] = r->used[i] ? b[i] : 0;
		for (int k = 0; k < i && r->used[i]; k++)
			x[i] -= r->matrix[i][k] * x[k];
		x[i] /= r->used[i] ? r->matrix[i][i] : 1;
	}
}

struct controlled control_mean(const double *values, const double (*sums)[CONTROLS], size_t count, const double expected[CONTROLS])
{
	struct regression r = {0};
	double mean = 0, total = 0, means[CONTROLS] = {0}, fitted[CONTROLS], moved[CONTROLS];
	for (size_t i = 0; i < count; i++) {
		mean += values[i] / (double)count;
		for (int k = 0; k < CONTROLS; k++)
			means[k] += sums[i][k] / (double)count;
	}
	for (size_t i = 0; i < count; i++) {
		double value = values[i] - mean;
		total += value * value;
		for (int k = 0; k < CONTROLS; k++) {
			r.vector[k] += (sums[i][k] - means[k]) * value;
			for (int l = 0; l <= k; l++)
				r.matrix[k][l] += (sums[i][k] - means[k]) * (sums[i][l] - means[l]);
		}
	}
	for (int k = 0; k < CONTROLS; k++) {
		r.offset[k] = expected[k] - means[k];
		r.least[k] = 1e-20 * (double)count * means[k] * means[k];
	}
	unsigned used = factor(&r);
	solve(&r, r.vector, fitted);
	solve(&r, r.offset, moved);
	double explained = 0, distance = 0, shift = 0;
	for (int k = 0; k < CONTROLS; k++) {
		explained += fitted[k] * fitted[k];
		shift += fitted[k] * moved[k];
		distance += moved[k] * moved[k];
	}
	double rest = total > explained ? total - explained : 0;
	if (count < used + 2)
		return (struct controlled){mean, INFINITY, 1};
	double freedom = (double)(count - 1 - used);
	/* confidence_half_width() divides the population variance of these values by their number minus one */
	double variance = rest * (1 / (double)count + distance);
	return (struct controlled){mean + shift, confidence_half_width(variance, (size_t)freedom + 1), total > 0 ? rest / total : 0};
}

struct controlled control_estimate(const double *values, const double (*sums)[CONTROLS], size_t count, const double expected[CONTROLS])
{
	if (count >= CONTROL_LEAST)
		return control_mean(values, sums, count, expected);
	struct statistics s = statistics_of(values, values, count); /* the values are not sorted, so its quantiles are not used */
	return (struct controlled){s.mean, count > 1 ? (s.high - s.low) / 2 : INFINITY, 1};
}
