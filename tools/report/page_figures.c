/* The pictures of the page. */
#include "pictures/folded_tree.h"
#include "pictures/load_histogram.h"
#include "pictures/matrix.h"
#include "pictures/overview.h"
#include "pictures/wiring.h"
#include "tools/report/page.h"

#include "base/memory.h"
#include "tools/report/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

/* Of a figure, in pixels: the column of the page without its edges. */
static const double width = 1270;

/* On paper: its width in pixels, and the height, by the width, up to which a picture is made to fit on a sheet. */
static const double paper_width = 1047, paper_ratio = 0.75;

/* A stage with more cells shows its worst blocks only; the page opens the others. */
enum { SQUARE_SWITCHES_MOST = 64, BLOCKS_MOST = 24, CELLS_MOST = 50000 };

/* Blocks are drawn of trees, and of small other fabrics; groups and grids have cells of their own. */
bool page_has_matrices(const struct fabric_report *report)
{
	enum overview kind = overview_kind(&report->scene);
	bool own = kind == OVERVIEW_GROUPS || kind == OVERVIEW_GRID;
	uint32_t switches = report->fabric->nodes - report->fabric->hosts;
	return report->scene.blocks.stages && (!own || switches <= SQUARE_SWITCHES_MOST);
}

/* Returns whether a picture as wide as a sheet of paper on its side is much taller than that: it is divided rather than made small. */
static bool is_long(const struct svg *svg)
{
	return svg->height > paper_ratio * fmax(svg->width, paper_width);
}

/* Writes a picture as a figure; an empty one not at all. */
static int write_figure(FILE *file, struct svg *svg, const char *title, const char *attributes, struct error *error)
{
	fflush(svg->file);
	if (!svg->length)
		return 0;
	fprintf(file, "<figure%s%s>\n", attributes, is_long(svg) ? " class=\"long\"" : "");
	int failed = svg_end(svg, file, title, "", error);
	fputs("</figure>\n", file);
	return failed;
}

/* Draws the overview; the script is told of its cells, if they are of cables. */
static int write_overview(FILE *file, const struct scene *scene, FILE *places, struct error *error)
{
	char *blocks = NULL;
	size_t size = 0;
	const struct svg_places cells = {open_memstream(&blocks, &size), &scene->cables};
	struct svg svg;
	if (!cells.file)
		return error_set(error, STATUS_IO, "out of memory");
	int failed = svg_init(&svg, error);
	svg.places = &cells;
	failed = failed || overview_draw(&svg, scene, width, error);
	if (fclose(cells.file) && !failed)
		failed = error_set(error, STATUS_IO, "out of memory");
	if (!failed && size)
		fprintf(places, "{\"matrix\":\"where\",\"blocks\":[%s]}", blocks);
	failed = failed || write_figure(file, &svg, "Where the load is",
				   size ? " data-matrix=\"where\" aria-label=\"Where the load is\"" : "", error);
	svg_clear(&svg);
	free(blocks);
	return failed;
}

int page_where(FILE *file, const struct fabric_report *report, FILE *places, struct error *error)
{
	const struct scene *scene = &report->scene;
	struct svg svg;
	bool folded = folded_tree_suits(scene), overview = overview_kind(scene) != OVERVIEW_NONE,
	     wiring = !overview && wiring_suits(scene, width);
	int failed = 0;
	if (folded || wiring) {
		failed = svg_init(&svg, error) ||
			 (folded ? folded_tree_draw(&svg, scene, width, error) : wiring_draw(&svg, scene, width, error)) ||
			 write_figure(file, &svg, folded ? "The tree, folded to boxes" : "The switches and their cables", "", error);
		svg_clear(&svg);
	}
	if (!failed && overview)
		failed = write_overview(file, scene, places, error);
	return failed ? -1 : 0;
}

int page_histograms(FILE *file, const struct fabric_report *report, struct error *error)
{
	struct svg svg;
	int failed = svg_init(&svg, error) || histograms_draw(&svg, &report->scene, width, error) ||
		     write_figure(file, &svg, "Loads of the channels of each level", "", error);
	svg_clear(&svg);
	return failed ? -1 : 0;
}

/* ---- matrices */

static void write_nodes(FILE *places, const struct blocks *blocks, uint32_t first, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		fprintf(places, "%s%" PRIu32, i ? "," : "", blocks->node[first + i]);
}

