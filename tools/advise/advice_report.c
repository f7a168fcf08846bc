#include "tools/advise/advise_report.h"

#include "base/document.h"
#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char *deadlock_text(const struct advice *a)
{
	return !a->known ? "unknown" : a->deadlock ? "possible" : "none";
}

/* Those with the tables of another have none. */
static bool has_row(const struct advice_result *r, int i)
{
	return !*r->advice[i].refusal && !r->advice[i].same;
}

struct advice_rows {
	const struct advice_result *result;
	const struct advise_options *options;
	const struct advice *list[ADVICE_MOST]; /* [count] the base first, then the steps, then the others that are there by their scores */
	size_t count;
};

static void list_rows(struct advice_rows *rows, const struct advice_result *r)
{
	rows->list[rows->count++] = &r->advice[r->base];
	for (int s = 0; s < r->steps; s++)
		rows->list[rows->count++] = &r->advice[r->order[s]];
	for (int i = 0; i < r->kinds; i++)
		if (has_row(r, i) && i != r->base && !r->advice[i].advised) {
			size_t at = rows->count++;
			for (; at > 1U + (size_t)r->steps && rows->list[at - 1]->score < r->advice[i].score; at--)
				rows->list[at] = rows->list[at - 1];
			rows->list[at] = &r->advice[i];
		}
}

/* A routing has a row for each pattern; those after the first have only its bandwidth. */
static void advice_row(struct row *row, size_t index, const void *data)
{
	const struct advice_rows *rows = data;
	size_t patterns = (size_t)rows->options->patterns, pattern = index % patterns;
	const struct advice *a = rows->list[index / patterns];
	const struct advice_gain *g = &a->of[pattern];
	bool base = index < patterns, first = !pattern;
	if (a->step && first)
		row_count(row, (uint64_t)a->step);
	else
		row_text(row, base && first ? "now" : "");
	row_text(row, first ? a->kind->what : "");
	if (patterns > 1)
		row_text(row, rows->options->pattern[pattern].spec);
	else
		row_put(row, NO_VALUE);
	row_print(row, "%.4f +- %.4f", g->mean, (g->high - g->low) / 2);
	if (base)
		row_put(row, NO_VALUE);
	else
		row_print(row, "%+.4f +- %.4f", fabs(g->gain) < 5e-5 ? 0 : g->gain, (g->gain_high - g->gain_low) / 2);
	if (!first) {
		for (int i = 0; i < 6; i++)
			row_text(row, "");
		return;
	}
	row_number(row, a->largest, "%.2f");
	row_number(row, a->shifts, "%.2f");
	row_count(row, a->unreachable);
	row_text(row, deadlock_text(a));
	row_count(row, a->lanes);
	if (base)
		row_put(row, NO_VALUE);
	else
		row_print(row, "%.1f%%", a->entries ? 100.0 * (double)a->changed / (double)a->entries : 0.0);
}

static const struct column columns[] = {
	{.title = "step", .left = true},
	{.title = "routing", .left = true, .before = "  "},
	{.title = "pattern", .left = true, .before = "  ", .optional = true},
	{.title = "bandwidth", .left = true, .before = "  "},
	{.title = "gain", .left = true, .before = "  "},
	{.title = "largest load", .before = "  "},
	{.title = "shifts", .before = "  "},
	{.title = "pairs lost", .before = "  "},
	{.title = "deadlocks", .left = true, .before = "  "},
	{.title = "lanes", .before = "  "},
	{.title = "changed", .before = "  "},
};

/* The gains of a step, by pattern. */
static void say_gains(FILE *text, const struct advice *a, const struct advice *base, const struct advise_options *o)
{
	for (int p = 0; p < o->patterns; p++) {
		double gain = a->of[p].gain, percent = 100 * gain / base->of[p].mean;
		if (fabs(gain) < 5e-5 || !isfinite(percent))
			fprintf(text, "%s no change of %s", p ? ";" : ":", SHOWN(o->pattern[p].spec));
		else
			fprintf(text, "%s %+.4f, %.0f%% %s bandwidth of %s", p ? ";" : ":", gain, fabs(percent), gain < 0 ? "less" : "more",
				SHOWN(o->pattern[p].spec));
	}
}

