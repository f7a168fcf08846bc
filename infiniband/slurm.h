/* Machines and their groups by the cabling, in the forms of Slurm's topology plugins. */
#ifndef INFINIBAND_SLURM_H
#define INFINIBAND_SLURM_H

#include "infiniband/machines.h"
#include "infiniband/subnet.h"

/*
 * topology.conf of topology/tree; of topology/block; topology.yaml with a tree (Slurm 25.05 and later).
 */
enum slurm_form { SLURM_TREE, SLURM_BLOCK, SLURM_YAML };

struct slurm_group {
	const char *name;
	uint32_t level;        /* 0: machines; otherwise 1 + that of its highest child */
	uint32_t first, count; /* list[first] .. list[first + count - 1]: machines or child groups */
	uint32_t parent;       /* group, NONE */
};

struct slurm_topology {
	const char **machine;      /* [machines] names, by value of their numbers */
	uint32_t machines, tops;   /* tops: groups without a parent */
	struct slurm_group *group; /* [groups] children first */
	uint32_t groups;
	uint32_t *list;
	uint64_t unnamed, unchosen; /* ports left out: no machine's name; not chosen by the rules */
	const char *first_unnamed;  /* a description of those, borrowed */
	void *arena;
};

/*
 * Finds the machines on the cabled ports of channel adapters at switches, without aggregation nodes, by the rules, and their groups:
 * switches of one machine belong together, so that rails of machines do not tear them apart; these are the groups of level 0. Then, for
 * each number of hops from the nearest such switch, the groups that cables between the switches up to there connect, where they join
 * several groups of before. path: of the fabric, for errors. Returns 0, or -1: STATUS_FABRIC if there is no machine or a name that no list
 * of Slurm can have, or out of memory; call slurm_topology_clear() in either case. Time O(nodes + cables + machines log machines).
 */
int slurm_topology_find(struct slurm_topology *topology, const struct subnet *subnet, const struct machine_rules *rules, const char *path,
	struct error *error);
void slurm_topology_clear(struct slurm_topology *topology);

/* Writes the file. Blocks are the groups of level 0, block sizes the smallest of them doubled as often as their number allows. Returns 0,
 * or -1 if out of memory. */
int slurm_topology_write(const struct slurm_topology *topology, enum slurm_form form, FILE *file, struct error *error);

#endif
