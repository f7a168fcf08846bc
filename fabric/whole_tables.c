/* The tables of the complete subnet of a fabric, and back into the attributes. */
#include "base/memory.h"
#include "fabric/whole_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <inttypes.h>
#include <string.h>

/* ---- lists of LIDs */

/* Reads the next LIDs of a list such as "5,8-11". Returns false at the end, and for what is no such list, then with *text not at a NUL. */
static bool next_lids(const char **text, uint32_t *first, uint32_t *last)
{
	uint32_t *number = first;
	const char *at = *text;
	*first = *last = 0;
	for (; *at && *at != ','; at++) {
		if (*at == '-' && number == first && *first)
			number = last;
		else if (*at < '0' || *at > '9' || (*number = 10 * *number + (uint32_t)(*at - '0')) > LID_LAST)
			return false;
	}
	if (number == first)
		*last = *first;
	if (!*first || *last < *first)
		return false;
	*text = at + (at[0] == ',' && at[1]);
	return true;
}

/* Calls the function for each LID of a list (NULL: none). Returns whether the list is one. */
static bool each_lid(const char *text, void (*call)(void *data, uint32_t lid), void *data)
{
	uint32_t first, last;
	while (text && *text) {
		if (!next_lids(&text, &first, &last))
			return false;
		for (uint32_t lid = first; lid <= last; lid++)
			call(data, lid);
	}
	return true;
}

/* ---- from the graph */

static void most_lid(void *data, uint32_t lid)
{
	uint32_t *lids = data;
	*lids = lid >= *lids ? lid + 1 : *lids;
}

/* A port in a table. */
struct cell {
	uint8_t *row;
	uint8_t port;
};

static void set_cell(void *data, uint32_t lid)
{
	const struct cell *cell = data;
	cell->row[lid] = cell->port;
}

static const char *vertex_lids(const struct whole_build *b, uint32_t v)
{
	return b->whole->node[b->whole->node_of[v]].kind == WHOLE_SWITCH ? attribute_get(b->column.lids, v) : NULL;
}

/* Chooses the switches with tables, and the number of LIDs. Returns whether the graph states entries of LIDs; -1 on errors. */
static int choose_tables(struct whole_build *b)
{
	struct whole_fabric *w = b->whole;
	int stated = 0;
	for (uint32_t v = 0; v < w->vertices; v++) {
		struct whole_node *node = &w->node[w->node_of[v]];
		bool table = v < b->fabric->nodes && forwarding_any(b->forwarding, v), valid = true;
		if (node->kind != WHOLE_SWITCH)
			continue;
		for (uint32_t i = b->first[v]; i <= b->first[v + 1]; i++) {
			const char *lids = i < b->first[v + 1] ? attribute_get(b->column.port_lids, b->out[i]) : vertex_lids(b, v);
			valid &= each_lid(lids, most_lid, &w->lids);
			table |= lids != NULL;
			stated |= lids != NULL;
		}
		if (!valid)
			return error_at(b->error, STATUS_FABRIC, b->source, 0,
				"switch '%s' has lids that are not LIDs from 1 to %d, for example 5-8", node->name, LID_LAST);
		if (table && node->table == NONE)
			node->table = w->tables++;
	}
	return stated;
}

/* The LID of a host in a component: that of its first port there; 0 if it has none. */
static uint32_t host_lid(const struct whole_build *b, uint32_t host, uint32_t component)
{
	const struct whole_fabric *w = b->whole;
	uint32_t v = b->fabric->host_node[host];
	if (whole_component(w, w->lid_port[v]) == component)
		return w->port[w->lid_port[v]].lid;
	for (uint32_t c = b->fabric->first_channel[v]; c < b->fabric->first_channel[v + 1]; c++)
		if (w->port[w->port_of[c]].lid && whole_component(w, w->port_of[c]) == component)
			return w->port[w->port_of[c]].lid;
	return 0;
}

/*
 * Fills the row of a switch from forwarding sets, then from its lids. Hosts of other components count if the routes lead through hosts;
 * other subnets can have the same LIDs.
 */
