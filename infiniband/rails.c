#include "infiniband/rails.h"

#include "base/memory.h"
#include "base/spelling.h"
#include "shapes/shape_part.h"

#include <ctype.h>
#include <inttypes.h>
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

/* Returns the device at the end of a description, "" if there is none. */
static const char *device_of(const char *desc)
{
	const char *last = strrchr(desc, ' ');
	return !is_product(desc) && last && is_device(last + 1) ? last + 1 : "";
}

/* ---- machines */

/* Memory of keys, each with a NUL. */
struct keys {
	struct name_table names;
	char *pool;
};

/* Returns the id of "KIND LENGTH bytes of TEXT" and, unless it is NULL, DEVICE and PLACE; if new, id. */
static uint32_t key_id(struct keys *k, char kind, const char *text, size_t length, const struct rail *rail, uint32_t id)
{
	char *key = k->pool;
	int size = sprintf(key, "%c%.*s", kind, (int)length, text);
	if (rail)
		size += sprintf(key + size, "\n%s/%" PRIu32, device_of(rail->desc), rail->place);
	uint32_t found = name_table_find(&k->names, key, (size_t)size);
	if (found != NAME_NONE)
		return found;
	k->pool += size + 1;
	return name_table_add(&k->names, key, id);
}

/* Returns the id of the system GUID's machine; if new, id. */
static uint32_t system_id(struct keys *k, const struct rail *rail, uint32_t id)
{
	char text[20];
	int length = snprintf(text, sizeof text, "%" PRIx64, rail->system_guid);
	return key_id(k, 's', text, (size_t)length, NULL, id);
}

/* Sets the machine of each port to an adapter: first of the named, then of those that only a system GUID identifies. */
static void number_machines(struct rails *rails, struct keys *k, bool *shared)
{
	for (uint32_t i = 0; i < rails->count; i++) { /* names of several machines */
		const struct rail *r = &rails->rail[i];
		size_t length = machine_length(r->desc);
		if (!length || !*device_of(r->desc))
			continue;
		uint32_t first = key_id(k, 'd', r->desc, length, r, i), machine = key_id(k, 'm', r->desc, length, NULL, r->adapter);
		shared[machine] = shared[machine] || (first != i && rails->rail[first].adapter != r->adapter);
	}
	for (int named = 1; named >= 0; named--)
		for (uint32_t i = 0; i < rails->count; i++) {
			struct rail *r = &rails->rail[i];
			size_t length = machine_length(r->desc);
			uint32_t machine = length ? key_id(k, 'm', r->desc, length, NULL, r->adapter) : NONE;
			bool by_name = length && !shared[machine];
			if (by_name != named)
				continue;
			r->machine = by_name ? machine : r->system_guid ? system_id(k, r, r->adapter) : r->adapter;
			if (by_name && r->system_guid)
				system_id(k, r, machine);
		}
}

static int find_machines(struct rails *rails, struct error *error)
{
	struct keys keys = {0};
	uint32_t adapters = 0;
	size_t room = 0;
	for (uint32_t i = 0; i < rails->count; i++) {
		const struct rail *r = &rails->rail[i];
		adapters = r->adapter >= adapters ? r->adapter + 1 : adapters;
		room += 3 * strlen(r->desc) + 60;
	}
	char *pool = keys.pool = array_create(room, 1, error);
	bool *shared = array_create(adapters, sizeof *shared, error);
	if (!error->status && !name_table_init(&keys.names, 3 * (size_t)rails->count, error))
		number_machines(rails, &keys, shared);
	name_table_clear(&keys.names);
	free(pool);
	free(shared);
	return error->status ? -1 : 0;
}

static int compare_rails(const void *a, const void *b)
{
	const struct rail *x = a, *y = b;
	if (x->machine != y->machine)
		return x->machine < y->machine ? -1 : 1;
	int order = x->adapter == y->adapter ? 0 : compare_names(x->desc, y->desc);
	if (!order && x->adapter != y->adapter && x->guid != y->guid)
		order = x->guid < y->guid ? -1 : 1;
	if (!order)
		order = x->place < y->place ? -1 : x->place > y->place;
	return order ? order : x->port < y->port ? -1 : 1;
}

/* ---- rails */

static void write_name(const struct rail *rail, char *name, size_t size)
{
	const char *device = device_of(rail->desc);
	if (*device && rail->place > 1)
		snprintf(name, size, "%.110s/%" PRIu32, device, rail->place);
	else if (*device)
		snprintf(name, size, "%s", device);
	else
		snprintf(name, size, "%" PRIu32, rail->number);
}

static int compare_texts(const void *a, const void *b)
{
	return compare_names(a, b);
}

/* Makes the sorted list of names, and the name of each port. */
static int find_names(struct rails *rails, struct error *error)
{
	char(*all)[RAIL_NAME_SIZE] = array_create(rails->count, sizeof *all, error);
	rails->name = array_create(rails->count, sizeof *rails->name, error);
	struct name_table names = {0};
	if (!error->status && !name_table_init(&names, rails->count, error)) {
		for (uint32_t i = 0; i < rails->count; i++) {
			write_name(&rails->rail[i], all[i], sizeof *all);
			if (name_table_add(&names, all[i], i) == i)
				memcpy(rails->name[rails->names++], all[i], sizeof *all);
		}
		qsort(rails->name, rails->names, sizeof *rails->name, compare_texts);
		for (uint32_t k = 0; k < rails->names; k++)
			name_table_set(&names, rails->name[k], k);
		for (uint32_t i = 0; i < rails->count; i++)
			rails->rail[i].name = name_table_find(&names, all[i], strlen(all[i]));
	}
	name_table_clear(&names);
	free(all);
	return error->status ? -1 : 0;
}

