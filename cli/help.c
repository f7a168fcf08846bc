#include "cli/help.h"

#include "cli/usage.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_COLUMN = 29, GROUPS = 32, NAMES_MAX = 64 };

/* How much is printed: everything; without rare options and the text after the examples; and with one line for each option. */
enum extent { WHOLE, USUAL, BRIEF };

/* Help that is being written. */
struct page {
	FILE *file;
	const struct argp *argp;
	enum extent extent;
	const char *header; /* the one before the next option; NULL: it is written */
};

/* Writes the text from the column on, in lines that end at HELP_COLUMNS; further lines begin with indent spaces. */
static void write_wrapped(FILE *file, const char *text, size_t column, size_t indent)
{
	bool first = true;
	while (*text) {
		size_t word = strcspn(text, " ");
		if (!first && column + 1 + word > HELP_COLUMNS) {
			fprintf(file, "\n%*s", (int)indent, "");
			column = indent;
		} else if (!first) {
			putc(' ', file);
			column++;
		}
		fwrite(text, 1, word, file);
		column += word;
		text += word + strspn(text + word, " ");
		first = false;
	}
	putc('\n', file);
}

/* Writes length bytes of text line by line; the spaces that a line begins with are kept. */
static void write_lines(FILE *file, const char *text, size_t length)
{
	for (const char *end = text + length; text < end;) {
		size_t line = strcspn(text, "\n"), spaces = strspn(text, " ");
		line = line < (size_t)(end - text) ? line : (size_t)(end - text);
		char *copy = strndup(text, line);
		fprintf(file, "%.*s", (int)spaces, text);
		if (line <= HELP_COLUMNS)
			fprintf(file, "%s\n", copy ? copy + spaces : "");
		else
			write_wrapped(file, copy ? copy + spaces : "", spaces, spaces ? spaces + 2 : 0);
		free(copy);
		text += line + (text + line < end);
	}
}

/* Returns how much of the text fits into that many columns: all of it, or up to the end of a clause outside parentheses, or of a word. */
static size_t brief_length(const char *text, size_t columns)
{
	size_t clause = 0, word = 0;
	int depth = 0;
	if (strlen(text) <= columns)
		return strlen(text);
	for (size_t at = 1; at <= columns; at++) {
		bool gap = text[at] == ' ';
		depth += (text[at] == '(') - (text[at - 1] == ')');
		word = gap ? at : word;
		if (!depth && ((strchr(",;:", text[at]) && text[at + 1] == ' ') || (gap && text[at + 1] == '(')))
			clause = at;
	}
	return clause ? clause : word;
}

static void write_option(const struct page *page, const struct argp_option *option)
{
	const struct argp *argp = page->argp;
	char label[200] = "      ";
	const char *text = option->doc ? option->doc : "", *equals = option->flags & OPTION_ARG_OPTIONAL ? "[=" : "=";
	const char *filtered = argp->help_filter ? argp->help_filter(option->key, text, NULL) : text;
	if (option->key > ' ' && option->key < 127)
		snprintf(label, sizeof label, "  -%c, ", option->key);
	snprintf(label + 6, sizeof label - 6, "--%s%s%s%s", option->name, option->arg ? equals : "", option->arg ? option->arg : "",
		option->arg && *equals == '[' ? "]" : "");
	size_t width = strlen(label), column = width + 2 > TEXT_COLUMN ? width + 2 : TEXT_COLUMN;
	fputs(label, page->file);
	if (page->extent == BRIEF) {
		int length = (int)brief_length(filtered, HELP_COLUMNS - column);
		fprintf(page->file, "%*s%.*s\n", (int)(column - width), "", length, filtered);
	} else {
		if (column > TEXT_COLUMN)
			putc('\n', page->file);
		fprintf(page->file, "%*s", (int)(column > TEXT_COLUMN ? TEXT_COLUMN : column - width), "");
		write_wrapped(page->file, filtered, TEXT_COLUMN, TEXT_COLUMN);
	}
	if (filtered != text)
		free((char *)filtered);
}

/* A row of a table: the header of the options after it, or an option. */
static void write_row(struct page *page, const struct argp_option *row)
{
	if (!row->name && !row->key) {
		page->header = row->doc;
		return;
	}
	if (!row->name || row->flags & OPTION_HIDDEN || (page->extent != WHOLE && row->flags & OPTION_NO_USAGE))
		return;
	if (page->header)
		fprintf(page->file, "%s%s\n", page->extent == WHOLE ? "\n" : "", page->header);
	page->header = NULL;
	write_option(page, row);
}

