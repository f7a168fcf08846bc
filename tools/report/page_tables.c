/* The tables of the page. */
#include "tools/report/page.h"

#include "base/memory.h"
#include "fabric/host_distances.h"
#include "pictures/svg.h"
#include "tools/report/html.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { ROWS_FIRST = 100 /* without the script there are only these */ };

/* Writes a number as a cell; nothing if it is unknown. */
static void number_cell(FILE *file, double number, const char *before)
{
	if (isfinite(number))
		fprintf(file, "<td class=\"n\">%s%.2f</td>", before, number);
	else
		fputs("<td class=\"n\">\u2013</td>", file);
}

static void count_cell(FILE *file, uint64_t count)
{
	fprintf(file, "<td class=\"n\">%s</td>", COUNT(count));
}

/* ---- levels */

static bool has_rivals(const struct fabric_report *r)
{
	return r->loads.load != NULL;
}

static void level_row(FILE *file, const struct fabric_report *r, uint32_t t)
{
	const struct load_tier *tier = &r->fair.tier[t];
	char from[12], to[12];
	fprintf(file, "<tr><th scope=\"row\" class=\"w\">%s \u2192 %s</th>", report_level(tier->from, from), report_level(tier->to, to));
	count_cell(file, tier->channels);
	number_cell(file, tier->mean, "");
	number_cell(file, tier->mean > 0 ? tier->cv : NAN, "");
	number_cell(file, tier->most, "");
	if (tier->most_share > tier->least_share * (1 + 1e-6))
		fprintf(file, "<td class=\"n\">%.2f (%.2f\u2013%.2f)</td>", tier->share, tier->least_share, tier->most_share);
	else
		number_cell(file, tier->share, "");
	if (has_rivals(r)) {
		number_cell(file, r->tier_rivals[t], "");
		if (report_has_ideal(r))
			number_cell(file, r->ideal_rivals[t], "");
	}
	count_cell(file, tier->above);
	count_cell(file, tier->count[LOAD_UNUSED]);
	if (tier->hottest == NONE) {
		fputs("<td class=\"n\">\u2013</td><td>no route</td></tr>\n", file);
		return;
	}
	number_cell(file, tier->excess, "\u00d7");
	fputs("<td>", file);
	if (tier->above) {
		html_text(file, r->name[fabric_tail(r->fabric, tier->hottest)]);
		if (r->fabric->labels->port[tier->hottest])
			fprintf(file, " port %" PRIu32, r->fabric->labels->port[tier->hottest]);
		fputs(" \u2192 ", file);
		html_text(file, r->name[r->fabric->head[tier->hottest]]);
	} else {
		fputs("none above its share", file);
	}
	fputs("</td></tr>\n", file);
}

void page_levels(FILE *file, const struct fabric_report *report)
{
	fputs("<div class=\"wide\"><table>\n<caption>All routes between all pairs of hosts. Load 1 is as busy as a host's own cable; the fair share "
	      "is what the best routing would have to put there.",
		file);
	if (has_rivals(report))
		fputs(" Rivals: how many other routes a route meets on a channel under a random bisection.", file);
	fputs("</caption>\n<thead><tr><th scope=\"col\">Levels</th><th scope=\"col\" class=\"n\">Channels</th><th scope=\"col\" class=\"n\">Mean "
	      "load</th><th scope=\"col\" class=\"n\">CV</th><th scope=\"col\" class=\"n\">Largest</th><th scope=\"col\" class=\"n\">Fair "
	      "share</th>",
		file);
	if (has_rivals(report))
		fprintf(file, "<th scope=\"col\" class=\"n\">Rivals</th>%s",
			report_has_ideal(report) ? "<th scope=\"col\" class=\"n\">In the ideal tree</th>" : "");
	fputs("<th scope=\"col\" class=\"n\">Above</th><th scope=\"col\" class=\"n\">Unused</th><th scope=\"col\" class=\"n\">\u00d7 share</th>"
	      "<th scope=\"col\">Hottest</th></tr></thead>\n<tbody>\n",
		file);
	for (uint32_t t = 0; t < report->fair.tiers; t++)
		level_row(file, report, t);
	fputs("</tbody></table></div>\n", file);
}

