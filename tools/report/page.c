#include "tools/report/page.h"

#include "base/version.h"
#include "fabric/host_distances.h"
#include "tools/report/html.h"
#include "tools/report/page_jobs.h"
#include "tools/report/page_program.h"
#include "tools/report/page_assets.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

enum { SHAPE_TEXT = 1200 };

/* The pictures of the section Where, which are drawn before all else: there may be none. */
struct pictures {
	char *text; /* [length] */
	size_t length;
};

static int draw_pictures(struct pictures *pictures, const struct fabric_report *r, FILE *places, struct error *error)
{
	FILE *file = open_memstream(&pictures->text, &pictures->length);
	if (!file)
		return error_set(error, STATUS_IO, "out of memory");
	page_where(file, r, places, error);
	if (fclose(file) && !error->status)
		error_set(error, STATUS_IO, "out of memory");
	return error->status ? -1 : 0;
}

static void write_head(FILE *file, const struct fabric_report *r)
{
	char title[SHAPE_TEXT];
	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", file);
	fprintf(file,
		"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src '%s'; style-src '%s'; img-src data:; "
		"base-uri 'none'; form-action 'none'\">\n",
		report_script_hash, report_style_hash);
	fputs("<meta name=\"viewport\" content=\"width=device-width\">\n<title>", file);
	html_text(file, report_title(r, title, sizeof title));
	fputs(" \u2013 orcs-report</title>\n<link rel=\"icon\" href=\"data:,\">\n<style>", file);
	fputs(report_style, file);
	fputs("</style>\n</head>\n<body>\n", file);
}

static void write_facts(FILE *file, const struct fabric_report *r)
{
	const struct fabric *f = r->fabric;
	char shape[SHAPE_TEXT], title[SHAPE_TEXT];
	fputs("<header>\n<h1>", file);
	html_text(file, report_title(r, title, sizeof title));
	uint32_t switches = f->nodes - f->hosts, cables = r->scene.cables.cables;
	fprintf(file, "</h1>\n<p class=\"facts\">%s host%s, %s switch%s, %s cable%s \u00b7 ", COUNT(f->hosts), f->hosts == 1 ? "" : "s",
		COUNT(switches), switches == 1 ? "" : "es", COUNT(cables), cables == 1 ? "" : "s");
	html_text(file, report_topology(r, shape, sizeof shape));
	if (r->routed_by) {
		fputs(" \u00b7 routed by ", file);
		html_text(file, r->routed_by);
	}
	for (size_t i = 0; i < r->options->fabric.fails; i++) {
		fputs(i ? ", " : " \u00b7 without ", file);
		html_text(file, r->options->fabric.fail[i]);
	}
	if (*r->date)
		fprintf(file, " \u00b7 files of %s", r->date);
	fprintf(file, " \u00b7 hash %016" PRIx64 " \u00b7 orcs %s</p>\n</header>\n", r->hash, ORCS_VERSION);
}

static void write_nav(FILE *file, const struct fabric_report *r, const struct pictures *pictures)
{
	const struct {
		const char *id, *title;
		bool there;
	} parts[] = {
		{"where", "Where", pictures->length > 0 || page_has_matrices(r)},
		{"levels", "Levels", true},
		{"matrices", "Every cable", pictures->length > 0 && page_has_matrices(r)},
		{"table", "Table", true},
		{"engines", "Engines", page_has_engines(r)},
		{"program", "Program", r->options->program != NULL},
		{"jobs", "Jobs", r->options->jobs != NULL},
		{"rails", "Rails", page_has_rails(r)},
		{"oddities", "Oddities", r->oddities.any},
		{"scale", "Scale", true},
	};
	fputs("<nav aria-label=\"Sections\">", file);
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (parts[i].there)
			fprintf(file, "<a href=\"#%s\">%s</a>", parts[i].id, parts[i].title);
	fputs("</nav>\n<main>\n", file);
}

/* ---- the verdict */

static void begin_card(FILE *file, const char *label, bool bad)
{
	fprintf(file, "<div class=\"card%s\"><p>%s</p><p class=\"value\">", bad ? " bad" : "", label);
}

static void card_reach(FILE *file, const struct fabric_report *r)
{
	begin_card(file, "pairs without a route", true);
	fprintf(file, "%s</p><small>of %s", COUNT(r->unreachable), COUNT(r->pairs));
	if (r->lost_from != NONE) {
		fputs("; first ", file);
		html_text(file, r->name[r->lost_from]);
		fputs(" to ", file);
		html_text(file, r->name[r->lost_to]);
	}
	fputs("</small></div>\n", file);
}

