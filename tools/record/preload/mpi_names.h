/*
 * MPI's own functions and constants behind this library. It is loaded before MPI, and also into programs without MPI, so that everything is
 * looked up when the first call comes.
 */
#ifndef TOOLS_RECORD_PRELOAD_MPI_NAMES_H
#define TOOLS_RECORD_PRELOAD_MPI_NAMES_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#define OWN_CALLS(X) \
	X(Type_size) \
	X(Type_size_x) \
	X(Comm_size) \
	X(Comm_rank) \
	X(Comm_remote_size) \
	X(Comm_test_inter) \
	X(Comm_group) \
	X(Comm_remote_group) \
	X(Comm_get_parent) \
	X(Group_size) \
	X(Group_free) \
	X(Group_translate_ranks) \
	X(Topo_test) \
	X(Cartdim_get) \
	X(Cart_shift) \
	X(Graph_neighbors_count) \
	X(Graph_neighbors) \
	X(Dist_graph_neighbors_count) \
	X(Dist_graph_neighbors) \
	X(Test_cancelled)

/* What the recorder itself calls. */
struct own_calls {
#define DECLARE(NAME) __typeof__(PMPI_##NAME) *NAME;
	OWN_CALLS(DECLARE)
#undef DECLARE
};
extern struct own_calls mpi;

/* Looks these up, and the constants. Returns false if the program has another MPI than this library is for. */
bool mpi_find_own(void);

/* Returns MPI's function of that name, which is not this library's. Ends the program if there is none. */
void *mpi_find(const char *name);

/* Constants that are addresses within the library of Open MPI. */
#ifdef OPEN_MPI
struct constants {
	void *world, *self, *no_request, *no_communicator, *no_message, *no_operation;
};
extern struct constants constant;
#undef MPI_COMM_WORLD
#undef MPI_COMM_NULL
#undef MPI_REQUEST_NULL
#undef MPI_MESSAGE_NO_PROC
#undef MPI_NO_OP
#define MPI_COMM_WORLD ((MPI_Comm)constant.world)
#define OWN_SELF ((MPI_Comm)constant.self)
#define MPI_COMM_NULL ((MPI_Comm)constant.no_communicator)
#define MPI_REQUEST_NULL ((MPI_Request)constant.no_request)
#define MPI_MESSAGE_NO_PROC ((MPI_Message)constant.no_message)
#define MPI_NO_OP ((MPI_Op)constant.no_operation)
#else
#define OWN_SELF MPI_COMM_SELF
#endif

#endif
