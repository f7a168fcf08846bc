#include "routings/opensm/fabric.h"
int opensm_ftree(struct opensm_task *task)
{
	return opensm_refuse(task, "todo");
}
