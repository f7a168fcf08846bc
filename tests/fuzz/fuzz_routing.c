/*
 * Routing engines on small fabrics, whole, damaged or drawn: the engine, lanes, "roots" or nothing, and a topology, a line each; what
 * follows is bytes. On a topology each two of them take a channel away, and the one back unless the first is above 127; without one they
 * make a graph: how many switches, how many hosts, and pairs of nodes that a cable joins, or a channel if the first is above 127.
 *
 * An engine refuses in one line, or makes routes that are in order: tables name channels of their node, and lead without a loop to the
 * destination, by shortest ways where the engine promises that, and to all there is a way to if all cables go both ways; and packets on
 * the lanes cannot wait for one another in a circle unless the engine says so. Fabrics of a thousand nodes take their time, so they are
 * routed where FUZZ_LARGE is set.
 */
#include "target.h"
#include "routings/routing.h"

#include <math.h>

enum { FABRIC_MOST = 300, LARGE_MOST = 10000, SWITCHES_MOST = 12, HOSTS_MOST = 16, TAKEN_MOST = 40, FAR = 1000 };

/* A fabric under test. */
struct trial {
	const char *spec; /* of the topology, NULL: none */
	bool both_ways;   /* all cables */
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
	struct routing_graph graph;
	struct routing_task task;
	const struct routing *routing;
	struct routed routed;
	unsigned *distance; /* [nodes] to one destination */
	struct edges *edges;
};

/* ---- making a fabric: as text, which names all */

static void write_drawn(FILE *file, const uint8_t *bytes, size_t size, bool *both_ways)
{
	unsigned switches = 1 + (size > 0 ? bytes[0] : 3) % SWITCHES_MOST, hosts = 2 + (size > 1 ? bytes[1] : 3) % (HOSTS_MOST - 1);
	for (unsigned s = 0; s < switches; s++)
		fprintf(file, "S%u;", s);
	for (unsigned h = 0; h < hosts; h++)
		fprintf(file, "H%u->S%u->H%u;", h, (h * 7 + h / switches) % switches, h);
	for (size_t i = 2; i + 1 < size; i += 2) {
		unsigned a = bytes[i] % 128 % (switches + hosts), b = bytes[i + 1] % (switches + hosts);
		char name[2][8];
		snprintf(name[0], sizeof name[0], a < switches ? "S%u" : "H%u", a < switches ? a : a - switches);
		snprintf(name[1], sizeof name[1], b < switches ? "S%u" : "H%u", b < switches ? b : b - switches);
		fprintf(file, bytes[i] < 128 ? "%s->%s->%s;" : "%s->%s;", name[0], name[1], name[0]);
		*both_ways &= bytes[i] < 128;
	}
}

static void write_damaged(FILE *file, const struct fabric *f, const uint8_t *bytes, size_t size, bool *both_ways)
{
	struct error error = {0};
	uint32_t *back = fabric_reverse(f, &error);
	bool *gone = calloc(f->channels + 1, sizeof *gone);
	CHECK(back && gone);
	for (uint32_t c = 0; c < f->channels; c++)
		*both_ways &= back[c] != NONE;
	for (size_t i = 0; i + 1 < size && i / 2 < TAKEN_MOST && f->channels; i += 2) {
		uint32_t c = ((uint32_t)(bytes[i] & 127) << 8 | bytes[i + 1]) % f->channels;
		bool whole = bytes[i] < 128 || back[c] == NONE;
		*both_ways &= whole;
		gone[c] = true;
		if (whole && back[c] != NONE)
			gone[back[c]] = true;
	}
	for (uint32_t v = 0; v < f->nodes; v++)
		fprintf(file, "\"%s\" [type=%s];", f->labels->name[v], f->node_host[v] == NONE ? "switch" : "host");
	for (uint32_t v = 0; v < f->nodes; v++)
		for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++)
			if (!gone[c])
				fprintf(file, "\"%s\"->\"%s\";", f->labels->name[v], f->labels->name[f->head[c]]);
	free(gone);
	free(back);
}

static void make_fabric(struct trial *t, const uint8_t *bytes, size_t size)
{
	struct error error = {0};
	struct small_fabric whole = {0};
	struct dot_report report;
	char *text;
	size_t length;
	FILE *file = open_memstream(&text, &length);
	CHECK(file);
	fputs("digraph n {", file);
	t->both_ways = true;
	if (t->spec && !topology_fabric_load(t->spec, &whole.fabric, &whole.forwarding, &error))
		write_damaged(file, whole.fabric, bytes, size, &t->both_ways);
	else
		write_drawn(file, bytes, size, &t->both_ways);
	fputs("}", file);
	CHECK(!fclose(file));
	small_fabric_free(&whole);
	struct dot_memory memory = {text, length};
	error = (struct error){0};
	if (dot_load_text(&(struct dot_text){dot_read_memory, &memory, "fuzz"}, DOT_ALLOW_NO_LINK, &t->fabric, &t->forwarding,
		    &t->attributes, &report, &error))
		check_refused(&error, REFUSED_FABRIC);
	free(text);
}

