/* orcs-topology: the name of a regular topology -> its graph. It writes node by node and keeps none, so any size takes little memory. */
#include "output.h"
#include "terminal.h"
#include "topology.h"
#include "usage.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_SPEED = 256, KEY_TABLES, KEY_LIST };

struct options {
	const char *spec, *output;
	double speed; /* Gb/s, 0: not given */
	bool tables, list, verbose;
};

/* The hosts that a node forwards, ordered by its ports. */
struct sets {
	uint32_t *port;  /* [hosts] by which it forwards to the host */
	uint32_t *first; /* [ports + 1] where the hosts of each port begin in host */
	uint32_t *host;  /* [hosts] */
	size_t capacity; /* of first */
};

static const char program[] = "orcs-topology";

static const struct argp_option table[] = {
	{"output-file", 'o', "OUT", 0, "Where the graph goes; - (the default) is standard output", 1},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"speed", KEY_SPEED, "GBPS", 0, "The speed of all channels in Gb/s", 0},
	{"tables", KEY_TABLES, 0, 0, "Write forwarding sets, instead of the name of the routing function", 0},
	{"list", KEY_LIST, 0, 0, "List the topologies", 0},
	{"verbose", 'v', 0, 0, "Say on standard error what is written", 0},
	{"help", 'h', 0, 0, "Give this help list", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print program version", -1},
	{0},
};

