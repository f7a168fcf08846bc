/*
 * Three levels, the pair (s, d) meeting at the top. Of the other n-2 hosts let L be the leaf-1 others on the leaf of s; P those in the pod
 * of s but not on the leaf; and of the other destinations congruent to d modulo leaf, not on the leaf: A those in the pod (part of P), B
 * those outside of it that are also congruent modulo leaf^2, C the other ones outside. Then c(1) = 1 + (L matched with A, B or C, in the
 * right direction),   c(2) = 1 + (L or P matched with B, in the right direction). A random matching of so many hosts is counted in classes:
 * first whom L is matched with, then whom the rest of B is. The direction is right with probability 1/2 for bisect, 1 for bisect_fb_sym. An
 * odd host is matched with a host that does not exist.
 */
#include "ideal.h"

#include "random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_MAX = 40, TOP_MAX = 80, SAMPLES = 2000 };
enum { MATES_MAX = TOP_MAX + LEAF_MAX }; /* more than can be matched with one class */
static const double negligible = 1e-18;

/* ---- numbers of ways, as logarithms */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* n (n-1) ... (n-k+1) */
static double log_falling(double n, double k)
{
	return lgamma(n + 1) - lgamma(n - k + 1);
}

/* Ways to match an even number of hosts. */
static double log_matchings(double n)
{
	return lgamma(n + 1) - lgamma(n / 2 + 1) - n / 2 * log(2);
}

static double binomial(int n, int k, double p)
{
	return p < 1 ? exp(log_choose(n, k) + k * log(p) + (n - k) * log1p(-p)) : k == n;
}

/* ---- exact */

struct classes {
	int leaf, pod, in_pod, outside, both; /* sizes of L, P, A, C, B */
	int all;                              /* of the other hosts, even */
	double right;                         /* probability of the right direction */
};

/* The distribution of how many of B, of which so many are left, are matched with one of pod hosts of P in the right direction, among all
 * hosts that are left. result: [MATES_MAX + 1]. */
static void match_both(int both, int pod, int all, double right, double *result)
{
	double undirected[MATES_MAX + 1] = {0};
	int others = all - both - pod;
	for (int inside = 0; 2 * inside <= both; inside++) /* pairs within B */
		for (int up = 0; up <= both - 2 * inside && up <= pod; up++) {
			int rest = both - 2 * inside - up;
			if (rest > others)
				continue;
			undirected[up] += exp(log_choose(both, 2 * inside) + log_matchings(2 * inside) + log_choose(both - 2 * inside, up) +
					      log_falling(pod, up) + log_falling(others, rest) +
					      log_matchings(all - both - (both - 2 * inside)) - log_matchings(all));
		}
	memset(result, 0, (MATES_MAX + 1) * sizeof *result);
	for (int up = 0; up <= both && up <= pod; up++)
		for (int k = 0; k <= up && undirected[up] > negligible; k++)
			result[k] += undirected[up] * binomial(up, k, right);
}

/* The mean of 1 / max(1 + x + y, 1 + x + z) for x and y binomial and z as given. */
static double mean_share(int x_of, int y_of, const double *z, double right)
{
	double mean = 0, below_y = 0, below_z = 0; /* probabilities that y and z are less than k */
	double at_most[MATES_MAX + 1];             /* max(y, z) */
	for (int k = 0; k <= MATES_MAX; k++) {
		below_y += k <= y_of ? binomial(y_of, k, right) : 0;
		below_z += z[k];
		at_most[k] = below_y * below_z;
	}
	for (int x = 0; x <= x_of; x++) {
		double chance = binomial(x_of, x, right);
		for (int k = 0; k <= MATES_MAX; k++)
			mean += chance * (at_most[k] - (k ? at_most[k - 1] : 0)) / (1 + x + k);
	}
	return mean;
}

/* How likely it is that L is matched with so many of B, A, C and of P without A, and so many pairs within it. */
static double chance_of(const struct classes *c, int inside, int both, int in_pod, int outside, int pod)
{
	int left = c->leaf - 2 * inside, rest = left - both - in_pod - outside - pod;
	int others = c->all - c->leaf - c->both - c->pod - c->outside, plain_pod = c->pod - c->in_pod;
	if (rest < 0 || rest > others || pod > plain_pod)
		return 0;
	return exp(log_choose(c->leaf, 2 * inside) + log_matchings(2 * inside) + lgamma(left + 1) - lgamma(both + 1) - lgamma(in_pod + 1) -
		   lgamma(outside + 1) - lgamma(pod + 1) - lgamma(rest + 1) + log_falling(c->both, both) + log_falling(c->in_pod, in_pod) +
		   log_falling(c->outside, outside) + log_falling(plain_pod, pod) + log_falling(others, rest) +
		   log_matchings(c->all - c->leaf - left) - log_matchings(c->all));
}

