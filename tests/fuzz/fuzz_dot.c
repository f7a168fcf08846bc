/*
 * Any bytes as a dot file: the reader refuses them with one line of text, or makes a fabric that is in order. Then hosts are placed,
 * a bisection is run, and the graph is written; what is written must read as the same fabric. The reader of plain graphs and cgraph agree.
 */
#include "memory_file.h"
#include "base/memory.h"
#include "fabric/placement.h"
#include "fabric/walk.h"
#include "formats/dot_plain.h"
#include "engines/congestion/congestion.h"

#include <math.h>
#include <string.h>

static const volatile sig_atomic_t never_stop;

/* A fabric as dot_load gives it. */
struct loaded {
	struct fabric *fabric;
	struct forwarding *forwarding;
	struct attributes *attributes;
};

static void unload(struct loaded *loaded)
{
	forwarding_free(loaded->forwarding);
	fabric_free(loaded->fabric);
	attributes_free(loaded->attributes);
}

static void check_error(const struct error *error)
{
	CHECK(error->status == STATUS_FABRIC || error->status == STATUS_IO);
	CHECK(*error->text && strlen(error->text) < sizeof error->text);
	for (const char *c = error->text; *c; c++)
		CHECK((unsigned char)*c >= ' ' && *c != 127);
}

static void check_fabric(const struct fabric *fabric)
{
	uint32_t hosts = 0;
	CHECK(fabric->hosts > 0 && fabric->hosts <= fabric->nodes);
	CHECK(fabric->first_channel[0] == 0 && fabric->first_channel[fabric->nodes] == fabric->channels);
	for (uint32_t v = 0; v < fabric->nodes; v++) {
		CHECK(fabric->first_channel[v] <= fabric->first_channel[v + 1]);
		CHECK(fabric->labels->name[v] && fabric->labels->desc[v]);
		if (fabric->node_host[v] == NONE)
			continue;
		CHECK(fabric->node_host[v] == hosts);
		CHECK(fabric->host_node[hosts++] == v);
	}
	CHECK(hosts == fabric->hosts);
	for (uint32_t c = 0; c < fabric->channels; c++) {
		CHECK(fabric->head[c] < fabric->nodes);
		CHECK(isfinite(fabric->speed[c]) && fabric->speed[c] > 0);
	}
}

/* A table may only name channels of its own node. */
static void check_forwarding(const struct fabric *fabric, const struct forwarding *forwarding)
{
	for (uint32_t v = 0; v < fabric->nodes; v++)
		for (uint32_t h = 0; h < fabric->hosts; h++) {
			uint32_t channel = forwarding_next(forwarding, v, forwarding->column[v], h);
			CHECK(channel == NONE || (channel >= fabric->first_channel[v] && channel < fabric->first_channel[v + 1]));
		}
}

static void check_reverse(const struct fabric *fabric)
{
	struct error error = {0};
	uint32_t *reverse = fabric_reverse(fabric, &error);
	CHECK(reverse);
	for (uint32_t c = 0; c < fabric->channels; c++)
		CHECK(reverse[c] == NONE || (reverse[reverse[c]] == c && fabric_tail(fabric, reverse[c]) == fabric->head[c]));
	free(reverse);
}

/* Whether cgraph can read the text. */
static bool reads(const char *text)
{
	struct dot_report report = {0};
	struct error error = {0};
	struct dot_graph graph;
	struct dot_memory memory = {text, strlen(text)};
	bool fine = !dot_cgraph_read(&graph, &(struct dot_text){dot_read_memory, &memory, "text"}, &report, &error);
	dot_graph_clear(&graph);
	return fine;
}

/* cgraph's scanner begins a file where it ended the one before, be it in an open string or comment, or deep in HTML. This closes all. */
static void settle(void)
{
	static const char closers[] = "\"*/>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>>";
	for (int round = 0; !reads("digraph { H1 -> S; S -> H1 }"); round++) {
		CHECK(round < 1000);
		reads(closers);
	}
}

