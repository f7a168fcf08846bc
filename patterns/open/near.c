#include "patterns/open/near.h"
#include "base/memory.h"
#include "patterns/open/draw.h"

#include "topologies/topology.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t bytes_max = UINT64_C(1) << 31;

/* The state of the construction of the tables. */
struct search {
	const struct fabric *fabric;
	struct parts *parts;
	const struct near_rule *rule;
	bool hosts_forward;
	uint32_t *first_node, *node; /* of parts: [count + 1]; those through which paths continue */
	uint32_t *distance;          /* [nodes] NONE: not reached */
	uint32_t *queue;             /* [nodes] */
	uint32_t *reached;           /* [count] distance of each part, NONE */
	uint32_t most;               /* longer distances are not needed */
	uint32_t from;               /* the part from which distances are */
	uint32_t least, largest;     /* of an exact rule: the distances of ranks that occur */
	uint64_t *ranks, *runs;      /* [nodes + NEAR_CLASSES] of each class of the part */
	bool *class_used;            /* [nodes + NEAR_CLASSES] it has a probability */
};

/* Returns whether hosts forward: the topology implies it, or some are joined to each other. */
static bool hosts_forward(const struct traffic_setup *setup)
{
	const struct fabric *fabric = setup->fabric;
	bool forward = setup->topology && topology_hosts_forward(setup->topology);
	for (uint32_t h = 0; h < fabric->hosts && !forward; h++) {
		uint32_t v = fabric->host_node[h];
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			forward |= fabric->node_host[fabric->head[c]] != NONE;
	}
	return forward;
}

/* Returns whether paths from a part continue from its node: hosts that are attached only to a switch of the part are ends. */
static bool goes_on(const struct search *s, uint32_t v)
{
	const struct fabric *fabric = s->fabric;
	if (fabric->node_host[v] == NONE)
		return true;
	for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
		if (s->parts->of_node[fabric->head[c]] != s->parts->of_node[v])
			return true;
	return false;
}

/* Sorts nodes by their parts. */
static void sort_nodes(struct search *s)
{
	const uint32_t *of_node = s->parts->of_node;
	for (uint32_t v = 0; v < s->fabric->nodes; v++)
		if (of_node[v] != NONE && goes_on(s, v))
			s->first_node[of_node[v] + 2]++;
	for (uint32_t i = 0; i < s->parts->count; i++)
		s->first_node[i + 2] += s->first_node[i + 1];
	for (uint32_t v = 0; v < s->fabric->nodes; v++)
		if (of_node[v] != NONE && goes_on(s, v))
			s->node[s->first_node[of_node[v] + 1]++] = v;
}

static void clear_search(struct search *s)
{
	free(s->first_node);
	free(s->node);
	free(s->distance);
	free(s->queue);
	free(s->reached);
	free(s->ranks);
	free(s->runs);
	free(s->class_used);
}

static int init_search(struct search *s, struct error *error)
{
	uint32_t nodes = s->fabric->nodes, parts = s->parts->count;
	s->first_node = array_create((size_t)parts + 2, sizeof *s->first_node, error);
	s->node = array_create(nodes, sizeof *s->node, error);
	s->distance = array_create(nodes, sizeof *s->distance, error);
	s->queue = array_create(nodes, sizeof *s->queue, error);
	s->reached = array_create(parts, sizeof *s->reached, error);
	s->ranks = array_create((size_t)nodes + NEAR_CLASSES, sizeof *s->ranks, error);
	s->runs = array_create((size_t)nodes + NEAR_CLASSES, sizeof *s->runs, error);
	s->class_used = array_create((size_t)nodes + NEAR_CLASSES, sizeof *s->class_used, error);
	if (!error->status)
		sort_nodes(s);
	return error->status ? -1 : 0;
}

/* ---- distances */

