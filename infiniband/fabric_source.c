#include "infiniband/fabric_source.h"

#include "base/input.h"
#include "base/memory.h"
#include "base/shown.h"
#include "fabric/fail.h"
#include "fabric/planes.h"
#include "fabric/topology_fabric.h"
#include "formats/cache.h"
#include "infiniband/graph_attributes.h"
#include "infiniband/import.h"
#include "infiniband/node_name_map.h"
#include "infiniband/recognise.h"
#include "topologies/topology.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- arguments */

int fabric_source_add(struct fabric_source *s, const char *path, unsigned kinds, struct error *error)
{
	for (size_t i = 0; i < s->files; i++)
		if (!strcmp(path, "-") && !strcmp(s->file[i].path, "-"))
			return error_set(error, STATUS_USAGE, "standard input can be specified only once");
	if (array_grow(&s->file, &s->capacity, s->files + 1, sizeof *s->file, error))
		return -1;
	s->file[s->files++] = (struct fabric_file){path, kinds};
	return 0;
}

static const char *shown_path(const char *path)
{
	return strcmp(path, "-") ? path : "<stdin>";
}

int fabric_source_fail(struct fabric_source *source, const char *list, struct error *error)
{
	if (array_grow(&source->fail, &source->fail_capacity, source->fails + 1, sizeof *source->fail, error))
		return -1;
	source->fail[source->fails++] = list;
	return 0;
}

int fabric_source_named(struct fabric_source *s, struct error *error)
{
	const char *first = shown_path(s->file[0].path);
	int made = s->files == 1   ? asprintf(&s->name, "%s", first)
		   : s->files == 2 ? asprintf(&s->name, "%s, %s", first, shown_path(s->file[1].path))
				   : asprintf(&s->name, "%s and %zu other files", first, s->files - 1);
	if (made >= 0)
		return 0;
	s->name = NULL;
	return error_set(error, STATUS_IO, "out of memory");
}

void fabric_source_clear(struct fabric_source *s)
{
	for (size_t i = 0; i < s->parts; i++)
		free((char *)s->part[i].path);
	free(s->part);
	free(s->file);
	free(s->fail);
	free(s->name);
	*s = (struct fabric_source){0};
}

const char *fabric_source_spec(const struct fabric_source *s)
{
	return s->files == 1 && s->file[0].kinds == DUMPS_ANY && topology_fabric_is(s->file[0].path) ? s->file[0].path : NULL;
}

/* ---- directories */

static int add_part(struct fabric_source *s, const char *folder, const char *name, unsigned kinds, struct error *error)
{
	char *path;
	if (array_grow(&s->part, &s->part_capacity, s->parts + 1, sizeof *s->part, error))
		return -1;
	if (asprintf(&path, "%s%s%s", folder, *folder ? "/" : "", name) < 0)
		return error_set(error, STATUS_IO, "out of memory");
	s->part[s->parts++] = (struct fabric_file){path, kinds};
	return 0;
}

static bool is_folder(const char *path)
{
	struct stat about;
	return strcmp(path, "-") && !stat(path, &about) && S_ISDIR(about.st_mode);
}

/* Content of a directory: dumps of the wanted kinds, or graphs. */
struct folder {
	size_t graphs, dumps;
	char graph[300], other[300]; /* name of a graph, and of a dump or another graph */
};

static int is_no_hidden(const struct dirent *entry)
{
	return *entry->d_name != '.';
}

/* Checks that a file can be read: what nobody recognises for this reason may be a part of the fabric. Returns 0, or -1. */
static int check_readable(const char *path, struct error *error)
{
	char first;
	struct input *input = input_open(path, error);
	if (input)
		input_read(input, &first, 1, error);
	input_close(input);
	return error->status ? -1 : 0;
}

/* Adds one file of a directory. Files that are neither dump nor graph are skipped. */
static int add_entry(struct fabric_source *s, const struct fabric_file *file, const char *name, struct folder *folder, struct error *error)
{
	struct stat about;
	if (add_part(s, file->path, name, file->kinds, error))
		return -1;
	const char *path = s->part[s->parts - 1].path;
	bool found = !stat(path, &about);
	int holds = found && S_ISREG(about.st_mode) ? recognise(path, error) : 0;
	if (!holds && (!found || S_ISREG(about.st_mode)))
		check_readable(path, error);
	bool graph = holds & HOLDS_GRAPH && file->kinds == DUMPS_ANY, dump = !graph && (unsigned)holds & file->kinds;
	if (holds > 0 && (dump || (graph && !folder->graphs && !folder->dumps))) {
		folder->dumps += dump;
		folder->graphs += graph;
		snprintf(graph ? folder->graph : folder->other, sizeof folder->other, "%s", name);
		return 0;
	}
	if (graph) {
		folder->graphs++;
		snprintf(folder->graph, sizeof folder->graph, "%s", name);
	}
	free((char *)s->part[--s->parts].path);
	return error->status ? -1 : 0;
}

