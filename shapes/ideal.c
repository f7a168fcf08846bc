/*
 * Three levels, the pair (s, d) meeting at the top. Of the other n-2 hosts let L be the leaf-1 others on the leaf of s; P those in the pod
 * of s but not on the leaf; and of the other destinations congruent to d modulo leaf, not on the leaf: A those in the pod (part of P), B
 * those outside of it that are also congruent modulo leaf^2, C the other ones outside. Then
 *   c(1) = 1 + (L matched with A, B or C, in the right direction),
 *   c(2) = 1 + (L or P matched with B, in the right direction).
 * A random matching of the hosts is counted in classes: first the partners of L, then those of the rest of B. The direction is right with
 * probability 1/2 for bisect, 1 for bisect_fb_sym. If the number of hosts is odd, one host is matched with a non-existing one.
 */
#include "shapes/ideal.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LEAF_MAX = 40, TOP_MAX = 80, SAMPLES = 2000 };
enum { MATES_MAX = TOP_MAX + LEAF_MAX }; /* more than can be matched with one class */
static const double negligible = 1e-18;

/* ---- numbers of matchings, as logarithms */

static double log_choose(double n, double k)
{
	return lgamma(n + 1) - lgamma(k + 1) - lgamma(n - k + 1);
}

/* n (n-1) ... (n-k+1) */
static double log_falling(double n, double k)
{
	return lgamma(n + 1) - lgamma(n - k + 1);
}

/* The number of matchings of an even number of hosts. */
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
	int all;                              /* number of the other hosts, even */
	double right;                         /* probability of the right direction */
};

/*
 * Computes the distribution of how many of the remaining hosts of B (both) are matched with one of pod hosts of P in the right direction,
 * among all remaining hosts. result: [MATES_MAX + 1].
 */
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

/* The probability that L is matched with these numbers of B, A, C and of P without A, with inside pairs within it. */
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

