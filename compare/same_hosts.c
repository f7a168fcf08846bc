#include "compare/same_hosts.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *host_name(const struct fabric *fabric, uint32_t host)
{
	return fabric->labels->name[fabric->host_node[host]];
}

int host_list_init(struct host_list *list, const struct fabric *fabric, struct error *error)
{
	size_t size = 1;
	for (uint32_t h = 0; h < fabric->hosts; h++)
		size += strlen(host_name(fabric, h)) + 1;
	*list = (struct host_list){
		.hosts = fabric->hosts,
		.source = strdup(fabric->labels->source),
		.pool = array_create(size, 1, error),
		.name = array_create(fabric->hosts, sizeof *list->name, error),
		.guid = array_create(fabric->hosts, sizeof *list->guid, error),
	};
	if (!list->source)
		error_set(error, STATUS_IO, "out of memory");
	if (error->status)
		return -1;
	char *place = list->pool;
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		list->name[h] = place;
		place = stpcpy(place, host_name(fabric, h)) + 1;
		list->guid[h] = fabric->labels->guid[fabric->host_node[h]];
	}
	return 0;
}

void host_list_clear(struct host_list *list)
{
	free(list->source);
	free(list->pool);
	free(list->name);
	free(list->guid);
	*list = (struct host_list){0};
}

/* A GUID and the host that has it. */
struct keyed {
	uint64_t guid;
	uint32_t host;
};

static int compare_keyed(const void *left, const void *right)
{
	const struct keyed *a = left, *b = right;
	return (a->guid > b->guid) - (a->guid < b->guid);
}

/* Fills same by GUIDs. Returns whether both have the same GUIDs, each once; check error, too, for lack of memory. */
static bool match_guids(const struct host_list *list, const struct fabric *fabric, uint32_t *same, struct error *error)
{
	struct keyed *here = array_create(list->hosts, sizeof *here, error), *there = array_create(list->hosts, sizeof *there, error);
	bool match = here && there && fabric->hosts == list->hosts;
	for (uint32_t h = 0; match && h < list->hosts; h++) {
		here[h] = (struct keyed){list->guid[h], h};
		there[h] = (struct keyed){fabric->labels->guid[fabric->host_node[h]], h};
	}
	if (match) {
		qsort(here, list->hosts, sizeof *here, compare_keyed);
		qsort(there, list->hosts, sizeof *there, compare_keyed);
	}
	for (uint32_t i = 0; match && i < list->hosts; i++) {
		match = here[i].guid && here[i].guid == there[i].guid && (!i || here[i].guid != here[i - 1].guid);
		same[here[i].host] = there[i].host;
	}
	free(here);
	free(there);
	return match;
}

/* Returns a host of the fabric that the list does not have; there is one. */
static const char *additional_host(const struct fabric *fabric, const uint32_t *same, uint32_t known, struct error *error)
{
	bool *found = array_create(fabric->hosts, sizeof *found, error);
	uint32_t h = 0;
	if (!found)
		return "";
	for (uint32_t i = 0; i < known; i++)
		found[same[i]] = true;
	while (found[h])
		h++;
	free(found);
	return host_name(fabric, h);
}

/* Fills same with the hosts of the fabric that have the GUIDs of the list, each of which one has. Returns 0, or -1. */
static int find_guids(const struct host_list *list, const struct fabric *fabric, uint32_t *same, struct error *error)
{
	struct keyed *there = array_create(fabric->hosts, sizeof *there, error);
	for (uint32_t h = 0; there && h < fabric->hosts; h++)
		there[h] = (struct keyed){fabric->labels->guid[fabric->host_node[h]], h};
	if (there)
		qsort(there, fabric->hosts, sizeof *there, compare_keyed);
	for (uint32_t h = 0; there && h < list->hosts; h++) {
		const struct keyed key = {.guid = list->guid[h]};
		const struct keyed *found = bsearch(&key, there, fabric->hosts, sizeof *there, compare_keyed);
		same[h] = found->host;
	}
	free(there);
	return error->status ? -1 : 0;
}

/* Fills same with the hosts of the fabric that have the names of the list. Returns 0, or -1 for a name that none has. */
static int find_names(const struct host_list *list, const struct fabric *fabric, uint32_t *same, struct error *error)
{
	for (uint32_t h = 0; h < list->hosts; h++) {
		uint32_t node = name_table_find(&fabric->labels->names, list->name[h], strlen(list->name[h]));
		same[h] = node == NAME_NONE ? NONE : fabric->node_host[node];
		if (same[h] == NONE)
			return error_at(error, STATUS_FABRIC, fabric->labels->source, 0,
				"its hosts differ from those of %s: host '%s' is missing", list->source, list->name[h]);
	}
	return 0;
}

