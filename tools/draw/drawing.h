/*
 * What a picture shows: boxes for switches and hosts, lines for cables. A head is a box with a place of its own: a switch, or a host
 * without one; all other boxes hang from a head. Lengths are points, y goes up, as in Graphviz.
 */
#ifndef TOOLS_DRAW_DRAWING_H
#define TOOLS_DRAW_DRAWING_H

#include "base/error.h"
#include "fabric/fabric.h"
#include "formats/dot.h"
#include "tools/draw/heat.h"

#include <stdbool.h>
#include <stdint.h>

enum hosts_shown { HOSTS_AUTO, HOSTS_ALL, HOSTS_FOLD, HOSTS_NONE };

enum {
	LABEL_CHARACTERS = 32, /* longer names lose their middle */
	LABEL_SIZE = 4 * LABEL_CHARACTERS + 1,
	HOSTS_SHOWN_MAX = 64, /* HOSTS_AUTO folds above */
	PARALLEL_MAX = 4,     /* more cables between two boxes become one line */
};

struct point {
	double x, y;
};

enum side { SIDE_CENTRE, SIDE_TOP, SIDE_BOTTOM, SIDE_LEFT, SIDE_RIGHT };

enum box_kind { BOX_SWITCH, BOX_HOST, BOX_HOSTS };

struct box {
	enum box_kind kind;
	uint32_t node;         /* BOX_HOSTS: the first of them */
	uint32_t hosts;        /* BOX_HOSTS: how many it stands for */
	uint32_t head;         /* the box it hangs from; a head: itself */
	uint32_t hung, first;  /* a head: how many boxes hang from it, and the first of them; they stand together */
	uint32_t fabric_hosts; /* a head: how many hosts it has, shown or not */
	enum side side;        /* where it hangs */
	char label[LABEL_SIZE];
	struct point at; /* its centre */
	double width, height;
};

/* A cable with its directions: 0 leads from box[0], the lower number, to box[1], 1 back; one is NONE where the file has only the other. */
struct drawn_cable {
	uint32_t channel[2], box[2];
	double heat[2];
};

/* One line stands for one cable, or for all between its boxes. */
struct line {
	uint32_t first, count; /* its cables */
	uint32_t box[2];
	uint32_t lane, lanes;  /* lines side by side count from 0 */
	enum side side[2];     /* where it leaves its boxes */
	double heat;           /* of the worst direction of the worst cable */
	struct point curve[4]; /* a Bézier curve */
};

struct drawing {
	const struct fabric *fabric;
	const struct heat *heat;
	struct box *box; /* heads first */
	uint32_t boxes, heads;
	uint32_t *box_of;   /* [nodes] NONE where it is not shown */
	const char **title; /* [nodes] what it is called: its description where that is its own, else its name; borrowed from the fabric */
	struct drawn_cable *cable; /* those shown, the cables of a line together */
	struct line *line;
	uint32_t cables, lines;
	uint32_t fabric_cables;         /* all there are that lead both ways */
	uint32_t fabric_one_way;        /* channels without one back */
	const char *topology, *routing; /* what the graph says that it is, and how it is routed; NULL where it does not; borrowed */
	bool plain;                     /* no names, no legend */
	struct point *place;            /* [nodes] where they are to stand, NULL if nobody says */
	bool places_given;              /* the graph says so itself */
};

/*
 * Makes the boxes, with labels and sizes, or plain, without labels and small, and the lines; where they stand is for layout() and
 * curves_draw(). NULL without memory. Time O(channels log channels).
 */
struct drawing *drawing_create(
	const struct fabric *fabric, const struct heat *heat, enum hosts_shown hosts, bool plain, struct error *error);
void drawing_free(struct drawing *drawing);

/*
 * Finds where the nodes are to stand: if all have the attribute pos, there, else where the drawing's topology places them, if they are just
 * its nodes. Returns 0, or -1 without memory.
 */
int drawing_find_places(struct drawing *drawing, const struct attributes *attributes, struct error *error);

/* Which direction a line has alone, 0 or 1: that of all its cables; -1 where some lead back. */
int line_only_way(const struct drawing *drawing, const struct line *line);

/* The worse direction of a cable, 0 or 1. */
int cable_worse(const struct drawn_cable *cable);

/* How many cables a line between two switches stands for, where it is the same for all of them; 0 where it differs. */
uint32_t drawing_bundle(const struct drawing *drawing);

/* Which heads are neighbours: neighbour[first[h]] .. neighbour[first[h + 1] - 1], in rising order. */
struct neighbours {
	uint32_t *first, *neighbour;
};

/* Returns 0, or -1. */
int neighbours_init(struct neighbours *neighbours, const struct drawing *drawing, struct error *error);
void neighbours_clear(struct neighbours *neighbours);
bool neighbours_are(const struct neighbours *neighbours, uint32_t a, uint32_t b);

#endif
