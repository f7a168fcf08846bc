#include "tools/advise/advice.h"

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

static void advice_row(struct row *row, size_t index, const void *data)
{
	const struct advice_result *r = data;
	/* the base first, then the steps, then the others that are there */
	const struct advice *list[ADVICE_KINDS];
	size_t count = 0;
	list[count++] = &r->advice[r->base];
	for (int s = 0; s < r->steps; s++)
		list[count++] = &r->advice[r->order[s]];
	for (int i = 0; i < ADVICE_KINDS; i++)
		if (has_row(r, i) && i != r->base && !r->advice[i].advised)
			list[count++] = &r->advice[i];
	const struct advice *a = list[index];
	if (a->step)
		row_count(row, (uint64_t)a->step);
	else
		row_text(row, index ? "" : "now");
	row_text(row, a->kind->what);
	row_print(row, "%.4f +- %.4f", a->mean, (a->high - a->low) / 2);
	if (index)
		row_print(row, "%+.4f +- %.4f", fabs(a->gain) < 5e-5 ? 0 : a->gain, (a->gain_high - a->gain_low) / 2);
	else
		row_put(row, NO_VALUE);
	row_number(row, a->largest, "%.2f");
	row_number(row, a->shifts, "%.2f");
	row_count(row, a->unreachable);
	row_text(row, deadlock_text(a));
	row_count(row, a->lanes);
	if (index)
		row_print(row, "%.1f%%", a->entries ? 100.0 * (double)a->changed / (double)a->entries : 0.0);
	else
		row_put(row, NO_VALUE);
}

static const struct column columns[] = {
	{.title = "step", .left = true},
	{.title = "routing", .left = true, .before = "  "},
	{.title = "bandwidth", .left = true, .before = "  "},
	{.title = "gain", .left = true, .before = "  "},
	{.title = "largest load", .before = "  "},
	{.title = "shifts", .before = "  "},
	{.title = "pairs lost", .before = "  "},
	{.title = "deadlocks", .left = true, .before = "  "},
	{.title = "lanes", .before = "  "},
	{.title = "changed", .before = "  "},
};

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
	for (int i = 0; i < ADVICE_KINDS; i++)
		if (r->advice[i].same) {
			fprintf(text, "%s%s as %s", before, r->advice[i].kind->what, r->advice[i].same->what);
			before = "; ";
		}
	fputs(*before == ';' ? "\n" : "", text);
	for (int i = 0; i < ADVICE_KINDS; i++)
		if (*r->advice[i].refusal && r->advice[i].kind->engine) {
			char reason[sizeof r->advice[i].refusal]; /* what it advises is tried here, too: lists of roots */
			snprintf(reason, sizeof reason, "%.*s", (int)strcspn(r->advice[i].refusal, ";"), r->advice[i].refusal);
			fprintf(text, "not possible: %s: %s\n", r->advice[i].kind->what, SHOWN(reason));
		}
	for (int i = 0; i < ADVICE_KINDS; i++)
		if (r->advice[i].uncertain && !r->advice[i].same)
			fprintf(text,
				"uncertain: %s: switches with hosts are cabled to each other or to switches below them, where memory addresses decide which "
				"entries OpenSM's ftree leaves out; list other roots\n",
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
		fprintf(text, " (opensm -R %s%s%s)", best->kind->opensm, best->kind->roots ? " -a root_guids" : "",
			best->kind->compute_nodes ? " -u cn_guids" : "");
	fprintf(text, ": %+.4f, %.0f%% %s bandwidth of %s%s\n", best->gain, fabs(100 * best->gain / base->mean),
		best->gain < 0 ? "less" : "more", SHOWN(o->pattern.spec),
		!advice_cures(best, base) ? "" : base->deadlock ? ", and no deadlocks" : ", and routes for pairs that have none");
	if (o->folder)
		fprintf(text, "files: %s; each folder's opensm.conf says how to load them and how to go back\n", SHOWN(o->folder));
	else
		fputs("files: repeat with -o DIR\n", text);
}

static void add_advice(struct node *to, const struct fabric *f, const struct advice *a)
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
	add_number(to, "mean", a->mean);
	add_range(to, "ci95", a->low, a->high);
	add_number(to, "gain", a->gain);
	add_range(to, "gain_ci95", a->gain_low, a->gain_high);
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

int advice_report(const struct advice_result *result, const struct advise_options *options, FILE *file, struct error *error)
{
	const struct fabric *f = result->fabric;
	struct document d;
	size_t rows = 0;
	for (int i = 0; i < ADVICE_KINDS; i++)
		rows += has_row(result, i);
	if (!document_begin(&d, options->format, file, error)) {
		add_head(&d, "orcs-advise/1", options->argc, options->argv);
		add_fabric(d.root, f);
		add_text(d.root, "pattern", options->pattern.spec);
		add_count(d.root, "runs", options->runs);
		add_text(d.root, "base", result->advice[result->base].kind->what);
		add_text(d.root, "folder", options->folder);
		struct node *list = add_list(d.root, "routings");
		for (int i = 0; i < ADVICE_KINDS; i++)
			if (!*result->advice[i].refusal || result->advice[i].kind->engine)
				add_advice(add_object(list, NULL), f, &result->advice[i]);
		write_shown(d.text, f->labels->source);
		fprintf(d.text, ": %" PRIu32 " hosts, %" PRIu32 " switches; %s, %" PRIu64 " runs\n\n", f->hosts, f->nodes - f->hosts,
			SHOWN(options->pattern.spec), options->runs);
		say_table(&d, (struct table){columns, sizeof columns / sizeof *columns, rows, advice_row, result});
		say_steps(d.text, result, options);
	}
	return document_end(&d, error);
}
