/*
 * Fabrics are large, so only one is in memory at a time. With precision the number of runs is the first of campaign_next_stop() at which
 * all routings are precise: each routing in turn runs until it is precise, and routings that stopped earlier catch up.
 */
#include "compare/comparison.h"

#include "base/memory.h"
#include "fabric/route_choice.h"
#include "infiniband/link_speeds.h"
#include "parallel/route_cache_shared.h"

#include "base/shown.h"
#include "cli/terminal.h"
#include "fabric/walk.h"
#include "formats/route_file.h"
#include "parallel/distribute.h"
#include "orcs/campaign.h"
#include "compare/common.h"
#include "compare/copy.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* Metrics of the runs, and the sums of the channels. */
static const char metric_list[] = "hist_acc_band,get_cable_cong";

/* A signal ends the program: partial results do not exist. */
static const volatile sig_atomic_t never_stop;

/* A routing in memory. */
struct loaded {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct source_routes *routes;   /* NULL: none but those of the tables */
	struct route_choice *multipath; /* NULL: every pair has one route */
	struct placement placement;
	struct shared_route_cache table;
};

static bool first_process(const struct comparison *c)
{
	return !comm_rank(c->comm);
}

/* Sets the hosts and those that take part, from the first routing. */
static int choose_hosts(struct comparison *c, const struct fabric *fabric, struct error *error)
{
	if (placement_init(&c->placement, fabric, c->subset, c->mapping, c->asked, c->seed, error) ||
		host_list_init(&c->hosts, fabric, error))
		return -1;
	return 0;
}

/* Places the ranks on the same hosts of this fabric; or notes that it has others. */
static int place(struct comparison *c, struct loaded *loaded, struct error *error)
{
	uint32_t *same = same_hosts(&c->hosts, loaded->fabric, error);
	c->differ = error->status == STATUS_FABRIC && !c->hosts.common;
	if (c->differ)
		*error = (struct error){0};
	if (!same)
		return -1;
	loaded->placement = c->placement;
	loaded->placement.host = array_create(c->placement.ranks, sizeof *same, error);
	for (uint32_t r = 0; !error->status && r < c->placement.ranks; r++)
		loaded->placement.host[r] = same[c->placement.host[r]];
	free(same);
	return error->status ? -1 : 0;
}

/* Takes the result of an engine; the engine keeps it, since a routing may be loaded several times. */
static int take_routes(struct routed_fabric *routing, struct loaded *loaded, struct error *error)
{
	const struct engine_run *engine = routing->engine;
	routing->odd = engine->odd;
	loaded->forwarding = forwarding_copy(loaded->fabric, engine->forwarding, error);
	if (engine->routes)
		loaded->routes = source_routes_copy(engine->routes, error);
	loaded->fabric->labels->hash = engine->hash;
	return error->status ? -1 : 0;
}

/* The part of loading that only process 0 does. */
static void read_routing(struct comparison *c, struct routed_fabric *routing, struct loaded *loaded, struct error *error)
{
	struct attributes *attributes;
	double started = now();
	bool own = routing->engine && routing->engine->forwarding;
	unsigned tables = DOT_TABLES | (c->multipath > MULTIPATH_FIRST ? DOT_ALTERNATIVES : 0);
	unsigned wants = (own ? 0 : tables) | (c->drop ? DOT_ALLOW_NO_LINK : 0);
	if (fabric_source_load(routing->source, wants, c->files, c->oddities, &loaded->fabric, &loaded->forwarding, &attributes,
		    &routing->odd, error)) {
		copy_name_error(routing->source, routing->label, error);
		return;
	}
	attributes_free(attributes); /* there are some only if nodes or cables have failed */
	const struct fabric *fabric = loaded->fabric;
	if (own && take_routes(routing, loaded, error))
		return;
	fabric->labels->source = routing->label; /* the path may be meaningless to the user */
	routing->hosts = fabric->hosts;
	routing->speeds_differ = fabric_speeds_differ(fabric);
	const char *its = routing->engine && !routing->engine->opensm ? routing->source->name : routing->label;
	bool noted = routing->hash || (routing->engine && c->hosts.name); /* engines route the same links */
	if (c->oddities && !noted &&
		link_speeds_note(
			fabric, c->ignore_speeds ? SPEEDS_IGNORED : SPEEDS_COUNT, c->oddities, routing->source->program, its, error))
		return;
	routing->switches = fabric->nodes - fabric->hosts;
	routing->channels = fabric->channels;
	routing->hash = fabric->labels->hash;
	routing->odd.straight = false; /* or the user requested it */
	if (!c->hosts.name && ((!(loaded->forwarding && loaded->forwarding->function) && comparison_find_planes(c, fabric, error)) ||
				      choose_hosts(c, fabric, error)))
		return;
	if (!place(c, loaded, error) && c->notes)
		fprintf(c->notes, "read %s in %.2f s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " channels\n",
			SHOWN(routing->label), now() - started, fabric->hosts, routing->switches, routing->channels);
}

