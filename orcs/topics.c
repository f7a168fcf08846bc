#include "orcs/topics.h"

void topics_list(struct help_topic topics[TOPICS_MAX])
{
	int count = 0;
	topics[count++] = (struct help_topic){
		"experiment", "the fabric, its routes, the pattern and the runs", HELP_GROUP(GROUP_INPUT) | HELP_GROUP(GROUP_EXPERIMENT)};
	topics[count++] =
		(struct help_topic){"output", "the result, graphs and messages", HELP_GROUP(GROUP_OUTPUT) | HELP_GROUP(GROUP_GENERAL)};
	for (int e = 0; engines[e]; e++)
		topics[count++] = (struct help_topic){engines[e]->name, engines[e]->summary,
			HELP_GROUP(GROUP_ENGINE) | (engines[e]->gives & SEEN_TIMES ? HELP_GROUP(GROUP_TIMED) : 0) |
				(engines[e]->takes & TAKES_FAILURES ? HELP_GROUP(GROUP_FAILING) : 0) | HELP_GROUP(GROUP_OWN + e)};
	topics[count] = (struct help_topic){0};
}