static void fill_row(struct whole_build *b, uint32_t v, uint8_t *row)
{
	const struct whole_fabric *w = b->whole;
	uint32_t component = w->component[w->node_of[v]];
	for (int within = 0; within < 2 && v < b->fabric->nodes; within++)
		for (uint32_t d = 0; d < b->fabric->hosts; d++) {
			uint32_t c = forwarding_next(b->forwarding, v, b->forwarding->column[v], d);
			uint32_t lid = c == NONE ? 0
				       : within  ? host_lid(b, d, component)
						 : w->port[w->lid_port[b->fabric->host_node[d]]].lid;
			if (lid)
				row[lid] = w->port[w->port_of[c]].number;
		}
	each_lid(vertex_lids(b, v), set_cell, &(struct cell){row, 0});
	for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++)
		each_lid(attribute_get(b->column.port_lids, b->out[i]), set_cell,
			&(struct cell){row, w->port[w->port_of[b->out[i]]].number});
}

/* ---- LIDs of which the graph states nothing */

/* Sets the entries for the LIDs of a port, which is at the vertex or behind it, where there are none. */
static void set_entries(struct whole_fabric *w, uint32_t node, uint32_t port, unsigned number)
{
	uint32_t lid = w->port[port].lid, table = w->node[node].table;
	for (uint32_t i = 0; table != NONE && i < 1U << w->port[port].lmc && lid + i < w->lids; i++) {
		uint8_t *entry = &w->entry[(size_t)table * w->lids + lid + i];
		if (*entry == WHOLE_NO_PORT)
			*entry = (uint8_t)number;
	}
}

/* Leads the packets for a port along shortest paths to the switch, vertex root. */
static void set_shortest(struct whole_build *b, uint32_t root, uint32_t port, uint32_t *seen, uint32_t *queue)
{
	struct whole_fabric *w = b->whole;
	uint32_t back = 0, mark = port + 1;
	seen[root] = mark;
	queue[back++] = root;
	for (uint32_t front = 0; front < back; front++)
		for (uint32_t i = b->first[queue[front]]; i < b->first[queue[front] + 1]; i++) {
			uint32_t c = b->out[i], v = build_head(b, c), peer = w->port[w->port_of[c]].peer;
			if (w->node[w->node_of[v]].kind != WHOLE_SWITCH || seen[v] == mark || peer == NONE)
				continue;
			seen[v] = mark;
			queue[back++] = v;
			set_entries(w, w->node_of[v], port, w->port[peer].number);
		}
}

/* Gives the LIDs of a port, where they have none, the entries of the base LID of a host's port. */
static void copy_entries(struct whole_fabric *w, uint32_t port, uint32_t host)
{
	for (uint32_t n = 0; n < w->nodes; n++)
		if (whole_entry(w, n, w->port[host].lid) != WHOLE_NO_PORT)
			set_entries(w, n, port, whole_entry(w, n, w->port[host].lid));
}

/* Returns the port of a host at the switch; NONE if it has none. */
static uint32_t host_at(const struct whole_fabric *w, const struct whole_node *node)
{
	for (unsigned number = 1; number <= node->ports; number++) {
		uint32_t peer = w->port[node->port + number].peer;
		if (peer != NONE && w->port[peer].host)
			return peer;
	}
	return NONE;
}

static int add_missing(struct whole_build *b, bool stated)
{
	struct whole_fabric *w = b->whole;
	uint32_t *vertex = array_create(w->nodes, sizeof *vertex, b->error); /* of switches */
	uint32_t *seen = array_create(w->vertices, sizeof *seen, b->error), *queue = array_create(w->vertices, sizeof *queue, b->error);
	for (uint32_t v = 0; !b->error->status && v < w->vertices; v++)
		vertex[w->node_of[v]] = v;
	for (uint32_t v = 0; !b->error->status && v < w->vertices; v++) {
		uint32_t port = w->lid_port[v], peer = w->port[port].peer;
		const struct whole_node *node = &w->node[w->port[port].node];
		if (stated && w->has_lid[v])
			continue;
		if (v < b->fabric->nodes && node->kind != WHOLE_SWITCH) {
			if (w->port[port].lmc)
				copy_entries(w, port, port);
		} else if (node->kind == WHOLE_SWITCH) {
			set_entries(w, w->port[port].node, port, 0);
			set_shortest(b, v, port, seen, queue);
		} else if (peer != NONE && w->node[w->port[peer].node].kind == WHOLE_SWITCH) {
			uint32_t host = host_at(w, &w->node[w->port[peer].node]);
			set_entries(w, w->port[peer].node, port, w->port[peer].number);
			if (host != NONE)
				copy_entries(w, port, host);
			else
				set_shortest(b, vertex[w->port[peer].node], port, seen, queue);
		}
	}
	free(vertex);
	free(seen);
	free(queue);
	return b->error->status ? -1 : 0;
}

