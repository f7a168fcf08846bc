/* orcs-import: dumps of an InfiniBand fabric -> a routed graph for orcs. */
#include "base/args.h"
#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/dump.h"
#include "infiniband/import.h"
#include "infiniband/source_options.h"

#include <stdlib.h>
#include <string.h>

enum {
	KEY_NAMES = 256,
	KEY_RAILS,
	KEY_LMC,
	KEY_AGGREGATION,
	KEY_ORIGINAL,
	KEY_COMMENT,
	KEY_FORMS,
	KEY_STRICT,
	KEY_QUIET,
	KEY_FAIL,
};

struct options {
	struct import import;
	struct fabric_source source;
	const char *output;
	bool list_forms;
};

static const char program[] = "orcs-import";

static const struct argp_option table[] = {
	{"output-file", 'o', "FABRIC.dot", 0, "Write the graph to FABRIC.dot (default: standard output)", 2},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"names", KEY_NAMES, "desc|guid", 0, "Source of node names: descriptions, or GUIDs after H or S (default: desc)", 0},
	{"rails", KEY_RAILS, "separate|merge|list|RAIL", 0,
		"Choose the ports that are hosts: every cabled port of a channel adapter, all ports of a machine together, or a RAIL: the N-th "
		"port of each machine, the ports with the name of a rail, such as mlx5_3, or those on its leaves, leaf:mlx5_3; list: print the "
		"rails instead (default: separate)",
		0},
	{"lmc", KEY_LMC, "base|all", 0,
		"Import the base LID of ports with several LIDs (LMC > 0), or all of them as multipath entries (default: base)", 0},
	{"keep-aggregation", KEY_AGGREGATION, 0, 0, "Keep SHARP aggregation nodes as hosts", 0},
	{"original", KEY_ORIGINAL, "FILE", 0,
		"Take port GUIDs, descriptions, speeds and widths from FILE, the topology before it was rewritten for ibsim", 0},
	{"comment", KEY_COMMENT, "TEXT", 0, "Write TEXT as comment lines (at the head of the graph)", 0},
	{"list-formats", KEY_FORMS, 0, 0, "List the supported formats of dumps", 0},
	{"list-forms", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"strict", KEY_STRICT, 0, 0,
		"Treat warnings as errors: missing LFT entries, contradictions, dumps that end early, truncated tables", 0},
	{"fail", KEY_FAIL, "LIST", OPTION_HIDDEN, 0, 0},
	{"quiet", KEY_QUIET, 0, 0, "Print only errors", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Combines the cabling and the forwarding tables of an InfiniBand fabric, as its tools print them, into a routed graph. Each FILE is "
	"recognised by its content, can be compressed (gzip, xz, zstd) and can contain several dumps; - is standard input. Anomalies of the "
	"fabric are counted and reported, one line per kind."
	"\vExamples:\n"
	"  ibnetdiscover > topology; dump_fts -n > tables\n"
	"  orcs-import --topology topology --lft tables -o fabric.dot\n"
	"  dump_fts -n | orcs-import --topology topology.gz --lft - | orcs -\n"
	"  orcs-import opensm-subnet.lst opensm.fdbs > fabric.dot\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the dumps cannot be used. See orcs-import(1), orcs-dumps(5).";

static void read_rails(struct import *import, const char *text)
{
	struct subnet_graph_options *o = &import->options;
	int64_t number;
	bool leaf = !strncmp(text, "leaf:", 5);
	import->list_rails = !strcmp(text, "list");
	o->rail = NULL;
	if (!strcmp(text, "separate") || import->list_rails)
		o->rails = RAILS_SEPARATE;
	else if (!strcmp(text, "merge"))
		o->rails = RAILS_MERGE;
	else if (read_integer(text, 1, 1000, &number))
		o->rails = (int)number;
	else if (strspn(text, "+-0123456789"))
		usage_error(program, "--rails is '%s', not separate, merge, list, a number from 1 to 1000, or the name of a rail", text);
	else if (!strcmp(text, "leaf") || !text[leaf ? 5 : 0])
		usage_error(program, "--rails leaf needs the rail: --rails leaf:mlx5_3, for example; --rails list lists them");
	else {
		o->rails = leaf ? RAILS_LEAF : RAILS_NAMED;
		o->rail = text + (leaf ? 5 : 0);
	}
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	static const char *const names[] = {"desc", "guid", NULL}, *const lmc[] = {"base", "all", NULL};
	struct options *o = state->input;
	struct import *import = &o->import;
	switch (key) {
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->source; break;
	case 'o': o->output = text; break;
	case KEY_NAMES: import->options.names_guid = usage_choice(program, "--names", text, names); break;
	case KEY_RAILS: read_rails(import, text); break;
	case KEY_LMC: import->options.all_lids = usage_choice(program, "--lmc", text, lmc); break;
	case KEY_AGGREGATION: import->options.keep_aggregation = true; break;
	case KEY_ORIGINAL: import->original = text; break;
	case KEY_COMMENT: import->comment = text; break;
	case KEY_FORMS: o->list_forms = true; break;
	case KEY_STRICT: import->strict = true; break;
	case KEY_FAIL:
		usage_error(
			program, "--fail is for programs that use the graph, such as orcs and orcs-check; the graph has the whole fabric");
		break;
	case KEY_QUIET: import->notes = NULL; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_ARG: source_argument(&o->source, text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {SOURCE_WHOLE_CHILD(1), {0}};
static const struct argp argp = {
	.options = table, .parser = parse_option, .args_doc = "[FILE...]", .doc = description, .children = children};

static void list_forms(void)
{
	static const char *const kinds[] = {
		[DUMP_TOPOLOGY] = "cabling", [DUMP_TABLES] = "tables", [DUMP_LANES] = "SL to VL", [DUMP_LEVELS] = "levels"};
	for (int f = 0; dump_forms[f]; f++)
		printf("%-9s %-16s %s\n", kinds[dump_forms[f]->kind], dump_forms[f]->name, dump_forms[f]->summary);
}

int main(int argc, char **argv)
{
	static struct options options = {.import.program = program, .source.program = program, .output = "-"};
	struct error error = {0};
	options.import.notes = stderr;
	usage_parse(program, &argp, argc, argv, &options);
	if (options.list_forms) {
		list_forms();
		return usage_end(program);
	}
	if (!options.source.files)
		usage_error(program, "no dump: name files, or - for standard input");
	if (options.source.plane)
		usage_error(program, "--plane is for programs that use the graph, such as orcs and orcs-check; the graph has all planes");
	options.import.source = &options.source;
	if (import_run(&options.import, &options.source, options.output, &error))
		fprintf(stderr, "%s: %s\n", program, error.text);
	fabric_source_clear(&options.source);
	return (int)error.status;
}
