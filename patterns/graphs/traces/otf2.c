/*
 * Traces of the Open Trace Format 2 (Score-P and others), by the library libotf2: definitions of all, then the events of one rank after
 * another. See orcs-traces(5).
 */
#include "patterns/graphs/replay/replay.h"
#include "patterns/phases.h"
#include "patterns/workload.h"

#include "base/files.h"
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ARG_ANCHOR, ARG_COLLECTIVES, ARG_EAGER, ARG_COMPUTE };

static const struct arg otf2_args[] = {
	{"ANCHOR", ARG_WORD, NULL, 0, 0, "the anchor file of a trace (.otf2), beside its .def and its directory"},
	REPLAY_ARG_COLLECTIVES,
	REPLAY_ARG_EAGER("65536", ""),
	REPLAY_ARG_COMPUTE(""),
	PHASES_ARG_UNIT,
	{.type = ARG_END},
};

static int otf2_files(const struct arg_value *args, struct files *files, struct error *error)
{
	return files_read(files, args[ARG_ANCHOR].text, error);
}

#ifdef HAVE_OTF2
#include <otf2/otf2.h>

/* A group of ranks; of the group of locations: locations. */
struct group {
	uint64_t *member; /* owned */
	uint32_t count;
	OTF2_GroupRef id;
	OTF2_GroupType type;
};

struct otf2 {
	OTF2_Reader *reader;
	struct replay *replay; /* NULL while definitions are counted */
	struct error *error;
	const char *path;
	uint64_t resolution; /* ticks per second */
	struct group *group;
	size_t groups, group_capacity;
	const struct group *ranks; /* the locations of ranks */
	uint64_t *region;          /* those of MPI */
	size_t regions, region_capacity;
	struct {
		uint64_t id, members;
	} * communicator;
	size_t communicators, communicator_capacity;
	uint32_t at;             /* the rank that is being read */
	bool inside, off, begun; /* inside a call of MPI; the measurement is off; an event has come */
	uint64_t last;           /* the time of the exit of the last call */
	uint64_t gaps, gap;      /* ranks whose measurement was off; time of its begin */
	uint64_t backward;       /* events that come before the one before them */
	uint64_t uneven;         /* collective operations whose blocks are not recorded */
	bool gap_noted;
};

/* ---- definitions */

