/*
 * The members of communicators that are derived from others: they are found at the end, when the calls of all ranks are known. The n-th
 * that is made of a communicator is the same call at all of its members. See MPI 4.0, chapters 7 and 8.
 */
#include "patterns/graphs/replay/replay_state.h"

#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const makings[] = {"MPI_Comm_split or MPI_Comm_dup", "MPI_Cart_create", "MPI_Cart_sub", "MPI_Comm_create",
	"MPI_Intercomm_create", "MPI_Intercomm_merge"};

/* A construction whose parent is known, with its place: those of one communicator and number belong together. */
struct site {
	uint32_t parent, number, side, rank; /* communicator; number among those made of it; the task's own group and rank there */
	struct construction *c;
};

static int compare_sites(const void *left, const void *right)
{
	const struct site *a = left, *b = right;
	if (a->parent != b->parent)
		return a->parent < b->parent ? -1 : 1;
	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	return (a->rank > b->rank) - (a->rank < b->rank);
}

/* A member of a part: parts are the sites of one colour, ordered by key and rank. */
struct part_member {
	int64_t colour, key;
	size_t site;
};

static int compare_members(const void *left, const void *right)
{
	const struct part_member *a = left, *b = right;
	if (a->colour != b->colour)
		return a->colour < b->colour ? -1 : 1;
	if (a->key != b->key)
		return a->key < b->key ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

/* Sets colour and key of a rank in a grid, or in a part of one. */
static void place_in_grid(const struct communicator *parent, const struct site *site, struct part_member *member)
{
	const struct construction *c = site->c;
	int64_t size = 1, rest = site->rank, factor[2] = {1, 1}, *into[2] = {&member->colour, &member->key};
	if (c->making == MAKING_GRID) {
		for (uint32_t d = 0; d < c->length; d++)
			size *= c->list[d];
		member->colour = site->rank < size ? 0 : REPLAY_UNDEFINED;
		member->key = site->rank;
		return;
	}
	member->colour = member->key = 0;
	for (uint32_t d = parent->dimensions; d-- > 0;) {
		bool kept = d < c->length && c->list[d];
		*into[kept] += rest % parent->dimension[d] * factor[kept];
		factor[kept] *= parent->dimension[d];
		rest /= parent->dimension[d];
	}
}

/* Sets colour and key by the group that the construction names; communicators of different groups differ by their first member. */
static void place_in_group(struct replay *replay, const struct site *site, struct part_member *member)
{
	uint32_t count, *tasks = replay_group_tasks(replay, site->c->group, &count);
	member->colour = REPLAY_UNDEFINED;
	for (uint32_t i = 0; i < count; i++)
		if (tasks[i] == site->c->task) {
			member->colour = tasks[0];
			member->key = i;
		}
	free(tasks);
}

static void place_member(struct replay *replay, const struct site *site, struct part_member *member)
{
	const struct construction *c = site->c;
	const struct communicator *parent = &replay->communicator[site->parent];
	member->colour = c->colour;
	member->key = c->key;
	if (c->making == MAKING_GRID || c->making == MAKING_SUBGRID)
		place_in_grid(parent, site, member);
	else if (c->making == MAKING_GROUP)
		place_in_group(replay, site, member);
	else if (c->making == MAKING_MERGE) /* the group whose members say that they are not high; or else the first */
		member->key = 2 * c->key + site->side;
}

/* Gives a communicator the dimensions of a grid, or those that a part of one keeps. */
static void set_dimensions(
	struct replay *replay, struct communicator *made, const struct communicator *parent, const struct construction *c)
{
	bool part = c->making == MAKING_SUBGRID;
	const int32_t *from = c->making == MAKING_GRID ? c->list : parent->dimension;
	uint32_t length = c->making == MAKING_GRID ? c->length : parent->dimensions;
	if (!from || !(made->dimension = array_create(length, sizeof *from, replay->error)))
		return;
	for (uint32_t d = 0; d < length; d++)
		if (!part || (d < c->length && c->list[d]))
			made->dimension[made->dimensions++] = from[d];
}

/* Makes the communicator of members with one colour, from both groups of an intercommunicator. */
static void make_part(struct replay *replay, const struct site *site, const struct part_member *member, size_t count)
{
	const struct construction *first = site[member[0].site].c;
	const struct communicator *parent = &replay->communicator[site[0].parent];
	bool two = parent->group[1] && first->making != MAKING_MERGE;
	struct communicator made = {0};
	for (int side = 0; side <= two; side++)
		if (!(made.group[side] = array_create(count, sizeof *made.group[side], replay->error)))
			break;
	set_dimensions(replay, &made, parent, first);
	for (size_t i = 0; i < count && !replay->error->status; i++) {
		const struct site *s = &site[member[i].site];
		struct membership *m = &replay->rank[s->c->task].membership[s->c->membership];
		uint32_t side = two ? s->side : 0;
		*m = (struct membership){.handle = m->handle,
			.communicator = replay->communicators,
			.rank = made.size[side],
			.side = side,
			.collectives = m->collectives,
			.made = m->made,
			.freed = m->freed};
		made.group[side][made.size[side]++] = s->c->task;
	}
	replay_add_communicator(replay, made);
}

/* Makes the communicators of one construction by all members of its parent. */
static void make_parts(struct replay *replay, const struct site *site, size_t count)
{
	struct part_member *member = array_create(count, sizeof *member, replay->error);
	for (size_t i = 0; member && i < count; i++) {
		member[i].site = i;
		place_member(replay, &site[i], &member[i]);
		site[i].c->done = true;
	}
	if (member)
		qsort(member, count, sizeof *member, compare_members);
	for (size_t i = 0, end; member && i < count && !replay->error->status; i = end) {
		for (end = i + 1; end < count && member[end].colour == member[i].colour;)
			end++;
		if (member[i].colour != REPLAY_UNDEFINED)
			make_part(replay, site, member + i, end - i);
	}
	free(member);
}

/* Makes an intercommunicator of two groups whose leaders name each other. */
static void make_bridge(struct replay *replay, const struct site *one, size_t ones, const struct site *other, size_t others)
{
	const struct site *site[2] = {one, other};
	struct communicator made = {.size = {(uint32_t)ones, (uint32_t)others}};
	for (uint32_t side = 0; side < 2; side++)
		if (!(made.group[side] = array_create(made.size[side], sizeof *made.group[side], replay->error)))
			break;
	for (uint32_t side = 0; side < 2 && !replay->error->status; side++)
		for (uint32_t r = 0; r < made.size[side]; r++) {
			struct construction *c = site[side][r].c;
			struct membership *m = &replay->rank[c->task].membership[c->membership];
			m->communicator = replay->communicators;
			m->rank = r;
			m->side = side;
			made.group[side][r] = c->task;
			c->done = true;
		}
	replay_add_communicator(replay, made);
}

/* Finds the tasks of the two leaders of a bridge. Returns whether both are known. */
static bool find_leaders(const struct replay *replay, const struct site *site, size_t count, uint32_t *own, uint32_t *remote)
{
	const struct construction *c = site[0].c;
	if (c->colour < 0 || c->colour >= (int64_t)count)
		return false;
	const struct construction *leader = site[c->colour].c;
	if (leader->peers == UNKNOWN)
		return false;
	const struct membership *peers = &replay->rank[leader->task].membership[leader->peers];
	*own = leader->task;
	*remote = peers->communicator == UNKNOWN ? UNKNOWN : replay_task(replay, peers, leader->task, (uint32_t)leader->key);
	return *remote != UNKNOWN;
}

/* Returns the number of sites from here on that belong together. */
static size_t together(const struct site *site, size_t count)
{
	size_t end = 1;
	while (end < count && site[end].parent == site->parent && site[end].number == site->number)
		end++;
	return end;
}

/* Looks for the other side of a bridge behind it, and makes it. Returns whether it is there. */
static bool try_bridge(struct replay *replay, const struct site *site, size_t count, size_t all)
{
	uint32_t own, remote, other_own, other_remote;
	if (!find_leaders(replay, site, count, &own, &remote))
		return false;
	for (size_t i = count, n; i < all; i += n) {
		n = together(&site[i], all - i);
		const struct construction *c = site[i].c;
		if (c->making == MAKING_BRIDGE && !c->done && c->tag == site[0].c->tag &&
			find_leaders(replay, &site[i], n, &other_own, &other_remote) && other_own == remote && other_remote == own) {
			make_bridge(replay, site, count, &site[i], n);
			return true;
		}
	}
	return false;
}

/* Checks that those of one number are the same call. Returns whether all members have called it. */
static bool complete(struct replay *replay, const struct site *site, size_t count)
{
	const struct communicator *parent = &replay->communicator[site->parent];
	for (size_t i = 1; i < count; i++)
		if (site[i].c->making != site[0].c->making)
			replay_error(replay, "rank %" PRIu32 " calls %s where rank %" PRIu32 " calls %s", site[i].c->task,
				makings[site[i].c->making], site[0].c->task, makings[site[0].c->making]);
	return count == (size_t)parent->size[0] + parent->size[1];
}

/* Lists the constructions that can be looked at. NULL if out of memory. */
static struct site *find_sites(struct replay *replay, size_t *count)
{
	struct site *site = array_create(replay->constructions, sizeof *site, replay->error);
	*count = 0;
	for (size_t i = 0; site && i < replay->constructions; i++) {
		struct construction *c = &replay->construction[i];
		const struct membership *parent = &replay->rank[c->task].membership[c->parent];
		if (c->done || parent->communicator == UNKNOWN || (c->making == MAKING_GROUP && !replay_group_known(replay, c->group)))
			continue;
		site[(*count)++] = (struct site){parent->communicator, c->number, parent->side, parent->rank, c};
	}
	if (site)
		qsort(site, *count, sizeof *site, compare_sites);
	return site;
}

/* Makes what can be made. Returns whether there was any. */
static bool make_some(struct replay *replay)
{
	size_t count, n;
	bool some = false;
	struct site *site = find_sites(replay, &count);
	for (size_t i = 0; site && i < count && !replay->error->status; i += n) {
		n = together(&site[i], count - i);
		if (site[i].c->done || !complete(replay, &site[i], n))
			continue;
		if (site[i].c->making == MAKING_BRIDGE) {
			some |= try_bridge(replay, &site[i], n, count - i);
		} else {
			make_parts(replay, &site[i], n);
			some = true;
		}
	}
	free(site);
	return some && !replay->error->status;
}

int replay_find_members(struct replay *replay)
{
	while (make_some(replay))
		;
	for (size_t i = 0; i < replay->constructions && !replay->error->status; i++)
		if (!replay->construction[i].done)
			replay_error(replay, "rank %" PRIu32 " calls %s, which not all ranks of its communicator call",
				replay->construction[i].task, makings[replay->construction[i].making]);
	return replay->error->status ? -1 : 0;
}
