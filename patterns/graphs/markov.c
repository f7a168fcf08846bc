/*
 * An application that goes from computing to communicating, reading and writing at random, as a Markov chain. Source: INRFlow paper
 * (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.3.4. All tasks are in one state, and the next begins when all have
 * ended the last. See orcs-traces(5).
 */
#include "base/memory.h"
#include "patterns/graphs/trace_file.h"
#include "patterns/workload.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct arg markov_args[] = {
	{"FILE", ARG_TEXT, NULL, 0, 0, "states and their chances: 'comp comm=.5 read=.2 write=.1 end=.2', 'compute exp:10ms', ..."},
	{.type = ARG_END},
};

enum state { COMP, COMM, READ, WRITE, END, STATES };
static const char *const state_names[STATES] = {"comp", "comm", "read", "write", "end"};

/* The sum of a row may differ from 1 by so much. */
#define ROUNDING 1e-9

struct chain {
	double chance[END][STATES]; /* [from][to] */
	unsigned long line[END];    /* of the state's row; 0: it has none */
	double compute;             /* seconds */
	bool exponential;           /* compute is the mean */
	char *workload;             /* owned; NULL: none */
	unsigned long workload_line;
	double bytes;       /* of its messages; below 0: the general size */
	double read, write; /* bytes of each task; below 0: not given */
	double init, end;   /* likewise, before the first and after the last state */
	bool has_compute;
};

static void chain_clear(struct chain *chain)
{
	free(chain->workload);
}

/* ---- the file */

/* Reads a probability of a row; *given: the states that it has so far, as bits. */
static int read_chance(
	struct trace_file *file, struct word word, struct chain *chain, enum state from, unsigned *given, struct error *error)
{
	for (int to = 0; to < STATES; to++) {
		struct word value = word;
		char key[20];
		snprintf(key, sizeof key, "%s=", state_names[to]);
		if (!word_has_key(&value, key))
			continue;
		if (to == END && from != COMP)
			return trace_error(file, error, "only comp leads to end");
		if (*given & 1u << to)
			return trace_error(file, error, "'%s' is given twice", state_names[to]);
		*given |= 1u << to;
		if (trace_decimal(file, value, "probability", &chain->chance[from][to], error))
			return -1;
		return chain->chance[from][to] <= 1 + ROUNDING ? 0 : trace_error(file, error, "a probability above 1");
	}
	return trace_wrong(file, word, "state with its probability, such as comm=.5 or end=.2", error);
}

static int read_row(struct trace_file *file, struct chain *chain, enum state from, struct error *error)
{
	double sum = 0;
	unsigned given = 0;
	if (chain->line[from])
		return trace_error(file, error, "state '%s' has a second line, after line %lu", state_names[from], chain->line[from]);
	chain->line[from] = file->lines.number;
	for (struct word word; (word = trace_word(file, "")).text;)
		if (read_chance(file, word, chain, from, &given, error))
			return -1;
	for (int to = 0; to < STATES; to++)
		sum += chain->chance[from][to];
	if (fabs(sum - 1) > ROUNDING)
		return trace_error(file, error, "the probabilities of '%s' sum to %.9g, not 1", state_names[from], sum);
	return 0;
}

/* Reads "exp:SECONDS" or "fixed:SECONDS". */
static int read_compute(struct trace_file *file, struct chain *chain, struct error *error)
{
	struct word word = trace_word(file, ""), value = word;
	char text[64];
	chain->exponential = word_has_key(&value, "exp:");
	if (chain->has_compute)
		return trace_error(file, error, "'compute' has a second line");
	chain->has_compute = true;
	if (!chain->exponential && !word_has_key(&value, "fixed:"))
		return trace_wrong(file, word, "time such as exp:10ms or fixed:0.01", error);
	snprintf(text, sizeof text, "%.*s", (int)(value.length < sizeof text ? value.length : sizeof text - 1), value.text);
	if (value.length >= sizeof text || !read_seconds(text, 1, 1e6, &chain->compute))
		return trace_wrong(file, word, "time such as exp:10ms or fixed:0.01", error);
	return trace_line_end(file, error);
}

/* Reads "WORKLOAD [bytes=B]". */
static int read_workload(struct trace_file *file, struct chain *chain, struct error *error)
{
	struct word spec = trace_word(file, "");
	if (chain->workload)
		return trace_error(file, error, "'communicate' has a second line");
	if (!spec.text || word_nests(spec, "markov:") || word_nests(spec, "jobs:") || word_nests(spec, "queue:"))
		return trace_wrong(file, spec, "workload of a chain", error);
	chain->workload_line = file->lines.number;
	chain->workload = strndup(spec.text, spec.length);
	if (!chain->workload)
		return error_set(error, STATUS_IO, "out of memory");
	struct word word = trace_word(file, ""), value = word;
	if (word.text && !word_has_key(&value, "bytes="))
		return trace_wrong(file, word, "'bytes=B'", error);
	return (word.text && trace_size(file, value, &chain->bytes, error)) || trace_line_end(file, error) ? -1 : 0;
}

