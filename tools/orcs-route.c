/* orcs-route: a fabric -> the fabric with the forwarding tables of a routing engine. */
#include "base/files.h"
#include "base/memory.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "topologies/topology.h"
#include "routings/routing.h"
#include "shapes/fat_tree.h"
#include "fabric/node_list.h"
#include "fabric/planes.h"
#include "fabric/whole_fabric.h"
#include "formats/route_dot.h"
#include "formats/route_file.h"
#include "infiniband/source_options.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
	KEY_LANES = 256,
	KEY_SEED,
	KEY_ROOTS,
	KEY_COMPUTE,
	KEY_IO,
	KEY_CONNECT,
	KEY_LENIENT,
	KEY_ROUTES,
	KEY_ALLOW,
	KEY_LIST,
	KEY_LIST_ROOTS,
	KEY_QUIET,
	PAIRS_TOLD = 10,
	NAMES_TOLD = 3
};

struct options {
	const char *engine, *output, *roots, *routes;
	char *parameters; /* of the engine, which options add; NULL: none */
	char *spec;       /* the engine with them; NULL: without */
	struct fabric_source fabric;
	unsigned lanes;
	uint64_t seed;
	bool allow_unreachable, list, list_roots, quiet, verbose;
};

/* The objects of a run. */
struct work {
	struct fabric *fabric;
	struct forwarding *forwarding; /* stays NULL */
	struct attributes *attributes;
	struct routing_graph graph;
	struct routed routed;
	uint32_t *roots;
	uint32_t root_count;
	struct files files;
};

static const char program[] = "orcs-route";

