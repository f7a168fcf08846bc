/*
 * A phase routes all demands once, source by source, each along its shortest paths (split between several of equal length), and lengthens
 * every arc by a factor that grows with its load, so that the next source uses other paths. All flows of several phases, divided by the
 * load of the fullest arc, are a feasible flow: the lower bound. The lengths give the upper bound. The step, the growth of a full arc's
 * length in a phase, decreases from round to round: the first rounds find the bottlenecks roughly, the later ones balance them. Each round
 * sums its own flows only, as those of coarser rounds are worse.
 */
#include "tools/bound/commodities.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Paths whose lengths differ by less than this share count as equally long. */
static const double same_length = 1e-9;
/* Growth of a full arc's length in a phase of the first round; factor from round to round. */
static const double first_step = 1, step_shrinks = 0.7;
/* The least volume of an arc, relative to the mean arc. */
static const double least_volume = 1e-9;
enum { ROUND = 6 }; /* phases of the first round; later rounds have more, in inverse proportion to their steps */

void network_clear(struct network *network)
{
	free(network->first);
	free(network->head);
	free(network->capacity);
	free(network->closed);
	*network = (struct network){0};
}

void demands_clear(struct demands *demands)
{
	free(demands->source);
	free(demands->first);
	free(demands->target);
	free(demands->amount);
	*demands = (struct demands){0};
}

struct heap_item {
	double distance;
	uint32_t node;
};

struct solver {
	const struct network *network;
	const struct demands *demands;
	const struct flow_limits *limits;
	struct flow_bounds *bounds;
	uint32_t *in_first, *in_arc, *tail; /* [nodes + 1], [arcs], [arcs]: arcs sorted by their heads */
	double *length;                     /* [arcs] */
	double *mean_length;                /* [arcs] sum over this round's phases, relative to the volume of each phase */
	double *flow;                       /* [arcs] flow of this round's phases */
	double *load;                       /* [arcs] load of this source; all 0 between sources */
	double *distance;                   /* [nodes] */
	uint32_t *last;                     /* [nodes] the arc by which the search reached the node */
	double *through;                    /* [nodes] flow to the node and through it; all 0 between sources */
	uint32_t *settled, settles;         /* [nodes] in the order of their distances */
	struct heap_item *heap;             /* [arcs + 1] */
	uint32_t heaped;
	uint32_t *touched, touches; /* [arcs] arcs with a load */
	uint32_t *mark, marks;      /* [nodes] the number of the last search that has the node as a target */
	double scale;               /* factor of demands in a phase */
};

static int solver_init(struct solver *s, const struct network *n, struct error *error)
{
	s->network = n;
	s->in_first = array_create((size_t)n->nodes + 2, sizeof *s->in_first, error);
	s->in_arc = array_create(n->arcs, sizeof *s->in_arc, error);
	s->tail = array_create(n->arcs, sizeof *s->tail, error);
	s->length = array_create(n->arcs, sizeof *s->length, error);
	s->mean_length = array_create(n->arcs, sizeof *s->mean_length, error);
	s->flow = array_create(n->arcs, sizeof *s->flow, error);
	s->load = array_create(n->arcs, sizeof *s->load, error);
	s->distance = array_create(n->nodes, sizeof *s->distance, error);
	s->last = array_create(n->nodes, sizeof *s->last, error);
	s->through = array_create(n->nodes, sizeof *s->through, error);
	s->settled = array_create(n->nodes, sizeof *s->settled, error);
	s->heap = array_create((size_t)n->arcs + 1, sizeof *s->heap, error);
	s->touched = array_create(n->arcs, sizeof *s->touched, error);
	s->mark = array_create(n->nodes, sizeof *s->mark, error);
	if (error->status)
		return -1;
	for (uint32_t a = 0; a < n->arcs; a++)
		s->in_first[n->head[a] + 2]++;
	for (uint32_t v = 0; v < n->nodes; v++)
		s->in_first[v + 2] += s->in_first[v + 1];
	for (uint32_t v = 0; v < n->nodes; v++)
		for (uint32_t a = n->first[v]; a < n->first[v + 1]; a++) {
			s->tail[a] = v;
			s->in_arc[s->in_first[n->head[a] + 1]++] = a;
			s->length[a] = 1 / n->capacity[a];
		}
	return 0;
}

static void solver_clear(struct solver *s)
{
	free(s->in_first);
	free(s->in_arc);
	free(s->tail);
	free(s->length);
	free(s->mean_length);
	free(s->flow);
	free(s->load);
	free(s->distance);
	free(s->last);
	free(s->through);
	free(s->settled);
	free(s->heap);
	free(s->touched);
	free(s->mark);
}

/* ---- shortest paths */

