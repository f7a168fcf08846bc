#include "shapes/shape_part.h"

#include "base/disjoint.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int compare_neighbours(const void *left, const void *right)
{
	const struct neighbour *x = left, *y = right;
	return x->to < y->to ? -1 : x->to > y->to;
}

uint32_t part_cables(const struct part *part, uint32_t a, uint32_t b)
{
	const struct neighbour *found = find_neighbour(part->neighbour, part->first[a], part->first[a + 1], b);
	return found ? found->cables : 0;
}

uint32_t part_common(const struct part *part, uint32_t a, uint32_t b)
{
	if (part_degree(part, a) > part_degree(part, b))
		return part_common(part, b, a);
	uint32_t i = part->first[a], j = part->first[b], common = 0;
	if (part_degree(part, b) / 16 > part_degree(part, a)) {
		for (; i < part->first[a + 1]; i++)
			common += part_cables(part, b, part->neighbour[i].to) > 0;
		return common;
	}
	while (i < part->first[a + 1] && j < part->first[b + 1]) {
		uint32_t x = part->neighbour[i].to, y = part->neighbour[j].to;
		common += x == y;
		i += x <= y;
		j += y <= x;
	}
	return common;
}

void part_mark_alike(const struct part *part, bool *leaf, uint32_t *votes)
{
	for (uint32_t v = 0; v < part->switches; v++) {
		bool alike = false;
		for (int count = !leaf[v]; count >= 0 && !leaf[v]; count--) /* first pass counts, second resets */
			for (uint32_t i = part->first[v]; i < part->first[v + 1]; i++)
				for (uint32_t u = part->neighbour[i].to, k = part->first[u]; k < part->first[u + 1]; k++) {
					uint32_t other = part->neighbour[k].to;
					votes[other] = count ? votes[other] + 1 : 0;
					alike |= leaf[other] && 2 * votes[other] > part_degree(part, v);
				}
		leaf[v] |= alike;
	}
}

bool part_is_direct(const struct part *part)
{
	uint64_t with_hosts = 0;
	for (uint32_t v = 0; v < part->switches; v++)
		with_hosts += part->hosts[v] > 0;
	return 2 * with_hosts >= part->switches;
}

int compare_numbers(const void *left, const void *right)
{
	const uint32_t *x = left, *y = right;
	return *x < *y ? -1 : *x > *y;
}

uint32_t most_common(uint32_t *values, size_t count)
{
	uint32_t best = 0;
	size_t most = 0;
	if (count)
		qsort(values, count, sizeof *values, compare_numbers);
	for (size_t i = 0, run = 0; i < count; i++) {
		run = i && values[i] == values[i - 1] ? run + 1 : 1;
		if (run >= most) {
			most = run;
			best = values[i];
		}
	}
	return best;
}

/* ---- all parts */

/* Joins nodes that channels connect: channels between switches, or all. */
static void join(uint32_t *parent, const struct fabric *f, bool switches)
{
	disjoint_init(parent, f->nodes);
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t k = f->first_channel[v]; k < f->first_channel[v + 1]; k++)
			if (!switches || (f->node_host[v] == NONE && f->node_host[f->head[k]] == NONE))
				disjoint_join(parent, f->head[k], v);
}

/* Numbers the parts in the order of their first switches. size: [nodes] temporary */
static void number_parts(struct cabling_parts *p, uint32_t *parent, uint32_t *size)
{
	const struct fabric *f = p->fabric;
	join(parent, f, true);
	memset(p->part, 0xff, f->nodes * sizeof *p->part);
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t root = disjoint_root(parent, v);
		if (f->node_host[v] != NONE)
			continue;
		if (p->part[root] == NONE)
			p->part[root] = p->parts++;
		p->part[v] = p->part[root];
		p->number[v] = size[p->part[v]]++;
	}
	for (uint32_t i = 0; i < p->parts; i++)
		p->first[i + 1] = p->first[i] + size[i];
	for (uint32_t v = 0; v < f->nodes; v++)
		if (p->part[v] != NONE)
			p->member[p->first[p->part[v]] + p->number[v]] = v;
}

/* Visits the switches that a host is connected to, each once. last: [nodes] the last host seen at a switch */
static void look_at_host(struct cabling_parts *p, uint32_t host, uint32_t *last, uint32_t *last_of_part, uint32_t *rails)
{
	const struct fabric *f = p->fabric;
	for (uint32_t v = f->host_node[host], k = f->first_channel[v]; k < f->first_channel[v + 1]; k++) {
		uint32_t u = f->head[k], part = p->part[u];
		if (part == NONE || last[u] == host)
			continue;
		last[u] = host;
		if (last_of_part[part] != host)
			rails[part] = 0;
		p->hosts[part] += last_of_part[part] != host;
		last_of_part[part] = host;
		rails[part]++;
		p->switch_hosts[u]++;
	}
	for (uint32_t v = f->host_node[host], k = f->first_channel[v]; k < f->first_channel[v + 1]; k++) {
		uint32_t part = p->part[f->head[k]];
		if (part == NONE)
			continue;
		if (!p->least_rails[part] || rails[part] < p->least_rails[part])
			p->least_rails[part] = rails[part];
		if (rails[part] > p->most_rails[part])
			p->most_rails[part] = rails[part];
	}
}

