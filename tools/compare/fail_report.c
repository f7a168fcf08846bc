#include "tools/compare/fail_report.h"

#include "base/document.h"
#include "base/memory.h"
#include "base/shown.h"
#include "base/statistics.h"
#include "cli/gnuplot.h"
#include "cli/palette.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLOTTED = 10, NAMED = 5 };

static int compare_numbers(double a, double b)
{
	a = isnan(a) ? 0 : a;
	b = isnan(b) ? 0 : b;
	return (a < b) - (a > b);
}

static int by_cost(const void *left, const void *right, void *data)
{
	const struct fail_effect *effect = data, *a = &effect[*(const size_t *)left], *b = &effect[*(const size_t *)right];
	const double pairs[][2] = {{(double)a->apart, (double)b->apart}, {a->largest, b->largest}, {a->rivals, b->rivals},
		{-a->difference, -b->difference}, {(double)a->entries, (double)b->entries}, {(double)a->hosts, (double)b->hosts}};
	for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
		int order = compare_numbers(pairs[i][0], pairs[i][1]);
		if (order)
			return order;
	}
	return *(const size_t *)left < *(const size_t *)right ? -1 : 1;
}

static size_t *rank_failures(const struct fail_sweep *s, struct error *error)
{
	size_t *order = array_create(s->failures.count, sizeof *order, error);
	for (size_t i = 0; i < s->failures.count && order; i++)
		order[i] = i;
	if (order)
		qsort_r(order, s->failures.count, sizeof *order, by_cost, s->effect);
	return order;
}

/* Names a failure: the cable, the switch, or the line of the file. */
static const char *name_of(const struct fail_sweep *s, const struct failure *f, char *text, size_t size)
{
	char cable[300];
	if (f->text)
		snprintf(text, size, "%s", SHOWN(f->text));
	else if (f->kind == FAILURE_SWITCH)
		snprintf(text, size, "%s", SHOWN(s->fabric->labels->name[f->node]));
	else if (f->parts > 1)
		snprintf(text, size, "%s and %" PRIu32 " more", channel_text(s->fabric, f->channel, cable, sizeof cable), f->parts - 1);
	else
		channel_text(s->fabric, f->channel, text, size);
	return text;
}

static const char *deadlock_text(enum deadlock deadlock)
{
	return deadlock == DEADLOCK_NONE ? "none" : deadlock == DEADLOCK_POSSIBLE ? "possible" : "unknown";
}

/* ---- text */

/* Returns text: a bandwidth, with its sign or without; "-" for none. */
static const char *bandwidth_text(double value, bool sign, char *text, size_t size)
{
	if (isnan(value))
		snprintf(text, size, "-");
	else
		snprintf(text, size, sign ? "%+.4f" : "%.4f", value);
	return text;
}

static void put_row(FILE *file, const struct fail_sweep *s, size_t i, int width)
{
	const struct fail_effect *e = &s->effect[i];
	char name[400], mean[20], difference[20], around[20] = "";
	if (isfinite(e->high - e->low))
		snprintf(around, sizeof around, "+-%.4f", (e->high - e->low) / 2);
	fprintf(file, "%-*s %6" PRIu64 " %10" PRIu64 " %12.3f %+8.1f%% %9s %9s %-8s %8" PRIu64 "  %s%s\n", width,
		name_of(s, &s->failures.list[i], name, sizeof name), e->hosts, e->apart, e->largest,
		s->state.intact.largest > 0 ? 100 * (e->largest / s->state.intact.largest - 1) : 0,
		bandwidth_text(e->mean, false, mean, sizeof mean), bandwidth_text(e->difference, true, difference, sizeof difference),
		around, e->entries, deadlock_text(e->deadlock), *e->refusal ? "  refused" : "");
}

static int by_hosts(const void *left, const void *right, void *data)
{
	const struct fail_effect *effect = data, *a = &effect[*(const size_t *)left], *b = &effect[*(const size_t *)right];
	return a->hosts != b->hosts ? (a->hosts < b->hosts) - (a->hosts > b->hosts) : by_cost(left, right, data);
}

