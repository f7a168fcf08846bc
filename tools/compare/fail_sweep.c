#include "tools/compare/fail_sweep.h"

#include "base/memory.h"
#include "base/shown.h"
#include "base/spelling.h"
#include "fabric/node_names.h"
#include "cli/terminal.h"
#include "fabric/subset.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the intact fabric */

/* Splits "ENGINE:PARAMETERS,repair". */
static int read_reroute(struct fail_sweep *s, struct error *error)
{
	static const char *const modes[] = {[REROUTE_SCRATCH] = "scratch", [REROUTE_REPAIR] = "repair"};
	if (!(s->engine = strdup(s->options->reroute)))
		return error_set(error, STATUS_IO, "out of memory");
	char *last = strrchr(s->engine, ',');
	last = last ? last : strrchr(s->engine, ':');
	for (int i = 0; i < 2 && last; i++)
		if (!strcmp(last + 1, modes[i])) {
			s->reroute = (enum fail_reroute)i;
			*last = '\0';
			break;
		}
	const char *near = last && *last ? nearest_name(last + 1, modes, 2) : NULL;
	if (near)
		return error_set(error, STATUS_USAGE, "--reroute: unknown word '%s'; did you mean '%s'?", SHOWN(last + 1), near);
	const char *comma = strchr(s->engine, ',');
	if (comma && !memchr(s->engine, ':', (size_t)(comma - s->engine)))
		return error_set(
			error, STATUS_USAGE, "--reroute takes one engine, not a list such as '%s': run it once for each", SHOWN(s->engine));
	if (!strcmp(s->engine, "as-is")) {
		free(s->engine);
		s->engine = NULL;
		return s->reroute == REROUTE_REPAIR
			       ? 0
			       : error_set(error, STATUS_USAGE,
					 "--reroute: nothing can route as-is from scratch; use as-is:repair, or name an engine");
	}
	s->routing = routing_find(s->engine, error);
	if (s->routing && s->routing->source_routes)
		error_set(error, STATUS_USAGE, "--reroute: engine '%s' makes source routes, not tables", s->routing->name);
	return error->status ? -1 : 0;
}

static const char *topology_of(const struct fail_sweep *s)
{
	return s->attributes ? attributes_of_graph(s->attributes, "topology") : NULL;
}

/* Keeps the lanes that the engine uses. */
static int keep_lanes(struct fail_sweep *s, const struct routed *routed, struct error *error)
{
	const struct fabric *f = s->fabric;
	if (routed->level && routed->levels > 1)
		s->lanes.level = s->level = array_copy(routed->level, (size_t)f->hosts * s->graph.columns, 1, error);
	if (routed->lane_bit)
		s->lanes.bit = s->bit = array_copy(routed->lane_bit, f->channels, 1, error);
	s->several = s->level || s->bit;
	return error->status ? -1 : 0;
}

/* Fills the tables of the intact fabric, and what routes it again. */
static int route_intact(struct fail_sweep *s, struct routed *routed, struct error *error)
{
	const struct fabric *f = s->fabric;
	const struct routing_graph *g = &s->graph;
	struct routing_task task = {.graph = g,
		.topology = topology_of(s),
		.attributes = s->attributes,
		.files = &s->files,
		.lanes = ROUTING_LANES_USUAL,
		.seed = s->options->seed,
		.failing = s->reroute == REROUTE_SCRATCH ? &s->failing : NULL};
	if (s->engine && routing_run(routed, s->engine, &task, error))
		return -1;
	if (s->engine && routed->via)
		return error_set(error, STATUS_USAGE, "--reroute: engine '%s' routes by random intermediate switches, not by tables alone",
			s->routing->name);
	if (s->engine && routed->distance)
		return error_set(error, STATUS_USAGE,
			"--reroute: engine '%s' makes entries of several channels, whose loads are not compared", s->routing->name);
	snprintf(s->warning, sizeof s->warning, "%s", routed->warning);
	if (s->engine)
		return keep_lanes(s, routed, error);
	if (attributes_have_lanes(s->attributes) && virtual_lanes_load(&s->own, s->attributes, f, true, error))
		return -1;
	s->lanes.own = s->own;
	s->several = s->own != NULL;
	if (routed_make_tables(routed, g, error))
		return -1;
	for (uint32_t d = 0; d < f->hosts; d++)
		for (uint32_t k = 0; k < g->columns; k++)
			if (g->node[k] != f->host_node[d])
				routed_row(routed, g, d)[k] =
					forwarding_next(s->forwarding, g->node[k], s->forwarding->column[g->node[k]], d);
	return 0;
}

