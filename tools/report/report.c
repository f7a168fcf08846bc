/* The part that reads and routes. */
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/program.h"
#include "compare/copy.h"
#include "fabric/layers.h"
#include "infiniband/link_speeds.h"
#include "orcs/loads_shared.h"
#include "parallel/distribute.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

/* ---- other routings */

/* Sets the list of routings that are compared. Returns the number. */
static int list_kinds(struct fabric_report *r)
{
	struct report_options *o = r->options;
	if (o->advise) {
		int kinds = 0;
		for (int i = 0; i < ADVICE_KINDS; i++)
			if (!advice_kinds[i].real)
				r->kind[kinds++] = advice_kinds[i];
		return kinds;
	}
	r->kind[0] = advice_kinds[0];
	for (int i = 0; i < o->engines; i++)
		r->kind[i + 1] = (struct advice_kind){.folder = "", .what = o->engine[i], .engine = o->engine[i], .opensm = ""};
	return o->engines + 1;
}

int report_begin(struct fabric_report *report, struct error *error)
{
	struct report_options *o = report->options;
	const struct advice_setup setup = {
		.source = &o->fabric,
		.files = &report->files,
		.pattern = &o->pattern,
		.patterns = 1,
		.kind = report->kind,
		.kinds = list_kinds(report),
		.runs = o->runs,
		.seed = o->seed,
		.brief = true,
	};
	return advice_begin(&report->run, &setup, error);
}

const struct advice *report_present(const struct fabric_report *report)
{
	return &report->run.result.advice[report->run.result.base];
}

/* ---- routes */

/* Finds a cycle of dependencies, and how many lanes break all. */
static void find_cycle(struct fabric_report *r, struct destination_trees *trees, const struct dependencies *waits, struct error *error)
{
	struct report_deadlock *d = &r->deadlock;
	struct digraph graph = {0};
	uint32_t *cyclic = NULL;
	if (!dependencies_graph(waits, &graph, error) && (cyclic = digraph_cyclic(&graph, error))) {
		for (uint32_t c = 0; c < r->fabric->channels; c++) {
			bool on_cycle = false;
			for (unsigned lane = 0; lane < waits->lane_count; lane++)
				on_cycle |= cyclic[c * waits->lane_count + lane] != 0;
			d->channels += on_cycle;
		}
		if (d->channels && (d->cycle = digraph_shortest_cycle(&graph, cyclic, 3, &d->length, error)))
			for (uint32_t i = 0; i < d->length; i++)
				d->cycle[i] /= waits->lane_count;
	}
	free(cyclic);
	digraph_clear(&graph);
	struct dependencies one = {0};
	struct digraph whole = {0};
	if (!error->status && d->channels && !trees->several && !dependencies_init(&one, trees, NULL, 0, waits->passed, error)) {
		for (uint32_t h = 0; h < r->fabric->hosts; h++) {
			destination_trees_make(trees, h);
			dependencies_add(&one);
		}
		if (!dependencies_graph(&one, &whole, error))
			d->needed = layers_count(&one, trees, &whole, error);
	}
	digraph_clear(&whole);
	dependencies_clear(&one);
}

/* Notes the first pair without a route. */
static void note_lost(struct fabric_report *r, const struct destination_trees *trees, uint32_t destination)
{
	const struct fabric *f = r->fabric;
	for (uint32_t h = 0; h < f->hosts && r->lost_from == NONE; h++)
		if (h != destination && r->planes.of[f->host_node[h]] == r->planes.of[f->host_node[destination]] &&
			trees->distance[trees->start[trees->start_of[h]].node] >= TREE_DISTANCE_END) {
			r->lost_from = f->host_node[h];
			r->lost_to = f->host_node[destination];
		}
}

/* Adds up the routes of all trees, and what waits for what. */
static void add_trees(struct fabric_report *r, struct destination_trees *trees, struct dependencies *waits, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct pair_loads loads = {0};
	uint32_t *host = array_create(f->hosts, sizeof *host, error);
	for (uint32_t h = 0; h < f->hosts && host; h++)
		host[h] = h;
	if (host && !pair_loads_init(&loads, trees, host, f->hosts, error)) {
		for (uint32_t h = 0; h < f->hosts; h++) {
			uint64_t before = loads.unreachable;
			destination_trees_make(trees, h);
			if (waits)
				dependencies_add(waits);
			pair_loads_add(&loads, trees);
			if (loads.unreachable > before && r->lost_from == NONE)
				note_lost(r, trees, h);
		}
		pair_loads_end(&loads, trees);
		for (uint32_t c = 0; c < f->channels; c++)
			r->routes[c] = (double)loads.load[c] * loads.unit;
		r->unreachable = loads.unreachable - r->apart;
	}
	pair_loads_clear(&loads);
	free(host);
}

