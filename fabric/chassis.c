#include "fabric/chassis.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a switch says about its chassis: marks that are equal make one of their switches. */
struct mark {
	const char *name; /* [length] of the chassis */
	int length;       /* 0: the mark is a GUID */
	uint64_t guid;
	uint32_t node;
};

/* A switch with the name of a board. */
struct chip {
	const char *desc;
	int length;       /* of the name of the chassis in desc */
	uint32_t chassis; /* its first switch; at first the switch itself */
	char kind;        /* L or S */
	unsigned long board;
};

struct search {
	const struct fabric *fabric;
	struct chassis_list *list;
	struct mark *mark;
	struct chip *chip; /* [chips] */
	uint32_t marks, chips;
	uint32_t *of; /* [nodes] a switch before it in its chassis, or itself */
};

/* Reads "CHASSIS/L02/U1" or "CHASSIS/S02/U1", or the same without /U1. Returns the length of CHASSIS; 0: it is no such name. */
static int read_chip(const char *desc, struct chip *chip)
{
	for (const char *at = strchr(desc, '/'); at; at = strchr(at + 1, '/')) {
		char *end;
		if (at == desc || (at[1] != 'L' && at[1] != 'S') || at[2] < '0' || at[2] > '9')
			continue;
		chip->kind = at[1];
		chip->board = strtoul(at + 2, &end, 10);
		if (!*end || !strncmp(end, "/U", 2))
			return (int)(at - desc);
	}
	return 0;
}

/* Returns the length of CHASSIS in "CHASSIS/U1", 0 if the name does not end so. */
static int before_chip(const char *desc)
{
	const char *slash = strrchr(desc, '/');
	return slash && slash[1] == 'U' && slash[2] && !slash[2 + strspn(slash + 2, "0123456789")] ? (int)(slash - desc) : 0;
}

uint64_t node_system_guid(const struct fabric *fabric, const struct attributes *attributes, uint32_t node)
{
	const char *text = attributes ? attributes_of_node(attributes, node, "system_guid") : NULL;
	if (!text && attributes)
		text = attributes_of_node(attributes, node, "node_guid");
	return text ? strtoull(text, NULL, 16) : fabric->labels->guid[node];
}

static uint64_t chassis_guid(const struct fabric *fabric, const struct attributes *attributes, uint32_t node)
{
	const char *text = attributes ? attributes_of_node(attributes, node, "chassis") : NULL;
	return text ? strtoull(text, NULL, 16) : node_system_guid(fabric, attributes, node);
}

/* ---- switches of one chassis */

static int compare_text(const char *a, int length, const char *b, int other)
{
	int order = memcmp(a, b, (size_t)(length < other ? length : other));
	return order ? order : length - other;
}

static int compare_marks(const void *left, const void *right)
{
	const struct mark *a = left, *b = right;
	int order = compare_text(a->name, a->length, b->name, b->length);
	return order ? order : (a->guid > b->guid) - (a->guid < b->guid);
}

static uint32_t first_of(uint32_t *of, uint32_t node)
{
	for (; of[node] != node; node = of[node])
		of[node] = of[of[node]];
	return node;
}

static void join(uint32_t *of, uint32_t a, uint32_t b)
{
	a = first_of(of, a);
	b = first_of(of, b);
	of[a > b ? a : b] = a < b ? a : b;
}

static int compare_guids(const void *left, const void *right)
{
	const struct mark *a = left, *b = right;
	return (a->guid > b->guid) - (a->guid < b->guid);
}

/* A GUID of a host, too, is that of a simulated fabric. hosts: [hosts] */
static void add_marks(struct search *s, const struct attributes *attributes, struct mark *hosts)
{
	const struct fabric *f = s->fabric;
	for (uint32_t h = 0; h < f->hosts; h++)
		hosts[h] = (struct mark){.guid = node_system_guid(f, attributes, f->host_node[h])};
	qsort(hosts, f->hosts, sizeof *hosts, compare_guids);
	for (uint32_t v = 0; v < f->nodes; v++) {
		struct chip *chip = &s->chip[s->chips];
		s->of[v] = v;
		if (f->node_host[v] != NONE)
			continue;
		struct mark guid = {.name = "", .guid = chassis_guid(f, attributes, v), .node = v};
		if (guid.guid && !bsearch(&guid, hosts, f->hosts, sizeof *hosts, compare_guids))
			s->mark[s->marks++] = guid;
		int length = read_chip(f->labels->desc[v], chip);
		if (!length)
			continue;
		chip->desc = f->labels->desc[v];
		chip->length = length;
		chip->chassis = v;
		s->chips++;
		s->mark[s->marks++] = (struct mark){.name = chip->desc, .length = length, .node = v};
	}
	qsort(s->mark, s->marks, sizeof *s->mark, compare_marks);
	for (uint32_t i = 1; i < s->marks; i++)
		if (!compare_marks(&s->mark[i - 1], &s->mark[i]))
			join(s->of, s->mark[i - 1].node, s->mark[i].node);
}

/* ---- chassis */

static int compare_chips(const void *left, const void *right)
{
	const struct chip *a = left, *b = right;
	if (a->chassis != b->chassis)
		return a->chassis < b->chassis ? -1 : 1;
	return a->kind != b->kind ? a->kind - b->kind : (a->board > b->board) - (a->board < b->board);
}

