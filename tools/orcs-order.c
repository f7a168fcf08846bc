/* orcs-order: a routed fabric and what the ranks of a job send -> on which host each rank should be. */
#include "base/memory.h"
#include "base/random.h"
#include "base/shown.h"
#include "base/signals.h"
#include "cli/usage.h"
#include "fabric/placement.h"
#include "fabric/walk.h"
#include "formats/dot.h"
#include "tools/order/order_report.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs-order";

struct order_job {
	struct order_options options;
	struct files files;
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report odd;
	struct placement hosts;
	struct rank_messages messages;
	struct slot_routes routes;
	struct rank_search search;
	struct output order, report;
};

/* ---- the job */

static int load(struct order_job *job, struct error *error)
{
	struct order_options *o = &job->options;
	FILE *notes = o->quiet ? NULL : stderr;
	if (fabric_source_open(&o->fabric, &job->files, error) || (o->weights && files_read(&job->files, o->weights, error)) ||
		placement_files(o->hosts, "linear", &job->files, error) ||
		(o->pattern.spec && pattern_files(&o->pattern, PATTERN_GRAPH, &job->files, error)) ||
		files_write(&job->files, &job->order, o->output, error) ||
		(o->report && files_write(&job->files, &job->report, o->report, error)))
		return -1;
	return fabric_source_load(&o->fabric, DOT_TABLES | DOT_ALTERNATIVES, &job->files, notes, &job->fabric, &job->forwarding,
		&job->attributes, &job->odd, error);
}

/* Finds the hosts and the number of ranks, and lists the messages. */
static int plan(struct order_job *job, struct error *error)
{
	struct order_options *o = &job->options;
	uint32_t ranks = 0;
	if (rank_messages_count(&o->pattern, &ranks, error))
		return -1;
	if (ranks && o->ranks && ranks != o->ranks)
		return error_set(error, STATUS_USAGE, "pattern '%s' has %" PRIu32 " ranks, not %" PRIu32 "; leave %s out", o->pattern.spec,
			ranks, o->ranks, o->choose ? "the number of --choose" : "--ranks");
	if (o->choose && (uint64_t)o->ranks * o->per_host > INT32_MAX)
		return error_set(error, STATUS_USAGE, "too many ranks: %" PRIu64, (uint64_t)o->ranks * o->per_host);
	ranks = o->choose ? o->ranks * o->per_host : o->ranks ? o->ranks : ranks;
	uint32_t needed = ranks / o->per_host + (ranks % o->per_host > 0);
	if (placement_init(&job->hosts, job->fabric, o->hosts, "linear", 0, o->seed, error))
		return -1;
	if (job->hosts.repeated && !o->quiet)
		fprintf(stderr, "%s: note: hosts that %s names again count once: %zu (the first in line %lu)\n", program,
			SHOWN(o->host_file), job->hosts.repeated, job->hosts.repeated_line);
	if (needed > job->hosts.ranks)
		return error_set(error, STATUS_USAGE, "%" PRIu32 " hosts are needed, but there are only %" PRIu32 "%s", needed,
			job->hosts.ranks, o->choose ? "" : "; --ranks-per-host places several ranks on each");
	if (needed && !o->choose)
		job->hosts.ranks = needed;
	uint64_t slots = (uint64_t)job->hosts.ranks * o->per_host;
	if (slots > INT32_MAX)
		return error_set(error, STATUS_USAGE, "too many ranks: %" PRIu64, slots);
	ranks = ranks ? ranks : (uint32_t)slots;
	if (ranks < 2)
		return error_set(error, STATUS_USAGE, "an order needs at least 2 ranks, not %" PRIu32, ranks);
	job->search.slots = (struct rank_slots){&job->routes, (uint32_t)slots, o->per_host};
	return rank_messages_make(&job->messages, &o->pattern, ranks, o->weights, error);
}

/* ---- orders to compare with */

