/*
 * orcs-bound: a routed fabric -> exact loads, the worst permutation, the possible throughput of the cables, and the baseline -> one result.
 */
#include "base/files.h"
#include "base/memory.h"
#include "base/signals.h"
#include "cli/terminal.h"
#include "cli/usage.h"
#include "fabric/planes.h"
#include "fabric/walk.h"
#include "infiniband/link_speeds.h"
#include "orcs/loads_shared.h"
#include "parallel/distribute.h"
#include "infiniband/source_options.h"
#include "tools/bound/bound_planes.h"
#include "tools/bound/bound_tiers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The state of a call, or of one of its planes. */
struct bound_job {
	struct bound_options options;
	struct comm *comm;
	uint32_t plane;         /* its number, from 1; 0: the whole fabric */
	struct bound_job *part; /* [parts] planes that are computed one by one; then there is nothing else */
	uint32_t parts;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report odd;
	struct placement placement; /* without ranks */
	struct bounds bounds;
	struct pair *pattern;
	struct pair *permutation;
	size_t permutation_pairs;
	struct files files;
	struct output output, witness, graph;
	double started;
};

/* Records the inputs, and opens the outputs. Returns 0, or -1. */
static int open_files(struct bound_job *job, struct error *error)
{
	struct bound_options *o = &job->options;
	struct files *files = &job->files;
	if (fabric_source_open(&o->fabric, files, error) || (o->pattern.spec && pattern_files(&o->pattern, PATTERN_PAIRS, files, error)) ||
		files_write(files, &job->output, o->output, error) || (o->witness && files_write(files, &job->witness, o->witness, error)))
		return -1;
	return o->graph ? files_write(files, &job->graph, o->graph, error) : 0;
}

/* Makes all links equally fast if that is requested; in either case notes different speeds. Returns 0, or -1. */
static int treat_speeds(struct bound_job *job, FILE *notes, struct error *error)
{
	struct fabric *f = job->fabric;
	bool ignored = job->options.ignore_speeds;
	if (notes && link_speeds_note(f, ignored ? SPEEDS_IGNORED : SPEEDS_COUNT, notes, "orcs-bound", f->labels->source, error))
		return -1;
	for (uint32_t c = 0; ignored && c < f->channels; c++)
		f->speed[c] = 1;
	return 0;
}

/* Finds the planes, if they must be computed one by one. Returns 0, or -1. */
static int find_planes(struct bound_job *job, FILE *notes, struct error *error)
{
	const struct bound_options *o = &job->options;
	struct planes planes;
	uint32_t *number = NULL;
	if (o->fabric.plane || o->drop || job->forwarding->function || source_is_standard(&o->fabric))
		return 0;
	if (!planes_find(&planes, job->fabric, error) && planes_of_pairs(&planes) > 1)
		number = planes_list(&planes, &job->parts, error);
	uint32_t alone = planes.planes - planes_of_pairs(&planes);
	if (number && (o->witness || o->graph))
		error_set(error, STATUS_USAGE, "%s is for one plane, and the fabric has %" PRIu32 ": --plane N selects one of them",
			o->witness ? "--witness" : "--graph", planes.planes);
	if (number && alone && notes)
		fprintf(notes, "orcs-bound: note: planes with a single host, which are left out: %" PRIu32 "\n", alone);
	job->part = number ? array_create(job->parts, sizeof *job->part, error) : NULL;
	for (uint32_t p = 0; p < job->parts && job->part; p++)
		job->part[p].plane = number[p];
	planes_clear(&planes);
	free(number);
	return error->status ? -1 : 0;
}

/* The part of process 0: reads the fabric, or one of its planes, and the pattern. */
static void read_fabric(struct bound_job *job, struct files *files, struct error *error)
{
	struct bound_options *o = &job->options;
	unsigned wants = DOT_TABLES | (o->drop ? DOT_ALLOW_NO_LINK : 0) | (o->graph ? DOT_KEEP : 0);
	FILE *notes = o->quiet ? NULL : stderr;
	if (fabric_source_load(&o->fabric, wants, files, notes, &job->fabric, &job->forwarding, &job->attributes, &job->odd, error) ||
		find_planes(job, notes, error) || job->parts || treat_speeds(job, notes, error))
		return;
	if (job->fabric->hosts < 2)
		error_at(error, STATUS_FABRIC, job->fabric->labels->source, 0, "the fabric has one host, which cannot send to any other");
	struct pattern_call *call = o->pattern.spec && !error->status ? pattern_create(&o->pattern, job->fabric->hosts, error) : NULL;
	if (call)
		traffic_of_pattern(call, job->fabric, job->forwarding, o->drop, &job->pattern, &job->bounds.pattern_pairs,
			&job->bounds.pattern_unroutable, error);
	pattern_free(call);
}

static void read_input(struct bound_job *job, struct error *error)
{
	if (!open_files(job, error))
		read_fabric(job, &job->files, error);
}

/* Reports how long a step took. */
static void told(struct bound_job *job, const char *what)
{
	if (job->options.verbose && !comm_rank(job->comm))
		fprintf(stderr, "%s: %.2f s\n", what, now() - job->started);
	job->started = now();
}