static void card_deadlock(FILE *file, const struct fabric_report *r)
{
	begin_card(file, "packets can wait for one another forever", true);
	fprintf(file, "deadlock</p><small>%s channels on cycles", COUNT(r->deadlock.channels));
	if (r->deadlock.needed)
		fprintf(file, "; %" PRIu32 " virtual lanes would break them", r->deadlock.needed);
	fputs("</small></div>\n", file);
}

static void card_bandwidth(FILE *file, const struct fabric_report *r)
{
	const struct advice *a = report_present(r);
	begin_card(file, "a random bisection gets", false);
	if (!(a->of[0].mean > 0))
		fputs("\u2013</p><small>no pair of it has a route", file);
	else if (report_has_ideal(r))
		fprintf(file, "%.0f %% of the ideal</p><small>%.3f \u00b1 %.3f of the peak; ideal tree %.3f",
			100 * a->of[0].mean / r->ideal.bisect, a->of[0].mean, (a->of[0].high - a->of[0].low) / 2, r->ideal.bisect);
	else
		fprintf(file, "%.3f of the peak</p><small>\u00b1 %.3f; %s %.3f", a->of[0].mean, (a->of[0].high - a->of[0].low) / 2,
			r->ideal.levels > 1 ? "a fat tree of this size" : "one switch with all hosts", r->ideal.bisect);
	fputs("</small></div>\n", file);
}

static void card_above(FILE *file, const struct fabric_report *r)
{
	const uint32_t *count = r->fair.count;
	begin_card(file, "channels above their share", false);
	fprintf(file, "%s of %s</p><small>%s more than \u00d71.5</small></div>\n", COUNT(r->fair.above), COUNT(r->fabric->channels),
		COUNT(count[LOAD_HOT] + count[LOAD_VERY_HOT] + count[LOAD_SEVERE]));
}

static void card_hottest(FILE *file, const struct fabric_report *r)
{
	uint32_t c = r->fair.hottest;
	begin_card(file, "hottest", false);
	if (c == NONE) {
		fputs("\u2013</p><small>no route uses any channel</small></div>\n", file);
		return;
	}
	fprintf(file, "\u00d7%.2f</p><small>", r->fair.excess[c]);
	if (r->fair.above) {
		html_text(file, r->name[fabric_tail(r->fabric, c)]);
		if (r->fabric->labels->port[c])
			fprintf(file, " port %" PRIu32, r->fabric->labels->port[c]);
		fputs(" \u2192 ", file);
		html_text(file, r->name[r->fabric->head[c]]);
		if (r->fair.equal)
			fprintf(file, ", and %s more", COUNT(r->fair.equal));
	} else {
		fputs("none above its share", file);
	}
	fputs("</small></div>\n", file);
}

static void write_verdict(FILE *file, const struct fabric_report *r)
{
	fputs("<section id=\"verdict\" aria-label=\"Verdict\">\n", file);
	if (r->unreachable)
		card_reach(file, r);
	if (r->deadlock.known && r->deadlock.channels)
		card_deadlock(file, r);
	card_bandwidth(file, r);
	card_above(file, r);
	card_hottest(file, r);
	begin_card(file, "no route uses", false);
	fprintf(file, "%s</p><small>of %s channels</small></div>\n</section>\n", COUNT(r->fair.count[LOAD_UNUSED]),
		COUNT(r->fabric->channels));
}

static void write_advice(FILE *file, const struct advice_lines *lines)
{
	fputs("<section id=\"advice\" aria-labelledby=\"advice-head\">\n<h2 id=\"advice-head\">What to do</h2>\n", file);
	if (!lines->count)
		fputs("<p>Nothing to do: no cable carries more than the best routing would put there.</p>\n", file);
	for (int i = 0; i < lines->count; i++) {
		fprintf(file, "%s<li><b>%s</b> ", i ? "" : "<ol>\n", lines->line[i].kind);
		html_text(file, lines->line[i].text);
		fputs("</li>\n", file);
	}
	fputs(lines->count ? "</ol>\n</section>\n" : "</section>\n", file);
}

/* ---- the sections */

static void begin_section(FILE *file, const char *id, const char *title)
{
	fprintf(file, "<section id=\"%s\" aria-labelledby=\"%s-head\">\n<h2 id=\"%s-head\">%s</h2>\n", id, id, id, title);
}