/* ---- cables */

struct cable_row {
	double excess;
	uint32_t cable, channel, back; /* the worse direction, and the other; NONE: there is none */
};

static double excess_of(const struct fabric_report *r, uint32_t channel)
{
	return channel == NONE ? 0 : r->fair.excess[channel];
}

static struct cable_row row_of(const struct fabric_report *r, uint32_t cable)
{
	const uint32_t *channel = r->scene.cables.cable[cable].channel;
	double up = excess_of(r, channel[CABLE_UP]), down = excess_of(r, channel[CABLE_DOWN]);
	bool worse = down > up * (1 + 1e-9);
	return (struct cable_row){worse ? down : up, cable, channel[worse], channel[!worse]};
}

static int compare_rows(const void *left, const void *right)
{
	const struct cable_row *a = left, *b = right;
	if (a->excess != b->excess)
		return a->excess < b->excess ? 1 : -1;
	return (a->cable > b->cable) - (a->cable < b->cable);
}

static void port_cell(FILE *file, uint32_t port)
{
	if (port)
		fprintf(file, "<td class=\"n\">%" PRIu32 "</td>", port);
	else
		fputs("<td class=\"n\"></td>", file);
}

static void name_cell(FILE *file, const struct fabric_report *r, uint32_t node)
{
	fputs("<td>", file);
	html_text(file, r->name[node]);
	fputs("</td>", file);
}

static void cable_row(FILE *file, const struct fabric_report *r, const struct cable_row *row)
{
	const struct cable *cable = &r->scene.cables.cable[row->cable];
	const struct fabric_labels *labels = r->fabric->labels;
	uint32_t c = row->channel == NONE ? row->back : row->channel;
	char lower[12], upper[12];
	fprintf(file, "<tr data-cable=\"%" PRIu32 "\">", row->cable);
	name_cell(file, r, fabric_tail(r->fabric, c));
	port_cell(file, labels->port[c]);
	name_cell(file, r, r->fabric->head[c]);
	port_cell(file, labels->peer_port[c]);
	fprintf(file, "<td class=\"w\">%s\u2013%s</td>", report_level(r->fair.level[cable->end[0]], lower),
		report_level(r->fair.level[cable->end[1]], upper));
	number_cell(file, row->channel == NONE ? 0 : r->fair.load[row->channel], "");
	number_cell(file, row->back == NONE ? 0 : r->fair.load[row->back], "");
	number_cell(file, row->excess, "\u00d7");
	if (has_rivals(r))
		number_cell(file, row->channel == NONE ? NAN : report_rivals(r, row->channel), "");
	int class = row->channel == NONE ? LOAD_UNUSED : r->fair.class[row->channel];
	fprintf(file, "<td class=\"w\"><span class=\"swatch\" data-class=\"%d\"></span>%s</td></tr>\n", class, load_classes[class].word);
}

static void write_tools(FILE *file)
{
	fputs("<div class=\"tools\" data-script hidden>\n<label>Search <input id=\"search\" type=\"search\" placeholder=\"name, GUID or LID ( / )\" "
	      "autocomplete=\"off\"></label>\n<label>Levels <select id=\"level\"><option value=\"\">all</option></select></label>\n<label>Verdict "
	      "<select id=\"class\"><option value=\"\">all</option></select></label>\n<button type=\"button\" id=\"prev\">Previous</button>\n"
	      "<button type=\"button\" id=\"next\">Next</button>\n<button type=\"button\" id=\"csv\">Save as CSV</button>\n</div>\n",
		file);
}

