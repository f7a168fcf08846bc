/*
 * Storage in a flow run: a transfer is a flow between a host and a device, whose limits are channels of their own, shared max-min fairly
 * with all else; it leads through the fabric if the device is on another host. Source: INRFlow paper, section 3.5.
 */
#ifndef ENGINES_FLOW_STORAGE_H
#define ENGINES_FLOW_STORAGE_H

#include "engines/flow/storage_options.h"
#include "fabric/fabric.h"
#include "patterns/task_graph.h"

struct storage_setup {
	const struct storage_options *options;
	uint32_t nas; /* the host of STORAGE_NAS; NONE */
	uint64_t seed;
};

struct storage {
	struct storage_setup setup;
	uint32_t hosts;
	uint32_t read, write, controller, link; /* first channels: one for each host; NONE: no limit */
	uint32_t san_read, san_write;           /* channels of the server */
	uint32_t *device;                       /* [tasks] the host whose device the task uses, with devices of jobs */
	bool by_job;                            /* jobs of the run have devices of their own */
	bool *user;                             /* [jobs] those that read or write, with devices of jobs */
	bool *mark;                             /* [hosts] scratch, false between calls */
	uint32_t *chosen;                       /* [devices of a job] scratch */
	size_t device_room, user_room, chosen_room;
	uint64_t run;
};

/* Numbers the channels from first on. Returns the number of the channel after them. */
uint32_t storage_init(struct storage *storage, const struct storage_setup *setup, uint32_t hosts, uint32_t first);
void storage_clear(struct storage *storage);

/* Sets the capacities of the channels. */
void storage_fill(const struct storage *storage, double *capacity);

/* Begins a run. Returns 0, or -1 if out of memory. */
int storage_begin(struct storage *storage, const struct task_graph *graph, uint64_t run, struct error *error);

/* Returns whether a job of the run has devices of its own. */
bool storage_uses(const struct storage *storage, uint32_t job);

/* Returns how many hosts outside a job of so many hosts have devices for it that no other job may use. */
uint32_t storage_outside(const struct storage *storage, uint32_t job, uint32_t hosts);

/*
 * Gives the tasks first..first + tasks - 1 of a job their devices: of its own hosts, host[task], and of those outside in their order, where
 * its own are passed over. Returns how many of outside were used; UINT32_MAX: there are too few.
 */
uint32_t storage_take(
	struct storage *storage, uint32_t first, uint32_t tasks, const uint32_t *host, const uint32_t *outside, uint32_t outsides);

/* Gives the jobs of a graph whose tasks have their hosts, all at once, their devices. Returns 0, or -1: STATUS_USAGE: too few hosts. */
int storage_take_all(struct storage *storage, const struct task_graph *graph, const uint32_t *host, struct error *error);

/* What a transfer passes: the device's host, and channels of the device or of the SAN. */
struct transfer {
	uint32_t host;       /* NONE: no route through the fabric */
	uint32_t channel[2]; /* [count] */
	uint32_t count;
};

/* Finds it for the operation of a task on that host. */
struct transfer storage_transfer(const struct storage *storage, const struct task_graph *graph, uint32_t operation, uint32_t host);

#endif
