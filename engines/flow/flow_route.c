/* The routes of messages, and their zero-load times. */
#include "base/memory.h"
#include "fabric/walk.h"
#include "engines/flow/flow_workspace.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct flow_engine *flow_create(const struct flow_setup *setup, struct error *error)
{
	const struct fabric *fabric = setup->fabric;
	struct flow_engine *e = array_create(1, sizeof *e, error);
	if (!e)
		return NULL;
	const struct routing_function *function = setup->forwarding->function;
	size_t room = (size_t)fabric->nodes + (function ? routing_function_longest(function) : 0);
	e->setup = *setup;
	static const struct storage_options usual_storage;
	if (!e->setup.storage.options)
		e->setup.storage = (struct storage_setup){&usual_storage, NONE, 0};
	e->channels =
		storage_init(&e->storage, &e->setup.storage, fabric->hosts, fabric->channels + (setup->memory > 0 ? fabric->hosts : 0));
	e->capacity = array_create(e->channels, sizeof *e->capacity, error);
	e->route = array_create(room, sizeof *e->route, error);
	e->run.times.sent = array_create(fabric->channels, sizeof *e->run.times.sent, error);
	if (setup->link_times) {
		e->run.times.bottleneck = array_create(e->channels, sizeof *e->run.times.bottleneck, error);
		e->run.times.used = array_create(LINK_BINS, sizeof *e->run.times.used, error);
		e->limits = array_create(e->channels, sizeof *e->limits, error);
		e->limits_since = array_create(e->channels, sizeof *e->limits_since, error);
	}
	if (!error->status && !histogram_init(&e->lengths, error) && !histogram_init(&e->loads, error)) {
		flow_mend(e);
		return e;
	}
	flow_free(e);
	return NULL;
}

void flow_mend(struct flow_engine *e)
{
	uint32_t fabric = e->setup.fabric->channels;
	memcpy(e->capacity, e->setup.capacity, fabric * sizeof *e->capacity);
	for (uint32_t h = 0; e->setup.memory > 0 && h < e->setup.fabric->hosts; h++)
		e->capacity[fabric + h] = e->setup.memory;
	storage_fill(&e->storage, e->capacity);
	e->failed = 0;
}

bool flow_meets_failure(const struct flow_engine *e, const struct flow_path *path)
{
	for (uint32_t i = 0; e->failed && i < path->count; i++)
		if (e->capacity[path->channel[i]] == 0)
			return true;
	return false;
}

void flow_free(struct flow_engine *e)
{
	if (!e)
		return;
	histogram_clear(&e->lengths);
	histogram_clear(&e->loads);
	flow_rates_free(e->rates);
	for (int p = 0; p < CLASSES_MAX; p++)
		free(e->operation[p]);
	free(e->capacity);
	free(e->route);
	free(e->passed);
	free(e->passed_part);
	free(e->outside);
	storage_clear(&e->storage);
	task_run_clear(&e->run);
	free(e->run.times.sent);
	free(e->run.times.bottleneck);
	free(e->run.times.used);
	free(e->message);
	free(e->event);
	free(e->place);
	free(e->limits);
	free(e->limits_since);
	free(e);
}

/*
 * Merges repeated channels: a route through an intermediate switch may pass a channel twice, which then is one channel with twice the load.
 * Returns the number of channels.
 */
static int merge_channels(struct route_choice *m, int length)
{
	int kept = 0;
	for (int i = 0; i < length; i++) {
		int k = 0;
		while (k < kept && m->channel[k] != m->channel[i])
			k++;
		m->share[k] = k < kept ? m->share[k] + 1 : 1;
		m->channel[k] = m->channel[i];
		kept += k == kept;
	}
	return kept;
}