static void explain_keys(FILE *file)
{
	fputs("<p class=\"keys\" data-script hidden>Point at a cell for its cable; a click goes to its row of the table. With the keyboard: "
	      "<kbd>Tab</kbd> to a picture, arrows from cell to cell, <kbd>Enter</kbd> to the row.</p>\n",
		file);
}

static int write_matrices(FILE *file, const struct fabric_report *r, FILE *places, struct error *error)
{
	page_legend(file, r);
	explain_keys(file);
	return page_matrices(file, r, places, error);
}

/* Where there is no other picture, the matrices show where it is. */
static int write_pictures(FILE *file, const struct fabric_report *r, const struct pictures *pictures, FILE *places, struct error *error)
{
	bool matrices = page_has_matrices(r);
	if (pictures->length) {
		begin_section(file, "where", "Where is it?");
		page_legend(file, r);
		if (ftell(places) > 0 && !page_has_matrices(r))
			explain_keys(file);
		fwrite(pictures->text, 1, pictures->length, file);
		fputs("</section>\n", file);
	} else if (matrices) {
		begin_section(file, "where", "Where is it?");
		if (write_matrices(file, r, places, error))
			return -1;
		fputs("</section>\n", file);
	}
	begin_section(file, "levels", "Level by level");
	page_levels(file, r);
	if (page_histograms(file, r, error))
		return -1;
	fputs("</section>\n", file);
	if (matrices && pictures->length) {
		begin_section(file, "matrices", "Every cable");
		if (write_matrices(file, r, places, error))
			return -1;
		fputs("</section>\n", file);
	}
	return 0;
}

static int write_tables(FILE *file, const struct fabric_report *r, struct error *error)
{
	begin_section(file, "table", "Table of cables");
	if (page_cables(file, r, error))
		return -1;
	fputs("</section>\n", file);
	if (page_has_engines(r)) {
		begin_section(file, "engines", "Other engines");
		if (page_engines(file, r, error))
			return -1;
		fputs("</section>\n", file);
	}
	if (r->options->program) {
		begin_section(file, "program", "The program");
		page_program(file, r);
		fputs("</section>\n", file);
	}
	if (r->options->jobs) {
		begin_section(file, "jobs", "Running jobs");
		if (page_jobs(file, r, error))
			return -1;
		fputs("</section>\n", file);
	}
	if (page_has_rails(r)) {
		begin_section(file, "rails", "Rails and machines");
		page_rails(file, r);
		fputs("</section>\n", file);
	}
	if (r->oddities.any) {
		begin_section(file, "oddities", "Oddities");
		page_oddities(file, r);
		fputs("</section>\n", file);
	}
	begin_section(file, "scale", "The scale, and what was computed");
	page_scale(file, r);
	fputs("</section>\n</main>\n", file);
	return 0;
}

/* Writes all but the data and the script. */
static int write_body(FILE *file, const struct fabric_report *r, const struct advice_lines *lines, FILE *places, struct error *error)
{
	struct pictures pictures = {0};
	int failed = draw_pictures(&pictures, r, places, error);
	if (!failed) {
		write_head(file, r);
		write_facts(file, r);
		write_nav(file, r, &pictures);
		write_verdict(file, r);
		write_advice(file, lines);
		failed = write_pictures(file, r, &pictures, places, error) || write_tables(file, r, error);
	}
	free(pictures.text);
	return failed;
}

int page_write(FILE *file, const struct fabric_report *report, const struct advice_lines *lines, struct error *error)
{
	char *figures = NULL;
	size_t size = 0;
	FILE *places = open_memstream(&figures, &size);
	if (!places)
		return error_set(error, STATUS_IO, "out of memory");
	int failed = write_body(file, report, lines, places, error);
	if (fclose(places) && !failed)
		failed = error_set(error, STATUS_IO, "out of memory");
	if (!failed) {
		fputs("<div id=\"tip\" hidden></div>\n<div id=\"say\" role=\"status\" aria-live=\"polite\"></div>\n", file);
		fputs("<script type=\"application/json\" id=\"orcs-data\">", file);
		failed = data_write(file, report, lines, figures, error);
		fputs("</script>\n<script>", file);
		fputs(report_script, file);
		fputs("</script>\n</body>\n</html>\n", file);
	}
	free(figures);
	return failed ? -1 : 0;
}
