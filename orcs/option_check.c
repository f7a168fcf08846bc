/* Checks of the command line that need no fabric: options against one another, and all names. */
#include "cli/usage.h"
#include "fabric/placement.h"
#include "infiniband/source_options.h"
#include "metrics/metric.h"
#include "orcs/options.h"
#include "orcs/runs.h"
#include "routings/routing.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char program[] = "orcs";

const char options_usual_pattern[] = "bisect";
const char options_usual_mapping[] = "random";

enum pattern_use options_use(const struct options *o)
{
	if (o->terms.open)
		return PATTERN_LOAD;
	return o->engine->takes & TAKES_PAIRS ? PATTERN_PAIRS : o->engine->takes & TAKES_QUEUE ? PATTERN_QUEUE : PATTERN_GRAPH;
}

/* Refuses options of engines other than the selected one. */
static void check_own(const struct options *o)
{
	for (int e = 0; engines[e]; e++)
		if (engines[e] != o->engine && engines[e]->options.argp && engines[e]->options_given(o->own[e]))
			usage_error(program, "--%s requires --engine %s", engines[e]->options_given(o->own[e]), engines[e]->name);
}

/* Refuses failures for engines that do not take them. */
static void check_failing(const struct options *o)
{
	const char *given = failing_options_given(&o->failing);
	char list[200];
	engines_list(list, sizeof list, TAKES_FAILURES, 0);
	if (given && !(o->engine->takes & TAKES_FAILURES))
		usage_error(program, "--%s requires --engine %s", given, list);
	failing_options_check(&o->failing);
}

/* Applies the options of the engine to the terms. */
static void settle_engine(struct options *o)
{
	const struct engine_request request = {
		.pattern = o->pattern.spec == options_usual_pattern ? NULL : o->pattern.spec,
		.routing = o->routing,
		.failing = &o->failing,
	};
	o->terms = runs_terms(o->engine);
	o->terms.places = o->failing.failures;
	o->terms.topology = o->failing.reroute;
	o->terms.delivery = o->failing.fail_links;
	if (o->engine->settle)
		o->engine->settle(options_own(o), &request, &o->terms);
	if (o->terms.open)
		o->pattern.spec = options_usual_pattern;
	o->pattern.queued = o->engine->takes & TAKES_QUEUE;
	if (o->terms.queue && o->mapping == options_usual_mapping)
		o->mapping = "linear";
	if (o->terms.queue && strcmp(o->mapping, "linear") != 0)
		usage_error(program, "a queue places its jobs itself: omit --mapping, and choose --allocation and --job-mapping");
	if (o->terms.chooses && o->multipath == MULTIPATH_FIRST)
		usage_error(program,
			"--packet-routing %s chooses among several routes; it cannot be combined with --multipath first, which keeps one",
			o->terms.chooses);
	if (o->terms.chooses && o->multipath < 0)
		o->multipath = MULTIPATH_RANDOM;
	uint32_t pairs;
	if (o->multipath < 0 && ecmp_hashes(o->routing, &pairs))
		o->multipath = MULTIPATH_RANDOM;
	o->latency = o->latency_text ? usage_seconds(program, "--latency", o->latency_text, o->terms.cycles ? CYCLE_NS * 1e-9 : 1) : -1;
}

/* An option, and whether it was given. */
struct given {
	const char *option;
	bool is;
};

/* Returns the first option that was given; NULL: none was. The row after the last has no option. */
static const char *first_given(const struct given *given)
{
	while (given->option && !given->is)
		given++;
	return given->option;
}

/* Exits with an error if one of the options was given, and lists the engines that have it: those that take or give something. */
static void check_shared(const struct given *given, unsigned takes, unsigned gives)
{
	char list[200];
	if (!first_given(given))
		return;
	engines_list(list, sizeof list, takes, gives);
	usage_error(program, "%s requires --engine %s", first_given(given), list);
}