/* Adds the files of a directory, in the order of their names. */
static int add_folder(struct fabric_source *s, const struct fabric_file *file, struct error *error)
{
	struct dirent **entry;
	struct folder folder = {0};
	int count = scandir(file->path, &entry, is_no_hidden, alphasort);
	if (count < 0)
		return error_at(error, STATUS_IO, file->path, 0, "cannot read the directory: %s", strerror(errno));
	for (int i = 0; i < count; i++) {
		if (!error->status)
			add_entry(s, file, entry[i]->d_name, &folder, error);
		free(entry[i]);
	}
	free(entry);
	if (error->status)
		return -1;
	if (folder.graphs && folder.dumps)
		return error_at(error, STATUS_FABRIC, file->path, 0,
			"the directory has graphs such as '%s' and dumps such as '%s'; specify one of them", folder.graph, folder.other);
	if (folder.graphs > 1)
		return error_at(error, STATUS_FABRIC, file->path, 0, "the directory has %zu graphs such as '%s'; specify one of them",
			folder.graphs, folder.graph);
	if (!folder.graphs && !folder.dumps)
		return error_at(error, STATUS_FABRIC, file->path, 0, "the directory has no fabric: neither a recognised dump nor a graph");
	return 0;
}

/* ---- files and formats */

/* Replaces directories by their files. Returns 0, or -1. */
static int expand(struct fabric_source *s, struct error *error)
{
	for (size_t i = 0; i < s->files; i++)
		if (is_folder(s->file[i].path) ? add_folder(s, &s->file[i], error)
					       : add_part(s, "", s->file[i].path, s->file[i].kinds, error))
			return -1;
	return 0;
}

/* Registers the files that are read with files. */
static int name_files(const struct fabric_source *s, struct files *files, struct error *error)
{
	if (s->form == FORM_SPECIFICATION && topology_files(s->file[0].path, files, error))
		return -1;
	for (size_t i = 0; i < s->parts; i++)
		if (files_read(files, s->part[i].path, error))
			return -1;
	return s->node_name_map ? files_read(files, s->node_name_map, error) : 0;
}

/* Refuses a graph, a cache or a topology where only dumps are read. Pipes and standard input are left to the reader. */
static int refuse_graph(const char *path, struct error *error)
{
	struct stat about;
	bool file = !stat(path, &about) && S_ISREG(about.st_mode);
	int holds = file ? recognise(path, error) : 0;
	if (holds > 0 ? holds & HOLDS_GRAPH : topology_fabric_is(path))
		error_at(error, STATUS_FABRIC, path, 0,
			"not a dump but a graph, a cache or a topology, which is a fabric by itself: orcs FABRIC");
	return error->status ? -1 : 0;
}

/* Determines the format. For a single file that is not a dump, the reader of graphs reports the error. */
static int find_form(struct fabric_source *s, struct error *error)
{
	s->form = FORM_DUMPS;
	for (size_t i = 0; i < s->parts; i++) {
		if (s->part[i].kinds != DUMPS_ANY) {
			if (refuse_graph(s->part[i].path, error))
				return -1;
			continue;
		}
		int holds = recognise(s->part[i].path, error);
		bool graph = holds & HOLDS_GRAPH || topology_fabric_is(s->part[i].path);
		if (holds < 0)
			return -1;
		if (graph && s->parts > 1)
			return error_at(error, STATUS_USAGE, shown_path(s->part[i].path), 0,
				"a graph, a cache or a topology is a fabric by itself; omit other files, --topology, --lft, --sl2vl and --service-levels");
		s->unrecognised = !graph && !holds && s->parts == 1;
		if (graph || s->unrecognised)
			s->form = FORM_GRAPH;
	}
	return 0;
}

int fabric_source_open(struct fabric_source *s, struct files *files, struct error *error)
{
	if (fabric_source_spec(s))
		s->form = FORM_SPECIFICATION;
	else if (expand(s, error) || find_form(s, error))
		return -1;
	return name_files(s, files, error);
}

int fabric_source_open_dumps(struct fabric_source *s, struct files *files, struct error *error)
{
	s->form = FORM_DUMPS;
	expand(s, error);
	for (size_t i = 0; i < s->parts && !error->status; i++)
		refuse_graph(s->part[i].path, error);
	return error->status || name_files(s, files, error) ? -1 : 0;
}

/* ---- loading */

