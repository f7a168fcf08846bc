#include "tools/draw/heat.h"

#include "base/args.h"
#include "base/memory.h"
#include "cli/palette.h"
#include "fabric/pair_loads.h"
#include "shapes/tree_levels.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Reads the number of a channel's attribute, 0 if missing. Returns -1 if it is not a number. */
static int read_value(const struct fabric *fabric, const struct attributes *attributes, uint32_t channel, const char *name, double *value,
	struct error *error)
{
	const char *text = attributes_of_channel(attributes, channel, name);
	*value = 0;
	if (!text || read_number(text, 0, DBL_MAX, value))
		return 0;
	return error_at(error, STATUS_FABRIC, fabric->labels->source, 0, "channel %s -> %s has the %s '%s', not a number >= 0",
		fabric->labels->name[fabric_tail(fabric, channel)], fabric->labels->name[fabric->head[channel]], name, text);
}

/* Returns whether any channel has the attribute. */
static bool present(const struct fabric *fabric, const struct attributes *attributes, const char *name)
{
	for (uint32_t c = 0; c < fabric->channels; c++)
		if (attributes_of_channel(attributes, c, name))
			return true;
	return false;
}

/* Reads an integer attribute of the graph itself. */
static int graph_count(
	const struct fabric *fabric, const struct attributes *attributes, const char *name, uint64_t *count, struct error *error)
{
	const char *text = attributes_of_graph(attributes, name);
	int64_t number = 0;
	if (text && !read_integer(text, 0, INT64_MAX, &number))
		return error_at(
			error, STATUS_FABRIC, fabric->labels->source, 0, "the graph has the %s '%s', not a whole number", name, text);
	*count = (uint64_t)number;
	return 0;
}

static const char *known_palette(const char *name)
{
	for (const char *const *palette = palettes; name && *palette; palette++)
		if (!strcmp(name, *palette))
			return *palette;
	return palettes[0];
}

/* Finds the sum that has the last colour: given by the file, otherwise the maximum. */
static int find_full(
	struct heat *heat, const struct fabric *fabric, const struct attributes *attributes, double divisor, struct error *error)
{
	static const char name[] = "orcs_full_sum";
	const char *text = heat->unit == HEAT_SHARE ? NULL : attributes_of_graph(attributes, name);
	double told = 0;
	if (text && !read_number(text, 0, DBL_MAX, &told))
		return error_at(
			error, STATUS_FABRIC, fabric->labels->source, 0, "the graph has the %s '%s', not a number >= 0", name, text);
	told /= divisor;
	heat->full = told > 0 ? told : heat->largest > 0 ? heat->largest : 1;
	return 0;
}

/* Finds the hottest channel: by expected sums if the file has them. Those are rounded. */
static int find_hottest(
	struct heat *heat, const struct fabric *fabric, const struct attributes *attributes, double divisor, struct error *error)
{
	static const char name[] = "expected_sum";
	const char *significance = attributes_of_graph(attributes, "orcs_significance");
	double most = 0, least;
	heat->significance = significance ? significance : "";
	heat->expected = heat->unit == HEAT_ROUTES && present(fabric, attributes, name);
	for (uint32_t c = 0; heat->unit && c < fabric->channels; c++) {
		heat->load[c] = heat->value[c];
		if (heat->expected && read_value(fabric, attributes, c, name, &heat->load[c], error))
			return -1;
		heat->load[c] /= heat->expected ? divisor : 1;
		most = heat->load[c] > most ? heat->load[c] : most;
	}
	least = heat->expected ? most * (1 - 1e-6) : most;
	for (uint32_t c = 0; most > 0 && c < fabric->channels; c++)
		if (heat->load[c] < least)
			continue;
		else if (heat->hottest == NONE)
			heat->hottest = c;
		else
			heat->equal++;
	return 0;
}

