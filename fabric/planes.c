#include "fabric/planes.h"

#include "base/memory.h"
#include "fabric/placement.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint32_t root_of(uint32_t *above, uint32_t node)
{
	while (above[node] != node)
		node = above[node] = above[above[node]];
	return node;
}

int planes_find(struct planes *planes, const struct fabric *fabric, struct error *error)
{
	const struct fabric *f = fabric;
	uint32_t *above = array_create(f->nodes, sizeof *above, error), *number = array_create(f->nodes, sizeof *number, error);
	*planes = (struct planes){
		.of = array_create(f->nodes, sizeof *planes->of, error),
		.hosts = array_create(f->hosts, sizeof *planes->hosts, error),
		.switches = array_create(f->hosts, sizeof *planes->switches, error),
	};
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		above[v] = v;
		number[v] = NONE;
	}
	for (uint32_t v = 0; v < f->nodes && !error->status; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			above[root_of(above, v)] = root_of(above, f->head[c]);
	for (uint32_t h = 0; h < f->hosts && !error->status; h++) {
		uint32_t *of = &number[root_of(above, f->host_node[h])];
		*of = *of == NONE ? planes->planes++ : *of;
		planes->hosts[*of]++;
	}
	for (uint32_t v = 0; v < f->nodes && !error->status; v++) {
		planes->of[v] = number[root_of(above, v)];
		if (planes->of[v] != NONE && f->node_host[v] == NONE)
			planes->switches[planes->of[v]]++;
	}
	free(above);
	free(number);
	return error->status ? -1 : 0;
}

void planes_clear(struct planes *planes)
{
	free(planes->of);
	free(planes->hosts);
	free(planes->switches);
	*planes = (struct planes){0};
}

uint32_t planes_of_pairs(const struct planes *planes)
{
	uint32_t count = 0;
	for (uint32_t p = 0; p < planes->planes; p++)
		count += planes->hosts[p] > 1;
	return count;
}

uint32_t *planes_list(const struct planes *planes, uint32_t *count, struct error *error)
{
	uint32_t *list = array_create(planes_of_pairs(planes), sizeof *list, error);
	*count = 0;
	for (uint32_t p = 0; p < planes->planes && list; p++)
		if (planes->hosts[p] > 1)
			list[(*count)++] = p + 1;
	return list;
}

int planes_apart(struct planes *planes, const struct fabric *fabric, const char *subset, const char *mapping, uint32_t ranks, uint64_t seed,
	bool *apart, struct error *error)
{
	struct placement placement = {0};
	*apart = false;
	if (planes_find(planes, fabric, error))
		return -1;
	if (planes_of_pairs(planes) > 1 && !placement_init(&placement, fabric, subset, mapping, ranks, seed, error))
		for (uint32_t r = 1; r < placement.ranks; r++)
			*apart |= planes->of[fabric->host_node[placement.host[r]]] != planes->of[fabric->host_node[placement.host[0]]];
	placement_clear(&placement);
	return error->status ? -1 : 0;
}

/* The objects that are kept: new number -> old, and back (NONE: not kept). */
struct kept {
	uint32_t *old, *new, count;
};

/* What is kept of a fabric. */
struct taking {
	const struct fabric *from;
	struct kept node, host, channel;
	struct kept vertex, edge; /* nodes and channels as the attributes number them, with those beside the fabric */
};

static int kept_init(struct kept *kept, uint32_t all, struct error *error)
{
	kept->old = array_create(all, sizeof *kept->old, error);
	kept->new = array_create(all, sizeof *kept->new, error);
	return error->status ? -1 : 0;
}

static void keep(struct kept *kept, uint32_t old, bool is_kept)
{
	kept->new[old] = is_kept ? kept->count : NONE;
	if (is_kept)
		kept->old[kept->count++] = old;
}

