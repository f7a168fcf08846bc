#include "orcs/lists.h"

#include "cli/palette.h"
#include "cli/terminal.h"
#include "engines/packet/control/control.h"
#include "engines/packet/routing/packet_routing.h"
#include "fabric/placement.h"
#include "metrics/metric.h"
#include "orcs/options.h"
#include "patterns/pattern.h"
#include "routings/routing.h"
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"
#include "topologies/topology.h"

#include <string.h>

/* ---- rows */

/* Writes a name, its marks if there are any, and its summary. */
static void list_line(FILE *file, const char *name, const char *marks, const char *summary, const char *source)
{
	bool bold = terminal_colour(fileno(file));
	fprintf(file, "  %s%-24s%s  %s%s%s%s%s%s\n", bold ? "\033[1m" : "", name, bold ? "\033[0m" : "", marks, *marks ? "  " : "",
		summary ? summary : "", source ? " [" : "", source ? source : "", source ? "]" : "");
}

/* The same with its parameters, one per line. */
static void list_kind(FILE *file, const char *name, const struct arg *args, const char *marks, const char *summary, const char *source)
{
	char usage[100];
	args_usage(usage, sizeof usage, name, args);
	list_line(file, usage, marks, summary, source);
	for (; args && args->type != ARG_END; args++)
		fprintf(file, "  %-24s    %s: %s\n", "", args->type == ARG_DIMENSIONS ? "AxB.." : args->key, args->help);
}

static void list_pairs(FILE *file, const char *const *names)
{
	for (; *names; names += 2)
		list_line(file, names[0], "", names[1], NULL);
}

/* ---- lists */

/* Writes one meaning of a name with marks for its uses; a name with another meaning under --load has no mark l here. */
static void list_meaning(FILE *file, const struct pattern *pattern, bool other)
{
	static const char letters[] = {'c', 't', 'l'};
	char marks[] = "---";
	for (int use = PATTERN_PAIRS; use <= PATTERN_LOAD; use++)
		if (pattern_serves(pattern, (enum pattern_use)use) && (use != PATTERN_LOAD || !other))
			marks[use] = letters[use];
	list_kind(file, pattern->name, pattern->preset ? NULL : pattern->args, marks, pattern->summary, pattern->source);
}

static void list_patterns(FILE *file)
{
	char pairs[100], graphs[100];
	engines_list(pairs, sizeof pairs, TAKES_PAIRS, 0);
	engines_list(graphs, sizeof graphs, TAKES_GRAPH, 0);
	fprintf(file, "Patterns (--pattern); c: for --engine %s; t: for --engine %s; l: open-loop traffic, with --load or --saturation:\n",
		pairs, graphs);
	for (const struct pattern *const *p = patterns; *p; p++) {
		list_meaning(file, *p, (*p)->with_load);
		if ((*p)->with_load)
			list_meaning(file, (*p)->with_load, false);
	}
}

/* Metrics of levels and pairs, or the others. */
static void list_metrics_of(FILE *file, bool weights)
{
	for (const struct metric *const *m = metrics; *m; m++)
		if ((metric_wants(*m) == SEEN_WEIGHTS) == weights)
			list_kind(file, (*m)->name, (*m)->args, "", (*m)->summary, (*m)->source);
}

static void list_metrics(FILE *file)
{
	fputs("Metrics (--metric, several separated by commas):\n", file);
	list_metrics_of(file, true);
	fputs("\nMetrics of --engine flow (latency also of --engine latency):\n", file);
	list_metrics_of(file, false);
}

static void list_engines(FILE *file)
{
	fputs("Engines (--engine):\n", file);
	for (const struct engine *const *e = engines; *e; e++)
		list_line(file, (*e)->name, "", (*e)->summary, (*e)->source);
}

static void list_routings(FILE *file)
{
	fputs("Routing engines (--routing, --reroute):\n", file);
	for (const struct routing *const *r = routings; *r; r++)
		list_kind(file, (*r)->name, (*r)->args, "", (*r)->summary, (*r)->source);
}

static void list_packet_routings(FILE *file)
{
	fputs("Routings of --engine packet (--packet-routing):\n", file);
	for (const struct packet_routing *const *r = packet_routings; *r; r++)
		list_kind(file, (*r)->name, (*r)->args, "", (*r)->summary, (*r)->source);
}

static void list_congestion_controls(FILE *file)
{
	fputs("Congestion controls of --engine packet (--congestion-control):\n", file);
	for (const struct control_kind *const *k = control_kinds; *k; k++)
		list_kind(file, (*k)->name, (*k)->args, "", (*k)->summary, (*k)->source);
}

static void list_subsets(FILE *file)
{
	fputs("Subsets (--subset):\n", file);
	list_pairs(file, placement_subsets);
}

static void list_mappings(FILE *file)
{
	fputs("Mappings (--mapping):\n", file);
	list_pairs(file, placement_mappings);
}

static void list_topologies(FILE *file)
{
	fputs("Topologies (in the place of a fabric):\n", file);
	for (const struct topology_kind *const *t = topologies; *t; t++)
		list_kind(file, (*t)->name, (*t)->args, "", (*t)->summary, (*t)->source);
}

static void list_schedulers(FILE *file)
{
	fputs("Schedulers of queues (--scheduler):\n", file);
	for (const struct scheduler *const *s = schedulers; *s; s++)
		list_line(file, (*s)->name, "", (*s)->summary, (*s)->source);
}

static void list_allocations(FILE *file)
{
	fputs("Allocations of queues (--allocation):\n", file);
	for (const struct allocation *const *a = allocations; *a; a++)
		list_line(file, (*a)->name, "", (*a)->summary, (*a)->source);
}

static void list_job_mappings(FILE *file)
{
	fputs("Job mappings of queues (--job-mapping):\n", file);
	for (const struct job_mapping *const *m = job_mappings; *m; m++)
		list_line(file, (*m)->name, "", (*m)->summary, (*m)->source);
}

static void list_palettes(FILE *file)
{
	fputs("Palettes (--palette):\n", file);
	for (const char *const *name = palettes; *name; name++)
		list_line(file, *name, "", NULL, NULL);
}

const char *const list_names[] = {"patterns", "metrics", "engines", "routings", "packet-routings", "congestion-controls", "subsets",
	"mappings", "topologies", "palettes", "schedulers", "allocations", "job-mappings", "all", NULL};
static void (*const writers[])(FILE *file) = {list_patterns, list_metrics, list_engines, list_routings, list_packet_routings,
	list_congestion_controls, list_subsets, list_mappings, list_topologies, list_palettes, list_schedulers, list_allocations,
	list_job_mappings};

void list_write(int list, FILE *file)
{
	const int count = sizeof writers / sizeof *writers;
	for (int i = 0; i < count; i++) {
		if (list != i && list != count)
			continue;
		if (list == count && i)
			putc('\n', file);
		writers[i](file);
	}
}
