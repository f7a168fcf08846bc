/* The tables of schedulers, allocations and job mappings. A new one is one more file and one more line here. */
#include "scheduling/allocation.h"
#include "scheduling/scheduler.h"

#include <stddef.h>

#define SCHEDULERS(X) X(scheduler, fcfs) X(scheduler, easy) X(scheduler, conservative) X(scheduler, sjf)
#define ALLOCATIONS(X) X(allocation, linear) X(allocation, random) X(allocation, spread) X(allocation, leaf)
#define JOB_MAPPINGS(X) X(job_mapping, consecutive) X(job_mapping, random)

#define DECLARE(kind, name) extern const struct kind kind##_##name;
#define LIST(kind, name) &kind##_##name,

SCHEDULERS(DECLARE)
ALLOCATIONS(DECLARE)
JOB_MAPPINGS(DECLARE)
const struct scheduler *const schedulers[] = {SCHEDULERS(LIST) NULL};
const struct allocation *const allocations[] = {ALLOCATIONS(LIST) NULL};
const struct job_mapping *const job_mappings[] = {JOB_MAPPINGS(LIST) NULL};
