/* What topologies derived from others share, for their files. */
#ifndef TOPOLOGIES_DERIVED_PARTS_H
#define TOPOLOGIES_DERIVED_PARTS_H

#include "topologies/derived.h"

struct derived {
	struct topology *outer, *inner; /* for parallel, inner is NULL */
	uint32_t parallel;
	bool all;              /* parallel: also the cables to hosts */
	uint32_t first, owned; /* nested: the nodes of a copy that have ports of outer */
	double size;           /* nested: size of the picture of a copy */
	/*
	 * Nested, of routes: for each node of a copy that has ports of outer, a host behind it alone, by which routes to and from it are
	 * found; UINT32_MAX: there is none, then the port by which each node of inner, hosts first, leaves for it.
	 */
	uint32_t *behind;  /* [owned] */
	uint32_t **toward; /* [owned][hosts + switches of inner] */
};

/* Frees the data of either kind. */
void derived_clear(struct topology *topology);

/* Returns a topology of that kind with its data; frees outer and inner on errors. */
struct topology *derived_create(const struct topology_kind *kind, struct derived derived, struct error *error);

/* Refuses too many channels. Returns the topology, or NULL. */
struct topology *derived_check_size(struct topology *topology, uint64_t hosts, uint64_t switches, bool overflow, struct error *error);

static inline uint32_t ports_of(const struct topology *t, bool host, uint32_t node)
{
	return t->kind->ports(t, host, node);
}

static inline struct topology_port peer_of(const struct topology *t, bool host, uint32_t node, uint32_t port)
{
	return t->kind->peer(t, (struct topology_port){host, node, port});
}

/* Returns the port of a network of networks that replaces a port of outer. */
struct topology_port derived_owner(const struct derived *derived, struct topology_port port);
/* Returns the same for an unknown port, that at the end of a one-way channel: its node is one that a packet can enter. */
struct topology_port derived_end(const struct derived *derived, struct topology_port port);

/* Makes the routes of a network of networks, if both have routes. Returns 0, or -1. */
int nested_prepare_routes(struct topology *topology, struct error *error);
uint32_t nested_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination);
uint32_t nested_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps);
uint32_t nested_longest(const struct topology *topology);

#endif
