/* The drawing as a dot graph with all positions fixed, which neato only has to render. */
#include "tools/draw/picture.h"

#include "base/memory.h"
#include "base/program.h"
#include "base/shown.h"
#include "cli/palette.h"
#include "pictures/lettering.h"
#include "tools/draw/animation.h"
#include "tools/draw/curves.h"
#include "tools/draw/graphviz.h"
#include "tools/draw/text.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const picture_formats[] = {[PICTURE_SVG] = "svg", [PICTURE_PNG] = "png", [PICTURE_PDF] = "pdf", NULL};

enum { NAME_SIZE = 512, HOSTS_LISTED = 40, POWER_MAX = 8 };

static const double points = 72;                        /* per inch */
static const double dpi_usual = 96, pixels_max = 12000; /* of a PNG: its resolution, and the maximum of its longer side */
static const double line_width_min = 0.8, line_width_plain = 1.4, line_width_max = 6;
static const double line_widest_min = 2.4,
		    lane_share = 0.75;                    /* parallel lines: the minimum width of the hottest, and its share of its lane */
static const double ink_max = 0.45;                       /* the maximum share of the picture that lines may cover */
static const double casing_share = 1.3, casing_min = 0.4; /* factor by which a dark border widens a line */
static const double count_font = 9, count_height = 12;
static const double arrow_length = 9; /* of a channel without an opposite direction, where it meets its head */

void put_name(const char *name, void (*put)(FILE *, const char *), FILE *file)
{
	put(file, SHOWN(name));
}

static void put_end(const struct drawing *drawing, uint32_t node, uint32_t port, void (*put)(FILE *, const char *), FILE *file)
{
	put_name(drawing->title[node], put, file);
	if (port)
		fprintf(file, " port %" PRIu32, port);
}

void put_direction(const struct drawing *drawing, uint32_t channel, void (*put)(FILE *, const char *), FILE *file)
{
	const struct fabric_labels *labels = drawing->fabric->labels;
	put_end(drawing, fabric_tail(drawing->fabric, channel), labels->port[channel], put, file);
	fputs(" → ", file);
	put_end(drawing, drawing->fabric->head[channel], labels->peer_port[channel], put, file);
}

/* Returns the size of the picture without its legend. */
static struct point extent(const struct drawing *drawing)
{
	double low_x = INFINITY, high_x = -INFINITY, low_y = INFINITY, high_y = -INFINITY;
	for (uint32_t b = 0; b < drawing->boxes; b++) {
		const struct box *box = &drawing->box[b];
		low_x = fmin(low_x, box->at.x - box->width / 2);
		high_x = fmax(high_x, box->at.x + box->width / 2);
		low_y = fmin(low_y, box->at.y - box->height / 2);
		high_y = fmax(high_y, box->at.y + box->height / 2);
	}
	return (struct point){high_x - low_x, high_y - low_y};
}

/* ---- boxes */

/* Writes what a node's name does not show. */
static void write_node_tooltip(const struct drawing *drawing, const struct box *box, FILE *file)
{
	const struct fabric_labels *labels = drawing->fabric->labels;
	put_name(labels->name[box->node], text_put_tooltip, file);
	if (*labels->desc[box->node] && strcmp(labels->desc[box->node], labels->name[box->node])) {
		fputs("\\n", file);
		put_name(labels->desc[box->node], text_put_tooltip, file);
	}
	if (labels->guid[box->node])
		fprintf(file, "\\nGUID 0x%016" PRIx64, labels->guid[box->node]);
	if (box->kind == BOX_SWITCH)
		fprintf(file, "\\n%" PRIu32 " host%s", box->fabric_hosts, box->fabric_hosts == 1 ? "" : "s");
}

/* Writes the names of the hosts in the box. */
static void write_hosts_tooltip(const struct drawing *drawing, uint32_t index, FILE *file)
{
	uint32_t listed = 0;
	const struct fabric *fabric = drawing->fabric;
	for (uint32_t h = 0; h < fabric->hosts && listed < HOSTS_LISTED; h++)
		if (drawing->box_of[fabric->host_node[h]] == index) {
			fputs(listed++ ? "\\n" : "", file);
			put_name(drawing->title[fabric->host_node[h]], text_put_tooltip, file);
		}
	if (drawing->box[index].hosts > listed)
		fprintf(file, "\\nand %" PRIu32 " more", drawing->box[index].hosts - listed);
}

