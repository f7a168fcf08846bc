#include "tools/check/check_report.h"

#include "base/shown.h"
#include "fabric/described.h"
#include "fabric/load_described.h"
#include "tools/check/fault_text.h"
#include "tools/check/shape_text.h"
#include "tools/check/tree_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Mean hops of the pairs that have a route; NAN if no pair has one. */
static double mean_hops(const struct pair_statistics *s)
{
	return s->routable ? s->hops_sum / (double)s->routable : NAN;
}

static uint64_t cables(const struct check *c)
{
	uint64_t count = 0;
	for (uint32_t k = 0; k < c->fabric->channels; k++)
		count += c->reverse[k] > k; /* counts one of the two directions, or the only one */
	return count;
}

static double ratio(double down, double up)
{
	return up > 0 ? down / up : NAN;
}

/* Returns whether a requirement that is not met may still hold: nothing is known of both Valiant phases on shared virtual lanes. */
static bool unknown(const struct check *c, int requirement)
{
	return requirement == REQUIRE_DEADLOCK_FREE && c->via && c->met[REQUIRE_HALVES];
}

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100 * (double)part / (double)whole : 0;
}

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* Writes "all", "none", or the number with its percentage. */
static void write_share(FILE *file, uint64_t part, uint64_t whole, const char *what)
{
	if (part == whole)
		fprintf(file, "all %s", what);
	else if (!part)
		fprintf(file, "none %s", what);
	else
		fprintf(file, "%" PRIu64 " (%.2f%%) %s", part, percent(part, whole), what);
}

static void report_fabric(struct node *root, const struct check *c)
{
	const struct fabric *f = c->fabric;
	uint64_t count = cables(c);
	struct document *d = document_of(root);
	write_shown(d->text, f->labels->source);
	fprintf(d->text, ": %" PRIu32 " host%s, %" PRIu32 " switch%s, ", f->hosts, plural(f->hosts), f->nodes - f->hosts,
		f->nodes - f->hosts == 1 ? "" : "es");
	say_value(add_fabric(root, f), "cables", value_of_count(count), "{} cable[|s]\n");
}

/* Adds the number of routes by hops as members of an object. In text, appends a line with the numbers after between. */
static void report_hops(struct node *to, const char *key, const uint64_t *count, uint32_t from, uint32_t end, const char *between)
{
	struct document *d = document_of(to);
	struct node *histogram = add_object(to, key);
	for (uint32_t k = 0; k < end; k++) {
		if (!count[k])
			continue;
		add_count(histogram, document_print(d, "%" PRIu32, k), count[k]);
		if (k >= from && between) {
			fprintf(d->text, "%s%" PRIu32 ": %" PRIu64, between, k, count[k]);
			between = ", ";
		}
	}
	if (between)
		putc('\n', d->text);
}

/* Writes the lines pairs, routes and ways. */
static void say_pairs(FILE *text, const struct check *c)
{
	const struct pair_statistics *s = &c->statistics;
	const struct symmetry *y = &c->symmetry;
	fprintf(text, "pairs     %" PRIu64 ": ", s->pairs);
	write_share(text, s->routable, s->pairs, "routable");
	if (!s->routable) {
		if (c->unrouted)
			fprintf(text, "\nroutes    %s", c->hint ? c->hint : "none");
		putc('\n', text);
		return;
	}
	fputs("; of these ", text);
	write_share(text, s->minimal, s->routable, "minimal");
	if (y->symmetric + y->asymmetric) {
		fputs(", ", text);
		write_share(text, y->symmetric, y->symmetric + y->asymmetric, "symmetric");
	}
	if (c->routes)
		fprintf(text, "\nroutes    %" PRIu64 ": %.4f of a pair with any", s->alternatives,
			(double)s->alternatives / (double)s->routable);
	if (s->forked) {
		fputs("\nways      several for ", text);
		write_share(text, s->forked, s->routable, s->forked == s->routable ? "pairs" : "of these");
	}
	putc('\n', text);
}