static OTF2_CallbackCode clock_properties(void *data, uint64_t resolution, uint64_t offset, uint64_t length, uint64_t realtime)
{
	(void)offset, (void)length, (void)realtime;
	((struct otf2 *)data)->resolution = resolution;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_region(void *data, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
	OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file, uint32_t from,
	uint32_t to)
{
	struct otf2 *o = data;
	(void)name, (void)canonical, (void)description, (void)role, (void)flags, (void)file, (void)from, (void)to;
	if (paradigm == OTF2_PARADIGM_MPI && !array_grow(&o->region, &o->region_capacity, o->regions + 1, sizeof *o->region, o->error))
		o->region[o->regions++] = self;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_group(void *data, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
	OTF2_GroupFlag flags, uint32_t count, const uint64_t *members)
{
	struct otf2 *o = data;
	(void)name, (void)flags;
	if (paradigm != OTF2_PARADIGM_MPI || type < OTF2_GROUP_TYPE_COMM_LOCATIONS)
		return OTF2_CALLBACK_SUCCESS;
	struct group group = {.member = array_copy(members, count, sizeof *members, o->error), .count = count, .id = self, .type = type};
	if (group.member && !array_grow(&o->group, &o->group_capacity, o->groups + 1, sizeof *o->group, o->error))
		o->group[o->groups++] = group;
	else
		free(group.member);
	return OTF2_CALLBACK_SUCCESS;
}

static const struct group *find_group(const struct otf2 *o, OTF2_GroupRef id)
{
	for (size_t g = 0; g < o->groups; g++)
		if (o->group[g].id == id)
			return &o->group[g];
	return NULL;
}

/* Copies the ranks of a group. Returns them, to be freed; NULL if the group has ranks that there are not. */
static uint32_t *ranks_of(struct otf2 *o, const struct group *group)
{
	uint32_t *rank = array_create(group->count, sizeof *rank, o->error);
	for (uint32_t i = 0; rank && i < group->count; i++) {
		rank[i] = (uint32_t)group->member[i];
		if (group->member[i] >= o->ranks->count)
			error_at(o->error, STATUS_FABRIC, o->path, 0, "a communicator has rank %" PRIu64 " of %" PRIu32, group->member[i],
				o->ranks->count);
	}
	return rank;
}

static void find_ranks(struct otf2 *o)
{
	for (size_t g = 0; g < o->groups && !o->ranks; g++)
		if (o->group[g].type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
			o->ranks = &o->group[g];
}

static OTF2_CallbackCode define(struct otf2 *o, OTF2_CommRef self, OTF2_GroupRef first, OTF2_GroupRef second)
{
	find_ranks(o);
	const struct group *own = find_group(o, first), *remote = second == OTF2_UNDEFINED_GROUP ? NULL : find_group(o, second);
	if (!o->replay || !own || !o->ranks || o->error->status)
		return OTF2_CALLBACK_SUCCESS;
	if (own->type == OTF2_GROUP_TYPE_COMM_SELF) {
		replay_self(o->replay, self);
	} else {
		uint32_t *member = ranks_of(o, own), *other = remote ? ranks_of(o, remote) : NULL;
		if (!o->error->status)
			replay_define(o->replay, self, member, own->count, other, remote ? remote->count : 0);
		free(member);
		free(other);
	}
	if (!array_grow(&o->communicator, &o->communicator_capacity, o->communicators + 1, sizeof *o->communicator, o->error)) {
		o->communicator[o->communicators].id = self;
		o->communicator[o->communicators++].members = own->type == OTF2_GROUP_TYPE_COMM_SELF ? 1 : own->count;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_communicator(
	void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent, OTF2_CommFlag flags)
{
	(void)name, (void)parent, (void)flags;
	return define(data, self, group, OTF2_UNDEFINED_GROUP);
}

static OTF2_CallbackCode define_intercommunicator(void *data, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef first,
	OTF2_GroupRef second, OTF2_CommRef common, OTF2_CommFlag flags)
{
	(void)name, (void)common, (void)flags;
	return define(data, self, first, second);
}

/* ---- events; an event outside calls of MPI is a call of its own */

static bool is_call(const struct otf2 *o, uint64_t region)
{
	for (size_t r = 0; r < o->regions; r++)
		if (o->region[r] == region)
			return true;
	return false;
}

/* Adds the computation from the end of the last call up to the beginning of the next. */
static void compute_until(struct otf2 *o, uint64_t time)
{
	if (o->begun && !o->off && time > o->last)
		replay_compute(o->replay, (double)(time - o->last) / (double)o->resolution);
	o->backward += o->begun && time < o->last;
	o->begun = true;
	o->last = time;
}

static void begin_event(struct otf2 *o, uint64_t time)
{
	if (!o->inside)
		compute_until(o, time);
}

static OTF2_CallbackCode end_event(struct otf2 *o)
{
	if (!o->inside)
		replay_wait(o->replay);
	return o->error->status ? OTF2_CALLBACK_INTERRUPT : OTF2_CALLBACK_SUCCESS;
}

#define EVENT OTF2_LocationRef location, OTF2_TimeStamp time, uint64_t position, void *data, OTF2_AttributeList *attributes
#define EVENT_DATA \
	struct otf2 *o = data; \
	(void)location, (void)position, (void)attributes, (void)time

static OTF2_CallbackCode enter(EVENT, OTF2_RegionRef region)
{
	EVENT_DATA;
	if (is_call(o, region)) {
		begin_event(o, time);
		o->inside = true;
	}
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode leave(EVENT, OTF2_RegionRef region)
{
	EVENT_DATA;
	if (!is_call(o, region))
		return OTF2_CALLBACK_SUCCESS;
	o->inside = false;
	o->last = time;
	return end_event(o);
}

/* What happens while the measurement is off is not known: neither calls nor computations. */
static OTF2_CallbackCode measurement(EVENT, OTF2_MeasurementMode mode)
{
	EVENT_DATA;
	o->off = mode == OTF2_MEASUREMENT_OFF;
	o->inside = false;
	if (!o->off) {
		o->last = time;
		return end_event(o);
	}
	o->gaps += !o->gap_noted;
	o->gap_noted = true;
	return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode send_blocking(EVENT, uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t length)
{
	EVENT_DATA;
	const struct replay_message message = {communicator, receiver, tag, (double)length, REPLAY_STANDARD};
	begin_event(o, time);
	replay_send(o->replay, &message);
	return end_event(o);
}

static OTF2_CallbackCode begin_send(EVENT, uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t length, uint64_t request)
{
	EVENT_DATA;
	const struct replay_message message = {communicator, receiver, tag, (double)length, REPLAY_STANDARD};
	begin_event(o, time);
	replay_begin_send(o->replay, &message, request);
	return end_event(o);
}

static OTF2_CallbackCode complete(EVENT, uint64_t request)
{
	EVENT_DATA;
	begin_event(o, time);
	replay_wait_for(o->replay, request, NULL);
	return end_event(o);
}

static OTF2_CallbackCode cancelled(EVENT, uint64_t request)
{
	EVENT_DATA;
	begin_event(o, time);
	replay_free_request(o->replay, request);
	return end_event(o);
}

static OTF2_CallbackCode post(EVENT, uint64_t request)
{
	EVENT_DATA;
	begin_event(o, time);
	replay_post(o->replay, request);
	return end_event(o);
}

static OTF2_CallbackCode receive_blocking(EVENT, uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t length)
{
	EVENT_DATA;
	const struct replay_message message = {communicator, sender, tag, (double)length, REPLAY_STANDARD};
	begin_event(o, time);
	replay_receive(o->replay, &message, NULL);
	return end_event(o);
}

static OTF2_CallbackCode received(EVENT, uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t length, uint64_t request)
{
	EVENT_DATA;
	const struct replay_message message = {communicator, sender, tag, (double)length, REPLAY_STANDARD};
	begin_event(o, time);
	replay_received(o->replay, &message, request);
	replay_wait_for(o->replay, request, NULL);
	return end_event(o);
}

static uint64_t members_of(const struct otf2 *o, OTF2_CommRef communicator)
{
	for (size_t c = 0; c < o->communicators; c++)
		if (o->communicator[c].id == communicator)
			return o->communicator[c].members;
	return 1;
}

/* How the bytes of a block follow from those that Score-P records, as it adds up what a rank sends to and receives from all. */
enum block { BLOCK_NONE, BLOCK_SENT, BLOCK_SENT_BY_ALL, BLOCK_RECEIVED, BLOCK_ROOT_SENT, BLOCK_UNEVEN };

static const struct {
	const char *name;
	enum collective collective;
	enum block block;
} operations[] = {
	[OTF2_COLLECTIVE_OP_BARRIER] = {"barrier", COLLECTIVE_BARRIER, BLOCK_NONE},
	[OTF2_COLLECTIVE_OP_BCAST] = {"bcast", COLLECTIVE_BCAST, BLOCK_RECEIVED},
	[OTF2_COLLECTIVE_OP_GATHER] = {"gather", COLLECTIVE_GATHER, BLOCK_SENT},
	[OTF2_COLLECTIVE_OP_GATHERV] = {"gatherv", COLLECTIVE_GATHERV, BLOCK_SENT},
	[OTF2_COLLECTIVE_OP_SCATTER] = {"scatter", COLLECTIVE_SCATTER, BLOCK_RECEIVED},
	[OTF2_COLLECTIVE_OP_SCATTERV] = {"scatterv", COLLECTIVE_SCATTER, BLOCK_ROOT_SENT},
	[OTF2_COLLECTIVE_OP_ALLGATHER] = {"allgather", COLLECTIVE_ALLGATHER, BLOCK_SENT_BY_ALL},
	[OTF2_COLLECTIVE_OP_ALLGATHERV] = {"allgatherv", COLLECTIVE_ALLGATHER, BLOCK_UNEVEN},
	[OTF2_COLLECTIVE_OP_ALLTOALL] = {"alltoall", COLLECTIVE_ALLTOALL, BLOCK_SENT_BY_ALL},
	[OTF2_COLLECTIVE_OP_ALLTOALLV] = {"alltoallv", COLLECTIVE_ALLTOALL, BLOCK_UNEVEN},
	[OTF2_COLLECTIVE_OP_ALLTOALLW] = {"alltoallw", COLLECTIVE_ALLTOALL, BLOCK_UNEVEN},
	[OTF2_COLLECTIVE_OP_ALLREDUCE] = {"allreduce", COLLECTIVE_ALLREDUCE, BLOCK_SENT_BY_ALL},
	[OTF2_COLLECTIVE_OP_REDUCE] = {"reduce", COLLECTIVE_REDUCE, BLOCK_SENT},
	[OTF2_COLLECTIVE_OP_REDUCE_SCATTER] = {"reduce_scatter", COLLECTIVE_REDUCESCATTER_BLOCK, BLOCK_UNEVEN},
	[OTF2_COLLECTIVE_OP_SCAN] = {"scan", COLLECTIVE_SCAN, BLOCK_RECEIVED},
	[OTF2_COLLECTIVE_OP_EXSCAN] = {"exscan", COLLECTIVE_EXSCAN, BLOCK_RECEIVED},
	[OTF2_COLLECTIVE_OP_REDUCE_SCATTER_BLOCK] = {"reduce_scatter_block", COLLECTIVE_REDUCESCATTER_BLOCK, BLOCK_SENT_BY_ALL},
};

static uint32_t root_of(const struct otf2 *o, OTF2_CommRef communicator, uint32_t root)
{
	struct replay_place place;
	bool own = root == OTF2_COLLECTIVE_ROOT_SELF || root == OTF2_COLLECTIVE_ROOT_THIS_GROUP;
	if (own && replay_find(o->replay, o->at, communicator, &place) && place.remote)
		return REPLAY_ROOT_OWN;
	return root < OTF2_COLLECTIVE_ROOT_THIS_GROUP ? root : 0;
}

static OTF2_CallbackCode collective(
	EVENT, OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root, uint64_t sent, uint64_t got)
{
	EVENT_DATA;
	if (operation >= sizeof operations / sizeof *operations)
		return OTF2_CALLBACK_SUCCESS; /* it makes or frees something */
	begin_event(o, time);
	enum block block = operations[operation].block;
	double members = (double)members_of(o, communicator), all = (double)sent / members;
	o->uneven += block == BLOCK_UNEVEN || (block == BLOCK_ROOT_SENT && sent > got);
	double bytes = block == BLOCK_SENT       ? (double)sent
		       : block == BLOCK_RECEIVED ? (double)got
		       : block == BLOCK_NONE     ? 0
						 : (double)(uint64_t)(all + 0.5);
	const struct replay_collective call = {
		.name = operations[operation].name,
		.collective = operations[operation].collective,
		.communicator = communicator,
		.root = root_of(o, communicator, root),
		.bytes = bytes,
		.datatype = fmod(bytes, 8) == 0   ? 8
			    : fmod(bytes, 4) == 0 ? 4
						  : 1, /* not recorded; doubles are the most frequent */
	};
	replay_collective(o->replay, &call);
	return end_event(o);
}

/* ---- reading */

static int refuse(struct otf2 *o, const char *text, uint64_t number)
{
	return error_at(o->error, STATUS_FABRIC, o->path, 0, "%s %" PRIu64, text, number);
}

/* The library would print; what fails is told by the results of its functions. */
static OTF2_ErrorCode say_nothing(
	void *data, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code, const char *format, va_list list)
{
	(void)data, (void)file, (void)line, (void)function, (void)format, (void)list;
	return code;
}

static int read_definitions(struct otf2 *o)
{
	uint64_t read;
	OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(o->reader);
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, (OTF2_GlobalDefReaderCallback_ClockProperties)clock_properties);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, define_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, define_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, define_communicator);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, define_intercommunicator);
	OTF2_ErrorCode code =
		definitions ? OTF2_Reader_RegisterGlobalDefCallbacks(o->reader, definitions, callbacks, o) : OTF2_ERROR_INVALID;
	OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
	if (code || OTF2_Reader_ReadAllGlobalDefinitions(o->reader, definitions, &read))
		return error_at(o->error, STATUS_FABRIC, o->path, 0, "the definitions (.def) of the trace cannot be read");
	find_ranks(o);
	if (!o->ranks || !o->ranks->count)
		return error_at(o->error, STATUS_FABRIC, o->path, 0, "the trace has no ranks of MPI");
	return o->resolution ? 0 : error_at(o->error, STATUS_FABRIC, o->path, 0, "the trace has no clock");
}

static OTF2_EvtReaderCallbacks *event_callbacks(void)
{
	OTF2_EvtReaderCallbacks *c = OTF2_EvtReaderCallbacks_New();
	OTF2_EvtReaderCallbacks_SetEnterCallback(c, enter);
	OTF2_EvtReaderCallbacks_SetLeaveCallback(c, leave);
	OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, measurement);
	OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, send_blocking);
	OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, begin_send);
	OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, complete);
	OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, post);
	OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, receive_blocking);
	OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, received);
	OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, cancelled);
	OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, collective);
	return c;
}

