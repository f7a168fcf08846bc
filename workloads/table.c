/* The workloads that exist beside the patterns. A new one is one more file and one more line here. */
#include "workloads/workload.h"

#define WORKLOADS(X) \
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
	X(jobs)

#define DECLARE(name) extern const struct workload workload_##name;
#define LIST(name) &workload_##name,

WORKLOADS(DECLARE)
const struct workload *const workloads[] = {WORKLOADS(LIST) NULL};
