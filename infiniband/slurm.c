#include "infiniband/slurm.h"

#include "base/arena.h"
#include "base/disjoint.h"
#include "base/hostlist.h"
#include "base/memory.h"
#include "base/name_table.h"
#include "infiniband/graph_others.h"
#include "infiniband/rails.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A port that counts: a machine at a switch. */
struct seat {
	const char *name; /* of the machine */
	uint32_t machine, at;
};

/* Of a group of level 0: one of its switches, how many there are, and the first by name. */
struct leaf {
	uint32_t at, switches;
	const char *first;
};

struct search {
	struct slurm_topology *to;
	const struct subnet *subnet;
	const struct machine_rules *rules;
	const char *path;  /* of the fabric, for errors */
	struct seat *seat; /* [seats] by machine */
	uint32_t seats;
	uint32_t *above;   /* [nodes] switches that are joined, see base/disjoint.h */
	uint32_t *rank;    /* [nodes] hops from the nearest switch with a machine; NONE: not connected to one */
	uint32_t *queue;   /* [nodes] switches by rank */
	uint32_t *of;      /* [machines] group of level 0 */
	uint32_t *root_of; /* [nodes] of a root the last group of its set without a parent; NONE */
	struct leaf *leaf; /* [machines] of the groups of level 0 */
	struct name_table names;
	struct error *error;
};

/* ---- machines */

/* Whether a list of hosts can have the name: no commas, brackets and blanks, and nothing that ends or quotes words in Slurm's files. */
static bool is_listable(const char *name)
{
	for (const char *at = name; *at; at++)
		if ((unsigned char)*at <= ' ' || (unsigned char)*at == 127 || strchr(",[]#=\"'\\", *at))
			return false;
	return true;
}

/* Returns the machine's name at the port, kept; NULL if the port does not count, or out of memory. */
static const char *name_at(struct search *s, const struct subnet_port *port)
{
	const struct subnet_node *node = &s->subnet->node[port->node];
	const char *from;
	if (port->peer == NONE || node->kind != NODE_CA || s->subnet->node[s->subnet->port[port->peer].node].kind != NODE_SWITCH ||
		subnet_is_aggregation(node))
		return NULL;
	if (!machine_port_counts(s->rules, node->desc)) {
		s->to->unchosen++;
		return NULL;
	}
	size_t length = machine_find(s->rules, node->desc, &from);
	if (!length) {
		if (!s->to->unnamed++)
			s->to->first_unnamed = node->desc;
		return NULL;
	}
	char *name = arena_alloc(s->to->arena, length + 1);
	if (!name) {
		error_set(s->error, STATUS_IO, "out of memory");
		return NULL;
	}
	memcpy(name, from, length);
	if (!is_listable(name))
		error_at(s->error, STATUS_FABRIC, s->path, 0,
			"no list of Slurm can have the machine '%s'; choose another part of '%s' with --machine-name", name, node->desc);
	return name;
}

static int compare_seats(const void *left, const void *right)
{
	const struct seat *a = left, *b = right;
	int order = compare_names(a->name, b->name);
	return order ? order : (a->at > b->at) - (a->at < b->at);
}

static int find_machines(struct search *s)
{
	struct slurm_topology *to = s->to;
	s->seat = array_create(s->subnet->ports, sizeof *s->seat, s->error);
	for (uint32_t p = 0; p < s->subnet->ports && !s->error->status; p++) {
		const struct subnet_port *port = &s->subnet->port[p];
		const char *name = name_at(s, port);
		if (name && !s->error->status)
			s->seat[s->seats++] = (struct seat){.name = name, .at = s->subnet->port[port->peer].node};
	}
	if (s->error->status)
		return -1;
	if (!s->seats)
		return error_at(s->error, STATUS_FABRIC, s->path, 0, "no cabled port names a machine%s",
			to->unnamed || to->unchosen ? ": --ports or --machine-name leaves none, or all descriptions name a product only"
						    : "");
	qsort(s->seat, s->seats, sizeof *s->seat, compare_seats);
	to->machine = array_create(s->seats, sizeof *to->machine, s->error);
	for (uint32_t i = 0; i < s->seats && to->machine; i++) {
		if (!i || strcmp(s->seat[i].name, s->seat[i - 1].name))
			to->machine[to->machines++] = s->seat[i].name;
		s->seat[i].machine = to->machines - 1;
	}
	return s->error->status ? -1 : 0;
}