/* Creates patterns and metrics, which depend only on the number of ranks; in every process. */
static int set_up(struct comparison *c, uint32_t ranks, struct error *error)
{
	if (c->pattern)
		return 0;
	c->ranks = ranks;
	c->metric_count = metrics_parse(metric_list, c->metrics, error);
	c->pattern = array_create((size_t)c->patterns, sizeof(struct pattern_call *), error);
	for (int p = 0; p < c->patterns && !error->status; p++)
		c->pattern[p] = pattern_create(&c->request[p], ranks, error);
	for (int m = 0; m < c->metric_count && !error->status; m++)
		metric_setup(&c->metrics[m], ranks, 0, false, error);
	return comm_agree(c->comm, error);
}

/* Creates the choice between several routes of a pair, if there are any. In every process. */
static int make_multipath(const struct comparison *c, struct loaded *loaded, struct error *error)
{
	bool random = loaded->routes || loaded->forwarding->via;
	struct route_choice_setup setup = {
		.mode = c->multipath >= 0 ? (enum multipath_mode)c->multipath
			: random          ? MULTIPATH_RANDOM
					  : MULTIPATH_FIRST,
		.fabric = loaded->fabric,
		.forwarding = loaded->forwarding,
		.routes = loaded->routes,
		.seed = c->seed,
	};
	if (route_choice_any(&setup))
		loaded->multipath = route_choice_create(&setup, error);
	return comm_agree(c->comm, error);
}

/* Returns whether any pattern has expected loads. */
static bool expects_loads(const struct comparison *c, const struct loaded *loaded)
{
	bool any = false;
	for (int p = 0; p < c->patterns; p++)
		any |= load_basis_of(&loaded->placement, c->pattern[p], loaded->multipath) == LOADS_EXPECTED;
	return any;
}

static int count_reach(struct comparison *c, struct routed_fabric *routing, const struct loaded *loaded, struct error *error)
{
	struct compared_reach part = {0};
	uint32_t rank = (uint32_t)comm_rank(c->comm), size = (uint32_t)comm_size(c->comm);
	bool expects = expects_loads(c, loaded), together = expects && !loaded->multipath, known;
	if (loaded->routes)
		reach_count_set(&part, loaded->routes, rank, size);
	else
		reach_count(&part, together ? &routing->loads : NULL, loaded->fabric, loaded->forwarding, &loaded->placement, rank, size,
			error);
	routing->several = loaded->multipath;
	if (comm_agree(c->comm, error))
		return -1;
	if (together)
		comm_sum(c->comm, routing->loads.load, loaded->fabric->channels);
	else if (expects && expected_loads_count(&routing->loads, c->comm, loaded->fabric, loaded->forwarding, loaded->multipath,
				    &loaded->placement, &known, error))
		return -1;
	else if (expects && !known)
		pair_loads_clear(&routing->loads);
	uint64_t sums[3] = {part.reached, part.unreachable, part.hops};
	comm_sum(c->comm, sums, 3);
	routing->reach = (struct compared_reach){sums[0], sums[1], sums[2], UINT64_MAX - comm_min(c->comm, UINT64_MAX - part.max_hops)};
	return 0;
}

static void unload(struct comparison *c, struct loaded *loaded)
{
	placement_clear(&loaded->placement);
	shared_route_cache_clear(&loaded->table);
	route_choice_free(loaded->multipath);
	source_routes_free(loaded->routes);
	forwarding_free(loaded->forwarding);
	fabric_free(loaded->fabric);
	*loaded = (struct loaded){0};
	comm_unshare(c->comm);
}

/* Reads a routing and distributes it to all processes. */
static int load(struct comparison *c, struct routed_fabric *routing, struct loaded *loaded, struct error *error)
{
	if (first_process(c))
		read_routing(c, routing, loaded, error);
	if (comm_agree(c->comm, error))
		return -1;
	comm_broadcast(c->comm, &c->differ, sizeof c->differ);
	comm_broadcast(c->comm, &c->planes, sizeof c->planes);
	if (c->differ || c->planes)
		return 0;
	if (distribute(c->comm, &loaded->fabric, &loaded->forwarding, &loaded->placement, error) ||
		distribute_routes(c->comm, &loaded->routes, error) || make_multipath(c, loaded, error) ||
		set_up(c, loaded->placement.ranks, error))
		return -1;
	return routing->runs ? 0 : count_reach(c, routing, loaded, error);
}

