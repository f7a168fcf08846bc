#include "tools/jobs/job_moves.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A machine: its hosts are host[first] .. of the search. */
struct machine {
	uint32_t first, hosts;
	uint32_t leaf; /* of its first host */
	bool free;     /* no job has one of its hosts */
};

struct leaf {
	uint32_t free;  /* machines */
	uint64_t load;  /* routes of all steps on its channels to other switches, by their number */
	uint32_t taken; /* machines, while they are chosen */
};

struct search {
	struct machine_loads *loads;
	const struct job_hosts *hosts;
	const struct job_result *result;
	const struct pattern_request *request;
	struct machine *machine; /* [hosts->machines] */
	uint32_t *host;          /* [hosts of the fabric] by machine, in the order of the fabric */
	struct leaf *leaf;       /* [nodes] */
	uint32_t *order;         /* [machines] scratch: free machines that fit */
	uint64_t *time;          /* [jobs] scratch */
	struct error *error;
};

static uint32_t leaf_of(const struct fabric *f, uint32_t host)
{
	uint32_t node = f->host_node[host];
	return f->first_channel[node] < f->first_channel[node + 1] ? f->head[f->first_channel[node]] : node;
}

/* ---- machines and leaves */

static void find_machines(struct search *s)
{
	const struct fabric *f = s->loads->fabric;
	uint32_t first = 0;
	for (uint32_t h = 0; h < f->hosts; h++)
		if (s->hosts->machine[h] != NONE)
			s->machine[s->hosts->machine[h]].hosts++;
	for (uint32_t m = 0; m < s->hosts->machines; m++) {
		s->machine[m].first = first;
		first += s->machine[m].hosts;
		s->machine[m].hosts = 0;
		s->machine[m].free = true;
	}
	for (uint32_t h = 0; h < f->hosts; h++)
		if (s->hosts->machine[h] != NONE) {
			struct machine *machine = &s->machine[s->hosts->machine[h]];
			s->host[machine->first + machine->hosts++] = h;
		}
	for (uint32_t i = 0; i < s->hosts->first[s->hosts->jobs]; i++)
		s->machine[s->hosts->machine[s->hosts->host[i]]].free = false;
}

static void find_leaves(struct search *s)
{
	const struct fabric *f = s->loads->fabric;
	for (uint32_t m = 0; m < s->hosts->machines; m++) {
		struct machine *machine = &s->machine[m];
		machine->leaf = leaf_of(f, s->host[machine->first]);
		s->leaf[machine->leaf].free += machine->free;
	}
	for (uint32_t j = 0; j < s->loads->jobs; j++)
		for (uint32_t l = 0; l < s->loads->job[j].levels; l++) {
			const struct level_loads *load = &s->loads->job[j].load[l];
			for (uint32_t i = 0; i < load->count; i++) {
				uint32_t tail = fabric_tail(f, load->channel[i]), head = f->head[load->channel[i]];
				if (f->node_host[tail] == NONE && f->node_host[head] == NONE)
					s->leaf[tail].load += load->routes[i];
			}
		}
}

/* ---- places for a job */

struct ranking {
	const struct search *search;
	enum move_way way;
	uint32_t wanted; /* machines */
};

/* Whether a leaf comes before another. */
static int compare_leaves(const struct ranking *r, uint32_t left, uint32_t right)
{
	const struct leaf *a = &r->search->leaf[left], *b = &r->search->leaf[right];
	bool fits = a->free >= r->wanted, others = b->free >= r->wanted;
	if (r->way == MOVE_QUIET && a->load != b->load)
		return a->load < b->load ? -1 : 1;
	if (r->way == MOVE_TOGETHER && fits != others)
		return fits ? -1 : 1;
	if (a->free != b->free)
		return (r->way == MOVE_TOGETHER && fits ? a->free < b->free : a->free > b->free) ? -1 : 1;
	return (left > right) - (left < right);
}

static int compare_machines(const void *left, const void *right, void *data)
{
	const struct ranking *r = data;
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	int order = compare_leaves(r, r->search->machine[a].leaf, r->search->machine[b].leaf);
	return order ? order : (a > b) - (a < b);
}

/* Turns an order by leaves into one machine of each leaf in turn. */
static void take_in_turn(struct search *s, uint32_t count)
{
	uint32_t *by_turn = array_create(count, sizeof *by_turn, s->error), done = 0;
	for (uint32_t turn = 0; by_turn && done < count; turn++) {
		for (uint32_t i = 0; i < count; i++)
			s->leaf[s->machine[s->order[i]].leaf].taken = 0;
		for (uint32_t i = 0; i < count; i++)
			if (s->leaf[s->machine[s->order[i]].leaf].taken++ == turn)
				by_turn[done++] = s->order[i];
	}
	if (by_turn)
		memcpy(s->order, by_turn, count * sizeof *by_turn);
	free(by_turn);
}

