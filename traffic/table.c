/* The kinds of traffic that exist beside patterns and workloads. A new one is one more file and one more line here. */
#include "traffic/traffic.h"

#define TRAFFICS(X) \
	X(uniform) \
	X(hotspot) \
	X(hotregion) \
	X(local) \
	X(nearest_neighbour) \
	X(mix) \
	X(nearest_group) \
	X(bad_dragonfly) \
	X(tornado)

#define DECLARE(name) extern const struct traffic traffic_##name;
#define LIST(name) &traffic_##name,

TRAFFICS(DECLARE)
const struct traffic *const traffics[] = {TRAFFICS(LIST) NULL};
