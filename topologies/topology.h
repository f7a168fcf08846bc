/*
 * Regular topologies: fabrics that a name and a few numbers describe ("fattree:k=4,n=3"). Hosts count 0..hosts-1, switches
 * 0..switches-1, and the ports of each node 0.. without a gap, all of them cabled. Of some kinds it is arithmetic where a port leads, and
 * by which port a packet for a host leaves: so the graph of a million hosts can be written without being kept, and be routed without
 * forwarding tables (computed routing, see orcs-dot(5)). Others keep their cables (cabling.h), and most have no routes.
 *
 * To add one: write topologies/NAME.c with one const struct topology_kind at its bottom, and name that in table.c.
 */
#ifndef TOPOLOGIES_TOPOLOGY_H
#define TOPOLOGIES_TOPOLOGY_H

#include "base/args.h"
#include "base/error.h"
#include "topologies/structure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct files;

/* The most channels a computed route has, and the longest name of a node with its final zero. */
enum { TOPOLOGY_ROUTE_MAX = 4096, TOPOLOGY_NAME_MAX = 80 };

/* The most channels, so that they and the nodes have ids of 32 bits. */
#define TOPOLOGY_CHANNELS_MAX UINT64_C(4294967000)

/* The port at the far end of a channel that has none back. */
#define TOPOLOGY_NO_PORT UINT32_MAX

/* A port of a host or of a switch. */
struct topology_port {
	bool host;
	uint32_t node; /* number among the hosts, or among the switches */
	uint32_t port;
};

/* A topology with its numbers. */
struct topology {
	const struct topology_kind *kind;
	const char *routing; /* the kind's, NULL where this one has none */
	uint32_t hosts, switches;
	uint32_t each;     /* of direct networks: hosts of each switch, 0 where the nodes are hosts themselves (direct.h) */
	unsigned tiers;    /* of cables, see topology_tier */
	uint64_t channels; /* twice the cables, where they go both ways; at most TOPOLOGY_CHANNELS_MAX */
	struct arg_values args;
	void *data;              /* the kind's own, by setup */
	struct cabling *cabling; /* of kinds that keep their cables */
};

/*
 * One step of a route: the node's number and the port by which it is left. The first step's is the source host's, the others' are those
 * of switches, or those of hosts that forward, less the number of all hosts (modulo 2^32): so that hosts + node counts all nodes.
 */
struct topology_step {
	uint32_t node, port;
};

/* A place in a picture, see place.h. */
struct topology_place {
	double x, y;
};

struct topology_kind {
	const char *name, *summary, *source;
	const char *formulae; /* of hosts, switches, cables and the diameter, for people */
	const struct arg *args;
	bool hosts_forward; /* beside the switches */
	enum structure_form form;
	/* The name of its routing function, by which an engine goes too: "dmodk"; "own" of those that no other kind shares. NULL, like
	 * next, route and longest, where there is none. setup may take it from a topology. */
	const char *routing;
	/* Checks the parameters and fills hosts, switches, channels and data. Returns 0, or -1; a reason needs no specification before it.
	 */
	int (*setup)(struct topology *topology, struct error *error);
	/* Frees what data points to; NULL: nothing. */
	void (*clear)(struct topology *topology);
	/* Fills in the structure beside the form; for direct networks blocks, hosts and switches are there already. NULL: that is all. */
	void (*structure)(const struct topology *topology, struct topology_structure *structure);
	/* How many ports the host or switch has. */
	uint32_t (*ports)(const struct topology *topology, bool host, uint32_t node);
	/* The other end of the cable at a port; its port is TOPOLOGY_NO_PORT where nothing comes back. */
	struct topology_port (*peer)(const struct topology *topology, struct topology_port port);
	/* The tier of the cable at a port; NULL: cables to hosts are of tier 0, all others of tier 1. */
	unsigned (*tier)(const struct topology *topology, struct topology_port port);
	/* The first of the switches on which a network of such networks hangs (derived.h): they are it and all that follow; NULL: all. */
	uint32_t (*tops)(const struct topology *topology);
	/* The port by which a packet for the host destination leaves the host or switch (never the destination itself). */
	uint32_t (*next)(const struct topology *topology, bool host, uint32_t node, uint32_t destination);
	/*
	 * The whole route between two different hosts, as next and peer would yield it step by step, but fast: no division by a variable,
	 * no look-up that misses the second-level cache; but kinds that keep their cables just walk (cabling_route). Returns its length, at
	 * most longest(). Its last step leads to the destination.
	 */
	uint32_t (*route)(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps);
	/* No route is longer, in channels. */
	uint32_t (*longest)(const struct topology *topology);
	/* Where the node stands in a picture; NULL: on circles, hosts outside. */
	struct topology_place (*place)(const struct topology *topology, bool host, uint32_t node);
	/* Writes the node's name to text, unique and telling where it stands, at most TOPOLOGY_NAME_MAX with its zero. Those of hosts begin
	 * with H, those of switches do not; letters, digits and _. */
	void (*node_name)(const struct topology *topology, bool host, uint32_t node, char *text);
};