struct host_key {
	uint32_t host, leaf, size, place; /* host of the routes; size: hosts of its leaf; leaf, place: in the order linear_bfs */
	const char *name;
};

static int by_name(const void *left, const void *right)
{
	const struct host_key *a = left, *b = right;
	int order = strverscmp(a->name, b->name);
	return order ? order : (a->place > b->place) - (a->place < b->place);
}

/* The leaves with most hosts first if hosts are chosen, otherwise in the order in which a search finds them. */
static int by_leaf(const void *left, const void *right)
{
	const struct host_key *a = left, *b = right;
	if (a->size != b->size)
		return a->size > b->size ? -1 : 1;
	if (a->leaf != b->leaf)
		return a->leaf < b->leaf ? -1 : 1;
	return (a->place > b->place) - (a->place < b->place);
}

/* Fills the keys of all hosts, [hosts]. */
static int find_keys(const struct order_job *job, struct host_key *key, struct error *error)
{
	const struct slot_routes *r = &job->routes;
	struct placement search = {0};
	uint32_t *place = array_create(job->fabric->hosts, sizeof *place, error);
	uint32_t *size = array_create(r->leaves, sizeof *size, error), *first = array_create(r->leaves, sizeof *first, error);
	if (!error->status && !placement_init(&search, job->fabric, "linear_bfs", "linear", 0, 0, error)) {
		for (uint32_t i = 0; i < search.ranks; i++)
			place[search.host[i]] = i;
		memset(first, 0xff, r->leaves * sizeof *first);
		for (uint32_t h = 0; h < r->hosts; h++) {
			uint32_t leaf = r->leaf[h], at = place[r->host[h]];
			size[leaf]++;
			first[leaf] = at < first[leaf] ? at : first[leaf];
		}
		for (uint32_t h = 0; h < r->hosts; h++)
			key[h] = (struct host_key){h, first[r->leaf[h]], job->options.choose ? size[r->leaf[h]] : 0, place[r->host[h]],
				job->fabric->labels->name[job->fabric->host_node[r->host[h]]]};
	}
	placement_clear(&search);
	free(place);
	free(size);
	free(first);
	return error->status ? -1 : 0;
}

enum simple_order { BY_NAME, BY_LEAF, BY_TURN }; /* the last: a host of each leaf in turn */

/* Writes an order of the slots to slot, [slots]. */
static int sort_slots(const struct order_job *job, enum simple_order order, uint32_t *slot, struct error *error)
{
	uint32_t per_host = job->options.per_host, hosts = job->routes.hosts;
	struct host_key *key = array_create(hosts, sizeof *key, error);
	if (key && !find_keys(job, key, error)) {
		qsort(key, hosts, sizeof *key, order == BY_NAME ? by_name : by_leaf);
		for (uint32_t h = 0; h < hosts && order == BY_TURN; h++)
			key[h].size = h && key[h].leaf == key[h - 1].leaf ? key[h - 1].size - 1 : UINT32_MAX;
		if (order == BY_TURN)
			qsort(key, hosts, sizeof *key, by_leaf);
		for (uint32_t s = 0; s < job->search.slots.slots; s++)
			slot[s] = key[s / per_host].host * per_host + s % per_host;
	}
	free(key);
	return error->status ? -1 : 0;
}

/* Sums of random orders, the mean. */
static double random_sum(struct order_job *job, uint32_t *slot, struct error *error)
{
	double sum = 0;
	for (uint64_t i = 0; i < ORDER_RANDOM && !error->status; i++) {
		struct random random;
		random_start(&random, job->options.seed, RANDOM_MAPPING, i);
		random_shuffle(&random, slot, job->search.slots.slots);
		sum += rank_order_sum(&job->messages, &job->search.slots, slot, error);
	}
	return sum / ORDER_RANDOM;
}

static void report_progress(uint64_t passes, double sum)
{
	fprintf(stderr, "%s: %" PRIu64 " passes: %.6g\n", program, passes, sum);
}

