#include "routings/opensm/failing.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* ---- tables of OpenSM in the columns of a routing graph */

/* The row of a host's LID. */
static void fill_row(struct routed *routed, const struct opensm_view *view, const struct routing_graph *n,
	const struct opensm_tables *tables, const struct opensm_places *places, uint32_t host)
{
	uint32_t lid = view->arrays.port[view->whole->lid_port[n->fabric->host_node[host]]].lid, *row = routed_row(routed, n, host);
	uint8_t *level = routed->level ? routed_levels(routed, n, host) : NULL;
	for (uint32_t s = 0; s < tables->switches; s++) {
		unsigned port = opensm_entry(tables, s, lid);
		uint32_t column = places->column[s];
		if (column == NONE || port == OPENSM_NO_PORT)
			continue;
		row[column] = places->channel[view->arrays.node[tables->node[s]].port + port];
		if (level)
			level[column] = tables->first_sl[opensm_lane(tables, s, lid)];
	}
}

/* A host with several channels sends by the first whose switch has an entry, or that leads to the destination. failed: [channels]; NULL. */
static void fill_hosts(struct routed *routed, const struct routing_graph *n, const bool *failed)
{
	const struct fabric *fabric = n->fabric;
	for (uint32_t i = 0; i < n->columns; i++) {
		uint32_t v = n->node[i];
		for (uint32_t d = 0; d < fabric->hosts && fabric->node_host[v] != NONE; d++) {
			uint32_t *row = routed_row(routed, n, d), c = fabric->first_channel[v], end = fabric->first_channel[v + 1];
			if (fabric->host_node[d] == v)
				continue;
			while (c < end && ((failed && failed[c]) || fabric->head[c] != fabric->host_node[d]) &&
				((failed && failed[c]) || fabric->node_host[fabric->head[c]] != NONE ||
					row[n->column[fabric->head[c]]] == NONE))
				c++;
			row[i] = c < end ? c : NONE;
			if (c < end && routed->level && fabric->node_host[fabric->head[c]] == NONE)
				routed_levels(routed, n, d)[i] = routed_levels(routed, n, d)[n->column[fabric->head[c]]];
		}
	}
}

/* Returns 0, or -1 if out of memory; places_clear() in either case. */
static int places_find(struct opensm_places *places, const struct opensm_view *view, const struct routing_graph *graph,
	const struct opensm_tables *tables, struct error *error)
{
	const struct whole_fabric *whole = view->whole;
	*places = (struct opensm_places){
		array_create(tables->switches, sizeof *places->column, error), array_create(whole->ports, sizeof *places->channel, error)};
	if (error->status)
		return -1;
	for (uint32_t s = 0; s < tables->switches; s++)
		places->column[s] = NONE;
	for (uint32_t v = 0; v < graph->fabric->nodes; v++)
		if (tables->number[whole->node_of[v]] != OPENSM_NONE)
			places->column[tables->number[whole->node_of[v]]] = graph->column[v];
	for (uint32_t p = 0; p < whole->ports; p++)
		places->channel[p] = whole->port[p].channel < graph->fabric->channels ? whole->port[p].channel : NONE;
	return 0;
}

static void places_clear(struct opensm_places *places)
{
	free(places->column);
	free(places->channel);
}

/* failed: [channels] that hosts do not use; NULL: none. */
static int fill(struct routed *routed, const struct opensm_view *view, const struct routing_graph *graph,
	const struct opensm_tables *tables, const bool *failed, struct error *error)
{
	struct opensm_places places;
	if (!places_find(&places, view, graph, tables, error) &&
		!(tables->lane && tables->lanes > 1 && !routed->level && routed_add_levels(routed, graph, error))) {
		for (uint32_t host = 0; host < graph->fabric->hosts; host++)
			fill_row(routed, view, graph, tables, &places, host);
		fill_hosts(routed, graph, failed);
		if (tables->lane && tables->lanes > 1)
			routed->levels = routed->lanes = tables->first_sl[tables->lanes - 1] + 1U;
	}
	places_clear(&places);
	return error->status ? -1 : 0;
}

int opensm_fill_routed(struct routed *routed, const struct opensm_view *view, const struct routing_graph *graph,
	const struct opensm_tables *tables, struct error *error)
{
	return fill(routed, view, graph, tables, NULL, error);
}

/* ---- failures */

void opensm_failing_clear(struct opensm_failing *failing)
{
	struct opensm_failing *f = failing;
	opensm_again_clear(&f->again);
	opensm_view_clear(&f->view);
	for (int i = 0; i < 3; i++)
		free(f->guid[i]);
	free(f->next);
	places_clear(&f->places);
	free(f->number);
	free(f->lid_host);
	free(f->left_node);
	free(f->left);
	free(f->left_port);
	routed_clear(&f->routed);
	*f = (struct opensm_failing){0};
}

/* Whether every host has one cable: others choose by the tables of their switches. */
static bool hosts_are_simple(const struct routing_graph *graph)
{
	for (uint32_t h = 0; h < graph->fabric->hosts; h++)
		if (graph->column[graph->fabric->host_node[h]] != NONE)
			return false;
	return true;
}