static void say_steps(FILE *text, const struct advice_result *r, const struct advise_options *o)
{
	const struct advice *base = &r->advice[r->base];
	if (base->unreachable)
		fprintf(text, "\nnow: %" PRIu64 " of %" PRIu64 " pairs of hosts have no route; 'orcs-check' names them\n",
			base->unreachable, base->pairs);
	if (base->known && base->deadlock)
		fputs("\nnow: packets can deadlock; 'orcs-check' shows a cycle\n", text);
	if (base->hottest != NONE) {
		char channel[300], guids[GUIDS_TEXT];
		const struct fabric *f = r->fabric;
		fprintf(text, "\nnow: the largest load is on %s: %.2f, %" PRIu64 " routes%s; 'orcs-trace --channel' names their hosts\n",
			channel_text(f, base->hottest, channel, sizeof channel), base->largest, base->routes,
			guids_text(f->labels->guid[fabric_tail(f, base->hottest)], f->labels->guid[f->head[base->hottest]], guids));
	}
	const char *before = "\nthe same tables: ";
	for (int i = 0; i < r->kinds; i++)
		if (r->advice[i].same) {
			fprintf(text, "%s%s as %s", before, r->advice[i].kind->what, r->advice[i].same->what);
			before = "; ";
		}
	fputs(*before == ';' ? "\n" : "", text);
	for (int i = 0; i < r->kinds; i++)
		if (*r->advice[i].refusal && r->advice[i].kind->engine && strcmp(r->advice[i].refusal, ADVICE_NOT_TRIED)) {
			char reason[sizeof r->advice[i].refusal]; /* what it advises is tried here, too: lists of roots */
			snprintf(reason, sizeof reason, "%.*s", (int)strcspn(r->advice[i].refusal, ";"), r->advice[i].refusal);
			fprintf(text, "not possible: %s: %s\n", r->advice[i].kind->what, SHOWN(reason));
		}
	for (int i = 0; i < r->kinds; i++)
		if (r->advice[i].uncertain && !r->advice[i].same)
			fprintf(text,
				"uncertain: %s: routes lead on from switches with several hosts, to switches beside or below them, where memory addresses "
				"decide which entries OpenSM's ftree leaves out; list other roots\n",
				r->advice[i].kind->what);
	if (!r->steps) {
		fputs("\nadvice: keep the routing: nothing that OpenSM can load gains more than chance without a loss\n", text);
		return;
	}
	const struct advice *best = &r->advice[r->order[0]];
	fprintf(text, "\nadvice: %s", best->kind->what);
	if (best->kind->tables)
		fputs(" (opensm -R file -U lfts)", text);
	else
		fprintf(text, " (opensm -R %s%s%s%s)", best->kind->opensm, best->kind->roots ? " -a root_guids" : "",
			best->kind->compute_nodes ? " -u cn_guids" : "", best->kind->torus ? " -Q --torus_config torus-2QoS.conf" : "");
	say_gains(text, best, base, o);
	fprintf(text, "%s\n",
		!advice_cures(best, base) ? ""
		: base->deadlock          ? ", and no deadlocks"
					  : ", and routes for pairs that have none");
	if (o->folder && r->plane)
		fprintf(text, "files: %s/plane-%" PRIu32 "; each folder's opensm.conf says how to load them and how to go back\n",
			SHOWN(o->folder), r->plane);
	else if (o->folder)
		fprintf(text, "files: %s; each folder's opensm.conf says how to load them and how to go back\n", SHOWN(o->folder));
	else
		fputs("files: repeat with -o DIR\n", text);
}

static void add_gain(struct node *to, const struct advice_gain *g)
{
	add_number(to, "mean", g->mean);
	add_range(to, "ci95", g->low, g->high);
	add_number(to, "gain", g->gain);
	add_range(to, "gain_ci95", g->gain_low, g->gain_high);
}

