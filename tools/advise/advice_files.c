/* The folders of the steps. */
#include "tools/advise/advise_report.h"

#include "base/files.h"
#include "base/shown.h"
#include "infiniband/export.h"
#include "routings/usual_lists.h"

#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4200 };

static int make_folder(const char *path, struct error *error)
{
	return mkdir(path, 0777) ? error_set(error, STATUS_IO, "%s: cannot make the directory: %s", SHOWN(path), strerror(errno)) : 0;
}

/* Writes the GUIDs of nodes, one per line. */
static int write_guids(const char *folder, const char *name, const struct advice_result *r, const uint32_t *node, uint32_t count,
	struct files *files, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct output output = {0};
	char path[PATH_SIZE + 40];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (files_write(files, &output, path, error))
		return -1;
	for (uint32_t i = 0; i < count && !error->status; i++) {
		if (!f->labels->guid[node[i]])
			error_at(error, STATUS_USAGE, f->labels->source, 0,
				"'%s' has no GUID, which OpenSM's files need: -o is for dumps and graphs of them",
				f->labels->name[node[i]]);
		fprintf(output.file, "0x%016" PRIx64 "\n", f->labels->guid[node[i]]);
	}
	if (!error->status)
		output_commit(&output, error);
	output_discard(&output);
	return error->status ? -1 : 0;
}

static int write_text(const char *folder, const char *name, const char *text, struct files *files, struct error *error)
{
	struct output output = {0};
	char path[PATH_SIZE + 40];
	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (!files_write(files, &output, path, error)) {
		fputs(text, output.file);
		output_commit(&output, error);
	}
	output_discard(&output);
	return error->status ? -1 : 0;
}

static int write_lists(
	const char *folder, const struct advice_kind *kind, const struct advice_result *r, struct files *files, struct error *error)
{
	const struct fabric *fabric = r->fabric;
	struct fat_tree tree = {0};
	uint32_t roots = 0, nodes = 0, *node = NULL;
	uint32_t *root = roots_usual(fabric, strcmp(kind->opensm, "ftree") != 0, &tree, &roots, error);
	if (root && !write_guids(folder, "root_guids", r, root, roots, files, error) && kind->compute_nodes &&
		(node = compute_nodes_usual(fabric, root, roots, &nodes, error)))
		write_guids(folder, "cn_guids", r, node, nodes, files, error);
	fat_tree_clear(&tree);
	free(root);
	free(node);
	return error->status ? -1 : 0;
}

/* Writes the tables: the routed graph, and what OpenSM reads. */
static int write_tables(
	const char *folder, const struct advice_result *result, const struct advise_options *o, struct files *files, struct error *error)
{
	struct output graph = {0};
	char path[PATH_SIZE + 40], lfts[PATH_SIZE + 40];
	snprintf(path, sizeof path, "%s/routed.dot", folder);
	snprintf(lfts, sizeof lfts, "%s/lfts", folder);
	if (files_write(files, &graph, path, error))
		return -1;
	fwrite(result->graph, 1, result->graph_size, graph.file);
	output_commit(&graph, error);
	output_discard(&graph);
	struct fabric_source source = {.program = o->fabric.program};
	struct export export = {.program = o->fabric.program, .form = EXPORT_LFTS, .source = &source};
	if (!error->status && !fabric_source_add(&source, path, DUMPS_ANY, error) && !fabric_source_named(&source, error))
		export_run(&export, lfts, error);
	fabric_source_clear(&source);
	return error->status ? -1 : 0;
}

