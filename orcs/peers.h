/* The interface of engines to the processes. */
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

/* Makes peers of all processes of comm, which is borrowed. peers->peers must not move. */
void peers_init(struct comm_peers *peers, struct comm *comm);
void peers_clear(struct comm_peers *peers);

#endif
