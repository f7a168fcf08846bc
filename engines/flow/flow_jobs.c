/* Jobs of a run: their devices, and the starts of those of a queue. */
#include "base/memory.h"
#include "engines/flow/flow_workspace.h"
#include "scheduling/schedule.h"

#include <stdlib.h>

void flow_use_schedule(struct flow_engine *e, struct schedule *schedule)
{
	e->schedule = schedule;
}

int flow_prepare_jobs(struct flow_engine *e, uint64_t run, const struct task_graph *g, const uint32_t *host, struct error *error)
{
	struct schedule *s = e->schedule;
	uint32_t most = 0;
	if (storage_begin(&e->storage, g, run, error))
		return -1;
	if (!s)
		return storage_take_all(&e->storage, g, host, error);
	uint32_t *devices = array_create(s->queue->jobs, sizeof *devices, error);
	for (uint32_t j = 0; devices && j < s->queue->jobs; j++) {
		devices[j] = storage_outside(&e->storage, j, s->queue->job[j].tasks);
		most = devices[j] > most ? devices[j] : most;
	}
	if (most && !array_grow(&e->outside, &e->outside_room, most, sizeof *e->outside, error))
		schedule_hold_devices(s, devices, most, error);
	free(devices);
	return error->status ? -1 : 0;
}

/* Gives the tasks of a job that starts their devices. */
static void take_devices(struct flow_engine *e, uint32_t job)
{
	const struct schedule *s = e->schedule;
	const struct queued_job *j = &s->queue->job[job];
	uint32_t devices = s->needs[job] - j->tasks;
	const uint32_t *all = s->machine.host; /* of ',any' */
	if (!storage_uses(&e->storage, job))
		return;
	for (uint32_t d = 0; d < devices; d++)
		e->outside[d] = s->machine.host[s->device[(size_t)job * s->devices + d]];
	if (storage_take(&e->storage, j->first, j->tasks, s->host, devices ? e->outside : all, devices ? devices : s->machine.hosts) !=
		UINT32_MAX)
		return;
	error_set(e->error, STATUS_USAGE, "--storage external: job '%s' leaves too few hosts for its devices", queued_id(s->queue, job));
	e->ending = RUN_FAILED;
}

static void start_job(struct flow_engine *e, uint32_t job)
{
	take_devices(e, job);
	task_run_ended(&e->run, e->schedule->queue->job[job].hold, e->now);
}

void flow_start_jobs(struct flow_engine *e)
{
	struct schedule *s = e->schedule;
	if (schedule_pass(s, e->now, e->error))
		e->ending = RUN_FAILED;
	for (uint32_t i = 0; i < s->begins; i++)
		start_job(e, s->begun[i]);
}
