/* The same hosts in several fabrics, whatever their order in the files and, where GUIDs tell them, whatever their names. */
#ifndef TOOLS_COMPARE_SAME_HOSTS_H
#define TOOLS_COMPARE_SAME_HOSTS_H

#include "fabric/fabric.h"

/* The hosts of the fabric that all others are held against. */
struct host_list {
	uint32_t hosts;
	char *source, *pool; /* the file; holds the names */
	const char **name;   /* [hosts] */
	uint64_t *guid;      /* [hosts] 0 where there is none */
};

/* Copies what identifies the hosts of a fabric with labels. Returns 0, or -1 if out of memory. host_list_clear() in every case.
 */
int host_list_init(struct host_list *list, const struct fabric *fabric, struct error *error);
void host_list_clear(struct host_list *list);

/*
 * Finds the hosts of the list in another fabric with labels: by GUID if both have the same GUIDs, each once, else by name. Returns a new
 * array [hosts]: index in the list -> host index in the fabric; NULL with STATUS_FABRIC, naming a host that only one of them has.
 */
uint32_t *same_hosts(const struct host_list *list, const struct fabric *fabric, struct error *error);

#endif
