/* Hosts by the switch of their first link, by machine, or each alone; with a name for each group. */
#ifndef TOOLS_TRACE_HOST_GROUPS_H
#define TOOLS_TRACE_HOST_GROUPS_H

#include "fabric/attributes.h"
#include "tools/trace/trace_options.h"

struct host_groups {
	uint32_t *of;      /* [hosts] */
	const char **name; /* [groups] */
	char *pool;        /* memory of the names of machines; NULL */
	uint32_t groups;
};

/*
 * Groups the hosts of a fabric with labels by GROUP_LEAF, GROUP_MACHINE or GROUP_HOST. attributes: NULL if there are none. Returns 0, or -1
 * if out of memory; call host_groups_clear() in either case.
 */
int host_groups_find(struct host_groups *groups, const struct fabric *fabric, const struct attributes *attributes, enum trace_group by,
	struct error *error);
void host_groups_clear(struct host_groups *groups);

#endif
