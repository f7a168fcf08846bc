#include "tools/report/report_options.h"

#include "cli/help.h"
#include "cli/usage.h"
#include "compare/engine.h"
#include "compare/spec_list.h"
#include "fabric/placement.h"
#include "infiniband/source_options.h"
#include "routings/routing.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	KEY_COMPARE = 0x100,
	KEY_ADVISE,
	KEY_JOBS,
	KEY_MACHINE,
	KEY_PORTS,
	KEY_MAPPING,
	KEY_BYTES,
	KEY_SEED,
	KEY_TITLE,
	KEY_FORMAT,
	KEY_QUIET
};

static const char program[] = "orcs-report";

static const struct argp_option table[] = {
	{0, 0, 0, 0, "Other routings:", 1},
	{"routing", 'R', "ENGINES", 0,
		"Compare with these engines of orcs-route, separated by commas; the first routes a fabric without tables", 0},
	{"advise", KEY_ADVISE, 0, 0, "Compare with all that orcs-advise tries", 0},
	{"compare", KEY_COMPARE, "FILE", 0, "Show the routings of FILE, written by 'orcs-compare --format json'", 0},
	{"runs", 'n', "N", 0, "Number of random bisections, from which the bandwidth is estimated (default: 200)", 0},
	{"seed", KEY_SEED, "N", 0, "Seed of the bisections and of engines (default: 1)", 0},

	{0, 0, 0, 0, "Running jobs, see orcs-jobs(1):", 2},
	{"jobs", KEY_JOBS, "FILE", 0, "Show which jobs of FILE slow each other down", 0},
	{"machine-name", KEY_MACHINE, "REGEX", 0, "Machines by REGEX in node descriptions", 0},
	{"ports", KEY_PORTS, "REGEX", 0, "Ports by REGEX in node descriptions", 0},

	{0, 0, 0, 0, "A program, see orcs-traces(5):", 3},
	{"pattern", 'p', "PATTERN", 0, "Show what a trace or pattern sends, its phases, and on which cables its messages wait", 0},
	{"mapping", KEY_MAPPING, "linear|random|file:PATH", 0, "Hosts of its ranks, as in orcs(1) (default: linear)", 0},
	{"bytes", KEY_BYTES, "BYTES", 0, "Size of its messages that have none (default: 1M)", 0},

	{0, 0, 0, 0, "Output:", 4},
	{"output-file", 'o', "FILE", 0, "Write the report to FILE, named *.html or *.json (default: standard output)", 0},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "html|json|text", 0,
		"Format (default: by the name of FILE, otherwise html; text, for two reports, is the default there)", 0},
	{"title", KEY_TITLE, "TEXT", 0, "Title of the page (default: by the names of the files)", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress notes and warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Reports on a routed fabric in one page for a browser: whether it is healthy, what to do, where, and which cable. The page is one file that "
	"needs no network. FABRIC is dumps, a graph, or a cache, see orcs-fabric(7). Given two reports in JSON, it lists what became better or "
	"worse."
	"\vExamples:\n"
	"  orcs-report -o report.html ibnetdiscover.txt lfts.txt\n"
	"  orcs-report -R minhop,ftree,sssp -o report.html fabric.dot\n"
	"  orcs-report --advise -o report.html dumps/\n"
	"  orcs-report -o monday.json dumps/monday\n"
	"  orcs-report monday.json tuesday.json\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used, or has no routes. See orcs-report(1).";

static void read_engines(struct report_options *o, const char *list)
{
	while (list) {
		struct error error = {0};
		char *engine = spec_list_next(&list, routing_begins, &error);
		usage_fail(program, &error);
		if (!strcmp(engine, ENGINE_AS_IS)) { /* always compared */
			free(engine);
			continue;
		}
		routing_find(engine, &error);
		usage_fail(program, &error);
		for (int i = 0; i < o->engines; i++)
			if (!strcmp(o->engine[i], engine))
				usage_error(program, "engine '%s' is given twice", engine);
		if (o->engines == ADVICE_MOST - 1)
			usage_error(program, "more than %d engines", ADVICE_MOST - 1);
		o->engine[o->engines++] = engine;
	}
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const formats[] = {[REPORT_HTML] = "html", [REPORT_JSON] = "json", [REPORT_TEXT] = "text", NULL};
	struct report_options *o = state->input;
	switch (key) {
	case 'R': read_engines(o, text); break;
	case KEY_ADVISE: o->advise = true; break;
	case KEY_COMPARE: o->compare = text; break;
	case KEY_JOBS: o->jobs = text; break;
	case KEY_MACHINE: o->machine_name = text; break;
	case KEY_PORTS: o->ports = text; break;
	case 'n': o->runs = (uint64_t)usage_integer(program, "--runs", text, 2, 1000000000); break;
	case KEY_SEED: o->seed = (uint64_t)usage_integer(program, "--seed", text, 0, INT64_MAX); break;
	case 'p': o->program = text; break;
	case KEY_MAPPING: o->mapping = text; break;
	case KEY_BYTES:
		if (!read_size(text, &o->bytes))
			usage_error(program, "--bytes is '%s', not a number of bytes", text);
		break;
	case KEY_TITLE: o->title = text; break;
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = (enum report_format)usage_choice(program, "--format", text, formats); break;
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

/* Returns whether the file begins as JSON does, which no fabric begins with. */
static bool is_json(const char *path)
{
	FILE *file = strcmp(path, "-") ? fopen(path, "re") : NULL;
	int letter = file ? getc(file) : EOF;
	while (letter != EOF && isspace(letter))
		letter = getc(file);
	if (file)
		fclose(file);
	return letter == '{';
}

/* Two results of orcs-report are compared. */
static void find_reports(struct report_options *o)
{
	const struct fabric_source *s = &o->fabric;
	bool json = false;
	for (size_t i = 0; i < s->files; i++)
		json |= is_json(s->file[i].path);
	if (!json)
		return;
	if (s->files != 2 || !is_json(s->file[0].path) || !is_json(s->file[1].path))
		usage_error(program, "reports in JSON are compared two at a time: orcs-report OLD.json NEW.json");
	o->old = s->file[0].path;
	o->new = s->file[1].path;
	if (o->engines || o->advise || o->compare || o->jobs || s->fails)
		usage_error(program, "two reports are compared as they are: omit the options of other routings, of jobs and --fail");
}

/* Checks the options of a program. */
static void check_program(struct report_options *o)
{
	struct error error = {0};
	if (o->old && o->program)
		usage_error(program, "two reports are compared as they are: omit --pattern");
	if (!o->program && o->mapping)
		usage_error(program, "--mapping is for --pattern");
	if (!o->mapping)
		o->mapping = "linear";
	if (o->program)
		pattern_check(&(struct pattern_request){.spec = o->program, .first_ranks = -1}, PATTERN_GRAPH, &error);
	usage_fail(program, &error);
	placement_check("linear_bfs", o->mapping, &error);
	usage_fail(program, &error);
}

static bool ends_with(const char *text, const char *end)
{
	size_t length = strlen(text), part = strlen(end);
	return length > part && !strcmp(text + length - part, end);
}

static void find_format(struct report_options *o, bool given)
{
	static const char *const others[] = {".pdf", ".svg", ".png", ".csv", ".txt"};
	bool named = o->output && strcmp(o->output, "-");
	for (size_t i = 0; i < sizeof others / sizeof *others && named && !given && !o->old; i++)
		if (ends_with(o->output, others[i]))
			usage_error(program,
				"-o '%s': a report is .html or .json; the browser prints it to PDF, and saves its table as CSV", o->output);
	if (!given && named && ends_with(o->output, ".json"))
		o->format = REPORT_JSON;
	else if (!given)
		o->format = o->old ? REPORT_TEXT : REPORT_HTML;
	if (o->old && o->format == REPORT_HTML)
		usage_error(program, "the comparison of two reports is text or json, not html");
	if (!o->old && o->format == REPORT_TEXT)
		usage_error(program, "--format text is for two reports; a report is html or json ('orcs-check' has text)");
	if (!named && o->format == REPORT_HTML && isatty(STDOUT_FILENO))
		usage_error(program, "standard output is a terminal: name the page with -o, for example -o report.html");
	if (!o->output)
		o->output = "-";
}

void report_options_parse(struct report_options *options, int argc, char **argv)
{
	enum { NOT_GIVEN = -1 };
	struct report_options *o = options;
	*o = (struct report_options){
		.argc = argc,
		.argv = argv,
		.fabric = {.program = program},
		.pattern = {.spec = "bisect", .first_ranks = -1},
		.bytes = 1e6,
		.runs = 200,
		.seed = 1,
		.format = (enum report_format)NOT_GIVEN,
	};
	struct hush hush = usage_hush();
	const struct argp_child children[] = {SOURCE_CHILD(5), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...\nOLD.json NEW.json", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, o);
	o->pattern.seed = o->seed;
	if (o->advise + (o->engines > 0) + (o->compare != NULL) > 1)
		usage_error(program, "-R, --advise and --compare exclude one another: use one of them");
	find_reports(o);
	if (!o->old)
		source_end(&o->fabric);
	if (!o->old && source_is_standard(&o->fabric) && !strcmp(o->compare ? o->compare : "", "-"))
		usage_error(program, "the fabric and --compare cannot both come from standard input");
	if (!o->old && !strcmp(o->jobs ? o->jobs : "", "-") &&
		(source_is_standard(&o->fabric) || !strcmp(o->compare ? o->compare : "", "-")))
		usage_error(program, "standard input can be only one of the fabric, --compare and --jobs");
	if (!o->jobs && (o->machine_name || o->ports))
		usage_error(program, "--machine-name and --ports are for --jobs");
	check_program(o);
	find_format(o, (int)o->format != NOT_GIVEN);
	usage_speak(&hush);
}