/* Returns 0, or -1 with STATUS_USAGE if there is to be a graph, but no failure of a cable that would colour it. */
static int check_graph(const struct fail_sweep *s, struct error *error)
{
	for (size_t i = 0; i < s->failures.count; i++)
		if (s->failures.list[i].kind == FAILURE_CABLE)
			return 0;
	return s->options->graph ? error_set(error, STATUS_USAGE, "--graph colours single cables: add each-cable to --fail") : 0;
}

static int begin(struct fail_sweep *s, struct error *error)
{
	const struct compare_options *o = s->options;
	struct fabric_source *source = &o->input[0];
	struct routed routed = {0};
	struct node_names names = {0};
	unsigned wants = DOT_KEEP | DOT_KEEP_PLACES | DOT_ALLOW_NO_LINK | DOT_TABLES;
	if (fail_list_check(o->fail, &s->files, error) || read_reroute(s, error) ||
		fabric_source_load(source, wants, &s->files, s->notes, &s->fabric, &s->forwarding, &s->attributes, &s->odd, error))
		return -1;
	if (!s->engine && s->forwarding->alternatives)
		return error_at(error, STATUS_FABRIC, s->fabric->labels->source, 0,
			"entries have several channels; route it with --reroute ENGINE");
	struct port_names ports = {s->fabric, &names, s->forwarding ? s->forwarding->function : NULL, s->attributes};
	if (!(s->reverse = fabric_reverse(s->fabric, error)) || node_names_init(&names, s->fabric, NODES_ALL, error) ||
		fail_list_make(&s->failures, o->fail, &ports, s->reverse, o->seed, error) || check_graph(s, error) ||
		routing_graph_init(&s->graph, s->fabric, error) || route_intact(s, &routed, error))
		error->status = error->status ? error->status : STATUS_IO;
	else
		fail_state_begin(&s->state, &s->graph, s->reverse, routed.next, o->runs, o->seed, o->ignore_speeds,
			s->several ? &s->lanes : NULL, error);
	node_names_clear(&names);
	routed_clear(&routed);
	return error->status ? -1 : 0;
}

/* ---- a failure */

/* Takes the lanes that an engine uses on a part of the fabric, and returns them in lanes. */
static int take_lanes(struct fail_sweep *s, const struct routed *routed, const struct routing_graph *graph, const uint32_t *node_new,
	const uint32_t *channel_old, const uint32_t *host_old, struct fail_lanes *lanes, struct error *error)
{
	const struct routing_graph *g = &s->graph;
	uint32_t columns = g->columns;
	bool levels = routed->level && routed->levels > 1;
	if (levels && !s->new_level)
		s->new_level = array_create((size_t)g->fabric->hosts * columns, 1, error);
	if (routed->lane_bit && !s->new_bit)
		s->new_bit = array_create(g->fabric->channels, 1, error);
	for (uint32_t h = 0; h < graph->fabric->hosts && levels && !error->status; h++)
		for (uint32_t k = 0; k < columns; k++) {
			uint32_t v = node_new[g->node[k]], new = v == NONE ? NONE : graph->column[v];
			s->new_level[(size_t)host_old[h] * columns + k] = new == NONE ? 0 : routed_levels(routed, graph, h)[new];
		}
	for (uint32_t c = 0; c < graph->fabric->channels && routed->lane_bit && !error->status; c++)
		s->new_bit[channel_old[c]] = routed->lane_bit[c];
	*lanes = (struct fail_lanes){.level = levels ? s->new_level : NULL, .bit = routed->lane_bit ? s->new_bit : NULL};
	return error->status ? -1 : 0;
}