/* Returns whether the port's machine has another. */
static bool has_others(const struct rails *rails, uint32_t i)
{
	return rails->rail[i].number > 1 || (i + 1 < rails->count && rails->rail[i + 1].machine == rails->rail[i].machine);
}

static int compare_pairs(const void *a, const void *b)
{
	return memcmp(a, b, 2 * sizeof(uint32_t));
}

/* Finds the rail of each leaf. */
static int find_owners(struct rails *rails, struct error *error)
{
	uint32_t(*pair)[2] = array_create(rails->count, sizeof *pair, error), pairs = 0;
	uint32_t *all = array_create(rails->leaves, sizeof *all, error);
	rails->owner = array_create(rails->leaves, sizeof *rails->owner, error);
	if (!error->status)
		memset(rails->owner, 0xff, rails->leaves * sizeof *rails->owner); /* NONE */
	for (uint32_t i = 0; !error->status && i < rails->count; i++)
		if (rails->rail[i].leaf != NONE && has_others(rails, i)) {
			pair[pairs][0] = rails->rail[i].leaf;
			pair[pairs++][1] = rails->rail[i].name;
			all[rails->rail[i].leaf]++;
		}
	if (!error->status)
		qsort(pair, pairs, sizeof *pair, compare_pairs);
	for (uint32_t i = 0, end; !error->status && i < pairs; i = end) {
		for (end = i + 1; end < pairs && !compare_pairs(pair[i], pair[end]);)
			end++;
		if (4 * (uint64_t)(end - i) >= 3 * (uint64_t)all[pair[i][0]])
			rails->owner[pair[i][0]] = pair[i][1];
	}
	free(pair);
	free(all);
	return error->status ? -1 : 0;
}

int rails_find(struct rails *rails, uint32_t leaves, struct error *error)
{
	rails->leaves = leaves;
	if (find_machines(rails, error))
		return -1;
	qsort(rails->rail, rails->count, sizeof *rails->rail, compare_rails);
	for (uint32_t i = 0; i < rails->count; i++)
		rails->rail[i].number = i && rails->rail[i].machine == rails->rail[i - 1].machine ? rails->rail[i - 1].number + 1 : 1;
	return find_names(rails, error) || find_owners(rails, error) ? -1 : 0;
}

void rails_clear(struct rails *rails)
{
	free(rails->rail);
	free(rails->name);
	free(rails->owner);
	*rails = (struct rails){0};
}

static uint32_t owner_of(const struct rails *rails, uint32_t i)
{
	return rails->rail[i].leaf == NONE ? NONE : rails->owner[rails->rail[i].leaf];
}

bool rails_astray(const struct rails *rails, uint32_t i)
{
	uint32_t owner = owner_of(rails, i), name = rails->rail[i].name;
	if (owner == NONE || owner == name || !has_others(rails, i))
		return false;
	for (uint32_t leaf = 0; leaf < rails->leaves; leaf++)
		if (rails->owner[leaf] == name)
			return true;
	return false;
}

uint32_t rails_swapped(const struct rails *rails, uint32_t i)
{
	const struct rail *r = &rails->rail[i];
	for (uint32_t k = i + 1 - r->number; k < rails->count && rails->rail[k].machine == r->machine; k++)
		if (rails->rail[k].name == owner_of(rails, i) && owner_of(rails, k) == r->name)
			return k;
	return NONE;
}

uint32_t rails_usual(const struct rails *rails, struct error *error)
{
	uint32_t *of = array_create(rails->count, sizeof *of, error), most = 0;
	for (uint32_t i = rails->count; of && i-- > 0;)
		of[i] = i + 1 < rails->count && rails->rail[i + 1].machine == rails->rail[i].machine ? of[i + 1] : rails->rail[i].number;
	if (of)
		most = most_common(of, rails->count);
	free(of);
	return most;
}

uint32_t rails_named(const struct rails *rails, const char *name, struct error *error)
{
	const char **all = array_create(rails->names, sizeof *all, error);
	uint32_t found = NONE;
	for (uint32_t k = 0; all && k < rails->names; k++) {
		all[k] = rails->name[k];
		if (!strcmp(all[k], name))
			found = k;
	}
	if (all && found == NONE)
		error_unknown(error, "--rails", name, all, rails->names);
	free(all);
	return found;
}

int rails_write(const struct rails *rails, FILE *file, struct error *error)
{
	struct counts {
		uint32_t ports, leaves, own, astray;
	} *of = array_create(rails->names, sizeof *of, error);
	uint32_t(*pair)[2] = array_create(rails->count, sizeof *pair, error), pairs = 0;
	for (uint32_t i = 0; !error->status && i < rails->count; i++) {
		const struct rail *r = &rails->rail[i];
		of[r->name].ports++;
		of[r->name].astray += rails_astray(rails, i);
		if (r->leaf == NONE)
			continue;
		pair[pairs][0] = r->leaf;
		pair[pairs++][1] = r->name;
	}
	if (!error->status) {
		qsort(pair, pairs, sizeof *pair, compare_pairs);
		for (uint32_t i = 0; i < pairs; i++)
			if (!i || compare_pairs(pair[i - 1], pair[i])) {
				of[pair[i][1]].leaves++;
				of[pair[i][1]].own += rails->owner[pair[i][0]] == pair[i][1];
			}
		fprintf(file, "%-20s %8s %8s %8s %8s\n", "rail", "ports", "leaves", "own", "astray");
		for (uint32_t k = 0; k < rails->names; k++)
			fprintf(file, "%-20s %8" PRIu32 " %8" PRIu32 " %8" PRIu32 " %8" PRIu32 "\n", rails->name[k], of[k].ports,
				of[k].leaves, of[k].own, of[k].astray);
	}
	free(pair);
	free(of);
	return error->status ? -1 : 0;
}
