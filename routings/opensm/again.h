/*
 * minhop and updn again and again, as cables and switches fail: the entries that change, without those that stay. Both engines count for
 * each switch alone, so a switch is dealt anew only if it has lost a port or a destination, or its hops by a port have changed; and hops to
 * a switch can only change if a step over a lost cable had changed more than the hops by its own port. The tables are those that the engine
 * makes from scratch.
 */
#ifndef ROUTINGS_OPENSM_AGAIN_H
#define ROUTINGS_OPENSM_AGAIN_H

#include "routings/opensm/root_search.h"
#include "routings/opensm/updn.h"

/* A destination: a LID of an end port. */
struct again_end {
	uint32_t lid;
	uint8_t at; /* port of its switch */
};

/* A switch with destinations: end[first] .. end[first + ends - 1]. */
struct again_leaf {
	uint32_t to, first, ends;
};

struct again_change {
	uint32_t number, end; /* of the switch; of the destination */
	uint8_t port;         /* OPENSM_NO_PORT: it has lost its entry */
};

struct opensm_again {
	const struct opensm_options *options;
	struct opensm_fabric fabric; /* the intact one */
	struct updn updn;            /* without ranks: minhop */
	struct root_search roots;    /* of updn without a list of roots; otherwise empty */
	struct again_leaf *leaf;     /* [leaves] in the order in which destinations are dealt */
	struct again_end *end;       /* [ends] likewise */
	uint32_t leaves, ends;
	uint8_t *entry;   /* [switches][ends] */
	uint8_t *least;   /* [leaves][switches] hops, see struct hops */
	uint8_t *by_port; /* [leaves][links]; NULL with minhop */
	bool *touched;    /* [leaves][near] */

	/* the failure */
	struct opensm_fabric failed; /* what is left: other arrays than the intact one where they differ */
	struct updn failed_updn;
	struct hops hops;
	uint8_t *new_least, *new_by_port; /* as least and by_port, of leaves that are fresh */
	bool *fresh;                      /* [leaves] */
	bool *lost;                       /* [switches] */
	bool *cut;                        /* [near] of the intact fabric */
	uint32_t *cut_list;               /* [cuts] these */
	uint32_t cuts;
	bool *dealt;                 /* [switches] dealt anew */
	struct again_change *change; /* [changes] */
	size_t changes, capacity;
};

/*
 * Begins with all tables. updn: with that engine, otherwise minhop. Returns 0, or -1: STATUS_FABRIC if it does not work so: several LIDs of
 * a port, no roots; or if out of memory. opensm_again_clear() in every case. options: borrowed.
 */
int opensm_again_init(struct opensm_again *again, bool updn, const struct opensm_subnet *subnet, const struct opensm_options *options,
	struct error *error);
void opensm_again_clear(struct opensm_again *again);

/* Marks a cable at a port of a switch, or a switch with its end ports, as lost. */
void opensm_again_cut(struct opensm_again *again, uint32_t number, unsigned port);
void opensm_again_lose(struct opensm_again *again, uint32_t number);

/*
 * Lists the entries that change, except those of lost switches and to lost end ports, and forgets the failure. Returns 0, or -1 if out of
 * memory. *scratch: it must be routed from scratch instead, as ranks have changed. Time O(switches dealt anew * (ports + destinations)),
 * plus O(links) for each switch to which hops may have changed.
 */
int opensm_again_route(struct opensm_again *again, bool *scratch, struct error *error);

#endif
