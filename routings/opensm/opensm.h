/*
 * OpenSM's routing engines: for equal GUIDs, LIDs, ports, cables and options the forwarding tables are those of OpenSM 3.3.23, entry by
 * entry. What OpenSM sees of a subnet comes as plain arrays: its nodes, and their ports.
 */
#ifndef ROUTINGS_OPENSM_OPENSM_H
#define ROUTINGS_OPENSM_OPENSM_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { OPENSM_NO_PORT = 255, OPENSM_LANES = 15, OPENSM_PORTS = 254 };
#define OPENSM_NONE UINT32_MAX

/* SHARP aggregation nodes are channel adapters (CA) like any other. */
enum opensm_kind { OPENSM_CA, OPENSM_SWITCH, OPENSM_ROUTER };

struct opensm_node {
	uint64_t guid;
	uint64_t system_guid; /* the system image GUID, 0: none. Matters to several LIDs of a port */
	uint32_t port;        /* first of its ports in the array of all: port 0, which only switches use */
	uint8_t ports;        /* highest port number */
	enum opensm_kind kind;
};

struct opensm_port {
	uint64_t guid; /* of a CA or router; a switch has its node's */
	uint32_t peer; /* port at the other end of the cable; OPENSM_NONE: no cable, or its link is not active */
	uint16_t lid;  /* base LID, of switches that of port 0; 0: none */
	uint8_t lmc;   /* the port has 2^lmc LIDs */
	uint8_t lanes; /* operational data virtual lanes of the link; 0: unknown */
	bool one_sl;   /* lacks the capability "has SL mapping": dfsssp computes no lanes from and to it. Of switches, of port 0 */
};

/* All nodes that the subnet manager reaches. */
struct opensm_subnet {
	const struct opensm_node *node;
	const struct opensm_port *port;
	uint32_t nodes, ports;
};

/* A subnet that owns its nodes and ports. */
struct opensm_arrays {
	struct opensm_subnet subnet;
	struct opensm_node *node;
	struct opensm_port *port;
};

/* Makes nodes, all zero, and ports without cables. Returns 0, or -1 if out of memory. opensm_arrays_clear() in every case. */
int opensm_arrays_init(struct opensm_arrays *arrays, uint32_t nodes, uint32_t ports, struct error *error);
void opensm_arrays_clear(struct opensm_arrays *arrays);

/* GUIDs as in one of opensm's files. given: there is a file, even if it lists none. */
struct opensm_guids {
	const uint64_t *guid;
	uint32_t count;
	bool given;
};

struct opensm_options {
	struct opensm_guids roots;         /* -a: node GUIDs of switches */
	struct opensm_guids compute_nodes; /* -u: port GUIDs */
	struct opensm_guids io_nodes;      /* -G: port GUIDs */
	bool connect_roots;                /* -z */
	unsigned lanes;                    /* maximum; 0: as many as all links have */
	unsigned start_lane;               /* lash_start_vl */
	bool ends_only;                    /* switches' own LIDs need no entries, which changes no others */
};

/* Switches by which OpenSM numbers them: by GUID with the last byte first. */
struct opensm_tables {
	uint32_t switches;
	uint32_t *node;   /* [switches] node of the subnet */
	uint32_t *number; /* [nodes] and back; OPENSM_NONE: not a switch */
	uint32_t lids;    /* highest LID + 1 */
	uint8_t *entry;   /* [lids][switches] port, OPENSM_NO_PORT: none */

	/*
	 * The lane of the packets from a switch's CAs to a LID: lane[row_of_lid[lid] * switches + switch]; NULL: service level 0 for all
	 * pairs. A lane stands for the service levels first_sl[lane] .. first_sl[lane] + sls[lane] - 1, of which OpenSM's subnet
	 * administrator draws one at random for each request.
	 */
	uint8_t *lane;
	uint32_t *row_of_lid; /* [lids] OPENSM_NONE: lane 0, as to routers by dfsssp */
	uint8_t first_sl[OPENSM_LANES + 1], sls[OPENSM_LANES + 1];
	unsigned lanes;

	char refusal[300]; /* why OpenSM's engine would not route this, and what would help; then there are no tables. "": it routes */
	char warning[300]; /* in which OpenSM is not this good; "": nothing */
};

struct opensm_task;

struct opensm_engine {
	const char *name;
	const char *summary;
	int (*route)(struct opensm_task *task); /* see fabric.h */
};

/* Ends with an engine without a name. */
extern const struct opensm_engine opensm_engine_table[];

/* Fills the tables by the engine of that name. Returns 0, also when the engine refuses (tables->refusal), or -1 if out of memory or
 * if there is no such engine. opensm_tables_clear() in every case. */
int opensm_compute_tables(struct opensm_tables *tables, const char *engine, const struct opensm_subnet *subnet,
	const struct opensm_options *options, struct error *error);
void opensm_tables_clear(struct opensm_tables *tables);

/* The entry of a LID in the table of the switch of that number. */
static inline unsigned opensm_entry(const struct opensm_tables *tables, uint32_t number, uint32_t lid)
{
	return lid < tables->lids ? tables->entry[(size_t)lid * tables->switches + number] : OPENSM_NO_PORT;
}

/* The lane of the packets from the CAs of a switch to a LID. */
static inline unsigned opensm_lane(const struct opensm_tables *tables, uint32_t number, uint32_t lid)
{
	uint32_t row = tables->lane && lid < tables->lids ? tables->row_of_lid[lid] : OPENSM_NONE;
	return row == OPENSM_NONE ? 0 : tables->lane[(size_t)row * tables->switches + number];
}

#endif
