#include "tools/record/preload/mpi_names.h"

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct own_calls mpi;
#ifdef OPEN_MPI
struct constants constant;
#endif

/* A search through what is loaded: MPI may be loaded by a part of the program for itself, as Python's modules do. */
struct search {
	const char *name;
	void *found;
};

/* Returns whether the address lies in this library. */
static bool is_own(const void *address)
{
	Dl_info own, other;
	return dladdr((void *)(uintptr_t)mpi_find, &own) && dladdr(address, &other) && own.dli_fbase == other.dli_fbase;
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
	if (!address || is_own(address))
		return 0;
	search->found = address;
	return 1;
}

static void *find(const char *name)
{
	void *address = dlsym(RTLD_NEXT, name);
	if (address)
		return address;
	struct search search = {name, NULL};
	dl_iterate_phdr(look, &search);
	return search.found;
}

void *mpi_find(const char *name)
{
	void *address = find(name);
	if (!address) {
		fprintf(stderr, "orcs-record: %s is called, but MPI does not have it\n", name);
		abort();
	}
	return address;
}

/* Data of libraries can lie in the program itself, where the linker has copied it. */
static void *find_data(const char *name)
{
	void *address = dlsym(RTLD_DEFAULT, name);
	return address ? address : find(name);
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