static int read_amount(struct trace_file *file, const char *what, double *bytes, struct error *error)
{
	if (*bytes >= 0)
		return trace_error(file, error, "'%s' has a second line with bytes", what);
	return trace_size(file, trace_word(file, ""), bytes, error) || trace_line_end(file, error) ? -1 : 0;
}

/* Returns whether the next word of the line is a state with its probability, such as "comp=.5". */
static bool has_chances(const struct trace_file *file)
{
	struct trace_file ahead = *file;
	struct word word = trace_word(&ahead, "");
	bool found = false;
	for (int to = 0; word.text && to < STATES; to++) {
		size_t length = strlen(state_names[to]);
		found |= length < word.length && word.text[length] == '=' && !strncmp(word.text, state_names[to], length);
	}
	return found;
}

static int read_line(struct trace_file *file, struct chain *chain, struct error *error)
{
	struct word word = trace_word(file, "");
	if (word_is(word, "compute"))
		return read_compute(file, chain, error);
	if (word_is(word, "communicate"))
		return read_workload(file, chain, error);
	if (word_is(word, "init"))
		return read_amount(file, "init", &chain->init, error);
	if (word_is(word, "end"))
		return read_amount(file, "end", &chain->end, error);
	if (word_is(word, "read") && !has_chances(file))
		return read_amount(file, "read", &chain->read, error);
	if (word_is(word, "write") && !has_chances(file))
		return read_amount(file, "write", &chain->write, error);
	for (int from = 0; from < END; from++)
		if (word_is(word, state_names[from]))
			return read_row(file, chain, (enum state)from, error);
	return trace_wrong(file, word, "comp, comm, read, write, compute, communicate, init or end", error);
}

/* Marks the states from which END can be reached. */
static void find_ways_out(const struct chain *chain, bool out[STATES])
{
	memset(out, 0, STATES * sizeof *out);
	out[END] = true;
	for (int round = 0; round < STATES; round++)
		for (int from = 0; from < END; from++)
			for (int to = 0; to < STATES; to++)
				out[from] |= chain->chance[from][to] > 0 && out[to];
}

/* Checks that every state that is entered has a row and what it does, and a way to the end. Returns 0, or -1. */
static int check_chain(const struct chain *chain, const char *path, struct error *error)
{
	bool entered[STATES] = {[COMP] = true}, out[STATES];
	for (int from = 0; from < END; from++)
		for (int to = 0; to < STATES; to++)
			entered[to] |= chain->chance[from][to] > 0;
	find_ways_out(chain, out);
	for (int s = 0; s < END; s++) {
		if (entered[s] && !chain->line[s])
			return error_at(error, STATUS_USAGE, path, 0, "state '%s' has no line with its probabilities", state_names[s]);
		if (entered[s] && !out[s])
			return error_at(
				error, STATUS_USAGE, path, chain->line[s], "the chain cannot reach its end from '%s'", state_names[s]);
	}
	if (!chain->has_compute)
		return error_at(error, STATUS_USAGE, path, 0, "no line 'compute exp:SECONDS' or 'compute fixed:SECONDS'");
	if (entered[COMM] && !chain->workload)
		return error_at(error, STATUS_USAGE, path, 0, "no line 'communicate WORKLOAD'");
	if (entered[READ] && chain->read < 0)
		return error_at(error, STATUS_USAGE, path, 0, "no line 'read BYTES'");
	if (entered[WRITE] && chain->write < 0)
		return error_at(error, STATUS_USAGE, path, 0, "no line 'write BYTES'");
	return 0;
}

/* Reads a chain. Returns 0, or -1; call chain_clear() in either case. */
static int read_chain(struct chain *chain, const char *path, struct error *error)
{
	struct trace_file file;
	*chain = (struct chain){.bytes = -1, .read = -1, .write = -1, .init = -1, .end = -1};
	if (!trace_open(&file, path, error))
		while (trace_line(&file, error) && !read_line(&file, chain, error))
			;
	trace_close(&file);
	return error->status ? -1 : check_chain(chain, path, error);
}

static int markov_files(const struct arg_value *args, struct files *files, struct error *error)
{
	struct chain chain = {.workload = NULL};
	if (!trace_files(args, files, error) && !read_chain(&chain, args[0].text, error) && chain.workload)
		pattern_files(&(struct pattern_request){.spec = chain.workload, .first_ranks = -1}, PATTERN_GRAPH, files, error);
	chain_clear(&chain);
	return error->status ? -1 : 0;
}

/* Returns the workload of the chain; NULL if it has none, or on errors, which name its line. */
static struct workload_call *call_of(const struct chain *chain, const char *path, uint64_t seed, struct error *error)
{
	struct error own = {0};
	if (!chain->workload)
		return NULL;
	struct workload_call *call =
		workload_create(&(struct pattern_request){.spec = chain->workload, .first_ranks = -1, .seed = seed}, &own);
	if (!call)
		error_at(error, own.status, path, chain->workload_line, "%s", own.text);
	return call;
}

static int markov_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct chain chain;
	*tasks = 0;
	struct workload_call *call = read_chain(&chain, args[0].text, error) ? NULL : call_of(&chain, args[0].text, 1, error);
	if (call)
		workload_count(call, tasks, error);
	workload_free(call);
	chain_clear(&chain);
	return error->status ? -1 : 0;
}