uint32_t *same_hosts(const struct host_list *list, const struct fabric *fabric, struct error *error)
{
	uint32_t *same = array_create(list->hosts, sizeof *same, error);
	const char *source = fabric->labels->source;
	if (same && list->common) {
		if (!(list->by_guid ? find_guids(list, fabric, same, error) : find_names(list, fabric, same, error)))
			return same;
		free(same);
		return NULL;
	}
	if (!same || match_guids(list, fabric, same, error))
		return same;
	if (!find_names(list, fabric, same, error) && fabric->hosts > list->hosts) {
		const char *more = additional_host(fabric, same, list->hosts, error);
		error_at(error, STATUS_FABRIC, source, 0, "its hosts differ from those of %s, which has no host '%s'", list->source, more);
	}
	if (!error->status)
		return same;
	free(same);
	return NULL;
}

/* ---- hosts that all fabrics have */

/* A host of one of the lists. */
struct listed {
	int list;
	uint32_t host;
	const char *name;
	uint64_t guid;
};

static int compare_names(const void *left, const void *right)
{
	const struct listed *a = left, *b = right;
	int order = strcmp(a->name, b->name);
	return order ? order : (a->list > b->list) - (a->list < b->list);
}

static int compare_guids(const void *left, const void *right)
{
	const struct listed *a = left, *b = right;
	if (a->guid != b->guid)
		return a->guid < b->guid ? -1 : 1;
	return (a->list > b->list) - (a->list < b->list);
}

static bool is_same(const struct listed *a, const struct listed *b, bool by_guid)
{
	return by_guid ? a->guid == b->guid : !strcmp(a->name, b->name);
}

/* Sorts all hosts and returns how many are in all lists; 0 if GUIDs do not identify them. */
static uint32_t count_common(struct listed *all, size_t count, int lists, bool by_guid)
{
	uint32_t common = 0;
	qsort(all, count, sizeof *all, by_guid ? compare_guids : compare_names);
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && is_same(&all[i], &all[end], by_guid); end++)
			if (all[end].list == all[end - 1].list)
				return 0;
		if (by_guid && !all[i].guid)
			return 0;
		common += end - i == (size_t)lists;
	}
	return common;
}

/* Notes a host that only some lists have, as missing in the others. */
static void note_missing(const struct listed *host, size_t count, int lists, struct missing_hosts *missing, struct error *error)
{
	size_t next = 0;
	for (int i = 0; i < lists; i++) {
		if (next < count && host[next].list == i) {
			next++;
			continue;
		}
		struct missing_hosts *m = &missing[i];
		if (m->count < MISSING_NAMED && !(m->name[m->count] = strdup(host->name)))
			error_set(error, STATUS_IO, "out of memory");
		m->count++;
	}
}

/* Keeps the hosts of the list that have a place. */
static void keep_placed(struct host_list *list, uint32_t *place)
{
	uint32_t kept = 0;
	for (uint32_t h = 0; h < list->hosts; h++) {
		if (place[h] == NONE)
			continue;
		list->name[kept] = list->name[h];
		list->guid[kept] = list->guid[h];
		place[h] = kept++;
	}
	list->hosts = kept;
}

uint32_t *common_hosts(struct host_list *list, int lists, struct missing_hosts *missing, struct error *error)
{
	size_t count = 0, last = 0;
	for (int i = 0; i < lists; i++)
		count += list[i].hosts;
	struct listed *all = array_create(count, sizeof *all, error);
	uint32_t *place = array_create(list->hosts, sizeof *place, error);
	for (int i = 0; i < lists && !error->status; i++)
		for (uint32_t h = 0; h < list[i].hosts; h++)
			all[last++] = (struct listed){i, h, list[i].name[h], list[i].guid[h]};
	if (!error->status) {
		uint32_t guids = count_common(all, count, lists, true), names = count_common(all, count, lists, false);
		list->common = true;
		list->by_guid = guids && guids >= names && count_common(all, count, lists, true);
		memset(place, 0xff, list->hosts * sizeof *place);
		for (size_t i = 0, end; i < count; i = end) {
			for (end = i + 1; end < count && is_same(&all[i], &all[end], list->by_guid);)
				end++;
			if (end - i == (size_t)lists)
				place[all[i].host] = 0;
			else
				note_missing(&all[i], end - i, lists, missing, error);
		}
		keep_placed(list, place);
		if (list->hosts < 2 && !error->status)
			error_set(error, STATUS_FABRIC, "fewer than 2 hosts are in all fabrics, neither by GUID nor by name");
	}
	free(all);
	if (!error->status)
		return place;
	free(place);
	return NULL;
}

void missing_hosts_clear(struct missing_hosts *missing)
{
	for (int i = 0; i < MISSING_NAMED; i++)
		free(missing->name[i]);
	*missing = (struct missing_hosts){0};
}
