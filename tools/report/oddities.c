#include "tools/report/oddities.h"

#include "base/memory.h"
#include "fabric/host_distances.h"
#include "tools/report/advice_lines.h"
#include "tools/report/idle.h"
#include "tools/report/report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const oddity_titles[DEVIANT_KINDS] = {
	[DEVIANT_MISFIT] = "Switches that do not fit into the tree",
	[DEVIANT_NO_LEVEL] = "Switches beyond the highest level that a route enters",
	[DEVIANT_MISSING] = "Cables that are missing where others of their kind are",
	[DEVIANT_EXTRA] = "Cables that others of their kind do not have",
	[DEVIANT_SLOW] = "Cables that are slower than most of their level",
	[DEVIANT_ONE_WAY] = "Channels without the opposite direction",
	[DEVIANT_ASTRAY] = "Ports on switches of another rail",
	[DEVIANT_IDLE] = "Channels that no route uses, by switch",
};

/* Adds one with its name, as printf. */
static void add(struct deviants *o, struct error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void add(struct deviants *o, struct error *error, const char *format, ...)
{
	if (o->count++ >= DEVIANT_NAMES || error->status)
		return;
	va_list list;
	va_start(list, format);
	if (vasprintf(&o->name[o->count - 1], format, list) < 0) {
		o->name[o->count - 1] = NULL;
		error_set(error, STATUS_IO, "out of memory");
	}
	va_end(list);
}

/* The name of an end, with its port if that is known, in a buffer that lives until its block ends. */
enum { END_TEXT = 600 };
static const char *end_text(const struct fabric_report *r, uint32_t node, uint32_t port, char text[END_TEXT])
{
	const char *name = node == NONE ? "a missing switch" : r->name[node];
	if (port)
		snprintf(text, END_TEXT, "%.*s port %" PRIu32, END_TEXT - 20, name, port);
	else
		snprintf(text, END_TEXT, "%.*s", END_TEXT - 1, name);
	return text;
}
#define END(node, port) end_text(r, node, port, (char[END_TEXT]){0})

static void add_channel_name(struct deviants *o, const struct fabric_report *r, uint32_t c, const char *note, struct error *error)
{
	const struct fabric_labels *labels = r->fabric->labels;
	add(o, error, "%s \u2013 %s%s", END(fabric_tail(r->fabric, c), labels->port[c]), END(r->fabric->head[c], labels->peer_port[c]),
		note);
}

/* ---- trees */

static void find_misfits(struct deviants *o, const struct fabric_report *r, struct error *error)
{
	for (uint32_t i = 0; i < r->tree.misfits; i++) {
		const struct fat_misfit *m = &r->tree.misfit[i];
		if (r->tree.level[m->node] == NONE)
			add(o, error, "%s is outside of the tree, with %" PRIu32 " cables to switches", r->name[m->node], m->surplus);
		else
			add(o, error, "%s: of %" PRIu32 " cables to switches, %" PRIu32 " missing; %" PRIu32 " surplus", r->name[m->node],
				m->expected, m->missing, m->surplus);
	}
}

static void find_tree_cables(struct all_deviants *all, const struct fabric_report *r, struct error *error)
{
	const struct fat_tree *t = &r->tree;
	for (uint32_t i = 0; i < t->missing + t->surplus; i++) {
		const struct fat_cable *c = &t->cable[i];
		if (c->channel != NONE) {
			add_channel_name(&all->oddity[DEVIANT_EXTRA], r, c->channel, "", error);
			continue;
		}
		uint32_t nth = 0;
		for (const struct fat_cable *k = c; k > t->cable && k[-1].lower == c->lower && k[-1].upper == c->upper; k--)
			nth++;
		add(&all->oddity[DEVIANT_MISSING], error, "%s \u2013 %s", END(c->lower, fat_tree_port(t, r->fabric, c, false, nth)),
			END(c->upper, fat_tree_port(t, r->fabric, c, true, nth)));
	}
	for (uint32_t i = 0; i < t->blocks; i++)
		if (t->block[i].missing)
			add(&all->oddity[DEVIANT_MISSING], error,
				"%" PRIu32 " switches of level %" PRIu32 " above %s and %" PRIu32 " others", t->block[i].missing,
				t->block[i].level + 1, r->name[t->member[t->block[i].first]], t->block[i].lowers - 1);
}

static void find_deviations(struct all_deviants *all, const struct fabric_report *r, struct error *error)
{
	for (uint32_t i = 0; i < r->shape.deviations; i++) {
		const struct deviation *d = &r->shape.deviation[i];
		if (d->channel != NONE)
			add_channel_name(&all->oddity[DEVIANT_EXTRA], r, d->channel, "", error);
		else
			add(&all->oddity[DEVIANT_MISSING], error, "%s \u2013 %s", END(d->from, 0), END(d->to, 0));
	}
}

/* ---- speeds */

struct tier_speed {
	uint32_t tier;
	double speed;
};

static int compare_speeds(const void *left, const void *right)
{
	const struct tier_speed *a = left, *b = right;
	return a->tier != b->tier ? (a->tier > b->tier) - (a->tier < b->tier) : (a->speed > b->speed) - (a->speed < b->speed);
}

/* Sets the commonest speed of each tier, of equally common ones the highest. */
static int usual_speeds(double *usual, const struct fabric_report *r, struct error *error)
{
	const struct fabric *f = r->fabric;
	struct tier_speed *list = array_create(f->channels, sizeof *list, error);
	uint32_t count = 0, most = 0;
	for (uint32_t c = 0; c < f->channels && list; c++)
		if (r->fair.tier_of[c] != NONE)
			list[count++] = (struct tier_speed){r->fair.tier_of[c], f->speed[c]};
	if (list)
		qsort(list, count, sizeof *list, compare_speeds);
	for (uint32_t i = 0, end; i < count; i = end) {
		for (end = i; end < count && !compare_speeds(&list[i], &list[end]);)
			end++;
		most = i && list[i - 1].tier == list[i].tier ? most : 0;
		if (end - i >= most) {
			usual[list[i].tier] = list[i].speed;
			most = end - i;
		}
	}
	free(list);
	return error->status ? -1 : 0;
}

static void find_slow(struct deviants *o, const struct fabric_report *r, struct error *error)
{
	const struct fabric *f = r->fabric;
	double *usual = array_create(r->fair.tiers, sizeof *usual, error);
	if (usual && fabric_speeds_differ(f) && !usual_speeds(usual, r, error))
		for (uint32_t c = 0; c < f->channels; c++) {
			char note[60];
			bool once = r->reverse[c] == NONE || c < r->reverse[c] || f->speed[r->reverse[c]] != f->speed[c];
			if (!once || r->fair.tier_of[c] == NONE || f->speed[c] >= usual[r->fair.tier_of[c]] * (1 - 1e-9))
				continue;
			snprintf(note, sizeof note, ": %.4g instead of %.4g Gbit/s", f->speed[c] * f->slowest,
				usual[r->fair.tier_of[c]] * f->slowest);
			add_channel_name(o, r, c, note, error);
		}
	free(usual);
}

/* ---- the rest */

static void find_others(struct all_deviants *all, const struct fabric_report *r, struct error *error)
{
	const struct fabric *f = r->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		if (f->node_host[v] == NONE && r->fair.level[v] == LEVEL_NONE)
			add(&all->oddity[DEVIANT_NO_LEVEL], error, "%s", r->name[v]);
	for (uint32_t c = 0; c < f->channels; c++)
		if (r->reverse[c] == NONE)
			add_channel_name(&all->oddity[DEVIANT_ONE_WAY], r, c, "", error);
	for (uint32_t i = 0; i < r->rails.count; i++)
		if (rails_astray(&r->rails, i)) {
			char note[RAIL_NAME_SIZE + 20];
			snprintf(note, sizeof note, " (rail %s)", r->rails.name[r->rails.rail[i].name]);
			add_channel_name(&all->oddity[DEVIANT_ASTRAY], r, r->rails.rail[i].port, note, error);
		}
}

static void find_idle(struct deviants *o, const struct fabric_report *r, struct error *error)
{
	uint32_t count = 0;
	struct idle_switch *list = r->fair.count[LOAD_UNUSED] ? idle_switches(r, DEVIANT_NAMES, &count, error) : NULL;
	for (uint32_t i = 0; i < count && list; i++)
		add(o, error, "%s: %" PRIu32, r->name[list[i].node], list[i].channels);
	o->count = r->fair.count[LOAD_UNUSED];
	free(list);
}

int oddities_find(struct all_deviants *oddities, const struct fabric_report *report, struct error *error)
{
	*oddities = (struct all_deviants){.any = false};
	if (report->tree.found) {
		find_misfits(&oddities->oddity[DEVIANT_MISFIT], report, error);
		find_tree_cables(oddities, report, error);
	} else if (report->shape.regular) {
		find_deviations(oddities, report, error);
	}
	find_slow(&oddities->oddity[DEVIANT_SLOW], report, error);
	find_others(oddities, report, error);
	find_idle(&oddities->oddity[DEVIANT_IDLE], report, error);
	for (int i = 0; i < DEVIANT_KINDS; i++)
		oddities->any |= oddities->oddity[i].count > 0;
	return error->status ? -1 : 0;
}

void oddities_clear(struct all_deviants *oddities)
{
	for (int i = 0; i < DEVIANT_KINDS; i++)
		for (int k = 0; k < DEVIANT_NAMES; k++)
			free(oddities->oddity[i].name[k]);
	*oddities = (struct all_deviants){.any = false};
}

void say_cabling(FILE *file, const struct fabric_report *report)
{
	static const struct {
		enum deviant_kind kind;
		const char *one, *several;
	} words[] = {
		{DEVIANT_MISSING, "cable is missing where others of its kind are", "cables are missing where others of their kind are"},
		{DEVIANT_EXTRA, "cable is one too many", "cables are too many"},
		{DEVIANT_SLOW, "cable is slower than others of its level", "cables are slower than others of their level"},
		{DEVIANT_ASTRAY, "port is on a switch of another rail", "ports are on switches of other rails"},
	};
	bool told = false;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
		const struct deviants *o = &report->oddities.oddity[words[i].kind];
		bool planned =
			words[i].kind == DEVIANT_SLOW && 20 * o->count > report->scene.cables.cables; /* a slower part of the fabric */
		if (!o->count || planned)
			continue;
		fprintf(file, "%s%s %s, %s%s.", told ? " " : "", COUNT(o->count), o->count == 1 ? words[i].one : words[i].several,
			o->count == 1 ? "" : "first ", o->name[0] ? o->name[0] : "");
		told = true;
	}
}