static void heap_push(struct solver *s, double distance, uint32_t node)
{
	uint32_t at = s->heaped++;
	while (at && s->heap[(at - 1) / 2].distance > distance) {
		s->heap[at] = s->heap[(at - 1) / 2];
		at = (at - 1) / 2;
	}
	s->heap[at] = (struct heap_item){distance, node};
}

static struct heap_item heap_pop(struct solver *s)
{
	struct heap_item top = s->heap[0], last = s->heap[--s->heaped];
	uint32_t at = 0;
	for (uint32_t child; (child = 2 * at + 1) < s->heaped; at = child) {
		child += child + 1 < s->heaped && s->heap[child + 1].distance < s->heap[child].distance;
		if (s->heap[child].distance >= last.distance)
			break;
		s->heap[at] = s->heap[child];
	}
	s->heap[at] = last;
	return top;
}

static bool is_open(const struct solver *s, uint32_t node, uint32_t source)
{
	return node == source || !s->network->closed[node];
}

/*
 * Computes distances from source i, and the nodes in their order, until all its targets are reached. Nodes not reached keep a distance no
 * less than that of the last node reached.
 */
static void find_distances(struct solver *s, uint32_t i)
{
	const struct network *n = s->network;
	const struct demands *d = s->demands;
	uint32_t source = d->source[i], wanted = (uint32_t)(d->first[i + 1] - d->first[i]);
	s->marks++;
	for (size_t k = d->first[i]; k < d->first[i + 1]; k++)
		s->mark[d->target[k]] = s->marks;
	for (uint32_t v = 0; v < n->nodes; v++)
		s->distance[v] = INFINITY;
	s->distance[source] = 0;
	s->heaped = s->settles = 0;
	heap_push(s, 0, source);
	while (s->heaped && wanted) {
		struct heap_item item = heap_pop(s);
		if (item.distance > s->distance[item.node])
			continue;
		s->settled[s->settles++] = item.node;
		wanted -= s->mark[item.node] == s->marks;
		if (!is_open(s, item.node, source))
			continue;
		for (uint32_t a = n->first[item.node]; a < n->first[item.node + 1]; a++) {
			double distance = item.distance + s->length[a];
			if (distance < s->distance[n->head[a]]) {
				s->distance[n->head[a]] = distance;
				s->last[n->head[a]] = a;
				heap_push(s, distance, n->head[a]);
			}
		}
	}
}

/*
 * Returns whether a shortest path from the source ends with the arc. The arc by which its head was reached always does, even if it is so
 * short that rounding hides its length.
 */
static bool is_tight(const struct solver *s, uint32_t arc, uint32_t source)
{
	if (arc == s->last[s->network->head[arc]])
		return true;
	double before = s->distance[s->tail[arc]], after = s->distance[s->network->head[arc]];
	return before < after && before + s->length[arc] <= after * (1 + same_length) && is_open(s, s->tail[arc], source);
}

/*
 * Puts the demands of source i, times scale, on its shortest paths; several that end at a node share by the capacities of their last arcs.
 * Returns the load of the fullest arc.
 */
static double load_paths(struct solver *s, uint32_t i, double scale)
{
	const struct network *n = s->network;
	const struct demands *d = s->demands;
	double fullest = 0;
	for (size_t k = d->first[i]; k < d->first[i + 1]; k++)
		s->through[d->target[k]] += scale * d->amount[k];
	for (uint32_t at = s->settles; at-- > 1;) {
		uint32_t node = s->settled[at];
		double wide = 0, amount = s->through[node];
		s->through[node] = 0;
		if (amount <= 0)
			continue;
		for (uint32_t k = s->in_first[node]; k < s->in_first[node + 1]; k++)
			if (is_tight(s, s->in_arc[k], d->source[i]))
				wide += n->capacity[s->in_arc[k]];
		for (uint32_t k = s->in_first[node]; k < s->in_first[node + 1]; k++) {
			uint32_t arc = s->in_arc[k];
			if (!is_tight(s, arc, d->source[i]))
				continue;
			s->load[arc] = amount * n->capacity[arc] / wide;
			s->through[s->tail[arc]] += s->load[arc];
			s->touched[s->touches++] = arc;
			fullest = fmax(fullest, amount / wide);
		}
	}
	s->through[d->source[i]] = 0;
	return fullest;
}

/* Adds the share of the loads as flow, and lengthens the arcs accordingly. */
static void take_load(struct solver *s, double share, double step)
{
	for (uint32_t k = 0; k < s->touches; k++) {
		uint32_t arc = s->touched[k];
		double load = share * s->load[arc];
		s->flow[arc] += load;
		s->length[arc] *= 1 + step * load / s->network->capacity[arc];
		s->load[arc] = 0;
	}
	s->touches = 0;
}

