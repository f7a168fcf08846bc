#include "fabric/tiers.h"

#include "base/memory.h"
#include "topologies/topology.h"

#include <stdlib.h>

/* Returns a new array of the nodes by their numbers in the topology: hosts, then switches. NULL if out of memory. */
static uint32_t *number_nodes(const struct fabric *fabric, struct error *error)
{
	uint32_t *node = array_create(fabric->nodes, sizeof *node, error), host = 0, other = fabric->hosts;
	for (uint32_t v = 0; node && v < fabric->nodes; v++)
		node[fabric->node_host[v] != NONE ? host++ : other++] = v;
	return node;
}

/* Reads the tiers of the channels of all nodes; channels between the same nodes have the same tier. */
static void read_tiers(const struct fabric *fabric, const struct topology *t, const uint32_t *node, uint8_t *tier, struct error *error)
{
	uint8_t *to = array_create(fabric->nodes, sizeof *to, error); /* [nodes] tier of channels to the node, from the current one */
	for (uint32_t i = 0; to && i < fabric->nodes; i++) {
		struct topology_port port = {i < t->hosts, i - (i < t->hosts ? 0 : t->hosts), 0};
		uint32_t ports = t->kind->ports(t, port.host, port.node);
		for (; port.port < ports; port.port++) {
			struct topology_port far = t->kind->peer(t, port);
			unsigned level = topology_tier(t, port);
			to[node[far.node + (far.host ? 0 : t->hosts)]] = (uint8_t)(level < TIERS_MAX ? level : TIERS_MAX - 1);
		}
		for (uint32_t c = fabric->first_channel[node[i]]; c < fabric->first_channel[node[i] + 1]; c++)
			tier[c] = to[fabric->head[c]];
	}
	free(to);
}

/* Guesses the tiers from the ends of channels. */
static void guess_tiers(const struct fabric *fabric, uint8_t *tier)
{
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			tier[c] = fabric->node_host[v] == NONE && fabric->node_host[fabric->head[c]] == NONE;
}

uint8_t *tiers_make(const struct fabric *fabric, const char *spec, struct error *error)
{
	struct error none = {0}; /* the topology may not exist */
	struct topology *t = spec ? topology_create(spec, &none) : NULL;
	uint8_t *tier = array_create(fabric->channels, sizeof *tier, error);
	uint32_t *node = number_nodes(fabric, error);
	if (!error->status && t && t->hosts == fabric->hosts && t->switches == fabric->nodes - fabric->hosts)
		read_tiers(fabric, t, node, tier, error);
	else if (!error->status)
		guess_tiers(fabric, tier);
	topology_free(t);
	free(node);
	if (!error->status)
		return tier;
	free(tier);
	return NULL;
}
