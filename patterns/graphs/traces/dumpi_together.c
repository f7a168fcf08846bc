/* Collective operations, communicators and groups of DUMPI traces. */
#include "patterns/graphs/traces/dumpi_calls.h"

#include "base/memory.h"

#include <stdlib.h>

/* Sets the counts of a collective operation: of an array, or of elements of several datatypes, in bytes. */
static void set_counts(struct dumpi *d, const struct dumpi_call *call, struct dumpi_array array, const struct dumpi_array *types,
	struct replay_collective *c)
{
	if (array_grow(&d->count, &d->count_capacity, (size_t)array.length + 1, sizeof *d->count, d->error))
		return;
	for (uint32_t i = 0; i < array.length; i++)
		d->count[i] = types ? dumpi_bytes_of(d, call, dumpi_element(array, i), dumpi_short(*types, i)) : dumpi_element(array, i);
	c->count = d->count;
	c->counts = array.length;
}

/* Operations with a root, except broadcast and reduction. */
static bool add_rooted(struct dumpi *d, const struct dumpi_call *call, struct replay_collective *c)
{
	static const enum collective kinds[] = {COLLECTIVE_GATHER, COLLECTIVE_GATHERV, COLLECTIVE_SCATTER, COLLECTIVE_SCATTERV};
	const struct dumpi_rooted *r = &call->rooted;
	if (call->number < DUMPI_GATHER || call->number > DUMPI_SCATTERV)
		return false;
	c->collective = kinds[call->number - DUMPI_GATHER];
	c->communicator = (replay_handle)r->communicator;
	c->root = (uint32_t)r->root;
	c->bytes = dumpi_bytes_of(d, call, r->count, r->type);
	c->datatype = dumpi_size_of(d, call, r->type);
	if (c->collective == COLLECTIVE_SCATTERV && r->rank == r->root) {
		set_counts(d, call, call->array[0], NULL, c);
		c->datatype = dumpi_size_of(d, call, r->type_at_root);
	}
	return true;
}

bool dumpi_add_collective(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	struct replay_collective c = {.datatype = 1};
	unsigned plus = call->array[0].data && d->alternative[call->number] ? 0 : 1; /* the size of the communicator comes first */
	int32_t type = -1, communicator = 0;
	switch (call->number) {
	case DUMPI_BARRIER:
		c.collective = COLLECTIVE_BARRIER;
		communicator = v[0];
		break;
	case DUMPI_BCAST:
		c.collective = COLLECTIVE_BCAST;
		type = v[1];
		c.root = (uint32_t)v[2];
		communicator = v[3];
		break;
	case DUMPI_REDUCE:
		c.collective = COLLECTIVE_REDUCE;
		type = v[1];
		c.root = (uint32_t)v[3];
		communicator = v[4];
		break;
	case DUMPI_ALLREDUCE:
	case DUMPI_SCAN:
	case DUMPI_EXSCAN:
		c.collective = call->number == DUMPI_ALLREDUCE ? COLLECTIVE_ALLREDUCE
			       : call->number == DUMPI_SCAN    ? COLLECTIVE_SCAN
							       : COLLECTIVE_EXSCAN;
		type = v[1];
		communicator = v[3];
		break;
	case DUMPI_ALLGATHER:
	case DUMPI_ALLTOALL:
		c.collective = call->number == DUMPI_ALLTOALL ? COLLECTIVE_ALLTOALL : COLLECTIVE_ALLGATHER;
		type = v[1];
		communicator = v[4];
		break;
	case DUMPI_ALLGATHERV:
		c.collective = COLLECTIVE_ALLGATHERV;
		c.bytes = dumpi_bytes_of(d, call, v[0], v[1]);
		set_counts(d, call, call->array[0], NULL, &c);
		c.datatype = dumpi_size_of(d, call, v[plus + 2]);
		communicator = v[plus + 3];
		break;
	case DUMPI_ALLTOALLV:
		c.collective = COLLECTIVE_ALLTOALLV;
		set_counts(d, call, call->array[0], NULL, &c);
		c.datatype = dumpi_size_of(d, call, v[plus]);
		communicator = v[plus + 2];
		break;
	case DUMPI_ALLTOALLW:
		c.collective = COLLECTIVE_ALLTOALLW;
		set_counts(d, call, call->array[0], &call->array[2], &c);
		communicator = v[plus];
		break;
	case DUMPI_REDUCE_SCATTER:
		c.collective = COLLECTIVE_REDUCESCATTER;
		set_counts(d, call, call->array[0], NULL, &c);
		c.datatype = dumpi_size_of(d, call, v[plus]);
		communicator = v[plus + 2];
		break;
	default:
		if (!add_rooted(d, call, &c))
			return false;
		communicator = call->rooted.communicator;
	}
	c.name = dumpi_name(call->number);
	c.communicator = (replay_handle)communicator;
	if (c.root > INT32_MAX)
		c.root = REPLAY_ROOT_OWN; /* MPI_ROOT, MPI_PROC_NULL */
	if (type >= 0) {
		c.datatype = dumpi_size_of(d, call, type);
		c.bytes = v[0] > 0 ? v[0] * c.datatype : 0;
	}
	replay_collective(d->replay, &c);
	return true;
}

