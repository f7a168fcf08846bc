#include "fabric/partition.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

#ifdef HAVE_METIS
#include <metis.h>
#include <pthread.h>
#else
typedef int32_t idx_t;
#endif

/* Returns the node that represents a node: for a host with one cable, the head of that cable. */
static uint32_t home(const struct fabric *f, uint32_t node)
{
	uint32_t first = f->first_channel[node];
	if (f->node_host[node] == NONE || f->first_channel[node + 1] - first != 1)
		return node;
	uint32_t other = f->head[first];
	return f->node_host[other] == NONE ? other : node;
}

/* Returns the weight of a channel against cutting it: the shorter the latency, the larger. */
static idx_t weight_of(const double *latency, uint32_t channel, double longest)
{
	const double most = 64;
	if (!latency || !(longest > 0))
		return 1;
	return (idx_t)(latency[channel] > longest / most ? longest / latency[channel] : most);
}

/* The graph in the form of METIS: groups, or nodes except hosts with one cable, and both directions between them. */
struct metis_graph {
	idx_t count;
	idx_t *vertex; /* [nodes] */
	idx_t *first, *next, *weight, *work;
};

/* Numbers the vertices. */
static void find_vertices(struct metis_graph *g, const struct fabric *f, const uint32_t *group)
{
	idx_t most = -1;
	for (uint32_t v = 0; v < f->nodes; v++) {
		g->vertex[v] = group ? (idx_t)group[v] : home(f, v) == v ? g->count++ : 0;
		most = g->vertex[v] > most ? g->vertex[v] : most;
	}
	for (uint32_t v = 0; !group && v < f->nodes; v++)
		g->vertex[v] = g->vertex[home(f, v)];
	g->count = most + 1;
}

static int make_graph(struct metis_graph *g, const struct fabric *f, const double *latency, const uint32_t *group, struct error *error)
{
	double longest = 0;
	g->vertex = array_create(f->nodes, sizeof *g->vertex, error);
	g->first = array_create((size_t)f->nodes + 1, sizeof *g->first, error);
	g->next = array_create(2 * (size_t)f->channels, sizeof *g->next, error);
	g->weight = array_create(2 * (size_t)f->channels, sizeof *g->weight, error);
	g->work = array_create(f->nodes, sizeof *g->work, error);
	uint32_t *place = array_create((size_t)f->nodes + 1, sizeof *place, error);
	if (!error->status)
		find_vertices(g, f, group);
	for (uint32_t c = 0; !error->status && latency && c < f->channels; c++)
		longest = fmax(longest, latency[c]);
	/* every channel counts at both its ends, as METIS requires symmetric edges */
	for (int round = 0; !error->status && round < 2; round++) {
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				idx_t ends[2] = {g->vertex[v], g->vertex[f->head[c]]};
				for (int e = 0; e < 2; e++) {
					if (!round)
						g->work[ends[e]]++;
					if (ends[0] == ends[1])
						continue;
					if (!round) {
						g->first[ends[e] + 1]++;
						continue;
					}
					g->next[g->first[ends[e]] + place[ends[e]]] = ends[!e];
					g->weight[g->first[ends[e]] + place[ends[e]]++] = weight_of(latency, c, longest);
				}
			}
		for (idx_t v = 0; !round && v < g->count; v++)
			g->first[v + 1] += g->first[v];
	}
	free(place);
	return error->status ? -1 : 0;
}

#ifdef HAVE_METIS

/* Partitions the graph. METIS draws by rand(): the caller's state of that is kept, and one thread at a time draws. */
static int partition(struct metis_graph *g, idx_t parts, idx_t *part, struct error *error)
{
	static pthread_mutex_t one_thread = PTHREAD_MUTEX_INITIALIZER;
	idx_t one = 1, cut, options[METIS_NOPTIONS];
	char own[128];
	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = 1;
	pthread_mutex_lock(&one_thread);
	char *before = initstate(1, own, sizeof own);
	int result =
		METIS_PartGraphKway(&g->count, &one, g->first, g->next, g->work, NULL, g->weight, &parts, NULL, NULL, options, &cut, part);
	setstate(before);
	pthread_mutex_unlock(&one_thread);
	if (result == METIS_OK)
		return 0;
	return error_set(error, STATUS_IO, "METIS cannot partition the fabric into %u parts; use fewer processes", (unsigned)parts);
}

#else

/* Partitions the graph without METIS: into parts of equal work, one after another in the order of a breadth-first search. */
static int partition(struct metis_graph *g, idx_t parts, idx_t *part, struct error *error)
{
	double work = 0, done = 0;
	idx_t *queue = array_create((size_t)g->count, sizeof *queue, error);
	bool *seen = array_create((size_t)g->count, sizeof *seen, error);
	for (idx_t v = 0; v < g->count; v++)
		work += g->work[v];
	for (idx_t start = 0, head = 0, tail = 0; !error->status && start < g->count; start++) {
		if (!seen[start])
			queue[tail++] = start;
		seen[start] = true;
		for (; head < tail; head++) {
			idx_t v = queue[head], at = work > 0 ? (idx_t)(done * parts / work) : 0;
			part[v] = at < parts ? at : parts - 1;
			done += g->work[v];
			for (idx_t i = g->first[v]; i < g->first[v + 1]; i++) {
				if (!seen[g->next[i]])
					queue[tail++] = g->next[i];
				seen[g->next[i]] = true;
			}
		}
	}
	free(queue);
	free(seen);
	return error->status ? -1 : 0;
}

#endif

int partition_make(
	const struct fabric *f, const double *latency, const uint32_t *group, uint32_t parts, uint32_t *part, struct error *error)
{
	struct metis_graph g = {0};
	idx_t *found = NULL;
	if (!make_graph(&g, f, latency, group, error))
		found = array_create((size_t)g.count, sizeof *found, error);
	if (found && parts > 1 && g.count > 1)
		partition(&g, (idx_t)parts, found, error);
	for (uint32_t v = 0; found && v < f->nodes; v++)
		part[v] = (uint32_t)found[g.vertex[v]];
	free(g.vertex);
	free(g.first);
	free(g.next);
	free(g.weight);
	free(g.work);
	free(found);
	return error->status ? -1 : 0;
}
