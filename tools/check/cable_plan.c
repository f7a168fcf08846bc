#include "tools/check/cable_plan.h"

#include "base/arena.h"
#include "base/memory.h"
#include "base/spelling.h"
#include "base/shown.h"
#include "infiniband/recognise.h"
#include "tools/check/plan_names.h"
#include "tools/check/plan_rows.h"
#include "tools/check/same_nodes.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

/* ---- reading */

/* Returns 1 if the file has a fabric or a part of it, 0 if not, -1 on errors. */
static int is_fabric(const struct fabric_source *source, size_t i, struct error *error)
{
	struct stat about;
	const char *path = source->file[i].path;
	if (fabric_source_spec(source) || (strcmp(path, "-") && !stat(path, &about) && S_ISDIR(about.st_mode)))
		return 1;
	int holds = recognise(path, error);
	return holds < 0 ? -1 : holds != 0;
}

int cable_plan_open(struct fabric_source *source, struct files *files, struct error *error)
{
	int first = is_fabric(source, 0, error);
	for (size_t i = 1; i < source->files && first >= 0; i++) {
		int next = is_fabric(source, i, error);
		if (next >= 0 && next != first)
			return error_set(error, STATUS_USAGE,
				"--plan %s is a list of cables, but --plan %s is a fabric: choose one of them",
				SHOWN(source->file[first ? i : 0].path), SHOWN(source->file[first ? 0 : i].path));
		first = next < 0 ? next : first;
	}
	if (first > 0)
		return fabric_source_open(source, files, error);
	source->unrecognised = true;
	for (size_t i = 0; i < source->files && first == 0; i++)
		first = files_read(files, source->file[i].path, error);
	return first;
}

static int read_list(struct cable_plan *p, const struct fabric_source *source, const struct fabric *fabric, struct error *error)
{
	p->list = array_create(1, sizeof *p->list, error);
	for (size_t i = 0; p->list && i < source->files && !error->status; i++)
		plan_list_read(p->list, source->file[i].path, error);
	if (error->status)
		return -1;
	p->blank = p->list->blank;
	return plan_rows(p, p->list, source, fabric, error);
}

/* Notes the nodes of a planned fabric that are not in the fabric found, and sets nodes. */
static int note_absent(struct cable_plan *p, const struct fabric *found, const uint32_t *same, struct error *error)
{
	const struct fabric *f = p->fabric;
	p->nodes = found->nodes + f->nodes;
	for (uint32_t v = 0; v < f->nodes; v++) {
		if (same[v] != NONE)
			continue;
		if (array_grow(&p->unmatched, &p->unmatched_room, (size_t)p->unmatched_count + 1, sizeof *p->unmatched, error))
			return -1;
		p->unmatched[p->unmatched_count++] = (struct plan_unmatched){
			.name = f->labels->name[v],
			.reason = "is not in the fabric",
			.file = p->name,
			.ends = f->first_channel[v + 1] - f->first_channel[v],
		};
	}
	return 0;
}

static int read_fabric(struct cable_plan *p, struct fabric_source *source, struct files *files, FILE *notes, const struct fabric *found,
	struct error *error)
{
	struct forwarding *forwarding = NULL;
	int failed = fabric_source_load(
		source, DOT_ALLOW_NO_LINK | DOT_KEEP_READ, files, notes, &p->fabric, &forwarding, &p->attributes, &p->odd, error);
	forwarding_free(forwarding);
	uint32_t *reverse = failed ? NULL : fabric_reverse(p->fabric, error);
	uint32_t *same = reverse ? same_nodes(found, p->fabric, error) : NULL;
	const struct cabled_fabric from = {p->fabric, reverse, p->attributes, same, found->nodes};
	if (same && !note_absent(p, found, same, error))
		cable_list_of_fabric(&p->planned, &from, error);
	free(reverse);
	free(same);
	return error->status ? -1 : 0;
}

/* ---- classes of cables that a list leaves out */

static bool same_system(const struct fabric *f, const struct cable *cable)
{
	const char *name[2];
	size_t length[2];
	for (int i = 0; i < 2; i++)
		length[i] = system_name(f->labels->desc[cable->end[i].node], &name[i]);
	return length[0] && length[0] == length[1] && !strncasecmp(name[0], name[1], length[0]);
}