static void write_place(const struct box *box, FILE *file)
{
	fprintf(file, "pos=\"%.1f,%.1f\", width=%.3f, height=%.3f", box->at.x, box->at.y, box->width / points, box->height / points);
}

/* Writes the name that Graphviz gives the box in an SVG: that of the node, if it needs no quoting; Graphviz reads no string above 16 kB. */
static void write_id(const struct drawing *drawing, uint32_t index, FILE *file)
{
	const char *name = drawing->fabric->labels->name[drawing->box[index].node];
	bool simple = *name && *name != '#' && strlen(name) < NAME_SIZE && drawing->box[index].kind != BOX_HOSTS;
	for (const char *c = name; *c; c++)
		simple &= *c > ' ' && *c < 127 && !strchr("\"\\&<>", *c);
	if (simple)
		fprintf(file, "\"%s\"", name);
	else
		fprintf(file, "\"#%" PRIu32 "\"", index);
}

const char *chassis_colour(uint32_t chassis)
{
	static const char *const colours[] = {"#f7d9a8", "#bfe3c0", "#e3c7ea", "#f5c3c3", "#b9e2e6", "#ece79b", "#d8cfc4", "#c9cdf5"};
	return colours[chassis % (sizeof colours / sizeof *colours)];
}

static void write_box(const struct drawing *drawing, uint32_t index, FILE *file)
{
	static const char *const styles[] = {
		[BOX_SWITCH] = "class=\"switch\", fillcolor=\"#dfe7f0\", fontsize=11",
		[BOX_HOST] = "class=\"host\", fillcolor=\"#ffffff\", fontsize=10",
		[BOX_HOSTS] = "class=\"hosts\", fillcolor=\"#ffffff\", fontsize=10",
	};
	static const char *const plain_styles[] = {
		[BOX_SWITCH] = "class=\"switch\", fillcolor=\"#1f4e79\"",
		[BOX_HOST] = "class=\"host\", fillcolor=\"#e0a070\"",
		[BOX_HOSTS] = "class=\"hosts\", fillcolor=\"#e0a070\"",
	};
	const struct box *box = &drawing->box[index];
	write_id(drawing, index, file);
	fputs(" [", file);
	write_place(box, file);
	fprintf(file, ", %s", (drawing->plain ? plain_styles : styles)[box->kind]);
	if (!drawing->plain && box->kind == BOX_SWITCH && drawing_chassis(drawing, index) != NONE)
		fprintf(file, ", fillcolor=\"%s\"", chassis_colour(drawing_chassis(drawing, index)));
	fputs(", label=\"", file);
	text_put_quoted(file, box->label);
	if (!drawing->plain) {
		fputs("\", tooltip=\"", file);
		if (box->kind == BOX_HOSTS)
			write_hosts_tooltip(drawing, index, file);
		else
			write_node_tooltip(drawing, box, file);
	}
	fputs("\"];\n", file);
}

/* ---- lines */

/* Writes one line of the tooltip: a direction with its congestion. If a direction is missing, the other shows where it would lead. */
static void write_direction(const struct drawing *drawing, const struct drawn_cable *cable, int direction, FILE *file)
{
	char text[40];
	uint32_t channel = cable->channel[direction];
	if (channel == NONE) {
		fputs("\\nthe other direction is not in the file", file);
		return;
	}
	fputs("\\n", file);
	put_name(drawing->title[fabric_tail(drawing->fabric, channel)], text_put_tooltip, file);
	fputs(" → ", file);
	put_name(drawing->title[drawing->fabric->head[channel]], text_put_tooltip, file);
	if (drawing->heat->unit)
		fprintf(file, ": %s %s", heat_text(drawing->heat, cable->heat[direction], text, sizeof text), heat_unit(drawing->heat));
	if (drawing->heat->unit == HEAT_EXCESS)
		fprintf(file, ": %s, load %.3g", load_classes[drawing->heat->fair.class[channel]].word, drawing->heat->fair.load[channel]);
}

