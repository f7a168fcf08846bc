#include "fabric/whole_fabric.h"

#include "base/args.h"
#include "base/memory.h"
#include "base/number_table.h"
#include "fabric/whole_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const whole_other_types[] = {
	[WHOLE_AGGREGATION] = "aggregation", [WHOLE_ROUTER] = "router", [WHOLE_PORT] = "port", [WHOLE_SPARE] = "spare", NULL};

enum whole_other whole_other(const char *type)
{
	int other = 0;
	while (type && whole_other_types[other] && strcmp(type, whole_other_types[other]) != 0)
		other++;
	return type ? (enum whole_other)other : WHOLE_NO_OTHER;
}

/* A cable between two places, of that many channels. */
struct cable {
	uint64_t one, other;
	unsigned channels;
};

/* State of numbering, while it is not known how many ports a node has. A place is node << 8 | number of a port. */
struct numbering {
	struct whole_build *b;
	uint32_t *reverse;        /* [channels] channel in the opposite direction, NONE */
	uint64_t *place;          /* [channels] of the tail, 0: none yet */
	uint64_t *lid_place;      /* [vertices] the port that has its LID */
	uint64_t *port_guid;      /* [channels + vertices] of the port at the tail, or that has the LID; 0: unknown */
	struct cable *cable;      /* [cables] */
	uint8_t (*used)[32];      /* [nodes] numbers of ports: bits */
	uint8_t (*joined)[32];    /* [nodes] those with a cable */
	struct number_table node; /* of a GUID */
	size_t capacity, used_capacity, joined_capacity;
	uint32_t cables;
};

static bool has_bit(uint8_t bits[32], unsigned number)
{
	return bits[number / 8] >> number % 8 & 1;
}

static void set_bit(uint8_t bits[32], unsigned number)
{
	bits[number / 8] |= (uint8_t)(1U << number % 8);
}

static uint64_t place_of(uint32_t node, unsigned number)
{
	return (uint64_t)node << 8 | number;
}

/* ---- what the graph states */

static struct whole_columns find_columns(const struct attributes *a)
{
	return (struct whole_columns){
		.type = attributes_find(a, ATTRIBUTE_NODE, "type"),
		.guid = attributes_find(a, ATTRIBUTE_NODE, "guid"),
		.node_guid = attributes_find(a, ATTRIBUTE_NODE, "node_guid"),
		.system_guid = attributes_find(a, ATTRIBUTE_NODE, "system_guid"),
		.lid = attributes_find(a, ATTRIBUTE_NODE, "lid"),
		.lmc = attributes_find(a, ATTRIBUTE_NODE, "lmc"),
		.lids = attributes_find(a, ATTRIBUTE_NODE, "lids"),
		.ports = attributes_find(a, ATTRIBUTE_NODE, "ports"),
		.desc = attributes_find(a, ATTRIBUTE_NODE, "desc"),
		.loops = attributes_find(a, ATTRIBUTE_NODE, "loops"),
		.port = attributes_find(a, ATTRIBUTE_CHANNEL, "port"),
		.peer_port = attributes_find(a, ATTRIBUTE_CHANNEL, "peer_port"),
		.port_guid = attributes_find(a, ATTRIBUTE_CHANNEL, "guid"),
		.port_node_guid = attributes_find(a, ATTRIBUTE_CHANNEL, "node_guid"),
		.port_system_guid = attributes_find(a, ATTRIBUTE_CHANNEL, "system_guid"),
		.port_desc = attributes_find(a, ATTRIBUTE_CHANNEL, "desc"),
		.port_lid = attributes_find(a, ATTRIBUTE_CHANNEL, "lid"),
		.port_lmc = attributes_find(a, ATTRIBUTE_CHANNEL, "lmc"),
		.port_lids = attributes_find(a, ATTRIBUTE_CHANNEL, "lids"),
	};
}

static const char *vertex_name(const struct whole_build *b, uint32_t v)
{
	return b->attributes->name[v];
}

uint64_t build_number(const struct whole_build *b, const struct attribute *column, uint32_t index, uint32_t v, int64_t most)
{
	const char *text = attribute_get(column, index);
	int64_t number = 0;
	uint64_t guid = 0;
	if (!text || (most < 0 ? read_guid(text, &guid) : read_integer(text, 0, most, &number)))
		return most < 0 ? guid : (uint64_t)number;
	error_at(b->error, STATUS_FABRIC, b->source, 0, "node '%s' has the %s '%.60s', not %s", vertex_name(b, v), column->name, text,
		most < 0    ? "up to 16 hexadecimal digits"
		: most == 7 ? "a number up to 7"
			    : "a number in its range");
	return 0;
}

