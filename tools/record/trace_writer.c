#include "tools/record/trace_writer.h"

#include "base/memory.h"
#include "tools/record/walk.h"

#include <inttypes.h>
#include <stdlib.h>

/* ---- what stands before and in lines */

void walk_begin_line(struct walk *w)
{
	w->lines = true;
	if (w->writes && w->wall)
		PRINT(w, "c %" PRIu32 " %.9f cpu=%.9f\n", w->task, (double)w->wall * 1e-9, (double)w->cpu * 1e-9);
	w->wall = w->cpu = 0;
}

/* Adds the computation before the record, and changes to its thread. */
static void add_time(struct walk *w)
{
	const struct record *r = &w->reader.record;
	if (r->thread != w->thread) {
		walk_begin_line(w);
		PRINT(w, "t %" PRIu32 " %" PRIu32 "\n", w->task, r->thread);
		w->thread = r->thread;
	}
	w->wall += r->wall;
	w->cpu += r->cpu;
	if (!w->writes)
		return;
	w->facts->wall += (double)r->wall * 1e-9;
	w->facts->cpu += (double)r->cpu * 1e-9;
}

const struct own_communicator *walk_find_peer(struct walk *w, uint64_t handle, int64_t peer, int64_t *task)
{
	const struct own_communicator *own = own_find(&w->own, handle);
	*task = own ? task_at(w->joints, own, w->task, peer) : -1;
	if (*task >= 0)
		return own;
	w->facts->dropped += w->writes;
	return NULL;
}

/* ---- a rank */

static void follow(struct walk *w, const struct record *r)
{
	add_time(w);
	if (!walk_message(w, r))
		walk_window(w, r);
}

/* Reads all records, in one of the passes. */
static void pass(struct walk *w, bool writes)
{
	w->writes = writes;
	w->number = 0;
	w->thread = 0;
	w->wall = w->cpu = 0;
	w->accesses = false;
	record_rewind(&w->reader);
	while (record_next(&w->reader, w->error)) {
		own_follow(&w->own, w->joints, &w->reader.record, false, w->error);
		follow(w, &w->reader.record);
		w->facts->calls += writes;
	}
	if (w->wall)
		walk_begin_line(w);
	walk_clear_windows(w);
	own_clear(&w->own);
	rank_requests_clear(&w->requests);
	rank_requests_clear(&w->messages);
}

static void write_rank(struct walk *w, const char *path)
{
	w->remarks = 0;
	w->lines = false;
	if (path && !record_open(&w->reader, path, w->error)) {
		pass(w, false);
		walk_sort_remarks(w);
		pass(w, true);
	}
	record_close(&w->reader);
	if (!w->lines)
		text_sink_print(w->sink, "c %" PRIu32 " 0 cpu=0\n", w->task);
}

/* ---- all ranks */

static void note_state(const struct record_reader *reader, struct trace_facts *facts)
{
	const struct record_header *h = &reader->header;
	facts->left_out |= h->left_out;
	if (h->full) {
		facts->full++;
		facts->full_error = (int)h->full;
	} else if (h->state != RECORD_FINALIZED) {
		facts->first_cut = facts->cut ? facts->first_cut : h->rank;
		facts->cut++;
	}
	if (h->state == RECORD_ABORTED) {
		facts->aborted = true;
		facts->abort_rank = h->rank;
		facts->abort_status = h->status;
	}
}

/* Finds the communicators and their members. */
static void find_communicators(const struct rank_logs *logs, struct joints *joints, struct trace_facts *facts, struct error *error)
{
	for (uint32_t rank = 0; rank < logs->ranks && !error->status; rank++) {
		struct record_reader reader = {.data = NULL};
		struct own_communicators own = {0};
		if (!logs->path[rank]) {
			facts->missing++;
			continue;
		}
		if (!record_open(&reader, logs->path[rank], error)) {
			while (record_next(&reader, error))
				own_follow(&own, joints, &reader.record, true, error);
			note_state(&reader, facts);
		}
		own_clear(&own);
		record_close(&reader);
	}
	facts->incomplete = facts->missing || facts->cut || facts->full || facts->left_out;
}

static void put_tasks(struct text_sink *sink, const uint32_t *task, size_t count)
{
	for (size_t i = 0, end; i < count; i = end) {
		for (end = i + 1; end < count && task[end] == task[end - 1] + 1;)
			end++;
		text_sink_print(sink, end - i > 1 ? " %" PRIu32 "-%" PRIu32 : " %" PRIu32, task[i], task[end - 1]);
	}
}

bool walk_members_known(const struct walk *w, const struct own_communicator *own)
{
	const struct joint *joint = &w->joints->list[own->joint];
	return own->joint < 2 || (joint->group[0] && (joint->of.first[1] < 0 || joint->group[1]));
}

static void put_communicators(const struct joints *joints, struct text_sink *sink)
{
	for (size_t j = 2; j < joints->count; j++) {
		const struct joint *joint = &joints->list[j];
		bool inter = joint->of.first[1] >= 0;
		if (!joint->group[0] || (inter && !joint->group[1]))
			continue;
		text_sink_print(sink, "comm %zu", j);
		put_tasks(sink, joint->group[0], joint->size[0]);
		if (inter) {
			text_sink_print(sink, " /");
			put_tasks(sink, joint->group[1], joint->size[1]);
		}
		text_sink_print(sink, "\n");
	}
}

int trace_write(const struct rank_logs *logs, struct text_sink *sink, struct trace_facts *facts, struct error *error)
{
	struct joints joints;
	struct message_counts counts = {.slot = NULL};
	struct walk *walk = array_create(1, sizeof *walk, error);
	*facts = (struct trace_facts){.calls = 0};
	if (!joints_init(&joints, logs->ranks, error) && walk) {
		*walk = (struct walk){.joints = &joints, .facts = facts, .counts = &counts, .sink = sink, .error = error};
		rank_requests_init(&walk->requests);
		rank_requests_init(&walk->messages);
		find_communicators(logs, &joints, facts, error);
		text_sink_print(sink, "# recorded by orcs-record: %" PRIu32 " %s, see orcs-traces(5)\n", logs->ranks,
			logs->ranks == 1 ? "rank" : "ranks");
		if (facts->incomplete)
			text_sink_print(sink, "incomplete\n");
		put_communicators(&joints, sink);
		for (uint32_t rank = 0; rank < logs->ranks && !error->status; rank++) {
			walk->task = rank;
			write_rank(walk, logs->path[rank]);
		}
		facts->alone = message_counts_alone(&counts);
		/* which nobody has known before all ranks were read */
		if (!facts->incomplete && (facts->alone.sends || facts->alone.receives || facts->dropped)) {
			facts->incomplete = true;
			text_sink_print(sink, "incomplete\n");
		}
		free(walk->remark);
		free(walk->window);
	}
	message_counts_clear(&counts);
	joints_clear(&joints);
	free(walk);
	return error->status ? -1 : 0;
}