/* Returns the class of a cable; CABLE_CLASSES: unknown, as the fabric lacks a node that may be a host. */
static enum cable_class class_of(const struct fabric *f, const struct cable *cable)
{
	bool known = true;
	for (int i = 0; i < 2; i++) {
		uint32_t node = cable->end[i].node;
		if (node < f->nodes && f->node_host[node] != NONE)
			return CABLE_HOST;
		known = known && node < f->nodes;
	}
	return !known ? CABLE_CLASSES : same_system(f, cable) ? CABLE_INSIDE : CABLE_BETWEEN;
}

/* Puts the cables found of the classes that the plan has none of behind the others, if it has any; these stay sorted. */
static void leave_out(struct cable_plan *p, const struct fabric *f)
{
	bool has[CABLE_CLASSES + 1] = {false};
	uint32_t kept = 0;
	for (uint32_t c = 0; c < p->planned.cables; c++)
		has[class_of(f, &p->planned.cable[c])] = true;
	if (!has[CABLE_HOST] && !has[CABLE_INSIDE] && !has[CABLE_BETWEEN])
		return;
	for (uint32_t c = 0; c < p->found.cables; c++) {
		struct cable cable = p->found.cable[c];
		enum cable_class class = class_of(f, &cable);
		p->left_out[class] += !has[class];
		if (has[class]) {
			p->found.cable[c] = p->found.cable[kept];
			p->found.cable[kept++] = cable;
		}
	}
	p->found.others = p->found.cables - kept;
	p->found.cables = kept;
}

/* ---- differences */

static int compare_ends(const void *left, const void *right)
{
	const struct cable_end *a = left, *b = right;
	if (a->node != b->node)
		return a->node < b->node ? -1 : 1;
	return (a->port > b->port) - (a->port < b->port);
}

/* Counts the ports that are at two planned cables. */
static int find_twice(struct cable_plan *p, struct error *error)
{
	size_t count = 0;
	struct cable_end *end = array_create((size_t)p->planned.cables * 2, sizeof *end, error), first = {0};
	for (uint32_t c = 0; c < p->planned.cables && end; c++)
		for (int i = 0; i < 2; i++)
			if (p->planned.cable[c].end[i].port)
				end[count++] = p->planned.cable[c].end[i];
	if (count)
		qsort(end, count, sizeof *end, compare_ends);
	for (size_t i = 1; i < count; i++)
		if (!compare_ends(&end[i - 1], &end[i]) && (i < 2 || compare_ends(&end[i - 2], &end[i])) && !p->twice++)
			first = end[i];
	for (uint32_t c = 0; c < p->planned.cables && p->twice; c++)
		for (int i = 0; i < 2; i++)
			if (!compare_ends(&p->planned.cable[c].end[i], &first)) {
				p->first_twice = &p->planned.cable[c];
				p->first_twice_end = i;
			}
	free(end);
	return error->status ? -1 : 0;
}

/*
 * Returns whether a name of a list that no node has, of one cable, is that of a host: not if the list has no cable of a host, or the name
 * is nearest to that of a switch, as if misspelt.
 */
static bool names_host(const struct fabric *found, const char *name, bool any_host)
{
	const char *near = any_host && name ? nearest_name(name, found->labels->name, found->nodes) : NULL;
	uint32_t node = near ? name_table_find(&found->labels->names, near, strlen(near)) : NAME_NONE;
	return any_host && (node == NAME_NONE || found->node_host[node] != NONE);
}

