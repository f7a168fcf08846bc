#include "infiniband/subnet_dot.h"

#include "base/args.h"
#include "base/memory.h"
#include "fabric/topology_fabric.h"
#include "formats/cache.h"
#include "fabric/whole_fabric.h"
#include "formats/dot_numbers.h"
#include "fabric/service_levels.h"
#include "infiniband/node_name_map.h"
#include "infiniband/subnet_levels.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* A subnet made of the complete subnet of a fabric. */
struct conversion {
	const struct whole_fabric *whole;
	const struct attribute *speed, *width, *rate;
	struct subnet *subnet;
	uint32_t *node; /* [whole->nodes] node of the subnet */
	uint32_t *port; /* [whole->ports] port of the subnet, NONE */
	const char *path;
	struct error *error;
};

/* The device of SHARP aggregation nodes, by which they are recognised. */
enum { MELLANOX = 0x2c9, AGGREGATION_DEVICE = 0xcf09 };

static uint32_t add_node(const struct conversion *to, const struct whole_node *from)
{
	struct subnet *subnet = to->subnet;
	uint32_t before = subnet->nodes, n = from->name ? subnet_node(subnet, from->name, strlen(from->name), to->error)
							: subnet_node_of_guid(subnet, from->guid, NODE_CA, to->error);
	if (n < before) /* long names are truncated */
		error_at(to->error, STATUS_FABRIC, to->path, 0,
			"the name of a node is too long, or contains the GUID of another node: '%s'", from->name ? from->name : from->desc);
	if (n == NONE || n < before || subnet_set_guid(subnet, n, from->guid ? from->guid : from->twice, to->error))
		return NONE;
	struct subnet_node *node = &subnet->node[n];
	node->kind = from->kind == WHOLE_SWITCH ? NODE_SWITCH : from->kind == WHOLE_IS_ROUTER ? NODE_ROUTER : NODE_CA;
	node->system_guid = from->system_guid;
	node->ports = from->ports;
	if (from->aggregation) {
		node->vendor = MELLANOX;
		node->device = AGGREGATION_DEVICE;
	}
	node->desc = subnet_text(subnet, from->desc, strlen(from->desc), to->error);
	if (node->desc && !*node->desc && from->name) /* only blanks and control characters */
		node->desc = subnet_text(subnet, from->name, strlen(from->name), to->error);
	return node->desc ? n : NONE;
}

/* Sets width and speed: "4x" and 100 Gb/s are EDR. A speed without a width is assumed to be that of four lanes, if possible. */
static void set_link(const struct conversion *to, uint32_t p, uint32_t c)
{
	static const unsigned widths[] = {4, 1, 2, 8, 12};
	const char *width = attribute_get(to->width, c), *speed = attribute_get(to->speed, c);
	unsigned lanes = width ? dot_width(width) : 0;
	double gbps = 0;
	const char *name = attribute_get(to->rate, c);
	enum lane_rate rate = RATE_UNKNOWN, stated = name ? lane_rate(name, strlen(name)) : RATE_UNKNOWN;
	if (speed)
		read_number(speed, 0, DBL_MAX, &gbps);
	for (size_t i = 0; i < sizeof widths / sizeof *widths && rate == RATE_UNKNOWN; i++)
		if ((!width || lanes == widths[i]) && gbps > 0) {
			rate = lane_rate_of(gbps / widths[i]);
			lanes = rate == RATE_UNKNOWN ? lanes : widths[i];
		}
	if (stated != RATE_UNKNOWN && rate != RATE_UNKNOWN && link_speed(lanes, stated) == link_speed(lanes, rate))
		rate = stated;
	subnet_link(to->subnet, p, rate == RATE_UNKNOWN ? 0 : lanes, rate);
}

/* The same for a cable of a switch to itself, from the text "4xEDR". */
static void set_loop_link(const struct conversion *to, uint32_t p, const char *link)
{
	char text[12];
	unsigned lanes;
	enum lane_rate rate;
	snprintf(text, sizeof text, "%.*s", (int)strcspn(link, ","), link);
	if (scan_link(&(char *){text}, &lanes, &rate))
		subnet_link(to->subnet, p, lanes, rate);
}

static int add_port(const struct conversion *to, uint32_t p)
{
	const struct whole_port *from = &to->whole->port[p];
	to->port[p] = NONE;
	if (from->peer == NONE && from->channel == NONE && !from->lid && !from->guid && !from->loop)
		return 0;
	uint32_t port = to->port[p] = subnet_port(to->subnet, to->node[from->node], from->number, to->error);
	if (port == NONE || subnet_set_port_guid(to->subnet, port, from->guid, to->error))
		return -1;
	to->subnet->port[port].lid = from->lid;
	to->subnet->port[port].lmc = from->lmc;
	if (from->channel != NONE)
		set_link(to, port, from->channel);
	if (from->loop_link)
		set_loop_link(to, port, from->loop_link);
	return 0;
}

static int add_table(const struct conversion *to, uint32_t n)
{
	const struct whole_fabric *w = to->whole;
	for (uint32_t lid = 0; w->node[n].table != NONE && lid < w->lids; lid++) {
		unsigned port = whole_entry(w, n, lid);
		if (port != WHOLE_NO_PORT && subnet_entry(to->subnet, to->node[n], lid, port, to->error))
			return -1;
	}
	return 0;
}

