#include "tools/compare/own_engines.h"

#include "formats/cache.h"
#include "tools/compare/copy.h"
#include "orcs/reroute.h"
#include "formats/route_file.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "base/program.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The text of an error without the name of the fabric before it. */
static const char *reason(const struct own_setup *setup, const struct error *error)
{
	const char *label = SHOWN(setup->label); /* as errors have it */
	size_t length = strlen(label);
	bool named = !strncmp(error->text, label, length) && !strncmp(error->text + length, ": ", 2);
	return error->text + (named ? length + 2 : 0);
}

/* The engine could not: a failure of this run, or with skip off an error. */
static void note_failure(const struct own_setup *setup, struct engine_run *run, const struct error *failure, struct error *error)
{
	if (failure->status != STATUS_FABRIC)
		error_set(error, failure->status, "%s", failure->text);
	else if (!setup->skip)
		error_at(error, STATUS_FABRIC, setup->label, 0, "cannot be routed by %s: %s; --skip leaves such engines out", run->asked,
			reason(setup, failure));
	snprintf(run->failure, sizeof run->failure, "%s", reason(setup, failure));
}

/* A descriptor of what was written to a temporary file, which is closed; -1 on errors, also earlier ones. */
static int finish(FILE *file, struct error *error)
{
	int descriptor = -1;
	if (file && (fflush(file) || ferror(file) || (descriptor = dup(fileno(file))) < 0))
		error_set(error, STATUS_IO, "cannot write to a temporary file: %s", strerror(errno));
	if (file)
		fclose(file);
	return descriptor;
}

static void route(
	const struct own_setup *setup, const struct fabric *fabric, const struct attributes *attributes, struct engine_run *run, struct error *error)
{
	struct error failure = {0};
	struct route_set *routes = NULL;
	double started = now();
	FILE *file = program_file(error), *list = NULL;
	if (file && reroute_write(run->asked, setup->seed, fabric, attributes, file, &routes, &failure)) {
		note_failure(setup, run, &failure, error);
		fclose(file);
	} else if (file) {
		run->file = finish(file, error);
		snprintf(run->used, sizeof run->used, "%s", run->asked);
	}
	if (routes && (list = program_file(error))) {
		route_file_write(routes, fabric, list, error);
		run->routes = finish(list, error);
	}
	route_set_free(routes);
	if (run->file >= 0 && setup->verbose)
		fprintf(stderr, "routed by %s in %.2f s\n", SHOWN(run->asked), now() - started);
	if (run->file >= 0 && setup->keep && !error->status)
		engine_keep(setup->keep, run, setup->files, error);
}

int own_route(const struct own_setup *setup, struct engine_run *run, int count, struct error *error)
{
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	unsigned wants = DOT_KEEP | (setup->allow_no_link ? DOT_ALLOW_NO_LINK : 0);
	if (setup->keep && engine_folder(setup->keep, error))
		return -1;
	if (fabric_load(setup->path, wants, &fabric, &forwarding, &attributes, &report, error)) {
		copy_name_error(setup->path, setup->label, error);
		return -1;
	}
	fabric->labels->source = setup->label;
	for (int i = 0; i < count && !error->status; i++)
		if (strcmp(run[i].asked, ENGINE_AS_IS) != 0)
			route(setup, fabric, attributes, &run[i], error);
	attributes_free(attributes);
	forwarding_free(forwarding);
	fabric_free(fabric);
	return error->status ? -1 : 0;
}