/* All kinds, ends with NULL. */
extern const struct topology_kind *const topologies[];

/* The kind of a specification "NAME:…", also of one that is made of others (derived.h); NULL where there is none of that name. */
const struct topology_kind *topology_find(const char *spec);

/*
 * Whether hosts of that specification forward beside switches: of kinds that say so, and in networks of networks whose innermost are hosts
 * joined to one another (but not of a kind that is read from a file). False where there is no such topology.
 */
bool topology_hosts_forward(const char *spec);

/* What the topology is made like; any may be STRUCTURE_NONE without blocks. */
void topology_structure(const struct topology *topology, struct topology_structure *structure);

/* The form of a specification's topologies, known before one is made, which may take its time; of a network of networks that of the outer
 * one, if it is how copies lie: a grid. STRUCTURE_NONE also where there is no such kind. */
enum structure_form topology_form(const char *spec);

/* Whether a specification is OUTER/INNER. */
bool topology_nested(const char *spec);

/* Whether topologies of the specification may have a routing function, or would have one without parallel cables. True where there is no
 * such kind: that is found when one is made. */
bool topology_may_be_routed(const char *spec);

/* The tier of the cable at a port, for speeds and latencies: 0 is nearest to the hosts, tiers - 1 the farthest. */
unsigned topology_tier(const struct topology *topology, struct topology_port port);

/* Where the node stands in a picture. */
struct topology_place topology_place(const struct topology *topology, bool host, uint32_t node);

/* Names the file that the specification has it read, if any; one that is wrong names none. Returns 0, or -1. */
int topology_files(const char *spec, struct files *files, struct error *error);

/*
 * Makes the topology of a specification. It may have the parameter parallel=N, and may be OUTER/INNER (derived.h). Returns NULL with
 * STATUS_USAGE, or STATUS_IO without memory.
 */
struct topology *topology_create(const char *spec, struct error *error);
void topology_free(struct topology *topology);

/* The same topology with one cable in the place of parallel ones; itself where there are none. Borrowed. */
const struct topology *topology_plain(const struct topology *topology);

/*
 * Ties in dimension order: the destination is exactly half way round a ring, and both ways are as short. If all packets went the same way
 * there, the channels of that direction would carry more than those of the other: in all-to-all on a ring of w switches w (w + 2) / 8 pairs
 * and w (w - 2) / 8. Balanced, each way gets half of them, and where 4 divides w every channel w^2 / 8.
 */
enum ties { TIES_BALANCED, TIES_POSITIVE, TIES_NEGATIVE, TIES_RANDOM };
#define TIES_NAMES \
	{ \
		"balanced", "positive", "negative", "random" \
	}
#define TIES_HELP "which way half way round a ring: balanced (up from even coordinates, down from odd ones), positive, negative or random"

/* Whether a balanced tie goes up from the coordinate: it depends on switch and destination alone, as forwarding tables need it, and behind
 * the first hop there is no tie any more. */
static inline bool ties_go_up(uint32_t coordinate)
{
	return coordinate % 2 == 0;
}

#endif
