/* orcs-draw: a fabric, possibly with congestion -> a picture. */
#include "base/files.h"
#include "base/shown.h"
#include "cli/help.h"
#include "cli/palette.h"
#include "cli/usage.h"
#include "topologies/topology.h"
#include "infiniband/link_speeds.h"
#include "infiniband/source_options.h"
#include "tools/draw/curves.h"
#include "tools/draw/drawing.h"
#include "tools/draw/heat.h"
#include "tools/draw/layout.h"
#include "tools/draw/picture.h"
#include "tools/draw/sheet.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct options {
	struct fabric_source fabric;
	struct files files;
	const char *output;  /* NULL until given */
	const char *palette; /* HEAT_CLASSES, or one of palettes[]; NULL until given */
	int format;          /* enum picture_format, -1 until given */
	enum hosts_shown hosts;
	enum layout layout;
	const char *queues; /* NULL: none */
	double at;          /* of them, in their unit; below 0: all */
	bool plain, any_size, quiet;
};

/* Larger pictures are not readable, and the time grows with the product of both numbers. */
enum { BOXES_MAX = 20000, PALETTES_MAX = 8 };
static const double work_long = 2.5e7, work_max = 5e8, seconds = 2e-7;

enum {
	KEY_FORMAT = 256,
	KEY_HOSTS,
	KEY_LAYOUT,
	KEY_PALETTE,
	KEY_PLAIN,
	KEY_QUEUES,
	KEY_AT,
	KEY_ANY_SIZE,
	KEY_QUIET,
};

static const char *const hosts_names[] = {[HOSTS_AUTO] = "auto", [HOSTS_ALL] = "all", [HOSTS_FOLD] = "fold", [HOSTS_NONE] = "none", NULL};

static const char program[] = "orcs-draw";

static const struct argp_option table[] = {
	{"output-file", 'o', "PICTURE", 0, "Write the picture to PICTURE, named *.svg, *.png or *.pdf (default: standard output)", 1},
	{"output_file", 0, 0, OPTION_ALIAS | OPTION_HIDDEN, 0, 0},
	{"format", KEY_FORMAT, "svg|png|pdf", 0, "Format of the picture (default: by its name; svg for standard output)", 0},
	{"hosts", KEY_HOSTS, "all|fold|none", 0,
		"Draw a box per host, one per switch with the number of its hosts, or none (default: fold above 64 hosts)", 0},
	{"layout", KEY_LAYOUT, "LAYOUT", 0,
		"Layout of boxes: layers (trees, leaf switches below), grid (meshes, tori), circle (rings), pos (positions of the graph), force "
		"(anything); loads as matrices: blocks (between levels), groups (dragonflies), lines (tori, HyperX); or auto (default: auto)",
		0},
	{"palette", KEY_PALETTE, "PALETTE", 0,
		"Colours: classes (of the exact load, as a multiple of the fair share), or green-red, viridis or cividis (for the congestion of the "
		"graph)",
		0},
	{"queues", KEY_QUEUES, "FILE", 0, "Draw queues over time, written by 'orcs --queues'; an SVG is an animation", 0},
	{"at", KEY_AT, "SECONDS", 0, "Of the queues, draw this moment alone", 0},
	{"plain", KEY_PLAIN, 0, 0, "Draw small boxes without names, and no legend", 0},
	{"any-size", KEY_ANY_SIZE, 0, 0, "Draw pictures of any size, however long it takes", 0},
	{"quiet", KEY_QUIET, 0, 0, "Suppress notes and warnings", 0},
	{"help", 'h', "all", OPTION_ARG_OPTIONAL, "Print help; all: every option in full", -1},
	{"usage", '?', 0, OPTION_HIDDEN, 0, -1},
	{"version", 'V', 0, 0, "Print the version", -1},
	{0},
};

static const char description[] =
	"Draws a fabric: switches and hosts are boxes, cables are lines with the colour and width of the load in their worse direction; the "
	"loads of larger ones are matrices and histograms. Of a routed fabric that is the exact load under uniform traffic, as a multiple of "
	"the fair share, in seven classes. Other "
	"patterns need runs: 'orcs --metric get_cable_cong' writes their congestion into the graph. In an SVG, the tooltip of a line shows the "
	"values of both directions. FABRIC is a dot graph, a cache, dumps, or the specification of a topology, for "
	"example torus:8x8,hosts=2, see orcs-fabric(7); - (the default) is standard input."
	"\vExamples:\n"
	"  orcs -n 1000 --metric get_cable_cong fabric.dot | orcs-draw - -o fabric.svg\n"
	"  orcs-draw coloured.dot -o fabric.png\n"
	"  orcs-draw --hosts none coloured.dot -o switches.pdf\n"
	"  orcs-draw --layout circle coloured.dot > ring.svg\n"
	"\nExit status: 0 success, 1 I/O error, out of memory or Graphviz failed, 2 usage, 3 the fabric cannot be used. See orcs-draw(1).";

