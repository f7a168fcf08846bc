/* Calls of a DUMPI trace as calls of a replay, for the files of this reader: dumpi_calls.c, and dumpi_together.c for those of several
 * ranks. */
#ifndef PATTERNS_GRAPHS_TRACES_DUMPI_CALLS_H
#define PATTERNS_GRAPHS_TRACES_DUMPI_CALLS_H

#include "patterns/graphs/replay/replay.h"
#include "patterns/graphs/traces/dumpi_stream.h"

enum { DUMPI_HANDLE_WORLD = 2, DUMPI_HANDLE_SELF = 3 };

struct dumpi_window {
	int32_t handle, communicator;
	uint32_t started, posted; /* groups of the epochs that have not ended; UINT32_MAX: there is none */
};

struct dumpi {
	struct dumpi_stream stream;
	struct replay *replay;
	struct error *error;
	uint8_t alternative[DUMPI_CALLS];
	double *size; /* [types] bytes of datatypes of the current rank; < 0: unknown */
	size_t types, type_capacity;
	struct dumpi_window *window;
	struct dumpi_window no_window; /* in place of one that is not known */
	size_t windows, window_capacity;
	struct {
		uint32_t thread;
		int64_t exit;
	} * last; /* the exit of the last call of each thread */
	size_t threads, thread_capacity;
	double *count; /* of a collective operation */
	size_t count_capacity;
	uint64_t backward;                                 /* number of computations that would end before they begin */
	uint64_t made[DUMPI_CALLS], left_out[DUMPI_CALLS]; /* calls of all ranks, and those that were not recorded */
};

/* Begins a rank: its datatypes are the basic ones. */
void dumpi_begin_types(struct dumpi *d);

/* Adds a call to the replay. */
void dumpi_add_call(struct dumpi *d, const struct dumpi_call *call);

/* Add a collective operation, or what makes or frees a communicator or group. Return whether the call is one. */
bool dumpi_add_collective(struct dumpi *d, const struct dumpi_call *call);
bool dumpi_add_communicator(struct dumpi *d, const struct dumpi_call *call);

/* Sets the error for a call. Returns -1. */
int dumpi_refuse(struct dumpi *d, const char *text, const struct dumpi_call *call);

/* Return the bytes of an element of a datatype, and of several; 0 with an error if its size is not known. */
double dumpi_size_of(struct dumpi *d, const struct dumpi_call *call, int32_t type);
double dumpi_bytes_of(struct dumpi *d, const struct dumpi_call *call, int32_t count, int32_t type);

#endif
