#include "tools/advise/advise_plane.h"

#include "fabric/planes.h"

int advise_plane_begin(
	struct advise_plane *plane, struct advise_options *options, struct files *files, FILE *notes, uint32_t number, struct error *error)
{
	const struct advise_options *o = options;
	const struct advice_setup setup = {
		.source = &options->fabric,
		.files = files,
		.pattern = o->pattern,
		.patterns = o->patterns,
		.kind = advice_kinds,
		.kinds = ADVICE_KINDS,
		.runs = o->runs,
		.seed = o->seed,
		.seconds = o->seconds,
		.ignore_speeds = o->ignore_speeds,
		.progress = !o->quiet,
		.opensm = o->opensm,
		.shifts = true,
	};
	*plane = (struct advise_plane){.options = options, .notes = notes};
	advice_begin(&plane->run, &setup, error);
	plane->run.result.plane = number;
	return error->status ? -1 : 0;
}

/* Lists the planes if there are several with pairs of hosts. */
static int find_planes(const struct fabric *fabric, uint32_t **list, uint32_t *count, struct error *error)
{
	struct planes planes;
	if (!planes_find(&planes, fabric, error) && planes_of_pairs(&planes) > 1)
		*list = planes_list(&planes, count, error);
	planes_clear(&planes);
	return error->status ? -1 : 0;
}

int advise_plane_prepare(struct advise_plane *plane, uint32_t **planes, uint32_t *count, struct error *error)
{
	struct advise_options *o = plane->options;
	struct advice_run *run = &plane->run;
	unsigned wants = DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK;
	*count = 0;
	if (fabric_source_load(&o->fabric, wants, run->setup.files, plane->notes, &plane->fabric, &plane->forwarding, &plane->attributes,
		    &plane->odd, error) ||
		(!o->fabric.plane && find_planes(plane->fabric, planes, count, error)))
		return -1;
	run->result.fabric = plane->fabric;
	if (*count)
		return 0;
	run->fabric = plane->fabric;
	run->forwarding = forwarding_is_routed(plane->forwarding, plane->fabric) ? plane->forwarding : NULL;
	run->attributes = plane->attributes;
	run->odd = plane->odd;
	advice_route(run, error);
	plane->attributes = run->attributes;
	return error->status ? -1 : 0;
}

void advise_plane_clear(struct advise_plane *plane)
{
	advice_clear(&plane->run);
	attributes_free(plane->attributes);
	forwarding_free(plane->forwarding);
	fabric_free(plane->fabric);
}
