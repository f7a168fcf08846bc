#include "tools/order/rank_messages.h"

#include "base/args.h"
#include "base/input.h"
#include "base/memory.h"
#include "patterns/pairs.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256 };

void rank_messages_clear(struct rank_messages *messages)
{
	free(messages->first);
	free(messages->message);
	free(messages->times);
	free(messages->least);
	*messages = (struct rank_messages){0};
}

/* ---- one message after another */

static int add(struct rank_messages *d, uint64_t place, uint32_t sender, uint32_t receiver, double weight, struct error *error)
{
	if (array_grow(&d->message, &d->capacity, place + 1, sizeof *d->message, error))
		return -1;
	d->message[place] = (struct rank_message){sender, receiver, weight};
	return 0;
}

static int by_ranks(const void *left, const void *right)
{
	const struct rank_message *a = left, *b = right;
	if (a->sender != b->sender)
		return a->sender < b->sender ? -1 : 1;
	return (a->receiver > b->receiver) - (a->receiver < b->receiver);
}

uint64_t rank_messages_merge(struct rank_message *message, uint64_t count)
{
	uint64_t kept = 0;
	if (count)
		qsort(message, count, sizeof *message, by_ranks);
	for (uint64_t i = 0; i < count; i++)
		if (kept && !by_ranks(&message[kept - 1], &message[i]))
			message[kept - 1].weight += message[i].weight;
		else
			message[kept++] = message[i];
	return kept;
}

/* ---- weights of a file */

struct weights {
	struct rank_message *pair; /* [pairs] by ranks */
	size_t pairs, pair_capacity;
	struct level_weight {
		uint64_t level;
		double weight;
	} * level; /* [levels] */
	size_t levels, level_capacity;
};

/* Reads a line of two or three numbers. */
static int read_line(struct weights *w, char *line, uint32_t ranks, const char *path, unsigned long number, struct error *error)
{
	const char *word[4] = {0};
	int words = 0;
	int64_t end[2] = {0};
	double weight = 0;
	while (words < 4 && (word[words] = next_word(&line)))
		words++;
	bool valid = words == 2 || words == 3;
	for (int i = 0; i + 1 < words && valid; i++)
		valid = read_integer(word[i], 0, words == 3 ? (int64_t)ranks - 1 : INT64_MAX, &end[i]);
	if (!valid || !read_number(word[words - 1], 0, 1e18, &weight))
		return error_at(error, STATUS_USAGE, path, number,
			"not 'sender receiver weight' with ranks below %" PRIu32 ", nor 'level weight', with weights from 0 to 1e18",
			ranks);
	if (words == 2) {
		if (array_grow(&w->level, &w->level_capacity, w->levels + 1, sizeof *w->level, error))
			return -1;
		w->level[w->levels++] = (struct level_weight){(uint64_t)end[0], weight};
		return 0;
	}
	if (end[0] == end[1])
		return 0;
	if (array_grow(&w->pair, &w->pair_capacity, w->pairs + 1, sizeof *w->pair, error))
		return -1;
	w->pair[w->pairs++] = (struct rank_message){(uint32_t)end[0], (uint32_t)end[1], weight};
	return 0;
}

static int read_weights(struct weights *w, const char *path, uint32_t ranks, struct error *error)
{
	struct line_reader lines;
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && (line = line_reader_list(&lines, error));)
		if (*line)
			read_line(w, line, ranks, path, lines.number, error);
	line_reader_close(&lines);
	w->pairs = rank_messages_merge(w->pair, w->pairs);
	if (!error->status && !w->pairs && !w->levels)
		error_at(error, STATUS_USAGE, path, 0, "names no ranks and no levels");
	return error->status ? -1 : 0;
}

static void weights_clear(struct weights *w)
{
	free(w->pair);
	free(w->level);
}

/* Multiplies the weights of a level. Messages of weight 0 are left out. Returns their number. */
static uint64_t weigh(const struct weights *w, uint64_t level, struct rank_message *message, uint64_t count)
{
	double factor = 1;
	uint64_t kept = 0;
	for (size_t i = 0; i < w->levels; i++)
		factor = w->level[i].level == level ? w->level[i].weight : factor;
	for (uint64_t i = 0; i < count; i++) {
		const struct rank_message *pair = w->pairs ? bsearch(&message[i], w->pair, w->pairs, sizeof *w->pair, by_ranks) : NULL;
		message[i].weight *= factor * (pair ? pair->weight : 1);
		if (message[i].weight > 0)
			message[kept++] = message[i];
	}
	return kept;
}

/* ---- levels */

static uint64_t level_hash(const struct rank_message *message, uint64_t count)
{
	uint64_t hash = count;
	for (uint64_t i = 0; i < count; i++) {
		uint64_t bits;
		memcpy(&bits, &message[i].weight, sizeof bits);
		hash = (hash ^ ((uint64_t)message[i].sender << 32 | message[i].receiver)) * UINT64_C(0x9e3779b97f4a7c15);
		hash = (hash ^ hash >> 29 ^ bits) * UINT64_C(0xbf58476d1ce4e5b9);
	}
	return hash;
}

