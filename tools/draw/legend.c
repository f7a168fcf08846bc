#include "tools/draw/picture.h"

#include "base/shown.h"
#include "cli/palette.h"
#include "fabric/described.h"
#include "tools/draw/text.h"

#include <inttypes.h>
#include <string.h>

enum { SWATCHES = 9, CHASSIS_LISTED = 12 };

static void row(const char *text, FILE *file)
{
	fputs("<TR><TD ALIGN=\"LEFT\">", file);
	text_put_html(file, text);
	fputs("</TD></TR>", file);
}

/* Returns whether it is traffic rather than the congestion of routes. */
static bool is_traffic(const struct heat *heat)
{
	return heat->unit == HEAT_BITS || heat->unit == HEAT_BUSY || heat->unit == HEAT_COST || heat->unit == HEAT_QUEUE;
}

const char *picture_name(const struct fabric *fabric, const char *topology)
{
	const char *source = fabric->labels->source, *slash = strrchr(source, '/');
	bool standard = *source == '<', itself = topology && !strcmp(source, topology);
	return standard || itself ? topology : slash ? slash + 1 : source;
}

bool picture_has_topology(const struct fabric *fabric, const char *topology)
{
	return topology && *fabric->labels->source != '<' && strcmp(fabric->labels->source, topology) != 0;
}

static void write_title(const struct drawing *drawing, double font_size, FILE *file)
{
	const char *name = picture_name(drawing->fabric, drawing->topology);
	fprintf(file, "<TR><TD ALIGN=\"LEFT\"><FONT POINT-SIZE=\"%.0f\">%s", font_size * 1.5,
		drawing->heat->unit == HEAT_COST     ? "Failures"
		: drawing->heat->unit == HEAT_EXCESS ? "Load"
		: drawing->heat->unit == HEAT_QUEUE  ? "Queues"
		: is_traffic(drawing->heat)          ? "Traffic"
		: drawing->heat->unit                ? "Congestion"
						     : "Fabric");
	if (name) {
		fputs(drawing->heat->unit ? " of " : " ", file);
		put_name(name, text_put_html, file);
	}
	fputs("</FONT></TD></TR>", file);
}

/* Writes the topology that the graph names, unless the title shows it. */
static void write_topology(const struct drawing *drawing, FILE *file)
{
	const char *topology = drawing->topology;
	bool named = picture_has_topology(drawing->fabric, topology);
	if (!named && !drawing->routing)
		return;
	fputs("<TR><TD ALIGN=\"LEFT\">", file);
	if (named) {
		fputs("Topology ", file);
		put_name(topology, text_put_html, file);
	}
	if (drawing->routing) {
		fputs(named ? ", routing " : "Routing ", file);
		put_name(drawing->routing, text_put_html, file);
	}
	fputs("</TD></TR>", file);
}

static void write_size(const struct drawing *drawing, FILE *file)
{
	const struct fabric *fabric = drawing->fabric;
	uint32_t hosts = fabric->hosts, switches = fabric->nodes - hosts, cables = drawing->fabric_cables,
		 one_way = drawing->fabric_one_way;
	char text[200];
	int length = snprintf(text, sizeof text, "%" PRIu32 " host%s, %" PRIu32 " switch%s, %" PRIu32 " cable%s", hosts,
		hosts == 1 ? "" : "s", switches, switches == 1 ? "" : "es", cables, cables == 1 ? "" : "s");
	if (one_way)
		snprintf(text + length, sizeof text - (size_t)length, ", %" PRIu32 " channel%s one way", one_way, one_way == 1 ? "" : "s");
	row(text, file);
}

static void write_runs(const struct heat *heat, FILE *file)
{
	if (!*heat->pattern)
		return;
	fputs("<TR><TD ALIGN=\"LEFT\">Pattern ", file);
	put_name(heat->pattern, text_put_html, file);
	if (heat->runs && is_traffic(heat))
		fprintf(file, ", %" PRIu64 " run%s", heat->runs, heat->runs == 1 ? "" : "s");
	else if (heat->runs && heat->levels)
		fprintf(file, ", %" PRIu64 " run%s of %" PRIu64 " level%s", heat->runs, heat->runs == 1 ? "" : "s", heat->levels,
			heat->levels == 1 ? "" : "s");
	fputs("</TD></TR>", file);
}

