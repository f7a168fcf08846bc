#include "scheduling/machine.h"

#include "base/memory.h"

#include <stdlib.h>

/* Numbers the leaves by their first host. */
static void number_leaves(struct machine *m, const struct fabric *f, uint32_t *number)
{
	for (uint32_t v = 0; v < f->nodes; v++)
		number[v] = NONE;
	for (uint32_t h = 0; h < m->hosts; h++) {
		uint32_t node = f->host_node[m->host[h]], link = f->first_channel[node];
		uint32_t leaf = link < f->first_channel[node + 1] ? f->head[link] : node;
		if (number[leaf] == NONE)
			number[leaf] = m->leaves++;
		m->leaf[h] = number[leaf];
	}
}

static int descending(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
	return (a < b) - (a > b);
}

/* Lists the hosts of each leaf. */
static void list_hosts(struct machine *m)
{
	for (uint32_t h = 0; h < m->hosts; h++)
		m->first[m->leaf[h] + 1]++;
	for (uint32_t l = 0; l < m->leaves; l++) {
		m->largest[l] = m->free[l] = m->first[l + 1];
		m->first[l + 1] += m->first[l];
	}
	for (uint32_t h = m->hosts; h-- > 0;)
		m->under[m->first[m->leaf[h]] + --m->free[m->leaf[h]]] = h;
	for (uint32_t l = 0; l < m->leaves; l++)
		m->free[l] = m->first[l + 1] - m->first[l];
	qsort(m->largest, m->leaves, sizeof *m->largest, descending);
	for (uint32_t l = 1; l < m->leaves; l++)
		m->largest[l] += m->largest[l - 1];
}

int machine_init(struct machine *m, const struct fabric *fabric, const uint32_t *host, uint32_t hosts, struct error *error)
{
	*m = (struct machine){.hosts = hosts, .host = host, .unused = hosts};
	uint32_t *number = array_create(fabric->nodes, sizeof *number, error);
	m->leaf = array_create(hosts, sizeof *m->leaf, error);
	m->under = array_create(hosts, sizeof *m->under, error);
	m->busy = array_create(hosts, sizeof *m->busy, error);
	if (number && m->leaf && m->under && m->busy) {
		number_leaves(m, fabric, number);
		m->first = array_create((size_t)m->leaves + 1, sizeof *m->first, error);
		m->largest = array_create(m->leaves, sizeof *m->largest, error);
		m->free = array_create(m->leaves, sizeof *m->free, error);
		if (m->first && m->largest && m->free)
			list_hosts(m);
	}
	free(number);
	return error->status ? -1 : 0;
}

void machine_clear(struct machine *m)
{
	free(m->leaf);
	free(m->first);
	free(m->under);
	free(m->largest);
	free(m->busy);
	free(m->free);
}

void machine_take(struct machine *m, uint32_t host)
{
	m->busy[host] = true;
	m->free[m->leaf[host]]--;
	m->unused--;
}

void machine_give(struct machine *m, uint32_t host)
{
	m->busy[host] = false;
	m->free[m->leaf[host]]++;
	m->unused++;
}

uint32_t machine_fewest_leaves(const struct machine *m, uint32_t tasks)
{
	uint32_t leaves = 0;
	while (m->largest[leaves] < tasks)
		leaves++;
	return leaves + 1;
}
