#include "fabric/forwarding.h"

#include "base/memory.h"
#include "fabric/host_lists.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { WEIGHT_MAX = INT32_MAX };

struct forwarding_builder {
	const struct fabric *fabric;
	struct forwarding *forwarding;
	struct forwarding_oddities oddities;
	uint32_t *entry;       /* [hosts] the node's table so far */
	uint32_t *touched;     /* [touches] the hosts that have an entry */
	uint32_t last, stride; /* the node found last, and its distance from the one before */
	bool *twice;           /* [hosts] more than one channel lists the host */
	uint32_t touches;
	uint32_t any;                          /* the first channel with "*" */
	bool more_any;                         /* a second one exists */
	uint32_t *table;                       /* [columns][hosts] the completed nodes */
	size_t capacity;                       /* of table */
	struct multipath_entries_builder *all; /* NULL: only first channels are kept */
	struct error *error;                   /* of all */
};

struct forwarding_builder *forwarding_builder_create(const struct fabric *fabric, struct error *error)
{
	struct forwarding_builder *b = array_create(1, sizeof *b, error);
	struct forwarding *f = array_create(1, sizeof *f, error);
	if (b && f) {
		b->fabric = fabric;
		b->forwarding = f;
		b->entry = array_create(fabric->hosts, sizeof *b->entry, error);
		b->touched = array_create(fabric->hosts, sizeof *b->touched, error);
		b->twice = array_create(fabric->hosts, sizeof *b->twice, error);
		f->column = array_create(fabric->nodes, sizeof *f->column, error);
		f->fallback = array_create(fabric->nodes, sizeof *f->fallback, error);
		f->hop = array_create(fabric->channels, sizeof *f->hop, error);
	} else {
		free(f);
	}
	if (error->status) {
		forwarding_builder_finish(b, false, NULL, error);
		return NULL;
	}
	memset(b->entry, 0xff, fabric->hosts * sizeof *b->entry);
	b->any = NONE;
	return b;
}

int forwarding_builder_keep_all(struct forwarding_builder *b, struct error *error)
{
	b->all = multipath_entries_builder_create(b->fabric, error);
	b->error = error;
	return b->all ? 0 : -1;
}

static inline bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* Returns the node of a name. Lists mostly proceed in even strides (H1,H19,H37), so the next node is guessed before it is looked up. */
static inline uint32_t find_node(struct forwarding_builder *b, const char *name, size_t length)
{
	const struct fabric_labels *labels = b->fabric->labels;
	uint32_t node = b->last + b->stride;
	if (node >= b->fabric->nodes || strncmp(labels->name[node], name, length) || labels->name[node][length])
		node = name_table_find(&labels->names, name, length);
	b->stride = node - b->last;
	b->last = node;
	return node;
}

void forwarding_builder_add_host(struct forwarding_builder *b, uint32_t channel, uint32_t host)
{
	if (b->entry[host] == NONE) {
		b->entry[host] = channel;
		b->touched[b->touches++] = host;
	} else if (b->entry[host] != channel && !b->twice[host]) {
		b->twice[host] = true;
		b->oddities.ambiguous++;
	}
	if (b->all)
		multipath_entries_builder_add(b->all, channel, host, b->error);
}

static void add_name(struct forwarding_builder *b, uint32_t channel, const char *name, size_t length)
{
	uint32_t node = find_node(b, name, length);
	if (node == NAME_NONE) {
		if (!b->oddities.unknown++) {
			size_t shown = length < sizeof b->oddities.first_unknown ? length : sizeof b->oddities.first_unknown - 1;
			memcpy(b->oddities.first_unknown, name, shown);
		}
		return;
	}
	if (b->fabric->node_host[node] != NONE)
		forwarding_builder_add_host(b, channel, b->fabric->node_host[node]);
}

/* Returns whether the set is "*", with or without surrounding spaces. */
static bool is_any(const char *set)
{
	while (is_blank(*set))
		set++;
	if (*set++ != '*')
		return false;
	while (is_blank(*set))
		set++;
	return !*set;
}

void forwarding_builder_add(struct forwarding_builder *b, uint32_t channel, const char *set)
{
	if (is_any(set)) {
		if (b->any == NONE)
			b->any = channel;
		else
			b->more_any = true;
		if (b->all)
			multipath_entries_builder_add_any(b->all, channel, b->error);
		return;
	}
	while (*set) {
		while (is_blank(*set))
			set++;
		const char *name = set, *end = set;
		for (; *set && *set != ','; set++)
			if (!is_blank(*set))
				end = set + 1;
		if (end > name)
			add_name(b, channel, name, (size_t)(end - name));
		set += *set == ',';
	}
}

