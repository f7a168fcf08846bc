/* The hosts of jobs: which hosts of a fabric the names of machines are. */
#ifndef JOBS_JOB_HOSTS_H
#define JOBS_JOB_HOSTS_H

#include "fabric/fabric.h"
#include "infiniband/machines.h"
#include "jobs/job_list.h"

struct host_key {
	const char *name;
	uint32_t host;
};

struct job_hosts {
	uint32_t *first; /* [jobs + 1] the hosts of job j are host[first[j]] .. host[first[j + 1] - 1], in the order of its ranks */
	uint32_t *host;
	uint32_t jobs;
	uint32_t *machine; /* [hosts of the fabric] number of the host's machine; NONE: not chosen by the rules */
	const char **name; /* [machines] */
	uint32_t machines;
	uint64_t missing;                  /* names that are no hosts */
	char *first_missing;               /* the first of them, NULL */
	uint32_t shared;                   /* hosts that are in several jobs */
	uint32_t first_shared, sharers[2]; /* the first of them, and two of its jobs */
	struct host_key *key;              /* [keys] names, descriptions and machines of hosts, sorted by name and host */
	size_t keys, capacity;
	void *arena;
};

/*
 * Finds the hosts. A name of a list stands for all hosts with that name, description or machine, in the order of the fabric; a host is in a
 * job once. The fabric must have labels. Returns 0, or -1: STATUS_USAGE for a wrong list; call job_hosts_clear() in either case. Time
 * O((hosts + names) log hosts).
 */
int job_hosts_find(struct job_hosts *hosts, const struct job_list *list, const struct fabric *fabric, const struct machine_rules *rules,
	struct error *error);
void job_hosts_clear(struct job_hosts *hosts);

#endif