/* Opens what the library wants to know before it reads events: the locations, and their own definitions. */
static int open_locations(struct otf2 *o)
{
	uint64_t read;
	for (uint32_t r = 0; r < o->ranks->count; r++)
		OTF2_Reader_SelectLocation(o->reader, o->ranks->member[r]);
	bool local = !OTF2_Reader_OpenDefFiles(o->reader);
	OTF2_Reader_OpenEvtFiles(o->reader);
	for (uint32_t r = 0; local && r < o->ranks->count; r++) {
		OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(o->reader, o->ranks->member[r]);
		if (definitions) {
			OTF2_Reader_ReadAllLocalDefinitions(o->reader, definitions, &read);
			OTF2_Reader_CloseDefReader(o->reader, definitions);
		}
	}
	if (local)
		OTF2_Reader_CloseDefFiles(o->reader);
	return 0;
}

static int read_rank(struct otf2 *o, OTF2_EvtReaderCallbacks *callbacks, uint32_t rank)
{
	uint64_t read;
	OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(o->reader, o->ranks->member[rank]);
	o->at = rank;
	o->inside = o->off = o->begun = o->gap_noted = false;
	o->last = 0;
	replay_at(o->replay, rank, 0);
	if (!events || OTF2_Reader_RegisterEvtCallbacks(o->reader, events, callbacks, o))
		return refuse(o, "the events are missing of rank", rank);
	OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalEvents(o->reader, events, &read);
	OTF2_Reader_CloseEvtReader(o->reader, events);
	replay_wait(o->replay);
	return code && !o->error->status ? refuse(o, "the events cannot be read of rank", rank) : o->error->status ? -1 : 0;
}