/* Returns the number of hosts of each machine of the job; 0: they have not equally many, or not all of a machine. */
static uint32_t hosts_per_machine(const struct search *s, uint32_t job)
{
	uint32_t first = s->hosts->first[job], end = s->hosts->first[job + 1],
		 hosts = s->machine[s->hosts->machine[s->hosts->host[first]]].hosts;
	for (uint32_t i = first; i < end; i += hosts)
		for (uint32_t k = 0; k < hosts; k++)
			if (i + k >= end || s->hosts->machine[s->hosts->host[i + k]] != s->hosts->machine[s->hosts->host[i]] ||
				s->machine[s->hosts->machine[s->hosts->host[i]]].hosts != hosts)
				return 0;
	return hosts;
}

/* Writes the hosts of free machines to host, [hosts]. Returns whether there are as many. */
static bool choose(struct search *s, enum move_way way, uint32_t per_machine, uint32_t hosts, uint32_t *host)
{
	struct ranking ranking = {s, way, hosts / per_machine};
	uint32_t count = 0;
	for (uint32_t m = 0; m < s->hosts->machines; m++)
		if (s->machine[m].free && s->machine[m].hosts == per_machine)
			s->order[count++] = m;
	if (count < ranking.wanted)
		return false;
	qsort_r(s->order, count, sizeof *s->order, compare_machines, &ranking);
	if (way == MOVE_APART)
		take_in_turn(s, count);
	for (uint32_t i = 0; i < ranking.wanted; i++)
		memcpy(host + (size_t)i * per_machine, s->host + s->machine[s->order[i]].first, per_machine * sizeof *host);
	return true;
}

/* ---- what a move is worth */

/* Returns the mean over the jobs of the time by the time alone today; *one: that of a job. */
static double mean_slowdown(const struct search *s, uint32_t job, double *one)
{
	double sum = 0;
	uint32_t count = 0;
	times_together(s->loads, s->time);
	for (uint32_t j = 0; j < s->loads->jobs; j++)
		if (s->result->alone[j].time) {
			double slowdown = (double)s->time[j] / (double)s->result->alone[j].time;
			sum += slowdown;
			count++;
			if (j == job)
				*one = slowdown;
		}
	return count ? sum / count : 1;
}

/* Tries a place. The move is kept if it is better than the one so far. */
static void try_move(struct search *s, struct job_move *best, enum move_way way, uint32_t *host)
{
	struct job_loads moved, *job = &s->loads->job[best->job], stayed = *job;
	if (!job_loads_find(&moved, s->loads, host, best->hosts, s->request, s->error)) {
		double one = 0;
		*job = moved;
		double mean = mean_slowdown(s, best->job, &one);
		*job = stayed;
		if (mean < best->mean[1]) {
			best->mean[1] = mean;
			best->slowdown[1] = one;
			best->way = way;
			memcpy(best->host, host, best->hosts * sizeof *host);
		}
	}
	job_loads_clear(&moved);
}

/* Finds the best place for a job. */
static void find_move(struct search *s, struct job_move *best)
{
	uint32_t per_machine = hosts_per_machine(s, best->job);
	uint32_t *host = array_create(best->hosts, sizeof *host, s->error);
	best->host = array_create(best->hosts, sizeof *best->host, s->error);
	for (int way = 0; way < MOVE_WAYS && per_machine && !s->error->status; way++)
		if (choose(s, (enum move_way)way, per_machine, best->hosts, host))
			try_move(s, best, (enum move_way)way, host);
	free(host);
}

/* Sums of what a job suffers by others and costs them, alone beside each. */
struct candidate {
	uint32_t job;
	double harm;
};

