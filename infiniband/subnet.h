/*
 * An InfiniBand subnet as described by the dumps of its tools: nodes, ports, cables, LIDs and the linear forwarding tables (LFT) of the
 * switches (InfiniBand Architecture Specification volume 1, chapters 4, 14 and 18). The readers of dumps fill it in any order;
 * subnet_graph.h makes the graph. It is independent of file formats. Nodes and ports have dense 32-bit ids in the order of their first
 * mention.
 */
#ifndef INFINIBAND_SUBNET_H
#define INFINIBAND_SUBNET_H

#include "base/error.h"
#include "fabric/fabric.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct files;

enum node_kind { NODE_UNKNOWN, NODE_CA, NODE_SWITCH, NODE_ROUTER };

/* The signalling rate of one lane. */
enum lane_rate { RATE_UNKNOWN, RATE_SDR, RATE_DDR, RATE_QDR, RATE_FDR10, RATE_FDR, RATE_EDR, RATE_HDR, RATE_NDR, RATE_XDR, RATES };

enum {
	LFT_NO_PORT = 255, /* this LID has no entry */
	SERVICE_LEVELS = 16,
	TORUS_DIMENSIONS = 3,
};

struct port_lanes;
struct lane_claims;

struct subnet_port {
	uint64_t guid; /* 0: unknown, and for the outer ports of switches */
	uint32_t node;
	uint32_t peer; /* the port at the other end of the cable, NONE: no cable */
	uint16_t lid;  /* the base LID, 0: none */
	uint8_t number;
	uint8_t loop;                     /* the port of the same node at the other end of the cable, 0: none; no peer then */
	uint8_t lmc;                      /* the port has 2^lmc LIDs */
	uint8_t lanes;                    /* 1, 2, 4, 8, 12; 0: unknown */
	uint8_t rate;                     /* enum lane_rate */
	bool stated;                      /* a dump states the cable at this end */
	bool twice;                       /* that dump states each cable at both ends */
	bool own_lid;                     /* LID stated by the port itself, not by a neighbour */
	struct port_lanes *virtual_lanes; /* see port_lanes.h; NULL: nothing is known */
};

struct adaptive_groups;

struct subnet_node {
	enum node_kind kind;
	uint64_t guid, system_guid; /* 0: unknown */
	uint64_t chassis;           /* GUID of the chassis, or its number, if ibnetdiscover -g places it in one; 0: unknown */
	const char *id;             /* the quoted name in ibnetdiscover and ibsim files, "" where the dump has none */
	const char *desc;           /* node description, "" if there is none */
	uint32_t vendor, device;    /* 0: unknown */
	uint32_t ports;             /* number of ports; 0: unknown */
	uint32_t *port;             /* [slots] port number -> port, NONE; the LID of a switch is that of its port 0 */
	size_t slots;
	uint8_t *lft; /* [lft_size] LID -> port number, LFT_NO_PORT; NULL: no table */
	size_t lft_size;
	struct adaptive_groups *adaptive; /* groups of ports, see adaptive_groups.h; NULL: none */
	uint8_t *sl2vl;                   /* [ports + 1][ports + 1][SERVICE_LEVELS] in port, out port, SL -> VL; NULL: unknown */
	uint32_t sl2vl_ports;
	uint16_t torus[TORUS_DIMENSIONS]; /* coordinates in the torus of torus-2QoS, counted from 1; 0: unknown */
};

