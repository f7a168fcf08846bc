/* Nodes at given positions, by Graphviz's attribute pos or by the topology, stretched until no boxes overlap. */
#include "base/memory.h"
#include "tools/draw/layout.h"

#include "base/args.h"
#include "topologies/topology.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * In points: the unit of a topology's positions; the minimum gap between boxes. The maximum stretch for that, and the scale of small boxes.
 */
static const double unit = 90, box_gap = 8, stretch_max = 6, plain_scale = 0.45;

/* Reads "X,Y", possibly with more text, such as "10,20!". */
static bool read_place(const char *text, struct point *place)
{
	char *rest;
	if (!text)
		return false;
	place->x = read_decimal(text, &rest);
	if (rest == text || *rest != ',')
		return false;
	text = rest + 1;
	place->y = read_decimal(text, &rest);
	return rest != text && isfinite(place->x) && isfinite(place->y);
}

bool places_given(const struct fabric *fabric, const struct attributes *attributes)
{
	struct point place;
	bool given = true;
	for (uint32_t v = 0; v < fabric->nodes && given; v++)
		given = read_place(attributes_of_node(attributes, v, "pos"), &place);
	return given;
}

/* Returns whether all nodes have a position in the graph. */
static bool read_places(struct drawing *drawing, const struct attributes *attributes)
{
	for (uint32_t v = 0; v < drawing->fabric->nodes; v++)
		if (!read_place(attributes_of_node(attributes, v, "pos"), &drawing->place[v]))
			return false;
	return true;
}

/* Returns whether the nodes are those of the topology, in its order: hosts, then switches. */
static bool take_places(struct drawing *drawing, const struct topology *topology)
{
	const struct fabric *fabric = drawing->fabric;
	char name[TOPOLOGY_NAME_MAX];
	if (fabric->nodes != topology->hosts + topology->switches)
		return false;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		bool host = v < topology->hosts;
		uint32_t node = v - (host ? 0 : topology->hosts);
		topology->kind->node_name(topology, host, node, name);
		if (strcmp(name, fabric->labels->name[v]) != 0)
			return false;
		struct topology_place at = topology_place(topology, host, node);
		drawing->place[v] = (struct point){at.x * unit, at.y * unit};
	}
	return true;
}

int drawing_find_places(struct drawing *drawing, const struct attributes *attributes, struct error *error)
{
	struct error none = {0};
	drawing->place = array_create(drawing->fabric->nodes, sizeof *drawing->place, error);
	if (!drawing->place)
		return -1;
	drawing->places_given = read_places(drawing, attributes);
	if (drawing->places_given)
		return 0;
	struct topology *topology = drawing->topology ? topology_create(drawing->topology, &none) : NULL;
	if (!topology || !take_places(drawing, topology)) {
		free(drawing->place);
		drawing->place = NULL;
	}
	topology_free(topology);
	return 0;
}

/* A box of several hosts is placed at their mean position. */
static void place_boxes(struct drawing *drawing)
{
	const struct fabric *fabric = drawing->fabric;
	for (uint32_t b = 0; b < drawing->boxes; b++) {
		drawing->box[b].at = drawing->box[b].kind == BOX_HOSTS ? (struct point){0, 0} : drawing->place[drawing->box[b].node];
		drawing->box[b].head = b; /* no box is attached to another */
	}
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		struct box *box = drawing->box_of[v] == NONE ? NULL : &drawing->box[drawing->box_of[v]];
		if (box && box->kind == BOX_HOSTS) {
			box->at.x += drawing->place[v].x / box->hosts;
			box->at.y += drawing->place[v].y / box->hosts;
		}
	}
}

/* Returns the factor by which the distance of two boxes must grow so that they do not touch. */
static double stretch(const struct box *a, const struct box *b)
{
	double dx = fabs(a->at.x - b->at.x), dy = fabs(a->at.y - b->at.y);
	return fmin(((a->width + b->width) / 2 + box_gap) / dx, ((a->height + b->height) / 2 + box_gap) / dy);
}

static void spread(struct drawing *drawing)
{
	double factor = drawing->plain ? plain_scale : 1;
	for (uint32_t a = 0; a < drawing->boxes; a++)
		for (uint32_t b = 0; b < a; b++)
			factor = fmax(factor, stretch(&drawing->box[a], &drawing->box[b]));
	factor = fmin(factor, stretch_max);
	for (uint32_t b = 0; b < drawing->boxes; b++) {
		drawing->box[b].at.x *= factor;
		drawing->box[b].at.y *= factor;
	}
}

int layout_places(struct drawing *drawing, bool forced, struct error *error)
{
	if (drawing->place) {
		place_boxes(drawing);
		spread(drawing);
		return 1;
	}
	if (!forced)
		return 0;
	const char *topology = drawing->topology;
	return error_at(error, STATUS_FABRIC, drawing->fabric->labels->source, 0,
		"--layout pos needs positions: not all nodes have the attribute pos, and %s%s",
		topology ? "the nodes are not exactly those of " : "the graph names no topology", topology ? topology : "");
}