static const struct argp_option table[] = {
	{"output-file", 'o', "OUT", 0, "Write the graph to OUT (default: standard output)", 1},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"routes", KEY_ROUTES, "FILE", 0, "Write the source routes of the engine to FILE, see orcs-routes(5); -: standard output", 0},
	{"roots", KEY_ROOTS, "SWITCHES", 0,
		"Root switches for updn and ftree, by name, GUID, LID or description, or a file of them as opensm -a takes; auto: the top of the fat "
		"tree, reported (default: found by the engine)",
		0},
	{"compute-nodes", KEY_COMPUTE, "HOSTS", 0, "Compute nodes for OpenSM's ftree, sssp and dfsssp, as opensm -u", 0},
	{"io-nodes", KEY_IO, "HOSTS", 0, "I/O nodes for OpenSM's ftree, sssp and dfsssp, as opensm -G", 0},
	{"connect-roots", KEY_CONNECT, 0, 0, "Connect the roots to each other in updn, dnup and ftree of OpenSM, as opensm -z", 0},
	{"lenient", KEY_LENIENT, 0, 0, "Use OpenSM's fallback, minhop, where it refuses the engine", 0},
	{"list-roots", KEY_LIST_ROOTS, 0, 0, "Write the roots of --roots auto, their GUIDs or names, to OUT; the only argument is FABRIC",
		0},
	{"virtual-lanes", KEY_LANES, "N", 0, "Use at most N virtual lanes, 1 to 15 (default: 8)", 0},
	{"lanes", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"seed", KEY_SEED, "N", 0, "Seed of engines that use random numbers (default: 1)", 0},
	{"allow-unreachable", KEY_ALLOW, 0, 0, "Write the graph even if pairs of hosts lack routes", 0},
	{"list", KEY_LIST, 0, 0, "List the routing engines, or describe ENGINE", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress notes on standard error", 0},
	{"verbose", 'v', 0, 0, "Report steps and times on standard error", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{0, 'R', "ENGINE", OPTION_HIDDEN, 0, 0}, /* as in other programs of orcs */
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Routes a fabric: reads it, routed or not, computes the forwarding tables of a routing engine, and writes the graph with them. "
	"Some engines compute source routes instead, several per pair of hosts, written to a separate file. "
	"ENGINE is a name with optional parameters, for example dor:ties=random; see --list. FABRIC is a dot graph, a cache, dumps, or the "
	"specification of a topology, for example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-topology torus:8x8x8,hosts=2 | orcs-route dor | orcs -n 100\n"
	"  orcs-route --roots spine1,spine2 updn fabric.dot -o updn.dot\n"
	"  orcs-route --virtual-lanes 4 nue fabric.dot | orcs-check\n"
	"  orcs-route updn slimfly:q=5 -o slimfly.dot\n"
	"  orcs-route --routes fabric.routes ksp:8 fabric.dot -o graph.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used or routed. See orcs-route(1).";

/* Options that are parameters of the engine; its table has them, and refuses others. Commas between names would end a parameter. */
static void add_parameter(struct options *o, const char *key, const char *value)
{
	char *all = NULL, *end;
	if (asprintf(&all, "%s%s%s%s", o->parameters ? o->parameters : "", o->parameters ? "," : "", key, value) < 0)
		usage_fail(program, &(struct error){.status = STATUS_IO, .text = "out of memory"});
	for (end = all + strlen(all) - strlen(value); *end; end++)
		if (*end == ',')
			*end = '+';
	free(o->parameters);
	o->parameters = all;
}

/* Adds them to the engine. */
static void make_spec(struct options *o)
{
	if (asprintf(&o->spec, "%s%c%s", o->engine, strchr(o->engine, ':') ? ',' : ':', o->parameters) < 0)
		usage_fail(program, &(struct error){.status = STATUS_IO, .text = "out of memory"});
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *o = state->input;
	switch (key) {
	case 'o': o->output = text; break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->fabric; break;
	case KEY_ROOTS: o->roots = text; break;
	case KEY_COMPUTE: add_parameter(o, "compute-nodes=", text); break;
	case KEY_IO: add_parameter(o, "io-nodes=", text); break;
	case KEY_CONNECT: add_parameter(o, "connect-roots", ""); break;
	case KEY_LENIENT: add_parameter(o, "lenient", ""); break;
	case KEY_ROUTES: o->routes = text; break;
	case KEY_LANES: o->lanes = (unsigned)usage_integer(program, "--virtual-lanes", text, 1, ROUTING_LANES_MAX); break;
	case KEY_SEED: o->seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case KEY_ALLOW: o->allow_unreachable = true; break;
	case KEY_LIST: o->list = true; break;
	case KEY_LIST_ROOTS: o->list_roots = true; break;
	case KEY_QUIET: o->quiet = true; break;
	case 'v': o->verbose = true; break;
	case 'R': usage_error(program, "name the engine as the first argument, without -R: orcs-route %s FABRIC", text);
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_ARG:
		if (!o->engine && !o->list_roots)
			o->engine = text;
		else
			source_argument(&o->fabric, text);
		break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {SOURCE_CHILD(2), {0}};
static const struct argp argp = {
	.options = table, .parser = parse_option, .args_doc = "ENGINE [FABRIC]\nENGINE DUMP...", .doc = description, .children = children};

static void list_engine(const struct routing *routing)
{
	static const struct arg none = {.type = ARG_END};
	char usage[200];
	args_usage(usage, sizeof usage, routing->name, routing->args);
	printf("  %s\n      %s [%s]\n      needs: %s\n", usage, routing->summary, routing->source, routing->needs);
	for (const struct arg *arg = routing->args ? routing->args : &none; arg->type != ARG_END; arg++) {
		printf("      %s: %s", arg->key, arg->help);
		if (arg->preset && *arg->preset)
			printf(" (default: %s)", arg->preset);
		putchar('\n');
	}
}

/* Lists all engines, or the engine of the specification. Returns the exit status. */
static int list_engines(const struct options *o)
{
	struct error error = {0};
	const struct routing *only = o->engine ? routing_find(o->engine, &error) : NULL;
	if (o->fabric.files)
		usage_error(program, "--list takes one engine: '%s' is one too many", o->fabric.file[0].path);
	if (error.status) {
		fprintf(stderr, "%s: %s\n", program, error.text);
		return (int)error.status;
	}
	for (int opensm = 1; opensm >= 0; opensm--) {
		if (!only || only->opensm == opensm)
			puts(opensm ? "Engines of OpenSM 3.3.23, with its tables:" : "Engines of orcs:");
		for (size_t i = 0; routings[i]; i++)
			if (routings[i]->opensm == opensm && (!only || routings[i] == only))
				list_engine(routings[i]);
	}
	return usage_end(program);
}

/* Writes the first names of count nodes, which are step numbers apart, and how many more there are. */
static void tell_nodes(const struct fabric *fabric, const uint32_t *node, size_t step, uint32_t count)
{
	for (uint32_t i = 0; i < count && i < NAMES_TOLD; i++)
		fprintf(stderr, "%s%s", i ? ", " : "", SHOWN(fabric->labels->name[node[i * step]]));
	if (count > NAMES_TOLD)
		fprintf(stderr, " and %" PRIu32 " more", count - NAMES_TOLD);
}

/* Reports the roots of the tree, and the switches that do not fit it. */
static void tell_tree(const struct fat_tree *tree, const struct fabric *fabric)
{
	enum { STEP = sizeof *tree->misfit / sizeof(uint32_t) }; /* its first member is the node */
	fprintf(stderr, "%s: note: %" PRIu32 " root%s at the top of a fat tree of %" PRIu32 " levels: ", program, tree->roots,
		tree->roots == 1 ? "" : "s", tree->levels);
	tell_nodes(fabric, tree->root, 1, tree->roots);
	if (tree->misfits)
		fprintf(stderr, "; %" PRIu32 " switch%s not fit: ", tree->misfits, tree->misfits == 1 ? " does" : "es do");
	tell_nodes(fabric, tree->misfits ? &tree->misfit->node : NULL, STEP, tree->misfits);
	putc('\n', stderr);
}

/* Finds the roots of --roots auto. Without a tree there are none; then the engine finds roots. Returns 0, or -1. */
static int find_tree_roots(struct work *w, const struct options *o, struct error *error)
{
	struct fat_tree tree = {0};
	uint32_t *reverse = fabric_reverse(w->fabric, error);
	if (reverse && !fat_tree_find(&tree, w->fabric, reverse, error)) {
		w->root_count = tree.roots;
		w->roots = array_copy(tree.root, tree.roots, sizeof *tree.root, error);
		if (!error->status && tree.roots && !o->quiet)
			tell_tree(&tree, w->fabric);
		else if (!error->status && !tree.roots && o->list_roots)
			error_at(error, STATUS_FABRIC, w->fabric->labels->source, 0, "the switches do not form a fat tree: name the roots");
		else if (!error->status && !tree.roots && !o->quiet)
			fprintf(stderr, "%s: note: the switches do not form a fat tree: the engine finds the roots\n", program);
	}
	fat_tree_clear(&tree);
	free(reverse);
	return error->status ? -1 : 0;
}

/* Finds the switches of --roots. Returns 0, or -1. */
static int find_roots(struct work *w, const struct options *o, struct error *error)
{
	const struct fabric *fabric = w->fabric;
	struct node_list list;
	if (o->list_roots || (o->roots && !strcmp(o->roots, "auto")))
		return find_tree_roots(w, o, error);
	if (!o->roots)
		return 0;
	if (!node_list_read(&list, o->roots, NODES_SWITCHES, "--roots", fabric, &w->files, error))
		w->roots = array_create(list.count, sizeof *w->roots, error);
	for (size_t i = 0; w->roots && i < list.count; i++)
		if (list.listed[i].node != NONE)
			w->roots[w->root_count++] = list.listed[i].node;
	if (w->root_count < list.count && !error->status && !o->quiet)
		fprintf(stderr, "%s: note: --roots: %zu of %zu GUIDs are not switches of the fabric\n", program, list.count - w->root_count,
			list.count);
	node_list_clear(&list);
	return error->status ? -1 : 0;
}

static void tell_pair(void *data, uint32_t source, uint32_t destination)
{
	const struct fabric *fabric = data;
	const char **name = fabric->labels->name;
	fprintf(stderr, "%s: no route from %s to %s\n", program, SHOWN(name[fabric->host_node[source]]),
		SHOWN(name[fabric->host_node[destination]]));
}

/* Writes how many planes the fabric has, if there are several; else "". */
static void write_planes(const struct fabric *fabric, char *text, size_t size)
{
	struct error none = {0};
	struct planes planes;
	*text = '\0';
	if (!planes_find(&planes, fabric, &none) && planes.planes > 1)
		snprintf(text, size, ", or --plane N to route one of the %" PRIu32 " planes without a cable between them", planes.planes);
	planes_clear(&planes);
}

/* Reports pairs without a route. Returns 0, or -1 if there are some and they are not allowed. */
static int check_pairs(const struct work *w, const struct options *o, struct error *error)
{
	uint64_t missing, all = (uint64_t)w->fabric->hosts * (w->fabric->hosts - 1);
	if (routed_missing(&w->routed, &w->graph, o->quiet && o->allow_unreachable ? 0 : PAIRS_TOLD, tell_pair, w->fabric, &missing, error))
		return -1;
	if (missing && !o->allow_unreachable) {
		char planes[120];
		write_planes(w->fabric, planes, sizeof planes);
		return error_at(error, STATUS_FABRIC, w->fabric->labels->source, 0,
			"%" PRIu64 " of %" PRIu64
			" pairs of hosts have no route by %s; add --allow-unreachable to write the graph anyway%s",
			missing, all, o->engine, planes);
	}
	if (missing && !o->quiet)
		fprintf(stderr, "%s: warning: %" PRIu64 " of %" PRIu64 " pairs of hosts have no route\n", program, missing, all);
	return 0;
}

static uint64_t source_routes(const struct source_routes *set)
{
	return set->route[set->row[set->groups]];
}

/* Receives what a long search has reached. */
static void tell_progress(const char *text)
{
	fprintf(stderr, "%s: %s\n", program, text);
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

static int route(struct work *w, const struct options *o, struct error *error)
{
	struct routing_task task = {
		.graph = &w->graph,
		.topology = attributes_of_graph(w->attributes, "topology"),
		.roots = w->roots,
		.root_count = w->root_count,
		.lanes = o->lanes,
		.seed = o->seed,
		.files = &w->files,
		.attributes = w->attributes,
		.whole = true,
		.source_routes = o->routes,
		.progress = o->verbose ? tell_progress : NULL,
	};
	double started = now();
	uint32_t switches = w->fabric->nodes - w->fabric->hosts;
	if (task.topology && topology_files(task.topology, &w->files, error))
		return -1;
	if (routing_run(&w->routed, o->spec ? o->spec : o->engine, &task, error))
		return -1;
	whole_fabric_forget(w->attributes, w->fabric);
	if (o->verbose)
		fprintf(stderr, "%s: routed %" PRIu32 " host%s over %" PRIu32 " switch%s in %.4f s: ", program, w->fabric->hosts,
			plural(w->fabric->hosts), switches, switches == 1 ? "" : "es", now() - started);
	if (o->verbose && w->routed.routes)
		fprintf(stderr, "%" PRIu64 " source route%s between %" PRIu32 " group%s of hosts", source_routes(w->routed.routes),
			plural(source_routes(w->routed.routes)), w->routed.routes->groups, plural(w->routed.routes->groups));
	else if (o->verbose)
		fprintf(stderr, "%u service level%s, %u lane%s", w->routed.levels, plural(w->routed.levels), w->routed.lanes,
			plural(w->routed.lanes));
	if (o->verbose)
		fputs(w->routed.deadlocks ? "; deadlock freedom is not guaranteed\n" : "\n", stderr);
	return check_pairs(w, o, error);
}

/* Opens the output files. Returns 0, or -1. */
static int open_outputs(const struct options *o, struct files *files, struct output *graph, struct output *routes, struct error *error)
{
	if (o->routes && !strcmp(o->routes, "-") && !strcmp(o->output, "-"))
		return error_set(
			error, STATUS_USAGE, "graph and routes cannot both be written to standard output: name a file with -o or --routes");
	return files_write(files, graph, o->output, error) || (o->routes && files_write(files, routes, o->routes, error)) ? -1 : 0;
}

static int write_all(struct work *w, const struct options *o, struct output *graph, struct output *routes, struct error *error)
{
	char name[100];
	snprintf(name, sizeof name, "%s", o->engine);
	if (open_outputs(o, &w->files, graph, routes, error) ||
		(o->routes && route_file_write(w->routed.routes, w->fabric, routes->file, error)) ||
		(w->routed.whole && whole_fabric_keep(w->routed.whole, w->attributes, error)) ||
		route_dot_write(&w->routed, &w->graph, w->attributes, name, graph->file, error) ||
		(o->routes && output_commit(routes, error)))
		return -1;
	if (output_commit(graph, error))
		return -1;
	if (w->routed.warning[0] && !o->quiet)
		fprintf(stderr, "%s: note: %s\n", program, SHOWN(w->routed.warning));
	if (w->routed.note[0] && !o->quiet) /* of the graph as it is now */
		fprintf(stderr, "%s: note: %s\n", program, SHOWN(w->routed.note));
	return 0;
}

/* Writes the roots, one per line, as OpenSM reads them. Returns 0, or -1. */
static int write_roots(struct work *w, const struct options *o, struct output *to, struct error *error)
{
	const struct fabric_labels *labels = w->fabric->labels;
	if (files_write(&w->files, to, o->output, error))
		return -1;
	for (uint32_t i = 0; i < w->root_count; i++)
		if (labels->guid[w->roots[i]])
			fprintf(to->file, "0x%016" PRIx64 "\n", labels->guid[w->roots[i]]);
		else
			fprintf(to->file, "%s\n", labels->name[w->roots[i]]);
	return output_commit(to, error);
}

/* Finds the engine. If it is unknown, but the name in the place of the fabric is an engine, the error states that. */
static const struct routing *find_engine(const struct options *o, struct error *error)
{
	struct error ignored = {0};
	const struct routing *routing = routing_find(o->engine, error);
	const char *fabric = o->fabric.file[0].path;
	if (!routing && routing_find(fabric, &ignored)) {
		*error = (struct error){0};
		error_set(error, STATUS_USAGE, "unknown routing engine '%s': name the engine first, as in orcs-route %s %s", o->engine,
			fabric, o->engine);
	}
	return routing;
}

static int run(struct options *o, struct error *error)
{
	struct work work = {0};
	struct dot_report report;
	struct output graph = {0}, routes = {0};
	unsigned wants = DOT_KEEP | (o->allow_unreachable ? DOT_ALLOW_NO_LINK : 0);
	FILE *notes = o->quiet ? NULL : stderr;
	if ((o->list_roots || find_engine(o, error)) && !fabric_source_open(&o->fabric, &work.files, error) &&
		!fabric_source_load(
			&o->fabric, wants, &work.files, notes, &work.fabric, &work.forwarding, &work.attributes, &report, error) &&
		!routing_graph_init(&work.graph, work.fabric, error) && !find_roots(&work, o, error)) {
		if (o->list_roots)
			write_roots(&work, o, &graph, error);
		else if (!route(&work, o, error))
			write_all(&work, o, &graph, &routes, error);
	}
	output_discard(&graph);
	output_discard(&routes);
	files_clear(&work.files);
	routed_clear(&work.routed);
	routing_graph_clear(&work.graph);
	free(work.roots);
	attributes_free(work.attributes);
	forwarding_free(work.forwarding);
	fabric_free(work.fabric);
	fabric_source_clear(&o->fabric);
	return error->status ? -1 : 0;
}

int main(int argc, char **argv)
{
	static struct options options = {.fabric = {.program = program}, .output = "-", .lanes = ROUTING_LANES_USUAL, .seed = 1};
	struct error error = {0};
	usage_parse(program, &argp, argc, argv, &options);
	if (options.list)
		return list_engines(&options);
	if (options.list_roots && options.engine)
		usage_error(
			program, "--list-roots takes no engine: put it before FABRIC, as in orcs-route --list-roots %s", options.engine);
	if (!options.engine && !options.list_roots)
		usage_error(program, "no routing engine: name one of 'orcs-route --list'");
	if (options.parameters && options.engine)
		make_spec(&options);
	source_end(&options.fabric);
	if (run(&options, &error))
		fprintf(stderr, "%s: %s\n", program, error.text);
	return (int)error.status;
}
