/*
 * The complete subnet of a fabric, as a subnet manager sees it: beside hosts and switches the nodes that have LIDs but are neither (the
 * attributes' other nodes), all LIDs, and the tables with an entry for each. A fabric has hosts and switches, a subnet has nodes with
 * numbered ports: the ports of one channel adapter can be several hosts. What the graph lacks is assigned: numbers of ports and LIDs, from
 * 1, in the order of the input.
 */
#ifndef FABRIC_WHOLE_FABRIC_H
#define FABRIC_WHOLE_FABRIC_H

#include "base/error.h"
#include "fabric/attributes.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"

#include <stdbool.h>
#include <stdint.h>

enum { WHOLE_PORTS = 254, WHOLE_NO_PORT = 255 };

/* The types of other nodes, each an end port, except the last: */
enum whole_other {
	WHOLE_AGGREGATION, /* a SHARP aggregation node */
	WHOLE_ROUTER,      /* a port of a router */
	WHOLE_PORT,        /* a port of a channel adapter that is no host */
	WHOLE_SPARE,       /* a switch that leads to no host and to no switch */
	WHOLE_NO_OTHER,
};

/* The values of the attribute type, in this order. */
extern const char *const whole_other_types[];

/* Returns the type of that name; WHOLE_NO_OTHER for all others and for NULL. */
enum whole_other whole_other(const char *type);

enum whole_kind { WHOLE_CA, WHOLE_SWITCH, WHOLE_IS_ROUTER };

struct whole_node {
	uint64_t guid, system_guid; /* 0: unknown */
	uint64_t twice;             /* a GUID that it would have, but that another node has; 0: none */
	const char *name, *desc;    /* borrowed; name: of its first vertex in the graph, NULL: it has none */
	uint32_t port;              /* its port p, from 0, is port[this + p] */
	uint32_t table;             /* row of entry; NONE: none */
	uint8_t ports;              /* highest number */
	uint8_t kind;               /* enum whole_kind */
	bool aggregation;
};

struct whole_port {
	uint64_t guid;    /* 0: unknown, and for the ports of switches */
	uint32_t node;    /* of the subnet */
	uint32_t peer;    /* port at the other end of the cable; NONE: no cable */
	uint32_t channel; /* that leaves here: of the fabric, or its number of channels + an other channel; NONE: none */
	uint16_t lid;     /* base LID, of switches that of port 0; 0: none */
	uint8_t number, lmc;
	uint8_t loop;          /* the port of the same switch at the other end of the cable, which no route uses; 0: none */
	const char *loop_link; /* of such a cable the text "4xEDR", up to a comma; borrowed, NULL: unknown */
	bool host;             /* its base LID is that of a host of the fabric */
};

/* A vertex is a node of the fabric, or its number of nodes + an other node. */
struct whole_fabric {
	struct whole_node *node; /* [nodes] */
	struct whole_port *port; /* [ports] */
	uint32_t nodes, ports, vertices;
	uint32_t *node_of;     /* [vertices] its node, of several that of its first port */
	uint32_t *lid_port;    /* [vertices] the port that has its LID */
	uint32_t *port_of;     /* [channels of the fabric, other channels] the port by which it leaves */
	bool *has_lid;         /* [vertices] the graph states its LID */
	uint32_t *component;   /* [nodes] of switches: a node of their component; see whole_component() */
	uint32_t tables, lids; /* lids: highest LID + 1 */
	uint8_t *entry;        /* [tables][lids] port number, WHOLE_NO_PORT: none */
	bool renumbered;       /* LIDs are not those of the graph: whole_fabric_keep() writes them, too */
	uint32_t conflicts;    /* channels whose port has another peer already, which is used */
	uint32_t self_links;   /* cables between two ports of a node, left out */
};

/*
 * Makes the subnet of a fabric with labels. attributes: those of its graph. forwarding: NULL for no tables; otherwise every switch that
 * forwards anything gets a table with entries for all LIDs. Entries come from the forwarding sets and from the attributes lids; without
 * any such attribute, and for LIDs assigned here, they are those of a host at the same switch, or follow shortest paths. Returns NULL on
 * errors: STATUS_IO, or STATUS_FABRIC if InfiniBand cannot have this fabric. Time O(channels * ports + switches * LIDs).
 */
struct whole_fabric *whole_fabric_create(
	const struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes, struct error *error);
void whole_fabric_free(struct whole_fabric *whole);

/*
 * Gives nodes and end ports without a GUID one: those that orcs-export writes, and that ports have in ibsim. Returns 0, or -1 if out of
 * memory. Time O(ports).
 */
int whole_fabric_fill_guids(struct whole_fabric *whole, struct error *error);

/*
 * Gives every end port 2^lmc LIDs, and every switch one, unless all end ports have that many: from 1, in the order of the LIDs before, each
 * base LID a multiple of their number. For subnets without tables. Returns 0, or -1: STATUS_FABRIC if there are not enough LIDs. Time
 * O(ports log ports).
 */
int whole_fabric_set_lmc(struct whole_fabric *whole, unsigned lmc, struct error *error);

/*
 * Gives every switch a table, without entries, for LIDs below lids (at least those in use). Returns 0, or -1 if out of memory.
 */
int whole_fabric_blank(struct whole_fabric *whole, uint32_t lids, struct error *error);

/*
 * Puts the entries that forwarding sets do not have (of LIDs other than the base LIDs of hosts) into the attributes lids, in place of those
 * that are there. Returns 0, or -1 if out of memory. Time O(switches * (LIDs + ports)).
 */
int whole_fabric_keep(const struct whole_fabric *whole, struct attributes *attributes, struct error *error);

/* Removes these entries, for a fabric that is routed anew. */
void whole_fabric_forget(struct attributes *attributes, const struct fabric *fabric);

/* The component of a port: ports of the same number can reach one another. Only switches join nodes. */
static inline uint32_t whole_component(const struct whole_fabric *whole, uint32_t port)
{
	const struct whole_port *p = &whole->port[port];
	bool end = whole->node[p->node].kind != WHOLE_SWITCH && p->peer != NONE;
	return whole->component[end ? whole->port[p->peer].node : p->node];
}

/* Sets the entry of a LID below whole->lids in a table of a switch. */
static inline void whole_set(struct whole_fabric *whole, uint32_t node, uint32_t lid, unsigned port)
{
	whole->entry[(size_t)whole->node[node].table * whole->lids + lid] = (uint8_t)port;
}

/* Returns the entry of a LID in the table of a node; WHOLE_NO_PORT without one. */
static inline unsigned whole_entry(const struct whole_fabric *whole, uint32_t node, uint32_t lid)
{
	uint32_t table = whole->node[node].table;
	return table == NONE || lid >= whole->lids ? WHOLE_NO_PORT : whole->entry[(size_t)table * whole->lids + lid];
}

#endif
