#include "tools/report/program_study.h"

#include "base/memory.h"
#include "fabric/placement.h"
#include "fabric/walk.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The state while phases are looked at. */
struct visit {
	struct program_study *study;
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	const struct task_graph *graph;
	double *bytes;     /* [channels] of the phase */
	uint32_t *pairs;   /* [channels] pairs of ranks on it in the phase */
	uint32_t *touched; /* [channels] those with bytes */
	uint32_t touched_count;
	double *sent, *received; /* [hosts] bytes of the phase */
	uint32_t *route;         /* [nodes] */
	struct program_message *list;
	size_t count, capacity;
	double *fullest; /* [channels] sum over the phases whose fullest channel it is */
	uint32_t *times; /* [channels] their number */
};

static int compare_pairs(const void *left, const void *right)
{
	const struct program_message *a = left, *b = right;
	if (a->sender != b->sender)
		return a->sender < b->sender ? -1 : 1;
	return (a->receiver > b->receiver) - (a->receiver < b->receiver);
}

/* Lists the pairs of ranks of a phase that enter the network, each once with the sum of its bytes. */
static int list_phase(struct visit *v, const struct message_phases *phases, uint32_t phase, struct error *error)
{
	struct program_study *s = v->study;
	v->count = 0;
	for (uint32_t i = phases->first[phase]; i < phases->first[phase + 1]; i++) {
		uint32_t m = phases->message[i], sender = v->graph->task[m], receiver = v->graph->receiver[m];
		s->bytes += v->graph->size[m];
		s->matrix[(size_t)(sender / s->per_cell) * s->cells + receiver / s->per_cell] += v->graph->size[m];
		if (s->host[sender] == s->host[receiver]) {
			s->staying++;
			continue;
		}
		if (v->count == v->capacity && array_grow(&v->list, &v->capacity, v->count + 1, sizeof *v->list, error))
			return -1;
		v->list[v->count++] = (struct program_message){phase, sender, receiver, v->graph->size[m], 0, 1, NONE, 0};
	}
	qsort(v->list, v->count, sizeof *v->list, compare_pairs);
	size_t kept = 0;
	for (size_t i = 0; i < v->count; i++) {
		if (kept && !compare_pairs(&v->list[kept - 1], &v->list[i]))
			v->list[kept - 1].bytes += v->list[i].bytes;
		else
			v->list[kept++] = v->list[i];
	}
	v->count = kept;
	return 0;
}

/* Walks the route of a message. Returns its length; below 0 if there is none. */
static int walk(const struct visit *v, const struct program_message *m)
{
	return walk_route(v->fabric, v->forwarding, v->study->host[m->sender], v->study->host[m->receiver], v->route);
}

/* Adds the bytes of all messages of the phase to the channels of their routes. */
static void load_channels(struct visit *v)
{
	for (uint32_t i = 0; i < v->touched_count; i++)
		v->bytes[v->touched[i]] = v->pairs[v->touched[i]] = 0;
	v->touched_count = 0;
	memset(v->sent, 0, v->fabric->hosts * sizeof *v->sent);
	memset(v->received, 0, v->fabric->hosts * sizeof *v->received);
	for (size_t i = 0; i < v->count; i++) {
		const struct program_message *m = &v->list[i];
		int length = walk(v, m);
		v->study->unreachable += length < 0;
		for (int k = 0; k < length; k++) {
			uint32_t channel = v->route[k];
			if (!v->pairs[channel]++)
				v->touched[v->touched_count++] = channel;
			v->bytes[channel] += m->bytes / v->fabric->speed[channel];
		}
		if (length > 0) {
			v->sent[v->study->host[m->sender]] += m->bytes / v->fabric->speed[v->route[0]];
			v->received[v->study->host[m->receiver]] += m->bytes / v->fabric->speed[v->route[length - 1]];
		}
	}
}

/* Finds the fullest channel of the route of each message. */
static void find_fullest(struct visit *v)
{
	for (size_t i = 0; i < v->count; i++) {
		struct program_message *m = &v->list[i];
		int length = walk(v, m);
		for (int k = 0; k < length; k++) {
			uint32_t channel = v->route[k];
			if (m->channel != NONE && v->bytes[channel] <= m->fullest)
				continue;
			m->fullest = v->bytes[channel];
			m->channel = channel;
			m->sharing = v->pairs[channel];
		}
	}
}

/* Inserts an item into a list of the largest, by compare(), that has room for most. Returns the new count. */
static uint32_t insert(
	void *list, uint32_t count, uint32_t most, size_t size, const void *item, bool (*before)(const void *item, const void *other))
{
	char *at = list;
	uint32_t place = count;
	while (place && before(item, at + (place - 1) * size))
		place--;
	if (place == most)
		return count;
	count += count < most;
	memmove(at + (place + 1) * size, at + place * size, (count - 1 - place) * size);
	memcpy(at + place * size, item, size);
	return count;
}

static bool slower(const void *item, const void *other)
{
	const struct program_message *a = item, *b = other;
	return a->fullest != b->fullest ? a->fullest > b->fullest : a->bytes < b->bytes;
}

static bool fuller(const void *item, const void *other)
{
	return ((const struct program_phase *)item)->fullest > ((const struct program_phase *)other)->fullest;
}

static bool busier(const void *item, const void *other)
{
	return ((const struct program_channel *)item)->bytes > ((const struct program_channel *)other)->bytes;
}

/* Counts a message that is in the list, with those that are the same. Returns whether it is there. */
static bool count_message(struct program_study *s, const struct program_message *m)
{
	for (uint32_t i = 0; i < s->slowest_count; i++) {
		struct program_message *other = &s->slowest[i];
		if (other->sender != m->sender || other->receiver != m->receiver || other->bytes != m->bytes ||
			other->fullest != m->fullest || other->channel != m->channel || other->sharing != m->sharing)
			continue;
		other->times++;
		return true;
	}
	return false;
}