static const char description[] =
	"Writes the graph of a regular topology: fat trees, tori, dragonflies and many others. SPEC is its name and parameters, as "
	"torus:8x8x8,hosts=2; --list tells all. The graph carries the name of the routing function, if it has one, which orcs computes; or, "
	"with --tables, forwarding sets."
	"\vExamples:\n"
	"  orcs-topology fattree:k=8,n=3 | orcs -n 100\n"
	"  orcs-topology torus:4x4x4,hosts=2 -o torus.dot\n"
	"  orcs-topology --tables dragonfly:p=2,a=4,h=2,arrangement=relative > routed.dot\n"
	"\nExit status: 0 fine, 1 a file or the memory failed, 2 usage. See orcs-topology(1), orcs-dot(5).";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *o = state->input;
	switch (key) {
	case 'o': o->output = text; break;
	case KEY_SPEED:
		o->speed = usage_positive(program, "--speed", text);
		if (o->speed < 1e-6 || o->speed > 1e12)
			usage_error(program, "--speed is '%s', not a number from 1e-6 to 1e12", text);
		break;
	case KEY_TABLES: o->tables = true; break;
	case KEY_LIST: o->list = true; break;
	case 'v': o->verbose = true; break;
	case 'h': usage_print(program, state, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC); break;
	case '?': usage_print(program, state, ARGP_HELP_USAGE); break;
	case 'V': usage_print(program, NULL, 0); break;
	case ARGP_KEY_ARG:
		if (o->spec)
			usage_error(program, "one topology is enough: '%s' is one too many", text);
		o->spec = text;
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {.options = table, .parser = parse_option, .args_doc = "SPEC", .doc = description};

static void list_topologies(void)
{
	puts("Topologies (parameters by position or name: fattree:4,3 is fattree:k=4,n=3):");
	for (size_t i = 0; topologies[i]; i++) {
		char usage[200];
		args_usage(usage, sizeof usage, topologies[i]->name, topologies[i]->args);
		printf("  %s\n      %s [%s]\n", usage, topologies[i]->summary, topologies[i]->source);
		for (const struct arg *arg = topologies[i]->args; arg->type != ARG_END; arg++)
			printf("      %s: %s%s%s%s\n", arg->key, arg->help, arg->preset ? " (default: " : "",
				arg->preset ? arg->preset : "", arg->preset ? ")" : "");
		printf("      size: %s\n      routing: %s\n", topologies[i]->formulae,
			topologies[i]->routing ? topologies[i]->routing : "none of its own");
	}
}

/* The hosts for each port of the node: first counted, then put in their order. */
static int make_sets(struct sets *sets, const struct topology *topology, bool host, uint32_t node, struct error *error)
{
	uint32_t ports = topology->kind->ports(topology, host, node);
	if (array_grow(&sets->first, &sets->capacity, (size_t)ports + 2, sizeof *sets->first, error))
		return -1;
	memset(sets->first, 0, ((size_t)ports + 2) * sizeof *sets->first);
	for (uint32_t d = 0; d < topology->hosts; d++) {
		if (host && d == node)
			continue;
		sets->port[d] = topology->kind->next(topology, host, node, d);
		sets->first[sets->port[d] + 2]++;
	}
	for (uint32_t p = 0; p < ports; p++)
		sets->first[p + 2] += sets->first[p + 1];
	for (uint32_t d = 0; d < topology->hosts; d++)
		if (!host || d != node)
			sets->host[sets->first[sets->port[d] + 1]++] = d;
	return 0;
}

static void write_set(const struct sets *sets, const struct topology *topology, uint32_t port, FILE *file)
{
	char name[TOPOLOGY_NAME_MAX];
	for (uint32_t i = sets->first[port]; i < sets->first[port + 1]; i++) {
		topology->kind->node_name(topology, true, sets->host[i], name);
		fputs_unlocked(i == sets->first[port] ? " [comment=\"" : ",", file);
		fputs_unlocked(name, file);
	}
	if (sets->first[port] < sets->first[port + 1])
		fputs_unlocked("\"]", file);
}

/* All channels that leave the node, in the order of its ports; sets: NULL where none are wanted. */
static int write_channels(const struct topology *topology, bool host, uint32_t node, struct sets *sets, FILE *file, struct error *error)
{
	uint32_t ports = topology->kind->ports(topology, host, node);
	char start[TOPOLOGY_NAME_MAX + 10] = "\"", name[TOPOLOGY_NAME_MAX];
	topology->kind->node_name(topology, host, node, start + 1);
	strcat(start, "\" -> \"");
	bool any = sets && host && ports == 1; /* one channel for all */
	if (sets && !any && make_sets(sets, topology, host, node, error))
		return -1;
	for (uint32_t p = 0; p < ports; p++) {
		struct topology_port peer = topology->kind->peer(topology, (struct topology_port){host, node, p});
		topology->kind->node_name(topology, peer.host, peer.node, name);
		fputs_unlocked(start, file);
		fputs_unlocked(name, file);
		putc_unlocked('"', file);
		if (any)
			fputs_unlocked(" [comment=\"*\"]", file);
		else if (sets)
			write_set(sets, topology, p, file);
		fputs_unlocked(";\n", file);
	}
	return 0;
}

/* The nodes' type is a default, told once for all hosts and once for all switches. */
static void write_nodes(const struct topology *topology, bool host, FILE *file)
{
	uint32_t nodes = host ? topology->hosts : topology->switches;
	char name[TOPOLOGY_NAME_MAX];
	fprintf(file, "node [type=\"%s\"];\n", host ? "host" : "switch");
	for (uint32_t node = 0; node < nodes && !ferror_unlocked(file); node++) {
		topology->kind->node_name(topology, host, node, name);
		putc_unlocked('"', file);
		fputs_unlocked(name, file);
		fputs_unlocked("\";\n", file);
	}
}

/* A write that fails ends it early; output_commit tells. */
static int write_graph(const struct options *o, const struct topology *topology, struct sets *sets, FILE *file, struct error *error)
{
	fprintf(file, "digraph \"%s\" {\n", o->spec);
	if (!sets && topology->kind->routing)
		fprintf(file, "graph [topology=\"%s\", routing=\"%s\"];\n", o->spec, topology->kind->routing);
	if (o->speed > 0)
		fprintf(file, "edge [speed=\"%.10g\"];\n", o->speed);
	write_nodes(topology, true, file);
	write_nodes(topology, false, file);
	for (uint32_t node = 0; node < topology->hosts && !ferror_unlocked(file); node++)
		if (write_channels(topology, true, node, sets, file, error))
			return -1;
	for (uint32_t node = 0; node < topology->switches && !ferror_unlocked(file); node++)
		if (write_channels(topology, false, node, sets, file, error))
			return -1;
	fputs("}\n", file);
	return 0;
}

static void describe(const struct options *o, const struct topology *topology)
{
	const struct topology_kind *kind = topology->kind;
	fprintf(stderr, "%s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu64 " channels", o->spec, topology->hosts, topology->switches,
		topology->channels);
	if (kind->routing)
		fprintf(stderr, "; routes by %s, at most %" PRIu32 " channels", kind->routing, kind->longest(topology));
	fputs("\n", stderr);
}

static int run(const struct options *o, struct error *error)
{
	struct topology *topology = topology_create(o->spec, error);
	struct output output = {0};
	struct sets sets = {0};
	double started = now();
	if (topology && o->verbose)
		describe(o, topology);
	if (topology && o->tables && !topology->kind->routing)
		error_set(
			error, STATUS_USAGE, "%s has no routing function of its own, and so no tables: route it with orcs-route", o->spec);
	if (!error->status && o->tables && (sets.port = array_create(topology->hosts, sizeof *sets.port, error)))
		sets.host = array_create(topology->hosts, sizeof *sets.host, error);
	if (!error->status && !output_open(&output, o->output, error) &&
		!write_graph(o, topology, o->tables ? &sets : NULL, output.file, error) && !output_commit(&output, error) && o->verbose)
		fprintf(stderr, "wrote it in %.2f s\n", now() - started);
	output_discard(&output);
	free(sets.port);
	free(sets.first);
	free(sets.host);
	topology_free(topology);
	return error->status ? -1 : 0;
}

int main(int argc, char **argv)
{
	static struct options options = {.output = "-"};
	struct error error = {0};
	usage_parse(program, &argp, argc, argv, &options);
	if (options.list) {
		list_topologies();
		return usage_end(program);
	}
	if (!options.spec)
		usage_error(program, "no topology given");
	if (run(&options, &error))
		fprintf(stderr, "%s: %s\n", program, error.text);
	return (int)error.status;
}
