#include "distribute.h"

#include <stdlib.h>

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
	struct {
		void *array;
		size_t bytes;
	} list[] = {
		{&f->first_channel, ((size_t)f->nodes + 1) * sizeof *f->first_channel},
		{&f->head, f->channels * sizeof *f->head},
		{&f->host_node, f->hosts * sizeof *f->host_node},
		{&f->node_host, f->nodes * sizeof *f->node_host},
		{&f->speed, f->channels * sizeof *f->speed},
		{&w->column, f->nodes * sizeof *w->column},
		{&w->fallback, f->nodes * sizeof *w->fallback},
		{&w->hop, f->channels * sizeof *w->hop},
		{&w->next, (size_t)f->hosts * w->columns * sizeof *w->next},
	};
	for (size_t i = 0; i < sizeof list / sizeof *list; i++)
		if (comm_share(comm, list[i].array, list[i].bytes, error))
			return -1;
	return 0;
}
