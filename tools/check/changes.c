#include "tools/check/changes.h"

#include "base/memory.h"
#include "tools/check/same_nodes.h"

#include <stdlib.h>
#include <string.h>

/* ---- nodes */

static int note_node(struct changes *c, enum node_change change, uint32_t old, uint32_t now, struct error *error)
{
	if (array_grow(&c->node, &c->node_room, c->nodes + 1, sizeof *c->node, error))
		return -1;
	c->node[c->nodes++] = (struct changed_node){change, old, now};
	c->node_count[change]++;
	return 0;
}

/* Returns whether the description differs or, if one has none, the name. */
static bool renamed(const struct fabric_labels *old, uint32_t a, const struct fabric_labels *now, uint32_t b)
{
	return *old->desc[a] && *now->desc[b] ? strcmp(old->desc[a], now->desc[b]) : strcmp(old->name[a], now->name[b]);
}

static bool have_lids(const struct fabric *f)
{
	uint32_t v = 0;
	while (v < f->nodes && !f->labels->lid[v])
		v++;
	return v < f->nodes;
}

static int find_nodes(struct changes *c, const struct fabric *f, struct error *error)
{
	const struct fabric_labels *old = c->old->labels, *now = f->labels;
	bool lids = have_lids(c->old) && have_lids(f);
	for (uint32_t v = 0; v < c->old->nodes && !error->status; v++) {
		uint32_t u = c->same[v];
		if (u == NONE) {
			note_node(c, NODE_REMOVED, v, NONE, error);
			continue;
		}
		c->same_nodes++;
		c->back[u] = v;
		if (old->guid[v] && now->guid[u] && old->guid[v] != now->guid[u])
			note_node(c, NODE_REPLACED, v, u, error);
		if (renamed(old, v, now, u))
			note_node(c, NODE_RENAMED, v, u, error);
		if (lids && old->lid[v] != now->lid[u])
			note_node(c, NODE_LID, v, u, error);
	}
	for (uint32_t u = 0; u < f->nodes && !error->status; u++)
		if (c->back[u] == NONE)
			note_node(c, NODE_ADDED, NONE, u, error);
	return error->status ? -1 : 0;
}

/* ---- cables */

static int note_cable(struct changes *c, enum cable_change change, uint32_t old, uint32_t now, struct error *error)
{
	if (array_grow(&c->cable, &c->cable_room, c->cables + 1, sizeof *c->cable, error))
		return -1;
	c->cable[c->cables++] = (struct changed_cable){change, old, now};
	c->cable_count[change]++;
	return 0;
}

/* Returns whether both nodes of a cable remain. */
static bool remains(const struct changes *c, const struct cable *cable, uint32_t nodes)
{
	for (int i = 0; i < 2; i++)
		if (cable->end[i].node >= nodes || c->back[cable->end[i].node] == NONE)
			return false;
	return true;
}

/* Notes the cables whose nodes remain, or the others, which nodes that were removed or added explain. */
static int find_cables(struct changes *c, bool remaining, uint32_t nodes, struct error *error)
{
	for (uint32_t i = 0; i < c->before.cables && !error->status; i++) {
		const struct cable *cable = &c->before.cable[i];
		if (remains(c, cable, nodes) != remaining)
			continue;
		if (cable->match == NONE)
			note_cable(c, CABLE_REMOVED, i, NONE, error);
		else if (cable->how == CABLE_MOVED)
			note_cable(c, CABLE_MOVED_TO, i, cable->match, error);
		else if (cables_differ_in_speed(cable, &c->now.cable[cable->match]))
			note_cable(c, CABLE_SPEED, i, cable->match, error);
		else
			c->same_cables++;
	}
	for (uint32_t i = 0; i < c->now.cables && !error->status; i++)
		if (c->now.cable[i].match == NONE && remains(c, &c->now.cable[i], nodes) == remaining)
			note_cable(c, CABLE_ADDED, NONE, i, error);
	return error->status ? -1 : 0;
}

