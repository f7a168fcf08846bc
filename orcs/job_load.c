/* The fabric of a job and its routes; in process 0 only. */
#include "base/input.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "formats/cache.h"
#include "formats/route_file.h"
#include "infiniband/source_options.h"
#include "orcs/job_planes.h"
#include "orcs/reroute.h"
#include "topologies/topology.h"

#include <inttypes.h>

static int save_fabric(struct job *job, struct error *error)
{
	double started = now();
	job->odd.straight = false; /* the cache records it */
	if (cache_write(job->cache.file, job->fabric, job->forwarding, job->attributes, &job->odd, error) ||
		output_commit(&job->cache, error))
		return -1;
	if (job->verbose)
		fprintf(job->verbose, "wrote %s in %.2f s\n", SHOWN(job->options.save), now() - started);
	if (job->options.only_save && job->notes)
		dot_report_write(&job->odd, job->notes, "orcs", job->fabric->labels->source, !job->options.ignore_speeds);
	return 0;
}

/* Records all files that are read. */
static int name_inputs(struct job *job, struct error *error)
{
	const struct options *o = &job->options;
	if (fabric_source_open(&job->options.fabric, &job->files, error))
		return -1;
	size_t fabric = job->files.count;
	job->fabric_files = o->fabric.form == FORM_SPECIFICATION ? 0 : fabric;
	if ((o->routes && files_read(&job->files, o->routes, error)) || (o->terms.file && files_read(&job->files, o->terms.file, error)) ||
		placement_files(o->subset, o->mapping, &job->files, error))
		return -1;
	struct pattern_request sent = o->pattern;
	if (o->terms.open)
		sent.spec = o->terms.sent;
	int failed = pattern_files(&sent, options_use(o), &job->files, error);
	job->named = job->files.count > fabric;
	return failed;
}

/* Returns whether the engine needs the name of the topology, an attribute of the graph. */
static bool wants_topology(const struct job *job)
{
	bool channels = false;
	for (int m = 0; m < job->metric_count; m++)
		channels |= (job->metrics[m].metric->gathers & METRIC_CHANNELS) != 0;
	return job->options.terms.topology || (job->options.terms.channels_topology && channels);
}

/* Reports the fabric. */
static void tell_fabric(const struct job *job, double seconds)
{
	const struct fabric *f = job->fabric;
	fprintf(job->verbose, "read %s in %.2f s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " channels", SHOWN(f->labels->source),
		seconds, f->hosts, f->nodes - f->hosts, f->channels);
	if (job->forwarding)
		fprintf(job->verbose, ", %" PRIu32 " forwarding tables%s", job->forwarding->columns,
			job->forwarding->function ? ", computed routing" : "");
	putc('\n', job->verbose);
}

/* Routes the fabric by --routing, and discards its own routes. */
static int route_anew(struct job *job, unsigned wants, struct error *error)
{
	const struct options *o = &job->options;
	struct rerouted rerouted;
	struct rerouting rerouting = {
		.engine = o->routing,
		.seed = o->seed,
		.all = wants & DOT_ALTERNATIVES,
		.lanes = o->terms.lanes || job->keep_all,
		.few_pairs = o->terms.few_pairs && !job->keep_all,
		.written = o->save || job_wants_graph(job),
		.files = &job->files,
	};
	if (reroute(&rerouting, job->fabric, &job->attributes, &rerouted, &job->odd, error))
		return -1;
	if (*rerouted.warning && job->notes)
		fprintf(job->notes, "orcs: note: %s\n", SHOWN(rerouted.warning));
	job->forwarding = rerouted.forwarding;
	job->routes = rerouted.routes;
	job->lanes = rerouted.lanes;
	job->demand = rerouted.demand;
	return 0;
}

int job_load(struct job *job, struct error *error)
{
	struct options *o = &job->options;
	bool keep = o->save || job_wants_graph(job) || wants_topology(job);
	unsigned wants = DOT_TABLES | (keep ? DOT_KEEP : 0) | (o->terms.lanes ? DOT_KEEP_LANES : 0) | (o->drop ? DOT_ALLOW_NO_LINK : 0) |
			 (o->multipath > MULTIPATH_FIRST ? DOT_ALTERNATIVES : 0) | (o->terms.places ? DOT_KEEP_PLACES : 0);
	if (job->keep_all)
		wants |= DOT_KEEP | DOT_KEEP_LANES | DOT_KEEP_PLACES;
	double started = now();
	if (o->checkpoint && source_is_standard(&o->fabric) && input_rewind_standard(error)) /* its bytes are compared */
		return -1;
	if (!job->plane && !name_inputs(job, error) && o->save && !files_write(&job->files, &job->cache, o->save, error) &&
		!cache_replaceable(o->save))
		error_at(error, STATUS_USAGE, o->save, 0, "the file exists and is not a cache; --save-fabric does not overwrite it");
	unsigned first = o->routing ? (wants & ~(DOT_TABLES | DOT_ALTERNATIVES)) | DOT_KEEP : wants;
	if (error->status || fabric_source_load(&o->fabric, first, &job->files, job->notes, &job->fabric, &job->forwarding,
				     &job->attributes, &job->odd, error))
		return -1;
	if (job->verbose)
		tell_fabric(job, now() - started);
	started = now();
	const char *topology = job->attributes ? attributes_of_graph(job->attributes, "topology") : NULL;
	if (topology && topology_files(topology, &job->files, error))
		return -1;
	if (!o->only_save && !job->keep_all && job_find_planes(job, error))
		return -1;
	if (job->parts)
		return 0;
	if (o->routing && route_anew(job, wants, error))
		return -1;
	if (o->routing && job->verbose)
		fprintf(job->verbose, "routed with %s in %.2f s\n", SHOWN(o->routing), now() - started);
	if (o->routes && route_file_read(o->routes, job->fabric, &job->routes, error))
		return -1;
	return o->save ? save_fabric(job, error) : 0;
}
