/* Writes dot. */
#include "formats/dot.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/*
 * Writes a string in quotes. The reader keeps backslashes as they are in the file, so only a quote needs one. In strings from other sources
 * a single backslash before a quote or the end would escape it, and is doubled.
 */
static void write_quoted(FILE *file, const char *text)
{
	bool odd = false; /* odd number of backslashes before this character */
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"' || (*text == '\n' && odd))
			fputs(*text == '"' && odd ? "\\\\" : "\\", file);
		odd = *text == '\\' && !odd;
		putc(*text, file);
	}
	fputs(odd ? "\\\"" : "\"", file);
}

void dot_write_string(FILE *file, const char *text, bool markup)
{
	if (markup)
		fprintf(file, "<%s>", text);
	else
		write_quoted(file, text);
}

void dot_write_name(FILE *file, const char *name, bool markup)
{
	static const char *const keywords[] = {"node", "edge", "graph", "digraph", "subgraph", "strict"};
	bool identifier = *name && !isdigit((unsigned char)*name);
	for (const char *c = name; *c; c++)
		identifier &= isalnum((unsigned char)*c) || *c == '_';
	for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
		identifier &= strcasecmp(name, keywords[i]) != 0;
	if (identifier)
		fputs(name, file);
	else
		dot_write_string(file, name, markup);
}

/* Writes a text of the attributes. */
static void write_text(const struct attributes *a, const char *text, FILE *file)
{
	dot_write_string(file, text, attributes_are_markup(a, text));
}

void dot_write_node(const struct attributes *a, uint32_t node, FILE *file)
{
	write_text(a, a->name[node], file);
}

/* Writes NAME=VALUE. *before is " [" at first; it becomes ", " if any was written. */
static void write_attribute(const struct attributes *a, FILE *file, const char **before, const char *name, const char *value)
{
	fputs(*before, file);
	*before = ", ";
	dot_write_name(file, name, attributes_are_markup(a, name));
	putc('=', file);
	write_text(a, value, file);
}

/* Writes the attributes of an object that differ from their defaults and are not replaced. */
static void write_attributes(const struct attributes *a, FILE *file, enum attribute_kind kind, uint32_t index,
	const struct dot_column *columns, const char **before)
{
	for (size_t i = 0; i < a->columns[kind]; i++) {
		const struct attribute *attribute = &a->column[kind][i];
		bool replaced = false;
		for (const struct dot_column *column = columns; column && column->name; column++)
			replaced |= !strcmp(column->name, attribute->name);
		const char *value = attribute->value ? attribute->value[index] : attribute->fallback;
		if (!replaced && strcmp(value, attribute->fallback) != 0)
			write_attribute(a, file, before, attribute->name, value);
	}
}

/* Returns whether the list has an attribute of that name. */
static bool has_pair(const struct dot_pair *pairs, const char *name)
{
	while (pairs && pairs->name && strcmp(pairs->name, name))
		pairs++;
	return pairs && pairs->name;
}

static void write_defaults(
	const struct attributes *a, FILE *file, enum attribute_kind kind, const char *keyword, const struct dot_pair *replaced)
{
	const char *before = " [";
	for (size_t i = 0; i < a->columns[kind]; i++) {
		const struct attribute *attribute = &a->column[kind][i];
		if (!*attribute->fallback || has_pair(replaced, attribute->name))
			continue;
		if (*before == ' ')
			fprintf(file, "\t%s", keyword);
		write_attribute(a, file, &before, attribute->name, attribute->fallback);
	}
	if (*before == ',')
		fputs("];\n", file);
}

static void write_edge(
	const struct attributes *a, FILE *file, uint32_t tail, uint32_t head, uint32_t channel, const struct dot_column *columns)
{
	const char *before = " [";
	putc('\t', file);
	dot_write_node(a, tail, file);
	fputs(" -> ", file);
	dot_write_node(a, head, file);
	if (a->key && a->key[channel])
		write_attribute(a, file, &before, "key", a->key[channel]);
	for (const struct dot_column *column = columns; column && column->name; column++) {
		fprintf(file, "%s%s=\"", before, column->name);
		column->value(file, channel, column->data);
		putc('"', file);
		before = ", ";
	}
	write_attributes(a, file, ATTRIBUTE_CHANNEL, channel, columns, &before);
	fputs(*before == ',' ? "];\n" : ";\n", file);
}

void dot_write(
	const struct fabric *fabric, const struct attributes *a, FILE *file, const struct dot_column *columns, const struct dot_pair *pairs)
{
	fputs("digraph ", file);
	if (a->graph)
		write_text(a, a->graph, file);
	fputs(" {\n", file);
	write_defaults(a, file, ATTRIBUTE_GRAPH, "graph", pairs);
	for (const struct dot_pair *pair = pairs; pair && pair->name; pair++) {
		if (!pair->value)
			continue;
		fprintf(file, "\tgraph [%s=", pair->name);
		write_quoted(file, pair->value);
		fputs("];\n", file);
	}
	write_defaults(a, file, ATTRIBUTE_NODE, "node", NULL);
	write_defaults(a, file, ATTRIBUTE_CHANNEL, "edge", NULL);
	for (uint32_t v = 0; v < a->nodes + a->others; v++) {
		const char *before = " [";
		putc('\t', file);
		dot_write_node(a, v, file);
		write_attributes(a, file, ATTRIBUTE_NODE, v, NULL, &before);
		fputs(*before == ',' ? "];\n" : ";\n", file);
	}
	for (uint32_t v = 0; v < a->nodes; v++)
		for (uint32_t place = fabric->first_channel[v]; place < fabric->first_channel[v + 1]; place++) {
			uint32_t c = attributes_channel_at(a, place);
			write_edge(a, file, v, fabric->head[c], c, columns);
		}
	for (uint32_t i = 0; i < a->other_channels; i++)
		write_edge(a, file, a->other_tail[i], a->other_head[i], a->channels + i, NULL);
	if (a->subgraphs)
		fwrite(a->subgraphs, 1, a->subgraphs_length, file);
	fputs("}\n", file);
}