/* minhop and updn list changes themselves. Where that does not work, whole tables are compared. */
static int begin_each(struct opensm_failing *f, struct error *error)
{
	struct error why = {0};
	bool updn = !strcmp(f->engine, "updn");
	f->options.ends_only = true;
	if ((!updn && strcmp(f->engine, "minhop") != 0) || !hosts_are_simple(f->graph))
		return 0;
	f->each = !opensm_again_init(&f->again, updn, &f->view.arrays.subnet, &f->options, &why);
	if (why.status == STATUS_IO)
		return error_set(error, STATUS_IO, "%s", why.text);
	if (!f->each)
		return 0;
	const struct opensm_fabric *sw = &f->again.fabric;
	f->number = array_create(f->view.whole->nodes, sizeof *f->number, error);
	if (error->status)
		return -1;
	memset(f->number, 0xff, f->view.whole->nodes * sizeof *f->number);
	for (uint32_t s = 0; s < sw->switches; s++)
		f->number[sw->sw[s].node] = s;
	const struct opensm_tables numbered = {.switches = sw->switches, .number = f->number};
	return places_find(&f->places, &f->view, f->graph, &numbered, error);
}

int opensm_failing_begin(struct opensm_failing *failing, const struct routed *routed, struct error *error)
{
	struct opensm_failing *f = failing;
	const struct fabric *fabric = f->graph->fabric;
	const struct whole_fabric *whole = f->view.whole;
	f->next = array_copy(routed->next, (size_t)fabric->hosts * f->graph->columns, sizeof *f->next, error);
	f->lid_host = array_create(whole->lids, sizeof *f->lid_host, error);
	f->left_node = array_create(whole->nodes, sizeof *f->left_node, error);
	f->left = array_create(whole->nodes, sizeof *f->left, error);
	f->left_port = array_create(whole->ports, sizeof *f->left_port, error);
	if (error->status)
		return -1;
	memset(f->lid_host, 0xff, whole->lids * sizeof *f->lid_host);
	for (uint32_t h = 0; h < fabric->hosts; h++)
		f->lid_host[whole->port[whole->lid_port[fabric->host_node[h]]].lid] = h;
	return begin_each(f, error);
}

int entry_changes_add(struct entry_changes *changes, struct entry_change change, struct error *error)
{
	if (array_grow(&changes->list, &changes->capacity, changes->count + 1, sizeof *changes->list, error))
		return -1;
	changes->list[changes->count++] = change;
	return 0;
}

/* Tells the incremental engine what has failed. Returns false if it cannot deal with it: end ports alone change the order of all. */
static bool tell(struct opensm_failing *f, const struct failed_parts *failed)
{
	const struct fabric *fabric = f->graph->fabric;
	const struct whole_fabric *whole = f->view.whole;
	for (size_t i = 0; i < failed->count; i++) {
		const struct whole_port *port = &whole->port[whole->port_of[failed->listed[i]]];
		const struct whole_port *peer = port->peer == NONE ? port : &whole->port[port->peer];
		uint32_t number = f->number[port->node], other = f->number[peer->node];
		bool ends = number == OPENSM_NONE || other == OPENSM_NONE;
		uint32_t tail = fabric_tail(fabric, failed->listed[i]), head = fabric->head[failed->listed[i]];
		uint32_t sw = fabric->node_host[tail] == NONE ? tail : head;
		if (ends && !failed->node[sw])
			return false;
		if (!ends)
			opensm_again_cut(&f->again, number, port->number);
	}
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (failed->node[v] && fabric->node_host[v] == NONE)
			opensm_again_lose(&f->again, f->number[whole->node_of[v]]);
	return true;
}

static int list_each(struct opensm_failing *f, const struct failed_parts *failed, struct entry_changes *changes, struct error *error)
{
	const struct opensm_again *a = &f->again;
	const struct fabric *fabric = f->graph->fabric;
	for (size_t i = 0; i < a->changes; i++) {
		const struct again_change *c = &a->change[i];
		uint32_t host = f->lid_host[a->end[c->end].lid], column = f->places.column[c->number];
		if (host == NONE || column == NONE || failed->node[fabric->host_node[host]])
			continue;
		uint32_t ports = f->view.arrays.node[a->fabric.sw[c->number].node].port;
		uint32_t channel = c->port == OPENSM_NO_PORT ? NONE : f->places.channel[ports + c->port];
		if (entry_changes_add(changes, (struct entry_change){column, host, channel}, error))
			return -1;
	}
	return 0;
}

/* The LID of a host whose port has lost its cable goes to the host's next port, as where the graph is read without the cable. */
static void move_lids(struct opensm_failing *f, const struct failed_parts *failed)
{
	const struct fabric *fabric = f->graph->fabric;
	const struct whole_fabric *whole = f->view.whole;
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		uint32_t v = fabric->host_node[h], c = fabric->first_channel[v], end = fabric->first_channel[v + 1];
		struct opensm_port *from = &f->left_port[whole->lid_port[v]];
		while (c < end && failed->channel[c])
			c++;
		if (from->peer != OPENSM_NONE || c == end)
			continue;
		f->left_port[whole->port_of[c]].lid = from->lid;
		f->left_port[whole->port_of[c]].lmc = from->lmc;
		from->lid = 0;
	}
}

