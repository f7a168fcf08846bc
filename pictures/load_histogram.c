#include "pictures/load_histogram.h"

#include "base/memory.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BINS_WISHED = 44, BINS_MOST = 48 };

/* In pixels: a histogram with its words, its axes, and the spaces between them. */
static const double plot_width = 256, plot_height = 126, left_room = 34, name_room = 36, below_room = 26, gap = 24;
static const double least_decade = 0.35; /* a single channel has this height, in decades */

/* The channels of a tier by load and class; all tiers have the same bins. */
struct histogram {
	uint32_t count[BINS_MOST][LOAD_CLASSES];
	uint32_t most; /* channels in one bin */
};

struct axes {
	double bin; /* width in loads */
	uint32_t bins;
};

/* Chooses round bins for loads up to a largest one. */
static struct axes choose_axes(double largest)
{
	static const double steps[] = {1, 2, 5};
	double bin = 0.05;
	for (int i = 0, power = -2; largest / bin > BINS_WISHED; i++) {
		power += i % 3 == 0;
		bin = steps[i % 3] * pow(10, power);
	}
	uint32_t bins = (uint32_t)(largest / bin) + 1;
	return (struct axes){bin, bins < BINS_MOST ? bins : BINS_MOST};
}

/* A load on the border of two bins belongs to the lower one: that of a host's own cable is not above it. */
static uint32_t bin_of(const struct axes *axes, double load)
{
	double at = ceil(load / axes->bin - 1e-6) - 1;
	return at <= 0 ? 0 : at < axes->bins ? (uint32_t)at : axes->bins - 1;
}

static bool has_histogram(const struct load_tier *tier)
{
	return tier->from != LEVEL_HOST && tier->to != LEVEL_HOST;
}

static void count_loads(const struct scene *scene, const struct axes *axes, struct histogram *all)
{
	const struct fair_share *fair = scene->fair;
	for (uint32_t c = 0; c < scene->fabric->channels; c++)
		if (fair->tier_of[c] != NONE)
			all[fair->tier_of[c]].count[bin_of(axes, fair->load[c])][fair->class[c]]++;
	for (uint32_t t = 0; t < fair->tiers; t++)
		for (uint32_t b = 0; b < axes->bins; b++) {
			uint32_t sum = 0;
			for (int i = 0; i < LOAD_CLASSES; i++)
				sum += all[t].count[b][i];
			all[t].most = sum > all[t].most ? sum : all[t].most;
		}
}

static double height_of(uint32_t count, uint32_t most)
{
	return count ? plot_height * (log10(count) + least_decade) / (log10(most > 10 ? most : 10) + least_decade) : 0;
}

static void draw_axis_of_counts(struct svg *svg, double x, double y, uint32_t most)
{
	for (uint64_t count = 1; count <= (most > 10 ? most : 10); count *= 10) {
		double at = y + plot_height - height_of((uint32_t)count, most);
		svg_line(svg, x, at, x + plot_width, at, "grid axis", "stroke=\"#d0d7de\" stroke-width=\"0.8\"");
		svg_textf(svg, x - 5, at + 3.3, SVG_SMALL, SVG_END, "%" PRIu64, count);
	}
}

static void draw_axis_of_loads(struct svg *svg, double x, double y, const struct axes *axes)
{
	double largest = axes->bins * axes->bin, step = choose_axes(largest * BINS_WISHED / 7).bin;
	svg_line(svg, x, y, x + plot_width, y, "axis", "stroke=\"#57606a\" stroke-width=\"1\"");
	for (int i = 0; i * step <= largest * 1.001; i++)
		svg_textf(svg, x + i * step / largest * plot_width, y + 14, SVG_SMALL, SVG_MIDDLE, "%.4g", i * step);
}

/* Stacks the classes of a bin, the lowest at the bottom. */
static void draw_bin(struct svg *svg, const struct histogram *h, uint32_t bin, double x, double y, double width)
{
	uint32_t sum = 0;
	for (int i = 0; i < LOAD_CLASSES; i++) {
		double below = height_of(sum, h->most);
		sum += h->count[bin][i];
		if (h->count[bin][i])
			svg_rect(svg, x, y - height_of(sum, h->most), width - 0.8, height_of(sum, h->most) - below,
				(enum load_class_number)i);
	}
}

static void draw_tier(struct svg *svg, const struct load_tier *tier, const struct histogram *h, const struct axes *axes, double x, double y)
{
	char from[30], to[30];
	double left = x + left_room, top = y + name_room, bottom = top + plot_height, largest = axes->bins * axes->bin;
	svg_textf(svg, x, y + 12, SVG_HEAD, SVG_START, "%s → %s", level_name(tier->from, from, sizeof from),
		level_name(tier->to, to, sizeof to));
	svg_textf(svg, x, y + 27, SVG_SMALL, SVG_START, "%" PRIu32 " channel%s, %" PRIu32 " above, %" PRIu32 " unused, worst ×%.2f",
		tier->channels, tier->channels == 1 ? "" : "s", tier->above, tier->count[LOAD_UNUSED], tier->excess);
	draw_axis_of_counts(svg, left, top, h->most);
	for (uint32_t b = 0; b < axes->bins; b++)
		draw_bin(svg, h, b, left + b * plot_width / axes->bins, bottom, plot_width / axes->bins);
	draw_axis_of_loads(svg, left, bottom, axes);
	if (largest >= 1) {
		double own = left + plot_width / largest;
		svg_line(svg, own, top, own, bottom, "axis", "stroke=\"#1b1f24\" stroke-width=\"1\" stroke-dasharray=\"4 3\"");
	}
	double mean = left + fmin(tier->mean / largest, 1) * plot_width;
	svg_line(svg, mean, bottom, mean, bottom + 5, "axis", "stroke=\"#1b1f24\" stroke-width=\"2\"");
	svg_reach(svg, left + plot_width, bottom + below_room);
}

int histograms_draw(struct svg *svg, const struct scene *scene, double width, struct error *error)
{
	const struct fair_share *fair = scene->fair;
	struct histogram *all = array_create(fair->tiers, sizeof *all, error);
	double largest = 1, x = 0, y = svg_bottom(svg), tier_width = left_room + plot_width;
	bool any = false;
	for (uint32_t t = 0; t < fair->tiers; t++)
		if (has_histogram(&fair->tier[t])) {
			largest = fmax(largest, fair->tier[t].most);
			any = true;
		}
	struct axes axes = choose_axes(largest);
	if (all && any) {
		count_loads(scene, &axes, all);
		svg_text(svg, 0, y + 16, SVG_HEAD, SVG_START, "Channels by load");
		svg_text(svg, 0, y + 32, SVG_MUTED, SVG_START,
			"1, the dashed line: as busy as a host's own cable; the mark below the axis is the mean; colours are multiples of the fair share");
		y += 46;
	}
	for (uint32_t t = 0; t < fair->tiers && all; t++) {
		if (!has_histogram(&fair->tier[t]))
			continue;
		if (x && x + tier_width > width) {
			x = 0;
			y = svg_bottom(svg) + gap / 2;
		}
		draw_tier(svg, &fair->tier[t], &all[t], &axes, x, y);
		x += tier_width + gap;
	}
	free(all);
	return error->status ? -1 : 0;
}
