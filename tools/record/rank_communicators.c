#include "tools/record/rank_communicators.h"

#include "base/hash.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

int joints_init(struct joints *joints, uint32_t ranks, struct error *error)
{
	*joints = (struct joints){.ranks = ranks, .mask = 63};
	joints->slot = array_create(joints->mask + 1, sizeof *joints->slot, error);
	if (!joints->slot || array_grow(&joints->list, &joints->capacity, 2, sizeof *joints->list, error))
		return -1;
	joints->count = 2;
	joints->list[0] = joints->list[1] = (struct joint){.size = {ranks, 0}};
	joints->list[1].size[0] = 1;
	return 0;
}

void joints_clear(struct joints *joints)
{
	for (size_t i = 0; i < joints->count; i++) {
		free(joints->list[i].group[0]);
		free(joints->list[i].group[1]);
	}
	free(joints->list);
	free(joints->slot);
	*joints = (struct joints){0};
}

static int grow_slots(struct joints *joints, struct error *error)
{
	uint32_t *slot = array_create(4 * (joints->mask + 1), sizeof *slot, error);
	if (!slot)
		return -1;
	joints->mask = 4 * (joints->mask + 1) - 1;
	for (uint32_t j = 2; j < joints->count; j++) {
		size_t at = joints->list[j].key & joints->mask;
		while (slot[at])
			at = (at + 1) & joints->mask;
		slot[at] = j;
	}
	free(joints->slot);
	joints->slot = slot;
	return 0;
}

/* Finds the communicator that other ranks have made in the same call, or adds it. Returns its number; 0 if out of memory. */
static uint32_t find_joint(struct joints *joints, const struct joint *wanted, struct error *error)
{
	uint64_t key = hash_words(0, &wanted->of, sizeof wanted->of);
	size_t at = key & joints->mask;
	for (; joints->slot[at]; at = (at + 1) & joints->mask) {
		const struct joint *other = &joints->list[joints->slot[at]];
		if (other->key == key && !memcmp(&other->of, &wanted->of, sizeof other->of))
			return joints->slot[at];
	}
	if (array_grow(&joints->list, &joints->capacity, joints->count + 1, sizeof *joints->list, error))
		return 0;
	uint32_t number = (uint32_t)joints->count++;
	joints->list[number] = *wanted;
	joints->list[number].key = key;
	joints->slot[at] = number;
	if (2 * joints->count > joints->mask && grow_slots(joints, error))
		return 0;
	return number;
}

const struct own_communicator *own_find(const struct own_communicators *own, uint64_t handle)
{
	for (size_t i = own->count; i-- > 0;)
		if (own->list[i].handle == handle && own->list[i].live)
			return &own->list[i];
	return NULL;
}

static struct own_communicator *find_own(struct own_communicators *own, uint64_t handle)
{
	return (struct own_communicator *)(uintptr_t)own_find(own, handle);
}

/* Sets the members of a group, which its first rank has written. */
static void set_members(struct joints *joints, uint32_t number, uint8_t side, const struct record_list *list, struct error *error)
{
	struct joint *joint = &joints->list[number];
	if (!list->count || joint->group[side])
		return;
	uint32_t *group = array_create(list->count, sizeof *group, error);
	for (size_t i = 0; group && i < list->count; i++) {
		if (list->number[i] < 0 || list->number[i] >= joints->ranks) { /* it is not a rank of this program */
			free(group);
			return;
		}
		group[i] = (uint32_t)list->number[i];
	}
	joint->group[side] = group;
	joint->size[side] = list->count;
}

static void make(struct own_communicators *own, struct joints *joints, const struct record *record, bool members, struct error *error)
{
	if (array_grow(&own->list, &own->capacity, own->count + 1, sizeof *own->list, error))
		return;
	struct own_communicator new = {.handle = record->made, .live = record->first[0] >= 0};
	struct own_communicator *parent =
		record->flags == MADE_OF_PARENT && record->communicator ? find_own(own, record->communicator) : NULL;
	if (own->count < 2) {
		new.joint = (uint32_t)own->count;
	} else {
		bool swap = record->first[1] >= 0 && record->first[1] < record->first[0];
		struct joint wanted;
		memset(&wanted, 0, sizeof wanted);
		wanted.of.making = record->flags;
		wanted.of.parent = parent ? parent->joint : 0;
		wanted.of.first[0] = record->first[swap];
		wanted.of.first[1] = record->first[!swap];
		wanted.of.key = record->tag;
		new.side = swap;
		if (record->flags == MADE_OF_PARENT)
			wanted.of.number = parent ? parent->made++ : 0;
		for (size_t i = 2; record->flags == MADE_BY_KEY && i < own->count; i++) {
			const struct joint *other = &joints->list[own->list[i].joint];
			wanted.of.number += other->of.making == MADE_BY_KEY && other->of.key == wanted.of.key &&
					    !memcmp(other->of.first, wanted.of.first, sizeof wanted.of.first);
		}
		if (new.live) {
			new.joint = find_joint(joints, &wanted, error);
			if (new.joint && members)
				set_members(joints, new.joint, new.side, &record->list, error);
		}
	}
	own->list[own->count++] = new;
}

static int64_t *copy(const struct record_list *list, struct error *error)
{
	return list->count ? array_copy(list->number, list->count, sizeof *list->number, error) : NULL;
}

void own_follow(struct own_communicators *own, struct joints *joints, const struct record *record, bool members, struct error *error)
{
	if (record->kind == RECORD_MADE) {
		make(own, joints, record, members, error);
		return;
	}
	if (record->kind != RECORD_TOPOLOGY && record->kind != RECORD_FREED)
		return;
	struct own_communicator *named = find_own(own, record->communicator);
	if (named && record->kind == RECORD_FREED && named - own->list > 1)
		named->live = false;
	if (!named || record->kind != RECORD_TOPOLOGY)
		return;
	free(named->from);
	free(named->to);
	named->from = copy(&record->list, error);
	named->to = copy(&record->other, error);
	named->froms = named->from ? record->list.count : 0;
	named->tos = named->to ? record->other.count : 0;
}

void own_clear(struct own_communicators *own)
{
	for (size_t i = 0; i < own->count; i++) {
		free(own->list[i].from);
		free(own->list[i].to);
	}
	free(own->list);
	*own = (struct own_communicators){0};
}

int64_t task_at(const struct joints *joints, const struct own_communicator *own, uint32_t task, int64_t rank)
{
	const struct joint *joint = &joints->list[own->joint];
	bool inter = own->joint > 1 && joint->of.first[1] >= 0;
	int side = inter ? 1 - own->side : 0;
	if (rank < 0 || (uint64_t)rank >= joint->size[side])
		return -1;
	if (own->joint < 2)
		return own->joint ? (int64_t)task : rank;
	return joint->group[side] ? (int64_t)joint->group[side][rank] : -1;
}