static const char *parse_palette(const char *text)
{
	static const char *names[PALETTES_MAX] = {HEAT_CLASSES};
	for (int i = 0; palettes[i]; i++)
		names[i + 1] = palettes[i];
	return names[usage_choice(program, "--palette", text, names)];
}

static error_t parse_option(int key, char *text, struct argp_state *state)
{
	struct options *o = state->input;
	switch (key) {
	case 'o': o->output = text; break;
	case KEY_FORMAT: o->format = usage_choice(program, "--format", text, picture_formats); break;
	case KEY_HOSTS: o->hosts = (enum hosts_shown)usage_choice(program, "--hosts", text, hosts_names); break;
	case KEY_LAYOUT: o->layout = (enum layout)usage_choice(program, "--layout", text, layout_names); break;
	case KEY_PALETTE: o->palette = parse_palette(text); break;
	case KEY_PLAIN: o->plain = true; break;
	case KEY_QUEUES: o->queues = text; break;
	case KEY_AT: o->at = usage_seconds(program, "--at", text, 1); break;
	case KEY_ANY_SIZE: o->any_size = true; break;
	case KEY_QUIET: o->quiet = true; break;
	case 'h': help_print(program, state->root_argp, NULL, text); break;
	case '?': usage_print(program, state); break;
	case 'V': usage_print(program, NULL); break;
	case ARGP_KEY_INIT: state->child_inputs[0] = &o->fabric; break;
	case ARGP_KEY_ARG: source_argument(&o->fabric, text); break;
	default: return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

/* Returns the format of a file name by its ending, -1 for none. */
static int format_of(const char *path)
{
	const char *end = strrchr(path, '.');
	for (int i = 0; end && picture_formats[i]; i++)
		if (!strcmp(end + 1, picture_formats[i]))
			return i;
	return -1;
}

static void parse(struct options *o, int argc, char **argv)
{
	const struct argp_child children[] = {SOURCE_CHILD(2), {0}};
	const struct argp argp = {table, parse_option, "[FABRIC]\nDUMP...", description, children, 0, 0};
	usage_parse(program, &argp, argc, argv, o);
	source_end(&o->fabric);
	bool named = o->output && strcmp(o->output, "-");
	if (o->format < 0)
		o->format = named ? format_of(o->output) : PICTURE_SVG;
	if (o->format < 0)
		usage_error(program, "the name '%s' has no known format: it must end in .svg, .png or .pdf, or use --format", o->output);
	if (o->at >= 0 && !o->queues)
		usage_error(program, "--at requires --queues");
	if (o->queues && o->palette && !strcmp(o->palette, HEAT_CLASSES))
		usage_error(program, "--palette classes is for loads; for --queues choose green-red, viridis or cividis");
	if (o->queues && o->layout >= LAYOUT_BLOCKS)
		usage_error(program, "--layout %s shows loads; --queues needs boxes and lines, such as --layout layers",
			layout_names[o->layout]);
	if (o->queues && !strcmp(o->queues, "-") && source_is_standard(&o->fabric))
		usage_error(program, "the fabric and --queues cannot both come from standard input");
	if (!named && isatty(STDOUT_FILENO) && (!o->output || o->format != PICTURE_SVG))
		usage_error(program, "standard output is a terminal: name the picture with -o");
	if (!o->output)
		o->output = "-";
}

/*
 * Only a complete picture gets its name. A plain SVG omits the titles that Graphviz adds to its elements, which browsers show as tooltips.
 */
static void save(FILE *picture, struct options *o, const char *topology, struct error *error)
{
	static const char title[] = "<title>";
	struct output output = {0};
	char *line = NULL;
	size_t size = 0;
	ssize_t length;
	if (!topology || !topology_files(topology, &o->files, error))
		files_write(&o->files, &output, o->output, error);
	if (error->status)
		return;
	while ((length = getdelim(&line, &size, '\n', picture)) > 0)
		if (!o->plain || o->format != PICTURE_SVG || strncmp(line, title, sizeof title - 1) != 0)
			fwrite(line, 1, (size_t)length, output.file);
	free(line);
	if (ferror(picture)) {
		error_set(error, STATUS_IO, "cannot read a temporary file: %s", strerror(errno));
		output_discard(&output);
	} else {
		output_commit(&output, error);
	}
}

/* Positions in the graph are used; those of a topology if it has no layout of its own. */
static enum layout choose_layout(const struct options *o, const struct drawing *drawing)
{
	return o->layout == LAYOUT_AUTO && drawing->places_given ? LAYOUT_PLACES : o->layout;
}

/* Refuses pictures that would take very long, and warns of those that take long. Returns 0, or -1. */
static int check_size(const struct options *o, const char *source, uint32_t boxes, uint32_t lines, struct error *error)
{
	double work = (double)boxes * lines;
	bool large = boxes > BOXES_MAX || work > work_max;
	char and_lines[40] = "";
	if (lines)
		snprintf(and_lines, sizeof and_lines, " and %" PRIu32 " lines", lines);
	if (large && !o->any_size)
		return error_at(error, STATUS_USAGE, source, 0,
			"the picture would have %" PRIu32 " boxes%s, too many to be readable; add --any-size to draw it anyway", boxes,
			and_lines);
	if (work > work_long && !o->quiet)
		fprintf(stderr, "orcs-draw: %s: %" PRIu32 " boxes and %" PRIu32 " lines may take %.0f seconds\n", SHOWN(source), boxes,
			lines, work * seconds);
	return 0;
}

/* The size of a topology is known before it is created. */
static int check_topology(const struct options *o, struct error *error)
{
	const char *spec = fabric_source_spec(&o->fabric);
	struct topology *topology = spec ? topology_create(spec, error) : NULL;
	if (topology)
		check_size(o, spec, topology->switches ? topology->switches : topology->hosts, 0, error);
	topology_free(topology);
	return error->status ? -1 : 0;
}

/* Draws boxes and lines. Returns a temporary file, NULL on errors. */
static FILE *draw_boxes(const struct options *o, const struct fabric *fabric, const struct attributes *attributes, const struct heat *heat,
	const char *topology, struct error *error)
{
	FILE *picture = NULL;
	struct drawing *drawing = drawing_create(fabric, heat, o->hosts, o->plain, error);
	if (drawing) {
		drawing->topology = topology;
		drawing->routing = heat->unit || !fabric_source_spec(&o->fabric) ? attributes_of_graph(attributes, "routing") : NULL;
	}
	if (drawing && !check_size(o, fabric->labels->source, drawing->boxes, drawing->lines, error) &&
		!drawing_find_places(drawing, attributes, error) && !chassis_find(&drawing->chassis, fabric, attributes, error) &&
		!layout(drawing, choose_layout(o, drawing), error) && !curves_draw(drawing, error))
		picture = picture_draw(drawing, (enum picture_format)o->format, error);
	drawing_free(drawing);
	return picture;
}

/* Returns whether a picture of the load alone may be wanted. */
static bool may_be_sheet(const struct options *o, const struct fabric *fabric, const struct attributes *attributes, const struct heat *heat)
{
	if (o->layout >= LAYOUT_BLOCKS)
		return true;
	return o->layout == LAYOUT_AUTO && o->hosts == HOSTS_AUTO && !o->plain && heat_has_classes(heat) &&
	       !places_given(fabric, attributes);
}

/* Draws the load alone. Returns a temporary file; NULL on errors, or if boxes are better. */
static FILE *draw_sheet(const struct options *o, const struct fabric *fabric, const struct attributes *attributes, const struct heat *heat,
	const char *topology, struct error *error)
{
	struct scene scene;
	FILE *picture = NULL;
	const char *name = picture_name(fabric, topology), *routing = attributes_of_graph(attributes, "routing");
	bool named = picture_has_topology(fabric, topology);
	char title[400], subtitle[400];
	if (!heat_has_classes(heat)) {
		error_at(error, STATUS_FABRIC, fabric->labels->source, 0, "--layout %s shows the load of routes in classes; %s",
			layout_names[o->layout],
			heat->unit == HEAT_EXCESS ? "leave out --palette"
			: heat->unit              ? "add --palette classes"
						  : "'orcs-route ENGINE' adds routes");
		return NULL;
	}
	snprintf(title, sizeof title, "Load%s%s", name ? " of " : "", name ? name : "");
	snprintf(subtitle, sizeof subtitle, "%s%s%s%s", named ? "Topology " : "", named ? topology : "",
		!routing ? ""
		: named  ? ", routing "
			 : "Routing ",
		routing ? routing : "");
	if (!scene_make(&scene, fabric, &heat->fair, attributes, error)) {
		struct sheet sheet = {
			&scene, title, *subtitle ? subtitle : NULL, o->layout != LAYOUT_AUTO ? o->layout : sheet_layout(&scene)};
		if (sheet.layout != LAYOUT_AUTO)
			picture = sheet_draw(&sheet, (enum picture_format)o->format, error);
	}
	scene_clear(&scene);
	return picture;
}

static void draw(
	struct options *o, const struct fabric *fabric, const struct attributes *attributes, const struct heat *heat, struct error *error)
{
	const char *spec = fabric_source_spec(&o->fabric), *topology = spec ? spec : attributes_of_graph(attributes, "topology");
	FILE *picture = NULL;
	if (may_be_sheet(o, fabric, attributes, heat))
		picture = draw_sheet(o, fabric, attributes, heat, topology, error);
	if (!picture && !error->status)
		picture = draw_boxes(o, fabric, attributes, heat, topology, error);
	if (!picture)
		return;
	save(picture, o, topology, error);
	fclose(picture);
}

/* Returns advice if the file is not a graph: it may be a result of orcs. */
static const char *advice(const struct options *o, const struct error *error)
{
	bool first_line = error->code == ERROR_SYNTAX && error->line == 1;
	return source_is_standard(&o->fabric) && first_line
		       ? "; orcs-draw needs a graph, as orcs --metric get_cable_cong writes it, or link_use:- with -o FILE"
		       : "";
}

/* Reports what the reader of the picture should know. */
static void hint(
	const struct options *o, const struct dot_report *odd, const struct fabric *fabric, const struct heat *heat, struct error *error)
{
	bool routes = heat->unit == HEAT_ROUTES || heat->unit == HEAT_SUM || heat->unit == HEAT_EXCESS;
	const char *source = SHOWN(fabric->labels->source);
	if (*odd->parser_warning)
		fprintf(stderr, "orcs-draw: %s: warning: %s\n", source, SHOWN(odd->parser_warning));
	if (heat->unit == HEAT_NONE && o->fabric.form != FORM_SPECIFICATION) /* specifications have none */
		fprintf(stderr,
			"orcs-draw: %s: it has neither routes nor congestion and is drawn in grey; 'orcs-route ENGINE' adds routes\n",
			source);
	else if (heat->unit != HEAT_NONE && heat->hottest == NONE)
		fprintf(stderr, "orcs-draw: %s: warning: no route uses any cable\n", source);
	link_speeds_note(fabric,
		!routes          ? SPEEDS_NO_RESULT
		: heat->by_speed ? SPEEDS_COUNTED_BEFORE
				 : SPEEDS_IGNORED_BEFORE,
		stderr, "orcs-draw", fabric->labels->source, error);
}

/* Reads the queues, and shows those of --at. Returns 0, or -1. */
static int show_queues(struct options *o, const struct fabric *fabric, struct queue_frames *frames, struct heat *heat, struct error *error)
{
	if (files_read(&o->files, o->queues, error) || queue_frames_read(frames, o->queues, fabric, error))
		return -1;
	heat_show_queues(heat, frames, o->at < 0 ? frames->frames : queue_frames_at(frames, o->at), o->palette);
	return 0;
}

int main(int argc, char **argv)
{
	const unsigned wants = DOT_KEEP | DOT_WITHOUT_SETS | DOT_ALLOW_NO_LINK | DOT_TABLES | DOT_MAYBE_TABLES | DOT_ALTERNATIVES;
	struct options options = {.fabric = {.program = program}, .format = -1, .at = -1};
	struct error error = {0};
	struct fabric *fabric = NULL;
	struct forwarding *forwarding = NULL;
	struct attributes *attributes = NULL;
	struct dot_report odd;
	struct heat heat = {0};
	struct queue_frames frames = {0};
	parse(&options, argc, argv);
	if (!check_topology(&options, &error) && !fabric_source_open(&options.fabric, &options.files, &error) &&
		!fabric_source_load(&options.fabric, wants, &options.files, options.quiet ? NULL : stderr, &fabric, &forwarding,
			&attributes, &odd, &error) &&
		!heat_init(&heat, fabric, attributes, &error) &&
		!(options.queues ? show_queues(&options, fabric, &frames, &heat, &error)
				 : heat_classify(&heat, fabric, forwarding, attributes, options.palette, &error)))
		draw(&options, fabric, attributes, &heat, &error);
	if (error.status)
		fprintf(stderr, "orcs-draw: %s%s\n", error.text, advice(&options, &error));
	else if (!options.quiet)
		hint(&options, &odd, fabric, &heat, &error);
	heat_clear(&heat);
	queue_frames_clear(&frames);
	forwarding_free(forwarding);
	fabric_free(fabric);
	attributes_free(attributes);
	files_clear(&options.files);
	fabric_source_clear(&options.fabric);
	return (int)error.status;
}