/* ---- what must hold */

/* Channels to a destination, by ways that go through what forwards; FAR: none. */
static void find_distances(struct trial *t, uint32_t target)
{
	const struct fabric *f = t->fabric;
	for (uint32_t v = 0; v < f->nodes; v++)
		t->distance[v] = v == target ? 0 : FAR;
	for (bool more = true; more;) {
		more = false;
		for (uint32_t v = 0; v < f->nodes; v++)
			for (uint32_t c = f->first_channel[v]; c < f->first_channel[v + 1]; c++) {
				uint32_t w = f->head[c];
				bool passes = w == target || routing_is_switch(&t->graph, w);
				if (passes && t->distance[w] + 1 < t->distance[v]) {
					t->distance[v] = t->distance[w] + 1;
					more = true;
				}
			}
	}
}

/* Dependencies of channels with lanes, as they come; one may come many times. */
struct edges {
	struct {
		uint32_t from, to;
	} * edge;
	size_t count, capacity;
};

static void add_edge(struct edges *edges, uint32_t from, uint32_t to)
{
	if (edges->count == edges->capacity) {
		edges->capacity = edges->capacity ? 2 * edges->capacity : 1000;
		CHECK((edges->edge = realloc(edges->edge, edges->capacity * sizeof *edges->edge)));
	}
	edges->edge[edges->count].from = from;
	edges->edge[edges->count++].to = to;
}

/* By taking away what nothing leads to, until nothing changes. */
static bool has_circle(const struct edges *edges, uint32_t vertices)
{
	uint32_t *into = calloc(vertices + 1, sizeof *into), left = 0;
	CHECK(into);
	for (size_t i = 0; i < edges->count; i++)
		into[edges->edge[i].to]++;
	for (bool more = true; more;) {
		more = false;
		for (size_t i = 0; i < edges->count; i++) {
			uint32_t from = edges->edge[i].from, to = edges->edge[i].to;
			if (from == vertices || into[from])
				continue;
			into[to]--;
			edges->edge[i].from = vertices;
			more = true;
		}
	}
	for (uint32_t v = 0; v < vertices; v++)
		left += into[v] > 0;
	free(into);
	return left > 0;
}

static unsigned lane_of(const struct routed *routed, uint32_t channel, unsigned level)
{
	if (!routed->lane_bit)
		return level;
	return routed->lane_bit[channel] == LANE_BIT_ZERO ? 0 : level >> routed->lane_bit[channel] & 1;
}

/* The first node on the way of a host that has a column. */
static uint32_t start_of(const struct trial *t, uint32_t host)
{
	const struct fabric *f = t->fabric;
	uint32_t node = f->host_node[host], first = f->first_channel[node];
	return t->graph.column[node] == NONE && first < f->first_channel[node + 1] ? f->head[first] : node;
}

/* A channel after another on the way of a packet. */
static void depend(struct trial *t, uint32_t from, uint32_t to, unsigned level)
{
	const struct fabric *f = t->fabric;
	unsigned lane[2] = {lane_of(&t->routed, from, level), lane_of(&t->routed, to, level)};
	CHECK(lane[0] < t->routed.lanes && lane[1] < t->routed.lanes && t->routed.lanes <= t->task.lanes);
	if (routing_is_switch(&t->graph, f->head[to]) && routing_is_switch(&t->graph, t->graph.tail[from]))
		add_edge(t->edges, from * ROUTING_LEVELS_MAX + lane[0], to * ROUTING_LEVELS_MAX + lane[1]);
}

static bool named(const struct trial *t, const char *names)
{
	char word[40];
	snprintf(word, sizeof word, " %s ", t->routing->name);
	return strstr(names, word);
}

/* Follows the tables from one host to another. Returns whether they lead there. */
static bool follow(struct trial *t, uint32_t source, uint32_t destination)
{
	const struct fabric *f = t->fabric;
	const uint32_t *row = routed_row(&t->routed, &t->graph, destination);
	uint32_t node = f->host_node[source], target = f->host_node[destination], last = NONE, hops = 0, start = start_of(t, source);
	bool has = t->routed.level && t->graph.column[start] != NONE;
	unsigned level = has ? routed_levels(&t->routed, &t->graph, destination)[t->graph.column[start]] : 0;
	CHECK(level < t->routed.levels && t->routed.levels <= ROUTING_LEVELS_MAX);
	for (; node != target; hops++) {
		uint32_t first = f->first_channel[node], end = f->first_channel[node + 1];
		uint32_t channel = t->graph.column[node] != NONE ? row[t->graph.column[node]] : first < end ? first : NONE;
		if (channel == NONE)
			return false;
		CHECK(channel >= first && channel < end && hops <= f->nodes); /* else it is a loop */
		if (node != f->host_node[source] && !routing_is_switch(&t->graph, node))
			return false; /* a host that forwards nothing: the way of one that has another cable */
		if (last != NONE)
			depend(t, last, channel, level);
		last = channel;
		node = f->head[channel];
	}
	if (named(t, " minhop-orcs bfs ecmp sssp-orcs dfsssp-orcs lash-orcs "))
		CHECK(hops == t->distance[f->host_node[source]]);
	return true;
}

