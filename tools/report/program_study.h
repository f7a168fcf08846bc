/*
 * What a program sends over a fabric (--pattern): who sends to whom, in which phases (patterns/phases.h), and on which channels its
 * messages wait for one another. In a phase all messages are under way together: a message takes at least as long as all bytes of the phase
 * on the fullest channel of its route.
 */
#ifndef TOOLS_REPORT_PROGRAM_STUDY_H
#define TOOLS_REPORT_PROGRAM_STUDY_H

#include "fabric/fabric.h"
#include "fabric/forwarding.h"
#include "patterns/pattern.h"

#include <stdint.h>

enum { PROGRAM_MESSAGES = 20, PROGRAM_PHASES = 20, PROGRAM_CHANNELS = 20, PROGRAM_CELLS = 64 };

/* A message, all of one pair of ranks in a phase; times: number of phases in which it is the same, from the first on. Bytes of a channel
 * are those of a host's link: divided by its relative speed. */
struct program_message {
	uint32_t phase, sender, receiver; /* ranks */
	double bytes, fullest;            /* its own; those of the phase on the fullest channel of its route */
	uint32_t times;
	uint32_t channel, sharing; /* that channel; pairs of ranks that share it in the phase, itself included */
};

/* A phase, and how many are as it, from the first on. */
struct program_phase {
	uint32_t phase, times, messages, channel; /* channel: the fullest */
	double bytes;
	double fullest; /* bytes on the fullest channel */
	double least;   /* the same if only the hosts' own links counted: what no routing and no network can avoid for this placement */
};

/* A channel that is the fullest of phases. */
struct program_channel {
	uint32_t channel, phases;
	double bytes; /* sum over these phases */
};

struct program_study {
	uint32_t ranks, phases, cells, per_cell; /* cells: rows of the matrix, of per_cell ranks each */
	uint64_t messages, staying;              /* between ranks; those between ranks of one host, which enter no link */
	uint64_t unreachable;                    /* messages without a route, which are left out */
	double bytes;
	double fullest, least; /* sums over the phases */
	double *matrix;        /* [cells * cells] bytes from row to column */
	uint32_t *host;        /* [ranks] */
	struct program_message slowest[PROGRAM_MESSAGES];
	struct program_phase worst[PROGRAM_PHASES];
	struct program_channel busiest[PROGRAM_CHANNELS];
	uint32_t slowest_count, worst_count, busiest_count;
};

/*
 * Studies the program on the hosts that the mapping gives it. Returns 0, or -1. Call program_study_clear() in either case. Time
 * O(messages * hops).
 */
int program_study_make(struct program_study *study, const struct pattern_request *request, const char *mapping, double bytes,
	const struct fabric *fabric, const struct forwarding *forwarding, struct error *error);
void program_study_clear(struct program_study *study);

#endif
