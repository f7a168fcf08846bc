#include "orcs/peers.h"

#include "parallel/distribute.h"

#include <stdlib.h>

static int agree(void *data, struct error *error)
{
	return comm_agree(((struct comm_peers *)data)->comm, error);
}

static void broadcast(void *data, void *bytes, size_t count)
{
	comm_broadcast(((struct comm_peers *)data)->comm, bytes, count);
}

static int tables(void *data, const struct fabric *fabric, struct forwarding **forwarding, struct error *error)
{
	return distribute_tables(((struct comm_peers *)data)->comm, fabric, forwarding, error);
}

static void *exchange(void *data, void *const *send, const size_t *bytes, size_t *total, struct error *error)
{
	struct comm_peers *p = data;
	return comm_exchange(p->comm, send, bytes, &p->received, &p->received_room, total, error) ? NULL : p->received;
}

static uint64_t least(void *data, uint64_t number)
{
	return comm_min(((struct comm_peers *)data)->comm, number);
}

static void sum(void *data, uint64_t *numbers, size_t count)
{
	comm_total(((struct comm_peers *)data)->comm, numbers, count);
}

void peers_init(struct comm_peers *peers, struct comm *comm)
{
	*peers = (struct comm_peers){
		.peers =
			{
				.rank = comm_rank(comm),
				.count = comm_size(comm),
				.data = peers,
				.agree = agree,
				.broadcast = broadcast,
				.tables = tables,
				.exchange = exchange,
				.least = least,
				.sum = sum,
			},
		.comm = comm,
	};
}

void peers_clear(struct comm_peers *peers)
{
	free(peers->received);
	*peers = (struct comm_peers){0};
}