/* Names the failures that most hosts go with. */
static int put_lost_hosts(FILE *file, const struct fail_sweep *s, const size_t *order, struct error *error)
{
	size_t count = s->failures.count, *list = array_copy(order, count, sizeof *list, error), named = 0;
	char name[400];
	if (!list)
		return -1;
	qsort_r(list, count, sizeof *list, by_hosts, s->effect);
	for (; named < count && named < NAMED && s->effect[list[named]].hosts; named++)
		fprintf(file, "%s%s (%" PRIu64 ")",
			named ? ", " : "hosts go with: ", name_of(s, &s->failures.list[list[named]], name, sizeof name),
			s->effect[list[named]].hosts);
	for (count -= named; count && !s->effect[list[named + count - 1]].hosts;)
		count--;
	if (count)
		fprintf(file, " and %zu more", count);
	fputs(named ? "\n" : "", file);
	free(list);
	return 0;
}

static int write_text(const struct fail_sweep *s, const size_t *order, FILE *file, struct error *error)
{
	const struct compare_options *o = s->options;
	size_t count = s->failures.count, shown = o->top && o->top < count ? o->top : count, hosts = 0, lose = 0, load = 0, lower = 0,
	       dead = 0, refused = 0;
	const char *refusal = NULL;
	int width = 8;
	char name[400], mean[20];
	for (size_t i = 0; i < count; i++) {
		const struct fail_effect *e = &s->effect[i];
		hosts += e->hosts > 0;
		lose += e->apart > 0;
		load += e->largest > s->state.intact.largest * (1 + 1e-9);
		lower += e->high < 0;
		dead += e->deadlock == DEADLOCK_POSSIBLE;
		refused += *e->refusal != '\0';
		refusal = *e->refusal && !refusal ? e->refusal : refusal;
	}
	for (size_t k = 0; k < shown; k++) {
		int length = (int)strlen(name_of(s, &s->failures.list[order[k]], name, sizeof name));
		width = length > width ? length : width;
	}
	fprintf(file, "%s: %" PRIu32 " hosts; failures %zu, rerouted by %s%s\n", SHOWN(s->fabric->labels->source), s->fabric->hosts, count,
		s->engine ? s->engine : "as-is", s->reroute == REROUTE_REPAIR ? ", repair" : "");
	fprintf(file, "intact: largest load %.3f, bandwidth %s, deadlocks %s\n", s->state.intact.largest,
		bandwidth_text(s->state.intact.mean, false, mean, sizeof mean), deadlock_text(s->state.intact.deadlock));
	fprintf(file,
		"lose hosts: %zu; lose pairs of others: %zu; raise the largest load: %zu; lower the bandwidth (95%%): %zu; can deadlock: %zu\n",
		hosts, lose, load, lower, dead);
	if (put_lost_hosts(file, s, order, error))
		return -1;
	if (refused)
		fprintf(file, "the engine refuses %zu, the first: %s\n", refused, SHOWN(refusal));
	fprintf(file, "\n%-*s %6s %10s %12s %9s %9s %17s %8s  %s\n", width, "failure", "hosts", "pairs lost", "largest load", "",
		"bandwidth", "difference", "entries", "deadlock");
	for (size_t k = 0; k < shown; k++)
		put_row(file, s, order[k], width);
	if (shown < count)
		fprintf(file, "... and %zu more; --top 0 lists all, and so do --format json and csv\n", count - shown);
	return 0;
}

/* ---- JSON and CSV */

