#include "shapes/fat_tree.h"

enum { PORTS = 256 }; /* of InfiniBand; others stay unknown */

/* Counts the ports of a node by which it is cabled to another, or all its ports if that is NONE. Returns whether there are any. */
static bool count_ports(const struct fabric *f, uint32_t node, uint32_t to, uint32_t *count)
{
	bool any = false;
	for (uint32_t c = f->first_channel[node]; c < f->first_channel[node + 1]; c++)
		if ((to == NONE || f->head[c] == to) && f->labels->port[c] < PORTS) {
			count[f->labels->port[c]]++;
			any = true;
		}
	return any;
}

uint32_t fat_tree_port(const struct fat_tree *tree, const struct fabric *fabric, const struct fat_cable *cable, bool upper, uint32_t nth)
{
	const struct fat_block *b = &tree->block[cable->block];
	const uint32_t *sibling = tree->member + b->first + (upper ? b->lowers : 0);
	uint32_t own = upper ? cable->upper : cable->lower, far = upper ? cable->lower : cable->upper;
	uint32_t count[PORTS] = {0}, used[PORTS] = {0}, cabled = 0;
	for (uint32_t i = 0; i < (upper ? b->uppers : b->lowers); i++)
		if (sibling[i] != own)
			cabled += count_ports(fabric, sibling[i], far, count);
	count_ports(fabric, own, NONE, used);
	for (uint32_t port = 1; port < PORTS; port++)
		if (2 * count[port] > cabled && !used[port] && !nth--)
			return port;
	return 0;
}
