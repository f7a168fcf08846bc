/*
 * Packet routing: how the packet engine finds the channels, and the virtual lanes, by which a packet may go on from a node. Tables and
 * dimension order know one way; adaptive routing knows several, of which the packet takes one that is free, or decides at its source.
 *
 * To add one: write engines/packet/routing/NAME.c with one const struct packet_routing at its bottom, and name that in table.c.
 */
#ifndef ENGINES_PACKET_ROUTING_PACKET_ROUTING_H
#define ENGINES_PACKET_ROUTING_PACKET_ROUTING_H

#include "base/args.h"
#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "fabric/route_choice.h"
#include "topologies/structure.h"

#include <stdbool.h>
#include <stdint.h>

enum { PACKET_LANES_MAX = 16, PACKET_CANDIDATES_MAX = 256 };

struct routing_function;
struct virtual_lanes;

/* Where a packet may go on: the channel, and the lanes on which it may go there. */
struct packet_candidate {
	uint32_t channel;
	uint16_t lanes;  /* a bit each */
	uint16_t rank;   /* ways of a lower rank are preferred as long as one of them is free at once */
	uint16_t bubble; /* of the lanes, those that are only entered where two of the largest packets have room (bubble flow control) */
};

/* What a packet tells the routing, and what the routing keeps in it: the engine writes all but via, level and phase. */
struct packet_head {
	uint32_t source, destination; /* host indices */
	uint32_t number;  /* of its source, counted from 0: with the source it names the packet, and draws what is drawn for it */
	uint32_t channel; /* by which it came to the node; NONE: at its source */
	uint8_t lane;     /* on which it came; 0 at its source */
	uint8_t hops;     /* channels that it has passed; 255: at least that many */
	uint8_t level;    /* service level; 0 at its source */
	uint8_t phase;    /* the routing's own, 0 at its source */
	uint32_t via;     /* the routing's own, NONE at its source: say an intermediate node */
};

/* What a routing may look at beside the packet: how full the ways are. All of them belong to the node where the packet is. */
struct packet_view {
	void *engine;
	/* Bytes that wait at the node for this channel, and those that stand, or are about to, in the buffer of its far end, on those
	 * lanes. */
	uint64_t (*queued)(void *engine, uint32_t channel, uint32_t lanes);
	/* The same of a channel anywhere in the network; NULL where the network is cut between processes. For UGAL-G alone. */
	uint64_t (*queued_anywhere)(void *engine, uint32_t channel, uint32_t lanes);
};

/* What all routings are told. */
struct packet_router_setup {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct route_choice *multipath;      /* its source routes, entries of several channels and detours; NULL: each pair has one route */
	const struct virtual_lanes *service; /* what the graph says of levels and lanes, see lanes.h; NULL: nothing */
	const char *topology;                /* the attribute of the graph, see orcs-dot(5); NULL: none */
	unsigned lanes;                      /* 1..PACKET_LANES_MAX that each port has; 0: as many as the routing needs */
	uint32_t buffer, packet;             /* bytes of the buffer of a lane, and of the largest packet */
	uint64_t seed, run;
};

/* A routing at work. */
struct packet_router {
	const struct packet_routing *routing;
	struct packet_router_setup setup; /* with its own copy of nothing: all is borrowed */
	struct packet_view view;          /* set by the engine */
	struct arg_values args;
	unsigned lanes;  /* in use: setup.lanes, or what it needs */
	uint16_t escape; /* the lanes on which packets can always go on, whatever happens on the others; 0: all are */
	uint16_t last;   /* of those, lanes that a packet only takes where no other lane of its way has room: the lowest; 0: none */
	bool remote;     /* it looks at channels anywhere */
	bool whole;      /* bubbles count packets, not bytes: in buffers every packet takes the room of the largest */
	bool alike;      /* for the check: the hosts of a switch are alike but for their own channels */
	bool sources;    /* ways() asks for the packet's source also behind its first switch, unless its phase has one of these bits: */
	uint8_t forgets;
	uint8_t counted;                 /* of how many hops it tells numbers apart */
	uint16_t leaders;                /* one of the lanes of each class, of which ways have all lanes or none; 0: all lanes differ */
	bool checking;                   /* set by the check: ways() returns all that it might choose from */
	uint64_t rank_scale, rank_limit; /* see packet_rank() */
	char note[300];                  /* what the user should know, "" for nothing */
	void *data;                      /* the routing's own */
};