static void add_failure(struct node *list, const struct fail_sweep *s, size_t i, size_t rank)
{
	const struct failure *f = &s->failures.list[i];
	const struct fail_effect *e = &s->effect[i];
	const struct fabric_labels *l = s->fabric->labels;
	struct node *to = add_object(list, NULL);
	bool cable = f->channel != NONE;
	uint32_t head = cable ? s->fabric->head[f->channel] : NONE, back = cable ? s->reverse[f->channel] : NONE;
	add_text(to, "kind", failure_kinds[f->kind]);
	add_text(to, "node", f->node == NONE ? NULL : l->name[f->node]);
	add_value(to, "port", cable ? value_of_some(l->port[f->channel]) : NO_VALUE);
	add_text(to, "peer", cable ? l->name[head] : NULL);
	add_value(to, "peer_port", back != NONE ? value_of_some(l->port[back]) : NO_VALUE);
	add_text(to, "text", f->text);
	add_count(to, "parts", f->parts);
	add_count(to, "rank", rank);
	add_count(to, "hosts_lost", e->hosts);
	add_count(to, "unreachable", e->unreachable);
	add_count(to, "pairs_apart", e->apart);
	add_count(to, "entries_changed", e->entries);
	add_number(to, "largest_load", e->largest);
	add_number(to, "load_squares", e->squares);
	add_number(to, "rivals", e->rivals);
	add_number(to, "mean", e->mean);
	add_number(to, "difference", e->difference);
	add_range(to, "interval", e->low, e->high);
	add_count(to, "flows_lost", e->lost_flows);
	add_text(to, "deadlock", deadlock_text(e->deadlock));
	add_text(to, "refusal", *e->refusal ? e->refusal : NULL);
}

static int write_json(const struct fail_sweep *s, const size_t *order, FILE *file, struct error *error)
{
	const struct compare_options *o = s->options;
	struct document doc;
	size_t *rank = array_create(s->failures.count, sizeof *rank, error);
	if (!document_begin(&doc, FORMAT_JSON, file, error) && rank) {
		for (size_t k = 0; k < s->failures.count; k++)
			rank[order[k]] = k + 1;
		add_head(&doc, "orcs-failures/1", o->argc, o->argv);
		add_fabric(doc.root, s->fabric);
		add_text(doc.root, "engine", s->engine ? s->engine : "as-is");
		add_text(doc.root, "reroute", s->reroute == REROUTE_REPAIR ? "repair" : "scratch");
		add_count(doc.root, "runs", o->runs);
		add_count(doc.root, "seed", o->seed);
		struct node *intact = add_object(doc.root, "intact");
		const struct fail_effect *e = &s->state.intact;
		add_count(intact, "unreachable", s->state.unreachable);
		add_number(intact, "largest_load", e->largest);
		add_number(intact, "load_squares", e->squares);
		add_number(intact, "rivals", e->rivals);
		add_number(intact, "mean", e->mean);
		add_text(intact, "deadlock", deadlock_text(e->deadlock));
		struct node *list = add_list(doc.root, "failures");
		for (size_t i = 0; i < s->failures.count; i++)
			add_failure(list, s, i, rank[i]);
	}
	free(rank);
	return document_end(&doc, error);
}

static void write_csv(const struct fail_sweep *s, const size_t *order, FILE *file)
{
	const struct fabric_labels *l = s->fabric->labels;
	fputs("rank,kind,node,port,peer,peer_port,text,parts,hosts_lost,unreachable,pairs_apart,entries_changed,largest_load,load_squares,rivals,mean,difference,low,"
	      "high,flows_lost,deadlock,refusal\n",
		file);
	for (size_t k = 0; k < s->failures.count; k++) {
		const struct failure *f = &s->failures.list[order[k]];
		const struct fail_effect *e = &s->effect[order[k]];
		bool cable = f->channel != NONE;
		uint32_t back = cable ? s->reverse[f->channel] : NONE;
		const struct value values[] = {value_of_count(k + 1), value_of_text(failure_kinds[f->kind]),
			value_of_text(f->node == NONE ? NULL : l->name[f->node]), cable ? value_of_some(l->port[f->channel]) : NO_VALUE,
			value_of_text(cable ? l->name[s->fabric->head[f->channel]] : NULL),
			back != NONE ? value_of_some(l->port[back]) : NO_VALUE, value_of_text(f->text), value_of_count(f->parts),
			value_of_count(e->hosts), value_of_count(e->unreachable), value_of_count(e->apart), value_of_count(e->entries),
			value_of_number(e->largest, NULL), value_of_number(e->squares, NULL), value_of_number(e->rivals, NULL),
			value_of_number(e->mean, NULL), value_of_number(e->difference, NULL), value_of_number(e->low, NULL),
			value_of_number(e->high, NULL), value_of_count(e->lost_flows), value_of_text(deadlock_text(e->deadlock)),
			value_of_text(*e->refusal ? e->refusal : NULL)};
		for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
			if (i)
				putc(',', file);
			csv_value(file, values[i]);
		}
		putc('\n', file);
	}
}