/* ---- bounds */

static double fullness(const struct solver *s)
{
	double most = 0;
	for (uint32_t a = 0; a < s->network->arcs; a++)
		most = fmax(most, s->flow[a] / s->network->capacity[a]);
	return most;
}

static void improve_lower(struct solver *s, double share)
{
	s->bounds->lower = fmax(s->bounds->lower, fmin(share, s->limits->ceiling));
}

/* Computes the upper bound from the current lengths. */
static void improve_upper(struct solver *s)
{
	const struct demands *d = s->demands;
	double volume = 0, demanded = 0;
	for (uint32_t a = 0; a < s->network->arcs; a++)
		volume += s->network->capacity[a] * s->length[a];
	for (uint32_t i = 0; i < d->sources; i++) {
		find_distances(s, i);
		for (size_t k = d->first[i]; k < d->first[i + 1]; k++)
			demanded += d->amount[k] * s->distance[d->target[k]];
	}
	s->bounds->upper = fmin(s->bounds->upper, volume / demanded);
}

static bool is_done(const struct solver *s)
{
	return s->bounds->upper <= (1 + s->limits->epsilon) * s->bounds->lower || s->bounds->phases >= s->limits->phases;
}

/*
 * Only relative lengths matter: scales the volume to 1, and adds the lengths to the mean. Lengths have a minimum, so that rounding does not
 * lose them.
 */
static void rescale(struct solver *s)
{
	double volume = 0;
	for (uint32_t a = 0; a < s->network->arcs; a++)
		volume += s->network->capacity[a] * s->length[a];
	for (uint32_t a = 0; a < s->network->arcs; a++) {
		s->length[a] = fmax(s->length[a] / volume, least_volume / s->network->arcs / s->network->capacity[a]);
		s->mean_length[a] += s->length[a];
	}
}

/* Computes the upper bound from the mean lengths, which is better than the bound from the last lengths. */
static void improve_upper_by_mean(struct solver *s)
{
	double *length = s->length;
	s->length = s->mean_length;
	improve_upper(s);
	s->length = length;
}

/*
 * The first flow and lengths: arc lengths are inverse to capacities, and every source uses its shortest paths regardless of the others.
 * Symmetric networks need nothing else. Also determines the scale.
 */
static int start(struct solver *s, struct error *error)
{
	const struct demands *d = s->demands;
	for (uint32_t i = 0; i < d->sources; i++) {
		find_distances(s, i);
		for (size_t k = d->first[i]; k < d->first[i + 1]; k++)
			if (isinf(s->distance[d->target[k]]))
				return error_set(error, STATUS_FABRIC, "no path leads where a demand goes");
		load_paths(s, i, 1);
		take_load(s, 1, 0);
	}
	s->bounds->phases = 1;
	improve_upper(s);
	improve_lower(s, 1 / fullness(s));
	return 0;
}

/* Runs one phase. */
static void route_all(struct solver *s, double step)
{
	const struct demands *d = s->demands;
	for (uint32_t i = 0; i < d->sources; i++)
		for (double left = 1; left > 0;) {
			find_distances(s, i);
			double full = load_paths(s, i, left * s->scale), share = full > 1 ? 1 / full : 1;
			take_load(s, share, step);
			left = share < 1 ? left * (1 - share) : 0;
		}
	s->bounds->phases++;
}

int flow_bounds_find(struct flow_bounds *bounds, const struct network *network, const struct demands *demands,
	const struct flow_limits *limits, struct error *error)
{
	struct solver s = {.demands = demands, .limits = limits, .bounds = bounds};
	*bounds = (struct flow_bounds){.lower = fmin(limits->known, limits->ceiling), .upper = limits->ceiling};
	if (!demands->sources)
		bounds->lower = limits->ceiling;
	else if (!is_done(&s) && !solver_init(&s, network, error) && !start(&s, error)) {
		double step = first_step;
		for (double round = ROUND; !is_done(&s); round /= step_shrinks, step *= step_shrinks) {
			s.scale = sqrt(bounds->lower * bounds->upper);
			memset(s.flow, 0, network->arcs * sizeof *s.flow);
			memset(s.mean_length, 0, network->arcs * sizeof *s.mean_length);
			for (uint32_t phase = 1, look = 1; phase <= round && !is_done(&s); phase++) {
				route_all(&s, step);
				rescale(&s);
				improve_lower(&s, phase * s.scale / fullness(&s));
				if (phase == look || phase + 1 > round) {
					improve_upper_by_mean(&s);
					look *= 2;
				}
			}
		}
	}
	solver_clear(&s);
	return error->status ? -1 : 0;
}