/* An engine of orcs routes the part of the fabric that is left. */
static int route_part(struct fail_sweep *s, struct entry_changes *changes, struct fail_lanes *lanes, struct error *error)
{
	const struct fabric *f = s->fabric;
	const struct routing_graph *g = &s->graph;
	const struct failed_parts *failed = &s->state.failed;
	bool *node = array_create(f->nodes, 1, error), *channel = array_create(f->channels, 1, error);
	uint32_t *node_new = array_create(f->nodes, sizeof *node_new, error),
		 *channel_old = array_create(f->channels, sizeof *channel_old, error);
	uint32_t *host_old = array_create(f->hosts, sizeof *host_old, error);
	struct routing_graph graph = {0};
	struct routed routed = {0};
	struct fabric *part = NULL;
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		node[v] = !failed->node[v];
	for (uint32_t c = 0; c < f->channels && !error->status; c++)
		channel[c] = !failed->channel[c];
	struct routing_task task = {
		.graph = &graph, .topology = topology_of(s), .files = &s->files, .lanes = ROUTING_LANES_USUAL, .seed = s->options->seed};
	if (!error->status && (part = fabric_part(f, node, channel, node_new, channel_old, host_old, error)) && part->hosts &&
		!routing_graph_init(&graph, part, error) && !routing_run(&routed, s->engine, &task, error) &&
		!take_lanes(s, &routed, &graph, node_new, channel_old, host_old, lanes, error))
		for (uint32_t h = 0; h < part->hosts && !error->status; h++)
			for (uint32_t k = 0; k < g->columns && !error->status; k++) {
				uint32_t v = g->node[k], now = NONE, new = failed->node[v] ? NONE : graph.column[node_new[v]];
				if (failed->node[v] || f->host_node[host_old[h]] == v)
					continue;
				if (new != NONE)
					now = routed_row(&routed, &graph, h)[new];
				else if (part->first_channel[node_new[v]] < part->first_channel[node_new[v] + 1])
					now = part->first_channel[node_new[v]]; /* the only one that is left */
				now = now == NONE ? NONE : channel_old[now];
				if (now != s->state.base[(size_t)host_old[h] * g->columns + k])
					entry_changes_add(changes, (struct entry_change){k, host_old[h], now}, error);
			}
	routed_clear(&routed);
	routing_graph_clear(&graph);
	fabric_free(part);
	free(node);
	free(channel);
	free(node_new);
	free(channel_old);
	free(host_old);
	return error->status ? -1 : 0;
}

/* The engine cannot route what is left: the tables stay, as far as they lead. */
static int keep_tables(struct fail_sweep *s, struct entry_changes *changes, const struct error *reason, struct error *error)
{
	const struct routing_graph *g = &s->graph;
	changes->count = 0;
	for (uint32_t d = 0; d < s->fabric->hosts && !error->status; d++)
		for (uint32_t k = 0; k < g->columns && !s->state.lost[d]; k++) {
			uint32_t c = s->state.base[(size_t)d * g->columns + k];
			if (c != NONE && s->state.failed.channel[c] && !s->state.failed.node[g->node[k]])
				entry_changes_add(changes, (struct entry_change){k, d, NONE}, error);
		}
	error_facts(reason, changes->refusal, sizeof changes->refusal);
	return error->status ? -1 : 0;
}