int whole_build_tables(struct whole_build *b)
{
	struct whole_fabric *w = b->whole;
	int stated = choose_tables(b);
	if (stated < 0)
		return -1;
	w->entry = array_create((size_t)w->tables * w->lids, 1, b->error);
	if (!w->entry)
		return -1;
	memset(w->entry, WHOLE_NO_PORT, (size_t)w->tables * w->lids);
	for (uint32_t v = 0; v < w->vertices; v++) {
		uint32_t table = w->node[w->node_of[v]].table;
		if (table != NONE)
			fill_row(b, v, w->entry + (size_t)table * w->lids);
	}
	return add_missing(b, stated);
}

/* ---- back into the attributes */

void whole_fabric_forget(struct attributes *attributes, const struct fabric *fabric)
{
	const struct attribute *lids = attributes_find(attributes, ATTRIBUTE_NODE, "lids");
	for (uint32_t v = 0; lids && lids->value && v < attributes->nodes + attributes->others; v++)
		if (v >= fabric->nodes || fabric->node_host[v] == NONE)
			lids->value[v] = "";
	attributes_remove(attributes, ATTRIBUTE_CHANNEL, "lids");
}

int whole_fabric_blank(struct whole_fabric *w, uint32_t lids, struct error *error)
{
	free(w->entry);
	w->tables = 0;
	w->lids = lids > w->lids ? lids : w->lids;
	for (uint32_t n = 0; n < w->nodes; n++)
		w->node[n].table = w->node[n].kind == WHOLE_SWITCH ? w->tables++ : NONE;
	w->entry = array_create((size_t)w->tables * w->lids, 1, error);
	if (!w->entry)
		return -1;
	memset(w->entry, WHOLE_NO_PORT, (size_t)w->tables * w->lids);
	return 0;
}

/* State of writing. */
struct keeping {
	const struct whole_fabric *whole;
	struct attributes *attributes;
	char *pool;
	size_t length, capacity;
	size_t *of_vertex, *of_channel; /* [vertices], [all channels] place in the pool, 0: no text */
	bool *host;                     /* [lids] of the switch's component */
	uint16_t *list;                 /* [lids] by ports */
	struct error *error;
};

/* Appends a list of LIDs, which ascend, and returns its place. */
static size_t put_list(struct keeping *k, const uint16_t *lid, uint32_t count)
{
	size_t start = k->length;
	if (array_grow(&k->pool, &k->capacity, k->length + (size_t)count * 6 + 1, 1, k->error))
		return 0;
	for (uint32_t i = 0, last; i < count; i = last + 1) {
		for (last = i; last + 1 < count && lid[last + 1] == lid[last] + 1; last++)
			;
		k->length += (size_t)sprintf(k->pool + k->length, last > i ? "%s%u-%u" : "%s%u", i ? "," : "", lid[i], lid[last]);
	}
	k->length++;
	return start;
}

static void keep_row(struct keeping *k, uint32_t v)
{
	const struct whole_fabric *w = k->whole;
	uint32_t node = w->node_of[v], first[WHOLE_PORTS + 2] = {0};
	memset(k->host, 0, w->lids * sizeof *k->host);
	for (uint32_t p = 0; p < w->ports; p++)
		if (w->port[p].host && whole_component(w, p) == w->component[node])
			k->host[w->port[p].lid] = true;
	for (int fill = 0; fill < 2; fill++) {
		for (uint32_t lid = 1; lid < w->lids; lid++) {
			unsigned port = whole_entry(w, node, lid);
			if (port > w->node[node].ports || k->host[lid])
				continue;
			if (fill)
				k->list[first[port]++] = (uint16_t)lid;
			else
				first[port + 1]++;
		}
		for (unsigned port = 0; !fill && port <= WHOLE_PORTS; port++)
			first[port + 1] += first[port];
	}
	for (unsigned port = 0, begin = 0; port <= w->node[node].ports && !k->error->status; begin = first[port++]) {
		uint32_t c = w->port[w->node[node].port + port].channel;
		if (first[port] > begin && (!port || c != NONE))
			*(port ? &k->of_channel[c] : &k->of_vertex[v]) = put_list(k, k->list + begin, first[port] - begin);
	}
}

