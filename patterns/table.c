/*
 * The table of patterns, in the order of lists: by levels, by task graphs, by receivers. A new one is one more file and one more line here.
 */
#include "patterns/pattern.h"

#define PATTERNS(X) \
	X(null) \
	X(rand) \
	X(bisect) \
	X(bisect_fb_sym) \
	X(tree) \
	X(bruck) \
	X(gather) \
	X(scatter) \
	X(ring) \
	X(recdbl) \
	X(neighbor) \
	X(neighbor2) \
	X(neighbor4) \
	X(neighbor6) \
	X(ptrnvsptrn) \
	X(alltoall) \
	X(alltoall_flood) \
	X(shift) \
	X(allshifts) \
	X(bitrev) \
	X(bitcomp) \
	X(transpose) \
	X(shuffle) \
	X(tornado) \
	X(diagonal) \
	X(stencil) \
	X(multigrid) \
	X(crystal_router) \
	X(hotspot) \
	X(allreduce_ring) \
	X(allreduce_rabenseifner) \
	X(bcast_binomial) \
	X(file) \
	X(random) \
	X(hotspot_random) \
	X(hotregion) \
	X(local) \
	X(perfectshuffle) \
	X(butterfly) \
	X(bisection_all) \
	X(alltoone) \
	X(onetoall) \
	X(manyalltoall) \
	X(manyalltoall_random) \
	X(dcntraffic) \
	X(mapreduce) \
	X(allreduce_butterfly) \
	X(reduce_tree) \
	X(bcast_tree) \
	X(barrier) \
	X(sweep) \
	X(flood) \
	X(nbody) \
	X(unstructured) \
	X(phases) \
	X(trace) \
	X(goal) \
	X(actions) \
	X(matrix) \
	X(dumpi) \
	X(otf2) \
	X(liballprof) \
	X(chakra) \
	X(nccl) \
	X(iterate) \
	X(markov) \
	X(rail_ring) \
	X(rail_tree) \
	X(rail_hierarchical) \
	X(rail_scatter) \
	X(moe) \
	X(train) \
	X(reads) \
	X(writes) \
	X(jobs) \
	X(queue) \
	X(uniform) \
	X(distance) \
	X(nearest_neighbour) \
	X(mix) \
	X(nearest_group) \
	X(bad_dragonfly)

#define DECLARE(name) extern const struct pattern pattern_##name;
#define LIST(name) &pattern_##name,

PATTERNS(DECLARE)
const struct pattern *const patterns[] = {PATTERNS(LIST) NULL};
