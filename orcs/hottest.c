#include "orcs/hottest.h"

#include "base/memory.h"
#include "fabric/fair_share.h"
#include "shapes/tree_levels.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const significance_names[] = {
	[HOTTEST_SIGNIFICANT] = "significant", [HOTTEST_EQUAL] = "equal", [HOTTEST_CLOSE] = "close", [HOTTEST_NOISE] = "noise"};

static const double chance = 0.001; /* of a verdict on a balanced fabric */
static const double apart = 3.2905; /* standard deviations of a difference that occurs with this probability, either way */

/* ---- what is known */

/* Returns whether the pairs of the pattern differ between runs. */
static bool is_drawn(const struct pattern_call *call)
{
	const struct pattern *p = call->pattern;
	return call->first ? is_drawn(call->first) || is_drawn(call->second) : p->run || p->drawn;
}

static bool is_permutation(const char *pattern)
{
	return !strcmp(pattern, "rand");
}

enum load_basis load_basis_of(const struct placement *placement, const struct pattern_call *pattern, const struct route_choice *multipath)
{
	if (placement->ranks > 1 && !placement->oversubscribed && (placement->shuffled || is_permutation(pattern->pattern->name)))
		return LOADS_EXPECTED;
	bool random = placement->shuffled || is_drawn(pattern) || (multipath && multipath->setup.mode == MULTIPATH_RANDOM);
	return random ? LOADS_SAMPLED : LOADS_COUNTED;
}

/* Adds all pairs by trees, of each step-th destination. */
static void count_trees(struct pair_loads *loads, const struct fabric *fabric, const struct forwarding *forwarding, bool split,
	const struct placement *placement, uint32_t first, uint32_t step, struct error *error)
{
	struct destination_trees trees;
	if (!destination_trees_init(&trees, fabric, forwarding, error) && (!split || !destination_trees_take_all(&trees, error)) &&
		!pair_loads_init(loads, &trees, placement->host, placement->ranks, error)) {
		for (uint64_t i = first; i < placement->ranks; i += step) {
			destination_trees_make(&trees, placement->host[i]);
			pair_loads_add(loads, &trees);
		}
		pair_loads_end(loads, &trees);
	}
	destination_trees_clear(&trees);
}

/* Adds all pairs one by one, of each step-th destination. */
static void count_pairs(struct pair_loads *loads, const struct fabric *fabric, struct route_choice *m, const struct placement *placement,
	uint32_t first, uint32_t step, struct error *error)
{
	bool split = m->setup.mode != MULTIPATH_FIRST;
	*loads = (struct pair_loads){
		.load = array_create(fabric->channels, sizeof *loads->load, error), .unit = split ? pair_loads_unit(placement->ranks) : 1};
	for (uint64_t i = first; i < placement->ranks && !error->status; i += step)
		for (uint32_t k = 0; k < placement->ranks; k++) {
			uint32_t source = placement->host[k], destination = placement->host[i];
			if (source == destination)
				continue;
			int count = split ? route_choice_spread(m, source, destination) : route_choice_route(m, source, destination);
			loads->unreachable += count < 0;
			for (int c = 0; c < count; c++)
				loads->load[m->channel[c]] += split ? (uint64_t)(m->share[c] / loads->unit + 0.5) : 1;
		}
}

/* Returns whether pairs are searched one by one. */
static bool searches(const struct route_choice *multipath)
{
	return multipath && (multipath->setup.routes || multipath->vias);
}

int exact_loads_count(struct pair_loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	struct route_choice *multipath, const struct placement *placement, struct error *error)
{
	uint32_t rank = (uint32_t)comm_rank(comm), size = (uint32_t)comm_size(comm);
	bool split = multipath && multipath->setup.mode != MULTIPATH_FIRST;
	*loads = (struct pair_loads){0};
	if (searches(multipath))
		count_pairs(loads, fabric, multipath, placement, rank, size, error);
	else
		count_trees(loads, fabric, forwarding, split, placement, rank, size, error);
	if (comm_agree(comm, error))
		return -1;
	comm_sum(comm, loads->load, fabric->channels);
	comm_total(comm, &loads->unreachable, 1);
	return 0;
}

int expected_loads_count(struct pair_loads *loads, struct comm *comm, const struct fabric *fabric, const struct forwarding *forwarding,
	struct route_choice *multipath, const struct placement *placement, bool *known, struct error *error)
{
	const double most_searches = 2e6, most_nodes = 2e8; /* about a second each */
	bool split = multipath && multipath->setup.mode != MULTIPATH_FIRST;
	double pairs = (double)placement->ranks * placement->ranks, switches = (double)(fabric->nodes - fabric->hosts);
	*loads = (struct pair_loads){0};
	*known = searches(multipath) ? pairs * (multipath->vias ? multipath->vias : 1) <= most_searches
				     : placement->ranks * (switches + fabric->nodes / 64.0) <=
					       most_nodes; /* clearing nodes takes less than entering them */
	if (!*known)
		return 0;
	if (exact_loads_count(loads, comm, fabric, forwarding, multipath, placement, error))
		return -1;
	*known = !split || !loads->unreachable || multipath->setup.mode == MULTIPATH_SPLIT;
	return 0;
}