/* Loads the file with these wants; both outcomes must be in order. Returns whether there is a fabric. */
static bool load(const char *path, unsigned wants, struct loaded *loaded)
{
	struct dot_report report;
	struct error error = {0};
	*loaded = (struct loaded){0};
	settle();
	if (dot_load(path, wants, &loaded->fabric, &loaded->forwarding, &loaded->attributes, &report, &error)) {
		CHECK(!loaded->fabric && !loaded->forwarding && !loaded->attributes);
		check_error(&error);
		return false;
	}
	CHECK(loaded->fabric && !error.status);
	CHECK(!loaded->forwarding == !(wants & DOT_TABLES));
	CHECK(!loaded->attributes == !(wants & DOT_KEEP));
	check_fabric(loaded->fabric);
	return true;
}

/* One level of the bisection on the hosts in their order. */
static void run_bisect(const struct loaded *loaded, bool drop, bool speed_aware)
{
	struct error error = {0};
	struct placement placement;
	struct level level;
	CHECK(!placement_init(&placement, loaded->fabric, "linear_bfs", "random", 0, 1, &error));
	uint32_t *host = array_create(placement.ranks, sizeof *host, &error);
	struct pattern_request request = {.spec = "bisect", .first_ranks = -1};
	struct pattern_call *call = pattern_create(&request, placement.ranks, &error);
	struct congestion_setup setup = {.fabric = loaded->fabric,
		.forwarding = loaded->forwarding,
		.drop = drop,
		.speed_aware = speed_aware,
		.sum_channels = true,
		.stop = &never_stop};
	struct congestion *engine = congestion_create(&setup, &error);
	CHECK(host && call && engine);
	placement_run(&placement, 1, 0, host);
	enum run_status result = congestion_level(engine, call, 0, host, &level, NULL, &error);
	if (result == RUN_UNROUTABLE) {
		uint32_t source, destination;
		CHECK(!drop);
		congestion_bad_pair(engine, &source, &destination);
		walk_explain(loaded->fabric, loaded->forwarding, source, destination, &error);
		check_error(&error);
	} else {
		CHECK(result == RUN_OK);
		CHECK(level.connections + level.unroutable == placement.ranks / 2);
		CHECK((level.largest > 0) == (level.connections > 0));
	}
	congestion_free(engine);
	pattern_free(call);
	free(host);
	placement_clear(&placement);
}

static void place_hosts(const struct fabric *fabric)
{
	static const char *const subsets[] = {"file_order", "rand", "guid_asc", "guid_desc"};
	for (size_t i = 0; i < sizeof subsets / sizeof *subsets; i++) {
		struct placement placement;
		struct error error = {0};
		if (placement_init(&placement, fabric, subsets[i], "linear", 0, 1, &error))
			check_error(&error);
		else
			CHECK(placement.ranks == fabric->hosts);
		placement_clear(&placement);
	}
}

/* cgraph keeps names that begin with '%' for objects without a name, and makes new ones up each time. */
static bool has_reserved_name(const struct fabric *fabric)
{
	for (uint32_t v = 0; v < fabric->nodes; v++)
		if (fabric->labels->name[v][0] == '%')
			return true;
	return false;
}

/* What is written reads as the same fabric. */
static void write_and_read(const struct loaded *loaded, unsigned wants)
{
	char *text;
	size_t size;
	struct loaded again;
	FILE *file = open_memstream(&text, &size);
	CHECK(file);
	dot_write(loaded->fabric, loaded->attributes, file, NULL, NULL);
	fclose(file);
	if (!has_reserved_name(loaded->fabric)) {
		struct memory_file memory = memory_file_create(text, size);
		CHECK(load(memory.path, wants, &again));
		CHECK(again.fabric->labels->hash == loaded->fabric->labels->hash);
		unload(&again);
		memory_file_close(&memory);
	}
	free(text);
}