/* Writes the colours in a row, with their values below. */
static void write_scale(const struct heat *heat, double font_size, FILE *file)
{
	static const char *const words[] = {
		[HEAT_NONE] = "",
		[HEAT_ROUTES] = "Mean number of routes per channel (one direction of a cable) and level of the pattern",
		[HEAT_SUM] = "Total number of routes per channel (one direction of a cable)",
		[HEAT_SHARE] = "Routes per channel (one direction of a cable), as a share of the maximum",
		[HEAT_BITS] = "Mean number of bits per channel (one direction of a cable) and run",
		[HEAT_COST] = "Bandwidth that random bisections lose if the cable fails (the last colour also where pairs are lost)",
		[HEAT_BUSY] = "Share of the time during which a channel (one direction of a cable) sends",
		[HEAT_QUEUE] = "Share of the buffers behind a channel (one direction of a cable) that packets hold",
		[HEAT_EXCESS] = "Load of a channel (one direction of a cable) under uniform traffic, exact, divided by its fair share",
	};
	char text[40];
	double width = font_size * 4.2;
	fputs("<TR><TD ALIGN=\"LEFT\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\"><TR>", file);
	for (int i = 0; i < SWATCHES; i++) {
		palette_colour(heat->palette, (double)i / (SWATCHES - 1), text, sizeof text);
		fprintf(file, "<TD BGCOLOR=\"%s\" WIDTH=\"%.0f\" HEIGHT=\"%.0f\"></TD>", text, width, font_size);
	}
	fputs("</TR><TR>", file);
	for (int i = 0; i < SWATCHES; i++) {
		bool beyond = i == SWATCHES - 1 && heat->largest > heat->full;
		fprintf(file, "<TD>%s%s</TD>", beyond ? "≥ " : "", heat_text(heat, heat->full * i / (SWATCHES - 1), text, sizeof text));
	}
	fputs("</TR></TABLE></TD></TR>", file);
	row(words[heat->unit], file);
	if (heat->by_speed && heat->unit == HEAT_ROUTES)
		row("Routes are divided by the channel's speed relative to the slowest host link", file);
}

/* Writes the classes in a row: their colours, words, limits, and numbers of channels. */
static void write_classes(const struct heat *heat, double font_size, FILE *file)
{
	double width = font_size * 5.5;
	fputs("<TR><TD ALIGN=\"LEFT\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"2\" CELLPADDING=\"1\"><TR>", file);
	for (int i = 0; i < LOAD_CLASSES; i++)
		fprintf(file, "<TD BORDER=\"1\" COLOR=\"%s\" BGCOLOR=\"%s\" WIDTH=\"%.0f\" HEIGHT=\"%.0f\"></TD>", load_classes[i].outline,
			load_classes[i].light, width, font_size);
	fputs("</TR><TR>", file);
	for (int i = 0; i < LOAD_CLASSES; i++)
		fprintf(file, "<TD>%s</TD>", load_classes[i].word);
	fputs("</TR><TR>", file);
	for (int i = 0; i < LOAD_CLASSES; i++)
		fprintf(file, "<TD>%s</TD>", load_classes[i].range);
	fputs("</TR><TR>", file);
	for (int i = 0; i < LOAD_CLASSES; i++)
		fprintf(file, "<TD>%" PRIu32 "</TD>", heat->fair.count[i]);
	fputs("</TR></TABLE></TD></TR>", file);
	row("Load of a channel (one direction of a cable) under uniform traffic, exact, as a multiple of its fair share; numbers of channels",
		file);
}

/* Returns the cable of a channel, NULL if it is not shown. */
static const struct drawn_cable *find_cable(const struct drawing *drawing, uint32_t channel)
{
	for (uint32_t i = 0; i < drawing->cables; i++)
		if (drawing->cable[i].channel[0] == channel || drawing->cable[i].channel[1] == channel)
			return &drawing->cable[i];
	return NULL;
}

static void write_hottest(const struct drawing *drawing, FILE *file)
{
	const struct heat *heat = drawing->heat;
	char text[40];
	if (heat->hottest == NONE) {
		row(is_traffic(heat) ? "No cable carries anything" : "No route uses any cable", file);
		return;
	}
	if (heat_has_classes(heat) && !heat->fair.above) {
		row("No channel carries more than its fair share", file);
		return;
	}
	const uint64_t *guid = drawing->fabric->labels->guid;
	uint64_t from = guid[fabric_tail(drawing->fabric, heat->hottest)], to = guid[drawing->fabric->head[heat->hottest]];
	const struct drawn_cable *cable = find_cable(drawing, heat->hottest);
	fputs(heat->unit == HEAT_COST ? "<TR><TD ALIGN=\"LEFT\">Costliest: " : "<TR><TD ALIGN=\"LEFT\">Hottest: ", file);
	put_direction(drawing, heat->hottest, text_put_html, file);
	fprintf(file, ": %s%s", heat->expected ? "expected " : "", heat_text(heat, heat->load[heat->hottest], text, sizeof text));
	if (cable && cable->channel[0] != NONE && cable->channel[1] != NONE)
		fprintf(file, ", back %s",
			heat_text(heat, heat->load[cable->channel[cable->channel[0] == heat->hottest]], text, sizeof text));
	if (heat->unit == HEAT_EXCESS)
		fputs(" times the fair share", file);
	if (!strcmp(heat->significance, "noise"))
		fputs(" (noise: a balanced fabric shows as much)", file);
	else if (!strcmp(heat->significance, "close"))
		fputs(" (the next hardly less)", file);
	else if (heat->equal)
		fprintf(file, " (and %" PRIu32 " more)", heat->equal);
	fputs(cable ? "</TD></TR>" : " (not shown)</TD></TR>", file);
	if (from || to) {
		char guids[GUIDS_TEXT];
		row(guids_text(from, to, guids) + strlen(", "), file);
	}
}

