/*
 * Everything else: switches are placed as if springs connected neighbours, by neato of Graphviz (stress majorisation), or sfdp for many
 * switches; then neato moves them apart until no boxes overlap.
 */
#include "base/memory.h"
#include "tools/draw/layout.h"

#include "base/program.h"
#include "tools/draw/graphviz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEATO_HEADS_MAX = 300 };

static const double points = 72; /* per inch, Graphviz's unit of sizes */

/* In points: the preferred length of a link; the margin of a block for Graphviz, and the part of it that must remain. */
static const double link_length = 160, margin = 40, block_gap = 16;

/* The maximum factor by which Graphviz's layout is widened for names, and by which blocks that still touch are spread. */
static const double apart_max = 3, stretch_max = 4;

/* Writes the graph for Graphviz. placed: the heads have positions, only overlaps are to be removed. */
static void write_graph(
	const struct drawing *drawing, const struct neighbours *neighbours, const struct reach *reach, bool placed, FILE *file)
{
	fprintf(file, "graph {\ngraph [overlap=%s, start=1, splines=false];\n", placed ? "prism" : "true");
	fputs("node [shape=box, fixedsize=true, label=\"\"];\n", file);
	for (uint32_t h = 0; h < drawing->heads; h++) {
		fprintf(file, "%u [width=%.3f, height=%.3f", h, (reach[h].left + reach[h].right + margin) / points,
			(reach[h].up + reach[h].down + margin) / points);
		if (placed)
			fprintf(file, ", pos=\"%.2f,%.2f\"", drawing->box[h].at.x, drawing->box[h].at.y);
		fputs("];\n", file);
	}
	for (uint32_t h = 0; h < drawing->heads; h++)
		for (uint32_t i = neighbours->first[h]; i < neighbours->first[h + 1]; i++)
			if (h < neighbours->neighbour[i])
				fprintf(file, "%u -- %u [len=%.3f];\n", h, neighbours->neighbour[i], link_length / points);
	fputs("}\n", file);
}

/* Reads the lines "node NAME X Y ..." of Graphviz's plain format. */
static int read_places(struct drawing *drawing, FILE *file, struct error *error)
{
	char line[1000];
	uint32_t placed = 0;
	while (fgets(line, sizeof line, file)) {
		char *rest;
		if (strncmp(line, "node ", 5))
			continue;
		unsigned long h = strtoul(line + 5, &rest, 10);
		double x = strtod(rest, &rest), y = strtod(rest, &rest);
		if (h >= drawing->heads || !isfinite(x) || !isfinite(y))
			break;
		drawing->box[h].at = (struct point){x * points, y * points};
		placed++;
	}
	if (placed != drawing->heads)
		return error_set(error, STATUS_IO, "not drawn: Graphviz placed %u of %u nodes", placed, drawing->heads);
	return 0;
}

static int run(struct drawing *drawing, const struct neighbours *neighbours, const struct reach *reach, bool placed, struct error *error)
{
	const char *const arguments[] = {"-q", "-Tplain", placed ? "-n" : NULL, NULL};
	const char *program = !placed && drawing->heads > NEATO_HEADS_MAX ? "sfdp" : "neato";
	FILE *graph = program_file(error), *plain = program_file(error);
	if (!error->status) {
		write_graph(drawing, neighbours, reach, placed, graph);
		if (!graphviz_run(program, arguments, graph, plain, error))
			read_places(drawing, plain, error);
	}
	if (graph)
		fclose(graph);
	if (plain)
		fclose(plain);
	return error->status ? -1 : 0;
}

/* Screens are wider than high, and so are names: turns a high layout, and stretches it as much as blocks are wider than high. */
static void lay_flat(struct drawing *drawing, const struct reach *reach)
{
	struct point low = drawing->box[0].at, high = low;
	double width = 0, height = 0;
	for (uint32_t h = 0; h < drawing->heads; h++) {
		struct point at = drawing->box[h].at;
		low = (struct point){fmin(low.x, at.x), fmin(low.y, at.y)};
		high = (struct point){fmax(high.x, at.x), fmax(high.y, at.y)};
		width += reach[h].left + reach[h].right + margin;
		height += reach[h].up + reach[h].down + margin;
	}
	double apart = fmin(fmax(sqrt(width / height), 1), apart_max);
	for (uint32_t h = 0; h < drawing->heads; h++) {
		struct point at = drawing->box[h].at;
		if (high.y - low.y > high.x - low.x)
			at = (struct point){-at.y, at.x};
		drawing->box[h].at = (struct point){at.x * apart, at.y};
	}
}

/* Converts the centre of each block to the centre of its head. */
static void centre_heads(struct drawing *drawing, const struct reach *reach)
{
	for (uint32_t h = 0; h < drawing->heads; h++) {
		drawing->box[h].at.x += (reach[h].left - reach[h].right) / 2;
		drawing->box[h].at.y += (reach[h].down - reach[h].up) / 2;
	}
}

/* Returns the factor by which the distance of two blocks must grow so that they do not touch. */
static double stretch(const struct drawing *drawing, const struct reach *reach, uint32_t a, uint32_t b)
{
	double dx = drawing->box[b].at.x - drawing->box[a].at.x, dy = drawing->box[b].at.y - drawing->box[a].at.y;
	double wide = (dx > 0 ? reach[a].right + reach[b].left : reach[a].left + reach[b].right) + block_gap;
	double high = (dy > 0 ? reach[a].up + reach[b].down : reach[a].down + reach[b].up) + block_gap;
	return fmin(dx == 0 ? INFINITY : wide / fabs(dx), dy == 0 ? INFINITY : high / fabs(dy));
}

static void spread(struct drawing *drawing, const struct reach *reach)
{
	double factor = 1;
	for (uint32_t a = 0; a < drawing->heads; a++)
		for (uint32_t b = 0; b < a; b++)
			factor = fmax(factor, stretch(drawing, reach, a, b));
	factor = fmin(factor, stretch_max);
	for (uint32_t h = 0; h < drawing->heads; h++) {
		drawing->box[h].at.x *= factor;
		drawing->box[h].at.y *= factor;
	}
}

int layout_force(struct drawing *drawing, const struct neighbours *neighbours, struct error *error)
{
	struct reach *reach = array_create(drawing->heads, sizeof *reach, error);
	if (!reach)
		return -1;
	for (uint32_t h = 0; h < drawing->heads; h++)
		reach[h] = hang(drawing, h, HANG_CORNER);
	if (!run(drawing, neighbours, reach, false, error)) {
		lay_flat(drawing, reach);
		if (!run(drawing, neighbours, reach, true, error)) {
			centre_heads(drawing, reach);
			spread(drawing, reach);
		}
	}
	free(reach);
	return error->status ? -1 : 1;
}
