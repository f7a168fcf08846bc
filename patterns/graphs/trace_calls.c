#include "patterns/graphs/trace_calls.h"

#include "base/memory.h"
#include "fabric/service_levels.h"

#include <stdlib.h>

void trace_set_class(const struct trace_event *event, struct task_builder *builder)
{
	task_weight(builder, event->weight > 0 ? event->weight : 1);
	task_priority(builder, event->priority > 0 ? (uint8_t)event->priority : 0);
	task_service_level(builder, (uint8_t)event->service_level);
}

static void define(struct trace_calls *calls, const struct trace_event *event, const struct numbers *numbers)
{
	uint32_t *member = array_create(numbers->count, sizeof *member, calls->error);
	bool *named = array_create(calls->tasks, sizeof *named, calls->error);
	uint32_t first = (uint32_t)(numbers->remote ? numbers->remote : numbers->count);
	for (size_t i = 0; member && named && i < numbers->count; i++) {
		member[i] = (uint32_t)numbers->list[i];
		if (named[member[i]])
			trace_error(calls->file, calls->error, "task %u is a member of the communicator twice", member[i]);
		named[member[i]] = true;
	}
	if (member && named)
		replay_define(calls->replay, (replay_handle)event->communicator, member, first, numbers->remote ? member + first : NULL,
			(uint32_t)numbers->count - first);
	free(member);
	free(named);
}

/* Finds the place of a task in a communicator; an error if it has none. what is the task in messages. */
static bool find_place(const struct trace_calls *calls, int64_t communicator, int64_t task, const char *what, struct replay_place *place)
{
	if (replay_find(calls->replay, (uint32_t)task, (replay_handle)communicator, place))
		return true;
	trace_error(
		calls->file, calls->error, "%s %lld is not a member of communicator %lld", what, (long long)task, (long long)communicator);
	return false;
}

/* Sets the root of an operation: its rank in the other group of an intercommunicator. */
static void set_root(
	const struct trace_calls *calls, const struct trace_event *event, const struct replay_place *own, struct replay_collective *call)
{
	struct replay_place root;
	call->root = REPLAY_ROOT_OWN;
	if (event->root >= 0 && find_place(calls, (int64_t)call->communicator, event->root, "root", &root) &&
		(!own->remote || root.side != own->side))
		call->root = root.rank;
	else if (event->root == -1 && !own->remote)
		call->root = 0;
	else if (event->root == ROOT_OWN && !own->remote)
		trace_error(calls->file, calls->error, "root=* is for intercommunicators");
}

/* Returns the number of blocks for which an operation has counts; 0: it has none. */
static size_t blocks_of(const struct trace_event *event, const struct line_numbers *numbers, const struct replay_place *own)
{
	size_t other = own->remote ? own->remote : own->members;
	switch (event->collective) {
	case COLLECTIVE_ALLTOALLV:
	case COLLECTIVE_ALLTOALLW: return other;
	case COLLECTIVE_ALLGATHERV: return own->remote ? 0 : own->members;
	case COLLECTIVE_SCATTERV: return event->root == event->source && !own->remote ? own->members : 0;
	case COLLECTIVE_REDUCESCATTER: return own->members;
	case COLLECTIVE_NEIGHBOR_ALLTOALLV:
	case COLLECTIVE_NEIGHBOR_ALLTOALLW: return numbers->to.count;
	default: return 0;
	}
}

/* Sets the blocks of an operation. */
static int set_counts(struct trace_calls *calls, const struct line_numbers *numbers, size_t blocks, struct replay_collective *call)
{
	if (numbers->all.count != blocks)
		return trace_error(
			calls->file, calls->error, "'%s' needs counts=, a number of bytes for each of %zu members", call->name, blocks);
	if (array_grow(&calls->count, &calls->count_capacity, blocks + 1, sizeof *calls->count, calls->error))
		return -1;
	for (size_t i = 0; i < blocks; i++)
		calls->count[i] = (double)numbers->all.list[i] / call->datatype;
	call->count = calls->count;
	call->counts = (uint32_t)blocks;
	return 0;
}

/* Sets the neighbours of an operation, which are ranks of its communicator. */
static void set_neighbours(struct trace_calls *calls, const struct line_numbers *numbers, struct replay_collective *call)
{
	size_t tos = numbers->to.count, count = tos + numbers->from.count;
	struct replay_place place;
	if (array_grow(&calls->peers, &calls->peer_capacity, count + 1, sizeof *calls->peers, calls->error))
		return;
	for (size_t i = 0; i < count; i++) {
		int64_t task = i < tos ? numbers->to.list[i] : numbers->from.list[i - tos];
		if (!find_place(calls, (int64_t)call->communicator, task, "neighbour", &place))
			return;
		calls->peers[i] = place.rank;
	}
	call->to = calls->peers;
	call->from = calls->peers + tos;
	call->tos = (uint32_t)tos;
	call->froms = (uint32_t)(count - tos);
}