static void taking_clear(struct taking *t)
{
	struct kept *const all[] = {&t->node, &t->host, &t->channel, &t->vertex, &t->edge};
	for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
		free(all[i]->old);
		free(all[i]->new);
	}
}

static int choose(struct taking *t, const struct planes *planes, uint32_t plane, struct error *error)
{
	const struct fabric *f = t->from;
	if (kept_init(&t->node, f->nodes, error) || kept_init(&t->host, f->hosts, error) || kept_init(&t->channel, f->channels, error))
		return -1;
	for (uint32_t v = 0; v < f->nodes; v++) {
		keep(&t->node, v, planes->of[v] == plane);
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			keep(&t->channel, c, planes->of[v] == plane);
	}
	for (uint32_t h = 0; h < f->hosts; h++)
		keep(&t->host, h, planes->of[f->host_node[h]] == plane);
	return 0;
}

/* Chooses what the attributes describe: of the nodes beside the fabric, those with a way to a node that is kept. */
static int choose_attributes(struct taking *t, const struct attributes *a, struct error *error)
{
	uint32_t vertices = a->nodes + a->others;
	bool *reached = array_create(vertices, sizeof *reached, error), more = true;
	if (error->status || kept_init(&t->vertex, vertices, error) || kept_init(&t->edge, a->channels + a->other_channels, error)) {
		free(reached);
		return -1;
	}
	for (uint32_t v = 0; v < a->nodes; v++)
		reached[v] = t->node.new[v] != NONE;
	while (more) {
		more = false;
		for (uint32_t c = 0; c < a->other_channels; c++) {
			uint32_t tail = a->other_tail[c], head = a->other_head[c];
			more |= reached[tail] != reached[head];
			reached[tail] = reached[head] = reached[tail] || reached[head];
		}
	}
	for (uint32_t v = 0; v < vertices; v++)
		keep(&t->vertex, v, reached[v]);
	for (uint32_t c = 0; c < a->channels; c++)
		keep(&t->edge, c, t->channel.new[c] != NONE);
	for (uint32_t c = 0; c < a->other_channels; c++)
		keep(&t->edge, a->channels + c, reached[a->other_tail[c]]);
	free(reached);
	return 0;
}

static uint32_t renumber(const struct kept *kept, uint32_t old)
{
	return old == NONE ? NONE : kept->new[old];
}

/* ---- the fabric */

static void take_labels(const struct taking *t, struct fabric_labels *to)
{
	const struct fabric_labels *from = t->from->labels;
	for (uint32_t v = 0; v < t->node.count; v++) {
		to->name[v] = from->name[t->node.old[v]];
		to->desc[v] = from->desc[t->node.old[v]];
		to->guid[v] = from->guid[t->node.old[v]];
		to->lid[v] = from->lid[t->node.old[v]];
		name_table_add(&to->names, to->name[v], v);
	}
	for (uint32_t c = 0; c < t->channel.count; c++) {
		to->port[c] = from->port[t->channel.old[c]];
		to->peer_port[c] = from->peer_port[t->channel.old[c]];
		to->width[c] = from->width[t->channel.old[c]];
	}
	to->source = from->source;
	to->plane = true;
	to->line_of = from->line_of;
}

static struct fabric *take_fabric(const struct taking *t, struct error *error)
{
	const struct fabric *from = t->from;
	struct fabric *f = fabric_create(t->node.count, t->host.count, t->channel.count, error);
	if (f && from->latency)
		f->latency = array_create(f->channels, sizeof *f->latency, error);
	if (error->status) {
		fabric_free(f);
		return NULL;
	}
	double *gbps = array_create(f->channels, sizeof *gbps, error);
	for (uint32_t c = 0; gbps && c < f->channels; c++) {
		uint32_t old = t->channel.old[c];
		f->head[c] = t->node.new[from->head[old]];
		gbps[c] = from->speed[old] * from->slowest;
		f->speed[c] = from->speed[old];
		if (f->latency)
			f->latency[c] = from->latency[old];
	}
	for (uint32_t v = 0; v < f->nodes; v++) {
		uint32_t old = t->node.old[v];
		f->first_channel[v + 1] = f->first_channel[v] + from->first_channel[old + 1] - from->first_channel[old];
		f->node_host[v] = renumber(&t->host, from->node_host[old]);
		if (f->node_host[v] != NONE)
			f->host_node[f->node_host[v]] = v;
	}
	if (from->slowest > 0 && gbps)
		fabric_set_speeds(f, gbps); /* of other planes, the slowest host link can be slower */
	free(gbps);
	take_labels(t, f->labels);
	if (!error->status)
		return f;
	fabric_free(f);
	return NULL;
}

