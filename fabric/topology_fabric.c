#include "fabric/topology_fabric.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "topologies/topology.h"
#include "topologies/writer.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool topology_fabric_is(const char *text)
{
	const char *names[100];
	char name[40];
	size_t count = 0, length = spec_name_length(text);
	if (!access(text, F_OK))
		return false;
	while (topologies[count] && count < sizeof names / sizeof *names) {
		names[count] = topologies[count]->name;
		count++;
	}
	snprintf(name, sizeof name, "%.*s", (int)length, text);
	return topology_find(text) || (text[length] == ':' && nearest_name(name, names, count));
}

/* Names all nodes, hosts first. Returns 0, or -1. */
static int name_nodes(struct fabric *fabric, const struct topology *topology, struct error *error)
{
	struct fabric_labels *labels = fabric->labels;
	size_t capacity = 0, used = 1;
	size_t *place = array_create(fabric->nodes, sizeof *place, error);
	for (uint32_t v = 0; place && v < fabric->nodes; v++) {
		bool host = v < topology->hosts;
		if (array_grow(&labels->pool, &capacity, used + TOPOLOGY_NAME_MAX, 1, error))
			break;
		labels->pool[0] = '\0'; /* the empty description of all nodes */
		topology->kind->node_name(topology, host, v - (host ? 0 : topology->hosts), labels->pool + used);
		place[v] = used;
		used += strlen(labels->pool + used) + 1;
	}
	for (uint32_t v = 0; !error->status && v < fabric->nodes; v++) {
		labels->name[v] = labels->pool + place[v];
		labels->desc[v] = labels->pool;
		name_table_add(&labels->names, labels->name[v], v);
	}
	free(place);
	return error->status ? -1 : 0;
}

static int compare_heads(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a > b) - (a < b);
}

/* Adds the channels in the order of a graph that is read: those of one tail by their heads. */
static void add_channels(struct fabric *fabric, const struct topology *topology)
{
	uint32_t channel = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		bool host = v < topology->hosts, sorted = true;
		uint32_t node = v - (host ? 0 : topology->hosts), ports = topology->kind->ports(topology, host, node);
		uint32_t *head = fabric->head + channel;
		fabric->first_channel[v] = channel;
		for (uint32_t port = 0; port < ports; port++) {
			struct topology_port to = topology->kind->peer(topology, (struct topology_port){host, node, port});
			head[port] = to.node + (to.host ? 0 : topology->hosts);
			sorted &= !port || head[port] >= head[port - 1];
		}
		if (!sorted)
			qsort(head, ports, sizeof *head, compare_heads);
		channel += ports;
		fabric->node_host[v] = host ? v : NONE;
		if (host)
			fabric->host_node[v] = v;
	}
	fabric->first_channel[fabric->nodes] = channel;
	for (uint32_t c = 0; c < fabric->channels; c++)
		fabric->speed[c] = 1;
}

static struct forwarding *make_forwarding(
	const struct fabric *fabric, const char *spec, const struct topology *topology, struct error *error)
{
	struct forwarding *forwarding = forwarding_without_entries(fabric, error);
	if (forwarding && topology->routing) {
		struct routing_function *function = routing_function_create(fabric, spec, topology->routing, error);
		if (function)
			forwarding_compute(forwarding, fabric, function, NULL);
	}
	return forwarding;
}

int topology_fabric_load(const char *spec, struct fabric **fabric, struct forwarding **forwarding, struct error *error)
{
	struct topology *topology = topology_create(spec, error);
	*fabric =
		topology ? fabric_create(topology->hosts + topology->switches, topology->hosts, (uint32_t)topology->channels, error) : NULL;
	if (*fabric && !name_nodes(*fabric, topology, error)) {
		(*fabric)->labels->source = spec;
		add_channels(*fabric, topology);
		if (forwarding)
			*forwarding = make_forwarding(*fabric, spec, topology, error);
	}
	topology_free(topology);
	return error->status ? -1 : 0;
}

/* Finds the places of a node's channels in the order of its ports. rank: [ports] temporary. */
static void place_channels(const struct fabric *fabric, const struct topology *topology, uint32_t node, uint32_t *place, uint32_t *rank)
{
	bool host = node < topology->hosts;
	uint32_t number = node - (host ? 0 : topology->hosts), first = fabric->first_channel[node];
	uint32_t ports = fabric->first_channel[node + 1] - first, *next = rank;
	for (uint32_t i = 0; i < ports; i++)
		next[i] = NONE;
	for (uint32_t port = 0; port < ports; port++) {
		struct topology_port to = topology->kind->peer(topology, (struct topology_port){host, number, port});
		uint32_t head = to.node + (to.host ? 0 : topology->hosts), low = 0, high = ports;
		while (low < high) { /* finds the first channel to that head */
			uint32_t middle = (low + high) / 2;
			if (fabric->head[first + middle] < head)
				low = middle + 1;
			else
				high = middle;
		}
		next[low] = next[low] == NONE ? low : next[low] + 1; /* parallel channels, one after the other */
		place[first + port] = first + next[low];
	}
}

/* Fills the attributes. Returns 0, or -1. */
static int add_attributes(
	struct attributes *a, const char *spec, const struct fabric *fabric, const struct topology *topology, struct error *error)
{
	uint32_t *rank = array_create(fabric_most_channels(fabric), sizeof *rank, error);
	char *routing = topology->routing ? strdup(topology->routing) : NULL;
	if (topology->routing && !routing)
		error_set(error, STATUS_IO, "out of memory");
	a->owner = routing;
	a->release = free;
	a->graph = spec;
	a->name = fabric->labels->name;
	a->place = array_create(fabric->channels, sizeof *a->place, error);
	if (!error->status && routing)
		attributes_add(a, ATTRIBUTE_GRAPH, "routing", routing, error);
	if (!error->status)
		attributes_add(a, ATTRIBUTE_GRAPH, "topology", spec, error);
	struct attribute *type = error->status ? NULL : attributes_add(a, ATTRIBUTE_NODE, "type", "switch", error);
	if (type && (type->value = array_create(fabric->nodes, sizeof *type->value, error)))
		for (uint32_t v = 0; v < fabric->nodes; v++) {
			type->value[v] = v < topology->hosts ? "host" : type->fallback;
			place_channels(fabric, topology, v, a->place, rank);
		}
	free(rank);
	return error->status ? -1 : 0;
}

struct attributes *topology_fabric_attributes(const char *spec, const struct fabric *fabric, struct error *error)
{
	struct topology *topology = topology_create(spec, error);
	struct attributes *a = topology && !writer_check(spec, error) ? attributes_create(fabric->nodes, fabric->channels, error) : NULL;
	if (a && add_attributes(a, spec, fabric, topology, error)) {
		attributes_free(a);
		a = NULL;
	}
	topology_free(topology);
	return a;
}

int topology_fabric_write(const char *spec, FILE *file, struct error *error)
{
	struct topology *topology = topology_create(spec, error);
	if (topology)
		writer_write(&(struct writing){.spec = spec}, topology, file, error);
	topology_free(topology);
	return error->status ? -1 : 0;
}