static const char *desc_of(const struct whole_build *b, uint32_t v)
{
	const char *desc = v < b->fabric->nodes ? b->fabric->labels->desc[v] : attribute_get(b->column.desc, v);
	return desc && *desc ? desc : vertex_name(b, v);
}

static bool is_switch(const struct whole_build *b, uint32_t v)
{
	return v < b->fabric->nodes ? b->fabric->node_host[v] == NONE : whole_other(attribute_get(b->column.type, v)) == WHOLE_SPARE;
}

static uint32_t stated_port(const struct whole_build *b, uint32_t c, uint32_t v)
{
	if (c < b->fabric->channels)
		return b->fabric->labels->port[c];
	return (uint32_t)build_number(b, b->column.port, c, v, UINT32_MAX - 1);
}

static uint32_t stated_peer_port(const struct whole_build *b, uint32_t c, uint32_t v)
{
	if (c < b->fabric->channels)
		return b->fabric->labels->peer_port[c];
	return (uint32_t)build_number(b, b->column.peer_port, c, v, UINT32_MAX - 1);
}

/* Reads 16 hexadecimal digits after the first characters of a name; 0 for other names. */
static uint64_t guid_in_name(const char *digits)
{
	uint64_t guid;
	return strlen(digits) == 16 && read_guid(digits, &guid) ? guid : 0;
}

/* Returns the GUID of a vertex: of a switch, or of the port of the others. */
static uint64_t vertex_guid(const struct whole_build *b, uint32_t v)
{
	uint64_t guid = v < b->fabric->nodes ? b->fabric->labels->guid[v] : build_number(b, b->column.guid, v, v, -1);
	const char *name = vertex_name(b, v);
	size_t letters = strspn(name, "HSR-");
	return guid ? guid : guid_in_name(name + (letters < 3 ? letters : 0));
}

/* Returns the GUID of a node whose name is that of ibnetdiscover, such as S-0002c90300a1b2c3; 0 for other names. */
static uint64_t guid_named(const char *name)
{
	return name[0] && strchr("HSR", name[0]) && name[1] == '-' ? guid_in_name(name + 2) : 0;
}

/* ---- nodes */

/* Returns the node that already has another port of the same adapter or router, NONE if there is none. desc: NULL for any description. */
static uint32_t find_node(const struct numbering *n, uint64_t guid, unsigned number, enum whole_kind kind, const char *desc)
{
	uint32_t found = guid ? (uint32_t)number_table_find(&n->node, guid) : NONE;
	const struct whole_node *node = &n->b->whole->node[found == NONE ? 0 : found];
	return found != NONE && node->kind == kind && !has_bit(n->used[found], number) && (!desc || !strcmp(node->desc, desc)) ? found
															       : NONE;
}

/* Adds a node. guid: 0 if unknown. Returns it, or NONE if out of memory. */
static uint32_t add_node(struct numbering *n, uint64_t guid, uint64_t system_guid, enum whole_kind kind, const char *name, const char *desc)
{
	struct whole_fabric *w = n->b->whole;
	struct error *error = n->b->error;
	if (array_grow(&w->node, &n->capacity, (size_t)w->nodes + 1, sizeof *w->node, error) ||
		array_grow(&n->used, &n->used_capacity, (size_t)w->nodes + 1, sizeof *n->used, error) ||
		array_grow(&n->joined, &n->joined_capacity, (size_t)w->nodes + 1, sizeof *n->joined, error))
		return NONE;
	memset(n->used[w->nodes], 0, sizeof *n->used);
	memset(n->joined[w->nodes], 0, sizeof *n->joined);
	w->node[w->nodes] =
		(struct whole_node){.system_guid = system_guid, .name = name, .desc = desc, .table = NONE, .kind = (uint8_t)kind};
	if (guid && number_table_add(&n->node, guid, w->nodes))
		w->node[w->nodes].guid = guid;
	else
		w->node[w->nodes].twice = guid;
	return w->nodes++;
}

