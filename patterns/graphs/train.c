/*
 * One iteration of training a transformer with tensor, pipeline and data parallelism: Narayanan et al.: Efficient Large-Scale Language
 * Model Training on GPU Clusters Using Megatron-LM, SC 2021, and Shoeybi et al.: Megatron-LM, 2019. Ranks count tensor-parallel ones first,
 * then replicas, then stages. Stages follow one forward, one backward (1F1B). Ranks of one machine exchange over another network, which
 * takes no time here. The formulae are in orcs-patterns(7).
 */
#include "patterns/workload.h"

#include "base/args.h"

#include <inttypes.h>

static const struct arg train_args[] = {
	{"tp=T,pp=P,dp=D[,...]", ARG_TEXT, NULL, 0, 0,
		"ranks of tensor, pipeline and data parallelism, and the model: hidden, layers, seq, ..."},
	{.type = ARG_END},
};

/* The parts of that text. */
enum { TP, PP, DP, HIDDEN, LAYERS, SEQ, VOCAB, MICRO, BATCHES, NUMBER, MACHINE, COMPUTE };
static const struct arg parts[] = {
	{"tp", ARG_INTEGER, "1", 1, 1 << 20, "tensor-parallel ranks of a stage"},
	{"pp", ARG_INTEGER, "1", 1, 1 << 20, "stages of the pipeline"},
	{"dp", ARG_INTEGER, "1", 1, 1 << 20, "replicas"},
	{"hidden", ARG_INTEGER, "12288", 1, 1 << 24, "hidden size"},
	{"layers", ARG_INTEGER, "96", 1, 1 << 20, "layers, a multiple of pp"},
	{"seq", ARG_INTEGER, "2048", 1, 1 << 24, "tokens of a sequence"},
	{"vocab", ARG_INTEGER, "51200", 0, 1 << 24, "words of the vocabulary"},
	{"micro", ARG_INTEGER, "1", 1, 1 << 20, "sequences of a micro-batch"},
	{"batches", ARG_INTEGER, "8", 1, 1 << 20, "micro-batches of a replica in an iteration"},
	{"number", ARG_INTEGER, "2", 1, 16, "bytes of an activation or a gradient"},
	{"machine", ARG_INTEGER, "8", 1, 1 << 16, "ranks of a machine"},
	{"compute", ARG_WORD, "0", 0, 0, "time of a stage for a micro-batch forward, such as 10ms; backward takes twice that"},
	{.type = ARG_END},
};

struct training {
	struct task_builder *builder;
	uint32_t tp, pp, dp, batches, machine;
	double tensor;      /* bytes of a tensor-parallel rank to the next, for a micro-batch in one direction */
	double boundary;    /* bytes of a rank to that of the next stage */
	double gradient;    /* bytes of the gradients of a layer's ranks in a stage, without embeddings */
	double first, last; /* ... of the embeddings of the first and of the last stage */
	double compute;
};

/* Reads the parameters. Returns 0, or -1; call args_clear() in either case. */
static int read_parts(struct arg_values *values, const struct arg_value *args, struct error *error)
{
	return args_parse(values, parts, args[0].text, "workload", "train", error);
}

static int read_training(struct training *t, const struct arg_value *v, struct task_builder *builder, struct error *error)
{
	double hidden = (double)v[HIDDEN].integer, seq = (double)v[SEQ].integer, vocab = (double)v[VOCAB].integer;
	double number = (double)v[NUMBER].integer;
	*t = (struct training){
		.builder = builder,
		.tp = (uint32_t)v[TP].integer,
		.pp = (uint32_t)v[PP].integer,
		.dp = (uint32_t)v[DP].integer,
		.batches = (uint32_t)v[BATCHES].integer,
		.machine = (uint32_t)v[MACHINE].integer,
	};
	if (v[LAYERS].integer % t->pp)
		return error_set(error, STATUS_USAGE, "workload 'train': %" PRId64 " layers are not a multiple of %" PRIu32 " stages",
			v[LAYERS].integer, t->pp);
	if (!read_seconds(v[COMPUTE].text, 1, 1e6, &t->compute) && !read_number(v[COMPUTE].text, 0, 0, &t->compute))
		return error_set(error, STATUS_USAGE, "workload 'train': compute is '%s', not a time such as 10ms", v[COMPUTE].text);
	double layers = (double)v[LAYERS].integer / t->pp, activations = (double)v[MICRO].integer * seq * hidden * number;
	t->tensor = 2 * (t->tp - 1.) / t->tp * 2 * layers * activations;
	t->boundary = activations / t->tp;
	t->gradient = layers * (12 * hidden * hidden + 13 * hidden) * number / t->tp;
	t->first = (vocab + seq) * hidden * number / t->tp;
	t->last = t->pp > 1 ? vocab * hidden * number / t->tp : 0;
	return 0;
}

static int train_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct arg_values values;
	const struct arg_value *v = values.value;
	double all = read_parts(&values, args, error) ? 0 : (double)v[TP].integer * (double)v[PP].integer * (double)v[DP].integer;
	args_clear(&values);
	if (all > 1 << 24)
		error_set(error, STATUS_USAGE, "workload 'train': %.0f ranks are more than %d", all, 1 << 24);
	*tasks = all > 1 << 24 ? 0 : (uint32_t)all;
	return error->status ? -1 : 0;
}

