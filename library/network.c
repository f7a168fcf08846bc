/* Networks: a fabric with its routes. */
#include "library/library.h"

#include "base/memory.h"
#include "fabric/planes.h"
#include "fabric/walk.h"
#include "orcs/reroute.h"

#include <stdlib.h>
#include <string.h>

int network_describe(orcs_network *network, struct error *error)
{
	const struct fabric *f = network->job.fabric;
	const struct fabric_labels *labels = f->labels;
	network->node = array_create(f->nodes, sizeof *network->node, error);
	network->channel = array_create(f->channels, sizeof *network->channel, error);
	network->name = copy_of(labels->source, error);
	if (error->status)
		return -1;
	for (uint32_t v = 0; v < f->nodes; v++) {
		network->node[v] = (orcs_node){
			labels->name[v], labels->desc[v], labels->guid[v], labels->lid[v], f->node_host[v], f->first_channel[v]};
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			network->channel[c] = (orcs_channel){v, f->head[c], labels->port[c], labels->peer_port[c],
				f->slowest > 0 ? f->speed[c] * f->slowest : 0, f->latency ? f->latency[c] : 0};
	}
	return 0;
}

orcs_network *network_create(struct words *words, struct error *error)
{
	orcs_network *network = array_create(1, sizeof *network, error);
	struct job *job = network ? &network->job : NULL;
	if (!network) {
		words_clear(words);
		return NULL;
	}
	network->words = *words;
	*words = (struct words){0};
	if (!read_options(&job->options, &network->words, error) && !notes_open(&network->notes, error)) {
		job->notes = network->notes.text.file;
		job->keep_all = true;
		return network;
	}
	orcs_network_free(network);
	return NULL;
}

/* Refuses options of the runs. */
static int check_words(const char *const *words, struct error *error)
{
	static const char *const known[] = {"fail", "topology", "lft", "sl2vl", "service-levels", "node-name-map", "plane", "routing",
		"routes", "multipath", "unroutable", "seed"};
	for (; *words; words++) {
		bool found = strncmp(*words, "--", 2) != 0;
		for (size_t i = 0; !found && i < sizeof known / sizeof *known; i++)
			found = strcspn(*words + 2, "=") == strlen(known[i]) && !strncmp(*words + 2, known[i], strlen(known[i]));
		if (!found)
			return error_set(error, STATUS_USAGE, "'%.*s' is not an option of a fabric; set those of runs with orcs_set()",
				(int)strcspn(*words, "="), *words);
	}
	return 0;
}

orcs_network *orcs_load_words(const char *const *words, orcs_error *to)
{
	struct error error = {0};
	struct words all = {0};
	orcs_network *network = NULL;
	if (!check_words(words, &error) && !words_add(&all, "orcs", NULL, &error) && !words_append(&all, words, &error))
		network = network_create(&all, &error);
	words_clear(&all);
	if (network && !job_load(&network->job, &error) && !network_describe(network, &error))
		dot_report_write(&network->job.odd, network->job.notes, "orcs", network->job.fabric->labels->source, true);
	if (error.status) {
		orcs_network_free(network);
		network = NULL;
	}
	give_error(&error, to);
	return network;
}

orcs_network *orcs_load(const char *fabric, orcs_error *error)
{
	return orcs_load_words((const char *const[]){fabric, NULL}, error);
}

void orcs_network_free(orcs_network *network)
{
	if (!network)
		return;
	struct job *job = &network->job;
	job_clear(job);
	options_clear(&job->options);
	fabric_source_clear(&job->options.fabric);
	network_forget_routes(network);
	if (network->named)
		node_names_clear(&network->names);
	words_clear(&network->words);
	notes_close(&network->notes);
	free(network->name);
	free(network->routed_by);
	free(network->node);
	free(network->channel);
	for (size_t i = 0; i < network->olds; i++)
		free(network->old[i].loads);
	free(network->old);
	free(network->loads);
	free(network->check);
	free(network);
}

/* ---- what it has */

const char *orcs_network_name(const orcs_network *network)
{
	return network->name;
}

const char *orcs_network_notes(const orcs_network *network)
{
	return notes_text((struct notes *)&network->notes);
}

const orcs_node *orcs_nodes(const orcs_network *network, uint32_t *count)
{
	*count = network->job.fabric->nodes;
	return network->node;
}

const orcs_channel *orcs_channels(const orcs_network *network, uint32_t *count)
{
	*count = network->job.fabric->channels;
	return network->channel;
}