static void add_notes(const struct otf2 *o, struct task_builder *builder)
{
	if (o->gaps)
		task_note(builder, "the measurement was off for a time on %" PRIu64 " ranks: what happened meanwhile is not in the trace",
			o->gaps);
	if (o->uneven)
		task_note(builder,
			"%" PRIu64 " calls of collective operations with counts have only the sum of their bytes, which is divided evenly",
			o->uneven);
	if (o->backward)
		task_note(builder, "%" PRIu64 " events begin before the one before them has ended: clocks go back", o->backward);
}

/* Opens the trace and reads its definitions. Returns 0, or -1; call close_trace() in either case. */
static int open_trace(struct otf2 *o, const char *path)
{
	OTF2_Error_RegisterCallback(say_nothing, NULL);
	o->path = path;
	o->reader = OTF2_Reader_Open(path);
	if (!o->reader)
		return error_at(o->error, STATUS_FABRIC, path, 0, "the file is not the anchor file (.otf2) of a trace of OTF2");
	OTF2_Reader_SetSerialCollectiveCallbacks(o->reader);
	return read_definitions(o);
}

static void close_trace(struct otf2 *o)
{
	if (o->reader)
		OTF2_Reader_Close(o->reader);
	for (size_t g = 0; g < o->groups; g++)
		free(o->group[g].member);
	free(o->group);
	free(o->region);
	free(o->communicator);
}