/* Replaces the values of lids: of nodes only those of switches. */
static void replace_lids(struct keeping *k, enum attribute_kind kind, const size_t *place, uint32_t count)
{
	const struct whole_fabric *w = k->whole;
	struct attribute *column = (struct attribute *)attributes_find(k->attributes, kind, "lids");
	bool any = column != NULL;
	for (uint32_t i = 0; i < count; i++)
		any |= place[i] != 0;
	if (any && !column)
		column = attributes_add(k->attributes, kind, "lids", "", k->error);
	if (!column || (!column->value && !(column->value = array_create(count, sizeof *column->value, k->error))))
		return;
	for (uint32_t i = 0; i < count; i++)
		if (place[i] || kind == ATTRIBUTE_CHANNEL || w->node[w->node_of[i]].kind == WHOLE_SWITCH || !column->value[i])
			column->value[i] = place[i] ? k->pool + place[i] : "";
}

/* Returns the place of a number as text; 0 is no text. */
static size_t put_lid(struct keeping *k, uint32_t number)
{
	size_t start = k->length;
	if (!number || array_grow(&k->pool, &k->capacity, k->length + 12, 1, k->error))
		return 0;
	k->length += (size_t)sprintf(k->pool + k->length, "%" PRIu32, number) + 1;
	return start;
}

/* Replaces the values of a column by texts of the pool; place: [count], 0: none. */
static void replace_numbers(struct keeping *k, enum attribute_kind kind, const char *name, const size_t *place, uint32_t count)
{
	struct attribute *column = (struct attribute *)attributes_find(k->attributes, kind, name);
	if (!column)
		column = attributes_add(k->attributes, kind, name, "", k->error);
	if (!column || (!column->value && !(column->value = array_create(count, sizeof *column->value, k->error))))
		return;
	for (uint32_t i = 0; i < count; i++)
		column->value[i] = place[i] ? k->pool + place[i] : "";
}

/* Replaces LIDs and LMCs: of nodes, and of the further ports of hosts, which stand at their channels. All other texts have been put. */
static void replace_addresses(struct keeping *k)
{
	const struct whole_fabric *w = k->whole;
	const struct attribute *further = attributes_find(k->attributes, ATTRIBUTE_CHANNEL, "lid");
	uint32_t vertices = w->vertices, channels = further ? k->attributes->channels + k->attributes->other_channels : 0;
	size_t *lid = array_create((size_t)vertices + channels, sizeof *lid, k->error);
	size_t *lmc = array_create((size_t)vertices + channels, sizeof *lmc, k->error);
	for (uint32_t i = 0; i < vertices + channels && !k->error->status; i++) {
		uint32_t port = i < vertices ? w->lid_port[i] : attribute_get(further, i - vertices) ? w->port_of[i - vertices] : NONE;
		lid[i] = port == NONE ? 0 : put_lid(k, w->port[port].lid);
		lmc[i] = port == NONE ? 0 : put_lid(k, w->port[port].lmc);
	}
	for (int kind = ATTRIBUTE_NODE; kind <= ATTRIBUTE_CHANNEL && !k->error->status; kind++) {
		uint32_t from = kind == ATTRIBUTE_NODE ? 0 : vertices, count = kind == ATTRIBUTE_NODE ? vertices : channels;
		if (count)
			replace_numbers(k, kind, "lid", lid + from, count);
		if (count && !k->error->status)
			replace_numbers(k, kind, "lmc", lmc + from, count);
	}
	free(lid);
	free(lmc);
}

int whole_fabric_keep(const struct whole_fabric *w, struct attributes *attributes, struct error *error)
{
	uint32_t channels = attributes->channels + attributes->other_channels;
	struct keeping k = {.whole = w,
		.attributes = attributes,
		.length = 1,
		.of_vertex = array_create(w->vertices, sizeof *k.of_vertex, error),
		.of_channel = array_create(channels, sizeof *k.of_channel, error),
		.host = array_create(w->lids, sizeof *k.host, error),
		.list = array_create(w->lids, sizeof *k.list, error),
		.error = error};
	for (uint32_t v = 0; v < w->vertices && !error->status; v++)
		if (w->node[w->node_of[v]].table != NONE)
			keep_row(&k, v);
	if (w->renumbered && !error->status)
		replace_addresses(&k);
	if (!error->status)
		replace_lids(&k, ATTRIBUTE_NODE, k.of_vertex, w->vertices);
	if (!error->status)
		replace_lids(&k, ATTRIBUTE_CHANNEL, k.of_channel, channels);
	free(k.of_vertex);
	free(k.of_channel);
	free(k.host);
	free(k.list);
	free(attributes->lids);
	attributes->lids = k.pool;
	return error->status ? -1 : 0;
}
