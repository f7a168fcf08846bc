/* A fabric in, a file for the tools of InfiniBand out: what orcs-export and dot2osm have in common. */
#ifndef INFINIBAND_EXPORT_H
#define INFINIBAND_EXPORT_H

#include "base/error.h"
#include "infiniband/fabric_source.h"

#include <stdbool.h>
#include <stdio.h>

enum export_form { EXPORT_IBNETDISCOVER, EXPORT_IBSIM, EXPORT_LFTS, EXPORT_ROOT_GUIDS, EXPORT_CN_GUIDS };

/* Their names, in the order above; ends with NULL. */
extern const char *const export_forms[];

struct export
{
	const char *program; /* for what is told */
	enum export_form form;
	struct fabric_source *source;
	FILE *notes; /* what is found goes there; NULL: nowhere */
};

/* Reads the files and writes that form to the path ("-": standard output); then tells what had to change. Returns 0, or -1. */
int export_run(const struct export *export, const char *path, struct error *error);

#endif