/* Marks all of a part as reached: its nodes join the queue. Returns the queue's new end. */
static uint32_t reach_part(struct search *s, uint32_t part, uint32_t distance, uint32_t end)
{
	s->reached[part] = distance;
	if (distance && s->rule->decay == 0 && !s->rule->hops && parts_size(s->parts, part) && s->most == NONE)
		s->most = distance + s->parts->on_switch[part];
	for (uint32_t i = s->first_node[part]; i < s->first_node[part + 1]; i++) {
		s->distance[s->node[i]] = distance;
		s->queue[end++] = s->node[i];
	}
	return end;
}

static uint32_t reach(struct search *s, uint32_t v, uint32_t distance, uint32_t end)
{
	uint32_t part = s->parts->of_node[v];
	if (part != NONE)
		return s->reached[part] == NONE ? reach_part(s, part, distance, end) : end;
	if (s->distance[v] != NONE)
		return end;
	s->distance[v] = distance;
	s->queue[end++] = v;
	return end;
}

/* Computes the distances of all parts that matter from one part: breadth first. */
static void find_distances(struct search *s, uint32_t from)
{
	const struct fabric *fabric = s->fabric;
	s->from = from;
	s->most = s->rule->decay > 0 || !s->rule->hops ? NONE : s->rule->hops;
	memset(s->distance, 0xff, fabric->nodes * sizeof *s->distance); /* NONE */
	memset(s->reached, 0xff, s->parts->count * sizeof *s->reached);
	uint32_t end = reach_part(s, from, 0, 0);
	for (uint32_t i = 0; i < end; i++) {
		uint32_t v = s->queue[i], distance = s->distance[v] + 1;
		if (distance > s->most)
			break;
		if (fabric->node_host[v] != NONE && !s->hosts_forward && distance > 1)
			continue;
		for (uint32_t c = fabric->first_channel[v]; c < fabric->first_channel[v + 1]; c++)
			end = reach(s, fabric->head[c], distance, end);
	}
}

/* ---- classes */

/*
 * Returns the hops to the hosts of a part, without the first if there is a switch in between: 0 for the same part, NONE if it was not
 * reached.
 */
static uint32_t hops_to(const struct search *s, uint32_t part)
{
	uint32_t distance = s->reached[part];
	return distance == 0 || distance == NONE ? distance : distance + s->parts->on_switch[part];
}

/* Returns the smallest distance of another part that is reached, NONE if there is none. */
static uint32_t least_distance(const struct search *s, uint32_t from)
{
	uint32_t least = NONE;
	for (uint32_t q = 0; q < s->parts->count; q++)
		if (q != from && hops_to(s, q) < least && parts_size(s->parts, q))
			least = hops_to(s, q);
	return least;
}

/* Returns the cables between the switches of two hosts, or the hosts if they forward; NONE: the part was not reached, or has no other. */
static uint32_t cables_to(const struct search *s, uint32_t part)
{
	uint32_t ends = s->parts->on_switch[s->from] + s->parts->on_switch[part], cables = s->reached[part] + ends;
	bool others = parts_size(s->parts, part) > (part == s->from);
	return !others || !cables || s->reached[part] == NONE ? NONE : cables - (s->hosts_forward ? 0 : 2);
}

/* Notes the distances that occur. */
static void note_distances(struct search *s)
{
	for (uint32_t q = 0; q < s->parts->count; q++) {
		uint32_t cables = cables_to(s, q);
		s->least = cables < s->least ? cables : s->least;
		s->largest = cables != NONE && cables > s->largest ? cables : s->largest;
	}
}

/* Returns the class of a part: its distance, or that of the share; NONE: it gets nothing. hops: the last distance of class 1. */
static uint32_t class_of(const struct search *s, uint32_t part, uint32_t hops)
{
	uint32_t distance = hops_to(s, part);
	if (s->rule->exact)
		return cables_to(s, part) == hops ? distance : NONE;
	return s->rule->decay > 0 || distance == 0 ? distance : distance <= hops && distance != NONE ? 1 : 2;
}

