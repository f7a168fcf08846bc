#include "infiniband/source_options.h"

#include "cli/usage.h"

#include <string.h>
#include <unistd.h>

enum { KEY_TOPOLOGY = 0x1000, KEY_LFT, KEY_SL2VL, KEY_LEVELS, KEY_NAME_MAP, KEY_FAIL, KEY_PLANE };

static const struct argp_option table[] = {
	{"fail", KEY_FAIL, "NODE[:PORT][,...]", OPTION_NO_USAGE,
		"Remove these cables and nodes from the fabric, and hosts without a cable; its tables stay. Can be repeated", 0},
	{"topology", KEY_TOPOLOGY, "FILE", OPTION_NO_USAGE,
		"Read the topology: output of ibnetdiscover or iblinkinfo, an ibsim netfile, a .lst or .db_csv file", 0},
	{"lft", KEY_LFT, "FILE", OPTION_NO_USAGE,
		"Read the forwarding tables: output of dump_fts or ibroute, opensm-lfts.dump, a .fdbs file", 0},
	{"sl2vl", KEY_SL2VL, "FILE", OPTION_NO_USAGE,
		"Read the SL-to-VL tables and the arbitration of virtual lanes: opensm-sl2vl.dump, output of smpquery or saquery", 0},
	{"service-levels", KEY_LEVELS, "FILE|sa|dfsssp|lash|torus-2qos|0", OPTION_NO_USAGE,
		"Read the service level of each pair: lines of SLID DLID SL; or ask the subnet administrator (sa); or compute it as this engine of "
		"OpenSM does; or all are 0",
		0},
	{"node-name-map", KEY_NAME_MAP, "FILE", OPTION_NO_USAGE,
		"Name nodes by their GUIDs, as infiniband-diags do: lines of 0xGUID \"NAME\"", 0},
	{"plane", KEY_PLANE, "N", OPTION_NO_USAGE,
		"Use only the N-th plane of the fabric: of the parts without a cable between them, in the order of their first hosts", 0},
	{0},
};

static void add(struct fabric_source *source, const char *path, unsigned kinds)
{
	struct error error = {0};
	if (!fabric_source_add(source, path, kinds, &error))
		return;
	if (error.status == STATUS_USAGE)
		usage_error(source->program, "%s", error.text);
	usage_fail(source->program, &error);
}

static void fail(struct fabric_source *source, const char *list)
{
	struct error error = {0};
	fabric_source_fail(source, list, &error);
	usage_fail(source->program, &error);
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct fabric_source *source = state->input;
	switch (key) {
	case KEY_TOPOLOGY: add(source, text, 1U << DUMP_TOPOLOGY); break;
	case KEY_LFT: add(source, text, 1U << DUMP_TABLES); break;
	case KEY_SL2VL: add(source, text, 1U << DUMP_LANES); break;
	case KEY_LEVELS:
		source->levels = level_rule_named(text);
		if (source->levels == LEVELS_STATED && strcmp(text, "-") != 0 && access(text, F_OK))
			usage_error(source->program,
				"--service-levels: there is no file '%s', and the words are sa, dfsssp, lash, torus-2qos and 0", text);
		if (source->levels == LEVELS_STATED)
			add(source, text, 1U << DUMP_LEVELS);
		break;
	case KEY_NAME_MAP: source->node_name_map = text; break;
	case KEY_FAIL: fail(source, text); break;
	case KEY_PLANE: source->plane = (uint32_t)usage_integer(source->program, "--plane", text, 1, UINT32_MAX); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

const struct argp source_argp = {.options = table, .parser = parse_option};
const struct argp source_whole_argp = {.options = table + 1, .parser = parse_option}; /* without --fail */

void source_argument(struct fabric_source *source, const char *path)
{
	add(source, path, DUMPS_ANY);
}

bool source_is_standard(const struct fabric_source *source)
{
	bool standard = !source->files;
	for (size_t i = 0; i < source->files; i++)
		standard |= !strcmp(source->file[i].path, "-");
	return standard;
}

void source_end(struct fabric_source *source)
{
	struct error error = {0};
	if (!source->files && isatty(STDIN_FILENO))
		usage_error(source->program, "no fabric: specify one, see orcs-fabric(7), or send one to standard input");
	if (!source->files)
		source_argument(source, "-");
	fabric_source_named(source, &error);
	usage_fail(source->program, &error);
}