static void report_pairs(struct node *pairs, struct node *hops, const struct check *c)
{
	const struct pair_statistics *s = &c->statistics;
	FILE *text = document_of(pairs)->text;
	say_pairs(text, c);
	add_count(pairs, "total", s->pairs);
	add_count(pairs, "routable", s->routable);
	add_count(pairs, "unroutable", s->pairs - s->routable);
	add_count(pairs, c->routes ? "routes" : "several_ways", c->routes ? s->alternatives : s->forked);
	add_count(pairs, "no_entry", s->no_entry);
	add_count(pairs, "loop", s->loop);
	add_count(pairs, "no_path", s->no_path);
	add_count(pairs, "minimal", s->minimal);
	add_count(pairs, "symmetric", c->symmetry.symmetric);
	add_count(pairs, "asymmetric", c->symmetry.asymmetric);
	bool any = s->routable, longer = s->minimal != s->routable;
	say_value(hops, "mean", value_of_number(mean_hops(s), "%.4f"), any ? "hops      mean {}" : "");
	add_value(hops, "max", any ? value_of_count(s->longest) : NO_VALUE);
	report_hops(hops, "histogram", s->hops, 0, s->longest + 1, !any ? NULL : s->forked ? "; by the longest route " : "; ");
	fputs(any && longer ? "extra" : "", text);
	report_hops(hops, "extra", s->extra, 1, s->longest + 1, any && longer ? "     " : NULL);
}

/* Adds the chassis; in text a line for those with equally many boards and switches. */
static void report_chassis(struct node *root, const struct check *c)
{
	const struct chassis_list *all = c->chassis;
	struct document *document = document_of(root);
	if (!all->count)
		return;
	struct node *list = add_list(root, "directors");
	for (uint32_t i = 0, end; i < all->count; i = end) {
		const struct chassis *d = &all->chassis[i];
		for (end = i; end < all->count && chassis_alike(d, &all->chassis[end]); end++) {
			struct node *object = add_object(list, NULL);
			add_text(object, "name", document_print(document, "%.*s", all->chassis[end].length, all->chassis[end].name));
			add_count(object, "leaf_boards", d->leaf_boards);
			add_count(object, "spine_boards", d->spine_boards);
			add_count(object, "switches", d->switches);
		}
		if (d->leaf_boards || d->spine_boards)
			fprintf(document->text,
				"chassis   %" PRIu32 " director%s of %" PRIu32 " leaf and %" PRIu32 " spine board%s, %" PRIu32
				" switch%s%s: ",
				end - i, plural(end - i), d->leaf_boards, d->spine_boards, plural(d->spine_boards), d->switches,
				d->switches == 1 ? "" : "es", end - i > 1 ? " each" : "");
		else
			fprintf(document->text, "chassis   %" PRIu32 " of %" PRIu32 " switches%s: ", end - i, d->switches,
				end - i > 1 ? " each" : "");
		for (uint32_t k = i; k < end && k < i + 4; k++) {
			fputs(k == i ? "" : ", ", document->text);
			write_shown(document->text, document_print(document, "%.*s", all->chassis[k].length, all->chassis[k].name));
		}
		fputs(end - i > 4 ? ", ...\n" : "\n", document->text);
	}
}

static void say_plane(FILE *text, const char *title, const struct plane_check *p)
{
	fprintf(text, "%-9s %" PRIu32 " host%s, %" PRIu32 " switch%s; %" PRIu64 " pairs: ", title, p->hosts, plural(p->hosts), p->switches,
		p->switches == 1 ? "" : "es", p->pairs);
	write_share(text, p->routable, p->pairs, "routable");
	if (!p->unrouted)
		fprintf(text, ", deadlock %s", p->deadlocks ? "possible" : "free");
	putc('\n', text);
}

