/* The cables of a fabric or of a plan, and how those of one correspond to those of the other. */
#ifndef TOOLS_CHECK_CABLE_LIST_H
#define TOOLS_CHECK_CABLE_LIST_H

#include "fabric/attributes.h"
#include "fabric/described.h"

#include <stdbool.h>

/* Ports of lists that have no number are numbered from here. */
enum { PORT_UNNUMBERED = 1 << 16 };

struct cable_end {
	uint32_t node; /* of the fabric found; larger numbers: a node that only the other side has */
	uint32_t port; /* 0: unknown */
};

struct cable {
	struct cable_end end[2]; /* the lower node or port first */
	const char *name[2];     /* names of nodes that are not in the fabric found; NULL: they are. Borrowed, as label */
	const char *label[2];    /* ports without a number; NULL: none */
	double gbps;             /* 0: unknown */
	unsigned lanes;          /* width; 0: unknown */
	uint32_t channel;        /* one of its channels; NONE: from a list */
	uint32_t row;            /* index in a list plus 1; 0: of no list */
	bool turned;             /* the input has the ends in the opposite order */
	uint32_t match;          /* the cable of the other side that corresponds to it, NONE */
	enum cable_match { CABLE_ALONE, CABLE_SAME, CABLE_MOVED } how;
};

struct cable_list {
	struct cable *cable; /* [cables] sorted by their ends */
	uint32_t cables;
	uint32_t others; /* cables behind these that are not compared */
	size_t capacity;
};

/* Adds a cable with its ends in order. Returns 0, or -1 if out of memory. */
int cable_list_add(struct cable_list *list, struct cable cable, struct error *error);

/* A fabric whose cables are compared. */
struct cabled_fabric {
	const struct fabric *fabric;         /* with labels */
	const uint32_t *reverse;             /* result of fabric_reverse() */
	const struct attributes *attributes; /* for speeds and widths; NULL: the speeds of the fabric */
	const uint32_t *same;                /* [nodes] node of the fabric found, NONE: it has none; NULL: this is the fabric found */
	uint32_t others;                     /* node v without one gets the number others + v */
};

/* Adds all cables of a fabric, and sorts them. Returns 0, or -1 if out of memory. Time O(channels log channels). */
int cable_list_of_fabric(struct cable_list *list, const struct cabled_fabric *from, struct error *error);

/* Sorts the cables; call it after the last one has been added. Time O(cables log cables). */
void cable_list_sort(struct cable_list *list);
void cable_list_clear(struct cable_list *list);

/*
 * Finds for each cable of one side the one of the other side with the same ends, an unknown port being any; then, of the others, pairs that
 * share the port of one end, as many as possible (CABLE_MOVED). hosts: [nodes] whether a node is a host, which is the end that a moved
 * cable preferably keeps. Returns 0, or -1 if out of memory. Time O(cables log cables), except for many parallel cables without ports.
 */
int cable_list_match(struct cable_list *planned, struct cable_list *found, const bool *hosts, uint32_t nodes, struct error *error);

/* Writes an end as NAME[PORT], and both as END - END. */
void write_cable_end(FILE *file, const struct fabric *fabric, const struct cable *cable, int end);
void write_cable(FILE *file, const struct fabric *fabric, const struct cable *cable);

/* Adds the members from, from_port, to, to_port, speed and width. */
void add_cable(struct node *to, const struct fabric *fabric, const struct cable *cable);

/* Returns whether the speeds or the widths of two cables are known and differ. */
bool cables_differ_in_speed(const struct cable *a, const struct cable *b);

#endif
