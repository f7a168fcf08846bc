/* The groups of orcs's options, and the topics of --help that show them. */
#ifndef ORCS_TOPICS_H
#define ORCS_TOPICS_H

#include "cli/help.h"
#include "engines/engine.h"

/* In the order of --help. The options of engine e of the table are of the group GROUP_OWN + e. */
enum { GROUP_GENERAL = -1, GROUP_INPUT = 1, GROUP_EXPERIMENT, GROUP_ENGINE, GROUP_OUTPUT, GROUP_TIMED, GROUP_FAILING, GROUP_OWN };

/* Two topics, the engines, and the row of zeros. */
enum { TOPICS_MAX = ENGINES_MAX + 3 };

/* Lists the topics of --help but "all", which has every group. */
void topics_list(struct help_topic topics[TOPICS_MAX]);

#endif
