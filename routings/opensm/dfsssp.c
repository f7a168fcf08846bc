/*
 * sssp on lanes: all paths start on lane 0; of each cycle of channels the edge with the fewest paths is cut, and these go to the next lane.
 * Domke, Hoefler, Nagel: Deadlock-Free Oblivious Routing for Arbitrary Topologies, IPDPS 2011.
 */
#include "base/memory.h"
#include "routings/opensm/dfsssp_graph.h"
#include "routings/opensm/sssp.h"

#include <stdlib.h>
#include <string.h>

enum colour { WHITE, GREY, BLACK };

struct layers {
	struct opensm_task *task;
	struct sssp sssp;
	struct dfsssp_graph graph, next; /* of the lane at hand, and the one above it */
	unsigned lane;
	uint32_t *source; /* [sources] switches with CAs, in the order of these as targets */
	uint32_t sources;
	uint32_t *cas;            /* [switches] LIDs of CAs with lanes */
	uint8_t *colour;          /* [links] */
	uint32_t *entered_from;   /* [links] channel before it in the search, OPENSM_NONE */
	uint32_t *cycle;          /* [links] */
	uint32_t *order;          /* [links] the lane's channels in preorder */
	uint32_t *place;          /* [links] in that */
	uint32_t channels, white; /* no channel before this place is white */
	uint64_t paths[OPENSM_LANES + 1];
};

/* ---- paths ---- */

static uint8_t *lane_of(const struct layers *layers, struct dfsssp_flow flow)
{
	return &layers->task->tables->lane[(size_t)flow.target * layers->task->tables->switches + flow.from];
}

/* The channel by which a switch sends to the target, OPENSM_NONE where that is attached to it, or there is no path. */
static uint32_t channel_of(const struct layers *layers, uint32_t s, uint32_t target)
{
	const struct sssp_target *to = &layers->sssp.target[target];
	unsigned port = opensm_entry(layers->task->tables, s, to->lid);
	return s == to->to || port == OPENSM_NO_PORT ? OPENSM_NONE : layers->task->fabric->sw[s].link + port;
}

static int add_path(struct layers *layers, struct dfsssp_graph *graph, struct dfsssp_flow flow)
{
	uint32_t before = OPENSM_NONE, channel = channel_of(layers, flow.from, flow.target);
	while (channel != OPENSM_NONE) {
		dfsssp_graph_channel(graph, channel);
		if (before != OPENSM_NONE && dfsssp_graph_edge(graph, before, channel, flow, layers->cas[flow.from], layers->task->error))
			return -1;
		before = channel;
		channel = channel_of(layers, layers->task->fabric->link[channel].to, flow.target);
	}
	return 0;
}

static void remove_path(struct layers *layers, struct dfsssp_flow flow)
{
	uint32_t channel = channel_of(layers, flow.from, flow.target);
	while (channel != OPENSM_NONE) {
		uint32_t next = channel_of(layers, layers->task->fabric->link[channel].to, flow.target);
		if (next != OPENSM_NONE)
			dfsssp_graph_find(&layers->graph, channel, next)->paths -= layers->cas[flow.from];
		channel = next;
	}
}

/* ---- cycles ---- */

/* The first edge to a grey channel, or unless only those are asked for a white one; NULL. */
static struct dfsssp_edge *first_open(const struct layers *layers, uint32_t channel, bool grey)
{
	for (uint32_t e = layers->graph.first_edge[channel]; e != OPENSM_NONE; e = layers->graph.edge[e].next) {
		struct dfsssp_edge *edge = &layers->graph.edge[e];
		if (!edge->cut && (layers->colour[edge->to] == GREY || (!grey && layers->colour[edge->to] == WHITE)))
			return edge;
	}
	return NULL;
}

/* The paths of an edge that are on the lane still go to the next. */
static int cut(struct layers *layers, struct dfsssp_edge *edge)
{
	edge->cut = true;
	for (size_t i = 0; i < edge->flows; i++) {
		struct dfsssp_flow flow = edge->flow[i];
		if (*lane_of(layers, flow) != layers->lane)
			continue;
		remove_path(layers, flow);
		*lane_of(layers, flow) = (uint8_t)(layers->lane + 1);
		layers->paths[layers->lane] -= layers->cas[flow.from];
		layers->paths[layers->lane + 1] += layers->cas[flow.from];
		if (add_path(layers, &layers->next, flow))
			return -1;
	}
	return 0;
}

/* Of the cycle of grey channels that begins at start the edge with the fewest paths is cut, and its channels become white. */
static int break_cycle(struct layers *layers, uint32_t start)
{
	struct dfsssp_edge *weakest = NULL;
	uint32_t channel = start, count = 0;
	do {
		struct dfsssp_edge *edge = first_open(layers, channel, true);
		if (!weakest || edge->paths < weakest->paths)
			weakest = edge;
		layers->cycle[count++] = channel;
		channel = edge->to;
	} while (channel != start);
	for (uint32_t i = 0; i < count; i++) {
		layers->colour[layers->cycle[i]] = WHITE;
		if (layers->place[layers->cycle[i]] < layers->white)
			layers->white = layers->place[layers->cycle[i]];
	}
	return cut(layers, weakest);
}

/*
 * Searches what can be reached from a channel for cycles, depth first, and breaks them. As in OpenSM a channel keeps the one it was entered
 * from when its cycle is broken: where a search starts at such a channel, it ends with a walk back along these.
 */
