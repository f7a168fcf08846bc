/* The functions of MPI that programs call instead of MPI's own: each calls that, and records what the call was. */
#include "tools/record/preload/log.h"
#include "tools/record/preload/mpi_names.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HANDLE(x) ((uint64_t)(uintptr_t)(x))

static MPI_Group everybody; /* all ranks of the program */
static bool any_source;     /* a receive from any source, or with any tag, has been posted */
static bool cancels;        /* a request has been cancelled */

/* ---- parts of records */

static int64_t peer_of(int peer)
{
	return peer == MPI_PROC_NULL ? PEER_NONE : peer == MPI_ANY_SOURCE ? PEER_ANY : peer;
}

static int64_t tag_of(int tag)
{
	return tag == MPI_ANY_TAG ? PEER_ANY : tag;
}

static uint64_t size_of(MPI_Datatype type)
{
	int size;
	MPI_Count large;
	mpi.Type_size(type, &size);
	if (size >= 0)
		return (uint64_t)size;
	mpi.Type_size_x(type, &large);
	return (uint64_t)large;
}

static int size_of_group(MPI_Comm comm)
{
	int inter, size;
	mpi.Comm_test_inter(comm, &inter);
	if (inter)
		mpi.Comm_remote_size(comm, &size);
	else
		mpi.Comm_size(comm, &size);
	return size;
}

/* Requests are written with the place where the program keeps them: MPI uses one handle for all sends that have ended at once. */
static void put_request(MPI_Request request, const MPI_Request *place)
{
	log_handle(HANDLE_REQUEST, HANDLE(request));
	log_handle(HANDLE_PLACE, HANDLE(place));
}

/* ---- messages */

static void message(struct thread *t, unsigned flags, int64_t bytes, int peer, int tag, MPI_Comm comm, MPI_Request *request)
{
	if ((!request && peer == MPI_PROC_NULL) || !log_begin(t, RECORD_MESSAGE, 0))
		return;
	if (request && flags & MESSAGE_RECEIVE && (peer == MPI_ANY_SOURCE || tag == MPI_ANY_TAG))
		any_source = true;
	log_number(flags | (request ? MESSAGE_REQUEST : 0));
	log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
	log_signed(peer_of(peer));
	log_signed(tag_of(tag));
	log_number((uint64_t)bytes);
	if (request)
		put_request(*request, request);
	log_end();
}

#define BYTES(COUNT_, TYPE_) ((int64_t)(COUNT_) * (int64_t)size_of(TYPE_))

/* A blocking receive, whose source and tag are those of the message. */
static void received(struct thread *t, int64_t bytes, int peer, int tag, MPI_Comm comm, const MPI_Status *status)
{
	message(t, MESSAGE_RECEIVE, bytes, peer == MPI_ANY_SOURCE ? status->MPI_SOURCE : peer, tag == MPI_ANY_TAG ? status->MPI_TAG : tag,
		comm, NULL);
}

