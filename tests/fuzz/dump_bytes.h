/* Any bytes through the readers of dumps: refused in one line, or a subnet that is in order. */
#ifndef TESTS_FUZZ_DUMP_BYTES_H
#define TESTS_FUZZ_DUMP_BYTES_H

#include "memory_file.h"
#include "infiniband/dump.h"
#include "infiniband/port_lanes.h"

#include <string.h>

static inline void check_line(const struct error *error)
{
	CHECK(error->status == STATUS_IO || error->status == STATUS_FABRIC);
	CHECK(*error->text);
	for (const char *c = error->text; *c; c++)
		CHECK((unsigned char)*c >= ' ' && *c != 127);
}

static inline void check_node(const struct subnet *subnet, uint32_t n)
{
	const struct subnet_node *node = &subnet->node[n];
	CHECK(node->id && node->desc && node->kind <= NODE_ROUTER && node->sl2vl_ports < 256);
	for (size_t i = 0; i < node->slots; i++)
		CHECK(node->port[i] == NONE || (node->port[i] < subnet->ports && subnet->port[node->port[i]].node == n));
	for (size_t i = 0; node->sl2vl && i < ((size_t)node->sl2vl_ports + 1) * (node->sl2vl_ports + 1) * SERVICE_LEVELS; i++)
		CHECK(node->sl2vl[i] < 16);
	CHECK(!node->guid || subnet_find_node(subnet, node->guid) == n);
}

static inline void check_weights(const struct lane_weights *weights)
{
	CHECK(weights->entries <= ARBITRATION_ENTRIES);
	for (uint32_t i = 0; i < weights->entries; i++)
		CHECK(weights->entry[i].lane < 16 && weights->entry[i].weight);
}

static inline void check_subnet(const struct subnet *subnet)
{
	for (uint32_t n = 0; n < subnet->nodes; n++)
		check_node(subnet, n);
	for (uint32_t p = 0; p < subnet->ports; p++) {
		const struct subnet_port *port = &subnet->port[p];
		CHECK(port->node < subnet->nodes && port->rate < RATES);
		CHECK(port->peer == NONE || (port->peer < subnet->ports && subnet->port[port->peer].peer == p));
		if (port->virtual_lanes) {
			check_weights(&port->virtual_lanes->arbitration.high);
			check_weights(&port->virtual_lanes->arbitration.low);
		}
	}
	for (uint32_t c = 0; c < subnet->claims; c++)
		CHECK(subnet->claim[c].lid && subnet->claim[c].lid <= LID_LAST && subnet->claim[c].lmc < 8 && subnet->claim[c].desc);
}

static inline void read_dump(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct memory_file memory = memory_file_create(data, size);
	struct subnet *subnet = subnet_create(&error);
	CHECK(subnet);
	if (dump_read(subnet, memory.path, 1 << DUMP_TOPOLOGY | 1 << DUMP_TABLES | 1 << DUMP_LANES | 1 << DUMP_LEVELS, &error))
		check_line(&error);
	else
		CHECK(!port_lanes_resolve(subnet, &error));
	check_subnet(subnet);
	subnet_free(subnet);
	memory_file_close(&memory);
}

#endif