static bool same_messages(const struct rank_message *a, const struct rank_message *b, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (by_ranks(&a[i], &b[i]) || a[i].weight != b[i].weight)
			return false;
	return true;
}

/* The levels so far, to find equal ones. */
struct levels {
	uint64_t *hash; /* [levels] */
	size_t hash_capacity, first_capacity, times_capacity;
};

/* Ends a level with the messages from first[levels] up to end. */
static int end_level(
	struct rank_messages *d, struct levels *all, const struct weights *w, uint64_t level, uint64_t end, struct error *error)
{
	struct rank_message *message = d->message + d->first[d->levels];
	uint64_t count = weigh(w, level, message, rank_messages_merge(message, end - d->first[d->levels]));
	uint64_t hash = level_hash(message, count);
	d->all_levels = level + 1;
	for (uint64_t i = 0; i < count; i++)
		d->sized |= message[i].weight != 1;
	if (!count)
		return 0;
	for (uint32_t l = 0; l < d->levels; l++)
		if (all->hash[l] == hash && d->first[l + 1] - d->first[l] == count &&
			same_messages(d->message + d->first[l], message, count)) {
			d->times[l]++;
			return 0;
		}
	if (array_grow(&all->hash, &all->hash_capacity, d->levels + 1, sizeof *all->hash, error) ||
		array_grow(&d->times, &all->times_capacity, d->levels + 1, sizeof *d->times, error) ||
		array_grow(&d->first, &all->first_capacity, (size_t)d->levels + 2, sizeof *d->first, error))
		return -1;
	all->hash[d->levels] = hash;
	d->times[d->levels] = 1;
	d->first[d->levels + 1] = d->first[d->levels] + count;
	d->levels++;
	return 0;
}

/* ---- patterns of pairs */

struct level_sink {
	struct sink sink;
	struct pair pairs[BLOCK];
	double bytes[BLOCK];
	struct rank_messages *messages;
	uint64_t end;
	struct error *error;
};

static void take_pairs(struct sink *sink)
{
	struct level_sink *s = (struct level_sink *)sink;
	for (size_t i = 0; i < sink->count && !s->error->status; i++) {
		double bytes = sink->bytes[i] > 0 ? sink->bytes[i] : 1;
		s->end += !add(s->messages, s->end, sink->pairs[i].sender, sink->pairs[i].receiver, bytes, s->error);
	}
	memset(s->bytes, 0, sizeof s->bytes);
	sink->done = s->error->status != 0;
}

static int list_pairs(struct rank_messages *d, struct levels *all, const struct weights *w, const struct pattern_request *request,
	uint32_t ranks, struct error *error)
{
	struct pattern_call *call = pattern_create(request, ranks, error);
	struct level_sink s = {.sink = {.capacity = BLOCK, .take = take_pairs}, .messages = d, .error = error};
	s.sink.pairs = s.pairs;
	s.sink.bytes = s.bytes;
	uint64_t levels = call && !pattern_run(call, 0, error) ? pattern_levels(call) : 0;
	d->drawn = call && call->pattern->run;
	for (uint64_t level = 0; level < levels && !error->status; level++) {
		s.end = d->first[d->levels];
		pattern_level(call, level, &s.sink);
		if (!error->status)
			end_level(d, all, w, level, s.end, error);
	}
	pattern_free(call);
	return error->status ? -1 : 0;
}

/* ---- task graphs */

/* Writes to depth [operations] how many messages precede each operation, itself included. Returns the largest. */
static int find_depths(const struct task_graph *g, uint32_t *depth, uint32_t *most, struct error *error)
{
	uint32_t *waits = array_create(g->operations, sizeof *waits, error), *queue = array_create(g->operations, sizeof *queue, error);
	uint32_t first = 0, last = 0;
	*most = 0;
	for (uint32_t o = 0; o < g->operations && !error->status; o++) {
		waits[o] = g->waits ? g->waits[o] : 0;
		if (!waits[o])
			queue[last++] = o;
	}
	while (first < last) {
		uint32_t o = queue[first++], before = depth[o];
		depth[o] += g->kind[o] == OPERATION_MESSAGE;
		*most = depth[o] > *most ? depth[o] : *most;
		for (int begun = 0; begun < 2; begun++) {
			const uint64_t *from = begun ? g->first_begun : g->first;
			const uint32_t *next = begun ? g->next_begun : g->next;
			for (uint64_t i = from ? from[o] : 0; from && i < from[o + 1]; i++) {
				uint32_t then = next[i], least = begun ? before : depth[o];
				depth[then] = depth[then] < least ? least : depth[then];
				if (!--waits[then])
					queue[last++] = then;
			}
		}
	}
	free(waits);
	free(queue);
	return error->status ? -1 : 0;
}