/* Counts the pairs within planes, and the others. */
static int count_pairs(struct fabric_report *r, struct error *error)
{
	uint64_t hosts = r->fabric->hosts;
	if (planes_find(&r->planes, r->fabric, error))
		return -1;
	for (uint32_t p = 0; p < r->planes.planes; p++)
		r->pairs += (uint64_t)r->planes.hosts[p] * (r->planes.hosts[p] - 1);
	r->apart = hosts * (hosts - 1) - r->pairs;
	return 0;
}

/* Counts the routes, and looks for deadlocks. */
static int find_routes(struct fabric_report *r, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct destination_trees trees = {0};
	struct dependencies waits = {0};
	bool *passed = array_create(f->hosts, sizeof *passed, error);
	bool levels = r->lanes && r->lanes->levels, searched = f->hosts <= DEADLOCK_HOSTS_MOST;
	if (count_pairs(r, error))
		return -1;
	r->lost_from = r->lost_to = NONE;
	r->deadlock.lanes = r->lanes ? r->lanes->count : 1;
	r->deadlock.known = searched && !(r->lanes && r->lanes->unknown);
	r->routes = array_create(f->channels, sizeof *r->routes, error);
	if (!error->status && !destination_trees_init(&trees, f, r->forwarding, error) && !destination_trees_take_all(&trees, error) &&
		!(searched && dependencies_init(&waits, &trees, r->lanes, levels ? LEVEL_TOLD : 0, passed, error))) {
		add_trees(r, &trees, searched ? &waits : NULL, error);
		if (searched && !error->status)
			find_cycle(r, &trees, &waits, error);
	}
	dependencies_clear(&waits);
	destination_trees_clear(&trees);
	free(passed);
	return error->status ? -1 : 0;
}

/* ---- reading */

/* Notes when the newest of the input files was written. */
static void find_date(struct fabric_report *r)
{
	const struct fabric_source *s = &r->options->fabric;
	struct stat status;
	time_t newest = 0;
	for (size_t i = 0; i < s->parts; i++)
		if (!stat(s->part[i].path, &status) && S_ISREG(status.st_mode) && status.st_mtime > newest)
			newest = status.st_mtime;
	struct tm time;
	if (newest && gmtime_r(&newest, &time))
		strftime(r->date, sizeof r->date, "%Y-%m-%d %H:%M UTC", &time);
}

/* Copies inputs that can be read only once, and reads them from the copy. Returns 0, or -1. */
static int copy_inputs(struct fabric_report *r, struct error *error)
{
	struct fabric_source *s = &r->options->fabric;
	r->copy = array_create(s->files, sizeof *r->copy, error);
	for (size_t i = 0; i < s->files && !error->status; i++) {
		struct report_copy *copy = &r->copy[r->copies];
		if (fabric_source_spec(s) || !copy_is_needed(s->file[i].path))
			continue;
		copy->file = program_file(error);
		if (!copy->file || copy_file(s->file[i].path, copy->file, error))
			return -1;
		r->copies++;
		snprintf(copy->name, sizeof copy->name, "/dev/fd/%d", fileno(copy->file));
		s->file[i].path = copy->name;
	}
	return error->status ? -1 : 0;
}

/* Refuses what has no loads. */
static int check(const struct fabric_report *r, bool routed, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct report_options *o = r->options;
	if (f->hosts < 2)
		return error_at(error, STATUS_FABRIC, f->labels->source, 0, "the fabric has one host, which cannot send to any other");
	if (!routed && !o->engines && !o->advise)
		return error_at(error, STATUS_FABRIC, f->labels->source, 0,
			"the fabric is not routed: add -R ENGINE, for example -R minhop, name the dump of its tables as well, or route it with "
			"orcs-route");
	if (routed && r->forwarding->via)
		return error_at(error, STATUS_FABRIC, f->labels->source, 0,
			"packets travel via random switches, so that its channels have no loads of their own; route it by tables");
	return 0;
}

/* Takes over the routing that the report is about. */
static int choose_routing(struct fabric_report *r, bool routed, struct error *error)
{
	int base = r->run.result.base;
	const struct engine_run *run = &r->run.run[base];
	if (routed) {
		if (r->attributes && attributes_have_lanes(r->attributes))
			virtual_lanes_load(&r->lanes, r->attributes, r->fabric, true, error);
		r->routed_by = r->attributes ? attributes_of_graph(r->attributes, "routing") : NULL;
		if (!r->routed_by && r->forwarding->function)
			r->routed_by = r->forwarding->function->routing;
		return error->status ? -1 : 0;
	}
	forwarding_free(r->forwarding);
	r->forwarding = NULL;
	if (run->routes)
		return error_at(error, STATUS_FABRIC, r->fabric->labels->source, 0,
			"%s computes source routes, of which there is no report yet: name an engine with tables first", run->asked);
	r->forwarding = forwarding_copy(r->fabric, run->forwarding, error);
	r->lanes = r->run.lanes[base];
	r->hash = run->hash;
	r->routed_by = r->run.result.advice[base].kind->what;
	return error->status ? -1 : 0;
}