static int load_dumps(struct fabric_source *s, unsigned wants, struct files *files, FILE *notes, struct fabric **fabric,
	struct forwarding **forwarding, struct attributes **attributes, struct dot_report *report, struct error *error)
{
	const struct import import = {.program = s->program, .source = s};
	struct subnet_graph *graph = import_read(&import, files, error);
	struct dot_graph made = {0};
	if (graph && !graph_attributes(graph, &made, error)) {
		if (notes && !s->reported)
			import_tell(&import, graph, notes);
		report->hint = graph->tables
				       ? NULL
				       : "the fabric is not routed: add its tables with --lft FILE, or -R ENGINE to orcs or orcs-compare";
	}
	const char *hint = report->hint;
	s->reported |= notes && graph;
	import_free(graph);
	if (!error->status)
		dot_graph_load(&made, s->name, wants, fabric, forwarding, attributes, report, error);
	report->hint = hint;
	dot_graph_clear(&made);
	return error->status ? -1 : 0;
}

static void append(struct error *error, const char *text)
{
	size_t used = strlen(error->text);
	snprintf(error->text + used, sizeof error->text - used, "%s", text);
}

static int load(struct fabric_source *s, unsigned wants, struct files *files, FILE *notes, struct fabric **fabric,
	struct forwarding **forwarding, struct attributes **attributes, struct dot_report *report, struct error *error)
{
	*report = (struct dot_report){0};
	if (s->form != FORM_DUMPS && s->levels != LEVELS_STATED)
		return error_set(error, STATUS_USAGE, "--service-levels=%s is for dumps: a graph has its service levels",
			level_rule_names[s->levels]);
	if (s->form == FORM_DUMPS)
		return load_dumps(s, wants, files, notes, fabric, forwarding, attributes, report, error);
	const char *path = s->form == FORM_SPECIFICATION ? s->file[0].path : s->part[0].path;
	uint32_t named;
	if (fabric_load(path, wants, fabric, forwarding, attributes, report, error)) {
		if (s->unrecognised && error->code == ERROR_SYNTAX)
			append(error, "; the file is not recognised as a graph, a cache or a dump");
		return -1;
	}
	if (!s->node_name_map)
		return 0;
	if (!node_name_map_fabric(s->node_name_map, *fabric, *attributes, &named, error)) {
		if (!named && notes && !s->reported)
			fprintf(notes, "%s: note: %s contains no GUID of this fabric\n", s->program, SHOWN(s->node_name_map));
		s->reported |= notes != NULL;
		return 0;
	}
	return -1;
}

/* Removes what failed, and notes that once. Returns 0, or -1. */
static int fail(struct fabric_source *s, unsigned wants, FILE *notes, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes *attributes, struct error *error)
{
	struct failed failed;
	if (fabric_fail(s->fail, s->fails, fabric, forwarding, attributes, &failed, error))
		return -1;
	if (*forwarding && !(wants & DOT_ALTERNATIVES)) {
		multipath_entries_free((*forwarding)->alternatives);
		(*forwarding)->alternatives = NULL;
	}
	if (notes && !s->failed) {
		fprintf(notes, "%s: note: --fail removes %" PRIu32 " cable%s, %" PRIu32 " switch%s and %" PRIu32 " host%s", s->program,
			failed.cables, failed.cables == 1 ? "" : "s", failed.switches, failed.switches == 1 ? "" : "es", failed.hosts,
			failed.hosts == 1 ? "" : "s");
		fprintf(notes,
			failed.entries && wants & DOT_TABLES ? "; table entries for other hosts that it removes: %" PRIu64 "\n" : "\n",
			failed.entries);
	}
	s->failed |= notes != NULL;
	return 0;
}

int fabric_source_load(struct fabric_source *s, unsigned wants, struct files *files, FILE *notes, struct fabric **fabric,
	struct forwarding **forwarding, struct attributes **attributes, struct dot_report *report, struct error *error)
{
	*fabric = NULL;
	*forwarding = NULL;
	*attributes = NULL;
	unsigned more =
		s->fails ? DOT_KEEP_PLACES | (wants & DOT_TABLES ? DOT_ALTERNATIVES : 0) : 0; /* the other channels of an entry stay */
	bool function = s->fails && s->form == FORM_SPECIFICATION && !(wants & DOT_TABLES);   /* which knows the order of ports */
	if (!load(s, wants | more | (function ? DOT_TABLES : 0), files, notes, fabric, forwarding, attributes, report, error) &&
		!(s->fails && fail(s, wants, notes, fabric, forwarding, *attributes, error)) &&
		!(s->plane && planes_take(s->plane - 1, fabric, forwarding, *attributes, error))) {
		if (function) {
			forwarding_free(*forwarding);
			*forwarding = NULL;
		}
		return 0;
	}
	attributes_free(*attributes);
	forwarding_free(*forwarding);
	fabric_free(*fabric);
	*attributes = NULL;
	*forwarding = NULL;
	*fabric = NULL;
	return -1;
}
