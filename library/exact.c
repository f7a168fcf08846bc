/* What is computed of a network without runs: exact loads, and whether the routing is sound. */
#include "library/library.h"

#include "base/memory.h"
#include "fabric/chassis.h"
#include "fabric/loads.h"
#include "infiniband/fabric_rails.h"
#include "tools/check/check_report.h"

#include <stdlib.h>
#include <string.h>

/* Places a rank on every host. */
static int place_all(struct placement *placement, const struct fabric *fabric, struct error *error)
{
	*placement = (struct placement){.ranks = fabric->hosts, .host = array_create(fabric->hosts, sizeof *placement->host, error)};
	for (uint32_t h = 0; placement->host && h < fabric->hosts; h++)
		placement->host[h] = h;
	return placement->host ? 0 : -1;
}

/* Refuses a network without tables. */
static int check_routed(const orcs_network *network, struct error *error)
{
	const struct job *job = &network->job;
	if (job->routes || forwarding_is_routed(job->forwarding, job->fabric))
		return 0;
	return error_at(error, STATUS_FABRIC, network->name, 0, "the fabric is not routed: route it, for example with minhop");
}

const double *orcs_loads(orcs_network *network, uint64_t *unreachable, orcs_error *to)
{
	struct error error = {0};
	struct job *job = &network->job;
	struct placement placement = {0};
	struct pair_loads loads = {0};
	struct comm *comm = NULL;
	if (!network->loads && !check_routed(network, &error) && !place_all(&placement, job->fabric, &error) &&
		(comm = comm_create(&error))) {
		job->comm = comm;
		job->odd.straight = false;
		if (!job_make_multipath(job, &error) &&
			!exact_loads_count(&loads, comm, job->fabric, job->forwarding, job->multipath, &placement, &error))
			network->loads = array_create(job->fabric->channels, sizeof *network->loads, &error);
		for (uint32_t c = 0; network->loads && c < job->fabric->channels; c++)
			network->loads[c] = (double)loads.load[c] * loads.unit;
		network->unreachable = loads.unreachable;
		route_choice_free(job->multipath);
		job->multipath = NULL;
		job->comm = NULL;
	}
	pair_loads_clear(&loads);
	placement_clear(&placement);
	comm_free(comm);
	if (unreachable)
		*unreachable = network->unreachable;
	return give_error(&error, to) ? NULL : network->loads;
}

int orcs_load_moments(orcs_network *network, const char *pattern, double *mean, double *variance, orcs_error *to)
{
	struct error error = {0};
	const struct job *job = &network->job;
	struct loads loads = {0};
	int traffic = 0;
	while (random_traffic_names[traffic] && strcmp(random_traffic_names[traffic], pattern) != 0)
		traffic++;
	if (!random_traffic_names[traffic])
		error_set(&error, STATUS_USAGE, "the pattern '%s' has no exact loads: bisect, bisect_fb_sym and rand have", pattern);
	else if (job->routes)
		error_at(
			&error, STATUS_FABRIC, network->name, 0, "its pairs have several source routes, whose loads are not known exactly");
	else if (job->fabric->hosts < 2)
		error_at(&error, STATUS_FABRIC, network->name, 0, "it has a single host");
	else if (!check_routed(network, &error) && !loads_count(&loads, job->fabric, job->forwarding, &error))
		for (uint32_t c = 0; c < job->fabric->channels; c++) {
			if (mean)
				mean[c] = load_mean(&loads.load[c], job->fabric->hosts, (enum random_traffic)traffic);
			if (variance)
				variance[c] = load_variance(&loads.load[c], job->fabric->hosts, (enum random_traffic)traffic);
		}
	loads_clear(&loads);
	return give_error(&error, to);
}

/* ---- soundness */

static void parse_check(void *options, int count, char **words)
{
	check_options_parse(options, count, words);
}

/* What orcs-check knows of the fabric beside its routes. */
struct surroundings {
	struct rails rails;
	struct chassis_list chassis;
	struct virtual_lanes *lanes;
};

static int look_around(struct surroundings *around, const struct job *job, const struct check_options *o, struct error *error)
{
	bool own_lanes = !job->lanes && !job->routes && job->attributes && attributes_have_lanes(job->attributes);
	if (own_lanes && virtual_lanes_load(&around->lanes, job->attributes, job->fabric, o->level == LEVEL_TOLD, error))
		return -1;
	return fabric_rails(&around->rails, job->fabric, job->attributes, error) ||
			       chassis_find(&around->chassis, job->fabric, job->attributes, error)
		       ? -1
		       : 0;
}

/* Checks, and writes the report. Returns whether the routing is sound. */
static bool check(const orcs_network *network, const struct check_options *o, struct text_file *text, struct error *error)
{
	const struct job *job = &network->job;
	const char *topology = fabric_source_spec(&job->options.fabric);
	struct surroundings around = {0};
	struct check *check = array_create(1, sizeof *check, error);
	if (!topology && job->attributes)
		topology = attributes_of_graph(job->attributes, "topology");
	if (check && !look_around(&around, job, o, error) &&
		!check_run(check, job->fabric, &around.rails, job->routes ? NULL : job->forwarding, job->routes,
			job->lanes ? job->lanes : around.lanes, topology, o, error)) {
		check->hint = job->odd.hint;
		check->chassis = &around.chassis;
		check_report(o, check, text->file, error);
	}
	bool sound = check && check->sound;
	if (check)
		check_clear(check);
	free(check);
	virtual_lanes_free(around.lanes);
	rails_clear(&around.rails);
	chassis_clear(&around.chassis);
	return sound;
}

int orcs_check(orcs_network *network, const char *require, const char **report, orcs_error *to)
{
	struct error error = {0};
	struct words words = {0};
	struct check_options *options = array_create(1, sizeof *options, &error);
	struct text_file text = {0};
	bool sound = false;
	if (options && !words_add(&words, "orcs-check", NULL, &error) && !words_add(&words, network->name, NULL, &error) &&
		!words_add(&words, "--format", "json", &error) &&
		!words_add(&words, "--require", require ? require : "routable,deadlock-free", &error))
		read_words(parse_check, options, &words, &error);
	if (!error.status && !text_file_open(&text, &error)) {
		sound = check(network, options, &text, &error);
		free(network->check);
		network->check = text_end(&text, &error);
	}
	if (options)
		fabric_source_clear(&options->fabric);
	free(options);
	words_clear(&words);
	if (report)
		*report = network->check;
	return give_error(&error, to) ? -1 : sound;
}