static void write_line_tooltip(const struct drawing *drawing, const struct line *line, FILE *file)
{
	const struct drawn_cable *cable = &drawing->cable[line->first];
	for (uint32_t i = 1; i < line->count; i++)
		if (cable->heat[cable_worse(cable)] < drawing->cable[line->first + i].heat[cable_worse(&drawing->cable[line->first + i])])
			cable = &drawing->cable[line->first + i];
	if (line->count > 1)
		fprintf(file, "%" PRIu32 " cables, %s: ", line->count, drawing->heat->unit ? "the worst" : "the first");
	int worse = cable_worse(cable);
	put_direction(drawing, cable->channel[worse], text_put_tooltip, file);
	write_direction(drawing, cable, worse, file);
	write_direction(drawing, cable, !worse, file);
}

/* The widths of lines. */
struct pen {
	double widest;
	int power; /* exponent of the congestion in the width */
};

static double line_width(const struct drawing *drawing, const struct line *line, const struct pen *pen)
{
	double share = pow(heat_share(drawing->heat, line->heat), pen->power);
	double width = drawing->heat->unit ? line_width_min + (pen->widest - line_width_min) * share : line_width_plain;
	return width + (line->count > 1 ? 1 + log2(line->count) / 2 : 0);
}

/* Returns the distance between a line and the previous parallel line. */
static double lane_distance(const struct line *line)
{
	const struct point *a = line[-1].curve, *b = line->curve;
	double dx = a[3].x - a[0].x, dy = a[3].y - a[0].y, length = hypot(dx, dy);
	double begin = fabs((b[0].x - a[0].x) * dy - (b[0].y - a[0].y) * dx), end = fabs((b[3].x - a[0].x) * dy - (b[3].y - a[0].y) * dx);
	return length > 0 ? fmin(begin, end) / length : LANE_WIDTH;
}

/*
 * Parallel lines must not touch, and lines must leave enough of the picture free: the more lines there are, the thinner are all but the
 * hottest.
 */
static struct pen choose_pen(const struct drawing *drawing)
{
	struct point size = extent(drawing);
	struct pen pen = {.widest = line_width_max};
	for (uint32_t i = 0; i < drawing->lines; i++)
		if (drawing->line[i].lane && drawing->line[i].box[0] != drawing->line[i].box[1])
			pen.widest = fmin(pen.widest, lane_distance(&drawing->line[i]) * lane_share);
	pen.widest = fmax(pen.widest, line_widest_min);
	double ink = INFINITY;
	while (pen.power < POWER_MAX && ink > ink_max * size.x * size.y) {
		pen.power++;
		ink = 0;
		for (uint32_t i = 0; i < drawing->lines; i++) {
			const struct point *curve = drawing->line[i].curve;
			ink += hypot(curve[3].x - curve[0].x, curve[3].y - curve[0].y) * line_width(drawing, &drawing->line[i], &pen);
		}
	}
	return pen;
}

/* Writes an edge of the invisible node, up to its last attributes. */
static void begin_edge(const struct line *line, const char *class, const char *colour, double width, FILE *file)
{
	fprintf(file, "\"#cables\" -- \"#cables\" [class=\"%s\", color=\"%s\", penwidth=%.2f, pos=\"", class, colour, width);
	for (int i = 0; i < 4; i++)
		fprintf(file, "%s%.1f,%.1f", i ? " " : "", line->curve[i].x, line->curve[i].y);
	putc('"', file);
}

static bool inside(const struct box *box, struct point at)
{
	return fabs(at.x - box->at.x) <= box->width / 2 && fabs(at.y - box->at.y) <= box->height / 2;
}

/* Writes the arrow of a one-way line: boxes cover the ends of lines, so it ends where the line meets its box. */
static void write_arrow(const struct line *line, int way, const struct box *head, const char *colour, FILE *file)
{
	enum { STEPS = 256 };
	int step = STEPS;
	struct point tip, tail;
	do
		tip = curve_at(line->curve, way ? 1 - (double)step / STEPS : (double)step / STEPS);
	while (inside(head, tip) && --step);
	do
		tail = curve_at(line->curve, way ? 1 - (double)step / STEPS : (double)step / STEPS);
	while (hypot(tip.x - tail.x, tip.y - tail.y) < arrow_length && --step > 0);
	fprintf(file, "\"#cables\" -- \"#cables\" [class=\"arrow\", color=\"%s\", dir=forward, arrowsize=%.2f, pos=\"e,%.1f,%.1f", colour,
		arrow_length / 10, tip.x, tip.y);
	for (int i = 0; i < 4; i++)
		fprintf(file, " %.1f,%.1f", tail.x, tail.y);
	fputs("\"];\n", file);
}

