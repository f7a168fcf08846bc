/* All that orcs-report finds out about a routed fabric. */
#ifndef TOOLS_REPORT_REPORT_H
#define TOOLS_REPORT_REPORT_H

#include "compare/advice_run.h"
#include "fabric/fair_share.h"
#include "infiniband/fabric_rails.h"
#include "fabric/loads.h"
#include "jobs/job_study.h"
#include "parallel/comm.h"
#include "pictures/scene.h"
#include "shapes/fat_tree.h"
#include "shapes/ideal.h"
#include "tools/report/oddities.h"
#include "tools/report/other_routings.h"
#include "tools/report/program_study.h"
#include "tools/report/report_options.h"

/* A copied input, and the name of the copy, /dev/fd/N. */
struct report_copy {
	FILE *file;
	char name[40];
};

/* Whether packets can deadlock. */
struct report_deadlock {
	bool known;              /* the service levels of packets are known, and the fabric is not too large for the search */
	uint32_t channels;       /* on cycles; 0: none */
	unsigned lanes;          /* virtual lanes that packets may use */
	uint32_t needed;         /* virtual lanes that would break the cycles, found greedily */
	uint32_t *cycle, length; /* a shortest one: channels */
};

struct fabric_report {
	struct report_options *options;
	FILE *notes; /* for notes; NULL: none */
	struct files files;
	struct report_copy *copy; /* [copies] of inputs that can be read only once */
	size_t copies;
	/* input */
	struct fabric *fabric;
	struct forwarding *forwarding; /* that is reported on */
	struct attributes *attributes;
	struct virtual_lanes *lanes;
	struct dot_report odd;
	uint64_t hash;              /* of the fabric with its tables */
	const char *routed_by;      /* the engine of -R that made the tables; otherwise as the graph names it; NULL: unknown */
	char date[40];              /* when the newest input file was written; "": unknown */
	struct placement placement; /* without ranks */
	/* routes */
	struct planes planes;
	double *routes;              /* [channels] of all pairs */
	uint64_t pairs, unreachable; /* of hosts in the same plane (fabric/planes.h) */
	uint64_t apart;              /* pairs of hosts in different planes */
	uint32_t lost_from, lost_to; /* nodes of the first pair without a route */
	struct report_deadlock deadlock;
	struct fair_share fair;
	struct loads loads;   /* for the rivals; empty if the fabric is too large */
	double *tier_rivals;  /* [tiers] routes that a route meets under a random bisection; NAN: unknown */
	double *ideal_rivals; /* [tiers] the same in an ideal tree; NAN: unknown */
	/* the fabric */
	struct scene scene;
	struct shape shape;
	struct fat_tree tree; /* if the shape is irregular */
	uint32_t *reverse;
	struct rails rails;
	uint32_t usual_rails;
	struct ideal ideal;
	struct all_deviants oddities;
	const char **name; /* [nodes] description, if no other node has it, otherwise name in the graph */
	/* other routings */
	struct advice_kind kind[ADVICE_MOST];
	struct advice_run run;
	struct loads run_loads[ADVICE_MOST]; /* of its routings other than the base, for their rivals; empty: unknown */
	struct other_routings others;        /* as they are shown */
	struct job_study jobs;               /* of --jobs */
	struct program_study program;        /* of --pattern */
	char jobs_refusal[400];              /* why jobs cannot be compared: a missing route; "": they are */
};

/* Largest numbers of hosts for which rivals are counted, and deadlocks looked for: beyond, these take longer than all the rest. */
enum { RIVALS_HOSTS_MOST = 100000, DEADLOCK_HOSTS_MOST = 100000 };

/* Registers the inputs, and reads the fabric; routes it in all ways that the options ask for. In process 0. Returns 0, or -1. */
int report_read(struct fabric_report *report, struct error *error);

/* Names the routings; in all processes. Returns 0, or -1. */
int report_begin(struct fabric_report *report, struct error *error);

/* Counts the routes' moments and compares the routings. Collective. Returns 0, or -1. */
int report_compare(struct fabric_report *report, struct comm *comm, struct error *error);

/* Finds the rest, in process 0. Returns 0, or -1. */
int report_find(struct fabric_report *report, struct error *error);
void report_clear_all(struct fabric_report *report);

/* Returns the rivals on a channel, see struct fabric_report; NAN: unknown, or no route uses it. */
double report_rivals(const struct fabric_report *report, uint32_t channel);

/* Returns the bandwidth of a pair under random bisections, with its interval; count 0: unknown. */
const struct advice *report_present(const struct fabric_report *report);

/* Returns the topology in words, in text. */
const char *report_topology(const struct fabric_report *report, char *text, size_t size);

/* Returns whether the ideal tree is one that the fabric could be: its levels are those of a tree. */
bool report_has_ideal(const struct fabric_report *report);

/*
 * Returns the title of the page in text: that of the options, the name of the only file, or that of the directory of all files, as far as
 * these say something.
 */
const char *report_title(const struct fabric_report *report, char *text, size_t size);

/* Returns a level as readers see it, "hosts" or its number. */
const char *report_level(uint32_t level, char text[12]);

#endif
