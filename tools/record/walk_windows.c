/* One-sided communication as lines of a trace. */
#include "base/memory.h"
#include "tools/record/walk.h"

#include <inttypes.h>
#include <stdlib.h>

static void add_window(struct walk *w, const struct record *r)
{
	const struct own_communicator *own = own_find(&w->own, r->communicator);
	if (own && !array_grow(&w->window, &w->window_capacity, w->windows + 1, sizeof *w->window, w->error))
		w->window[w->windows++] = (struct window){.handle = r->window, .own = (size_t)(own - w->own.list)};
}

static struct window *find_window(const struct walk *w, uint64_t handle)
{
	for (size_t i = w->windows; i-- > 0;)
		if (w->window[i].handle == handle)
			return &w->window[i];
	return NULL;
}

static void access_window(struct walk *w, const struct record *r)
{
	const struct window *window = find_window(w, r->window);
	int64_t task = window ? task_at(w->joints, &w->own.list[window->own], w->task, r->peer) : -1;
	uint64_t number = r->requests ? ++w->number : 0;
	bool there = task >= 0;
	w->facts->dropped += w->writes && !there && r->peer != PEER_NONE;
	if (there)
		walk_begin_line(w);
	/* the answer is what a request waits for, if there is one */
	if (there && (r->bytes || !r->element)) {
		PRINT(w, "o %" PRIu32 " %" PRId64 " %" PRIu64 " put", w->task, task, r->bytes);
		PRINT(w, number && !r->element ? " request=%" PRIu64 "\n" : "\n", number);
	}
	if (there && r->element) {
		PRINT(w, "o %" PRIu32 " %" PRId64 " %" PRIu64 " get", w->task, task, r->element);
		PRINT(w, number ? " request=%" PRIu64 "\n" : "\n", number);
	}
	w->accesses |= there;
	if (number)
		walk_add_request(w, REQUEST_OTHER, r, there, false);
}

/* Writes the end of the accesses so far, if there are any, or a fence of all. */
static void synchronise(struct walk *w, const struct record *r)
{
	const struct window *window = find_window(w, r->window);
	const struct own_communicator *own = window ? &w->own.list[window->own] : NULL;
	bool fence = own && r->kind == RECORD_FENCE && walk_members_known(w, own);
	if (fence || w->accesses)
		walk_begin_line(w);
	if (fence)
		PRINT(w, "f %" PRIu32 " comm=%" PRIu32 "\n", w->task, own->joint);
	else if (w->accesses)
		PRINT(w, "f %" PRIu32 "\n", w->task);
	w->accesses = false;
}

static void put_epoch(struct walk *w, enum window_epoch kind, const int64_t *task, size_t count)
{
	static const char *const words[] = {"post", "wait", "start", "complete"};
	walk_begin_line(w);
	PRINT(w, "f %" PRIu32 " %s=", w->task, words[kind]);
	for (size_t i = 0; i < count; i++)
		PRINT(w, "%s%" PRId64, i ? "," : "", task[i]);
	PRINT(w, "\n");
}

/* An epoch ends for the tasks with which it has begun. */
static void epoch(struct walk *w, const struct record *r)
{
	struct window *window = r->flags <= EPOCH_COMPLETE ? find_window(w, r->window) : NULL;
	bool begins = r->flags == EPOCH_POST || r->flags == EPOCH_START;
	if (!window)
		return;
	struct epoch *open = &window->epoch[r->flags / 2];
	if (begins && !array_grow(&open->task, &open->capacity, r->list.count, sizeof *open->task, w->error))
		for (open->count = 0; open->count < r->list.count; open->count++)
			open->task[open->count] = r->list.number[open->count];
	if (open->count)
		put_epoch(w, (enum window_epoch)r->flags, open->task, open->count);
	else if (r->flags == EPOCH_COMPLETE)
		synchronise(w, r);
	if (r->flags == EPOCH_COMPLETE)
		w->accesses = false;
	if (!begins)
		open->count = 0;
}

bool walk_window(struct walk *w, const struct record *r)
{
	switch (r->kind) {
	case RECORD_WINDOW: add_window(w, r); break;
	case RECORD_ACCESS: access_window(w, r); break;
	case RECORD_FLUSH:
	case RECORD_FENCE: synchronise(w, r); break;
	case RECORD_EPOCH: epoch(w, r); break;
	default: return false;
	}
	return true;
}

void walk_clear_windows(struct walk *w)
{
	for (size_t i = 0; i < w->windows; i++) {
		free(w->window[i].epoch[0].task);
		free(w->window[i].epoch[1].task);
	}
	w->windows = 0;
}