/* ---- groups */

/* Gives the group a name of letters, digits, '_', '.' and '-' that no other has. Returns 0, or -1. */
static int name_group(struct search *s, uint32_t group, const char *text)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-";
	size_t length = strlen(text), room = length + 12;
	char *name = arena_alloc(s->to->arena, room);
	if (!name)
		return error_set(s->error, STATUS_IO, "out of memory");
	for (size_t i = 0; i < length; i++)
		name[i] = strchr(allowed, text[i]) ? text[i] : '_';
	for (unsigned number = 2; name_table_add(&s->names, name, group) != group; number++)
		snprintf(name + length, room - length, "-%u", number);
	s->to->group[group].name = name;
	return 0;
}

/* Returns the name of a switch: its description unless that names a product only, or its GUID; NULL if out of memory. */
static const char *switch_name(struct search *s, const struct subnet_node *node)
{
	if (machine_length(node->desc))
		return node->desc;
	char *name = arena_alloc(s->to->arena, 24);
	if (!name)
		error_set(s->error, STATUS_IO, "out of memory");
	else
		snprintf(name, 24, "S-%016" PRIx64, node->guid);
	return node->guid ? name : *node->id ? node->id : "switch";
}

/* Adds a port of a machine to a group of level 0. Returns 0, or -1. */
static int add_seat(struct search *s, const struct seat *seat, uint32_t group)
{
	struct leaf *leaf = &s->leaf[group];
	s->of[seat->machine] = group;
	if (!s->rank[seat->at])
		return 0;
	s->rank[seat->at] = 0;
	leaf->switches++;
	const char *name = switch_name(s, &s->subnet->node[seat->at]);
	if (name && (!leaf->first || compare_names(name, leaf->first) < 0))
		leaf->first = name;
	return s->error->status ? -1 : 0;
}

/* The switches of one machine belong together: groups of level 0, in the order of their first machines. */
static int find_leaves(struct search *s)
{
	struct slurm_topology *to = s->to;
	for (uint32_t i = 1; i < s->seats; i++)
		if (s->seat[i].machine == s->seat[i - 1].machine)
			disjoint_join(s->above, s->seat[i].at, s->seat[i - 1].at);
	for (uint32_t i = 0; i < s->seats; i++) {
		uint32_t *group = &s->root_of[disjoint_root(s->above, s->seat[i].at)];
		if (*group == NONE) {
			*group = to->groups++;
			to->group[*group] = (struct slurm_group){.parent = NONE};
			s->leaf[*group].at = s->seat[i].at;
		}
		if (add_seat(s, &s->seat[i], *group))
			return -1;
	}
	for (uint32_t g = 0; g < to->groups; g++) {
		char text[400], more[40] = "";
		if (s->leaf[g].switches > 1)
			snprintf(more, sizeof more, "-and-%" PRIu32 "-more", s->leaf[g].switches - 1);
		snprintf(text, sizeof text, "%.300s%s", s->leaf[g].first, more);
		if (name_group(s, g, text))
			return -1;
	}
	return 0;
}

/* Returns the switch at the other end of a port; NONE if there is none. */
static uint32_t switch_behind(const struct subnet *subnet, uint32_t port)
{
	uint32_t peer = port == NONE ? NONE : subnet->port[port].peer, node = peer == NONE ? NONE : subnet->port[peer].node;
	return node == NONE || subnet->node[node].kind != NODE_SWITCH ? NONE : node;
}

/* Ranks the switches, and lists them by rank. Returns how many are connected to machines. */
static uint32_t rank_switches(struct search *s)
{
	uint32_t count = 0;
	for (uint32_t n = 0; n < s->subnet->nodes; n++)
		if (!s->rank[n])
			s->queue[count++] = n;
	for (uint32_t i = 0; i < count; i++) {
		const struct subnet_node *node = &s->subnet->node[s->queue[i]];
		for (size_t p = 1; p < node->slots; p++) {
			uint32_t next = switch_behind(s->subnet, node->port[p]);
			if (next == NONE || s->rank[next] != NONE)
				continue;
			s->rank[next] = s->rank[s->queue[i]] + 1;
			s->queue[count++] = next;
		}
	}
	return count;
}

