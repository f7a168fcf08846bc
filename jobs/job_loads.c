#include "jobs/job_loads.h"

#include "base/memory.h"
#include "fabric/walk.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

/* A sink that walks the route of each pair, and calls visit() with it. */
struct visitor {
	struct sink sink;
	struct machine_loads *loads;
	const struct job_loads *job;
	void (*visit)(struct visitor *v, struct pair pair, uint32_t length); /* the route is in loads->channels */
	void *data;
	struct error *error; /* set for a pair without a route */
};

static void take_pairs(struct sink *sink)
{
	struct visitor *v = (struct visitor *)sink;
	struct machine_loads *m = v->loads;
	for (size_t i = 0; i < sink->count && !(v->error && v->error->status); i++) {
		struct pair pair = sink->pairs[i];
		uint32_t from = v->job->host[pair.sender], to = v->job->host[pair.receiver];
		int length = walk_route(m->fabric, m->forwarding, from, to, m->channels);
		if (length > 0)
			v->visit(v, pair, (uint32_t)length);
		else if (v->error)
			walk_explain(m->fabric, m->forwarding, from, to, v->error);
	}
}

static void visit_level(struct visitor *v, uint64_t level)
{
	struct pair pairs[BLOCK];
	v->sink = (struct sink){.pairs = pairs, .capacity = BLOCK, .take = take_pairs};
	pattern_level(v->job->call, level, &v->sink);
}

/* ---- the loads of a job */

struct counting {
	uint32_t touched;
	uint64_t pairs;
};

static void count_route(struct visitor *v, struct pair pair, uint32_t length)
{
	struct machine_loads *m = v->loads;
	struct counting *c = v->data;
	(void)pair;
	c->pairs++;
	for (uint32_t i = 0; i < length; i++)
		if (!m->count[m->channels[i]]++)
			m->touched[c->touched++] = m->channels[i];
}

/* Takes the counts over into the loads of a level, and clears them. */
static void keep_level(struct job_loads *job, struct machine_loads *m, uint32_t touched, uint64_t level, struct error *error)
{
	struct level_loads *load = &job->load[job->levels];
	load->channel = array_create(touched, sizeof *load->channel, error);
	load->routes = array_create(touched, sizeof *load->routes, error);
	job->level[job->levels++] = level;
	for (uint32_t i = 0; i < touched; i++) {
		uint32_t channel = m->touched[i];
		if (!error->status) {
			load->channel[load->count] = channel;
			load->routes[load->count++] = m->count[channel];
			job->used[channel / 64] |= UINT64_C(1) << channel % 64;
		}
		m->count[channel] = 0;
	}
}

/* Lists the words that are not 0: jobs of a few hosts use few channels of a large fabric. */
static void list_words(struct job_loads *job, size_t words, struct error *error)
{
	for (size_t i = 0; i < words; i++)
		job->words += job->used[i] != 0;
	job->word = array_create(job->words, sizeof *job->word, error);
	job->words = 0;
	for (size_t i = 0; i < words && job->word; i++)
		if (job->used[i])
			job->word[job->words++] = (uint32_t)i;
}

int job_loads_find(struct job_loads *job, struct machine_loads *loads, const uint32_t *host, uint32_t hosts,
	const struct pattern_request *request, struct error *error)
{
	*job = (struct job_loads){.hosts = hosts, .host = host};
	if (hosts < 2)
		return 0;
	job->used = array_create(loads->words, sizeof *job->used, error);
	job->call = pattern_create(request, hosts, error);
	if (!job->used || !job->call || pattern_run(job->call, 0, error))
		return -1;
	uint64_t levels = pattern_levels(job->call);
	job->level = array_create(levels, sizeof *job->level, error);
	job->load = array_create(levels, sizeof *job->load, error);
	for (uint64_t l = 0; l < levels && !error->status; l++) {
		struct counting counting = {0};
		struct visitor v = {.loads = loads, .job = job, .visit = count_route, .data = &counting, .error = error};
		visit_level(&v, l);
		job->messages += counting.pairs;
		if (counting.pairs)
			keep_level(job, loads, counting.touched, l, error);
	}
	if (!error->status)
		list_words(job, loads->words, error);
	return error->status ? -1 : 0;
}

