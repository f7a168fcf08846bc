#include "tools/order/slot_routes.h"

#include "base/memory.h"
#include "fabric/route_choice.h"
#include "fabric/source_groups.h"

#include <math.h>
#include <stdlib.h>

enum { STEPS_MOST = (1 << STEP_BITS) - 1, UNIT_MOST = 120 };

struct finding {
	struct slot_routes *routes;
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct source_groups groups;
	struct route_choice *choice; /* NULL: every pair has one route */
	bool ignore_speeds, parts;   /* parts: messages do not load all channels alike */
	uint32_t *number;            /* [channels] of the channel among those that routes use; NONE: none so far */
	bool *left_out;              /* [channels] links whose load does not depend on the order */
};

void slot_routes_clear(struct slot_routes *routes)
{
	free(routes->host);
	free(routes->leaf);
	free(routes->row);
	free(routes->first);
	free(routes->hop);
	free(routes->share);
	free(routes->uplink);
	*routes = (struct slot_routes){0};
}

static double speed_of(const struct finding *f, uint32_t channel)
{
	return f->ignore_speeds ? 1 : f->fabric->speed[channel];
}

/* Adds a channel to the last route; share: of a message. */
static void add_hop(struct finding *f, uint64_t place, uint32_t channel, double share, struct error *error)
{
	struct slot_routes *r = f->routes;
	if (f->number[channel] == NONE)
		f->number[channel] = r->channels++;
	double load = share / speed_of(f, channel), steps = round(load * r->unit);
	if (array_grow(&r->hop, &r->capacity, place + 1, sizeof *r->hop, error) ||
		(f->parts && array_grow(&r->share, &r->share_capacity, place + 1, sizeof *r->share, error)))
		return;
	r->hop[place] = f->number[channel] << STEP_BITS | (uint32_t)fmin(fmax(steps, 1), STEPS_MOST);
	if (f->parts)
		r->share[place] = load;
}

/* Adds the route from a row to a host. Returns its end. */
static uint64_t add_route(struct finding *f, uint32_t start, uint32_t destination, uint64_t place, struct error *error)
{
	uint32_t source = f->groups.host[f->groups.first[start]];
	if (source == destination && source_groups_to(&f->groups, start, destination))
		source = f->groups.host[f->groups.first[start] + 1];
	if (source == destination)
		return place;
	int count;
	const uint32_t *channel = f->groups.channels;
	if (f->choice) {
		count = route_choice_spread(f->choice, source, destination);
		channel = f->choice->channel;
	} else {
		count = walk_route(f->fabric, f->forwarding, source, destination, f->groups.channels);
	}
	if (count < 0) {
		if (f->choice)
			route_choice_explain(f->choice, source, destination, error);
		else
			walk_explain(f->fabric, f->forwarding, source, destination, error);
		return place;
	}
	for (int i = 0; i < count && !error->status; i++)
		if (!f->left_out[channel[i]])
			add_hop(f, place++, channel[i], f->choice ? f->choice->share[i] : 1, error);
	return place;
}

/* Numbers the switches of the hosts' first links, and adds up the speeds of their other channels. */
static int find_leaves(struct finding *f, struct error *error)
{
	struct slot_routes *r = f->routes;
	const struct fabric *fabric = f->fabric;
	uint32_t *number = array_create(fabric->nodes, sizeof *number, error);
	r->uplink = array_create(r->hosts, sizeof *r->uplink, error);
	for (uint32_t i = 0; i < r->hosts && !error->status; i++) {
		uint32_t node = fabric->host_node[r->host[i]];
		bool cabled = fabric->first_channel[node] < fabric->first_channel[node + 1];
		uint32_t leaf = cabled ? fabric->head[fabric->first_channel[node]] : node;
		if (!number[leaf]) {
			number[leaf] = ++r->leaves;
			double *sum = &r->uplink[r->leaves - 1];
			for (uint32_t c = fabric->first_channel[leaf]; c < fabric->first_channel[leaf + 1]; c++)
				*sum += fabric->node_host[fabric->head[c]] == NONE ? speed_of(f, c) : 0;
			if (fabric->node_host[leaf] != NONE)
				*sum = INFINITY;
		}
		r->leaf[i] = number[leaf] - 1;
	}
	free(number);
	return error->status ? -1 : 0;
}

