/* Placement: the hosts that take part (the subset), and the ranks placed on them in a run (the mapping). ORCS paper, section 4. */
#ifndef FABRIC_PLACEMENT_H
#define FABRIC_PLACEMENT_H

#include "fabric/fabric.h"

#include <stddef.h>
#include <stdint.h>

struct files;

struct placement {
	uint32_t ranks;
	uint32_t *host;     /* [ranks] host index of the rank, before shuffling */
	int shuffled;       /* a new random order for every run */
	int oversubscribed; /* several ranks are placed on one host */
	size_t repeated;    /* hosts that the file of the subset names again, which are skipped, and the line of the first */
	unsigned long repeated_line;
};

/* Names of the subsets and mappings, each followed by its description; ends with NULL. "file:PATH" stands for itself. */
extern const char *const placement_subsets[];
extern const char *const placement_mappings[];

/* Checks the two names, without a fabric. Returns 0, or -1 with STATUS_USAGE. */
int placement_check(const char *subset, const char *mapping, struct error *error);

/* Registers the files of both as inputs. Returns 0, or -1. */
int placement_files(const char *subset, const char *mapping, struct files *files, struct error *error);

/*
 * Chooses the hosts (process 0 only, as it requires labels). ranks 0: all that the subset or mapping offers; the file of a mapping may name
 * any hosts of the whole subset, and more ranks than it has. placement->host is new. Returns 0, or -1: STATUS_USAGE for more ranks than
 * hosts or unknown hosts in a file, STATUS_IO for the file itself. Time O(nodes + channels) for linear_bfs.
 */
int placement_init(struct placement *placement, const struct fabric *fabric, const char *subset, const char *mapping, uint32_t ranks,
	uint64_t seed, struct error *error);
void placement_clear(struct placement *placement);

/* Writes the host index of every rank in that run to host[0..ranks-1]. Time O(ranks). */
void placement_run(const struct placement *placement, uint64_t seed, uint64_t run, uint32_t *host);

#endif
