/*
 * Packet routing: how the packet engine finds the channels, and the virtual lanes, by which a packet can leave a node. Tables and dimension
 * order give one candidate; adaptive routing gives several, of which the packet takes one that is free, or decides at its source.
 *
 * To add one: write engines/packet/routing/NAME.c with one const struct packet_routing at its bottom, and name it in table.c.
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

/* A candidate output: the channel, and the lanes on which the packet can enter it. */
struct packet_candidate {
	uint32_t channel;
	uint16_t lanes;  /* a bit each */
	uint16_t rank;   /* candidates of a lower rank are preferred if one of them is free at once */
	uint16_t bubble; /* of the lanes, those that are only entered if there is room for two MTUs (bubble flow control) */
};

/* What the routing knows of a packet, and what it stores in it: the engine writes all except via, level and phase. */
struct packet_head {
	uint32_t source, destination; /* host indices */
	uint32_t number;  /* number of the packet at its source, 0 or more: with the source it identifies the packet, and seeds its random
			     numbers */
	uint32_t channel; /* by which it arrived at the node; NONE: at its source */
	uint8_t lane;     /* on which it arrived; 0 at its source */
	uint8_t hops;     /* channels passed; 255: 255 or more */
	uint8_t level;    /* service level; SERVICE_LEVEL_OF_PAIR: the routing sets it, at its source */
	uint8_t phase;    /* owned by the routing, 0 at its source */
	uint32_t via;     /* owned by the routing, NONE at its source: for example an intermediate node */
};

/* What a routing may use besides the packet: the load of the candidates, all of which leave the node where the packet is. */
struct packet_view {
	void *engine;
	/*
	 * Returns the bytes that wait at the node for this channel on those lanes, plus those that occupy the buffer at its far end, or
	 * soon will. over: of the latter only what exceeds a round trip of the channel, as the others can be on their way.
	 */
	uint64_t (*queued)(void *engine, uint32_t channel, uint32_t lanes, bool over);
	/* The same for a channel anywhere in the network; NULL if the network is divided between processes. For UGAL-G only. */
	uint64_t (*queued_anywhere)(void *engine, uint32_t channel, uint32_t lanes, bool over);
	/*
	 * Returns the number of packets that waited for a channel between groups, as the switches of its group have been told by now; only
	 * if router->group is set.
	 */
	uint32_t (*told)(void *engine, uint32_t channel);
	uint64_t (*now)(void *engine); /* picoseconds since the run began */
	/* Writes candidates as packet_rank_all() does, in the order of the channels; NULL: queued() is called for each. */
	void (*rank_all)(void *engine, const uint32_t *channel, uint32_t count, uint16_t lanes, struct packet_candidate *candidates);
	bool any_order;       /* the order of candidates of one rank has no effect, so that it need not be drawn */
	bool late;            /* packet_rank_late() leaves the candidates to the engine, */
	const uint32_t *left; /* and their channels here; NULL */
};

/* The input of all routings. */
struct packet_router_setup {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct route_choice
		*multipath; /* its source routes, multi-channel entries and intermediate switches; NULL: each pair has one route */
	const struct virtual_lanes *service; /* the service levels and lanes of the graph, see lanes.h; NULL: none */
	const char *topology;                /* the attribute of the graph, see orcs-dot(5); NULL: none */
	uint32_t service_levels;             /* of messages, a bit each; SERVICE_LEVEL_OF_PAIR; 0: that alone */
	unsigned lanes;                      /* lanes of each port, 1..PACKET_LANES_MAX; 0: the number that the routing needs */
	uint32_t buffer, packet;             /* bytes of the buffer of a lane; of the MTU */
	uint64_t seed, run;
};