int page_cables(FILE *file, const struct fabric_report *report, struct error *error)
{
	const struct fabric_report *r = report;
	uint32_t cables = r->scene.cables.cables, rows = cables < ROWS_FIRST ? cables : ROWS_FIRST;
	struct cable_row *row = array_create(cables, sizeof *row, error);
	static const struct {
		const char *key, *title, *class;
	} heads[] = {
		{"from", "From", ""},
		{"fp", "Port", " class=\"n\""},
		{"to", "To", ""},
		{"tp", "Port", " class=\"n\""},
		{"level", "Levels", ""},
		{"load", "Load", " class=\"n\""},
		{"back", "Back", " class=\"n\""},
		{"x", "\u00d7 share", " class=\"n\""},
		{"rivals", "Rivals", " class=\"n\""},
		{"cls", "Verdict", ""},
	};
	for (uint32_t i = 0; i < cables && row; i++)
		row[i] = row_of(r, i);
	if (!row)
		return -1;
	qsort(row, cables, sizeof *row, compare_rows);
	write_tools(file);
	fprintf(file, "<p id=\"count\" role=\"status\">Cables %d to %" PRIu32 " of %" PRIu32 "</p>\n", rows ? 1 : 0, rows, cables);
	fputs("<div class=\"wide\"><table id=\"cables\">\n<caption>Every cable, hottest first. From and to are those of its busier direction; Back is the "
	      "load of the other one.</caption>\n<thead><tr>",
		file);
	for (size_t i = 0; i < sizeof heads / sizeof *heads; i++)
		if (i != 8 || has_rivals(r))
			fprintf(file, "<th scope=\"col\" data-key=\"%s\"%s%s>%s</th>", heads[i].key, heads[i].class,
				i == 7 ? " aria-sort=\"descending\"" : "", heads[i].title);
	fputs("</tr></thead>\n<tbody>\n", file);
	for (uint32_t i = 0; i < rows; i++)
		cable_row(file, r, &row[i]);
	fputs("</tbody></table></div>\n", file);
	free(row);
	return 0;
}

/* ---- engines */

bool page_has_engines(const struct fabric_report *report)
{
	return report->others.count > 1 || report->others.file;
}

static bool has_engine_rivals(const struct fabric_report *r)
{
	bool any = false;
	for (int i = 0; i < r->others.count; i++)
		any |= r->others.routing[i].rivals != NULL;
	return any;
}

/* Tiers between switches have rivals worth a column. */
static bool is_switch_tier(const struct load_tier *tier)
{
	return tier->from != LEVEL_HOST && tier->to != LEVEL_HOST;
}

static void engine_row(FILE *file, const struct fabric_report *r, int i, bool rivals)
{
	const struct other_routing *o = &r->others.routing[i];
	fputs("<tr><th scope=\"row\">", file);
	html_text(file, o->name);
	fputs(i == r->others.base ? " (reported here)</th>" : "</th>", file);
	if (*o->refusal) {
		fputs("<td colspan=\"20\">", file);
		html_text(file, o->refusal);
		fputs("</td></tr>\n", file);
		return;
	}
	fprintf(file, "<td class=\"n\">%.3f \u00b1 %.3f</td>", o->mean, (o->high - o->low) / 2);
	if (report_has_ideal(r))
		fprintf(file, "<td class=\"n\">%.0f %%</td>", 100 * o->mean / r->ideal.bisect);
	if (i == r->others.base || isnan(o->gain))
		fputs("<td class=\"n\">\u2013</td>", file);
	else if (isfinite(o->gain_low))
		fprintf(file, "<td class=\"n\">%+.3f \u00b1 %.3f</td>", o->gain, (o->gain_high - o->gain_low) / 2);
	else
		fprintf(file, "<td class=\"n\">%+.3f</td>", o->gain);
	count_cell(file, o->unreachable > r->apart ? o->unreachable - r->apart : 0);
	fprintf(file, "<td>%s</td>", o->deadlock < 0 ? "unknown" : o->deadlock ? "possible" : "none");
	if (o->lanes)
		count_cell(file, o->lanes);
	else
		fputs("<td class=\"n\">\u2013</td>", file);
	for (uint32_t t = 0; t < r->fair.tiers && rivals; t++)
		if (is_switch_tier(&r->fair.tier[t]))
			number_cell(file, o->rivals ? o->rivals[t] : NAN, "");
	fputs("</tr>\n", file);
}