/* Sets an error with the first pair without a route, in the order of destinations. */
static void refuse_gap(const struct bound_job *job, struct error *error)
{
	const struct fabric *f = job->fabric;
	struct source_groups senders;
	source_groups_init(&senders, f, job->forwarding, job->bounds.loads.split, error);
	for (uint32_t d = 0; d < f->hosts && !error->status; d++)
		for (uint32_t s = 0; s < senders.trees.starts && !error->status; s++) {
			const uint32_t *route;
			if (!source_groups_to(&senders, s, d) || source_groups_walk(&senders, s, d, &route) >= 0)
				continue;
			uint32_t first = senders.host[senders.first[s]];
			walk_explain(f, job->forwarding, first != d ? first : senders.host[senders.first[s] + 1], d, error);
		}
	source_groups_clear(&senders);
	dot_report_hint(&job->odd, error);
}

static void find_loads(struct bound_job *job, struct error *error)
{
	struct bounds *b = &job->bounds;
	if (loads_count_shared(&b->loads, job->comm, job->fabric, job->forwarding, error))
		return;
	if (b->loads.unreachable && !job->options.drop && !comm_rank(job->comm))
		refuse_gap(job, error);
	bound_find_hottest(b);
	if ((job->options.parts & PART_LOADS) && !comm_rank(job->comm))
		bound_find_shares(b, error);
	told(job, "loads");
}

static void find_worst(struct bound_job *job, struct error *error)
{
	const struct fabric *f = job->fabric;
	if (!(job->options.parts & PART_WORST) ||
		worst_find(&job->bounds.worst, job->comm, f, job->forwarding, &job->bounds.loads, job->options.speed_aware, error))
		return;
	uint32_t *route = array_create(f->nodes, sizeof *route, error);
	job->permutation = array_create(f->hosts, sizeof *job->permutation, error);
	for (uint32_t h = 0; !error->status && job->bounds.worst.channel != NONE && h < f->hosts; h++) {
		uint32_t partner = job->bounds.worst.partner[h];
		if (partner != h && walk_route(f, job->forwarding, h, partner, route) >= 0)
			job->permutation[job->permutation_pairs++] = (struct pair){h, partner};
	}
	free(route);
	told(job, "worst permutation");
}

/* Distributes the pattern's pairs to all processes. */
static void share_pattern(struct bound_job *job, struct error *error)
{
	comm_broadcast(job->comm, &job->bounds.pattern_pairs, sizeof job->bounds.pattern_pairs);
	if (comm_rank(job->comm) || !job->pattern)
		job->pattern = array_create(job->bounds.pattern_pairs, sizeof *job->pattern, error);
	if (!comm_agree(job->comm, error))
		comm_broadcast(job->comm, job->pattern, job->bounds.pattern_pairs * sizeof *job->pattern);
}

static void find_throughputs(struct bound_job *job, struct error *error)
{
	const struct bound_options *o = &job->options;
	const struct flow_limits limits = {.epsilon = o->epsilon, .phases = o->phases};
	struct bounds *b = &job->bounds;
	struct demand traffic[3] = {{.pairs = NULL}};
	struct throughput found[3], *to[3] = {&b->all};
	int count = 1;
	if (!(o->parts & PART_THROUGHPUT))
		return;
	if (o->parts & PART_WORST) {
		to[count] = &b->permutation;
		traffic[count++] = (struct demand){job->permutation, job->permutation_pairs};
	}
	if (o->pattern.spec) {
		share_pattern(job, error);
		to[count] = &b->pattern;
		traffic[count++] = (struct demand){job->pattern, b->pattern_pairs};
	}
	if (comm_agree(job->comm, error) ||
		throughputs_find(found, traffic, count, job->comm, job->fabric, job->forwarding, &b->loads, &limits, error))
		return;
	for (int i = 0; i < count && !comm_rank(job->comm); i++)
		*to[i] = found[i];
	told(job, "throughput");
}

/* Needed by process 0 only. */
static void find_ideal(struct bound_job *job, struct error *error)
{
	if (!(job->options.parts & PART_IDEAL) || comm_rank(job->comm))
		return;
	ideal_of_fabric(&job->bounds.ideal, job->fabric, job->options.levels, error);
	told(job, "ideal tree");
}

/* Warns of intervals that the search could not narrow enough. */
static void warn_wide(const struct bound_job *job)
{
	char plane[30] = "";
	if (job->plane)
		snprintf(plane, sizeof plane, " in plane %" PRIu32, job->plane);
	const struct throughput *const all[] = {&job->bounds.all, &job->bounds.permutation, &job->bounds.pattern};
	static const char *const names[] = {"all-to-all", "the worst permutation", "the pattern"};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++)
		if (all[i]->any && all[i]->upper > (1 + job->options.epsilon) * all[i]->lower)
			fprintf(stderr,
				"orcs-bound: warning: the possible throughput of %s%s is wider than --epsilon after %" PRIu32
				" phases; increase --max-phases\n",
				names[i], plane, all[i]->phases);
}