/* Returns whether no host is connected to another host. */
static bool look_at_hosts(struct cabling_parts *p, struct error *error)
{
	const struct fabric *f = p->fabric;
	uint32_t *last = array_create(3 * (size_t)f->nodes, sizeof *last, error); /* arrays for switches, parts, and rails */
	bool apart = last;
	if (last)
		memset(last, 0xff, 2 * (size_t)f->nodes * sizeof *last);
	for (uint32_t h = 0; h < f->hosts && last; h++) {
		look_at_host(p, h, last, last + f->nodes, last + 2 * (size_t)f->nodes);
		for (uint32_t v = f->host_node[h], k = f->first_channel[v]; k < f->first_channel[v + 1]; k++)
			apart = apart && (p->part[f->head[k]] != NONE || f->head[k] == v);
	}
	free(last);
	return apart;
}

/* Returns whether every part has nearly all hosts of the component that it belongs to. all: [nodes] temporary */
static bool have_all_hosts(const struct cabling_parts *p, uint32_t *parent, uint32_t *all)
{
	const struct fabric *f = p->fabric;
	bool have = true;
	memset(all, 0, f->nodes * sizeof *all);
	join(parent, f, false);
	for (uint32_t h = 0; h < f->hosts; h++)
		all[disjoint_root(parent, f->host_node[h])] += f->first_channel[f->host_node[h] + 1] > f->first_channel[f->host_node[h]];
	for (uint32_t i = 0; i < p->parts; i++) {
		uint32_t hosts = all[disjoint_root(parent, p->member[p->first[i]])];
		have = have && hosts - p->hosts[i] <= (hosts < 8 ? 0 : hosts < 40 ? 1 : hosts / 20);
	}
	return have;
}

int parts_find(struct cabling_parts *parts, const struct fabric *fabric, const uint32_t *reverse, struct error *error)
{
	uint32_t *parent = array_create(fabric->nodes, sizeof *parent, error), *size = array_create(fabric->nodes, sizeof *size, error);
	*parts = (struct cabling_parts){
		.fabric = fabric,
		.reverse = reverse,
		.part = array_create(fabric->nodes, sizeof *parts->part, error),
		.number = array_create(fabric->nodes, sizeof *parts->number, error),
		.first = array_create((size_t)fabric->nodes + 1, sizeof *parts->first, error),
		.member = array_create(fabric->nodes, sizeof *parts->member, error),
		.hosts = array_create(fabric->nodes, sizeof *parts->hosts, error),
		.switch_hosts = array_create(fabric->nodes, sizeof *parts->switch_hosts, error),
		.least_rails = array_create(fabric->nodes, sizeof *parts->least_rails, error),
		.most_rails = array_create(fabric->nodes, sizeof *parts->most_rails, error),
	};
	if (!error->status) {
		number_parts(parts, parent, size);
		parts->planes = look_at_hosts(parts, error) && have_all_hosts(parts, parent, size);
	}
	free(parent);
	free(size);
	return error->status ? -1 : 0;
}

void shape_parts_clear(struct cabling_parts *parts)
{
	free(parts->part);
	free(parts->number);
	free(parts->first);
	free(parts->member);
	free(parts->hosts);
	free(parts->switch_hosts);
	free(parts->least_rails);
	free(parts->most_rails);
	*parts = (struct cabling_parts){0};
}

/* ---- one part */

void part_clear(struct part *part)
{
	free(part->node);
	free(part->hosts);
	free(part->first);
	free(part->neighbour);
	free(part->stray);
	*part = (struct part){0};
}

/* Sorts the lists by neighbour and merges parallel cables into one entry. end: [switches] */
static void join_parallel(struct part *part, const uint32_t *end)
{
	uint32_t to = 0;
	part->links = 0;
	for (uint32_t a = 0; a < part->switches; a++) {
		uint32_t from = part->first[a], start = to;
		qsort(part->neighbour + from, end[a] - from, sizeof *part->neighbour, compare_neighbours);
		for (; from < end[a]; from++) {
			struct neighbour n = part->neighbour[from];
			if (to > start && part->neighbour[to - 1].to == n.to)
				part->neighbour[to - 1].cables += n.cables;
			else
				part->neighbour[to++] = n;
		}
		part->first[a] = start;
		for (uint32_t i = start; i < to; i++)
			part->links += part->neighbour[i].to > a;
	}
	part->first[part->switches] = to;
}