int heat_init(struct heat *heat, const struct fabric *fabric, const struct attributes *attributes, struct error *error)
{
	const char *pattern = attributes_of_graph(attributes, "orcs_pattern");
	*heat = (struct heat){
		.value = array_create(fabric->channels, sizeof *heat->value, error),
		.load = array_create(fabric->channels, sizeof *heat->load, error),
		.hottest = NONE,
		.palette = known_palette(attributes_of_graph(attributes, "orcs_palette")),
		.pattern = pattern ? pattern : "",
	};
	if (error->status || graph_count(fabric, attributes, "orcs_runs", &heat->runs, error) ||
		graph_count(fabric, attributes, "orcs_levels", &heat->levels, error))
		return -1;
	const char *name = "congestion_sum", *unit = attributes_of_graph(attributes, "orcs_unit");
	const char *speeds = attributes_of_graph(attributes, "orcs_speeds");
	heat->by_speed = speeds && !strcmp(speeds, "counted");
	double divisor = 1;
	if (unit && !strcmp(unit, "busy") && present(fabric, attributes, "busy")) {
		heat->unit = HEAT_BUSY;
		name = "busy";
	} else if (unit && !strcmp(unit, "cost") && present(fabric, attributes, "cost")) {
		heat->unit = HEAT_COST;
		name = "cost";
	} else if (present(fabric, attributes, name)) {
		heat->unit = unit && !strcmp(unit, "bits") ? HEAT_BITS : heat->runs && heat->levels ? HEAT_ROUTES : HEAT_SUM;
		if (heat->unit == HEAT_ROUTES)
			divisor = (double)heat->runs * (double)heat->levels;
		if (heat->unit == HEAT_BITS)
			divisor = heat->runs ? (double)heat->runs : 1;
	} else if (present(fabric, attributes, name = "congestion")) {
		heat->unit = HEAT_SHARE;
	}
	for (uint32_t c = 0; heat->unit && c < fabric->channels; c++) {
		if (read_value(fabric, attributes, c, name, &heat->value[c], error))
			return -1;
		heat->value[c] /= divisor;
		heat->largest = heat->value[c] > heat->largest ? heat->value[c] : heat->largest;
	}
	return find_hottest(heat, fabric, attributes, divisor, error) || find_full(heat, fabric, attributes, divisor, error) ? -1 : 0;
}

/* ---- classes */

/* Returns whether the expected sums of the file are in proportion to the routes, divided by speeds if the file counts them. */
static bool is_uniform(const struct heat *heat, const struct fabric *fabric, const double *routes)
{
	double sum = 0, all = 0;
	if (!heat->expected || heat->palette != palettes[0] || heat->full != heat->largest)
		return false;
	for (uint32_t c = 0; c < fabric->channels; c++) {
		sum += heat->load[c];
		all += heat->by_speed ? routes[c] / fabric->speed[c] : routes[c];
	}
	for (uint32_t c = 0; c < fabric->channels; c++) {
		double wanted = (heat->by_speed ? routes[c] / fabric->speed[c] : routes[c]) * sum;
		if (fabs(heat->load[c] * all - wanted) > 1e-5 * (wanted + sum))
			return false;
	}
	return true;
}

static void take_excess(struct heat *heat, const struct fabric *fabric, const char *palette)
{
	const struct fair_share *fair = &heat->fair;
	heat->unit = HEAT_EXCESS;
	heat->palette = palette && strcmp(palette, HEAT_CLASSES) != 0 ? palette : NULL;
	heat->expected = false;
	heat->hottest = fair->hottest;
	heat->equal = fair->equal;
	heat->significance = heat->pattern = "";
	heat->largest = fair->hottest != NONE ? fair->excess[fair->hottest] : 0;
	heat->full = load_classes[LOAD_VERY_HOT].most;
	for (uint32_t c = 0; c < fabric->channels; c++)
		heat->value[c] = heat->load[c] = fair->excess[c];
}

/* Computes the fair shares; counts: whether speeds count. The fabric is as before. */
static int find_shares(struct fair_share *fair, struct fabric *fabric, const double *routes, bool counts, struct error *error)
{
	double *speed = counts ? NULL : array_create(fabric->channels, sizeof *speed, error), *own = fabric->speed;
	uint32_t *level = tree_levels_make(fabric, error);
	for (uint32_t c = 0; c < fabric->channels && speed; c++)
		speed[c] = 1;
	if (!error->status) {
		fabric->speed = counts ? own : speed;
		fair_share_find(fair, fabric, routes, level, error);
		fabric->speed = own;
	}
	free(level);
	free(speed);
	return error->status ? -1 : 0;
}