static void write_results(struct bound_job *job, struct error *error)
{
	const struct bound_options *o = &job->options;
	if (o->witness)
		bound_witness(&job->bounds, job->witness.file);
	if (o->graph)
		bound_graph(&job->bounds, job->graph.file);
	if (bound_report(&job->bounds, job->output.file, error) || output_commit(&job->output, error) ||
		(o->witness && output_commit(&job->witness, error)) || (o->graph && output_commit(&job->graph, error)))
		return;
	if (o->quiet)
		return;
	warn_wide(job);
	dot_report_write(&job->odd, stderr, "orcs-bound", job->fabric->labels->source, !o->ignore_speeds);
}

/* Computes everything that the options request. Returns 0, or -1 in all processes. */
static int compute(struct bound_job *job, struct error *error)
{
	static void (*const steps[])(struct bound_job *, struct error *) = {find_loads, find_worst, find_throughputs, find_ideal};
	if (comm_agree(job->comm, error) || distribute(job->comm, &job->fabric, &job->forwarding, &job->placement, error))
		return -1;
	told(job, "reading");
	job->options.speed_aware = fabric_speeds_differ(job->fabric);
	job->bounds.options = &job->options;
	job->bounds.fabric = job->fabric;
	job->bounds.attributes = job->attributes;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		steps[i](job, error);
		if (comm_agree(job->comm, error))
			return -1;
	}
	return 0;
}

/* Writes the results of the planes, and their total. */
static void write_planes(struct bound_job *job, struct error *error)
{
	const struct bounds **bounds = array_create(job->parts, sizeof *bounds, error);
	uint32_t *number = array_create(job->parts, sizeof *number, error);
	for (uint32_t p = 0; p < job->parts && !error->status; p++) {
		bounds[p] = &job->part[p].bounds;
		number[p] = job->part[p].plane;
	}
	if (!error->status && !bound_planes_report(bounds, number, job->parts, &job->options, job->output.file, error) &&
		!output_commit(&job->output, error) && !job->options.quiet)
		for (uint32_t p = 0; p < job->parts; p++)
			warn_wide(&job->part[p]);
	free(bounds);
	free(number);
}

/* Computes the planes one by one; their numbers are those of process 0. */
static void run_parts(struct bound_job *job, struct error *error)
{
	if (!job->part)
		job->part = array_create(job->parts, sizeof *job->part, error);
	if (comm_agree(job->comm, error))
		return;
	for (uint32_t p = 0; p < job->parts; p++) {
		struct bound_job *part = &job->part[p];
		part->options = job->options;
		part->comm = job->comm;
		part->started = now();
		if (!comm_rank(job->comm)) {
			part->options.fabric.plane = part->plane;
			read_fabric(part, &job->files, error);
		}
		if (!compute(part, error))
			continue;
		struct error before = *error;
		if (!comm_rank(job->comm) && before.status)
			snprintf(error->text, sizeof error->text, "plane %" PRIu32 ": %.900s", part->plane, before.text);
		return;
	}
	catch_signals(true);
	if (!comm_rank(job->comm))
		write_planes(job, error);
	comm_agree(job->comm, error);
}

static void run_job(struct bound_job *job, struct error *error)
{
	if (comm_agree(job->comm, error))
		return;
	comm_broadcast(job->comm, &job->parts, sizeof job->parts);
	if (job->parts) {
		run_parts(job, error);
		return;
	}
	if (compute(job, error))
		return;
	catch_signals(true); /* the result is written as a whole; a second signal ends the program immediately */
	if (!comm_rank(job->comm))
		write_results(job, error);
	comm_agree(job->comm, error);
}

/* Frees what a plane has for itself, too. */
static void clear_computed(struct bound_job *job)
{
	loads_clear(&job->bounds.loads);
	fair_share_clear(&job->bounds.fair);
	worst_clear(&job->bounds.worst);
	free(job->pattern);
	free(job->permutation);
	placement_clear(&job->placement);
	attributes_free(job->attributes);
	forwarding_free(job->forwarding);
	fabric_free(job->fabric);
}

static void clear(struct bound_job *job)
{
	for (uint32_t p = 0; p < job->parts && job->part; p++)
		clear_computed(&job->part[p]);
	free(job->part);
	clear_computed(job);
	fabric_source_clear(&job->options.fabric);
	files_clear(&job->files);
	output_discard(&job->output);
	output_discard(&job->witness);
	output_discard(&job->graph);
}

int main(int argc, char **argv)
{
	static struct bound_job job;
	struct error error = {0};
	bound_options_parse(&job.options, argc, argv);
	bool first = launcher_rank() == 0;
	job.started = now();
	end_on_signals(first ? "orcs-bound: interrupted: no result\n" : NULL);
	if (first)
		read_input(&job, &error);
	job.comm = comm_create(&error);
	if (job.comm)
		run_job(&job, &error);
	bool piped = stop_signal == SIGPIPE && error.status; /* the reader of the output has ended */
	if (first && error.status && !piped)
		fprintf(stderr, "orcs-bound: %s\n", error.text);
	int status = piped ? 128 + SIGPIPE : (int)error.status;
	clear(&job);
	comm_free(job.comm);
	return status;
}