int fail_report(const struct fail_sweep *sweep, FILE *file, struct error *error)
{
	size_t *order = rank_failures(sweep, error);
	if (order && sweep->options->format == FORMAT_JSON)
		write_json(sweep, order, file, error);
	else if (order && sweep->options->format == FORMAT_CSV)
		write_csv(sweep, order, file);
	else if (order)
		write_text(sweep, order, file, error);
	free(order);
	return error->status ? -1 : 0;
}

/* ---- the coloured graph */

struct costs {
	double *cost; /* [channels] */
	double largest;
};

static void column_cost(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.6f", ((const struct costs *)data)->cost[channel]);
}

static double share_of(const struct costs *c, uint32_t channel)
{
	return c->largest > 0 ? c->cost[channel] / c->largest : 0;
}

static void column_share(FILE *file, uint32_t channel, const void *data)
{
	fprintf(file, "%.6f", share_of(data, channel));
}

static void column_colour(FILE *file, uint32_t channel, const void *data)
{
	char text[40];
	palette_colour(palettes[0], share_of(data, channel), text, sizeof text);
	fputs(text, file);
}

int fail_graph(const struct fail_sweep *sweep, FILE *file, struct error *error)
{
	const struct fail_sweep *s = sweep;
	struct costs costs = {.cost = array_create(s->fabric->channels, sizeof *costs.cost, error)};
	char full[40];
	for (int lost = 0; lost < 2 && costs.cost; lost++) /* cables that lose pairs are as bad as the worst of the others */
		for (size_t i = 0; i < s->failures.count; i++) {
			const struct failure *f = &s->failures.list[i];
			const struct fail_effect *e = &s->effect[i];
			if (f->kind != FAILURE_CABLE || (e->unreachable > 0) != lost)
				continue;
			double cost = !lost ? fmax(0, -e->difference) : costs.largest > 0 ? costs.largest : s->state.intact.mean;
			costs.largest = fmax(costs.largest, cost);
			costs.cost[f->channel] = cost;
			if (s->reverse[f->channel] != NONE)
				costs.cost[s->reverse[f->channel]] = cost;
		}
	if (costs.cost) {
		snprintf(full, sizeof full, "%.6f", costs.largest);
		const struct dot_column columns[] = {
			{"congestion", column_share, &costs}, {"cost", column_cost, &costs}, {"color", column_colour, &costs}, {0}};
		const struct dot_pair pairs[] = {{"orcs_full_sum", full}, {"orcs_palette", palettes[0]}, {"orcs_unit", "cost"},
			{"orcs_runs", NULL}, {"orcs_levels", NULL}, {"orcs_pattern", NULL}, {"orcs_speeds", NULL},
			{"orcs_significance", NULL}, {0}};
		dot_write(s->fabric, s->attributes, file, columns, pairs);
	}
	free(costs.cost);
	return error->status ? -1 : 0;
}

/* ---- the picture */

