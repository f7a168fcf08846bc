#include "scheduling/scheduler.h"

static int pass(struct schedule *schedule, struct error *error)
{
	(void)error;
	start_first(schedule);
	return 0;
}

const struct scheduler scheduler_fcfs = {
	.name = "fcfs",
	.summary = "first come, first served: the first job starts while it fits",
	.source = "INRFlow 3.4",
	.pass = pass,
};
