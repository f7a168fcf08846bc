#include "orcs/packet_job.h"

#include "base/memory.h"
#include "base/shown.h"
#include "fabric/partition.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the processes */

static void *exchange(void *data, void *const *send, const size_t *bytes, size_t *total, struct error *error)
{
	struct packet_job *job = data;
	if (comm_exchange(job->comm, send, bytes, &job->received, &job->received_room, total, error))
		return NULL;
	return job->received;
}

static uint64_t least(void *data, uint64_t number)
{
	return comm_min(((struct packet_job *)data)->comm, number);
}

static void sum(void *data, uint64_t *numbers, size_t count)
{
	comm_total(((struct packet_job *)data)->comm, numbers, count);
}

/* Gives each process its part of the nodes. */
static int cut(struct packet_job *job, struct error *error)
{
	const struct fabric *f = job->setup.fabric;
	job->part = array_create(f->nodes, sizeof *job->part, error);
	if (job->part && !comm_rank(job->comm))
		partition_make(f, job->setup.latency, (uint32_t)comm_size(job->comm), job->part, error);
	if (comm_agree(job->comm, error))
		return -1;
	comm_broadcast(job->comm, job->part, f->nodes * sizeof *job->part);
	job->peers = (struct packet_peers){
		.rank = comm_rank(job->comm),
		.count = comm_size(job->comm),
		.part = job->part,
		.data = job,
		.exchange = exchange,
		.least = least,
		.sum = sum,
	};
	job->setup.peers = &job->peers;
	return 0;
}

/* ---- making */

/* Packets must not be able to wait for each other in a circle. In the first process. */
static int check_lanes(struct packet_job *job, FILE *notes, struct error *error)
{
	struct error found = {0};
	bool checked = true;
	if (!packet_router_check(job->router, &checked, &found)) {
		if (!checked && notes)
			fprintf(notes, "orcs: note: the fabric is too large to be checked for deadlocks beforehand\n");
		return 0;
	}
	if (found.status != STATUS_FABRIC || !job->options->allow_deadlock)
		return error_set(error, found.status, "%s%s", found.text,
			found.status == STATUS_FABRIC ? " (--allow-deadlock runs it all the same)" : "");
	if (notes)
		fprintf(notes, "orcs: warning: %s\n", found.text);
	return 0;
}

/* Where the user names none: the routing by which computed routes go, with the lanes that it needs, else the tables. */
static const char *usual_routing(const struct packet_job *job)
{
	const struct computed *computed = job->routing.forwarding->computed;
	for (const struct packet_routing *const *r = packet_routings; computed && *r; r++)
		if (!strcmp((*r)->name, computed->routing))
			return (*r)->name;
	return "tables";
}

int packet_job_init(struct packet_job *job, bool together, FILE *notes, struct error *error)
{
	job->name = job->options->routing ? job->options->routing : usual_routing(job);
	struct error unsuited = {0};
	job->router = packet_router_create(job->name, &job->routing, &unsuited);
	if (unsuited.status == STATUS_FABRIC && !job->options->routing) {
		unsuited = (struct error){0};
		job->router = packet_router_create(job->name = "tables", &job->routing, &unsuited);
	}
	if (unsuited.status)
		error_set(error, unsuited.status, "%s", unsuited.text);
	if (comm_agree(job->comm, error))
		return -1;
	if (!comm_rank(job->comm) && !check_lanes(job, notes, error) && notes && *job->router->note)
		fprintf(notes, "orcs: note: %s\n", SHOWN(job->router->note));
	if (comm_agree(job->comm, error))
		return -1;
	if (together && job->router->remote)
		error_set(error, STATUS_USAGE, "%s looks at queues anywhere: one run cannot be cut between processes", job->name);
	if (comm_agree(job->comm, error) || (together && cut(job, error)))
		return -1;
	job->setup.router = job->router;
	job->engine = packet_create(&job->setup, error);
	return comm_agree(job->comm, error);
}

void packet_job_clear(struct packet_job *job)
{
	packet_free(job->engine);
	packet_router_free(job->router);
	free(job->part);
	free(job->received);
}

uint64_t packet_job_points(const struct packet_options *options)
{
	return options->loads ? options->loads : 1;
}

/* ---- running */

static uint64_t ticks(double seconds, uint64_t preset)
{
	return seconds < 0 ? preset : (uint64_t)llround(seconds * PICOSECONDS);
}

/* Halves what may be the load at which the network begins to be saturated, until it is known to a fiftieth. */
static enum run_status find_saturation(
	struct packet_job *job, struct packet_load *load, struct packet_seen *seen, double limits[2], struct error *error)
{
	const double close = 0.02, least = 1e-4, digits = 1e6;
	double low = 0, high = 1;
	struct packet_seen last = {0};
	load->load = high;
	enum run_status ending = packet_run_load(job->engine, load, seen, error);
	if (ending == RUN_FINE && !seen->saturated)
		low = high;
	while (ending == RUN_FINE && high - low > close * high && high > least) {
		load->load = round((low + high) / 2 * digits) / digits;
		ending = packet_run_load(job->engine, load, &last, error);
		job->passes += last.passes;
		*(last.saturated ? &high : &low) = load->load;
	}
	if (ending == RUN_FINE && low > 0 && low != load->load) {
		load->load = low;
		ending = packet_run_load(job->engine, load, seen, error);
	} else if (low < 1) {
		*seen = last;
	}
	limits[0] = low;
	limits[1] = high;
	return ending;
}

static enum run_status run_open(struct packet_job *job, uint64_t run, const uint32_t *host, struct observation *seen,
	struct packet_seen *packets, struct error *error)
{
	const struct packet_options *o = job->options;
	uint64_t points = packet_job_points(o);
	struct packet_load load = {
		.injection = o->injection,
		.load = o->load[run % points],
		.bytes = job->bytes,
		.ranks = job->ranks,
		.host = host,
		.crowded = job->crowded,
		.run = run / points,
		.warmup = ticks(o->warmup, NEVER),
		.measure = ticks(o->measure, 0),
		.drain = ticks(o->drain, NEVER),
	};
	struct traffic_setup setup = {
		.fabric = job->setup.fabric,
		.topology = job->routing.topology,
		.ranks = job->ranks,
		.host = host,
		.seed = job->setup.seed,
		.run = run / points,
	};
	struct traffic_call *traffic = traffic_create(o->traffic, job->pattern, &setup, error);
	if (!traffic)
		return RUN_FAILED;
	load.traffic = traffic;
	enum run_status ending = o->saturation ? find_saturation(job, &load, packets, seen->saturation, error)
					       : packet_run_load(job->engine, &load, packets, error);
	traffic_free(traffic);
	return ending;
}

enum run_status packet_job_run(struct packet_job *job, uint64_t run, const struct task_graph *graph, const uint32_t *host,
	struct observation *seen, struct error *error)
{
	job->router->setup.run = run / packet_job_points(job->options);
	if (job->routing.multipath)
		job->routing.multipath->run = job->router->setup.run;
	enum run_status ending = graph ? packet_run_graph(job->engine, graph, host, &job->times, &job->packets, error)
				       : run_open(job, run, host, seen, &job->packets, error);
	job->packets.cycles = job->options->cycles;
	job->passes += job->packets.passes;
	seen->packets = &job->packets;
	seen->topology = job->routing.topology;
	seen->times = graph ? &job->times : NULL;
	return ending;
}