/* Adds a line for each plane, and one for all. */
static void report_planes(struct node *root, const struct check *c)
{
	FILE *text = document_of(root)->text;
	struct plane_check all = {.unrouted = true};
	if (!c->planes)
		return;
	struct node *list = add_list(root, "planes");
	for (uint32_t i = 0; i < c->planes; i++) {
		const struct plane_check *p = &c->plane[i];
		struct node *object = add_object(list, NULL);
		say_plane(text, document_print(document_of(root), "plane %" PRIu32, p->number), p);
		add_count(object, "plane", p->number);
		add_count(object, "hosts", p->hosts);
		add_count(object, "switches", p->switches);
		add_count(object, "pairs", p->pairs);
		add_count(object, "routable", p->routable);
		add_count(object, "minimal", p->minimal);
		add_value(object, "deadlock_free", p->unrouted ? NO_VALUE : value_of_bool(!p->deadlocks));
		add_bool(object, "sound", p->sound);
		all.hosts += p->hosts;
		all.switches += p->switches;
		all.pairs += p->pairs;
		all.routable += p->routable;
		all.deadlocks |= p->deadlocks;
		all.unrouted &= p->unrouted;
	}
	say_plane(text, "total", &all);
	if (c->planes_are_rails)
		fputs("          the planes are rails of the same machines: requirements are those of each plane (--plane N: one in full)\n",
			text);
}

/* Writes the service level of the virtual lanes, and returns it for JSON. */
static struct value report_service_level(FILE *text, const struct check *c)
{
	int level = c->statistics.waits.level;
	if (!c->lanes)
		return value_of_text("none");
	if (level >= 0) {
		if (!c->levels_unknown)
			fprintf(text, ", service level %d", level);
		return c->levels_unknown ? value_of_text("unknown") : value_of_count((uint64_t)level);
	}
	fputs(level == EVERY_LEVEL ? ", all service levels" : ", the service level of each pair", text);
	return value_of_text(level == EVERY_LEVEL ? "all" : "told");
}

static void report_cycle(struct node *list, const struct check *c)
{
	const struct deadlock *d = &c->deadlock;
	FILE *text = document_of(list)->text;
	for (uint32_t i = 0; i < d->length; i++) {
		uint32_t channel = d->cycle[i] / d->lanes, lane = d->cycle[i] % d->lanes;
		struct node *step = add_object(list, NULL);
		fputs("            ", text);
		write_channel(text, c->fabric, channel);
		add_count(step, "channel", channel);
		add_channel(step, c->fabric, channel);
		say_value(step, "lane", value_of_count(lane), d->lanes > 1 ? " lane {}\n" : "\n");
	}
}

static void report_deadlock(struct node *to, const struct check *c)
{
	const struct deadlock *d = &c->deadlock;
	struct document *document = document_of(to);
	FILE *text = c->unrouted ? document->nowhere : document->text;
	const char *word = d->length ? c->via ? "possible, in each phase" : "possible" : c->via ? "each phase free" : "free";
	if (c->unrouted)
		fputs("deadlock  not checked, as there are no routes\n", document->text);
	fprintf(text, "deadlock  %s%s: %" PRIu64 " dependenc%s on %u lane%s",
		c->levels_unknown ? "service levels unknown, judged on SL 0: " : "", word, d->dependencies,
		d->dependencies == 1 ? "y" : "ies", d->lanes, plural(d->lanes));
	add_value(to, "free",
		c->unrouted || unknown(c, REQUIRE_DEADLOCK_FREE) || check_undecided(c, REQUIRE_DEADLOCK_FREE) ? NO_VALUE
													      : value_of_bool(!d->length));
	if (c->via)
		add_value(to, "halves_free", check_undecided(c, REQUIRE_HALVES) ? NO_VALUE : value_of_bool(!d->length));
	add_count(to, "lanes", d->lanes);
	add_value(to, "sl", report_service_level(text, c));
	add_count(to, "dependencies", d->dependencies);
	add_count(to, "channels_in_cycles", d->channels);
	add_value(to, "lanes_needed", value_of_some(d->lanes_needed));
	if (d->length)
		fprintf(text,
			", %" PRIu32 " channel%s in cycles; %" PRIu32 " lanes would suffice\n          a shortest cycle, of %" PRIu32 ":\n",
			d->channels, plural(d->channels), d->lanes_needed, d->length);
	else
		fputs(", no cycle\n", text);
	if (!d->length && c->via)
		fprintf(text, "          unknown for whole routes: free if the second phase has %u lane%s of its own\n", d->lanes,
			plural(d->lanes));
	report_cycle(add_list(to, "cycle"), c);
}

