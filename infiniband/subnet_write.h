/*
 * A subnet as files that the tools of InfiniBand read. All nodes need GUIDs. Errors of writing stay in the FILE; the functions return 0, or
 * -1 if out of memory or as said.
 */
#ifndef INFINIBAND_SUBNET_WRITE_H
#define INFINIBAND_SUBNET_WRITE_H

#include "base/error.h"
#include "infiniband/subnet_graph.h"

#include <stdio.h>

/* Gives nodes without a GUID one that ibsim can keep; *count is how many. All the files below tell the same GUIDs then. */
int subnet_fill_guids(struct subnet *subnet, uint32_t *count, struct error *error);

/* What ibnetdiscover would print. */
void subnet_write_ibnetdiscover(const struct subnet *subnet, FILE *file);

/* What had to change for the simulator. */
struct ibsim_changes {
	uint32_t guids;  /* of nodes, as theirs or those of their ports would not be unique */
	uint32_t speeds; /* of cables: lowered to one that it knows */
	uint32_t names;  /* node descriptions shortened, or their quotes replaced */
	uint32_t lids;   /* left out: of two ports */
	uint32_t links;  /* cables of unknown width or speed: 4x EDR */
};

/* A net for ibsim 0.10, which wants every cable from both ends, names of its own and GUIDs that are unique. */
int subnet_write_ibsim(const struct subnet *subnet, FILE *file, struct ibsim_changes *changes, struct error *error);

/* The forwarding tables as opensm -R file -U FILE loads them, in the form and order of opensm-lfts.dump. STATUS_FABRIC if there is none. */
int subnet_write_lfts(const struct subnet *subnet, FILE *file, struct error *error);

/* GUIDs, one a line, for options of OpenSM: of the switches farthest from the hosts (--root_guid_file; none where all have hosts), and of
 * the ports of the hosts (--cn_guid_file). */
void subnet_write_roots(const struct subnet_graph *graph, FILE *file);
void subnet_write_hosts(const struct subnet_graph *graph, FILE *file);

#endif
