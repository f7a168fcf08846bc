/* The processes as engines see them. */
#ifndef ORCS_PEERS_H
#define ORCS_PEERS_H

#include "engines/engine.h"
#include "parallel/comm.h"

struct comm_peers {
	struct peers peers;
	struct comm *comm;
	void *received;
	size_t received_room;
};

/* All of comm, which is borrowed. peers->peers is to stay where it is. */
void peers_init(struct comm_peers *peers, struct comm *comm);
void peers_clear(struct comm_peers *peers);

#endif