bool chassis_alike(const struct chassis *a, const struct chassis *b)
{
	return a->leaf_boards == b->leaf_boards && a->spine_boards == b->spine_boards && a->switches == b->switches;
}

static int compare_chassis(const void *left, const void *right)
{
	const struct chassis *a = left, *b = right;
	if (a->switches != b->switches)
		return a->switches > b->switches ? -1 : 1;
	if (a->leaf_boards != b->leaf_boards)
		return a->leaf_boards > b->leaf_boards ? -1 : 1;
	if (a->spine_boards != b->spine_boards)
		return a->spine_boards > b->spine_boards ? -1 : 1;
	int order = compare_text(a->name, a->length, b->name, b->length);
	return order ? order : a->first < b->first ? -1 : 1;
}

/* Numbers the chassis in the order of their first switches. size: [nodes] zero. */
static void number(struct search *s, uint32_t *size)
{
	struct chassis_list *list = s->list;
	const struct fabric *f = s->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		size[first_of(s->of, v)]++;
	for (uint32_t i = 0; i < s->chips; i++)
		size[s->chip[i].chassis = first_of(s->of, s->chip[i].chassis)]++; /* so that one is enough */
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t first = first_of(s->of, v);
		if (size[first] > 1 && first == v)
			list->chassis[list->of[v] = list->count++] = (struct chassis){.name = "", .first = v};
		else
			list->of[v] = first == v ? NONE : list->of[first];
		if (list->of[v] != NONE)
			list->chassis[list->of[v]].switches++;
	}
}

static void count_boards(struct search *s)
{
	qsort(s->chip, s->chips, sizeof *s->chip, compare_chips);
	for (uint32_t i = 0; i < s->chips; i++) {
		const struct chip *chip = &s->chip[i];
		struct chassis *c = &s->list->chassis[s->list->of[chip->chassis]];
		if (!c->length) {
			c->name = chip->desc;
			c->length = chip->length;
		}
		if (!i || compare_chips(chip - 1, chip))
			++*(chip->kind == 'L' ? &c->leaf_boards : &c->spine_boards);
	}
}

/* Names a chassis without boards by what the names of all its switches begin with before the chip, or by its GUID. */
static void name_others(struct search *s, const struct attributes *attributes)
{
	for (uint32_t v = 0; v < s->fabric->nodes; v++) {
		const char *desc = s->fabric->labels->desc[v];
		struct chassis *c = s->list->of[v] == NONE ? NULL : &s->list->chassis[s->list->of[v]];
		int length = before_chip(desc);
		if (!c || c->leaf_boards || c->spine_boards)
			continue;
		if (c->first == v) {
			c->name = desc;
			c->length = length;
		} else if (compare_text(c->name, c->length, desc, length)) {
			c->length = 0;
		}
	}
	for (uint32_t i = 0; i < s->list->count; i++) {
		struct chassis *c = &s->list->chassis[i];
		if (c->length)
			continue;
		c->name = s->list->guid[i];
		c->length =
			snprintf(s->list->guid[i], sizeof *s->list->guid, "0x%016" PRIx64, chassis_guid(s->fabric, attributes, c->first));
	}
}

/* Sorts the chassis. number: [nodes] scratch space. */
static void sort(struct search *s, uint32_t *number)
{
	struct chassis_list *list = s->list;
	for (uint32_t v = 0; v < s->fabric->nodes; v++)
		list->of[v] = list->of[v] == NONE ? NONE : list->chassis[list->of[v]].first;
	qsort(list->chassis, list->count, sizeof *list->chassis, compare_chassis);
	for (uint32_t i = 0; i < list->count; i++)
		number[list->chassis[i].first] = i;
	for (uint32_t v = 0; v < s->fabric->nodes; v++)
		list->of[v] = list->of[v] == NONE ? NONE : number[list->of[v]];
}

int chassis_find(struct chassis_list *list, const struct fabric *fabric, const struct attributes *attributes, struct error *error)
{
	size_t switches = fabric->nodes - fabric->hosts;
	struct search s = {
		.fabric = fabric,
		.list = list,
		.mark = array_create(2 * switches, sizeof *s.mark, error),
		.chip = array_create(switches + 1, sizeof *s.chip, error), /* the last is scratch space */
		.of = array_create(fabric->nodes, sizeof *s.of, error),
	};
	struct mark *hosts = array_create(fabric->hosts, sizeof *hosts, error);
	uint32_t *size = array_create(fabric->nodes, sizeof *size, error);
	*list = (struct chassis_list){
		.chassis = array_create(switches, sizeof *list->chassis, error),
		.of = array_create(fabric->nodes, sizeof *list->of, error),
		.guid = array_create(switches, sizeof *list->guid, error),
	};
	if (!error->status) {
		add_marks(&s, attributes, hosts);
		number(&s, size);
		count_boards(&s);
		name_others(&s, attributes);
		sort(&s, size);
	}
	free(s.mark);
	free(s.chip);
	free(s.of);
	free(hosts);
	free(size);
	return error->status ? -1 : 0;
}

void chassis_clear(struct chassis_list *list)
{
	free(list->chassis);
	free(list->of);
	free(list->guid);
	*list = (struct chassis_list){0};
}
