#include "tools/check/changes_report.h"

#include "base/shown.h"

#include <inttypes.h>

static const char *const node_words[] = {
	[NODE_REMOVED] = "removed",
	[NODE_ADDED] = "added",
	[NODE_REPLACED] = "replaced",
	[NODE_RENAMED] = "renamed",
	[NODE_LID] = "lid",
};

static const char *const cable_words[] = {
	[CABLE_REMOVED] = "removed",
	[CABLE_ADDED] = "added",
	[CABLE_MOVED_TO] = "moved",
	[CABLE_SPEED] = "speed",
};

static const char *const route_words[] = {
	[ROUTE_CHANGED] = "changed",
	[ROUTE_LOST] = "lost",
	[ROUTE_GAINED] = "gained",
};

/* The reports of one kind of changes: at most so many in text. */
struct lines {
	struct document *document;
	FILE *text; /* where the next one goes */
	uint64_t most, count;
};

static struct lines begin(struct node *to, const char *title, uint64_t count, uint64_t most)
{
	struct document *d = document_of(to);
	if (count)
		fprintf(d->text, "\n%s:\n", title);
	return (struct lines){d, d->nowhere, most, 0};
}

/* Returns whether the next change is reported, in this format. */
static bool next(struct lines *lines, const char *word)
{
	bool listed = lines->count++ < lines->most;
	lines->text = listed ? lines->document->text : lines->document->nowhere;
	if (listed)
		fprintf(lines->text, "  %-9s", word);
	return listed || lines->document->format != FORMAT_TEXT;
}

static void end(const struct lines *lines, uint64_t count)
{
	if (count > lines->most)
		fprintf(lines->document->text, "  and %" PRIu64 " more (--all lists them)\n", count - lines->most);
}

/* ---- nodes */

static void write_guid(FILE *file, const char *before, uint64_t guid)
{
	if (guid)
		fprintf(file, "%s0x%016" PRIx64, before, guid);
}

static const char *description(const struct fabric *f, uint32_t node)
{
	return *f->labels->desc[node] ? f->labels->desc[node] : f->labels->name[node];
}

static void write_node_change(FILE *text, const struct changes *c, const struct fabric *f, const struct changed_node *change)
{
	bool old = change->change == NODE_REMOVED;
	const struct fabric_labels *labels = old ? c->old->labels : f->labels;
	uint32_t node = old ? change->old : change->now;
	write_shown(text, labels->name[node]);
	switch (change->change) {
	case NODE_REPLACED:
		write_guid(text, ": ", f->labels->guid[node]);
		write_guid(text, ", before ", c->old->labels->guid[change->old]);
		break;
	case NODE_RENAMED:
		fprintf(text, ": '%s', before '%s'", SHOWN(description(f, node)), SHOWN(description(c->old, change->old)));
		break;
	case NODE_LID: fprintf(text, ": LID %" PRIu16 ", before %" PRIu16, f->labels->lid[node], c->old->labels->lid[change->old]); break;
	default: write_guid(text, ": ", labels->guid[node]);
	}
	putc('\n', text);
}

static void add_node(struct node *to, const char *key, const struct fabric *f, uint32_t node)
{
	if (node == NONE)
		return;
	struct node *object = add_object(to, key);
	uint64_t guid = f->labels->guid[node];
	add_text(object, "name", f->labels->name[node]);
	add_text(object, "guid", guid ? document_print(document_of(to), "0x%016" PRIx64, guid) : NULL);
	add_text(object, "description", *f->labels->desc[node] ? f->labels->desc[node] : NULL);
	add_value(object, "lid", value_of_some(f->labels->lid[node]));
}

static void report_node_counts(struct node *to, const struct changes *c)
{
	say_value(to, "same", value_of_count(c->same_nodes), "nodes     {} remain: ");
	say_value(to, "replaced", value_of_count(c->node_count[NODE_REPLACED]), "{} replaced, ");
	say_value(to, "renamed", value_of_count(c->node_count[NODE_RENAMED]), "{} renamed, ");
	say_value(to, "lid", value_of_count(c->node_count[NODE_LID]), "{} with another LID; ");
	say_value(to, "removed", value_of_count(c->node_count[NODE_REMOVED]), "{} removed, ");
	say_value(to, "added", value_of_count(c->node_count[NODE_ADDED]), "{} added\n");
	if (!c->same_nodes && !c->node_count[NODE_REPLACED])
		fputs("          no node is in both: are they the same fabric?\n", document_of(to)->text);
}