/* The parts of a call that sends and receives: as if they were posted, and then waited for. */
static void exchanged(
	struct thread *t, int64_t out, int to, int tag, int64_t in, int from, int other_tag, MPI_Comm comm, const MPI_Status *status)
{
	MPI_Request none[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
	int source = from == MPI_ANY_SOURCE ? status->MPI_SOURCE : from;
	int received_tag = other_tag == MPI_ANY_TAG && from != MPI_PROC_NULL ? status->MPI_TAG : other_tag;
	message(t, MESSAGE_RECEIVE, in, source, received_tag, comm, &none[0]);
	message(t, 0, out, to, tag, comm, &none[1]);
	if (!log_begin(t, RECORD_COMPLETE, 4))
		return;
	log_number(2);
	put_request(none[0], &none[0]);
	put_request(none[1], &none[1]);
	log_end();
}

static void started(struct thread *t, MPI_Request request, const MPI_Request *place)
{
	if (!log_begin(t, RECORD_START, 0))
		return;
	put_request(request, place);
	log_end();
}

static void freed_request(struct thread *t, MPI_Request request, const MPI_Request *place)
{
	if (request == MPI_REQUEST_NULL || !log_begin(t, RECORD_FREE, 0))
		return;
	put_request(request, place);
	log_end();
}

/* Whether the statuses of completed requests are needed, although the program may not want them. */
static bool wants_statuses(void)
{
	return any_source || cancels;
}

#define NO_STATUS(STATUS_) ((STATUS_) == MPI_STATUS_IGNORE)
#define NO_STATUSES(STATUSES_) ((STATUSES_) == MPI_STATUSES_IGNORE)

/* Copies of what a call replaces, and room for statuses that the program does not want. */
struct copies {
	MPI_Request few[16], *request;
	MPI_Status few_statuses[16], *status; /* NULL: the program's own */
};

static void keep(struct copies *c, struct thread *t, int count, const MPI_Request *request, bool statuses)
{
	size_t n = count > 0 ? (size_t)count : 0;
	c->request = c->few;
	c->status = NULL;
	if (!t)
		return;
	if (n > 16 && !(c->request = malloc(n * sizeof *c->request)))
		abort();
	memcpy(c->request, request, n * sizeof *c->request);
	if (!statuses || !wants_statuses())
		return;
	c->status = c->few_statuses;
	if (n > 16 && !(c->status = malloc(n * sizeof *c->status)))
		abort();
}

static void let_go(struct copies *c)
{
	if (c->request != c->few)
		free(c->request);
	if (c->status != c->few_statuses)
		free(c->status);
}

static void put_status(const MPI_Status *status)
{
	int cancelled = 0;
	if (cancels)
		mpi.Test_cancelled(status, &cancelled);
	log_signed(status->MPI_SOURCE);
	log_signed(status->MPI_TAG);
	log_number(cancelled != 0);
}

/* Communicators whose requests have not ended: of MPI_Comm_idup. */
enum { IDUPS = 64 };
static struct {
	MPI_Request request;
	MPI_Comm parent, *made;
	uint64_t number;
} idup[IDUPS];
static int idups;
static pthread_mutex_t idup_lock = PTHREAD_MUTEX_INITIALIZER;
static void made_later(struct thread *t, MPI_Request request);

/* Requests have ended: count of them, those at the indices (NULL: all); statuses are in the order of the indices. */
static void completed(
	struct thread *t, int count, const int *index, const MPI_Request *request, const MPI_Request *place, const MPI_Status *status)
{
	int number = 0;
	for (int i = 0; i < count; i++)
		number += request[index ? index[i] : i] != MPI_REQUEST_NULL;
	bool statuses = wants_statuses() && status;
	if (!number || !log_begin(t, statuses ? RECORD_STATUSES : RECORD_COMPLETE, 5 * (size_t)number))
		return;
	log_number((uint64_t)number);
	for (int i = 0; i < count; i++) {
		int at = index ? index[i] : i;
		if (request[at] == MPI_REQUEST_NULL)
			continue;
		put_request(request[at], place + at);
		if (statuses)
			put_status(&status[i]);
	}
	log_end();
	for (int i = 0; idups && i < count; i++)
		made_later(t, request[index ? index[i] : i]);
}

static void probed(struct thread *t, MPI_Comm comm, MPI_Message handle, const MPI_Status *status)
{
	if (handle == MPI_MESSAGE_NO_PROC || !log_begin(t, RECORD_PROBED, 0))
		return;
	log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
	log_signed(status->MPI_SOURCE);
	log_signed(status->MPI_TAG);
	log_handle(HANDLE_MESSAGE, HANDLE(handle));
	log_end();
}

static void taken(struct thread *t, MPI_Message handle, MPI_Request *request)
{
	if (!log_begin(t, RECORD_TAKEN, 0))
		return;
	log_handle(HANDLE_MESSAGE, HANDLE(handle));
	log_number(request != NULL);
	if (request)
		put_request(*request, request);
	log_end();
}

/* ---- collective operations */

struct call {
	enum record_collective operation;
	int root;
	uint64_t bytes, element;
	int number; /* of counts */
	/* elements, or bytes if there are types; one of the two is NULL */
	const int *count;
	const MPI_Count *large;
	const MPI_Datatype *type;
};

static void collective(struct thread *t, const struct call *call, MPI_Comm comm, enum call_class class, MPI_Request *request)
{
	if (!log_begin(t, RECORD_COLLECTIVE, (size_t)call->number))
		return;
	log_number(call->operation);
	log_number(class);
	log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
	log_signed(call->root == MPI_ROOT ? ROOT_HERE : peer_of(call->root));
	log_number(call->bytes);
	log_number(call->element);
	log_number((uint64_t)call->number);
	for (int i = 0; i < call->number; i++) {
		int64_t count = call->count ? call->count[i] : (int64_t)call->large[i];
		log_signed(count * (int64_t)(call->type ? (count ? size_of(call->type[i]) : 0) : call->element));
	}
	if (request)
		put_request(*request, request);
	log_end();
}

/* An operation in which each rank has, or gives, one block. */
static struct call blocks(enum record_collective operation, int64_t count, MPI_Datatype type, int root)
{
	uint64_t element = size_of(type);
	return (struct call){.operation = operation, .root = root, .bytes = (uint64_t)count * element, .element = element};
}

static struct call barrier(void)
{
	return (struct call){.operation = CALL_BARRIER};
}

/* An operation with a count for each rank. */
static struct call with_counts(enum record_collective operation, const int *count, const MPI_Count *large, MPI_Datatype type, int number)
{
	return (struct call){.operation = operation, .element = size_of(type), .number = number, .count = count, .large = large};
}

static struct call with_types(
	enum record_collective operation, const int *count, const MPI_Count *large, const MPI_Datatype *type, int number)
{
	return (struct call){.operation = operation, .element = 1, .number = number, .count = count, .large = large, .type = type};
}

/* The same by a rank that takes no part, as the root of the other group, or beside it. */
static struct call nothing(enum record_collective operation, int root)
{
	return (struct call){.operation = operation, .root = root, .element = 1};
}

static struct call rooted(struct call call, int root)
{
	call.root = root;
	return call;
}

static struct call having(struct call call, int64_t bytes)
{
	call.bytes = (uint64_t)bytes;
	return call;
}

static bool is_root(int root, MPI_Comm comm)
{
	int rank, inter;
	mpi.Comm_test_inter(comm, &inter);
	mpi.Comm_rank(comm, &rank);
	return root == MPI_ROOT || (!inter && rank == root);
}

static int own_size(MPI_Comm comm)
{
	int size;
	mpi.Comm_size(comm, &size);
	return size;
}

static int own_rank(MPI_Comm comm)
{
	int rank;
	mpi.Comm_rank(comm, &rank);
	return rank;
}

/* Returns the number of neighbours to which the rank gives. */
static int neighbours(MPI_Comm comm)
{
	int kind, in, out = 0, weighted;
	mpi.Topo_test(comm, &kind);
	if (kind == MPI_CART) {
		mpi.Cartdim_get(comm, &in);
		out = 2 * in;
	} else if (kind == MPI_GRAPH) {
		mpi.Graph_neighbors_count(comm, own_rank(comm), &out);
	} else if (kind == MPI_DIST_GRAPH) {
		mpi.Dist_graph_neighbors_count(comm, &in, &out, &weighted);
	}
	return out;
}

/* ---- communicators */

static void put_list(int count, const int *list)
{
	log_number((uint64_t)count);
	for (int i = 0; i < count; i++)
		log_signed(peer_of(list[i]));
}

/* Returns the tasks of a group, or the first only; owned. Ends the program if out of memory. */
static int *tasks_of(MPI_Group group, int *count, bool all)
{
	mpi.Group_size(group, count);
	if (!all && *count > 1)
		*count = 1;
	int *list = malloc(2 * sizeof *list * (size_t)(*count + 1));
	if (!list)
		abort();
	for (int i = 0; i < *count; i++)
		list[*count + i] = i;
	if (*count)
		mpi.Group_translate_ranks(group, *count, list + *count, everybody, list);
	return list;
}

/* Writes the neighbours of the rank in a communicator that has a topology. */
static void topology(struct thread *t, MPI_Comm comm)
{
	int kind, in = 0, out = 0, weighted;
	mpi.Topo_test(comm, &kind);
	if (kind == MPI_UNDEFINED)
		return;
	if (kind == MPI_CART) {
		mpi.Cartdim_get(comm, &in);
		in *= 2;
	} else if (kind == MPI_GRAPH) {
		mpi.Graph_neighbors_count(comm, own_rank(comm), &in);
	} else {
		mpi.Dist_graph_neighbors_count(comm, &in, &out, &weighted);
	}
	int *list = calloc((size_t)(in + out) * 2 + 1, sizeof *list), *rest = list + in + out;
	if (!list)
		abort();
	for (int d = 0; kind == MPI_CART && d < in / 2; d++)
		mpi.Cart_shift(comm, d, 1, &list[2 * d], &list[2 * d + 1]);
	if (kind == MPI_GRAPH)
		mpi.Graph_neighbors(comm, own_rank(comm), in, list);
	else if (kind == MPI_DIST_GRAPH)
		mpi.Dist_graph_neighbors(comm, in, list, rest, out, list + in, rest + in);
	bool both = kind != MPI_DIST_GRAPH;
	if (log_begin(t, RECORD_TOPOLOGY, (size_t)(2 * (in + out)))) {
		log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
		put_list(in, list);
		put_list(both ? in : out, both ? list : list + in);
		log_end();
	}
	free(list);
}

/* What tells apart groups whose first tasks are the same. */
static int64_t hash_of(const int *list, int count)
{
	uint64_t hash = 0;
	for (int i = 0; i < count; i++)
		hash = (hash + (uint64_t)list[i] + 1) * UINT64_C(0x9e3779b97f4a7c15);
	return (int64_t)(hash >> 20);
}

/* Writes a new communicator; its first rank, of each group, writes the members. */
static void made(struct thread *t, enum making making, MPI_Comm parent, int64_t key, MPI_Comm comm)
{
	MPI_Group group, remote;
	int inter = 0, rank, count, others = 0, *list, *other = NULL;
	if (comm == MPI_COMM_NULL) {
		/* the others count it, too */
		if (making == MADE_OF_PARENT && log_begin(t, RECORD_MADE, 0)) {
			log_number(making);
			log_handle(HANDLE_COMMUNICATOR, HANDLE(parent));
			log_signed(key);
			log_handle(HANDLE_COMMUNICATOR, 0);
			log_signed(PEER_NONE);
			log_signed(PEER_NONE);
			log_number(0);
			log_end();
		}
		return;
	}
	mpi.Comm_test_inter(comm, &inter);
	mpi.Comm_rank(comm, &rank);
	mpi.Comm_group(comm, &group);
	list = tasks_of(group, &count, rank == 0 || making == MADE_BY_KEY);
	mpi.Group_free(&group);
	if (inter) {
		mpi.Comm_remote_group(comm, &remote);
		other = tasks_of(remote, &others, making == MADE_BY_KEY);
		mpi.Group_free(&remote);
	}
	if (making == MADE_BY_KEY)
		key += hash_of(list, count) + hash_of(other, others);
	if (log_begin(t, RECORD_MADE, (size_t)count)) {
		log_number(making);
		log_handle(HANDLE_COMMUNICATOR, HANDLE(parent));
		log_signed(key);
		log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
		log_signed(list[0]);
		log_signed(inter ? other[0] : PEER_NONE);
		if (rank == 0)
			put_list(count, list);
		else
			log_number(0);
		log_end();
	}
	free(list);
	free(other);
	topology(t, comm);
}

/* A communicator that exists when its request has ended; the order of calls is that of now. */
static void made_idup(struct thread *t, MPI_Comm parent, MPI_Comm *comm, MPI_Request *request)
{
	static uint64_t number;
	message(t, MESSAGE_RECEIVE, 0, MPI_PROC_NULL, 0, parent, request);
	pthread_mutex_lock(&idup_lock);
	if (idups < IDUPS) {
		idup[idups].request = *request;
		idup[idups].parent = parent;
		idup[idups].made = comm;
		idup[idups++].number = ++number;
	}
	pthread_mutex_unlock(&idup_lock);
}

static void made_later(struct thread *t, MPI_Request request)
{
	pthread_mutex_lock(&idup_lock);
	for (int i = 0; i < idups; i++) {
		if (idup[i].request != request)
			continue;
		made(t, MADE_BY_KEY, idup[i].parent, INT64_C(1) << 40, *idup[i].made);
		idup[i] = idup[--idups];
		break;
	}
	pthread_mutex_unlock(&idup_lock);
}

static void freed_communicator(struct thread *t, MPI_Comm comm)
{
	if (!log_begin(t, RECORD_FREED, 0))
		return;
	log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
	log_end();
}

/* ---- one-sided communication */

static void window(struct thread *t, MPI_Win win, MPI_Comm comm)
{
	if (!log_begin(t, RECORD_WINDOW, 0))
		return;
	log_handle(HANDLE_WINDOW, HANDLE(win));
	log_handle(HANDLE_COMMUNICATOR, HANDLE(comm));
	log_end();
}

static void accessed(struct thread *t, MPI_Win win, int target, int64_t put, int64_t got, MPI_Request *request)
{
	if ((!request && target == MPI_PROC_NULL) || !log_begin(t, RECORD_ACCESS, 0))
		return;
	log_handle(HANDLE_WINDOW, HANDLE(win));
	log_signed(peer_of(target));
	log_number((uint64_t)put);
	log_number((uint64_t)got);
	log_number(request != NULL);
	if (request)
		put_request(*request, request);
	log_end();
}

static void synchronised(struct thread *t, enum record_kind kind, MPI_Win win)
{
	if (!log_begin(t, kind, 0))
		return;
	log_handle(HANDLE_WINDOW, HANDLE(win));
	log_end();
}

/* An epoch between some ranks begins, or ends: then there is no group. */
#define NO_GROUP ((MPI_Group)0)
static void epoch(struct thread *t, enum window_epoch kind, MPI_Win win, MPI_Group group)
{
	bool begins = kind == EPOCH_POST || kind == EPOCH_START;
	int count = 0, *list = begins ? tasks_of(group, &count, true) : NULL;
	if (log_begin(t, RECORD_EPOCH, (size_t)count)) {
		log_handle(HANDLE_WINDOW, HANDLE(win));
		log_number(kind);
		put_list(count, list);
		log_end();
	}
	free(list);
}

/* ---- beginning and end */

static void begin(void)
{
	struct record_header header = {.magic = RECORD_MAGIC, .processors = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN)};
	const char *directory = getenv("ORCS_RECORD");
	int rank, ranks;
	MPI_Comm parent;
	if (!directory || !*directory || log_is_open() || !mpi_find_own())
		return;
	mpi.Comm_get_parent(&parent);
	if (parent != MPI_COMM_NULL)
		return; /* its parents say so */
	mpi.Comm_rank(MPI_COMM_WORLD, &rank);
	mpi.Comm_size(MPI_COMM_WORLD, &ranks);
	mpi.Comm_group(MPI_COMM_WORLD, &everybody);
	header.rank = (uint32_t)rank;
	header.ranks = (uint32_t)ranks;
	ssize_t length = readlink("/proc/self/exe", header.program, sizeof header.program - 1);
	header.program[length > 0 ? length : 0] = 0;
	gethostname(header.host, sizeof header.host - 1);
	if (!log_open(directory, &header))
		return;
	struct thread *t = log_enter();
	if (!t)
		return;
	/* how the two first are called */
	for (int i = 0; i < 2; i++)
		if (log_begin(t, RECORD_MADE, 0)) {
			log_number(MADE_OF_PARENT);
			log_handle(HANDLE_COMMUNICATOR, 0);
			log_signed(i);
			log_handle(HANDLE_COMMUNICATOR, HANDLE(i ? OWN_SELF : MPI_COMM_WORLD));
			log_signed(0);
			log_signed(PEER_NONE);
			log_number(0);
			log_end();
		}
	log_leave(t);
}