static int otf2_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	struct otf2 otf2 = {.error = error};
	open_trace(&otf2, args[ARG_ANCHOR].text);
	*tasks = otf2.ranks ? otf2.ranks->count : 0;
	close_trace(&otf2);
	return error->status ? -1 : 0;
}

static int otf2_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	struct otf2 otf2 = {.error = error};
	struct replay_options options;
	if (replay_options_read(&options, &task->args[ARG_COLLECTIVES], &task->args[ARG_EAGER], "otf2", error) ||
		replay_compute_read(&options.compute, &task->args[ARG_COMPUTE], false, "otf2", error) ||
		!(otf2.replay = replay_create(builder, task->tasks, &options, error)))
		return -1;
	/* handles that no communicator of the trace has */
	replay_world(otf2.replay, UINT64_MAX);
	replay_self(otf2.replay, UINT64_MAX - 1);
	if (!open_trace(&otf2, task->args[ARG_ANCHOR].text) && !open_locations(&otf2)) {
		OTF2_EvtReaderCallbacks *callbacks = event_callbacks();
		replay_place(otf2.replay, otf2.path, 0);
		for (uint32_t r = 0; r < task->tasks && !read_rank(&otf2, callbacks, r); r++)
			if (task_builder_check(builder, error))
				break;
		OTF2_EvtReaderCallbacks_Delete(callbacks);
	}
	if (!error->status) {
		replay_incomplete(otf2.replay, otf2.gaps);
		add_notes(&otf2, builder);
		replay_end(otf2.replay);
	}
	close_trace(&otf2);
	replay_free(otf2.replay);
	return error->status ? -1 : 0;
}

#else

static int refuse_without(struct error *error)
{
	return error_set(error, STATUS_USAGE,
		"this orcs was built without libotf2 and cannot read traces of OTF2: install it (Debian: libotf2-trace-dev) and build again");
}

static int otf2_count(const struct arg_value *args, uint32_t *tasks, struct error *error)
{
	(void)args;
	*tasks = 0;
	return refuse_without(error);
}

static int otf2_build(const struct workload_task *task, struct task_builder *builder, struct error *error)
{
	(void)task, (void)builder;
	return refuse_without(error);
}

#endif

const struct pattern pattern_otf2 = {
	.name = "otf2",
	.summary = "a trace of an MPI program in the Open Trace Format 2 (Score-P)",
	.source = "orcs-traces(5)",
	.args = otf2_args,
	.ordered = true,
	.phases = true,
	.count = otf2_count,
	.files = otf2_files,
	.build = otf2_build,
};
