/*
 * orcs-topology: the specification of a regular topology -> its graph. Writes node by node, so arithmetic topologies of any size need
 * little memory.
 */
#include "base/files.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "topologies/pair_distances.h"
#include "topologies/topology.h"
#include "topologies/writer.h"
#include "formats/dot_numbers.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KEY_SPEED = 256,
	KEY_LATENCY,
	KEY_TABLES,
	KEY_DISTANCES,
	KEY_POS,
	KEY_LIST,
	KEY_FAIL,
	KEY_FAIL_LIST,
	KEY_FAIL_LINKS,
	KEY_FAIL_SWITCHES,
	KEY_SEED,
	KEY_KEEP
};

/* An argument of --fail or --fail-list. */
struct named {
	bool file;
	const char *text;
};

struct options {
	struct writing writing;
	const char *output;
	struct named *named; /* in the order of the command line */
	size_t names;
	struct share links, switches;
	int64_t seed; /* -1 until given */
	bool failures, keep_connected, list, verbose, distances;
};

static const char program[] = "orcs-topology";

static const struct argp_option table[] = {
	{"output-file", 'o', "OUT", 0, "Write the graph to OUT (default: standard output)", 1},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"speed", KEY_SPEED, "GBPS[/GBPS...]", 0, "Speed of all channels in Gb/s, or of each tier of cables from the hosts up", 0},
	{"latency", KEY_LATENCY, "SECONDS[/SECONDS...]", 0,
		"Latency of all channels in seconds, or of each tier of cables from the hosts up", 0},
	{"pos", KEY_POS, 0, 0, "Write positions for neato -n", 0},
	{"tables", KEY_TABLES, 0, 0, "Write forwarding sets, not the name of the routing function", 0},
	{"distances", KEY_DISTANCES, 0, 0, "Write the distances of all pairs of hosts, not the graph", 0},
	{"list", KEY_LIST, 0, 0, "List the topologies, or describe the named one", 0},
	{"verbose", 'v', 0, 0, "Report the size of the topology on standard error", 0},
	{0, 0, 0, 0, "Failures:", 2},
	{"fail", KEY_FAIL, "NODE[:PORT],...", 0, "Remove nodes, and cables by one of their ends; ports are numbered from 1", 0},
	{"fail-list", KEY_FAIL_LIST, "FILE", 0, "Remove the nodes and cables listed in FILE, one per line", 0},
	{"fail-links", KEY_FAIL_LINKS, "N|N%", 0, "Number or share of random cables to remove, except cables of hosts with one port", 0},
	{"fail-switches", KEY_FAIL_SWITCHES, "N|N%", 0, "Number or share of random switches to remove", 0},
	{"keep-connected", KEY_KEEP, 0, 0, "Skip random failures that disconnect a node", 0},
	{"seed", KEY_SEED, "S", 0, "Seed of the random failures (default: 1)", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Writes the graph of a regular topology: fat trees, tori, dragonflies and many others. SPEC is its name with parameters, for example "
	"torus:8x8x8,hosts=2; see --list. If the topology has a routing function, the graph names it, and orcs computes the routes; with "
	"--tables the graph has forwarding sets instead."
	"\vExamples:\n"
	"  orcs-topology fattree:k=8,n=3 | orcs -n 100\n"
	"  orcs-topology torus:4x4x4,hosts=2 -o torus.dot\n"
	"  orcs-topology --tables dragonfly:p=2,a=4,h=2,arrangement=relative > routed.dot\n"
	"  orcs-topology --fail-links 2% --keep-connected slimfly:q=5 > broken.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage. See orcs-topology(1), orcs-dot(5).";

/* Reads "100/200/400". */
static void read_values(const char *option, const char *text, double least, double most, struct tier_values *values)
{
	char *copy = strdup(text), *rest = copy;
	values->count = 0;
	while (rest) {
		double value = usage_positive(program, option, strsep(&rest, "/"));
		if (value < least || value > most)
			usage_error(program, "%s is '%s', not a number from %g to %g", option, text, least, most);
		if (values->count == WRITER_VALUES_MAX)
			usage_error(program, "%s: more than %d tiers", option, WRITER_VALUES_MAX);
		values->value[values->count++] = value;
	}
	free(copy);
}

static void add_failure(struct options *o, bool file, const char *text)
{
	o->named = realloc(o->named, (o->names + 1) * sizeof *o->named);
	if (!o->named)
		usage_error(program, "out of memory");
	o->named[o->names++] = (struct named){file, text};
	o->failures = true;
}

/* "S0_0:1,S1_0". */
static void add_failures(struct options *o, char *text)
{
	while (text)
		add_failure(o, false, strsep(&text, ","));
}

static void read_share(struct options *o, const char *option, const char *text, struct share *share)
{
	if (!share_read(text, share))
		usage_error(program, "%s is '%s', not a number such as 20, or a percentage from 0%% to 100%%", option, text);
	o->failures = true;
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *o = state->input;
	switch (key) {
	case 'o': o->output = text; break;
	case KEY_SPEED: read_values("--speed, in Gb/s,", text, DOT_SPEED_MIN, DOT_SPEED_MAX, &o->writing.speed); break;
	case KEY_LATENCY: read_values("--latency, in seconds,", text, 1e-12, DOT_LATENCY_MAX, &o->writing.latency); break;
	case KEY_POS: o->writing.positions = true; break;
	case KEY_DISTANCES: o->distances = true; break;
	case KEY_TABLES: o->writing.tables = true; break;
	case KEY_LIST: o->list = true; break;
	case 'v': o->verbose = true; break;
	case KEY_FAIL: add_failures(o, text); break;
	case KEY_FAIL_LIST: add_failure(o, true, text); break;
	case KEY_FAIL_LINKS: read_share(o, "--fail-links", text, &o->links); break;
	case KEY_FAIL_SWITCHES: read_share(o, "--fail-switches", text, &o->switches); break;
	case KEY_KEEP: o->keep_connected = true; break;
	case KEY_SEED: o->seed = usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_ARG:
		if (o->writing.spec)
			usage_error(program, "only one topology can be named: '%s' is one too many", text);
		o->writing.spec = text;
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp argp = {.options = table, .parser = parse_option, .args_doc = "SPEC", .doc = description};

static void list_topology(const struct topology_kind *kind)
{
	char text[400];
	args_usage(text, sizeof text, kind->name, kind->args);
	printf("  %s\n      %s [%s]\n", text, kind->summary, kind->source);
	for (const struct arg *arg = kind->args; arg->type != ARG_END; arg++) {
		arg_describe(text, sizeof text, arg);
		printf("      %s\n", text);
	}
	printf("      size: %s\n      routing: %s\n", kind->formulae, kind->routing ? kind->routing : "none");
}

static void list_topologies(void)
{
	puts("Topologies (parameters by position or name: fattree:4,3 is fattree:k=4,n=3; in sizes H is hosts, a b is a times b):");
	for (size_t i = 0; topologies[i]; i++)
		list_topology(topologies[i]);
	puts("All but graph accept parallel=N: N cables in place of each between switches.\n"
	     "Networks of networks: OUTER/INNER, for example torus:4x4/fullmesh:4,hosts=2, has a copy of INNER in place of each node of OUTER.\n"
	     "Neither of these has a routing function.");
}

/* Lists the topologies of a name, or that of a whole specification. Returns 0, or -1 if the name is unknown. */
static int list_one(const char *spec, struct error *error)
{
	for (size_t i = 0; topologies[i]; i++)
		if (strlen(topologies[i]->name) == spec_name_length(spec) && !strncmp(topologies[i]->name, spec, spec_name_length(spec))) {
			list_topology(topologies[i]);
			return 0;
		}
	topology_free(topology_create(spec, error)); /* sets the error */
	return -1;
}

static const char *plural(uint64_t count, const char *end)
{
	return count == 1 ? "" : end;
}

static void describe(const char *spec, const struct topology *topology)
{
	const struct topology_kind *kind = topology->kind;
	fprintf(stderr, "%s: %" PRIu32 " host%s, %" PRIu32 " switch%s, %" PRIu64 " channel%s", SHOWN(spec), topology->hosts,
		plural(topology->hosts, "s"), topology->switches, plural(topology->switches, "es"), topology->channels,
		plural(topology->channels, "s"));
	if (topology->routing) {
		uint32_t longest = kind->longest(topology);
		fprintf(stderr, "; routes by %s, at most %" PRIu32 " channel%s", topology->routing, longest, plural(longest, "s"));
	}
	fputs("\n", stderr);
}

/* A comma in place of an x also makes a valid specification. */
static void note_commas(const char *spec, const struct topology *topology)
{
	const char *text = spec + spec_name_length(spec) + 1;
	size_t first = strspn(text, "0123456789"), second = text[first] == ',' ? strspn(text + first + 1, "0123456789") : 0;
	const struct arg *args = topology->kind->args;
	if (args && args[0].type == ARG_DIMENSIONS && second && !strcmp(args[1].key, "hosts"))
		fprintf(stderr, "%s: note: %s has one dimension and %.*s host%s at each node; two dimensions are %.*sx%.*s\n", program,
			SHOWN(spec), (int)second, text + first + 1, second == 1 && text[first + 1] == '1' ? "" : "s", (int)first, text,
			(int)second, text + first + 1);
}

static double value_of(const struct tier_values *values, unsigned tier)
{
	return values->count ? values->value[values->count > 1 ? tier : 0] : 0;
}

/* Writes the distances of all pairs: the channels of each tier, and the latency if one is given. */
static int write_distances(const struct options *o, const struct topology *topology, FILE *file, struct error *error)
{
	struct pair_distances distances;
	const struct tier_values *latencies = &o->writing.latency;
	double pairs = 0, channels = 0, latency = 0, longest = 0;
	if (!pair_distances_find(topology, &distances, error)) {
		for (unsigned t = 0; t < topology->tiers; t++)
			fprintf(file, "tier%u,", t);
		fprintf(file, "channels%s,pairs\n", latencies->count ? ",latency" : "");
	}
	for (size_t i = 0; i < distances.count && !error->status; i++) {
		const struct pair_distance *d = &distances.list[i];
		unsigned all = 0;
		double seconds = 0;
		for (unsigned t = 0; t < topology->tiers; t++) {
			fprintf(file, "%u,", d->channels[t]);
			all += d->channels[t];
			seconds += d->channels[t] * value_of(latencies, t);
		}
		fprintf(file, "%u,", all);
		if (latencies->count)
			fprintf(file, "%.9g,", seconds);
		fprintf(file, "%" PRIu64 "\n", d->pairs);
		pairs += (double)d->pairs;
		channels += (double)d->pairs * all;
		latency += (double)d->pairs * seconds;
		longest = seconds > longest ? seconds : longest;
	}
	if (!error->status && pairs > 0) {
		fprintf(stderr, "%s: %.0f pairs, %.9g channels on average", program, pairs, channels / pairs);
		if (latencies->count)
			fprintf(stderr, ", latency %.9g s, at most %.9g s", latency / pairs, longest);
		fputs("\n", stderr);
	}
	pair_distances_clear(&distances);
	return error->status ? -1 : 0;
}

/* Fails what is named, then random switches, then random cables among the rest; reports what remains. */
static int fail(const struct options *o, struct failures *failures, const struct topology *topology, struct error *error)
{
	struct error reason = {0};
	if (failures_init(failures, topology, o->seed < 0 ? 1 : (uint64_t)o->seed, o->keep_connected, error))
		return -1;
	for (size_t i = 0; i < o->names; i++)
		if (o->named[i].file ? failures_file(failures, o->named[i].text, error)
				     : failures_name(failures, o->named[i].text, &reason) &&
					       error_set(error, reason.status, "--fail %s", reason.text))
			return -1;
	if (failures_draw_switches(failures, o->switches, error) || failures_draw_cables(failures, o->links, error) ||
		failures_count(failures, error))
		return -1;
	if (failures->hosts == topology->hosts)
		return error_set(error, STATUS_USAGE, "nothing is left of %s: no host has a cable", o->writing.spec);
	fprintf(stderr, "%s: failed: %" PRIu32 " of %" PRIu32 " switches, %" PRIu64 " of %" PRIu64 " cables", program, failures->switches,
		topology->switches, failures->cables, failures->all);
	if (failures->hosts)
		fprintf(stderr, "; hosts left out because they have no cable: %" PRIu32, failures->hosts);
	if (failures->cut_off)
		fprintf(stderr, "; hosts disconnected from the others: %" PRIu32, failures->cut_off);
	fputs("\n", stderr);
	return 0;
}

/* Records all input files. Returns 0, or -1. */
static int name_inputs(const struct options *o, struct files *files, struct error *error)
{
	topology_files(o->writing.spec, files, error);
	for (size_t i = 0; i < o->names && !error->status; i++)
		if (o->named[i].file)
			files_read(files, o->named[i].text, error);
	return error->status ? -1 : 0;
}

static int run(struct options *o, struct error *error)
{
	struct topology *topology = NULL;
	struct output output = {0};
	struct files files = {0};
	struct failures failures = {0};
	double started = now();
	if (!name_inputs(o, &files, error) && !files_write(&files, &output, o->output, error))
		topology = topology_create(o->writing.spec, error);
	if (topology && writer_fits(&o->writing, topology, error)) {
		topology_free(topology);
		topology = NULL;
	}
	if (topology)
		note_commas(o->writing.spec, topology);
	if (topology && o->verbose)
		describe(o->writing.spec, topology);
	if (topology && o->failures && !fail(o, &failures, topology, error))
		o->writing.failures = &failures;
	bool written = !error->status && !(o->distances ? write_distances(o, topology, output.file, error)
							: writer_write(&o->writing, topology, output.file, error));
	if (written && !output_commit(&output, error) && o->verbose)
		fprintf(stderr, "wrote it in %.2f s\n", now() - started);
	files_clear(&files);
	output_discard(&output);
	failures_clear(&failures);
	topology_free(topology);
	return error->status ? -1 : 0;
}

/* Rejects options that contradict each other, and missing specifications. */
static void check_options(const struct options *o)
{
	const char *spec = o->writing.spec;
	if (!spec)
		usage_error(program, "no topology: name one of 'orcs-topology --list'");
	if (!strcmp(spec, "-") || (!topology_find(spec) && !access(spec, F_OK)))
		usage_error(
			program, "'%s' is not a specification: name a topology such as torus:4x4, or a list of cables as graph:FILE", spec);
	if (o->failures && o->writing.tables)
		usage_error(program,
			"--tables does not work with failures, which the routing function does not know: route the graph with orcs-route");
	if (o->distances && (o->failures || o->writing.tables || o->writing.positions))
		usage_error(program, "--distances writes no graph: it does not work with failures, --tables and --pos");
	if (o->keep_connected && !o->failures)
		usage_error(program, "--keep-connected requires --fail-links or --fail-switches");
	if (o->seed >= 0 && !o->links.number && !o->switches.number)
		usage_error(program,
			"--seed requires --fail-links or --fail-switches; a random graph has its own seed: jellyfish:...,seed=%" PRId64,
			o->seed);
}

int main(int argc, char **argv)
{
	static struct options options = {.output = "-", .seed = -1};
	struct error error = {0};
	usage_parse(program, &argp, argc, argv, &options);
	if (!options.list)
		check_options(&options);
	if (options.list && !options.writing.spec)
		list_topologies();
	else if (options.list ? list_one(options.writing.spec, &error) : run(&options, &error))
		fprintf(stderr, "%s: %s\n", program, error.text);
	free(options.named);
	return options.list && !error.status ? usage_end(program) : (int)error.status;
}
