#include "tools/check/plan_report.h"

#include "base/shown.h"
#include "tools/check/plan_list.h"

#include <inttypes.h>
#include <math.h>

static const char *const kind_names[] = {
	[PLAN_MISWIRED] = "miswired",
	[PLAN_MISSING] = "missing",
	[PLAN_UNPLANNED] = "unplanned",
	[PLAN_SPEED] = "wrong_speed",
};

static const char *plural(uint64_t count)
{
	return count == 1 ? "" : "s";
}

/* ---- names */

static void report_names(struct node *to, const struct cable_plan *p, const struct fabric *f, uint64_t most)
{
	FILE *text = document_of(to)->text;
	struct node *list = add_list(to, "unmatched");
	if (p->unmatched_count)
		fprintf(text, "names     %" PRIu32 " name%s of the plan without a node or a port of the fabric:\n", p->unmatched_count,
			plural(p->unmatched_count));
	for (uint32_t i = 0; i < p->unmatched_count; i++) {
		const struct plan_unmatched *u = &p->unmatched[i];
		struct node *object = add_object(list, NULL);
		add_text(object, "name", u->name);
		add_text(object, "file", u->file);
		add_value(object, "line", value_of_some(u->line));
		add_count(object, "ends", u->ends);
		add_text(object, "text", document_print(document_of(to), "%s %s", u->name, u->reason));
		if (i >= most)
			continue;
		fprintf(text, "            %s", SHOWN(u->file));
		if (u->line)
			fprintf(text, ":%lu", u->line);
		fprintf(text, ": '%s' %s\n", SHOWN(u->name), u->reason);
	}
	if (p->unmatched_count > most)
		fprintf(text, "            and %" PRIu64 " more (--all lists them)\n", p->unmatched_count - most);
	add_count(to, "ports_twice", p->twice);
	if (p->twice) {
		fprintf(text, "          %" PRIu32 " port%s at several planned cables (the first: ", p->twice, plural(p->twice));
		write_cable_end(text, f, p->first_twice, p->first_twice_end);
		fputs(")\n", text);
	}
	add_count(to, "one_end", p->blank);
	if (p->blank)
		fprintf(text, "          %" PRIu64 " row%s of the plan without a device at one end, left out\n", p->blank,
			plural(p->blank));
}

/* ---- capacities */

/* Levels of plans are 1 more than those of reports, so that 0 is of hosts. */
static struct value plan_level_value(uint32_t level)
{
	return level == NO_LEVEL ? NO_VALUE : level_value(level - 1);
}

static const char *plan_level_name(uint32_t level, char *text, size_t size)
{
	if (level != NO_LEVEL)
		return level_name(level - 1, text, size);
	snprintf(text, size, "others");
	return text;
}

static const char *cost_node(const struct plan_cost *cost, const struct fabric *f)
{
	return cost->name ? cost->name : f->labels->name[cost->node];
}

/* What a row of the table needs. */
struct pair_rows {
	const struct cable_plan *plan;
	const struct fabric *fabric;
};

static void pair_row(struct row *row, size_t index, const void *data)
{
	const struct pair_rows *of = data;
	const struct level_pair *pair = &of->plan->capacity.pair[index];
	const struct plan_cost *worst = &pair->worst;
	const char *node = worst->share > 0 ? cost_node(worst, of->fabric) : NULL;
	bool speeds = of->plan->capacity.speeds;
	char from[30], to[30];
	row_print(row, "%s - %s", plan_level_name(pair->level[0], from, sizeof from), plan_level_name(pair->level[1], to, sizeof to));
	row_put(row, plan_level_value(pair->level[0]));
	row_put(row, plan_level_value(pair->level[1]));
	row_count(row, pair->planned);
	row_count(row, pair->found);
	row_put(row, speeds ? value_of_number(pair->planned_gbps, "%.6g") : NO_VALUE);
	row_put(row, speeds ? value_of_number(pair->found_gbps, "%.6g") : NO_VALUE);
	row_number(row, pair->lost, NULL);
	row_print(row, "%.2f%%", 100 * pair->lost);
	row_number(row, worst->share, NULL);
	row_text(row, node);
	if (node)
		row_print(row, "%.2f%% (%.1000s)", 100 * worst->share, SHOWN(node));
	else
		row_print(row, "%s", "");
}

