#include "engines/failing.h"

#include "base/memory.h"
#include "base/random.h"
#include "base/shown.h"
#include "fabric/port_names.h"
#include "routings/routing.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int refuse(const char *text, const char *why, struct error *error)
{
	return error_set(error, STATUS_USAGE, "--fail-at is '%s': %s", text, why);
}

/* Reads "0.5", "0.5s", "20ms" or "3us" before a ':' as picoseconds; *rest is the text after it. Returns whether it is a time. */
static bool read_time(const char *text, uint64_t *time, const char **rest)
{
	char copy[64];
	double seconds;
	size_t length = strcspn(text, ":");
	snprintf(copy, sizeof copy, "%.*s", (int)length, text);
	if (length >= sizeof copy || !read_seconds(copy, 1, 1e6, &seconds))
		return false;
	*time = (uint64_t)llround(seconds * PICOSECONDS);
	*rest = text + length;
	return true;
}

/* The nodes and their ports. */
struct wiring {
	struct port_names ports;
	const uint32_t *reverse;
};

/* The failures that are read: [count] of room [capacity]. */
struct failure_list {
	struct cable_failure *failure;
	size_t count, capacity;
};

static int add_failure(struct failure_list *failures, const struct wiring *wiring, uint64_t time, uint32_t channel, struct error *error)
{
	if (array_grow(&failures->failure, &failures->capacity, failures->count + 1, sizeof *failures->failure, error))
		return -1;
	failures->failure[failures->count++] = (struct cable_failure){.time = time, .channel = {channel, wiring->reverse[channel]}};
	return 0;
}

/* Adds all cables of the node, also those of one direction that lead to it. */
static int add_node(
	struct failure_list *failures, const struct wiring *wiring, const char *text, uint64_t time, uint32_t node, struct error *error)
{
	const struct fabric *fabric = wiring->ports.fabric;
	size_t before = failures->count;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			if ((v == node || (fabric->head[c] == node && wiring->reverse[c] == NONE)) &&
				add_failure(failures, wiring, time, c, error))
				return -1;
	return failures->count == before ? refuse(text, "the node has no cable", error) : 0;
}

/* Reads TIME:NODE:PORT or TIME:NODE. */
static int read_failure(const char *text, const struct wiring *wiring, struct failure_list *failures, struct error *error)
{
	const char *node = NULL;
	uint64_t time;
	struct port_named named;
	char where[600];
	if (!read_time(text, &time, &node) || *node != ':' || !node[1] || node[1] == ':')
		return refuse(text, "not TIME:NODE:PORT, such as 0.5s:S0:3, or TIME:NODE", error);
	snprintf(where, sizeof where, "--fail-at is '%s'", text);
	if (port_names_find(&wiring->ports, where, node + 1, &named, error))
		return -1;
	return named.channel == NONE ? add_node(failures, wiring, text, time, named.node, error)
				     : add_failure(failures, wiring, time, named.channel, error);
}

static int compare_failures(const void *left, const void *right)
{
	const struct cable_failure *a = left, *b = right;
	if (a->time != b->time)
		return a->time < b->time ? -1 : 1;
	return (a->channel[0] > b->channel[0]) - (a->channel[0] < b->channel[0]);
}

/* Returns the fabric without the cables that fail; origin: [its channels] their numbers in the fabric. NULL if out of memory. */
static struct fabric *damage(
	const struct fabric *fabric, const struct cable_failure *failure, size_t failures, uint32_t *origin, struct error *error)
{
	bool *gone = array_create(fabric->channels, sizeof *gone, error);
	uint32_t left = fabric->channels, kept = 0;
	for (size_t f = 0; gone && f < failures; f++)
		for (int side = 0; side < 2; side++) {
			uint32_t c = failure[f].channel[side];
			left -= c != NONE && !gone[c];
			if (c != NONE)
				gone[c] = true;
		}
	struct fabric *damaged = gone ? fabric_create(fabric->nodes, fabric->hosts, left, error) : NULL;
	for (uint32_t v = 0; damaged && v < fabric->nodes; v++) {
		damaged->first_channel[v] = kept;
		damaged->node_host[v] = fabric->node_host[v];
		if (fabric->node_host[v] != NONE)
			damaged->host_node[fabric->node_host[v]] = v;
		damaged->labels->name[v] = fabric->labels->name[v];
		damaged->labels->desc[v] = fabric->labels->desc[v];
		damaged->labels->guid[v] = fabric->labels->guid[v];
		damaged->labels->node_guid[v] = fabric->labels->node_guid[v];
		damaged->labels->lid[v] = fabric->labels->lid[v];
		damaged->labels->lmc[v] = fabric->labels->lmc[v];
		name_table_add(&damaged->labels->names, fabric->labels->name[v], v);
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			if (gone[c])
				continue;
			damaged->head[kept] = fabric->head[c];
			damaged->speed[kept] = fabric->speed[c];
			damaged->labels->port[kept] = fabric->labels->port[c];
			damaged->labels->peer_port[kept] = fabric->labels->peer_port[c];
			origin[kept++] = c;
		}
	}
	if (damaged) {
		damaged->first_channel[fabric->nodes] = kept;
		damaged->labels->source = fabric->labels->source;
	}
	free(gone);
	return damaged;
}

