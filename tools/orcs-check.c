/* orcs-check: a routed fabric -> whether its routing is sound. */
#include "base/files.h"
#include "base/memory.h"
#include "cli/usage.h"
#include "fabric/planes.h"
#include "topologies/topology.h"
#include "formats/route_file.h"
#include "infiniband/source_options.h"
#include "tools/check/check_options.h"
#include "tools/check/check_report.h"
#include "tools/check/differences.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs-check";

/* The input, freed together. */
struct input_fabric {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report odd;
	struct virtual_lanes *lanes;
	struct source_routes *routes;
	struct rails rails;
	struct chassis_list chassis;
	char *topology; /* topology that it names; NULL: none */
	struct files files;
};

/* Finds the topology that the input names: a specification itself, a graph by an attribute. Returns 0, or -1 if out of memory. */
static int find_topology(struct input_fabric *in, const struct fabric_source *source, struct error *error)
{
	const char *spec = source->form == FORM_SPECIFICATION ? source->file[0].path
			   : in->attributes                   ? attributes_of_graph(in->attributes, "topology")
							      : NULL;
	if (spec && !(in->topology = strdup(spec)))
		return error_set(error, STATUS_IO, "out of memory");
	return spec ? topology_files(spec, &in->files, error) : 0;
}

/* Returns whether the fabric is compared with others, not checked. */
static bool compares(const struct check_options *o)
{
	return o->plan.files || o->against.files;
}

/* A host without a link is a fault, not an error. */
static int load(struct input_fabric *in, struct check_options *o, struct error *error)
{
	bool tables = !o->routes && (!compares(o) || o->against.files); /* a plan has none */
	unsigned wants = DOT_ALLOW_NO_LINK | DOT_KEEP_READ | (tables ? DOT_TABLES | DOT_KEEP_LANES | DOT_ALTERNATIVES : 0);
	FILE *notes = o->quiet ? NULL : stderr;
	if (fabric_source_load(&o->fabric, wants, &in->files, notes, &in->fabric, &in->forwarding, &in->attributes, &in->odd, error) ||
		find_topology(in, &o->fabric, error))
		return -1;
	in->odd.straight = false; /* the result reports it */
	if (o->routes)
		route_file_read(o->routes, in->fabric, &in->routes, error);
	else if (!compares(o) && in->attributes && attributes_have_lanes(in->attributes))
		virtual_lanes_load(&in->lanes, in->attributes, in->fabric, o->level == LEVEL_TOLD, error);
	if (compares(o))
		return error->status ? -1 : 0;
	if (!error->status && !fabric_rails(&in->rails, in->fabric, in->attributes, error))
		chassis_find(&in->chassis, in->fabric, in->attributes, error);
	attributes_free(in->attributes);
	in->attributes = NULL;
	return error->status ? -1 : 0;
}

static void clear(struct input_fabric *in)
{
	rails_clear(&in->rails);
	chassis_clear(&in->chassis);
	source_routes_free(in->routes);
	virtual_lanes_free(in->lanes);
	attributes_free(in->attributes);
	forwarding_free(in->forwarding);
	fabric_free(in->fabric);
	free(in->topology);
	files_clear(&in->files);
}

/* Records the inputs, and opens the output. Returns 0, or -1. */
static int open_files(struct files *files, struct output *output, struct check_options *o, struct error *error)
{
	if (fabric_source_open(&o->fabric, files, error) || (o->routes && files_read(files, o->routes, error)) ||
		differences_open(o, files, error))
		return -1;
	return files_write(files, output, o->output, error);
}

/* Checks a plane by itself; its fabric is read again. */
static int check_one(struct plane_check *result, struct check_options *o, uint32_t plane, struct error *error)
{
	struct check check = {0};
	struct input_fabric in = {0};
	o->fabric.plane = plane;
	if (!load(&in, o, error) && !check_run(&check, in.fabric, &in.rails, in.forwarding, in.routes, in.lanes, in.topology, o, error))
		*result = check_plane(&check);
	result->number = plane;
	check_clear(&check);
	clear(&in);
	o->fabric.plane = 0;
	return error->status ? -1 : 0;
}

/* Checks each plane with two hosts or more by itself, if there are several. */
static int check_planes(struct check *check, struct check_options *o, struct error *error)
{
	struct planes planes;
	struct plane_check *plane = NULL;
	uint32_t count = 0;
	bool possible =
		!o->fabric.plane && !o->routes && !source_is_standard(&o->fabric) && !(check->forwarding && check->forwarding->function);
	if (possible && !planes_find(&planes, check->fabric, error) && planes_of_pairs(&planes) > 1)
		plane = array_create(planes_of_pairs(&planes), sizeof *plane, error);
	for (uint32_t p = 0; plane && p < planes.planes && !error->status; p++)
		if (planes.hosts[p] > 1)
			check_one(&plane[count++], o, p + 1, error);
	if (possible)
		planes_clear(&planes);
	return plane && check_take_planes(check, plane, count, o, error) ? -1 : error->status ? -1 : 0;
}

/* Checks the fabric and reports. Returns whether it is sound. */
static bool check(struct input_fabric *in, struct check_options *o, FILE *file, struct error *error)
{
	static struct check check;
	if (!check_run(&check, in->fabric, &in->rails, in->forwarding, in->routes, in->lanes, in->topology, o, error) &&
		!check_planes(&check, o, error)) {
		check.hint = in->odd.hint;
		check.chassis = &in->chassis;
		check_report(o, &check, file, error);
	}
	bool sound = check.sound;
	check_clear(&check);
	return sound;
}

/* Compares the fabric and reports. Returns whether there is no difference. */
static bool compare(struct input_fabric *in, struct check_options *o, FILE *file, struct error *error)
{
	static struct differences differences;
	FILE *notes = o->quiet ? NULL : stderr;
	if (!differences_find(&differences, in->fabric, in->forwarding, in->attributes, o, &in->files, notes, error))
		differences_report(o, &differences, file, error);
	for (int i = 0; i < 2 && notes && !error->status; i++) {
		const struct fabric *other = i ? differences.changes.old : differences.plan.fabric;
		struct dot_report *odd = i ? &differences.changes.odd : &differences.plan.odd;
		odd->straight = false; /* both are compared by their tables */
		if (other)
			dot_report_write(odd, notes, program, other->labels->source, true);
	}
	bool none = differences.none;
	differences_clear(&differences);
	return none;
}

int main(int argc, char **argv)
{
	static struct check_options options;
	struct input_fabric in = {0};
	struct output output = {0};
	struct error error = {0};
	bool sound = false;
	check_options_parse(&options, argc, argv);
	if (!open_files(&in.files, &output, &options, &error) && !load(&in, &options, &error)) {
		sound = compares(&options) ? compare(&in, &options, output.file, &error) : check(&in, &options, output.file, &error);
		if (!error.status)
			output_commit(&output, &error);
	}
	if (error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	else if (!options.quiet)
		dot_report_write(&in.odd, stderr, program, in.fabric->labels->source, true);
	int status = error.status ? (int)error.status : sound ? STATUS_OK : STATUS_THRESHOLD;
	clear(&in);
	fabric_source_clear(&options.fabric);
	fabric_source_clear(&options.plan);
	fabric_source_clear(&options.against);
	output_discard(&output);
	return status;
}
