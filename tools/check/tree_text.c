#include "tools/check/tree_text.h"

#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>

static const char *plural(uint64_t count, const char *one, const char *several)
{
	return count == 1 ? one : several;
}

/* ---- ends of cables */

struct end {
	uint32_t node, port;
};

/* Returns an end of the i-th deviating cable; port 0: unknown. */
static struct end end_of(const struct check *c, uint32_t i, bool upper)
{
	const struct fat_cable *cable = &c->tree.cable[i];
	const struct fabric_labels *labels = c->fabric->labels;
	struct end end = {upper ? cable->upper : cable->lower, 0};
	if (cable->channel != NONE) {
		end.port = upper ? labels->peer_port[cable->channel] : labels->port[cable->channel];
		return end;
	}
	uint32_t nth = 0;
	for (uint32_t k = i; k > 0 && cable[-1].lower == cable->lower && cable[-1].upper == cable->upper; k--, nth++)
		cable--;
	end.port = fat_tree_port(&c->tree, c->fabric, cable, upper, nth);
	return end;
}

static void write_guid(FILE *file, const struct check *c, uint32_t node)
{
	if (c->fabric->labels->guid[node])
		fprintf(file, " (0x%016" PRIx64 ")", c->fabric->labels->guid[node]);
}

static void write_cable(FILE *file, const struct check *c, uint32_t i)
{
	fputs(c->tree.cable[i].cause == NONE ? "  " : "    ", file);
	for (int upper = 0; upper < 2; upper++) {
		struct end end = end_of(c, i, upper);
		write_port(file, c->fabric, end.node, end.port);
		write_guid(file, c, end.node);
		fputs(upper ? "" : " - ", file);
	}
	fprintf(file, " is %s\n", c->tree.cable[i].channel == NONE ? "missing" : "surplus");
}

/* ---- text */

static void write_misfit(FILE *file, const struct check *c, const struct fat_misfit *m)
{
	uint32_t level = c->tree.level[m->node];
	fputs("  ", file);
	write_shown(file, c->fabric->labels->name[m->node]);
	write_guid(file, c, m->node);
	if (level == NONE)
		fprintf(file, " is outside of the tree, with %" PRIu32 " cable%s to switches\n", m->surplus, plural(m->surplus, "", "s"));
	else
		fprintf(file,
			" (level %" PRIu32 ") does not fit: of %" PRIu32 " cables to switches, %" PRIu32 " missing; %" PRIu32 " surplus\n",
			level, m->expected, m->missing, m->surplus);
}

/* Writes the cables of a misfit, or those of none (NONE). */
static void write_cables(FILE *file, const struct check *c, uint32_t cause, uint64_t *left)
{
	for (uint32_t i = 0; i < c->tree.missing + c->tree.surplus; i++)
		if (c->tree.cable[i].cause == cause && *left) {
			write_cable(file, c, i);
			--*left;
		}
}

static void write_missing_switches(FILE *file, const struct check *c)
{
	for (uint32_t i = 0; i < c->tree.blocks; i++) {
		const struct fat_block *b = &c->tree.block[i];
		if (!b->missing)
			continue;
		fprintf(file, "  %" PRIu32 " switch%s of level %" PRIu32 " %s missing above ", b->missing, plural(b->missing, "", "es"),
			b->level + 1, plural(b->missing, "is", "are"));
		write_shown(file, c->fabric->labels->name[c->tree.member[b->first]]);
		fprintf(file, " and %" PRIu32 " other%s\n", b->lowers - 1, plural(b->lowers - 1, "", "s"));
	}
}

