#include "tools/report/changes.h"

#include "base/document.h"
#include "base/json_file.h"
#include "base/memory.h"
#include "base/shown.h"
#include "fabric/load_class.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LISTED_MOST = 20 };

/* One direction of a cable. */
struct way {
	const char *from, *to;
	uint32_t from_port, to_port;
	double excess;
	int class;
};

/* A result, and its channels by name. */
struct result {
	cJSON *json;
	const cJSON *verdict;
	struct way *way; /* [ways] */
	size_t ways;
};

static int compare_ends(const struct way *a, const struct way *b)
{
	int order = strcmp(a->from, b->from);
	if (!order && a->from_port != b->from_port)
		return a->from_port < b->from_port ? -1 : 1;
	if (!order)
		order = strcmp(a->to, b->to);
	return order ? order : (a->to_port > b->to_port) - (a->to_port < b->to_port);
}

static int compare_ways(const void *left, const void *right)
{
	return compare_ends(left, right);
}

/* ---- reading */

/* The columns of a result, of which items are taken one after the other. */
enum column_name {
	COLUMN_A,
	COLUMN_B,
	COLUMN_A_PORT,
	COLUMN_B_PORT,
	COLUMN_AB,
	COLUMN_BA,
	COLUMN_SHARE,
	COLUMN_SHARE_BA,
	COLUMN_UNIT,
	COLUMN_UNIT_BA,
	COLUMNS
};

/* Returns the numbers of a list as a new array of *count; NULL if out of memory. Without a list there are none. */
static double *numbers(const cJSON *list, size_t *count, struct error *error)
{
	*count = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
	double *value = array_create(*count, sizeof *value, error);
	size_t i = 0;
	for (const cJSON *item = list ? list->child : NULL; item && value; item = item->next)
		value[i++] = cJSON_IsNumber(item) ? item->valuedouble : NAN;
	return value;
}

/* Returns the item of a list by its number, which may be out of its range: then NAN. */
static double pick(const double *value, size_t count, double index)
{
	return index >= 0 && index < (double)count ? value[(size_t)index] : NAN;
}

/* The numbers of all columns, and what they refer to. */
struct table_read {
	double *column[COLUMNS], *shares, *units;
	size_t length[COLUMNS], share_count, unit_count;
	const char **name; /* [names] */
	size_t names;
};

static void clear_read(struct table_read *t)
{
	for (int i = 0; i < COLUMNS; i++)
		free(t->column[i]);
	free(t->shares);
	free(t->units);
	free(t->name);
}

static int read_table(struct table_read *t, const cJSON *json, struct error *error)
{
	static const char *const keys[COLUMNS] = {"a", "b", "a_port", "b_port", "ab", "ba", "share", "share_ba", "speed", "speed_ba"};
	const cJSON *cables = json_member(json, "cables");
	const cJSON *list = json_member(json_member(json, "nodes"), "name");
	for (int i = 0; i < COLUMNS && !error->status; i++)
		t->column[i] = numbers(json_member(cables, keys[i]), &t->length[i], error);
	t->shares = numbers(json_member(json, "shares"), &t->share_count, error);
	t->units = numbers(json_member(json, "units"), &t->unit_count, error);
	t->names = cJSON_IsArray(list) ? (size_t)cJSON_GetArraySize(list) : 0;
	t->name = array_create(t->names, sizeof *t->name, error);
	size_t n = 0;
	for (const cJSON *item = list ? list->child : NULL; item && !error->status; item = item->next)
		t->name[n++] = cJSON_IsString(item) ? item->valuestring : "";
	return error->status ? -1 : 0;
}

/* Sets one direction of a cable. Returns whether its ends are there. */
static bool read_way(struct way *way, const struct table_read *t, size_t i, bool down)
{
	double from = t->column[down ? COLUMN_B : COLUMN_A][i], to = t->column[down ? COLUMN_A : COLUMN_B][i];
	double routes = t->column[down ? COLUMN_BA : COLUMN_AB][i];
	double share = t->column[down && t->length[COLUMN_SHARE_BA] ? COLUMN_SHARE_BA : COLUMN_SHARE][i];
	double unit = t->column[down && t->length[COLUMN_UNIT_BA] ? COLUMN_UNIT_BA : COLUMN_UNIT][i];
	double load = routes * pick(t->units, t->unit_count, unit);
	if (!(from >= 0 && from < (double)t->names && to >= 0 && to < (double)t->names))
		return false;
	double excess = load / pick(t->shares, t->share_count, share);
	*way = (struct way){
		.from = t->name[(size_t)from],
		.to = t->name[(size_t)to],
		.from_port = (uint32_t)fmax(0, t->column[down ? COLUMN_B_PORT : COLUMN_A_PORT][i]),
		.to_port = (uint32_t)fmax(0, t->column[down ? COLUMN_A_PORT : COLUMN_B_PORT][i]),
		.excess = isfinite(excess) ? excess : 0,
	};
	way->class = (int)load_class_of(isnan(routes) ? 0 : routes, way->excess);
	return true;
}