/* Adds loads and fair shares; in text a line with the verdict. */
static void report_load(struct node *root, const struct check *c)
{
	FILE *text = document_of(root)->text;
	if (!c->has_load) {
		add_value(root, "load", NO_VALUE);
		return;
	}
	fputs("load      ", text);
	write_load(text, c->fabric, &c->load);
	putc('\n', text);
	add_load(add_object(root, "load"), c->fabric, &c->load);
}

static void row_statistics(struct row *row, const struct statistics *s, const char *bounds)
{
	bool varies = s->mean > 0;
	row_number(row, s->min, bounds);
	row_number(row, s->mean, "%.2f");
	row_number(row, s->max, bounds);
	row_put(row, row->format == FORMAT_TEXT || varies ? value_of_number(varies ? s->sd / s->mean : 0, "%.3f") : NO_VALUE);
}

static void balance_row(struct row *row, size_t index, const void *data)
{
	const struct check *c = data;
	const struct channel_group *g = &c->balance.group[index];
	char from[30], to[30];
	row_print(row, "%s -> %s", level_name(g->from, from, sizeof from), level_name(g->to, to, sizeof to));
	row_put(row, level_value(g->from));
	row_put(row, level_value(g->to));
	row_count(row, g->channels);
	row_count(row, g->unused);
	row_statistics(row, &g->routes, c->routes ? "%.2f" : "%.0f");
	row_statistics(row, &g->destinations, "%.0f");
}

static void report_balance(struct node *to, const struct check *c)
{
	static const struct column columns[] = {
		{.title = "channels", .width = -20},
		{.key = "from"},
		{.key = "to"},
		{.key = "channels", .title = "number", .width = 8},
		{.key = "unused", .title = "unused", .width = 7},
		{.key = "routes.min", .title = "routes min", .width = 10, .before = " | "},
		{.key = "routes.mean", .title = "mean", .width = 12},
		{.key = "routes.max", .title = "max", .width = 10},
		{.key = "routes.cv", .title = "cv", .width = 6},
		{.key = "destinations.min", .title = "dests", .width = 7, .before = " | "},
		{.key = "destinations.mean", .title = "mean", .width = 9},
		{.key = "destinations.max", .title = "max", .width = 7},
		{.key = "destinations.cv", .title = "cv", .width = 6},
	};
	const struct table table = {columns, sizeof columns / sizeof *columns, c->balance.groups, balance_row, c};
	add_number(to, "worst_cv", c->balance.worst);
	add_count(to, "unused", c->faults.count[FAULT_UNUSED]);
	add_table(to, "groups", table);
	putc('\n', document_of(to)->text);
	say_table(document_of(to), table);
}

static void row_capacity(struct row *row, const struct capacity *capacity)
{
	row_number(row, capacity->down, "%.6g");
	row_number(row, capacity->up, "%.6g");
	row_number(row, capacity->across, "%.6g");
	row_number(row, ratio(capacity->down, capacity->up), "%.4f");
}

static void capacity_row(struct row *row, size_t index, const void *data)
{
	const struct check *c = data;
	const struct level_capacity *l = &c->balance.of_level[index];
	const char *worst = l->worst == NONE ? NULL : c->fabric->labels->name[l->worst];
	char name[30];
	row_print(row, "%s", level_name((uint32_t)index, name, sizeof name));
	row_count(row, index);
	row_count(row, l->switches);
	row_capacity(row, &l->sum);
	row_number(row, l->rising ? l->least : NAN, NULL);
	row_number(row, l->rising ? l->most : NAN, NULL);
	row_text(row, worst);
	if (!l->rising)
		row_print(row, "%s", "");
	else if (l->least == l->most)
		row_print(row, "%.4f", l->most);
	else
		row_print(row, "%.4f to %.4f (%.1000s)", l->least, l->most, SHOWN(worst));
}

static void leaf_row(struct row *row, size_t node, const void *data)
{
	const struct check *c = data;
	row->left_out = c->balance.level[node] != 0;
	row_text(row, c->fabric->labels->name[node]);
	row_capacity(row, &c->balance.capacity[node]);
}

