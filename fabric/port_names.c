#include "fabric/port_names.h"

#include "base/args.h"
#include "base/shown.h"

#include <inttypes.h>
#include <string.h>

/* The port numbers of a node. */
struct port_numbers {
	uint32_t least, most; /* most 0: the node has no cable */
	bool numbered;
};

static struct port_numbers numbers_of(const struct fabric *fabric, uint32_t node)
{
	struct port_numbers ports = {.least = UINT32_MAX};
	for (uint32_t c = fabric->first_channel[node]; c < fabric->first_channel[node + 1]; c++) {
		uint32_t number = fabric->labels->port[c];
		ports.least = number && number < ports.least ? number : ports.least;
		ports.most = number > ports.most ? number : ports.most;
	}
	ports.numbered = ports.most;
	return ports.numbered ? ports : (struct port_numbers){1, fabric->first_channel[node + 1] - fabric->first_channel[node], false};
}

/* Returns the channel of a port of the node; NONE: there is none. */
static uint32_t find_port(const struct port_names *names, uint32_t node, struct port_numbers ports, int64_t port)
{
	const struct fabric *fabric = names->fabric;
	const struct routing_function *function = names->function;
	uint32_t first = fabric->first_channel[node], end = fabric->first_channel[node + 1];
	if (port < ports.least || port > ports.most)
		return NONE;
	for (uint32_t c = first; ports.numbered && c < end; c++)
		if (fabric->labels->port[c] == port)
			return c;
	if (ports.numbered)
		return NONE;
	return function ? routing_function_channel(function, function->first[function->number[node]] + (uint32_t)port - 1)
			: attributes_channel_at(names->attributes, first + (uint32_t)port - 1);
}

static int name_port(const struct port_names *names, const char *where, const char *text, struct port_named *found, struct error *error)
{
	struct port_numbers ports = numbers_of(names->fabric, found->node);
	int64_t number;
	bool whole = read_integer(text, 0, INT64_MAX, &number);
	const char *name = SHOWN(names->fabric->labels->name[found->node]);
	if (!ports.most)
		return error_set(error, STATUS_USAGE, "%s: %s has no cable", where, name);
	found->channel = whole ? find_port(names, found->node, ports, number) : NONE;
	if (found->channel != NONE)
		return 0;
	if (whole && number >= ports.least && number <= ports.most)
		return error_set(error, STATUS_USAGE, "%s: %s has no cable at port %s", where, name, text);
	return error_set(error, STATUS_USAGE, "%s: %s has no port '%s' (ports %" PRIu32 " to %" PRIu32 ")", where, name, SHOWN(text),
		ports.least, ports.most);
}

int port_names_find(const struct port_names *ports, const char *where, const char *text, struct port_named *found, struct error *error)
{
	const char *colon = strrchr(text, ':');
	bool port = colon && colon > text;
	size_t length = port ? (size_t)(colon - text) : strlen(text);
	char hint[NODE_HINT_SIZE];
	uint32_t v = node_names_find(ports->names, text, length), whole = v;
	if (v == NAME_NONE && port)
		whole = node_names_find(ports->names, text, strlen(text));
	*found = (struct port_named){whole, NONE};
	if (whole < NODE_AMBIGUOUS)
		return v == whole && port ? name_port(ports, where, colon + 1, found, error) : 0;
	return error_set(error, STATUS_USAGE, "%s: %s%s", where,
		whole == NAME_NONE ? "the fabric has no such node" : "several nodes have this description",
		node_names_hint(ports->names, text, length, hint));
}
