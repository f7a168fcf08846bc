/* Flow completion times: the time that each message takes, and its slowdown compared with an idle network. */
#include "base/memory.h"
#include "metrics/by_load.h"

#include "base/statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
	MEAN,
	HALF, /* of one run: none */
	P50,
	P90,
	P99,
	LONGEST,
	SLOWDOWN,
	SLOWDOWN_P99,
	FLOWS,
	UNROUTABLE,
	REROUTED,
	LOAD,
	BYTES,
	SHORTEST,
	SATURATED,
	BY_CLASS, /* of messages of open loops by size: the figures of each class */
	CLASS_FIGURES = 7,
	NUMBERS = BY_CLASS + CLASS_FIGURES * MESSAGE_CLASSES
};

/* Returns the largest of 1, 2 and 5 times a power of ten that is not above the time. */
static double bin_of(double time)
{
	if (time <= 0)
		return 0;
	double power = pow(10, floor(log10(time) + 1e-12)), digit = time / power * (1 + 1e-12);
	return power * (digit >= 5 ? 5 : digit >= 2 ? 2 : 1);
}

/* Returns the end of a bin: 2 for the bin that begins at 1, 5 for 2, 10 for 5. */
static double bin_end(double from)
{
	return bin_of(from * 2.5);
}

static double mean_of(const double *values, size_t count)
{
	double sum = 0;
	for (size_t i = 0; i < count; i++)
		sum += values[i];
	return count ? sum / (double)count : NAN;
}

/* ---- messages of task graphs */

static int graph_times(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	const struct task_times *t = seen->times;
	const struct task_graph *g = seen->graph;
	double *time = array_create(g->operations, sizeof *time, error), *slow = array_create(g->operations, sizeof *slow, error);
	size_t count = 0, slows = 0;
	for (uint32_t o = 0; time && slow && o < g->operations; o++) {
		if (!flow_enters(g, t->host, o) || (t->lost && t->lost[o]))
			continue;
		double took = (double)(t->ended[o] - t->begun[o]);
		time[count] = took / people_time(call);
		if (t->zero_load[o] > 0)
			slow[slows++] = took / PICOSECONDS / t->zero_load[o];
		if (histogram_add(&call->run, bin_of(time[count++]), 1, error))
			break;
	}
	if (!error->status) {
		sort_values(time, count);
		sort_values(slow, slows);
		numbers[MEAN] = mean_of(time, count);
		numbers[P50] = quantile_of(time, count, 0.5);
		numbers[P90] = quantile_of(time, count, 0.9);
		numbers[P99] = quantile_of(time, count, 0.99);
		numbers[LONGEST] = quantile_of(time, count, 1);
		numbers[SLOWDOWN] = mean_of(slow, slows);
		numbers[SLOWDOWN_P99] = quantile_of(slow, slows, 0.99);
		numbers[FLOWS] = (double)t->messages;
		numbers[UNROUTABLE] = (double)(t->unroutable - t->lost_transfers);
		numbers[REROUTED] = (double)t->rerouted;
		numbers[SHORTEST] = quantile_of(time, count, 0);
	}
	free(time);
	free(slow);
	return error->status ? -1 : 0;
}

/* ---- messages of open loops */

/* Adds a class to the sum of several. */
static void add_class(struct message_class *all, const struct message_class *class)
{
	all->messages += class->messages;
	all->time += class->time;
	all->slow += class->slow;
	all->shortest = class->shortest < all->shortest ? class->shortest : all->shortest;
	all->longest = class->longest > all->longest ? class->longest : all->longest;
	all->least_slow = class->least_slow < all->least_slow ? class->least_slow : all->least_slow;
	all->most_slow = class->most_slow > all->most_slow ? class->most_slow : all->most_slow;
	for (unsigned bin = 0; bin < LATENCY_BINS; bin++) {
		all->bins[bin] += class->bins[bin];
		all->slow_bins[bin] += class->slow_bins[bin];
	}
}

static double time_within(const struct metric_call *call, const struct message_class *class, double share)
{
	return bins_quantile(class->bins, class->messages, share, class->shortest, class->longest, people_time(call), call->cycles);
}

static double slowdown_within(const struct message_class *class, double share)
{
	return bins_quantile(class->slow_bins, class->messages, share, class->least_slow, class->most_slow, 1 << SLOWDOWN_BITS, false);
}

static double mean_time(const struct metric_call *call, const struct message_class *class)
{
	return class->messages ? (double)class->time / (double)class->messages / people_time(call) : NAN;
}

static double mean_slowdown(const struct message_class *class)
{
	return class->messages ? (double)class->slow / (double)class->messages / (1 << SLOWDOWN_BITS) : NAN;
}

