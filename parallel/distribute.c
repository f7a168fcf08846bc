#include "parallel/distribute.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* An array that all processes need. */
struct shared_array {
	void *array; /* address of the pointer to it */
	size_t bytes;
};

/* Replaces the arrays of process 0 that are part of a mapping by copies, which are freed one by one. */
static void take_out(struct forwarding *forwarding, const struct shared_array *list, size_t count, struct error *error)
{
	for (size_t i = 0; i < count; i++) {
		void *inside, *copy = array_create(list[i].bytes, 1, error);
		memcpy(&inside, list[i].array, sizeof inside);
		if (copy)
			memcpy(copy, inside, list[i].bytes);
		memcpy(list[i].array, &copy, sizeof copy);
	}
	mapped_file_free(forwarding->mapping);
	forwarding->mapping = NULL;
}

/*
 * If process 0 has mapped a file, the other processes map it as well and find the arrays at the same offsets: no process holds a copy.
 * Returns false if a process does not see that file; then process 0 owns the arrays.
 */
static bool share_mapping(
	struct comm *comm, struct forwarding *forwarding, const struct shared_array *list, size_t count, struct error *error)
{
	struct {
		struct mapped_file_mark mark;
		uint64_t place[8];
	} told = {0};
	if (!comm_rank(comm) && forwarding->mapping) {
		told.mark = forwarding->mapping->mark;
		for (size_t i = 0; i < count; i++) {
			char *inside;
			memcpy(&inside, list[i].array, sizeof inside);
			told.place[i] = (uint64_t)(inside - forwarding->mapping->data);
		}
	}
	comm_broadcast(comm, &told, sizeof told);
	if (comm_rank(comm))
		forwarding->mapping = mapped_file_again(&told.mark);
	bool all = comm_min(comm, forwarding->mapping && *told.mark.path);
	for (size_t i = 0; all && i < count; i++) {
		const char *inside = forwarding->mapping->data + told.place[i];
		memcpy(list[i].array, &inside, sizeof inside);
	}
	if (!all && !comm_rank(comm) && forwarding->mapping) {
		take_out(forwarding, list, count, error);
	} else if (!all) {
		mapped_file_free(forwarding->mapping);
		forwarding->mapping = NULL;
	}
	return all;
}

static int share(struct comm *comm, const struct shared_array *list, size_t count, struct error *error)
{
	for (size_t i = 0; i < count; i++)
		if (comm_share(comm, list[i].array, list[i].bytes, error))
			return -1;
	return 0;
}

/* Shares the entries of several channels. Collective. */
static int share_alternatives(struct comm *comm, const struct fabric *fabric, struct forwarding *forwarding, struct error *error)
{
	struct multipath_entries *a = forwarding->alternatives; /* of process 0 */
	uint64_t sizes[3] = {a ? a->columns : 0, a ? a->sets : 0, a ? a->first[a->sets] : 0};
	comm_broadcast(comm, sizes, sizeof sizes);
	comm_broadcast(comm, &forwarding->via, sizeof forwarding->via);
	if (!sizes[0])
		return 0;
	if (comm_rank(comm))
		a = forwarding->alternatives = array_create(1, sizeof *a, error);
	if (comm_agree(comm, error))
		return -1;
	a->columns = (uint32_t)sizes[0];
	a->sets = (uint32_t)sizes[1];
	a->shared = true;
	const struct shared_array arrays[] = {
		{&a->column, fabric->nodes * sizeof *a->column},
		{&a->set, fabric->hosts * sizes[0] * sizeof *a->set},
		{&a->first, (sizes[1] + 1) * sizeof *a->first},
		{&a->channel, sizes[2] * sizeof *a->channel},
		{&a->share, sizes[2] * sizeof *a->share},
	};
	return share(comm, arrays, sizeof arrays / sizeof *arrays, error);
}

