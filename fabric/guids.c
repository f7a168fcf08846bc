#include "fabric/guids.h"

#include "base/memory.h"
#include "fabric/fabric.h"

#include <stdlib.h>

enum { FIRST_GUID = 0x100000 };

static bool is_cabled(const struct guid_node *node, unsigned number)
{
	return node->cabled[number / 8] >> number % 8 & 1;
}

void guid_node_cable(struct guid_node *node, unsigned number)
{
	node->cabled[number / 8] |= (uint8_t)(1U << number % 8);
}

/* GUIDs in use. */
struct guids {
	uint64_t *slot; /* [mask + 1] */
	size_t mask;
};

static int guids_init(struct guids *guids, size_t count, struct error *error)
{
	guids->mask = 15;
	while (guids->mask < 2 * count)
		guids->mask = 2 * guids->mask + 1;
	guids->slot = array_create(guids->mask + 1, sizeof *guids->slot, error);
	return guids->slot ? 0 : -1;
}

static uint64_t *guid_slot(const struct guids *guids, uint64_t guid)
{
	size_t at = (size_t)(guid * 0x9e3779b97f4a7c15 >> 20) & guids->mask;
	while (guids->slot[at] && guids->slot[at] != guid)
		at = (at + 1) & guids->mask;
	return &guids->slot[at];
}

/*
 * Returns whether the GUID fits the scheme by which ibsim assigns port GUIDs: for a channel adapter, its GUID plus the number of the port;
 * for a switch, its own.
 */
static bool guid_fits(const struct guid_node *node, uint64_t guid, const struct guids *nodes, const struct guids *ports)
{
	if (!guid || *guid_slot(nodes, guid))
		return false;
	if (node->is_switch)
		return !*guid_slot(ports, guid);
	for (unsigned number = 1; number <= GUID_PORTS; number++)
		if (is_cabled(node, number) && (guid + number < guid || *guid_slot(ports, guid + number)))
			return false;
	return true;
}

static void guid_take(const struct guid_node *node, uint64_t guid, const struct guids *nodes, const struct guids *ports)
{
	*guid_slot(nodes, guid) = guid;
	if (node->is_switch)
		*guid_slot(ports, guid) = guid;
	for (unsigned number = 1; !node->is_switch && number <= GUID_PORTS; number++)
		if (is_cabled(node, number))
			*guid_slot(ports, guid + number) = guid + number;
}

uint32_t guids_choose(const struct guid_node *node, uint32_t count, uint64_t *guid, struct error *error)
{
	struct guids nodes = {0}, ports = {0};
	uint64_t next = FIRST_GUID;
	uint32_t changed = 0;
	size_t all = count;
	for (uint32_t n = 0; n < count; n++)
		all += node[n].ports + 1;
	if (guids_init(&nodes, count, error) || guids_init(&ports, all, error)) {
		free(nodes.slot);
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
	free(nodes.slot);
	free(ports.slot);
	return changed;
}
