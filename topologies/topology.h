/*
 * Regular topologies: fabrics described by a name and a few numbers ("fattree:k=4,n=3"). Hosts are numbered 0..hosts-1, switches
 * 0..switches-1, and the ports of each node from 0 without a gap, all of them cabled. For some kinds the peer of a port, and the port by
 * which a packet for a host leaves, are computed: so the graph of a million hosts can be written without being stored, and be routed
 * without forwarding tables (computed routing, see orcs-dot(5)). Others store their cables (cabling.h), and most have no routes.
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

/* Largest number of channels of a computed route, and length of the longest name of a node including its NUL. */
enum { TOPOLOGY_ROUTE_MAX = 4096, TOPOLOGY_NAME_MAX = 80 };

/* Largest number of channels, so that they and the nodes have 32-bit ids. */
#define TOPOLOGY_CHANNELS_MAX UINT64_C(4294967000)

/* Port at the far end of a one-way channel. */
#define TOPOLOGY_NO_PORT UINT32_MAX

/* A port of a host or of a switch. */
struct topology_port {
	bool host;
	uint32_t node; /* number among the hosts, or among the switches */
	uint32_t port;
};

/* A topology with its parameters. */
struct topology {
	const struct topology_kind *kind;
	const char *routing; /* routing function of the kind, NULL if this topology has none */
	uint32_t hosts, switches;
	uint32_t each;     /* in direct networks: hosts of each switch, 0 if the nodes are hosts themselves (direct.h) */
	unsigned tiers;    /* number of tiers of cables, see topology_tier */
	uint64_t channels; /* twice the number of cables, unless they are one-way; at most TOPOLOGY_CHANNELS_MAX */
	struct arg_values args;
	void *data;              /* data of the kind, made by setup */
	struct cabling *cabling; /* stored cables, for kinds that have them */
};

/*
 * One step of a route: a node's number and the port by which it is left. The first step is that of the source host; the others are those of
 * switches, or those of forwarding hosts with the number of all hosts subtracted (modulo 2^32), so that hosts + node numbers all nodes.
 */
struct topology_step {
	uint32_t node, port;
};

/*
 * How the routes to and from a host of a tree pass a level: those from it leave upwards at own + node, node being that of the destination,
 * by the port up of the destination; those to it come down at own + node, both its own, from the port down + cable of the node one level
 * higher. own and down are those of the first host with the same switch, except on the level of the hosts; node, up and cable are those of
 * the host modulo the period.
 */
struct topology_climb {
	uint32_t own, node, up, down, cable; /* nodes as in topology_step */
};

/* A position in a picture, see place.h. */
struct topology_place {
	double x, y;
};

struct topology_kind {
	const char *name, *summary, *source;
	const char *formulae; /* of hosts, switches, cables and the diameter, as text */
	const struct arg *args;
	bool hosts_forward; /* in addition to the switches */
	enum structure_form form;
	/*
	 * The name of its routing function, which is also that of an engine: "dmodk"; "own" for those that no other kind shares. NULL, like
	 * next, route and longest, if there is none. setup can remove it from a topology.
	 */
	const char *routing;
	/*
	 * Checks the parameters and fills hosts, switches, channels and data. Returns 0, or -1; an error text must not contain the
	 * specification.
	 */
	int (*setup)(struct topology *topology, struct error *error);
	/* Frees data; NULL: nothing to free. */
	void (*clear)(struct topology *topology);
	/* Fills in the structure except the form; for direct networks blocks, hosts and switches are set already. NULL: nothing to add. */
	void (*structure)(const struct topology *topology, struct topology_structure *structure);
	/* Returns the number of ports of the host or switch. */
	uint32_t (*ports)(const struct topology *topology, bool host, uint32_t node);
	/* Returns the other end of the cable at a port; its port is TOPOLOGY_NO_PORT if the channel is one-way. */
	struct topology_port (*peer)(const struct topology *topology, struct topology_port port);
	/* Returns the tier of the cable at a port; NULL: cables to hosts are of tier 0, all others of tier 1. */
	unsigned (*tier)(const struct topology *topology, struct topology_port port);
	/*
	 * Returns the first of the switches to which a network of networks attaches its outer ports (derived.h): these are it and all that
	 * follow; NULL: all.
	 */
	uint32_t (*tops)(const struct topology *topology);
	/* Returns the port by which a packet for the host destination leaves the host or switch (never the destination itself). */
	uint32_t (*next)(const struct topology *topology, bool host, uint32_t node, uint32_t destination);
	/*
	 * Computes the whole route between two different hosts, as next and peer would yield it step by step, but fast: no division by a
	 * variable, no look-up that misses the second-level cache; only kinds that store their cables walk step by step (cabling_route).
	 * Returns its length, at most longest(). Its last step leads to the destination.
	 */
	uint32_t (*route)(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps);
	/*
	 * Of trees, whose routes climb to the lowest level where both hosts have the same own, and descend: writes how they pass each
	 * level, from that of the hosts to the top, where up, down and cable are 0. Returns the period. NULL: routes are not of that form.
	 */
	uint32_t (*climb)(const struct topology *topology, uint32_t host, struct topology_climb *levels);
	/* Returns the length of the longest route, in channels. */
	uint32_t (*longest)(const struct topology *topology);
	/* Returns the position of the node in a picture; NULL: on circles, hosts outside. */
	struct topology_place (*place)(const struct topology *topology, bool host, uint32_t node);
	/*
	 * Writes the node's name to text, unique and describing its position, at most TOPOLOGY_NAME_MAX with its NUL. Those of hosts begin
	 * with H, those of switches do not; letters, digits and _.
	 */
	void (*node_name)(const struct topology *topology, bool host, uint32_t node, char *text);
};