/* Returns [nodes] whether a node is a host. */
static bool *find_hosts(const struct cable_plan *p, const struct fabric *found, struct error *error)
{
	bool *hosts = array_create(p->nodes, sizeof *hosts, error);
	uint32_t *cables = array_create(p->nodes, sizeof *cables, error);
	bool any_host = false;
	for (uint32_t c = 0; c < p->planned.cables && !error->status; c++)
		for (int i = 0; i < 2; i++) {
			uint32_t v = p->planned.cable[c].end[i].node;
			cables[v]++;
			any_host |= v < found->nodes && found->node_host[v] != NONE;
		}
	for (uint32_t v = 0; v < p->nodes && !error->status; v++)
		hosts[v] = v < found->nodes ? found->node_host[v] != NONE : p->fabric && p->fabric->node_host[v - found->nodes] != NONE;
	for (uint32_t c = 0; c < p->planned.cables && !error->status && !p->fabric; c++)
		for (int i = 0; i < 2; i++) {
			uint32_t v = p->planned.cable[c].end[i].node;
			if (v >= found->nodes && cables[v] == 1)
				hosts[v] = names_host(found, p->planned.cable[c].name[i], any_host);
		}
	free(cables);
	if (!error->status)
		return hosts;
	free(hosts);
	return NULL;
}

static void add(struct cable_plan *p, enum plan_kind kind, uint32_t planned, uint32_t found)
{
	struct plan_difference d = {.kind = kind, .planned = planned, .found = found};
	if (planned != NONE)
		d.cost = plan_cable_cost(&p->capacity, &p->planned.cable[planned]);
	p->difference[p->differences++] = d;
	p->count[kind]++;
}

static int compare_differences(const void *left, const void *right)
{
	const struct plan_difference *a = left, *b = right;
	if (a->cost.share != b->cost.share)
		return a->cost.share > b->cost.share ? -1 : 1;
	if (a->cost.node != b->cost.node)
		return a->cost.node < b->cost.node ? -1 : 1;
	if (a->cost.level != b->cost.level)
		return a->cost.level < b->cost.level ? -1 : 1;
	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->planned != b->planned)
		return a->planned < b->planned ? -1 : 1;
	return (a->found > b->found) - (a->found < b->found);
}

static int list_differences(struct cable_plan *p, struct error *error)
{
	p->difference = array_create((size_t)p->planned.cables + p->found.cables, sizeof *p->difference, error);
	if (!p->difference)
		return -1;
	for (uint32_t c = 0; c < p->planned.cables; c++) {
		const struct cable *cable = &p->planned.cable[c];
		if (cable->match == NONE)
			add(p, PLAN_MISSING, c, NONE);
		else if (cable->how == CABLE_MOVED)
			add(p, PLAN_MISWIRED, c, cable->match);
		else if (cables_differ_in_speed(cable, &p->found.cable[cable->match]))
			add(p, PLAN_SPEED, c, cable->match);
		else
			p->as_planned++;
	}
	for (uint32_t c = 0; c < p->found.cables; c++)
		if (p->found.cable[c].match == NONE)
			add(p, PLAN_UNPLANNED, NONE, c);
	if (p->differences)
		qsort(p->difference, p->differences, sizeof *p->difference, compare_differences);
	return 0;
}

int cable_plan_compare(struct cable_plan *plan, struct fabric_source *source, struct files *files, FILE *notes,
	const struct cabled_fabric *fabric, uint64_t most, struct error *error)
{
	struct cable_plan *p = plan;
	const struct fabric *found = fabric->fabric;
	*p = (struct cable_plan){.name = source->name};
	if (source->unrecognised ? read_list(p, source, found, error) : read_fabric(p, source, files, notes, found, error))
		return -1;
	bool *hosts = cable_list_of_fabric(&p->found, fabric, error) ? NULL : find_hosts(p, found, error);
	if (hosts) {
		if (p->list)
			leave_out(p, found);
		if (!find_twice(p, error) && !cable_list_match(&p->planned, &p->found, hosts, p->nodes, error) &&
			!plan_capacity(&p->capacity, &p->planned, &p->found, hosts, p->nodes, error) && !list_differences(p, error))
			plan_bandwidth_find(p, fabric, hosts, most, error);
	}
	free(hosts);
	return error->status ? -1 : 0;
}

void cable_plan_clear(struct cable_plan *plan)
{
	cable_list_clear(&plan->planned);
	cable_list_clear(&plan->found);
	plan_capacity_clear(&plan->capacity);
	free(plan->difference);
	free(plan->unmatched);
	attributes_free(plan->attributes);
	fabric_free(plan->fabric);
	if (plan->list)
		plan_list_clear(plan->list);
	free(plan->list);
	if (plan->arena)
		arena_destroy(plan->arena);
	*plan = (struct cable_plan){0};
}