static void check_tables(struct trial *t)
{
	const struct fabric *f = t->fabric;
	/* with roots that somebody chose there may be no way up and down, and with few lanes none that keeps packets apart */
	bool reaches =
		named(t, " minhop-orcs bfs ecmp sssp-orcs updn-orcs dnup-orcs ftree-orcs nue ") || t->task.lanes == ROUTING_LANES_MAX;
	reaches &= !t->task.root_count && t->both_ways && !t->routed.opensm; /* whose hosts have one LID, and engines leave pairs out */
	for (uint32_t d = 0; d < f->hosts; d++) {
		find_distances(t, f->host_node[d]);
		for (uint32_t s = 0; s < f->hosts; s++)
			if (s != d && !follow(t, s, d))
				CHECK(!reaches || t->distance[f->host_node[s]] == FAR);
	}
	CHECK(t->routed.deadlocks || t->routed.via || !has_circle(t->edges, f->channels * ROUTING_LEVELS_MAX));
}

static void check_routes(struct trial *t, uint32_t source, uint32_t destination)
{
	const struct fabric *f = t->fabric;
	uint64_t from, to;
	double sum = 0;
	uint32_t *channels = malloc((f->nodes + 1) * sizeof *channels);
	CHECK(channels);
	if (!source_routes_find(t->routed.routes, source, destination, &from, &to)) {
		CHECK(t->distance[f->host_node[source]] == FAR);
		from = to = 0;
		sum = 1;
	}
	for (uint64_t r = from; r < to; r++) {
		uint32_t node = f->host_node[source], count = source_routes_channels(t->routed.routes, source, destination, r, channels);
		CHECK(count && count < f->nodes && count >= t->distance[node]);
		for (uint32_t i = 0; i < count; i++) {
			CHECK(channels[i] >= f->first_channel[node] && channels[i] < f->first_channel[node + 1]);
			CHECK(!i || routing_is_switch(&t->graph, node));
			node = f->head[channels[i]];
		}
		CHECK(node == f->host_node[destination]);
		sum += t->routed.routes->share[r];
	}
	CHECK(fabs(sum - 1) < 1e-8);
	free(channels);
}

static void check_routed(struct trial *t)
{
	CHECK(t->routed.lanes && t->routed.lanes <= t->task.lanes && memchr(t->routed.note, '\0', sizeof t->routed.note));
	if (!t->routed.routes) {
		check_tables(t);
		return;
	}
	for (uint32_t d = 0; d < t->fabric->hosts; d++) {
		find_distances(t, t->fabric->host_node[d]);
		for (uint32_t s = 0; s < t->fabric->hosts; s++)
			if (s != d)
				check_routes(t, s, d);
	}
}

static void route(struct trial *t, const struct lines *lines)
{
	struct error error = {0};
	struct edges edges = {0};
	uint32_t roots[3];
	CHECK(!routing_graph_init(&t->graph, t->fabric, &error));
	t->routing = routing_find(lines->line[0], &error);
	t->task = (struct routing_task){.graph = &t->graph,
		.topology = t->spec,
		.roots = roots,
		.lanes = 1 + line_number(lines->line[1], ROUTING_LANES_MAX),
		.seed = 1,
		.source_routes = t->routing && t->routing->source_routes};
	for (uint32_t v = 0; v < t->fabric->nodes && t->task.root_count < 2 && !strcmp(lines->line[2], "roots"); v++)
		if (t->fabric->node_host[v] == NONE)
			roots[t->task.root_count++] = v;
	if (routing_run(&t->routed, lines->line[0], &t->task, &error)) {
		check_refused(&error, REFUSED_FABRIC);
	} else {
		t->edges = &edges;
		CHECK((t->distance = malloc((t->fabric->nodes + 1) * sizeof *t->distance)));
		check_routed(t);
		free(t->distance);
		free(edges.edge);
	}
	routed_clear(&t->routed);
	routing_graph_clear(&t->graph);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct lines lines = lines_create(data, size);
	struct trial trial = {0};
	size_t before = 0;
	for (size_t i = 0; i < 4; i++)
		before += strlen(lines.line[i]) + 1;
	before = before < size ? before : size;
	if (topology_size(lines.line[3]) <= (getenv("FUZZ_LARGE") ? LARGE_MOST : FABRIC_MOST))
		trial.spec = lines.line[3];
	make_fabric(&trial, data + before, size - before);
	if (trial.fabric)
		route(&trial, &lines);
	forwarding_free(trial.forwarding);
	fabric_free(trial.fabric);
	attributes_free(trial.attributes);
	lines_free(&lines);
	return 0;
}
