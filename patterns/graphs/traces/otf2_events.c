/* Events of OTF2 traces as calls of MPI. */
#include "patterns/graphs/traces/otf2_trace.h"

#ifdef HAVE_OTF2
#include "base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

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

/* ---- one-sided communication */

/* Returns the communicator of a window; that of none, which is an error of the replay, if it is not defined. */
static replay_handle communicator_of(const struct otf2 *o, OTF2_RmaWinRef window)
{
	for (size_t w = 0; w < o->windows; w++)
		if (o->window[w].id == window)
			return o->window[w].communicator;
	return OTF2_UNDEFINED_COMM;
}

static OTF2_CallbackCode put(EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	EVENT_DATA;
	(void)id;
	begin_event(o, time);
	replay_access(o->replay, communicator_of(o, window), remote, (double)bytes, false);
	return end_event(o);
}

static OTF2_CallbackCode get(EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t id)
{
	EVENT_DATA;
	(void)id;
	begin_event(o, time);
	replay_access(o->replay, communicator_of(o, window), remote, (double)bytes, true);
	return end_event(o);
}

static OTF2_CallbackCode put_and_get(
	EVENT, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent, uint64_t got, uint64_t id)
{
	EVENT_DATA;
	(void)type, (void)id;
	begin_event(o, time);
	if (sent || !got)
		replay_access(o->replay, communicator_of(o, window), remote, (double)sent, false);
	if (got)
		replay_access(o->replay, communicator_of(o, window), remote, (double)got, true);
	return end_event(o);
}

/* An access has ended, and with it those before it. */
static OTF2_CallbackCode accessed(EVENT, OTF2_RmaWinRef window, uint64_t id)
{
	EVENT_DATA;
	(void)window, (void)id;
	begin_event(o, time);
	replay_complete(o->replay);
	return end_event(o);
}

static OTF2_CallbackCode fence(
	EVENT, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, uint32_t root, uint64_t sent, uint64_t got)
{
	EVENT_DATA;
	(void)operation, (void)level, (void)root, (void)sent, (void)got;
	begin_event(o, time);
	replay_fence(o->replay, communicator_of(o, window));
	return end_event(o);
}

OTF2_EvtReaderCallbacks *otf2_event_callbacks(void)
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
	OTF2_EvtReaderCallbacks_SetRmaPutCallback(c, put);
	OTF2_EvtReaderCallbacks_SetRmaGetCallback(c, get);
	OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(c, put_and_get);
	OTF2_EvtReaderCallbacks_SetRmaOpCompleteBlockingCallback(c, accessed);
	OTF2_EvtReaderCallbacks_SetRmaOpCompleteRemoteCallback(c, accessed);
	OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(c, fence);
	return c;
}
#endif