/* The same of a phase. */
static bool count_phase(struct program_study *s, const struct program_phase *p)
{
	for (uint32_t i = 0; i < s->worst_count; i++) {
		struct program_phase *other = &s->worst[i];
		if (other->messages != p->messages || other->bytes != p->bytes || other->fullest != p->fullest ||
			other->least != p->least || other->channel != p->channel)
			continue;
		other->times++;
		return true;
	}
	return false;
}

static double largest(const double *list, uint32_t count)
{
	double most = 0;
	for (uint32_t i = 0; i < count; i++)
		most = list[i] > most ? list[i] : most;
	return most;
}

/* Adds what a phase has shown to the study. */
static void add_phase(struct visit *v, uint32_t phase, uint32_t messages)
{
	struct program_study *s = v->study;
	struct program_phase all = {.phase = phase, .times = 1, .messages = messages, .channel = NONE};
	double sent = largest(v->sent, v->fabric->hosts), received = largest(v->received, v->fabric->hosts);
	all.least = sent > received ? sent : received;
	for (size_t i = 0; i < v->count; i++) {
		const struct program_message *m = &v->list[i];
		all.bytes += m->bytes;
		if (m->channel == NONE)
			continue;
		if (all.channel == NONE || m->fullest > all.fullest) {
			all.fullest = m->fullest;
			all.channel = m->channel;
		}
		if (!count_message(s, m))
			s->slowest_count = insert(s->slowest, s->slowest_count, PROGRAM_MESSAGES, sizeof *m, m, slower);
	}
	if (all.channel == NONE)
		return;
	s->fullest += all.fullest;
	s->least += all.least;
	v->fullest[all.channel] += all.fullest;
	v->times[all.channel]++;
	if (!count_phase(s, &all))
		s->worst_count = insert(s->worst, s->worst_count, PROGRAM_PHASES, sizeof all, &all, fuller);
}

static int visit_phases(struct visit *v, struct error *error)
{
	struct program_study *s = v->study;
	const struct fabric *f = v->fabric;
	struct message_phases phases;
	v->bytes = array_create(f->channels, sizeof *v->bytes, error);
	v->pairs = array_create(f->channels, sizeof *v->pairs, error);
	v->touched = array_create(f->channels, sizeof *v->touched, error);
	v->fullest = array_create(f->channels, sizeof *v->fullest, error);
	v->times = array_create(f->channels, sizeof *v->times, error);
	v->sent = array_create(f->hosts, sizeof *v->sent, error);
	v->received = array_create(f->hosts, sizeof *v->received, error);
	v->route = array_create(f->nodes, sizeof *v->route, error);
	if (!message_phases_find(&phases, v->graph, error) && !error->status) {
		s->phases = phases.count;
		s->messages = phases.first[phases.count];
	}
	for (uint32_t phase = 0; phase < phases.count && !error->status; phase++) {
		if (list_phase(v, &phases, phase, error))
			break;
		load_channels(v);
		find_fullest(v);
		add_phase(v, phase, phases.first[phase + 1] - phases.first[phase]);
	}
	for (uint32_t c = 0; c < f->channels && !error->status; c++) {
		const struct program_channel channel = {c, v->times[c], v->fullest[c]};
		if (channel.phases)
			s->busiest_count = insert(s->busiest, s->busiest_count, PROGRAM_CHANNELS, sizeof channel, &channel, busier);
	}
	message_phases_clear(&phases);
	free(v->bytes);
	free(v->pairs);
	free(v->touched);
	free(v->fullest);
	free(v->times);
	free(v->sent);
	free(v->received);
	free(v->route);
	free(v->list);
	return error->status ? -1 : 0;
}

/* Places the ranks on hosts. */
static int place(struct program_study *s, const char *mapping, uint64_t seed, const struct fabric *fabric, struct error *error)
{
	struct placement placement = {.ranks = 0};
	if (!placement_init(&placement, fabric, "linear_bfs", mapping, s->ranks, seed, error)) {
		s->ranks = placement.ranks;
		s->per_cell = (s->ranks + PROGRAM_CELLS - 1) / PROGRAM_CELLS;
		s->cells = (s->ranks + s->per_cell - 1) / s->per_cell;
		s->host = array_create(s->ranks, sizeof *s->host, error);
		s->matrix = array_create((size_t)s->cells * s->cells, sizeof *s->matrix, error);
		if (s->host)
			placement_run(&placement, seed, 0, s->host);
	}
	placement_clear(&placement);
	return error->status ? -1 : 0;
}

int program_study_make(struct program_study *study, const struct pattern_request *request, const char *mapping, double bytes,
	const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	struct task_graph *graph = NULL;
	*study = (struct program_study){.ranks = 0};
	struct workload_call *call = workload_create(request, error);
	if (call && !workload_count(call, &study->ranks, error) && !place(study, mapping, request->seed, fabric, error)) {
		const struct workload_task task = {.tasks = study->ranks, .bytes = bytes, .seed = request->seed, .processes = 1};
		graph = workload_graph(call, &task, error);
	}
	if (graph) {
		struct visit visit = {.study = study, .fabric = fabric, .forwarding = forwarding, .graph = graph};
		visit_phases(&visit, error);
	}
	task_graph_free(graph);
	workload_free(call);
	return error->status ? -1 : 0;
}

void program_study_clear(struct program_study *study)
{
	free(study->matrix);
	free(study->host);
	*study = (struct program_study){.ranks = 0};
}