/* Writes when the queues are seen, and which buffer is full first. */
static void write_frames(const struct drawing *drawing, FILE *file)
{
	const struct heat *heat = drawing->heat;
	const struct queue_frames *f = heat->frames;
	char text[100], from[40], to[40];
	if (heat->frame < f->frames)
		snprintf(text, sizeof text, "At %s", queue_frames_time(f, f->time[heat->frame], from, sizeof from));
	else
		snprintf(text, sizeof text, "The largest from %s to %s, in an SVG one moment after another",
			queue_frames_time(f, f->time[0], from, sizeof from), queue_frames_time(f, f->time[f->frames - 1], to, sizeof to));
	row(text, file);
	if (f->first == NONE)
		return;
	fprintf(file, "<TR><TD ALIGN=\"LEFT\">First full, after %s: ", queue_frames_time(f, f->first_time, from, sizeof from));
	put_direction(drawing, f->first, text_put_html, file);
	fputs("</TD></TR>", file);
}

/* Writes the meaning of lines. */
static void write_key(const struct drawing *drawing, FILE *file)
{
	char text[120];
	bool merged = false, folded = false;
	uint32_t bundle = drawing_bundle(drawing);
	for (uint32_t i = 0; i < drawing->lines; i++)
		merged |= drawing->line[i].count > 1 && drawing->line[i].box[1] < drawing->heads;
	for (uint32_t b = 0; b < drawing->boxes; b++)
		folded |= drawing->box[b].kind == BOX_HOSTS;
	if (drawing->heat->unit)
		row("A line has the colour and width of the worse direction of its cable", file);
	if (folded)
		row(drawing->heat->unit ? "The hosts of a switch are one box, their cables one line: that of the worst"
					: "The hosts of a switch are one box, their cables one line",
			file);
	snprintf(text, sizeof text, "A line between switches is %" PRIu32 " cables", bundle);
	if (bundle > 1)
		row(text, file);
	else if (merged)
		row("×N: the line is N cables", file);
	if (merged && drawing->heat->unit)
		row("Of several cables the worst gives the colour", file);
}

/* Writes the chassis with the colours of their switches. */
static void write_chassis(const struct drawing *drawing, double font_size, FILE *file)
{
	char text[60], name[SHOWN_SIZE];
	for (uint32_t c = 0; c < drawing->chassis.count && c < CHASSIS_LISTED; c++) {
		const struct chassis *chassis = &drawing->chassis.chassis[c];
		fprintf(file,
			"<TR><TD ALIGN=\"LEFT\"><TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"1\"><TR>"
			"<TD BGCOLOR=\"%s\" WIDTH=\"%.0f\" HEIGHT=\"%.0f\"></TD><TD> Chassis ",
			chassis_colour(c), font_size * 2, font_size);
		snprintf(name, sizeof name, "%.*s", chassis->length, chassis->name);
		put_name(name, text_put_html, file);
		fprintf(file, ": %" PRIu32 " switch%s</TD></TR></TABLE></TD></TR>", chassis->switches, chassis->switches == 1 ? "" : "es");
	}
	snprintf(text, sizeof text, "%" PRIu32 " more chassis", drawing->chassis.count - CHASSIS_LISTED);
	if (drawing->chassis.count > CHASSIS_LISTED)
		row(text, file);
}

void legend_write(const struct drawing *drawing, double font_size, FILE *file)
{
	fputs("<TABLE BORDER=\"0\" CELLBORDER=\"0\" CELLSPACING=\"0\" CELLPADDING=\"2\">", file);
	write_title(drawing, font_size, file);
	write_topology(drawing, file);
	write_size(drawing, file);
	write_chassis(drawing, font_size, file);
	if (drawing->heat->unit) {
		write_runs(drawing->heat, file);
		if (heat_has_classes(drawing->heat))
			write_classes(drawing->heat, font_size, file);
		else
			write_scale(drawing->heat, font_size, file);
		if (drawing->heat->unit == HEAT_QUEUE)
			write_frames(drawing, file);
		else
			write_hottest(drawing, file);
	}
	write_key(drawing, file);
	fprintf(file, "<TR><TD HEIGHT=\"%.0f\"></TD></TR></TABLE>", font_size); /* space between the legend and the drawing */
}
