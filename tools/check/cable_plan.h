/* The planned cabling of a fabric, and how what is found differs from it. */
#ifndef TOOLS_CHECK_CABLE_PLAN_H
#define TOOLS_CHECK_CABLE_PLAN_H

#include "infiniband/fabric_source.h"
#include "tools/check/cable_list.h"
#include "tools/check/plan_bandwidth.h"
#include "tools/check/plan_capacity.h"

/* Classes of cables: of hosts, between switches of one system such as a director, and between others. */
enum cable_class { CABLE_HOST, CABLE_INSIDE, CABLE_BETWEEN, CABLE_CLASSES };

enum plan_kind { PLAN_MISWIRED, PLAN_MISSING, PLAN_UNPLANNED, PLAN_SPEED, PLAN_KINDS };

struct plan_difference {
	enum plan_kind kind;
	uint32_t planned, found;     /* cables, NONE */
	struct plan_cost cost;       /* share 0: none */
	struct plan_share bandwidth; /* what it costs alone */
};

/* A name of the plan that is no node or port of the fabric, or of several; the first planned cable that has it. */
struct plan_unmatched {
	const char *name, *reason;
	const char *file;
	unsigned long line; /* 0: the plan is a fabric */
	uint32_t ends;      /* number of planned ends with this name */
};

struct cable_plan {
	const char *name; /* of the plan's files */
	struct cable_list planned, found;
	struct plan_difference *difference; /* [differences] the most expensive first */
	uint32_t differences, count[PLAN_KINDS], as_planned;
	struct plan_unmatched *unmatched; /* [unmatched_count] */
	uint32_t unmatched_count;
	size_t unmatched_room;
	uint32_t left_out[CABLE_CLASSES]; /* cables found that are not compared, as a list has none of their class */
	uint32_t twice;                   /* ports that the plan has at two cables */
	const struct cable *first_twice;  /* one of them */
	int first_twice_end;
	uint64_t blank; /* rows of a list with one end only */
	struct plan_capacities capacity;
	struct plan_bandwidth bandwidth;
	uint32_t nodes; /* of the fabric found, and others */

	/* owners of texts */
	struct fabric *fabric;
	struct attributes *attributes;
	struct dot_report odd;
	struct plan_list *list;
	void *arena;
};

/*
 * Reads a plan, a list of cables or a fabric in any format, and compares the fabric with it. reverse: result of fabric_reverse();
 * attributes may be NULL. The source must have been opened by cable_plan_open(). most: differences whose cost in bandwidth is measured.
 * Returns 0, or -1; call cable_plan_clear() in either case.
 */
int cable_plan_compare(struct cable_plan *plan, struct fabric_source *source, struct files *files, FILE *notes,
	const struct cabled_fabric *fabric, uint64_t most, struct error *error);
void cable_plan_clear(struct cable_plan *plan);

/* Opens the plan: a fabric like fabric_source_open(), unless no file of it is recognised. Returns 0, or -1. */
int cable_plan_open(struct fabric_source *source, struct files *files, struct error *error);

#endif