/* A routing during a run. */
struct packet_router {
	const struct packet_routing *routing;
	struct packet_router_setup setup; /* all members are borrowed */
	struct packet_view view;          /* set by the engine */
	struct arg_values args;
	unsigned lanes;  /* number in use: setup.lanes, or what the routing needs */
	uint16_t escape; /* the escape lanes, on which packets can always proceed, whatever happens on the others; 0: all lanes */
	uint16_t last;   /* of those, the lanes that a packet takes only if no other lane of its candidate has room: the lowest; 0: none */
	bool remote;     /* it reads queues anywhere in the network */
	/* [nodes] The switches of each group tell each other how many packets wait for their channels to other groups; NULL: none do. */
	const uint32_t *group;
	bool whole;               /* bubbles count packets, not bytes: in buffers every packet takes the room of an MTU */
	bool levels;              /* packets have service levels */
	const uint16_t *lanes_of; /* with levels: [lanes of the graph] the lanes that stand for each, a bit each */
	bool alike;               /* for the check: the hosts of a switch differ only in their own channels */
	bool sources; /* candidates() needs the packet's source also after its first switch, unless its phase has one of these bits: */
	uint8_t forgets;
	uint8_t counted;                 /* hop counts below this number are distinguished */
	uint16_t leaders;                /* one lane of each class, if candidates have all lanes of a class or none; 0: all lanes differ */
	bool checking;                   /* set by the check: candidates() returns all outputs that it might choose from */
	uint64_t rank_scale, rank_limit; /* see packet_rank() */
	char note[300];                  /* a note for the user; "": none */
	void *data;                      /* owned by the routing */
};

struct packet_routing {
	const char *name, *summary, *source;
	const struct arg *args;
	bool late;  /* candidates() may call packet_rank_late() */
	bool looks; /* candidates() reads the view: packets of one time are then routed in the order of their queues */
	bool (*chooses)(const struct arg_value *args); /* Returns whether packets choose among the routes of their pair; NULL: no. */
	/*
	 * Checks that the routing supports the fabric and that there are enough lanes, or sets router->lanes; sets data and note. Returns
	 * 0, or -1: STATUS_USAGE for lanes, buffers or parameters that cannot work, STATUS_FABRIC for a fabric that it cannot route.
	 */
	int (*setup)(struct packet_router *router, struct error *error);
	/* Frees data; NULL: not needed. */
	void (*clear)(struct packet_router *router);
	/* Begins a run; NULL: runs leave nothing behind. */
	void (*begin)(struct packet_router *router);
	/*
	 * Writes the candidates of the packet at a node that is not its destination: at most PACKET_CANDIDATES_MAX, each channel once.
	 * Returns their number; 0: no route. Called once, when the packet reaches the head of its queue (with virtual output queues: when
	 * it arrives), so decisions that depend on queue lengths are made then. A packet with several candidates waits for all of them, and
	 * takes the first that has room. The result may depend only on the packet, the fabric and the view, never on other packets or the
	 * order of calls.
	 */
	unsigned (*candidates)(
		struct packet_router *router, struct packet_head *packet, uint32_t node, struct packet_candidate *candidates);
	/* Notes that the packet leaves by the candidate (its lanes: the one taken); may change via, level and phase. NULL: not needed. */
	void (*taken)(struct packet_router *router, struct packet_head *packet, uint32_t node, const struct packet_candidate *way);
	/*
	 * For the check: replaces random choices and comparisons of queues in candidates() by a choice, whose values 0, 1, .. select each
	 * possible outcome. Returns false if there is nothing to decide (for 0), or no such outcome. NULL: nothing to decide.
	 */
	bool (*decide)(const struct packet_router *router, struct packet_head *packet, uint32_t node, uint32_t choice);
};

/* All routings, ends with NULL. */
extern const struct packet_routing *const packet_routings[];

/* Returns the routing of a specification "NAME:..", NULL with STATUS_USAGE if there is none. */
const struct packet_routing *packet_routing_find(const char *spec, struct error *error);

/*
 * Returns whether every packet chooses among the routes of its pair by this specification; these routes must then exist. False if the
 * specification is invalid.
 */
bool packet_routing_chooses(const char *spec);

