#include "base/memory.h"
#include "fabric/destination_trees.h"
#include "tools/check/changes.h"

#include <stdlib.h>

/* Hosts that start at the same place, in both fabrics: numbers of starts, see struct destination_trees. */
struct source_group {
	uint32_t old, now, hosts;
	bool same; /* the starts, and the hosts' channels before them, are the same */
};

struct comparison {
	struct changes *changes;
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	struct destination_trees old, now;
	struct source_group *group; /* [groups] */
	uint32_t groups;
	uint32_t *group_of;          /* [hosts] NONE: only one fabric has the host */
	struct changed_table *table; /* [nodes] */
	bool *changed;               /* [nodes] the path from here to the destination of the current trees */
	struct error *error;
};

static uint32_t old_host(const struct comparison *c, uint32_t host)
{
	uint32_t node = c->changes->back[c->fabric->host_node[host]];
	return node == NONE ? NONE : c->changes->old->node_host[node];
}

/* ---- sources */

struct placed_host {
	uint32_t old, now, host;
	bool same;
};

static int compare_places(const void *left, const void *right)
{
	const struct placed_host *a = left, *b = right;
	if (a->old != b->old)
		return a->old < b->old ? -1 : 1;
	if (a->now != b->now)
		return a->now < b->now ? -1 : 1;
	return a->same != b->same ? a->same - b->same : (a->host > b->host) - (a->host < b->host);
}

static bool same_start(const struct comparison *c, uint32_t old, uint32_t now)
{
	uint32_t a = c->old.link[old], b = c->now.link[now];
	uint32_t from = c->old.start[c->old.start_of[old]].node, to = c->now.start[c->now.start_of[now]].node;
	return changes_same_channel(c->changes, c->fabric, a, b, false) && c->changes->same[from] == to;
}

static int group_hosts(struct comparison *c)
{
	uint32_t count = 0;
	struct placed_host *list = array_create(c->fabric->hosts, sizeof *list, c->error);
	c->group = array_create(c->fabric->hosts, sizeof *c->group, c->error);
	c->group_of = array_create(c->fabric->hosts, sizeof *c->group_of, c->error);
	for (uint32_t h = 0; h < c->fabric->hosts && !c->error->status; h++) {
		uint32_t old = old_host(c, h);
		c->group_of[h] = NONE;
		if (old != NONE)
			list[count++] = (struct placed_host){c->old.start_of[old], c->now.start_of[h], h, same_start(c, old, h)};
	}
	if (count && !c->error->status)
		qsort(list, count, sizeof *list, compare_places);
	for (uint32_t i = 0; i < count && !c->error->status; i++) {
		const struct placed_host *p = &list[i];
		if (!i || p->old != p[-1].old || p->now != p[-1].now || p->same != p[-1].same)
			c->group[c->groups++] = (struct source_group){p->old, p->now, 0, p->same};
		c->group[c->groups - 1].hosts++;
		c->group_of[p->host] = c->groups - 1;
	}
	free(list);
	return c->error->status ? -1 : 0;
}

/* ---- entries */

/* Returns whether the old node forwards to the old destination by the same channels as the new one. */
static bool same_ways(
	const struct comparison *c, uint32_t old, uint32_t old_to, uint32_t now, uint32_t to, bool ports, uint32_t *was, uint32_t *is)
{
	const uint32_t *a, *b;
	const double *share;
	uint32_t only[2];
	*was = forwarding_ways(c->changes->forwarding, old, old_to, &a, &share, &only[0]);
	*is = forwarding_ways(c->forwarding, now, to, &b, &share, &only[1]);
	uint32_t equal = 0;
	for (uint32_t i = 0; i < *was; i++)
		for (uint32_t k = 0; k < *is; k++)
			equal += changes_same_channel(c->changes, c->fabric, a[i], b[k], ports);
	return *was == *is && equal == *was;
}

/* Compares the entries of all switches for a destination. */
static void compare_entries(struct comparison *c, uint32_t old_to, uint32_t to)
{
	uint32_t was, is;
	for (uint32_t v = 0; v < c->fabric->nodes; v++) {
		uint32_t old = c->changes->back[v];
		if (old == NONE || c->fabric->node_host[v] != NONE)
			continue;
		bool same = same_ways(c, old, old_to, v, to, true, &was, &is);
		c->changes->entries += was || is;
		c->table[v].changed += !same && was && is;
		c->table[v].removed += was && !is;
		c->table[v].added += !was && is;
	}
}

