/* Communicators and groups as ranks make them; who is in those that are derived from others follows later (members.c). */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint32_t replay_membership(struct replay *replay, replay_handle handle)
{
	struct rank *rank = &replay->rank[replay->at];
	const struct membership *last = &rank->membership[rank->last];
	if (last->handle == handle && !last->freed)
		return rank->last;
	for (uint32_t m = rank->memberships; m-- > 0;)
		if (rank->membership[m].handle == handle && !rank->membership[m].freed)
			return rank->last = m;
	replay_error(replay, "rank %" PRIu32 " does not have communicator %" PRIu64, replay->at, handle);
	return UNKNOWN;
}

bool replay_find(const struct replay *replay, uint32_t task, replay_handle handle, struct replay_place *place)
{
	const struct rank *rank = &replay->rank[task];
	uint32_t m = rank->memberships;
	while (m-- > 0 && (rank->membership[m].handle != handle || rank->membership[m].freed))
		;
	if (m == UNKNOWN || rank->membership[m].communicator == UNKNOWN)
		return false;
	const struct membership *in = &rank->membership[m];
	const struct communicator *c = &replay->communicator[in->communicator];
	*place = (struct replay_place){in->rank, in->side, c->size[in->side], c->size[1 - in->side]};
	return true;
}

uint32_t replay_task(const struct replay *replay, const struct membership *in, uint32_t task, uint32_t rank)
{
	if (in->communicator == UNKNOWN)
		return UNKNOWN;
	const struct communicator *c = &replay->communicator[in->communicator];
	uint32_t side = c->group[1] ? 1 - in->side : 0;
	if (rank >= c->size[side])
		return UNKNOWN;
	return c->group[side] ? c->group[side][rank] : in->communicator == 1 ? task : rank;
}

static void rename_all(struct replay *replay, uint32_t membership, replay_handle handle)
{
	for (uint32_t r = 0; r < replay->ranks; r++)
		replay->rank[r].membership[membership].handle = handle;
}

void replay_world(struct replay *replay, replay_handle handle)
{
	rename_all(replay, 0, handle);
}

void replay_self(struct replay *replay, replay_handle handle)
{
	rename_all(replay, 1, handle);
}

/* Adds a membership to a task. Returns its number; UNKNOWN if out of memory. */
static uint32_t add_membership(struct replay *replay, uint32_t task, struct membership membership)
{
	struct rank *rank = &replay->rank[task];
	if (replay->error->status || array_grow(&rank->membership, &rank->membership_capacity, (size_t)rank->memberships + 1,
					     sizeof *rank->membership, replay->error))
		return UNKNOWN;
	rank->membership[rank->memberships] = membership;
	return rank->memberships++;
}

uint32_t replay_add_communicator(struct replay *replay, struct communicator communicator)
{
	if (replay->error->status || array_grow(&replay->communicator, &replay->communicator_capacity, (size_t)replay->communicators + 1,
					     sizeof *replay->communicator, replay->error)) {
		free(communicator.group[0]);
		free(communicator.group[1]);
		free(communicator.dimension);
		return UNKNOWN;
	}
	replay->communicator[replay->communicators] = communicator;
	return replay->communicators++;
}

int replay_define(
	struct replay *replay, replay_handle handle, const uint32_t *members, uint32_t count, const uint32_t *remote, uint32_t remote_count)
{
	const uint32_t *group[2] = {members, remote};
	struct communicator made = {.size = {count, remote ? remote_count : 0}};
	for (int side = 0; side < 2; side++)
		made.group[side] = group[side] ? array_copy(group[side], made.size[side], sizeof *members, replay->error) : NULL;
	uint32_t number = replay_add_communicator(replay, made);
	for (uint32_t side = 0; side < 2 && number != UNKNOWN; side++)
		for (uint32_t r = 0; r < made.size[side]; r++)
			add_membership(replay, group[side][r],
				(struct membership){.handle = handle, .communicator = number, .rank = r, .side = side});
	return replay->error->status ? -1 : 0;
}

void replay_free_communicator(struct replay *replay, replay_handle handle)
{
	uint32_t m = replay_membership(replay, handle);
	if (m > 1 && m != UNKNOWN)
		replay->rank[replay->at].membership[m].freed = true;
}

/* ---- making one of another */