static int list_graph(struct rank_messages *d, struct levels *all, const struct weights *w, const struct pattern_request *request,
	uint32_t ranks, struct error *error)
{
	struct workload_call *call = workload_create(request, error);
	struct workload_task task = {.tasks = ranks, .bytes = 1, .seed = request->seed};
	struct task_graph *g = call ? workload_graph(call, &task, error) : NULL;
	uint32_t most = 0, *depth = g ? array_create(g->operations, sizeof *depth, error) : NULL;
	d->drawn = call && workload_drawn(call);
	uint64_t *begin = NULL;
	uint32_t *list = g ? array_create(g->operations, sizeof *list, error) : NULL;
	if (depth && list && !find_depths(g, depth, &most, error) && (begin = array_create((size_t)most + 2, sizeof *begin, error))) {
		for (uint32_t o = 0; o < g->operations; o++)
			begin[depth[o] + 1] += g->kind[o] == OPERATION_MESSAGE;
		for (uint32_t l = 0; l <= most; l++)
			begin[l + 1] += begin[l];
		for (uint32_t o = 0; o < g->operations; o++)
			if (g->kind[o] == OPERATION_MESSAGE)
				list[begin[depth[o]]++] = o;
		for (uint32_t l = 1; l <= most && !error->status; l++) {
			uint64_t end = d->first[d->levels];
			for (uint64_t i = begin[l - 1]; i < begin[l] && !error->status; i++) {
				uint32_t o = list[i];
				if (g->task[o] != g->receiver[o])
					end += !add(d, end, g->task[o], g->receiver[o], g->size[o] > 0 ? g->size[o] : 1, error);
			}
			if (!error->status)
				end_level(d, all, w, l - 1, end, error);
		}
	}
	free(begin);
	free(list);
	free(depth);
	task_graph_free(g);
	workload_free(call);
	return error->status ? -1 : 0;
}

/* ---- the whole */

static int find_least(struct rank_messages *d, struct error *error)
{
	double *sum[2] = {array_create(d->ranks, sizeof *sum[0], error), array_create(d->ranks, sizeof *sum[1], error)};
	d->least = array_create(d->levels, sizeof *d->least, error);
	for (uint32_t l = 0; l < d->levels && !error->status; l++) {
		for (int again = 0; again < 2; again++)
			for (uint64_t i = d->first[l]; i < d->first[l + 1]; i++) {
				const struct rank_message *m = &d->message[i];
				double *out = &sum[0][m->sender], *in = &sum[1][m->receiver];
				*out = again ? 0 : *out + m->weight;
				*in = again ? 0 : *in + m->weight;
				d->least[l] = *out > d->least[l] ? *out : d->least[l];
				d->least[l] = *in > d->least[l] ? *in : d->least[l];
			}
	}
	free(sum[0]);
	free(sum[1]);
	return error->status ? -1 : 0;
}

int rank_messages_count(const struct pattern_request *request, uint32_t *ranks, struct error *error)
{
	*ranks = 0;
	if (!request->spec)
		return 0;
	struct workload_call *call = workload_create(request, error);
	int result = call ? workload_count(call, ranks, error) : -1;
	workload_free(call);
	return result;
}

int rank_messages_make(
	struct rank_messages *messages, const struct pattern_request *request, uint32_t ranks, const char *weights, struct error *error)
{
	struct rank_messages *d = messages;
	struct weights w = {0};
	struct levels all = {.first_capacity = 2};
	struct error own = {0};
	*d = (struct rank_messages){.ranks = ranks, .first = array_create(2, sizeof *d->first, error)};
	if (error->status || (weights && read_weights(&w, weights, ranks, error))) {
		weights_clear(&w);
		return -1;
	}
	if (!request->spec) {
		for (size_t i = 0; i < w.pairs && !error->status; i++)
			add(d, i, w.pair[i].sender, w.pair[i].receiver, 1, error);
		if (!error->status)
			end_level(d, &all, &w, 0, w.pairs, error);
	} else if (!pattern_check(request, PATTERN_PAIRS, &own) && !pattern_find(request->spec, PATTERN_PAIRS, &own)->ordered) {
		list_pairs(d, &all, &w, request, ranks, error);
	} else {
		list_graph(d, &all, &w, request, ranks, error);
	}
	for (size_t i = 0; i < w.levels && !error->status; i++)
		if (w.level[i].level >= d->all_levels)
			error_at(error, STATUS_USAGE, weights, 0, "level %" PRIu64 ": the pattern has the levels 0 to %" PRIu64,
				w.level[i].level, d->all_levels - 1);
	if (!error->status && !d->levels)
		error_set(error, STATUS_USAGE, "the pattern has no message between %" PRIu32 " ranks: every order is as good", ranks);
	if (!error->status)
		find_least(d, error);
	weights_clear(&w);
	free(all.hash);
	return error->status ? -1 : 0;
}
