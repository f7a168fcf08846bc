#include "tools/check/balance.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets the levels, given or as distances from hosts; *levels: their number. */
static int measure_levels(struct balance *b, const struct fabric *f, const uint32_t *given, struct error *error)
{
	b->level = given ? array_create(f->nodes, sizeof *b->level, error) : host_distances_make(f, error);
	if (!b->level)
		return -1;
	for (uint32_t v = 0; v < f->nodes && given; v++)
		b->level[v] = f->node_host[v] != NONE ? LEVEL_HOST : given[v];
	for (uint32_t v = 0; v < f->nodes; v++)
		if (b->level[v] < LEVEL_NONE && b->level[v] >= b->levels)
			b->levels = b->level[v] + 1;
	uint32_t top = b->levels;
	for (uint32_t v = 0; v < f->nodes; v++)
		if (b->level[v] == LEVEL_NONE) {
			b->level[v] = top;
			b->levels = top + 1;
		}
	return 0;
}

/* Stably sorts the channels, [channels], by the level of one end of each (node), from one list into another. count: [levels + 1] */
static void sort_channels(
	const struct balance *b, const uint32_t *node, const uint32_t *from, uint32_t *to, uint32_t channels, uint32_t *count)
{
	memset(count, 0, ((size_t)b->levels + 1) * sizeof *count);
	for (uint32_t c = 0; c < channels; c++)
		if (b->level[node[c]] + 1 < b->levels) /* LEVEL_HOST + 1 is 0 */
			count[b->level[node[c]] + 2]++;
	for (uint32_t level = 1; level <= b->levels; level++)
		count[level] += count[level - 1];
	for (uint32_t i = 0; i < channels; i++)
		to[count[b->level[node[from[i]]] + 1]++] = from[i];
}

/* Sorts the channels into groups, by the levels of both ends. */
static int order_channels(const struct balance *b, const struct fabric *f, uint32_t *order, struct error *error)
{
	uint32_t *tail = array_create(f->channels, sizeof *tail, error), *other = array_create(f->channels, sizeof *other, error);
	uint32_t *count = array_create((size_t)b->levels + 2, sizeof *count, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			tail[c] = v;
			order[c] = c;
		}
	if (!error->status) {
		sort_channels(b, f->head, order, other, f->channels, count);
		sort_channels(b, tail, other, order, f->channels, count);
	}
	free(tail);
	free(other);
	free(count);
	return error->status ? -1 : 0;
}

static struct statistics describe(double *values, double *sorted, size_t count)
{
	memcpy(sorted, values, count * sizeof *sorted);
	sort_values(sorted, count);
	return statistics_of(values, sorted, count);
}

/* Describes a group, channels order[from..to-1]. values, sorted: scratch arrays. */
static void add_group(struct balance *b, struct channel_group *g, const struct pair_statistics *s, const uint32_t *order, uint32_t count,
	double *values, double *sorted)
{
	g->channels = count;
	for (uint32_t i = 0; i < count; i++) {
		values[i] = s->routes[order[i]];
		g->unused += !s->destinations[order[i]];
	}
	g->routes = describe(values, sorted, count);
	for (uint32_t i = 0; i < count; i++)
		values[i] = s->destinations[order[i]];
	g->destinations = describe(values, sorted, count);
	if (g->from != LEVEL_HOST && g->to != LEVEL_HOST && g->routes.mean > 0)
		b->worst = fmax(b->worst, g->routes.sd / g->routes.mean);
}

static int find_groups(
	struct balance *b, const struct fabric *f, const struct pair_statistics *s, struct faults *faults, struct error *error)
{
	size_t capacity = 0;
	uint32_t *order = array_create(f->channels, sizeof *order, error);
	double *values = array_create(f->channels, sizeof *values, error), *sorted = array_create(f->channels, sizeof *sorted, error);
	for (uint32_t c = 0; c < f->channels && !error->status; c++)
		if (!s->destinations[c])
			faults_add(faults, FAULT_UNUSED, (struct fault){NONE, NONE, c, 0}, error);
	if (!error->status)
		order_channels(b, f, order, error);
	for (uint32_t i = 0, end; i < f->channels && !error->status; i = end) {
		struct channel_group g = {.from = b->level[fabric_tail(f, order[i])], .to = b->level[f->head[order[i]]]};
		for (end = i; end < f->channels && b->level[f->head[order[end]]] == g.to && b->level[fabric_tail(f, order[end])] == g.from;)
			end++;
		if (array_grow(&b->group, &capacity, (size_t)b->groups + 1, sizeof *b->group, error))
			break;
		add_group(b, &g, s, order + i, end - i, values, sorted);
		b->group[b->groups++] = g;
	}
	free(order);
	free(values);
	free(sorted);
	return error->status ? -1 : 0;
}

static void add_up(struct balance *b, const struct fabric *f)
{
	for (uint32_t level = 0; level < b->levels; level++)
		b->of_level[level] = (struct level_capacity){.least = INFINITY, .worst = NONE};
	for (uint32_t v = 0; v < f->nodes; v++) {
		struct capacity *own = &b->capacity[v];
		if (b->level[v] == LEVEL_HOST)
			continue;
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
			uint32_t to = b->level[f->head[c]] + 1, here = b->level[v] + 1; /* hosts are 0 */
			*(to < here ? &own->down : to > here ? &own->up : &own->across) += f->speed[c];
		}
		struct level_capacity *level = &b->of_level[b->level[v]];
		level->switches++;
		level->sum.down += own->down;
		level->sum.up += own->up;
		level->sum.across += own->across;
		if (own->up <= 0)
			continue;
		double ratio = own->down / own->up;
		level->least = fmin(level->least, ratio);
		if (!level->rising++ || ratio > level->most) {
			level->most = ratio;
			level->worst = v;
		}
	}
}

int balance_find(struct balance *balance, const struct fabric *fabric, const struct pair_statistics *statistics, const uint32_t *level,
	struct faults *faults, struct error *error)
{
	struct balance *b = balance;
	*b = (struct balance){
		.capacity = array_create(fabric->nodes, sizeof *b->capacity, error),
	};
	if (error->status)
		return -1;
	if (measure_levels(b, fabric, level, error))
		return -1;
	b->of_level = array_create(b->levels, sizeof *b->of_level, error);
	if (error->status || find_groups(b, fabric, statistics, faults, error))
		return -1;
	add_up(b, fabric);
	return 0;
}

void balance_clear(struct balance *balance)
{
	free(balance->level);
	free(balance->group);
	free(balance->capacity);
	free(balance->of_level);
	*balance = (struct balance){0};
}
