#include "infiniband/subnet_names.h"

#include "base/memory.h"
#include "base/name_table.h"
#include "infiniband/subnet_rails.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 256 };

static uint64_t guid_of(const struct subnet_graph *graph, uint32_t n)
{
	const struct graph_node *node = &graph->node[n];
	uint64_t guid = n < graph->hosts ? graph->subnet->port[graph->port[node->first]].guid : 0;
	return guid ? guid : graph->subnet->node[node->node].guid;
}

/* Writes H or S and the GUID; for a host without a GUID, the name of its node. */
static void guid_name(const struct subnet_graph *graph, uint32_t n, char name[NAME_SIZE])
{
	snprintf(name, NAME_SIZE, "%c%016" PRIx64, n < graph->hosts ? 'H' : 'S', guid_of(graph, n));
}

/*
 * Writes the node description, without the adapter for the only host of a machine. Characters that are special in forwarding sets and
 * shells become '_', and only names of hosts begin with H.
 */
static void desc_name(const struct subnet_graph *graph, uint32_t n, char name[NAME_SIZE])
{
	const struct graph_node *node = &graph->node[n];
	const struct subnet_node *owner = &graph->subnet->node[node->node];
	const char *desc = *owner->desc || guid_of(graph, n) ? owner->desc : owner->id;
	bool host = n < graph->hosts;
	int length = 0;
	if (!*desc) {
		guid_name(graph, n, name);
		return;
	}
	if (host != (*desc == 'H'))
		length = snprintf(name, NAME_SIZE, "%c-", host ? 'H' : 'S');
	size_t size = node->alone ? machine_length(desc) : 0;
	for (size_t i = 0; desc[i] && (!size || i < size) && length < NAME_SIZE - 30; i++)
		if ((desc[i] & 0xc0) != 0x80) /* in UTF-8, only the first byte of a character counts */
			name[length++] = isalnum((unsigned char)desc[i]) || strchr("_.:+/@-", desc[i]) ? desc[i] : '_';
	name[length] = '\0';
	if (host && !node->alone && subnet_cables(graph->subnet, owner) > 1)
		snprintf(name + length, (size_t)(NAME_SIZE - length), "_p%u", graph->subnet->port[graph->port[node->first]].number);
}

/* Makes names unique: nodes that share one get their GUIDs appended, or their LIDs, or numbers. */
static int make_unique(struct subnet_graph *graph, char (*name)[NAME_SIZE], struct error *error)
{
	struct name_table names;
	bool *shared = array_create(graph->nodes, sizeof *shared, error);
	if (!shared || name_table_init(&names, graph->nodes, error)) {
		free(shared);
		return -1;
	}
	for (uint32_t n = 0; n < graph->nodes; n++) {
		uint32_t first = name_table_add(&names, name[n], n);
		if (first == n)
			continue;
		shared[first] = shared[n] = true;
		subnet_odd(graph->subnet, ODD_SAME_NAME, "'%s'", graph->subnet->node[graph->node[n].node].desc);
	}
	name_table_clear(&names);
	for (uint32_t n = 0; n < graph->nodes; n++) {
		size_t length = strlen(name[n]);
		uint16_t lid = graph->subnet->port[graph->port[graph->node[n].first]].lid;
		if (shared[n] && guid_of(graph, n))
			snprintf(name[n] + length, NAME_SIZE - length, "_%016" PRIx64, guid_of(graph, n));
		else if (shared[n] && lid)
			snprintf(name[n] + length, NAME_SIZE - length, "_lid%u", lid);
	}
	if (!name_table_init(&names, graph->nodes, error))
		for (uint32_t n = 0; n < graph->nodes; n++) {
			size_t length = strlen(name[n]);
			for (unsigned k = 2; name_table_add(&names, name[n], n) != n; k++)
				snprintf(name[n] + length, NAME_SIZE - length, "_%u", k);
		}
	name_table_clear(&names);
	free(shared);
	return error->status ? -1 : 0;
}

int subnet_graph_names(struct subnet_graph *graph, struct error *error)
{
	char(*name)[NAME_SIZE] = array_create(graph->nodes, sizeof *name, error);
	graph->names = (char *)name;
	if (!name)
		return -1;
	for (uint32_t n = 0; n < graph->nodes; n++) {
		if (graph->options.names_guid && guid_of(graph, n))
			guid_name(graph, n, name[n]);
		else
			desc_name(graph, n, name[n]);
		graph->node[n].name = name[n];
	}
	return make_unique(graph, name, error);
}
