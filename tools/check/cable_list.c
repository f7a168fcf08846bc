#include "tools/check/cable_list.h"

#include "base/memory.h"
#include "base/shown.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static int compare_numbers(uint32_t a, uint32_t b)
{
	return (a > b) - (a < b);
}

static int compare_ends(struct cable_end a, struct cable_end b)
{
	int order = compare_numbers(a.node, b.node);
	return order ? order : compare_numbers(a.port, b.port);
}

/* By nodes first, so that parallel cables are neighbours. */
static int compare_places(const struct cable *a, const struct cable *b)
{
	int order = compare_numbers(a->end[0].node, b->end[0].node);
	order = order ? order : compare_numbers(a->end[1].node, b->end[1].node);
	order = order ? order : compare_numbers(a->end[0].port, b->end[0].port);
	return order ? order : compare_numbers(a->end[1].port, b->end[1].port);
}

static int compare_cables(const void *left, const void *right)
{
	const struct cable *a = left, *b = right;
	int order = compare_places(a, b);
	order = order ? order : compare_numbers(a->channel, b->channel);
	return order ? order : compare_numbers(a->row, b->row);
}

int cable_list_add(struct cable_list *list, struct cable cable, struct error *error)
{
	if (array_grow(&list->cable, &list->capacity, (size_t)list->cables + 1, sizeof cable, error))
		return -1;
	if (compare_ends(cable.end[0], cable.end[1]) > 0) {
		struct cable_end end = cable.end[0];
		const char *name = cable.name[0], *label = cable.label[0];
		cable.end[0] = cable.end[1];
		cable.end[1] = end;
		cable.name[0] = cable.name[1];
		cable.name[1] = name;
		cable.label[0] = cable.label[1];
		cable.label[1] = label;
		cable.turned = !cable.turned;
	}
	cable.match = NONE;
	list->cable[list->cables++] = cable;
	return 0;
}

void cable_list_sort(struct cable_list *list)
{
	if (list->cables)
		qsort(list->cable, list->cables, sizeof *list->cable, compare_cables);
}

void cable_list_clear(struct cable_list *list)
{
	free(list->cable);
	*list = (struct cable_list){0};
}

/* Returns the leading number of an attribute, 0 if there is none. */
static double number_of(const struct attribute *column, uint32_t channel)
{
	const char *text = attribute_get(column, channel);
	return text ? strtod(text, NULL) : 0;
}

/* Sets an end of a cable to a node of that fabric. */
static void set_end(struct cable *cable, int end, const struct cabled_fabric *from, uint32_t node, uint32_t port)
{
	bool other = from->same && from->same[node] == NONE;
	cable->end[end] = (struct cable_end){other ? from->others + node : from->same ? from->same[node] : node, port};
	cable->name[end] = other ? from->fabric->labels->name[node] : NULL;
}

int cable_list_of_fabric(struct cable_list *list, const struct cabled_fabric *from, struct error *error)
{
	const struct fabric *f = from->fabric;
	const struct attribute *speed = from->attributes ? attributes_find(from->attributes, ATTRIBUTE_CHANNEL, "speed") : NULL;
	const struct attribute *width = from->attributes ? attributes_find(from->attributes, ATTRIBUTE_CHANNEL, "width") : NULL;
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t k = f->first_channel[v]; k < f->first_channel[v + 1]; k++) {
			struct cable cable = {
				.gbps = from->attributes ? number_of(speed, k) : f->speed[k] * f->slowest,
				.lanes = (unsigned)number_of(width, k),
				.channel = k,
			};
			set_end(&cable, 0, from, v, f->labels->port[k]);
			set_end(&cable, 1, from, f->head[k], f->labels->peer_port[k]);
			if (from->reverse[k] > k && cable_list_add(list, cable, error)) /* one of two directions, or the only one */
				return -1;
		}
	cable_list_sort(list);
	return 0;
}

bool cables_differ_in_speed(const struct cable *a, const struct cable *b)
{
	return (a->gbps > 0 && b->gbps > 0 && fabs(a->gbps - b->gbps) > 1e-6 * a->gbps) || (a->lanes && b->lanes && a->lanes != b->lanes);
}