/* Counts the ranks and the runs of each class of a part. Returns an upper bound of the number of classes. */
static uint32_t count_classes(struct search *s, uint32_t from, uint32_t hops)
{
	uint32_t last = NONE, classes = 0;
	for (uint32_t q = 0; q < s->parts->count; q++) {
		uint32_t c = class_of(s, q, hops);
		if (!parts_size(s->parts, q))
			continue;
		if (c != NONE) {
			for (; classes <= c || classes < NEAR_CLASSES; classes++)
				s->ranks[classes] = s->runs[classes] = 0;
			s->ranks[c] += parts_size(s->parts, q) - (q == from);
			s->runs[c] += q != from && c != last;
		}
		last = c;
	}
	return classes;
}

static double power(double base, uint32_t exponent)
{
	double result = 1;
	for (; exponent && result > 0; exponent--)
		result *= base;
	return result;
}

static int refuse_class(const struct traffic_call *call, uint32_t rank, uint32_t class, uint32_t hops, struct error *error)
{
	char which[60] = "in its part";
	if (class == 1 && hops == NONE)
		snprintf(which, sizeof which, "that it reaches");
	else if (class == 1)
		snprintf(which, sizeof which, "within %" PRIu32 " hops of it", hops);
	else if (class == 2)
		snprintf(which, sizeof which, "more than %" PRIu32 " hops away", hops);
	return error_set(error, STATUS_USAGE, "traffic '%s': rank %" PRIu32 " has no other rank %s to send its share to",
		call->pattern->name, rank, which);
}

/*
 * Adds the classes of a part that have a probability, and room for their runs. Sets runs of the search to the index where those of each
 * class begin.
 */
static int add_classes(
	struct near *near, struct search *s, const struct traffic_call *call, uint32_t from, uint32_t hops, struct error *error)
{
	const struct near_rule *rule = s->rule;
	uint32_t classes = count_classes(s, from, hops), nearest = 0;
	double sum = 0;
	while (nearest < classes && !s->ranks[nearest])
		nearest++;
	uint32_t base = nearest ? nearest : s->parts->on_switch[from];
	for (uint32_t c = 0; c < classes; c++) {
		uint32_t hops_on = c > base ? c - base : 0; /* beyond the nearest */
		double chance = rule->decay > 0 ? (double)s->ranks[c] * power(rule->decay, hops_on) : rule->share[c];
		uint64_t runs = s->runs[c];
		if (chance > 0 && !s->ranks[c])
			return refuse_class(call, near->parts.rank[near->parts.first[from]], c, hops, error);
		s->class_used[c] = chance > 0;
		if (!s->class_used[c])
			continue;
		if ((near->classes + 1) * sizeof *near->class + (near->runs + runs) * sizeof *near->run > bytes_max)
			return error_set(error, STATUS_USAGE, "traffic '%s': the tables of distances would exceed %" PRIu64 " bytes",
				call->pattern->name, bytes_max);
		if (array_grow(&near->class, &near->class_room, near->classes + 2, sizeof *near->class, error) ||
			array_grow(&near->run, &near->run_room, near->runs + runs, sizeof *near->run, error))
			return -1;
		sum += chance;
		near->class[near->classes++] = (struct near_class){sum, (uint32_t)s->ranks[c], c, near->runs};
		s->runs[c] = near->runs;
		s->ranks[c] = 0;
		near->runs += runs;
	}
	return sum > 0 || rule->exact ? 0
				      : error_set(error, STATUS_USAGE, "traffic '%s': rank %" PRIu32 " has no other rank to send to",
						call->pattern->name, near->parts.rank[near->parts.first[from]]);
}

/* Writes the runs of a part where add_classes() has made room. */
static void add_runs(struct near *near, struct search *s, uint32_t from, uint32_t hops)
{
	uint32_t last = NONE;
	for (uint32_t q = 0; q < s->parts->count; q++) {
		uint32_t c = class_of(s, q, hops);
		if (!parts_size(s->parts, q))
			continue;
		if (q != from && c != NONE && s->class_used[c]) {
			if (c != last)
				near->run[s->runs[c]++].place = near->parts.first[q];
			s->ranks[c] += parts_size(&near->parts, q);
			near->run[s->runs[c] - 1].until = (uint32_t)s->ranks[c];
		}
		last = c;
	}
}

