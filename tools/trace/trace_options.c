#include "tools/trace/trace_options.h"

#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/source_options.h"

#include "fabric/topology_fabric.h"

#include <string.h>
#include <unistd.h>

enum { KEY_CHANNEL = 0x100, KEY_BY, KEY_JOBS, KEY_ROUTES, KEY_SHARE, KEY_TOP, KEY_FORMAT, KEY_QUIET };
enum { ROUTES_LISTED = 8, ROWS_LISTED = 20 };

static const char program[] = "orcs-trace";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "What is traced:", 1},
	{"channel", 'c', "NODE:PORT", 0,
		"The pairs of hosts that use the cable at this port, in both directions, instead of the route of a pair", 0},
	{"by", KEY_BY, "leaf|machine|job|host", 0, "Group the pairs of --channel by these (default: leaf)", 0},
	{"share", 's', 0, 0, "Add who else uses the channels of the route: pairs of hosts, and of --jobs", 0},
	{"jobs", KEY_JOBS, "FILE", 0,
		"Jobs that run: a line 'ID HOSTLIST' each, as squeue -h -o \"%i %N\" prints; with --channel only pairs within a job count",
		0},
	{"routes", KEY_ROUTES, "FILE", 0, "Follow the source routes of FILE, see orcs-routes(5), instead of the forwarding tables", 0},

	{0, 0, 0, 0, "Output:", 2},
	{"output-file", 'o', "FILE", 0, "Write the result to FILE (default: standard output)", 0},
	{"format", KEY_FORMAT, "text|json", 0, "Format of the result (default: text)", 0},
	{"no-info", 'n', 0, 0, "Without kinds, LIDs and names, as ibtracert -n", 0},
	{"top", KEY_TOP, "N", 0, "Number of routes of a pair to list (default: 8), or of rows of a channel (default: 20); 0: all", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Prints the route of a packet from one node to another, and back, as ibtracert does, or who uses a cable. FROM and TO are hosts, switches "
	"or other nodes with a LID, by name, description, GUID or LID; NODE:PORT is a port of one. FABRIC is a routed graph, a cache, dumps, or "
	"the specification of a topology, for example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-trace node01 node77 ibnetdiscover.txt lfts.txt\n"
	"  orcs-trace --share 17 30 fabric.dot\n"
	"  orcs-trace --channel leaf3:10 fabric.dot\n"
	"  squeue -h -o \"%i %N\" | orcs-trace --channel leaf3:10 --by job --jobs - fabric.dot\n"
	"  orcs-trace --format json H0 H99 torus:10x10 | jq '.routes[].hops[].to'\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used, 4 there is no route. See orcs-trace(1).";

/* The arguments, which come after all options: the ends first, then the fabric. */
static void read_argument(struct trace_options *o, char *text)
{
	if (!o->channel && !o->from)
		o->from = text;
	else if (!o->channel && !o->to)
		o->to = text;
	else
		source_argument(&o->fabric, text);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const formats[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL};
	static const char *const groups[] = {
		[GROUP_LEAF] = "leaf", [GROUP_MACHINE] = "machine", [GROUP_JOB] = "job", [GROUP_HOST] = "host", NULL};
	struct trace_options *o = state->input;
	switch (key) {
	case 'c': o->channel = text; break;
	case KEY_BY:
		o->grouped = true;
		o->group = (enum trace_group)usage_choice(program, "--by", text, groups);
		break;
	case 's': o->share = true; break;
	case KEY_JOBS: o->jobs = text; break;
	case KEY_ROUTES: o->routes = text; break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, formats); break;
	case 'n': o->brief = true; break;
	case KEY_TOP: o->most = (uint32_t)usage_integer(program, "--top", text, 0, UINT32_MAX - 1); break;
	case KEY_QUIET: o->quiet = true; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->fabric; break;
	case ARGP_KEY_ARG: read_argument(o, text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Refuses the fabric before the nodes: the last argument is no file, but the first one is a fabric. */
static void check_places(const struct trace_options *o)
{
	const struct fabric_source *s = &o->fabric;
	const char *last = s->file[s->files - 1].path;
	if (o->from && strcmp(last, "-") && !topology_fabric_is(last) && access(last, F_OK) &&
		(topology_fabric_is(o->from) || !access(o->from, F_OK)))
		usage_error(program, "the nodes come before the fabric: orcs-trace %s %s %s", o->to, last, o->from);
}

void trace_options_parse(struct trace_options *options, int argc, char **argv)
{
	*options = (struct trace_options){.argc = argc, .argv = argv, .fabric = {.program = program}, .output = "-", .most = UINT32_MAX};
	const struct argp_child children[] = {SOURCE_CHILD(3), {0}};
	const struct argp argp = {
		table, parse_option, "FROM TO [FABRIC]\nFROM TO DUMP...\n--channel NODE:PORT [FABRIC]", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, options);
	struct trace_options *o = options;
	if (!o->channel && !o->to)
		usage_error(program, "two nodes are needed, such as 'orcs-trace node01 node77 FABRIC', or --channel NODE:PORT");
	source_end(&o->fabric);
	check_places(o);
	if (o->channel && (o->share || o->brief || o->routes))
		usage_error(program, "%s applies to the route of a pair, not to --channel",
			o->share   ? "--share"
			: o->brief ? "--no-info"
				   : "--routes");
	if (!o->channel && o->grouped)
		usage_error(program, "--by groups the pairs of --channel: add --channel NODE:PORT");
	if (o->group == GROUP_JOB && !o->jobs)
		usage_error(program, "--by job needs the jobs: add --jobs FILE");
	if (o->jobs && !o->channel)
		o->share = true;
	if (o->routes && o->share)
		usage_error(program, "--share counts the pairs of forwarding tables, not those of --routes");
	if (o->most == UINT32_MAX)
		o->most = o->channel ? ROWS_LISTED : ROUTES_LISTED;
	if (!o->most)
		o->most = UINT32_MAX;
	if (o->routes && !strcmp(o->routes, "-") && source_is_standard(&o->fabric))
		usage_error(program, "standard input cannot be both the fabric and the routes: name a file");
}