static int write_conf(const char *folder, const struct advice *a, const struct advice_result *r, const struct advise_options *o,
	struct files *files, struct error *error)
{
	const struct advice *base = &r->advice[r->base];
	struct output output = {0};
	char path[PATH_SIZE + 40];
	snprintf(path, sizeof path, "%s/opensm.conf", folder);
	if (files_write(files, &output, path, error))
		return -1;
	FILE *f = output.file;
	fprintf(f, "# orcs-advise: %s, for ", a->kind->what);
	write_shown(f, o->fabric.name);
	fputs(r->plane ? "" : "\n", f);
	if (r->plane)
		fprintf(f, ", plane %" PRIu32 "\n", r->plane);
	for (int p = 0; p < o->patterns; p++) {
		const struct advice_gain *g = &a->of[p];
		fprintf(f, "# Bandwidth of %s: %.4f, now %.4f (%+.4f, 95%% confidence: %+.4f to %+.4f).\n", SHOWN(o->pattern[p].spec),
			g->mean, base->of[p].mean, g->gain, g->gain_low, g->gain_high);
	}
	fprintf(f,
		"# Cost: %" PRIu64 " of %" PRIu64 " table entries change; %" PRIu64 " pairs of hosts without a route, now %" PRIu64 ".\n",
		a->changed, a->entries, a->unreachable, base->unreachable);
	if (a->lanes > 1)
		fprintf(f, "# It needs %u virtual lanes, and programs that ask for the service levels of their paths.\n", a->lanes);
	fputs("#\n# To load: copy the files of this folder to /etc/opensm, save the present opensm.conf, replace the lines below in it\n"
	      "# (opensm -c FILE writes one with all lines), and restart OpenSM on the master. OpenSM's log must name the engine and no fallback.\n"
	      "# Then dump the tables again and compare: orcs-check --against OLD NEW.\n"
	      "# To go back: restore the saved opensm.conf, and restart OpenSM.\n",
		f);
	if (a->kind->tables)
		fputs("# The tables are for this cabling: write them anew when cables, switches, hosts or LIDs change. Destinations that the file does\n"
		      "# not have keep OpenSM's own routes.\n",
			f);
	fprintf(f, "\nrouting_engine %s\n", a->kind->opensm);
	if (a->kind->roots)
		fputs("root_guid_file /etc/opensm/root_guids\n", f);
	if (a->kind->compute_nodes)
		fputs("cn_guid_file /etc/opensm/cn_guids\n", f);
	if (a->kind->torus)
		fputs("torus_config /etc/opensm/torus-2QoS.conf\nqos TRUE\n", f);
	if (a->kind->tables)
		fputs("lfts_file /etc/opensm/lfts\n", f);
	output_commit(&output, error);
	output_discard(&output);
	return error->status ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *about, int type, struct FTW *place)
{
	(void)about;
	(void)type;
	(void)place;
	return remove(path);
}

int advice_check_folder(const char *folder, struct error *error)
{
	struct stat about;
	char parent[PATH_SIZE];
	if (!lstat(folder, &about))
		return error_set(error, STATUS_USAGE, "%s exists: name a new directory", SHOWN(folder));
	size_t length = strlen(folder);
	while (length > 1 && folder[length - 1] == '/')
		length--;
	while (length && folder[length - 1] != '/')
		length--;
	snprintf(parent, sizeof parent, "%.*s", length ? (int)length : 1, length ? folder : ".");
	return access(parent, W_OK | X_OK)
		       ? error_set(error, STATUS_IO, "%s: cannot make the directory: %s", SHOWN(folder), strerror(errno))
		       : 0;
}

/* Writes the folders of a result into the directory. */
static int write_steps(
	const char *path, const struct advice_result *r, const struct advise_options *o, struct files *files, struct error *error)
{
	char folder[PATH_SIZE];
	for (int s = 0; s < r->steps && !error->status; s++) {
		const struct advice *a = &r->advice[r->order[s]];
		snprintf(folder, sizeof folder, "%s/%d-%s", path, s + 1, a->kind->folder);
		if (make_folder(folder, error) || write_conf(folder, a, r, o, files, error) ||
			(a->kind->roots && write_lists(folder, a->kind, r, files, error)))
			break;
		if (a->kind->torus && r->torus)
			write_text(folder, "torus-2QoS.conf", r->torus, files, error);
		if (a->kind->tables)
			write_tables(folder, r, o, files, error);
	}
	return error->status ? -1 : 0;
}

int advice_write(const struct advice_result *const *result, uint32_t count, const struct advise_options *options, struct files *files,
	struct error *error)
{
	char path[PATH_SIZE / 2], folder[PATH_SIZE / 2 + 32];
	size_t length = strlen(options->folder);
	int steps = 0;
	while (length > 1 && options->folder[length - 1] == '/')
		length--;
	for (uint32_t i = 0; i < count; i++)
		steps += result[i]->steps;
	if (advice_check_folder(options->folder, error))
		return -1;
	if (!steps)
		return 0;
	if ((size_t)snprintf(path, sizeof path, "%.*s.orcs-%ld", (int)length, options->folder, (long)getpid()) >= sizeof path)
		return error_set(error, STATUS_USAGE, "the name of the directory is too long");
	if (mkdir(path, 0777))
		return error_set(error, STATUS_IO, "%s: cannot make the directory: %s", SHOWN(options->folder), strerror(errno));
	for (uint32_t i = 0; i < count && !error->status; i++) {
		snprintf(folder, sizeof folder, "%s", path);
		if (result[i]->plane)
			snprintf(folder, sizeof folder, "%s/plane-%" PRIu32, path, result[i]->plane);
		if (result[i]->steps && !(result[i]->plane && make_folder(folder, error)))
			write_steps(folder, result[i], options, files, error);
	}
	if (!error->status && rename(path, options->folder))
		error_set(error, STATUS_IO, "%s: cannot rename: %s", SHOWN(options->folder), strerror(errno));
	if (error->status)
		nftw(path, remove_one, 8, FTW_DEPTH | FTW_PHYS);
	return error->status ? -1 : 0;
}
