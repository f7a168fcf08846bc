/* What a program sends, phase by phase, its slowest messages and the channels that these share, in the page and the data. */
#include "tools/report/page_program.h"

#include "tools/report/html.h"

#include <inttypes.h>
#include <math.h>

/* Writes bytes with a unit, such as 1.5 MB. */
static void bytes_text(FILE *file, double bytes)
{
	static const char *const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
	size_t unit = 0;
	for (; bytes >= 999.5 && unit + 1 < sizeof units / sizeof *units; unit++)
		bytes /= 1000;
	fprintf(file, "%.3g %s", bytes, units[unit]);
}

static void bytes_cell(FILE *file, double bytes)
{
	fputs("<td class=\"n\">", file);
	bytes_text(file, bytes);
	fputs("</td>", file);
}

static void channel_text(FILE *file, const struct fabric_report *r, uint32_t channel)
{
	const struct fabric *f = r->fabric;
	html_text(file, r->name[fabric_tail(f, channel)]);
	if (f->labels->port[channel])
		fprintf(file, " port %" PRIu32, f->labels->port[channel]);
	fputs(" \u2192 ", file);
	html_text(file, r->name[f->head[channel]]);
}

static void channel_cell(FILE *file, const struct fabric_report *r, uint32_t channel)
{
	fputs("<td>", file);
	channel_text(file, r, channel);
	fputs("</td>", file);
}

static void rank_cell(FILE *file, const struct fabric_report *r, uint32_t rank)
{
	fprintf(file, "<td>%" PRIu32 " (", rank);
	html_text(file, r->name[r->fabric->host_node[r->program.host[rank]]]);
	fputs(")</td>", file);
}

static void times_cell(FILE *file, double times)
{
	fprintf(file, "<td class=\"n\">\u00d7%.2f</td>", times);
}

/* Begins a table; heads: pairs of class and text, ends with NULL. */
static void begin_table(FILE *file, const char *caption, const char *const *heads)
{
	fprintf(file, "<div class=\"wide\"><table>\n<caption>%s</caption>\n<thead><tr>", caption);
	for (; *heads; heads += 2)
		fprintf(file, "<th scope=\"col\"%s>%s</th>", heads[0], heads[1]);
	fputs("</tr></thead>\n<tbody>\n", file);
}

static void end_table(FILE *file)
{
	fputs("</tbody></table></div>\n", file);
}

#define NUMBER " class=\"n\""

/* Returns the class of colour of a cell of the matrix, by powers of the square root of ten below the largest. */
static int class_of(double bytes, double largest)
{
	int class = bytes > 0 ? 6 - (int)floor(-2 * log10(bytes / largest)) : 0;
	return bytes > 0 && class < 1 ? 1 : class;
}

static void write_ranks(FILE *file, const struct program_study *s, uint32_t cell)
{
	uint32_t first = cell * s->per_cell, last = first + s->per_cell - 1;
	if (s->per_cell == 1)
		fprintf(file, "rank %" PRIu32, first);
	else
		fprintf(file, "ranks %" PRIu32 "\u2013%" PRIu32, first, last < s->ranks ? last : s->ranks - 1);
}

static void write_matrix(FILE *file, const struct program_study *s)
{
	double largest = 0;
	for (size_t i = 0; i < (size_t)s->cells * s->cells; i++)
		largest = s->matrix[i] > largest ? s->matrix[i] : largest;
	unsigned side = s->cells > 32 ? 8 : s->cells > 12 ? 14 : 24, size = side * s->cells;
	fprintf(file,
		"<figure><svg width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" role=\"img\" aria-label=\"Bytes from each rank to each other\">\n"
		"<rect class=\"frame\" x=\"0\" y=\"0\" width=\"%u\" height=\"%u\" fill=\"none\"/>\n",
		size + 2, size + 2, size + 2, size + 2, size + 2, size + 2);
	for (uint32_t row = 0; row < s->cells; row++)
		for (uint32_t column = 0; column < s->cells; column++) {
			double bytes = s->matrix[(size_t)row * s->cells + column];
			if (bytes <= 0)
				continue;
			fprintf(file, "<rect class=\"c%d\" x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\"><title>", class_of(bytes, largest),
				1 + side * column, 1 + side * row, side - 1, side - 1);
			write_ranks(file, s, row);
			fputs(" to ", file);
			write_ranks(file, s, column);
			fputs(": ", file);
			bytes_text(file, bytes);
			fputs("</title></rect>\n", file);
		}
	fputs("</svg><figcaption>Bytes from rank (row) to rank (column); the darkest cells have ", file);
	bytes_text(file, largest);
	fputs(", each lighter class about a third", file);
	fputs("</figcaption></figure>\n", file);
}

