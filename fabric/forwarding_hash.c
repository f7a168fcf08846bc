/* The hash that identifies a fabric and its routes, also of tables that are not stored. */
#include "base/hash.h"
#include "base/memory.h"
#include "fabric/forwarding.h"

#include <stdlib.h>
#include <string.h>

/* Returns the hash of all but the routes. */
static uint64_t hash_fabric(const struct fabric *fabric)
{
	uint64_t hash = UINT64_C(0x6f726373); /* "orcs" */
	for (uint32_t v = 0; v < fabric->nodes; v++)
		hash = hash_words(hash, fabric->labels->name[v], strlen(fabric->labels->name[v]) + 1);
	hash = hash_words(hash, fabric->node_host, fabric->nodes * sizeof *fabric->node_host);
	hash = hash_words(hash, fabric->first_channel, (fabric->nodes + 1) * sizeof *fabric->first_channel);
	hash = hash_words(hash, fabric->head, fabric->channels * sizeof *fabric->head);
	return hash_words(hash, fabric->speed, fabric->channels * sizeof *fabric->speed);
}

static uint64_t hash_via(uint64_t hash, const struct forwarding *forwarding)
{
	return forwarding->via ? hash_words(hash, &forwarding->via, sizeof forwarding->via) : hash;
}

uint64_t forwarding_hash(const struct fabric *fabric, const struct forwarding *forwarding)
{
	uint64_t hash = hash_fabric(fabric);
	if (!forwarding)
		return hash;
	if (forwarding->function) {
		hash = hash_words(hash, forwarding->function->spec, strlen(forwarding->function->spec) + 1);
		hash = hash_words(hash, forwarding->function->routing, strlen(forwarding->function->routing) + 1);
	} else {
		hash = hash_words(hash, forwarding->fallback, fabric->nodes * sizeof *forwarding->fallback);
		hash = hash_words(hash, forwarding->next, (size_t)fabric->hosts * forwarding->columns * sizeof *forwarding->next);
	}
	return hash_via(hash, forwarding);
}

/* ---- the hash of tables that are not stored */

struct demand_tables {
	const struct fabric *fabric;
	const struct forwarding *forwarding;
	uint32_t columns;
	uint32_t *node; /* [columns] */
	uint32_t *row;  /* [columns] the entries of the last destination */
	uint32_t last;  /* that destination, NONE: none yet */
	uint64_t several;
	uint32_t *only; /* [columns] the channel of all destinations so far */
	bool *alike;    /* [columns] they have that channel */
	bool *any;      /* [columns] there is an entry */
};

/* Computes the entry of a column. */
static uint32_t entry_of(struct demand_tables *t, uint32_t column, uint32_t host)
{
	const struct forwarding *f = t->forwarding;
	const uint32_t *channel;
	const double *share;
	if (!f->shortest || !f->shortest->all)
		return forwarding_next(f, t->node[column], NONE, host);
	uint32_t count = shortest_routes_ways(f->shortest, t->node[column], host, &channel, &share);
	t->several += count > 1;
	return count ? channel[0] : NONE;
}

/* Computes the entries of a destination; those of hosts behind one switch differ at the switch alone. */
static void make_row(struct demand_tables *t, uint32_t host)
{
	const struct shortest_routes *s = t->forwarding->shortest;
	bool same = s && t->last != NONE && s->root[host] == s->root[t->last] && s->last[host] != NONE && s->last[t->last] != NONE;
	if (!same) {
		t->several = 0;
		for (uint32_t i = 0; i < t->columns; i++)
			t->row[i] = entry_of(t, i, host);
	}
	for (uint32_t i = 0; same && i < t->columns; i++)
		if (s->place[t->node[i]] == s->root[host])
			t->row[i] = s->last[host];
	t->last = host;
}

/* Finds the columns in which all destinations have one channel. */
static void find_alike(struct demand_tables *t)
{
	const struct fabric *fabric = t->fabric;
	uint32_t open = t->columns;
	for (uint32_t i = 0; i < t->columns; i++)
		t->alike[i] = true;
	for (uint32_t h = 0; h < fabric->hosts && open; h++) {
		make_row(t, h);
		for (uint32_t i = 0; i < t->columns; i++) {
			bool before = t->alike[i] || !t->any[i];
			t->any[i] |= t->row[i] != NONE;
			if (fabric->node_host[t->node[i]] != h) {
				t->alike[i] &= t->row[i] != NONE && (t->only[i] == NONE || t->row[i] == t->only[i]);
				t->only[i] = t->row[i];
			}
			open -= before && !t->alike[i] && t->any[i];
		}
	}
}

static uint64_t hash_tables(struct demand_tables *t, uint64_t hash, uint32_t *fallback, uint64_t *ambiguous)
{
	const struct fabric *fabric = t->fabric;
	uint32_t kept = 0;
	find_alike(t);
	for (uint32_t v = 0; v < fabric->nodes; v++)
		fallback[v] = fabric->first_channel[v] < fabric->first_channel[v + 1] ? fabric->first_channel[v] : NONE;
	for (uint32_t i = 0; i < t->columns; i++) {
		uint32_t only = t->alike[i] ? t->only[i] : NONE;
		fallback[t->node[i]] = only;
		t->alike[i] = !t->any[i] || only != NONE;
		kept += !t->alike[i];
	}
	hash = hash_words(hash, fallback, fabric->nodes * sizeof *fallback);
	struct hash_stream stream;
	hash_begin(&stream, hash, (size_t)fabric->hosts * kept);
	*ambiguous = 0;
	for (uint32_t h = 0; h < fabric->hosts; h++) {
		make_row(t, h);
		*ambiguous += t->several;
		for (uint32_t i = 0; i < t->columns; i++)
			if (!t->alike[i])
				hash_add(&stream, t->row[i]);
	}
	return hash_end(&stream);
}

int forwarding_hash_of_demand(
	const struct fabric *fabric, const struct forwarding *forwarding, uint64_t *hash, uint64_t *ambiguous, struct error *error)
{
	struct demand_tables t = {
		.fabric = fabric,
		.forwarding = forwarding,
		.last = NONE,
		.node = array_create(fabric->nodes, sizeof *t.node, error),
		.row = array_create(fabric->nodes, sizeof *t.row, error),
		.only = array_create(fabric->nodes, sizeof *t.only, error),
		.alike = array_create(fabric->nodes, sizeof *t.alike, error),
		.any = array_create(fabric->nodes, sizeof *t.any, error),
	};
	uint32_t *fallback = array_create(fabric->nodes, sizeof *fallback, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		if (fabric->node_host[v] == NONE || fabric->first_channel[v + 1] - fabric->first_channel[v] > 1)
			t.node[t.columns++] = v;
	if (!error->status) {
		memset(t.only, 0xff, t.columns * sizeof *t.only); /* NONE */
		*hash = hash_via(hash_tables(&t, hash_fabric(fabric), fallback, ambiguous), forwarding);
	}
	free(t.node);
	free(t.row);
	free(t.only);
	free(t.alike);
	free(t.any);
	free(fallback);
	return error->status ? -1 : 0;
}