/* Groups of ranks or of triples {first, last, stride}. */
static void group_of_ranks(struct dumpi *d, const struct dumpi_call *call)
{
	bool include = call->number == DUMPI_GROUP_INCL || call->number == DUMPI_GROUP_RANGE_INCL;
	bool triples = call->number == DUMPI_GROUP_RANGE_INCL || call->number == DUMPI_GROUP_RANGE_EXCL;
	struct dumpi_array array = call->array[0];
	size_t count = triples && d->alternative[call->number] ? array.length / 3 : array.length;
	array.length = (uint32_t)(triples ? 3 * count : count);
	int32_t(*range)[3] = array_create(count, sizeof *range, d->error);
	for (uint32_t i = 0; range && i < count; i++)
		for (uint32_t k = 0; k < 3; k++)
			range[i][k] = triples ? dumpi_element(array, 3 * i + k) : k < 2 ? dumpi_element(array, i) : 1;
	if (range)
		replay_group_of_ranks(d->replay, include ? REPLAY_GROUP_INCLUDE : REPLAY_GROUP_EXCLUDE, (replay_handle)call->value[0],
			(const int32_t(*)[3])range, count, (replay_handle)call->value[2]);
	free(range);
}

static void make_grid(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	const struct dumpi_array *a = call->array;
	int32_t nodes = v[1];
	if (v[2])
		dumpi_refuse(d, "with reorder the new ranks are not known", call);
	int32_t *dimension = array_create(a[0].length, sizeof *dimension, d->error);
	for (uint32_t i = 0; dimension && i < a[0].length; i++)
		dimension[i] = dumpi_element(a[0], i);
	if (dimension && call->number == DUMPI_CART_CREATE)
		replay_grid(d->replay, (replay_handle)v[0], dimension, a[0].length, (replay_handle)v[3]);
	else if (dimension)
		replay_grid(d->replay, (replay_handle)v[0], &nodes, 1, (replay_handle)v[3]);
	free(dimension);
}

static void make_subgrid(struct dumpi *d, const struct dumpi_call *call)
{
	const struct dumpi_array *a = call->array;
	bool *kept = array_create(a[0].length, sizeof *kept, d->error);
	for (uint32_t i = 0; kept && i < a[0].length; i++)
		kept[i] = dumpi_element(a[0], i);
	if (kept)
		replay_subgrid(d->replay, (replay_handle)call->value[0], kept, a[0].length,
			(replay_handle)call->value[d->alternative[call->number] ? 2 : 1]);
	free(kept);
}

bool dumpi_add_communicator(struct dumpi *d, const struct dumpi_call *call)
{
	const int32_t *v = call->value;
	replay_handle h[3] = {(replay_handle)v[0], (replay_handle)v[1], (replay_handle)v[2]};
	switch (call->number) {
	case DUMPI_COMM_DUP: replay_duplicate(d->replay, h[0], h[1]); break;
	case DUMPI_COMM_SPLIT: replay_split(d->replay, h[0], v[1] < 0 ? REPLAY_UNDEFINED : v[1], v[2], (replay_handle)v[3]); break;
	case DUMPI_COMM_CREATE: replay_from_group(d->replay, h[0], h[1], h[2]); break;
	case DUMPI_COMM_FREE: replay_free_communicator(d->replay, h[0]); break;
	case DUMPI_CART_CREATE:
	case DUMPI_GRAPH_CREATE: make_grid(d, call); break;
	case DUMPI_CART_SUB: make_subgrid(d, call); break;
	case DUMPI_INTERCOMM_CREATE: replay_bridge(d->replay, h[0], v[1], h[2], v[3], v[4], (replay_handle)v[5]); break;
	case DUMPI_INTERCOMM_MERGE: replay_merge(d->replay, h[0], v[1], h[2]); break;
	case DUMPI_COMM_GROUP: replay_group_of(d->replay, REPLAY_GROUP_OF, h[0], h[1]); break;
	case DUMPI_COMM_REMOTE_GROUP: replay_group_of(d->replay, REPLAY_GROUP_REMOTE, h[0], h[1]); break;
	case DUMPI_GROUP_UNION: replay_group_of_two(d->replay, REPLAY_GROUP_UNION, h[0], h[1], h[2]); break;
	case DUMPI_GROUP_INTERSECTION: replay_group_of_two(d->replay, REPLAY_GROUP_INTERSECTION, h[0], h[1], h[2]); break;
	case DUMPI_GROUP_DIFFERENCE: replay_group_of_two(d->replay, REPLAY_GROUP_DIFFERENCE, h[0], h[1], h[2]); break;
	case DUMPI_GROUP_INCL:
	case DUMPI_GROUP_EXCL:
	case DUMPI_GROUP_RANGE_INCL:
	case DUMPI_GROUP_RANGE_EXCL: group_of_ranks(d, call); break;
	case DUMPI_COMM_ACCEPT:
	case DUMPI_COMM_CONNECT:
	case DUMPI_COMM_JOIN:
	case DUMPI_COMM_SPAWN:
	case DUMPI_COMM_SPAWN_MULTIPLE: dumpi_refuse(d, "processes that join while the program runs are not supported", call); break;
	default: return false;
	}
	return true;
}
