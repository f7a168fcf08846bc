#include "tools/check/faults.h"

#include "base/memory.h"

#include <stdlib.h>

int faults_add(struct faults *faults, enum fault_kind kind, struct fault fault, struct error *error)
{
	if (faults->count[kind]++ >= faults->keep[kind])
		return 0;
	if (array_grow(&faults->list[kind], &faults->capacity[kind], faults->listed[kind] + 1, sizeof fault, error))
		return -1;
	faults->list[kind][faults->listed[kind]++] = fault;
	return 0;
}

void faults_clear(struct faults *faults)
{
	struct faults empty = {0};
	for (int kind = 0; kind < FAULT_KINDS; kind++) {
		free(faults->list[kind]);
		empty.keep[kind] = faults->keep[kind];
	}
	*faults = empty;
}
