#include "layers.h"

#include <stdlib.h>
#include <string.h>

enum colour { WHITE, GREY, BLACK }; /* not seen, on the way, without a cycle behind it */

struct layers {
	struct dependencies *dependencies;
	struct trees *trees;
	const struct digraph *graph;
	uint32_t *start_at[2];   /* [nodes] the start of the host itself, and that of hosts one channel before; NONE: there is none */
	uint32_t *first_in, *in; /* channels into node v: in[first_in[v]..first_in[v + 1] - 1] */
	uint32_t *tail;          /* [channels] */
	uint16_t *lane;          /* [hosts][starts] of the routes from a start to a destination */
	uint16_t layer;          /* that is made free of cycles now */
	uint64_t *first_user;    /* [edges + 1] */
	uint32_t *user;          /* [first_user[edges]] the destinations that need an edge, on any lane */
	uint32_t *users;         /* [edges] how many routes of the layer need it */
	uint32_t *queue;         /* [nodes] */
	uint8_t *colour;         /* [vertices] */
	uint64_t *edge;          /* [vertices] the next to look at */
	uint32_t *way, length;   /* of the depth-first search */
};

enum { NO_LANE = UINT16_MAX }; /* of pairs without a route */

static uint32_t next_channel(const struct layers *l, uint32_t node, uint32_t destination)
{
	const struct forwarding *f = l->trees->forwarding;
	return forwarding_next(f, node, f->column[node], destination);
}

/* Channels turned round, but for the links before starts, unless routes of others use them; and what starts where. */
static void turn_round(struct layers *l)
{
	const struct trees *t = l->trees;
	const struct fabric *f = t->fabric;
	for (int fill = 0; fill < 2; fill++) { /* first how many; then from the end of each list on */
		for (uint32_t v = 0; v < f->nodes; v++) {
			bool used = dependencies_forwards(l->dependencies, v) || t->link[f->node_host[v]] == NONE;
			for (uint32_t c = f->first_channel[v]; used && c < f->first_channel[v + 1]; c++) {
				l->tail[c] = v;
				if (fill)
					l->in[--l->first_in[f->head[c]]] = c;
				else
					l->first_in[f->head[c]]++;
			}
		}
		for (uint32_t v = 0; v < f->nodes && !fill; v++)
			l->first_in[v + 1] += l->first_in[v];
	}
	for (int before = 0; before < 2; before++)
		memset(l->start_at[before], 0xff, f->nodes * sizeof *l->start_at[before]);
	for (uint32_t s = 0; s < t->starts; s++)
		l->start_at[t->start[s].before][t->start[s].node] = s;
}

/* Puts all routes on the first lane, and lists the destinations of each edge. */
static int find_users(struct layers *l, struct error *error)
{
	struct trees *t = l->trees;
	uint64_t edges = l->graph->first[l->graph->vertices];
	for (int fill = 0; fill < 2 && !error->status; fill++) { /* first how many */
		for (uint32_t h = 0; h < t->fabric->hosts; h++) {
			trees_make(t, h);
			for (uint32_t i = dependencies_list(l->dependencies); i--;) {
				uint64_t e = digraph_edge(l->graph, l->dependencies->list[i].in, l->dependencies->list[i].out);
				if (fill)
					l->user[--l->first_user[e]] = h;
				else
					l->first_user[e]++;
			}
			for (uint32_t s = 0; s < t->starts; s++)
				if (!trees_senders(t, s) || t->distance[t->start[s].node] >= TREE_DISTANCE_END)
					l->lane[(size_t)h * t->starts + s] = NO_LANE;
		}
		for (uint64_t e = 0; e < edges && !fill; e++)
			l->first_user[e + 1] += l->first_user[e];
		if (!fill)
			l->user = array_create(l->first_user[edges], sizeof *l->user, error);
	}
	return error->status ? -1 : 0;
}

/* Adds or takes away what the routes from the start to the destination need. */
static void count_route(struct layers *l, uint32_t start, uint32_t destination, uint32_t change)
{
	const struct dependencies *d = l->dependencies;
	const struct trees *t = l->trees;
	const uint32_t *head = t->fabric->head;
	uint32_t node = t->start[start].node, root = t->fabric->host_node[destination];
	uint32_t out = node == root ? NONE : next_channel(l, node, destination);
	if (out == NONE || !dependencies_forwards(d, head[out]))
		return;
	for (uint32_t i = d->first_member[start]; t->passes && i < d->first_member[start + 1]; i++) {
		uint32_t host = d->member[i];
		if (d->passed[host] && host != destination && t->link[host] != NONE)
			l->users[digraph_edge(l->graph, t->link[host], out)] += change;
	}
	for (bool counts = dependencies_forwards(d, node); head[out] != root; counts = true) {
		uint32_t in = out;
		out = next_channel(l, head[in], destination);
		if (!dependencies_forwards(d, head[out]))
			return;
		if (counts)
			l->users[digraph_edge(l->graph, in, out)] += change;
	}
}

/* Sends the start's routes to the destination to the next lane, if they are on this. */
static void move_route(struct layers *l, uint32_t start, uint32_t destination)
{
	if (start == NONE || l->lane[(size_t)destination * l->trees->starts + start] != l->layer)
		return;
	count_route(l, start, destination, (uint32_t)-1);
	l->lane[(size_t)destination * l->trees->starts + start]++;
}

