/* The hops to a switch by each port of all others. */
#include "base/memory.h"
#include "routings/opensm/spread.h"

#include <stdlib.h>
#include <string.h>

int hops_init(struct hops *hops, const struct opensm_fabric *fabric, struct error *error)
{
	*hops = (struct hops){.fabric = fabric,
		.by_port = array_create(fabric->links, 1, error),
		.least = array_create(fabric->switches, 1, error),
		.queue = array_create(fabric->switches, sizeof(uint32_t), error),
		.state = array_create(fabric->switches, 1, error),
		.waits = array_create(fabric->switches, 1, error)};
	return error->status ? -1 : 0;
}

void hops_clear(struct hops *hops)
{
	free(hops->by_port);
	free(hops->least);
	free(hops->queue);
	free(hops->state);
	free(hops->waits);
}

void hops_reset(struct hops *hops, uint32_t to)
{
	hops->shortest = false;
	memset(hops->by_port, HOPS_NONE, hops->fabric->links);
	memset(hops->least, HOPS_NONE, hops->fabric->switches);
	hops->least[to] = 0;
}

void hops_shortest(struct hops *hops, uint32_t to)
{
	const struct opensm_fabric *fabric = hops->fabric;
	uint32_t count = 0;
	bool *const touched = hops->touched; /* read once: stores of bytes may alias it */
	hops->shortest = true;
	memset(hops->least, HOPS_NONE, hops->fabric->switches);
	hops->least[to] = 0;
	hops->queue[count++] = to;
	for (uint32_t i = 0; i < count; i++) {
		uint32_t u = hops->queue[i];
		unsigned next = hops->least[u] + 1U;
		for (uint32_t k = fabric->first_near[u]; k < fabric->first_near[u + 1] && next < HOPS_LIMIT; k++) {
			uint32_t v = fabric->near[k].to;
			if (hops->least[v] == HOPS_NONE) {
				if (touched)
					touched[k] = true;
				hops->least[v] = (uint8_t)next;
				hops->queue[count++] = v;
			}
		}
	}
}

void hops_walk(struct hops *hops, uint32_t to, uint8_t state, hops_step *step, const void *engine)
{
	const struct opensm_fabric *fabric = hops->fabric;
	uint32_t taken = 0, waiting = 1;
	bool *const touched = hops->touched;
	hops->queue[0] = to;
	hops->state[to] = state;
	hops->waits[to] = true;
	while (waiting) {
		uint32_t u = hops->queue[taken];
		uint8_t state_of_u = hops->state[u]; /* a cable to u itself may change it */
		taken = taken + 1 == fabric->switches ? 0 : taken + 1;
		waiting--;
		hops->waits[u] = false;
		for (uint32_t k = fabric->first_near[u]; k < fabric->first_near[u + 1]; k++) {
			const struct opensm_near *link = &fabric->near[k];
			uint8_t next = state_of_u;
			unsigned cost = hops->least[u] + 1U, extra = 0;
			if (!step(engine, u, link->to, &next, &extra))
				continue;
			uint8_t *known = &hops->by_port[fabric->sw[link->to].link + link->far];
			cost += extra;
			if (cost >= HOPS_LIMIT || cost >= *known)
				continue;
			*known = (uint8_t)cost;
			if (touched && (cost < hops->least[link->to] || !hops->waits[link->to]))
				touched[k] = true;
			if (cost < hops->least[link->to])
				hops->least[link->to] = (uint8_t)cost;
			if (hops->waits[link->to])
				continue;
			uint32_t place = taken + waiting;
			hops->queue[place < fabric->switches ? place : place - fabric->switches] = link->to;
			hops->state[link->to] = next;
			hops->waits[link->to] = true;
			waiting++;
		}
	}
}