int heat_classify(struct heat *heat, struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes,
	const char *palette, struct error *error)
{
	const char *speeds = attributes_of_graph(attributes, "orcs_speeds");
	bool named = palette && strcmp(palette, HEAT_CLASSES) != 0, any = false;
	if (heat->unit && named)
		heat->palette = palette;
	if (!forwarding || forwarding->via || (heat->unit && (named || heat->unit != HEAT_ROUTES)))
		return 0;
	double *routes = pair_loads_routes(fabric, forwarding, NULL, error);
	for (uint32_t c = 0; c < fabric->channels && routes; c++)
		any |= routes[c] > 0 && fabric->node_host[fabric_tail(fabric, c)] == NONE;
	if (any && (!heat->unit || palette || is_uniform(heat, fabric, routes))) {
		heat->by_speed = !speeds || strcmp(speeds, "ignored") != 0;
		if (!find_shares(&heat->fair, fabric, routes, heat->by_speed, error))
			take_excess(heat, fabric, palette);
	}
	free(routes);
	return error->status ? -1 : 0;
}

void heat_show_queues(struct heat *heat, const struct queue_frames *frames, size_t frame, const char *palette)
{
	heat->unit = HEAT_QUEUE;
	heat->palette = palette ? palette : palettes[0];
	heat->frames = frames;
	heat->frame = frame;
	heat->full = 1;
	heat->largest = 0;
	heat->expected = false;
	heat->hottest = NONE;
	heat->equal = 0;
	heat->significance = heat->pattern = "";
	for (uint32_t c = 0; c < frames->channels; c++) {
		heat->value[c] = 0;
		for (size_t i = 0; i < frames->frames; i++)
			if (frame == frames->frames || i == frame)
				heat->value[c] = fmax(heat->value[c], queue_share(frames, i, c));
		heat->load[c] = heat->value[c];
		heat->equal += heat->value[c] > 0 && heat->value[c] == heat->largest;
		if (heat->value[c] > heat->largest) {
			heat->largest = heat->value[c];
			heat->hottest = c;
			heat->equal = 0;
		}
	}
}

void heat_colour(const struct heat *heat, double value, char *text, size_t size)
{
	if (heat_has_classes(heat))
		snprintf(text, size, "%s", load_classes[load_class_of(value, value)].light);
	else
		palette_colour(heat->palette, heat_share(heat, value), text, size);
}

void heat_clear(struct heat *heat)
{
	fair_share_clear(&heat->fair);
	free(heat->value);
	free(heat->load);
	*heat = (struct heat){0};
}

double heat_share(const struct heat *heat, double value)
{
	static const double shares[LOAD_CLASSES] = {0, 0.05, 0.15, 0.5, 0.65, 0.85, 1};
	double share = value / heat->full;
	if (heat_has_classes(heat))
		return shares[load_class_of(value, value)];
	return share < 1 ? share : 1;
}

/* Formats three significant digits and the power of 1000. */
static char *bits_text(double value, char *text, size_t size)
{
	static const char *const powers[] = {"", "k", "M", "G", "T", "P", "E"};
	size_t power = 0;
	for (; value >= 999.5 && power + 1 < sizeof powers / sizeof *powers; power++)
		value /= 1000;
	snprintf(text, size, "%.3g%s", value, powers[power]);
	return text;
}

char *heat_text(const struct heat *heat, double value, char *text, size_t size)
{
	if (heat->unit == HEAT_BITS)
		return bits_text(value, text, size);
	if (heat->unit == HEAT_SUM || value == 0)
		snprintf(text, size, "%.0f", value);
	else if (value < 0.01)
		snprintf(text, size, "%.2g", value);
	else
		snprintf(text, size, "%.*f", value >= 100 ? 0 : value >= 10 ? 1 : value >= 1 ? 2 : 3, value);
	return text;
}

const char *heat_unit(const struct heat *heat)
{
	static const char *const units[] = {
		[HEAT_NONE] = "",
		[HEAT_ROUTES] = "routes per level",
		[HEAT_SUM] = "routes in all",
		[HEAT_SHARE] = "of the largest congestion",
		[HEAT_BITS] = "bits per run",
		[HEAT_COST] = "of bandwidth",
		[HEAT_BUSY] = "of the time",
		[HEAT_QUEUE] = "of its buffers",
		[HEAT_EXCESS] = "of its fair share",
	};
	return heat->by_speed && heat->unit == HEAT_ROUTES ? "routes per level, by speed" : units[heat->unit];
}