/* Refuses port numbers and counts that a graph can have but an InfiniBand node cannot. */
static int check_ports(const struct whole_build *b, uint32_t v)
{
	uint32_t links = b->first[v + 1] - b->first[v];
	uint64_t count = build_number(b, b->column.ports, v, v, UINT32_MAX - 1);
	if (links > WHOLE_PORTS)
		return error_at(b->error, STATUS_FABRIC, b->source, 0, "node '%s' has %u channels; InfiniBand allows up to %d ports",
			vertex_name(b, v), links, WHOLE_PORTS);
	if (count > UINT8_MAX)
		return error_at(b->error, STATUS_FABRIC, b->source, 0, "node '%s' has %u ports; InfiniBand allows up to %d",
			vertex_name(b, v), (unsigned)count, WHOLE_PORTS);
	for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++) {
		uint32_t c = b->out[i], port = stated_port(b, c, v), peer = stated_peer_port(b, c, v);
		if (port > WHOLE_PORTS || peer > WHOLE_PORTS)
			return error_at(b->error, STATUS_FABRIC, b->source, 0,
				"channel %s -> %s uses port %u; InfiniBand allows up to %d ports", vertex_name(b, v),
				vertex_name(b, build_head(b, c)), port > WHOLE_PORTS ? port : peer, WHOLE_PORTS);
	}
	return b->error->status ? -1 : 0;
}

/* Adds the further ports of a host that several ports are, which can be on other adapters: their channels state it. */
static int add_further_ports(struct numbering *n, uint32_t v)
{
	struct whole_build *b = n->b;
	for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++) {
		uint32_t c = b->out[i], number = stated_port(b, c, v);
		uint64_t guid = build_number(b, b->column.port_node_guid, c, v, -1);
		if (!guid || !number || n->place[c])
			continue;
		const char *desc = attribute_get(b->column.port_desc, c);
		desc = desc ? desc : desc_of(b, v);
		uint32_t node = find_node(n, guid, number, WHOLE_CA, NULL);
		if (node == NONE)
			node = add_node(n, guid, build_number(b, b->column.port_system_guid, c, v, -1), WHOLE_CA, NULL, desc);
		if (node == NONE)
			return -1;
		n->place[c] = place_of(node, number);
		n->port_guid[c] = build_number(b, b->column.port_guid, c, v, -1);
		set_bit(n->used[node], number);
	}
	return b->error->status ? -1 : 0;
}

/* Returns the channel of the port that has the vertex' LID: the first whose port is not described as a further one; NONE without any. */
static uint32_t main_channel(const struct whole_build *b, uint32_t v)
{
	uint32_t i = b->first[v], end = b->first[v + 1];
	while (i < end && (attribute_get(b->column.port_node_guid, b->out[i]) || attribute_get(b->column.port_lid, b->out[i])))
		i++;
	return i < end ? b->out[i] : i > b->first[v] ? b->out[b->first[v]] : NONE;
}

static int add_vertex(struct numbering *n, uint32_t v)
{
	struct whole_build *b = n->b;
	const char *name = vertex_name(b, v), *desc = desc_of(b, v);
	enum whole_other other = v < b->fabric->nodes ? WHOLE_NO_OTHER : whole_other(attribute_get(b->column.type, v));
	uint64_t guid = vertex_guid(b, v), named = guid_named(name), system_guid = build_number(b, b->column.system_guid, v, v, -1);
	uint32_t channel = main_channel(b, v), number = 0, node = NONE;
	if (check_ports(b, v))
		return -1;
	if (is_switch(b, v)) {
		node = add_node(n, named ? named : guid, system_guid, WHOLE_SWITCH, name, desc);
	} else {
		enum whole_kind kind = other == WHOLE_ROUTER ? WHOLE_IS_ROUTER : WHOLE_CA;
		uint64_t node_guid = build_number(b, b->column.node_guid, v, v, -1);
		number = channel != NONE ? stated_port(b, channel, v) : 0;
		number = number ? number : 1;
		bool stated = node_guid != 0;
		node_guid = stated ? node_guid : named ? named : guid > number ? guid - number : 0;
		node = find_node(n, node_guid, number, kind, stated ? NULL : desc);
		if (node == NONE)
			node = add_node(n, node_guid, system_guid, kind, name, desc);
	}
	if (node == NONE)
		return -1;
	struct whole_node *made = &b->whole->node[node];
	uint64_t ports = build_number(b, b->column.ports, v, v, UINT8_MAX);
	if (ports <= WHOLE_PORTS && ports > made->ports)
		made->ports = (uint8_t)ports;
	made->aggregation |= other == WHOLE_AGGREGATION;
	b->whole->node_of[v] = node;
	n->lid_place[v] = place_of(node, number);
	set_bit(n->used[node], number);
	if (!number)
		return b->error->status ? -1 : 0;
	n->port_guid[b->channels + v] = guid;
	if (channel != NONE)
		n->place[channel] = place_of(node, number);
	return add_further_ports(n, v);
}