static double congestion_of(const struct comparison *c, const struct fabric *fabric, const struct trial *trial, uint32_t channel)
{
	double sum = (double)trial->channel_sum[channel] * trial->unit;
	return c->ignore_speeds ? sum : sum / fabric->speed[channel];
}

static void hottest_clear(struct hottest *hottest)
{
	free(hottest->from);
	free(hottest->to);
	*hottest = (struct hottest){0};
}

/* Finds the hottest channel of the runs up to end while the names are in memory. */
static int find_hottest(const struct comparison *c, const struct routed_fabric *routing, const struct loaded *loaded, int pattern,
	uint64_t end, struct error *error)
{
	const struct fabric *fabric = loaded->fabric;
	const struct fabric_labels *labels = fabric->labels;
	struct trial *trial = &routing->trial[pattern];
	struct pattern_call *call = c->pattern[pattern];
	struct run_loads loads = {
		.fabric = fabric,
		.basis = load_basis_of(&loaded->placement, call, loaded->multipath),
		.pairs = &routing->loads,
		.ranks = loaded->placement.ranks,
		.pattern = call->pattern->name,
		.runs = end,
		.levels = pattern_levels(call),
		.messages = trial->connections + trial->unroutable,
		.sum = trial->channel_sum,
		.unit = trial->unit,
		.by_speed = !c->ignore_speeds,
	};
	if (loads.basis == LOADS_EXPECTED && !loads.pairs->load)
		loads.basis = LOADS_SAMPLED;
	if (loads.basis == LOADS_SAMPLED)
		loads.together = messages_together(call, -1, loaded->placement.shuffled, error);
	struct hottest_channel found;
	hottest_clear(&trial->hottest);
	if (error->status || hottest_find(&found, &loads, error))
		return -1;
	uint32_t channel = found.channel;
	if (channel == NONE)
		return 0;
	trial->hottest = (struct hottest){
		.channel = found,
		.guid = labels->guid[fabric_tail(fabric, channel)],
		.peer_guid = labels->guid[fabric->head[channel]],
		.from = strdup(labels->name[fabric_tail(fabric, channel)]),
		.to = strdup(labels->name[fabric->head[channel]]),
		.port = labels->port[channel],
		.peer_port = labels->peer_port[channel],
		.sum = (double)trial->channel_sum[channel] * trial->unit,
		.mean = congestion_of(c, fabric, trial, channel) / (double)(end * loads.levels),
	};
	return trial->hottest.from && trial->hottest.to ? 0 : error_set(error, STATUS_IO, "out of memory");
}

/* Adds the runs first..end-1 to a trial, in process 0. */
static int keep_outcome(const struct comparison *c, const struct routed_fabric *routing, const struct loaded *loaded,
	const struct outcome *outcome, int pattern, uint64_t end, struct error *error)
{
	const struct fabric *fabric = loaded->fabric;
	struct trial *trial = &routing->trial[pattern];
	if (!trial->channel_sum)
		trial->channel_sum = array_create(fabric->channels, sizeof *trial->channel_sum, error);
	if (error->status || array_grow(&trial->value, &trial->capacity, end, sizeof *trial->value, error))
		return -1;
	memcpy(trial->value + routing->runs, outcome->raw[0], outcome->runs * sizeof *trial->value);
	for (uint64_t r = 0; r < outcome->runs; r++)
		if (!isnan(outcome->raw[0][r]))
			trial->gbps += outcome->numbers[0][2 * r + 1];
	for (uint32_t channel = 0; channel < fabric->channels; channel++)
		trial->channel_sum[channel] += outcome->channel_sum[channel];
	trial->unit = outcome->channel_unit;
	trial->connections += outcome->connections;
	trial->unroutable += outcome->unroutable;
	return find_hottest(c, routing, loaded, pattern, end, error);
}

/* Creates a table of routes if enough runs remain to pay for it. */
static int make_routes(struct comparison *c, struct loaded *loaded, uint64_t runs, struct error *error)
{
	uint64_t pairs = 0;
	if (loaded->table.used || loaded->multipath)
		return 0;
	for (int p = 0; p < c->patterns; p++)
		pairs += runs * pattern_pairs(c->pattern[p], -1);
	shared_route_cache_clear(&loaded->table);
	return shared_route_cache_make(
		&loaded->table, c->comm, loaded->fabric, loaded->forwarding, pairs, ROUTE_MEMORY_DEFAULT, NULL, error);
}

