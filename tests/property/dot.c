/*
 * Writes a fabric as dot, in the many ways in which the same file can be written: names quoted or
 * not, blanks and line ends around the names of a forwarding set, comments between statements,
 * attributes that mean nothing here.
 */
#include "generate.h"

#include <ctype.h>
#include <string.h>

static bool needs_quotes(const char *name)
{
	for (const char *c = name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c) && *c != '_')
			return true;
	return false;
}

static void write_name(const struct node *node, struct rng *r, FILE *out)
{
	bool quoted = needs_quotes(node->name) || rng_chance(r, 50);

	fprintf(out, quoted ? "\"%s\"" : "%s", node->name);
}

static void write_blank(struct rng *r, FILE *out)
{
	static const char *const blanks[] = {" ", "\t", "\n", " \n\t", "  "};

	if (rng_chance(r, 30))
		fputs(blanks[rng_below(r, 5)], out);
}

/* A name that no node has; no two are alike in one file. */
static void write_unknown(int channel, int number, FILE *out)
{
	fprintf(out, "%s%d_%d", number % 2 ? "H90000" : "lost", channel, number);
}

/* The forwarding set: names in a random order. Blanks may stand around each. */
static void write_set(const struct fabric *f, const struct channel *c, bool blanks, struct rng *r, FILE *out)
{
	int item[2 * MAX_NODES];
	int count = 0;

	for (int i = 0; i < f->nodes; i++)
		if (c->lists[i])
			item[count++] = i;
	for (int i = 0; i < c->unknown; i++)
		item[count++] = f->nodes + i;
	rng_shuffle(r, item, count);
	for (int i = 0; i < count; i++) {
		if (i > 0)
			fputc(',', out);
		if (blanks)
			write_blank(r, out);
		if (item[i] < f->nodes)
			fputs(f->node[item[i]].name, out);
		else
			write_unknown((int)(c - f->channel), item[i] - f->nodes, out);
		if (blanks)
			write_blank(r, out);
	}
}

static bool set_is_empty(const struct fabric *f, const struct channel *c)
{
	for (int i = 0; i < f->nodes; i++)
		if (c->lists[i])
			return false;
	return !c->star && c->unknown == 0;
}

/* An empty set may be an empty comment or no comment. */
static void write_channel(const struct fabric *f, const struct channel *c, bool blanks, struct rng *r, FILE *out)
{
	write_name(&f->node[c->tail], r, out);
	fputs(" -> ", out);
	write_name(&f->node[c->head], r, out);
	fputs(" [", out);
	if (rng_chance(r, 10))
		fputs("label=\"a b\", ", out);
	if (c->star) {
		fputs("comment=\"*\"", out);
	} else if (!set_is_empty(f, c) || rng_chance(r, 50)) {
		fputs("comment=\"", out);
		write_set(f, c, blanks, r, out);
		fputc('"', out);
	}
	if (c->speed != 0)
		fprintf(out, " speed=\"%g\"", c->speed);
	fputs(rng_chance(r, 50) ? "];\n" : "]\n", out);
}

static void write_node(const struct node *node, struct rng *r, FILE *out)
{
	write_name(node, r, out);
	fputs(" [", out);
	if (node->typed)
		fprintf(out, "type=\"%s\" ", node->host ? "host" : "switch");
	if (node->guid != 0)
		fprintf(out, "guid=\"0x%016llx\" ", (unsigned long long)node->guid);
	if (node->desc[0] != '\0')
		fprintf(out, "desc=\"%s\"", node->desc);
	fputs("];\n", out);
}

static void write_remark(struct rng *r, FILE *out)
{
	static const char *const remarks[] = {
		"// H1 -> S1 [comment=\"*\"];\n",
		"/* a\n   b */\n",
		"\n",
		"# written by hand\n",
	};

	if (rng_chance(r, 5))
		fputs(remarks[rng_below(r, 4)], out);
}

void write_dot(const struct fabric *f, struct rng *r, FILE *out)
{
	bool blanks = rng_chance(r, 40);

	fputs(rng_chance(r, 50) ? "digraph network {\n" : "digraph {\n", out);
	for (int i = 0; i < f->statements; i++) {
		const struct statement *s = &f->statement[i];
		write_remark(r, out);
		if (s->node >= 0)
			write_node(&f->node[s->node], r, out);
		else
			write_channel(f, &f->channel[s->channel], blanks, r, out);
	}
	fputs("}\n", out);
}