/* Makes a group of the groups without a parent in each set that has several. Returns 0, or -1. */
static int join_groups(struct search *s)
{
	struct slurm_topology *to = s->to;
	uint32_t before = to->groups, number = 0;
	for (uint32_t g = 0; g < before; g++)
		if (to->group[g].parent == NONE)
			s->root_of[disjoint_root(s->above, s->leaf[g].at)] = NONE;
	for (uint32_t g = 0; g < before; g++) {
		if (to->group[g].parent != NONE)
			continue;
		uint32_t *first = &s->root_of[disjoint_root(s->above, s->leaf[g].at)];
		if (*first == NONE) {
			*first = g;
			continue;
		}
		if (*first < before) {
			s->leaf[to->groups] = s->leaf[g];
			to->group[to->groups] = (struct slurm_group){.parent = NONE, .level = to->group[*first].level + 1};
			to->group[*first].parent = to->groups;
			*first = to->groups++;
		}
		to->group[g].parent = *first;
		if (to->group[g].level >= to->group[*first].level)
			to->group[*first].level = to->group[g].level + 1;
	}
	for (uint32_t g = before; g < to->groups; g++) {
		char text[60];
		snprintf(text, sizeof text, "level%" PRIu32 "-%" PRIu32, to->group[g].level, ++number);
		if (name_group(s, g, text))
			return -1;
	}
	return 0;
}

/* Joins the switches hop by hop. */
static int find_groups(struct search *s)
{
	uint32_t switches = rank_switches(s);
	for (uint32_t i = 0; i < switches; i++) {
		uint32_t at = s->queue[i];
		const struct subnet_node *node = &s->subnet->node[at];
		for (size_t p = 1; p < node->slots; p++) {
			uint32_t next = switch_behind(s->subnet, node->port[p]);
			if (next != NONE && s->rank[next] <= s->rank[at])
				disjoint_join(s->above, at, next);
		}
		if ((i + 1 == switches || s->rank[s->queue[i + 1]] > s->rank[at]) && join_groups(s))
			return -1;
	}
	return 0;
}

/* Lists the machines and the groups in their groups. */
static int list_members(struct search *s)
{
	struct slurm_topology *to = s->to;
	uint32_t first = 0;
	to->list = array_create((size_t)to->machines + to->groups, sizeof *to->list, s->error);
	if (!to->list)
		return -1;
	for (uint32_t m = 0; m < to->machines; m++)
		to->group[s->of[m]].count++;
	for (uint32_t g = 0; g < to->groups; g++)
		if (to->group[g].parent != NONE)
			to->group[to->group[g].parent].count++;
		else
			to->tops++;
	for (uint32_t g = 0; g < to->groups; g++) {
		to->group[g].first = first;
		first += to->group[g].count;
		to->group[g].count = 0;
	}
	for (uint32_t m = 0; m < to->machines; m++) {
		struct slurm_group *group = &to->group[s->of[m]];
		to->list[group->first + group->count++] = m;
	}
	for (uint32_t g = 0; g < to->groups; g++)
		if (to->group[g].parent != NONE) {
			struct slurm_group *group = &to->group[to->group[g].parent];
			to->list[group->first + group->count++] = g;
		}
	return 0;
}

static int make_groups(struct search *s)
{
	struct slurm_topology *to = s->to;
	uint32_t nodes = s->subnet->nodes;
	size_t most = 2 * (size_t)to->machines; /* a group above others has two or more */
	s->above = array_create(nodes, sizeof *s->above, s->error);
	s->rank = array_create(nodes, sizeof *s->rank, s->error);
	s->queue = array_create(nodes, sizeof *s->queue, s->error);
	s->root_of = array_create(nodes, sizeof *s->root_of, s->error);
	s->of = array_create(to->machines, sizeof *s->of, s->error);
	s->leaf = array_create(most, sizeof *s->leaf, s->error);
	to->group = array_create(most, sizeof *to->group, s->error);
	if (s->error->status || name_table_init(&s->names, most, s->error))
		return -1;
	disjoint_init(s->above, nodes);
	memset(s->rank, 0xff, nodes * sizeof *s->rank);
	memset(s->root_of, 0xff, nodes * sizeof *s->root_of);
	return find_leaves(s) || find_groups(s) ? -1 : list_members(s);
}