/* ---- cables of a switch to itself */

/* Receives such a cable, and behind it the text of its link; NULL: it has none. */
typedef void use_loop(struct numbering *n, uint32_t node, unsigned one, unsigned other, const char *link);

/* Calls use for each cable of the attribute loops of a switch: "3-7:4xEDR,9-10". Returns 0, or -1. */
static int each_loop(struct numbering *n, uint32_t v, use_loop *use)
{
	const char *text = is_switch(n->b, v) ? attribute_get(n->b->column.loops, v) : NULL, *rest = text ? text : "";
	unsigned one, other;
	for (int length; sscanf(rest, "%3u-%3u%n", &one, &other, &length) == 2; rest += *rest == ',') {
		if (!one || !other || one == other || one > WHOLE_PORTS || other > WHOLE_PORTS)
			break;
		rest += length;
		use(n, n->b->whole->node_of[v], one, other, *rest == ':' ? rest + 1 : NULL);
		rest += *rest == ':' ? strcspn(rest, ",") : 0;
	}
	if (!*rest)
		return 0;
	return error_at(n->b->error, STATUS_FABRIC, n->b->source, 0,
		"node '%s' has the loops '%.60s', not pairs of its ports, such as 3-7,9-10:4xEDR", vertex_name(n->b, v), text);
}

/* Keeps the ports for the cable. */
static void keep_loop(struct numbering *n, uint32_t node, unsigned one, unsigned other, const char *link)
{
	(void)link;
	set_bit(n->used[node], one);
	set_bit(n->used[node], other);
}

/* ---- cables */

/* Returns whether the known ports allow the channels to be the two directions of one cable. */
static bool may_be_opposite(const struct whole_build *b, uint32_t c, uint32_t v, uint32_t d, uint32_t to)
{
	unsigned here = stated_port(b, c, v), there = stated_peer_port(b, c, v);
	unsigned back = stated_peer_port(b, d, to), from = stated_port(b, d, to);
	return (!here || !back || here == back) && (!there || !from || there == from);
}

static void find_reverse(struct numbering *n, uint32_t v, uint32_t c)
{
	const struct whole_build *b = n->b;
	uint32_t to = build_head(b, c);
	for (uint32_t i = b->first[to]; i < b->first[to + 1]; i++) {
		uint32_t d = b->out[i];
		if (build_head(b, d) == v && d != c && n->reverse[d] == NONE && may_be_opposite(b, c, v, d, to)) {
			n->reverse[c] = d;
			n->reverse[d] = c;
			return;
		}
	}
}

/* Returns the lowest number that the node does not use yet, and uses it. 0 with an error if there is none. */
static unsigned free_number(struct numbering *n, uint32_t node)
{
	for (unsigned number = 1; number <= WHOLE_PORTS; number++)
		if (!has_bit(n->used[node], number)) {
			set_bit(n->used[node], number);
			return number;
		}
	error_at(n->b->error, STATUS_FABRIC, n->b->source, 0, "node '%s' has more than %d ports, the limit of InfiniBand",
		n->b->whole->node[node].name ? n->b->whole->node[node].name : n->b->whole->node[node].desc, WHOLE_PORTS);
	return 0;
}

/* Gives the channel its port: first those whose number either direction states. */
static int number_channel(struct numbering *n, uint32_t v, uint32_t c, bool numbered)
{
	const struct whole_build *b = n->b;
	uint32_t node = b->whole->node_of[v], back = n->reverse[c];
	unsigned number = stated_port(b, c, v);
	if (!number && back != NONE)
		number = stated_peer_port(b, back, build_head(b, c));
	if (n->place[c] || (numbered && !number))
		return 0;
	if (number)
		set_bit(n->used[node], number);
	else
		number = free_number(n, node);
	n->place[c] = place_of(node, number);
	return number ? 0 : -1;
}

/*
 * Returns the place of the port at the far end of a channel without an opposite one: the stated one, otherwise that of the host, otherwise
 * a new port.
 */
