/*
 * Ties in dimension order: the destination is exactly half way round a ring, and both ways are as short. If all packets went the same way
 * there, the channels of that direction would carry more than those of the other: in all-to-all on a ring of w switches w (w + 2) / 8 pairs
 * and w (w - 2) / 8. Balanced, each way gets half of them, and where 4 divides w every channel w^2 / 8.
 */
#ifndef TOPOLOGIES_TIES_H
#define TOPOLOGIES_TIES_H

#include <stdbool.h>
#include <stdint.h>

enum ties { TIES_BALANCED, TIES_POSITIVE, TIES_NEGATIVE, TIES_RANDOM };
#define TIES_NAMES \
	{ \
		"balanced", "positive", "negative", "random" \
	}
#define TIES_HELP "which way half way round a ring: balanced (up from even coordinates, down from odd ones), positive, negative or random"

/* Whether a balanced tie goes up from the coordinate: it depends on switch and destination alone, as forwarding tables need it, and behind
 * the first hop there is no tie any more. */
static inline bool ties_go_up(uint32_t coordinate)
{
	return coordinate % 2 == 0;
}

#endif