/* Converts tables of the damaged fabric to tables of the whole one. */
static struct forwarding *take_tables(
	struct routed *routed, const struct routing_graph *graph, const struct fabric *fabric, const uint32_t *origin, struct error *error)
{
	struct forwarding *f = forwarding_of_tables(graph->fabric, routed->next, graph->column, graph->columns, error);
	struct hop *hop = array_create(fabric->channels, sizeof *hop, error);
	routed->next = NULL;
	if (error->status) {
		free(hop);
		forwarding_free(f);
		return NULL;
	}
	for (uint32_t v = 0; v < fabric->nodes; v++)
		f->fallback[v] = f->fallback[v] == NONE ? NONE : origin[f->fallback[v]];
	for (size_t i = 0; i < (size_t)fabric->hosts * f->columns; i++)
		f->next[i] = f->next[i] == NONE ? NONE : origin[f->next[i]];
	for (uint32_t c = 0; c < fabric->channels; c++)
		hop[c] = (struct hop){fabric->head[c], f->column[fabric->head[c]]};
	free(f->hop);
	f->hop = hop;
	return f;
}

/* Computes the tables without the cables of these failures. */
static struct forwarding *route_again(
	const struct engine_setup *setup, const struct cable_failure *failure, size_t failures, const char *routing, struct error *error)
{
	const struct fabric *fabric = setup->fabric;
	struct routing_graph graph = {0};
	struct routed routed = {0};
	struct forwarding *tables = NULL;
	uint32_t *origin = array_create(fabric->channels, sizeof *origin, error);
	struct fabric *damaged = origin ? damage(fabric, failure, failures, origin, error) : NULL;
	struct routing_task task = {.graph = &graph, .lanes = ROUTING_LANES_USUAL, .seed = setup->seed};
	struct attributes *attributes = NULL; /* with aggregation nodes and routers, which engines of OpenSM count */
	if (setup->attributes && damaged)
		attributes = attributes_of_channels(setup->attributes, origin, damaged->channels, error);
	task.attributes = attributes;
	if (attributes)
		task.topology = attributes_of_graph(attributes, "topology");
	if (!error->status && !routing_graph_init(&graph, damaged, error) && !routing_run(&routed, routing, &task, error))
		tables = take_tables(&routed, &graph, fabric, origin, error);
	routed_clear(&routed);
	routing_graph_clear(&graph);
	attributes_free(attributes);
	fabric_free(damaged);
	free(origin);
	return tables;
}

/* Lists one channel of each cable except those to hosts with one. Returns their number. */
static uint32_t list_cables(const struct fabric *fabric, const uint32_t *reverse, uint32_t *cable)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			uint32_t head = fabric->head[c];
			bool leaf = fabric->node_host[v] != NONE && fabric->first_channel[v + 1] - fabric->first_channel[v] == 1;
			leaf |= fabric->node_host[head] != NONE && fabric->first_channel[head + 1] - fabric->first_channel[head] <= 1;
			if (!leaf && (reverse[c] == NONE || c < reverse[c]))
				cable[count++] = c;
		}
	return count;
}

