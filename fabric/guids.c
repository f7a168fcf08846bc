#include "fabric/guids.h"

#include "base/number_table.h"
#include "fabric/fabric.h"

enum { FIRST_GUID = 0x100000 };

static bool is_cabled(const struct guid_node *node, unsigned number)
{
	return node->cabled[number / 8] >> number % 8 & 1;
}

void guid_node_cable(struct guid_node *node, unsigned number)
{
	node->cabled[number / 8] |= (uint8_t)(1U << number % 8);
}

static bool is_taken(const struct number_table *guids, uint64_t guid)
{
	return number_table_find(guids, guid) != NUMBER_NONE;
}

/*
 * Returns whether the GUID fits the scheme by which ibsim assigns port GUIDs: for a channel adapter, its GUID plus the number of the port;
 * for a switch, its own.
 */
static bool guid_fits(const struct guid_node *node, uint64_t guid, const struct number_table *nodes, const struct number_table *ports)
{
	if (!guid || is_taken(nodes, guid))
		return false;
	if (node->is_switch)
		return !is_taken(ports, guid);
	for (unsigned number = 1; number <= GUID_PORTS; number++)
		if (is_cabled(node, number) && (guid + number < guid || is_taken(ports, guid + number)))
			return false;
	return true;
}

static void guid_take(const struct guid_node *node, uint64_t guid, struct number_table *nodes, struct number_table *ports)
{
	number_table_add(nodes, guid, 1);
	if (node->is_switch)
		number_table_add(ports, guid, 1);
	for (unsigned number = 1; !node->is_switch && number <= GUID_PORTS; number++)
		if (is_cabled(node, number))
			number_table_add(ports, guid + number, 1);
}

uint32_t guids_choose(const struct guid_node *node, uint32_t count, uint64_t *guid, struct error *error)
{
	struct number_table nodes = {0}, ports = {0};
	uint64_t next = FIRST_GUID;
	uint32_t changed = 0;
	size_t all = count;
	for (uint32_t n = 0; n < count; n++)
		all += node[n].ports + 1;
	if (number_table_init(&nodes, count, error) || number_table_init(&ports, all, error)) {
		number_table_clear(&nodes);
		return NONE;
	}
	for (uint32_t n = 0; n < count; n++) {
		guid[n] = guid_fits(&node[n], node[n].guid, &nodes, &ports) ? node[n].guid : 0;
		if (guid[n])
			guid_take(&node[n], guid[n], &nodes, &ports);
	}
	for (uint32_t n = 0; n < count; n++) {
		if (guid[n])
			continue;
		while (!guid_fits(&node[n], next, &nodes, &ports))
			next++;
		guid_take(&node[n], next, &nodes, &ports);
		guid[n] = next;
		next += node[n].ports + 1;
		changed++;
	}
	number_table_clear(&nodes);
	number_table_clear(&ports);
	return changed;
}