void job_loads_clear(struct job_loads *job)
{
	for (uint32_t l = 0; l < job->levels; l++) {
		free(job->load[l].channel);
		free(job->load[l].routes);
	}
	pattern_free(job->call);
	free(job->level);
	free(job->load);
	free(job->used);
	free(job->word);
	*job = (struct job_loads){0};
}

int machine_loads_find(struct machine_loads *loads, const struct fabric *fabric, const struct forwarding *forwarding,
	const struct job_hosts *hosts, const struct pattern_request *request, const char *const *name, struct error *error)
{
	*loads = (struct machine_loads){
		.fabric = fabric,
		.forwarding = forwarding,
		.job = array_create(hosts->jobs, sizeof *loads->job, error),
		.words = fabric->channels / 64 + 1,
		.count = array_create(fabric->channels, sizeof *loads->count, error),
		.channels = array_create(fabric->nodes, sizeof *loads->channels, error),
		.touched = array_create(fabric->channels, sizeof *loads->touched, error),
	};
	for (uint32_t j = 0; j < hosts->jobs && !error->status; j++) {
		struct job_loads *job = &loads->job[loads->jobs++];
		struct error wrong = {0};
		if (job_loads_find(job, loads, hosts->host + hosts->first[j], hosts->first[j + 1] - hosts->first[j], request, &wrong)) {
			if (wrong.status == STATUS_USAGE)
				error_set(error, STATUS_USAGE, "job '%s': %s", name[j], wrong.text);
			else
				*error = wrong;
		}
		loads->steps = job->levels > loads->steps ? job->levels : loads->steps;
	}
	return error->status ? -1 : 0;
}

void machine_loads_clear(struct machine_loads *loads)
{
	for (uint32_t j = 0; j < loads->jobs; j++)
		job_loads_clear(&loads->job[j]);
	free(loads->job);
	free(loads->count);
	free(loads->channels);
	free(loads->touched);
	*loads = (struct machine_loads){0};
}

/* ---- weights */

static void add_level(const struct machine_loads *m, const struct level_loads *load)
{
	for (uint32_t i = 0; i < load->count; i++)
		m->count[load->channel[i]] += load->routes[i];
}

static void take_level(const struct machine_loads *m, const struct level_loads *load)
{
	for (uint32_t i = 0; i < load->count; i++)
		m->count[load->channel[i]] -= load->routes[i];
}

/* The largest number of routes on a channel of the level. */
static uint32_t largest(const struct machine_loads *m, const struct level_loads *load)
{
	uint32_t most = 0;
	for (uint32_t i = 0; i < load->count; i++)
		most = m->count[load->channel[i]] > most ? m->count[load->channel[i]] : most;
	return most;
}

struct weighing {
	uint64_t sum, pairs;
	uint32_t most;
};

static void weigh_route(struct visitor *v, struct pair pair, uint32_t length)
{
	const struct machine_loads *m = v->loads;
	struct weighing *w = v->data;
	uint32_t weight = 0;
	(void)pair;
	for (uint32_t i = 0; i < length; i++)
		weight = m->count[m->channels[i]] > weight ? m->count[m->channels[i]] : weight;
	w->sum += weight;
	w->pairs++;
	w->most = weight > w->most ? weight : w->most;
}

/* Weighs the messages of a level by the counts as they are. */
static void weigh_level(struct machine_loads *m, const struct job_loads *job, uint32_t level, struct weighing *sum, uint64_t *time)
{
	struct weighing w = {0};
	struct visitor v = {.loads = m, .job = job, .visit = weigh_route, .data = &w};
	visit_level(&v, job->level[level]);
	sum->sum += w.sum;
	sum->pairs += w.pairs;
	sum->most = w.most > sum->most ? w.most : sum->most;
	*time += w.most;
}

static struct weights weights_of(const struct weighing *sum, uint64_t time)
{
	return (struct weights){sum->pairs ? (double)sum->sum / (double)sum->pairs : NAN, sum->most, time};
}

