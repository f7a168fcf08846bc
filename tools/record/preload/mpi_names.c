#include "tools/record/preload/mpi_names.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct own_calls mpi;
#ifdef OPEN_MPI
struct constants constant;
#endif

/* A search through what is loaded: MPI may be loaded by a part of the program for itself, as Python's modules do. */
struct search {
	const char *name;
	void *found;
};

/* Returns whether the address lies in a library that records: this one, or that for another MPI, if both are loaded. */
static bool is_recorder(const void *address)
{
	Dl_info where;
	return dladdr(address, &where) && where.dli_fname && strstr(where.dli_fname, "liborcs-record-");
}

static int look(struct dl_phdr_info *object, size_t size, void *data)
{
	struct search *search = data;
	(void)size;
	void *handle = object->dlpi_name && *object->dlpi_name ? dlopen(object->dlpi_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;
	if (!handle)
		return 0;
	void *address = dlsym(handle, search->name);
	dlclose(handle);
	if (!address || is_recorder(address))
		return 0;
	search->found = address;
	return 1;
}

static void *search_all(const char *name)
{
	struct search search = {name, NULL};
	dl_iterate_phdr(look, &search);
	return search.found;
}

/* The library for Open MPI is loaded before that for MPICH. It must call MPI itself if that is Open MPI, because the other one would take
   handles for numbers of 32 bits; of MPICH it leaves the calls to the other. */
static bool passes_over(const void *address)
{
#ifdef OPEN_MPI
	return is_recorder(address) && (dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") || search_all("ompi_mpi_comm_world"));
#else
	(void)address;
	return false;
#endif
}

static void *find(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);
	return address && !passes_over(address) ? address : search_all(name);
}

/* Data of libraries can lie in the program itself, where the linker has copied it. */
static void *find_data(const char *name)
{
	void *address = dlsym(RTLD_DEFAULT, name);
	return address ? address : find(name);
}

/* Ends the program if the handles of its MPI do not fit into those of this library. */
static void refuse_others(void)
{
#ifndef OPEN_MPI
	if (!find_data("ompi_mpi_comm_world"))
		return;
	fprintf(stderr, "orcs-record: the program is of Open MPI, but its launcher or --mpi is of MPICH: use --mpi=openmpi\n");
	_exit(1);
#endif
}

void *mpi_find(const char *name)
{
	refuse_others();
	void *address = find(name);
	if (!address) {
		fprintf(stderr, "orcs-record: %s is called, but MPI does not have it\n", name);
		abort();
	}
	return address;
}

bool mpi_find_own(void)
{
#ifdef OPEN_MPI
	constant = (struct constants){find_data("ompi_mpi_comm_world"), find_data("ompi_mpi_comm_self"), find_data("ompi_request_null"),
		find_data("ompi_mpi_comm_null"), find_data("ompi_message_no_proc"), find_data("ompi_mpi_op_no_op")};
	if (!constant.world || !constant.self || !constant.no_request || !constant.no_communicator || !constant.no_message ||
		!constant.no_operation)
		return false;
#else
	if (find_data("ompi_mpi_comm_world"))
		return false;
#endif
	bool all = true;
#define FIND(NAME) \
	mpi.NAME = (__typeof__(PMPI_##NAME) *)find("PMPI_" #NAME); \
	all = all && mpi.NAME;
	OWN_CALLS(FIND)
	return all;
}