static int add_part(struct near *near, struct search *s, const struct traffic_call *call, uint32_t from, struct error *error)
{
	near->first[from] = near->classes;
	if (!parts_size(s->parts, from))
		return 0;
	find_distances(s, from);
	uint32_t hops = s->rule->hops || s->rule->exact ? s->rule->hops : least_distance(s, from);
	if (s->rule->exact)
		note_distances(s);
	if (add_classes(near, s, call, from, hops, error))
		return -1;
	add_runs(near, s, from, hops);
	return 0;
}

static int refuse_distance(const struct traffic_call *call, const struct search *s, struct error *error)
{
	char known[80] = "no rank reaches another";
	if (s->least != NONE)
		snprintf(known, sizeof known, "the others are %" PRIu32 " to %" PRIu32 " hops away", s->least, s->largest);
	return error_set(error, STATUS_USAGE, "traffic '%s': no rank has another at %" PRIu32 " hops: %s", call->pattern->name,
		s->rule->hops, known);
}

int near_setup(struct traffic_call *call, enum parts_of of, const struct near_rule *rule, struct error *error)
{
	struct near *near = call->data = array_create(1, sizeof *near, error);
	struct search search = {.fabric = call->setup.fabric, .rule = rule, .least = NONE};
	if (!near || parts_init(&near->parts, &call->setup, of, error))
		return -1;
	search.parts = &near->parts;
	search.hosts_forward = hosts_forward(&call->setup);
	uint32_t tables = near->parts.alike ? 1 : near->parts.count;
	near->first = array_create((size_t)tables + 1, sizeof *near->first, error);
	if (!init_search(&search, error))
		for (uint32_t part = 0; part < tables && !error->status; part++)
			add_part(near, &search, call, part, error);
	if (!error->status && !near->classes)
		refuse_distance(call, &search, error);
	if (!error->status) { /* runs end where those of the next begin */
		near->first[tables] = near->classes;
		near->class[near->classes] = (struct near_class){.first = near->runs};
	}
	clear_search(&search);
	return error->status ? -1 : 0;
}

void near_clear(struct traffic_call *call)
{
	struct near *near = call->data;
	if (!near)
		return;
	parts_clear(&near->parts);
	free(near->first);
	free(near->class);
	free(near->run);
}

/* ---- messages */

/* Returns the first class whose bound exceeds the drawn share. */
static const struct near_class *draw_class(const struct near *near, uint32_t table, double share)
{
	uint64_t low = near->first[table], high = near->first[table + 1] - 1;
	double drawn = share * near->class[high].until;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (near->class[middle].until > drawn)
			high = middle;
		else
			low = middle + 1;
	}
	return &near->class[low];
}

/* Returns the place of the rank with that number within the class. */
static uint32_t place_in(const struct near *near, const struct near_class *class, uint32_t number)
{
	uint64_t low = class->first, high = class[1].first - 1;
	while (low < high) {
		uint64_t middle = low + (high - low) / 2;
		if (near->run[middle].until > number)
			high = middle;
		else
			low = middle + 1;
	}
	return near->run[low].place + number - (low > class->first ? near->run[low - 1].until : 0);
}

uint32_t near_receiver(const struct traffic_call *call, uint32_t source, const uint32_t word[4])
{
	const struct near *near = call->data;
	const struct parts *parts = &near->parts;
	uint32_t part = parts->of_rank[source], table = parts->alike ? 0 : part;
	uint64_t more = draw_more(word, 2);
	if (near->first[table] == near->first[table + 1])
		return NONE;
	const struct near_class *class = draw_class(near, table, draw_share(draw_bits(word + 2)));
	if (class->distance == 0)
		return parts->rank[draw_other(more, parts->first[part], parts_size(parts, part), parts->place[source])];
	uint32_t place = place_in(near, class, draw_below(more, class->ranks));
	if (parts->alike)
		place = parts_shift(parts, part, place / parts->each) * parts->each + place % parts->each;
	return parts->rank[place];
}
