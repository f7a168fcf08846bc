/* The command line of orcs-record. */
#ifndef TOOLS_RECORD_RECORD_OPTIONS_H
#define TOOLS_RECORD_RECORD_OPTIONS_H

#include <stdbool.h>

enum record_mpi { RECORD_ANY_MPI, RECORD_OPENMPI, RECORD_MPICH };

struct record_options {
	const char *directory;
	bool goal, merge, quiet;
	enum record_mpi mpi;
	char **command; /* ends with NULL */
};

/* Exits for help, and with an error for what is not valid. */
void record_options_parse(struct record_options *options, int argc, char **argv);

#endif
