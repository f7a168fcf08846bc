/* The same hosts in several fabrics, regardless of their order in the files and, if GUIDs identify them, of their names. */
#ifndef TOOLS_COMPARE_SAME_HOSTS_H
#define TOOLS_COMPARE_SAME_HOSTS_H

#include "fabric/fabric.h"

/* The hosts of the fabric with which all others are compared. */
struct host_list {
	uint32_t hosts;
	char *source, *pool; /* file name; memory of the names */
	const char **name;   /* [hosts] */
	uint64_t *guid;      /* [hosts] 0 if none */
};

/*
 * Copies the names and GUIDs of the hosts of a fabric with labels. Returns 0, or -1 if out of memory. Call host_list_clear() in either
 * case.
 */
int host_list_init(struct host_list *list, const struct fabric *fabric, struct error *error);
void host_list_clear(struct host_list *list);

/*
 * Finds the hosts of the list in another fabric with labels: by GUID if both have the same GUIDs, each once, otherwise by name. Returns a
 * new array [hosts]: index in the list -> host index in the fabric; NULL with STATUS_FABRIC and the name of a host that only one of them
 * has.
 */
uint32_t *same_hosts(const struct host_list *list, const struct fabric *fabric, struct error *error);

#endif
