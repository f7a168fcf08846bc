#include "routings/opensm/sssp.h"
int opensm_dfsssp(struct opensm_task *task)
{
	return opensm_sssp(task);
}