/* A pair without a route ends the runs of its routing, but not those of the others. */
static void note_gap(struct routed_fabric *routing, struct error *error)
{
	if (error->code == ERROR_NO_ROUTE)
		error_facts(error, routing->gap, sizeof routing->gap);
	else
		snprintf(routing->gap, sizeof routing->gap, "%s", error->text);
	*error = (struct error){0};
}

/* Makes the runs up to end of all patterns on a loaded routing, or until a pair has no route. */
static int extend(struct comparison *c, struct routed_fabric *routing, struct loaded *loaded, uint64_t end, struct error *error)
{
	if (make_routes(c, loaded, end - routing->runs, error))
		return -1;
	for (int p = 0; p < c->patterns; p++) {
		struct runs runs = {
			.engine = engines[0],
			.setup =
				{
					.fabric = loaded->fabric,
					.forwarding = loaded->forwarding,
					.route_cache = loaded->table.used ? &loaded->table.route_cache : NULL,
					.multipath = loaded->multipath,
					.pattern = c->pattern[p],
					.only_level = -1,
					.oversubscribed = loaded->placement.oversubscribed,
					.speed_aware = !c->ignore_speeds && fabric_speeds_differ(loaded->fabric),
					.drop = c->drop,
					.wants = metrics_want(c->metrics, c->metric_count),
					.stop = &never_stop,
				},
			.terms = runs_terms(engines[0]),
		};
		struct campaign_setup setup = {
			.work = &runs,
			.placement = &loaded->placement,
			.metrics = c->metrics,
			.metric_count = c->metric_count,
			.seed = c->seed,
			.first = routing->runs,
			.runs = end,
			.progress = c->progress,
			.comm = c->comm,
		};
		struct outcome outcome;
		runs_init(&runs, error);
		if (comm_agree(c->comm, error)) {
			runs_clear(&runs);
			return -1;
		}
		if (!campaign_run(&setup, &outcome, error) && first_process(c))
			keep_outcome(c, routing, loaded, &outcome, p, end, error);
		else if (error->status)
			dot_report_hint(&routing->odd, error);
		outcome_clear(&outcome);
		runs_clear(&runs);
		if (comm_agree(c->comm, error) && error->status == STATUS_FABRIC && !c->drop) {
			note_gap(routing, error);
			return 0;
		}
		if (error->status)
			return -1;
	}
	routing->runs = end;
	return 0;
}

/* Returns whether every interval of the routing is narrow enough, in all processes. */
static bool is_precise(const struct comparison *c, const struct routed_fabric *routing, struct error *error)
{
	bool precise = true;
	for (int p = 0; p < c->patterns && first_process(c) && precise; p++) {
		struct verdict v;
		if (verdicts_of(
			    &v, (const double *const[]){routing->trial[p].value}, &routing->trial[p].unroutable, 1, routing->runs, error))
			break;
		precise = !v.runs.count || (v.runs.high - v.runs.low) / 2 <= c->precision * fabs(v.runs.mean);
	}
	comm_broadcast(c->comm, &precise, sizeof precise);
	return precise;
}

/* Extends a routing to *runs runs, and with precision until it is precise; *runs becomes its number of runs. */
static int visit(struct comparison *c, struct routed_fabric *routing, uint64_t *runs, struct error *error)
{
	struct loaded loaded = {0};
	int failed = load(c, routing, &loaded, error) || (!c->differ && !c->planes && extend(c, routing, &loaded, *runs, error));
	while (!failed && !c->differ && !c->planes && !*routing->gap && c->precision > 0 && *runs < c->runs) {
		if (is_precise(c, routing, error) || comm_agree(c->comm, error))
			break;
		*runs = campaign_next_stop(*runs) < c->runs ? campaign_next_stop(*runs) : c->runs;
		failed = extend(c, routing, &loaded, *runs, error);
	}
	unload(c, &loaded);
	return failed || comm_agree(c->comm, error) ? -1 : 0;
}

/* Process 0 knows the routings; the others only need to know which of them have a source. */
static void tell_routings(struct comparison *c)
{
	for (int i = 0; i < c->routings; i++) {
		c->routing[i].there = c->routing[i].source != NULL;
		comm_broadcast(c->comm, &c->routing[i].there, sizeof c->routing[i].there);
	}
}

/* ---- fabrics with different hosts */

