#include "compare/common.h"

#include "base/memory.h"
#include "compare/copy.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lists the hosts of all fabrics, and keeps the first fabric. Returns how many there are, or -1. */
static int list_hosts(struct comparison *c, struct fabric **first, struct host_list *list, int *routing, struct error *error)
{
	int lists = 0;
	for (int i = 0; i < c->routings && !error->status; i++) {
		struct fabric *fabric = NULL;
		struct forwarding *forwarding;
		struct attributes *attributes;
		struct dot_report odd;
		if (!c->routing[i].there)
			continue;
		if (fabric_source_load(
			    c->routing[i].source, DOT_ALLOW_NO_LINK, c->files, c->oddities, &fabric, &forwarding, &attributes, &odd, error))
			copy_name_error(c->routing[i].source, c->routing[i].label, error);
		else if (!host_list_init(&list[lists], fabric, error))
			routing[lists] = i;
		lists++;
		if (lists == 1)
			*first = fabric;
		else
			fabric_free(fabric);
	}
	return error->status ? -1 : lists;
}

/* Places the ranks on hosts of the first fabric, of those that all have; place: its host index -> index of these. */
static int place_common(struct comparison *c, const struct fabric *first, const uint32_t *place, struct error *error)
{
	bool listed = !strncmp(c->mapping, "file:", 5);
	uint32_t ranks = 0;
	placement_clear(&c->placement);
	if (placement_init(&c->placement, first, c->subset, c->mapping, listed ? c->asked : 0, c->seed, error))
		return -1;
	for (uint32_t r = 0; r < c->placement.ranks; r++) {
		uint32_t host = c->placement.host[r];
		if (place[host] != NONE)
			c->placement.host[ranks++] = place[host];
		else if (listed)
			return error_set(error, STATUS_USAGE, "--mapping: not all fabrics have the host '%s'",
				first->labels->name[first->host_node[host]]);
	}
	if (ranks < c->asked)
		return error_set(error, STATUS_USAGE, "%" PRIu32 " ranks, but only %" PRIu32 " hosts in all fabrics", c->asked, ranks);
	c->placement.ranks = c->asked ? c->asked : ranks;
	return 0;
}

void comparison_choose_common(struct comparison *c, struct error *error)
{
	struct fabric *first = NULL;
	struct host_list *list = array_create((size_t)c->routings, sizeof *list, error);
	struct missing_hosts *missing = array_create((size_t)c->routings, sizeof *missing, error);
	int *routing = array_create((size_t)c->routings, sizeof *routing, error);
	int lists = error->status ? -1 : list_hosts(c, &first, list, routing, error);
	uint32_t *place = lists < 0 ? NULL : common_hosts(list, lists, missing, error);
	for (int i = 0; i < lists; i++)
		c->routing[routing[i]].missing = missing[i];
	if (place && !place_common(c, first, place, error)) {
		host_list_clear(&c->hosts);
		c->hosts = list[0];
		list[0] = (struct host_list){0};
	}
	for (int i = 0; i < c->routings && list; i++)
		host_list_clear(&list[i]);
	fabric_free(first);
	free(list);
	free(missing);
	free(routing);
	free(place);
}