static int add_collective(struct trace_calls *calls, const struct trace_event *event, const struct line_numbers *numbers)
{
	struct replay_place own;
	struct replay_collective call = {.name = collective_names[event->collective],
		.collective = (enum collective)event->collective,
		.communicator = event->communicator < 0 ? 0 : (replay_handle)event->communicator,
		.bytes = (double)event->bytes,
		.datatype = event->element ? (double)event->element : 1,
		.begins = event->request >= 0,
		.request = (replay_handle)event->request};
	if (!find_place(calls, (int64_t)call.communicator, event->source, "task", &own))
		return -1;
	set_root(calls, event, &own, &call);
	if (collective_is_local(call.collective))
		set_neighbours(calls, numbers, &call);
	else if (numbers->to.count || numbers->from.count)
		return trace_error(calls->file, calls->error, "'%s' has no neighbours: 'to=' and 'from=' are for others", call.name);
	size_t blocks = blocks_of(event, numbers, &own);
	if (calls->error->status || (blocks && set_counts(calls, numbers, blocks, &call)))
		return -1;
	replay_collective(calls->replay, &call);
	return 0;
}

static void add_access(struct trace_calls *calls, const struct trace_event *event)
{
	if (event->request < 0)
		replay_access(calls->replay, 0, event->destination, (double)event->bytes, event->get);
	else
		replay_begin_access(calls->replay, 0, event->destination, (double)event->bytes, event->get, (replay_handle)event->request);
}

/* Waits for all that the task, or all members, have put or got, or begins or ends an epoch between some tasks. */
static void add_fence(struct trace_calls *calls, const struct trace_event *event, const struct numbers *peers)
{
	if (event->epoch < 0) {
		if (event->communicator < 0)
			replay_complete(calls->replay);
		else
			replay_fence(calls->replay, (replay_handle)event->communicator);
		return;
	}
	if (array_grow(&calls->peers, &calls->peer_capacity, peers->count, sizeof *calls->peers, calls->error))
		return;
	for (size_t i = 0; i < peers->count; i++)
		calls->peers[i] = (uint32_t)peers->list[i];
	replay_epoch(calls->replay, (enum replay_epoch)event->epoch, calls->peers, (uint32_t)peers->count);
}

int trace_calls_add(struct trace_calls *calls, const struct trace_event *event, const struct line_numbers *numbers)
{
	struct replay *replay = calls->replay;
	bool receive = event->kind == EVENT_RECEIVE || event->kind == EVENT_POST;
	const struct replay_message message = {.communicator = event->communicator < 0 ? 0 : (replay_handle)event->communicator,
		.peer = receive ? event->source : event->destination,
		.tag = event->tag,
		.bytes = (double)event->bytes,
		.mode = event->mode};
	uint32_t task = (uint32_t)(receive ? event->destination : event->source);
	replay_at(replay, task, calls->thread[task]);
	replay_place(replay, input_name(calls->file->lines.input), calls->file->lines.number);
	switch (event->kind) {
	case EVENT_SEND:
		trace_set_class(event, calls->builder);
		if (event->request < 0)
			replay_send(replay, &message);
		else
			replay_begin_send(replay, &message, (replay_handle)event->request);
		task_weight(calls->builder, 1);
		task_priority(calls->builder, 0);
		task_service_level(calls->builder, SERVICE_LEVEL_OF_PAIR);
		break;
	case EVENT_RECEIVE: replay_receive(replay, &message, NULL); break;
	case EVENT_POST: replay_begin_receive(replay, &message, (replay_handle)event->request); break;
	case EVENT_COMPUTE: replay_compute(replay, calls->compute.cpu ? event->cpu : event->seconds); break;
	case EVENT_COMMUNICATOR: define(calls, event, &numbers->all); break;
	case EVENT_COLLECTIVE: return add_collective(calls, event, numbers);
	case EVENT_ACCESS: add_access(calls, event); break;
	case EVENT_FENCE: add_fence(calls, event, &numbers->to); break;
	case EVENT_THREAD: replay_at_thread(replay, task, calls->thread[task] = (uint32_t)event->request); break;
	case EVENT_INCOMPLETE: replay_incomplete(replay, true); break;
	default:
		for (size_t i = 0; i < numbers->all.count; i++)
			if (!replay_wait_for(replay, (replay_handle)numbers->all.list[i], NULL))
				return trace_error(calls->file, calls->error, "task %lld has no request %lld, or has waited for it",
					(long long)event->source, (long long)numbers->all.list[i]);
		replay_wait(replay);
	}
	return 0;
}