/* Finds whether links of hosts have a load that no order changes, and the unit of steps. Returns whether they are left out. */
static bool find_speeds(struct finding *f, bool several)
{
	const struct destination_trees *t = &f->groups.trees;
	struct slot_routes *r = f->routes;
	bool single = !several, equal = true;
	double slowest = INFINITY, least = INFINITY, most = 0;
	for (uint32_t i = 0; i < r->hosts; i++) {
		uint32_t node = f->fabric->host_node[r->host[i]];
		single &= t->link[r->host[i]] != NONE;
		for (uint32_t c = f->fabric->first_channel[node]; c < f->fabric->first_channel[node + 1]; c++) {
			least = fmin(least, speed_of(f, c));
			most = fmax(most, speed_of(f, c));
		}
	}
	for (uint32_t c = 0; c < f->fabric->channels; c++) {
		equal &= speed_of(f, c) == 1;
		slowest = fmin(slowest, speed_of(f, c));
	}
	r->fastest = most > 0 ? most : 1;
	r->speeds = !equal;
	f->parts = !equal || f->choice;
	r->unit = f->parts ? (uint32_t)fmax(1, fmin(UNIT_MOST, floor(STEPS_MOST * slowest))) : 1;
	return single && least == most;
}

/* The single links of hosts, both ways: of all hosts, as one that is not offered can stand for a row. */
static int leave_out(struct finding *f, struct error *error)
{
	uint32_t *reverse = fabric_reverse(f->fabric, error);
	for (uint32_t h = 0; h < f->fabric->hosts && reverse; h++) {
		uint32_t link = f->groups.trees.link[h];
		if (link != NONE)
			f->left_out[link] = true;
		if (link != NONE && reverse[link] != NONE)
			f->left_out[reverse[link]] = true;
	}
	free(reverse);
	return reverse ? 0 : -1;
}

static int find_routes(struct finding *f, bool several, struct error *error)
{
	struct slot_routes *r = f->routes;
	bool out = find_speeds(f, several);
	if (!out) {
		source_groups_clear(&f->groups);
		if (source_groups_init(&f->groups, f->fabric, f->forwarding, true, error))
			return -1;
	}
	r->ends = !out;
	if (out && leave_out(f, error))
		return -1;
	uint32_t *row_of = array_create(f->groups.trees.starts, sizeof *row_of, error), *start = NULL;
	start = array_create(r->hosts, sizeof *start, error);
	for (uint32_t i = 0; i < r->hosts && !error->status; i++) {
		uint32_t s = f->groups.trees.start_of[r->host[i]];
		if (!row_of[s]) {
			start[r->rows] = s;
			row_of[s] = ++r->rows;
		}
		r->row[i] = row_of[s] - 1;
	}
	r->first = array_create((size_t)r->rows * r->hosts + 1, sizeof *r->first, error);
	uint64_t place = 0;
	for (size_t p = 0; p < (size_t)r->rows * r->hosts && !error->status; p++) {
		place = add_route(f, start[p / r->hosts], r->host[p % r->hosts], place, error);
		r->first[p + 1] = place;
	}
	if (!error->status && r->channels > UINT32_MAX >> STEP_BITS)
		error_set(error, STATUS_FABRIC, "the fabric has too many channels for an order of ranks: %u", r->channels);
	free(row_of);
	free(start);
	return error->status ? -1 : 0;
}

int slot_routes_find(struct slot_routes *routes, const struct fabric *fabric, const struct forwarding *forwarding, const uint32_t *host,
	uint32_t hosts, bool several, bool ignore_speeds, struct error *error)
{
	*routes = (struct slot_routes){.hosts = hosts};
	struct finding f = {.routes = routes, .fabric = fabric, .forwarding = forwarding, .ignore_speeds = ignore_speeds};
	const struct route_choice_setup setup = {.mode = MULTIPATH_SPLIT, .fabric = fabric, .forwarding = forwarding};
	routes->host = array_copy(host, hosts, sizeof *host, error);
	routes->leaf = array_create(hosts, sizeof *routes->leaf, error);
	routes->row = array_create(hosts, sizeof *routes->row, error);
	f.number = array_create(fabric->channels, sizeof *f.number, error);
	f.left_out = array_create(fabric->channels, sizeof *f.left_out, error);
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++)
		f.number[c] = NONE;
	if (!error->status && route_choice_any(&setup))
		f.choice = route_choice_create(&setup, error);
	if (!error->status && !find_leaves(&f, error) && !source_groups_init(&f.groups, fabric, forwarding, false, error))
		find_routes(&f, several, error);
	source_groups_clear(&f.groups);
	route_choice_free(f.choice);
	free(f.number);
	free(f.left_out);
	return error->status ? -1 : 0;
}
