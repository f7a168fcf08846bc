/*
 * Writes a subnet as files that InfiniBand tools read. All nodes need GUIDs. Errors of writing stay in the FILE; the functions return 0, or
 * -1 if out of memory or for the reason given.
 */
#ifndef INFINIBAND_SUBNET_WRITE_H
#define INFINIBAND_SUBNET_WRITE_H

#include "base/error.h"
#include "infiniband/subnet_graph.h"

#include <stdio.h>

/* Gives nodes without a GUID one that ibsim accepts; *count is their number. All the files below then contain the same GUIDs. */
int subnet_fill_guids(struct subnet *subnet, uint32_t *count, struct error *error);

/* Writes the output that ibnetdiscover would print. */
void subnet_write_ibnetdiscover(const struct subnet *subnet, FILE *file);

/* Numbers of changes needed for the simulator. */
struct ibsim_changes {
	uint32_t guids;  /* node GUIDs changed, because they or those of the ports would not be unique */
	uint32_t speeds; /* cables whose speed is lowered to one that ibsim knows */
	uint32_t names;  /* node descriptions shortened, or their quotes replaced */
	uint32_t lids;   /* LIDs left out because two ports have them */
	uint32_t links;  /* cables of unknown width or speed, written as 4x EDR */
};

/* Writes a netfile for ibsim 0.10, which requires every cable from both ends, its own names and unique GUIDs. */
int subnet_write_ibsim(const struct subnet *subnet, FILE *file, struct ibsim_changes *changes, struct error *error);

/*
 * Writes the forwarding tables as opensm -R file -U FILE loads them, in the format and order of opensm-lfts.dump. STATUS_FABRIC if there
 * are none.
 */
int subnet_write_lfts(const struct subnet *subnet, FILE *file, struct error *error);

/*
 * subnet_write_roots() and the function below write GUIDs, one per line, for options of OpenSM: those of the switches farthest from the
 * hosts (--root_guid_file; none if all switches have hosts), and of the ports of the hosts (--cn_guid_file).
 */
void subnet_write_roots(const struct subnet_graph *graph, FILE *file);
void subnet_write_hosts(const struct subnet_graph *graph, FILE *file);

#endif