/* ---- the graph */

struct walk {
	const struct chain *chain;
	const struct workload_task *task;
	struct task_builder *builder;
	struct workload_call *call; /* NULL: no state communicates */
	struct task_graph *graph;   /* of the last communication */
	struct random random;
	uint32_t before; /* the end of the last state; OPERATION_NONE at the beginning */
	uint32_t first;  /* of the current state */
	uint64_t communications;
	uint32_t *after; /* [tasks] scratch */
};

static double uniform(struct walk *w)
{
	uint64_t bits = (uint64_t)random_bits(&w->random) << 21 ^ random_bits(&w->random) >> 11;
	return ((double)bits + 0.5) * 0x1p-53;
}

static enum state next_state(struct walk *w, enum state from)
{
	double draw = uniform(w), sum = 0;
	int last = 0;
	for (int to = 0; to < STATES; to++)
		if (w->chain->chance[from][to] > 0) {
			last = to;
			sum += w->chain->chance[from][to];
			if (draw < sum)
				break;
		}
	return (enum state)last;
}

/* Makes an operation of the state begin when the last one has ended. */
static void begin(struct walk *w, uint32_t operation)
{
	if (w->before != OPERATION_NONE)
		task_after(w->builder, operation, w->before);
	if (w->first == OPERATION_NONE)
		w->first = operation;
}

/* Ends the state: the next begins when all its operations, numbered consecutively, have ended. */
static void end_state(struct walk *w, uint32_t count)
{
	uint32_t barrier = task_barrier(w->builder, 0);
	if (!count && w->before != OPERATION_NONE)
		task_after(w->builder, barrier, w->before);
	for (uint32_t i = 0; i < count && task_builder_goes_on(w->builder); i++)
		task_after(w->builder, barrier, w->first + i);
	w->before = barrier;
	w->first = OPERATION_NONE;
}

static void add_computation(struct walk *w)
{
	double seconds = w->chain->exponential ? -w->chain->compute * log(uniform(w)) : w->chain->compute;
	for (uint32_t i = 0; i < w->task->tasks; i++)
		begin(w, task_compute(w->builder, i, seconds));
	end_state(w, w->task->tasks);
}

static void add_transfers(struct walk *w, bool read, double bytes)
{
	for (uint32_t i = 0; i < w->task->tasks; i++)
		begin(w, read ? task_read(w->builder, i, bytes) : task_write(w->builder, i, bytes));
	end_state(w, w->task->tasks);
}

/* Returns the graph of one communication. */
static struct task_graph *communication(struct walk *w, struct error *error)
{
	const struct workload_task own = workload_inner(w->task, w->communications++, w->chain->bytes);
	if (w->graph && !workload_drawn(w->call))
		return w->graph;
	task_graph_free(w->graph);
	return w->graph = workload_graph(w->call, &own, error);
}

static int add_communication(struct walk *w, struct error *error)
{
	const struct task_graph *graph = communication(w, error);
	if (!graph)
		return -1;
	for (uint32_t i = 0; i < graph->tasks; i++)
		w->after[i] = w->before;
	w->first = task_graph_add(w->builder, graph, &(struct embedding){.after = w->after, .priority = -1, .service_level = -1});
	end_state(w, graph->operations);
	return 0;
}

static int add_state(struct walk *w, enum state state, struct error *error)
{
	switch (state) {
	case COMP: add_computation(w); return 0;
	case COMM: return add_communication(w, error);
	case READ: add_transfers(w, true, w->chain->read); return 0;
	default: add_transfers(w, false, w->chain->write); return 0;
	}
}

static int build_markov(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct chain chain;
	if (read_chain(&chain, task->args[0].text, error)) {
		chain_clear(&chain);
		return -1;
	}
	struct walk w = {.chain = &chain,
		.task = task,
		.builder = builder,
		.call = call_of(&chain, task->args[0].text, task->seed, error),
		.before = OPERATION_NONE,
		.first = OPERATION_NONE};
	uint32_t level = 0;
	w.after = array_create(task->tasks, sizeof *w.after, error);
	random_start(&w.random, task->seed, RANDOM_STATES, task->run);
	if (chain.init >= 0)
		add_transfers(&w, true, chain.init);
	for (enum state state = COMP; state != END && !error->status && task_builder_goes_on(builder); state = next_state(&w, state)) {
		task_level(builder, level++);
		add_state(&w, state, error);
	}
	if (chain.end >= 0)
		add_transfers(&w, false, chain.end);
	task_graph_free(w.graph);
	workload_free(w.call);
	free(w.after);
	chain_clear(&chain);
	return error->status ? -1 : 0;
}

const struct pattern pattern_markov = {
	.name = "markov",
	.summary = "an application that computes, communicates, reads and writes at random, as a Markov chain",
	.source = "INRFlow paper 3.3.4",
	.args = markov_args,
	.drawn = true,
	.ordered = true,
	.count = markov_count,
	.files = markov_files,
	.build = build_markov,
};