static void write_summary(FILE *file, const struct fabric_report *r)
{
	const struct program_study *s = &r->program;
	fputs("<p><code>", file);
	html_text(file, r->options->program);
	fprintf(file, "</code>, %" PRIu32 " ranks (placement: ", s->ranks);
	html_text(file, r->options->mapping);
	fprintf(file, "): %" PRIu64 " messages with ", s->messages);
	bytes_text(file, s->bytes);
	fprintf(file,
		" in %" PRIu32
		" phases; a phase has the messages that can be under way together, because as many must arrive before each of them.",
		s->phases);
	if (s->staying)
		fprintf(file, " %" PRIu64 " messages stay on a host.", s->staying);
	if (s->unreachable)
		fprintf(file, " <b>%" PRIu64 " messages have no route.</b>", s->unreachable);
	fputs("</p>\n<p>The fullest channels of the phases carry ", file);
	bytes_text(file, s->fullest);
	fputs(" in all, the fullest links of hosts ", file);
	bytes_text(file, s->least);
	if (s->least > 0)
		fprintf(file,
			": the network makes the communication of this placement take <b>%.2f times</b> as long as a network without rivals would.",
			s->fullest / s->least);
	fputs("</p>\n", file);
}

static void write_phases(FILE *file, const struct fabric_report *r)
{
	static const char *const heads[] = {NUMBER, "Phase", NUMBER, "Times", NUMBER, "Messages", NUMBER, "Bytes", NUMBER,
		"On the fullest channel", NUMBER, "Longer than without rivals", "", "Fullest channel", NULL};
	begin_table(file,
		"The phases that take longest, by the bytes on their fullest channel: the first of those that are the same, and how many times.",
		heads);
	for (uint32_t i = 0; i < r->program.worst_count; i++) {
		const struct program_phase *p = &r->program.worst[i];
		fprintf(file, "<tr><td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu32 "</td>",
			p->phase, p->times, p->messages);
		bytes_cell(file, p->bytes);
		bytes_cell(file, p->fullest);
		times_cell(file, p->least > 0 ? p->fullest / p->least : 1);
		channel_cell(file, r, p->channel);
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_slowest(FILE *file, const struct fabric_report *r)
{
	static const char *const heads[] = {"", "From rank", "", "To rank", NUMBER, "Phase", NUMBER, "Times", NUMBER, "Bytes", NUMBER,
		"Longer than alone", NUMBER, "Pairs that share", "", "The channel that they share", NULL};
	begin_table(file, "The slowest messages, and the fullest channel of their routes.", heads);
	for (uint32_t i = 0; i < r->program.slowest_count; i++) {
		const struct program_message *m = &r->program.slowest[i];
		fputs("<tr>", file);
		rank_cell(file, r, m->sender);
		rank_cell(file, r, m->receiver);
		fprintf(file, "<td class=\"n\">%" PRIu32 "</td><td class=\"n\">%" PRIu32 "</td>", m->phase, m->times);
		bytes_cell(file, m->bytes);
		times_cell(file, m->bytes > 0 ? m->fullest / m->bytes : 1);
		fprintf(file, "<td class=\"n\">%" PRIu32 "</td>", m->sharing);
		channel_cell(file, r, m->channel);
		fputs("</tr>\n", file);
	}
	end_table(file);
}

static void write_busiest(FILE *file, const struct fabric_report *r)
{
	static const char *const heads[] = {"", "Channel", NUMBER, "Phases", NUMBER, "Bytes", NULL};
	begin_table(file, "The channels on which the program waits: those that are the fullest of a phase.", heads);
	for (uint32_t i = 0; i < r->program.busiest_count; i++) {
		const struct program_channel *c = &r->program.busiest[i];
		fputs("<tr>", file);
		channel_cell(file, r, c->channel);
		fprintf(file, "<td class=\"n\">%" PRIu32 "</td>", c->phases);
		bytes_cell(file, c->bytes);
		fputs("</tr>\n", file);
	}
	end_table(file);
}

void page_program(FILE *file, const struct fabric_report *report)
{
	write_summary(file, report);
	write_matrix(file, &report->program);
	if (!report->program.worst_count)
		return;
	write_phases(file, report);
	write_slowest(file, report);
	write_busiest(file, report);
}

/* ---- data */

static void number_member(FILE *file, const char *name, double number)
{
	fprintf(file, "\"%s\":", name);
	html_number(file, number, 17);
	putc(',', file);
}

static void channel_member(FILE *file, const struct fabric_report *r, uint32_t channel)
{
	const struct fabric *f = r->fabric;
	fputs("\"channel\":{\"from\":", file);
	html_json(file, r->name[fabric_tail(f, channel)]);
	fprintf(file, ",\"port\":%" PRIu32 ",\"to\":", f->labels->port[channel]);
	html_json(file, r->name[f->head[channel]]);
	putc('}', file);
}

void data_program(FILE *file, const struct fabric_report *report)
{
	const struct program_study *s = &report->program;
	if (!report->options->program)
		return;
	fputs("\"program\":{\"pattern\":", file);
	html_json(file, report->options->program);
	fputs(",\"mapping\":", file);
	html_json(file, report->options->mapping);
	fprintf(file,
		",\"ranks\":%" PRIu32 ",\"phases\":%" PRIu32 ",\"messages\":%" PRIu64 ",\"staying\":%" PRIu64 ",\"unreachable\":%" PRIu64
		",",
		s->ranks, s->phases, s->messages, s->staying, s->unreachable);
	number_member(file, "bytes", s->bytes);
	number_member(file, "fullest", s->fullest);
	number_member(file, "least", s->least);
	fprintf(file, "\"per_cell\":%" PRIu32 ",\"matrix\":[", s->per_cell);
	for (uint32_t row = 0; row < s->cells; row++)
		for (uint32_t column = 0; column < s->cells; column++) {
			fputs(column ? "," : row ? "],[" : "[", file);
			html_number(file, s->matrix[(size_t)row * s->cells + column], 17);
		}
	fputs("]],\"worst_phases\":[", file);
	for (uint32_t i = 0; i < s->worst_count; i++) {
		fprintf(file, "%s{\"phase\":%" PRIu32 ",\"times\":%" PRIu32 ",\"messages\":%" PRIu32 ",", i ? "," : "", s->worst[i].phase,
			s->worst[i].times, s->worst[i].messages);
		number_member(file, "bytes", s->worst[i].bytes);
		number_member(file, "fullest", s->worst[i].fullest);
		number_member(file, "least", s->worst[i].least);
		channel_member(file, report, s->worst[i].channel);
		putc('}', file);
	}
	fputs("],\"slowest_messages\":[", file);
	for (uint32_t i = 0; i < s->slowest_count; i++) {
		const struct program_message *m = &s->slowest[i];
		fprintf(file,
			"%s{\"phase\":%" PRIu32 ",\"times\":%" PRIu32 ",\"sender\":%" PRIu32 ",\"receiver\":%" PRIu32
			",\"sharing\":%" PRIu32 ",",
			i ? "," : "", m->phase, m->times, m->sender, m->receiver, m->sharing);
		number_member(file, "bytes", m->bytes);
		number_member(file, "fullest", m->fullest);
		channel_member(file, report, m->channel);
		putc('}', file);
	}
	fputs("],\"busiest_channels\":[", file);
	for (uint32_t i = 0; i < s->busiest_count; i++) {
		fprintf(file, "%s{\"phases\":%" PRIu32 ",", i ? "," : "", s->busiest[i].phases);
		number_member(file, "bytes", s->busiest[i].bytes);
		channel_member(file, report, s->busiest[i].channel);
		putc('}', file);
	}
	fputs("]},\n", file);
}
