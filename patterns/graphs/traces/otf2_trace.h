/* A trace of OTF2 that is being read, for the files of otf2.c. */
#ifndef PATTERNS_GRAPHS_TRACES_OTF2_TRACE_H
#define PATTERNS_GRAPHS_TRACES_OTF2_TRACE_H

#include "patterns/graphs/replay/replay.h"

#ifdef HAVE_OTF2
#include <otf2/otf2.h>

/* A group of ranks; of the group of locations: locations. */
struct group {
	uint64_t *member; /* owned */
	uint32_t count;
	OTF2_GroupRef id;
	OTF2_GroupType type;
};

struct otf2 {
	OTF2_Reader *reader;
	struct replay *replay; /* NULL while definitions are counted */
	struct error *error;
	const char *path;
	uint64_t resolution; /* ticks per second */
	struct group *group;
	size_t groups, group_capacity;
	const struct group *ranks; /* the locations of ranks */
	uint64_t *region;          /* those of MPI */
	size_t regions, region_capacity;
	struct {
		uint64_t id, members;
	} * communicator;
	size_t communicators, communicator_capacity;
	struct {
		uint64_t id, communicator;
	} * window;
	size_t windows, window_capacity;
	uint32_t at;             /* the rank that is being read */
	bool inside, off, begun; /* inside a call of MPI; the measurement is off; an event has come */
	uint64_t last;           /* the time of the exit of the last call */
	uint64_t gaps, gap;      /* ranks whose measurement was off; time of its begin */
	uint64_t backward;       /* events that come before the one before them */
	uint64_t uneven;         /* collective operations whose blocks are not recorded */
	bool gap_noted;
};

/* Return the callbacks of definitions, and of events; to be deleted. */
OTF2_GlobalDefReaderCallbacks *otf2_definition_callbacks(void);
OTF2_EvtReaderCallbacks *otf2_event_callbacks(void);

/* Finds the locations of ranks among the groups. */
void otf2_find_ranks(struct otf2 *otf2);

#endif
#endif
