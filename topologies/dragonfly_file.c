/*
 * Dragonflies whose cables between groups are those of a file, for arrangements that have no formula: a line 'G M H N [CABLES]' for each
 * cable, from switch M of group G to switch N of group H, optionally with their number. '#' starts a comment. Every two groups need one.
 * Within a group all switches are joined, and each has p hosts, as in dragonfly.c.
 *
 * Ports of a switch: hosts, the other switches of the group in their order, then its cables to other groups in the order of the file.
 * Switches and hosts are numbered group by group.
 *
 * Routes as in dragonfly.c: by one of the switch's own cables to the destination's group, otherwise by one of its group's: number (d mod
 * count) in the order of switches and ports, d the destination.
 */
#include "base/input.h"
#include "base/memory.h"
#include "topologies/cabling.h"
#include "topologies/node_name.h"
#include "topologies/place.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A cable between groups as seen from one end. */
struct way {
	uint32_t from, to;     /* groups */
	uint32_t member, port; /* in from; its port there */
};

struct arranged {
	uint32_t p, a, g;
	struct way *way;    /* [ways] by groups, then by switch and port */
	uint64_t *first;    /* [g * g + 1] ways from a group to another */
	uint32_t most, few; /* cables between two groups, at most and at least */
	struct cable *cable;
	size_t cables, capacity; /* while the file is read */
};

static void arranged_clear(struct topology *topology)
{
	struct arranged *d = topology->data;
	free(d->way);
	free(d->first);
	free(d->cable);
}

/* ---- setup */

/* Reads the words of a line as numbers. Returns how many there are; -1: one is not a number, or there are more than `most`. */
static int read_numbers(char *line, int64_t *number, int most)
{
	int count = 0;
	for (char *word, *rest = line; (word = strsep(&rest, " \t\r"));)
		if (*word && (count == most || !read_integer(word, 0, UINT32_MAX - 1, &number[count++])))
			return -1;
	return count;
}

/* Adds the cables of a line, whose ends are numbers of switches. Returns 0, or -1. */
static int read_line(struct arranged *d, char *line, struct error *error)
{
	int64_t n[5] = {0, 0, 0, 0, 1};
	int count = read_numbers(line, n, 5);
	if (!count)
		return 0;
	if (count < 4)
		return error_set(
			error, STATUS_USAGE, "a line is not 'GROUP SWITCH GROUP SWITCH', optionally followed by the number of cables");
	if (n[1] >= d->a || n[3] >= d->a)
		return error_set(error, STATUS_USAGE, "switch %" PRId64 ", but those of a group are 0 to %" PRIu32,
			n[1] >= d->a ? n[1] : n[3], d->a - 1);
	if (n[0] == n[2])
		return error_set(error, STATUS_USAGE, "both ends are in group %" PRId64 "; cables within groups are not listed", n[0]);
	for (int i = 0; i < 4; i += 2)
		if (n[i] >= d->g)
			d->g = (uint32_t)n[i] + 1;
	if (d->g > UINT32_MAX / d->a || n[4] < 1 || n[4] > (int64_t)CABLING_CHANNELS_MAX / 2)
		return error_set(error, STATUS_USAGE, "too many switches, or a wrong number of cables");
	if (array_grow(&d->cable, &d->capacity, d->cables + (size_t)n[4], sizeof *d->cable, error))
		return -1;
	while (n[4]--)
		d->cable[d->cables++] =
			(struct cable){(uint32_t)n[0] * d->a + (uint32_t)n[1], (uint32_t)n[2] * d->a + (uint32_t)n[3], false, 2};
	return 0;
}

static int read_file(struct arranged *d, const char *path, struct error *error)
{
	struct line_reader lines;
	struct error reason = {0};
	line_reader_open(&lines, path, LIST_LINE_LONGEST, error);
	for (char *line; !error->status && !reason.status && (line = line_reader_list(&lines, error));)
		read_line(d, line, &reason);
	if (reason.status)
		error_set(error, reason.status, "line %lu: %s", lines.number, reason.text);
	line_reader_close(&lines);
	if (!error->status && !d->cables)
		error_set(error, STATUS_USAGE, "the file has no cables");
	return error->status ? -1 : 0;
}

static int by_groups(const void *left, const void *right)
{
	const struct way *x = left, *y = right;
	const uint32_t one[] = {x->from, x->to, x->member, x->port}, other[] = {y->from, y->to, y->member, y->port};
	for (int i = 0; i < 4; i++)
		if (one[i] != other[i])
			return one[i] < other[i] ? -1 : 1;
	return 0;
}

/* Lists the cables between groups from both ends. Returns 0, or -1, also if two groups have none. */
static int find_ways(struct arranged *d, struct error *error)
{
	uint32_t *ports = array_create((size_t)d->g * d->a, sizeof *ports, error); /* to other groups, of each switch so far */
	d->way = array_create(2 * d->cables, sizeof *d->way, error);
	d->first = array_create((size_t)d->g * d->g + 1, sizeof *d->first, error);
	for (size_t i = 0; !error->status && i < d->cables; i++) {
		const uint32_t end[] = {d->cable[i].a, d->cable[i].b};
		for (int side = 0; side < 2; side++) {
			uint32_t here = end[side], there = end[!side];
			d->way[2 * i + (size_t)side] =
				(struct way){here / d->a, there / d->a, here % d->a, d->p + d->a - 1 + ports[here]++};
			d->first[(size_t)(here / d->a) * d->g + there / d->a + 1]++;
		}
	}
	free(ports);
	if (error->status)
		return -1;
	qsort(d->way, 2 * d->cables, sizeof *d->way, by_groups);
	d->few = UINT32_MAX;
	for (uint32_t from = 0; from < d->g; from++)
		for (uint32_t to = 0; to < d->g; to++) {
			uint64_t count = d->first[(size_t)from * d->g + to + 1];
			if (from == to)
				continue;
			if (!count)
				return error_set(
					error, STATUS_USAGE, "groups %" PRIu32 " and %" PRIu32 " have no cable between them", from, to);
			d->most = count > d->most ? (uint32_t)count : d->most;
			d->few = count < d->few ? (uint32_t)count : d->few;
		}
	for (size_t i = 0; i < (size_t)d->g * d->g; i++)
		d->first[i + 1] += d->first[i];
	return 0;
}

