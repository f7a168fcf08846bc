/* The queues of a packet run over time (orcs --queues), for pictures. */
#ifndef TOOLS_DRAW_QUEUE_FRAMES_H
#define TOOLS_DRAW_QUEUE_FRAMES_H

#include "base/error.h"
#include "fabric/fabric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FRAMES_MAX = 1000 };

struct queue_frames {
	size_t frames;
	double *time; /* [frames] ascending */
	bool cycles;  /* times are cycles, not seconds */
	float *share; /* [frames][channels] share of the buffers of a channel that packets hold */
	uint32_t channels;
	uint32_t first; /* the first channel with a full buffer; NONE */
	double first_time;
};

/*
 * Reads the file. Returns 0, or -1: STATUS_IO, or STATUS_FABRIC for a line that is wrong, or of another fabric. Call queue_frames_clear()
 * in either case.
 */
int queue_frames_read(struct queue_frames *frames, const char *path, const struct fabric *fabric, struct error *error);
void queue_frames_clear(struct queue_frames *frames);

/* Returns the last frame that is not after a time; the first frame if all are. */
size_t queue_frames_at(const struct queue_frames *frames, double time);

/* Returns the share of a channel in a frame. */
static inline double queue_share(const struct queue_frames *frames, size_t frame, uint32_t channel)
{
	return frames->share[frame * frames->channels + channel];
}

/* Writes a time with a prefix, such as 13.1 µs. Returns text. */
char *queue_frames_time(const struct queue_frames *frames, double time, char *text, size_t size);

#endif
