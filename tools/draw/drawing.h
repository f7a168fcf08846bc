/*
 * The content of a picture: boxes for switches and hosts, lines for cables. A head is a box with a position of its own: a switch, or a host
 * without one; all other boxes are attached to a head. Lengths are points, y goes up, as in Graphviz.
 */
#ifndef TOOLS_DRAW_DRAWING_H
#define TOOLS_DRAW_DRAWING_H

#include "base/error.h"
#include "fabric/chassis.h"
#include "fabric/fabric.h"
#include "formats/dot.h"
#include "tools/draw/heat.h"

#include <stdbool.h>
#include <stdint.h>

enum hosts_shown { HOSTS_AUTO, HOSTS_ALL, HOSTS_FOLD, HOSTS_NONE };

enum {
	LABEL_CHARACTERS = 32, /* longer names are shortened */
	LABEL_SIZE = 4 * LABEL_CHARACTERS + 1,
	HOSTS_SHOWN_MAX = 64, /* HOSTS_AUTO folds hosts above this number */
	PARALLEL_MAX = 4,     /* more cables between two boxes are merged to one line */
};

struct point {
	double x, y;
};

enum side { SIDE_CENTRE, SIDE_TOP, SIDE_BOTTOM, SIDE_LEFT, SIDE_RIGHT };

enum box_kind { BOX_SWITCH, BOX_HOST, BOX_HOSTS };

struct box {
	enum box_kind kind;
	uint32_t node;         /* BOX_HOSTS: the first host */
	uint32_t hosts;        /* BOX_HOSTS: number of hosts in the box */
	uint32_t head;         /* the box to which it is attached; a head: itself */
	uint32_t hung, first;  /* a head: number of attached boxes, and the first of them; they are consecutive */
	uint32_t fabric_hosts; /* a head: number of its hosts, shown or not */
	enum side side;        /* side at which it is attached */
	char label[LABEL_SIZE];
	struct point at; /* centre */
	double width, height;
};

/* A cable with its directions: 0 leads from box[0], the lower number, to box[1], 1 back; one is NONE if the file has only the other. */
struct drawn_cable {
	uint32_t channel[2], box[2];
	double heat[2];
};

/* A line represents one cable, or all cables between its boxes. */
struct line {
	uint32_t first, count; /* its cables */
	uint32_t box[2];
	uint32_t lane, lanes;  /* parallel lines are numbered from 0 */
	enum side side[2];     /* sides at which it leaves its boxes */
	double heat;           /* heat of the worst direction of the worst cable */
	struct point curve[4]; /* a Bézier curve */
};

struct drawing {
	const struct fabric *fabric;
	const struct heat *heat;
	struct box *box; /* heads first */
	uint32_t boxes, heads;
	uint32_t *box_of;          /* [nodes] NONE if not shown */
	const char **title;        /* [nodes] title: the description if it is unique, otherwise the name; borrowed from the fabric */
	struct drawn_cable *cable; /* cables shown, those of a line consecutive */
	struct line *line;
	uint32_t cables, lines;
	uint32_t fabric_cables;         /* number of bidirectional cables of the fabric */
	uint32_t fabric_one_way;        /* number of channels without an opposite direction */
	const char *topology, *routing; /* topology and routing that the graph names, or NULL; borrowed */
	bool plain;                     /* no names, no legend */
	struct chassis_list chassis;    /* of the fabric; empty: none, or unknown */
	struct point *place;            /* [nodes] given positions, NULL: none */
	bool places_given;              /* the positions are the graph's own */
};

/*
 * Creates the boxes, with labels and sizes, or plain, small without labels, and the lines; layout() and curves_draw() set their positions.
 * Returns NULL if out of memory. Time O(channels log channels).
 */
struct drawing *drawing_create(
	const struct fabric *fabric, const struct heat *heat, enum hosts_shown hosts, bool plain, struct error *error);
void drawing_free(struct drawing *drawing);

/*
 * Finds given positions of the nodes: by the attribute pos if all nodes have it, otherwise from the drawing's topology, if the nodes are
 * exactly those of the topology. Returns 0, or -1 if out of memory.
 */
int drawing_find_places(struct drawing *drawing, const struct attributes *attributes, struct error *error);

/* Returns whether all nodes have a position by the attribute pos. */
bool places_given(const struct fabric *fabric, const struct attributes *attributes);

/* Returns the chassis of a head; NONE if it is in none. */
static inline uint32_t drawing_chassis(const struct drawing *drawing, uint32_t head)
{
	return drawing->chassis.count ? drawing->chassis.of[drawing->box[head].node] : NONE;
}

/* Returns the direction of a one-way line, 0 or 1: that of all its cables; -1 if some lead back. */
int line_only_way(const struct drawing *drawing, const struct line *line);

/* Returns the worse direction of a cable, 0 or 1. */
int cable_worse(const struct drawn_cable *cable);

/* Returns the number of cables of a line between two switches if it is the same for all such lines; 0 if it differs. */
uint32_t drawing_bundle(const struct drawing *drawing);

/* The neighbours of each head: neighbour[first[h]] .. neighbour[first[h + 1] - 1], ascending. */
struct neighbours {
	uint32_t *first, *neighbour;
};

/* Returns 0, or -1. */
int neighbours_init(struct neighbours *neighbours, const struct drawing *drawing, struct error *error);
void neighbours_clear(struct neighbours *neighbours);
bool neighbours_are(const struct neighbours *neighbours, uint32_t a, uint32_t b);

#endif