/* Anomalies of real dumps: each is counted, and reported on one line. */
#define SUBNET_ODDITIES(X) \
	X(ODD_LINES, NOTE, "lines of unknown format, skipped") \
	X(ODD_TRUNCATED, WARNING, "tables with another number of entries than they state") \
	X(ODD_CUT_OFF, WARNING, "files that end within a line or before the header of a node") \
	X(ODD_EARLY, WARNING, "cables listed at one end only in a dump that lists both ends: it is incomplete, or ends early") \
	X(ODD_GUID_TWICE, NOTE, "nodes with the GUID of another node, distinguished by their names") \
	X(ODD_TWO_PEERS, WARNING, "ports with two different peers; the first is used") \
	X(ODD_SELF_LINK, NOTE, "cables between ports of one node, which no route uses") \
	X(ODD_ONE_END, NOTE, "cables listed at one end only") \
	X(ODD_SUBNETS, NOTE, "separate subnets") \
	X(ODD_AGGREGATION, NOTE, "aggregation nodes (SHARP), which are no hosts (see orcs-import --keep-aggregation)") \
	X(ODD_ROUTER, NOTE, "routers, which are no hosts") \
	X(ODD_NO_CABLE, NOTE, "nodes without a cable, left out") \
	X(ODD_MANY_PORTS, NOTE, "channel adapters whose ports share one GUID, treated as switches") \
	X(ODD_RAILS, NOTE, "machines with several cabled ports (see orcs-import --rails)") \
	X(ODD_NO_RAIL, NOTE, "machines without the chosen rail, which are no hosts") \
	X(ODD_ASTRAY, NOTE, "ports on a leaf of another rail, perhaps swapped cables (orcs-check lists them)") \
	X(ODD_MERGED, NOTE, \
		"machines that send by all of their ports to a subnet but receive by the first alone (see orcs-import --rails)") \
	X(ODD_SAME_NAME, NOTE, "nodes with the description of another node, distinguished by their GUIDs") \
	X(ODD_PARALLEL, NOTE, "cables parallel to another one") \
	X(ODD_TRUNK_SPEED, NOTE, "trunks of cables of different speeds") \
	X(ODD_LID_INFERRED, NOTE, "hosts whose LID is inferred from the table of their switch") \
	X(ODD_NO_LID, WARNING, "hosts without a LID") \
	X(ODD_LID_SAID, WARNING, "LIDs that a neighbour states differently; that of the port itself is used") \
	X(ODD_LID_TWICE, WARNING, "LIDs of two ports; the lower GUID keeps the LID") \
	X(ODD_LID_MOVED, WARNING, "LIDs that the tables give to another port than the topology; the tables are used") \
	X(ODD_LMC, NOTE, "hosts with several LIDs (LMC > 0; see orcs-import --lmc)") \
	X(ODD_ENTRY_TWICE, WARNING, \
		"entries that differ between tables of the same switch, of several dumps; the last is used, so give one dump") \
	X(ODD_UNKNOWN_SWITCH, WARNING, "tables of switches missing in the topology, left out") \
	X(ODD_UNKNOWN_LID, NOTE, "LIDs in the tables that are missing in the topology") \
	X(ODD_LANES_LID, NOTE, "SL-to-VL and arbitration tables of LIDs missing in the topology, left out") \
	X(ODD_TOP_LID, WARNING, \
		"top LIDs missing in all tables: dump_fts and ibroute lose multiples of 64 (remedy: OpenSM's own dump, opensm -D 0x43)") \
	X(ODD_NO_TABLE, WARNING, "switches without a table") \
	X(ODD_NO_ENTRY, WARNING, "missing entries in switches with hosts") \
	X(ODD_NO_ENTRY_INNER, NOTE, "missing entries in switches without hosts (which do not need them)") \
	X(ODD_DEAD_PORT, WARNING, "entries for a port without a cable, left out") \
	X(ODD_DEAD_LID, NOTE, "entries of LIDs without a host for a port without a cable, left out")

enum oddity {
#define X(id, weight, text) id,
	SUBNET_ODDITIES(X)
#undef X
		ODDITIES
};

struct subnet_oddity {
	uint64_t count;
	char first[2400]; /* place or object of the first one; "" if there is nothing to add */
};

/* A statement of a table dump about the owner of a LID. */
struct lid_claim {
	uint64_t guid;    /* of the port, 0: unknown */
	const char *desc; /* description of its node, "" if unknown */
	uint16_t lid;
	uint8_t lmc;
	enum node_kind kind;
};

struct subnet_index;
struct subnet_levels;

struct subnet {
	struct subnet_node *node; /* [nodes] */
	struct subnet_port *port; /* [ports] */
	struct lid_claim *claim;  /* [claims] */
	uint32_t nodes, ports, claims;
	struct subnet_oddity oddity[ODDITIES];
	struct subnet_levels *levels;    /* service levels, see subnet_levels.h; NULL: none are stated */
	struct lane_claims *lane_claims; /* statements about virtual lanes, see port_lanes.h; NULL: none */
	struct subnet_index *index;      /* names and GUIDs -> ids, and the texts */
	bool straight;                   /* from a graph whose packets travel via random switches, which tables cannot express */
	bool has_lanes;                  /* from a graph with SL-to-VL tables */
	uint64_t multipath;              /* from a graph with so many entries of several channels: the first is in the tables */
	struct files *files;             /* registry of files that dumps include; borrowed; NULL: none */
};

/*
 * Creates an empty subnet. Returns NULL if out of memory, as do the functions below that return a pointer; those that return an id then
 * return NONE.
 */
struct subnet *subnet_create(struct error *error);
void subnet_free(struct subnet *subnet);

/*
 * Returns the text, kept as long as the subnet; equal texts are kept once. Quotes stay; control characters become blanks; blanks at both
 * ends are removed.
 */
const char *subnet_text(struct subnet *subnet, const char *text, size_t length, struct error *error);

/*
 * Returns the node of that quoted id, created if new. An id X-<16 hexadecimal digits> also gives the GUID, and X (S, H or R) the kind;
 * subnet_set_guid gives a GUID to other nodes.
 */