/* A bar from 0 for each routing, with its interval, and the ideal as a line. */
static int draw_bars(FILE *file, const struct fabric_report *r, struct error *error)
{
	enum { BAR = 14, STEP = 22, NAMES = 300, WIDTH = 800 };
	struct svg svg;
	double y = 0, best = 0;
	int failed = svg_init(&svg, error);
	for (int i = 0; i < r->others.count; i++)
		best = *r->others.routing[i].refusal ? best : fmax(best, r->others.routing[i].mean);
	for (int i = 0; i < r->others.count && !failed; i++) {
		const struct other_routing *o = &r->others.routing[i];
		char text[40], name[80];
		double end = NAMES + o->mean * WIDTH;
		bool inside = o->mean * WIDTH > 60;
		if (*o->refusal)
			continue;
		snprintf(name, sizeof name, "%.42s%s", o->name, i == r->others.base ? " (reported here)" : "");
		svg_text(&svg, NAMES - 8, y + BAR - 3, SVG_STRONG, SVG_END, name);
		svg_box(&svg, NAMES, y, o->mean * WIDTH, BAR, o->mean >= best ? "best" : "bar",
			"fill=\"#a7c4da\" stroke=\"#8b959e\" stroke-width=\"1\"");
		if (isfinite(o->low) && isfinite(o->high))
			svg_line(&svg, NAMES + o->low * WIDTH, y + BAR / 2.0, NAMES + o->high * WIDTH, y + BAR / 2.0, "interval",
				"stroke=\"#1b1f24\" stroke-width=\"2\"");
		snprintf(text, sizeof text, "%.3f", o->mean);
		svg_text(&svg, end + (inside ? -12 : 8), y + BAR - 3, SVG_STRONG, inside ? SVG_END : SVG_START, text);
		y += STEP;
	}
	if (!failed && report_has_ideal(r)) {
		char text[60];
		double x = NAMES + r->ideal.bisect * WIDTH;
		svg_line(&svg, x, -4, x, y, "axis", "stroke=\"#57606a\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\"");
		snprintf(text, sizeof text, "ideal tree %.3f", r->ideal.bisect);
		svg_text(&svg, x, y + 12, SVG_MUTED, SVG_MIDDLE, text);
	}
	if (!failed) {
		fputs("<figure>", file);
		failed = svg_end(&svg, file, "Bandwidth of a random bisection by routing", "", error);
		fputs("</figure>\n", file);
	}
	svg_clear(&svg);
	return failed;
}

int page_engines(FILE *file, const struct fabric_report *report, struct error *error)
{
	const struct fabric_report *r = report;
	bool rivals = has_engine_rivals(r);
	if (draw_bars(file, r, error))
		return -1;
	fputs("<div class=\"wide\"><table>\n<caption>Bandwidth of a pair under a random bisection, as a share of the peak, with 95 % intervals; the "
	      "same bisections for all, so that differences are more precise.",
		file);
	if (r->others.file) {
		fputs(" From ", file);
		html_text(file, r->others.file);
		fputs(r->others.base < 0 ? "; none of them has the tables that are reported here." : ".", file);
	}
	fputs("</caption>\n<thead><tr><th scope=\"col\">Routing</th><th scope=\"col\" class=\"n\">Bandwidth</th>", file);
	if (report_has_ideal(r))
		fputs("<th scope=\"col\" class=\"n\">Of the ideal</th>", file);
	fputs("<th scope=\"col\" class=\"n\">Gain</th><th scope=\"col\" class=\"n\">Pairs without a route</th><th scope=\"col\">Deadlock</th><th "
	      "scope=\"col\" class=\"n\">Lanes</th>",
		file);
	for (uint32_t t = 0; t < r->fair.tiers && rivals; t++) {
		char from[12], to[12];
		if (is_switch_tier(&r->fair.tier[t]))
			fprintf(file, "<th scope=\"col\" class=\"n\">Rivals %s\u2192%s</th>", report_level(r->fair.tier[t].from, from),
				report_level(r->fair.tier[t].to, to));
	}
	fputs("</tr></thead>\n<tbody>\n", file);
	for (int i = 0; i < r->others.count; i++)
		engine_row(file, r, i, rivals);
	fputs("</tbody></table></div>\n", file);
	return 0;
}