/*
 * Creates the routing of a specification such as "ugal:local". NULL with the error of setup, or STATUS_USAGE if there is none of that name.
 */
struct packet_router *packet_router_create(const char *spec, const struct packet_router_setup *setup, struct error *error);
void packet_router_free(struct packet_router *router);

/*
 * Checks whether packets can wait for one another in a cycle on these lanes: the channel dependency check (Dally, Seitz 1987), over every
 * pair and every choice that a packet can make; if there are escape lanes (Duato 1993), over the routes on these. Returns 0, or -1:
 * STATUS_FABRIC, and the error names a cycle; STATUS_IO if out of memory. *checked is false if there are too many pairs to check.
 */
int packet_router_check(struct packet_router *router, bool *checked, struct error *error);

/* ---- for routings */

/* The purposes of random numbers. */
enum packet_purpose { DRAW_WAY, DRAW_VIA, DRAW_TIES, DRAW_MARK };

/*
 * Returns the arithmetic of the fabric's topology, if that is of the form and has a routing function: that of the forwarding, otherwise a
 * new one in *own, for routing_function_free(). NULL if there is none, or with STATUS_FABRIC or STATUS_IO.
 */
const struct routing_function *packet_computed(
	const struct packet_router_setup *setup, enum structure_form form, struct routing_function **own, struct error *error);

/*
 * Gives the router this number of lanes, if the user set none. Returns 0, or -1 with STATUS_USAGE if the user set fewer; why: the cause for
 * the message, such as "the dateline".
 */
int packet_router_need(struct packet_router *router, unsigned lanes, const char *why, struct error *error);

/* Returns the index of the text, the value of a key, in a list of permitted words; -1 with STATUS_USAGE if it is not one of them. */
int packet_word(
	const struct packet_router *router, const char *key, const char *text, const char *const *words, size_t count, struct error *error);

/*
 * Returns the lanes of a class 0..classes-1, a bit each, if all lanes from first on are divided between the classes as evenly as possible.
 */
uint16_t packet_lanes_of(const struct packet_router *router, unsigned first, unsigned class, unsigned classes);

/* Returns the first of the lanes. */
static inline uint16_t packet_first_lane(uint16_t lanes)
{
	return (uint16_t)(lanes & -lanes);
}

/* Returns all lanes. */
static inline uint16_t packet_lanes_all(const struct packet_router *router)
{
	return (uint16_t)((1u << router->lanes) - 1);
}

/* Returns a rank from the bytes queued for a channel on the lanes: in eighths of an MTU, below PACKET_RANK_MAX. */
enum { PACKET_RANK_MAX = 0xff00 };
static inline uint16_t packet_rank_of(uint64_t queued, uint64_t limit, uint64_t scale)
{
	return queued < limit ? (uint16_t)(queued * scale >> 32) : PACKET_RANK_MAX - 1;
}
uint16_t packet_rank(const struct packet_router *router, uint32_t channel, uint32_t lanes);

/*
 * Writes a candidate for each of at most PACKET_CANDIDATES_MAX channels, with these lanes and the rank by its queue, from a channel on that
 * is drawn.
 */
void packet_rank_all(const struct packet_router *router, const struct packet_head *packet, const uint32_t *channel, uint32_t count,
	uint16_t lanes, struct packet_candidate *candidates);

/*
 * The same for all lanes, if the channels are in a table of the routing. The engine may then look at the ranks of those that are free only.
 */
static inline void packet_rank_late(struct packet_router *router, const struct packet_head *packet, const uint32_t *channel, uint32_t count,
	struct packet_candidate *candidates)
{
	if (router->view.late)
		router->view.left = channel;
	else
		packet_rank_all(router, packet, channel, count, packet_lanes_all(router), candidates);
}

/* Returns a random number for the packet at its current node, by purpose: uniform in 0..bound-1. */
uint32_t packet_draw(const struct packet_router *router, const struct packet_head *packet, enum packet_purpose purpose, uint32_t bound);

#endif