int flow_find_route(struct flow_engine *e, uint32_t source, uint32_t destination, struct flow_path *path)
{
	const struct fabric *fabric = e->setup.fabric;
	const struct forwarding *forwarding = e->failed && e->setup.afterwards ? e->setup.afterwards[e->failed - 1] : e->setup.forwarding;
	struct route_choice *m = forwarding == e->setup.forwarding ? e->setup.multipath : NULL;
	*path = (struct flow_path){.channel = e->route};
	int length;
	if (source == destination) {
		e->route[0] = fabric->channels + source;
		path->count = e->setup.memory > 0;
		return 0;
	}
	if (m && m->setup.mode == MULTIPATH_SPLIT) {
		length = route_choice_spread(m, source, destination);
		path->channel = m->channel;
		path->part = m->share;
	} else if (m && e->setup.queue_pairs > 1) {
		length = route_choice_several(m, source, destination, e->setup.queue_pairs);
		path->channel = m->channel;
		path->part = m->share;
	} else if (m) {
		length = route_choice_route(m, source, destination);
		path->channel = m->channel;
		if (m->vias && length > 0) {
			length = merge_channels(m, length);
			path->part = m->share;
		}
	} else if (forwarding->function) {
		length = (int)routing_function_route(forwarding->function, source, destination, true, e->route);
	} else if (forwarding->shortest) {
		length = (int)shortest_routes_route(forwarding->shortest, source, destination, e->route);
		length = length ? length : -1;
	} else {
		length = walk_route(fabric, forwarding, source, destination, e->route);
	}
	if (length < 0) {
		e->bad_source = source;
		e->bad_destination = destination;
		return -1;
	}
	path->count = (uint32_t)length;
	path->hops = path->count;
	if (path->part) { /* channels of all routes: the parts of the channels of one route sum to its length */
		double hops = 0;
		for (uint32_t i = 0; i < path->count; i++)
			hops += path->part[i];
		path->hops = (uint32_t)floor(hops + 0.5 + 1e-9); /* a half counts as 1, however its parts were rounded */
	}
	return 0;
}

/* Adds the channels of a device to a route, NULL: none. Returns 0, or -1 if out of memory. */
static int pass_device(
	struct flow_engine *e, const struct transfer *transfer, const struct flow_path *route, struct flow_path *path, struct error *error)
{
	uint32_t count = route ? route->count : 0;
	const double *part = route ? route->part : NULL;
	if (array_grow(&e->passed, &e->passed_room, (size_t)count + transfer->count, sizeof *e->passed, error) ||
		array_grow(&e->passed_part, &e->part_room, (size_t)count + transfer->count, sizeof *e->passed_part, error))
		return -1;
	for (uint32_t i = 0; i < count + transfer->count; i++) {
		e->passed[i] = i < count ? route->channel[i] : transfer->channel[i - count];
		e->passed_part[i] = part && i < count ? part[i] : 1;
	}
	*path = (struct flow_path){e->passed, part ? e->passed_part : NULL, count + transfer->count, route ? route->hops : 0};
	return 0;
}

int flow_find_path(struct flow_engine *e, uint32_t operation, struct flow_path *path, struct error *error)
{
	const struct task_graph *g = e->run.graph;
	uint32_t host = e->run.host[g->task[operation]];
	if (g->kind[operation] == OPERATION_MESSAGE)
		return flow_find_route(e, host, e->run.host[g->receiver[operation]], path);
	const struct transfer transfer = storage_transfer(&e->storage, g, operation, host);
	bool read = g->kind[operation] == OPERATION_READ, remote = transfer.host != NONE && transfer.host != host;
	struct flow_path route;
	if (remote && flow_find_route(e, read ? transfer.host : host, read ? host : transfer.host, &route))
		return -1;
	return pass_device(e, &transfer, remote ? &route : NULL, path, error);
}

double flow_path_zero_load(const struct flow_engine *e, const struct flow_path *path, double bytes)
{
	double slowest = INFINITY, latency = 0;
	for (uint32_t i = 0; i < path->count; i++) {
		double part = path->part ? path->part[i] : 1, capacity = e->capacity[path->channel[i]] / part;
		slowest = capacity < slowest ? capacity : slowest;
		if (e->setup.latency && path->channel[i] < e->setup.fabric->channels)
			latency += e->setup.latency[path->channel[i]] * part;
	}
	return latency + (isfinite(slowest) ? 8 * bytes / slowest : 0);
}

double flow_zero_load(struct flow_engine *e, uint32_t source, uint32_t destination, double bytes)
{
	struct flow_path path;
	return flow_find_route(e, source, destination, &path) ? NAN : flow_path_zero_load(e, &path, bytes);
}

void flow_bad_pair(const struct flow_engine *e, uint32_t *source, uint32_t *destination)
{
	*source = e->bad_source;
	*destination = e->bad_destination;
}