struct packet_routing {
	const char *name, *summary, *source;
	const struct arg *args;
	bool looks; /* ways() looks at the view: at one time packets are then routed in the order of their queues */
	bool (*chooses)(const struct arg_value *args); /* whether packets choose among the routes of their pair; NULL: no */
	/* Sees that the fabric suits it and that there are enough lanes, or sets router->lanes; fills data, note. Returns 0, or -1:
	 * STATUS_USAGE for lanes, buffers or parameters that cannot work, STATUS_FABRIC for a fabric that it cannot route. */
	int (*setup)(struct packet_router *router, struct error *error);
	/* Frees data; NULL: nothing. */
	void (*clear)(struct packet_router *router);
	/*
	 * The ways on from the node where the packet is, which is not its destination; at most PACKET_CANDIDATES_MAX, each channel once.
	 * Returns how many; 0: it has no route. Called once when the packet has come to the head of its queue (with virtual output queues:
	 * when it arrives), so what is found out from how full the ways are is decided then; a packet with several ways waits for all of
	 * them, and takes the first that has room. What it returns may depend on nothing but the packet, the fabric and the view, never on
	 * other packets or the order of calls.
	 */
	unsigned (*candidates)(
		struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates);
	/* The packet leaves by the way (its lanes: the one that it takes); may change via, level and phase. NULL: nothing to be done. */
	void (*taken)(struct packet_router *router, struct packet_head *packet, uint32_t node, const struct packet_candidate *way);
	/*
	 * For the check: where ways() would draw for the packet, or compare queues, decides that as the choice says, each of 0, 1, .. being
	 * another of its possible outcomes. Returns false where there is nothing to decide (for 0), or no such outcome. NULL: nothing ever
	 * is.
	 */
	bool (*decide)(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice);
};

/* All routings, ends with NULL. */
extern const struct packet_routing *const packet_routings[];

/* The routing of a specification "NAME:..", NULL with STATUS_USAGE where there is none. */
const struct packet_routing *packet_routing_find(const char *spec, struct error *error);

/* Whether by that specification every packet chooses among the routes of its pair, which are to be there then. False where it is wrong. */
bool packet_routing_chooses(const char *spec);

/* Makes the routing of a specification as "ugal:local". NULL with the error of setup, or STATUS_USAGE where there is none of that name. */
struct packet_router *packet_router_create(const char *spec, const struct packet_router_setup *setup, struct error *error);
void packet_router_free(struct packet_router *router);

/*
 * Whether packets can wait for each other in a circle on these lanes: the channel dependency check (Dally, Seitz 1987), over every pair and
 * every choice a packet may make; where it has a way of escape (Duato 1993), over those ways. Returns 0, or -1 with STATUS_FABRIC: the
 * error names a circle; STATUS_IO without memory. *checked is false where there are so many pairs that it was not done.
 */
int packet_router_check(struct packet_router *router, bool *checked, struct error *error);

/* ---- for routings */

/* What numbers are drawn for. */
enum packet_purpose { DRAW_WAY, DRAW_VIA, DRAW_TIES };

/*
 * The arithmetic of the fabric's topology, where that is of the form and has a routing function: that of the forwarding, else made as *own,
 * for routing_function_free(). NULL where there is none, or with STATUS_FABRIC or STATUS_IO.
 */
const struct routing_function *packet_computed(
	const struct packet_router_setup *setup, enum structure_form form, struct routing_function **own, struct error *error);

/* Gives the router so many lanes, if none were asked for. Returns 0, or -1 with STATUS_USAGE where fewer were asked for; why: "the
 * dateline". */
int packet_router_need(struct packet_router *router, unsigned lanes, const char *why, struct error *error);

/* The place of the text, the value of a key, among the few short words it may be; -1 with STATUS_USAGE where it is none of them. */
int packet_word(
	const struct packet_router *router, const char *key, const char *text, const char *const *words, size_t count, struct error *error);

/* The lanes of a class 0..classes-1, where all lanes from first on are shared out between the classes as evenly as they go; a bit each. */
uint16_t packet_lanes_of(const struct packet_router *router, unsigned first, unsigned class, unsigned classes);

/* The first of the lanes. */
static inline uint16_t packet_first_lane(uint16_t lanes)
{
	return (uint16_t)(lanes & -lanes);
}

/* All lanes. */
static inline uint16_t packet_lanes_all(const struct packet_router *router)
{
	return (uint16_t)((1u << router->lanes) - 1);
}

/* A rank by what is queued for a channel on the lanes: in eighths of the largest packet, below PACKET_RANK_MAX. */
enum { PACKET_RANK_MAX = 0xff00 };
uint16_t packet_rank(const struct packet_router *router, uint32_t channel, uint32_t lanes);

/* A number drawn for the packet, where it is now, by purpose: uniform in 0..bound-1. */
uint32_t packet_draw(const struct packet_router *router, const struct packet_head *packet, enum packet_purpose purpose, uint32_t bound);

#endif