/* Writes where the blocks of a stage are; those that are not drawn have no place, and can be opened. */
static void write_places(FILE *places, const struct scene *scene, uint32_t stage, const struct svg *svg, const struct matrix_place *place)
{
	const struct stage *s = &scene->blocks.stage[stage];
	fprintf(places, "%s{\"matrix\":%" PRIu32 ",\"blocks\":[", ftell(places) > 0 ? "," : "", stage);
	for (uint32_t i = 0; i < s->blocks; i++) {
		const struct block *b = &scene->blocks.block[s->first + i];
		fputs(i ? ",{" : "{", places);
		if (place[i].drawn)
			fprintf(places, "\"x\":[%.2f,%.2f],\"y\":%.2f,\"cell\":%.4g,", svg->x + place[i].x[0], svg->x + place[i].x[1],
				svg->y + place[i].y, place[i].cell);
		fprintf(places, "\"square\":%s,\"bundle\":%" PRIu32 ",\"rows\":[", b->square ? "true" : "false", b->dense ? b->bundle : 0);
		write_nodes(places, &scene->blocks, b->first_row, b->rows);
		fputs("],\"columns\":[", places);
		write_nodes(places, &scene->blocks, b->first_column, b->columns);
		fputs("]}", places);
	}
	fputs("]}", places);
}

struct ranked_block {
	double excess;
	uint32_t block;
};

static int compare_blocks(const void *left, const void *right)
{
	const struct ranked_block *a = left, *b = right;
	return a->excess != b->excess ? (a->excess < b->excess) - (a->excess > b->excess) : (a->block > b->block) - (a->block < b->block);
}

/* Chooses the worst blocks of a stage with too many cells. Returns a new array [blocks] of all stages, and describes it in note. */
static bool *choose_blocks(const struct scene *scene, uint32_t stage, char *note, size_t size, struct error *error)
{
	const struct stage *s = &scene->blocks.stage[stage];
	bool *only = array_create(scene->blocks.blocks, sizeof *only, error);
	struct ranked_block *list = array_create(s->blocks, sizeof *list, error);
	uint32_t shown = 0;
	for (uint32_t i = 0; i < s->blocks && !error->status; i++)
		list[i] = (struct ranked_block){scene->blocks.block[s->first + i].excess, s->first + i};
	if (!error->status)
		qsort(list, s->blocks, sizeof *list, compare_blocks);
	for (uint32_t i = 0; i < s->blocks && i < BLOCKS_MOST && !error->status; i++, shown++)
		only[list[i].block] = true;
	if (s->blocks > shown)
		snprintf(note, size, "; the worst %" PRIu32 ", and %" PRIu32 " more", shown, s->blocks - shown);
	free(list);
	return only;
}

/* Returns the number of cells of a stage. */
static uint64_t stage_cells(const struct blocks *blocks, const struct stage *s)
{
	uint64_t cells = 0;
	for (uint32_t i = 0; i < s->blocks; i++)
		cells += (uint64_t)blocks->block[s->first + i].rows * blocks->block[s->first + i].columns;
	return cells;
}

static int write_stage(FILE *file, const struct fabric_report *r, uint32_t stage, FILE *places, struct error *error)
{
	const struct scene *scene = &r->scene;
	const struct stage *s = &scene->blocks.stage[stage];
	struct matrix_place *place = array_create(s->blocks, sizeof *place, error);
	struct svg svg;
	char title[80], attributes[160], note[100] = "";
	bool *only = stage_cells(&scene->blocks, s) > CELLS_MOST ? choose_blocks(scene, stage, note, sizeof note, error) : NULL;
	snprintf(title, sizeof title, "Cables between levels %" PRIu32 " and %" PRIu32, s->lower, s->upper);
	snprintf(attributes, sizeof attributes, " data-matrix=\"%" PRIu32 "\" aria-label=\"%s\"", stage, title);
	int failed = error->status || svg_init(&svg, error);
	if (!failed) {
		failed = matrices_draw(&svg, scene, stage, width, only, note, place, error);
		if (!failed) {
			write_places(places, scene, stage, &svg, place);
			failed = write_figure(file, &svg, title, attributes, error);
		}
		svg_clear(&svg);
	}
	free(only);
	free(place);
	return failed ? -1 : 0;
}

int page_matrices(FILE *file, const struct fabric_report *report, FILE *places, struct error *error)
{
	for (uint32_t i = 0; i < report->scene.blocks.stages; i++)
		if (write_stage(file, report, i, places, error))
			return -1;
	return 0;
}