/* ---- reports */

void write_cable_end(FILE *file, const struct fabric *fabric, const struct cable *cable, int end)
{
	struct cable_end at = cable->end[end];
	write_shown(file, cable->name[end] ? cable->name[end] : fabric->labels->name[at.node]);
	if (cable->label[end])
		fprintf(file, "[%s]", SHOWN(cable->label[end]));
	else if (at.port && at.port < PORT_UNNUMBERED)
		fprintf(file, "[%" PRIu32 "]", at.port);
}

void write_cable(FILE *file, const struct fabric *fabric, const struct cable *cable)
{
	write_cable_end(file, fabric, cable, cable->turned);
	fputs(" - ", file);
	write_cable_end(file, fabric, cable, !cable->turned);
}

void add_cable(struct node *to, const struct fabric *fabric, const struct cable *cable)
{
	for (int i = 0; i < 2; i++) {
		int end = cable->turned ? 1 - i : i;
		struct cable_end at = cable->end[end];
		add_text(to, i ? "to" : "from", cable->name[end] ? cable->name[end] : fabric->labels->name[at.node]);
		add_value(to, i ? "to_port" : "from_port",
			cable->label[end] ? value_of_text(cable->label[end]) : value_of_some(at.port < PORT_UNNUMBERED ? at.port : 0));
	}
	add_value(to, "speed", cable->gbps > 0 ? value_of_number(cable->gbps, NULL) : NO_VALUE);
	add_value(to, "width", value_of_some(cable->lanes));
}

/* ---- cables with the same ends */

static void pair(struct cable_list *planned, uint32_t p, struct cable_list *found, uint32_t f, enum cable_match how)
{
	planned->cable[p].match = f;
	found->cable[f].match = p;
	planned->cable[p].how = found->cable[f].how = how;
}

/* Returns whether both cables may be the same one: a port is unknown where they differ. */
static bool agree(const struct cable *a, const struct cable *b, bool crossed)
{
	for (int i = 0; i < 2; i++) {
		struct cable_end x = a->end[i], y = b->end[crossed ? 1 - i : i];
		if (x.node != y.node || (x.port && y.port && x.port != y.port))
			return false;
	}
	return true;
}

/* Pairs what is left of the cables between two nodes. known: the number of known ports that the planned ones must have at least. */
static void match_parallel(
	struct cable_list *planned, uint32_t p, uint32_t p_end, struct cable_list *found, uint32_t f, uint32_t f_end, int known)
{
	uint32_t first = f;
	for (; p < p_end; p++) {
		const struct cable *cable = &planned->cable[p];
		if (cable->match != NONE || !!cable->end[0].port + !!cable->end[1].port < known)
			continue;
		while (first < f_end && found->cable[first].match != NONE)
			first++;
		for (uint32_t i = first; i < f_end; i++)
			if (found->cable[i].match == NONE &&
				(agree(cable, &found->cable[i], false) || agree(cable, &found->cable[i], true))) {
				pair(planned, p, found, i, CABLE_SAME);
				break;
			}
	}
}

static int compare_nodes(const struct cable *a, const struct cable *b)
{
	int order = compare_numbers(a->end[0].node, b->end[0].node);
	return order ? order : compare_numbers(a->end[1].node, b->end[1].node);
}

static uint32_t end_of_parallel(const struct cable_list *list, uint32_t from)
{
	uint32_t end = from;
	while (end < list->cables && !compare_nodes(&list->cable[from], &list->cable[end]))
		end++;
	return end;
}

/* Pairs the cables with equal ends: both lists are sorted. */
static void match_equal(struct cable_list *planned, struct cable_list *found)
{
	for (uint32_t p = 0, f = 0; p < planned->cables && f < found->cables;) {
		int order = compare_places(&planned->cable[p], &found->cable[f]);
		if (!order)
			pair(planned, p, found, f, CABLE_SAME);
		p += order <= 0;
		f += order >= 0;
	}
}

