#include "fabric/subset.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

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

static int choose(struct taking *t, const bool *node, const bool *channel, struct error *error)
{
	const struct fabric *f = t->from;
	if (kept_init(&t->node, f->nodes, error) || kept_init(&t->host, f->hosts, error) || kept_init(&t->channel, f->channels, error))
		return -1;
	for (uint32_t v = 0; v < f->nodes; v++)
		keep(&t->node, v, node[v]);
	for (uint32_t h = 0; h < f->hosts; h++)
		keep(&t->host, h, node[f->host_node[h]]);
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			keep(&t->channel, c, channel[c] && node[v] && node[f->head[c]]);
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
		for (uint32_t i = 0; i < 2 * a->other_channels; i++) {
			uint32_t ends[] = {a->other_tail[i / 2], a->other_head[i / 2]}, to = ends[i % 2];
			bool reaches = reached[ends[!(i % 2)]] && !reached[to] && to >= a->nodes;
			reached[to] |= reaches;
			more |= reaches;
		}
	}
	for (uint32_t v = 0; v < vertices; v++)
		keep(&t->vertex, v, reached[v]);
	for (uint32_t c = 0; c < a->channels; c++)
		keep(&t->edge, c, t->channel.new[c] != NONE);
	for (uint32_t c = 0; c < a->other_channels; c++)
		keep(&t->edge, a->channels + c, reached[a->other_tail[c]] && reached[a->other_head[c]]);
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
		to->node_guid[v] = from->node_guid[t->node.old[v]];
		to->lid[v] = from->lid[t->node.old[v]];
		to->lmc[v] = from->lmc[t->node.old[v]];
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
		f->first_channel[v + 1] = f->first_channel[v];
		for (uint32_t c = from->first_channel[old]; c < from->first_channel[old + 1]; c++)
			f->first_channel[v + 1] += t->channel.new[c] != NONE;
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

/* The sets of channels without those that are not kept: new numbers of sets, and the first channel of each old one (NONE: none is left). */
struct kept_sets {
	uint32_t *new, *first;
};

/* Shortens the sets of the copy in place; those with one channel or none are no sets any more. */
static void shorten_sets(const struct taking *t, struct multipath_entries *a, const struct multipath_entries *from, struct kept_sets *sets)
{
	uint32_t next = 0;
	a->sets = 0;
	for (uint32_t s = 0; s < from->sets; s++) {
		uint32_t begin = next;
		double sum = 0;
		for (uint32_t i = from->first[s]; i < from->first[s + 1]; i++) {
			a->channel[next] = t->channel.new[from->channel[i]];
			a->share[next] = from->share[i];
			sum += a->channel[next] == NONE ? 0 : from->share[i];
			next += a->channel[next] != NONE;
		}
		bool whole = next - begin == from->first[s + 1] - from->first[s];
		for (uint32_t i = begin; i < next && !whole; i++)
			a->share[i] /= sum;
		sets->first[s] = next > begin ? a->channel[begin] : NONE;
		sets->new[s] = next - begin > 1 ? a->sets : NONE;
		if (next - begin > 1)
			a->first[++a->sets] = next;
		else
			next = begin;
	}
}

/* Takes the entries of several channels. Where the first one is not kept, the table gets the next. */
static struct multipath_entries *take_alternatives(
	const struct taking *t, const struct multipath_entries *from, struct forwarding *tables, struct error *error)
{
	struct multipath_entries *a = array_create(1, sizeof *a, error);
	struct kept_sets sets = {array_create(from->sets, sizeof *sets.new, error), array_create(from->sets, sizeof *sets.first, error)};
	uint32_t *old = NULL;
	if (!error->status) {
		a->column = array_create(t->node.count, sizeof *a->column, error);
		old = a->column ? take_columns(t, from->column, a->column, &a->columns, error) : NULL;
		a->set = array_create((size_t)t->host.count * a->columns, sizeof *a->set, error);
		a->first = array_create((size_t)from->sets + 1, sizeof *a->first, error);
		a->channel = array_create(from->first[from->sets], sizeof *a->channel, error);
		a->share = array_create(from->first[from->sets], sizeof *a->share, error);
	}
	if (!error->status)
		shorten_sets(t, a, from, &sets);
	for (uint32_t v = 0; v < t->node.count && !error->status; v++)
		for (uint32_t h = 0; a->column[v] != NONE && h < t->host.count; h++) {
			uint32_t set = from->set[(size_t)t->host.old[h] * from->columns + old[a->column[v]]], column = tables->column[v];
			a->set[(size_t)h * a->columns + a->column[v]] = set == NONE ? NONE : sets.new[set];
			uint32_t *entry = column == NONE ? &tables->fallback[v] : &tables->next[(size_t)h * tables->columns + column];
			if (set != NONE && *entry == NONE)
				*entry = sets.first[set];
		}
	free(old);
	free(sets.new);
	free(sets.first);
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
	for (uint32_t h = 0; h < t->host.count && !error->status; h++)
		for (uint32_t k = 0; k < f->columns; k++)
			f->next[(size_t)h * f->columns + k] =
				renumber(&t->channel, from->next[(size_t)t->host.old[h] * from->columns + old[k]]);
	for (uint32_t v = 0; v < t->node.count && !error->status; v++)
		f->fallback[v] = renumber(&t->channel, from->fallback[t->node.old[v]]);
	for (uint32_t c = 0; c < t->channel.count && !error->status; c++)
		f->hop[c] = (struct hop){fabric->head[c], f->column[fabric->head[c]]};
	if (from->alternatives && !error->status)
		f->alternatives = take_alternatives(t, from->alternatives, f, error);
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

int fabric_keep(const bool *node, const bool *channel, struct fabric **fabric, struct forwarding **forwarding,
	struct attributes *attributes, struct error *error)
{
	struct taking t = {.from = *fabric};
	struct fabric *f = NULL;
	struct forwarding *tables = NULL;
	if (!choose(&t, node, channel, error) && !(attributes && choose_attributes(&t, attributes, error)) &&
		(f = take_fabric(&t, error)) && *forwarding)
		tables = take_forwarding(&t, *forwarding, f, error);
	if (!error->status) {
		if (attributes)
			keep_attributes(&t, attributes, f);
		f->labels->pool = (*fabric)->labels->pool;
		f->labels->descriptions = (*fabric)->labels->descriptions;
		f->labels->removed = (*fabric)->labels->removed;
		(*fabric)->labels->pool = (*fabric)->labels->descriptions = NULL;
		(*fabric)->labels->removed = NULL;
		f->labels->hash = forwarding_hash(f, tables);
		fabric_free(*fabric);
		forwarding_free(*forwarding);
		*fabric = f;
		*forwarding = tables;
	} else {
		fabric_free(f);
	}
	taking_clear(&t);
	return error->status ? -1 : 0;
}

struct fabric *fabric_part(const struct fabric *fabric, const bool *node, const bool *channel, uint32_t *node_new, uint32_t *channel_old,
	uint32_t *host_old, struct error *error)
{
	struct taking t = {.from = fabric};
	struct fabric *part = choose(&t, node, channel, error) ? NULL : take_fabric(&t, error);
	if (part) {
		memcpy(node_new, t.node.new, fabric->nodes * sizeof *node_new);
		memcpy(channel_old, t.channel.old, t.channel.count * sizeof *channel_old);
		memcpy(host_old, t.host.old, t.host.count * sizeof *host_old);
	}
	taking_clear(&t);
	return part;
}