/* The mean bandwidth of a pair, over all matchings of the other hosts. */
static double mean_bandwidth(const struct classes *c)
{
	double mean = 0, z[MATES_MAX + 1];
	for (int inside = 0; 2 * inside <= c->leaf; inside++)
		for (int both = 0; both <= c->both && both <= c->leaf - 2 * inside; both++)
			for (int pod_all = 0; pod_all <= c->pod && pod_all <= c->leaf - 2 * inside - both; pod_all++) {
				double seen[2 * LEAF_MAX + 1] = {0}; /* by the number of A and C together */
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
static double exact_bandwidth(const struct ideal_tree *tree, double right)
{
	int n = (int)tree->hosts, h = (int)tree->most[1], all = n - 2 + n % 2; /* n % 2: the non-existing host */
	struct classes second = {.leaf = h - 1, .outside = n / h - 2, .all = all, .right = right};
	if (tree->levels == 1)
		return 1;
	double near = (h - 1.0) / (n - 1.0);
	if (tree->levels == 2)
		return near + (1 - near) * mean_bandwidth(&second);
	int pod = (int)tree->most[2], pods = n / pod, leaves = pod / h;
	struct classes third = {.leaf = h - 1,
		.pod = pod - h,
		.in_pod = leaves - 1,
		.outside = (pods - 1) * (leaves - 1),
		.both = pods - 2,
		.all = all,
		.right = right};
	double middle = (pod - h) / (n - 1.0);
	return near + middle * mean_bandwidth(&second) + (1 - near - middle) * mean_bandwidth(&third);
}

/* ---- sampled */

struct sampling {
	const struct ideal_tree *tree;
	uint32_t *order;                    /* [hosts] */
	uint32_t *first[IDEAL_LEVELS + 1];  /* [subtrees + 1] per level below the top: its first host */
	uint32_t *count[IDEAL_LEVELS + 1];  /* [subtrees][modulus] per level below the top: pairs on the channel up */
	uint32_t modulus[IDEAL_LEVELS + 1]; /* number of channels, but at most of hosts */
};

/*
 * The number of levels that a pair goes up, and the rank of its destination among those outside the source's subtrees, which determines its
 * channels: the farthest come first, so on every level they are 0, 1, 2 ...
 */
struct climb {
	uint32_t levels, place;
};

static struct climb climb_of(const struct sampling *s, uint32_t source, uint32_t destination)
{
	const struct ideal_tree *t = s->tree;
	uint32_t meet = 1;
	while (meet < t->levels && t->subtree[meet][source] != t->subtree[meet][destination])
		meet++;
	const uint32_t *around = meet < t->levels ? &s->first[meet][t->subtree[meet][source]] : (uint32_t[]){0, t->hosts};
	const uint32_t *inside = meet > 1 ? &s->first[meet - 1][t->subtree[meet - 1][source]] : (uint32_t[]){source, source + 1};
	uint32_t place = destination - around[0] - (destination > source ? inside[1] - inside[0] : 0);
	return (struct climb){meet - 1, t->hosts - (around[1] - around[0]) + place};
}

static uint32_t *channel_up(const struct sampling *s, uint32_t level, uint32_t source, uint32_t place)
{
	return &s->count[level][(size_t)s->tree->subtree[level][source] * s->modulus[level] + place % s->modulus[level]];
}

/* Adds a pair to the channels that it uses, or removes it (sign). */
static void put_pair(const struct sampling *s, uint32_t source, uint32_t destination, uint32_t sign)
{
	struct climb climb = climb_of(s, source, destination);
	for (uint32_t i = 1; i <= climb.levels; i++)
		*channel_up(s, i, source, climb.place) += sign;
}

static double share_of(const struct sampling *s, uint32_t source, uint32_t destination)
{
	struct climb climb = climb_of(s, source, destination);
	double most = 1;
	for (uint32_t i = 1; i <= climb.levels; i++)
		most = fmax(most, *channel_up(s, i, source, climb.place) / s->tree->speed[i]);
	return 1 / most;
}

/* Returns the mean bandwidth of the pairs of an order of the hosts. */
static double run_bandwidth(const struct sampling *s, bool both_ways)
{
	double sum = 0;
	uint32_t pairs = s->tree->hosts / 2;
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
	for (uint32_t i = 0; i < s->tree->hosts; i++)
		s->order[i] = i;
	for (uint32_t run = 0; run < SAMPLES; run++) {
		struct random random;
		random_start(&random, 1, RANDOM_MAPPING, run);
		random_shuffle(&random, s->order, s->tree->hosts);
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

static int sample_tree(struct ideal *ideal, const struct ideal_tree *tree, struct error *error)
{
	struct sampling s = {.tree = tree, .order = array_create(tree->hosts, sizeof *s.order, error)};
	for (uint32_t i = 1; i < tree->levels; i++) {
		s.modulus[i] = tree->channels[i] < tree->hosts ? (uint32_t)tree->channels[i] : tree->hosts;
		s.count[i] = array_create((size_t)tree->subtrees[i] * s.modulus[i], sizeof *s.count[i], error);
		s.first[i] = array_create((size_t)tree->subtrees[i] + 1, sizeof *s.first[i], error);
		for (uint32_t h = 0; s.first[i] && h < tree->hosts; h++)
			s.first[i][tree->subtree[i][h] + 1] = h + 1;
	}
	if (!error->status)
		sample(ideal, &s);
	free(s.order);
	for (uint32_t i = 1; i < tree->levels; i++) {
		free(s.count[i]);
		free(s.first[i]);
	}
	return error->status ? -1 : 0;
}

/* Returns whether the sums of ideal.h apply: a full tree, without spare channels. */
static bool is_exact(const struct ideal_tree *tree)
{
	uint32_t levels = tree->levels;
	for (uint32_t i = 1; i < levels; i++)
		if (!tree->alike[i] || tree->channels[i] != tree->most[i] || tree->speed[i] != 1)
			return false;
	return levels == 1 || (levels <= 3 && tree->most[1] <= LEAF_MAX &&
				      (levels == 2 || (tree->most[2] % tree->most[1] == 0 && tree->hosts / tree->most[2] <= TOP_MAX)));
}

int ideal_find(struct ideal *ideal, const struct ideal_tree *tree, struct error *error)
{
	*ideal = (struct ideal){.levels = tree->levels, .exact = is_exact(tree)};
	memcpy(ideal->most, tree->most, sizeof ideal->most);
	memcpy(ideal->channels, tree->channels, sizeof ideal->channels);
	if (tree->hosts < 2)
		return 0;
	if (!ideal->exact)
		return sample_tree(ideal, tree, error);
	ideal->bisect = exact_bandwidth(tree, 0.5);
	ideal->bisect_fb_sym = exact_bandwidth(tree, 1);
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

/* Chooses the tree of the fabric, unless the user specifies other levels, or the fabric is not a tree. */
static int choose_tree(struct ideal_tree *tree, enum ideal_kind *kind, const struct fabric *fabric, uint32_t asked, struct error *error)
{
	uint32_t levels, leaf;
	bool known = false;
	if (!asked && ideal_tree_of(tree, fabric, &known, error))
		return -1;
	*kind = asked ? IDEAL_GIVEN : known ? IDEAL_OWN : IDEAL_OTHER;
	if (known)
		return 0;
	if (ideal_shape(fabric, &levels, &leaf, error))
		return -1;
	return ideal_tree_regular(tree, fabric->hosts, asked ? asked : levels, leaf, error);
}

int ideal_of_fabric(struct ideal *ideal, const struct fabric *fabric, uint32_t levels, struct error *error)
{
	struct ideal_tree tree = {0};
	enum ideal_kind kind;
	if (!choose_tree(&tree, &kind, fabric, levels, error) && !ideal_find(ideal, &tree, error))
		ideal->kind = kind;
	ideal_tree_clear(&tree);
	return error->status ? -1 : 0;
}