static void match_same(struct cable_list *planned, struct cable_list *found)
{
	match_equal(planned, found);
	for (uint32_t p = 0, f = 0; p < planned->cables && f < found->cables;) {
		int order = compare_nodes(&planned->cable[p], &found->cable[f]);
		uint32_t p_end = order <= 0 ? end_of_parallel(planned, p) : p, f_end = order >= 0 ? end_of_parallel(found, f) : f;
		for (int known = 2; known >= 0 && !order; known--)
			match_parallel(planned, p, p_end, found, f, f_end, known);
		p = p_end;
		f = f_end;
	}
}

/* ---- cables that share a port */

/* An end of an unmatched cable of the fabric. */
struct used_port {
	struct cable_end end;
	uint32_t cable;
};

struct ports {
	struct used_port *port; /* [ports] sorted */
	uint32_t ports;
};

static int compare_ports(const void *left, const void *right)
{
	const struct used_port *a = left, *b = right;
	int order = compare_ends(a->end, b->end);
	return order ? order : compare_numbers(a->cable, b->cable);
}

static int ports_init(struct ports *ports, const struct cable_list *list, struct error *error)
{
	*ports = (struct ports){.port = array_create((size_t)list->cables * 2, sizeof *ports->port, error)};
	if (!ports->port)
		return -1;
	for (uint32_t c = 0; c < list->cables; c++)
		for (int i = 0; i < 2 && list->cable[c].match == NONE; i++)
			if (list->cable[c].end[i].port)
				ports->port[ports->ports++] = (struct used_port){list->cable[c].end[i], c};
	if (ports->ports)
		qsort(ports->port, ports->ports, sizeof *ports->port, compare_ports);
	return 0;
}

/* Returns the first unmatched cable at a port, NONE if there is none. */
static uint32_t cable_at(const struct ports *ports, const struct cable_list *list, struct cable_end end)
{
	uint32_t low = 0, high = ports->ports;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (compare_ends(ports->port[middle].end, end) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	for (; end.port && low < ports->ports && !compare_ends(ports->port[low].end, end); low++)
		if (list->cable[ports->port[low].cable].match == NONE)
			return ports->port[low].cable;
	return NONE;
}

struct moves {
	struct cable_list *planned, *found;
	struct ports of_planned, of_found;
	const bool *hosts;
	uint32_t nodes;
};

/* Returns the cable that a planned one may have become, NONE; only: only if there is no choice. */
static uint32_t moved_to(const struct moves *m, const struct cable *cable, bool only)
{
	uint32_t at[2] = {cable_at(&m->of_found, m->found, cable->end[0]), cable_at(&m->of_found, m->found, cable->end[1])};
	if (at[0] == NONE || at[1] == NONE || at[0] == at[1])
		return at[0] == NONE ? at[1] : at[0];
	if (only)
		return NONE;
	for (int i = 0; i < 2; i++)
		if (cable->end[i].node < m->nodes && m->hosts[cable->end[i].node])
			return at[i];
	return compare_nodes(cable, &m->found->cable[at[1]]) ? at[0] : at[1];
}

/* Pairs a cable if it can be, then those whose last choice depends on it. */
static void move(struct moves *m, uint32_t p, bool only)
{
	while (p != NONE) {
		struct cable *cable = &m->planned->cable[p];
		uint32_t f = cable->match == NONE ? moved_to(m, cable, only) : NONE;
		if (f == NONE)
			return;
		pair(m->planned, p, m->found, f, CABLE_MOVED);
		const struct cable_end *end = m->found->cable[f].end;
		p = cable_at(&m->of_planned, m->planned, end[0]);
		if (p == NONE)
			p = cable_at(&m->of_planned, m->planned, end[1]);
		only = true;
	}
}

int cable_list_match(struct cable_list *planned, struct cable_list *found, const bool *hosts, uint32_t nodes, struct error *error)
{
	struct moves m = {.planned = planned, .found = found, .hosts = hosts, .nodes = nodes};
	match_same(planned, found);
	if (!ports_init(&m.of_planned, planned, error) && !ports_init(&m.of_found, found, error))
		for (int only = 1; only >= 0; only--) /* a port is at most at one cable of either side: these are paths and cycles */
			for (uint32_t p = 0; p < planned->cables; p++)
				move(&m, p, only);
	free(m.of_planned.port);
	free(m.of_found.port);
	return error->status ? -1 : 0;
}
