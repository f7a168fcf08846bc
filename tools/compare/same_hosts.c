#include "tools/compare/same_hosts.h"

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

uint32_t *same_hosts(const struct host_list *list, const struct fabric *fabric, struct error *error)
{
	uint32_t *same = array_create(list->hosts, sizeof *same, error);
	const char *source = fabric->labels->source;
	if (!same || match_guids(list, fabric, same, error))
		return same;
	for (uint32_t h = 0; h < list->hosts && !error->status; h++) {
		uint32_t node = name_table_find(&fabric->labels->names, list->name[h], strlen(list->name[h]));
		same[h] = node == NAME_NONE ? NONE : fabric->node_host[node];
		if (same[h] == NONE)
			error_at(error, STATUS_FABRIC, source, 0, "its hosts differ from those of %s: host '%s' is missing", list->source,
				list->name[h]);
	}
	if (!error->status && fabric->hosts > list->hosts) {
		const char *more = additional_host(fabric, same, list->hosts, error);
		error_at(error, STATUS_FABRIC, source, 0, "its hosts differ from those of %s, which has no host '%s'", list->source, more);
	}
	if (!error->status)
		return same;
	free(same);
	return NULL;
}