static void list_nodes(struct node *to, const struct changes *c, const struct fabric *f, uint64_t most)
{
	struct lines lines = begin(to, "nodes", c->nodes, most);
	struct node *list = add_list(to, "listed");
	for (size_t i = 0; i < c->nodes; i++) {
		const struct changed_node *change = &c->node[i];
		if (!next(&lines, node_words[change->change]))
			continue;
		struct node *object = add_object(list, NULL);
		add_text(object, "change", node_words[change->change]);
		add_node(object, "old", c->old, change->old);
		add_node(object, "new", f, change->now);
		write_node_change(lines.text, c, f, change);
	}
	end(&lines, c->nodes);
}

/* ---- cables */

static void write_speed(FILE *text, const struct cable *cable)
{
	fprintf(text, "%g Gb/s", cable->gbps);
	if (cable->lanes)
		fprintf(text, " (%ux)", cable->lanes);
}

static void write_cable_change(FILE *text, const struct fabric *f, const struct cable *old, const struct cable *now, bool speed)
{
	write_cable(text, f, now ? now : old);
	if (speed) {
		fputs(": ", text);
		write_speed(text, now);
		fputs(", before ", text);
		write_speed(text, old);
	} else if (old && now) {
		fputs(", before ", text);
		write_cable(text, f, old);
	}
	putc('\n', text);
}

static void report_cable_counts(struct node *to, const struct changes *c)
{
	say_value(to, "same", value_of_count(c->same_cables), "cables    {} unchanged, ");
	say_value(to, "moved", value_of_count(c->cable_count[CABLE_MOVED_TO]), "{} moved, ");
	say_value(to, "speed", value_of_count(c->cable_count[CABLE_SPEED]), "{} with another speed or width; ");
	say_value(to, "removed", value_of_count(c->cable_count[CABLE_REMOVED]), "{} removed, ");
	say_value(to, "added", value_of_count(c->cable_count[CABLE_ADDED]), "{} added\n");
}

static void list_cables(struct node *to, const struct changes *c, const struct fabric *f, uint64_t most)
{
	struct lines lines = begin(to, "cables", c->cables, most);
	struct node *list = add_list(to, "listed");
	for (size_t i = 0; i < c->cables; i++) {
		const struct changed_cable *change = &c->cable[i];
		const struct cable *old = change->old == NONE ? NULL : &c->before.cable[change->old];
		const struct cable *now = change->now == NONE ? NULL : &c->now.cable[change->now];
		if (!next(&lines, cable_words[change->change]))
			continue;
		struct node *object = add_object(list, NULL);
		add_text(object, "change", cable_words[change->change]);
		if (old)
			add_cable(add_object(object, "old"), f, old);
		if (now)
			add_cable(add_object(object, "new"), f, now);
		write_cable_change(lines.text, f, old, now, change->change == CABLE_SPEED);
	}
	end(&lines, c->cables);
}

/* ---- entries and routes */

static void report_entry_counts(struct node *to, const struct changes *c)
{
	say_value(to, "compared", value_of_count(c->entries), "entries   {} compared: ");
	say_value(to, "changed", value_of_count(c->entry_changed), "{} changed, ");
	say_value(to, "removed", value_of_count(c->entry_removed), "{} removed, ");
	say_value(to, "added", value_of_count(c->entry_added), "{} added, ");
	say_value(to, "switches", value_of_count(c->tables), "at {} switch[|es]\n");
}

static void report_route_counts(struct node *to, const struct changes *c)
{
	say_value(to, "pairs", value_of_count(c->pairs), "routes    {} pair[|s] compared: ");
	say_value(to, "changed", value_of_count(c->route_count[ROUTE_CHANGED]), "{} changed, ");
	say_value(to, "lost", value_of_count(c->route_count[ROUTE_LOST]), "{} lost, ");
	say_value(to, "gained", value_of_count(c->route_count[ROUTE_GAINED]), "{} gained\n");
}

