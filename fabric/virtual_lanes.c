/* Many channels have the same table: each text is parsed once. */
#include "fabric/virtual_lanes.h"

#include "base/memory.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Reads a number up to max at *text and moves *text past it. Returns whether there is one. */
static bool scan_number(const char **text, unsigned max, unsigned *number)
{
	if (!isdigit((unsigned char)**text))
		return false;
	for (*number = 0; isdigit((unsigned char)**text); ++*text)
		if ((*number = *number * 10 + (unsigned)(**text - '0')) > max)
			return false;
	return true;
}

/* Reads ports such as "0-4,7": sets taken[port] of each. Returns whether they are valid. */
static bool scan_ports(const char **text, bool *taken)
{
	do {
		unsigned from, to;
		if (!scan_number(text, PORT_LAST, &from))
			return false;
		to = from;
		if (**text == '-') {
			++*text;
			if (!scan_number(text, PORT_LAST, &to) || to < from)
				return false;
		}
		for (; from <= to; from++)
			taken[from] = true;
	} while (**text == ',' && ++*text);
	return *(*text)++ == ':';
}

/*
 * Reads a table "0-4,7:0,1,...;5-6:4,4,...": the lanes of each port, 0 for other ports. Returns the number of ports, 0 if the text is
 * invalid.
 */
static uint32_t scan_table(const char *text, uint8_t (*lane)[SERVICE_LEVELS_MOST])
{
	uint32_t ports = 0;
	memset(lane, 0, (PORT_LAST + 1) * sizeof *lane);
	do {
		bool taken[PORT_LAST + 1] = {false};
		uint8_t row[SERVICE_LEVELS_MOST];
		if (!scan_ports(&text, taken))
			return 0;
		for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++) {
			unsigned number;
			if ((level && *text++ != ',') || !scan_number(&text, LANE_DISCARD, &number))
				return 0;
			row[level] = (uint8_t)number;
		}
		for (uint32_t port = 0; port <= PORT_LAST; port++)
			if (taken[port]) {
				memcpy(lane[port], row, sizeof row);
				ports = port >= ports ? port + 1 : ports;
			}
	} while (*text == ';' && text++);
	return *text ? 0 : ports;
}

static void raise_count(struct virtual_lanes *lanes, const struct lane_table *table)
{
	for (uint32_t port = 0; port < table->ports; port++)
		for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++)
			if (table->lane[port][level] != LANE_DISCARD && table->lane[port][level] >= lanes->count)
				lanes->count = table->lane[port][level] + 1U;
}

static int add_table(struct virtual_lanes *lanes, size_t *capacity, const char *text, struct error *error)
{
	uint8_t lane[PORT_LAST + 1][SERVICE_LEVELS_MOST];
	uint32_t ports = scan_table(text, lane);
	if (!ports)
		return 1;
	if (array_grow(&lanes->table, capacity, lanes->tables + 1, sizeof *lanes->table, error))
		return -1;
	struct lane_table *table = &lanes->table[lanes->tables];
	*table = (struct lane_table){ports, array_create(ports, sizeof *table->lane, error)};
	if (!table->lane)
		return -1;
	memcpy(table->lane, lane, ports * sizeof *lane);
	lanes->tables++;
	raise_count(lanes, table);
	return 0;
}

static int load(struct virtual_lanes *lanes, const struct attributes *attributes, const struct fabric *fabric, struct name_table *texts,
	struct error *error)
{
	size_t capacity = 0;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++) {
			const char *text = attributes_of_channel(attributes, c, "sl2vl");
			lanes->table_of[c] = NONE;
			if (!text)
				continue;
			if (name_table_reserve(texts, (size_t)lanes->tables + 1, error))
				return -1;
			lanes->table_of[c] = name_table_add(texts, text, lanes->tables);
			int added = lanes->table_of[c] < lanes->tables ? 0 : add_table(lanes, &capacity, text, error);
			if (added > 0)
				error_at(error, STATUS_FABRIC, fabric->labels->source,
					fabric->labels->line_of ? fabric->labels->line_of(fabric->labels->source, fabric->labels->name[v])
								: 0,
					"channel %s -> %s: the attribute sl2vl='%.40s' is not a table of virtual lanes",
					fabric->labels->name[v], fabric->labels->name[fabric->head[c]], text);
			if (added)
				return -1;
		}
	return 0;
}

