/* The runs of an engine: what it works on, and of the engines that take task graphs the workload whose graph each run has. */
#ifndef ORCS_RUNS_H
#define ORCS_RUNS_H

#include "patterns/workload.h"
#include "engines/engine.h"

struct runs {
	const struct engine *engine;
	struct engine_setup setup;
	struct engine_terms terms; /* setup.terms */
	void *state;               /* the engine's; NULL: not made yet */
	/* of task graphs */
	struct workload_call *workload; /* NULL: there are none */
	const char *name;               /* the workload as given */
	struct workload_task task;
	unsigned processes;       /* of this machine that make runs; 0: this one alone */
	bool begun;               /* a run was made */
	struct task_graph *graph; /* of all runs alike, or of the last one */
	const uint32_t *host;     /* [ranks] of that */
	uint32_t *route;          /* for counting hops */
};

/* Terms as without options of the engine. */
struct engine_terms runs_terms(const struct engine *engine);

/* Makes the engine; engine, setup and terms are set, and stay where they are. Collective. Returns 0, or -1. */
int runs_init(struct runs *runs, struct error *error);

/* Once before the first run; paths and weights of the setup are set. Returns 0, or -1. */
int runs_prepare(struct runs *runs, struct error *error);

/* Also of runs that were not made, or not to their end. */
void runs_clear(struct runs *runs);

/* The graph of a run on these hosts, borrowed until the next call; also before runs_init(). NULL on errors, and without one where
 * setup.stop is set. */
const struct task_graph *runs_graph(struct runs *runs, uint64_t run, const uint32_t *host, struct error *error);

/* Makes a run. What is seen is valid until the next call. */
enum run_status runs_make(struct runs *runs, uint64_t run, const uint32_t *host, unsigned wants, const struct level_taker *taker,
	struct observation *seen, struct error *error);

/* Whether runs are counted pair by pair, without time. */
static inline bool runs_of_pairs(const struct runs *runs)
{
	return runs->engine->takes & TAKES_PAIRS;
}

#endif