int slurm_topology_find(struct slurm_topology *topology, const struct subnet *subnet, const struct machine_rules *rules, const char *path,
	struct error *error)
{
	struct search search = {.to = topology, .subnet = subnet, .rules = rules, .path = path, .error = error};
	*topology = (struct slurm_topology){.arena = arena_create()};
	if (!topology->arena)
		return error_set(error, STATUS_IO, "out of memory");
	if (!find_machines(&search))
		make_groups(&search);
	free(search.seat);
	free(search.above);
	free(search.rank);
	free(search.queue);
	free(search.root_of);
	free(search.of);
	free(search.leaf);
	name_table_clear(&search.names);
	return error->status ? -1 : 0;
}

void slurm_topology_clear(struct slurm_topology *topology)
{
	free(topology->machine);
	free(topology->group);
	free(topology->list);
	if (topology->arena)
		arena_destroy(topology->arena);
	*topology = (struct slurm_topology){0};
}

/* ---- files */

/* How a form writes a group: before its name, between name and list for machines and for groups, and behind. */
struct group_form {
	const char *before, *machines, *groups, *after;
};

/* Writes groups, up to a level. name: [machines + groups] room for names. */
static int write_groups(
	const struct slurm_topology *t, const struct group_form *form, uint32_t levels, const char **name, FILE *file, struct error *error)
{
	for (uint32_t g = 0; g < t->groups; g++) {
		const struct slurm_group *group = &t->group[g];
		if (group->level >= levels)
			continue;
		for (uint32_t i = 0; i < group->count; i++) {
			uint32_t member = t->list[group->first + i];
			name[i] = group->level ? t->group[member].name : t->machine[member];
		}
		fprintf(file, "%s%s%s", form->before, group->name, group->level ? form->groups : form->machines);
		if (hostlist_write(name, group->count, file, error))
			return -1;
		fputs(form->after, file);
	}
	return 0;
}

/* Writes the block sizes between separators: powers of two times the smallest block, up to the number of blocks. */
static void write_sizes(const struct slurm_topology *t, FILE *file)
{
	uint32_t least = UINT32_MAX, blocks = 0;
	for (uint32_t g = 0; g < t->groups; g++)
		if (!t->group[g].level) {
			blocks++;
			least = t->group[g].count < least ? t->group[g].count : least;
		}
	for (uint64_t factor = 1; factor <= blocks; factor *= 2)
		fprintf(file, "%s%" PRIu64, factor > 1 ? "," : "", factor * least);
}

int slurm_topology_write(const struct slurm_topology *topology, enum slurm_form form, FILE *file, struct error *error)
{
	static const struct group_form tree = {"SwitchName=", " Nodes=", " Switches=", "\n"}, block = {"BlockName=", " Nodes=", NULL, "\n"};
	static const struct group_form yaml = {"      - switch: \"", "\"\n        nodes: \"", "\"\n        children: \"", "\"\n"};
	const char **name = array_create((size_t)topology->machines + topology->groups, sizeof *name, error);
	if (!name)
		return -1;
	switch (form) {
	case SLURM_TREE: write_groups(topology, &tree, UINT32_MAX, name, file, error); break;
	case SLURM_BLOCK:
		if (!write_groups(topology, &block, 1, name, file, error)) {
			fputs("BlockSizes=", file);
			write_sizes(topology, file);
			putc('\n', file);
		}
		break;
	case SLURM_YAML:
		fputs("---\n- topology: fabric\n  cluster_default: true\n  tree:\n    switches:\n", file);
		write_groups(topology, &yaml, UINT32_MAX, name, file, error);
	}
	free(name);
	return error->status ? -1 : 0;
}