/* Fills the figures of a class; NAN: it has no messages. */
static void class_figures(const struct metric_call *call, const struct message_class *class, double *figure)
{
	*figure++ = class->messages ? (double)class->messages : NAN;
	*figure++ = mean_time(call, class);
	*figure++ = time_within(call, class, 0.5);
	*figure++ = time_within(call, class, 0.99);
	*figure++ = class->messages ? (double)class->longest / people_time(call) : NAN;
	*figure++ = mean_slowdown(class);
	*figure = slowdown_within(class, 0.99);
}

static int open_times(struct metric_call *call, const struct packet_seen *seen, double *numbers, struct error *error)
{
	struct message_class *all = array_create(1, sizeof *all, error);
	if (!all)
		return -1;
	all->shortest = all->least_slow = NEVER;
	for (int c = 0; c < MESSAGE_CLASSES && seen->messages; c++) {
		add_class(all, &seen->messages[c]);
		class_figures(call, &seen->messages[c], numbers + BY_CLASS + c * CLASS_FIGURES);
	}
	bool any = all->messages;
	numbers[MEAN] = mean_time(call, all);
	numbers[P50] = time_within(call, all, 0.5);
	numbers[P90] = time_within(call, all, 0.9);
	numbers[P99] = time_within(call, all, 0.99);
	numbers[LONGEST] = any ? (double)all->longest / people_time(call) : NAN;
	numbers[SHORTEST] = any ? (double)all->shortest / people_time(call) : NAN;
	numbers[SLOWDOWN] = mean_slowdown(all);
	numbers[SLOWDOWN_P99] = slowdown_within(all, 0.99);
	numbers[FLOWS] = (double)all->messages;
	numbers[LOAD] = seen->load;
	numbers[SATURATED] = seen->saturated;
	for (unsigned bin = 0; bin < LATENCY_BINS && !error->status; bin++)
		if (all->bins[bin])
			histogram_add(&call->run, bin_of(bin_value(bin, all->shortest, all->longest, people_time(call), call->cycles)),
				all->bins[bin], error);
	free(all);
	return error->status ? -1 : 0;
}

static int fct_flow(struct metric_call *call, const struct observation *seen, double *numbers, struct error *error)
{
	for (unsigned i = 0; i < NUMBERS; i++)
		numbers[i] = NAN;
	numbers[BYTES] = seen->bytes;
	return seen->times ? graph_times(call, seen, numbers, error) : open_times(call, seen->packets, numbers, error);
}

/* ---- by load or size */

enum { MEAN_FIGURE = 3, FIGURES = 13 };

static const struct load_figure figures[FIGURES] = {
	{"bytes", NULL, LOAD_MEAN, BYTES, LINE_ALWAYS, false},
	{"load", "load", LOAD_MEAN, LOAD, LINE_IF_KNOWN, false},
	{"flows", "messages measured", LOAD_MEAN, FLOWS, LINE_ALWAYS, false},
	{"mean", NULL, LOAD_MEAN, MEAN, LINE_ALWAYS, false},
	{"ci95_half", "95% confidence interval of the mean", LOAD_HALF, MEAN, LINE_IF_KNOWN, false},
	{"min", "minimum", LOAD_MEAN, SHORTEST, LINE_ALWAYS, false},
	{"p50", "median", LOAD_MEAN, P50, LINE_ALWAYS, false},
	{"p90", "90% within", LOAD_MEAN, P90, LINE_ALWAYS, false},
	{"p99", "99% within", LOAD_MEAN, P99, LINE_ALWAYS, false},
	{"max", "maximum", LOAD_LARGEST, LONGEST, LINE_ALWAYS, false},
	{"slowdown", "slowdown against an idle network (mean)", LOAD_MEAN, SLOWDOWN, LINE_ALWAYS, false},
	{"slowdown_p99", "99% within", LOAD_MEAN, SLOWDOWN_P99, LINE_ALWAYS, false},
	{"saturated", "saturated, share of the runs", LOAD_MEAN, SATURATED, LINE_IF_POSITIVE, false},
};

static const struct table_column column[FIGURES] = {
	{"bytes", "bytes"},
	{"load", "load"},
	{"flows", "messages"},
	{"mean", "mean"},
	{"ci95_half", "+-"},
	{"min", NULL},
	{"p50", "50%"},
	{"p90", NULL},
	{"p99", "99%"},
	{"max", "maximum"},
	{"slowdown", "slowdown"},
	{"slowdown_p99", "99%"},
	{"saturated", "saturated"},
};

