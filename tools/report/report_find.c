/* What the report finds once the routes are counted; in process 0. */
#include "tools/report/report.h"

#include "base/memory.h"
#include "base/shown.h"
#include "fabric/host_distances.h"
#include "shapes/fat_tree_text.h"
#include "shapes/tree_levels.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- names */

struct named {
	const char *desc;
	uint32_t node;
};

static int compare_named(const void *left, const void *right)
{
	const struct named *a = left, *b = right;
	return strcmp(a->desc, b->desc);
}

/* Finds the names by which nodes are shown. */
static int find_names(struct fabric_report *r, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct named *list = array_create(f->nodes, sizeof *list, error);
	r->name = array_create(f->nodes, sizeof *r->name, error);
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		list[v] = (struct named){f->labels->desc[v], v};
		r->name[v] = f->labels->name[v];
	}
	if (!error->status)
		qsort(list, f->nodes, sizeof *list, compare_named);
	for (uint32_t i = 0; i < f->nodes && !error->status; i++)
		if (*list[i].desc && (!i || strcmp(list[i - 1].desc, list[i].desc)) &&
			(i + 1 == f->nodes || strcmp(list[i + 1].desc, list[i].desc)))
			r->name[list[i].node] = list[i].desc;
	free(list);
	return error->status ? -1 : 0;
}

/* ---- rivals */

double report_rivals(const struct fabric_report *report, uint32_t channel)
{
	struct rivals rivals = {0};
	if (!report->loads.load)
		return NAN;
	rivals_add(&rivals, &report->loads.load[channel], report->loads.hosts);
	return rivals_mean(&rivals);
}

/* Returns a new array [tiers] of the means over routes. */
static double *tier_rivals(const struct fabric_report *r, const struct loads *loads, struct error *error)
{
	uint32_t tiers = r->fair.tiers;
	struct rivals *rivals = array_create(tiers, sizeof *rivals, error);
	double *mean = array_create(tiers, sizeof *mean, error);
	for (uint32_t c = 0; c < r->fabric->channels && !error->status && loads->load; c++)
		if (r->fair.tier_of[c] != NONE)
			rivals_add(&rivals[r->fair.tier_of[c]], &loads->load[c], loads->hosts);
	for (uint32_t t = 0; t < tiers && !error->status; t++)
		mean[t] = rivals_mean(&rivals[t]);
	free(rivals);
	if (!error->status)
		return mean;
	free(mean);
	return NULL;
}

/*
 * Rivals in the ideal tree: a channel up has the routes of all H hosts below to an equal part D of the destinations elsewhere, so that a
 * route meets each of the (H - 1) (D - 1) pairs of other ends with the probability (m - 1) / ((n - 2) (n - 3)); a channel down is never
 * shared.
 */
static double ideal_rivals(const struct fabric_report *r, const struct load_tier *tier)
{
	const struct ideal *ideal = &r->ideal;
	double n = r->fabric->hosts, m = r->fabric->hosts / 2;
	bool up = tier->from == LEVEL_HOST || (tier->to != LEVEL_HOST && tier->to > tier->from);
	if (!report_has_ideal(r) || n < 4 || tier->from == tier->to)
		return NAN;
	if (!up || tier->from == LEVEL_HOST)
		return 0;
	uint32_t level = tier->from + 1;
	if (level >= ideal->levels || !ideal->channels[level])
		return NAN;
	double below = ideal->most[level], part = (n - below) / (double)ideal->channels[level];
	return below < 1 || part < 1 ? 0 : (below - 1) * (part - 1) * (m - 1) / ((n - 2) * (n - 3));
}

static int find_rivals(struct fabric_report *r, struct error *error)
{
	r->tier_rivals = tier_rivals(r, &r->loads, error);
	r->ideal_rivals = array_create(r->fair.tiers, sizeof *r->ideal_rivals, error);
	for (uint32_t t = 0; t < r->fair.tiers && !error->status; t++) {
		r->ideal_rivals[t] = ideal_rivals(r, &r->fair.tier[t]);
		if (!r->loads.load)
			r->tier_rivals[t] = NAN;
	}
	return error->status ? -1 : 0;
}

/* ---- other routings */

static int find_others(struct fabric_report *r, struct error *error)
{
	const struct report_options *o = r->options;
	if (o->compare)
		return other_routings_read(&r->others, o->compare, r->hash, r->fabric->hosts, error);
	if (other_routings_take(&r->others, &r->run, error))
		return -1;
	for (int i = 0; i < r->others.count; i++)
		if (r->run_loads[i].load)
			r->others.routing[i].rivals = tier_rivals(r, &r->run_loads[i], error);
		else if (i == r->others.base && r->loads.load)
			r->others.routing[i].rivals = tier_rivals(r, &r->loads, error);
	return error->status ? -1 : 0;
}

/* ---- jobs */

enum { JOB_CHANNELS = 10 };

static int find_jobs(struct fabric_report *r, struct error *error)
{
	static const struct pattern_request pattern = {.spec = "alltoall", .first_ranks = -1, .seed = 1};
	if (!r->options->jobs)
		return 0;
	if (job_study_find(&r->jobs, r->fabric, r->forwarding, &pattern, JOB_CHANNELS, error) && error->code == ERROR_NO_ROUTE) {
		error_facts(error, r->jobs_refusal, sizeof r->jobs_refusal); /* the fabric needs its report all the more */
		*error = (struct error){0};
	}
	if (error->status)
		return -1;
	if (r->notes)
		job_study_warn(&r->jobs, r->fabric, "orcs-report", r->notes);
	return 0;
}