static void report_capacity(struct node *to, const struct cable_plan *p, const struct fabric *f)
{
	static const struct column columns[] = {
		{.title = "capacity", .width = -20},
		{.key = "from"},
		{.key = "to"},
		{.key = "planned.cables", .title = "planned", .width = 8},
		{.key = "found.cables", .title = "found", .width = 8},
		{.key = "planned.gbps", .title = "planned Gb/s", .width = 13, .before = " |"},
		{.key = "found.gbps", .title = "found Gb/s", .width = 11},
		{.key = "lost"},
		{.title = "lost", .width = 8},
		{.key = "most_lost"},
		{.key = "most_lost_by"},
		{.title = "by one node", .width = -1, .before = "   "},
	};
	struct document *d = document_of(to);
	struct pair_rows *rows = document_alloc(d, sizeof *rows);
	if (!rows)
		return;
	*rows = (struct pair_rows){p, f};
	const struct table table = {columns, sizeof columns / sizeof *columns, p->capacity.pairs, pair_row, rows};
	add_table(to, "capacity", table);
	putc('\n', d->text);
	say_table(d, table);
}

/* ---- bandwidth */

/* Adds a share of the bandwidth as planned, with its interval. */
static void add_share(struct node *to, const struct plan_share *share)
{
	add_number(to, "lost", share->mean);
	add_number(to, "low", share->low);
	add_number(to, "high", share->high);
}

static void report_bandwidth(struct node *to, const struct cable_plan *p)
{
	const struct plan_bandwidth *b = &p->bandwidth;
	FILE *text = document_of(to)->text;
	struct node *object = add_object(to, "bandwidth");
	add_text(object, "engine", "minhop");
	add_count(object, "runs", PLAN_RUNS);
	add_number(object, "planned", b->planned);
	add_number(object, "found", b->found);
	add_share(object, &b->lost);
	add_text(object, "reason", *b->reason ? b->reason : NULL);
	if (*b->reason)
		fprintf(text, "\nbandwidth not measured: %s\n", b->reason);
	else if (b->planned > 0)
		fprintf(text, "\nbandwidth %.4f as planned, %.4f as found: %.2f%% %s (OpenSM's minhop, %d random bisections)\n", b->planned,
			b->found, 100 * fabs(b->lost.mean), b->lost.mean < 0 ? "more" : "lost", PLAN_RUNS);
}

/* Writes what a difference costs, if it is measured. */
static void say_share(FILE *text, const struct plan_share *share)
{
	if (share->low > 0)
		fprintf(text, "; costs %.2f%% of the bandwidth", 100 * share->mean);
	else if (share->high < 0)
		fprintf(text, "; adds %.2f%% to the bandwidth", -100 * share->mean);
	else if (share->mean == share->mean)
		fputs("; costs no bandwidth", text);
}

/* ---- differences */

static void write_gbps(FILE *text, const struct cable *cable)
{
	if (cable->gbps > 0)
		fprintf(text, " %g Gb/s", cable->gbps);
	if (cable->lanes)
		fprintf(text, " (%ux)", cable->lanes);
}

static void say_difference(FILE *text, const struct plan_difference *d, const struct cable_plan *p, const struct fabric *f)
{
	const struct cable *planned = d->planned == NONE ? NULL : &p->planned.cable[d->planned];
	const struct cable *found = d->found == NONE ? NULL : &p->found.cable[d->found];
	char level[30];
	fprintf(text, "  %-10s", d->kind == PLAN_SPEED ? "speed" : kind_names[d->kind]);
	write_cable(text, f, planned ? planned : found);
	if (d->kind == PLAN_SPEED) {
		fputs(" has", text);
		write_gbps(text, found);
		fputs(", not", text);
		write_gbps(text, planned);
	} else if (planned && found) {
		fputs(" is ", text);
		write_cable(text, f, found);
	}
	if (d->cost.share > 0) {
		fprintf(text, ": %s lacks %.2f%%", SHOWN(cost_node(&d->cost, f)), 100 * d->cost.share);
		if (p->capacity.speeds)
			fprintf(text, " (%g Gb/s)", d->cost.gbps);
		fprintf(text, " to %s", plan_level_name(d->cost.level, level, sizeof level));
	}
	say_share(text, &d->bandwidth);
}

/* Returns the number of differences from i that are the same at the same node. */
static uint32_t alike(const struct cable_plan *p, uint32_t i)
{
	const struct plan_difference *d = &p->difference[i];
	uint32_t run = 1;
	while (d->cost.share > 0 && i + run < p->differences && d[run].kind == d->kind && d[run].cost.share > 0 &&
		d[run].cost.node == d->cost.node && d[run].cost.level == d->cost.level)
		run++;
	return run;
}

