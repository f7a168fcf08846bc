/* The same hosts in several fabrics, regardless of their order in the files and, if GUIDs identify them, of their names. */
#ifndef COMPARE_SAME_HOSTS_H
#define COMPARE_SAME_HOSTS_H

#include "fabric/fabric.h"

#include <stdbool.h>

/* The hosts of the fabric with which all others are compared. */
struct host_list {
	uint32_t hosts;
	char *source, *pool; /* file name; memory of the names */
	const char **name;   /* [hosts] */
	uint64_t *guid;      /* [hosts] 0 if none */
	bool common;         /* the hosts that all fabrics have; each fabric can have more */
	bool by_guid;        /* these are identified by GUID, otherwise by name */
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

enum { MISSING_NAMED = 5 };

/* The hosts that a fabric lacks, but others have. */
struct missing_hosts {
	uint32_t count;
	char *name[MISSING_NAMED]; /* of the first ones; NULL: no more */
};

/*
 * Reduces the first list to the hosts that all lists have: by GUID if each host has its own and that finds no fewer than by name. Returns a
 * new array [hosts of the first list]: index before -> index now, NONE if not all have it; missing: [lists] hosts of other lists. NULL on
 * errors: STATUS_FABRIC if fewer than 2 hosts remain. Call missing_hosts_clear() in either case. Time O(hosts log hosts).
 */
uint32_t *common_hosts(struct host_list *list, int lists, struct missing_hosts *missing, struct error *error);
void missing_hosts_clear(struct missing_hosts *missing);

#endif