int distribute_routes(struct comm *comm, struct source_routes **routes, struct error *error)
{
	struct source_routes *r = *routes && !(*routes)->demand ? *routes : NULL; /* of process 0; each computes its own on demand */
	uint64_t pairs = r ? r->row[r->groups] : 0, count = r ? r->route[pairs] : 0;
	uint64_t sizes[6] = {r != NULL, r ? r->hosts : 0, r ? r->groups : 0, pairs, count, r ? r->start[count] : 0};
	if (comm_size(comm) == 1)
		return 0;
	comm_broadcast(comm, sizes, sizeof sizes);
	if (!sizes[0])
		return 0;
	if (comm_rank(comm))
		r = *routes = array_create(1, sizeof *r, error);
	if (comm_agree(comm, error))
		return -1;
	r->hosts = (uint32_t)sizes[1];
	r->groups = (uint32_t)sizes[2];
	r->shared = true;
	const struct shared_array arrays[] = {
		{&r->group, r->hosts * sizeof *r->group},
		{&r->first, r->hosts * sizeof *r->first},
		{&r->last, r->hosts * sizeof *r->last},
		{&r->row, ((size_t)r->groups + 1) * sizeof *r->row},
		{&r->destination, sizes[3] * sizeof *r->destination},
		{&r->route, (sizes[3] + 1) * sizeof *r->route},
		{&r->start, (sizes[4] + 1) * sizeof *r->start},
		{&r->share, sizes[4] * sizeof *r->share},
		{&r->channel, sizes[5] * sizeof *r->channel},
	};
	return share(comm, arrays, sizeof arrays / sizeof *arrays, error);
}

int distribute_lanes(struct comm *comm, const struct fabric *fabric, struct virtual_lanes **lanes, struct error *error)
{
	struct virtual_lanes *l = *lanes; /* of process 0 */
	struct service_levels *levels = l ? l->levels : NULL;
	uint64_t sizes[5] = {l != NULL, l ? l->count : 0, l ? l->tables : 0, levels ? levels->rows : 0, levels ? levels->count : 0};
	if (comm_size(comm) == 1)
		return 0;
	comm_broadcast(comm, sizes, sizeof sizes);
	if (!sizes[0])
		return 0;
	uint32_t *in_port = array_create(fabric->channels, sizeof *in_port, error);
	if (comm_rank(comm) && (l = *lanes = array_create(1, sizeof *l, error))) {
		l->count = (unsigned)sizes[1];
		l->table_of = array_create(fabric->channels, sizeof *l->table_of, error);
		l->table = array_create(sizes[2], sizeof *l->table, error);
		l->tables = (uint32_t)sizes[2];
		if (sizes[3] && (levels = l->levels = array_create(1, sizeof *levels, error))) {
			levels->hosts = fabric->hosts;
			levels->count = (unsigned)sizes[4];
			levels->rows = (uint32_t)sizes[3];
			levels->row = array_create(fabric->hosts, sizeof *levels->row, error);
			levels->level = array_create(sizes[3], fabric->hosts, error);
		}
	}
	if (in_port && l && l->in_port)
		memcpy(in_port, l->in_port, fabric->channels * sizeof *in_port);
	if (comm_agree(comm, error)) {
		free(in_port);
		return -1;
	}
	comm_broadcast(comm, in_port, fabric->channels * sizeof *in_port);
	if (comm_rank(comm))
		l->in_port = l->own_ports = in_port;
	else
		free(in_port);
	comm_broadcast(comm, l->table_of, fabric->channels * sizeof *l->table_of);
	for (uint32_t t = 0; t < l->tables; t++) {
		struct lane_table *table = &l->table[t];
		comm_broadcast(comm, &table->ports, sizeof table->ports);
		if (comm_rank(comm))
			table->lane = array_create(table->ports, sizeof *table->lane, error);
		if (comm_agree(comm, error))
			return -1;
		comm_broadcast(comm, table->lane, table->ports * sizeof *table->lane);
	}
	if (levels) {
		comm_broadcast(comm, levels->row, fabric->hosts * sizeof *levels->row);
		comm_broadcast(comm, levels->level, (size_t)levels->rows * fabric->hosts);
	}
	return 0;
}

int distribute_arbitrations(struct comm *comm, const struct fabric *fabric, struct lane_arbitrations **arbitrations, struct error *error)
{
	struct lane_arbitrations *a = *arbitrations; /* of process 0 */
	uint64_t tables = a ? a->tables : 0;
	if (comm_size(comm) == 1)
		return 0;
	comm_broadcast(comm, &tables, sizeof tables);
	if (!tables)
		return 0;
	if (comm_rank(comm) && (a = *arbitrations = array_create(1, sizeof *a, error))) {
		a->table_of = array_create(fabric->channels, sizeof *a->table_of, error);
		a->table = array_create(tables, sizeof *a->table, error);
		a->tables = (uint32_t)tables;
	}
	if (comm_agree(comm, error))
		return -1;
	comm_broadcast(comm, a->table_of, fabric->channels * sizeof *a->table_of);
	comm_broadcast(comm, a->table, tables * sizeof *a->table);
	return 0;
}

