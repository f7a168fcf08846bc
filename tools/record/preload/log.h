/* The log of the rank: threads, clocks, and records. */
#ifndef TOOLS_RECORD_PRELOAD_LOG_H
#define TOOLS_RECORD_PRELOAD_LOG_H

#include "tools/record/record_log.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What a thread does. Times are in nanoseconds. */
struct thread {
	bool inside;    /* one of MPI's functions, those that it calls are not recorded */
	bool polls;     /* its last call was a test without success */
	int32_t number; /* 0: none yet; otherwise one more than in the log */
	uint64_t left;  /* wall clock at the end of its last call */
	uint64_t left_cpu;
	uint64_t read, read_cpu; /* both clocks when the processor's was read last */
	uint64_t gap, gap_cpu;   /* before this call */
	uint64_t wall, cpu;      /* of computation that has not been written yet */
};

/* Opens the log of a rank in the directory, with what the header has. Returns false, with a message, if that cannot be. */
bool log_open(const char *directory, const struct record_header *header);
bool log_is_open(void);
/* Ends the log in a state; it is complete if the rank has been finalized. */
void log_close(enum record_state state, uint32_t status);
void log_left_out(enum record_left_out what);

/* Begins a call of MPI's: returns the thread, or NULL if it is not to be recorded. The end of the call must be told. */
struct thread *log_enter(void);
void log_leave(struct thread *thread);

/* The call has been no call of MPI's: its time is that of computation; kept: the thread at its beginning. */
void log_ignore(struct thread *thread, const struct thread *kept);

/* A test without success: the time between such tests is that of waiting. */
void log_polled(struct thread *thread);

/*
 * Begins a record, with at most this number of numbers besides those of a few. Returns false if the log has ended: then nothing follows.
 * Otherwise numbers follow, and the end.
 */
bool log_begin(struct thread *thread, enum record_kind kind, size_t numbers);
void log_end(void);

/* Where the record goes on, and the last handle of each class. */
enum handle_class { HANDLE_COMMUNICATOR, HANDLE_REQUEST, HANDLE_WINDOW, HANDLE_MESSAGE, HANDLE_PLACE, HANDLES };
extern struct log_place {
	uint8_t *next;
	uint64_t last[HANDLES];
} log_place;

static inline void log_number(uint64_t number)
{
	uint8_t *p = log_place.next;
	for (; number > 127; number >>= 7)
		*p++ = (uint8_t)(number | 128);
	*p++ = (uint8_t)number;
	log_place.next = p;
}

static inline void log_signed(int64_t number)
{
	log_number((uint64_t)number << 1 ^ (uint64_t)(number >> 63));
}

static inline void log_handle(enum handle_class class, uint64_t handle)
{
	int64_t difference = (int64_t)(handle - log_place.last[class]);
	uint64_t folded = (uint64_t)difference << 1 ^ (uint64_t)(difference >> 63);
	log_place.last[class] = handle;
	if (folded < 128) {
		*log_place.next++ = (uint8_t)folded;
		return;
	}
	*log_place.next++ = 128;
	memcpy(log_place.next, &handle, sizeof handle);
	log_place.next += sizeof handle;
}

#endif