/*
 * Returns the colour of the borders of a line, NULL if it has none. The palette of the paper is visible on white. The others end in a
 * bright yellow: as on road maps, dark borders make such lines visible. The paler classes have borders, too.
 */
static const char *casing(const struct heat *heat, double value)
{
	if (heat_has_classes(heat)) {
		const struct load_class *class = &load_classes[load_class_of(value, value)];
		return strcmp(class->outline, class->light) != 0 ? class->outline : NULL;
	}
	return heat->unit && strcmp(heat->palette, palettes[0]) ? "#303030" : NULL;
}

/* Returns whether the lines change their colours. */
static bool animated(const struct drawing *drawing)
{
	return drawing->heat->unit == HEAT_QUEUE && drawing->heat->frame == drawing->heat->frames->frames;
}

static void write_line(const struct drawing *drawing, const struct line *line, const struct pen *pen, FILE *file)
{
	char colour[40] = "#8c8c8c";
	if (drawing->heat->unit)
		heat_colour(drawing->heat, line->heat, colour, sizeof colour);
	double width = line_width(drawing, line, pen);
	const char *border = casing(drawing->heat, line->heat);
	if (border) {
		begin_edge(line, "casing", border, width * casing_share + casing_min, file);
		fputs("];\n", file);
	}
	begin_edge(line, "cable", colour, width, file);
	if (animated(drawing))
		animation_name((uint32_t)(line - drawing->line), file);
	if (!drawing->plain) {
		fputs(", tooltip=\"", file);
		write_line_tooltip(drawing, line, file);
		putc('"', file);
	}
	fputs("];\n", file);
	int way = line_only_way(drawing, line);
	if (way >= 0 && line->box[0] != line->box[1])
		write_arrow(line, way, &drawing->box[line->box[!way]], colour, file);
}

static int compare_heat(const void *left, const void *right)
{
	const struct line *a, *b;
	memcpy(&a, left, sizeof a);
	memcpy(&b, right, sizeof b);
	if (a->heat != b->heat)
		return a->heat < b->heat ? -1 : 1;
	return a < b ? -1 : a > b;
}

/* The hottest line is written last, so that it is never covered. */
static int write_lines(const struct drawing *drawing, FILE *file, struct error *error)
{
	const struct line **sorted = array_create(drawing->lines, sizeof *sorted, error);
	if (!sorted)
		return -1;
	for (uint32_t i = 0; i < drawing->lines; i++)
		sorted[i] = &drawing->line[i];
	qsort(sorted, drawing->lines, sizeof *sorted, compare_heat);
	struct pen pen = choose_pen(drawing);
	for (uint32_t i = 0; i < drawing->lines; i++)
		write_line(drawing, sorted[i], &pen, file);
	free(sorted);
	return 0;
}

/* ---- counts on lines */

static bool overlap(const struct box *a, const struct box *b)
{
	return fabs(a->at.x - b->at.x) < (a->width + b->width) / 2 + 1 && fabs(a->at.y - b->at.y) < (a->height + b->height) / 2 + 1;
}

static bool is_free(const struct drawing *drawing, const struct box *counts, uint32_t count, const struct box *wanted)
{
	for (uint32_t b = 0; b < drawing->boxes; b++)
		if (overlap(&drawing->box[b], wanted))
			return false;
	for (uint32_t i = 0; i < count; i++)
		if (overlap(&counts[i], wanted))
			return false;
	return true;
}

/*
 * Writes "×12" near the middle of each merged line, unless there is no room, or all lines have the same number: then the legend states it.
 */