static int arranged_setup(struct topology *topology, struct error *error)
{
	const struct arg_value *value = topology->args.value;
	struct arranged *d = topology->data = array_create(1, sizeof *d, error);
	if (!d)
		return -1;
	d->p = (uint32_t)value[0].integer;
	d->a = (uint32_t)value[1].integer;
	if (read_file(d, value[2].text, error) || find_ways(d, error))
		return -1;
	uint64_t switches = (uint64_t)d->g * d->a, hosts = times(switches, d->p);
	if (cabling_start(topology, hosts, switches, hosts + switches * (d->a - 1) / 2 + d->cables, error))
		return -1;
	for (uint32_t host = 0; host < hosts; host++)
		cabling_add(topology, host, cabling_switch(topology, host / d->p));
	for (uint32_t s = 0; s < switches; s++)
		for (uint32_t other = s + 1; other < (s / d->a + 1) * d->a; other++)
			cabling_add(topology, cabling_switch(topology, s), cabling_switch(topology, other));
	for (size_t i = 0; i < d->cables; i++)
		cabling_add_cable(topology,
			(struct cable){cabling_switch(topology, d->cable[i].a), cabling_switch(topology, d->cable[i].b), false, 2});
	topology->tiers = 3;
	return cabling_finish(topology, error);
}

/* Fills in the structure; groups with different numbers of cables between them are not those of the form. */
static void arranged_structure(const struct topology *topology, struct topology_structure *structure)
{
	const struct arranged *d = topology->data;
	if (d->most != d->few)
		structure->form = STRUCTURE_NONE;
	structure->blocks = d->g;
	structure->hosts = d->p * d->a;
	structure->switches = d->a;
	structure->between = d->few;
}

/* ---- routes */

/* Returns the way from a switch's group to another: one of the switch's own if it has any. */
static const struct way *way_to(const struct arranged *d, uint32_t node, uint32_t group, uint32_t destination)
{
	uint32_t from = node / d->a, member = node % d->a;
	uint64_t first = d->first[(size_t)from * d->g + group], end = d->first[(size_t)from * d->g + group + 1], own = first;
	while (own < end && d->way[own].member < member)
		own++;
	uint64_t last = own;
	while (last < end && d->way[last].member == member)
		last++;
	return last > own ? &d->way[own + destination % (last - own)] : &d->way[first + destination % (end - first)];
}

static uint32_t arranged_next(const struct topology *topology, bool host, uint32_t node, uint32_t destination)
{
	const struct arranged *d = topology->data;
	uint32_t target = destination / d->p, other = target % d->a, member = node % d->a;
	if (host)
		return 0;
	if (node == target)
		return destination % d->p;
	if (node / d->a != target / d->a) {
		const struct way *way = way_to(d, node, target / d->a, destination);
		if (way->member == member)
			return way->port;
		other = way->member;
	}
	return d->p + (other < member ? other : other - 1);
}

static uint32_t arranged_longest(const struct topology *topology)
{
	const struct arranged *d = topology->data;
	return 3 + 2 * (d->a > 1);
}

/* Returns the position: groups in a ring, and each group a ring with the hosts outside. */
static struct topology_place arranged_place(const struct topology *topology, bool host, uint32_t node)
{
	const struct arranged *d = topology->data;
	uint32_t number = host ? node / d->p : node;
	struct place_group group = place_group(d->a, d->p);
	struct topology_place centre = place_on_circle((struct topology_place){0, 0}, place_ring(d->g, group.outer), number / d->a, d->g);
	return place_in_group(centre, group, number % d->a, host, node);
}

/* Writes the name: by group and number in it; hosts also by their port. */
static void arranged_name(const struct topology *topology, bool host, uint32_t node, char *text)
{
	const struct arranged *d = topology->data;
	uint32_t number = host ? node / d->p : node;
	text = put_number(put_number(text, host ? 'H' : 'S', number / d->a), '_', number % d->a);
	if (host)
		put_number(text, '_', node % d->p);
}

static const struct arg arranged_args[] = {
	{"p", ARG_INTEGER, NULL, 1, UINT32_MAX, "hosts of each switch"},
	{"a", ARG_INTEGER, NULL, 1, UINT32_MAX, "switches of each group"},
	{"FILE", ARG_TEXT, NULL, 0, 0, "the cables between groups, with a line 'GROUP SWITCH GROUP SWITCH [CABLES]' for each"},
	{.type = ARG_END},
};

const struct topology_kind topology_dragonfly_file = {
	.name = "dragonfly_file",
	.summary = "dragonfly with the cables between groups of a file",
	.source = "Hastings et al. 2015",
	.formulae = "g groups, as in the file: p a g hosts, a g switches; p a g cables to hosts, g a (a-1)/2 within groups",
	.args = arranged_args,
	.routing = "min",
	.form = STRUCTURE_GROUPS,
	.setup = arranged_setup,
	.clear = arranged_clear,
	.structure = arranged_structure,
	.next = arranged_next,
	.route = cabling_route,
	.longest = arranged_longest,
	.place = arranged_place,
	.node_name = arranged_name,
	CABLED,
};