/* Fills the subnet. Returns 0, or -1. */
static int convert(const struct conversion *to)
{
	const struct whole_fabric *w = to->whole;
	for (uint32_t n = 0; n < w->nodes; n++)
		if ((to->node[n] = add_node(to, &w->node[n])) == NONE)
			return -1;
	for (uint32_t p = 0; p < w->ports; p++)
		if (add_port(to, p))
			return -1;
	for (uint32_t p = 0; p < w->ports; p++)
		if (w->port[p].peer != NONE && w->port[p].channel != NONE)
			subnet_cable(to->subnet, to->port[p], to->port[w->port[p].peer], to->path);
	for (uint32_t p = 0; p < w->ports; p++)
		if (w->port[p].loop > w->port[p].number)
			subnet_cable(to->subnet, to->port[p], to->port[p - w->port[p].number + w->port[p].loop], to->path);
	for (uint32_t n = 0; n < w->nodes; n++)
		if (add_table(to, n))
			return -1;
	for (uint32_t i = 0; i < w->conflicts; i++)
		subnet_odd(to->subnet, ODD_TWO_PEERS, "%s", to->path);
	for (uint32_t i = 0; i < w->self_links; i++)
		subnet_odd(to->subnet, ODD_SELF_LINK, "%s", to->path);
	return 0;
}

static bool has_values(const struct attribute *column, uint32_t count)
{
	uint32_t i = 0;
	while (column && i < count && !attribute_get(column, i))
		i++;
	return column && i < count;
}

/* Takes over the service levels: hosts with the same share a row. */
static int add_levels(const struct conversion *to, const struct fabric *fabric, const struct attributes *attributes)
{
	const struct whole_fabric *w = to->whole;
	struct service_levels *levels;
	if (service_levels_load(&levels, attributes, fabric, to->error) || !levels)
		return to->error->status ? -1 : 0;
	struct lid_list *list = array_create(2, sizeof *list, to->error);
	for (uint64_t i = 0; list && !to->error->status && i < (uint64_t)levels->rows * levels->count; i++) {
		uint32_t row = (uint32_t)(i / levels->count), level = (uint32_t)(i % levels->count);
		list[0].count = list[1].count = 0;
		for (uint32_t h = 0; h < fabric->hosts; h++) {
			uint16_t lid = w->port[w->lid_port[fabric->host_node[h]]].lid;
			if (levels->row[h] == row)
				list[0].lid[list[0].count++] = lid;
			if (levels->level[(size_t)row * fabric->hosts + h] == level)
				list[1].lid[list[1].count++] = lid;
		}
		subnet_levels_set(to->subnet, &list[0], &list[1], level, to->error);
	}
	service_levels_free(levels);
	free(list);
	return to->error->status ? -1 : 0;
}

struct subnet *subnet_of_dot(const char *path, bool tables, struct error *error)
{
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct dot_report report;
	unsigned wants = DOT_KEEP | DOT_ALLOW_NO_LINK | (tables ? DOT_TABLES : DOT_WITHOUT_SETS);
	if (fabric_load(path, wants, &fabric, &forwarding, &attributes, &report, error))
		return NULL;
	struct whole_fabric *whole = whole_fabric_create(fabric, tables ? forwarding : NULL, attributes, error);
	struct conversion to = {.whole = whole,
		.speed = attributes_find(attributes, ATTRIBUTE_CHANNEL, "speed"),
		.width = attributes_find(attributes, ATTRIBUTE_CHANNEL, "width"),
		.rate = attributes_find(attributes, ATTRIBUTE_CHANNEL, "rate"),
		.subnet = subnet_create(error),
		.path = path,
		.error = error};
	if (to.subnet && whole) {
		to.subnet->straight = report.straight;
		to.subnet->has_lanes = has_values(attributes_find(attributes, ATTRIBUTE_CHANNEL, "sl2vl"), attributes->channels);
		if (!attributes_find(attributes, ATTRIBUTE_CHANNEL, "lids")) /* else they are of several LIDs */
			to.subnet->multipath = report.forwarding.ambiguous;
		to.node = array_create(whole->nodes, sizeof *to.node, error);
		to.port = array_create(whole->ports, sizeof *to.port, error);
	}
	if (error->status || convert(&to) || add_levels(&to, fabric, attributes)) {
		subnet_free(to.subnet);
		to.subnet = NULL;
	}
	free(to.node);
	free(to.port);
	whole_fabric_free(whole);
	attributes_free(attributes);
	forwarding_free(forwarding);
	fabric_free(fabric);
	return to.subnet;
}

/* ---- graph or dumps */

struct subnet *subnet_load(const struct fabric_source *source, struct files *files, bool tables, struct error *error)
{
	const char *first = source->form == FORM_SPECIFICATION ? source->file[0].path : source->part[0].path;
	struct subnet *subnet = source->form == FORM_DUMPS ? subnet_create(error) : subnet_of_dot(first, tables, error);
	if (subnet && source->form == FORM_DUMPS)
		subnet->files = files;
	for (size_t i = 0; subnet && source->form == FORM_DUMPS && i < source->parts && !error->status; i++)
		dump_read(subnet, source->part[i].path, source->part[i].kinds, error);
	if (subnet && source->node_name_map && !error->status)
		node_name_map_subnet(source->node_name_map, subnet, error);
	if (!error->status)
		return subnet;
	subnet_free(subnet);
	return NULL;
}
