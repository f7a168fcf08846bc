#include "tools/check/fault_text.h"

#include "base/shown.h"
#include "fabric/described.h"

#include <inttypes.h>
#include <stdlib.h>

static const char *const fault_keys[] = {
	[FAULT_NO_ENTRY] = "no_entry",
	[FAULT_LOOP] = "loop",
	[FAULT_NO_PATH] = "no_path",
	[FAULT_LONGER] = "longer",
	[FAULT_ASYMMETRIC] = "asymmetric",
	[FAULT_DISCARDED] = "discarded",
	[FAULT_ONE_WAY] = "one_way",
	[FAULT_UNUSED] = "unused",
	[FAULT_ASTRAY] = "astray",
};

static const char *const titles[] = {
	[FAULT_NO_ENTRY] = "pairs without a route because an LFT entry is missing",
	[FAULT_LOOP] = "pairs without a route because of a forwarding loop",
	[FAULT_NO_PATH] = "pairs that are not connected by channels",
	[FAULT_LONGER] = "routes longer than necessary",
	[FAULT_ASYMMETRIC] = "pairs with asymmetric routes",
	[FAULT_DISCARDED] = "turns that discard packets, mapped to virtual lane 15",
	[FAULT_ONE_WAY] = "channels without an opposite direction",
	[FAULT_UNUSED] = "channels that no route uses",
	[FAULT_ASTRAY] = "ports on a leaf of another rail",
};

static const char *fault_title(const struct check *check, enum fault_kind kind)
{
	if ((check->routes || check->trees->several) && kind == FAULT_LONGER)
		return "pairs with a route longer than necessary, the longest of each";
	return check->routes && kind == FAULT_NO_ENTRY ? "pairs without a route" : titles[kind];
}

/*
 * Returns the next channel of a packet, NONE if there is none. Of several, in the current tree of the destination: the longest route if all
 * of them arrive, otherwise the first that does not.
 */
static uint32_t next_channel(const struct check *c, uint32_t node, uint32_t destination)
{
	const struct destination_trees *t = c->trees;
	const uint32_t *channel;
	const double *share;
	uint32_t only, ways = forwarding_ways(c->forwarding, node, destination, &channel, &share, &only), best = 0;
	for (uint32_t k = 0; k < ways && ways > 1; k++) {
		uint32_t far = t->distance[c->fabric->head[channel[k]]], most = t->distance[c->fabric->head[channel[best]]];
		if (most < TREE_DISTANCE_END && far > most)
			best = k;
	}
	return ways ? channel[best] : NONE;
}

/* Writes the longest of a pair's source routes, the first of several, in the same form. */
static void write_longest(FILE *file, const struct check *c, uint32_t source, uint32_t destination)
{
	const struct source_routes *set = c->routes;
	uint64_t from, to, longest;
	source_routes_find(set, source, destination, &from, &to);
	longest = from;
	for (uint64_t r = from; r < to; r++)
		if (set->start[r + 1] - set->start[r] > set->start[longest + 1] - set->start[longest])
			longest = r;
	uint32_t node = set->first[source] == NONE ? NONE : c->fabric->head[set->first[source]];
	const char *between = "";
	for (uint64_t i = set->start[longest]; i <= set->start[longest + 1]; i++) {
		uint32_t channel = i < set->start[longest + 1] ? set->channel[i] : set->last[destination];
		if (channel == NONE)
			break;
		if (node != NONE) {
			fputs(between, file);
			write_port(file, c->fabric, node, c->fabric->labels->port[channel]);
			between = " ";
		}
		node = c->fabric->head[channel];
	}
}

/* Writes the nodes between two hosts that have a route, each with its output port. */
static void write_route(FILE *file, const struct check *c, uint32_t source, uint32_t destination)
{
	if (c->routes) {
		write_longest(file, c, source, destination);
		return;
	}
	uint32_t node = c->fabric->head[next_channel(c, c->fabric->host_node[source], destination)];
	const char *between = "";
	for (; node != c->fabric->host_node[destination]; between = " ") {
		uint32_t channel = next_channel(c, node, destination);
		fputs(between, file);
		write_port(file, c->fabric, node, c->fabric->labels->port[channel]);
		node = c->fabric->head[channel];
	}
	if (!*between)
		fputs("their own cable", file);
}

/* Writes where the route ends. */
static void write_gap(FILE *file, const struct check *c, uint32_t source, uint32_t destination)
{
	const struct fabric_labels *labels = c->fabric->labels;
	uint32_t node = c->fabric->host_node[source], by = NONE, next;
	while ((next = next_channel(c, node, destination)) != NONE) {
		by = next;
		node = c->fabric->head[by];
	}
	fprintf(file, "%s %s has no entry for %s", c->fabric->node_host[node] == NONE ? "switch" : "host", SHOWN(labels->name[node]),
		SHOWN(labels->name[c->fabric->host_node[destination]]));
	if (by == NONE)
		return;
	fputs(", reached by ", file);
	write_channel(file, c->fabric, by);
}

/* Writes the loop, which is reached within as many steps as there are nodes. */
static void write_loop(FILE *file, const struct check *c, uint32_t source, uint32_t destination)
{
	enum { SHOWN = 20 };
	uint32_t node = c->fabric->host_node[source], shown = 0;
	for (uint32_t i = 0; i < c->fabric->nodes; i++)
		node = c->fabric->head[next_channel(c, node, destination)];
	uint32_t first = node;
	fputs("loop ", file);
	do {
		uint32_t channel = next_channel(c, node, destination);
		write_port(file, c->fabric, node, c->fabric->labels->port[channel]);
		fputs(" -> ", file);
		node = c->fabric->head[channel];
	} while (node != first && ++shown < SHOWN);
	write_shown(file, node == first ? c->fabric->labels->name[first] : "...");
}