static int write_counts(const struct drawing *drawing, FILE *file, struct error *error)
{
	static const double places[] = {0.5, 0.44, 0.56, 0.38, 0.62, 0.32, 0.68, 0.26, 0.74};
	struct box *counts = array_create(drawing->lines, sizeof *counts, error);
	uint32_t used = 0, lines = drawing->plain || drawing_bundle(drawing) ? 0 : drawing->lines;
	for (uint32_t i = 0; counts && i < lines; i++) {
		const struct line *line = &drawing->line[i];
		if (line->count == 1 || drawing->box[line->box[1]].kind == BOX_HOSTS)
			continue;
		struct box *box = &counts[used];
		*box = (struct box){.height = count_height};
		snprintf(box->label, sizeof box->label, "×%" PRIu32, line->count);
		box->width = text_width(box->label, count_font) + 4;
		for (size_t p = 0; p < sizeof places / sizeof *places && box == &counts[used]; p++) {
			box->at = curve_at(line->curve, places[p]);
			used += is_free(drawing, counts, used, box);
		}
		if (box == &counts[used])
			continue;
		fprintf(file, "\"#count%" PRIu32 "\" [", used);
		write_place(box, file);
		fprintf(file, ", class=\"count\", fontsize=%.0f, color=\"#ffffff\", label=\"%s\"];\n", count_font, box->label);
	}
	free(counts);
	return error->status ? -1 : 0;
}

/* ---- the whole */

/*
 * All lines are edges of one invisible node: as their curves are given, Graphviz draws them unchanged, below the boxes and in the order
 * written here.
 */
static int write_graph(const struct drawing *drawing, FILE *file, struct error *error)
{
	struct point size = extent(drawing);
	double font_size = fmin(fmax(size.x / 100, 11), 22);
	fprintf(file, "graph orcs {\ngraph [bgcolor=\"#ffffff\", fontname=\"Helvetica\", fontsize=%.1f, pad=%s,\n", font_size,
		drawing->plain ? "0.05" : "0.2");
	fputs("outputorder=edgesfirst", file);
	if (!drawing->plain) {
		fputs(", labelloc=t, labeljust=l, label=<", file);
		legend_write(drawing, font_size, file);
		putc('>', file);
	}
	fputs("];\nnode [shape=box, style=filled, fixedsize=true, margin=0, penwidth=0.8,\n", file);
	fputs("color=\"#404040\", fillcolor=\"#ffffff\", fontname=\"Helvetica\"];\n", file);
	fprintf(file, "\"#cables\" [style=invis, label=\"\", width=0.01, height=0.01, pos=\"%.1f,%.1f\"];\n", drawing->box[0].at.x,
		drawing->box[0].at.y);
	if (write_lines(drawing, file, error))
		return -1;
	for (uint32_t b = 0; b < drawing->boxes; b++)
		write_box(drawing, b, file);
	if (write_counts(drawing, file, error))
		return -1;
	fputs("}\n", file);
	return 0;
}

/* The same picture must be the same file: the date in a PDF is replaced by that of the beginning of 1970. */
static void forget_date(FILE *pdf)
{
	static const char mark[] = "/CreationDate (D:", date[] = "19700101000000";
	char line[1000];
	for (long start = ftell(pdf); fgets(line, sizeof line, pdf); start = ftell(pdf)) {
		const char *found = strstr(line, mark);
		if (!found || strspn(found + strlen(mark), "0123456789") != strlen(date))
			continue;
		fseek(pdf, start + (found - line) + (long)strlen(mark), SEEK_SET);
		fputs(date, pdf);
		break;
	}
	rewind(pdf);
}

FILE *picture_draw(const struct drawing *drawing, enum picture_format format, struct error *error)
{
	struct point size = extent(drawing);
	char type[8], dpi[24];
	snprintf(type, sizeof type, "-T%s", picture_formats[format]);
	snprintf(dpi, sizeof dpi, "-Gdpi=%.1f", fmin(dpi_usual, pixels_max * points / fmax(size.x, size.y)));
	const char *const arguments[] = {"-q", "-n2", type, format == PICTURE_PNG ? dpi : NULL, NULL};
	FILE *graph = program_file(error), *picture = program_file(error);
	if (!error->status && !write_graph(drawing, graph, error))
		graphviz_run("neato", arguments, graph, picture, error);
	if (!error->status && format == PICTURE_PDF)
		forget_date(picture);
	if (graph)
		fclose(graph);
	if (error->status && picture) {
		fclose(picture);
		picture = NULL;
	}
	if (picture && format == PICTURE_SVG && animated(drawing))
		picture = animate(picture, drawing, error);
	return picture;
}