/* Makes the subnet that is left. */
static struct opensm_subnet make_left(struct opensm_failing *f, const struct failed_parts *failed)
{
	const struct fabric *fabric = f->graph->fabric;
	const struct whole_fabric *whole = f->view.whole;
	uint32_t count = 0;
	memcpy(f->left_port, f->view.arrays.port, whole->ports * sizeof *f->left_port);
	for (size_t i = 0; i < failed->count; i++) {
		struct opensm_port *port = &f->left_port[whole->port_of[failed->listed[i]]];
		if (port->peer != OPENSM_NONE)
			f->left_port[port->peer].peer = OPENSM_NONE;
		port->peer = OPENSM_NONE;
	}
	if (!hosts_are_simple(f->graph))
		move_lids(f, failed);
	memset(f->left, 0, whole->nodes * sizeof *f->left);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (failed->node[v] && fabric->node_host[v] == NONE)
			f->left[whole->node_of[v]] = true;
	for (uint32_t v = 0; v < whole->nodes; v++) {
		bool lost = f->left[v];
		if (!lost && whole->node[v].kind != WHOLE_SWITCH) { /* an adapter without a cable is not seen */
			lost = true;
			for (unsigned p = 0; p <= whole->node[v].ports; p++)
				lost &= f->left_port[f->view.arrays.node[v].port + p].peer == OPENSM_NONE;
		}
		for (unsigned p = 0; p <= whole->node[v].ports && lost; p++) {
			uint32_t peer = f->left_port[f->view.arrays.node[v].port + p].peer;
			if (peer != OPENSM_NONE)
				f->left_port[peer].peer = OPENSM_NONE;
		}
		if (lost)
			continue;
		f->left[count] = v; /* count <= v */
		f->left_node[count++] = f->view.arrays.node[v];
	}
	return (struct opensm_subnet){.node = f->left_node, .port = f->left_port, .nodes = count, .ports = f->view.arrays.subnet.ports};
}

/* Numbers the nodes of tables as the view does. */
static int renumber(struct opensm_failing *f, struct opensm_tables *tables, struct error *error)
{
	uint32_t *number = array_create(f->view.whole->nodes, sizeof *number, error);
	if (!number)
		return -1;
	memset(number, 0xff, f->view.whole->nodes * sizeof *number);
	for (uint32_t s = 0; s < tables->switches; s++) {
		tables->node[s] = f->left[tables->node[s]];
		number[tables->node[s]] = s;
	}
	free(tables->number);
	tables->number = number;
	return 0;
}

/* Compares whole tables. */
static int list_all(struct opensm_failing *f, const struct failed_parts *failed, struct entry_changes *changes, struct error *error)
{
	const struct routing_graph *n = f->graph;
	for (uint32_t h = 0; h < n->fabric->hosts; h++)
		for (uint32_t k = 0; k < n->columns && !failed->node[n->fabric->host_node[h]]; k++) {
			uint32_t channel = f->routed.next[(size_t)h * n->columns + k];
			if (channel != f->next[(size_t)h * n->columns + k] && !failed->node[n->node[k]] &&
				entry_changes_add(changes, (struct entry_change){k, h, channel}, error))
				return -1;
		}
	return 0;
}

static int route_all(struct opensm_failing *f, const struct failed_parts *failed, struct entry_changes *changes, struct error *error)
{
	struct opensm_tables tables = {0};
	struct opensm_subnet left = make_left(f, failed);
	if (opensm_compute_tables(&tables, f->engine, &left, &f->options, error))
		return opensm_tables_clear(&tables), -1;
	if (*tables.refusal) {
		memcpy(changes->refusal, tables.refusal, sizeof changes->refusal);
		opensm_tables_clear(&tables);
		opensm_compute_tables(&tables, "minhop", &left, &f->options, error);
	}
	if (!error->status && !routed_make_tables(&f->routed, f->graph, error)) {
		size_t entries = (size_t)f->graph->fabric->hosts * f->graph->columns;
		memset(f->routed.next, 0xff, entries * sizeof *f->routed.next);
		if (f->routed.level)
			memset(f->routed.level, 0, entries);
		f->routed.levels = 1;
		if (!renumber(f, &tables, error) && !fill(&f->routed, &f->view, f->graph, &tables, failed->channel, error))
			list_all(f, failed, changes, error);
	}
	opensm_tables_clear(&tables);
	return error->status ? -1 : 0;
}

int opensm_failing_route(
	struct opensm_failing *failing, const struct failed_parts *failed, struct entry_changes *changes, struct error *error)
{
	struct opensm_failing *f = failing;
	bool scratch = true;
	changes->count = 0;
	*changes->refusal = '\0';
	if (f->each) {
		bool able = tell(f, failed);
		if (opensm_again_route(&f->again, &scratch, error))
			return -1;
		scratch |= !able;
	}
	return scratch ? route_all(f, failed, changes, error) : list_each(f, failed, changes, error);
}