static int compare_candidates(const void *left, const void *right)
{
	const struct candidate *a = left, *b = right;
	if (a->harm != b->harm)
		return a->harm > b->harm ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void rank_jobs(const struct job_result *result, struct candidate *candidate)
{
	for (uint32_t j = 0; j < result->jobs; j++)
		candidate[j] = (struct candidate){j, 0};
	for (uint32_t i = 0; i < result->pairs; i++) {
		const struct job_pair *p = &result->pair[i];
		double harm = fmax(0, p->slowdown[0] - 1) + fmax(0, p->slowdown[1] - 1);
		candidate[p->a].harm += harm;
		candidate[p->b].harm += harm;
	}
	qsort(candidate, result->jobs, sizeof *candidate, compare_candidates);
}

static int compare_moves(const void *left, const void *right)
{
	const struct job_move *a = left, *b = right;
	if (a->mean[1] != b->mean[1])
		return a->mean[1] < b->mean[1] ? -1 : 1;
	return (a->job > b->job) - (a->job < b->job);
}

static void try_jobs(struct search *s, struct job_moves *moves, const struct candidate *candidate)
{
	double today = mean_slowdown(s, NONE, NULL);
	for (uint32_t i = 0; i < s->result->jobs && moves->tried < MOVES_TRIED && candidate[i].harm > 0 && !s->error->status; i++) {
		uint32_t job = candidate[i].job;
		double slowdown = job_slowdown(s->result, job);
		struct job_move *move = &moves->move[moves->moves];
		*move = (struct job_move){
			.job = job, .hosts = s->loads->job[job].hosts, .mean = {today, today}, .slowdown = {slowdown, slowdown}};
		moves->tried++;
		find_move(s, move);
		if (move->mean[1] < today)
			moves->moves++;
		else
			free(move->host);
	}
	qsort(moves->move, moves->moves, sizeof *moves->move, compare_moves);
}

int job_moves_find(struct job_moves *moves, struct machine_loads *loads, const struct job_hosts *hosts, const struct job_result *result,
	const struct pattern_request *request, struct error *error)
{
	const struct fabric *f = loads->fabric;
	struct search s = {
		.loads = loads,
		.hosts = hosts,
		.result = result,
		.request = request,
		.machine = array_create(hosts->machines, sizeof *s.machine, error),
		.host = array_create(f->hosts, sizeof *s.host, error),
		.leaf = array_create(f->nodes, sizeof *s.leaf, error),
		.order = array_create(hosts->machines, sizeof *s.order, error),
		.time = array_create(loads->jobs, sizeof *s.time, error),
		.error = error,
	};
	struct candidate *candidate = array_create(result->jobs, sizeof *candidate, error);
	*moves = (struct job_moves){.move = array_create(MOVES_TRIED, sizeof *moves->move, error)};
	if (!error->status) {
		find_machines(&s);
		find_leaves(&s);
		for (uint32_t m = 0; m < hosts->machines; m++)
			moves->free += s.machine[m].free;
		rank_jobs(result, candidate);
		try_jobs(&s, moves, candidate);
	}
	free(s.machine);
	free(s.host);
	free(s.leaf);
	free(s.order);
	free(s.time);
	free(candidate);
	return error->status ? -1 : 0;
}

/* ---- the same in time */

/* The mean over the jobs with messages of the time by the time alone today. */
static double mean_of(const struct job_result *result, const double *time)
{
	double sum = 0;
	uint32_t count = 0;
	for (uint32_t j = 0; j < result->jobs; j++)
		if (result->seconds_alone[j] > 0) {
			sum += time[j] / result->seconds_alone[j];
			count++;
		}
	return count ? sum / count : 1;
}

int job_moves_time(
	struct job_moves *moves, struct machine_loads *loads, struct job_flows *flows, const struct job_result *result, struct error *error)
{
	double *time = array_create(result->jobs, sizeof *time, error), today = mean_of(result, result->seconds_together);
	uint32_t kept = 0;
	for (uint32_t i = 0; i < moves->moves && !error->status; i++) {
		struct job_move move = moves->move[i];
		const uint32_t *stayed = loads->job[move.job].host;
		loads->job[move.job].host = move.host;
		job_flows_run_all(flows, time, error);
		loads->job[move.job].host = stayed;
		move.mean[0] = today;
		move.mean[1] = mean_of(result, time);
		move.slowdown[0] = job_slowdown(result, move.job);
		move.slowdown[1] = time[move.job] / result->seconds_alone[move.job];
		if (move.mean[1] < today) { /* those that do not help change places with the ones kept */
			moves->move[i] = moves->move[kept];
			moves->move[kept++] = move;
		}
	}
	for (uint32_t i = kept; i < moves->moves && !error->status; i++)
		free(moves->move[i].host);
	if (!error->status) {
		moves->moves = kept;
		qsort(moves->move, kept, sizeof *moves->move, compare_moves);
	}
	free(time);
	return error->status ? -1 : 0;
}

void job_moves_clear(struct job_moves *moves)
{
	for (uint32_t i = 0; i < moves->moves; i++)
		free(moves->move[i].host);
	free(moves->move);
	*moves = (struct job_moves){0};
}
