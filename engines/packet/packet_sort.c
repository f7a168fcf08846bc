/* Sorts packets that are routed or delivered simultaneously by their queues: few at a time, then merged. */
#include "engines/packet/packet_parts.h"

#include <string.h>

/* Sorts a few by queue. */
static void sort_few(struct routee *routee, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct routee one = routee[i];
		size_t k = i;
		for (; k && one.queue < routee[k - 1].queue; k--)
			routee[k] = routee[k - 1];
		routee[k] = one;
	}
}

void packet_sort(struct packet_engine *e, struct routee *routee, size_t count)
{
	enum { FEW = 12 };
	for (size_t i = 0; i < count; i += FEW)
		sort_few(routee + i, count - i < FEW ? count - i : FEW);
	if (count <= FEW || !packet_room(e, &e->sorting, count, &e->sorting_room, sizeof *e->sorting))
		return;
	for (size_t width = FEW; width < count; width *= 2) {
		for (size_t begin = 0; begin + width < count; begin += 2 * width) {
			size_t left = begin, middle = begin + width, right = middle, to = begin;
			size_t end = middle + width < count ? middle + width : count;
			memcpy(e->sorting + begin, routee + begin, width * sizeof *routee);
			for (; left < middle && right < end; to++) {
				bool first = e->sorting[left].queue <= routee[right].queue;
				routee[to] = first ? e->sorting[left] : routee[right];
				left += first;
				right += !first;
			}
			memcpy(routee + to, e->sorting + left, (middle - left) * sizeof *routee);
		}
	}
}
