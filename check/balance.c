#include "balance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sets the distance of every switch from the nearest host; *levels: how many levels there are. */
static void measure_levels(struct balance *b, const struct fabric *f, const uint32_t *given)
{
	bool changed = true;
	for (uint32_t v = 0; v < f->nodes; v++)
		b->level[v] = f->node_host[v] != NONE ? LEVEL_HOST : given ? given[v] : NONE - 1;
	for (uint32_t near = LEVEL_HOST; changed && !given; near++) { /* LEVEL_HOST + 1 is 0 */
		changed = false;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				uint32_t u = f->head[c];
				uint32_t far = b->level[v] == near && b->level[u] == NONE - 1   ? u
					       : b->level[u] == near && b->level[v] == NONE - 1 ? v
												: NONE;
				if (far == NONE)
					continue;
				b->level[far] = near + 1;
				changed = true;
			}
	}
	for (uint32_t v = 0; v < f->nodes; v++)
		if (b->level[v] < NONE - 1 && b->level[v] >= b->levels)
			b->levels = b->level[v] + 1;
	uint32_t top = b->levels;
	for (uint32_t v = 0; v < f->nodes; v++)
		if (b->level[v] == NONE - 1) {
			b->level[v] = top;
			b->levels = top + 1;
		}
}

static int compare_groups(const void *left, const void *right)
{
	const struct channel_group *a = left, *b = right; /* hosts, UINT32_MAX, become 0 */
	if (a->from != b->from)
		return a->from + 1 < b->from + 1 ? -1 : 1;
	return a->to + 1 < b->to + 1 ? -1 : a->to != b->to;
}

static struct channel_group *find_group(struct balance *b, uint32_t from, uint32_t to)
{
	for (uint32_t i = 0; i < b->groups; i++)
		if (b->group[i].from == from && b->group[i].to == to)
			return &b->group[i];
	return NULL;
}

static struct statistics describe(double *values, double *sorted, size_t count)
{
	memcpy(sorted, values, count * sizeof *sorted);
	sort_values(sorted, count);
	return statistics_of(values, sorted, count);
}

static int find_groups(struct balance *b, const struct fabric *f, const struct survey *s, struct faults *faults, struct error *error)
{
	size_t capacity = 0;
	double *routes = array_create(f->channels, sizeof *routes, error),
	       *destinations = array_create(f->channels, sizeof *destinations, error);
	double *sorted = array_create(f->channels, sizeof *sorted, error);
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1] && !error->status; c++) {
			struct channel_group *g = find_group(b, b->level[v], b->level[f->head[c]]);
			if (!g && !array_grow(&b->group, &capacity, (size_t)b->groups + 1, sizeof *b->group, error)) {
				g = &b->group[b->groups++];
				*g = (struct channel_group){.from = b->level[v], .to = b->level[f->head[c]]};
			}
			if (!g)
				break;
			g->channels++;
			g->unused += !s->destinations[c];
			if (!s->destinations[c])
				faults_add(faults, FAULT_UNUSED, (struct fault){NONE, NONE, c, 0}, error);
		}
	if (!error->status && b->groups)
		qsort(b->group, b->groups, sizeof *b->group, compare_groups);
	for (uint32_t i = 0; i < b->groups && !error->status; i++) {
		struct channel_group *g = &b->group[i];
		size_t count = 0;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; b->level[v] == g->from && c < f->first_channel[v + 1]; c++)
				if (b->level[f->head[c]] == g->to) {
					routes[count] = s->routes[c];
					destinations[count++] = s->destinations[c];
				}
		g->routes = describe(routes, sorted, count);
		g->destinations = describe(destinations, sorted, count);
		if (g->from != LEVEL_HOST && g->to != LEVEL_HOST && g->routes.mean > 0)
			b->worst = fmax(b->worst, g->routes.sd / g->routes.mean);
	}
	free(routes);
	free(destinations);
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

int balance_find(struct balance *balance, const struct fabric *fabric, const struct survey *survey, const uint32_t *level,
	struct faults *faults, struct error *error)
{
	struct balance *b = balance;
	*b = (struct balance){
		.level = array_create(fabric->nodes, sizeof *b->level, error),
		.capacity = array_create(fabric->nodes, sizeof *b->capacity, error),
	};
	if (error->status)
		return -1;
	measure_levels(b, fabric, level);
	b->of_level = array_create(b->levels, sizeof *b->of_level, error);
	if (error->status || find_groups(b, fabric, survey, faults, error))
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