/* ---- messages that share a draw */

enum { SENDERS = 64, LISTED = 1 << 20, BLOCK = 256 };

/* A sink that lists the pairs of some senders, and counts those of every rank. */
struct listing {
	struct sink sink;
	struct pair pairs[BLOCK];
	uint32_t step;             /* every step-th rank is listed */
	uint64_t *list;            /* [LISTED] */
	uint64_t *sent, *received; /* [ranks] */
	size_t count;
};

static void list_pairs(struct sink *sink)
{
	struct listing *l = (struct listing *)sink;
	for (size_t i = 0; i < sink->count; i++) {
		const struct pair *pair = &sink->pairs[i];
		l->sent[pair->sender]++;
		l->received[pair->receiver]++;
		if (pair->sender % l->step == 0 && l->count < LISTED)
			l->list[l->count++] = (uint64_t)pair->sender << 32 | pair->receiver;
	}
}

static int compare_numbers(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
	return (a > b) - (a < b);
}

/* Returns the sum of squares divided by the sum, 1 if that is 0. */
static double mean_size(const uint64_t *size, size_t count)
{
	double sum = 0, squares = 0;
	for (size_t i = 0; i < count; i++) {
		sum += (double)size[i];
		squares += (double)size[i] * (double)size[i];
	}
	return sum > 0 ? squares / sum : 1;
}

/* Returns the same for the numbers of equal pairs in the list, which it changes to these. */
static double mean_repeats(uint64_t *list, size_t count)
{
	size_t groups = 0;
	qsort(list, count, sizeof *list, compare_numbers);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && list[end] == list[i];)
			end++;
		list[groups++] = end - i;
	}
	return mean_size(list, groups);
}

double messages_together(struct pattern_call *pattern, int64_t only_level, bool shuffled, struct error *error)
{
	struct listing l = {
		.sink = {.capacity = BLOCK, .take = list_pairs},
		.step = (pattern->ranks + SENDERS - 1) / SENDERS,
		.list = array_create(LISTED, sizeof *l.list, error),
		.sent = array_create(pattern->ranks, sizeof *l.sent, error),
		.received = array_create(pattern->ranks, sizeof *l.received, error),
	};
	double together = 1;
	l.sink.pairs = l.pairs;
	if (!error->status && !pattern_run(pattern, 0, error)) {
		for (uint64_t level = 0; level < pattern_levels(pattern); level++)
			if (only_level < 0 || level == (uint64_t)only_level)
				pattern_level(pattern, level, &l.sink);
		together = mean_repeats(l.list, l.count);
		if (shuffled)
			together = fmax(together, fmax(mean_size(l.sent, pattern->ranks), mean_size(l.received, pattern->ranks)));
	}
	free(l.list);
	free(l.sent);
	free(l.received);
	return together;
}

/* ---- the largest load */

double run_loads_expected(const struct run_loads *loads, uint32_t channel)
{
	double n = loads->ranks, messages = is_permutation(loads->pattern) ? (n - 1) * (double)loads->runs : (double)loads->messages;
	double load = (double)loads->pairs->load[channel] * loads->pairs->unit * messages / (n * (n - 1));
	return loads->by_speed ? load / loads->fabric->speed[channel] : load;
}

/* Returns the load by which channels are compared: sums of all runs. */
static double load_of(const struct run_loads *loads, uint32_t channel)
{
	if (loads->basis == LOADS_EXPECTED)
		return run_loads_expected(loads, channel);
	double sum = (double)loads->sum[channel] * loads->unit;
	return loads->by_speed ? sum / loads->fabric->speed[channel] : sum;
}

/* Returns the probability that a Poisson variable of that mean is at least count, which is larger. */
static double poisson_tail(double mean, double count)
{
	if (mean <= 0)
		return 0;
	double term = exp(count * log(mean) - mean - lgamma(count + 1)), sum = 0;
	for (double k = count + 1; term > sum * 1e-9; k++) {
		sum += term;
		term *= mean / k;
	}
	return sum;
}

/* Returns a new array [nodes]: the channels from the nearest host, NONE if there is no path. NULL if out of memory. */
static uint32_t *distances_make(const struct fabric *fabric, struct error *error)
{
	uint32_t *distance = array_create(fabric->nodes, sizeof *distance, error), count = fabric->hosts;
	uint32_t *queue = array_create(fabric->nodes, sizeof *queue, error);
	if (error->status) {
		free(distance);
		free(queue);
		return NULL;
	}
	for (uint32_t v = 0; v < fabric->nodes; v++)
		distance[v] = fabric->node_host[v] == NONE ? NONE : 0;
	memcpy(queue, fabric->host_node, fabric->hosts * sizeof *queue);
	for (uint32_t i = 0; i < count; i++)
		for (uint32_t c = fabric->first_channel[queue[i]]; c < fabric->first_channel[queue[i] + 1]; c++)
			if (distance[fabric->head[c]] == NONE) {
				distance[fabric->head[c]] = distance[queue[i]] + 1;
				queue[count++] = fabric->head[c];
			}
	free(queue);
	return distance;
}