static void report_oversubscription(struct node *to, const struct check *c)
{
	static const struct column levels[] = {
		{.title = "capacity", .width = -10},
		{.key = "level"},
		{.key = "switches", .title = "switches", .width = 8},
		{.key = "down", .title = "down", .width = 10},
		{.key = "up", .title = "up", .width = 10},
		{.key = "across", .title = "across", .width = 10},
		{.key = "ratio", .title = "down:up", .width = 8},
		{.key = "min"},
		{.key = "max"},
		{.key = "worst"},
		{.title = "of one switch", .width = -1, .before = "   "},
	};
	static const struct column leaves[] = {{.key = "switch"}, {.key = "down"}, {.key = "up"}, {.key = "across"}, {.key = "ratio"}};
	const struct table table = {levels, sizeof levels / sizeof *levels, c->balance.levels, capacity_row, c};
	add_table(to, "levels", table);
	add_table(to, "leaves", (struct table){leaves, sizeof leaves / sizeof *leaves, c->fabric->nodes, leaf_row, c});
	putc('\n', document_of(to)->text);
	say_table(document_of(to), table);
}

static void write_requirements(FILE *file, const struct check *c, const struct check_options *o, bool met)
{
	const char *between = "";
	for (int i = 0; i < REQUIREMENTS; i++)
		if (o->required[i] && c->met[i] == met && !check_undecided(c, i)) {
			fprintf(file, "%s%s%s", between, unknown(c, i) && !met ? "known to be " : "", requirement_names[i]);
			if (i == REQUIRE_BALANCED)
				fprintf(file, ":%g", o->balance_limit);
			between = ", ";
		}
}

static void say_verdict(FILE *text, const struct check *c, const struct check_options *o)
{
	bool any = false;
	for (int i = 0; i < REQUIREMENTS; i++)
		any = any || o->required[i];
	fputs(!any ? "\nnothing is required" : c->sound ? "\nsound: " : "\nnot sound: not ", text);
	write_requirements(text, c, o, c->sound);
	if (any && check_undecided(c, REQUIRE_DEADLOCK_FREE))
		fputs("; deadlocks undecided, as service levels are unknown (see --service-levels)", text);
	if (o->required[REQUIRE_DEADLOCK_FREE] && unknown(c, REQUIRE_DEADLOCK_FREE))
		fputs(" (for separate lanes per phase: --require routable,deadlock-free-halves)", text);
	putc('\n', text);
}

static void add_verdict(struct node *to, const struct check *c, const struct check_options *o)
{
	struct node *required = add_object(to, "required");
	for (int i = 0; i < REQUIREMENTS; i++)
		if (o->required[i])
			add_value(required, requirement_names[i], check_undecided(c, i) ? NO_VALUE : value_of_bool(c->met[i]));
	if (o->required[REQUIRE_BALANCED])
		add_number(to, "balance_limit", o->balance_limit);
	add_bool(to, "sound", c->sound);
	add_bool(to, "unrouted", c->unrouted);
	add_bool(to, "via", c->via);
}

/* Objects have the order of JSON, and are filled in the order of the text. */
static void report(struct document *d, const struct check *c, const struct check_options *o)
{
	struct node *root = d->root;
	add_head(d, "orcs-check/1", o->argc, o->argv);
	report_fabric(root, c);
	add_verdict(root, c, o);
	struct node *pairs = add_object(root, "pairs"), *hops = add_object(root, "hops"), *deadlock = add_object(root, "deadlock");
	struct node *shape = add_object(root, "shape"), *balance = add_object(root, "balance");
	struct node *oversubscription = add_object(root, "oversubscription"), *faults = add_object(root, "faults");
	report_shape(shape, c);
	if (c->via)
		fputs("routes    via a random switch: what follows is for each phase\n", d->text);
	report_chassis(root, c);
	report_planes(root, c);
	report_pairs(pairs, hops, c);
	report_deadlock(deadlock, c);
	report_load(root, c);
	report_balance(balance, c);
	report_oversubscription(oversubscription, c);
	report_deviations(shape, c, c->faults.keep[FAULT_ONE_WAY]);
	report_tree(shape, c, c->faults.keep[FAULT_ONE_WAY]);
	report_faults(faults, c, o);
	say_verdict(d->text, c, o);
}

int check_report(const struct check_options *options, const struct check *check, FILE *file, struct error *error)
{
	struct document document;
	if (!document_begin(&document, options->format, file, error))
		report(&document, check, options);
	return document_end(&document, error);
}
