/* What changed between an old fabric and the one that is checked. */
#ifndef TOOLS_CHECK_CHANGES_H
#define TOOLS_CHECK_CHANGES_H

#include "infiniband/fabric_source.h"
#include "tools/check/cable_list.h"

enum node_change { NODE_REMOVED, NODE_ADDED, NODE_REPLACED, NODE_RENAMED, NODE_LID, NODE_CHANGES };

/* A node that changed: NODE_REPLACED: another GUID, NODE_RENAMED: another description, or name. */
struct changed_node {
	enum node_change change;
	uint32_t old, now; /* nodes, NONE */
};

enum cable_change { CABLE_REMOVED, CABLE_ADDED, CABLE_MOVED_TO, CABLE_SPEED, CABLE_CHANGES };

struct changed_cable {
	enum cable_change change;
	uint32_t old, now; /* cables, NONE */
};

/* Table entries of a switch, for hosts that both fabrics have. */
struct changed_table {
	uint32_t now; /* node */
	uint32_t changed, removed, added;
};

enum route_change { ROUTE_CHANGED, ROUTE_LOST, ROUTE_GAINED, ROUTE_CHANGES };

/* A pair of hosts, of the fabric that is checked. */
struct changed_route {
	enum route_change change;
	uint32_t source, destination;
};

struct changes {
	struct fabric *old;
	struct forwarding *forwarding; /* of the old fabric */
	struct attributes *attributes;
	struct dot_report odd;
	uint32_t *same;                /* [old nodes] node of the fabric, NONE */
	uint32_t *back;                /* [nodes] node of the old fabric, NONE */
	struct cable_list before, now; /* nodes are those of the fabric; others follow, in the order of the old one */
	uint32_t *to_now;              /* [old channels] the same channel in the fabric, NONE */

	struct changed_node *node; /* [nodes] */
	size_t nodes, node_room;
	uint32_t node_count[NODE_CHANGES], same_nodes;
	struct changed_cable *cable; /* [cables] */
	size_t cables, cable_room;
	uint32_t cable_count[CABLE_CHANGES], same_cables;

	const char *uncompared;      /* the reason why entries and routes are not compared; NULL: they are */
	struct changed_table *table; /* [tables] */
	size_t tables, table_room;
	uint64_t entries, entry_changed, entry_removed, entry_added;
	struct changed_route *route; /* [routes] the first ones, at most keep */
	size_t routes, route_room;
	uint64_t keep, pairs, route_count[ROUTE_CHANGES];
	bool any; /* something changed */
};

/*
 * Reads the old fabric and compares the fabric with it. forwarding: of the fabric, NULL: source routes; keep: number of routes to list. The
 * source is open. Returns 0, or -1; call changes_clear() in either case. Time O(hosts * switches), plus O(hosts^2) for routes at most.
 */
int changes_find(struct changes *changes, struct fabric_source *source, struct files *files, FILE *notes,
	const struct cabled_fabric *fabric, const struct forwarding *forwarding, uint64_t keep, struct error *error);
void changes_clear(struct changes *changes);

/* Returns whether both ways of one node are the same: by the channels, or (ports) by the port numbers as far as both are known. */
bool changes_same_channel(const struct changes *changes, const struct fabric *fabric, uint32_t old, uint32_t now, bool ports);

/* A part of changes_find(): entries and routes. Returns 0, or -1 if out of memory. */
int changes_of_routes(struct changes *changes, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);

#endif
