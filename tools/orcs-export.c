/* orcs-export: a fabric -> files for InfiniBand tools. */
#include "cli/help.h"
#include "cli/usage.h"
#include "infiniband/export.h"
#include "infiniband/source_options.h"

#include <stdio.h>

enum { KEY_TO = 256, KEY_QUIET, KEY_DROP, KEY_MACHINE, KEY_PORTS, KEY_FAIL };

struct options {
	struct export export;
	struct fabric_source source;
	const char *output;
	bool to;
};

static const char program[] = "orcs-export";

static const struct argp_option table[] = {
	{"to", KEY_TO, "FORM", 0,
		"Format: ibnetdiscover, the cabling as that tool prints it; ibsim, a netfile for that simulator, with workarounds for its limitations; "
		"lfts, the forwarding tables as 'opensm -R file -U FILE' loads them; sls, the service levels by LIDs; root-guids and cn-guids, files for opensm "
		"-a (the switches farthest from the hosts) and -u (the ports of the hosts); slurm-tree, slurm-block and slurm-yaml, the machines by their "
		"leaves for Slurm's topology.conf and topology.yaml",
		1},
	{"machine-name", KEY_MACHINE, "REGEX", 0,
		"With --to slurm-...: the machine is what the first group of REGEX, or REGEX, matches in a node description (default: its first word)",
		2},
	{"ports", KEY_PORTS, "REGEX", 0, "With --to slurm-...: only ports whose node description matches REGEX count", 2},
	{"output-file", 'o', "OUT", 0, "Write the result to OUT (default: standard output)", 0},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"drop-service-levels", KEY_DROP, 0, 0,
		"With --to lfts: write the tables of a fabric with service levels or SL-to-VL tables, which they cannot carry", 0},
	{"fail", KEY_FAIL, "LIST", OPTION_HIDDEN, 0, 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress the report of changes", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Writes a fabric for the tools of InfiniBand. FILE is a dot graph, routed or not, or a dump of the cabling, optionally with dumps of the "
	"forwarding tables. It is recognised by its content, and can be compressed (gzip, xz, zstd). - is standard input."
	"\vExamples:\n"
	"  orcs-export --to ibsim -o net fabric.dot\n"
	"  orcs-export --to lfts -o tables fabric.dot; opensm -R file -U tables\n"
	"  orcs-export --to cn-guids topology > nodes; opensm -R ftree -u nodes\n"
	"  orcs-export --to slurm-tree --ports 'HCA-1$' -o topology.conf topology\n"
	"\nExit status: 0 success, 1 I/O error or out of memory, 2 usage, 3 the fabric cannot be used. See orcs-export(1), orcs-dot(5), orcs-dumps(5).";

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *o = state->input;
	switch (key) {
	case KEY_TO:
		o->export.form = (enum export_form)usage_choice(program, "--to", text, export_forms);
		o->to = true;
		break;
	case 'o': o->output = text; break;
	case KEY_MACHINE: o->export.machine_name = text; break;
	case KEY_PORTS: o->export.ports = text; break;
	case KEY_DROP: o->export.drop_levels = true; break;
	case KEY_FAIL:
		usage_error(program,
			"--fail is for programs that use the graph; 'orcs-route --fail LIST ENGINE FABRIC | orcs-export --to FORM -' exports what is left, routed again");
		break;
	case KEY_QUIET: o->export.notes = NULL; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->source; break;
	case ARGP_KEY_ARG: source_argument(&o->source, text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {SOURCE_WHOLE_CHILD(2), {0}};
static const struct argp argp = {.options = table, .parser = parse_option, .args_doc = "FILE...", .doc = description, .children = children};

int main(int argc, char **argv)
{
	static struct options options = {.source.program = program, .output = "-"};
	struct error error = {0};
	options.export.notes = stderr;
	usage_parse(program, &argp, argc, argv, &options);
	if (!options.to)
		usage_error(program, "no format: name one with --to");
	if ((options.export.machine_name || options.export.ports) && options.export.form < EXPORT_SLURM_TREE)
		usage_error(program, "--machine-name and --ports are for --to slurm-tree, slurm-block and slurm-yaml");
	source_end(&options.source);
	if (options.source.plane)
		usage_error(program, "--plane is for programs that use the graph, such as orcs and orcs-check; all planes are exported");
	options.export.program = program;
	options.export.source = &options.source;
	if (export_run(&options.export, options.output, &error))
		fprintf(stderr, "%s: %s\n", program, error.text);
	fabric_source_clear(&options.source);
	return (int)error.status;
}
