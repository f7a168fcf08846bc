/* What --list-patterns and --list-metrics print: the tables of what there is. */
#include "cli/terminal.h"
#include "fabric/placement.h"
#include "workloads/workload.h"
#include "traffic/traffic.h"
#include "engines/packet/routing/packet_routing.h"
#include "metrics/metric.h"
#include "orcs/options.h"

#include <stdio.h>

static void list_line(FILE *file, const char *name, const char *summary, const char *source)
{
	bool bold = terminal_colour(fileno(file));
	fprintf(file, "  %s%-24s%s  %s%s%s%s\n", bold ? "\033[1m" : "", name, bold ? "\033[0m" : "", summary, source ? " [" : "",
		source ? source : "", source ? "]" : "");
}

static void list_args(FILE *file, const struct arg *args)
{
	for (; args && args->type != ARG_END; args++)
		fprintf(file, "  %-24s    %s: %s\n", "", args->type == ARG_DIMENSIONS ? "AxB.." : args->key, args->help);
}

void options_list_patterns(FILE *file)
{
	char usage[100], names[200];
	fputs("Patterns (--ptrn):\n", file);
	for (const struct pattern *const *p = patterns; *p; p++) {
		args_usage(usage, sizeof usage, (*p)->name, (*p)->preset ? NULL : (*p)->args);
		list_line(file, usage, (*p)->summary, (*p)->source);
		list_args(file, (*p)->preset ? NULL : (*p)->args);
	}
	engines_list(names, sizeof names, TAKES_GRAPH, 0);
	fprintf(file, "\nWorkloads of --engine %s, beside the patterns (--ptrn):\n", names);
	for (const struct workload *const *w = workloads; *w; w++) {
		args_usage(usage, sizeof usage, (*w)->name, (*w)->args);
		list_line(file, usage, (*w)->summary, (*w)->source);
		list_args(file, (*w)->args);
	}
	fputs("\nTraffic of --engine packet, beside patterns and workloads without an order (--traffic):\n", file);
	for (const struct traffic *const *t = traffics; *t; t++) {
		args_usage(usage, sizeof usage, (*t)->name, (*t)->args);
		list_line(file, usage, (*t)->summary, (*t)->source);
		list_args(file, (*t)->args);
	}
	fputs("\nRoutings of --engine packet (--packet-routing):\n", file);
	for (const struct packet_routing *const *r = packet_routings; *r; r++) {
		args_usage(usage, sizeof usage, (*r)->name, (*r)->args);
		list_line(file, usage, (*r)->summary, (*r)->source);
		list_args(file, (*r)->args);
	}
	fputs("\nSubsets (--subset):\n", file);
	for (const char *const *name = placement_subsets; *name; name += 2)
		list_line(file, name[0], name[1], NULL);
	fputs("\nMappings (--mapping):\n", file);
	for (const char *const *name = placement_mappings; *name; name += 2)
		list_line(file, name[0], name[1], NULL);
	fputs("\nEngines (--engine):\n", file);
	for (const struct engine *const *e = engines; *e; e++)
		list_line(file, (*e)->name, (*e)->summary, (*e)->source);
}

void options_list_metrics(FILE *file)
{
	char usage[100];
	fputs("Metrics (--metric, several separated by commas):\n", file);
	for (const struct metric *const *m = metrics; *m; m++) {
		if (*m != metrics[0] && metric_wants(*m) != SEEN_WEIGHTS && metric_wants(m[-1]) == SEEN_WEIGHTS)
			fputs("\nMetrics of --engine flow (latency also of --engine latency):\n", file);
		args_usage(usage, sizeof usage, (*m)->name, (*m)->args);
		list_line(file, usage, (*m)->summary, (*m)->source);
		list_args(file, (*m)->args);
	}
}