static int read_result(struct result *result, const char *path, struct error *error)
{
	struct table_read t = {.names = 0};
	if (!(result->json = json_file_read(path, error)))
		return -1;
	if (strcmp(json_string(result->json, "schema"), "orcs-report/1") != 0)
		return error_at(error, STATUS_FABRIC, path, 0, "not a result of 'orcs-report --format json'");
	result->verdict = json_member(result->json, "verdict");
	bool good = !read_table(&t, result->json, error);
	size_t cables = t.length[COLUMN_A];
	for (int i = 0; i < COLUMNS && good; i++)
		if (t.length[i] != cables && (t.length[i] || (i != COLUMN_SHARE_BA && i != COLUMN_UNIT_BA))) {
			error_at(error, STATUS_FABRIC, path, 0, "its columns of cables differ in length");
			good = false;
		}
	result->way = good ? array_create(2 * cables, sizeof *result->way, error) : NULL;
	for (size_t i = 0; i < 2 * cables && result->way; i++)
		result->ways += read_way(&result->way[result->ways], &t, i / 2, i % 2);
	if (result->way)
		qsort(result->way, result->ways, sizeof *result->way, compare_ways);
	clear_read(&t);
	return error->status ? -1 : 0;
}

/* ---- comparison */

/* A channel that is in another class, or in one of the results only (NULL: not there). */
struct change {
	const struct way *old, *new;
};

enum change_kind { CHANGE_WORSE, CHANGE_BETTER, CHANGE_NEW, CHANGE_GONE, CHANGES };

struct change_list {
	struct change *change; /* [count] */
	size_t count, capacity;
};

static double change_size(const struct change *c)
{
	double size = c->old && c->new ? fabs(c->new->excess - c->old->excess) : c->new ? c->new->excess : c->old->excess;
	return round(size * 1e9) / 1e9; /* equal changes are in the order of names */
}

static int compare_changes(const void *left, const void *right)
{
	const struct change *a = left, *b = right;
	double x = change_size(a), y = change_size(b);
	return x != y ? (x < y ? 1 : -1) : compare_ends(a->new ? a->new : a->old, b->new ? b->new : b->old);
}

static int add_change(struct change_list *list, const struct way *old, const struct way *new, struct error *error)
{
	if (array_grow(&list->change, &list->capacity, list->count + 1, sizeof *list->change, error))
		return -1;
	list->change[list->count++] = (struct change){old, new};
	return 0;
}

/* Walks both lists of channels in the order of their names. */
static int find_changes(struct change_list list[CHANGES], const struct result *old, const struct result *new, struct error *error)
{
	for (size_t i = 0, k = 0; (i < old->ways || k < new->ways) && !error->status;) {
		const struct way *a = i < old->ways ? &old->way[i] : NULL, *b = k < new->ways ? &new->way[k] : NULL;
		int order = !a ? 1 : !b ? -1 : compare_ends(a, b);
		if (order < 0)
			add_change(&list[CHANGE_GONE], a, NULL, error);
		else if (order > 0)
			add_change(&list[CHANGE_NEW], NULL, b, error);
		else if (b->class > a->class && b->class >= LOAD_WARM)
			add_change(&list[CHANGE_WORSE], a, b, error);
		else if (b->class < a->class && a->class >= LOAD_WARM)
			add_change(&list[CHANGE_BETTER], a, b, error);
		i += order <= 0;
		k += order >= 0;
	}
	for (int c = 0; c < CHANGES && !error->status; c++)
		if (list[c].count)
			qsort(list[c].change, list[c].count, sizeof *list[c].change, compare_changes);
	return error->status ? -1 : 0;
}

/* ---- the report */

static const struct figure {
	const char *key, *words;
	int better; /* 1: larger is better, -1: smaller is, 0: neither */
	const char *format;
} figures[] = {
	{"bisect", "bandwidth of a random bisection", 1, "%.4f"},
	{"unreachable", "pairs without a route", -1, "%.0f"},
	{"deadlock_channels", "channels on cycles (deadlock)", -1, "%.0f"},
	{"channels", "channels", 0, "%.0f"},
	{"above", "channels above their share", -1, "%.0f"},
	{"above_1_5", "more than 1.5 times", -1, "%.0f"},
	{"above_2", "more than twice", -1, "%.0f"},
	{"unused", "channels without a route", -1, "%.0f"},
};

