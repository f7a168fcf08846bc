#include "orcs/summary.h"

#include "base/memory.h"
#include "base/shown.h"
#include "cli/terminal.h"
#include "fabric/load_described.h"
#include "fabric/pair_loads.h"
#include "shapes/ideal.h"
#include "shapes/tree_levels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* About a second each: hosts times switches of counting routes, and channels times switches of shares where levels are none of a tree. */
static const double most_entries = 2e8, most_searches = 1e8;

enum { BAR = 20 };

/* What heads the first line that is written, and the others. */
static const char *heading(FILE *file, bool *begun)
{
	static const char *const heads[] = {"verdict: ", "\033[1mverdict:\033[0m ", "         "};
	const char *head = heads[*begun ? 2 : terminal_colour(fileno(file))];
	*begun = true;
	return head;
}

/* A bar in the colours of good, middling and poor shares. */
static void write_bar(FILE *file, double share)
{
	int full = (int)(fmin(share, 1) * BAR + 0.5);
	if (!terminal_unicode(fileno(file)))
		return;
	if (terminal_colour(fileno(file)))
		fputs(share >= 0.95 ? "\033[32m" : share >= 0.75 ? "\033[33m" : "\033[31m", file);
	for (int i = 0; i < BAR; i++)
		fputs(i < full ? "█" : "░", file);
	fputs(terminal_colour(fileno(file)) ? "\033[0m " : " ", file);
}

/* The bandwidth of all hosts under a random bisection beside that of an ideal tree. *share: NAN if the runs had another pattern. */
static int write_bandwidth(const struct job *job, const struct report *report, bool *begun, double *share, struct error *error)
{
	FILE *file = job->terminal;
	const struct threshold bandwidth = {.key = "bw"};
	struct ideal ideal;
	double mean;
	*share = NAN;
	if (strcmp(job->options.pattern.spec, "bisect") || job->placement.ranks != job->fabric->hosts ||
		report_value(report, &bandwidth, &mean) || isnan(mean))
		return 0;
	if (ideal_of_fabric(&ideal, job->fabric, 0, error))
		return -1;
	*share = mean / ideal.bisect;
	fputs(heading(file, begun), file);
	write_bar(file, *share);
	bool single = ideal.levels == 1; /* as of a torus: there is no tree of its levels to compare with */
	fprintf(file, "a random bisection gets %.3f of the peak, %.0f%% of %s (%.3f)\n", mean, 100 * *share,
		single ? "one switch with all hosts" : "an ideal tree of this size", ideal.bisect);
	return 0;
}

/* The loads of uniform traffic. *above: channels above their share. */
static int write_loads(const struct job *job, bool *begun, uint32_t *above, struct error *error)
{
	FILE *file = job->terminal;
	const struct fabric *f = job->fabric;
	double switches = (double)(f->nodes - f->hosts);
	struct fair_share fair = {0};
	*above = 0;
	if (!job->forwarding || job->routes || f->hosts * (switches + f->nodes / 64.0) > most_entries)
		return 0;
	uint32_t *level = tree_levels_make(f, error);
	double *routes = pair_loads_routes(f, job->forwarding, NULL, error);
	bool quick = level && (levels_are_layered(f, level) || switches * f->channels <= most_searches);
	if (routes && quick && !fair_share_find(&fair, f, routes, level, error)) {
		fputs(heading(file, begun), file);
		write_load(file, f, &fair);
		putc('\n', file);
		*above = fair.above;
	}
	fair_share_clear(&fair);
	free(routes);
	free(level);
	return error->status ? -1 : 0;
}

/* Whether a shell takes the name as it is. */
static bool is_plain(const char *name)
{
	return *name && *name != '-' && !name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._/:=,+-")];
}

/* Commands that help on, by what was found. Other tools have to be told of routes that the fabric does not have itself. */
static void write_next(const struct job *job, bool poor)
{
	FILE *file = job->terminal;
	const struct options *o = &job->options;
	const char *name = o->fabric.files == 1 && is_plain(o->fabric.file[0].path) ? o->fabric.file[0].path : "FABRIC";
	fprintf(file, terminal_colour(fileno(file)) ? "\033[1mnext:\033[0m    " : "next:    ");
	fprintf(file, poor ? "orcs-advise %s (what would be better)" : "orcs-check %s (is it sound)", name);
	if (!o->routing && !o->routes)
		fprintf(file, ", orcs-report %s -o report.html (cable by cable)", name);
	putc('\n', file);
}

int summary_write(const struct job *job, const struct report *report, struct error *error)
{
	const struct options *o = &job->options;
	bool begun = false;
	double share;
	uint32_t above;
	if (o->quiet || strcmp(o->output, "-") || o->format != FORMAT_TEXT || job->outcome.partial || !job->terminal)
		return 0;
	if (write_bandwidth(job, report, &begun, &share, error) || write_loads(job, &begun, &above, error))
		return -1;
	if (begun)
		write_next(job, above || share < 0.95);
	fflush(job->terminal);
	return 0;
}