static void add_advice(struct node *to, const struct fabric *f, const struct advice *a, const struct advise_options *o)
{
	bool there = !*a->refusal;
	add_text(to, "routing", a->kind->what);
	add_text(to, "engine", a->kind->engine);
	add_text(to, "refusal", there ? NULL : a->refusal);
	add_text(to, "same_as", a->same ? a->same->what : NULL);
	add_bool(to, "advised", a->advised);
	add_bool(to, "uncertain", a->uncertain);
	add_value(to, "step", value_of_some((uint64_t)a->step));
	if (!there)
		return;
	add_gain(to, &a->of[0]);
	struct node *patterns = add_list(to, "patterns");
	for (int p = 0; p < o->patterns; p++) {
		struct node *of = add_object(patterns, NULL);
		add_text(of, "pattern", o->pattern[p].spec);
		add_gain(of, &a->of[p]);
	}
	add_number(to, "largest_load", a->largest);
	add_count(to, "routes", a->routes);
	add_number(to, "shifts", a->shifts);
	if (a->hottest != NONE)
		add_channel(add_object(to, "hottest"), f, a->hottest);
	else
		add_value(to, "hottest", NO_VALUE);
	add_count(to, "unreachable", a->unreachable);
	add_value(to, "deadlock_free", a->known ? value_of_bool(!a->deadlock) : NO_VALUE);
	add_count(to, "lanes", a->lanes);
	add_count(to, "entries", a->entries);
	add_count(to, "entries_changed", a->changed);
}

static void add_result(struct node *root, const struct advice_result *r, const struct advise_options *o)
{
	add_fabric(root, r->fabric);
	add_text(root, "pattern", o->pattern[0].spec);
	add_count(root, "runs", o->runs);
	add_text(root, "base", r->advice[r->base].kind->what);
	add_text(root, "folder", o->folder);
	struct node *list = add_list(root, "routings");
	for (int i = 0; i < r->kinds; i++)
		if (!*r->advice[i].refusal || (r->advice[i].kind->engine && strcmp(r->advice[i].refusal, ADVICE_NOT_TRIED)))
			add_advice(add_object(list, NULL), r->fabric, &r->advice[i], o);
}

/* In JSON, the command of a plane selects it. */
static void add_plane(struct node *to, const struct advice_result *r, const struct advise_options *o)
{
	struct document *d = document_of(to);
	struct node *root = d->root;
	add_count(to, "plane", r->plane);
	d->root = add_object(to, "result");
	struct node *command = add_head(d, "orcs-advise/1", 1, o->argv);
	add_text(command, NULL, "--plane");
	add_text(command, NULL, document_print(d, "%" PRIu32, r->plane));
	for (int i = 1; i < o->argc; i++)
		add_text(command, NULL, o->argv[i]);
	add_result(d->root, r, o);
	d->root = root;
}

static void say_result(struct document *d, const struct advice_result *r, const struct advise_options *o)
{
	const struct fabric *f = r->fabric;
	struct advice_rows rows = {.result = r, .options = o};
	write_shown(d->text, f->labels->source);
	if (r->plane)
		fprintf(d->text, ", plane %" PRIu32, r->plane);
	fprintf(d->text, ": %" PRIu32 " hosts, %" PRIu32 " switches;", f->hosts, f->nodes - f->hosts);
	for (int p = 0; p < o->patterns; p++)
		fprintf(d->text, " %s,", SHOWN(o->pattern[p].spec));
	fprintf(d->text, " %" PRIu64 " runs\n\n", o->runs);
	list_rows(&rows, r);
	say_table(d, (struct table){columns, sizeof columns / sizeof *columns, rows.count * (size_t)o->patterns, advice_row, &rows});
	say_steps(d->text, r, o);
}

int advice_report(
	const struct advice_result *const *result, uint32_t count, const struct advise_options *options, FILE *file, struct error *error)
{
	struct document d;
	if (!document_begin(&d, options->format, file, error)) {
		bool planes = result[0]->plane;
		add_head(&d, planes ? "orcs-advise-planes/1" : "orcs-advise/1", options->argc, options->argv);
		struct node *list = planes ? add_list(d.root, "planes") : NULL;
		for (uint32_t i = 0; i < count; i++) {
			fputs(i ? "\n" : "", d.text);
			say_result(&d, result[i], options);
			if (planes)
				add_plane(add_object(list, NULL), result[i], options);
			else
				add_result(d.root, result[i], options);
		}
	}
	return document_end(&d, error);
}