static void write_deviations(FILE *file, const struct check *c, uint64_t most)
{
	const struct fat_tree *t = &c->tree;
	uint64_t cables = (uint64_t)t->missing + t->surplus, left = most < cables ? most : cables;
	if (!cables && !t->misfits && !t->missing_switches)
		return;
	fprintf(file, "\nswitches and cables that deviate from the tree: %" PRIu64 "\n", cables + t->misfits + t->missing_switches);
	write_missing_switches(file, c);
	for (uint32_t i = 0; i < t->misfits; i++) {
		write_misfit(file, c, &t->misfit[i]);
		write_cables(file, c, t->misfit[i].node, &left);
	}
	write_cables(file, c, NONE, &left);
	if (most < cables)
		fprintf(file, "  and %" PRIu64 " more cables (--all lists them)\n", cables - most);
}

/* ---- JSON */

static void add_node(struct node *to, const struct check *c, const char *key, uint32_t node)
{
	struct document *d = document_of(to);
	uint64_t guid = c->fabric->labels->guid[node];
	add_text(to, key, c->fabric->labels->name[node]);
	add_text(to, document_print(d, "%s_guid", key), guid ? document_print(d, "0x%016" PRIx64, guid) : NULL);
}

static struct value node_level(const struct check *c, uint32_t node)
{
	return c->tree.level[node] == NONE ? NO_VALUE : value_of_count(c->tree.level[node]);
}

static void add_misfits(struct node *to, const struct check *c)
{
	for (uint32_t i = 0; i < c->tree.misfits; i++) {
		const struct fat_misfit *m = &c->tree.misfit[i];
		struct node *object = add_object(to, NULL);
		add_node(object, c, "switch", m->node);
		add_value(object, "level", node_level(c, m->node));
		add_count(object, "expected", m->expected);
		add_count(object, "missing", m->missing);
		add_count(object, "surplus", m->surplus);
	}
}

static void add_cables(struct node *to, const struct check *c, bool missing)
{
	uint32_t first = missing ? 0 : c->tree.missing, count = missing ? c->tree.missing : c->tree.surplus;
	for (uint32_t i = first; i < first + count; i++) {
		const struct fat_cable *cable = &c->tree.cable[i];
		struct node *object = add_object(to, NULL);
		if (!missing)
			add_count(object, "channel", cable->channel);
		for (int upper = 0; upper < 2; upper++) {
			struct end end = end_of(c, i, upper);
			add_node(object, c, upper ? "to" : "from", end.node);
			add_value(object, upper ? "to_port" : "from_port", value_of_some(end.port));
		}
		add_text(object, "cause", cable->cause == NONE ? NULL : c->fabric->labels->name[cable->cause]);
	}
}

static void add_blocks(struct node *to, const struct check *c)
{
	for (uint32_t i = 0; i < c->tree.blocks; i++) {
		const struct fat_block *b = &c->tree.block[i];
		struct node *object = add_object(to, NULL);
		add_count(object, "level", b->level);
		add_text(object, "first", c->fabric->labels->name[c->tree.member[b->first]]);
		add_count(object, "lower", b->lowers);
		add_count(object, "upper", b->uppers);
		add_count(object, "least_cables", b->least);
		add_count(object, "most_cables", b->most);
		add_count(object, "missing_switches", b->missing);
	}
}

void report_tree(struct node *to, const struct check *check, uint64_t most)
{
	const struct fat_tree *t = &check->tree;
	struct document *d = document_of(to);
	if (!t->found)
		return;
	write_deviations(d->text, check, most);
	if (d->format == FORMAT_TEXT)
		return;
	struct node *tree = add_object(to, "tree"), *levels = add_list(tree, "levels");
	for (uint32_t l = 0; l < t->levels; l++)
		add_count(levels, NULL, t->size[l]);
	add_count(tree, "rails", check->usual_rails);
	add_count(tree, "roots", t->roots);
	add_count(tree, "missing_switches", t->missing_switches);
	add_misfits(add_list(tree, "misfits"), check);
	add_cables(add_list(tree, "missing"), check, true);
	add_cables(add_list(tree, "surplus"), check, false);
	add_blocks(add_list(tree, "blocks"), check);
}