static void list_tables(struct node *to, const struct changes *c, const struct fabric *f, uint64_t most)
{
	struct lines lines = begin(to, "entries", c->tables, most);
	struct node *list = add_list(to, "listed");
	for (size_t i = 0; i < c->tables; i++) {
		const struct changed_table *t = &c->table[i];
		if (!next(&lines, "switch"))
			continue;
		struct node *object = add_object(list, NULL);
		add_text(object, "switch", f->labels->name[t->now]);
		fprintf(lines.text, "%s: ", SHOWN(f->labels->name[t->now]));
		add_count(object, "changed", t->changed);
		add_count(object, "removed", t->removed);
		add_count(object, "added", t->added);
		fprintf(lines.text, "%" PRIu32 " changed, %" PRIu32 " removed, %" PRIu32 " added\n", t->changed, t->removed, t->added);
	}
	end(&lines, c->tables);
}

/* Finds the channels at which a new route differs from the old one first. Follows the first of several. */
static void divergence(const struct changes *c, const struct fabric *f, const struct forwarding *forwarding,
	const struct changed_route *route, uint32_t *old, uint32_t *now)
{
	uint32_t node = f->host_node[route->source], old_to = c->old->node_host[c->back[f->host_node[route->destination]]];
	uint32_t old_node = c->back[node];
	for (uint32_t i = 0; i < f->nodes; i++) {
		const uint32_t *channel;
		const double *share;
		uint32_t only;
		*old = forwarding_ways(c->forwarding, old_node, old_to, &channel, &share, &only) ? channel[0] : NONE;
		*now = forwarding_ways(forwarding, node, route->destination, &channel, &share, &only) ? channel[0] : NONE;
		if (*old == NONE || *now == NONE || !changes_same_channel(c, f, *old, *now, false))
			return;
		node = f->head[*now];
		old_node = c->old->head[*old];
	}
}

static void list_routes(
	struct node *to, const struct changes *c, const struct fabric *f, const struct forwarding *forwarding, uint64_t most)
{
	uint64_t count = c->route_count[ROUTE_CHANGED] + c->route_count[ROUTE_LOST] + c->route_count[ROUTE_GAINED];
	struct lines lines = begin(to, "routes", count, most);
	struct node *list = add_list(to, "listed");
	for (size_t i = 0; i < c->routes; i++) {
		const struct changed_route *route = &c->route[i];
		if (!next(&lines, route_words[route->change]))
			continue;
		struct node *object = add_object(list, NULL);
		uint32_t old = NONE, now = NONE;
		add_text(object, "change", route_words[route->change]);
		add_text(object, "source", f->labels->name[f->host_node[route->source]]);
		add_text(object, "destination", f->labels->name[f->host_node[route->destination]]);
		fprintf(lines.text, "%s -> %s", SHOWN(f->labels->name[f->host_node[route->source]]),
			SHOWN(f->labels->name[f->host_node[route->destination]]));
		divergence(c, f, forwarding, route, &old, &now);
		if (route->change == ROUTE_CHANGED && old != NONE && now != NONE) {
			add_channel(add_object(object, "old"), c->old, old);
			add_channel(add_object(object, "new"), f, now);
			fputs(": by ", lines.text);
			write_channel(lines.text, f, now);
			fputs(", before ", lines.text);
			write_channel(lines.text, c->old, old);
		}
		putc('\n', lines.text);
	}
	end(&lines, count);
}

void report_changes(
	struct node *to, const struct changes *changes, const struct fabric *fabric, const struct forwarding *forwarding, uint64_t most)
{
	const struct fabric *old = changes->old;
	FILE *text = document_of(to)->text;
	fprintf(text, "against   %s: %" PRIu32 " hosts, %" PRIu32 " switches, %" PRIu32 " cables\n", SHOWN(old->labels->source), old->hosts,
		old->nodes - old->hosts, changes->before.cables);
	add_fabric(to, old);
	struct node *nodes = add_object(to, "nodes"), *cables = add_object(to, "cables");
	struct node *entries = add_object(to, "entries"), *routes = add_object(to, "routes");
	report_node_counts(nodes, changes);
	report_cable_counts(cables, changes);
	add_text(to, "uncompared", changes->uncompared);
	if (changes->uncompared) {
		fprintf(text, "routes    not compared: %s\n", changes->uncompared);
	} else {
		report_entry_counts(entries, changes);
		report_route_counts(routes, changes);
	}
	list_nodes(nodes, changes, fabric, most);
	list_cables(cables, changes, fabric, most);
	if (changes->uncompared)
		return;
	list_tables(entries, changes, fabric, most);
	list_routes(routes, changes, fabric, forwarding, most);
}