/* The mean bandwidth of a pair, over all matchings of the others. */
static double mean_bandwidth(const struct classes *c)
{
	double mean = 0, z[MATES_MAX + 1];
	for (int inside = 0; 2 * inside <= c->leaf; inside++)
		for (int both = 0; both <= c->both && both <= c->leaf - 2 * inside; both++)
			for (int pod_all = 0; pod_all <= c->pod && pod_all <= c->leaf - 2 * inside - both; pod_all++) {
				double seen[2 * LEAF_MAX + 1] = {0}; /* by how many of A and C together */
				double most = 0;
				for (int in_pod = 0; in_pod <= pod_all && in_pod <= c->in_pod; in_pod++)
					for (int outside = 0; outside <= c->outside && outside <= c->leaf - 2 * inside - both - pod_all;
						outside++) {
						double chance = chance_of(c, inside, both, in_pod, outside, pod_all - in_pod);
						seen[in_pod + outside] += chance;
						most = fmax(most, chance);
					}
				if (most < negligible)
					continue;
				match_both(c->both - both, c->pod - pod_all, c->all - 2 * c->leaf + 2 * inside, c->right, z);
				for (int y = 0; y <= 2 * LEAF_MAX; y++)
					if (seen[y] > negligible)
						mean += seen[y] * mean_share(both, y, z, c->right);
			}
	return mean;
}

/* A full tree of up to three levels, by the level at which a pair meets. */
static double exact_bandwidth(uint32_t hosts, uint32_t levels, uint32_t leaf, double right)
{
	int n = (int)hosts, h = (int)leaf, all = n - 2 + n % 2; /* n % 2: the host that does not exist */
	struct classes second = {.leaf = h - 1, .outside = n / h - 2, .all = all, .right = right};
	if (levels == 1)
		return 1;
	double near = (h - 1.0) / (n - 1.0);
	if (levels == 2)
		return near + (1 - near) * mean_bandwidth(&second);
	int pods = n / (h * h);
	struct classes third = {.leaf = h - 1,
		.pod = h * h - h,
		.in_pod = h - 1,
		.outside = (pods - 1) * (h - 1),
		.both = pods - 2,
		.all = all,
		.right = right};
	double middle = (h * h - h) / (n - 1.0);
	return near + middle * mean_bandwidth(&second) + (1 - near - middle) * mean_bandwidth(&third);
}

/* ---- sampled */

struct sampling {
	uint32_t hosts, levels, leaf;
	uint32_t *order;    /* [hosts] */
	uint32_t *count[9]; /* of each level but the top: [subtrees][leaf^level] pairs on the channel up */
	uint64_t width[9];  /* leaf^level */
};

static uint32_t *channel_up(const struct sampling *s, uint32_t level, uint32_t source, uint32_t destination)
{
	return &s->count[level][source / s->width[level] * s->width[level] + destination % s->width[level]];
}

/* Adds a pair to the channels that it uses, or takes it back. */
static void put_pair(const struct sampling *s, uint32_t source, uint32_t destination, uint32_t sign)
{
	for (uint32_t i = 1; i < s->levels && source / s->width[i] != destination / s->width[i]; i++)
		*channel_up(s, i, source, destination) += sign;
}

static double share_of(const struct sampling *s, uint32_t source, uint32_t destination)
{
	uint32_t most = 1;
	for (uint32_t i = 1; i < s->levels && source / s->width[i] != destination / s->width[i]; i++)
		if (*channel_up(s, i, source, destination) > most)
			most = *channel_up(s, i, source, destination);
	return 1.0 / most;
}

/* The mean bandwidth of the pairs of an order of the hosts. */
static double run_bandwidth(const struct sampling *s, bool both_ways)
{
	double sum = 0;
	uint32_t pairs = s->hosts / 2;
	for (uint32_t i = 0; i < pairs; i++) {
		put_pair(s, s->order[2 * i], s->order[2 * i + 1], 1);
		if (both_ways)
			put_pair(s, s->order[2 * i + 1], s->order[2 * i], 1);
	}
	for (uint32_t i = 0; i < pairs; i++) {
		sum += share_of(s, s->order[2 * i], s->order[2 * i + 1]);
		if (both_ways)
			sum += share_of(s, s->order[2 * i + 1], s->order[2 * i]);
	}
	for (uint32_t i = 0; i < pairs; i++) {
		put_pair(s, s->order[2 * i], s->order[2 * i + 1], -1U);
		if (both_ways)
			put_pair(s, s->order[2 * i + 1], s->order[2 * i], -1U);
	}
	return sum / (both_ways ? 2 * pairs : pairs);
}

