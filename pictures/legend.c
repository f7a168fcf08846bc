#include "pictures/legend.h"

#include <inttypes.h>

static const double item_width = 172, line_height = 20, swatch_width = 26, swatch_height = 12;

void legend_draw(struct svg *svg, const struct fair_share *fair, double width)
{
	double x = 0, y = svg_bottom(svg);
	for (int i = 0; i < LOAD_CLASSES; i++) {
		const struct load_class *class = &load_classes[i];
		if (x && x + item_width > width) {
			x = 0;
			y += line_height;
		}
		svg_rect(svg, x, y + 4, swatch_width, swatch_height, (enum load_class_number)i);
		svg_textf(svg, x + swatch_width + 6, y + 14, SVG_STRONG, SVG_START, "%s, %s: %" PRIu32, class->word, class->range,
			fair->count[i]);
		x += item_width;
	}
	svg_reach(svg, 0, y + line_height);
}
