/*
 * Lists of planned cables: files with columns, such as the NDT files of UFM and spreadsheets, and topology files of ibtopodiff
 * (ibdm-topo-file(1)). Names are texts; plan_names.h finds the nodes.
 */
#ifndef TOOLS_CHECK_PLAN_LIST_H
#define TOOLS_CHECK_PLAN_LIST_H

#include "base/error.h"

#include <stddef.h>
#include <stdint.h>

/* An end of a planned cable; "" for what the file does not state. */
struct plan_end {
	const char *device, *guid, *port;
};

struct plan_row {
	struct plan_end end[2];
	double gbps;    /* 0: not stated */
	unsigned lanes; /* 0: not stated */
	uint32_t file;  /* index of its file */
	unsigned long line;
};

struct plan_list {
	struct plan_row *row; /* [rows] */
	size_t rows, capacity;
	uint64_t blank; /* number of rows without the device of one end, left out */
	uint32_t files;
	void *arena;
};

/* Adds the cables of a file ("-": standard input). Returns 0, or -1: STATUS_IO, STATUS_FABRIC; call plan_list_clear() in either case. */
int plan_list_read(struct plan_list *list, const char *path, struct error *error);
void plan_list_clear(struct plan_list *list);

#endif