static int judge(struct fail_sweep *s, size_t i, struct entry_changes *changes, struct error *error)
{
	const struct failure *failure = &s->failures.list[i];
	struct fail_lanes lanes = s->lanes; /* of tables that are kept or repaired */
	const struct routed *again = &s->failing.routed;
	struct error own = {0};
	changes->count = 0;
	*changes->refusal = '\0';
	fail_state_break(&s->state, s->failures.part + failure->first, failure->parts);
	if (s->reroute == REROUTE_REPAIR)
		fail_repair(&s->state, changes, error);
	else if (s->failing.view.whole)
		opensm_failing_route(&s->failing, &s->state.failed, changes, error);
	else if (route_part(s, changes, &lanes, &own) && own.status == STATUS_IO)
		error_set(error, STATUS_IO, "%s", own.text);
	else if (own.status)
		keep_tables(s, changes, &own, error);
	if (s->reroute == REROUTE_SCRATCH && s->failing.view.whole)
		lanes = (struct fail_lanes){.level = again->levels > 1 ? again->level : NULL};
	bool several = lanes.level || lanes.bit || lanes.own;
	return error->status ? -1 : fail_state_judge(&s->state, changes, several ? &lanes : NULL, &s->effect[i], error);
}

/* ---- workers */

struct worker {
	pid_t process;
	uint64_t done; /* by all, in the first one */
	struct error error;
};

/* progress: NULL in other processes. */
static void work(struct fail_sweep *s, struct worker *all, size_t first, size_t every, struct progress *progress)
{
	struct entry_changes changes = {0};
	struct error *error = &all[first].error;
	for (size_t i = first; i < s->failures.count && !error->status; i += every) {
		judge(s, i, &changes, error);
		uint64_t done = __atomic_add_fetch(&all->done, 1, __ATOMIC_RELAXED);
		if (progress)
			progress_show(progress, done, s->failures.count);
	}
	free(changes.list);
}

static void *share(size_t bytes, struct error *error)
{
	void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (memory != MAP_FAILED)
		return memory;
	error_set(error, STATUS_IO, "out of memory");
	return NULL;
}

static int run_workers(struct fail_sweep *s, struct error *error)
{
	long cores = sysconf(_SC_NPROCESSORS_ONLN);
	size_t count = s->failures.count, workers = cores > 1 ? (size_t)cores : 1;
	workers = workers > (count + 7) / 8 ? (count + 7) / 8 : workers; /* a process costs more than a few failures */
	struct worker *worker = share((workers + 1) * sizeof *worker, error);
	if (!worker)
		return -1;
	fflush(NULL);
	for (size_t w = 1; w < workers; w++) {
		pid_t parent = getpid(), process = fork();
		if (!process) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			if (getppid() == parent)
				work(s, worker, w, workers, NULL);
			_exit(0);
		}
		worker[w].process = process;
		if (process < 0)
			work(s, worker, w, workers, NULL);
	}
	struct progress progress;
	progress_start(&progress, !s->options->quiet, "failures");
	work(s, worker, 0, workers ? workers : 1, &progress);
	progress_end(&progress);
	for (size_t w = 0; w < workers; w++) {
		int status = 0;
		if (w && worker[w].process > 0)
			while (waitpid(worker[w].process, &status, 0) < 0 && errno == EINTR)
				;
		if (status)
			error_set(error, STATUS_IO, "a process that judges failures has ended early");
		if (worker[w].error.status)
			error_set(error, worker[w].error.status, "%s", worker[w].error.text);
	}
	munmap(worker, (workers + 1) * sizeof *worker);
	return error->status ? -1 : 0;
}

int fail_sweep_run(struct fail_sweep *sweep, struct error *error)
{
	if (begin(sweep, error) || !(sweep->effect = share(sweep->failures.count * sizeof *sweep->effect, error)))
		return -1;
	return run_workers(sweep, error);
}

void fail_sweep_clear(struct fail_sweep *sweep)
{
	struct fail_sweep *s = sweep;
	if (s->effect)
		munmap(s->effect, s->failures.count ? s->failures.count * sizeof *s->effect : 1);
	fail_list_clear(&s->failures);
	fail_state_clear(&s->state);
	opensm_failing_clear(&s->failing);
	routing_graph_clear(&s->graph);
	attributes_free(s->attributes);
	forwarding_free(s->forwarding);
	fabric_free(s->fabric);
	files_clear(&s->files);
	virtual_lanes_free(s->own);
	free(s->level);
	free(s->bit);
	free(s->new_level);
	free(s->new_bit);
	free(s->reverse);
	free(s->engine);
}
