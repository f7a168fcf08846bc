#include "tools/bound/matching.h"

#include "base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { UNSEEN = UINT32_MAX };

/*
 * State of a search: edges sorted by their left units, too, the distance of each unit from the rights with room, and the next edge to try.
 */
struct search {
	struct matching *m;
	size_t edges;
	uint32_t *right_of;             /* [edges] */
	size_t *left_first, *left_edge; /* [lefts + 1], [edges] */
	uint32_t *left_level, *right_level;
	size_t *left_at, *right_at;
	size_t *path;    /* edges, from a right with room; [2 * rights + 1], as levels increase */
	uint32_t *queue; /* [rights] */
};

static int search_init(struct search *s, struct matching *m, struct error *error)
{
	*s = (struct search){.m = m, .edges = m->first[m->rights]};
	s->right_of = array_create(s->edges, sizeof *s->right_of, error);
	s->left_first = array_create((size_t)m->lefts + 1, sizeof *s->left_first, error);
	s->left_edge = array_create(s->edges, sizeof *s->left_edge, error);
	s->left_level = array_create(m->lefts, sizeof *s->left_level, error);
	s->right_level = array_create(m->rights, sizeof *s->right_level, error);
	s->left_at = array_create(m->lefts, sizeof *s->left_at, error);
	s->right_at = array_create(m->rights, sizeof *s->right_at, error);
	s->path = array_create(2 * (size_t)m->rights + 1, sizeof *s->path, error);
	s->queue = array_create(m->rights, sizeof *s->queue, error);
	if (error->status)
		return -1;
	for (uint32_t r = 0; r < m->rights; r++)
		for (size_t e = m->first[r]; e < m->first[r + 1]; e++) {
			s->right_of[e] = r;
			s->left_first[m->left[e] + 1]++;
		}
	for (uint32_t l = 0; l < m->lefts; l++) {
		s->left_first[l + 1] += s->left_first[l];
		s->left_at[l] = s->left_first[l];
	}
	for (size_t e = 0; e < s->edges; e++)
		s->left_edge[s->left_at[m->left[e]]++] = e;
	return 0;
}

static void search_clear(struct search *s)
{
	free(s->right_of);
	free(s->left_first);
	free(s->left_edge);
	free(s->left_level);
	free(s->right_level);
	free(s->left_at);
	free(s->right_at);
	free(s->path);
	free(s->queue);
}

/* Computes distances from the rights with room, up to the nearest left with room. Returns whether there is one. */
static bool find_levels(struct search *s)
{
	const struct matching *m = s->m;
	uint32_t head = 0, tail = 0, last = UNSEEN;
	memset(s->left_level, 0xff, m->lefts * sizeof *s->left_level);
	memset(s->right_level, 0xff, m->rights * sizeof *s->right_level);
	for (uint32_t r = 0; r < m->rights; r++)
		if (m->right_room[r]) {
			s->right_level[r] = 0;
			s->queue[tail++] = r;
		}
	while (head < tail && s->right_level[s->queue[head]] < last) {
		uint32_t r = s->queue[head++];
		for (size_t e = m->first[r]; e < m->first[r + 1]; e++) {
			uint32_t l = m->left[e];
			if (s->left_level[l] != UNSEEN)
				continue;
			s->left_level[l] = s->right_level[r] + 1;
			if (m->left_room[l])
				last = s->left_level[l];
			for (size_t i = s->left_first[l]; i < s->left_first[l + 1]; i++) {
				uint32_t back = s->right_of[s->left_edge[i]];
				if (m->pairs[s->left_edge[i]] && s->right_level[back] == UNSEEN) {
					s->right_level[back] = s->left_level[l] + 1;
					s->queue[tail++] = back;
				}
			}
		}
	}
	return last != UNSEEN;
}

/*
 * Augments along the path, whose edges alternate between unmatched and matched, by the smallest room on it. Returns the number of
 * additional pairs.
 */
static uint32_t push(struct search *s, uint32_t right, size_t length)
{
	struct matching *m = s->m;
	uint32_t end = m->left[s->path[length - 1]];
	uint32_t amount = m->right_room[right] < m->left_room[end] ? m->right_room[right] : m->left_room[end];
	for (size_t i = 1; i < length; i += 2)
		if (m->pairs[s->path[i]] < amount)
			amount = m->pairs[s->path[i]];
	for (size_t i = 0; i < length; i++)
		m->pairs[s->path[i]] += i % 2 ? -amount : amount;
	m->right_room[right] -= amount;
	m->left_room[end] -= amount;
	return amount;
}

/*
 * Searches a path from a right with room to a left with room, each step one level up. Returns the number of additional pairs; 0: no path.
 */
static uint32_t augment(struct search *s, uint32_t right)
{
	const struct matching *m = s->m;
	size_t length = 0;
	uint32_t r = right;
	for (;;) {
		bool forward = length % 2 == 0, found = false;
		uint32_t l = forward ? 0 : m->left[s->path[length - 1]];
		size_t *at = forward ? &s->right_at[r] : &s->left_at[l];
		size_t end = forward ? m->first[r + 1] : s->left_first[l + 1];
		for (; *at < end && !found; *at += !found) {
			size_t e = forward ? *at : s->left_edge[*at];
			found = forward ? s->left_level[m->left[e]] == s->right_level[r] + 1
					: m->pairs[e] && s->right_level[s->right_of[e]] == s->left_level[l] + 1;
			if (found)
				s->path[length] = e;
		}
		if (!found && !length)
			return 0;
		if (found) {
			length++;
			if (forward && m->left_room[m->left[s->path[length - 1]]])
				return push(s, right, length);
		} else { /* dead end: the previous unit continues with its next edge */
			length--;
			if (length % 2)
				s->left_at[m->left[s->path[length - 1]]]++;
			else
				s->right_at[length ? s->right_of[s->path[length - 1]] : right]++;
		}
		if (length % 2 == 0)
			r = length ? s->right_of[s->path[length - 1]] : right;
	}
}

int matching_solve(struct matching *m, uint64_t *size, struct error *error)
{
	struct search s;
	*size = 0;
	if (!search_init(&s, m, error))
		while (find_levels(&s)) {
			memcpy(s.left_at, s.left_first, m->lefts * sizeof *s.left_at);
			memcpy(s.right_at, m->first, m->rights * sizeof *s.right_at);
			for (uint32_t r = 0; r < m->rights; r++)
				for (uint32_t more = 1; m->right_room[r] && more; *size += more)
					more = augment(&s, r);
		}
	search_clear(&s);
	return error->status ? -1 : 0;
}

void matching_release(struct matching *m)
{
	free(m->left_room);
	free(m->right_room);
	free(m->first);
	free(m->left);
	free(m->pairs);
	*m = (struct matching){0};
}
