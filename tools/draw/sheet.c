#include "tools/draw/sheet.h"

#include "base/memory.h"
#include "base/program.h"
#include "base/shown.h"
#include "fabric/load_described.h"
#include "pictures/folded_tree.h"
#include "pictures/legend.h"
#include "pictures/load_histogram.h"
#include "pictures/matrix.h"
#include "pictures/overview.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const double sheet_width = 1300;

enum {
	BOXES_SHOW = 64,   /* switches that boxes and lines still show */
	ALL_HOSTS = 20000, /* above so many hosts only blocks with hot channels are drawn */
	HOT_BLOCKS = 24,   /* so many of them */
	NAMES_LISTED = 8,
	BOX_DIMENSIONS = 3, /* of a grid of boxes */
};

enum layout sheet_layout(const struct scene *scene)
{
	bool many = scene->fabric->nodes - scene->fabric->hosts > BOXES_SHOW;
	switch (overview_kind(scene)) {
	case OVERVIEW_GROUPS: return LAYOUT_GROUPS;
	case OVERVIEW_GRID:
		many |= !strcmp(scene->shape.kind, "HyperX") || scene->shape.parameter[0].count > BOX_DIMENSIONS;
		return many ? LAYOUT_LINES : LAYOUT_AUTO;
	default: return many && scene_has_levels(scene) ? LAYOUT_BLOCKS : LAYOUT_AUTO;
	}
}

/* ---- words */

/* Writes the verdict, in lines no wider than the sheet. Returns the height below it. */
static double draw_verdict(struct svg *svg, const struct scene *scene, double y)
{
	char *text = NULL;
	size_t length;
	FILE *file = open_memstream(&text, &length);
	if (!file)
		return y;
	write_load(file, scene->fabric, scene->fair);
	putc('.', file);
	if (!fclose(file)) {
		*text = (char)toupper((unsigned char)*text);
		y = svg_paragraph(svg, 0, y, SVG_HEAD, sheet_width, text);
	}
	free(text);
	return y;
}

static void draw_head(struct svg *svg, const struct sheet *sheet)
{
	const struct fabric *f = sheet->scene->fabric;
	uint32_t switches = f->nodes - f->hosts, cables = sheet->scene->cables.cables;
	double y = 20;
	svg_text(svg, 0, 14, SVG_TITLE, SVG_START, sheet->title);
	if (sheet->subtitle)
		svg_text(svg, 0, y += 14, SVG_MUTED, SVG_START, sheet->subtitle);
	svg_textf(svg, 0, y += 14, SVG_MUTED, SVG_START, "%" PRIu32 " host%s, %" PRIu32 " switch%s, %" PRIu32 " cable%s", f->hosts,
		f->hosts == 1 ? "" : "s", switches, switches == 1 ? "" : "es", cables, cables == 1 ? "" : "s");
	y = draw_verdict(svg, sheet->scene, y + 22);
	svg_reach(svg, 0, y + 8);
	legend_draw(svg, sheet->scene->fair, sheet_width);
	svg_text(svg, 0, svg_bottom(svg) + 12, SVG_MUTED, SVG_START,
		"Load of a channel (one direction of a cable) under uniform traffic, exact, as a multiple of its fair share; numbers of channels");
	svg_reach(svg, 0, svg_bottom(svg) + 14);
}

/* ---- blocks */

struct heat_of_block {
	uint32_t block;
	double excess;
};

static int compare_heat(const void *left, const void *right)
{
	const struct heat_of_block *a = left, *b = right;
	if (a->excess != b->excess)
		return a->excess > b->excess ? -1 : 1;
	return (a->block > b->block) - (a->block < b->block);
}

static bool is_hot(const struct block *block)
{
	uint32_t hot = 0;
	for (int i = LOAD_HOT; i < LOAD_CLASSES; i++)
		hot += block->count[i];
	return hot > 0;
}

/* Chooses the hottest blocks. Returns the number of hot blocks. */
static uint32_t choose_blocks(const struct blocks *blocks, bool *only, struct error *error)
{
	struct heat_of_block *list = array_create(blocks->blocks, sizeof *list, error);
	uint32_t hot = 0;
	for (uint32_t i = 0; i < blocks->blocks && list; i++)
		if (is_hot(&blocks->block[i]))
			list[hot++] = (struct heat_of_block){i, blocks->block[i].excess};
	if (hot)
		qsort(list, hot, sizeof *list, compare_heat);
	for (uint32_t i = 0; i < hot && i < HOT_BLOCKS; i++)
		only[list[i].block] = true;
	free(list);
	return hot;
}

/* Says which blocks of a stage are drawn, of a fabric where not all are. */
static const char *stage_note(const struct blocks *blocks, const struct stage *stage, const bool *only, char text[120])
{
	uint32_t drawn = 0, hot = 0;
	*text = '\0';
	for (uint32_t i = stage->first; i < stage->first + stage->blocks && only; i++) {
		drawn += only[i];
		hot += is_hot(&blocks->block[i]);
	}
	if (only && !hot)
		snprintf(text, 120, "; no block has a hot channel");
	else if (only && drawn < hot)
		snprintf(text, 120, "; the %" PRIu32 " hottest blocks and %" PRIu32 " more with hot channels", drawn, hot - drawn);
	else if (only)
		snprintf(text, 120, "; the %" PRIu32 " block%s with hot channels", drawn, drawn == 1 ? "" : "s");
	return text;
}