/* Refuses options that the engine does not share, or that exclude one another. */
static void check_engine(const struct options *o)
{
	const struct engine_terms *terms = &o->terms;
	const struct given open[] = {{"--sync", o->sync}, {"--memory-capacity", o->memory > 0}, {"--timeline", o->timeline},
		{"--flows", o->flows}, {"--compute-scale", o->compute_scale >= 0}, {0}};
	const struct given timed[] = {open[0], open[1], open[2], open[3], open[4], {0}};
	const struct given graphs[] = {{"--bytes", o->bytes > 0}, {"--capacity", o->capacity > 0}, {"--latency", o->latency >= 0}, {0}};
	const struct given pairs[] = {{"--ptrn_level", o->level >= 0}, {"--control-variates", o->control},
		{"--serialise-sends", o->serialise_sends}, {"--print-pattern", o->print_pattern}, {0}};
	const struct given hosts[] = {{"--ranks FILE", o->rank_table}, {"--queues", o->queues}, {0}};
	if (!(o->engine->gives & SEEN_TIMES))
		check_shared(timed, 0, SEEN_TIMES);
	if (!(o->engine->gives & SEEN_HOSTS))
		check_shared(hosts, 0, SEEN_HOSTS);
	if (terms->open && first_given(open))
		usage_error(program, "%s is not available for open-loop traffic", first_given(open));
	if (o->engine->takes & TAKES_PAIRS)
		check_shared(graphs, TAKES_GRAPH, 0);
	else
		check_shared(pairs, TAKES_PAIRS, 0);
	if (terms->open && terms->search && o->precision > 0)
		usage_error(program, "--precision cannot be combined with --saturation, whose search ends by itself; use --load");
	if (terms->sizes && o->bytes > 0)
		usage_error(program, "--bytes and --sweep bytes both set the size of messages: choose one");
	if (terms->drawn_sizes && o->bytes > 0)
		usage_error(program, "--bytes and --sizes both set the size of messages: choose one");
	if (terms->load_points > 1 && terms->sizes && o->precision > 0)
		usage_error(program, "--precision cannot be combined with several sizes; give the number of runs");
	if (terms->queue && terms->load_points > 1 && o->precision > 0)
		usage_error(program, "--precision cannot be combined with several schedulers or allocations; give the number of runs");
	if (terms->cycles && o->capacity > 0)
		usage_error(program, "--capacity cannot be combined with --cycles, in which every link carries one flit per cycle");
	for (int t = 0; t < o->thresholds && !terms->search; t++)
		if (!strcmp(o->threshold[t].key, "saturation") || !strcmp(o->threshold[t].key, "packet_throughput.saturation"))
			usage_error(program, "--fail-if '%s' requires --saturation, which finds that load", o->threshold[t].text);
	if (o->timeline && o->flows && !strcmp(o->timeline, o->flows))
		usage_error(program, "--timeline and --flows cannot write to the same file");
}

/* Lists the metrics of the engine that gather all of this. Returns list. */
enum { LIST_SIZE = 500 };
static const char *list_metrics(const struct options *o, unsigned gathers, char list[LIST_SIZE])
{
	size_t used = 0;
	*list = '\0';
	for (const struct metric *const *m = metrics; *m && used < LIST_SIZE; m++)
		if (!(metric_wants(*m) & ~o->engine->gives) && !(gathers & ~(*m)->gathers))
			used += (size_t)snprintf(list + used, LIST_SIZE - used, "%s%s", used ? ", " : "", (*m)->name);
	return list;
}

/* Reports that the option, if it is given, requires a metric with values of the runs. */
static void require_values(const struct options *o, const char *option, bool given)
{
	char list[LIST_SIZE];
	if (given)
		usage_error(program, "%s requires a metric with a mean over the runs: %s", option, list_metrics(o, METRIC_VALUES, list));
}

/* Sets an error if the engine does not give what the metric wants. */
static void check_metric(const struct options *o, const struct metric *metric, struct error *error)
{
	char list[LIST_SIZE];
	unsigned wants = metric_wants(metric);
	if (wants & ~o->engine->gives)
		error_set(error, STATUS_USAGE, "metric %s is not available with --engine %s; choose from %s", metric->name, o->engine->name,
			list_metrics(o, 0, list));
	else if (wants & ~(o->terms.gives | (o->terms.open && metric->open ? SEEN_TIMES : 0)))
		error_set(error, STATUS_USAGE, o->terms.gives_not, metric->name);
	else if (o->terms.sizes && !metric->sizes)
		error_set(error, STATUS_USAGE,
			"metric %s does not tell message sizes apart; with --sweep bytes choose makespan, fct, packet_latency or packet_throughput",
			metric->name);
	else if (o->terms.apart & ~wants)
		error_set(error, STATUS_USAGE, o->terms.apart_not, metric->name);
}

/* Checks --checkpoint and --resume. */
static void check_checkpoint(struct options *o)
{
	if (o->resume && !o->checkpoint)
		o->checkpoint = strdup(o->resume);
	else if (o->resume && !strcmp(o->resume, o->checkpoint) && access(o->resume, F_OK) && errno == ENOENT)
		o->resume = NULL; /* the first start of a job that restarts itself */
	if (!o->checkpoint)
		return;
	if (!*o->checkpoint || !strcmp(o->checkpoint, "-"))
		usage_error(program, "--checkpoint and --resume need a file name");
	if (o->rank_table)
		usage_error(program, "--ranks %s cannot be combined with --checkpoint and --resume, which do not keep the ranks",
			o->rank_table);
	if (o->only_save)
		usage_error(program, "--checkpoint and --resume require runs; add -n N, as --save-fabric alone makes none");
}