/* Returns "better", "worse", "other" or "same". Bandwidths differ if their intervals do not overlap. */
static const char *judge(const struct result *old, const struct result *new, const struct figure *f)
{
	double before = json_number(old->verdict, f->key), after = json_number(new->verdict, f->key);
	if (!strcmp(f->key, "bisect") && (json_number(old->verdict, "bisect_high") >= json_number(new->verdict, "bisect_low") &&
						 json_number(new->verdict, "bisect_high") >= json_number(old->verdict, "bisect_low")))
		return "same";
	if (before == after || isnan(before) || isnan(after))
		return "same";
	return !f->better ? "other" : (after > before) == (f->better > 0) ? "better" : "worse";
}

static void add_figures(struct document *d, const struct result *old, const struct result *new)
{
	struct node *list = add_list(d->root, "figures");
	for (size_t i = 0; i < sizeof figures / sizeof *figures; i++) {
		const struct figure *f = &figures[i];
		double before = json_number(old->verdict, f->key), after = json_number(new->verdict, f->key);
		const char *verdict = judge(old, new, f);
		struct node *object = add_object(list, NULL);
		char from[40], to[40];
		add_text(object, "figure", f->key);
		add_number(object, "old", before);
		add_number(object, "new", after);
		add_text(object, "verdict", verdict);
		value_show(value_of_number(before, f->format), from, sizeof from);
		value_show(value_of_number(after, f->format), to, sizeof to);
		fprintf(d->text, "%-32s %10s -> %-10s %s\n", f->words, from, to, strcmp(verdict, "other") ? verdict : "");
	}
}

static void write_end(FILE *file, const char *name, uint32_t port)
{
	write_shown(file, name);
	if (port)
		fprintf(file, "[%" PRIu32 "]", port);
}

static void add_change_row(struct node *list, const struct change *c, bool text)
{
	const struct way *way = c->new ? c->new : c->old;
	struct node *object = add_object(list, NULL);
	FILE *file = document_of(list)->text;
	add_text(object, "from", way->from);
	add_count(object, "from_port", way->from_port);
	add_text(object, "to", way->to);
	add_count(object, "to_port", way->to_port);
	add_value(object, "old", c->old ? value_of_number(c->old->excess, NULL) : NO_VALUE);
	add_value(object, "new", c->new ? value_of_number(c->new->excess, NULL) : NO_VALUE);
	if (!text)
		return;
	fputs("  ", file);
	write_end(file, way->from, way->from_port);
	fputs(" -> ", file);
	write_end(file, way->to, way->to_port);
	if (c->old && c->new)
		fprintf(file, ": %.2f -> %.2f times its share (%s -> %s)", c->old->excess, c->new->excess, load_classes[c->old->class].word,
			load_classes[c->new->class].word);
	else
		fprintf(file, ": %.2f times its share (%s)", way->excess, load_classes[way->class].word);
	putc('\n', file);
}

static void add_changes(struct document *d, const struct change_list list[CHANGES])
{
	static const char *const keys[CHANGES] = {"worse", "better", "new", "gone"};
	static const char *const titles[CHANGES] = {
		"channels that became hotter", "channels that became cooler", "new channels", "channels that are gone"};
	for (int c = 0; c < CHANGES; c++) {
		struct node *rows = add_list(d->root, keys[c]);
		if (list[c].count)
			fprintf(d->text, "\n%s: %zu\n", titles[c], list[c].count);
		for (size_t i = 0; i < list[c].count; i++)
			add_change_row(rows, &list[c].change[i], i < LISTED_MOST);
		if (list[c].count > LISTED_MOST)
			fprintf(d->text, "  and %zu more (--format json lists them)\n", list[c].count - LISTED_MOST);
	}
}

static int write_document(FILE *file, const struct report_options *o, const struct result *old, const struct result *new,
	const struct change_list list[CHANGES], struct error *error)
{
	struct document d;
	if (!document_begin(&d, o->format == REPORT_JSON ? FORMAT_JSON : FORMAT_TEXT, file, error)) {
		add_head(&d, "orcs-report-changes/1", o->argc, o->argv);
		add_text(d.root, "old", o->old);
		add_text(d.root, "new", o->new);
		fprintf(d.text, "%s -> ", SHOWN(o->old));
		fprintf(d.text, "%s\n\n", SHOWN(o->new));
		add_figures(&d, old, new);
		add_changes(&d, list);
	}
	return document_end(&d, error);
}

int changes_write(FILE *file, const struct report_options *options, struct error *error)
{
	struct result old = {.ways = 0}, new = {.ways = 0};
	struct change_list list[CHANGES] = {{.count = 0}};
	if (!read_result(&old, options->old, error) && !read_result(&new, options->new, error) && !find_changes(list, &old, &new, error))
		write_document(file, options, &old, &new, list, error);
	for (int c = 0; c < CHANGES; c++)
		free(list[c].change);
	free(old.way);
	free(new.way);
	cJSON_Delete(old.json);
	cJSON_Delete(new.json);
	return error->status ? -1 : 0;
}