static int draw_blocks(struct svg *svg, const struct scene *scene, bool within, struct error *error)
{
	const struct blocks *blocks = &scene->blocks;
	bool *only = scene->fabric->hosts > ALL_HOSTS ? array_create(blocks->blocks, sizeof *only, error) : NULL;
	struct matrix_place *place = array_create(blocks->blocks, sizeof *place, error);
	char note[120];
	if (only)
		choose_blocks(blocks, only, error);
	for (uint32_t s = 0; s < blocks->stages && !error->status; s++)
		if (within || blocks->stage[s].lower != blocks->stage[s].upper)
			matrices_draw(svg, scene, s, sheet_width, only, stage_note(blocks, &blocks->stage[s], only, note),
				place + blocks->stage[s].first, error);
	free(only);
	free(place);
	return error->status ? -1 : 0;
}

/* ---- oddities */

/* Names the switches with cables that no route enters: they have no level, and are not drawn. */
static void draw_outside(struct svg *svg, const struct scene *scene)
{
	const struct fabric *f = scene->fabric;
	uint32_t switches = 0, cables = 0, listed = 0;
	char names[400] = "";
	for (uint32_t i = 0; i < scene->cables.cables; i++) {
		const uint32_t *end = scene->cables.cable[i].end; /* such switches are the upper ends */
		cables += f->node_host[end[1]] == NONE && scene->fair->level[end[1]] == LEVEL_NONE;
	}
	for (uint32_t v = 0; v < f->nodes && cables; v++) {
		if (f->node_host[v] != NONE || scene->fair->level[v] != LEVEL_NONE || f->first_channel[v] == f->first_channel[v + 1])
			continue;
		switches++;
		listed += listed < NAMES_LISTED && append_whole(names, sizeof names, "%s%s", listed ? ", " : "", scene->labels.text[v]);
	}
	if (switches)
		svg_textf(svg, 0, svg_bottom(svg) + 14, SVG_MUTED, SVG_START,
			"Not drawn: %" PRIu32 " switch%s that no route enters, with %" PRIu32 " cable%s: %s%s", switches,
			switches == 1 ? "" : "es", cables, cables == 1 ? "" : "s", names, switches > listed ? ", .." : "");
}

/* ---- the whole */

static int check_layout(const struct sheet *sheet, struct error *error)
{
	const char *source = sheet->scene->fabric->labels->source;
	enum overview kind = overview_kind(sheet->scene);
	if (sheet->layout == LAYOUT_GROUPS && kind != OVERVIEW_GROUPS)
		return error_at(
			error, STATUS_FABRIC, source, 0, "--layout groups needs a dragonfly: see 'orcs-check', which names the shape");
	if (sheet->layout == LAYOUT_LINES && kind != OVERVIEW_GRID)
		return error_at(error, STATUS_FABRIC, source, 0,
			"--layout lines needs a torus, a mesh or a HyperX: see 'orcs-check', which names the shape");
	return 0;
}

static int draw(struct svg *svg, const struct sheet *sheet, struct error *error)
{
	const struct scene *scene = sheet->scene;
	bool blocks = sheet->layout == LAYOUT_BLOCKS;
	fputs("<rect class=\"paper\" width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", svg->file);
	draw_head(svg, sheet);
	if (blocks && folded_tree_suits(scene))
		folded_tree_draw(svg, scene, sheet_width, error);
	else if (!blocks || overview_kind(scene) == OVERVIEW_PODS)
		overview_draw(svg, scene, sheet_width, error);
	if (!error->status && !histograms_draw(svg, scene, sheet_width, error))
		draw_blocks(svg, scene, blocks, error);
	draw_outside(svg, scene);
	return error->status ? -1 : 0;
}

/* Converts an SVG. Returns a temporary file, NULL on errors. */
static FILE *convert(FILE *svg, enum picture_format format, struct error *error)
{
	static const struct program program = {"rsvg-convert", "rsvg-convert", "librsvg2-bin"};
	const char *const arguments[] = {"--unlimited", "-f", picture_formats[format], NULL};
	FILE *picture = program_file(error);
	setenv("SOURCE_DATE_EPOCH", "0",
		1); /* the same picture must be the same file: the date in a PDF is that of the beginning of 1970 */
	if (picture && !program_run(&program, arguments, svg, picture, error))
		rewind(picture);
	return picture;
}

FILE *sheet_draw(const struct sheet *sheet, enum picture_format format, struct error *error)
{
	struct svg svg;
	FILE *file = NULL, *picture = NULL;
	if (!check_layout(sheet, error) && !svg_init(&svg, error)) {
		if (!draw(&svg, sheet, error) && (file = program_file(error))) {
			fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n", file);
			if (!svg_end(&svg, file, sheet->title, "", error))
				rewind(file);
		}
		svg_clear(&svg);
	}
	if (file && !error->status && format != PICTURE_SVG) {
		picture = convert(file, format, error);
		fclose(file);
		file = picture;
	}
	if (error->status && file) {
		fclose(file);
		file = NULL;
	}
	return file;
}