static bool is_output(const char *path)
{
	return path && !strcmp(path, "-");
}

void options_check(struct options *o)
{
	struct error error = {0};
	struct metric_call calls[METRICS_MAX];
	check_own(o);
	check_failing(o);
	settle_engine(o);
	check_engine(o);
	bool pairs = o->engine->takes & TAKES_PAIRS;
	if (!o->metrics)
		o->metrics = o->terms.metrics ? o->terms.metrics : o->engine->metrics;
	if (o->bytes == 0)
		o->bytes = o->terms.bytes > 0 ? o->terms.bytes : 1e6;
	int metric_count = metrics_parse(o->metrics, calls, &error), graphs = 0, plots = 0, valued = 0, carried = 0, queues = 0,
	    to_output = 0;
	for (int i = 0; i < metric_count; i++) {
		bool graph = metric_is_graph(calls[i].metric);
		check_metric(o, calls[i].metric, &error);
		graphs += graph && !metric_file(&calls[i]);
		to_output += metric_file(&calls[i]) && !strcmp(metric_file(&calls[i]), "-");
		plots += pairs ? !graph : (calls[i].metric->gathers & METRIC_POOLED) != 0 || calls[i].metric->first;
		valued += (calls[i].metric->gathers & METRIC_VALUES) != 0;
		carried += !strcmp(calls[i].metric->name, "link_use") || !strcmp(calls[i].metric->name, "link_busy");
		queues += !strcmp(calls[i].metric->name, "packet_queues");
		metric_clear(&calls[i]);
	}
	o->pattern.seed = o->seed;
	struct pattern_request sent = o->pattern;
	if (o->terms.open)
		sent.spec = o->terms.sent;
	if (!error.status)
		pattern_check(&sent, options_use(o), &error);
	if (!error.status)
		placement_check(o->subset, o->mapping, &error);
	const struct routing *routing = !error.status && o->routing ? routing_find(o->routing, &error) : NULL;
	usage_fail(program, &error);
	if (o->format == FORMAT_TEXT && graphs && (metric_count > 1 || o->print_names || o->print_pattern))
		usage_error(
			program, "the graph of get_cable_cong cannot be mixed with other text; write it to a file: get_cable_cong:FILE");
	if (o->format == FORMAT_CSV && (o->print_names || o->print_pattern))
		usage_error(program, "--print-pattern and --print-hosts are not available with --format csv; use text or json");
	if (to_output + is_output(o->output) + is_output(o->timeline) + is_output(o->flows) + is_output(o->counters) +
			is_output(o->rank_table) + is_output(o->queues) >
		1)
		usage_error(program,
			"only one of the result, a graph, --timeline, --flows, --counters, --ranks and --queues can go to standard output; use -o FILE for the result");
	if (o->counters && !carried)
		usage_error(program,
			"--counters writes what the metrics link_use and link_busy count: add --engine flow --metric link_use, or --engine packet --metric link_busy");
	if (o->queues && !queues)
		usage_error(program, "--queues writes what the metric packet_queues sees: add --metric packet_queues");
	if (o->plot_at >= 0 && !(o->plot && o->terms.queue))
		usage_error(program, "--plot-at requires a queue of jobs, -p queue:FILE, and --plot");
	if (o->plot && !plots && !o->rank_table)
		usage_error(program, "--plot requires a metric with a histogram");
	require_values(o, "--precision", o->precision > 0 && !valued);
	require_values(o, "--control-variates", o->control && !valued);
	if (o->routes && !strcmp(o->routes, "-") && source_is_standard(&o->fabric))
		usage_error(program, "the fabric and its routes cannot both come from standard input");
	if (routing && routing->source_routes && o->routes)
		usage_error(program, "--routing %s and --routes both supply source routes; give one of them", routing->name);
	if (o->save && (o->routes || (routing && routing->source_routes)))
		usage_error(program, "a cache cannot hold source routes; write them to a file with orcs-route --routes");
	o->only_save = o->save && !o->runs && o->precision <= 0;
	check_checkpoint(o);
	if (o->save && !strcmp(o->save, "-") && !o->only_save && !strcmp(o->output, "-"))
		usage_error(program, "the cache and the result cannot both go to standard output");
	if (!o->runs)
		o->runs = o->precision > 0 && !o->terms.open ? 1000000 : 1;
	if (o->list < 0)
		source_end(&o->fabric);
}