/* Adds each cable of the part to the lists of both ends, [end], or only counts it; channels that are not part of a cable become strays. */
static void add_cables(struct part *part, const struct cabling_parts *p, uint32_t *end)
{
	const struct fabric *f = p->fabric;
	part->strays = 0;
	for (uint32_t a = 0; a < part->switches; a++)
		for (uint32_t v = part->node[a], k = f->first_channel[v]; k < f->first_channel[v + 1]; k++) {
			uint32_t b = p->number[f->head[k]], back = p->reverse[k];
			if (f->node_host[f->head[k]] != NONE || (back != NONE && back < k)) /* a cable counts at its lower channel */
				continue;
			if (back == NONE || a == b) {
				if (part->stray)
					part->stray[part->strays] = k;
				part->strays++;
			} else if (part->neighbour) {
				part->neighbour[end[a]++] = (struct neighbour){.to = b, .cables = 1};
				part->neighbour[end[b]++] = (struct neighbour){.to = a, .cables = 1};
				part->cables++;
			} else {
				part->first[a + 1]++;
				part->first[b + 1]++;
			}
		}
}

/* Renumbers: switch order[i] becomes i. Returns 0, or -1. */
static int renumber(struct part *part, const uint32_t *order, uint32_t *number, struct error *error)
{
	uint32_t n = part->switches, ends = part->first[n];
	struct part old = *part;
	part->node = array_create(n, sizeof *part->node, error);
	part->hosts = array_create(n, sizeof *part->hosts, error);
	part->first = array_create((size_t)n + 1, sizeof *part->first, error);
	part->neighbour = array_create(ends, sizeof *part->neighbour, error);
	for (uint32_t i = 0; i < n && !error->status; i++)
		number[order[i]] = i;
	for (uint32_t i = 0; i < n && !error->status; i++) {
		uint32_t to = part->first[i];
		part->node[i] = old.node[order[i]];
		part->hosts[i] = old.hosts[order[i]];
		for (uint32_t k = old.first[order[i]]; k < old.first[order[i] + 1]; k++)
			part->neighbour[to++] = (struct neighbour){.to = number[old.neighbour[k].to], .cables = old.neighbour[k].cables};
		part->first[i + 1] = to;
	}
	free(old.node);
	free(old.hosts);
	free(old.first);
	free(old.neighbour);
	return error->status ? -1 : 0;
}

/* Reads the part, its switches in the order of the file. end: [its switches] temporary */
static int read_part(struct part *part, const struct cabling_parts *p, uint32_t index, uint32_t *end, struct error *error)
{
	part->switches = p->first[index + 1] - p->first[index];
	part->node = array_create(part->switches, sizeof *part->node, error);
	part->hosts = array_create(part->switches, sizeof *part->hosts, error);
	part->first = array_create((size_t)part->switches + 1, sizeof *part->first, error);
	if (error->status)
		return -1;
	memcpy(part->node, p->member + p->first[index], part->switches * sizeof *part->node);
	for (uint32_t v = 0; v < part->switches; v++)
		part->hosts[v] = p->switch_hosts[part->node[v]];
	part->least_rails = p->least_rails[index];
	part->most_rails = p->most_rails[index];
	add_cables(part, p, end);
	for (uint32_t a = 0; a < part->switches; a++)
		part->first[a + 1] += part->first[a];
	memcpy(end, part->first, part->switches * sizeof *end);
	part->neighbour = array_create(part->first[part->switches], sizeof *part->neighbour, error);
	part->stray = array_create(part->strays, sizeof *part->stray, error);
	if (error->status)
		return -1;
	add_cables(part, p, end);
	join_parallel(part, end);
	return 0;
}

int part_make(struct part *part, const struct cabling_parts *parts, uint32_t index, struct error *error)
{
	*part = (struct part){0};
	uint32_t *end = array_create(parts->first[index + 1] - parts->first[index], sizeof *end, error);
	if (!error->status)
		read_part(part, parts, index, end, error);
	free(end);
	return error->status ? -1 : 0;
}

int part_renumber(struct part *part, struct error *error)
{
	uint32_t size = part->switches;
	uint32_t *order = array_create(size, sizeof *order, error), *number = array_create(size, sizeof *number, error);
	int found = error->status ? -1 : part_order(part, order, error);
	if (!found)
		found = renumber(part, order, number, error);
	if (!found) {
		for (uint32_t a = 0; a < size; a++) /* sorts the lists by the new numbers */
			number[a] = part->first[a + 1];
		join_parallel(part, number);
	}
	free(order);
	free(number);
	return found;
}