/* A channel with weights. */
struct weighing {
	struct multipath_entries_builder *all; /* NULL: only checks the syntax */
	uint32_t channel;
};

static bool weigh(void *data, uint32_t weight, uint32_t host)
{
	const struct weighing *w = data;
	return weight && (!w->all || multipath_entries_builder_weigh(w->all, w->channel, host, weight));
}

bool forwarding_builder_weigh(struct forwarding_builder *b, uint32_t channel, const char *weights)
{
	return host_lists_read(b->fabric, weights, WEIGHT_MAX, weigh, &(struct weighing){b->all, channel});
}

void forwarding_builder_weigh_host(struct forwarding_builder *b, uint32_t channel, uint32_t host, uint32_t weight)
{
	if (b->all)
		multipath_entries_builder_weigh(b->all, channel, host, weight);
}

/* Returns the single channel by which all destinations except the node itself leave; NONE if there is none. */
static uint32_t only_channel(const struct forwarding_builder *b, uint32_t node)
{
	uint32_t self = b->fabric->node_host[node], channel = NONE;
	for (uint32_t host = 0; host < b->fabric->hosts; host++) {
		if (host == self)
			continue;
		if (b->entry[host] == NONE || (channel != NONE && b->entry[host] != channel))
			return NONE;
		channel = b->entry[host];
	}
	return channel;
}

int forwarding_builder_end_node(struct forwarding_builder *b, uint32_t node, struct error *error)
{
	struct forwarding *f = b->forwarding;
	uint32_t hosts = b->fabric->hosts, self = b->fabric->node_host[node];
	if (b->more_any)
		b->oddities.ambiguous += hosts - b->touches - (self != NONE && b->entry[self] == NONE);
	f->column[node] = NONE;
	f->fallback[node] = b->any;
	if (b->touches && b->any != NONE)
		for (uint32_t host = 0; host < hosts; host++)
			if (b->entry[host] == NONE) {
				b->entry[host] = b->any;
				b->touched[b->touches++] = host;
			}
	if (b->touches && (f->fallback[node] = only_channel(b, node)) == NONE) {
		size_t start = (size_t)f->columns * hosts;
		if (array_grow(&b->table, &b->capacity, start + hosts, sizeof *b->table, error))
			return -1;
		memcpy(b->table + start, b->entry, hosts * sizeof *b->table);
		f->column[node] = f->columns++;
	}
	for (uint32_t i = 0; i < b->touches; i++) {
		b->entry[b->touched[i]] = NONE;
		b->twice[b->touched[i]] = false;
	}
	b->touches = 0;
	b->more_any = false;
	b->any = NONE;
	return b->all ? multipath_entries_builder_end_node(b->all, node, error) : 0;
}

/* Transposes: to[column][row] = from[row][column], in tiles that fit the first-level cache. */
static void transpose(uint32_t *to, const uint32_t *from, uint32_t rows, uint32_t columns)
{
	enum { TILE = 32 };
	for (uint32_t row = 0; row < rows; row += TILE)
		for (uint32_t column = 0; column < columns; column += TILE)
			for (uint32_t c = column; c < columns && c < column + TILE; c++)
				for (uint32_t r = row; r < rows && r < row + TILE; r++)
					to[(size_t)c * rows + r] = from[(size_t)r * columns + c];
}

struct forwarding *forwarding_builder_finish(
	struct forwarding_builder *b, bool take, struct forwarding_oddities *oddities, struct error *error)
{
	if (!b)
		return NULL;
	struct forwarding *f = b->forwarding;
	const struct fabric *fabric = b->fabric;
	if (take) {
		*oddities = b->oddities;
		for (uint32_t c = 0; c < fabric->channels; c++)
			f->hop[c] = (struct hop){fabric->head[c], f->column[fabric->head[c]]};
		f->next = array_create((size_t)fabric->hosts * f->columns, sizeof *f->next, error);
		if (f->next)
			transpose(f->next, b->table, f->columns, fabric->hosts);
	}
	free(b->entry);
	free(b->touched);
	free(b->twice);
	free(b->table);
	struct multipath_entries *all = multipath_entries_builder_finish(b->all, error);
	if (f)
		f->alternatives = all;
	free(b);
	if (take && !error->status)
		return f;
	forwarding_free(f);
	return NULL;
}

/*
 * Returns the single channel of all destinations in a column except the node itself, NONE if there is none. *any: whether the column has an
 * entry.
 */