/* ---- its tables */

/* Keeps the columns of the nodes. Returns the columns of the rows of a table, by new numbers; column [nodes] is set. */
static uint32_t *take_columns(const struct taking *t, const uint32_t *from, uint32_t *column, uint32_t *columns, struct error *error)
{
	uint32_t *old = array_create(t->node.count, sizeof *old, error);
	*columns = 0;
	for (uint32_t v = 0; v < t->node.count && old; v++) {
		uint32_t at = from[t->node.old[v]];
		column[v] = at == NONE ? NONE : *columns;
		if (at != NONE)
			old[(*columns)++] = at;
	}
	return old;
}

static struct multipath_entries *take_alternatives(const struct taking *t, const struct multipath_entries *from, struct error *error)
{
	struct multipath_entries *a = array_create(1, sizeof *a, error);
	if (!a)
		return NULL;
	a->sets = from->sets;
	a->column = array_create(t->node.count, sizeof *a->column, error);
	uint32_t *old = a->column ? take_columns(t, from->column, a->column, &a->columns, error) : NULL;
	a->set = array_create((size_t)t->host.count * a->columns, sizeof *a->set, error);
	a->first = array_copy(from->first, (size_t)a->sets + 1, sizeof *a->first, error);
	a->channel = array_copy(from->channel, from->first[a->sets], sizeof *a->channel, error);
	a->share = array_copy(from->share, from->first[a->sets], sizeof *a->share, error);
	for (uint32_t h = 0; h < t->host.count && !error->status; h++)
		for (uint32_t k = 0; k < a->columns; k++)
			a->set[(size_t)h * a->columns + k] = from->set[(size_t)t->host.old[h] * from->columns + old[k]];
	for (uint32_t i = 0; !error->status && i < from->first[a->sets]; i++)
		a->channel[i] = renumber(&t->channel, a->channel[i]); /* sets of other planes are not used any more */
	free(old);
	if (!error->status)
		return a;
	multipath_entries_free(a);
	return NULL;
}

static struct forwarding *take_forwarding(
	const struct taking *t, const struct forwarding *from, const struct fabric *fabric, struct error *error)
{
	struct forwarding *f = array_create(1, sizeof *f, error);
	if (!f)
		return NULL;
	f->via = from->via;
	f->column = array_create(t->node.count, sizeof *f->column, error);
	f->fallback = array_create(t->node.count, sizeof *f->fallback, error);
	f->hop = array_create(t->channel.count, sizeof *f->hop, error);
	uint32_t *old = error->status ? NULL : take_columns(t, from->column, f->column, &f->columns, error);
	f->next = array_create((size_t)t->host.count * f->columns, sizeof *f->next, error);
	if (from->alternatives && !error->status)
		f->alternatives = take_alternatives(t, from->alternatives, error);
	for (uint32_t h = 0; h < t->host.count && !error->status; h++)
		for (uint32_t k = 0; k < f->columns; k++)
			f->next[(size_t)h * f->columns + k] =
				renumber(&t->channel, from->next[(size_t)t->host.old[h] * from->columns + old[k]]);
	for (uint32_t v = 0; v < t->node.count && !error->status; v++)
		f->fallback[v] = renumber(&t->channel, from->fallback[t->node.old[v]]);
	for (uint32_t c = 0; c < t->channel.count && !error->status; c++)
		f->hop[c] = (struct hop){fabric->head[c], f->column[fabric->head[c]]};
	free(old);
	if (!error->status)
		return f;
	forwarding_free(f);
	return NULL;
}