static void forget_trials(struct routed_fabric *routing, int patterns)
{
	for (int p = 0; p < patterns && routing->trial; p++) {
		free(routing->trial[p].value);
		free(routing->trial[p].channel_sum);
		hottest_clear(&routing->trial[p].hottest);
		routing->trial[p] = (struct trial){0};
	}
	pair_loads_clear(&routing->loads);
	routing->runs = 0;
	*routing->gap = '\0';
}

static void clear_patterns(struct comparison *c)
{
	for (int p = 0; p < c->patterns && c->pattern; p++)
		pattern_free(c->pattern[p]);
	free(c->pattern);
	c->pattern = NULL;
	for (int m = 0; m < METRICS_MAX; m++)
		metric_clear(&c->metrics[m]);
}

/* Forgets all runs, to begin again on the hosts that all fabrics have. */
static int start_over(struct comparison *c, struct error *error)
{
	for (int i = 0; i < c->routings; i++)
		forget_trials(&c->routing[i], c->patterns);
	clear_patterns(c);
	c->differ = false;
	if (first_process(c))
		comparison_choose_common(c, error);
	return comm_agree(c->comm, error);
}

/* ---- verdicts */

/* Computes the verdicts of a pattern on all routings. */
static int judge(struct comparison *c, int pattern, struct error *error)
{
	const double **values = array_create((size_t)c->routings, sizeof *values, error);
	uint64_t *lost = array_create((size_t)c->routings, sizeof *lost, error);
	struct verdict *verdicts = array_create((size_t)c->routings, sizeof *verdicts, error);
	for (int i = 0; i < c->routings && !error->status; i++)
		if (is_compared(&c->routing[i])) {
			values[i] = c->routing[i].trial[pattern].value;
			lost[i] = c->routing[i].trial[pattern].unroutable;
		}
	if (!error->status)
		verdicts_of(verdicts, values, lost, c->routings, c->runs, error);
	for (int i = 0; i < c->routings && !error->status; i++)
		c->routing[i].trial[pattern].verdict = verdicts[i];
	free(values);
	free(lost);
	free(verdicts);
	return error->status ? -1 : 0;
}

static int judge_all(struct comparison *c, struct error *error)
{
	c->precise = true;
	for (int i = 0; i < c->routings && c->precision > 0; i++)
		c->precise &= !is_compared(&c->routing[i]) || is_precise(c, &c->routing[i], error);
	for (int p = 0; p < c->patterns && first_process(c) && !error->status; p++)
		judge(c, p, error);
	return comm_agree(c->comm, error);
}

/* Returns the first routing with a missing route if no routing has results, otherwise NULL. */
static const struct routed_fabric *only_gaps(const struct comparison *c)
{
	const struct routed_fabric *first = NULL;
	for (int i = c->routings - 1; i >= 0; i--) {
		if (is_compared(&c->routing[i]))
			return NULL;
		if (*c->routing[i].gap)
			first = &c->routing[i];
	}
	return first;
}

int comparison_run(struct comparison *c, struct error *error)
{
	uint64_t runs = c->precision > 0 && campaign_next_stop(0) < c->runs ? campaign_next_stop(0) : c->runs;
	for (int i = 0; i < c->routings; i++)
		c->routing[i].trial = array_create((size_t)c->patterns, sizeof(struct trial), error);
	if (comm_agree(c->comm, error))
		return -1;
	tell_routings(c);
	for (bool behind = true; behind;) {
		behind = false;
		for (int i = 0; i < c->routings && !c->differ && !c->planes; i++)
			if (is_compared(&c->routing[i]) && c->routing[i].runs < runs && visit(c, &c->routing[i], &runs, error))
				return -1;
		if (c->planes)
			return 0;
		if (c->differ && start_over(c, error))
			return -1;
		for (int i = 0; i < c->routings; i++)
			behind |= is_compared(&c->routing[i]) && c->routing[i].runs < runs;
	}
	c->runs = runs;
	const struct routed_fabric *gap = only_gaps(c);
	if (gap)
		error_set(error, STATUS_FABRIC, "%s: %s" WALK_ADVICE, gap->label, gap->gap);
	return judge_all(c, error);
}

static void routing_clear(struct routed_fabric *routing, int patterns)
{
	forget_trials(routing, patterns);
	missing_hosts_clear(&routing->missing);
	free(routing->trial);
	routing->trial = NULL;
}

void comparison_clear(struct comparison *c)
{
	for (int i = 0; i < c->routings; i++)
		routing_clear(&c->routing[i], c->patterns);
	clear_patterns(c);
	free(c->plane);
	placement_clear(&c->placement);
	host_list_clear(&c->hosts);
}