/* Creates lanes without tables. NULL if out of memory. */
static struct virtual_lanes *create(const struct fabric *fabric, struct error *error)
{
	struct virtual_lanes *lanes = array_create(1, sizeof *lanes, error);
	if (!lanes)
		return NULL;
	lanes->count = 1;
	lanes->in_port = fabric->labels->peer_port;
	lanes->table_of = array_create(fabric->channels, sizeof *lanes->table_of, error);
	return lanes;
}

/* Frees the lanes on errors, and if they are empty. Returns 0, or -1. */
static int finish(struct virtual_lanes **lanes, const struct error *error)
{
	struct virtual_lanes *l = *lanes;
	if (!error->status && l->levels && !l->tables)
		l->count = l->levels->count < LANE_DISCARD ? l->levels->count : LANE_DISCARD;
	if (error->status || (!l->tables && !l->levels && !l->unknown)) {
		virtual_lanes_free(l);
		*lanes = NULL;
	}
	return error->status ? -1 : 0;
}

int virtual_lanes_load(
	struct virtual_lanes **result, const struct attributes *attributes, const struct fabric *fabric, bool levels, struct error *error)
{
	struct name_table texts = {0};
	*result = attributes ? create(fabric, error) : NULL;
	if (!*result)
		return error->status ? -1 : 0;
	if (!error->status && !name_table_init(&texts, 16, error))
		load(*result, attributes, fabric, &texts, error);
	name_table_clear(&texts);
	if (!error->status && levels) {
		(*result)->unknown = service_levels_unknown(attributes, fabric);
		service_levels_load(&(*result)->levels, attributes, fabric, error);
	}
	return finish(result, error);
}

/* Adds a table of lanes by a bit of the service level, for all input ports. Returns 0, or -1. */
static int add_bit(struct virtual_lanes *lanes, size_t *capacity, uint8_t bit, struct error *error)
{
	if (array_grow(&lanes->table, capacity, lanes->tables + 1, sizeof *lanes->table, error))
		return -1;
	struct lane_table *table = &lanes->table[lanes->tables];
	*table = (struct lane_table){PORT_LAST + 1, array_create(PORT_LAST + 1, sizeof *table->lane, error)};
	for (uint32_t port = 0; table->lane && port <= PORT_LAST; port++)
		for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++)
			table->lane[port][level] = bit == LANE_BIT_ZERO ? 0 : level >> bit & 1;
	if (!table->lane)
		return -1;
	lanes->tables++;
	raise_count(lanes, table);
	return 0;
}

int virtual_lanes_make(
	struct virtual_lanes **result, const struct fabric *fabric, const uint8_t *bit, struct service_levels *levels, struct error *error)
{
	uint32_t table[UINT8_MAX + 1]; /* by bit */
	size_t capacity = 0;
	memset(table, 0xff, sizeof table);
	struct virtual_lanes *lanes = *result = create(fabric, error);
	if (!lanes) {
		service_levels_free(levels);
		return -1;
	}
	lanes->levels = levels;
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++) {
		uint8_t its = bit ? bit[c] : LANE_BIT_NONE;
		if (its != LANE_BIT_NONE && table[its] == NONE && !add_bit(lanes, &capacity, its, error))
			table[its] = lanes->tables - 1;
		lanes->table_of[c] = its == LANE_BIT_NONE ? NONE : table[its];
	}
	return finish(result, error);
}

