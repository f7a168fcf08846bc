/* Definitions of OTF2 traces: ranks, regions, communicators, windows. */
#include "patterns/graphs/traces/otf2_trace.h"

#ifdef HAVE_OTF2
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>

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

void otf2_find_ranks(struct otf2 *o)
{
	for (size_t g = 0; g < o->groups && !o->ranks; g++)
		if (o->group[g].type == OTF2_GROUP_TYPE_COMM_LOCATIONS)
			o->ranks = &o->group[g];
}

static OTF2_CallbackCode define(struct otf2 *o, OTF2_CommRef self, OTF2_GroupRef first, OTF2_GroupRef second)
{
	otf2_find_ranks(o);
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

static OTF2_CallbackCode define_window(
	void *data, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef communicator, OTF2_RmaWinFlag flags)
{
	struct otf2 *o = data;
	(void)name, (void)flags;
	if (!array_grow(&o->window, &o->window_capacity, o->windows + 1, sizeof *o->window, o->error)) {
		o->window[o->windows].id = self;
		o->window[o->windows++].communicator = communicator;
	}
	return OTF2_CALLBACK_SUCCESS;
}

OTF2_GlobalDefReaderCallbacks *otf2_definition_callbacks(void)
{
	OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
	OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, (OTF2_GlobalDefReaderCallback_ClockProperties)clock_properties);
	OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, define_region);
	OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, define_group);
	OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, define_communicator);
	OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, define_intercommunicator);
	OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, define_window);
	return callbacks;
}
#endif
