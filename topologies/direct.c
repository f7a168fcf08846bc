#include "topologies/direct.h"

#include <string.h>

int direct_read(struct topology *topology, const char *hosts, struct error *error)
{
	int64_t each = 0;
	if (strcmp(hosts, "direct") && !read_integer(hosts, 1, UINT32_MAX, &each))
		return error_set(error, STATUS_USAGE, "hosts is '%s', neither an integer from 1 to 4294967295 nor direct", hosts);
	topology->each = (uint32_t)each;
	topology->tiers = each ? 2 : 1;
	return 0;
}

int direct_size(struct topology *topology, const char *hosts, uint64_t nodes, struct error *error)
{
	uint64_t all = nodes;
	if (direct_read(topology, hosts, error))
		return -1;
	topology->channels = UINT64_MAX; /* table.c refuses it */
	if ((topology->each && __builtin_mul_overflow(nodes, topology->each, &all)) || nodes > TOPOLOGY_CHANNELS_MAX ||
		all > TOPOLOGY_CHANNELS_MAX)
		return -1;
	topology->hosts = (uint32_t)all;
	topology->switches = topology->each ? (uint32_t)nodes : 0;
	topology->channels = topology->each ? 2 * all : 0;
	return 0;
}