/* ---- the fabric */

static int find_shape(struct fabric_report *r, struct error *error)
{
	r->reverse = fabric_reverse(r->fabric, error);
	if (error->status || fabric_rails(&r->rails, r->fabric, r->attributes, error) ||
		shape_find(&r->shape, r->fabric, r->reverse, error))
		return -1;
	r->usual_rails = rails_usual(&r->rails, error);
	return error->status || (!r->shape.regular && fat_tree_find(&r->tree, r->fabric, r->reverse, error)) ? -1 : 0;
}

int report_find(struct fabric_report *report, struct error *error)
{
	struct fabric_report *r = report;
	uint32_t *level = tree_levels_make(r->fabric, error);
	if (level)
		fair_share_find(&r->fair, r->fabric, r->routes, level, error);
	free(level);
	if (error->status || scene_make(&r->scene, r->fabric, &r->fair, r->attributes, error) || find_shape(r, error) ||
		ideal_of_fabric(&r->ideal, r->fabric, 0, error) || find_names(r, error) || find_rivals(r, error))
		return -1;
	return oddities_find(&r->oddities, r, error) || find_others(r, error) || find_jobs(r, error) ? -1 : 0;
}

void report_clear_all(struct fabric_report *report)
{
	struct fabric_report *r = report;
	job_study_clear(&r->jobs);
	program_study_clear(&r->program);
	other_routings_clear(&r->others);
	for (int i = 0; i < ADVICE_MOST; i++)
		loads_clear(&r->run_loads[i]);
	if (r->lanes != r->run.lanes[r->run.result.base])
		virtual_lanes_free(r->lanes);
	advice_clear(&r->run);
	oddities_clear(&r->oddities);
	free(r->name);
	rails_clear(&r->rails);
	fat_tree_clear(&r->tree);
	shape_clear(&r->shape);
	free(r->reverse);
	scene_clear(&r->scene);
	free(r->ideal_rivals);
	free(r->tier_rivals);
	loads_clear(&r->loads);
	fair_share_clear(&r->fair);
	free(r->deadlock.cycle);
	free(r->routes);
	planes_clear(&r->planes);
	placement_clear(&r->placement);
	attributes_free(r->attributes);
	forwarding_free(r->forwarding);
	fabric_free(r->fabric);
	for (size_t i = 0; i < r->copies; i++)
		fclose(r->copy[i].file);
	free(r->copy);
	files_clear(&r->files);
}

/* ---- words */

const char *report_topology(const struct fabric_report *report, char *text, size_t size)
{
	const struct shape *s = &report->shape;
	FILE *file = fmemopen(text, size, "w");
	*text = '\0';
	if (!file)
		return text;
	if (report->tree.found)
		fat_tree_write(file, &report->tree, report->usual_rails);
	else if (s->planes > 1)
		fprintf(file, "%" PRIu32 " planes: %s", s->planes, s->name);
	else
		fputs(s->regular || strcmp(s->name, s->kind) ? s->name : "no regular topology", file);
	if (!report->tree.found && s->missing_switches)
		fprintf(file, "; %" PRIu32 " switch%s missing", s->missing_switches, s->missing_switches == 1 ? "" : "es");
	if (!report->tree.found && s->deviations)
		fprintf(file, "; %" PRIu32 " cable%s", s->deviations, s->deviations == 1 ? " deviates" : "s deviate");
	fclose(file);
	return text;
}

const char *report_level(uint32_t level, char text[12])
{
	if (level == LEVEL_HOST)
		return strcpy(text, "hosts");
	if (level == LEVEL_NONE)
		return strcpy(text, "none");
	snprintf(text, 12, "%" PRIu32, level);
	return text;
}

bool report_has_ideal(const struct fabric_report *report)
{
	return report->fair.tree && report->ideal.bisect > 0;
}

/* Returns the length of the directory's name that all files share, with its slash; 0: there is none, or only one file. */
static size_t common_folder(const struct fabric_source *s)
{
	const char *first = s->file[0].path, *slash = strrchr(first, '/');
	size_t length = slash && s->files > 1 ? (size_t)(slash - first) + 1 : 0;
	for (size_t i = 1; i < s->files && length; i++) {
		const char *other = strrchr(s->file[i].path, '/');
		if (!other || (size_t)(other - s->file[i].path) + 1 != length || strncmp(first, s->file[i].path, length) != 0)
			length = 0;
	}
	return length;
}

const char *report_title(const struct fabric_report *report, char *text, size_t size)
{
	const struct fabric_source *s = &report->options->fabric;
	if (report->options->title || !s->files || fabric_source_spec(s) || !strcmp(s->file[0].path, "-")) {
		snprintf(text, size, "%s", report->options->title ? report->options->title : s->name);
		return text;
	}
	size_t end = common_folder(s);
	const char *path = s->file[0].path;
	end = end ? end : s->files == 1 ? strlen(path) : 0;
	while (end > 1 && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start > 0 && path[start - 1] != '/')
		start--;
	if (end > start && path[start] != '.')
		snprintf(text, size, "%.*s", (int)(end - start), path + start);
	else
		snprintf(text, size, "%s", s->name);
	return text;
}
