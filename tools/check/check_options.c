#include "tools/check/check_options.h"

#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/source_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_REQUIRE = 0x100, KEY_SL, KEY_ALL, KEY_FORMAT, KEY_QUIET, KEY_ROUTES, KEY_PLAN, KEY_AGAINST };

static const char program[] = "orcs-check";

const char *const requirement_names[] = {
	[REQUIRE_ROUTABLE] = "routable",
	[REQUIRE_DEADLOCK_FREE] = "deadlock-free",
	[REQUIRE_HALVES] = "deadlock-free-halves",
	[REQUIRE_MINIMAL] = "minimal",
	[REQUIRE_SYMMETRIC] = "symmetric",
	[REQUIRE_BALANCED] = "balanced",
	[REQUIRE_REGULAR] = "regular",
	[REQUIREMENTS] = NULL,
};

static const struct argp_option table[] = {
	{"require", KEY_REQUIRE, "LIST", 0,
		"Requirements of a valid routing, separated by commas: routable, deadlock-free, deadlock-free-halves (each Valiant phase alone), minimal, "
		"symmetric, balanced:CV, regular, or none (default: routable,deadlock-free)",
		1},
	{"sl", KEY_SL, "N|all", 0,
		"Service level of all packets, which selects their virtual lanes; all: check every service level (default: the service levels of the "
		"fabric, otherwise 0)",
		0},
	{"routes", KEY_ROUTES, "FILE", 0,
		"Check the source routes of FILE, see orcs-routes(5), instead of the forwarding tables; -: standard input", 0},
	{"plan", KEY_PLAN, "FILE", 0,
		"Compare the cabling with a plan, instead of checking the routing: a list of cables (NDT, columns, ibtopodiff's topology file) or a "
		"fabric; can be repeated",
		0},
	{"against", KEY_AGAINST, "OLD", 0,
		"Report what changed since OLD, a fabric, instead of checking the routing: nodes, cables, LIDs, table entries, routes; can be "
		"repeated for its files",
		0},
	{"all", KEY_ALL, 0, 0, "List all faults, not only the first ten of each kind", 0},
	{"output-file", 'o', "FILE", 0, "Write the result to FILE (default: standard output)", 0},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "text|json", 0, "Format of the result (default: text)", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Checks a routing: whether every pair of hosts has a route, whether routes are minimal and symmetric, whether they can deadlock, and how "
	"evenly they use the cables. It also recognises the topology, and reports cables that deviate from it. FABRIC is a routed graph, a cache, "
	"dumps, or the specification of a topology, for example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs-check fabric.dot\n"
	"  orcs-topology torus:6x6 | orcs-route dor | orcs-check\n"
	"  orcs-check --require deadlock-free,minimal,balanced:0.1 fabric.dot\n"
	"  orcs-check --format json fabric.dot | jq .deadlock\n"
	"  orcs-check --routes fabric.routes fabric.dot\n"
	"  orcs-check --plan cabling.csv ibnetdiscover.txt\n"
	"  orcs-check --against dumps/monday dumps/tuesday\n"
	"\nExit status: 0 sound (or as planned, unchanged), 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used, 4 not sound (or "
	"not as planned, changed). See orcs-check(1).";

/* Parses one word of --require. */
static void read_requirement(struct check_options *o, char *word)
{
	static const char limit[] = "balanced:";
	if (!strncmp(word, limit, strlen(limit))) {
		o->balance_limit = usage_positive(program, "--require balanced", word + strlen(limit));
		o->required[REQUIRE_BALANCED] = true;
		return;
	}
	int which = usage_choice(program, "--require", word, requirement_names);
	if (which == REQUIRE_BALANCED)
		usage_error(program, "--require balanced needs a limit, for example balanced:0.1");
	o->required[which] = true;
}

static void read_requirements(struct check_options *o, char *text)
{
	memset(o->required, 0, sizeof o->required);
	if (!strcmp(text, "none"))
		return;
	for (char *comma; text; text = comma) {
		comma = strchr(text, ',');
		if (comma)
			*comma++ = '\0';
		read_requirement(o, text);
	}
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const formats[] = {[FORMAT_TEXT] = "text", [FORMAT_JSON] = "json", NULL};
	struct check_options *o = state->input;
	switch (key) {
	case KEY_REQUIRE:
		o->require_given = true;
		read_requirements(o, text);
		break;
	case KEY_SL:
		o->level = strcmp(text, "all") ? (int)usage_integer(program, "--sl", text, 0, SERVICE_LEVELS_MOST - 1) : EVERY_LEVEL;
		break;
	case KEY_ROUTES: o->routes = text; break;
	case KEY_PLAN: source_argument(&o->plan, text); break;
	case KEY_AGAINST: source_argument(&o->against, text); break;
	case KEY_ALL: o->all = true; break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum format)usage_choice(program, "--format", text, formats); break;
	case KEY_QUIET: o->quiet = true; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->fabric; break;
	case ARGP_KEY_ARG: source_argument(&o->fabric, text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Ends the options --plan and --against; other files than the fabric have the same names of nodes. */
static void end_comparison(struct check_options *o)
{
	struct fabric_source *const sources[] = {&o->plan, &o->against};
	bool standard = source_is_standard(&o->fabric);
	struct error error = {0};
	if ((o->plan.files || o->against.files) && (o->require_given || o->level != LEVEL_TOLD))
		usage_error(program, "%s checks the routing, which --plan and --against do not: omit it",
			o->require_given ? "--require" : "--sl");
	for (int i = 0; i < 2; i++) {
		if (!sources[i]->files)
			continue;
		if (standard && source_is_standard(sources[i]))
			usage_error(program, "standard input cannot be both the fabric and what it is compared with: name a file");
		standard |= source_is_standard(sources[i]);
		sources[i]->node_name_map = o->fabric.node_name_map;
		fabric_source_named(sources[i], &error);
		usage_fail(program, &error);
	}
}

void check_options_parse(struct check_options *options, int argc, char **argv)
{
	*options = (struct check_options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.plan = {.program = program},
		.against = {.program = program},
		.output = "-",
		.level = LEVEL_TOLD,
		.required = {[REQUIRE_ROUTABLE] = true, [REQUIRE_DEADLOCK_FREE] = true},
	};
	const struct argp_child children[] = {SOURCE_CHILD(2), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, options);
	if (options->routes && options->level != LEVEL_TOLD)
		usage_error(program, "--sl does not apply to --routes: packets of source routes have one virtual lane here");
	if (options->routes && options->required[REQUIRE_SYMMETRIC])
		usage_error(program, "symmetric cannot be required with --routes: a pair may have several routes");
	source_end(&options->fabric);
	end_comparison(options);
	if (options->routes && !strcmp(options->routes, "-") && source_is_standard(&options->fabric))
		usage_error(program, "standard input cannot be both the fabric and the routes: name a file");
}
