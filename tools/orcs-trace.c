/* orcs-trace: a routed fabric -> the routes of a pair of nodes, or who uses a cable. */
#include "base/memory.h"
#include "cli/usage.h"
#include "formats/dot.h"
#include "tools/trace/host_groups.h"
#include "tools/trace/trace_report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char program[] = "orcs-trace";

/* Counts who uses the channels of all routes that were found. */
static int count_uses(struct pair_trace *trace, const struct trace_network *n, const struct jobs *jobs, struct error *error)
{
	const struct pair_routes *r = trace->direction;
	bool *seen = array_create(n->fabric->channels, sizeof *seen, error);
	trace->use = array_create(r[0].hops + r[1].hops, sizeof *trace->use, error);
	for (int i = 0; i < 2 && !error->status; i++)
		for (size_t h = 0; h < r[i].hops; h++) {
			uint32_t c = r[i].hop[h].channel;
			if (c == NONE || seen[c])
				continue;
			seen[c] = true;
			trace->use[trace->uses++].channel = c;
		}
	free(seen);
	return error->status ? -1 : channel_use_count(trace->use, trace->uses, n->fabric, n->forwarding, NULL, jobs, false, error);
}

/* Traces a pair in both directions. Returns whether both have a route. */
static bool trace_pair(struct trace_network *n, struct trace_options *o, const struct jobs *jobs, FILE *file, struct error *error)
{
	struct pair_trace trace = {0};
	struct trace_end end[2];
	bool there = true;
	if (!trace_ends_find(n, o, end, error))
		for (int i = 0; i < 2 && !error->status; i++)
			pair_routes_find(&trace.direction[i], n, &end[i], &end[!i], o->most, error);
	for (int i = 0; i < 2; i++)
		for (uint32_t r = 0; r < trace.direction[i].routes; r++)
			there &= trace.direction[i].route[r].end == ROUTE_ENDS_THERE;
	if (!error->status && (!o->share || !count_uses(&trace, n, jobs, error)))
		pair_trace_report(o, n, &trace, file, error);
	for (int i = 0; i < 2; i++)
		pair_routes_clear(&trace.direction[i]);
	channel_use_clear(trace.use, trace.uses);
	free(trace.use);
	return there;
}

/* Counts who uses both channels of a cable. */
static void trace_channel(struct trace_network *n, struct trace_options *o, const struct jobs *jobs, FILE *file, struct error *error)
{
	struct channel_trace trace = {.channels = 1};
	struct host_groups groups = {0};
	uint32_t channel = trace_channel_find(n, o->channel, error);
	uint32_t *reverse = channel == NONE ? NULL : fabric_reverse(n->fabric, error);
	if (!reverse)
		return;
	trace.use[0].channel = channel;
	if (reverse[channel] != NONE)
		trace.use[trace.channels++].channel = reverse[channel];
	free(reverse);
	bool by_job = o->group == GROUP_JOB;
	if (!by_job)
		host_groups_find(&groups, n->fabric, n->attributes, o->group, error);
	trace.group = by_job ? (const char *const *)jobs->id : groups.name;
	if (!error->status && !channel_use_count(trace.use, trace.channels, n->fabric, n->forwarding, groups.of, jobs, by_job, error))
		channel_trace_report(o, n, &trace, file, error);
	channel_use_clear(trace.use, trace.channels);
	host_groups_clear(&groups);
}

/* Refuses a fabric without any route. Returns 0, or -1. */
static int check_routed(const struct trace_network *n, struct error *error)
{
	const struct fabric *f = n->fabric;
	for (uint32_t v = 0; v < f->nodes && n->forwarding; v++)
		if (f->first_channel[v] < f->first_channel[v + 1] && forwarding_any(n->forwarding, v))
			return 0;
	return n->forwarding ? error_at(error, STATUS_FABRIC, f->labels->source, 0, "%s", n->odd.hint ? n->odd.hint : DOT_UNROUTED) : 0;
}

int main(int argc, char **argv)
{
	static struct trace_options options;
	struct trace_network network = {0};
	struct jobs jobs = {0};
	struct output output = {0};
	struct error error = {0};
	bool there = true;
	trace_options_parse(&options, argc, argv);
	struct trace_options *o = &options;
	FILE *notes = o->quiet ? NULL : stderr;
	if (!fabric_source_open(&o->fabric, &network.files, &error) && !(o->routes && files_read(&network.files, o->routes, &error)) &&
		!(o->jobs && files_read(&network.files, o->jobs, &error)) && !files_write(&network.files, &output, o->output, &error) &&
		!trace_network_load(&network, o, notes, &error) && !check_routed(&network, &error) &&
		!(o->jobs && jobs_read(&jobs, o->jobs, network.fabric, notes, program, &error))) {
		if (o->channel)
			trace_channel(&network, o, o->jobs ? &jobs : NULL, output.file, &error);
		else
			there = trace_pair(&network, o, o->jobs ? &jobs : NULL, output.file, &error);
		if (!error.status)
			output_commit(&output, &error);
	}
	if (error.status)
		fprintf(stderr, "%s: %s\n", program, error.text);
	else if (notes)
		dot_report_write(&network.odd, notes, program, network.fabric->labels->source, false);
	int status = error.status ? (int)error.status : there ? STATUS_OK : STATUS_THRESHOLD;
	jobs_clear(&jobs);
	trace_network_clear(&network);
	fabric_source_clear(&o->fabric);
	output_discard(&output);
	return status;
}
