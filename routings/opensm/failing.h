/*
 * An engine of OpenSM that routes a fabric again and again, as cables and nodes fail: with the roots and other lists of the intact fabric,
 * as an administrator's files keep them, and with its LIDs.
 */
#ifndef ROUTINGS_OPENSM_FAILING_H
#define ROUTINGS_OPENSM_FAILING_H

#include "routings/opensm/again.h"
#include "routings/opensm/view.h"
#include "routings/routing.h"

/* What has failed of a fabric. */
struct failed_parts {
	bool *node;             /* [nodes] */
	bool *channel;          /* [channels], also those of failed nodes */
	const uint32_t *listed; /* [count] the failed channels, one or both of each cable */
	size_t count;
};

/* A table entry that changes. */
struct entry_change {
	uint32_t column, host; /* of the routing graph; of the destination */
	uint32_t channel;      /* NONE: it has no entry any more */
};

struct entry_changes {
	struct entry_change *list; /* [count], in no particular order */
	size_t count, capacity;
	char refusal[300]; /* why OpenSM refuses the engine now and falls back to minhop, whose tables these are; "": it does not */
};

/* Where the entries of a fabric are. */
struct opensm_places {
	uint32_t *column;  /* [switches] NONE: not in the fabric */
	uint32_t *channel; /* [ports of the subnet] that leaves there; NONE: none of the fabric */
};

struct opensm_failing {
	const struct routing_graph *graph;
	const char *engine;
	struct opensm_view view;
	struct opensm_options options;
	uint64_t *guid[3];           /* of the options */
	uint32_t *next;              /* [hosts][columns] the tables of the intact fabric */
	struct opensm_places places; /* by the numbers of again */
	uint32_t *number;            /* [nodes of the view] in again; OPENSM_NONE */
	uint32_t *lid_host;          /* [lids] NONE: of no host */
	bool each;                   /* entries are found without the whole tables */
	struct opensm_again again;
	struct opensm_node *left_node; /* [nodes of the view] what is left */
	uint32_t *left;                /* [nodes of the view] their numbers in the view */
	struct opensm_port *left_port; /* [ports of the view] */
	struct routed routed;          /* whole tables of the last failure, and its service levels */
};

/* Adds a change to the list. Returns 0, or -1 if out of memory. */
int entry_changes_add(struct entry_changes *changes, struct entry_change change, struct error *error);

/* Routes a failure. Entries of failed nodes and to failed hosts are not listed. Returns 0, or -1 if out of memory. */
int opensm_failing_route(
	struct opensm_failing *failing, const struct failed_parts *failed, struct entry_changes *changes, struct error *error);

/* Sets up what opensm_failing_route() needs beside what the engine has left (graph to guid). Returns 0, or -1 if out of memory. */
int opensm_failing_begin(struct opensm_failing *failing, const struct routed *routed, struct error *error);
void opensm_failing_clear(struct opensm_failing *failing);

/* ---- tables of OpenSM in the columns of a routing graph */

/* Fills the tables and the service levels of a result. Returns 0, or -1. */
int opensm_fill_routed(struct routed *routed, const struct opensm_view *view, const struct routing_graph *graph,
	const struct opensm_tables *tables, struct error *error);

#endif
