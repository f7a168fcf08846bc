/* All results of orcs-check about a fabric and its routes. */
#ifndef TOOLS_CHECK_CHECK_H
#define TOOLS_CHECK_CHECK_H

#include "fabric/chassis.h"
#include "fabric/fair_share.h"
#include "fabric/forwarding.h"
#include "fabric/source_routes.h"
#include "shapes/fat_tree.h"
#include "shapes/shape.h"
#include "tools/check/balance.h"
#include "tools/check/check_options.h"
#include "infiniband/fabric_rails.h"
#include "tools/check/symmetry.h"

struct deadlock {
	uint64_t dependencies;
	uint32_t *cycle, length; /* vertices channel * lanes + lane of a shortest cycle; length 0: no cycle */
	uint32_t channels;       /* channels on cycles */
	unsigned lanes;          /* virtual lanes that packets may use */
	uint32_t lanes_needed;   /* result of layers_count(); 0: not computed, as the existing lanes are free of deadlock */
};

/* The result for one plane (fabric/planes.h) by itself. */
struct plane_check {
	uint32_t number; /* of --plane */
	uint32_t hosts, switches;
	uint64_t pairs, routable, minimal;
	bool deadlocks, unrouted, met[REQUIREMENTS], sound;
};

struct check {
	const struct fabric *fabric;
	bool via;                            /* packets are routed via a random switch: results about routes hold for each Valiant phase */
	const struct forwarding *forwarding; /* NULL for source routes */
	const struct source_routes *routes;  /* NULL for tables */
	const struct virtual_lanes *lanes;   /* NULL: the fabric specifies none */
	uint32_t *reverse;                   /* result of fabric_reverse() */
	struct destination_trees *trees;     /* all routes of the tables; empty for source routes */
	bool levels_unknown;                 /* nothing states the service levels: waits are judged on level 0 */
	bool unrouted;                       /* no node forwards anything except by its only channel */
	const char *hint;                    /* a possible reason as text, or NULL; set by the user */
	struct faults faults;
	struct pair_statistics statistics;
	struct symmetry symmetry;
	struct deadlock deadlock;
	struct shape shape;
	struct fat_tree tree;      /* if the shape is irregular */
	const struct rails *rails; /* borrowed */
	uint32_t usual_rails;      /* result of rails_usual() */
	struct balance balance;
	struct fair_share load;
	bool has_load; /* not without routes, nor if packets are routed via random switches */
	const struct chassis_list *chassis;
	struct plane_check *plane; /* [planes] those of two hosts or more, if there are several; set by check_take_planes() */
	uint32_t planes;
	bool planes_are_rails; /* most machines have ports on several planes, and requirements hold for each plane by itself */
	bool met[REQUIREMENTS];
	bool sound; /* all requirements are met */
};

/* Returns whether a requirement is neither met nor broken: there are cycles on service level 0, but packets may have other levels. */
static inline bool check_undecided(const struct check *check, int requirement)
{
	return check->levels_unknown && check->deadlock.channels && (requirement == REQUIRE_DEADLOCK_FREE || requirement == REQUIRE_HALVES);
}

/*
 * Checks a fabric and its rails, see fabric_rails(), with its tables (forwarding) or source routes (routes, then lanes is NULL). topology:
 * the topology that the fabric names, NULL: none. Returns 0 whatever is found, -1 if out of memory; call check_clear() in either case.
 */
int check_run(struct check *check, const struct fabric *fabric, const struct rails *rails, const struct forwarding *forwarding,
	const struct source_routes *routes, const struct virtual_lanes *lanes, const char *topology, const struct check_options *options,
	struct error *error);

/* Returns the result of a plane, checked by itself. */
struct plane_check check_plane(const struct check *check);

/* Adds the results of the planes, which become owned, to that of the whole fabric. Returns 0, or -1 if out of memory. */
int check_take_planes(
	struct check *check, struct plane_check *plane, uint32_t planes, const struct check_options *options, struct error *error);
void check_clear(struct check *check);

#endif