/* Writes so many differences, those alike on one line. */
static void say_differences(FILE *text, const struct cable_plan *p, const struct fabric *f, uint64_t most)
{
	static const char *const what[] = {
		[PLAN_MISWIRED] = "miswired",
		[PLAN_MISSING] = "missing",
		[PLAN_UNPLANNED] = "unplanned",
		[PLAN_SPEED] = "of the wrong speed",
	};
	uint32_t i = 0;
	for (uint64_t lines = 0; i < p->differences && lines < most; lines++) {
		uint32_t run = most == UINT64_MAX ? 1 : alike(p, i);
		say_difference(text, &p->difference[i], p, f);
		if (run > 1)
			fprintf(text, "; %" PRIu32 " more of its cables %s %s", run - 1, run > 2 ? "are" : "is",
				what[p->difference[i].kind]);
		putc('\n', text);
		i += run;
	}
	if (i < p->differences)
		fprintf(text, "  and %" PRIu32 " more (--all lists them)\n", p->differences - i);
}

static void add_plan_cable(struct node *to, const struct cable_plan *p, const struct fabric *f, const struct cable *cable)
{
	const struct plan_row *row = cable->row ? &p->list->row[cable->row - 1] : NULL;
	add_cable(to, f, cable);
	if (row)
		add_count(to, "line", row->line);
}

static void add_difference(struct node *list, const struct plan_difference *d, const struct cable_plan *p, const struct fabric *f)
{
	struct node *object = add_object(list, NULL);
	add_text(object, "kind", kind_names[d->kind]);
	if (d->planned != NONE)
		add_plan_cable(add_object(object, "planned"), p, f, &p->planned.cable[d->planned]);
	if (d->found != NONE)
		add_plan_cable(add_object(object, "found"), p, f, &p->found.cable[d->found]);
	if (d->bandwidth.mean == d->bandwidth.mean)
		add_share(add_object(object, "bandwidth"), &d->bandwidth);
	add_number(object, "lost", d->cost.share);
	if (d->cost.share <= 0)
		return;
	add_value(object, "lost_gbps", p->capacity.speeds ? value_of_number(d->cost.gbps, NULL) : NO_VALUE);
	add_text(object, "lost_by", cost_node(&d->cost, f));
	add_value(object, "lost_to", plan_level_value(d->cost.level));
}

static void report_differences(struct node *to, const struct cable_plan *p, const struct fabric *f, uint64_t most)
{
	struct document *d = document_of(to);
	struct node *list = add_list(to, "differences");
	if (p->differences)
		fputs("\ndifferences, the most expensive first:\n", d->text);
	for (uint32_t i = 0; i < p->differences && d->format != FORMAT_TEXT; i++)
		add_difference(list, &p->difference[i], p, f);
	say_differences(d->text, p, f, most);
}

static void report_left_out(struct node *to, const struct cable_plan *p)
{
	static const struct {
		const char *key, *line;
	} classes[] = {
		[CABLE_HOST] = {"hosts", "          {} cable[|s] of hosts not compared: the plan has none\n"},
		[CABLE_INSIDE] = {"inside", "          {} cable[|s] inside directors not compared: the plan has none\n"},
		[CABLE_BETWEEN] = {"switches", "          {} cable[|s] between switches not compared: the plan has none\n"},
	};
	for (int i = 0; i < CABLE_CLASSES; i++)
		say_value(to, classes[i].key, value_of_count(p->left_out[i]), p->left_out[i] ? classes[i].line : "");
}

void report_plan(struct node *to, const struct cable_plan *plan, const struct fabric *fabric, uint64_t most)
{
	FILE *text = document_of(to)->text;
	fprintf(text, "plan      %s: ", SHOWN(plan->name));
	add_text(to, "file", plan->name);
	say_value(to, "cables", value_of_count(plan->planned.cables), "{} cable[|s]: ");
	say_value(to, "as_planned", value_of_count(plan->as_planned), "{} as planned, ");
	say_value(to, "miswired", value_of_count(plan->count[PLAN_MISWIRED]), "{} miswired, ");
	say_value(to, "missing", value_of_count(plan->count[PLAN_MISSING]), "{} missing, ");
	say_value(to, "wrong_speed", value_of_count(plan->count[PLAN_SPEED]), "{} of the wrong speed; ");
	say_value(to, "unplanned", value_of_count(plan->count[PLAN_UNPLANNED]), "{} unplanned\n");
	if (plan->count[PLAN_MISSING] == plan->planned.cables && plan->unmatched_count)
		fputs("          no planned cable has a port of this fabric: is it the plan of another one?\n", text);
	report_left_out(add_object(to, "left_out"), plan);
	report_names(to, plan, fabric, most);
	report_capacity(to, plan, fabric);
	report_bandwidth(to, plan);
	report_differences(to, plan, fabric, most);
}