static int search(struct layers *layers, uint32_t channel)
{
	while (channel != OPENSM_NONE) {
		layers->colour[channel] = GREY;
		const struct dfsssp_edge *edge = first_open(layers, channel, false);
		if (!edge) {
			layers->colour[channel] = BLACK;
			channel = layers->entered_from[channel];
			if (channel != OPENSM_NONE && layers->colour[channel] == BLACK)
				return 0;
		} else if (layers->colour[edge->to] == WHITE) {
			layers->entered_from[edge->to] = channel;
			channel = edge->to;
		} else {
			channel = edge->to;
			if (break_cycle(layers, channel))
				return -1;
		}
	}
	return 0;
}

/* Frees the lane at hand of cycles. Returns 0, or -1. */
static int clear_lane(struct layers *layers)
{
	layers->channels = dfsssp_graph_preorder(&layers->graph, layers->order, layers->cycle);
	memset(layers->colour, WHITE, layers->task->fabric->links);
	memset(layers->entered_from, 0xff, layers->task->fabric->links * sizeof *layers->entered_from); /* OPENSM_NONE */
	for (uint32_t i = 0; i < layers->channels; i++)
		layers->place[layers->order[i]] = i;
	layers->white = 0;
	while (layers->white < layers->channels)
		if (layers->colour[layers->order[layers->white]] != WHITE)
			layers->white++;
		else if (search(layers, layers->order[layers->white]))
			return -1;
	return 0;
}

/* ---- lanes ---- */

static int layers_init(struct layers *layers)
{
	const struct opensm_fabric *fabric = layers->task->fabric;
	struct error *error = layers->task->error;
	layers->source = array_create(fabric->switches, sizeof *layers->source, error);
	layers->cas = array_create(fabric->switches, sizeof *layers->cas, error);
	layers->colour = array_create(fabric->links, 1, error);
	layers->entered_from = array_create(fabric->links, sizeof *layers->entered_from, error);
	layers->cycle = array_create(fabric->links, sizeof *layers->cycle, error);
	layers->order = array_create(fabric->links, sizeof *layers->order, error);
	layers->place = array_create(fabric->links, sizeof *layers->place, error);
	layers->task->tables->lane = array_create((size_t)layers->sssp.targets * fabric->switches, 1, error);
	layers->task->tables->row_of_lid = array_create(fabric->lids, sizeof(uint32_t), error);
	if (error->status)
		return -1;
	memset(layers->task->tables->row_of_lid, 0xff, fabric->lids * sizeof(uint32_t)); /* OPENSM_NONE */
	for (uint32_t t = 0; t < layers->sssp.targets; t++) {
		const struct sssp_target *target = &layers->sssp.target[t];
		layers->task->tables->row_of_lid[target->lid] = t;
		if (target->at && !target->one_sl && !layers->cas[target->to]++)
			layers->source[layers->sources++] = target->to;
	}
	return dfsssp_graph_init(&layers->graph, fabric, error);
}

static void layers_clear(struct layers *layers)
{
	dfsssp_graph_clear(&layers->graph);
	dfsssp_graph_clear(&layers->next);
	sssp_clear(&layers->sssp);
	free(layers->source);
	free(layers->cas);
	free(layers->colour);
	free(layers->entered_from);
	free(layers->cycle);
	free(layers->order);
	free(layers->place);
}

/* All paths go on lane 0. */
static int start(struct layers *layers)
{
	uint64_t ports = 0;
	for (uint32_t t = 0; t < layers->sssp.targets; t++) {
		ports += !layers->sssp.target[t].one_sl;
		for (uint32_t i = 0; i < layers->sources && !layers->sssp.target[t].one_sl; i++)
			if (add_path(layers, &layers->graph, (struct dfsssp_flow){layers->source[i], t}))
				return -1;
	}
	layers->paths[0] = ports ? ports * (ports - 1) : 0;
	return 0;
}

static int fill_lanes(struct layers *layers, unsigned available)
{
	struct opensm_task *task = layers->task;
	if (start(layers))
		return -1;
	for (layers->lane = 0; layers->graph.root != OPENSM_NONE; layers->lane++) {
		if (layers->lane == available)
			return opensm_refuse(task,
				"the lanes do not suffice: more than the %u that all links have would be needed (AD25); nue may need fewer",
				available);
		if (dfsssp_graph_init(&layers->next, task->fabric, task->error) || clear_lane(layers))
			return -1;
		dfsssp_graph_clear(&layers->graph);
		layers->graph = layers->next;
		layers->next = (struct dfsssp_graph){0};
	}
	task->tables->lanes = layers->lane ? layers->lane : 1;
	return 0;
}

/* Lanes that are left go to those with the most paths for each that they have. */
static void spread(struct layers *layers, unsigned available)
{
	struct opensm_tables *tables = layers->task->tables;
	memset(tables->sls, 1, tables->lanes);
	for (unsigned left = available - tables->lanes; left; left--) {
		unsigned most = 0;
		for (unsigned i = 1; i < tables->lanes; i++)
			if (layers->paths[i] * tables->sls[most] > layers->paths[most] * tables->sls[i])
				most = i;
		tables->sls[most]++;
	}
	for (unsigned i = 1; i < tables->lanes; i++)
		tables->first_sl[i] = tables->first_sl[i - 1] + tables->sls[i - 1];
}

int opensm_dfsssp(struct opensm_task *task)
{
	struct layers layers = {.task = task};
	unsigned available = opensm_lanes(task);
	if (!sssp_route(&layers.sssp, task, false) && !layers_init(&layers) && !fill_lanes(&layers, available) && !*task->tables->refusal)
		spread(&layers, available);
	layers_clear(&layers);
	return task->error->status ? -1 : 0;
}