/* Gives all channels the same table, that of the map. Returns 0, or -1. */
static int map_all(struct virtual_lanes *lanes, const uint8_t *map, struct error *error)
{
	lanes->own_table = (struct lane_table){PORT_LAST + 1, array_create(PORT_LAST + 1, sizeof *lanes->own_table.lane, error)};
	if (error->status)
		return -1;
	for (uint32_t port = 0; port <= PORT_LAST; port++)
		memcpy(lanes->own_table.lane[port], map, sizeof *lanes->own_table.lane);
	lanes->table = &lanes->own_table;
	lanes->tables = 1;
	lanes->count = 1;
	raise_count(lanes, lanes->table);
	return 0;
}

/* Raises the number of lanes to that of the levels, which are the lanes. */
static void count_levels(struct virtual_lanes *lanes, uint32_t levels)
{
	for (unsigned level = 0; level < LANE_DISCARD; level++)
		if (levels >> level & 1 && level >= lanes->count)
			lanes->count = level + 1;
}

int virtual_lanes_change(struct virtual_lanes **result, const struct virtual_lanes *others, const struct fabric *fabric, uint32_t levels,
	const uint8_t *map, struct error *error)
{
	struct virtual_lanes *lanes = *result = array_create(1, sizeof *lanes, error);
	if (!lanes)
		return -1;
	*lanes = others ? *others : (struct virtual_lanes){.count = 1};
	lanes->borrowed = true;
	lanes->own_ports = NULL;
	lanes->own_table = (struct lane_table){0};
	lanes->own_table_of = NULL;
	lanes->unknown &= (levels >> SERVICE_LEVEL_OF_PAIR & 1) != 0;
	if (!lanes->in_port)
		lanes->in_port = lanes->own_ports = array_create(fabric->channels, sizeof *lanes->own_ports, error);
	if (!lanes->table_of || map)
		lanes->table_of = lanes->own_table_of = array_create(fabric->channels, sizeof *lanes->own_table_of, error);
	if (lanes->own_table_of && !map)
		memset(lanes->own_table_of, 0xff, fabric->channels * sizeof *lanes->own_table_of); /* NONE */
	if (!error->status && map)
		map_all(lanes, map, error);
	if (!error->status && !lanes->tables)
		count_levels(lanes, levels);
	if (!error->status)
		return 0;
	virtual_lanes_free(lanes);
	*result = NULL;
	return -1;
}

uint32_t virtual_lanes_levels(const struct virtual_lanes *lanes, uint32_t levels)
{
	uint32_t own = levels & ((1u << SERVICE_LEVEL_OF_PAIR) - 1);
	if (!(levels >> SERVICE_LEVEL_OF_PAIR & 1))
		return own;
	return own | (lanes && lanes->levels ? (1u << lanes->levels->count) - 1 : 1);
}

uint32_t virtual_lanes_of(const struct virtual_lanes *lanes, uint32_t channel, uint32_t levels)
{
	uint32_t found = 0;
	if (!lanes)
		return 1;
	if (lanes->table_of[channel] == NONE)
		return lanes->tables ? 1 : levels;
	const struct lane_table *table = &lanes->table[lanes->table_of[channel]];
	for (uint32_t port = 0; port < table->ports; port++)
		for (unsigned level = 0; level < SERVICE_LEVELS_MOST; level++)
			found |= levels >> level & 1 ? 1u << table->lane[port][level] : 0;
	return found;
}

void virtual_lanes_free(struct virtual_lanes *lanes)
{
	if (!lanes)
		return;
	for (uint32_t t = 0; t < lanes->tables && !lanes->borrowed; t++)
		free(lanes->table[t].lane);
	if (!lanes->borrowed) {
		free(lanes->table);
		service_levels_free(lanes->levels);
		free(lanes->table_of);
	}
	free(lanes->own_table.lane);
	free(lanes->own_table_of);
	free(lanes->own_ports);
	free(lanes);
}
