#include "tools/check/plan_rows.h"

#include "base/arena.h"
#include "base/memory.h"
#include "tools/check/plan_names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

struct rows {
	struct cable_plan *plan;
	const struct fabric_source *source;
	struct plan_names names;
	struct name_table others, ports, unmatched; /* of nodes and of ports that the fabric does not have; names that have been noted */
	size_t other_count, port_count;
	struct error *error;
};

static const char *print(struct rows *r, const char *format, const char *a, const char *b)
{
	size_t size = strlen(format) + strlen(a) + strlen(b) + 1;
	char *text = arena_alloc(r->plan->arena, size);
	if (text)
		snprintf(text, size, format, a, b);
	else
		error_set(r->error, STATUS_IO, "out of memory");
	return text ? text : "";
}

/* Returns the number of a text, whatever its case; new ones get the next number. */
static uint32_t number(struct rows *r, struct name_table *table, size_t *count, const char *text)
{
	char *key = (char *)print(r, "%s%s", text, "");
	for (char *c = key; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	if (r->error->status || name_table_reserve(table, *count + 1, r->error))
		return 0;
	uint32_t id = name_table_add(table, key, (uint32_t)*count);
	*count += id == *count;
	return id;
}

static void note_unmatched(struct rows *r, const struct plan_row *row, const char *name, const char *reason)
{
	struct cable_plan *p = r->plan;
	size_t count = p->unmatched_count;
	uint32_t id = number(r, &r->unmatched, &count, name);
	if (count > p->unmatched_count && !array_grow(&p->unmatched, &p->unmatched_room, count, sizeof *p->unmatched, r->error)) {
		p->unmatched[id] =
			(struct plan_unmatched){.name = name, .reason = reason, .file = r->source->file[row->file].path, .line = row->line};
		p->unmatched_count++;
	}
	if (!r->error->status)
		p->unmatched[id].ends++;
}

/* Returns whether the text of the port contains the device: then the text names a host by itself. */
static bool names_itself(const struct plan_end *end)
{
	return *end->device && strcasestr(end->port, end->device);
}

static void set_end(struct rows *r, const struct plan_row *row, int i, struct cable *cable)
{
	const struct plan_end *end = &row->end[i];
	const char *device = *end->device ? end->device : end->guid;
	enum name_found found = plan_names_find(&r->names, end, &cable->end[i]);
	if (found == NAME_FOUND)
		return;
	const char *whole = names_itself(end) ? end->port : *end->port ? print(r, "%s %s", device, end->port) : device;
	if (found == NAME_OF_NO_PORT) {
		note_unmatched(r, row, whole, "is a port of unknown number; any port counts");
		return;
	}
	note_unmatched(r, row,
		names_itself(end)         ? end->port
		: found == NAME_AMBIGUOUS ? whole
					  : device,
		found == NAME_AMBIGUOUS ? "is the name of several nodes" : "is not in the fabric");
	cable->name[i] = names_itself(end) ? end->port : device;
	cable->end[i].port = names_itself(end) ? 0 : plan_port_number(end->port);
	cable->label[i] = names_itself(end) || !*end->port || cable->end[i].port ? NULL : end->port;
	cable->end[i].node = r->names.fabric->nodes + number(r, &r->others, &r->other_count, cable->name[i]);
	if (!cable->end[i].port && *end->port)
		cable->end[i].port = PORT_UNNUMBERED + number(r, &r->ports, &r->port_count, whole);
}

static bool equal(const struct cable *a, const struct cable *b)
{
	for (int i = 0; i < 2; i++)
		if (a->end[i].node != b->end[i].node || a->end[i].port != b->end[i].port)
			return false;
	return true;
}

/* Removes repetitions; of cables without known ports, the more often stated direction counts. */
static void merge(struct cable_list *list)
{
	uint32_t kept = 0;
	for (uint32_t i = 0, run; i < list->cables; i += run) {
		struct cable first = list->cable[i];
		uint32_t turned = 0;
		for (run = 0; i + run < list->cables && equal(&first, &list->cable[i + run]); run++) {
			const struct cable *same = &list->cable[i + run];
			turned += same->turned;
			first.gbps = first.gbps > 0 ? first.gbps : same->gbps;
			first.lanes = first.lanes ? first.lanes : same->lanes;
		}
		bool ports = first.end[0].port && first.end[1].port;
		for (uint32_t k = ports ? 1 : turned > run - turned ? turned : run - turned; k > 0; k--)
			list->cable[kept++] = first;
	}
	list->cables = kept;
}

int plan_rows(struct cable_plan *plan, const struct plan_list *list, const struct fabric_source *source, const struct fabric *fabric,
	struct error *error)
{
	struct rows r = {.plan = plan, .source = source, .error = error};
	plan->arena = arena_create();
	if (!plan->arena || plan_names_init(&r.names, fabric, error) || name_table_init(&r.others, 16, error) ||
		name_table_init(&r.ports, 16, error) || name_table_init(&r.unmatched, 16, error))
		error_set(error, STATUS_IO, "out of memory");
	for (size_t i = 0; i < list->rows && !error->status; i++) {
		const struct plan_row *row = &list->row[i];
		struct cable cable = {.gbps = row->gbps, .lanes = row->lanes, .channel = NONE, .row = (uint32_t)i + 1};
		set_end(&r, row, 0, &cable);
		set_end(&r, row, 1, &cable);
		if (!error->status)
			cable_list_add(&plan->planned, cable, error);
	}
	cable_list_sort(&plan->planned);
	merge(&plan->planned);
	plan->nodes = fabric->nodes + (uint32_t)r.other_count;
	plan_names_clear(&r.names);
	name_table_clear(&r.others);
	name_table_clear(&r.ports);
	name_table_clear(&r.unmatched);
	return error->status ? -1 : 0;
}