/* Returns the bound; the ranks under each leaf are known if every place is taken. */
static double find_bound(struct order_job *job, struct error *error)
{
	const struct rank_slots *slots = &job->search.slots;
	uint32_t *used = array_create(job->routes.leaves, sizeof *used, error);
	for (uint32_t h = 0; h < job->routes.hosts && used; h++)
		used[job->routes.leaf[h]] += slots->per_host;
	double bound = rank_order_bound(&job->messages, slots, slots->slots == job->messages.ranks ? used : NULL, error);
	free(used);
	return bound;
}

/* Takes an order to begin with if it is better than the one so far. */
static void take_better(struct order_job *job, const uint32_t *slot, uint32_t *begin, double *best, struct error *error)
{
	double sum = rank_order_sum(&job->messages, &job->search.slots, slot, error);
	if (sum >= *best)
		return;
	*best = sum;
	memcpy(begin, slot, job->search.slots.slots * sizeof *begin);
}

static int find(struct order_job *job, struct order_result *result, struct error *error)
{
	const struct order_options *o = &job->options;
	struct rank_search *s = &job->search;
	uint32_t *slot = array_create(s->slots.slots, sizeof *slot, error), *leaf = array_create(s->slots.slots, sizeof *leaf, error);
	s->messages = &job->messages;
	s->seed = o->seed;
	s->passes = o->passes;
	s->seconds = o->seconds;
	s->progress = o->verbose ? report_progress : NULL;
	s->slot = leaf;
	*result = (struct order_result){.fabric = job->fabric, .search = s};
	if (!error->status && !sort_slots(job, BY_NAME, slot, error) && !sort_slots(job, BY_LEAF, leaf, error)) {
		double best = result->by_leaf = rank_order_sum(&job->messages, &s->slots, leaf, error);
		result->by_name = rank_order_sum(&job->messages, &s->slots, slot, error);
		take_better(job, slot, leaf, &best, error);
		if (o->choose && !sort_slots(job, BY_TURN, slot, error))
			take_better(job, slot, leaf, &best, error);
		result->random = random_sum(job, slot, error);
		s->bound = find_bound(job, error);
	}
	if (!error->status)
		rank_order_search(s, error);
	free(slot);
	return error->status ? -1 : 0;
}

static int write_result(struct order_job *job, const struct order_result *result, struct error *error)
{
	struct order_options *o = &job->options;
	if (order_write(result, o->format, job->order.file, error) ||
		(o->report && order_report(result, o, FORMAT_JSON, job->report.file, error)) || output_commit(&job->order, error) ||
		(o->report && output_commit(&job->report, error)))
		return -1;
	return o->quiet ? 0 : order_report(result, o, FORMAT_TEXT, strcmp(o->output, "-") ? stdout : stderr, error);
}

int main(int argc, char **argv)
{
	static struct order_job job;
	struct order_result result;
	struct error error = {0};
	struct order_options *o = &job.options;
	order_options_parse(o, argc, argv);
	end_on_signals("orcs-order: interrupted: no result\n");
	if (!load(&job, &error) && !plan(&job, &error) &&
		!slot_routes_find(&job.routes, job.fabric, job.forwarding, job.hosts.host, job.hosts.ranks, o->per_host > 1,
			o->ignore_speeds, &error) &&
		!find(&job, &result, &error))
		write_result(&job, &result, &error);
	if (error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	else if (!o->quiet)
		dot_report_write(&job.odd, stderr, program, job.fabric->labels->source, !o->ignore_speeds);
	int status = error.status ? (int)error.status : usage_end(program);
	free(job.search.slot);
	slot_routes_clear(&job.routes);
	rank_messages_clear(&job.messages);
	placement_clear(&job.hosts);
	attributes_free(job.attributes);
	forwarding_free(job.forwarding);
	fabric_free(job.fabric);
	fabric_source_clear(&o->fabric);
	files_clear(&job.files);
	output_discard(&job.order);
	output_discard(&job.report);
	free(o->hosts);
	return status;
}