/* Adds a construction by the current rank, and its result. */
static void construct(struct replay *replay, replay_handle parent, struct construction c, replay_handle handle)
{
	uint32_t m = replay_membership(replay, parent);
	if (m == UNKNOWN || array_grow(&replay->construction, &replay->construction_capacity, replay->constructions + 1,
				    sizeof *replay->construction, replay->error)) {
		free(c.list);
		return;
	}
	c.task = replay->at;
	c.parent = m;
	c.number = replay->rank[replay->at].membership[m].made++;
	c.membership = add_membership(replay, replay->at, (struct membership){.handle = handle, .communicator = UNKNOWN});
	replay->construction[replay->constructions++] = c;
}

void replay_split(struct replay *replay, replay_handle parent, int64_t colour, int64_t key, replay_handle handle)
{
	construct(replay, parent, (struct construction){.making = MAKING_SPLIT, .colour = colour, .key = key}, handle);
}

void replay_duplicate(struct replay *replay, replay_handle parent, replay_handle handle)
{
	replay_split(replay, parent, 0, 0, handle);
}

void replay_grid(struct replay *replay, replay_handle parent, const int32_t *dimension, uint32_t dimensions, replay_handle handle)
{
	int64_t size = 1;
	for (uint32_t d = 0; d < dimensions && size; d++)
		size = dimension[d] > 0 && size <= replay->ranks ? size * dimension[d] : 0;
	if (!size || size > replay->ranks) {
		replay_error(replay, "rank %" PRIu32 ": a grid of processes has dimensions that do not fit", replay->at);
		return;
	}
	int32_t *list = array_copy(dimension, dimensions, sizeof *dimension, replay->error);
	construct(replay, parent, (struct construction){.making = MAKING_GRID, .list = list, .length = list ? dimensions : 0}, handle);
}

void replay_subgrid(struct replay *replay, replay_handle parent, const bool *kept, uint32_t dimensions, replay_handle handle)
{
	int32_t *list = array_create(dimensions, sizeof *list, replay->error);
	for (uint32_t d = 0; list && d < dimensions; d++)
		list[d] = kept[d];
	construct(replay, parent, (struct construction){.making = MAKING_SUBGRID, .list = list, .length = list ? dimensions : 0}, handle);
}

uint32_t replay_group_number(struct replay *replay, replay_handle handle)
{
	for (uint32_t g = replay->groups; g-- > 0;)
		if (replay->group[g].handle == handle && replay->group[g].task == replay->at)
			return g;
	replay_error(replay, "rank %" PRIu32 " does not have group %" PRIu64, replay->at, handle);
	return UNKNOWN;
}

void replay_from_group(struct replay *replay, replay_handle parent, replay_handle group, replay_handle handle)
{
	uint32_t g = replay_group_number(replay, group);
	if (g != UNKNOWN)
		construct(replay, parent, (struct construction){.making = MAKING_GROUP, .group = g}, handle);
}

void replay_bridge(struct replay *replay, replay_handle local, int64_t leader, replay_handle peers, int64_t remote_leader, int64_t tag,
	replay_handle handle)
{
	uint32_t own = replay_membership(replay, local), other = UNKNOWN;
	/* only the leader's peers count */
	if (own != UNKNOWN) {
		struct rank *rank = &replay->rank[replay->at];
		for (uint32_t m = 0; m < rank->memberships; m++)
			if (rank->membership[m].handle == peers && !rank->membership[m].freed)
				other = m;
	}
	construct(replay, local,
		(struct construction){.making = MAKING_BRIDGE, .colour = leader, .key = remote_leader, .tag = tag, .peers = other}, handle);
}

void replay_merge(struct replay *replay, replay_handle parent, bool high, replay_handle handle)
{
	construct(replay, parent, (struct construction){.making = MAKING_MERGE, .key = high}, handle);
}

/* ---- groups */

static void add_group(struct replay *replay, struct group group)
{
	group.task = replay->at;
	if (replay->error->status ||
		array_grow(&replay->group, &replay->group_capacity, (size_t)replay->groups + 1, sizeof *replay->group, replay->error))
		free(group.range);
	else
		replay->group[replay->groups++] = group;
}

void replay_group_of(struct replay *replay, enum replay_group kind, replay_handle communicator, replay_handle handle)
{
	uint32_t m = replay_membership(replay, communicator);
	add_group(replay, (struct group){.handle = handle, .kind = kind, .left = m});
}

void replay_group_of_two(struct replay *replay, enum replay_group kind, replay_handle left, replay_handle right, replay_handle handle)
{
	uint32_t l = replay_group_number(replay, left), r = replay_group_number(replay, right);
	add_group(replay, (struct group){.handle = handle, .kind = kind, .left = l, .right = r});
}