struct weights weights_alone(struct machine_loads *loads, const struct job_loads *job)
{
	struct weighing sum = {0};
	uint64_t time = 0;
	for (uint32_t l = 0; l < job->levels; l++) {
		add_level(loads, &job->load[l]);
		weigh_level(loads, job, l, &sum, &time);
		take_level(loads, &job->load[l]);
	}
	return weights_of(&sum, time);
}

/* Adds the levels of all jobs in a step. */
static void add_step(const struct machine_loads *m, uint32_t step)
{
	for (uint32_t j = 0; j < m->jobs; j++)
		if (m->job[j].levels)
			add_level(m, &m->job[j].load[step % m->job[j].levels]);
}

static void clear_step(const struct machine_loads *m)
{
	memset(m->count, 0, m->fabric->channels * sizeof *m->count);
}

void weights_together(struct machine_loads *loads, struct weights *weights, uint32_t *peak, uint32_t *step)
{
	memset(weights, 0, loads->jobs * sizeof *weights);
	memset(peak, 0, loads->fabric->channels * sizeof *peak);
	for (uint32_t s = 0; s < loads->steps; s++) {
		add_step(loads, s);
		for (uint32_t c = 0; c < loads->fabric->channels; c++)
			if (loads->count[c] > peak[c]) {
				peak[c] = loads->count[c];
				step[c] = s;
			}
		for (uint32_t j = 0; j < loads->jobs; j++) {
			struct weighing w = {0};
			if (s >= loads->job[j].levels)
				continue;
			weigh_level(loads, &loads->job[j], s, &w, &weights[j].time);
			weights[j].mean += (double)w.sum; /* exact below 2^53 */
			weights[j].most = w.most > weights[j].most ? w.most : weights[j].most;
		}
		clear_step(loads);
	}
	for (uint32_t j = 0; j < loads->jobs; j++)
		weights[j].mean = loads->job[j].messages ? weights[j].mean / (double)loads->job[j].messages : NAN;
}

void times_together(struct machine_loads *loads, uint64_t *time)
{
	memset(time, 0, loads->jobs * sizeof *time);
	for (uint32_t s = 0; s < loads->steps; s++) {
		add_step(loads, s);
		for (uint32_t j = 0; j < loads->jobs; j++)
			if (s < loads->job[j].levels)
				time[j] += largest(loads, &loads->job[j].load[s]);
		clear_step(loads);
	}
}

uint64_t time_beside(struct machine_loads *loads, const struct job_loads *job, const struct job_loads *other)
{
	uint64_t time = 0;
	for (uint32_t l = 0; l < job->levels; l++) {
		const struct level_loads *mine = &job->load[l], *theirs = other->levels ? &other->load[l % other->levels] : NULL;
		add_level(loads, mine);
		if (theirs)
			add_level(loads, theirs);
		time += largest(loads, mine);
		take_level(loads, mine);
		if (theirs)
			take_level(loads, theirs);
	}
	return time;
}

uint32_t shared_channels(const struct job_loads *a, const struct job_loads *b)
{
	const struct job_loads *few = a->words < b->words ? a : b, *other = few == a ? b : a;
	uint32_t count = 0;
	for (uint32_t i = 0; i < few->words; i++)
		count += (uint32_t)__builtin_popcountll(few->used[few->word[i]] & other->used[few->word[i]]);
	return count;
}

/* ---- pairs over a channel */

struct finding {
	uint32_t channel, found;
	void (*take)(void *data, struct pair pair);
	void *data;
};

static void find_channel(struct visitor *v, struct pair pair, uint32_t length)
{
	struct finding *f = v->data;
	for (uint32_t i = 0; i < length; i++)
		if (v->loads->channels[i] == f->channel) {
			f->found++;
			f->take(f->data, pair);
			return;
		}
}

uint32_t pairs_over(struct machine_loads *loads, const struct job_loads *job, uint32_t level, uint32_t channel,
	void (*take)(void *data, struct pair pair), void *data)
{
	struct finding finding = {.channel = channel, .take = take, .data = data};
	struct visitor v = {.loads = loads, .job = job, .visit = find_channel, .data = &finding};
	visit_level(&v, job->level[level]);
	return finding.found;
}