static void write_astray(FILE *file, const struct check *c, const struct fault *fault)
{
	const struct rails *r = c->rails;
	const struct rail *rail = &r->rail[fault->value];
	uint32_t other = rails_swapped(r, fault->value);
	write_channel(file, c->fabric, fault->channel);
	fprintf(file, ": rail %s on a leaf of rail %s", SHOWN(r->name[rail->name]), SHOWN(r->name[r->owner[rail->leaf]]));
	if (other != NONE)
		fprintf(file, ", swapped with %s", SHOWN(c->fabric->labels->name[r->rail[other].adapter]));
}

/* Writes the fault in one line, without the newline. */
static void write_fault(FILE *file, const struct check *check, enum fault_kind kind, const struct fault *fault)
{
	const struct fabric *f = check->fabric;
	if (fault->source != NONE && check->trees->several)
		destination_trees_make(check->trees, fault->destination);
	if (fault->source != NONE)
		fprintf(file, "%s -> %s: ", SHOWN(f->labels->name[f->host_node[fault->source]]),
			SHOWN(f->labels->name[f->host_node[fault->destination]]));
	switch (kind) {
	case FAULT_NO_ENTRY:
		if (check->routes)
			fputs("none is listed", file);
		else
			write_gap(file, check, fault->source, fault->destination);
		break;
	case FAULT_LOOP: write_loop(file, check, fault->source, fault->destination); break;
	case FAULT_NO_PATH: fputs("no channels lead there", file); break;
	case FAULT_LONGER:
		fprintf(file, "%" PRIu32 " hop%s more than necessary, via ", fault->value, fault->value == 1 ? "" : "s");
		write_route(file, check, fault->source, fault->destination);
		break;
	case FAULT_ASYMMETRIC:
		write_route(file, check, fault->source, fault->destination);
		fputs("; back ", file);
		write_route(file, check, fault->destination, fault->source);
		break;
	case FAULT_DISCARDED:
		fprintf(file, "switch %s, from port %" PRIu32 " to port %" PRIu32, SHOWN(f->labels->name[f->head[fault->channel]]),
			f->labels->peer_port[fault->channel], f->labels->port[fault->value]);
		break;
	case FAULT_ONE_WAY:
	case FAULT_UNUSED: write_channel(file, f, fault->channel); break;
	case FAULT_ASTRAY: write_astray(file, check, fault); break;
	case FAULT_KINDS: break;
	}
}

/* Returns the line as a text owned by the document. */
static const char *fault_text(struct document *document, const struct check *c, enum fault_kind kind, const struct fault *fault)
{
	char *text = NULL;
	size_t size;
	FILE *memory = open_memstream(&text, &size);
	if (memory)
		write_fault(memory, c, kind, fault);
	document->failed |= !memory || ferror(memory) | fclose(memory);
	const char *kept = document_print(document, "%s", text ? text : "");
	free(text);
	return kept;
}

static void add_fault(struct node *list, const struct check *c, enum fault_kind kind, const struct fault *fault)
{
	struct node *object = add_object(list, NULL);
	const struct fabric *f = c->fabric;
	if (fault->source != NONE) {
		add_text(object, "source", f->labels->name[f->host_node[fault->source]]);
		add_text(object, "destination", f->labels->name[f->host_node[fault->destination]]);
	} else {
		add_count(object, "channel", fault->channel);
		add_channel(object, f, fault->channel);
	}
	if (kind == FAULT_LONGER)
		add_count(object, "extra_hops", fault->value);
	if (kind == FAULT_DISCARDED)
		add_count(object, "next_channel", fault->value);
	if (kind == FAULT_ASTRAY) {
		const struct rail *rail = &c->rails->rail[fault->value];
		add_text(object, "rail", c->rails->name[rail->name]);
		add_text(object, "leaf_rail", c->rails->name[c->rails->owner[rail->leaf]]);
	}
	add_text(object, "text", fault_text(document_of(list), c, kind, fault));
}

static void say_fault(FILE *text, const struct check *c, enum fault_kind kind, const struct fault *fault)
{
	fputs("  ", text);
	write_fault(text, c, kind, fault);
	putc('\n', text);
}

/* Whether text has the faults of a kind. Asymmetric routes are common; without any routes, all pairs and channels lack them. */
static bool is_said(const struct check *c, const struct check_options *o, enum fault_kind kind)
{
	if (kind == FAULT_ASYMMETRIC)
		return o->required[REQUIRE_SYMMETRIC];
	return !c->unrouted || o->all || (kind != FAULT_NO_ENTRY && kind != FAULT_UNUSED);
}

void report_faults(struct node *to, const struct check *c, const struct check_options *o)
{
	struct document *d = document_of(to);
	for (enum fault_kind kind = 0; kind < FAULT_KINDS; kind++) {
		uint64_t count = c->faults.count[kind], listed = c->faults.listed[kind];
		struct node *object = add_object(to, fault_keys[kind]);
		bool said = d->format == FORMAT_TEXT && count && is_said(c, o, kind);
		FILE *text = said ? d->text : d->nowhere;
		fprintf(text, "\n%s: ", fault_title(c, kind));
		say_value(object, "count", value_of_count(count), said ? "{}\n" : "");
		struct node *list = add_list(object, "listed");
		for (uint64_t i = 0; i < listed; i++)
			if (said)
				say_fault(text, c, kind, &c->faults.list[kind][i]);
			else if (d->format != FORMAT_TEXT)
				add_fault(list, c, kind, &c->faults.list[kind][i]);
		if (listed < count)
			fprintf(text, "  and %" PRIu64 " more (--all lists them)\n", count - listed);
	}
}