void replay_group_of_ranks(
	struct replay *replay, enum replay_group kind, replay_handle group, const int32_t (*range)[3], size_t ranges, replay_handle handle)
{
	uint32_t g = replay_group_number(replay, group);
	void *copy = array_copy(range, ranges, sizeof *range, replay->error);
	add_group(replay, (struct group){.handle = handle, .kind = kind, .left = g, .range = copy, .ranges = ranges});
}

/* A list of tasks that grows. */
struct task_list {
	uint32_t *task;
	size_t count, capacity;
};

static void append(struct replay *replay, struct task_list *list, uint32_t task)
{
	if (!array_grow(&list->task, &list->capacity, list->count + 1, sizeof *list->task, replay->error))
		list->task[list->count++] = task;
}

static bool has(const uint32_t *list, uint32_t count, uint32_t task)
{
	for (uint32_t i = 0; i < count; i++)
		if (list[i] == task)
			return true;
	return false;
}

static void append_communicator(struct replay *replay, const struct group *g, struct task_list *list)
{
	const struct membership *in = &replay->rank[g->task].membership[g->left];
	const struct communicator *c = &replay->communicator[in->communicator];
	uint32_t side = g->kind == REPLAY_GROUP_REMOTE ? 1 - in->side : in->side;
	for (uint32_t r = 0; r < c->size[side]; r++)
		append(replay, list, c->group[side] ? c->group[side][r] : in->communicator == 1 ? g->task : r);
}

/* Appends the members at the ranks of the group, or, to exclude, those at all others. */
static void append_ranks(struct replay *replay, const struct group *g, const uint32_t *base, uint32_t count, struct task_list *list)
{
	bool *named = array_create(count, sizeof *named, replay->error);
	for (size_t i = 0; named && i < g->ranges; i++) {
		int64_t first = g->range[i][0], last = g->range[i][1], stride = g->range[i][2];
		for (int64_t r = first; stride && (stride > 0 ? r <= last : r >= last) && !replay->error->status; r += stride) {
			if (r < 0 || r >= count) {
				replay_error(replay, "rank %" PRIu32 ": a group has no rank %" PRId64, g->task, r);
				break;
			}
			named[r] = true;
			if (g->kind == REPLAY_GROUP_INCLUDE)
				append(replay, list, base[r]);
		}
	}
	for (uint32_t r = 0; named && g->kind == REPLAY_GROUP_EXCLUDE && r < count; r++)
		if (!named[r])
			append(replay, list, base[r]);
	free(named);
}

bool replay_group_known(const struct replay *replay, uint32_t group)
{
	const struct group *g = &replay->group[group];
	if (g->kind == REPLAY_GROUP_OF || g->kind == REPLAY_GROUP_REMOTE)
		return replay->rank[g->task].membership[g->left].communicator != UNKNOWN;
	bool two = g->kind == REPLAY_GROUP_UNION || g->kind == REPLAY_GROUP_INTERSECTION || g->kind == REPLAY_GROUP_DIFFERENCE;
	return replay_group_known(replay, g->left) && (!two || replay_group_known(replay, g->right));
}

uint32_t *replay_group_tasks(struct replay *replay, uint32_t group, uint32_t *count)
{
	const struct group *g = &replay->group[group];
	struct task_list list = {0};
	uint32_t *left = NULL, *right = NULL, lefts = 0, rights = 0;
	if (g->kind != REPLAY_GROUP_OF && g->kind != REPLAY_GROUP_REMOTE)
		left = replay_group_tasks(replay, g->left, &lefts);
	switch (g->kind) {
	case REPLAY_GROUP_OF:
	case REPLAY_GROUP_REMOTE: append_communicator(replay, g, &list); break;
	case REPLAY_GROUP_INCLUDE:
	case REPLAY_GROUP_EXCLUDE: append_ranks(replay, g, left, lefts, &list); break;
	default:
		right = replay_group_tasks(replay, g->right, &rights);
		for (uint32_t i = 0; i < lefts; i++)
			if (g->kind == REPLAY_GROUP_UNION || has(right, rights, left[i]) == (g->kind == REPLAY_GROUP_INTERSECTION))
				append(replay, &list, left[i]);
		for (uint32_t i = 0; g->kind == REPLAY_GROUP_UNION && i < rights; i++)
			if (!has(left, lefts, right[i]))
				append(replay, &list, right[i]);
	}
	free(left);
	free(right);
	*count = (uint32_t)list.count;
	return list.task;
}