const uint32_t *orcs_hosts(const orcs_network *network, uint32_t *count)
{
	*count = network->job.fabric->hosts;
	return network->job.fabric->host_node;
}

uint32_t orcs_find(orcs_network *network, const char *name, orcs_error *to)
{
	struct error error = {0};
	char hint[NODE_HINT_SIZE];
	uint32_t node = ORCS_NONE;
	if (network->named || !node_names_init(&network->names, network->job.fabric, NODES_ALL, &error)) {
		network->named = true;
		node = node_names_find(&network->names, name, strlen(name));
		if (node == NAME_NONE || node == NODE_AMBIGUOUS) {
			error_at(&error, STATUS_USAGE, network->name, 0, "%s '%s'%s",
				node == NAME_NONE ? "there is no node" : "several nodes are called", name,
				node_names_hint(&network->names, name, strlen(name), hint));
			node = ORCS_NONE;
		}
	} else {
		node_names_clear(&network->names);
	}
	give_error(&error, to);
	return node;
}

/* ---- routes */

static void free_routes(struct old_routes *old)
{
	forwarding_free(old->forwarding);
	source_routes_free(old->routes);
	virtual_lanes_free(old->lanes);
	old->forwarding = NULL;
	old->routes = NULL;
	old->lanes = NULL;
}

void network_forget_routes(orcs_network *network)
{
	for (size_t i = 0; i < network->olds; i++)
		free_routes(&network->old[i]);
}

int network_take_routes(orcs_network *network, const struct rerouted *rerouted, const char *engine, uint64_t seed, struct error *error)
{
	struct job *job = &network->job;
	struct old_routes mine = {rerouted->forwarding, rerouted->routes, rerouted->lanes, NULL};
	char *name = copy_of(engine, error);
	if (!name || array_grow(&network->old, &network->old_capacity, network->olds + 1, sizeof *network->old, error)) {
		free(name);
		free_routes(&mine);
		return -1;
	}
	network->old[network->olds++] = (struct old_routes){job->forwarding, job->routes, job->lanes, network->loads};
	job->forwarding = rerouted->forwarding;
	job->routes = rerouted->routes;
	job->lanes = rerouted->lanes;
	job->demand = rerouted->demand;
	network->loads = NULL;
	free(network->routed_by);
	network->routed_by = name;
	network->seed = seed;
	if (!network->experiments)
		network_forget_routes(network);
	return 0;
}

int orcs_route(orcs_network *network, const char *engine, uint64_t seed, orcs_error *to)
{
	struct error error = {0};
	struct job *job = &network->job;
	struct rerouted rerouted;
	struct rerouting rerouting = {
		.engine = engine,
		.seed = seed,
		.all = job->options.multipath > MULTIPATH_FIRST,
		.lanes = true,
		.files = &job->files,
	};
	if (!reroute(&rerouting, job->fabric, &job->attributes, &rerouted, &job->odd, &error) &&
		!network_take_routes(network, &rerouted, engine, seed, &error) && *rerouted.warning)
		fprintf(job->notes, "orcs: note: %s\n", rerouted.warning);
	return give_error(&error, to);
}

int orcs_walk(const orcs_network *network, uint32_t source, uint32_t destination, uint32_t *channel, uint32_t room, orcs_error *to)
{
	struct error error = {0};
	const struct fabric *f = network->job.fabric;
	const struct forwarding *forwarding = network->job.forwarding;
	int hops = -1;
	uint32_t *route = array_create(f->nodes, sizeof *route, &error);
	if (source >= f->hosts || destination >= f->hosts)
		error_at(&error, STATUS_USAGE, network->name, 0, "the hosts are numbered from 0 to %u", f->hosts - 1);
	else if (network->job.routes)
		error_at(&error, STATUS_USAGE, network->name, 0, "its pairs have several source routes, which are not walked");
	else if (route && source != destination)
		hops = walk_route(f, forwarding, source, destination, route);
	else if (route)
		hops = 0;
	if (hops < 0 && !error.status)
		walk_explain(f, forwarding, source, destination, &error);
	else if (hops > 0 && (uint32_t)hops > room)
		error_set(&error, STATUS_USAGE, "the route has %d channels, more than there is room for", hops);
	else if (hops > 0)
		memcpy(channel, route, (size_t)hops * sizeof *channel);
	free(route);
	return give_error(&error, to) ? -1 : hops;
}
