/* The sections of words: legend, rails, oddities, scale. */
#include "tools/report/page.h"

#include "base/shown.h"
#include "tools/report/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

void page_legend(FILE *file, const struct fabric_report *report)
{
	fputs("<ul class=\"legend\" aria-label=\"Colours: load as a multiple of the fair share\">", file);
	for (int i = 0; i < LOAD_CLASSES; i++)
		fprintf(file, "<li><span class=\"swatch\" data-class=\"%d\"></span>%s (%s): %s</li>", i, load_classes[i].word,
			load_classes[i].range, COUNT(report->fair.count[i]));
	fputs("</ul>\n", file);
}

/* ---- rails */

/* Returns the number of machines with several ports. */
static uint32_t machines(const struct rails *rails)
{
	uint32_t count = 0;
	for (uint32_t i = 0; i < rails->count; i++)
		count += rails->rail[i].number == 2;
	return count;
}

bool page_has_rails(const struct fabric_report *report)
{
	return machines(&report->rails) >= 3;
}

/* Counts ports by where they are. */
static void count_ports(const struct rails *rails, uint32_t *owned, uint32_t *astray, uint32_t *leaves)
{
	*owned = *astray = *leaves = 0;
	for (uint32_t i = 0; i < rails->count; i++) {
		uint32_t leaf = rails->rail[i].leaf;
		*owned += leaf != NONE && rails->owner[leaf] != NONE;
		*astray += rails_astray(rails, i);
	}
	for (uint32_t v = 0; v < rails->leaves; v++)
		*leaves += rails->owner[v] != NONE;
}

void page_rails(FILE *file, const struct fabric_report *report)
{
	const struct rails *rails = &report->rails;
	uint32_t owned, astray, leaves;
	count_ports(rails, &owned, &astray, &leaves);
	fprintf(file, "<p>%s machines have several ports, most of them %" PRIu32 ". ", COUNT(machines(rails)), report->usual_rails);
	if (10 * (uint64_t)owned < 9 * (uint64_t)rails->count) {
		fputs("The fabric is not cabled by rails: most switches have ports of several rails.</p>\n", file);
		return;
	}
	fprintf(file, "Each rail has switches of its own (%s in all)", COUNT(leaves));
	if (!astray) {
		fputs(", and every port is on one of its rail.</p>\n", file);
		return;
	}
	fprintf(file,
		"; %s port%s on a switch of another rail:</p>\n<div class=\"wide\"><table><caption>Ports on switches of other rails</caption>"
		"<thead><tr><th scope=\"col\">Port</th><th scope=\"col\">Rail</th><th scope=\"col\">Switch</th><th scope=\"col\">Its "
		"rail</th><th scope=\"col\">Swapped with</th></tr></thead>\n<tbody>\n",
		COUNT(astray), astray == 1 ? " is" : "s are");
	enum { ROWS_MOST = 50 };
	uint32_t rows = 0;
	for (uint32_t i = 0; i < rails->count && rows < ROWS_MOST; i++) {
		const struct rail *rail = &rails->rail[i];
		if (!rails_astray(rails, i))
			continue;
		uint32_t other = rails_swapped(rails, i);
		fputs("<tr><td>", file);
		html_text(file, report->name[rail->adapter]);
		fputs("</td><td>", file);
		html_text(file, rails->name[rail->name]);
		fputs("</td><td>", file);
		html_text(file, report->name[rail->leaf]);
		fputs("</td><td>", file);
		html_text(file, rails->name[rails->owner[rail->leaf]]);
		fputs("</td><td>", file);
		html_text(file, other == NONE ? "\u2013" : report->name[rails->rail[other].adapter]);
		fputs("</td></tr>\n", file);
		rows++;
	}
	fprintf(file, "</tbody></table></div>\n");
	if (astray > rows)
		fprintf(file, "<p>And %s more.</p>\n", COUNT(astray - rows));
}

/* ---- oddities */

void page_oddities(FILE *file, const struct fabric_report *report)
{
	fputs("<dl class=\"odd\">\n", file);
	for (int i = 0; i < DEVIANT_KINDS; i++) {
		const struct deviants *o = &report->oddities.oddity[i];
		if (!o->count)
			continue;
		int names = 0;
		fprintf(file, "<dt>%s: %s</dt>\n", oddity_titles[i], COUNT(o->count));
		for (; names < DEVIANT_NAMES && o->name[names]; names++) {
			fputs("<dd>", file);
			html_text(file, o->name[names]);
			fputs("</dd>\n", file);
		}
		if (i != DEVIANT_IDLE && o->count > (uint64_t)names)
			fprintf(file, "<dd>and %s more</dd>\n", COUNT(o->count - (uint64_t)names));
	}
	fputs("</dl>\n", file);
}

/* ---- the scale */

static void write_command(FILE *file, const struct report_options *o)
{
	fputs("<p>Command: <code>", file);
	for (int i = 0; i < o->argc; i++) {
		fputs(i ? " " : "", file);
		bool quotes = !*o->argv[i] || strpbrk(o->argv[i], " \t\n*?[]{}()<>|&;$`\"'\\!#~");
		fputs(quotes ? "&#39;" : "", file);
		html_text(file, o->argv[i]);
		fputs(quotes ? "&#39;" : "", file);
	}
	fputs("</code></p>\n", file);
}

void page_scale(FILE *file, const struct fabric_report *report)
{
	const struct fabric_report *r = report;
	page_legend(file, r);
	fprintf(file,
		"<p><b>Load</b> of a channel, one direction of a cable: the routes of all %s ordered pairs of hosts that use it, divided by those of "
		"one host, and by its speed; 1 is as busy as a host's own cable. It is exact. <b>Fair share</b>: what every routing must put "
		"there in the mean over the cables that lead out of the same part of the fabric, or 1 if that is less, as a load up to 1 delays "
		"nobody. <b>\u00d7 share</b>, the load divided by the fair share, is how many times as long as it must uniform traffic takes "
		"over this cable; the colours are classes of it, the same for all fabrics. A channel is <b>above its share</b> if that is more "
		"than 1.05.</p>\n",
		COUNT(r->pairs));
	fprintf(file,
		"<p><b>Rivals</b>: the other routes that a route meets on a channel under a random bisection, exact. A balanced load alone does not "
		"make a good routing: fewer rivals do. <b>Bandwidth</b>: the mean share of the peak that a pair gets, over %" PRIu64
		" random bisections (half of the hosts send to the other half), with a 95 %% interval. The <b>ideal</b> is a fat tree of this "
		"size with full bisection bandwidth, in which no channel down is ever shared. Other patterns and applications: orcs; worst "
		"cases and possible throughput: orcs-bound; faults in full: orcs-check.</p>\n",
		r->options->runs);
	if (!r->loads.load)
		fprintf(file, "<p>The fabric has more than %s hosts: rivals were not counted.</p>\n", COUNT(RIVALS_HOSTS_MOST));
	if (r->fabric->hosts > DEADLOCK_HOSTS_MOST)
		fprintf(file, "<p>The fabric has more than %s hosts: deadlocks were not looked for; orcs-check finds them.</p>\n",
			COUNT(DEADLOCK_HOSTS_MOST));
	else if (!r->deadlock.known)
		fputs("<p>The service levels of packets are unknown, and so is whether they can deadlock.</p>\n", file);
	write_command(file, r->options);
	fputs("<p>The numbers of this page are within it, as JSON with the schema <code>orcs-report/1</code> (element <code>orcs-data</code>); "
	      "<code>orcs-report --format json</code> writes the same, and compares two of them.</p>\n",
		file);
}