static uint64_t far_place(struct numbering *n, uint32_t v, uint32_t c)
{
	uint32_t node = n->b->whole->node_of[build_head(n->b, c)];
	unsigned number = stated_peer_port(n->b, c, v);
	for (unsigned i = 1; !number && n->b->whole->node[node].kind != WHOLE_SWITCH && i <= WHOLE_PORTS; i++)
		if (has_bit(n->used[node], i) && !has_bit(n->joined[node], i))
			number = i;
	if (!number)
		number = free_number(n, node);
	set_bit(n->used[node], number);
	return place_of(node, number);
}

static void add_cable(struct numbering *n, uint64_t one, uint64_t other, unsigned channels)
{
	uint32_t node = (uint32_t)(one >> 8), far = (uint32_t)(other >> 8);
	if (node == far) {
		n->b->whole->self_links++;
		return;
	}
	set_bit(n->joined[node], one & 255);
	set_bit(n->joined[far], other & 255);
	n->cable[n->cables++] = (struct cable){one, other, channels};
}

/* Calls a step for all channels in the order of their tails. */
static int each_channel(struct numbering *n, int (*step)(struct numbering *, uint32_t v, uint32_t c, bool flag), bool flag)
{
	const struct whole_build *b = n->b;
	for (uint32_t v = 0; v < b->whole->vertices; v++)
		for (uint32_t i = b->first[v]; i < b->first[v + 1]; i++)
			if (step(n, v, b->out[i], flag))
				return -1;
	return 0;
}

static int reverse_step(struct numbering *n, uint32_t v, uint32_t c, bool flag)
{
	(void)flag;
	if (n->reverse[c] == NONE)
		find_reverse(n, v, c);
	return 0;
}

/* Joins the ports of a cable: both: those that have channels in both directions. */
static int cable_step(struct numbering *n, uint32_t v, uint32_t c, bool both)
{
	uint32_t back = n->reverse[c];
	if ((back != NONE) != both || (both && back < c))
		return 0;
	uint64_t far = both ? n->place[back] : far_place(n, v, c);
	if (far & 255)
		add_cable(n, n->place[c], far, both ? 2 : 1);
	return n->b->error->status ? -1 : 0;
}

static int add_cables(struct numbering *n)
{
	return each_channel(n, reverse_step, false) || each_channel(n, number_channel, true) || each_channel(n, number_channel, false) ||
	       each_channel(n, cable_step, true) || each_channel(n, cable_step, false);
}

/* ---- ports */

static uint32_t port_at(const struct whole_fabric *w, uint64_t place)
{
	return w->node[place >> 8].port + (uint32_t)(place & 255);
}

static void join_ports(struct whole_fabric *w, uint32_t one, uint32_t other, unsigned channels)
{
	if (w->port[one].peer == NONE && w->port[other].peer == NONE) {
		w->port[one].peer = other;
		w->port[other].peer = one;
	} else if (w->port[one].peer != other) {
		w->conflicts += channels;
	}
}

static int make_ports(struct numbering *n)
{
	struct whole_build *b = n->b;
	struct whole_fabric *w = b->whole;
	for (uint32_t i = 0; i < w->nodes; i++) {
		struct whole_node *node = &w->node[i];
		for (unsigned number = WHOLE_PORTS; number > node->ports; number--)
			if (has_bit(n->used[i], number))
				node->ports = (uint8_t)number;
		node->port = w->ports;
		w->ports += node->ports + 1U;
	}
	w->port = array_create(w->ports, sizeof *w->port, b->error);
	w->port_of = array_create(b->channels, sizeof *w->port_of, b->error);
	if (b->error->status)
		return -1;
	for (uint32_t i = 0; i < w->nodes; i++)
		for (unsigned number = 0; number <= w->node[i].ports; number++)
			w->port[w->node[i].port + number] =
				(struct whole_port){.node = i, .peer = NONE, .channel = NONE, .number = (uint8_t)number};
	for (uint32_t c = 0; c < b->channels; c++) {
		uint32_t p = w->port_of[c] = port_at(w, n->place[c]);
		if (w->port[p].channel == NONE)
			w->port[p].channel = c;
		if (n->port_guid[c] && !w->port[p].guid)
			w->port[p].guid = n->port_guid[c];
	}
	for (uint32_t v = 0; v < w->vertices; v++) {
		uint32_t p = w->lid_port[v] = port_at(w, n->lid_place[v]);
		if (!w->port[p].guid)
			w->port[p].guid = n->port_guid[b->channels + v];
	}
	for (uint32_t i = 0; i < n->cables; i++)
		join_ports(w, port_at(w, n->cable[i].one), port_at(w, n->cable[i].other), n->cable[i].channels);
	return 0;
}

