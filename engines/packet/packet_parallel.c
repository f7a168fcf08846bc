/* The processes that share one run: each has some of the regions, see packet_regions.c. Between two windows they exchange what crosses. */
#include "base/memory.h"
#include "engines/packet/packet_workspace.h"

#include <stdlib.h>

struct packet_parallel {
	int processes;
	struct mailbox *box; /* [processes] */
	void **send;         /* [processes] */
	size_t *bytes;       /* [processes] */
};

struct packet_parallel *packet_parallel_create(const struct packet_engine *e, struct error *error)
{
	struct packet_parallel *parallel = array_create(1, sizeof *parallel, error);
	if (!parallel)
		return NULL;
	parallel->processes = e->setup.peers->count;
	parallel->box = array_create((size_t)parallel->processes, sizeof *parallel->box, error);
	parallel->send = array_create((size_t)parallel->processes, sizeof *parallel->send, error);
	parallel->bytes = array_create((size_t)parallel->processes, sizeof *parallel->bytes, error);
	if (!error->status)
		return parallel;
	packet_parallel_free(parallel);
	return NULL;
}

void packet_parallel_free(struct packet_parallel *parallel)
{
	if (!parallel)
		return;
	for (int p = 0; parallel->box && p < parallel->processes; p++)
		free(parallel->box[p].data);
	free(parallel->box);
	free(parallel->send);
	free(parallel->bytes);
	free(parallel);
}

struct mailbox *packet_parallel_box(const struct packet_engine *e, uint32_t node)
{
	return &e->parallel->box[e->setup.peers->part[node]];
}

/* Puts what other processes have sent into the mailboxes of the regions. */
static void distribute(struct packet_engine *e, const char *data, size_t total)
{
	struct packet_crossing c;
	for (size_t at = 0, size; at < total && e->ending == RUN_OK; at += size) {
		size = packet_crossing_read(e, data + at, &c);
		e->travelling += !c.bytes && event_kind_of(c.when) != EVENT_PAIR;
		packet_mail(e, packet_box_of(e, packet_crossing_node(e, &c)), data + at, size, event_time_of(c.when));
	}
}

void packet_parallel_exchange(struct packet_engine *e)
{
	const struct packet_peers *p = e->setup.peers;
	struct packet_parallel *parallel = e->parallel;
	size_t total;
	for (int i = 0; i < parallel->processes; i++) {
		parallel->send[i] = parallel->box[i].data;
		parallel->bytes[i] = parallel->box[i].used;
		parallel->box[i].used = 0;
	}
	const char *data = p->exchange(p->data, parallel->send, parallel->bytes, &total, e->error);
	if (data)
		distribute(e, data, total);
	else
		e->ending = RUN_FAILED;
}

bool packet_parallel_agree(struct packet_engine *e, uint64_t *next)
{
	const struct packet_peers *p = e->setup.peers;
	bool goes_on = e->ending == RUN_OK && !*e->setup.stop;
	/* 0: a process has ended its run; so that the beginning is not taken for it, times are 1 later */
	uint64_t least = p->least(p->data, !goes_on ? 0 : *next < NEVER ? *next + 1 : NEVER);
	if (!least) {
		if (e->ending == RUN_OK)
			e->ending = RUN_INTERRUPTED;
		return false;
	}
	*next = least - (least < NEVER);
	return true;
}