static bool is_end(const struct argp_option *row)
{
	return !row->name && !row->key && !row->doc;
}

/* The options of one group: those of the main table, then those of children. */
static void write_group(struct page *page, uint32_t bit)
{
	int group = 0;
	page->header = bit == HELP_GROUP(-1) ? "General:" : "Options:";
	for (const struct argp_option *row = page->argp->options; !is_end(row); row++) {
		group = row->group ? row->group : group;
		if (HELP_GROUP(group) == bit)
			write_row(page, row);
	}
	for (const struct argp_child *child = page->argp->children; child && child->argp; child++) {
		page->header = child->header ? child->header : page->header;
		for (const struct argp_option *row = child->argp->options; HELP_GROUP(child->group) == bit && !is_end(row); row++)
			write_row(page, row);
	}
}

static void write_groups(struct page *page, uint32_t groups)
{
	for (int group = 0; group < GROUPS; group++)
		if (groups >> group & 1)
			write_group(page, UINT32_C(1) << group);
}

/* "Usage:" and a line for each form of the arguments. */
static void write_usage(const struct page *page, const char *program)
{
	const char *lead = "Usage:";
	for (const char *form = page->argp->args_doc; form; lead = "  or: ") {
		size_t length = strcspn(form, "\n");
		fprintf(page->file, "%s %s [OPTION...] %.*s\n", lead, program, (int)length, form);
		form = form[length] ? form + length + 1 : NULL;
	}
}

/* Usage, description, options, and the text that follows them, of which only the examples are usual. */
static void write_program(struct page *page, const char *program)
{
	const char *doc = page->argp->doc;
	size_t length = strcspn(doc, "\v");
	bool whole = page->extent == WHOLE;
	write_usage(page, program);
	write_lines(page->file, doc, length);
	if (!whole)
		putc('\n', page->file);
	write_groups(page, UINT32_MAX);
	if (doc[length]) {
		const char *after = doc + length + 1, *paragraph = whole ? NULL : strstr(after, "\n\n");
		if (whole)
			putc('\n', page->file);
		write_lines(page->file, after, paragraph ? (size_t)(paragraph - after) : strlen(after));
	}
}

/* Returns the help of the whole program as a string. */
static char *make_program(const char *program, const struct argp *argp, enum extent extent)
{
	struct page page = {.argp = argp, .extent = extent};
	char *text = NULL;
	size_t size;
	page.file = open_memstream(&text, &size);
	if (page.file)
		write_program(&page, program);
	if (!page.file || fclose(page.file))
		usage_error(program, "out of memory");
	return text;
}

static size_t count_lines(const char *text)
{
	size_t lines = 0;
	for (; *text; text++)
		lines += *text == '\n';
	return lines;
}

/* Returns the topic of that name, or NULL for "all"; exits with an error for any other name. */
static const struct help_topic *find_topic(const char *program, const struct help_topic *topics, const char *name)
{
	const char *names[NAMES_MAX] = {0};
	int count = 0;
	for (; topics && topics[count].name && count + 2 < NAMES_MAX; count++)
		names[count] = topics[count].name;
	names[count] = "all";
	int chosen = usage_choice(program, "--help", name, names);
	return chosen < count ? topics + chosen : NULL;
}

void help_print(const char *program, const struct argp *argp, const struct help_topic *topics, const char *topic)
{
	usage_prints();
	const struct help_topic *found = topic ? find_topic(program, topics, topic) : NULL;
	if (found) {
		struct page page = {.file = stdout, .argp = argp};
		printf("%s --help=%s: ", program, found->name);
		write_wrapped(stdout, found->summary, strlen(program) + strlen(found->name) + 10, 0);
		write_groups(&page, found->groups);
	} else {
		char *text = make_program(program, argp, WHOLE);
		for (enum extent extent = USUAL; !topic && extent <= BRIEF && count_lines(text) > HELP_LINES; extent++) {
			free(text);
			text = make_program(program, argp, extent);
		}
		fputs(text, stdout);
		free(text);
	}
	exit(usage_end(program));
}