int distribute_tables(struct comm *comm, const struct fabric *fabric, struct forwarding **forwarding, struct error *error)
{
	if (comm_size(comm) == 1)
		return 0;
	if (comm_rank(comm))
		*forwarding = array_create(1, sizeof **forwarding, error);
	if (comm_agree(comm, error))
		return -1;
	struct forwarding *w = *forwarding;
	comm_broadcast(comm, &w->columns, sizeof w->columns);
	w->shared = true;
	const struct shared_array tables[] = {
		{&w->column, fabric->nodes * sizeof *w->column},
		{&w->fallback, fabric->nodes * sizeof *w->fallback},
		{&w->hop, fabric->channels * sizeof *w->hop},
		{&w->next, (size_t)fabric->hosts * w->columns * sizeof *w->next},
	};
	return share(comm, tables, sizeof tables / sizeof *tables, error);
}

/* Creates the routing function in every process; process 0 has checked it against the fabric. Collective. */
static int share_computed(struct comm *comm, const struct fabric *fabric, struct forwarding *forwarding, struct error *error)
{
	const struct routing_function *function = forwarding->function; /* of process 0 */
	char *name[2] = {function ? function->spec : NULL, function ? function->routing : NULL};
	uint64_t length[2] = {0};
	for (int i = 0; i < 2 && function; i++)
		length[i] = strlen(name[i]) + 1;
	comm_broadcast(comm, length, sizeof length);
	if (!length[0])
		return 0;
	for (int i = 0; i < 2 && comm_rank(comm); i++)
		name[i] = array_create(length[i], 1, error);
	if (!comm_agree(comm, error)) {
		comm_broadcast(comm, name[0], length[0]);
		comm_broadcast(comm, name[1], length[1]);
		if (comm_rank(comm))
			forwarding->function = routing_function_create(fabric, name[0], name[1], error);
	}
	for (int i = 0; i < 2 && comm_rank(comm); i++)
		free(name[i]);
	return comm_agree(comm, error);
}

int distribute(struct comm *comm, struct fabric **fabric, struct forwarding **forwarding, struct placement *placement, struct error *error)
{
	if (comm_size(comm) == 1)
		return 0;
	if (comm_rank(comm)) {
		*fabric = array_create(1, sizeof **fabric, error);
		*forwarding = array_create(1, sizeof **forwarding, error);
	}
	if (comm_agree(comm, error))
		return -1;
	struct fabric *f = *fabric;
	struct forwarding *w = *forwarding;
	uint32_t sizes[5] = {f->nodes, f->hosts, f->channels, w->columns, placement->ranks};
	comm_broadcast(comm, sizes, sizeof sizes);
	comm_broadcast(comm, &placement->shuffled, sizeof placement->shuffled);
	comm_broadcast(comm, &placement->oversubscribed, sizeof placement->oversubscribed);
	comm_broadcast(comm, &f->slowest, sizeof f->slowest);
	bool latencies = f->latency;
	comm_broadcast(comm, &latencies, sizeof latencies);
	f->nodes = sizes[0];
	f->hosts = sizes[1];
	f->channels = sizes[2];
	w->columns = sizes[3];
	placement->ranks = sizes[4];
	f->shared = w->shared = true;
	if (comm_rank(comm))
		placement->host = array_create(placement->ranks, sizeof *placement->host, error);
	if (comm_agree(comm, error))
		return -1;
	comm_broadcast(comm, placement->host, placement->ranks * sizeof *placement->host);
	const struct shared_array graph[] = {
		{&f->first_channel, ((size_t)f->nodes + 1) * sizeof *f->first_channel}, {&f->head, f->channels * sizeof *f->head},
		{&f->host_node, f->hosts * sizeof *f->host_node}, {&f->node_host, f->nodes * sizeof *f->node_host},
		{&f->speed, f->channels * sizeof *f->speed},
		{&f->latency, f->channels * sizeof *f->latency}, /* the last, as not every fabric has it */
	};
	const struct shared_array tables[] = {
		{&w->column, f->nodes * sizeof *w->column},
		{&w->fallback, f->nodes * sizeof *w->fallback},
		{&w->hop, f->channels * sizeof *w->hop},
		{&w->next, (size_t)f->hosts * w->columns * sizeof *w->next},
	};
	bool mapped = share_mapping(comm, w, tables, sizeof tables / sizeof *tables, error);
	if (comm_agree(comm, error) || share(comm, graph, sizeof graph / sizeof *graph - !latencies, error))
		return -1;
	if (!mapped && share(comm, tables, sizeof tables / sizeof *tables, error))
		return -1;
	return share_alternatives(comm, f, w, error) ? -1 : share_computed(comm, f, w, error);
}