/* Adds a row for each class of sizes that has messages, at each load. Returns 0, or -1. */
static int finish_classes(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	static const struct table_column class_column[] = {{"load", "load"}, {"upto", "bytes up to"}, {"flows", "messages"},
		{"mean", "mean"}, {"p50", "50%"}, {"p99", "99%"}, {"max", "maximum"}, {"slowdown", "slowdown"}, {"slowdown_p99", "99%"}};
	enum { COLUMNS = sizeof class_column / sizeof *class_column, CELLS = 1 + MESSAGE_CLASSES * CLASS_FIGURES, LONGEST_OF = 4 };
	struct load_figure figure[CELLS] = {{.number = LOAD}};
	size_t rows, cells = 0;
	for (unsigned i = 1; i < CELLS; i++)
		figure[i] = (struct load_figure){
			.number = BY_CLASS + i - 1, .value = (i - 1) % CLASS_FIGURES == LONGEST_OF ? LOAD_LARGEST : LOAD_MEAN};
	double *loads = load_table(samples, figure, CELLS, &rows, error);
	double *table = loads ? array_create(rows * MESSAGE_CLASSES * COLUMNS, sizeof *table, error) : NULL;
	for (size_t row = 0; table && row < rows; row++)
		for (int c = 0; c < MESSAGE_CLASSES; c++) {
			const double *of_class = loads + row * CELLS + 1 + c * CLASS_FIGURES;
			if (isnan(*of_class))
				continue;
			table[cells++] = loads[row * CELLS];
			table[cells++] = c < MESSAGE_CLASSES - 1 ? MESSAGE_CLASS_LEAST * pow(10, c) : NAN;
			for (int i = 0; i < CLASS_FIGURES; i++)
				table[cells++] = of_class[i];
		}
	free(loads);
	if (!table)
		return -1;
	result_table(result, "sizes", PEOPLE_LABEL(call, "by size of message, ", ""), class_column, COLUMNS, table, cells);
	return 0;
}

/* Adds the figures by load or size, and by class. Returns 0, or -1. */
static int finish_points(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	struct load_figure figure[FIGURES];
	struct load_layout layout = {PEOPLE_LABEL(call, "completion time of messages, ", ""), figure, column, FIGURES, true};
	memcpy(figure, figures, sizeof figure);
	figure[MEAN_FIGURE].label = PEOPLE_LABEL(call, "completion time, ", " (mean)");
	if (finish_loads(samples, &layout, result, error))
		return -1;
	return isnan(mean_number(samples, LOAD)) || several_loads(samples, BYTES) ? 0 : finish_classes(call, samples, result, error);
}

static int fct_finish(const struct metric_call *call, const struct samples *samples, struct result *result, struct error *error)
{
	size_t count = histogram_bins(&call->pooled);
	struct bin *bins = array_create(count, sizeof *bins, error);
	if (!bins)
		return -1;
	histogram_list(&call->pooled, bins);
	bool several = several_loads(samples, LOAD) || several_loads(samples, BYTES);
	result_histogram(result, ITEM_HISTOGRAM, "histogram", several ? NULL : PEOPLE_LABEL(call, "", " from"), "messages", bins, count);
	result_any_size(result);
	result_bin_end(result, bin_end);
	if (!isnan(mean_number(samples, LOAD)) || several_loads(samples, BYTES))
		return finish_points(call, samples, result, error);
	finish_number(samples, FLOWS, "flows", "messages delivered per run", result);
	finish_number(samples, UNROUTABLE, "unroutable", NULL, result);
	finish_number(samples, REROUTED, "rerouted", mean_number(samples, REROUTED) > 0 ? "of these by another route" : NULL, result);
	finish_number(samples, MEAN, "mean", PEOPLE_LABEL(call, "completion time, ", " (mean)"), result);
	finish_number(samples, P50, "p50", "median", result);
	finish_number(samples, P90, "p90", "90% within", result);
	finish_number(samples, P99, "p99", "99% within", result);
	finish_number(samples, LONGEST, "max", "maximum", result);
	finish_number(samples, SLOWDOWN, "slowdown", "slowdown against an idle network (mean)", result);
	finish_number(samples, SLOWDOWN_P99, "slowdown_p99", "99% within", result);
	return 0;
}

const struct metric metric_fct = {
	.name = "fct",
	.summary = "completion times of messages, and their slowdowns compared with an idle network",
	.source = "INRFlow paper 3.1",
	.gathers = METRIC_VALUES | METRIC_POOLED,
	.wants = SEEN_TIMES,
	.open = true,
	.sizes = true,
	.numbers = NUMBERS,
	.flow = fct_flow,
	.finish = fct_finish,
};