/* Sets to_now by the cables with the same ends. */
static void map_channels(struct changes *c, const uint32_t *old_reverse, const uint32_t *reverse)
{
	for (uint32_t i = 0; i < c->before.cables; i++) {
		const struct cable *old = &c->before.cable[i], *now = old->match == NONE ? NULL : &c->now.cable[old->match];
		if (!now || old->how != CABLE_SAME)
			continue;
		uint32_t there = now->channel, back = reverse[there];
		c->to_now[old->channel] = old->turned == now->turned ? there : back;
		if (old_reverse[old->channel] != NONE)
			c->to_now[old_reverse[old->channel]] = old->turned == now->turned ? back : there;
	}
}

bool changes_same_channel(const struct changes *changes, const struct fabric *fabric, uint32_t old, uint32_t now, bool ports)
{
	if (old == NONE || now == NONE)
		return old == now;
	uint32_t a = ports ? changes->old->labels->port[old] : 0, b = ports ? fabric->labels->port[now] : 0;
	return a && b ? a == b : changes->to_now[old] == now;
}

/* ---- all */

static uint32_t *new_array(uint32_t count, struct error *error)
{
	uint32_t *array = array_create(count, sizeof *array, error);
	for (uint32_t i = 0; i < count && array; i++)
		array[i] = NONE;
	return array;
}

static int compare_cables(struct changes *c, const struct cabled_fabric *fabric, struct error *error)
{
	const struct fabric *f = fabric->fabric;
	uint32_t nodes = f->nodes + c->old->nodes;
	bool *hosts = array_create(nodes, sizeof *hosts, error);
	uint32_t *reverse = fabric_reverse(c->old, error);
	const struct cabled_fabric old = {c->old, reverse, c->attributes, c->same, f->nodes};
	if (!error->status && !cable_list_of_fabric(&c->before, &old, error) && !cable_list_of_fabric(&c->now, fabric, error)) {
		for (uint32_t v = 0; v < nodes; v++)
			hosts[v] = v < f->nodes ? f->node_host[v] != NONE : c->old->node_host[v - f->nodes] != NONE;
		if (!cable_list_match(&c->before, &c->now, hosts, nodes, error) && !find_cables(c, true, f->nodes, error) &&
			!find_cables(c, false, f->nodes, error))
			map_channels(c, reverse, fabric->reverse);
	}
	free(hosts);
	free(reverse);
	return error->status ? -1 : 0;
}

static bool routed(const struct fabric *f, const struct forwarding *forwarding)
{
	uint32_t v = 0;
	while (v < f->nodes && (f->node_host[v] != NONE || !forwarding_any(forwarding, v)))
		v++;
	return v < f->nodes || !f->nodes;
}

int changes_find(struct changes *changes, struct fabric_source *source, struct files *files, FILE *notes,
	const struct cabled_fabric *fabric, const struct forwarding *forwarding, uint64_t keep, struct error *error)
{
	struct changes *c = changes;
	const struct fabric *f = fabric->fabric;
	*c = (struct changes){.keep = keep};
	unsigned wants = DOT_ALLOW_NO_LINK | DOT_KEEP_READ | DOT_TABLES | DOT_ALTERNATIVES;
	if (fabric_source_load(source, wants, files, notes, &c->old, &c->forwarding, &c->attributes, &c->odd, error))
		return -1;
	c->same = same_nodes(f, c->old, error);
	c->back = new_array(f->nodes, error);
	c->to_now = new_array(c->old->channels, error);
	if (error->status || find_nodes(c, f, error) || compare_cables(c, fabric, error))
		return -1;
	c->uncompared = !forwarding                      ? "the routes are source routes"
			: !routed(f, forwarding)         ? "the fabric has none"
			: !routed(c->old, c->forwarding) ? "the old fabric has none"
							 : NULL;
	if (!c->uncompared && changes_of_routes(c, f, forwarding, error))
		return -1;
	c->any = c->nodes || c->cables || c->tables || c->route_count[ROUTE_CHANGED] || c->route_count[ROUTE_LOST] ||
		 c->route_count[ROUTE_GAINED] || (forwarding && routed(f, forwarding) != routed(c->old, c->forwarding));
	return 0;
}

void changes_clear(struct changes *changes)
{
	cable_list_clear(&changes->before);
	cable_list_clear(&changes->now);
	free(changes->same);
	free(changes->back);
	free(changes->to_now);
	free(changes->node);
	free(changes->cable);
	free(changes->table);
	free(changes->route);
	attributes_free(changes->attributes);
	forwarding_free(changes->forwarding);
	fabric_free(changes->old);
	*changes = (struct changes){0};
}
