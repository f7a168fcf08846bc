#include "fabric/service_levels.h"

#include "base/memory.h"
#include "fabric/host_lists.h"

#include <stdlib.h>
#include <string.h>

/* State for sharing rows between hosts. */
struct reader {
	struct service_levels *levels;
	const struct fabric *fabric;
	size_t capacity;  /* of levels->level */
	uint32_t *latest; /* [nodes] the last row of a host whose first channel leads to the node, NONE: none yet */
	uint32_t *only;   /* [rows] the only host that has the row so far, whose own element is undefined; NONE: several hosts have it */
	size_t only_capacity;
	uint8_t *row; /* [hosts] */
};

static bool note_level(void *data, uint32_t level, uint32_t host)
{
	struct reader *r = data;
	if (level >= r->levels->count)
		r->levels->count = level + 1;
	if (r->row[host] && r->row[host] != level)
		return false;
	r->row[host] = (uint8_t)level;
	return true;
}

/* Parses the attribute of a host, NULL: none. Returns whether the text is valid. */
static bool scan(struct reader *r, const char *text)
{
	memset(r->row, 0, r->fabric->hosts);
	return !text || host_lists_read(r->fabric, text, SERVICE_LEVELS_MOST - 1, note_level, r);
}

/*
 * Gives the host the last row of its switch if that is equal except for levels of hosts to themselves, otherwise a new row. Returns 0, or
 * -1.
 */
static int keep(struct reader *r, uint32_t host, struct error *error)
{
	struct service_levels *l = r->levels;
	const struct fabric *f = r->fabric;
	uint32_t v = f->host_node[host], hosts = f->hosts;
	uint32_t *latest = &r->latest[f->first_channel[v] < f->first_channel[v + 1] ? f->head[f->first_channel[v]] : v];
	if (*latest != NONE) {
		uint8_t *other = l->level + (size_t)*latest * hosts;
		uint32_t only = r->only[*latest];
		r->row[host] = other[host];
		if (only != NONE)
			other[only] = r->row[only];
		if (!memcmp(other, r->row, hosts)) {
			r->only[*latest] = NONE;
			l->row[host] = *latest;
			return 0;
		}
	}
	if (array_grow(&l->level, &r->capacity, ((size_t)l->rows + 1) * hosts, sizeof *l->level, error) ||
		array_grow(&r->only, &r->only_capacity, (size_t)l->rows + 1, sizeof *r->only, error))
		return -1;
	memcpy(l->level + (size_t)l->rows * hosts, r->row, hosts);
	r->only[l->rows] = host;
	l->row[host] = *latest = l->rows++;
	return 0;
}

/* Returns the attribute of a host; NULL if it states no levels. */
static const char *stated(const struct attributes *attributes, const struct fabric *fabric, uint32_t host)
{
	const char *text = attributes_of_node(attributes, fabric->host_node[host], "sl");
	return text && strcmp(text, SERVICE_LEVELS_UNKNOWN) ? text : NULL;
}

bool service_levels_unknown(const struct attributes *attributes, const struct fabric *fabric)
{
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (attributes_of_node(attributes, fabric->host_node[h], "sl") && !stated(attributes, fabric, h))
			return true;
	return false;
}

static bool has_any(const struct attributes *attributes, const struct fabric *fabric)
{
	for (uint32_t h = 0; h < fabric->hosts; h++)
		if (stated(attributes, fabric, h))
			return true;
	return false;
}

/* Reads the levels of a host: fills r->row, and raises the count. Returns 0, or -1. */
typedef int row_reader(struct reader *r, uint32_t host, const void *data, struct error *error);

static int read_attribute(struct reader *r, uint32_t host, const void *data, struct error *error)
{
	const struct fabric *f = r->fabric;
	const char *name = f->labels->name[f->host_node[host]], *text = stated(data, f, host);
	if (scan(r, text))
		return 0;
	return error_at(error, STATUS_FABRIC, f->labels->source, f->labels->line_of ? f->labels->line_of(f->labels->source, name) : 0,
		"host %s: the attribute sl='%.40s' is not a list of service levels and hosts", name, text);
}

static int make(struct service_levels **result, const struct fabric *fabric, row_reader *read, const void *data, struct error *error)
{
	*result = NULL;
	struct service_levels *levels = array_create(1, sizeof *levels, error);
	if (!levels)
		return -1;
	struct reader reader = {
		.levels = levels,
		.fabric = fabric,
		.latest = array_create(fabric->nodes, sizeof *reader.latest, error),
		.row = array_create(fabric->hosts, sizeof *reader.row, error),
	};
	*levels =
		(struct service_levels){.hosts = fabric->hosts, .count = 1, .row = array_create(fabric->hosts, sizeof *levels->row, error)};
	if (!error->status)
		memset(reader.latest, 0xff, fabric->nodes * sizeof *reader.latest);
	for (uint32_t h = 0; h < fabric->hosts && !error->status; h++)
		if (!read(&reader, h, data, error))
			keep(&reader, h, error);
	free(reader.latest);
	free(reader.only);
	free(reader.row);
	if (error->status) {
		service_levels_free(levels);
		return -1;
	}
	*result = levels;
	return 0;
}

int service_levels_load(
	struct service_levels **result, const struct attributes *attributes, const struct fabric *fabric, struct error *error)
{
	*result = NULL;
	return has_any(attributes, fabric) ? make(result, fabric, read_attribute, attributes, error) : 0;
}

/* Rows that a caller fills. */
struct levels_filling {
	service_levels_filler *fill;
	void *data;
};

static int read_filling(struct reader *r, uint32_t host, const void *data, struct error *error)
{
	const struct levels_filling *filling = data;
	(void)error;
	memset(r->row, 0, r->fabric->hosts);
	filling->fill(filling->data, host, r->row);
	r->row[host] = 0;
	for (uint32_t d = 0; d < r->fabric->hosts; d++)
		if (r->row[d] >= r->levels->count)
			r->levels->count = r->row[d] + 1U;
	return 0;
}

int service_levels_make(
	struct service_levels **result, const struct fabric *fabric, service_levels_filler *fill, void *data, struct error *error)
{
	if (make(result, fabric, read_filling, &(struct levels_filling){fill, data}, error))
		return -1;
	if ((*result)->count > 1)
		return 0;
	service_levels_free(*result);
	*result = NULL;
	return 0;
}

void service_levels_free(struct service_levels *levels)
{
	if (!levels)
		return;
	free(levels->row);
	free(levels->level);
	free(levels);
}
