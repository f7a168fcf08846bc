/* Where the tasks of a flow run read and write, and how fast: the options --storage, --storage-device and --storage-san. */
#ifndef ENGINES_FLOW_STORAGE_OPTIONS_H
#define ENGINES_FLOW_STORAGE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

enum storage_policy {
	STORAGE_LOCAL,    /* the device of the task's own host */
	STORAGE_INTERNAL, /* devices of some hosts of the job */
	STORAGE_EXTERNAL, /* devices of hosts outside the job, or partly so */
	STORAGE_SAN,      /* a server behind a network of its own */
	STORAGE_NAS,      /* the device of one host for all */
};

/* Sources: INRFlow paper (Navaridas et al., J. Parallel Distrib. Comput. 130, 2019), section 3.5. */
struct storage_options {
	const char *given; /* the name of an option that was given; NULL: none */
	enum storage_policy policy;
	double cached;                        /* share of the reads that memory answers at once, 0..1, with STORAGE_LOCAL */
	uint32_t devices, inside;             /* of each job; of STORAGE_EXTERNAL: those on its own hosts */
	bool any;                             /* of STORAGE_EXTERNAL: hosts that other jobs hold, too */
	const char *nas;                      /* the host, as named on the command line */
	double read, write, controller;       /* bits/s of each device, the controller for both; 0: no limit */
	double san_read, san_write, san_link; /* bits/s of the server, and of the link of each host to it */
};

/* Read the options' values; end the program on errors. */
void storage_read_policy(struct storage_options *options, const char *text);
void storage_read_device(struct storage_options *options, const char *text);
void storage_read_san(struct storage_options *options, const char *text);

/* Checks that the options go together; ends the program if not. */
void storage_options_check(const struct storage_options *options);

#endif
