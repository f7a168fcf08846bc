#include "infiniband/subnet_rails.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int compare_names(const char *a, const char *b)
{
	const char *x = a, *y = b;
	while (*x && *y) {
		if (isdigit((unsigned char)*x) && isdigit((unsigned char)*y)) {
			x += strspn(x, "0");
			y += strspn(y, "0");
			size_t m = strspn(x, "0123456789"), n = strspn(y, "0123456789");
			if (m != n)
				return m < n ? -1 : 1;
			int order = memcmp(x, y, m);
			if (order)
				return order;
			x += m;
			y += n;
		} else if (*x != *y) {
			break;
		} else {
			x++;
			y++;
		}
	}
	int order = (unsigned char)*x - (unsigned char)*y;
	return order ? order : strcmp(a, b);
}

/* Returns whether a last word names a device: HCA-1, mlx5_0, mlx5_bond_0, qib0, hfi1_0, ibp65s0. */
static bool is_device(const char *word)
{
	static const char *const beginnings[] = {"HCA-", "HCA", "mlx", "mthca", "qib", "hfi", "ib", "bnxt_re", "cxgb", "rocep", "opa"};
	size_t length = strlen(word);
	if (!length || !isdigit((unsigned char)word[length - 1]))
		return false;
	for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
		if (!strncmp(word, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

/* Returns whether the description is a factory default, which names a product, not a machine. */
static bool is_product(const char *desc)
{
	static const char *const marks[] = {"Technologies", "InfiniHost", "Infinihost", "ConnectX", "InfiniBand", "QLogic", "Voltaire"};
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (strstr(desc, marks[i]))
			return true;
	return false;
}

size_t machine_length(const char *desc)
{
	if (is_product(desc))
		return 0;
	const char *last = strrchr(desc, ' ');
	size_t length = last && is_device(last + 1) ? (size_t)(last - desc) : strlen(desc);
	while (length && desc[length - 1] == ' ')
		length--;
	return length;
}

/* Finds the machine of each node by its name, its system image GUID, or itself; numbers follow the first node of each. */
static int number_machines(const struct subnet *subnet, uint32_t *machine, struct error *error)
{
	struct name_table names;
	char key[1100];
	if (name_table_init(&names, subnet->nodes, error))
		return -1;
	char *pool = array_create(subnet->nodes, sizeof key, error);
	for (uint32_t n = 0; pool && n < subnet->nodes; n++) {
		const struct subnet_node *node = &subnet->node[n];
		size_t length = machine_length(node->desc);
		char *own = pool + (size_t)n * sizeof key;
		if (length)
			snprintf(own, sizeof key, "m%.*s", (int)length, node->desc);
		else
			snprintf(own, sizeof key, "%c%llx", node->system_guid ? 's' : 'n',
				(unsigned long long)(node->system_guid ? node->system_guid : n));
		machine[n] = name_table_add(&names, own, n);
	}
	free(pool);
	name_table_clear(&names);
	return error->status ? -1 : 0;
}

/* Keys of sorting. */
struct rail_key {
	struct rail rail;
	const struct subnet *subnet;
};

static int compare_rails(const void *a, const void *b)
{
	const struct rail_key *x = a, *y = b;
	const struct subnet *subnet = x->subnet;
	const struct subnet_port *p = &subnet->port[x->rail.port], *q = &subnet->port[y->rail.port];
	if (x->rail.machine != y->rail.machine)
		return x->rail.machine < y->rail.machine ? -1 : 1;
	int order = p->node == q->node ? 0 : compare_names(subnet->node[p->node].desc, subnet->node[q->node].desc);
	if (!order && p->node != q->node && subnet->node[p->node].guid != subnet->node[q->node].guid)
		order = subnet->node[p->node].guid < subnet->node[q->node].guid ? -1 : 1;
	if (!order)
		order = (int)p->number - (int)q->number;
	if (!order)
		order = p->guid < q->guid ? -1 : p->guid > q->guid;
	return order ? order : x->rail.port < y->rail.port ? -1 : 1;
}

int subnet_rails(const struct subnet *subnet, struct rail *rail, uint32_t rails, struct error *error)
{
	uint32_t *machine = array_create(subnet->nodes, sizeof *machine, error);
	struct rail_key *key = array_create(rails, sizeof *key, error);
	if (machine && key && !number_machines(subnet, machine, error)) {
		for (uint32_t i = 0; i < rails; i++) {
			rail[i].machine = machine[subnet->port[rail[i].port].node];
			key[i] = (struct rail_key){rail[i], subnet};
		}
		qsort(key, rails, sizeof *key, compare_rails);
		for (uint32_t i = 0; i < rails; i++) {
			rail[i] = key[i].rail;
			rail[i].number = i && rail[i].machine == rail[i - 1].machine ? rail[i - 1].number + 1 : 1;
		}
	}
	free(machine);
	free(key);
	return error->status ? -1 : 0;
}