/* ---- the functions, by both of their names: the bindings of Fortran call the second */

#define EXPORT __attribute__((visibility("default")))
#define STRIP(...) __VA_ARGS__

#define CALL(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	typedef int NAME##_function PARAMETERS; \
	static int record_##NAME(NAME##_function *own, STRIP PARAMETERS) \
	{ \
		struct thread *t = log_enter(); \
		STRIP BEFORE; \
		int result = own ARGUMENTS; \
		if (t) { \
			if (result == MPI_SUCCESS) { \
				STRIP AFTER; \
			} \
			log_leave(t); \
		} \
		return result; \
	} \
	EXPORT int MPI_##NAME PARAMETERS \
	{ \
		static NAME##_function *own; \
		if (!own) \
			own = (NAME##_function *)mpi_find("MPI_" #NAME); \
		return record_##NAME(own, STRIP ARGUMENTS); \
	} \
	EXPORT int PMPI_##NAME PARAMETERS \
	{ \
		static NAME##_function *own; \
		if (!own) \
			own = (NAME##_function *)mpi_find("PMPI_" #NAME); \
		return record_##NAME(own, STRIP ARGUMENTS); \
	}

/* Collective operations block, or begin (their names then have an i), or are prepared. */
#ifdef OPEN_MPI
#define PREPARED(NAME, PARAMETERS, ARGUMENTS, WHAT)
#else
#define PREPARED(NAME, PARAMETERS, ARGUMENTS, WHAT) \
	CALL(NAME, (STRIP PARAMETERS, MPI_Comm comm, MPI_Info info, MPI_Request * request), (STRIP ARGUMENTS, comm, info, request), (), \
		(struct call call = WHAT; collective(t, &call, comm, CALL_PREPARES, request)))
#endif
#define COLLECTIVE(NAME, BEGINS, PARAMETERS, ARGUMENTS, WHAT) \
	CALL(NAME, (STRIP PARAMETERS, MPI_Comm comm), (STRIP ARGUMENTS, comm), (), \
		(struct call call = WHAT; collective(t, &call, comm, CALL_BLOCKS, NULL))) \
	CALL(BEGINS, (STRIP PARAMETERS, MPI_Comm comm, MPI_Request * request), (STRIP ARGUMENTS, comm, request), (), \
		(struct call call = WHAT; collective(t, &call, comm, CALL_BEGINS, request)))

#define JOIN2(A, B) A##B
#define JOIN(A, B) JOIN2(A, B)
#define COUNT int
#define PLACE int
#define S(NAME) NAME
#define LISTS(COUNTS) (COUNTS), NULL
#include "tools/record/preload/counted_calls.def"
#undef COUNT
#undef PLACE
#undef S
#undef LISTS
#ifndef OPEN_MPI
/* the same with large counts */
#define COUNT MPI_Count
#define PLACE MPI_Aint
#define S(NAME) JOIN(NAME, _c)
#define LISTS(COUNTS) NULL, (COUNTS)
#include "tools/record/preload/counted_calls.def"
#undef COUNT
#undef PLACE
#undef S
#undef LISTS
#endif
#include "tools/record/preload/other_calls.def"

/* ---- the program */

#define PROGRAM_CALL(NAME, PARAMETERS, ARGUMENTS, BEFORE, AFTER) \
	typedef int NAME##_function PARAMETERS; \
	static int record_##NAME(NAME##_function *own, STRIP PARAMETERS) \
	{ \
		BEFORE; \
		int result = own ARGUMENTS; \
		AFTER; \
		return result; \
	} \
	EXPORT int MPI_##NAME PARAMETERS \
	{ \
		return record_##NAME((NAME##_function *)mpi_find("MPI_" #NAME), STRIP ARGUMENTS); \
	} \
	EXPORT int PMPI_##NAME PARAMETERS \
	{ \
		return record_##NAME((NAME##_function *)mpi_find("PMPI_" #NAME), STRIP ARGUMENTS); \
	}

PROGRAM_CALL(Init, (int *argc, char ***argv), (argc, argv), , if (result == MPI_SUCCESS) begin())
PROGRAM_CALL(Init_thread, (int *argc, char ***argv, int wanted, int *provided), (argc, argv, wanted, provided), ,
	if (result == MPI_SUCCESS) begin())
PROGRAM_CALL(Abort, (MPI_Comm comm, int code), (comm, code), log_close(RECORD_ABORTED, (uint32_t)code), )

static int finalize(const char *name)
{
	int (*own)(void) = (int (*)(void))mpi_find(name);
	struct thread *t = log_enter();
	if (t) {
		if (log_begin(t, RECORD_FINALIZE, 0))
			log_end();
		log_close(RECORD_FINALIZED, 0);
		log_leave(t);
	}
	return own();
}

EXPORT int MPI_Finalize(void)
{
	return finalize("MPI_Finalize");
}

EXPORT int PMPI_Finalize(void)
{
	return finalize("PMPI_Finalize");
}