static double train_messages(const struct workload_task *task)
{
	struct arg_values values;
	struct error wrong = {0};
	double batches = read_parts(&values, task->args, &wrong) ? 0 : (double)values.value[BATCHES].integer;
	args_clear(&values);
	return task->tasks * (4 * batches + 1);
}

/* A rank of the training. */
struct place {
	uint32_t tensor, replica, stage, rank;
};

static uint32_t rank_of(const struct training *t, uint32_t tensor, uint32_t replica, uint32_t stage)
{
	return tensor + t->tp * (replica + t->dp * stage);
}

/* Sends over the fabric; ranks of one machine need no message. */
static void give(const struct training *t, uint32_t rank, uint32_t to, uint32_t tag, double bytes)
{
	if (rank / t->machine != to / t->machine)
		task_send(t->builder, rank, to, tag, bytes);
}

/* Waits for what another rank gives; of one machine, for nothing. */
static void take(const struct training *t, uint32_t rank, uint32_t from, uint32_t tag)
{
	if (rank / t->machine != from / t->machine)
		task_receive(t->builder, rank, from, tag);
}

/* The ring of an all-reduce in a group: to the next, from the one before. */
static void reduce(const struct training *t, uint32_t rank, uint32_t next, uint32_t before, uint32_t tag, double bytes)
{
	give(t, rank, next, tag, bytes);
	take(t, rank, before, tag);
}

/* Hands a micro-batch on to the next stage, or back. */
static void hand_on(const struct training *t, struct place p, uint32_t stage, uint32_t tag)
{
	uint32_t to = rank_of(t, p.tensor, p.replica, stage);
	if (p.rank / t->machine == to / t->machine)
		task_signal(t->builder, p.rank, to, tag);
	else
		task_send(t->builder, p.rank, to, tag, t->boundary);
}

/* One micro-batch on one rank, forward or backward. */
static void work(const struct training *t, struct place p, uint32_t batch, bool forward)
{
	uint32_t tag = 4 * batch + 2 * forward;
	uint32_t next = rank_of(t, (p.tensor + 1) % t->tp, p.replica, p.stage),
		 before = rank_of(t, (p.tensor + t->tp - 1) % t->tp, p.replica, p.stage);
	if (forward && p.stage)
		task_receive(t->builder, p.rank, rank_of(t, p.tensor, p.replica, p.stage - 1), tag);
	if (!forward && p.stage + 1 < t->pp)
		task_receive(t->builder, p.rank, rank_of(t, p.tensor, p.replica, p.stage + 1), tag);
	if (t->compute > 0)
		task_work(t->builder, p.rank, (forward ? 1 : 2) * t->compute);
	if (t->tp > 1)
		reduce(t, p.rank, next, before, tag + 1, t->tensor);
	if (forward && p.stage + 1 < t->pp)
		hand_on(t, p, p.stage + 1, tag);
	if (!forward && p.stage)
		hand_on(t, p, p.stage - 1, tag);
}

/* All micro-batches of a rank: some forward to fill the pipeline, then one forward and one backward in turn; then its gradients. */
static void add_rank(const struct training *t, struct place p)
{
	uint32_t ahead = t->pp - 1 - p.stage < t->batches ? t->pp - 1 - p.stage : t->batches, forward = 0, backward = 0;
	while (forward < ahead)
		work(t, p, forward++, true);
	while (backward < t->batches) {
		if (forward < t->batches)
			work(t, p, forward++, true);
		work(t, p, backward++, false);
	}
	double bytes = t->gradient + (p.stage ? 0 : t->first) + (p.stage + 1 == t->pp ? t->last : 0);
	if (t->dp > 1)
		reduce(t, p.rank, rank_of(t, p.tensor, (p.replica + 1) % t->dp, p.stage),
			rank_of(t, p.tensor, (p.replica + t->dp - 1) % t->dp, p.stage), 4 * t->batches, 2 * (t->dp - 1.) / t->dp * bytes);
	uint32_t end = p.stage ? 0 : t->pp - 1, other = rank_of(t, p.tensor, p.replica, end); /* its copy of the word embeddings */
	if (t->pp > 1 && (!p.stage || p.stage + 1 == t->pp))
		reduce(t, p.rank, other, other, 4 * t->batches + 1, t->last);
}

static int build_train(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct training t = {0};
	struct arg_values values;
	if (!read_parts(&values, task->args, error))
		read_training(&t, values.value, builder, error);
	args_clear(&values);
	for (uint32_t stage = 0; stage < t.pp && !error->status; stage++)
		for (uint32_t replica = 0; replica < t.dp; replica++)
			for (uint32_t tensor = 0; tensor < t.tp && task_builder_goes_on(builder); tensor++)
				add_rank(&t, (struct place){tensor, replica, stage, rank_of(&t, tensor, replica, stage)});
	return error->status ? -1 : 0;
}

const struct pattern pattern_train = {
	.name = "train",
	.summary = "an iteration of training a transformer with tensor, pipeline and data parallelism",
	.source = "Megatron-LM: Narayanan et al. 2021",
	.args = train_args,
	.ordered = true,
	.count = train_count,
	.messages = train_messages,
	.build = build_train,
};
