#include "compare/own_engines.h"

#include "base/files.h"
#include "base/program.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "formats/route_file.h"
#include "orcs/reroute.h"
#include "compare/copy.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Returns the text of an error without the leading name of the fabric, unless it includes a line number. */
static const char *reason(const struct error *error)
{
	return error->text + (error->line ? 0 : error->reason);
}

/* Records the reason of an engine that cannot route the fabric; other failures are errors. */
static void note_failure(struct engine_run *run, const struct error *failure, struct error *error)
{
	if (failure->status != STATUS_FABRIC)
		error_set(error, failure->status, "%s", failure->text);
	snprintf(run->failure, sizeof run->failure, "%s", reason(failure));
}

/* The kept files of an engine. */
struct kept {
	struct output graph, routes;
};

static void discard(struct kept *kept)
{
	output_discard(&kept->graph);
	output_discard(&kept->routes);
}

/* Writes and commits them. */
static int commit(
	struct kept *kept, const struct own_setup *setup, const struct engine_run *run, const struct fabric *fabric, struct error *error)
{
	if (output_commit(&kept->graph, error))
		return -1;
	if (!run->routes)
		return 0;
	if (engine_open(&kept->routes, setup->keep, run, "routes", setup->files, error) ||
		route_file_write(run->routes, fabric, kept->routes.file, error))
		return -1;
	return output_commit(&kept->routes, error);
}

static void route(const struct own_setup *setup, struct fabric *fabric, struct attributes *attributes, const struct dot_report *report,
	struct engine_run *run, struct error *error)
{
	struct error failure = {0};
	struct rerouted made;
	struct kept kept = {0};
	double started = now();
	if (setup->keep && engine_open(&kept.graph, setup->keep, run, "dot", setup->files, error))
		return;
	struct rerouting rerouting = {.engine = run->asked,
		.seed = setup->seed,
		.all = setup->all,
		.files = setup->files,
		.graph = setup->keep ? kept.graph.file : NULL};
	run->odd = *report;
	if (reroute(&rerouting, fabric, &attributes, &made, &run->odd, &failure)) {
		note_failure(run, &failure, error);
		discard(&kept);
		return;
	}
	run->forwarding = made.forwarding;
	run->routes = made.routes;
	run->hash = fabric->labels->hash;
	run->by_opensm = made.opensm;
	if (*made.warning && setup->oddities)
		fprintf(setup->oddities, "%s: note: %s: %s\n", setup->source->program, SHOWN(run->asked), SHOWN(made.warning));
	snprintf(run->used, sizeof run->used, "%s", made.fallback ? made.fallback : run->asked);
	if (setup->notes)
		fprintf(setup->notes, "routed by %s in %.2f s\n", SHOWN(run->asked), now() - started);
	if (setup->keep)
		commit(&kept, setup, run, fabric, error);
	discard(&kept);
}

int own_route(const struct own_setup *setup, struct engine_run *run, int count, struct error *error)
{
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	unsigned wants = DOT_KEEP | (setup->allow_no_link ? DOT_ALLOW_NO_LINK : 0);
	if (fabric_source_load(setup->source, wants, setup->files, setup->oddities, &fabric, &forwarding, &attributes, &report, error)) {
		copy_name_error(setup->source, setup->label, error);
		return -1;
	}
	fabric->labels->source = setup->label;
	bool whole = !comparison_find_planes(setup->comparison, fabric, error) && !setup->comparison->planes;
	if (whole && setup->keep)
		engine_folder(setup->keep, error);
	for (int i = 0; i < count && whole && !error->status; i++)
		if (strcmp(run[i].asked, ENGINE_AS_IS) != 0)
			route(setup, fabric, attributes, &report, &run[i], error);
	attributes_free(attributes);
	forwarding_free(forwarding);
	fabric_free(fabric);
	return error->status ? -1 : 0;
}
