/* Writes a fabric as a file for InfiniBand tools: the common part of orcs-export and dot2osm. */
#ifndef INFINIBAND_EXPORT_H
#define INFINIBAND_EXPORT_H

#include "base/error.h"
#include "infiniband/fabric_source.h"

#include <stdbool.h>
#include <stdio.h>

enum export_form {
	EXPORT_IBNETDISCOVER,
	EXPORT_IBSIM,
	EXPORT_LFTS,
	EXPORT_LEVELS,
	EXPORT_ROOT_GUIDS,
	EXPORT_CN_GUIDS,
	EXPORT_SLURM_TREE,
	EXPORT_SLURM_BLOCK,
	EXPORT_SLURM_YAML
};

/* Names of the formats, in the order above; ends with NULL. */
extern const char *const export_forms[];

struct export
{
	const char *program; /* program name, for notes and warnings */
	enum export_form form;
	struct fabric_source *source;
	const char *machine_name, *ports; /* of the forms for Slurm, see machine_rules_init(); NULL: none */
	bool drop_levels;                 /* write tables without the service levels of the graph, instead of refusing it */
	FILE *notes;                      /* destination of notes and warnings; NULL: none */
};

/* Reads the files and writes the chosen format to the path ("-": standard output); then reports what had to change. Returns 0, or -1. */
int export_run(const struct export *export, const char *path, struct error *error);

#endif
