#include "tools/bound/bound_planes.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* The values of a plane or of all. */
struct line {
	uint64_t hosts, switches, channels;
	double load; /* the largest of all-to-all */
	double congestion, routed, lower, upper, pattern, ideal;
};

struct all_planes {
	const struct bounds *const *bounds; /* [planes] */
	const uint32_t *number;
	const struct bound_options *options;
	uint32_t planes;
};

static struct line line_of(const struct bounds *b)
{
	const struct bound_options *o = b->options;
	bool worst = o->parts & PART_WORST && b->worst.channel != NONE, rates = o->parts & PART_THROUGHPUT && b->all.any;
	return (struct line){
		.hosts = b->fabric->hosts,
		.switches = b->fabric->nodes - b->fabric->hosts,
		.channels = b->fabric->channels,
		.load = bound_load(b, b->hottest, (double)b->loads.load[b->hottest].routes),
		.congestion = worst ? b->worst.load : NAN,
		.routed = rates ? b->all.routed : NAN,
		.lower = rates ? b->all.lower : NAN,
		.upper = rates ? b->all.upper : NAN,
		.pattern = o->pattern.spec && b->pattern.any ? b->pattern.routed : NAN,
		.ideal = o->parts & PART_IDEAL ? b->ideal.bisect : NAN,
	};
}

/* fmin and fmax leave out planes without the value. */
static struct line total_of(const struct all_planes *all)
{
	struct line total = {.load = NAN, .congestion = NAN, .routed = NAN, .lower = NAN, .upper = NAN, .pattern = NAN};
	double ideal = 0;
	for (uint32_t p = 0; p < all->planes; p++) {
		struct line line = line_of(all->bounds[p]);
		total.hosts += line.hosts;
		total.switches += line.switches;
		total.channels += line.channels;
		total.load = fmax(total.load, line.load);
		total.congestion = fmax(total.congestion, line.congestion);
		total.routed = fmin(total.routed, line.routed);
		total.lower = fmin(total.lower, line.lower);
		total.upper = fmin(total.upper, line.upper);
		total.pattern = fmin(total.pattern, line.pattern);
		ideal += line.ideal * (double)line.hosts;
	}
	total.ideal = ideal / (double)total.hosts;
	return total;
}

static void plane_row(struct row *row, size_t index, const void *data)
{
	const struct all_planes *all = data;
	struct line line = index < all->planes ? line_of(all->bounds[index]) : total_of(all);
	if (index < all->planes)
		row_count(row, all->number[index]);
	else
		row_text(row, "total");
	row_count(row, line.hosts);
	row_count(row, line.switches);
	row_number(row, line.load, "%.6g");
	row_number(row, line.congestion, "%.6g");
	row_number(row, line.routed, "%.4f");
	if (isnan(line.lower))
		row_put(row, NO_VALUE);
	else
		row_print(row, "%.4f .. %.4f", line.lower, line.upper);
	row_number(row, line.pattern, "%.4f");
	row_number(row, line.ideal, "%.6f");
}

static const struct column plane_columns[] = {
	{.title = "plane", .left = true},
	{.title = "hosts", .before = "  "},
	{.title = "switches", .before = "  "},
	{.title = "all-to-all: largest load", .before = "  "},
	{.title = "worst permutation", .before = "  ", .optional = true},
	{.title = "all-to-all: routed", .before = "  ", .optional = true},
	{.title = "possible", .before = "  ", .optional = true},
	{.title = "pattern: routed", .before = "  ", .optional = true},
	{.title = "ideal tree: bisect", .before = "  ", .optional = true},
};

static void add_total(struct node *root, const struct all_planes *all)
{
	struct line total = total_of(all);
	struct node *to = add_object(root, "total");
	add_count(to, "hosts", total.hosts);
	add_count(to, "switches", total.switches);
	add_number(to, "max_load", total.load);
	add_number(to, "congestion", total.congestion);
	add_number(to, "routed", total.routed);
	add_range(to, "possible", total.lower, total.upper);
	add_number(to, "pattern_routed", total.pattern);
	add_number(to, "ideal_bisect", total.ideal);
}

/* CSV has the channels of all planes, each with the number of its plane. */
static void channel_row(struct row *row, size_t index, const void *data)
{
	const struct all_planes *all = data;
	uint32_t p = 0;
	for (; index >= all->bounds[p]->fabric->channels; p++)
		index -= all->bounds[p]->fabric->channels;
	struct table table = bound_channels(all->bounds[p]);
	row_count(row, all->number[p]);
	table.make(row, index, table.data);
}

int bound_planes_report(const struct bounds *const *bounds, const uint32_t *number, uint32_t planes, const struct bound_options *options,
	FILE *file, struct error *error)
{
	const struct all_planes all = {bounds, number, options, planes};
	struct table channels = bound_channels(bounds[0]);
	struct column columns[ROW_CELLS] = {{.csv = "plane"}};
	struct document d;
	memcpy(columns + 1, channels.columns, channels.count * sizeof *columns);
	channels = (struct table){columns, channels.count + 1, total_of(&all).channels, channel_row, &all};
	if (!document_begin(&d, options->format, file, error)) {
		struct node *root = d.root;
		if (d.format == FORMAT_TEXT)
			say_table(&d,
				(struct table){plane_columns, sizeof plane_columns / sizeof *plane_columns, planes + 1, plane_row, &all});
		add_head(&d, "orcs-bound-planes/1", options->argc, options->argv);
		struct node *list = add_list(root, "planes");
		for (uint32_t p = 0; p < planes && d.format == FORMAT_JSON && !error->status; p++) {
			struct node *plane = add_object(list, NULL);
			add_count(plane, "plane", number[p]);
			d.root = add_object(plane, "result");
			bound_report_add(&d, bounds[p], error);
			d.root = root;
		}
		add_total(root, &all);
		d.csv = &channels;
	}
	return document_end(&d, error);
}