static void sample(struct ideal *ideal, struct sampling *s)
{
	double sum[2] = {0}, squares[2] = {0};
	for (uint32_t i = 0; i < s->hosts; i++)
		s->order[i] = i;
	for (uint32_t run = 0; run < SAMPLES; run++) {
		struct random random;
		random_start(&random, 1, RANDOM_MAPPING, run);
		random_shuffle(&random, s->order, s->hosts);
		for (int both_ways = 0; both_ways < 2; both_ways++) {
			double bandwidth = run_bandwidth(s, both_ways);
			sum[both_ways] += bandwidth;
			squares[both_ways] += bandwidth * bandwidth;
		}
	}
	double error[2];
	for (int i = 0; i < 2; i++) {
		sum[i] /= SAMPLES;
		error[i] = sqrt(fmax(0, squares[i] / SAMPLES - sum[i] * sum[i]) / (SAMPLES - 1));
	}
	ideal->runs = SAMPLES;
	ideal->bisect = sum[0];
	ideal->bisect_fb_sym = sum[1];
	ideal->bisect_error = error[0];
	ideal->bisect_fb_sym_error = error[1];
}

static int sample_tree(struct ideal *ideal, uint32_t hosts, struct error *error)
{
	struct sampling s = {.hosts = hosts, .levels = ideal->levels, .leaf = ideal->leaf};
	s.order = array_create(hosts, sizeof *s.order, error);
	s.width[0] = 1;
	for (uint32_t i = 1; i < s.levels; i++) {
		s.width[i] = s.width[i - 1] * s.leaf;
		s.count[i] = array_create((hosts + s.width[i] - 1) / s.width[i] * s.width[i], sizeof *s.count[i], error);
	}
	if (!error->status)
		sample(ideal, &s);
	free(s.order);
	for (uint32_t i = 1; i < s.levels; i++)
		free(s.count[i]);
	return error->status ? -1 : 0;
}

int ideal_find(struct ideal *ideal, uint32_t hosts, uint32_t levels, uint32_t leaf, struct error *error)
{
	/* of the levels only those that the hosts need: a switch without a second child is none */
	uint32_t needed = 1;
	for (uint64_t width = leaf; needed < levels && needed < 8 && leaf > 1 && width < hosts; width *= leaf)
		needed++;
	uint64_t width = 1;
	for (uint32_t i = 1; i < needed; i++)
		width *= leaf;
	*ideal = (struct ideal){.levels = needed, .leaf = needed > 1 ? leaf : hosts};
	ideal->exact = hosts % width == 0 && needed <= 3 && (needed == 1 || leaf <= LEAF_MAX) && (needed < 3 || hosts / width <= TOP_MAX);
	if (hosts < 2 || !ideal->exact)
		return hosts < 2 ? 0 : sample_tree(ideal, hosts, error);
	ideal->bisect = exact_bandwidth(hosts, needed, leaf, 0.5);
	ideal->bisect_fb_sym = exact_bandwidth(hosts, needed, leaf, 1);
	return 0;
}

int ideal_shape(const struct fabric *fabric, uint32_t *levels, uint32_t *leaf, struct error *error)
{
	uint32_t *queue = array_create(fabric->nodes, sizeof *queue, error), *rank = array_create(fabric->nodes, sizeof *rank, error);
	uint32_t head = 0, tail = 0, leaves = 0;
	*levels = *leaf = 1;
	if (!error->status) {
		memset(rank, 0xff, fabric->nodes * sizeof *rank);
		for (uint32_t h = 0; h < fabric->hosts; h++) {
			queue[tail++] = fabric->host_node[h];
			rank[fabric->host_node[h]] = 0;
		}
		while (head < tail) {
			uint32_t node = queue[head++];
			for (uint32_t c = fabric->first_channel[node]; c < fabric->first_channel[node + 1]; c++)
				if (rank[fabric->head[c]] == NONE) {
					rank[fabric->head[c]] = rank[node] + 1;
					queue[tail++] = fabric->head[c];
				}
			leaves += rank[node] == 1;
			if (rank[node] > *levels)
				*levels = rank[node];
		}
		*leaf = leaves ? (fabric->hosts + leaves - 1) / leaves : fabric->hosts;
	}
	free(queue);
	free(rank);
	return error->status ? -1 : 0;
}