static int keep_tables(struct comparison *c)
{
	struct changes *changes = c->changes;
	for (uint32_t v = 0; v < c->fabric->nodes; v++) {
		struct changed_table *t = &c->table[v];
		t->now = v;
		changes->entry_changed += t->changed;
		changes->entry_removed += t->removed;
		changes->entry_added += t->added;
		if (!t->changed && !t->removed && !t->added)
			continue;
		if (array_grow(&changes->table, &changes->table_room, changes->tables + 1, sizeof *t, c->error))
			return -1;
		changes->table[changes->tables++] = *t;
	}
	return 0;
}

/* ---- routes */

static bool arrives(const struct destination_trees *trees, uint32_t start)
{
	return trees->distance[trees->start[start].node] < TREE_DISTANCE_END;
}

/* Sets changed of all nodes of the new tree: each comes after those that it forwards to. */
static void compare_paths(struct comparison *c, uint32_t old_to, uint32_t to)
{
	uint32_t was, is;
	const uint32_t *channel;
	for (uint32_t i = 0; i < c->now.count; i++) {
		uint32_t v = c->now.order[i], old = c->changes->back[v];
		c->changed[v] = old == NONE || c->old.distance[old] >= TREE_DISTANCE_END;
		if (v == c->fabric->host_node[to] || c->changed[v])
			continue;
		c->changed[v] = !same_ways(c, old, old_to, v, to, false, &was, &is);
		uint32_t ways = destination_trees_ways(&c->now, v, &channel);
		for (uint32_t k = 0; k < ways; k++)
			c->changed[v] = c->changed[v] || c->changed[c->fabric->head[channel[k]]];
	}
}

/* Returns how the routes of a group changed; ROUTE_CHANGES: not at all, or it has none. */
static enum route_change change_of(const struct comparison *c, const struct source_group *g)
{
	bool was = arrives(&c->old, g->old), is = arrives(&c->now, g->now);
	if (!was || !is)
		return was ? ROUTE_LOST : is ? ROUTE_GAINED : ROUTE_CHANGES;
	return g->same && !c->changed[c->now.start[g->now].node] ? ROUTE_CHANGES : ROUTE_CHANGED;
}

static int list_routes(struct comparison *c, uint32_t to)
{
	struct changes *changes = c->changes;
	for (uint32_t h = 0; h < c->fabric->hosts && changes->routes < changes->keep; h++) {
		enum route_change change = h == to || c->group_of[h] == NONE ? ROUTE_CHANGES : change_of(c, &c->group[c->group_of[h]]);
		if (change == ROUTE_CHANGES)
			continue;
		if (array_grow(&changes->route, &changes->route_room, changes->routes + 1, sizeof *changes->route, c->error))
			return -1;
		changes->route[changes->routes++] = (struct changed_route){change, h, to};
	}
	return 0;
}

static int compare_routes(struct comparison *c, uint32_t old_to, uint32_t to)
{
	uint64_t found = 0;
	destination_trees_make(&c->old, old_to);
	destination_trees_make(&c->now, to);
	compare_paths(c, old_to, to);
	for (uint32_t i = 0; i < c->groups; i++) {
		uint64_t hosts = c->group[i].hosts - (i == c->group_of[to]);
		enum route_change change = hosts ? change_of(c, &c->group[i]) : ROUTE_CHANGES;
		c->changes->pairs += hosts;
		if (change == ROUTE_CHANGES)
			continue;
		c->changes->route_count[change] += hosts;
		found += hosts;
	}
	return found && c->changes->routes < c->changes->keep ? list_routes(c, to) : 0;
}

int changes_of_routes(struct changes *changes, const struct fabric *fabric, const struct forwarding *forwarding, struct error *error)
{
	struct comparison c = {.changes = changes, .fabric = fabric, .forwarding = forwarding, .error = error};
	c.table = array_create(fabric->nodes, sizeof *c.table, error);
	c.changed = array_create(fabric->nodes, sizeof *c.changed, error);
	if (!destination_trees_init(&c.old, changes->old, changes->forwarding, error) && !destination_trees_take_all(&c.old, error) &&
		!destination_trees_init(&c.now, fabric, forwarding, error) && !destination_trees_take_all(&c.now, error) &&
		!error->status && !group_hosts(&c)) {
		for (uint32_t to = 0; to < fabric->hosts && !error->status; to++) {
			uint32_t old_to = old_host(&c, to);
			if (old_to == NONE)
				continue;
			compare_entries(&c, old_to, to);
			compare_routes(&c, old_to, to);
		}
		if (!error->status)
			keep_tables(&c);
	}
	destination_trees_clear(&c.old);
	destination_trees_clear(&c.now);
	free(c.group);
	free(c.group_of);
	free(c.table);
	free(c.changed);
	return error->status ? -1 : 0;
}