/* Adds the cables that --fail-links draws: a larger number adds to those of a smaller one. Returns 0, or -1. */
static int draw_failures(struct failure_list *failures, const struct failing_options *options, const struct wiring *wiring, uint64_t seed,
	struct error *error)
{
	const struct fabric *fabric = wiring->ports.fabric;
	uint32_t *cable = array_create(fabric->channels, sizeof *cable, error);
	struct random random;
	uint32_t all = cable ? list_cables(fabric, wiring->reverse, cable) : 0;
	double share = options->fail_share.number, number = options->fail_share.percent ? round(share / 100 * all) : share;
	if (cable && number > all)
		error_set(error, STATUS_USAGE,
			"--fail-links is '%s', but only %" PRIu32 " cables can fail: those to hosts with one cable do not",
			options->fail_links, all);
	random_start(&random, seed, RANDOM_FAILURE, 1);
	if (cable)
		random_shuffle(&random, cable, all);
	for (uint32_t i = 0; !error->status && i < number; i++)
		add_failure(failures, wiring, 0, cable[i], error);
	free(cable);
	return error->status ? -1 : 0;
}

/* Reads and draws the failures, sorted by time. */
static void read_failures(
	struct failing *failing, const struct failing_options *options, const struct engine_setup *setup, struct error *error)
{
	uint32_t *reverse = fabric_reverse(setup->fabric, error);
	struct node_names names;
	struct wiring wiring = {{setup->fabric, &names, setup->forwarding->function, setup->attributes}, reverse};
	node_names_init(&names, setup->fabric, NODES_ALL, error);
	struct failure_list failures = {0};
	for (int i = 0; i < options->failures && !error->status; i++)
		read_failure(options->fail_at[i], &wiring, &failures, error);
	if (options->fail_links && !error->status)
		draw_failures(&failures, options, &wiring, setup->seed, error);
	if (!error->status)
		qsort(failures.failure, failures.count, sizeof *failures.failure, compare_failures);
	failing->failure = failures.failure;
	failing->count = failures.count;
	node_names_clear(&names);
	free(reverse);
}

int failing_make(struct failing *failing, const struct engine_setup *setup, struct error *error)
{
	const struct failing_options *options = setup->failing;
	const struct fabric *fabric = setup->fabric;
	const struct peers *peers = setup->peers;
	if (!options || (!options->failures && !options->fail_links))
		return 0;
	if (!peers->rank)
		read_failures(failing, options, setup, error);
	if (peers->agree(peers->data, error))
		return -1;
	peers->broadcast(peers->data, &failing->count, sizeof failing->count);
	size_t count = failing->count;
	if (peers->rank)
		failing->failure = array_create(count, sizeof *failing->failure, error);
	if (options->reroute)
		failing->afterwards = array_create(count, sizeof *failing->afterwards, error);
	if (peers->agree(peers->data, error))
		return -1;
	peers->broadcast(peers->data, failing->failure, count * sizeof *failing->failure);
	for (size_t i = count; failing->afterwards && i-- > 0;) {
		struct forwarding **tables = &failing->afterwards[i];
		if (i + 1 < count && failing->failure[i].time == failing->failure[i + 1].time) { /* both fail at the same time */
			*tables = failing->afterwards[i + 1];
			continue;
		}
		if (!peers->rank)
			*tables = route_again(setup, failing->failure, i + 1, options->reroute, error);
		if (peers->agree(peers->data, error) || peers->tables(peers->data, fabric, tables, error))
			return -1;
	}
	return 0;
}

static void write_end(const struct fabric *fabric, uint32_t node, uint32_t port, FILE *file)
{
	write_shown(file, fabric->labels->name[node]);
	if (port)
		fprintf(file, " port %" PRIu32, port);
}

void failing_tell(const struct failing *failing, const struct fabric *fabric, FILE *file)
{
	for (size_t i = 0; i < failing->count; i++) {
		uint32_t channel = failing->failure[i].channel[0];
		fprintf(file, "after %.9g s fails ", (double)failing->failure[i].time / PICOSECONDS);
		write_end(fabric, fabric_tail(fabric, channel), fabric->labels->port[channel], file);
		fputs(" - ", file);
		write_end(fabric, fabric->head[channel], fabric->labels->peer_port[channel], file);
		putc('\n', file);
	}
}

void failing_clear(struct failing *failing)
{
	struct forwarding **tables = failing->afterwards;
	for (size_t i = 0; tables && i < failing->count; i++)
		if (i + 1 == failing->count || tables[i] != tables[i + 1])
			forwarding_free(tables[i]);
	free(tables);
	free(failing->failure);
}