static void use(const struct loaded *loaded, unsigned wants)
{
	if (wants & DOT_TABLES) {
		check_forwarding(loaded->fabric, loaded->forwarding);
		run_bisect(loaded, true, false);
		run_bisect(loaded, false, true);
	}
	if (wants & DOT_KEEP)
		write_and_read(loaded, wants);
	check_reverse(loaded->fabric);
	place_hosts(loaded->fabric);
}

/* ---- the two readers */

static void check_same_text(const struct attributes *a, const char *text, const struct attributes *b, const char *other)
{
	CHECK(!text == !other);
	if (text)
		CHECK(!strcmp(text, other) && !attributes_are_markup(a, text) &&
			attributes_are_markup(a, text) == attributes_are_markup(b, other));
}

static void check_same_column(const struct attributes *a, const struct attributes *b, int kind, size_t column)
{
	const struct attribute *one = &a->column[kind][column], *other = &b->column[kind][column];
	uint32_t count = kind == ATTRIBUTE_NODE ? a->nodes : a->channels;
	check_same_text(a, one->name, b, other->name);
	check_same_text(a, one->fallback, b, other->fallback);
	CHECK(!one->value == !other->value);
	for (uint32_t i = 0; one->value && i < count; i++)
		check_same_text(a, one->value[i], b, other->value[i]);
}

static void check_same_graph(const struct dot_graph *one, const struct dot_graph *other)
{
	const struct attributes *a = one->attributes, *b = other->attributes;
	CHECK(a->nodes == b->nodes && a->channels == b->channels && !a->others && !b->others && !a->key && !b->key);
	CHECK(!a->subgraphs && !b->subgraphs && !a->markups && !b->markups);
	check_same_text(a, a->graph, b, b->graph);
	CHECK(!memcmp(one->first_channel, other->first_channel, (a->nodes + 1) * sizeof *one->first_channel));
	CHECK(!memcmp(one->head, other->head, a->channels * sizeof *one->head));
	CHECK(!memcmp(a->place, b->place, a->channels * sizeof *a->place));
	for (uint32_t v = 0; v < a->nodes; v++)
		check_same_text(a, a->name[v], b, b->name[v]);
	for (int kind = 0; kind < ATTRIBUTE_KINDS; kind++) {
		CHECK(a->columns[kind] == b->columns[kind]);
		for (size_t i = 0; i < a->columns[kind]; i++)
			check_same_column(a, b, kind, i);
	}
}

/* A text that the reader of plain graphs takes is the same graph to cgraph. */
static void compare_readers(const uint8_t *data, size_t size)
{
	struct error error = {0};
	struct dot_report report = {0};
	struct dot_graph plain = {0}, full = {0};
	char *text = malloc(size + 1);
	CHECK(text);
	memcpy(text, data, size);
	text[size] = '\0';
	int taken = memchr(text, '\0', size) ? 0 : dot_plain_read(&plain, text, size, &error);
	if (taken <= 0)
		free(text);
	if (taken > 0) {
		settle();
		struct dot_memory memory = {(const char *)data, size};
		CHECK(!dot_cgraph_read(&full, &(struct dot_text){dot_read_memory, &memory, "text"}, &report, &error));
		CHECK(!*report.parser_warning);
		check_same_graph(&plain, &full);
	}
	dot_graph_clear(&plain);
	dot_graph_clear(&full);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned wanted[] = {DOT_TABLES | DOT_KEEP | DOT_ALLOW_NO_LINK, DOT_TABLES | DOT_KEEP, DOT_TABLES, 0};
	struct memory_file memory = memory_file_create(data, size);
	bool fine = true;
	for (size_t i = 0; i < sizeof wanted / sizeof *wanted && fine; i++) {
		struct loaded loaded;
		fine = load(memory.path, wanted[i], &loaded);
		if (fine)
			use(&loaded, wanted[i]);
		unload(&loaded);
	}
	memory_file_close(&memory);
	compare_readers(data, size);
	return 0;
}