/* Sends the routes to the destination that need the channel to the next lane: of all nodes from which the ways lead there. */
static void move_users(struct layers *l, uint32_t channel, uint32_t destination)
{
	const struct trees *t = l->trees;
	uint32_t tail = l->tail[channel], host = t->fabric->node_host[tail], from = 0, to = 0;
	if (host != NONE && t->link[host] == channel)
		move_route(l, t->start_of[host], destination);
	l->queue[to++] = tail;
	for (; from < to; from++) {
		uint32_t v = l->queue[from];
		move_route(l, l->start_at[0][v], destination);
		move_route(l, l->start_at[1][v], destination);
		for (uint32_t i = l->first_in[v]; i < l->first_in[v + 1]; i++) {
			uint32_t u = l->tail[l->in[i]];
			if (u != t->fabric->host_node[destination] && next_channel(l, u, destination) == l->in[i])
				l->queue[to++] = u;
		}
	}
}

/* Sends all routes of the layer that need the edge to the next. */
static void cut(struct layers *l, uint32_t in, uint32_t out)
{
	uint64_t e = digraph_edge(l->graph, in, out);
	for (uint64_t i = l->first_user[e]; l->users[e] && i < l->first_user[e + 1]; i++)
		move_users(l, in, l->user[i]);
}

/* The way's last vertex leads back to way[from]: breaks that cycle, and shortens the way to what is left of it. */
static void break_cycle(struct layers *l, uint32_t from)
{
	uint32_t weakest = from, fewest = UINT32_MAX;
	for (uint32_t i = from; i < l->length; i++) {
		uint32_t users = l->users[digraph_edge(l->graph, l->way[i], l->way[i + 1 < l->length ? i + 1 : from])];
		if (users < fewest) {
			fewest = users;
			weakest = i;
		}
	}
	cut(l, l->way[weakest], l->way[weakest + 1 < l->length ? weakest + 1 : from]);
	for (uint32_t i = 0; i + 1 < l->length; i++)
		if (!l->users[digraph_edge(l->graph, l->way[i], l->way[i + 1])])
			while (l->length > i + 1)
				l->colour[l->way[--l->length]] = WHITE;
}

static void enter(struct layers *l, uint32_t v)
{
	l->colour[v] = GREY;
	l->edge[v] = l->graph->first[v];
	l->way[l->length++] = v;
}

static void search(struct layers *l, uint32_t root)
{
	enter(l, root);
	while (l->length) {
		uint32_t v = l->way[l->length - 1];
		if (l->edge[v] == l->graph->first[v + 1]) {
			l->colour[v] = BLACK;
			l->length--;
			continue;
		}
		uint32_t w = l->graph->to[l->edge[v]];
		if (!l->users[l->edge[v]] || l->colour[w] == BLACK) {
			l->edge[v]++;
		} else if (l->colour[w] == WHITE) {
			enter(l, w);
		} else {
			uint32_t from = l->length - 1;
			while (l->way[from] != w)
				from--;
			break_cycle(l, from);
		}
	}
}

/* Makes the layer free of cycles. Returns whether there is anything on it. */
static bool thin_out(struct layers *l)
{
	const struct trees *t = l->trees;
	bool any = false;
	memset(l->users, 0, l->graph->first[l->graph->vertices] * sizeof *l->users);
	memset(l->colour, WHITE, l->graph->vertices * sizeof *l->colour);
	for (uint32_t h = 0; h < t->fabric->hosts; h++)
		for (uint32_t s = 0; s < t->starts; s++)
			if (l->lane[(size_t)h * t->starts + s] == l->layer) {
				count_route(l, s, h, 1);
				any = true;
			}
	for (uint32_t v = 0; v < l->graph->vertices && any; v++)
		if (l->colour[v] == WHITE)
			search(l, v);
	return any;
}

uint32_t layers_count(struct dependencies *dependencies, struct trees *trees, const struct digraph *graph, struct error *error)
{
	uint64_t edges = graph->first[graph->vertices];
	struct layers l = {
		.dependencies = dependencies,
		.trees = trees,
		.graph = graph,
		.lane = array_create((size_t)trees->fabric->hosts * trees->starts, sizeof *l.lane, error),
		.first_user = array_create(edges + 1, sizeof *l.first_user, error),
		.users = array_create(edges, sizeof *l.users, error),
		.queue = array_create(trees->fabric->nodes, sizeof *l.queue, error),
		.start_at = {array_create(trees->fabric->nodes, sizeof *l.start_at[0], error),
			array_create(trees->fabric->nodes, sizeof *l.start_at[1], error)},
		.first_in = array_create((size_t)trees->fabric->nodes + 1, sizeof *l.first_in, error),
		.in = array_create(trees->fabric->channels, sizeof *l.in, error),
		.tail = array_create(trees->fabric->channels, sizeof *l.tail, error),
		.colour = array_create(graph->vertices, sizeof *l.colour, error),
		.edge = array_create(graph->vertices, sizeof *l.edge, error),
		.way = array_create(graph->vertices, sizeof *l.way, error),
	};
	if (!error->status)
		turn_round(&l);
	if (!error->status && !find_users(&l, error))
		while (l.layer < NO_LANE && thin_out(&l))
			l.layer++;
	free(l.lane);
	free(l.first_user);
	free(l.user);
	free(l.users);
	free(l.queue);
	free(l.start_at[0]);
	free(l.start_at[1]);
	free(l.first_in);
	free(l.in);
	free(l.tail);
	free(l.colour);
	free(l.edge);
	free(l.way);
	return error->status ? 0 : l.layer;
}