/* Writes the values of all failures, ascending, each with its place in percent. */
static int put_values(FILE *gnuplot, const struct fail_sweep *s, const char *name, bool load, struct error *error)
{
	size_t count = s->failures.count;
	double *value = array_create(count, sizeof *value, error);
	if (!value)
		return -1;
	for (size_t i = 0; i < count; i++)
		value[i] = load ? s->effect[i].largest : isnan(s->effect[i].difference) ? 0 : s->effect[i].difference;
	sort_values(value, count);
	fprintf(gnuplot, "$%s << END\n", name);
	for (size_t i = 0; i < count; i++)
		fprintf(gnuplot, "%.9g %.9g\n", value[i], 100 * (double)(i + 1) / (double)count);
	fputs("END\n", gnuplot);
	free(value);
	return 0;
}

int fail_plot(const struct fail_sweep *sweep, struct output *output, struct error *error)
{
	const struct fail_sweep *s = sweep;
	const char *path = s->options->plot;
	size_t *order = rank_failures(s, error), shown = s->failures.count < PLOTTED ? s->failures.count : PLOTTED;
	FILE *gnuplot = order ? gnuplot_start(path, 1100, 760, error) : NULL;
	if (gnuplot && !put_values(gnuplot, s, "load", true, error) && !put_values(gnuplot, s, "change", false, error)) {
		char name[400], text[500], mean[20];
		snprintf(text, sizeof text, "%zu failures, rerouted by %s%s: largest load %.3f intact, bandwidth %s", s->failures.count,
			s->engine ? s->engine : "as-is", s->reroute == REROUTE_REPAIR ? ", repair" : "", s->state.intact.largest,
			bandwidth_text(s->state.intact.mean, false, mean, sizeof mean));
		gnuplot_string(gnuplot, "set multiplot title ", text);
		fputs("set xtics autofreq rotate by -35\nset grid lc rgb '#dddddd'\nset border 3\nset tics nomirror out\nunset key\nset ylabel 'failures up to here, %'\n"
		      "set size 0.5,0.45\nset origin 0,0.5\nset xlabel 'largest load after the failure'\n",
			gnuplot);
		fprintf(gnuplot, "set arrow 1 from first %.9g, graph 0 to first %.9g, graph 1 nohead dt 2 lc rgb '#000000'\n",
			s->state.intact.largest, s->state.intact.largest);
		fputs("plot [*:*] [0:100] $load using 1:2 with steps lw 2 lc rgb '#0072b2'\nset origin 0.5,0.5\n"
		      "set xlabel 'change of the bandwidth'\nset arrow 1 from first 0, graph 0 to first 0, graph 1 nohead dt 2 lc rgb '#000000'\n"
		      "plot [*:*] [0:100] $change using 1:2 with steps lw 2 lc rgb '#d55e00'\nunset arrow 1\n"
		      "set xtics norotate\nset size 1,0.48\nset origin 0,0\nset xlabel 'the worst: largest load'\nunset ylabel\nset style fill solid 0.6\n",
			gnuplot);
		fprintf(gnuplot, "set yrange [%zu.5:0.5]\nset ytics ()\nset lmargin 50\n", shown);
		for (size_t k = 0; k < shown; k++) {
			const struct fail_effect *e = &s->effect[order[k]];
			snprintf(text, sizeof text, "%.60s%s", name_of(s, &s->failures.list[order[k]], name, sizeof name),
				e->apart   ? " (loses pairs)"
				: e->hosts ? " (loses hosts)"
					   : "");
			gnuplot_string(gnuplot, "name = ", text);
			fprintf(gnuplot, "set ytics add (name %zu)\n", k + 1);
		}
		fputs("$worst << END\n", gnuplot);
		for (size_t k = 0; k < shown; k++)
			fprintf(gnuplot, "%zu %.9g %d\n", k + 1, s->effect[order[k]].largest, s->effect[order[k]].unreachable > 0);
		fputs("END\nset xrange [0:*]\nplot $worst using ($2/2):1:($2/2):(0.35):(column(3) > 0 ? 0xd55e00 : 0x0072b2) with boxxyerror lc rgb "
		      "variable\nunset multiplot\n",
			gnuplot);
	}
	free(order);
	return gnuplot_end(gnuplot, output, path, error);
}
