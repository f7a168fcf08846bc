#include "tools/check/rails.h"

#include "base/memory.h"
#include "base/name_table.h"
#include "infiniband/subnet_rails.h"
#include "shapes/shape_part.h"

#include <stdlib.h>
#include <string.h>

/* Finds the machine of each host: the first host of the same name. pool: room for all names. */
static int find_machines(const struct fabric *f, uint32_t *machine, char *pool, struct error *error)
{
	struct name_table names;
	if (name_table_init(&names, f->hosts, error))
		return -1;
	for (uint32_t h = 0; h < f->hosts; h++) {
		const char *desc = f->labels->desc[f->host_node[h]];
		size_t length = machine_length(desc);
		memcpy(pool, desc, length);
		pool[length] = '\0';
		machine[h] = length ? name_table_add(&names, pool, h) : h;
		pool += length + 1;
	}
	name_table_clear(&names);
	return 0;
}

uint32_t rails_count(const struct fabric *fabric, struct error *error)
{
	const struct fabric *f = fabric;
	size_t room = 0;
	for (uint32_t h = 0; h < f->hosts; h++)
		room += strlen(f->labels->desc[f->host_node[h]]) + 1;
	uint32_t *machine = array_create(f->hosts, sizeof *machine, error), *cables = array_create(f->hosts, sizeof *cables, error);
	uint32_t *of = array_create(f->channels, sizeof *of, error), count = 0, rails = 0;
	char *pool = array_create(room, 1, error);
	if (!error->status && !find_machines(f, machine, pool, error)) {
		for (uint32_t h = 0; h < f->hosts; h++)
			cables[machine[h]] += f->first_channel[f->host_node[h] + 1] - f->first_channel[f->host_node[h]];
		for (uint32_t h = 0; h < f->hosts; h++)
			for (uint32_t k = f->first_channel[f->host_node[h]]; k < f->first_channel[f->host_node[h] + 1]; k++)
				of[count++] = cables[machine[h]];
		rails = most_common(of, count);
	}
	free(machine);
	free(cables);
	free(of);
	free(pool);
	return rails;
}