/* Registers the files of the program and of its placement. */
static int program_files(const struct report_options *o, struct files *files, struct error *error)
{
	const struct pattern_request request = {.spec = o->program, .first_ranks = -1};
	return pattern_files(&request, PATTERN_GRAPH, files, error) || placement_files("linear_bfs", o->mapping, files, error) ? -1 : 0;
}

int report_read(struct fabric_report *report, struct error *error)
{
	struct fabric_report *r = report;
	struct report_options *o = r->options;
	struct fabric_source *source = &o->fabric;
	unsigned keep = o->engines || o->advise ? DOT_KEEP : DOT_KEEP_READ | DOT_KEEP_LANES; /* engines read them, and write them anew */
	unsigned wants = DOT_TABLES | keep | DOT_ALTERNATIVES | DOT_MAYBE_TABLES;
	FILE *notes = r->notes;
	if (copy_inputs(r, error) || fabric_source_open(source, &r->files, error) ||
		(o->compare && files_read(&r->files, o->compare, error)) || (o->program && program_files(o, &r->files, error)) ||
		(o->jobs &&
			(files_read(&r->files, o->jobs, error) || job_study_read(&r->jobs, o->jobs, o->machine_name, o->ports, error))) ||
		fabric_source_load(source, wants, &r->files, notes, &r->fabric, &r->forwarding, &r->attributes, &r->odd, error)) {
		copy_name_error(source, source->name, error);
		return -1;
	}
	if (r->copies)
		r->fabric->labels->source = source->name; /* the path of a copy says nothing */
	bool routed = forwarding_is_routed(r->forwarding, r->fabric);
	if (check(r, routed, error))
		return -1;
	if (notes && link_speeds_note(r->fabric, SPEEDS_COUNT, notes, source->program, r->fabric->labels->source, error))
		return -1;
	find_date(r);
	r->hash = r->fabric->labels->hash;
	r->run.fabric = r->fabric;
	r->run.forwarding = routed ? r->forwarding : NULL;
	r->run.attributes = r->attributes;
	r->run.odd = r->odd;
	int failed = advice_route(&r->run, error);
	r->attributes = r->run.attributes;
	if (failed || choose_routing(r, routed, error) || find_routes(r, error))
		return -1;
	r->fabric->labels->hash = r->hash;
	struct advice *base = &r->run.result.advice[r->run.result.base];
	base->pairs = r->pairs + r->apart;
	base->unreachable = r->unreachable + r->apart;
	base->deadlock = r->deadlock.channels;
	base->known = r->deadlock.known;
	base->lanes = r->deadlock.lanes;
	return 0;
}

/* ---- collective */

/* Counts the moments of another routing, and takes its rivals by tier in process 0. */
static int count_rivals(struct fabric_report *r, struct comm *comm, const struct fabric *fabric, int i, struct error *error)
{
	const struct engine_run *run = &r->run.run[i];
	bool there = run->forwarding && !run->routes && i != r->run.result.base;
	comm_broadcast(comm, &there, sizeof there);
	if (!there)
		return 0;
	struct loads loads = {0};
	struct forwarding *tables = comm_rank(comm) ? NULL : forwarding_copy(fabric, run->forwarding, error);
	if (!comm_agree(comm, error) && !distribute_tables(comm, fabric, &tables, error) &&
		!loads_count_shared(&loads, comm, fabric, tables, error) && !comm_rank(comm))
		r->run_loads[i] = loads;
	else
		loads_clear(&loads);
	forwarding_free(tables);
	return comm_agree(comm, error);
}

int report_compare(struct fabric_report *report, struct comm *comm, struct error *error)
{
	struct fabric_report *r = report;
	/* the comparison first: it frees what was distributed before */
	if (advice_compare(&r->run, comm, error) || distribute(comm, &r->fabric, &r->forwarding, &r->placement, error))
		return -1;
	bool counted = r->fabric->hosts <= RIVALS_HOSTS_MOST;
	if (counted && loads_count_shared(&r->loads, comm, r->fabric, r->forwarding, error))
		return -1;
	for (int i = 0; i < r->run.result.kinds && counted; i++)
		if (count_rivals(r, comm, r->fabric, i, error))
			return -1;
	return 0;
}
