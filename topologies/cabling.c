#include "topologies/cabling.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

int cabling_start(struct topology *topology, uint64_t hosts, uint64_t switches, uint64_t cables, struct error *error)
{
	uint64_t most = CABLING_CHANNELS_MAX / 2;
	if (cables > most || hosts > most || switches > most)
		return error_set(error, STATUS_USAGE,
			"too large: more than %" PRIu64 " channels, the limit of a topology whose cables are stored", CABLING_CHANNELS_MAX);
	struct cabling *cabling = topology->cabling = array_create(1, sizeof *cabling, error);
	topology->hosts = (uint32_t)hosts;
	topology->switches = (uint32_t)switches;
	topology->channels = 0;
	return cabling ? array_grow(&cabling->cable, &cabling->capacity, cables, sizeof *cabling->cable, error) : -1;
}

int cabling_start_direct(struct topology *topology, const char *hosts, uint64_t nodes, uint64_t cables, struct error *error)
{
	if (direct_size(topology, hosts, nodes, error) && error->status)
		return -1;
	uint64_t more = topology->channels / 2, all;
	if (__builtin_add_overflow(cables, more, &all))
		all = UINT64_MAX;
	if (cabling_start(topology, topology->hosts, topology->switches, all, error))
		return -1;
	for (uint32_t host = 0; host < more; host++)
		cabling_add(topology, host, cabling_switch(topology, host / topology->each));
	return 0;
}

void cabling_add(struct topology *topology, uint32_t a, uint32_t b)
{
	cabling_add_cable(topology, (struct cable){a, b, false, a >= topology->hosts && b >= topology->hosts});
}

void cabling_add_cable(struct topology *topology, struct cable cable)
{
	struct cabling *cabling = topology->cabling;
	if (array_grow(&cabling->cable, &cabling->capacity, cabling->count + 1, sizeof *cabling->cable, &cabling->error))
		return;
	cabling->cable[cabling->count++] = cable;
	topology->channels += 2 - cable.one_way;
}

/* Lays out the ports: fills first with the first port of each node. */
static void lay_out(struct cabling *cabling, uint32_t nodes, uint32_t *next, unsigned *tiers)
{
	for (size_t i = 0; i < cabling->count; i++) {
		const struct cable *cable = &cabling->cable[i];
		cabling->first[cable->a + 1]++;
		cabling->first[cable->b + 1] += !cable->one_way;
		*tiers = cable->tier < *tiers ? *tiers : cable->tier + 1u;
	}
	for (uint32_t node = 0; node < nodes; node++)
		cabling->first[node + 1] += cabling->first[node];
	for (size_t i = 0; i < cabling->count; i++) {
		const struct cable *cable = &cabling->cable[i];
		uint32_t a = next[cable->a]++, b = cable->one_way ? TOPOLOGY_NO_PORT : next[cable->b]++;
		cabling->end[cabling->first[cable->a] + a] = (struct cable_end){cable->b, b};
		cabling->tier[cabling->first[cable->a] + a] = cable->tier;
		if (!cable->one_way) {
			cabling->end[cabling->first[cable->b] + b] = (struct cable_end){cable->a, a};
			cabling->tier[cabling->first[cable->b] + b] = cable->tier;
		}
	}
}

int cabling_finish(struct topology *topology, struct error *error)
{
	struct cabling *cabling = topology->cabling;
	uint32_t nodes = topology->hosts + topology->switches, *next = NULL;
	if (cabling->error.status)
		return error_set(error, cabling->error.status, "%s", cabling->error.text);
	if (topology->channels > CABLING_CHANNELS_MAX)
		return error_set(error, STATUS_USAGE,
			"too large: more than %" PRIu64 " channels, the limit of a topology whose cables are stored", CABLING_CHANNELS_MAX);
	if ((cabling->first = array_create((size_t)nodes + 1, sizeof *cabling->first, error)) &&
		(cabling->end = array_create(topology->channels, sizeof *cabling->end, error)) &&
		(cabling->tier = array_create(topology->channels, sizeof *cabling->tier, error)) &&
		(next = array_create(nodes, sizeof *next, error)))
		lay_out(cabling, nodes, next, &topology->tiers);
	free(next);
	free(cabling->cable);
	cabling->cable = NULL;
	return error->status ? -1 : 0;
}

void cabling_free(struct cabling *cabling)
{
	if (!cabling)
		return;
	free(cabling->cable);
	free(cabling->first);
	free(cabling->end);
	free(cabling->tier);
	free(cabling);
}

static uint32_t id_of(const struct topology *topology, bool host, uint32_t node)
{
	return host ? node : topology->hosts + node;
}

uint32_t cabling_ports(const struct topology *topology, bool host, uint32_t node)
{
	const uint32_t *first = topology->cabling->first + id_of(topology, host, node);
	return first[1] - first[0];
}

struct topology_port cabling_peer(const struct topology *topology, struct topology_port port)
{
	const struct cabling *cabling = topology->cabling;
	struct cable_end end = cabling->end[cabling->first[id_of(topology, port.host, port.node)] + port.port];
	bool host = end.node < topology->hosts;
	return (struct topology_port){host, host ? end.node : end.node - topology->hosts, end.port};
}

unsigned cabling_tier(const struct topology *topology, struct topology_port port)
{
	const struct cabling *cabling = topology->cabling;
	return cabling->tier[cabling->first[id_of(topology, port.host, port.node)] + port.port];
}

uint32_t cabling_route(const struct topology *topology, uint32_t source, uint32_t destination, struct topology_step *steps)
{
	struct topology_port at = {true, source, 0};
	uint32_t length = 0;
	for (; !at.host || at.node != destination; at = cabling_peer(topology, at)) {
		at.port = topology->kind->next(topology, at.host, at.node, destination);
		steps[length] = (struct topology_step){length && at.host ? at.node - topology->hosts : at.node, at.port};
		length++;
	}
	return length;
}