/* All kinds, ending with NULL. */
extern const struct topology_kind *const topologies[];

/* Returns the kind of a specification "NAME:…", also of a derived one (derived.h); NULL if there is no kind of that name. */
const struct topology_kind *topology_find(const char *spec);

/*
 * Returns whether hosts of that specification forward in addition to switches: in kinds with that property, and in networks of networks
 * whose innermost are hosts joined to one another (but not in a kind that is read from a file). False if there is no such topology.
 */
bool topology_hosts_forward(const char *spec);

/* Returns the structure of the topology; any can be STRUCTURE_NONE without blocks. */
void topology_structure(const struct topology *topology, struct topology_structure *structure);

/*
 * Returns the form of a specification's topologies before one is made, which can take time; for a network of networks that of the outer
 * one, if it describes the arrangement of copies: a grid. STRUCTURE_NONE also if there is no such kind.
 */
enum structure_form topology_form(const char *spec);

/* Returns whether a specification is OUTER/INNER. */
bool topology_nested(const char *spec);

/*
 * Returns whether topologies of the specification can have a routing function, or would have one without parallel cables. True if there is
 * no such kind: the error is found when one is made.
 */
bool topology_may_be_routed(const char *spec);

/* Returns the tier of the cable at a port, for speeds and latencies: 0 is closest to the hosts, tiers - 1 the farthest. */
unsigned topology_tier(const struct topology *topology, struct topology_port port);

/* Returns the position of the node in a picture. */
struct topology_place topology_place(const struct topology *topology, bool host, uint32_t node);

/* Registers the file that the specification reads, if any, with files; an invalid specification registers none. Returns 0, or -1. */
int topology_files(const char *spec, struct files *files, struct error *error);

/*
 * Makes the topology of a specification. It can have the parameter parallel=N, and can be OUTER/INNER (derived.h). Returns NULL with
 * STATUS_USAGE, or with STATUS_IO if out of memory.
 */
struct topology *topology_create(const char *spec, struct error *error);
void topology_free(struct topology *topology);

/* Returns the same topology with one cable in place of parallel ones; the topology itself if there are none. Borrowed. */
const struct topology *topology_plain(const struct topology *topology);

/*
 * Ties in dimension order: the destination is exactly half way round a ring, and both directions are equally short. If all packets went in
 * the same direction there, the channels of that direction would carry more than those of the other: in all-to-all on a ring of w switches
 * w (w + 2) / 8 pairs and w (w - 2) / 8. If balanced, each direction gets half of them, and if 4 divides w every channel w^2 / 8.
 */
enum ties { TIES_BALANCED, TIES_POSITIVE, TIES_NEGATIVE, TIES_RANDOM };
#define TIES_NAMES \
	{ \
		"balanced", "positive", "negative", "random" \
	}
#define TIES_HELP "direction half way round a ring: balanced (up from even coordinates, down from odd ones), positive, negative or random"

/*
 * Returns whether a balanced tie goes up from the coordinate: it depends only on switch and destination, as forwarding tables require, and
 * after the first hop there is no tie any more.
 */
static inline bool ties_go_up(uint32_t coordinate)
{
	return coordinate % 2 == 0;
}

#endif
