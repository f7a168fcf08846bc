#include "tools/check/same_nodes.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What identifies a node: a number, a text, and whether it is a host. */
struct identity {
	uint64_t number;
	const char *text;
	uint32_t node;
	bool host;
};

/* Finds an identity, of a step of the search. Returns false if the node has none. */
typedef bool identify(const struct fabric *fabric, uint32_t node, struct identity *identity);

static bool by_guid(const struct fabric *fabric, uint32_t node, struct identity *identity)
{
	identity->number = fabric->labels->guid[node];
	return identity->number;
}

static bool by_name(const struct fabric *fabric, uint32_t node, struct identity *identity)
{
	identity->text = fabric->labels->name[node];
	return true;
}

static bool by_description(const struct fabric *fabric, uint32_t node, struct identity *identity)
{
	const char *desc = fabric->labels->desc[node];
	identity->text = *desc ? desc : fabric->labels->name[node];
	return true;
}

/* The same, for the rails of an adapter. */
static bool by_port(const struct fabric *fabric, uint32_t node, struct identity *identity)
{
	uint32_t first = fabric->first_channel[node];
	if (identity->host && fabric->first_channel[node + 1] == first + 1)
		identity->number = fabric->labels->port[first];
	return by_description(fabric, node, identity);
}

static int compare_keys(const struct identity *a, const struct identity *b)
{
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return a->host != b->host ? a->host - b->host : strcmp(a->text, b->text);
}

static int compare_identities(const void *left, const void *right)
{
	const struct identity *a = left, *b = right;
	int order = compare_keys(a, b);
	return order ? order : (a->node > b->node) - (a->node < b->node);
}

/* Lists the identities of the nodes that have no counterpart yet, sorted. Returns their number. */
static uint32_t list(const struct fabric *fabric, const uint32_t *counterpart, identify *step, struct identity *list)
{
	uint32_t count = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		list[count] = (struct identity){0, "", v, fabric->node_host[v] != NONE};
		count += counterpart[v] == NONE && step(fabric, v, &list[count]);
	}
	if (count)
		qsort(list, count, sizeof *list, compare_identities);
	return count;
}

static bool unique(const struct identity *list, uint32_t i, uint32_t count)
{
	return (!i || compare_keys(&list[i - 1], &list[i])) && (i + 1 == count || compare_keys(&list[i], &list[i + 1]));
}

uint32_t *same_nodes(const struct fabric *fabric, const struct fabric *other, struct error *error)
{
	identify *const steps[] = {by_guid, by_name, by_port, by_description};
	uint32_t *there = array_create(fabric->nodes, sizeof *there, error), *here = array_create(other->nodes, sizeof *here, error);
	struct identity *a = array_create((size_t)fabric->nodes + 1, sizeof *a, error);
	struct identity *b = array_create((size_t)other->nodes + 1, sizeof *b, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		there[v] = NONE;
	for (uint32_t v = 0; v < other->nodes && !error->status; v++)
		here[v] = NONE;
	for (size_t s = 0; s < sizeof steps / sizeof *steps && !error->status; s++) {
		uint32_t a_count = list(fabric, there, steps[s], a), b_count = list(other, here, steps[s], b);
		for (uint32_t i = 0, k = 0; i < a_count && k < b_count;) {
			int order = compare_keys(&a[i], &b[k]);
			if (!order && unique(a, i, a_count) && unique(b, k, b_count)) {
				there[a[i].node] = b[k].node;
				here[b[k].node] = a[i].node;
			}
			i += order <= 0;
			k += order >= 0;
		}
	}
	free(there);
	free(a);
	free(b);
	if (!error->status)
		return here;
	free(here);
	return NULL;
}
