#include "infiniband/graph_dot.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A forwarding set as text. */
struct text {
	char *characters;
	size_t length, capacity;
};

/* To readers of dot a backslash is one but before a quote: there it becomes a slash. */
static void write_quoted(FILE *file, const char *text)
{
	putc('"', file);
	for (; *text; text++) {
		if (*text == '"')
			putc('\\', file);
		putc(*text == '\\' && (text[1] == '"' || !text[1]) ? '/' : *text, file);
	}
	putc('"', file);
}

static void write_node(const struct subnet_graph *graph, uint32_t n, FILE *file)
{
	const struct graph_node *node = &graph->node[n];
	const struct subnet_node *owner = &graph->subnet->node[node->node];
	bool host = n < graph->hosts;
	const struct subnet_port *port = host                                     ? &graph->subnet->port[graph->port[node->first]]
					 : owner->slots && owner->port[0] != NONE ? &graph->subnet->port[owner->port[0]]
										  : NULL;
	uint64_t guid = host && port->guid ? port->guid : owner->guid;
	fprintf(file, "\t\"%s\" [type=\"%s\"", node->name, host ? "host" : "switch");
	if (guid)
		fprintf(file, ", guid=\"0x%016" PRIx64 "\"", guid);
	if (port && port->lid)
		fprintf(file, ", lid=\"%u\"", port->lid);
	if (owner->ports)
		fprintf(file, ", ports=\"%" PRIu32 "\"", owner->ports);
	if (*owner->desc) {
		fputs(", desc=", file);
		write_quoted(file, owner->desc);
	}
	fputs("];\n", file);
}

static int append(struct text *text, const char *name, struct error *error)
{
	size_t length = strlen(name);
	if (array_grow(&text->characters, &text->capacity, text->length + length + 1, 1, error))
		return -1;
	memcpy(text->characters + text->length, name, length);
	text->length += length;
	text->characters[text->length++] = ',';
	return 0;
}

/* The lanes of each input port towards this output port, input ports with the same lanes together: "1-3,7:0,1,0,1;4:2,3,2,3". */
static void write_lanes(const struct subnet_node *owner, unsigned out, FILE *file)
{
	size_t side = (size_t)owner->sl2vl_ports + 1;
	bool done[256] = {false};
	const char *between = "";
	fputs(", sl2vl=\"", file);
	for (unsigned in = 0; in < side && in < 256; in++) {
		const uint8_t *lanes = owner->sl2vl + (in * side + out) * SERVICE_LEVELS;
		if (done[in])
			continue;
		fprintf(file, "%s%u", between, in);
		between = ";";
		unsigned last = in;
		for (unsigned k = in + 1; k <= side; k++) {
			bool same = k < side && k < 256 && !memcmp(lanes, owner->sl2vl + (k * side + out) * SERVICE_LEVELS, SERVICE_LEVELS);
			if (same && last == NONE)
				fprintf(file, ",%u", k);
			else if (!same && last != NONE && k - 1 > last)
				fprintf(file, "-%u", k - 1);
			last = same ? (last == NONE ? k : last) : NONE;
			if (same)
				done[k] = true;
		}
		for (int sl = 0; sl < SERVICE_LEVELS; sl++)
			fprintf(file, "%c%u", sl ? ',' : ':', lanes[sl]);
	}
	putc('"', file);
}

/* set: what comment holds; NULL: the graph has no forwarding sets. */
static void write_channel(const struct subnet_graph *graph, const struct graph_node *from, uint32_t p, const struct text *set, FILE *file)
{
	const struct subnet_port *port = &graph->subnet->port[p], *peer = &graph->subnet->port[port->peer];
	const struct subnet_node *owner = &graph->subnet->node[port->node];
	double speed = subnet_speed(graph->subnet, p);
	unsigned lanes = port->lanes ? port->lanes : peer->lanes;
	fprintf(file, "\t\"%s\" -> \"%s\" [port=\"%u\", peer_port=\"%u\"", from->name, graph->node[graph->node_of_port[port->peer]].name,
		port->number, peer->number);
	if (speed > 0)
		fprintf(file, ", speed=\"%.10g\"", speed);
	if (lanes)
		fprintf(file, ", width=\"%ux\"", lanes);
	if (owner->sl2vl && port->number <= owner->sl2vl_ports)
		write_lanes(owner, port->number, file);
	if (set) {
		fputs(", comment=\"", file);
		if (set->length)
			fwrite(set->characters, 1, set->length - 1, file);
		putc('"', file);
	}
	fputs("];\n", file);
}

/* A host with one port sends everything there; one with several, what can be reached from each. */
static int host_set(const struct subnet_graph *graph, uint32_t n, uint32_t p, struct text *set, struct error *error)
{
	if (graph->node[n].ports == 1)
		return append(set, "*", error);
	for (uint32_t to = 0; to < graph->hosts; to++) {
		const struct graph_node *other = &graph->node[to];
		for (uint32_t i = 0; to != n && i < other->ports; i++)
			if (graph->component[graph->port[other->first + i]] == graph->component[p]) {
				if (append(set, other->name, error))
					return -1;
				break;
			}
	}
	return 0;
}

static int write_channels(
	const struct subnet_graph *graph, uint32_t n, struct forwarding_sets *sets, struct text *text, FILE *file, struct error *error)
{
	const struct graph_node *node = &graph->node[n];
	if (node->routed && subnet_graph_sets(graph, n, sets, error))
		return -1;
	for (uint32_t i = 0; i < node->ports; i++) {
		uint32_t p = graph->port[node->first + i];
		text->length = 0;
		if (graph->node_of_port[graph->subnet->port[p].peer] == NONE)
			continue; /* a rail that was left out, at an adapter without a switch */
		if (n < graph->hosts && graph->tables && host_set(graph, n, p, text, error))
			return -1;
		for (uint32_t k = node->routed ? sets->first[i] : 0; node->routed && k < sets->first[i + 1]; k++)
			if (append(text, graph->node[sets->host[k]].name, error))
				return -1;
		write_channel(graph, node, p, graph->tables ? text : NULL, file);
	}
	return 0;
}

int graph_dot_write(const struct subnet_graph *graph, FILE *file, const char *comment, struct error *error)
{
	struct forwarding_sets sets = {0};
	struct text text = {0};
	while (comment && *comment) {
		size_t length = strcspn(comment, "\n");
		fprintf(file, "// %.*s\n", (int)length, comment);
		comment += length + (comment[length] != '\0');
	}
	fputs("digraph network {\n", file);
	for (uint32_t n = 0; n < graph->nodes; n++)
		write_node(graph, n, file);
	for (uint32_t n = 0; n < graph->nodes && !error->status; n++)
		write_channels(graph, n, &sets, &text, file, error);
	fputs("}\n", file);
	forwarding_sets_clear(&sets);
	free(text.characters);
	return error->status ? -1 : 0;
}