uint32_t subnet_node(struct subnet *subnet, const char *id, size_t length, struct error *error);

/* Returns the node of that GUID, created if new. A kind other than NODE_UNKNOWN is recorded. */
uint32_t subnet_node_of_guid(struct subnet *subnet, uint64_t guid, enum node_kind kind, struct error *error);

/* Returns the port of that GUID; if new, it becomes port number of a new channel adapter of which nothing else is known. */
uint32_t subnet_port_of_guid(struct subnet *subnet, uint64_t guid, unsigned number, struct error *error);

/* subnet_find_node() and the function below return the node of the GUID and the port of the GUID; NONE if there is none. */
uint32_t subnet_find_node(const struct subnet *subnet, uint64_t guid);
uint32_t subnet_find_port(const struct subnet *subnet, uint64_t guid);

/* Gives a node, or a port, its GUID; an existing GUID is kept. Returns 0, or -1 if out of memory. */
int subnet_set_guid(struct subnet *subnet, uint32_t node, uint64_t guid, struct error *error);
int subnet_set_port_guid(struct subnet *subnet, uint32_t port, uint64_t guid, struct error *error);

/* Returns the node's port with that number 0..254, created if new. */
uint32_t subnet_port(struct subnet *subnet, uint32_t node, unsigned number, struct error *error);

/*
 * Records that peer is at the other end of this port's cable; repeating it from either end is harmless. where: file and line, for
 * anomalies.
 */
void subnet_cable(struct subnet *subnet, uint32_t port, uint32_t peer, const char *where);

/* Sets the width and the speed of a port where they are unknown; lanes 0 and RATE_UNKNOWN change nothing. */
void subnet_link(struct subnet *subnet, uint32_t port, unsigned lanes, enum lane_rate rate);

/* Returns the number of ports of a node that have a cable. */
unsigned subnet_cables(const struct subnet *subnet, const struct subnet_node *node);

/* Returns the Gb/s of a cabled port, as it states or, if it does not, as the other end does; 0 when unknown. */
double subnet_speed(const struct subnet *subnet, uint32_t port);

/*
 * Sets the entry of a LID in the table of a switch, which is created if new; a different existing entry is an anomaly. Returns 0, or -1.
 * Time O(1).
 */
int subnet_entry(struct subnet *subnet, uint32_t node, unsigned lid, unsigned port, struct error *error);

/* Records that the node has a table, even if no entry follows. Returns 0, or -1. */
int subnet_table(struct subnet *subnet, uint32_t node, struct error *error);

/* Returns the port by which the node forwards the LID, LFT_NO_PORT if it has no entry. */
static inline unsigned subnet_lookup(const struct subnet_node *node, unsigned lid)
{
	return lid < node->lft_size ? node->lft[lid] : LFT_NO_PORT;
}

/* Records the owner of the base LID that a table dump states. length: bytes of desc. Returns 0, or -1. */
int subnet_claim(struct subnet *subnet, unsigned lid, unsigned lmc, uint64_t guid, enum node_kind kind, const char *desc, size_t length,
	struct error *error);

/* Sets the virtual lane of each service level between two ports of a switch whose number of ports is known. Returns 0, or -1. */
int subnet_sl2vl(struct subnet *subnet, uint32_t node, unsigned in, unsigned out, const uint8_t *vl, struct error *error);

/* Counts an anomaly; the text of the first is kept. */
void subnet_odd(struct subnet *subnet, enum oddity oddity, const char *format, ...) __attribute__((format(printf, 3, 4)));

/*
 * Writes a line for each anomaly: "PROGRAM: note: text: count (the first)", or with "warning" for those that can make results wrong.
 * Without notes, only warnings are written.
 */
void subnet_tell(const struct subnet *subnet, const char *program, bool notes, FILE *file);

/* Sets the first anomaly that would be a warning as an error with STATUS_FABRIC. Returns 0 if there is none, or -1. */
int subnet_refuse(const struct subnet *subnet, struct error *error);

/*
 * lane_rate() returns the rate of a name such as "EDR"; RATE_UNKNOWN for anything else. lane_rate_name() returns the name; "" for
 * RATE_UNKNOWN.
 */
enum lane_rate lane_rate(const char *name, size_t length);
const char *lane_rate_name(enum lane_rate rate);

/*
 * Returns the rate whose lane carries that many Gb/s, nominally (EDR: 25) or exactly (25.78125); RATE_UNKNOWN if there is none. 10 is QDR.
 */
enum lane_rate lane_rate_of(double gbps);

/* Returns the nominal Gb/s of a link with this number of lanes (4x EDR: 100); 0 when unknown. */
double link_speed(unsigned lanes, enum lane_rate rate);

#endif
