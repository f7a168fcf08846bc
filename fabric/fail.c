#include "fabric/fail.h"

#include "base/memory.h"
#include "base/shown.h"
#include "fabric/port_names.h"
#include "fabric/subset.h"

#include <stdlib.h>
#include <string.h>

/* What stays. */
struct failing {
	const struct fabric *fabric;
	const uint32_t *reverse;
	bool *node, *channel;
};

static void fail_channel(struct failing *f, uint32_t channel)
{
	f->channel[channel] = false;
	if (f->reverse[channel] != NONE)
		f->channel[f->reverse[channel]] = false;
}

/* Fails a node, with the channels that leave it and those that lead to it. */
static void fail_node(struct failing *f, uint32_t node)
{
	f->node[node] = false;
	for (uint32_t c = f->fabric->first_channel[node]; c < f->fabric->first_channel[node + 1]; c++)
		fail_channel(f, c);
	for (uint32_t c = 0; c < f->fabric->channels; c++)
		if (f->fabric->head[c] == node)
			fail_channel(f, c);
}

int fabric_fail_list(
	const char *text, const struct port_names *names, const uint32_t *reverse, bool *node, bool *channel, struct error *error)
{
	struct failing failing = {names->fabric, reverse, node, channel}, *f = &failing;
	char *copy = strdup(text), where[600];
	if (!copy)
		return error_set(error, STATUS_IO, "out of memory");
	for (char *part = copy, *end; part && !error->status; part = end) {
		struct port_named named;
		if ((end = strchr(part, ',')))
			*end++ = '\0';
		snprintf(where, sizeof where, "--fail is '%s'", SHOWN(part));
		if (!*part)
			error_set(error, STATUS_USAGE, "--fail is '%s': a name is missing", SHOWN(text));
		else if (!port_names_find(names, where, part, &named, error) && named.channel != NONE)
			fail_channel(f, named.channel);
		else if (!error->status)
			fail_node(f, named.node);
	}
	free(copy);
	return error->status ? -1 : 0;
}

/* Fails hosts without a remaining cable, and counts. Returns whether a host is left. */
static bool count(struct failing *f, struct failed *failed)
{
	const struct fabric *fabric = f->fabric;
	uint32_t left = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		uint32_t cables = 0;
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			cables += f->channel[c];
			failed->cables += !f->channel[c] && (f->reverse[c] == NONE || f->reverse[c] > c);
		}
		bool had = fabric->first_channel[v] < fabric->first_channel[v + 1];
		f->node[v] &= fabric->node_host[v] == NONE || cables || !had;
		failed->switches += !f->node[v] && fabric->node_host[v] == NONE;
		failed->hosts += !f->node[v] && fabric->node_host[v] != NONE;
		left += f->node[v] && fabric->node_host[v] != NONE;
	}
	return left;
}

/* Writes computed routes to tables. */
static struct forwarding *tabulate(const struct fabric *fabric, const struct forwarding *computed, struct error *error)
{
	uint32_t *column = array_create(fabric->nodes, sizeof *column, error), columns = 0;
	for (uint32_t v = 0; v < fabric->nodes && column; v++)
		column[v] = fabric->first_channel[v + 1] - fabric->first_channel[v] > 1 ? columns++ : NONE;
	uint32_t *next = column ? array_create((size_t)fabric->hosts * columns, sizeof *next, error) : NULL;
	for (uint32_t h = 0; h < fabric->hosts && next; h++)
		for (uint32_t v = 0; v < fabric->nodes; v++)
			if (column[v] != NONE)
				next[(size_t)h * columns + column[v]] =
					fabric->host_node[h] == v ? NONE : routing_function_next(computed->function, v, h);
	struct forwarding *tables = next ? forwarding_of_tables(fabric, next, column, columns, error) : NULL;
	if (tables)
		tables->via = computed->via;
	free(column);
	return tables;
}

/* Makes tables of routes that are computed. Returns 0, or -1. */
static int need_tables(const struct fabric *fabric, struct forwarding **forwarding, struct error *error)
{
	if (!*forwarding || !(*forwarding)->function)
		return 0;
	struct forwarding *tables = tabulate(fabric, *forwarding, error);
	if (!tables)
		return -1;
	forwarding_free(*forwarding);
	*forwarding = tables;
	return 0;
}

/* Counts the entries for hosts that are left, at nodes that are left, whose channel failed. */
static uint64_t count_entries(const struct failing *f, const struct forwarding *tables)
{
	uint64_t entries = 0;
	for (uint32_t v = 0; tables && v < f->fabric->nodes; v++)
		for (uint32_t h = 0; h < f->fabric->hosts && f->node[v] && f->fabric->node_host[v] == NONE; h++) {
			uint32_t c = forwarding_next(tables, v, tables->column[v], h);
			entries += c != NONE && !f->channel[c] && f->node[f->fabric->host_node[h]];
		}
	return entries;
}

/* Returns the nodes that do not stay, without channels, whose names messages need; NULL if out of memory. */
static struct fabric *list_removed(const struct failing *failing, struct error *error)
{
	const struct fabric *f = failing->fabric;
	bool *node = array_create(f->nodes, sizeof *node, error), *channel = array_create(f->channels, sizeof *channel, error);
	uint32_t *number = array_create(f->nodes, sizeof *number, error), *host = array_create(f->hosts, sizeof *host, error), none;
	for (uint32_t v = 0; v < f->nodes && node; v++)
		node[v] = !failing->node[v];
	struct fabric *removed = error->status ? NULL : fabric_part(f, node, channel, number, &none, host, error);
	free(node);
	free(channel);
	free(number);
	free(host);
	return removed;
}

int fabric_fail(const char *const *texts, size_t count_texts, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes *attributes, struct failed *failed, struct error *error)
{
	const struct fabric *f = *fabric;
	struct node_names names = {0};
	uint32_t *reverse = fabric_reverse(f, error);
	struct failing failing = {
		f, reverse, array_create(f->nodes, sizeof *failing.node, error), array_create(f->channels, sizeof *failing.channel, error)};
	struct port_names ports = {f, &names, *forwarding ? (*forwarding)->function : NULL, attributes};
	*failed = (struct failed){0};
	if (!error->status) {
		memset(failing.node, true, f->nodes);
		memset(failing.channel, true, f->channels);
		node_names_init(&names, f, NODES_ALL, error);
	}
	for (size_t i = 0; i < count_texts && !error->status; i++)
		fabric_fail_list(texts[i], &ports, reverse, failing.node, failing.channel, error);
	if (!error->status && !count(&failing, failed))
		error_at(error, STATUS_FABRIC, f->labels->source, 0, "--fail leaves no host with a cable");
	if (!error->status && !need_tables(f, forwarding, error)) {
		failed->entries = count_entries(&failing, *forwarding);
		if (attributes) /* it is not what the engine made any more */
			attributes_remove(attributes, ATTRIBUTE_GRAPH, "routing");
		(*fabric)->labels->removed = list_removed(&failing, error);
		if (!error->status)
			fabric_keep(failing.node, failing.channel, fabric, forwarding, attributes, error);
	}
	if (names.fabric)
		node_names_clear(&names);
	free(reverse);
	free(failing.node);
	free(failing.channel);
	return error->status ? -1 : 0;
}