static void join_loop(struct numbering *n, uint32_t node, unsigned one, unsigned other, const char *link)
{
	struct whole_port *port = n->b->whole->port + n->b->whole->node[node].port;
	if (port[one].peer == NONE && port[other].peer == NONE && !port[one].loop && !port[other].loop) {
		port[one].loop = (uint8_t)other;
		port[other].loop = (uint8_t)one;
		port[one].loop_link = port[other].loop_link = link;
	}
}

/* ---- all together */

/* Lists the channels out of each vertex: those of the fabric first. */
static int list_channels(struct whole_build *b)
{
	const struct attributes *a = b->attributes;
	b->first = array_create((size_t)b->whole->vertices + 2, sizeof *b->first, b->error);
	b->out = array_create(b->channels, sizeof *b->out, b->error);
	if (b->error->status)
		return -1;
	uint32_t *next = b->first + 1; /* becomes the first of each vertex, then that of the one after it */
	for (uint32_t v = 0; v < b->fabric->nodes; v++)
		next[v + 1] = b->fabric->first_channel[v + 1] - b->fabric->first_channel[v];
	for (uint32_t i = 0; i < a->other_channels; i++)
		next[a->other_tail[i] + 1]++;
	for (uint32_t v = 0; v < b->whole->vertices; v++)
		next[v + 1] += next[v];
	for (uint32_t v = 0; v < b->fabric->nodes; v++)
		for (uint32_t c = b->fabric->first_channel[v]; c < b->fabric->first_channel[v + 1]; c++)
			b->out[next[v]++] = c;
	for (uint32_t i = 0; i < a->other_channels; i++)
		b->out[next[a->other_tail[i]]++] = b->fabric->channels + i;
	return 0;
}

static int number_all(struct whole_build *b)
{
	struct whole_fabric *w = b->whole;
	struct numbering n = {.b = b};
	size_t ends = (size_t)b->channels + w->vertices;
	n.reverse = array_create(b->channels, sizeof *n.reverse, b->error);
	n.place = array_create(b->channels, sizeof *n.place, b->error);
	n.lid_place = array_create(w->vertices, sizeof *n.lid_place, b->error);
	n.port_guid = array_create(ends, sizeof *n.port_guid, b->error);
	n.cable = array_create(b->channels, sizeof *n.cable, b->error);
	number_table_init(&n.node, ends, b->error);
	if (!b->error->status) {
		memset(n.reverse, 0xff, b->channels * sizeof *n.reverse); /* NONE */
		for (uint32_t v = 0; v < w->vertices && !b->error->status; v++)
			if (add_vertex(&n, v) || each_loop(&n, v, keep_loop))
				break;
		if (!b->error->status && !add_cables(&n) && !make_ports(&n))
			for (uint32_t v = 0; v < w->vertices; v++)
				each_loop(&n, v, join_loop);
	}
	free(n.reverse);
	free(n.place);
	free(n.lid_place);
	free(n.port_guid);
	free(n.cable);
	number_table_clear(&n.node);
	free(n.used);
	free(n.joined);
	return b->error->status ? -1 : 0;
}

struct whole_fabric *whole_fabric_create(
	const struct fabric *fabric, const struct forwarding *forwarding, const struct attributes *attributes, struct error *error)
{
	struct whole_fabric *w = array_create(1, sizeof *w, error);
	struct whole_build b = {.fabric = fabric,
		.forwarding = forwarding,
		.attributes = attributes,
		.column = find_columns(attributes),
		.whole = w,
		.channels = fabric->channels + attributes->other_channels,
		.source = fabric->labels->source,
		.error = error};
	if (!w)
		return NULL;
	w->vertices = fabric->nodes + attributes->others;
	w->node_of = array_create(w->vertices, sizeof *w->node_of, error);
	w->lid_port = array_create(w->vertices, sizeof *w->lid_port, error);
	w->has_lid = array_create(w->vertices, sizeof *w->has_lid, error);
	if (!error->status && !list_channels(&b) && !number_all(&b) && !whole_build_lids(&b) && forwarding)
		whole_build_tables(&b);
	free(b.first);
	free(b.out);
	if (!error->status)
		return w;
	whole_fabric_free(w);
	return NULL;
}

void whole_fabric_free(struct whole_fabric *w)
{
	if (!w)
		return;
	free(w->node);
	free(w->port);
	free(w->node_of);
	free(w->lid_port);
	free(w->port_of);
	free(w->has_lid);
	free(w->component);
	free(w->entry);
	free(w);
}