/* ---- its attributes */

/* Keeps values in place. */
static void keep_values(const struct kept *kept, const char **value)
{
	for (uint32_t i = 0; value && i < kept->count; i++)
		value[i] = value[kept->old[i]];
}

static void keep_attributes(const struct taking *t, struct attributes *a, const struct fabric *fabric)
{
	const struct kept *of[] = {[ATTRIBUTE_NODE] = &t->vertex, [ATTRIBUTE_CHANNEL] = &t->edge};
	for (int kind = ATTRIBUTE_NODE; kind <= ATTRIBUTE_CHANNEL; kind++)
		for (size_t i = 0; i < a->columns[kind]; i++)
			keep_values(of[kind], a->column[kind][i].value);
	keep_values(&t->edge, a->key);
	if (a->name == (const char *const *)t->from->labels->name)
		a->name = fabric->labels->name;
	else
		keep_values(&t->vertex, (const char **)a->name);
	for (uint32_t p = 0, next = 0; a->place && p < a->channels; p++)
		if (t->channel.new[a->place[p]] != NONE)
			a->place[next++] = t->channel.new[a->place[p]];
	uint32_t channels = t->channel.count;
	for (uint32_t c = channels; c < t->edge.count; c++) {
		uint32_t old = t->edge.old[c] - a->channels;
		a->other_tail[c - channels] = t->vertex.new[a->other_tail[old]];
		a->other_head[c - channels] = t->vertex.new[a->other_head[old]];
	}
	a->nodes = t->node.count;
	a->channels = channels;
	a->others = t->vertex.count - a->nodes;
	a->other_channels = t->edge.count - channels;
}

/* ---- all of them */

static int take(
	struct taking *t, struct fabric **fabric, struct forwarding **forwarding, struct attributes *attributes, struct error *error)
{
	struct fabric *f = take_fabric(t, error);
	struct forwarding *tables = f && *forwarding ? take_forwarding(t, *forwarding, f, error) : NULL;
	if (error->status) {
		fabric_free(f);
		return -1;
	}
	if (attributes)
		keep_attributes(t, attributes, f);
	f->labels->pool = (*fabric)->labels->pool;
	f->labels->descriptions = (*fabric)->labels->descriptions;
	(*fabric)->labels->pool = (*fabric)->labels->descriptions = NULL;
	f->labels->hash = forwarding_hash(f, tables);
	fabric_free(*fabric);
	forwarding_free(*forwarding);
	*fabric = f;
	*forwarding = tables;
	return 0;
}

int planes_take(uint32_t plane, struct fabric **fabric, struct forwarding **forwarding, struct attributes *attributes, struct error *error)
{
	struct taking t = {.from = *fabric};
	struct planes planes;
	if (!planes_find(&planes, *fabric, error) && (plane >= planes.planes || planes.planes > 1)) {
		const char *source = (*fabric)->labels->source;
		if (plane >= planes.planes)
			error_at(error, STATUS_USAGE, source, 0, "--plane %" PRIu32 ": the fabric has %" PRIu32 " plane%s", plane + 1,
				planes.planes, planes.planes == 1 ? "" : "s");
		else if (*forwarding && (*forwarding)->function)
			error_at(error, STATUS_USAGE, source, 0, "--plane is not available with computed routes");
		else if (!choose(&t, &planes, plane, error) && !(attributes && choose_attributes(&t, attributes, error)))
			take(&t, fabric, forwarding, attributes, error);
	}
	planes_clear(&planes);
	taking_clear(&t);
	return error->status ? -1 : 0;
}