/* Judges the largest load of a sample. */
static int judge_sample(struct hottest_channel *h, const struct run_loads *loads, struct error *error)
{
	const struct fabric *f = loads->fabric;
	uint32_t *distance = distances_make(f, error), tail = fabric_tail(f, h->channel), head = f->head[h->channel];
	double routes = 0, speeds = 0;
	if (!distance)
		return -1;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && distance[v] == distance[tail]; c++)
			if (distance[f->head[c]] == distance[head]) {
				double speed = loads->by_speed ? f->speed[c] : 1;
				routes += load_of(loads, c) * speed;
				speeds += speed;
			}
	free(distance);
	double speed = loads->by_speed ? f->speed[h->channel] : 1, scale = (double)loads->runs * (double)loads->levels * speed;
	double count = h->load * scale, next = h->equal ? count : h->next * scale, mean = routes / speeds * speed, k = loads->together;
	if (count <= mean || poisson_tail(mean / k, count / k) * f->channels >= chance)
		h->significance = HOTTEST_NOISE;
	else if (count - next <= apart * sqrt(k * (count + next)))
		h->significance = HOTTEST_CLOSE;
	return 0;
}

/* Finds the excess, where it is known. */
static int find_excess(struct hottest_channel *h, const struct run_loads *loads, struct error *error)
{
	const double most_searches = 1e8; /* less than a second */
	const struct fabric *f = loads->fabric;
	if (loads->basis != LOADS_EXPECTED || !loads->pairs->member || loads->ranks != f->hosts ||
		(!loads->by_speed && fabric_speeds_differ(f)))
		return 0;
	struct fair_share fair = {0};
	double *routes = array_create(f->channels, sizeof *routes, error);
	uint32_t *level = tree_levels_make(f, error);
	if (routes && level && (levels_are_layered(f, level) || (double)(f->nodes - f->hosts) * f->channels <= most_searches)) {
		for (uint32_t c = 0; c < f->channels; c++)
			routes[c] = (double)loads->pairs->load[c] * loads->pairs->unit;
		if (!fair_share_find(&fair, f, routes, level, error))
			h->excess = fair.excess[h->channel];
	}
	fair_share_clear(&fair);
	free(routes);
	free(level);
	return error->status ? -1 : 0;
}

int hottest_find(struct hottest_channel *hottest, const struct run_loads *loads, struct error *error)
{
	bool split = loads->basis == LOADS_EXPECTED ? loads->pairs->unit < 1 : loads->unit < 1;
	double least = 1 - (split ? 1e-6 : 1e-12), scale = (double)loads->runs * (double)loads->levels, load, most = 0;
	*hottest = (struct hottest_channel){.channel = NONE, .basis = loads->basis, .excess = NAN};
	for (uint32_t c = 0; c < loads->fabric->channels; c++)
		if ((load = load_of(loads, c)) > most)
			most = load;
	for (uint32_t c = 0; c < loads->fabric->channels && most > 0; c++) {
		load = load_of(loads, c);
		if (load < most * least)
			hottest->next = load > hottest->next ? load : hottest->next;
		else if (hottest->channel == NONE)
			hottest->channel = c;
		else
			hottest->equal++;
	}
	if (hottest->channel == NONE)
		return 0;
	hottest->load = load_of(loads, hottest->channel) / scale;
	hottest->next /= scale;
	hottest->significance = hottest->equal ? HOTTEST_EQUAL : HOTTEST_SIGNIFICANT;
	return loads->basis == LOADS_SAMPLED ? judge_sample(hottest, loads, error) : find_excess(hottest, loads, error);
}

const char *hottest_remark(const struct hottest_channel *hottest, char *text, size_t size)
{
	switch (hottest->significance) {
	case HOTTEST_EQUAL: snprintf(text, size, ", as %" PRIu32 " more", hottest->equal); break;
	case HOTTEST_CLOSE: snprintf(text, size, ", the next hardly less"); break;
	case HOTTEST_NOISE: snprintf(text, size, ", noise"); break;
	default: *text = '\0';
	}
	return text;
}

void hottest_add(struct node *to, const struct hottest_channel *hottest)
{
	add_number(to, "expected", hottest->basis == LOADS_SAMPLED ? NAN : hottest->load);
	add_number(to, "next", hottest->next);
	add_count(to, "equal", hottest->equal);
	add_text(to, "significance", significance_names[hottest->significance]);
	add_number(to, "excess", hottest->excess);
}