static uint32_t only_of_column(const uint32_t *next, uint32_t columns, uint32_t column, uint32_t hosts, uint32_t self, bool *any)
{
	uint32_t only = NONE;
	bool alike = true;
	*any = false;
	for (uint32_t host = 0; host < hosts && (alike || !*any); host++) {
		uint32_t channel = next[(size_t)host * columns + column];
		*any |= channel != NONE;
		if (host == self)
			continue;
		alike &= channel != NONE && (only == NONE || channel == only);
		only = channel;
	}
	return alike ? only : NONE;
}

/* Removes the columns of nodes without a table, in place. */
static void leave_out(uint32_t *next, uint32_t columns, const uint32_t *kept, uint32_t count, uint32_t hosts)
{
	uint32_t *to = next;
	for (uint32_t host = 0; host < hosts; host++)
		for (uint32_t i = 0; i < count; i++)
			*to++ = next[(size_t)host * columns + kept[i]];
}

struct forwarding *forwarding_of_tables(
	const struct fabric *fabric, uint32_t *next, const uint32_t *column, uint32_t columns, struct error *error)
{
	uint32_t *kept = array_create(columns, sizeof *kept, error);
	struct forwarding *f = array_create(1, sizeof *f, error);
	if (f) {
		f->column = array_create(fabric->nodes, sizeof *f->column, error);
		f->fallback = array_create(fabric->nodes, sizeof *f->fallback, error);
		f->hop = array_create(fabric->channels, sizeof *f->hop, error);
	}
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++) {
		bool any = false;
		f->column[v] = f->fallback[v] = NONE;
		if (column[v] == NONE && fabric->first_channel[v] < fabric->first_channel[v + 1])
			f->fallback[v] = fabric->first_channel[v];
		if (column[v] != NONE)
			f->fallback[v] = only_of_column(next, columns, column[v], fabric->hosts, fabric->node_host[v], &any);
		if (any && f->fallback[v] == NONE) {
			kept[f->columns] = column[v];
			f->column[v] = f->columns++;
		}
	}
	for (uint32_t c = 0; c < fabric->channels && !error->status; c++)
		f->hop[c] = (struct hop){fabric->head[c], f->column[fabric->head[c]]};
	if (!error->status && f->columns < columns)
		leave_out(next, columns, kept, f->columns, fabric->hosts);
	free(kept);
	if (!error->status) {
		f->next = next;
		return f;
	}
	free(next);
	forwarding_free(f);
	return NULL;
}

struct forwarding *forwarding_without_entries(const struct fabric *fabric, struct error *error)
{
	struct forwarding_oddities none;
	struct forwarding_builder *builder = forwarding_builder_create(fabric, error);
	for (uint32_t v = 0; v < fabric->nodes && !error->status; v++)
		forwarding_builder_end_node(builder, v, error);
	return forwarding_builder_finish(builder, !error->status, &none, error);
}

struct forwarding *forwarding_copy(const struct fabric *fabric, const struct forwarding *from, struct error *error)
{
	struct forwarding *f = array_create(1, sizeof *f, error);
	if (!f)
		return NULL;
	f->columns = from->columns;
	f->via = from->via;
	f->column = array_copy(from->column, fabric->nodes, sizeof *f->column, error);
	f->fallback = array_copy(from->fallback, fabric->nodes, sizeof *f->fallback, error);
	f->next = array_copy(from->next, (size_t)fabric->hosts * f->columns, sizeof *f->next, error);
	f->hop = array_copy(from->hop, fabric->channels, sizeof *f->hop, error);
	if (from->alternatives)
		f->alternatives = multipath_entries_copy(fabric, from->alternatives, error);
	if (!error->status)
		return f;
	forwarding_free(f);
	return NULL;
}

void forwarding_free(struct forwarding *forwarding)
{
	if (!forwarding)
		return;
	if (!forwarding->shared) {
		free(forwarding->column);
		free(forwarding->fallback);
		free(forwarding->next);
		free(forwarding->hop);
	}
	multipath_entries_free(forwarding->alternatives);
	routing_function_free(forwarding->function);
	shortest_routes_free(forwarding->shortest);
	mapped_file_free(forwarding->mapping);
	free(forwarding);
}

bool forwarding_is_routed(const struct forwarding *forwarding, const struct fabric *fabric)
{
	for (uint32_t v = 0; v < fabric->nodes && forwarding; v++)
		if (fabric->node_host[v] == NONE && forwarding_any(forwarding, v))
			return true;
	return false;
}

void forwarding_compute(
	struct forwarding *forwarding, const struct fabric *fabric, struct routing_function *function, struct shortest_routes *shortest)
{
	forwarding->function = function;
	forwarding->shortest = shortest;
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (fabric->first_channel[v + 1] - fabric->first_channel[v] == 1)
			forwarding->fallback[v] = fabric->first_channel[v];
}
